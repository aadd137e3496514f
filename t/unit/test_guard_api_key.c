/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: api-key */

#include "guard_rig.h"

#include <apr_strings.h>

static const struct {
    const char *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"api-key", NULL},
    {"api-key {header.x_key} optional", NULL},
    {"api-key {key}", NULL},
    {"api-key {header.a}{header.b}", "not one value"},
    {"api-key header.a", "\"header.a\""},
    {"api-key keys-file=/nowhere/keys", "cannot read /nowhere/keys"},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), made[_i].words, made[_i].says);
}
END_TEST

/* A file with this text, gone with the test. */
static const char *write_file(const char *text)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-keys-XXXXXX");
    apr_file_t *file;

    ck_assert(apr_file_mktemp(&file, path,
                              APR_FOPEN_CREATE | APR_FOPEN_WRITE | APR_FOPEN_EXCL,
                              unit_pool) == APR_SUCCESS);
    apr_file_puts(text, file);
    apr_file_close(file);
    return path;
}

static const struct {
    const char *text, *says;
} files[] = {
    {"acme 0123456789abcdef\n\nother  fedcba9876543210", NULL},
    {"acme 0123456789abcde\n", "entry 1"},
    {"acme 0123456789abcdef\nacme\n", "entry 2"},
    {"acme 0123456789abcdef x\n", "entry 1"},
    {"\n\n", "holds no key"},
    {"", "is empty"},
};

START_TEST(files_list_clients)
{
    const char *path = write_file(files[_i].text);
    const char *text =
        guard_rig_refusal(guard_rig_open(NULL, NULL),
                          apr_pstrcat(unit_pool, "api-key keys-file=", path, NULL));

    apr_file_remove(path, unit_pool);
    if (!files[_i].says)
        ck_assert_msg(text == NULL, "%s", text);
    else
        ck_assert_msg(text && strstr(text, files[_i].says), "%s", text ? text : "accepted");
}
END_TEST

static const struct {
    const char *words, *key, *query;
    const char *want, *value;
} runs[] = {
    {"api-key", "k1", NULL, "pass", "k1"},
    {"api-key", NULL, NULL, "401 denied - no API key", NULL},
    {"api-key", "", NULL, "401 denied - no API key", NULL},
    {"api-key optional", NULL, NULL, "pass", "null"},
    {"api-key {key}", NULL, "key=k%202", "pass", "k 2"},
    {"api-key {key}", NULL, "key=a%00b", "401 denied - the API key is malformed", NULL},
    {"api-key {key}", NULL, "key=a&key=b", "422 parameters", NULL},
};

START_TEST(keys_become_context)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const rig_ask_t ask = {.query = runs[_i].query,
                           .sent = {runs[_i].key ? "X-Api-Key" : NULL, runs[_i].key}};
    mouse_request_t *req;

    ck_assert_str_eq(
        guard_rig_run(rig, guard_rig_chain(rig, &ask, &runs[_i].words, 1), &ask, &req),
        runs[_i].want);
    if (runs[_i].value)
        ck_assert_str_eq(guard_rig_value(req, "first.value"), runs[_i].value);
    if (strncmp(runs[_i].want, "401", 3) == 0)
        ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"),
                         apr_pstrcat(unit_pool, "ApiKey realm=\"first\", ",
                                     runs[_i].query ? "name=\"key\""
                                                    : "in=\"header\", name=\"X-Api-Key\"",
                                     NULL));
}
END_TEST

static const struct {
    const char *key, *want, *client;
} known[] = {
    {"0123456789abcdef", "pass", "acme"},
    {"fedcba9876543210", "pass", "other"},
    {"0123456789abcdeF", "401 denied - no such API key", NULL},
    {"0123456789abcdef0", "401 denied - no such API key", NULL},
    {"acme", "401 denied - no such API key", NULL},
};

START_TEST(a_file_tells_whose_key_it_is)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *path = write_file("acme 0123456789abcdef\nother fedcba9876543210\n");
    const char *words = apr_pstrcat(unit_pool, "api-key keys-file=", path, NULL);
    const rig_ask_t ask = {.sent = {"X-Api-Key", known[_i].key}};
    const mouse_chain_t *chain = guard_rig_chain(rig, &ask, &words, 1);
    mouse_request_t *req;

    apr_file_remove(path, unit_pool);
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, &req), known[_i].want);
    if (known[_i].client)
        ck_assert_str_eq(guard_rig_value(req, "first.client"), known[_i].client);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_api_key");
    TCase *tcase = unit_case(suite, "guard_api_key");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, files_list_clients, 0, sizeof(files) / sizeof(files[0]));
    tcase_add_loop_test(tcase, keys_become_context, 0, sizeof(runs) / sizeof(runs[0]));
    tcase_add_loop_test(tcase, a_file_tells_whose_key_it_is, 0,
                        sizeof(known) / sizeof(known[0]));
    return suite;
}
