/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Descriptions of the API, inside the model room: JSON Schema made with Jansson. */
#ifndef MOUSE_SCHEMA_INT_H
#define MOUSE_SCHEMA_INT_H

#include <jansson.h>

#include "db/mouse_db.h"
#include "model/model_int.h"

/* Does this regular expression of PCRE2 mean the same in ECMAScript (flag u)? In doubt,
 * no. */
bool mouse_schema_is_portable(const char *pattern);

/* The columns of a prepared statement, in p, until stmt is dropped; MOUSE_COLUMN_DYNAMIC
 * where a run's values may change the type. conn->fault is set where it could not be asked.
 */
const mouse_column_t *mouse_schema_columns(apr_pool_t *p, const mouse_model_t *model,
                                           const mouse_sql_t *sql, mouse_conn_t *conn,
                                           const mouse_stmt_t *stmt, int *count);

#endif
