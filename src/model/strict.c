/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `strict`: names that the model does not declare are violations, nested ones too. */

#include "model/bind_int.h"

#include <apr_strings.h>

/* A name as text: what the client sent may hold NUL, which would cut it to a known one. */
static const char *visible(apr_pool_t *p, mouse_slice_t name)
{
    char *text = mouse_slice_copy(p, name);

    for (size_t i = 0; i < name.len; i++) {
        if (text[i] == '\0')
            text[i] = '?';
    }
    return text;
}

static void refuse_unknown(bind_t *bind, const char *name, mouse_source_t source)
{
    mouse_bind_violate(bind, name, source, "unknown", "This name is not known here.");
}

/* What the guards before the model read is known, too, but not in another place than the
 * model's. */
static bool guards_know(const bind_t *bind, mouse_slice_t name)
{
    const apr_array_header_t *also = bind->req->input->also;

    for (int i = 0; also && i < also->nelts; i++) {
        const char *known = APR_ARRAY_IDX(also, i, const char *);

        if (mouse_slice_equal(name, mouse_slice_of(known)))
            return !mouse_param_find(bind->model, known);
    }
    return false;
}

static bool knows_pair(const bind_t *bind, mouse_source_t source, mouse_slice_t name)
{
    for (int i = 0; i < bind->model->param_count; i++) {
        const mouse_param_t *param = &bind->model->params[i];
        mouse_slice_t bare = name;

        if (param->source != source)
            continue;
        if (param->is_array && bare.len > 2 &&
            memcmp(bare.data + bare.len - 2, "[]", 2) == 0)
            bare.len -= 2;
        if (mouse_slice_equal(bare, mouse_slice_of(param->name)))
            return true;
    }
    return false;
}

static void check_pairs(bind_t *bind, const apr_array_header_t *pairs,
                        mouse_source_t source)
{
    for (int i = 0; i < pairs->nelts; i++) {
        mouse_slice_t name = APR_ARRAY_IDX(pairs, i, mouse_pair_t).name;

        if (!knows_pair(bind, source, name) && !guards_know(bind, name))
            refuse_unknown(bind, visible(bind->req->pool, name), source);
    }
}

static void check_elements(bind_t *bind, const mouse_param_t *param,
                           const mouse_json_node_t *array)
{
    int index = 0, i;

    for (MOUSE_JSON_EACH (element, array)) {
        if (element->type == MOUSE_JSON_OBJECT) {
            for (MOUSE_JSON_EACH (member, element)) {
                mouse_slice_t key = mouse_json_key(bind->req->pool, member);

                for (i = 0; i < param->field_count; i++) {
                    if (mouse_slice_equal(key, mouse_slice_of(param->fields[i].name)))
                        break;
                }
                if (i == param->field_count)
                    refuse_unknown(bind,
                                   apr_psprintf(bind->req->pool, "%s[%d].%s", param->name,
                                                index, visible(bind->req->pool, key)),
                                   MOUSE_FROM_BODY);
            }
        }
        index++;
    }
}

/* The name of a body parameter at one level of its place in the document, or NULL when its
 * path differs above that level. */
static const char *name_at(const mouse_param_t *param, const char *const *path, int level)
{
    int depth = param->source_depth;

    if (param->source != MOUSE_FROM_BODY)
        return NULL;
    if (depth == 0)
        return level == 0 ? param->name : NULL;
    if (level >= depth)
        return NULL;
    for (int i = 0; i < level; i++) {
        if (strcmp(param->source_path[i], path[i]) != 0)
            return NULL;
    }
    return param->source_path[level];
}

static void check_members(bind_t *bind, const mouse_json_node_t *object, const char **path,
                          int level);

static void check_member(bind_t *bind, const mouse_json_node_t *member, const char **path,
                         int level)
{
    mouse_slice_t key = mouse_json_key(bind->req->pool, member);
    bool known = level == 0 && guards_know(bind, key), deeper = false;

    for (int i = 0; i < bind->model->param_count; i++) {
        const mouse_param_t *param = &bind->model->params[i];
        const char *name = name_at(param, path, level);

        if (!name || !mouse_slice_equal(mouse_slice_of(name), key))
            continue;
        known = true;
        deeper |= param->source_depth > level + 1;
        if (param->type == MOUSE_TYPE_OBJECT && member->type == MOUSE_JSON_ARRAY)
            check_elements(bind, param, member);
    }
    if (!known) {
        refuse_unknown(bind, visible(bind->req->pool, key), MOUSE_FROM_BODY);
    } else if (deeper && member->type == MOUSE_JSON_OBJECT &&
               level + 1 < MOUSE_JSON_DEPTH) {
        path[level] = mouse_slice_copy(bind->req->pool, key);
        check_members(bind, member, path, level + 1);
    }
}

static void check_members(bind_t *bind, const mouse_json_node_t *object, const char **path,
                          int level)
{
    for (MOUSE_JSON_EACH (member, object))
        check_member(bind, member, path, level);
}

/* A body that is an array is one parameter's value, if any takes it. */
static apr_status_t check_array(bind_t *bind, const mouse_json_node_t *array)
{
    bool taken = false;

    for (int i = 0; i < bind->model->param_count; i++) {
        const mouse_param_t *param = &bind->model->params[i];

        if (param->source != MOUSE_FROM_BODY || !param->is_array || param->source_depth > 0)
            continue;
        taken = true;
        if (param->type == MOUSE_TYPE_OBJECT)
            check_elements(bind, param, array);
    }
    return taken ? APR_SUCCESS : mouse_bind_refuse_body(bind);
}

/* Without a body parameter nobody else has looked at what the body is. */
static apr_status_t check_document(bind_t *bind, const mouse_json_node_t *root)
{
    const char *path[MOUSE_JSON_DEPTH];

    if (root->type == MOUSE_JSON_ARRAY)
        return check_array(bind, root);
    if (root->type != MOUSE_JSON_OBJECT)
        return mouse_bind_refuse_body(bind);
    check_members(bind, root, path, 0);
    return APR_SUCCESS;
}

apr_status_t mouse_bind_strict(bind_t *bind)
{
    const mouse_json_doc_t *json;
    apr_status_t rv = mouse_inputs_query(bind->req, bind->err);

    if (rv == APR_SUCCESS && mouse_request_has_body(bind->req))
        rv = mouse_inputs_body(bind->req, bind->err);
    if (rv != APR_SUCCESS)
        return rv;
    check_pairs(bind, bind->req->inputs->query, MOUSE_FROM_QUERY);
    if (!mouse_request_has_body(bind->req))
        return APR_SUCCESS;
    json = bind->req->inputs->json;
    if (json)
        return check_document(bind, json->root);
    check_pairs(bind, bind->req->inputs->form, MOUSE_FROM_BODY);
    return APR_SUCCESS;
}
