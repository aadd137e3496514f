/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * SQLite: which columns of a result can never be NULL. SQLite tells from which column of
 * which table a result's column comes, and whether that one is NOT NULL; what it does not
 * tell is whether the statement may answer NULL in its place. Statements that might are
 * known by their words: in doubt there are more of them than need be.
 */

#include "db/sqlite_int.h"

#include <string.h>

#include <apr_lib.h>

static bool is_word_char(char c)
{
    return apr_isalnum(c) || c == '_';
}

/* How often does this keyword, in upper case, stand in the text? */
static int count_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    int count = 0;

    for (const char *at = text; *at; at++) {
        if ((at == text || !is_word_char(at[-1])) && strncasecmp(at, word, len) == 0 &&
            !is_word_char(at[len]))
            count++;
    }
    return count;
}

static bool has_any(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (count_word(text, *words) > 0)
            return true;
    }
    return false;
}

/* An outer join has rows of NULLs, a sub-select may have no row, and so may the group that
 * an aggregate without GROUP BY makes. */
static bool may_answer_null(const char *sql)
{
    static const char *const outer[] = {"LEFT", "RIGHT", "FULL", NULL};
    static const char *const aggregates[] = {"COUNT",
                                             "SUM",
                                             "TOTAL",
                                             "AVG",
                                             "MIN",
                                             "MAX",
                                             "JSON_GROUP_ARRAY",
                                             "JSON_GROUP_OBJECT",
                                             "STRING_AGG",
                                             "GROUP_CONCAT",
                                             NULL};

    return count_word(sql, "SELECT") > 1 || has_any(sql, outer) ||
           (has_any(sql, aggregates) && count_word(sql, "GROUP") == 0);
}

/* NOT NULL, or INTEGER PRIMARY KEY, which is the row's number. */
static bool is_declared(sqlite3 *native, const char *schema, const char *table,
                        const char *column)
{
    const char *type = NULL;
    int not_null = 0, key = 0;

    if (sqlite3_table_column_metadata(native, schema, table, column, &type, NULL, &not_null,
                                      &key, NULL) != SQLITE_OK)
        return false;
    return not_null || (key && type && strcasecmp(type, "INTEGER") == 0);
}

bool mouse_sqlite_never_null(mouse_stmt_t *stmt, int i)
{
    sqlite3_stmt *native = stmt->native;
    const char *table = sqlite3_column_table_name(native, i);
    const char *column = sqlite3_column_origin_name(native, i);

    if (!table || !column || may_answer_null(sqlite3_sql(native)))
        return false;
    return is_declared(sqlite3_db_handle(native), sqlite3_column_database_name(native, i),
                       table, column);
}
