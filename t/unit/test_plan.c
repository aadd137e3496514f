/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* db: rows as bytes - every column type, value, rule and style, as JSON and as CSV. */

#include "unit.h"

#include <math.h>

#include "db/mouse_db.h"

#define TEXT_OF(of, literal)                                                               \
    {                                                                                      \
        .kind = MOUSE_VALUE_##of, .text = { literal, sizeof(literal) - 1 }                 \
    }
#define NIL                                                                                \
    {                                                                                      \
        .kind = MOUSE_VALUE_NULL                                                           \
    }
#define INT(n)                                                                             \
    {                                                                                      \
        .kind = MOUSE_VALUE_INT, .i = (n)                                                  \
    }
#define UINT(n)                                                                            \
    {                                                                                      \
        .kind = MOUSE_VALUE_UINT, .u = (n)                                                 \
    }
#define BOOL(n)                                                                            \
    {                                                                                      \
        .kind = MOUSE_VALUE_BOOL, .i = (n)                                                 \
    }
#define FLT(n)                                                                             \
    {                                                                                      \
        .kind = MOUSE_VALUE_FLOAT, .d = (n)                                                \
    }
#define DBL(n)                                                                             \
    {                                                                                      \
        .kind = MOUSE_VALUE_DOUBLE, .d = (n)                                               \
    }
#define DEC(s) TEXT_OF(DECIMAL, s)
#define STR(s) TEXT_OF(STRING, s)
#define BYT(s) TEXT_OF(BYTES, s)
#define JSN(s) TEXT_OF(JSON, s)
#define BIT(s) TEXT_OF(BITS, s)
#define DAY(y, mo, d)                                                                      \
    {                                                                                      \
        .kind = MOUSE_VALUE_DATE, .t = {.year = y, .month = mo, .day = d }                 \
    }
#define AT(y, mo, dd, h, mi, s, us, dec)                                                   \
    {                                                                                      \
        .kind = MOUSE_VALUE_DATETIME, .t = {                                               \
            .year = y,                                                                     \
            .month = mo,                                                                   \
            .day = dd,                                                                     \
            .hour = h,                                                                     \
            .minute = mi,                                                                  \
            .second = s,                                                                   \
            .usec = us,                                                                    \
            .decimals = dec                                                                \
        }                                                                                  \
    }
#define CLOCK(neg, h, mi, s, us, dec)                                                      \
    {                                                                                      \
        .kind = MOUSE_VALUE_TIME, .t = {                                                   \
            .negative = neg,                                                               \
            .hour = h,                                                                     \
            .minute = mi,                                                                  \
            .second = s,                                                                   \
            .usec = us,                                                                    \
            .decimals = dec                                                                \
        }                                                                                  \
    }

enum { PLAIN = 0, BIG_STRING = 1, DECIMAL_NUMBER = 2, UTC = 4 };

/* json NULL: the value does not fit the column. */
typedef struct plan_case_t {
    mouse_column_type_t type;
    mouse_value_t value;
    const char *json;
    const char *csv;
    int style;
    int scale;
} plan_case_t;

static const plan_case_t by_type[] = {
    {MOUSE_COLUMN_INT, INT(INT64_MIN), "-9223372036854775808", "-9223372036854775808", 0,
     0},
    {MOUSE_COLUMN_INT, INT(INT64_MAX), "9223372036854775807", "9223372036854775807", 0, 0},
    {MOUSE_COLUMN_INT, UINT(UINT64_MAX), "18446744073709551615", "18446744073709551615", 0,
     0},
    {MOUSE_COLUMN_INT, INT(0), "0", "0", 0, 0},
    {MOUSE_COLUMN_INT, INT(INT64_MIN), "\"-9223372036854775808\"", "-9223372036854775808",
     BIG_STRING, 0},
    {MOUSE_COLUMN_INT, UINT(UINT64_MAX), "\"18446744073709551615\"", "18446744073709551615",
     BIG_STRING, 0},
    {MOUSE_COLUMN_INT, NIL, "null", "", BIG_STRING, 0},
    {MOUSE_COLUMN_INT, DBL(1.5), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_INT, STR("12"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_SMALLINT, INT(-7), "-7", "-7", BIG_STRING, 0},
    {MOUSE_COLUMN_SMALLINT, UINT(4294967295u), "4294967295", "4294967295", BIG_STRING, 0},
    {MOUSE_COLUMN_DECIMAL, DEC("-12.50"), "\"-12.50\"", "-12.50", 0, 2},
    {MOUSE_COLUMN_DECIMAL, DEC("-12.50"), "-12.50", "-12.50", DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL, DEC("-12.50"), "\"-12.50\"", "-12.50", BIG_STRING, 2},
    {MOUSE_COLUMN_DECIMAL, DEC("00012.50"), "12.50", "12.50", DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL, DEC("0.00"), "0.00", "0.00", DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL, DEC("x"), NULL, NULL, DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL,
     DEC("99999999999999999999999999999999999.123456789012345678901234567890"),
     "\"99999999999999999999999999999999999.123456789012345678901234567890\"",
     "99999999999999999999999999999999999.123456789012345678901234567890", 0, 30},
    {MOUSE_COLUMN_DECIMAL, DEC("123456789012345678901234567890"),
     "123456789012345678901234567890", "123456789012345678901234567890", 0, 0},
    {MOUSE_COLUMN_DECIMAL, DEC("42"), "\"42\"", "42", BIG_STRING, 0},
    {MOUSE_COLUMN_DECIMAL, DEC("42"), "\"42\"", "42", BIG_STRING | DECIMAL_NUMBER, 0},
    {MOUSE_COLUMN_DECIMAL, INT(12), "\"12\"", "12", 0, 2},
    {MOUSE_COLUMN_DECIMAL, INT(12), "12", "12", DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL, DBL(12.5), "\"12.5\"", "12.5", 0, 2},
    {MOUSE_COLUMN_DECIMAL, DBL(12.5), "12.5", "12.5", DECIMAL_NUMBER, 2},
    {MOUSE_COLUMN_DECIMAL, DBL(12.5), "\"12.5\"", "12.5", 0, -1},
    {MOUSE_COLUMN_DECIMAL, STR("dear"), NULL, NULL, 0, 2},
    {MOUSE_COLUMN_DOUBLE, DBL(0.1), "0.1", "0.1", 0, 0},
    {MOUSE_COLUMN_DOUBLE, DBL(-2.5), "-2.5", "-2.5", 0, 0},
    {MOUSE_COLUMN_DOUBLE, DBL(NAN), "null", "", 0, 0},
    {MOUSE_COLUMN_DOUBLE, DBL(INFINITY), "null", "", 0, 0},
    {MOUSE_COLUMN_DOUBLE, INT(3), "3", "3", BIG_STRING, 0},
    {MOUSE_COLUMN_DOUBLE, STR("1.5"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_FLOAT, FLT(0.1f), "0.1", "0.1", 0, 0},
    {MOUSE_COLUMN_FLOAT, FLT(16777216.0f), "16777216", "16777216", 0, 0},
    {MOUSE_COLUMN_BOOL, BOOL(1), "true", "true", 0, 0},
    {MOUSE_COLUMN_BOOL, INT(0), "false", "false", 0, 0},
    {MOUSE_COLUMN_BOOL, BIT("\x01"), "true", "true", 0, 0},
    {MOUSE_COLUMN_BOOL, BIT("\x00"), "false", "false", 0, 0},
    {MOUSE_COLUMN_BOOL, INT(2), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_BOOL, STR("true"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_BOOL, NIL, "null", "", 0, 0},
    {MOUSE_COLUMN_BITS, BIT("\x01\x00"), "256", "256", BIG_STRING, 0},
    {MOUSE_COLUMN_BITS, BIT("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "18446744073709551615",
     "18446744073709551615", 0, 0},
    {MOUSE_COLUMN_BITS, BIT("\x01\x02\x03\x04\x05\x06\x07\x08\x09"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_STRING, STR(""), "\"\"", "\"\"", 0, 0},
    {MOUSE_COLUMN_STRING, STR("plain"), "\"plain\"", "plain", 0, 0},
    {MOUSE_COLUMN_STRING, STR("a\"b"), "\"a\\\"b\"", "\"a\"\"b\"", 0, 0},
    {MOUSE_COLUMN_STRING, STR("a\\b"), "\"a\\\\b\"", "a\\b", 0, 0},
    {MOUSE_COLUMN_STRING, STR("a,b"), "\"a,b\"", "\"a,b\"", 0, 0},
    {MOUSE_COLUMN_STRING, STR("a\r\nb"), "\"a\\r\\nb\"", "\"a\r\nb\"", 0, 0},
    {MOUSE_COLUMN_STRING, STR("\xF0\x9F\x90\xAD"), "\"\xF0\x9F\x90\xAD\"",
     "\xF0\x9F\x90\xAD", 0, 0},
    {MOUSE_COLUMN_STRING, STR("a\xE2\x80\xA8z"), "\"a\xE2\x80\xA8z\"", "a\xE2\x80\xA8z", 0,
     0},
    {MOUSE_COLUMN_STRING, STR("a\xFFz"), "\"a\xEF\xBF\xBDz\"", "a\xEF\xBF\xBDz", 0, 0},
    {MOUSE_COLUMN_STRING, STR("\xE2\x80"), "\"\xEF\xBF\xBD\"", "\xEF\xBF\xBD", 0, 0},
    {MOUSE_COLUMN_STRING, STR("\xC0\x80,"), "\"\xEF\xBF\xBD\xEF\xBF\xBD,\"",
     "\"\xEF\xBF\xBD\xEF\xBF\xBD,\"", 0, 0},
    {MOUSE_COLUMN_STRING, STR("\x01\x1F"), "\"\\u0001\\u001f\"", "\x01\x1F", 0, 0},
    {MOUSE_COLUMN_STRING, NIL, "null", "", 0, 0},
    {MOUSE_COLUMN_STRING, INT(1), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_STRING, BYT("abc"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_BYTES, BYT("a\0b"), "\"YQBi\"", "\"YQBi\"", 0, 0},
    {MOUSE_COLUMN_BYTES, BYT("a"), "\"YQ==\"", "\"YQ==\"", 0, 0},
    {MOUSE_COLUMN_BYTES, BYT(""), "\"\"", "\"\"", 0, 0},
    {MOUSE_COLUMN_BYTES, STR("a"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_JSON, JSN("{\"a\":[1,null]}"), "{\"a\":[1,null]}",
     "\"{\"\"a\"\":[1,null]}\"", 0, 0},
    {MOUSE_COLUMN_JSON, STR("true"), "true", "\"true\"", 0, 0},
    {MOUSE_COLUMN_JSON, STR("\"x\""), "\"x\"", "\"\"\"x\"\"\"", 0, 0},
    {MOUSE_COLUMN_JSON, INT(12), "12", "12", 0, 0},
    {MOUSE_COLUMN_JSON, INT(12), "12", "12", BIG_STRING, 0},
    {MOUSE_COLUMN_JSON, DBL(1.5), "1.5", "1.5", 0, 0},
    {MOUSE_COLUMN_JSON, STR("{"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_JSON, STR(""), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_JSON, NIL, "null", "", 0, 0},
    {MOUSE_COLUMN_DATE, DAY(2026, 1, 31), "\"2026-01-31\"", "2026-01-31", 0, 0},
    {MOUSE_COLUMN_DATE, DAY(7, 1, 2), "\"0007-01-02\"", "0007-01-02", 0, 0},
    {MOUSE_COLUMN_DATE, DAY(0, 0, 0), "null", "", 0, 0},
    {MOUSE_COLUMN_DATE, STR("soon"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_DATE, INT(2026), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_DATETIME, AT(2026, 1, 31, 10, 0, 5, 0, 0), "\"2026-01-31T10:00:05\"",
     "2026-01-31T10:00:05", 0, 0},
    {MOUSE_COLUMN_DATETIME, AT(2026, 1, 31, 10, 0, 5, 0, 0), "\"2026-01-31T10:00:05Z\"",
     "2026-01-31T10:00:05Z", UTC, 0},
    {MOUSE_COLUMN_DATETIME, AT(2026, 1, 31, 10, 0, 5, 42, 6),
     "\"2026-01-31T10:00:05.000042\"", "2026-01-31T10:00:05.000042", 0, 0},
    {MOUSE_COLUMN_DATETIME, AT(2026, 1, 31, 10, 0, 5, 120000, 3),
     "\"2026-01-31T10:00:05.120\"", "2026-01-31T10:00:05.120", 0, 0},
    {MOUSE_COLUMN_DATETIME, AT(0, 0, 0, 0, 0, 0, 0, 0), "null", "", 0, 0},
    {MOUSE_COLUMN_DATETIME, STR("2026-01-31 10:00:05Z"), "\"2026-01-31T10:00:05Z\"",
     "2026-01-31T10:00:05Z", 0, 0},
    {MOUSE_COLUMN_DATETIME, STR("2026-01-31T10:00:05.25+02:00"),
     "\"2026-01-31T10:00:05.25+02:00\"", "2026-01-31T10:00:05.25+02:00", 0, 0},
    {MOUSE_COLUMN_DATETIME, STR("2026-01-31T10:00:05.25+2:00"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_DATETIME, STR("yesterday"), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_DATETIME, INT(1700000000), NULL, NULL, 0, 0},
    {MOUSE_COLUMN_TIMESTAMP, AT(2026, 1, 31, 10, 0, 5, 0, 0), "\"2026-01-31T10:00:05Z\"",
     "2026-01-31T10:00:05Z", 0, 0},
    {MOUSE_COLUMN_TIME, CLOCK(true, 838, 59, 59, 0, 0), "\"-838:59:59\"", "-838:59:59", 0,
     0},
    {MOUSE_COLUMN_TIME, CLOCK(false, 8, 5, 0, 500000, 1), "\"08:05:00.5\"", "08:05:00.5", 0,
     0},
    {MOUSE_COLUMN_DYNAMIC, INT(5), "5", "5", 0, 0},
    {MOUSE_COLUMN_DYNAMIC, INT(5), "\"5\"", "5", BIG_STRING, 0},
    {MOUSE_COLUMN_DYNAMIC, DBL(0.5), "0.5", "0.5", BIG_STRING, 0},
    {MOUSE_COLUMN_DYNAMIC, STR("x"), "\"x\"", "x", 0, 0},
    {MOUSE_COLUMN_DYNAMIC, BYT("x"), "\"eA==\"", "\"eA==\"", 0, 0},
    {MOUSE_COLUMN_DYNAMIC, NIL, "null", "", 0, 0},
};

static const struct {
    mouse_column_rule_kind_t rule;
    plan_case_t plan;
} by_rule[] = {
    {MOUSE_RULE_BOOL, {MOUSE_COLUMN_SMALLINT, INT(1), "true", "true", 0, 0}},
    {MOUSE_RULE_BOOL, {MOUSE_COLUMN_INT, UINT(0), "false", "false", BIG_STRING, 0}},
    {MOUSE_RULE_BOOL, {MOUSE_COLUMN_DECIMAL, DEC("1"), "true", "true", 0, 0}},
    {MOUSE_RULE_BOOL, {MOUSE_COLUMN_SMALLINT, INT(100), NULL, NULL, 0, 0}},
    {MOUSE_RULE_JSON, {MOUSE_COLUMN_STRING, STR("[1]"), "[1]", "\"[1]\"", 0, 0}},
    {MOUSE_RULE_JSON, {MOUSE_COLUMN_STRING, STR("[1"), NULL, NULL, 0, 0}},
    {MOUSE_RULE_JSON, {MOUSE_COLUMN_DYNAMIC, BYT("{}"), "{}", "\"{}\"", 0, 0}},
    {MOUSE_RULE_STRING, {MOUSE_COLUMN_INT, INT(-5), "\"-5\"", "-5", 0, 0}},
    {MOUSE_RULE_STRING, {MOUSE_COLUMN_DOUBLE, DBL(0.25), "\"0.25\"", "0.25", 0, 0}},
    {MOUSE_RULE_STRING,
     {MOUSE_COLUMN_JSON, JSN("{\"a\":1}"), "\"{\\\"a\\\":1}\"", "\"{\"\"a\"\":1}\"", 0, 0}},
    {MOUSE_RULE_STRING, {MOUSE_COLUMN_BYTES, BYT("abc"), "\"abc\"", "abc", 0, 0}},
    {MOUSE_RULE_STRING, {MOUSE_COLUMN_BITS, BIT("\x02"), "\"2\"", "2", 0, 0}},
    {MOUSE_RULE_STRING,
     {MOUSE_COLUMN_DATE, DAY(2026, 2, 3), "\"2026-02-03\"", "2026-02-03", 0, 0}},
    {MOUSE_RULE_STRING, {MOUSE_COLUMN_INT, NIL, "null", "", 0, 0}},
    {MOUSE_RULE_NUMBER, {MOUSE_COLUMN_DECIMAL, DEC("1.50"), "1.50", "1.50", 0, 2}},
    {MOUSE_RULE_NUMBER, {MOUSE_COLUMN_INT, INT(7), "7", "7", BIG_STRING, 0}},
    {MOUSE_RULE_NUMBER, {MOUSE_COLUMN_STRING, STR("1e3"), "1e3", "1e3", 0, 0}},
    {MOUSE_RULE_NUMBER, {MOUSE_COLUMN_STRING, STR("true"), NULL, NULL, 0, 0}},
    {MOUSE_RULE_NUMBER, {MOUSE_COLUMN_STRING, STR("1 "), NULL, NULL, 0, 0}},
    {MOUSE_RULE_NUMBER,
     {MOUSE_COLUMN_DATETIME, INT(1700000000), "1700000000", "1700000000", 0, 0}},
};

static void check_bytes(const mouse_buf_t *buf, const char *want)
{
    ck_assert_msg(buf->len == strlen(want) && memcmp(buf->data, want, buf->len) == 0,
                  "got %.*s, want %s", (int)buf->len, buf->data, want);
}

/* Its cleanup runs after the test's frame is gone. */
static mouse_buf_t *create_buf(void)
{
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));

    mouse_buf_init(buf, unit_pool, 0);
    return buf;
}

static mouse_plan_t *create_plan(const plan_case_t *c, const mouse_column_rule_t *rule)
{
    mouse_column_t column = {.name = MOUSE_SLICE("v"), .type = c->type, .scale = c->scale};
    mouse_number_style_t style = {.bigint_string = (c->style & BIG_STRING) != 0,
                                  .decimal_number = (c->style & DECIMAL_NUMBER) != 0};
    mouse_plan_t *plan;
    mouse_error_t *err = NULL;

    ck_assert(mouse_plan_create(unit_pool, &column, 1, rule, rule ? 1 : 0, NULL, style,
                                (c->style & UTC) != 0, &plan, &err) == APR_SUCCESS);
    return plan;
}

static void check_case(const plan_case_t *c, const mouse_column_rule_t *rule)
{
    mouse_plan_t *plan = create_plan(c, rule);
    mouse_error_t *err = NULL;
    mouse_buf_t *json = create_buf(), *csv = create_buf();
    apr_status_t rv;

    rv = mouse_plan_put_value(plan, &c->value, json, unit_pool, &err);
    if (!c->json) {
        ck_assert(rv != APR_SUCCESS);
        ck_assert_int_eq(err->code, MOUSE_E_COLUMN);
        ck_assert(mouse_plan_put_csv(plan, &c->value, csv, unit_pool, &err) != APR_SUCCESS);
        return;
    }
    ck_assert(rv == APR_SUCCESS);
    check_bytes(json, c->json);
    ck_assert(mouse_plan_put_csv(plan, &c->value, csv, unit_pool, &err) == APR_SUCCESS);
    ck_assert_mem_eq(csv->data + csv->len - 2, "\r\n", 2);
    csv->len -= 2;
    check_bytes(csv, c->csv);
}

START_TEST(a_value_follows_its_column)
{
    check_case(&by_type[_i], NULL);
}
END_TEST

START_TEST(a_rule_overrides_the_type)
{
    mouse_column_rule_t rule = {.name = "v", .kind = by_rule[_i].rule};

    check_case(&by_rule[_i].plan, &rule);
}
END_TEST

START_TEST(nul_bytes_are_escaped)
{
    plan_case_t c = {MOUSE_COLUMN_STRING, STR("a\0b"), NULL, NULL, 0, 0};
    mouse_error_t *err = NULL;
    mouse_buf_t *buf = create_buf();

    ck_assert(mouse_plan_put_value(create_plan(&c, NULL), &c.value, buf, unit_pool, &err) ==
              APR_SUCCESS);
    check_bytes(buf, "\"a\\u0000b\"");
}
END_TEST

static const mouse_column_t shop[] = {
    {.name = {"secret", 6}, .type = MOUSE_COLUMN_STRING},
    {.name = {"id", 2}, .type = MOUSE_COLUMN_INT},
    {.name = {"a\"b", 3}, .type = MOUSE_COLUMN_STRING},
    {.name = {"code", 4}, .type = MOUSE_COLUMN_INT},
    {.name = {"x,y", 3}, .type = MOUSE_COLUMN_JSON},
};
static const mouse_value_t shop_row[] = {STR("s3cret"), INT(7), STR("x"), INT(201),
                                         JSN("[]")};
static const mouse_column_rule_t shop_rules[] = {
    {.name = "secret", .kind = MOUSE_RULE_HIDDEN},
    {.name = "code", .kind = MOUSE_RULE_STATUS},
    {.member = "items", .name = "id", .kind = MOUSE_RULE_STRING},
};

static mouse_plan_t *create_shop(const char *member)
{
    mouse_plan_t *plan;
    mouse_error_t *err = NULL;

    ck_assert(mouse_plan_create(unit_pool, shop, 5, shop_rules, 3, member,
                                (mouse_number_style_t){false, false}, false, &plan,
                                &err) == APR_SUCCESS);
    return plan;
}

START_TEST(hidden_columns_are_found_and_not_sent)
{
    mouse_plan_t *plan = create_shop(NULL);
    mouse_error_t *err = NULL;
    mouse_buf_t *buf = create_buf();

    ck_assert_int_eq(mouse_plan_visible(plan), 3);
    ck_assert_int_eq(mouse_plan_column(plan, "secret"), 0);
    ck_assert_int_eq(mouse_plan_column(plan, "x,y"), 4);
    ck_assert_int_eq(mouse_plan_column(plan, "nowhere"), -1);
    ck_assert_int_eq(mouse_plan_status(plan), 3);
    ck_assert(mouse_plan_put_object(plan, shop_row, buf, unit_pool, &err) == APR_SUCCESS);
    check_bytes(buf, "{\"id\":7,\"a\\\"b\":\"x\",\"x,y\":[]}");
    buf->len = 0;
    mouse_plan_put_csv_header(plan, buf);
    ck_assert(mouse_plan_put_csv(plan, shop_row, buf, unit_pool, &err) == APR_SUCCESS);
    check_bytes(buf, "id,\"a\"\"b\",\"x,y\"\r\n7,x,\"[]\"\r\n");
}
END_TEST

START_TEST(a_rule_is_for_its_member_alone)
{
    mouse_error_t *err = NULL;
    mouse_buf_t *buf = create_buf();
    mouse_plan_t *plan = create_shop("items");

    ck_assert_int_eq(mouse_plan_visible(plan), 5);
    ck_assert_int_eq(mouse_plan_status(plan), -1);
    ck_assert(mouse_plan_put_object(plan, shop_row, buf, unit_pool, &err) == APR_SUCCESS);
    check_bytes(buf, "{\"secret\":\"s3cret\",\"id\":\"7\",\"a\\\"b\":\"x\",\"code\":201,"
                     "\"x,y\":[]}");
}
END_TEST

START_TEST(duplicate_names_are_refused)
{
    mouse_column_t columns[] = {{.name = MOUSE_SLICE("id")},
                                {.name = MOUSE_SLICE("Id")},
                                {.name = MOUSE_SLICE("id")}};
    mouse_column_rule_t hidden = {.name = "id", .kind = MOUSE_RULE_HIDDEN};
    mouse_number_style_t style = {false, false};
    mouse_error_t *err = NULL;
    mouse_plan_t *plan;

    ck_assert(mouse_plan_create(unit_pool, columns, 2, NULL, 0, NULL, style, false, &plan,
                                &err) == APR_SUCCESS);
    ck_assert(mouse_plan_create(unit_pool, columns, 3, &hidden, 1, NULL, style, false,
                                &plan, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_COLUMN);
}
END_TEST

START_TEST(a_plan_without_columns_is_an_empty_object)
{
    mouse_error_t *err = NULL;
    mouse_plan_t *plan;
    mouse_buf_t *buf = create_buf();

    ck_assert(mouse_plan_create(unit_pool, NULL, 0, NULL, 0, NULL,
                                (mouse_number_style_t){false, false}, false, &plan,
                                &err) == APR_SUCCESS);
    ck_assert(mouse_plan_put_object(plan, NULL, buf, unit_pool, &err) == APR_SUCCESS);
    check_bytes(buf, "{}");
    ck_assert(mouse_plan_put_value(plan, NULL, buf, unit_pool, &err) != APR_SUCCESS);
}
END_TEST

static const struct {
    mouse_value_t value;
    const char *text;
} texts[] = {
    {NIL, NULL},
    {BOOL(1), "true"},
    {BOOL(0), "false"},
    {INT(INT64_MIN), "-9223372036854775808"},
    {UINT(UINT64_MAX), "18446744073709551615"},
    {DBL(-0.5), "-0.5"},
    {FLT(0.1f), "0.1"},
    {DBL(NAN), NULL},
    {DEC("-12.50"), "-12.50"},
    {STR("a\"b"), "a\"b"},
    {STR(""), ""},
    {BYT("a\0b"), "YQBi"},
    {BYT("ab"), "YWI="},
    {BYT(""), ""},
    {JSN("{}"), "{}"},
    {BIT("\x01\x00"), "256"},
    {DAY(2026, 1, 31), "2026-01-31"},
    {DAY(0, 0, 0), NULL},
    {AT(2026, 1, 31, 10, 0, 0, 0, 0), "2026-01-31T10:00:00"},
    {CLOCK(true, 100, 0, 1, 0, 0), "-100:00:01"},
};

START_TEST(values_as_text)
{
    mouse_slice_t text = mouse_value_text(unit_pool, &texts[_i].value);

    if (!texts[_i].text) {
        ck_assert_ptr_null(text.data);
        ck_assert_uint_eq(text.len, 0);
        return;
    }
    ck_assert_ptr_nonnull(text.data);
    ck_assert(mouse_slice_equal(text, mouse_slice_of(texts[_i].text)));
}
END_TEST

START_TEST(a_copy_has_its_own_bytes)
{
    char bytes[] = "a\0b";
    mouse_value_t value = {.kind = MOUSE_VALUE_BYTES, .text = {bytes, 3}};
    mouse_value_t copy = mouse_value_copy(unit_pool, &value);

    bytes[0] = 'x';
    ck_assert_uint_eq(copy.text.len, 3);
    ck_assert_mem_eq(copy.text.data, "a\0b", 3);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table[0]))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = unit_case(suite, "plan");

    tcase_add_loop_test(tcase, a_value_follows_its_column, 0, COUNT(by_type));
    tcase_add_loop_test(tcase, a_rule_overrides_the_type, 0, COUNT(by_rule));
    tcase_add_test(tcase, nul_bytes_are_escaped);
    tcase_add_test(tcase, hidden_columns_are_found_and_not_sent);
    tcase_add_test(tcase, a_rule_is_for_its_member_alone);
    tcase_add_test(tcase, duplicate_names_are_refused);
    tcase_add_test(tcase, a_plan_without_columns_is_an_empty_object);
    tcase_add_loop_test(tcase, values_as_text, 0, COUNT(texts));
    tcase_add_test(tcase, a_copy_has_its_own_bytes);
    return suite;
}
