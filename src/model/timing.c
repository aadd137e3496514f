/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Where a request's time goes: one clock read each time it changes hands. */

#include "model/mouse_model.h"

#include <time.h>

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void mouse_timing_begin(mouse_timing_t *timing, apr_pool_t *p)
{
    *timing = (mouse_timing_t){.phase = MOUSE_PHASE_OTHER};
    timing->laps = apr_array_make(p, 4, sizeof(mouse_lap_t));
    timing->began = timing->since = timing->lap = clock_ns();
}

void mouse_timing_switch(mouse_timing_t *timing, mouse_phase_t phase)
{
    uint64_t now = clock_ns();

    timing->spent[timing->phase] += now - timing->since;
    timing->since = now;
    timing->phase = phase;
}

void mouse_timing_mark(mouse_timing_t *timing)
{
    timing->lap = clock_ns();
}

void mouse_timing_lap(mouse_timing_t *timing, const char *guard)
{
    uint64_t now = clock_ns();
    mouse_lap_t lap = {guard, now - timing->lap};

    APR_ARRAY_PUSH(timing->laps, mouse_lap_t) = lap;
    timing->guards += lap.ns;
    timing->lap = now;
}

uint64_t mouse_timing_total(const mouse_timing_t *timing)
{
    return clock_ns() - timing->began;
}
