/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB: ending a statement nobody waits for any more. The server does not notice that
 * its client went; KILL QUERY from a second connection tells it. That connection is opened
 * on a short-lived thread, since the request's must not wait, and asks first whether it met
 * the same server: behind a balancer the number could be another's.
 */

#include "db/mysql_int.h"
#include "db/pool_int.h"

#include <apr_strings.h>

#define CANCEL_LIMIT apr_time_from_sec(1)

typedef struct cancel_t {
    apr_pool_t *pool;
    mouse_db_t *db; /* that waits for this thread at its end; NULL: none does */
    mouse_opening_t opening;
    mouse_db_config_t config;
    uint64_t session;
    const char *server;
} cancel_t;

static void kill_query(cancel_t *cancel, mouse_conn_t *conn)
{
    mouse_watch_t watch = {.deadline = apr_time_now() + CANCEL_LIMIT, .client = -1};
    const char *server = mouse_mysql(conn)->server;

    if (!server || strcmp(server, cancel->server) != 0)
        return;
    conn->watch = &watch;
    /* That it has ended by itself meanwhile is no failure. */
    (void)mouse_mysql_query(
        conn, apr_psprintf(cancel->pool, "KILL QUERY %" APR_UINT64_T_FMT, cancel->session));
    conn->watch = NULL;
}

static void *run_cancel(void *data)
{
    cancel_t *cancel = data;
    mouse_db_t *db = cancel->db;
    char why[MOUSE_WHY_MAX];
    mouse_conn_t *conn;

    if (mouse_mysql_probe(&cancel->config, CANCEL_LIMIT) &&
        mouse_conn_create(&cancel->opening, apr_time_now() + CANCEL_LIMIT, &conn, why) ==
            APR_SUCCESS) {
        kill_query(cancel, conn);
        mouse_conn_destroy(conn);
    }
    apr_pool_destroy(cancel->pool);
    if (db)
        mouse_db_thread_end(db);
    return NULL;
}

/* Everything the thread needs is its own: connection and pool may be gone before it ends.
 */
static cancel_t *create_cancel(const mouse_conn_t *conn)
{
    const mouse_mysql_t *mysql = mouse_mysql(conn);
    apr_pool_t *pool;
    cancel_t *cancel;

    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        return NULL;
    cancel = apr_pcalloc(pool, sizeof(*cancel));
    cancel->pool = pool;
    cancel->db = conn->db;
    cancel->session = mysql->session;
    cancel->server = apr_pstrdup(pool, mysql->server);
    cancel->config = *conn->config;
    cancel->config.cancel = false; /* nobody cancels the canceller */
    cancel->config.name = apr_pstrdup(pool, conn->config->name);
    cancel->config.params = apr_pstrdup(pool, conn->config->params);
    cancel->config.password = apr_pstrdup(pool, conn->config->password);
    cancel->opening = (mouse_opening_t){
        .driver = conn->driver, .apr_driver = conn->apr_driver, .config = &cancel->config};
    return cancel;
}

void mouse_mysql_cancel(mouse_conn_t *conn)
{
    cancel_t *cancel;

    if (!conn->config->cancel || !mouse_mysql(conn)->server)
        return;
    cancel = create_cancel(conn);
    if (!cancel)
        return;
    if (conn->db) {
        pthread_mutex_lock(&conn->db->lock);
        mouse_db_thread_begin(conn->db);
        pthread_mutex_unlock(&conn->db->lock);
    }
    if (mouse_thread_start(run_cancel, cancel))
        return;
    apr_pool_destroy(cancel->pool);
    if (conn->db)
        mouse_db_thread_end(conn->db);
}
