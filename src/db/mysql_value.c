/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB's binary protocol: column metadata to column types, bytes of a row to values, and
 * values to bound parameters. Text is never copied: a value points into the packet.
 *
 * https://mariadb.com/kb/en/resultset-row/ (binary protocol)
 */

#include "db/mysql_int.h"

#define CHARSET_BINARY 63
#define TYPE_JSON      245 /* MySQL's own; MariaDB marks text columns */

/* ---- columns ---- */

mouse_mysql_field_t mouse_mysql_field(const MYSQL_FIELD *field)
{
    MARIADB_CONST_STRING format = {NULL, 0};
    mouse_mysql_field_t result = {
        .type = field->type,
        .flags = field->flags,
        .charset = field->charsetnr,
        .decimals = field->decimals,
        .length = field->length,
    };

    if (field->extension)
        mariadb_field_attr(&format, field, MARIADB_FIELD_ATTR_FORMAT_NAME);
    result.json =
        (int)field->type == TYPE_JSON ||
        mouse_slice_equal((mouse_slice_t){format.str, format.length}, MOUSE_SLICE("json"));
    return result;
}

mouse_column_type_t mouse_mysql_column_type(const mouse_mysql_field_t *field)
{
    switch (field->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_YEAR:
        return MOUSE_COLUMN_SMALLINT;
    case MYSQL_TYPE_LONGLONG:
        return MOUSE_COLUMN_INT;
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
        return MOUSE_COLUMN_DECIMAL;
    case MYSQL_TYPE_FLOAT:
        return MOUSE_COLUMN_FLOAT;
    case MYSQL_TYPE_DOUBLE:
        return MOUSE_COLUMN_DOUBLE;
    case MYSQL_TYPE_BIT:
        return field->length == 1 ? MOUSE_COLUMN_BOOL : MOUSE_COLUMN_BITS;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
        return MOUSE_COLUMN_DATE;
    case MYSQL_TYPE_DATETIME:
        return MOUSE_COLUMN_DATETIME;
    case MYSQL_TYPE_TIMESTAMP:
        return MOUSE_COLUMN_TIMESTAMP;
    case MYSQL_TYPE_TIME:
        return MOUSE_COLUMN_TIME;
    case MYSQL_TYPE_GEOMETRY:
        return MOUSE_COLUMN_BYTES;
    default:
        break;
    }
    if (field->json)
        return MOUSE_COLUMN_JSON;
    return field->charset == CHARSET_BINARY && field->type != MYSQL_TYPE_NULL
               ? MOUSE_COLUMN_BYTES
               : MOUSE_COLUMN_STRING;
}

/* ---- rows ---- */

static uint64_t take_number(const unsigned char **data, int bytes)
{
    uint64_t number = 0;
    int i;

    for (i = bytes - 1; i >= 0; i--)
        number = number << 8 | (*data)[i];
    *data += bytes;
    return number;
}

/* A length-encoded integer. */
static size_t take_length(const unsigned char **data)
{
    unsigned first = *(*data)++;

    switch (first) {
    case 0xFC:
        return take_number(data, 2);
    case 0xFD:
        return take_number(data, 3);
    case 0xFE:
        return take_number(data, 8);
    default:
        return first;
    }
}

static mouse_value_t decode_integer(const mouse_mysql_field_t *field,
                                    const unsigned char **data, int bytes)
{
    uint64_t number = take_number(data, bytes);
    int shift = 64 - 8 * bytes;

    if (field->flags & UNSIGNED_FLAG)
        return (mouse_value_t){.kind = MOUSE_VALUE_UINT, .u = number};
    return (mouse_value_t){.kind = MOUSE_VALUE_INT,
                           .i = (int64_t)(number << shift) >> shift};
}

static mouse_value_t decode_float(const unsigned char **data)
{
    uint32_t bits = (uint32_t)take_number(data, 4);
    float number;

    memcpy(&number, &bits, sizeof(number));
    return (mouse_value_t){.kind = MOUSE_VALUE_FLOAT, .d = number};
}

static mouse_value_t decode_double(const unsigned char **data)
{
    uint64_t bits = take_number(data, 8);
    double number;

    memcpy(&number, &bits, sizeof(number));
    return (mouse_value_t){.kind = MOUSE_VALUE_DOUBLE, .d = number};
}

static mouse_value_t decode_text(mouse_value_kind_t kind, const unsigned char **data)
{
    mouse_value_t value = {.kind = kind};

    value.text.len = take_length(data);
    value.text.data = (const char *)*data;
    *data += value.text.len;
    return value;
}

static mouse_value_t decode_bit(const mouse_mysql_field_t *field,
                                const unsigned char **data)
{
    mouse_value_t value = decode_text(MOUSE_VALUE_BITS, data);

    if (field->length == 1)
        return (mouse_value_t){.kind = MOUSE_VALUE_BOOL,
                               .i = value.text.len > 0 && value.text.data[0] != 0};
    return value;
}

/* Expressions without a known number of digits say 31 or 39. */
static uint8_t fraction_digits(const mouse_mysql_field_t *field, uint32_t usec)
{
    if (field->decimals <= 6)
        return (uint8_t)field->decimals;
    return usec > 0 ? 6 : 0;
}

/* Zero dates, whole or in part, are no dates. */
static mouse_value_t decode_date(const mouse_mysql_field_t *field, mouse_value_kind_t kind,
                                 const unsigned char **data)
{
    mouse_value_t value = {.kind = kind};
    size_t len = *(*data)++;
    const unsigned char *at = *data;

    *data += len;
    if (len < 4)
        return (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    value.t.year = (uint16_t)take_number(&at, 2);
    value.t.month = *at++;
    value.t.day = *at++;
    if (value.t.month == 0 || value.t.day == 0)
        return (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (len >= 7) {
        value.t.hour = *at++;
        value.t.minute = *at++;
        value.t.second = *at++;
    }
    if (len >= 11)
        value.t.usec = (uint32_t)take_number(&at, 4);
    value.t.decimals = fraction_digits(field, value.t.usec);
    return value;
}

static mouse_value_t decode_time(const mouse_mysql_field_t *field,
                                 const unsigned char **data)
{
    mouse_value_t value = {.kind = MOUSE_VALUE_TIME};
    size_t len = *(*data)++;
    const unsigned char *at = *data;

    *data += len;
    if (len >= 8) {
        value.t.negative = *at++ != 0;
        value.t.hour = (uint16_t)(take_number(&at, 4) * 24);
        value.t.hour = (uint16_t)(value.t.hour + *at++);
        value.t.minute = *at++;
        value.t.second = *at++;
    }
    if (len >= 12)
        value.t.usec = (uint32_t)take_number(&at, 4);
    value.t.decimals = fraction_digits(field, value.t.usec);
    return value;
}

static mouse_value_t decode_string(const mouse_mysql_field_t *field,
                                   const unsigned char **data)
{
    switch (mouse_mysql_column_type(field)) {
    case MOUSE_COLUMN_JSON:
        return decode_text(MOUSE_VALUE_JSON, data);
    case MOUSE_COLUMN_BYTES:
        return decode_text(MOUSE_VALUE_BYTES, data);
    case MOUSE_COLUMN_DECIMAL:
        return decode_text(MOUSE_VALUE_DECIMAL, data);
    default:
        return decode_text(MOUSE_VALUE_STRING, data);
    }
}

mouse_value_t mouse_mysql_decode(const mouse_mysql_field_t *field,
                                 const unsigned char **data)
{
    switch (field->type) {
    case MYSQL_TYPE_NULL:
        return (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    case MYSQL_TYPE_TINY:
        return decode_integer(field, data, 1);
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_YEAR:
        return decode_integer(field, data, 2);
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
        return decode_integer(field, data, 4);
    case MYSQL_TYPE_LONGLONG:
        return decode_integer(field, data, 8);
    case MYSQL_TYPE_FLOAT:
        return decode_float(data);
    case MYSQL_TYPE_DOUBLE:
        return decode_double(data);
    case MYSQL_TYPE_BIT:
        return decode_bit(field, data);
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
        return decode_date(field, MOUSE_VALUE_DATE, data);
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        return decode_date(field, MOUSE_VALUE_DATETIME, data);
    case MYSQL_TYPE_TIME:
        return decode_time(field, data);
    default:
        return decode_string(field, data);
    }
}

/* ---- parameters ---- */

static void bind_text(MYSQL_BIND *bind, enum enum_field_types type, mouse_slice_t text)
{
    bind->buffer_type = type;
    bind->buffer = (void *)(uintptr_t)(text.data ? text.data : "");
    bind->buffer_length = text.len;
    bind->length_value = text.len;
    bind->length = &bind->buffer_length;
}

static void bind_time(MYSQL_BIND *bind, MYSQL_TIME *time, const mouse_value_t *value)
{
    const mouse_calendar_t *t = &value->t;

    *time = (MYSQL_TIME){.year = t->year,
                         .month = t->month,
                         .day = t->day,
                         .hour = t->hour,
                         .minute = t->minute,
                         .second = t->second,
                         .second_part = t->usec,
                         .neg = t->negative};
    bind->buffer = time;
    if (value->kind == MOUSE_VALUE_TIME) {
        bind->buffer_type = MYSQL_TYPE_TIME;
        time->time_type = MYSQL_TIMESTAMP_TIME;
        time->day = t->hour / 24;
        time->hour = t->hour % 24;
    } else if (value->kind == MOUSE_VALUE_DATE) {
        bind->buffer_type = MYSQL_TYPE_DATE;
        time->time_type = MYSQL_TIMESTAMP_DATE;
    } else {
        bind->buffer_type = MYSQL_TYPE_DATETIME;
        time->time_type = MYSQL_TIMESTAMP_DATETIME;
    }
}

static void bind_number(MYSQL_BIND *bind, enum enum_field_types type, const void *number)
{
    bind->buffer_type = type;
    bind->buffer = (void *)(uintptr_t)number;
}

void mouse_mysql_bind(MYSQL_BIND *bind, MYSQL_TIME *time, const mouse_value_t *value)
{
    memset(bind, 0, sizeof(*bind));
    switch (value->kind) {
    case MOUSE_VALUE_NULL:
        bind->buffer_type = MYSQL_TYPE_NULL;
        break;
    case MOUSE_VALUE_BOOL:
    case MOUSE_VALUE_INT:
        bind_number(bind, MYSQL_TYPE_LONGLONG, &value->i);
        break;
    case MOUSE_VALUE_UINT:
        bind_number(bind, MYSQL_TYPE_LONGLONG, &value->u);
        bind->is_unsigned = 1;
        break;
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        bind_number(bind, MYSQL_TYPE_DOUBLE, &value->d);
        break;
    case MOUSE_VALUE_DECIMAL:
        bind_text(bind, MYSQL_TYPE_NEWDECIMAL, value->text);
        break;
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_JSON:
        bind_text(bind, MYSQL_TYPE_STRING, value->text);
        break;
    case MOUSE_VALUE_BYTES:
    case MOUSE_VALUE_BITS:
        bind_text(bind, MYSQL_TYPE_BLOB, value->text);
        break;
    case MOUSE_VALUE_DATE:
    case MOUSE_VALUE_DATETIME:
    case MOUSE_VALUE_TIME:
        bind_time(bind, time, value);
        break;
    }
}
