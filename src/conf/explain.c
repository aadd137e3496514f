/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D "MOUSE_EXPLAIN=GET /api/orders/1": which route answers, its chain, the SQL of
 * both and what the database means to do for it. Nothing is run. -D MOUSE_JSON: as JSON.
 */
#include <http_core.h>
#include <http_main.h>
#include <apr_strings.h>

#include "conf/explain_int.h"

#define WORD            "MOUSE_EXPLAIN="
#define EXPLAIN_TIMEOUT apr_time_from_sec(10)

typedef struct explain_t {
    mouse_explained_t *explained;
    server_rec *server;
    const mouse_conf_t *conf;
    mouse_watch_t watch;
    mouse_explained_sql_t sql; /* what the statements of a model have in common */
    apr_array_header_t *statements;
} explain_t;

static const char *question(void)
{
    for (int i = 0; i < ap_server_config_defines->nelts; i++) {
        const char *word = APR_ARRAY_IDX(ap_server_config_defines, i, const char *);

        if (strncmp(word, WORD, strlen(WORD)) == 0)
            return word + strlen(WORD);
    }
    return NULL;
}

static void add_statement(void *baton, int line, const char *text,
                          const apr_array_header_t *plan)
{
    const explain_t *explain = baton;
    mouse_explained_sql_t *sql = apr_array_push(explain->statements);

    *sql = explain->sql;
    sql->line = line;
    sql->text = text;
    sql->plan = plan;
}

static mouse_conn_t *open_conn(explain_t *explain, const mouse_model_t *model)
{
    const mouse_conf_loaded_t *loaded =
        mouse_models_find(explain->conf, mouse_model_name(model));
    apr_pool_t *p = explain->explained->p;
    mouse_conn_t *conn = NULL;
    mouse_error_t *err = NULL;

    if (loaded &&
        mouse_conn_open(p, &loaded->slot->config, mouse_http_server_log(p, explain->server),
                        &explain->watch, &conn, &err) != APR_SUCCESS)
        explain->sql.trouble =
            apr_psprintf(p, "the database %s cannot be asked: %s",
                         loaded->slot->config.name, mouse_report_sentence(p, err));
    return conn;
}

static void explain_model(explain_t *explain, const mouse_model_t *model)
{
    mouse_conn_t *conn;

    explain->sql = (mouse_explained_sql_t){.file = mouse_model_file(model)};
    conn = open_conn(explain, model);
    mouse_model_explain(explain->explained->p, model, conn, add_statement, explain);
    if (conn)
        mouse_conn_release(conn);
}

static apr_array_header_t *start_statements(explain_t *explain)
{
    explain->statements =
        apr_array_make(explain->explained->p, 2, sizeof(mouse_explained_sql_t));
    return explain->statements;
}

static void explain_guard(explain_t *explain, const mouse_guard_t *guard)
{
    const mouse_model_t *model;

    APR_ARRAY_PUSH(explain->explained->guards, apr_array_header_t *) =
        start_statements(explain);
    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++)
        explain_model(explain, model);
}

static void explain_route(explain_t *explain)
{
    mouse_explained_t *explained = explain->explained;
    const mouse_endpoint_t *endpoint = explained->match.endpoint;

    explained->endpoint = endpoint;
    explained->server = explain->server;
    explained->guards = apr_array_make(explained->p, 4, sizeof(apr_array_header_t *));
    for (int i = 0; i < mouse_chain_count(endpoint->chain); i++)
        explain_guard(explain, mouse_chain_get(endpoint->chain, i));
    explained->statements = start_statements(explain);
    explained->model = mouse_endpoint_model(endpoint);
    if (explained->model)
        explain_model(explain, explained->model);
}

static const char *say_allowed(apr_pool_t *p, unsigned allow)
{
    const char *methods = "";

    for (int method = 0; method < MOUSE_METHODS; method++) {
        if (allow & (1u << method))
            methods = apr_pstrcat(p, methods, " ", mouse_method_name(method), NULL);
    }
    return apr_psprintf(p, "the path has%s alone, so the answer is 405", methods);
}

const char *mouse_explain_miss(const mouse_explained_t *explained)
{
    switch (explained->match.kind) {
    case MOUSE_MATCH_METHOD:
        return say_allowed(explained->p, explained->match.allow);
    case MOUSE_MATCH_MISSING:
        return "inside a group, so the answer is a 404 of mod_mouse";
    case MOUSE_MATCH_BAD:
        return "the path is not well-formed, so the answer is 400";
    default:
        return "outside of every group, so httpd looks for a file";
    }
}

/* The server whose table knows most of the path. */
static bool find_route(explain_t *explain, int method, const char *path, server_rec *s)
{
    mouse_match_t *match = &explain->explained->match;

    for (; s; s = s->next) {
        const mouse_site_t *site = mouse_conf_site(s);
        mouse_match_t here = {.kind = MOUSE_MATCH_OUTSIDE};

        if (!site)
            continue;
        mouse_table_match(site->table, method, path, explain->explained->p, &here);
        if (here.kind < match->kind)
            *match = here;
        explain->server = s;
        explain->conf = mouse_conf_get(s);
        if (here.kind == MOUSE_MATCH_FOUND)
            return true;
    }
    return false;
}

bool mouse_explain(apr_pool_t *ptemp, server_rec *s)
{
    const char *path, *asked = question();
    mouse_explained_t explained = {.p = ptemp, .match = {.kind = MOUSE_MATCH_OUTSIDE}};
    explain_t explain = {
        .explained = &explained,
        .watch = {.deadline = apr_time_now() + EXPLAIN_TIMEOUT, .client = -1}};

    if (!asked)
        return false;
    path = ap_strchr_c(asked, ' ');
    if (!path || path[1] != '/') {
        fputs("no route: MOUSE_EXPLAIN is METHOD, a space, PATH\n", stderr);
        return true;
    }
    if (find_route(&explain, mouse_method_find(apr_pstrmemdup(ptemp, asked, path - asked)),
                   path + 1, s))
        explain_route(&explain);
    if (ap_exists_config_define("MOUSE_JSON"))
        mouse_explain_print_json(&explained);
    else
        mouse_explain_print_text(&explained);
    fflush(stdout); /* before httpd's own "Syntax OK", which goes to stderr */
    return true;
}
