/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The text of a statement: its pieces with placeholders for values, IN lists as long as a
 * request needs them and the chosen ORDER BY terms; and the number that tells its texts
 * apart. Lists grow in powers of two, so that few texts are ever prepared.
 */

#include "model/run_int.h"

/* More than any list's number of doublings. */
#define SIZE_CLASSES 64

int64_t mouse_sqltext_padded(const mouse_param_t *param, int count)
{
    int64_t size = 1;

    if (count == 0)
        return 0;
    while (size < count)
        size *= 2;
    if (param->count.set && size > param->count.high_int && count <= param->count.high_int)
        size = param->count.high_int;
    return size;
}

/* 0: empty; else 1 + log2 of the list's size rounded up. */
static unsigned classify_size(int count)
{
    unsigned class = 1;
    int64_t size = 1;

    if (count == 0)
        return 0;
    for (; size < count; size *= 2)
        class ++;
    return class;
}

/* Appends a digit to a number of mixed radix; false when it grows beyond 64 bits. */
static bool add_digit(uint64_t *number, uint64_t radix, uint64_t digit)
{
    return !__builtin_mul_overflow(*number, radix, number) &&
           !__builtin_add_overflow(*number, digit, number) &&
           *number != MOUSE_VARIANT_OTHER;
}

uint64_t mouse_sqltext_variant(const mouse_model_t *model, const mouse_sql_t *sql,
                               const mouse_binding_t *binding)
{
    uint64_t variant = 0;
    bool numbered = true;

    if (!sql->has_order)
        return 0;
    for (int i = 0; i < sql->piece_count && numbered; i++) {
        const mouse_ref_t *ref = &sql->pieces[i].ref;

        if (!sql->pieces[i].has_ref)
            continue;
        if (ref->kind == MOUSE_REF_ORDER)
            numbered = add_digit(&variant, (uint64_t)model->orders[ref->index].count,
                                 (uint64_t)binding->choices[ref->index]);
        else if (ref->kind == MOUSE_REF_LIST)
            numbered = add_digit(&variant, SIZE_CLASSES,
                                 classify_size(binding->lists[ref->index].count));
    }
    return numbered ? variant : MOUSE_VARIANT_OTHER;
}

static void put_list(const mouse_model_t *model, int64_t size, mouse_buf_t *buf)
{
    if (size == 0 && model->dialect == MOUSE_DIALECT_SQLITE)
        mouse_buf_literal(buf, "SELECT NULL WHERE 0");
    else if (size == 0)
        mouse_buf_literal(buf, "SELECT NULL FROM DUAL WHERE FALSE");
    for (int64_t i = 0; i < size; i++)
        mouse_buf_append(buf, i > 0 ? ",?" : "?", i > 0 ? 2 : 1);
}

/* A literal of the type that this value has; unknown: where only a run tells. */
static const char *literal_for(const mouse_model_t *model, const mouse_ref_t *ref,
                               const char *unknown)
{
    static const char *const literals[] = {[MOUSE_TYPE_INT] = "1",
                                           [MOUSE_TYPE_NUMBER] = "1.5",
                                           [MOUSE_TYPE_STRING] = "'x'",
                                           [MOUSE_TYPE_BOOL] = "1",
                                           [MOUSE_TYPE_DATE] = "DATE'2000-01-01'",
                                           [MOUSE_TYPE_DATETIME] =
                                               "TIMESTAMP'2000-01-01 00:00:00'",
                                           [MOUSE_TYPE_UUID] = "'x'",
                                           [MOUSE_TYPE_JSON] = "'x'",
                                           [MOUSE_TYPE_BYTES] = "x'00'",
                                           [MOUSE_TYPE_OBJECT] = "'x'"};

    switch (ref->kind) {
    case MOUSE_REF_PARAM:
        return literals[model->params[ref->index].type];
    case MOUSE_REF_GIVEN:
        return literals[MOUSE_TYPE_BOOL];
    default:
        return unknown;
    }
}

/* unknown: see mouse_sqltext_literal; NULL: a placeholder is wanted. */
static void put_ref(const mouse_model_t *model, const mouse_ref_t *ref,
                    const mouse_binding_t *binding, const char *unknown, mouse_buf_t *buf)
{
    const mouse_order_t *order;
    int64_t size;

    switch (ref->kind) {
    case MOUSE_REF_ORDER:
        order = &model->orders[ref->index];
        mouse_buf_slice(buf,
                        mouse_slice_of(order->choices[binding->choices[ref->index]].sql));
        break;
    case MOUSE_REF_LIST:
        size = mouse_sqltext_padded(&model->params[ref->index],
                                    binding->lists[ref->index].count);
        put_list(model, size, buf);
        break;
    default:
        mouse_buf_slice(buf,
                        mouse_slice_of(unknown ? literal_for(model, ref, unknown) : "?"));
    }
}

static mouse_slice_t write_text(apr_pool_t *p, const mouse_model_t *model,
                                const mouse_sql_t *sql, const mouse_binding_t *binding,
                                const char *unknown)
{
    mouse_buf_t *buf = apr_palloc(p, sizeof(*buf));

    mouse_buf_init(buf, p, 1024);
    for (int i = 0; i < sql->piece_count; i++) {
        mouse_buf_slice(buf, sql->pieces[i].text);
        if (sql->pieces[i].has_ref)
            put_ref(model, &sql->pieces[i].ref, binding, unknown, buf);
    }
    return (mouse_slice_t){buf->data, buf->len};
}

mouse_slice_t mouse_sqltext_build(apr_pool_t *p, const mouse_model_t *model,
                                  const mouse_sql_t *sql, const mouse_binding_t *binding)
{
    return write_text(p, model, sql, binding, NULL);
}

void mouse_sqltext_sample_binding(apr_pool_t *p, const mouse_model_t *model,
                                  mouse_binding_t *binding)
{
    binding->choices = apr_pcalloc(p, sizeof(int) * (size_t)(model->order_count + 1));
    binding->lists =
        apr_pcalloc(p, sizeof(*binding->lists) * (size_t)(model->param_count + 1));
    for (int i = 0; i < model->param_count; i++)
        binding->lists[i].count = 1;
}

mouse_slice_t mouse_sqltext_sample(apr_pool_t *p, const mouse_model_t *model,
                                   const mouse_sql_t *sql)
{
    mouse_binding_t binding = {0};

    mouse_sqltext_sample_binding(p, model, &binding);
    return mouse_sqltext_build(p, model, sql, &binding);
}

mouse_slice_t mouse_sqltext_literal(apr_pool_t *p, const mouse_model_t *model,
                                    const mouse_sql_t *sql, const char *unknown)
{
    mouse_binding_t binding = {0};

    mouse_sqltext_sample_binding(p, model, &binding);
    return write_text(p, model, sql, &binding, unknown);
}

int64_t mouse_sqltext_count(const mouse_model_t *model, const mouse_sql_t *sql,
                            const mouse_binding_t *binding)
{
    int64_t count = 0;

    for (int i = 0; i < sql->piece_count; i++) {
        const mouse_ref_t *ref = &sql->pieces[i].ref;

        if (!sql->pieces[i].has_ref || ref->kind == MOUSE_REF_ORDER)
            continue;
        if (ref->kind == MOUSE_REF_LIST)
            count += mouse_sqltext_padded(&model->params[ref->index],
                                          binding->lists[ref->index].count);
        else
            count++;
    }
    return count;
}
