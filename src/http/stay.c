/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseStay: under event, the thread that has answered waits a little for the connection's
 * next request instead of handing it to the listener and being woken by it.
 *
 * When an answer is complete httpd looks for a pipelined request, by a speculative read
 * that does not block. A connection filter finds nothing there, sends what is buffered (the
 * client would else wait for us), and polls; what then comes is to httpd a pipelined
 * request. A thread begins to wait when the last request came within half of that time, so
 * that clients that pause cost no wait at all; and only half of a child's threads do, so
 * that the listener always finds others.
 */
#include "http/http_int.h"

#include <poll.h>

#include <ap_mpm.h>
#include <apr_atomic.h>
#include <apr_portable.h>
#include <http_connection.h>
#include <http_core.h>
#include <scoreboard.h>
#include <util_filter.h>

#define FILTER "MOUSE_STAY"

/* So many requests in a row; then others that wait for a thread have their turn. */
#define TURNS 100

/* A connection's. */
typedef struct stay_t {
    mouse_stayers_t *stayers;
    int fd;
    bool armed;   /* a handler of ours has just answered, and the client is quick */
    bool ours;    /* ... has just answered */
    bool counted; /* in stayers->count */
    int turns;
    apr_time_t answered; /* when the last answer was complete; 0: none yet */
    apr_interval_time_t wait;
} stay_t;

static bool join(stay_t *stay)
{
    if (!stay->counted) {
        stay->counted = apr_atomic_inc32(&stay->stayers->count) < stay->stayers->limit;
        if (!stay->counted)
            apr_atomic_dec32(&stay->stayers->count);
        stay->turns = 0;
    }
    return stay->counted && stay->turns++ < TURNS;
}

static void leave(stay_t *stay)
{
    if (stay->counted)
        apr_atomic_dec32(&stay->stayers->count);
    stay->counted = false;
}

static apr_status_t leave_at_end(void *stay)
{
    leave(stay);
    return APR_SUCCESS;
}

static bool running(void)
{
    int state = AP_MPMQ_STOPPING;

    return ap_mpm_query(AP_MPMQ_MPM_STATE, &state) == APR_SUCCESS &&
           state == AP_MPMQ_RUNNING;
}

/* As event does before it hands a connection over; is all sent? */
static bool flush(conn_rec *c)
{
    ap_filter_t *last = c->output_filters;

    while (last->next)
        last = last->next;
    return last->frec == ap_core_output_filter_handle &&
           last->frec->filter_func.out_func(last, NULL) == APR_SUCCESS &&
           !c->data_in_output_filters;
}

/* Has the next request come, or the client gone? */
static bool wait_for_request(stay_t *stay, conn_rec *c)
{
    struct pollfd socket = {.fd = stay->fd, .events = POLLIN};

    if (c->keepalive != AP_CONN_KEEPALIVE || c->clogging_input_filters || !running() ||
        !join(stay) || !flush(c))
        return false;
    ap_update_child_status(c->sbh, SERVER_BUSY_KEEPALIVE, NULL);
    return poll(&socket, 1, (int)apr_time_as_msec(stay->wait)) > 0;
}

static apr_status_t read_or_stay(ap_filter_t *f, apr_bucket_brigade *bb,
                                 ap_input_mode_t mode, apr_read_type_e block,
                                 apr_off_t bytes)
{
    stay_t *stay = f->ctx;
    apr_status_t rv = ap_get_brigade(f->next, bb, mode, block, bytes);
    bool armed = stay->armed;

    if (mode != AP_MODE_SPECULATIVE || block != APR_NONBLOCK_READ)
        return rv;
    if (stay->ours)
        stay->answered = apr_time_now();
    stay->ours = stay->armed = false;
    if ((rv != APR_SUCCESS && !APR_STATUS_IS_EAGAIN(rv)) || !APR_BRIGADE_EMPTY(bb))
        return rv;
    if (armed && wait_for_request(stay, f->c))
        return ap_get_brigade(f->next, bb, mode, block, bytes);
    leave(stay);
    return rv;
}

static stay_t *stay_of(request_rec *r, mouse_stayers_t *stayers)
{
    conn_rec *c = r->connection;
    stay_t *stay = ap_get_module_config(c->conn_config, &mouse_module);

    if (stay)
        return stay;
    stay = apr_pcalloc(c->pool, sizeof(*stay));
    stay->stayers = stayers;
    if (apr_os_sock_get(&stay->fd, ap_get_conn_socket(c)) != APR_SUCCESS)
        return NULL;
    ap_set_module_config(c->conn_config, &mouse_module, stay);
    apr_pool_cleanup_register(c->pool, stay, leave_at_end, apr_pool_cleanup_null);
    ap_add_input_filter(FILTER, stay, r, c);
    return stay;
}

void mouse_stay_after(request_rec *r, const mouse_site_t *site)
{
    stay_t *stay;

    if (site->stay == 0 || site->stayers->limit == 0 || r->main || r->connection->master)
        return;
    stay = stay_of(r, site->stayers);
    if (!stay)
        return;
    stay->ours = true;
    stay->armed = stay->counted || r->request_time - stay->answered <= site->stay / 2;
    stay->wait = site->stay;
}

void mouse_http_stay_child(mouse_stayers_t *stayers)
{
    int async = 0, threads = 0;

    if (ap_mpm_query(AP_MPMQ_IS_ASYNC, &async) == APR_SUCCESS && async &&
        ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) == APR_SUCCESS)
        stayers->limit = (apr_uint32_t)threads / 2;
}

void mouse_http_register_stay(void)
{
    /* Before mod_ssl's: it sees plain requests and waits on the socket beneath. */
    ap_register_input_filter(FILTER, read_or_stay, NULL, AP_FTYPE_CONNECTION);
}
