/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The trie of segments for paths with parameters.
 *
 * At each segment a literal is tried first, then int, uuid and date, then string; a branch
 * that leads nowhere is left again. Each node is visited once at most, so a path costs no
 * more than the nodes that its segments can reach.
 */
#include "route/route_int.h"

#include <apr_hash.h>

typedef struct node_t {
    apr_hash_t *literals; /* of node_t, by canonical segment; NULL: none */
    struct node_t *typed[MOUSE_SEGMENT_DATE + 1];
    mouse_leaf_t *leaf; /* NULL: no route ends here */
} node_t;

struct mouse_trie_t {
    node_t root;
    int depth;
};

typedef struct search_t {
    int method;
    mouse_slice_t *values;
    int count;
    unsigned allow;
} search_t;

/* Types by precedence. */
static const mouse_segment_t precedence[] = {MOUSE_SEGMENT_INT, MOUSE_SEGMENT_UUID,
                                             MOUSE_SEGMENT_DATE, MOUSE_SEGMENT_STRING};

mouse_trie_t *mouse_trie_create(apr_pool_t *p)
{
    return apr_pcalloc(p, sizeof(mouse_trie_t));
}

int mouse_trie_depth(const mouse_trie_t *trie)
{
    return trie->depth;
}

unsigned mouse_leaf_allow(const mouse_leaf_t *leaf)
{
    unsigned allow = 0;

    for (int method = 0; method < MOUSE_METHODS; method++) {
        if (leaf->endpoints[method])
            allow |= 1u << method;
    }
    return allow;
}

static node_t *put_child(node_t *node, apr_pool_t *p, const mouse_part_t *part)
{
    node_t *child;

    if (!part->literal) {
        if (!node->typed[part->type])
            node->typed[part->type] = apr_pcalloc(p, sizeof(*child));
        return node->typed[part->type];
    }
    if (!node->literals)
        node->literals = apr_hash_make(p);
    child = apr_hash_get(node->literals, part->literal, APR_HASH_KEY_STRING);
    if (!child) {
        child = apr_pcalloc(p, sizeof(*child));
        apr_hash_set(node->literals, part->literal, APR_HASH_KEY_STRING, child);
    }
    return child;
}

mouse_leaf_t *mouse_trie_put(mouse_trie_t *trie, apr_pool_t *p,
                             const mouse_parsed_t *parsed)
{
    node_t *node = &trie->root;

    for (int i = 0; i < parsed->part_count; i++)
        node = put_child(node, p, &parsed->parts[i]);
    if (!node->leaf)
        node->leaf = apr_pcalloc(p, sizeof(*node->leaf));
    if (parsed->pattern.count > trie->depth)
        trie->depth = parsed->pattern.count;
    return node->leaf;
}

static const mouse_leaf_t *find_from(const node_t *node, const char *at, search_t *search);

/* Where the path goes on behind a child that took its segment. */
static const mouse_leaf_t *enter(const node_t *child, const char *end, search_t *search)
{
    if (*end == '/')
        return find_from(child, end + 1, search);
    if (!child->leaf)
        return NULL;
    if (search->method >= 0 && child->leaf->endpoints[search->method])
        return child->leaf;
    search->allow |= mouse_leaf_allow(child->leaf);
    return NULL;
}

static const mouse_leaf_t *enter_typed(const node_t *node, mouse_slice_t segment,
                                       const char *end, search_t *search)
{
    const mouse_leaf_t *leaf;

    for (size_t i = 0; i < sizeof(precedence) / sizeof(precedence[0]); i++) {
        const node_t *child = node->typed[precedence[i]];

        if (!child || !mouse_segment_fits(precedence[i], segment))
            continue;
        search->values[search->count++] = segment;
        leaf = enter(child, end, search);
        if (leaf)
            return leaf;
        search->count--;
    }
    return NULL;
}

/* The recursion is as deep as the trie, not as the path. */
static const mouse_leaf_t *find_from(const node_t *node, const char *at, search_t *search)
{
    const char *end = at + strcspn(at, "/");
    mouse_slice_t segment = {at, (size_t)(end - at)};
    const mouse_leaf_t *leaf = NULL;
    const node_t *child;

    if (node->literals) {
        child = apr_hash_get(node->literals, at, (apr_ssize_t)segment.len);
        if (child)
            leaf = enter(child, end, search);
    }
    return leaf ? leaf : enter_typed(node, segment, end, search);
}

const mouse_leaf_t *mouse_trie_find(const mouse_trie_t *trie, int method, const char *path,
                                    mouse_slice_t *values, unsigned *allow)
{
    search_t search = {.method = method, .values = values};
    const mouse_leaf_t *leaf = find_from(&trie->root, path + 1, &search);

    *allow |= search.allow;
    return leaf;
}
