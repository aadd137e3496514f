/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What makes two requests of a route with `coalesce` the same: all that the run reads of
 * its request, as one string of bytes. Which values those are is settled with the
 * configuration, and which can never be the same is refused there.
 */

#include "model/run_int.h"

#include <apr_strings.h>

/* A value of the context that the route's model or templates read. */
typedef struct coalesce_ref_t {
    const char *word, *field;
} coalesce_ref_t;

/* ---- the configuration's half ---- */

typedef struct collector_t {
    apr_pool_t *pconf;
    apr_array_header_t *refs;
    const char *unique; /* a value that no two requests share, or NULL */
} collector_t;

/* By name: `random` in all its forms, the request's id, the clock's milliseconds. */
static bool is_unique(const char *word, const char *field)
{
    return strcmp(word, "random") == 0 ||
           (strcmp(word, "request") == 0 && strcmp(field, "id") == 0) ||
           (strcmp(word, "now") == 0 && strcmp(field, "ms") == 0);
}

static void add_ref(collector_t *collector, const char *word, const char *field)
{
    if (is_unique(word, field))
        collector->unique = apr_pstrcat(collector->pconf, word, ".", field, NULL);
    APR_ARRAY_PUSH(collector->refs, coalesce_ref_t) = (coalesce_ref_t){word, field};
}

static void visit_context(void *baton, const char *word, const char *field, int line,
                          int column)
{
    (void)line;
    (void)column;
    add_ref(baton, word, field);
}

static bool is_salted(mouse_hash_t hash)
{
    return hash == MOUSE_HASH_BCRYPT || hash == MOUSE_HASH_YESCRYPT;
}

static void visit_values(collector_t *collector, const mouse_model_t *model)
{
    for (int i = 0; i < model->param_count; i++) {
        if (is_salted(model->params[i].hash))
            collector->unique = model->params[i].name;
    }
    for (int i = 0; i < model->let_count; i++) {
        const mouse_let_t *let = &model->lets[i];

        if (let->kind == MOUSE_LET_HEX32 || let->kind == MOUSE_LET_UUID ||
            let->kind == MOUSE_LET_NOW_MS || is_salted(let->hash))
            collector->unique = let->name;
    }
}

/* What a template names with a dot is a row of the model's, or context. */
static void visit_template(collector_t *collector, const mouse_model_t *model,
                           const mouse_template_t *tpl)
{
    int count;
    const char *const *names = mouse_template_names(tpl, &count);

    for (int i = 0; i < count; i++) {
        const char *dot = strchr(names[i], '.');

        if (dot && !mouse_model_template_name(model, names[i]))
            add_ref(collector,
                    apr_pstrmemdup(collector->pconf, names[i], (size_t)(dot - names[i])),
                    dot + 1);
    }
}

apr_status_t mouse_coalesce_create(apr_pool_t *pconf, const mouse_model_t *model,
                                   const mouse_shape_t *shape,
                                   mouse_flights_t *const *flights,
                                   const mouse_coalesce_t **result, mouse_error_t **err)
{
    collector_t collector = {pconf, apr_array_make(pconf, 4, sizeof(coalesce_ref_t)), NULL};
    mouse_coalesce_t *coalesce = apr_pcalloc(pconf, sizeof(*coalesce));

    if (shape->idempotent)
        return mouse_error_set(err, pconf, MOUSE_E_CONFIG,
                               "coalesce and idempotent= exclude each other");
    if (!model->reads)
        return mouse_error_set(err, pconf, MOUSE_E_CONFIG,
                               "coalesce is for models that only read");
    visit_values(&collector, model);
    mouse_model_each_context(model, visit_context, &collector);
    for (int i = 0; i < shape->header_count; i++)
        visit_template(&collector, model, shape->headers[i].value);
    if (collector.unique)
        return mouse_error_set(err, pconf, MOUSE_E_CONFIG,
                               "coalesce would share nothing: %s differs from request to "
                               "request",
                               collector.unique);
    coalesce->flights = flights;
    coalesce->refs = collector.refs;
    *result = coalesce;
    return APR_SUCCESS;
}

/* ---- the key ---- */

static void put_bytes(mouse_buf_t *key, const void *data, size_t len)
{
    mouse_buf_append(key, data, len);
}

static void put_text(mouse_buf_t *key, mouse_slice_t text)
{
    put_bytes(key, &text.len, sizeof(text.len));
    mouse_buf_slice(key, text);
}

/* Field by field: what lies between them is not the value's. */
static void put_calendar(mouse_buf_t *key, const mouse_calendar_t *t)
{
    const uint32_t fields[] = {t->year,   t->month,    t->day,      t->hour, t->minute,
                               t->second, t->negative, t->decimals, t->usec};

    put_bytes(key, fields, sizeof(fields));
}

static void put_value(mouse_buf_t *key, const mouse_value_t *value)
{
    mouse_buf_char(key, (char)value->kind);
    switch (value->kind) {
    case MOUSE_VALUE_NULL:
        break;
    case MOUSE_VALUE_BOOL:
    case MOUSE_VALUE_INT:
    case MOUSE_VALUE_UINT:
        put_bytes(key, &value->u, sizeof(value->u));
        break;
    case MOUSE_VALUE_FLOAT:
    case MOUSE_VALUE_DOUBLE:
        put_bytes(key, &value->d, sizeof(value->d));
        break;
    case MOUSE_VALUE_DATE:
    case MOUSE_VALUE_DATETIME:
    case MOUSE_VALUE_TIME:
        put_calendar(key, &value->t);
        break;
    default:
        put_text(key, value->text);
    }
}

static void put_list(mouse_buf_t *key, const mouse_param_t *param, const mouse_list_t *list)
{
    int width = param->field_count > 0 ? param->field_count : 1;

    put_bytes(key, &list->count, sizeof(list->count));
    for (int i = 0; i < list->count * width; i++)
        put_value(key, &list->values[i]);
}

static void put_binding(mouse_buf_t *key, const mouse_model_t *model,
                        const mouse_binding_t *binding)
{
    for (int i = 0; i < model->param_count; i++) {
        mouse_buf_char(key, (char)binding->given[i]);
        if (model->params[i].is_array)
            put_list(key, &model->params[i], &binding->lists[i]);
        else if (model->params[i].order < 0)
            put_value(key, &binding->params[i]);
    }
    for (int i = 0; i < model->order_count; i++)
        put_bytes(key, &binding->choices[i], sizeof(binding->choices[i]));
    for (int i = 0; i < model->let_count; i++)
        put_value(key, &binding->lets[i]);
}

/* The shape's address stands for the route of one virtual host: model, templates, database
 * and settings follow from it. */
apr_status_t mouse_coalesce_key(const mouse_run_t *run, mouse_slice_t *result,
                                mouse_error_t **err)
{
    mouse_request_t *req = run->req;
    const apr_array_header_t *refs = run->shape->coalesce->refs;
    mouse_buf_t *key = apr_palloc(req->pool, sizeof(*key));
    apr_status_t rv;

    mouse_buf_init(key, req->pool, 0);
    put_bytes(key, &run->shape, sizeof(run->shape));
    put_bytes(key, &run->format, sizeof(run->format));
    put_binding(key, run->model, run->binding);
    for (int i = 0; i < refs->nelts; i++) {
        const coalesce_ref_t *ref = &APR_ARRAY_IDX(refs, i, coalesce_ref_t);
        mouse_value_t value = {.kind = MOUSE_VALUE_NULL};

        rv = mouse_request_value(req, ref->word, ref->field, &value, err);
        if (rv != APR_SUCCESS)
            return rv;
        put_value(key, &value);
    }
    for (int i = 0; run->shape->header_count > 0 && i < req->path_count; i++)
        put_text(key, req->path_values[i].value);
    *result = (mouse_slice_t){key->data, key->len};
    return APR_SUCCESS;
}
