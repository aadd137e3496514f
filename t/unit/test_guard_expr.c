/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: expr, with a language of three words in httpd's place. */

#include "guard_rig.h"

static const struct {
    const char *words, *says; /* NULL: accepted */
} made[] = {
    {"expr yes", NULL},
    {"expr yes else=404", NULL},
    {"expr", "needs an expression"},
    {"expr yes no", "\"no\""},
    {"expr yes else=20", "\"20\""},
    {"expr ((", "the expression: ("},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), made[_i].words, made[_i].says);
}
END_TEST

static const struct {
    const char *words, *want;
} runs[] = {
    {"expr yes", "pass"},
    {"expr no", "403 denied"},
    {"expr no else=404", "404 denied"},
    {"expr maybe", "403 denied - it cannot be evaluated"},
};

START_TEST(expressions_decide)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const rig_ask_t ask = {.method = "GET"};

    ck_assert_str_eq(
        guard_rig_run(rig, guard_rig_chain(rig, &ask, &runs[_i].words, 1), &ask, NULL),
        runs[_i].want);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_expr");
    TCase *tcase = unit_case(suite, "guard_expr");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, expressions_decide, 0, sizeof(runs) / sizeof(runs[0]));
    return suite;
}
