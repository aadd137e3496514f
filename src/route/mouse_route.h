/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * route: which endpoint answers a method and a path.
 *
 * A table is built once from the configuration and then only read, by any thread.
 * Static paths are found by one hash look-up, the others in a trie of segments.
 * The table knows endpoints and groups only as pointers that its owner gave it.
 */
#ifndef MOUSE_ROUTE_H
#define MOUSE_ROUTE_H

#include "base/mouse_base.h"

typedef struct mouse_table_t mouse_table_t;
typedef struct mouse_match_t mouse_match_t;
typedef struct mouse_pattern_t mouse_pattern_t;

/* Methods a route can have; HEAD follows GET, OPTIONS and TRACE are answered by http. */
typedef enum {
    MOUSE_GET,
    MOUSE_POST,
    MOUSE_PUT,
    MOUSE_PATCH,
    MOUSE_DELETE,
    MOUSE_METHODS
} mouse_method_t;

/* The type of a path parameter: what a segment must look like to match. */
typedef enum {
    MOUSE_SEGMENT_STRING, /* one byte at least */
    MOUSE_SEGMENT_INT,    /* an int64 in decimal, no sign but '-', no leading zeros */
    MOUSE_SEGMENT_UUID,   /* 8-4-4-4-12 hex digits */
    MOUSE_SEGMENT_DATE    /* YYYY-MM-DD of the proleptic Gregorian calendar */
} mouse_segment_t;

/* "int": as a pattern names the type. */
const char *mouse_segment_name(mouse_segment_t type);

typedef struct mouse_path_parameter_t {
    const char *name;
    mouse_segment_t type;
} mouse_path_parameter_t;

/* A path as written in a MouseRoute: "/products/{id:int}". */
struct mouse_pattern_t {
    const char *text; /* as written, group prefixes included */
    int count;        /* parameters, in path order */
    const mouse_path_parameter_t *parameters;
};

/* "GET" -> MOUSE_GET, or -1. Case matters (RFC 9110). */
int mouse_method_find(const char *name);
const char *mouse_method_name(mouse_method_t method);

/* Are its parameters in the body (POST, PUT, PATCH) rather than in the query? */
bool mouse_method_has_body(mouse_method_t method);

/*
 * Parses a path pattern into p. Refuses (MOUSE_E_CONFIG; the caller adds the place) what
 * is not absolute, '//' , '.' and '..' segments, '?', '#', controls, a brace that is not a
 * whole segment, bad names ([A-Za-z_][A-Za-z0-9_]*), unknown types, a name twice.
 * A literal segment is written decoded ("/a b") or percent-encoded; "%2F" stays a slash
 * within its segment. "" and "/" are the root.
 */
apr_status_t mouse_pattern_parse(apr_pool_t *p, const char *text,
                                 const mouse_pattern_t **pattern,
                                 mouse_error_t **err) MOUSE_MUST_USE;

/* Does the path have a parameter of this name? */
bool mouse_pattern_has(const mouse_pattern_t *pattern, const char *name);

/* Empty; it and all that is added live in p. */
mouse_table_t *mouse_table_create(apr_pool_t *p);

/*
 * Adds a route. Refuses a duplicate: the same method on the same literal path, or on a
 * pattern whose literals and types are the same at every segment, whatever the names.
 * *other is then the endpoint already there (so that the caller can name its place).
 */
apr_status_t mouse_table_add(mouse_table_t *table, mouse_method_t method,
                             const mouse_pattern_t *pattern, void *endpoint, void **other,
                             mouse_error_t **err) MOUSE_MUST_USE;

/* Owns a prefix: unmatched paths below it (at a segment border) are ours to answer.
 * Prefix "" or "/" owns everything. The longest prefix wins; the first of equals. */
apr_status_t mouse_table_add_group(mouse_table_t *table, const char *prefix, void *group,
                                   mouse_error_t **err) MOUSE_MUST_USE;

/* Calls visit for each route in the order of addition. */
void mouse_table_each(const mouse_table_t *table,
                      void (*visit)(void *baton, mouse_method_t method,
                                    const mouse_pattern_t *pattern, void *endpoint),
                      void *baton);

typedef enum {
    MOUSE_MATCH_FOUND,   /* endpoint, pattern and values are set */
    MOUSE_MATCH_METHOD,  /* the path has routes, this method has none: allow is set */
    MOUSE_MATCH_MISSING, /* nothing here, but the path lies inside a group */
    MOUSE_MATCH_OUTSIDE, /* not ours: decline */
    MOUSE_MATCH_BAD      /* inside a group: a bad percent-escape, or %00 */
} mouse_match_kind_t;

struct mouse_match_t {
    mouse_match_kind_t kind;
    void *endpoint;
    const mouse_pattern_t *pattern;
    const mouse_slice_t *values; /* decoded, in the order of pattern->parameters */
    unsigned allow; /* bits 1 << mouse_method_t of this path's routes; set for METHOD */
    void *group;    /* of the longest group prefix around the path, or NULL */
};

/*
 * Matches a path that is normalised but still percent-encoded. `method` is a
 * mouse_method_t, or -1 for one that no route can have (the result is then METHOD,
 * MISSING, OUTSIDE or BAD). Values live in p. A static path costs one hash look-up and,
 * when it holds no '%', no allocation; else literals beat typed parameters (int, uuid,
 * date) beat strings per segment, with backtracking. A route for another method never
 * hides one for this.
 */
void mouse_table_match(const mouse_table_t *table, int method, const char *raw_path,
                       apr_pool_t *p, mouse_match_t *match);

#endif
