/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Requests: a request_rec as models, guards and controllers see it.
 *
 * The host vtable answers from httpd's tables at the moment somebody asks; the watch lets
 * a waiting statement notice that the client has gone or that its time is over.
 */
#include "http/http_int.h"

#include <apr_portable.h>
#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>

APLOG_USE_MODULE(mouse);

#define TIME_CHARS 14
#define ID_CHARS   24

static const char *header(void *baton, const char *name)
{
    const mouse_visit_t *visit = baton;

    return apr_table_get(visit->r->headers_in, name);
}

static const char *env(void *baton, const char *name)
{
    const mouse_visit_t *visit = baton;

    return apr_table_get(visit->r->subprocess_env, name);
}

static const char *user(void *baton)
{
    const mouse_visit_t *visit = baton;

    return visit->r->user;
}

static const char *ip(void *baton)
{
    const mouse_visit_t *visit = baton;

    return visit->r->useragent_ip;
}

static const char *target(void *baton)
{
    const mouse_visit_t *visit = baton;

    return visit->r->unparsed_uri;
}

static const char *scheme(void *baton)
{
    const mouse_visit_t *visit = baton;

    return ap_http_scheme(visit->r);
}

static const char *authority(void *baton)
{
    return header(baton, "Host");
}

static const char *id(void *baton)
{
    const mouse_visit_t *visit = baton;

    return mouse_request_id(visit->r);
}

static const mouse_host_t host = {.header = header,
                                  .env = env,
                                  .user = user,
                                  .ip = ip,
                                  .target = target,
                                  .scheme = scheme,
                                  .authority = authority,
                                  .expression = mouse_expression_holds,
                                  .id = id,
                                  .body = mouse_body_read};

static void write_log(void *baton, mouse_log_level_t level, const char *message)
{
    request_rec *r = baton;

    ap_log_rerror(APLOG_MARK, mouse_http_log_level(level), 0, r, "mouse: %s [%s]", message,
                  mouse_request_id(r));
}

/* Unique while the clock runs on: no two requests of one connection begin at one moment. */
static const char *make_id(const request_rec *r)
{
    static const char hex[] = "0123456789abcdef";
    uint64_t time = (uint64_t)r->request_time, conn = (uint64_t)r->connection->id;
    char *id = apr_palloc(r->pool, ID_CHARS + 1), *at = id + ID_CHARS;

    *at = '\0';
    for (; at > id + TIME_CHARS; conn >>= 4)
        *--at = hex[conn & 15];
    for (; at > id; time >>= 4)
        *--at = hex[time & 15];
    return id;
}

const char *mouse_request_id(request_rec *r)
{
    mouse_visit_t *visit = mouse_visit_get(r);
    const char *id = visit ? visit->id : NULL;

    if (!id)
        id = apr_table_get(r->subprocess_env, "UNIQUE_ID");
    if (!id)
        id = make_id(r);
    if (visit)
        visit->id = id;
    return id;
}

/* Below h2 each stream has its own conn_rec; the socket is the master's. */
static const conn_rec *main_connection(const request_rec *r)
{
    return r->connection->master ? r->connection->master : r->connection;
}

static bool client_gone(void *baton)
{
    const mouse_visit_t *visit = baton;

    return visit->r->connection->aborted || main_connection(visit->r)->aborted;
}

static int client_socket(const request_rec *r)
{
    apr_socket_t *socket = ap_get_conn_socket((conn_rec *)main_connection(r));
    apr_os_sock_t fd;

    return socket && apr_os_sock_get(&fd, socket) == APR_SUCCESS ? fd : -1;
}

static void fill_path_values(mouse_request_t *req, const mouse_match_t *match)
{
    int count = match->pattern->count;
    mouse_path_value_t *values;

    if (count == 0)
        return;
    values = apr_palloc(req->pool, count * sizeof(*values));
    for (int i = 0; i < count; i++) {
        values[i].name = match->pattern->parameters[i].name;
        values[i].value = match->values[i];
    }
    req->path_values = values;
    req->path_count = count;
}

static void fill_watch(mouse_visit_t *visit)
{
    mouse_watch_t *watch = &visit->req.watch;

    watch->deadline =
        (visit->began ? visit->began : apr_time_now()) + visit->site->settings.timeout;
    watch->client = client_socket(visit->r);
    watch->gone = client_gone;
    watch->baton = visit;
    if (visit->site->trace_sql != MOUSE_TRACE_OFF)
        watch->mark = mouse_trace_mark(visit->r->pool, header(visit, "traceparent"),
                                       visit->site->trace_sql);
}

void mouse_request_fill(mouse_visit_t *visit, const mouse_endpoint_t *endpoint)
{
    static const mouse_input_options_t no_route = {.max_body = MOUSE_MAX_BODY};
    mouse_request_t *req = &visit->req;
    request_rec *r = visit->r;

    visit->log.write = write_log;
    visit->log.baton = r;
    req->pool = r->pool;
    req->host = &host;
    req->baton = visit;
    req->log = &visit->log;
    req->settings = &visit->site->settings;
    req->input = endpoint ? &endpoint->input : &no_route;
    req->method = r->method;
    req->path = r->uri;
    req->query = mouse_slice_of(r->args);
    req->now = r->request_time;
    req->headers = apr_table_make(r->pool, 2);
    if (endpoint)
        fill_path_values(req, &visit->match);
    fill_watch(visit);
}
