/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The driver for MariaDB and MySQL: sessions, transactions, and its row in the list.
 * Statements are in mysql_stmt.c, values in mysql_value.c, waiting in mysql_wait.c.
 */

#include "db/mysql_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <apr_strings.h>

/* ---- text statements ---- */

static apr_status_t fail(mouse_conn_t *conn)
{
    MYSQL *my = mouse_mysql(conn)->native;

    return mouse_mysql_fault(conn, mysql_errno(my), mysql_sqlstate(my), mysql_error(my));
}

/* The whole result; NULL: a fault is set. Free it with mysql_free_result. */
static MYSQL_RES *query_rows(mouse_conn_t *conn, const char *sql)
{
    MYSQL *my = mouse_mysql(conn)->native;
    MYSQL_RES *result = NULL;

    mouse_mysql_enter(conn);
    if (mysql_query(my, sql) == 0)
        result = mysql_store_result(my);
    mouse_mysql_leave(conn);
    if (!result)
        fail(conn);
    return result;
}

apr_status_t mouse_mysql_query(mouse_conn_t *conn, const char *sql)
{
    int failed;

    mouse_mysql_enter(conn);
    failed = mysql_query(mouse_mysql(conn)->native, sql);
    mouse_mysql_leave(conn);
    return failed ? fail(conn) : APR_SUCCESS;
}

/* ---- sessions ---- */

/* Lock waits end early enough for the whole transaction to be tried again. */
static int lock_wait_seconds(apr_interval_time_t timeout)
{
    int seconds = (int)apr_time_sec(timeout / 4);

    return seconds > 1 ? seconds : 1;
}

static const char *session_sql(mouse_conn_t *conn)
{
    apr_interval_time_t timeout = conn->config->timeout;
    int lock_wait = lock_wait_seconds(timeout);
    const char *limit =
        mariadb_connection(mouse_mysql(conn)->native)
            ? apr_psprintf(conn->pool, "max_statement_time=%" APR_TIME_T_FMT ".%06d",
                           apr_time_sec(timeout), (int)apr_time_usec(timeout))
            : apr_psprintf(conn->pool, "max_execution_time=%" APR_TIME_T_FMT,
                           apr_time_as_msec(timeout));

    return apr_psprintf(conn->pool,
                        "SET NAMES utf8mb4, time_zone='+00:00', lc_messages='en_US', "
                        "sql_mode='STRICT_ALL_TABLES,STRICT_TRANS_TABLES,"
                        "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
                        "group_concat_max_len=67108864, innodb_lock_wait_timeout=%d, "
                        "lock_wait_timeout=%d, %s",
                        lock_wait, lock_wait, limit);
}

/* Which server this is, and which of its connections: what a cancel must know. */
static apr_status_t identify(mouse_conn_t *conn)
{
    mouse_mysql_t *mysql = mouse_mysql(conn);
    bool mariadb = mariadb_connection(mysql->native);
    MYSQL_RES *result = query_rows(conn, mariadb ? "SELECT CONNECTION_ID(), @@server_uid"
                                                 : "SELECT CONNECTION_ID(), @@server_uuid");
    MYSQL_ROW row;

    if (!result && conn->doubtful)
        return APR_EGENERAL;
    if (!result) /* too old to have a name: works, without cancelling */
        return APR_SUCCESS;
    row = mysql_fetch_row(result);
    if (row && row[0] && row[1]) {
        mysql->session = strtoull(row[0], NULL, 10);
        mysql->server = apr_pstrdup(conn->pool, row[1]);
    }
    mysql_free_result(result);
    return APR_SUCCESS;
}

static apr_status_t open_session(mouse_conn_t *conn)
{
    mouse_mysql_t *mysql = apr_pcalloc(conn->pool, sizeof(*mysql));
    my_bool reconnect = 0;
    unsigned infile = 0;

    mysql->native = conn->native;
    conn->state = mysql;
    mysql_options(mysql->native, MYSQL_OPT_RECONNECT, &reconnect);
    mysql_options(mysql->native, MYSQL_OPT_LOCAL_INFILE, &infile);
    mouse_mysql_watch(mysql->native);
    if (mouse_mysql_secure(conn) != APR_SUCCESS)
        return APR_EGENERAL;
    if (mouse_mysql_query(conn, session_sql(conn)) != APR_SUCCESS)
        return APR_EGENERAL;
    return identify(conn);
}

/* A connection in doubt may hold an unread result: its end must not wait for the server. */
static void close_session(mouse_conn_t *conn)
{
    if (conn->doubtful && conn->native)
        shutdown((int)mysql_get_socket(conn->native), SHUT_RDWR);
}

static apr_status_t ping(mouse_conn_t *conn)
{
    int failed;

    mouse_mysql_enter(conn);
    failed = mysql_ping(mouse_mysql(conn)->native);
    mouse_mysql_leave(conn);
    return failed ? fail(conn) : APR_SUCCESS;
}

/* ---- transactions ---- */

static const char begin_read[] = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

/* A statement as those of models are sent, with the request's mark. sql: the longest is
 * begin_read. */
static apr_status_t run_verb(mouse_conn_t *conn, const char *sql)
{
    const mouse_slice_t *mark = mouse_conn_mark(conn);
    char text[sizeof(begin_read) + MOUSE_MARK_MAX];

    if (!mark)
        return mouse_mysql_query(conn, sql);
    apr_snprintf(text, sizeof(text), "%s%.*s", sql, (int)mark->len, mark->data);
    return mouse_mysql_query(conn, text);
}

static apr_status_t begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    return run_verb(conn, kind == MOUSE_TX_READ ? begin_read : "START TRANSACTION");
}

static apr_status_t commit(mouse_conn_t *conn)
{
    return run_verb(conn, "COMMIT");
}

static apr_status_t rollback(mouse_conn_t *conn)
{
    return run_verb(conn, "ROLLBACK");
}

static bool in_transaction(mouse_conn_t *conn)
{
    return (mouse_mysql(conn)->native->server_status & SERVER_STATUS_IN_TRANS) != 0;
}

/* ---- MOUSE_CHECK's questions ---- */

static bool is_word(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/* Is the table's name a word of the statement? */
static bool names_table(mouse_slice_t sql, const char *table)
{
    size_t len = strlen(table), i;

    for (i = 0; len > 0 && i + len <= sql.len; i++) {
        if (strncasecmp(sql.data + i, table, len) == 0 &&
            (i == 0 || !is_word((unsigned char)sql.data[i - 1])) &&
            (i + len == sql.len || !is_word((unsigned char)sql.data[i + len])))
            return true;
    }
    return false;
}

static const char *nontransactional(mouse_conn_t *conn, apr_pool_t *p, mouse_slice_t sql)
{
    MYSQL_RES *result =
        query_rows(conn, "SELECT t.table_name, t.engine FROM information_schema.tables t "
                         "JOIN information_schema.engines e ON e.engine = t.engine "
                         "WHERE t.table_schema = DATABASE() AND e.transactions <> 'YES' "
                         "ORDER BY t.table_name");
    const char *list = NULL;
    MYSQL_ROW row;

    while (result && (row = mysql_fetch_row(result)))
        if (names_table(sql, row[0]))
            list = apr_pstrcat(p, list ? list : "", list ? ", " : "", row[0], " (", row[1],
                               ")", NULL);
    mysql_free_result(result);
    return list;
}

static int limit(mouse_conn_t *conn)
{
    MYSQL_RES *result = query_rows(conn, "SELECT @@max_connections");
    MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
    int connections = row && row[0] ? atoi(row[0]) : 0;

    mysql_free_result(result);
    return connections;
}

const mouse_driver_t mouse_driver_mysql = {
    .name = "mysql",
    .dialect = MOUSE_DIALECT_MYSQL,
    .marks = true,
    .check = mouse_mysql_check,
    .open = open_session,
    .params = mouse_mysql_params,
    .probe = mouse_mysql_probe,
    .close = close_session,
    .ping = ping,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .in_transaction = in_transaction,
    .prepare = mouse_mysql_prepare,
    .run = mouse_mysql_run,
    .next = mouse_mysql_next,
    .finish = mouse_mysql_finish,
    .unprepare = mouse_mysql_unprepare,
    .never_null = mouse_mysql_never_null,
    .nontransactional = nontransactional,
    .limit = limit,
    .share = mouse_mysql_share,
    .reserve = mouse_mysql_reserve,
};
