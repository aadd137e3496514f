/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The meter: what all processes of a server have done, in memory they share.
 *
 * Each child process writes to an area of its own, whose layout follows from the
 * configuration; readers add the areas up. Nothing is locked. The memory belongs to one
 * configuration: after a restart, a graceful one, too, counting begins at zero, and
 * children that still end their requests of before count for themselves.
 */
#ifndef MOUSE_METER_H
#define MOUSE_METER_H

#include <stdatomic.h>
#include <stddef.h>

#include <httpd.h>

#include "base/mouse_base.h"
#include "db/mouse_db.h"
#include "guard/mouse_guard.h"

/* ---- durations: histogram.c ---- */

/* Sixteen buckets a decade from 10 microseconds to 100 seconds, one below, one above. */
#define MOUSE_BUCKETS 114

/* Which bucket a duration falls in. */
int mouse_histogram_bucket(apr_interval_time_t us);
/* The longest duration of a bucket; INT64_MAX for the last. */
int64_t mouse_histogram_bound(int bucket);
/* The duration that this part (0.95) of all stays below, in microseconds, between a
 * bucket's bounds by proportion; 0 when there are none. */
double mouse_histogram_quantile(const uint64_t buckets[MOUSE_BUCKETS], double part);

/* ---- what is counted ---- */

#define MOUSE_CLASSES 5 /* 1xx to 5xx */

typedef struct mouse_ended_t {
    _Atomic uint64_t denied, failed; /* by its verdict, by an error of its own */
} mouse_ended_t;

/* A route in one process; begins at a cache line. */
typedef struct mouse_counters_t {
    _Atomic uint64_t classes[MOUSE_CLASSES];
    _Atomic uint64_t us; /* in all */
    _Atomic uint64_t reserved[2];
    _Atomic uint64_t buckets[MOUSE_BUCKETS];
    mouse_ended_t ended[]; /* by the guards of its chain; a pass is what is left */
} mouse_counters_t;

/* The head of a process's area. */
typedef struct mouse_meter_child_t {
    _Atomic int pid; /* 0: nobody's */
    apr_time_t started;
    _Atomic uint64_t errors[MOUSE_E_COUNT]; /* problems, by code */
} mouse_meter_child_t;

/* A route of one server, in the layout. */
typedef struct mouse_meter_route_t {
    const char *server, *method, *route;
    const mouse_chain_t *chain;
    size_t offset; /* of its counters in an area */
} mouse_meter_route_t;

/* A database's pool, in the layout: a mouse_db_board_t. */
typedef struct mouse_meter_pool_t {
    const char *server, *database;
    const mouse_db_config_t *config;
    size_t offset;
} mouse_meter_pool_t;

typedef struct mouse_meter_t {
    apr_pool_t *pconf;
    apr_array_header_t *servers;  /* of const char *: their names, each once */
    apr_array_header_t *routes;   /* of mouse_meter_route_t */
    apr_array_header_t *pools;    /* of mouse_meter_pool_t */
    apr_array_header_t *warnings; /* of const char *: of the configuration */
    size_t size;                  /* of one area */
    int areas;
    char *memory;       /* NULL until the server starts */
    char *mine;         /* in a child: its area, or NULL */
    apr_time_t started; /* counting did */
} mouse_meter_t;

/* Without a route, without memory. */
mouse_meter_t *mouse_meter_create(apr_pool_t *pconf);

/* While configuring: a name that no other server has; its offset in each area. */
const char *mouse_meter_add_server(mouse_meter_t *meter, const server_rec *s);
size_t mouse_meter_add_route(mouse_meter_t *meter, const mouse_meter_route_t *route);
size_t mouse_meter_add_pool(mouse_meter_t *meter, const mouse_meter_pool_t *pool);

/* post_config: makes the memory, in pconf. */
apr_status_t mouse_meter_start(mouse_meter_t *meter, server_rec *s) MOUSE_MUST_USE;
/* A child takes an area, until pchild ends. */
void mouse_meter_take_area(mouse_meter_t *meter, apr_pool_t *pchild);

/* What stands at an offset of this child's area; meter->mine is set. */
static inline mouse_counters_t *mouse_meter_counters(const mouse_meter_t *meter,
                                                     size_t offset)
{
    return (mouse_counters_t *)(meter->mine + offset);
}

/* A number that others read at any time. */
static inline void mouse_count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static inline uint64_t mouse_counted(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

#endif
