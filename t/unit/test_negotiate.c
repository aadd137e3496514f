/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: which format an Accept header asks for. */

#include "unit.h"

#include "http/http_int.h"

static const struct {
    const char *accept;
    mouse_format_t format;
} table[] = {
    {NULL, MOUSE_FORMAT_JSON},
    {"", MOUSE_FORMAT_JSON},
    {"*/*", MOUSE_FORMAT_JSON},
    {"application/json", MOUSE_FORMAT_JSON},
    {"text/csv", MOUSE_FORMAT_CSV},
    {"TEXT/CSV", MOUSE_FORMAT_CSV},
    {"text/csv; charset=utf-8; header=present", MOUSE_FORMAT_CSV},
    {"text/*", MOUSE_FORMAT_CSV},
    {"text/csv, */*", MOUSE_FORMAT_CSV},
    {"*/*, text/csv", MOUSE_FORMAT_CSV},
    {"*/*, text/csv;q=0.9", MOUSE_FORMAT_JSON},
    {"text/csv;q=0.5, */*;q=0.1", MOUSE_FORMAT_CSV},
    {"application/json, text/csv", MOUSE_FORMAT_JSON},
    {"text/csv, application/json", MOUSE_FORMAT_JSON},
    {"application/json;q=0.2,text/csv;q=0.25", MOUSE_FORMAT_CSV},
    {"application/json ; Q=0.2 , text/csv ; q=0.199", MOUSE_FORMAT_JSON},
    {"application/json;q=0.10, */*;q=0.8", MOUSE_FORMAT_NDJSON},
    {"application/x-ndjson", MOUSE_FORMAT_NDJSON},
    {"application/ndjson", MOUSE_FORMAT_NDJSON},
    {"application/jsonl;q=0.3, application/json;q=0.2", MOUSE_FORMAT_NDJSON},
    {"application/*", MOUSE_FORMAT_JSON},
    {"text/csv;q=0", MOUSE_FORMAT_JSON},
    {"text/csv;q=0.000, text/html", MOUSE_FORMAT_JSON},
    {"application/json;q=0, text/html", MOUSE_FORMAT_JSON},
    {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", MOUSE_FORMAT_JSON},
    {"image/png", MOUSE_FORMAT_JSON},
    {"text/csvx", MOUSE_FORMAT_JSON},
    {"text", MOUSE_FORMAT_JSON},
    {",,, ;;; ,q=1", MOUSE_FORMAT_JSON},
    {"text/csv;", MOUSE_FORMAT_CSV},
    {"text/csv; ", MOUSE_FORMAT_CSV},
    {"text/csv;q=", MOUSE_FORMAT_CSV},
    {"text/csv;q=1.0;x=\"y\"", MOUSE_FORMAT_CSV},
};

START_TEST(accept_chooses)
{
    ck_assert_int_eq(mouse_negotiate(table[_i].accept), table[_i].format);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("negotiate");
    TCase *tcase = unit_case(suite, "accept");

    tcase_add_loop_test(tcase, accept_chooses, 0, sizeof(table) / sizeof(table[0]));
    return suite;
}
