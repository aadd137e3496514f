/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: which origins a policy names. */

#include "unit.h"

#include "http/http_int.h"

static const char *const named[] = {"https://app.example", "http://localhost:3000"};
static const mouse_cors_t two = {.count = 2, .origins = named};
static const mouse_cors_t any = {.any = true};

START_TEST(named_origins)
{
    ck_assert_str_eq(mouse_cors_allow(&two, "https://app.example"), "https://app.example");
    ck_assert_str_eq(mouse_cors_allow(&two, "http://localhost:3000"),
                     "http://localhost:3000");
}
END_TEST

START_TEST(other_origins)
{
    static const char *const others[] = {NULL,
                                         "",
                                         "null",
                                         "*",
                                         "http://app.example",
                                         "https://app.example:443",
                                         "https://app.example.evil.example",
                                         "https://evil-app.example",
                                         "https://APP.example",
                                         "https://app.example/",
                                         "https://app.exampl",
                                         "http://localhost",
                                         "http://localhost:3000, https://app.example"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert_msg(!mouse_cors_allow(&two, others[i]), "%s", others[i]);
}
END_TEST

START_TEST(every_origin)
{
    ck_assert_str_eq(mouse_cors_allow(&any, "https://app.example"), "*");
    ck_assert_str_eq(mouse_cors_allow(&any, NULL), "*");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("cors_allow");
    TCase *tcase = unit_case(suite, "policy");

    tcase_add_test(tcase, named_origins);
    tcase_add_test(tcase, other_origins);
    tcase_add_test(tcase, every_origin);
    return suite;
}
