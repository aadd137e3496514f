/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The table of a rate limit, in memory that all children share: buckets of eight 64-bit
 * cells, one cache line each. A keyed hash picks a key's bucket and its tag. A cell is a
 * tag (20 bits, never 0) and the time up to which its key has used its rate (44 bits, in
 * ticks; they wrap, so times are compared by their signed difference).
 *
 * A request changes one cell by one compare-and-swap, or none when it is denied. There is
 * no lock that a dying child could keep, and nothing is ever swept: a cell without debt is
 * as good as empty.
 *
 * A key without a cell takes one without debt. Where seven other keys of its bucket are in
 * debt it uses the eighth cell, which all such keys share: it may be denied for their sake,
 * but nobody's debt is thrown out. For the same reason a key that finds a cell free while
 * the shared one is in debt starts with that debt: a part may be its own.
 */
#include "guard/limit_int.h"

#include <stdatomic.h>
#include <stdlib.h>

#include <apr_general.h>
#include <apr_siphash.h>

#define CELLS     8
#define OWN_CELLS 7
#define SHARED    7 /* the index of the shared cell */
#define TAG_BITS  20
#define TIME_BITS 44
#define TIME_MASK (((uint64_t)1 << TIME_BITS) - 1)
#define LINE      64

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit atomics work across processes");

typedef struct bucket_t {
    _Atomic uint64_t cells[CELLS];
} bucket_t;

typedef struct table_t {
    _Atomic uint64_t secret[CELLS]; /* two words of it, and the rest of the cache line */
    bucket_t buckets[];
} table_t;

/* Where a key belongs. */
typedef struct place_t {
    bucket_t *bucket;
    uint64_t tag;
    unsigned start; /* the cell it would like best */
} place_t;

/* One look at a bucket: what is decided on it holds when the swap succeeds. */
typedef struct look_t {
    uint64_t cells[CELLS];
    uint64_t now;
} look_t;

uint32_t mouse_limits_buckets(int64_t keys)
{
    return (uint32_t)((keys + 3) / 4);
}

size_t mouse_limits_size(uint32_t buckets)
{
    return sizeof(table_t) + buckets * sizeof(bucket_t) + LINE;
}

/* Shared memory does not begin at a cache line; it stays where it is in every child. */
static table_t *find_table(const mouse_limits_t *limits)
{
    uintptr_t at = (uintptr_t)limits->shared->data;

    return (table_t *)((at + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

/* Drawn by whoever needs it first; of several, one wins and all use its word. */
static uint64_t get_secret(_Atomic uint64_t *word)
{
    uint64_t known = atomic_load_explicit(word, memory_order_acquire), drawn;

    if (known)
        return known;
    do {
        if (apr_generate_random_bytes((unsigned char *)&drawn, sizeof(drawn)) !=
            APR_SUCCESS)
            abort();
    } while (drawn == 0);
    return atomic_compare_exchange_strong(word, &known, drawn) ? drawn : known;
}

static place_t find_place(const mouse_limits_t *limits, mouse_slice_t key)
{
    table_t *table = find_table(limits);
    uint64_t secret[2] = {get_secret(&table->secret[0]), get_secret(&table->secret[1])};
    uint64_t hash = apr_siphash24(key.data, key.len, (const unsigned char *)secret);
    uint64_t tag = hash & (((uint64_t)1 << TAG_BITS) - 1);

    return (place_t){.bucket = &table->buckets[((hash >> 32) * limits->buckets) >> 32],
                     .tag = tag ? tag : 1,
                     .start = (unsigned)(hash >> TAG_BITS & 0xFFF) % OWN_CELLS};
}

/* The clock is read after the cells: whatever they hold was written at a time not after it.
 * So no request, however long it took to get here, sees a debt as larger than it may be. */
static look_t look_at(const bucket_t *bucket, apr_time_t since, int64_t tick)
{
    look_t look;
    apr_time_t now;

    for (int i = 0; i < CELLS; i++)
        look.cells[i] = atomic_load_explicit(&bucket->cells[i], memory_order_acquire);
    now = apr_time_now();
    look.now = (uint64_t)((now > since ? now : since) / tick) & TIME_MASK;
    return look;
}

static uint64_t tag_of(uint64_t cell)
{
    return cell >> TIME_BITS;
}

/* Beyond the ceiling it is none: left from a turn of the clock ago, or from before the
 * clock was set back. */
static int64_t debt_of(const look_t *look, int index, int64_t ceiling)
{
    uint64_t cell = look->cells[index];
    int64_t ahead = (int64_t)((cell - look->now) << TAG_BITS) >> TAG_BITS;

    return tag_of(cell) != 0 && ahead > 0 && ahead <= ceiling ? ahead : 0;
}

static int find_own(const look_t *look, const place_t *place)
{
    for (int i = 0; i < OWN_CELLS; i++) {
        if (tag_of(look->cells[i]) == place->tag)
            return i;
    }
    return -1;
}

/* The first without debt, from a place of its own on; else the shared one. */
static int find_free(const look_t *look, const place_t *place, int64_t ceiling)
{
    for (int i = 0; i < OWN_CELLS; i++) {
        int index = (int)((place->start + (unsigned)i) % OWN_CELLS);

        if (debt_of(look, index, ceiling) == 0)
            return index;
    }
    return SHARED;
}

static bool swap(const place_t *place, int index, uint64_t from, uint64_t to)
{
    return atomic_compare_exchange_strong(&place->bucket->cells[index], &from, to);
}

/*
 * Two requests of a key that has no cell take the same one, and the later swap fails:
 * unless another key's debt melted between their looks, so that one found an earlier cell
 * free. Both look again when they have theirs; who sees the other withdraws and begins
 * anew. Should a third request have counted in that cell meanwhile, the withdrawal fails
 * and the two cells stay: what is lost then is what was counted between two instructions.
 */
static bool is_twin(const place_t *place)
{
    int count = 0;

    for (int i = 0; i < OWN_CELLS; i++)
        count += tag_of(atomic_load(&place->bucket->cells[i])) == place->tag;
    return count > 1;
}

mouse_limit_state_t mouse_limits_take(const mouse_limits_t *limits,
                                      const mouse_limit_t *limit, mouse_slice_t key,
                                      apr_time_t since)
{
    const place_t place = find_place(limits, key);

    for (;;) {
        const look_t look = look_at(place.bucket, since, limit->tick);
        int own = find_own(&look, &place);
        int index = own >= 0 ? own : find_free(&look, &place, limit->ceiling);
        int64_t debt = debt_of(&look, own >= 0 ? own : SHARED, limit->ceiling);
        uint64_t next;

        if (debt + limit->interval > limit->capacity)
            return (mouse_limit_state_t){false, own < 0, debt};
        debt += limit->interval;
        next = place.tag << TIME_BITS | ((look.now + (uint64_t)debt) & TIME_MASK);
        if (!swap(&place, index, look.cells[index], next))
            continue;
        if (own < 0 && index != SHARED && is_twin(&place) && swap(&place, index, next, 0))
            continue;
        return (mouse_limit_state_t){true, index == SHARED, debt};
    }
}
