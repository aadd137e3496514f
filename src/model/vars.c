/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What `{name}` in a header or cookie template stands for: a column of the answer's row, a
 * parameter, a server value, a parameter of the path that only a guard reads, a row kept by
 * `as` or as a member, or a value of the context.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* The row of the statement whose columns have bare names, or NULL. */
static const mouse_kept_t *answer_row(const mouse_run_t *run)
{
    const mouse_model_t *model = run->model;

    if (model->kind != MOUSE_KIND_ONE || model->answering < 0)
        return NULL;
    return &run->kept[model->answering];
}

static apr_status_t find_bare(const mouse_run_t *run, const char *name,
                              mouse_value_t *value)
{
    const mouse_model_t *model = run->model;
    const mouse_kept_t *row = answer_row(run);

    for (int i = 0; row && i < row->count; i++) {
        if (strcmp(row->names[i], name) == 0) {
            *value = row->values[i];
            return APR_SUCCESS;
        }
    }
    for (int i = 0; i < model->param_count; i++) {
        if (strcmp(model->params[i].name, name) == 0 && !model->params[i].is_array) {
            *value = run->binding->params[i];
            return APR_SUCCESS;
        }
    }
    for (int i = 0; i < model->let_count; i++) {
        if (strcmp(model->lets[i].name, name) == 0) {
            *value = run->binding->lets[i];
            return APR_SUCCESS;
        }
    }
    if (!mouse_request_path(run->req, name, &value->text))
        return APR_NOTFOUND;
    value->kind = MOUSE_VALUE_STRING;
    return APR_SUCCESS;
}

static bool names_row(const mouse_sql_t *sql, const char *word)
{
    return (sql->as && strcmp(sql->as, word) == 0) ||
           (sql->member && sql->member_kind == MOUSE_ANSWER_ONE &&
            strcmp(sql->member, word) == 0);
}

static apr_status_t find_dotted(mouse_run_t *run, const char *word, const char *field,
                                mouse_value_t *value, mouse_error_t **err)
{
    for (int i = 0; i < run->model->sql_count; i++) {
        if (names_row(&run->model->sqls[i], word))
            return mouse_kept_value(&run->kept[i], field, value);
    }
    return mouse_request_value(run->req, word, field, value, err);
}

static apr_status_t find_value(void *baton, const char *name, mouse_value_t *value,
                               mouse_error_t **err)
{
    mouse_run_t *run = baton;
    const char *dot = strchr(name, '.');

    *value = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (!dot)
        return find_bare(run, name, value);
    return find_dotted(run, apr_pstrmemdup(run->pool, name, (size_t)(dot - name)), dot + 1,
                       value, err);
}

apr_status_t mouse_vars_headers(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_shape_t *shape = run->shape;
    apr_pool_t *p = run->req->pool;
    const char *text;
    apr_status_t rv;

    run->answer->headers =
        apr_table_make(p, shape->header_count > 0 ? shape->header_count : 1);
    for (int i = 0; i < shape->header_count; i++) {
        rv = mouse_template_expand(p, shape->headers[i].value, find_value, run, &text, err);
        if (rv != APR_SUCCESS)
            return rv;
        if (text)
            apr_table_addn(run->answer->headers, shape->headers[i].name, text);
    }
    return APR_SUCCESS;
}
