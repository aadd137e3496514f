/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The status page: whole without a script, counted since the start; its script then moves
 * the numbers and charts. What stands around the tables is status.html.
 */
#include <ap_mpm.h>
#include <ap_release.h>
#include <apr_strings.h>

#include "http/page_int.h"

/* What stands around the tables: static const char shell[]. */
#include "http/status_html.inc"

static void put_at(mouse_buf_t *buf, const mouse_snapshot_t *snapshot, const char *server)
{
    if (snapshot->meter->servers->nelts < 2)
        return;
    mouse_page_put(buf, " <span class=\"at\">");
    mouse_page_put_text(buf, server);
    mouse_page_put(buf, "</span>");
}

static double get_uptime(const mouse_snapshot_t *snapshot)
{
    double us = (double)(snapshot->now - snapshot->meter->started);

    return us < APR_USEC_PER_SEC ? 1 : us / APR_USEC_PER_SEC;
}

static const char *show_age(apr_pool_t *p, double seconds)
{
    if (seconds < 120)
        return apr_psprintf(p, "%.0f s", seconds);
    if (seconds < 7200)
        return apr_psprintf(p, "%.0f min", seconds / 60);
    if (seconds < 172800)
        return apr_psprintf(p, "%.0f h", seconds / 3600);
    return apr_psprintf(p, "%.0f days", seconds / 86400);
}

static void put_header(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    apr_pool_t *p = buf->pool;

    mouse_page_put(buf, "<header><h1>mod_mouse</h1><p>");
    mouse_page_put_text(buf, MOUSE_VERSION " \xC2\xB7 httpd " AP_SERVER_BASEREVISION
                                           " \xC2\xB7 ");
    mouse_page_put_text(buf, ap_show_mpm());
    mouse_page_put(buf, apr_psprintf(p,
                                     " \xC2\xB7 <span id=\"processes\">%d</span> processes "
                                     "\xC2\xB7 counting for <span id=\"age\">%s</span></p>"
                                     "<p id=\"live\">as it was when it was loaded</p>"
                                     "</header>",
                                     snapshot->processes->nelts,
                                     show_age(p, get_uptime(snapshot))));
}

/* ---- tiles ---- */

static void put_tile(mouse_buf_t *buf, const char *id, const char *value, const char *name)
{
    mouse_page_put(buf, apr_pstrcat(buf->pool, "<div class=\"tile\" id=\"", id, "\"><span>",
                                    name, "</span><b>", value,
                                    "</b><svg aria-hidden=\"true\"></svg></div>", NULL));
}

static void put_tiles(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    apr_pool_t *p = buf->pool;
    uint64_t requests = 0, failures = 0, in_use = 0, buckets[MOUSE_BUCKETS] = {0};
    double uptime = get_uptime(snapshot);

    for (int i = 0; i < snapshot->routes->nelts; i++) {
        const mouse_route_total_t *total =
            &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t);

        requests += total->requests;
        failures += total->classes[4];
        for (int k = 0; k < MOUSE_BUCKETS; k++)
            buckets[k] += total->buckets[k];
    }
    for (int i = 0; i < snapshot->pools->nelts; i++) {
        const mouse_pool_total_t *total =
            &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t);

        in_use += mouse_pool_in_use(total);
    }
    mouse_page_put(buf, "<div class=\"tiles\">");
    put_tile(buf, "rate", mouse_page_rate(p, (double)requests / uptime),
             "requests a second");
    put_tile(buf, "p95", mouse_page_time(p, mouse_histogram_quantile(buckets, 0.95)),
             "95 % answered within");
    put_tile(buf, "errors", mouse_page_rate(p, (double)failures / uptime),
             "5xx answers a second");
    put_tile(buf, "uses", mouse_page_count(p, in_use), "connections in use");
    mouse_page_put(buf, "</div>");
}

/* ---- tables ---- */

static void open_section(mouse_buf_t *buf, const char *title, const char *note)
{
    mouse_page_put(buf,
                   apr_pstrcat(buf->pool, "<section><div><h2>", title,
                               "</h2><span class=\"note\">", note, "</span></div>", NULL));
}

static void put_time(mouse_buf_t *buf, const char *class, const mouse_route_total_t *total,
                     double part)
{
    double us = mouse_histogram_quantile(total->buckets, part);

    mouse_page_put(buf, apr_pstrcat(buf->pool, "<td class=\"", class, "\">",
                                    mouse_page_time(buf->pool, us), "</td>", NULL));
}

static void put_route_name(mouse_buf_t *buf, const mouse_snapshot_t *snapshot,
                           const mouse_route_total_t *total)
{
    mouse_page_put(buf, "<span class=\"method\">");
    mouse_page_put_text(buf, total->route->method);
    mouse_page_put(buf, "</span><code>");
    mouse_page_put_text(buf, total->route->route);
    mouse_page_put(buf, "</code>");
    put_at(buf, snapshot, total->route->server);
}

static void put_route(mouse_buf_t *buf, const mouse_snapshot_t *snapshot, int i)
{
    const mouse_route_total_t *total =
        &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t);
    double rate = (double)total->requests / get_uptime(snapshot);

    mouse_page_put(buf, apr_psprintf(buf->pool, "<tr id=\"r%d\"><td>", i));
    put_route_name(buf, snapshot, total);
    mouse_page_put(buf, "</td>");
    mouse_page_put_count(buf, "n", total->requests);
    mouse_page_put(buf, apr_pstrcat(buf->pool, "<td class=\"rate\">",
                                    mouse_page_rate(buf->pool, rate), "</td>", NULL));
    put_time(buf, "p50 wide", total, 0.5);
    put_time(buf, "p95", total, 0.95);
    put_time(buf, "p99 wide", total, 0.99);
    mouse_page_put_count(buf, "c4 wide", total->classes[3]);
    mouse_page_put_bad(buf, "c5", total->classes[4]);
    mouse_page_put(buf,
                   "<td class=\"wide js\"><svg class=\"spark\" aria-hidden=\"true\"></svg>"
                   "</td><td class=\"wide\">");
    mouse_page_put_bars(buf, total->buckets);
    mouse_page_put(buf, "</td></tr>");
}

static void put_unused(mouse_buf_t *buf, const mouse_snapshot_t *snapshot, int count)
{
    if (count == 0)
        return;
    mouse_page_put(buf, apr_psprintf(buf->pool,
                                     "<details><summary>%d without a request</summary><ul>",
                                     count));
    for (int i = 0; i < snapshot->routes->nelts; i++) {
        const mouse_route_total_t *total =
            &APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t);

        if (total->requests > 0)
            continue;
        mouse_page_put(buf, "<li>");
        put_route_name(buf, snapshot, total);
        mouse_page_put(buf, "</li>");
    }
    mouse_page_put(buf, "</ul></details>");
}

static void put_routes(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    int unused = 0;

    open_section(buf, "Routes",
                 "times: <span class=\"span\">since counting began</span>; "
                 "\xE2\x80\x9Cnone\xE2\x80\x9D is what no route took");
    mouse_page_put(buf, "<div class=\"scroll\"><table><thead><tr><th>route</th>"
                        "<th>requests</th><th>req/s</th><th class=\"wide\">p50</th>"
                        "<th>p95</th><th class=\"wide\">p99</th><th class=\"wide\">4xx</th>"
                        "<th>5xx</th><th class=\"wide js\">2 minutes</th><th "
                        "class=\"wide\">10 \xC2\xB5s \xE2\x80\xA6 10 s</th></tr>"
                        "</thead><tbody>");
    for (int i = 0; i < snapshot->routes->nelts; i++) {
        if (APR_ARRAY_IDX(snapshot->routes, i, mouse_route_total_t).requests > 0)
            put_route(buf, snapshot, i);
        else
            unused++;
    }
    mouse_page_put(buf, "</tbody></table></div>");
    put_unused(buf, snapshot, unused);
    mouse_page_put(buf, "</section>");
}

static void put_faults(mouse_buf_t *buf, const mouse_pool_total_t *total)
{
    const char *text = "";

    for (int i = 0; i < MOUSE_FAULT_CLASSES; i++) {
        if (total->faults[i])
            text = apr_pstrcat(buf->pool, text, *text ? ", " : "",
                               mouse_fault_name((mouse_fault_class_t)i), " ",
                               mouse_page_count(buf->pool, total->faults[i]), NULL);
    }
    mouse_page_put(buf, "<td class=\"wide\">");
    mouse_page_put(buf, *text ? text : "\xE2\x80\x93");
    mouse_page_put(buf, "</td></tr>");
}

static void put_pool(mouse_buf_t *buf, const mouse_snapshot_t *snapshot, int i)
{
    const mouse_pool_total_t *total =
        &APR_ARRAY_IDX(snapshot->pools, i, mouse_pool_total_t);

    mouse_page_put(buf, apr_psprintf(buf->pool, "<tr id=\"p%d\"><td>", i));
    mouse_page_put_text(buf, total->pool->database);
    mouse_page_put(buf, " <span class=\"at\">");
    mouse_page_put_text(buf, total->pool->config->driver);
    mouse_page_put(buf, "</span>");
    put_at(buf, snapshot, total->pool->server);
    mouse_page_put(buf, "</td>");
    mouse_page_put_count(buf, "in_use", mouse_pool_in_use(total));
    mouse_page_put_count(buf, "idle", total->idle);
    mouse_page_put_bad(buf, "waiting", total->waiting);
    mouse_page_put_count(buf, "created wide", total->created);
    mouse_page_put_count(buf, "discarded wide", total->discarded);
    mouse_page_put_count(buf, "waited wide", total->waited);
    put_faults(buf, total);
}

static void put_pools(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    if (snapshot->pools->nelts == 0)
        return;
    open_section(buf, "Pools", "connections of all processes");
    mouse_page_put(buf, "<div class=\"scroll\"><table><thead><tr><th>database</th>"
                        "<th>in\xC2\xA0use</th><th>idle</th><th>waiting</th>"
                        "<th class=\"wide\">created</th><th class=\"wide\">discarded</th>"
                        "<th class=\"wide\">waits</th><th class=\"wide\">errors</th></tr>"
                        "</thead><tbody>");
    for (int i = 0; i < snapshot->pools->nelts; i++)
        put_pool(buf, snapshot, i);
    mouse_page_put(buf, "</tbody></table></div></section>");
}

static void put_guards(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    open_section(buf, "Guards", "");
    if (snapshot->guards->nelts == 0)
        mouse_page_put(buf, "<p class=\"note\">No route has one.</p></section>");
    if (snapshot->guards->nelts == 0)
        return;
    mouse_page_put(buf,
                   "<div class=\"scroll\"><table><thead><tr><th>guard</th>"
                   "<th>passed</th><th>denied</th><th>failed</th></tr></thead><tbody>");
    for (int i = 0; i < snapshot->guards->nelts; i++) {
        const mouse_guard_total_t *total =
            &APR_ARRAY_IDX(snapshot->guards, i, mouse_guard_total_t);

        mouse_page_put(buf, apr_psprintf(buf->pool, "<tr id=\"g%d\"><td>", i));
        mouse_page_put_text(buf, total->guard);
        put_at(buf, snapshot, total->server);
        mouse_page_put(buf, "</td>");
        mouse_page_put_count(buf, "passed", total->passed);
        mouse_page_put_count(buf, "denied", total->denied);
        mouse_page_put_bad(buf, "failed", total->failed);
        mouse_page_put(buf, "</tr>");
    }
    mouse_page_put(buf, "</tbody></table></div></section>");
}

/* ---- lists ---- */

static void put_errors(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    open_section(buf, "Problems", "answered, by their code");
    mouse_page_put(buf, "<ul class=\"chips\" id=\"problems\">");
    for (int i = 0; i < MOUSE_E_COUNT; i++) {
        if (snapshot->errors[i] == 0)
            continue;
        mouse_page_put(buf, apr_pstrcat(buf->pool, "<li><code>",
                                        mouse_code_slug((mouse_code_t)i),
                                        "</code> <span class=\"at\">",
                                        mouse_page_count(buf->pool, snapshot->errors[i]),
                                        "</span></li>", NULL));
    }
    mouse_page_put(buf, "</ul><p class=\"note\">None.</p>");
}

static void put_processes(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    mouse_page_put(
        buf, "<details open><summary>Processes</summary><ul class=\"chips\" id=\"ages\">");
    for (int i = 0; i < snapshot->processes->nelts; i++) {
        const mouse_process_t *process =
            &APR_ARRAY_IDX(snapshot->processes, i, mouse_process_t);
        double age = (double)(snapshot->now - process->started) / APR_USEC_PER_SEC;

        mouse_page_put(buf,
                       apr_psprintf(buf->pool,
                                    "<li><code>%d</code> <span class=\"at\">%s</span></li>",
                                    process->pid, show_age(buf->pool, age)));
    }
    mouse_page_put(buf, "</ul></details></section>");
}

static void put_warnings(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    const apr_array_header_t *warnings = snapshot->meter->warnings;

    if (warnings->nelts == 0)
        return;
    mouse_page_put(buf,
                   "<section class=\"warn\"><div><h2>Warnings of the configuration</h2>"
                   "</div><ul>");
    for (int i = 0; i < warnings->nelts; i++) {
        mouse_page_put(buf, "<li>");
        mouse_page_put_text(buf, APR_ARRAY_IDX(warnings, i, const char *));
        mouse_page_put(buf, "</li>");
    }
    mouse_page_put(buf, "</ul></section>");
}

static void put_body(mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    put_header(buf, snapshot);
    mouse_page_put(buf, "<main>");
    put_tiles(buf, snapshot);
    put_routes(buf, snapshot);
    put_pools(buf, snapshot);
    mouse_page_put(buf, "<div class=\"pair\">");
    put_guards(buf, snapshot);
    put_errors(buf, snapshot);
    put_processes(buf, snapshot);
    mouse_page_put(buf, "</div>");
    put_warnings(buf, snapshot);
    mouse_page_put(buf, "</main><footer>The same <a href=\"?json\">as JSON</a>.</footer>");
}

void mouse_status_put_page(mouse_buf_t *buf, const mouse_snapshot_t *snapshot,
                           const char *nonce)
{
    const char *body = strstr(shell, "{body}"), *script = strstr(shell, "{nonce}");

    mouse_buf_append(buf, shell, (size_t)(body - shell));
    put_body(buf, snapshot);
    body += strlen("{body}");
    mouse_buf_append(buf, body, (size_t)(script - body));
    mouse_page_put_text(buf, nonce);
    mouse_page_put(buf, script + strlen("{nonce}"));
}
