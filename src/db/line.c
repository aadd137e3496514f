/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Standing in line for a connection: first in, first out, each request on a condition of
 * its own, and handed a connection directly. Nobody overtakes; whose client has gone
 * leaves.
 */

#include "db/pool_int.h"

#define LOOK_EVERY apr_time_from_msec(250)

static void join_line(mouse_db_t *db, mouse_waiter_t *waiter)
{
    pthread_cond_init(&waiter->wake, NULL);
    *db->last = waiter;
    db->last = &waiter->next;
    db->waiting++;
    db->waited++;
}

static mouse_waiter_t *take_first(mouse_db_t *db)
{
    mouse_waiter_t *waiter = db->first;

    if (!waiter)
        return NULL;
    db->first = waiter->next;
    if (!db->first)
        db->last = &db->first;
    waiter->next = NULL;
    db->waiting--;
    return waiter;
}

static void leave_line(mouse_db_t *db, mouse_waiter_t *waiter)
{
    mouse_waiter_t **link = &db->first;

    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
    if (db->last == &waiter->next)
        db->last = link;
    db->waiting--;
}

void mouse_db_hand_over(mouse_db_t *db, mouse_conn_t *conn)
{
    mouse_waiter_t *waiter = take_first(db);

    if (waiter) {
        waiter->conn = conn;
        pthread_cond_signal(&waiter->wake);
        return;
    }
    conn->next_idle = db->idle;
    db->idle = conn;
    db->idle_count++;
}

void mouse_db_fail_line(mouse_db_t *db)
{
    mouse_waiter_t *waiter;

    while ((waiter = take_first(db))) {
        waiter->failed = true;
        pthread_cond_signal(&waiter->wake);
    }
}

static void wait_until(mouse_db_t *db, mouse_waiter_t *waiter, apr_time_t until)
{
    struct timespec when = {.tv_sec = apr_time_sec(until),
                            .tv_nsec = apr_time_usec(until) * 1000};

    pthread_cond_timedwait(&waiter->wake, &db->lock, &when);
}

bool mouse_db_hopeless(const mouse_db_t *db, apr_time_t now)
{
    return db->closing ||
           (db->open == 0 && db->opening_count == 0 && db->suspect && now < db->retry_at);
}

/* When a wait has to be interrupted: the line's business, or a look at the client. */
static apr_time_t next_look(const mouse_db_t *db, apr_time_t now, apr_time_t deadline)
{
    apr_time_t next = mouse_opener_next(db);

    if (next <= now || next > deadline)
        next = deadline;
    return next < now + LOOK_EVERY ? next : now + LOOK_EVERY;
}

/* The lock is given up while somebody else's code is asked. */
static bool has_gone(mouse_db_t *db, const mouse_watch_t *watch)
{
    bool gone;

    if (!watch)
        return false;
    pthread_mutex_unlock(&db->lock);
    gone = mouse_watch_gone(watch);
    pthread_mutex_lock(&db->lock);
    return gone;
}

static bool is_served(const mouse_waiter_t *waiter)
{
    return waiter->conn || waiter->failed;
}

mouse_conn_t *mouse_db_wait(mouse_db_t *db, const mouse_watch_t *watch, apr_time_t deadline,
                            bool *gone)
{
    mouse_waiter_t waiter = {.conn = NULL};
    apr_time_t now = apr_time_now(), look = now + LOOK_EVERY;

    mouse_opener_abandon(db, now);
    if (mouse_db_hopeless(db, now))
        return NULL;
    join_line(db, &waiter);
    mouse_board_publish(db);
    while (!is_served(&waiter) && !*gone && now < deadline) {
        mouse_opener_start(db, now);
        if (!is_served(&waiter))
            wait_until(db, &waiter, next_look(db, now, deadline));
        now = apr_time_now();
        if (!is_served(&waiter) && now >= look) {
            *gone = has_gone(db, watch);
            look = now + LOOK_EVERY;
        }
        mouse_opener_abandon(db, now);
    }
    if (!is_served(&waiter))
        leave_line(db, &waiter);
    pthread_cond_destroy(&waiter.wake);
    return waiter.conn;
}
