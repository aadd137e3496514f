/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model: answers kept for an Idempotency-Key, in the tables that conf/idempotency makes. */

#include "rig.h"

#include <stdlib.h>

#include <apr_strings.h>

static const char models[] = "-- name: add :one\n"
                             "-- param: title string(1..20)\n"
                             "-- as: n\n"
                             "INSERT INTO notes (title) VALUES (:title);\n"
                             "SELECT :n.insert_id AS id, CAST(:title AS CHAR) AS title;\n"

                             "-- name: put :exec\n"
                             "-- param: title string(1..20)\n"
                             "INSERT INTO notes (title) VALUES (:title);\n"

                             "-- name: count_up :affected\n"
                             "UPDATE notes SET title = 'up';\n"

                             "-- name: late :one\n"
                             "-- param: title string(1..20)\n"
                             "-- param: enough int\n"
                             "INSERT INTO notes (title) VALUES (:title);\n"
                             "-- expect: 1 else 409 \"Out of stock\"\n"
                             "SELECT 1 AS one FROM notes WHERE :enough = 1 LIMIT 1;\n"

                             "-- name: large :many\n"
                             "-- param: title string(1..20)\n"
                             "INSERT INTO notes (title) VALUES (:title);\n"
                             "SELECT pad FROM pads;\n"

                             "-- name: some :many\n"
                             "-- param: title string(1..20)\n"
                             "INSERT INTO notes (title) VALUES (:title);\n"
                             "SELECT title FROM notes;\n"

                             "-- name: titles :many\n"
                             "SELECT title FROM notes ORDER BY id;\n"

                             "-- name: keys :many\n"
                             "SELECT COUNT(*) AS n FROM mouse_idempotency;\n";

/* The shipped table, and notes. */
static const char *const *make_schema(bool mysql)
{
    const char *const tables[] = {
        "DROP TABLE IF EXISTS mouse_idempotency",
        "DROP TABLE IF EXISTS notes",
        "DROP TABLE IF EXISTS pads",
        mysql ? "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTO_INCREMENT,"
                " title VARCHAR(20) NOT NULL CHECK (title <> 'no'))"
              : "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK "
                "(title <> 'no'))",
        "CREATE TABLE pads (pad TEXT NOT NULL)",
    };
    char *sql =
        mouse_slice_copy(unit_pool, unit_file(mysql ? "../conf/idempotency/mysql.sql"
                                                    : "../conf/idempotency/sqlite.sql"));
    apr_array_header_t *all = apr_array_make(unit_pool, 8, sizeof(char *));
    char *end;
    size_t i;

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        APR_ARRAY_PUSH(all, const char *) = tables[i];
    for (; (end = strstr(sql, ";\n")); sql = end + 2) {
        *end = '\0';
        APR_ARRAY_PUSH(all, const char *) = sql;
    }
    APR_ARRAY_PUSH(all, const char *) = NULL;
    return (const char *const *)all->elts;
}

/* Which database a loop's turn is for; NULL: it is not there. */
static rig_t *open_rig(int turn)
{
    bool mysql = turn % 2 == 1;

    if (mysql && !rig_has_mysql())
        return NULL;
    return rig_open(mysql ? MOUSE_DIALECT_MYSQL : MOUSE_DIALECT_SQLITE, make_schema(mysql),
                    models);
}

static mouse_idempotent_t *scope(const char *text, apr_interval_time_t ttl)
{
    mouse_idempotent_t *made = apr_pcalloc(unit_pool, sizeof(*made));
    mouse_error_t *err = NULL;

    made->route = "POST /rig";
    made->ttl = ttl;
    ck_assert(mouse_template_parse(unit_pool, text, &made->scope, &err) == APR_SUCCESS);
    return made;
}

static rig_ask_t post(const char *model, const char *key, const char *body)
{
    return (rig_ask_t){.model = model,
                       .method = "POST",
                       .body = body,
                       .key = key,
                       .idempotent = scope("{request.user}", apr_time_from_sec(60))};
}

static const char *titles(rig_t *rig)
{
    return rig_get(rig, "run/titles");
}

START_TEST(the_second_answer_is_the_first)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/add", "\"k1\"", "{\"title\":\"a\"}");
    mouse_answer_t *answer;

    if (!rig)
        return;
    ask.status = 201;
    ask.header[0] = "Location";
    ask.header[1] = "/notes/{id}";
    ask.header[2] = "Set-Cookie";
    ask.header[3] = "a={title}; Path=/";
    ck_assert_str_eq(rig_run(rig, &ask, &answer), "201 {\"id\":1,\"title\":\"a\"}");
    ck_assert_ptr_null(apr_table_get(answer->headers, "Idempotency-Replayed"));
    ck_assert_str_eq(rig_run(rig, &ask, &answer), "201 {\"id\":1,\"title\":\"a\"}");
    ck_assert_str_eq(apr_table_get(answer->headers, "Idempotency-Replayed"), "true");
    ck_assert_str_eq(apr_table_get(answer->headers, "Location"), "/notes/1");
    ck_assert_str_eq(apr_table_get(answer->headers, "Set-Cookie"), "a=a; Path=/");
    ck_assert_ptr_null(apr_table_get(answer->headers, "Content-Type"));
    ck_assert_str_eq(answer->content_type, "application/json");
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
    ask.key = "k1"; /* the same without quotes */
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "201 {\"id\":1,\"title\":\"a\"}");
    ask.key = NULL;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "201 {\"id\":2,\"title\":\"a\"}");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":1}]");
}
END_TEST

START_TEST(another_request_is_refused)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/add", "k", "{\"title\":\"a\"}");
    static const char refusal[] =
        "422 idempotency-reused This Idempotency-Key stands for another request.";

    if (!rig)
        return;
    ck_assert_int_eq(atoi(rig_run(rig, &ask, NULL)), 200);
    ask.body = "{\"title\":\"b\"}";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), refusal);
    ask.body = "{\"title\":\"a\"}";
    ask.query = "x=1";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), refusal);
    ask.query = NULL;
    ask.method = "PUT";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), refusal);
    ask.method = "POST";
    ck_assert_int_eq(atoi(rig_run(rig, &ask, NULL)), 200);
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
}
END_TEST

START_TEST(scopes_and_keys_are_apart)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/put", "k", "{\"title\":\"a\"}");

    if (!rig)
        return;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ask.key = "K"; /* bytes, not letters */
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ask.key = "\"k \""; /* no padding either */
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ask.key = "k";
    ask.idempotent = scope("bob", apr_time_from_sec(60));
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ((mouse_idempotent_t *)ask.idempotent)->route = "POST /other";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":5}]");
}
END_TEST

START_TEST(a_refused_write_leaves_no_key)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/late", "k", "{\"title\":\"a\",\"enough\":0}");

    if (!rig)
        return;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "409 expect Out of stock");
    ck_assert_str_eq(titles(rig), "200 []");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":0}]");
    ask.body = "{\"title\":\"a\",\"enough\":1}";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"one\":1}");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"one\":1}");
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
    ask = post("run/put", "alone", "{\"title\":\"no\"}");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "422 check");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "422 check");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":1}]");
    ask.body = "{}";
    ck_assert_int_eq(atoi(rig_run(rig, &ask, NULL)), 422);
}
END_TEST

START_TEST(every_kind_and_format_is_kept)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/some", "csv", "{\"title\":\"a\"}");
    mouse_answer_t *answer;

    if (!rig)
        return;
    ask.format = MOUSE_FORMAT_CSV;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 title\r\na\r\n");
    ask.format = MOUSE_FORMAT_JSON;
    ck_assert_str_eq(rig_run(rig, &ask, &answer), "200 title\r\na\r\n");
    ck_assert_str_eq(answer->content_type, "text/csv; charset=utf-8");
    ask = post("run/count_up", "up", NULL);
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"affected\":1}");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"affected\":1}");
    ask = post("run/put", "put", "{\"title\":\"b\"}");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_run(rig, &ask, &answer), "204");
    ck_assert_ptr_null(answer->content_type);
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"up\"},{\"title\":\"b\"}]");
}
END_TEST

static void execute(mouse_conn_t *conn, const char *sql)
{
    mouse_stmt_t *stmt;

    ck_assert_msg(mouse_stmt_prepare(conn, sql, 0, mouse_slice_of(sql), &stmt) ==
                          APR_SUCCESS &&
                      mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS &&
                      mouse_stmt_finish(stmt) == APR_SUCCESS,
                  "%s: %s", sql, mouse_conn_fault(conn)->message);
    mouse_stmt_drop(stmt);
}

static mouse_conn_t *open_conn(rig_t *rig)
{
    mouse_watch_t *watch = apr_pcalloc(unit_pool, sizeof(*watch));
    mouse_error_t *err = NULL;
    mouse_conn_t *conn;

    *watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(20), .client = -1};
    ck_assert(mouse_conn_open(unit_pool, &rig->config, NULL, watch, &conn, &err) ==
              APR_SUCCESS);
    return conn;
}

/* About 1 MiB in rows of 64 kB; what is too large is not written either. */
START_TEST(answers_beyond_a_mebibyte_are_refused)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/large", "k", "{\"title\":\"a\"}");
    const char *row;
    mouse_conn_t *conn;
    char *pad = apr_palloc(unit_pool, 60001);
    int i;

    if (!rig)
        return;
    memset(pad, 'x', 60000);
    pad[60000] = '\0';
    row = apr_pstrcat(unit_pool, "INSERT INTO pads VALUES ('", pad, "')", NULL);
    conn = open_conn(rig);
    for (i = 0; i < 17; i++)
        execute(conn, row);
    rig->settings.max_memory = 1000;
    ck_assert_int_eq(strlen(rig_run(rig, &ask, NULL)), 4 + 1 + 17 * 60011);
    ck_assert_int_eq(strlen(rig_run(rig, &ask, NULL)), 4 + 1 + 17 * 60011);
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
    execute(conn, row);
    mouse_conn_release(conn);
    ask.key = "more";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "500 answer-too-large");
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":1}]");
}
END_TEST

START_TEST(an_old_key_begins_again)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/add", "k", "{\"title\":\"a\"}");

    if (!rig)
        return;
    ask.idempotent = scope("x", 1000);
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"id\":1,\"title\":\"a\"}");
    apr_sleep(5000);
    ask.idempotent = scope("x", apr_time_from_sec(60));
    ask.body = "{\"title\":\"b\"}";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"id\":2,\"title\":\"b\"}");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "200 {\"id\":2,\"title\":\"b\"}");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":1}]");
}
END_TEST

START_TEST(old_rows_go_by_the_score)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/put", NULL, "{\"title\":\"a\"}");
    int i;

    if (!rig)
        return;
    ask.idempotent = scope("x", 1000);
    for (i = 0; i < 20; i++) {
        ask.key = apr_itoa(unit_pool, i);
        ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    }
    if (_i > 1) { /* all of one moment */
        mouse_conn_t *conn = open_conn(rig);

        execute(conn, "UPDATE mouse_idempotency SET expires = 1");
        mouse_conn_release(conn);
    }
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":20}]");
    ask.key = "too-many";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    apr_sleep(2000);
    ask.idempotent = scope("x", apr_time_from_sec(60));
    ask.key = "behind";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":2}]");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_int_eq(rig->log->nelts, 0);
}
END_TEST

/* Rows of requests that run are neither waited for nor swept, whatever lies around them. */
START_TEST(nobody_waits_for_other_keys)
{
    rig_t *rig = open_rig(1);
    rig_ask_t ask = post("run/put", NULL, "{\"title\":\"a\"}");
    mouse_conn_t *conn;
    int i;

    if (!rig)
        return;
    ask.idempotent = scope("x", 1000);
    for (i = 0; i < 21; i++) {
        ask.key = apr_itoa(unit_pool, i);
        ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    }
    conn = open_conn(rig);
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    execute(conn, "INSERT INTO mouse_idempotency"
                  " (scope, idempotency_key, request, status, expires) VALUES"
                  " (REPEAT('\\0', 32), 'a', '', 0, UNIX_TIMESTAMP() * 1000 + 20000),"
                  " (REPEAT('P', 32), 'b', '', 0, UNIX_TIMESTAMP() * 1000 + 20000),"
                  " (REPEAT('z', 32), 'c', '', 0, UNIX_TIMESTAMP() * 1000 + 20000)");
    apr_sleep(5000);
    ask.idempotent = scope("x", apr_time_from_sec(60));
    rig->settings.timeout = apr_time_from_msec(900); /* a lock wait is longer */
    for (i = 0; i < 8; i++) {
        ask.key = apr_psprintf(unit_pool, "other%d", i);
        ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    }
    ck_assert_int_eq(rig->log->nelts, 0);
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":9}]");
    mouse_conn_rollback(conn);
    mouse_conn_release(conn);
}
END_TEST

static const char *const bad_keys[] = {
    "",         "\"\"", "\"a",      "\"a\"b",  "\"a\";p=1", "\"a\", \"b\"",
    "a, b",     "a b",  "a;b",      "\"\\a\"", "\"\\",      "\"\xC3\xA9\"",
    "\xC3\xA9", "a\"",  "\"a\tb\"", "a\\b",
};

START_TEST(bad_keys_are_refused)
{
    rig_t *rig = open_rig(0);
    rig_ask_t ask = post("run/put", bad_keys[_i], "{\"title\":\"a\"}");

    ck_assert_int_eq(strncmp(rig_run(rig, &ask, NULL), "400 idempotency-key ", 20), 0);
    ck_assert_str_eq(titles(rig), "200 []");
}
END_TEST

START_TEST(keys_are_as_long_as_they_may_be)
{
    rig_t *rig = open_rig(_i);
    char *key = apr_palloc(unit_pool, 257);
    rig_ask_t ask = post("run/put", key, "{\"title\":\"a\"}");

    if (!rig)
        return;
    memset(key, 'x', 256);
    key[256] = '\0';
    ck_assert_int_eq(atoi(rig_run(rig, &ask, NULL)), 400);
    key[255] = '\0';
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ask.key = "\"a\\\"b\\\\c\"";
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(rig_get(rig, "run/keys"), "200 [{\"n\":2}]");
}
END_TEST

START_TEST(without_a_value_there_is_no_scope)
{
    rig_t *rig = open_rig(0);
    rig_ask_t ask = post("run/put", "k", "{\"title\":\"a\"}");

    ask.idempotent = scope("{env.NOTHING}", apr_time_from_sec(60));
    ck_assert_int_eq(strncmp(rig_run(rig, &ask, NULL), "400 idempotency-key ", 20), 0);
    ask.key = NULL;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
}
END_TEST

/* Somebody else's transaction has the key. */
START_TEST(a_key_in_flight_is_409_at_the_deadline)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/put", "k", "{\"title\":\"a\"}");
    mouse_conn_t *conn;

    if (!rig)
        return;
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    conn = open_conn(rig);
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    execute(conn, "DELETE FROM mouse_idempotency");
    rig->settings.timeout = apr_time_from_msec(400);
    ck_assert_int_eq(strncmp(rig_run(rig, &ask, NULL), "409 idempotency-in-flight ", 26),
                     0);
    mouse_conn_rollback(conn);
    mouse_conn_release(conn);
    rig->settings.timeout = apr_time_from_sec(10);
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "204");
    ck_assert_str_eq(titles(rig), "200 [{\"title\":\"a\"}]");
}
END_TEST

START_TEST(the_table_is_missed)
{
    rig_t *rig = open_rig(_i);
    rig_ask_t ask = post("run/put", "k", "{\"title\":\"a\"}");
    mouse_error_t *err = NULL;
    mouse_conn_t *conn;

    if (!rig)
        return;
    conn = open_conn(rig);
    ck_assert(mouse_idempotency_check(unit_pool, conn, &err) == APR_SUCCESS);
    execute(conn, "DROP TABLE mouse_idempotency");
    ck_assert(mouse_idempotency_check(unit_pool, conn, &err) != APR_SUCCESS);
    ck_assert_ptr_nonnull(
        strstr(err->detail, _i ? "conf/idempotency/mysql.sql" : "idempotency/sqlite.sql"));
    mouse_conn_release(conn);
    ck_assert_str_eq(rig_run(rig, &ask, NULL), "500 database-error");
    ck_assert_str_eq(titles(rig), "200 []");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("idempotency");
    TCase *tcase = unit_case(suite, "idempotency");

    tcase_add_loop_test(tcase, the_second_answer_is_the_first, 0, 2);
    tcase_add_loop_test(tcase, another_request_is_refused, 0, 2);
    tcase_add_loop_test(tcase, scopes_and_keys_are_apart, 0, 2);
    tcase_add_loop_test(tcase, a_refused_write_leaves_no_key, 0, 2);
    tcase_add_loop_test(tcase, every_kind_and_format_is_kept, 0, 2);
    tcase_add_loop_test(tcase, answers_beyond_a_mebibyte_are_refused, 0, 2);
    tcase_add_loop_test(tcase, an_old_key_begins_again, 0, 2);
    tcase_add_loop_test(tcase, old_rows_go_by_the_score, 0, 4);
    tcase_add_test(tcase, nobody_waits_for_other_keys);
    tcase_add_loop_test(tcase, bad_keys_are_refused, 0,
                        sizeof(bad_keys) / sizeof(bad_keys[0]));
    tcase_add_loop_test(tcase, keys_are_as_long_as_they_may_be, 0, 2);
    tcase_add_test(tcase, without_a_value_there_is_no_scope);
    tcase_add_loop_test(tcase, a_key_in_flight_is_409_at_the_deadline, 0, 2);
    tcase_add_loop_test(tcase, the_table_is_missed, 0, 2);
    return suite;
}
