/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A model's parameters in words, for the dump of routes.
 */
#include <apr_strings.h>

#include "model/model_int.h"

static const char *type_word(mouse_type_t type)
{
    static const char *const words[] = {
        [MOUSE_TYPE_INT] = "int",       [MOUSE_TYPE_NUMBER] = "number",
        [MOUSE_TYPE_STRING] = "string", [MOUSE_TYPE_BOOL] = "bool",
        [MOUSE_TYPE_DATE] = "date",     [MOUSE_TYPE_DATETIME] = "datetime",
        [MOUSE_TYPE_UUID] = "uuid",     [MOUSE_TYPE_JSON] = "json",
        [MOUSE_TYPE_BYTES] = "bytes",   [MOUSE_TYPE_OBJECT] = "object"};

    return words[type];
}

static const char *source_word(mouse_source_t source)
{
    static const char *const words[] = {
        [MOUSE_FROM_ANY] = "any",       [MOUSE_FROM_PATH] = "path",
        [MOUSE_FROM_QUERY] = "query",   [MOUSE_FROM_BODY] = "body",
        [MOUSE_FROM_HEADER] = "header", [MOUSE_FROM_COOKIE] = "cookie"};

    return words[source];
}

const char *mouse_model_parameters(apr_pool_t *p, const mouse_model_t *model)
{
    const char *text = "";

    for (int i = 0; i < model->param_count; i++) {
        const mouse_param_t *param = &model->params[i];

        text = apr_pstrcat(p, text, *text ? ", " : "", param->name,
                           param->is_array ? "[] " : " ", source_word(param->source), " ",
                           type_word(param->type),
                           param->optional || param->fallback ? " optional" : "", NULL);
    }
    return text;
}
