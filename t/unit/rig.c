/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The rig of the tests that run models: see rig.h. */

#include "rig.h"

#include <stdlib.h>
#include <unistd.h>

#include <apr_strings.h>

/* ---- the host: a request in memory ---- */

static const char *get_header(void *baton, const char *name)
{
    const rig_ask_t *ask = baton;
    int i;

    for (i = 0; i < 16 && ask->sent[i]; i += 2) {
        if (strcasecmp(ask->sent[i], name) == 0)
            return ask->sent[i + 1];
    }
    if (strcasecmp(name, "Content-Type") == 0)
        return ask->body ? "application/json" : NULL;
    if (strcasecmp(name, "Idempotency-Key") == 0)
        return ask->key;
    return strcasecmp(name, "Cookie") == 0 ? ask->cookie : NULL;
}

static const char *get_env(void *baton, const char *name)
{
    (void)baton;
    return strcmp(name, "SHELF") == 0 ? "top" : NULL;
}

static const char *get_user(void *baton)
{
    (void)baton;
    return "alice";
}

static const char *get_ip(void *baton)
{
    const rig_ask_t *ask = baton;

    return ask->ip ? ask->ip : "192.0.2.1";
}

static const char *get_target(void *baton)
{
    const rig_ask_t *ask = baton;

    if (ask->target)
        return ask->target;
    return ask->query ? apr_pstrcat(unit_pool, "/rig?", ask->query, NULL) : "/rig";
}

static const char *get_scheme(void *baton)
{
    (void)baton;
    return "http";
}

static const char *get_authority(void *baton)
{
    const rig_ask_t *ask = baton;

    if (ask->authority)
        return *ask->authority ? ask->authority : NULL;
    return "api.example:8080";
}

static apr_status_t get_body(void *baton, apr_off_t limit, mouse_slice_t *body,
                             mouse_error_t **err)
{
    const rig_ask_t *ask = baton;

    (void)err;
    *body = mouse_slice_of(ask->body ? ask->body : "");
    ck_assert(body->len <= (size_t)limit);
    return APR_SUCCESS;
}

static const char *get_id(void *baton)
{
    (void)baton;
    return "rig-1";
}

/* The rig's language: "yes", "no", and anything else fails. */
static bool holds(void *baton, const void *compiled, const char **why)
{
    (void)baton;
    if (strcmp(compiled, "yes") != 0 && strcmp(compiled, "no") != 0)
        *why = "it cannot be evaluated";
    return strcmp(compiled, "yes") == 0;
}

static const mouse_host_t host = {.header = get_header,
                                  .env = get_env,
                                  .user = get_user,
                                  .ip = get_ip,
                                  .target = get_target,
                                  .scheme = get_scheme,
                                  .authority = get_authority,
                                  .expression = holds,
                                  .id = get_id,
                                  .body = get_body};
static const mouse_input_options_t input = {.max_body = MOUSE_MAX_BODY};

static void keep_log(void *baton, mouse_log_level_t level, const char *message)
{
    rig_t *rig = baton;

    (void)level;
    APR_ARRAY_PUSH(rig->log, const char *) = apr_pstrdup(unit_pool, message);
}

/* ---- the database ---- */

bool rig_has_mysql(void)
{
    return getenv("MOUSE_TEST_MYSQL") != NULL;
}

static apr_status_t remove_file(void *path)
{
    unlink(path);
    unlink(apr_pstrcat(unit_pool, path, "-wal", NULL));
    unlink(apr_pstrcat(unit_pool, path, "-shm", NULL));
    return APR_SUCCESS;
}

static const char *create_file(void)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-rig-XXXXXX");
    int fd = mkstemp(path);

    ck_assert(fd >= 0);
    close(fd);
    apr_pool_pre_cleanup_register(unit_pool, path, remove_file);
    return path;
}

static void exec(mouse_conn_t *conn, const char *sql)
{
    mouse_stmt_t *stmt;
    bool other = mouse_conn_dialect(conn) == MOUSE_DIALECT_MYSQL ? !strncmp(sql, "S:", 2)
                                                                 : !strncmp(sql, "M:", 2);

    if (other)
        return;
    sql += sql[1] == ':' ? 2 : 0;
    ck_assert_msg(mouse_stmt_prepare(conn, sql, 0, mouse_slice_of(sql), &stmt) ==
                      APR_SUCCESS,
                  "%s: %s", sql, mouse_conn_fault(conn)->message);
    ck_assert_msg(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS, "%s: %s", sql,
                  mouse_conn_fault(conn)->message);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    mouse_stmt_drop(stmt);
}

static void fill(rig_t *rig, const char *const *schema)
{
    mouse_watch_t *watch = apr_pcalloc(unit_pool, sizeof(*watch));
    mouse_log_t *log = apr_pcalloc(unit_pool, sizeof(*log));
    mouse_error_t *err = NULL;
    mouse_conn_t *conn;

    *log = (mouse_log_t){keep_log, rig};
    *watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(20), .client = -1};
    ck_assert_msg(mouse_conn_open(unit_pool, &rig->config, log, watch, &conn, &err) ==
                      APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    for (; *schema; schema++)
        exec(conn, *schema);
    mouse_conn_release(conn);
    ck_assert(mouse_db_create(unit_pool, &rig->config, log, &rig->db, &err) == APR_SUCCESS);
}

rig_t *rig_open(mouse_dialect_t dialect, const char *const *schema, const char *models)
{
    rig_t *rig = apr_pcalloc(unit_pool, sizeof(*rig));
    bool mysql = dialect == MOUSE_DIALECT_MYSQL;
    mouse_error_t *err = NULL;

    rig->dialect = dialect;
    rig->log = apr_array_make(unit_pool, 8, sizeof(char *));
    rig->settings = (mouse_settings_t){
        .timeout = apr_time_from_sec(10), .max_memory = 1 << 20, .max_answer = 1 << 24};
    rig->config = (mouse_db_config_t){.name = "main",
                                      .driver = mysql ? "mysql" : "sqlite3",
                                      .cancel = true,
                                      .max = 4,
                                      .idle = apr_time_from_sec(60),
                                      .lifetime = apr_time_from_sec(1800),
                                      .wait = apr_time_from_sec(5),
                                      .timeout = apr_time_from_sec(10)};
    rig->config.params = mysql ? getenv("MOUSE_TEST_MYSQL") : create_file();
    ck_assert_msg(mouse_models_parse(unit_pool, "run.sql", "run", mouse_slice_of(models),
                                     dialect, &rig->models, &err) == APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    fill(rig, schema);
    return rig;
}

/* ---- requests ---- */

static mouse_slice_t after(const char *pair, char mark)
{
    return mouse_slice_of(strchr(pair, mark) + 1);
}

mouse_request_t *rig_request(rig_t *rig, const rig_ask_t *ask)
{
    mouse_request_t *req = apr_pcalloc(unit_pool, sizeof(*req));
    mouse_path_value_t *path = apr_pcalloc(unit_pool, sizeof(*path));
    mouse_log_t *log = apr_pcalloc(unit_pool, sizeof(*log));

    *log = (mouse_log_t){keep_log, rig};
    req->pool = unit_pool;
    req->host = &host;
    req->baton = (void *)ask;
    req->log = log;
    req->settings = &rig->settings;
    req->input = &input;
    req->method = ask->method ? ask->method : "GET";
    req->path = "/rig";
    req->query = mouse_slice_of(ask->query ? ask->query : "");
    if (ask->path) {
        path->name = apr_pstrndup(unit_pool, ask->path, strcspn(ask->path, "="));
        path->value = after(ask->path, '=');
        req->path_values = path;
        req->path_count = 1;
    }
    req->now = ask->now ? ask->now : apr_time_now();
    req->watch.deadline = apr_time_now() + rig->settings.timeout;
    req->watch.client = -1;
    req->watch.mark = rig->mark;
    req->context = apr_array_make(unit_pool, 2, sizeof(mouse_context_t));
    req->headers = apr_table_make(unit_pool, 2);
    return req;
}

static bool has_body(const rig_ask_t *ask)
{
    return ask->method && ask->method[0] == 'P';
}

const mouse_model_t *rig_bind(rig_t *rig, const rig_ask_t *ask)
{
    const mouse_model_t *model = mouse_model_find(rig->models, ask->model), *bound = NULL;
    const char *name =
        ask->path ? apr_pstrndup(unit_pool, ask->path, strcspn(ask->path, "=")) : NULL;
    const char *type = "string";
    mouse_error_t *err = NULL;
    bool used = false;

    ck_assert_msg(model != NULL, "no model %s", ask->model);
    ck_assert_msg(mouse_model_bind(unit_pool, model, &name, &type, ask->path ? 1 : 0,
                                   has_body(ask), &used, &bound, &err) == APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    return bound;
}

static mouse_shape_t make_shape(const rig_ask_t *ask)
{
    mouse_shape_t shape = {.status = ask->status, .idempotent = ask->idempotent};
    mouse_header_template_t *headers = apr_pcalloc(unit_pool, 2 * sizeof(*headers));
    mouse_error_t *err = NULL;
    int i;

    for (i = 0; i < 2 && ask->header[2 * i]; i++) {
        headers[i].name = ask->header[2 * i];
        ck_assert(mouse_template_parse(unit_pool, ask->header[2 * i + 1], &headers[i].value,
                                       &err) == APR_SUCCESS);
        shape.header_count++;
    }
    shape.headers = headers;
    return shape;
}

static const char *tell_error(const mouse_error_t *err)
{
    return apr_psprintf(unit_pool, "%d %s%s%s%s%s%s", err->status,
                        mouse_code_slug(err->code), err->detail ? " " : "",
                        err->detail ? err->detail : "", err->parameter ? " (" : "",
                        err->parameter ? err->parameter : "", err->parameter ? ")" : "");
}

const char *rig_run(rig_t *rig, const rig_ask_t *ask, mouse_answer_t **kept)
{
    mouse_answer_t *answer = apr_pcalloc(unit_pool, sizeof(*answer));
    mouse_request_t *req = rig_request(rig, ask);
    mouse_shape_t shape = make_shape(ask);
    mouse_error_t *err = NULL;

    if (kept)
        *kept = answer;
    if (mouse_model_run(req, rig_bind(rig, ask), rig->db, &shape, ask->format, answer,
                        &err) != APR_SUCCESS) {
        ck_assert_ptr_nonnull(err);
        return tell_error(err);
    }
    return apr_psprintf(unit_pool, "%d%s%.*s", answer->status,
                        answer->content_type ? " " : "", (int)answer->body.buf.len,
                        answer->body.buf.data ? answer->body.buf.data : "");
}

const char *rig_get(rig_t *rig, const char *model)
{
    rig_ask_t *ask = apr_pcalloc(unit_pool, sizeof(*ask));

    ask->model = model;
    return rig_run(rig, ask, NULL);
}
