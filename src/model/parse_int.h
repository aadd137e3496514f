/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * model, the parser's inside: tokens, the cursor in a code comment, a model being built.
 * Nothing here outlives the start of the server. Include only in the parser's files.
 */
#ifndef MOUSE_PARSE_INT_H
#define MOUSE_PARSE_INT_H

#include <stdarg.h>

#include "model/model_int.h"

/* ---- the scanner: scanner.c ---- */

typedef enum {
    MOUSE_TOKEN_END,
    MOUSE_TOKEN_WORD,   /* a bare word: keyword or identifier */
    MOUSE_TOKEN_QUOTED, /* a quoted identifier (SQLite's ".." too) */
    MOUSE_TOKEN_STRING,
    MOUSE_TOKEN_NUMBER,
    MOUSE_TOKEN_PUNCT,  /* one byte, or "::" */
    MOUSE_TOKEN_SYSVAR, /* @@name */
    MOUSE_TOKEN_REF,    /* :word, :word.name, :word[], :word[].name */
    MOUSE_TOKEN_COMMENT
} mouse_token_kind_t;

typedef struct mouse_token_t {
    mouse_token_kind_t kind;
    mouse_slice_t text; /* as written; of a line comment without its line end */
    int line, column;
    bool leads;               /* the first token on its line */
    mouse_slice_t word, name; /* REF: "items", "qty" */
    bool brackets;            /* REF: [] behind the word */
} mouse_token_t;

typedef struct mouse_scanner_t {
    apr_pool_t *p;
    const char *file;
    mouse_dialect_t dialect;
    const char *at, *end;
    const char *line_start;
    int line;
    bool line_empty;      /* nothing but blanks on this line so far */
    const char *word_end; /* where the last word ended: "label:" */
    mouse_error_t **err;
} mouse_scanner_t;

/* At the beginning of text, which must outlive the tokens: they refer to it. */
void mouse_scanner_init(mouse_scanner_t *scanner, apr_pool_t *p, const char *file,
                        mouse_slice_t text, mouse_dialect_t dialect, mouse_error_t **err);

/* The next token; comments are tokens. Refuses what no model may hold in any place. */
apr_status_t mouse_scanner_next(mouse_scanner_t *scanner, mouse_token_t *token);

/* Is this token the bare word `word` (ASCII, any case)? */
bool mouse_token_is(const mouse_token_t *token, const char *word);
bool mouse_token_punct(const mouse_token_t *token, char c);

/* ---- the cursor: cursor.c ---- */

/* Reads one code comment; blanks are skipped before each item. */
typedef struct mouse_cursor_t {
    apr_pool_t *p;
    const char *file;
    const char *start, *at, *end;
    int line, column; /* of start */
    mouse_error_t **err;
} mouse_cursor_t;

/* Of the next item, from 1. */
int mouse_cursor_column(mouse_cursor_t *cursor);
/* MOUSE_E_CONFIG there. */
apr_status_t mouse_cursor_fail(mouse_cursor_t *cursor, const char *format, ...)
    MOUSE_PRINTF(2, 3);
/* Is nothing left? */
bool mouse_cursor_done(mouse_cursor_t *cursor);
/* Takes the literal, a whole word, when it is next. */
bool mouse_cursor_skip(mouse_cursor_t *cursor, const char *literal);
bool mouse_cursor_keyword(mouse_cursor_t *cursor, const char *word);
/* A name ([A-Za-z_][A-Za-z0-9_]*), or NULL. */
const char *mouse_cursor_name(mouse_cursor_t *cursor);
/* A run without blanks and without the bytes in `stop`, or NULL when it is empty. */
const char *mouse_cursor_run(mouse_cursor_t *cursor, const char *stop);
/* '..' or "..", quotes doubled inside. *text NULL: not a quote here. */
apr_status_t mouse_cursor_quoted(mouse_cursor_t *cursor, const char **text);
bool mouse_cursor_integer(mouse_cursor_t *cursor, int64_t *value);
/* The end of the comment must be here. */
apr_status_t mouse_cursor_end(mouse_cursor_t *cursor);

/* ---- a model being built ---- */

typedef struct mouse_draft_t {
    apr_pool_t *p;
    const char *file;
    mouse_dialect_t dialect;
    mouse_error_t **err;
    mouse_model_t *model;
    apr_array_header_t *params; /* of mouse_param_t */
    apr_array_header_t *fields; /* per parameter: an array of mouse_param_t, or NULL */
    apr_array_header_t *lets, *orders, *choices, *rules, *errors, *sqls;
    apr_array_header_t *prose; /* of const char *: the summary's lines */
    mouse_sql_t next;          /* what the comments before a statement say of it */
    bool pending;              /* they said something */
    int each_line, each_column;
} mouse_draft_t;

/* MOUSE_E_CONFIG at this place of the draft's file. */
apr_status_t mouse_draft_fail(mouse_draft_t *draft, int line, int column,
                              const char *format, ...) MOUSE_PRINTF(4, 5);

/* Points the model's arrays at what the draft has collected: parser.c. */
void mouse_draft_settle(mouse_draft_t *draft);

/* The index of the parameter, the let, the statement with this `as`; -1: none. */
int mouse_draft_param(const mouse_draft_t *draft, const char *name);
int mouse_draft_let(const mouse_draft_t *draft, const char *name);
int mouse_draft_as(const mouse_draft_t *draft, const char *name);

/* ---- code comments ---- */

/* Is this comment code, `-- word: ...`? The word, or data NULL: prose. annotation.c */
mouse_slice_t mouse_annotation_word(const mouse_token_t *comment);
/* Is there an annotation of this word? */
bool mouse_annotation_known(mouse_slice_t word);
/* Behind the word of a comment that is code. */
mouse_cursor_t mouse_annotation_cursor(apr_pool_t *p, const char *file,
                                       const mouse_token_t *comment, mouse_error_t **err);
/* `-- name:` of a new model: its name and kind. */
apr_status_t mouse_annotation_name(mouse_cursor_t *cursor, const char **name,
                                   mouse_kind_t *kind);
/* Any other, which is known: into the draft. */
apr_status_t mouse_annotation_read(mouse_draft_t *draft, const mouse_token_t *comment);

/* The rest of `-- param:` into the draft: param.c. */
apr_status_t mouse_param_read(mouse_draft_t *draft, mouse_cursor_t *cursor);
/* Behind `hash` of a parameter or let: the kind and, where it has one, the cost. param.c */
apr_status_t mouse_hash_read(mouse_cursor_t *cursor, mouse_hash_t *hash, int *cost);
/* The rest of `-- let:` and `-- order:` into the draft: let.c. */
apr_status_t mouse_let_read(mouse_draft_t *draft, mouse_cursor_t *cursor);
apr_status_t mouse_order_read(mouse_draft_t *draft, mouse_cursor_t *cursor);

/* The range behind a type, in(..) and match(/../), where they stand: constraint.c. */
apr_status_t mouse_constraint_read(mouse_cursor_t *cursor, mouse_param_t *param);
apr_status_t mouse_constraint_more(mouse_cursor_t *cursor, mouse_param_t *param);
/* Does a declaration fit together? Fails at its place: constraint.c. */
apr_status_t mouse_param_check(mouse_draft_t *draft, const mouse_param_t *param);

/* `(low..high)`, the parenthesis taken: bounds.c. number: ends may have a fraction, and
 * only their text is kept; natural: none below 0. */
apr_status_t mouse_bounds_read(mouse_cursor_t *cursor, mouse_bounds_t *bounds, bool number,
                               bool natural);

/* ---- statements ---- */

/* Adds the statement that these tokens (no comments) are: statement.c. */
apr_status_t mouse_statement_add(mouse_draft_t *draft, const mouse_token_t *tokens,
                                 int count);
/* Do they begin with BEGIN NOT ATOMIC? */
bool mouse_statement_compound(const mouse_token_t *tokens, int count);
/* The word at i, no column or table name (behind a dot)? */
bool mouse_statement_word(const mouse_token_t *tokens, int i, const char *word);

/* Refuses what models may not do: refuse.c. */
apr_status_t mouse_refuse(mouse_draft_t *draft, const mouse_token_t *tokens, int count,
                          int verb_at);
/* Is the token at i inside an ORDER BY? */
bool mouse_refuse_ordered(const mouse_token_t *tokens, int i);
/* Is it a whole term of an ORDER BY, as an order's reference must be? */
bool mouse_refuse_term(const mouse_token_t *tokens, int count, int i);

/* What the reference at tokens[i] means: resolve.c. */
apr_status_t mouse_resolve(mouse_draft_t *draft, const mouse_sql_t *sql,
                           const mouse_token_t *tokens, int count, int i, mouse_ref_t *ref);

/* The rules of a whole model, once its last statement is in: finish.c. */
apr_status_t mouse_finish(mouse_draft_t *draft);

/* ---- the set ---- */

struct mouse_models_t {
    apr_pool_t *p;
    apr_array_header_t *list; /* of const mouse_model_t * */
    struct apr_hash_t *index;
};

/* Empty: models.c. */
mouse_models_t *mouse_models_create(apr_pool_t *p);
/* Adds a file's models: parser.c. */
apr_status_t mouse_parser_run(mouse_models_t *models, const char *file, const char *prefix,
                              mouse_slice_t text, mouse_dialect_t dialect,
                              mouse_error_t **err);

#endif
