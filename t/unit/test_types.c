/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* types: one value by its declaration, from text and from JSON. */

#include "unit.h"

#include "model/model_int.h"

#include <apr_strings.h>

typedef struct row_t {
    mouse_type_t type;
    const char *text;
    const char *wanted; /* the bound value as text, or the violation's rule */
    bool fits;
    const char *low, *high;
} row_t;

static mouse_param_t make_param(mouse_type_t type, const char *low, const char *high)
{
    mouse_param_t param = {.name = "x", .type = type, .order = -1};

    param.bounds = (mouse_bounds_t){low, high, low ? apr_atoi64(low) : INT64_MIN,
                                    high ? apr_atoi64(high) : INT64_MAX, low || high};
    return param;
}

static const char *print(const mouse_value_t *value)
{
    const mouse_calendar_t *t = &value->t;

    switch (value->kind) {
    case MOUSE_VALUE_BOOL:
    case MOUSE_VALUE_INT:
        return apr_psprintf(unit_pool, "%" APR_INT64_T_FMT, value->i);
    case MOUSE_VALUE_UINT:
        return apr_psprintf(unit_pool, "u%" APR_UINT64_T_FMT, value->u);
    case MOUSE_VALUE_DATE:
        return apr_psprintf(unit_pool, "%04d-%02d-%02d", t->year, t->month, t->day);
    case MOUSE_VALUE_DATETIME:
        return apr_psprintf(unit_pool, "%04d-%02d-%02dT%02d:%02d:%02d.%06u", t->year,
                            t->month, t->day, t->hour, t->minute, t->second,
                            (unsigned)t->usec);
    default:
        return mouse_slice_copy(unit_pool, value->text);
    }
}

static void check(apr_status_t rv, const mouse_value_t *value, const char *rule,
                  const row_t *row)
{
    ck_assert_msg((rv == APR_SUCCESS) == row->fits, "%s: %s", row->text,
                  rule ? rule : "accepted");
    ck_assert_str_eq(row->fits ? print(value) : rule, row->wanted);
}

#define D13 "9999999999999"
#define D65 D13 D13 D13 D13 D13

static const row_t texts[] = {
    {MOUSE_TYPE_INT, "12", "12", true, NULL, NULL},
    {MOUSE_TYPE_INT, "-9223372036854775808", "-9223372036854775808", true, NULL, NULL},
    {MOUSE_TYPE_INT, "9223372036854775807", "9223372036854775807", true, NULL, NULL},
    {MOUSE_TYPE_INT, "18446744073709551615", "u18446744073709551615", true, NULL, NULL},
    {MOUSE_TYPE_INT, "18446744073709551616", "range", false, NULL, NULL},
    {MOUSE_TYPE_INT, "-9223372036854775809", "range", false, NULL, NULL},
    {MOUSE_TYPE_INT, "1.0", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "1e3", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, " 1", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "+1", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "-", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "0x1", "type", false, NULL, NULL},
    {MOUSE_TYPE_INT, "99", "99", true, "1", "99"},
    {MOUSE_TYPE_INT, "100", "range", false, "1", "99"},
    {MOUSE_TYPE_INT, "0", "range", false, "1", NULL},
    {MOUSE_TYPE_NUMBER, "12.34567890123456789", "12.34567890123456789", true, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1e2", "100", true, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "NaN", "type", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1.", "type", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1e999999", "type", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, D65, D65, true, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "-" D65 ".5", "-" D65 ".5", true, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1" D65, "range", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "-1" D65, "range", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1e309", "range", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "1.50001", "range", false, "0", "1.5"},
    {MOUSE_TYPE_NUMBER, "1.5", "1.5", true, "0", "1.5"},
    {MOUSE_TYPE_STRING, "", "", true, NULL, NULL},
    {MOUSE_TYPE_STRING, "\xC3\xA9\xC3\xA9", "\xC3\xA9\xC3\xA9", true, "2", "2"},
    {MOUSE_TYPE_STRING, "abc", "length", false, "1", "2"},
    {MOUSE_TYPE_STRING, "\xFF", "type", false, NULL, NULL},
    {MOUSE_TYPE_BOOL, "true", "1", true, NULL, NULL},
    {MOUSE_TYPE_BOOL, "0", "0", true, NULL, NULL},
    {MOUSE_TYPE_BOOL, "yes", "type", false, NULL, NULL},
    {MOUSE_TYPE_DATE, "2024-02-29", "2024-02-29", true, NULL, NULL},
    {MOUSE_TYPE_DATE, "2023-02-29", "type", false, NULL, NULL},
    {MOUSE_TYPE_DATE, "2023-13-01", "type", false, NULL, NULL},
    {MOUSE_TYPE_DATE, "2023-01-01x", "type", false, NULL, NULL},
    {MOUSE_TYPE_DATETIME, "2026-01-01T00:30:00+02:00", "2025-12-31T22:30:00.000000", true,
     NULL, NULL},
    {MOUSE_TYPE_DATETIME, "2024-02-28T23:30:00.25-01:00", "2024-02-29T00:30:00.250000",
     true, NULL, NULL},
    {MOUSE_TYPE_DATETIME, "2026-01-31T08:30:00Z", "2026-01-31T08:30:00.000000", true, NULL,
     NULL},
    {MOUSE_TYPE_DATETIME, "2026-01-31T08:30:00", "2026-01-31T08:30:00.000000", true, NULL,
     NULL},
    {MOUSE_TYPE_DATETIME, "2026-01-31T24:00:00Z", "type", false, NULL, NULL},
    {MOUSE_TYPE_UUID, "01234567-89ab-cdef-0123-456789ABCDEF",
     "01234567-89ab-cdef-0123-456789ABCDEF", true, NULL, NULL},
    {MOUSE_TYPE_UUID, "0123456789abcdef0123456789abcdef", "type", false, NULL, NULL},
    {MOUSE_TYPE_JSON, "{\"a\":[1]}", "{\"a\":[1]}", true, NULL, NULL},
    {MOUSE_TYPE_JSON, "{a:1}", "type", false, NULL, NULL},
    {MOUSE_TYPE_BYTES, "YWJj", "abc", true, NULL, "3"},
    {MOUSE_TYPE_BYTES, "YWJjZA==", "length", false, NULL, "3"},
    {MOUSE_TYPE_BYTES, "YWJ", "type", false, NULL, NULL},
    {MOUSE_TYPE_BYTES, "YW=j", "type", false, NULL, NULL},
};

START_TEST(text_becomes_the_declared_type)
{
    const row_t *row = &texts[_i];
    mouse_param_t param = make_param(row->type, row->low, row->high);
    mouse_value_t value = {0};
    const char *rule = NULL, *detail = NULL;
    apr_status_t rv =
        mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_MYSQL,
                             mouse_slice_of(row->text), &value, &rule, &detail);

    check(rv, &value, rule, row);
}
END_TEST

static const row_t nodes[] = {
    {MOUSE_TYPE_INT, "5", "5", true, NULL, NULL},
    {MOUSE_TYPE_INT, "\"5\"", "type", false, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "0.10", "0.1", true, NULL, NULL},
    {MOUSE_TYPE_NUMBER, "\"2.5\"", "2.5", true, NULL, NULL},
    {MOUSE_TYPE_STRING, "0", "type", false, NULL, NULL},
    {MOUSE_TYPE_STRING, "\"a\\u00e9\"", "a\xC3\xA9", true, NULL, NULL},
    {MOUSE_TYPE_BOOL, "true", "1", true, NULL, NULL},
    {MOUSE_TYPE_BOOL, "1", "type", false, NULL, NULL},
    {MOUSE_TYPE_BOOL, "\"true\"", "type", false, NULL, NULL},
    {MOUSE_TYPE_DATE, "20240101", "type", false, NULL, NULL},
    {MOUSE_TYPE_JSON, "\"a\"", "\"a\"", true, NULL, NULL},
    {MOUSE_TYPE_JSON, "[1, {}]", "[1, {}]", true, NULL, NULL},
};

START_TEST(json_is_never_trusted_for_its_type)
{
    const row_t *row = &nodes[_i];
    mouse_param_t param = make_param(row->type, row->low, row->high);
    const mouse_json_doc_t *doc;
    mouse_error_t *err = NULL;
    mouse_value_t value = {0};
    const char *rule = NULL, *detail = NULL;
    apr_status_t rv;

    ck_assert(mouse_json_scan(unit_pool, mouse_slice_of(row->text), 8, &doc, &err) ==
              APR_SUCCESS);
    rv = mouse_type_from_json(unit_pool, &param, MOUSE_DIALECT_MYSQL, doc->root, &value,
                              &rule, &detail);
    check(rv, &value, rule, row);
}
END_TEST

START_TEST(sqlite_has_int64_alone)
{
    mouse_param_t param = make_param(_i ? MOUSE_TYPE_NUMBER : MOUSE_TYPE_INT, NULL, NULL);
    mouse_value_t value = {0};
    const char *rule = NULL, *detail = NULL;

    ck_assert(mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_SQLITE,
                                   mouse_slice_of("9223372036854775808"), &value, &rule,
                                   &detail) != APR_SUCCESS);
    ck_assert_str_eq(rule, "range");
}
END_TEST

START_TEST(choices_and_patterns)
{
    const char *choices[] = {"red", "blue"}, *rule = NULL, *detail = NULL;
    mouse_param_t param = make_param(MOUSE_TYPE_STRING, NULL, NULL);
    mouse_value_t value;

    param.choices = choices;
    param.choice_count = 2;
    ck_assert(mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_MYSQL,
                                   MOUSE_SLICE("blue"), &value, &rule,
                                   &detail) == APR_SUCCESS);
    ck_assert(mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_MYSQL,
                                   MOUSE_SLICE("blu"), &value, &rule,
                                   &detail) != APR_SUCCESS);
    ck_assert_str_eq(rule, "in");
    param.choice_count = 0;
    ck_assert(mouse_pattern_compile(unit_pool, "^.$", &param.pattern, &detail) ==
              APR_SUCCESS);
    ck_assert(mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_MYSQL,
                                   MOUSE_SLICE("\xC3\xA9"), &value, &rule,
                                   &detail) == APR_SUCCESS);
    ck_assert(mouse_type_from_text(unit_pool, &param, MOUSE_DIALECT_MYSQL,
                                   MOUSE_SLICE("a\n"), &value, &rule,
                                   &detail) != APR_SUCCESS);
    ck_assert_str_eq(rule, "match");
    ck_assert(mouse_pattern_compile(unit_pool, "(", &param.pattern, &detail) !=
              APR_SUCCESS);
}
END_TEST

START_TEST(hashes_are_known_and_bounded)
{
    char long_text[74];
    mouse_slice_t out;
    const char *detail = NULL;

    memset(long_text, 'a', sizeof(long_text));
    ck_assert(mouse_hash(unit_pool, MOUSE_HASH_SHA256, 0, MOUSE_SLICE("abc"), &out,
                         &detail) == APR_SUCCESS);
    ck_assert_str_eq(mouse_slice_copy(unit_pool, out),
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert(mouse_hash(unit_pool, MOUSE_HASH_BCRYPT, 4, (mouse_slice_t){long_text, 72},
                         &out, &detail) == APR_SUCCESS);
    ck_assert_int_eq(strncmp(out.data, "$2b$04$", 7), 0);
    ck_assert(mouse_hash(unit_pool, MOUSE_HASH_BCRYPT, 4, (mouse_slice_t){long_text, 73},
                         &out, &detail) != APR_SUCCESS);
    ck_assert(mouse_hash(unit_pool, MOUSE_HASH_BCRYPT, 4, MOUSE_SLICE("a\0b"), &out,
                         &detail) != APR_SUCCESS);
    ck_assert_uint_eq(strlen(mouse_random_hex32(unit_pool)), 64);
    ck_assert_int_eq(mouse_random_uuid(unit_pool)[14], '4');
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("types");
    TCase *tcase = unit_case(suite, "types");

    tcase_add_loop_test(tcase, text_becomes_the_declared_type, 0,
                        sizeof(texts) / sizeof(texts[0]));
    tcase_add_loop_test(tcase, json_is_never_trusted_for_its_type, 0,
                        sizeof(nodes) / sizeof(nodes[0]));
    tcase_add_loop_test(tcase, sqlite_has_int64_alone, 0, 2);
    tcase_add_test(tcase, choices_and_patterns);
    tcase_add_test(tcase, hashes_are_known_and_bounded);
    return suite;
}
