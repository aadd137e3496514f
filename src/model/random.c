/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Values nobody can guess: from the system's random source. */

#include "model/model_int.h"

#include <stdlib.h>

#include <apr_general.h>

static void fill(unsigned char *bytes, size_t len)
{
    if (apr_generate_random_bytes(bytes, len) != APR_SUCCESS)
        abort();
}

static char *put_hex(char *out, const unsigned char *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    return out;
}

const char *mouse_random_hex32(apr_pool_t *p)
{
    unsigned char bytes[32];
    char *text = apr_palloc(p, 2 * sizeof(bytes) + 1);

    fill(bytes, sizeof(bytes));
    *put_hex(text, bytes, sizeof(bytes)) = '\0';
    return text;
}

const char *mouse_random_uuid(apr_pool_t *p)
{
    static const unsigned char groups[] = {4, 2, 2, 2, 6};
    unsigned char bytes[16];
    char *text = apr_palloc(p, 37), *out = text;
    size_t at = 0;

    fill(bytes, sizeof(bytes));
    bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
    for (size_t i = 0; i < sizeof(groups); i++) {
        if (i > 0)
            *out++ = '-';
        out = put_hex(out, bytes + at, groups[i]);
        at += groups[i];
    }
    *out = '\0';
    return text;
}
