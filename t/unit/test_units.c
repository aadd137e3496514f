/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Durations and sizes. */
#include <apr_errno.h>

#include "unit.h"

#include "base/mouse_base.h"

typedef struct case_t {
    const char *text;
    int64_t value; /* -1: refused */
} case_t;

static const case_t durations[] = {
    {"0s", 0},
    {"500ms", 500000},
    {"2s", 2000000},
    {"30m", INT64_C(1800000000)},
    {"1h", INT64_C(3600000000)},
    {"1d", INT64_C(86400000000)},
    {"9223372036854s", INT64_C(9223372036854000000)},
    {"9223372036855s", -1},
    {"99999999999999999999s", -1},
    {"", -1},
    {"2", -1},
    {"s", -1},
    {"-1s", -1},
    {"+1s", -1},
    {" 1s", -1},
    {"1s ", -1},
    {"1 s", -1},
    {"1.5s", -1},
    {"1S", -1},
    {"1us", -1},
    {"1sm", -1},
};

static const case_t sizes[] = {
    {"0", 0},
    {"17", 17},
    {"1k", 1024},
    {"8m", 8388608},
    {"8M", 8388608},
    {"1g", 1073741824},
    {"8589934591g", INT64_C(9223372035781033984)},
    {"8589934592g", -1},
    {"9223372036854775807", INT64_MAX},
    {"9223372036854775808", -1},
    {"", -1},
    {"k", -1},
    {"1kb", -1},
    {"-1", -1},
    {"1.5m", -1},
    {"0x10", -1},
    {"1t", -1},
};

START_TEST(reads_durations)
{
    const case_t *c = &durations[_i];
    apr_interval_time_t value = -1;
    apr_status_t rv = mouse_parse_duration(c->text, &value);

    ck_assert_msg(rv == (c->value < 0 ? APR_EINVAL : APR_SUCCESS), "%s", c->text);
    ck_assert_int_eq(value, c->value);
}
END_TEST

START_TEST(reads_sizes)
{
    const case_t *c = &sizes[_i];
    apr_off_t value = -1;
    apr_status_t rv = mouse_parse_size(c->text, &value);

    ck_assert_msg(rv == (c->value < 0 ? APR_EINVAL : APR_SUCCESS), "%s", c->text);
    ck_assert_int_eq(value, c->value);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("units");
    TCase *tcase = unit_case(suite, "units");

    tcase_add_loop_test(tcase, reads_durations, 0,
                        sizeof(durations) / sizeof(durations[0]));
    tcase_add_loop_test(tcase, reads_sizes, 0, sizeof(sizes) / sizeof(sizes[0]));
    return suite;
}
