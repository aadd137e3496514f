/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `hmac keys-file=FILE|key=MODEL require="@method @target-uri"`: requests that are signed
 * as RFC 9421 says, with hmac-sha256. What is cheap comes first: the fields, the key, the
 * signature, and only then the body, which its Content-Digest ties to the signature. A
 * nonce is kept when all of it was right.
 */

#include "guard/hmac_int.h"

#include <apr_strings.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

#define DEFAULT_WINDOW  "5m"
#define DEFAULT_REQUIRE "@method @target-uri"
#define MOST_NONCES     (16 * 1024 * 1024)
#define CONTENT_DIGEST  "\"content-digest\""

typedef struct hmac_t {
    const char *name;
    mouse_message_rules_t rules;
    mouse_hmac_keys_t keys;
    const mouse_shared_t *nonces; /* NULL: none are kept */
    apr_time_t started;           /* this configuration */
    int status;
    const char *accept, *accept_body; /* Accept-Signature, without and with a body */
} hmac_t;

/* The words of the directive. */
typedef struct words_t {
    const char *file, *model, *require, *label, *window, *tag, *scheme, *nonces, *status;
} words_t;

/* The context; the model's columns follow. */
static const char *const fields[] = {"keyid", "created", "nonce", "label", NULL};

/* ---- at start ---- */

static apr_status_t take_words(const mouse_guard_setup_t *setup, words_t *words,
                               mouse_error_t **err)
{
    const mouse_guard_option_t options[] = {
        {"keys-file=", &words->file}, {"key=", &words->model},
        {"label=", &words->label},    {"require=", &words->require},
        {"window=", &words->window},  {"tag=", &words->tag},
        {"scheme=", &words->scheme},  {"nonces=", &words->nonces},
        {"else=", &words->status},    {NULL, NULL}};

    return mouse_guard_options(setup, 0, options, err);
}

/* `@query-param;name=page` as RFC 9421 writes it: `"@query-param";name="page"`. */
static const char *write_identifier(apr_pool_t *p, const char *word)
{
    const char *name = strstr(word, ";name=");

    if (!name)
        return apr_pstrcat(p, "\"", word, "\"", NULL);
    return apr_psprintf(p, "\"%.*s\";name=\"%s\"", (int)(name - word), word, name + 6);
}

static apr_status_t take_component(const mouse_guard_setup_t *setup, const char *word,
                                   apr_array_header_t *required, mouse_error_t **err)
{
    const char *text = write_identifier(setup->pconf, word), *why;
    const apr_array_header_t *members;

    why = mouse_fields_read(setup->pconf,
                            mouse_slice_of(apr_pstrcat(setup->pconf, "a=", text, NULL)),
                            &members);
    if (!why)
        why = mouse_component_check(setup->pconf,
                                    &APR_ARRAY_IDX(members, 0, mouse_field_member_t).item);
    if (why)
        return mouse_guard_refuse(setup, err, "require=: %s: %s", word, why);
    for (int i = 0; i < required->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(required, i, const char *), text) == 0)
            return mouse_guard_refuse(setup, err, "require= has %s twice", word);
    }
    APR_ARRAY_PUSH(required, const char *) = text;
    return APR_SUCCESS;
}

static apr_status_t take_required(const mouse_guard_setup_t *setup, const char *text,
                                  hmac_t *hmac, mouse_error_t **err)
{
    apr_array_header_t *required = apr_array_make(setup->pconf, 4, sizeof(const char *));
    char *rest, *word = apr_strtok(apr_pstrdup(setup->pconf, text), " \t", &rest);
    apr_status_t rv = APR_SUCCESS;

    for (; rv == APR_SUCCESS && word; word = apr_strtok(NULL, " \t", &rest))
        rv = take_component(setup, word, required, err);
    if (rv == APR_SUCCESS && required->nelts == 0)
        rv = mouse_guard_refuse(setup, err, "require= names no component");
    hmac->rules.required = required;
    return rv;
}

/* label= is a key of the dictionary, tag= a string in it. */
static apr_status_t take_names(const mouse_guard_setup_t *setup, const words_t *words,
                               hmac_t *hmac, mouse_error_t **err)
{
    const char *label = words->label ? words->label : "sig1", *tag = words->tag;
    const apr_array_header_t *members;

    hmac->rules.label = words->label;
    hmac->rules.tag = tag;
    if (mouse_fields_read(setup->pconf, mouse_slice_of(label), &members) ||
        members->nelts != 1 || strpbrk(label, " ;="))
        return mouse_guard_refuse(setup, err,
                                  "label=%s: lower-case letters, digits, '_', '-', '.' and "
                                  "'*', a letter first",
                                  label);
    for (; tag && *tag; tag++) {
        if (*tag < ' ' || *tag > '~' || *tag == '"' || *tag == '\\')
            return mouse_guard_refuse(setup, err,
                                      "tag= takes ASCII without quotes and backslashes");
    }
    if (words->tag && !*words->tag)
        return mouse_guard_refuse(setup, err, "tag= is empty");
    return APR_SUCCESS;
}

static apr_status_t take_scheme(const mouse_guard_setup_t *setup, const char *scheme,
                                hmac_t *hmac, mouse_error_t **err)
{
    hmac->rules.scheme = scheme;
    if (!scheme || strcmp(scheme, "https") == 0 || strcmp(scheme, "http") == 0)
        return APR_SUCCESS;
    return mouse_guard_refuse(setup, err, "scheme=%s is none: write https or http", scheme);
}

static apr_status_t take_nonces(const mouse_guard_setup_t *setup, const char *text,
                                hmac_t *hmac, mouse_error_t **err)
{
    int count = 0;

    if (!text)
        return APR_SUCCESS;
    if (mouse_guard_number(setup, "nonces=", text, MOST_NONCES, &count, err) != APR_SUCCESS)
        return APR_EGENERAL;
    hmac->rules.nonce = true;
    hmac->started = apr_time_now();
    hmac->nonces =
        setup->share(setup->baton, mouse_nonces_name(setup->pconf, hmac->rules.window),
                     mouse_nonces_size(count));
    return APR_SUCCESS;
}

/* What a signature must have (RFC 9421, 5.1), for those that were refused. */
static const char *write_accept(apr_pool_t *p, const mouse_message_rules_t *rules,
                                const char *more)
{
    const char *text = apr_pstrcat(p, rules->label ? rules->label : "sig1", "=(",
                                   apr_array_pstrcat(p, rules->required, ' '), NULL);

    if (more && !strstr(text, more))
        text = apr_pstrcat(p, text, " ", more, NULL);
    text = apr_pstrcat(p, text, ");created;alg=\"hmac-sha256\"", NULL);
    return rules->tag ? apr_pstrcat(p, text, ";tag=\"", rules->tag, "\"", NULL) : text;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    hmac_t *hmac = apr_pcalloc(setup->pconf, sizeof(*hmac));
    words_t words = {.file = NULL};
    apr_status_t rv = take_words(setup, &words, err);

    *config = hmac;
    hmac->name = apr_pstrdup(setup->pconf, setup->name);
    if (rv == APR_SUCCESS)
        rv = mouse_hmac_keys_create(setup, words.file, words.model, &hmac->keys, err);
    if (rv == APR_SUCCESS)
        rv = take_required(setup, words.require ? words.require : DEFAULT_REQUIRE, hmac,
                           err);
    if (rv == APR_SUCCESS)
        rv = take_names(setup, &words, hmac, err);
    if (rv == APR_SUCCESS)
        rv = take_scheme(setup, words.scheme, hmac, err);
    if (rv == APR_SUCCESS)
        rv = mouse_sign_window(setup,
                               "window=", words.window ? words.window : DEFAULT_WINDOW,
                               &hmac->rules.window, err);
    if (rv == APR_SUCCESS)
        rv = take_nonces(setup, words.nonces, hmac, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_status(setup, words.status ? words.status : "401", &hmac->status,
                                err);
    if (rv != APR_SUCCESS)
        return rv;
    hmac->accept = write_accept(setup->pconf, &hmac->rules, NULL);
    hmac->accept_body = write_accept(setup->pconf, &hmac->rules, CONTENT_DIGEST);
    return APR_SUCCESS;
}

/* ---- per request ---- */

/* What to sign; where nonces are kept, with one that the client may take. */
static const char *tell(const hmac_t *hmac, mouse_request_t *req)
{
    const char *text = mouse_request_has_body(req) ? hmac->accept_body : hmac->accept;

    if (!hmac->nonces)
        return text;
    return apr_pstrcat(req->pool, text, ";nonce=\"", mouse_random_hex32(req->pool), "\"",
                       NULL);
}

static mouse_verdict_t deny(const hmac_t *hmac, mouse_request_t *req, const char *why,
                            mouse_error_t **err)
{
    if (hmac->status == 401)
        mouse_guard_header(req, "Accept-Signature", tell(hmac, req));
    mouse_guard_challenge(req, "Signature");
    return mouse_guard_end(req, hmac->status, why, err);
}

/* What is known of the sender so far, for the model and for those behind the guard. */
static mouse_context_t *give(const hmac_t *hmac, mouse_request_t *req,
                             const mouse_message_t *message)
{
    mouse_context_t *context = mouse_guard_give(req, hmac->name, 4);

    mouse_guard_set_text(context, 0, fields[0], message->keyid);
    context->names[1] = fields[1];
    context->values[1] = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = message->created};
    mouse_guard_set_text(context, 2, fields[2], message->nonce);
    mouse_guard_set_text(context, 3, fields[3], message->label);
    return context;
}

/* The model's columns behind our own fields; the secret is nobody's. */
static void append_row(apr_pool_t *p, mouse_context_t *context, const mouse_context_t *row)
{
    size_t most = (size_t)(context->count + row->count);
    const char **names = apr_palloc(p, most * sizeof(*names));
    mouse_value_t *values = apr_palloc(p, most * sizeof(*values));

    memcpy(names, context->names, (size_t)context->count * sizeof(*names));
    memcpy(values, context->values, (size_t)context->count * sizeof(*values));
    context->names = names;
    context->values = values;
    for (int i = 0; i < row->count; i++) {
        if (strcmp(row->names[i], "secret") == 0)
            continue;
        names[context->count] = row->names[i];
        values[context->count++] = row->values[i];
    }
}

static bool announces_body(const mouse_request_t *req)
{
    const char *length = req->host->header(req->baton, "Content-Length");

    return (length && strcmp(length, "0") != 0) ||
           req->host->header(req->baton, "Transfer-Encoding");
}

/* All that the fields tell: NULL, or why not. */
static const char *check_fields(const hmac_t *hmac, mouse_request_t *req,
                                mouse_message_t *message, mouse_slice_t *base)
{
    const char *why = mouse_message_read(req, &hmac->rules, message);

    if (!why && !message->covers_content && announces_body(req))
        why = "the signature does not cover the body's Content-Digest";
    if (!why)
        why = mouse_message_base(req, &hmac->rules, message, base);
    if (!why && message->covers_content)
        why = mouse_digest_check(req->pool, req->host->header(req->baton, "Content-Digest"),
                                 NULL);
    return why;
}

static bool is_signed(mouse_slice_t secret, mouse_slice_t base, mouse_slice_t signature)
{
    uint8_t mac[SHA256_DIGEST_SIZE];

    mouse_sign_hmac(mouse_sign_hash("sha256"), secret, base, mac);
    return signature.len == sizeof(mac) && memeql_sec(mac, signature.data, sizeof(mac));
}

static mouse_verdict_t check_body(const hmac_t *hmac, mouse_request_t *req,
                                  const mouse_message_t *message, mouse_error_t **err)
{
    const char *why = NULL;
    mouse_slice_t body;

    if (req->host->body(req->baton, req->input->max_body, &body, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    if (message->covers_content)
        why = mouse_digest_check(req->pool, req->host->header(req->baton, "Content-Digest"),
                                 &body);
    else if (body.len > 0)
        why = "there is a body that the signature does not cover";
    return why ? deny(hmac, req, why, err) : MOUSE_GUARD_PASS;
}

/* Keeps the nonce until `created` has left the window, by the clock of this moment: a body
 * may have come slowly. */
static mouse_verdict_t keep_nonce(const hmac_t *hmac, mouse_request_t *req,
                                  const mouse_message_t *message, mouse_error_t **err)
{
    const char *nonce = apr_pstrcat(req->pool, message->keyid, "\n", message->nonce, NULL);
    apr_time_t created = apr_time_from_sec(message->created);
    apr_time_t expires = created + hmac->rules.window + apr_time_from_sec(1);

    if (created < mouse_nonces_since(hmac->nonces, hmac->started))
        return deny(hmac, req, "created is older than the memory of nonces", err);
    switch (
        mouse_nonces_record(hmac->nonces, apr_time_now(), expires, mouse_slice_of(nonce))) {
    case MOUSE_NONCE_FRESH:
        return MOUSE_GUARD_PASS;
    case MOUSE_NONCE_SEEN:
        return deny(hmac, req, "the nonce was seen before", err);
    default:
        mouse_error_set(err, req->pool, MOUSE_E_NONCES_FULL, NULL);
        (*err)->log = "no place for a nonce: raise nonces=";
        (*err)->retry_after = 16;
        return MOUSE_GUARD_DENY;
    }
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const hmac_t *hmac = config;
    mouse_context_t *context, row;
    mouse_slice_t base, secret;
    mouse_message_t message;
    const char *why = check_fields(hmac, req, &message, &base);
    apr_status_t rv;

    if (why)
        return deny(hmac, req, why, err);
    context = give(hmac, req, &message);
    rv = mouse_hmac_keys_find(&hmac->keys, req, message.keyid, &secret, &row, &why, err);
    if (rv != APR_SUCCESS)
        return rv == APR_NOTFOUND ? deny(hmac, req, why, err) : MOUSE_GUARD_DENY;
    if (!is_signed(secret, base, message.signature))
        return deny(hmac, req, "the signature is wrong", err);
    append_row(req->pool, context, &row);
    if (check_body(hmac, req, &message, err) != MOUSE_GUARD_PASS)
        return MOUSE_GUARD_DENY;
    return hmac->nonces ? keep_nonce(hmac, req, &message, err) : MOUSE_GUARD_PASS;
}

static const mouse_model_t *get_model(const void *config, int i)
{
    return i == 0 ? ((const hmac_t *)config)->keys.model : NULL;
}

static bool gives(const void *config, const char *field)
{
    const hmac_t *hmac = config;

    for (int i = 0; fields[i]; i++) {
        if (strcmp(fields[i], field) == 0)
            return true;
    }
    return hmac->keys.model && strcmp(field, "secret") != 0;
}

static apr_status_t tie(apr_pool_t *pconf, const void *config,
                        const mouse_guard_route_t *route, const void **bound,
                        mouse_error_t **err)
{
    hmac_t *tied = apr_pmemdup(pconf, config, sizeof(*tied));

    *bound = tied;
    return tied->keys.model ? mouse_guard_bind_model(pconf, route, &tied->keys.model, err)
                            : APR_SUCCESS;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const hmac_t *hmac = config;

    facts->status = hmac->status;
    facts->header = "Signature";
}

const mouse_guard_provider_t mouse_guard_hmac = {
    .name = "hmac",
    .gives_context = true,
    .reads_body = true,
    .early = fields,
    .create = create,
    .check = check,
    .model = get_model,
    .gives = gives,
    .bind = tie,
    .describe = describe,
};
