/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Phases: how a request becomes ours, and the handler that runs it.
 *
 * The path is matched once, raw, so that "%2F" stays within its segment; what <Location>
 * sees afterwards is the same path, decoded. mod_rewrite may change r->uri between: then
 * the match is made again.
 */
#include "http/http_int.h"

#include <apr_strings.h>
#include <http_protocol.h>
#include <http_request.h>

#define HANDLER "mouse"

mouse_visit_t *mouse_visit_get(const request_rec *r)
{
    return ap_get_module_config(r->request_config, &mouse_module);
}

/* -1 also for a request line that httpd could not read. */
static int method_of(const request_rec *r)
{
    if (!r->method)
        return -1;
    return strcmp(r->method, "HEAD") == 0 ? MOUSE_GET : mouse_method_find(r->method);
}

static bool matchable(const request_rec *r, const mouse_site_t *site)
{
    return site && !r->proxyreq && r->uri && r->uri[0] == '/';
}

static bool keeps_slash(const char *percent)
{
    return percent[1] == '2' && (percent[2] == 'F' || percent[2] == 'f');
}

/* A decoded path as the matcher wants it: every '%' but that of "%2F" is a plain byte. */
static const char *encode_percents(apr_pool_t *p, const char *path)
{
    size_t percents = 0;
    char *encoded, *to;

    for (const char *c = path; *c; c++)
        percents += *c == '%';
    if (percents == 0)
        return path;
    encoded = to = apr_palloc(p, strlen(path) + 2 * percents + 1);
    for (const char *c = path; *c; c++) {
        *to++ = *c;
        if (*c == '%' && !keeps_slash(c)) {
            *to++ = '2';
            *to++ = '5';
        }
    }
    *to = '\0';
    return encoded;
}

void mouse_visit_match_method(const mouse_site_t *site, const request_rec *r, int method,
                              mouse_match_t *match)
{
    memset(match, 0, sizeof(*match));
    mouse_table_match(site->table, method, encode_percents(r->pool, r->uri), r->pool,
                      match);
}

void mouse_visit_match_decoded(const mouse_site_t *site, const request_rec *r,
                               mouse_match_t *match)
{
    mouse_visit_match_method(site, r, method_of(r), match);
}

mouse_visit_t *mouse_visit_create(request_rec *r, const mouse_site_t *site)
{
    mouse_visit_t *visit = apr_pcalloc(r->pool, sizeof(*visit));

    visit->r = r;
    visit->site = site;
    visit->match.kind = MOUSE_MATCH_OUTSIDE;
    ap_set_module_config(r->request_config, &mouse_module, visit);
    return visit;
}

/*
 * As core does it for a path that no module took, with "%2F" left alone. On a copy: the
 * match's values may lie in the raw path.
 */
static int decode_uri(request_rec *r)
{
    char *decoded;

    if (!strchr(r->uri, '%'))
        return OK;
    decoded = apr_pstrdup(r->pool, r->uri);
    if (ap_unescape_url_ex(decoded,
                           AP_UNESCAPE_URL_KEEP_UNRESERVED | AP_UNESCAPE_URL_KEEP_SLASHES))
        return HTTP_BAD_REQUEST;
    r->uri = r->parsed_uri.path = decoded;
    return OK;
}

int mouse_http_pre_translate(request_rec *r, const mouse_site_t *site)
{
    mouse_match_t match = {.kind = MOUSE_MATCH_OUTSIDE};
    mouse_visit_t *visit;

    if (!matchable(r, site))
        return DECLINED;
    mouse_table_match(site->table, method_of(r), r->uri, r->pool, &match);
    if (match.kind == MOUSE_MATCH_OUTSIDE ||
        (match.kind == MOUSE_MATCH_BAD && !match.group))
        return DECLINED;
    visit = mouse_visit_create(r, site);
    visit->match = match;
    if (match.kind != MOUSE_MATCH_BAD && decode_uri(r) == OK)
        visit->uri = r->uri;
    mouse_cors_apply(visit);
    return visit->uri ? DONE : HTTP_BAD_REQUEST;
}

/* The visit whose match is that of r->uri as it is now, or NULL when it is not ours. */
static mouse_visit_t *visit_settle(request_rec *r, const mouse_site_t *site)
{
    mouse_visit_t *visit = mouse_visit_get(r);
    mouse_match_t match;

    if (!matchable(r, site))
        return NULL;
    if (visit && visit->uri == r->uri)
        return visit;
    mouse_visit_match_decoded(site, r, &match);
    if (match.kind == MOUSE_MATCH_OUTSIDE || match.kind == MOUSE_MATCH_BAD)
        return NULL;
    if (!visit)
        visit = mouse_visit_create(r, site);
    visit->match = match;
    visit->uri = r->uri;
    mouse_cors_apply(visit);
    return visit;
}

int mouse_http_translate(request_rec *r, const mouse_site_t *site)
{
    mouse_visit_t *visit = visit_settle(r, site);

    if (!visit)
        return DECLINED;
    if (visit->cors && mouse_cors_preflight(visit))
        return HTTP_NO_CONTENT;
    visit->claimed = true;
    r->handler = HANDLER;
    /* Without an extension, so that mod_mime finds neither type nor handler. */
    r->filename = apr_pstrdup(r->pool, "mouse:");
    return OK;
}

/* No file stands behind a route: nothing is looked up, <Directory> does not apply. */
int mouse_http_map_to_storage(request_rec *r, const mouse_site_t *site)
{
    const mouse_visit_t *visit = site ? mouse_visit_get(r) : NULL;

    return visit && visit->claimed ? OK : DECLINED;
}

static bool needs_request(const mouse_endpoint_t *endpoint)
{
    return !endpoint->action->constant || endpoint->shape.header_count > 0 ||
           mouse_chain_count(endpoint->chain) > 0;
}

static int run_endpoint(mouse_visit_t *visit, const mouse_endpoint_t *endpoint)
{
    mouse_error_t *err = NULL;
    mouse_format_t format =
        endpoint->format < 0 ? MOUSE_FORMAT_JSON : (mouse_format_t)endpoint->format;

    if (needs_request(endpoint))
        mouse_request_fill(visit, endpoint);
    apr_table_setn(visit->r->notes, "mouse-route", endpoint->pattern->text);
    if (visit->r->prev && mouse_given_take(visit, endpoint->chain, &err) != APR_SUCCESS)
        return mouse_problem_send(visit, err);
    if (mouse_chain_run(endpoint->chain, &visit->req, &err) != MOUSE_GUARD_PASS)
        return mouse_problem_send(visit, err);
    if (endpoint->negotiates && endpoint->format < 0)
        format = mouse_negotiate(apr_table_get(visit->r->headers_in, "Accept"));
    if (endpoint->action->run(endpoint, &visit->req, format, &visit->answer, &err) !=
        APR_SUCCESS)
        return mouse_problem_send(visit, err);
    return mouse_answer_send(visit, endpoint);
}

int mouse_http_handler(request_rec *r, const mouse_site_t *site)
{
    const mouse_endpoint_t *endpoint;
    mouse_visit_t *visit;
    int status;

    if (!r->handler || strcmp(r->handler, HANDLER) != 0)
        return DECLINED;
    visit = visit_settle(r, site);
    if (!visit)
        return DECLINED;
    endpoint = visit->match.kind == MOUSE_MATCH_FOUND ? visit->match.endpoint : NULL;
    mouse_meter_begin(visit);
    mouse_timing_start(visit);
    status = endpoint ? run_endpoint(visit, endpoint) : mouse_methods_answer(visit);
    mouse_timing_notes(visit);
    mouse_meter_end(visit, endpoint ? endpoint->counters : site->counters);
    mouse_stay_after(r, site);
    return status;
}
