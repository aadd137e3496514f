/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * coalesce: requests that would run the same statements with the same values share one run
 * and one answer. What is the same is told by a key (coalesce_key.c), who runs by the
 * flights.
 *
 * A leader runs as any request does, but for its watch: while others wait for its
 * statement, that its own client has gone does not end it.
 */

#include "model/flights_int.h"
#include "model/run_int.h"

#include <apr_strings.h>

/* ---- what is handed over ---- */

static apr_status_t release(void *landing)
{
    mouse_landing_release(landing);
    return APR_SUCCESS;
}

/* The answer is the landing's bytes, and keeps them as long as the request lives. */
static void share(mouse_run_t *run, mouse_landing_t *landing)
{
    apr_pool_cleanup_register(run->req->pool, landing, release, apr_pool_cleanup_null);
    if (landing->err)
        return;
    run->answer->status = landing->status;
    run->answer->content_type = landing->content_type;
    run->answer->headers = landing->headers;
    run->answer->shared = landing->body;
}

static const mouse_error_t *copy_error(apr_pool_t *p, const mouse_error_t *err)
{
    mouse_error_t *copy = apr_pmemdup(p, err, sizeof(*err));

    copy->detail = apr_pstrdup(p, err->detail);
    copy->log = apr_pstrdup(p, err->log);
    copy->parameter = apr_pstrdup(p, err->parameter);
    return copy;
}

static mouse_landing_t *pack_error(const mouse_error_t *err)
{
    mouse_landing_t *landing = mouse_landing_create();

    landing->err = copy_error(mouse_landing_pool(landing), err);
    return landing;
}

/* NULL: the answer is in a temporary file, which has one reader. */
static mouse_landing_t *pack_answer(mouse_run_t *run)
{
    mouse_answer_t *answer = run->answer;
    mouse_landing_t *landing;

    if (answer->body.file)
        return NULL;
    landing = mouse_landing_create();
    landing->status = answer->status;
    landing->content_type = answer->content_type;
    if (answer->headers && !apr_is_empty_table(answer->headers))
        landing->headers = apr_table_clone(mouse_landing_pool(landing), answer->headers);
    landing->body.len = answer->body.buf.len;
    landing->body.data = mouse_buf_detach(&answer->body.buf);
    return landing;
}

/* ---- the leader ---- */

struct mouse_lead_t {
    mouse_flight_t *flight;
    bool departed;
    mouse_watch_t own; /* the watch as it was */
};

/* mouse_watch_t's gone: a statement runs on while somebody waits for it. */
static bool all_gone(void *baton)
{
    const mouse_lead_t *lead = baton;

    return mouse_flight_waiting(lead->flight) == 0 && mouse_watch_gone(&lead->own);
}

void mouse_coalesce_depart(mouse_run_t *run)
{
    mouse_lead_t *lead = run->lead;
    mouse_watch_t *watch = &run->req->watch;

    if (lead->departed)
        return;
    lead->departed = true;
    if (mouse_flight_depart(lead->flight) == 0)
        return;
    watch->client = -1;
    watch->gone = all_gone;
    watch->baton = lead;
}

/* Would another request have met it, too? */
static bool concerns_all(const mouse_error_t *err)
{
    switch (err->code) {
    case MOUSE_E_CLIENT_GONE:
    case MOUSE_E_DB_TIMEOUT:
    case MOUSE_E_DB_BUSY:
    case MOUSE_E_INTERNAL:
        return false;
    default:
        return !err->violations;
    }
}

/* Ends the flight with what the run has come to. */
static void land(mouse_run_t *run, mouse_flight_t *flight, const mouse_error_t *err)
{
    mouse_landing_t *landing = NULL;

    if (err && !concerns_all(err)) {
        mouse_flight_abandon(flight);
        return;
    }
    if (mouse_flight_depart(flight) > 0)
        landing = err ? pack_error(err) : pack_answer(run);
    if (landing)
        share(run, landing);
    mouse_flight_land(flight, landing);
}

static apr_status_t lead_flight(mouse_run_t *run, mouse_flight_t *flight,
                                mouse_error_t **err)
{
    mouse_lead_t lead = {.flight = flight, .own = run->req->watch};
    apr_status_t rv;

    run->lead = &lead;
    rv = mouse_run_timed(run, err);
    run->lead = NULL;
    run->req->watch = lead.own;
    land(run, flight, rv == APR_SUCCESS ? NULL : *err);
    return rv;
}

/* ---- everybody ---- */

static apr_status_t take_landing(mouse_run_t *run, mouse_landing_t *landing,
                                 mouse_error_t **err)
{
    share(run, landing);
    if (!landing->err)
        return APR_SUCCESS;
    *err = apr_pmemdup(run->req->pool, landing->err, sizeof(**err));
    return APR_EGENERAL;
}

static apr_status_t end_waiting(mouse_run_t *run, mouse_code_t code, mouse_error_t **err)
{
    mouse_error_set(err, run->req->pool, code, NULL);
    (*err)->retry_after = code == MOUSE_E_DB_BUSY;
    (*err)->log = apr_psprintf(run->req->pool, "%s: while waiting for its turn to run",
                               run->model->name);
    return APR_EGENERAL;
}

apr_status_t mouse_coalesce_run(mouse_run_t *run, mouse_error_t **err)
{
    mouse_flights_t *flights = *run->shape->coalesce->flights;
    mouse_landing_t *landing = NULL;
    mouse_flight_t *flight = NULL;
    mouse_slice_t key;
    mouse_seat_t seat;

    if (!flights || !run->db)
        return mouse_run_timed(run, err);
    if (mouse_coalesce_key(run, &key, err) != APR_SUCCESS)
        return APR_EGENERAL;
    mouse_phase(run->req, MOUSE_PHASE_WAIT);
    seat = mouse_flights_board(flights, key, &run->req->watch,
                               mouse_db_config(run->db)->wait, &flight, &landing);
    mouse_phase(run->req, MOUSE_PHASE_OTHER);
    switch (seat) {
    case MOUSE_SEAT_LEADS:
        return lead_flight(run, flight, err);
    case MOUSE_SEAT_LANDED:
        return take_landing(run, landing, err);
    case MOUSE_SEAT_BUSY:
        return end_waiting(run, MOUSE_E_DB_BUSY, err);
    case MOUSE_SEAT_TIMEOUT:
        return end_waiting(run, MOUSE_E_DB_TIMEOUT, err);
    case MOUSE_SEAT_GONE:
        return end_waiting(run, MOUSE_E_CLIENT_GONE, err);
    case MOUSE_SEAT_ALONE:
        break;
    }
    return mouse_run_timed(run, err);
}
