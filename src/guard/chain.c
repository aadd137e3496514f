/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Chains: the guards of one route, each tied to its path, run in order up to a denial. */

#include "guard/mouse_guard.h"

#include <apr_strings.h>

typedef struct link_t {
    mouse_guard_check_fn check;
    const void *config;
} link_t;

struct mouse_chain_t {
    int count;
    link_t *links;
    mouse_guard_t *guards; /* with the configs of this route */
    bool gives_context;
};

/* Has the path a parameter of this name? Then somebody reads it. */
static bool mark_path(const char *name, const mouse_guard_route_t *route)
{
    for (int i = 0; i < route->count; i++) {
        if (strcmp(route->names[i], name) == 0)
            return route->used[i] = true;
    }
    return false;
}

/* A bare name that the path has is read there, any other where the model says, else in the
 * query or the body. */
static bool argument_reads_body(const mouse_guard_t *guard,
                                const mouse_guard_route_t *route)
{
    bool reads = false;

    for (int i = 0; i < guard->reads->nelts; i++) {
        const char *name = APR_ARRAY_IDX(guard->reads, i, const char *);

        if (strchr(name, '.'))
            reads |= strcmp(name, "request.body") == 0;
        else
            reads |= !mark_path(name, route) && route->has_body &&
                     !(route->model && mouse_model_names_elsewhere(route->model, name));
    }
    return reads;
}

static apr_status_t tie(apr_pool_t *pconf, const mouse_guard_route_t *route,
                        mouse_guard_t *guard, mouse_error_t **err)
{
    const mouse_model_t *model;
    apr_status_t rv = APR_SUCCESS;

    if (guard->provider->bind)
        rv = guard->provider->bind(pconf, guard->config, route, &guard->config, err);
    if (rv != APR_SUCCESS)
        return rv;
    guard->reads_body |= argument_reads_body(guard, route);
    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++)
        guard->reads_body |= mouse_model_takes_body(model, route->has_body);
    return APR_SUCCESS;
}

apr_status_t mouse_chain_create(apr_pool_t *pconf, const mouse_guard_t *const *guards,
                                int count, const mouse_guard_route_t *route,
                                const mouse_chain_t **chain, mouse_error_t **err)
{
    mouse_chain_t *made = apr_pcalloc(pconf, sizeof(*made));
    apr_status_t rv;

    made->links = apr_pcalloc(pconf, sizeof(*made->links) * (size_t)(count + 1));
    made->guards = apr_pcalloc(pconf, sizeof(*made->guards) * (size_t)(count + 1));
    made->count = count;
    for (int i = 0; i < count; i++) {
        made->guards[i] = *guards[i];
        rv = tie(pconf, route, &made->guards[i], err);
        if (rv != APR_SUCCESS)
            return rv;
        made->links[i] = (link_t){guards[i]->provider->check, made->guards[i].config};
        made->gives_context |= guards[i]->provider->gives_context;
    }
    *chain = made;
    return APR_SUCCESS;
}

const apr_array_header_t *mouse_chain_inputs(apr_pool_t *pconf, const mouse_chain_t *chain)
{
    apr_array_header_t *names = apr_array_make(pconf, 4, sizeof(const char *));
    const mouse_model_t *model;

    for (int i = 0; i < chain->count; i++) {
        const mouse_guard_t *guard = &chain->guards[i];

        for (int k = 0; k < guard->reads->nelts; k++) {
            const char *name = APR_ARRAY_IDX(guard->reads, k, const char *);

            if (!strchr(name, '.'))
                APR_ARRAY_PUSH(names, const char *) = name;
        }
        for (int k = 0;
             !guard->provider->reads_body && (model = mouse_guard_model(guard, k)) != NULL;
             k++)
            mouse_model_inputs(model, names);
    }
    return names;
}

int mouse_chain_count(const mouse_chain_t *chain)
{
    return chain->count;
}

const mouse_guard_t *mouse_chain_get(const mouse_chain_t *chain, int index)
{
    return &chain->guards[index];
}

int mouse_chain_find(const mouse_chain_t *chain, const char *name)
{
    for (int i = 0; i < chain->count; i++) {
        if (strcmp(chain->guards[i].name, name) == 0)
            return i;
    }
    return -1;
}

bool mouse_chain_gives_context(const mouse_chain_t *chain)
{
    return chain->gives_context;
}

/* RFC 9110, 15.5.2: a 401 names at least one way to authenticate. Where no guard knows one,
 * the application has its own. */
static void add_challenges(mouse_request_t *req)
{
    int count = req->challenges ? req->challenges->nelts : 0;

    for (int i = 0; i < count; i++)
        mouse_guard_header(req, "WWW-Authenticate",
                           APR_ARRAY_IDX(req->challenges, i, const char *));
    if (count == 0)
        mouse_guard_header(req, "WWW-Authenticate", "Session");
}

/* Takes what was given by hand; behind the guards that it stands for, those in front of
 * them included: they were there to find it out. */
static int take_given(const mouse_chain_t *chain, mouse_request_t *req)
{
    const mouse_context_t *given;
    int behind = 0;

    for (int i = 0; i < chain->count; i++) {
        given = mouse_context_of(req->given, chain->guards[i].name);
        if (!given)
            continue;
        APR_ARRAY_PUSH(req->context, mouse_context_t) = *given;
        behind = i + 1;
    }
    return behind;
}

mouse_verdict_t mouse_chain_run(const mouse_chain_t *chain, mouse_request_t *req,
                                mouse_error_t **err)
{
    mouse_verdict_t verdict = MOUSE_GUARD_PASS;
    int i, given = 0;

    if (!req->context && chain->count > 0)
        req->context = apr_array_make(req->pool, chain->count, sizeof(mouse_context_t));
    if (req->given)
        given = take_given(chain, req);
    if (req->timing)
        mouse_timing_mark(req->timing);
    for (i = 0; verdict == MOUSE_GUARD_PASS && i < chain->count; i++) {
        if (i < given && chain->guards[i].provider->gives_context)
            continue;
        verdict = chain->links[i].check(chain->links[i].config, req, err);
        if (req->timing)
            mouse_timing_lap(req->timing, chain->guards[i].name);
    }
    if (verdict == MOUSE_GUARD_DENY) {
        req->denied = i;
        if ((*err)->status == 401)
            add_challenges(req);
    }
    return verdict;
}
