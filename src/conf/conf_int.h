/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * conf, inside: what directives leave behind, and the compiler that makes sites of it.
 *
 * A declaration remembers where it was written and for which server; it is never changed
 * after its directive was read, so that virtual hosts share the inherited ones.
 * Include only within src/conf.
 */
#ifndef MOUSE_CONF_INT_H
#define MOUSE_CONF_INT_H

#include <httpd.h>
#include <http_config.h>
#include <http_log.h>
#include <apr_hash.h>

#include "conf/mouse_conf.h"

typedef struct mouse_conf_t mouse_conf_t;
typedef struct mouse_compiler_t mouse_compiler_t;
typedef struct mouse_report_t mouse_report_t;

typedef struct mouse_place_t {
    const char *file;
    int line;
} mouse_place_t;

#define MOUSE_UNSET (-1)

/* ---- declarations; each begins with its item ---- */

typedef struct mouse_item_t {
    const char *name;
    mouse_place_t place;
    const mouse_conf_t *owner; /* the server whose section holds the directive */
} mouse_item_t;

typedef struct mouse_conf_pool_t {
    mouse_item_t item; /* of the database's name */
    int max;           /* MOUSE_UNSET, as all below */
    apr_interval_time_t idle, lifetime, wait;
} mouse_conf_pool_t;

/* One pool to be: a database with the MousePool that holds for it. */
typedef struct mouse_conf_slot_t {
    mouse_db_slot_t slot;
    mouse_db_config_t config;
    const mouse_conf_pool_t *pool; /* or NULL */
    mouse_place_t place;           /* of the MouseDatabase */
    size_t board;                  /* where the meter shows it; 0: it does not */
} mouse_conf_slot_t;

typedef struct mouse_conf_database_t {
    mouse_item_t item;
    mouse_db_config_t config;  /* pool and timeout not filled in */
    apr_array_header_t *slots; /* of mouse_conf_slot_t *, one per different MousePool */
} mouse_conf_database_t;

typedef struct mouse_conf_models_t {
    mouse_item_t item; /* name: the directory, absolute */
    const char *database;
} mouse_conf_models_t;

typedef struct mouse_conf_guard_t {
    mouse_item_t item;
    const mouse_guard_provider_t *provider;
    int argc;
    const char *const *argv;
} mouse_conf_guard_t;

/* One name of a MouseUse, use= or without=. */
typedef struct mouse_conf_use_t {
    const char *name;
    mouse_place_t place;
} mouse_conf_use_t;

/* The guards that a section puts before its routes. */
typedef struct mouse_conf_scope_t {
    bool clears;              /* MouseUse none: what the section inherits is dropped */
    apr_array_header_t *uses; /* of mouse_conf_use_t */
} mouse_conf_scope_t;

/* A MouseCors. */
typedef struct mouse_conf_cors_t {
    mouse_place_t place;
    const mouse_cors_t *policy; /* NULL: none */
} mouse_conf_cors_t;

typedef struct mouse_conf_group_t {
    mouse_item_t item; /* name: the whole prefix, those of enclosing groups included */
    const struct mouse_conf_group_t *parent; /* or NULL */
    mouse_conf_scope_t scope;
    const mouse_conf_cors_t *cors; /* or NULL: what holds around it */
    int envelope;                  /* MOUSE_UNSET: what holds around it */
} mouse_conf_group_t;

typedef struct mouse_conf_route_t {
    mouse_item_t item; /* name: the whole path */
    mouse_method_t method;
    const mouse_pattern_t *pattern;
    const mouse_conf_group_t *group; /* or NULL */
    const mouse_action_t *action;
    int argc; /* words of the action */
    const char *const *argv;
    apr_array_header_t *use, *without; /* of mouse_conf_use_t */
    bool without_all;
    int status;
    int format; /* a mouse_format_t or MOUSE_UNSET */
    bool etag;
    bool cross_site;               /* cross-site=allow */
    apr_interval_time_t deadline;  /* of the action; 0: none given */
    const char *envelope_action;   /* or NULL */
    apr_array_header_t *headers;   /* of mouse_header_template_t */
    mouse_idempotent_t idempotent; /* scope NULL: no idempotent= */
    bool coalesce;
    mouse_input_options_t input;
} mouse_conf_route_t;

/* ---- a server's configuration ---- */

/* Where the flights of routes with `coalesce` are in this process: made in child_init. */
typedef struct mouse_conf_flights_t {
    bool wanted;
    mouse_flights_t *flights; /* NULL: it has one thread, or nobody wants them */
} mouse_conf_flights_t;

struct mouse_conf_t {
    const mouse_conf_t *own; /* what the server's section alone says: owner of its items */
    apr_array_header_t *databases, *pools, *models, *guards, *groups,
        *routes; /* of item * */
    mouse_conf_scope_t scope;
    const mouse_conf_cors_t *cors; /* or NULL */
    int envelope;
    int bigint_string, decimal_number;
    int server_timing, notes, metrics;
    int trace_sql; /* a mouse_trace_sql_t or MOUSE_UNSET */
    apr_interval_time_t timeout, slow_query;
    apr_interval_time_t stay;
    apr_off_t max_memory, max_answer;
    const char *call_key; /* MouseCallKey's, or NULL */

    mouse_conf_group_t *group; /* the section being read, or NULL */

    apr_array_header_t *loaded; /* of mouse_conf_loaded_t, once compiled */
    apr_array_header_t *slots;  /* of mouse_conf_slot_t *: the databases its models use */
    mouse_site_t *site;         /* compiled; NULL without routes and groups */
    apr_array_header_t *shared; /* of mouse_shared_t *: of all servers, in the main one */
    apr_array_header_t *refreshed; /* refresh.c's: of all servers, in the main one */
    mouse_stayers_t stayers;       /* of all servers, in the main one */
    mouse_conf_flights_t *flights; /* of all servers, in the main one */
    mouse_meter_t *meter;          /* of all servers, once compiled */
    bool compiled;
};

mouse_conf_t *mouse_conf_get(const server_rec *s);

/* Where the directive being read stands. */
mouse_place_t mouse_place_of(const cmd_parms *cmd);

/* The item of that name in an array of item pointers, or NULL. */
void *mouse_item_find(const apr_array_header_t *items, const char *name);

/*
 * Appends an item of the server being configured: fills in its head. A second one of the
 * same name in the same server is a mistake, returned as a sentence.
 */
const char *mouse_item_add(cmd_parms *cmd, apr_array_header_t *items, const char *name,
                           mouse_item_t *item);

/* May it name a guard, a database? NULL, or a sentence: letters, digits, '_' and '-'; no
 * digit first. */
const char *mouse_item_check_name(apr_pool_t *p, const char *name);

/* ---- words of a directive: arguments.c ---- */

/*
 * Splits a directive's arguments as httpd does, but a quote that neither begins nor ends a
 * word is a mistake. Returns a sentence, or NULL with *words (of const char *).
 */
const char *mouse_arguments_split(apr_pool_t *p, const char *line,
                                  apr_array_header_t **words);

/* Appends each of the comma-separated names to uses; a sentence when one is empty. */
const char *mouse_arguments_names(cmd_parms *cmd, const char *list,
                                  apr_array_header_t *uses);

/* May it name a header or a cookie? */
bool mouse_arguments_token(const char *name);

/* The value behind `name=` when word begins so, else NULL. */
const char *mouse_arguments_value(const char *word, const char *name);

/* A sentence when one of the options from words[first] on stands twice, by what is before
 * its value; those named in repeatable ("use=", the last is NULL; or NULL) may. */
const char *mouse_arguments_twice(apr_pool_t *p, const apr_array_header_t *words, int first,
                                  const char *const *repeatable);

#define MOUSE_WORD(words, i) APR_ARRAY_IDX(words, i, const char *)

/* ---- secrets: secret.c ---- */

/* A file that holds one line, a "password" or another `what`, into *secret; or a
 * sentence. */
const char *mouse_secret_read(cmd_parms *cmd, const char *what, const char *path,
                              const char **secret);

/* ---- setters ---- */

const char *mouse_set_database(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_pool(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_models(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_guard(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_use(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_cors(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_envelope(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_group(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_route(cmd_parms *cmd, void *unused, const char *args);
const char *mouse_set_bigint(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_decimal(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_server_timing(cmd_parms *cmd, void *unused, int on);
const char *mouse_set_metrics(cmd_parms *cmd, void *unused, int on);
const char *mouse_set_notes(cmd_parms *cmd, void *unused, int on);
const char *mouse_set_trace_sql(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_timeout(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_max_memory(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_max_answer(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_slow_query(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_stay(cmd_parms *cmd, void *unused, const char *arg);
const char *mouse_set_call_key(cmd_parms *cmd, void *unused, const char *arg);

/* The options of a MouseRoute, from words[first] on: route_options.c. */
const char *mouse_route_options(cmd_parms *cmd, mouse_conf_route_t *route,
                                const apr_array_header_t *words, int first);

/* One of them, envelope-action=: envelope.c. A sentence when the value is unknown. */
const char *mouse_envelope_action(cmd_parms *cmd, mouse_conf_route_t *route,
                                  const char *value);

/* The merged settings with their defaults: settings.c. */
void mouse_settings_fill(mouse_settings_t *settings, const mouse_conf_t *conf);

/* ---- mistakes: report.c ---- */

/* Every mistake once, however many virtual hosts inherit it. */
struct mouse_report_t {
    apr_pool_t *p;
    server_rec *server;
    apr_hash_t *seen;
    int mistakes;
    mouse_meter_t *meter; /* which keeps the warnings */
};

/* A place without a file: only the sentence is printed. */
void mouse_report(mouse_report_t *report, mouse_place_t place, const char *format, ...)
    MOUSE_PRINTF(3, 4);
void mouse_report_warning(mouse_report_t *report, mouse_place_t place, const char *format,
                          ...) MOUSE_PRINTF(3, 4);
/* The error's own place, or where it has none the one given. */
void mouse_report_error(mouse_report_t *report, mouse_place_t place,
                        const mouse_error_t *err);

/* The sentence of an error, for a directive to return. */
const char *mouse_report_sentence(apr_pool_t *p, const mouse_error_t *err);

/* ---- compiling ---- */

/* A directory's models with the database they run on. */
typedef struct mouse_conf_loaded_t {
    const mouse_conf_models_t *from;
    const mouse_models_t *models; /* NULL: they could not be loaded */
    mouse_conf_slot_t *slot;
} mouse_conf_loaded_t;

struct mouse_compiler_t {
    apr_pool_t *pconf;
    apr_pool_t *ptemp;
    mouse_report_t *report;
    apr_hash_t *files;             /* directory and dialect -> models: each is read once */
    mouse_conf_t *conf;            /* being compiled */
    apr_hash_t *guards;            /* its guards: name -> mouse_guard_t * */
    apr_array_header_t *endpoints; /* of mouse_endpoint_t *: those of conf that serve */
    const mouse_conf_guard_t *guard; /* the one being made */
    apr_array_header_t *shared;      /* of mouse_shared_t *: of all servers */
    apr_array_header_t *refreshed;   /* refresh.c's: of all servers */
    mouse_stayers_t *stayers;
    mouse_conf_flights_t *flights; /* of all servers */
    mouse_meter_t *meter;          /* of all servers */
};

/* The pool a database has in the server being compiled. */
mouse_conf_slot_t *mouse_database_slot(mouse_compiler_t *compiler,
                                       mouse_conf_database_t *database);

/* Loads the models of the server being compiled into its `loaded`; reports mistakes. */
void mouse_models_compile(mouse_compiler_t *compiler);

/* The directory that gives a model in a compiled server, or NULL. */
const mouse_conf_loaded_t *mouse_models_find(const mouse_conf_t *conf, const char *name);

/* For guards and actions (baton: the compiler): a model, its database's slot in *slot. */
const mouse_model_t *mouse_models_lookup(void *baton, const char *name,
                                         mouse_db_t *const **slot);

/* For actions (baton: the compiler): the databases of all its models, of mouse_db_slot_t *.
 * Each has its pool in every child from here on. */
const apr_array_header_t *mouse_models_databases(void *baton);

/* Makes the guards of the server being compiled, by name in compiler->guards. */
void mouse_guards_compile(mouse_compiler_t *compiler);

/* The guards before a route (NULL: the server-wide ones), in order: of mouse_guard_t *. */
apr_array_header_t *mouse_guards_collect(mouse_compiler_t *compiler,
                                         const mouse_conf_route_t *route);

/* For guards (baton: the compiler): memory of the one being made, there once the server
 * starts. */
const mouse_shared_t *mouse_share(void *baton, const char *name, size_t size);

/* What the configuration's guards asked for, empty at first; of mouse_shared_t *. */
apr_array_header_t *mouse_shared_list(apr_pool_t *pconf, const server_rec *main_server);

/* The policy that holds in a group (NULL: in the server), or NULL. */
const mouse_cors_t *mouse_cors_find(const mouse_conf_t *conf,
                                    const mouse_conf_group_t *group);
/* Gives a route its policy. */
void mouse_cors_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                        mouse_endpoint_t *endpoint);

/* Does MouseEnvelope hold in a group (NULL: in the server)? */
bool mouse_envelope_find(const mouse_conf_t *conf, const mouse_conf_group_t *group);
/* Tells a route whether its answers are wrapped; reports options that do not go with it. */
void mouse_envelope_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                            mouse_endpoint_t *endpoint);

/* The guards that read something again, empty at first. */
apr_array_header_t *mouse_refresh_list(apr_pool_t *pconf, const server_rec *main_server);
/* Remembers a guard whose provider refreshes. */
void mouse_refresh_add(mouse_compiler_t *compiler, const mouse_guard_t *guard);
/* A process begins: what changed since the server was started is read. */
void mouse_refresh_child_init(apr_pool_t *pchild, server_rec *s);

/* Fills in an endpoint that is in the table already. */
void mouse_route_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                         mouse_endpoint_t *endpoint);

/* Looks at every `guard.field` that the chain, its action and templates name. */
void mouse_references_check(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                            const mouse_endpoint_t *endpoint);

/* Is each guard where it should be: those that read the body last, a limit before a
 * password, same-origin where a cookie allows to write? */
void mouse_order_check(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                       const mouse_endpoint_t *endpoint);

/* The meter of all servers, made when first asked for: metering.c. */
mouse_meter_t *mouse_meter_get(apr_pool_t *pconf, const server_rec *main_server);
/* Gives a compiled site, its routes and pools their places in it. */
void mouse_meter_compile(mouse_compiler_t *compiler, mouse_site_t *site);

/* ---- what -D asks for ---- */

void mouse_dump_routes(apr_pool_t *ptemp, server_rec *s);
void mouse_dump_json(apr_pool_t *ptemp, server_rec *s);
/* A JSON string. */
void mouse_dump_text(mouse_buf_t *buf, const char *text);
/* `,"name":"value"`, null for NULL. */
void mouse_dump_member(mouse_buf_t *buf, const char *name, const char *value);
/* What keeps the document from being made is reported: it runs where reports fail a
 * start. */
void mouse_dump_openapi(mouse_report_t *report, server_rec *s);
void mouse_check_models(mouse_report_t *report, server_rec *s);
void mouse_lint(mouse_report_t *report, server_rec *s);
/* False: nobody asks for it. */
bool mouse_explain(apr_pool_t *ptemp, server_rec *s);

#endif
