/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What models may not do: whatever outlives the request on its connection, ends the
 * transaction it runs in, or changes the database's own structure.
 */
#include "model/parse_int.h"

#define DDL         "structure is not changed by requests: run this with the database's own client"
#define TRANSACTION "the model is one transaction already: leave this out"
#define LOCKS       "locks outlive the request on its connection: use FOR UPDATE, or a unique key"
#define SESSION     "session settings outlive the request on its connection: leave this out"
#define FILES       "models read and write no files: leave this out"
#define DYNAMIC     "SQL that is made at run time cannot be checked: write the statement itself"
#define LAST_ID                                                                            \
    "another request may own the last id: use RETURNING, or '-- as: o' and ':o.insert_id'"

typedef struct refusal_t {
    const char *first, *second; /* second NULL: any */
    const char *why;
} refusal_t;

/* At the beginning of a statement, in a compound one of an inner one. */
static const refusal_t statements[] = {
    {"CREATE", NULL, DDL},
    {"ALTER", NULL, DDL},
    {"DROP", NULL, DDL},
    {"TRUNCATE", NULL, DDL},
    {"RENAME", NULL, DDL},
    {"REINDEX", NULL, DDL},
    {"GRANT", NULL, DDL},
    {"REVOKE", NULL, DDL},
    {"OPTIMIZE", NULL, DDL},
    {"REPAIR", NULL, DDL},
    {"VACUUM", NULL, DDL},
    {"PRAGMA", NULL, SESSION},
    {"ATTACH", NULL, SESSION},
    {"DETACH", NULL, SESSION},
    {"USE", NULL, SESSION},
    {"COMMIT", NULL, TRANSACTION},
    {"ROLLBACK", NULL, TRANSACTION},
    {"SAVEPOINT", NULL, TRANSACTION},
    {"RELEASE", NULL, TRANSACTION},
    {"START", "TRANSACTION", TRANSACTION},
    {"XA", NULL, TRANSACTION},
    {"LOCK", NULL, LOCKS},
    {"UNLOCK", NULL, LOCKS},
    {"FLUSH", NULL, LOCKS},
    {"LOAD", NULL, FILES},
    {"PREPARE", NULL, DYNAMIC},
    {"EXECUTE", NULL, DYNAMIC},
    {"DEALLOCATE", NULL, DYNAMIC},
};

static const refusal_t functions[] = {
    {"LAST_INSERT_ID", NULL, LAST_ID},  {"LAST_INSERT_ROWID", NULL, LAST_ID},
    {"GET_LOCK", NULL, LOCKS},          {"RELEASE_LOCK", NULL, LOCKS},
    {"RELEASE_ALL_LOCKS", NULL, LOCKS}, {"IS_FREE_LOCK", NULL, LOCKS},
    {"IS_USED_LOCK", NULL, LOCKS},      {"LOAD_FILE", NULL, FILES},
    {"LOAD_EXTENSION", NULL, FILES},
};

static apr_status_t fail_at(mouse_draft_t *draft, const mouse_token_t *token,
                            const char *why)
{
    return mouse_draft_fail(draft, token->line, token->column, "%.*s: %s",
                            (int)token->text.len, token->text.data, why);
}

static const char *find_statement(const mouse_token_t *tokens, int count, int i)
{
    for (size_t k = 0; k < sizeof(statements) / sizeof(statements[0]); k++) {
        if (mouse_token_is(&tokens[i], statements[k].first) &&
            (!statements[k].second ||
             (i + 1 < count && mouse_token_is(&tokens[i + 1], statements[k].second))))
            return statements[k].why;
    }
    return NULL;
}

static const char *find_function(const mouse_token_t *tokens, int count, int i)
{
    if (i + 1 >= count || !mouse_token_punct(&tokens[i + 1], '('))
        return NULL;
    for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); k++) {
        if (mouse_token_is(&tokens[i], functions[k].first))
            return functions[k].why;
    }
    return NULL;
}

static bool last_id_variable(const mouse_token_t *token)
{
    static const char *const names[] = {"identity", "last_insert_id", "insert_id"};
    mouse_token_t tail = *token;
    size_t i;

    if (token->kind != MOUSE_TOKEN_SYSVAR)
        return false;
    tail.kind = MOUSE_TOKEN_WORD;
    for (i = token->text.len;
         i > 0 && token->text.data[i - 1] != '.' && token->text.data[i - 1] != '@'; i--)
        ;
    tail.text = (mouse_slice_t){token->text.data + i, token->text.len - i};
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (mouse_token_is(&tail, names[i]))
            return true;
    }
    return false;
}

/* Anything that is refused wherever it stands. */
static apr_status_t refuse_inside(mouse_draft_t *draft, const mouse_token_t *tokens,
                                  int count)
{
    for (int i = 0; i < count; i++) {
        const char *why = find_function(tokens, count, i);

        if (!why && last_id_variable(&tokens[i]))
            why = LAST_ID;
        if (!why && i + 1 < count && mouse_statement_word(tokens, i, "INTO") &&
            (mouse_token_is(&tokens[i + 1], "OUTFILE") ||
             mouse_token_is(&tokens[i + 1], "DUMPFILE")))
            why = FILES;
        if (why)
            return fail_at(draft, &tokens[i], why);
    }
    return APR_SUCCESS;
}

/* ---- compound statements: each inner one by its first word ---- */

static bool begins_inner(const mouse_token_t *tokens, int i)
{
    static const char *const words[] = {"ATOMIC", "BEGIN", "THEN",  "ELSE",
                                        "DO",     "LOOP",  "REPEAT"};

    if (i == 0)
        return false;
    if (mouse_token_punct(&tokens[i - 1], ';'))
        return true;
    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
        if (mouse_statement_word(tokens, i - 1, words[k]))
            return true;
    }
    return false;
}

static bool same_text(const mouse_token_t *a, const mouse_token_t *b)
{
    char word[65];

    if (a->text.len >= sizeof(word))
        return false;
    memcpy(word, a->text.data, a->text.len);
    word[a->text.len] = '\0';
    return mouse_token_is(b, word);
}

/* Is it a local variable: named between a DECLARE and its ';' ? */
static bool declared(const mouse_token_t *tokens, int count, const mouse_token_t *name)
{
    bool inside = false;

    for (int i = 0; i < count; i++) {
        if (mouse_statement_word(tokens, i, "DECLARE"))
            inside = true;
        else if (mouse_token_punct(&tokens[i], ';'))
            inside = false;
        else if (inside && same_text(name, &tokens[i]))
            return true;
    }
    return false;
}

/* SET of local variables alone. */
static apr_status_t refuse_set(mouse_draft_t *draft, const mouse_token_t *tokens, int count,
                               int at)
{
    int depth = 0;

    for (int i = at; i + 1 < count && !mouse_token_punct(&tokens[i], ';'); i++) {
        bool target = i == at || (depth == 0 && mouse_token_punct(&tokens[i], ','));

        depth += mouse_token_punct(&tokens[i], '(') - mouse_token_punct(&tokens[i], ')');
        if (target && !declared(tokens, count, &tokens[i + 1]))
            return fail_at(draft, &tokens[at], SESSION " (local variables need DECLARE)");
    }
    return APR_SUCCESS;
}

static apr_status_t refuse_compound(mouse_draft_t *draft, const mouse_token_t *tokens,
                                    int count)
{
    for (int i = 3; i < count; i++) {
        const char *why;
        apr_status_t rv = APR_SUCCESS;

        if (!begins_inner(tokens, i))
            continue;
        why = find_statement(tokens, count, i);
        if (why)
            return fail_at(draft, &tokens[i], why);
        if (mouse_token_is(&tokens[i], "SET"))
            rv = refuse_set(draft, tokens, count, i);
        if (rv != APR_SUCCESS)
            return rv;
    }
    for (int i = count - 1; i > 0 && !mouse_token_punct(&tokens[i], ';'); i--) {
        if (mouse_token_is(&tokens[i], "END"))
            return APR_SUCCESS;
    }
    return mouse_draft_fail(draft, tokens[0].line, tokens[0].column,
                            "BEGIN NOT ATOMIC needs its END; it is the model's last "
                            "statement");
}

static apr_status_t refuse_verb(mouse_draft_t *draft, const mouse_token_t *tokens,
                                int count, int at)
{
    static const char *const common[] = {"SELECT", "VALUES", "INSERT", "REPLACE",
                                         "UPDATE", "DELETE", "EXPLAIN"};
    static const char *const mysql[] = {"CALL", "SHOW", "DESCRIBE", "DESC", "DO"};
    const mouse_token_t *token = &tokens[at < count ? at : 0];
    const char *why = at < count ? find_statement(tokens, count, at) : NULL;

    if (!why && at < count && mouse_token_is(token, "SET"))
        why = SESSION;
    if (!why && at < count &&
        (mouse_token_is(token, "BEGIN") || mouse_token_is(token, "END")))
        why = TRANSACTION;
    for (size_t i = 0; !why && i < sizeof(common) / sizeof(common[0]); i++) {
        if (at < count && mouse_token_is(token, common[i]))
            return APR_SUCCESS;
    }
    for (size_t i = 0; !why && i < sizeof(mysql) / sizeof(mysql[0]); i++) {
        if (at < count && draft->dialect == MOUSE_DIALECT_MYSQL &&
            mouse_token_is(token, mysql[i]))
            return APR_SUCCESS;
    }
    return fail_at(draft, token,
                   why ? why
                       : "no statement of a model begins so: write SELECT, VALUES, "
                         "INSERT, REPLACE, UPDATE, DELETE or CALL");
}

apr_status_t mouse_refuse(mouse_draft_t *draft, const mouse_token_t *tokens, int count,
                          int verb_at)
{
    bool compound =
        draft->dialect == MOUSE_DIALECT_MYSQL && mouse_statement_compound(tokens, count);
    apr_status_t rv = compound ? refuse_compound(draft, tokens, count)
                               : refuse_verb(draft, tokens, count, verb_at);

    return rv == APR_SUCCESS ? refuse_inside(draft, tokens, count) : rv;
}

/* Words that end an ORDER BY on its own level. */
static bool ends_order(const mouse_token_t *tokens, int i)
{
    static const char *const words[] = {
        "LIMIT", "OFFSET", "UNION",  "EXCEPT", "INTERSECT", "FOR",       "RETURNING",
        "ROWS",  "RANGE",  "GROUPS", "FETCH",  "SEPARATOR", "PROCEDURE", "LOCK"};

    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
        if (mouse_statement_word(tokens, i, words[k]))
            return true;
    }
    return mouse_token_punct(&tokens[i], ';');
}

bool mouse_refuse_ordered(const mouse_token_t *tokens, int i)
{
    int depth = 0; /* of groups closed before i; going outward keeps 0 */

    for (i--; i > 0; i--) {
        if (mouse_token_punct(&tokens[i], ')'))
            depth++;
        else if (mouse_token_punct(&tokens[i], '('))
            depth -= depth > 0;
        if (depth > 0)
            continue;
        if (ends_order(tokens, i))
            return false;
        if (mouse_token_is(&tokens[i], "BY") &&
            mouse_statement_word(tokens, i - 1, "ORDER"))
            return true;
    }
    return false;
}

bool mouse_refuse_term(const mouse_token_t *tokens, int count, int i)
{
    bool before = i > 0 && (mouse_token_is(&tokens[i - 1], "BY") ||
                            mouse_token_punct(&tokens[i - 1], ','));
    bool after = i + 1 == count || mouse_token_punct(&tokens[i + 1], ',') ||
                 mouse_token_punct(&tokens[i + 1], ')') || ends_order(tokens, i + 1);

    return before && after && mouse_refuse_ordered(tokens, i);
}
