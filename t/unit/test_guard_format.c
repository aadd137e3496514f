/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: format */

#include "guard_rig.h"

#include <apr_strings.h>

static const struct {
    const char *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"format types=application/json", NULL},
    {"format types=application/json,text/csv depth=4", NULL},
    {"format depth=64", NULL},
    {"format", "types= or depth="},
    {"format types=json", "types=json"},
    {"format types=Application/JSON", "lower case"},
    {"format 'types=text/csv; charset=utf-8'", "types="},
    {"format depth=0", "depth=0"},
    {"format depth=65", "depth=65"},
    {"format depth=-1", "depth=-1"},
    {"format depth=1x", "depth=1x"},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), made[_i].words, made[_i].says);
}
END_TEST

static const struct {
    const char *words, *type, *length, *body;
    const char *want;
} runs[] = {
    {"format types=application/json", "application/json", "2", "{}", "pass"},
    {"format types=application/json", "Application/JSON; charset=utf-8", "2", "{}", "pass"},
    {"format types=text/csv,application/json", "application/json", "2", "{}", "pass"},
    {"format types=text/csv,application/json", "text/csv", "2", "{}", "pass"},
    {"format types=application/json", "text/plain", "2", "{}", "415 media-type"},
    {"format types=application/json", "application/jso", "2", "{}", "415 media-type"},
    {"format types=application/json", "application/json5", "2", "{}", "415 media-type"},
    {"format types=application/json", NULL, "2", NULL, "415 media-type"},
    {"format types=application/json", NULL, "0", NULL, "pass"},
    {"format types=application/json", NULL, NULL, NULL, "pass"},
    {"format depth=2", "application/json", "9", "{\"a\":[1]}", "pass"},
    {"format depth=2", "application/json", "11", "{\"a\":[[1]]}", "400 json-depth"},
    {"format depth=2", "application/json", "4", "{\"a\"", "400 bad-json"},
    {"format depth=2", "text/csv", "4", "[[[[", "pass"},
};

START_TEST(bodies_are_of_a_form)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    rig_ask_t ask = {.method = "POST", .body = runs[_i].body};
    int n = 0;

    if (runs[_i].type) {
        ask.sent[n++] = "Content-Type";
        ask.sent[n++] = runs[_i].type;
    }
    if (runs[_i].length) {
        ask.sent[n++] = "Content-Length";
        ask.sent[n++] = runs[_i].length;
    }
    ck_assert_str_eq(
        guard_rig_run(rig, guard_rig_chain(rig, &ask, &runs[_i].words, 1), &ask, NULL),
        runs[_i].want);
}
END_TEST

/* What has read the body before did not look at its depth. */
START_TEST(depth_counts_behind_other_readers)
{
    static const char *const words[] = {"api-key {a} optional", "format depth=2"};
    static const char *const bodies[] = {"{\"a\":\"b\",\"c\":[1]}",
                                         "{\"a\":\"b\",\"c\":[[1]]}"};
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    rig_ask_t ask = {
        .method = "POST", .body = bodies[_i], .sent = {"Content-Type", "application/json"}};

    ck_assert_str_eq(guard_rig_run(rig, guard_rig_chain(rig, &ask, words, 2), &ask, NULL),
                     _i == 0 ? "pass" : "400 json-depth");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_format");
    TCase *tcase = unit_case(suite, "guard_format");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, bodies_are_of_a_form, 0, sizeof(runs) / sizeof(runs[0]));
    tcase_add_loop_test(tcase, depth_counts_behind_other_readers, 0, 2);
    return suite;
}
