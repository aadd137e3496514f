/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * guard, inside: what the guard `jwt` is made of - keys, the file they come from, tokens.
 *
 * A key set never changes once it is made. The file's store publishes one behind an atomic
 * pointer; a request takes it once and uses it to the end of its check.
 */
#ifndef MOUSE_JWT_INT_H
#define MOUSE_JWT_INT_H

#include "base/mouse_base.h"
#include "json/mouse_json.h"

#include <rhonabwy.h>

typedef struct mouse_jwt_key_t mouse_jwt_key_t;
typedef struct mouse_jwt_keys_t mouse_jwt_keys_t;
typedef struct mouse_jwt_store_t mouse_jwt_store_t;
typedef struct mouse_jwt_rules_t mouse_jwt_rules_t;

/* ---- algorithms (RFC 7518, RFC 8037), and sets of them ---- */

typedef enum {
    MOUSE_JWT_RS256 = 1,
    MOUSE_JWT_PS256 = 2,
    MOUSE_JWT_ES256 = 4,
    MOUSE_JWT_EDDSA = 8,
    MOUSE_JWT_HS256 = 16
} mouse_jwt_alg_t;

/* 0: unknown; names are case-sensitive. */
mouse_jwt_alg_t mouse_jwt_alg_find(mouse_slice_t name);
/* "RS256,ES256", in p. */
const char *mouse_jwt_alg_names(apr_pool_t *p, unsigned algs);

/* ---- keys ---- */

/* An empty set, malloc'd, with room for so many; by_kid: a token's kid must be known. */
mouse_jwt_keys_t *mouse_jwt_keys_create(size_t room, bool by_kid);
void mouse_jwt_keys_free(mouse_jwt_keys_t *keys);

/* Adds a key (the set owns jwk then); kid may be NULL. False: one of that name and use was
 * there before. */
bool mouse_jwt_keys_add_public(mouse_jwt_keys_t *keys, const char *kid, unsigned algs,
                               jwk_t *jwk);
bool mouse_jwt_keys_add_secret(mouse_jwt_keys_t *keys, const char *kid,
                               mouse_slice_t secret);

int mouse_jwt_keys_count(const mouse_jwt_keys_t *keys);
/* Does it hold a secret? */
bool mouse_jwt_keys_secret(const mouse_jwt_keys_t *keys);

/* The key for a token; kid data NULL: the token names none. Else NULL, and why. */
const mouse_jwt_key_t *mouse_jwt_keys_find(const mouse_jwt_keys_t *keys,
                                           mouse_jwt_alg_t alg, mouse_slice_t kid,
                                           const char **why);

/* Is `signature` that of `input` ("header.payload") by this key? `token` is all of it. */
bool mouse_jwt_key_verify(const mouse_jwt_key_t *key, mouse_jwt_alg_t alg,
                          mouse_slice_t token, mouse_slice_t input,
                          mouse_slice_t signature);

/* ---- keys out of files ---- */

#define MOUSE_JWT_MIN_SECRET   32 /* bytes, RFC 7518 3.2 */
#define MOUSE_JWT_MIN_RSA_BITS 2048

/*
 * Each returns NULL with *keys (malloc'd, for mouse_jwt_keys_free), or a sentence in p.
 *
 * A JWK Set (RFC 7517): keys that are for something else, malformed or too short are left
 * out; a private key, a secret where HS256 is not in `algs`, a kid given twice and a set
 * without one key for `algs` are mistakes.
 */
const char *mouse_jwt_keys_from_set(apr_pool_t *p, mouse_slice_t text, unsigned algs,
                                    mouse_jwt_keys_t **keys);
/* A PEM public key, which must fit all of `algs`. */
const char *mouse_jwt_keys_from_pem(apr_pool_t *p, mouse_slice_t text, unsigned algs,
                                    mouse_jwt_keys_t **keys);
/* A secret for HS256: refused when it is a key of another kind. */
const char *mouse_jwt_keys_from_secret(apr_pool_t *p, mouse_slice_t text,
                                       mouse_jwt_keys_t **keys);

/* ---- the file they come from ---- */

/* What a file holds. */
typedef enum { MOUSE_JWT_SET, MOUSE_JWT_KEY } mouse_jwt_kind_t;

/* Reads it, while the server is still root; a sentence in pconf when it cannot be used.
 * *readable: a secret lies in it that everybody may read. Freed with pconf. */
const char *mouse_jwt_store_create(apr_pool_t *pconf, const char *path,
                                   mouse_jwt_kind_t kind, unsigned algs,
                                   mouse_jwt_store_t **store, bool *readable);

/* What holds now; good for ten minutes. */
const mouse_jwt_keys_t *mouse_jwt_store_keys(const mouse_jwt_store_t *store);

/* Reads a JWK Set again when its file has changed; what cannot be used is logged once and
 * the old keys stay. One thread of a process calls it. now: of the call. */
void mouse_jwt_store_refresh(mouse_jwt_store_t *store, apr_time_t now, apr_pool_t *ptmp,
                             const mouse_log_t *log);

/* ---- tokens ---- */

#define MOUSE_JWT_MAX_TOKEN 8192

struct mouse_jwt_rules_t {
    unsigned algs;
    const char *iss, *aud; /* or NULL */
    apr_int64_t leeway;    /* seconds */
    bool no_exp;           /* a token without exp is taken */
};

/* NULL with *claims, an object in p; or why the token is refused, for the log. */
const char *mouse_jwt_verify(apr_pool_t *p, const mouse_jwt_rules_t *rules,
                             const mouse_jwt_keys_t *keys, mouse_slice_t token,
                             apr_time_t now, const mouse_json_node_t **claims);

#endif
