/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model: what models take and answer as JSON Schema, with a real database's columns. */

#include "model/schema_int.h"
#include "rig.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <jansson.h>

#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

static const char *const schema[] = {
    "DROP VIEW IF EXISTS made",
    "DROP TABLE IF EXISTS things",
    "DROP TABLE IF EXISTS makers",
    "DROP TABLE IF EXISTS pairs",
    "CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL)",
    "CREATE TABLE things (id INTEGER PRIMARY KEY, maker_id INTEGER, name VARCHAR(20) NOT "
    "NULL, note TEXT, price DECIMAL(10,2) NOT NULL, born DATE NOT NULL, seen TIMESTAMP "
    "NULL, open BOOLEAN NOT NULL, weight DOUBLE, raw BLOB NOT NULL, big BIGINT NOT NULL, "
    "extra TEXT NOT NULL)",
    "CREATE TABLE pairs (a INTEGER, b INTEGER, name VARCHAR(9) NOT NULL, PRIMARY KEY (a, "
    "b))",
    "CREATE VIEW made AS SELECT t.id, t.name, m.name AS maker FROM things t LEFT JOIN "
    "makers m "
    "ON m.id = t.maker_id",
    NULL,
};

static const char models[] =
    "-- name: all :many\n"
    "-- column: open bool\n"
    "-- column: extra json\n"
    "-- column: secret hidden\n"
    "SELECT id, maker_id, name, note, price, born, seen, open, weight, raw, big, extra,\n"
    "       name AS secret FROM things;\n"
    "-- name: one :one\n"
    "SELECT name FROM things WHERE id = 1;\n"
    "-- name: maybe :one\n"
    "-- expect: 0..1\n"
    "SELECT name FROM things WHERE id = 1;\n"
    "-- name: joined :many\n"
    "SELECT t.name, m.name AS maker FROM things t LEFT JOIN makers m ON m.id = "
    "t.maker_id;\n"
    "-- name: within :many\n"
    "SELECT t.name, m.name AS maker FROM things t JOIN makers m ON m.id = t.maker_id;\n"
    "-- name: counted :one\n"
    "-- column: n number\n"
    "SELECT COUNT(*) AS n FROM things;\n"
    "-- name: both :object\n"
    "-- answer: thing :one\n"
    "SELECT name FROM things WHERE id = 1;\n"
    "-- answer: names :many\n"
    "SELECT name FROM things;\n"
    "-- answer: first :value\n"
    "SELECT name FROM things WHERE id = 1;\n"
    "-- name: viewed :many\n"
    "SELECT id, maker FROM made;\n"
    "-- name: values :many\n"
    "SELECT name FROM makers UNION ALL VALUES (NULL);\n"
    "-- name: largest :many\n"
    "SELECT name, max(id) AS id FROM makers WHERE name <> 'group by' /* group by */;\n"
    "-- name: grouped :many\n"
    "SELECT name, max(id) AS id FROM makers GROUP BY name;\n"
    "-- name: pairs :many\n"
    "SELECT a, name FROM pairs;\n"
    "-- name: quoted :many\n"
    "SELECT name FROM makers WHERE name <> 'left select' AND name <> 'it''s';\n"
    "-- name: rolled :many\n"
    "SELECT name, count(*) AS n FROM makers GROUP BY name WITH ROLLUP;\n"
    "-- name: echoed :many\n"
    "-- param: n int\n"
    "-- param: q string\n"
    "-- param: x number\n"
    "-- param: d date\n"
    "SELECT :n AS n, :q AS q, COALESCE(:q, id) AS either, COALESCE(:n, id) AS whole, "
    "CAST(:q AS SIGNED) AS cast, price * :x AS product, COALESCE(:d, born) AS day, "
    ":auth.id AS who, name FROM things WHERE id = :n LIMIT :n;\n"
    "-- name: coded :one\n"
    "-- column: code status\n"
    "SELECT 201 AS code, name FROM makers;\n"
    "-- name: gone :exec\n"
    "DELETE FROM things WHERE id = 1;\n"
    "-- name: how_many :affected\n"
    "DELETE FROM things WHERE id = 1;\n"
    "-- name: takes :exec\n"
    "-- param: n int(1..99) = 7\n"
    "-- param: ratio number(0..1.5) nullable\n"
    "-- param: name string(1..40) match(/^[a-z]+$/)\n"
    "-- param: odd string match(/(?i)x/) optional\n"
    "-- param: state string in(new,paid) nullable optional\n"
    "-- param: yes bool = true\n"
    "-- param: day date\n"
    "-- param: at datetime optional\n"
    "-- param: who uuid\n"
    "-- param: any json\n"
    "-- param: bits bytes(..64)\n"
    "-- param: tags string(1..9)[] (0..3) optional\n"
    "-- param: kinds string[] in(a,b) nullable optional\n"
    "-- param: items[] (1..2)\n"
    "-- param: items[].qty int(1..9)\n"
    "-- param: items[].note string optional\n"
    "-- param: word string from body.user.word hash(bcrypt:4)\n"
    "DELETE FROM things WHERE :n + :ratio = 1 OR :name = :odd OR :state = :yes OR :day = "
    ":at\n"
    " OR :who = :any OR :bits = :word OR 'x' IN (:tags) OR 'y' IN (:kinds);\n"
    "-- each: items\n"
    "UPDATE things SET note = :items[].note WHERE id = :items[].qty;\n"
    "-- name: asks :many\n"
    "-- param: q string(1..9) optional\n"
    "-- param: ids int[] (0..5)\n"
    "-- param: trace string from header.x_trace_id optional\n"
    "-- param: sid string from cookie.sid\n"
    "-- order: sort newest = id DESC\n"
    "-- order: sort name = name\n"
    "SELECT name FROM things WHERE id = :id AND name = :q AND id IN (:ids) AND note = "
    ":trace\n"
    " AND note = :sid ORDER BY :sort;\n"
    "-- name: fails :exec\n"
    "-- error: things.name 409 \"Taken.\"\n"
    "-- expect: 1 else 410 \"Gone.\"\n"
    "UPDATE things SET name = 'x' WHERE id = 1;\n";

static const char *print(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *copy = text ? apr_pstrdup(unit_pool, text) : "(nothing)";

    free(text);
    json_decref(json);
    return copy;
}

static rig_t *rig;

static const mouse_model_t *bound(const char *name, const char *method)
{
    const rig_ask_t ask = {.model = apr_pstrcat(unit_pool, "run/", name, NULL),
                           .method = method,
                           .path = "id=7"};

    return rig_bind(rig, &ask);
}

static const char *answer_of(const char *name, mouse_number_style_t numbers)
{
    mouse_watch_t watch = {.deadline = apr_time_now() + apr_time_from_sec(10),
                           .client = -1};
    mouse_error_t *err = NULL;
    json_t *answer = NULL;
    mouse_conn_t *conn;

    ck_assert_int_eq(mouse_conn_acquire(rig->db, unit_pool, &watch, &conn, &err),
                     APR_SUCCESS);
    ck_assert_int_eq(mouse_model_describe_answer(unit_pool, bound(name, "POST"), conn,
                                                 numbers, &answer, &err),
                     APR_SUCCESS);
    mouse_conn_release(conn);
    return print(answer);
}

/* ---- answers ---- */

#define NAME "{\"type\":\"string\"}"
#define ROW(properties, required)                                                          \
    "{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" required "]}"
#define NAME_ROW        ROW("\"name\":" NAME, "\"name\"")
#define LIST(row)       "{\"type\":\"array\",\"items\":" row "}"
#define OR_NULL(schema) "{\"anyOf\":[" schema ",{\"type\":\"null\"}]}"

static const struct {
    const char *model, *sqlite, *mysql; /* mysql NULL: the same */
} answers[] = {
    {"one", NAME_ROW, NULL},
    {"maybe", OR_NULL(NAME_ROW), NULL},
    {"joined",
     LIST(ROW("\"name\":{\"type\":[\"string\",\"null\"]},\"maker\":{\"type\":[\"string\","
              "\"null\"]}",
              "\"name\",\"maker\"")),
     LIST(ROW("\"name\":" NAME ",\"maker\":{\"type\":[\"string\",\"null\"]}",
              "\"name\",\"maker\""))},
    {"within", LIST(ROW("\"name\":" NAME ",\"maker\":" NAME, "\"name\",\"maker\"")), NULL},
    {"counted", ROW("\"n\":{\"type\":[\"number\",\"null\"]}", "\"n\""),
     ROW("\"n\":{\"type\":\"number\"}", "\"n\"")},
    {"both",
     ROW("\"thing\":" NAME_ROW ",\"names\":" LIST(NAME_ROW) ",\"first\":" OR_NULL(NAME),
         "\"thing\",\"names\",\"first\""),
     NULL},
    {"gone", "(nothing)", NULL},
    {"how_many", ROW("\"affected\":{\"type\":\"integer\"}", "\"affected\""), NULL},
};

static void check_answers(bool mysql)
{
    const mouse_number_style_t numbers = {0};

    for (int i = 0; i < COUNT(answers); i++)
        ck_assert_str_eq(answer_of(answers[i].model, numbers),
                         mysql && answers[i].mysql ? answers[i].mysql : answers[i].sqlite);
}

/* Types by columns, rules and settings; hidden ones are not there. */
static void check_types(mouse_number_style_t numbers, const char *price, const char *big)
{
    json_t *list = json_loads(answer_of("all", numbers), 0, NULL);
    json_t *row = json_object_get(json_object_get(list, "items"), "properties");
    const struct {
        const char *column, *schema;
    } cases[] = {
        {"id", "{\"type\":\"integer\"}"},
        {"maker_id", "{\"type\":[\"integer\",\"null\"]}"},
        {"note", "{\"type\":[\"string\",\"null\"]}"},
        {"price", price},
        {"born", "{\"type\":\"string\",\"format\":\"date\"}"},
        {"seen", "{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"}"},
        {"open", "{\"type\":\"boolean\"}"},
        {"weight", "{\"type\":[\"number\",\"null\"]}"},
        {"raw", "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"},
        {"big", big},
        {"extra", "{}"},
    };

    for (int i = 0; i < COUNT(cases); i++)
        ck_assert_str_eq(print(json_incref(json_object_get(row, cases[i].column))),
                         cases[i].schema);
    ck_assert_int_eq(json_object_size(row), 12);
    json_decref(list);
}

/* What the database cannot promise is not promised: NULL where columns say NOT NULL, types
 * that values change. "": any. */
static const struct {
    const char *model, *column, *sqlite, *mysql; /* NULL: not for this database */
} doubts[] = {
    {"viewed", "maker", "[\"string\",\"null\"]", "[\"string\",\"null\"]"},
    {"values", "name", "[\"string\",\"null\"]", "[\"string\",\"null\"]"},
    {"largest", "name", "[\"string\",\"null\"]", "[\"string\",\"null\"]"},
    {"grouped", "name", "\"string\"", "\"string\""},
    {"pairs", "a", "[\"integer\",\"null\"]", "\"integer\""},
    {"pairs", "name", "\"string\"", "\"string\""},
    {"quoted", "name", "\"string\"", "\"string\""},
    {"rolled", "name", NULL, "[\"string\",\"null\"]"},
    {"echoed", "n", NULL, ""},
    {"echoed", "q", NULL, "[\"string\",\"null\"]"},
    {"echoed", "either", NULL, ""},
    {"echoed", "whole", NULL, "\"integer\""},
    {"echoed", "cast", NULL, "[\"integer\",\"null\"]"},
    {"echoed", "product", NULL, ""},
    {"echoed", "day", NULL, "\"string\""},
    {"echoed", "who", NULL, ""},
    {"echoed", "name", NULL, "\"string\""},
};

static const char *type_in(const char *model, const char *column)
{
    const mouse_number_style_t numbers = {0};
    json_t *list = json_loads(answer_of(model, numbers), 0, NULL);
    json_t *row = json_object_get(json_object_get(list, "items"), "properties");
    json_t *schema = json_object_get(row, column), *type = json_object_get(schema, "type");
    const char *text = type ? print(json_incref(type)) : "";

    ck_assert_ptr_nonnull(schema);
    json_decref(list);
    return text;
}

static void check_doubts(bool mysql)
{
    for (int i = 0; i < COUNT(doubts); i++) {
        const char *type = mysql ? doubts[i].mysql : doubts[i].sqlite;

        if (type)
            ck_assert_msg(strcmp(type_in(doubts[i].model, doubts[i].column), type) == 0,
                          "%s.%s is %s", doubts[i].model, doubts[i].column,
                          type_in(doubts[i].model, doubts[i].column));
    }
}

static void check_database(bool mysql)
{
    /* SQLite's INTEGER has 64 bits. */
    const mouse_number_style_t plain = {0}, text = {true, true};

    rig = rig_open(mysql ? MOUSE_DIALECT_MYSQL : MOUSE_DIALECT_SQLITE, schema, models);
    check_answers(mysql);
    check_doubts(mysql);
    check_types(plain, "{\"type\":\"string\"}", "{\"type\":\"integer\"}");
    if (mysql)
        check_types(text, "{\"type\":\"number\"}", "{\"type\":\"string\"}");
}

START_TEST(answers_have_the_columns_of_sqlite)
{
    check_database(false);
}
END_TEST

START_TEST(answers_have_the_columns_of_mariadb)
{
    if (rig_has_mysql())
        check_database(true);
}
END_TEST

/* ---- inputs ---- */

static const struct {
    const char *name, *schema;
} members[] = {
    {"n", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":99,\"default\":7}"},
    {"ratio", "{\"type\":[\"number\",\"null\"],\"minimum\":0,\"maximum\":1.5}"},
    {"name", "{\"type\":\"string\",\"minLength\":1,\"maxLength\":40,"
             "\"pattern\":\"^[a-z]+$\"}"},
    {"odd", "{\"type\":\"string\"}"},
    {"state", "{\"type\":[\"string\",\"null\"],\"enum\":[\"new\",\"paid\",null]}"},
    {"yes", "{\"type\":\"boolean\",\"default\":true}"},
    {"day", "{\"type\":\"string\",\"format\":\"date\"}"},
    {"at", "{\"type\":\"string\",\"format\":\"date-time\"}"},
    {"who", "{\"type\":\"string\",\"format\":\"uuid\"}"},
    {"any", "{}"},
    {"bits", "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"},
    {"tags", "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1,"
             "\"maxLength\":9},\"minItems\":0,\"maxItems\":3}"},
    {"kinds", "{\"type\":[\"array\",\"null\"],\"items\":{\"type\":\"string\",\"enum\":["
              "\"a\",\"b\"]}}"},
    {"items",
     "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"qty\":{\"type\":"
     "\"integer\",\"minimum\":1,\"maximum\":9},\"note\":{\"type\":\"string\"}},"
     "\"required\":[\"qty\"]},\"minItems\":1,\"maxItems\":2}"},
    {"user", "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\","
             "\"format\":\"password\"}},\"required\":[\"word\"]}"},
};

START_TEST(a_body_has_types_rules_and_defaults)
{
    json_t *parameters = json_array(), *body = json_object(), *properties;

    rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    mouse_model_describe_inputs(bound("takes", "POST"), false, parameters, body);
    ck_assert_str_eq(print(parameters), "[]");
    properties = json_object_get(body, "properties");
    for (int i = 0; i < COUNT(members); i++)
        ck_assert_str_eq(print(json_incref(json_object_get(properties, members[i].name))),
                         members[i].schema);
    ck_assert_int_eq(json_object_size(properties), COUNT(members));
    ck_assert_str_eq(
        print(json_incref(json_object_get(body, "required"))),
        "[\"ratio\",\"name\",\"day\",\"who\",\"any\",\"bits\",\"items\",\"user\"]");
    json_decref(body);
}
END_TEST

START_TEST(parameters_say_where_they_stand)
{
    json_t *parameters = json_array(), *body = json_object();

    rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    mouse_model_describe_inputs(bound("asks", "GET"), false, parameters, body);
    ck_assert_str_eq(print(body), "{}");
    ck_assert_str_eq(
        print(parameters),
        "[{\"name\":\"q\",\"in\":\"query\",\"required\":false,\"schema\":{\"type\":"
        "\"string\","
        "\"minLength\":1,\"maxLength\":9}},"
        "{\"name\":\"ids\",\"in\":\"query\",\"required\":false,\"schema\":{\"type\":"
        "\"array\","
        "\"items\":{\"type\":\"integer\"},\"minItems\":0,\"maxItems\":5}},"
        "{\"name\":\"x-trace-id\",\"in\":\"header\",\"required\":false,\"schema\":{"
        "\"type\":"
        "\"string\"}},"
        "{\"name\":\"sid\",\"in\":\"cookie\",\"required\":true,\"schema\":{\"type\":"
        "\"string\"}},"
        "{\"name\":\"sort\",\"in\":\"query\",\"required\":false,\"schema\":{\"type\":"
        "\"string\",\"enum\":[\"newest\",\"name\"],\"default\":\"newest\"}},"
        "{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":"
        "\"string\"}}"
        "]");
}
END_TEST

static const struct {
    const char *pattern;
    bool portable;
} patterns[] = {
    {"^[a-z]+$", true},
    {"^\\d{4}-\\d{2}$", true},
    {"^(?:a|b)*?$", true},
    {"^(?!x)(?<=y)\\w+$", true},
    {"[\\w.-]+", true},
    {"[a\\-b]", true},
    {"\\x41\\p{Lu}\\p{L}", true},
    {"[[a]", true},
    {"\\/\\.\\{2\\}", true},
    {"[^\\]]+", true},
    {"a{2}?", true},
    {"\xc3\xa9+", true},
    {"(?i)x", false},
    {"(*UTF)x", false},
    {"[[:alpha:]]", false},
    {"\\Ax\\z", false},
    {"\\h", false},
    {"a++", false},
    {"a*+", false},
    {"a?+", false},
    {"a{2}+", false},
    {"[\\w-.]", false},
    {"[]a]", false},
    {"[^]a]", false},
    {"a]", false},
    {"a}", false},
    {"a{", false},
    {"a{x}", false},
    {"a{,3}", false},
    {"\\@", false},
    {"\\-", false},
    {"\\v", false},
    {"\\e", false},
    {"\\x{41}", false},
    {"\\x4", false},
    {"\\p{Greek}", false},
    {"\\pL", false},
    {"(?>a)", false},
    {"(?<n>a)", false},
    {"(?", false},
    {"(?<", false},
    {"\\", false},
    {"[\\", false},
    {"[a", false},
    {"(a)\\1", false},
};

START_TEST(patterns_are_told_where_they_mean_the_same)
{
    for (int i = 0; i < COUNT(patterns); i++)
        ck_assert_msg(mouse_schema_is_portable(patterns[i].pattern) == patterns[i].portable,
                      "%s", patterns[i].pattern);
}
END_TEST

START_TEST(parameters_are_found_by_their_names)
{
    json_t *list = json_pack("[{s:s, s:s}, {s:s, s:s}]", "in", "header", "name", "X-A",
                             "in", "query", "name", "q");

    ck_assert(mouse_model_has_parameter(list, "header", "x-a"));
    ck_assert(mouse_model_has_parameter(list, "query", "q"));
    ck_assert(!mouse_model_has_parameter(list, "query", "Q"));
    ck_assert(!mouse_model_has_parameter(list, "query", "X-A"));
    json_decref(list);
}
END_TEST

static void put_credential(void *baton, const char *in, const char *name)
{
    const char **text = baton;

    *text = apr_pstrcat(unit_pool, *text, in, " ", name, ";", NULL);
}

START_TEST(credentials_are_apart)
{
    json_t *parameters = json_array(), *body = json_object();
    const char *found = "";

    rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    mouse_model_describe_inputs(bound("asks", "GET"), true, parameters, body);
    ck_assert_int_eq(json_array_size(parameters), 4);
    mouse_model_describe_credentials(bound("asks", "GET"), put_credential, &found);
    ck_assert_str_eq(found, "header x-trace-id;cookie sid;");
    json_decref(parameters);
    json_decref(body);
}
END_TEST

START_TEST(rules_name_their_statuses)
{
    apr_array_header_t *statuses = apr_array_make(unit_pool, 4, sizeof(int));

    rig = rig_open(MOUSE_DIALECT_SQLITE, schema, models);
    mouse_model_describe_statuses(bound("fails", "POST"), statuses);
    ck_assert_int_eq(statuses->nelts, 2);
    ck_assert_int_eq(APR_ARRAY_IDX(statuses, 0, int), 409);
    ck_assert_int_eq(APR_ARRAY_IDX(statuses, 1, int), 410);
    apr_array_clear(statuses);
    mouse_model_describe_statuses(bound("one", "GET"), statuses);
    ck_assert_int_eq(APR_ARRAY_IDX(statuses, 0, int), 404);
    apr_array_clear(statuses);
    mouse_model_describe_statuses(bound("maybe", "GET"), statuses);
    ck_assert_int_eq(statuses->nelts, 0);
    ck_assert(mouse_model_chooses_status(bound("coded", "GET")));
    ck_assert(!mouse_model_chooses_status(bound("one", "GET")));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("schema");
    TCase *tcase = unit_case(suite, "schema");

    tcase_add_test(tcase, answers_have_the_columns_of_sqlite);
    tcase_add_test(tcase, answers_have_the_columns_of_mariadb);
    tcase_add_test(tcase, a_body_has_types_rules_and_defaults);
    tcase_add_test(tcase, parameters_say_where_they_stand);
    tcase_add_test(tcase, patterns_are_told_where_they_mean_the_same);
    tcase_add_test(tcase, parameters_are_found_by_their_names);
    tcase_add_test(tcase, credentials_are_apart);
    tcase_add_test(tcase, rules_name_their_statuses);
    return suite;
}
