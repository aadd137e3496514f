/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What the database means to do for each statement of a model (httpd -t -D MOUSE_EXPLAIN):
 * the text that it gets, and its own EXPLAIN of it, with made-up values of the declared
 * types. Nothing is run: what writes is explained where EXPLAIN is known not to.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* A key of the connection's statements that no model's statement has. */
static const char explain_key;

static mouse_value_t make_up(const mouse_param_t *param)
{
    mouse_value_t value = {.kind = MOUSE_VALUE_STRING};

    switch (param ? param->type : MOUSE_TYPE_STRING) {
    case MOUSE_TYPE_INT:
    case MOUSE_TYPE_NUMBER:
    case MOUSE_TYPE_BOOL:
        value.kind = MOUSE_VALUE_INT;
        value.i = 1;
        break;
    case MOUSE_TYPE_DATE:
    case MOUSE_TYPE_DATETIME:
        value.text = MOUSE_SLICE("2000-01-01");
        break;
    default:
        value.text = MOUSE_SLICE("1");
    }
    return value;
}

static const mouse_param_t *param_of(const mouse_model_t *model, const mouse_ref_t *ref)
{
    switch (ref->kind) {
    case MOUSE_REF_PARAM:
    case MOUSE_REF_LIST:
    case MOUSE_REF_ELEMENT:
        return &model->params[ref->index];
    case MOUSE_REF_FIELD:
        return &model->params[ref->index].fields[ref->field];
    default:
        return NULL;
    }
}

static mouse_value_t *make_up_all(apr_pool_t *p, const mouse_model_t *model,
                                  const mouse_sql_t *sql, int count)
{
    mouse_value_t *values = apr_pcalloc(p, sizeof(*values) * (size_t)(count + 1));
    int n = 0;

    for (int i = 0; i < sql->piece_count && n < count; i++) {
        const mouse_ref_t *ref = &sql->pieces[i].ref;

        if (!sql->pieces[i].has_ref || ref->kind == MOUSE_REF_ORDER)
            continue;
        values[n] = make_up(param_of(model, ref));
        if (ref->kind == MOUSE_REF_GIVEN || ref->kind == MOUSE_REF_AS)
            values[n] = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = 1};
        n++;
    }
    return values;
}

/* "table=todos type=ALL rows=3": what is not NULL; of SQLite the detail alone. */
static const char *row_text(apr_pool_t *p, const mouse_stmt_t *stmt,
                            const mouse_value_t *row, bool detail)
{
    const char *line = "";
    int count;
    const mouse_column_t *columns = mouse_stmt_columns(stmt, &count);

    if (detail)
        return count > 0 ? mouse_slice_copy(p, mouse_value_text(p, &row[count - 1])) : "";
    for (int i = 0; i < count; i++) {
        mouse_slice_t text = mouse_value_text(p, &row[i]);

        if (text.data)
            line =
                apr_pstrcat(p, line, *line ? " " : "", mouse_slice_copy(p, columns[i].name),
                            "=", mouse_slice_copy(p, text), NULL);
    }
    return line;
}

static apr_array_header_t *read_plan(apr_pool_t *p, mouse_stmt_t *stmt, bool detail)
{
    apr_array_header_t *plan = apr_array_make(p, 4, sizeof(const char *));
    const mouse_value_t *row;

    while (mouse_stmt_next(stmt, &row) == APR_SUCCESS)
        APR_ARRAY_PUSH(plan, const char *) = row_text(p, stmt, row, detail);
    return mouse_stmt_finish(stmt) == APR_SUCCESS ? plan : NULL;
}

static apr_array_header_t *ask(apr_pool_t *p, const mouse_model_t *model,
                               const mouse_sql_t *sql, mouse_conn_t *conn,
                               mouse_slice_t text)
{
    bool sqlite = mouse_conn_dialect(conn) == MOUSE_DIALECT_SQLITE;
    const char *question = apr_pstrcat(p, sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ",
                                       apr_pstrmemdup(p, text.data, text.len), NULL);
    apr_array_header_t *plan = NULL;
    mouse_stmt_t *stmt;
    int count;

    if (mouse_stmt_prepare(conn, &explain_key, 0,
                           (mouse_slice_t){question, strlen(question)},
                           &stmt) != APR_SUCCESS)
        return NULL;
    count = mouse_stmt_parameters(stmt);
    if (mouse_stmt_run(stmt, make_up_all(p, model, sql, count), count) == APR_SUCCESS)
        plan = read_plan(p, stmt, sqlite);
    mouse_stmt_drop(stmt);
    return plan;
}

/* MariaDB evaluates parts of some writes to explain them; SQLite never does. */
static bool may_ask(const mouse_sql_t *sql, mouse_conn_t *conn)
{
    return sql->verb == MOUSE_VERB_SELECT ||
           (mouse_conn_dialect(conn) == MOUSE_DIALECT_SQLITE &&
            (sql->verb == MOUSE_VERB_INSERT || sql->verb == MOUSE_VERB_UPDATE ||
             sql->verb == MOUSE_VERB_DELETE));
}

void mouse_model_explain(apr_pool_t *p, const mouse_model_t *model, mouse_conn_t *conn,
                         mouse_explained_fn visit, void *baton)
{
    mouse_binding_t binding = {
        .choices = apr_pcalloc(p, sizeof(int) * (size_t)(model->order_count + 1)),
        .lists = apr_pcalloc(p, sizeof(*binding.lists) * (size_t)(model->param_count + 1))};

    for (int i = 0; i < model->param_count; i++)
        binding.lists[i].count = 1;
    for (int i = 0; i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];
        mouse_slice_t text = mouse_sqltext_build(p, model, sql, &binding);

        visit(baton, sql->line, apr_pstrmemdup(p, text.data, text.len),
              conn && may_ask(sql, conn) ? ask(p, model, sql, conn, text) : NULL);
    }
}
