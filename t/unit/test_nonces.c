/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: the memory of nonces, alone, and with threads and processes at one nonce. */

#include "guard/guard_int.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

#include "unit.h"

#define SEC    apr_time_from_sec(1)
#define NOW    apr_time_from_sec(1767225600) /* a whole tick */
#define WINDOW apr_time_from_sec(300)
#define FRESH  MOUSE_NONCE_FRESH
#define SEEN   MOUSE_NONCE_SEEN
#define FULL   MOUSE_NONCE_FULL

static mouse_shared_t *make_memory(int entries)
{
    mouse_shared_t *shared = apr_pcalloc(unit_pool, sizeof(*shared));

    shared->size = mouse_nonces_size(entries);
    shared->data = apr_pcalloc(unit_pool, shared->size);
    return shared;
}

static mouse_nonce_t record(const mouse_shared_t *shared, apr_time_t at, const char *nonce)
{
    return mouse_nonces_record(shared, at, at + WINDOW, mouse_slice_of(nonce));
}

START_TEST(once_while_it_is_remembered)
{
    const mouse_shared_t *shared = make_memory(100);

    ck_assert_int_eq(record(shared, NOW, "a"), FRESH);
    ck_assert_int_eq(record(shared, NOW, "a"), SEEN);
    ck_assert_int_eq(record(shared, NOW, "b"), FRESH);
    ck_assert_int_eq(record(shared, NOW, "A"), FRESH);
    ck_assert_int_eq(record(shared, NOW, ""), FRESH);
    ck_assert_int_eq(record(shared, NOW, ""), SEEN);
    ck_assert_int_eq(record(shared, NOW + WINDOW - 1, "a"), SEEN);
    ck_assert_int_eq(record(shared, NOW - WINDOW, "a"), SEEN);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "a"), FRESH);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "a"), SEEN);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "b"), FRESH);
}
END_TEST

/* Whatever the moment within a tick: never free before its time. */
START_TEST(no_nonce_is_forgotten_early)
{
    const mouse_shared_t *shared = make_memory(100);
    apr_time_t at, expires;

    for (at = 0; at < 32 * SEC; at += 700 * 1000) {
        const char *nonce = apr_psprintf(unit_pool, "n%" APR_TIME_T_FMT, at);

        expires = NOW + at + 2 * SEC;
        ck_assert_int_eq(
            mouse_nonces_record(shared, NOW + at, expires, mouse_slice_of(nonce)), FRESH);
        ck_assert_int_eq(mouse_nonces_record(shared, expires - 1, expires + WINDOW,
                                             mouse_slice_of(nonce)),
                         SEEN);
    }
    ck_assert_int_eq(mouse_nonces_record(shared, NOW, NOW, MOUSE_SLICE("past")), SEEN);
    ck_assert_int_eq(mouse_nonces_record(shared, NOW, NOW - SEC, MOUSE_SLICE("past")),
                     SEEN);
}
END_TEST

/* One bucket: 64 places. */
START_TEST(full_lets_nobody_pass)
{
    const mouse_shared_t *shared = make_memory(1);
    int i;

    for (i = 0; i < 64; i++)
        ck_assert_int_eq(
            record(shared, NOW + (i < 32 ? 0 : 32 * SEC), apr_itoa(unit_pool, i)), FRESH);
    ck_assert_int_eq(record(shared, NOW + 32 * SEC, "one more"), FULL);
    ck_assert_int_eq(record(shared, NOW + 32 * SEC, "7"), SEEN);
    ck_assert_int_eq(record(shared, NOW + 32 * SEC, "one more"), FULL);
    for (i = 0; i < 32; i++)
        ck_assert_int_eq(
            record(shared, NOW + WINDOW + 16 * SEC, apr_psprintf(unit_pool, "later %d", i)),
            FRESH);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "one more"), FULL);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "40"), SEEN);
}
END_TEST

START_TEST(as_many_as_promised)
{
    static const int sizes[] = {1, 64, 65, 1000, 65536};
    size_t s;
    int i;

    for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        const mouse_shared_t *shared = make_memory(sizes[s]);

        for (i = 0; i < sizes[s]; i++) {
            char nonce[32];

            apr_snprintf(nonce, sizeof(nonce), "%d", i);
            ck_assert_int_eq(record(shared, NOW, nonce), FRESH);
        }
    }
}
END_TEST

START_TEST(each_memory_has_its_own_secret)
{
    const mouse_shared_t *one = make_memory(1), *other = make_memory(1);

    ck_assert_int_eq(record(one, NOW, "a"), FRESH);
    ck_assert_int_eq(record(other, NOW, "a"), FRESH);
    ck_assert(memcmp(one->data, other->data, 32) != 0);
    /* the tag of the first slot */
    ck_assert(memcmp((char *)one->data + 40, (char *)other->data + 40, 8) != 0);
}
END_TEST

START_TEST(memory_that_is_not_there)
{
    const mouse_shared_t none = {"x", mouse_nonces_size(1), NULL};

    ck_assert_int_eq(record(&none, NOW, "a"), FULL);
    ck_assert_int_eq(mouse_nonces_since(&none, NOW), NOW);
}
END_TEST

START_TEST(the_first_start_counts)
{
    const mouse_shared_t *shared = make_memory(1);

    ck_assert_int_eq(mouse_nonces_since(shared, NOW), NOW);
    ck_assert_int_eq(mouse_nonces_since(shared, NOW + SEC), NOW);
    ck_assert_int_eq(mouse_nonces_since(shared, NOW - SEC), NOW);
    ck_assert_int_eq(record(shared, NOW, "a"), FRESH);
    ck_assert_int_eq(mouse_nonces_since(shared, NOW + SEC), NOW);
}
END_TEST

/* Somebody died before deciding: bit 63 of its slot is still there. */
START_TEST(an_undecided_nonce_counts_as_seen)
{
    const mouse_shared_t *shared = make_memory(1);
    uint64_t *slots = (uint64_t *)((char *)shared->data + 40);

    ck_assert_int_eq(record(shared, NOW, "a"), FRESH);
    ck_assert(slots[0] != 0 && slots[0] >> 63 == 0 && slots[1] == 0);
    slots[0] |= UINT64_C(1) << 63;
    ck_assert_int_eq(record(shared, NOW, "a"), SEEN);
    ck_assert_int_eq(record(shared, NOW, "b"), FRESH);
    ck_assert_int_eq(record(shared, NOW + WINDOW + 16 * SEC, "a"), FRESH);
    ck_assert_int_eq(slots[0] >> 63, 0);
}
END_TEST

/* ---- threads ---- */

enum { THREADS = 2, ROUNDS = 100000 };

typedef struct race_t {
    const mouse_shared_t *shared;
    void *prepared;     /* the memory at the beginning of each round */
    atomic_int arrived; /* counts up; a round has two meetings */
    atomic_int fresh;
    int wrong; /* rounds in which not exactly one passed */
    apr_time_t now[THREADS];
} race_t;

typedef struct racer_t {
    race_t *race;
    int number;
} racer_t;

/* Waits awake: whoever sleeps comes too late for the other. */
static void meet(race_t *race, int *meetings)
{
    int spins = 0;

    atomic_fetch_add(&race->arrived, 1);
    ++*meetings;
    while (atomic_load(&race->arrived) < *meetings * THREADS) {
        if (++spins % 1000 == 0)
            sched_yield();
    }
}

static void *run_race(void *data)
{
    const racer_t *racer = data;
    race_t *race = racer->race;
    apr_time_t now = race->now[racer->number];
    int i, meetings = 0;

    for (i = 0; i < ROUNDS; i++) {
        if (racer->number == 0) {
            memcpy(race->shared->data, race->prepared, race->shared->size);
            atomic_store(&race->fresh, 0);
        }
        meet(race, &meetings);
        if (mouse_nonces_record(race->shared, now, NOW + WINDOW, MOUSE_SLICE("same")) ==
            FRESH)
            atomic_fetch_add(&race->fresh, 1);
        meet(race, &meetings);
        if (racer->number == 0)
            race->wrong += atomic_load(&race->fresh) != 1;
    }
    return NULL;
}

/* The first `expiring` slots are free for some of the threads' clocks only. */
static int race(int expiring, const int *late)
{
    race_t *race = apr_pcalloc(unit_pool, sizeof(*race));
    racer_t racers[THREADS];
    pthread_t threads[THREADS];
    int i;

    race->shared = make_memory(1);
    for (i = 0; i < expiring; i++)
        ck_assert_int_eq(mouse_nonces_record(race->shared, NOW,
                                             NOW + 16 * SEC * (1 + i % 3),
                                             mouse_slice_of(apr_itoa(unit_pool, i))),
                         FRESH);
    race->prepared = apr_pmemdup(unit_pool, race->shared->data, race->shared->size);
    for (i = 0; i < THREADS; i++) {
        race->now[i] = NOW + 16 * SEC * late[i];
        racers[i] = (racer_t){race, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_race, &racers[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return race->wrong;
}

START_TEST(one_of_many_threads_passes)
{
    static const int same[] = {0, 0}, late[] = {0, 1}, early[] = {1, 0}, later[] = {1, 3};

    ck_assert_int_eq(race(0, same), 0);
    ck_assert_int_eq(race(1, late), 0);
    ck_assert_int_eq(race(1, early), 0);
    ck_assert_int_eq(race(40, later), 0);
}
END_TEST

/* ---- processes ---- */

enum { CHILDREN = 4, NONCES = 20000 };

static void run_child(const mouse_shared_t *shared, atomic_int *fresh)
{
    int i;

    for (i = 0; i < NONCES; i++) {
        char nonce[32];

        apr_snprintf(nonce, sizeof(nonce), "%d", i);
        if (mouse_nonces_record(shared, NOW, NOW + WINDOW, mouse_slice_of(nonce)) == FRESH)
            atomic_fetch_add(fresh, 1);
    }
    _exit(0);
}

START_TEST(one_of_many_processes_passes)
{
    mouse_shared_t shared = {.size = mouse_nonces_size(NONCES)};
    atomic_int *fresh = mmap(NULL, 4096 + shared.size, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[CHILDREN];
    int i, status;

    ck_assert(fresh != MAP_FAILED);
    shared.data = (char *)fresh + 4096;
    for (i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0)
            run_child(&shared, fresh);
        ck_assert(children[i] > 0);
    }
    for (i = 0; i < CHILDREN; i++) {
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_int_eq(atomic_load(fresh), NONCES);
    munmap(fresh, 4096 + shared.size);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("nonces");
    TCase *tcase = unit_case(suite, "nonces");

    tcase_add_test(tcase, once_while_it_is_remembered);
    tcase_add_test(tcase, no_nonce_is_forgotten_early);
    tcase_add_test(tcase, full_lets_nobody_pass);
    tcase_add_test(tcase, as_many_as_promised);
    tcase_add_test(tcase, each_memory_has_its_own_secret);
    tcase_add_test(tcase, memory_that_is_not_there);
    tcase_add_test(tcase, the_first_start_counts);
    tcase_add_test(tcase, an_undecided_nonce_counts_as_seen);
    tcase_add_test(tcase, one_of_many_threads_passes);
    tcase_add_test(tcase, one_of_many_processes_passes);
    return suite;
}
