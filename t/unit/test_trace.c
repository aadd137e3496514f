/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: which traceparent headers are taken, and what SQL has of them. */

#include "unit.h"

#include "http/http_int.h"

#define IDS "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"

static const struct {
    const char *text;
    bool valid;
} table[] = {
    {"00-" IDS "-01", true},
    {"00-" IDS "-00", true},
    {"cc-" IDS "-01", true},
    {"cc-" IDS "-01-what-will-come", true},
    {NULL, false},
    {"", false},
    {"00-" IDS, false},
    {"00-" IDS "-", false},
    {"00-" IDS "-1", false},
    {"00-" IDS "-0x", false},
    {"00-" IDS "-01-more", false},
    {"00-" IDS "-01 ", false},
    {"cc-" IDS "-01.more", false},
    {"ff-" IDS "-01", false},
    {"0-" IDS "-011", false},
    {"00-00000000000000000000000000000000-00f067aa0ba902b7-01", false},
    {"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false},
    {"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false},
    {"00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01", false},
    {"00_" IDS "_01", false},
};

#define MARK(flags) " /*traceparent='00-" IDS "-" flags "'*/"

static const struct {
    const char *text, *sampled, *all; /* NULL: no mark */
} marks[] = {
    {"00-" IDS "-01", MARK("01"), MARK("01")},
    {"00-" IDS "-00", NULL, MARK("00")},
    {"00-" IDS "-02", NULL, MARK("00")},
    {"00-" IDS "-03", MARK("01"), MARK("01")},
    {"00-" IDS "-0b", MARK("01"), MARK("01")},
    {"00-" IDS "-fe", NULL, MARK("00")},
    {"cc-" IDS "-01", MARK("01"), MARK("01")},
    {"cc-" IDS "-01-'*/; DROP TABLE t; --", MARK("01"), MARK("01")},
    {"cc-" IDS "-00-'*/1", NULL, MARK("00")},
};

static void look_at(mouse_slice_t mark, const char *want)
{
    ck_assert_uint_le(mark.len, MOUSE_MARK_MAX);
    ck_assert_uint_eq(mark.len, want ? strlen(want) : 0);
    if (want)
        ck_assert_str_eq(mark.data, want);
}

START_TEST(marks_hold_two_ids_and_a_flag)
{
    const char *text = marks[_i].text;

    look_at(mouse_trace_mark(unit_pool, text, MOUSE_TRACE_SAMPLED), marks[_i].sampled);
    look_at(mouse_trace_mark(unit_pool, text, MOUSE_TRACE_ALL), marks[_i].all);
}
END_TEST

START_TEST(invalid_headers_make_no_mark)
{
    if (!table[_i].valid)
        look_at(mouse_trace_mark(unit_pool, table[_i].text, MOUSE_TRACE_ALL), NULL);
}
END_TEST

START_TEST(headers_are_judged)
{
    ck_assert_int_eq(mouse_trace_valid(table[_i].text), table[_i].valid);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("trace");
    TCase *tcase = unit_case(suite, "headers");

    tcase_add_loop_test(tcase, headers_are_judged, 0, sizeof(table) / sizeof(table[0]));
    tcase_add_loop_test(tcase, marks_hold_two_ids_and_a_flag, 0,
                        sizeof(marks) / sizeof(marks[0]));
    tcase_add_loop_test(tcase, invalid_headers_make_no_mark, 0,
                        sizeof(table) / sizeof(table[0]));
    return suite;
}
