/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The table mouse_idempotency: a key's row is the first thing that its write's transaction
 * inserts and the answer in it the last, so that both are there when the write is, and not
 * when it is not. Whoever comes with the same key meanwhile waits where databases wait: at
 * the row (MariaDB) or for the file (SQLite).
 *
 * A row without an answer is never committed, so nobody sees one.
 */

#include "model/run_int.h"

#include <apr_strings.h>

#define TABLE       "mouse_idempotency"
#define BODY_MOST   (1024 * 1024)
#define HEADER_MOST (64 * 1024)
#define SWEEP_LIMIT apr_time_from_msec(250)
#define BUSY_RETRY  1 /* seconds */

#define WHERE_KEY " WHERE scope = ? AND idempotency_key = ?"

static const char insert_sql[] =
    "INSERT INTO " TABLE " (scope, idempotency_key, request, status, expires)"
    " VALUES (?, ?, ?, 0, ?)";
static const char select_sql[] =
    "SELECT request, expires, status, headers, body FROM " TABLE WHERE_KEY;
static const char renew_sql[] =
    "UPDATE " TABLE " SET request = ?, expires = ?, status = 0" WHERE_KEY;
static const char store_sql[] =
    "UPDATE " TABLE " SET status = ?, headers = ?, body = ?" WHERE_KEY;

/* Old rows go by the score. What is read and deleted ends in front of another old row:
 * InnoDB locks the one behind the last, and that must be nobody's who still works. */
static const char old_sql[] =
    "SELECT expires FROM " TABLE " WHERE expires < ? ORDER BY expires LIMIT 1 OFFSET 20";
static const char sweep_mysql[] =
    "DELETE FROM " TABLE " WHERE expires <= ? ORDER BY expires LIMIT 20";
static const char sweep_sqlite[] =
    "DELETE FROM " TABLE " WHERE rowid IN (SELECT rowid FROM " TABLE
    " WHERE expires <= ? ORDER BY expires LIMIT 20)";

/* The columns of select_sql. */
enum {
    STORED_REQUEST,
    STORED_EXPIRES,
    STORED_STATUS,
    STORED_HEADERS,
    STORED_BODY,
    STORED_COLUMNS
};

typedef struct row_t {
    int width;
    bool found;
    mouse_value_t values[STORED_COLUMNS];
} row_t;

size_t mouse_idempotency_memory(void)
{
    return BODY_MOST;
}

static const char *sweep_sql(mouse_dialect_t dialect)
{
    return dialect == MOUSE_DIALECT_SQLITE ? sweep_sqlite : sweep_mysql;
}

static const char *schema_of(mouse_dialect_t dialect)
{
    return dialect == MOUSE_DIALECT_SQLITE ? "conf/idempotency/sqlite.sql"
                                           : "conf/idempotency/mysql.sql";
}

/* ---- statements ---- */

static mouse_value_t of_int(int64_t i)
{
    return (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = i};
}

static mouse_value_t of_bytes(const void *data, size_t len)
{
    return (mouse_value_t){.kind = MOUSE_VALUE_BYTES, .text = {data, len}};
}

/* Copied, since it outlives its statement. */
static apr_status_t read_row(mouse_run_t *run, mouse_stmt_t *stmt, row_t *row)
{
    const mouse_value_t *values;
    apr_status_t rv = mouse_stmt_next(stmt, &values);

    row->found = rv == APR_SUCCESS;
    for (int i = 0; row->found && i < row->width; i++)
        row->values[i] = mouse_value_copy(run->pool, &values[i]);
    return rv == APR_EOF ? APR_SUCCESS : rv;
}

/* Runs one of the statements above; row may be NULL. */
static apr_status_t execute(mouse_run_t *run, const char *sql, const mouse_value_t *values,
                            int count, row_t *row)
{
    mouse_stmt_t *stmt = mouse_stmt_find(run->conn, sql, 0);
    apr_status_t rv = APR_SUCCESS, end;

    if (!stmt)
        rv = mouse_stmt_prepare(run->conn, sql, 0, mouse_slice_of(sql), &stmt);
    if (rv == APR_SUCCESS)
        rv = mouse_stmt_run(stmt, values, count);
    if (rv == APR_SUCCESS) {
        if (row)
            rv = read_row(run, stmt, row);
        end = mouse_stmt_finish(stmt);
        rv = rv == APR_SUCCESS ? end : rv;
    }
    if (rv != APR_SUCCESS && stmt &&
        mouse_conn_fault(run->conn)->class == MOUSE_FAULT_STALE)
        mouse_stmt_drop(stmt);
    return rv;
}

static apr_status_t fail(mouse_run_t *run, mouse_error_t **err)
{
    mouse_run_fault(run, NULL, err);
    (*err)->log = apr_psprintf(run->req->pool, "the table " TABLE " (see %s), for %s",
                               schema_of(run->model->dialect), (*err)->log);
    return APR_EGENERAL;
}

/* ---- an answer as a row ---- */

static bool is_too_large(const mouse_answer_t *answer, const mouse_buf_t *headers)
{
    return answer->body.file || answer->body.buf.len > BODY_MOST ||
           headers->len > HEADER_MOST;
}

static void put_header(mouse_buf_t *buf, const char *name, const char *value)
{
    mouse_buf_append(buf, name, strlen(name));
    mouse_buf_literal(buf, ": ");
    mouse_buf_append(buf, value, strlen(value));
    mouse_buf_char(buf, '\n');
}

/* One line each; templates refuse line ends. The content type is the first where there is
 * a body, and no template can make one. */
static mouse_buf_t *pack_headers(mouse_run_t *run)
{
    const mouse_answer_t *answer = run->answer;
    const apr_array_header_t *array = apr_table_elts(answer->headers);
    mouse_buf_t *buf = apr_palloc(run->pool, sizeof(*buf));

    mouse_buf_init(buf, run->pool, 256);
    if (answer->content_type)
        put_header(buf, "Content-Type", answer->content_type);
    for (int i = 0; i < array->nelts; i++) {
        const apr_table_entry_t *header = &APR_ARRAY_IDX(array, i, apr_table_entry_t);

        put_header(buf, header->key, header->val);
    }
    return buf;
}

static void unpack_headers(mouse_answer_t *answer, char *at)
{
    char *value, *end;

    for (; (end = strchr(at, '\n')) && (value = strstr(at, ": ")); at = end + 1) {
        *end = '\0';
        *value = '\0';
        if (strcmp(at, "Content-Type") == 0)
            answer->content_type = value + 2;
        else
            apr_table_addn(answer->headers, at, value + 2);
    }
}

/* ---- before the model's statements ---- */

static apr_status_t refuse_other(mouse_run_t *run, mouse_error_t **err)
{
    return mouse_error_set(err, run->req->pool, MOUSE_E_IDEMPOTENCY_REUSED,
                           "This Idempotency-Key stands for another request.");
}

static void replay(mouse_run_t *run, const mouse_value_t *row)
{
    mouse_answer_t *answer = run->answer;
    apr_pool_t *p = run->req->pool;

    answer->status = (int)row[STORED_STATUS].i;
    answer->content_type = NULL;
    answer->headers = apr_table_make(p, 4);
    apr_table_setn(answer->headers, "Idempotency-Replayed", "true");
    if (row[STORED_HEADERS].kind != MOUSE_VALUE_NULL)
        unpack_headers(answer, mouse_slice_copy(p, row[STORED_HEADERS].text));
    if (row[STORED_BODY].kind != MOUSE_VALUE_NULL)
        mouse_buf_slice(&answer->body.buf, row[STORED_BODY].text);
    run->replayed = true;
}

static apr_status_t renew(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_key_t *key = run->key;
    const mouse_value_t values[] = {
        of_bytes(key->request, sizeof(key->request)), of_int(key->expires),
        of_bytes(key->scope, sizeof(key->scope)), of_bytes(key->text.data, key->text.len)};

    return execute(run, renew_sql, values, 4, NULL) == APR_SUCCESS ? APR_SUCCESS
                                                                   : fail(run, err);
}

/* The key is taken, and its holder has committed: an answer, another request, or old. */
static apr_status_t take_stored(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_key_t *key = run->key;
    const mouse_value_t values[] = {of_bytes(key->scope, sizeof(key->scope)),
                                    of_bytes(key->text.data, key->text.len)};
    row_t row = {.width = STORED_COLUMNS};

    if (execute(run, select_sql, values, 2, &row) != APR_SUCCESS)
        return fail(run, err);
    if (!row.found) { /* swept in this moment */
        run->fault = MOUSE_FAULT_DEADLOCK;
        return mouse_error_set(err, run->req->pool, MOUSE_E_CONFLICT, NULL);
    }
    if (row.values[STORED_EXPIRES].i <= key->now)
        return renew(run, err);
    if (!mouse_slice_equal(
            row.values[STORED_REQUEST].text,
            (mouse_slice_t){(const char *)key->request, sizeof(key->request)}))
        return refuse_other(run, err);
    replay(run, row.values);
    return APR_SUCCESS;
}

apr_status_t mouse_idempotency_reserve(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_key_t *key = run->key;
    const mouse_value_t values[] = {
        of_bytes(key->scope, sizeof(key->scope)), of_bytes(key->text.data, key->text.len),
        of_bytes(key->request, sizeof(key->request)), of_int(key->expires)};
    apr_status_t rv;

    run->reserving = true;
    rv = execute(run, insert_sql, values, 4, NULL);
    if (rv != APR_SUCCESS && mouse_conn_fault(run->conn)->class == MOUSE_FAULT_UNIQUE)
        rv = take_stored(run, err);
    else if (rv != APR_SUCCESS)
        rv = fail(run, err);
    run->reserving = rv != APR_SUCCESS;
    return rv;
}

bool mouse_idempotency_waits(const mouse_run_t *run)
{
    return run->reserving &&
           (run->fault == MOUSE_FAULT_DEADLOCK || run->fault == MOUSE_FAULT_TIMEOUT);
}

apr_status_t mouse_idempotency_give_up(mouse_run_t *run, mouse_error_t **err)
{
    const char *log = (*err)->log;

    mouse_error_set(err, run->req->pool, MOUSE_E_IDEMPOTENCY_RUNNING,
                    "A request with this Idempotency-Key has not ended yet. Repeat this "
                    "one with the same key.");
    (*err)->log = log;
    (*err)->retry_after = BUSY_RETRY;
    return APR_EGENERAL;
}

/* ---- behind them ---- */

apr_status_t mouse_idempotency_store(mouse_run_t *run, mouse_error_t **err)
{
    const mouse_key_t *key = run->key;
    const mouse_answer_t *answer = run->answer;
    const mouse_buf_t *headers = pack_headers(run), *body = &answer->body.buf;
    const mouse_value_t values[] = {
        of_int(answer->status), of_bytes(headers->data, headers->len),
        of_bytes(body->data, body->len), of_bytes(key->scope, sizeof(key->scope)),
        of_bytes(key->text.data, key->text.len)};

    if (is_too_large(answer, headers)) {
        mouse_error_set(err, run->req->pool, MOUSE_E_ANSWER_TOO_LARGE, NULL);
        (*err)->log = apr_psprintf(run->req->pool,
                                   "%s: an answer of more than %d bytes (its headers: %d) "
                                   "is not kept for an Idempotency-Key; rolled back",
                                   run->model->name, BODY_MOST, HEADER_MOST);
        return APR_EGENERAL;
    }
    return execute(run, store_sql, values, 5, NULL) == APR_SUCCESS ? APR_SUCCESS
                                                                   : fail(run, err);
}

static apr_status_t delete_old(mouse_run_t *run)
{
    const mouse_value_t now = of_int(run->key->now);
    row_t row = {.width = 1};

    if (execute(run, old_sql, &now, 1, &row) != APR_SUCCESS)
        return APR_EGENERAL;
    if (!row.found)
        return APR_SUCCESS;
    return execute(run, sweep_sql(run->model->dialect), row.values, 1, NULL);
}

/* The write is done: whatever this meets is not the client's concern. */
void mouse_idempotency_sweep(mouse_run_t *run)
{
    mouse_watch_t *watch = &run->req->watch;
    apr_time_t deadline = watch->deadline, soon = apr_time_now() + SWEEP_LIMIT;
    bool committing = watch->committing;

    watch->deadline = soon < deadline ? soon : deadline;
    watch->committing = true;
    if (delete_old(run) != APR_SUCCESS)
        mouse_log(run->req->log, MOUSE_LOG_WARNING,
                  "old rows of the table " TABLE " were not deleted: %s",
                  mouse_conn_fault(run->conn)->message);
    watch->committing = committing;
    watch->deadline = deadline;
}

/* ---- MOUSE_CHECK ---- */

apr_status_t mouse_idempotency_check(apr_pool_t *p, mouse_conn_t *conn, mouse_error_t **err)
{
    mouse_dialect_t dialect = mouse_conn_dialect(conn);
    const char *const texts[] = {insert_sql, select_sql, renew_sql,
                                 store_sql,  old_sql,    sweep_sql(dialect)};
    const char *tables;
    mouse_stmt_t *stmt;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (mouse_stmt_prepare(conn, texts[i], 0, mouse_slice_of(texts[i]), &stmt) !=
            APR_SUCCESS)
            return mouse_error_set(err, p, MOUSE_E_CONFIG,
                                   "idempotent= needs the table " TABLE " of %s: %s",
                                   schema_of(dialect), mouse_conn_fault(conn)->message);
        mouse_stmt_drop(stmt);
    }
    tables = mouse_conn_nontransactional(conn, p, mouse_slice_of(select_sql));
    if (!tables)
        return APR_SUCCESS;
    return mouse_error_set(err, p, MOUSE_E_CONFIG,
                           "%s cannot be rolled back (no transactions): see %s", tables,
                           schema_of(dialect));
}
