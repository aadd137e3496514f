/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `json DOCUMENT`: one JSON text, checked at start, sent byte for byte. */

#include "http/http_int.h"

#include <apr_strings.h>
#include <jansson.h>

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    mouse_slice_t *document = apr_palloc(setup->pconf, sizeof(*document));

    (void)used;
    *document = mouse_slice_of(apr_pstrdup(setup->pconf, setup->argv[0]));
    if (!mouse_json_valid(*document))
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "not a JSON text: %s (quote it as '{\"status\":\"ok\"}')",
                              setup->argv[0]);
    *config = document;
    return APR_SUCCESS;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    (void)format;
    answer->status = endpoint->shape.status;
    answer->content_type = "application/json";
    answer->fixed = *(const mouse_slice_t *)endpoint->config;
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

static json_t *schema_of(const json_t *value);

static bool has_schema(const json_t *list, const json_t *schema)
{
    size_t i;
    json_t *item;

    json_array_foreach(list, i, item)
    {
        if (json_equal(item, schema))
            return true;
    }
    return false;
}

/* Of an array with elements: of one kind, or of any of several. */
static json_t *items_of(const json_t *array)
{
    json_t *kinds = json_array(), *element, *items;
    size_t i;

    json_array_foreach(array, i, element)
    {
        json_t *kind = schema_of(element);

        if (!has_schema(kinds, kind))
            json_array_append(kinds, kind);
        json_decref(kind);
    }
    items = json_array_size(kinds) == 1 ? json_incref(json_array_get(kinds, 0))
                                        : json_pack("{s:O}", "anyOf", kinds);
    json_decref(kinds);
    return items;
}

/* What a value of this kind looks like. */
static json_t *schema_of(const json_t *value)
{
    static const char *const types[] = {
        [JSON_OBJECT] = "object",   [JSON_ARRAY] = "array", [JSON_STRING] = "string",
        [JSON_INTEGER] = "integer", [JSON_REAL] = "number", [JSON_TRUE] = "boolean",
        [JSON_FALSE] = "boolean",   [JSON_NULL] = "null"};
    json_t *schema = json_pack("{s:s}", "type", types[json_typeof(value)]);
    json_t *properties, *required, *member;
    const char *name;

    if (json_is_array(value) && json_array_size(value) > 0)
        json_object_set_new(schema, "items", items_of(value));
    if (!json_is_object(value))
        return schema;
    properties = json_object();
    required = json_array();
    json_object_foreach((json_t *)value, name, member)
    {
        json_object_set_new(properties, name, schema_of(member));
        json_array_append_new(required, json_string(name));
    }
    json_object_set_new(schema, "properties", properties);
    json_object_set_new(schema, "required", required);
    return schema;
}

static apr_status_t describe(const mouse_endpoint_t *endpoint, const mouse_describer_t *how,
                             json_t **schema, mouse_error_t **err)
{
    const mouse_slice_t *document = endpoint->config;
    json_t *value = json_loadb(document->data, document->len, JSON_DECODE_ANY, NULL);

    (void)how;
    (void)err;
    *schema = value ? schema_of(value) : json_object();
    if (value)
        json_object_set_new(*schema, "examples", json_pack("[o]", value));
    return APR_SUCCESS;
}

const mouse_action_t mouse_action_json = {.name = "json",
                                          .argc = 1,
                                          .constant = true,
                                          .always_body = true,
                                          .create = create,
                                          .run = run,
                                          .describe = describe};
