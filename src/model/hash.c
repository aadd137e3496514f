/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* hash(sha256|bcrypt|yescrypt) of values: Nettle and crypt(5). */

#include "model/model_int.h"

#include <crypt.h>
#include <stdlib.h>

#include <apr_strings.h>
#include <nettle/sha2.h>

#define BCRYPT_MOST 72

static const char *hex_of(apr_pool_t *p, const unsigned char *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char *out = apr_palloc(p, len * 2 + 1);

    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[len * 2] = '\0';
    return out;
}

static const char *sha256(apr_pool_t *p, mouse_slice_t text)
{
    struct sha256_ctx ctx;
    unsigned char digest[SHA256_DIGEST_SIZE];

    sha256_init(&ctx);
    sha256_update(&ctx, text.len, (const uint8_t *)text.data);
    sha256_digest(&ctx, sizeof(digest), digest);
    return hex_of(p, digest, sizeof(digest));
}

/* A salted crypt(5) string, or NULL. */
static const char *salted(apr_pool_t *p, const char *prefix, int cost, const char *text)
{
    struct crypt_data *data = calloc(1, sizeof(*data));
    char *salt = crypt_gensalt_ra(prefix, (unsigned long)cost, NULL, 0);
    const char *hash = data && salt ? crypt_r(text, salt, data) : NULL;

    hash = hash && hash[0] != '*' ? apr_pstrdup(p, hash) : NULL;
    free(salt);
    free(data);
    return hash;
}

apr_status_t mouse_hash(apr_pool_t *p, mouse_hash_t hash, int cost, mouse_slice_t text,
                        mouse_slice_t *out, const char **detail)
{
    const char *made;

    if (hash == MOUSE_HASH_SHA256) {
        *out = mouse_slice_of(sha256(p, text));
        return APR_SUCCESS;
    }
    if (text.len > 0 && memchr(text.data, '\0', text.len)) {
        *detail = "The value cannot hold NUL.";
        return APR_EINVAL;
    }
    if (hash == MOUSE_HASH_BCRYPT && text.len > BCRYPT_MOST) {
        *detail = "The value cannot be longer than 72 bytes.";
        return APR_EINVAL;
    }
    made = salted(p, hash == MOUSE_HASH_BCRYPT ? "$2b$" : "$y$", cost,
                  mouse_slice_copy(p, text));
    if (!made) {
        *detail = "The value cannot be hashed.";
        return APR_EINVAL;
    }
    *out = mouse_slice_of(made);
    return APR_SUCCESS;
}
