/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * SQLite: which columns of a result can never be NULL. SQLite tells from which column of
 * which table a result's column comes, through views and sub-selects, and whether that one
 * is NOT NULL; what it does not tell is whether the statement may answer NULL in its place.
 * Statements that might are known by their words: in doubt there are more of them than need
 * be.
 */

#include "db/sqlite_int.h"

#include <string.h>

#include <apr_lib.h>

/* ---- the words of a statement ---- */

enum {
    SELECT = 1,
    SELECTS = 2, /* more than one: a sub-select may have no row */
    OUTER = 4,   /* a join with rows of NULLs */
    UNION = 8,   /* columns are named after those of the first part only */
    AGGREGATE = 16,
    GROUPED = 32 /* else an aggregate makes a group even of no row */
};

static const struct {
    const char *word;
    int sign;
} signs[] = {
    {"SELECT", SELECT},
    {"LEFT", OUTER},
    {"RIGHT", OUTER},
    {"FULL", OUTER},
    {"UNION", UNION},
    {"AVG", AGGREGATE},
    {"COUNT", AGGREGATE},
    {"GROUP_CONCAT", AGGREGATE},
    {"JSONB_GROUP_ARRAY", AGGREGATE},
    {"JSONB_GROUP_OBJECT", AGGREGATE},
    {"JSON_GROUP_ARRAY", AGGREGATE},
    {"JSON_GROUP_OBJECT", AGGREGATE},
    {"MAX", AGGREGATE},
    {"MEDIAN", AGGREGATE},
    {"MIN", AGGREGATE},
    {"PERCENTILE", AGGREGATE},
    {"PERCENTILE_CONT", AGGREGATE},
    {"PERCENTILE_DISC", AGGREGATE},
    {"STRING_AGG", AGGREGATE},
    {"SUM", AGGREGATE},
    {"TOTAL", AGGREGATE},
};

static bool is_word_char(char c)
{
    return apr_isalnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Behind what is quoted or a comment, if that begins here. A quote written twice makes two
 * quoted texts of one, which is as good. */
static const char *skip_hidden(const char *at)
{
    static const struct {
        const char *begin, *end;
    } hidden[] = {{"'", "'"}, {"\"", "\""}, {"`", "`"},
                  {"[", "]"}, {"--", "\n"}, {"/*", "*/"}};

    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        size_t len = strlen(hidden[i].begin);
        const char *end;

        if (strncmp(at, hidden[i].begin, len) != 0)
            continue;
        end = strstr(at + len, hidden[i].end);
        return end ? end + strlen(hidden[i].end) : at + strlen(at);
    }
    return at;
}

/* The next bare word; length 0: there is none. */
static mouse_slice_t next_word(const char **at)
{
    const char *start = *at, *end;

    while (*start && !is_word_char(*start)) {
        const char *behind = skip_hidden(start);

        start = behind > start ? behind : start + 1;
    }
    for (end = start; is_word_char(*end); end++)
        continue;
    *at = end;
    return (mouse_slice_t){start, (size_t)(end - start)};
}

static bool is_word(mouse_slice_t word, const char *text)
{
    return word.len == strlen(text) && strncasecmp(word.data, text, word.len) == 0;
}

static int find_sign(mouse_slice_t word)
{
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (is_word(word, signs[i].word))
            return signs[i].sign;
    }
    return 0;
}

static int read_signs(const char *sql)
{
    int seen = 0;
    mouse_slice_t word, last = {"", 0};

    for (; (word = next_word(&sql)).len > 0; last = word) {
        int sign = find_sign(word);

        seen |= sign == SELECT && (seen & SELECT) ? SELECTS : sign;
        if (is_word(last, "GROUP") && is_word(word, "BY"))
            seen |= GROUPED;
    }
    return seen;
}

static bool may_answer_null(const char *sql)
{
    int seen = read_signs(sql);

    return (seen & (SELECTS | OUTER | UNION)) || ((seen & AGGREGATE) && !(seen & GROUPED));
}

/* ---- the schema ---- */

/* Does the question, a SELECT with a place for the text, have a row? In doubt: yes. */
static bool has_row(sqlite3 *native, const char *question, const char *schema,
                    const char *text)
{
    char *sql = sqlite3_mprintf(question, schema);
    sqlite3_stmt *stmt = NULL;
    bool yes = true;

    if (sql && sqlite3_prepare_v2(native, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC) == SQLITE_OK)
        yes = sqlite3_step(stmt) != SQLITE_DONE;
    sqlite3_finalize(stmt);
    sqlite3_free(sql);
    return yes;
}

/* Does the statement name a view, which hides joins? It lies beside its tables, or it is a
 * temporary one. */
static bool names_view(sqlite3 *native, const char *schema, const char *sql)
{
    return has_row(native,
                   "SELECT 1 FROM (SELECT type, name FROM \"%w\".sqlite_master UNION ALL "
                   "SELECT type, name FROM sqlite_temp_master) "
                   "WHERE type = 'view' AND instr(lower(?), lower(name)) > 0",
                   schema, sql);
}

/* Is it the row's number? Not each INTEGER in a PRIMARY KEY is. */
static bool is_rowid(sqlite3 *native, const char *schema, const char *table,
                     const char *column)
{
    char *sql = sqlite3_mprintf("SELECT rowid FROM \"%w\".\"%w\"", schema, table);
    sqlite3_stmt *stmt = NULL;
    const char *origin = NULL;
    bool same;

    if (sql && sqlite3_prepare_v2(native, sql, -1, &stmt, NULL) == SQLITE_OK)
        origin = sqlite3_column_origin_name(stmt, 0);
    same = origin && strcasecmp(origin, column) == 0;
    sqlite3_finalize(stmt);
    sqlite3_free(sql);
    return same;
}

static bool is_declared(sqlite3 *native, const char *schema, const char *table,
                        const char *column)
{
    int not_null = 0, key = 0;

    if (sqlite3_table_column_metadata(native, schema, table, column, NULL, NULL, &not_null,
                                      &key, NULL) != SQLITE_OK)
        return false;
    return not_null || (key && is_rowid(native, schema, table, column));
}

bool mouse_sqlite_never_null(mouse_stmt_t *stmt, int i)
{
    sqlite3 *native = sqlite3_db_handle(stmt->native);
    const char *schema = sqlite3_column_database_name(stmt->native, i);
    const char *table = sqlite3_column_table_name(stmt->native, i);
    const char *column = sqlite3_column_origin_name(stmt->native, i);
    const char *sql = sqlite3_sql(stmt->native);

    return schema && table && column && is_declared(native, schema, table, column) &&
           !may_answer_null(sql) && !names_view(native, schema, sql);
}
