/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `signature header= message= key-file=`: an HMAC over the raw body, as providers of
 * webhooks sign what they send. A header without a timestamp in the window is refused
 * before the body is read. Context is `digest`, of what was signed - one name for one
 * message, however its header is written and whichever of several keys and signatures fits
 * - and `timestamp`.
 */

#include "guard/guard_int.h"

#include <apr_lib.h>
#include <apr_strings.h>
#include <nettle/memops.h>

#define DEFAULT_WINDOW "5m"

typedef struct signature_t {
    const char *name;
    const char *header;
    const mouse_sign_form_t *form;
    const mouse_argument_t *timestamp; /* elsewhere than in the header, or NULL */
    bool has_time;
    apr_time_t unit;
    apr_interval_time_t window;
    const mouse_template_t *message;
    const struct nettle_hash *hash;
    bool base64;
    const mouse_slice_t *keys;
    int key_count;
    int status;
} signature_t;

/* The words of the directive. */
typedef struct words_t {
    const char *header, *parse, *message, *window, *key_file, *algorithm, *encoding,
        *timestamp, *unit, *status;
} words_t;

static apr_status_t take_words(const mouse_guard_setup_t *setup, words_t *words,
                               mouse_error_t **err)
{
    const mouse_guard_option_t options[] = {{"header=", &words->header},
                                            {"parse=", &words->parse},
                                            {"message=", &words->message},
                                            {"window=", &words->window},
                                            {"key-file=", &words->key_file},
                                            {"algorithm=", &words->algorithm},
                                            {"encoding=", &words->encoding},
                                            {"timestamp=", &words->timestamp},
                                            {"unit=", &words->unit},
                                            {"else=", &words->status},
                                            {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    if (rv == APR_SUCCESS && (!words->header || !words->message || !words->key_file))
        return mouse_guard_refuse(setup, err,
                                  "signature takes header=NAME message=TEMPLATE "
                                  "key-file=FILE");
    return rv;
}

static bool is_header_name(const char *name)
{
    const char *c;

    for (c = name; *c; c++) {
        if (!apr_isalnum(*c) && *c != '-' && *c != '_')
            return false;
    }
    return c > name;
}

static apr_status_t take_header(mouse_guard_setup_t *setup, const words_t *words,
                                signature_t *made, mouse_error_t **err)
{
    apr_status_t rv;

    if (!is_header_name(words->header))
        return mouse_guard_refuse(setup, err, "header=%s is no name of a header",
                                  words->header);
    made->header = words->header;
    rv = mouse_sign_form_parse(setup, words->parse ? words->parse : "{sig}", &made->form,
                               err);
    if (rv != APR_SUCCESS)
        return rv;
    made->has_time = mouse_sign_form_has_time(made->form) || words->timestamp;
    if (!words->timestamp)
        return APR_SUCCESS;
    if (mouse_sign_form_has_time(made->form))
        return mouse_guard_refuse(setup, err,
                                  "the timestamp stands in parse= and in timestamp=");
    return mouse_guard_argument(setup, words->timestamp, &made->timestamp, err);
}

static apr_status_t take_window(const mouse_guard_setup_t *setup, const words_t *words,
                                signature_t *made, mouse_error_t **err)
{
    apr_status_t rv;

    if (!made->has_time && (words->window || words->unit))
        return mouse_guard_refuse(setup, err,
                                  "there is no timestamp to look at: name it {t} in parse= "
                                  "or give timestamp=");
    rv = mouse_sign_unit(setup, words->unit, &made->unit, err);
    if (rv == APR_SUCCESS)
        rv = mouse_sign_window(setup,
                               "window=", words->window ? words->window : DEFAULT_WINDOW,
                               &made->window, err);
    return rv;
}

/* {t}, {body} and context; whatever is not signed proves nothing. */
static apr_status_t take_message(mouse_guard_setup_t *setup, const words_t *words,
                                 signature_t *made, mouse_error_t **err)
{
    bool has_body = false, has_time = false;
    mouse_error_t *why = NULL;
    const char *const *names;
    int count;

    if (mouse_template_parse(setup->pconf, words->message, &made->message, &why) !=
        APR_SUCCESS)
        return mouse_guard_refuse(setup, err, "%s", why->detail);
    names = mouse_template_names(made->message, &count);
    for (int i = 0; i < count; i++) {
        has_body |= strcmp(names[i], "body") == 0;
        has_time |= strcmp(names[i], "t") == 0;
        if (strchr(names[i], '.'))
            APR_ARRAY_PUSH(setup->reads, const char *) = names[i];
        else if (strcmp(names[i], "body") != 0 && strcmp(names[i], "t") != 0)
            return mouse_guard_refuse(setup, err,
                                      "message= knows {body}, {t} and {word.field}, not "
                                      "{%s}",
                                      names[i]);
    }
    if (!has_body)
        return mouse_guard_refuse(setup, err,
                                  "message= leaves out {body}: nobody signs it");
    if (has_time != made->has_time)
        return mouse_guard_refuse(
            setup, err,
            has_time ? "message= names {t}, but there is no timestamp"
                     : "message= leaves out {t}: nobody signs the timestamp");
    return APR_SUCCESS;
}

static apr_status_t take_keys(const mouse_guard_setup_t *setup, const words_t *words,
                              signature_t *made, mouse_error_t **err)
{
    const char *algorithm = words->algorithm ? words->algorithm : "sha256";
    const char *encoding = words->encoding ? words->encoding : "hex";

    made->hash = mouse_sign_hash(algorithm);
    if (!made->hash)
        return mouse_guard_refuse(setup, err,
                                  "algorithm=%s is none: there are sha256, sha512 and sha1",
                                  algorithm);
    made->base64 = strcmp(encoding, "base64") == 0;
    if (!made->base64 && strcmp(encoding, "hex") != 0)
        return mouse_guard_refuse(setup, err, "encoding=%s is none: write hex or base64",
                                  encoding);
    return mouse_guard_keys(setup, words->key_file, &made->keys, &made->key_count, err);
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    signature_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    words_t words = {.header = NULL};
    apr_status_t rv = take_words(setup, &words, err);

    *config = made;
    made->name = apr_pstrdup(setup->pconf, setup->name);
    if (rv == APR_SUCCESS)
        rv = take_header(setup, &words, made, err);
    if (rv == APR_SUCCESS)
        rv = take_window(setup, &words, made, err);
    if (rv == APR_SUCCESS)
        rv = take_message(setup, &words, made, err);
    if (rv == APR_SUCCESS)
        rv = take_keys(setup, &words, made, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_status(setup, words.status ? words.status : "401", &made->status,
                                err);
    return rv;
}

/* ---- per request ---- */

/* One request's signature. */
typedef struct attempt_t {
    mouse_request_t *req;
    mouse_sign_found_t found;
} attempt_t;

static apr_status_t find_timestamp(const signature_t *made, attempt_t *attempt,
                                   mouse_error_t **err)
{
    mouse_slice_t text = {NULL, 0};
    apr_status_t rv = APR_SUCCESS;

    if (made->timestamp) {
        rv = mouse_argument_text(attempt->req, made->timestamp, &text, err);
        attempt->found.timestamp = text;
    }
    return rv;
}

static const char *check_time(const signature_t *made, const attempt_t *attempt)
{
    apr_time_t time, now = apr_time_now();

    if (!made->has_time)
        return NULL;
    if (!mouse_sign_timestamp(attempt->found.timestamp, made->unit, &time))
        return "the timestamp is none";
    if (time < now - made->window)
        return "the timestamp is too old";
    return time > now + made->window ? "the timestamp is in the future" : NULL;
}

static apr_status_t find_value(void *baton, const char *name, mouse_value_t *value,
                               mouse_error_t **err)
{
    attempt_t *attempt = baton;
    mouse_request_t *req = attempt->req;

    if (strchr(name, '.'))
        return mouse_request_dotted(req, name, value, err);
    *value = (mouse_value_t){.kind = MOUSE_VALUE_STRING, .text = attempt->found.timestamp};
    if (strcmp(name, "body") == 0)
        return req->host->body(req->baton, req->input->max_body, &value->text, err);
    return APR_SUCCESS;
}

/* Is it one of those that were sent? All are looked at. */
static bool match(const signature_t *made, const attempt_t *attempt, const uint8_t *mac)
{
    size_t size = made->hash->digest_size;
    uint8_t sent[MOUSE_SIGN_MOST];
    bool found = false;

    for (int i = 0; i < attempt->found.count; i++) {
        if (mouse_sign_decode(attempt->found.signatures[i], made->base64, size, sent) &&
            memeql_sec(sent, mac, size))
            found = true;
    }
    return found;
}

static const char *check_keys(const signature_t *made, const attempt_t *attempt,
                              mouse_slice_t message)
{
    uint8_t mac[MOUSE_SIGN_MOST];

    for (int i = 0; i < made->key_count; i++) {
        mouse_sign_hmac(made->hash, made->keys[i], message, mac);
        if (match(made, attempt, mac))
            return NULL;
    }
    return "no key gives this signature";
}

static void give(const signature_t *made, const attempt_t *attempt, mouse_slice_t message)
{
    mouse_context_t *context = mouse_guard_give(attempt->req, made->name, 2);

    context->names[0] = "digest";
    context->values[0] = (mouse_value_t){
        .kind = MOUSE_VALUE_STRING,
        .text = mouse_slice_of(mouse_sign_digest(attempt->req->pool, message))};
    context->names[1] = "timestamp";
    context->values[1] = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (made->has_time)
        context->values[1] =
            (mouse_value_t){.kind = MOUSE_VALUE_STRING, .text = attempt->found.timestamp};
}

static mouse_verdict_t deny(const signature_t *made, mouse_request_t *req, const char *why,
                            mouse_error_t **err)
{
    mouse_guard_challenge(req, "Signature");
    return mouse_guard_end(req, made->status, why, err);
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const signature_t *made = config;
    const char *header = req->host->header(req->baton, made->header), *why;
    attempt_t attempt = {.req = req};
    mouse_slice_t message;

    why = header ? mouse_sign_form_read(made->form, header, &attempt.found)
                 : "there is no header with a signature";
    if (why)
        return deny(made, req, why, err);
    if (find_timestamp(made, &attempt, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    why = check_time(made, &attempt);
    if (why)
        return deny(made, req, why, err);
    if (mouse_template_join(req->pool, made->message, find_value, &attempt, &message,
                            err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    why = check_keys(made, &attempt, message);
    if (why)
        return deny(made, req, why, err);
    give(made, &attempt, message);
    return MOUSE_GUARD_PASS;
}

static bool gives(const void *config, const char *field)
{
    (void)config;
    return strcmp(field, "digest") == 0 || strcmp(field, "timestamp") == 0;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const signature_t *made = config;

    facts->status = made->status;
}

const mouse_guard_provider_t mouse_guard_signature = {
    .name = "signature",
    .gives_context = true,
    .reads_body = true,
    .create = create,
    .check = check,
    .gives = gives,
    .describe = describe,
};
