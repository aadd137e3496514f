/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `replay nonce={hook.digest} timestamp={hook.timestamp}`: each nonce passes once. It
 * stands behind what proves the request, so that nobody else can use a nonce up.
 *
 * Times are those of the moment of the check, not of the request's beginning: a body that
 * comes slowly must not find the memory of its first copy gone.
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

#define DEFAULT_WINDOW  "5m"
#define DEFAULT_ENTRIES 65536
#define MOST_ENTRIES    (16 * 1024 * 1024)

typedef struct replay_t {
    const mouse_argument_t *nonce;
    const mouse_argument_t *timestamp; /* or NULL */
    apr_time_t unit;
    apr_interval_time_t window;
    apr_interval_time_t ahead; /* into the future */
    bool exact;                /* ahead= is given: what came before a full restart is out */
    apr_time_t started;        /* this configuration */
    const mouse_shared_t *shared;
    int status;
} replay_t;

/* The words of the directive. */
typedef struct words_t {
    const char *nonce, *window, *timestamp, *unit, *ahead, *entries, *status;
} words_t;

static apr_status_t take_nonce(mouse_guard_setup_t *setup, const words_t *words,
                               replay_t *replay, mouse_error_t **err)
{
    apr_status_t rv;
    int count;

    if (!words->nonce)
        return mouse_guard_refuse(setup, err,
                                  "replay takes nonce={hook.digest} and, where the "
                                  "client signs one, timestamp={hook.timestamp}");
    rv = mouse_guard_argument(setup, words->nonce, &replay->nonce, err);
    if (rv != APR_SUCCESS)
        return rv;
    mouse_argument_names(replay->nonce, &count);
    if (count == 0)
        return mouse_guard_refuse(setup, err, "nonce=%s names no value of the request",
                                  words->nonce);
    if (words->timestamp)
        return mouse_guard_argument(setup, words->timestamp, &replay->timestamp, err);
    if (words->unit || words->ahead)
        return mouse_guard_refuse(setup, err, "%s is for a timestamp=, which is missing",
                                  words->unit ? "unit=" : "ahead=");
    return APR_SUCCESS;
}

static apr_status_t take_times(const mouse_guard_setup_t *setup, const words_t *words,
                               replay_t *replay, mouse_error_t **err)
{
    const char *window = words->window ? words->window : DEFAULT_WINDOW;
    apr_status_t rv = mouse_sign_unit(setup, words->unit, &replay->unit, err);

    if (rv == APR_SUCCESS)
        rv = mouse_sign_window(setup, "window=", window, &replay->window, err);
    if (rv == APR_SUCCESS && words->ahead)
        rv = mouse_sign_window(setup, "ahead=", words->ahead, &replay->ahead, err);
    if (rv != APR_SUCCESS)
        return rv;
    if (!words->ahead)
        replay->ahead = replay->window;
    replay->exact = words->ahead != NULL;
    replay->started = apr_time_now();
    return APR_SUCCESS;
}

static apr_status_t take_entries(const mouse_guard_setup_t *setup, const char *text,
                                 replay_t *replay, mouse_error_t **err)
{
    int entries = DEFAULT_ENTRIES;

    if (text && mouse_guard_number(setup, "entries=", text, MOST_ENTRIES, &entries, err) !=
                    APR_SUCCESS)
        return APR_EGENERAL;
    replay->shared = setup->share(
        setup->baton,
        replay->timestamp ? mouse_nonces_name(setup->pconf, replay->window) : "nonces",
        mouse_nonces_size(entries));
    return APR_SUCCESS;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    replay_t *replay = apr_pcalloc(setup->pconf, sizeof(*replay));
    words_t words = {.nonce = NULL};
    const mouse_guard_option_t options[] = {
        {"nonce=", &words.nonce},         {"window=", &words.window},
        {"timestamp=", &words.timestamp}, {"unit=", &words.unit},
        {"ahead=", &words.ahead},         {"entries=", &words.entries},
        {"else=", &words.status},         {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    *config = replay;
    if (rv == APR_SUCCESS)
        rv = take_nonce(setup, &words, replay, err);
    if (rv == APR_SUCCESS)
        rv = take_times(setup, &words, replay, err);
    if (rv == APR_SUCCESS)
        rv = take_entries(setup, words.entries, replay, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_status(setup, words.status ? words.status : "403", &replay->status,
                                err);
    return rv;
}

/* ---- per request ---- */

static mouse_verdict_t deny(const replay_t *replay, mouse_request_t *req, const char *why,
                            mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_REPLAYED, NULL);
    (*err)->status = replay->status;
    (*err)->log = why;
    return MOUSE_GUARD_DENY;
}

static mouse_verdict_t full(mouse_request_t *req, mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_NONCES_FULL, NULL);
    (*err)->log = "no place for a nonce: raise entries=";
    (*err)->retry_after = 16;
    return MOUSE_GUARD_DENY;
}

/* NULL when the time is in the window, and the memory reaches back to it. */
static const char *check_time(const replay_t *replay, mouse_slice_t text, apr_time_t now,
                              apr_time_t *time)
{
    apr_time_t since = mouse_nonces_since(replay->shared, replay->started);

    if (!mouse_sign_timestamp(text, replay->unit, time))
        return "the timestamp is none";
    if (*time < now - replay->window)
        return "the timestamp is too old";
    if (*time > now + replay->ahead)
        return "the timestamp is in the future";
    if (*time < since + (replay->exact ? replay->ahead : 0))
        return "the timestamp is older than the memory of nonces";
    return NULL;
}

static mouse_verdict_t record(const replay_t *replay, mouse_request_t *req,
                              mouse_slice_t nonce, apr_time_t now, apr_time_t expires,
                              mouse_error_t **err)
{
    switch (mouse_nonces_record(replay->shared, now, expires, nonce)) {
    case MOUSE_NONCE_FRESH:
        return MOUSE_GUARD_PASS;
    case MOUSE_NONCE_SEEN:
        return deny(replay, req, "the nonce was seen before", err);
    default:
        return full(req, err);
    }
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const replay_t *replay = config;
    apr_time_t now = apr_time_now(), time = now;
    mouse_slice_t nonce, text;
    const char *why = NULL;

    if (mouse_argument_key(req, replay->nonce, &nonce, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    if (replay->timestamp) {
        if (mouse_argument_text(req, replay->timestamp, &text, err) != APR_SUCCESS)
            return MOUSE_GUARD_DENY;
        why = check_time(replay, text, now, &time);
    }
    if (!why && (nonce.len == 0 || memchr(nonce.data, '\0', nonce.len)))
        why = "the nonce is missing"; /* a key has NUL for null alone */
    if (why)
        return deny(replay, req, why, err);
    return record(replay, req, nonce, now, time + replay->window + 1, err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const replay_t *replay = config;

    facts->status = replay->status;
}

const mouse_guard_provider_t mouse_guard_replay = {
    .name = "replay",
    .late = true,
    .create = create,
    .check = check,
    .describe = describe,
};
