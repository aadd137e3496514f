/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The error filter: httpd's own errors for paths inside a group become problem+json.
 *
 * httpd has made its headers (WWW-Authenticate, Allow) when it starts to write HTML; the
 * filter keeps them and replaces the text. An ErrorDocument that names a local path is an
 * internal redirect and stays the administrator's.
 */
#include "http/http_int.h"

#include <http_protocol.h>
#include <util_filter.h>

#define FILTER "MOUSE_PROBLEM"

static mouse_code_t code_of(const request_rec *r)
{
    const mouse_visit_t *visit = mouse_visit_get(r);

    if (r->status == HTTP_REQUEST_ENTITY_TOO_LARGE)
        return MOUSE_E_BODY_TOO_LARGE;
    if (r->status == HTTP_BAD_REQUEST && visit && !visit->uri)
        return MOUSE_E_BAD_PATH;
    return MOUSE_E_HTTP;
}

/* The filter's own visit, of the path as it was when the error came. */
typedef struct state_t {
    mouse_visit_t visit;
    bool done;
} state_t;

static apr_status_t replace_text(ap_filter_t *f, apr_bucket_brigade *bb)
{
    request_rec *r = f->r;
    state_t *state = f->ctx;
    mouse_error_t err = {.status = r->status};

    apr_brigade_cleanup(bb);
    if (state->done)
        return APR_SUCCESS;
    state->done = true;
    err.code = code_of(r);
    apr_table_unset(r->headers_out, "Content-Length");
    mouse_problem_insert(&state->visit, &err, bb);
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_eos_create(bb->bucket_alloc));
    return ap_pass_brigade(f->next, bb);
}

void mouse_http_register_error_filter(void)
{
    ap_register_output_filter(FILTER, replace_text, NULL, AP_FTYPE_RESOURCE);
}

void mouse_http_insert_error_filter(request_rec *r, const mouse_site_t *site)
{
    mouse_match_t match = {.kind = MOUSE_MATCH_OUTSIDE};
    state_t *state;

    if (!site || r->status < HTTP_BAD_REQUEST || !r->uri || r->uri[0] != '/')
        return;
    mouse_visit_match_decoded(site, r, &match);
    if (!match.group && match.kind != MOUSE_MATCH_FOUND && match.kind != MOUSE_MATCH_METHOD)
        return;
    state = apr_pcalloc(r->pool, sizeof(*state));
    state->visit = (mouse_visit_t){.r = r, .site = site, .match = match};
    /* Refused before its path was matched. */
    if (!mouse_visit_get(r))
        mouse_cors_apply(&state->visit);
    ap_add_output_filter(FILTER, state, r, r->connection);
}
