/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Methods and paths that no route takes: OPTIONS, 405 with Allow, 404 inside a group.
 * The server-wide guards run before each of them.
 */
#include "http/http_int.h"

#include <apr_strings.h>

/* HEAD follows GET, OPTIONS is always answered. */
const char *mouse_methods_allow(apr_pool_t *p, unsigned allow)
{
    const char *text = "";

    for (int method = 0; method < MOUSE_METHODS; method++) {
        if (allow & (1u << method))
            text = apr_pstrcat(p, text, mouse_method_name(method),
                               method == MOUSE_GET ? ", HEAD, " : ", ", NULL);
    }
    return apr_pstrcat(p, text, "OPTIONS", NULL);
}

static int refuse(mouse_visit_t *visit, mouse_code_t code, const char *detail)
{
    mouse_error_t *err = NULL;

    mouse_error_set(&err, visit->r->pool, code, "%s", detail);
    return mouse_problem_send(visit, err);
}

int mouse_methods_answer(mouse_visit_t *visit)
{
    request_rec *r = visit->r;
    mouse_error_t *err = NULL;

    mouse_request_fill(visit, NULL);
    if (mouse_chain_run(visit->site->chain, &visit->req, &err) != MOUSE_GUARD_PASS)
        return mouse_problem_send(visit, err);
    if (visit->match.kind == MOUSE_MATCH_MISSING)
        return refuse(visit, MOUSE_E_NO_ROUTE, "Nothing is served at this path.");
    apr_table_setn(r->headers_out, "Allow",
                   mouse_methods_allow(r->pool, visit->match.allow));
    if (strcmp(r->method, "OPTIONS") != 0)
        return refuse(visit, MOUSE_E_METHOD, "This path does not take the method.");
    visit->answer.status = HTTP_NO_CONTENT;
    return mouse_answer_send(visit, NULL);
}
