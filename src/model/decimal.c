/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Decimal texts: numbers of any length without losing a digit. */

#include "model/model_int.h"
#include "model/decimal_int.h"

#include <stdlib.h>

#define MOST_DIGITS 400

/* The parts of [-]digits[.digits][e[+-]digits]. */
typedef struct parts_t {
    bool negative;
    const char *whole, *fraction;
    size_t whole_len, fraction_len;
    long exponent;
} parts_t;

static size_t count_digits(const char *at, const char *end)
{
    const char *start = at;

    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return (size_t)(at - start);
}

static bool split(mouse_slice_t text, parts_t *parts)
{
    const char *at = text.data, *end = text.data + text.len;
    bool negative = false;
    size_t n;

    *parts = (parts_t){.negative = at < end && *at == '-'};
    at += parts->negative;
    parts->whole = at;
    parts->whole_len = count_digits(at, end);
    at += parts->whole_len;
    if (at < end && *at == '.') {
        parts->fraction = ++at;
        parts->fraction_len = count_digits(at, end);
        at += parts->fraction_len;
        if (parts->fraction_len == 0)
            return false;
    }
    if (parts->whole_len == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        negative = at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+');
        n = count_digits(at, end);
        if (n == 0 || n > 6)
            return false;
        for (; n > 0; n--)
            parts->exponent = parts->exponent * 10 + (*at++ - '0');
        if (negative)
            parts->exponent = -parts->exponent;
    }
    return at == end;
}

mouse_slice_t mouse_decimal_parse(apr_pool_t *p, mouse_slice_t text)
{
    parts_t parts;
    size_t digits, first, last;
    long point;
    char *all, *out, *start;

    if (!split(text, &parts))
        return (mouse_slice_t){NULL, 0};
    digits = parts.whole_len + parts.fraction_len;
    point = (long)parts.whole_len + parts.exponent;
    if (digits > MOST_DIGITS || labs(parts.exponent) > MOST_DIGITS)
        return (mouse_slice_t){NULL, 0};
    all = apr_palloc(p, digits + 1);
    memcpy(all, parts.whole, parts.whole_len);
    if (parts.fraction_len > 0)
        memcpy(all + parts.whole_len, parts.fraction, parts.fraction_len);
    for (first = 0; first < digits && all[first] == '0';)
        first++;
    for (last = digits; last > first && all[last - 1] == '0' && (long)last > point;)
        last--;
    if (first == last)
        return MOUSE_SLICE("0");
    start = out = apr_palloc(p, digits + 2 * MOST_DIGITS + 4);
    if (parts.negative)
        *out++ = '-';
    if (point <= (long)first)
        *out++ = '0';
    for (size_t i = first; (long)i < point; i++)
        *out++ = i < last ? all[i] : '0';
    if ((long)last > point) {
        *out++ = '.';
        for (; point < (long)first; point++)
            *out++ = '0';
        for (size_t i = (size_t)point; i < last; i++)
            *out++ = all[i];
    }
    *out = '\0';
    return (mouse_slice_t){start, (size_t)(out - start)};
}

static int compare_magnitude(mouse_slice_t a, mouse_slice_t b)
{
    size_t a_whole = count_digits(a.data, a.data + a.len);
    size_t b_whole = count_digits(b.data, b.data + b.len);
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order;

    if (a_whole != b_whole)
        return a_whole < b_whole ? -1 : 1;
    order = memcmp(a.data, b.data, shorter);
    if (order != 0)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

int mouse_decimal_compare(mouse_slice_t a, mouse_slice_t b)
{
    bool a_negative = a.data[0] == '-', b_negative = b.data[0] == '-';

    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    if (!a_negative)
        return compare_magnitude(a, b);
    return compare_magnitude((mouse_slice_t){b.data + 1, b.len - 1},
                             (mouse_slice_t){a.data + 1, a.len - 1});
}

bool mouse_decimal_integral(mouse_slice_t decimal)
{
    return memchr(decimal.data, '.', decimal.len) == NULL;
}

size_t mouse_decimal_whole_digits(mouse_slice_t decimal)
{
    const char *end = decimal.data + decimal.len;

    return count_digits(decimal.data + (decimal.data[0] == '-'), end);
}
