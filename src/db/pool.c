/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The pool of one database in one process: its life, and its connections taken and given
 * back. Idle ones are taken last in, first out, so that unneeded ones age and close.
 * Waiting for one is line.c's business, opening opener.c's.
 */

#include "db/pool_int.h"

#include <stdlib.h>

#include <apr_strings.h>

#define PING_AFTER  apr_time_from_sec(5)
#define PING_LIMIT  apr_time_from_sec(1)
#define REAP_EVERY  apr_time_from_sec(1)
#define QUIET_LIMIT apr_time_from_msec(2500)

/* To a smaller pool, as prefork's children have them, one more would be much. */
#define RESERVE_FROM 4

/* ---- life ---- */

/* Gives the lock and one reference back. */
static void unreference_locked(mouse_db_t *db)
{
    bool last = --db->references == 0;

    pthread_mutex_unlock(&db->lock);
    if (!last)
        return;
    pthread_cond_destroy(&db->quiet);
    pthread_mutex_destroy(&db->lock);
    apr_pool_destroy(db->pool);
}

/* The same, when the lock is not held. */
static void unreference(mouse_db_t *db)
{
    pthread_mutex_lock(&db->lock);
    unreference_locked(db);
}

void mouse_db_thread_begin(mouse_db_t *db)
{
    db->references++;
    db->threads++;
}

void mouse_db_thread_end(mouse_db_t *db)
{
    pthread_mutex_lock(&db->lock);
    if (--db->threads == 0)
        pthread_cond_broadcast(&db->quiet);
    unreference_locked(db);
}

/* The process unloads drivers and this module when it ends: its threads should be out of
 * them by then. One that hangs in an opening is left behind. Under the lock. */
static void await_threads(mouse_db_t *db)
{
    apr_time_t end = apr_time_now() + QUIET_LIMIT;
    struct timespec when = {.tv_sec = apr_time_sec(end),
                            .tv_nsec = apr_time_usec(end) * 1000};

    while (db->threads > 0 && pthread_cond_timedwait(&db->quiet, &db->lock, &when) == 0)
        continue;
}

static void destroy_list(mouse_conn_t *list)
{
    mouse_conn_t *next;

    for (; list; list = next) {
        next = list->next_idle;
        mouse_conn_destroy(list);
    }
}

/* Takes all idle connections out, for closing once the lock is given back. */
static mouse_conn_t *take_all_idle(mouse_db_t *db)
{
    mouse_conn_t *list = db->idle;

    db->open -= db->idle_count;
    db->references -= db->idle_count;
    db->discarded += db->idle_count;
    db->idle_count = 0;
    db->idle = NULL;
    return list;
}

static apr_status_t close_db(void *data)
{
    mouse_db_t *db = data;
    mouse_conn_t *list;

    pthread_mutex_lock(&db->lock);
    db->closing = true;
    list = take_all_idle(db);
    mouse_db_fail_line(db);
    mouse_board_close(db);
    pthread_mutex_unlock(&db->lock);
    destroy_list(list);
    pthread_mutex_lock(&db->lock);
    await_threads(db);
    unreference_locked(db);
    return APR_SUCCESS;
}

static void copy_config(mouse_db_t *db, const mouse_db_config_t *config)
{
    db->config = *config;
    db->config.name = apr_pstrdup(db->pool, config->name);
    db->config.driver = apr_pstrdup(db->pool, config->driver);
    db->config.params = apr_pstrdup(db->pool, config->params);
    db->config.password = apr_pstrdup(db->pool, config->password);
    if (db->config.max < 1)
        db->config.max = 1;
}

apr_status_t mouse_db_create_with(apr_pool_t *pchild, const mouse_opening_t *opening,
                                  mouse_db_t **result)
{
    apr_pool_t *pool;
    mouse_db_t *db;

    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        abort();
    apr_pool_tag(pool, "mouse_db");
    db = apr_pcalloc(pool, sizeof(*db));
    db->pool = pool;
    copy_config(db, opening->config);
    db->opening = *opening;
    db->opening.config = &db->config;
    if (opening->driver->share)
        db->opening.shared = opening->driver->share(pool, &db->opening);
    db->last = &db->first;
    mouse_board_open(db, opening->config->board);
    db->references = 1;
    pthread_mutex_init(&db->lock, NULL);
    pthread_cond_init(&db->quiet, NULL);
    apr_pool_cleanup_register(pchild, db, close_db, apr_pool_cleanup_null);
    *result = db;
    return APR_SUCCESS;
}

apr_status_t mouse_db_create(apr_pool_t *pchild, const mouse_db_config_t *config,
                             const mouse_log_t *log, mouse_db_t **db, mouse_error_t **err)
{
    mouse_opening_t opening = {.config = config, .log = log};

    if (mouse_db_check(pchild, config, err) != APR_SUCCESS)
        return APR_EGENERAL;
    opening.driver = mouse_driver_find(config->driver);
    if (mouse_driver_load(pchild, config->driver, &opening.apr_driver, err) != APR_SUCCESS)
        return APR_EGENERAL;
    return mouse_db_create_with(pchild, &opening, db);
}

/* ---- idle connections ---- */

static mouse_conn_t *take_idle(mouse_db_t *db)
{
    mouse_conn_t *conn = db->idle;

    if (conn) {
        db->idle = conn->next_idle;
        conn->next_idle = NULL;
        db->idle_count--;
    }
    return conn;
}

static bool is_expired(const mouse_db_t *db, const mouse_conn_t *conn, apr_time_t now)
{
    return (db->config.idle > 0 && now - conn->last_used >= db->config.idle) ||
           (db->config.lifetime > 0 && now - conn->opened >= db->config.lifetime);
}

/* Takes out what is too old, at most once a second, for closing outside the lock. */
static mouse_conn_t *reap(mouse_db_t *db, apr_time_t now)
{
    mouse_conn_t **link = &db->idle, *conn, *list = NULL;

    if (now < db->reap_at)
        return NULL;
    db->reap_at = now + REAP_EVERY;
    while ((conn = *link)) {
        if (!is_expired(db, conn, now)) {
            link = &conn->next_idle;
            continue;
        }
        *link = conn->next_idle;
        conn->next_idle = list;
        list = conn;
        db->idle_count--;
        db->open--;
        db->references--;
        db->discarded++;
    }
    return list;
}

/* The server may have gone while nobody looked. A dead one must not cost the request more
 * than its wait. */
static bool is_alive(mouse_conn_t *conn, apr_time_t now, apr_time_t deadline)
{
    mouse_watch_t watch = {.deadline = now + PING_LIMIT, .client = -1};
    apr_status_t status;

    if (now - conn->last_used < PING_AFTER)
        return true;
    if (deadline < watch.deadline)
        watch.deadline = deadline;
    conn->watch = &watch;
    mouse_fault_clear(conn);
    status = conn->driver->ping(conn);
    conn->watch = NULL;
    return status == APR_SUCCESS;
}

/* Closes a connection, and when its server went away the idle ones, too. */
static void discard(mouse_db_t *db, mouse_conn_t *conn, bool lost)
{
    mouse_conn_t *list = NULL;
    apr_time_t now;

    mouse_conn_destroy(conn);
    now = apr_time_now();
    pthread_mutex_lock(&db->lock);
    db->open--;
    db->discarded++;
    if (lost) {
        list = take_all_idle(db);
        db->suspect = true;
    }
    mouse_opener_start(db, now);
    if (mouse_db_hopeless(db, now))
        mouse_db_fail_line(db);
    mouse_board_publish(db);
    pthread_mutex_unlock(&db->lock);
    destroy_list(list);
    unreference(db);
}

/* ---- taking and giving back ---- */

/* *why is set when there is none. */
static mouse_conn_t *take(mouse_db_t *db, const mouse_watch_t *watch, apr_time_t now,
                          apr_time_t deadline, mouse_code_t *why)
{
    mouse_conn_t *conn, *old;
    bool gone = false;

    pthread_mutex_lock(&db->lock);
    old = reap(db, now);
    conn = take_idle(db);
    if (!conn)
        conn = mouse_db_wait(db, watch, deadline, &gone);
    *why = gone ? MOUSE_E_CLIENT_GONE : db->open == 0 ? MOUSE_E_DB_DOWN : MOUSE_E_DB_BUSY;
    mouse_board_publish(db);
    pthread_mutex_unlock(&db->lock);
    destroy_list(old);
    return conn;
}

static apr_status_t refuse(mouse_db_t *db, apr_pool_t *p, mouse_code_t why,
                           mouse_error_t **err)
{
    mouse_error_set(err, p, why, NULL);
    if (why == MOUSE_E_CLIENT_GONE) {
        (*err)->log = apr_psprintf(p, "database %s: while in line", db->config.name);
        return APR_EGENERAL;
    }
    (*err)->log = apr_psprintf(p, "database %s: %s", db->config.name,
                               why == MOUSE_E_DB_DOWN ? "cannot be opened"
                                                      : "all connections are in use");
    (*err)->retry_after = 1;
    return APR_EGENERAL;
}

apr_status_t mouse_conn_acquire(mouse_db_t *db, apr_pool_t *p, mouse_watch_t *watch,
                                mouse_conn_t **result, mouse_error_t **err)
{
    apr_time_t now = apr_time_now(), deadline = now + db->config.wait;
    mouse_conn_t *conn;
    mouse_code_t why;

    if (watch && watch->deadline < deadline)
        deadline = watch->deadline;
    while ((conn = take(db, watch, now, deadline, &why))) {
        if (is_alive(conn, now, deadline))
            break;
        discard(db, conn, true);
        now = apr_time_now();
    }
    if (!conn)
        return refuse(db, p, why, err);
    mouse_fault_clear(conn);
    conn->watch = watch;
    *result = conn;
    return APR_SUCCESS;
}

/* The lock is held for a few assignments only: what is slow is done before or after. */
void mouse_conn_release(mouse_conn_t *conn)
{
    mouse_db_t *db = conn->db;
    mouse_conn_t *old;
    apr_time_t now;
    bool keep = mouse_conn_settle(conn);

    if (!db) {
        mouse_conn_destroy(conn);
        return;
    }
    now = apr_time_now();
    conn->watch = NULL;
    conn->used = true;
    conn->last_used = now;
    if (!keep || is_expired(db, conn, now)) {
        discard(db, conn, conn->lost);
        return;
    }
    pthread_mutex_lock(&db->lock);
    old = reap(db, now);
    keep = !db->closing;
    if (keep)
        mouse_db_hand_over(db, conn);
    mouse_board_publish(db);
    pthread_mutex_unlock(&db->lock);
    destroy_list(old);
    if (!keep)
        discard(db, conn, false);
}

/* ---- questions ---- */

const mouse_db_config_t *mouse_db_config(const mouse_db_t *db)
{
    return &db->config;
}

int mouse_db_demand(const mouse_driver_t *driver, const mouse_db_config_t *config, int max)
{
    return driver->reserve && config->cancel && max >= RESERVE_FROM ? max + 1 : max;
}

int mouse_conn_demand(const mouse_conn_t *conn, int max)
{
    return mouse_db_demand(conn->driver, conn->config, max);
}

void mouse_db_stats(mouse_db_t *db, mouse_db_stats_t *stats)
{
    pthread_mutex_lock(&db->lock);
    *stats = (mouse_db_stats_t){
        .open = db->open,
        .idle = db->idle_count,
        .waiting = db->waiting,
        .created = db->created,
        .discarded = db->discarded,
        .waited = db->waited,
    };
    pthread_mutex_unlock(&db->lock);
}
