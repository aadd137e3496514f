/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * db: pools of connections, statements on them, rows as typed values, values as bytes.
 *
 * Connections are opened by apr_dbd and driven through the client library's own handle.
 * A driver is one file and one row in drivers.c. A connection, its statements and the
 * values of its rows belong to the thread that acquired it, until it is released.
 */
#ifndef MOUSE_DB_H
#define MOUSE_DB_H

#include <stdatomic.h>

#include "base/mouse_base.h"

typedef struct mouse_value_t mouse_value_t;
typedef struct mouse_column_t mouse_column_t;
typedef struct mouse_fault_t mouse_fault_t;
typedef struct mouse_watch_t mouse_watch_t;
typedef struct mouse_db_t mouse_db_t;
typedef struct mouse_db_config_t mouse_db_config_t;
typedef struct mouse_conn_t mouse_conn_t;
typedef struct mouse_stmt_t mouse_stmt_t;
typedef struct mouse_plan_t mouse_plan_t;

/* ---- values: what is bound, and what a row holds ---- */

typedef enum {
    MOUSE_VALUE_NULL,
    MOUSE_VALUE_BOOL,     /* i: 0 or 1 */
    MOUSE_VALUE_INT,      /* i */
    MOUSE_VALUE_UINT,     /* u */
    MOUSE_VALUE_FLOAT,    /* d, of single precision */
    MOUSE_VALUE_DOUBLE,   /* d */
    MOUSE_VALUE_DECIMAL,  /* text: exact digits, as "-12.50" */
    MOUSE_VALUE_STRING,   /* text: UTF-8, may hold NUL */
    MOUSE_VALUE_BYTES,    /* text: any bytes */
    MOUSE_VALUE_JSON,     /* text: a JSON text */
    MOUSE_VALUE_BITS,     /* text: big-endian bytes of a BIT(n) */
    MOUSE_VALUE_DATE,     /* t: year, month, day */
    MOUSE_VALUE_DATETIME, /* t: all */
    MOUSE_VALUE_TIME      /* t: negative, hour (up to 838), minute, second, usec */
} mouse_value_kind_t;

typedef struct mouse_calendar_t {
    uint16_t year;
    uint16_t hour;
    uint8_t month, day, minute, second;
    bool negative;
    uint32_t usec;
    uint8_t decimals; /* digits of the fraction to print, 0..6 */
} mouse_calendar_t;

struct mouse_value_t {
    mouse_value_kind_t kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        mouse_slice_t text; /* in a row: the client library's, until the next row */
        mouse_calendar_t t;
    };
};

/* The value as plain text (templates, CSV, log), in p: "12", "-0.5", "2026-01-31T10:00:00",
 * base64 of bytes; NULL gives an empty slice with data NULL. BOOL: true / false. */
mouse_slice_t mouse_value_text(apr_pool_t *p, const mouse_value_t *value);

/* A copy whose bytes live in p. */
mouse_value_t mouse_value_copy(apr_pool_t *p, const mouse_value_t *value);

/* ---- columns ---- */

/* How a column is answered; follows from the declared type, never from a value. */
typedef enum {
    MOUSE_COLUMN_DYNAMIC,  /* none declared (computed columns of SQLite): by value kind */
    MOUSE_COLUMN_INT,      /* number, or string under MouseBigInt string for 64-bit types */
    MOUSE_COLUMN_SMALLINT, /* an integer of at most 32 bits: number always */
    MOUSE_COLUMN_DECIMAL,  /* string with every digit, or number; scale 0 follows BigInt */
    MOUSE_COLUMN_FLOAT,
    MOUSE_COLUMN_DOUBLE,
    MOUSE_COLUMN_BOOL,
    MOUSE_COLUMN_BITS, /* number */
    MOUSE_COLUMN_STRING,
    MOUSE_COLUMN_BYTES, /* base64 */
    MOUSE_COLUMN_JSON,  /* embedded, checked */
    MOUSE_COLUMN_DATE,
    MOUSE_COLUMN_DATETIME,  /* bare, or with Z when the database says datetime=utc */
    MOUSE_COLUMN_TIMESTAMP, /* with Z */
    MOUSE_COLUMN_TIME
} mouse_column_type_t;

struct mouse_column_t {
    mouse_slice_t name;
    mouse_column_type_t type;
    int scale; /* DECIMAL: digits behind the point, -1 where not declared; else 0 */
    const char *declared; /* the declared type as SQLite prints it, for messages; or NULL */
};

/* ---- faults: what a database refused, by class ---- */

typedef enum {
    MOUSE_FAULT_NONE,
    MOUSE_FAULT_UNIQUE,
    MOUSE_FAULT_FOREIGN_KEY,
    MOUSE_FAULT_NOT_NULL,
    MOUSE_FAULT_CHECK,
    MOUSE_FAULT_TOO_LONG,
    MOUSE_FAULT_BAD_VALUE,
    MOUSE_FAULT_SIGNAL,   /* status and text are set */
    MOUSE_FAULT_DEADLOCK, /* also lock wait, SQLITE_BUSY: the whole transaction may be tried
                             again */
    MOUSE_FAULT_LOST,     /* the connection is gone: 2006, 2013, 2014, 2030, 2057 .. */
    MOUSE_FAULT_TIMEOUT,  /* the deadline passed, here or in the server */
    MOUSE_FAULT_GONE,     /* the client left while the statement ran */
    MOUSE_FAULT_STALE, /* the prepared statement no longer fits its tables: prepare again */
    MOUSE_FAULT_OTHER
} mouse_fault_class_t;

struct mouse_fault_t {
    mouse_fault_class_t class;
    int native;             /* the driver's number */
    char sqlstate[6];       /* "" where the database has none */
    int status;             /* SIGNAL: the HTTP status asked for (400..599) */
    const char *constraint; /* MariaDB: key or constraint name; SQLite:
                               "table.column[,table.column]", the CHECK's name, or
                               "foreign_key"; NULL: not known */
    const char *message; /* database text: for the log, except SIGNAL's: for the client */
};

#define MOUSE_FAULT_CLASSES (MOUSE_FAULT_OTHER + 1)

/* "unique", "deadlock": for metrics. */
const char *mouse_fault_name(mouse_fault_class_t class);

/* ---- the watch: how long a request's statements may run, and whose they are ---- */

#define MOUSE_MARK_MAX 128

struct mouse_watch_t {
    apr_time_t deadline;       /* absolute; statements end there with TIMEOUT */
    int client;                /* the client's socket, or -1; a hang-up there cancels */
    bool (*gone)(void *baton); /* asked every 100 ms or so while waiting; may be NULL */
    void *baton;
    bool committing; /* set by the model around COMMIT: never cancelled then */
    /* An SQL comment, with the blank before it, behind each of the request's statements on
     * a server that logs them; they are prepared for this request alone. At most
     * MOUSE_MARK_MAX bytes; len 0: none. */
    mouse_slice_t mark;
};

/* Has the client gone, by its socket or as `gone` says? Asks both, without waiting. */
bool mouse_watch_gone(const mouse_watch_t *watch);

/* ---- databases: a name, a driver, a pool ---- */

typedef enum { MOUSE_DIALECT_MYSQL, MOUSE_DIALECT_SQLITE } mouse_dialect_t;

/*
 * What a pool tells of itself, in memory that other processes read at any time. Counters
 * go on where the last process left them.
 */
typedef struct mouse_db_board_t {
    _Atomic uint64_t open, idle, waiting;
    _Atomic uint64_t created, discarded, waited;
    /* By class; at MOUSE_FAULT_NONE: connections that could not be opened. */
    _Atomic uint64_t faults[MOUSE_FAULT_CLASSES];
} mouse_db_board_t;

/* From MouseDatabase and MousePool. */
struct mouse_db_config_t {
    const char *name;
    const char *driver;           /* "mysql", "sqlite3" */
    const char *params;           /* apr_dbd's parameters, without the password */
    const char *password;         /* from password-file=, read at start; or NULL */
    bool datetime_utc;            /* datetime=utc */
    bool cancel;                  /* false: cancel=off */
    bool tls_required;            /* tls=required */
    int max;                      /* connections per child that requests can have */
    apr_interval_time_t idle;     /* unused that long: closed */
    apr_interval_time_t lifetime; /* in all */
    apr_interval_time_t wait;     /* for a connection */
    apr_interval_time_t timeout;  /* MouseTimeout: the longest statement */
    mouse_db_board_t *board;      /* or NULL; must outlive the pool's pchild */
};

/* The driver's dialect by its name, or -1: unknown driver. */
int mouse_driver_dialect(const char *driver);

/* Loads apr_dbd's driver and checks params; opens nothing. For use while configuring. */
apr_status_t mouse_db_check(apr_pool_t *p, const mouse_db_config_t *config,
                            mouse_error_t **err) MOUSE_MUST_USE;

/*
 * The pool of one database in one process. Opens nothing yet. Lives in pchild, whose end
 * closes all (connections that are out are closed when they come back or left to exit).
 */
apr_status_t mouse_db_create(apr_pool_t *pchild, const mouse_db_config_t *config,
                             const mouse_log_t *log, mouse_db_t **db,
                             mouse_error_t **err) MOUSE_MUST_USE;

/* Its own copy, as long as the pool lives. */
const mouse_db_config_t *mouse_db_config(const mouse_db_t *db);

/* A snapshot, for tests; the status page reads the board. */
typedef struct mouse_db_stats_t {
    int open, idle, waiting;
    uint64_t created, discarded, waited;
} mouse_db_stats_t;
void mouse_db_stats(mouse_db_t *db, mouse_db_stats_t *stats);

/*
 * Takes a connection, waiting in line for at most config->wait (and the watch's deadline).
 * Never opens on this thread and never waits under a lock. p is for the error.
 * MOUSE_E_DB_BUSY when all were in use, MOUSE_E_DB_DOWN (retry_after set) when none could
 * be opened, MOUSE_E_CLIENT_GONE when its client left the line. The watch must live until
 * the release.
 */
apr_status_t mouse_conn_acquire(mouse_db_t *db, apr_pool_t *p, mouse_watch_t *watch,
                                mouse_conn_t **conn, mouse_error_t **err) MOUSE_MUST_USE;

/*
 * Gives it back: to the first waiter, else to the idle ones. Closes open results; a
 * connection in doubt (lost, cancelled, a transaction still open) is closed instead.
 */
void mouse_conn_release(mouse_conn_t *conn);

/* One connection opened here and now, outside any pool: for MOUSE_CHECK. Creates no file.
 * mouse_conn_release closes it. */
apr_status_t mouse_conn_open(apr_pool_t *p, const mouse_db_config_t *config,
                             const mouse_log_t *log, mouse_watch_t *watch,
                             mouse_conn_t **conn, mouse_error_t **err) MOUSE_MUST_USE;

/*
 * Does the database answer? Takes a connection, pings the server on it, gives it back, all
 * by the watch's deadline. Fails as mouse_conn_acquire does, and with MOUSE_E_DB_DOWN when
 * there is no answer.
 */
apr_status_t mouse_db_ping(mouse_db_t *db, apr_pool_t *p, const mouse_watch_t *watch,
                           mouse_error_t **err) MOUSE_MUST_USE;

/* Of the driver, and of its pool: as long as the connection is. */
mouse_dialect_t mouse_conn_dialect(const mouse_conn_t *conn);
const mouse_db_config_t *mouse_conn_config(const mouse_conn_t *conn);

/* Has this connection served another request before (then a LOST at its first use may be
 * an old time-out of the server's, and is worth one retry)? */
bool mouse_conn_used(const mouse_conn_t *conn);

/* What the last failing call on this connection met; valid until its next call. */
const mouse_fault_t *mouse_conn_fault(const mouse_conn_t *conn);

/* ---- transactions; each returns APR_SUCCESS, or APR_EGENERAL with a fault set ---- */

typedef enum { MOUSE_TX_READ, MOUSE_TX_WRITE } mouse_tx_t; /* READ: one snapshot */

apr_status_t mouse_conn_begin(mouse_conn_t *conn, mouse_tx_t kind) MOUSE_MUST_USE;
apr_status_t mouse_conn_commit(mouse_conn_t *conn) MOUSE_MUST_USE;
/* The fault stays what it was. Should it fail, the release closes the connection. */
void mouse_conn_rollback(mouse_conn_t *conn);

/* ---- statements ---- */

/*
 * The connection's prepared statement for a key: `key` is the address of what owns the SQL,
 * `variant` tells its texts apart (order choice, sizes of IN lists). NULL: not prepared
 * yet.
 */
mouse_stmt_t *mouse_stmt_find(mouse_conn_t *conn, const void *key, uint64_t variant);

/* Prepares and caches (least recently used ones beyond 256 are closed). Placeholders are
 * `?`. sql need not outlive the call. A fault is set on failure. */
apr_status_t mouse_stmt_prepare(mouse_conn_t *conn, const void *key, uint64_t variant,
                                mouse_slice_t sql, mouse_stmt_t **stmt) MOUSE_MUST_USE;

/* Forgets a prepared statement (after MOUSE_FAULT_STALE). */
void mouse_stmt_drop(mouse_stmt_t *stmt);

/* Its placeholders. */
int mouse_stmt_parameters(const mouse_stmt_t *stmt);

/*
 * The columns of the current result; *count 0: it returns no rows. Before the first run
 * MariaDB does not know those of RETURNING, CALL and compound statements: *count is 0
 * there.
 */
const mouse_column_t *mouse_stmt_columns(const mouse_stmt_t *stmt, int *count);

/* Counts up whenever columns changed: a plan made for another generation is stale. */
unsigned mouse_stmt_generation(const mouse_stmt_t *stmt);

/* Can the i-th column of this prepared statement never be NULL? By the declarations of its
 * tables; in doubt: false. */
bool mouse_stmt_never_null(mouse_stmt_t *stmt, int i);

/* A place for the model's own compiled plan; freed with the statement's pool. */
void **mouse_stmt_slot(mouse_stmt_t *stmt);
apr_pool_t *mouse_stmt_pool(mouse_stmt_t *stmt);

/* Runs it. The values' bytes must live until mouse_stmt_finish. */
apr_status_t mouse_stmt_run(mouse_stmt_t *stmt, const mouse_value_t *values,
                            int count) MOUSE_MUST_USE;

/*
 * The next row of the (first) result: *row is an array as long as the columns, valid until
 * the next call. APR_EOF after the last; APR_EGENERAL with a fault.
 */
apr_status_t mouse_stmt_next(mouse_stmt_t *stmt, const mouse_value_t **row) MOUSE_MUST_USE;

/* Ends a run: drains what is left, further result sets included. A failure in there is a
 * fault like any other. Must be called after every successful mouse_stmt_run. */
apr_status_t mouse_stmt_finish(mouse_stmt_t *stmt) MOUSE_MUST_USE;

/* Of the last run, valid after finish: rows changed (found rows of an UPDATE), and the
 * generated key or 0. */
uint64_t mouse_stmt_affected(const mouse_stmt_t *stmt);
uint64_t mouse_stmt_insert_id(const mouse_stmt_t *stmt);

/* ---- questions MOUSE_CHECK asks a connection ---- */

/* Tables without transactions among those named in sql (MariaDB: by EXPLAIN or
 * information_schema), as a list for a message; NULL: none. SQLite: always NULL. */
const char *mouse_conn_nontransactional(mouse_conn_t *conn, apr_pool_t *p,
                                        mouse_slice_t sql);

/* The server's limit of connections; 0: none (SQLite). */
int mouse_conn_limit(mouse_conn_t *conn);

/* So many of them a pool of `max` connections takes in each process: one more where it has
 * one for cancelling. */
int mouse_conn_demand(const mouse_conn_t *conn, int max);

/* ---- rows as bytes ---- */

/* What the `column` annotations of a model say of one column. */
typedef enum {
    MOUSE_RULE_BOOL,
    MOUSE_RULE_JSON,
    MOUSE_RULE_STRING,
    MOUSE_RULE_NUMBER,
    MOUSE_RULE_HIDDEN,
    MOUSE_RULE_STATUS
} mouse_column_rule_kind_t;

typedef struct mouse_column_rule_t {
    const char *member; /* NULL, or the :object member it is for ("items" in items.price) */
    const char *name;
    mouse_column_rule_kind_t kind;
    int line, column;
} mouse_column_rule_t;

/* How a server or virtual host wants numbers (MouseBigInt, MouseDecimal). */
typedef struct mouse_number_style_t {
    bool bigint_string;  /* default: number */
    bool decimal_number; /* default: string */
} mouse_number_style_t;

/*
 * Compiles columns, rules and style into a plan in p: the escaped `"column":` bytes and a
 * writer each. Refuses duplicate names (MOUSE_E_COLUMN). Rules for columns that are not
 * there are the checker's business. member NULL or the :object member being written.
 */
apr_status_t mouse_plan_create(apr_pool_t *p, const mouse_column_t *columns, int count,
                               const mouse_column_rule_t *rules, int rule_count,
                               const char *member, mouse_number_style_t style,
                               bool datetime_utc, mouse_plan_t **plan,
                               mouse_error_t **err) MOUSE_MUST_USE;

/* Index of a column by name (hidden ones too), or -1; of the status column, or -1. */
int mouse_plan_column(const mouse_plan_t *plan, const char *name);
int mouse_plan_status(const mouse_plan_t *plan);

/* Columns that are sent (not hidden). */
int mouse_plan_visible(const mouse_plan_t *plan);

/* One row as a JSON object. MOUSE_E_COLUMN when a value is not of its column's type
 * (SQLite) or a JSON column does not hold JSON; p for the error alone. */
apr_status_t mouse_plan_put_object(const mouse_plan_t *plan, const mouse_value_t *row,
                                   mouse_buf_t *buf, apr_pool_t *p,
                                   mouse_error_t **err) MOUSE_MUST_USE;

/* The first visible column alone, as a JSON value (`:value`). */
apr_status_t mouse_plan_put_value(const mouse_plan_t *plan, const mouse_value_t *row,
                                  mouse_buf_t *buf, apr_pool_t *p,
                                  mouse_error_t **err) MOUSE_MUST_USE;

/* What both write, as JSON Schema; stmt is the one whose columns the plan was made for. A
 * new reference of Jansson's. */
struct json_t *mouse_plan_schema_object(const mouse_plan_t *plan, mouse_stmt_t *stmt);
struct json_t *mouse_plan_schema_value(const mouse_plan_t *plan, mouse_stmt_t *stmt);

/* RFC 4180, CRLF included: the header line, and one row. */
void mouse_plan_put_csv_header(const mouse_plan_t *plan, mouse_buf_t *buf);
apr_status_t mouse_plan_put_csv(const mouse_plan_t *plan, const mouse_value_t *row,
                                mouse_buf_t *buf, apr_pool_t *p,
                                mouse_error_t **err) MOUSE_MUST_USE;

#endif
