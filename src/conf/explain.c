/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D "MOUSE_EXPLAIN=GET /api/orders/1": which route answers, its chain, the SQL of
 * both and what the database means to do for it. Nothing is run.
 */
#include <http_main.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

#define WORD            "MOUSE_EXPLAIN="
#define EXPLAIN_TIMEOUT apr_time_from_sec(10)

typedef struct explain_t {
    apr_pool_t *p;
    server_rec *server;
    const mouse_conf_t *conf;
    const char *file; /* of the model being explained */
    mouse_watch_t watch;
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

static void print_indented(const char *text)
{
    bool fresh = true;

    for (; *text; text++) {
        if (fresh)
            fputs("    ", stdout);
        fresh = *text == '\n';
        putchar(*text);
    }
    putchar('\n');
}

static void print_statement(void *baton, int line, const char *sql,
                            const apr_array_header_t *plan)
{
    const explain_t *explain = baton;

    printf("  statement (%s:%d)\n", explain->file, line);
    print_indented(sql);
    for (int i = 0; plan && i < plan->nelts; i++)
        printf("    plan: %s\n", APR_ARRAY_IDX(plan, i, const char *));
}

static mouse_conn_t *open_conn(explain_t *explain, const mouse_model_t *model)
{
    const mouse_conf_loaded_t *loaded =
        mouse_models_find(explain->conf, mouse_model_name(model));
    mouse_conn_t *conn = NULL;
    mouse_error_t *err = NULL;

    if (loaded && mouse_conn_open(explain->p, &loaded->slot->config,
                                  mouse_http_server_log(explain->p, explain->server),
                                  &explain->watch, &conn, &err) != APR_SUCCESS)
        printf("  the database %s cannot be asked: %s\n", loaded->slot->config.name,
               mouse_report_sentence(explain->p, err));
    return conn;
}

static void print_model(explain_t *explain, const mouse_model_t *model)
{
    mouse_conn_t *conn = open_conn(explain, model);

    explain->file = mouse_model_file(model);
    mouse_model_explain(explain->p, model, conn, print_statement, explain);
    if (conn)
        mouse_conn_release(conn);
}

static void print_guard(explain_t *explain, const mouse_guard_t *guard)
{
    const mouse_model_t *model;

    printf("guard %s: %s (%s:%d)\n", guard->name, guard->provider->name, guard->file,
           guard->line);
    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++)
        print_model(explain, model);
}

static void print_route(explain_t *explain, const mouse_match_t *match)
{
    const mouse_endpoint_t *endpoint = match->endpoint;
    const mouse_model_t *model =
        endpoint->action->model ? endpoint->action->model(endpoint->config) : NULL;
    const char *parameters;

    printf("route %s %s (%s:%d)\n", mouse_method_name(endpoint->method),
           match->pattern->text, endpoint->file, endpoint->line);
    for (int i = 0; i < match->pattern->count; i++)
        printf("  %s = %s\n", match->pattern->parameters[i].name,
               mouse_slice_copy(explain->p, match->values[i]));
    for (int i = 0; i < mouse_chain_count(endpoint->chain); i++)
        print_guard(explain, mouse_chain_get(endpoint->chain, i));
    printf("action %s%s%s\n", endpoint->action->name, model ? " " : "",
           model ? mouse_model_name(model) : "");
    if (!model)
        return;
    if (*(parameters = mouse_model_parameters(explain->p, model)))
        printf("  parameters: %s\n", parameters);
    print_model(explain, model);
}

static void print_allowed(unsigned allow)
{
    printf("no route: the path has");
    for (int method = 0; method < MOUSE_METHODS; method++) {
        if (allow & (1u << method))
            printf(" %s", mouse_method_name(method));
    }
    printf(" alone, so the answer is 405\n");
}

static void print_miss(const mouse_match_t *match)
{
    switch (match->kind) {
    case MOUSE_MATCH_METHOD:
        print_allowed(match->allow);
        break;
    case MOUSE_MATCH_MISSING:
        printf("no route: inside a group, so the answer is a 404 of mod_mouse\n");
        break;
    case MOUSE_MATCH_BAD:
        printf("no route: the path is not well-formed, so the answer is 400\n");
        break;
    default:
        printf("no route: outside of every group, so httpd looks for a file\n");
    }
}

/* The server whose table knows most of the path. */
static bool find_route(explain_t *explain, int method, const char *path, server_rec *s,
                       mouse_match_t *match)
{
    for (; s; s = s->next) {
        const mouse_site_t *site = mouse_conf_site(s);
        mouse_match_t here = {.kind = MOUSE_MATCH_OUTSIDE};

        if (!site)
            continue;
        mouse_table_match(site->table, method, path, explain->p, &here);
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
    explain_t explain = {
        .p = ptemp,
        .server = s,
        .watch = {.deadline = apr_time_now() + EXPLAIN_TIMEOUT, .client = -1}};
    mouse_match_t match = {.kind = MOUSE_MATCH_OUTSIDE};

    if (!asked)
        return false;
    path = ap_strchr_c(asked, ' ');
    if (!path || path[1] != '/') {
        printf("no route: MOUSE_EXPLAIN is METHOD, a space, PATH\n");
        return true;
    }
    if (find_route(&explain, mouse_method_find(apr_pstrmemdup(ptemp, asked, path - asked)),
                   path + 1, s, &match))
        print_route(&explain, &match);
    else
        print_miss(&match);
    return true;
}
