/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Requests from other origins (Fetch Standard, 3.2): the headers of MouseCors, and
 * preflights.
 *
 * The headers are set as soon as the path is matched, in err_headers_out: whatever answers
 * later - a route, httpd's 401, a redirect - carries them. A preflight brings no
 * credentials, so it is answered while httpd translates the name, before httpd's access
 * phases and all guards; redirects and rewrites were first. Who is not allowed meets the
 * same phases as without MouseCors.
 */
#include "http/http_int.h"

#define ORIGIN         "Origin"
#define REQUEST_METHOD "Access-Control-Request-Method"
#define ALLOW_ORIGIN   "Access-Control-Allow-Origin"
#define CREDENTIALS    "Access-Control-Allow-Credentials"
#define EXPOSE         "Access-Control-Expose-Headers"

/* The method that a preflight asks for, or -1. */
static int asked_method(const request_rec *r)
{
    const char *asked = apr_table_get(r->headers_in, REQUEST_METHOD);

    if (r->method_number != M_OPTIONS || !asked)
        return -1;
    return strcmp(asked, "HEAD") == 0 ? MOUSE_GET : mouse_method_find(asked);
}

/* The path has routes, but none for this method. */
static const mouse_cors_t *policy_of_path(const mouse_visit_t *visit)
{
    unsigned allow = visit->match.allow;
    int method = asked_method(visit->r);
    mouse_match_t match;

    if (method < 0 || !(allow & (1u << method)))
        method = __builtin_ctz(allow);
    mouse_visit_match_method(visit->site, visit->r, method, &match);
    return match.kind == MOUSE_MATCH_FOUND
               ? ((const mouse_endpoint_t *)match.endpoint)->cors
               : NULL;
}

static const mouse_cors_t *policy_of(const mouse_visit_t *visit)
{
    const mouse_match_t *match = &visit->match;

    if (match->kind == MOUSE_MATCH_FOUND)
        return ((const mouse_endpoint_t *)match->endpoint)->cors;
    if (match->kind == MOUSE_MATCH_METHOD)
        return policy_of_path(visit);
    return match->group ? ((const mouse_group_t *)match->group)->cors : NULL;
}

/* What an earlier match of this request has set: mod_rewrite gave it another path. */
static void clear_headers(request_rec *r)
{
    apr_table_unset(r->err_headers_out, ALLOW_ORIGIN);
    apr_table_unset(r->err_headers_out, CREDENTIALS);
    apr_table_unset(r->err_headers_out, EXPOSE);
}

static void set_headers(request_rec *r, const mouse_cors_t *cors)
{
    const char *allowed = mouse_cors_allow(cors, apr_table_get(r->headers_in, ORIGIN));

    if (!cors->any)
        apr_table_mergen(r->err_headers_out, "Vary", ORIGIN);
    if (!allowed)
        return;
    apr_table_setn(r->err_headers_out, ALLOW_ORIGIN, allowed);
    if (cors->credentials)
        apr_table_setn(r->err_headers_out, CREDENTIALS, "true");
    if (cors->expose)
        apr_table_setn(r->err_headers_out, EXPOSE, cors->expose);
}

void mouse_cors_set(mouse_visit_t *visit)
{
    if (visit->cors)
        clear_headers(visit->r);
    visit->cors = policy_of(visit);
    if (visit->cors)
        set_headers(visit->r, visit->cors);
}

static bool is_preflight(const mouse_visit_t *visit)
{
    const apr_table_t *headers = visit->r->headers_in;
    const char *origin = apr_table_get(headers, ORIGIN);

    return visit->r->method_number == M_OPTIONS &&
           visit->match.kind == MOUSE_MATCH_METHOD && origin &&
           apr_table_get(headers, REQUEST_METHOD) && mouse_cors_allow(visit->cors, origin);
}

bool mouse_cors_preflight(mouse_visit_t *visit)
{
    const mouse_cors_t *cors = visit->cors;
    request_rec *r = visit->r;

    if (!is_preflight(visit))
        return false;
    apr_table_mergen(r->err_headers_out, "Vary",
                     REQUEST_METHOD ", Access-Control-Request-Headers");
    apr_table_unset(r->err_headers_out, EXPOSE);
    apr_table_setn(r->err_headers_out, "Access-Control-Allow-Methods",
                   mouse_methods_allow(r->pool, visit->match.allow));
    apr_table_setn(r->err_headers_out, "Access-Control-Allow-Headers", cors->headers);
    if (cors->max_age)
        apr_table_setn(r->err_headers_out, "Access-Control-Max-Age", cors->max_age);
    return true;
}
