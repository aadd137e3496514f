/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `-- param: NAME TYPE [optional] [nullable] [= DEFAULT] [from SOURCE] [hash(..)]`.
 * Constraints on the type are in constraint.c.
 */
#include "model/parse_int.h"

#include <apr_strings.h>

static const struct {
    const char *word;
    mouse_type_t type;
} types[] = {
    {"int", MOUSE_TYPE_INT},       {"number", MOUSE_TYPE_NUMBER},
    {"string", MOUSE_TYPE_STRING}, {"bool", MOUSE_TYPE_BOOL},
    {"date", MOUSE_TYPE_DATE},     {"datetime", MOUSE_TYPE_DATETIME},
    {"uuid", MOUSE_TYPE_UUID},     {"json", MOUSE_TYPE_JSON},
    {"bytes", MOUSE_TYPE_BYTES},
};

/* Names the word that stands there: SQL's own type names come easily to the hand. */
static apr_status_t fail_type(mouse_cursor_t *cursor, const mouse_param_t *param)
{
    const char *back = cursor->at;
    const char *word = mouse_cursor_name(cursor);

    cursor->at = back;
    if (word && (strcmp(word, "in") == 0 || strcmp(word, "match") == 0))
        return mouse_cursor_fail(
            cursor, "'%s' needs a type before %s(..), as 'string in(new,paid)'",
            param->name, word);
    return mouse_cursor_fail(cursor,
                             "'%s' needs a type%s%s%s: int, number, string, bool, date, "
                             "datetime, uuid, json or bytes",
                             param->name, word ? ", and '" : "", word ? word : "",
                             word ? "' is none" : "");
}

static apr_status_t read_type(mouse_cursor_t *cursor, mouse_param_t *param)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (mouse_cursor_keyword(cursor, types[i].word)) {
            param->type = types[i].type;
            return mouse_constraint_read(cursor, param);
        }
    }
    return fail_type(cursor, param);
}

static apr_status_t read_array(mouse_cursor_t *cursor, mouse_param_t *param)
{
    if (!mouse_cursor_skip(cursor, "[]"))
        return APR_SUCCESS;
    param->is_array = true;
    if (mouse_cursor_skip(cursor, "("))
        return mouse_bounds_read(cursor, &param->count, false, true);
    return APR_SUCCESS;
}

static apr_status_t read_default(mouse_cursor_t *cursor, mouse_param_t *param)
{
    apr_status_t rv;

    if (param->fallback)
        return mouse_cursor_fail(cursor, "a parameter has one default");
    rv = mouse_cursor_quoted(cursor, &param->fallback);
    if (rv != APR_SUCCESS || param->fallback)
        return rv;
    param->fallback = mouse_cursor_run(cursor, "\"'");
    if (!param->fallback)
        return mouse_cursor_fail(cursor, "a default stands behind '=': '= 20' or '= \"\"'");
    if (strcmp(param->fallback, "null") == 0 || strcmp(param->fallback, "NULL") == 0)
        return mouse_cursor_fail(cursor, "NULL for an absent value is 'optional'; quote "
                                         "\"null\" where the text is meant");
    return APR_SUCCESS;
}

/* body.a.b: where the value lies in the body. */
static apr_status_t read_body_path(mouse_cursor_t *cursor, mouse_param_t *param)
{
    apr_array_header_t *path = apr_array_make(cursor->p, 2, sizeof(const char *));

    while (mouse_cursor_skip(cursor, ".")) {
        const char *member = mouse_cursor_name(cursor);

        if (!member)
            return mouse_cursor_fail(cursor, "a member's name stands behind '.'");
        APR_ARRAY_PUSH(path, const char *) = member;
    }
    param->source_depth = path->nelts;
    param->source_path = (const char **)path->elts;
    return APR_SUCCESS;
}

static apr_status_t read_client_name(mouse_cursor_t *cursor, mouse_param_t *param)
{
    char *name = NULL, *at;

    if (mouse_cursor_skip(cursor, "."))
        name = (char *)mouse_cursor_run(cursor, "()=,;\"");
    if (!name)
        return mouse_cursor_fail(cursor,
                                 "name it: 'from header.x_trace', 'from cookie.sid'");
    if (param->source == MOUSE_FROM_HEADER)
        for (at = name; *at != '\0'; at++)
            *at = *at == '_' ? '-' : *at;
    param->source_name = name;
    return APR_SUCCESS;
}

static apr_status_t read_source(mouse_cursor_t *cursor, mouse_param_t *param)
{
    if (param->source != MOUSE_FROM_ANY)
        return mouse_cursor_fail(cursor, "a parameter has one source");
    if (mouse_cursor_keyword(cursor, "path"))
        param->source = MOUSE_FROM_PATH;
    else if (mouse_cursor_keyword(cursor, "query"))
        param->source = MOUSE_FROM_QUERY;
    else if (mouse_cursor_keyword(cursor, "body")) {
        param->source = MOUSE_FROM_BODY;
        return read_body_path(cursor, param);
    } else if (mouse_cursor_keyword(cursor, "header")) {
        param->source = MOUSE_FROM_HEADER;
        return read_client_name(cursor, param);
    } else if (mouse_cursor_keyword(cursor, "cookie")) {
        param->source = MOUSE_FROM_COOKIE;
        return read_client_name(cursor, param);
    } else
        return mouse_cursor_fail(cursor,
                                 "a source is path, query, body, body.a.b, header.x "
                                 "or cookie.x");
    return APR_SUCCESS;
}

static apr_status_t read_hash_cost(mouse_cursor_t *cursor, int low, int high, int *cost)
{
    int64_t value;

    if (!mouse_cursor_skip(cursor, ":"))
        return APR_SUCCESS;
    if (!mouse_cursor_integer(cursor, &value) || value < low || value > high)
        return mouse_cursor_fail(cursor, "this cost lies from %d to %d", low, high);
    *cost = (int)value;
    return APR_SUCCESS;
}

/* Behind `hash`. */
apr_status_t mouse_hash_read(mouse_cursor_t *cursor, mouse_hash_t *hash, int *cost)
{
    apr_status_t rv = APR_SUCCESS;

    if (*hash != MOUSE_HASH_NONE)
        return mouse_cursor_fail(cursor, "a value is hashed once");
    if (!mouse_cursor_skip(cursor, "("))
        return mouse_cursor_fail(cursor, "write hash(sha256), hash(bcrypt:12) or "
                                         "hash(yescrypt)");
    if (mouse_cursor_keyword(cursor, "sha256"))
        *hash = MOUSE_HASH_SHA256;
    else if (mouse_cursor_keyword(cursor, "bcrypt")) {
        *hash = MOUSE_HASH_BCRYPT;
        *cost = 12;
        rv = read_hash_cost(cursor, 4, 31, cost);
    } else if (mouse_cursor_keyword(cursor, "yescrypt")) {
        *hash = MOUSE_HASH_YESCRYPT;
        rv = read_hash_cost(cursor, 1, 11, cost);
    } else
        return mouse_cursor_fail(cursor, "a hash is sha256, bcrypt:12 or yescrypt");
    if (rv == APR_SUCCESS && !mouse_cursor_skip(cursor, ")"))
        return mouse_cursor_fail(cursor, "close hash( with ')'");
    return rv;
}

static apr_status_t read_modifiers(mouse_cursor_t *cursor, mouse_param_t *param)
{
    apr_status_t rv = APR_SUCCESS;

    while (rv == APR_SUCCESS && !mouse_cursor_done(cursor)) {
        if (mouse_cursor_keyword(cursor, "optional"))
            param->optional = true;
        else if (mouse_cursor_keyword(cursor, "nullable"))
            param->nullable = true;
        else if (mouse_cursor_skip(cursor, "="))
            rv = read_default(cursor, param);
        else if (mouse_cursor_keyword(cursor, "from"))
            rv = read_source(cursor, param);
        else if (mouse_cursor_keyword(cursor, "hash"))
            rv = mouse_hash_read(cursor, &param->hash, &param->hash_cost);
        else
            rv = mouse_constraint_more(cursor, param);
    }
    return rv;
}

/* An array's field: `items[].qty int(1..99)`. */
static apr_status_t add_field(mouse_draft_t *draft, mouse_cursor_t *cursor,
                              mouse_param_t *field, int at)
{
    mouse_param_t *array;
    apr_array_header_t *fields;

    array = at < 0 ? NULL : &APR_ARRAY_IDX(draft->params, at, mouse_param_t);
    if (!array || !array->is_array || array->type != MOUSE_TYPE_OBJECT)
        return mouse_draft_fail(draft, field->line, field->column,
                                "declare the array of objects first: '-- param: NAME[] "
                                "(0..100)'");
    if (field->is_array)
        return mouse_cursor_fail(cursor,
                                 "a field of an array's element is no array itself: "
                                 "take it as json");
    if (field->source != MOUSE_FROM_ANY)
        return mouse_cursor_fail(cursor, "a field comes with its array: leave 'from' out");
    fields = APR_ARRAY_IDX(draft->fields, at, apr_array_header_t *);
    for (int i = 0; i < fields->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(fields, i, mouse_param_t).name, field->name) == 0)
            return mouse_draft_fail(draft, field->line, field->column,
                                    "'%s[].%s' is declared already", array->name,
                                    field->name);
    }
    field->source = MOUSE_FROM_BODY;
    APR_ARRAY_PUSH(fields, mouse_param_t) = *field;
    array->fields = (mouse_param_t *)fields->elts;
    array->field_count = fields->nelts;
    return APR_SUCCESS;
}

static apr_status_t add_param(mouse_draft_t *draft, const mouse_param_t *param)
{
    apr_array_header_t *fields = NULL;

    if (mouse_draft_param(draft, param->name) >= 0 ||
        mouse_draft_let(draft, param->name) >= 0)
        return mouse_draft_fail(draft, param->line, param->column,
                                "'%s' is declared already", param->name);
    if (param->type == MOUSE_TYPE_OBJECT)
        fields = apr_array_make(draft->p, 4, sizeof(mouse_param_t));
    APR_ARRAY_PUSH(draft->params, mouse_param_t) = *param;
    APR_ARRAY_PUSH(draft->fields, apr_array_header_t *) = fields;
    return APR_SUCCESS;
}

/* `items[] (1..100)`: an array of objects. */
static apr_status_t read_object_array(mouse_draft_t *draft, mouse_cursor_t *cursor,
                                      mouse_param_t *param)
{
    apr_status_t rv = APR_SUCCESS;

    param->type = MOUSE_TYPE_OBJECT;
    param->is_array = true;
    if (mouse_cursor_skip(cursor, "("))
        rv = mouse_bounds_read(cursor, &param->count, false, true);
    if (rv == APR_SUCCESS)
        rv = read_modifiers(cursor, param);
    if (rv != APR_SUCCESS)
        return rv;
    if (param->source != MOUSE_FROM_ANY && param->source != MOUSE_FROM_BODY)
        return mouse_cursor_fail(cursor, "an array of objects comes from the body");
    param->source = MOUSE_FROM_BODY;
    rv = mouse_param_check(draft, param);
    return rv == APR_SUCCESS ? add_param(draft, param) : rv;
}

apr_status_t mouse_param_read(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_param_t param = {
        .order = -1, .line = cursor->line, .column = mouse_cursor_column(cursor)};
    apr_status_t rv;
    int array = -1;
    bool field = false;

    param.name = mouse_cursor_name(cursor);
    if (!param.name)
        return mouse_cursor_fail(cursor,
                                 "a parameter needs a name of letters, digits and '_'");
    if (mouse_cursor_skip(cursor, "[]")) {
        if (!mouse_cursor_skip(cursor, "."))
            return read_object_array(draft, cursor, &param);
        field = true;
        array = mouse_draft_param(draft, param.name);
        param.name = mouse_cursor_name(cursor);
        if (!param.name)
            return mouse_cursor_fail(cursor, "a field's name stands behind '.'");
    }
    rv = read_type(cursor, &param);
    if (rv == APR_SUCCESS)
        rv = read_array(cursor, &param);
    if (rv == APR_SUCCESS)
        rv = read_modifiers(cursor, &param);
    if (rv == APR_SUCCESS)
        rv = mouse_param_check(draft, &param);
    if (rv != APR_SUCCESS)
        return rv;
    return field ? add_field(draft, cursor, &param, array) : add_param(draft, &param);
}
