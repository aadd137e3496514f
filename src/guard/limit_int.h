/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * guard, inside: rates (rate.c) and the table of who used them how far (limit.c).
 *
 * GCRA, the generic cell rate algorithm: a request costs one interval of debt, debt melts
 * with time, and a request that would lift it above the capacity is denied and costs
 * nothing. Times are counted in ticks of some microseconds.
 */
#ifndef MOUSE_LIMIT_INT_H
#define MOUSE_LIMIT_INT_H

#include "guard/mouse_guard.h"

/* The most debt that the table can hold, in ticks: a quarter of its clock's turn. */
#define MOUSE_LIMIT_MOST ((int64_t)1 << 42)

/* What one request of one key may do. */
typedef struct mouse_limit_t {
    int64_t tick;     /* microseconds */
    int64_t interval; /* ticks between two requests at the steady rate */
    int64_t capacity; /* burst intervals */
    int64_t ceiling;  /* the most debt that any key of the table may have */
} mouse_limit_t;

/* ---- rates ---- */

typedef struct mouse_rate_t {
    const mouse_argument_t *rate_from, *burst_from; /* NULL: as below */
    int64_t rate, burst;                            /* burst 0: as the rate */
    int64_t fallback;                               /* for a null rate; 0: none */
    apr_interval_time_t period;
    mouse_limit_t limit; /* of a rate without arguments; tick and ceiling of any */
    const char *word;    /* RATE/PERIOD as written */
} mouse_rate_t;

/* "100/1m", "{key.per_minute}/1m"; burst and fallback are options' values or NULL. */
apr_status_t mouse_rate_parse(mouse_guard_setup_t *setup, const char *word,
                              const char *burst, const char *fallback, mouse_rate_t *rate,
                              mouse_error_t **err) MOUSE_MUST_USE;

/* The limit of this request and the requests it gives per period; *quota 0: none may pass,
 * *limit is not set. A value that is no rate: MOUSE_E_CONTEXT. */
apr_status_t mouse_rate_get(const mouse_rate_t *rate, mouse_request_t *req,
                            mouse_limit_t *limit, int64_t *quota,
                            mouse_error_t **err) MOUSE_MUST_USE;

/* ---- the table ---- */

typedef struct mouse_limits_t {
    const mouse_shared_t *shared;
    uint32_t buckets;
} mouse_limits_t;

typedef struct mouse_limit_state_t {
    bool passed;
    bool crowded; /* it had to share a cell with other keys */
    int64_t debt; /* ticks, after this request */
} mouse_limit_state_t;

#define MOUSE_LIMIT_KEYS_MOST 16777216

/* How many buckets so many keys need, and the memory of so many buckets. */
uint32_t mouse_limits_buckets(int64_t keys);
size_t mouse_limits_size(uint32_t buckets);

/* Counts one request of the key at the later of `since` and the clock's time. */
mouse_limit_state_t mouse_limits_take(const mouse_limits_t *limits,
                                      const mouse_limit_t *limit, mouse_slice_t key,
                                      apr_time_t since);

#endif
