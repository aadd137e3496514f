/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The meter's life: its layout while the configuration is read, its memory when the server
 * starts, an area for each child; and the counting of a request.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <ap_mpm.h>
#include <apr_shm.h>
#include <apr_strings.h>
#include <http_log.h>

#include "http/http_int.h"

APLOG_USE_MODULE(mouse);

#define LINE 64 /* bytes of a cache line */

/* ---- the layout ---- */

static size_t take_room(mouse_meter_t *meter, size_t size)
{
    size_t offset = meter->size;

    meter->size += (size + LINE - 1) / LINE * LINE;
    return offset;
}

mouse_meter_t *mouse_meter_create(apr_pool_t *pconf)
{
    mouse_meter_t *meter = apr_pcalloc(pconf, sizeof(*meter));

    meter->pconf = pconf;
    meter->servers = apr_array_make(pconf, 4, sizeof(const char *));
    meter->routes = apr_array_make(pconf, 16, sizeof(mouse_meter_route_t));
    meter->pools = apr_array_make(pconf, 4, sizeof(mouse_meter_pool_t));
    meter->warnings = apr_array_make(pconf, 4, sizeof(const char *));
    take_room(meter, sizeof(mouse_meter_child_t));
    return meter;
}

static bool is_taken(const mouse_meter_t *meter, const char *name)
{
    for (int i = 0; i < meter->servers->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(meter->servers, i, const char *), name) == 0)
            return true;
    }
    return false;
}

const char *mouse_meter_add_server(mouse_meter_t *meter, const server_rec *s)
{
    const char *host = s->server_hostname ? s->server_hostname : "default";
    const char *name = host;

    if (s->port && is_taken(meter, name))
        name = apr_psprintf(meter->pconf, "%s:%u", host, s->port);
    for (int n = 2; is_taken(meter, name); n++)
        name = apr_psprintf(meter->pconf, "%s#%d", host, n);
    APR_ARRAY_PUSH(meter->servers, const char *) = name;
    return name;
}

size_t mouse_meter_add_route(mouse_meter_t *meter, const mouse_meter_route_t *route)
{
    mouse_meter_route_t *added = apr_array_push(meter->routes);

    *added = *route;
    added->offset =
        take_room(meter, sizeof(mouse_counters_t) +
                             sizeof(mouse_ended_t) * mouse_chain_count(route->chain));
    return added->offset;
}

size_t mouse_meter_add_pool(mouse_meter_t *meter, const mouse_meter_pool_t *pool)
{
    mouse_meter_pool_t *added = apr_array_push(meter->pools);

    *added = *pool;
    added->offset = take_room(meter, sizeof(mouse_db_board_t));
    return added->offset;
}

/* ---- the memory ---- */

apr_status_t mouse_meter_start(mouse_meter_t *meter, server_rec *s)
{
    apr_shm_t *shm;
    apr_status_t rv;

    if (meter->routes->nelts == 0)
        return APR_SUCCESS;
    if (ap_mpm_query(AP_MPMQ_HARD_LIMIT_DAEMONS, &meter->areas) != APR_SUCCESS ||
        meter->areas < 1)
        meter->areas = 1;
    rv = apr_shm_create(&shm, meter->size * (size_t)meter->areas, NULL, meter->pconf);
    if (rv != APR_SUCCESS) {
        ap_log_error(APLOG_MARK, APLOG_EMERG, rv, s,
                     "mouse: no %" APR_SIZE_T_FMT
                     " bytes of shared memory to count requests in (MouseMetrics off does "
                     "without)",
                     meter->size * (size_t)meter->areas);
        return rv;
    }
    /* New pages of an anonymous mapping are zero; untouched ones cost nothing. */
    meter->memory = apr_shm_baseaddr_get(shm);
    meter->started = apr_time_now();
    return APR_SUCCESS;
}

/* An area is free when nobody has it, or who had it ended without a word. */
static bool take_area(mouse_meter_child_t *child)
{
    int owner = atomic_load(&child->pid);

    if (owner != 0 && (kill(owner, 0) == 0 || errno != ESRCH))
        return false;
    return atomic_compare_exchange_strong(&child->pid, &owner, (int)getpid());
}

static apr_status_t leave_area(void *data)
{
    mouse_meter_child_t *child = data;

    atomic_store(&child->pid, 0);
    return APR_SUCCESS;
}

void mouse_meter_take_area(mouse_meter_t *meter, apr_pool_t *pchild)
{
    for (int i = 0; meter->memory && !meter->mine && i < meter->areas; i++) {
        char *area = meter->memory + meter->size * (size_t)i;

        if (!take_area((mouse_meter_child_t *)area))
            continue;
        meter->mine = area;
        ((mouse_meter_child_t *)area)->started = apr_time_now();
        apr_pool_cleanup_register(pchild, area, leave_area, apr_pool_cleanup_null);
    }
}

/* ---- a request ---- */

void mouse_meter_begin(mouse_visit_t *visit)
{
    const mouse_meter_t *meter = visit->site->meter;

    if (meter && meter->mine)
        visit->began = apr_time_now();
}

void mouse_meter_pass(mouse_visit_t *visit)
{
    if (visit->began)
        visit->passed = apr_time_now();
}

void mouse_meter_error(const mouse_visit_t *visit, mouse_code_t code)
{
    const mouse_meter_t *meter = visit->site ? visit->site->meter : NULL;

    if (meter && meter->mine)
        mouse_count(&((mouse_meter_child_t *)meter->mine)->errors[code], 1);
}

static void count_denial(const mouse_visit_t *visit, mouse_counters_t *counters)
{
    mouse_ended_t *ended = &counters->ended[visit->req.denied - 1];
    bool failed = mouse_code_status(visit->code) >= 500;

    mouse_count(failed ? &ended->failed : &ended->denied, 1);
}

void mouse_meter_end(const mouse_visit_t *visit, size_t offset)
{
    const mouse_meter_t *meter = visit->site->meter;
    mouse_counters_t *counters;
    apr_interval_time_t us;
    int class = visit->r->status / 100 - 1;

    if (!visit->began || !meter->mine)
        return;
    counters = mouse_meter_counters(meter, offset);
    us = (visit->passed ? visit->passed : apr_time_now()) - visit->began;
    us = us < 0 ? 0 : us; /* the clock was set */
    mouse_count(&counters->classes[class < 0 || class >= MOUSE_CLASSES ? 4 : class], 1);
    mouse_count(&counters->us, (uint64_t)us);
    mouse_count(&counters->buckets[mouse_histogram_bucket(us)], 1);
    if (visit->req.denied > 0)
        count_denial(visit, counters);
}
