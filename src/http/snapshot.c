/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Adds up what the processes have counted, each in its area of the meter. */

#include <signal.h>

#include <apr_strings.h>

#include "http/status_int.h"

static mouse_meter_child_t *get_area(const mouse_meter_t *meter, int i)
{
    return (mouse_meter_child_t *)(meter->memory + meter->size * (size_t)i);
}

static int find_owner(const mouse_meter_child_t *child)
{
    int pid = atomic_load(&child->pid);

    return pid > 0 && kill(pid, 0) == 0 ? pid : 0;
}

/* ---- one area ---- */

static void add_route(mouse_route_total_t *total, const mouse_counters_t *counters)
{
    for (int i = 0; i < MOUSE_CLASSES; i++) {
        uint64_t n = mouse_counted(&counters->classes[i]);

        total->classes[i] += n;
        total->requests += n;
    }
    total->us += mouse_counted(&counters->us);
    for (int i = 0; i < MOUSE_BUCKETS; i++)
        total->buckets[i] += mouse_counted(&counters->buckets[i]);
}

static mouse_guard_total_t *find_guard(mouse_snapshot_t *snapshot, const char *server,
                                       const char *name)
{
    mouse_guard_total_t *total;

    for (int i = 0; i < snapshot->guards->nelts; i++) {
        total = &APR_ARRAY_IDX(snapshot->guards, i, mouse_guard_total_t);
        if (strcmp(total->server, server) == 0 && strcmp(total->guard, name) == 0)
            return total;
    }
    total = apr_array_push(snapshot->guards);
    total->server = server;
    total->guard = name;
    return total;
}

/* Whom one guard ends, the next does not see: its passes are those that are left. */
static void add_guards(mouse_snapshot_t *snapshot, const mouse_meter_route_t *route,
                       const mouse_counters_t *counters)
{
    uint64_t left = 0;

    for (int i = 0; i < MOUSE_CLASSES; i++)
        left += mouse_counted(&counters->classes[i]);
    for (int i = 0; i < mouse_chain_count(route->chain); i++) {
        uint64_t denied = mouse_counted(&counters->ended[i].denied);
        uint64_t failed = mouse_counted(&counters->ended[i].failed);
        mouse_guard_total_t *total =
            find_guard(snapshot, route->server, mouse_chain_get(route->chain, i)->name);

        left -= denied + failed > left ? left : denied + failed;
        total->passed += left;
        total->denied += denied;
        total->failed += failed;
    }
}

static void add_pool(mouse_pool_total_t *total, const mouse_db_board_t *board, bool lives)
{
    if (lives) {
        total->open += mouse_counted(&board->open);
        total->idle += mouse_counted(&board->idle);
        total->waiting += mouse_counted(&board->waiting);
    }
    total->created += mouse_counted(&board->created);
    total->discarded += mouse_counted(&board->discarded);
    total->waited += mouse_counted(&board->waited);
    for (int i = 0; i < MOUSE_FAULT_CLASSES; i++)
        total->faults[i] += mouse_counted(&board->faults[i]);
}

static void add_area(mouse_snapshot_t *snapshot, mouse_meter_child_t *child)
{
    const char *area = (const char *)child;
    mouse_process_t process = {find_owner(child), child->started};

    if (process.pid)
        APR_ARRAY_PUSH(snapshot->processes, mouse_process_t) = process;
    for (int i = 0; i < MOUSE_E_COUNT; i++)
        snapshot->errors[i] += mouse_counted(&child->errors[i]);
    for (int i = 0; i < snapshot->routes->nelts; i++) {
        mouse_route_total_t *total =
            &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t);
        const mouse_counters_t *counters =
            (const mouse_counters_t *)(area + total->route->offset);

        add_route(total, counters);
        add_guards(snapshot, total->route, counters);
    }
    for (int i = 0; i < snapshot->pools->nelts; i++) {
        mouse_pool_total_t *total = &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t);

        add_pool(total, (const mouse_db_board_t *)(area + total->pool->offset),
                 process.pid != 0);
    }
}

/* ---- all of them ---- */

static void make_totals(apr_pool_t *p, mouse_snapshot_t *snapshot)
{
    const mouse_meter_t *meter = snapshot->meter;

    snapshot->guards = apr_array_make(p, 8, sizeof(mouse_guard_total_t));
    snapshot->processes = apr_array_make(p, 8, sizeof(mouse_process_t));
    snapshot->routes = apr_array_make(p, meter->routes->nelts, sizeof(mouse_route_total_t));
    snapshot->pools = apr_array_make(p, meter->pools->nelts, sizeof(mouse_pool_total_t));
    for (int i = 0; i < meter->routes->nelts; i++) {
        mouse_route_total_t *total = apr_array_push(snapshot->routes);

        memset(total, 0, sizeof(*total));
        total->route = &APR_ARRAY_IDX(meter->routes, i, mouse_meter_route_t);
        for (int k = 0; k < mouse_chain_count(total->route->chain); k++)
            find_guard(snapshot, total->route->server,
                       mouse_chain_get(total->route->chain, k)->name);
    }
    for (int i = 0; i < meter->pools->nelts; i++) {
        mouse_pool_total_t *total = apr_array_push(snapshot->pools);

        memset(total, 0, sizeof(*total));
        total->pool = &APR_ARRAY_IDX(meter->pools, i, mouse_meter_pool_t);
    }
}

mouse_snapshot_t *mouse_snapshot_take(apr_pool_t *p, const mouse_meter_t *meter)
{
    mouse_snapshot_t *snapshot = apr_pcalloc(p, sizeof(*snapshot));

    snapshot->meter = meter;
    snapshot->now = apr_time_now();
    make_totals(p, snapshot);
    for (int i = 0; meter->memory && i < meter->areas; i++) {
        mouse_meter_child_t *child = get_area(meter, i);

        /* Pages of areas that nobody ever had stay untouched. */
        if (child->started != 0)
            add_area(snapshot, child);
    }
    return snapshot;
}
