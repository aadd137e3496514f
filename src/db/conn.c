/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One connection: opened through apr_dbd, its transactions, its faults and the rules of
 * doubt. Who gets which connection when is pool.c's business.
 */

#include "db/db_int.h"

#include <stdlib.h>

#include <apr_strings.h>

#define OPEN_LIMIT apr_time_from_sec(5) /* outside a pool */

/* ---- faults ---- */

void mouse_fault_clear(mouse_conn_t *conn)
{
    conn->fault = (mouse_fault_t){.class = MOUSE_FAULT_NONE};
}

apr_status_t mouse_fault_set(mouse_conn_t *conn, mouse_fault_class_t class, int native,
                             const char *sqlstate, const char *message)
{
    mouse_fault_clear(conn);
    conn->fault.class = class;
    conn->fault.native = native;
    apr_cpystrn(conn->fault.sqlstate, sqlstate ? sqlstate : "",
                sizeof(conn->fault.sqlstate));
    apr_cpystrn(conn->message, message ? message : "", sizeof(conn->message));
    conn->fault.message = conn->message;
    if (conn->db)
        mouse_board_fault(conn->db, class);
    if (class == MOUSE_FAULT_LOST)
        conn->lost = conn->doubtful = true;
    return APR_EGENERAL;
}

void mouse_fault_constraint(mouse_conn_t *conn, mouse_slice_t name)
{
    size_t len =
        name.len < sizeof(conn->constraint) ? name.len : sizeof(conn->constraint) - 1;

    memcpy(conn->constraint, name.data, len);
    conn->constraint[len] = '\0';
    conn->fault.constraint = conn->constraint;
}

const char *mouse_fault_name(mouse_fault_class_t class)
{
    static const char *const names[MOUSE_FAULT_CLASSES] = {
        [MOUSE_FAULT_NONE] = "open",
        [MOUSE_FAULT_UNIQUE] = "unique",
        [MOUSE_FAULT_FOREIGN_KEY] = "foreign-key",
        [MOUSE_FAULT_NOT_NULL] = "not-null",
        [MOUSE_FAULT_CHECK] = "check",
        [MOUSE_FAULT_TOO_LONG] = "too-long",
        [MOUSE_FAULT_BAD_VALUE] = "bad-value",
        [MOUSE_FAULT_SIGNAL] = "signal",
        [MOUSE_FAULT_DEADLOCK] = "deadlock",
        [MOUSE_FAULT_LOST] = "lost",
        [MOUSE_FAULT_TIMEOUT] = "timeout",
        [MOUSE_FAULT_GONE] = "client-gone",
        [MOUSE_FAULT_STALE] = "stale",
        [MOUSE_FAULT_OTHER] = "other",
    };

    return names[class];
}

const mouse_fault_t *mouse_conn_fault(const mouse_conn_t *conn)
{
    return &conn->fault;
}

/* ---- life ---- */

static apr_status_t open_handle(mouse_conn_t *conn, char why[MOUSE_WHY_MAX])
{
    const char *params, *error = NULL;
    apr_status_t status;

    if (!conn->apr_driver)
        return APR_SUCCESS;
    params = conn->driver->params(conn->pool, conn->config);
    status = apr_dbd_open_ex(conn->apr_driver, conn->pool, params, &conn->handle, &error);
    if (status == APR_SUCCESS) {
        conn->native = apr_dbd_native_handle(conn->apr_driver, conn->handle);
        return APR_SUCCESS;
    }
    if (error)
        apr_cpystrn(why, error, MOUSE_WHY_MAX);
    else
        apr_strerror(status, why, MOUSE_WHY_MAX);
    conn->handle = NULL;
    return APR_EGENERAL;
}

static apr_status_t set_up(mouse_conn_t *conn, apr_time_t deadline, char why[MOUSE_WHY_MAX])
{
    mouse_watch_t watch = {.deadline = deadline, .client = -1};
    apr_status_t status;

    conn->watch = &watch;
    status = conn->driver->open(conn);
    conn->watch = NULL;
    if (status != APR_SUCCESS)
        apr_cpystrn(why, conn->fault.message ? conn->fault.message : "no session",
                    MOUSE_WHY_MAX);
    return status;
}

static mouse_conn_t *allocate_conn(const mouse_opening_t *opening)
{
    apr_pool_t *pool;
    mouse_conn_t *conn;

    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        abort();
    apr_pool_tag(pool, "mouse_conn");
    conn = apr_pcalloc(pool, sizeof(*conn));
    conn->pool = pool;
    conn->driver = opening->driver;
    conn->apr_driver = opening->apr_driver;
    conn->config = opening->config;
    conn->log = opening->log;
    conn->shared = opening->shared;
    return conn;
}

apr_status_t mouse_conn_create(const mouse_opening_t *opening, apr_time_t deadline,
                               mouse_conn_t **result, char why[MOUSE_WHY_MAX])
{
    mouse_conn_t *conn = allocate_conn(opening);

    if (open_handle(conn, why) != APR_SUCCESS) {
        apr_pool_destroy(conn->pool);
        return APR_EGENERAL;
    }
    if (set_up(conn, deadline, why) != APR_SUCCESS) {
        conn->doubtful = true;
        mouse_conn_destroy(conn);
        return APR_EGENERAL;
    }
    conn->opened = conn->last_used = apr_time_now();
    *result = conn;
    return APR_SUCCESS;
}

void mouse_conn_destroy(mouse_conn_t *conn)
{
    mouse_stmt_clear(conn);
    conn->driver->close(conn);
    if (conn->handle)
        apr_dbd_close(conn->apr_driver, conn->handle);
    apr_pool_destroy(conn->pool);
}

bool mouse_conn_settle(mouse_conn_t *conn)
{
    mouse_stmt_settle(conn);
    if (conn->in_use || (!conn->doubtful && conn->driver->in_transaction(conn)))
        conn->doubtful = true;
    if (!conn->doubtful)
        mouse_stmt_clear_marked(conn);
    return !conn->doubtful;
}

apr_status_t mouse_conn_open(apr_pool_t *p, const mouse_db_config_t *config,
                             const mouse_log_t *log, mouse_watch_t *watch,
                             mouse_conn_t **conn, mouse_error_t **err)
{
    mouse_opening_t opening = {.config = config, .log = log};
    char why[MOUSE_WHY_MAX] = "nothing answers there; is the server running?";

    if (mouse_db_check(p, config, err) != APR_SUCCESS)
        return APR_EGENERAL;
    opening.driver = mouse_driver_find(config->driver);
    if (mouse_driver_load(p, config->driver, &opening.apr_driver, err) != APR_SUCCESS)
        return APR_EGENERAL;
    if ((opening.driver->probe && !opening.driver->probe(config, OPEN_LIMIT)) ||
        mouse_conn_create(&opening, apr_time_now() + OPEN_LIMIT, conn, why) !=
            APR_SUCCESS) {
        mouse_error_set(err, p, MOUSE_E_DB_DOWN, "database %s cannot be opened",
                        config->name);
        (*err)->log = apr_pstrdup(p, why);
        return APR_EGENERAL;
    }
    (*conn)->watch = watch;
    return APR_SUCCESS;
}

const mouse_db_config_t *mouse_conn_config(const mouse_conn_t *conn)
{
    return conn->config;
}

mouse_dialect_t mouse_conn_dialect(const mouse_conn_t *conn)
{
    return conn->driver->dialect;
}

bool mouse_conn_used(const mouse_conn_t *conn)
{
    return conn->used;
}

/* ---- transactions ---- */

apr_status_t mouse_conn_begin(mouse_conn_t *conn, mouse_tx_t kind)
{
    mouse_fault_clear(conn);
    if (conn->driver->begin(conn, kind) != APR_SUCCESS)
        return APR_EGENERAL;
    conn->in_use = true;
    return APR_SUCCESS;
}

apr_status_t mouse_conn_commit(mouse_conn_t *conn)
{
    mouse_fault_clear(conn);
    if (conn->driver->commit(conn) != APR_SUCCESS)
        return APR_EGENERAL;
    conn->in_use = false;
    return APR_SUCCESS;
}

/* The fault that led here stays readable: whoever rolls back answers with it afterwards. */
void mouse_conn_rollback(mouse_conn_t *conn)
{
    mouse_fault_t fault = conn->fault;
    char message[sizeof(conn->message)], constraint[sizeof(conn->constraint)];

    if (!conn->in_use)
        return;
    memcpy(message, conn->message, sizeof(message));
    memcpy(constraint, conn->constraint, sizeof(constraint));
    mouse_stmt_settle(conn);
    if (!conn->doubtful && conn->driver->rollback(conn) != APR_SUCCESS)
        conn->doubtful = true;
    conn->in_use = false;
    conn->fault = fault;
    memcpy(conn->message, message, sizeof(message));
    memcpy(conn->constraint, constraint, sizeof(constraint));
}

/* ---- MOUSE_CHECK's questions ---- */

const char *mouse_conn_nontransactional(mouse_conn_t *conn, apr_pool_t *p,
                                        mouse_slice_t sql)
{
    mouse_fault_clear(conn);
    return conn->driver->nontransactional(conn, p, sql);
}

int mouse_conn_limit(mouse_conn_t *conn)
{
    mouse_fault_clear(conn);
    return conn->driver->limit(conn);
}
