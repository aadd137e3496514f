/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Holds a model against a real database: every statement is prepared in every order, and
 * what only the database knows - its columns, its parameters, its tables - is compared with
 * what the model says.
 */

#include "model/run_int.h"

#include <stdarg.h>

#include <apr_strings.h>

/* More orders than any model has; more combinations are looked at up to here. */
#define MAX_VARIANTS 1024

typedef struct check_t {
    apr_pool_t *p;
    const mouse_model_t *model;
    mouse_conn_t *conn;
    mouse_finding_fn report;
    void *baton;
    mouse_binding_t binding; /* every list with one value */
    const apr_array_header_t *
        *columns; /* per statement: of const char *, or NULL: not known */
    bool failed;
} check_t;

static void add_finding(check_t *check, int line, int column, const char *format, ...)
    MOUSE_PRINTF(4, 5);

static void add_finding(check_t *check, int line, int column, const char *format, ...)
{
    mouse_error_t *err;
    va_list args;
    const char *text;

    va_start(args, format);
    text = apr_pvsprintf(check->p, format, args);
    va_end(args);
    mouse_error_at(&err, check->p, check->model->file, line, column, "%s: %s",
                   check->model->name, text);
    check->report(check->baton, MOUSE_LOG_ERROR, err);
    check->failed = true;
}

static void open_check(check_t *check)
{
    const mouse_model_t *model = check->model;

    mouse_sqltext_sample_binding(check->p, model, &check->binding);
    check->columns =
        apr_pcalloc(check->p, sizeof(*check->columns) * (size_t)(model->sql_count + 1));
}

static bool uses_order(const mouse_sql_t *sql, int order)
{
    for (int i = 0; i < sql->piece_count; i++) {
        if (sql->pieces[i].has_ref && sql->pieces[i].ref.kind == MOUSE_REF_ORDER &&
            sql->pieces[i].ref.index == order)
            return true;
    }
    return false;
}

/* The next combination of the order choices this statement has; false behind the last. */
static bool next_variant(check_t *check, const mouse_sql_t *sql)
{
    for (int i = 0; i < check->model->order_count; i++) {
        if (!uses_order(sql, i))
            continue;
        if (++check->binding.choices[i] < check->model->orders[i].count)
            return true;
        check->binding.choices[i] = 0;
    }
    return false;
}

static mouse_stmt_t *prepare(check_t *check, const mouse_sql_t *sql)
{
    mouse_slice_t text;
    mouse_stmt_t *stmt;
    const mouse_fault_t *fault;
    uint64_t variant = mouse_sqltext_variant(check->model, sql, &check->binding);

    text = mouse_sqltext_build(check->p, check->model, sql, &check->binding);
    if (mouse_stmt_prepare(check->conn, sql, variant, text, &stmt) == APR_SUCCESS)
        return stmt;
    fault = mouse_conn_fault(check->conn);
    add_finding(check, sql->line, sql->column, "%s",
                fault->message ? fault->message : "the database refuses this statement");
    return NULL;
}

static const mouse_sql_t *owner_of(const mouse_model_t *model,
                                   const mouse_column_rule_t *rule)
{
    if (!rule->member)
        return model->answering >= 0 ? &model->sqls[model->answering] : NULL;
    for (int i = 0; i < model->sql_count; i++) {
        if (model->sqls[i].member && strcmp(model->sqls[i].member, rule->member) == 0)
            return &model->sqls[i];
    }
    return NULL;
}

static bool has_column(const apr_array_header_t *columns, const char *name)
{
    for (int i = 0; i < columns->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(columns, i, const char *), name) == 0)
            return true;
    }
    return false;
}

static apr_array_header_t *list_columns(apr_pool_t *p, const mouse_stmt_t *stmt)
{
    int count;
    const mouse_column_t *columns = mouse_stmt_columns(stmt, &count);
    apr_array_header_t *names = apr_array_make(p, count > 0 ? count : 1, sizeof(char *));

    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(names, const char *) = mouse_slice_copy(p, columns[i].name);
    return names;
}

/* What can only be known with the columns: names that come twice, a :value of several. */
static void check_columns(check_t *check, const mouse_sql_t *sql, const mouse_stmt_t *stmt)
{
    const mouse_model_t *model = check->model;
    int count;
    const mouse_column_t *columns = mouse_stmt_columns(stmt, &count);
    mouse_plan_t *plan;
    mouse_error_t *err = NULL;

    if (mouse_plan_create(check->p, columns, count, model->rules, model->rule_count,
                          sql->member, (mouse_number_style_t){0}, false, &plan,
                          &err) != APR_SUCCESS)
        add_finding(check, sql->line, sql->column, "%s", mouse_error_text(check->p, err));
    else if (sql->member && sql->member_kind == MOUSE_ANSWER_VALUE &&
             mouse_plan_visible(plan) != 1)
        add_finding(check, sql->line, sql->column,
                    ":value needs exactly one column, here are %d",
                    mouse_plan_visible(plan));
}

/* Columns and parameters of a statement in its first variant. */
static void inspect(check_t *check, const mouse_sql_t *sql, int index,
                    const mouse_stmt_t *stmt)
{
    int wanted = (int)mouse_sqltext_count(check->model, sql, &check->binding);
    int has = mouse_stmt_parameters(stmt);
    apr_array_header_t *columns = list_columns(check->p, stmt);

    if (has != wanted)
        add_finding(check, sql->line, sql->column,
                    "the database sees %d parameters where the model has %d", has, wanted);
    if (columns->nelts == 0)
        return;
    check->columns[index] = columns;
    if (sql->as || sql->member || index == check->model->answering)
        check_columns(check, sql, stmt);
}

static void check_sql(check_t *check, int index)
{
    const mouse_sql_t *sql = &check->model->sqls[index];
    mouse_stmt_t *stmt;
    int variants = 0;

    memset(check->binding.choices, 0,
           sizeof(int) * (size_t)(check->model->order_count + 1));
    do {
        stmt = prepare(check, sql);
        if (stmt && variants == 0)
            inspect(check, sql, index, stmt);
        if (stmt)
            mouse_stmt_drop(stmt);
    } while (next_variant(check, sql) && ++variants < MAX_VARIANTS);
}

static void check_rules(check_t *check)
{
    const mouse_model_t *model = check->model;

    for (int i = 0; i < model->rule_count; i++) {
        const mouse_column_rule_t *rule = &model->rules[i];
        const mouse_sql_t *sql = owner_of(model, rule);
        const apr_array_header_t *columns = sql ? check->columns[sql - model->sqls] : NULL;

        if (!sql)
            add_finding(check, rule->line, rule->column,
                        "the answer has no member for \"%s\"", rule->name);
        else if (columns && !has_column(columns, rule->name))
            add_finding(check, rule->line, rule->column, "the answer has no column \"%s\"",
                        rule->name);
    }
}

/* :o.x where the row "o" has no column x. */
static void check_kept(check_t *check, const mouse_sql_t *sql)
{
    for (int i = 0; i < sql->piece_count; i++) {
        const mouse_ref_t *ref = &sql->pieces[i].ref;
        const apr_array_header_t *columns;

        if (!sql->pieces[i].has_ref || ref->kind != MOUSE_REF_AS)
            continue;
        columns = check->columns[ref->index];
        if (columns && !has_column(columns, ref->name) &&
            strcmp(ref->name, "insert_id") != 0 && strcmp(ref->name, "affected") != 0)
            add_finding(check, ref->line, ref->column,
                        "the row \"%s\" has no column \"%s\"", ref->word, ref->name);
    }
}

static void check_tables(check_t *check, const mouse_sql_t *sql)
{
    const char *tables;
    mouse_slice_t text;

    text = mouse_sqltext_build(check->p, check->model, sql, &check->binding);
    tables = mouse_conn_nontransactional(check->conn, check->p, text);
    if (tables)
        add_finding(check, sql->line, sql->column,
                    "%s cannot be rolled back (no transactions), but the model has several "
                    "statements",
                    tables);
}

apr_status_t mouse_model_check(apr_pool_t *ptmp, const mouse_model_t *model,
                               mouse_conn_t *conn, mouse_finding_fn report, void *baton)
{
    check_t check = {
        .p = ptmp, .model = model, .conn = conn, .report = report, .baton = baton};

    open_check(&check);
    for (int i = 0; i < model->sql_count; i++)
        check_sql(&check, i);
    check_rules(&check);
    for (int i = 0; i < model->sql_count; i++) {
        check_kept(&check, &model->sqls[i]);
        if (!model->reads && model->sql_count > 1 && !check.failed)
            check_tables(&check, &model->sqls[i]);
    }
    return check.failed ? APR_EGENERAL : APR_SUCCESS;
}

apr_status_t mouse_model_columns(apr_pool_t *ptmp, const mouse_model_t *model,
                                 mouse_conn_t *conn, apr_array_header_t **names)
{
    const mouse_sql_t *sql;
    mouse_slice_t text;
    mouse_stmt_t *stmt;

    if (model->answering < 0)
        return APR_NOTFOUND;
    sql = &model->sqls[model->answering];
    text = mouse_sqltext_sample(ptmp, model, sql);
    if (mouse_stmt_prepare(conn, sql, MOUSE_VARIANT_OTHER, text, &stmt) != APR_SUCCESS)
        return APR_NOTFOUND;
    *names = list_columns(ptmp, stmt);
    mouse_stmt_drop(stmt);
    return (*names)->nelts > 0 ? APR_SUCCESS : APR_NOTFOUND;
}
