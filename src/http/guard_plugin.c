/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Guards of other modules, written against mouse.h alone: each becomes a provider like
 * those of the guard room.
 */
#include "http/http_int.h"

#include <ap_provider.h>
#include <apr_strings.h>

/* The provider comes first, so that setup->provider leads back to the plugin. */
typedef struct row_t {
    mouse_guard_provider_t provider;
    const mouse_guard_plugin_t *plugin;
} row_t;

typedef struct config_t {
    const mouse_guard_plugin_t *plugin;
    const char *name;
    void *config;
    int field_count;
    int argument_count;
    const mouse_argument_t **arguments;
} config_t;

static apr_status_t read_arguments(mouse_guard_setup_t *setup, config_t *made,
                                   mouse_error_t **err)
{
    apr_status_t rv = APR_SUCCESS;

    made->argument_count = setup->argc;
    made->arguments = apr_pcalloc(setup->pconf, (setup->argc + 1) * sizeof(void *));
    for (int i = 0; rv == APR_SUCCESS && i < setup->argc; i++)
        rv = mouse_guard_argument(setup, setup->argv[i], &made->arguments[i], err);
    return rv;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    const row_t *row = (const row_t *)setup->provider;
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *wrong = NULL;
    apr_status_t rv = read_arguments(setup, made, err);

    if (rv != APR_SUCCESS)
        return rv;
    made->plugin = row->plugin;
    made->name = apr_pstrdup(setup->pconf, setup->name);
    while (row->plugin->fields && row->plugin->fields[made->field_count])
        made->field_count++;
    if (row->plugin->create)
        wrong = row->plugin->create(&mouse_call_api, setup->pconf, setup->argc, setup->argv,
                                    &made->config);
    *config = made;
    return wrong ? mouse_guard_refuse(setup, err, "%s", wrong) : APR_SUCCESS;
}

static mouse_context_t *give_nulls(const config_t *made, mouse_request_t *req)
{
    mouse_context_t *context;

    if (made->field_count == 0)
        return NULL;
    context = mouse_guard_give(req, made->name, made->field_count);
    for (int i = 0; i < made->field_count; i++)
        mouse_guard_set_text(context, i, made->plugin->fields[i], NULL);
    return context;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const config_t *made = config;
    mouse_call_t call = {.req = req,
                         .argument_count = made->argument_count,
                         .arguments = made->arguments,
                         .context = give_nulls(made, req)};
    int status = made->plugin->check(made->config, &call);

    if (status == 0 && !call.err)
        return MOUSE_GUARD_PASS;
    if (status != 0 && (!call.err || call.err->status != status))
        mouse_call_fail(&call, status, NULL);
    *err = call.err;
    return MOUSE_GUARD_DENY;
}

static bool gives(const void *config, const char *field)
{
    const config_t *made = config;

    for (int i = 0; i < made->field_count; i++) {
        if (strcmp(made->plugin->fields[i], field) == 0)
            return true;
    }
    return false;
}

const mouse_guard_provider_t *mouse_http_guard_find(apr_pool_t *pconf, const char *name,
                                                    const char **mistake)
{
    const mouse_guard_plugin_t *plugin =
        ap_lookup_provider(MOUSE_GUARD_GROUP, name, MOUSE_PROVIDER_VERSION);
    row_t *row;

    *mistake = NULL;
    if (!plugin) {
        *mistake =
            apr_psprintf(pconf,
                         "unknown guard provider \"%s\": there are %s, and what other "
                         "modules bring (is its LoadModule there?)",
                         name, mouse_guard_provider_names(pconf));
        return NULL;
    }
    if (plugin->version > MOUSE_API_VERSION) {
        *mistake = apr_psprintf(pconf,
                                "the guard provider \"%s\" was built for version %u of "
                                "mouse.h, this mod_mouse has version %d: update it",
                                name, plugin->version, MOUSE_API_VERSION);
        return NULL;
    }
    row = apr_pcalloc(pconf, sizeof(*row));
    row->plugin = plugin;
    row->provider = (mouse_guard_provider_t){.name = apr_pstrdup(pconf, name),
                                             .gives_context = plugin->fields != NULL,
                                             .reads_body = plugin->reads_body != 0,
                                             .create = create,
                                             .check = check,
                                             .gives = gives};
    return &row->provider;
}
