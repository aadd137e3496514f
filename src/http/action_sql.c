/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `sql MODEL`: runs a model and answers with its rows. */

#include "http/http_int.h"

typedef struct config_t {
    const mouse_model_t *model; /* bound to the route's path */
    mouse_db_t *const *db;      /* filled when the child starts */
} config_t;

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const mouse_model_t *model = setup->model(setup->baton, setup->argv[0], &made->db);

    if (!model)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "no model named \"%s\": MouseModels names the directories, "
                              "and a model is FILE/NAME of its `-- name:` line",
                              setup->argv[0]);
    if (setup->method == MOUSE_GET && !mouse_model_reads(model))
        return mouse_error_at(
            err, setup->pconf, setup->file, setup->line, 0,
            "GET cannot run \"%s\" (%s:%d), which writes: use another method",
            setup->argv[0], mouse_model_file(model), mouse_model_line(model));
    *config = made;
    return mouse_model_bind(setup->pconf, model, setup->names, setup->types,
                            setup->pattern->count, mouse_method_has_body(setup->method),
                            used, &made->model, err);
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const config_t *config = endpoint->config;

    return mouse_model_run(req, config->model, *config->db, &endpoint->shape, format,
                           answer, err);
}

static const mouse_model_t *model_of(const void *config)
{
    return ((const config_t *)config)->model;
}

static mouse_db_t *database_of(const void *config)
{
    return *((const config_t *)config)->db;
}

/* *again: an old connection had died meanwhile, which the next one need not have. */
static apr_status_t describe_once(const mouse_endpoint_t *endpoint,
                                  const mouse_describer_t *how, struct json_t **schema,
                                  bool *again, mouse_error_t **err)
{
    const config_t *config = endpoint->config;
    mouse_conn_t *conn;
    apr_status_t rv = how->connect(how->baton, endpoint, &conn, err);

    *again = false;
    if (rv != APR_SUCCESS)
        return rv;
    rv = mouse_model_describe_answer(how->p, config->model, conn,
                                     how->site->settings.numbers, schema, err);
    *again = rv != APR_SUCCESS && mouse_conn_used(conn) &&
             mouse_conn_fault(conn)->class == MOUSE_FAULT_LOST;
    mouse_conn_release(conn);
    return rv;
}

static apr_status_t describe(const mouse_endpoint_t *endpoint, const mouse_describer_t *how,
                             struct json_t **schema, mouse_error_t **err)
{
    apr_status_t rv;
    bool again;

    do
        rv = describe_once(endpoint, how, schema, &again, err);
    while (again);
    return rv;
}

const mouse_action_t mouse_action_sql = {.name = "sql",
                                         .argc = 1,
                                         .create = create,
                                         .run = run,
                                         .model = model_of,
                                         .database = database_of,
                                         .describe = describe};
