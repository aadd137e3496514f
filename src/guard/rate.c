/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Rates: RATE/PERIOD and its burst, as numbers or as context values, in ticks.
 *
 * A tick is chosen by the rate, so that an interval between two requests is some hundred
 * ticks or more and what is lost by rounding stays below one in a hundred, while the
 * table's clock turns but once in many months.
 */
#include "guard/limit_int.h"

#include <inttypes.h>

#include <apr_strings.h>

#define LEAST_TICKS 50 /* half a tick is one in a hundred of it */
#define GOOD_TICKS  500
#define MOST_TICK   1000
/* What a rate that only the request knows is taken for where a tick is chosen. */
#define LIKELY_RATE 100000

/* "100", "100.00" of a DECIMAL column: whole numbers alone, without a detour by doubles. */
static bool read_number(mouse_slice_t text, int64_t *number)
{
    size_t i = 0;

    for (*number = 0; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
        if (i == 18)
            return false;
        *number = *number * 10 + (text.data[i] - '0');
    }
    if (i > 0 && i + 1 < text.len && text.data[i] == '.') {
        for (i++; i < text.len && text.data[i] == '0';)
            i++;
    }
    return i > 0 && i == text.len;
}

/* ---- at start ---- */

/* A client could send it: then it would choose its own limit. */
static bool is_client_data(const char *name)
{
    return !strchr(name, '.') || strncmp(name, "header.", 7) == 0 ||
           strncmp(name, "cookie.", 7) == 0 || strncmp(name, "request.", 8) == 0;
}

static apr_status_t read_argument(mouse_guard_setup_t *setup, const char *text,
                                  const mouse_argument_t **arg, mouse_error_t **err)
{
    apr_status_t rv = mouse_guard_argument(setup, text, arg, err);
    int count;

    if (rv != APR_SUCCESS)
        return rv;
    if (!mouse_argument_is_value(*arg))
        return mouse_guard_refuse(setup, err, "\"%s\" is not one value, as {key.rate} is",
                                  text);
    if (is_client_data(mouse_argument_names(*arg, &count)[0]))
        return mouse_guard_refuse(setup, err, "\"%s\" would let clients choose their limit",
                                  text);
    return APR_SUCCESS;
}

/* A number above 0, or an argument; text NULL: neither. */
static apr_status_t read_word(mouse_guard_setup_t *setup, const char *what,
                              const char *text, int64_t *number,
                              const mouse_argument_t **arg, mouse_error_t **err)
{
    if (!text)
        return APR_SUCCESS;
    if (arg && strchr(text, '{'))
        return read_argument(setup, text, arg, err);
    if (read_number(mouse_slice_of(text), number) && *number > 0)
        return APR_SUCCESS;
    return mouse_guard_refuse(setup, err, "\"%s\" is no %s: a whole number from 1", text,
                              what);
}

/* 1, 10, 100 or 1000 us: the rates people write come out even. */
static int64_t choose_tick(const mouse_rate_t *rate)
{
    int64_t interval = rate->period / (rate->rate_from ? LIKELY_RATE : rate->rate);
    int64_t tick = 1;

    while (tick < MOST_TICK && interval / (tick * 10) >= GOOD_TICKS)
        tick *= 10;
    return tick;
}

static int64_t most_rate(const mouse_rate_t *rate)
{
    return rate->period / rate->limit.tick / LEAST_TICKS;
}

/* The limit of so many per period; number is 1..most_rate. */
static mouse_limit_t make_limit(const mouse_rate_t *rate, int64_t number, int64_t burst)
{
    mouse_limit_t limit = rate->limit;
    int64_t divisor = number * limit.tick;

    limit.interval = (rate->period + divisor / 2) / divisor;
    if (__builtin_mul_overflow(burst, limit.interval, &limit.capacity) ||
        limit.capacity > limit.ceiling)
        limit.capacity = limit.ceiling;
    return limit;
}

/* The most debt: a burst at the slowest rate, one in a period. */
static int64_t find_ceiling(const mouse_rate_t *rate)
{
    int64_t period = rate->period / rate->limit.tick, most;

    if (rate->burst_from)
        return MOUSE_LIMIT_MOST;
    if (rate->rate_from && rate->burst == 0)
        return period + period / LEAST_TICKS;
    if (__builtin_mul_overflow(rate->burst, period + 1, &most) || most > MOUSE_LIMIT_MOST)
        return MOUSE_LIMIT_MOST;
    return most;
}

static apr_status_t check_bounds(const mouse_guard_setup_t *setup, const mouse_rate_t *rate,
                                 mouse_error_t **err)
{
    const char *unit = strrchr(rate->word, '/');
    int64_t most = most_rate(rate);

    if (rate->period / rate->limit.tick > MOUSE_LIMIT_MOST / 2)
        return mouse_guard_refuse(setup, err, "the period of %s is too long", rate->word);
    if (most < 1)
        return mouse_guard_refuse(setup, err, "the period of %s is too short", rate->word);
    if (rate->rate > most || rate->fallback > most)
        return mouse_guard_refuse(
            setup, err, "%s is too fast to be counted exactly: at most %" PRId64 "%s",
            rate->word, most, unit);
    return APR_SUCCESS;
}

/* A rate without arguments is worked out once. */
static apr_status_t set_limit(const mouse_guard_setup_t *setup, mouse_rate_t *rate,
                              mouse_error_t **err)
{
    int64_t most;

    if (rate->rate_from || rate->burst_from) {
        rate->limit.ceiling = find_ceiling(rate);
        return APR_SUCCESS;
    }
    if (rate->burst == 0)
        rate->burst = rate->rate;
    rate->limit.ceiling = MOUSE_LIMIT_MOST;
    rate->limit = make_limit(rate, rate->rate, rate->burst);
    most = MOUSE_LIMIT_MOST / rate->limit.interval;
    if (rate->burst > most)
        return mouse_guard_refuse(setup, err, "burst= is at most %" PRId64 " at %s", most,
                                  rate->word);
    rate->limit.ceiling = rate->limit.capacity;
    return APR_SUCCESS;
}

apr_status_t mouse_rate_parse(mouse_guard_setup_t *setup, const char *word,
                              const char *burst, const char *fallback, mouse_rate_t *rate,
                              mouse_error_t **err)
{
    const char *slash = strrchr(word, '/');
    const char *number;
    apr_status_t rv;

    *rate = (mouse_rate_t){.word = apr_pstrdup(setup->pconf, word)};
    if (!slash || mouse_parse_duration(slash + 1, &rate->period) != APR_SUCCESS ||
        rate->period <= 0)
        return mouse_guard_refuse(setup, err,
                                  "\"%s\" is no rate: write RATE/PERIOD, as 100/1m", word);
    number = apr_pstrmemdup(setup->pconf, word, (size_t)(slash - word));
    rv = read_word(setup, "rate", number, &rate->rate, &rate->rate_from, err);
    if (rv == APR_SUCCESS)
        rv = read_word(setup, "burst", burst, &rate->burst, &rate->burst_from, err);
    if (rv == APR_SUCCESS)
        rv = read_word(setup, "rate", fallback, &rate->fallback, NULL, err);
    if (rv != APR_SUCCESS)
        return rv;
    if (fallback && !rate->rate_from)
        return mouse_guard_refuse(
            setup, err, "default= is for a rate that is context, and %s is none", word);
    rate->limit.tick = choose_tick(rate);
    rv = check_bounds(setup, rate, err);
    return rv == APR_SUCCESS ? set_limit(setup, rate, err) : rv;
}

/* ---- per request ---- */

static apr_status_t refuse_value(const mouse_rate_t *rate, mouse_request_t *req,
                                 mouse_slice_t text, const char *what, int64_t most,
                                 mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_CONTEXT, NULL);
    (*err)->log = apr_psprintf(
        req->pool, "rate-limit %s: %s is no %s: a whole number up to %" PRId64, rate->word,
        text.data ? mouse_slice_copy(req->pool, text) : "null", what, most);
    return APR_EGENERAL;
}

/* A null is *number as it is when that is not 0. */
static apr_status_t get_number(const mouse_rate_t *rate, mouse_request_t *req,
                               const mouse_argument_t *arg, const char *what, int64_t most,
                               int64_t *number, mouse_error_t **err)
{
    mouse_value_t value;
    mouse_slice_t text;
    apr_status_t rv = mouse_argument_value(req, arg, &value, err);

    if (rv != APR_SUCCESS)
        return rv;
    text = mouse_value_text(req->pool, &value);
    if (!text.data && *number > 0)
        return APR_SUCCESS;
    if (!text.data || !read_number(text, number) || *number > most)
        return refuse_value(rate, req, text, what, most, err);
    return APR_SUCCESS;
}

apr_status_t mouse_rate_get(const mouse_rate_t *rate, mouse_request_t *req,
                            mouse_limit_t *limit, int64_t *quota, mouse_error_t **err)
{
    int64_t number = rate->rate_from ? rate->fallback : rate->rate, burst = rate->burst;
    apr_status_t rv = APR_SUCCESS;

    *limit = rate->limit;
    if (rate->rate_from)
        rv = get_number(rate, req, rate->rate_from, "rate", most_rate(rate), &number, err);
    *quota = number;
    if (rv != APR_SUCCESS || number == 0 || !(rate->rate_from || rate->burst_from))
        return rv;
    if (burst == 0)
        burst = number;
    if (rate->burst_from)
        rv = get_number(rate, req, rate->burst_from, "burst", INT64_MAX, &burst, err);
    *limit = make_limit(rate, number, burst > 0 ? burst : 1);
    return rv;
}
