/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The set of models, and what other rooms may ask of one. */

#include "model/parse_int.h"

#include <apr_hash.h>
#include <apr_strings.h>

mouse_models_t *mouse_models_create(apr_pool_t *p)
{
    mouse_models_t *models = apr_pcalloc(p, sizeof(*models));

    models->p = p;
    models->list = apr_array_make(p, 16, sizeof(const mouse_model_t *));
    models->index = apr_hash_make(p);
    return models;
}

apr_status_t mouse_models_parse(apr_pool_t *pconf, const char *file, const char *prefix,
                                mouse_slice_t text, mouse_dialect_t dialect,
                                mouse_models_t **models, mouse_error_t **err)
{
    *models = mouse_models_create(pconf);
    return mouse_parser_run(*models, file, prefix, text, dialect, err);
}

const mouse_model_t *mouse_model_find(const mouse_models_t *models, const char *name)
{
    return apr_hash_get(models->index, name, APR_HASH_KEY_STRING);
}

int mouse_models_count(const mouse_models_t *models)
{
    return models->list->nelts;
}

const mouse_model_t *mouse_models_get(const mouse_models_t *models, int index)
{
    return APR_ARRAY_IDX(models->list, index, const mouse_model_t *);
}

const char *mouse_model_name(const mouse_model_t *model)
{
    return model->name;
}

const char *mouse_model_file(const mouse_model_t *model)
{
    return model->file;
}

int mouse_model_line(const mouse_model_t *model)
{
    return model->line;
}

mouse_kind_t mouse_model_kind(const mouse_model_t *model)
{
    return model->kind;
}

int mouse_model_status(const mouse_model_t *model)
{
    return model->kind == MOUSE_KIND_EXEC ? 204 : 200;
}

bool mouse_model_reads(const mouse_model_t *model)
{
    return model->reads;
}

static void visit_context(const mouse_model_t *model,
                          bool (*visit)(void *, const mouse_ref_t *), void *baton)
{
    for (int i = 0; i < model->let_count; i++) {
        const mouse_let_t *let = &model->lets[i];
        const mouse_ref_t ref = {.word = let->source,
                                 .name = let->field,
                                 .line = let->line,
                                 .column = let->column};

        if (let->kind == MOUSE_LET_CONTEXT && !visit(baton, &ref))
            return;
    }
    for (int i = 0; i < model->sql_count; i++) {
        for (int k = 0; k < model->sqls[i].piece_count; k++) {
            const mouse_piece_t *piece = &model->sqls[i].pieces[k];

            if (piece->has_ref && piece->ref.kind == MOUSE_REF_CONTEXT &&
                !visit(baton, &piece->ref))
                return;
        }
    }
}

static bool is_body(void *baton, const mouse_ref_t *ref)
{
    bool *found = baton;

    *found = strcmp(ref->word, "request") == 0 && strcmp(ref->name, "body") == 0;
    return !*found;
}

bool mouse_model_takes_body(const mouse_model_t *model, bool body_method)
{
    bool found = false;

    for (int i = 0; i < model->param_count; i++) {
        if (model->params[i].source == MOUSE_FROM_BODY ||
            (model->params[i].source == MOUSE_FROM_ANY && body_method))
            return true;
    }
    visit_context(model, is_body, &found);
    return found;
}

void mouse_model_inputs(const mouse_model_t *model, apr_array_header_t *names)
{
    for (int i = 0; i < model->param_count; i++) {
        const mouse_param_t *param = &model->params[i];

        if (param->source == MOUSE_FROM_QUERY || param->source == MOUSE_FROM_BODY)
            APR_ARRAY_PUSH(names, const char *) =
                param->source_depth > 0 ? param->source_path[0] : param->name;
    }
}

static bool is_cookie(void *baton, const mouse_ref_t *ref)
{
    bool *found = baton;

    *found = strcmp(ref->word, "cookie") == 0;
    return !*found;
}

bool mouse_model_takes_cookie(const mouse_model_t *model)
{
    bool found = false;

    for (int i = 0; i < model->param_count; i++) {
        if (model->params[i].source == MOUSE_FROM_COOKIE)
            return true;
    }
    visit_context(model, is_cookie, &found);
    return found;
}

typedef struct visitor_t {
    void (*visit)(void *baton, const char *word, const char *field, int line, int column);
    void *baton;
} visitor_t;

static bool pass_on(void *baton, const mouse_ref_t *ref)
{
    const visitor_t *visitor = baton;

    visitor->visit(visitor->baton, ref->word, ref->name, ref->line, ref->column);
    return true;
}

void mouse_model_each_context(const mouse_model_t *model,
                              void (*visit)(void *baton, const char *word,
                                            const char *field, int line, int column),
                              void *baton)
{
    visitor_t visitor = {visit, baton};

    visit_context(model, pass_on, &visitor);
}

void mouse_model_each_undeclared(const mouse_model_t *model,
                                 void (*visit)(void *baton, const char *name), void *baton)
{
    for (int i = 0; i < model->let_count; i++) {
        const mouse_let_t *let = &model->lets[i];

        if (let->kind == MOUSE_LET_PARAM && let->index < 0)
            visit(baton, let->source);
    }
    for (int i = 0; i < model->sql_count; i++) {
        for (int k = 0; k < model->sqls[i].piece_count; k++) {
            const mouse_piece_t *piece = &model->sqls[i].pieces[k];

            if (piece->has_ref && piece->ref.kind == MOUSE_REF_NAME)
                visit(baton, piece->ref.word);
        }
    }
}

bool mouse_model_names_value(const mouse_model_t *model, const char *name)
{
    for (int i = 0; i < model->param_count; i++) {
        if (!model->params[i].is_array && strcmp(model->params[i].name, name) == 0)
            return true;
    }
    for (int i = 0; i < model->let_count; i++) {
        if (strcmp(model->lets[i].name, name) == 0)
            return true;
    }
    return false;
}

/* "o.id" of an `as` row, "member.id" of an object's :one member. */
static bool names_row(const mouse_model_t *model, const char *name, size_t len)
{
    for (int i = 0; i < model->sql_count; i++) {
        const mouse_sql_t *sql = &model->sqls[i];

        if (sql->as && strlen(sql->as) == len && memcmp(sql->as, name, len) == 0)
            return true;
        if (sql->member_kind == MOUSE_ANSWER_ONE && strlen(sql->member) == len &&
            memcmp(sql->member, name, len) == 0)
            return true;
    }
    return false;
}

bool mouse_model_template_name(const mouse_model_t *model, const char *name)
{
    const char *dot = strchr(name, '.');

    if (*name == '\0')
        return false;
    if (dot)
        return dot[1] != '\0' && names_row(model, name, (size_t)(dot - name));
    return model->kind == MOUSE_KIND_ONE || mouse_model_names_value(model, name);
}
