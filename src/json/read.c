/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Reading scanned nodes: decoded strings and keys, members by name. */

#include "json/json_int.h"

static char *put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* The code point of an escape whose 'u' is at *at; moves *at behind it. */
static unsigned read_unicode(const char **at, const char *end)
{
    unsigned code = (unsigned)mouse_json_hex4(*at + 1, end);

    *at += 5;
    if (code >= 0xD800 && code <= 0xDBFF) {
        code = 0x10000 + ((code - 0xD800) << 10) +
               ((unsigned)mouse_json_hex4(*at + 2, end) - 0xDC00);
        *at += 6;
    }
    return code;
}

static char decode_short(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}

/* Unescapes what the scanner has found valid. */
static mouse_slice_t decode(apr_pool_t *p, mouse_slice_t text)
{
    const char *at = text.data, *end = text.data + text.len;
    char *start = apr_palloc(p, text.len + 1), *out = start;

    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        at++;
        if (*at == 'u')
            out = put_utf8(out, read_unicode(&at, end));
        else
            *out++ = decode_short(*at++);
    }
    *out = '\0';
    return (mouse_slice_t){start, (size_t)(out - start)};
}

mouse_slice_t mouse_json_string(apr_pool_t *p, const mouse_json_node_t *node)
{
    return node->escaped ? decode(p, node->text) : node->text;
}

mouse_slice_t mouse_json_key(apr_pool_t *p, const mouse_json_node_t *node)
{
    return node->key_escaped ? decode(p, node->key) : node->key;
}

const mouse_json_node_t *mouse_json_find(apr_pool_t *p, const mouse_json_node_t *object,
                                         mouse_slice_t name)
{
    if (object->type != MOUSE_JSON_OBJECT)
        return NULL;
    for (MOUSE_JSON_EACH (member, object)) {
        if (mouse_slice_equal(mouse_json_key(p, member), name))
            return member;
    }
    return NULL;
}
