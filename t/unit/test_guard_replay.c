/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: replays, with and without timestamps. */

#include "guard_rig.h"

#include <apr_strings.h>

#define SEEN    "403 replayed - the nonce was seen before"
#define MISSING "403 replayed - the nonce is missing"
#define NONE    "403 replayed - the timestamp is none"
#define OLD     "403 replayed - the timestamp is too old"
#define FUTURE  "403 replayed - the timestamp is in the future"
#define BEFORE  "403 replayed - the timestamp is older than the memory of nonces"

typedef struct setting_t {
    guard_rig_t *rig;
    const mouse_chain_t *chain;
} setting_t;

static setting_t make(const char *words)
{
    const rig_ask_t ask = {.method = "POST", .body = "{}"};
    setting_t setting = {.rig = guard_rig_open(NULL, NULL)};

    setting.chain = guard_rig_chain(setting.rig, &ask, &words, 1);
    return setting;
}

static const char *send_both(setting_t setting, const char *nonce, const char *time)
{
    rig_ask_t *ask = apr_pcalloc(unit_pool, sizeof(*ask));

    *ask = (rig_ask_t){.method = "POST", .body = "{}"};
    if (nonce) {
        ask->sent[0] = "X-Nonce";
        ask->sent[1] = nonce;
    }
    if (time) {
        ask->sent[nonce ? 2 : 0] = "X-Time";
        ask->sent[nonce ? 3 : 1] = time;
    }
    return guard_rig_run(setting.rig, setting.chain, ask, NULL);
}

START_TEST(each_nonce_passes_once)
{
    setting_t setting = make("replay 'nonce={header.x_nonce}'");

    ck_assert_str_eq(send_both(setting, "a", NULL), "pass");
    ck_assert_str_eq(send_both(setting, "a", NULL), SEEN);
    ck_assert_str_eq(send_both(setting, "A", NULL), "pass");
    ck_assert_str_eq(send_both(setting, "a ", NULL), "pass");
    ck_assert_str_eq(send_both(setting, "", NULL), MISSING);
    ck_assert_str_eq(send_both(setting, NULL, NULL), MISSING);
    ck_assert_str_eq(send_both(setting, "a", NULL), SEEN);
}
END_TEST

START_TEST(nonces_of_two_values)
{
    setting_t setting =
        make("replay 'nonce={header.x_nonce}:{header.x_time}' window=1s else=409");

    ck_assert_str_eq(send_both(setting, "a:b", "c"), "pass");
    ck_assert_str_eq(send_both(setting, "a", "b:c"), "pass");
    ck_assert_str_eq(send_both(setting, "a:b", "c"),
                     "409 replayed - the nonce was seen before");
    ck_assert_str_eq(send_both(setting, "a", NULL), "409 replayed - the nonce is missing");
    ck_assert_str_eq(send_both(setting, NULL, "c"), "409 replayed - the nonce is missing");
}
END_TEST

/* Of the guard of `words`, made `ago` seconds before the request. */
static const char *at(setting_t setting, const char *nonce, apr_time_t unit, int offset)
{
    apr_time_t now = apr_time_now() / unit;

    return send_both(setting, nonce,
                     apr_psprintf(unit_pool, "%" APR_TIME_T_FMT,
                                  now + offset * (APR_USEC_PER_SEC / unit)));
}

/* Waits for the next whole second, so that "now" in seconds is not before the start. */
static setting_t make_old(const char *words)
{
    setting_t setting = make(words);

    apr_sleep(APR_USEC_PER_SEC - apr_time_now() % APR_USEC_PER_SEC);
    return setting;
}

#define WORDS "replay 'nonce={header.x_nonce}' 'timestamp={header.x_time}' "

START_TEST(timestamps_in_seconds)
{
    static const char *const none[] = {
        "", "x", "1.5", "-1", " 1", "01", "+1", "99999999999999", "1e10", "0x1", NULL};
    setting_t setting = make_old(WORDS "window=10s");
    int i;

    ck_assert_str_eq(at(setting, "a", APR_USEC_PER_SEC, 0), "pass");
    ck_assert_str_eq(at(setting, "a", APR_USEC_PER_SEC, 0), SEEN);
    ck_assert_str_eq(at(setting, "a", APR_USEC_PER_SEC, 5), SEEN);
    ck_assert_str_eq(at(setting, "b", APR_USEC_PER_SEC, 9), "pass");
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, 12), FUTURE);
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, -12), OLD);
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, -5), BEFORE);
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, 1000), FUTURE);
    ck_assert_str_eq(at(setting, NULL, APR_USEC_PER_SEC, 0), MISSING);
    for (i = 0; none[i]; i++)
        ck_assert_str_eq(send_both(setting, "c", none[i]), NONE);
    ck_assert_str_eq(send_both(setting, "c", NULL), NONE);
    /* what was refused has used nothing up */
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, 0), "pass");
}
END_TEST

START_TEST(timestamps_in_milliseconds)
{
    setting_t setting = make_old(WORDS "window=10s unit=ms");

    ck_assert_str_eq(at(setting, "a", 1000, 0), "pass");
    ck_assert_str_eq(at(setting, "a", 1000, 0), SEEN);
    ck_assert_str_eq(at(setting, "b", 1000, 9), "pass");
    ck_assert_str_eq(at(setting, "c", 1000, 11), FUTURE);
    ck_assert_str_eq(at(setting, "c", 1000, -11), OLD);
    ck_assert_str_eq(at(setting, "c", 1000, -8), BEFORE);
    ck_assert_str_eq(at(setting, "c", APR_USEC_PER_SEC, 0), OLD); /* seconds */
}
END_TEST

/* With ahead= nothing that an earlier server may have let pass comes again. */
START_TEST(ahead_closes_the_gap_of_a_restart)
{
    setting_t setting = make_old(WORDS "window=10s ahead=2s unit=ms");

    ck_assert_str_eq(at(setting, "a", 1000, 0), BEFORE);
    ck_assert_str_eq(at(setting, "a", 1000, 3), FUTURE);
    apr_sleep(apr_time_from_sec(2));
    ck_assert_str_eq(at(setting, "a", 1000, 0), "pass");
    ck_assert_str_eq(at(setting, "a", 1000, -4), BEFORE);
    setting = make_old(WORDS "window=10s ahead=0s unit=ms");
    ck_assert_str_eq(at(setting, "a", 1000, 0), "pass");
    ck_assert_str_eq(at(setting, "b", 1000, 1), FUTURE);
}
END_TEST

START_TEST(full_is_another_error)
{
    setting_t setting = make("replay 'nonce={header.x_nonce}' entries=1");
    int i;

    for (i = 0; i < 64; i++)
        ck_assert_str_eq(send_both(setting, apr_itoa(unit_pool, i), NULL), "pass");
    ck_assert_str_eq(send_both(setting, "one more", NULL),
                     "503 nonces-full - no place for a nonce: raise entries=");
    ck_assert_str_eq(send_both(setting, "0", NULL), SEEN);
}
END_TEST

/* Nobody uses a nonce up who does not get through the guards before. */
START_TEST(only_what_passed_is_recorded)
{
    const char *words[] = {"lookup run/one optional", "replay 'nonce={header.x_nonce}'",
                           "deny 418"};
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const rig_ask_t ask = {.sent = {"X-Nonce", "n"}};
    const mouse_chain_t *chain;

    chain = guard_rig_chain(rig, &ask, words, 3);
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), "418 denied");
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), SEEN);
    words[0] = "deny 401";
    chain = guard_rig_chain(rig, &ask, words, 2);
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), "401 denied");
    chain = guard_rig_chain(rig, &ask, words + 1, 1);
    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), "pass");
}
END_TEST

static const struct {
    const char *words, *says;
} bad[] = {
    {"replay", "takes nonce="},
    {"replay window=5m", "takes nonce="},
    {"replay nonce=abc", "names no value"},
    {"replay nonce=", "names no value"},
    {"replay 'nonce={a' ", "unpaired brace"},
    {"replay 'nonce={n}' window=5", "window=5: write"},
    {"replay 'nonce={n}' window=2d", "window=2d: write"},
    {"replay 'nonce={n}' unit=ms", "unit= is for a timestamp="},
    {"replay 'nonce={n}' ahead=1s", "ahead= is for a timestamp="},
    {"replay 'nonce={n}' 'timestamp={t}' unit=us", "unit=us is none"},
    {"replay 'nonce={n}' 'timestamp={t}' ahead=x", "ahead=x: write"},
    {"replay 'nonce={n}' 'timestamp={t'", "unpaired brace"},
    {"replay 'nonce={n}' entries=0", "entries=0"},
    {"replay 'nonce={n}' entries=16777217", "entries=16777217"},
    {"replay 'nonce={n}' entries=1k", "entries=1k"},
    {"replay 'nonce={n}' entries=", "entries=:"},
    {"replay 'nonce={n}' else=200", "\"200\""},
    {"replay 'nonce={n}' optional", "\"optional\""},
};

START_TEST(bad_words_are_refused)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), bad[_i].words, bad[_i].says);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_replay");
    TCase *tcase = unit_case(suite, "guard_replay");

    tcase_add_test(tcase, each_nonce_passes_once);
    tcase_add_test(tcase, nonces_of_two_values);
    tcase_add_test(tcase, timestamps_in_seconds);
    tcase_add_test(tcase, timestamps_in_milliseconds);
    tcase_add_test(tcase, ahead_closes_the_gap_of_a_restart);
    tcase_add_test(tcase, full_is_another_error);
    tcase_add_test(tcase, only_what_passed_is_recorded);
    tcase_add_loop_test(tcase, bad_words_are_refused, 0, sizeof(bad) / sizeof(bad[0]));
    return suite;
}
