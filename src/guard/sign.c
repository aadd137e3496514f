/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What signed requests share: HMAC, signatures as text, timestamps of clients. */

#include "guard/guard_int.h"

#include <apr_strings.h>
#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>

static const struct {
    const char *name;
    const struct nettle_hash *hash;
} hashes[] = {
    {"sha256", &nettle_sha256},
    {"sha512", &nettle_sha512},
    {"sha1", &nettle_sha1},
};

const struct nettle_hash *mouse_sign_hash(const char *name)
{
    for (size_t i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++) {
        if (strcmp(hashes[i].name, name) == 0)
            return hashes[i].hash;
    }
    return NULL;
}

void mouse_sign_hmac(const struct nettle_hash *hash, mouse_slice_t key,
                     mouse_slice_t message, uint8_t *mac)
{
    union {
        struct sha512_ctx sha512;
        struct sha256_ctx sha256;
        struct sha1_ctx sha1;
    } outer, inner, state;

    hmac_set_key(&outer, &inner, &state, hash, key.len, (const uint8_t *)key.data);
    hmac_update(&state, hash, message.len, (const uint8_t *)message.data);
    hmac_digest(&outer, &inner, &state, hash, hash->digest_size, mac);
}

static bool decode_hex(mouse_slice_t text, size_t size, uint8_t *bytes)
{
    struct base16_decode_ctx ctx;
    size_t len = size;

    if (text.len != 2 * size)
        return false;
    base16_decode_init(&ctx);
    return base16_decode_update(&ctx, &len, bytes, text.len, text.data) && len == size &&
           base16_decode_final(&ctx);
}

static bool decode_base64(mouse_slice_t text, size_t size, uint8_t *bytes)
{
    uint8_t room[BASE64_DECODE_LENGTH(BASE64_ENCODE_RAW_LENGTH(MOUSE_SIGN_MOST))];
    struct base64_decode_ctx ctx;
    size_t len = sizeof(room);

    if (text.len != BASE64_ENCODE_RAW_LENGTH(size))
        return false;
    base64_decode_init(&ctx);
    if (!base64_decode_update(&ctx, &len, room, text.len, text.data) || len != size ||
        !base64_decode_final(&ctx))
        return false;
    memcpy(bytes, room, size);
    return true;
}

bool mouse_sign_decode(mouse_slice_t text, bool base64, size_t size, uint8_t *bytes)
{
    return base64 ? decode_base64(text, size, bytes) : decode_hex(text, size, bytes);
}

const char *mouse_sign_digest(apr_pool_t *p, mouse_slice_t message)
{
    const size_t len = BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE);
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;
    char *hex = apr_palloc(p, len + 1);

    sha256_init(&ctx);
    sha256_update(&ctx, message.len, (const uint8_t *)message.data);
    sha256_digest(&ctx, sizeof(digest), digest);
    base16_encode_update(hex, sizeof(digest), digest);
    hex[len] = '\0';
    return hex;
}

/* Digits alone, so that there is one way to write a moment; 13 are milliseconds of our
 * days, more are none. */
bool mouse_sign_timestamp(mouse_slice_t text, apr_time_t unit, apr_time_t *time)
{
    apr_time_t value = 0;

    if (text.len == 0 || text.len > 13 || (text.len > 1 && text.data[0] == '0'))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        value = value * 10 + (text.data[i] - '0');
    }
    if (value > APR_INT64_MAX / unit)
        return false;
    *time = value * unit;
    return true;
}

apr_status_t mouse_sign_unit(const mouse_guard_setup_t *setup, const char *text,
                             apr_time_t *unit, mouse_error_t **err)
{
    if (!text || strcmp(text, "s") == 0)
        *unit = APR_USEC_PER_SEC;
    else if (strcmp(text, "ms") == 0)
        *unit = 1000;
    else
        return mouse_guard_refuse(setup, err, "unit=%s is none: write s or ms", text);
    return APR_SUCCESS;
}

apr_status_t mouse_sign_window(const mouse_guard_setup_t *setup, const char *name,
                               const char *text, apr_interval_time_t *window,
                               mouse_error_t **err)
{
    const apr_interval_time_t day = 24 * 3600 * apr_time_from_sec(1);

    if (mouse_parse_duration(text, window) == APR_SUCCESS && *window >= 0 && *window <= day)
        return APR_SUCCESS;
    return mouse_guard_refuse(setup, err, "%s%s: write a time up to 1d, as 300s or 5m",
                              name, text);
}
