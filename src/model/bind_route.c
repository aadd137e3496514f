/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A model tied to a route: names that only the path gives become parameters, and every
 * parameter learns where its value comes from.
 */
#include "model/parse_int.h"

#include <apr_strings.h>

typedef struct binder_t {
    apr_pool_t *p;
    mouse_model_t *model; /* the copy */
    const char *const *names, *const *types;
    int count;
    bool body_method;
    bool *used;
    apr_array_header_t *params; /* of mouse_param_t */
    mouse_error_t **err;
} binder_t;

static apr_status_t fail(const binder_t *binder, int line, int column, const char *format,
                         const char *name)
{
    return mouse_error_at(binder->err, binder->p, binder->model->file, line, column, format,
                          name);
}

static int find_path(const binder_t *binder, const char *name)
{
    for (int i = 0; i < binder->count; i++) {
        if (strcmp(binder->names[i], name) == 0)
            return i;
    }
    return -1;
}

static mouse_type_t path_type(const binder_t *binder, int at)
{
    const char *type = binder->types ? binder->types[at] : NULL;

    if (type && strcmp(type, "int") == 0)
        return MOUSE_TYPE_INT;
    if (type && strcmp(type, "uuid") == 0)
        return MOUSE_TYPE_UUID;
    if (type && strcmp(type, "date") == 0)
        return MOUSE_TYPE_DATE;
    return MOUSE_TYPE_STRING;
}

/* ---- sources ---- */

static apr_status_t settle_path(const binder_t *binder, mouse_param_t *param, int at)
{
    if (param->is_array || param->order >= 0 ||
        (param->source != MOUSE_FROM_ANY && param->source != MOUSE_FROM_PATH))
        return fail(
            binder, param->line, param->column,
            "the route's path gives '%s', which is declared to come from elsewhere: "
            "rename one of them",
            param->name);
    param->source = MOUSE_FROM_PATH;
    binder->used[at] = true;
    return APR_SUCCESS;
}

static apr_status_t settle(const binder_t *binder, mouse_param_t *param)
{
    int at = find_path(binder, param->name);

    if (at >= 0)
        return settle_path(binder, param, at);
    if (param->source == MOUSE_FROM_PATH)
        return fail(binder, param->line, param->column,
                    "'%s' comes from the path, and the route has no such part: add it "
                    "there in braces",
                    param->name);
    if (param->source == MOUSE_FROM_ANY)
        param->source = binder->body_method ? MOUSE_FROM_BODY : MOUSE_FROM_QUERY;
    if (param->source == MOUSE_FROM_BODY && !binder->body_method)
        return fail(
            binder, param->line, param->column,
            "'%s' comes from the body, which the route's method lacks: use POST, PUT "
            "or PATCH",
            param->name);
    return APR_SUCCESS;
}

/* ---- names that the path gives ---- */

/* The index of the parameter that an undeclared name is, or -1. */
static int path_param(binder_t *binder, const char *name, int line, int column)
{
    int i, at = find_path(binder, name);

    for (i = 0; i < binder->params->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(binder->params, i, mouse_param_t).name, name) == 0)
            return i;
    }
    if (at < 0)
        return -1;
    binder->used[at] = true;
    APR_ARRAY_PUSH(binder->params, mouse_param_t) =
        (mouse_param_t){.name = binder->names[at],
                        .type = path_type(binder, at),
                        .source = MOUSE_FROM_PATH,
                        .order = -1,
                        .from_path_only = true,
                        .line = line,
                        .column = column};
    return binder->params->nelts - 1;
}

static apr_status_t bind_lets(binder_t *binder)
{
    mouse_model_t *model = binder->model;

    model->lets = apr_pmemdup(binder->p, model->lets,
                              (apr_size_t)model->let_count * sizeof(*model->lets));
    for (int i = 0; i < model->let_count; i++) {
        mouse_let_t *let = &model->lets[i];

        if (let->kind != MOUSE_LET_PARAM || let->index >= 0)
            continue;
        let->index = path_param(binder, let->source, let->line, let->column);
        if (let->index < 0)
            return fail(
                binder, let->line, let->column,
                "'%s' is neither a parameter, nor an earlier let, nor in the route's "
                "path: declare it",
                let->source);
    }
    return APR_SUCCESS;
}

static apr_status_t bind_sql(binder_t *binder, mouse_sql_t *sql)
{
    sql->pieces = apr_pmemdup(binder->p, sql->pieces,
                              (apr_size_t)sql->piece_count * sizeof(*sql->pieces));
    for (int i = 0; i < sql->piece_count; i++) {
        mouse_ref_t *ref = &sql->pieces[i].ref;

        if (!sql->pieces[i].has_ref || ref->kind != MOUSE_REF_NAME)
            continue;
        ref->kind = MOUSE_REF_PARAM;
        ref->index = path_param(binder, ref->word, ref->line, ref->column);
        if (ref->index < 0)
            return fail(
                binder, ref->line, ref->column,
                "':%s' is neither declared nor in the route's path: add '-- param:'",
                ref->word);
    }
    return APR_SUCCESS;
}

static apr_status_t bind_sqls(binder_t *binder)
{
    mouse_model_t *model = binder->model;
    apr_status_t rv = APR_SUCCESS;

    model->sqls = apr_pmemdup(binder->p, model->sqls,
                              (apr_size_t)model->sql_count * sizeof(*model->sqls));
    for (int i = 0; rv == APR_SUCCESS && i < model->sql_count; i++)
        rv = bind_sql(binder, &model->sqls[i]);
    return rv;
}

/* The parameter that an error line names must exist. */
static apr_status_t check_errors(const binder_t *binder)
{
    const mouse_model_t *model = binder->model;
    int k;

    for (int i = 0; i < model->error_count; i++) {
        const mouse_error_rule_t *rule = &model->errors[i];

        for (k = 0; rule->parameter && k < model->param_count; k++) {
            if (strcmp(model->params[k].name, rule->parameter) == 0)
                break;
        }
        if (rule->parameter && k == model->param_count)
            return fail(binder, rule->line, rule->column,
                        "this error names '%s', which is no parameter of the model",
                        rule->parameter);
    }
    return APR_SUCCESS;
}

apr_status_t mouse_model_bind(apr_pool_t *pconf, const mouse_model_t *model,
                              const char *const *names, const char *const *types, int count,
                              bool body_method, bool *used, const mouse_model_t **bound,
                              mouse_error_t **err)
{
    mouse_model_t *copy = apr_pmemdup(pconf, model, sizeof(*model));
    binder_t binder = {pconf, copy, names, types, count, body_method, used, NULL, err};
    apr_status_t rv = APR_SUCCESS;

    *bound = copy;
    binder.params =
        apr_array_make(pconf, model->param_count + count, sizeof(mouse_param_t));
    for (int i = 0; i < count; i++)
        used[i] = false;
    for (int i = 0; rv == APR_SUCCESS && i < model->param_count; i++) {
        APR_ARRAY_PUSH(binder.params, mouse_param_t) = model->params[i];
        rv = settle(&binder, &APR_ARRAY_IDX(binder.params, i, mouse_param_t));
    }
    if (rv == APR_SUCCESS)
        rv = bind_lets(&binder);
    if (rv == APR_SUCCESS)
        rv = bind_sqls(&binder);
    copy->params = (mouse_param_t *)binder.params->elts;
    copy->param_count = binder.params->nelts;
    copy->bound = true;
    return rv == APR_SUCCESS ? check_errors(&binder) : rv;
}
