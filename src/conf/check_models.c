/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D MOUSE_CHECK: opens every database and prepares every model on it, those that
 * no route uses, too. Runs only on a configuration without other mistakes, and changes
 * nothing.
 */
#include <ap_mpm.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

#define CHECK_TIMEOUT apr_time_from_sec(30)

typedef struct checker_t {
    mouse_report_t *report;
    apr_hash_t *conns; /* mouse_conf_slot_t * -> mouse_conn_t * */
    apr_hash_t *done;  /* models that were looked at */
    apr_hash_t *used;  /* "SLOT FILE:LINE" of those that a route runs: it has copies */
    mouse_watch_t watch;
    const server_rec *servers;
    const mouse_conf_t *conf;
    const mouse_endpoint_t *endpoint; /* NULL: a model without one is looked at */
} checker_t;

static int query_mpm(int code)
{
    int value = 0;

    return ap_mpm_query(code, &value) == APR_SUCCESS ? value : 0;
}

static mouse_conn_t *conn_to(const checker_t *checker, const mouse_conf_slot_t *slot)
{
    return apr_hash_get(checker->conns, &slot, sizeof(slot));
}

/* Of a database that requests use. */
static void check_limit(checker_t *checker, const mouse_conf_slot_t *slot)
{
    mouse_conn_t *conn = conn_to(checker, slot);
    int limit = conn ? mouse_conn_limit(conn) : 0;
    int children = query_mpm(AP_MPMQ_MAX_DAEMONS);
    int threads = query_mpm(AP_MPMQ_MAX_THREADS);
    int max = threads > 0 && threads < slot->config.max ? threads : slot->config.max;
    int each = conn ? mouse_conn_demand(conn, max) : 0;

    if (limit > 0 && children > 0 && (apr_int64_t)children * each > limit)
        mouse_report_warning(
            checker->report, slot->place,
            "%d children with %d connections each%s are more than the %d that "
            "the database %s allows: lower MousePool max=, or raise its limit",
            children, each, each > max ? ", one of them for cancelling," : "", limit,
            slot->config.name);
}

static void open_database(checker_t *checker, mouse_conf_slot_t *slot)
{
    apr_pool_t *p = checker->report->p;
    mouse_conn_t *conn = NULL;
    mouse_error_t *err = NULL;

    if (apr_hash_get(checker->conns, &slot, sizeof(slot)))
        return;
    if (mouse_conn_open(p, &slot->config, mouse_http_server_log(p, checker->report->server),
                        &checker->watch, &conn, &err) != APR_SUCCESS) {
        mouse_report(checker->report, slot->place, "cannot open the database %s: %s",
                     slot->config.name, mouse_report_sentence(p, err));
        return;
    }
    apr_hash_set(checker->conns, apr_pmemdup(p, &slot, sizeof(slot)), sizeof(slot), conn);
}

static void take_finding(void *baton, mouse_log_level_t level, const mouse_error_t *err)
{
    checker_t *checker = baton;
    const mouse_endpoint_t *endpoint = checker->endpoint;
    const mouse_place_t place = endpoint ? (mouse_place_t){endpoint->file, endpoint->line}
                                         : (mouse_place_t){NULL, 0};

    if (level == MOUSE_LOG_ERROR)
        mouse_report_error(checker->report, place, err);
    else
        mouse_report_warning(checker->report,
                             err->file ? (mouse_place_t){err->file, err->line} : place,
                             "%s", mouse_report_sentence(checker->report->p, err));
}

/* The connection of the database that a model of this server runs on. */
static mouse_conn_t *conn_of(checker_t *checker, const mouse_model_t *model)
{
    const mouse_conf_loaded_t *loaded =
        mouse_models_find(checker->conf, mouse_model_name(model));

    return loaded ? conn_to(checker, loaded->slot) : NULL;
}

static const char *used_key(const checker_t *checker, const mouse_conf_slot_t *slot,
                            const mouse_model_t *model)
{
    return apr_psprintf(checker->report->p, "%pp %s:%d", slot, mouse_model_file(model),
                        mouse_model_line(model));
}

static void use_model(checker_t *checker, const mouse_model_t *model)
{
    const mouse_conf_loaded_t *loaded =
        mouse_models_find(checker->conf, mouse_model_name(model));

    if (loaded)
        apr_hash_set(checker->used, used_key(checker, loaded->slot, model),
                     APR_HASH_KEY_STRING, model);
}

static void check_model(checker_t *checker, const mouse_model_t *model)
{
    mouse_conn_t *conn = conn_of(checker, model);

    use_model(checker, model);
    if (!conn || apr_hash_get(checker->done, &model, sizeof(model)))
        return;
    apr_hash_set(checker->done, apr_pmemdup(checker->report->p, &model, sizeof(model)),
                 sizeof(model), model);
    mouse_model_check(checker->report->p, model, conn, take_finding, checker);
}

static bool holds_name(const apr_array_header_t *names, const char *name)
{
    for (int i = 0; i < names->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(names, i, const char *), name) == 0)
            return true;
    }
    return false;
}

static void check_field(checker_t *checker, mouse_place_t place, const char *word,
                        const char *field)
{
    const mouse_chain_t *chain = checker->endpoint->chain;

    for (int i = 0; i < mouse_chain_count(chain); i++) {
        const mouse_guard_t *guard = mouse_chain_get(chain, i);
        const mouse_model_t *model = guard->provider->gives && !guard->provider->early
                                         ? NULL
                                         : mouse_guard_model(guard, 0);
        mouse_conn_t *conn = model ? conn_of(checker, model) : NULL;
        apr_array_header_t *names = NULL;

        if (!conn || strcmp(guard->name, word) != 0 ||
            mouse_guard_gives_early(guard, field) ||
            mouse_model_columns(checker->report->p, model, conn, &names) != APR_SUCCESS)
            continue;
        if (!holds_name(names, field))
            mouse_report(checker->report, place,
                         "the guard %s gives no \"%s\": its model %s has no such column",
                         word, field, mouse_model_name(model));
    }
}

/* A bare name of a template that the parameters do not give is a column of the one row. */
static void check_column(checker_t *checker, mouse_place_t place, const char *header,
                         const char *name)
{
    const mouse_endpoint_t *endpoint = checker->endpoint;
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    mouse_conn_t *conn = model ? conn_of(checker, model) : NULL;
    apr_array_header_t *names = NULL;

    if (!conn || mouse_model_kind(model) != MOUSE_KIND_ONE ||
        mouse_model_names_value(model, name) ||
        mouse_pattern_has(endpoint->pattern, name) ||
        mouse_model_columns(checker->report->p, model, conn, &names) != APR_SUCCESS)
        return;
    if (!holds_name(names, name))
        mouse_report(checker->report, place,
                     "{%s} in %s: the model %s answers no such column", name, header,
                     mouse_model_name(model));
}

static void check_variable(checker_t *checker, const char *header, const char *name)
{
    const mouse_place_t place = {checker->endpoint->file, checker->endpoint->line};
    const char *dot = ap_strchr_c(name, '.');

    if (dot)
        check_field(checker, place, apr_pstrmemdup(checker->report->p, name, dot - name),
                    dot + 1);
    else
        check_column(checker, place, header, name);
}

static void check_template(checker_t *checker, const char *header,
                           const mouse_template_t *tpl)
{
    int count;
    const char *const *names = mouse_template_names(tpl, &count);

    for (int n = 0; n < count; n++)
        check_variable(checker, header, names[n]);
}

static void check_templates(checker_t *checker)
{
    const mouse_shape_t *shape = &checker->endpoint->shape;

    for (int i = 0; i < shape->header_count; i++)
        check_template(checker, shape->headers[i].name, shape->headers[i].value);
    if (shape->idempotent)
        check_template(checker, "idempotent=", shape->idempotent->scope);
}

typedef struct visit_t {
    checker_t *checker;
    const mouse_model_t *model;
} visit_t;

static void visit_context(void *baton, const char *word, const char *field, int line,
                          int column)
{
    const visit_t *visit = baton;

    (void)column;
    check_field(visit->checker, (mouse_place_t){mouse_model_file(visit->model), line}, word,
                field);
}

/* One guard being looked at. */
typedef struct looked_t {
    checker_t *checker;
    const mouse_guard_t *guard;
} looked_t;

static void visit_guard(void *baton, const char *word, const char *field,
                        const mouse_model_t *model, int line)
{
    const looked_t *looked = baton;
    const char *file = model ? mouse_model_file(model) : looked->guard->file;

    check_field(looked->checker, (mouse_place_t){file, line}, word, field);
}

static void check_guard(checker_t *checker, const mouse_guard_t *guard)
{
    looked_t looked = {checker, guard};
    const mouse_model_t *model;

    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++)
        check_model(checker, model);
    mouse_guard_each_context(checker->report->p, guard, visit_guard, &looked);
}

/* The table of keys, in the database of the route's model. */
static void check_keys(checker_t *checker, const mouse_model_t *model)
{
    const mouse_endpoint_t *endpoint = checker->endpoint;
    mouse_conn_t *conn =
        model && endpoint->shape.idempotent ? conn_of(checker, model) : NULL;
    mouse_error_t *err = NULL;

    if (conn && mouse_idempotency_check(checker->report->p, conn, &err) != APR_SUCCESS)
        mouse_report_error(checker->report, (mouse_place_t){endpoint->file, endpoint->line},
                           err);
}

static void check_one(checker_t *checker, const mouse_model_t *model)
{
    visit_t visit = {checker, model};

    if (!model)
        return;
    check_model(checker, model);
    mouse_model_each_context(model, visit_context, &visit);
}

static void visit_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                        void *data)
{
    checker_t *checker = baton;
    const mouse_endpoint_t *endpoint = data;
    const mouse_model_t *model = mouse_endpoint_model(endpoint);

    (void)method;
    (void)pattern;
    checker->endpoint = endpoint;
    for (int i = 0; i < mouse_chain_count(endpoint->chain); i++)
        check_guard(checker, mouse_chain_get(endpoint->chain, i));
    check_one(checker, model);
    check_templates(checker);
    check_keys(checker, model);
}

static void check_server(checker_t *checker)
{
    const mouse_conf_t *conf = checker->conf;

    for (int i = 0; i < conf->slots->nelts; i++) {
        mouse_conf_slot_t *slot = APR_ARRAY_IDX(conf->slots, i, mouse_conf_slot_t *);

        open_database(checker, slot);
        check_limit(checker, slot);
    }
    if (conf->site)
        mouse_table_each(conf->site->table, visit_route, checker);
}

/* ---- models that no route and no guard runs ---- */

static bool is_guard(const checker_t *checker, const char *word)
{
    for (const server_rec *s = checker->servers; s; s = s->next) {
        const mouse_conf_t *conf = mouse_conf_get(s);

        if (conf && mouse_item_find(conf->guards, word))
            return true;
    }
    return false;
}

/* Context that no route can ever have. */
static void visit_unknown(void *baton, const char *word, const char *field, int line,
                          int column)
{
    const visit_t *visit = baton;
    const mouse_place_t place = {mouse_model_file(visit->model), line};

    (void)column;
    if (mouse_word_has(word, field) || is_guard(visit->checker, word))
        return;
    if (mouse_word_reserved(word))
        mouse_report_warning(visit->checker->report, place, "%s: %s has no field \"%s\"",
                             mouse_model_name(visit->model), word, field);
    else
        mouse_report_warning(visit->checker->report, place,
                             "%s: there is no guard \"%s\" to give ':%s.%s'",
                             mouse_model_name(visit->model), word, word, field);
}

static void check_unused(checker_t *checker, mouse_conn_t *conn, const mouse_model_t *model)
{
    visit_t visit = {checker, model};

    if (conn)
        mouse_model_check(checker->report->p, model, conn, take_finding, checker);
    mouse_model_each_context(model, visit_unknown, &visit);
}

static void check_directory(checker_t *checker, const mouse_conf_loaded_t *loaded)
{
    open_database(checker, loaded->slot);
    for (int i = 0; i < mouse_models_count(loaded->models); i++) {
        const mouse_model_t *model = mouse_models_get(loaded->models, i);

        if (!apr_hash_get(checker->used, used_key(checker, loaded->slot, model),
                          APR_HASH_KEY_STRING))
            check_unused(checker, conn_to(checker, loaded->slot), model);
    }
}

static void check_rest(checker_t *checker)
{
    checker->endpoint = NULL;
    for (int i = 0; i < checker->conf->loaded->nelts; i++)
        check_directory(checker,
                        &APR_ARRAY_IDX(checker->conf->loaded, i, mouse_conf_loaded_t));
}

/* Of the servers that have a configuration, one after the other. */
static void each_server(checker_t *checker, server_rec *s, void (*look)(checker_t *checker))
{
    for (; s; s = s->next) {
        checker->conf = mouse_conf_get(s);
        if (checker->conf)
            look(checker);
    }
}

void mouse_check_models(mouse_report_t *report, server_rec *s)
{
    checker_t checker = {
        .report = report,
        .servers = s,
        .conns = apr_hash_make(report->p),
        .done = apr_hash_make(report->p),
        .used = apr_hash_make(report->p),
        .watch = {.deadline = apr_time_now() + CHECK_TIMEOUT, .client = -1}};

    each_server(&checker, s, check_server);
    each_server(&checker, s, check_rest);
    for (apr_hash_index_t *hi = apr_hash_first(report->p, checker.conns); hi;
         hi = apr_hash_next(hi))
        mouse_conn_release(apr_hash_this_val(hi));
}
