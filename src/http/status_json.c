/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The snapshot as JSON: what the status page draws, and programs read. */

#include <math.h>

#include <ap_mpm.h>
#include <ap_release.h>
#include <apr_strings.h>

#include "http/status_int.h"

static void put_key(mouse_buf_t *buf, const char *name)
{
    char last = buf->data[buf->len - 1];

    if (last != '{' && last != '[')
        mouse_buf_char(buf, ',');
    mouse_json_put_string(buf, name, strlen(name));
    mouse_buf_char(buf, ':');
}

static void put_text(mouse_buf_t *buf, const char *name, const char *text)
{
    put_key(buf, name);
    mouse_json_put_string(buf, text, strlen(text));
}

static void put_number(mouse_buf_t *buf, const char *name, uint64_t number)
{
    put_key(buf, name);
    mouse_json_put_uint(buf, number);
}

static void open_list(mouse_buf_t *buf, const char *name)
{
    put_key(buf, name);
    mouse_buf_char(buf, '[');
}

static void open_item(mouse_buf_t *buf)
{
    if (buf->data[buf->len - 1] == '}')
        mouse_buf_char(buf, ',');
    mouse_buf_char(buf, '{');
}

/* Those that hold something, as [longest duration in us, number]; of the last: null. */
static void put_buckets(mouse_buf_t *buf, const mouse_route_total_t *total)
{
    open_list(buf, "buckets");
    for (int i = 0; i < MOUSE_BUCKETS; i++) {
        if (total->buckets[i] == 0)
            continue;
        if (buf->data[buf->len - 1] != '[')
            mouse_buf_char(buf, ',');
        mouse_buf_char(buf, '[');
        if (i < MOUSE_BUCKETS - 1)
            mouse_json_put_int(buf, mouse_histogram_bound(i));
        else
            mouse_buf_literal(buf, "null");
        mouse_buf_char(buf, ',');
        mouse_json_put_uint(buf, total->buckets[i]);
        mouse_buf_char(buf, ']');
    }
    mouse_buf_char(buf, ']');
}

static void put_route(mouse_buf_t *buf, const mouse_route_total_t *total)
{
    static const struct {
        const char *name;
        double part;
    } quantiles[] = {{"p50_us", 0.5}, {"p95_us", 0.95}, {"p99_us", 0.99}};

    open_item(buf);
    put_text(buf, "server", total->route->server);
    put_text(buf, "method", total->route->method);
    put_text(buf, "route", total->route->route);
    put_number(buf, "requests", total->requests);
    for (int i = 1; i < MOUSE_CLASSES; i++)
        put_number(buf, mouse_class_name(i), total->classes[i]);
    put_number(buf, "us", total->us);
    for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
        put_number(
            buf, quantiles[i].name,
            (uint64_t)llround(mouse_histogram_quantile(total->buckets, quantiles[i].part)));
    put_buckets(buf, total);
    mouse_buf_char(buf, '}');
}

static void put_guard(mouse_buf_t *buf, const mouse_guard_total_t *total)
{
    open_item(buf);
    put_text(buf, "server", total->server);
    put_text(buf, "guard", total->guard);
    put_number(buf, "passed", total->passed);
    put_number(buf, "denied", total->denied);
    put_number(buf, "failed", total->failed);
    mouse_buf_char(buf, '}');
}

static void put_pool(mouse_buf_t *buf, const mouse_pool_total_t *total)
{
    open_item(buf);
    put_text(buf, "server", total->pool->server);
    put_text(buf, "database", total->pool->database);
    put_text(buf, "driver", total->pool->config->driver);
    put_number(buf, "max", (uint64_t)total->pool->config->max);
    put_number(buf, "in_use", mouse_pool_in_use(total));
    put_number(buf, "idle", total->idle);
    put_number(buf, "waiting", total->waiting);
    put_number(buf, "created", total->created);
    put_number(buf, "discarded", total->discarded);
    put_number(buf, "waited", total->waited);
    put_key(buf, "errors");
    mouse_buf_char(buf, '{');
    for (int i = 0; i < MOUSE_FAULT_CLASSES; i++) {
        if (total->faults[i])
            put_number(buf, mouse_fault_name((mouse_fault_class_t)i), total->faults[i]);
    }
    mouse_buf_literal(buf, "}}");
}

static void put_processes(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    open_list(buf, "processes");
    for (int i = 0; i < snapshot->processes->nelts; i++) {
        const mouse_process_t *process =
            &APR_ARRAY_IDX(snapshot->processes, i, mouse_process_t);

        open_item(buf);
        put_number(buf, "pid", (uint64_t)process->pid);
        put_number(buf, "started_ms", (uint64_t)apr_time_as_msec(process->started));
        mouse_buf_char(buf, '}');
    }
    mouse_buf_char(buf, ']');
}

static void put_server(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_text(buf, "version", MOUSE_VERSION);
    put_text(buf, "httpd", AP_SERVER_BASEREVISION);
    put_text(buf, "mpm", ap_show_mpm());
    put_number(buf, "started_ms", (uint64_t)apr_time_as_msec(snapshot->meter->started));
    put_number(buf, "now_ms", (uint64_t)apr_time_as_msec(snapshot->now));
    open_list(buf, "warnings");
    for (int i = 0; i < snapshot->meter->warnings->nelts; i++) {
        const char *text = APR_ARRAY_IDX(snapshot->meter->warnings, i, const char *);

        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_json_put_string(buf, text, strlen(text));
    }
    mouse_buf_char(buf, ']');
}

void mouse_status_put_json(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    mouse_buf_char(buf, '{');
    put_server(buf, snapshot);
    put_processes(buf, snapshot);
    open_list(buf, "routes");
    for (int i = 0; i < snapshot->routes->nelts; i++)
        put_route(buf, &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t));
    mouse_buf_char(buf, ']');
    open_list(buf, "guards");
    for (int i = 0; i < snapshot->guards->nelts; i++)
        put_guard(buf, &APR_ARRAY_IDX(snapshot->guards, i, mouse_guard_total_t));
    mouse_buf_char(buf, ']');
    open_list(buf, "pools");
    for (int i = 0; i < snapshot->pools->nelts; i++)
        put_pool(buf, &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t));
    mouse_buf_char(buf, ']');
    put_key(buf, "errors");
    mouse_buf_char(buf, '{');
    for (int i = 0; i < MOUSE_E_COUNT; i++) {
        if (snapshot->errors[i])
            put_number(buf, mouse_code_slug((mouse_code_t)i), snapshot->errors[i]);
    }
    mouse_buf_literal(buf, "}}\n");
}
