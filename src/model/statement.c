/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One statement: what its main verb is, whether it reads and returns rows, and its text
 * cut at the references, without comments.
 */
#include "model/parse_int.h"

bool mouse_statement_word(const mouse_token_t *tokens, int i, const char *word)
{
    return mouse_token_is(&tokens[i], word) &&
           !(i > 0 && mouse_token_punct(&tokens[i - 1], '.'));
}

bool mouse_statement_compound(const mouse_token_t *tokens, int count)
{
    return count >= 3 && mouse_token_is(&tokens[0], "BEGIN") &&
           mouse_token_is(&tokens[1], "NOT") && mouse_token_is(&tokens[2], "ATOMIC");
}

/* The index of the main verb: behind opening parentheses and WITH .. AS (..), .. */
static int find_verb(const mouse_token_t *tokens, int count)
{
    static const char *const verbs[] = {"SELECT",  "VALUES", "INSERT",
                                        "REPLACE", "UPDATE", "DELETE"};
    int i = 0, depth = 0;

    while (i < count && mouse_token_punct(&tokens[i], '('))
        i++;
    if (i == count || !mouse_token_is(&tokens[i], "WITH"))
        return i;
    for (i++; i < count; i++) {
        depth += mouse_token_punct(&tokens[i], '(') - mouse_token_punct(&tokens[i], ')');
        for (size_t k = 0; depth == 0 && k < sizeof(verbs) / sizeof(verbs[0]); k++) {
            if (mouse_token_is(&tokens[i], verbs[k]))
                return i;
        }
    }
    return count;
}

static mouse_verb_t verb_of(const mouse_token_t *tokens, int count, int at)
{
    static const struct {
        const char *word;
        mouse_verb_t verb;
    } verbs[] = {{"SELECT", MOUSE_VERB_SELECT}, {"VALUES", MOUSE_VERB_SELECT},
                 {"INSERT", MOUSE_VERB_INSERT}, {"REPLACE", MOUSE_VERB_INSERT},
                 {"UPDATE", MOUSE_VERB_UPDATE}, {"DELETE", MOUSE_VERB_DELETE},
                 {"CALL", MOUSE_VERB_CALL}};

    if (mouse_statement_compound(tokens, count))
        return MOUSE_VERB_COMPOUND;
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (mouse_token_is(&tokens[at], verbs[i].word))
            return verbs[i].verb;
    }
    return MOUSE_VERB_OTHER;
}

static bool has_word(const mouse_token_t *tokens, int count, const char *word)
{
    for (int i = 0; i < count; i++) {
        if (mouse_statement_word(tokens, i, word))
            return true;
    }
    return false;
}

/* FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE, INTO, sequences: no read. */
static bool takes_effect(const mouse_token_t *tokens, int count)
{
    for (int i = 0; i < count; i++) {
        bool more = i + 1 < count;

        if (mouse_statement_word(tokens, i, "INTO"))
            return true;
        if (more && mouse_statement_word(tokens, i, "FOR") &&
            (mouse_token_is(&tokens[i + 1], "UPDATE") ||
             mouse_token_is(&tokens[i + 1], "SHARE")))
            return true;
        if (more && mouse_statement_word(tokens, i, "LOCK") &&
            mouse_token_is(&tokens[i + 1], "IN"))
            return true;
        if (more && mouse_statement_word(tokens, i, "NEXT") &&
            mouse_token_is(&tokens[i + 1], "VALUE"))
            return true;
        if (more && mouse_token_punct(&tokens[i + 1], '(') &&
            (mouse_token_is(&tokens[i], "NEXTVAL") || mouse_token_is(&tokens[i], "SETVAL")))
            return true;
    }
    return false;
}

static void classify(mouse_sql_t *sql, const mouse_token_t *tokens, int count, int at)
{
    bool into;

    sql->verb = verb_of(tokens, count, at);
    into = has_word(tokens, count, "INTO");
    switch (sql->verb) {
    case MOUSE_VERB_SELECT:
        sql->reads = !takes_effect(tokens, count);
        sql->returns_rows = !into;
        break;
    case MOUSE_VERB_INSERT:
    case MOUSE_VERB_UPDATE:
    case MOUSE_VERB_DELETE:
        sql->returns_rows = has_word(tokens, count, "RETURNING");
        break;
    case MOUSE_VERB_CALL:
    case MOUSE_VERB_COMPOUND:
    case MOUSE_VERB_OTHER:
        sql->may_return_rows = true;
        break;
    }
}

/* ---- the text ---- */

typedef struct text_t {
    char *data;
    size_t len;
} text_t;

static void append(text_t *text, const char *data, size_t len)
{
    if (len > 0)
        memcpy(text->data + text->len, data, len);
    text->len += len;
}

/*
 * What lies between two tokens: blanks as written; where there is a comment, one blank in
 * its place - but none behind two minus signs, which a blank would make a comment.
 */
static void append_gap(text_t *text, const char *from, const char *to)
{
    const char *at;

    for (at = from; at < to; at++) {
        if (strchr(" \t\r\n\f\v", *at) == NULL)
            break;
    }
    if (at == to)
        append(text, from, (size_t)(to - from));
    else if (text->len < 2 || memcmp(text->data + text->len - 2, "--", 2) != 0)
        append(text, memchr(from, '\n', (size_t)(to - from)) ? "\n" : " ", 1);
}

static const char *token_end(const mouse_token_t *token)
{
    return token->text.data + token->text.len;
}

static apr_status_t cut(mouse_draft_t *draft, mouse_sql_t *sql, const mouse_token_t *tokens,
                        int count)
{
    apr_array_header_t *pieces = apr_array_make(draft->p, 8, sizeof(mouse_piece_t));
    size_t room = (size_t)(token_end(&tokens[count - 1]) - tokens[0].text.data);
    text_t text = {apr_palloc(draft->p, room + 1), 0};
    size_t start = 0;

    for (int i = 0; i < count; i++) {
        mouse_piece_t piece = {.has_ref = true};
        apr_status_t rv;

        if (i > 0)
            append_gap(&text, token_end(&tokens[i - 1]), tokens[i].text.data);
        if (tokens[i].kind != MOUSE_TOKEN_REF) {
            append(&text, tokens[i].text.data, tokens[i].text.len);
            continue;
        }
        piece.text = (mouse_slice_t){text.data + start, text.len - start};
        start = text.len;
        rv = mouse_resolve(draft, sql, tokens, count, i, &piece.ref);
        if (rv != APR_SUCCESS)
            return rv;
        if (piece.ref.kind == MOUSE_REF_ORDER || piece.ref.kind == MOUSE_REF_LIST)
            sql->has_order = true;
        APR_ARRAY_PUSH(pieces, mouse_piece_t) = piece;
    }
    APR_ARRAY_PUSH(pieces, mouse_piece_t) =
        (mouse_piece_t){.text = {text.data + start, text.len - start}};
    sql->pieces = (mouse_piece_t *)pieces->elts;
    sql->piece_count = pieces->nelts;
    return APR_SUCCESS;
}

static apr_status_t check_parentheses(mouse_draft_t *draft, const mouse_token_t *tokens,
                                      int count)
{
    int depth = 0;

    for (int i = 0; i < count; i++) {
        depth += mouse_token_punct(&tokens[i], '(') - mouse_token_punct(&tokens[i], ')');
        if (depth < 0)
            return mouse_draft_fail(draft, tokens[i].line, tokens[i].column,
                                    "this ')' has no '(': remove it");
    }
    if (depth > 0)
        return mouse_draft_fail(draft, tokens[0].line, tokens[0].column,
                                "this statement ends inside a parenthesis: close it before "
                                "';'");
    return APR_SUCCESS;
}

/* `each` given to a statement whose text never names the element is a slip. */
static apr_status_t check_each(mouse_draft_t *draft, const mouse_sql_t *sql)
{
    if (sql->each < 0)
        return APR_SUCCESS;
    for (int i = 0; i < sql->piece_count; i++) {
        if (sql->pieces[i].has_ref && (sql->pieces[i].ref.kind == MOUSE_REF_FIELD ||
                                       sql->pieces[i].ref.kind == MOUSE_REF_ELEMENT))
            return APR_SUCCESS;
    }
    return mouse_draft_fail(draft, draft->each_line, draft->each_column,
                            "the statement never names the element: write :%s[] or "
                            ":%s[].field in it, or drop 'each'",
                            APR_ARRAY_IDX(draft->params, sql->each, mouse_param_t).name,
                            APR_ARRAY_IDX(draft->params, sql->each, mouse_param_t).name);
}

apr_status_t mouse_statement_add(mouse_draft_t *draft, const mouse_token_t *tokens,
                                 int count)
{
    mouse_sql_t sql = draft->next;
    int verb_at = find_verb(tokens, count);
    apr_status_t rv;

    while (mouse_token_punct(&tokens[count - 1], ';'))
        count--; /* behind a compound statement's END */
    sql.line = tokens[0].line;
    sql.column = tokens[0].column;
    rv = check_parentheses(draft, tokens, count);
    if (rv == APR_SUCCESS)
        rv = mouse_refuse(draft, tokens, count, verb_at);
    if (rv != APR_SUCCESS)
        return rv;
    classify(&sql, tokens, count, verb_at);
    rv = cut(draft, &sql, tokens, count);
    if (rv == APR_SUCCESS)
        rv = check_each(draft, &sql);
    if (rv != APR_SUCCESS)
        return rv;
    APR_ARRAY_PUSH(draft->sqls, mouse_sql_t) = sql;
    draft->next = (mouse_sql_t){.each = -1};
    draft->pending = false;
    return APR_SUCCESS;
}
