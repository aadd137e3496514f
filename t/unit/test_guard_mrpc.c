/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: mrpc - its words, the envelope's form, its signature. */

#include "guard_rig.h"

#include <apr_strings.h>

#include "guard/guard_int.h"

static const char models[] = "-- name: token :one\n"
                             "-- param: user_id int\n"
                             "SELECT 'key' AS token, :user_id AS id;\n"
                             "-- name: seed :exec\n"
                             "-- param: seed string\n"
                             "INSERT INTO seeds VALUES (:seed);\n"
                             "-- name: list :many\n"
                             "SELECT 1 AS one;\n";

static const char *const schema[] = {"CREATE TABLE seeds (seed TEXT PRIMARY KEY)", NULL};

static const struct {
    const char *words, *says; /* NULL: accepted */
} made[] = {
    {"mrpc key=token token=run/token seeds=run/seed", NULL},
    {"mrpc key=token token=run/token seeds=run/seed window=60s", NULL},
    {"mrpc", "key=secret, key=token or key=any"},
    {"mrpc key=none", "key=secret, key=token or key=any"},
    {"mrpc key=secret", "secret-file="},
    {"mrpc key=any token=run/token seeds=run/seed", "secret-file="},
    {"mrpc key=secret secret-file=/nowhere/secret", "/nowhere/secret"},
    {"mrpc key=token", "token=MODEL"},
    {"mrpc key=token token=run/token", "seeds=MODEL"},
    {"mrpc key=token token=run/none seeds=run/seed", "run/none"},
    {"mrpc key=token token=run/list seeds=run/seed", ":one"},
    {"mrpc key=token token=run/token seeds=run/token", ":exec"},
    {"mrpc key=token token=run/token seeds=run/seed window=x", "window=x"},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(schema, models), made[_i].words, made[_i].says);
}
END_TEST

static apr_status_t read_form(const char *text, mouse_mrpc_form_t *form)
{
    const mouse_json_doc_t *doc;
    mouse_error_t *err = NULL;

    ck_assert(mouse_json_scan(unit_pool, mouse_slice_of(text), MOUSE_JSON_DEPTH, &doc,
                              &err) == APR_SUCCESS);
    return mouse_mrpc_read(unit_pool, doc->root, form, &err);
}

/* auth: HMAC-SHA256 with the key "key" or another, as Python's hmac makes it. */
static const struct {
    const char *data, *seed, *auth;
    bool good;
} signatures[] = {
    {"{\"a\":1}", "s1", "a99eb01ed23a137b5ec8302047a5065d853ede696a3970c7539faee9fe41f9c3",
     true},
    {"{ \"a\" : 1 }", "s1",
     "463855452ba5cc6cd0fa9c12d9d472bc8b57f9158c433c6612e0e817b7fe948c", true},
    {"{ \"a\" : 1 }", "s1",
     "a99eb01ed23a137b5ec8302047a5065d853ede696a3970c7539faee9fe41f9c3", false},
    {"{\"a\":1}", "s2", "a99eb01ed23a137b5ec8302047a5065d853ede696a3970c7539faee9fe41f9c3",
     false},
    {"{\"a\":1}", "s1", "A99EB01ED23A137B5EC8302047A5065D853EDE696A3970C7539FAEE9FE41F9C3",
     false},
    {"{\"a\":1}", "s1", "3eb2ad72b7ba2a5418ff9660e21e39d9b80d76129d8c59f20f2fc2b632f1d2d9",
     false},
    {"{}", "s", "499c9867f714811cf9528aacb4aa6a842e0d9e74d04bdca2a0d8e54d9c179d34", true},
    {"{}", "s", "c6af691d11e0fcec247efafec7531f9bbf7036f8258a6931f180950ab328d3cc", true},
    {"[]", "s", "499c9867f714811cf9528aacb4aa6a842e0d9e74d04bdca2a0d8e54d9c179d34", true},
    {"[]", "s", "c6af691d11e0fcec247efafec7531f9bbf7036f8258a6931f180950ab328d3cc", false},
    {"[1]", "s", "499c9867f714811cf9528aacb4aa6a842e0d9e74d04bdca2a0d8e54d9c179d34", false},
    {"[1]", "s", "23707700273b0073171e76e81ce5c49b1edbedee2cb8f7dad3d3a53b4f6188b0", true},
};

START_TEST(signatures_are_over_data_and_seed)
{
    mouse_mrpc_form_t form;
    const char *text = apr_psprintf(
        unit_pool,
        "{\"user_id\":7,\"version\":\"1\",\"request_tag\":\"t\",\"timestamp\":1,"
        "\"seed\":\"%s\",\"data\":%s,\"auth\":\"%s\"}",
        signatures[_i].seed, signatures[_i].data, signatures[_i].auth);

    ck_assert(read_form(text, &form) == APR_SUCCESS);
    ck_assert_int_eq(mouse_mrpc_signed(&form, MOUSE_SLICE("key")), signatures[_i].good);
}
END_TEST

#define REST ",\"version\":\"1\",\"request_tag\":\"t\",\"timestamp\":1,\"data\":{}"
#define AUTH "\"auth\":\"0123456789012345678901234567890123456789012345678901234567890123\""

static const struct {
    const char *text;
    bool good;
} forms[] = {
    {"{\"user_id\":1,\"seed\":\"s\"," AUTH REST "}", true},
    {"{\"user_id\":123456789012345678,\"seed\":\"s\"," AUTH REST "}", true},
    {"{\"user_id\":1234567890123456789,\"seed\":\"s\"," AUTH REST "}", false},
    {"{\"user_id\":-1,\"seed\":\"s\"," AUTH REST "}", false},
    {"{\"user_id\":1.0,\"seed\":\"s\"," AUTH REST "}", false},
    {"{\"user_id\":null,\"seed\":\"s\"," AUTH REST "}", false},
    {"{\"user_id\":1,\"seed\":\"\"," AUTH REST "}", false},
    {"{\"user_id\":1,\"seed\":1," AUTH REST "}", false},
    {"{\"user_id\":1,\"seed\":\"s\"" REST "}", false},
    {"{\"user_id\":1,\"seed\":\"s\",\"auth\":\"\"" REST "}", false},
    {"{\"user_id\":1,\"seed\":\"s\",\"more\":1," AUTH REST "}", false},
    {"{\"user_id\":1,\"sead\":\"s\"," AUTH REST "}", false},
    {"[]", false},
    {"1", false},
};

START_TEST(forms_have_seven_members)
{
    mouse_mrpc_form_t form;

    ck_assert_int_eq(read_form(forms[_i].text, &form) == APR_SUCCESS, forms[_i].good);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_mrpc");
    TCase *tcase = unit_case(suite, "guard_mrpc");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, signatures_are_over_data_and_seed, 0,
                        sizeof(signatures) / sizeof(signatures[0]));
    tcase_add_loop_test(tcase, forms_have_seven_members, 0,
                        sizeof(forms) / sizeof(forms[0]));
    return suite;
}
