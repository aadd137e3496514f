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
typedef struct mouse_chain_t mouse_chain_t;

typedef enum {
    MOUSE_GUARD_PASS, /* context may have been added */
    MOUSE_GUARD_DENY  /* *err says with what */
} mouse_verdict_t;

/* Checks one request. config is what the provider's create made. */
typedef mouse_verdict_t (*mouse_guard_check_fn)(const void *config, mouse_request_t *req,
                                                mouse_error_t **err);

/* What a guard may ask of the configuration while it is made. */
struct mouse_guard_setup_t {
    apr_pool_t *pconf;
    const char *name; /* the guard's own */
    int argc;
    const char *const *argv; /* behind the provider's name */
    const char *file;        /* of the directive */
    int line;
    /* The model by name and the database it belongs to; the pool itself exists only in
     * children, so a guard keeps `slot` and reads *slot per request. */
    const mouse_model_t *(*model)(void *baton, const char *name, mouse_db_t *const **slot);
    void *baton;
};

struct mouse_guard_provider_t {
    const char *name;   /* "lookup" */
    bool gives_context; /* routes behind it answer no-store */
    /* Refuses bad arguments (MOUSE_E_CONFIG with the directive's place). */
    apr_status_t (*create)(const mouse_guard_setup_t *setup, void **config,
                           mouse_error_t **err);
    mouse_guard_check_fn check;
    /* The models it runs and names of path parameters it reads; either may be NULL. */
    const mouse_model_t *(*model)(const void *config);
    bool (*optional)(const void *config);
    /* Ties it to a route's path (see mouse_model_bind): *config may be replaced. NULL: no
     * need. */
    apr_status_t (*bind)(apr_pool_t *pconf, const void *config, const char *const *names,
                         const char *const *types, int count, bool body_method, bool *used,
                         const void **bound, mouse_error_t **err);
};

struct mouse_guard_t {
    const char *name;
    const mouse_guard_provider_t *provider;
    const void *config;
    const char *file;
    int line;
};

/* By name, or NULL; also what other modules registered as "mouse.guard" (issue 2). */
const mouse_guard_provider_t *mouse_guard_provider_find(const char *name);
/* "lookup, deny": for messages. */
const char *mouse_guard_provider_names(apr_pool_t *p);

apr_status_t mouse_guard_create(const mouse_guard_setup_t *setup, const char *provider,
                                mouse_guard_t **guard, mouse_error_t **err) MOUSE_MUST_USE;

/* Compiles a chain for a route in pconf; binds each guard to the route's path. */
apr_status_t mouse_chain_create(apr_pool_t *pconf, const mouse_guard_t *const *guards,
                                int count, const char *const *names,
                                const char *const *types, int name_count, bool body_method,
                                bool *used, const mouse_chain_t **chain,
                                mouse_error_t **err) MOUSE_MUST_USE;

int mouse_chain_count(const mouse_chain_t *chain);
const mouse_guard_t *mouse_chain_get(const mouse_chain_t *chain, int index);
bool mouse_chain_gives_context(const mouse_chain_t *chain);

/* Runs it in order up to the first denial. */
mouse_verdict_t mouse_chain_run(const mouse_chain_t *chain, mouse_request_t *req,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* For providers: `else=404` and the like out of argv; refuses unknown words. */
typedef struct mouse_guard_option_t {
    const char *name;   /* "else=" takes a value, "optional" is a flag */
    const char **value; /* where it goes: the value, or "" for a flag */
} mouse_guard_option_t;
apr_status_t mouse_guard_options(const mouse_guard_setup_t *setup, int first,
                                 const mouse_guard_option_t *options,
                                 mouse_error_t **err) MOUSE_MUST_USE;
/* 400..599 out of "404"; MOUSE_E_CONFIG with the guard's place else. */
apr_status_t mouse_guard_status(const mouse_guard_setup_t *setup, const char *text,
                                int *status, mouse_error_t **err) MOUSE_MUST_USE;

#endif
