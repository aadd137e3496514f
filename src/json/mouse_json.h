/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * json: reads RFC 8259 texts into spans, and writes values as JSON bytes.
 *
 * The scanner validates and indexes; it copies nothing and builds no tree of objects:
 * numbers and strings stay in the source text until somebody asks for them.
 */
#ifndef MOUSE_JSON_H
#define MOUSE_JSON_H

#include "base/mouse_base.h"

typedef struct mouse_json_node_t mouse_json_node_t;
typedef struct mouse_json_doc_t mouse_json_doc_t;

typedef enum {
    MOUSE_JSON_NULL,
    MOUSE_JSON_FALSE,
    MOUSE_JSON_TRUE,
    MOUSE_JSON_NUMBER,
    MOUSE_JSON_STRING,
    MOUSE_JSON_ARRAY,
    MOUSE_JSON_OBJECT
} mouse_json_type_t;

/*
 * One value. Nodes lie in document order in one array: the first child of a container
 * follows it, the next sibling is `node + node->span`.
 */
struct mouse_json_node_t {
    uint8_t type;       /* mouse_json_type_t */
    bool escaped;       /* a string that holds backslashes */
    bool key_escaped;   /* its key does */
    uint32_t span;      /* nodes in this subtree, itself included */
    uint32_t size;      /* members or elements */
    mouse_slice_t key;  /* member name as written, without quotes; data NULL: none */
    mouse_slice_t text; /* the value as written; a string without its quotes */
};

struct mouse_json_doc_t {
    mouse_slice_t source;
    const mouse_json_node_t *root;
    size_t count;
};

#define MOUSE_JSON_DEPTH 64 /* default limit of nested containers */

/*
 * Scans one JSON text; the doc refers to `text`, which must outlive it, and lives in p.
 * Any value may be the root. A byte order mark is refused. Errors carry line and column
 * (both from 1, column in bytes): MOUSE_E_BAD_JSON, MOUSE_E_JSON_DEPTH (more than `depth`
 * open containers), MOUSE_E_JSON_DUPLICATE (equal names after unescaping, found without
 * quadratic work). Strings must be UTF-8; a lone surrogate escape is refused, "\u0000" is
 * not.
 */
apr_status_t mouse_json_scan(apr_pool_t *p, mouse_slice_t text, int depth,
                             const mouse_json_doc_t **doc,
                             mouse_error_t **err) MOUSE_MUST_USE;

/* Is this one valid JSON text? Allocates nothing; duplicate names are allowed. */
bool mouse_json_valid(mouse_slice_t text);

/* The member of an object by its (unescaped) name, or NULL. */
const mouse_json_node_t *mouse_json_find(apr_pool_t *p, const mouse_json_node_t *object,
                                         mouse_slice_t name);

/* The decoded text of a string node / of a node's key: the source itself where nothing
 * is escaped, else a copy in p. May hold NUL. */
mouse_slice_t mouse_json_string(apr_pool_t *p, const mouse_json_node_t *node);
mouse_slice_t mouse_json_key(apr_pool_t *p, const mouse_json_node_t *node);

/* for (MOUSE_JSON_EACH(child, node)) walks the children of a container. */
#define MOUSE_JSON_EACH(child, parent)                                                     \
    const mouse_json_node_t *child = (parent) + 1,                                         \
                            *child##_end = (parent) + (parent)->span;                      \
    child < child##_end;                                                                   \
    child += child->span

/* ---- the writer: each call appends one value, nothing else ---- */

/* Quoted and escaped (RFC 8259 section 7: `"`, `\` and controls alone); what is not UTF-8
 * becomes U+FFFD. */
void mouse_json_put_string(mouse_buf_t *buf, const char *data, size_t len);

/* With all digits. */
void mouse_json_put_int(mouse_buf_t *buf, int64_t value);
void mouse_json_put_uint(mouse_buf_t *buf, uint64_t value);

/* Shortest decimal that reads back as the same double / float; NaN and infinities: null. */
void mouse_json_put_double(mouse_buf_t *buf, double value);
void mouse_json_put_float(mouse_buf_t *buf, float value);

/* Quoted base64 (RFC 4648 section 4, padded). */
void mouse_json_put_base64(mouse_buf_t *buf, const void *data, size_t len);

#endif
