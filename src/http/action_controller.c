/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `controller NAME`: C code of another module answers, against mouse.h alone.
 *
 * The controller sees a mouse_call_t through the function table in call.c; what it wrote is
 * an ordinary answer, and a status of 400 or more is an ordinary problem.
 */
#include "http/http_int.h"

#include <ap_provider.h>
#include <apr_strings.h>

typedef struct config_t {
    const mouse_controller_t *controller;
    void *config;
} config_t;

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *name = setup->argv[0], *wrong = NULL;

    made->controller =
        ap_lookup_provider(MOUSE_CONTROLLER_GROUP, name, MOUSE_PROVIDER_VERSION);
    if (!made->controller)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "no module has registered a controller named \"%s\": is its "
                              "LoadModule there?",
                              name);
    if (made->controller->version > MOUSE_API_VERSION)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "controller \"%s\" was built for version %u of mouse.h, this "
                              "mod_mouse has version %d: update it",
                              name, made->controller->version, MOUSE_API_VERSION);
    if (made->controller->create)
        wrong = made->controller->create(&mouse_call_api, setup->pconf, &made->config);
    if (wrong)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "controller \"%s\": %s", name, wrong);
    for (int i = 0; i < setup->pattern->count; i++)
        used[i] = true;
    *config = made;
    return APR_SUCCESS;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const config_t *config = endpoint->config;
    mouse_call_t call = {.req = req, .answer = answer};
    int status;

    (void)format;
    answer->status = endpoint->shape.status;
    answer->headers = apr_table_make(req->pool, 4);
    mouse_sink_init(&answer->body, req->pool, req->settings->max_memory,
                    req->settings->max_answer);
    status = config->controller->run(config->config, &call);
    if (status == 0 && !call.err)
        return mouse_headers_expand(&endpoint->shape, req, answer, err);
    if (status != 0 && (!call.err || call.err->status != status))
        mouse_call_fail(&call, status, NULL);
    *err = call.err;
    return APR_EGENERAL;
}

const mouse_action_t mouse_action_controller = {
    .name = "controller", .argc = 1, .create = create, .run = run};
