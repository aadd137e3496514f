/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Does a database answer? Asked as a request would: in line for a connection of its pool,
 * then one round trip.
 */

#include "db/db_int.h"

#include <apr_strings.h>

static apr_status_t ping_once(mouse_db_t *db, apr_pool_t *p, mouse_watch_t *watch,
                              bool *again, mouse_error_t **err)
{
    mouse_conn_t *conn;
    apr_status_t rv = mouse_conn_acquire(db, p, watch, &conn, err);

    *again = false;
    if (rv != APR_SUCCESS)
        return rv;
    mouse_fault_clear(conn);
    rv = conn->driver->ping(conn);
    if (rv != APR_SUCCESS) {
        *again = mouse_conn_used(conn);
        mouse_error_set(err, p, MOUSE_E_DB_DOWN, NULL);
        (*err)->log =
            apr_psprintf(p, "database %s does not answer: %s", mouse_db_config(db)->name,
                         conn->fault.message ? conn->fault.message : "no reason");
        conn->lost = conn->doubtful = true;
    }
    mouse_conn_release(conn);
    return rv;
}

apr_status_t mouse_db_ping(mouse_db_t *db, apr_pool_t *p, const mouse_watch_t *watch,
                           mouse_error_t **err)
{
    mouse_watch_t own = *watch;
    bool again;
    apr_status_t rv = ping_once(db, p, &own, &again, err);

    /* An idle connection that the server has closed tells nothing of a new one. */
    if (rv != APR_SUCCESS && again && apr_time_now() < own.deadline)
        rv = ping_once(db, p, &own, &again, err);
    return rv;
}
