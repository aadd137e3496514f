/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The table: static paths in a hash, the others in the trie, and the prefixes of groups. */

#include "route/route_int.h"

#include <apr_hash.h>

typedef struct group_t {
    const char *prefix; /* canonical, without a trailing slash */
    size_t len;
    void *group;
} group_t;

typedef struct entry_t {
    mouse_method_t method;
    const mouse_pattern_t *pattern;
    void *endpoint;
} entry_t;

struct mouse_table_t {
    apr_pool_t *pool;
    apr_hash_t *statics; /* of mouse_leaf_t, by canonical path */
    mouse_trie_t *trie;
    apr_array_header_t *groups;  /* of group_t */
    apr_array_header_t *entries; /* of entry_t, as added */
};

static const char *const names[MOUSE_METHODS] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

int mouse_method_find(const char *name)
{
    for (int i = 0; i < MOUSE_METHODS; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

const char *mouse_method_name(mouse_method_t method)
{
    return names[method];
}

bool mouse_method_has_body(mouse_method_t method)
{
    return method == MOUSE_POST || method == MOUSE_PUT || method == MOUSE_PATCH;
}

mouse_table_t *mouse_table_create(apr_pool_t *p)
{
    mouse_table_t *table = apr_pcalloc(p, sizeof(*table));

    table->pool = p;
    table->statics = apr_hash_make(p);
    table->trie = mouse_trie_create(p);
    table->groups = apr_array_make(p, 4, sizeof(group_t));
    table->entries = apr_array_make(p, 16, sizeof(entry_t));
    return table;
}

static mouse_leaf_t *put_static(mouse_table_t *table, const char *path)
{
    mouse_leaf_t *leaf = apr_hash_get(table->statics, path, APR_HASH_KEY_STRING);

    if (!leaf) {
        leaf = apr_pcalloc(table->pool, sizeof(*leaf));
        apr_hash_set(table->statics, path, APR_HASH_KEY_STRING, leaf);
    }
    return leaf;
}

apr_status_t mouse_table_add(mouse_table_t *table, mouse_method_t method,
                             const mouse_pattern_t *pattern, void *endpoint, void **other,
                             mouse_error_t **err)
{
    const mouse_parsed_t *parsed = (const mouse_parsed_t *)(const void *)pattern;
    mouse_leaf_t *leaf = parsed->canonical
                             ? put_static(table, parsed->canonical)
                             : mouse_trie_put(table->trie, table->pool, parsed);

    *other = leaf->endpoints[method];
    if (*other)
        return mouse_error_set(
            err, table->pool, MOUSE_E_CONFIG,
            "%s %s matches the same paths as %s, which is there already.", names[method],
            pattern->text, leaf->patterns[method]->text);
    leaf->endpoints[method] = endpoint;
    leaf->patterns[method] = pattern;
    APR_ARRAY_PUSH(table->entries, entry_t) = (entry_t){method, pattern, endpoint};
    return APR_SUCCESS;
}

apr_status_t mouse_table_add_group(mouse_table_t *table, const char *prefix, void *group,
                                   mouse_error_t **err)
{
    bool bad;
    const char *canonical = mouse_path_canonical(table->pool, prefix, &bad);
    size_t len = strlen(canonical);

    if (bad || (len > 0 && canonical[0] != '/') || strpbrk(canonical, "?#{}"))
        return mouse_error_set(
            err, table->pool, MOUSE_E_CONFIG,
            "\"%s\" is not a path prefix: it begins with \"/\" and has no "
            "parameters.",
            prefix);
    if (len > 0 && canonical[len - 1] == '/')
        len--;
    APR_ARRAY_PUSH(table->groups, group_t) = (group_t){canonical, len, group};
    return APR_SUCCESS;
}

void mouse_table_each(const mouse_table_t *table,
                      void (*visit)(void *baton, mouse_method_t method,
                                    const mouse_pattern_t *pattern, void *endpoint),
                      void *baton)
{
    for (int i = 0; i < table->entries->nelts; i++) {
        const entry_t *entry = &APR_ARRAY_IDX(table->entries, i, entry_t);

        visit(baton, entry->method, entry->pattern, entry->endpoint);
    }
}

/* The longest prefix that ends at a segment border of the path. */
static void *find_group(const mouse_table_t *table, const char *path)
{
    const group_t *best = NULL;

    for (int i = 0; i < table->groups->nelts; i++) {
        const group_t *group = &APR_ARRAY_IDX(table->groups, i, group_t);

        if (strncmp(path, group->prefix, group->len) == 0 &&
            (path[group->len] == '/' || path[group->len] == '\0') &&
            (!best || group->len > best->len))
            best = group;
    }
    return best ? best->group : NULL;
}

static void set_found(mouse_match_t *match, const mouse_leaf_t *leaf, int method)
{
    match->kind = MOUSE_MATCH_FOUND;
    match->endpoint = leaf->endpoints[method];
    match->pattern = leaf->patterns[method];
    match->allow |= mouse_leaf_allow(leaf);
}

static void find_dynamic(const mouse_table_t *table, int method, const char *path,
                         apr_pool_t *p, mouse_match_t *match)
{
    int depth = mouse_trie_depth(table->trie), i;
    const mouse_leaf_t *leaf;
    mouse_slice_t *values;

    if (depth == 0)
        return;
    values = apr_palloc(p, sizeof(*values) * (size_t)depth);
    leaf = mouse_trie_find(table->trie, method, path, values, &match->allow);
    if (!leaf)
        return;
    set_found(match, leaf, method);
    for (i = 0; i < match->pattern->count; i++)
        values[i] = mouse_path_decode(p, values[i]);
    match->values = values;
}

void mouse_table_match(const mouse_table_t *table, int method, const char *raw_path,
                       apr_pool_t *p, mouse_match_t *match)
{
    bool bad;
    const char *path = mouse_path_canonical(p, raw_path, &bad);
    const mouse_leaf_t *leaf;

    *match = (mouse_match_t){.kind = MOUSE_MATCH_OUTSIDE};
    if (path[0] != '/')
        return;
    match->group = find_group(table, path);
    if (bad) {
        if (match->group)
            match->kind = MOUSE_MATCH_BAD;
        return;
    }
    leaf = apr_hash_get(table->statics, path, APR_HASH_KEY_STRING);
    if (leaf && method >= 0 && leaf->endpoints[method]) {
        set_found(match, leaf, method);
        return;
    }
    if (leaf)
        match->allow = mouse_leaf_allow(leaf);
    find_dynamic(table, method, path, p, match);
    if (match->kind == MOUSE_MATCH_FOUND)
        return;
    if (match->allow)
        match->kind = MOUSE_MATCH_METHOD;
    else if (match->group)
        match->kind = MOUSE_MATCH_MISSING;
}
