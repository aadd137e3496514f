/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The snapshot in Prometheus' text format, 0.0.4. Routes are named by their patterns, so
 * the number of series follows from the configuration alone.
 */
#include <ap_release.h>
#include <apr_strings.h>

#include "http/status_int.h"

typedef struct label_t {
    const char *name, *value;
} label_t;

#define LABELS 4

static void put_text(mouse_buf_t *buf, const char *text)
{
    mouse_buf_append(buf, text, strlen(text));
}

static void put_head(mouse_buf_t *buf, const char *name, const char *type, const char *help)
{
    put_text(buf, apr_pstrcat(buf->pool, "# HELP ", name, " ", help, "\n# TYPE ", name, " ",
                              type, "\n", NULL));
}

/* labels: up to the first without a name. */
static void put_name(mouse_buf_t *buf, const char *name, const label_t labels[LABELS])
{
    put_text(buf, name);
    for (int i = 0; i < LABELS && labels[i].name; i++) {
        mouse_buf_char(buf, i ? ',' : '{');
        put_text(buf, labels[i].name);
        mouse_buf_literal(buf, "=\"");
        mouse_metrics_put_value(buf, labels[i].value);
        mouse_buf_char(buf, '"');
    }
    if (labels[0].name)
        mouse_buf_char(buf, '}');
    mouse_buf_char(buf, ' ');
}

static void put_count(mouse_buf_t *buf, const char *name, const label_t labels[LABELS],
                      uint64_t value)
{
    put_name(buf, name, labels);
    mouse_json_put_uint(buf, value);
    mouse_buf_char(buf, '\n');
}

static void put_seconds(mouse_buf_t *buf, const char *name, const label_t labels[LABELS],
                        uint64_t us)
{
    put_name(buf, name, labels);
    put_text(buf, apr_psprintf(buf->pool, "%" APR_UINT64_T_FMT ".%06u\n",
                               (apr_uint64_t)(us / APR_USEC_PER_SEC),
                               (unsigned)(us % APR_USEC_PER_SEC)));
}

/* ---- routes ---- */

static void put_requests(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_head(buf, "mouse_requests_total", "counter",
             "Requests by route, method and class of status.");
    for (int i = 0; i < snapshot->routes->nelts; i++) {
        const mouse_route_total_t *total =
            &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t);
        label_t labels[LABELS] = {{"server", total->route->server},
                                  {"method", total->route->method},
                                  {"route", total->route->route},
                                  {"status", NULL}};

        for (int k = 1; k < MOUSE_CLASSES; k++) {
            labels[3].value = mouse_class_name(k);
            put_count(buf, "mouse_requests_total", labels, total->classes[k]);
        }
    }
}

/* 1, 2 and 5 of each power of ten from 100 microseconds to 10 seconds; all are bounds of
 * buckets, so these sums are exact. */
static const struct {
    int64_t us;
    const char *seconds;
} bounds[] = {
    {100, "0.0001"},  {200, "0.0002"},  {500, "0.0005"},  {1000, "0.001"},
    {2000, "0.002"},  {5000, "0.005"},  {10000, "0.01"},  {20000, "0.02"},
    {50000, "0.05"},  {100000, "0.1"},  {200000, "0.2"},  {500000, "0.5"},
    {1000000, "1.0"}, {2000000, "2.0"}, {5000000, "5.0"}, {10000000, "10.0"},
};

static void put_histogram(mouse_buf_t *buf, const mouse_route_total_t *total)
{
    label_t labels[LABELS] = {{"server", total->route->server},
                              {"method", total->route->method},
                              {"route", total->route->route}};
    uint64_t below = 0;
    int bucket = 0;

    labels[3].name = "le";
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        for (; mouse_histogram_bound(bucket) <= bounds[i].us; bucket++)
            below += total->buckets[bucket];
        labels[3].value = bounds[i].seconds;
        put_count(buf, "mouse_request_duration_seconds_bucket", labels, below);
    }
    for (; bucket < MOUSE_BUCKETS; bucket++)
        below += total->buckets[bucket];
    labels[3].value = "+Inf";
    put_count(buf, "mouse_request_duration_seconds_bucket", labels, below);
    labels[3].name = NULL;
    put_seconds(buf, "mouse_request_duration_seconds_sum", labels, total->us);
    put_count(buf, "mouse_request_duration_seconds_count", labels, below);
}

static void put_durations(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_head(buf, "mouse_request_duration_seconds", "histogram",
             "From the handler's begin until the answer is complete.");
    for (int i = 0; i < snapshot->routes->nelts; i++)
        put_histogram(buf, &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t));
}

/* ---- guards and errors ---- */

static void put_guards(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    static const char name[] = "mouse_guard_decisions_total";

    put_head(buf, name, "counter",
             "What guards decided: passed, denied, or failed by an error of their own.");
    for (int i = 0; i < snapshot->guards->nelts; i++) {
        const mouse_guard_total_t *total =
            &APR_ARRAY_IDX(snapshot->guards, i, mouse_guard_total_t);
        label_t labels[LABELS] = {
            {"server", total->server}, {"guard", total->guard}, {"decision", "passed"}};

        put_count(buf, name, labels, total->passed);
        labels[2].value = "denied";
        put_count(buf, name, labels, total->denied);
        labels[2].value = "failed";
        put_count(buf, name, labels, total->failed);
    }
}

static void put_errors(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_head(buf, "mouse_errors_total", "counter", "Problems answered, by their code.");
    for (int i = 0; i < MOUSE_E_COUNT; i++) {
        const label_t labels[LABELS] = {{"code", mouse_code_slug((mouse_code_t)i)}};

        if (i != MOUSE_E_CONFIG)
            put_count(buf, "mouse_errors_total", labels, snapshot->errors[i]);
    }
}

/* ---- pools ---- */

typedef uint64_t (*pool_fn)(const mouse_pool_total_t *total);

static uint64_t get_idle(const mouse_pool_total_t *total)
{
    return total->idle;
}

static uint64_t get_waiting(const mouse_pool_total_t *total)
{
    return total->waiting;
}

static uint64_t get_created(const mouse_pool_total_t *total)
{
    return total->created;
}

static uint64_t get_discarded(const mouse_pool_total_t *total)
{
    return total->discarded;
}

static uint64_t get_waited(const mouse_pool_total_t *total)
{
    return total->waited;
}

static const struct {
    const char *name, *type, *help;
    pool_fn get;
} pool_metrics[] = {
    {"mouse_pool_connections_in_use", "gauge", "Connections that requests have.",
     mouse_pool_in_use},
    {"mouse_pool_connections_idle", "gauge", "Connections that wait for requests.",
     get_idle},
    {"mouse_pool_requests_waiting", "gauge", "Requests that wait for a connection.",
     get_waiting},
    {"mouse_pool_connections_created_total", "counter", "Connections opened.", get_created},
    {"mouse_pool_connections_discarded_total", "counter", "Connections closed.",
     get_discarded},
    {"mouse_pool_waits_total", "counter", "Times that a request stood in line.",
     get_waited},
};

static void put_pools(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    for (size_t m = 0; m < sizeof(pool_metrics) / sizeof(pool_metrics[0]); m++) {
        put_head(buf, pool_metrics[m].name, pool_metrics[m].type, pool_metrics[m].help);
        for (int i = 0; i < snapshot->pools->nelts; i++) {
            const mouse_pool_total_t *total =
                &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t);
            const label_t labels[LABELS] = {{"server", total->pool->server},
                                            {"database", total->pool->database}};

            put_count(buf, pool_metrics[m].name, labels, pool_metrics[m].get(total));
        }
    }
}

static void put_faults(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_head(buf, "mouse_database_errors_total", "counter",
             "What databases refused or failed at, by class.");
    for (int i = 0; i < snapshot->pools->nelts; i++) {
        const mouse_pool_total_t *total =
            &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t);
        label_t labels[LABELS] = {{"server", total->pool->server},
                                  {"database", total->pool->database},
                                  {"class", NULL}};

        for (int k = 0; k < MOUSE_FAULT_CLASSES; k++) {
            labels[2].value = mouse_fault_name((mouse_fault_class_t)k);
            put_count(buf, "mouse_database_errors_total", labels, total->faults[k]);
        }
    }
}

/* ---- the server ---- */

static void put_server(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    const label_t none[LABELS] = {{NULL, NULL}};
    const label_t build[LABELS] = {{"version", MOUSE_VERSION},
                                   {"httpd", AP_SERVER_BASEREVISION}};

    put_head(buf, "mouse_build_info", "gauge", "Versions, as labels.");
    put_count(buf, "mouse_build_info", build, 1);
    put_head(buf, "mouse_start_time_seconds", "gauge",
             "When counting began: at a restart.");
    put_seconds(buf, "mouse_start_time_seconds", none, (uint64_t)snapshot->meter->started);
    put_head(buf, "mouse_processes", "gauge", "Child processes that serve.");
    put_count(buf, "mouse_processes", none, (uint64_t)snapshot->processes->nelts);
    put_head(buf, "mouse_configuration_warnings", "gauge",
             "Warnings when the configuration was read.");
    put_count(buf, "mouse_configuration_warnings", none,
              (uint64_t)snapshot->meter->warnings->nelts);
}

void mouse_status_put_metrics(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_server(buf, snapshot);
    put_requests(buf, snapshot);
    put_durations(buf, snapshot);
    put_guards(buf, snapshot);
    put_errors(buf, snapshot);
    put_pools(buf, snapshot);
    put_faults(buf, snapshot);
}
