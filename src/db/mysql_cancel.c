/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB: ending a statement nobody waits for any more. The server does not notice that
 * its client went; KILL QUERY from a second connection tells it, on a short-lived thread,
 * since the request's must not wait.
 *
 * A pool keeps one for that beside its own, opened behind its first one: a server without
 * room for another can still be told. A small pool, as prefork has them, opens it when it
 * is needed and closes it again. Before each KILL it is made sure that both connections are
 * of the same server: behind a balancer the number could be another's.
 */

#include "db/mysql_int.h"
#include "db/pool_int.h"

#include <apr_strings.h>

#define CANCEL_LIMIT apr_time_from_sec(1)

/* conn->shared: one a pool. */
typedef struct canceller_t {
    mouse_db_config_t config; /* the pool's, but nobody cancels the canceller */
    mouse_opening_t opening;
    bool keeps;

    pthread_mutex_t lock;
    pthread_cond_t back;
    bool out;           /* some thread has it */
    mouse_conn_t *conn; /* belongs to whoever has it; NULL: not open */
} canceller_t;

typedef struct cancel_t {
    apr_pool_t *pool;
    mouse_db_t *db; /* which lives until this thread ends */
    canceller_t *canceller;
    uint64_t session;
    const char *server;
} cancel_t;

/* ---- the kept connection ---- */

static apr_status_t destroy_canceller(void *data)
{
    canceller_t *canceller = data;

    if (canceller->conn)
        mouse_conn_destroy(canceller->conn);
    pthread_cond_destroy(&canceller->back);
    pthread_mutex_destroy(&canceller->lock);
    return APR_SUCCESS;
}

void *mouse_mysql_share(apr_pool_t *p, const mouse_opening_t *opening)
{
    canceller_t *canceller = apr_pcalloc(p, sizeof(*canceller));

    canceller->config = *opening->config;
    canceller->config.cancel = false;
    canceller->opening = *opening;
    canceller->opening.config = &canceller->config;
    canceller->keeps = mouse_db_demand(opening->driver, opening->config,
                                       opening->config->max) > opening->config->max;
    pthread_mutex_init(&canceller->lock, NULL);
    pthread_cond_init(&canceller->back, NULL);
    apr_pool_cleanup_register(p, canceller, destroy_canceller, apr_pool_cleanup_null);
    return canceller;
}

static mouse_conn_t *open_conn(const canceller_t *canceller)
{
    char why[MOUSE_WHY_MAX];
    mouse_conn_t *conn;

    return mouse_conn_create(&canceller->opening, apr_time_now() + CANCEL_LIMIT, &conn,
                             why) == APR_SUCCESS
               ? conn
               : NULL;
}

/* False: somebody else has it and did not give it back in time. */
static bool take(canceller_t *canceller)
{
    apr_time_t until = apr_time_now() + CANCEL_LIMIT;
    struct timespec when = {.tv_sec = apr_time_sec(until),
                            .tv_nsec = apr_time_usec(until) * 1000};
    bool taken;

    pthread_mutex_lock(&canceller->lock);
    while (canceller->out &&
           pthread_cond_timedwait(&canceller->back, &canceller->lock, &when) == 0)
        continue;
    taken = !canceller->out;
    canceller->out = true;
    pthread_mutex_unlock(&canceller->lock);
    return taken;
}

static void put_back(canceller_t *canceller, mouse_conn_t *conn)
{
    pthread_mutex_lock(&canceller->lock);
    canceller->conn = conn;
    canceller->out = false;
    pthread_cond_signal(&canceller->back);
    pthread_mutex_unlock(&canceller->lock);
}

static bool is_alive(mouse_conn_t *conn)
{
    mouse_watch_t watch = {.deadline = apr_time_now() + CANCEL_LIMIT, .client = -1};
    apr_status_t status;

    conn->watch = &watch;
    status = conn->driver->ping(conn);
    conn->watch = NULL;
    return status == APR_SUCCESS;
}

/* Nobody waits here for whoever has it: they will see for themselves whether it lives. */
void mouse_mysql_reserve(void *shared)
{
    canceller_t *canceller = shared;
    mouse_conn_t *conn;
    bool taken;

    if (!canceller->keeps)
        return;
    pthread_mutex_lock(&canceller->lock);
    taken = !canceller->out;
    canceller->out = true;
    pthread_mutex_unlock(&canceller->lock);
    if (!taken)
        return;
    conn = canceller->conn;
    if (conn && !is_alive(conn)) {
        mouse_conn_destroy(conn);
        conn = NULL;
    }
    put_back(canceller, conn ? conn : open_conn(canceller));
}

/* ---- one cancel ---- */

/* False: this connection is of no use any more. */
static bool kill_query(const cancel_t *cancel, mouse_conn_t *conn)
{
    mouse_watch_t watch = {.deadline = apr_time_now() + CANCEL_LIMIT, .client = -1};
    const char *server = mouse_mysql(conn)->server;

    if (!server || strcmp(server, cancel->server) != 0)
        return false;
    conn->watch = &watch;
    /* That it has ended by itself meanwhile is no failure. */
    (void)mouse_mysql_query(
        conn, apr_psprintf(cancel->pool, "KILL QUERY %" APR_UINT64_T_FMT, cancel->session));
    conn->watch = NULL;
    return !conn->doubtful;
}

/* With the connection given, and where that one is dead with a new one; what is left. */
static mouse_conn_t *kill_with(const cancel_t *cancel, mouse_conn_t *conn)
{
    if (conn && kill_query(cancel, conn))
        return conn;
    if (conn)
        mouse_conn_destroy(conn);
    conn = mouse_mysql_probe(&cancel->canceller->config, CANCEL_LIMIT)
               ? open_conn(cancel->canceller)
               : NULL;
    if (!conn || kill_query(cancel, conn))
        return conn;
    mouse_conn_destroy(conn);
    return NULL;
}

static void *run_cancel(void *data)
{
    cancel_t *cancel = data;
    mouse_db_t *db = cancel->db;
    canceller_t *canceller = cancel->canceller;
    bool taken = canceller->keeps && take(canceller);
    mouse_conn_t *conn = kill_with(cancel, taken ? canceller->conn : NULL);

    if (taken)
        put_back(canceller, conn);
    else if (conn)
        mouse_conn_destroy(conn);
    apr_pool_destroy(cancel->pool);
    mouse_db_thread_end(db);
    return NULL;
}

/* The connection may be gone before the thread ends: what it needs of it is copied. */
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
    cancel->canceller = conn->shared;
    cancel->session = mysql->session;
    cancel->server = apr_pstrdup(pool, mysql->server);
    return cancel;
}

void mouse_mysql_cancel(mouse_conn_t *conn)
{
    mouse_db_t *db = conn->db;
    cancel_t *cancel;

    if (!db || !conn->config->cancel || !mouse_mysql(conn)->server)
        return;
    cancel = create_cancel(conn);
    if (!cancel)
        return;
    pthread_mutex_lock(&db->lock);
    mouse_db_thread_begin(db);
    pthread_mutex_unlock(&db->lock);
    if (mouse_thread_start(run_cancel, cancel))
        return;
    apr_pool_destroy(cancel->pool);
    mouse_db_thread_end(db);
}
