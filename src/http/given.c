/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Context given by hand: a request that mouse-call runs has it in place of what guards
 * would find out. The chain says which of them do not run then.
 */
#include "http/http_int.h"

#include <apr_strings.h>

/* "user, hook", or "none". */
static const char *name_givers(apr_pool_t *p, const mouse_chain_t *chain)
{
    const char *names = NULL;

    for (int i = 0; i < mouse_chain_count(chain); i++) {
        const mouse_guard_t *guard = mouse_chain_get(chain, i);

        if (guard->provider->gives_context)
            names = names ? apr_pstrcat(p, names, ", ", guard->name, NULL) : guard->name;
    }
    return names ? names : "none";
}

static apr_status_t check_given(apr_pool_t *p, const mouse_chain_t *chain,
                                const mouse_context_t *given, mouse_error_t **err)
{
    int at = mouse_chain_find(chain, given->guard);
    const mouse_guard_t *guard = at < 0 ? NULL : mouse_chain_get(chain, at);

    if (!guard || !guard->provider->gives_context)
        return mouse_error_set(
            err, p, MOUSE_E_BAD_REQUEST,
            "No guard \"%s\" gives this route context; those that do: %s.", given->guard,
            name_givers(p, chain));
    for (int i = 0; guard->provider->gives && i < given->count; i++) {
        if (!guard->provider->gives(guard->config, given->names[i]))
            return mouse_error_set(err, p, MOUSE_E_BAD_REQUEST,
                                   "The guard \"%s\" has no field \"%s\".", given->guard,
                                   given->names[i]);
    }
    return APR_SUCCESS;
}

apr_status_t mouse_given_take(mouse_visit_t *visit, const mouse_chain_t *chain,
                              mouse_error_t **err)
{
    const mouse_visit_t *caller = mouse_visit_get(visit->r->prev);
    const apr_array_header_t *given = caller ? caller->given : NULL;
    apr_status_t rv = APR_SUCCESS;

    for (int i = 0; given && rv == APR_SUCCESS && i < given->nelts; i++)
        rv = check_given(visit->r->pool, chain, &APR_ARRAY_IDX(given, i, mouse_context_t),
                         err);
    visit->req.given = given;
    return rv;
}
