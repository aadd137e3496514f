/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* db: the SQLite driver, on a real file, through the pool's own entry points. */

#include "unit.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <apr_strings.h>

#include "db/db_int.h"

static const char schema[] =
    "CREATE TABLE kinds (id INTEGER PRIMARY KEY, i INT, big BIGINT, flag BOOLEAN, r REAL,"
    " d DOUBLE PRECISION, price DECIMAL(10,2), n NUMERIC, whole DECIMAL(10,0), day DATE,"
    " at DATETIME, seen TIMESTAMP, t TIME, doc JSON, raw BLOB, s TEXT, v VARCHAR(20),"
    " u UUID, odd POINT);"
    "CREATE TABLE parents (id INTEGER PRIMARY KEY, code TEXT, region TEXT,"
    " UNIQUE (region, code));"
    "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, qty INT,"
    " parent_id INT REFERENCES parents(id),"
    " CONSTRAINT qty_positive CHECK (qty > 0));"
    "CREATE UNIQUE INDEX uniq_lower ON items (lower(name));"
    "CREATE TABLE strict_ones (n INTEGER) STRICT;"
    "CREATE TABLE guarded (n INT);"
    "CREATE TRIGGER guard_404 BEFORE INSERT ON guarded WHEN new.n = 1"
    " BEGIN SELECT RAISE(ABORT, '45404:No such thing'); END;"
    "CREATE TRIGGER guard_409 BEFORE INSERT ON guarded WHEN new.n = 2"
    " BEGIN SELECT RAISE(ABORT, '409: Taken'); END;"
    "CREATE TRIGGER guard_400 BEFORE INSERT ON guarded WHEN new.n = 3"
    " BEGIN SELECT RAISE(ABORT, 'Not like this'); END;"
    "CREATE TRIGGER guard_000 BEFORE INSERT ON guarded WHEN new.n = 4"
    " BEGIN SELECT RAISE(ABORT, '45000:Plainly'); END;"
    "CREATE TRIGGER guard_999 BEFORE INSERT ON guarded WHEN new.n = 5"
    " BEGIN SELECT RAISE(ABORT, '45999:Beyond'); END;"
    "CREATE TABLE counter (n INT); INSERT INTO counter VALUES (0);";

static char *path;
static mouse_db_config_t config;
static mouse_db_t *db;
static mouse_watch_t watch;
static mouse_conn_t *conn;

static void execute_in(const char *file, const char *sql)
{
    sqlite3 *native;
    char *why = NULL;

    ck_assert_int_eq(sqlite3_open(file, &native), SQLITE_OK);
    sqlite3_busy_timeout(native, 5000);
    ck_assert_msg(sqlite3_exec(native, sql, NULL, NULL, &why) == SQLITE_OK, "%s", why);
    sqlite3_close(native);
}

static void execute(const char *sql)
{
    execute_in(path, sql);
}

static mouse_conn_t *acquire(mouse_watch_t *on)
{
    mouse_conn_t *taken;
    mouse_error_t *err = NULL;

    ck_assert_msg(mouse_conn_acquire(db, unit_pool, on, &taken, &err) == APR_SUCCESS, "%s",
                  err ? mouse_error_text(unit_pool, err) : "");
    return taken;
}

static void open_db(void)
{
    char directory[] = "/tmp/mouse sqlite?%-XXXXXX";
    mouse_error_t *err = NULL;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    path = apr_pstrcat(unit_pool, directory, "/a#b.db", NULL);
    execute(schema);
    config = (mouse_db_config_t){.name = "main",
                                 .driver = "sqlite3",
                                 .params = path,
                                 .cancel = true,
                                 .max = 8,
                                 .idle = apr_time_from_sec(60),
                                 .lifetime = apr_time_from_sec(600),
                                 .wait = apr_time_from_sec(5),
                                 .timeout = apr_time_from_sec(30)};
    ck_assert_msg(mouse_db_create(unit_pool, &config, NULL, &db, &err) == APR_SUCCESS, "%s",
                  err ? mouse_error_text(unit_pool, err) : "");
    watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(30), .client = -1};
    conn = acquire(&watch);
}

static void close_db(void)
{
    char *slash;

    if (conn)
        mouse_conn_release(conn);
    conn = NULL;
    unlink(path);
    unlink(apr_pstrcat(unit_pool, path, "-wal", NULL));
    unlink(apr_pstrcat(unit_pool, path, "-shm", NULL));
    slash = strrchr(path, '/');
    *slash = '\0';
    rmdir(path);
}

static mouse_stmt_t *prepare_on(mouse_conn_t *on, const char *sql)
{
    mouse_stmt_t *stmt;

    ck_assert_msg(mouse_stmt_prepare(on, sql, 0, mouse_slice_of(sql), &stmt) == APR_SUCCESS,
                  "%s: %s", sql, mouse_conn_fault(on)->message);
    return stmt;
}

/* Runs a statement to its end. */
static apr_status_t run_on(mouse_conn_t *on, const char *sql, const mouse_value_t *values,
                           int count)
{
    mouse_stmt_t *stmt = prepare_on(on, sql);
    apr_status_t rv = mouse_stmt_run(stmt, values, count);

    return rv == APR_SUCCESS ? mouse_stmt_finish(stmt) : rv;
}

static apr_status_t run(const char *sql)
{
    return run_on(conn, sql, NULL, 0);
}

/* The only value of the only row. */
static mouse_value_t ask_on(mouse_conn_t *on, const char *sql, const mouse_value_t *values,
                            int count)
{
    mouse_stmt_t *stmt = prepare_on(on, sql);
    const mouse_value_t *row;
    mouse_value_t value;

    ck_assert_msg(mouse_stmt_run(stmt, values, count) == APR_SUCCESS, "%s",
                  mouse_conn_fault(on)->message);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    value = mouse_value_copy(unit_pool, &row[0]);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_EOF);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    return value;
}

static mouse_value_t ask(const char *sql)
{
    return ask_on(conn, sql, NULL, 0);
}

static void check_text(mouse_value_t value, const char *want)
{
    mouse_slice_t text = mouse_value_text(unit_pool, &value);

    if (want)
        ck_assert_str_eq(mouse_slice_copy(unit_pool, text), want);
    else
        ck_assert_ptr_null(text.data);
}

/* ---- opening ---- */

static const struct {
    const char *params, *password;
    bool good;
} params[] = {
    {"/srv/shop.db", NULL, true},       {"shop.db", NULL, false}, {":memory:", NULL, false},
    {"file:/srv/shop.db", NULL, false}, {"", NULL, false},        {NULL, NULL, false},
    {"/srv/shop.db", "secret", false},
};

START_TEST(parameters_are_an_absolute_path)
{
    mouse_db_config_t c = config;
    mouse_error_t *err = NULL;

    c.params = params[_i].params;
    c.password = params[_i].password;
    ck_assert_int_eq(mouse_db_check(unit_pool, &c, &err) == APR_SUCCESS, params[_i].good);
    ck_assert(params[_i].good || err->code == MOUSE_E_CONFIG);
}
END_TEST

START_TEST(a_missing_file_is_not_created)
{
    mouse_db_config_t c = config;
    mouse_error_t *err = NULL;
    mouse_conn_t *checked;

    c.params = apr_pstrcat(unit_pool, path, ".missing", NULL);
    ck_assert(mouse_conn_open(unit_pool, &c, NULL, &watch, &checked, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
    ck_assert_int_ne(access(c.params, F_OK), 0);
}
END_TEST

START_TEST(a_file_that_is_no_database_is_refused)
{
    mouse_db_config_t c = config;
    mouse_error_t *err = NULL;
    mouse_conn_t *checked;
    FILE *file;

    c.params = apr_pstrcat(unit_pool, path, ".txt", NULL);
    file = fopen(c.params, "w");
    fputs("This is prose, and much longer than the header of a database file is, to be "
          "sure that it is read as one and refused.",
          file);
    fclose(file);
    ck_assert(mouse_conn_open(unit_pool, &c, NULL, &watch, &checked, &err) != APR_SUCCESS);
    unlink(c.params);
    ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
}
END_TEST

START_TEST(a_check_leaves_the_journal_mode_alone)
{
    mouse_db_config_t c = config;
    mouse_error_t *err = NULL;
    mouse_conn_t *checked;

    c.params = apr_pstrcat(unit_pool, path, ".other", NULL);
    execute_in(c.params, "CREATE TABLE t (a)");
    ck_assert(mouse_conn_open(unit_pool, &c, NULL, &watch, &checked, &err) == APR_SUCCESS);
    check_text(ask_on(checked, "PRAGMA journal_mode", NULL, 0), "delete");
    mouse_conn_release(checked);
    unlink(c.params);
}
END_TEST

START_TEST(a_session_is_set_up)
{
    check_text(ask("PRAGMA journal_mode"), "wal");
    check_text(ask("PRAGMA foreign_keys"), "1");
    check_text(ask("PRAGMA synchronous"), "2");
}
END_TEST

START_TEST(a_ping_sees_another_file)
{
    char *moved = apr_pstrcat(unit_pool, path, ".moved", NULL);

    ck_assert(conn->driver->ping(conn) == APR_SUCCESS);
    rename(path, moved);
    ck_assert(conn->driver->ping(conn) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_LOST);
    rename(moved, path);
}
END_TEST

/* ---- preparing ---- */

static const struct {
    const char *sql;
    bool good;
} statements[] = {
    {"SELECT 1", true},
    {"SELECT 1;", true},
    {"SELECT 1 ; -- the end\n /* really */ ;; ", true},
    {"SELECT 1; SELECT 2", false},
    {"SELECT 1; nonsense", false},
    {"", false},
    {" -- nothing\n", false},
    {"SELECT nowhere FROM kinds", false},
    {"SELEC 1", false},
};

START_TEST(one_statement_is_prepared)
{
    mouse_slice_t sql = mouse_slice_of(statements[_i].sql);
    mouse_stmt_t *stmt;
    apr_status_t rv = mouse_stmt_prepare(conn, &statements[_i], 0, sql, &stmt);

    ck_assert_int_eq(rv == APR_SUCCESS, statements[_i].good);
    if (rv != APR_SUCCESS)
        ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_OTHER);
}
END_TEST

START_TEST(sql_needs_no_terminator)
{
    static const char sql[] = "SELECT 12345";
    mouse_stmt_t *stmt;
    const mouse_value_t *row;

    ck_assert(mouse_stmt_prepare(conn, sql, 0, (mouse_slice_t){sql, 9}, &stmt) ==
              APR_SUCCESS);
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert_int_eq(row[0].i, 12);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

static const struct {
    const char *expression;
    mouse_column_type_t type;
    int scale;
} columns[] = {
    {"id", MOUSE_COLUMN_INT, 0},        {"i", MOUSE_COLUMN_INT, 0},
    {"big", MOUSE_COLUMN_INT, 0},       {"flag", MOUSE_COLUMN_BOOL, 0},
    {"r", MOUSE_COLUMN_DOUBLE, 0},      {"d", MOUSE_COLUMN_DOUBLE, 0},
    {"price", MOUSE_COLUMN_DECIMAL, 2}, {"n", MOUSE_COLUMN_DECIMAL, -1},
    {"whole", MOUSE_COLUMN_DECIMAL, 0}, {"day", MOUSE_COLUMN_DATE, 0},
    {"at", MOUSE_COLUMN_DATETIME, 0},   {"seen", MOUSE_COLUMN_TIMESTAMP, 0},
    {"t", MOUSE_COLUMN_TIME, 0},        {"doc", MOUSE_COLUMN_JSON, 0},
    {"raw", MOUSE_COLUMN_BYTES, 0},     {"s", MOUSE_COLUMN_STRING, 0},
    {"v", MOUSE_COLUMN_STRING, 0},      {"u", MOUSE_COLUMN_STRING, 0},
    {"odd", MOUSE_COLUMN_DYNAMIC, 0},   {"count(*)", MOUSE_COLUMN_DYNAMIC, 0},
    {"i + 1", MOUSE_COLUMN_DYNAMIC, 0},
};

START_TEST(a_column_follows_its_declaration)
{
    const char *sql =
        apr_psprintf(unit_pool, "SELECT %s AS x FROM kinds", columns[_i].expression);
    const mouse_column_t *column;
    int count;

    column = mouse_stmt_columns(prepare_on(conn, sql), &count);
    ck_assert_int_eq(count, 1);
    ck_assert(mouse_slice_equal(column[0].name, MOUSE_SLICE("x")));
    ck_assert_int_eq(column[0].type, columns[_i].type);
    ck_assert_int_eq(column[0].scale, columns[_i].scale);
}
END_TEST

START_TEST(returning_knows_its_columns)
{
    const mouse_column_t *column;
    int count;

    column = mouse_stmt_columns(
        prepare_on(conn, "INSERT INTO kinds (flag) VALUES (1) RETURNING flag, at"), &count);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(column[0].type, MOUSE_COLUMN_BOOL);
    ck_assert_int_eq(column[1].type, MOUSE_COLUMN_DATETIME);
}
END_TEST

START_TEST(changed_columns_are_a_new_generation)
{
    mouse_stmt_t *stmt = prepare_on(conn, "SELECT * FROM counter");
    unsigned before = mouse_stmt_generation(stmt);
    const mouse_value_t *row;
    int count;

    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_generation(stmt), before);
    execute("ALTER TABLE counter ADD COLUMN more TEXT DEFAULT 'm'");
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert_uint_ne(mouse_stmt_generation(stmt), before);
    mouse_stmt_columns(stmt, &count);
    ck_assert_int_eq(count, 2);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    check_text(row[1], "m");
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    before = mouse_stmt_generation(stmt);
    execute("CREATE INDEX counter_n ON counter (n)");
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_generation(stmt), before);
}
END_TEST

/* ---- values in and out ---- */

#define BYTES_OF(of, literal)                                                              \
    {                                                                                      \
        .kind = MOUSE_VALUE_##of, .text = { literal, sizeof(literal) - 1 }                 \
    }

/* What SQLite makes of a bound value: typeof() and quote(); quoted NULL: refused. */
static const struct {
    mouse_value_t value;
    const char *type, *quoted;
} bound[] = {
    {{.kind = MOUSE_VALUE_NULL}, "null", "NULL"},
    {{.kind = MOUSE_VALUE_BOOL, .i = 1}, "integer", "1"},
    {{.kind = MOUSE_VALUE_INT, .i = INT64_MIN}, "integer", "-9223372036854775808"},
    {{.kind = MOUSE_VALUE_UINT, .u = INT64_MAX}, "integer", "9223372036854775807"},
    {{.kind = MOUSE_VALUE_UINT, .u = (uint64_t)INT64_MAX + 1}, NULL, NULL},
    {{.kind = MOUSE_VALUE_DOUBLE, .d = 0.5}, "real", "0.5"},
    {BYTES_OF(DECIMAL, "12"), "integer", "12"},
    {BYTES_OF(DECIMAL, "-12.00"), "integer", "-12"},
    {BYTES_OF(DECIMAL, "12.50"), "real", "12.5"},
    {BYTES_OF(DECIMAL, "1e2"), "real", "100.0"},
    {BYTES_OF(DECIMAL, "9223372036854775807"), "integer", "9223372036854775807"},
    {BYTES_OF(DECIMAL, "9223372036854775808"), NULL, NULL},
    {BYTES_OF(DECIMAL, "-9223372036854775808"), "integer", "-9223372036854775808"},
    {BYTES_OF(DECIMAL, "1e999"), NULL, NULL},
    {BYTES_OF(DECIMAL, ""), NULL, NULL},
    {BYTES_OF(DECIMAL, "1x"), NULL, NULL},
    {BYTES_OF(STRING, "it's"), "text", "'it''s'"},
    {BYTES_OF(STRING, ""), "text", "''"},
    {{.kind = MOUSE_VALUE_STRING}, "text", "''"},
    {{.kind = MOUSE_VALUE_BYTES}, "blob", "X''"},
    {BYTES_OF(BYTES, "a\0b"), "blob", "X'610062'"},
    {BYTES_OF(JSON, "{\"a\":1}"), "text", "'{\"a\":1}'"},
    {BYTES_OF(BITS, "\x01\x00"), "integer", "256"},
    {{.kind = MOUSE_VALUE_DATE, .t = {.year = 2026, .month = 1, .day = 31}},
     "text",
     "'2026-01-31'"},
    {{.kind = MOUSE_VALUE_DATETIME,
      .t = {.year = 2026, .month = 1, .day = 31, .hour = 10, .second = 5}},
     "text",
     "'2026-01-31 10:00:05'"},
};

START_TEST(values_bind_by_their_kind)
{
    mouse_value_t twice[] = {bound[_i].value, bound[_i].value};
    mouse_stmt_t *stmt = prepare_on(conn, "SELECT typeof(?), quote(?)");
    const mouse_value_t *row;

    if (!bound[_i].type) {
        ck_assert(mouse_stmt_run(stmt, twice, 2) != APR_SUCCESS);
        ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_BAD_VALUE);
        return;
    }
    ck_assert(mouse_stmt_run(stmt, twice, 2) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    check_text(row[0], bound[_i].type);
    check_text(row[1], bound[_i].quoted);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

START_TEST(nul_bytes_go_there_and_back)
{
    mouse_value_t value = BYTES_OF(STRING, "a\0b");
    mouse_value_t back = ask_on(conn, "SELECT ?", &value, 1);

    ck_assert_int_eq(back.kind, MOUSE_VALUE_STRING);
    ck_assert_uint_eq(back.text.len, 3);
    ck_assert_mem_eq(back.text.data, "a\0b", 3);
}
END_TEST

/* A stored value and what it is as an answer; json NULL: refused by the plan. */
static const struct {
    const char *column, *stored, *json;
} stored[] = {
    {"i", "9223372036854775807", "9223372036854775807"},
    {"i", "1.5", NULL},
    {"i", "'many'", NULL},
    {"flag", "1", "true"},
    {"flag", "0", "false"},
    {"flag", "7", NULL},
    {"flag", "'yes'", NULL},
    {"flag", "NULL", "null"},
    {"r", "3", "3"},
    {"r", "0.1", "0.1"},
    {"r", "9e999", "null"},
    {"r", "'x'", NULL},
    {"price", "12.5", "\"12.5\""},
    {"price", "'12.50'", "\"12.5\""},
    {"price", "12", "\"12\""},
    {"price", "'dear'", NULL},
    {"n", "12", "\"12\""},
    {"whole", "12", "12"},
    {"day", "'2026-01-31'", "\"2026-01-31\""},
    {"day", "'2026-01-31 10:00'", NULL},
    {"day", "'soon'", NULL},
    {"day", "20260131", NULL},
    {"at", "'2026-01-31 10:00:05'", "\"2026-01-31T10:00:05\""},
    {"at", "'2026-01-31T10:00:05.250'", "\"2026-01-31T10:00:05.250\""},
    {"at", "'2026-01-31 10:00'", "\"2026-01-31T10:00:00\""},
    {"at", "'2026-01-31'", "\"2026-01-31T00:00:00\""},
    {"at", "'2026-01-31T10:00:05Z'", "\"2026-01-31T10:00:05Z\""},
    {"at", "'2026-13-31 10:00:05'", NULL},
    {"at", "'2026-01-31 25:00:05'", NULL},
    {"at", "1700000000", NULL},
    {"at", "datetime(0, 'unixepoch')", "\"1970-01-01T00:00:00\""},
    {"seen", "'2026-01-31 10:00:05'", "\"2026-01-31T10:00:05Z\""},
    {"t", "'10:00:05'", "\"10:00:05\""},
    {"t", "'10:00:05.5'", "\"10:00:05.5\""},
    {"t", "'late'", NULL},
    {"doc", "'{\"a\":[1]}'", "{\"a\":[1]}"},
    {"doc", "'12'", "12"},
    {"doc", "'{'", NULL},
    {"raw", "x'6100ff'", "\"YQD/\""},
    {"raw", "'text'", NULL},
    {"s", "''", "\"\""},
    {"s", "x'61'", NULL},
    {"s", "CAST(x'61ff' AS TEXT)", "\"a\xEF\xBF\xBD\""},
    {"u", "'0e8400e2-9b41-d4a7-1644-665544000000'",
     "\"0e8400e2-9b41-d4a7-1644-665544000000\""},
    {"odd", "1", "1"},
    {"odd", "'one'", "\"one\""},
};

START_TEST(a_stored_value_is_answered)
{
    mouse_number_style_t style = {false, false};
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));
    mouse_error_t *err = NULL;
    mouse_plan_t *plan;
    mouse_stmt_t *stmt;
    const mouse_value_t *row;
    const mouse_column_t *described;
    apr_status_t rv;
    int count;

    mouse_buf_init(buf, unit_pool, 0);
    execute(apr_psprintf(unit_pool, "INSERT INTO kinds (%s) VALUES (%s)", stored[_i].column,
                         stored[_i].stored));
    stmt = prepare_on(conn,
                      apr_psprintf(unit_pool, "SELECT %s FROM kinds", stored[_i].column));
    described = mouse_stmt_columns(stmt, &count);
    ck_assert(mouse_plan_create(unit_pool, described, count, NULL, 0, NULL, style, false,
                                &plan, &err) == APR_SUCCESS);
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    rv = mouse_plan_put_value(plan, row, buf, unit_pool, &err);
    if (stored[_i].json)
        ck_assert_str_eq(mouse_slice_copy(unit_pool, (mouse_slice_t){buf->data, buf->len}),
                         stored[_i].json);
    else
        ck_assert_int_eq(err->code, MOUSE_E_COLUMN);
    ck_assert_int_eq(rv == APR_SUCCESS, stored[_i].json != NULL);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

/* ---- faults ---- */

static const struct {
    const char *before, *sql;
    mouse_fault_class_t class;
    int status;
    const char *constraint, *message; /* NULL: not looked at */
} faults[] = {
    {"INSERT INTO parents VALUES (1, 'a', 'b')", "INSERT INTO parents VALUES (1, 'c', 'd')",
     MOUSE_FAULT_UNIQUE, 0, "parents.id", NULL},
    {"INSERT INTO parents VALUES (1, 'a', 'b')", "INSERT INTO parents VALUES (2, 'a', 'b')",
     MOUSE_FAULT_UNIQUE, 0, "parents.region,parents.code", NULL},
    {"INSERT INTO items (name) VALUES ('a')", "INSERT INTO items (name) VALUES ('A')",
     MOUSE_FAULT_UNIQUE, 0, "uniq_lower", NULL},
    {NULL, "INSERT INTO items (name, parent_id) VALUES ('a', 99)", MOUSE_FAULT_FOREIGN_KEY,
     0, "foreign_key", NULL},
    {NULL, "INSERT INTO items (name) VALUES (NULL)", MOUSE_FAULT_NOT_NULL, 0, "items.name",
     NULL},
    {NULL, "INSERT INTO items (name, qty) VALUES ('a', 0)", MOUSE_FAULT_CHECK, 0,
     "qty_positive", NULL},
    {NULL, "INSERT INTO strict_ones VALUES ('x')", MOUSE_FAULT_BAD_VALUE, 0, NULL, NULL},
    {NULL, "INSERT INTO items (id, name) VALUES ('x', 'a')", MOUSE_FAULT_BAD_VALUE, 0, NULL,
     NULL},
    {NULL, "INSERT INTO guarded VALUES (1)", MOUSE_FAULT_SIGNAL, 404, NULL,
     "No such thing"},
    {NULL, "INSERT INTO guarded VALUES (2)", MOUSE_FAULT_SIGNAL, 409, NULL, "Taken"},
    {NULL, "INSERT INTO guarded VALUES (3)", MOUSE_FAULT_SIGNAL, 400, NULL,
     "Not like this"},
    {NULL, "INSERT INTO guarded VALUES (4)", MOUSE_FAULT_SIGNAL, 400, NULL, "Plainly"},
    {NULL, "INSERT INTO guarded VALUES (5)", MOUSE_FAULT_SIGNAL, 400, NULL, "45999:Beyond"},
    {NULL, "SELECT zeroblob(2000000000)", MOUSE_FAULT_TOO_LONG, 0, NULL, NULL},
    {NULL, "SELECT abs(-9223372036854775807 - 1)", MOUSE_FAULT_OTHER, 0, NULL, NULL},
};

START_TEST(a_refusal_is_a_fault_of_its_class)
{
    const mouse_fault_t *fault = mouse_conn_fault(conn);

    if (faults[_i].before)
        ck_assert(run(faults[_i].before) == APR_SUCCESS);
    ck_assert(run(faults[_i].sql) != APR_SUCCESS);
    ck_assert_int_eq(fault->class, faults[_i].class);
    ck_assert_int_eq(fault->status, faults[_i].status);
    if (faults[_i].constraint)
        ck_assert_str_eq(fault->constraint, faults[_i].constraint);
    else
        ck_assert_ptr_null(fault->constraint);
    if (faults[_i].message)
        ck_assert_str_eq(fault->message, faults[_i].message);
    check_text(ask("SELECT 1"), "1");
    ck_assert(!conn->doubtful);
}
END_TEST

START_TEST(a_missing_table_is_named_in_the_log_only)
{
    mouse_stmt_t *stmt = prepare_on(conn, "SELECT n FROM guarded");

    execute("DROP TABLE guarded");
    ck_assert(mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_OTHER);
    ck_assert_ptr_nonnull(strstr(mouse_conn_fault(conn)->message, "guarded"));
}
END_TEST

/* ---- runs ---- */

static const struct {
    const char *sql;
    uint64_t affected, insert_id;
} runs[] = {
    {"INSERT INTO items (id, name) VALUES (41, 'x')", 1, 41},
    {"INSERT INTO items (name) SELECT 'y' WHERE 0", 0, 0},
    {"INSERT INTO items (id, name) VALUES (7, 'x'), (8, 'y') RETURNING id", 2, 8},
    {"INSERT INTO items (id, name) VALUES (1, 'z') ON CONFLICT (id) DO UPDATE SET qty = 5",
     1, 0},
    {"INSERT OR IGNORE INTO items (id, name) VALUES (1, 'z')", 0, 0},
    {"UPDATE items SET qty = 1", 2, 0},
    {"UPDATE items SET qty = 1 WHERE id = 99", 0, 0},
    {"UPDATE items SET qty = 3 RETURNING id", 2, 0},
    {"WITH gone AS (SELECT 1 AS id) DELETE FROM items WHERE id IN (SELECT id FROM gone)", 1,
     0},
    {"SELECT * FROM items", 0, 0},
};

START_TEST(a_run_counts_its_own_changes)
{
    mouse_stmt_t *stmt;

    execute("INSERT INTO items (id, name) VALUES (1, 'a'), (2, 'b')");
    ck_assert(run("INSERT INTO parents (id) VALUES (1234)") == APR_SUCCESS);
    stmt = prepare_on(conn, runs[_i].sql);
    ck_assert_msg(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS, "%s",
                  mouse_conn_fault(conn)->message);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_affected(stmt), runs[_i].affected);
    ck_assert_uint_eq(mouse_stmt_insert_id(stmt), runs[_i].insert_id);
}
END_TEST

START_TEST(rows_come_one_by_one_and_end)
{
    mouse_stmt_t *stmt = prepare_on(conn, "VALUES (1, 'a'), (2, 'b')");
    const mouse_value_t *row;

    for (int again = 0; again < 2; again++) {
        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
        for (int i = 1; i <= 2; i++) {
            ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
            ck_assert_int_eq(row[0].i, i);
        }
        ck_assert(mouse_stmt_next(stmt, &row) == APR_EOF);
        ck_assert(mouse_stmt_next(stmt, &row) == APR_EOF);
        ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    }
}
END_TEST

START_TEST(a_failure_between_rows_stays_one)
{
    mouse_stmt_t *stmt = prepare_on(
        conn,
        "SELECT abs(v) FROM (SELECT 1 AS v UNION ALL SELECT -9223372036854775807 - 1)");
    const mouse_value_t *row;

    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_EGENERAL);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_OTHER);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_EGENERAL);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

/* ---- transactions ---- */

START_TEST(a_transaction_is_kept_or_undone)
{
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    ck_assert(run("UPDATE counter SET n = 5") == APR_SUCCESS);
    mouse_conn_rollback(conn);
    check_text(ask("SELECT n FROM counter"), "0");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    ck_assert(run("UPDATE counter SET n = 6") == APR_SUCCESS);
    ck_assert(mouse_conn_commit(conn) == APR_SUCCESS);
    check_text(ask("SELECT n FROM counter"), "6");
}
END_TEST

START_TEST(a_read_transaction_has_one_snapshot)
{
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_READ) == APR_SUCCESS);
    check_text(ask("SELECT n FROM counter"), "0");
    execute("UPDATE counter SET n = 9");
    check_text(ask("SELECT n FROM counter"), "0");
    ck_assert(mouse_conn_commit(conn) == APR_SUCCESS);
    check_text(ask("SELECT n FROM counter"), "9");
}
END_TEST

START_TEST(a_released_transaction_is_undone_and_gives_up_its_turn)
{
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    ck_assert(run("UPDATE counter SET n = 5") == APR_SUCCESS);
    mouse_conn_release(conn);
    conn = acquire(&watch);
    check_text(ask("SELECT n FROM counter"), "0");
    ck_assert(run("UPDATE counter SET n = 1") == APR_SUCCESS);
}
END_TEST

static const char endless[] =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
    " SELECT count(*) FROM c";

START_TEST(a_deadline_ends_a_statement)
{
    watch.deadline = apr_time_now() + 100000;
    ck_assert(run(endless) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_TIMEOUT);
    ck_assert(apr_time_now() - watch.deadline < apr_time_from_sec(2));
    watch.deadline = apr_time_now() + apr_time_from_sec(10);
    check_text(ask("SELECT 1"), "1");
}
END_TEST

START_TEST(a_hang_up_ends_a_statement)
{
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    watch.client = pair[0];
    check_text(ask("SELECT 1"), "1");
    close(pair[1]);
    ck_assert(run(endless) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_GONE);
    watch.client = -1;
    close(pair[0]);
}
END_TEST

static bool always_gone(void *baton)
{
    ++*(int *)baton;
    return true;
}

START_TEST(who_is_said_to_be_gone_ends_a_statement)
{
    int asked = 0;

    watch.gone = always_gone;
    watch.baton = &asked;
    ck_assert(run(endless) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_GONE);
    ck_assert_int_eq(asked, 1);
}
END_TEST

START_TEST(another_process_s_lock_is_waited_for_until_the_deadline)
{
    sqlite3 *other;

    ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    watch.deadline = apr_time_now() + 100000;
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_TIMEOUT);
    sqlite3_close(other);
    watch.deadline = apr_time_now() + apr_time_from_sec(10);
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    mouse_conn_rollback(conn);
}
END_TEST

START_TEST(a_writer_in_line_gives_up_at_its_deadline)
{
    mouse_watch_t hasty = {.client = -1};
    mouse_conn_t *second;

    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    hasty.deadline = apr_time_now() + apr_time_from_sec(10);
    second = acquire(&hasty);
    hasty.deadline = apr_time_now() + 80000;
    ck_assert(mouse_conn_begin(second, MOUSE_TX_WRITE) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(second)->class, MOUSE_FAULT_TIMEOUT);
    hasty.deadline = apr_time_now() + 80000;
    ck_assert(run_on(second, "UPDATE counter SET n = 2", NULL, 0) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(second)->class, MOUSE_FAULT_TIMEOUT);
    ck_assert(mouse_conn_commit(conn) == APR_SUCCESS);
    hasty.deadline = apr_time_now() + apr_time_from_sec(10);
    ck_assert(run_on(second, "UPDATE counter SET n = 2", NULL, 0) == APR_SUCCESS);
    mouse_conn_release(second);
}
END_TEST

/* ---- many at once ---- */

#define WRITERS 6
#define ROUNDS  40

static void *write_rounds(void *baton)
{
    mouse_watch_t mine = {.deadline = apr_time_now() + apr_time_from_sec(50), .client = -1};
    intptr_t failed = 0;
    apr_pool_t *p;
    mouse_error_t *err;
    mouse_conn_t *own;

    apr_pool_create_unmanaged_ex(&p, NULL, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        mouse_stmt_t *stmt;
        mouse_slice_t sql = MOUSE_SLICE("UPDATE counter SET n = n + 1");

        if (mouse_conn_acquire(db, p, &mine, &own, &err) != APR_SUCCESS) {
            failed++;
            continue;
        }
        stmt = mouse_stmt_find(own, baton, 1);
        if ((i % 2 == 0 && mouse_conn_begin(own, MOUSE_TX_WRITE) != APR_SUCCESS) ||
            (!stmt && mouse_stmt_prepare(own, baton, 1, sql, &stmt) != APR_SUCCESS) ||
            mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS ||
            mouse_stmt_finish(stmt) != APR_SUCCESS ||
            (i % 2 == 0 && mouse_conn_commit(own) != APR_SUCCESS))
            failed++;
        mouse_conn_release(own);
    }
    apr_pool_destroy(p);
    return (void *)failed;
}

START_TEST(writers_take_turns_and_lose_nothing)
{
    pthread_t threads[WRITERS];
    void *failed;

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_rounds, &config);
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    ck_assert_int_eq(ask("SELECT n FROM counter").i, WRITERS * ROUNDS);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table[0]))

static TCase *create_case(Suite *suite, const char *name)
{
    TCase *tcase = unit_case(suite, name);

    tcase_add_checked_fixture(tcase, open_db, close_db);
    return tcase;
}

static void add_statements(TCase *tcase)
{
    tcase_add_loop_test(tcase, one_statement_is_prepared, 0, COUNT(statements));
    tcase_add_test(tcase, sql_needs_no_terminator);
    tcase_add_loop_test(tcase, a_column_follows_its_declaration, 0, COUNT(columns));
    tcase_add_test(tcase, returning_knows_its_columns);
    tcase_add_test(tcase, changed_columns_are_a_new_generation);
    tcase_add_loop_test(tcase, values_bind_by_their_kind, 0, COUNT(bound));
    tcase_add_test(tcase, nul_bytes_go_there_and_back);
    tcase_add_loop_test(tcase, a_stored_value_is_answered, 0, COUNT(stored));
    tcase_add_loop_test(tcase, a_refusal_is_a_fault_of_its_class, 0, COUNT(faults));
    tcase_add_test(tcase, a_missing_table_is_named_in_the_log_only);
    tcase_add_loop_test(tcase, a_run_counts_its_own_changes, 0, COUNT(runs));
    tcase_add_test(tcase, rows_come_one_by_one_and_end);
    tcase_add_test(tcase, a_failure_between_rows_stays_one);
}

Suite *unit_suite(void)
{
    Suite *suite = suite_create("sqlite");
    TCase *opening = create_case(suite, "opening");
    TCase *waiting = create_case(suite, "waiting");

    tcase_add_loop_test(opening, parameters_are_an_absolute_path, 0, COUNT(params));
    tcase_add_test(opening, a_missing_file_is_not_created);
    tcase_add_test(opening, a_file_that_is_no_database_is_refused);
    tcase_add_test(opening, a_check_leaves_the_journal_mode_alone);
    tcase_add_test(opening, a_session_is_set_up);
    tcase_add_test(opening, a_ping_sees_another_file);
    add_statements(create_case(suite, "statements"));
    tcase_add_test(waiting, a_transaction_is_kept_or_undone);
    tcase_add_test(waiting, a_read_transaction_has_one_snapshot);
    tcase_add_test(waiting, a_released_transaction_is_undone_and_gives_up_its_turn);
    tcase_add_test(waiting, a_deadline_ends_a_statement);
    tcase_add_test(waiting, a_hang_up_ends_a_statement);
    tcase_add_test(waiting, who_is_said_to_be_gone_ends_a_statement);
    tcase_add_test(waiting, another_process_s_lock_is_waited_for_until_the_deadline);
    tcase_add_test(waiting, a_writer_in_line_gives_up_at_its_deadline);
    tcase_add_test(waiting, writers_take_turns_and_lose_nothing);
    return suite;
}
