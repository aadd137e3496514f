/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * http: httpd's phases on one side, requests, chains and actions on the other.
 *
 * What a virtual host serves is a mouse_site_t, compiled by conf and read here. These
 * functions are what mod_mouse.c's hooks call; each gets the site of r->server.
 */
#ifndef MOUSE_HTTP_H
#define MOUSE_HTTP_H

#include <stddef.h> /* first: APR's rings then use the compiler's offsetof */

#include <httpd.h>
#include <http_config.h>

#include "base/mouse_base.h"
#include "guard/mouse_guard.h"
#include "http/mouse_meter.h"
#include "model/mouse_model.h"
#include "route/mouse_route.h"

/* The one exported symbol: everything else is compiled hidden. */
extern __attribute__((visibility("default"))) module AP_MODULE_DECLARE_DATA mouse_module;

typedef struct mouse_site_t mouse_site_t;
typedef struct mouse_endpoint_t mouse_endpoint_t;
typedef struct mouse_action_t mouse_action_t;
typedef struct mouse_action_setup_t mouse_action_setup_t;
typedef struct mouse_describer_t mouse_describer_t;

/* Where a database's pool is in this process: filled in child_init, NULL before. */
typedef struct mouse_db_slot_t {
    const mouse_db_config_t *config;
    mouse_db_t *db;
} mouse_db_slot_t;

/* What an action may ask of the configuration while it is made. */
struct mouse_action_setup_t {
    apr_pool_t *pconf;
    int argc; /* words behind the action's name, options excluded */
    const char *const *argv;
    const char *file;
    int line;
    const mouse_pattern_t *pattern;
    mouse_method_t method;
    const char *const *names; /* path parameters, and their types ("int") */
    const char *const *types;
    const mouse_model_t *(*model)(void *baton, const char *name, mouse_db_t *const **slot);
    /* The databases of the server: of mouse_db_slot_t *. */
    const apr_array_header_t *(*databases)(void *baton);
    apr_interval_time_t deadline; /* deadline=; 0: not given */
    void *baton;
};

/* What answers: one file and one row in actions.c. */
struct mouse_action_t {
    const char *name; /* "sql" */
    int argc;         /* words it takes */
    bool constant; /* reads nothing of the request but what header= templates name: without
                      guards and templates, run gets an empty one */
    bool always_body; /* it answers with a body, whatever the status */
    bool waits;       /* deadline= is for it */
    bool hidden;      /* about the API, not of it: descriptions leave it out */
    /* *used: per path parameter, whether it is read. */
    apr_status_t (*create)(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err);
    apr_status_t (*run)(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err);
    const mouse_model_t *(*model)(const void *config); /* the model it runs, or NULL */
    mouse_db_t *(*database)(const void *config);       /* where, in this process, or NULL */
    /* The path of the openapi route that its page reads; the hook NULL: it reads none. */
    const char *(*document)(const void *config);
    /* The JSON Schema of its answer, a new reference; NULL there: no body. The hook NULL:
     * only a run can tell. */
    apr_status_t (*describe)(const mouse_endpoint_t *endpoint, const mouse_describer_t *how,
                             struct json_t **schema, mouse_error_t **err);
};

/* What an OpenAPI document is made from. connect gives a connection to the database of a
 * route's model; it is released when the model's columns are known. */
struct mouse_describer_t {
    apr_pool_t *p;
    const mouse_site_t *site;
    apr_status_t (*connect)(void *baton, const mouse_endpoint_t *endpoint,
                            mouse_conn_t **conn, mouse_error_t **err);
    void *baton;
    const mouse_endpoint_t *route; /* the openapi route asked; NULL: the first there is */
};

/* That document, as JSON in p. Fails when a database cannot be asked. */
apr_status_t mouse_openapi_create(const mouse_describer_t *how, const char **document,
                                  mouse_error_t **err) MOUSE_MUST_USE;

/* By name, or NULL. */
const mouse_action_t *mouse_action_find(const char *name);
/* "sql, json": for messages, in p. */
const char *mouse_action_names(apr_pool_t *p);

/* Which other origins may call: a MouseCors, read. */
typedef struct mouse_cors_t {
    bool any; /* every origin, and never with credentials */
    bool credentials;
    int count;
    const char *const *origins; /* as browsers send them */
    const char *headers;        /* Access-Control-Allow-Headers */
    const char *expose;         /* Access-Control-Expose-Headers, or NULL */
    const char *max_age;        /* seconds, or NULL */
} mouse_cors_t;

/* What to answer in Access-Control-Allow-Origin, or NULL. origin: the header, or NULL. */
const char *mouse_cors_allow(const mouse_cors_t *cors, const char *origin);

/* A group's prefix, compiled: what holds for its paths without a route. */
typedef struct mouse_group_t {
    const mouse_cors_t *cors; /* or NULL */
    bool envelope;            /* MouseEnvelope mrpc */
} mouse_group_t;

/* A route, compiled. */
struct mouse_endpoint_t {
    mouse_method_t method;
    const mouse_pattern_t *pattern;
    const char *file;
    int line;
    const mouse_chain_t *chain;
    const mouse_cors_t *cors; /* or NULL */
    bool envelope;            /* MouseEnvelope mrpc */
    const char *envelope_action;
    const mouse_action_t *action;
    void *config;        /* the action's */
    mouse_shape_t shape; /* status=, header=, cookie=, etag */
    mouse_input_options_t input;
    int format;      /* as=: a mouse_format_t; -1: by Accept */
    bool negotiates; /* several formats are possible: Vary: Accept */
    size_t counters; /* where the meter counts it */
};

/* The model that its action runs, tied to its path, or NULL. */
static inline const mouse_model_t *mouse_endpoint_model(const mouse_endpoint_t *endpoint)
{
    return endpoint->action->model ? endpoint->action->model(endpoint->config) : NULL;
}

/* The threads of a child that stay with a connection (MouseStay), for all its sites. */
typedef struct mouse_stayers_t {
    apr_uint32_t limit; /* 0: none, the MPM does not hand connections over */
    volatile apr_uint32_t count;
} mouse_stayers_t;

/* Whose statements carry the request's traceparent (MouseTraceSql). */
typedef enum { MOUSE_TRACE_OFF, MOUSE_TRACE_SAMPLED, MOUSE_TRACE_ALL } mouse_trace_sql_t;

/* One virtual host's compiled table. */
struct mouse_site_t {
    const mouse_table_t *table;  /* of mouse_endpoint_t and mouse_group_t */
    const mouse_chain_t *chain;  /* the server-wide guards: for 404, 405 and OPTIONS */
    const mouse_meter_t *meter;  /* NULL: MouseMetrics off */
    size_t counters;             /* where it counts what no route takes */
    bool server_timing;          /* MouseServerTiming */
    bool notes;                  /* MouseNotes */
    mouse_trace_sql_t trace_sql; /* MouseTraceSql */
    mouse_settings_t settings;
    apr_interval_time_t stay; /* MouseStay; 0: off */
    const char *call_key;     /* MouseCallKey; NULL: nobody may */
    mouse_stayers_t *stayers;
};

/* ---- the phases; site is NULL where the host has no routes: all decline ---- */

int mouse_http_pre_translate(request_rec *r, const mouse_site_t *site);
int mouse_http_translate(request_rec *r, const mouse_site_t *site);
int mouse_http_map_to_storage(request_rec *r, const mouse_site_t *site);
int mouse_http_handler(request_rec *r, const mouse_site_t *site);

/* The handler mouse-call. */
int mouse_http_call(request_rec *r, const mouse_site_t *site);

/* The handlers mouse-status and mouse-metrics; meter NULL: nothing was compiled. */
int mouse_http_status(request_rec *r, const mouse_meter_t *meter);

/* Registers the filter that turns httpd's own errors inside groups into problem+json, and
 * inserts it (hook insert_error_filter). */
void mouse_http_register_error_filter(void);
void mouse_http_insert_error_filter(request_rec *r, const mouse_site_t *site);

/* MouseStay: its filter, and how many threads of this child may stay. */
void mouse_http_register_stay(void);
void mouse_http_stay_child(mouse_stayers_t *stayers);

/* For guards: compiles an ap_expr that may read context, `%{mouse:user.role}`. */
apr_status_t mouse_http_expression(mouse_guard_setup_t *setup, const char *text,
                                   const void **compiled,
                                   mouse_error_t **err) MOUSE_MUST_USE;

/* A guard that another module has registered, as a provider in pconf; NULL with a sentence
 * in *mistake when there is none, or none that fits. */
const mouse_guard_provider_t *mouse_http_guard_find(apr_pool_t *pconf, const char *name,
                                                    const char **mistake);

/* A log that writes to a server's error log (child processes' databases). */
mouse_log_t *mouse_http_server_log(apr_pool_t *p, server_rec *s);

#endif
