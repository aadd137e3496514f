/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: guards made from words, chains run on requests. */

#include "guard_rig.h"

#include <apr_strings.h>

static const char *const schema[] = {
    "DROP TABLE IF EXISTS sessions",
    "CREATE TABLE sessions (token VARCHAR(10) NOT NULL, user_id INTEGER, seen INTEGER)",
    "INSERT INTO sessions VALUES ('abc', 7, 0), ('two', 8, 0), ('two', 9, 0)",
    NULL,
};

static const char models[] =
    "-- name: by_token :one\n"
    "-- param: kli string from cookie.kli\n"
    "SELECT user_id AS id, token FROM sessions WHERE token = :kli;\n"
    "-- name: by_path :one\n"
    "SELECT user_id FROM sessions WHERE token = :token;\n"
    "-- name: by_query :one\n"
    "-- param: n int\n"
    "SELECT user_id FROM sessions WHERE user_id = :n;\n"
    "-- name: seen :one\n"
    "-- param: kli string from cookie.kli\n"
    "UPDATE sessions SET seen = seen + 1;\n"
    "SELECT user_id AS id FROM sessions WHERE token = :kli;\n"
    "-- name: count :one\n"
    "SELECT SUM(seen) AS n FROM sessions;\n"
    "-- name: mine :one\n"
    "SELECT :first.id AS id, :first.token AS token;\n"
    "-- name: hashed :one\n"
    "-- let: hash = first.token hash(sha256)\n"
    "-- let: place = request.ip\n"
    "SELECT :hash AS hash, :place AS place;\n"
    "-- name: wrong :one\n"
    "SELECT :first.nothing AS id;\n"
    "-- name: list :many\n"
    "SELECT user_id FROM sessions;\n";

static const struct {
    const char *name, *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"user", "lookup run/by_token else=401", NULL},
    {"user", "lookup run/by_token optional", NULL},
    {"user", "deny 403", NULL},
    {"user", "lookup run/by_token", "else="},
    {"user", "lookup", "needs a model"},
    {"user", "lookup run/none else=401", "run/none"},
    {"user", "lookup run/list else=401", ":one"},
    {"user", "lookup run/by_token else=200", "\"200\""},
    {"user", "lookup run/by_token else=4011", "\"4011\""},
    {"user", "lookup run/by_token else=401 else=404", "twice"},
    {"user", "lookup run/by_token else=401 loud", "\"loud\""},
    {"user", "deny", "one status"},
    {"user", "deny 4x3", "\"4x3\""},
    {"request", "deny 403", "guard request: "},
};

START_TEST(guards_are_made_from_words)
{
    mouse_guard_t *guard = NULL;
    mouse_error_t *err = NULL;
    apr_status_t rv = guard_rig_make(guard_rig_open(schema, models), made[_i].name,
                                     made[_i].words, &guard, &err);

    ck_assert_int_eq(rv == APR_SUCCESS, made[_i].says == NULL);
    if (made[_i].says) {
        const char *text = mouse_error_text(unit_pool, err);

        ck_assert_int_eq(strncmp(text, "site.conf:12: ", 14), 0);
        ck_assert_msg(strstr(text, made[_i].says) != NULL, "%s", text);
    }
}
END_TEST

static const struct {
    const char *user; /* the guard "user", or NULL */
    const char *next; /* one more, or NULL */
    rig_ask_t ask;
    const char *want; /* of the model behind the chain, or the denial */
} runs[] = {
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/mine", .cookie = "kli=abc"},
     "200 {\"id\":7,\"token\":\"abc\"}"},
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/mine", .cookie = "kli=abd"},
     "401 denied"},
    {"lookup run/by_token else=401", NULL, {.model = "run/mine"}, "401 denied"},
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/mine", .cookie = "kli=two"},
     "401 denied"},
    {"lookup run/by_token optional",
     NULL,
     {.model = "run/mine"},
     "200 {\"id\":null,\"token\":null}"},
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/wrong", .cookie = "kli=abc"},
     "500 context-missing"},
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/hashed", .cookie = "kli=abc"},
     "200 {\"hash\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\","
     "\"place\":\"192.0.2.1\"}"},
    {"lookup run/by_token optional",
     NULL,
     {.model = "run/hashed"},
     "200 {\"hash\":null,\"place\":\"192.0.2.1\"}"},
    {"lookup run/by_path else=404",
     NULL,
     {.model = "run/count", .path = "token=abc"},
     "200 {\"n\":0}"},
    {"lookup run/by_path else=404",
     NULL,
     {.model = "run/count", .path = "token=x"},
     "404 denied"},
    {"lookup run/by_query else=404",
     NULL,
     {.model = "run/count", .query = "n=x"},
     "422 parameters"},
    {"lookup run/seen else=401",
     NULL,
     {.model = "run/count", .cookie = "kli=abc"},
     "200 {\"n\":3}"},
    {"lookup run/by_token else=401",
     "deny 403",
     {.model = "run/mine", .cookie = "kli=abc"},
     "403 denied"},
    {"deny 403", "lookup run/by_token else=401", {.model = "run/mine"}, "403 denied"},
};

static const mouse_chain_t *chain_of(guard_rig_t *setting, const rig_ask_t *ask,
                                     const char *first, const char *second)
{
    const char *const words[] = {first, second};

    return guard_rig_chain(setting, ask, words, second ? 2 : 1);
}

static const char *tell(const mouse_error_t *err)
{
    return apr_psprintf(unit_pool, "%d %s", err->status, mouse_code_slug(err->code));
}

static const char *run_behind(rig_t *rig, mouse_request_t *req, const rig_ask_t *ask)
{
    const rig_ask_t plain = {.model = ask->model};
    const mouse_shape_t shape = {.status = 0};
    mouse_answer_t *answer = apr_pcalloc(unit_pool, sizeof(*answer));
    mouse_error_t *err = NULL;

    if (mouse_model_run(req, rig_bind(rig, &plain), rig->db, &shape, MOUSE_FORMAT_JSON,
                        answer, &err) != APR_SUCCESS)
        return tell(err);
    return apr_psprintf(unit_pool, "%d %.*s", answer->status, (int)answer->body.buf.len,
                        answer->body.buf.data);
}

START_TEST(chains_run_up_to_the_first_denial)
{
    guard_rig_t *setting = guard_rig_open(schema, models);
    const rig_ask_t *ask = &runs[_i].ask;
    const mouse_chain_t *chain = chain_of(setting, ask, runs[_i].user, runs[_i].next);
    mouse_request_t *req = rig_request(setting->rig, ask);
    mouse_error_t *err = NULL;

    if (mouse_chain_run(chain, req, &err) == MOUSE_GUARD_DENY)
        ck_assert_str_eq(tell(err), runs[_i].want);
    else
        ck_assert_str_eq(run_behind(setting->rig, req, ask), runs[_i].want);
}
END_TEST

START_TEST(chains_tell_what_they_hold)
{
    guard_rig_t *setting = guard_rig_open(schema, models);
    const rig_ask_t ask = {.model = "run/mine"};
    const mouse_chain_t *chain =
        chain_of(setting, &ask, "lookup run/by_token else=401", NULL);
    const mouse_chain_t *deny = chain_of(setting, &ask, "deny 404", NULL);

    ck_assert_int_eq(mouse_chain_count(chain), 1);
    ck_assert_str_eq(mouse_chain_get(chain, 0)->name, "first");
    ck_assert(mouse_chain_gives_context(chain));
    ck_assert(!mouse_chain_gives_context(deny));
}
END_TEST

/* Context by hand, of "first", "second" or both; then run/mine or what ask says. */
static const struct {
    const char *user, *next;
    rig_ask_t ask;
    const char *given[8]; /* guard, field, value, ... */
    const char *want;
} by_hand[] = {
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/mine"},
     {"first", "id", "8", "first", "token", "any"},
     "200 {\"id\":\"8\",\"token\":\"any\"}"},
    {"lookup run/by_token else=401",
     NULL,
     {.model = "run/mine"},
     {"first", "id", "8"},
     "400 bad-request"},
    /* The token that a session is found by is not asked for... */
    {"lookup run/by_token else=401",
     "lookup run/by_token else=401",
     {.model = "run/count"},
     {"second", "id", "8"},
     "200 {\"n\":0}"},
    /* ... and not there, either. */
    {"lookup run/by_token else=401",
     "lookup run/by_token else=401",
     {.model = "run/mine"},
     {"second", "id", "8"},
     "400 bad-request"},
    {"deny 403",
     "lookup run/by_token else=401",
     {.model = "run/count"},
     {"second", "id", "8"},
     "403 denied"},
    {"lookup run/by_token else=401",
     "lookup run/by_token else=401",
     {.model = "run/count"},
     {"first", "id", "8"},
     "401 denied"},
    {"lookup run/by_token else=401",
     "lookup run/mine else=404",
     {.model = "run/mine"},
     {"first", "id", "8", "first", "token", "any"},
     "200 {\"id\":\"8\",\"token\":\"any\"}"},
};

static apr_array_header_t *give(const char *const *words)
{
    apr_array_header_t *given = apr_array_make(unit_pool, 2, sizeof(mouse_context_t));
    mouse_context_t *context = NULL;

    for (; *words; words += 3) {
        if (!context || strcmp(context->guard, words[0]) != 0) {
            context = apr_array_push(given);
            *context = (mouse_context_t){.guard = words[0], .given = true};
            context->names = apr_pcalloc(unit_pool, 2 * sizeof(*context->names));
            context->values = apr_pcalloc(unit_pool, 2 * sizeof(*context->values));
        }
        mouse_guard_set_text(context, context->count++, words[1], words[2]);
    }
    return given;
}

START_TEST(context_is_given_by_hand)
{
    guard_rig_t *setting = guard_rig_open(schema, models);
    const rig_ask_t *ask = &by_hand[_i].ask;
    const mouse_chain_t *chain = chain_of(setting, ask, by_hand[_i].user, by_hand[_i].next);
    mouse_request_t *req = rig_request(setting->rig, ask);
    mouse_error_t *err = NULL;

    req->given = give(by_hand[_i].given);
    if (mouse_chain_run(chain, req, &err) == MOUSE_GUARD_DENY)
        ck_assert_str_eq(tell(err), by_hand[_i].want);
    else
        ck_assert_str_eq(run_behind(setting->rig, req, ask), by_hand[_i].want);
}
END_TEST

/* A lookup that denies leaves nothing written. */
START_TEST(a_miss_is_rolled_back)
{
    guard_rig_t *setting = guard_rig_open(schema, models);
    const rig_ask_t ask = {.model = "run/count", .cookie = "kli=none"};
    const mouse_chain_t *chain = chain_of(setting, &ask, "lookup run/seen else=401", NULL);
    mouse_error_t *err = NULL;

    ck_assert_int_eq(mouse_chain_run(chain, rig_request(setting->rig, &ask), &err),
                     MOUSE_GUARD_DENY);
    ck_assert_str_eq(rig_get(setting->rig, "run/count"), "200 {\"n\":0}");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("chain");
    TCase *tcase = unit_case(suite, "chain");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, chains_run_up_to_the_first_denial, 0,
                        sizeof(runs) / sizeof(runs[0]));
    tcase_add_loop_test(tcase, context_is_given_by_hand, 0,
                        sizeof(by_hand) / sizeof(by_hand[0]));
    tcase_add_test(tcase, chains_tell_what_they_hold);
    tcase_add_test(tcase, a_miss_is_rolled_back);
    return suite;
}
