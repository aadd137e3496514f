/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Guards made from a provider and its arguments, and what they read of a request. */

#include "guard/mouse_guard.h"

#include <apr_strings.h>

apr_status_t mouse_guard_create(mouse_guard_setup_t *setup,
                                const mouse_guard_provider_t *provider,
                                mouse_guard_t **guard, mouse_error_t **err)
{
    mouse_guard_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    void *config = NULL;
    apr_status_t rv;

    if (mouse_word_reserved(setup->name))
        return mouse_guard_refuse(setup, err,
                                  "this is a word of its own and cannot name a guard");
    setup->provider = provider;
    setup->reads = apr_array_make(setup->pconf, 2, sizeof(const char *));
    rv = provider->create(setup, &config, err);
    if (rv != APR_SUCCESS)
        return rv;
    *made = (mouse_guard_t){.name = apr_pstrdup(setup->pconf, setup->name),
                            .provider = provider,
                            .config = config,
                            .reads = setup->reads,
                            .reads_body = provider->reads_body,
                            .refreshes = setup->refreshes,
                            .file = setup->file,
                            .line = setup->line};
    *guard = made;
    return APR_SUCCESS;
}

/* One visit of what a guard reads. */
typedef struct visit_t {
    mouse_guard_visit_fn visit;
    void *baton;
    const mouse_model_t *model;
} visit_t;

static void visit_model(void *baton, const char *word, const char *field, int line,
                        int column)
{
    const visit_t *visit = baton;

    (void)column;
    visit->visit(visit->baton, word, field, visit->model, line);
}

void mouse_guard_each_context(apr_pool_t *ptmp, const mouse_guard_t *guard,
                              mouse_guard_visit_fn visit, void *baton)
{
    visit_t with = {visit, baton, NULL};

    for (int i = 0; i < guard->reads->nelts; i++) {
        const char *name = APR_ARRAY_IDX(guard->reads, i, const char *);
        const char *dot = strchr(name, '.');

        if (dot)
            visit(baton, apr_pstrmemdup(ptmp, name, (size_t)(dot - name)), dot + 1, NULL,
                  guard->line);
    }
    for (int i = 0; (with.model = mouse_guard_model(guard, i)) != NULL; i++)
        mouse_model_each_context(with.model, visit_model, &with);
}

const mouse_model_t *mouse_guard_model(const mouse_guard_t *guard, int i)
{
    return guard->provider->model ? guard->provider->model(guard->config, i) : NULL;
}

bool mouse_guard_gives_early(const mouse_guard_t *guard, const char *field)
{
    const char *const *early = guard->provider->early;

    for (; early && *early; early++) {
        if (strcmp(*early, field) == 0)
            return true;
    }
    return false;
}

mouse_guard_facts_t mouse_guard_describe(const mouse_guard_t *guard)
{
    mouse_guard_facts_t facts = {0};

    if (guard->provider->describe)
        guard->provider->describe(guard->config, &facts);
    return facts;
}

bool mouse_guard_reads_cookie(const mouse_guard_t *guard)
{
    const mouse_model_t *model;

    for (int i = 0; i < guard->reads->nelts; i++) {
        if (strncmp(APR_ARRAY_IDX(guard->reads, i, const char *), "cookie.", 7) == 0)
            return true;
    }
    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++) {
        if (mouse_model_takes_cookie(model))
            return true;
    }
    return false;
}
