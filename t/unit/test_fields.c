/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: structured fields as RFC 9651 reads and writes them, and damaged ones. */

#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include <apr_strings.h>

#include "../fuzz/fields_check.h"

/* What is read, and how it is written; NULL: it is refused with the reason. */
static const struct {
    const char *text, *written, *why;
} fields[] = {
    {"", "", NULL},
    {"   ", "", NULL},
    {"a", "a", NULL},
    {"  a  ", "a", NULL},
    {"a;x", "a;x", NULL},
    {"a=?1", "a=?1", NULL},
    {"a=?0;b=?0;c=?1", "a=?0;b=?0;c", NULL},
    {"a=1,b=2", "a=1, b=2", NULL},
    {"a=1 ,\t b=2\t", "a=1, b=2", NULL},
    {"a=007", "a=7", NULL},
    {"a=-0", "a=0", NULL},
    {"a=999999999999999", "a=999999999999999", NULL},
    {"a=-999999999999999", "a=-999999999999999", NULL},
    {"a=1.0", "a=1.0", NULL},
    {"a=1.50", "a=1.5", NULL},
    {"a=-0.25", "a=-0.25", NULL},
    {"a=999999999999.999", "a=999999999999.999", NULL},
    {"a=\"\"", "a=\"\"", NULL},
    {"a=\"x\\\\y\\\"z\"", "a=\"x\\\\y\\\"z\"", NULL},
    {"a=*tok/en:1", "a=*tok/en:1", NULL},
    {"a=::", "a=::", NULL},
    {"a=:aGk=:", "a=:aGk=:", NULL},
    {"a=@-5", "a=@-5", NULL},
    {"a=%\"f%c3%bc%25%22~\"", "a=%\"f%c3%bc%25%22~\"", NULL},
    {"a=()", "a=()", NULL},
    {"a=(  )", "a=()", NULL},
    {"a=( \"x\"   \"y\";k=\"v\" );p; q=1", "a=(\"x\" \"y\";k=\"v\");p;q=1", NULL},
    {"*a_-.*9=1", "*a_-.*9=1", NULL},
    /* refused */
    {"A=1", NULL, "a key begins with a lower-case letter or '*'"},
    {"\ta=1", NULL, "a key begins with a lower-case letter or '*'"},
    {"1", NULL, "a key begins with a lower-case letter or '*'"},
    {"=1", NULL, "a key begins with a lower-case letter or '*'"},
    {",a", NULL, "a key begins with a lower-case letter or '*'"},
    {"a,,b", NULL, "a key begins with a lower-case letter or '*'"},
    {"a=1,", NULL, "there is a comma behind the last member"},
    {"a=1, ", NULL, "there is a comma behind the last member"},
    {"a=1 b=2", NULL, "there is something behind a value"},
    {"a=1\r\nb=2", NULL, "there is something behind a value"},
    {"aB=1", NULL, "there is something behind a value"},
    {"a =1", NULL, "there is something behind a value"},
    {"a= 1", NULL, "there is no value where one must be"},
    {"a=", NULL, "there is no value where one must be"},
    {"a=)", NULL, "there is no value where one must be"},
    {"a=\xC3\xA9", NULL, "there is no value where one must be"},
    {"a=1,a=2", NULL, "a key comes twice"},
    {"a=1;b;b", NULL, "a parameter comes twice"},
    {"a=(1;b=1;b=2)", NULL, "a parameter comes twice"},
    {"a;B", NULL, "a key begins with a lower-case letter or '*'"},
    {"a;", NULL, "a key begins with a lower-case letter or '*'"},
    {"a;\tb", NULL, "a key begins with a lower-case letter or '*'"},
    {"a ;b", NULL, "there is something behind a value"},
    {"a=1000000000000000", NULL, "a number has too many digits"},
    {"a=1000000000000.0", NULL, "a decimal has too many digits"},
    {"a=1.0000", NULL, "a decimal has one to three digits behind its point"},
    {"a=1.", NULL, "a decimal has one to three digits behind its point"},
    {"a=-", NULL, "a number is none"},
    {"a=+1", NULL, "there is no value where one must be"},
    {"a=-a", NULL, "a number is none"},
    {"a=--1", NULL, "a number is none"},
    {"a=1e3", NULL, "there is something behind a value"},
    {"a=\"x", NULL, "a string does not end"},
    {"a=\"x\\", NULL, "a string has a backslash before what needs none"},
    {"a=\"\\n\"", NULL, "a string has a backslash before what needs none"},
    {"a=\"x\ty\"", NULL, "a string has a character beyond ASCII's"},
    {"a=\"x\r\ny\"", NULL, "a string has a character beyond ASCII's"},
    {"a=\"\x7F\"", NULL, "a string has a character beyond ASCII's"},
    {"a=\"\xC3\xA9\"", NULL, "a string has a character beyond ASCII's"},
    {"a='x'", NULL, "there is no value where one must be"},
    {"a=:aGk=", NULL, "a byte sequence is no base64 between colons"},
    {"a=:aGk:", NULL, "a byte sequence is no base64 between colons"},
    {"a=:aGl=:", NULL, "a byte sequence is no base64 between colons"},
    {"a=:aG k=:", NULL, "a byte sequence is no base64 between colons"},
    {"a=:a-_=:", NULL, "a byte sequence is no base64 between colons"},
    {"a=:aGk=aGk=:", NULL, "a byte sequence is no base64 between colons"},
    {"a=?", NULL, "a boolean is ?0 or ?1"},
    {"a=?2", NULL, "a boolean is ?0 or ?1"},
    {"a=?true", NULL, "a boolean is ?0 or ?1"},
    {"a=@1.5", NULL, "a date is a whole number"},
    {"a=@x", NULL, "a number is none"},
    {"a=%x", NULL, "'%' begins a display string, but no quote follows"},
    {"a=%\"%C3%BC\"", NULL, "a display string has a '%' without two digits"},
    {"a=%\"%c", NULL, "a display string has a '%' without two digits"},
    {"a=%\"%c3\"", NULL, "a display string is not UTF-8"},
    {"a=%\"x", NULL, "a display string does not end, or is not ASCII"},
    {"a=(", NULL, "there is no value where one must be"},
    {"a=(1", NULL, "the items of a list are not divided by spaces"},
    {"a=(1,2)", NULL, "the items of a list are not divided by spaces"},
    {"a=(1\t2)", NULL, "the items of a list are not divided by spaces"},
    {"a=(\"x\"\"y\")", NULL, "the items of a list are not divided by spaces"},
    {"a=((1))", NULL, "there is no value where one must be"},
    {"a=(1)2", NULL, "there is something behind a value"},
};

static const char *read_field(mouse_slice_t text, const apr_array_header_t **members)
{
    return mouse_fields_read(unit_pool, text, members);
}

static const char *write_all(const apr_array_header_t *members)
{
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));
    int i;

    mouse_buf_init(buf, unit_pool, 64);
    for (i = 0; i < members->nelts; i++) {
        const mouse_field_member_t *member =
            &APR_ARRAY_IDX(members, i, mouse_field_member_t);

        if (i > 0)
            mouse_buf_literal(buf, ", ");
        mouse_buf_slice(buf, member->key);
        mouse_buf_char(buf, '=');
        if (member->items)
            mouse_fields_write_list(buf, member);
        else
            mouse_fields_write_item(buf, &member->item);
    }
    return apr_pstrmemdup(unit_pool, buf->data, buf->len);
}

/* "a;x" stands for "a=?1;x". */
static const char *with_value(const char *written)
{
    size_t key = strcspn(written, "=;");

    if (!*written || written[key] == '=')
        return written;
    return apr_psprintf(unit_pool, "%.*s=?1%s", (int)key, written, written + key);
}

START_TEST(fields_are_read_and_written)
{
    const apr_array_header_t *members;
    const char *why = read_field(mouse_slice_of(fields[_i].text), &members);

    if (fields[_i].why) {
        ck_assert_msg(why != NULL, "%s is read", fields[_i].text);
        ck_assert_str_eq(why, fields[_i].why);
        return;
    }
    ck_assert_msg(!why, "%s: %s", fields[_i].text, why);
    ck_assert_str_eq(write_all(members), with_value(fields[_i].written));
}
END_TEST

static void check(mouse_slice_t text)
{
    const char *verdict = fields_check(unit_pool, text);

    ck_assert_msg(!verdict, "%s: %.*s", verdict, (int)text.len, text.data);
}

/* The text, what is left when it ends early, and each byte replaced by one that hurts. */
static void check_damaged(mouse_slice_t text)
{
    static const char hurts[] = {'"', '\\', '(', ')',  ',',   ';',
                                 ':', '=',  '%', '\0', '\xC3'};
    size_t i, k;

    check(text);
    for (i = 0; i < text.len; i++) {
        check((mouse_slice_t){apr_pstrmemdup(unit_pool, text.data, i), i});
        for (k = 0; k < sizeof(hurts); k++) {
            char *copy = apr_pmemdup(unit_pool, text.data, text.len);

            copy[i] = hurts[k];
            check((mouse_slice_t){copy, text.len});
        }
    }
}

START_TEST(damaged_fields_are_refused_or_mean_one_thing)
{
    check_damaged(mouse_slice_of(fields[_i].text));
}
END_TEST

static const char *const seeds[] = {"input.txt", "signature.txt", "digest.txt", "kinds.txt",
                                    "cut.txt",   "twice.txt",     "spaces.txt"};

START_TEST(seeds_of_the_fuzzer)
{
    check_damaged(unit_file(apr_pstrcat(unit_pool, "fuzz/fields/", seeds[_i], NULL)));
}
END_TEST

START_TEST(nul_ends_nothing)
{
    static const char *const why[] = {"there is something behind a value",
                                      "a string has a character beyond ASCII's"};
    const apr_array_header_t *members;

    ck_assert_str_eq(read_field(MOUSE_SLICE("a=1\0;b"), &members), why[0]);
    ck_assert_str_eq(read_field(MOUSE_SLICE("a=\"x\0y\""), &members), why[1]);
    ck_assert_str_eq(read_field(MOUSE_SLICE("a\0"), &members), why[0]);
}
END_TEST

static mouse_slice_t repeated(const char *first, const char *format, int count)
{
    const char *text = first;
    int i;

    for (i = 0; i < count; i++)
        text =
            apr_pstrcat(unit_pool, text, apr_psprintf(unit_pool, "%s%d", format, i), NULL);
    return mouse_slice_of(text);
}

START_TEST(there_are_bounds)
{
    const apr_array_header_t *members;

    ck_assert_ptr_null(read_field(repeated("a", ";p", MOUSE_FIELDS_MOST), &members));
    ck_assert_str_eq(read_field(repeated("a", ";p", MOUSE_FIELDS_MOST + 1), &members),
                     "there are too many parameters");
    ck_assert_ptr_null(read_field(repeated("a", ",p", MOUSE_FIELDS_MOST - 1), &members));
    ck_assert_str_eq(read_field(repeated("a", ",p", MOUSE_FIELDS_MOST), &members),
                     "there are too many members");
    ck_assert_str_eq(read_field(repeated("a=(", " ", MOUSE_FIELDS_MOST + 2), &members),
                     "there are too many items in a list");
}
END_TEST

START_TEST(what_is_read)
{
    const apr_array_header_t *members;
    const mouse_field_member_t *member;

    ck_assert_ptr_null(read_field(
        MOUSE_SLICE("a=(\"x\");n=-2.5;t=tok, b=:AAEC:;d=@7, c=\"q\\\"\""), &members));
    ck_assert_int_eq(members->nelts, 3);
    member = mouse_fields_member(members, "a");
    ck_assert_int_eq(member->items->nelts, 1);
    ck_assert_int_eq(mouse_fields_param(&member->item, "n")->number, -2500);
    ck_assert_int_eq(mouse_fields_param(&member->item, "t")->kind, MOUSE_FIELD_TOKEN);
    ck_assert_ptr_null(mouse_fields_param(&member->item, "x"));
    member = mouse_fields_member(members, "b");
    ck_assert_ptr_null(member->items);
    ck_assert(mouse_slice_equal(member->item.value.text, MOUSE_SLICE("\0\1\2")));
    ck_assert_int_eq(mouse_fields_param(&member->item, "d")->kind, MOUSE_FIELD_DATE);
    ck_assert(mouse_slice_equal(mouse_fields_member(members, "c")->item.value.text,
                                MOUSE_SLICE("q\"")));
    ck_assert_ptr_null(mouse_fields_member(members, "d"));
}
END_TEST

/* Of the whole process. */
static size_t count_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t pages = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%zu", &pages), 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* 64 lists of 64 strings: memory grows with the text, not with text times strings. */
START_TEST(strings_take_no_more_than_was_sent)
{
    apr_pool_t *pool;
    const apr_array_header_t *members;
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));
    size_t before, taken;
    int i;

    mouse_buf_init(buf, unit_pool, 0);
    for (i = 0; i < 4096; i++) {
        mouse_buf_slice(buf, mouse_slice_of(i == 0 ? "" : i % 64 ? " " : "), "));
        if (i % 64 == 0)
            mouse_buf_slice(buf, mouse_slice_of(apr_psprintf(unit_pool, "k%d=(", i)));
        mouse_buf_literal(buf, "\"\"");
    }
    mouse_buf_char(buf, ')');
    apr_pool_create(&pool, unit_pool);
    before = count_bytes();
    ck_assert_ptr_null(
        mouse_fields_read(pool, (mouse_slice_t){buf->data, buf->len}, &members));
    taken = count_bytes() - before;
    ck_assert_int_eq(members->nelts, 64);
    ck_assert_msg(taken < 2 * 1024 * 1024, "%zu bytes for %zu", taken, buf->len);
    apr_pool_destroy(pool);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("structured fields");
    TCase *tcase = unit_case(suite, "fields");

    tcase_add_loop_test(tcase, fields_are_read_and_written, 0, COUNT(fields));
    tcase_add_loop_test(tcase, damaged_fields_are_refused_or_mean_one_thing, 0,
                        COUNT(fields));
    tcase_add_loop_test(tcase, seeds_of_the_fuzzer, 0, COUNT(seeds));
    tcase_add_test(tcase, nul_ends_nothing);
    tcase_add_test(tcase, there_are_bounds);
    tcase_add_test(tcase, what_is_read);
    tcase_add_test(tcase, strings_take_no_more_than_was_sent);
    return suite;
}
