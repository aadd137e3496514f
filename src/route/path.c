/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Paths: one spelling for each (RFC 3986), and what a typed segment looks like. */

#include "route/route_int.h"

/* The byte of an escape at "%", or -1. */
static int read_escape(const char *at)
{
    int high = mouse_hex_digit(at[1]);
    int low = high < 0 ? -1 : mouse_hex_digit(at[2]);

    return low < 0 ? -1 : high * 16 + low;
}

static char *put_escape(char *out, const char *escape)
{
    memcpy(out, escape, 3);
    return out + 3;
}

const char *mouse_path_canonical(apr_pool_t *p, const char *raw, bool *bad)
{
    char *start, *out;
    int byte;

    *bad = false;
    if (!strchr(raw, '%'))
        return raw;
    start = out = apr_palloc(p, strlen(raw) * 3 + 1);
    while (*raw) {
        if (*raw != '%') {
            *out++ = *raw++;
            continue;
        }
        byte = read_escape(raw);
        if (byte <= 0) {
            *bad = true;
            *out++ = *raw++;
            continue;
        }
        raw += 3;
        if (byte == '/')
            out = put_escape(out, "%2F");
        else if (byte == '%')
            out = put_escape(out, "%25");
        else
            *out++ = (char)byte;
    }
    *out = '\0';
    return start;
}

mouse_slice_t mouse_path_decode(apr_pool_t *p, mouse_slice_t segment)
{
    char *start, *out;

    if (!memchr(segment.data, '%', segment.len))
        return segment;
    start = out = apr_palloc(p, segment.len + 1);
    for (size_t i = 0; i < segment.len; i++) {
        if (segment.data[i] != '%') {
            *out++ = segment.data[i];
            continue;
        }
        *out++ = segment.data[i + 1] == '5' || segment.data[i + 2] == '5' ? '%' : '/';
        i += 2;
    }
    *out = '\0';
    return (mouse_slice_t){start, (size_t)(out - start)};
}

static bool is_int(mouse_slice_t s)
{
    bool negative = s.len > 0 && s.data[0] == '-';
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX, value = 0;
    size_t i = negative;

    if (i == s.len || (s.data[i] == '0' && s.len > 1))
        return false;
    for (; i < s.len; i++) {
        unsigned digit = (unsigned)(s.data[i] - '0');

        if (digit > 9 || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    return true;
}

static bool is_uuid(mouse_slice_t s)
{
    if (s.len != 36)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? s.data[i] != '-' : mouse_hex_digit(s.data[i]) < 0)
            return false;
    }
    return true;
}

static int read_digits(const char *at, int count)
{
    int value = 0;

    while (count-- > 0) {
        if (*at < '0' || *at > '9')
            return -1;
        value = value * 10 + (*at++ - '0');
    }
    return value;
}

static bool is_date(mouse_slice_t s)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    bool leap;

    if (s.len != 10 || s.data[4] != '-' || s.data[7] != '-')
        return false;
    year = read_digits(s.data, 4);
    month = read_digits(s.data + 5, 2);
    day = read_digits(s.data + 8, 2);
    if (year < 0 || month < 1 || month > 12 || day < 1)
        return false;
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= days[month - 1] + (month == 2 && leap);
}

bool mouse_segment_fits(mouse_segment_t type, mouse_slice_t segment)
{
    switch (type) {
    case MOUSE_SEGMENT_INT:
        return is_int(segment);
    case MOUSE_SEGMENT_UUID:
        return is_uuid(segment);
    case MOUSE_SEGMENT_DATE:
        return is_date(segment);
    default:
        return segment.len > 0;
    }
}
