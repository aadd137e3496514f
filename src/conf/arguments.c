/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The words of a directive. httpd's own splitting honours a quote only where a word begins,
 * and takes header="Location: /x" for two words without a sound; here that is a mistake.
 */
#include <apr_lib.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

static const char *split_quoted(apr_pool_t *p, const char **at, const char **word)
{
    char quote = **at;
    const char *from = *at + 1;
    char *to = apr_palloc(p, strlen(from) + 1);

    *word = to;
    while (*from && *from != quote) {
        if (from[0] == '\\' && (from[1] == quote || from[1] == '\\'))
            from++;
        *to++ = *from++;
    }
    *to = '\0';
    if (!*from)
        return apr_psprintf(p, "the closing %c is missing", quote);
    if (from[1] && !apr_isspace(from[1]))
        return apr_psprintf(p, "put a space behind the closing quote of \"%s\"", *word);
    *at = from + 1;
    return NULL;
}

static const char *split_bare(apr_pool_t *p, const char **at, const char **word)
{
    const char *end = *at;

    while (*end && !apr_isspace(*end))
        end++;
    *word = apr_pstrmemdup(p, *at, end - *at);
    *at = end;
    if (strpbrk(*word, "\"'"))
        return apr_psprintf(
            p,
            "there is a quote inside the word %s: quote the whole word, as in "
            "\"header=Location: /x\"",
            *word);
    return NULL;
}

const char *mouse_arguments_split(apr_pool_t *p, const char *line,
                                  apr_array_header_t **words)
{
    *words = apr_array_make(p, 8, sizeof(const char *));
    for (;;) {
        const char *word, *mistake;

        while (apr_isspace(*line))
            line++;
        if (!*line)
            return NULL;
        mistake = *line == '"' || *line == '\'' ? split_quoted(p, &line, &word)
                                                : split_bare(p, &line, &word);
        if (mistake)
            return mistake;
        APR_ARRAY_PUSH(*words, const char *) = word;
    }
}

const char *mouse_arguments_names(cmd_parms *cmd, const char *list,
                                  apr_array_header_t *uses)
{
    for (;;) {
        size_t len = strcspn(list, ",");
        mouse_conf_use_t *use;

        if (len == 0)
            return "there is an empty name: write names with one comma between, without "
                   "spaces";
        use = apr_array_push(uses);
        use->name = apr_pstrmemdup(cmd->pool, list, len);
        use->place = mouse_place_of(cmd);
        if (!list[len])
            return NULL;
        list += len + 1;
    }
}

/* RFC 9110, 5.6.2 */
bool mouse_arguments_token(const char *name)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    const char *at = name;

    while (*at && (apr_isalnum(*at) || strchr(marks, *at)))
        at++;
    return at > name && !*at;
}

const char *mouse_arguments_value(const char *word, const char *name)
{
    size_t len = strlen(name);

    return strncmp(word, name, len) == 0 && word[len] == '=' ? word + len + 1 : NULL;
}

/* "status=" of status=201, all of a word without a value. */
static size_t key_length(const char *word)
{
    size_t len = strcspn(word, "=");

    return word[len] ? len + 1 : len;
}

static bool is_repeatable(const char *const *repeatable, const char *word, size_t len)
{
    for (; repeatable && *repeatable; repeatable++) {
        if (strlen(*repeatable) == len && strncmp(*repeatable, word, len) == 0)
            return true;
    }
    return false;
}

const char *mouse_arguments_twice(apr_pool_t *p, const apr_array_header_t *words, int first,
                                  const char *const *repeatable)
{
    for (int i = first; i < words->nelts; i++) {
        const char *word = MOUSE_WORD(words, i);
        size_t len = key_length(word);

        for (int k = first; k < i; k++) {
            const char *other = MOUSE_WORD(words, k);

            if (key_length(other) == len && strncmp(word, other, len) == 0 &&
                !is_repeatable(repeatable, word, len))
                return apr_psprintf(p, "\"%.*s\" is given twice: remove one of the two",
                                    (int)len, word);
        }
    }
    return NULL;
}
