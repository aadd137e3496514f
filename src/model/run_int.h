/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The runner, inside: one run of a bound model, from its parameters to its answer.
 *
 * run.c opens a run and ends it, retry.c decides how often it is tried, transact.c is one
 * try, step.c one statement of it; sqltext.c and values.c make what a statement is sent
 * with, answer.c what its rows become, template.c's variables come from vars.c, fault.c
 * says what a database's refusal means to a client; idempotency.c keeps answers for an
 * Idempotency-Key; coalesce.c lets requests share a run.
 */
#ifndef MOUSE_RUN_INT_H
#define MOUSE_RUN_INT_H

#include "model/model_int.h"

#define MOUSE_DIGEST 32 /* bytes of SHA-256 */

/* What is left of a statement for those below it: its first row, copied. */
typedef struct mouse_kept_t {
    bool found; /* there was a row */
    int count;  /* columns */
    const char **names;
    mouse_value_t *values;
    bool has_insert_id;
    uint64_t insert_id, affected;
} mouse_kept_t;

/* What the database has been told that it may have done although nobody heard of it. */
typedef enum {
    MOUSE_SENT_NOTHING, /* nothing that outlives a lost connection */
    MOUSE_SENT_WRITE,   /* a write that commits itself */
    MOUSE_SENT_COMMIT
} mouse_sent_t;

/* An Idempotency-Key, and what it stands for. */
typedef struct mouse_key_t {
    mouse_slice_t text;
    uint8_t scope[MOUSE_DIGEST], request[MOUSE_DIGEST];
    int64_t now, expires; /* milliseconds since 1970 */
} mouse_key_t;

typedef struct mouse_lead_t mouse_lead_t;

typedef struct mouse_run_t {
    mouse_request_t *req;
    const mouse_model_t *model;
    mouse_db_t *db;
    const mouse_shape_t *shape; /* NULL in a lookup */
    mouse_format_t format;
    mouse_answer_t *answer; /* NULL in a lookup */
    mouse_binding_t *binding;
    const mouse_key_t *key; /* NULL: the request has none */
    mouse_lead_t *lead;     /* NULL: nobody else may want its answer */

    /* One try; begun afresh with every other. */
    apr_pool_t *pool;
    mouse_conn_t *conn; /* NULL: none taken */
    mouse_kept_t *kept; /* per statement */
    mouse_sent_t sent;
    bool in_transaction;
    bool reserving; /* may wait for another request with the key; nothing is done yet */
    bool replayed;  /* the answer is the stored one */
    mouse_fault_class_t fault; /* what made the try fail; NONE: not the database */
    int members;               /* of an :object, written so far */
    int status;                /* of a status column; 0: none */
    uint64_t rows;             /* read, of all statements */
    uint64_t affected;         /* by the last statement, all of its elements */
} mouse_run_t;

/* One statement of a try. */
typedef struct mouse_step_t {
    const mouse_sql_t *sql;
    int index;
    mouse_member_kind_t answers; /* NONE: its rows are only counted */
    bool keeps;                  /* its first row is read later */
    mouse_stmt_t *stmt;
    mouse_value_t *values;
    int value_count;
    const mouse_plan_t *plan; /* how its rows are written; set by the first run */
    uint64_t rows;            /* of the current element's run */
} mouse_step_t;

/* ---- sqltext.c ---- */

/*
 * Which of its texts a statement needs for this binding: order choices and list sizes in
 * one number. MOUSE_VARIANT_OTHER: too many combinations to number; never cached.
 */
#define MOUSE_VARIANT_OTHER UINT64_MAX
uint64_t mouse_sqltext_variant(const mouse_model_t *model, const mouse_sql_t *sql,
                               const mouse_binding_t *binding);

/* That text, in p. */
mouse_slice_t mouse_sqltext_build(apr_pool_t *p, const mouse_model_t *model,
                                  const mouse_sql_t *sql, const mouse_binding_t *binding);

/* Its text in the first order and with one value in every list: what is prepared to ask the
 * database about it. */
mouse_slice_t mouse_sqltext_sample(apr_pool_t *p, const mouse_model_t *model,
                                   const mouse_sql_t *sql);

/* That one with literals of MariaDB for values, of their declared types; `unknown` for
 * those whose type only a run tells. */
mouse_slice_t mouse_sqltext_literal(apr_pool_t *p, const mouse_model_t *model,
                                    const mouse_sql_t *sql, const char *unknown);

/* Choices and lists as in a sample; nothing else of it may be read. */
void mouse_sqltext_sample_binding(apr_pool_t *p, const mouse_model_t *model,
                                  mouse_binding_t *binding);

/* Its placeholders. */
int64_t mouse_sqltext_count(const mouse_model_t *model, const mouse_sql_t *sql,
                            const mouse_binding_t *binding);

/* Placeholders of one list: a power of two (or the declared maximum), 0 when it is
 * empty. */
int64_t mouse_sqltext_padded(const mouse_param_t *param, int count);

/* ---- values.c ---- */

/* Fills step->values for an element of its `each` (0 without one). */
apr_status_t mouse_values_fill(mouse_run_t *run, mouse_step_t *step, int element,
                               mouse_error_t **err) MOUSE_MUST_USE;

/* A kept row's column, or its `insert_id` / `affected`. APR_NOTFOUND: no such column. */
apr_status_t mouse_kept_value(const mouse_kept_t *kept, const char *name,
                              mouse_value_t *value) MOUSE_MUST_USE;

/* Copies a row into run->pool for `as`, templates and contexts. */
void mouse_kept_row(mouse_run_t *run, mouse_step_t *step, const mouse_value_t *row);

/* ---- step.c ---- */

/* Runs one statement, for each element where it has an `each`. */
apr_status_t mouse_step_run(mouse_run_t *run, int index,
                            mouse_error_t **err) MOUSE_MUST_USE;

/* ---- transact.c ---- */

/* One try, from BEGIN to COMMIT or ROLLBACK. run->conn is taken. */
apr_status_t mouse_transact(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* ---- idempotency_key.c ---- */

/* The request's key on a route with idempotent= (else NULL); *key NULL: there is none.
 * MOUSE_E_IDEMPOTENCY_KEY. Reads the body. */
apr_status_t mouse_key_create(mouse_request_t *req, const mouse_idempotent_t *route,
                              const mouse_key_t **key, mouse_error_t **err) MOUSE_MUST_USE;

/* ---- idempotency.c: run->key is set ---- */

/* Bytes of an answer that must be in memory to be stored. */
size_t mouse_idempotency_memory(void);

/* The first statement of the transaction: takes the key, waits for who has it, or makes
 * the stored answer run->answer (run->replayed). MOUSE_E_IDEMPOTENCY_REUSED. */
apr_status_t mouse_idempotency_reserve(mouse_run_t *run,
                                       mouse_error_t **err) MOUSE_MUST_USE;

/* The last statement before COMMIT: run->answer is complete. */
apr_status_t mouse_idempotency_store(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* Behind COMMIT: deletes a few expired rows, when there are that many. */
void mouse_idempotency_sweep(mouse_run_t *run);

/* Did the try end while it waited for the key? Then another costs nothing; and when there
 * is no time for one, give_up makes its error MOUSE_E_IDEMPOTENCY_RUNNING. */
bool mouse_idempotency_waits(const mouse_run_t *run);
apr_status_t mouse_idempotency_give_up(mouse_run_t *run, mouse_error_t **err);

/* ---- coalesce_key.c ---- */

struct mouse_coalesce_t {
    mouse_flights_t *const *flights;
    const apr_array_header_t *refs; /* the context that model and templates read */
};

/* The same bytes for requests that run->shape may answer with one run; in req->pool. */
apr_status_t mouse_coalesce_key(const mouse_run_t *run, mouse_slice_t *key,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* ---- coalesce.c ---- */

/* mouse_run_timed, or the answer of another request's; shape->coalesce is set. */
apr_status_t mouse_coalesce_run(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* run->lead is set: the first statement is about to be sent. */
void mouse_coalesce_depart(mouse_run_t *run);

/* ---- retry.c ---- */

/* Tries until it is done or it makes no sense any more; takes and gives connections. */
apr_status_t mouse_retry(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* ---- fault.c ---- */

/* The error for what run->conn just met; notes its class in the run. APR_EGENERAL. */
apr_status_t mouse_run_fault(mouse_run_t *run, const mouse_sql_t *sql, mouse_error_t **err);

/* ---- answer.c ---- */

/* Before the first row, for each row, behind the last one of an answering statement. */
apr_status_t mouse_answer_open(mouse_run_t *run, mouse_step_t *step,
                               mouse_error_t **err) MOUSE_MUST_USE;
apr_status_t mouse_answer_row(mouse_run_t *run, mouse_step_t *step,
                              const mouse_value_t *row, mouse_error_t **err) MOUSE_MUST_USE;
apr_status_t mouse_answer_close(mouse_run_t *run, mouse_step_t *step,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* After all statements: the rest of the body, status, type, headers. */
apr_status_t mouse_answer_end(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* ---- vars.c ---- */

/* The response headers that templates make of this run. */
apr_status_t mouse_vars_headers(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

/* ---- run.c ---- */

/* Opens a run without an answer: what a lookup is. */
void mouse_run_init(mouse_run_t *run, mouse_request_t *req, const mouse_model_t *model,
                    mouse_db_t *db);
/* mouse_retry, and the log of slow models. */
apr_status_t mouse_run_timed(mouse_run_t *run, mouse_error_t **err) MOUSE_MUST_USE;

#endif
