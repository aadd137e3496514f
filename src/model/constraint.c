/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What a parameter's type allows: ranges, in(..), match(/../), and whether all of a
 * declaration fits together - its default and choices included. */

#include "model/parse_int.h"

#include <apr_strings.h>

static apr_status_t read_bounds(mouse_cursor_t *cursor, mouse_param_t *param)
{
    bool length = param->type == MOUSE_TYPE_STRING || param->type == MOUSE_TYPE_BYTES;

    if (!length && param->type != MOUSE_TYPE_INT && param->type != MOUSE_TYPE_NUMBER)
        return mouse_cursor_fail(cursor, "this type takes no range");
    return mouse_bounds_read(cursor, &param->bounds, param->type == MOUSE_TYPE_NUMBER,
                             length);
}

static apr_status_t read_choices(mouse_cursor_t *cursor, mouse_param_t *param)
{
    apr_array_header_t *list = apr_array_make(cursor->p, 4, sizeof(const char *));
    const char *text;

    if (param->choices)
        return mouse_cursor_fail(cursor, "a parameter has one in(..)");
    do {
        apr_status_t rv = mouse_cursor_quoted(cursor, &text);

        if (rv != APR_SUCCESS)
            return rv;
        if (!text)
            text = mouse_cursor_run(cursor, ",()\"'");
        if (!text)
            return mouse_cursor_fail(cursor, "a value stands here: in(new,paid)");
        APR_ARRAY_PUSH(list, const char *) = text;
    } while (mouse_cursor_skip(cursor, ","));
    if (!mouse_cursor_skip(cursor, ")"))
        return mouse_cursor_fail(cursor, "separate values with ',' and close in( with ')'");
    param->choices = (const char **)list->elts;
    param->choice_count = list->nelts;
    return APR_SUCCESS;
}

/* Behind `match(/`: to the first unescaped "/)". */
static apr_status_t read_match(mouse_cursor_t *cursor, mouse_param_t *param)
{
    const char *at, *detail = NULL;

    if (param->pattern_text)
        return mouse_cursor_fail(cursor, "a parameter has one match(..)");
    if (param->type != MOUSE_TYPE_STRING)
        return mouse_cursor_fail(cursor, "match(/../) is for strings");
    for (at = cursor->at; at + 1 < cursor->end && !(at[0] == '/' && at[1] == ')'); at++) {
        if (*at == '\\')
            at++;
    }
    if (at + 1 >= cursor->end)
        return mouse_cursor_fail(cursor, "close the pattern with '/)'");
    param->pattern_text =
        apr_pstrmemdup(cursor->p, cursor->at, (apr_size_t)(at - cursor->at));
    if (mouse_pattern_compile(cursor->p, param->pattern_text, &param->pattern, &detail) !=
        APR_SUCCESS)
        return mouse_cursor_fail(cursor, "this pattern does not compile: %s",
                                 detail ? detail : "unknown reason");
    cursor->at = at + 2;
    return APR_SUCCESS;
}

apr_status_t mouse_constraint_read(mouse_cursor_t *cursor, mouse_param_t *param)
{
    if (mouse_cursor_skip(cursor, "("))
        return read_bounds(cursor, param);
    return APR_SUCCESS;
}

apr_status_t mouse_constraint_more(mouse_cursor_t *cursor, mouse_param_t *param)
{
    if (param->type != MOUSE_TYPE_OBJECT && mouse_cursor_skip(cursor, "in("))
        return read_choices(cursor, param);
    if (param->type != MOUSE_TYPE_OBJECT && mouse_cursor_skip(cursor, "match(/"))
        return read_match(cursor, param);
    return mouse_cursor_fail(cursor,
                             "'%s' is not known here: a parameter takes optional, "
                             "nullable, = DEFAULT, from SOURCE, in(..), match(/../) "
                             "and hash(..)",
                             mouse_cursor_run(cursor, ""));
}

static apr_status_t check_text(mouse_draft_t *draft, const mouse_param_t *param,
                               const char *text)
{
    const char *rule = NULL, *detail = NULL;
    mouse_value_t value;

    if (mouse_type_from_text(draft->p, param, draft->dialect, mouse_slice_of(text), &value,
                             &rule, &detail) == APR_SUCCESS)
        return APR_SUCCESS;
    return mouse_draft_fail(draft, param->line, param->column, "'%s' does not fit '%s': %s",
                            text, param->name,
                            detail ? detail : "it breaks the declaration");
}

static apr_status_t check_choices(mouse_draft_t *draft, const mouse_param_t *param)
{
    mouse_param_t bare = *param;
    apr_status_t rv = APR_SUCCESS;

    if (param->choice_count > 0 &&
        (param->type == MOUSE_TYPE_BOOL || param->type == MOUSE_TYPE_JSON ||
         param->type == MOUSE_TYPE_BYTES))
        return mouse_draft_fail(draft, param->line, param->column,
                                "in(..) is not for this type");
    bare.choice_count = 0;
    bare.choices = NULL;
    for (int i = 0; rv == APR_SUCCESS && i < param->choice_count; i++)
        rv = check_text(draft, &bare, param->choices[i]);
    return rv;
}

static const char *contradiction(const mouse_param_t *param)
{
    bool client = param->source == MOUSE_FROM_HEADER ||
                  param->source == MOUSE_FROM_COOKIE || param->source == MOUSE_FROM_PATH;

    if (param->fallback && param->optional)
        return "'optional' and a default exclude each other: leave one out";
    if (param->fallback && param->is_array)
        return "an array has no default: with 'optional' an absent one is empty";
    if (param->is_array && client)
        return "an array comes from the query or the body";
    if (param->source == MOUSE_FROM_PATH && (param->optional || param->fallback))
        return "a path value is always there: leave 'optional' and the default out";
    if (param->hash != MOUSE_HASH_NONE && param->is_array)
        return "hash(..) is for single values";
    if (param->hash != MOUSE_HASH_NONE && param->type != MOUSE_TYPE_STRING &&
        param->type != MOUSE_TYPE_UUID && param->type != MOUSE_TYPE_BYTES)
        return "hash(..) is for string, uuid and bytes";
    return NULL;
}

apr_status_t mouse_param_check(mouse_draft_t *draft, const mouse_param_t *param)
{
    const char *why = contradiction(param);
    apr_status_t rv;

    if (why)
        return mouse_draft_fail(draft, param->line, param->column, "%s", why);
    rv = check_choices(draft, param);
    if (rv == APR_SUCCESS && param->fallback)
        rv = check_text(draft, param, param->fallback);
    return rv;
}
