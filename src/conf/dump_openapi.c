/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D MOUSE_OPENAPI: the OpenAPI document of the first server that has routes, as
 * the action openapi answers it, with connections opened for it.
 */
#include "conf/conf_int.h"

#define OPENAPI_TIMEOUT apr_time_from_sec(10)

typedef struct openapi_t {
    apr_pool_t *p;
    server_rec *server;
    mouse_watch_t watch;
} openapi_t;

static apr_status_t find_conn(void *baton, const mouse_endpoint_t *endpoint,
                              mouse_conn_t **conn, mouse_error_t **err)
{
    openapi_t *openapi = baton;
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    const mouse_conf_slot_t *slot =
        mouse_models_find(mouse_conf_get(openapi->server), mouse_model_name(model))->slot;
    mouse_error_t *why = NULL;

    if (mouse_conn_open(openapi->p, &slot->config,
                        mouse_http_server_log(openapi->p, openapi->server), &openapi->watch,
                        conn, &why) == APR_SUCCESS)
        return APR_SUCCESS;
    return mouse_error_at(err, openapi->p, slot->place.file, slot->place.line, 0,
                          "cannot open the database %s: %s", slot->config.name,
                          mouse_report_sentence(openapi->p, why));
}

void mouse_dump_openapi(mouse_report_t *report, server_rec *s)
{
    const mouse_place_t nowhere = {NULL, 0};
    openapi_t openapi = {
        report->p, s, {.deadline = apr_time_now() + OPENAPI_TIMEOUT, .client = -1}};
    mouse_describer_t how = {report->p, NULL, find_conn, &openapi, NULL};
    const char *document;
    mouse_error_t *err = NULL;

    for (; s && !how.site; s = s->next) {
        openapi.server = s;
        how.site = mouse_conf_site(s);
    }
    if (!how.site)
        mouse_report(report, nowhere, "no server has routes for an OpenAPI document");
    else if (mouse_openapi_create(&how, &document, &err) == APR_SUCCESS)
        printf("%s\n", document);
    else
        mouse_report_error(report, nowhere, err);
    fflush(stdout); /* before httpd's own "Syntax OK", which goes to stderr */
}
