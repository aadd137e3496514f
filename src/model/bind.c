/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Binding: a request's inputs become the values of a model's parameters, choices and lets.
 *
 * Everything that is wrong is collected first and answered at once (422).
 */
#include "model/bind_int.h"

#include <apr_strings.h>

/* A hostile body of many wrong elements gets an answer of bounded size. */
#define MOST_VIOLATIONS 100

void mouse_bind_violate(bind_t *bind, const char *name, mouse_source_t source,
                        const char *rule, const char *detail)
{
    static const char *const sources[] = {"body", "path",   "query",
                                          "body", "header", "cookie"};

    if (bind->violations->nelts < MOST_VIOLATIONS)
        APR_ARRAY_PUSH(bind->violations, mouse_violation_t) =
            (mouse_violation_t){name, sources[source], rule, detail};
    if (source == MOUSE_FROM_HEADER || source == MOUSE_FROM_COOKIE)
        bind->client_miss = true;
}

/* A violation of a parameter by its own name. */
static void violate(bind_t *bind, const mouse_param_t *param, const char *rule,
                    const char *detail)
{
    mouse_bind_violate(bind, param->name, param->source, rule, detail);
}

static void hash_value(bind_t *bind, const mouse_param_t *param, mouse_value_t *value)
{
    mouse_slice_t text;
    const char *detail = NULL;

    if (param->hash == MOUSE_HASH_NONE || value->kind == MOUSE_VALUE_NULL)
        return;
    text = mouse_value_text(bind->req->pool, value);
    value->kind = MOUSE_VALUE_STRING;
    if (mouse_hash(bind->req->pool, param->hash, param->hash_cost, text, &value->text,
                   &detail) != APR_SUCCESS)
        violate(bind, param, "length", detail);
}

void mouse_bind_scalar(bind_t *bind, const mouse_param_t *param, const char *name,
                       const found_t *found, mouse_value_t *value)
{
    const char *rule = NULL, *detail = NULL;
    apr_status_t rv;

    *value = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (found->node && found->node->type == MOUSE_JSON_NULL) {
        if (!param->nullable)
            mouse_bind_violate(bind, name, param->source, "null",
                               "The value cannot be null.");
        return;
    }
    rv = found->node ? mouse_type_from_json(bind->req->pool, param, bind->model->dialect,
                                            found->node, value, &rule, &detail)
                     : mouse_type_from_text(bind->req->pool, param, bind->model->dialect,
                                            found->text, value, &rule, &detail);
    if (rv != APR_SUCCESS)
        mouse_bind_violate(bind, name, param->source, rule, detail);
}

void mouse_bind_absent(bind_t *bind, const mouse_param_t *param, const char *name,
                       mouse_value_t *value)
{
    found_t fallback = {.present = true, .text = mouse_slice_of(param->fallback)};

    *value = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (param->fallback)
        mouse_bind_scalar(bind, param, name, &fallback, value);
    else if (!param->optional)
        mouse_bind_violate(bind, name, param->source, "required", "The value is missing.");
}

static void bind_choice(bind_t *bind, const mouse_param_t *param, const found_t *found)
{
    const mouse_order_t *order = &bind->model->orders[param->order];
    const char *list = "";

    bind->binding->choices[param->order] = 0;
    if (!found->present)
        return;
    for (int i = 0; i < order->count; i++) {
        if (mouse_slice_equal(mouse_slice_of(order->choices[i].name), found->text)) {
            bind->binding->choices[param->order] = i;
            return;
        }
        list = apr_pstrcat(bind->req->pool, list, i > 0 ? ", " : "", order->choices[i].name,
                           NULL);
    }
    violate(bind, param, "in",
            apr_psprintf(bind->req->pool, "The value must be one of: %s.", list));
}

static apr_status_t bind_param(bind_t *bind, int index)
{
    const mouse_param_t *param = &bind->model->params[index];
    mouse_value_t *value = &bind->binding->params[index];
    found_t found = {0};
    apr_status_t rv = mouse_bind_find(bind, param, &found);

    if (rv != APR_SUCCESS)
        return rv;
    bind->binding->given[index] = found.present;
    if (found.repeated && !param->is_array)
        violate(bind, param, "repeated", "The value was sent more than once.");
    else if (param->order >= 0)
        bind_choice(bind, param, &found);
    else if (param->is_array)
        mouse_bind_list(bind, param, &found, &bind->binding->lists[index]);
    else if (found.present)
        mouse_bind_scalar(bind, param, param->name, &found, value);
    else
        mouse_bind_absent(bind, param, param->name, value);
    return APR_SUCCESS;
}

/* Behind all checks: a request that is refused anyway costs no bcrypt. */
static void hash_params(bind_t *bind)
{
    int count = bind->violations->nelts > 0 ? 0 : bind->model->param_count;

    for (int i = 0; i < count; i++) {
        const mouse_param_t *param = &bind->model->params[i];

        if (!param->is_array && param->order < 0)
            hash_value(bind, param, &bind->binding->params[i]);
    }
}

static void set_text(mouse_value_t *value, const char *text)
{
    value->kind = MOUSE_VALUE_STRING;
    value->text = mouse_slice_of(text);
}

/* Fails only where the context itself does. */
static apr_status_t evaluate_let(bind_t *bind, const mouse_let_t *let, mouse_value_t *value)
{
    mouse_request_t *req = bind->req;
    const char *detail = NULL;
    apr_status_t rv = APR_SUCCESS;

    switch (let->kind) {
    case MOUSE_LET_HEX32:
        set_text(value, mouse_random_hex32(req->pool));
        break;
    case MOUSE_LET_UUID:
        set_text(value, mouse_random_uuid(req->pool));
        break;
    case MOUSE_LET_NOW_MS:
    case MOUSE_LET_NOW_UNIX:
        value->kind = MOUSE_VALUE_INT;
        value->i = let->kind == MOUSE_LET_NOW_MS ? apr_time_as_msec(req->now)
                                                 : apr_time_sec(req->now);
        break;
    case MOUSE_LET_PARAM:
        *value = bind->binding->params[let->index];
        break;
    case MOUSE_LET_LET:
        *value = bind->binding->lets[let->index];
        break;
    case MOUSE_LET_CONTEXT:
        rv = mouse_request_value(req, let->source, let->field, value, bind->err);
        break;
    }
    if (rv != APR_SUCCESS || let->hash == MOUSE_HASH_NONE ||
        value->kind == MOUSE_VALUE_NULL)
        return rv;
    value->text = mouse_value_text(req->pool, value);
    value->kind = MOUSE_VALUE_STRING;
    if (mouse_hash(req->pool, let->hash, let->hash_cost, value->text, &value->text,
                   &detail) != APR_SUCCESS)
        mouse_bind_violate(bind, let->source ? let->source : let->name, MOUSE_FROM_BODY,
                           "length", detail);
    return APR_SUCCESS;
}

static mouse_binding_t *make_binding(apr_pool_t *p, const mouse_model_t *model)
{
    mouse_binding_t *binding = apr_pcalloc(p, sizeof(*binding));
    size_t params = (size_t)model->param_count;

    binding->params = apr_pcalloc(p, params * sizeof(*binding->params) + 1);
    binding->lists = apr_pcalloc(p, params * sizeof(*binding->lists) + 1);
    binding->given = apr_pcalloc(p, params * sizeof(*binding->given) + 1);
    binding->choices = apr_pcalloc(p, (size_t)model->order_count * sizeof(int) + 1);
    binding->lets = apr_pcalloc(p, (size_t)model->let_count * sizeof(*binding->lets) + 1);
    return binding;
}

apr_status_t mouse_bind_request(mouse_request_t *req, const mouse_model_t *model,
                                bool lookup, mouse_binding_t **binding, mouse_error_t **err)
{
    bind_t bind = {.req = req,
                   .model = model,
                   .binding = make_binding(req->pool, model),
                   .violations = apr_array_make(req->pool, 2, sizeof(mouse_violation_t)),
                   .err = err};
    apr_status_t rv = APR_SUCCESS;

    for (int i = 0; i < model->param_count && rv == APR_SUCCESS; i++)
        rv = bind_param(&bind, i);
    if (rv == APR_SUCCESS && req->input->strict && !lookup)
        rv = mouse_bind_strict(&bind);
    if (rv != APR_SUCCESS)
        return rv;
    hash_params(&bind);
    for (int i = 0;
         i < model->let_count && bind.violations->nelts == 0 && rv == APR_SUCCESS; i++)
        rv = evaluate_let(&bind, &model->lets[i], &bind.binding->lets[i]);
    *binding = bind.binding;
    if (rv != APR_SUCCESS)
        return rv;
    if (bind.violations->nelts == 0)
        return APR_SUCCESS;
    if (lookup && bind.client_miss)
        return APR_NOTFOUND;
    mouse_error_set(err, req->pool, MOUSE_E_PARAMETERS, "%s",
                    bind.violations->nelts == 1
                        ? APR_ARRAY_IDX(bind.violations, 0, mouse_violation_t).detail
                        : "Several values do not fit.");
    (*err)->violations = bind.violations;
    return APR_EGENERAL;
}
