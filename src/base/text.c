/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Slices, hexadecimal digits and UTF-8 (RFC 3629). */

#include "base/mouse_base.h"

#include <apr_strings.h>

char *mouse_slice_copy(apr_pool_t *p, mouse_slice_t slice)
{
    return apr_pstrmemdup(p, slice.data ? slice.data : "", slice.len);
}

int mouse_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The bytes a lead byte announces (0: none), and the bounds of its second byte. */
static size_t read_lead(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (lead == 0xE0)
            *low = 0xA0;
        if (lead == 0xED)
            *high = 0x9F;
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (lead == 0xF0)
            *low = 0x90;
        if (lead == 0xF4)
            *high = 0x8F;
        return 4;
    }
    return 0;
}

size_t mouse_utf8_sequence(const char *data, size_t len, size_t *bad)
{
    const unsigned char *s = (const unsigned char *)data;
    unsigned char low, high;
    size_t want;

    *bad = 1;
    if (len == 0)
        return 0;
    want = read_lead(s[0], &low, &high);
    for (size_t i = 1; i < want; i++) {
        if (i >= len || s[i] < low || s[i] > high) {
            *bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return want;
}

bool mouse_utf8_valid(const char *data, size_t len)
{
    size_t bad, n, i = 0;

    while (i < len) {
        if ((unsigned char)data[i] < 0x80) {
            i++;
            continue;
        }
        n = mouse_utf8_sequence(data + i, len - i, &bad);
        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

size_t mouse_utf8_length(const char *data, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++)
        count += ((unsigned char)data[i] & 0xC0) != 0x80;
    return count;
}
