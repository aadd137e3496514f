/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* SQLite's result codes and messages as faults (https://sqlite.org/rescode.html). */

#include "db/sqlite_int.h"

#include <stdlib.h>

static const struct {
    int code; /* extended, or primary: then it stands for all extended ones not listed */
    mouse_fault_class_t class;
} classes[] = {
    {SQLITE_CONSTRAINT_UNIQUE, MOUSE_FAULT_UNIQUE},
    {SQLITE_CONSTRAINT_PRIMARYKEY, MOUSE_FAULT_UNIQUE},
    {SQLITE_CONSTRAINT_ROWID, MOUSE_FAULT_UNIQUE},
    {SQLITE_CONSTRAINT_FOREIGNKEY, MOUSE_FAULT_FOREIGN_KEY},
    {SQLITE_CONSTRAINT_NOTNULL, MOUSE_FAULT_NOT_NULL},
    {SQLITE_CONSTRAINT_CHECK, MOUSE_FAULT_CHECK},
    {SQLITE_CONSTRAINT_TRIGGER, MOUSE_FAULT_SIGNAL},
    {SQLITE_CONSTRAINT_DATATYPE, MOUSE_FAULT_BAD_VALUE},
    {SQLITE_MISMATCH, MOUSE_FAULT_BAD_VALUE},
    {SQLITE_TOOBIG, MOUSE_FAULT_TOO_LONG},
    {SQLITE_BUSY, MOUSE_FAULT_DEADLOCK},
    {SQLITE_LOCKED, MOUSE_FAULT_DEADLOCK},
    {SQLITE_INTERRUPT, MOUSE_FAULT_TIMEOUT},
    {SQLITE_SCHEMA, MOUSE_FAULT_STALE},
    {SQLITE_IOERR, MOUSE_FAULT_LOST},
    {SQLITE_CANTOPEN, MOUSE_FAULT_LOST},
};

static mouse_fault_class_t class_of(int code)
{
    mouse_fault_class_t class = MOUSE_FAULT_OTHER;

    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (classes[i].code == code)
            return classes[i].class;
        if (classes[i].code == (code & 0xFF))
            class = classes[i].class;
    }
    return class;
}

/* "UNIQUE constraint failed: t.a, t.b" names "t.a,t.b"; an index "index 'name'"
 * its name. */
static void name_constraint(mouse_conn_t *conn, const char *message)
{
    char name[sizeof(conn->constraint)];
    const char *at = strstr(message, " failed: ");
    size_t len = 0;

    if (!at)
        return;
    at += strlen(" failed: ");
    if (strncmp(at, "index '", 7) == 0) {
        at += 7;
        mouse_fault_constraint(conn, (mouse_slice_t){at, strcspn(at, "'")});
        return;
    }
    for (; *at && len < sizeof(name); at++) {
        if (!(at[0] == ' ' && at[-1] == ','))
            name[len++] = *at;
    }
    mouse_fault_constraint(conn, (mouse_slice_t){name, len});
}

/* RAISE(ABORT, '45404:text') asks for 404 with that text; also '404:text', as short. Any
 * other text, and 45000, is 400. */
static void read_signal(mouse_conn_t *conn)
{
    char *text = conn->message, *end;
    long number = strtol(text, &end, 10);

    conn->fault.status = 400;
    if (*end != ':' || (end - text != 3 && end - text != 5))
        return;
    if (end - text == 5)
        number -= 45000;
    if (number != 0 && (number < 400 || number > 599))
        return;
    if (number != 0)
        conn->fault.status = (int)number;
    conn->fault.message = end + 1 + strspn(end + 1, " ");
}

static mouse_fault_class_t stopped(const mouse_conn_t *conn, mouse_fault_class_t class)
{
    const mouse_sqlite_t *state = conn->state;

    if (class != MOUSE_FAULT_DEADLOCK && class != MOUSE_FAULT_TIMEOUT)
        return class;
    return state->stop != MOUSE_FAULT_NONE ? state->stop : class;
}

apr_status_t mouse_sqlite_fault(mouse_conn_t *conn, int code)
{
    mouse_fault_class_t class = stopped(conn, class_of(code));
    const char *message = class == MOUSE_FAULT_GONE || class == MOUSE_FAULT_TIMEOUT
                              ? sqlite3_errstr(code)
                              : sqlite3_errmsg(conn->native);

    mouse_fault_set(conn, class, code, NULL, message);
    if (class == MOUSE_FAULT_UNIQUE || class == MOUSE_FAULT_NOT_NULL ||
        class == MOUSE_FAULT_CHECK)
        name_constraint(conn, conn->message);
    if (class == MOUSE_FAULT_FOREIGN_KEY)
        mouse_fault_constraint(conn, MOUSE_SLICE("foreign_key"));
    if (class == MOUSE_FAULT_SIGNAL)
        read_signal(conn);
    if ((code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB ||
        (code & 0xFF) == SQLITE_NOMEM)
        conn->doubtful = true;
    return APR_EGENERAL;
}
