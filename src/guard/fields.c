/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The parser of structured fields (RFC 9651, 4.2), dictionaries alone. Whatever the grammar
 * does not allow is refused, and so is a key that comes twice, of which the RFC takes the
 * last: what is signed must have one meaning. Nothing recurses.
 */

#include "guard/fields_int.h"

#include <nettle/base64.h>

typedef struct scan_t {
    apr_pool_t *p;
    const char *at, *end;
    char *room;      /* for decoded strings, which are never longer than they are written */
    const char *why; /* what is wrong */
} scan_t;

static bool fail(scan_t *scan, const char *why)
{
    scan->why = why;
    return false;
}

/* The next byte, or -1. */
static int peek(const scan_t *scan)
{
    return scan->at < scan->end ? (unsigned char)*scan->at : -1;
}

static bool take(scan_t *scan, char c)
{
    if (peek(scan) != c)
        return false;
    scan->at++;
    return true;
}

static void skip_spaces(scan_t *scan)
{
    while (take(scan, ' '))
        ;
}

/* OWS of RFC 9110. */
static void skip_blanks(scan_t *scan)
{
    while (take(scan, ' ') || take(scan, '\t'))
        ;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_alpha(int c)
{
    return is_lower(c) || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(int c, const char *set)
{
    return c > 0 && strchr(set, c);
}

static bool read_key(scan_t *scan, mouse_slice_t *key)
{
    const char *start = scan->at;

    if (!is_lower(peek(scan)) && peek(scan) != '*')
        return fail(scan, "a key begins with a lower-case letter or '*'");
    while (is_lower(peek(scan)) || is_digit(peek(scan)) || is_one_of(peek(scan), "_-.*"))
        scan->at++;
    *key = (mouse_slice_t){start, (size_t)(scan->at - start)};
    return true;
}

/* Up to `most` digits; how many there were, or -1 for too many. */
static int read_digits(scan_t *scan, int most, int64_t *number)
{
    int count = 0;

    for (; is_digit(peek(scan)); scan->at++, count++) {
        if (count == most)
            return -1;
        *number = *number * 10 + (peek(scan) - '0');
    }
    return count;
}

static bool read_fraction(scan_t *scan, int digits, mouse_field_value_t *value)
{
    int count;

    if (digits > 12)
        return fail(scan, "a decimal has too many digits");
    count = read_digits(scan, 3, &value->number);
    if (count < 1)
        return fail(scan, "a decimal has one to three digits behind its point");
    for (; count < 3; count++)
        value->number *= 10;
    value->kind = MOUSE_FIELD_DECIMAL;
    return true;
}

static bool read_number(scan_t *scan, mouse_field_value_t *value)
{
    bool negative = take(scan, '-');
    int digits = read_digits(scan, 15, &value->number);

    if (digits < 1)
        return fail(scan, digits < 0 ? "a number has too many digits" : "a number is none");
    value->kind = MOUSE_FIELD_INTEGER;
    if (take(scan, '.') && !read_fraction(scan, digits, value))
        return false;
    if (negative)
        value->number = -value->number;
    return true;
}

static bool read_date(scan_t *scan, mouse_field_value_t *value)
{
    scan->at++;
    if (!read_number(scan, value))
        return false;
    if (value->kind != MOUSE_FIELD_INTEGER)
        return fail(scan, "a date is a whole number");
    value->kind = MOUSE_FIELD_DATE;
    return true;
}

static bool read_string(scan_t *scan, mouse_field_value_t *value)
{
    char *out = scan->room;
    size_t len = 0;

    scan->at++;
    for (; peek(scan) != '"'; scan->at++) {
        if (take(scan, '\\') && peek(scan) != '"' && peek(scan) != '\\')
            return fail(scan, "a string has a backslash before what needs none");
        if (peek(scan) < ' ' || peek(scan) > '~')
            return fail(scan, peek(scan) < 0 ? "a string does not end"
                                             : "a string has a character beyond ASCII's");
        out[len++] = *scan->at;
    }
    scan->at++;
    scan->room += len;
    *value = (mouse_field_value_t){.kind = MOUSE_FIELD_STRING, .text = {out, len}};
    return true;
}

/* Two lower-case digits behind '%', or -1. */
static int read_octet(scan_t *scan)
{
    int high, low;

    if (scan->end - scan->at < 2 || is_one_of(scan->at[0], "ABCDEF") ||
        is_one_of(scan->at[1], "ABCDEF"))
        return -1;
    high = mouse_hex_digit(scan->at[0]);
    low = mouse_hex_digit(scan->at[1]);
    scan->at += 2;
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static bool read_display(scan_t *scan, mouse_field_value_t *value)
{
    char *out = scan->room;
    size_t len = 0;

    scan->at++;
    if (!take(scan, '"'))
        return fail(scan, "'%' begins a display string, but no quote follows");
    while (peek(scan) != '"') {
        int c = peek(scan);

        if (c < ' ' || c > '~')
            return fail(scan, "a display string does not end, or is not ASCII");
        scan->at++;
        c = c == '%' ? read_octet(scan) : c;
        if (c < 0)
            return fail(scan, "a display string has a '%' without two digits");
        out[len++] = (char)c;
    }
    scan->at++;
    scan->room += len;
    if (!mouse_utf8_valid(out, len))
        return fail(scan, "a display string is not UTF-8");
    *value = (mouse_field_value_t){.kind = MOUSE_FIELD_DISPLAY, .text = {out, len}};
    return true;
}

static bool read_token(scan_t *scan, mouse_field_value_t *value)
{
    const char *start = scan->at;

    while (is_alpha(peek(scan)) || is_digit(peek(scan)) ||
           is_one_of(peek(scan), "!#$%&'*+-.^_`|~:/"))
        scan->at++;
    *value = (mouse_field_value_t){.kind = MOUSE_FIELD_TOKEN,
                                   .text = {start, (size_t)(scan->at - start)}};
    return true;
}

bool mouse_fields_base64(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *bytes)
{
    size_t i, len = BASE64_DECODE_LENGTH(text.len);
    uint8_t *out = apr_palloc(p, len + 1);
    struct base64_decode_ctx ctx;

    /* Nettle skips white space. */
    for (i = 0; i < text.len; i++) {
        if (!is_alpha(text.data[i]) && !is_digit(text.data[i]) &&
            !is_one_of(text.data[i], "+/="))
            return false;
    }
    base64_decode_init(&ctx);
    if (!base64_decode_update(&ctx, &len, out, text.len, text.data) ||
        !base64_decode_final(&ctx))
        return false;
    *bytes = (mouse_slice_t){(const char *)out, len};
    return true;
}

static bool read_bytes(scan_t *scan, mouse_field_value_t *value)
{
    const char *start = ++scan->at;

    while (peek(scan) >= 0 && peek(scan) != ':')
        scan->at++;
    value->kind = MOUSE_FIELD_BYTES;
    if (peek(scan) < 0 ||
        !mouse_fields_base64(scan->p, (mouse_slice_t){start, (size_t)(scan->at - start)},
                             &value->text))
        return fail(scan, "a byte sequence is no base64 between colons");
    scan->at++;
    return true;
}

static bool read_boolean(scan_t *scan, mouse_field_value_t *value)
{
    scan->at++;
    value->kind = MOUSE_FIELD_BOOLEAN;
    value->number = peek(scan) == '1';
    return take(scan, '0') || take(scan, '1') || fail(scan, "a boolean is ?0 or ?1");
}

static bool read_value(scan_t *scan, mouse_field_value_t *value)
{
    int c = peek(scan);

    *value = (mouse_field_value_t){.kind = MOUSE_FIELD_BOOLEAN};
    if (is_digit(c) || c == '-')
        return read_number(scan, value);
    if (is_alpha(c) || c == '*')
        return read_token(scan, value);
    switch (c) {
    case '"':
        return read_string(scan, value);
    case ':':
        return read_bytes(scan, value);
    case '?':
        return read_boolean(scan, value);
    case '@':
        return read_date(scan, value);
    case '%':
        return read_display(scan, value);
    default:
        return fail(scan, "there is no value where one must be");
    }
}

static bool read_param(scan_t *scan, apr_array_header_t *params)
{
    mouse_field_param_t param = {.value = {.kind = MOUSE_FIELD_BOOLEAN, .number = 1}};

    skip_spaces(scan);
    if (!read_key(scan, &param.key))
        return false;
    if (take(scan, '=') && !read_value(scan, &param.value))
        return false;
    for (int i = 0; i < params->nelts; i++) {
        if (mouse_slice_equal(APR_ARRAY_IDX(params, i, mouse_field_param_t).key, param.key))
            return fail(scan, "a parameter comes twice");
    }
    if (params->nelts == MOUSE_FIELDS_MOST)
        return fail(scan, "there are too many parameters");
    APR_ARRAY_PUSH(params, mouse_field_param_t) = param;
    return true;
}

static bool read_params(scan_t *scan, mouse_field_item_t *item)
{
    apr_array_header_t *params = apr_array_make(scan->p, 0, sizeof(mouse_field_param_t));

    item->params = params;
    while (take(scan, ';')) {
        if (!read_param(scan, params))
            return false;
    }
    return true;
}

static bool read_item(scan_t *scan, mouse_field_item_t *item)
{
    return read_value(scan, &item->value) && read_params(scan, item);
}

static bool read_list(scan_t *scan, mouse_field_member_t *member)
{
    mouse_field_item_t item;

    member->items = apr_array_make(scan->p, 4, sizeof(mouse_field_item_t));
    for (skip_spaces(scan); !take(scan, ')'); skip_spaces(scan)) {
        if (!read_item(scan, &item))
            return false;
        if (peek(scan) != ' ' && peek(scan) != ')')
            return fail(scan, "the items of a list are not divided by spaces");
        if (member->items->nelts == MOUSE_FIELDS_MOST)
            return fail(scan, "there are too many items in a list");
        APR_ARRAY_PUSH(member->items, mouse_field_item_t) = item;
    }
    return read_params(scan, &member->item);
}

static bool find_key(const apr_array_header_t *members, mouse_slice_t key)
{
    for (int i = 0; i < members->nelts; i++) {
        if (mouse_slice_equal(APR_ARRAY_IDX(members, i, mouse_field_member_t).key, key))
            return true;
    }
    return false;
}

static bool read_member(scan_t *scan, apr_array_header_t *members)
{
    mouse_field_member_t member = {.items = NULL};

    if (!read_key(scan, &member.key))
        return false;
    if (find_key(members, member.key))
        return fail(scan, "a key comes twice");
    if (members->nelts == MOUSE_FIELDS_MOST)
        return fail(scan, "there are too many members");
    member.item.value = (mouse_field_value_t){.kind = MOUSE_FIELD_BOOLEAN, .number = 1};
    if (!take(scan, '=')) {
        if (!read_params(scan, &member.item))
            return false;
    } else if (take(scan, '(') ? !read_list(scan, &member)
                               : !read_item(scan, &member.item)) {
        return false;
    }
    APR_ARRAY_PUSH(members, mouse_field_member_t) = member;
    return true;
}

static bool read_members(scan_t *scan, apr_array_header_t *members)
{
    skip_spaces(scan);
    while (scan->at < scan->end) {
        if (!read_member(scan, members))
            return false;
        skip_blanks(scan);
        if (scan->at == scan->end)
            return true;
        if (!take(scan, ','))
            return fail(scan, "there is something behind a value");
        skip_blanks(scan);
        if (scan->at == scan->end)
            return fail(scan, "there is a comma behind the last member");
    }
    return true;
}

const char *mouse_fields_read(apr_pool_t *p, mouse_slice_t text,
                              const apr_array_header_t **members)
{
    scan_t scan = {.p = p,
                   .at = text.data,
                   .end = text.data + text.len,
                   .room = apr_palloc(p, text.len + 1)};
    apr_array_header_t *made = apr_array_make(p, 2, sizeof(mouse_field_member_t));

    *members = made;
    return read_members(&scan, made) ? NULL : scan.why;
}
