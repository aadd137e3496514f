/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * model: files to models. Good and bad files are data: t/models/good and t/models/bad,
 * `x.mysql.sql` for one dialect, `x.sql` for both. A bad file's first line says where it
 * must fail, and with which words: `-- expect-error: LINE:COLUMN words`.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include <apr_strings.h>

#include "model/model_int.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef void (*file_fn)(const char *path, mouse_dialect_t dialect);

static void each_file(const char *dir, file_fn visit)
{
    apr_dir_t *handle;
    apr_finfo_t info;
    int count = 0;

    ck_assert(apr_dir_open(&handle, apr_pstrcat(unit_pool, MOUSE_SRCDIR "/t/", dir, NULL),
                           unit_pool) == APR_SUCCESS);
    while (apr_dir_read(&info, APR_FINFO_NAME, handle) == APR_SUCCESS) {
        const char *path = apr_pstrcat(unit_pool, dir, "/", info.name, NULL);

        if (strstr(info.name, ".sql") == NULL)
            continue;
        count++;
        if (strstr(info.name, ".sqlite.") == NULL)
            visit(path, MOUSE_DIALECT_MYSQL);
        if (strstr(info.name, ".mysql.") == NULL)
            visit(path, MOUSE_DIALECT_SQLITE);
    }
    apr_dir_close(handle);
    ck_assert_int_gt(count, 0);
}

static mouse_models_t *parse(const char *text, mouse_dialect_t dialect)
{
    mouse_models_t *models;
    mouse_error_t *err = NULL;

    if (mouse_models_parse(unit_pool, "t.sql", "t", mouse_slice_of(text), dialect, &models,
                           &err) != APR_SUCCESS)
        ck_abort_msg("%s", mouse_error_text(unit_pool, err));
    return models;
}

static const mouse_model_t *parse_one(const char *text)
{
    return mouse_models_get(parse(text, MOUSE_DIALECT_MYSQL), 0);
}

/* The statement with `?` for values and `{kind}` for the rest. */
static const char *show(const mouse_sql_t *sql)
{
    static const char *const kinds[] = {"?name", "?",      "?list", "?field",   "?element",
                                        "?let",  "?given", "?as",   "?context", "?order"};
    const char *out = "";
    int i;

    for (i = 0; i < sql->piece_count; i++)
        out =
            apr_pstrcat(unit_pool, out, mouse_slice_copy(unit_pool, sql->pieces[i].text),
                        sql->pieces[i].has_ref ? kinds[sql->pieces[i].ref.kind] : "", NULL);
    return out;
}

/* ---- the files ---- */

static void parse_good(const char *path, mouse_dialect_t dialect)
{
    mouse_models_t *models;
    mouse_error_t *err = NULL;

    if (mouse_models_parse(unit_pool, path, "good", unit_file(path), dialect, &models,
                           &err) != APR_SUCCESS)
        ck_abort_msg("%d %s", dialect, mouse_error_text(unit_pool, err));
}

START_TEST(good_files_parse)
{
    each_file("models/good", parse_good);
}
END_TEST

static void parse_bad(const char *path, mouse_dialect_t dialect)
{
    mouse_slice_t text = unit_file(path);
    mouse_models_t *models;
    mouse_error_t *err = NULL;
    int line = 0, column = 0, skip = 0;
    char *words;

    ck_assert_msg(sscanf(text.data, "-- expect-error: %d:%d %n", &line, &column, &skip) ==
                      2,
                  "%s says not where it fails", path);
    words = apr_pstrdup(unit_pool, text.data + skip);
    *strchr(words, '\n') = '\0';
    ck_assert_msg(mouse_models_parse(unit_pool, path, "bad", text, dialect, &models,
                                     &err) != APR_SUCCESS,
                  "%s parses in dialect %d", path, dialect);
    ck_assert_int_eq(err->code, MOUSE_E_CONFIG);
    ck_assert_msg(
        err->line == line && err->column == column && strstr(err->detail, words) != NULL,
        "not %d:%d %s but %s", line, column, words, mouse_error_text(unit_pool, err));
}

START_TEST(bad_files_fail_where_they_say)
{
    each_file("models/bad", parse_bad);
}
END_TEST

static void replay(const char *path, mouse_dialect_t dialect)
{
    mouse_slice_t text = unit_file(path);

    (void)dialect;
    LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.len);
}

START_TEST(fuzz_seeds_replay)
{
    each_file("fuzz/sql", replay);
    each_file("models/good", replay);
    each_file("models/bad", replay);
}
END_TEST

/* ---- statements ---- */

static const struct {
    mouse_dialect_t dialect;
    const char *sql, *shown;
} statements[] = {
    {MOUSE_DIALECT_MYSQL, "SELECT ':a', \":a\", `:a`", "SELECT ':a', \":a\", `:a`"},
    {MOUSE_DIALECT_MYSQL, "SELECT 'a\\':b', :c", "SELECT 'a\\':b', ?name"},
    {MOUSE_DIALECT_SQLITE, "SELECT 'a\\', :b, 'c'", "SELECT 'a\\', ?name, 'c'"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1--:a", "SELECT 1--?name"},
    {MOUSE_DIALECT_SQLITE, "SELECT 1--:a\n, 2", "SELECT 1\n, 2"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1--\t:a\n, 2", "SELECT 1\n, 2"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1--/**/2", "SELECT 1--2"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1 # :a\n, 2", "SELECT 1\n, 2"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1/* ; */, 2", "SELECT 1 , 2"},
    {MOUSE_DIALECT_SQLITE, "SELECT a::b, c:: d", "SELECT a::b, c:: d"},
    {MOUSE_DIALECT_MYSQL, "SELECT :user.id, :request.ip", "SELECT ?context, ?context"},
    {MOUSE_DIALECT_SQLITE, "SELECT [a:b], \"c:d\"", "SELECT [a:b], \"c:d\""},
    {MOUSE_DIALECT_SQLITE, "SELECT 1 /*! :a */", "SELECT 1"},
    {MOUSE_DIALECT_MYSQL, "SELECT 1e5, .5, 0x1F, 1.5e-3:a",
     "SELECT 1e5, .5, 0x1F, 1.5e-3?name"},
};

START_TEST(statements_are_cut)
{
    const char *text =
        apr_pstrcat(unit_pool, "-- name: a :many\n", statements[_i].sql, NULL);
    const mouse_model_t *model = mouse_models_get(parse(text, statements[_i].dialect), 0);

    ck_assert_str_eq(show(&model->sqls[0]), statements[_i].shown);
}
END_TEST

static const struct {
    mouse_dialect_t dialect;
    const char *sql;
    mouse_verb_t verb;
    bool reads, returns, may;
} verbs[] = {
    {MOUSE_DIALECT_MYSQL, "SELECT 1", MOUSE_VERB_SELECT, true, true, false},
    {MOUSE_DIALECT_MYSQL, "VALUES (1)", MOUSE_VERB_SELECT, true, true, false},
    {MOUSE_DIALECT_MYSQL, "((SELECT 1) UNION (SELECT 2))", MOUSE_VERB_SELECT, true, true,
     false},
    {MOUSE_DIALECT_MYSQL, "SELECT 1 FOR UPDATE", MOUSE_VERB_SELECT, false, true, false},
    {MOUSE_DIALECT_MYSQL, "SELECT 1 FOR SHARE", MOUSE_VERB_SELECT, false, true, false},
    {MOUSE_DIALECT_MYSQL, "SELECT 1 LOCK IN SHARE MODE", MOUSE_VERB_SELECT, false, true,
     false},
    {MOUSE_DIALECT_MYSQL, "SELECT NEXTVAL(s)", MOUSE_VERB_SELECT, false, true, false},
    {MOUSE_DIALECT_MYSQL, "SELECT NEXT VALUE FOR s", MOUSE_VERB_SELECT, false, true, false},
    {MOUSE_DIALECT_MYSQL, "SELECT t.into FROM t", MOUSE_VERB_SELECT, true, true, false},
    {MOUSE_DIALECT_MYSQL, "SELECT 1 INTO a", MOUSE_VERB_SELECT, false, false, false},
    {MOUSE_DIALECT_MYSQL, "INSERT INTO t VALUES (1)", MOUSE_VERB_INSERT, false, false,
     false},
    {MOUSE_DIALECT_MYSQL, "REPLACE t VALUES (1) RETURNING id", MOUSE_VERB_INSERT, false,
     true, false},
    {MOUSE_DIALECT_SQLITE, "WITH a AS (SELECT 1) DELETE FROM t", MOUSE_VERB_DELETE, false,
     false, false},
    {MOUSE_DIALECT_SQLITE, "WITH a(b) AS (SELECT 1), c AS (VALUES (1)) SELECT 1",
     MOUSE_VERB_SELECT, true, true, false},
    {MOUSE_DIALECT_MYSQL, "UPDATE t SET a = 1", MOUSE_VERB_UPDATE, false, false, false},
    {MOUSE_DIALECT_MYSQL, "CALL f()", MOUSE_VERB_CALL, false, false, true},
    {MOUSE_DIALECT_MYSQL, "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END;", MOUSE_VERB_COMPOUND,
     false, false, true},
    {MOUSE_DIALECT_MYSQL, "SHOW TABLES", MOUSE_VERB_OTHER, false, false, true},
};

START_TEST(verbs_tell_reads)
{
    const char *text = apr_pstrcat(unit_pool, "-- name: a :exec\n", verbs[_i].sql, NULL);
    const mouse_model_t *model = mouse_models_get(parse(text, verbs[_i].dialect), 0);
    const mouse_sql_t *sql = &model->sqls[0];

    ck_assert_int_eq(model->sql_count, 1);
    ck_assert_int_eq(sql->verb, verbs[_i].verb);
    ck_assert_int_eq(sql->reads, verbs[_i].reads);
    ck_assert_int_eq(sql->returns_rows, verbs[_i].returns);
    ck_assert_int_eq(sql->may_return_rows, verbs[_i].may);
    ck_assert_int_eq(mouse_model_reads(model), verbs[_i].reads);
}
END_TEST

static const struct {
    const char *text;
    bool autocommit;
} commits[] = {
    {"-- name: a :exec\nUPDATE t SET a = 1", true},
    {"-- name: a :affected\nUPDATE t SET a = 1", true},
    {"-- name: a :one\nDELETE FROM t RETURNING a", false},
    {"-- name: a :exec\n-- expect: 1\nUPDATE t SET a = 1", false},
    {"-- name: a :exec\nUPDATE t SET a = 1; UPDATE t SET b = 1", false},
    {"-- name: a :exec\n-- param: i int[]\n-- each: i\nUPDATE t SET a = :i[]", false},
    {"-- name: a :exec\nCALL f()", false},
};

START_TEST(one_statement_may_commit_itself)
{
    ck_assert_int_eq(parse_one(commits[_i].text)->autocommit, commits[_i].autocommit);
}
END_TEST

/* ---- the order of the design's example ---- */

START_TEST(order_is_placed)
{
    mouse_slice_t text = unit_file("models/good/orders.sql");
    const mouse_model_t *model = parse_one(text.data);
    const mouse_param_t *items = &model->params[0];
    const mouse_sql_t *sql = model->sqls;

    ck_assert_str_eq(mouse_model_name(model), "t/place");
    ck_assert_int_eq(mouse_model_kind(model), MOUSE_KIND_ONE);
    ck_assert_int_eq(mouse_model_line(model), 2);
    ck_assert_str_eq(model->summary,
                     "Takes the stock and writes the order, or changes nothing.");
    ck_assert_int_eq(model->param_count, 1);
    ck_assert(items->is_array && items->type == MOUSE_TYPE_OBJECT);
    ck_assert(items->count.low_int == 1 && items->count.high_int == 100);
    ck_assert_int_eq(items->field_count, 2);
    ck_assert_str_eq(items->fields[1].name, "qty");
    ck_assert(items->fields[1].bounds.high_int == 99 && items->source == MOUSE_FROM_BODY);
    ck_assert_int_eq(model->sql_count, 5);
    ck_assert_str_eq(sql[0].as, "o");
    ck_assert_str_eq(show(&sql[1]), "UPDATE products SET stock = stock - ?field\n"
                                    " WHERE id = ?field AND stock >= ?field");
    ck_assert(sql[1].each == 0 && sql[1].expects && sql[1].expect_status == 409);
    ck_assert_str_eq(sql[1].expect_text, "Out of stock");
    ck_assert(sql[1].pieces[0].ref.field == 1 && sql[1].pieces[0].ref.line == 11);
    ck_assert(sql[2].each == 0 && !sql[2].expects && sql[3].each == -1);
    ck_assert(sql[2].pieces[0].ref.kind == MOUSE_REF_AS && sql[2].pieces[0].ref.index == 0);
    ck_assert(model->answering == 4 && !model->reads && !model->autocommit);
}
END_TEST

/* ---- parameters ---- */

static const mouse_param_t *param(const mouse_model_t *model, const char *name)
{
    int i;

    for (i = 0; i < model->param_count; i++)
        if (strcmp(model->params[i].name, name) == 0)
            return &model->params[i];
    ck_abort_msg("no parameter %s", name);
}

START_TEST(parameters_are_read)
{
    const mouse_model_t *model = parse_one(unit_file("models/good/params.sql").data);
    const mouse_param_t *sort = param(model, "sort");

    ck_assert_str_eq(param(model, "a")->fallback, "20");
    ck_assert(param(model, "a")->bounds.low_int == -5 && param(model, "b")->optional);
    ck_assert_str_eq(param(model, "b")->bounds.high, "1.5");
    ck_assert(param(model, "c")->nullable && param(model, "c")->fallback[0] == '\0');
    ck_assert(param(model, "f")->source == MOUSE_FROM_QUERY);
    ck_assert(param(model, "h")->source == MOUSE_FROM_BODY &&
              param(model, "h")->source_depth == 2);
    ck_assert_str_eq(param(model, "h")->source_path[1], "tags");
    ck_assert_int_eq(param(model, "j")->choice_count, 3);
    ck_assert_str_eq(param(model, "j")->choices[2], "on hold");
    ck_assert_str_eq(param(model, "k")->pattern_text, "^[a-z\\/()]+$");
    ck_assert_str_eq(param(model, "l")->source_name, "x-trace");
    ck_assert(param(model, "l")->hash == MOUSE_HASH_SHA256);
    ck_assert(param(model, "m")->hash == MOUSE_HASH_BCRYPT &&
              param(model, "m")->hash_cost == 10);
    ck_assert(param(model, "o")->is_array && param(model, "o")->count.high_int == 50);
    ck_assert(param(model, "p")->is_array && param(model, "p")->bounds.high_int == 20);
    ck_assert(sort->order == 0 && sort->source == MOUSE_FROM_QUERY &&
              sort->choice_count == 2);
    ck_assert_str_eq(sort->fallback, "newest");
    ck_assert_str_eq(model->orders[0].choices[1].sql, "price, COALESCE(name, ':x;'), id");
    ck_assert(model->lets[1].kind == MOUSE_LET_LET && model->lets[1].index == 0);
    ck_assert(model->lets[5].kind == MOUSE_LET_PARAM &&
              model->lets[5].hash == MOUSE_HASH_SHA256);
    ck_assert_str_eq(model->errors[1].text, "It's taken");
    ck_assert_str_eq(model->errors[1].constraint, "users.email,users.tenant");
    ck_assert(model->sqls[0].has_order && model->reads);
}
END_TEST

/* ---- binding to a route ---- */

static const struct {
    const char *text;
    const char *path, *type; /* one path parameter, or NULL */
    bool body_method;
    const char *error;     /* NULL: binds */
    mouse_source_t source; /* of the first parameter */
    bool used;
} binds[] = {
    {"SELECT :id", "id", "int", false, NULL, MOUSE_FROM_PATH, true},
    {"SELECT :id", NULL, NULL, false, "neither declared", 0, false},
    {"SELECT :id", "key", NULL, false, "neither declared", 0, false},
    {"-- param: a int\nSELECT :a", NULL, NULL, false, NULL, MOUSE_FROM_QUERY, false},
    {"-- param: a int\nSELECT :a", NULL, NULL, true, NULL, MOUSE_FROM_BODY, false},
    {"-- param: a int\nSELECT :a", "a", NULL, true, NULL, MOUSE_FROM_PATH, true},
    {"-- param: a int\nSELECT :a", "b", NULL, true, NULL, MOUSE_FROM_BODY, false},
    {"-- param: a int from path\nSELECT :a", "b", NULL, true, "comes from the path", 0,
     false},
    {"-- param: a int from query\nSELECT :a", "a", NULL, true, "from elsewhere", 0, false},
    {"-- param: a int from body\nSELECT :a", NULL, NULL, false, "from the body", 0, false},
    {"-- param: a int[]\nSELECT 1 IN (:a)", NULL, NULL, false, NULL, MOUSE_FROM_QUERY,
     false},
    {"-- param: a int[]\nSELECT 1 IN (:a)", "a", NULL, false, "from elsewhere", 0, false},
    {"-- let: h = id hash(sha256)\nSELECT :h", "id", NULL, false, NULL, MOUSE_FROM_PATH,
     true},
    {"-- let: h = id hash(sha256)\nSELECT :h", NULL, NULL, false, "neither a parameter", 0,
     false},
    {"-- error: u 409 \"x\" id\nSELECT :id", "id", NULL, false, NULL, MOUSE_FROM_PATH,
     true},
    {"-- error: u 409 \"x\" no\nSELECT :id", "id", NULL, false, "no parameter", 0, true},
};

START_TEST(models_bind_to_routes)
{
    const mouse_model_t *model =
        parse_one(apr_pstrcat(unit_pool, "-- name: a :many\n", binds[_i].text, NULL));
    const mouse_model_t *bound;
    mouse_error_t *err = NULL;
    bool used = false;
    apr_status_t rv = mouse_model_bind(unit_pool, model, &binds[_i].path, &binds[_i].type,
                                       binds[_i].path != NULL, binds[_i].body_method, &used,
                                       &bound, &err);

    ck_assert_int_eq(used, binds[_i].used);
    if (binds[_i].error != NULL) {
        ck_assert_int_ne(rv, APR_SUCCESS);
        ck_assert_msg(strstr(err->detail, binds[_i].error) != NULL, "%s", err->detail);
        return;
    }
    ck_assert_int_eq(rv, APR_SUCCESS);
    ck_assert(bound->bound && !model->bound && bound->params[0].source == binds[_i].source);
}
END_TEST

START_TEST(path_types_become_parameter_types)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const types[] = {"string", "int", "uuid", "date"};
    const mouse_model_t *model = parse_one("-- name: x :many\nSELECT :d, :c, :b, :a, :b");
    const mouse_model_t *bound;
    mouse_error_t *err = NULL;
    bool used[4];

    ck_assert(mouse_model_bind(unit_pool, model, names, types, 4, false, used, &bound,
                               &err) == APR_SUCCESS);
    ck_assert_int_eq(bound->param_count, 4);
    ck_assert(bound->params[0].type == MOUSE_TYPE_DATE && bound->params[0].from_path_only);
    ck_assert(bound->params[2].type == MOUSE_TYPE_INT && used[0] && used[3]);
    ck_assert_int_eq(bound->sqls[0].pieces[4].ref.index, 2);
    ck_assert(model->sqls[0].pieces[0].ref.kind == MOUSE_REF_NAME &&
              model->param_count == 0);
}
END_TEST

/* ---- what others ask ---- */

static const char *const words[][2] = {
    {"request", "ip"}, {"request", "body"}, {"now", "ms"},        {"random", "uuid"},
    {"env", "HOME"},   {"cookie", "kli"},   {"header", "x_trace"}};

START_TEST(words_are_reserved)
{
    size_t i;

    for (i = 0; i < COUNT(words); i++)
        ck_assert(mouse_word_reserved(words[i][0]) &&
                  mouse_word_has(words[i][0], words[i][1]));
    ck_assert(mouse_word_reserved("given") && !mouse_word_has("given", "a"));
    ck_assert(!mouse_word_has("request", "host") && !mouse_word_has("env", ""));
    ck_assert(!mouse_word_reserved("user") && !mouse_word_has("user", "id"));
}
END_TEST

static const struct {
    const char *text, *name;
    bool can;
} templates[] = {
    {"-- name: x :one\nSELECT 1 AS id", "id", true},
    {"-- name: x :one\nSELECT 1 AS id", "o.id", false},
    {"-- name: x :many\nSELECT 1 AS id", "id", false},
    {"-- name: x :many\n-- param: a int\nSELECT :a", "a", true},
    {"-- name: x :many\n-- param: a int[]\nSELECT 1 IN (:a)", "a", false},
    {"-- name: x :many\n-- let: a = now.ms\nSELECT :a", "a", true},
    {"-- name: x :exec\n-- as: o\nINSERT INTO t VALUES (1)", "o.insert_id", true},
    {"-- name: x :exec\n-- as: o\nINSERT INTO t VALUES (1)", "o.", false},
    {"-- name: x :object\n-- answer: m :one\nSELECT 1 AS id", "m.id", true},
    {"-- name: x :object\n-- answer: m :many\nSELECT 1 AS id", "m.id", false},
    {"-- name: x :object\n-- answer: m :one\nSELECT 1 AS id", "id", false},
};

START_TEST(templates_name_what_is_there)
{
    ck_assert_int_eq(
        mouse_model_template_name(parse_one(templates[_i].text), templates[_i].name),
        templates[_i].can);
}
END_TEST

static void collect(void *baton, const char *word, const char *field, int line, int column)
{
    const char **out = baton;

    *out = apr_psprintf(unit_pool, "%s%s.%s@%d:%d ", *out, word, field, line, column);
}

START_TEST(context_and_body_are_told)
{
    const mouse_model_t *model =
        parse_one("-- name: x :exec\nUPDATE t SET a = :user.id,\n b = :request.body");
    const char *seen = "";

    mouse_model_each_context(model, collect, &seen);
    ck_assert_str_eq(seen, "user.id@2:18 request.body@3:6 ");
    ck_assert(mouse_model_takes_body(model, false));
    model = parse_one("-- name: x :exec\n-- param: a int\nUPDATE t SET a = :a");
    ck_assert(mouse_model_takes_body(model, true) && !mouse_model_takes_body(model, false));
}
END_TEST

START_TEST(directories_load_sorted)
{
    const char *dir = apr_pstrcat(unit_pool, MOUSE_SRCDIR, "/t/models/tree", NULL);
    mouse_models_t *models;
    mouse_error_t *err = NULL;

    if (mouse_models_load(unit_pool, dir, MOUSE_DIALECT_SQLITE, &models, &err) !=
        APR_SUCCESS)
        ck_abort_msg("%s", mouse_error_text(unit_pool, err));
    ck_assert_int_eq(mouse_models_count(models), 3);
    ck_assert_str_eq(mouse_model_name(mouse_models_get(models, 0)), "admin/users/list");
    ck_assert_str_eq(mouse_model_name(mouse_models_get(models, 1)), "shop/by_id");
    ck_assert_ptr_nonnull(mouse_model_find(models, "shop/list"));
    ck_assert_ptr_null(mouse_model_find(models, "shop/none"));
    ck_assert(strstr(mouse_model_file(mouse_models_get(models, 1)), "/tree/shop.sql") !=
              NULL);
    ck_assert(mouse_models_load(unit_pool, "/no/such/dir", MOUSE_DIALECT_SQLITE, &models,
                                &err) != APR_SUCCESS);
    ck_assert_str_eq(err->file, "/no/such/dir");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("model_parse");
    TCase *tcase = unit_case(suite, "model_parse");

    tcase_add_test(tcase, good_files_parse);
    tcase_add_test(tcase, bad_files_fail_where_they_say);
    tcase_add_test(tcase, fuzz_seeds_replay);
    tcase_add_loop_test(tcase, statements_are_cut, 0, (int)COUNT(statements));
    tcase_add_loop_test(tcase, verbs_tell_reads, 0, (int)COUNT(verbs));
    tcase_add_loop_test(tcase, one_statement_may_commit_itself, 0, (int)COUNT(commits));
    tcase_add_test(tcase, order_is_placed);
    tcase_add_test(tcase, parameters_are_read);
    tcase_add_loop_test(tcase, models_bind_to_routes, 0, (int)COUNT(binds));
    tcase_add_test(tcase, path_types_become_parameter_types);
    tcase_add_test(tcase, words_are_reserved);
    tcase_add_loop_test(tcase, templates_name_what_is_there, 0, (int)COUNT(templates));
    tcase_add_test(tcase, context_and_body_are_told);
    tcase_add_test(tcase, directories_load_sorted);
    return suite;
}
