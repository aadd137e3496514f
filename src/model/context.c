/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What a request knows by name: its path's parameters, and `word.field` - built-in words
 * and guards' values. */

#include "model/model_int.h"

#include <apr_strings.h>

typedef apr_status_t (*word_fn)(mouse_request_t *req, const char *field,
                                mouse_value_t *value, mouse_error_t **err);

bool mouse_request_path(const mouse_request_t *req, const char *name, mouse_slice_t *text)
{
    for (int i = 0; i < req->path_count; i++) {
        if (strcmp(req->path_values[i].name, name) == 0) {
            *text = req->path_values[i].value;
            return true;
        }
    }
    return false;
}

/* A string value; NULL gives SQL's NULL. */
static void set_string(mouse_value_t *value, const char *text)
{
    value->kind = text ? MOUSE_VALUE_STRING : MOUSE_VALUE_NULL;
    value->text = mouse_slice_of(text);
}

static apr_status_t get_body(mouse_request_t *req, mouse_value_t *value,
                             mouse_error_t **err)
{
    apr_status_t rv = req->host->body(req->baton, req->input->max_body, &value->text, err);

    value->kind = MOUSE_VALUE_STRING;
    return rv;
}

static apr_status_t get_request(mouse_request_t *req, const char *field,
                                mouse_value_t *value, mouse_error_t **err)
{
    if (strcmp(field, "body") == 0)
        return get_body(req, value, err);
    if (strcmp(field, "ip") == 0)
        set_string(value, req->host->ip(req->baton));
    else if (strcmp(field, "user") == 0)
        set_string(value, req->host->user(req->baton));
    else if (strcmp(field, "id") == 0)
        set_string(value, req->host->id(req->baton));
    else if (strcmp(field, "method") == 0)
        set_string(value, req->method);
    else
        set_string(value, req->path);
    return APR_SUCCESS;
}

static apr_status_t get_now(mouse_request_t *req, const char *field, mouse_value_t *value,
                            mouse_error_t **err)
{
    (void)err;
    value->kind = MOUSE_VALUE_INT;
    value->i =
        strcmp(field, "ms") == 0 ? apr_time_as_msec(req->now) : apr_time_sec(req->now);
    return APR_SUCCESS;
}

static apr_status_t get_random(mouse_request_t *req, const char *field,
                               mouse_value_t *value, mouse_error_t **err)
{
    (void)err;
    set_string(value, strcmp(field, "uuid") == 0 ? mouse_random_uuid(req->pool)
                                                 : mouse_random_hex32(req->pool));
    return APR_SUCCESS;
}

static apr_status_t get_env(mouse_request_t *req, const char *field, mouse_value_t *value,
                            mouse_error_t **err)
{
    (void)err;
    set_string(value, req->host->env(req->baton, field));
    return APR_SUCCESS;
}

static apr_status_t get_header(mouse_request_t *req, const char *field,
                               mouse_value_t *value, mouse_error_t **err)
{
    (void)err;
    set_string(value, mouse_inputs_header(req, field));
    return APR_SUCCESS;
}

static apr_status_t get_cookie(mouse_request_t *req, const char *field,
                               mouse_value_t *value, mouse_error_t **err)
{
    const mouse_slice_t *text = mouse_inputs_cookie(req, field);

    (void)err;
    value->kind = text ? MOUSE_VALUE_STRING : MOUSE_VALUE_NULL;
    if (text)
        value->text = *text;
    return APR_SUCCESS;
}

static const struct {
    const char *word;
    word_fn get;
} words[] = {
    {"request", get_request}, {"now", get_now},       {"random", get_random},
    {"env", get_env},         {"header", get_header}, {"cookie", get_cookie},
};

mouse_context_t *mouse_context_of(const apr_array_header_t *contexts, const char *guard)
{
    for (int i = 0; i < contexts->nelts; i++) {
        mouse_context_t *context = &APR_ARRAY_IDX(contexts, i, mouse_context_t);

        if (strcmp(context->guard, guard) == 0)
            return context;
    }
    return NULL;
}

const mouse_value_t *mouse_context_find(const mouse_context_t *context, const char *field)
{
    for (int i = 0; i < context->count; i++) {
        if (strcmp(context->names[i], field) == 0)
            return &context->values[i];
    }
    return NULL;
}

/* Who gives context by hand may hear what is missing. */
static apr_status_t fail_given(const mouse_request_t *req, const char *guard,
                               const char *field, mouse_error_t **err)
{
    return mouse_error_set(err, req->pool, MOUSE_E_BAD_REQUEST,
                           "%s.%s is read: give it, too.", guard, field);
}

static apr_status_t get_guard_field(mouse_request_t *req, const mouse_context_t *context,
                                    const char *field, mouse_value_t *value,
                                    mouse_error_t **err)
{
    const mouse_value_t *found =
        context->missed ? NULL : mouse_context_find(context, field);

    *value = found ? *found : (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (found || context->missed || context->open)
        return APR_SUCCESS;
    if (context->given)
        return fail_given(req, context->guard, field, err);
    mouse_error_set(err, req->pool, MOUSE_E_CONTEXT, NULL);
    (*err)->log = apr_psprintf(req->pool, "guard \"%s\" gives no field \"%s\"",
                               context->guard, field);
    return APR_EGENERAL;
}

apr_status_t mouse_request_value(mouse_request_t *req, const char *word, const char *field,
                                 mouse_value_t *value, mouse_error_t **err)
{
    const mouse_context_t *context;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].word, word) == 0)
            return words[i].get(req, field, value, err);
    }
    context = req->context ? mouse_context_of(req->context, word) : NULL;
    if (context)
        return get_guard_field(req, context, field, value, err);
    if (req->given)
        return fail_given(req, word, field, err);
    mouse_error_set(err, req->pool, MOUSE_E_CONTEXT, NULL);
    (*err)->log = apr_psprintf(req->pool, "no guard \"%s\" ran", word);
    return APR_EGENERAL;
}

apr_status_t mouse_request_dotted(mouse_request_t *req, const char *name,
                                  mouse_value_t *value, mouse_error_t **err)
{
    size_t len = strcspn(name, ".");

    return mouse_request_value(req, apr_pstrmemdup(req->pool, name, len), name + len + 1,
                               value, err);
}

apr_status_t mouse_template_request(void *baton, const char *name, mouse_value_t *value,
                                    mouse_error_t **err)
{
    mouse_request_t *req = baton;

    if (strchr(name, '.'))
        return mouse_request_dotted(req, name, value, err);
    *value = (mouse_value_t){.kind = MOUSE_VALUE_STRING};
    return mouse_request_path(req, name, &value->text) ? APR_SUCCESS : APR_NOTFOUND;
}
