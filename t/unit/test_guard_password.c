/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * guard: passwords against hashes, and that whatever is wrong costs the same run of crypt:
 * crypt_r is this file's here, which counts and calls libcrypt's.
 */

#include "guard_rig.h"

#include <crypt.h>
#include <dlfcn.h>

#include <apr_strings.h>

typedef char *(*crypt_fn)(const char *phrase, const char *setting, struct crypt_data *data);

static void (*inside)(void); /* what happens while crypt runs */
static int runs;             /* of crypt that were not refused at once */
static char last_price[8];   /* of the last of them: "$y$j75$" */

char *crypt_r(const char *phrase, const char *setting, struct crypt_data *data)
{
    crypt_fn next;
    char *made;

    *(void **)&next = dlsym(RTLD_NEXT, "crypt_r");
    made = next(phrase, setting, data);
    if (made && made[0] != '*') {
        runs++;
        apr_cpystrn(last_price, setting, sizeof(last_price));
    }
    if (inside)
        inside();
    return made;
}

#define YESCRYPT "$y$j75$TgVJIQ3oh.1TrM4lcAUS0.$D3Q/kg8uTIRmbRGYm1GjA4znpNUHKjVoYdYe.YSIX71"
#define BCRYPT   "$2b$04$aLB1sIoxsjNlzz/pEQCT1ewmDdrDcwPeUvl1R./nAY1Jn4NGhNnB."
#define SHA512                                                                             \
    "$6$rounds=1000$xiC29BZm5/wRhQXh$ueSCWPDxYQZemhd1W/imBSgaluO2VSx2yoi2oHmU44OC.S0V0cyN" \
    "oj/y8sClHrQzeGw1wfRztGn3wsxD1wHv3."
#define BCRYPT_72_A "$2b$04$8k.x/2V86.2t7f.pEMMmLe4WmQy4iKeyOsgbvL0GQxsm6ZXuT6xvq"

static const char *const schema[] = {
    "DROP TABLE IF EXISTS accounts",
    "CREATE TABLE accounts (name VARCHAR(20) NOT NULL, hash TEXT)",
    "INSERT INTO accounts VALUES ('yes', '" YESCRYPT "'), ('b', '" BCRYPT "'),"
    " ('sha', '" SHA512 "'), ('long', '" BCRYPT_72_A "'), ('none', NULL), ('empty', ''),"
    " ('md5', '$1$7VsTYjyi$mcP/3wnhdgsbgxpXoUrot0'), ('plain', 'secret'),"
    " ('cut', '$y$j75$'), ('salt', '$y$j75$TgVJIQ3oh.1TrM4lcAUS0.'), ('odd', '$y$'),"
    " ('torn', '$2b$04$aLB1sIoxsjNlzz'), ('cost', '$2b$99$aLB1sIoxsjNlzz/pEQCT1e'),"
    " ('2y', '$2y$04$aLB1sIoxsjNlzz/pEQCT1ewmDdrDcwPeUvl1R./nAY1Jn4NGhNnB.')",
    NULL,
};

static const char models[] = "-- name: account :one\n"
                             "-- param: name string from body\n"
                             "SELECT hash FROM accounts WHERE name = :name;\n";

#define LOOKUP "lookup run/account optional"
#define A71    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct {
    const char *name, *password, *cost, *want;
} checks[] = {
    {"yes", "secret", "yescrypt:1", "pass"},
    {"b", "secret", "bcrypt:4", "pass"},
    {"2y", "secret", "bcrypt:4", "pass"},
    {"sha", "secret", "sha512crypt:1000", "pass"},
    {"long", A71 "a", "bcrypt:4", "pass"},
    {"yes", "Secret", "yescrypt:1", "401 denied - wrong password"},
    {"yes", "secret ", "yescrypt:1", "401 denied - wrong password"},
    {"yes", "", "yescrypt:1", "401 denied - wrong password"},
    {"b", "secre", "bcrypt:4", "401 denied - wrong password"},
    {"sha", "x", "sha512crypt:1000", "401 denied - wrong password"},
    {"nobody", "secret", "yescrypt:1", "401 denied - there is no hash"},
    {"nobody", "secret", "bcrypt:4", "401 denied - there is no hash"},
    {"nobody", "secret", "sha512crypt:1000", "401 denied - there is no hash"},
    {"nobody", "x", "yescrypt:1", "401 denied - there is no hash"},
    {"none", "secret", "yescrypt:1", "401 denied - there is no hash"},
    {"empty", "", "yescrypt:1",
     "401 denied - the hash is of no method that this guard knows"},
    {"md5", "secret", "yescrypt:1",
     "401 denied - the hash is of no method that this guard knows"},
    {"plain", "secret", "bcrypt:4",
     "401 denied - the hash is of no method that this guard knows"},
    {"cut", "secret", "yescrypt:1", "401 denied - wrong password"},
    {"salt", "secret", "yescrypt:1", "401 denied - wrong password"},
    {"odd", "x", "yescrypt:1",
     "401 denied - the hash is of no method that this guard knows"},
    {"torn", "secret", "bcrypt:4",
     "401 denied - the hash is none, or there is no memory to look"},
    {"cost", "secret", "bcrypt:4",
     "401 denied - the hash is none, or there is no memory to look"},
    {"long", A71 "aZZZ", "bcrypt:4",
     "401 denied - the value is longer than bcrypt's 72 bytes"},
    {"yes", A71 "aZZZ", "yescrypt:1", "401 denied - wrong password"},
    {"yes", "secret\\u0000", "yescrypt:1", "401 denied - the value holds NUL"},
    {"b", "secret\\u0000x", "bcrypt:4", "401 denied - the value holds NUL"},
    {"nobody", "\\u0000", "bcrypt:4", "401 denied - there is no hash"},
};

static const char *password_words(const char *cost, const char *more)
{
    return apr_psprintf(unit_pool, "password hash={first.hash} value={password} cost=%s %s",
                        cost, more);
}

static const char *run(guard_rig_t *rig, const char *words, const char *body,
                       mouse_request_t **req)
{
    const rig_ask_t ask = {.method = "POST", .body = body};
    const char *const both[] = {LOOKUP, words};

    runs = 0;
    return guard_rig_run(rig, guard_rig_chain(rig, &ask, both, 2), &ask, req);
}

static const char *login(const char *name, const char *password)
{
    return apr_psprintf(unit_pool, "{\"name\":\"%s\",\"password\":\"%s\"}", name, password);
}

START_TEST(every_answer_costs_one_run)
{
    guard_rig_t *rig = guard_rig_open(schema, models);
    const char *price = checks[_i].cost[0] == 'y'   ? "$y$j75$"
                        : checks[_i].cost[0] == 'b' ? "$2b$04$"
                                                    : "$6$roun";

    ck_assert_str_eq(run(rig, password_words(checks[_i].cost, ""),
                         login(checks[_i].name, checks[_i].password), NULL),
                     checks[_i].want);
    ck_assert_int_eq(runs, 1);
    if (strcmp(checks[_i].name, "2y") != 0)
        ck_assert_str_eq(last_price, price);
    ck_assert_int_eq(rig->rig->log->nelts, 0);
}
END_TEST

/* 511 bytes are libcrypt's most. */
START_TEST(long_values)
{
    static const size_t lengths[] = {511, 512, 600, 100000};
    guard_rig_t *rig = guard_rig_open(schema, models);
    size_t i;

    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        char *text = apr_pcalloc(unit_pool, lengths[i] + 1);
        const char *got;

        memset(text, 'p', lengths[i]);
        got = run(rig, password_words("yescrypt:1", ""), login("yes", text), NULL);
        ck_assert_str_eq(got, i == 0 ? "401 denied - wrong password"
                                     : "401 denied - the value is longer than 511 bytes");
        ck_assert_int_eq(runs, 1);
    }
}
END_TEST

START_TEST(absent_values_are_parameters)
{
    static const char *const bodies[] = {"{\"name\":\"yes\"}", "{}",
                                         "{\"name\":\"yes\",\"password\":null}",
                                         "{\"name\":\"yes\",\"password\":1}",
                                         "{\"name\":\"yes\",\"password\":[\"secret\"]}"};
    guard_rig_t *rig = guard_rig_open(schema, models);
    size_t i;

    for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        const char *got = run(rig, password_words("yescrypt:1", ""), bodies[i], NULL);

        ck_assert_msg(strncmp(got, "422 parameters", 14) == 0, "%s: %s", bodies[i], got);
        ck_assert_int_eq(runs, 0);
    }
}
END_TEST

START_TEST(answers)
{
    guard_rig_t *rig = guard_rig_open(schema, models);
    mouse_request_t *req;

    ck_assert_str_eq(
        run(rig, password_words("yescrypt:1", "else=404"), login("nobody", "secret"), &req),
        "404 denied - there is no hash");
    ck_assert(apr_is_empty_table(req->headers));
    /* an absent header is no parameter: denied, at the same price */
    ck_assert_str_eq(run(rig,
                         "password hash={first.hash} value={header.x_secret} cost=bcrypt:4",
                         "{\"name\":\"b\"}", NULL),
                     "401 denied - there is no value");
    ck_assert_int_eq(runs, 1);
}
END_TEST

static guard_rig_t *crowd_rig;
static const mouse_chain_t *crowd;
static const rig_ask_t crowd_ask = {.method = "POST",
                                    .body = "{\"name\":\"yes\",\"password\":\"secret\"}"};
static const char *crowd_said;

static void one_more(void)
{
    inside = NULL;
    crowd_said = guard_rig_run(crowd_rig, crowd, &crowd_ask, NULL);
}

START_TEST(no_more_at_once_than_allowed)
{
    static const char *const wants[] = {
        "503 denied - as many passwords as at-once= allows are being checked", "pass"};
    int i;

    crowd_rig = guard_rig_open(schema, models);
    for (i = 0; i < 2; i++) {
        const char *both[] = {
            LOOKUP, password_words("yescrypt:1", i == 0 ? "at-once=1" : "at-once=2")};

        crowd = guard_rig_chain(crowd_rig, &crowd_ask, both, 2);
        inside = one_more;
        ck_assert_str_eq(guard_rig_run(crowd_rig, crowd, &crowd_ask, NULL), "pass");
        ck_assert_str_eq(crowd_said, wants[i]);
        ck_assert_str_eq(guard_rig_run(crowd_rig, crowd, &crowd_ask, NULL), "pass");
    }
}
END_TEST

/* What the models use and what cost= says differ: unknown users would be told by time. */
START_TEST(another_price_is_warned_of)
{
    static const struct {
        const char *name, *cost, *says;
    } rows[] = {
        {"b", "yescrypt:1", "a hash is $2b$04, but cost= says $y$j75"},
        {"b", "bcrypt:5", "a hash is $2b$04, but cost= says $2b$05"},
        {"yes", "yescrypt:2", "a hash is $y$j75, but cost= says $y$j85"},
        {"sha", "sha512crypt", "a hash is $6$rounds=1000, but cost= says $6:"},
    };
    guard_rig_t *rig = guard_rig_open(schema, models);
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *said;

        ck_assert_str_eq(
            run(rig, password_words(rows[i].cost, ""), login(rows[i].name, "secret"), NULL),
            "pass");
        ck_assert_int_eq(rig->rig->log->nelts, (int)i + 1);
        said = APR_ARRAY_IDX(rig->rig->log, i, const char *);
        ck_assert_msg(strstr(said, rows[i].says) != NULL, "%s", said);
    }
}
END_TEST

static const struct {
    const char *words, *says;
} bad[] = {
    {"password", "takes hash="},
    {"password hash={user.hash}", "takes hash="},
    {"password value={password}", "takes hash="},
    {"password hash=secret value={password}", "hash= is one value"},
    {"password hash={user.hash} value=x{password}", "value= is one value"},
    {"password hash={user.hash} value={a}{b}", "value= is one value"},
    {"password hash={user.hash} value={password} cost=md5", "cost=md5 is none"},
    {"password hash={user.hash} value={password} cost=", "cost= is none"},
    {"password hash={user.hash} value={password} cost=bcrypt:3", "cost=bcrypt:3 is none"},
    {"password hash={user.hash} value={password} cost=bcrypt:32", "is none"},
    {"password hash={user.hash} value={password} cost=bcrypt:", "is none"},
    {"password hash={user.hash} value={password} cost=bcrypt:-5", "is none"},
    {"password hash={user.hash} value={password} cost=bcrypt:12x", "is none"},
    {"password hash={user.hash} value={password} cost=yescrypt:12", "is none"},
    {"password hash={user.hash} value={password} cost=yescrypt:0", "is none"},
    {"password hash={user.hash} value={password} else=200", "\"200\""},
    {"password hash={user.hash} value={password} at-once=0", "at-once=0"},
    {"password hash={user.hash} value={password} at-once=4x", "at-once=4x"},
    {"password hash={user.hash} value={password} optional", "\"optional\""},
};

START_TEST(bad_words_are_refused)
{
    const char *said = guard_rig_refusal(guard_rig_open(NULL, NULL), bad[_i].words);

    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, bad[_i].says) != NULL, "%s", said);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_password");
    TCase *tcase = unit_case(suite, "guard_password");

    tcase_add_loop_test(tcase, every_answer_costs_one_run, 0,
                        sizeof(checks) / sizeof(checks[0]));
    tcase_add_test(tcase, long_values);
    tcase_add_test(tcase, absent_values_are_parameters);
    tcase_add_test(tcase, answers);
    tcase_add_test(tcase, no_more_at_once_than_allowed);
    tcase_add_test(tcase, another_price_is_warned_of);
    tcase_add_loop_test(tcase, bad_words_are_refused, 0, sizeof(bad) / sizeof(bad[0]));
    return suite;
}
