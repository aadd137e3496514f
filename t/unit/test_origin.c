/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* base: which words are origins. */

#include "unit.h"

#include "base/mouse_base.h"

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
    {"moz-extension://0f7a7e6b-3a1c-4a0e-9d3e-5f2b6c1d8e90", NULL},
    {"http://[2001:db8::7f00:1]", NULL},
    {"http://app.example.", NULL},
    {"http://a!b$c&d'e(f)g+h;i=j`k{l}m~n.example", NULL},
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
    {"https://a\\b.example", "SCHEME://HOST"},
    {"https://a%62.example", "SCHEME://HOST"},
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

Suite *unit_suite(void)
{
    Suite *suite = suite_create("origin");
    TCase *tcase = unit_case(suite, "words");

    tcase_add_loop_test(tcase, origins, 0, sizeof(words) / sizeof(words[0]));
    return suite;
}
