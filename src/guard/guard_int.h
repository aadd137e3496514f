/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard, inside: the providers that come with the module. */
#ifndef MOUSE_GUARD_INT_H
#define MOUSE_GUARD_INT_H

#include "guard/mouse_guard.h"

#include <nettle/nettle-meta.h>

extern const mouse_guard_provider_t mouse_guard_lookup;
extern const mouse_guard_provider_t mouse_guard_deny;
extern const mouse_guard_provider_t mouse_guard_bearer;
extern const mouse_guard_provider_t mouse_guard_api_key;
extern const mouse_guard_provider_t mouse_guard_same_origin;
extern const mouse_guard_provider_t mouse_guard_format;
extern const mouse_guard_provider_t mouse_guard_expr;
extern const mouse_guard_provider_t mouse_guard_mrpc;
extern const mouse_guard_provider_t mouse_guard_password;
extern const mouse_guard_provider_t mouse_guard_rate_limit;
extern const mouse_guard_provider_t mouse_guard_jwt;
extern const mouse_guard_provider_t mouse_guard_signature;
extern const mouse_guard_provider_t mouse_guard_replay;
extern const mouse_guard_provider_t mouse_guard_hmac;

/* ---- bearer tokens: guard_bearer.c, for jwt too ---- */

/* The token of `Authorization: Bearer TOKEN`, whatever it holds, or NULL. */
const char *mouse_guard_bearer_token(const mouse_request_t *req);

/* WWW-Authenticate of RFC 6750, 3, without a token and with a bad one; realm NULL: the
 * guard's name. */
typedef struct mouse_guard_bearer_t {
    const char *missing, *invalid;
} mouse_guard_bearer_t;

apr_status_t mouse_guard_bearer_challenges(const mouse_guard_setup_t *setup,
                                           const char *realm,
                                           mouse_guard_bearer_t *challenges,
                                           mouse_error_t **err) MOUSE_MUST_USE;

/* ---- signed requests: sign.c ---- */

/* The largest digest, of sha512, in bytes. */
#define MOUSE_SIGN_MOST 64

/* "sha256", "sha512" or "sha1"; NULL for others. */
const struct nettle_hash *mouse_sign_hash(const char *name);
/* HMAC (RFC 2104): mac has hash->digest_size bytes. */
void mouse_sign_hmac(const struct nettle_hash *hash, mouse_slice_t key,
                     mouse_slice_t message, uint8_t *mac);
/* Exactly `size` bytes (at most MOUSE_SIGN_MOST) written as hex or base64, or false. */
bool mouse_sign_decode(mouse_slice_t text, bool base64, size_t size, uint8_t *bytes);
/* SHA-256 as lower-case digits, in p. */
const char *mouse_sign_digest(apr_pool_t *p, mouse_slice_t message);
/* "1767225600" in `unit` microseconds; false when it is no such number. */
bool mouse_sign_timestamp(mouse_slice_t text, apr_time_t unit, apr_time_t *time);
/* unit=s (NULL, too) or ms, in microseconds. */
apr_status_t mouse_sign_unit(const mouse_guard_setup_t *setup, const char *text,
                             apr_time_t *unit, mouse_error_t **err) MOUSE_MUST_USE;
/* A time up to a day; name is "window=", for the message. */
apr_status_t mouse_sign_window(const mouse_guard_setup_t *setup, const char *name,
                               const char *text, apr_interval_time_t *window,
                               mouse_error_t **err) MOUSE_MUST_USE;

/* ---- headers that hold signatures: sign_header.c ---- */

typedef struct mouse_sign_form_t mouse_sign_form_t;

typedef struct mouse_sign_found_t {
    mouse_slice_t timestamp; /* data NULL: the form has none */
    int count;
    mouse_slice_t signatures[16];
} mouse_sign_found_t;

/* "t={t},v1={sig}": pairs in any order, among others; "sha256={sig}": the whole header. */
apr_status_t mouse_sign_form_parse(const mouse_guard_setup_t *setup, const char *text,
                                   const mouse_sign_form_t **form,
                                   mouse_error_t **err) MOUSE_MUST_USE;
bool mouse_sign_form_has_time(const mouse_sign_form_t *form);
/* NULL, or why the header is not of this form. */
const char *mouse_sign_form_read(const mouse_sign_form_t *form, const char *header,
                                 mouse_sign_found_t *found);

/* ---- mouse-php's envelope: mrpc.c ---- */

typedef struct mouse_mrpc_form_t {
    int64_t user_id, timestamp; /* milliseconds */
    mouse_slice_t version, request_tag, seed, auth;
    const mouse_json_node_t *data; /* an object or an array */
} mouse_mrpc_form_t;

/* MOUSE_E_BAD_REQUEST unless root is an envelope; the form refers to it. */
apr_status_t mouse_mrpc_read(apr_pool_t *p, const mouse_json_node_t *root,
                             mouse_mrpc_form_t *form, mouse_error_t **err) MOUSE_MUST_USE;
/* Is auth the HMAC-SHA256 over data and seed with this key? In constant time. */
bool mouse_mrpc_signed(const mouse_mrpc_form_t *form, mouse_slice_t key);

/* ---- nonces in shared memory: nonces.c ---- */

typedef enum {
    MOUSE_NONCE_FRESH, /* the first time: it is recorded */
    MOUSE_NONCE_SEEN,
    MOUSE_NONCE_FULL /* there is no place: let nobody pass */
} mouse_nonce_t;

/* Bytes of shared memory (see setup->share) for so many nonces at a time. */
size_t mouse_nonces_size(int entries);

/*
 * Records a nonce until `expires` and up to 16 s longer. Of all processes and threads that
 * come with the same one before that, exactly one gets FRESH. `now` is the time of this
 * moment. Another nonce is taken for this one once in 2^35 times the nonces in its bucket
 * (32 of 64 when `entries` are there).
 */
mouse_nonce_t mouse_nonces_record(const mouse_shared_t *shared, apr_time_t now,
                                  apr_time_t expires, mouse_slice_t nonce);

/* Memory's name: nonces that a shorter window has forgotten would pass in a wider one. */
const char *mouse_nonces_name(apr_pool_t *p, apr_interval_time_t window);

/* How far back the memory reaches: `started` of the configuration that first used it. */
apr_time_t mouse_nonces_since(const mouse_shared_t *shared, apr_time_t started);

#endif
