/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Runs a bound model: parameters first, then a connection, then its tries; the answer is
 * complete and the connection back in its pool when this returns.
 */

#include "model/run_int.h"

void mouse_run_init(mouse_run_t *run, mouse_request_t *req, const mouse_model_t *model,
                    mouse_db_t *db)
{
    *run = (mouse_run_t){.req = req, .model = model, .db = db};
    apr_pool_create(&run->pool, req->pool);
}

static void log_slow(const mouse_run_t *run, apr_interval_time_t took)
{
    apr_interval_time_t limit = run->req->settings->slow_query;

    if (limit > 0 && took >= limit)
        mouse_log(run->req->log, MOUSE_LOG_WARNING,
                  "slow query: model %s took %" APR_TIME_T_FMT " ms, %" APR_UINT64_T_FMT
                  " rows",
                  run->model->name, apr_time_as_msec(took), (apr_uint64_t)run->rows);
}

apr_status_t mouse_run_timed(mouse_run_t *run, mouse_error_t **err)
{
    apr_time_t start = run->req->settings->slow_query > 0 ? apr_time_now() : 0;
    apr_status_t rv;

    /* The child could not make the pool, which its log says. */
    if (!run->db)
        return mouse_error_set(err, run->req->pool, MOUSE_E_DB_DOWN, NULL);
    rv = mouse_retry(run, err);
    mouse_phase(run->req, MOUSE_PHASE_OTHER);
    if (run->req->timing)
        run->req->timing->rows += run->rows;
    if (start > 0)
        log_slow(run, apr_time_now() - start);
    return rv;
}

static apr_status_t take_key(mouse_run_t *run, mouse_error_t **err)
{
    mouse_sink_t *body = &run->answer->body;
    apr_off_t least = (apr_off_t)mouse_idempotency_memory();
    apr_status_t rv = mouse_key_create(run->req, run->shape->idempotent, &run->key, err);

    if (run->key && body->max_memory < least)
        body->max_memory = least;
    return rv;
}

apr_status_t mouse_model_run(mouse_request_t *req, const mouse_model_t *model,
                             mouse_db_t *db, const mouse_shape_t *shape,
                             mouse_format_t format, mouse_answer_t *answer,
                             mouse_error_t **err)
{
    const mouse_settings_t *settings = req->settings;
    mouse_run_t run;
    apr_status_t rv;

    mouse_run_init(&run, req, model, db);
    run.shape = shape;
    run.format = model->kind == MOUSE_KIND_MANY ? format : MOUSE_FORMAT_JSON;
    run.answer = answer;
    *answer = (mouse_answer_t){.status = 0};
    mouse_sink_init(&answer->body, req->pool, settings->max_memory, settings->max_answer);
    rv = take_key(&run, err);
    if (rv == APR_SUCCESS)
        rv = mouse_bind_request(req, model, false, &run.binding, err);
    if (rv == APR_SUCCESS)
        rv = shape->coalesce ? mouse_coalesce_run(&run, err) : mouse_run_timed(&run, err);
    apr_pool_destroy(run.pool);
    return rv;
}
