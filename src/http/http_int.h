/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * http, inside: one visit of a request to a site, and the steps it goes through.
 * Include only within src/http.
 */
#ifndef MOUSE_HTTP_INT_H
#define MOUSE_HTTP_INT_H

#include "http/mouse_http.h"
#include "mouse.h"

typedef struct mouse_visit_t mouse_visit_t;

/*
 * What is known of one request_rec. Made when its path was matched, kept in its
 * request_config; sub-requests and internal redirects get their own.
 */
struct mouse_visit_t {
    request_rec *r;
    const mouse_site_t *site;
    const char *uri; /* r->uri when it was matched: another pointer there, another path */
    mouse_match_t match;
    const mouse_cors_t *cors; /* the policy of the match, whose headers are set, or NULL */
    bool claimed;             /* translate_name made it ours */
    const apr_array_header_t *given; /* for the request it redirects to: see given.c */
    mouse_request_t req;             /* filled when the handler runs */
    mouse_log_t log;
    const char *id;           /* the request id; NULL until asked for */
    mouse_answer_t answer;    /* here because its buffer must live as long as r->pool */
    apr_time_t began, passed; /* for the meter; 0: nothing is counted, not passed yet */
    mouse_code_t code;        /* of the problem sent, if one was */
    mouse_timing_t timing;    /* where req.timing points, should it be wanted */
    bool body_read;
    bool filter_answered; /* an input filter has sent the error already: AP_FILTER_ERROR */
    mouse_buf_t body;
    mouse_error_t *body_error;
};

/* ---- phases.c ---- */

/* Matches r->uri when it is decoded, with only "%2F" still encoded. */
void mouse_visit_match_decoded(const mouse_site_t *site, const request_rec *r,
                               mouse_match_t *match);
/* The same for another method than r's. */
void mouse_visit_match_method(const mouse_site_t *site, const request_rec *r, int method,
                              mouse_match_t *match);
/* The visit of this request, or NULL; a new one. */
mouse_visit_t *mouse_visit_get(const request_rec *r);
mouse_visit_t *mouse_visit_create(request_rec *r, const mouse_site_t *site);

/* ---- request.c ---- */

/* Fills visit->req for an endpoint; NULL: a request that no route takes. */
void mouse_request_fill(mouse_visit_t *visit, const mouse_endpoint_t *endpoint);
/* mod_unique_id's when it is loaded, else 24 hex digits of time and connection; the same
 * for all of r. */
const char *mouse_request_id(request_rec *r);

/* ---- body.c ---- */

/* The host vtable's body(): baton is the visit. */
apr_status_t mouse_body_read(void *baton, apr_off_t limit, mouse_slice_t *body,
                             mouse_error_t **err);

/* ---- answer.c: each sends everything and returns what a handler returns ---- */

/* visit->answer. endpoint NULL: an answer that no route gave (OPTIONS). */
int mouse_answer_send(mouse_visit_t *visit, const mouse_endpoint_t *endpoint);
/* The headers that guards added: for answers and problems alike. */
void mouse_answer_guard_headers(const mouse_visit_t *visit);
/* Ends the brigade with EOS and passes it. */
int mouse_answer_pass(request_rec *r, apr_bucket_brigade *bb);
/* r->status, and r->status_line where httpd has no name for it. */
void mouse_answer_status(request_rec *r, int status);

/* Passes the answer's bytes to fn, block by block; fails when the temporary file cannot be
 * read. */
typedef void (*mouse_block_fn)(void *baton, const char *data, size_t len);
apr_status_t mouse_answer_each_block(const mouse_answer_t *answer, mouse_block_fn fn,
                                     void *baton) MOUSE_MUST_USE;
/* Appends them to bb, which owns them from here on. */
void mouse_answer_insert(request_rec *r, apr_bucket_brigade *bb, mouse_answer_t *answer);

/* ---- envelope.c ---- */

/* Is what answers this match wrapped? */
bool mouse_envelope_holds(const mouse_match_t *match);
/* visit->answer / the error into bb, wrapped and signed; sets type and status. The caller
 * logs. */
apr_status_t mouse_envelope_answer(mouse_visit_t *visit, const mouse_endpoint_t *endpoint,
                                   apr_bucket_brigade *bb) MOUSE_MUST_USE;
void mouse_envelope_problem(const mouse_visit_t *visit, const mouse_error_t *err,
                            apr_bucket_brigade *bb);

/* ---- problem.c ---- */

/* Logs the error, once, and sends it as application/problem+json. */
int mouse_problem_send(mouse_visit_t *visit, const mouse_error_t *err);
/* Logs the error and appends it to bb, as a problem or in the visit's envelope; sets its
 * headers. */
void mouse_problem_insert(const mouse_visit_t *visit, const mouse_error_t *err,
                          apr_bucket_brigade *bb);
/* "Not found". */
const char *mouse_problem_title(apr_pool_t *p, const mouse_error_t *err);

/* ---- once.c ---- */

typedef struct mouse_once_t mouse_once_t;
/* Sets *text, in any pool, or *err. */
typedef apr_status_t mouse_once_fn(void *baton, mouse_request_t *req, const char **text,
                                   mouse_error_t **err);

mouse_once_t *mouse_once_create(apr_pool_t *pconf);
/* The text, which lives as long as the process: made now, or by a request that this one
 * waits for, whose failure it shares. The next one tries again. */
apr_status_t mouse_once_get(mouse_once_t *once, mouse_request_t *req, mouse_once_fn *make,
                            void *baton, const char **text,
                            mouse_error_t **err) MOUSE_MUST_USE;

/* ---- timing.c ---- */

/* Begins to take a visit's times when its site wants them. */
void mouse_timing_start(mouse_visit_t *visit);
/* Before an answer is passed: Server-Timing. */
void mouse_timing_header(const mouse_visit_t *visit);
/* Behind it: notes for the log. */
void mouse_timing_notes(mouse_visit_t *visit);

/* ---- meter.c ---- */

/* The handler begins; the answer is complete; a problem is sent; the handler ends, and the
 * visit is counted in the counters at offset. */
void mouse_meter_begin(mouse_visit_t *visit);
void mouse_meter_pass(mouse_visit_t *visit);
void mouse_meter_error(const mouse_visit_t *visit, mouse_code_t code);
void mouse_meter_end(const mouse_visit_t *visit, size_t offset);

/* ---- trace.c ---- */

/* Is it a traceparent header (W3C Trace Context, 3.2)? Then its trace-id begins at [3], its
 * parent-id at [36]. text: or NULL. */
bool mouse_trace_valid(const char *text);
/* What a request with this header has as its watch's mark, in p; text: or NULL. */
mouse_slice_t mouse_trace_mark(apr_pool_t *p, const char *text, mouse_trace_sql_t which);

/* ---- given.c ---- */

/* A request that mouse-call runs takes what was given by hand; MOUSE_E_BAD_REQUEST when
 * the chain has no guard that could give it. */
apr_status_t mouse_given_take(mouse_visit_t *visit, const mouse_chain_t *chain,
                              mouse_error_t **err) MOUSE_MUST_USE;

/* ---- methods.c ---- */

/* OPTIONS, 404 and 405 inside a group, behind the server-wide guards. */
int mouse_methods_answer(mouse_visit_t *visit);

/* An Allow header's value (RFC 9110, 10.2.1) of a match's allow bits. */
const char *mouse_methods_allow(apr_pool_t *p, unsigned allow);

/* ---- cors.c ---- */

/* Finds the policy of visit->match and sets its headers, for whatever will answer. */
void mouse_cors_set(mouse_visit_t *visit);

/* The same; a route without a policy costs no call. */
static inline void mouse_cors_apply(mouse_visit_t *visit)
{
    if (visit->match.kind != MOUSE_MATCH_FOUND || visit->cors ||
        ((const mouse_endpoint_t *)visit->match.endpoint)->cors)
        mouse_cors_set(visit);
}

/* Is it a preflight that visit->cors allows? Then its headers are set, and 204 answers. */
bool mouse_cors_preflight(mouse_visit_t *visit);

/* ---- stay.c ---- */

/* When a handler has answered r: its thread may wait for the connection's next request. */
void mouse_stay_after(request_rec *r, const mouse_site_t *site);

/* ---- negotiate.c ---- */

/* The format an Accept header asks for (RFC 9110, 12.5.1); never fails: JSON. */
mouse_format_t mouse_negotiate(const char *accept);

/* ---- log.c ---- */

/* httpd's level. */
int mouse_http_log_level(mouse_log_level_t level);

/* ---- expression.c ---- */

/* The host vtable's expression(): baton is the visit. */
bool mouse_expression_holds(void *baton, const void *compiled, const char **why);

/* ---- call.c: for C code of other modules ---- */

struct mouse_call_t {
    mouse_request_t *req;
    mouse_answer_t *answer; /* NULL in a guard */
    mouse_error_t *err;     /* what body, write or fail left */
    /* in a guard alone: */
    int argument_count;
    const mouse_argument_t *const *arguments;
    mouse_context_t *context; /* or NULL: it gives none */
};

extern const mouse_api_t mouse_call_api;

/* Leaves the problem in call->err; returns its status. */
int mouse_call_fail(mouse_call_t *call, int status, const char *detail);

/* ---- headers.c ---- */

/* Expands shape's templates over path parameters and context into answer->headers. */
apr_status_t mouse_headers_expand(const mouse_shape_t *shape, mouse_request_t *req,
                                  mouse_answer_t *answer,
                                  mouse_error_t **err) MOUSE_MUST_USE;

/* ---- actions ---- */

extern const mouse_action_t mouse_action_sql;
extern const mouse_action_t mouse_action_json;
extern const mouse_action_t mouse_action_controller;
extern const mouse_action_t mouse_action_live;
extern const mouse_action_t mouse_action_ready;
extern const mouse_action_t mouse_action_openapi;
extern const mouse_action_t mouse_action_docs;

#endif
