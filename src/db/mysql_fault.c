/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB's and MySQL's error numbers to faults. Constraint names are read from the English
 * messages; the session asks for those.
 */

#include "db/mysql_int.h"

#include <stdlib.h>

/* By number, since not all are in the client's header and some are MySQL's alone. */
static const struct {
    unsigned native;
    mouse_fault_class_t class;
} classes[] = {
    {1022, MOUSE_FAULT_UNIQUE},      /* ER_DUP_KEY */
    {1062, MOUSE_FAULT_UNIQUE},      /* ER_DUP_ENTRY */
    {1169, MOUSE_FAULT_UNIQUE},      /* ER_DUP_UNIQUE */
    {1586, MOUSE_FAULT_UNIQUE},      /* ER_DUP_ENTRY_WITH_KEY_NAME */
    {1216, MOUSE_FAULT_FOREIGN_KEY}, /* ER_NO_REFERENCED_ROW */
    {1217, MOUSE_FAULT_FOREIGN_KEY}, /* ER_ROW_IS_REFERENCED */
    {1451, MOUSE_FAULT_FOREIGN_KEY}, /* ER_ROW_IS_REFERENCED_2 */
    {1452, MOUSE_FAULT_FOREIGN_KEY}, /* ER_NO_REFERENCED_ROW_2 */
    {1048, MOUSE_FAULT_NOT_NULL},    /* ER_BAD_NULL_ERROR */
    {1263, MOUSE_FAULT_NOT_NULL},    /* ER_WARN_NULL_TO_NOTNULL */
    {1364, MOUSE_FAULT_NOT_NULL},    /* ER_NO_DEFAULT_FOR_FIELD */
    {3819, MOUSE_FAULT_CHECK},       /* MySQL's ER_CHECK_CONSTRAINT_VIOLATED */
    {4025, MOUSE_FAULT_CHECK},       /* ER_CONSTRAINT_FAILED */
    {1406, MOUSE_FAULT_TOO_LONG},    /* ER_DATA_TOO_LONG */
    {1264, MOUSE_FAULT_BAD_VALUE},   /* ER_WARN_DATA_OUT_OF_RANGE */
    {1265, MOUSE_FAULT_BAD_VALUE},   /* WARN_DATA_TRUNCATED */
    {1292, MOUSE_FAULT_BAD_VALUE},   /* ER_TRUNCATED_WRONG_VALUE */
    {1365, MOUSE_FAULT_BAD_VALUE},   /* ER_DIVISION_BY_ZERO */
    {1366, MOUSE_FAULT_BAD_VALUE},   /* ER_TRUNCATED_WRONG_VALUE_FOR_FIELD */
    {1367, MOUSE_FAULT_BAD_VALUE},   /* ER_ILLEGAL_VALUE_FOR_TYPE */
    {1411, MOUSE_FAULT_BAD_VALUE},   /* ER_WRONG_VALUE_FOR_TYPE */
    {1416, MOUSE_FAULT_BAD_VALUE},   /* ER_CANT_CREATE_GEOMETRY_OBJECT */
    {1441, MOUSE_FAULT_BAD_VALUE},   /* ER_DATETIME_FUNCTION_OVERFLOW */
    {1690, MOUSE_FAULT_BAD_VALUE},   /* ER_DATA_OUT_OF_RANGE */
    {3140, MOUSE_FAULT_BAD_VALUE},   /* MySQL's ER_INVALID_JSON_TEXT */
    {4038, MOUSE_FAULT_BAD_VALUE},   /* ER_JSON_SYNTAX */
    {1205, MOUSE_FAULT_DEADLOCK},    /* ER_LOCK_WAIT_TIMEOUT */
    {1213, MOUSE_FAULT_DEADLOCK},    /* ER_LOCK_DEADLOCK */
    {1020, MOUSE_FAULT_DEADLOCK},    /* ER_CHECKREAD: the snapshot is too old */
    {1969, MOUSE_FAULT_TIMEOUT},     /* ER_STATEMENT_TIMEOUT */
    {3024, MOUSE_FAULT_TIMEOUT},     /* MySQL's ER_QUERY_TIMEOUT */
    {1317, MOUSE_FAULT_TIMEOUT},     /* ER_QUERY_INTERRUPTED */
    {1028, MOUSE_FAULT_TIMEOUT},     /* ER_FILSORT_ABORT */
    {1615, MOUSE_FAULT_STALE},       /* ER_NEED_REPREPARE */
    {1243, MOUSE_FAULT_STALE},       /* ER_UNKNOWN_STMT_HANDLER */
    {2057, MOUSE_FAULT_STALE},       /* CR_NEW_STMT_METADATA */
    {1053, MOUSE_FAULT_LOST},        /* ER_SERVER_SHUTDOWN */
    {1077, MOUSE_FAULT_LOST},        /* ER_NORMAL_SHUTDOWN */
    {1927, MOUSE_FAULT_LOST},        /* ER_CONNECTION_KILLED */
    {4031, MOUSE_FAULT_LOST},        /* MySQL's ER_CLIENT_INTERACTION_TIMEOUT */
};

/* 2000 and above are the client library's: whatever it is, the connection is no good. */
static mouse_fault_class_t class_of(unsigned native)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (classes[i].native == native)
            return classes[i].class;
    }
    return native >= 2000 && native < 3000 ? MOUSE_FAULT_LOST : MOUSE_FAULT_OTHER;
}

/* The name between the last `before` and the next `after`. */
static mouse_slice_t name_in(const char *message, const char *before, const char *after)
{
    const char *start = NULL, *at, *end;

    for (at = strstr(message, before); at; at = strstr(at + 1, before))
        start = at + strlen(before);
    end = start ? strstr(start, after) : NULL;
    return end ? (mouse_slice_t){start, (size_t)(end - start)} : (mouse_slice_t){NULL, 0};
}

/* MySQL 8 says table.key where MariaDB says key. */
static mouse_slice_t key_in(const char *message)
{
    mouse_slice_t name = name_in(message, "for key '", "'");
    const char *dot = name.data ? memrchr(name.data, '.', name.len) : NULL;

    if (dot) {
        name.len -= (size_t)(dot + 1 - name.data);
        name.data = dot + 1;
    }
    return name;
}

static mouse_slice_t constraint_in(mouse_fault_class_t class, unsigned native,
                                   const char *message)
{
    if (class == MOUSE_FAULT_UNIQUE)
        return key_in(message);
    if (class == MOUSE_FAULT_FOREIGN_KEY)
        return name_in(message, "CONSTRAINT `", "`");
    if (class == MOUSE_FAULT_CHECK && native == 3819)
        return name_in(message, "Check constraint '", "'");
    if (class == MOUSE_FAULT_CHECK)
        return name_in(message, "CONSTRAINT `", "`");
    if (class == MOUSE_FAULT_NOT_NULL && native == 1048)
        return name_in(message, "Column '", "'");
    if (class == MOUSE_FAULT_NOT_NULL)
        return name_in(message, "Field '", "'");
    return (mouse_slice_t){NULL, 0};
}

/* SIGNAL SQLSTATE '45NNN': the HTTP status asked for, or 0. */
static int status_of(const char *sqlstate)
{
    int status;

    if (strncmp(sqlstate, "45", 2) != 0)
        return 0;
    status = atoi(sqlstate + 2);
    if (status == 0)
        return 400;
    return status >= 400 && status <= 599 ? status : 0;
}

apr_status_t mouse_mysql_fault(mouse_conn_t *conn, unsigned native, const char *sqlstate,
                               const char *message)
{
    mouse_fault_class_t stopped = mouse_mysql(conn)->stopped;
    mouse_fault_class_t class = class_of(native);
    mouse_slice_t name;

    if (stopped != MOUSE_FAULT_NONE) {
        conn->doubtful = true;
        class = stopped;
    } else if (status_of(sqlstate) > 0) {
        class = MOUSE_FAULT_SIGNAL;
    }
    mouse_fault_set(conn, class, (int)native, sqlstate, message);
    if (class == MOUSE_FAULT_SIGNAL)
        conn->fault.status = status_of(sqlstate);
    name = constraint_in(class, native, conn->message);
    if (name.data)
        mouse_fault_constraint(conn, name);
    return APR_EGENERAL;
}
