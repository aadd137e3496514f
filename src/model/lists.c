/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Array parameters: scalars from JSON or repeated names, and objects with fields. */

#include "model/bind_int.h"

#include <apr_strings.h>

static const char *element_name(bind_t *bind, const mouse_param_t *param, int index,
                                const char *field)
{
    return apr_psprintf(bind->req->pool, "%s[%d]%s%s", param->name, index, field ? "." : "",
                        field ? field : "");
}

static bool check_count(bind_t *bind, const mouse_param_t *param, int64_t count)
{
    const mouse_bounds_t *bounds = &param->count;

    if (!bounds->set || (count >= bounds->low_int && count <= bounds->high_int))
        return true;
    mouse_bind_violate(bind, param->name, param->source, "count",
                       apr_psprintf(bind->req->pool, "The list must have %s..%s elements.",
                                    bounds->low ? bounds->low : "",
                                    bounds->high ? bounds->high : ""));
    return false;
}

/* A row of an object array. */
static void bind_fields(bind_t *bind, const mouse_param_t *param, int index,
                        const mouse_json_node_t *node, mouse_value_t *row)
{
    if (node->type != MOUSE_JSON_OBJECT) {
        mouse_bind_violate(bind, element_name(bind, param, index, NULL), param->source,
                           "type", "The element must be an object.");
        return;
    }
    for (int i = 0; i < param->field_count; i++) {
        const mouse_param_t *field = &param->fields[i];
        const char *name = element_name(bind, param, index, field->name);
        found_t found = {.present = true};

        found.node = mouse_json_find(bind->req->pool, node, mouse_slice_of(field->name));
        if (found.node)
            mouse_bind_scalar(bind, field, name, &found, &row[i]);
        else
            mouse_bind_absent(bind, field, name, &row[i]);
    }
}

static void bind_nodes(bind_t *bind, const mouse_param_t *param,
                       const mouse_json_node_t *array, mouse_list_t *list)
{
    size_t width = param->type == MOUSE_TYPE_OBJECT ? (size_t)param->field_count : 1;
    int index = 0;

    if (!check_count(bind, param, array->size))
        return;
    list->count = (int)array->size;
    list->values =
        apr_pcalloc(bind->req->pool, array->size * width * sizeof(*list->values) + 1);
    for (MOUSE_JSON_EACH (node, array)) {
        mouse_value_t *row = list->values + (size_t)index * width;
        found_t found = {.present = true, .node = node};

        if (param->type == MOUSE_TYPE_OBJECT)
            bind_fields(bind, param, index, node, row);
        else
            mouse_bind_scalar(bind, param, element_name(bind, param, index, NULL), &found,
                              row);
        index++;
    }
}

static void bind_texts(bind_t *bind, const mouse_param_t *param,
                       const apr_array_header_t *texts, mouse_list_t *list)
{
    if (!check_count(bind, param, texts->nelts))
        return;
    list->count = texts->nelts;
    list->values =
        apr_pcalloc(bind->req->pool, (size_t)texts->nelts * sizeof(*list->values) + 1);
    for (int i = 0; i < texts->nelts; i++) {
        found_t found = {.present = true, .text = APR_ARRAY_IDX(texts, i, mouse_slice_t)};

        mouse_bind_scalar(bind, param, element_name(bind, param, i, NULL), &found,
                          &list->values[i]);
    }
}

/* Only JSON can tell an empty list from none. */
static void bind_absent_list(bind_t *bind, const mouse_param_t *param)
{
    bool json = param->source == MOUSE_FROM_BODY && bind->req->inputs->json;

    if (json && !param->optional)
        mouse_bind_violate(bind, param->name, param->source, "required",
                           "The value is missing.");
    else if (!param->optional)
        check_count(bind, param, 0);
}

void mouse_bind_list(bind_t *bind, const mouse_param_t *param, const found_t *found,
                     mouse_list_t *list)
{
    if (!found->present) {
        bind_absent_list(bind, param);
    } else if (found->texts) {
        bind_texts(bind, param, found->texts, list);
    } else if (!found->node) {
        mouse_bind_violate(bind, param->name, param->source, "type",
                           "The value must be a list.");
    } else if (found->node->type == MOUSE_JSON_ARRAY) {
        bind_nodes(bind, param, found->node, list);
    } else if (found->node->type != MOUSE_JSON_NULL || !param->nullable) {
        mouse_bind_violate(bind, param->name, param->source,
                           found->node->type == MOUSE_JSON_NULL ? "null" : "type",
                           "The value must be an array.");
    }
}
