/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Where a request's time went, for whoever asked: the client by Server-Timing, the log by
 * notes. Where neither is on, no clock is read.
 */
#include "http/http_int.h"

#include <apr_strings.h>
#include <http_protocol.h>

#define PER_MS 1e6
#define PER_US 1000

void mouse_timing_start(mouse_visit_t *visit)
{
    if (!visit->site->server_timing && !visit->site->notes)
        return;
    mouse_timing_begin(&visit->timing, visit->r->pool);
    visit->req.timing = &visit->timing;
}

/* ---- Server-Timing (W3C, 3) ---- */

/* A quoted-string's content. */
static const char *quote(apr_pool_t *p, const char *text)
{
    char *quoted = apr_palloc(p, 2 * strlen(text) + 1), *to = quoted;

    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return quoted;
}

static const char *add_entry(apr_pool_t *p, const char *text, const char *name, uint64_t ns)
{
    return apr_psprintf(p, "%s, %s;dur=%.3f", text, name, (double)ns / PER_MS);
}

static const char *describe(apr_pool_t *p, const mouse_timing_t *timing, const char *route)
{
    const char *text = apr_psprintf(p, "route;desc=\"%s\";dur=%.3f", quote(p, route),
                                    (double)mouse_timing_total(timing) / PER_MS);

    for (int i = 0; i < timing->laps->nelts; i++) {
        const mouse_lap_t *lap = &APR_ARRAY_IDX(timing->laps, i, mouse_lap_t);

        text = add_entry(p, text, apr_pstrcat(p, "guard-", lap->guard, NULL), lap->ns);
    }
    text = add_entry(p, text, "wait", timing->spent[MOUSE_PHASE_WAIT]);
    text = add_entry(p, text, "sql", timing->spent[MOUSE_PHASE_SQL]);
    return add_entry(p, text, "json", timing->spent[MOUSE_PHASE_JSON]);
}

void mouse_timing_header(const mouse_visit_t *visit)
{
    request_rec *r = visit->r;
    const char *route;

    if (!visit->req.timing || !visit->site->server_timing)
        return;
    route = apr_table_get(r->notes, "mouse-route");
    apr_table_setn(r->headers_out, "Server-Timing",
                   describe(r->pool, &visit->timing, route ? route : "-"));
}

/* ---- notes ---- */

static void note_number(request_rec *r, const char *name, uint64_t number)
{
    apr_table_setn(r->notes, name,
                   apr_psprintf(r->pool, "%" APR_UINT64_T_FMT, (apr_uint64_t)number));
}

static void note_trace(request_rec *r)
{
    const char *parent = apr_table_get(r->headers_in, "traceparent");

    if (!mouse_trace_valid(parent))
        return;
    apr_table_setn(r->notes, "mouse-trace", apr_pstrmemdup(r->pool, parent + 3, 32));
    apr_table_setn(r->notes, "mouse-span", apr_pstrmemdup(r->pool, parent + 36, 16));
}

void mouse_timing_notes(mouse_visit_t *visit)
{
    request_rec *r = visit->r;
    const mouse_timing_t *timing = visit->req.timing;

    if (!visit->site->notes || !timing)
        return;
    note_number(r, "mouse-guard-us", timing->guards / PER_US);
    note_number(r, "mouse-wait-us", timing->spent[MOUSE_PHASE_WAIT] / PER_US);
    note_number(r, "mouse-sql-us", timing->spent[MOUSE_PHASE_SQL] / PER_US);
    note_number(r, "mouse-json-us", timing->spent[MOUSE_PHASE_JSON] / PER_US);
    note_number(r, "mouse-rows", timing->rows);
    apr_table_setn(r->notes, "mouse-path", ap_os_escape_path(r->pool, r->uri, 0));
    apr_table_setn(r->notes, "mouse-id", mouse_request_id(r));
    note_trace(r);
}
