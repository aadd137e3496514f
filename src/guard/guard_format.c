/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `format [types=TYPE[,TYPE]...] [depth=N]`: what a body may look like - its media types
 * (415), and how deep a JSON body may nest (400). A request without a body passes.
 */

#include "guard/guard_int.h"

#include <stdlib.h>

#include <apr_strings.h>

typedef struct format_t {
    const char *types; /* as written, or NULL */
    int depth;         /* 0: not looked at */
} format_t;

static bool is_depth(const char *text)
{
    return strspn(text, "0123456789") == strlen(text) && strlen(text) <= 2 &&
           atoi(text) >= 1 && atoi(text) <= MOUSE_JSON_DEPTH;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    format_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *depth = NULL;
    const mouse_guard_option_t options[] = {
        {"types=", &made->types}, {"depth=", &depth}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    *config = made;
    if (rv != APR_SUCCESS)
        return rv;
    if (!made->types && !depth)
        return mouse_guard_refuse(setup, err, "format takes types= or depth=");
    if (made->types && (!strchr(made->types, '/') || strpbrk(made->types, " ;*\"") ||
                        made->types[strcspn(made->types, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")]))
        return mouse_guard_refuse(setup, err,
                                  "types=%s: write media types in lower case and without "
                                  "parameters, as application/json,text/csv",
                                  made->types);
    if (depth && !is_depth(depth))
        return mouse_guard_refuse(setup, err, "depth=%s is not a number from 1 to %d",
                                  depth, MOUSE_JSON_DEPTH);
    if (depth)
        APR_ARRAY_PUSH(setup->reads, const char *) = "request.body";
    made->depth = depth ? atoi(depth) : 0;
    return APR_SUCCESS;
}

/* Before anything is read: RFC 9112, 6.3. Under HTTP/2 only the type may tell. */
static bool has_body(const mouse_request_t *req)
{
    const char *length = req->host->header(req->baton, "Content-Length");

    return req->host->header(req->baton, "Transfer-Encoding") ||
           req->host->header(req->baton, "Content-Type") ||
           (length && strspn(length, "0") != strlen(length));
}

static bool is_listed(const char *types, const char *type)
{
    size_t len = strlen(type);
    const char *at = types;

    for (; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, type, len) == 0 && (at[len] == ',' || at[len] == '\0'))
            return true;
    }
    return false;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const format_t *made = config;
    const char *type;

    if (!has_body(req))
        return MOUSE_GUARD_PASS;
    type = mouse_request_media_type(req->pool, req);
    if (made->types && (!type || !is_listed(made->types, type))) {
        mouse_error_set(err, req->pool, MOUSE_E_MEDIA_TYPE, "The body must be one of: %s.",
                        made->types);
        return MOUSE_GUARD_DENY;
    }
    if (made->depth && mouse_request_read_json(req, made->depth, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    return MOUSE_GUARD_PASS;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const format_t *made = config;

    facts->status =
        mouse_code_status(made->types ? MOUSE_E_MEDIA_TYPE : MOUSE_E_JSON_DEPTH);
}

const mouse_guard_provider_t mouse_guard_format = {
    .name = "format",
    .create = create,
    .check = check,
    .describe = describe,
};
