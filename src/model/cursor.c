/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Reading a code comment item by item; each failure names the column it stands at. */

#include "model/parse_int.h"

#include <ctype.h>
#include <stdlib.h>

#include <apr_strings.h>

static void skip_blanks(mouse_cursor_t *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
        cursor->at++;
}

static bool name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int mouse_cursor_column(mouse_cursor_t *cursor)
{
    skip_blanks(cursor);
    return cursor->column + (int)(cursor->at - cursor->start);
}

apr_status_t mouse_cursor_fail(mouse_cursor_t *cursor, const char *format, ...)
{
    const char *text;
    va_list args;

    va_start(args, format);
    text = apr_pvsprintf(cursor->p, format, args);
    va_end(args);
    return mouse_error_at(cursor->err, cursor->p, cursor->file, cursor->line,
                          mouse_cursor_column(cursor), "%s", text);
}

bool mouse_cursor_done(mouse_cursor_t *cursor)
{
    skip_blanks(cursor);
    return cursor->at == cursor->end;
}

bool mouse_cursor_skip(mouse_cursor_t *cursor, const char *literal)
{
    size_t len = strlen(literal);

    skip_blanks(cursor);
    if ((size_t)(cursor->end - cursor->at) < len || memcmp(cursor->at, literal, len) != 0)
        return false;
    cursor->at += len;
    return true;
}

bool mouse_cursor_keyword(mouse_cursor_t *cursor, const char *word)
{
    const char *back = cursor->at;

    if (!mouse_cursor_skip(cursor, word))
        return false;
    if (cursor->at == cursor->end || !name_byte(*cursor->at))
        return true;
    cursor->at = back;
    return false;
}

const char *mouse_cursor_name(mouse_cursor_t *cursor)
{
    const char *start;

    skip_blanks(cursor);
    start = cursor->at;
    if (start == cursor->end || !name_byte(*start) || isdigit((unsigned char)*start))
        return NULL;
    while (cursor->at < cursor->end && name_byte(*cursor->at))
        cursor->at++;
    return apr_pstrmemdup(cursor->p, start, (apr_size_t)(cursor->at - start));
}

const char *mouse_cursor_run(mouse_cursor_t *cursor, const char *stop)
{
    const char *start;

    skip_blanks(cursor);
    start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != ' ' && *cursor->at != '\t' &&
           strchr(stop, *cursor->at) == NULL)
        cursor->at++;
    if (cursor->at == start)
        return NULL;
    return apr_pstrmemdup(cursor->p, start, (apr_size_t)(cursor->at - start));
}

apr_status_t mouse_cursor_quoted(mouse_cursor_t *cursor, const char **text)
{
    const char *at;
    char quote, *out;

    *text = NULL;
    skip_blanks(cursor);
    if (cursor->at == cursor->end || (*cursor->at != '"' && *cursor->at != '\''))
        return APR_SUCCESS;
    quote = *cursor->at;
    *text = out = apr_palloc(cursor->p, (apr_size_t)(cursor->end - cursor->at));
    for (at = cursor->at + 1; at < cursor->end; at++) {
        if (*at == quote && (at + 1 == cursor->end || at[1] != quote)) {
            *out = '\0';
            cursor->at = at + 1;
            return APR_SUCCESS;
        }
        if (*at == quote)
            at++;
        *out++ = *at;
    }
    return mouse_cursor_fail(cursor, "this quote has no end on its line: close it");
}

bool mouse_cursor_integer(mouse_cursor_t *cursor, int64_t *value)
{
    const char *start;
    char digits[24];
    size_t len;

    skip_blanks(cursor);
    start = cursor->at;
    while (cursor->at < cursor->end && isdigit((unsigned char)*cursor->at))
        cursor->at++;
    len = (size_t)(cursor->at - start);
    if (len == 0 || len > 18) {
        cursor->at = start;
        return false;
    }
    memcpy(digits, start, len);
    digits[len] = '\0';
    *value = strtoll(digits, NULL, 10);
    return true;
}

apr_status_t mouse_cursor_end(mouse_cursor_t *cursor)
{
    const char *rest;

    if (mouse_cursor_done(cursor))
        return APR_SUCCESS;
    rest = apr_pstrmemdup(cursor->p, cursor->at, (apr_size_t)(cursor->end - cursor->at));
    return mouse_cursor_fail(cursor, "'%s' is not expected here: remove it", rest);
}
