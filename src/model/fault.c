/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What a database's refusal means to a client: a status by class, or by the model's own
 * `error` lines; and whether what was sent may have happened all the same. The database's
 * text goes to the log only, except where a model's author wrote it (SIGNAL).
 */

#include "model/run_int.h"

#include <strings.h>

#include <apr_strings.h>

static const mouse_code_t codes[] = {
    [MOUSE_FAULT_NONE] = MOUSE_E_INTERNAL,
    [MOUSE_FAULT_UNIQUE] = MOUSE_E_UNIQUE,
    [MOUSE_FAULT_FOREIGN_KEY] = MOUSE_E_FOREIGN_KEY,
    [MOUSE_FAULT_NOT_NULL] = MOUSE_E_NOT_NULL,
    [MOUSE_FAULT_CHECK] = MOUSE_E_CHECK,
    [MOUSE_FAULT_TOO_LONG] = MOUSE_E_TOO_LONG,
    [MOUSE_FAULT_BAD_VALUE] = MOUSE_E_BAD_VALUE,
    [MOUSE_FAULT_SIGNAL] = MOUSE_E_SIGNAL,
    [MOUSE_FAULT_DEADLOCK] = MOUSE_E_CONFLICT,
    [MOUSE_FAULT_LOST] = MOUSE_E_DB_DOWN,
    [MOUSE_FAULT_TIMEOUT] = MOUSE_E_DB_TIMEOUT,
    [MOUSE_FAULT_GONE] = MOUSE_E_CLIENT_GONE,
    [MOUSE_FAULT_STALE] = MOUSE_E_DB_ERROR,
    [MOUSE_FAULT_OTHER] = MOUSE_E_DB_ERROR,
};

/* MariaDB's and MySQL's numbers: the client library's own are 2000..2999 and 5000 up; there
 * the server's verdict was not heard. */
#define CLIENT_LOW         2000
#define CLIENT_HIGH        2999
#define CLIENT_MORE        5000
#define CLIENT_NEW_COLUMNS 2057 /* the server ran it; its columns are not those bound */

static bool client_side(const mouse_run_t *run, int native)
{
    return run->model->dialect == MOUSE_DIALECT_MYSQL &&
           ((native >= CLIENT_LOW && native <= CLIENT_HIGH) || native >= CLIENT_MORE ||
            native == 0);
}

/* Sent, and then nobody told whether it was done. */
static bool outcome_unknown(const mouse_run_t *run, const mouse_fault_t *fault)
{
    if (run->sent == MOUSE_SENT_NOTHING)
        return false;
    switch (fault->class) {
    case MOUSE_FAULT_LOST:
        return true;
    case MOUSE_FAULT_TIMEOUT:
    case MOUSE_FAULT_OTHER:
        return client_side(run, fault->native);
    case MOUSE_FAULT_STALE:
        return fault->native == CLIENT_NEW_COLUMNS;
    default:
        return false;
    }
}

static void apply_rule(apr_pool_t *p, const mouse_model_t *model, const char *constraint,
                       mouse_error_t *err)
{
    for (int i = 0; constraint && i < model->error_count; i++) {
        const mouse_error_rule_t *rule = &model->errors[i];

        if (strcasecmp(rule->constraint, constraint) != 0)
            continue;
        err->status = rule->status;
        err->detail = rule->text ? apr_pstrdup(p, rule->text) : err->detail;
        err->parameter = rule->parameter;
        return;
    }
}

static const char *describe(apr_pool_t *p, const mouse_run_t *run, const mouse_sql_t *sql,
                            const mouse_fault_t *fault)
{
    return apr_psprintf(p, "%s at %s:%d: [%d%s%s] %s", run->model->name, run->model->file,
                        sql ? sql->line : run->model->line, fault->native,
                        fault->sqlstate[0] ? " " : "", fault->sqlstate,
                        fault->message ? fault->message : "");
}

apr_status_t mouse_run_fault(mouse_run_t *run, const mouse_sql_t *sql, mouse_error_t **err)
{
    apr_pool_t *p = run->req->pool;
    const mouse_fault_t *fault = mouse_conn_fault(run->conn);
    bool unknown = outcome_unknown(run, fault);

    run->fault = fault->class;
    mouse_error_set(err, p, unknown ? MOUSE_E_OUTCOME : codes[fault->class], NULL);
    (*err)->log = describe(p, run, sql, fault);
    if (unknown) {
        run->fault = MOUSE_FAULT_OTHER;
        return APR_EGENERAL;
    }
    if (fault->class == MOUSE_FAULT_SIGNAL) {
        (*err)->status = fault->status;
        (*err)->detail = fault->message ? apr_pstrdup(p, fault->message) : NULL;
    }
    if (fault->class == MOUSE_FAULT_LOST || fault->class == MOUSE_FAULT_DEADLOCK)
        (*err)->retry_after = 1;
    apply_rule(p, run->model, fault->constraint, *err);
    return APR_EGENERAL;
}
