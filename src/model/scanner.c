/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * SQL text to tokens, by the lexical rules of one dialect. A wrong guess about where a
 * string or comment ends would let a `;` or `:name` in it through, so each dialect's own
 * rules are kept to the byte: MariaDB's backslashes, `#` and `-- `, SQLite's brackets.
 */
#include "model/parse_int.h"

#include <ctype.h>
#include <strings.h>

static bool word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static char peek(const mouse_scanner_t *s, size_t ahead)
{
    return (size_t)(s->end - s->at) > ahead ? s->at[ahead] : '\0';
}

static bool mysql(const mouse_scanner_t *s)
{
    return s->dialect == MOUSE_DIALECT_MYSQL;
}

void mouse_scanner_init(mouse_scanner_t *scanner, apr_pool_t *p, const char *file,
                        mouse_slice_t text, mouse_dialect_t dialect, mouse_error_t **err)
{
    *scanner = (mouse_scanner_t){.p = p,
                                 .file = file,
                                 .dialect = dialect,
                                 .at = text.data,
                                 .end = text.data + text.len,
                                 .line_start = text.data,
                                 .line = 1,
                                 .line_empty = true,
                                 .err = err};
}

static void take(mouse_scanner_t *s, size_t n)
{
    for (; n > 0; n--, s->at++) {
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
            s->line_empty = true;
        }
    }
}

static apr_status_t refuse(mouse_scanner_t *s, const mouse_token_t *token, const char *why)
{
    return mouse_error_at(s->err, s->p, s->file, token->line, token->column, "%s", why);
}

static void skip_blanks(mouse_scanner_t *s)
{
    while (s->at < s->end && strchr(" \t\r\n\f\v", *s->at) != NULL && *s->at != '\0')
        take(s, 1);
}

static bool line_comment(const mouse_scanner_t *s)
{
    if (peek(s, 0) == '#')
        return mysql(s);
    if (peek(s, 0) != '-' || peek(s, 1) != '-')
        return false;
    return !mysql(s) || (unsigned char)peek(s, 2) <= ' ' || peek(s, 2) == 0x7F;
}

static void scan_line_comment(mouse_scanner_t *s)
{
    const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));

    s->at = end ? end : s->end;
}

static apr_status_t scan_block_comment(mouse_scanner_t *s, const mouse_token_t *token)
{
    bool executable = peek(s, 2) == '!' || (peek(s, 2) == 'M' && peek(s, 3) == '!');

    if (mysql(s) && executable)
        return refuse(s, token,
                      "an executable comment hides SQL from every check: write the SQL "
                      "itself, or put a blank behind '/*'");
    take(s, 2);
    while (s->at < s->end && !(peek(s, 0) == '*' && peek(s, 1) == '/'))
        take(s, 1);
    if (s->at == s->end)
        return refuse(s, token, "this comment has no end: close it with '*/'");
    take(s, 2);
    return APR_SUCCESS;
}

/* To the closing quote; a doubled one is a quote, a backslash escapes where said. */
static apr_status_t scan_quoted(mouse_scanner_t *s, const mouse_token_t *token, char close,
                                bool doubles, bool backslash)
{
    take(s, 1);
    while (s->at < s->end) {
        if (backslash && *s->at == '\\' && s->end - s->at > 1)
            take(s, 2);
        else if (*s->at != close)
            take(s, 1);
        else if (doubles && peek(s, 1) == close)
            take(s, 2);
        else {
            take(s, 1);
            return APR_SUCCESS;
        }
    }
    return refuse(s, token,
                  "this quote has no end: close it on the statement's side of ';'");
}

static void scan_word(mouse_scanner_t *s)
{
    while (s->at < s->end && word_byte(*s->at))
        s->at++;
    s->word_end = s->at;
}

/* Digits, hex, a fraction, an exponent. A name may begin with digits in MariaDB: then the
 * run of word bytes is one token all the same. */
static void scan_number(mouse_scanner_t *s)
{
    bool hex = peek(s, 0) == '0' && (peek(s, 1) == 'x' || peek(s, 1) == 'X');

    while (s->at < s->end && (word_byte(*s->at) || *s->at == '.')) {
        bool exponent = !hex && (*s->at == 'e' || *s->at == 'E');

        s->at++;
        if (exponent && (peek(s, 0) == '+' || peek(s, 0) == '-') &&
            isdigit((unsigned char)peek(s, 1)))
            s->at++;
    }
}

static mouse_slice_t scan_name(mouse_scanner_t *s)
{
    const char *start = s->at;

    while (s->at < s->end && name_byte(*s->at))
        s->at++;
    return (mouse_slice_t){start, (size_t)(s->at - start)};
}

/* `label: LOOP` in a compound statement, not a reference. */
static bool is_label(const mouse_scanner_t *s)
{
    static const char *const words[] = {"BEGIN", "LOOP", "REPEAT", "WHILE", "FOR"};

    if (!mysql(s) || s->word_end != s->at)
        return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t len = strlen(words[i]);

        if ((size_t)(s->end - s->at) > len && strncasecmp(s->at + 1, words[i], len) == 0 &&
            !word_byte(peek(s, len + 1)))
            return true;
    }
    return false;
}

static apr_status_t scan_ref(mouse_scanner_t *s, mouse_token_t *token)
{
    token->kind = MOUSE_TOKEN_REF;
    s->at++;
    token->word = scan_name(s);
    if (peek(s, 0) == '[' && peek(s, 1) == ']') {
        token->brackets = true;
        s->at += 2;
    }
    if (peek(s, 0) == '.' && name_start(peek(s, 1))) {
        s->at++;
        token->name = scan_name(s);
    }
    if (s->at < s->end && (word_byte(*s->at) || *s->at == '.' || *s->at == '['))
        return refuse(s, token,
                      "a reference is :name, :word.field, :array[] or :array[].field, in "
                      "ASCII letters, digits and '_'");
    return APR_SUCCESS;
}

static apr_status_t scan_at(mouse_scanner_t *s, mouse_token_t *token)
{
    if (!mysql(s) || peek(s, 1) != '@')
        return refuse(
            s, token,
            "'@' variables outlive the request on its connection: use a parameter, "
            "'-- let:' or '-- as:'");
    token->kind = MOUSE_TOKEN_SYSVAR;
    s->at += 2;
    while (s->at < s->end && (word_byte(*s->at) || *s->at == '.'))
        s->at++;
    return APR_SUCCESS;
}

static apr_status_t scan_colon(mouse_scanner_t *s, mouse_token_t *token)
{
    if (peek(s, 1) == '=')
        return refuse(s, token,
                      "':=' sets a variable that outlives the request: write '=', or keep "
                      "the value with '-- as:'");
    if (name_start(peek(s, 1)) && !is_label(s))
        return scan_ref(s, token);
    s->at += peek(s, 1) == ':' ? 2 : 1;
    return APR_SUCCESS;
}

/* A byte that begins no word, string or comment. */
static apr_status_t scan_mark(mouse_scanner_t *s, mouse_token_t *token)
{
    char c = *s->at;

    token->kind = MOUSE_TOKEN_PUNCT;
    if (c == ':')
        return scan_colon(s, token);
    if (c == '@')
        return scan_at(s, token);
    if (c == '?')
        return refuse(s, token, "'?' has no name: write ':name' and declare it");
    if (c == '*' && peek(s, 1) == '/')
        return refuse(s, token, "'*/' without '/*': comments do not nest");
    if (c == '\0' || (unsigned char)c < ' ' || c == 0x7F)
        return refuse(s, token, "a control character outside of a string: remove it");
    s->at++;
    return APR_SUCCESS;
}

static apr_status_t scan_token(mouse_scanner_t *s, mouse_token_t *token)
{
    char c = *s->at;

    if (line_comment(s)) {
        token->kind = MOUSE_TOKEN_COMMENT;
        scan_line_comment(s);
        return APR_SUCCESS;
    }
    if (c == '/' && peek(s, 1) == '*') {
        token->kind = MOUSE_TOKEN_COMMENT;
        return scan_block_comment(s, token);
    }
    if (c == '\'' || (c == '"' && mysql(s))) {
        token->kind = MOUSE_TOKEN_STRING;
        return scan_quoted(s, token, c, true, mysql(s));
    }
    if (c == '`' || c == '"' || (c == '[' && !mysql(s))) {
        token->kind = MOUSE_TOKEN_QUOTED;
        return scan_quoted(s, token, c == '[' ? ']' : c, c != '[', false);
    }
    if (c == '$' && !mysql(s))
        return refuse(s, token, "'$' parameters are SQLite's own: write ':name'");
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(s, 1)))) {
        token->kind = MOUSE_TOKEN_NUMBER;
        scan_number(s);
        return APR_SUCCESS;
    }
    if (word_byte(c)) {
        token->kind = MOUSE_TOKEN_WORD;
        scan_word(s);
        return APR_SUCCESS;
    }
    return scan_mark(s, token);
}

apr_status_t mouse_scanner_next(mouse_scanner_t *scanner, mouse_token_t *token)
{
    apr_status_t rv;

    skip_blanks(scanner);
    *token = (mouse_token_t){.text = {scanner->at, 0},
                             .line = scanner->line,
                             .column = (int)(scanner->at - scanner->line_start) + 1,
                             .leads = scanner->line_empty};
    scanner->line_empty = false;
    if (scanner->at == scanner->end)
        return APR_SUCCESS;
    rv = scan_token(scanner, token);
    token->text.len = (size_t)(scanner->at - token->text.data);
    return rv;
}

bool mouse_token_is(const mouse_token_t *token, const char *word)
{
    size_t len = strlen(word);

    return token->kind == MOUSE_TOKEN_WORD && token->text.len == len &&
           strncasecmp(token->text.data, word, len) == 0;
}

bool mouse_token_punct(const mouse_token_t *token, char c)
{
    return token->kind == MOUSE_TOKEN_PUNCT && token->text.len == 1 &&
           token->text.data[0] == c;
}
