/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* db: the pool, with a driver that only counts. */

#include "unit.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "db/db_int.h"

/* What the fake database does, and what it saw. */
static struct {
    bool refuse;      /* openings fail */
    useconds_t slow;  /* openings take that long */
    bool silent;      /* pings fail */
    bool transaction; /* what the server says */
    bool deaf;        /* probes fail */
    int opened, closed, tried, probed, pinged, prepared, unprepared, finished, reserved;
    char sql[32]; /* prepared last */
} fake;

#define COUNT(field)        __atomic_add_fetch(&fake.field, 1, __ATOMIC_SEQ_CST)
#define READ(field)         __atomic_load_n(&fake.field, __ATOMIC_SEQ_CST)
#define WRITE(field, value) __atomic_store_n(&fake.field, value, __ATOMIC_SEQ_CST)

static apr_status_t fake_open(mouse_conn_t *conn)
{
    COUNT(tried);
    if (READ(slow) > 0)
        usleep(READ(slow));
    if (READ(refuse))
        return mouse_fault_set(conn, MOUSE_FAULT_LOST, 2002, NULL, "refused");
    COUNT(opened);
    return APR_SUCCESS;
}

static void fake_close(mouse_conn_t *conn)
{
    if (conn->opened)
        COUNT(closed);
}

static bool fake_probe(const mouse_db_config_t *config, apr_interval_time_t limit)
{
    (void)config;
    (void)limit;
    COUNT(probed);
    return !READ(deaf);
}

static apr_status_t fake_ping(mouse_conn_t *conn)
{
    COUNT(pinged);
    return READ(silent) ? mouse_fault_set(conn, MOUSE_FAULT_LOST, 2006, NULL, "gone")
                        : APR_SUCCESS;
}

static apr_status_t fake_begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    (void)conn;
    (void)kind;
    WRITE(transaction, true);
    return APR_SUCCESS;
}

static apr_status_t fake_end(mouse_conn_t *conn)
{
    (void)conn;
    WRITE(transaction, false);
    return APR_SUCCESS;
}

static bool fake_in_transaction(mouse_conn_t *conn)
{
    (void)conn;
    return READ(transaction);
}

static apr_status_t fake_prepare(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    (void)stmt;
    ck_assert_uint_lt(sql.len, sizeof(fake.sql));
    memcpy(fake.sql, sql.data, sql.len);
    fake.sql[sql.len] = '\0';
    COUNT(prepared);
    return APR_SUCCESS;
}

static apr_status_t fake_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    (void)stmt;
    (void)values;
    (void)count;
    return APR_SUCCESS;
}

static apr_status_t fake_finish(mouse_stmt_t *stmt)
{
    (void)stmt;
    COUNT(finished);
    return APR_SUCCESS;
}

static void fake_unprepare(mouse_stmt_t *stmt)
{
    (void)stmt;
    COUNT(unprepared);
}

static const mouse_driver_t fake_driver = {
    .name = "fake",
    .marks = true,
    .open = fake_open,
    .close = fake_close,
    .probe = fake_probe,
    .ping = fake_ping,
    .begin = fake_begin,
    .commit = fake_end,
    .rollback = fake_end,
    .in_transaction = fake_in_transaction,
    .prepare = fake_prepare,
    .run = fake_run,
    .finish = fake_finish,
    .unprepare = fake_unprepare,
};

static mouse_db_config_t config;
static mouse_db_t *db;
static mouse_watch_t watch;

static void create_db(int max, apr_interval_time_t wait)
{
    mouse_opening_t opening = {.driver = &fake_driver, .config = &config};

    memset(&fake, 0, sizeof(fake));
    config = (mouse_db_config_t){.name = "fake",
                                 .driver = "fake",
                                 .params = "",
                                 .max = max,
                                 .idle = apr_time_from_sec(60),
                                 .lifetime = apr_time_from_sec(600),
                                 .wait = wait,
                                 .timeout = apr_time_from_sec(30)};
    watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(30), .client = -1};
    ck_assert(mouse_db_create_with(unit_pool, &opening, &db) == APR_SUCCESS);
}

static mouse_conn_t *acquire(void)
{
    mouse_conn_t *conn = NULL;
    mouse_error_t *err = NULL;

    if (mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) != APR_SUCCESS)
        ck_abort_msg("no connection: %s", mouse_error_text(unit_pool, err));
    return conn;
}

static const mouse_error_t *refused(void)
{
    mouse_conn_t *conn;
    mouse_error_t *err = NULL;

    ck_assert(mouse_conn_acquire(db, unit_pool, &watch, &conn, &err) != APR_SUCCESS);
    return err;
}

static mouse_db_stats_t stats(void)
{
    mouse_db_stats_t now;

    mouse_db_stats(db, &now);
    return now;
}

/* ---- taking and giving back ---- */

START_TEST(connections_are_reused_last_first)
{
    mouse_conn_t *first, *second;

    create_db(4, apr_time_from_sec(2));
    ck_assert_int_eq(stats().open, 0);
    first = acquire();
    second = acquire();
    ck_assert(!mouse_conn_used(first));
    mouse_conn_release(first);
    mouse_conn_release(second);
    ck_assert_int_eq(stats().idle, 2);
    ck_assert_ptr_eq(acquire(), second);
    ck_assert(mouse_conn_used(second));
    mouse_conn_release(second);
    ck_assert_uint_eq(stats().created, 2);
    ck_assert_int_eq(READ(pinged), 0);
}
END_TEST

START_TEST(no_more_than_max)
{
    mouse_conn_t *conn;
    const mouse_error_t *err;
    apr_time_t start;

    create_db(1, 50000);
    conn = acquire();
    start = apr_time_now();
    err = refused();
    ck_assert_int_eq(err->code, MOUSE_E_DB_BUSY);
    ck_assert(apr_time_now() - start >= 50000);
    ck_assert_int_eq(stats().waiting, 0);
    mouse_conn_release(conn);
    mouse_conn_release(acquire());
    ck_assert_int_eq(READ(opened), 1);
}
END_TEST

static void fake_reserve(void *shared)
{
    (void)shared;
    COUNT(reserved);
}

START_TEST(what_a_driver_has_beside_them_is_none_of_max)
{
    static mouse_driver_t reserving;
    mouse_opening_t opening = {.driver = &reserving, .config = &config};
    mouse_conn_t *conns[4];
    int i;

    reserving = fake_driver;
    reserving.reserve = fake_reserve;
    create_db(4, 50000);
    config.cancel = true;
    ck_assert(mouse_db_create_with(unit_pool, &opening, &db) == APR_SUCCESS);
    for (i = 0; i < 4; i++)
        conns[i] = acquire();
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_BUSY);
    while (READ(reserved) < 4) /* behind each opening */
        usleep(200);
    for (i = 0; i < 4; i++)
        mouse_conn_release(conns[i]);
    ck_assert_int_eq(stats().open, 4);
}
END_TEST

static const struct {
    int max, demand;
    bool reserves, cancels;
} demands[] = {
    {1, 1, true, true},   {3, 3, true, true},    {4, 5, true, true},
    {20, 21, true, true}, {20, 20, true, false}, {20, 20, false, true},
};

START_TEST(one_connection_more_from_four_on)
{
    mouse_driver_t driver = {.reserve = demands[_i].reserves ? fake_reserve : NULL};
    mouse_db_config_t wanted = {.cancel = demands[_i].cancels};

    ck_assert_int_eq(mouse_db_demand(&driver, &wanted, demands[_i].max),
                     demands[_i].demand);
}
END_TEST

START_TEST(the_deadline_ends_a_wait)
{
    mouse_conn_t *conn;

    create_db(1, apr_time_from_sec(20));
    conn = acquire();
    watch.deadline = apr_time_now() + 30000;
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_BUSY);
    mouse_conn_release(conn);
}
END_TEST

/* ---- the line ---- */

#define CLIENTS 20

static int order[CLIENTS], served;

static void *serve_one(void *data)
{
    apr_pool_t *pool;
    mouse_conn_t *conn;
    mouse_error_t *err;

    apr_pool_create_unmanaged_ex(&pool, NULL, NULL);
    if (mouse_conn_acquire(db, pool, &watch, &conn, &err) == APR_SUCCESS) {
        order[__atomic_fetch_add(&served, 1, __ATOMIC_SEQ_CST)] = (int)(intptr_t)data;
        mouse_conn_release(conn);
    }
    apr_pool_destroy(pool);
    return NULL;
}

START_TEST(first_come_first_served)
{
    pthread_t threads[CLIENTS];
    mouse_conn_t *conn;
    int i;

    create_db(1, apr_time_from_sec(20));
    served = 0;
    conn = acquire();
    for (i = 0; i < CLIENTS; i++) {
        pthread_create(&threads[i], NULL, serve_one, (void *)(intptr_t)i);
        while (stats().waiting != i + 1)
            usleep(200);
    }
    mouse_conn_release(conn);
    for (i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(served, CLIENTS);
    for (i = 0; i < CLIENTS; i++)
        ck_assert_int_eq(order[i], i);
    ck_assert_int_eq(READ(opened), 1);
}
END_TEST

static int leaver_code;

/* A request whose client hangs up while it stands in line. */
static void *leave(void *data)
{
    mouse_watch_t mine = *(mouse_watch_t *)data;
    apr_pool_t *pool;
    mouse_conn_t *conn;
    mouse_error_t *err = NULL;

    apr_pool_create_unmanaged_ex(&pool, NULL, NULL);
    if (mouse_conn_acquire(db, pool, &mine, &conn, &err) == APR_SUCCESS)
        mouse_conn_release(conn);
    else
        leaver_code = err->code;
    apr_pool_destroy(pool);
    return NULL;
}

static void start_in_line(pthread_t *thread, void *(*run)(void *), void *data, int place)
{
    pthread_create(thread, NULL, run, data);
    while (stats().waiting != place)
        usleep(200);
}

START_TEST(who_has_gone_leaves_the_line)
{
    pthread_t threads[3];
    mouse_watch_t gone = {.deadline = apr_time_now() + apr_time_from_sec(30)};
    mouse_conn_t *conn;
    int ends[2];

    create_db(1, apr_time_from_sec(20));
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    gone.client = ends[0];
    served = leaver_code = 0;
    conn = acquire();
    start_in_line(&threads[0], serve_one, (void *)(intptr_t)0, 1);
    start_in_line(&threads[1], leave, &gone, 2);
    start_in_line(&threads[2], serve_one, (void *)(intptr_t)2, 3);
    close(ends[1]);
    pthread_join(threads[1], NULL); /* while the connection is still out */
    ck_assert_int_eq(leaver_code, MOUSE_E_CLIENT_GONE);
    ck_assert_int_eq(stats().waiting, 2);
    mouse_conn_release(conn);
    pthread_join(threads[0], NULL);
    pthread_join(threads[2], NULL);
    ck_assert_int_eq(served, 2);
    ck_assert_int_eq(order[0], 0);
    ck_assert_int_eq(order[1], 2);
    close(ends[0]);
}
END_TEST

static mouse_conn_t *to_release;

/* Looks at the client while the pool is not locked: it may be used meanwhile. */
static bool gone_as_it_comes(void *baton)
{
    (void)baton;
    if (to_release)
        mouse_conn_release(to_release);
    to_release = NULL;
    return true;
}

START_TEST(a_connection_handed_to_who_has_gone_is_not_lost)
{
    mouse_conn_t *conn;

    create_db(1, apr_time_from_sec(20));
    conn = to_release = acquire();
    watch.gone = gone_as_it_comes;
    ck_assert_ptr_eq(acquire(), conn);
    mouse_conn_release(conn);
    ck_assert_int_eq(stats().idle, 1);
}
END_TEST

/* ---- openings ---- */

START_TEST(a_refusal_is_answered_at_once)
{
    const mouse_error_t *err;
    apr_time_t start;

    create_db(4, apr_time_from_sec(10));
    WRITE(refuse, true);
    start = apr_time_now();
    err = refused();
    ck_assert_int_eq(err->code, MOUSE_E_DB_DOWN);
    ck_assert_int_eq(err->retry_after, 1);
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_DOWN);
    ck_assert(apr_time_now() - start < apr_time_from_sec(1));
    ck_assert_int_eq(READ(tried), 1); /* the second came within the back-off */
    WRITE(refuse, false);
    usleep(150000);
    mouse_conn_release(acquire());
    ck_assert_int_eq(READ(probed), 1);
}
END_TEST

/* Refused until the database was tried once more; the time right before that try. */
static apr_time_t refused_until_tried(int already)
{
    apr_time_t begun = apr_time_now(), before = begun;

    while (READ(tried) == already && before - begun < 9000000) {
        before = apr_time_now();
        refused();
        usleep(1000);
    }
    return before;
}

START_TEST(backoff_doubles_up_to_a_second)
{
    static const int after_ms[] = {100, 200, 400, 800, 1000, 1000};
    apr_time_t start, next;
    int i, pause;

    create_db(4, apr_time_from_sec(10));
    WRITE(refuse, true);
    start = refused_until_tried(0);
    for (i = 0; i < (int)(sizeof(after_ms) / sizeof(after_ms[0])); i++) {
        next = refused_until_tried(i + 1);
        /* From before a try to behind the next one: never shorter than the pause was. */
        pause = (int)(apr_time_now() - start) / 1000;
        ck_assert_int_ge(pause, after_ms[i]);
        ck_assert_int_le(pause, after_ms[i] + 5000);
        start = next;
    }
}
END_TEST

START_TEST(a_slow_opening_is_abandoned)
{
    apr_time_t start = apr_time_now();

    create_db(4, apr_time_from_sec(10));
    WRITE(slow, 3000000);
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_DOWN);
    ck_assert(apr_time_now() - start < 2900000);
    WRITE(slow, 0);
    usleep(2700000); /* the late one closes itself */
    ck_assert_int_eq(READ(opened), 1);
    ck_assert_int_eq(READ(closed), 1);
    mouse_conn_release(acquire());
    ck_assert_int_eq(stats().open, 1);
}
END_TEST

START_TEST(a_wait_is_never_longer_than_asked)
{
    apr_time_t start = apr_time_now();

    create_db(4, 100000);
    WRITE(slow, 2000000);
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_DOWN);
    ck_assert(apr_time_now() - start < 1900000);
    usleep(2500000); /* came in time for the next */
    mouse_conn_release(acquire());
    ck_assert_int_eq(READ(tried), 1);
}
END_TEST

START_TEST(a_deaf_network_costs_no_opening)
{
    create_db(4, apr_time_from_sec(10));
    WRITE(refuse, true);
    refused();
    WRITE(deaf, true);
    usleep(150000);
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_DOWN);
    ck_assert_int_eq(READ(tried), 1);
    ck_assert_int_eq(READ(probed), 1);
}
END_TEST

/* ---- doubt and age ---- */

START_TEST(doubt_closes)
{
    mouse_conn_t *conn;

    create_db(4, apr_time_from_sec(2));
    conn = acquire();
    conn->doubtful = true;
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(closed), 1);
    conn = acquire();
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(closed), 2);
    WRITE(transaction, false);
    conn = acquire();
    ck_assert(mouse_conn_begin(conn, MOUSE_TX_WRITE) == APR_SUCCESS);
    ck_assert(mouse_conn_commit(conn) == APR_SUCCESS);
    mouse_conn_release(conn);
    ck_assert_int_eq(stats().idle, 1);
}
END_TEST

START_TEST(a_lost_connection_takes_the_idle_ones_along)
{
    mouse_conn_t *first, *second;

    create_db(4, apr_time_from_sec(2));
    first = acquire();
    second = acquire();
    mouse_conn_release(first);
    mouse_fault_set(second, MOUSE_FAULT_LOST, 2013, NULL, "lost");
    mouse_conn_release(second);
    ck_assert_int_eq(READ(closed), 2);
    ck_assert_int_eq(stats().open, 0);
    mouse_conn_release(acquire());
}
END_TEST

START_TEST(a_long_idle_connection_is_pinged)
{
    mouse_conn_t *conn;

    create_db(4, apr_time_from_sec(2));
    conn = acquire();
    mouse_conn_release(conn);
    conn->last_used -= apr_time_from_sec(6);
    ck_assert_ptr_eq(acquire(), conn);
    ck_assert_int_eq(READ(pinged), 1);
    mouse_conn_release(conn);
    conn->last_used -= apr_time_from_sec(6);
    WRITE(silent, true);
    mouse_conn_release(acquire());
    ck_assert_int_eq(READ(pinged), 2);
    ck_assert_int_eq(READ(opened), 2);
}
END_TEST

START_TEST(old_connections_close)
{
    mouse_conn_t *first, *second;

    create_db(4, apr_time_from_sec(2));
    first = acquire();
    second = acquire();
    mouse_conn_release(first);
    first->last_used -= apr_time_from_sec(61);
    usleep(1100000); /* old ones are looked for once a second */
    mouse_conn_release(second);
    mouse_conn_release(acquire());
    ck_assert_int_eq(stats().open, 1);
    second = acquire();
    second->opened -= apr_time_from_sec(601);
    mouse_conn_release(second);
    ck_assert_int_eq(stats().open, 0);
    ck_assert_int_eq(READ(closed), 2);
}
END_TEST

START_TEST(a_release_closes_old_ones)
{
    mouse_conn_t *first, *second, *third;

    create_db(4, apr_time_from_sec(2));
    first = acquire();
    second = acquire();
    third = acquire();
    mouse_conn_release(first);
    mouse_conn_release(second);
    first->last_used -= apr_time_from_sec(61); /* the oldest, below a younger one */
    usleep(1100000);
    mouse_conn_release(third);
    ck_assert_int_eq(READ(closed), 1);
    ck_assert_int_eq(stats().open, 2);
    ck_assert_int_eq(stats().idle, 2);
}
END_TEST

START_TEST(a_connection_may_outlive_the_pool)
{
    apr_pool_t *child;
    mouse_opening_t opening = {.driver = &fake_driver, .config = &config};
    mouse_conn_t *conn;

    create_db(1, apr_time_from_sec(2));
    apr_pool_create(&child, unit_pool);
    ck_assert(mouse_db_create_with(child, &opening, &db) == APR_SUCCESS);
    conn = acquire();
    apr_pool_destroy(child);
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(closed), 1);
}
END_TEST

/* ---- statements ---- */

static const char keys[300];

START_TEST(statements_used_least_recently_are_closed)
{
    mouse_conn_t *conn;
    mouse_stmt_t *stmt;
    int i;

    create_db(1, apr_time_from_sec(2));
    conn = acquire();
    for (i = 0; i < 300; i++) {
        ck_assert(mouse_stmt_prepare(conn, &keys[i], 7, MOUSE_SLICE("x"), &stmt) ==
                  APR_SUCCESS);
        ck_assert_ptr_nonnull(mouse_stmt_find(conn, &keys[0], 7));
    }
    ck_assert_int_eq(READ(unprepared), 300 - 256);
    ck_assert_ptr_null(mouse_stmt_find(conn, &keys[1], 7));
    ck_assert_ptr_null(mouse_stmt_find(conn, &keys[0], 8));
    ck_assert_ptr_eq(mouse_stmt_find(conn, &keys[299], 7), stmt);
    mouse_stmt_drop(stmt);
    ck_assert_ptr_null(mouse_stmt_find(conn, &keys[299], 7));
    mouse_conn_release(conn);
}
END_TEST

START_TEST(a_mark_keeps_statements_out_of_the_cache)
{
    mouse_conn_t *conn;
    mouse_stmt_t *cached, *marked, *other;

    create_db(1, apr_time_from_sec(2));
    conn = acquire();
    ck_assert(mouse_stmt_prepare(conn, keys, 7, MOUSE_SLICE("x"), &cached) == APR_SUCCESS);
    ck_assert_str_eq(fake.sql, "x");
    mouse_conn_release(conn);
    watch.mark = MOUSE_SLICE(" /*m*/");
    conn = acquire();
    ck_assert_ptr_null(mouse_stmt_find(conn, keys, 7));
    ck_assert(mouse_stmt_prepare(conn, keys, 7, MOUSE_SLICE("x"), &marked) == APR_SUCCESS);
    ck_assert_str_eq(fake.sql, "x /*m*/");
    ck_assert(mouse_stmt_prepare(conn, keys, 8, MOUSE_SLICE("y"), &other) == APR_SUCCESS);
    ck_assert_ptr_eq(mouse_stmt_find(conn, keys, 7), marked);
    ck_assert_ptr_eq(mouse_stmt_find(conn, keys, 8), other);
    mouse_stmt_drop(marked);
    ck_assert_int_eq(READ(unprepared), 1);
    ck_assert_ptr_null(mouse_stmt_find(conn, keys, 7));
    ck_assert(mouse_stmt_run(other, NULL, 0) == APR_SUCCESS);
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(finished), 1);
    ck_assert_int_eq(READ(unprepared), 2);
    watch.mark.len = 0;
    conn = acquire();
    ck_assert_ptr_eq(mouse_stmt_find(conn, keys, 7), cached);
    ck_assert_ptr_null(mouse_stmt_find(conn, keys, 8));
    mouse_conn_release(conn);
}
END_TEST

START_TEST(marked_statements_end_with_a_doubtful_connection)
{
    mouse_conn_t *conn;
    mouse_stmt_t *stmt;

    create_db(1, apr_time_from_sec(2));
    watch.mark = MOUSE_SLICE(" /*m*/");
    conn = acquire();
    ck_assert(mouse_stmt_prepare(conn, keys, 0, MOUSE_SLICE("x"), &stmt) == APR_SUCCESS);
    conn->doubtful = true;
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(unprepared), 1);
    ck_assert_int_eq(READ(closed), 1);
}
END_TEST

START_TEST(a_statement_must_leave_transactions_alone)
{
    mouse_conn_t *conn;
    mouse_stmt_t *stmt;

    create_db(1, apr_time_from_sec(2));
    conn = acquire();
    ck_assert(mouse_stmt_prepare(conn, keys, 0, MOUSE_SLICE("x"), &stmt) == APR_SUCCESS);
    ck_assert(mouse_stmt_run(stmt, NULL, 1) != APR_SUCCESS); /* no placeholder */
    ck_assert(mouse_stmt_run(stmt, NULL, 0) == APR_SUCCESS);
    WRITE(transaction, true);
    ck_assert(mouse_stmt_finish(stmt) != APR_SUCCESS);
    ck_assert_int_eq(mouse_conn_fault(conn)->class, MOUSE_FAULT_OTHER);
    mouse_conn_release(conn);
    ck_assert_int_eq(READ(closed), 1);
}
END_TEST

/* ---- what others see of it ---- */

static mouse_db_board_t board;

static void create_on_board(apr_pool_t *pchild)
{
    mouse_opening_t opening = {.driver = &fake_driver, .config = &config};

    config.board = &board;
    ck_assert(mouse_db_create_with(pchild, &opening, &db) == APR_SUCCESS);
}

START_TEST(a_board_shows_the_pool)
{
    mouse_conn_t *first, *second;

    create_db(4, apr_time_from_sec(2));
    memset(&board, 0, sizeof(board));
    create_on_board(unit_pool);
    first = acquire();
    second = acquire();
    ck_assert_uint_eq(board.open, 2);
    ck_assert_uint_eq(board.idle, 0);
    ck_assert_uint_eq(board.waiting, 0);
    mouse_conn_release(first);
    ck_assert_uint_eq(board.idle, 1);
    mouse_fault_set(second, MOUSE_FAULT_UNIQUE, 1062, NULL, "twice");
    mouse_fault_set(second, MOUSE_FAULT_LOST, 2013, NULL, "gone");
    mouse_conn_release(second);
    ck_assert_uint_eq(board.faults[MOUSE_FAULT_UNIQUE], 1);
    ck_assert_uint_eq(board.faults[MOUSE_FAULT_LOST], 1);
    ck_assert_uint_eq(board.open, 0);
    ck_assert_uint_eq(board.created, 2);
    ck_assert_uint_eq(board.discarded, 2);
    ck_assert_uint_eq(board.waited, 2);
}
END_TEST

/* The next process counts on where the last one ended. */
START_TEST(a_board_outlives_its_pool)
{
    apr_pool_t *pchild;

    create_db(4, apr_time_from_sec(2));
    memset(&board, 0, sizeof(board));
    for (unsigned n = 1; n <= 2; n++) {
        apr_pool_create(&pchild, unit_pool);
        create_on_board(pchild);
        mouse_conn_release(acquire());
        ck_assert_uint_eq(board.open, 1);
        ck_assert_uint_eq(board.created, n);
        apr_pool_destroy(pchild);
        ck_assert_uint_eq(board.open, 0);
        ck_assert_uint_eq(board.idle, 0);
        ck_assert_uint_eq(board.discarded, n);
    }
}
END_TEST

START_TEST(a_board_shows_failed_openings)
{
    create_db(4, apr_time_from_sec(2));
    memset(&board, 0, sizeof(board));
    create_on_board(unit_pool);
    WRITE(refuse, true);
    ck_assert_int_eq(refused()->code, MOUSE_E_DB_DOWN);
    ck_assert_uint_ge(board.faults[MOUSE_FAULT_NONE], 1);
    ck_assert_uint_eq(board.created, 0);
}
END_TEST

/* ---- asking whether it is there ---- */

static mouse_code_t ping(apr_interval_time_t limit)
{
    mouse_watch_t until = {.deadline = apr_time_now() + limit, .client = -1};
    mouse_error_t *err = NULL;

    return mouse_db_ping(db, unit_pool, &until, &err) == APR_SUCCESS ? MOUSE_E_COUNT
                                                                     : err->code;
}

START_TEST(a_ping_needs_an_answer)
{
    create_db(2, apr_time_from_sec(2));
    ck_assert_int_eq(ping(apr_time_from_sec(2)), MOUSE_E_COUNT);
    ck_assert_int_eq(READ(pinged), 1);
    ck_assert_int_eq(stats().idle, 1);
    WRITE(silent, true);
    ck_assert_int_eq(ping(apr_time_from_sec(2)), MOUSE_E_DB_DOWN);
    ck_assert_int_eq(READ(pinged), 3); /* the idle one may have been closed: once more */
    ck_assert_int_eq(stats().open, 0);
    WRITE(silent, false);
    WRITE(refuse, true);
    ck_assert_int_eq(ping(apr_time_from_sec(2)), MOUSE_E_DB_DOWN);
}
END_TEST

START_TEST(a_ping_waits_no_longer_than_it_may)
{
    mouse_conn_t *conn;

    create_db(1, apr_time_from_sec(60));
    conn = acquire();
    ck_assert_int_eq(ping(50000), MOUSE_E_DB_BUSY);
    mouse_conn_release(conn);
    ck_assert_int_eq(ping(apr_time_from_sec(2)), MOUSE_E_COUNT);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("pool");
    TCase *tcase = unit_case(suite, "pool");

    tcase_add_test(tcase, connections_are_reused_last_first);
    tcase_add_test(tcase, no_more_than_max);
    tcase_add_test(tcase, what_a_driver_has_beside_them_is_none_of_max);
    tcase_add_loop_test(tcase, one_connection_more_from_four_on, 0,
                        (int)(sizeof(demands) / sizeof(demands[0])));
    tcase_add_test(tcase, the_deadline_ends_a_wait);
    tcase_add_test(tcase, first_come_first_served);
    tcase_add_test(tcase, who_has_gone_leaves_the_line);
    tcase_add_test(tcase, a_connection_handed_to_who_has_gone_is_not_lost);
    tcase_add_test(tcase, a_refusal_is_answered_at_once);
    tcase_add_test(tcase, backoff_doubles_up_to_a_second);
    tcase_add_test(tcase, a_slow_opening_is_abandoned);
    tcase_add_test(tcase, a_wait_is_never_longer_than_asked);
    tcase_add_test(tcase, a_deaf_network_costs_no_opening);
    tcase_add_test(tcase, doubt_closes);
    tcase_add_test(tcase, a_lost_connection_takes_the_idle_ones_along);
    tcase_add_test(tcase, a_long_idle_connection_is_pinged);
    tcase_add_test(tcase, old_connections_close);
    tcase_add_test(tcase, a_release_closes_old_ones);
    tcase_add_test(tcase, a_connection_may_outlive_the_pool);
    tcase_add_test(tcase, statements_used_least_recently_are_closed);
    tcase_add_test(tcase, a_mark_keeps_statements_out_of_the_cache);
    tcase_add_test(tcase, marked_statements_end_with_a_doubtful_connection);
    tcase_add_test(tcase, a_statement_must_leave_transactions_alone);
    tcase = unit_case(suite, "boards and pings");
    tcase_add_test(tcase, a_board_shows_the_pool);
    tcase_add_test(tcase, a_board_outlives_its_pool);
    tcase_add_test(tcase, a_board_shows_failed_openings);
    tcase_add_test(tcase, a_ping_needs_an_answer);
    tcase_add_test(tcase, a_ping_waits_no_longer_than_it_may);
    return suite;
}
