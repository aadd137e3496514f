/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Who flies with whom, and who leads. All of a flight is read and written under its shard's
 * lock, which is held for a few assignments only; what a flight brings is read without.
 *
 * Who waits is a member of its flight until it is called, or gives up. A call says all that
 * it has to know, and ends in a post of its own semaphore, behind the lock: thirty threads
 * that wake at once need not stand in line for a lock.
 *
 * A process has as many flights as threads at most, so that the list behind a hash is short
 * whatever keys its clients choose.
 */

#include "model/flights_int.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include <apr_hash.h>

#define SHARD_BITS 5
#define SHARDS     (1 << SHARD_BITS)
#define LOOK_EVERY apr_time_from_msec(250)

typedef struct shard_t {
    pthread_mutex_t lock;
    mouse_flight_t *first;
} shard_t;

struct mouse_flights_t {
    shard_t shards[SHARDS];
};

typedef struct member_t member_t;

/* One thread that waits. It lives on that thread's stack, which a call therefore keeps: the
 * thread goes on when its semaphore was posted, not before. */
struct member_t {
    member_t *next; /* of the flight; once called, of those who are */
    sem_t wake;
    bool called;
    mouse_seat_t seat; /* these two are set by the call */
    mouse_landing_t *landing;
    const mouse_watch_t *watch;
    apr_time_t turn; /* does not wait longer for it */
    apr_time_t line; /* nor for the leader's connection */
    apr_time_t look; /* at the client */
};

struct mouse_flight_t {
    mouse_flight_t *next;
    shard_t *shard;
    bool gathering; /* has not departed: whoever comes may board */
    bool turn;      /* may depart: nothing that it would have to wait for flies */
    bool led;
    bool newest; /* the last one of its key that departed: the next waits for this one */
    int waiting; /* members */
    member_t *first, **last; /* members, in the order they came */
    unsigned hash;
    size_t len;
    char key[];
};

/* ---- landings ---- */

mouse_landing_t *mouse_landing_create(void)
{
    mouse_landing_t *landing = calloc(1, sizeof(*landing));

    if (!landing)
        abort();
    landing->references = 1;
    return landing;
}

apr_pool_t *mouse_landing_pool(mouse_landing_t *landing)
{
    if (!landing->pool &&
        apr_pool_create_unmanaged_ex(&landing->pool, NULL, NULL) != APR_SUCCESS)
        abort();
    return landing->pool;
}

void mouse_landing_release(mouse_landing_t *landing)
{
    if (__atomic_sub_fetch(&landing->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (landing->pool)
        apr_pool_destroy(landing->pool);
    mouse_buf_free((char *)landing->body.data);
    free(landing);
}

/* ---- the table ---- */

mouse_flights_t *mouse_flights_create(apr_pool_t *pchild)
{
    mouse_flights_t *flights = apr_pcalloc(pchild, sizeof(*flights));

    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&flights->shards[i].lock, NULL);
    return flights;
}

int mouse_flights_waiting(mouse_flights_t *flights)
{
    int waiting = 0;

    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_lock(&flights->shards[i].lock);
        for (const mouse_flight_t *at = flights->shards[i].first; at; at = at->next)
            waiting += at->waiting;
        pthread_mutex_unlock(&flights->shards[i].lock);
    }
    return waiting;
}

static mouse_flight_t *create_flight(shard_t *shard, unsigned hash, mouse_slice_t key)
{
    mouse_flight_t *flight = calloc(1, sizeof(*flight) + key.len);

    if (!flight)
        abort();
    flight->last = &flight->first;
    flight->shard = shard;
    flight->hash = hash;
    flight->len = key.len;
    memcpy(flight->key, key.data, key.len);
    flight->gathering = true;
    flight->next = shard->first;
    shard->first = flight;
    return flight;
}

static void unlink_flight(mouse_flight_t *flight)
{
    mouse_flight_t **link = &flight->shard->first;

    while (*link != flight)
        link = &(*link)->next;
    *link = flight->next;
}

static bool same_key(const mouse_flight_t *flight, unsigned hash, mouse_slice_t key)
{
    return flight->hash == hash &&
           mouse_slice_equal((mouse_slice_t){flight->key, flight->len}, key);
}

/* The key's flight that gathers, and the one that flies, each NULL where there is none. */
static void find_flights(const shard_t *shard, unsigned hash, mouse_slice_t key,
                         mouse_flight_t **gathering, mouse_flight_t **newest)
{
    *gathering = *newest = NULL;
    for (mouse_flight_t *flight = shard->first; flight; flight = flight->next) {
        if (!(flight->gathering || flight->newest) || !same_key(flight, hash, key))
            continue;
        if (flight->gathering)
            *gathering = flight;
        else
            *newest = flight;
    }
}

static void find_others(const mouse_flight_t *flight, mouse_flight_t **gathering,
                        mouse_flight_t **newest)
{
    find_flights(flight->shard, flight->hash, (mouse_slice_t){flight->key, flight->len},
                 gathering, newest);
}

/* ---- members and calls; all under the lock but for wake() ---- */

static void add_member(mouse_flight_t *flight, member_t *member)
{
    *flight->last = member;
    flight->last = &member->next;
    flight->waiting++;
}

static void remove_member(mouse_flight_t *flight, const member_t *member)
{
    member_t **link = &flight->first;

    while (*link != member)
        link = &(*link)->next;
    *link = member->next;
    if (!*link)
        flight->last = link;
    flight->waiting--;
}

/* Takes the first member off its flight and puts it at the head of `called`. */
static void call(mouse_flight_t *flight, member_t **called, mouse_seat_t seat,
                 mouse_landing_t *landing)
{
    member_t *member = flight->first;

    remove_member(flight, member);
    member->seat = seat;
    member->landing = landing;
    member->called = true;
    member->next = *called;
    *called = member;
}

/* Behind the lock. A member is gone as soon as it is posted. */
static void wake(member_t *called)
{
    while (called) {
        member_t *next = called->next;

        sem_post(&called->wake);
        called = next;
    }
}

static void seek_leader(mouse_flight_t *flight, member_t **called)
{
    flight->turn = true;
    if (flight->led || flight->waiting == 0)
        return;
    flight->led = true;
    call(flight, called, MOUSE_SEAT_LEADS, NULL);
}

/* It is over: its members go, the next may depart, which is woken first. */
static void end_flight(mouse_flight_t *flight, mouse_landing_t *landing, member_t **called)
{
    mouse_flight_t *next, *newest;

    flight->gathering = false;
    find_others(flight, &next, &newest);
    unlink_flight(flight);
    if (landing)
        __atomic_add_fetch(&landing->references, (uint32_t)flight->waiting,
                           __ATOMIC_RELAXED);
    while (flight->waiting > 0)
        call(flight, called, landing ? MOUSE_SEAT_LANDED : MOUSE_SEAT_ALONE, landing);
    if (next && (flight->newest || !newest))
        seek_leader(next, called);
    free(flight);
}

/* A member or the leader has left. */
static void settle(mouse_flight_t *flight, member_t **called)
{
    if (flight->led)
        return;
    if (flight->waiting == 0)
        end_flight(flight, NULL, called);
    else if (flight->turn)
        seek_leader(flight, called);
}

/* ---- waiting ---- */

static apr_time_t next_look(const mouse_flight_t *flight, const member_t *member)
{
    apr_time_t until = member->look;

    if (member->watch->deadline < until)
        until = member->watch->deadline;
    if (!flight->led && member->turn < until)
        until = member->turn;
    else if (flight->gathering && member->line < until)
        until = member->line;
    return until;
}

/* Without the lock. True: it was called, and the call is over. */
static bool sleep_until(member_t *member, apr_time_t until)
{
    const struct timespec when = {.tv_sec = (time_t)apr_time_sec(until),
                                  .tv_nsec = (long)apr_time_usec(until) * 1000};
    int rv;

    do
        rv = sem_timedwait(&member->wake, &when);
    while (rv != 0 && errno == EINTR);
    return rv == 0;
}

/* A call that was begun will end in a post. */
static void await_call(member_t *member)
{
    while (sem_wait(&member->wake) != 0 && errno == EINTR)
        continue;
}

/* Does it give up waiting, uncalled, by the clock? */
static bool gives_up(const mouse_flight_t *flight, const member_t *member, apr_time_t now,
                     mouse_seat_t *seat)
{
    if (now >= member->watch->deadline)
        *seat = MOUSE_SEAT_TIMEOUT;
    else if (!flight->led && now >= member->turn)
        *seat = MOUSE_SEAT_LEADS;
    else if (flight->gathering && now >= member->line)
        *seat = MOUSE_SEAT_BUSY;
    else
        return false;
    return true;
}

/* The lock is given up while somebody else's code is asked. */
static bool has_gone(shard_t *shard, member_t *member)
{
    bool gone;

    member->look = apr_time_now() + LOOK_EVERY;
    pthread_mutex_unlock(&shard->lock);
    gone = mouse_watch_gone(member->watch);
    pthread_mutex_lock(&shard->lock);
    return gone;
}

/* It was not called, and leaves or leads by itself. */
static void leave(mouse_flight_t *flight, member_t *member, mouse_seat_t seat,
                  member_t **called)
{
    remove_member(flight, member);
    member->seat = seat;
    if (seat == MOUSE_SEAT_LEADS)
        flight->led = true;
    else
        settle(flight, called);
}

/* With the lock, which is given up. Once the member was called the flight may be gone. */
static void wait_for_seat(mouse_flight_t *flight, shard_t *shard, member_t *member)
{
    member_t *called = NULL;
    mouse_seat_t seat = MOUSE_SEAT_GONE;

    while (!member->called) {
        apr_time_t now = apr_time_now(), until;

        if (gives_up(flight, member, now, &seat) ||
            (now >= member->look && has_gone(shard, member) && !member->called)) {
            leave(flight, member, seat, &called);
            pthread_mutex_unlock(&shard->lock);
            wake(called);
            return;
        }
        if (member->called)
            break;
        until = next_look(flight, member);
        pthread_mutex_unlock(&shard->lock);
        if (sleep_until(member, until))
            return;
        pthread_mutex_lock(&shard->lock);
    }
    pthread_mutex_unlock(&shard->lock);
    await_call(member);
}

/* With the lock, which is given up. */
static mouse_seat_t join(mouse_flight_t *flight, shard_t *shard, const mouse_watch_t *watch,
                         apr_interval_time_t wait, mouse_landing_t **landing)
{
    apr_time_t now = apr_time_now();
    member_t member = {.watch = watch,
                       .turn = now + wait,
                       .line = now + 2 * wait,
                       .look = now + LOOK_EVERY};

    sem_init(&member.wake, 0, 0);
    add_member(flight, &member);
    wait_for_seat(flight, shard, &member);
    sem_destroy(&member.wake);
    *landing = member.landing;
    return member.seat;
}

/* By the upper bits of a product: the lowest ones of APR's hash are a sum of bytes. */
static unsigned find_shard(unsigned hash)
{
    return (hash * 2654435769U) >> (32 - SHARD_BITS);
}

mouse_seat_t mouse_flights_board(mouse_flights_t *flights, mouse_slice_t key,
                                 const mouse_watch_t *watch, apr_interval_time_t wait,
                                 mouse_flight_t **flight, mouse_landing_t **landing)
{
    apr_ssize_t len = (apr_ssize_t)key.len;
    unsigned hash = apr_hashfunc_default(key.data, &len);
    shard_t *shard = &flights->shards[find_shard(hash)];
    mouse_flight_t *newest;

    pthread_mutex_lock(&shard->lock);
    find_flights(shard, hash, key, flight, &newest);
    if (!*flight) {
        *flight = create_flight(shard, hash, key);
        (*flight)->turn = !newest;
    }
    if ((*flight)->led || !(*flight)->turn)
        return join(*flight, shard, watch, wait, landing);
    (*flight)->led = true;
    pthread_mutex_unlock(&shard->lock);
    return MOUSE_SEAT_LEADS;
}

/* ---- for the leader ---- */

int mouse_flight_depart(mouse_flight_t *flight)
{
    mouse_flight_t *gathering, *newest;
    int waiting;

    pthread_mutex_lock(&flight->shard->lock);
    if (flight->gathering) {
        find_others(flight, &gathering, &newest);
        if (newest)
            newest->newest = false;
        flight->gathering = false;
        flight->newest = true;
    }
    waiting = flight->waiting;
    pthread_mutex_unlock(&flight->shard->lock);
    return waiting;
}

int mouse_flight_waiting(mouse_flight_t *flight)
{
    int waiting;

    pthread_mutex_lock(&flight->shard->lock);
    waiting = flight->waiting;
    pthread_mutex_unlock(&flight->shard->lock);
    return waiting;
}

void mouse_flight_land(mouse_flight_t *flight, mouse_landing_t *landing)
{
    shard_t *shard = flight->shard;
    member_t *called = NULL;

    pthread_mutex_lock(&shard->lock);
    end_flight(flight, landing, &called);
    pthread_mutex_unlock(&shard->lock);
    wake(called);
}

void mouse_flight_abandon(mouse_flight_t *flight)
{
    shard_t *shard = flight->shard;
    member_t *called = NULL;

    pthread_mutex_lock(&shard->lock);
    flight->led = false;
    flight->turn = true;
    settle(flight, &called);
    pthread_mutex_unlock(&shard->lock);
    wake(called);
}
