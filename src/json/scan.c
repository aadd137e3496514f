/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The scanner: one pass over a JSON text that leaves an array of nodes.
 *
 * It does not recurse: open containers stand on a stack as deep as the limit. Duplicate
 * names are looked for when an object closes, among its sorted keys.
 */
#include "json/json_int.h"

#include <stdlib.h>

typedef struct name_t {
    mouse_slice_t key; /* decoded */
    const mouse_json_node_t *member;
} name_t;

typedef struct scan_t {
    apr_pool_t *pool;
    mouse_slice_t text;
    const char *at, *end;
    mouse_buf_t nodes; /* of mouse_json_node_t */
    size_t *open;      /* indexes of the open containers */
    int depth, max_depth;
    mouse_buf_t names; /* of name_t: an object's members, to find duplicates */
    mouse_slice_t key; /* of the member that comes next */
    bool key_escaped;
    mouse_error_t **err;
} scan_t;

static mouse_json_node_t *node_at(scan_t *scan, size_t index)
{
    return (mouse_json_node_t *)(void *)scan->nodes.data + index;
}

static size_t node_count(const scan_t *scan)
{
    return scan->nodes.len / sizeof(mouse_json_node_t);
}

static apr_status_t fail(scan_t *scan, mouse_code_t code, const char *at,
                         const char *detail)
{
    const char *c, *line_start = scan->text.data;

    mouse_error_set(scan->err, scan->pool, code, "%s", detail);
    (*scan->err)->line = 1;
    for (c = scan->text.data; c < at; c++) {
        if (*c == '\n') {
            (*scan->err)->line++;
            line_start = c + 1;
        }
    }
    (*scan->err)->column = (int)(at - line_start) + 1;
    return APR_EGENERAL;
}

static void add_node(scan_t *scan, mouse_json_type_t type, mouse_slice_t text, bool escaped)
{
    mouse_json_node_t node = {.type = (uint8_t)type,
                              .escaped = escaped,
                              .key_escaped = scan->key_escaped,
                              .span = 1,
                              .key = scan->key,
                              .text = text};

    mouse_buf_append(&scan->nodes, (const char *)&node, sizeof(node));
    if (scan->depth > 0)
        node_at(scan, scan->open[scan->depth - 1])->size++;
    scan->key = (mouse_slice_t){NULL, 0};
    scan->key_escaped = false;
}

static int compare_names(const void *a, const void *b)
{
    const name_t *left = a, *right = b;
    size_t len = left->key.len < right->key.len ? left->key.len : right->key.len;
    int order = len > 0 ? memcmp(left->key.data, right->key.data, len) : 0;

    if (order != 0)
        return order;
    return left->key.len < right->key.len ? -1 : left->key.len > right->key.len;
}

/* Sorted, equal names stand together: no input makes this quadratic. */
static const mouse_json_node_t *find_duplicate(scan_t *scan,
                                               const mouse_json_node_t *object)
{
    name_t *name;

    if (object->size < 2)
        return NULL;
    scan->names.len = 0;
    for (MOUSE_JSON_EACH (member, object)) {
        name_t next = {mouse_json_key(scan->pool, member), member};

        mouse_buf_append(&scan->names, (const char *)&next, sizeof(next));
    }
    name = (name_t *)(void *)scan->names.data;
    qsort(name, object->size, sizeof(*name), compare_names);
    for (size_t i = 1; i < object->size; i++) {
        if (mouse_slice_equal(name[i - 1].key, name[i].key))
            return name[i - 1].member > name[i].member ? name[i - 1].member
                                                       : name[i].member;
    }
    return NULL;
}

static apr_status_t open_container(scan_t *scan, mouse_json_type_t type)
{
    if (scan->depth >= scan->max_depth)
        return fail(scan, MOUSE_E_JSON_DEPTH, scan->at, "The JSON text nests too deep.");
    add_node(scan, type, (mouse_slice_t){scan->at, 1}, false);
    scan->open[scan->depth++] = node_count(scan) - 1;
    scan->at++;
    return APR_SUCCESS;
}

static apr_status_t close_container(scan_t *scan)
{
    mouse_json_node_t *node = node_at(scan, scan->open[--scan->depth]);
    const mouse_json_node_t *twin = NULL;

    scan->at++;
    node->span = (uint32_t)(node_count(scan) - (size_t)(node - node_at(scan, 0)));
    node->text.len = (size_t)(scan->at - node->text.data);
    if (node->type == MOUSE_JSON_OBJECT)
        twin = find_duplicate(scan, node);
    if (twin)
        return fail(scan, MOUSE_E_JSON_DUPLICATE, twin->key.data - 1,
                    "An object names this member twice.");
    return APR_SUCCESS;
}

static apr_status_t scan_key(scan_t *scan)
{
    const char *close, *bad;

    scan->at = mouse_json_skip_space(scan->at, scan->end);
    if (scan->at >= scan->end || *scan->at != '"')
        return fail(scan, MOUSE_E_BAD_JSON, scan->at,
                    "A member name in quotes is expected here.");
    close = mouse_json_skip_string(scan->at + 1, scan->end, &scan->key_escaped, &bad);
    if (!close)
        return fail(scan, MOUSE_E_BAD_JSON, bad, "This member name is not a JSON string.");
    scan->key = (mouse_slice_t){scan->at + 1, (size_t)(close - scan->at - 1)};
    scan->at = mouse_json_skip_space(close + 1, scan->end);
    if (scan->at >= scan->end || *scan->at != ':')
        return fail(scan, MOUSE_E_BAD_JSON, scan->at, "A colon is expected here.");
    scan->at++;
    return APR_SUCCESS;
}

static apr_status_t scan_string(scan_t *scan)
{
    bool escaped;
    const char *bad;
    const char *close = mouse_json_skip_string(scan->at + 1, scan->end, &escaped, &bad);

    if (!close)
        return fail(scan, MOUSE_E_BAD_JSON, bad, "This string is not valid.");
    add_node(scan, MOUSE_JSON_STRING,
             (mouse_slice_t){scan->at + 1, (size_t)(close - scan->at - 1)}, escaped);
    scan->at = close + 1;
    return APR_SUCCESS;
}

static apr_status_t scan_scalar(scan_t *scan)
{
    const char *behind, *bad = scan->at;
    mouse_json_type_t type = MOUSE_JSON_NUMBER;

    switch (*scan->at) {
    case 't':
        type = MOUSE_JSON_TRUE;
        behind = mouse_json_skip_literal(scan->at, scan->end, "true", &bad);
        break;
    case 'f':
        type = MOUSE_JSON_FALSE;
        behind = mouse_json_skip_literal(scan->at, scan->end, "false", &bad);
        break;
    case 'n':
        type = MOUSE_JSON_NULL;
        behind = mouse_json_skip_literal(scan->at, scan->end, "null", &bad);
        break;
    default:
        behind = mouse_json_skip_number(scan->at, scan->end, &bad);
    }
    if (!behind)
        return fail(scan, MOUSE_E_BAD_JSON, bad, "This is not a JSON value.");
    add_node(scan, type, (mouse_slice_t){scan->at, (size_t)(behind - scan->at)}, false);
    scan->at = behind;
    return APR_SUCCESS;
}

/* One value; a container is only opened, and *opened says so. */
static apr_status_t scan_value(scan_t *scan, bool *opened)
{
    *opened = false;
    scan->at = mouse_json_skip_space(scan->at, scan->end);
    if (scan->at >= scan->end)
        return fail(scan, MOUSE_E_BAD_JSON, scan->at,
                    "The JSON text ends where a value is expected.");
    if (*scan->at == '{' || *scan->at == '[') {
        *opened = true;
        return open_container(scan,
                              *scan->at == '{' ? MOUSE_JSON_OBJECT : MOUSE_JSON_ARRAY);
    }
    return *scan->at == '"' ? scan_string(scan) : scan_scalar(scan);
}

/* Behind a value or an opening bracket: closes what closes, and stands before the next
 * value. fresh: the container has just been opened. */
static apr_status_t scan_between(scan_t *scan, bool fresh)
{
    while (scan->depth > 0) {
        const mouse_json_node_t *node = node_at(scan, scan->open[scan->depth - 1]);
        bool object = node->type == MOUSE_JSON_OBJECT;
        apr_status_t rv;

        scan->at = mouse_json_skip_space(scan->at, scan->end);
        if (scan->at < scan->end && *scan->at == (object ? '}' : ']')) {
            rv = close_container(scan);
            if (rv != APR_SUCCESS)
                return rv;
            fresh = false;
            continue;
        }
        if (!fresh) {
            if (scan->at >= scan->end || *scan->at != ',')
                return fail(scan, MOUSE_E_BAD_JSON, scan->at,
                            "A comma or a closing bracket is expected here.");
            scan->at++;
        }
        return object ? scan_key(scan) : APR_SUCCESS;
    }
    return APR_SUCCESS;
}

static apr_status_t scan_text(scan_t *scan)
{
    apr_status_t rv;
    bool opened;

    do {
        rv = scan_value(scan, &opened);
        if (rv == APR_SUCCESS)
            rv = scan_between(scan, opened);
        if (rv != APR_SUCCESS)
            return rv;
    } while (scan->depth > 0);
    scan->at = mouse_json_skip_space(scan->at, scan->end);
    if (scan->at < scan->end)
        return fail(scan, MOUSE_E_BAD_JSON, scan->at, "Nothing may follow the JSON text.");
    return APR_SUCCESS;
}

apr_status_t mouse_json_scan(apr_pool_t *p, mouse_slice_t text, int depth,
                             const mouse_json_doc_t **doc, mouse_error_t **err)
{
    scan_t scan = {.pool = p,
                   .text = text,
                   .at = text.data,
                   .end = text.data + text.len,
                   .max_depth = depth,
                   .err = err};
    mouse_json_doc_t *made = apr_pcalloc(p, sizeof(*made));
    mouse_buf_t *nodes = apr_palloc(p, sizeof(*nodes));
    apr_status_t rv;

    mouse_buf_init(nodes, p, 16 * sizeof(mouse_json_node_t));
    scan.nodes = *nodes;
    scan.open = apr_palloc(p, sizeof(*scan.open) * (size_t)depth);
    rv = scan_text(&scan);
    *nodes = scan.nodes;
    mouse_buf_free(mouse_buf_detach(&scan.names));
    if (rv != APR_SUCCESS)
        return rv;
    made->source = text;
    made->root = node_at(&scan, 0);
    made->count = node_count(&scan);
    *doc = made;
    return APR_SUCCESS;
}
