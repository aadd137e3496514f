/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* json: the scanner against tables and against Jansson, and the writer. */

#include "unit.h"

#include <jansson.h>
#include <math.h>

#include "json/mouse_json.h"

static const struct {
    const char *text;
    mouse_code_t code; /* MOUSE_E_COUNT: valid */
    int line, column;
} texts[] = {
    {"{}", MOUSE_E_COUNT, 0, 0},
    {" [ 1 , -0.5e+3 , true , false , null , \"\" ] ", MOUSE_E_COUNT, 0, 0},
    {"{\"a\":{\"b\":[{}]},\"c\":\"\\u00e9\\ud83d\\udc2d\\n\\\"\"}", MOUSE_E_COUNT, 0, 0},
    {"18446744073709551616", MOUSE_E_COUNT, 0, 0},
    {"\"\\u0000\"", MOUSE_E_COUNT, 0, 0},
    {"\"\xF0\x9F\x90\xAD\"", MOUSE_E_COUNT, 0, 0},
    {"", MOUSE_E_BAD_JSON, 1, 1},
    {"{", MOUSE_E_BAD_JSON, 1, 2},
    {"[1,]", MOUSE_E_BAD_JSON, 1, 4},
    {"[1 2]", MOUSE_E_BAD_JSON, 1, 4},
    {"[1]]", MOUSE_E_BAD_JSON, 1, 4},
    {"{\"a\":1,}", MOUSE_E_BAD_JSON, 1, 8},
    {"{a:1}", MOUSE_E_BAD_JSON, 1, 2},
    {"{\"a\" 1}", MOUSE_E_BAD_JSON, 1, 6},
    {"{\n \"a\": x\n}", MOUSE_E_BAD_JSON, 2, 7},
    {"01", MOUSE_E_BAD_JSON, 1, 2},
    {"1.", MOUSE_E_BAD_JSON, 1, 3},
    {".5", MOUSE_E_BAD_JSON, 1, 1},
    {"+1", MOUSE_E_BAD_JSON, 1, 1},
    {"1e", MOUSE_E_BAD_JSON, 1, 3},
    {"NaN", MOUSE_E_BAD_JSON, 1, 1},
    {"tru", MOUSE_E_BAD_JSON, 1, 4},
    {"nul1", MOUSE_E_BAD_JSON, 1, 4},
    {"\"a", MOUSE_E_BAD_JSON, 1, 3},
    {"\"\t\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\\x\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\\u12g4\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\\ud800\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\\udc00\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\\ud800\\u0041\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\xC3\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\"\xED\xA0\x80\"", MOUSE_E_BAD_JSON, 1, 2},
    {"\xEF\xBB\xBF{}", MOUSE_E_BAD_JSON, 1, 1},
    {"{\"a\":1,\"a\":2}", MOUSE_E_JSON_DUPLICATE, 1, 8},
    {"{\"a\":1,\"b\":0,\"\\u0061\":2}", MOUSE_E_JSON_DUPLICATE, 1, 14},
    {"[[[[[[[[[1]]]]]]]]]", MOUSE_E_JSON_DEPTH, 1, 9},
};

static apr_status_t scan(mouse_slice_t text, const mouse_json_doc_t **doc,
                         mouse_error_t **err)
{
    return mouse_json_scan(unit_pool, text, 8, doc, err);
}

START_TEST(texts_are_judged_with_their_place)
{
    const mouse_json_doc_t *doc;
    mouse_error_t *err = NULL;
    apr_status_t rv = scan(mouse_slice_of(texts[_i].text), &doc, &err);

    if (texts[_i].code == MOUSE_E_COUNT) {
        ck_assert_msg(rv == APR_SUCCESS, "%s", texts[_i].text);
        return;
    }
    ck_assert_msg(rv != APR_SUCCESS, "%s", texts[_i].text);
    ck_assert_int_eq(err->code, texts[_i].code);
    ck_assert_int_eq(err->line, texts[_i].line);
    ck_assert_int_eq(err->column, texts[_i].column);
}
END_TEST

/* The same verdict as Jansson, which holds neither duplicates under this flag, nor big
 * integers: those the scanner takes. */
START_TEST(texts_are_judged_as_jansson_does)
{
    mouse_slice_t text = mouse_slice_of(texts[_i].text);
    json_error_t why;
    json_t *theirs =
        json_loadb(text.data, text.len,
                   JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &why);
    bool ours = texts[_i].code == MOUSE_E_COUNT || texts[_i].code == MOUSE_E_JSON_DEPTH;

    if (!theirs && json_error_code(&why) == json_error_numeric_overflow)
        return;
    ck_assert_msg((theirs != NULL) == ours, "%s", text.data);
    ck_assert_int_eq(mouse_json_valid(text),
                     ours || texts[_i].code == MOUSE_E_JSON_DUPLICATE);
    json_decref(theirs);
}
END_TEST

START_TEST(nodes_lead_to_values)
{
    const mouse_json_doc_t *doc;
    const mouse_json_node_t *list;
    mouse_error_t *err = NULL;
    size_t count = 0;

    ck_assert(
        scan(MOUSE_SLICE("{\"x\":[1,{\"y\":2},[]],\"\\u007a\":\"a\\u0000\\ud83d\\udc2d\"}"),
             &doc, &err) == APR_SUCCESS);
    list = mouse_json_find(unit_pool, doc->root, MOUSE_SLICE("x"));
    ck_assert_ptr_nonnull(list);
    ck_assert_uint_eq(list->size, 3);
    for (MOUSE_JSON_EACH (item, list))
        count++;
    ck_assert_uint_eq(count, 3);
    ck_assert(mouse_slice_equal(list->text, MOUSE_SLICE("[1,{\"y\":2},[]]")));
    list = mouse_json_find(unit_pool, doc->root, MOUSE_SLICE("z"));
    ck_assert(mouse_slice_equal(mouse_json_string(unit_pool, list),
                                MOUSE_SLICE("a\0\xF0\x9F\x90\xAD")));
    ck_assert_ptr_null(mouse_json_find(unit_pool, doc->root, MOUSE_SLICE("no")));
}
END_TEST

static const struct {
    mouse_slice_t in;
    const char *out;
} strings[] = {
    {{"", 0}, "\"\""},
    {{"plain", 5}, "\"plain\""},
    {{"a\"b\\c/", 6}, "\"a\\\"b\\\\c/\""},
    {{"\0\x1f\n\t\r\b\f", 7}, "\"\\u0000\\u001f\\n\\t\\r\\b\\f\""},
    {{"\xE2\x80\xA8\xF0\x9F\x90\xAD", 7}, "\"\xE2\x80\xA8\xF0\x9F\x90\xAD\""},
    {{"x\xC3(", 3}, "\"x\xEF\xBF\xBD(\""},
    {{"\xF0\x9F\x90", 3}, "\"\xEF\xBF\xBD\""},
    {{"\xED\xA0\x80", 3}, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
};

static mouse_buf_t *make_buf(void)
{
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));

    mouse_buf_init(buf, unit_pool, 0);
    return buf;
}

static void check_buf(const mouse_buf_t *buf, const char *want)
{
    ck_assert_msg(
        mouse_slice_equal((mouse_slice_t){buf->data, buf->len}, mouse_slice_of(want)),
        "got %.*s, not %s", (int)buf->len, buf->data, want);
}

START_TEST(strings_are_escaped)
{
    mouse_buf_t *buf = make_buf();

    mouse_json_put_string(buf, strings[_i].in.data, strings[_i].in.len);
    check_buf(buf, strings[_i].out);
}
END_TEST

/* Strings are looked at eight bytes at a time: each byte at each place of each length. */
START_TEST(special_bytes_are_found_wherever_they_stand)
{
    static const char special[] = {0x00, 0x01, 0x1f, '"', '\\', (char)0x80, (char)0xff};
    static const char around[] = {0x20, 0x21, '#', '[', ']', 0x7f};
    size_t len = (size_t)_i, at, i, k;
    char *in = apr_palloc(unit_pool, len + 1);

    for (at = 0; at < len; at++)
        for (i = 0; i < sizeof(special); i++) {
            mouse_buf_t *buf = make_buf();

            for (k = 0; k < len; k++)
                in[k] = around[(k + at) % sizeof(around)];
            in[at] = special[i];
            mouse_json_put_string(buf, in, len);
            ck_assert_uint_gt(buf->len, len + 2);
            ck_assert_mem_eq(buf->data + 1, in, at);
            ck_assert_mem_eq(buf->data + buf->len - (len - at), in + at + 1, len - at - 1);
            ck_assert_int_eq(buf->data[buf->len - 1], '"');
        }
}
END_TEST

START_TEST(plain_strings_stay_as_they_are)
{
    static const char text[] =
        "0123456789 !#[]~\x7f plain text of any length, copied as it is";
    mouse_buf_t *buf = make_buf();
    size_t len = (size_t)_i;

    mouse_json_put_string(buf, text, len);
    ck_assert_uint_eq(buf->len, len + 2);
    ck_assert_mem_eq(buf->data + 1, text, len);
    ck_assert_int_eq(buf->data[0], '"');
    ck_assert_int_eq(buf->data[len + 1], '"');
}
END_TEST

START_TEST(numbers_keep_every_digit)
{
    mouse_buf_t *buf = make_buf();

    mouse_json_put_int(buf, INT64_MIN);
    mouse_buf_char(buf, ' ');
    mouse_json_put_int(buf, INT64_MAX);
    mouse_buf_char(buf, ' ');
    mouse_json_put_uint(buf, UINT64_MAX);
    mouse_buf_char(buf, ' ');
    mouse_json_put_int(buf, 0);
    mouse_buf_char(buf, ' ');
    mouse_json_put_int(buf, -105);
    check_buf(buf, "-9223372036854775808 9223372036854775807 18446744073709551615 0 -105");
}
END_TEST

static const struct {
    double value;
    const char *out;
} doubles[] = {
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {1e300, "1e+300"},
    {123456, "123456"},
    {5e-324, "4.94065645841247e-324"},
    {-2.5, "-2.5"},
    {NAN, "null"},
    {INFINITY, "null"},
};

START_TEST(doubles_are_short_and_exact)
{
    mouse_buf_t *buf = make_buf();

    mouse_json_put_double(buf, doubles[_i].value);
    check_buf(buf, doubles[_i].out);
    buf->len = 0;
    mouse_json_put_float(buf, 0.1f);
    check_buf(buf, "0.1");
}
END_TEST

START_TEST(base64_is_padded)
{
    mouse_buf_t *buf = make_buf();

    mouse_json_put_base64(buf, "\0\xFF", 2);
    mouse_json_put_base64(buf, "foo", 3);
    mouse_json_put_base64(buf, "f", 1);
    mouse_json_put_base64(buf, "", 0);
    check_buf(buf, "\"AP8=\"\"Zm9v\"\"Zg==\"\"\"");
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = unit_case(suite, "json");

    tcase_add_loop_test(tcase, texts_are_judged_with_their_place, 0, COUNT(texts));
    tcase_add_loop_test(tcase, texts_are_judged_as_jansson_does, 0, COUNT(texts));
    tcase_add_test(tcase, nodes_lead_to_values);
    tcase_add_loop_test(tcase, special_bytes_are_found_wherever_they_stand, 0, 35);
    tcase_add_loop_test(tcase, plain_strings_stay_as_they_are, 0, 35);
    tcase_add_loop_test(tcase, strings_are_escaped, 0, COUNT(strings));
    tcase_add_test(tcase, numbers_keep_every_digit);
    tcase_add_loop_test(tcase, doubles_are_short_and_exact, 0, COUNT(doubles));
    tcase_add_test(tcase, base64_is_padded);
    return suite;
}
