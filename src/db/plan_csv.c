/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Rows as CSV (RFC 4180): lines end with CRLF, NULL is an empty field and the empty text is
 * `""`, so that the two stay apart; JSON is a quoted text.
 */

#include "db/plan_int.h"

#include "json/mouse_json.h"

static bool is_special(char c)
{
    return c == '"' || c == ',' || c == '\r' || c == '\n';
}

static bool needs_quotes(mouse_slice_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_special(text.data[i]))
            return true;
    }
    return text.len == 0;
}

/* The text with what is not UTF-8 as U+FFFD, and quotes doubled when asked. */
static void put_text(mouse_buf_t *buf, mouse_slice_t text, bool doubled)
{
    size_t at = 0, start = 0, bad, len;

    while (at < text.len) {
        len = mouse_utf8_sequence(text.data + at, text.len - at, &bad);
        if (len > 0 && !(doubled && text.data[at] == '"')) {
            at += len;
            continue;
        }
        mouse_buf_append(buf, text.data + start, at - start);
        if (len > 0)
            mouse_buf_literal(buf, "\"\"");
        else
            mouse_buf_literal(buf, "\xEF\xBF\xBD");
        at += len > 0 ? len : bad;
        start = at;
    }
    mouse_buf_append(buf, text.data + start, at - start);
}

static void put_field(mouse_buf_t *buf, mouse_slice_t text, bool quoted)
{
    if (quoted)
        mouse_buf_char(buf, '"');
    put_text(buf, text, quoted);
    if (quoted)
        mouse_buf_char(buf, '"');
}

static void put_cell(mouse_buf_t *buf, const mouse_cell_t *cell)
{
    switch (cell->form) {
    case MOUSE_CELL_NULL:
        break;
    case MOUSE_CELL_INT:
        mouse_json_put_int(buf, cell->i);
        break;
    case MOUSE_CELL_UINT:
        mouse_json_put_uint(buf, cell->u);
        break;
    case MOUSE_CELL_FLOAT:
        mouse_json_put_float(buf, (float)cell->d);
        break;
    case MOUSE_CELL_DOUBLE:
        mouse_json_put_double(buf, cell->d);
        break;
    case MOUSE_CELL_BARE:
    case MOUSE_CELL_PLAIN:
        mouse_buf_slice(buf, cell->text);
        break;
    case MOUSE_CELL_TEXT:
        put_field(buf, cell->text, needs_quotes(cell->text));
        break;
    case MOUSE_CELL_BYTES: /* quoted as JSON has it: base64 holds no quotes */
        mouse_json_put_base64(buf, cell->text.data, cell->text.len);
        break;
    case MOUSE_CELL_JSON:
        put_field(buf, cell->text, true);
        break;
    }
}

void mouse_plan_put_csv_header(const mouse_plan_t *plan, mouse_buf_t *buf)
{
    for (int i = 0; i < plan->visible; i++) {
        mouse_slice_t name = plan->columns[i].name;

        if (i > 0)
            mouse_buf_char(buf, ',');
        put_field(buf, name, needs_quotes(name));
    }
    mouse_buf_literal(buf, "\r\n");
}

apr_status_t mouse_plan_put_csv(const mouse_plan_t *plan, const mouse_value_t *row,
                                mouse_buf_t *buf, apr_pool_t *p, mouse_error_t **err)
{
    mouse_cell_t cell;

    for (int i = 0; i < plan->visible; i++) {
        apr_status_t rv = mouse_cell_read(&plan->columns[i], row, &cell, p, err);

        if (rv != APR_SUCCESS)
            return rv;
        if (i > 0)
            mouse_buf_char(buf, ',');
        put_cell(buf, &cell);
    }
    mouse_buf_literal(buf, "\r\n");
    return APR_SUCCESS;
}
