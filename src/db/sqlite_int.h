/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The SQLite driver, inside: what its files share. sqlite.c is the driver itself,
 * sqlite_wait.c who waits for whom and how long, sqlite_value.c what goes in and comes out,
 * sqlite_fault.c what was refused.
 */
#ifndef MOUSE_SQLITE_INT_H
#define MOUSE_SQLITE_INT_H

#include <pthread.h>
#include <sqlite3.h>

#include "db/db_int.h"

typedef struct mouse_sqlite_t mouse_sqlite_t;
typedef struct mouse_sqlite_writer_t mouse_sqlite_writer_t;
typedef struct mouse_sqlite_queue_t mouse_sqlite_queue_t;

typedef enum {
    MOUSE_SQLITE_BEGIN_READ,
    MOUSE_SQLITE_BEGIN_WRITE,
    MOUSE_SQLITE_COMMIT,
    MOUSE_SQLITE_ROLLBACK,
    MOUSE_SQLITE_VERBS
} mouse_sqlite_verb_t;

/* A connection in line for the database's only write lock. */
struct mouse_sqlite_writer_t {
    pthread_cond_t wake;
    bool granted;
    mouse_sqlite_writer_t *next;
};

/* conn->shared: one a pool. */
struct mouse_sqlite_queue_t {
    pthread_mutex_t lock;
    bool taken;
    mouse_sqlite_writer_t *first, *last;
};

/* conn->state. */
struct mouse_sqlite_t {
    sqlite3_stmt *verbs[MOUSE_SQLITE_VERBS];
    mouse_sqlite_writer_t writer;
    bool writing;             /* holds the queue's turn */
    bool committing;          /* inside COMMIT: not interrupted */
    mouse_fault_class_t stop; /* why the last call was stopped: NONE, TIMEOUT, GONE */
    apr_time_t polled, asked; /* when the client was last looked at */
    apr_time_t given_up;      /* the deadline where there is no watch */
};

/* ---- sqlite_wait.c ---- */

/* The driver's share: the queue of those who write. */
void *mouse_sqlite_share(apr_pool_t *p, const mouse_opening_t *opening);

/* Installs the busy and progress handlers. */
void mouse_sqlite_watch(mouse_conn_t *conn);

/* Forgets why the last call was stopped; every call that may take time starts with it. */
void mouse_sqlite_start(mouse_conn_t *conn);

/* Takes the turn to write, first come, first served; nothing when it is held already or
 * nobody shares the database. A fault when the deadline passes or the client leaves. */
apr_status_t mouse_sqlite_enter(mouse_conn_t *conn) MOUSE_MUST_USE;
void mouse_sqlite_leave(mouse_conn_t *conn);

/* ---- sqlite_value.c ---- */

/* Describes the statement's columns again: stmt->columns, column_count, generation. */
void mouse_sqlite_describe(mouse_stmt_t *stmt);

/* Binds the placeholders in order; the values' bytes must live until the reset. */
apr_status_t mouse_sqlite_bind(mouse_stmt_t *stmt, const mouse_value_t *values,
                               int count) MOUSE_MUST_USE;

/* The current row into row, as long as the columns. */
apr_status_t mouse_sqlite_read(mouse_stmt_t *stmt, mouse_value_t *row) MOUSE_MUST_USE;

/* ---- sqlite_null.c ---- */

/* The driver's never_null. */
bool mouse_sqlite_never_null(mouse_stmt_t *stmt, int i);

/* ---- sqlite_fault.c ---- */

/* The fault of the call that just failed on this connection. APR_EGENERAL. */
apr_status_t mouse_sqlite_fault(mouse_conn_t *conn, int code);

#endif
