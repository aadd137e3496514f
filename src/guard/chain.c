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

static apr_status_t tie(apr_pool_t *pconf, const mouse_guard_t *guard,
                        const char *const *names, const char *const *types, int name_count,
                        bool body_method, bool *used, const void **config,
                        mouse_error_t **err)
{
    *config = guard->config;
    if (!guard->provider->bind)
        return APR_SUCCESS;
    return guard->provider->bind(pconf, guard->config, names, types, name_count,
                                 body_method, used, config, err);
}

apr_status_t mouse_chain_create(apr_pool_t *pconf, const mouse_guard_t *const *guards,
                                int count, const char *const *names,
                                const char *const *types, int name_count, bool body_method,
                                bool *used, const mouse_chain_t **chain,
                                mouse_error_t **err)
{
    mouse_chain_t *made = apr_pcalloc(pconf, sizeof(*made));
    apr_status_t rv;
    int i;

    made->links = apr_pcalloc(pconf, sizeof(*made->links) * (size_t)(count + 1));
    made->guards = apr_pcalloc(pconf, sizeof(*made->guards) * (size_t)(count + 1));
    made->count = count;
    for (i = 0; i < count; i++) {
        made->guards[i] = *guards[i];
        rv = tie(pconf, guards[i], names, types, name_count, body_method, used,
                 &made->guards[i].config, err);
        if (rv != APR_SUCCESS)
            return rv;
        made->links[i] = (link_t){guards[i]->provider->check, made->guards[i].config};
        made->gives_context |= guards[i]->provider->gives_context;
    }
    *chain = made;
    return APR_SUCCESS;
}

int mouse_chain_count(const mouse_chain_t *chain)
{
    return chain->count;
}

const mouse_guard_t *mouse_chain_get(const mouse_chain_t *chain, int index)
{
    return &chain->guards[index];
}

bool mouse_chain_gives_context(const mouse_chain_t *chain)
{
    return chain->gives_context;
}

mouse_verdict_t mouse_chain_run(const mouse_chain_t *chain, mouse_request_t *req,
                                mouse_error_t **err)
{
    mouse_verdict_t verdict = MOUSE_GUARD_PASS;
    int i;

    if (!req->context && chain->count > 0)
        req->context = apr_array_make(req->pool, chain->count, sizeof(mouse_context_t));
    for (i = 0; verdict == MOUSE_GUARD_PASS && i < chain->count; i++)
        verdict = chain->links[i].check(chain->links[i].config, req, err);
    return verdict;
}
