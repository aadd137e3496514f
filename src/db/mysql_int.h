/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The MariaDB driver, inside: what mysql*.c share. */
#ifndef MOUSE_MYSQL_INT_H
#define MOUSE_MYSQL_INT_H

#include <mysql.h>

#include "db/db_int.h"

/* conn->state */
typedef struct mouse_mysql_t {
    MYSQL *native;
    uint64_t session;   /* the server's number of this connection */
    const char *server; /* the server's unique name; NULL: it has none */
    bool tls;
    mouse_fault_class_t stopped; /* TIMEOUT or GONE: the wait was given up here */
} mouse_mysql_t;

static inline mouse_mysql_t *mouse_mysql(const mouse_conn_t *conn)
{
    return conn->state;
}

/* ---- mysql_params.c ---- */

/* The driver's check, params and probe. */
apr_status_t mouse_mysql_check(apr_pool_t *p, const mouse_db_config_t *config,
                               mouse_error_t **err);
const char *mouse_mysql_params(apr_pool_t *p, const mouse_db_config_t *config);
bool mouse_mysql_probe(const mouse_db_config_t *config, apr_interval_time_t limit);

/* ---- mysql_wait.c: every call of the client library happens between these two ---- */

void mouse_mysql_enter(mouse_conn_t *conn);
void mouse_mysql_leave(mouse_conn_t *conn);

/* Makes the library wait our way. */
void mouse_mysql_watch(MYSQL *native);

/* ---- mysql_tls.c ---- */

/* Behind the login, before anything else is sent: fails where TLS is asked for and is not
 * there, or not as tls=required wants it; and makes calls on a TLS stream wait our way. */
apr_status_t mouse_mysql_secure(mouse_conn_t *conn);

/* Before each call of the library for a TLS stream. */
void mouse_mysql_tls_enter(void);

/* ---- mysql_cancel.c ---- */

/* Makes conn->shared of a pool: what its cancels share. */
void *mouse_mysql_share(apr_pool_t *p, const mouse_opening_t *opening);

/* Opens the connection that is kept for cancelling, where it is not or has died. */
void mouse_mysql_reserve(void *shared);

/* Ends in the server, from a thread of its own, what this connection of a pool runs. */
void mouse_mysql_cancel(mouse_conn_t *conn);

/* ---- mysql.c ---- */

/* Runs a text statement whose result does not matter. */
apr_status_t mouse_mysql_query(mouse_conn_t *conn, const char *sql);

/* ---- mysql_fault.c ---- */

/* Sets the fault of an error that the library or the server has told, or of the wait that
 * was given up here; marks connections that must be closed. APR_EGENERAL. */
apr_status_t mouse_mysql_fault(mouse_conn_t *conn, unsigned native, const char *sqlstate,
                               const char *message);

/* ---- mysql_stmt.c ---- */

/* The driver's functions of these names. */
apr_status_t mouse_mysql_prepare(mouse_stmt_t *stmt, mouse_slice_t sql);
apr_status_t mouse_mysql_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count);
apr_status_t mouse_mysql_next(mouse_stmt_t *stmt, const mouse_value_t **row);
apr_status_t mouse_mysql_finish(mouse_stmt_t *stmt);
void mouse_mysql_unprepare(mouse_stmt_t *stmt);
bool mouse_mysql_never_null(mouse_stmt_t *stmt, int i);

/* ---- mysql_value.c ---- */

/* What of a column's metadata decides how its bytes are read and answered. */
typedef struct mouse_mysql_field_t {
    enum enum_field_types type;
    unsigned flags, charset, decimals;
    unsigned long length;
    bool json;
} mouse_mysql_field_t;

/* A column by its metadata, and how it is answered. */
mouse_mysql_field_t mouse_mysql_field(const MYSQL_FIELD *field);
mouse_column_type_t mouse_mysql_column_type(const mouse_mysql_field_t *field);

/* Reads one value of the binary protocol at *data and moves *data behind it. type: the
 * field's, by mouse_mysql_column_type. */
void mouse_mysql_decode(const mouse_mysql_field_t *field, mouse_column_type_t type,
                        const unsigned char **data, mouse_value_t *value);

/* time is the place for a date's parts; both live until the statement has run. */
void mouse_mysql_bind(MYSQL_BIND *bind, MYSQL_TIME *time, const mouse_value_t *value);

#endif
