/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A file's text to models: code comments to the draft of the model they stand in, tokens
 * up to `;` to its next statement.
 */
#include "model/parse_int.h"

#include <apr_hash.h>
#include <apr_strings.h>

typedef struct parser_t {
    apr_pool_t *p;
    mouse_models_t *models;
    const char *file, *prefix;
    mouse_error_t **err;
    mouse_scanner_t scanner;
    mouse_draft_t *draft;       /* NULL before the first `-- name:` */
    apr_array_header_t *tokens; /* of the statement being read */
    bool prose;                 /* comments still belong to the summary */
} parser_t;

apr_status_t mouse_draft_fail(mouse_draft_t *draft, int line, int column,
                              const char *format, ...)
{
    const char *text;
    va_list args;

    va_start(args, format);
    text = apr_pvsprintf(draft->p, format, args);
    va_end(args);
    return mouse_error_at(draft->err, draft->p, draft->file, line, column, "%s", text);
}

int mouse_draft_param(const mouse_draft_t *draft, const char *name)
{
    for (int i = 0; i < draft->params->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(draft->params, i, mouse_param_t).name, name) == 0)
            return i;
    }
    return -1;
}

int mouse_draft_let(const mouse_draft_t *draft, const char *name)
{
    for (int i = 0; i < draft->lets->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(draft->lets, i, mouse_let_t).name, name) == 0)
            return i;
    }
    return -1;
}

int mouse_draft_as(const mouse_draft_t *draft, const char *name)
{
    for (int i = 0; i < draft->sqls->nelts; i++) {
        const char *as = APR_ARRAY_IDX(draft->sqls, i, mouse_sql_t).as;

        if (as && strcmp(as, name) == 0)
            return i;
    }
    return -1;
}

void mouse_draft_settle(mouse_draft_t *draft)
{
    mouse_model_t *model = draft->model;

    model->params = (mouse_param_t *)draft->params->elts;
    model->param_count = draft->params->nelts;
    model->lets = (mouse_let_t *)draft->lets->elts;
    model->let_count = draft->lets->nelts;
    model->orders = (mouse_order_t *)draft->orders->elts;
    model->order_count = draft->orders->nelts;
    model->rules = (mouse_column_rule_t *)draft->rules->elts;
    model->rule_count = draft->rules->nelts;
    model->errors = (mouse_error_rule_t *)draft->errors->elts;
    model->error_count = draft->errors->nelts;
    model->sqls = (mouse_sql_t *)draft->sqls->elts;
    model->sql_count = draft->sqls->nelts;
    if (draft->prose->nelts > 0)
        model->summary = apr_array_pstrcat(draft->p, draft->prose, ' ');
}

static mouse_draft_t *create_draft(parser_t *parser)
{
    apr_pool_t *p = parser->p;
    mouse_draft_t *draft = apr_pcalloc(p, sizeof(*draft));

    draft->p = p;
    draft->file = parser->file;
    draft->dialect = parser->scanner.dialect;
    draft->err = parser->err;
    draft->model = apr_pcalloc(p, sizeof(*draft->model));
    draft->params = apr_array_make(p, 8, sizeof(mouse_param_t));
    draft->fields = apr_array_make(p, 8, sizeof(apr_array_header_t *));
    draft->lets = apr_array_make(p, 2, sizeof(mouse_let_t));
    draft->orders = apr_array_make(p, 1, sizeof(mouse_order_t));
    draft->choices = apr_array_make(p, 1, sizeof(apr_array_header_t *));
    draft->rules = apr_array_make(p, 2, sizeof(mouse_column_rule_t));
    draft->errors = apr_array_make(p, 2, sizeof(mouse_error_rule_t));
    draft->sqls = apr_array_make(p, 4, sizeof(mouse_sql_t));
    draft->prose = apr_array_make(p, 2, sizeof(const char *));
    draft->next.each = -1;
    return draft;
}

/* The parameters that choose an order learn their choices. */
static void settle_orders(apr_pool_t *p, mouse_model_t *model)
{
    for (int i = 0; i < model->param_count; i++) {
        mouse_param_t *param = &model->params[i];
        const mouse_order_t *order;

        if (param->order < 0)
            continue;
        order = &model->orders[param->order];
        param->choice_count = order->count;
        param->choices = apr_palloc(p, (apr_size_t)order->count * sizeof(*param->choices));
        for (int k = 0; k < order->count; k++)
            param->choices[k] = order->choices[k].name;
        param->fallback = order->choices[0].name;
    }
}

static apr_status_t end_statement(parser_t *parser)
{
    apr_status_t rv = APR_SUCCESS;

    if (parser->tokens->nelts > 0)
        rv = mouse_statement_add(parser->draft, (mouse_token_t *)parser->tokens->elts,
                                 parser->tokens->nelts);
    apr_array_clear(parser->tokens);
    return rv;
}

static apr_status_t end_model(parser_t *parser)
{
    mouse_draft_t *draft = parser->draft;
    apr_status_t rv;

    if (!draft)
        return APR_SUCCESS;
    rv = end_statement(parser);
    if (rv == APR_SUCCESS)
        rv = mouse_finish(draft);
    if (rv != APR_SUCCESS)
        return rv;
    settle_orders(draft->p, draft->model);
    APR_ARRAY_PUSH(parser->models->list, const mouse_model_t *) = draft->model;
    apr_hash_set(parser->models->index, draft->model->name, APR_HASH_KEY_STRING,
                 draft->model);
    parser->draft = NULL;
    return APR_SUCCESS;
}

static apr_status_t begin_model(parser_t *parser, const mouse_token_t *comment)
{
    mouse_cursor_t cursor =
        mouse_annotation_cursor(parser->p, parser->file, comment, parser->err);
    apr_status_t rv = end_model(parser);
    const mouse_model_t *other;
    mouse_model_t *model;
    const char *name;

    if (rv != APR_SUCCESS)
        return rv;
    parser->draft = create_draft(parser);
    parser->prose = true;
    model = parser->draft->model;
    rv = mouse_annotation_name(&cursor, &name, &model->kind);
    if (rv != APR_SUCCESS)
        return rv;
    model->name = apr_pstrcat(parser->p, parser->prefix, "/", name, NULL);
    model->file = parser->file;
    model->line = comment->line;
    model->dialect = parser->scanner.dialect;
    other = apr_hash_get(parser->models->index, model->name, APR_HASH_KEY_STRING);
    if (other)
        return mouse_draft_fail(parser->draft, comment->line, comment->column,
                                "'%s' is already in %s, line %d: choose another name",
                                model->name, other->file, other->line);
    return APR_SUCCESS;
}

static void add_prose(parser_t *parser, const mouse_token_t *comment)
{
    const char *at = comment->text.data, *end = at + comment->text.len;

    if (!parser->draft || !parser->prose || *at != '-')
        return;
    for (at += 2; at < end && strchr(" \t", *at) != NULL; at++)
        ;
    while (end > at && strchr(" \t\r", end[-1]) != NULL)
        end--;
    if (end > at)
        APR_ARRAY_PUSH(parser->draft->prose, const char *) =
            apr_pstrmemdup(parser->p, at, (apr_size_t)(end - at));
}

static apr_status_t refuse_comment(parser_t *parser, const mouse_token_t *comment,
                                   const char *why)
{
    mouse_slice_t word = mouse_annotation_word(comment);

    return mouse_error_at(parser->err, parser->p, parser->file, comment->line,
                          comment->column, "'-- %.*s:' %s", (int)word.len, word.data, why);
}

static apr_status_t read_comment(parser_t *parser, const mouse_token_t *comment)
{
    mouse_slice_t word = mouse_annotation_word(comment);

    if (!word.data) {
        add_prose(parser, comment);
        return APR_SUCCESS;
    }
    if (!mouse_annotation_known(word))
        return refuse_comment(
            parser, comment,
            "is no code comment: it is name, param, let, order, column, "
            "error, each, expect, as or answer; begin prose with a capital "
            "or leave out the colon");
    if (!comment->leads)
        return refuse_comment(parser, comment,
                              "stands behind SQL: give it a line of its own, before the "
                              "statement it describes");
    if (mouse_slice_equal(word, MOUSE_SLICE("name")))
        return begin_model(parser, comment);
    if (!parser->draft)
        return refuse_comment(parser, comment, "stands before the first '-- name:'");
    if (parser->tokens->nelts > 0)
        return refuse_comment(parser, comment,
                              "stands inside a statement: move it before that, or end the "
                              "statement above with ';'");
    return mouse_annotation_read(parser->draft, comment);
}

/* `;` ends a statement, but not inside BEGIN NOT ATOMIC, which lasts to the model's end. */
static bool ends_statement(const parser_t *parser, const mouse_token_t *token)
{
    return mouse_token_punct(token, ';') &&
           !(parser->scanner.dialect == MOUSE_DIALECT_MYSQL &&
             mouse_statement_compound((const mouse_token_t *)parser->tokens->elts,
                                      parser->tokens->nelts));
}

static apr_status_t read_token(parser_t *parser, const mouse_token_t *token)
{
    if (token->kind == MOUSE_TOKEN_COMMENT)
        return read_comment(parser, token);
    if (!parser->draft)
        return mouse_error_at(
            parser->err, parser->p, parser->file, token->line, token->column,
            "this statement has no model: write '-- name: NAME :KIND' above "
            "it");
    parser->prose = false;
    if (ends_statement(parser, token))
        return end_statement(parser);
    APR_ARRAY_PUSH(parser->tokens, mouse_token_t) = *token;
    return APR_SUCCESS;
}

/* The text must be UTF-8 without NUL: places in it are given in bytes. */
static apr_status_t check_text(parser_t *parser, mouse_slice_t text)
{
    size_t n, bad;
    int line = 1;

    for (size_t at = 0; at < text.len; at += n) {
        n = mouse_utf8_sequence(text.data + at, text.len - at, &bad);
        if (n == 0 || text.data[at] == '\0')
            return mouse_error_at(parser->err, parser->p, parser->file, line, 0,
                                  "this line holds a byte that is no UTF-8 text: save the "
                                  "file as UTF-8");
        line += text.data[at] == '\n';
    }
    return APR_SUCCESS;
}

apr_status_t mouse_parser_run(mouse_models_t *models, const char *file, const char *prefix,
                              mouse_slice_t text, mouse_dialect_t dialect,
                              mouse_error_t **err)
{
    parser_t parser = {.p = models->p,
                       .models = models,
                       .file = apr_pstrdup(models->p, file),
                       .prefix = prefix,
                       .err = err,
                       .tokens = apr_array_make(models->p, 64, sizeof(mouse_token_t))};
    apr_status_t rv = check_text(&parser, text);
    mouse_token_t token;

    if (text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
        text = (mouse_slice_t){text.data + 3, text.len - 3};
    mouse_scanner_init(&parser.scanner, models->p, parser.file, text, dialect, err);
    while (rv == APR_SUCCESS) {
        rv = mouse_scanner_next(&parser.scanner, &token);
        if (rv == APR_SUCCESS && token.kind == MOUSE_TOKEN_END)
            return end_model(&parser);
        if (rv == APR_SUCCESS)
            rv = read_token(&parser, &token);
    }
    return rv;
}
