/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Types: one value as a client wrote it - text or JSON - becomes what is bound, by the
 * parameter's declaration and never by what the client chose to send.
 */
#include "model/model_int.h"
#include "model/calendar_int.h"
#include "model/decimal_int.h"

#include <errno.h>
#include <stdlib.h>

#include <apr_base64.h>
#include <apr_lib.h>
#include <apr_strings.h>

/* Of a DECIMAL. */
#define MYSQL_DIGITS 65

/* What a value is judged by, and where the judgement goes. */
typedef struct judge_t {
    apr_pool_t *pool;
    const mouse_param_t *param;
    mouse_dialect_t dialect;
    const char **rule, **detail;
} judge_t;

static apr_status_t refuse(const judge_t *judge, const char *rule, const char *format, ...)
    MOUSE_PRINTF(3, 4);

static apr_status_t refuse(const judge_t *judge, const char *rule, const char *format, ...)
{
    va_list args;

    *judge->rule = rule;
    va_start(args, format);
    *judge->detail = apr_pvsprintf(judge->pool, format, args);
    va_end(args);
    return APR_EINVAL;
}

/* "1..99", "1.." or "..99", as declared. */
static const char *bounds_text(const judge_t *judge)
{
    const mouse_bounds_t *bounds = &judge->param->bounds;

    return apr_pstrcat(judge->pool, bounds->low ? bounds->low : "", "..",
                       bounds->high ? bounds->high : "", NULL);
}

static apr_status_t check_range(const judge_t *judge, mouse_slice_t plain)
{
    const mouse_bounds_t *bounds = &judge->param->bounds;
    mouse_slice_t limit;

    if (bounds->low) {
        limit = mouse_decimal_parse(judge->pool, mouse_slice_of(bounds->low));
        if (limit.data && mouse_decimal_compare(plain, limit) < 0)
            return refuse(judge, "range", "The value must be in %s.", bounds_text(judge));
    }
    if (bounds->high) {
        limit = mouse_decimal_parse(judge->pool, mouse_slice_of(bounds->high));
        if (limit.data && mouse_decimal_compare(plain, limit) > 0)
            return refuse(judge, "range", "The value must be in %s.", bounds_text(judge));
    }
    return APR_SUCCESS;
}

static apr_status_t check_length(const judge_t *judge, size_t length, const char *what)
{
    const mouse_bounds_t *bounds = &judge->param->bounds;

    if (!bounds->set ||
        ((int64_t)length >= bounds->low_int && (int64_t)length <= bounds->high_int))
        return APR_SUCCESS;
    return refuse(judge, "length", "The value must have %s %s.", bounds_text(judge), what);
}

static bool same_choice(const judge_t *judge, const char *choice, mouse_slice_t text)
{
    bool number =
        judge->param->type == MOUSE_TYPE_INT || judge->param->type == MOUSE_TYPE_NUMBER;
    mouse_slice_t wanted = mouse_slice_of(choice);

    if (number)
        wanted = mouse_decimal_parse(judge->pool, wanted);
    return mouse_slice_equal(wanted, text);
}

static apr_status_t check_choice(const judge_t *judge, mouse_slice_t text)
{
    const char *list = "";

    if (judge->param->choice_count == 0)
        return APR_SUCCESS;
    for (int i = 0; i < judge->param->choice_count; i++) {
        if (same_choice(judge, judge->param->choices[i], text))
            return APR_SUCCESS;
        list = apr_pstrcat(judge->pool, list, i > 0 ? ", " : "", judge->param->choices[i],
                           NULL);
    }
    return refuse(judge, "in", "The value must be one of: %s.", list);
}

/* An integral plain form as int64, else as uint64. */
static bool to_integer(mouse_slice_t plain, mouse_value_t *value)
{
    char digits[24];

    if (plain.len >= sizeof(digits))
        return false;
    memcpy(digits, plain.data, plain.len);
    digits[plain.len] = '\0';
    errno = 0;
    value->kind = MOUSE_VALUE_INT;
    value->i = strtoll(digits, NULL, 10);
    if (errno == 0)
        return true;
    if (digits[0] == '-')
        return false;
    errno = 0;
    value->kind = MOUSE_VALUE_UINT;
    value->u = strtoull(digits, NULL, 10);
    return errno == 0;
}

static bool is_plain_integer(mouse_slice_t text)
{
    size_t i = text.len > 0 && text.data[0] == '-';

    if (i == text.len)
        return false;
    for (; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
    }
    return true;
}

static apr_status_t read_int(const judge_t *judge, mouse_slice_t text, mouse_value_t *value)
{
    mouse_slice_t plain;
    apr_status_t rv;

    if (!is_plain_integer(text))
        return refuse(judge, "type", "The value must be an integer.");
    plain = mouse_decimal_parse(judge->pool, text);
    if (!plain.data || !to_integer(plain, value) ||
        (judge->dialect == MOUSE_DIALECT_SQLITE && value->kind == MOUSE_VALUE_UINT))
        return refuse(judge, "range", "The integer is too large.");
    rv = check_range(judge, plain);
    return rv == APR_SUCCESS ? check_choice(judge, plain) : rv;
}

/* MariaDB takes a longer number for the largest one it knows, without a word. */
static bool too_long(const judge_t *judge, mouse_slice_t plain)
{
    return judge->dialect == MOUSE_DIALECT_MYSQL &&
           mouse_decimal_whole_digits(plain) > MYSQL_DIGITS;
}

static apr_status_t read_decimal(const judge_t *judge, mouse_slice_t text,
                                 mouse_value_t *value)
{
    mouse_value_t integer;
    apr_status_t rv;

    value->kind = MOUSE_VALUE_DECIMAL;
    value->text = mouse_decimal_parse(judge->pool, text);
    if (!value->text.data)
        return refuse(judge, "type", "The value must be a number.");
    if (judge->dialect == MOUSE_DIALECT_SQLITE && mouse_decimal_integral(value->text) &&
        (!to_integer(value->text, &integer) || integer.kind != MOUSE_VALUE_INT))
        return refuse(judge, "range", "The integer is too large.");
    if (too_long(judge, value->text))
        return refuse(judge, "range", "The number is too large.");
    rv = check_range(judge, value->text);
    return rv == APR_SUCCESS ? check_choice(judge, value->text) : rv;
}

static apr_status_t read_string(const judge_t *judge, mouse_slice_t text,
                                mouse_value_t *value)
{
    apr_status_t rv;

    if (!mouse_utf8_valid(text.data, text.len))
        return refuse(judge, "type", "The value must be text in UTF-8.");
    value->kind = MOUSE_VALUE_STRING;
    value->text = text;
    rv = check_length(judge, mouse_utf8_length(text.data, text.len), "characters");
    if (rv == APR_SUCCESS)
        rv = check_choice(judge, text);
    if (rv == APR_SUCCESS && judge->param->pattern &&
        !mouse_pattern_matches(judge->param->pattern, text))
        return refuse(judge, "match", "The value must match /%s/.",
                      judge->param->pattern_text ? judge->param->pattern_text : "");
    return rv;
}

static apr_status_t read_bool(const judge_t *judge, mouse_slice_t text,
                              mouse_value_t *value)
{
    value->kind = MOUSE_VALUE_BOOL;
    value->i = mouse_slice_equal(text, MOUSE_SLICE("true")) ||
               mouse_slice_equal(text, MOUSE_SLICE("1"));
    if (value->i || mouse_slice_equal(text, MOUSE_SLICE("false")) ||
        mouse_slice_equal(text, MOUSE_SLICE("0")))
        return APR_SUCCESS;
    return refuse(judge, "type", "The value must be true or false.");
}

static apr_status_t read_uuid(const judge_t *judge, mouse_slice_t text,
                              mouse_value_t *value)
{
    size_t i;

    for (i = 0; i < text.len && text.len == 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        bool hex = apr_isxdigit(text.data[i]);

        if (dash ? text.data[i] != '-' : !hex)
            break;
    }
    if (i != 36)
        return refuse(judge, "type", "The value must be a UUID.");
    value->kind = MOUSE_VALUE_STRING;
    value->text = text;
    return APR_SUCCESS;
}

static bool is_base64(mouse_slice_t text)
{
    size_t padding = 0;

    if (text.len % 4 != 0)
        return false;
    while (padding < 2 && padding < text.len && text.data[text.len - 1 - padding] == '=')
        padding++;
    for (size_t i = 0; i + padding < text.len; i++) {
        if (!apr_isalnum(text.data[i]) && text.data[i] != '+' && text.data[i] != '/')
            return false;
    }
    return true;
}

static apr_status_t read_bytes(const judge_t *judge, mouse_slice_t text,
                               mouse_value_t *value)
{
    char *out;
    int len;

    if (!is_base64(text))
        return refuse(judge, "type", "The value must be base64 with its padding.");
    out = apr_palloc(judge->pool, text.len + 4);
    len = text.len > 0 ? apr_base64_decode_binary((unsigned char *)out,
                                                  mouse_slice_copy(judge->pool, text))
                       : 0;
    value->kind = MOUSE_VALUE_BYTES;
    value->text = (mouse_slice_t){out, (size_t)len};
    return check_length(judge, value->text.len, "bytes");
}

static apr_status_t read_json(const judge_t *judge, mouse_slice_t text,
                              mouse_value_t *value)
{
    if (!mouse_json_valid(text))
        return refuse(judge, "type", "The value must be a JSON text.");
    value->kind = MOUSE_VALUE_JSON;
    value->text = text;
    return APR_SUCCESS;
}

static apr_status_t read_text(const judge_t *judge, mouse_slice_t text,
                              mouse_value_t *value)
{
    switch (judge->param->type) {
    case MOUSE_TYPE_INT:
        return read_int(judge, text, value);
    case MOUSE_TYPE_NUMBER:
        return read_decimal(judge, text, value);
    case MOUSE_TYPE_BOOL:
        return read_bool(judge, text, value);
    case MOUSE_TYPE_DATE:
        value->kind = MOUSE_VALUE_DATE;
        if (mouse_calendar_date(text, &value->t))
            return APR_SUCCESS;
        return refuse(judge, "type", "The value must be a date, as 2026-01-31.");
    case MOUSE_TYPE_DATETIME:
        value->kind = MOUSE_VALUE_DATETIME;
        if (mouse_calendar_datetime(text, &value->t))
            return APR_SUCCESS;
        return refuse(judge, "type", "The value must be a time, as 2026-01-31T08:30:00Z.");
    case MOUSE_TYPE_UUID:
        return read_uuid(judge, text, value);
    case MOUSE_TYPE_JSON:
        return read_json(judge, text, value);
    case MOUSE_TYPE_BYTES:
        return read_bytes(judge, text, value);
    default:
        return read_string(judge, text, value);
    }
}

apr_status_t mouse_type_from_text(apr_pool_t *p, const mouse_param_t *param,
                                  mouse_dialect_t dialect, mouse_slice_t text,
                                  mouse_value_t *value, const char **rule,
                                  const char **detail)
{
    const judge_t judge = {p, param, dialect, rule, detail};

    return read_text(&judge, text, value);
}

/* The JSON type a declared type takes: numbers for int, both for number, strings else. */
static bool takes_node(mouse_type_t type, uint8_t node)
{
    switch (type) {
    case MOUSE_TYPE_INT:
        return node == MOUSE_JSON_NUMBER;
    case MOUSE_TYPE_NUMBER:
        return node == MOUSE_JSON_NUMBER || node == MOUSE_JSON_STRING;
    case MOUSE_TYPE_BOOL:
        return node == MOUSE_JSON_TRUE || node == MOUSE_JSON_FALSE;
    case MOUSE_TYPE_JSON:
        return true;
    default:
        return node == MOUSE_JSON_STRING;
    }
}

static const char *type_sentence(mouse_type_t type)
{
    switch (type) {
    case MOUSE_TYPE_INT:
        return "The value must be an integer.";
    case MOUSE_TYPE_NUMBER:
        return "The value must be a number.";
    case MOUSE_TYPE_BOOL:
        return "The value must be true or false.";
    default:
        return "The value must be a string.";
    }
}

apr_status_t mouse_type_from_json(apr_pool_t *p, const mouse_param_t *param,
                                  mouse_dialect_t dialect, const mouse_json_node_t *node,
                                  mouse_value_t *value, const char **rule,
                                  const char **detail)
{
    const judge_t judge = {p, param, dialect, rule, detail};

    if (!takes_node(param->type, node->type))
        return refuse(&judge, "type", "%s", type_sentence(param->type));
    if (param->type == MOUSE_TYPE_JSON) {
        value->kind = MOUSE_VALUE_JSON;
        value->text = node->text;
        if (node->type == MOUSE_JSON_STRING)
            value->text = (mouse_slice_t){node->text.data - 1, node->text.len + 2};
        return APR_SUCCESS;
    }
    if (node->type == MOUSE_JSON_STRING)
        return read_text(&judge, mouse_json_string(p, node), value);
    return read_text(&judge, node->text, value);
}
