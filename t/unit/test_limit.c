/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: rates and the table of who used them - exact counts, on a clock that tests move.
 */

#include "guard/limit_int.h"
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

#define START (apr_time_now() + apr_time_from_sec(1000))

/* A table of its own for one rate. */
typedef struct limiter_t {
    mouse_rate_t rate;
    mouse_limits_t limits;
} limiter_t;

/* The same secret in each run, so that the same keys meet in the same buckets. */
static void set_secret(const mouse_shared_t *shared)
{
    uint64_t *line = (uint64_t *)(((uintptr_t)shared->data + 63) & ~(uintptr_t)63);

    line[0] = 0x0706050403020100;
    line[1] = 0x0f0e0d0c0b0a0908;
}

static limiter_t *limiter(const char *word, const char *burst, int64_t keys)
{
    limiter_t *made = apr_pcalloc(unit_pool, sizeof(*made));
    mouse_shared_t *shared = apr_pcalloc(unit_pool, sizeof(*shared));
    mouse_guard_setup_t setup = {
        .pconf = unit_pool, .name = "it", .file = "site.conf", .line = 1};
    mouse_error_t *err = NULL;

    setup.reads = apr_array_make(unit_pool, 2, sizeof(const char *));
    ck_assert_msg(mouse_rate_parse(&setup, word, burst, NULL, &made->rate, &err) ==
                      APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    made->limits.buckets = mouse_limits_buckets(keys);
    made->limits.shared = shared;
    shared->size = mouse_limits_size(made->limits.buckets);
    shared->data = apr_pcalloc(unit_pool, shared->size);
    set_secret(shared);
    return made;
}

static mouse_limit_state_t take(const limiter_t *on, int key, apr_time_t at)
{
    return mouse_limits_take(&on->limits, &on->rate.limit,
                             (mouse_slice_t){(const char *)&key, sizeof(key)}, at);
}

/* How many of so many requests at once pass. */
static int pass(const limiter_t *on, int key, apr_time_t at, int tries)
{
    int passed = 0;

    while (tries-- > 0)
        passed += take(on, key, at).passed;
    return passed;
}

static const struct {
    const char *word, *burst;
    int at_once;
    double interval; /* microseconds */
} rates[] = {
    {"100/1m", NULL, 100, 600000},
    {"100/1m", "20", 20, 600000},
    {"1/1s", NULL, 1, 1000000},
    {"3/1s", NULL, 3, 1000000 / 3.0},
    {"7/500ms", "1", 1, 500000 / 7.0},
    {"20000/1s", "50", 50, 50},
    {"19999/1s", NULL, 19999, 1000000 / 19999.0},
    {"1000/1h", "10", 10, 3600000},
    {"1/1d", NULL, 1, 86400e6},
    {"10000/30d", "3", 3, 259.2e6},
    {"1/365d", "50", 50, 31536000e6},
};

START_TEST(a_burst_then_the_rate)
{
    const limiter_t *on = limiter(rates[_i].word, rates[_i].burst, 100);
    const apr_time_t start = START;
    const int steps = 40 * 40;
    const int tries = rates[_i].at_once + 5;
    double got, want;
    int i, passed = 0;

    ck_assert_int_eq(pass(on, 1, start, tries), rates[_i].at_once);
    ck_assert_int_eq(pass(on, 2, start, tries), rates[_i].at_once);
    for (i = 1; i <= steps; i++)
        passed += take(on, 1, start + (apr_time_t)(i * rates[_i].interval / 40)).passed;
    ck_assert_msg(abs(passed - 40) <= 1, "%d in 40 intervals", passed);
    /* The interval as it is kept is within one in a hundred. */
    got = (double)(on->rate.limit.interval * on->rate.limit.tick);
    want = rates[_i].interval;
    ck_assert_msg(got > want * 0.99 && got < want * 1.01, "%f for %f", got, want);
    /* In the end all of it is there again. */
    ck_assert_int_eq(
        pass(on, 1, start + (apr_time_t)(want * 2.1 * tries + want * 45), tries),
        rates[_i].at_once);
}
END_TEST

START_TEST(what_is_denied_costs_nothing)
{
    const limiter_t *on = limiter("10/10s", NULL, 100);
    const apr_time_t start = START;

    ck_assert_int_eq(pass(on, 1, start, 1000), 10);
    ck_assert_int_eq(pass(on, 1, start + 990000, 1000), 0);
    ck_assert_int_eq(pass(on, 1, start + 1010000, 1000), 1);
    ck_assert_int_eq(pass(on, 1, start + 4010000, 1000), 3);
}
END_TEST

START_TEST(the_state_tells_the_debt)
{
    const limiter_t *on = limiter("10/10s", "2", 100);
    const apr_time_t start = START;
    const int64_t interval = on->rate.limit.interval;
    mouse_limit_state_t state = take(on, 1, start);

    ck_assert(state.passed && !state.crowded && state.debt == interval);
    state = take(on, 1, start);
    ck_assert(state.passed && state.debt == 2 * interval);
    state = take(on, 1, start);
    ck_assert(!state.passed && !state.crowded && state.debt == 2 * interval);
    ck_assert_int_eq(on->rate.limit.capacity, 2 * interval);
}
END_TEST

/* The times in cells wrap: debts that reach over the end are debts. */
START_TEST(the_clock_turns)
{
    const limiter_t *on = limiter(_i ? "10/1h" : "1000/1s", "10", 100);
    const apr_time_t turn = ((apr_time_t)1 << 44) * on->rate.limit.tick;
    const apr_time_t interval = on->rate.limit.interval * on->rate.limit.tick;
    const apr_time_t end = (START / turn + 1) * turn;

    ck_assert_int_eq(pass(on, 1, end - 4 * interval - 1, 20), 10);
    ck_assert_int_eq(pass(on, 1, end - 2 * interval, 20), 2);
    ck_assert_int_eq(pass(on, 1, end - 1, 20), 2);
    ck_assert_int_eq(pass(on, 1, end + interval, 20), 1);
    ck_assert_int_eq(pass(on, 2, end + interval, 20), 10);
    /* Half a turn and nearly a turn later nothing is left of it. */
    ck_assert_int_eq(pass(on, 1, end + turn / 2, 20), 10);
    ck_assert_int_eq(pass(on, 1, end + turn / 2 + turn - 30 * interval, 20), 10);
}
END_TEST

/* A clock that is set back does not lock anybody out for so long. */
START_TEST(the_clock_is_set_back)
{
    const limiter_t *on = limiter("10/1m", NULL, 100);
    const apr_time_t start = START;

    ck_assert_int_eq(pass(on, 1, start + apr_time_from_sec(86400), 20), 10);
    ck_assert_int_eq(pass(on, 1, start, 20), 10);
}
END_TEST

/* One bucket: seven keys have cells, more share one, and nobody's debt is thrown out. */
START_TEST(keys_beyond_a_bucket_share_a_cell)
{
    const limiter_t *on = limiter("3/3h", NULL, 1);
    const apr_time_t start = START, hour = apr_time_from_sec(3601);
    mouse_limit_state_t state;
    int key;

    ck_assert_int_eq(on->limits.buckets, 1);
    for (key = 1; key <= 7; key++)
        ck_assert_int_eq(pass(on, key, start, 1), 1);
    state = take(on, 8, start);
    ck_assert(state.passed && state.crowded);
    for (key = 9; key <= 10; key++)
        ck_assert_int_eq(pass(on, key, start, 1), 1);
    for (key = 8; key <= 30; key++) {
        state = take(on, key, start);
        ck_assert(!state.passed && state.crowded);
    }
    for (key = 1; key <= 7; key++)
        ck_assert_int_eq(pass(on, key, start, 5), 2);
    /* All are in debt by two intervals an hour later: a third of each is there again. */
    for (key = 1; key <= 7; key++)
        ck_assert_int_eq(pass(on, key, start + hour, 5), 1);
    ck_assert_int_eq(pass(on, 8, start + hour, 5), 1);
}
END_TEST

/* Who leaves the shared cell for one of its own takes the debt along. */
START_TEST(no_debt_is_left_in_the_shared_cell)
{
    const limiter_t *on = limiter("3/3h", NULL, 1);
    const apr_time_t start = START, hour = apr_time_from_sec(3601);
    int key;

    for (key = 1; key <= 7; key++)
        ck_assert_int_eq(pass(on, key, start, 1), 1);
    ck_assert_int_eq(pass(on, 8, start, 5), 3);
    ck_assert_int_eq(pass(on, 8, start + hour, 5), 1);
    ck_assert(!take(on, 8, start + hour).crowded);
    ck_assert_int_eq(pass(on, 8, start + 5 * hour, 5), 3);
    ck_assert_int_eq(pass(on, 9, start + 5 * hour, 5), 3);
}
END_TEST

START_TEST(many_keys_do_not_meet)
{
    const limiter_t *on = limiter("3/1h", NULL, 65536);
    const apr_time_t start = START;
    int round, key, crowded = 0, early = 0, late = 0;

    for (round = 0; round < 4; round++) {
        for (key = 0; key < 20000; key++) {
            mouse_limit_state_t state = take(on, key, start);

            crowded += state.crowded;
            early += round < 3 && !state.passed && !state.crowded;
            late += round == 3 && state.passed;
        }
    }
    ck_assert_msg(crowded <= 40, "%d of 80000 requests in shared cells", crowded);
    ck_assert_int_eq(late, 0);
    /* Two of these keys may have one tag in one bucket: one pair in 86 runs. */
    ck_assert_int_eq(early, 0);
}
END_TEST

/* ---- threads ---- */

#define THREADS 8

typedef struct hammer_t {
    const limiter_t *on;
    pthread_barrier_t *barrier;
    apr_time_t at;
    int keys, tries, rounds;
    int *passed; /* per key, of this thread */
} hammer_t;

static void *hammer(void *data)
{
    const hammer_t *job = data;
    int round, i, key;

    for (round = 0; round < job->rounds; round++) {
        pthread_barrier_wait(job->barrier);
        for (i = 0; i < job->tries; i++) {
            for (key = 0; key < job->keys; key++)
                job->passed[round * job->keys + key] +=
                    take(job->on, round * job->keys + key, job->at).passed;
        }
    }
    return NULL;
}

/* Each of rounds x keys keys lets exactly `burst` of all threads' requests pass. */
static void hammer_keys(const limiter_t *on, int rounds, int keys, int tries, int burst)
{
    pthread_t threads[THREADS];
    hammer_t jobs[THREADS];
    pthread_barrier_t barrier;
    const int count = rounds * keys;
    int i, key;

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (i = 0; i < THREADS; i++) {
        jobs[i] = (hammer_t){on, &barrier, START, keys, tries, rounds, NULL};
        jobs[i].at = jobs[0].at;
        jobs[i].passed = apr_pcalloc(unit_pool, (size_t)count * sizeof(int));
    }
    for (i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hammer, &jobs[i]), 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (key = 0; key < count; key++) {
        int passed = 0;

        for (i = 0; i < THREADS; i++)
            passed += jobs[i].passed[key];
        ck_assert_msg(passed == burst, "key %d: %d", key, passed);
    }
    pthread_barrier_destroy(&barrier);
}

START_TEST(threads_share_one_key)
{
    hammer_keys(limiter("1000/1h", NULL, 100), 1, 1, 20000, 1000);
}
END_TEST

START_TEST(threads_share_a_full_bucket)
{
    hammer_keys(limiter("1000/1h", NULL, 1), 1, 7, 2000, 1000);
}
END_TEST

/* New keys at once from all sides: none gets two cells. */
START_TEST(threads_begin_with_the_same_keys)
{
    hammer_keys(limiter("10/1h", NULL, 65536), 3000, 1, 3, 10);
}
END_TEST

/* Two processes' first requests draw one secret. */
START_TEST(the_secret_is_drawn_once)
{
    limiter_t *on = limiter("10/1h", NULL, 100);
    int i;

    for (i = 0; i < 300; i++) {
        memset(on->limits.shared->data, 0, on->limits.shared->size);
        hammer_keys(on, 1, 1, 2, 10);
    }
}
END_TEST

/* ---- processes ---- */

#define PROCESSES 4

static void *map(size_t size)
{
    void *data =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    ck_assert(data != MAP_FAILED);
    return data;
}

/* Children that draw the secret and take the cells themselves, and one that is killed. */
START_TEST(processes_share_the_keys)
{
    limiter_t *on = limiter("1000/1h", NULL, 1);
    mouse_shared_t *shared = apr_pmemdup(unit_pool, on->limits.shared, sizeof(*shared));
    int(*passed)[5] = map(PROCESSES * sizeof(*passed));
    const apr_time_t at = START;
    pid_t pids[PROCESSES], killed;
    int i, key;

    shared->data = map(shared->size);
    on->limits.shared = shared;
    killed = fork();
    while (killed == 0)
        take(on, 5, at);
    for (i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        for (key = 0; pids[i] == 0 && key < 5 * 2000; key++)
            passed[i][key % 5] += take(on, key % 5, at).passed;
        if (pids[i] == 0)
            _exit(0);
    }
    kill(killed, SIGKILL);
    waitpid(killed, NULL, 0);
    for (i = 0; i < PROCESSES; i++)
        waitpid(pids[i], NULL, 0);
    for (key = 0; key < 5; key++) {
        int sum = 0;

        for (i = 0; i < PROCESSES; i++)
            sum += passed[i][key];
        ck_assert_int_eq(sum, 1000);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("limit");
    TCase *tcase = unit_case(suite, "limit");

    tcase_add_loop_test(tcase, a_burst_then_the_rate, 0, sizeof(rates) / sizeof(rates[0]));
    tcase_add_test(tcase, what_is_denied_costs_nothing);
    tcase_add_test(tcase, the_state_tells_the_debt);
    tcase_add_loop_test(tcase, the_clock_turns, 0, 2);
    tcase_add_test(tcase, the_clock_is_set_back);
    tcase_add_test(tcase, keys_beyond_a_bucket_share_a_cell);
    tcase_add_test(tcase, no_debt_is_left_in_the_shared_cell);
    tcase_add_test(tcase, many_keys_do_not_meet);
    tcase_add_test(tcase, threads_share_one_key);
    tcase_add_test(tcase, threads_share_a_full_bucket);
    tcase_add_test(tcase, threads_begin_with_the_same_keys);
    tcase_add_test(tcase, the_secret_is_drawn_once);
    tcase_add_test(tcase, processes_share_the_keys);
    return suite;
}
