/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model: bound models run on a real database, from parameters to the answer's bytes. */

#include "rig.h"

#include <stdlib.h>

#include <apr_strings.h>

static const char *const schema[] = {
    "DROP TABLE IF EXISTS order_items",
    "DROP TABLE IF EXISTS orders",
    "DROP TABLE IF EXISTS products",
    "DROP TABLE IF EXISTS pets",
    "DROP TABLE IF EXISTS people",
    "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL,"
    " price INTEGER NOT NULL, stock INTEGER NOT NULL)",
    "INSERT INTO products VALUES (1,'axe',30,5), (2,'bow',20,1), (3,'cap',10,9)",
    "S:CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, total "
    "INTEGER)",
    "M:CREATE TABLE orders (id INTEGER PRIMARY KEY AUTO_INCREMENT, user_id INTEGER NOT "
    "NULL,"
    " total INTEGER)",
    "CREATE TABLE order_items (order_id INTEGER NOT NULL, product_id INTEGER NOT NULL,"
    " qty INTEGER NOT NULL)",
    "S:CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(20) NOT NULL,"
    " age INTEGER, CONSTRAINT uniq_email UNIQUE (email),"
    " CONSTRAINT age_ok CHECK (age >= 0))",
    "M:CREATE TABLE people (id INTEGER PRIMARY KEY AUTO_INCREMENT, email VARCHAR(20) NOT "
    "NULL,"
    " age INTEGER, CONSTRAINT uniq_email UNIQUE (email),"
    " CONSTRAINT age_ok CHECK (age >= 0))",
    "INSERT INTO people VALUES (1, 'ada', 36)",
    "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER,"
    " CONSTRAINT pet_owner FOREIGN KEY (owner) REFERENCES people (id))",
    NULL,
};

static const char models[] =
    "-- name: one :one\n"
    "-- param: id int\n"
    "SELECT id, name FROM products WHERE id >= :id AND id <= :id;\n"

    "-- name: several :one\n"
    "SELECT id FROM products;\n"

    "-- name: maybe :one\n"
    "-- param: id int\n"
    "-- expect: 0..1\n"
    "SELECT id FROM products WHERE id = :id;\n"

    "-- name: list :many\n"
    "-- param: low int = 0\n"
    "SELECT id, name FROM products WHERE id >= :low ORDER BY id;\n"

    "-- name: some :many\n"
    "-- expect: 1..2 else 410 \"Wrong number\"\n"
    "SELECT id FROM products;\n"

    "-- name: sorted :many\n"
    "-- order: sort newest = id DESC\n"
    "-- order: sort price = price, id\n"
    "SELECT id FROM products ORDER BY :sort;\n"

    "-- name: among :many\n"
    "-- param: ids int[] (0..50)\n"
    "SELECT id FROM products WHERE id IN (:ids) ORDER BY id;\n"

    "-- name: others :many\n"
    "-- param: ids int[] (0..50)\n"
    "SELECT id FROM products WHERE id NOT IN (:ids) ORDER BY id;\n"

    "-- name: rename :exec\n"
    "-- param: id int\n"
    "-- param: name string(1..40)\n"
    "UPDATE products SET name = :name WHERE id = :id;\n"

    "-- name: sure :exec\n"
    "-- param: id int\n"
    "-- param: name string(1..40)\n"
    "-- expect: 1\n"
    "UPDATE products SET name = :name WHERE id = :id;\n"

    "-- name: raise :affected\n"
    "-- param: by int\n"
    "UPDATE products SET price = price + :by;\n"

    "-- name: patch :exec\n"
    "-- param: id int from path\n"
    "-- param: name string optional\n"
    "-- param: price int optional\n"
    "UPDATE products SET name = CASE WHEN :given.name THEN :name ELSE name END,\n"
    " price = CASE WHEN :given.price THEN :price ELSE price END WHERE id = :id;\n"

    "-- name: page :object\n"
    "-- param: id int\n"
    "-- answer: first :one\n"
    "-- expect: 0..1\n"
    "SELECT id, name FROM products WHERE id = :id;\n"
    "-- answer: rest :many\n"
    "SELECT id FROM products WHERE id <> :id ORDER BY id;\n"
    "-- answer: total :value\n"
    "SELECT COUNT(*) AS n FROM products;\n"
    "-- answer: nothing :value\n"
    "SELECT name FROM products WHERE id < 0;\n"

    "-- name: place :one\n"
    "-- param: items[] (0..100)\n"
    "-- param: items[].product_id int(1..)\n"
    "-- param: items[].qty int(1..99)\n"
    "-- as: o\n"
    "INSERT INTO orders (user_id, total) VALUES (7, 0) RETURNING id;\n"
    "-- each: items\n"
    "-- expect: 1 else 409 \"Out of stock\"\n"
    "UPDATE products SET stock = stock - :items[].qty\n"
    " WHERE id = :items[].product_id AND stock >= :items[].qty;\n"
    "-- each: items\n"
    "INSERT INTO order_items SELECT :o.id, id, :items[].qty FROM products\n"
    " WHERE id = :items[].product_id;\n"
    "UPDATE orders SET total = (SELECT SUM(i.qty * p.price) FROM order_items i\n"
    " JOIN products p ON p.id = i.product_id WHERE i.order_id = :o.id) WHERE id = :o.id;\n"
    "SELECT id, total FROM orders WHERE id = :o.id;\n"

    "-- name: orders :many\n"
    "SELECT id FROM orders;\n"

    "-- name: stock :many\n"
    "SELECT stock FROM products ORDER BY id;\n"

    "-- name: keyed :one\n"
    "-- as: o\n"
    "INSERT INTO orders (user_id, total) VALUES (8, 1);\n"
    "SELECT id, CAST(:o.affected AS CHAR) AS n FROM orders WHERE id = :o.insert_id;\n"

    "-- name: lost_key :one\n"
    "-- as: o\n"
    "INSERT INTO orders (user_id, total) SELECT 8, 1 FROM products WHERE id < 0;\n"
    "SELECT CASE WHEN :o.insert_id IS NULL THEN 'none' ELSE 'some' END AS k;\n"

    "-- name: tags :affected\n"
    "-- param: ids int[] (0..9)\n"
    "-- each: ids\n"
    "UPDATE products SET stock = 0 WHERE id = :ids[];\n"

    "-- name: join :exec\n"
    "-- param: email string\n"
    "-- param: age int optional\n"
    "-- error: uniq_email 409 \"Address taken\" email\n"
    "-- error: people.email 409 \"Address taken\" email\n"
    "-- error: age_ok 418 \"Too young\"\n"
    "INSERT INTO people (email, age) VALUES (:email, :age);\n"

    "-- name: plain_join :exec\n"
    "-- param: email string optional\n"
    "INSERT INTO people (email) VALUES (:email);\n"

    "-- name: adopt :exec\n"
    "-- param: owner int\n"
    "INSERT INTO pets (id, owner) VALUES (1, :owner);\n"

    "-- name: made :one\n"
    "-- param: name string\n"
    "-- column: secret hidden\n"
    "-- column: code status\n"
    "SELECT 5 AS id, 'x y' AS secret, 201 AS code FROM products\n"
    " WHERE id = 1 AND name <> :name;\n"

    "-- name: bad_code :one\n"
    "-- column: code status\n"
    "SELECT 5 AS id, 404 AS code;\n"

    "-- name: who :one\n"
    "SELECT :request.user AS who, :request.ip AS ip, :env.SHELF AS shelf;\n"

    "-- name: broken :many\n"
    "SELECT nowhere FROM products;\n"

    "-- name: twins :many\n"
    "SELECT id, id FROM products;\n";

typedef struct row_t {
    rig_ask_t ask;
    const char *want;
    const char *then; /* a model to look at afterwards, or NULL */
    const char *after;
} row_t;

#define GET(name)        .ask.model = "run/" name
#define SEND(name, json) .ask.model = "run/" name, .ask.method = "POST", .ask.body = json

static const row_t rows[] = {
    {GET("one"), .ask.query = "id=2", .want = "200 {\"id\":2,\"name\":\"bow\"}"},
    {GET("one"), .ask.path = "id=3", .want = "200 {\"id\":3,\"name\":\"cap\"}"},
    {GET("one"), .ask.query = "id=9", .want = "404 no-row"},
    {GET("several"), .want = "500 many-rows"},
    {GET("maybe"), .ask.query = "id=9", .want = "200 null"},
    {GET("maybe"), .ask.query = "id=1", .want = "200 {\"id\":1}"},
    {GET("list"), .ask.query = "low=2",
     .want = "200 [{\"id\":2,\"name\":\"bow\"},{\"id\":3,\"name\":\"cap\"}]"},
    {GET("list"), .ask.query = "low=9", .want = "200 []"},
    {GET("list"), .ask.query = "low=2", .ask.format = MOUSE_FORMAT_CSV,
     .want = "200 id,name\r\n2,bow\r\n3,cap\r\n"},
    {GET("list"), .ask.query = "low=9", .ask.format = MOUSE_FORMAT_CSV,
     .want = "200 id,name\r\n"},
    {GET("list"), .ask.query = "low=2", .ask.format = MOUSE_FORMAT_NDJSON,
     .want = "200 {\"id\":2,\"name\":\"bow\"}\n{\"id\":3,\"name\":\"cap\"}\n"},
    {GET("one"), .ask.query = "id=2", .ask.format = MOUSE_FORMAT_CSV,
     .want = "200 {\"id\":2,\"name\":\"bow\"}"},
    {GET("some"), .want = "410 expect Wrong number"},
    {GET("sorted"), .want = "200 [{\"id\":3},{\"id\":2},{\"id\":1}]"},
    {GET("sorted"), .ask.query = "sort=price",
     .want = "200 [{\"id\":3},{\"id\":2},{\"id\":1}]"},
    {GET("among"), .ask.query = "ids=1&ids=3&ids=8", .want = "200 [{\"id\":1},{\"id\":3}]"},
    {GET("among"), .want = "200 []"},
    {GET("others"), .ask.query = "ids=1&ids=3&ids=8", .want = "200 [{\"id\":2}]"},
    {GET("others"), .want = "200 [{\"id\":1},{\"id\":2},{\"id\":3}]"},
    {SEND("rename", "{\"id\":1,\"name\":\"zax\"}"), .want = "204", .then = "run/list",
     .after = "200 [{\"id\":1,\"name\":\"zax\"},{\"id\":2,\"name\":\"bow\"},"
              "{\"id\":3,\"name\":\"cap\"}]"},
    {SEND("rename", "{\"id\":99,\"name\":\"zax\"}"), .want = "204"},
    {SEND("sure", "{\"id\":1,\"name\":\"axe\"}"), .want = "204"},
    {SEND("sure", "{\"id\":99,\"name\":\"zax\"}"), .want = "404 expect"},
    {SEND("raise", "{\"by\":1}"), .want = "200 {\"affected\":3}"},
    {SEND("raise", "{\"by\":1}"), .ask.status = 202, .want = "202 {\"affected\":3}"},
    {.ask = {.model = "run/patch",
             .method = "PATCH",
             .path = "id=2",
             .body = "{\"name\":\"bat\"}"},
     .want = "204",
     .then = "run/list",
     .after = "200 [{\"id\":1,\"name\":\"axe\"},{\"id\":2,\"name\":\"bat\"},"
              "{\"id\":3,\"name\":\"cap\"}]"},
    {GET("page"), .ask.query = "id=1",
     .want = "200 {\"first\":{\"id\":1,\"name\":\"axe\"},\"rest\":[{\"id\":2},{\"id\":3}],"
             "\"total\":3,\"nothing\":null}"},
    {GET("page"), .ask.query = "id=9",
     .want = "200 {\"first\":null,\"rest\":[{\"id\":1},{\"id\":2},{\"id\":3}],"
             "\"total\":3,\"nothing\":null}"},
    {SEND("place",
          "{\"items\":[{\"product_id\":1,\"qty\":2},{\"product_id\":2,\"qty\":1}]}"),
     .want = "200 {\"id\":1,\"total\":80}", .then = "run/stock",
     .after = "200 [{\"stock\":3},{\"stock\":0},{\"stock\":9}]"},
    {SEND("place", "{\"items\":[]}"), .want = "200 {\"id\":1,\"total\":null}"},
    {SEND("place",
          "{\"items\":[{\"product_id\":1,\"qty\":2},{\"product_id\":2,\"qty\":2}]}"),
     .want = "409 expect Out of stock (items[1])", .then = "run/orders", .after = "200 []"},
    {SEND("place", "{\"items\":[{\"product_id\":1,\"qty\":9}]}"),
     .want = "409 expect Out of stock (items[0])", .then = "run/stock",
     .after = "200 [{\"stock\":5},{\"stock\":1},{\"stock\":9}]"},
    {SEND("place", "{\"items\":[]}"), .ask.status = 409,
     .want = "409 {\"id\":1,\"total\":null}", .then = "run/orders", .after = "200 []"},
    {SEND("keyed", "{}"), .want = "200 {\"id\":1,\"n\":\"1\"}"},
    {SEND("lost_key", "{}"), .want = "200 {\"k\":\"none\"}"},
    {SEND("tags", "{\"ids\":[1,3,8]}"), .want = "200 {\"affected\":2}"},
    {SEND("tags", "{\"ids\":[]}"), .want = "200 {\"affected\":0}"},
    {SEND("join", "{\"email\":\"bob\"}"), .want = "204"},
    {SEND("join", "{\"email\":\"ada\"}"), .want = "409 unique Address taken (email)"},
    {SEND("join", "{\"email\":\"eve\",\"age\":-1}"), .want = "418 check Too young"},
    {SEND("plain_join", "{\"email\":\"ada\"}"), .want = "409 unique"},
    {SEND("plain_join", "{}"), .want = "422 not-null"},
    {SEND("adopt", "{\"owner\":1}"), .want = "204"},
    {SEND("adopt", "{\"owner\":77}"), .want = "409 foreign-key"},
    {GET("made"), .ask.query = "name=n", .want = "201 {\"id\":5}"},
    {GET("bad_code"), .want = "500 column"},
    {GET("who"), .want = "200 {\"who\":\"alice\",\"ip\":\"192.0.2.1\",\"shelf\":\"top\"}"},
    {GET("broken"), .want = "500 database-error"},
    {GET("twins"), .want = "500 column"},
};

#define ROWS (int)(sizeof(rows) / sizeof(rows[0]))

#define MARK " /*traceparent='00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'*/"

static void look(mouse_dialect_t dialect, const row_t *row, mouse_slice_t mark)
{
    rig_t *rig = rig_open(dialect, schema, models);
    mouse_db_stats_t stats;

    rig->mark = mark;
    ck_assert_str_eq(rig_run(rig, &row->ask, NULL), row->want);
    if (row->then)
        ck_assert_str_eq(rig_get(rig, row->then), row->after);
    mouse_db_stats(rig->db, &stats);
    ck_assert_int_eq(stats.open, stats.idle);
}

START_TEST(runs_on_sqlite)
{
    look(MOUSE_DIALECT_SQLITE, &rows[_i], (mouse_slice_t){NULL, 0});
}
END_TEST

START_TEST(runs_on_mariadb)
{
    if (rig_has_mysql())
        look(MOUSE_DIALECT_MYSQL, &rows[_i], (mouse_slice_t){NULL, 0});
}
END_TEST

START_TEST(a_mark_changes_no_answer)
{
    look(MOUSE_DIALECT_SQLITE, &rows[_i], MOUSE_SLICE(MARK));
    if (rig_has_mysql())
        look(MOUSE_DIALECT_MYSQL, &rows[_i], MOUSE_SLICE(MARK));
}
END_TEST

#define SEEN "SELECT info FROM information_schema.processlist WHERE id = CONNECTION_ID()"

/* Comments at the end of a model are gone before the mark is put there. */
START_TEST(mariadb_sees_the_mark)
{
    static const char *const none[] = {NULL};
    rig_t *rig;

    if (!rig_has_mysql())
        return;
    rig = rig_open(MOUSE_DIALECT_MYSQL, none,
                   "-- name: seen :one\n" SEEN "; -- the end\n"
                   "-- name: hash :one\n" SEEN " # the end\n"
                   "-- name: block :one\nBEGIN NOT ATOMIC " SEEN "; END;\n");
    ck_assert_str_eq(rig_get(rig, "run/seen"), "200 {\"info\":\"" SEEN "\"}");
    rig->mark = MOUSE_SLICE(MARK);
    ck_assert_str_eq(rig_get(rig, "run/seen"), "200 {\"info\":\"" SEEN MARK "\"}");
    ck_assert_str_eq(rig_get(rig, "run/hash"), "200 {\"info\":\"" SEEN MARK "\"}");
    /* MariaDB shows a statement within one by itself; the log has the whole. */
    ck_assert_str_eq(rig_get(rig, "run/block"), "200 {\"info\":\"" SEEN "\"}");
    rig->mark.len = 0;
    ck_assert_str_eq(rig_get(rig, "run/seen"), "200 {\"info\":\"" SEEN "\"}");
}
END_TEST

/* The same statements again, from the connection's cache, with other lists and orders. */
START_TEST(statements_are_reused)
{
    rig_t *rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    int i;

    for (i = 0; i < 3; i++) {
        const rig_ask_t two = {.model = "run/among", .query = "ids=1&ids=2"};
        const rig_ask_t three = {.model = "run/among", .query = "ids=1&ids=2&ids=3"};
        const rig_ask_t price = {.model = "run/sorted", .query = "sort=price"};

        ck_assert_str_eq(rig_run(rig, &two, NULL), "200 [{\"id\":1},{\"id\":2}]");
        ck_assert_str_eq(rig_run(rig, &three, NULL),
                         "200 [{\"id\":1},{\"id\":2},{\"id\":3}]");
        ck_assert_str_eq(rig_get(rig, "run/among"), "200 []");
        ck_assert_str_eq(rig_run(rig, &price, NULL),
                         "200 [{\"id\":3},{\"id\":2},{\"id\":1}]");
    }
    rig->settings.numbers.bigint_string = true;
    ck_assert_str_eq(rig_get(rig, "run/sorted"),
                     "200 [{\"id\":\"3\"},{\"id\":\"2\"},{\"id\":\"1\"}]");
}
END_TEST

static const struct {
    rig_ask_t ask;
    const char *first, *second; /* the header values wanted, NULL: not sent */
} templates[] = {
    {{.model = "run/made",
      .query = "name=n%20m",
      .header = {"Location", "/p/{id}/{name}", "X-Secret", "{secret}"}},
     "/p/5/n%20m",
     "x%20y"},
    {{.model = "run/place",
      .method = "POST",
      .body = "{\"items\":[]}",
      .header = {"Location", "/o/{o.id}", "X-Total", "{total}"}},
     "/o/1",
     NULL},
    {{.model = "run/page",
      .query = "id=3",
      .header = {"Location", "/p/{first.name}", "X-Shelf", "{env.SHELF}"}},
     "/p/cap",
     "top"},
    {{.model = "run/rename",
      .method = "POST",
      .body = "{\"id\":3,\"name\":\"n\"}",
      .header = {"Location", "/p/{id}", "X-User", "{request.user}"}},
     "/p/3",
     "alice"},
};

START_TEST(templates_name_columns_rows_and_parameters)
{
    rig_t *rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    const rig_ask_t *ask = &templates[_i].ask;
    mouse_answer_t *answer;
    const char *value;

    ck_assert_int_eq(rig_run(rig, ask, &answer)[0], '2');
    value = apr_table_get(answer->headers, ask->header[0]);
    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value, templates[_i].first);
    value = apr_table_get(answer->headers, ask->header[2]);
    ck_assert_int_eq(value == NULL, templates[_i].second == NULL);
    if (value)
        ck_assert_str_eq(value, templates[_i].second);
}
END_TEST

START_TEST(large_answers_are_refused_and_rolled_back)
{
    rig_t *rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    const rig_ask_t place = {
        .model = "run/place", .method = "POST", .body = "{\"items\":[]}"};

    rig->settings.max_answer = 10;
    ck_assert_int_eq(atoi(rig_run(rig, &place, NULL)), 500);
    rig->settings.max_answer = 1 << 20;
    ck_assert_str_eq(rig_get(rig, "run/orders"), "200 []");
}
END_TEST

START_TEST(slow_models_are_logged_without_values)
{
    rig_t *rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    const rig_ask_t one = {.model = "run/one", .query = "id=2"};
    const char *line;

    rig->settings.slow_query = 1;
    ck_assert_int_eq(atoi(rig_run(rig, &one, NULL)), 200);
    ck_assert_int_ge(rig->log->nelts, 1);
    line = APR_ARRAY_IDX(rig->log, rig->log->nelts - 1, const char *);
    ck_assert_ptr_nonnull(strstr(line, "run/one"));
    ck_assert_ptr_nonnull(strstr(line, "1 rows"));
    ck_assert_ptr_null(strstr(line, "bow"));
}
END_TEST

static apr_array_header_t *findings;

static void note(void *baton, mouse_log_level_t level, const mouse_error_t *err)
{
    (void)baton;
    (void)level;
    APR_ARRAY_PUSH(findings, const char *) = mouse_error_text(unit_pool, err);
}

static const struct {
    const char *model;
    int findings;
    const char *says;
} checks[] = {
    {"run/one", 0, NULL},      {"run/place", 0, NULL},          {"run/sorted", 0, NULL},
    {"run/among", 0, NULL},    {"run/broken", 1, "nowhere"},    {"run/twins", 1, "\"id\""},
    {"run/made", 0, NULL},     {"run/no_column", 1, "nothing"}, {"run/no_kept", 1, "\"x\""},
    {"run/wide", 1, ":value"}, {"run/no_order", 1, "nowhere"},
};

START_TEST(checks_name_file_and_line)
{
    static const char more[] = "\n-- name: no_column :many\n"
                               "-- column: nothing hidden\n"
                               "SELECT id FROM products;\n"
                               "-- name: no_kept :one\n"
                               "-- as: o\n"
                               "SELECT id FROM products WHERE id = 1;\n"
                               "SELECT name FROM products WHERE id = :o.x;\n"
                               "-- name: wide :object\n"
                               "-- answer: n :value\n"
                               "SELECT id, name FROM products;\n"
                               "-- name: no_order :many\n"
                               "-- order: sort a = id\n"
                               "-- order: sort b = nowhere\n"
                               "SELECT id FROM products ORDER BY :sort;\n";
    rig_t *rig =
        rig_open(MOUSE_DIALECT_SQLITE, schema, apr_pstrcat(unit_pool, models, more, NULL));
    mouse_watch_t watch = {.deadline = apr_time_now() + apr_time_from_sec(5), .client = -1};
    const mouse_model_t *model = mouse_model_find(rig->models, checks[_i].model);
    mouse_error_t *err = NULL;
    mouse_conn_t *conn;
    apr_status_t rv;

    findings = apr_array_make(unit_pool, 2, sizeof(char *));
    ck_assert(mouse_conn_open(unit_pool, &rig->config, NULL, &watch, &conn, &err) ==
              APR_SUCCESS);
    rv = mouse_model_check(unit_pool, model, conn, note, NULL);
    mouse_conn_release(conn);
    ck_assert_int_eq(rv == APR_SUCCESS, checks[_i].findings == 0);
    ck_assert_int_eq(findings->nelts, checks[_i].findings);
    if (checks[_i].says) {
        const char *text = APR_ARRAY_IDX(findings, 0, const char *);

        ck_assert_ptr_nonnull(strstr(text, checks[_i].says));
        ck_assert_int_eq(strncmp(text, "run.sql:", 8), 0);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = unit_case(suite, "run");

    tcase_add_loop_test(tcase, runs_on_sqlite, 0, ROWS);
    tcase_add_loop_test(tcase, runs_on_mariadb, 0, ROWS);
    tcase_add_loop_test(tcase, a_mark_changes_no_answer, 0, ROWS);
    tcase_add_test(tcase, mariadb_sees_the_mark);
    tcase_add_test(tcase, statements_are_reused);
    tcase_add_loop_test(tcase, templates_name_columns_rows_and_parameters, 0,
                        sizeof(templates) / sizeof(templates[0]));
    tcase_add_test(tcase, large_answers_are_refused_and_rolled_back);
    tcase_add_test(tcase, slow_models_are_logged_without_values);
    tcase_add_loop_test(tcase, checks_name_file_and_line, 0,
                        sizeof(checks) / sizeof(checks[0]));
    return suite;
}
