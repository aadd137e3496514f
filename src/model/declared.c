/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Bare names that guards and models share: what one of them checks must be what the other
 * uses. A guard's argument is read as the route's model declares it; a guard's own model
 * has declarations of its own, which can only be compared.
 */

#include "model/model_int.h"

const mouse_param_t *mouse_param_find(const mouse_model_t *model, const char *name)
{
    for (int i = 0; model && i < model->param_count; i++) {
        if (strcmp(model->params[i].name, name) == 0)
            return &model->params[i];
    }
    return NULL;
}

bool mouse_param_is_value(const mouse_param_t *param)
{
    return !param->is_array && param->order < 0 && param->type != MOUSE_TYPE_OBJECT;
}

bool mouse_model_names_list(const mouse_model_t *model, const char *name)
{
    const mouse_param_t *param = mouse_param_find(model, name);

    return param && param->is_array;
}

bool mouse_model_names_elsewhere(const mouse_model_t *model, const char *name)
{
    const mouse_param_t *param = mouse_param_find(model, name);

    return param && param->source != MOUSE_FROM_BODY;
}

/* Where a bare name is read when nobody says so. */
static bool is_usual(const mouse_param_t *param, bool has_body)
{
    return param->source == (has_body ? MOUSE_FROM_BODY : MOUSE_FROM_QUERY) &&
           param->source_depth == 0;
}

const char *mouse_model_apart(const mouse_model_t *guard, const mouse_model_t *model,
                              bool has_body)
{
    for (int i = 0; i < guard->param_count; i++) {
        const mouse_param_t *param = &guard->params[i];
        const mouse_param_t *other = mouse_param_find(model, param->name);

        if (other && is_usual(param, has_body) && !is_usual(other, has_body))
            return param->name;
    }
    return NULL;
}
