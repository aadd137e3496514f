/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * model: requests that share a run, on threads and on a driver whose runs begin and end
 * when the test says so. A run answers with its number, so that an answer tells where it is
 * from.
 */

#include "db/db_int.h"
#include "model/mouse_model.h"
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <apr_strings.h>

static const char models[] = "-- name: read :one\n"
                             "-- param: n int optional nullable\n"
                             "-- param: s string optional nullable\n"
                             "-- param: ids int[] (0..4)\n"
                             "-- order: sort up = a\n"
                             "-- order: sort down = a DESC\n"
                             "SELECT a FROM t WHERE n = :n AND s = :s AND m IN (:ids)\n"
                             " AND u = :user.id ORDER BY :sort;\n"
                             "-- name: random :one\n"
                             "-- let: token = random.hex32\n"
                             "SELECT a FROM t WHERE s = :token;\n"
                             "-- name: write :exec\n"
                             "UPDATE t SET a = 1;\n";

#define CLIENTS 8
#define RUNS    32

/* ---- the driver ---- */

/* One test runs at a time, in a process of its own. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool free;                        /* no run is held back */
    bool may_end[RUNS];               /* by number, from 1 */
    mouse_fault_class_t faults[RUNS]; /* what it ends with */
    bool cancelled[RUNS];             /* its watch said that nobody waits */
    int started;
    uint64_t written; /* what has been committed */
} script = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local int64_t row;
static _Thread_local bool row_read;

static apr_status_t do_check(apr_pool_t *p, const mouse_db_config_t *config,
                             mouse_error_t **err)
{
    (void)p;
    (void)config;
    (void)err;
    return APR_SUCCESS;
}

static apr_status_t do_open(mouse_conn_t *conn)
{
    return strcmp(conn->config->params, "down")
               ? APR_SUCCESS
               : mouse_fault_set(conn, MOUSE_FAULT_LOST, 2002, "HY000", "refused");
}

static const char *do_params(apr_pool_t *p, const mouse_db_config_t *config)
{
    (void)p;
    return config->params;
}

static void do_close(mouse_conn_t *conn)
{
    (void)conn;
}

static apr_status_t do_nothing(mouse_conn_t *conn)
{
    (void)conn;
    return APR_SUCCESS;
}

static apr_status_t do_begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    (void)conn;
    (void)kind;
    return APR_SUCCESS;
}

static bool do_in_transaction(mouse_conn_t *conn)
{
    (void)conn;
    return false;
}

static apr_status_t do_prepare(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    static mouse_column_t column = {{"a", 1}, MOUSE_COLUMN_SMALLINT, 0, NULL};

    for (size_t i = 0; i < sql.len; i++)
        stmt->parameters += sql.data[i] == '?';
    stmt->columns = &column;
    stmt->column_count = 1;
    return APR_SUCCESS;
}

static void sleep_a_little(void)
{
    struct timespec when;

    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += 5 * 1000 * 1000;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&script.changed, &script.lock, &when);
}

/* As the real ones do: the watch is looked at again and again. */
static mouse_fault_class_t wait_for_end(const mouse_watch_t *watch, int number)
{
    while (!script.free && !script.may_end[number]) {
        bool gone;

        sleep_a_little();
        pthread_mutex_unlock(&script.lock);
        gone = mouse_watch_gone(watch);
        pthread_mutex_lock(&script.lock);
        if (gone) {
            script.cancelled[number] = true;
            return MOUSE_FAULT_GONE;
        }
        if (apr_time_now() >= watch->deadline)
            return MOUSE_FAULT_TIMEOUT;
    }
    return script.free ? MOUSE_FAULT_NONE : script.faults[number];
}

static apr_status_t do_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    mouse_fault_class_t fault;

    (void)values;
    (void)count;
    pthread_mutex_lock(&script.lock);
    row = ++script.started;
    if (script.free)
        row = (int64_t)script.written;
    row_read = false;
    pthread_cond_broadcast(&script.changed);
    fault = wait_for_end(stmt->conn->watch, script.free ? 0 : (int)row);
    pthread_mutex_unlock(&script.lock);
    if (fault == MOUSE_FAULT_NONE)
        return APR_SUCCESS;
    return mouse_fault_set(stmt->conn, fault, 1234, "HY000", "told to");
}

static apr_status_t do_next(mouse_stmt_t *stmt, const mouse_value_t **result)
{
    static _Thread_local mouse_value_t value;

    (void)stmt;
    if (row_read)
        return APR_EOF;
    row_read = true;
    value = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = row};
    *result = &value;
    return APR_SUCCESS;
}

static apr_status_t do_finish(mouse_stmt_t *stmt)
{
    (void)stmt;
    return APR_SUCCESS;
}

static void do_unprepare(mouse_stmt_t *stmt)
{
    (void)stmt;
}

static const mouse_driver_t driver = {
    .name = "scripted",
    .dialect = MOUSE_DIALECT_MYSQL,
    .check = do_check,
    .open = do_open,
    .params = do_params,
    .close = do_close,
    .ping = do_nothing,
    .begin = do_begin,
    .commit = do_nothing,
    .rollback = do_nothing,
    .in_transaction = do_in_transaction,
    .prepare = do_prepare,
    .run = do_run,
    .next = do_next,
    .finish = do_finish,
    .unprepare = do_unprepare,
};

/* ---- requests on threads ---- */

typedef struct client_t {
    pthread_t thread;
    apr_pool_t *pool;
    mouse_request_t req;
    const char *lang; /* X-Lang */
    bool gone;        /* atomic */
    mouse_format_t format;
    mouse_answer_t *answer;
    mouse_error_t *err;
    const char *text; /* "200 {"a":1}" or "500 database-error" */
    unsigned seed;
    int answers;
} client_t;

static struct {
    mouse_db_config_t config;
    mouse_db_t *db;
    mouse_flights_t *flights;
    const mouse_model_t *model;
    mouse_shape_t shape;
    mouse_settings_t settings;
    client_t clients[CLIENTS];
} rig;

static const char *get_header(void *baton, const char *name)
{
    const client_t *client = baton;

    return strcasecmp(name, "X-Lang") == 0 ? client->lang : NULL;
}

static bool is_gone(void *baton)
{
    const client_t *client = baton;

    return __atomic_load_n(&client->gone, __ATOMIC_ACQUIRE);
}

static const mouse_host_t host = {.header = get_header};
static const mouse_input_options_t input = {.max_body = MOUSE_MAX_BODY};

static const mouse_model_t *find_model(const char *name)
{
    mouse_models_t *parsed;
    const mouse_model_t *bound;
    mouse_error_t *err = NULL;

    ck_assert_msg(mouse_models_parse(unit_pool, "m.sql", "m", mouse_slice_of(models),
                                     MOUSE_DIALECT_MYSQL, &parsed, &err) == APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    ck_assert(mouse_model_bind(unit_pool, mouse_model_find(parsed, name), NULL, NULL, 0,
                               false, NULL, &bound, &err) == APR_SUCCESS);
    return bound;
}

static void add_header(mouse_shape_t *shape, const char *name, const char *text)
{
    static mouse_header_template_t made[2];
    mouse_error_t *err = NULL;

    shape->headers = made;
    made[shape->header_count].name = name;
    ck_assert(mouse_template_parse(unit_pool, text, &made[shape->header_count++].value,
                                   &err) == APR_SUCCESS);
}

static void open_rig(const char *params, int max, int wait_ms)
{
    const mouse_opening_t opening = {.driver = &driver, .config = &rig.config};
    mouse_error_t *err = NULL;

    rig.config = (mouse_db_config_t){.name = "main",
                                     .driver = "scripted",
                                     .params = params,
                                     .max = max,
                                     .idle = apr_time_from_sec(60),
                                     .lifetime = apr_time_from_sec(600),
                                     .wait = apr_time_from_msec(wait_ms),
                                     .timeout = apr_time_from_sec(60)};
    rig.settings = (mouse_settings_t){.max_memory = 1 << 20, .max_answer = 1 << 20};
    ck_assert(mouse_db_create_with(unit_pool, &opening, &rig.db) == APR_SUCCESS);
    rig.flights = mouse_flights_create(unit_pool);
    rig.model = find_model("m/read");
    add_header(&rig.shape, "X-Run", "{a}");
    add_header(&rig.shape, "X-Lang", "{header.x_lang}");
    ck_assert(mouse_coalesce_create(unit_pool, rig.model, &rig.shape, &rig.flights,
                                    &rig.shape.coalesce, &err) == APR_SUCCESS);
}

/* A client with a pool of its own: they are asked for on one thread. */
static client_t *prepare(int i, const char *query)
{
    client_t *client = &rig.clients[i];
    mouse_context_t *user;

    apr_pool_create(&client->pool, unit_pool);
    client->req = (mouse_request_t){.pool = client->pool,
                                    .host = &host,
                                    .baton = client,
                                    .settings = &rig.settings,
                                    .input = &input,
                                    .method = "GET",
                                    .path = "/rig",
                                    .query = mouse_slice_of(query),
                                    .now = apr_time_now()};
    client->req.watch = (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(60),
                                        .client = -1,
                                        .gone = is_gone,
                                        .baton = client};
    client->req.context = apr_array_make(client->pool, 1, sizeof(mouse_context_t));
    user = apr_array_push(client->req.context);
    *user = (mouse_context_t){.guard = "user", .count = 1};
    user->names = apr_pcalloc(client->pool, sizeof(char *));
    user->names[0] = "id";
    user->values = apr_pcalloc(client->pool, sizeof(mouse_value_t));
    user->values[0] = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = 7};
    client->answer = apr_pcalloc(client->pool, sizeof(*client->answer));
    client->err = NULL;
    client->gone = false;
    return client;
}

static void ask(client_t *client)
{
    const mouse_answer_t *answer = client->answer;
    const char *lang;
    mouse_slice_t body;

    if (mouse_model_run(&client->req, rig.model, rig.db, &rig.shape, client->format,
                        client->answer, &client->err) != APR_SUCCESS) {
        client->text = apr_psprintf(client->req.pool, "%d %s", client->err->status,
                                    mouse_code_slug(client->err->code));
        return;
    }
    body = answer->shared.data
               ? answer->shared
               : (mouse_slice_t){answer->body.buf.data, answer->body.buf.len};
    if (answer->body.file)
        body = MOUSE_SLICE("in a file");
    lang = apr_table_get(answer->headers, "X-Lang");
    client->text = apr_psprintf(client->req.pool, "%d %s-%s %.*s", answer->status,
                                apr_table_get(answer->headers, "X-Run"), lang ? lang : "",
                                (int)body.len, body.data);
}

static void *run_client(void *data)
{
    ask(data);
    return NULL;
}

static void start(client_t *client)
{
    ck_assert(pthread_create(&client->thread, NULL, run_client, client) == 0);
}

/* What the client got; its request is over. */
static const char *finish(int i)
{
    client_t *client = &rig.clients[i];
    const char *text;

    pthread_join(client->thread, NULL);
    text = apr_pstrdup(unit_pool, client->text);
    apr_pool_destroy(client->pool);
    return text;
}

static int count_started(void)
{
    int started;

    pthread_mutex_lock(&script.lock);
    started = script.started;
    pthread_mutex_unlock(&script.lock);
    return started;
}

static void await_started(int number)
{
    for (int i = 0; i < 2000 && count_started() < number; i++)
        usleep(2500);
    ck_assert_int_eq(count_started(), number);
}

static void await_waiting(int number)
{
    for (int i = 0; i < 2000 && mouse_flights_waiting(rig.flights) != number; i++)
        usleep(2500);
    ck_assert_int_eq(mouse_flights_waiting(rig.flights), number);
}

static void let_end(int number, mouse_fault_class_t fault)
{
    pthread_mutex_lock(&script.lock);
    script.faults[number] = fault;
    script.may_end[number] = true;
    pthread_cond_broadcast(&script.changed);
    pthread_mutex_unlock(&script.lock);
}

/* Client 0 runs, and so many more wait. */
static void gather(int more)
{
    start(prepare(0, ""));
    await_started(1);
    for (int i = 1; i <= more; i++)
        start(prepare(i, ""));
    await_waiting(more);
}

/* ---- orders ---- */

START_TEST(nobody_joins_what_runs_already)
{
    open_rig("", 4, 60000);
    gather(3);
    ck_assert_int_eq(count_started(), 1);
    let_end(1, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(0), "200 1- {\"a\":1}");
    await_started(2);
    for (int i = 4; i < 6; i++)
        start(prepare(i, ""));
    await_waiting(2 + 2);
    let_end(2, MOUSE_FAULT_NONE);
    for (int i = 1; i < 4; i++)
        ck_assert_str_eq(finish(i), "200 2- {\"a\":2}");
    await_started(3);
    let_end(3, MOUSE_FAULT_NONE);
    for (int i = 4; i < 6; i++)
        ck_assert_str_eq(finish(i), "200 3- {\"a\":3}");
    ck_assert_int_eq(count_started(), 3);
}
END_TEST

/* Two queries; do they ask for the same? */
static const struct {
    const char *one, *other;
    bool same;
} pairs[] = {
    {"n=1", "n=1", true},
    {"n=1&s=x", "s=x&n=1", true},
    {"n=1", "n=2", false},
    {"n=1", "", false},
    {"s=", "", false},
    {"s=1", "n=1", false},
    {"ids=1&ids=2", "ids=1&ids=2", true},
    {"ids=1&ids=2", "ids=1", false},
    {"ids=1&ids=2", "ids=2&ids=1", false},
    {"sort=up", "sort=down", false},
};

START_TEST(the_same_is_what_has_the_same_values)
{
    open_rig("", 4, 60000);
    start(prepare(0, pairs[_i].one));
    await_started(1);
    start(prepare(1, pairs[_i].other));
    if (pairs[_i].same)
        await_waiting(1);
    else
        await_started(2);
    let_end(1, MOUSE_FAULT_NONE);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(0), "200 1- {\"a\":1}");
    ck_assert_str_eq(finish(1), "200 2- {\"a\":2}");
}
END_TEST

START_TEST(context_and_headers_are_values)
{
    client_t *client;

    open_rig("", 4, 60000);
    start(prepare(0, ""));
    await_started(1);
    client = prepare(1, "");
    APR_ARRAY_IDX(client->req.context, 0, mouse_context_t).values[0].i = 8;
    start(client);
    await_started(2);
    client = prepare(2, "");
    client->lang = "de";
    start(client);
    await_started(3);
    client = prepare(3, "");
    client->lang = "";
    start(client);
    await_started(4);
    for (int i = 1; i <= 4; i++)
        let_end(i, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(0), "200 1- {\"a\":1}");
    ck_assert_str_eq(finish(1), "200 2- {\"a\":2}");
    ck_assert_str_eq(finish(2), "200 3-de {\"a\":3}");
    ck_assert_str_eq(finish(3), "200 4- {\"a\":4}");
}
END_TEST

START_TEST(without_flights_everybody_runs)
{
    open_rig("", 4, 60000);
    rig.flights = NULL;
    start(prepare(0, ""));
    start(prepare(1, ""));
    await_started(2);
    let_end(1, MOUSE_FAULT_NONE);
    let_end(2, MOUSE_FAULT_NONE);
    finish(0);
    finish(1);
}
END_TEST

/* ---- leaders that fail ---- */

static int count_texts(int from, int to, const char *text)
{
    int count = 0;

    for (int i = from; i <= to; i++)
        count += strcmp(finish(i), text) == 0;
    return count;
}

START_TEST(what_the_database_refuses_is_for_all)
{
    open_rig("", 4, 60000);
    gather(3);
    let_end(1, MOUSE_FAULT_NONE);
    await_started(2);
    let_end(2, MOUSE_FAULT_OTHER);
    ck_assert_int_eq(count_texts(1, 3, "500 database-error"), 3);
    ck_assert_int_eq(count_started(), 2);
    finish(0);
}
END_TEST

START_TEST(time_that_is_over_is_the_leaders_alone)
{
    open_rig("", 4, 60000);
    gather(3);
    let_end(1, MOUSE_FAULT_NONE);
    await_started(2);
    start(prepare(4, ""));
    await_waiting(3);
    let_end(2, MOUSE_FAULT_TIMEOUT);
    await_started(3);
    await_waiting(2);
    let_end(3, MOUSE_FAULT_NONE);
    await_started(4);
    let_end(4, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(4), "200 4- {\"a\":4}");
    {
        const char *texts[] = {finish(1), finish(2), finish(3)};
        int over = 0, three = 0;

        for (int i = 0; i < 3; i++) {
            over += strcmp(texts[i], "504 timeout") == 0;
            three += strcmp(texts[i], "200 3- {\"a\":3}") == 0;
        }
        ck_assert_int_eq(over, 1);
        ck_assert_int_eq(three, 2);
    }
    finish(0);
}
END_TEST

static void say_gone(int from, int to)
{
    for (int i = from; i <= to; i++)
        __atomic_store_n(&rig.clients[i].gone, true, __ATOMIC_RELEASE);
}

/* All clients of run 2 but one leave; one of those who leave may lead it. */
START_TEST(a_statement_runs_on_while_one_waits)
{
    open_rig("", 4, 60000);
    gather(3);
    let_end(1, MOUSE_FAULT_NONE);
    await_started(2);
    say_gone(1, 2);
    for (int i = 0; i < 2000 && mouse_flights_waiting(rig.flights) > 1; i++)
        usleep(2500);
    usleep(300 * 1000);
    ck_assert_int_eq(count_started(), 2);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(3), "200 2- {\"a\":2}");
    ck_assert(!script.cancelled[2]);
    for (int i = 0; i < 3; i++)
        finish(i);
}
END_TEST

START_TEST(a_statement_ends_when_all_have_gone)
{
    open_rig("", 4, 60000);
    gather(3);
    let_end(1, MOUSE_FAULT_NONE);
    await_started(2);
    say_gone(1, 3);
    ck_assert_int_eq(count_texts(1, 3, "499 client-gone"), 3);
    ck_assert(script.cancelled[2]);
    ck_assert_int_eq(count_started(), 2);
    finish(0);
}
END_TEST

START_TEST(a_leader_alone_ends_with_its_client)
{
    open_rig("", 4, 60000);
    gather(2);
    say_gone(0, 0);
    ck_assert_str_eq(finish(0), "499 client-gone");
    await_started(2);
    await_waiting(1);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_int_eq(count_texts(1, 2, "200 2- {\"a\":2}"), 2);
}
END_TEST

START_TEST(a_waiter_ends_with_its_client)
{
    open_rig("", 4, 60000);
    gather(3);
    say_gone(2, 2);
    ck_assert_str_eq(finish(2), "499 client-gone");
    await_waiting(2);
    let_end(1, MOUSE_FAULT_NONE);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(1), "200 2- {\"a\":2}");
    ck_assert_str_eq(finish(3), "200 2- {\"a\":2}");
    finish(0);
}
END_TEST

/* ---- time ---- */

START_TEST(a_waiter_has_its_own_deadline)
{
    client_t *client;

    open_rig("", 4, 60000);
    gather(2);
    client = prepare(3, "");
    client->req.watch.deadline = apr_time_now() + apr_time_from_msec(50);
    start(client);
    ck_assert_str_eq(finish(3), "504 timeout");
    let_end(1, MOUSE_FAULT_NONE);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_int_eq(count_texts(1, 2, "200 2- {\"a\":2}"), 2);
    finish(0);
}
END_TEST

/* Run 1 never ends: the others fly beside it, and those behind them wait for theirs. */
START_TEST(a_slow_leader_holds_nobody_beyond_wait)
{
    open_rig("", 4, 100);
    gather(3);
    await_started(2);
    await_waiting(2);
    start(prepare(4, ""));
    await_waiting(3);
    let_end(2, MOUSE_FAULT_NONE);
    ck_assert_int_eq(count_texts(1, 3, "200 2- {\"a\":2}"), 3);
    await_started(3);
    let_end(3, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(4), "200 3- {\"a\":3}");
    let_end(1, MOUSE_FAULT_NONE);
    ck_assert_str_eq(finish(0), "200 1- {\"a\":1}");
    ck_assert_int_eq(mouse_flights_waiting(rig.flights), 0);
}
END_TEST

/* ---- the line for a connection ---- */

static mouse_conn_t *take_connection(mouse_watch_t *watch)
{
    mouse_error_t *err = NULL;
    mouse_conn_t *conn;

    *watch =
        (mouse_watch_t){.deadline = apr_time_now() + apr_time_from_sec(60), .client = -1};
    ck_assert(mouse_conn_acquire(rig.db, unit_pool, watch, &conn, &err) == APR_SUCCESS);
    return conn;
}

static void await_line(int number)
{
    mouse_db_stats_t stats = {.waiting = -1};

    for (int i = 0; i < 2000 && stats.waiting != number; i++) {
        mouse_db_stats(rig.db, &stats);
        usleep(2500);
    }
    ck_assert_int_eq(stats.waiting, number);
}

START_TEST(who_comes_while_the_leader_is_in_line_shares_its_run)
{
    mouse_watch_t watch;
    mouse_conn_t *conn;

    open_rig("", 1, 60000);
    conn = take_connection(&watch);
    for (int i = 0; i < 4; i++)
        start(prepare(i, ""));
    await_waiting(3);
    await_line(1);
    mouse_conn_release(conn);
    await_started(1);
    let_end(1, MOUSE_FAULT_NONE);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(finish(i), "200 1- {\"a\":1}");
}
END_TEST

START_TEST(a_leader_whose_client_leaves_the_line_is_followed)
{
    mouse_watch_t watch;
    mouse_conn_t *conn;

    open_rig("", 1, 60000);
    conn = take_connection(&watch);
    start(prepare(0, ""));
    await_line(1);
    for (int i = 1; i < 4; i++)
        start(prepare(i, ""));
    await_waiting(3);
    say_gone(0, 0);
    ck_assert_str_eq(finish(0), "499 client-gone");
    await_line(1);
    mouse_conn_release(conn);
    await_started(1);
    let_end(1, MOUSE_FAULT_NONE);
    for (int i = 1; i < 4; i++)
        ck_assert_str_eq(finish(i), "200 1- {\"a\":1}");
}
END_TEST

START_TEST(a_line_that_does_not_move_is_503_for_each)
{
    mouse_watch_t watch;
    mouse_conn_t *conn;

    open_rig("", 1, 100);
    conn = take_connection(&watch);
    for (int i = 0; i < 4; i++)
        start(prepare(i, ""));
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(finish(i), "503 database-busy");
    ck_assert_int_eq(mouse_flights_waiting(rig.flights), 0);
    mouse_conn_release(conn);
}
END_TEST

START_TEST(a_database_that_is_down_is_down_for_all)
{
    open_rig("down", 4, 300);
    for (int i = 0; i < 4; i++)
        start(prepare(i, ""));
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(finish(i), "503 database-unavailable");
    ck_assert_int_eq(mouse_flights_waiting(rig.flights), 0);
}
END_TEST

/* ---- answers ---- */

START_TEST(an_answer_in_a_file_is_not_shared)
{
    open_rig("", 4, 60000);
    rig.settings.max_memory = 1;
    for (int i = 2; i <= 4; i++)
        let_end(i, MOUSE_FAULT_NONE);
    gather(3);
    let_end(1, MOUSE_FAULT_NONE);
    for (int i = 0; i < 4; i++)
        ck_assert(strstr(finish(i), "in a file") != NULL);
    ck_assert_int_eq(count_started(), 4);
}
END_TEST

START_TEST(bytes_live_as_long_as_whoever_reads_them_last)
{
    open_rig("", 4, 60000);
    gather(2);
    let_end(1, MOUSE_FAULT_NONE);
    let_end(2, MOUSE_FAULT_NONE);
    pthread_join(rig.clients[1].thread, NULL);
    pthread_join(rig.clients[2].thread, NULL);
    ck_assert_ptr_nonnull(rig.clients[1].answer->shared.data);
    ck_assert_ptr_eq(rig.clients[1].answer->shared.data,
                     rig.clients[2].answer->shared.data);
    apr_pool_destroy(rig.clients[1].pool);
    ck_assert_mem_eq(rig.clients[2].answer->shared.data, "{\"a\":2}", 7);
    ck_assert_str_eq(apr_table_get(rig.clients[2].answer->headers, "X-Run"), "2");
    apr_pool_destroy(rig.clients[2].pool);
    finish(0);
}
END_TEST

/* ---- everything at once ---- */

enum { ROUNDS = 400 };

static uint64_t write_one(void)
{
    uint64_t written;

    pthread_mutex_lock(&script.lock);
    written = ++script.written;
    pthread_mutex_unlock(&script.lock);
    return written;
}

/* Writes, then reads; some leave, some have no time. What is read is never older. */
static void *write_and_read(void *data)
{
    client_t *client = data;
    char *stale = NULL;

    for (int i = 0; i < ROUNDS && !stale; i++) {
        uint64_t written = write_one();
        const char *body;

        apr_pool_create(&client->req.pool, client->pool);
        client->answer = apr_pcalloc(client->req.pool, sizeof(*client->answer));
        client->gone = rand_r(&client->seed) % 16 == 0;
        client->req.watch.deadline =
            apr_time_now() + (rand_r(&client->seed) % 16 == 0 ? 20 : 60000000);
        client->err = NULL;
        client->req.inputs = NULL;
        ask(client);
        body = strchr(client->text, '{');
        client->answers += body != NULL;
        if (body && strtoull(body + 5, NULL, 10) < written)
            stale = strdup(client->text);
        apr_pool_destroy(client->req.pool);
    }
    client->text = stale;
    return NULL;
}

START_TEST(each_reads_what_it_wrote)
{
    open_rig("", 2, 1);
    script.free = true;
    for (int i = 0; i < CLIENTS; i++) {
        client_t *client = prepare(i, "");

        client->seed = (unsigned)i;
        ck_assert(pthread_create(&client->thread, NULL, write_and_read, client) == 0);
    }
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(rig.clients[i].thread, NULL);
        ck_assert_msg(!rig.clients[i].text, "stale: %s", rig.clients[i].text);
        ck_assert_int_gt(rig.clients[i].answers, ROUNDS / 4);
        apr_pool_destroy(rig.clients[i].pool);
    }
    ck_assert_int_eq(mouse_flights_waiting(rig.flights), 0);
}
END_TEST

/* ---- configurations ---- */

START_TEST(what_cannot_be_shared_is_refused)
{
    static const struct {
        const char *model, *header, *why;
    } rows[] = {
        {"m/write", NULL, "coalesce is for models that only read"},
        {"m/random", NULL, "token differs from request to request"},
        {"m/read", "{request.id}", "request.id differs"},
        {"m/read", "{random.uuid}", "random.uuid differs"},
        {"m/read", "{now.ms}", "now.ms differs"},
        {"m/read", "{now.unix}", NULL},
        {"m/read", "{a}", NULL},
    };
    mouse_shape_t shape = {.header_count = 0};
    mouse_flights_t *flights = NULL;
    mouse_error_t *err = NULL;
    apr_status_t rv;

    if (rows[_i].header)
        add_header(&shape, "X-A", rows[_i].header);
    rv = mouse_coalesce_create(unit_pool, find_model(rows[_i].model), &shape, &flights,
                               &shape.coalesce, &err);
    ck_assert_int_eq(rv == APR_SUCCESS, rows[_i].why == NULL);
    ck_assert_int_eq(shape.coalesce != NULL, rows[_i].why == NULL);
    if (rows[_i].why)
        ck_assert_msg(strstr(err->detail, rows[_i].why) != NULL, "%s", err->detail);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("coalesce");
    TCase *tc = unit_case(suite, "orders");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, nobody_joins_what_runs_already);
    tcase_add_loop_test(tc, the_same_is_what_has_the_same_values, 0,
                        sizeof(pairs) / sizeof(pairs[0]));
    tcase_add_test(tc, context_and_headers_are_values);
    tcase_add_test(tc, without_flights_everybody_runs);
    tcase_add_test(tc, what_the_database_refuses_is_for_all);
    tcase_add_test(tc, time_that_is_over_is_the_leaders_alone);
    tcase_add_test(tc, a_statement_runs_on_while_one_waits);
    tcase_add_test(tc, a_statement_ends_when_all_have_gone);
    tcase_add_test(tc, a_leader_alone_ends_with_its_client);
    tcase_add_test(tc, a_waiter_ends_with_its_client);
    tcase_add_test(tc, a_waiter_has_its_own_deadline);
    tcase_add_test(tc, a_slow_leader_holds_nobody_beyond_wait);
    tcase_add_test(tc, who_comes_while_the_leader_is_in_line_shares_its_run);
    tcase_add_test(tc, a_leader_whose_client_leaves_the_line_is_followed);
    tcase_add_test(tc, a_line_that_does_not_move_is_503_for_each);
    tcase_add_test(tc, a_database_that_is_down_is_down_for_all);
    tcase_add_test(tc, an_answer_in_a_file_is_not_shared);
    tcase_add_test(tc, bytes_live_as_long_as_whoever_reads_them_last);
    tcase_add_test(tc, each_reads_what_it_wrote);
    tcase_add_loop_test(tc, what_cannot_be_shared_is_refused, 0, 7);
    return suite;
}
