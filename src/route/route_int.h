/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* route, inside: canonical paths, parsed segments, and the trie. */
#ifndef MOUSE_ROUTE_INT_H
#define MOUSE_ROUTE_INT_H

#include "route/mouse_route.h"

typedef struct mouse_trie_t mouse_trie_t;

/* One segment of a pattern: a literal in canonical form, or a parameter of a type. */
typedef struct mouse_part_t {
    const char *literal; /* NULL: a parameter */
    mouse_segment_t type;
} mouse_part_t;

/* What a pattern keeps for the table; mouse_pattern_t is its first member. */
typedef struct mouse_parsed_t {
    mouse_pattern_t pattern;
    int part_count;
    mouse_part_t *parts;
    const char *canonical; /* the whole path when it has no parameter, else NULL */
} mouse_parsed_t;

/*
 * A path in its one spelling: everything decoded but "%2F" and "%25". The path itself when
 * it holds no '%'. *bad is set on a wrong escape or a NUL, which stay as they were.
 */
const char *mouse_path_canonical(apr_pool_t *p, const char *raw, bool *bad);

/* A canonical segment fully decoded; a copy in p only where it holds '%'. */
mouse_slice_t mouse_path_decode(apr_pool_t *p, mouse_slice_t segment);

/* Does a canonical segment look like a value of the type? */
bool mouse_segment_fits(mouse_segment_t type, mouse_slice_t segment);

/* The endpoints of one path or trie node. */
typedef struct mouse_leaf_t {
    void *endpoints[MOUSE_METHODS];
    const mouse_pattern_t *patterns[MOUSE_METHODS];
} mouse_leaf_t;

/* The bits 1 << mouse_method_t of its endpoints. */
unsigned mouse_leaf_allow(const mouse_leaf_t *leaf);

mouse_trie_t *mouse_trie_create(apr_pool_t *p);

/* The leaf of a pattern, made when it is not there yet. */
mouse_leaf_t *mouse_trie_put(mouse_trie_t *trie, apr_pool_t *p,
                             const mouse_parsed_t *parsed);

/*
 * The leaf with an endpoint for the method, or NULL; *allow collects the methods of leaves
 * passed over. values gets the canonical segments that parameters matched.
 */
const mouse_leaf_t *mouse_trie_find(const mouse_trie_t *trie, int method, const char *path,
                                    mouse_slice_t *values, unsigned *allow);

/* The deepest chain of parameters in the trie. */
int mouse_trie_depth(const mouse_trie_t *trie);

#endif
