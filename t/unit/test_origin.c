/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: which words are origins, and which origins a policy names. */

#include "unit.h"

#include "http/http_int.h"

/* What the sentence must hold; NULL: it is an origin. */
static const struct {
    const char *word, *sentence;
} words[] = {
    {"https://app.example", NULL},
    {"http://localhost:3000", NULL},
    {"https://app.example:8443", NULL},
    {"http://app.example:443", NULL},
    {"https://app.example:65535", NULL},
    {"http://127.0.0.1", NULL},
    {"http://[::1]:8080", NULL},
    {"https://xn--bcher-kva.example", NULL},
    {"https://a_b.example", NULL},
    {"chrome-extension://abcdefghijklmnop", NULL},
    {"capacitor://localhost", NULL},
    {"null", NULL},
    {"app.example", "write https://app.example"},
    {"//app.example", "no scheme"},
    {"", "no scheme"},
    {"https:/app.example", "no scheme"},
    {"NULL", "no scheme"},
    {"https://App.example", "lower case"},
    {"HTTPS://app.example", "lower case"},
    {"https://app.example/", "write \"https://app.example\""},
    {"https://app.example/path", "write \"https://app.example\""},
    {"https://app.example:8443/", "write \"https://app.example:8443\""},
    {"https://app.example?x", "write \"https://app.example\""},
    {"https://app.example#x", "write \"https://app.example\""},
    {"https://app.example:443", "write \"https://app.example\""},
    {"http://app.example:80", "write \"http://app.example\""},
    {"https://app.example:", "no port"},
    {"https://app.example:0", "no port"},
    {"https://app.example:080", "no port"},
    {"https://app.example:65536", "no port"},
    {"https://app.example:4294967739", "no port"},
    {"https://app.example:80a", "no port"},
    {"https://app.example:80:80", "no port"},
    {"https://*.app.example", "no patterns"},
    {"https://*", "no patterns"},
    {"https://app.*", "no patterns"},
    {"https://", "SCHEME://HOST"},
    {"file:///", "SCHEME://HOST"},
    {"https:///app.example", "SCHEME://HOST"},
    {"https://.example", "SCHEME://HOST"},
    {"https://user@app.example", "SCHEME://HOST"},
    {"https://app.example,https://b.example", "SCHEME://HOST"},
    {"https://[::1", "SCHEME://HOST"},
    {"https://[]", "SCHEME://HOST"},
    {"://app.example", "SCHEME://HOST"},
    {"1http://app.example", "SCHEME://HOST"},
    {"ht_tp://app.example", "SCHEME://HOST"},
    {"https://b\xc3\xbc"
     "cher.example",
     "xn--"},
    {"https://app.example ", "ASCII"},
    {"https://app.example\r\nX: y", "ASCII"},
};

START_TEST(origins)
{
    const char *sentence = mouse_origin_check(unit_pool, words[_i].word);

    if (!words[_i].sentence)
        ck_assert_msg(!sentence, "%s: %s", words[_i].word, sentence);
    else
        ck_assert_msg(sentence && strstr(sentence, words[_i].sentence), "%s: %s",
                      words[_i].word, sentence ? sentence : "is taken");
}
END_TEST

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
    Suite *suite = suite_create("origin");
    TCase *words_case = unit_case(suite, "words");
    TCase *policy_case = unit_case(suite, "policy");

    tcase_add_loop_test(words_case, origins, 0, sizeof(words) / sizeof(words[0]));
    tcase_add_test(policy_case, named_origins);
    tcase_add_test(policy_case, other_origins);
    tcase_add_test(policy_case, every_origin);
    return suite;
}
