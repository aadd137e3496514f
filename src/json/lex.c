/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The tokens of RFC 8259: where a string, number or literal ends, and whether it is one. */

#include "json/json_int.h"

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (is_digit(at, end))
        at++;
    return at;
}

const char *mouse_json_skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

const char *mouse_json_skip_number(const char *at, const char *end, const char **bad)
{
    if (at < end && *at == '-')
        at++;
    *bad = at;
    if (!is_digit(at, end))
        return NULL;
    at = *at == '0' ? at + 1 : skip_digits(at, end);
    if (at < end && *at == '.') {
        *bad = ++at;
        if (!is_digit(at, end))
            return NULL;
        at = skip_digits(at, end);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        *bad = at;
        if (!is_digit(at, end))
            return NULL;
        at = skip_digits(at, end);
    }
    return at;
}

const char *mouse_json_skip_literal(const char *at, const char *end, const char *word,
                                    const char **bad)
{
    for (; *word; word++, at++) {
        *bad = at;
        if (at >= end || *at != *word)
            return NULL;
    }
    return at;
}

int mouse_json_hex4(const char *at, const char *end)
{
    int value = 0;

    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = mouse_hex_digit(at[i]);

        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Behind a backslash; NULL: not an escape. Surrogates must come as a pair. */
static const char *skip_escape(const char *at, const char *end)
{
    int unit;

    if (at >= end)
        return NULL;
    if (*at != 'u')
        return strchr("\"\\/bfnrt", *at) && *at ? at + 1 : NULL;
    unit = mouse_json_hex4(at + 1, end);
    at += 5;
    if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
        return NULL;
    if (unit < 0xD800 || unit > 0xDBFF)
        return at;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return NULL;
    unit = mouse_json_hex4(at + 2, end);
    return unit >= 0xDC00 && unit <= 0xDFFF ? at + 6 : NULL;
}

const char *mouse_json_skip_string(const char *at, const char *end, bool *escaped,
                                   const char **bad)
{
    size_t n, unused;

    *escaped = false;
    while (at < end) {
        unsigned char c = (unsigned char)*at;

        *bad = at;
        if (c == '"')
            return at;
        if (c == '\\') {
            *escaped = true;
            at = skip_escape(at + 1, end);
            if (!at)
                return NULL;
        } else if (c < 0x20) {
            return NULL;
        } else if (c < 0x80) {
            at++;
        } else {
            n = mouse_utf8_sequence(at, (size_t)(end - at), &unused);
            if (n == 0)
                return NULL;
            at += n;
        }
    }
    *bad = at;
    return NULL;
}
