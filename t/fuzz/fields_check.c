/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* A field that is read is written in its one spelling; read again, it is written alike. */

#include "fields_check.h"

#include <apr_strings.h>

static mouse_slice_t write_members(apr_pool_t *p, const apr_array_header_t *members)
{
    mouse_buf_t *buf = apr_palloc(p, sizeof(*buf));
    int i;

    mouse_buf_init(buf, p, 64);
    for (i = 0; i < members->nelts; i++) {
        const mouse_field_member_t *member =
            &APR_ARRAY_IDX(members, i, mouse_field_member_t);

        if (i > 0)
            mouse_buf_literal(buf, ", ");
        mouse_buf_slice(buf, member->key);
        mouse_buf_char(buf, '=');
        if (member->items)
            mouse_fields_write_list(buf, member);
        else
            mouse_fields_write_item(buf, &member->item);
    }
    return (mouse_slice_t){buf->data, buf->len};
}

static bool is_ascii(mouse_slice_t text)
{
    size_t i;

    for (i = 0; i < text.len; i++) {
        if (text.data[i] < ' ' || text.data[i] > '~')
            return false;
    }
    return true;
}

const char *fields_check(apr_pool_t *p, mouse_slice_t text)
{
    const apr_array_header_t *members, *again;
    mouse_slice_t first, second;
    const char *why = mouse_fields_read(p, text, &members);

    if (why)
        return *why ? NULL : "refused without a reason";
    first = write_members(p, members);
    if (!is_ascii(first))
        return "written with bytes that no field may have";
    why = mouse_fields_read(p, first, &again);
    if (why)
        return apr_psprintf(p, "what was written is refused: %s: %.*s", why, (int)first.len,
                            first.data);
    second = write_members(p, again);
    if (!mouse_slice_equal(first, second))
        return apr_psprintf(p, "written as %.*s, then as %.*s", (int)first.len, first.data,
                            (int)second.len, second.data);
    return NULL;
}
