/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: the bearer token */

#include "guard_rig.h"

#include <apr_strings.h>

static const struct {
    const char *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"bearer", NULL},
    {"bearer optional", NULL},
    {"bearer realm=shop", NULL},
    {"bearer 'realm=my shop'", NULL},
    {"bearer 'realm=a\"b'", "realm="},
    {"bearer loud", "\"loud\""},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), made[_i].words, made[_i].says);
}
END_TEST

static const struct {
    const char *words;
    const char *header; /* Authorization, or NULL */
    const char *want, *value, *challenge;
} runs[] = {
    {"bearer", "Bearer abc-._~+/09==", "pass", "abc-._~+/09==", NULL},
    {"bearer", "bEARER  abc", "pass", "abc", NULL},
    {"bearer", NULL, "401 denied - no bearer token", NULL, "Bearer realm=\"first\""},
    {"bearer realm=shop", "Basic YTpi", "401 denied - no bearer token", NULL,
     "Bearer realm=\"shop\""},
    {"bearer", "Bearerabc", "401 denied - no bearer token", NULL, "Bearer realm=\"first\""},
    {"bearer", "Bearer ", "401 denied - the bearer token is malformed", NULL,
     "Bearer realm=\"first\", error=\"invalid_token\""},
    {"bearer", "Bearer a b", "401 denied - the bearer token is malformed", NULL,
     "Bearer realm=\"first\", error=\"invalid_token\""},
    {"bearer", "Bearer a=b", "401 denied - the bearer token is malformed", NULL,
     "Bearer realm=\"first\", error=\"invalid_token\""},
    {"bearer optional", NULL, "pass", "null", NULL},
    {"bearer optional", "Bearer x", "pass", "x", NULL},
    {"bearer optional", "Bearer \"", "401 denied - the bearer token is malformed", NULL,
     "Bearer realm=\"first\", error=\"invalid_token\""},
};

static const char *run(const char *const *words, int count, const char *header,
                       mouse_request_t **req)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const rig_ask_t ask = {.sent = {header ? "Authorization" : NULL, header}};

    return guard_rig_run(rig, guard_rig_chain(rig, &ask, words, count), &ask, req);
}

START_TEST(tokens_become_context)
{
    mouse_request_t *req;

    ck_assert_str_eq(run(&runs[_i].words, 1, runs[_i].header, &req), runs[_i].want);
    if (runs[_i].value)
        ck_assert_str_eq(guard_rig_value(req, "first.value"), runs[_i].value);
    ck_assert_pstr_eq(apr_table_get(req->headers, "WWW-Authenticate"), runs[_i].challenge);
}
END_TEST

/* An optional bearer that missed still tells how, when a later guard says 401. */
START_TEST(a_later_401_carries_the_challenge)
{
    static const char *const words[] = {"bearer optional", "deny 401"};
    static const char *const forbidden[] = {"bearer optional", "deny 403"};
    mouse_request_t *req;

    ck_assert_str_eq(run(words, 2, NULL, &req), "401 denied");
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"),
                     "Bearer realm=\"first\"");
    ck_assert_str_eq(run(forbidden, 2, NULL, &req), "403 denied");
    ck_assert_ptr_null(apr_table_get(req->headers, "WWW-Authenticate"));
    ck_assert_str_eq(run(&words[1], 1, NULL, &req), "401 denied");
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"), "Session");
}
END_TEST

START_TEST(tokens_of_any_length_are_bounded)
{
    static const char *const words[] = {"bearer"};
    char *header = apr_pcalloc(unit_pool, 5000);
    mouse_request_t *req;

    memcpy(header, "Bearer ", 7);
    memset(header + 7, 'a', 4096);
    ck_assert_str_eq(run(words, 1, header, &req), "pass");
    header[7 + 4096] = 'a';
    ck_assert_str_eq(run(words, 1, header, &req),
                     "401 denied - the bearer token is malformed");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_bearer");
    TCase *tcase = unit_case(suite, "guard_bearer");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, tokens_become_context, 0, sizeof(runs) / sizeof(runs[0]));
    tcase_add_test(tcase, a_later_401_carries_the_challenge);
    tcase_add_test(tcase, tokens_of_any_length_are_bounded);
    return suite;
}
