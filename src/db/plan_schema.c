/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What a plan writes, as JSON Schema (2020-12), for descriptions of the API. */

#include "db/plan_int.h"

#include <jansson.h>

static json_t *column_schema(const mouse_plan_column_t *column, mouse_stmt_t *stmt)
{
    json_t *schema = json_object();

    if (!column->json_type)
        return schema;
    if (mouse_stmt_never_null(stmt, column->index))
        json_object_set_new(schema, "type", json_string(column->json_type));
    else
        json_object_set_new(schema, "type", json_pack("[s, s]", column->json_type, "null"));
    if (column->format && strcmp(column->format, "base64") == 0)
        json_object_set_new(schema, "contentEncoding", json_string("base64"));
    else if (column->format)
        json_object_set_new(schema, "format", json_string(column->format));
    return schema;
}

json_t *mouse_plan_schema_object(const mouse_plan_t *plan, mouse_stmt_t *stmt)
{
    json_t *properties = json_object();
    json_t *required = json_array();

    for (int i = 0; i < plan->visible; i++) {
        const mouse_plan_column_t *column = &plan->columns[i];

        json_object_setn_new(properties, column->name.data, column->name.len,
                             column_schema(column, stmt));
        json_array_append_new(required, json_stringn(column->name.data, column->name.len));
    }
    return json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties,
                     "required", required);
}

json_t *mouse_plan_schema_value(const mouse_plan_t *plan, mouse_stmt_t *stmt)
{
    return plan->visible > 0 ? column_schema(&plan->columns[0], stmt) : json_object();
}
