/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Any bytes as a model file, in both dialects. What parses is joined again from its pieces
 * and scanned once more: the same references must be there, and no comment - or what the
 * database reads is not what was checked.
 */
#include "model/parse_int.h"

#include <stdlib.h>

#include <apr_general.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mouse_slice_t join(apr_pool_t *p, const mouse_sql_t *sql, int *refs)
{
    mouse_buf_t *buf = apr_palloc(p, sizeof(*buf)); /* freed with p */
    int i;

    mouse_buf_init(buf, p, 256);
    *refs = 0;
    for (i = 0; i < sql->piece_count; i++) {
        mouse_buf_slice(buf, sql->pieces[i].text);
        if (sql->pieces[i].has_ref) {
            mouse_buf_literal(buf, ":p");
            ++*refs;
        }
    }
    return (mouse_slice_t){buf->data, buf->len};
}

static void scan_again(apr_pool_t *p, const mouse_model_t *model, const mouse_sql_t *sql)
{
    mouse_error_t *err = NULL;
    mouse_scanner_t scanner;
    mouse_token_t token;
    int refs;

    mouse_scanner_init(&scanner, p, "again", join(p, sql, &refs), model->dialect, &err);
    do {
        if (mouse_scanner_next(&scanner, &token) != APR_SUCCESS ||
            token.kind == MOUSE_TOKEN_COMMENT)
            abort();
        refs -= token.kind == MOUSE_TOKEN_REF;
    } while (token.kind != MOUSE_TOKEN_END);
    if (refs != 0)
        abort();
}

static void bind_all(apr_pool_t *p, const mouse_model_t *model)
{
    static const char *const names[] = {"id", "n"};
    const mouse_model_t *bound;
    mouse_error_t *err = NULL;
    bool used[2];

    (void)!mouse_model_bind(p, model, names, NULL, 2, true, used, &bound, &err);
    (void)!mouse_model_bind(p, model, NULL, NULL, 0, false, used, &bound, &err);
}

static void parse(mouse_slice_t text, mouse_dialect_t dialect)
{
    mouse_models_t *models;
    mouse_error_t *err = NULL;
    apr_pool_t *p;
    int i, k;

    apr_pool_create(&p, NULL);
    if (mouse_models_parse(p, "fuzz.sql", "fuzz", text, dialect, &models, &err) !=
        APR_SUCCESS) {
        if (err == NULL || err->detail == NULL)
            abort();
    } else {
        for (i = 0; i < mouse_models_count(models); i++) {
            const mouse_model_t *model = mouse_models_get(models, i);

            for (k = 0; k < model->sql_count; k++)
                scan_again(p, model, &model->sqls[k]);
            bind_all(p, model);
        }
    }
    apr_pool_destroy(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mouse_slice_t text = {(const char *)data, size};

    apr_initialize();
    parse(text, MOUSE_DIALECT_MYSQL);
    parse(text, MOUSE_DIALECT_SQLITE);
    apr_terminate();
    return 0;
}
