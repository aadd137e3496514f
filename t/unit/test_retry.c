/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model: what is tried again, and what never, on a driver that fails as it is told. */

#include "db/db_int.h"
#include "model/mouse_model.h"
#include "unit.h"

#include <apr_strings.h>

static const char models[] = "-- name: read :many\n"
                             "SELECT a FROM t;\n"
                             "-- name: snapshot :object\n"
                             "-- answer: a :many\n"
                             "SELECT a FROM t;\n"
                             "-- answer: b :many\n"
                             "SELECT b FROM t;\n"
                             "-- name: auto :exec\n"
                             "UPDATE t SET a = 1;\n"
                             "-- name: write :exec\n"
                             "-- expect: 1\n"
                             "UPDATE t SET a = 1;\n";

/* B begin, P prepare, R run, C commit, X rollback, O open: which of them fails, how often.
 */
typedef struct row_t {
    const char *model;
    char operation;
    int times;
    mouse_fault_class_t class;
    int native;
    int status;       /* the error's, or the answer's */
    const char *slug; /* NULL: it succeeds */
    const char *trace;
} row_t;

#define DEADLOCK MOUSE_FAULT_DEADLOCK, 1213
#define LOST     MOUSE_FAULT_LOST, 2013

static const row_t rows[] = {
    {"m/read", 'R', 0, MOUSE_FAULT_NONE, 0, 200, NULL, "OPR"},
    {"m/snapshot", 'R', 0, MOUSE_FAULT_NONE, 0, 200, NULL, "OBPRPRX"},
    {"m/auto", 'R', 0, MOUSE_FAULT_NONE, 0, 204, NULL, "OPR"},
    {"m/write", 'R', 0, MOUSE_FAULT_NONE, 0, 204, NULL, "OBPRC"},
    /* rolled back by the database: again, three times at most */
    {"m/write", 'R', 1, DEADLOCK, 204, NULL, "OBPRXBRC"},
    {"m/write", 'R', 3, DEADLOCK, 204, NULL, "OBPRXBRXBRXBRC"},
    {"m/write", 'R', 9, DEADLOCK, 503, "conflict", "OBPRXBRXBRXBRX"},
    {"m/write", 'C', 1, DEADLOCK, 204, NULL, "OBPRCXBRC"},
    {"m/auto", 'R', 1, DEADLOCK, 204, NULL, "OPRR"},
    /* lost before anything could have been written: once more, on another connection */
    {"m/read", 'R', 1, LOST, 200, NULL, "OPROPR"},
    {"m/read", 'R', 9, LOST, 503, "database-unavailable", "OPROPR"},
    {"m/snapshot", 'R', 1, LOST, 200, NULL, "OBPROBPRPRX"},
    {"m/auto", 'P', 1, LOST, 204, NULL, "OPOPR"},
    {"m/write", 'B', 1, LOST, 204, NULL, "OBOBPRC"},
    {"m/write", 'R', 1, LOST, 204, NULL, "OBPROBPRC"},
    {"m/write", 'R', 9, LOST, 503, "database-unavailable", "OBPROBPR"},
    /* lost behind a write that commits itself, or behind COMMIT: nobody knows, never again
     */
    {"m/auto", 'R', 1, LOST, 500, "outcome-unknown", "OPR"},
    {"m/write", 'C', 1, LOST, 500, "outcome-unknown", "OBPRC"},
    {"m/auto", 'R', 1, MOUSE_FAULT_TIMEOUT, 2013, 500, "outcome-unknown", "OPR"},
    {"m/auto", 'R', 1, MOUSE_FAULT_TIMEOUT, 1969, 504, "timeout", "OPR"},
    {"m/write", 'R', 1, MOUSE_FAULT_TIMEOUT, 2013, 504, "timeout", "OBPRX"},
    {"m/write", 'R', 1, MOUSE_FAULT_GONE, 2013, 499, "client-gone", "OBPRX"},
    /* prepared for tables that have changed */
    {"m/read", 'R', 1, MOUSE_FAULT_STALE, 2057, 200, NULL, "OPRPR"},
    {"m/write", 'R', 1, MOUSE_FAULT_STALE, 2030, 204, NULL, "OBPRXBPRC"},
    {"m/read", 'R', 9, MOUSE_FAULT_STALE, 2057, 500, "database-error", "OPRPR"},
    /* no reason to try again */
    {"m/write", 'R', 1, MOUSE_FAULT_UNIQUE, 1062, 409, "unique", "OBPRX"},
    {"m/write", 'R', 1, MOUSE_FAULT_OTHER, 1064, 500, "database-error", "OBPRX"},
    {"m/write", 'C', 1, MOUSE_FAULT_FOREIGN_KEY, 1452, 409, "foreign-key", "OBPRCX"},
};

/* One test runs at a time, in a process of its own. */
static struct {
    const row_t *row;
    int failures;
    char trace[64];
    mouse_slice_t mark; /* of the request */
    int open_statements;
    bool open; /* a transaction */
    bool committing;
} script;

static apr_status_t step(mouse_conn_t *conn, char operation)
{
    size_t at = strlen(script.trace);

    ck_assert_uint_lt(at, sizeof(script.trace) - 1);
    script.trace[at] = operation;
    if (operation == 'C')
        script.committing = conn->watch && conn->watch->committing;
    if (operation != script.row->operation || script.failures++ >= script.row->times)
        return APR_SUCCESS;
    if (script.row->class == MOUSE_FAULT_LOST) {
        conn->doubtful = true;
        script.open = false;
    }
    return mouse_fault_set(conn, script.row->class, script.row->native, "HY000", "told to");
}

static apr_status_t do_check(apr_pool_t *p, const mouse_db_config_t *config,
                             mouse_error_t **err)
{
    (void)p;
    (void)config;
    (void)err;
    return APR_SUCCESS;
}

static apr_status_t do_open(mouse_conn_t *conn)
{
    return step(conn, 'O');
}

static const char *do_params(apr_pool_t *p, const mouse_db_config_t *config)
{
    (void)p;
    return config->params;
}

static void do_close(mouse_conn_t *conn)
{
    (void)conn;
}

static apr_status_t do_ping(mouse_conn_t *conn)
{
    (void)conn;
    return APR_SUCCESS;
}

static apr_status_t do_begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    (void)kind;
    script.open = true;
    return step(conn, 'B');
}

static apr_status_t do_commit(mouse_conn_t *conn)
{
    apr_status_t rv = step(conn, 'C');

    script.open &= rv != APR_SUCCESS;
    return rv;
}

static apr_status_t do_rollback(mouse_conn_t *conn)
{
    script.open = false;
    return step(conn, 'X');
}

static bool do_in_transaction(mouse_conn_t *conn)
{
    (void)conn;
    return script.open;
}

static apr_status_t do_prepare(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    static mouse_column_t column = {{"a", 1}, MOUSE_COLUMN_SMALLINT, 0, NULL};

    if (sql.len > 6 && memcmp(sql.data, "SELECT", 6) == 0) {
        stmt->columns = &column;
        stmt->column_count = 1;
    }
    ck_assert_uint_ge(sql.len, script.mark.len);
    ck_assert(!script.mark.len || memcmp(sql.data + sql.len - script.mark.len,
                                         script.mark.data, script.mark.len) == 0);
    if (step(stmt->conn, 'P') != APR_SUCCESS)
        return APR_EGENERAL;
    script.open_statements++;
    return APR_SUCCESS;
}

static apr_status_t do_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    (void)values;
    (void)count;
    stmt->affected = 1;
    return step(stmt->conn, 'R');
}

static apr_status_t do_next(mouse_stmt_t *stmt, const mouse_value_t **row)
{
    (void)stmt;
    (void)row;
    return APR_EOF;
}

static apr_status_t do_finish(mouse_stmt_t *stmt)
{
    (void)stmt;
    return APR_SUCCESS;
}

static void do_unprepare(mouse_stmt_t *stmt)
{
    (void)stmt;
    script.open_statements--;
}

static const char *do_nontransactional(mouse_conn_t *conn, apr_pool_t *p, mouse_slice_t sql)
{
    (void)conn;
    (void)p;
    (void)sql;
    return NULL;
}

static int do_limit(mouse_conn_t *conn)
{
    (void)conn;
    return 0;
}

static const mouse_driver_t driver = {
    .name = "scripted",
    .dialect = MOUSE_DIALECT_MYSQL,
    .marks = true,
    .check = do_check,
    .open = do_open,
    .params = do_params,
    .close = do_close,
    .ping = do_ping,
    .begin = do_begin,
    .commit = do_commit,
    .rollback = do_rollback,
    .in_transaction = do_in_transaction,
    .prepare = do_prepare,
    .run = do_run,
    .next = do_next,
    .finish = do_finish,
    .unprepare = do_unprepare,
    .nontransactional = do_nontransactional,
    .limit = do_limit,
};

static const mouse_db_config_t config = {
    .name = "main",
    .driver = "scripted",
    .params = "",
    .max = 2,
    .idle = APR_USEC_PER_SEC * 60,
    .lifetime = APR_USEC_PER_SEC * 600,
    .wait = APR_USEC_PER_SEC * 5,
    .timeout = APR_USEC_PER_SEC * 10,
};

static const mouse_model_t *tie(const char *name)
{
    mouse_models_t *parsed;
    const mouse_model_t *bound;
    mouse_error_t *err = NULL;

    ck_assert_msg(mouse_models_parse(unit_pool, "m.sql", "m", mouse_slice_of(models),
                                     MOUSE_DIALECT_MYSQL, &parsed, &err) == APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    ck_assert(mouse_model_bind(unit_pool, mouse_model_find(parsed, name), NULL, NULL, 0,
                               true, NULL, &bound, &err) == APR_SUCCESS);
    return bound;
}

static mouse_request_t *make_request(void)
{
    static const mouse_host_t host;
    static const mouse_settings_t settings = {.max_memory = 1 << 20, .max_answer = 1 << 20};
    static const mouse_input_options_t input = {.max_body = MOUSE_MAX_BODY};
    mouse_request_t *req = apr_pcalloc(unit_pool, sizeof(*req));

    *req = (mouse_request_t){.pool = unit_pool,
                             .host = &host,
                             .settings = &settings,
                             .input = &input,
                             .method = "DELETE",
                             .now = apr_time_now()};
    req->watch.deadline = req->now + apr_time_from_sec(10);
    req->watch.client = -1;
    req->watch.mark = script.mark;
    return req;
}

static void look(const row_t *row, mouse_slice_t mark)
{
    const mouse_opening_t opening = {.driver = &driver, .config = &config};
    const mouse_shape_t shape = {.status = 0};
    mouse_answer_t *answer = apr_pcalloc(unit_pool, sizeof(*answer));
    mouse_error_t *err = NULL;
    mouse_db_stats_t stats;
    mouse_db_t *db;
    apr_status_t rv;

    memset(&script, 0, sizeof(script));
    script.row = row;
    script.mark = mark;
    ck_assert(mouse_db_create_with(unit_pool, &opening, &db) == APR_SUCCESS);
    rv = mouse_model_run(make_request(), tie(row->model), db, &shape, MOUSE_FORMAT_JSON,
                         answer, &err);
    ck_assert_str_eq(script.trace, row->trace);
    ck_assert_int_eq(rv == APR_SUCCESS, row->slug == NULL);
    if (row->slug) {
        ck_assert_str_eq(mouse_code_slug(err->code), row->slug);
        ck_assert_int_eq(err->status, row->status);
        ck_assert_int_eq(err->retry_after > 0,
                         err->status == 503); /* what may be tried again says when */
    } else {
        ck_assert_int_eq(answer->status, row->status);
    }
    if (strchr(row->trace, 'C'))
        ck_assert(script.committing);
    mouse_db_stats(db, &stats);
    ck_assert_int_eq(stats.open, stats.idle);
    if (mark.len > 0)
        ck_assert_int_eq(script.open_statements, 0);
}

START_TEST(only_what_did_not_happen_is_tried_again)
{
    look(&rows[_i], (mouse_slice_t){NULL, 0});
}
END_TEST

/* Another try finds the statement with the mark, as it finds one of the cache. */
START_TEST(a_mark_changes_no_try)
{
    look(&rows[_i], MOUSE_SLICE(" /*m*/"));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("retry");
    TCase *tcase = unit_case(suite, "retry");

    tcase_add_loop_test(tcase, only_what_did_not_happen_is_tried_again, 0,
                        sizeof(rows) / sizeof(rows[0]));
    tcase_add_loop_test(tcase, a_mark_changes_no_try, 0, sizeof(rows) / sizeof(rows[0]));
    return suite;
}
