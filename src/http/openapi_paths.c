/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `paths` of the document. Routes tell apart what are one path to OpenAPI: those that
 * differ in nothing but a parameter's name or type.
 */
#include "http/openapi_int.h"

#include <stdio.h>

#include <apr_lib.h>
#include <apr_strings.h>

static bool is_url_char(char c)
{
    return apr_isalnum(c) || strchr("/%-._~!$&'()*+,;=:@{}", c);
}

const char *mouse_openapi_path(apr_pool_t *p, const mouse_pattern_t *pattern)
{
    const char *from = *pattern->text ? pattern->text : "/";
    char *path = apr_palloc(p, 3 * strlen(from) + 1), *to = path;
    bool inside = false; /* of braces */

    for (; *from; from++) {
        if (inside && *from == ':')
            from += strcspn(from, "}");
        inside = *from == '{' || (inside && *from != '}');
        if (is_url_char(*from))
            *to++ = *from;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*from);
    }
    *to = '\0';
    return path;
}

/* The path without the names of its parameters: "/api/products/{}". */
static const char *make_shape(apr_pool_t *p, const char *path)
{
    char *shape = apr_pstrdup(p, path), *to = shape;

    for (const char *from = shape; *from; from++) {
        *to++ = *from;
        if (*from == '{')
            from += strcspn(from, "}") - 1;
    }
    *to = '\0';
    return shape;
}

/* Parameters of a path take the names that its first route gave them. */
static void rename_parameters(json_t *operation, const mouse_pattern_t *from,
                              const mouse_pattern_t *to)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(operation, "parameters"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));

        if (strcmp(json_string_value(json_object_get(item, "in")), "path") != 0)
            continue;
        for (int n = 0; n < from->count; n++) {
            if (strcmp(from->parameters[n].name, name) == 0) {
                json_object_set_new(item, "name", json_string(to->parameters[n].name));
                break;
            }
        }
    }
}

/* The Path Item Object, made for the first route: to OpenAPI "/a/{b}" and "/a/{c}" are one
 * path. */
static json_t *open_item(mouse_openapi_t *openapi, const mouse_pattern_t *pattern,
                         json_t *operation)
{
    apr_pool_t *p = openapi->how->p;
    const char *path = mouse_openapi_path(p, pattern), *shape = make_shape(p, path);
    const mouse_pattern_t *first =
        apr_hash_get(openapi->shapes, shape, APR_HASH_KEY_STRING);

    if (first) {
        rename_parameters(operation, pattern, first);
        return json_object_get(openapi->paths, mouse_openapi_path(p, first));
    }
    apr_hash_set(openapi->shapes, shape, APR_HASH_KEY_STRING, pattern);
    json_object_set_new(openapi->paths, path, json_object());
    return json_object_get(openapi->paths, path);
}

void mouse_openapi_put(mouse_openapi_t *openapi, const mouse_endpoint_t *endpoint,
                       json_t *operation)
{
    char *method = apr_pstrdup(openapi->how->p, mouse_method_name(endpoint->method));
    json_t *item = open_item(openapi, endpoint->pattern, operation);

    ap_str_tolower(method);
    if (json_object_get(item, method)) /* {id:int} and {id:uuid} are one path here */
        json_decref(operation);
    else
        json_object_set_new(item, method, operation);
}
