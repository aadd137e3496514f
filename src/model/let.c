/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `-- let: NAME = SOURCE [hash(..)]` and `-- order: NAME CHOICE = TERMS`. */

#include "model/parse_int.h"

/* A bare name: a parameter, an earlier let, or - known at bind - a path parameter. */
static apr_status_t let_name(mouse_draft_t *draft, mouse_cursor_t *cursor, mouse_let_t *let)
{
    const mouse_param_t *param;

    let->index = mouse_draft_let(draft, let->source);
    let->kind = MOUSE_LET_LET;
    if (let->index >= 0)
        return APR_SUCCESS;
    let->kind = MOUSE_LET_PARAM;
    let->index = mouse_draft_param(draft, let->source);
    if (let->index < 0)
        return APR_SUCCESS;
    param = &APR_ARRAY_IDX(draft->params, let->index, mouse_param_t);
    if (param->is_array || param->order >= 0)
        return mouse_cursor_fail(
            cursor, "'%s' is no single value: a let takes one parameter", let->source);
    return APR_SUCCESS;
}

static apr_status_t let_context(mouse_cursor_t *cursor, mouse_let_t *let)
{
    let->kind = MOUSE_LET_CONTEXT;
    let->field = mouse_cursor_name(cursor);
    if (!let->field ||
        (mouse_word_reserved(let->source) && !mouse_word_has(let->source, let->field)))
        return mouse_cursor_fail(cursor, "'%s' has no such field", let->source);
    return APR_SUCCESS;
}

static apr_status_t let_source(mouse_draft_t *draft, mouse_cursor_t *cursor,
                               mouse_let_t *let)
{
    static const struct {
        const char *text;
        mouse_let_kind_t kind;
    } built_in[] = {{"random.hex32", MOUSE_LET_HEX32},
                    {"random.uuid", MOUSE_LET_UUID},
                    {"now.ms", MOUSE_LET_NOW_MS},
                    {"now.unix", MOUSE_LET_NOW_UNIX}};

    for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++) {
        if (mouse_cursor_keyword(cursor, built_in[i].text)) {
            let->kind = built_in[i].kind;
            return APR_SUCCESS;
        }
    }
    let->source = mouse_cursor_name(cursor);
    if (let->source && mouse_cursor_skip(cursor, "."))
        return let_context(cursor, let);
    if (!let->source)
        return mouse_cursor_fail(cursor,
                                 "a let is random.hex32, random.uuid, now.ms, now.unix, a "
                                 "value of the context, a parameter or an earlier let");
    return let_name(draft, cursor, let);
}

apr_status_t mouse_let_read(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_let_t let = {
        .index = -1, .line = cursor->line, .column = mouse_cursor_column(cursor)};
    apr_status_t rv;

    let.name = mouse_cursor_name(cursor);
    if (!let.name || !mouse_cursor_skip(cursor, "="))
        return mouse_cursor_fail(cursor, "write '-- let: NAME = SOURCE'");
    if (mouse_draft_param(draft, let.name) >= 0 || mouse_draft_let(draft, let.name) >= 0)
        return mouse_draft_fail(draft, let.line, let.column, "'%s' is declared already",
                                let.name);
    rv = let_source(draft, cursor, &let);
    if (rv == APR_SUCCESS && mouse_cursor_keyword(cursor, "hash"))
        rv = mouse_hash_read(cursor, &let.hash, &let.hash_cost);
    if (rv == APR_SUCCESS)
        rv = mouse_cursor_end(cursor);
    APR_ARRAY_PUSH(draft->lets, mouse_let_t) = let;
    return rv;
}

/* The parameter that chooses; made with its first line. */
static apr_status_t order_of(mouse_draft_t *draft, mouse_cursor_t *cursor, const char *name,
                             int column, int *order)
{
    int at = mouse_draft_param(draft, name);
    mouse_param_t param = {.name = name,
                           .type = MOUSE_TYPE_STRING,
                           .source = MOUSE_FROM_QUERY,
                           .order = draft->orders->nelts,
                           .line = cursor->line,
                           .column = column};

    *order = at < 0 ? -1 : APR_ARRAY_IDX(draft->params, at, mouse_param_t).order;
    if (*order >= 0)
        return APR_SUCCESS;
    if (at >= 0 || mouse_draft_let(draft, name) >= 0)
        return mouse_draft_fail(draft, cursor->line, column, "'%s' is declared already",
                                name);
    *order = param.order;
    APR_ARRAY_PUSH(draft->params, mouse_param_t) = param;
    APR_ARRAY_PUSH(draft->fields, apr_array_header_t *) = NULL;
    APR_ARRAY_PUSH(draft->orders, mouse_order_t) =
        (mouse_order_t){.name = name, .line = cursor->line, .column = column};
    APR_ARRAY_PUSH(draft->choices, apr_array_header_t *) =
        apr_array_make(draft->p, 4, sizeof(mouse_choice_t));
    return APR_SUCCESS;
}

/* Terms are SQL, complete in themselves: nothing bound, nothing that leaves its place. */
static apr_status_t check_terms(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_scanner_t scanner;
    mouse_token_t token;
    int depth = 0, column = mouse_cursor_column(cursor);

    mouse_scanner_init(&scanner, draft->p, draft->file,
                       (mouse_slice_t){cursor->at, (size_t)(cursor->end - cursor->at)},
                       draft->dialect, draft->err);
    scanner.line = cursor->line;
    scanner.line_start = cursor->at - column + 1;
    for (;;) {
        apr_status_t rv = mouse_scanner_next(&scanner, &token);

        if (rv != APR_SUCCESS)
            return rv;
        if (token.kind == MOUSE_TOKEN_END)
            break;
        depth += mouse_token_punct(&token, '(') - mouse_token_punct(&token, ')');
        if (token.kind == MOUSE_TOKEN_REF || token.kind == MOUSE_TOKEN_COMMENT ||
            token.kind == MOUSE_TOKEN_SYSVAR || mouse_token_punct(&token, ';') || depth < 0)
            return mouse_draft_fail(draft, token.line, token.column,
                                    "terms of an order are columns and expressions alone");
    }
    if (depth != 0)
        return mouse_cursor_fail(cursor, "a parenthesis is not closed in these terms");
    return APR_SUCCESS;
}

static apr_status_t add_choice(mouse_draft_t *draft, mouse_cursor_t *cursor, int at,
                               const mouse_choice_t *choice)
{
    mouse_order_t *order = &APR_ARRAY_IDX(draft->orders, at, mouse_order_t);
    apr_array_header_t *list = APR_ARRAY_IDX(draft->choices, at, apr_array_header_t *);

    for (int i = 0; i < list->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(list, i, mouse_choice_t).name, choice->name) == 0)
            return mouse_draft_fail(draft, cursor->line, cursor->column,
                                    "'%s' has a choice '%s' already", order->name,
                                    choice->name);
    }
    APR_ARRAY_PUSH(list, mouse_choice_t) = *choice;
    order->choices = (mouse_choice_t *)list->elts;
    order->count = list->nelts;
    return APR_SUCCESS;
}

apr_status_t mouse_order_read(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    int column = mouse_cursor_column(cursor), at;
    const char *name = mouse_cursor_name(cursor);
    mouse_choice_t choice = {0};
    apr_status_t rv;

    choice.name = name ? mouse_cursor_run(cursor, "=") : NULL;
    if (!choice.name || !mouse_cursor_skip(cursor, "=") || mouse_cursor_done(cursor))
        return mouse_cursor_fail(cursor, "write '-- order: sort newest = id DESC'");
    choice.sql = mouse_slice_copy(
        draft->p, (mouse_slice_t){cursor->at, (size_t)(cursor->end - cursor->at)});
    rv = check_terms(draft, cursor);
    if (rv == APR_SUCCESS)
        rv = order_of(draft, cursor, name, column, &at);
    return rv == APR_SUCCESS ? add_choice(draft, cursor, at, &choice) : rv;
}
