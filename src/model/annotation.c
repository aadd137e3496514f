/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Code comments, `-- word: ...`: which comments are code, and the small ones. Parameters
 * are in param.c, let and order in let.c.
 */
#include "model/parse_int.h"

#include <ctype.h>

#include <apr_strings.h>

typedef apr_status_t (*read_fn)(mouse_draft_t *draft, mouse_cursor_t *cursor);

static int kind_of(mouse_cursor_t *cursor)
{
    static const char *const kinds[] = {":one", ":many", ":exec", ":affected", ":object"};
    const char *run = mouse_cursor_run(cursor, "");

    for (int i = 0; run && i < 5; i++) {
        if (strcmp(run, kinds[i]) == 0)
            return i;
    }
    if (run)
        cursor->at -= strlen(run);
    return -1;
}

apr_status_t mouse_annotation_name(mouse_cursor_t *cursor, const char **name,
                                   mouse_kind_t *kind)
{
    const char *run = mouse_cursor_run(cursor, ":");
    int found;

    if (!run)
        return mouse_cursor_fail(cursor, "a model needs a name: '-- name: list :many'");
    for (size_t i = 0; run[i] != '\0'; i++) {
        if (!isalnum((unsigned char)run[i]) && run[i] != '_' && run[i] != '-') {
            cursor->at -= strlen(run);
            return mouse_cursor_fail(cursor,
                                     "'%s' is no model name: use letters, digits, "
                                     "'_' and '-'",
                                     run);
        }
    }
    found = kind_of(cursor);
    if (found < 0)
        return mouse_cursor_fail(cursor,
                                 "'%s' needs its kind: :one, :many, :exec, :affected "
                                 "or :object",
                                 run);
    *name = run;
    *kind = (mouse_kind_t)found;
    return mouse_cursor_end(cursor);
}

/* 'else STATUS "text"' behind expect, and the status of an error line. */
static apr_status_t read_status(mouse_cursor_t *cursor, int *status)
{
    int64_t value;
    int column = mouse_cursor_column(cursor);

    if (!mouse_cursor_integer(cursor, &value) || value < 400 || value > 599)
        return mouse_error_at(cursor->err, cursor->p, cursor->file, cursor->line, column,
                              "a status from 400 to 599 stands here");
    *status = (int)value;
    return APR_SUCCESS;
}

static apr_status_t read_else(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    apr_status_t rv;

    draft->next.expect_status = 404;
    if (mouse_cursor_done(cursor))
        return APR_SUCCESS;
    if (!mouse_cursor_keyword(cursor, "else"))
        return mouse_cursor_fail(cursor,
                                 "only 'else STATUS \"text\"' may follow the count");
    rv = read_status(cursor, &draft->next.expect_status);
    if (rv == APR_SUCCESS)
        rv = mouse_cursor_quoted(cursor, &draft->next.expect_text);
    return rv == APR_SUCCESS ? mouse_cursor_end(cursor) : rv;
}

static apr_status_t read_expect(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_sql_t *next = &draft->next;

    if (next->expects)
        return mouse_cursor_fail(cursor, "a statement has one 'expect'");
    if (!mouse_cursor_integer(cursor, &next->expect_low))
        return mouse_cursor_fail(cursor, "write the rows: 'expect: 1', '1..' or '0..1'");
    next->expect_high = next->expect_low;
    if (mouse_cursor_skip(cursor, "..") &&
        !mouse_cursor_integer(cursor, &next->expect_high))
        next->expect_high = INT64_MAX;
    if (next->expect_high < next->expect_low)
        return mouse_cursor_fail(cursor,
                                 "this range is empty: write the lower count first");
    next->expects = true;
    return read_else(draft, cursor);
}

static apr_status_t read_each(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    int column = mouse_cursor_column(cursor);
    const char *name = mouse_cursor_name(cursor);
    int at;

    if (draft->next.each >= 0)
        return mouse_cursor_fail(cursor, "a statement has one 'each'");
    if (!name)
        return mouse_cursor_fail(cursor, "name an array parameter: '-- each: items'");
    mouse_cursor_skip(cursor, "[]");
    at = mouse_draft_param(draft, name);
    if (at < 0 || !APR_ARRAY_IDX(draft->params, at, mouse_param_t).is_array)
        return mouse_draft_fail(draft, cursor->line, column,
                                "'%s' is no array parameter of this model: declare it",
                                name);
    draft->next.each = at;
    draft->each_line = cursor->line;
    draft->each_column = column;
    return mouse_cursor_end(cursor);
}

static apr_status_t read_as(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    int column = mouse_cursor_column(cursor);
    const char *name = mouse_cursor_name(cursor);

    if (draft->next.as)
        return mouse_cursor_fail(cursor, "a statement has one 'as'");
    if (!name)
        return mouse_cursor_fail(cursor, "name the row: '-- as: o', then ':o.id' below");
    if (mouse_word_reserved(name))
        return mouse_draft_fail(draft, cursor->line, column,
                                "'%s' is a built-in word: choose another name", name);
    if (mouse_draft_as(draft, name) >= 0)
        return mouse_draft_fail(draft, cursor->line, column,
                                "'%s' already names a row: choose another name", name);
    draft->next.as = name;
    return mouse_cursor_end(cursor);
}

static bool member_taken(const mouse_draft_t *draft, const char *name)
{
    for (int i = 0; i < draft->sqls->nelts; i++) {
        const char *member = APR_ARRAY_IDX(draft->sqls, i, mouse_sql_t).member;

        if (member && strcmp(member, name) == 0)
            return true;
    }
    return false;
}

static apr_status_t read_answer(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_sql_t *next = &draft->next;
    int column = mouse_cursor_column(cursor);
    const char *name = mouse_cursor_name(cursor);

    if (draft->model->kind != MOUSE_KIND_OBJECT)
        return mouse_draft_fail(draft, cursor->line, column,
                                "'answer' makes members of an :object: this model "
                                "is of another kind");
    if (next->member)
        return mouse_cursor_fail(cursor, "a statement has one 'answer'");
    if (!name)
        return mouse_cursor_fail(cursor, "name the member: '-- answer: items :many'");
    if (member_taken(draft, name))
        return mouse_draft_fail(draft, cursor->line, column,
                                "this object already has a member '%s'", name);
    if (mouse_cursor_keyword(cursor, ":one"))
        next->member_kind = MOUSE_ANSWER_ONE;
    else if (mouse_cursor_keyword(cursor, ":many"))
        next->member_kind = MOUSE_ANSWER_MANY;
    else if (mouse_cursor_keyword(cursor, ":value"))
        next->member_kind = MOUSE_ANSWER_VALUE;
    else
        return mouse_cursor_fail(cursor, "'%s' needs its kind: :one, :many or :value",
                                 name);
    next->member = name;
    return mouse_cursor_end(cursor);
}

static apr_status_t read_rule_kind(mouse_draft_t *draft, mouse_cursor_t *cursor,
                                   mouse_column_rule_t *rule)
{
    static const struct {
        const char *word;
        mouse_column_rule_kind_t kind;
    } kinds[] = {{"bool", MOUSE_RULE_BOOL},     {"json", MOUSE_RULE_JSON},
                 {"string", MOUSE_RULE_STRING}, {"number", MOUSE_RULE_NUMBER},
                 {"hidden", MOUSE_RULE_HIDDEN}, {"status", MOUSE_RULE_STATUS}};
    size_t i;

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (mouse_cursor_keyword(cursor, kinds[i].word))
            break;
    }
    if (i == sizeof(kinds) / sizeof(kinds[0]))
        return mouse_cursor_fail(cursor,
                                 "a column is bool, json, string, number, hidden or "
                                 "status");
    if (kinds[i].kind == MOUSE_RULE_STATUS && draft->model->kind != MOUSE_KIND_ONE)
        return mouse_cursor_fail(cursor, "a status column needs a :one model");
    rule->kind = kinds[i].kind;
    return mouse_cursor_end(cursor);
}

static apr_status_t read_column(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_column_rule_t rule = {.line = cursor->line,
                                .column = mouse_cursor_column(cursor)};
    apr_status_t rv = mouse_cursor_quoted(cursor, &rule.name);

    if (rv != APR_SUCCESS)
        return rv;
    if (!rule.name)
        rule.name = mouse_cursor_name(cursor);
    if (!rule.name)
        return mouse_cursor_fail(cursor, "name a column: '-- column: active bool'");
    if (mouse_cursor_skip(cursor, ".")) {
        rule.member = rule.name;
        rule.name = mouse_cursor_name(cursor);
        if (!rule.name || draft->model->kind != MOUSE_KIND_OBJECT)
            return mouse_draft_fail(draft, rule.line, rule.column,
                                    "'member.column' names a column in a member of "
                                    "an :object");
    }
    rv = read_rule_kind(draft, cursor, &rule);
    for (int i = 0; rv == APR_SUCCESS && i < draft->rules->nelts; i++) {
        const mouse_column_rule_t *other =
            &APR_ARRAY_IDX(draft->rules, i, mouse_column_rule_t);

        if (strcmp(other->name, rule.name) == 0 && (!other->member) == (!rule.member) &&
            (!rule.member || strcmp(rule.member, other->member) == 0))
            return mouse_draft_fail(draft, rule.line, rule.column,
                                    "the column '%s' has a rule already", rule.name);
    }
    APR_ARRAY_PUSH(draft->rules, mouse_column_rule_t) = rule;
    return rv;
}

static apr_status_t read_error(mouse_draft_t *draft, mouse_cursor_t *cursor)
{
    mouse_error_rule_t rule = {.line = cursor->line, .column = mouse_cursor_column(cursor)};
    apr_status_t rv = mouse_cursor_quoted(cursor, &rule.constraint);

    if (rv == APR_SUCCESS && !rule.constraint)
        rule.constraint = mouse_cursor_run(cursor, "");
    if (rv == APR_SUCCESS && !rule.constraint)
        return mouse_cursor_fail(cursor, "name a constraint: '-- error: uniq_email 409 "
                                         "\"Address taken\" email'");
    if (rv == APR_SUCCESS)
        rv = read_status(cursor, &rule.status);
    if (rv == APR_SUCCESS)
        rv = mouse_cursor_quoted(cursor, &rule.text);
    if (rv != APR_SUCCESS)
        return rv;
    rule.parameter = mouse_cursor_name(cursor);
    APR_ARRAY_PUSH(draft->errors, mouse_error_rule_t) = rule;
    return mouse_cursor_end(cursor);
}

static const struct {
    const char *word;
    read_fn read; /* NULL: `name`, which begins a model */
    bool statement;
} annotations[] = {
    {"name", NULL, false},          {"param", mouse_param_read, false},
    {"let", mouse_let_read, false}, {"order", mouse_order_read, false},
    {"column", read_column, false}, {"error", read_error, false},
    {"each", read_each, true},      {"expect", read_expect, true},
    {"as", read_as, true},          {"answer", read_answer, true},
};

#define ANNOTATIONS ((int)(sizeof(annotations) / sizeof(annotations[0])))

static int find_annotation(mouse_slice_t word)
{
    for (int i = 0; i < ANNOTATIONS; i++) {
        if (mouse_slice_equal(word, mouse_slice_of(annotations[i].word)))
            return i;
    }
    return -1;
}

bool mouse_annotation_known(mouse_slice_t word)
{
    return find_annotation(word) >= 0;
}

mouse_slice_t mouse_annotation_word(const mouse_token_t *comment)
{
    const char *at = comment->text.data, *end = at + comment->text.len, *start;

    if (comment->text.len < 4 || at[0] != '-' || (at[2] != ' ' && at[2] != '\t'))
        return (mouse_slice_t){NULL, 0};
    for (at += 3; at < end && (*at == ' ' || *at == '\t'); at++)
        ;
    for (start = at; at < end && (islower((unsigned char)*at) || *at == '_'); at++)
        ;
    if (at == start || at == end || *at != ':')
        return (mouse_slice_t){NULL, 0};
    return (mouse_slice_t){start, (size_t)(at - start)};
}

mouse_cursor_t mouse_annotation_cursor(apr_pool_t *p, const char *file,
                                       const mouse_token_t *comment, mouse_error_t **err)
{
    mouse_slice_t word = mouse_annotation_word(comment);
    const char *end = comment->text.data + comment->text.len;

    while (end > word.data + word.len + 1 && strchr(" \t\r", end[-1]) != NULL)
        end--;
    return (mouse_cursor_t){.p = p,
                            .file = file,
                            .start = comment->text.data,
                            .at = word.data + word.len + 1,
                            .end = end,
                            .line = comment->line,
                            .column = comment->column,
                            .err = err};
}

apr_status_t mouse_annotation_read(mouse_draft_t *draft, const mouse_token_t *comment)
{
    mouse_cursor_t cursor =
        mouse_annotation_cursor(draft->p, draft->file, comment, draft->err);
    mouse_slice_t word = mouse_annotation_word(comment);
    int at = find_annotation(word);

    if (!annotations[at].statement && draft->sqls->nelts > 0)
        return mouse_draft_fail(draft, comment->line, comment->column,
                                "'%s' describes the model: move it before the first "
                                "statement",
                                annotations[at].word);
    if (annotations[at].statement)
        draft->pending = true;
    return annotations[at].read(draft, &cursor);
}
