/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * guard: named steps that let a request pass, add context to it, or end it.
 *
 * A provider is one file and one row in providers.c. A guard is a provider with its
 * arguments, made once at start. A chain is compiled per route: an array, run in order.
 */
#ifndef MOUSE_GUARD_H
#define MOUSE_GUARD_H

#include "base/mouse_base.h"
#include "model/mouse_model.h"

typedef struct mouse_guard_t mouse_guard_t;
typedef struct mouse_guard_provider_t mouse_guard_provider_t;
typedef struct mouse_guard_setup_t mouse_guard_setup_t;
typedef struct mouse_guard_route_t mouse_guard_route_t;
typedef struct mouse_chain_t mouse_chain_t;

typedef enum {
    MOUSE_GUARD_PASS, /* context may have been added */
    MOUSE_GUARD_DENY  /* *err says with what */
} mouse_verdict_t;

/* Checks one request. config is what the provider's create made. */
typedef mouse_verdict_t (*mouse_guard_check_fn)(const void *config, mouse_request_t *req,
                                                mouse_error_t **err);

/* Memory that all processes of the server share and a graceful restart keeps. */
typedef struct mouse_shared_t {
    const char *key; /* which memory: the same name of the same server finds it again */
    size_t size;
    void *data; /* zeroed when it is new; NULL until the server starts */
} mouse_shared_t;

/* What a guard may ask of the configuration while it is made. */
struct mouse_guard_setup_t {
    apr_pool_t *pconf;
    const mouse_guard_provider_t *provider;
    const char *name; /* the guard's own */
    int argc;
    const char *const *argv; /* behind the provider's name */
    const char *file;        /* of the directive */
    int line;
    apr_array_header_t *reads; /* filled by mouse_guard_argument; made by create */
    bool refreshes;            /* set by create: this one has something to read again */
    /* The model by name and the database it belongs to; the pool itself exists only in
     * children, so a guard keeps `slot` and reads *slot per request. */
    const mouse_model_t *(*model)(void *baton, const char *name, mouse_db_t *const **slot);
    /* Shared memory of this guard: keep the pointer, read ->data per request. */
    const mouse_shared_t *(*share)(void *baton, const char *name, size_t size);
    /* Compiles an expression of the host's language for host->expression; what it reads of
     * the context is added to reads. */
    apr_status_t (*expression)(mouse_guard_setup_t *setup, const char *text,
                               const void **compiled, mouse_error_t **err);
    /* A file's path, relative ones below ServerRoot; NULL when it is none. */
    const char *(*path)(void *baton, const char *name);
    /* One line to whoever starts the server; it starts nevertheless. */
    void (*warn)(void *baton, const char *text);
    void *baton;
};

/* The route that a chain is made for. */
struct mouse_guard_route_t {
    const char *const *names; /* path parameters, and their types ("int") */
    const char *const *types;
    int count;
    bool has_body;              /* POST, PUT, PATCH: bare names are in the body */
    bool *used;                 /* per path parameter: set when somebody reads it */
    const mouse_model_t *model; /* the action's, bound to the route, or NULL */
};

/* What a description of the API says of a guard. */
typedef struct mouse_guard_facts_t {
    int status;         /* that its denials have; 0: it denies nothing */
    const char *scheme; /* of Authorization (RFC 9110, 11.1), "bearer"; or NULL */
    const char *format; /* of a bearer token, "JWT"; or NULL */
    const char *header; /* a header in which the client proves who it is, or NULL */
} mouse_guard_facts_t;

struct mouse_guard_provider_t {
    const char *name;   /* "lookup" */
    bool gives_context; /* routes behind it answer no-store */
    bool reads_body;    /* whatever its arguments say */
    bool late;          /* belongs behind what reads the body, though it does not itself */
    /* A provider that should stand before it, or NULL: a warning at start otherwise. */
    const char *wants;
    /* Fields of its context that its own model may read, NULL-terminated; or NULL. */
    const char *const *early;
    /* Refuses bad arguments (MOUSE_E_CONFIG with the directive's place). */
    apr_status_t (*create)(mouse_guard_setup_t *setup, void **config, mouse_error_t **err);
    mouse_guard_check_fn check;
    /* The rest may be NULL. The i-th model it runs, NULL behind the last; does it let pass
     * without a value? */
    const mouse_model_t *(*model)(const void *config, int i);
    bool (*optional)(const void *config);
    /* Can its context have this field? NULL: only a run or the database can tell. */
    bool (*gives)(const void *config, const char *field);
    /* Ties it to a route (see mouse_model_bind): *bound replaces config there. */
    apr_status_t (*bind)(apr_pool_t *pconf, const void *config,
                         const mouse_guard_route_t *route, const void **bound,
                         mouse_error_t **err);
    /* For guards that asked for it: reads again what may have changed, every two seconds,
     * and when a child begins, in each child and never for a request; one thread at a time,
     * beside check's. */
    void (*refresh)(const void *config, apr_pool_t *ptmp, const mouse_log_t *log);
    /* Fills in what it knows. Headers and cookies that its words name need not be said. */
    void (*describe)(const void *config, mouse_guard_facts_t *facts);
};

struct mouse_guard_t {
    const char *name;
    const mouse_guard_provider_t *provider;
    const void *config;
    const apr_array_header_t *reads; /* of const char *: "user.id", "password" */
    bool reads_body;                 /* in its route: by itself, an argument or its model */
    bool refreshes;                  /* provider->refresh has something to do */
    const char *file;
    int line;
};

/* By name among those of this module, or NULL. */
const mouse_guard_provider_t *mouse_guard_provider_find(const char *name);
/* "lookup, deny": for messages. */
const char *mouse_guard_provider_names(apr_pool_t *p);

/* A guard in pconf, out of setup's words; setup's provider and reads are set here. */
apr_status_t mouse_guard_create(mouse_guard_setup_t *setup,
                                const mouse_guard_provider_t *provider,
                                mouse_guard_t **guard, mouse_error_t **err) MOUSE_MUST_USE;

/* The i-th model it runs, NULL behind the last. */
const mouse_model_t *mouse_guard_model(const mouse_guard_t *guard, int i);

/* Does it give this field already while its own model runs? */
bool mouse_guard_gives_early(const mouse_guard_t *guard, const char *field);

/* Every context value "word.field" that it reads: a model of it, in this line, or with
 * model NULL the guard's own words. */
typedef void (*mouse_guard_visit_fn)(void *baton, const char *word, const char *field,
                                     const mouse_model_t *model, int line);
void mouse_guard_each_context(apr_pool_t *ptmp, const mouse_guard_t *guard,
                              mouse_guard_visit_fn visit, void *baton);
/* What a description of the API says of it. */
mouse_guard_facts_t mouse_guard_describe(const mouse_guard_t *guard);
/* Does it read a cookie: by an argument or its model? */
bool mouse_guard_reads_cookie(const mouse_guard_t *guard);

/* Compiles a chain for a route in pconf; ties each guard to the route. */
apr_status_t mouse_chain_create(apr_pool_t *pconf, const mouse_guard_t *const *guards,
                                int count, const mouse_guard_route_t *route,
                                const mouse_chain_t **chain,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* The bare names that its guards read (of const char *), for strict routes. A guard that
 * replaces the body leaves none behind. */
const apr_array_header_t *mouse_chain_inputs(apr_pool_t *pconf, const mouse_chain_t *chain);

int mouse_chain_count(const mouse_chain_t *chain);
const mouse_guard_t *mouse_chain_get(const mouse_chain_t *chain, int index);
/* The index of its guard of this name, or -1. */
int mouse_chain_find(const mouse_chain_t *chain, const char *name);
/* Does any of its guards: are its answers about somebody? */
bool mouse_chain_gives_context(const mouse_chain_t *chain);

/* Runs it in order up to the first denial; a 401 gets its WWW-Authenticate. */
mouse_verdict_t mouse_chain_run(const mouse_chain_t *chain, mouse_request_t *req,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* ---- for providers, at start ---- */

/* MOUSE_E_CONFIG at the directive's place: "guard NAME: ...". */
apr_status_t mouse_guard_refuse(const mouse_guard_setup_t *setup, mouse_error_t **err,
                                const char *format, ...) MOUSE_PRINTF(3, 4);

/* An argument that names values of the request; what it reads is looked at by conf. */
apr_status_t mouse_guard_argument(mouse_guard_setup_t *setup, const char *text,
                                  const mouse_argument_t **arg,
                                  mouse_error_t **err) MOUSE_MUST_USE;

/* The same for one that must be a single value, "{account.hash}". */
apr_status_t mouse_guard_value(mouse_guard_setup_t *setup, const char *text,
                               const mouse_argument_t **arg,
                               mouse_error_t **err) MOUSE_MUST_USE;

/* realm= of a challenge: a quoted string's content; the guard's name when *realm
 * is NULL. */
apr_status_t mouse_guard_realm(const mouse_guard_setup_t *setup, const char **realm,
                               mouse_error_t **err) MOUSE_MUST_USE;

/* One word of a provider, `else=404` or `optional`. */
typedef struct mouse_guard_option_t {
    const char *name;   /* "else=" takes a value, "optional" is a flag */
    const char **value; /* where it goes: the value, or "" for a flag */
} mouse_guard_option_t;

/* Takes argv from `first` on by options (the last has the name NULL), each once; refuses
 * unknown words. */
apr_status_t mouse_guard_options(const mouse_guard_setup_t *setup, int first,
                                 const mouse_guard_option_t *options,
                                 mouse_error_t **err) MOUSE_MUST_USE;
/* 400..599 out of "404"; MOUSE_E_CONFIG with the guard's place else. */
apr_status_t mouse_guard_status(const mouse_guard_setup_t *setup, const char *text,
                                int *status, mouse_error_t **err) MOUSE_MUST_USE;

/* A whole number from 1 to most out of "65536"; name is "entries=", for the message. */
apr_status_t mouse_guard_number(const mouse_guard_setup_t *setup, const char *name,
                                const char *text, int most, int *number,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* For a provider's bind: replaces a model that it runs by its copy for the route, and marks
 * the parameters of the path that the model reads. */
apr_status_t mouse_guard_bind_model(apr_pool_t *pconf, const mouse_guard_route_t *route,
                                    const mouse_model_t **model,
                                    mouse_error_t **err) MOUSE_MUST_USE;

/* The lines of a file as keys, the bytes as they are; blank lines are none. At least one,
 * of at most 64 KiB in all; a file that everybody can read is warned of. */
apr_status_t mouse_guard_keys(const mouse_guard_setup_t *setup, const char *name,
                              const mouse_slice_t **keys, int *count,
                              mouse_error_t **err) MOUSE_MUST_USE;

/* ---- for providers, per request ---- */

/* Ends the request with this status; why is for the log alone and may be NULL. */
mouse_verdict_t mouse_guard_end(mouse_request_t *req, int status, const char *why,
                                mouse_error_t **err);

/* Pushes an empty context of `count` fields under the guard's name. */
mouse_context_t *mouse_guard_give(mouse_request_t *req, const char *guard, int count);

/* Its i-th field, a string; text NULL: null. Nothing is copied. */
void mouse_guard_set_text(mouse_context_t *context, int i, const char *name,
                          const char *text);

/* A header of the answer, be it an error or not; the texts are not copied. */
void mouse_guard_header(mouse_request_t *req, const char *name, const char *value);

/* How the client may authenticate (RFC 9110, 11.6.1): sent should a 401 follow. */
void mouse_guard_challenge(mouse_request_t *req, const char *challenge);

#endif
