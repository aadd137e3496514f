/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * mouse.h: what another httpd module needs to answer mod_mouse routes, or to guard them.
 *
 * Types only: nothing here is linked. A module registers what it has while its hooks are
 * registered,
 *
 *     ap_register_provider(p, MOUSE_CONTROLLER_GROUP, "hello", MOUSE_PROVIDER_VERSION,
 *                          &hello);
 *     ap_register_provider(p, MOUSE_GUARD_GROUP, "weekday", MOUSE_PROVIDER_VERSION,
 *                          &weekday);
 *
 * and the configuration names it:
 *
 *     MouseGuard open weekday 1-5
 *     MouseRoute GET /hello/{name} controller hello use=open
 *
 * conf/examples/compute is such a module.
 */
#ifndef MOUSE_H
#define MOUSE_H

#include <stddef.h>

#include <apr_pools.h>

#define MOUSE_CONTROLLER_GROUP "mouse.controller"
#define MOUSE_GUARD_GROUP      "mouse.guard"
#define MOUSE_PROVIDER_VERSION "1"

/* Counts up when members were added to the end of mouse_api_t; they never change. */
#define MOUSE_API_VERSION 2

typedef struct mouse_api_t mouse_api_t;
typedef struct mouse_controller_t mouse_controller_t;
typedef struct mouse_guard_plugin_t mouse_guard_plugin_t;

/* One request and its answer; lives as long as `run` or `check`. */
typedef struct mouse_call_t mouse_call_t;

/* What a controller or a guard may ask of mod_mouse. Returned texts live in the call's
 * pool. */
struct mouse_api_t {
    unsigned version; /* MOUSE_API_VERSION of the running mod_mouse */

    apr_pool_t *(*pool)(mouse_call_t *call);
    const char *(*method)(mouse_call_t *call);
    const char *(*path)(mouse_call_t *call); /* decoded */
    const char *(*request_id)(mouse_call_t *call);
    const char *(*header)(mouse_call_t *call,
                          const char *name); /* of the request, or NULL */

    /* A path parameter, or NULL: the route has none of that name. May hold NUL bytes. */
    const char *(*path_value)(mouse_call_t *call, const char *name, size_t *len);
    /* The first query value of that name, decoded; NULL: absent, or badly encoded. */
    const char *(*query_value)(mouse_call_t *call, const char *name);
    /* A context value as text, "user.id"; NULL: null, or no guard gives it. */
    const char *(*context)(mouse_call_t *call, const char *name);
    /* The whole body within the route's max-body: 0, or the HTTP status to return from run
     * (the problem document is then mod_mouse's). */
    int (*body)(mouse_call_t *call, const char **data, size_t *len);

    /* The answer. Without a type it has no body. Names and values are copied; a value with
     * CR, LF or NUL is dropped. */
    void (*set_status)(mouse_call_t *call, int status); /* 200..299; 200 unless set */
    void (*set_type)(mouse_call_t *call, const char *type);
    void (*add_header)(mouse_call_t *call, const char *name, const char *value);
    /* Appends to the body: 0, or the HTTP status to return (MouseMaxAnswer is passed). */
    int (*write)(mouse_call_t *call, const char *data, size_t len);
    /* A problem document instead of an answer: `return api->fail(call, 409, "Sold out.")`.
     */
    int (*fail)(mouse_call_t *call, int status, const char *detail);

    /* ---- since version 2; in guards alone ---- */

    /* The i-th word of the MouseGuard line with its {values} filled in; may hold NUL. NULL:
     * there is no such word, or its value is wrong (return 422). */
    const char *(*argument)(mouse_call_t *call, int i, size_t *len);
    /* Sets one of the guard's fields, NULL for null: 0, or the status to return. */
    int (*give)(mouse_call_t *call, const char *field, const char *value);
};

struct mouse_controller_t {
    unsigned version; /* MOUSE_API_VERSION it was built against */
    /* Once per route at start; api is valid for good. NULL, or what is wrong. */
    const char *(*create)(const mouse_api_t *api, apr_pool_t *pconf, void **config);
    /* Any thread, many at once. 0: the answer stands; 400..599: an error. */
    int (*run)(void *config, mouse_call_t *call);
};

/* A guard may use everything of the table but set_status, set_type and write. */
struct mouse_guard_plugin_t {
    unsigned version; /* MOUSE_API_VERSION it was built against */
    /* The context it gives, NULL-terminated; NULL: none. Fields are null until given. */
    const char *const *fields;
    int reads_body; /* calls body: it then stands behind guards that do not */
    /* Once per MouseGuard at start, with the words behind the provider's name: NULL, or
     * what is wrong. Which context they name, mod_mouse checks. */
    const char *(*create)(const mouse_api_t *api, apr_pool_t *pconf, int argc,
                          const char *const *argv, void **config);
    /* Any thread, many at once. 0: pass; 400..599: the request ends so. */
    int (*check)(void *config, mouse_call_t *call);
};

#endif
