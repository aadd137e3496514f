/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What explain.c finds out of a request, for the two files that print it. */
#ifndef MOUSE_CONF_EXPLAIN_INT_H
#define MOUSE_CONF_EXPLAIN_INT_H

#include "conf/conf_int.h"

typedef struct mouse_explained_sql_t {
    const char *file;
    int line;
    const char *text;
    const apr_array_header_t *plan; /* of const char *, or NULL */
    const char *trouble; /* why the model's database could not be asked, or NULL */
} mouse_explained_sql_t;

typedef struct mouse_explained_t {
    apr_pool_t *p;
    const server_rec *server; /* whose route it is */
    mouse_match_t match;
    const mouse_endpoint_t *endpoint; /* NULL: no route, the rest is empty */
    const mouse_model_t *model;       /* the action's, or NULL */
    apr_array_header_t *statements;   /* its own, of mouse_explained_sql_t */
    apr_array_header_t *guards;       /* in the chain's order: such an array for each */
} mouse_explained_t;

/* Why there is no route, a sentence's end: "the path has GET alone, so it is a 405". */
const char *mouse_explain_miss(const mouse_explained_t *explained);

void mouse_explain_print_text(const mouse_explained_t *explained);
void mouse_explain_print_json(const mouse_explained_t *explained);

#endif
