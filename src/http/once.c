/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A text that a process makes once, when it is first asked for. One request makes it; who
 * comes meanwhile waits, and gets the text or meets the same failure.
 */
#include "http/http_int.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <apr_strings.h>

struct mouse_once_t {
    _Atomic(const char *) text; /* of malloc; NULL: not made yet */
    pthread_mutex_t lock;       /* of all below; never held while it is made */
    pthread_cond_t ended;
    bool making;
    unsigned failures;
    mouse_code_t code; /* of the last failure */
    int retry_after;
};

mouse_once_t *mouse_once_create(apr_pool_t *pconf)
{
    mouse_once_t *once = apr_pcalloc(pconf, sizeof(*once));

    pthread_mutex_init(&once->lock, NULL);
    pthread_cond_init(&once->ended, NULL);
    return once;
}

/* With the lock. False: not within the request's time. */
static bool wait_until_ended(mouse_once_t *once, const mouse_request_t *req)
{
    apr_time_t until = req->watch.deadline;
    const struct timespec when = {.tv_sec = (time_t)apr_time_sec(until),
                                  .tv_nsec = (long)apr_time_usec(until) * 1000};

    return pthread_cond_timedwait(&once->ended, &once->lock, &when) == 0;
}

/* With the lock. Success: nobody is making it now. */
static apr_status_t await_turn(mouse_once_t *once, mouse_request_t *req,
                               mouse_error_t **err)
{
    unsigned failures = once->failures;

    while (once->making && once->failures == failures)
        if (!wait_until_ended(once, req))
            return mouse_error_set(err, req->pool, MOUSE_E_DB_TIMEOUT, NULL);
    if (once->failures == failures)
        return APR_SUCCESS;
    mouse_error_set(err, req->pool, once->code, NULL);
    (*err)->retry_after = once->retry_after;
    (*err)->log = "as for the request that it waited for";
    return APR_EGENERAL;
}

/* Would another request have met it, too? */
static bool concerns_all(const mouse_error_t *err)
{
    return err->code != MOUSE_E_CLIENT_GONE && err->code != MOUSE_E_DB_TIMEOUT;
}

/* With the lock. */
static void keep_failure(mouse_once_t *once, const mouse_error_t *err)
{
    if (!concerns_all(err))
        return;
    once->failures++;
    once->code = err->code;
    once->retry_after = err->retry_after;
}

/* With the lock, which is given up meanwhile. */
static void make_now(mouse_once_t *once, mouse_request_t *req, mouse_once_fn *make,
                     void *baton, mouse_error_t **err)
{
    const char *text = NULL;

    once->making = true;
    pthread_mutex_unlock(&once->lock);
    if (make(baton, req, &text, err) == APR_SUCCESS && !(text = strdup(text)))
        mouse_error_set(err, req->pool, MOUSE_E_INTERNAL, NULL);
    pthread_mutex_lock(&once->lock);
    once->making = false;
    if (text)
        atomic_store(&once->text, text);
    else
        keep_failure(once, *err);
    pthread_cond_broadcast(&once->ended);
}

apr_status_t mouse_once_get(mouse_once_t *once, mouse_request_t *req, mouse_once_fn *make,
                            void *baton, const char **text, mouse_error_t **err)
{
    apr_status_t rv;

    *text = atomic_load(&once->text);
    if (*text)
        return APR_SUCCESS;
    pthread_mutex_lock(&once->lock);
    rv = await_turn(once, req, err);
    if (rv == APR_SUCCESS && !atomic_load(&once->text))
        make_now(once, req, make, baton, err);
    pthread_mutex_unlock(&once->lock);
    *text = atomic_load(&once->text);
    return *text ? APR_SUCCESS : APR_EGENERAL;
}
