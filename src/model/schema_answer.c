/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What a model answers, for descriptions of the API: JSON Schema (2020-12) with the columns
 * that its statements have once a database has prepared them.
 */

#include "model/schema_int.h"

#include <apr_strings.h>

#include "model/run_int.h"

typedef struct describe_t {
    apr_pool_t *p;
    const mouse_model_t *model;
    mouse_conn_t *conn;
    mouse_number_style_t numbers;
    mouse_error_t **err;
} describe_t;

/* Or null as well. */
static json_t *nullable(json_t *schema)
{
    return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
}

/* By what the statement's columns say; of those that only a run tells, nothing. */
static json_t *row_schema(const describe_t *describe, const mouse_sql_t *sql,
                          mouse_stmt_t *stmt, mouse_member_kind_t kind)
{
    const mouse_model_t *model = describe->model;
    int count;
    const mouse_column_t *columns =
        mouse_schema_columns(describe->p, model, sql, describe->conn, stmt, &count);
    mouse_plan_t *plan;
    mouse_error_t *ignored = NULL;

    if (count > 0 && mouse_plan_create(
                         describe->p, columns, count, model->rules, model->rule_count,
                         model->kind == MOUSE_KIND_OBJECT ? sql->member : NULL,
                         describe->numbers, mouse_conn_config(describe->conn)->datetime_utc,
                         &plan, &ignored) == APR_SUCCESS)
        return kind == MOUSE_ANSWER_VALUE ? mouse_plan_schema_value(plan, stmt)
                                          : mouse_plan_schema_object(plan, stmt);
    return kind == MOUSE_ANSWER_VALUE ? json_object()
                                      : json_pack("{s:s}", "type", "object");
}

static json_t *as_answered(const mouse_sql_t *sql, mouse_member_kind_t kind, json_t *row)
{
    if (kind == MOUSE_ANSWER_MANY)
        return json_pack("{s:s, s:o}", "type", "array", "items", row);
    if (kind == MOUSE_ANSWER_VALUE || (sql->expects && sql->expect_low == 0))
        return nullable(row);
    return row;
}

/* Has the database gone, so that nothing can be told? Else it refused the statement. */
static bool is_gone(const mouse_fault_t *fault)
{
    return fault->class == MOUSE_FAULT_LOST || fault->class == MOUSE_FAULT_TIMEOUT ||
           fault->class == MOUSE_FAULT_GONE;
}

static mouse_code_t code_of(const mouse_fault_t *fault)
{
    switch (fault->class) {
    case MOUSE_FAULT_LOST:
        return MOUSE_E_DB_DOWN;
    case MOUSE_FAULT_TIMEOUT:
        return MOUSE_E_DB_TIMEOUT;
    case MOUSE_FAULT_GONE:
        return MOUSE_E_CLIENT_GONE;
    default:
        return MOUSE_E_DB_ERROR;
    }
}

static apr_status_t refuse(const describe_t *describe, const mouse_sql_t *sql)
{
    const mouse_fault_t *fault = mouse_conn_fault(describe->conn);

    mouse_error_set(describe->err, describe->p, code_of(fault), NULL);
    (*describe->err)->retry_after = fault->class == MOUSE_FAULT_LOST;
    (*describe->err)->log =
        apr_psprintf(describe->p, "%s:%d: %s", describe->model->file, sql->line,
                     fault->message ? fault->message : "the statement is refused");
    return APR_EGENERAL;
}

static apr_status_t describe_sql(const describe_t *describe, const mouse_sql_t *sql,
                                 mouse_member_kind_t kind, json_t **schema)
{
    mouse_slice_t text = mouse_sqltext_sample(describe->p, describe->model, sql);
    mouse_stmt_t *stmt;

    if (mouse_stmt_prepare(describe->conn, sql, MOUSE_VARIANT_OTHER, text, &stmt) !=
        APR_SUCCESS)
        return refuse(describe, sql);
    *schema = as_answered(sql, kind, row_schema(describe, sql, stmt, kind));
    mouse_stmt_drop(stmt);
    if (!is_gone(mouse_conn_fault(describe->conn)))
        return APR_SUCCESS;
    json_decref(*schema);
    *schema = NULL;
    return refuse(describe, sql);
}

static apr_status_t describe_object(const describe_t *describe, json_t **schema)
{
    const mouse_model_t *model = describe->model;
    json_t *properties = json_object(), *required = json_array(), *member;
    apr_status_t rv = APR_SUCCESS;

    for (int i = 0; i < model->sql_count && rv == APR_SUCCESS; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        if (!sql->member)
            continue;
        rv = describe_sql(describe, sql, sql->member_kind, &member);
        if (rv != APR_SUCCESS)
            break;
        json_object_set_new(properties, sql->member, member);
        json_array_append_new(required, json_string(sql->member));
    }
    if (rv != APR_SUCCESS) {
        json_decref(properties);
        json_decref(required);
        return rv;
    }
    *schema = json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties,
                        "required", required);
    return APR_SUCCESS;
}

apr_status_t mouse_model_describe_answer(apr_pool_t *p, const mouse_model_t *model,
                                         mouse_conn_t *conn, mouse_number_style_t numbers,
                                         json_t **schema, mouse_error_t **err)
{
    const describe_t describe = {p, model, conn, numbers, err};
    const mouse_sql_t *sql = model->answering >= 0 ? &model->sqls[model->answering] : NULL;

    *schema = NULL;
    switch (model->kind) {
    case MOUSE_KIND_ONE:
        return describe_sql(&describe, sql, MOUSE_ANSWER_ONE, schema);
    case MOUSE_KIND_MANY:
        return describe_sql(&describe, sql, MOUSE_ANSWER_MANY, schema);
    case MOUSE_KIND_OBJECT:
        return describe_object(&describe, schema);
    case MOUSE_KIND_AFFECTED:
        *schema = json_pack("{s:s, s:{s:{s:s}}, s:[s]}", "type", "object", "properties",
                            "affected", "type", "integer", "required", "affected");
        return APR_SUCCESS;
    default:
        return APR_SUCCESS;
    }
}

bool mouse_model_chooses_status(const mouse_model_t *model)
{
    for (int i = 0; i < model->rule_count; i++) {
        if (model->rules[i].kind == MOUSE_RULE_STATUS)
            return true;
    }
    return false;
}

static void add_status(apr_array_header_t *statuses, int status)
{
    APR_ARRAY_PUSH(statuses, int) = status;
}

void mouse_model_describe_statuses(const mouse_model_t *model, apr_array_header_t *statuses)
{
    for (int i = 0; i < model->error_count; i++)
        add_status(statuses, model->errors[i].status);
    for (int i = 0; i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        if (sql->expects && sql->expect_low > 0)
            add_status(statuses, sql->expect_status);
        else if (!sql->expects &&
                 (i == model->answering
                      ? model->kind == MOUSE_KIND_ONE
                      : sql->member && sql->member_kind == MOUSE_ANSWER_ONE))
            add_status(statuses, mouse_code_status(MOUSE_E_NO_ROW));
    }
}

const char *mouse_model_summary(const mouse_model_t *model)
{
    return model->summary;
}
