/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Which types of columns can be promised. A column that MariaDB computes from a request's
 * values has one type while they are unknown and may have another in a run: its statement
 * is prepared once more with literals, and what differs is left open. SQLite names types of
 * tables' columns only.
 */

#include "model/schema_int.h"

#include <apr_strings.h>

#include "model/run_int.h"

static bool takes_values(const mouse_sql_t *sql)
{
    for (int i = 0; i < sql->piece_count; i++) {
        if (sql->pieces[i].has_ref && sql->pieces[i].ref.kind != MOUSE_REF_ORDER)
            return true;
    }
    return false;
}

static void open_type(mouse_column_t *column, const mouse_column_t *other)
{
    if (!other || column->type != other->type || column->scale != other->scale)
        column->type = MOUSE_COLUMN_DYNAMIC;
}

static void compare(mouse_column_t *columns, int count, mouse_conn_t *conn,
                    mouse_slice_t text)
{
    mouse_stmt_t *stmt = NULL;
    const mouse_column_t *others = NULL;
    int other_count = 0;

    /* The key is none that a run could have. */
    if (mouse_stmt_prepare(conn, columns, 0, text, &stmt) == APR_SUCCESS)
        others = mouse_stmt_columns(stmt, &other_count);
    for (int i = 0; i < count; i++)
        open_type(&columns[i], i < other_count ? &others[i] : NULL);
    if (stmt)
        mouse_stmt_drop(stmt);
}

const mouse_column_t *mouse_schema_columns(apr_pool_t *p, const mouse_model_t *model,
                                           const mouse_sql_t *sql, mouse_conn_t *conn,
                                           const mouse_stmt_t *stmt, int *count)
{
    const mouse_column_t *columns = mouse_stmt_columns(stmt, count);
    mouse_column_t *copy;

    if (*count == 0 || model->dialect != MOUSE_DIALECT_MYSQL || !takes_values(sql))
        return columns;
    copy = apr_pmemdup(p, columns, sizeof(*copy) * (size_t)*count);
    compare(copy, *count, conn, mouse_sqltext_literal(p, model, sql, "1"));
    compare(copy, *count, conn, mouse_sqltext_literal(p, model, sql, "'x'"));
    return copy;
}
