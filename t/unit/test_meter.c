/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* http: buckets of durations, and the texts that the status page makes of numbers. */

#include "unit.h"

#include "http/page_int.h"

START_TEST(bounds_grow)
{
    ck_assert_int_eq(mouse_histogram_bound(0), 10);
    for (int i = 1; i < MOUSE_BUCKETS; i++)
        ck_assert_int_gt(mouse_histogram_bound(i), mouse_histogram_bound(i - 1));
    ck_assert_int_eq(mouse_histogram_bound(MOUSE_BUCKETS - 2), 100000000);
    ck_assert(mouse_histogram_bound(MOUSE_BUCKETS - 1) == INT64_MAX);
}
END_TEST

/* A bound belongs to its bucket, the microsecond behind it to the next. */
START_TEST(bounds_are_inclusive)
{
    for (int i = 0; i < MOUSE_BUCKETS - 1; i++) {
        ck_assert_int_eq(mouse_histogram_bucket(mouse_histogram_bound(i)), i);
        ck_assert_int_eq(mouse_histogram_bucket(mouse_histogram_bound(i) + 1), i + 1);
    }
}
END_TEST

START_TEST(every_duration_has_its_bucket)
{
    for (int64_t us = 0; us < 3000000; us += us < 2000 ? 1 : 997) {
        int bucket = mouse_histogram_bucket(us);

        ck_assert_int_le(us, mouse_histogram_bound(bucket));
        if (bucket > 0)
            ck_assert_int_gt(us, mouse_histogram_bound(bucket - 1));
    }
    ck_assert_int_eq(mouse_histogram_bucket(0), 0);
    ck_assert_int_eq(mouse_histogram_bucket(INT64_MAX), MOUSE_BUCKETS - 1);
}
END_TEST

/* Powers of ten, twice and five times them: what the metrics add up to. */
START_TEST(metrics_bounds_are_bounds)
{
    static const int factors[] = {1, 2, 5};

    for (int64_t ten = 100; ten <= 10000000; ten *= 10)
        for (int i = 0; i < 3; i++) {
            int64_t bound = ten * factors[i];

            ck_assert_int_eq(mouse_histogram_bound(mouse_histogram_bucket(bound)), bound);
        }
}
END_TEST

START_TEST(quantiles_lie_in_their_buckets)
{
    uint64_t buckets[MOUSE_BUCKETS] = {0};

    ck_assert_double_eq(mouse_histogram_quantile(buckets, 0.5), 0);
    buckets[mouse_histogram_bucket(100)] = 50;
    buckets[mouse_histogram_bucket(1000)] = 45;
    buckets[mouse_histogram_bucket(500000)] = 5;
    ck_assert_double_eq(mouse_histogram_quantile(buckets, 0.5), 100);
    ck_assert_double_eq(mouse_histogram_quantile(buckets, 0.95), 1000);
    ck_assert_double_gt(mouse_histogram_quantile(buckets, 0.96), 450000);
    ck_assert_double_le(mouse_histogram_quantile(buckets, 1), 500000);
    ck_assert_double_eq(mouse_histogram_quantile(buckets, 0.25), 95);
    buckets[MOUSE_BUCKETS - 1] = 1000;
    ck_assert_double_eq(mouse_histogram_quantile(buckets, 0.5), 100000000);
}
END_TEST

START_TEST(counts_are_grouped)
{
    ck_assert_str_eq(mouse_page_count(unit_pool, 0), "0");
    ck_assert_str_eq(mouse_page_count(unit_pool, 999), "999");
    ck_assert_str_eq(mouse_page_count(unit_pool, 1000), "1\u202F000");
    ck_assert_str_eq(mouse_page_count(unit_pool, 1002030), "1\u202F002\u202F030");
    ck_assert_str_eq(mouse_page_count(unit_pool, UINT64_MAX),
                     "18\u202F446\u202F744\u202F073\u202F709\u202F551\u202F615");
}
END_TEST

START_TEST(times_and_rates_are_short)
{
    ck_assert_str_eq(mouse_page_time(unit_pool, 0), "0\u00A0\u00B5s");
    ck_assert_str_eq(mouse_page_time(unit_pool, 850.4), "850\u00A0\u00B5s");
    ck_assert_str_eq(mouse_page_time(unit_pool, 1234), "1.23\u00A0ms");
    ck_assert_str_eq(mouse_page_time(unit_pool, 45678), "45.7\u00A0ms");
    ck_assert_str_eq(mouse_page_time(unit_pool, 2500000), "2.50\u00A0s");
    ck_assert_str_eq(mouse_page_rate(unit_pool, 0.25), "0.25");
    ck_assert_str_eq(mouse_page_rate(unit_pool, 45.67), "45.7");
    ck_assert_str_eq(mouse_page_rate(unit_pool, 12345.6), "12\u202F346");
}
END_TEST

static const struct {
    const char *text, *page, *label;
} escapes[] = {
    {"/a/{id:int}", "/a/{id:int}", "/a/{id:int}"},
    {"<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;", "<b>&\\\"'"},
    {"a\\b\nc", "a\\b\nc", "a\\\\b\\nc"},
    {"\u00E9\u20AC", "\u00E9\u20AC", "\u00E9\u20AC"},
    {"x\xFFy\xE2\x82", "x\uFFFDy\uFFFD", "x\uFFFDy\uFFFD"},
    {"", "", ""},
};

START_TEST(texts_are_escaped)
{
    mouse_buf_t *page = apr_palloc(unit_pool, sizeof(*page));
    mouse_buf_t *label = apr_palloc(unit_pool, sizeof(*label));

    mouse_buf_init(page, unit_pool, 8);
    mouse_page_put_text(page, escapes[_i].text);
    mouse_buf_char(page, '\0');
    ck_assert_str_eq(page->data, escapes[_i].page);
    mouse_buf_init(label, unit_pool, 8);
    mouse_metrics_put_value(label, escapes[_i].text);
    mouse_buf_char(label, '\0');
    ck_assert_str_eq(label->data, escapes[_i].label);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("meter");
    TCase *histogram = unit_case(suite, "histogram");
    TCase *texts = unit_case(suite, "texts");

    tcase_add_test(histogram, bounds_grow);
    tcase_add_test(histogram, bounds_are_inclusive);
    tcase_add_test(histogram, every_duration_has_its_bucket);
    tcase_add_test(histogram, metrics_bounds_are_bounds);
    tcase_add_test(histogram, quantiles_lie_in_their_buckets);
    tcase_add_test(texts, counts_are_grouped);
    tcase_add_test(texts, times_and_rates_are_short);
    tcase_add_loop_test(texts, texts_are_escaped, 0, sizeof(escapes) / sizeof(escapes[0]));
    return suite;
}
