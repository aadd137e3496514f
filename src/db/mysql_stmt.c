/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB: prepared statements. Rows are fetched unbuffered and decoded by a callback of
 * the client library straight from the packet, so that no value is cut or copied.
 */

#include "db/mysql_int.h"

#include <stdlib.h>
#include <sys/socket.h>

#include <mysqld_error.h>
#include <errmsg.h>

/* stmt->state */
typedef struct mysql_stmt_state_t {
    MYSQL_BIND *binds;
    MYSQL_TIME *times;
    apr_pool_t *result_pool; /* of what follows; cleared when the result's shape changes */
    mouse_mysql_field_t *fields;
    mouse_value_t *row;
    uint64_t rows; /* seen in this run */
    unsigned warnings;
    bool rolls_up; /* GROUP BY .. WITH ROLLUP */
} mysql_stmt_state_t;

static apr_status_t fail(mouse_stmt_t *stmt)
{
    MYSQL_STMT *native = stmt->native;
    MYSQL *my = mouse_mysql(stmt->conn)->native;

    if (mysql_stmt_errno(native) == 0) /* an error between rows is the connection's */
        return mouse_mysql_fault(stmt->conn, mysql_errno(my), mysql_sqlstate(my),
                                 mysql_error(my));
    return mouse_mysql_fault(stmt->conn, mysql_stmt_errno(native),
                             mysql_stmt_sqlstate(native), mysql_stmt_error(native));
}

/* ---- columns ---- */

/*
 * The metadata of the current result. After a run the connection holds it; the statement's
 * own copy keeps old names when a column was renamed.
 */
static const MYSQL_FIELD *result_fields(const mouse_stmt_t *stmt, int count)
{
    const MYSQL *my = mouse_mysql(stmt->conn)->native;

    return my->fields && (int)my->field_count == count
               ? my->fields
               : mariadb_stmt_fetch_fields(stmt->native);
}

/*
 * The mark "json" comes with the metadata of the preparation or with that of the first run,
 * and is kept by the library in that place only; later runs come without. So either place
 * counts, and same_columns() lets a mark stay.
 */
static mouse_mysql_field_t read_field(const mouse_stmt_t *stmt, const MYSQL_FIELD *fields,
                                      int i)
{
    mouse_mysql_field_t field = mouse_mysql_field(&fields[i]);

    if (!field.json)
        field.json = mouse_mysql_field(&mariadb_stmt_fetch_fields(stmt->native)[i]).json;
    return field;
}

static bool same_field(const mouse_mysql_field_t *old, const mouse_mysql_field_t *new)
{
    return old->type == new->type && old->flags == new->flags &&
           old->charset == new->charset && old->decimals == new->decimals &&
           old->length == new->length && (old->json || !new->json);
}

static mouse_slice_t name_of(const MYSQL_FIELD *field)
{
    return (mouse_slice_t){field->name, field->name_length};
}

static bool same_columns(const mouse_stmt_t *stmt, const MYSQL_FIELD *fields, int count)
{
    const mysql_stmt_state_t *state = stmt->state;

    if (count != stmt->column_count)
        return false;
    for (int i = 0; i < count; i++) {
        mouse_mysql_field_t field = read_field(stmt, fields, i);

        if (!same_field(&state->fields[i], &field) ||
            !mouse_slice_equal(stmt->columns[i].name, name_of(&fields[i])))
            return false;
    }
    return true;
}

static void describe(mouse_stmt_t *stmt, const MYSQL_FIELD *fields, int count)
{
    mysql_stmt_state_t *state = stmt->state;
    apr_pool_t *p = state->result_pool;

    apr_pool_clear(p);
    state->fields = apr_pcalloc(p, (size_t)count * sizeof(*state->fields));
    state->row = apr_pcalloc(p, (size_t)count * sizeof(*state->row));
    stmt->columns = apr_pcalloc(p, (size_t)count * sizeof(*stmt->columns));
    stmt->column_count = count;
    stmt->generation++;
    for (int i = 0; i < count; i++) {
        mouse_slice_t name = name_of(&fields[i]);
        mouse_column_t *column = &stmt->columns[i];

        state->fields[i] = read_field(stmt, fields, i);
        column->name = (mouse_slice_t){mouse_slice_copy(p, name), name.len};
        column->type = mouse_mysql_column_type(&state->fields[i]);
        if (column->type == MOUSE_COLUMN_DECIMAL)
            column->scale = (int)state->fields[i].decimals;
    }
}

static void refresh_columns(mouse_stmt_t *stmt)
{
    int count = (int)mysql_stmt_field_count(stmt->native);
    const MYSQL_FIELD *fields = result_fields(stmt, count);

    if (!same_columns(stmt, fields, count))
        describe(stmt, fields, count);
}

/* ---- preparing ---- */

static void decode_column(void *data, unsigned column, unsigned char **at)
{
    mouse_stmt_t *stmt = data;
    mysql_stmt_state_t *state = stmt->state;
    const unsigned char *bytes;

    if ((int)column >= stmt->column_count)
        return;
    if (!at) {
        state->row[column].kind = MOUSE_VALUE_NULL;
        return;
    }
    bytes = *at;
    mouse_mysql_decode(&state->fields[column], stmt->columns[column].type, &bytes,
                       &state->row[column]);
    *at = (unsigned char *)(uintptr_t)bytes;
}

/* In doubt, as within quotes: yes. */
static bool rolls_up(mouse_slice_t sql)
{
    static const char word[] = "ROLLUP";
    size_t len = sizeof(word) - 1;

    for (size_t i = 0; i + len <= sql.len; i++) {
        if (strncasecmp(sql.data + i, word, len) == 0)
            return true;
    }
    return false;
}

static void init_state(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    MYSQL_STMT *native = stmt->native;
    mysql_stmt_state_t *state = stmt->state;
    size_t count = mysql_stmt_param_count(native);

    stmt->parameters = (int)count;
    state->rolls_up = rolls_up(sql);
    state->binds = apr_pcalloc(stmt->pool, count * sizeof(*state->binds));
    state->times = apr_pcalloc(stmt->pool, count * sizeof(*state->times));
    apr_pool_create(&state->result_pool, stmt->pool);
    describe(stmt, mariadb_stmt_fetch_fields(native), (int)mysql_stmt_field_count(native));
}

apr_status_t mouse_mysql_prepare(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    mouse_conn_t *conn = stmt->conn;
    MYSQL_STMT *native = mysql_stmt_init(mouse_mysql(conn)->native);
    apr_status_t status = APR_SUCCESS;

    if (!native)
        return mouse_mysql_fault(conn, CR_OUT_OF_MEMORY, "HY000", "no memory");
    stmt->native = native;
    stmt->state = apr_pcalloc(stmt->pool, sizeof(mysql_stmt_state_t));
    mysql_stmt_attr_set(native, STMT_ATTR_CB_RESULT, (const void *)decode_column);
    mysql_stmt_attr_set(native, STMT_ATTR_CB_USER_DATA, stmt);
    mouse_mysql_enter(conn);
    if (mysql_stmt_prepare(native, sql.data, sql.len) == 0) {
        init_state(stmt, sql);
    } else {
        status = fail(stmt);
        mysql_stmt_close(native);
    }
    mouse_mysql_leave(conn);
    return status;
}

/* Closing a statement reads what is left of its result; on a connection in doubt that
 * could wait for ever, so the connection ends first. */
void mouse_mysql_unprepare(mouse_stmt_t *stmt)
{
    mouse_conn_t *conn = stmt->conn;

    if (conn->doubtful)
        shutdown((int)mysql_get_socket(mouse_mysql(conn)->native), SHUT_RDWR);
    mouse_mysql_enter(conn);
    mysql_stmt_close(stmt->native);
    mouse_mysql_leave(conn);
}

/* MariaDB clears the flag behind outer joins, unions and sub-selects, within views, too; it
 * forgets the rows that a roll-up adds. */
bool mouse_mysql_never_null(mouse_stmt_t *stmt, int i)
{
    const mysql_stmt_state_t *state = stmt->state;

    return !state->rolls_up && (state->fields[i].flags & NOT_NULL_FLAG) != 0;
}

/* ---- running ---- */

static int execute(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    mysql_stmt_state_t *state = stmt->state;

    for (int i = 0; i < count; i++)
        mouse_mysql_bind(&state->binds[i], &state->times[i], &values[i]);
    if (count > 0 && mysql_stmt_bind_param(stmt->native, state->binds) != 0)
        return 1;
    return mysql_stmt_execute(stmt->native);
}

static void note_changes(mouse_stmt_t *stmt)
{
    uint64_t affected = mysql_stmt_affected_rows(stmt->native);

    if (affected == (uint64_t)-1)
        return;
    stmt->affected = affected;
    if (mysql_stmt_insert_id(stmt->native) > 0)
        stmt->insert_id = mysql_stmt_insert_id(stmt->native);
}

apr_status_t mouse_mysql_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    mouse_conn_t *conn = stmt->conn;
    mysql_stmt_state_t *state = stmt->state;
    apr_status_t status = APR_SUCCESS;

    state->rows = 0;
    state->warnings = 0;
    mouse_mysql_enter(conn);
    if (execute(stmt, values, count) == 0) {
        refresh_columns(stmt);
        note_changes(stmt);
    } else {
        status = fail(stmt);
        /* The rows of the changed table are on their way: leave the connection clean. */
        if (conn->fault.class == MOUSE_FAULT_STALE && mysql_stmt_free_result(stmt->native))
            conn->doubtful = true;
    }
    mouse_mysql_leave(conn);
    return status;
}

/* The packet behind the last row counts the warnings; the library leaves it unread. */
static unsigned count_warnings(const MYSQL *my)
{
    const unsigned char *packet = my->net.read_pos;

    return packet && packet[0] == 0xFE ? packet[1] | (unsigned)packet[2] << 8 : 0;
}

apr_status_t mouse_mysql_next(mouse_stmt_t *stmt, const mouse_value_t **row)
{
    mysql_stmt_state_t *state = stmt->state;
    int code;

    if (stmt->column_count == 0)
        return APR_EOF;
    mouse_mysql_enter(stmt->conn);
    code = mysql_stmt_fetch(stmt->native);
    mouse_mysql_leave(stmt->conn);
    if (code == 0) {
        state->rows++;
        *row = state->row;
        return APR_SUCCESS;
    }
    if (code != MYSQL_NO_DATA)
        return fail(stmt);
    if (state->warnings == 0)
        state->warnings = count_warnings(mouse_mysql(stmt->conn)->native);
    return APR_EOF;
}

/* ---- ending a run ---- */

/* GROUP_CONCAT and JSON_ARRAYAGG cut their text, REPEAT, CONCAT and others turn one above
 * max_allowed_packet into NULL: with a warning only. */
static bool is_cut(unsigned code)
{
    return code == ER_CUT_VALUE_GROUP_CONCAT || code == ER_WARN_ALLOWED_PACKET_OVERFLOWED;
}

static apr_status_t look_for_cuts(mouse_conn_t *conn)
{
    MYSQL *my = mouse_mysql(conn)->native;
    MYSQL_RES *result;
    MYSQL_ROW row;
    apr_status_t status = APR_SUCCESS;

    if (mysql_query(my, "SHOW WARNINGS") != 0 || !(result = mysql_store_result(my)))
        return mouse_mysql_fault(conn, mysql_errno(my), mysql_sqlstate(my),
                                 mysql_error(my));
    while ((row = mysql_fetch_row(result)) && status == APR_SUCCESS) {
        unsigned code = row[1] ? (unsigned)atoi(row[1]) : 0;

        if (is_cut(code))
            status = mouse_mysql_fault(conn, code, "HY000", row[2]);
    }
    mysql_free_result(result);
    return status;
}

static apr_status_t drain(mouse_stmt_t *stmt)
{
    MYSQL_STMT *native = stmt->native;
    int code = 0;

    while (code == 0 && mysql_stmt_more_results(native)) {
        code = mysql_stmt_next_result(native);
        if (code == 0)
            note_changes(stmt);
    }
    if (code > 0)
        return fail(stmt);
    if (mysql_stmt_free_result(native) != 0)
        return fail(stmt);
    return APR_SUCCESS;
}

apr_status_t mouse_mysql_finish(mouse_stmt_t *stmt)
{
    mouse_conn_t *conn = stmt->conn;
    mouse_mysql_t *mysql = mouse_mysql(conn);
    mysql_stmt_state_t *state = stmt->state;
    apr_status_t status;

    mouse_mysql_enter(conn);
    status = drain(stmt);
    if (status == APR_SUCCESS && mysql->stopped != MOUSE_FAULT_NONE)
        status = fail(stmt);
    if (status == APR_SUCCESS &&
        (state->warnings > 0 || mysql_warning_count(mysql->native)))
        status = look_for_cuts(conn);
    mouse_mysql_leave(conn);
    if (stmt->affected == 0)
        stmt->affected = state->rows; /* INSERT .. RETURNING says so by its rows */
    return status;
}
