/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The values a statement runs with: parameters, elements of arrays, server values, context,
 * and what statements above it left behind.
 */

#include "model/run_int.h"

#include <apr_strings.h>

void mouse_kept_row(mouse_run_t *run, mouse_step_t *step, const mouse_value_t *row)
{
    mouse_kept_t *kept = &run->kept[step->index];
    const mouse_column_t *columns = mouse_stmt_columns(step->stmt, &kept->count);

    kept->found = true;
    kept->names = apr_palloc(run->pool, sizeof(*kept->names) * (size_t)kept->count);
    kept->values = apr_palloc(run->pool, sizeof(*kept->values) * (size_t)kept->count);
    for (int i = 0; i < kept->count; i++) {
        kept->names[i] = mouse_slice_copy(run->pool, columns[i].name);
        kept->values[i] = mouse_value_copy(run->pool, &row[i]);
    }
}

apr_status_t mouse_kept_value(const mouse_kept_t *kept, const char *name,
                              mouse_value_t *value)
{
    *value = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    for (int i = 0; i < kept->count; i++) {
        if (strcmp(kept->names[i], name) == 0) {
            *value = kept->values[i];
            return APR_SUCCESS;
        }
    }
    if (strcmp(name, "affected") == 0) {
        *value = (mouse_value_t){.kind = MOUSE_VALUE_UINT, .u = kept->affected};
        return APR_SUCCESS;
    }
    if (strcmp(name, "insert_id") == 0) {
        if (kept->has_insert_id)
            *value = (mouse_value_t){.kind = MOUSE_VALUE_UINT, .u = kept->insert_id};
        return APR_SUCCESS;
    }
    return kept->found ? APR_NOTFOUND : APR_SUCCESS;
}

static apr_status_t read_kept(mouse_run_t *run, const mouse_ref_t *ref,
                              mouse_value_t *value, mouse_error_t **err)
{
    if (mouse_kept_value(&run->kept[ref->index], ref->name, value) == APR_SUCCESS)
        return APR_SUCCESS;
    mouse_error_set(err, run->req->pool, MOUSE_E_CONTEXT, NULL);
    (*err)->log =
        apr_psprintf(run->req->pool, "%s:%d:%d: no column \"%s\" in the row \"%s\"",
                     run->model->file, ref->line, ref->column, ref->name, ref->word);
    return APR_EGENERAL;
}

/* One value of a list of rows, or of a list of scalars. */
static mouse_value_t pick_element(const mouse_run_t *run, const mouse_ref_t *ref,
                                  int element)
{
    const mouse_list_t *list = &run->binding->lists[ref->index];
    int width = run->model->params[ref->index].field_count;

    if (ref->kind == MOUSE_REF_FIELD)
        return list->values[(size_t)element * (size_t)width + (size_t)ref->field];
    return list->values[element];
}

/* Repeats the last value, never NULL: NOT IN must not become unknown. */
static int fill_list(const mouse_run_t *run, const mouse_ref_t *ref, mouse_value_t *values)
{
    const mouse_list_t *list = &run->binding->lists[ref->index];
    int i, size = (int)mouse_sqltext_padded(&run->model->params[ref->index], list->count);

    for (i = 0; i < size; i++)
        values[i] = list->values[i < list->count ? i : list->count - 1];
    return size;
}

static apr_status_t fill_one(mouse_run_t *run, const mouse_ref_t *ref, int element,
                             mouse_value_t *value, mouse_error_t **err)
{
    const mouse_binding_t *binding = run->binding;

    switch (ref->kind) {
    case MOUSE_REF_PARAM:
        *value = binding->params[ref->index];
        return APR_SUCCESS;
    case MOUSE_REF_FIELD:
    case MOUSE_REF_ELEMENT:
        *value = pick_element(run, ref, element);
        return APR_SUCCESS;
    case MOUSE_REF_LET:
        *value = binding->lets[ref->index];
        return APR_SUCCESS;
    case MOUSE_REF_GIVEN:
        *value = (mouse_value_t){.kind = MOUSE_VALUE_BOOL, .i = binding->given[ref->index]};
        return APR_SUCCESS;
    case MOUSE_REF_AS:
        return read_kept(run, ref, value, err);
    case MOUSE_REF_CONTEXT:
        return mouse_request_value(run->req, ref->word, ref->name, value, err);
    default:
        return mouse_error_set(err, run->req->pool, MOUSE_E_INTERNAL, NULL);
    }
}

apr_status_t mouse_values_fill(mouse_run_t *run, mouse_step_t *step, int element,
                               mouse_error_t **err)
{
    const mouse_sql_t *sql = step->sql;
    apr_status_t rv;
    int at = 0;

    for (int i = 0; i < sql->piece_count; i++) {
        const mouse_ref_t *ref = &sql->pieces[i].ref;

        if (!sql->pieces[i].has_ref || ref->kind == MOUSE_REF_ORDER)
            continue;
        if (ref->kind == MOUSE_REF_LIST) {
            at += fill_list(run, ref, step->values + at);
            continue;
        }
        rv = fill_one(run, ref, element, &step->values[at++], err);
        if (rv != APR_SUCCESS)
            return rv;
    }
    return APR_SUCCESS;
}
