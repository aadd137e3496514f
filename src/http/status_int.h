/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The status page and the metrics, inside: one snapshot of the meter, three ways to write
 * it. Include only within src/http.
 */
#ifndef MOUSE_STATUS_INT_H
#define MOUSE_STATUS_INT_H

#include "http/mouse_http.h"

typedef struct mouse_route_total_t {
    const mouse_meter_route_t *route;
    uint64_t requests, us;
    uint64_t classes[MOUSE_CLASSES];
    uint64_t buckets[MOUSE_BUCKETS];
} mouse_route_total_t;

typedef struct mouse_guard_total_t {
    const char *server, *guard;
    uint64_t passed, denied, failed;
} mouse_guard_total_t;

typedef struct mouse_pool_total_t {
    const mouse_meter_pool_t *pool;
    uint64_t open, idle, waiting; /* of the processes that live */
    uint64_t created, discarded, waited;
    uint64_t faults[MOUSE_FAULT_CLASSES];
} mouse_pool_total_t;

/* Connections that requests have. Its numbers are read one after the other, so that more
 * may seem idle than open. */
static inline uint64_t mouse_pool_in_use(const mouse_pool_total_t *total)
{
    return total->open > total->idle ? total->open - total->idle : 0;
}

/* "2xx" of classes[1]. */
static inline const char *mouse_class_name(int class)
{
    static const char *const names[MOUSE_CLASSES] = {"1xx", "2xx", "3xx", "4xx", "5xx"};

    return names[class];
}

typedef struct mouse_process_t {
    int pid;
    apr_time_t started;
} mouse_process_t;

/* All areas of a meter, added up while they were being written to. */
typedef struct mouse_snapshot_t {
    const mouse_meter_t *meter;
    apr_time_t now;
    apr_array_header_t *routes;    /* of mouse_route_total_t */
    apr_array_header_t *guards;    /* of mouse_guard_total_t, by server and name */
    apr_array_header_t *pools;     /* of mouse_pool_total_t */
    apr_array_header_t *processes; /* of mouse_process_t: those that live */
    uint64_t errors[MOUSE_E_COUNT];
} mouse_snapshot_t;

/* In p. */
mouse_snapshot_t *mouse_snapshot_take(apr_pool_t *p, const mouse_meter_t *meter);

/* The text formats; each appends a whole document. */
void mouse_status_put_metrics(mouse_buf_t *buf, const mouse_snapshot_t *snapshot);
void mouse_status_put_json(mouse_buf_t *buf, const mouse_snapshot_t *snapshot);
/* nonce: of its one script. */
void mouse_status_put_page(mouse_buf_t *buf, const mouse_snapshot_t *snapshot,
                           const char *nonce);

/* A label's value of Prometheus' text format: escaped, and valid UTF-8 whatever it was. */
void mouse_metrics_put_value(mouse_buf_t *buf, const char *text);
/* The same for HTML, for text and quoted attributes. */
void mouse_page_put_text(mouse_buf_t *buf, const char *text);

#endif
