/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * OpenAPI 3.1: what a site serves, from its routes, models, guards and what the database
 * says of columns. Made anew on each call.
 */
#include "http/openapi_int.h"

#include <stdlib.h>

#include <apr_strings.h>

static void visit_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                        void *data)
{
    mouse_openapi_t *openapi = baton;
    const mouse_endpoint_t *endpoint = data;
    json_t *operation;

    (void)method;
    (void)pattern;
    if (openapi->rv != APR_SUCCESS || endpoint->action->hidden)
        return;
    operation = mouse_openapi_operation(openapi, endpoint);
    if (operation)
        mouse_openapi_put(openapi, endpoint, operation);
    else
        openapi->rv = APR_EGENERAL;
}

static void find_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                       void *data)
{
    mouse_openapi_t *openapi = baton;
    const mouse_endpoint_t *endpoint = data;

    (void)method;
    (void)pattern;
    if (!openapi->route && endpoint->action == &mouse_action_openapi)
        openapi->route = endpoint;
}

/* As the asked route says, or else the first one. */
static void put_names(mouse_openapi_t *openapi)
{
    openapi->route = openapi->how->route;
    mouse_table_each(openapi->how->site->table, find_route, openapi);
    if (openapi->route)
        mouse_openapi_names(openapi->route->config, &openapi->title, &openapi->version);
}

static json_t *text_schema(void)
{
    return json_pack("{s:s}", "type", "string");
}

static json_t *violation_schema(void)
{
    return json_pack("{s:s, s:{s:o, s:o, s:o, s:o}}", "type", "object", "properties",
                     "parameter", text_schema(), "source", text_schema(), "rule",
                     text_schema(), "detail", text_schema());
}

static json_t *problem_schema(void)
{
    json_t *properties = json_object();

    json_object_set_new(
        properties, "type",
        json_pack("{s:s, s:s}", "type", "string", "format", "uri-reference"));
    json_object_set_new(properties, "title", text_schema());
    json_object_set_new(properties, "code", text_schema());
    json_object_set_new(properties, "status", json_pack("{s:s}", "type", "integer"));
    json_object_set_new(properties, "detail", text_schema());
    json_object_set_new(properties, "request_id", text_schema());
    json_object_set_new(
        properties, "errors",
        json_pack("{s:s, s:o}", "type", "array", "items", violation_schema()));
    return json_pack("{s:s, s:o, s:[s, s, s, s, s]}", "type", "object", "properties",
                     properties, "required", "type", "title", "code", "status",
                     "request_id");
}

static json_t *problem_response(void)
{
    return json_pack("{s:s, s:{s:{s:{s:s}}}}", "description", "A problem (RFC 9457)",
                     "content", "application/problem+json", "schema", "$ref",
                     "#/components/schemas/Problem");
}

static json_t *components(const mouse_openapi_t *openapi)
{
    json_t *made = json_pack("{s:{s:o}, s:{s:o}}", "schemas", "Problem", problem_schema(),
                             "responses", "Problem", problem_response());

    if (json_object_size(openapi->schemes) > 0)
        json_object_set(made, "securitySchemes", openapi->schemes);
    return made;
}

static json_t *make_document(const mouse_openapi_t *openapi)
{
    return json_pack("{s:s, s:{s:s, s:s}, s:O, s:o}", "openapi", "3.1.0", "info", "title",
                     openapi->title, "version", openapi->version, "paths", openapi->paths,
                     "components", components(openapi));
}

/* Jansson's text, copied where the caller wants it. */
static apr_status_t print(apr_pool_t *p, json_t *made, const char **document,
                          mouse_error_t **err)
{
    char *text = json_dumps(made, JSON_INDENT(1));

    json_decref(made);
    if (!text)
        return mouse_error_set(err, p, MOUSE_E_INTERNAL, NULL);
    *document = apr_pstrdup(p, text);
    free(text);
    return APR_SUCCESS;
}

apr_status_t mouse_openapi_create(const mouse_describer_t *how, const char **document,
                                  mouse_error_t **err)
{
    mouse_openapi_t openapi = {.how = how,
                               .paths = json_object(),
                               .schemes = json_object(),
                               .shapes = apr_hash_make(how->p),
                               .ids = apr_hash_make(how->p),
                               .title = "API",
                               .version = "1.0",
                               .err = err};

    put_names(&openapi);
    mouse_table_each(how->site->table, visit_route, &openapi);
    if (openapi.rv == APR_SUCCESS)
        openapi.rv = print(how->p, make_document(&openapi), document, err);
    json_decref(openapi.paths);
    json_decref(openapi.schemes);
    return openapi.rv;
}
