/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Durations by buckets: each decade has steps of 2, 5 and 10 tenths of its first value, so
 * that 1, 2 and 5 of any power of ten are bounds, and no bucket is wider than a quarter of
 * what is in it.
 */
#include "http/mouse_meter.h"

#define FIRST   10 /* microseconds, up to which nothing is told apart */
#define STEPS   16 /* a decade */
#define DECADES 7

int mouse_histogram_bucket(apr_interval_time_t us)
{
    int64_t above = us - 1; /* bounds belong to the bucket below them */
    int decade = 0;

    if (above < FIRST)
        return 0;
    while (above >= (int64_t)FIRST * 10 && decade < DECADES) {
        above /= 10;
        decade++;
    }
    if (decade == DECADES)
        return MOUSE_BUCKETS - 1;
    if (above < 20)
        above = (above - 10) / 2;
    else if (above < 50)
        above = 5 + (above - 20) / 5;
    else
        above = 11 + (above - 50) / 10;
    return 1 + decade * STEPS + (int)above;
}

int64_t mouse_histogram_bound(int bucket)
{
    int step = (bucket - 1) % STEPS;
    int64_t bound = step < 5    ? 12 + 2 * step
                    : step < 11 ? 25 + 5 * (step - 5)
                                : 60 + 10 * (step - 11);

    if (bucket == 0)
        return FIRST;
    if (bucket >= MOUSE_BUCKETS - 1)
        return INT64_MAX;
    for (int decade = (bucket - 1) / STEPS; decade > 0; decade--)
        bound *= 10;
    return bound;
}

double mouse_histogram_quantile(const uint64_t buckets[MOUSE_BUCKETS], double part)
{
    uint64_t all = 0, below = 0;
    double rank, low;

    for (int i = 0; i < MOUSE_BUCKETS; i++)
        all += buckets[i];
    rank = part * (double)all;
    for (int i = 0; i < MOUSE_BUCKETS; i++) {
        if (buckets[i] == 0 || (double)(below + buckets[i]) < rank) {
            below += buckets[i];
            continue;
        }
        low = i == 0 ? 0 : (double)mouse_histogram_bound(i - 1);
        if (i == MOUSE_BUCKETS - 1)
            return low;
        return low + ((double)mouse_histogram_bound(i) - low) * (rank - (double)below) /
                         (double)buckets[i];
    }
    return 0;
}
