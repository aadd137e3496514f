/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Durations and sizes as configuration files write them: a whole number and its unit.
 */
#include "base/mouse_base.h"

#include <apr_errno.h>

typedef struct unit_t {
    const char *name;
    int64_t factor;
} unit_t;

static apr_status_t parse_unit(const char *text, const unit_t *units, int64_t *out)
{
    int64_t number = 0;

    if (*text < '0' || *text > '9')
        return APR_EINVAL;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *text - '0', &number))
            return APR_EINVAL;
    }
    for (; units->name; units++) {
        if (strcmp(text, units->name) == 0)
            return __builtin_mul_overflow(number, units->factor, out) ? APR_EINVAL
                                                                      : APR_SUCCESS;
    }
    return APR_EINVAL;
}

apr_status_t mouse_parse_duration(const char *text, apr_interval_time_t *duration)
{
    static const unit_t units[] = {
        {"ms", 1000},      {"s", APR_USEC_PER_SEC}, {"m", 60000000},
        {"h", 3600000000}, {"d", 86400000000},      {NULL, 0},
    };
    int64_t value;
    apr_status_t rv = parse_unit(text, units, &value);

    if (rv == APR_SUCCESS)
        *duration = value;
    return rv;
}

apr_status_t mouse_parse_size(const char *text, apr_off_t *size)
{
    static const unit_t units[] = {
        {"", 1},        {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30},
        {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {NULL, 0},
    };
    int64_t value;
    apr_status_t rv = parse_unit(text, units, &value);

    if (rv == APR_SUCCESS)
        *size = value;
    return rv;
}
