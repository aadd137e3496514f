/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * SQLite: who waits for whom, and how long. A database file has one writer at a time, so
 * the connections of a pool stand in line for it here instead of polling a lock; the busy
 * handler is left for other processes. All waiting ends at the watch's deadline or
 * when the client leaves.
 */

#include "db/sqlite_int.h"

#define PROGRESS_STEPS 1000
#define POLL_INTERVAL  5000   /* microseconds between looks at the client's socket */
#define ASK_INTERVAL   100000 /* and between questions to watch->gone */
#define QUEUE_SLICE    50000
#define BUSY_LONGEST   10 /* milliseconds of one sleep */

static bool client_gone(mouse_conn_t *conn, apr_time_t now)
{
    mouse_sqlite_t *state = conn->state;
    mouse_watch_t *watch = conn->watch;

    if (watch->client >= 0 && now - state->polled >= POLL_INTERVAL) {
        state->polled = now;
        if (mouse_watch_hung_up(watch->client))
            return true;
    }
    if (watch->gone && now - state->asked >= ASK_INTERVAL) {
        state->asked = now;
        return watch->gone(watch->baton);
    }
    return false;
}

static apr_time_t deadline_of(const mouse_conn_t *conn)
{
    const mouse_sqlite_t *state = conn->state;

    return conn->watch ? conn->watch->deadline : state->given_up;
}

static bool is_committing(const mouse_conn_t *conn)
{
    const mouse_sqlite_t *state = conn->state;

    return state->committing || (conn->watch && conn->watch->committing);
}

/* Must this connection stop now? Sets state->stop. */
static bool must_stop(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    apr_time_t now = apr_time_now();

    if (now >= deadline_of(conn))
        state->stop = MOUSE_FAULT_TIMEOUT;
    else if (conn->watch && conn->config->cancel && !is_committing(conn) &&
             client_gone(conn, now))
        state->stop = MOUSE_FAULT_GONE;
    return state->stop != MOUSE_FAULT_NONE;
}

void mouse_sqlite_start(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;

    state->stop = MOUSE_FAULT_NONE;
    state->given_up = apr_time_now() + apr_time_from_sec(2);
}

/* ---- SQLite's two callbacks ---- */

static int on_progress(void *baton)
{
    mouse_conn_t *conn = baton;

    return !is_committing(conn) && must_stop(conn);
}

/* A COMMIT that finds the file busy has written nothing yet and may give up, too. */
static int on_busy(void *baton, int tries)
{
    mouse_conn_t *conn = baton;
    int milliseconds = tries < BUSY_LONGEST ? tries + 1 : BUSY_LONGEST;

    if (must_stop(conn))
        return 0;
    apr_sleep((apr_interval_time_t)milliseconds * 1000);
    return 1;
}

void mouse_sqlite_watch(mouse_conn_t *conn)
{
    sqlite3_busy_handler(conn->native, on_busy, conn);
    sqlite3_progress_handler(conn->native, PROGRESS_STEPS, on_progress, conn);
}

/* ---- the line of writers ---- */

static apr_status_t destroy_queue(void *baton)
{
    mouse_sqlite_queue_t *queue = baton;

    pthread_mutex_destroy(&queue->lock);
    return APR_SUCCESS;
}

void *mouse_sqlite_share(apr_pool_t *p, const mouse_opening_t *opening)
{
    mouse_sqlite_queue_t *queue = apr_pcalloc(p, sizeof(*queue));

    (void)opening;
    pthread_mutex_init(&queue->lock, NULL);
    apr_pool_cleanup_register(p, queue, destroy_queue, apr_pool_cleanup_null);
    return queue;
}

static void join_line(mouse_sqlite_queue_t *queue, mouse_sqlite_writer_t *writer)
{
    writer->granted = false;
    writer->next = NULL;
    if (queue->last)
        queue->last->next = writer;
    else
        queue->first = writer;
    queue->last = writer;
}

static void quit_line(mouse_sqlite_queue_t *queue, mouse_sqlite_writer_t *writer)
{
    mouse_sqlite_writer_t *before = NULL;

    for (mouse_sqlite_writer_t *at = queue->first; at != writer; at = at->next)
        before = at;
    if (before)
        before->next = writer->next;
    else
        queue->first = writer->next;
    if (queue->last == writer)
        queue->last = before;
}

static void hand_over(mouse_sqlite_queue_t *queue)
{
    mouse_sqlite_writer_t *next = queue->first;

    if (!next) {
        queue->taken = false;
        return;
    }
    queue->first = next->next;
    if (!queue->first)
        queue->last = NULL;
    next->granted = true;
    pthread_cond_signal(&next->wake);
}

static void sleep_in_line(mouse_sqlite_queue_t *queue, mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    apr_time_t until = apr_time_now() + QUEUE_SLICE;
    struct timespec at;

    if (until > deadline_of(conn))
        until = deadline_of(conn);
    at.tv_sec = (time_t)apr_time_sec(until);
    at.tv_nsec = (long)apr_time_usec(until) * 1000;
    pthread_cond_timedwait(&state->writer.wake, &queue->lock, &at);
}

/* With the lock held, which is given up while somebody else's code is asked. */
static bool wait_in_line(mouse_sqlite_queue_t *queue, mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    bool stop;

    join_line(queue, &state->writer);
    while (!state->writer.granted) {
        sleep_in_line(queue, conn);
        if (state->writer.granted)
            break;
        pthread_mutex_unlock(&queue->lock);
        stop = must_stop(conn);
        pthread_mutex_lock(&queue->lock);
        if (stop && !state->writer.granted) {
            quit_line(queue, &state->writer);
            return false;
        }
    }
    return true;
}

apr_status_t mouse_sqlite_enter(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    mouse_sqlite_queue_t *queue = conn->shared;
    bool entered = true;

    if (!queue || state->writing)
        return APR_SUCCESS;
    pthread_mutex_lock(&queue->lock);
    if (queue->taken)
        entered = wait_in_line(queue, conn);
    else
        queue->taken = true;
    pthread_mutex_unlock(&queue->lock);
    state->writing = entered;
    return entered ? APR_SUCCESS : mouse_sqlite_fault(conn, SQLITE_INTERRUPT);
}

void mouse_sqlite_leave(mouse_conn_t *conn)
{
    mouse_sqlite_t *state = conn->state;
    mouse_sqlite_queue_t *queue = conn->shared;

    if (!state->writing)
        return;
    state->writing = false;
    pthread_mutex_lock(&queue->lock);
    hand_over(queue);
    pthread_mutex_unlock(&queue->lock);
}
