/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: signatures as providers of webhooks send them, and as attackers would. */

#include "guard_rig.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include <apr_strings.h>
#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>

static apr_status_t remove_file(void *path)
{
    unlink(path);
    return APR_SUCCESS;
}

static const char *key_file(const char *text)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-keys-XXXXXX");
    int fd = mkstemp(path);

    ck_assert(fd >= 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    apr_pool_pre_cleanup_register(unit_pool, path, remove_file);
    return path;
}

static const uint8_t *hmac(const char *key, const char *message)
{
    uint8_t *mac = apr_palloc(unit_pool, SHA256_DIGEST_SIZE);
    struct hmac_sha256_ctx ctx;

    hmac_sha256_set_key(&ctx, strlen(key), (const uint8_t *)key);
    hmac_sha256_update(&ctx, strlen(message), (const uint8_t *)message);
    hmac_sha256_digest(&ctx, SHA256_DIGEST_SIZE, mac);
    return mac;
}

static char *hex(const char *key, const char *message)
{
    char *text = apr_pcalloc(unit_pool, BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + 1);

    base16_encode_update(text, SHA256_DIGEST_SIZE, hmac(key, message));
    return text;
}

static const char *sha256(const char *text)
{
    char *out = apr_pcalloc(unit_pool, BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + 1);
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, strlen(text), (const uint8_t *)text);
    sha256_digest(&ctx, sizeof(digest), digest);
    base16_encode_update(out, sizeof(digest), digest);
    return out;
}

static const char *base64(const char *key, const char *message)
{
    char *text = apr_pcalloc(unit_pool, BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1);

    base64_encode_raw(text, SHA256_DIGEST_SIZE, hmac(key, message));
    return text;
}

/* ---- GitHub's own example ---- */

#define GITHUB_KEY    "It's a Secret to Everybody"
#define GITHUB_BODY   "Hello, World!"
#define GITHUB_SIG    "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
#define GITHUB_DIGEST "dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f"
#define NO_KIND       "401 denied - the header has no signature of this kind"
#define NO_KEY        "401 denied - no key gives this signature"

static const struct {
    const char *header, *body, *want;
} github[] = {
    {"sha256=" GITHUB_SIG, GITHUB_BODY, "pass"},
    {NULL, GITHUB_BODY, "401 denied - there is no header with a signature"},
    {"", GITHUB_BODY, NO_KIND},
    {GITHUB_SIG, GITHUB_BODY, NO_KIND},
    {"sha1=" GITHUB_SIG, GITHUB_BODY, NO_KIND},
    {"sha512=" GITHUB_SIG, GITHUB_BODY, NO_KIND},
    {"SHA256=" GITHUB_SIG, GITHUB_BODY, NO_KIND},
    {" sha256=" GITHUB_SIG, GITHUB_BODY, NO_KIND},
    {"none=", GITHUB_BODY, NO_KIND},
    {"sha256=", GITHUB_BODY, NO_KEY},
    {"sha256=" GITHUB_SIG " ", GITHUB_BODY, NO_KEY},
    {"sha256=" GITHUB_SIG "00", GITHUB_BODY, NO_KEY},
    {"sha256=sha256=" GITHUB_SIG, GITHUB_BODY, NO_KEY},
    {"sha256=" GITHUB_SIG ",sha256=" GITHUB_SIG, GITHUB_BODY, NO_KEY},
    {"sha256=" GITHUB_SIG ", sha256=00", GITHUB_BODY, NO_KEY},
    {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e1", GITHUB_BODY,
     NO_KEY},
    {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e16", GITHUB_BODY,
     NO_KEY},
    {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e1g", GITHUB_BODY,
     NO_KEY},
    {"sha256= 57107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17", GITHUB_BODY,
     NO_KEY},
    {"sha256=" GITHUB_SIG, "Hello, World", NO_KEY},
    {"sha256=" GITHUB_SIG, "Hello, World!\n", NO_KEY},
    {"sha256=" GITHUB_SIG, "hello, World!", NO_KEY},
    {"sha256=" GITHUB_SIG, "", NO_KEY},
};

static const char *run(const char *words, const rig_ask_t *ask, mouse_request_t **req)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);

    return guard_rig_run(rig, guard_rig_chain(rig, ask, &words, 1), ask, req);
}

START_TEST(github_signs_the_body)
{
    const char *words = apr_psprintf(unit_pool,
                                     "signature header=X-Hub-Signature-256 "
                                     "'parse=sha256={sig}' 'message={body}' key-file=%s",
                                     key_file("old key\n" GITHUB_KEY "\n"));
    const rig_ask_t ask = {.method = "POST",
                           .body = github[_i].body,
                           .sent = {"X-Hub-Signature-256", github[_i].header}};
    mouse_request_t *req;

    ck_assert_str_eq(run(words, &ask, &req), github[_i].want);
    if (strcmp(github[_i].want, "pass") == 0) {
        ck_assert_str_eq(guard_rig_value(req, "first.digest"), GITHUB_DIGEST);
        ck_assert_str_eq(guard_rig_value(req, "first.timestamp"), "null");
    } else
        ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"), "Signature");
}
END_TEST

/* ---- Stripe: <now>, <old>, <ahead> are seconds; <sig> is right for <now>, <x-sig> else
 * ---- */

#define BODY "{\"id\":\"evt_1\"}"

typedef struct token_t {
    const char *name, *value;
} token_t;

static char *change(const char *text, size_t at, char c)
{
    char *copy = apr_pstrdup(unit_pool, text);

    copy[at] = c;
    return copy;
}

static char *upper(const char *text)
{
    char *copy = apr_pstrdup(unit_pool, text), *c;

    for (c = copy; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

static const char *sign_at(apr_time_t time, const char *key, const char **text)
{
    *text = apr_psprintf(unit_pool, "%" APR_TIME_T_FMT, time);
    return hex(key, apr_pstrcat(unit_pool, *text, ".", BODY, NULL));
}

static const char *fill(const char *form)
{
    apr_time_t now = apr_time_sec(apr_time_now());
    const char *now_text, *old, *ahead, *near_old, *near_ahead;
    const char *sig = sign_at(now, "whsec_one", &now_text);
    const token_t tokens[] = {
        {"<old-sig>", sign_at(now - 302, "whsec_one", &old)},
        {"<ahead-sig>", sign_at(now + 305, "whsec_one", &ahead)},
        {"<near-old-sig>", sign_at(now - 290, "whsec_one", &near_old)},
        {"<near-ahead-sig>", sign_at(now + 290, "whsec_one", &near_ahead)},
        {"<two-sig>", sign_at(now, "whsec_two", &now_text)},
        {"<three-sig>", sign_at(now, "whsec_three", &now_text)},
        {"<bare-sig>", sign_at(now, "one", &now_text)},
        {"<empty-sig>", sign_at(now, "", &now_text)},
        {"<body-sig>", hex("whsec_one", BODY)},
        {"<sig>", sig},
        {"<upper>", upper(sig)},
        {"<cut>", apr_pstrndup(unit_pool, sig, 63)},
        {"<half>", apr_pstrndup(unit_pool, sig, 32)},
        {"<wrong>", change(sig, 63, sig[63] == '0' ? '1' : '0')},
        {"<now>", now_text},
        {"<old>", old},
        {"<ahead>", ahead},
        {"<near-old>", near_old},
        {"<near-ahead>", near_ahead},
        {NULL, NULL},
    };
    const token_t *token;

    for (token = tokens; token->name; token++) {
        const char *at;

        while ((at = strstr(form, token->name)))
            form = apr_pstrcat(unit_pool, apr_pstrndup(unit_pool, form, at - form),
                               token->value, at + strlen(token->name), NULL);
    }
    return form;
}

#define NO_TIME   "401 denied - the timestamp is none"
#define TWO_TIMES "401 denied - the header has two timestamps"
#define OLD       "401 denied - the timestamp is too old"
#define FUTURE    "401 denied - the timestamp is in the future"

static const struct {
    const char *header, *want;
} stripe[] = {
    {"t=<now>,v1=<sig>", "pass"},
    {"t=<now>, v1=<sig>", "pass"},
    {"v1=<sig>,t=<now>", "pass"},
    {"t=<now>,v1=<sig>,v0=<wrong>", "pass"},
    {"v0=<wrong>,new=x,t=<now>,,v1=<sig>,", "pass"},
    {"t=<now>,v1=<wrong>,v1=<sig>", "pass"},
    {"t=<now>,v1=<sig>,v1=<wrong>", "pass"},
    {"t=<now>,v1=junk,v1=,v1=<sig>", "pass"},
    {"t=<now>,v1=<two-sig>", "pass"},
    {"t=<now>,v1=<three-sig>,v1=<two-sig>", "pass"},
    {"t=<now>,v1=<upper>", "pass"},
    {"t=<near-old>,v1=<near-old-sig>", "pass"},
    {"t=<near-ahead>,v1=<near-ahead-sig>", "pass"},
    /* stripped */
    {"t=<now>", NO_KIND},
    {"t=<now>,v1", NO_KIND},
    {"t=<now>,v1=", NO_KEY},
    {"v1=<sig>", "401 denied - the header has no timestamp"},
    {"t=,v1=<sig>", NO_TIME},
    {"v1=<body-sig>,t=", NO_TIME},
    {"", "401 denied - the header has no timestamp"},
    {",,,", "401 denied - the header has no timestamp"},
    /* another scheme */
    {"t=<now>,v0=<sig>", NO_KIND},
    {"t=<now>,v2=<sig>", NO_KIND},
    {"t=<now>,V1=<sig>", NO_KIND},
    {"t=<now>,v1 =<sig>", NO_KIND},
    {"t=<now>;v1=<sig>", NO_KIND},
    {"T=<now>,v1=<sig>", "401 denied - the header has no timestamp"},
    /* forged */
    {"t=<now>,v1=<wrong>", NO_KEY},
    {"t=<now>,v1=<cut>", NO_KEY},
    {"t=<now>,v1=<half>", NO_KEY},
    {"t=<now>,v1=<half>,v1=<half>", NO_KEY},
    {"t=<now>,v1=<sig>00", NO_KEY},
    {"t=<now>,v1=0x<sig>", NO_KEY},
    {"t=<now>,v1=\"<sig>\"", NO_KEY},
    {"t=<now>,v1=<three-sig>", NO_KEY},
    {"t=<now>,v1=<bare-sig>", NO_KEY},
    {"t=<now>,v1=<empty-sig>", NO_KEY},
    {"t=<now>,v1=<body-sig>", NO_KEY},
    {"t=<now>,v1=<old-sig>", NO_KEY},
    /* another time */
    {"t=<old>,v1=<old-sig>", OLD},
    {"t=<ahead>,v1=<ahead-sig>", FUTURE},
    {"t=<now>,t=<old>,v1=<old-sig>", TWO_TIMES},
    {"t=<old>,v1=<old-sig>,t=<now>", TWO_TIMES},
    {"t=<now>,v1=<sig>,t=<now>,v1=<sig>", TWO_TIMES},
    {"t=0,v1=<sig>", OLD},
    {"t=0<now>,v1=<sig>", NO_TIME},
    {"t=+<now>,v1=<sig>", NO_TIME},
    {"t=-<now>,v1=<sig>", NO_TIME},
    {"t=<now>.0,v1=<sig>", NO_TIME},
    {"t= <now>,v1=<sig>", NO_TIME},
    {"t=<now>000,v1=<sig>", FUTURE},
    {"t=9999999999999,v1=<sig>", NO_TIME},
    {"t=99999999999999999999,v1=<sig>", NO_TIME},
    {"t=nan,v1=<sig>", NO_TIME},
};

static const char *stripe_words(void)
{
    return apr_psprintf(unit_pool,
                        "signature header=Stripe-Signature 'parse=t={t},v1={sig}' "
                        "'message={t}.{body}' key-file=%s",
                        key_file("whsec_one\nwhsec_two\n"));
}

START_TEST(stripe_signs_time_and_body)
{
    const char *header = fill(stripe[_i].header);
    const rig_ask_t ask = {
        .method = "POST", .body = BODY, .sent = {"Stripe-Signature", header}};
    mouse_request_t *req;

    ck_assert_str_eq(run(stripe_words(), &ask, &req), stripe[_i].want);
    if (strcmp(stripe[_i].want, "pass") == 0) {
        const char *timestamp = guard_rig_value(req, "first.timestamp");

        ck_assert_ptr_nonnull(strstr(header, timestamp));
        ck_assert_str_eq(guard_rig_value(req, "first.digest"),
                         sha256(apr_pstrcat(unit_pool, timestamp, ".", BODY, NULL)));
    }
}
END_TEST

START_TEST(another_body_is_refused)
{
    const rig_ask_t ask = {.method = "POST",
                           .body = "{\"id\":\"evt_2\"}",
                           .sent = {"Stripe-Signature", fill("t=<now>,v1=<sig>")}};

    ck_assert_str_eq(run(stripe_words(), &ask, NULL), NO_KEY);
}
END_TEST

START_TEST(too_many_signatures)
{
    const char *header = "t=<now>";
    rig_ask_t ask = {.method = "POST", .body = BODY, .sent = {"Stripe-Signature"}};
    int i;

    for (i = 0; i < 15; i++)
        header = apr_pstrcat(unit_pool, header, ",v1=<wrong>", NULL);
    ask.sent[1] = fill(apr_pstrcat(unit_pool, header, ",v1=<sig>", NULL));
    ck_assert_str_eq(run(stripe_words(), &ask, NULL), "pass");
    ask.sent[1] = fill(apr_pstrcat(unit_pool, header, ",v1=<wrong>,v1=<sig>", NULL));
    ck_assert_str_eq(run(stripe_words(), &ask, NULL),
                     "401 denied - the header has too many signatures");
}
END_TEST

/* ---- Slack: the time has its own header; others: base64, sha1, milliseconds ---- */

START_TEST(slack_has_its_time_elsewhere)
{
    const char *words = apr_psprintf(unit_pool,
                                     "signature header=X-Slack-Signature 'parse=v0={sig}' "
                                     "'timestamp={header.x_slack_request_timestamp}' "
                                     "'message=v0:{t}:{body}' window=1m key-file=%s",
                                     key_file("slack"));
    apr_time_t now = apr_time_sec(apr_time_now());
    const char *text = apr_psprintf(unit_pool, "%" APR_TIME_T_FMT, now);
    const char *old = apr_psprintf(unit_pool, "%" APR_TIME_T_FMT, now - 62);
    const char *sig = apr_pstrcat(
        unit_pool, "v0=", hex("slack", apr_pstrcat(unit_pool, "v0:", text, ":a=b", NULL)),
        NULL);
    rig_ask_t ask = {.method = "POST",
                     .body = "a=b",
                     .sent = {"X-Slack-Signature", sig, "X-Slack-Request-Timestamp", text}};
    mouse_request_t *req;

    ck_assert_str_eq(run(words, &ask, &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.timestamp"), text);
    ask.sent[3] = old;
    ck_assert_str_eq(run(words, &ask, NULL), OLD);
    ask.sent[3] = apr_psprintf(unit_pool, "%" APR_TIME_T_FMT, now - 1);
    ck_assert_str_eq(run(words, &ask, NULL), NO_KEY);
    ask.sent[2] = NULL;
    ck_assert_str_eq(run(words, &ask, NULL), NO_TIME);
}
END_TEST

START_TEST(other_spellings)
{
    const char *words = apr_psprintf(unit_pool,
                                     "signature header=X-Signature 'message={body}' "
                                     "encoding=base64 else=403 key-file=%s",
                                     key_file("shop"));
    const char *good = base64("shop", BODY);
    const char *const bad[] = {hex("shop", BODY),
                               change(good, 0, good[0] == 'A' ? 'B' : 'A'),
                               apr_pstrndup(unit_pool, good, 43),
                               apr_pstrcat(unit_pool, good, "=", NULL),
                               change(good, 20, ' '),
                               change(good, 20, '-')};
    rig_ask_t ask = {.method = "POST", .body = BODY, .sent = {"X-Signature", good}};
    mouse_request_t *req;
    size_t i;

    ck_assert_str_eq(run(words, &ask, &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.digest"), sha256(BODY));
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ask.sent[1] = bad[i];
        ck_assert_str_eq(run(words, &ask, NULL),
                         "403 denied - no key gives this signature");
    }
}
END_TEST

/* RFC 2202 and RFC 4231, test case 2. */
START_TEST(other_algorithms)
{
    static const struct {
        const char *name, *sig;
    } rows[] = {
        {"sha1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
        {"sha256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {"sha512", "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                   "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"},
    };
    const char *keys = key_file("Jefe\n");
    size_t i, j;

    for (i = 0; i < 3; i++) {
        const char *words = apr_psprintf(unit_pool,
                                         "signature header=X-Signature 'message={body}' "
                                         "algorithm=%s key-file=%s",
                                         rows[i].name, keys);

        for (j = 0; j < 3; j++) {
            const rig_ask_t ask = {.method = "POST",
                                   .body = "what do ya want for nothing?",
                                   .sent = {"X-Signature", rows[j].sig}};

            ck_assert_str_eq(run(words, &ask, NULL), i == j ? "pass" : NO_KEY);
        }
    }
}
END_TEST

START_TEST(milliseconds)
{
    const char *words = apr_psprintf(unit_pool,
                                     "signature header=X-Signature 'parse=t={t},s={sig}' "
                                     "'message={body}{t}' unit=ms window=2s key-file=%s",
                                     key_file("ms"));
    static const int offsets[] = {0, -1500, 1500, -2100, 2500};
    static const char *const wants[] = {"pass", "pass", "pass", OLD, FUTURE};
    size_t i;

    for (i = 0; i < 5; i++) {
        const char *t =
            apr_psprintf(unit_pool, "%" APR_TIME_T_FMT, apr_time_now() / 1000 + offsets[i]);
        const char *sig = hex("ms", apr_pstrcat(unit_pool, BODY, t, NULL));
        const rig_ask_t ask = {
            .method = "POST",
            .body = BODY,
            .sent = {"X-Signature", apr_pstrcat(unit_pool, "t=", t, ",s=", sig, NULL)}};

        ck_assert_str_eq(run(words, &ask, NULL), wants[i]);
    }
}
END_TEST

/* ---- words ---- */

#define OK_WORDS "signature header=X-S key-file=KEYS "
#define BODY_MSG "'message={body}' "

static const struct {
    const char *words, *says;
} bad[] = {
    {"signature", "takes header="},
    {"signature header=X-S key-file=KEYS", "takes header="},
    {"signature header=X-S 'message={body}'", "takes header="},
    {"signature 'message={body}' key-file=KEYS", "takes header="},
    {"signature 'header=X S' 'message={body}' key-file=KEYS", "no name of a header"},
    {"signature header= 'message={body}' key-file=KEYS", "no name of a header"},
    {OK_WORDS "message=x", "leaves out {body}"},
    {OK_WORDS "'message={t}.{body}'", "there is no timestamp"},
    {OK_WORDS "'message={body}' 'parse=t={t},v1={sig}'", "leaves out {t}"},
    {OK_WORDS "'message={body}' 'timestamp={header.x_time}'", "leaves out {t}"},
    {OK_WORDS "'message={body}{name}'", "not {name}"},
    {OK_WORDS "'message={body'", "unpaired brace"},
    {OK_WORDS BODY_MSG "window=5m", "no timestamp to look at"},
    {OK_WORDS BODY_MSG "unit=ms", "no timestamp to look at"},
    {OK_WORDS "'message={t}{body}' 'parse=t={t},v1={sig}' window=5", "window=5: write"},
    {OK_WORDS "'message={t}{body}' 'parse=t={t},v1={sig}' window=25h", "window=25h"},
    {OK_WORDS "'message={t}{body}' 'parse=t={t},v1={sig}' unit=us", "unit=us"},
    {OK_WORDS "'message={t}{body}' 'parse=t={t},v1={sig}' 'timestamp={header.x}'",
     "in parse= and in timestamp="},
    {OK_WORDS BODY_MSG "parse=", "is no form"},
    {OK_WORDS BODY_MSG "parse=sig", "is no form"},
    {OK_WORDS BODY_MSG "'parse={t}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse={sig}x'", "is no form"},
    {OK_WORDS BODY_MSG "'parse={sig},{t}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse=v1={sig},v1={t}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse=v={sig},v=1={t}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse=a={sig},b={sig}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse=a={sig},b={t},c={t}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse={t}{sig}'", "is no form"},
    {OK_WORDS BODY_MSG "'parse={sig},'", "is no form"},
    {OK_WORDS BODY_MSG "algorithm=md5", "algorithm=md5"},
    {OK_WORDS BODY_MSG "encoding=base32", "encoding=base32"},
    {OK_WORDS BODY_MSG "else=302", "\"302\""},
    {OK_WORDS BODY_MSG "optional", "\"optional\""},
    {"signature header=X-S 'message={body}' key-file=/nowhere/keys", "cannot read"},
};

START_TEST(bad_words_are_refused)
{
    const char *words = bad[_i].words, *at = strstr(words, "KEYS"), *said;

    if (at)
        words = apr_pstrcat(unit_pool, apr_pstrndup(unit_pool, words, at - words),
                            key_file("k\n"), at + 4, NULL);
    said = guard_rig_refusal(guard_rig_open(NULL, NULL), words);
    ck_assert_msg(said && strstr(said, bad[_i].says), "%s: %s", words,
                  said ? said : "accepted");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_signature");
    TCase *tcase = unit_case(suite, "guard_signature");

    tcase_add_loop_test(tcase, github_signs_the_body, 0,
                        sizeof(github) / sizeof(github[0]));
    tcase_add_loop_test(tcase, stripe_signs_time_and_body, 0,
                        sizeof(stripe) / sizeof(stripe[0]));
    tcase_add_test(tcase, another_body_is_refused);
    tcase_add_test(tcase, too_many_signatures);
    tcase_add_test(tcase, slack_has_its_time_elsewhere);
    tcase_add_test(tcase, other_spellings);
    tcase_add_test(tcase, other_algorithms);
    tcase_add_test(tcase, milliseconds);
    tcase_add_loop_test(tcase, bad_words_are_refused, 0, sizeof(bad) / sizeof(bad[0]));
    return suite;
}
