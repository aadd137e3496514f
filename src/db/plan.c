/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Plans: the columns of a result, compiled once into names as bytes and readers of values.
 * How single values are read is in plan_cell.c, how rows are written in plan_json.c and
 * plan_csv.c.
 */

#include "db/plan_int.h"

#include <stdlib.h>

#include <apr_strings.h>

#include "json/mouse_json.h"

/* `{"name":` or `,"name":`, escaped. */
static mouse_slice_t compile_prefix(apr_pool_t *p, mouse_slice_t name, bool first)
{
    mouse_buf_t buf;
    mouse_slice_t prefix;

    mouse_buf_init(&buf, p, name.len + 8);
    mouse_buf_char(&buf, first ? '{' : ',');
    mouse_json_put_string(&buf, name.data, name.len);
    mouse_buf_char(&buf, ':');
    prefix = (mouse_slice_t){apr_pmemdup(p, buf.data, buf.len), buf.len};
    mouse_buf_free(mouse_buf_detach(&buf));
    return prefix;
}

static bool rule_is_for(const mouse_column_rule_t *rule, const char *member,
                        mouse_slice_t name)
{
    if (!rule->member != !member || (member && strcmp(rule->member, member) != 0))
        return false;
    return mouse_slice_equal(mouse_slice_of(rule->name), name);
}

static const mouse_column_rule_t *find_rule(const mouse_column_rule_t *rules, int count,
                                            const char *member, mouse_slice_t name,
                                            bool (*of_kind)(mouse_column_rule_kind_t))
{
    for (int i = 0; i < count; i++) {
        if (of_kind(rules[i].kind) && rule_is_for(&rules[i], member, name))
            return &rules[i];
    }
    return NULL;
}

static bool is_hiding(mouse_column_rule_kind_t kind)
{
    return kind == MOUSE_RULE_HIDDEN || kind == MOUSE_RULE_STATUS;
}

static bool is_status(mouse_column_rule_kind_t kind)
{
    return kind == MOUSE_RULE_STATUS;
}

static bool is_typing(mouse_column_rule_kind_t kind)
{
    return !is_hiding(kind);
}

/* Enters a name; false: it is there already. */
static bool enter_name(apr_pool_t *p, apr_hash_t *names, mouse_slice_t name, int index)
{
    int *at;

    if (apr_hash_get(names, name.data, (apr_ssize_t)name.len))
        return false;
    at = apr_palloc(p, sizeof(*at));
    *at = index;
    apr_hash_set(names, name.data, (apr_ssize_t)name.len, at);
    return true;
}

apr_status_t mouse_plan_create(apr_pool_t *p, const mouse_column_t *columns, int count,
                               const mouse_column_rule_t *rules, int rule_count,
                               const char *member, mouse_number_style_t style,
                               bool datetime_utc, mouse_plan_t **plan, mouse_error_t **err)
{
    mouse_plan_column_t *visible = apr_pcalloc(p, sizeof(*visible) * (size_t)(count + 1));
    mouse_plan_t *made = apr_pcalloc(p, sizeof(*made));

    made->columns = visible;
    made->status = -1;
    made->names = apr_hash_make(p);
    for (int i = 0; i < count; i++) {
        mouse_slice_t name = {mouse_slice_copy(p, columns[i].name), columns[i].name.len};
        mouse_plan_column_t *column = &visible[made->visible];

        if (!enter_name(p, made->names, name, i))
            return mouse_error_set(err, p, MOUSE_E_COLUMN,
                                   "Two columns are called \"%s\": give one another name "
                                   "with AS.",
                                   name.data);
        if (find_rule(rules, rule_count, member, name, is_status))
            made->status = i;
        if (find_rule(rules, rule_count, member, name, is_hiding))
            continue;
        column->name = name;
        column->prefix = compile_prefix(p, name, made->visible == 0);
        column->type = columns[i].type;
        column->scale = columns[i].scale;
        column->index = i;
        mouse_cell_choose(column, find_rule(rules, rule_count, member, name, is_typing),
                          style, datetime_utc);
        made->visible++;
    }
    *plan = made;
    return APR_SUCCESS;
}

int mouse_plan_column(const mouse_plan_t *plan, const char *name)
{
    const int *at = apr_hash_get(plan->names, name, APR_HASH_KEY_STRING);

    return at ? *at : -1;
}

int mouse_plan_status(const mouse_plan_t *plan)
{
    return plan->status;
}

int mouse_plan_visible(const mouse_plan_t *plan)
{
    return plan->visible;
}
