/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Problems: an error as application/problem+json (RFC 9457) and as one line in the log.
 *
 * The client gets the code, the sentence and the request id; what a database or the system
 * said stays in the log, where the same id finds it.
 */
#include "http/http_int.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <http_log.h>
#include <http_protocol.h>

APLOG_USE_MODULE(mouse);

#define HINT 512

const char *mouse_problem_title(apr_pool_t *p, const mouse_error_t *err)
{
    if (err->code == MOUSE_E_HTTP)
        return ap_get_status_line_ex(p, err->status) + sizeof("404");
    return mouse_code_title(err->code);
}

/* A name of ours: nothing in it is escaped. */
static void put_name(mouse_buf_t *buf, const char *name)
{
    mouse_buf_char(buf, '"');
    mouse_buf_append(buf, name, strlen(name));
    mouse_buf_literal(buf, "\":");
}

static void put_text(mouse_buf_t *buf, const char *name, const char *text)
{
    if (!text)
        return;
    if (buf->data[buf->len - 1] != '{')
        mouse_buf_char(buf, ',');
    put_name(buf, name);
    mouse_json_put_string(buf, text, strlen(text));
}

static void put_number(mouse_buf_t *buf, const char *name, int number)
{
    mouse_buf_char(buf, ',');
    put_name(buf, name);
    mouse_json_put_int(buf, number);
}

static void put_violation(mouse_buf_t *buf, const mouse_violation_t *violation)
{
    mouse_buf_char(buf, '{');
    put_text(buf, "parameter", violation->parameter);
    put_text(buf, "source", violation->source);
    put_text(buf, "rule", violation->rule);
    put_text(buf, "detail", violation->detail);
    mouse_buf_char(buf, '}');
}

static void put_errors(mouse_buf_t *buf, const mouse_error_t *err)
{
    const apr_array_header_t *all = err->violations;
    mouse_violation_t one = {.parameter = err->parameter, .detail = err->detail};

    if (!all && !err->parameter)
        return;
    mouse_buf_literal(buf, ",\"errors\":[");
    if (!all)
        put_violation(buf, &one);
    for (int i = 0; all && i < all->nelts; i++) {
        if (i > 0)
            mouse_buf_char(buf, ',');
        put_violation(buf, &APR_ARRAY_IDX(all, i, mouse_violation_t));
    }
    mouse_buf_char(buf, ']');
}

/* RFC 9457, 4.2.1: a problem that says no more than its status is "about:blank". */
static void put_kind(mouse_buf_t *buf, request_rec *r, const mouse_error_t *err)
{
    if (err->code != MOUSE_E_HTTP) {
        mouse_buf_slice(buf, mouse_code_members(err->code));
        return;
    }
    mouse_buf_literal(buf, "\"type\":\"about:blank\"");
    put_text(buf, "title", mouse_problem_title(r->pool, err));
    put_text(buf, "code", mouse_code_slug(err->code));
}

static void put_problem(mouse_buf_t *buf, request_rec *r, const mouse_error_t *err)
{
    mouse_buf_char(buf, '{');
    put_kind(buf, r, err);
    put_number(buf, "status", err->status);
    put_text(buf, "detail", err->detail);
    put_text(buf, "request_id", mouse_request_id(r));
    if (!err->file && err->line > 0) {
        put_number(buf, "line", err->line);
        put_number(buf, "column", err->column);
    }
    put_errors(buf, err);
    if (err->members) {
        mouse_buf_char(buf, ',');
        mouse_buf_append(buf, err->members, strlen(err->members));
    }
    mouse_buf_char(buf, '}');
}

/* The parameters that were wrong, by name and rule: never their values. */
static const char *violations_text(apr_pool_t *p, const apr_array_header_t *violations)
{
    const char *text = "";

    for (int i = 0; violations && i < violations->nelts && i < 8; i++) {
        const mouse_violation_t *v = &APR_ARRAY_IDX(violations, i, mouse_violation_t);

        text = apr_pstrcat(p, text, " ", v->parameter ? v->parameter : "?", ":",
                           v->rule ? v->rule : "?", NULL);
    }
    return text;
}

static void write_log(request_rec *r, const mouse_error_t *err)
{
    int level = err->status >= 500 ? APLOG_ERR : APLOG_INFO;
    const char *said = err->log ? err->log : err->detail;
    const char *place = "";

    apr_table_setn(r->notes, "mouse-code", mouse_code_slug(err->code));
    if (!APLOG_R_IS_LEVEL(r, level))
        return;
    if (err->file)
        place = apr_psprintf(r->pool, " (%s:%d)", err->file, err->line);
    ap_log_rerror(APLOG_MARK, level, 0, r, "mouse: %s %d [%s] %s%s%s",
                  mouse_code_slug(err->code), err->status, mouse_request_id(r),
                  said ? said : mouse_problem_title(r->pool, err),
                  violations_text(r->pool, err->violations), place);
}

static void set_headers(request_rec *r, const mouse_error_t *err)
{
    ap_set_content_type(r, "application/problem+json");
    apr_table_setn(r->headers_out, "X-Content-Type-Options", "nosniff");
    if (!apr_table_get(r->headers_out, "Cache-Control"))
        apr_table_setn(r->headers_out, "Cache-Control", "no-store");
    if (err->retry_after > 0)
        apr_table_setn(r->headers_out, "Retry-After", apr_itoa(r->pool, err->retry_after));
}

static apr_bucket *make_document(request_rec *r, const mouse_error_t *err)
{
    mouse_buf_t *buf = apr_palloc(r->pool, sizeof(*buf));
    size_t len;

    mouse_buf_init(buf, r->pool, HINT);
    put_problem(buf, r, err);
    len = buf->len;
    return apr_bucket_heap_create(mouse_buf_detach(buf), len, mouse_buf_free,
                                  r->connection->bucket_alloc);
}

void mouse_problem_insert(const mouse_visit_t *visit, const mouse_error_t *err,
                          apr_bucket_brigade *bb)
{
    write_log(visit->r, err);
    mouse_meter_error(visit, err->code);
    set_headers(visit->r, err);
    if (mouse_envelope_holds(&visit->match))
        mouse_envelope_problem(visit, err, bb);
    else
        APR_BRIGADE_INSERT_TAIL(bb, make_document(visit->r, err));
}

/* Nobody is there to read an answer: the status is for the access log. */
static int leave(const mouse_visit_t *visit, const mouse_error_t *err)
{
    request_rec *r = visit->r;

    mouse_meter_error(visit, err->code);
    write_log(r, err);
    mouse_answer_status(r, err->status);
    r->connection->aborted = 1;
    r->connection->keepalive = AP_CONN_CLOSE;
    return OK;
}

int mouse_problem_send(mouse_visit_t *visit, const mouse_error_t *err)
{
    request_rec *r = visit->r;
    apr_bucket_brigade *bb;

    visit->code = err->code;
    if (visit->filter_answered)
        return AP_FILTER_ERROR;
    if (err->code == MOUSE_E_CLIENT_GONE)
        return leave(visit, err);
    mouse_answer_status(r, err->status);
    mouse_answer_guard_headers(visit);
    bb = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    mouse_problem_insert(visit, err, bb);
    return mouse_answer_pass(r, bb);
}
