/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The order of guards before a route: what reads the body comes last, so that a request
 * that is refused anyway sends nothing; what may be guessed stands behind a limit; what a
 * cookie allows stands behind same-origin.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

/* Does a guard read context that those from `first` on give? */
typedef struct reading_t {
    const mouse_chain_t *chain;
    int first, last;
    bool found;
} reading_t;

static void visit_context(void *baton, const char *word, const char *field,
                          const mouse_model_t *model, int line)
{
    reading_t *reading = baton;

    (void)field;
    (void)model;
    (void)line;
    for (int i = reading->first; i < reading->last; i++)
        reading->found |= strcmp(mouse_chain_get(reading->chain, i)->name, word) == 0;
}

static int first_body_reader(const mouse_chain_t *chain)
{
    int i = 0;

    while (i < mouse_chain_count(chain) && !mouse_chain_get(chain, i)->reads_body)
        i++;
    return i;
}

static void check_body(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                       const mouse_chain_t *chain)
{
    int first = first_body_reader(chain);

    for (int i = first + 1; i < mouse_chain_count(chain); i++) {
        const mouse_guard_t *guard = mouse_chain_get(chain, i);
        reading_t reading = {.chain = chain, .first = first, .last = i};

        if (guard->reads_body || guard->provider->late)
            continue;
        mouse_guard_each_context(compiler->ptemp, guard, visit_context, &reading);
        if (!reading.found)
            mouse_report(compiler->report, route->item.place,
                         "the guard %s does not need the body, but stands behind %s, which "
                         "reads it: name %s earlier",
                         guard->name, mouse_chain_get(chain, first)->name, guard->name);
    }
}

static bool stands_before(const mouse_chain_t *chain, int end, const char *provider)
{
    for (int i = 0; i < end; i++) {
        if (strcmp(mouse_chain_get(chain, i)->provider->name, provider) == 0)
            return true;
    }
    return false;
}

static bool changes_something(const mouse_endpoint_t *endpoint)
{
    const mouse_model_t *model = mouse_endpoint_model(endpoint);

    return endpoint->method != MOUSE_GET && !endpoint->action->constant &&
           !(model && mouse_model_reads(model));
}

static bool reads_cookie(const mouse_endpoint_t *endpoint)
{
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    bool reads = model && mouse_model_takes_cookie(model);

    for (int i = 0; i < mouse_chain_count(endpoint->chain); i++)
        reads |= mouse_guard_reads_cookie(mouse_chain_get(endpoint->chain, i));
    return reads;
}

/* A cookie comes along with whatever page makes the browser send the request. */
static void check_cross_site(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                             const mouse_endpoint_t *endpoint)
{
    const mouse_chain_t *chain = endpoint->chain;

    if (!route->cross_site && changes_something(endpoint) && reads_cookie(endpoint) &&
        !stands_before(chain, mouse_chain_count(chain), "same-origin"))
        mouse_report(compiler->report, route->item.place,
                     "%s %s changes something for whoever a cookie names, so that other "
                     "sites' pages could do it, too: put a guard of the kind same-origin "
                     "into its chain, or say cross-site=allow",
                     mouse_method_name(route->method), route->item.name);
}

void mouse_order_check(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                       const mouse_endpoint_t *endpoint)
{
    const mouse_chain_t *chain = endpoint->chain;

    check_body(compiler, route, chain);
    check_cross_site(compiler, route, endpoint);
    for (int i = 0; i < mouse_chain_count(chain); i++) {
        const mouse_guard_t *guard = mouse_chain_get(chain, i);
        const char *wants = guard->provider->wants;

        if (wants && !stands_before(chain, i, wants))
            mouse_report_warning(compiler->report, route->item.place,
                                 "no guard of the kind %s stands before %s in this route",
                                 wants, guard->name);
    }
}
