/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The guard hmac, inside: where its keys come from. */
#ifndef MOUSE_HMAC_INT_H
#define MOUSE_HMAC_INT_H

#include <apr_hash.h>

#include "guard/guard_int.h"
#include "guard/message_int.h"

/* Of a secret, in bytes: what RFC 2104 asks of a key for SHA-256. */
#define MOUSE_HMAC_LEAST 32

typedef struct mouse_hmac_keys_t {
    apr_hash_t *known;          /* key id -> mouse_slice_t *; NULL: the model has them */
    const mouse_model_t *model; /* or NULL */
    mouse_db_t *const *slot;
} mouse_hmac_keys_t;

/* From a file of lines "KEYID SECRET", or a :one model; one of them is NULL. */
apr_status_t mouse_hmac_keys_create(const mouse_guard_setup_t *setup, const char *file,
                                    const char *model, mouse_hmac_keys_t *keys,
                                    mouse_error_t **err) MOUSE_MUST_USE;

/*
 * The secret of a key id, and in *row what else the model says of it. APR_NOTFOUND with
 * *why when there is none that could be used; other failures have *err.
 */
apr_status_t mouse_hmac_keys_find(const mouse_hmac_keys_t *keys, mouse_request_t *req,
                                  const char *keyid, mouse_slice_t *secret,
                                  mouse_context_t *row, const char **why,
                                  mouse_error_t **err) MOUSE_MUST_USE;

#endif
