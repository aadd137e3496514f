/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D MOUSE_LINT: warnings about what is right but rarely meant. Models and guards
 * that nothing uses, routes that write without a guard, pages of a document that nothing
 * serves, and the habits in SQL that model/lint.c knows. Runs only on a configuration
 * without mistakes.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

typedef struct lint_t {
    mouse_report_t *report;
    const mouse_table_t *table; /* of the server whose routes are looked at */
    apr_hash_t *used;           /* "FILE:LINE" of models and guards that are in use */
} lint_t;

static void use_place(lint_t *lint, const char *file, int line)
{
    const char *place = apr_psprintf(lint->report->p, "%s:%d", file, line);

    apr_hash_set(lint->used, place, APR_HASH_KEY_STRING, place);
}

static bool is_used(lint_t *lint, const char *file, int line)
{
    return apr_hash_get(lint->used, apr_psprintf(lint->report->p, "%s:%d", file, line),
                        APR_HASH_KEY_STRING) != NULL;
}

static void use_model(lint_t *lint, const mouse_model_t *model)
{
    use_place(lint, mouse_model_file(model), mouse_model_line(model));
}

static void use_chain(lint_t *lint, const mouse_chain_t *chain)
{
    for (int i = 0; i < mouse_chain_count(chain); i++) {
        const mouse_guard_t *guard = mouse_chain_get(chain, i);
        const mouse_model_t *model;

        use_place(lint, guard->file, guard->line);
        for (int k = 0; (model = mouse_guard_model(guard, k)) != NULL; k++)
            use_model(lint, model);
    }
}

/* docs: does an openapi route answer where its page will ask? */
static void look_at_document(lint_t *lint, const mouse_endpoint_t *endpoint)
{
    apr_pool_t *p = lint->report->p;
    mouse_match_t match = {.kind = MOUSE_MATCH_OUTSIDE};
    const char *path, *rest;

    if (!endpoint->action->document)
        return;
    path = endpoint->action->document(endpoint->config);
    rest = ap_strchr_c(path, '?');
    mouse_table_match(lint->table, MOUSE_GET,
                      rest ? apr_pstrmemdup(p, path, rest - path) : path, p, &match);
    if (match.kind != MOUSE_MATCH_FOUND ||
        strcmp(((const mouse_endpoint_t *)match.endpoint)->action->name, "openapi") != 0)
        mouse_report_warning(lint->report, (mouse_place_t){endpoint->file, endpoint->line},
                             "docs shows the document at %s, and no openapi route answers "
                             "there: MouseRoute GET %s openapi",
                             path, path);
}

static void visit_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                        void *data)
{
    lint_t *lint = baton;
    const mouse_endpoint_t *endpoint = data;
    const mouse_model_t *model = mouse_endpoint_model(endpoint);

    use_chain(lint, endpoint->chain);
    look_at_document(lint, endpoint);
    if (!model)
        return;
    use_model(lint, model);
    if (!mouse_model_reads(model) && mouse_chain_count(endpoint->chain) == 0)
        mouse_report_warning(lint->report, (mouse_place_t){endpoint->file, endpoint->line},
                             "%s %s writes, and no guard stands before it: anybody may",
                             mouse_method_name(method), pattern->text);
}

static void take_finding(void *baton, mouse_log_level_t level, const mouse_error_t *err)
{
    const lint_t *lint = baton;

    (void)level;
    mouse_report_warning(lint->report, (mouse_place_t){err->file, err->line}, "%s",
                         mouse_report_sentence(lint->report->p, err));
}

/* The names that an unused model leaves to a path, each once. */
typedef struct wanted_t {
    apr_pool_t *p;
    const char *names; /* "{id}, {day}" */
} wanted_t;

static void want_name(void *baton, const char *name)
{
    wanted_t *wanted = baton;
    const char *word = apr_pstrcat(wanted->p, "{", name, "}", NULL);

    if (!ap_strstr_c(wanted->names, word))
        wanted->names =
            apr_pstrcat(wanted->p, wanted->names, *wanted->names ? ", " : "", word, NULL);
}

static void report_unused(lint_t *lint, const mouse_model_t *model)
{
    wanted_t wanted = {lint->report->p, ""};

    mouse_model_each_undeclared(model, want_name, &wanted);
    mouse_report_warning(lint->report,
                         (mouse_place_t){mouse_model_file(model), mouse_model_line(model)},
                         "nothing uses the model %s%s%s", mouse_model_name(model),
                         *wanted.names ? "; what it does not declare a route's path has to "
                                         "give: "
                                       : "",
                         wanted.names);
}

static void look_at_models(lint_t *lint, const mouse_models_t *models)
{
    for (int i = 0; i < mouse_models_count(models); i++) {
        const mouse_model_t *model = mouse_models_get(models, i);

        if (!is_used(lint, mouse_model_file(model), mouse_model_line(model)))
            report_unused(lint, model);
        mouse_model_lint(lint->report->p, model, take_finding, lint);
    }
}

/* A MouseUse around no route is the start of something, not a guard forgotten. */
static void use_scope(lint_t *lint, const mouse_conf_t *conf,
                      const mouse_conf_scope_t *scope)
{
    for (int i = 0; i < scope->uses->nelts; i++) {
        const mouse_item_t *guard = mouse_item_find(
            conf->guards, APR_ARRAY_IDX(scope->uses, i, mouse_conf_use_t).name);

        if (guard)
            use_place(lint, guard->place.file, guard->place.line);
    }
}

static void use_scopes(lint_t *lint, const mouse_conf_t *conf)
{
    use_scope(lint, conf, &conf->scope);
    for (int i = 0; i < conf->groups->nelts; i++)
        use_scope(lint, conf, &APR_ARRAY_IDX(conf->groups, i, mouse_conf_group_t *)->scope);
}

static void look_at_server(lint_t *lint, const mouse_conf_t *conf)
{
    for (int i = 0; i < conf->loaded->nelts; i++)
        look_at_models(lint, APR_ARRAY_IDX(conf->loaded, i, mouse_conf_loaded_t).models);
    for (int i = 0; i < conf->guards->nelts; i++) {
        const mouse_item_t *guard = APR_ARRAY_IDX(conf->guards, i, mouse_item_t *);

        if (!is_used(lint, guard->place.file, guard->place.line))
            mouse_report_warning(lint->report, guard->place, "nothing uses the guard %s",
                                 guard->name);
    }
}

void mouse_lint(mouse_report_t *report, server_rec *s)
{
    lint_t lint = {.report = report, .used = apr_hash_make(report->p)};
    const mouse_conf_t *conf;

    for (server_rec *host = s; host; host = host->next) {
        conf = mouse_conf_get(host);
        if (!conf || !conf->site)
            continue;
        use_scopes(&lint, conf);
        use_chain(&lint, conf->site->chain);
        lint.table = conf->site->table;
        mouse_table_each(conf->site->table, visit_route, &lint);
    }
    for (server_rec *host = s; host; host = host->next) {
        conf = mouse_conf_get(host);
        if (conf)
            look_at_server(&lint, conf);
    }
}
