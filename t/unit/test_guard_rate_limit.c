/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: rate-limit - its words, its keys, its fields, rates out of context. */

#include "guard_rig.h"

#include <apr_strings.h>

static const char models[] = "-- name: plan :one\n"
                             "SELECT 5 AS five, 0 AS none, NULL AS blank, 'x' AS word,\n"
                             "  '5.00' AS exact, '5.01' AS more, -5 AS minus,\n"
                             "  99999999999 AS large, 2 AS two;\n";

/* ---- words ---- */

static const struct {
    const char *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"rate-limit 100/1m key={request.ip}", NULL},
    {"rate-limit 100/1m burst=20 key={request.ip} keys=1000 else=503", NULL},
    {"rate-limit 5/500ms key=all", NULL},
    {"rate-limit 20000/1s key=all", NULL},
    {"rate-limit 1/3650d key=all", NULL},
    {"rate-limit {key.rate}/1m key={key.id} burst={key.burst} default=5", NULL},
    {"rate-limit {env.RATE}/1m key={user.id}{request.ip}", NULL},
    {"rate-limit", "rate-limit needs a rate"},
    {"rate-limit key={request.ip}", "\"key={request.ip}\" is no rate"},
    {"rate-limit 100/1m", "key= is required"},
    {"rate-limit 100/1m key=", "key= is required"},
    {"rate-limit 100/1m key={", "brace"},
    {"rate-limit 100 key=all", "\"100\" is no rate: write RATE/PERIOD"},
    {"rate-limit 100/m key=all", "\"100/m\" is no rate"},
    {"rate-limit 100/0s key=all", "\"100/0s\" is no rate"},
    {"rate-limit 100/1w key=all", "\"100/1w\" is no rate"},
    {"rate-limit 0/1m key=all", "\"0\" is no rate: a whole number from 1"},
    {"rate-limit -1/1m key=all", "\"-1\" is no rate"},
    {"rate-limit 1.5/1m key=all", "\"1.5\" is no rate"},
    {"rate-limit /1m key=all", "\"\" is no rate"},
    {"rate-limit 1e3/1m key=all", "\"1e3\" is no rate"},
    {"rate-limit 20001/1s key=all",
     "20001/1s is too fast to be counted exactly: at most 20000/1s"},
    {"rate-limit 9999999999999999999/1s key=all", "is no rate"},
    {"rate-limit 1/99999999d key=all", "too long"},
    {"rate-limit 5/1m burst=0 key=all", "\"0\" is no burst"},
    {"rate-limit 5/1m burst=x key=all", "\"x\" is no burst"},
    {"rate-limit 1/1d burst=999999999999 key=all", "burst= is at most"},
    {"rate-limit 5/1m default=7 key=all", "default= is for a rate that is context"},
    {"rate-limit {k.r}/1m default=999999999 key=all", "too fast"},
    {"rate-limit {rate}/1m key=all", "would let clients choose"},
    {"rate-limit {header.rate}/1m key=all", "would let clients choose"},
    {"rate-limit {k.r}/1m burst={cookie.b} key=all", "would let clients choose"},
    {"rate-limit {k.r}{k.s}/1m key=all", "is not one value"},
    {"rate-limit 5/1m key=all keys=0", "\"keys=0\""},
    {"rate-limit 5/1m key=all keys=10k", "\"keys=10k\""},
    {"rate-limit 5/1m key=all keys=99999999", "\"keys=99999999\""},
    {"rate-limit 5/1m key=all else=200", "\"200\""},
    {"rate-limit 5/1m key=all key=any", "twice"},
    {"rate-limit 5/1m key=all loud", "\"loud\""},
};

START_TEST(words_are_checked)
{
    guard_rig_judge(guard_rig_open(NULL, models), made[_i].words, made[_i].says);
}
END_TEST

/* ---- requests at a time ---- */

static guard_rig_t *rig;
static apr_time_t start;

static const mouse_chain_t *chain_of(const char *first, const char *second)
{
    static const rig_ask_t ask = {.method = "GET"};
    const char *const words[] = {first, second};

    rig = guard_rig_open(NULL, models);
    start = apr_time_now() + apr_time_from_sec(1000);
    return guard_rig_chain(rig, &ask, words, second ? 2 : 1);
}

/* "pass" or "429 rate-limited", then the fields " POLICY | ITEM | Retry-After - LOG". */
static const char *run_at(const mouse_chain_t *chain, const rig_ask_t *ask, int ms)
{
    mouse_request_t *req = rig_request(rig->rig, ask);
    mouse_error_t *err = NULL;
    const char *policy, *item, *says = "pass";

    req->now = start + (apr_time_t)ms * 1000;
    if (mouse_chain_run(chain, req, &err) == MOUSE_GUARD_DENY)
        says = apr_psprintf(unit_pool, "%d %s", err->status, mouse_code_slug(err->code));
    policy = apr_table_get(req->headers, "RateLimit-Policy");
    item = apr_table_get(req->headers, "RateLimit");
    says = apr_psprintf(unit_pool, "%s %s | %s", says, policy ? policy : "-",
                        item ? item : "-");
    if (!err)
        return says;
    return apr_psprintf(unit_pool, "%s | %d%s%s", says, err->retry_after,
                        err->log ? " - " : "", err->log ? err->log : "");
}

static bool passes(const mouse_chain_t *chain, const rig_ask_t *ask)
{
    return strncmp(run_at(chain, ask, 0), "pass ", 5) == 0;
}

START_TEST(answers_carry_fields)
{
    const mouse_chain_t *chain = chain_of("rate-limit 6/1m burst=2 key={request.ip}", NULL);
    const rig_ask_t ask = {.method = "GET"};

    ck_assert_str_eq(run_at(chain, &ask, 0),
                     "pass \"first\";q=6;w=60 | \"first\";r=1;t=10");
    ck_assert_str_eq(run_at(chain, &ask, 1500),
                     "pass \"first\";q=6;w=60 | \"first\";r=0;t=19");
    ck_assert_str_eq(run_at(chain, &ask, 1600), "429 rate-limited \"first\";q=6;w=60 | "
                                                "\"first\";r=0;t=19 | 9");
    ck_assert_str_eq(run_at(chain, &ask, 9900), "429 rate-limited \"first\";q=6;w=60 | "
                                                "\"first\";r=0;t=11 | 1");
    /* Who waits as long as it was told passes. */
    ck_assert_str_eq(run_at(chain, &ask, 10600),
                     "pass \"first\";q=6;w=60 | \"first\";r=0;t=20");
    ck_assert_str_eq(run_at(chain, &ask, 60000),
                     "pass \"first\";q=6;w=60 | \"first\";r=1;t=10");
}
END_TEST

START_TEST(a_period_below_a_second_has_no_window)
{
    const mouse_chain_t *chain = chain_of("rate-limit 1/500ms key=all else=503", NULL);
    const rig_ask_t ask = {.method = "GET"};

    ck_assert_str_eq(run_at(chain, &ask, 0), "pass \"first\";q=1 | \"first\";r=0;t=1");
    ck_assert_str_eq(run_at(chain, &ask, 0),
                     "503 rate-limited \"first\";q=1 | \"first\";r=0;t=1 | 1");
    ck_assert_str_eq(run_at(chain, &ask, 501), "pass \"first\";q=1 | \"first\";r=0;t=1");
}
END_TEST

START_TEST(two_limits_have_two_fields)
{
    const mouse_chain_t *chain = chain_of("rate-limit 6/1m burst=2 key={request.ip}",
                                          "rate-limit 1/1m key={request.method}");
    const rig_ask_t ask = {.method = "GET"};
    mouse_request_t *req;

    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), "pass");
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, &req), "429 rate-limited");
    ck_assert_str_eq(apr_table_getm(unit_pool, req->headers, "RateLimit-Policy"),
                     "\"first\";q=6;w=60,\"second\";q=1;w=60");
}
END_TEST

/* ---- keys ---- */

static const struct {
    const char *key;
    rig_ask_t one, other;
    bool same;
} keys[] = {
    {"{request.ip}", {.ip = "192.0.2.1"}, {.ip = "192.0.2.1"}, true},
    {"{request.ip}", {.ip = "192.0.2.1"}, {.ip = "192.0.2.2"}, false},
    {"{request.ip}", {.ip = "192.0.2.1"}, {.ip = "::ffff:192.0.2.1"}, true},
    {"{request.ip}", {.ip = "::ffff:192.0.2.1"}, {.ip = "::ffff:192.0.2.2"}, false},
    {"{request.ip}", {.ip = "2001:db8::1"}, {.ip = "2001:db8::ffff:1:2:3"}, true},
    {"{request.ip}", {.ip = "2001:db8::1"}, {.ip = "2001:DB8:0:0:8000::"}, true},
    {"{request.ip}", {.ip = "2001:db8::1"}, {.ip = "2001:db8:0:1::1"}, false},
    {"{request.ip}", {.ip = "2001:db8:1::1"}, {.ip = "2001:db8:2::1"}, false},
    {"{request.ip}", {.ip = "fe80::1%eth0"}, {.ip = "fe80::2%eth1"}, true},
    {"{request.ip}", {.ip = "::1"}, {.ip = "127.0.0.1"}, false},
    {"u{request.ip}", {.ip = "2001:db8::1"}, {.ip = "2001:db8::2"}, true},
    {"{request.method,request.ip}", {.ip = "2001:db8::1"}, {.ip = "2001:db8::2"}, true},
    {"{request.ip}", {.sent = {"X-Forwarded-For", "192.0.2.8"}}, {.ip = NULL}, true},
    {"all", {.ip = "192.0.2.1"}, {.ip = "192.0.2.2"}, true},
    {"{name}", {.query = "name=a"}, {.query = "name=a"}, true},
    {"{name}", {.query = "name=a"}, {.query = "name=b"}, false},
    {"{name}", {.query = "name=a"}, {.query = "x=a"}, false},
    {"{name}", {.query = "name="}, {.query = "x=a"}, false},
    {"{name}", {.query = "x=b"}, {.query = "x=a"}, true},
    {"{name}", {.query = "name=a"}, {.query = "name=%61"}, true},
    {"{a}:{b}", {.query = "a=1:2&b=3"}, {.query = "a=1&b=2:3"}, false},
    {"{cookie.kli}", {.cookie = "kli=a"}, {.cookie = "kli=b"}, false},
    {"{name}",
     {.method = "POST", .body = "{\"name\":\"a\"}"},
     {.method = "POST", .body = "{\"name\":\"b\"}"},
     false},
};

START_TEST(keys_are_counted_apart)
{
    const mouse_chain_t *chain =
        chain_of(apr_pstrcat(unit_pool, "rate-limit 1/1h key=", keys[_i].key, NULL), NULL);

    ck_assert(passes(chain, &keys[_i].one));
    ck_assert(!passes(chain, &keys[_i].one));
    ck_assert_int_eq(passes(chain, &keys[_i].other), !keys[_i].same);
    ck_assert(!passes(chain, &keys[_i].other));
}
END_TEST

START_TEST(a_bad_parameter_is_no_key)
{
    const mouse_chain_t *chain = chain_of("rate-limit 1/1h key={name}", NULL);
    const rig_ask_t twice = {.query = "name=a&name=b"};

    ck_assert_str_eq(guard_rig_run(rig, chain, &twice, NULL), "422 parameters");
}
END_TEST

/* ---- rates out of context ---- */

static const struct {
    const char *words;
    int passed; /* of 20 at once; -1: 500 */
    const char *policy;
} contexts[] = {
    {"rate-limit {first.five}/1m key=all", 5, "\"second\";q=5;w=60"},
    {"rate-limit {first.five}/1m burst=2 key=all", 2, "\"second\";q=5;w=60"},
    {"rate-limit {first.five}/1m burst={first.two} key=all", 2, "\"second\";q=5;w=60"},
    {"rate-limit {first.five}/1m burst={first.none} key=all", 1, "\"second\";q=5;w=60"},
    {"rate-limit {first.five}/1m burst={first.blank} key=all", 5, "\"second\";q=5;w=60"},
    {"rate-limit {first.five}/1m burst={first.large} key=all", 20, "\"second\";q=5;w=60"},
    {"rate-limit 5/1m burst={first.two} key=all", 2, "\"second\";q=5;w=60"},
    {"rate-limit {first.exact}/1m key=all", 5, "\"second\";q=5;w=60"},
    {"rate-limit {first.none}/1m key=all", 0, "\"second\";q=0;w=60"},
    {"rate-limit {first.none}/1m default=7 key=all", 0, "\"second\";q=0;w=60"},
    {"rate-limit {first.blank}/1m default=7 key=all", 7, "\"second\";q=7;w=60"},
    {"rate-limit {first.blank}/1m key=all", -1, NULL},
    {"rate-limit {first.word}/1m key=all", -1, NULL},
    {"rate-limit {first.more}/1m key=all", -1, NULL},
    {"rate-limit {first.minus}/1m key=all", -1, NULL},
    {"rate-limit {first.large}/1m key=all", -1, NULL},
    {"rate-limit 5/1m burst={first.word} key=all", -1, NULL},
    {"rate-limit {first.other}/1m key=all", -1, NULL},
};

START_TEST(rates_are_context)
{
    const mouse_chain_t *chain = chain_of("lookup run/plan else=401", contexts[_i].words);
    const rig_ask_t ask = {.method = "GET"};
    const char *says;
    int i, passed = 0;

    for (i = 0; i < 20; i++)
        passed += passes(chain, &ask);
    says = run_at(chain, &ask, 0);
    if (contexts[_i].passed < 0) {
        ck_assert_int_eq(passed, 0);
        ck_assert_msg(strncmp(says, "500 context-missing - | - | 0 - ", 32) == 0, "%s",
                      says);
        return;
    }
    ck_assert_int_eq(passed, contexts[_i].passed);
    ck_assert_msg(strstr(says, contexts[_i].policy) != NULL, "%s", says);
}
END_TEST

START_TEST(a_rate_of_none_tells_the_period)
{
    const mouse_chain_t *chain =
        chain_of("lookup run/plan else=401", "rate-limit {first.none}/1m key=all");
    const rig_ask_t ask = {.method = "GET"};

    ck_assert_str_eq(run_at(chain, &ask, 0),
                     "429 rate-limited \"second\";q=0;w=60 | \"second\";r=0;t=60 | 60");
}
END_TEST

START_TEST(a_bad_rate_is_logged)
{
    const mouse_chain_t *chain =
        chain_of("lookup run/plan else=401", "rate-limit {first.word}/1m key=all");
    const rig_ask_t ask = {.method = "GET"};

    ck_assert_str_eq(run_at(chain, &ask, 0),
                     "500 context-missing - | - | 0 - rate-limit {first.word}/1m: x is no "
                     "rate: a whole number up to 1200000");
}
END_TEST

START_TEST(a_crowd_is_logged)
{
    const mouse_chain_t *chain = chain_of("rate-limit 1/1h keys=1 key={name}", NULL);
    const rig_ask_t ask = {.query = "name=8"}, ninth = {.query = "name=9"};
    int i;

    for (i = 1; i < 8; i++) {
        const rig_ask_t one = {.query = apr_psprintf(unit_pool, "name=%d", i)};

        ck_assert(passes(chain, &one));
    }
    ck_assert(passes(chain, &ask));
    ck_assert_str_eq(
        run_at(chain, &ninth, 0),
        "429 rate-limited \"first\";q=1;w=3600 | \"first\";r=0;t=3600 | 3600 - "
        "guard first: the key shares a cell, keys= is too small");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_rate_limit");
    TCase *tcase = unit_case(suite, "guard_rate_limit");

    tcase_add_loop_test(tcase, words_are_checked, 0, sizeof(made) / sizeof(made[0]));
    tcase_add_test(tcase, answers_carry_fields);
    tcase_add_test(tcase, a_period_below_a_second_has_no_window);
    tcase_add_test(tcase, two_limits_have_two_fields);
    tcase_add_loop_test(tcase, keys_are_counted_apart, 0, sizeof(keys) / sizeof(keys[0]));
    tcase_add_test(tcase, a_bad_parameter_is_no_key);
    tcase_add_loop_test(tcase, rates_are_context, 0,
                        sizeof(contexts) / sizeof(contexts[0]));
    tcase_add_test(tcase, a_rate_of_none_tells_the_period);
    tcase_add_test(tcase, a_bad_rate_is_logged);
    tcase_add_test(tcase, a_crowd_is_logged);
    return suite;
}
