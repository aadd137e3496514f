/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A server's configuration when it is new, and what a virtual host inherits: items of a
 * name it does not declare itself, all routes and groups (the compiler lets its own ones
 * win), the guards of MouseUse before its own unless it says `MouseUse none`, and MouseCors
 * and each setting of one value unless it has its own.
 */
#include "conf/conf_int.h"

static apr_array_header_t *make_items(apr_pool_t *p)
{
    return apr_array_make(p, 4, sizeof(mouse_item_t *));
}

void *mouse_conf_create_server(apr_pool_t *p, server_rec *s)
{
    mouse_conf_t *conf = apr_pcalloc(p, sizeof(*conf));

    (void)s;
    conf->own = conf;
    conf->databases = make_items(p);
    conf->pools = make_items(p);
    conf->models = make_items(p);
    conf->guards = make_items(p);
    conf->groups = make_items(p);
    conf->routes = make_items(p);
    conf->slots = apr_array_make(p, 2, sizeof(mouse_conf_slot_t *));
    conf->scope.uses = apr_array_make(p, 2, sizeof(mouse_conf_use_t));
    conf->bigint_string = conf->decimal_number = MOUSE_UNSET;
    conf->server_timing = conf->notes = conf->metrics = MOUSE_UNSET;
    conf->trace_sql = MOUSE_UNSET;
    conf->timeout = conf->slow_query = MOUSE_UNSET;
    conf->stay = MOUSE_UNSET;
    conf->max_memory = conf->max_answer = MOUSE_UNSET;
    conf->envelope = MOUSE_UNSET;
    return conf;
}

static apr_array_header_t *merge_named(apr_pool_t *p, const apr_array_header_t *base,
                                       const apr_array_header_t *add)
{
    apr_array_header_t *merged = apr_array_copy(p, add);

    for (int i = 0; i < base->nelts; i++) {
        mouse_item_t *item = APR_ARRAY_IDX(base, i, mouse_item_t *);

        if (!mouse_item_find(add, item->name))
            APR_ARRAY_PUSH(merged, mouse_item_t *) = item;
    }
    return merged;
}

static void merge_scope(apr_pool_t *p, mouse_conf_scope_t *merged,
                        const mouse_conf_scope_t *base, const mouse_conf_scope_t *add)
{
    merged->clears = add->clears;
    merged->uses = add->clears ? add->uses : apr_array_append(p, base->uses, add->uses);
}

#define MERGE_SETTING(name) merged->name = add->name == MOUSE_UNSET ? base->name : add->name

void *mouse_conf_merge_server(apr_pool_t *p, void *base_conf, void *add_conf)
{
    const mouse_conf_t *base = base_conf, *add = add_conf;
    mouse_conf_t *merged = mouse_conf_create_server(p, NULL);

    merged->own = add;
    merged->databases = merge_named(p, base->databases, add->databases);
    merged->pools = merge_named(p, base->pools, add->pools);
    merged->guards = merge_named(p, base->guards, add->guards);
    merged->models = apr_array_append(p, add->models, base->models);
    merged->groups = apr_array_append(p, add->groups, base->groups);
    merged->routes = apr_array_append(p, add->routes, base->routes);
    merge_scope(p, &merged->scope, &base->scope, &add->scope);
    merged->cors = add->cors ? add->cors : base->cors;
    MERGE_SETTING(bigint_string);
    MERGE_SETTING(decimal_number);
    MERGE_SETTING(server_timing);
    MERGE_SETTING(notes);
    MERGE_SETTING(metrics);
    MERGE_SETTING(trace_sql);
    MERGE_SETTING(timeout);
    MERGE_SETTING(slow_query);
    MERGE_SETTING(stay);
    MERGE_SETTING(max_memory);
    MERGE_SETTING(max_answer);
    MERGE_SETTING(envelope);
    merged->call_key = add->call_key ? add->call_key : base->call_key;
    return merged;
}
