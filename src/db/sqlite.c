/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The SQLite driver: sessions, transactions and statements on the handle that apr_dbd
 * opened. A statement takes its first step when it is run, so that what it refuses and
 * changes is known then; one row is held back for it.
 */

#include "db/sqlite_int.h"

#include <apr_strings.h>

/* stmt->state. */
typedef struct sqlite_run_t {
    mouse_value_t *row;
    int width;      /* of row */
    int reprepared; /* how often SQLite had prepared it again when columns were described */
    bool writes;
    bool pending; /* a row was stepped to, and not given out */
    bool done;
    bool failed;           /* and said so */
    sqlite3_int64 changes; /* of the connection in all, before this run */
} sqlite_run_t;

/* ---- parameters ---- */

static apr_status_t check(apr_pool_t *p, const mouse_db_config_t *config,
                          mouse_error_t **err)
{
    if (!config->params || config->params[0] != '/')
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "the database \"%s\" needs the absolute path of its file, as "
            "/var/lib/shop/shop.db",
            config->name);
    if (config->password)
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "the database \"%s\" is a file of SQLite, which takes no "
                               "password",
                               config->name);
    if (config->tls_required)
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "the database \"%s\" is a file of SQLite: there is no way to "
            "it for tls=required to guard",
            config->name);
    return APR_SUCCESS;
}

/* file:PATH?mode=rw, with everything that means something in a URI encoded. */
static const char *params(apr_pool_t *p, const mouse_db_config_t *config)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-._~/";
    static const char hex[] = "0123456789ABCDEF";
    const char *path = config->params;
    char *uri = apr_palloc(p, strlen(path) * 3 + sizeof("file:?mode=rw"));
    char *out = uri + 5;

    memcpy(uri, "file:", 5);
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;

        if (strchr(plain, c)) {
            *out++ = (char)c;
            continue;
        }
        *out++ = '%';
        *out++ = hex[c >> 4];
        *out++ = hex[c & 15];
    }
    memcpy(out, "?mode=rw", sizeof("?mode=rw"));
    return uri;
}

/* ---- sessions ---- */

static apr_status_t execute(mouse_conn_t *conn, const char *sql)
{
    int code = sqlite3_exec(conn->native, sql, NULL, NULL, NULL);

    return code == SQLITE_OK ? APR_SUCCESS : mouse_sqlite_fault(conn, code);
}

static apr_status_t prepare_verbs(mouse_conn_t *conn)
{
    static const char *const texts[] = {
        [MOUSE_SQLITE_BEGIN_READ] = "BEGIN",
        [MOUSE_SQLITE_BEGIN_WRITE] = "BEGIN IMMEDIATE",
        [MOUSE_SQLITE_COMMIT] = "COMMIT",
        [MOUSE_SQLITE_ROLLBACK] = "ROLLBACK",
    };
    mouse_sqlite_t *state = conn->state;

    for (int i = 0; i < MOUSE_SQLITE_VERBS; i++) {
        int code = sqlite3_prepare_v3(conn->native, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                      &state->verbs[i], NULL);

        if (code != SQLITE_OK)
            return mouse_sqlite_fault(conn, code);
    }
    return APR_SUCCESS;
}

/* A connection outside a pool only looks: the file's journal mode stays as it is. */
static apr_status_t open_session(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = apr_pcalloc(conn->pool, sizeof(*state));

    conn->state = state;
    pthread_cond_init(&state->writer.wake, NULL);
    sqlite3_extended_result_codes(conn->native, 1);
    mouse_sqlite_start(conn);
    mouse_sqlite_watch(conn);
    if (conn->shared && execute(conn, "PRAGMA journal_mode=WAL") != APR_SUCCESS)
        return APR_EGENERAL;
    if (execute(conn, "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL; "
                      "SELECT 1 FROM sqlite_schema LIMIT 1") != APR_SUCCESS)
        return APR_EGENERAL;
    return prepare_verbs(conn);
}

static void close_session(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;

    if (!state)
        return;
    for (int i = 0; i < MOUSE_SQLITE_VERBS; i++)
        sqlite3_finalize(state->verbs[i]);
    if (!sqlite3_get_autocommit(conn->native))
        sqlite3_exec(conn->native, "ROLLBACK", NULL, NULL, NULL);
    mouse_sqlite_leave(conn);
    sqlite3_progress_handler(conn->native, 0, NULL, NULL);
    sqlite3_busy_handler(conn->native, NULL, NULL);
    pthread_cond_destroy(&state->writer.wake);
    conn->state = NULL;
}

/* Nothing can have happened to the connection, but another file may be in its place. */
static apr_status_t ping(mouse_conn_t *conn)
{
    int moved = 0;

    sqlite3_file_control(conn->native, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (!moved)
        return APR_SUCCESS;
    return mouse_fault_set(conn, MOUSE_FAULT_LOST, SQLITE_READONLY_DBMOVED, NULL,
                           sqlite3_errstr(SQLITE_READONLY_DBMOVED));
}

/* ---- transactions ---- */

static apr_status_t run_verb(mouse_conn_t *conn, mouse_sqlite_verb_t verb)
{
    mouse_sqlite_t *state = conn->state;
    apr_status_t status = APR_SUCCESS;
    int code;

    mouse_sqlite_start(conn);
    code = sqlite3_step(state->verbs[verb]);
    if (code != SQLITE_DONE)
        status = mouse_sqlite_fault(conn, code);
    sqlite3_reset(state->verbs[verb]);
    return status;
}

static apr_status_t begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    if (kind == MOUSE_TX_READ)
        return run_verb(conn, MOUSE_SQLITE_BEGIN_READ);
    mouse_sqlite_start(conn);
    if (mouse_sqlite_enter(conn) != APR_SUCCESS)
        return APR_EGENERAL;
    if (run_verb(conn, MOUSE_SQLITE_BEGIN_WRITE) == APR_SUCCESS)
        return APR_SUCCESS;
    mouse_sqlite_leave(conn);
    return APR_EGENERAL;
}

static apr_status_t commit(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    apr_status_t status;

    state->committing = true;
    status = run_verb(conn, MOUSE_SQLITE_COMMIT);
    state->committing = false;
    if (sqlite3_get_autocommit(conn->native))
        mouse_sqlite_leave(conn);
    return status;
}

/* Some errors have rolled back already. */
static apr_status_t rollback(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    apr_status_t status = APR_SUCCESS;

    state->committing = true;
    if (!sqlite3_get_autocommit(conn->native))
        status = run_verb(conn, MOUSE_SQLITE_ROLLBACK);
    state->committing = false;
    if (status == APR_SUCCESS)
        mouse_sqlite_leave(conn);
    return status;
}

static bool in_transaction(mouse_conn_t *conn)
{
    return !sqlite3_get_autocommit(conn->native);
}

/* ---- statements ---- */

/* Is there SQL behind the first statement? Comments and semicolons are none. */
static bool has_more(sqlite3 *native, const char *at, const char *end)
{
    sqlite3_stmt *more = NULL;

    while (at < end) {
        const char *tail = end;
        int code = sqlite3_prepare_v2(native, at, (int)(end - at), &more, &tail);

        if (code != SQLITE_OK || more) {
            sqlite3_finalize(more);
            return true;
        }
        if (tail <= at)
            return false;
        at = tail;
    }
    return false;
}

static void unprepare(mouse_stmt_t *stmt)
{
    sqlite3_finalize(stmt->native);
    stmt->native = NULL;
}

static apr_status_t refuse(mouse_stmt_t *stmt, const char *why)
{
    unprepare(stmt);
    return mouse_fault_set(stmt->conn, MOUSE_FAULT_OTHER, SQLITE_ERROR, NULL, why);
}

static apr_status_t prepare(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    sqlite3 *native = stmt->conn->native;
    sqlite_run_t *run = apr_pcalloc(stmt->pool, sizeof(*run));
    sqlite3_stmt *made = NULL;
    const char *tail = NULL;
    int code;

    if (sql.len > INT_MAX)
        return refuse(stmt, "the statement is too long");
    mouse_sqlite_start(stmt->conn);
    code = sqlite3_prepare_v3(native, sql.data, (int)sql.len, SQLITE_PREPARE_PERSISTENT,
                              &made, &tail);
    if (code != SQLITE_OK)
        return mouse_sqlite_fault(stmt->conn, code);
    stmt->native = made;
    stmt->state = run;
    if (!made)
        return refuse(stmt, "there is no statement");
    if (has_more(native, tail, sql.data + sql.len))
        return refuse(stmt, "there is more than one statement");
    run->writes = !sqlite3_stmt_readonly(made);
    stmt->parameters = sqlite3_bind_parameter_count(made);
    mouse_sqlite_describe(stmt);
    return APR_SUCCESS;
}

/* ---- running ---- */

/* SQLite prepares again by itself when the schema changed: the columns may be
 * others now. */
static void follow_schema(mouse_stmt_t *stmt)
{
    sqlite_run_t *run = stmt->state;
    int reprepared = sqlite3_stmt_status(stmt->native, SQLITE_STMTSTATUS_REPREPARE, 0);

    if (reprepared != run->reprepared) {
        run->reprepared = reprepared;
        mouse_sqlite_describe(stmt);
    }
    if (run->width < stmt->column_count || !run->row) {
        run->width = stmt->column_count;
        run->row = apr_pcalloc(stmt->pool, sizeof(*run->row) * (size_t)(run->width + 1));
    }
}

/* Without a transaction around it, this statement is one, and its end is the line's. */
static void let_others_write(mouse_stmt_t *stmt)
{
    sqlite_run_t *run = stmt->state;

    if (run->writes && sqlite3_get_autocommit(stmt->conn->native) && !stmt->conn->in_use)
        mouse_sqlite_leave(stmt->conn);
}

static void count_changes(mouse_stmt_t *stmt)
{
    sqlite3 *native = stmt->conn->native;
    sqlite_run_t *run = stmt->state;

    if (!run->writes)
        return;
    if (sqlite3_total_changes64(native) != run->changes)
        stmt->affected = (uint64_t)sqlite3_changes64(native);
    stmt->insert_id = (uint64_t)sqlite3_last_insert_rowid(native);
}

static apr_status_t step(mouse_stmt_t *stmt)
{
    sqlite_run_t *run = stmt->state;
    int code = sqlite3_step(stmt->native);

    run->pending = code == SQLITE_ROW;
    run->done = code == SQLITE_DONE;
    run->failed = !run->pending && !run->done;
    if (run->failed)
        return mouse_sqlite_fault(stmt->conn, code);
    if (run->done)
        count_changes(stmt);
    return APR_SUCCESS;
}

static void end_run(mouse_stmt_t *stmt)
{
    sqlite3_reset(stmt->native);
    sqlite3_clear_bindings(stmt->native);
    let_others_write(stmt);
}

static apr_status_t start_run(mouse_stmt_t *stmt)
{
    mouse_conn_t *conn = stmt->conn;
    sqlite_run_t *run = stmt->state;

    run->pending = run->done = run->failed = false;
    mouse_sqlite_start(conn);
    if (!run->writes)
        return APR_SUCCESS;
    if (!conn->in_use && mouse_sqlite_enter(conn) != APR_SUCCESS)
        return APR_EGENERAL;
    run->changes = sqlite3_total_changes64(conn->native);
    sqlite3_set_last_insert_rowid(conn->native, 0);
    return APR_SUCCESS;
}

static apr_status_t run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    if (start_run(stmt) == APR_SUCCESS &&
        mouse_sqlite_bind(stmt, values, count) == APR_SUCCESS &&
        step(stmt) == APR_SUCCESS) {
        follow_schema(stmt);
        return APR_SUCCESS;
    }
    end_run(stmt);
    return APR_EGENERAL;
}

static apr_status_t next(mouse_stmt_t *stmt, const mouse_value_t **row)
{
    sqlite_run_t *run = stmt->state;

    if (run->failed || (!run->pending && !run->done && step(stmt) != APR_SUCCESS))
        return APR_EGENERAL;
    if (run->done)
        return APR_EOF;
    run->pending = false;
    *row = run->row;
    return mouse_sqlite_read(stmt, run->row);
}

/* A write must come to its end to count; a read may stop where it is. */
static apr_status_t finish(mouse_stmt_t *stmt)
{
    sqlite_run_t *run = stmt->state;
    apr_status_t status = APR_SUCCESS;

    while (status == APR_SUCCESS && run->writes && !run->done && !run->failed)
        status = step(stmt);
    end_run(stmt);
    return status;
}

/* ---- what SQLite has no answer to ---- */

static const char *nontransactional(mouse_conn_t *conn, apr_pool_t *p, mouse_slice_t sql)
{
    (void)conn;
    (void)p;
    (void)sql;
    return NULL;
}

static int limit(mouse_conn_t *conn)
{
    (void)conn;
    return 0;
}

const mouse_driver_t mouse_driver_sqlite = {
    .name = "sqlite3",
    .dialect = MOUSE_DIALECT_SQLITE,
    .check = check,
    .open = open_session,
    .params = params,
    .close = close_session,
    .ping = ping,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .in_transaction = in_transaction,
    .prepare = prepare,
    .run = run,
    .next = next,
    .finish = finish,
    .unprepare = unprepare,
    .never_null = mouse_sqlite_never_null,
    .nontransactional = nontransactional,
    .limit = limit,
    .share = mouse_sqlite_share,
};
