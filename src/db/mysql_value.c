/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB's binary protocol: column metadata to column types, bytes of a row to values, and
 * values to bound parameters. Text is never copied: a value points into the packet.
 *
 * https://mariadb.com/kb/en/resultset-row/ (binary protocol)
 */

#include "db/mysql_int.h"

#include <endian.h>

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

/* The lowest byte comes first. */
static inline uint64_t take_number(const unsigned char **data, size_t bytes)
{
    uint64_t number = 0;

    memcpy(&number, *data, bytes);
    *data += bytes;
    return le64toh(number);
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

static inline void decode_integer(const mouse_mysql_field_t *field,
                                  const unsigned char **data, size_t bytes,
                                  mouse_value_t *value)
{
    uint64_t number = take_number(data, bytes);
    size_t shift = 64 - 8 * bytes;

    if (field->flags & UNSIGNED_FLAG) {
        value->kind = MOUSE_VALUE_UINT;
        value->u = number;
    } else {
        value->kind = MOUSE_VALUE_INT;
        value->i = (int64_t)(number << shift) >> shift;
    }
}

static void decode_float(const unsigned char **data, mouse_value_t *value)
{
    uint32_t bits = (uint32_t)take_number(data, 4);
    float number;

    memcpy(&number, &bits, sizeof(number));
    value->kind = MOUSE_VALUE_FLOAT;
    value->d = number;
}

static void decode_double(const unsigned char **data, mouse_value_t *value)
{
    uint64_t bits = take_number(data, 8);

    memcpy(&value->d, &bits, sizeof(value->d));
    value->kind = MOUSE_VALUE_DOUBLE;
}

static void decode_text(mouse_value_kind_t kind, const unsigned char **data,
                        mouse_value_t *value)
{
    value->kind = kind;
    value->text.len = take_length(data);
    value->text.data = (const char *)*data;
    *data += value->text.len;
}

static void decode_bit(const mouse_mysql_field_t *field, const unsigned char **data,
                       mouse_value_t *value)
{
    decode_text(MOUSE_VALUE_BITS, data, value);
    if (field->length == 1) {
        value->i = value->text.len > 0 && value->text.data[0] != 0;
        value->kind = MOUSE_VALUE_BOOL;
    }
}

/* Expressions without a known number of digits say 31 or 39. */
static uint8_t fraction_digits(const mouse_mysql_field_t *field, uint32_t usec)
{
    if (field->decimals <= 6)
        return (uint8_t)field->decimals;
    return usec > 0 ? 6 : 0;
}

/* Zero dates, whole or in part, are no dates. */
static void decode_date(const mouse_mysql_field_t *field, mouse_value_kind_t kind,
                        const unsigned char **data, mouse_value_t *value)
{
    size_t len = *(*data)++;
    const unsigned char *at = *data;
    mouse_calendar_t *t = &value->t;

    *data += len;
    *t = (mouse_calendar_t){.year = 0};
    if (len >= 4) {
        t->year = (uint16_t)take_number(&at, 2);
        t->month = *at++;
        t->day = *at++;
    }
    value->kind = t->month == 0 || t->day == 0 ? MOUSE_VALUE_NULL : kind;
    if (len >= 7) {
        t->hour = *at++;
        t->minute = *at++;
        t->second = *at++;
    }
    if (len >= 11)
        t->usec = (uint32_t)take_number(&at, 4);
    t->decimals = fraction_digits(field, t->usec);
}

static void decode_time(const mouse_mysql_field_t *field, const unsigned char **data,
                        mouse_value_t *value)
{
    size_t len = *(*data)++;
    const unsigned char *at = *data;
    mouse_calendar_t *t = &value->t;

    *data += len;
    *t = (mouse_calendar_t){.year = 0};
    value->kind = MOUSE_VALUE_TIME;
    if (len >= 8) {
        t->negative = *at++ != 0;
        t->hour = (uint16_t)(take_number(&at, 4) * 24);
        t->hour = (uint16_t)(t->hour + *at++);
        t->minute = *at++;
        t->second = *at++;
    }
    if (len >= 12)
        t->usec = (uint32_t)take_number(&at, 4);
    t->decimals = fraction_digits(field, t->usec);
}

static mouse_value_kind_t text_kind(mouse_column_type_t type)
{
    switch (type) {
    case MOUSE_COLUMN_JSON:
        return MOUSE_VALUE_JSON;
    case MOUSE_COLUMN_BYTES:
        return MOUSE_VALUE_BYTES;
    case MOUSE_COLUMN_DECIMAL:
        return MOUSE_VALUE_DECIMAL;
    default:
        return MOUSE_VALUE_STRING;
    }
}

void mouse_mysql_decode(const mouse_mysql_field_t *field, mouse_column_type_t type,
                        const unsigned char **data, mouse_value_t *value)
{
    switch (field->type) {
    case MYSQL_TYPE_NULL:
        value->kind = MOUSE_VALUE_NULL;
        break;
    case MYSQL_TYPE_TINY:
        decode_integer(field, data, 1, value);
        break;
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_YEAR:
        decode_integer(field, data, 2, value);
        break;
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
        decode_integer(field, data, 4, value);
        break;
    case MYSQL_TYPE_LONGLONG:
        decode_integer(field, data, 8, value);
        break;
    case MYSQL_TYPE_FLOAT:
        decode_float(data, value);
        break;
    case MYSQL_TYPE_DOUBLE:
        decode_double(data, value);
        break;
    case MYSQL_TYPE_BIT:
        decode_bit(field, data, value);
        break;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
        decode_date(field, MOUSE_VALUE_DATE, data, value);
        break;
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        decode_date(field, MOUSE_VALUE_DATETIME, data, value);
        break;
    case MYSQL_TYPE_TIME:
        decode_time(field, data, value);
        break;
    default:
        decode_text(text_kind(type), data, value);
        break;
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
