/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * How often a run is tried. Only what certainly did not happen is tried again: a
 * transaction that the database rolled back, a connection lost before its COMMIT was sent,
 * a prepared statement that no longer fits its tables.
 */

#include "model/run_int.h"

#include <apr_general.h>
#include <apr_strings.h>

#define DEADLOCK_RETRIES 3
#define DEADLOCK_PAUSE   apr_time_from_msec(5)
#define KEY_STATEMENTS   4

typedef struct budget_t {
    int deadlocks, losses, stales;
} budget_t;

static void give_back(mouse_run_t *run)
{
    if (run->conn)
        mouse_conn_release(run->conn);
    run->conn = NULL;
}

static void begin_afresh(mouse_run_t *run)
{
    apr_pool_clear(run->pool);
    run->kept = apr_pcalloc(run->pool, sizeof(*run->kept) * (size_t)run->model->sql_count);
    run->sent = MOUSE_SENT_NOTHING;
    run->in_transaction = false;
    run->reserving = false;
    run->replayed = false;
    run->fault = MOUSE_FAULT_NONE;
    run->members = 0;
    run->status = 0;
    run->rows = 0;
    run->affected = 0;
    if (run->answer)
        mouse_sink_reset(&run->answer->body);
}

static apr_status_t try_once(mouse_run_t *run, mouse_error_t **err)
{
    apr_status_t rv = APR_SUCCESS;

    begin_afresh(run);
    mouse_phase(run->req, MOUSE_PHASE_WAIT);
    if (!run->conn)
        rv = mouse_conn_acquire(run->db, run->req->pool, &run->req->watch, &run->conn, err);
    mouse_phase(run->req, MOUSE_PHASE_SQL);
    if (rv == APR_SUCCESS && run->lead)
        mouse_coalesce_depart(run);
    if (rv == APR_SUCCESS)
        rv = mouse_transact(run, err);
    return rv;
}

/* A pause that grows with each failure, and differs between those who met. A try that is
 * likely to meet the deadline is not begun: what it had sent would then be in doubt. */
static bool pause_before(mouse_run_t *run, int failures, apr_interval_time_t took)
{
    unsigned char random = 0;
    apr_interval_time_t pause = DEADLOCK_PAUSE << failures;
    const mouse_watch_t *watch = &run->req->watch;

    (void)apr_generate_random_bytes(&random, 1);
    pause += pause * random / 256;
    if (apr_time_now() + pause + took >= watch->deadline ||
        (watch->gone && watch->gone(watch->baton)))
        return false;
    apr_sleep(pause);
    return true;
}

static bool worth_another(mouse_run_t *run, budget_t *left, apr_interval_time_t took)
{
    switch (run->fault) {
    case MOUSE_FAULT_DEADLOCK:
        if (run->reserving)
            return pause_before(run, 0, took);
        return left->deadlocks > 0 &&
               pause_before(run, DEADLOCK_RETRIES - left->deadlocks--, took);
    case MOUSE_FAULT_STALE:
        return left->stales-- > 0;
    case MOUSE_FAULT_LOST:
        give_back(run);
        return left->losses-- > 0;
    default:
        return false;
    }
}

apr_status_t mouse_retry(mouse_run_t *run, mouse_error_t **err)
{
    budget_t left = {DEADLOCK_RETRIES, 1,
                     run->model->sql_count + (run->key ? KEY_STATEMENTS : 0)};
    apr_time_t start;
    apr_status_t rv;

    do {
        start = apr_time_now();
        rv = try_once(run, err);
    } while (rv != APR_SUCCESS && worth_another(run, &left, apr_time_now() - start));
    if (rv != APR_SUCCESS && mouse_idempotency_waits(run))
        rv = mouse_idempotency_give_up(run, err);
    give_back(run);
    return rv;
}
