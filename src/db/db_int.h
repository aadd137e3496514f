/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * db, inside: what pool, statements and drivers share. Include only within src/db.
 */
#ifndef MOUSE_DB_INT_H
#define MOUSE_DB_INT_H

#include <apr_dbd.h>

#include "db/mouse_db.h"

typedef struct mouse_driver_t mouse_driver_t;
typedef struct mouse_opening_t mouse_opening_t;

/*
 * One kind of database. Functions return APR_SUCCESS or set conn->fault and return
 * APR_EGENERAL (APR_EOF where said). They may set conn->doubtful: close at release.
 */
struct mouse_driver_t {
    const char *name; /* apr_dbd's */
    mouse_dialect_t dialect;
    bool marks; /* its server logs statements: they carry their request's mark */

    /* Refuses bad params; opens nothing. */
    apr_status_t (*check)(apr_pool_t *p, const mouse_db_config_t *config,
                          mouse_error_t **err);
    /* conn->handle is open (apr_dbd): set the session up. On failure the caller closes. */
    apr_status_t (*open)(mouse_conn_t *conn);
    /* The parameters to give apr_dbd_open, password in place. */
    const char *(*params)(apr_pool_t *p, const mouse_db_config_t *config);
    /* Can the server be reached within the limit? Asked before opening after a failure, so
     * that a black hole costs an opener thread a bounded time. NULL: nothing to ask. */
    bool (*probe)(const mouse_db_config_t *config, apr_interval_time_t limit);
    /* Before apr_dbd_close: cancel, close what the driver holds. */
    void (*close)(mouse_conn_t *conn);
    apr_status_t (*ping)(mouse_conn_t *conn);

    apr_status_t (*begin)(mouse_conn_t *conn, mouse_tx_t kind);
    apr_status_t (*commit)(mouse_conn_t *conn);
    apr_status_t (*rollback)(mouse_conn_t *conn);
    bool (*in_transaction)(mouse_conn_t *conn);

    apr_status_t (*prepare)(mouse_stmt_t *stmt, mouse_slice_t sql);
    apr_status_t (*run)(mouse_stmt_t *stmt, const mouse_value_t *values, int count);
    apr_status_t (*next)(mouse_stmt_t *stmt, const mouse_value_t **row); /* APR_EOF */
    apr_status_t (*finish)(mouse_stmt_t *stmt);
    void (*unprepare)(mouse_stmt_t *stmt);
    /* Can the i-th column of this prepared statement never be NULL? In doubt: false. */
    bool (*never_null)(mouse_stmt_t *stmt, int i);

    const char *(*nontransactional)(mouse_conn_t *conn, apr_pool_t *p, mouse_slice_t sql);
    int (*limit)(mouse_conn_t *conn);

    /* What the connections of one pool share (conn->shared), in p, which outlives them all.
     * NULL: nothing. */
    void *(*share)(apr_pool_t *p, const mouse_opening_t *opening);
    /* Called after each opening, on the opener's thread: time to look after the connection
     * that a pool has beside its own. NULL: it has none. */
    void (*reserve)(void *shared);
};

extern const mouse_driver_t mouse_driver_mysql;
extern const mouse_driver_t mouse_driver_sqlite;

/* By apr_dbd's name, or NULL. */
const mouse_driver_t *mouse_driver_find(const char *name);

struct mouse_conn_t {
    const mouse_driver_t *driver;
    const mouse_db_config_t *config;
    const mouse_log_t *log;
    mouse_db_t *db;   /* NULL: opened by mouse_conn_open */
    apr_pool_t *pool; /* the connection's own; statements are in sub-pools */
    apr_dbd_t *handle;
    const apr_dbd_driver_t *apr_driver;
    void *native; /* MYSQL *, sqlite3 * */
    void *state;  /* the driver's own */
    void *shared; /* the driver's, of all connections of one pool; NULL outside one */
    mouse_watch_t *watch; /* NULL while idle */
    mouse_fault_t fault;
    bool doubtful; /* close instead of reusing */
    bool in_use;   /* a transaction was begun and not ended */
    bool used;     /* has served before this acquire */
    apr_time_t opened, last_used;
    bool lost; /* doubtful because the server went away */
    struct mouse_stmt_cache_t *cache;
    mouse_stmt_t *marked; /* those with the mark of the request that has it */
    mouse_conn_t *next_idle;
    char message[1024];   /* what fault.message points to */
    char constraint[256]; /* what fault.constraint points to */
};

struct mouse_stmt_t {
    mouse_conn_t *conn;
    apr_pool_t *pool;
    const void *key;
    uint64_t variant;
    void *native; /* MYSQL_STMT *, sqlite3_stmt * */
    void *state;  /* the driver's own */
    int parameters;
    int column_count;
    mouse_column_t *columns;
    unsigned generation;
    uint64_t affected, insert_id;
    bool running; /* run, not finished */
    bool marked;  /* in conn->marked, not in the cache */
    void *slot;
    mouse_stmt_t *newer, *older; /* the cache's list by use */
    mouse_stmt_t *chain;         /* the next of the same bucket, or in conn->marked */
};

/* What is put behind a statement that this connection sends now, or NULL. */
static inline const mouse_slice_t *mouse_conn_mark(const mouse_conn_t *conn)
{
    return conn->watch && conn->watch->mark.len > 0 && conn->driver->marks
               ? &conn->watch->mark
               : NULL;
}

/* Sets conn->fault; message and constraint are copied into the connection. APR_EGENERAL. */
apr_status_t mouse_fault_set(mouse_conn_t *conn, mouse_fault_class_t class, int native,
                             const char *sqlstate, const char *message);

/* Names the constraint of the fault just set; the name is copied into the connection. */
void mouse_fault_constraint(mouse_conn_t *conn, mouse_slice_t name);

/* Forgets the last fault: every call starts with this. */
void mouse_fault_clear(mouse_conn_t *conn);

/* Counts a fault on the pool's board, if it has one. */
void mouse_board_fault(mouse_db_t *db, mouse_fault_class_t class);

/* ---- connections, below the pool ---- */

/* What it takes to open one. apr_driver NULL: the driver opens without apr_dbd (tests). */
struct mouse_opening_t {
    const mouse_driver_t *driver;
    const apr_dbd_driver_t *apr_driver;
    const mouse_db_config_t *config;
    const mouse_log_t *log;
    void *shared; /* the driver's; set by the pool */
};

#define MOUSE_WHY_MAX 512

/*
 * Opens a connection on this thread, in a root pool of its own, with the session set up by
 * `deadline`. On failure why holds the database's sentence.
 */
apr_status_t mouse_conn_create(const mouse_opening_t *opening, apr_time_t deadline,
                               mouse_conn_t **conn, char why[MOUSE_WHY_MAX]);

/* Closes it, its statements first. */
void mouse_conn_destroy(mouse_conn_t *conn);

/* Ends open results. False: it is in doubt, and must be destroyed. */
bool mouse_conn_settle(mouse_conn_t *conn);

/* Loads apr_dbd's driver by its name (initialising apr_dbd once per process). */
apr_status_t mouse_driver_load(apr_pool_t *p, const char *name,
                               const apr_dbd_driver_t **apr_driver, mouse_error_t **err);

/* mouse_db_create for a driver of one's own: what tests use. */
apr_status_t mouse_db_create_with(apr_pool_t *pchild, const mouse_opening_t *opening,
                                  mouse_db_t **db);

/* Has the client closed its connection? */
bool mouse_watch_hung_up(int client);

/* How many connections a pool of `max` opens: max, and what the driver has beside them. */
int mouse_db_demand(const mouse_driver_t *driver, const mouse_db_config_t *config, int max);

/* A detached thread, all signals blocked. False: none to be had. */
bool mouse_thread_start(void *(*run)(void *), void *data);

/* Closes all statements; those with a mark. */
void mouse_stmt_clear(mouse_conn_t *conn);
void mouse_stmt_clear_marked(mouse_conn_t *conn);

/* Finishes the statements that still run. */
void mouse_stmt_settle(mouse_conn_t *conn);

#endif
