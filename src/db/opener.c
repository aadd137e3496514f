/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Opening connections for a pool: never on a request's thread and never under its lock.
 *
 * Each attempt is a short-lived thread. One that takes longer than a second is abandoned:
 * it closes what it opened when it ever comes back. After bad news the network is asked
 * first (the driver's probe, bounded), so that a black hole costs no thread for long, and
 * tries come at most once per back-off period.
 */

#include "db/pool_int.h"

#include <stdlib.h>

#include <apr_strings.h>

#define ATTEMPT_LIMIT apr_time_from_sec(1)
#define IN_FLIGHT_MAX 4
#define ABANDONED_MAX 8
#define BACKOFF_MIN   (APR_USEC_PER_SEC / 10)
#define BACKOFF_MAX   APR_USEC_PER_SEC

static void note_failure(mouse_db_t *db, apr_time_t now, const char *why)
{
    bool was_suspect = db->suspect;

    mouse_board_fault(db, MOUSE_FAULT_NONE);
    db->suspect = true;
    if (db->opening_count > 0 && was_suspect && db->retry_at > now)
        return; /* several attempts failed for one reason: one back-off, one line */
    db->backoff = db->backoff ? db->backoff * 2 : BACKOFF_MIN;
    if (db->backoff > BACKOFF_MAX)
        db->backoff = BACKOFF_MAX;
    db->retry_at = now + db->backoff;
    if (!db->closing)
        mouse_log(db->opening.log, MOUSE_LOG_ERROR, "database %s cannot be opened: %s",
                  db->config.name, why);
    if (db->open == 0)
        mouse_db_fail_line(db);
}

static void note_success(mouse_db_t *db)
{
    if (db->suspect && !db->closing)
        mouse_log(db->opening.log, MOUSE_LOG_NOTICE, "database %s is open again",
                  db->config.name);
    db->suspect = false;
    db->backoff = 0;
    db->retry_at = 0;
}

static void unlink_attempt(mouse_db_t *db, mouse_attempt_t *attempt)
{
    mouse_attempt_t **link = &db->attempts;

    while (*link != attempt)
        link = &(*link)->next;
    *link = attempt->next;
    if (attempt->abandoned)
        db->abandoned_count--;
    else
        db->opening_count--;
}

/* The attempt's result reaches the pool, or is not wanted any more: false. */
static bool deliver(mouse_attempt_t *attempt, mouse_conn_t *conn, const char *why)
{
    mouse_db_t *db = attempt->db;
    bool taken = false;

    pthread_mutex_lock(&db->lock);
    unlink_attempt(db, attempt);
    if (!attempt->abandoned && !conn && !db->closing) {
        note_failure(db, apr_time_now(), why);
    } else if (!attempt->abandoned && conn && !db->closing) {
        note_success(db);
        conn->db = db;
        db->open++;
        db->references++;
        db->created++;
        mouse_db_hand_over(db, conn);
        mouse_opener_start(db, apr_time_now());
        taken = true;
    }
    mouse_board_publish(db);
    pthread_mutex_unlock(&db->lock);
    return taken;
}

static bool probe(mouse_attempt_t *attempt, char why[MOUSE_WHY_MAX])
{
    mouse_db_t *db = attempt->db;

    if (!db->opening.driver->probe(&db->config, ATTEMPT_LIMIT)) {
        apr_cpystrn(why, "no answer", MOUSE_WHY_MAX);
        return false;
    }
    pthread_mutex_lock(&db->lock);
    attempt->limit = apr_time_now() + ATTEMPT_LIMIT;
    pthread_mutex_unlock(&db->lock);
    return true;
}

static void *run_attempt(void *data)
{
    mouse_attempt_t *attempt = data;
    mouse_db_t *db = attempt->db;
    mouse_conn_t *conn = NULL;
    char why[MOUSE_WHY_MAX] = "";

    if (!attempt->probe || probe(attempt, why))
        if (mouse_conn_create(&db->opening, apr_time_now() + ATTEMPT_LIMIT, &conn, why) !=
            APR_SUCCESS)
            conn = NULL;
    if (deliver(attempt, conn, why)) {
        if (db->opening.driver->reserve)
            db->opening.driver->reserve(db->opening.shared);
    } else if (conn) {
        mouse_conn_destroy(conn);
    }
    free(attempt);
    mouse_db_thread_end(db);
    return NULL;
}

static bool start_attempt(mouse_db_t *db, apr_time_t now)
{
    mouse_attempt_t *attempt = calloc(1, sizeof(*attempt));

    if (!attempt)
        abort();
    attempt->db = db;
    attempt->probe = db->suspect && db->opening.driver->probe;
    /* A probe's own limit comes first; its success sets a new one for what follows. */
    attempt->limit = now + (attempt->probe ? 2 * ATTEMPT_LIMIT : ATTEMPT_LIMIT);
    attempt->next = db->attempts;
    db->attempts = attempt;
    db->opening_count++;
    mouse_db_thread_begin(db);
    if (mouse_thread_start(run_attempt, attempt))
        return true;
    unlink_attempt(db, attempt);
    db->threads--;
    db->references--;
    free(attempt);
    note_failure(db, now, "no thread to open it on");
    return false;
}

static bool may_start(const mouse_db_t *db, apr_time_t now)
{
    int limit = db->suspect ? 1 : IN_FLIGHT_MAX;

    return !db->closing && now >= db->retry_at && db->waiting > db->opening_count &&
           db->opening_count < limit && db->open + db->opening_count < db->config.max &&
           db->abandoned_count < ABANDONED_MAX;
}

void mouse_opener_start(mouse_db_t *db, apr_time_t now)
{
    while (may_start(db, now) && start_attempt(db, now))
        ;
}

void mouse_opener_abandon(mouse_db_t *db, apr_time_t now)
{
    mouse_attempt_t *attempt;

    for (attempt = db->attempts; attempt; attempt = attempt->next) {
        if (attempt->abandoned || now < attempt->limit)
            continue;
        attempt->abandoned = true;
        db->opening_count--;
        db->abandoned_count++;
        note_failure(db, now, "it does not answer in time");
    }
}

apr_time_t mouse_opener_next(const mouse_db_t *db)
{
    const mouse_attempt_t *attempt;
    apr_time_t next = 0;

    if (db->opening_count == 0 && db->open < db->config.max)
        next = db->retry_at;
    for (attempt = db->attempts; attempt; attempt = attempt->next) {
        if (!attempt->abandoned && (next == 0 || attempt->limit < next))
            next = attempt->limit;
    }
    return next;
}
