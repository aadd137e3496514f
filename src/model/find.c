/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Finding a parameter's value: in the path, the query, the body, a header or a cookie. */

#include "model/bind_int.h"

#include <apr_strings.h>

/* "ids" and, for arrays, "ids[]". */
static bool is_named(const mouse_pair_t *pair, const mouse_param_t *param)
{
    size_t len = strlen(param->name);

    if (pair->name.len < len || memcmp(pair->name.data, param->name, len) != 0)
        return false;
    return pair->name.len == len || (param->is_array && pair->name.len == len + 2 &&
                                     memcmp(pair->name.data + len, "[]", 2) == 0);
}

static void find_pairs(bind_t *bind, const apr_array_header_t *pairs,
                       const mouse_param_t *param, found_t *found)
{
    for (int i = 0; i < pairs->nelts; i++) {
        const mouse_pair_t *pair = &APR_ARRAY_IDX(pairs, i, mouse_pair_t);

        if (!is_named(pair, param))
            continue;
        found->repeated = found->present;
        found->present = true;
        found->text = pair->value;
        if (!param->is_array)
            continue;
        if (!found->texts)
            found->texts = apr_array_make(bind->req->pool, 4, sizeof(mouse_slice_t));
        APR_ARRAY_PUSH(found->texts, mouse_slice_t) = pair->value;
    }
}

apr_status_t mouse_bind_refuse_body(bind_t *bind)
{
    return mouse_error_set(bind->err, bind->req->pool, MOUSE_E_PARAMETERS,
                           "The body must be a JSON object.");
}

static apr_status_t find_in_json(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    const mouse_json_node_t *node = bind->req->inputs->json->root;

    if (node->type == MOUSE_JSON_ARRAY && param->is_array && param->source_depth == 0) {
        found->node = node;
        found->present = true;
        return APR_SUCCESS;
    }
    if (node->type != MOUSE_JSON_OBJECT)
        return mouse_bind_refuse_body(bind);
    for (int i = 0; node && i < param->source_depth; i++)
        node =
            mouse_json_find(bind->req->pool, node, mouse_slice_of(param->source_path[i]));
    if (node && param->source_depth == 0)
        node = mouse_json_find(bind->req->pool, node, mouse_slice_of(param->name));
    found->node = node;
    found->present = node != NULL;
    return APR_SUCCESS;
}

static apr_status_t find_in_body(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    apr_status_t rv = mouse_inputs_body(bind->req, bind->err);

    if (rv != APR_SUCCESS)
        return rv;
    if (bind->req->inputs->json)
        return find_in_json(bind, param, found);
    find_pairs(bind, bind->req->inputs->form, param, found);
    return APR_SUCCESS;
}

static void find_in_path(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    found->present = mouse_request_path(bind->req, param->name, &found->text);
}

/* As the header or the cookie is called. */
static const char *name_outside(const mouse_param_t *param)
{
    return param->source_name ? param->source_name : param->name;
}

static void find_cookie(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    const mouse_slice_t *text = mouse_inputs_cookie(bind->req, name_outside(param));

    found->present = text != NULL;
    if (text)
        found->text = *text;
}

static void find_header(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    const char *value = mouse_inputs_header(bind->req, name_outside(param));

    found->present = value != NULL;
    found->text = mouse_slice_of(value);
}

apr_status_t mouse_bind_find(bind_t *bind, const mouse_param_t *param, found_t *found)
{
    apr_status_t rv;

    switch (param->source) {
    case MOUSE_FROM_PATH:
        find_in_path(bind, param, found);
        return APR_SUCCESS;
    case MOUSE_FROM_QUERY:
        rv = mouse_inputs_query(bind->req, bind->err);
        if (rv == APR_SUCCESS)
            find_pairs(bind, bind->req->inputs->query, param, found);
        return rv;
    case MOUSE_FROM_HEADER:
        find_header(bind, param, found);
        return APR_SUCCESS;
    case MOUSE_FROM_COOKIE:
        find_cookie(bind, param, found);
        return APR_SUCCESS;
    default:
        return find_in_body(bind, param, found);
    }
}
