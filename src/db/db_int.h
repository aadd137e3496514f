/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * db, inside: what pool, statements and drivers share. Include only within src/db.
 */
#ifndef MOUSE_DB_INT_H
#define MOUSE_DB_INT_H

#include <apr_dbd.h>

#include "db/mouse_db.h"

typedef struct mouse_driver_t mouse_driver_t;

/*
 * One kind of database. Functions return APR_SUCCESS or set conn->fault and return
 * APR_EGENERAL (APR_EOF where said). They may set conn->doubtful: close at release.
 */
struct mouse_driver_t {
    const char *name; /* apr_dbd's */
    mouse_dialect_t dialect;

    /* Refuses bad params; opens nothing. */
    apr_status_t (*check)(apr_pool_t *p, const mouse_db_config_t *config, mouse_error_t **err);
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

    const char *(*nontransactional)(mouse_conn_t *conn, apr_pool_t *p, mouse_slice_t sql);
    int (*limit)(mouse_conn_t *conn);
};

extern const mouse_driver_t mouse_driver_mysql;
extern const mouse_driver_t mouse_driver_sqlite;

/* By apr_dbd's name, or NULL. */
const mouse_driver_t *mouse_driver_find(const char *name);

struct mouse_conn_t {
    const mouse_driver_t *driver;
    const mouse_db_config_t *config;
    const mouse_log_t *log;
    mouse_db_t *db;      /* NULL: opened by mouse_conn_open */
    apr_pool_t *pool;    /* the connection's own; statements are in sub-pools */
    apr_dbd_t *handle;
    const apr_dbd_driver_t *apr_driver;
    void *native;        /* MYSQL *, sqlite3 * */
    void *state;         /* the driver's own */
    mouse_watch_t *watch; /* NULL while idle */
    mouse_fault_t fault;
    bool doubtful;       /* close instead of reusing */
    bool in_use;         /* a transaction was begun and not ended */
    bool used;           /* has served before this acquire */
    apr_time_t opened, last_used;
    struct mouse_stmt_cache_t *cache;
    mouse_conn_t *next_idle;
};

struct mouse_stmt_t {
    mouse_conn_t *conn;
    apr_pool_t *pool;
    const void *key;
    uint64_t variant;
    void *native;           /* MYSQL_STMT *, sqlite3_stmt * */
    void *state;            /* the driver's own */
    int parameters;
    int column_count;
    mouse_column_t *columns;
    unsigned generation;
    uint64_t affected, insert_id;
    bool running;           /* run, not finished */
    void *slot;
    mouse_stmt_t *newer, *older; /* the cache's list by use */
};

/* Sets conn->fault; message and constraint are copied into the connection. APR_EGENERAL. */
apr_status_t mouse_fault_set(mouse_conn_t *conn, mouse_fault_class_t class, int native,
                             const char *sqlstate, const char *message);

#endif
