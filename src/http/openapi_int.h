/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The OpenAPI document, inside: openapi.c walks the routes, openapi_operation.c describes
 * one, openapi_security.c says how its clients show who they are, openapi_paths.c puts it
 * where it belongs. Include only within src/http.
 */
#ifndef MOUSE_OPENAPI_INT_H
#define MOUSE_OPENAPI_INT_H

#include <apr_hash.h>
#include <jansson.h>

#include "http/http_int.h"

typedef struct mouse_openapi_t {
    const mouse_describer_t *how;
    json_t *paths, *schemes; /* components.securitySchemes */
    apr_hash_t *shapes;      /* of mouse_pattern_t, the first of each shape of a path */
    apr_hash_t *ids;         /* operationIds that are taken */
    const mouse_endpoint_t *route; /* whose title and version these are, or NULL */
    const char *title, *version;
    apr_status_t rv; /* of the first route that could not be described */
    mouse_error_t **err;
} mouse_openapi_t;

/* "/api/products/{id:int}" as OpenAPI writes it: without types, percent-encoded. */
const char *mouse_openapi_path(apr_pool_t *p, const mouse_pattern_t *pattern);

/* Adds an operation to paths, whose reference it takes; one that is there already stays. */
void mouse_openapi_put(mouse_openapi_t *openapi, const mouse_endpoint_t *endpoint,
                       json_t *operation);

/* One Operation Object, a new reference, or NULL with *err. */
json_t *mouse_openapi_operation(mouse_openapi_t *openapi, const mouse_endpoint_t *endpoint);

/* `security` of an operation, a new reference, or NULL: anybody may. Adds to schemes. */
json_t *mouse_openapi_security(mouse_openapi_t *openapi, const mouse_chain_t *chain);

/* Is this guard how clients show who they are? */
bool mouse_openapi_authenticates(const mouse_guard_t *guard);

/* What an openapi route's words say. */
void mouse_openapi_names(const void *config, const char **title, const char **version);

#endif
