/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB: how the client library waits. One poll() watches the database's socket, the
 * client's socket and the deadline at once, so that no other thread has to.
 *
 * The library's callback gets no pointer of ours; a thread-local one says whose connection
 * this thread is in. It has no destructor, so the module may be unloaded.
 */

#include "db/mysql_int.h"

#include <errno.h>
#include <poll.h>

#define LOOK_EVERY_MS 100

static _Thread_local mouse_conn_t *current;

void mouse_mysql_enter(mouse_conn_t *conn)
{
    current = conn;
    if (mouse_mysql(conn)->tls)
        mouse_mysql_tls_enter();
}

void mouse_mysql_leave(mouse_conn_t *conn)
{
    (void)conn;
    current = NULL;
}

static int milliseconds_left(apr_time_t deadline)
{
    apr_interval_time_t left = deadline - apr_time_now();

    if (left <= 0)
        return 0;
    return left >= apr_time_from_sec(3600) ? 3600 * 1000 : (int)((left + 999) / 1000);
}

/* 1: the database's socket is ready; 0: time passed; -1: the client went. */
static int poll_both(int database, short events, int client, int timeout)
{
    struct pollfd fds[2] = {{.fd = database, .events = events},
                            {.fd = client, .events = POLLRDHUP}};
    int ready = poll(fds, client >= 0 ? 2 : 1, timeout);

    if (ready < 0 && errno != EINTR)
        return 1; /* the read that follows meets the same error and reports it */
    if (ready <= 0)
        return 0;
    if (fds[0].revents)
        return 1;
    return -1;
}

/* Looks every now and then after who waits; `once`: for no longer than that. */
static mouse_fault_class_t wait_watched(const mouse_watch_t *watch, int database,
                                        short events, bool once)
{
    for (;;) {
        int left = milliseconds_left(watch->deadline);
        int client = watch->committing ? -1 : watch->client;
        int answer = poll_both(database, events, client,
                               left < LOOK_EVERY_MS ? left : LOOK_EVERY_MS);

        if (answer > 0)
            return MOUSE_FAULT_NONE;
        if (answer < 0)
            return MOUSE_FAULT_GONE;
        if (left == 0)
            return MOUSE_FAULT_TIMEOUT;
        if (!watch->committing && watch->gone && watch->gone(watch->baton))
            return MOUSE_FAULT_GONE;
        if (once)
            return MOUSE_FAULT_NONE;
    }
}

/* A TLS stream that cannot write says here that it would read. When the socket takes no
 * bytes it may be that, and the end of that is an event, too. */
static short events_of_tls(int database)
{
    struct pollfd out = {.fd = database, .events = POLLOUT};

    return poll(&out, 1, 0) == 0 ? POLLIN | POLLOUT : POLLIN;
}

static int wait_alone(int database, short events, int timeout)
{
    struct pollfd fd = {.fd = database, .events = events};
    int ready;

    do
        ready = poll(&fd, 1, timeout > 0 ? timeout : -1);
    while (ready < 0 && errno == EINTR);
    return ready;
}

/* The library's contract: above 0 ready or to be tried again, else it gives the connection
 * up (2013). */
static int wait_io(my_socket database, my_bool is_read, int timeout)
{
    mouse_conn_t *conn = current;
    mouse_mysql_t *mysql = conn ? mouse_mysql(conn) : NULL;
    bool unsure = is_read && mysql && mysql->tls; /* whether it reads */
    short events = unsure ? events_of_tls((int)database) : is_read ? POLLIN : POLLOUT;

    if (!conn || !conn->watch)
        return wait_alone((int)database, events, timeout);
    if (mysql->stopped == MOUSE_FAULT_NONE)
        mysql->stopped = wait_watched(conn->watch, (int)database, events, unsure);
    else
        return 0;
    if (mysql->stopped == MOUSE_FAULT_NONE)
        return 1;
    conn->doubtful = true;
    mouse_mysql_cancel(conn);
    return 0;
}

void mouse_mysql_watch(MYSQL *native)
{
    mysql_optionsv(native, MARIADB_OPT_IO_WAIT, wait_io);
}
