/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* json beside Jansson: the fuzzer's seeds, a table, and every damaged copy of both. */

#include "unit.h"

#include <apr_strings.h>

#include "../fuzz/json_compare.h"

static const char *const texts[] = {
    "0",
    "-0",
    "-",
    "-a",
    "00",
    "0x1",
    "1e5",
    "1E+",
    "1.5e-3",
    "1e999",
    "-1e999",
    "1e-999",
    "9223372036854775808",
    "null",
    "nul",
    "truefalse",
    "[]",
    "[",
    "]",
    "[}",
    "{]",
    "[,]",
    "[1,,2]",
    "[1",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1",
    "{\"a\":1 \"b\":2}",
    "{,}",
    "{1:2}",
    "{\"\":\"\"}",
    "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
    "{\"\\u00e9\":1,\"\xC3\xA9\":2}",
    "{\"\\ud83d\\udc2d\":1,\"\xF0\x9F\x90\xAD\":2}",
    "\"\\",
    "\"\\u",
    "\"\\u00e",
    "\"\\uD83D\\uDC2D\"",
    "\"\\udc2d\\ud83d\"",
    "\"\\ud83d\\u\"",
    "\"\\'\"",
    "'a'",
    "\"a\nb\"",
    "\"\x7F\"",
    "\"\xC0\x80\"",
    "\"\xF4\x90\x80\x80\"",
    "\xC3\xA9",
    "\v1",
    "\f1",
    " \t\r\n1 \t\r\n",
    "1 1",
    "// no\n1",
    "[1] x",
    "NaN",
    "Infinity",
    "[\"a\\u0000\"]",
};

static const char *const seeds[] = {
    "object.json",    "nested.json",   "escapes.json", "nul-key.json",
    "duplicate.json", "numbers.json",  "comma.json",   "lone-surrogate.json",
    "bad-utf8.json",  "bom.json",      "empty.json",   "deep-64.json",
    "deep-65.json",   "deep-513.json",
};

static void compare(mouse_slice_t text)
{
    const char *verdict = json_compare(unit_pool, text);

    ck_assert_msg(!verdict, "%s: %.*s", verdict, (int)text.len, text.data);
}

/* The text, what is left when it ends early, and each byte replaced by one that hurts. */
static void compare_damaged(mouse_slice_t text)
{
    static const char hurts[] = {'"', '\\', ']', '}', ',', ':', '0', 'u', '\0', '\xC3'};
    char *copy = apr_pstrmemdup(unit_pool, text.data, text.len);
    size_t i, k;

    compare(text);
    for (i = 0; i < text.len; i++) {
        compare((mouse_slice_t){text.data, i});
        for (k = 0; k < sizeof(hurts); k++) {
            copy[i] = hurts[k];
            compare((mouse_slice_t){copy, text.len});
        }
        copy[i] = text.data[i];
    }
}

START_TEST(texts_are_read_as_jansson_reads_them)
{
    compare_damaged(mouse_slice_of(texts[_i]));
}
END_TEST

START_TEST(seeds_are_read_as_jansson_reads_them)
{
    mouse_slice_t seed = unit_file(apr_pstrcat(unit_pool, "fuzz/json/", seeds[_i], NULL));

    if (seed.len < 256)
        compare_damaged(seed);
    else
        compare(seed);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("json beside Jansson");
    TCase *tcase = unit_case(suite, "json_jansson");

    tcase_add_loop_test(tcase, texts_are_read_as_jansson_reads_them, 0, COUNT(texts));
    tcase_add_loop_test(tcase, seeds_are_read_as_jansson_reads_them, 0, COUNT(seeds));
    return suite;
}
