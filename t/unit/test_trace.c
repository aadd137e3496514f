/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: which traceparent headers are taken. */

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
    return suite;
}
