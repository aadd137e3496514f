/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Cells: for each column type and each rule, which values fit and what they are as an
 * answer. The form follows from the column; a value only decides between fitting and not.
 */

#include "db/plan_int.h"

#include <math.h>

#include "json/mouse_json.h"

static bool set_text(mouse_cell_t *cell, mouse_cell_form_t form, mouse_slice_t text)
{
    cell->form = form;
    cell->text = text;
    return true;
}

static bool set_printed(mouse_cell_t *cell, mouse_cell_form_t form,
                        const mouse_value_t *value)
{
    cell->form = form;
    cell->text.len = mouse_value_print(cell->scratch, value);
    cell->text.data = cell->scratch;
    return true;
}

static bool set_null(mouse_cell_t *cell)
{
    cell->form = MOUSE_CELL_NULL;
    return true;
}

static bool set_real(mouse_cell_t *cell, mouse_cell_form_t form, double d)
{
    cell->form = isfinite(d) ? form : MOUSE_CELL_NULL;
    cell->d = d;
    return true;
}

static bool set_uint(mouse_cell_t *cell, uint64_t u)
{
    cell->form = MOUSE_CELL_UINT;
    cell->u = u;
    return true;
}

static bool set_bool(mouse_cell_t *cell, bool truth)
{
    return set_text(cell, MOUSE_CELL_BARE,
                    truth ? MOUSE_SLICE("true") : MOUSE_SLICE("false"));
}

/* ---- numbers ---- */

static bool read_int(const mouse_plan_column_t *column, const mouse_value_t *value,
                     mouse_cell_t *cell)
{
    switch (value->kind) {
    case MOUSE_VALUE_INT:
    case MOUSE_VALUE_UINT:
        if (column->text)
            return set_printed(cell, MOUSE_CELL_PLAIN, value);
        if (value->kind == MOUSE_VALUE_UINT)
            return set_uint(cell, value->u);
        cell->form = MOUSE_CELL_INT;
        cell->i = value->i;
        return true;
    case MOUSE_VALUE_BITS:
        return value->text.len <= 8 && set_uint(cell, mouse_value_bits(value->text));
    case MOUSE_VALUE_BOOL:
        return set_uint(cell, value->i != 0);
    default:
        return false;
    }
}

static bool read_float(const mouse_plan_column_t *column, const mouse_value_t *value,
                       mouse_cell_t *cell)
{
    if (value->kind == MOUSE_VALUE_FLOAT)
        return set_real(cell, MOUSE_CELL_FLOAT, value->d);
    if (value->kind == MOUSE_VALUE_DOUBLE)
        return set_real(cell, MOUSE_CELL_DOUBLE, value->d);
    return read_int(column, value, cell);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits of a decimal as JSON has them: MariaDB's ZEROFILL leads with zeros. */
static bool set_number(mouse_cell_t *cell, mouse_slice_t text)
{
    while (text.len > 1 && text.data[0] == '0' && is_digit(text.data[1])) {
        text.data++;
        text.len--;
    }
    if (text.len == 0 || !(text.data[0] == '-' || is_digit(text.data[0])) ||
        !is_digit(text.data[text.len - 1]))
        return false;
    return mouse_json_valid(text) && set_text(cell, MOUSE_CELL_BARE, text);
}

static bool set_real_text(mouse_cell_t *cell, const mouse_value_t *value)
{
    return isfinite(value->d) ? set_printed(cell, MOUSE_CELL_PLAIN, value) : set_null(cell);
}

static bool read_decimal(const mouse_plan_column_t *column, const mouse_value_t *value,
                         mouse_cell_t *cell)
{
    switch (value->kind) {
    case MOUSE_VALUE_DECIMAL:
        if (column->text)
            return set_text(cell, MOUSE_CELL_PLAIN, value->text);
        return set_number(cell, value->text);
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        if (column->text)
            return set_real_text(cell, value);
        return read_float(column, value, cell);
    default:
        return read_int(column, value, cell);
    }
}

static bool read_number(const mouse_plan_column_t *column, const mouse_value_t *value,
                        mouse_cell_t *cell)
{
    if (value->kind == MOUSE_VALUE_STRING || value->kind == MOUSE_VALUE_JSON)
        return set_number(cell, value->text);
    return read_decimal(column, value, cell);
}

static bool read_bool(const mouse_plan_column_t *column, const mouse_value_t *value,
                      mouse_cell_t *cell)
{
    (void)column;
    switch (value->kind) {
    case MOUSE_VALUE_BOOL:
    case MOUSE_VALUE_INT:
        return (value->i == 0 || value->i == 1) && set_bool(cell, value->i == 1);
    case MOUSE_VALUE_UINT:
        return value->u <= 1 && set_bool(cell, value->u == 1);
    case MOUSE_VALUE_BITS: {
        uint64_t bits = mouse_value_bits(value->text);
        return bits <= 1 && set_bool(cell, bits == 1);
    }
    case MOUSE_VALUE_DECIMAL:
        if (mouse_slice_equal(value->text, MOUSE_SLICE("0")))
            return set_bool(cell, false);
        return mouse_slice_equal(value->text, MOUSE_SLICE("1")) && set_bool(cell, true);
    default:
        return false;
    }
}

/* ---- text and bytes ---- */

static bool read_string(const mouse_plan_column_t *column, const mouse_value_t *value,
                        mouse_cell_t *cell)
{
    (void)column;
    if (value->kind != MOUSE_VALUE_STRING && value->kind != MOUSE_VALUE_JSON)
        return false;
    return set_text(cell, MOUSE_CELL_TEXT, value->text);
}

static bool read_bytes(const mouse_plan_column_t *column, const mouse_value_t *value,
                       mouse_cell_t *cell)
{
    (void)column;
    return value->kind == MOUSE_VALUE_BYTES &&
           set_text(cell, MOUSE_CELL_BYTES, value->text);
}

/* SQLite keeps a JSON number in a JSON column as a number. */
static bool read_json(const mouse_plan_column_t *column, const mouse_value_t *value,
                      mouse_cell_t *cell)
{
    switch (value->kind) {
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_JSON:
    case MOUSE_VALUE_BYTES:
        return mouse_json_valid(value->text) &&
               set_text(cell, MOUSE_CELL_JSON, value->text);
    case MOUSE_VALUE_INT:
    case MOUSE_VALUE_UINT:
    case MOUSE_VALUE_DOUBLE:
        return read_float(column, value, cell);
    default:
        return false;
    }
}

/* ---- dates ---- */

static bool digits_at(mouse_slice_t text, size_t at, size_t n)
{
    for (size_t i = at; i < at + n; i++) {
        if (i >= text.len || !is_digit(text.data[i]))
            return false;
    }
    return true;
}

static bool char_at(mouse_slice_t text, size_t at, const char *set)
{
    return at < text.len && text.data[at] != '\0' && strchr(set, text.data[at]) != NULL;
}

/* The place behind HH:MM[:SS[.fff]] at at, or 0. */
static size_t skip_clock(mouse_slice_t text, size_t at)
{
    if (!digits_at(text, at, 2) || !char_at(text, at + 2, ":") ||
        !digits_at(text, at + 3, 2))
        return 0;
    at += 5;
    if (!char_at(text, at, ":") || !digits_at(text, at + 1, 2))
        return at;
    at += 3;
    if (!char_at(text, at, ".") || !digits_at(text, at + 1, 1))
        return at;
    for (at++; digits_at(text, at, 1);)
        at++;
    return at;
}

static bool is_zone(mouse_slice_t text, size_t at)
{
    if (char_at(text, at, "Zz"))
        return at + 1 == text.len;
    return char_at(text, at, "+-") && digits_at(text, at + 1, 2) &&
           char_at(text, at + 3, ":") && digits_at(text, at + 4, 2) && at + 6 == text.len;
}

/* Text that brings its own zone keeps it; a bare one comes as a calendar from the
 * driver. */
static bool set_zoned(mouse_cell_t *cell, mouse_slice_t text)
{
    size_t end;

    if (text.len < 17 || text.len >= sizeof(cell->scratch) || !digits_at(text, 0, 4) ||
        !char_at(text, 4, "-") || !digits_at(text, 5, 2) || !char_at(text, 7, "-") ||
        !digits_at(text, 8, 2) || !char_at(text, 10, "T "))
        return false;
    end = skip_clock(text, 11);
    if (end == 0 || !is_zone(text, end))
        return false;
    memcpy(cell->scratch, text.data, text.len);
    cell->scratch[10] = 'T';
    return set_text(cell, MOUSE_CELL_PLAIN, (mouse_slice_t){cell->scratch, text.len});
}

static bool read_date(const mouse_plan_column_t *column, const mouse_value_t *value,
                      mouse_cell_t *cell)
{
    (void)column;
    if (value->kind != MOUSE_VALUE_DATE)
        return false;
    if (mouse_calendar_zero(&value->t))
        return set_null(cell);
    return set_printed(cell, MOUSE_CELL_PLAIN, value);
}

static bool read_datetime(const mouse_plan_column_t *column, const mouse_value_t *value,
                          mouse_cell_t *cell)
{
    if (value->kind == MOUSE_VALUE_STRING)
        return set_zoned(cell, value->text);
    if (value->kind != MOUSE_VALUE_DATETIME)
        return false;
    if (mouse_calendar_zero(&value->t))
        return set_null(cell);
    set_printed(cell, MOUSE_CELL_PLAIN, value);
    if (column->zulu)
        cell->scratch[cell->text.len++] = 'Z';
    return true;
}

static bool read_time(const mouse_plan_column_t *column, const mouse_value_t *value,
                      mouse_cell_t *cell)
{
    (void)column;
    return value->kind == MOUSE_VALUE_TIME && set_printed(cell, MOUSE_CELL_PLAIN, value);
}

/* ---- columns that follow their values: computed ones of SQLite, and `string` ---- */

static bool read_dynamic(const mouse_plan_column_t *column, const mouse_value_t *value,
                         mouse_cell_t *cell)
{
    switch (value->kind) {
    case MOUSE_VALUE_BOOL:
        return read_bool(column, value, cell);
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        return read_float(column, value, cell);
    case MOUSE_VALUE_DECIMAL:
        return set_text(cell, MOUSE_CELL_PLAIN, value->text);
    case MOUSE_VALUE_STRING:
        return read_string(column, value, cell);
    case MOUSE_VALUE_BYTES:
        return read_bytes(column, value, cell);
    case MOUSE_VALUE_JSON:
        return read_json(column, value, cell);
    case MOUSE_VALUE_DATE:
        return read_date(column, value, cell);
    case MOUSE_VALUE_DATETIME:
        return read_datetime(column, value, cell);
    case MOUSE_VALUE_TIME:
        return read_time(column, value, cell);
    default:
        return read_int(column, value, cell);
    }
}

static bool read_as_string(const mouse_plan_column_t *column, const mouse_value_t *value,
                           mouse_cell_t *cell)
{
    switch (value->kind) {
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        return set_real_text(cell, value);
    case MOUSE_VALUE_DECIMAL:
    case MOUSE_VALUE_STRING:
    case MOUSE_VALUE_JSON:
    case MOUSE_VALUE_BYTES:
        return set_text(cell, MOUSE_CELL_TEXT, value->text);
    case MOUSE_VALUE_DATE:
        return read_date(column, value, cell);
    case MOUSE_VALUE_DATETIME:
        return read_datetime(column, value, cell);
    default:
        return set_printed(cell, MOUSE_CELL_PLAIN, value);
    }
}

/* ---- the choice ---- */

static const struct {
    mouse_cell_fn read;
    const char *label;
    const char *json_type, *format; /* for plan_schema.c */
} readers[] = {
    [MOUSE_COLUMN_DYNAMIC] = {read_dynamic, "value", NULL, NULL},
    [MOUSE_COLUMN_INT] = {read_int, "integer", "integer", NULL},
    [MOUSE_COLUMN_SMALLINT] = {read_int, "integer", "integer", NULL},
    [MOUSE_COLUMN_DECIMAL] = {read_decimal, "decimal", "number", NULL},
    [MOUSE_COLUMN_FLOAT] = {read_float, "number", "number", NULL},
    [MOUSE_COLUMN_DOUBLE] = {read_float, "number", "number", NULL},
    [MOUSE_COLUMN_BOOL] = {read_bool, "boolean (0 or 1)", "boolean", NULL},
    [MOUSE_COLUMN_BITS] = {read_int, "bit field", "integer", NULL},
    [MOUSE_COLUMN_STRING] = {read_string, "text", "string", NULL},
    [MOUSE_COLUMN_BYTES] = {read_bytes, "byte string", "string", "base64"},
    [MOUSE_COLUMN_JSON] = {read_json, "JSON text", NULL, NULL},
    [MOUSE_COLUMN_DATE] = {read_date, "date", "string", "date"},
    [MOUSE_COLUMN_DATETIME] = {read_datetime, "date and time", "string", NULL},
    [MOUSE_COLUMN_TIMESTAMP] = {read_datetime, "date and time", "string", NULL},
    [MOUSE_COLUMN_TIME] = {read_time, "time", "string", NULL},
};

static bool sent_as_string(const mouse_plan_column_t *column, mouse_number_style_t style)
{
    switch (column->type) {
    case MOUSE_COLUMN_DYNAMIC:
    case MOUSE_COLUMN_INT:
        return style.bigint_string;
    case MOUSE_COLUMN_DECIMAL:
        return column->scale == 0 ? style.bigint_string : !style.decimal_number;
    default:
        return false;
    }
}

void mouse_cell_choose(mouse_plan_column_t *column, const mouse_column_rule_t *rule,
                       mouse_number_style_t style, bool datetime_utc)
{
    mouse_column_type_t type = column->type;

    if (rule && rule->kind == MOUSE_RULE_BOOL)
        type = MOUSE_COLUMN_BOOL;
    if (rule && rule->kind == MOUSE_RULE_JSON)
        type = MOUSE_COLUMN_JSON;
    column->read = readers[type].read;
    column->label = readers[type].label;
    column->text = sent_as_string(column, style);
    column->zulu = type == MOUSE_COLUMN_TIMESTAMP || datetime_utc;
    column->json_type = readers[type].json_type;
    column->format = readers[type].format;
    if (column->json_type && column->text && type == column->type)
        column->json_type = "string";
    if (column->read == read_datetime && column->zulu)
        column->format = "date-time";
    if (rule && rule->kind == MOUSE_RULE_STRING) {
        column->read = read_as_string;
        column->label = "text";
        column->json_type = "string";
        column->format = NULL;
    }
    if (rule && rule->kind == MOUSE_RULE_NUMBER) {
        column->read = read_number;
        column->label = "number";
        column->json_type = "number";
        column->format = NULL;
        column->text = false;
    }
}

apr_status_t mouse_cell_refuse(const mouse_plan_column_t *column, apr_pool_t *p,
                               mouse_error_t **err)
{
    return mouse_error_set(err, p, MOUSE_E_COLUMN,
                           "The column \"%s\" holds a value that is no %s.",
                           mouse_slice_copy(p, column->name), column->label);
}
