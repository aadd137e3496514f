/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Rows become the answer's bytes: objects, arrays, members, CSV and NDJSON; and what the
 * answer is called: status and content type. A compiled plan stays with its statement.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* The plans of one statement: one per number style, for its current columns. */
typedef struct plans_t {
    apr_pool_t *pool;
    unsigned generation;
    const mouse_plan_t *plans[4];
} plans_t;

static plans_t *open_plans(mouse_stmt_t *stmt)
{
    void **slot = mouse_stmt_slot(stmt);
    plans_t *plans = *slot;

    if (!plans) {
        plans = *slot = apr_pcalloc(mouse_stmt_pool(stmt), sizeof(*plans));
        apr_pool_create(&plans->pool, mouse_stmt_pool(stmt));
        plans->generation = mouse_stmt_generation(stmt);
    }
    if (plans->generation != mouse_stmt_generation(stmt)) {
        apr_pool_clear(plans->pool);
        memset(plans->plans, 0, sizeof(plans->plans));
        plans->generation = mouse_stmt_generation(stmt);
    }
    return plans;
}

static apr_status_t compile_plan(mouse_run_t *run, mouse_step_t *step, plans_t *plans,
                                 mouse_plan_t **plan, mouse_error_t **err)
{
    const mouse_model_t *model = run->model;
    int count;
    const mouse_column_t *columns = mouse_stmt_columns(step->stmt, &count);
    mouse_error_t *cause = NULL;

    if (mouse_plan_create(plans->pool, columns, count, model->rules, model->rule_count,
                          model->kind == MOUSE_KIND_OBJECT ? step->sql->member : NULL,
                          run->req->settings->numbers,
                          mouse_db_config(run->db)->datetime_utc, plan,
                          &cause) == APR_SUCCESS)
        return APR_SUCCESS;
    /* The cause lives with the statement, which may go before the answer does. */
    mouse_error_set(err, run->req->pool, MOUSE_E_COLUMN, NULL);
    (*err)->log = apr_psprintf(run->req->pool, "%s:%d: %s", model->file, step->sql->line,
                               mouse_error_text(run->req->pool, cause));
    return APR_EGENERAL;
}

static apr_status_t find_plan(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    mouse_number_style_t style = run->req->settings->numbers;
    plans_t *plans = open_plans(step->stmt);
    const mouse_plan_t **place =
        &plans->plans[(style.bigint_string ? 1 : 0) + (style.decimal_number ? 2 : 0)];
    mouse_plan_t *plan = NULL;

    if (!*place) {
        if (compile_plan(run, step, plans, &plan, err) != APR_SUCCESS)
            return APR_EGENERAL;
        *place = plan;
    }
    step->plan = *place;
    return APR_SUCCESS;
}

static apr_status_t refuse_step(mouse_run_t *run, const mouse_step_t *step,
                                mouse_code_t code, const char *why, mouse_error_t **err)
{
    mouse_error_set(err, run->req->pool, code, NULL);
    (*err)->log =
        apr_psprintf(run->req->pool, "%s:%d: %s", run->model->file, step->sql->line, why);
    return APR_EGENERAL;
}

static void open_member(mouse_run_t *run, const mouse_step_t *step, mouse_buf_t *buf)
{
    mouse_buf_char(buf, run->members++ > 0 ? ',' : '{');
    mouse_json_put_string(buf, step->sql->member, strlen(step->sql->member));
    mouse_buf_char(buf, ':');
}

apr_status_t mouse_answer_open(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    mouse_buf_t *buf = &run->answer->body.buf;
    int count;

    mouse_stmt_columns(step->stmt, &count);
    if (count == 0)
        return refuse_step(run, step, MOUSE_E_DB_ERROR, "the statement returned no result",
                           err);
    if (find_plan(run, step, err) != APR_SUCCESS)
        return APR_EGENERAL;
    if (step->answers == MOUSE_ANSWER_VALUE && mouse_plan_visible(step->plan) != 1)
        return refuse_step(run, step, MOUSE_E_COLUMN, ":value needs exactly one column",
                           err);
    if (run->model->kind == MOUSE_KIND_OBJECT)
        open_member(run, step, buf);
    if (step->answers != MOUSE_ANSWER_MANY)
        return APR_SUCCESS;
    if (run->format == MOUSE_FORMAT_CSV)
        mouse_plan_put_csv_header(step->plan, buf);
    else if (run->format == MOUSE_FORMAT_JSON)
        mouse_buf_char(buf, '[');
    return APR_SUCCESS;
}

static apr_status_t put_many(mouse_run_t *run, mouse_step_t *step, const mouse_value_t *row,
                             mouse_error_t **err)
{
    mouse_sink_t *sink = &run->answer->body;
    apr_pool_t *p = run->req->pool;
    apr_status_t rv;

    if (run->format == MOUSE_FORMAT_CSV) {
        rv = mouse_plan_put_csv(step->plan, row, &sink->buf, p, err);
    } else {
        if (step->rows > 1 && run->format == MOUSE_FORMAT_JSON)
            mouse_buf_char(&sink->buf, ',');
        rv = mouse_plan_put_object(step->plan, row, &sink->buf, p, err);
        if (run->format == MOUSE_FORMAT_NDJSON)
            mouse_buf_char(&sink->buf, '\n');
    }
    return rv == APR_SUCCESS ? mouse_sink_settle(sink, err) : rv;
}

/* A `status` column: 200..299, or NULL for what the route says. */
static apr_status_t read_status(mouse_run_t *run, mouse_step_t *step,
                                const mouse_value_t *row, mouse_error_t **err)
{
    int column = mouse_plan_status(step->plan);
    const mouse_value_t *value = column >= 0 ? &row[column] : NULL;
    int64_t status;

    if (!value || value->kind == MOUSE_VALUE_NULL)
        return APR_SUCCESS;
    status =
        value->kind == MOUSE_VALUE_INT || value->kind == MOUSE_VALUE_UINT ? value->i : 0;
    if (status < 200 || status > 299)
        return refuse_step(run, step, MOUSE_E_COLUMN, "the status column is not 200..299",
                           err);
    run->status = (int)status;
    return APR_SUCCESS;
}

static apr_status_t put_single(mouse_run_t *run, mouse_step_t *step,
                               const mouse_value_t *row, mouse_error_t **err)
{
    mouse_buf_t *buf = &run->answer->body.buf;
    apr_status_t rv;

    if (step->rows > 1)
        return APR_SUCCESS;
    if (step->answers == MOUSE_ANSWER_VALUE)
        return mouse_plan_put_value(step->plan, row, buf, run->req->pool, err);
    rv = mouse_plan_put_object(step->plan, row, buf, run->req->pool, err);
    if (rv == APR_SUCCESS && run->model->kind == MOUSE_KIND_ONE)
        rv = read_status(run, step, row, err);
    return rv;
}

apr_status_t mouse_answer_row(mouse_run_t *run, mouse_step_t *step,
                              const mouse_value_t *row, mouse_error_t **err)
{
    apr_status_t rv = step->answers == MOUSE_ANSWER_MANY ? put_many(run, step, row, err)
                                                         : put_single(run, step, row, err);

    if (rv != APR_SUCCESS && (*err)->code == MOUSE_E_COLUMN && !(*err)->log)
        (*err)->log =
            apr_psprintf(run->req->pool, "%s:%d", run->model->file, step->sql->line);
    return rv;
}

apr_status_t mouse_answer_close(mouse_run_t *run, mouse_step_t *step, mouse_error_t **err)
{
    mouse_sink_t *sink = &run->answer->body;

    if (step->answers == MOUSE_ANSWER_MANY) {
        if (run->format == MOUSE_FORMAT_JSON)
            mouse_buf_char(&sink->buf, ']');
        return mouse_sink_settle(sink, err);
    }
    if (step->rows == 0)
        mouse_buf_literal(&sink->buf, "null");
    if (step->sql->expects)
        return mouse_sink_settle(sink, err);
    if (step->rows == 0 && step->answers == MOUSE_ANSWER_ONE)
        return mouse_error_set(err, run->req->pool, MOUSE_E_NO_ROW, NULL);
    if (step->rows > 1)
        return refuse_step(run, step, MOUSE_E_MANY_ROWS, "more than one row", err);
    return mouse_sink_settle(sink, err);
}

static void name_type(mouse_run_t *run)
{
    static const char *const types[] = {
        [MOUSE_FORMAT_JSON] = "application/json",
        [MOUSE_FORMAT_NDJSON] = "application/x-ndjson",
        [MOUSE_FORMAT_CSV] = "text/csv; charset=utf-8",
    };
    mouse_answer_t *answer = run->answer;

    answer->content_type = types[run->format];
    if (run->model->kind == MOUSE_KIND_EXEC || answer->status == 204 ||
        answer->status == 205) {
        answer->content_type = NULL;
        mouse_sink_reset(&answer->body);
    }
}

static void end_body(mouse_run_t *run)
{
    mouse_buf_t *buf = &run->answer->body.buf;

    if (run->model->kind == MOUSE_KIND_AFFECTED) {
        mouse_buf_literal(buf, "{\"affected\":");
        mouse_json_put_uint(buf, run->affected);
        mouse_buf_char(buf, '}');
    }
    if (run->model->kind == MOUSE_KIND_OBJECT) {
        if (run->members == 0)
            mouse_buf_char(buf, '{');
        mouse_buf_char(buf, '}');
    }
}

apr_status_t mouse_answer_end(mouse_run_t *run, mouse_error_t **err)
{
    mouse_answer_t *answer = run->answer;

    end_body(run);
    answer->status = run->status          ? run->status
                     : run->shape->status ? run->shape->status
                                          : mouse_model_status(run->model);
    name_type(run);
    if (mouse_sink_settle(&answer->body, err) != APR_SUCCESS)
        return APR_EGENERAL;
    return mouse_vars_headers(run, err);
}
