/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One try of a model: BEGIN where it needs one, its statements in order, the answer made
 * whole, then COMMIT - or ROLLBACK, when anything failed or the answer refuses.
 */

#include "model/run_int.h"

/* A statement that runs per element is many writes: never left to commit one by one. */
static bool commits_itself(const mouse_model_t *model)
{
    return model->autocommit && model->sql_count == 1 && model->sqls[0].each < 0;
}

static bool needs_transaction(const mouse_run_t *run)
{
    const mouse_model_t *model = run->model;

    if (run->key)
        return true;
    return model->reads ? model->sql_count > 1 : !commits_itself(model);
}

/* On SQLite a transaction that writes begins behind all others: those with the key, too. */
static apr_status_t begin(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_model_t *model = run->model;

    if (!needs_transaction(run))
        return APR_SUCCESS;
    run->reserving = run->key && model->dialect == MOUSE_DIALECT_SQLITE;
    if (mouse_conn_begin(run->conn, model->reads ? MOUSE_TX_READ : MOUSE_TX_WRITE) !=
        APR_SUCCESS)
        return mouse_run_fault(run, NULL, err);
    run->in_transaction = true;
    return APR_SUCCESS;
}

static void roll_back(mouse_run_t *run)
{
    if (run->in_transaction && run->fault != MOUSE_FAULT_LOST)
        mouse_conn_rollback(run->conn);
    run->in_transaction = false;
}

static apr_status_t commit(mouse_run_t *run, mouse_error_t **err)
{
    apr_status_t rv;

    run->sent = MOUSE_SENT_COMMIT;
    run->req->watch.committing = true;
    rv = mouse_conn_commit(run->conn);
    run->req->watch.committing = false;
    if (rv != APR_SUCCESS)
        return mouse_run_fault(run, NULL, err);
    run->in_transaction = false;
    return APR_SUCCESS;
}

static apr_status_t end_answer(mouse_run_t *run, mouse_error_t **err)
{
    apr_status_t rv;

    mouse_phase(run->req, MOUSE_PHASE_JSON);
    rv = mouse_answer_end(run, err);
    mouse_phase(run->req, MOUSE_PHASE_SQL);
    return rv;
}

static apr_status_t run_all(mouse_run_t *run, mouse_error_t **err)
{
    apr_status_t rv = run->key ? mouse_idempotency_reserve(run, err) : APR_SUCCESS;

    if (run->replayed)
        return rv;
    for (int i = 0; rv == APR_SUCCESS && i < run->model->sql_count; i++)
        rv = mouse_step_run(run, i, err);
    if (rv == APR_SUCCESS && run->answer)
        rv = end_answer(run, err);
    if (rv == APR_SUCCESS && run->key && run->answer->status < 400)
        rv = mouse_idempotency_store(run, err);
    return rv;
}

/* A refusing answer, a stored one, and a lookup that will deny leave nothing behind. */
static bool leaves_nothing(const mouse_run_t *run)
{
    if (run->answer)
        return run->replayed || run->answer->status >= 400;
    return run->kept[run->model->answering].affected != 1;
}

apr_status_t mouse_transact(mouse_run_t *run, mouse_error_t **err)
{
    apr_status_t rv = begin(run, err);

    if (rv == APR_SUCCESS)
        rv = run_all(run, err);
    if (rv == APR_SUCCESS && run->in_transaction && !run->model->reads &&
        !leaves_nothing(run)) {
        rv = commit(run, err);
        if (rv == APR_SUCCESS && run->key)
            mouse_idempotency_sweep(run);
    }
    roll_back(run);
    return rv;
}
