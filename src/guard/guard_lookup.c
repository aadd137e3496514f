/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `lookup MODEL else=STATUS [optional]`: the one row of a :one model becomes context under
 * the guard's name. Without a row the request ends with STATUS, or passes with a context
 * whose fields are NULL when the guard is optional (else= then says nothing).
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

typedef struct lookup_t {
    const char *name;
    const mouse_model_t *model;
    mouse_db_t *const *slot;
    int status; /* optional: 0 */
    bool optional;
    const char *file;
    int line;
} lookup_t;

static apr_status_t find_model(const mouse_guard_setup_t *setup, lookup_t *lookup,
                               mouse_error_t **err)
{
    const char *name = setup->argv[0];

    lookup->model = setup->model(setup->baton, name, &lookup->slot);
    if (!lookup->model)
        return mouse_guard_refuse(setup, err, "there is no model \"%s\"", name);
    if (mouse_model_kind(lookup->model) != MOUSE_KIND_ONE)
        return mouse_guard_refuse(
            setup, err, "a lookup needs a :one model, %s is none (%s:%d)", name,
            mouse_model_file(lookup->model), mouse_model_line(lookup->model));
    return APR_SUCCESS;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    lookup_t *lookup = apr_pcalloc(setup->pconf, sizeof(*lookup));
    const char *status = NULL, *optional = NULL;
    const mouse_guard_option_t options[] = {
        {"else=", &status}, {"optional", &optional}, {NULL, NULL}};
    apr_status_t rv;

    if (setup->argc < 1)
        return mouse_guard_refuse(
            setup, err, "lookup needs a model: lookup sessions/by_token else=401");
    rv = mouse_guard_options(setup, 1, options, err);
    if (rv == APR_SUCCESS)
        rv = find_model(setup, lookup, err);
    if (rv != APR_SUCCESS)
        return rv;
    if (!status && !optional)
        return mouse_guard_refuse(setup, err, "else=STATUS is required (or optional)");
    lookup->name = apr_pstrdup(setup->pconf, setup->name);
    lookup->optional = optional != NULL;
    lookup->file = setup->file;
    lookup->line = setup->line;
    *config = lookup;
    return status ? mouse_guard_status(setup, status, &lookup->status, err) : APR_SUCCESS;
}

static mouse_verdict_t miss(const lookup_t *lookup, mouse_request_t *req,
                            mouse_context_t *context, mouse_error_t **err)
{
    if (lookup->optional) {
        context->missed = true;
        return MOUSE_GUARD_PASS;
    }
    return mouse_guard_end(req, lookup->status, NULL, err);
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const lookup_t *lookup = config;
    mouse_context_t context = {.guard = lookup->name};
    mouse_verdict_t verdict = MOUSE_GUARD_PASS;
    apr_status_t rv = mouse_model_lookup(req, lookup->model, *lookup->slot, &context, err);

    if (rv == APR_NOTFOUND)
        verdict = miss(lookup, req, &context, err);
    else if (rv != APR_SUCCESS)
        verdict = MOUSE_GUARD_DENY;
    if (verdict == MOUSE_GUARD_PASS)
        APR_ARRAY_PUSH(req->context, mouse_context_t) = context;
    return verdict;
}

static const mouse_model_t *get_model(const void *config, int i)
{
    return i == 0 ? ((const lookup_t *)config)->model : NULL;
}

static bool is_optional(const void *config)
{
    return ((const lookup_t *)config)->optional;
}

static apr_status_t tie(apr_pool_t *pconf, const void *config,
                        const mouse_guard_route_t *route, const void **bound,
                        mouse_error_t **err)
{
    lookup_t *tied = apr_pmemdup(pconf, config, sizeof(*tied));

    *bound = tied;
    return mouse_guard_bind_model(pconf, route, &tied->model, err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const lookup_t *lookup = config;

    facts->status = lookup->status;
}

const mouse_guard_provider_t mouse_guard_lookup = {
    .name = "lookup",
    .gives_context = true,
    .create = create,
    .check = check,
    .model = get_model,
    .optional = is_optional,
    .bind = tie,
    .describe = describe,
};
