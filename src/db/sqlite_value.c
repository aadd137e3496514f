/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * SQLite: what goes into a statement and what comes out. Column types follow from the
 * declared types; SQLite itself keeps any value in any column, and plan_cell.c refuses
 * those that do not fit.
 */

#include "db/sqlite_int.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "db/plan_int.h"

/* ---- columns ---- */

static const struct {
    const char *word;
    mouse_column_type_t type;
} declared[] = {
    {"BOOLEAN", MOUSE_COLUMN_BOOL},      {"BOOL", MOUSE_COLUMN_BOOL},
    {"DATETIME", MOUSE_COLUMN_DATETIME}, {"TIMESTAMP", MOUSE_COLUMN_TIMESTAMP},
    {"DATE", MOUSE_COLUMN_DATE},         {"TIME", MOUSE_COLUMN_TIME},
    {"JSON", MOUSE_COLUMN_JSON},         {"DECIMAL", MOUSE_COLUMN_DECIMAL},
    {"NUMERIC", MOUSE_COLUMN_DECIMAL},   {"REAL", MOUSE_COLUMN_DOUBLE},
    {"DOUBLE", MOUSE_COLUMN_DOUBLE},     {"FLOAT", MOUSE_COLUMN_DOUBLE},
    {"BLOB", MOUSE_COLUMN_BYTES},        {"BINARY", MOUSE_COLUMN_BYTES},
    {"VARBINARY", MOUSE_COLUMN_BYTES},   {"UUID", MOUSE_COLUMN_STRING},
    {"INT2", MOUSE_COLUMN_INT},          {"INT8", MOUSE_COLUMN_INT},
    {"INTEGER", MOUSE_COLUMN_INT},       {"INT", MOUSE_COLUMN_INT},
    {"TINYINT", MOUSE_COLUMN_INT},       {"SMALLINT", MOUSE_COLUMN_INT},
    {"MEDIUMINT", MOUSE_COLUMN_INT},     {"BIGINT", MOUSE_COLUMN_INT},
    {"UNSIGNED", MOUSE_COLUMN_INT},      {"TEXT", MOUSE_COLUMN_STRING},
    {"CLOB", MOUSE_COLUMN_STRING},       {"CHAR", MOUSE_COLUMN_STRING},
    {"VARCHAR", MOUSE_COLUMN_STRING},    {"NCHAR", MOUSE_COLUMN_STRING},
    {"NVARCHAR", MOUSE_COLUMN_STRING},   {"CHARACTER", MOUSE_COLUMN_STRING},
    {"VARYING", MOUSE_COLUMN_STRING},    {"NATIVE", MOUSE_COLUMN_STRING},
};

/* By the first word of the declared type; an unknown one follows its values. */
static mouse_column_type_t type_of(const char *decltype)
{
    size_t len = 0;

    while (apr_isalnum(decltype[len]) || decltype[len] == '_')
        len++;
    for (size_t i = 0; i < sizeof(declared) / sizeof(declared[0]); i++) {
        if (strlen(declared[i].word) == len &&
            strncasecmp(declared[i].word, decltype, len) == 0)
            return declared[i].type;
    }
    return MOUSE_COLUMN_DYNAMIC;
}

/* DECIMAL(10,2): 2. DECIMAL(10): 0. DECIMAL alone promises no scale: -1. */
static int scale_of(const char *decltype)
{
    const char *open = strchr(decltype, '(');
    const char *comma = open ? strchr(open, ',') : NULL;

    if (comma)
        return atoi(comma + 1);
    return open ? 0 : -1;
}

static void describe_column(sqlite3_stmt *native, int i, mouse_column_t *column,
                            apr_pool_t *p)
{
    const char *name = sqlite3_column_name(native, i);
    const char *decltype = sqlite3_column_decltype(native, i);

    *column = (mouse_column_t){.name = mouse_slice_of(apr_pstrdup(p, name ? name : ""))};
    if (!decltype)
        return;
    column->declared = apr_pstrdup(p, decltype);
    column->type = type_of(decltype);
    if (column->type == MOUSE_COLUMN_DECIMAL)
        column->scale = scale_of(decltype);
}

static bool same_columns(const mouse_stmt_t *stmt, const mouse_column_t *columns, int count)
{
    if (stmt->column_count != count)
        return false;
    for (int i = 0; i < count; i++) {
        if (stmt->columns[i].type != columns[i].type ||
            stmt->columns[i].scale != columns[i].scale ||
            !mouse_slice_equal(stmt->columns[i].name, columns[i].name))
            return false;
    }
    return true;
}

void mouse_sqlite_describe(mouse_stmt_t *stmt)
{
    int count = sqlite3_column_count(stmt->native);
    mouse_column_t *columns =
        apr_palloc(stmt->pool, sizeof(*columns) * (size_t)(count + 1));

    for (int i = 0; i < count; i++)
        describe_column(stmt->native, i, &columns[i], stmt->pool);
    if (stmt->generation > 0 && same_columns(stmt, columns, count))
        return;
    stmt->columns = columns;
    stmt->column_count = count;
    stmt->generation++;
}

/* ---- in ---- */

static int bind_text(sqlite3_stmt *native, int at, mouse_slice_t text)
{
    return sqlite3_bind_text64(native, at, text.data ? text.data : "", text.len,
                               SQLITE_STATIC, SQLITE_UTF8);
}

static int bind_blob(sqlite3_stmt *native, int at, mouse_slice_t bytes)
{
    return sqlite3_bind_blob64(native, at, bytes.data ? bytes.data : "", bytes.len,
                               SQLITE_STATIC);
}

/* As SQLite's own date functions write it, so that stored and bound texts compare. */
static int bind_calendar(sqlite3_stmt *native, int at, const mouse_value_t *value)
{
    char text[MOUSE_CELL_SCRATCH];
    size_t len = mouse_value_print(text, value);

    if (value->kind == MOUSE_VALUE_DATETIME)
        text[strcspn(text, "T")] = ' ';
    return sqlite3_bind_text(native, at, text, (int)len, SQLITE_TRANSIENT);
}

/* How many leading bytes are the integral part, or 0: the text has a fraction that counts,
 * an exponent, or no digits. */
static size_t integral_part(const char *text)
{
    size_t sign = text[0] == '-' || text[0] == '+';
    size_t digits = strspn(text + sign, "0123456789");
    const char *rest = text + sign + digits;

    if (digits == 0)
        return 0;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0");
    return *rest == '\0' ? sign + digits : 0;
}

/* strtod reads the decimal point of the process's locale. */
static double parse_real(const char *text, char **end)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    double d = strtod_l(text, end, plain);

    freelocale(plain);
    return d;
}

static int bind_decimal(sqlite3_stmt *native, int at, const char *text)
{
    size_t integral = integral_part(text);
    char *end;

    if (integral > 0) {
        long long i;

        errno = 0;
        i = strtoll(text, NULL, 10);
        return errno == ERANGE ? SQLITE_MISMATCH : sqlite3_bind_int64(native, at, i);
    }
    double d = parse_real(text, &end);
    if (end == text || *end != '\0' || !isfinite(d))
        return SQLITE_MISMATCH;
    return sqlite3_bind_double(native, at, d);
}

static int bind_unsigned(sqlite3_stmt *native, int at, uint64_t u)
{
    if (u > INT64_MAX)
        return SQLITE_MISMATCH;
    return sqlite3_bind_int64(native, at, (sqlite3_int64)u);
}

static int bind_value(mouse_stmt_t *stmt, int at, const mouse_value_t *value)
{
    switch (value->kind) {
    case MOUSE_VALUE_NULL:
        return sqlite3_bind_null(stmt->native, at);
    case MOUSE_VALUE_BOOL:
        return sqlite3_bind_int(stmt->native, at, value->i != 0);
    case MOUSE_VALUE_INT:
        return sqlite3_bind_int64(stmt->native, at, value->i);
    case MOUSE_VALUE_UINT:
        return bind_unsigned(stmt->native, at, value->u);
    case MOUSE_VALUE_BITS:
        return bind_unsigned(stmt->native, at, mouse_value_bits(value->text));
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        return sqlite3_bind_double(stmt->native, at, value->d);
    case MOUSE_VALUE_DECIMAL: {
        char text[512];

        if (value->text.len >= sizeof(text))
            return SQLITE_MISMATCH;
        memcpy(text, value->text.data, value->text.len);
        text[value->text.len] = '\0';
        return bind_decimal(stmt->native, at, text);
    }
    case MOUSE_VALUE_BYTES:
        return bind_blob(stmt->native, at, value->text);
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_JSON:
        return bind_text(stmt->native, at, value->text);
    case MOUSE_VALUE_DATE:
    case MOUSE_VALUE_DATETIME:
    case MOUSE_VALUE_TIME:
        return bind_calendar(stmt->native, at, value);
    }
    return SQLITE_MISMATCH;
}

apr_status_t mouse_sqlite_bind(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    for (int i = 0; i < count; i++) {
        int code = bind_value(stmt, i + 1, &values[i]);

        if (code == SQLITE_MISMATCH)
            return mouse_fault_set(stmt->conn, MOUSE_FAULT_BAD_VALUE, code, NULL,
                                   "a number is beyond what SQLite holds");
        if (code != SQLITE_OK)
            return mouse_sqlite_fault(stmt->conn, code);
    }
    return APR_SUCCESS;
}

/* ---- out ---- */

/* n digits at *at as a number, at most `most`; moves on. */
static bool take_number(const char **at, int n, unsigned most, unsigned *number)
{
    *number = 0;
    for (int i = 0; i < n; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return false;
        *number = *number * 10 + (unsigned)(**at - '0');
    }
    return *number <= most;
}

static bool take_char(const char **at, const char *set)
{
    if (**at == '\0' || !strchr(set, **at))
        return false;
    (*at)++;
    return true;
}

static bool take_date(const char **at, mouse_calendar_t *t)
{
    unsigned year, month, day;

    if (!take_number(at, 4, 9999, &year) || !take_char(at, "-") ||
        !take_number(at, 2, 12, &month) || !take_char(at, "-") ||
        !take_number(at, 2, 31, &day))
        return false;
    t->year = (uint16_t)year;
    t->month = (uint8_t)month;
    t->day = (uint8_t)day;
    return true;
}

/* Digits beyond microseconds are dropped. */
static bool take_fraction(const char **at, mouse_calendar_t *t)
{
    uint32_t unit = 100000;

    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; (*at)++, unit /= 10) {
        t->usec += (uint32_t)(**at - '0') * unit;
        t->decimals += t->decimals < 6;
    }
    return true;
}

/* HH:MM[:SS[.fff]] */
static bool take_clock(const char **at, mouse_calendar_t *t)
{
    unsigned hour, minute, second = 0;

    if (!take_number(at, 2, 23, &hour) || !take_char(at, ":") ||
        !take_number(at, 2, 59, &minute))
        return false;
    if (take_char(at, ":")) {
        if (!take_number(at, 2, 59, &second))
            return false;
        if (take_char(at, ".") && !take_fraction(at, t))
            return false;
    }
    t->hour = (uint16_t)hour;
    t->minute = (uint8_t)minute;
    t->second = (uint8_t)second;
    return true;
}

static bool parse_calendar(const char *text, mouse_value_kind_t kind, mouse_calendar_t *t)
{
    memset(t, 0, sizeof(*t));
    if (kind != MOUSE_VALUE_TIME && !take_date(&text, t))
        return false;
    if (kind == MOUSE_VALUE_TIME && !take_clock(&text, t))
        return false;
    if (kind == MOUSE_VALUE_DATETIME && *text != '\0' &&
        (!take_char(&text, "T ") || !take_clock(&text, t)))
        return false;
    return *text == '\0';
}

/* Text in a column of dates is a date when it reads as one; else it stays text, and the
 * plan says that it does not fit. */
static void read_text(sqlite3_stmt *native, int i, mouse_column_type_t type,
                      mouse_value_t *value)
{
    static const mouse_value_kind_t kinds[] = {
        [MOUSE_COLUMN_DATE] = MOUSE_VALUE_DATE,
        [MOUSE_COLUMN_DATETIME] = MOUSE_VALUE_DATETIME,
        [MOUSE_COLUMN_TIMESTAMP] = MOUSE_VALUE_DATETIME,
        [MOUSE_COLUMN_TIME] = MOUSE_VALUE_TIME,
    };
    const char *text = (const char *)sqlite3_column_text(native, i);
    size_t len = (size_t)sqlite3_column_bytes(native, i);
    mouse_calendar_t t;

    if (type >= MOUSE_COLUMN_DATE && strlen(text) == len &&
        parse_calendar(text, kinds[type], &t)) {
        value->kind = kinds[type];
        value->t = t;
        return;
    }
    value->kind = MOUSE_VALUE_STRING;
    value->text = (mouse_slice_t){text, len};
}

static void read_integer(sqlite3_int64 i, mouse_column_type_t type, mouse_value_t *value)
{
    bool truth = type == MOUSE_COLUMN_BOOL && (i == 0 || i == 1);

    value->kind = truth ? MOUSE_VALUE_BOOL : MOUSE_VALUE_INT;
    value->i = i;
}

static bool read_value(sqlite3_stmt *native, int i, mouse_column_type_t type,
                       mouse_value_t *value)
{
    switch (sqlite3_column_type(native, i)) {
    case SQLITE_INTEGER:
        read_integer(sqlite3_column_int64(native, i), type, value);
        return true;
    case SQLITE_FLOAT:
        value->kind = MOUSE_VALUE_DOUBLE;
        value->d = sqlite3_column_double(native, i);
        return true;
    case SQLITE_TEXT:
        if (!sqlite3_column_text(native, i))
            return false;
        read_text(native, i, type, value);
        return true;
    case SQLITE_BLOB:
        value->kind = MOUSE_VALUE_BYTES;
        value->text.data = sqlite3_column_blob(native, i);
        value->text.len = (size_t)sqlite3_column_bytes(native, i);
        return value->text.data || value->text.len == 0;
    default:
        value->kind = MOUSE_VALUE_NULL;
        return true;
    }
}

apr_status_t mouse_sqlite_read(mouse_stmt_t *stmt, mouse_value_t *row)
{
    for (int i = 0; i < stmt->column_count; i++) {
        if (!read_value(stmt->native, i, stmt->columns[i].type, &row[i]))
            return mouse_sqlite_fault(stmt->conn, SQLITE_NOMEM);
    }
    return APR_SUCCESS;
}
