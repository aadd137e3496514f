/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The rules that concern a model as a whole, once its last statement is in. */

#include "model/parse_int.h"

static apr_status_t fail_sql(mouse_draft_t *draft, const mouse_sql_t *sql, const char *why)
{
    return mouse_draft_fail(draft, sql->line, sql->column, "%s", why);
}

static bool gives_rows(const mouse_sql_t *sql)
{
    return sql->returns_rows || sql->may_return_rows;
}

static apr_status_t check_object(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;
    int members = 0;

    for (int i = 0; i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        members += sql->member != NULL;
        if (sql->member && !gives_rows(sql))
            return fail_sql(draft, sql,
                            "an 'answer' needs rows, and this statement returns "
                            "none: add RETURNING, or move 'answer'");
        if (sql->member && sql->each >= 0)
            return fail_sql(draft, sql, "'answer' and 'each' exclude each other");
    }
    if (members == 0)
        return mouse_draft_fail(
            draft, model->line, 1,
            "an :object needs a member: '-- answer: NAME :one' before a "
            "statement");
    return APR_SUCCESS;
}

static apr_status_t check_last(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;
    const mouse_sql_t *last = &model->sqls[model->sql_count - 1];
    bool counts = model->kind == MOUSE_KIND_EXEC || model->kind == MOUSE_KIND_AFFECTED;

    if (model->kind == MOUSE_KIND_OBJECT)
        return last->each < 0 ? APR_SUCCESS
                              : fail_sql(draft, last, "the last statement takes no 'each'");
    if (!counts && last->each >= 0)
        return fail_sql(draft, last,
                        "the last statement answers and takes no 'each': add the "
                        "SELECT that answers, or make the model :exec");
    if (!counts && !gives_rows(last))
        return fail_sql(draft, last,
                        "the last statement answers, and this one returns no "
                        "rows: add RETURNING or a SELECT, or make the model "
                        ":exec");
    if (model->kind == MOUSE_KIND_AFFECTED && last->verb == MOUSE_VERB_SELECT)
        return fail_sql(draft, last,
                        "an :affected model ends in a statement that changes "
                        "rows");
    return APR_SUCCESS;
}

static apr_status_t check_statements(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;
    apr_status_t rv = check_last(draft);

    for (int i = 0; rv == APR_SUCCESS && i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        if (sql->as && sql->each >= 0)
            return fail_sql(draft, sql,
                            "'as' and 'each' exclude each other: 'as' keeps one "
                            "row");
    }
    if (rv == APR_SUCCESS && model->kind == MOUSE_KIND_OBJECT)
        rv = check_object(draft);
    return rv;
}

/* ---- references that only the whole model can judge ---- */

static apr_status_t check_ref(mouse_draft_t *draft, const mouse_ref_t *ref)
{
    if (ref->kind == MOUSE_REF_CONTEXT && mouse_draft_as(draft, ref->word) >= 0)
        return mouse_draft_fail(draft, ref->line, ref->column,
                                "'%s' is the row of a later statement: use it below that",
                                ref->word);
    return APR_SUCCESS;
}

static apr_status_t check_refs(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;
    apr_status_t rv = APR_SUCCESS;

    for (int i = 0; i < model->sql_count; i++) {
        for (int k = 0; rv == APR_SUCCESS && k < model->sqls[i].piece_count; k++) {
            if (model->sqls[i].pieces[k].has_ref)
                rv = check_ref(draft, &model->sqls[i].pieces[k].ref);
        }
    }
    return rv;
}

static bool ref_uses(const mouse_ref_t *ref, const mouse_param_t *param, int index,
                     int field)
{
    switch (ref->kind) {
    case MOUSE_REF_PARAM:
    case MOUSE_REF_LIST:
    case MOUSE_REF_GIVEN:
    case MOUSE_REF_ELEMENT:
        return field < 0 && ref->index == index;
    case MOUSE_REF_FIELD:
        return ref->index == index && (field < 0 || ref->field == field);
    case MOUSE_REF_ORDER:
        return ref->index == param->order;
    case MOUSE_REF_NAME:
    case MOUSE_REF_LET:
    case MOUSE_REF_AS:
    case MOUSE_REF_CONTEXT:
        break;
    }
    return false;
}

static bool used(const mouse_model_t *model, int index, int field)
{
    for (int i = 0; i < model->let_count; i++) {
        if (field < 0 && model->lets[i].kind == MOUSE_LET_PARAM &&
            model->lets[i].index == index)
            return true;
    }
    for (int i = 0; i < model->sql_count; i++) {
        for (int k = 0; k < model->sqls[i].piece_count; k++) {
            if (model->sqls[i].pieces[k].has_ref &&
                ref_uses(&model->sqls[i].pieces[k].ref, &model->params[index], index,
                         field))
                return true;
        }
    }
    return false;
}

static apr_status_t check_used(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;

    for (int i = 0; i < model->param_count; i++) {
        const mouse_param_t *param = &model->params[i];

        if (!used(model, i, -1))
            return mouse_draft_fail(
                draft, param->line, param->column,
                "nothing uses '%s': write :%s in a statement, or drop the "
                "declaration",
                param->name, param->name);
        for (int k = 0; k < param->field_count; k++) {
            if (!used(model, i, k))
                return mouse_draft_fail(draft, param->fields[k].line,
                                        param->fields[k].column,
                                        "nothing uses '%s[].%s': write it in an 'each' "
                                        "statement, or drop the declaration",
                                        param->name, param->fields[k].name);
        }
    }
    return APR_SUCCESS;
}

static apr_status_t check_rules(mouse_draft_t *draft)
{
    const mouse_model_t *model = draft->model;
    int k;

    for (int i = 0; i < model->rule_count; i++) {
        const mouse_column_rule_t *rule = &model->rules[i];

        for (k = 0; rule->member && k < model->sql_count; k++) {
            if (model->sqls[k].member && strcmp(model->sqls[k].member, rule->member) == 0)
                break;
        }
        if (rule->member && k == model->sql_count)
            return mouse_draft_fail(draft, rule->line, rule->column,
                                    "no 'answer' makes a member '%s'", rule->member);
    }
    return APR_SUCCESS;
}

static void conclude(mouse_model_t *model)
{
    const mouse_sql_t *only = &model->sqls[0];

    model->reads = true;
    for (int i = 0; i < model->sql_count; i++)
        model->reads = model->reads && model->sqls[i].reads;
    model->answering = model->kind == MOUSE_KIND_OBJECT ? -1 : model->sql_count - 1;
    model->autocommit =
        model->sql_count == 1 &&
        (model->kind == MOUSE_KIND_EXEC || model->kind == MOUSE_KIND_AFFECTED) &&
        !only->expects && only->each < 0 && only->verb != MOUSE_VERB_CALL &&
        only->verb != MOUSE_VERB_COMPOUND;
}

apr_status_t mouse_finish(mouse_draft_t *draft)
{
    mouse_model_t *model = draft->model;
    apr_status_t rv;

    mouse_draft_settle(draft);
    if (draft->pending)
        return mouse_draft_fail(draft, model->line, 1,
                                "code comments at the end of '%s' belong to no statement: "
                                "write the statement below them",
                                model->name);
    if (model->sql_count == 0)
        return mouse_draft_fail(draft, model->line, 1,
                                "'%s' has no statement: write it below the comments",
                                model->name);
    rv = check_statements(draft);
    if (rv == APR_SUCCESS)
        rv = check_refs(draft);
    if (rv == APR_SUCCESS)
        rv = check_rules(draft);
    if (rv == APR_SUCCESS)
        rv = check_used(draft);
    if (rv == APR_SUCCESS)
        conclude(model);
    return rv;
}
