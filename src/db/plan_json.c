/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Rows as JSON (RFC 8259). */

#include "db/plan_int.h"

#include "json/mouse_json.h"

static void put_quoted(mouse_buf_t *buf, mouse_slice_t plain)
{
    char *out = mouse_buf_reserve(buf, plain.len + 2);

    out[0] = '"';
    memcpy(out + 1, plain.data, plain.len);
    out[plain.len + 1] = '"';
    buf->len += plain.len + 2;
}

static void put_cell(mouse_buf_t *buf, const mouse_cell_t *cell)
{
    switch (cell->form) {
    case MOUSE_CELL_NULL:
        mouse_buf_literal(buf, "null");
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
    case MOUSE_CELL_PLAIN:
        put_quoted(buf, cell->text);
        break;
    case MOUSE_CELL_TEXT:
        mouse_json_put_string(buf, cell->text.data, cell->text.len);
        break;
    case MOUSE_CELL_BYTES:
        mouse_json_put_base64(buf, cell->text.data, cell->text.len);
        break;
    case MOUSE_CELL_BARE:
    case MOUSE_CELL_JSON:
        mouse_buf_slice(buf, cell->text);
        break;
    }
}

apr_status_t mouse_plan_put_object(const mouse_plan_t *plan, const mouse_value_t *row,
                                   mouse_buf_t *buf, apr_pool_t *p, mouse_error_t **err)
{
    mouse_cell_t cell;

    if (plan->visible == 0)
        mouse_buf_char(buf, '{');
    for (int i = 0; i < plan->visible; i++) {
        apr_status_t rv = mouse_cell_read(&plan->columns[i], row, &cell, p, err);

        if (rv != APR_SUCCESS)
            return rv;
        mouse_buf_slice(buf, plan->columns[i].prefix);
        put_cell(buf, &cell);
    }
    mouse_buf_char(buf, '}');
    return APR_SUCCESS;
}

apr_status_t mouse_plan_put_value(const mouse_plan_t *plan, const mouse_value_t *row,
                                  mouse_buf_t *buf, apr_pool_t *p, mouse_error_t **err)
{
    mouse_cell_t cell;
    apr_status_t rv;

    if (plan->visible == 0)
        return mouse_error_set(err, p, MOUSE_E_COLUMN,
                               "There is no column to answer with.");
    rv = mouse_cell_read(&plan->columns[0], row, &cell, p, err);
    if (rv == APR_SUCCESS)
        put_cell(buf, &cell);
    return rv;
}
