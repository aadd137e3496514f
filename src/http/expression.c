/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Expressions: ap_expr for guards, with one function more, `%{mouse:user.role}`, which
 * reads the context. Elsewhere - in <If>, in Require - it does not exist, since no guard
 * has run there.
 */
#include "http/http_int.h"

#include <ap_expr.h>
#include <apr_strings.h>
#include <http_log.h>

APLOG_USE_MODULE(mouse);

#define SETUP "mouse.setup"

/* What the parser's look-up function is given on the way: see look_up. */
typedef struct reading_t {
    mouse_guard_setup_t *setup;
    mouse_error_t *err;
} reading_t;

/* A text that C would cut short is no value to compare: it fails the expression. */
static const char *read_value(ap_expr_eval_ctx_t *ctx, const void *data, const char *arg)
{
    mouse_visit_t *visit = mouse_visit_get(ctx->r);
    mouse_slice_t text = {"", 0};
    mouse_error_t *err = NULL;

    if (mouse_argument_text(&visit->req, data, &text, &err) != APR_SUCCESS)
        *ctx->err = apr_psprintf(ctx->p, "%s: %s", arg, err->log ? err->log : "no value");
    else if (text.len > 0 && memchr(text.data, '\0', text.len))
        *ctx->err = apr_psprintf(ctx->p, "%s holds NUL", arg);
    return mouse_slice_copy(ctx->p, text);
}

static int look_up(ap_expr_lookup_parms *parms)
{
    void *reading = NULL;
    const mouse_argument_t *arg;
    reading_t *with;

    if (parms->type != AP_EXPR_FUNC_STRING || strcasecmp(parms->name, "mouse") != 0)
        return ap_expr_lookup_default(parms);
    apr_pool_userdata_get(&reading, SETUP, parms->ptemp);
    with = reading;
    if (!parms->arg) {
        *parms->err = "mouse: takes a name as it is written";
        return !OK;
    }
    if (mouse_guard_argument(with->setup,
                             apr_pstrcat(parms->pool, "{", parms->arg, "}", NULL), &arg,
                             &with->err) != APR_SUCCESS) {
        *parms->err = with->err->detail;
        return !OK;
    }
    *parms->func = read_value;
    *parms->data = arg;
    return OK;
}

/* Does a "%{" stand open? httpd's scanner would end the process, without a word where. */
static bool stands_open(const char *text)
{
    while ((text = ap_strstr_c(text, "%{")) != NULL && strchr(text, '}') != NULL)
        text += 2;
    return text != NULL;
}

apr_status_t mouse_http_expression(mouse_guard_setup_t *setup, const char *text,
                                   const void **compiled, mouse_error_t **err)
{
    ap_expr_info_t *info = apr_pcalloc(setup->pconf, sizeof(*info));
    reading_t reading = {.setup = setup};
    const char *mistake;
    apr_pool_t *ptmp;

    if (stands_open(text))
        return mouse_guard_refuse(setup, err, "the expression: a %%{ is not closed");
    info->filename = setup->file;
    info->line_number = (unsigned)setup->line;
    info->module_index = APLOG_MODULE_INDEX;
    apr_pool_create(&ptmp, setup->pconf);
    apr_pool_userdata_setn(&reading, SETUP, NULL, ptmp);
    mistake = ap_expr_parse(setup->pconf, ptmp, info, text, look_up);
    *compiled = info;
    if (mistake)
        mistake = apr_pstrdup(setup->pconf, mistake);
    apr_pool_destroy(ptmp);
    return mistake ? mouse_guard_refuse(setup, err, "the expression: %s", mistake)
                   : APR_SUCCESS;
}

bool mouse_expression_holds(void *baton, const void *compiled, const char **why)
{
    mouse_visit_t *visit = baton;
    int result = ap_expr_exec(visit->r, compiled, why);

    if (result >= 0)
        *why = NULL;
    return result > 0;
}
