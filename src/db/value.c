/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Values on their own: as plain text, and as copies. */

#include "db/plan_int.h"

#include <math.h>

#include <apr_base64.h>
#include <apr_strings.h>

#include "json/mouse_json.h"

/* Right-aligned digits of n, at least width of them. */
static char *put_digits(char *out, uint64_t n, int width)
{
    char digits[20];
    int len = 0;

    do {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0 || len < width);
    while (len > 0)
        *out++ = digits[--len];
    return out;
}

static char *put_int(char *out, int64_t n)
{
    if (n < 0) {
        *out++ = '-';
        return put_digits(out, 0 - (uint64_t)n, 1);
    }
    return put_digits(out, (uint64_t)n, 1);
}

static char *put_date(char *out, const mouse_calendar_t *t)
{
    out = put_digits(out, t->year, 4);
    *out++ = '-';
    out = put_digits(out, t->month, 2);
    *out++ = '-';
    return put_digits(out, t->day, 2);
}

static char *put_clock(char *out, const mouse_calendar_t *t)
{
    int decimals = t->decimals > 6 ? 6 : t->decimals;
    uint32_t fraction = t->usec % 1000000;

    out = put_digits(out, t->hour, 2);
    *out++ = ':';
    out = put_digits(out, t->minute, 2);
    *out++ = ':';
    out = put_digits(out, t->second, 2);
    if (decimals == 0)
        return out;
    for (int i = decimals; i < 6; i++)
        fraction /= 10;
    *out++ = '.';
    return put_digits(out, fraction, decimals);
}

static char *put_datetime(char *out, const mouse_calendar_t *t)
{
    out = put_date(out, t);
    *out++ = 'T';
    return put_clock(out, t);
}

static char *put_time(char *out, const mouse_calendar_t *t)
{
    if (t->negative)
        *out++ = '-';
    return put_clock(out, t);
}

static char *put_bool(char *out, bool truth)
{
    size_t len = truth ? 4 : 5;

    memcpy(out, truth ? "true" : "false", len);
    return out + len;
}

uint64_t mouse_value_bits(mouse_slice_t bytes)
{
    uint64_t n = 0;

    for (size_t i = 0; i < bytes.len; i++)
        n = n << 8 | (unsigned char)bytes.data[i];
    return n;
}

/* Shortest digits, as JSON has them; NaN and infinities print nothing. */
static char *put_real(char *out, const mouse_value_t *value)
{
    mouse_buf_t buf = {.data = out, .cap = MOUSE_CELL_SCRATCH};

    if (!isfinite(value->d))
        return out;
    if (value->kind == MOUSE_VALUE_FLOAT)
        mouse_json_put_float(&buf, (float)value->d);
    else
        mouse_json_put_double(&buf, value->d);
    return out + buf.len;
}

size_t mouse_value_print(char *out, const mouse_value_t *value)
{
    char *end = out;

    switch (value->kind) {
    case MOUSE_VALUE_BOOL:
        end = put_bool(out, value->i != 0);
        break;
    case MOUSE_VALUE_INT:
        end = put_int(out, value->i);
        break;
    case MOUSE_VALUE_UINT:
        end = put_digits(out, value->u, 1);
        break;
    case MOUSE_VALUE_BITS:
        end = put_digits(out, mouse_value_bits(value->text), 1);
        break;
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        end = put_real(out, value);
        break;
    case MOUSE_VALUE_DATE:
        end = put_date(out, &value->t);
        break;
    case MOUSE_VALUE_DATETIME:
        end = put_datetime(out, &value->t);
        break;
    case MOUSE_VALUE_TIME:
        end = put_time(out, &value->t);
        break;
    default:
        break;
    }
    return (size_t)(end - out);
}

static mouse_slice_t print_bytes(apr_pool_t *p, mouse_slice_t bytes)
{
    char *out = apr_palloc(p, (bytes.len + 2) / 3 * 4 + 1);
    int len =
        apr_base64_encode_binary(out, (const unsigned char *)bytes.data, (int)bytes.len);

    return (mouse_slice_t){out, len > 0 ? (size_t)len - 1 : 0};
}

mouse_slice_t mouse_value_text(apr_pool_t *p, const mouse_value_t *value)
{
    char scratch[MOUSE_CELL_SCRATCH];
    size_t len;

    switch (value->kind) {
    case MOUSE_VALUE_NULL:
        return (mouse_slice_t){NULL, 0};
    case MOUSE_VALUE_DECIMAL:
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_JSON:
        return (mouse_slice_t){value->text.data ? value->text.data : "", value->text.len};
    case MOUSE_VALUE_BYTES:
        return print_bytes(p, value->text);
    case MOUSE_VALUE_DATE:
    case MOUSE_VALUE_DATETIME:
        if (mouse_calendar_zero(&value->t))
            return (mouse_slice_t){NULL, 0};
        break;
    default:
        break;
    }
    len = mouse_value_print(scratch, value);
    if (len == 0)
        return (mouse_slice_t){NULL, 0};
    return (mouse_slice_t){apr_pstrmemdup(p, scratch, len), len};
}

mouse_value_t mouse_value_copy(apr_pool_t *p, const mouse_value_t *value)
{
    mouse_value_t copy = *value;

    switch (value->kind) {
    case MOUSE_VALUE_DECIMAL:
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_BYTES:
    case MOUSE_VALUE_JSON:
    case MOUSE_VALUE_BITS:
        copy.text.data = mouse_slice_copy(p, value->text);
        break;
    default:
        break;
    }
    return copy;
}
