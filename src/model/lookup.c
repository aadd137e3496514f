/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Runs a :one model for a guard: its row becomes context. No row is a miss, and so are two:
 * a guard must not choose among several who.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* Moves the row from the run's pool, which ends, into the request's. */
static void give_context(const mouse_run_t *run, mouse_context_t *context)
{
    const mouse_kept_t *kept = &run->kept[run->model->answering];
    apr_pool_t *p = run->req->pool;

    context->count = kept->count;
    context->names = apr_palloc(p, sizeof(*context->names) * (size_t)(kept->count + 1));
    context->values = apr_palloc(p, sizeof(*context->values) * (size_t)(kept->count + 1));
    for (int i = 0; i < kept->count; i++) {
        context->names[i] = apr_pstrdup(p, kept->names[i]);
        context->values[i] = mouse_value_copy(p, &kept->values[i]);
    }
}

static apr_status_t judge(const mouse_run_t *run, mouse_context_t *context)
{
    const mouse_kept_t *kept = &run->kept[run->model->answering];

    if (kept->affected > 1)
        mouse_log(run->req->log, MOUSE_LOG_ERROR,
                  "%s:%d: lookup %s found more than one row", run->model->file,
                  run->model->line, run->model->name);
    if (kept->affected != 1 || !kept->found)
        return APR_NOTFOUND;
    give_context(run, context);
    return APR_SUCCESS;
}

apr_status_t mouse_model_lookup(mouse_request_t *req, const mouse_model_t *model,
                                mouse_db_t *db, mouse_context_t *context,
                                mouse_error_t **err)
{
    mouse_run_t run;
    apr_status_t rv = mouse_bind_request(req, model, true, &run.binding, err);
    mouse_binding_t *binding = run.binding;

    if (rv != APR_SUCCESS)
        return rv;
    mouse_run_init(&run, req, model, db);
    run.binding = binding;
    rv = mouse_run_timed(&run, err);
    if (rv == APR_SUCCESS)
        rv = judge(&run, context);
    apr_pool_destroy(run.pool);
    return rv;
}
