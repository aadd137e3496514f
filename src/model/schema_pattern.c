/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * JSON Schema's regular expressions are ECMAScript's, and validators read them as Unicode
 * ones (flag u), which refuse much that PCRE2 takes as it is. Only what means the same in
 * both is told.
 */

#include "model/schema_int.h"

#include <apr_lib.h>

typedef struct reader_t {
    const char *at;
    bool quantified; /* the last thing read: a + behind it is PCRE2's own */
} reader_t;

/* \p{L}, \p{Lu}: other names differ. */
static bool skip_property(reader_t *reader)
{
    size_t len = strspn(reader->at + 1, "CLMNPSZabcdefiklmnopstu");

    if (reader->at[0] != '{' || len < 1 || len > 2 || reader->at[1 + len] != '}')
        return false;
    reader->at += len + 2;
    return true;
}

static bool skip_hex(reader_t *reader)
{
    if (!apr_isxdigit(reader->at[0]) || !apr_isxdigit(reader->at[1]))
        return false;
    reader->at += 2;
    return true;
}

/* Behind the backslash. *set: it stands for several characters. */
static bool skip_escape(reader_t *reader, bool in_class, bool *set)
{
    char c = *reader->at;

    if (!c)
        return false;
    reader->at++;
    *set = strchr("dDwWsSpP", c) != NULL;
    if (c == 'p' || c == 'P')
        return skip_property(reader);
    if (c == 'x')
        return skip_hex(reader);
    return *set || strchr("bfnrt^$\\.*+?()[]{}|/", c) || c == (in_class ? '-' : 'B');
}

/* A - behind a set is literal to PCRE2 and a mistake to ECMAScript. */
static bool skip_member(reader_t *reader, bool *set)
{
    if (reader->at[0] == '[' && reader->at[1] && strchr(":.=", reader->at[1]))
        return false;
    if (*set && reader->at[0] == '-' && reader->at[1] != ']')
        return false;
    *set = false;
    if (*reader->at++ == '\\')
        return skip_escape(reader, true, set);
    return true;
}

/* Behind the opening bracket. "[]" begins with a bracket to PCRE2. */
static bool skip_class(reader_t *reader)
{
    bool set = false;

    if (*reader->at == '^')
        reader->at++;
    if (*reader->at == ']')
        return false;
    while (*reader->at && *reader->at != ']') {
        if (!skip_member(reader, &set))
            return false;
    }
    return *reader->at++ == ']';
}

/* Behind the opening brace: {2}, {2,} and {2,5}. */
static bool skip_count(reader_t *reader)
{
    size_t digits = strspn(reader->at, "0123456789");

    reader->at += digits;
    if (*reader->at == ',')
        reader->at += 1 + strspn(reader->at + 1, "0123456789");
    return digits > 0 && *reader->at++ == '}';
}

/* Behind the opening parenthesis. */
static bool skip_group(reader_t *reader)
{
    if (*reader->at == '*')
        return false;
    if (*reader->at != '?')
        return true;
    reader->at += 2;
    if (strchr(":=!", reader->at[-1]) && reader->at[-1])
        return true;
    return reader->at[-1] == '<' && *reader->at && strchr("=!", *reader->at++);
}

static bool skip_one(reader_t *reader)
{
    bool quantified = reader->quantified, set;
    char c = *reader->at++;

    reader->quantified = strchr("*+?{", c) != NULL;
    switch (c) {
    case '\\':
        return skip_escape(reader, false, &set);
    case '[':
        return skip_class(reader);
    case '(':
        return skip_group(reader);
    case '{':
        return skip_count(reader);
    case '+':
        return !quantified;
    default:
        return c != ']' && c != '}';
    }
}

bool mouse_schema_is_portable(const char *pattern)
{
    reader_t reader = {pattern, false};

    while (*reader.at) {
        if (!skip_one(&reader))
            return false;
    }
    return true;
}
