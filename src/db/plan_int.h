/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Rows as bytes, inside: a value becomes a cell (what it is, independent of the format),
 * and JSON and CSV are two ways to write cells. Include only within src/db.
 */
#ifndef MOUSE_PLAN_INT_H
#define MOUSE_PLAN_INT_H

#include <apr_hash.h>

#include "db/mouse_db.h"

typedef struct mouse_cell_t mouse_cell_t;
typedef struct mouse_plan_column_t mouse_plan_column_t;

#define MOUSE_CELL_SCRATCH 64

typedef enum {
    MOUSE_CELL_NULL,
    MOUSE_CELL_INT,
    MOUSE_CELL_UINT,
    MOUSE_CELL_FLOAT,
    MOUSE_CELL_DOUBLE,
    MOUSE_CELL_BARE,  /* text: goes out as it is: true, 12.50 */
    MOUSE_CELL_PLAIN, /* text: a string without anything to escape: dates, decimals */
    MOUSE_CELL_TEXT,  /* text: a string of any bytes */
    MOUSE_CELL_BYTES, /* text: to be sent as base64 */
    MOUSE_CELL_JSON   /* text: valid JSON */
} mouse_cell_form_t;

struct mouse_cell_t {
    mouse_cell_form_t form;
    union {
        int64_t i;
        uint64_t u;
        double d;
        mouse_slice_t text; /* of the value, or in scratch */
    };
    char scratch[MOUSE_CELL_SCRATCH];
};

/* What a value is as an answer of this column; false: it does not fit the column. */
typedef bool (*mouse_cell_fn)(const mouse_plan_column_t *column, const mouse_value_t *value,
                              mouse_cell_t *cell);

struct mouse_plan_column_t {
    mouse_slice_t name;
    mouse_slice_t prefix; /* `{"name":` of the first visible one, else `,"name":` */
    mouse_column_type_t type;
    mouse_cell_fn read;
    const char *label; /* the type's name, for messages */
    /* As JSON Schema says it: "string" and "date-time"; NULL: anything, no format. */
    const char *json_type, *format;
    int index; /* in the row */
    int scale;
    bool text; /* an integer or decimal that is sent as a string */
    bool zulu; /* a date and time that is sent with Z */
};

struct mouse_plan_t {
    const mouse_plan_column_t *columns; /* the visible ones */
    int visible;
    int status;        /* index in the row, or -1 */
    apr_hash_t *names; /* name -> const int *: the index in the row, hidden ones too */
};

/* The reader of a column: by its rule where it has one (rule NULL: none), else its type.
 * Sets read, label, text and zulu. */
void mouse_cell_choose(mouse_plan_column_t *column, const mouse_column_rule_t *rule,
                       mouse_number_style_t style, bool datetime_utc);

/* MOUSE_E_COLUMN: a value does not fit its column. */
apr_status_t mouse_cell_refuse(const mouse_plan_column_t *column, apr_pool_t *p,
                               mouse_error_t **err);

/* The cell of a value, NULL included. */
static inline apr_status_t mouse_cell_read(const mouse_plan_column_t *column,
                                           const mouse_value_t *row, mouse_cell_t *cell,
                                           apr_pool_t *p, mouse_error_t **err)
{
    const mouse_value_t *value = &row[column->index];

    if (value->kind == MOUSE_VALUE_NULL)
        cell->form = MOUSE_CELL_NULL;
    else if (!column->read(column, value, cell))
        return mouse_cell_refuse(column, p, err);
    return APR_SUCCESS;
}

/* Prints numbers, BOOL, BITS, DATE, DATETIME and TIME values into out, which holds
 * MOUSE_CELL_SCRATCH bytes; returns the length. A date and time has a T and no zone. */
size_t mouse_value_print(char *out, const mouse_value_t *value);

/* The number a BIT(n) stands for. */
uint64_t mouse_value_bits(mouse_slice_t bytes);

/* A day that exists in no calendar: MariaDB's zero dates. */
static inline bool mouse_calendar_zero(const mouse_calendar_t *t)
{
    return t->month == 0 || t->day == 0;
}

#endif
