/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Who flies with whom, and who leads. All of a flight is read and written under its shard's
 * lock, which is held for a few assignments only; what a flight brings is read without.
 *
 * A process has as many flights as threads at most, so that the list behind a hash is short
 * whatever keys its clients choose.
 */

#include "model/flights_int.h"

#include <pthread.h>
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

struct mouse_flight_t {
    mouse_flight_t *next;
    shard_t *shard;
    bool gathering; /* has not departed: whoever comes may board */
    bool turn;      /* may depart: nothing that it would have to wait for flies */
    bool led;
    bool newest; /* the last one of its key that departed: the next waits for this one */
    bool landed;
    int waiting; /* besides the leader */
    mouse_landing_t *landing;
    pthread_cond_t wake;
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
    free((char *)landing->body.data);
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
    pthread_cond_init(&flight->wake, NULL);
    flight->shard = shard;
    flight->hash = hash;
    flight->len = key.len;
    memcpy(flight->key, key.data, key.len);
    flight->gathering = true;
    flight->next = shard->first;
    shard->first = flight;
    return flight;
}

static void destroy_flight(mouse_flight_t *flight)
{
    pthread_cond_destroy(&flight->wake);
    free(flight);
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

/* ---- ends; all under the lock ---- */

static void seek_leader(mouse_flight_t *flight)
{
    flight->turn = true;
    if (!flight->led && flight->waiting > 0)
        pthread_cond_signal(&flight->wake);
}

/* It is over: the next may depart. */
static void end_flight(mouse_flight_t *flight, mouse_landing_t *landing)
{
    mouse_flight_t *next, *newest;

    flight->gathering = false;
    find_others(flight, &next, &newest);
    unlink_flight(flight);
    if (next && (flight->newest || !newest))
        seek_leader(next);
    flight->landed = true;
    flight->landing = landing;
    if (landing)
        __atomic_add_fetch(&landing->references, (uint32_t)flight->waiting,
                           __ATOMIC_RELAXED);
    if (flight->waiting == 0)
        destroy_flight(flight);
    else
        pthread_cond_broadcast(&flight->wake);
}

/* A member or the leader has left. */
static void lose_member(mouse_flight_t *flight)
{
    if (flight->landed) {
        if (flight->waiting == 0)
            destroy_flight(flight);
    } else if (!flight->led) {
        if (flight->waiting == 0)
            end_flight(flight, NULL);
        else if (flight->turn)
            seek_leader(flight);
    }
}

/* ---- waiting ---- */

typedef struct member_t {
    const mouse_watch_t *watch;
    apr_time_t turn; /* does not wait longer for it */
    apr_time_t line; /* nor for the leader's connection */
    apr_time_t look; /* at the client */
} member_t;

static void wait_until(mouse_flight_t *flight, const member_t *member)
{
    apr_time_t until = member->look;
    struct timespec when;

    if (member->watch->deadline < until)
        until = member->watch->deadline;
    if (!flight->led && member->turn < until)
        until = member->turn;
    else if (flight->gathering && member->line < until)
        until = member->line;
    when.tv_sec = (time_t)apr_time_sec(until);
    when.tv_nsec = (long)apr_time_usec(until) * 1000;
    pthread_cond_timedwait(&flight->wake, &flight->shard->lock, &when);
}

/* The lock is given up while somebody else's code is asked. */
static bool has_gone(mouse_flight_t *flight, member_t *member)
{
    bool gone;

    member->look = apr_time_now() + LOOK_EVERY;
    pthread_mutex_unlock(&flight->shard->lock);
    gone = mouse_watch_gone(member->watch);
    pthread_mutex_lock(&flight->shard->lock);
    return gone && !flight->landed;
}

/* Does its wait end here? */
static bool decide(const mouse_flight_t *flight, const member_t *member, apr_time_t now,
                   mouse_seat_t *seat)
{
    if (flight->landed)
        *seat = flight->landing ? MOUSE_SEAT_LANDED : MOUSE_SEAT_ALONE;
    else if (now >= member->watch->deadline)
        *seat = MOUSE_SEAT_TIMEOUT;
    else if (!flight->led && (flight->turn || now >= member->turn))
        *seat = MOUSE_SEAT_LEADS;
    else if (flight->gathering && now >= member->line)
        *seat = MOUSE_SEAT_BUSY;
    else
        return false;
    return true;
}

static mouse_seat_t wait_for_seat(mouse_flight_t *flight, member_t *member, apr_time_t now)
{
    mouse_seat_t seat;

    while (!decide(flight, member, now, &seat)) {
        if (now < member->look)
            wait_until(flight, member);
        else if (has_gone(flight, member))
            return MOUSE_SEAT_GONE;
        now = apr_time_now();
    }
    return seat;
}

static mouse_seat_t join(mouse_flight_t *flight, const mouse_watch_t *watch,
                         apr_interval_time_t wait, mouse_landing_t **landing)
{
    apr_time_t now = apr_time_now();
    member_t member = {watch, now + wait, now + 2 * wait, now + LOOK_EVERY};
    mouse_seat_t seat;

    flight->waiting++;
    seat = wait_for_seat(flight, &member, now);
    flight->waiting--;
    *landing = flight->landing;
    if (seat == MOUSE_SEAT_LEADS)
        flight->led = true;
    else
        lose_member(flight);
    return seat;
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
    mouse_seat_t seat = MOUSE_SEAT_LEADS;

    pthread_mutex_lock(&shard->lock);
    find_flights(shard, hash, key, flight, &newest);
    if (!*flight) {
        *flight = create_flight(shard, hash, key);
        (*flight)->turn = !newest;
    }
    if (!(*flight)->led && (*flight)->turn)
        (*flight)->led = true;
    else
        seat = join(*flight, watch, wait, landing);
    pthread_mutex_unlock(&shard->lock);
    return seat;
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

    pthread_mutex_lock(&shard->lock);
    end_flight(flight, landing);
    pthread_mutex_unlock(&shard->lock);
}

void mouse_flight_abandon(mouse_flight_t *flight)
{
    shard_t *shard = flight->shard;

    pthread_mutex_lock(&shard->lock);
    flight->led = false;
    flight->turn = true;
    lose_member(flight);
    pthread_mutex_unlock(&shard->lock);
}
