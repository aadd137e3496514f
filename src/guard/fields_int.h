/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Structured fields (RFC 9651): dictionaries of items and inner lists, read strictly. */
#ifndef MOUSE_FIELDS_INT_H
#define MOUSE_FIELDS_INT_H

#include "base/mouse_base.h"

/* Of members, of items in a list and of parameters; more are refused. */
#define MOUSE_FIELDS_MOST 64

typedef enum {
    MOUSE_FIELD_INTEGER,
    MOUSE_FIELD_DECIMAL,
    MOUSE_FIELD_STRING,
    MOUSE_FIELD_TOKEN,
    MOUSE_FIELD_BYTES,
    MOUSE_FIELD_BOOLEAN,
    MOUSE_FIELD_DATE,
    MOUSE_FIELD_DISPLAY
} mouse_field_kind_t;

typedef struct mouse_field_value_t {
    mouse_field_kind_t kind;
    int64_t number;     /* integers, dates; decimals in thousandths; booleans as 0 and 1 */
    mouse_slice_t text; /* the others, decoded */
} mouse_field_value_t;

typedef struct mouse_field_param_t {
    mouse_slice_t key;
    mouse_field_value_t value;
} mouse_field_param_t;

typedef struct mouse_field_item_t {
    mouse_field_value_t value;
    const apr_array_header_t *params; /* of mouse_field_param_t, in the order sent */
} mouse_field_item_t;

typedef struct mouse_field_member_t {
    mouse_slice_t key;
    mouse_field_item_t item;   /* of an inner list: its parameters alone */
    apr_array_header_t *items; /* of mouse_field_item_t: an inner list; NULL: an item */
} mouse_field_member_t;

/*
 * Reads a dictionary; *members (of mouse_field_member_t) in p, which text must outlive.
 * Stricter than RFC 9651, 4.2: a key that comes twice is refused. NULL, or what is wrong.
 */
const char *mouse_fields_read(apr_pool_t *p, mouse_slice_t text,
                              const apr_array_header_t **members);

/* By its key, or NULL. */
const mouse_field_member_t *mouse_fields_member(const apr_array_header_t *members,
                                                const char *key);
const mouse_field_value_t *mouse_fields_param(const mouse_field_item_t *item,
                                              const char *key);

/* Strict base64 with its padding, into p; false when it is none. */
bool mouse_fields_base64(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *bytes);

/* The one spelling of RFC 9651, 4.1: an item, an inner list, each with its parameters. */
void mouse_fields_write_item(mouse_buf_t *buf, const mouse_field_item_t *item);
void mouse_fields_write_list(mouse_buf_t *buf, const mouse_field_member_t *list);

#endif
