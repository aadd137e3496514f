/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Sets of keys: found by kid and algorithm, used to verify. jwt_read.c makes them of files.
 *
 * librhonabwy verifies the signatures of public keys. It compares HMACs with strcmp
 * (CVE-2024-25714, open in Debian 12), so that HS256 is Nettle's here, compared in constant
 * time.
 */

#include "guard/jwt_int.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>

struct mouse_jwt_key_t {
    char *kid;                    /* or NULL */
    unsigned algs;                /* what it is for: one family */
    jwk_t *jwk;                   /* a public key, or NULL */
    struct hmac_sha256_ctx *hmac; /* a secret, or NULL */
};

struct mouse_jwt_keys_t {
    bool by_kid;
    int count;
    mouse_jwt_key_t *keys;
};

static const struct {
    const char *name;
    mouse_jwt_alg_t alg;
    jwa_alg jwa;
} algorithms[] = {
    {"RS256", MOUSE_JWT_RS256, R_JWA_ALG_RS256},
    {"PS256", MOUSE_JWT_PS256, R_JWA_ALG_PS256},
    {"ES256", MOUSE_JWT_ES256, R_JWA_ALG_ES256},
    {"EdDSA", MOUSE_JWT_EDDSA, R_JWA_ALG_EDDSA},
    {"HS256", MOUSE_JWT_HS256, R_JWA_ALG_HS256},
};

#define ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

mouse_jwt_alg_t mouse_jwt_alg_find(mouse_slice_t name)
{
    for (size_t i = 0; i < ALGORITHMS; i++) {
        if (mouse_slice_equal(name, mouse_slice_of(algorithms[i].name)))
            return algorithms[i].alg;
    }
    return 0;
}

const char *mouse_jwt_alg_names(apr_pool_t *p, unsigned algs)
{
    const char *names = "";

    for (size_t i = 0; i < ALGORITHMS; i++) {
        if (algs & algorithms[i].alg)
            names = apr_pstrcat(p, names, *names ? "," : "", algorithms[i].name, NULL);
    }
    return names;
}

mouse_jwt_keys_t *mouse_jwt_keys_create(size_t room, bool by_kid)
{
    mouse_jwt_keys_t *keys = calloc(1, sizeof(*keys));

    if (!keys || !(keys->keys = calloc(room + 1, sizeof(*keys->keys))))
        abort();
    keys->by_kid = by_kid;
    return keys;
}

static bool is_named(const mouse_jwt_key_t *key, mouse_slice_t kid)
{
    return key->kid && mouse_slice_equal(mouse_slice_of(key->kid), kid);
}

static bool has_twin(const mouse_jwt_keys_t *keys, const mouse_jwt_key_t *key)
{
    for (int i = 0; key->kid && i < keys->count; i++) {
        if (is_named(&keys->keys[i], mouse_slice_of(key->kid)) &&
            (keys->keys[i].algs & key->algs))
            return true;
    }
    return false;
}

static bool add_key(mouse_jwt_keys_t *keys, const char *kid, mouse_jwt_key_t key)
{
    bool twin;

    key.kid = kid ? strdup(kid) : NULL;
    twin = has_twin(keys, &key);
    keys->keys[keys->count++] = key;
    return !twin;
}

bool mouse_jwt_keys_add_public(mouse_jwt_keys_t *keys, const char *kid, unsigned algs,
                               jwk_t *jwk)
{
    return add_key(keys, kid, (mouse_jwt_key_t){.algs = algs, .jwk = jwk});
}

bool mouse_jwt_keys_add_secret(mouse_jwt_keys_t *keys, const char *kid,
                               mouse_slice_t secret)
{
    struct hmac_sha256_ctx *hmac = malloc(sizeof(*hmac));

    if (!hmac)
        abort();
    hmac_sha256_set_key(hmac, secret.len, (const uint8_t *)secret.data);
    return add_key(keys, kid, (mouse_jwt_key_t){.algs = MOUSE_JWT_HS256, .hmac = hmac});
}

void mouse_jwt_keys_free(mouse_jwt_keys_t *keys)
{
    for (int i = 0; keys && i < keys->count; i++) {
        r_jwk_free(keys->keys[i].jwk);
        free(keys->keys[i].kid);
        free(keys->keys[i].hmac);
    }
    if (keys)
        free(keys->keys);
    free(keys);
}

int mouse_jwt_keys_count(const mouse_jwt_keys_t *keys)
{
    return keys->count;
}

bool mouse_jwt_keys_secret(const mouse_jwt_keys_t *keys)
{
    for (int i = 0; i < keys->count; i++) {
        if (keys->keys[i].hmac)
            return true;
    }
    return false;
}

/* ---- per request ---- */

const mouse_jwt_key_t *mouse_jwt_keys_find(const mouse_jwt_keys_t *keys,
                                           mouse_jwt_alg_t alg, mouse_slice_t kid,
                                           const char **why)
{
    const mouse_jwt_key_t *found = NULL;
    bool by_kid = keys->by_kid && kid.data, known = false;
    int fitting = 0;

    for (int i = 0; i < keys->count; i++) {
        const mouse_jwt_key_t *key = &keys->keys[i];

        if (by_kid && !is_named(key, kid))
            continue;
        known = true;
        if (key->algs & alg) {
            found = key;
            fitting++;
        }
    }
    if (fitting == 1)
        return found;
    if (by_kid && !known)
        *why = "jwt: unknown kid";
    else if (fitting == 0)
        *why = "jwt: the key does not fit the algorithm";
    else
        *why = "jwt: no kid, and several keys fit";
    return NULL;
}

static bool verify_hmac(const mouse_jwt_key_t *key, mouse_slice_t input,
                        mouse_slice_t signature)
{
    struct hmac_sha256_ctx ctx = *key->hmac;
    uint8_t digest[SHA256_DIGEST_SIZE];

    hmac_sha256_update(&ctx, input.len, (const uint8_t *)input.data);
    hmac_sha256_digest(&ctx, sizeof(digest), digest);
    return signature.len == sizeof(digest) &&
           memeql_sec(digest, signature.data, sizeof(digest));
}

static jwa_alg jwa_of(mouse_jwt_alg_t alg)
{
    size_t i = 0;

    while (algorithms[i].alg != alg)
        i++;
    return algorithms[i].jwa;
}

static bool verify_public(const mouse_jwt_key_t *key, mouse_jwt_alg_t alg,
                          mouse_slice_t token)
{
    jws_t *jws = NULL;
    bool good = r_jws_init(&jws) == RHN_OK &&
                r_jws_advanced_compact_parsen(jws, token.data, token.len, R_PARSE_NONE,
                                              R_FLAG_IGNORE_REMOTE) == RHN_OK &&
                r_jws_get_alg(jws) == jwa_of(alg) &&
                r_jws_verify_signature(jws, key->jwk, R_FLAG_IGNORE_REMOTE) == RHN_OK;

    r_jws_free(jws);
    return good;
}

bool mouse_jwt_key_verify(const mouse_jwt_key_t *key, mouse_jwt_alg_t alg,
                          mouse_slice_t token, mouse_slice_t input, mouse_slice_t signature)
{
    if (alg == MOUSE_JWT_HS256)
        return key->hmac && verify_hmac(key, input, signature);
    return key->jwk && verify_public(key, alg, token);
}
