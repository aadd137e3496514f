/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Habits to avoid in a model's SQL (httpd -t -D MOUSE_LINT): rows without an end, and
 * columns that nobody named. Looks at words outside of quotes and parentheses alone, so it
 * may miss some; what it finds is a warning.
 */

#include "model/model_int.h"

#include <apr_lib.h>

#define LAST 16

/* What a statement's outermost level holds. */
typedef struct lint_t {
    int depth;
    char quote;      /* the closing one while inside quotes, else 0 */
    char last[LAST]; /* the last word in capitals, or one sign */
    bool star;       /* SELECT *, t.* */
    bool from;       /* FROM */
    bool limited;    /* LIMIT or FETCH */
    bool tied;       /* = :x, IN (:x): the rows are those of a value */
} lint_t;

static bool last_is(const lint_t *lint, const char *word)
{
    return strcmp(lint->last, word) == 0;
}

static void see_word(lint_t *lint)
{
    if (lint->depth > 0)
        return;
    if (last_is(lint, "FROM"))
        lint->from = true;
    else if (last_is(lint, "LIMIT") || last_is(lint, "FETCH"))
        lint->limited = true;
}

static bool in_word(char c)
{
    return apr_isalnum(c) || c == '_' || (c & 0x80);
}

/* The word that begins at text[at]; returns where it ends. */
static size_t take_word(lint_t *lint, mouse_slice_t text, size_t at)
{
    size_t len = 0;

    while (at < text.len && in_word(text.data[at])) {
        if (len < LAST - 1)
            lint->last[len++] = (char)apr_toupper(text.data[at]);
        at++;
    }
    lint->last[len] = '\0';
    see_word(lint);
    return at;
}

static void see_sign(lint_t *lint, char c)
{
    if (c == '*' && lint->depth == 0 &&
        (last_is(lint, "SELECT") || last_is(lint, "DISTINCT") || last_is(lint, "ALL") ||
         last_is(lint, ".") || last_is(lint, ",")))
        lint->star = true;
    if (c == '(')
        lint->depth++;
    else if (c == ')')
        lint->depth--;
    else if (c == '\'' || c == '"' || c == '`')
        lint->quote = c;
    /* IN stays, for what its parenthesis begins with. */
    if (c == '(' && last_is(lint, "IN"))
        return;
    lint->last[0] = c;
    lint->last[1] = '\0';
}

static void read_text(lint_t *lint, mouse_slice_t text)
{
    size_t i = 0;

    while (i < text.len) {
        char c = text.data[i];

        if (lint->quote) {
            if (c == lint->quote)
                lint->quote = '\0';
            i++;
        } else if (in_word(c)) {
            i = take_word(lint, text, i);
        } else {
            if (!apr_isspace(c))
                see_sign(lint, c);
            i++;
        }
    }
}

static void read_ref(lint_t *lint)
{
    if (lint->depth == 0 ? last_is(lint, "=") : lint->depth == 1 && last_is(lint, "IN"))
        lint->tied = true;
    lint->last[0] = ':';
    lint->last[1] = '\0';
}

static bool answers_many(const mouse_model_t *model, int index)
{
    if (model->sqls[index].member)
        return model->sqls[index].member_kind == MOUSE_ANSWER_MANY;
    return model->kind == MOUSE_KIND_MANY && index == model->answering;
}

static void read_statement(const mouse_sql_t *sql, lint_t *lint)
{
    memset(lint, 0, sizeof(*lint));
    for (int i = 0; i < sql->piece_count; i++) {
        read_text(lint, sql->pieces[i].text);
        if (sql->pieces[i].has_ref)
            read_ref(lint);
    }
}

void mouse_model_lint(apr_pool_t *ptmp, const mouse_model_t *model, mouse_finding_fn report,
                      void *baton)
{
    mouse_error_t *err;
    lint_t lint;

    for (int i = 0; i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        if (sql->verb != MOUSE_VERB_SELECT)
            continue;
        read_statement(sql, &lint);
        if (lint.star) {
            mouse_error_at(&err, ptmp, model->file, sql->line, sql->column,
                           "%s: \"*\" answers whatever columns the table has: name them",
                           model->name);
            report(baton, MOUSE_LOG_WARNING, err);
        }
        if (answers_many(model, i) && lint.from && !lint.limited && !lint.tied) {
            mouse_error_at(&err, ptmp, model->file, sql->line, sql->column,
                           "%s: as many rows as the table has: add LIMIT", model->name);
            report(baton, MOUSE_LOG_WARNING, err);
        }
    }
}
