/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One statement of a try: prepared or found, run once or for each element, its rows handed
 * to the answer or only counted, its `expect` looked at.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* What both databases take in one statement. */
#define MYSQL_PLACEHOLDERS  65535
#define SQLITE_PLACEHOLDERS 32766

static mouse_member_kind_t find_role(const mouse_model_t *model, int index)
{
    if (model->kind == MOUSE_KIND_OBJECT)
        return model->sqls[index].member ? model->sqls[index].member_kind
                                         : MOUSE_ANSWER_NONE;
    if (index != model->answering)
        return MOUSE_ANSWER_NONE;
    if (model->kind == MOUSE_KIND_ONE)
        return MOUSE_ANSWER_ONE;
    return model->kind == MOUSE_KIND_MANY ? MOUSE_ANSWER_MANY : MOUSE_ANSWER_NONE;
}

static bool keeps_row(const mouse_run_t *run, const mouse_step_t *step)
{
    bool wanted = !run->answer || run->shape->header_count > 0;

    return step->sql->as || (step->answers == MOUSE_ANSWER_ONE && wanted);
}

static apr_status_t prepare(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    uint64_t variant = mouse_sqltext_variant(run->model, step->sql, run->binding);
    mouse_slice_t text;

    step->stmt = mouse_stmt_find(run->conn, step->sql, variant);
    if (step->stmt && variant != MOUSE_VARIANT_OTHER)
        return APR_SUCCESS;
    if (step->stmt)
        mouse_stmt_drop(step->stmt);
    text = mouse_sqltext_build(run->pool, run->model, step->sql, run->binding);
    if (mouse_stmt_prepare(run->conn, step->sql, variant, text, &step->stmt) != APR_SUCCESS)
        return mouse_run_fault(run, step->sql, err);
    return APR_SUCCESS;
}

static apr_status_t refuse_lists(mouse_run_t *run, mouse_error_t **err)
{
    return mouse_error_set(err, run->req->pool, MOUSE_E_PARAMETERS,
                           "The lists hold more values than one statement can take.");
}

static apr_status_t open_step(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    int64_t most = run->model->dialect == MOUSE_DIALECT_SQLITE ? SQLITE_PLACEHOLDERS
                                                               : MYSQL_PLACEHOLDERS;
    int64_t count = mouse_sqltext_count(run->model, step->sql, run->binding);

    if (count > most)
        return refuse_lists(run, err);
    step->value_count = (int)count;
    step->values = apr_palloc(run->pool, sizeof(*step->values) * (size_t)(count + 1));
    step->answers = find_role(run->model, step->index);
    step->keeps = keeps_row(run, step);
    return prepare(run, step, err);
}

static apr_status_t take_row(mouse_run_t *run, mouse_step_t *step, const mouse_value_t *row,
                             mouse_error_t **err)
{
    apr_status_t rv;

    if (step->rows++ == 0 && step->keeps)
        mouse_kept_row(run, step, row);
    if (step->answers == MOUSE_ANSWER_NONE || !run->answer)
        return APR_SUCCESS;
    mouse_phase(run->req, MOUSE_PHASE_JSON);
    rv = mouse_answer_row(run, step, row, err);
    mouse_phase(run->req, MOUSE_PHASE_SQL);
    return rv;
}

/* No more rows change the verdict: two are as wrong as a thousand. */
static bool seen_enough(const mouse_step_t *step)
{
    if (step->sql->expects)
        return step->sql->expect_high < INT64_MAX &&
               step->rows > (uint64_t)step->sql->expect_high;
    return step->answers != MOUSE_ANSWER_MANY && step->answers != MOUSE_ANSWER_NONE &&
           step->rows > 1;
}

static apr_status_t read_rows(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    const mouse_value_t *row;
    apr_status_t rv = APR_SUCCESS, next;

    do {
        next = mouse_stmt_next(step->stmt, &row);
        if (next == APR_SUCCESS)
            rv = take_row(run, step, row, err);
    } while (next == APR_SUCCESS && rv == APR_SUCCESS && !seen_enough(step));
    if (next != APR_SUCCESS && next != APR_EOF)
        rv = mouse_run_fault(run, step->sql, err);
    run->rows += step->rows;
    return rv;
}

static apr_status_t read_result(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    bool answers = step->answers != MOUSE_ANSWER_NONE && run->answer;
    apr_status_t rv = APR_SUCCESS;
    int columns;

    mouse_stmt_columns(step->stmt, &columns);
    if (answers)
        rv = mouse_answer_open(run, step, err);
    if (rv == APR_SUCCESS && columns > 0)
        rv = read_rows(run, step, err);
    if (rv == APR_SUCCESS && answers)
        rv = mouse_answer_close(run, step, err);
    return rv;
}

/* What it did: rows given where it gives rows, else rows changed. */
static uint64_t count_effect(const mouse_step_t *step)
{
    int columns;

    mouse_stmt_columns(step->stmt, &columns);
    return columns > 0 ? step->rows : mouse_stmt_affected(step->stmt);
}

static void note_effect(mouse_run_t *run, const mouse_step_t *step, uint64_t effect)
{
    mouse_kept_t *kept = &run->kept[step->index];

    run->affected += effect;
    kept->affected = effect;
    kept->insert_id = mouse_stmt_insert_id(step->stmt);
    kept->has_insert_id =
        step->sql->verb != MOUSE_VERB_SELECT && effect > 0 && kept->insert_id > 0;
}

static apr_status_t check_expect(mouse_run_t *run, const mouse_step_t *step,
                                 uint64_t effect, int element, mouse_error_t **err)
{
    const mouse_sql_t *sql = step->sql;

    if (!sql->expects ||
        (effect >= (uint64_t)sql->expect_low && effect <= (uint64_t)sql->expect_high))
        return APR_SUCCESS;
    mouse_error_set(err, run->req->pool, MOUSE_E_EXPECT, sql->expect_text ? "%s" : NULL,
                    sql->expect_text);
    (*err)->status = sql->expect_status;
    if (sql->each >= 0)
        (*err)->parameter = apr_psprintf(run->req->pool, "%s[%d]",
                                         run->model->params[sql->each].name, element);
    (*err)->log = apr_psprintf(run->req->pool, "%s:%d: %" APR_UINT64_T_FMT " rows",
                               run->model->file, sql->line, (apr_uint64_t)effect);
    return APR_EGENERAL;
}

static apr_status_t start(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    if (!run->in_transaction && !run->model->reads)
        run->sent = MOUSE_SENT_WRITE;
    if (mouse_stmt_run(step->stmt, step->values, step->value_count) == APR_SUCCESS)
        return APR_SUCCESS;
    return mouse_run_fault(run, step->sql, err);
}

/* The rows, then the end of the run, whatever the rows met. */
static apr_status_t finish(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    apr_status_t rv = read_result(run, step, err);
    apr_status_t end = mouse_stmt_finish(step->stmt);

    if (rv == APR_SUCCESS && end != APR_SUCCESS)
        rv = mouse_run_fault(run, step->sql, err);
    return rv;
}

static apr_status_t run_element(mouse_run_t *run, mouse_step_t *step, int element,
                                mouse_error_t **err)
{
    apr_status_t rv = mouse_values_fill(run, step, element, err);
    uint64_t effect;

    step->rows = 0;
    if (rv != APR_SUCCESS)
        return rv;
    rv = start(run, step, err);
    if (rv == APR_SUCCESS)
        rv = finish(run, step, err);
    if (run->fault == MOUSE_FAULT_STALE)
        mouse_stmt_drop(step->stmt);
    if (rv != APR_SUCCESS)
        return rv;
    effect = count_effect(step);
    note_effect(run, step, effect);
    return check_expect(run, step, effect, element, err);
}

apr_status_t mouse_step_run(mouse_run_t *run, int index, mouse_error_t **err)
{
    mouse_step_t step = {.sql = &run->model->sqls[index], .index = index};
    int each = step.sql->each;
    int count = each >= 0 ? run->binding->lists[each].count : 1;
    apr_status_t rv = APR_SUCCESS;

    run->affected = 0;
    if (count > 0)
        rv = open_step(run, &step, err);
    for (int i = 0; rv == APR_SUCCESS && i < count; i++)
        rv = run_element(run, &step, i, err);
    return rv;
}
