/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Nonces in memory that all processes share: each passes once while it is remembered.
 *
 * A nonce's keyed hash names a bucket and a tag; a slot is one word of a tag, the time it
 * is free again, and whether its owner has decided. Nobody locks. A request claims the
 * first free slot by one compare-and-swap, undecided, then looks at the whole bucket again:
 * a twin that has decided, or stands lower, is the one that passes, and this one withdraws;
 * a higher one is waited for, as it withdraws or has decided already. Two twins may stand
 * in two slots when their clocks differ over what is free; whoever claims last sees the
 * other, so never two pass, and the lowest always does. Each word is changed by its owner
 * alone until it expires. An owner that dies undecided leaves a nonce that counts as seen:
 * it fails closed.
 */

#include "guard/guard_int.h"

#include <sched.h>
#include <stdatomic.h>

#include <apr_general.h>
#include <apr_strings.h>

#define WIDTH     64 /* slots in a bucket */
#define TAG_BITS  35
#define TAG_MASK  ((UINT64_C(1) << TAG_BITS) - 1)
#define UNDECIDED (UINT64_C(1) << 63)
#define TICK      apr_time_from_sec(16) /* times are kept in ticks: 28 bits last until 2106 */
#define PATIENCE  300                   /* looks at a twin that does not decide */

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit words must be free of locks");

typedef struct header_t {
    _Atomic uint64_t secret[4];
    _Atomic int64_t since; /* when the memory was new; 0: nobody has asked */
} header_t;

typedef struct bucket_t {
    _Atomic uint64_t slots[WIDTH];
} bucket_t;

/* One nonce on its way into its bucket. */
typedef struct entry_t {
    bucket_t *bucket;
    uint64_t now; /* in ticks */
    uint64_t word;
} entry_t;

size_t mouse_nonces_size(int entries)
{
    size_t buckets = ((size_t)entries * 2 + WIDTH - 1) / WIDTH;

    return sizeof(header_t) + buckets * sizeof(bucket_t);
}

const char *mouse_nonces_name(apr_pool_t *p, apr_interval_time_t window)
{
    return apr_psprintf(p, "nonces.%" APR_TIME_T_FMT, apr_time_as_msec(window));
}

apr_time_t mouse_nonces_since(const mouse_shared_t *shared, apr_time_t started)
{
    header_t *header = shared->data;
    int64_t since = 0;

    if (!header)
        return started;
    atomic_compare_exchange_strong(&header->since, &since, started);
    return since == 0 ? started : since;
}

/* The hash's key, made by whoever comes first. */
static bool read_secret(header_t *header, uint64_t secret[4])
{
    for (int i = 0; i < 4; i++) {
        uint64_t made = 0;

        secret[i] = atomic_load(&header->secret[i]);
        if (secret[i] != 0)
            continue;
        if (apr_generate_random_bytes((unsigned char *)&made, sizeof(made)) !=
                APR_SUCCESS ||
            made == 0)
            return false;
        if (atomic_compare_exchange_strong(&header->secret[i], &secret[i], made))
            secret[i] = made;
    }
    return true;
}

static bool make_entry(const mouse_shared_t *shared, apr_time_t now, apr_time_t expires,
                       mouse_slice_t nonce, entry_t *entry)
{
    size_t count = (shared->size - sizeof(header_t)) / sizeof(bucket_t);
    bucket_t *buckets = (bucket_t *)((header_t *)shared->data + 1);
    uint64_t secret[4], hash[MOUSE_SIGN_MOST / 8];

    if (!read_secret(shared->data, secret))
        return false;
    mouse_sign_hmac(&nettle_sha256, (mouse_slice_t){(char *)secret, sizeof(secret)}, nonce,
                    (uint8_t *)hash);
    entry->bucket = &buckets[hash[0] % count];
    entry->now = (uint64_t)(now / TICK);
    entry->word =
        (uint64_t)((expires + TICK - 1) / TICK) << TAG_BITS | (hash[1] & TAG_MASK);
    return true;
}

static bool lives(const entry_t *entry, uint64_t word)
{
    return (word & ~UNDECIDED) >> TAG_BITS > entry->now;
}

static bool is_twin(const entry_t *entry, uint64_t word)
{
    return (word & TAG_MASK) == (entry->word & TAG_MASK) && lives(entry, word);
}

/* SEEN where a twin lives; else FRESH with the first free slot and what it holds, or FULL.
 */
static mouse_nonce_t find_free(const entry_t *entry, int *slot, uint64_t *held)
{
    *slot = WIDTH;
    for (int i = 0; i < WIDTH; i++) {
        uint64_t word = atomic_load(&entry->bucket->slots[i]);

        if (is_twin(entry, word))
            return MOUSE_NONCE_SEEN;
        if (*slot == WIDTH && !lives(entry, word)) {
            *slot = i;
            *held = word;
        }
    }
    return *slot == WIDTH ? MOUSE_NONCE_FULL : MOUSE_NONCE_FRESH;
}

static mouse_nonce_t claim(const entry_t *entry, int *slot)
{
    mouse_nonce_t found;
    uint64_t held = 0;

    do
        found = find_free(entry, slot, &held);
    while (found == MOUSE_NONCE_FRESH &&
           !atomic_compare_exchange_strong(&entry->bucket->slots[*slot], &held,
                                           entry->word | UNDECIDED));
    return found;
}

/* Lets a twin decide: at once as a rule, later when its thread is not running. */
static bool wait_a_little(int *looks)
{
    if (++*looks > PATIENCE)
        return false;
    if (*looks < PATIENCE / 2)
        sched_yield();
    else
        apr_sleep(1000);
    return true;
}

/* Is this the one that passes, of all its twins in the bucket? */
static bool prevails(const entry_t *entry, int slot)
{
    int looks = 0;

    for (int i = 0; i < WIDTH; i++) {
        uint64_t word = i == slot ? 0 : atomic_load(&entry->bucket->slots[i]);

        while (is_twin(entry, word)) {
            if (i < slot || !(word & UNDECIDED) || !wait_a_little(&looks))
                return false;
            word = atomic_load(&entry->bucket->slots[i]);
        }
    }
    return true;
}

mouse_nonce_t mouse_nonces_record(const mouse_shared_t *shared, apr_time_t now,
                                  apr_time_t expires, mouse_slice_t nonce)
{
    mouse_nonce_t found;
    uint64_t word;
    entry_t entry;
    int slot;
    bool mine;

    if (!shared->data || !make_entry(shared, now, expires, nonce, &entry))
        return MOUSE_NONCE_FULL;
    if (!lives(&entry, entry.word)) /* nothing would remember it */
        return MOUSE_NONCE_SEEN;
    found = claim(&entry, &slot);
    if (found != MOUSE_NONCE_FRESH)
        return found;
    mine = prevails(&entry, slot);
    word = entry.word | UNDECIDED;
    if (!atomic_compare_exchange_strong(&entry.bucket->slots[slot], &word,
                                        mine ? entry.word : 0))
        mine = false; /* it took longer than the nonce is remembered */
    return mine ? MOUSE_NONCE_FRESH : MOUSE_NONCE_SEEN;
}
