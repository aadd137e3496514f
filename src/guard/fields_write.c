/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Structured fields as they are written (RFC 9651, 4.1), and looked up by their keys. */

#include "guard/fields_int.h"

#include <apr_strings.h>
#include <nettle/base64.h>

const mouse_field_member_t *mouse_fields_member(const apr_array_header_t *members,
                                                const char *key)
{
    for (int i = 0; i < members->nelts; i++) {
        const mouse_field_member_t *member =
            &APR_ARRAY_IDX(members, i, mouse_field_member_t);

        if (mouse_slice_equal(member->key, mouse_slice_of(key)))
            return member;
    }
    return NULL;
}

const mouse_field_value_t *mouse_fields_param(const mouse_field_item_t *item,
                                              const char *key)
{
    for (int i = 0; i < item->params->nelts; i++) {
        const mouse_field_param_t *param =
            &APR_ARRAY_IDX(item->params, i, mouse_field_param_t);

        if (mouse_slice_equal(param->key, mouse_slice_of(key)))
            return &param->value;
    }
    return NULL;
}

static void write_number(mouse_buf_t *buf, int64_t number)
{
    char text[24] = "";
    int len = apr_snprintf(text, sizeof(text), "%" APR_INT64_T_FMT, number);

    mouse_buf_append(buf, text, (size_t)len);
}

/* Thousandths: "-0.5", "1.0", "2.125". */
static void write_decimal(mouse_buf_t *buf, int64_t number)
{
    int64_t size = number < 0 ? -number : number;
    char text[24];
    int len = apr_snprintf(text, sizeof(text), "%s%" APR_INT64_T_FMT ".%03d",
                           number < 0 ? "-" : "", size / 1000, (int)(size % 1000));

    while (text[len - 1] == '0' && text[len - 2] != '.')
        len--;
    mouse_buf_append(buf, text, (size_t)len);
}

static void write_string(mouse_buf_t *buf, mouse_slice_t text)
{
    mouse_buf_char(buf, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '"' || text.data[i] == '\\')
            mouse_buf_char(buf, '\\');
        mouse_buf_char(buf, text.data[i]);
    }
    mouse_buf_char(buf, '"');
}

static void write_bytes(mouse_buf_t *buf, mouse_slice_t bytes)
{
    size_t len = BASE64_ENCODE_RAW_LENGTH(bytes.len);

    mouse_buf_char(buf, ':');
    base64_encode_raw(mouse_buf_reserve(buf, len), bytes.len, (const uint8_t *)bytes.data);
    buf->len += len;
    mouse_buf_char(buf, ':');
}

static void write_display(mouse_buf_t *buf, mouse_slice_t text)
{
    static const char digits[] = "0123456789abcdef";

    mouse_buf_literal(buf, "%\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];

        if (c >= ' ' && c <= '~' && c != '%' && c != '"') {
            mouse_buf_char(buf, (char)c);
            continue;
        }
        mouse_buf_char(buf, '%');
        mouse_buf_char(buf, digits[c >> 4]);
        mouse_buf_char(buf, digits[c & 15]);
    }
    mouse_buf_char(buf, '"');
}

static void write_value(mouse_buf_t *buf, const mouse_field_value_t *value)
{
    switch (value->kind) {
    case MOUSE_FIELD_DATE:
        mouse_buf_char(buf, '@');
        write_number(buf, value->number);
        break;
    case MOUSE_FIELD_INTEGER:
        write_number(buf, value->number);
        break;
    case MOUSE_FIELD_DECIMAL:
        write_decimal(buf, value->number);
        break;
    case MOUSE_FIELD_STRING:
        write_string(buf, value->text);
        break;
    case MOUSE_FIELD_TOKEN:
        mouse_buf_slice(buf, value->text);
        break;
    case MOUSE_FIELD_BYTES:
        write_bytes(buf, value->text);
        break;
    case MOUSE_FIELD_BOOLEAN:
        mouse_buf_append(buf, value->number ? "?1" : "?0", 2);
        break;
    case MOUSE_FIELD_DISPLAY:
        write_display(buf, value->text);
        break;
    }
}

static void write_params(mouse_buf_t *buf, const apr_array_header_t *params)
{
    for (int i = 0; i < params->nelts; i++) {
        const mouse_field_param_t *param = &APR_ARRAY_IDX(params, i, mouse_field_param_t);

        mouse_buf_char(buf, ';');
        mouse_buf_slice(buf, param->key);
        if (param->value.kind == MOUSE_FIELD_BOOLEAN && param->value.number)
            continue;
        mouse_buf_char(buf, '=');
        write_value(buf, &param->value);
    }
}

void mouse_fields_write_item(mouse_buf_t *buf, const mouse_field_item_t *item)
{
    write_value(buf, &item->value);
    write_params(buf, item->params);
}

void mouse_fields_write_list(mouse_buf_t *buf, const mouse_field_member_t *list)
{
    mouse_buf_char(buf, '(');
    for (int i = 0; i < list->items->nelts; i++) {
        if (i > 0)
            mouse_buf_char(buf, ' ');
        mouse_fields_write_item(buf, &APR_ARRAY_IDX(list->items, i, mouse_field_item_t));
    }
    mouse_buf_char(buf, ')');
    write_params(buf, list->item.params);
}
