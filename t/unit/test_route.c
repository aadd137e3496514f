/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* route: patterns, precedence, types, escapes, groups, methods. */

#include "unit.h"

#include <apr_strings.h>

#include "route/mouse_route.h"

static const struct {
    const char *text, *complaint; /* NULL: good */
} patterns[] = {
    {"/", NULL},
    {"", NULL},
    {"/a/b/", NULL},
    {"/a b", NULL},
    {"/a%20b", NULL},
    {"/{a}/{b:int}/{c:uuid}/{d:date}", NULL},
    {"a", "must begin"},
    {"/a//b", "//"},
    {"/a/../b", "removes"},
    {"/./b", "removes"},
    {"/a?b", "'?'"},
    {"/a#b", "'#'"},
    {"/x{a}", "'{'"},
    {"/{a}x", "'{'"},
    {"/{a", "'{'"},
    {"/{}", "parameter name"},
    {"/{1a}", "parameter name"},
    {"/{a-b}", "parameter name"},
    {"/{a}/{a}", "twice"},
    {"/{a:float}", "no type"},
    {"/a%2", "bad percent"},
    {"/a%00", "bad percent"},
    {"/a\nb", "cannot hold"},
};

START_TEST(patterns_are_checked)
{
    const mouse_pattern_t *pattern;
    mouse_error_t *err = NULL;
    apr_status_t rv = mouse_pattern_parse(unit_pool, patterns[_i].text, &pattern, &err);

    if (!patterns[_i].complaint) {
        ck_assert_msg(rv == APR_SUCCESS, "%s", patterns[_i].text);
        return;
    }
    ck_assert_msg(rv != APR_SUCCESS, "%s", patterns[_i].text);
    ck_assert_msg(strstr(err->detail, patterns[_i].complaint) != NULL, "%s", err->detail);
}
END_TEST

static apr_status_t add(mouse_table_t *table, const char *route, mouse_error_t **err)
{
    const char *path = strchr(route, ' ') + 1;
    char *method = apr_pstrmemdup(unit_pool, route, (apr_size_t)(path - route - 1));
    const mouse_pattern_t *pattern;
    void *other;

    ck_assert(mouse_pattern_parse(unit_pool, path, &pattern, err) == APR_SUCCESS);
    return mouse_table_add(table, (mouse_method_t)mouse_method_find(method), pattern,
                           (void *)(uintptr_t)route, &other, err);
}

static mouse_table_t *make_table(void)
{
    static const char *const routes[] = {
        "GET /users/me",
        "GET /users/{id:int}",
        "GET /users/{name}",
        "POST /users/{name}",
        "GET /users/{id:int}/tags",
        "GET /users/{name}/{tag}",
        "GET /days/{day:date}",
        "GET /u/{id:uuid}",
        "GET /slash/",
        "GET /slash",
        "GET /a b",
        "GET /x%2Fy",
        "DELETE /users/me",
        "GET /{any}/end",
        "GET /days/{id:int}",
    };
    mouse_table_t *table = mouse_table_create(unit_pool);
    mouse_error_t *err = NULL;
    size_t i;

    for (i = 0; i < sizeof(routes) / sizeof(routes[0]); i++)
        ck_assert_msg(add(table, routes[i], &err) == APR_SUCCESS, "%s", routes[i]);
    ck_assert(mouse_table_add_group(table, "/users", "users", &err) == APR_SUCCESS);
    ck_assert(mouse_table_add_group(table, "/users/deep/", "deep", &err) == APR_SUCCESS);
    return table;
}

static const struct {
    const char *method, *path;
    mouse_match_kind_t kind;
    const char *route;     /* FOUND */
    const char *values[2]; /* FOUND */
} matches[] = {
    {"GET", "/users/me", MOUSE_MATCH_FOUND, "GET /users/me", {NULL}},
    {"GET", "/users/%6De", MOUSE_MATCH_FOUND, "GET /users/me", {NULL}},
    {"DELETE", "/users/me", MOUSE_MATCH_FOUND, "DELETE /users/me", {NULL}},
    {"POST", "/users/me", MOUSE_MATCH_FOUND, "POST /users/{name}", {"me"}},
    {"GET", "/users/12", MOUSE_MATCH_FOUND, "GET /users/{id:int}", {"12"}},
    {"POST", "/users/12", MOUSE_MATCH_FOUND, "POST /users/{name}", {"12"}},
    {"GET",
     "/users/-9223372036854775808",
     MOUSE_MATCH_FOUND,
     "GET /users/{id:int}",
     {NULL}},
    {"GET", "/users/9223372036854775807", MOUSE_MATCH_FOUND, "GET /users/{id:int}", {NULL}},
    {"GET", "/users/9223372036854775808", MOUSE_MATCH_FOUND, "GET /users/{name}", {NULL}},
    {"GET", "/users/007", MOUSE_MATCH_FOUND, "GET /users/{name}", {"007"}},
    {"GET", "/users/-0", MOUSE_MATCH_FOUND, "GET /users/{name}", {"-0"}},
    {"GET", "/users/+1", MOUSE_MATCH_FOUND, "GET /users/{name}", {"+1"}},
    {"GET", "/users/0", MOUSE_MATCH_FOUND, "GET /users/{id:int}", {"0"}},
    {"GET", "/users/12/tags", MOUSE_MATCH_FOUND, "GET /users/{id:int}/tags", {"12"}},
    {"GET",
     "/users/12/other",
     MOUSE_MATCH_FOUND,
     "GET /users/{name}/{tag}",
     {"12", "other"}},
    {"GET", "/users/a%2Fb", MOUSE_MATCH_FOUND, "GET /users/{name}", {"a/b"}},
    {"GET", "/users/a%2fb", MOUSE_MATCH_FOUND, "GET /users/{name}", {"a/b"}},
    {"GET", "/users/a%25b", MOUSE_MATCH_FOUND, "GET /users/{name}", {"a%b"}},
    {"GET", "/users/%252F", MOUSE_MATCH_FOUND, "GET /users/{name}", {"%2F"}},
    {"GET", "/users/%C3%A9", MOUSE_MATCH_FOUND, "GET /users/{name}", {"\xC3\xA9"}},
    {"GET", "/a%20b", MOUSE_MATCH_FOUND, "GET /a b", {NULL}},
    {"GET", "/x%2Fy", MOUSE_MATCH_FOUND, "GET /x%2Fy", {NULL}},
    {"GET", "/x/y", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
    {"GET", "/slash", MOUSE_MATCH_FOUND, "GET /slash", {NULL}},
    {"GET", "/slash/", MOUSE_MATCH_FOUND, "GET /slash/", {NULL}},
    {"GET", "/days/2024-02-29", MOUSE_MATCH_FOUND, "GET /days/{day:date}", {"2024-02-29"}},
    {"GET", "/days/2023-02-29", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
    {"GET", "/days/7", MOUSE_MATCH_FOUND, "GET /days/{id:int}", {"7"}},
    {"GET",
     "/u/123e4567-e89b-12d3-a456-426614174000",
     MOUSE_MATCH_FOUND,
     "GET /u/{id:uuid}",
     {NULL}},
    {"GET", "/u/123e4567-e89b-12d3-a456-42661417400g", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
    {"GET", "/users/end", MOUSE_MATCH_FOUND, "GET /users/{name}", {"end"}},
    {"GET", "/days/end", MOUSE_MATCH_FOUND, "GET /{any}/end", {"days"}},
    {"GET", "/users/", MOUSE_MATCH_MISSING, NULL, {NULL}},
    {"GET", "/users", MOUSE_MATCH_MISSING, NULL, {NULL}},
    {"GET", "/users/12/", MOUSE_MATCH_MISSING, NULL, {NULL}},
    {"GET", "/usersx", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
    {"PUT", "/users/me", MOUSE_MATCH_METHOD, NULL, {NULL}},
    {"PATCH", "/users/12/tags", MOUSE_MATCH_METHOD, NULL, {NULL}},
    {"BREW", "/users/me", MOUSE_MATCH_METHOD, NULL, {NULL}},
    {"GET", "/users/%zz", MOUSE_MATCH_BAD, NULL, {NULL}},
    {"GET", "/users/a%00", MOUSE_MATCH_BAD, NULL, {NULL}},
    {"GET", "/users/a%", MOUSE_MATCH_BAD, NULL, {NULL}},
    {"GET", "/elsewhere%00", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
    {"GET", "*", MOUSE_MATCH_OUTSIDE, NULL, {NULL}},
};

START_TEST(paths_are_matched)
{
    mouse_match_t match;
    int i;

    mouse_table_match(make_table(), mouse_method_find(matches[_i].method), matches[_i].path,
                      unit_pool, &match);
    ck_assert_msg(match.kind == matches[_i].kind, "%s %s: %d", matches[_i].method,
                  matches[_i].path, match.kind);
    if (match.kind != MOUSE_MATCH_FOUND)
        return;
    ck_assert_str_eq(match.endpoint, matches[_i].route);
    for (i = 0; i < 2 && matches[_i].values[i]; i++)
        ck_assert_str_eq(mouse_slice_copy(unit_pool, match.values[i]),
                         matches[_i].values[i]);
}
END_TEST

START_TEST(allow_names_all_methods_of_a_path)
{
    mouse_match_t match;

    mouse_table_match(make_table(), -1, "/users/me", unit_pool, &match);
    ck_assert_uint_eq(match.allow, 1u << MOUSE_GET | 1u << MOUSE_DELETE | 1u << MOUSE_POST);
}
END_TEST

START_TEST(the_longest_group_wins)
{
    mouse_match_t match;

    mouse_table_match(make_table(), MOUSE_GET, "/users/deep/er/est", unit_pool, &match);
    ck_assert_str_eq(match.group, "deep");
    mouse_table_match(make_table(), MOUSE_GET, "/%75sers/a/b/c", unit_pool, &match);
    ck_assert_str_eq(match.group, "users");
}
END_TEST

START_TEST(twins_are_refused)
{
    mouse_table_t *table = make_table();
    mouse_error_t *err = NULL;

    ck_assert(add(table, "GET /users/{other}", &err) != APR_SUCCESS);
    ck_assert_msg(strstr(err->detail, "/users/{name}") != NULL, "%s", err->detail);
    ck_assert(add(table, "GET /users/me", &err) != APR_SUCCESS);
    ck_assert(add(table, "GET /%61 b", &err) != APR_SUCCESS);
    ck_assert(add(table, "PUT /users/{other}", &err) == APR_SUCCESS);
    ck_assert(add(table, "GET /users/{u:uuid}", &err) == APR_SUCCESS);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("route");
    TCase *tcase = unit_case(suite, "route");

    tcase_add_loop_test(tcase, patterns_are_checked, 0, COUNT(patterns));
    tcase_add_loop_test(tcase, paths_are_matched, 0, COUNT(matches));
    tcase_add_test(tcase, allow_names_all_methods_of_a_path);
    tcase_add_test(tcase, the_longest_group_wins);
    tcase_add_test(tcase, twins_are_refused);
    return suite;
}
