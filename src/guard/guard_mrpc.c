/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `mrpc key=secret|token|any [secret-file=FILE] [token=MODEL] [seeds=MODEL] [window=TIME]`:
 * opens the signed envelope of mouse-php's clients.
 *
 * Checked in this order: its form (400), its timestamp (403), its signature (401), whether
 * the seed is new (403), whether the session has expired (419, with key=token). Behind the
 * guard the members of `data` are the body's parameters. `seal` lets an envelope around the
 * answer be signed with the same key.
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

typedef enum { KEY_SECRET, KEY_TOKEN, KEY_ANY } which_key_t;

/* A model and where its database will be. */
typedef struct query_t {
    const mouse_model_t *model;
    mouse_db_t *const *slot;
} query_t;

typedef struct mrpc_t {
    const char *name;
    which_key_t key;
    mouse_slice_t secret; /* data NULL: none */
    query_t token, seeds; /* model NULL: none */
    apr_interval_time_t window;
} mrpc_t;

/* ---- at start ---- */

static apr_status_t read_key(const mouse_guard_setup_t *setup, const char *text,
                             which_key_t *key, mouse_error_t **err)
{
    static const char *const words[] = {
        [KEY_SECRET] = "secret", [KEY_TOKEN] = "token", [KEY_ANY] = "any"};

    for (int i = 0; text && i <= KEY_ANY; i++) {
        if (strcmp(words[i], text) == 0) {
            *key = (which_key_t)i;
            return APR_SUCCESS;
        }
    }
    return mouse_guard_refuse(setup, err, "mrpc needs key=secret, key=token or key=any");
}

static apr_status_t read_secret(const mouse_guard_setup_t *setup, const char *file,
                                mrpc_t *mrpc, mouse_error_t **err)
{
    const mouse_slice_t *keys;
    int count = 0;
    apr_status_t rv;

    if (mrpc->key == KEY_TOKEN && !file)
        return APR_SUCCESS;
    if (!file)
        return mouse_guard_refuse(setup, err,
                                  "this key= needs secret-file=, which every client knows");
    rv = mouse_guard_keys(setup, file, &keys, &count, err);
    if (rv == APR_SUCCESS && count != 1)
        return mouse_guard_refuse(setup, err, "%s must hold one secret", file);
    if (rv == APR_SUCCESS)
        mrpc->secret = keys[0];
    return rv;
}

static apr_status_t find_query(const mouse_guard_setup_t *setup, const char *name,
                               query_t *query, mouse_error_t **err)
{
    if (!name)
        return APR_SUCCESS;
    query->model = setup->model(setup->baton, name, &query->slot);
    if (query->model)
        return APR_SUCCESS;
    return mouse_guard_refuse(setup, err, "there is no model \"%s\"", name);
}

static apr_status_t check_queries(const mouse_guard_setup_t *setup, const mrpc_t *mrpc,
                                  mouse_error_t **err)
{
    const mouse_model_t *token = mrpc->token.model, *seeds = mrpc->seeds.model;

    if (mrpc->key != KEY_SECRET && !(token && seeds))
        return mouse_guard_refuse(setup, err,
                                  "this key= needs token=MODEL, which gives a user's "
                                  "token, and seeds=MODEL, which keeps each seed");
    if (token && mouse_model_kind(token) != MOUSE_KIND_ONE)
        return mouse_guard_refuse(setup, err, "token= needs a :one model");
    if (seeds && (mouse_model_kind(seeds) != MOUSE_KIND_EXEC || mouse_model_reads(seeds)))
        return mouse_guard_refuse(setup, err, "seeds= needs an :exec model that writes");
    return APR_SUCCESS;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    mrpc_t *mrpc = apr_pcalloc(setup->pconf, sizeof(*mrpc));
    const char *key = NULL, *file = NULL, *token = NULL, *seeds = NULL, *window = NULL;
    const mouse_guard_option_t options[] = {{"key=", &key},       {"secret-file=", &file},
                                            {"token=", &token},   {"seeds=", &seeds},
                                            {"window=", &window}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    *config = mrpc;
    mrpc->name = apr_pstrdup(setup->pconf, setup->name);
    mrpc->window = apr_time_from_sec(300);
    if (rv == APR_SUCCESS && window &&
        mouse_parse_duration(window, &mrpc->window) != APR_SUCCESS)
        rv = mouse_guard_refuse(setup, err, "window=%s is no time: write 300s or 5m",
                                window);
    if (rv == APR_SUCCESS)
        rv = read_key(setup, key, &mrpc->key, err);
    if (rv == APR_SUCCESS)
        rv = read_secret(setup, file, mrpc, err);
    if (rv == APR_SUCCESS)
        rv = find_query(setup, token, &mrpc->token, err);
    if (rv == APR_SUCCESS)
        rv = find_query(setup, seeds, &mrpc->seeds, err);
    return rv == APR_SUCCESS ? check_queries(setup, mrpc, err) : rv;
}

/* Names of the path stay the action's: an envelope has its own. */
static apr_status_t bind_query(apr_pool_t *pconf, query_t *query, mouse_error_t **err)
{
    if (!query->model)
        return APR_SUCCESS;
    return mouse_model_bind(pconf, query->model, NULL, NULL, 0, true, NULL, &query->model,
                            err);
}

static apr_status_t tie(apr_pool_t *pconf, const void *config,
                        const mouse_guard_route_t *route, const void **bound,
                        mouse_error_t **err)
{
    mrpc_t *tied = apr_pmemdup(pconf, config, sizeof(*tied));
    apr_status_t rv = bind_query(pconf, &tied->token, err);

    (void)route;
    *bound = tied;
    return rv == APR_SUCCESS ? bind_query(pconf, &tied->seeds, err) : rv;
}

/* ---- per request ---- */

/* Is the clock of the client within the window of ours, before or behind? */
static bool in_time(const mrpc_t *mrpc, const mouse_request_t *req, int64_t sent_ms)
{
    int64_t now = apr_time_as_msec(req->now), window = apr_time_as_msec(mrpc->window);

    return sent_ms >= now - window && sent_ms <= now + window;
}

/* The context: what the envelope says, then the columns of the token's row. */
static mouse_context_t *give(const mrpc_t *mrpc, mouse_request_t *req,
                             const mouse_mrpc_form_t *form, const mouse_context_t *row)
{
    mouse_context_t *context = mouse_guard_give(req, mrpc->name, 4 + row->count);
    const mouse_value_t user = {.kind = MOUSE_VALUE_INT, .i = form->user_id};
    int n = 0;

    context->names[n] = "user_id";
    context->values[n++] = user;
    context->names[n] = "version";
    context->values[n++] =
        (mouse_value_t){.kind = MOUSE_VALUE_STRING, .text = form->version};
    context->names[n] = "request_tag";
    context->values[n++] =
        (mouse_value_t){.kind = MOUSE_VALUE_STRING, .text = form->request_tag};
    context->names[n] = "timestamp";
    context->values[n++] = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = form->timestamp};
    for (int i = 0; i < row->count; i++, n++) {
        context->names[n] = row->names[i];
        context->values[n] = row->values[i];
    }
    return context;
}

static bool is_expired(apr_pool_t *p, const mouse_context_t *row)
{
    const mouse_value_t *expired = mouse_context_find(row, "expired");
    mouse_slice_t text = {NULL, 0};

    if (expired)
        text = mouse_value_text(p, expired);
    return text.data && !mouse_slice_equal(text, MOUSE_SLICE("0")) &&
           !mouse_slice_equal(text, MOUSE_SLICE("false"));
}

/* The key that this user signs with; its row of the token's model in *row. */
static mouse_verdict_t find_key(const mrpc_t *mrpc, mouse_request_t *req, int64_t user_id,
                                mouse_slice_t *key, mouse_context_t *row,
                                mouse_error_t **err)
{
    const mouse_value_t *token;
    apr_status_t rv;

    *row = (mouse_context_t){.count = 0};
    if (user_id == 0 ? mrpc->key == KEY_TOKEN : mrpc->key == KEY_SECRET)
        return mouse_guard_end(req, 403,
                               user_id == 0 ? "mrpc: user_id 0 has no token"
                                            : "mrpc: only user_id 0 may sign here",
                               err);
    *key = mrpc->secret;
    if (user_id == 0)
        return MOUSE_GUARD_PASS;
    rv = mouse_model_lookup(req, mrpc->token.model, *mrpc->token.slot, row, err);
    if (rv != APR_SUCCESS && rv != APR_NOTFOUND)
        return MOUSE_GUARD_DENY;
    token = rv == APR_SUCCESS ? mouse_context_find(row, "token") : NULL;
    *key = (mouse_slice_t){NULL, 0};
    if (token)
        *key = mouse_value_text(req->pool, token);
    if (key->len == 0)
        return mouse_guard_end(req, 401, "mrpc: this user has no token", err);
    return MOUSE_GUARD_PASS;
}

/* Kept once, for good: what was sent before is refused by the table's unique key. */
static mouse_verdict_t keep_seed(const mrpc_t *mrpc, mouse_request_t *req,
                                 mouse_error_t **err)
{
    const mouse_input_options_t *input = req->input, whole = {.max_body = input->max_body};
    const mouse_shape_t shape = {.status = 0};
    mouse_answer_t *answer = apr_pcalloc(req->pool, sizeof(*answer));
    apr_status_t rv;

    if (!mrpc->seeds.model)
        return MOUSE_GUARD_PASS;
    /* `strict` is about data, not about the envelope. */
    req->input = &whole;
    rv = mouse_model_run(req, mrpc->seeds.model, *mrpc->seeds.slot, &shape,
                         MOUSE_FORMAT_JSON, answer, err);
    req->input = input;
    if (rv == APR_SUCCESS)
        return MOUSE_GUARD_PASS;
    if ((*err)->code == MOUSE_E_UNIQUE)
        return mouse_guard_end(req, 403, "mrpc: the seed was sent before", err);
    return MOUSE_GUARD_DENY;
}

static void seal(mouse_request_t *req, const mouse_mrpc_form_t *form, mouse_slice_t key)
{
    mouse_seal_t *made = apr_palloc(req->pool, sizeof(*made));

    *made = (mouse_seal_t){.request_tag = form->request_tag, .key = key};
    req->seal = made;
}

static mouse_verdict_t open_envelope(const mrpc_t *mrpc, mouse_request_t *req,
                                     const mouse_mrpc_form_t *form, mouse_error_t **err)
{
    mouse_context_t row;
    mouse_slice_t key;

    seal(req, form, mrpc->secret);
    if (!in_time(mrpc, req, form->timestamp))
        return mouse_guard_end(req, 403, "mrpc: the timestamp is out of its window", err);
    if (find_key(mrpc, req, form->user_id, &key, &row, err) != MOUSE_GUARD_PASS)
        return MOUSE_GUARD_DENY;
    if (!mouse_mrpc_signed(form, key))
        return mouse_guard_end(req, form->user_id == 0 ? 403 : 401,
                               "mrpc: the signature is wrong", err);
    seal(req, form, key);
    if (keep_seed(mrpc, req, err) != MOUSE_GUARD_PASS)
        return MOUSE_GUARD_DENY;
    if (mrpc->key == KEY_TOKEN && is_expired(req->pool, &row))
        return mouse_guard_end(req, 419, "mrpc: the session has expired", err);
    give(mrpc, req, form, &row);
    return mouse_request_replace_json(req, form->data, err) == APR_SUCCESS
               ? MOUSE_GUARD_PASS
               : MOUSE_GUARD_DENY;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const mouse_json_node_t *root;
    mouse_mrpc_form_t form;

    mouse_guard_challenge(req, "Mrpc");
    if (mouse_request_json(req, &root, err) != APR_SUCCESS ||
        mouse_mrpc_read(req->pool, root, &form, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    return open_envelope(config, req, &form, err);
}

static const mouse_model_t *get_model(const void *config, int i)
{
    const mrpc_t *mrpc = config;
    const mouse_model_t *const models[] = {mrpc->token.model ? mrpc->token.model
                                                             : mrpc->seeds.model,
                                           mrpc->token.model ? mrpc->seeds.model : NULL};

    return i < 2 ? models[i] : NULL;
}

static bool gives(const void *config, const char *field)
{
    static const char *const own[] = {"user_id", "version", "request_tag", "timestamp"};
    const mrpc_t *mrpc = config;

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (strcmp(own[i], field) == 0)
            return true;
    }
    return mrpc->token.model != NULL;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    (void)config;
    facts->status = 403;
}

const mouse_guard_provider_t mouse_guard_mrpc = {
    .name = "mrpc",
    .gives_context = true,
    .reads_body = true,
    .create = create,
    .check = check,
    .model = get_model,
    .gives = gives,
    .bind = tie,
    .describe = describe,
};
