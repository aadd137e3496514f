/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What `:name` in a statement means: a parameter, a list, an array's element, a let, an
 * earlier row, a choice of order, or a value of the context. Bare names that nothing
 * declares wait for the route's path.
 */
#include "model/parse_int.h"

#include <apr_strings.h>

typedef struct place_t {
    mouse_draft_t *draft;
    const mouse_sql_t *sql;
    const mouse_token_t *tokens;
    int count, at;
} place_t;

static apr_status_t fail(const place_t *place, const char *format, const char *word,
                         const char *name)
{
    const mouse_token_t *token = &place->tokens[place->at];
    mouse_draft_t *draft = place->draft;

    /* The two formats' arguments are always strings; absent ones are empty. */
    const char *text = apr_pstrdup(draft->p, format);
    const char *mark;

    while ((mark = strstr(text, "%W")) != NULL)
        text =
            apr_pstrcat(draft->p, apr_pstrmemdup(draft->p, text, (apr_size_t)(mark - text)),
                        word, mark + 2, NULL);
    while ((mark = strstr(text, "%N")) != NULL)
        text =
            apr_pstrcat(draft->p, apr_pstrmemdup(draft->p, text, (apr_size_t)(mark - text)),
                        name ? name : "", mark + 2, NULL);
    return mouse_draft_fail(draft, token->line, token->column, "%s", text);
}

static const mouse_param_t *param_at(const place_t *place, int index)
{
    return &APR_ARRAY_IDX(place->draft->params, index, mouse_param_t);
}

/* `IN ( :ids )`, and nothing else in the parentheses. */
static bool inside_in(const place_t *place)
{
    const mouse_token_t *tokens = place->tokens;
    int at = place->at;

    return at >= 2 && at + 1 < place->count && mouse_token_punct(&tokens[at - 1], '(') &&
           mouse_statement_word(tokens, at - 2, "IN") &&
           mouse_token_punct(&tokens[at + 1], ')');
}

static apr_status_t resolve_param(const place_t *place, mouse_ref_t *ref)
{
    const mouse_param_t *param = param_at(place, ref->index);

    if (param->order >= 0) {
        ref->kind = MOUSE_REF_ORDER;
        ref->index = param->order;
        if (!mouse_refuse_term(place->tokens, place->count, place->at))
            return fail(place,
                        ":%W is a choice of order: write it alone, as 'ORDER BY :%W'",
                        ref->word, NULL);
        return APR_SUCCESS;
    }
    ref->kind = param->is_array ? MOUSE_REF_LIST : MOUSE_REF_PARAM;
    if (!param->is_array)
        return APR_SUCCESS;
    if (param->type == MOUSE_TYPE_OBJECT)
        return fail(place, ":%W holds objects: use '-- each: %W' and ':%W[].field'",
                    ref->word, NULL);
    if (!inside_in(place))
        return fail(place,
                    ":%W is an array: write 'IN (:%W)', or '-- each: %W' and ':%W[]'",
                    ref->word, NULL);
    return APR_SUCCESS;
}

static apr_status_t resolve_bare(const place_t *place, mouse_ref_t *ref)
{
    mouse_draft_t *draft = place->draft;

    ref->index = mouse_draft_param(draft, ref->word);
    if (ref->index >= 0)
        return resolve_param(place, ref);
    ref->index = mouse_draft_let(draft, ref->word);
    if (ref->index >= 0) {
        ref->kind = MOUSE_REF_LET;
        return APR_SUCCESS;
    }
    if (mouse_draft_as(draft, ref->word) >= 0)
        return fail(place, ":%W is a row: name its column, ':%W.id'", ref->word, NULL);
    if (mouse_word_reserved(ref->word))
        return fail(place,
                    ":%W is a built-in word: name its field behind a dot, or declare "
                    "a parameter '%W'",
                    ref->word, NULL);
    ref->kind = MOUSE_REF_NAME;
    return APR_SUCCESS;
}

static int find_field(const mouse_param_t *param, const char *name)
{
    for (int i = 0; i < param->field_count; i++) {
        if (strcmp(param->fields[i].name, name) == 0)
            return i;
    }
    return -1;
}

static apr_status_t resolve_element(const place_t *place, mouse_ref_t *ref)
{
    const mouse_param_t *param;

    ref->index = mouse_draft_param(place->draft, ref->word);
    if (ref->index < 0 || !param_at(place, ref->index)->is_array)
        return fail(place, "'%W' is no array parameter of this model: declare it",
                    ref->word, NULL);
    if (place->sql->each != ref->index)
        return fail(place,
                    ":%W[] is the element of '-- each: %W', which this statement lacks",
                    ref->word, NULL);
    param = param_at(place, ref->index);
    ref->kind = ref->name ? MOUSE_REF_FIELD : MOUSE_REF_ELEMENT;
    if (!ref->name)
        return param->type != MOUSE_TYPE_OBJECT
                   ? APR_SUCCESS
                   : fail(place, ":%W[] is an object: name its field, ':%W[].id'",
                          ref->word, NULL);
    ref->field = find_field(param, ref->name);
    if (ref->field < 0)
        return fail(place, "'%W[].%N' is not declared: add '-- param: %W[].%N TYPE'",
                    ref->word, ref->name);
    return APR_SUCCESS;
}

static apr_status_t resolve_given(const place_t *place, mouse_ref_t *ref)
{
    ref->kind = MOUSE_REF_GIVEN;
    ref->index = mouse_draft_param(place->draft, ref->name);
    if (ref->index < 0)
        return fail(place, "'%N' is no parameter of this model: declare it", "", ref->name);
    return APR_SUCCESS;
}

static apr_status_t resolve_dotted(const place_t *place, mouse_ref_t *ref)
{
    int param;

    if (strcmp(ref->word, "given") == 0)
        return resolve_given(place, ref);
    if (mouse_word_reserved(ref->word) && !mouse_word_has(ref->word, ref->name))
        return fail(place, "'%W' has no field '%N': see the list of context values",
                    ref->word, ref->name);
    ref->index = mouse_draft_as(place->draft, ref->word);
    if (ref->index >= 0) {
        ref->kind = MOUSE_REF_AS;
        return APR_SUCCESS;
    }
    param = mouse_draft_param(place->draft, ref->word);
    if (param >= 0 && param_at(place, param)->is_array)
        return fail(place, "'%W' is an array: its element's field is ':%W[].%N'", ref->word,
                    ref->name);
    ref->kind = MOUSE_REF_CONTEXT;
    return APR_SUCCESS;
}

apr_status_t mouse_resolve(mouse_draft_t *draft, const mouse_sql_t *sql,
                           const mouse_token_t *tokens, int count, int i, mouse_ref_t *ref)
{
    const mouse_token_t *token = &tokens[i];
    place_t place = {draft, sql, tokens, count, i};
    apr_status_t rv;

    *ref = (mouse_ref_t){.word = mouse_slice_copy(draft->p, token->word),
                         .index = -1,
                         .field = -1,
                         .line = token->line,
                         .column = token->column};
    if (token->name.len > 0)
        ref->name = mouse_slice_copy(draft->p, token->name);
    if (token->brackets)
        rv = resolve_element(&place, ref);
    else if (ref->name)
        rv = resolve_dotted(&place, ref);
    else
        rv = resolve_bare(&place, ref);
    if (rv == APR_SUCCESS && ref->kind != MOUSE_REF_ORDER &&
        mouse_refuse_ordered(tokens, i))
        return fail(&place,
                    "a bound value in ORDER BY does not order as a column would: use "
                    "'-- order:', or select the expression and order by its name",
                    ref->word, NULL);
    return rv;
}
