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
    const mouse_model_t *model = endpoint->action->model(endpoint->config);
    const mouse_conf_loaded_t *loaded =
        mouse_models_find(mouse_conf_get(openapi->server), mouse_model_name(model));

    return mouse_conn_open(openapi->p, &loaded->slot->config,
                           mouse_http_server_log(openapi->p, openapi->server),
                           &openapi->watch, conn, err);
}

void mouse_dump_openapi(apr_pool_t *ptemp, server_rec *s)
{
    openapi_t openapi = {
        ptemp, s, {.deadline = apr_time_now() + OPENAPI_TIMEOUT, .client = -1}};
    mouse_describer_t how = {ptemp, NULL, find_conn, &openapi, NULL};
    const char *document;
    mouse_error_t *err = NULL;

    for (; s && !how.site; s = s->next) {
        openapi.server = s;
        how.site = mouse_conf_site(s);
    }
    if (!how.site)
        printf("openapi: no server has routes\n");
    else if (mouse_openapi_create(&how, &document, &err) == APR_SUCCESS)
        printf("%s\n", document);
    else
        printf("openapi: %s\n", mouse_report_sentence(ptemp, err));
    fflush(stdout); /* before httpd's own "Syntax OK", which goes to stderr */
}
