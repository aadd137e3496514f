/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* db: the MariaDB driver on a real server, given by MOUSE_TEST_MYSQL (apr_dbd parameters).
 */

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <apr_strings.h>

#include "db/db_int.h"

static mouse_db_config_t config;
static mouse_watch_t watch;
static mouse_conn_t *conn;
static mouse_db_t *db;

static void open_db(void)
{
    mouse_error_t *err = NULL;

    config = (mouse_db_config_t){.name = "main",
                                 .driver = "mysql",
                                 .params = getenv("MOUSE_TEST_MYSQL"),
                                 .cancel = true,
                                 .max = 4,
                                 .idle = apr_time_from_sec(60),
                                 .lifetime = apr_time_from_sec(600),
                                 .wait = apr_time_from_sec(2),
                                 .timeout = apr_time_from_sec(30)};
    watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(30), .client = -1};
    ck_assert(mouse_db_create(unit_pool, &config, NULL, &db, &err) == APR_SUCCESS);
    if (mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) != APR_SUCCESS)
        ck_abort_msg("%s", mouse_error_text(unit_pool, err));
}

static mouse_stmt_t *prepare_on(mouse_conn_t *on, const char *sql)
{
    mouse_stmt_t *stmt;

    /* Each text is its own owner: literals live as long as the test. */
    if (mouse_stmt_prepare(on, sql, 0, mouse_slice_of(sql), &stmt) != APR_SUCCESS)
        ck_abort_msg("%s: %s", sql, mouse_conn_fault(on)->message);
    return stmt;
}

static void run_on(mouse_conn_t *on, const char *sql)
{
    mouse_stmt_t *stmt = prepare_on(on, sql);

    if (mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS ||
        mouse_stmt_finish(stmt) != APR_SUCCESS)
        ck_abort_msg("%s: %s", sql, mouse_conn_fault(on)->message);
    mouse_stmt_drop(stmt);
}

static void run(const char *sql)
{
    run_on(conn, sql);
}

/* Runs what must fail, to its end; the fault. */
static const mouse_fault_t *fault_of(const char *sql)
{
    mouse_stmt_t *stmt;
    const mouse_value_t *row;
    apr_status_t status;

    if (mouse_stmt_prepare(conn, sql, 0, mouse_slice_of(sql), &stmt) != APR_SUCCESS)
        return mouse_conn_fault(conn);
    if (mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS)
        return mouse_conn_fault(conn);
    while ((status = mouse_stmt_next(stmt, &row)) == APR_SUCCESS)
        ;
    if (status == APR_EOF)
        status = mouse_stmt_finish(stmt);
    ck_assert_msg(status != APR_SUCCESS, "%s: succeeded", sql);
    return mouse_conn_fault(conn);
}

/* One value as a short text that shows its kind. */
static const char *show(const mouse_value_t *v)
{
    apr_pool_t *p = unit_pool;
    const mouse_calendar_t *t = &v->t;
    static const char *const names[] = {
        [MOUSE_VALUE_DECIMAL] = "decimal", [MOUSE_VALUE_STRING] = "string",
        [MOUSE_VALUE_BYTES] = "bytes",     [MOUSE_VALUE_JSON] = "json",
        [MOUSE_VALUE_BITS] = "bits",
    };
    char *text;
    size_t i;

    switch (v->kind) {
    case MOUSE_VALUE_NULL:
        return "null";
    case MOUSE_VALUE_BOOL:
        return v->i ? "bool true" : "bool false";
    case MOUSE_VALUE_INT:
        return apr_psprintf(p, "int %" APR_INT64_T_FMT, v->i);
    case MOUSE_VALUE_UINT:
        return apr_psprintf(p, "uint %" APR_UINT64_T_FMT, v->u);
    case MOUSE_VALUE_FLOAT:
        return apr_psprintf(p, "float %.3f", v->d);
    case MOUSE_VALUE_DOUBLE:
        return apr_psprintf(p, "double %.3f", v->d);
    case MOUSE_VALUE_DATE:
        return apr_psprintf(p, "date %d-%d-%d", t->year, t->month, t->day);
    case MOUSE_VALUE_DATETIME:
        return apr_psprintf(p, "datetime %d-%d-%d %d:%d:%d.%u/%d", t->year, t->month,
                            t->day, t->hour, t->minute, t->second, t->usec, t->decimals);
    case MOUSE_VALUE_TIME:
        return apr_psprintf(p, "time %s%d:%d:%d.%u/%d", t->negative ? "-" : "", t->hour,
                            t->minute, t->second, t->usec, t->decimals);
    default:
        text = apr_psprintf(p, "%s ", names[v->kind]);
        for (i = 0; i < v->text.len; i++) {
            unsigned char c = (unsigned char)v->text.data[i];

            text = apr_psprintf(p, c < 32 || c > 126 ? "%s\\%02x" : "%s%c", text, c);
        }
        return text;
    }
}

/* The first value of the first row. */
static const char *value_of(const char *sql, mouse_column_t *column)
{
    mouse_stmt_t *stmt = prepare_on(conn, sql);
    const mouse_value_t *row;
    const char *text;
    int count;

    if (mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS ||
        mouse_stmt_next(stmt, &row) != APR_SUCCESS)
        ck_abort_msg("%s: %s", sql, mouse_conn_fault(conn)->message);
    text = show(row);
    if (column)
        *column = mouse_stmt_columns(stmt, &count)[0];
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    mouse_stmt_drop(stmt);
    return text;
}

/* ---- column types ---- */

static const struct {
    const char *type, *literal, *value;
    mouse_column_type_t column;
    int scale;
} types[] = {
    {"TINYINT", "-128", "int -128", MOUSE_COLUMN_SMALLINT, 0},
    {"TINYINT UNSIGNED", "255", "uint 255", MOUSE_COLUMN_SMALLINT, 0},
    {"TINYINT(1)", "100", "int 100", MOUSE_COLUMN_SMALLINT, 0},
    {"SMALLINT", "-32768", "int -32768", MOUSE_COLUMN_SMALLINT, 0},
    {"SMALLINT UNSIGNED", "65535", "uint 65535", MOUSE_COLUMN_SMALLINT, 0},
    {"MEDIUMINT", "-8388608", "int -8388608", MOUSE_COLUMN_SMALLINT, 0},
    {"MEDIUMINT UNSIGNED", "16777215", "uint 16777215", MOUSE_COLUMN_SMALLINT, 0},
    {"INT", "-2147483648", "int -2147483648", MOUSE_COLUMN_SMALLINT, 0},
    {"INT UNSIGNED", "4294967295", "uint 4294967295", MOUSE_COLUMN_SMALLINT, 0},
    {"INT(1)", "123456", "int 123456", MOUSE_COLUMN_SMALLINT, 0},
    {"BIGINT", "-9223372036854775808", "int -9223372036854775808", MOUSE_COLUMN_INT, 0},
    {"BIGINT", "9223372036854775807", "int 9223372036854775807", MOUSE_COLUMN_INT, 0},
    {"BIGINT UNSIGNED", "18446744073709551615", "uint 18446744073709551615",
     MOUSE_COLUMN_INT, 0},
    {"DECIMAL(65,30)",
     "'-12345678901234567890123456789012345.000000000000000000000000000001'",
     "decimal -12345678901234567890123456789012345.000000000000000000000000000001",
     MOUSE_COLUMN_DECIMAL, 30},
    {"DECIMAL(10,0)", "7", "decimal 7", MOUSE_COLUMN_DECIMAL, 0},
    {"FLOAT", "0.5", "float 0.500", MOUSE_COLUMN_FLOAT, 0},
    {"DOUBLE", "-1e10", "double -10000000000.000", MOUSE_COLUMN_DOUBLE, 0},
    {"BIT(1)", "b'1'", "bool true", MOUSE_COLUMN_BOOL, 0},
    {"BIT(1)", "b'0'", "bool false", MOUSE_COLUMN_BOOL, 0},
    {"BIT(64)", "0xFF00000000000001", "bits \\ff\\00\\00\\00\\00\\00\\00\\01",
     MOUSE_COLUMN_BITS, 0},
    {"CHAR(5)", "'abc'", "string abc", MOUSE_COLUMN_STRING, 0},
    {"VARCHAR(20)", "'\xF0\x9F\x90\xAD'", "string \\f0\\9f\\90\\ad", MOUSE_COLUMN_STRING,
     0},
    {"VARCHAR(20)", "''", "string ", MOUSE_COLUMN_STRING, 0},
    {"TEXT", "'a\\0b'", "string a\\00b", MOUSE_COLUMN_STRING, 0},
    {"LONGTEXT", "'x'", "string x", MOUSE_COLUMN_STRING, 0},
    {"ENUM('a','b')", "'b'", "string b", MOUSE_COLUMN_STRING, 0},
    {"SET('a','b')", "'a,b'", "string a,b", MOUSE_COLUMN_STRING, 0},
    {"DATE", "'2026-01-31'", "date 2026-1-31", MOUSE_COLUMN_DATE, 0},
    {"DATE", "'0000-00-00'", "null", MOUSE_COLUMN_DATE, 0},
    {"DATETIME", "'2026-01-31 23:59:58'", "datetime 2026-1-31 23:59:58.0/0",
     MOUSE_COLUMN_DATETIME, 0},
    {"DATETIME(6)", "'2026-01-31 23:59:58.000001'", "datetime 2026-1-31 23:59:58.1/6",
     MOUSE_COLUMN_DATETIME, 0},
    {"DATETIME(3)", "'2026-01-31 00:00:00'", "datetime 2026-1-31 0:0:0.0/3",
     MOUSE_COLUMN_DATETIME, 0},
    {"DATETIME", "'0000-00-00 00:00:00'", "null", MOUSE_COLUMN_DATETIME, 0},
    {"TIMESTAMP", "'2026-01-31 10:00:00'", "datetime 2026-1-31 10:0:0.0/0",
     MOUSE_COLUMN_TIMESTAMP, 0},
    {"TIME", "'-838:59:59'", "time -838:59:59.0/0", MOUSE_COLUMN_TIME, 0},
    {"TIME(2)", "'25:00:01.25'", "time 25:0:1.250000/2", MOUSE_COLUMN_TIME, 0},
    {"TIME", "'00:00:00'", "time 0:0:0.0/0", MOUSE_COLUMN_TIME, 0},
    {"YEAR", "2155", "uint 2155", MOUSE_COLUMN_SMALLINT, 0},
    {"BINARY(3)", "'a'", "bytes a\\00\\00", MOUSE_COLUMN_BYTES, 0},
    {"VARBINARY(9)", "0x00FF", "bytes \\00\\ff", MOUSE_COLUMN_BYTES, 0},
    {"BLOB", "0x410042", "bytes A\\00B", MOUSE_COLUMN_BYTES, 0},
    {"JSON", "'{\"a\":[1]}'", "json {\"a\":[1]}", MOUSE_COLUMN_JSON, 0},
    {"JSON", "'1'", "json 1", MOUSE_COLUMN_JSON, 0},
    {"UUID", "'123e4567-e89b-12d3-a456-426655440000'",
     "string 123e4567-e89b-12d3-a456-426655440000", MOUSE_COLUMN_STRING, 0},
    {"INET6", "'::1'", "string ::1", MOUSE_COLUMN_STRING, 0},
    {"POINT", "ST_GeomFromText('POINT(0 0)')",
     "bytes "
     "\\00\\00\\00\\00\\01\\01\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00"
     "\\00\\00\\00\\00\\00",
     MOUSE_COLUMN_BYTES, 0},
};

START_TEST(column_types)
{
    mouse_column_t column;

    run(apr_psprintf(unit_pool, "CREATE OR REPLACE TABLE ty (c %s NULL) CHARSET utf8mb4",
                     types[_i].type));
    run(apr_psprintf(unit_pool, "INSERT INTO ty VALUES (%s)", types[_i].literal));
    ck_assert_str_eq(value_of("SELECT c FROM ty", &column), types[_i].value);
    ck_assert_int_eq(column.type, types[_i].column);
    ck_assert_int_eq(column.scale, types[_i].scale);
    ck_assert(mouse_slice_equal(column.name, MOUSE_SLICE("c")));
    run("UPDATE ty SET c = NULL");
    ck_assert_str_eq(value_of("SELECT c FROM ty  ", &column), "null");
}
END_TEST

static const struct {
    const char *sql, *value;
    mouse_column_type_t column;
} computed[] = {
    {"SELECT 1", "int 1", MOUSE_COLUMN_SMALLINT},
    {"SELECT COUNT(*) FROM information_schema.engines WHERE 0", "int 0", MOUSE_COLUMN_INT},
    {"SELECT SUM(1)", "decimal 1", MOUSE_COLUMN_DECIMAL},
    {"SELECT NULL", "null", MOUSE_COLUMN_STRING},
    {"SELECT JSON_OBJECT('a', 1)", "json {\"a\": 1}", MOUSE_COLUMN_JSON},
    {"SELECT CONCAT('a', 1)", "string a1", MOUSE_COLUMN_STRING},
    {"SELECT TIMESTAMP('2026-01-01 00:00:00.5')", "datetime 2026-1-1 0:0:0.500000/1",
     MOUSE_COLUMN_DATETIME},
    {"SELECT @@session.time_zone", "string +00:00", MOUSE_COLUMN_STRING},
    {"WITH x AS (SELECT 1 AS a UNION SELECT 2) SELECT MAX(a) FROM x", "int 2",
     MOUSE_COLUMN_SMALLINT},
};

START_TEST(computed_columns)
{
    mouse_column_t column;

    ck_assert_str_eq(value_of(computed[_i].sql, &column), computed[_i].value);
    ck_assert_int_eq(column.type, computed[_i].column);
}
END_TEST

START_TEST(nothing_is_cut)
{
    mouse_stmt_t *stmt = prepare_on(conn, "SELECT REPEAT('x', 5000000), 7");
    const mouse_value_t *row;

    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert_uint_eq(row[0].text.len, 5000000);
    ck_assert_int_eq(row[0].text.data[4999999], 'x');
    ck_assert_int_eq((int)row[1].i, 7);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_EOF);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

/* ---- parameters ---- */

static const struct {
    const char *type, *value;
    mouse_value_t bound;
} binds[] = {
    {"INT", "null", {.kind = MOUSE_VALUE_NULL}},
    {"INT", "int 1", {.kind = MOUSE_VALUE_BOOL, .i = 1}},
    {"BIGINT", "int -9223372036854775808", {.kind = MOUSE_VALUE_INT, .i = INT64_MIN}},
    {"BIGINT UNSIGNED",
     "uint 18446744073709551615",
     {.kind = MOUSE_VALUE_UINT, .u = UINT64_MAX}},
    {"DOUBLE", "double 0.125", {.kind = MOUSE_VALUE_DOUBLE, .d = 0.125}},
    {"FLOAT", "float 0.125", {.kind = MOUSE_VALUE_FLOAT, .d = 0.125}},
    {"DECIMAL(40,20)",
     "decimal 12345678901234567890.00000000000000000001",
     {.kind = MOUSE_VALUE_DECIMAL,
      .text = {"12345678901234567890.00000000000000000001", 41}}},
    {"VARCHAR(9)", "string a\\00b", {.kind = MOUSE_VALUE_STRING, .text = {"a\0b", 3}}},
    {"VARCHAR(9)", "string ", {.kind = MOUSE_VALUE_STRING, .text = {NULL, 0}}},
    {"BLOB", "bytes \\ff\\00", {.kind = MOUSE_VALUE_BYTES, .text = {"\xFF\0", 2}}},
    {"JSON", "json [1]", {.kind = MOUSE_VALUE_JSON, .text = {"[1]", 3}}},
    {"BIT(16)", "bits \\01\\02", {.kind = MOUSE_VALUE_BITS, .text = {"\x01\x02", 2}}},
    {"DATE",
     "date 2026-2-28",
     {.kind = MOUSE_VALUE_DATE, .t = {.year = 2026, .month = 2, .day = 28}}},
    {"DATETIME(6)",
     "datetime 2026-2-28 1:2:3.4/6",
     {.kind = MOUSE_VALUE_DATETIME,
      .t = {.year = 2026,
            .month = 2,
            .day = 28,
            .hour = 1,
            .minute = 2,
            .second = 3,
            .usec = 4}}},
    {"TIME(6)",
     "time -838:1:2.3/6",
     {.kind = MOUSE_VALUE_TIME,
      .t = {.negative = true, .hour = 838, .minute = 1, .second = 2, .usec = 3}}},
};

START_TEST(parameters)
{
    mouse_stmt_t *stmt;

    run(apr_psprintf(unit_pool, "CREATE OR REPLACE TABLE bi (c %s NULL)", binds[_i].type));
    stmt = prepare_on(conn, "INSERT INTO bi VALUES (?)");
    ck_assert_int_eq(mouse_stmt_parameters(stmt), 1);
    if (mouse_stmt_run(stmt, &binds[_i].bound, 1) != APR_SUCCESS)
        ck_abort_msg("%s", mouse_conn_fault(conn)->message);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_affected(stmt), 1);
    ck_assert_str_eq(value_of("SELECT c FROM bi", NULL), binds[_i].value);
}
END_TEST

/* ---- faults ---- */

static const struct {
    const char *sql;
    mouse_fault_class_t class;
    const char *constraint; /* NULL: none */
    int status;
} faults[] = {
    {"INSERT INTO child (id, email) VALUES (1, 'a')", MOUSE_FAULT_UNIQUE, "PRIMARY", 0},
    {"INSERT INTO child (id, email) VALUES (2, 'x for key ''y''')", MOUSE_FAULT_UNIQUE,
     "uniq_email", 0},
    {"INSERT INTO child (id, parent) VALUES (3, 99)", MOUSE_FAULT_FOREIGN_KEY, "fk_parent",
     0},
    {"DELETE FROM parent", MOUSE_FAULT_FOREIGN_KEY, "fk_parent", 0},
    {"INSERT INTO child (id, must) VALUES (4, NULL)", MOUSE_FAULT_NOT_NULL, "must", 0},
    {"INSERT INTO child (email) VALUES ('q')", MOUSE_FAULT_NOT_NULL, "id", 0},
    {"INSERT INTO child (id, n) VALUES (5, -1)", MOUSE_FAULT_CHECK, "n_positive", 0},
    {"INSERT INTO child (id, short) VALUES (6, 'abcdef')", MOUSE_FAULT_TOO_LONG, NULL, 0},
    {"INSERT INTO child (id, n) VALUES (7, 99999999999)", MOUSE_FAULT_BAD_VALUE, NULL, 0},
    {"INSERT INTO child (id, n) VALUES (8, 'abc')", MOUSE_FAULT_BAD_VALUE, NULL, 0},
    {"INSERT INTO child (id, at) VALUES (9, '2026-01-01T00:00:00Z')", MOUSE_FAULT_BAD_VALUE,
     NULL, 0},
    {"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'", MOUSE_FAULT_SIGNAL, NULL, 400},
    {"BEGIN NOT ATOMIC SELECT 1; SIGNAL SQLSTATE '45404' SET MESSAGE_TEXT = 'no'; END",
     MOUSE_FAULT_SIGNAL, NULL, 404},
    {"SIGNAL SQLSTATE '45999' SET MESSAGE_TEXT = 'no'", MOUSE_FAULT_OTHER, NULL, 0},
    {"SELECT * FROM nowhere", MOUSE_FAULT_OTHER, NULL, 0},
    {"SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(2) FROM child a, child b",
     MOUSE_FAULT_TIMEOUT, NULL, 0},
    {"START TRANSACTION", MOUSE_FAULT_OTHER, NULL, 0},
};

static void create_tables(void)
{
    run("DROP TABLE IF EXISTS child");
    run("CREATE OR REPLACE TABLE parent (id INT PRIMARY KEY) ENGINE=InnoDB");
    run("CREATE TABLE child (id INT PRIMARY KEY, parent INT NULL, email VARCHAR(40), "
        "must INT NOT NULL DEFAULT 0, n INT, short CHAR(3), at DATETIME, "
        "UNIQUE KEY uniq_email (email), CONSTRAINT n_positive CHECK (n > 0), "
        "CONSTRAINT fk_parent FOREIGN KEY (parent) REFERENCES parent (id)) ENGINE=InnoDB");
    run("INSERT INTO parent VALUES (1)");
    run("INSERT INTO child (id, parent, email) VALUES (1, 1, 'x for key ''y''')");
}

START_TEST(fault_classes)
{
    const mouse_fault_t *fault;

    create_tables();
    fault = fault_of(faults[_i].sql);
    ck_assert_msg(fault->class == faults[_i].class, "%s: class %d: %d %s", faults[_i].sql,
                  fault->class, fault->native, fault->message);
    ck_assert_int_eq(fault->status, faults[_i].status);
    ck_assert_pstr_eq(fault->constraint, faults[_i].constraint);
    if (fault->class == MOUSE_FAULT_SIGNAL)
        ck_assert_str_eq(fault->message, "no");
}
END_TEST

START_TEST(an_aggregate_that_was_cut_is_a_fault)
{
    run("SET group_concat_max_len = 8");
    ck_assert_int_eq(
        fault_of("SELECT GROUP_CONCAT(engine) FROM information_schema.engines")->native,
        1260);
    ck_assert_str_eq(value_of("SELECT GROUP_CONCAT(1)", NULL), "string 1");
}
END_TEST

START_TEST(a_text_above_the_packet_limit_is_a_fault_and_not_null)
{
    ck_assert_int_eq(fault_of("SELECT REPEAT('x', @@max_allowed_packet + 1)")->native,
                     1301);
    ck_assert_str_eq(value_of("SELECT REPEAT('x', 3)", NULL), "string xxx");
}
END_TEST

/* ---- statements of every shape ---- */

static const char *const json_sources[] = {
    "INSERT INTO js VALUES ('{}') RETURNING j", "CALL jp()",
    "BEGIN NOT ATOMIC SELECT j FROM js; END",   "SELECT j FROM js",
    "SELECT JSON_EXTRACT(j, '$') FROM js",
};

START_TEST(json_is_known_at_every_run)
{
    mouse_stmt_t *stmt;
    int i, count;

    run("CREATE OR REPLACE TABLE js (j JSON)");
    run("CREATE OR REPLACE PROCEDURE jp() SELECT j FROM js");
    stmt = prepare_on(conn, json_sources[_i]);
    for (i = 0; i < 3; i++) {
        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
        ck_assert_int_eq(mouse_stmt_columns(stmt, &count)->type, MOUSE_COLUMN_JSON);
        ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    }
}
END_TEST

START_TEST(the_first_result_answers_a_call)
{
    mouse_stmt_t *stmt;
    const mouse_value_t *row;
    int count, i;

    run("CREATE OR REPLACE PROCEDURE two() BEGIN SELECT 1 AS a UNION SELECT 2; "
        "SELECT 'x', 'y'; END");
    stmt = prepare_on(conn, "CALL two()");
    mouse_stmt_columns(stmt, &count);
    ck_assert_int_eq(count, 0);
    for (i = 0; i < 3; i++) { /* read whole, in part, not at all */
        int rows;

        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
        ck_assert(
            mouse_slice_equal(mouse_stmt_columns(stmt, &count)->name, MOUSE_SLICE("a")));
        ck_assert_int_eq(count, 1);
        for (rows = 0; rows < 2 - i && mouse_stmt_next(stmt, &row) == APR_SUCCESS; rows++)
            ck_assert_int_eq((int)row[0].i, rows + 1);
        ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    }
    ck_assert_str_eq(value_of("SELECT 5", NULL), "int 5");
}
END_TEST

START_TEST(returning_and_keys)
{
    mouse_stmt_t *stmt;
    const mouse_value_t *row;
    mouse_value_t value = {.kind = MOUSE_VALUE_INT, .i = 5};
    unsigned generation;

    run("CREATE OR REPLACE TABLE r (id INT AUTO_INCREMENT PRIMARY KEY, n INT)");
    stmt = prepare_on(conn, "INSERT INTO r (n) VALUES (?), (6) RETURNING id, n");
    generation = mouse_stmt_generation(stmt);
    ck_assert(mouse_stmt_run(stmt, &value, 1) == APR_SUCCESS);
    ck_assert_uint_ne(mouse_stmt_generation(stmt), generation);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert_int_eq((int)row[0].i, 1);
    ck_assert_int_eq((int)row[1].i, 5);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert(mouse_stmt_next(stmt, &row) == APR_EOF);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_affected(stmt), 2);
    stmt = prepare_on(conn, "INSERT INTO r (n) VALUES (7)");
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_insert_id(stmt), 3);
    stmt = prepare_on(conn, "UPDATE r SET n = 7 WHERE id = 3");
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    ck_assert_uint_eq(mouse_stmt_affected(stmt), 1); /* found, though not changed */
}
END_TEST

static const struct {
    const char *alter;
    bool stale;
} alters[] = {
    {"ALTER TABLE al ADD COLUMN c INT", true},
    {"ALTER TABLE al DROP COLUMN b", true},
    {"ALTER TABLE al MODIFY b VARCHAR(20)", false},
    {"ALTER TABLE al RENAME COLUMN b TO bb", false},
};

START_TEST(a_table_changed_under_a_statement)
{
    mouse_stmt_t *stmt;
    const mouse_value_t *row;
    const char *sql = "SELECT * FROM al";
    unsigned generation;

    run("CREATE OR REPLACE TABLE al (a INT, b INT)");
    run("INSERT INTO al VALUES (1, 2), (3, 4)");
    stmt = prepare_on(conn, sql);
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    generation = mouse_stmt_generation(stmt);
    run(alters[_i].alter);
    if (alters[_i].stale) {
        ck_assert(mouse_stmt_run(stmt, NULL, 0) != APR_SUCCESS);
        ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_STALE);
        mouse_stmt_drop(stmt);
        stmt = prepare_on(conn, sql);
        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    } else {
        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
        ck_assert_uint_ne(mouse_stmt_generation(stmt), generation);
    }
    ck_assert(mouse_stmt_next(stmt, &row) == APR_SUCCESS);
    ck_assert_int_eq((int)row[0].i, 1);
    ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
}
END_TEST

/* ---- transactions ---- */

START_TEST(transactions)
{
    run("CREATE OR REPLACE TABLE tx (n INT) ENGINE=InnoDB");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    run("INSERT INTO tx VALUES (1)");
    mouse_conn_rollback(conn);
    ck_assert_str_eq(value_of("SELECT COUNT(*) FROM tx", NULL), "int 0");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    run("INSERT INTO tx VALUES (1)");
    ck_assert(mouse_conn_commit(conn) == APR_SUCCESS);
    ck_assert_str_eq(value_of("SELECT COUNT(*) FROM tx", NULL), "int 1");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_READ) == APR_SUCCESS);
    ck_assert_int_eq(fault_of("INSERT INTO tx VALUES (2)")->class, MOUSE_FAULT_OTHER);
    mouse_conn_rollback(conn);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_OTHER);
    mouse_conn_release(conn);
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, NULL) == APR_SUCCESS);
    ck_assert(mouse_conn_used(conn));
}
END_TEST

static int64_t session_status(const char *name)
{
    const char *text = value_of(
        apr_psprintf(unit_pool,
                     "SELECT CAST(variable_value AS SIGNED) FROM "
                     "information_schema.session_status WHERE variable_name = '%s'",
                     name),
        NULL);

    return apr_atoi64(text + strlen("int "));
}

/* What a request with a mark costs the next one on its connection: nothing. */
START_TEST(a_mark_costs_a_preparation_and_a_close)
{
    static const char sql[] = "SELECT 7";
    int64_t prepared, closed;
    mouse_stmt_t *stmt;
    mouse_error_t *err;

    prepare_on(conn, sql);
    prepared = session_status("COM_STMT_PREPARE");
    closed = session_status("COM_STMT_CLOSE");
    mouse_conn_release(conn);
    watch.mark = MOUSE_SLICE(" /*m*/");
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) == APR_SUCCESS);
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_READ) == APR_SUCCESS);
    stmt = prepare_on(conn, sql);
    for (int i = 0; i < 2; i++) {
        ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
        ck_assert(mouse_stmt_finish(stmt) == APR_SUCCESS);
    }
    mouse_conn_rollback(conn);
    mouse_conn_release(conn);
    watch.mark.len = 0;
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) == APR_SUCCESS);
    ck_assert_ptr_nonnull(mouse_stmt_find(conn, sql, 0));
    /* Those that ask are prepared and closed, too: two in each count. */
    ck_assert_int_eq(session_status("COM_STMT_PREPARE") - prepared, 2 + 1);
    ck_assert_int_eq(session_status("COM_STMT_CLOSE") - closed, 2 + 1);
}
END_TEST

START_TEST(an_open_transaction_ends_with_its_connection)
{
    mouse_db_stats_t stats;
    mouse_error_t *err;

    run("CREATE OR REPLACE TABLE tx (n INT) ENGINE=InnoDB");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    run("INSERT INTO tx VALUES (1)");
    mouse_conn_release(conn);
    mouse_db_stats(db, &stats);
    ck_assert_int_eq(stats.open, 0);
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) == APR_SUCCESS);
    ck_assert_str_eq(value_of("SELECT COUNT(*) FROM tx", NULL), "int 0");
}
END_TEST

START_TEST(lock_waits_may_be_tried_again)
{
    mouse_conn_t *other;
    mouse_error_t *err;

    run("CREATE OR REPLACE TABLE lo (n INT PRIMARY KEY) ENGINE=InnoDB");
    run("INSERT INTO lo VALUES (1)");
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &other, &err) == APR_SUCCESS);
    ck_assert(mouse_conn_begin(other, MOUSE_TX_WRITE) == APR_SUCCESS);
    run_on(other, "SELECT * FROM lo WHERE n = 1 FOR UPDATE");
    run("SET innodb_lock_wait_timeout = 1");
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    ck_assert_int_eq(fault_of("UPDATE lo SET n = 2 WHERE n = 1")->class,
                     MOUSE_FAULT_DEADLOCK);
    mouse_conn_rollback(conn);
    mouse_conn_rollback(other);
    mouse_conn_release(other);
    run("UPDATE lo SET n = 2 WHERE n = 1");
}
END_TEST

/* ---- the end of a wait ---- */

/* Statements of ours that still sleep in the server; given a second to end. */
static int sleepers(void)
{
    mouse_conn_t *saved = conn;
    mouse_watch_t fresh = {.deadline = apr_time_now() + apr_time_from_sec(10),
                           .client = -1};
    mouse_error_t *err;
    const char *text = "";
    int i;

    ck_assert(mouse_conn_acquire(db, unit_pool, &fresh, &conn, &err) == APR_SUCCESS);
    for (i = 0; i < 20 && strcmp(text, "int 0") != 0; i++) {
        usleep(i > 0 ? 50000 : 0);
        text = value_of("SELECT COUNT(*) FROM information_schema.processlist "
                        "WHERE info LIKE 'SELECT SLEEP(9)%'",
                        NULL);
    }
    mouse_conn_release(conn);
    conn = saved;
    return strcmp(text, "int 0") != 0;
}

static int elapsed_ms(apr_time_t start)
{
    return (int)((apr_time_now() - start) / 1000);
}

START_TEST(the_deadline_ends_a_statement)
{
    apr_time_t start = apr_time_now();
    const mouse_fault_t *fault;

    watch.deadline = start + 150000;
    fault = fault_of("SELECT SLEEP(9)");
    ck_assert_int_eq(fault->class, MOUSE_FAULT_TIMEOUT);
    ck_assert_int_le(elapsed_ms(start), 5000);
    ck_assert(conn->doubtful);
    mouse_conn_release(conn);
    ck_assert_int_eq(sleepers(), 0);
    conn = NULL;
}
END_TEST

static void *hang_up(void *data)
{
    usleep(200000);
    close((int)(intptr_t)data);
    return NULL;
}

START_TEST(a_client_that_leaves_ends_a_statement)
{
    apr_time_t start = apr_time_now();
    int ends[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    watch.client = ends[0];
    ck_assert(mouse_thread_start(hang_up, (void *)(intptr_t)ends[1]));
    ck_assert_int_eq(fault_of("SELECT SLEEP(9)")->class, MOUSE_FAULT_GONE);
    ck_assert_int_ge(elapsed_ms(start), 180);
    ck_assert_int_le(elapsed_ms(start), 5000);
    mouse_conn_release(conn);
    ck_assert_int_eq(sleepers(), 0);
    close(ends[0]);
    conn = NULL;
}
END_TEST

/* ---- the connection kept for cancelling ---- */

static bool always(void *baton)
{
    (void)baton;
    return true;
}

#define CAPPED "FROM information_schema.processlist WHERE user = 'capped'"

/* Waits, asked on `conn`, until the capped user has so many connections. */
static void await_capped(int count)
{
    const char *wanted = apr_psprintf(unit_pool, "int %d", count), *text = "";
    int i;

    for (i = 0; i < 60 && strcmp(text, wanted) != 0; i++) {
        usleep(i > 0 ? 50000 : 0);
        text = value_of("SELECT COUNT(*) " CAPPED, NULL);
    }
    ck_assert_str_eq(text, wanted);
}

/* A second pool, of a user who may have no more than `cap` connections. */
static mouse_db_t *open_capped(int max, int cap)
{
    mouse_error_t *err = NULL;
    mouse_db_t *capped;

    await_capped(0);
    run(apr_psprintf(unit_pool,
                     "CREATE OR REPLACE USER capped@localhost WITH MAX_USER_CONNECTIONS %d",
                     cap));
    run("GRANT ALL ON mouse_test.* TO capped@localhost");
    config.params = apr_pstrcat(unit_pool, config.params, ",user=capped", NULL);
    config.max = max;
    ck_assert(mouse_db_create(unit_pool, &config, NULL, &capped, &err) == APR_SUCCESS);
    return capped;
}

static mouse_conn_t *acquire_from(mouse_db_t *from, mouse_watch_t *its)
{
    mouse_conn_t *taken = NULL;
    mouse_error_t *err = NULL;

    if (mouse_conn_acquire(from, unit_pool, its, &taken, &err) != APR_SUCCESS)
        ck_abort_msg("%s", mouse_error_text(unit_pool, err));
    return taken;
}

/* Runs a long statement there whose client is gone; it must end in the server. */
static void cancel_on(mouse_conn_t *on, mouse_watch_t *its)
{
    mouse_conn_t *saved = conn;

    its->gone = always;
    conn = on;
    ck_assert_int_eq(fault_of("SELECT SLEEP(9)")->class, MOUSE_FAULT_GONE);
    conn = saved;
    ck_assert_int_eq(sleepers(), 0);
    its->gone = NULL;
}

START_TEST(a_cancel_needs_no_new_connection)
{
    mouse_db_t *capped = open_capped(4, 5);
    mouse_watch_t its = watch;
    mouse_conn_t *conns[4], *none;
    mouse_error_t *err = NULL;
    const char *kept;
    int i;

    conns[0] = acquire_from(capped, &its);
    await_capped(2); /* it and the one for cancelling */
    kept = value_of("SELECT MAX(id) " CAPPED, NULL);
    for (i = 1; i < 4; i++)
        conns[i] = acquire_from(capped, &its);
    ck_assert_msg(mouse_conn_open(unit_pool, &config, NULL, &watch, &none, &err) !=
                      APR_SUCCESS,
                  "there is room for another connection");
    for (i = 0; i < 4; i++) {
        cancel_on(conns[i], &its);
        mouse_conn_release(conns[i]);
    }
    await_capped(1); /* the same as before */
    ck_assert_str_eq(value_of("SELECT MAX(id) " CAPPED, NULL), kept);
}
END_TEST

START_TEST(the_kept_connection_is_beside_max)
{
    mouse_db_t *capped;
    mouse_watch_t its = watch;
    mouse_conn_t *conns[4], *none;
    mouse_error_t *err = NULL;
    int i;

    config.wait = 100000;
    capped = open_capped(4, 10);
    for (i = 0; i < 4; i++)
        conns[i] = acquire_from(capped, &its);
    ck_assert(mouse_conn_acquire(capped, unit_pool, &its, &none, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_DB_BUSY);
    await_capped(5);
    ck_assert_int_eq(mouse_conn_demand(conns[0], 4), 5);
    for (i = 0; i < 4; i++)
        mouse_conn_release(conns[i]);
}
END_TEST

static int refused_logins(void)
{
    return atoi(strchr(value_of("SELECT CAST(variable_value AS SIGNED) FROM "
                                "information_schema.global_status "
                                "WHERE variable_name = 'Aborted_connects'",
                                NULL),
                       ' '));
}

START_TEST(a_pool_without_room_for_the_kept_connection_works)
{
    mouse_db_t *capped = open_capped(4, 2);
    int before = refused_logins(), i;
    mouse_watch_t its = watch;
    mouse_conn_t *single = NULL, *first;
    mouse_error_t *err = NULL;

    ck_assert(mouse_conn_open(unit_pool, &config, NULL, &watch, &single, &err) ==
              APR_SUCCESS);
    first = acquire_from(capped, &its);
    for (i = 0; i < 60 && refused_logins() == before; i++)
        usleep(50000);
    ck_assert_int_gt(refused_logins(), before);
    mouse_conn_release(single);
    await_capped(1);
    cancel_on(first, &its); /* opens it, now that there is room, and keeps it */
    mouse_conn_release(first);
    await_capped(1);
}
END_TEST

/* The pool's first connection is there; the one beside it comes, and is killed. */
static void kill_kept(void)
{
    await_capped(2);
    run(apr_pstrcat(unit_pool, "KILL ",
                    strchr(value_of("SELECT MAX(id) " CAPPED, NULL), ' ') + 1, NULL));
    await_capped(1);
}

START_TEST(a_killed_canceller_is_replaced_by_the_next_opening)
{
    mouse_db_t *capped = open_capped(4, 10);
    mouse_watch_t its = watch;
    mouse_conn_t *first = acquire_from(capped, &its), *second;

    kill_kept();
    second = acquire_from(capped, &its);
    await_capped(3);
    mouse_conn_release(first);
    mouse_conn_release(second);
}
END_TEST

START_TEST(a_killed_canceller_is_replaced)
{
    mouse_db_t *capped = open_capped(4, 10);
    mouse_watch_t its = watch;
    mouse_conn_t *first = acquire_from(capped, &its);

    kill_kept();
    cancel_on(first, &its);
    mouse_conn_release(first);
    await_capped(1);
}
END_TEST

START_TEST(a_small_pool_keeps_no_canceller)
{
    mouse_db_t *capped = open_capped(3, 10);
    mouse_watch_t its = watch;
    mouse_conn_t *first = acquire_from(capped, &its);

    usleep(200000);
    await_capped(1);
    ck_assert_int_eq(mouse_conn_demand(first, 3), 3);
    cancel_on(first, &its);
    mouse_conn_release(first);
    await_capped(0);
}
END_TEST

START_TEST(a_stream_that_ends_ends_a_statement)
{
    apr_time_t start = apr_time_now();

    watch.gone = always;
    ck_assert_int_eq(fault_of("SELECT SLEEP(9)")->class, MOUSE_FAULT_GONE);
    ck_assert_int_le(elapsed_ms(start), 5000);
}
END_TEST

START_TEST(a_commit_is_never_cancelled)
{
    watch.gone = always;
    watch.committing = true;
    ck_assert_str_eq(value_of("SELECT SLEEP(0.3)", NULL), "int 0");
}
END_TEST

START_TEST(a_killed_connection_is_lost)
{
    mouse_conn_t *other;
    mouse_error_t *err;

    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &other, &err) == APR_SUCCESS);
    run_on(other,
           apr_pstrcat(unit_pool, "KILL ",
                       strchr(value_of("SELECT CONNECTION_ID()", NULL), ' ') + 1, NULL));
    usleep(50000);
    ck_assert_int_eq(fault_of("SELECT 1")->class, MOUSE_FAULT_LOST);
    mouse_conn_release(conn);
    mouse_conn_release(other);
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) == APR_SUCCESS);
    ck_assert_str_eq(value_of("SELECT 3", NULL), "int 3");
}
END_TEST

/* ---- configuration and checks ---- */

static const struct {
    const char *params, *password, *says; /* NULL: accepted */
} checks[] = {
    {"host=127.0.0.1,user=u,dbname=d,port=1", "secret=1", NULL},
    {"sock=/x;user=u|dbname=d group=g", NULL, NULL},
    {"host=h,pass=x", NULL, "password-file"},
    {"host=h,p=x", NULL, "password-file"},
    {"host=h,hots=x", NULL, "unknown parameter"},
    {"host=h,reconnect=1", NULL, "unknown parameter"},
    {"host = h", NULL, "key=value"},
    {"host=h", "two words", "apr_dbd cannot carry"},
    {"host=h", "a|b", "apr_dbd cannot carry"},
};

START_TEST(parameters_of_the_connection)
{
    mouse_error_t *err = NULL;
    apr_status_t status;

    config.params = checks[_i].params;
    config.password = checks[_i].password;
    status = mouse_db_check(unit_pool, &config, &err);
    ck_assert_int_eq(status == APR_SUCCESS, checks[_i].says == NULL);
    if (checks[_i].says)
        ck_assert_ptr_nonnull(strstr(err->detail, checks[_i].says));
}
END_TEST

START_TEST(questions_of_the_checker)
{
    mouse_conn_t *single;
    mouse_error_t *err;

    ck_assert(mouse_conn_open(unit_pool, &config, NULL, &watch, &single, &err) ==
              APR_SUCCESS);
    run_on(single, "CREATE OR REPLACE TABLE old (n INT) ENGINE=MyISAM");
    ck_assert_int_gt(mouse_conn_limit(single), 0);
    ck_assert_str_eq(mouse_conn_nontransactional(single, unit_pool,
                                                 MOUSE_SLICE("INSERT INTO `old` SELECT 1")),
                     "old (MyISAM)");
    ck_assert_ptr_null(mouse_conn_nontransactional(
        single, unit_pool, MOUSE_SLICE("INSERT INTO older SELECT old_x")));
    run_on(single, "DROP TABLE old");
    mouse_conn_release(single);
}
END_TEST

START_TEST(a_server_that_is_not_there)
{
    mouse_error_t *err = NULL;
    mouse_conn_t *none;

    config.params = "sock=/nonexistent,user=root";
    ck_assert(mouse_conn_open(unit_pool, &config, NULL, &watch, &none, &err) !=
              APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
    ck_assert(mouse_db_create(unit_pool, &config, NULL, &db, &err) == APR_SUCCESS);
    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &none, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
}
END_TEST

/* Accepts, and never speaks: a stopped server. */
START_TEST(a_server_that_does_not_speak)
{
    apr_time_t start = apr_time_now();
    mouse_error_t *err = NULL;
    mouse_conn_t *none;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), i;
    const char *path = apr_psprintf(unit_pool, "/tmp/mouse-silent-%d", (int)getpid());

    apr_cpystrn(address.sun_path, path, sizeof(address.sun_path));
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    ck_assert_int_eq(listen(fd, 8), 0);
    config.params = apr_pstrcat(unit_pool, "user=root,sock=", path, NULL);
    ck_assert(mouse_db_create(unit_pool, &config, NULL, &db, &err) == APR_SUCCESS);
    for (i = 0; i < 3; i++) {
        ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &none, &err) != APR_SUCCESS);
        ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
        usleep(300000);
    }
    ck_assert_int_le(elapsed_ms(start), 5000);
    close(fd);
    unlink(path);
}
END_TEST

#define LOOP(test, table)                                                                  \
    tcase_add_loop_test(tcase, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

static void release(void)
{
    if (conn)
        mouse_conn_release(conn);
}

Suite *unit_suite(void)
{
    Suite *suite = suite_create("mysql");
    TCase *tcase;

    if (!getenv("MOUSE_TEST_MYSQL")) {
        printf("mysql: skipped, MOUSE_TEST_MYSQL is not set\n");
        return suite;
    }
    tcase = unit_case(suite, "mysql");
    tcase_add_checked_fixture(tcase, open_db, release);
    LOOP(column_types, types);
    LOOP(computed_columns, computed);
    tcase_add_test(tcase, nothing_is_cut);
    LOOP(parameters, binds);
    LOOP(fault_classes, faults);
    tcase_add_test(tcase, an_aggregate_that_was_cut_is_a_fault);
    tcase_add_test(tcase, a_text_above_the_packet_limit_is_a_fault_and_not_null);
    LOOP(json_is_known_at_every_run, json_sources);
    tcase_add_test(tcase, the_first_result_answers_a_call);
    tcase_add_test(tcase, returning_and_keys);
    LOOP(a_table_changed_under_a_statement, alters);
    tcase_add_test(tcase, transactions);
    tcase_add_test(tcase, a_mark_costs_a_preparation_and_a_close);
    tcase_add_test(tcase, an_open_transaction_ends_with_its_connection);
    tcase_add_test(tcase, lock_waits_may_be_tried_again);
    tcase_add_test(tcase, the_deadline_ends_a_statement);
    tcase_add_test(tcase, a_client_that_leaves_ends_a_statement);
    tcase_add_test(tcase, a_stream_that_ends_ends_a_statement);
    tcase_add_test(tcase, a_cancel_needs_no_new_connection);
    tcase_add_test(tcase, the_kept_connection_is_beside_max);
    tcase_add_test(tcase, a_pool_without_room_for_the_kept_connection_works);
    tcase_add_test(tcase, a_killed_canceller_is_replaced_by_the_next_opening);
    tcase_add_test(tcase, a_killed_canceller_is_replaced);
    tcase_add_test(tcase, a_small_pool_keeps_no_canceller);
    tcase_add_test(tcase, a_commit_is_never_cancelled);
    tcase_add_test(tcase, a_killed_connection_is_lost);
    LOOP(parameters_of_the_connection, checks);
    tcase_add_test(tcase, questions_of_the_checker);
    tcase_add_test(tcase, a_server_that_is_not_there);
    tcase_add_test(tcase, a_server_that_does_not_speak);
    return suite;
}
