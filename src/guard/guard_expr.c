/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `expr EXPRESSION [else=STATUS]`: httpd's expression language decides. It reads context by
 * `%{mouse:user.role}`; parsing and evaluating are the host's.
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

typedef struct expr_t {
    const void *expression; /* the host's */
    int status;
} expr_t;

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    expr_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *status = NULL;
    const mouse_guard_option_t options[] = {{"else=", &status}, {NULL, NULL}};
    apr_status_t rv;

    made->status = 403;
    *config = made;
    if (setup->argc < 1)
        return mouse_guard_refuse(
            setup, err,
            "expr needs an expression: expr \"%%{mouse:user.role} == 'admin'\"");
    rv = mouse_guard_options(setup, 1, options, err);
    if (rv == APR_SUCCESS && status)
        rv = mouse_guard_status(setup, status, &made->status, err);
    if (rv != APR_SUCCESS)
        return rv;
    return setup->expression(setup, setup->argv[0], &made->expression, err);
}

/* An expression that cannot be evaluated is no permission. */
static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const expr_t *made = config;
    const char *why = NULL;

    if (req->host->expression(req->baton, made->expression, &why))
        return MOUSE_GUARD_PASS;
    return mouse_guard_end(req, made->status, why, err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const expr_t *made = config;

    facts->status = made->status;
}

const mouse_guard_provider_t mouse_guard_expr = {
    .name = "expr",
    .create = create,
    .check = check,
    .describe = describe,
};
