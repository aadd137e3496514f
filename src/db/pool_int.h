/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The pool, inside: what pool.c (taking and giving back), line.c (who waits) and opener.c
 * (how new ones come to be) share. Every field below `lock` is read and written under it.
 */
#ifndef MOUSE_POOL_INT_H
#define MOUSE_POOL_INT_H

#include <pthread.h>

#include "db/db_int.h"

/* A request in line. Lives on its thread's stack. */
typedef struct mouse_waiter_t {
    pthread_cond_t wake;
    mouse_conn_t *conn; /* handed over */
    bool failed;        /* the database could not be opened while it waited */
    struct mouse_waiter_t *next;
} mouse_waiter_t;

/* One try to open a connection, on a thread of its own. */
typedef struct mouse_attempt_t {
    mouse_db_t *db;
    bool probe;       /* ask the network first */
    bool abandoned;   /* took too long: nobody waits for it any more */
    apr_time_t limit; /* abandoned when not done by then */
    struct mouse_attempt_t *next;
} mouse_attempt_t;

struct mouse_db_t {
    apr_pool_t *pool; /* a root pool: threads that still open outlive the child's */
    mouse_db_config_t config;
    mouse_opening_t opening;

    pthread_mutex_t lock;
    int references;       /* the child's pool, each connection, each thread */
    int threads;          /* attempts and cancellers that run now */
    pthread_cond_t quiet; /* none does any more */
    bool closing;

    mouse_conn_t *idle; /* used last, first */
    int open;           /* idle or out */
    int idle_count;
    apr_time_t reap_at;

    mouse_waiter_t *first, **last;
    int waiting;

    mouse_attempt_t *attempts;
    int opening_count;   /* attempts that are not abandoned */
    int abandoned_count; /* attempts that are */
    bool suspect;        /* the last news of the server was bad */
    apr_time_t retry_at; /* nothing is tried before */
    apr_interval_time_t backoff;

    uint64_t created, discarded, waited;
    mouse_db_board_t *_Atomic board; /* NULL: nobody reads, or the pool has ended */
    uint64_t board_created, board_discarded, board_waited; /* before this pool */
};

/* ---- board.c ---- */

/* Begins to show the pool there, from what an earlier one has counted; board: or NULL. */
void mouse_board_open(mouse_db_t *db, mouse_db_board_t *board);
/* Shows what has changed. Under the lock. */
void mouse_board_publish(mouse_db_t *db);
/* For the last time: nothing is open any more. Under the lock. */
void mouse_board_close(mouse_db_t *db);

/* ---- opener.c ---- */

/* Starts as many attempts as the line needs and the limits allow. Under the lock. */
void mouse_opener_start(mouse_db_t *db, apr_time_t now);

/* Gives up on attempts that took too long. Under the lock. */
void mouse_opener_abandon(mouse_db_t *db, apr_time_t now);

/* When the line has to look again: an attempt's limit or the back-off's end; 0: never. */
apr_time_t mouse_opener_next(const mouse_db_t *db);

/* ---- line.c ---- */

/* Gives a connection to the first in line, else to the idle ones. Under the lock. */
void mouse_db_hand_over(mouse_db_t *db, mouse_conn_t *conn);

/*
 * Stands in line until the deadline, starting openings as needed. NULL: out of time, the
 * database cannot be opened, or the client has gone (*gone, false before). Under the lock.
 */
mouse_conn_t *mouse_db_wait(mouse_db_t *db, const mouse_watch_t *watch, apr_time_t deadline,
                            bool *gone);

/* Nothing is open and nothing may be tried yet: waiting would be in vain. */
bool mouse_db_hopeless(const mouse_db_t *db, apr_time_t now);

/* Tells everybody in line that the database cannot be opened. Under the lock. */
void mouse_db_fail_line(mouse_db_t *db);

/* ---- pool.c ---- */

/* A thread begins: counted, and the pool lives until it has ended. Under the lock. */
void mouse_db_thread_begin(mouse_db_t *db);

/* It ends here; db may be gone afterwards. Takes the lock. */
void mouse_db_thread_end(mouse_db_t *db);

#endif
