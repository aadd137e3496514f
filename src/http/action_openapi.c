/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `openapi TITLE VERSION`: the OpenAPI document of this server or virtual host. The first
 * request of a process makes it, since only then a database can be asked for its columns;
 * the others get the same bytes until the configuration is read again.
 */
#include "http/openapi_int.h"

typedef struct config_t {
    const char *title, *version;
    mouse_once_t *document;
} config_t;

static bool is_utf8(const char *text)
{
    return mouse_utf8_valid(text, strlen(text));
}

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));

    (void)used;
    made->title = setup->argv[0];
    made->version = setup->argv[1];
    made->document = mouse_once_create(setup->pconf);
    *config = made;
    if (setup->method != MOUSE_GET)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "openapi is for GET");
    if (!is_utf8(made->title) || !is_utf8(made->version))
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "openapi takes a title and a version in UTF-8");
    return APR_SUCCESS;
}

void mouse_openapi_names(const void *config, const char **title, const char **version)
{
    const config_t *made = config;

    *title = made->title;
    *version = made->version;
}

static apr_status_t find_conn(void *baton, const mouse_endpoint_t *endpoint,
                              mouse_conn_t **conn, mouse_error_t **err)
{
    mouse_request_t *req = baton;
    mouse_db_t *db = endpoint->action->database(endpoint->config);

    /* The child could not make the pool, which its log says. */
    if (!db)
        return mouse_error_set(err, req->pool, MOUSE_E_DB_DOWN, NULL);
    return mouse_conn_acquire(db, req->pool, &req->watch, conn, err);
}

static apr_status_t make_document(void *baton, mouse_request_t *req, const char **document,
                                  mouse_error_t **err)
{
    const mouse_visit_t *visit = req->baton;
    const mouse_describer_t how = {req->pool, visit->site, find_conn, req, baton};

    return mouse_openapi_create(&how, document, err);
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const config_t *config = endpoint->config;
    const char *document;

    (void)format;
    if (mouse_once_get(config->document, req, make_document, (void *)endpoint, &document,
                       err) != APR_SUCCESS)
        return APR_EGENERAL;
    answer->status = endpoint->shape.status;
    answer->content_type = "application/json";
    answer->fixed = mouse_slice_of(document);
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

const mouse_action_t mouse_action_openapi = {.name = "openapi",
                                             .argc = 2,
                                             .always_body = true,
                                             .hidden = true,
                                             .create = create,
                                             .run = run};
