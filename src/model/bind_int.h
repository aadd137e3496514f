/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model, inside: the parts of binding - finding inputs, lists, strict. */
#ifndef MOUSE_BIND_INT_H
#define MOUSE_BIND_INT_H

#include "model/model_int.h"

/* One request being bound. */
typedef struct bind_t {
    mouse_request_t *req;
    const mouse_model_t *model;
    mouse_binding_t *binding;
    apr_array_header_t *violations; /* of mouse_violation_t */
    bool client_miss;               /* a header or cookie is among them */
    mouse_error_t **err;
} bind_t;

/* Where a parameter's value was found: a JSON node, or text. */
typedef struct found_t {
    bool present, repeated;
    const mouse_json_node_t *node; /* from JSON; else text */
    mouse_slice_t text;
    apr_array_header_t *texts; /* of mouse_slice_t: a list from a query or form */
} found_t;

/* Looks where the parameter's source says. Fails only where the input itself is bad. */
apr_status_t mouse_bind_find(bind_t *bind, const mouse_param_t *param, found_t *found);

/* The error for a body that is no object. */
apr_status_t mouse_bind_refuse_body(bind_t *bind);

/* An array parameter: scalars or rows of fields. */
void mouse_bind_list(bind_t *bind, const mouse_param_t *param, const found_t *found,
                     mouse_list_t *list);

/* Violations for every name that the model does not declare. */
apr_status_t mouse_bind_strict(bind_t *bind);

/* One value that was sent / that was not, under the name a violation gives it. */
void mouse_bind_scalar(bind_t *bind, const mouse_param_t *param, const char *name,
                       const found_t *found, mouse_value_t *value);
void mouse_bind_absent(bind_t *bind, const mouse_param_t *param, const char *name,
                       mouse_value_t *value);

/* Adds a violation; beyond a hundred they are dropped. */
void mouse_bind_violate(bind_t *bind, const char *name, mouse_source_t source,
                        const char *rule, const char *detail);

#endif
