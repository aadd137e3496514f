/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: same-origin */

#include "guard_rig.h"

#include <apr_strings.h>

static const struct {
    const char *words;
    const char *says; /* NULL: accepted */
} made[] = {
    {"same-origin", NULL},
    {"same-origin allow=https://app.example,http://localhost:5173", NULL},
    {"same-origin else=404", NULL},
    {"same-origin else=200", "\"200\""},
    {"same-origin allow=chrome-extension://abcdefghijklmnop,http://[::1]:8080", NULL},
    {"same-origin allow=app.example", "write https://app.example"},
    {"same-origin allow=https://app.example/", "write \"https://app.example\""},
    {"same-origin allow=https://app.example:443", "write \"https://app.example\""},
    {"same-origin allow=https://app.example:8443x", "no port"},
    {"same-origin allow=https://b.example,https://a%62.example", "SCHEME://HOST"},
    {"same-origin allow=https://App.example", "lower case"},
    {"same-origin allow=https://*.example", "no patterns"},
    {"same-origin allow=null", "sandboxed frame"},
};

START_TEST(guards_are_made_from_words)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), made[_i].words, made[_i].says);
}
END_TEST

static const struct {
    const char *method, *site, *origin;
    const char *want; /* NULL: pass */
} runs[] = {
    {"POST", "same-origin", "http://api.example:8080", NULL},
    {"POST", "none", NULL, NULL},
    {"POST", "cross-site", NULL, "cross-site"},
    {"POST", "cross-site", "https://evil.example", "https://evil.example"},
    {"POST", "same-site", "https://other.example", "https://other.example"},
    {"POST", "SAME-ORIGIN", NULL, "SAME-ORIGIN"},
    {"POST", "cross-site", "https://app.example", NULL},
    {"POST", "cross-site", "https://app.example.evil", "https://app.example.evil"},
    {"DELETE", "cross-site", NULL, "cross-site"},
    {"GET", "cross-site", "https://evil.example", NULL},
    {"HEAD", "cross-site", NULL, NULL},
    {"POST", NULL, NULL, NULL},
    {"POST", NULL, "http://api.example:8080", NULL},
    {"POST", NULL, "https://API.example:8080", NULL},
    {"POST", NULL, "http://api.example", "http://api.example"},
    {"POST", NULL, "http://api.example:80801", "http://api.example:80801"},
    {"POST", NULL, "http://evil.example:8080", "http://evil.example:8080"},
    {"POST", NULL, "null", "null"},
    {"POST", NULL, "", ""},
    {"POST", NULL, "https://app.example", NULL},
};

START_TEST(other_sites_are_refused)
{
    static const char *const words[] = {"same-origin allow=https://app.example"};
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    rig_ask_t ask = {.method = runs[_i].method};
    const char *said;
    int n = 0;

    if (runs[_i].site) {
        ask.sent[n++] = "Sec-Fetch-Site";
        ask.sent[n++] = runs[_i].site;
    }
    if (runs[_i].origin) {
        ask.sent[n++] = "Origin";
        ask.sent[n++] = runs[_i].origin;
    }
    said = guard_rig_run(rig, guard_rig_chain(rig, &ask, words, 1), &ask, NULL);
    if (!runs[_i].want)
        ck_assert_str_eq(said, "pass");
    else
        ck_assert_str_eq(said, apr_psprintf(unit_pool,
                                            "403 denied - sent by another site's page (%s)",
                                            runs[_i].want));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_same_origin");
    TCase *tcase = unit_case(suite, "guard_same_origin");

    tcase_add_loop_test(tcase, guards_are_made_from_words, 0,
                        sizeof(made) / sizeof(made[0]));
    tcase_add_loop_test(tcase, other_sites_are_refused, 0, sizeof(runs) / sizeof(runs[0]));
    return suite;
}
