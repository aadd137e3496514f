/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `rate-limit RATE/PERIOD key=TEMPLATE [burst=N] [default=RATE] [keys=N] [else=STATUS]`: so
 * many requests per period and key, burst of them at once; more get 429 and Retry-After.
 *
 * Every answer behind it says where the client stands, in the fields of
 * draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy and RateLimit, both lists with one
 * member named as the guard. Names of guards need no escape in a structured field.
 */
#include "guard/guard_int.h"
#include "guard/limit_int.h"

#include <inttypes.h>
#include <limits.h>

#include <apr_strings.h>

#define KEYS       65536
#define MOST_DIGIT 20

typedef struct rate_limit_t {
    mouse_rate_t rate;
    const mouse_argument_t *key;
    mouse_limits_t limits;
    int status;
    const char *policy; /* the field's value; NULL: the request knows the rate */
    mouse_slice_t item; /* "NAME";r= */
    const char *name;
} rate_limit_t;

/* ---- at start ---- */

/* w= is in whole seconds: a period of 500ms has none. */
static const char *make_policy(apr_pool_t *p, const rate_limit_t *guard, int64_t quota)
{
    apr_interval_time_t period = guard->rate.period;

    if (period % APR_USEC_PER_SEC)
        return apr_psprintf(p, "\"%s\";q=%" PRId64, guard->name, quota);
    return apr_psprintf(p, "\"%s\";q=%" PRId64 ";w=%" PRId64, guard->name, quota,
                        (int64_t)apr_time_sec(period));
}

static apr_status_t share_table(const mouse_guard_setup_t *setup, const char *keys,
                                rate_limit_t *guard, mouse_error_t **err)
{
    /* What was counted in other ticks is of no use: another memory. */
    const char *name =
        apr_psprintf(setup->pconf, "rate-limit.%" PRId64, guard->rate.limit.tick);
    int64_t count = keys ? apr_atoi64(keys) : KEYS;

    if (count < 1 || count > MOUSE_LIMIT_KEYS_MOST ||
        (keys && keys[strspn(keys, "0123456789")]))
        return mouse_guard_refuse(setup, err, "\"keys=%s\" is no number from 1 to %d", keys,
                                  MOUSE_LIMIT_KEYS_MOST);
    guard->limits.buckets = mouse_limits_buckets(count);
    guard->limits.shared =
        setup->share(setup->baton, name, mouse_limits_size(guard->limits.buckets));
    return APR_SUCCESS;
}

static void set_texts(const mouse_guard_setup_t *setup, rate_limit_t *guard)
{
    guard->name = apr_pstrdup(setup->pconf, setup->name);
    guard->item = mouse_slice_of(apr_psprintf(setup->pconf, "\"%s\";r=", guard->name));
    if (!guard->rate.rate_from)
        guard->policy = make_policy(setup->pconf, guard, guard->rate.rate);
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    rate_limit_t *guard = apr_pcalloc(setup->pconf, sizeof(*guard));
    const char *key = NULL, *burst = NULL, *fallback = NULL, *keys = NULL, *status = NULL;
    const mouse_guard_option_t options[] = {{"key=", &key},          {"burst=", &burst},
                                            {"default=", &fallback}, {"keys=", &keys},
                                            {"else=", &status},      {NULL, NULL}};
    apr_status_t rv;

    *config = guard;
    guard->status = mouse_code_status(MOUSE_E_RATE_LIMITED);
    if (setup->argc < 1)
        return mouse_guard_refuse(
            setup, err, "rate-limit needs a rate: rate-limit 100/1m key={request.ip}");
    rv = mouse_guard_options(setup, 1, options, err);
    if (rv == APR_SUCCESS)
        rv = mouse_rate_parse(setup, setup->argv[0], burst, fallback, &guard->rate, err);
    if (rv == APR_SUCCESS && status)
        rv = mouse_guard_status(setup, status, &guard->status, err);
    if (rv == APR_SUCCESS && (!key || !*key))
        rv = mouse_guard_refuse(setup, err, "key= is required: key={request.ip}");
    if (rv == APR_SUCCESS)
        rv = mouse_guard_argument(setup, key, &guard->key, err);
    if (rv == APR_SUCCESS)
        rv = share_table(setup, keys, guard, err);
    set_texts(setup, guard);
    return rv;
}

/* ---- per request ---- */

/* Rounded up: who waits so long is not early. */
static int64_t seconds_of(int64_t ticks, int64_t tick)
{
    return (ticks * tick + APR_USEC_PER_SEC - 1) / APR_USEC_PER_SEC;
}

static char *put_digits(char *out, int64_t number)
{
    char digits[MOST_DIGIT];
    int count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
    } while (number /= 10);
    while (count > 0)
        *out++ = digits[--count];
    return out;
}

/* "NAME";r=LEFT;t=SECONDS: so many may follow now, and all of them in so long. */
static const char *make_item(apr_pool_t *p, const rate_limit_t *guard, int64_t left,
                             int64_t seconds)
{
    char *text = apr_palloc(p, guard->item.len + 2 * MOST_DIGIT + sizeof(";t="));
    char *out = text + guard->item.len;

    memcpy(text, guard->item.data, guard->item.len);
    out = put_digits(out, left);
    memcpy(out, ";t=", 3);
    *put_digits(out + 3, seconds) = '\0';
    return text;
}

static mouse_verdict_t deny(const rate_limit_t *guard, mouse_request_t *req, int64_t wait,
                            bool crowded, mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_RATE_LIMITED, NULL);
    (*err)->status = guard->status;
    (*err)->retry_after = wait > INT_MAX ? INT_MAX : (int)wait;
    if (crowded)
        (*err)->log = apr_psprintf(
            req->pool, "guard %s: the key shares a cell, keys= is too small", guard->name);
    return MOUSE_GUARD_DENY;
}

static mouse_verdict_t take(const rate_limit_t *guard, mouse_request_t *req,
                            const mouse_limit_t *limit, mouse_slice_t key,
                            mouse_error_t **err)
{
    mouse_limit_state_t state = mouse_limits_take(&guard->limits, limit, key, req->now);
    int64_t left = (limit->capacity - state.debt) / limit->interval;
    int64_t wait = state.debt + limit->interval - limit->capacity;

    mouse_guard_header(req, "RateLimit",
                       make_item(req->pool, guard, left > 0 ? left : 0,
                                 seconds_of(state.debt, limit->tick)));
    if (state.passed)
        return MOUSE_GUARD_PASS;
    return deny(guard, req, seconds_of(wait, limit->tick), state.crowded, err);
}

/* A rate of 0 closes the door; who knows for how long. */
static mouse_verdict_t take_none(const rate_limit_t *guard, mouse_request_t *req,
                                 mouse_error_t **err)
{
    int64_t period = seconds_of(guard->rate.period, 1);

    mouse_guard_header(req, "RateLimit", make_item(req->pool, guard, 0, period));
    return deny(guard, req, period, false, err);
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const rate_limit_t *guard = config;
    mouse_limit_t limit;
    mouse_slice_t key;
    int64_t quota;

    if (mouse_rate_get(&guard->rate, req, &limit, &quota, err) != APR_SUCCESS ||
        mouse_argument_client_key(req, guard->key, &key, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    mouse_guard_header(req, "RateLimit-Policy",
                       guard->policy ? guard->policy
                                     : make_policy(req->pool, guard, quota));
    return quota > 0 ? take(guard, req, &limit, key, err) : take_none(guard, req, err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const rate_limit_t *guard = config;

    facts->status = guard->status;
}

const mouse_guard_provider_t mouse_guard_rate_limit = {
    .name = "rate-limit",
    .create = create,
    .check = check,
    .describe = describe,
};
