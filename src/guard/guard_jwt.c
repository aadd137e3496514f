/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `jwt jwks-file=FILE|key-file=FILE alg=LIST iss= aud= leeway= token= realm= [no-exp]
 * [optional]`: a signed token (RFC 7519) whose claims become context. What is wrong with
 * one is for the log: the client sees the same 401 always.
 *
 * Claims come and go with their issuer, so a field the token lacks is NULL.
 */

#include "guard/guard_int.h"
#include "guard/jwt_int.h"

#include <errno.h>
#include <stdlib.h>

#include <apr_strings.h>

#define DEFAULT_LEEWAY 60

typedef struct jwt_guard_t {
    const char *name;
    mouse_guard_bearer_t challenges;
    mouse_jwt_rules_t rules;
    mouse_jwt_store_t *store;
    const mouse_argument_t *token; /* NULL: Authorization: Bearer */
    bool optional;
} jwt_guard_t;

/* The words as given. */
typedef struct words_t {
    const char *set, *key, *alg, *iss, *aud, *leeway, *token, *realm, *no_exp, *optional;
} words_t;

/* ---- at start ---- */

static apr_status_t set_algs(const mouse_guard_setup_t *setup, jwt_guard_t *jwt,
                             const char *list, mouse_error_t **err)
{
    while (list) {
        size_t len = strcspn(list, ",");
        mouse_jwt_alg_t alg = mouse_jwt_alg_find((mouse_slice_t){list, len});

        if (!alg)
            return mouse_guard_refuse(setup, err, "alg= knows %s, not \"%.*s\"",
                                      mouse_jwt_alg_names(setup->pconf, ~0u), (int)len,
                                      list);
        jwt->rules.algs |= alg;
        list = list[len] ? list + len + 1 : NULL;
    }
    return APR_SUCCESS;
}

static apr_status_t set_leeway(const mouse_guard_setup_t *setup, jwt_guard_t *jwt,
                               const char *text, mouse_error_t **err)
{
    apr_interval_time_t leeway;

    jwt->rules.leeway = DEFAULT_LEEWAY;
    if (!text)
        return APR_SUCCESS;
    if (mouse_parse_duration(text, &leeway) != APR_SUCCESS ||
        leeway > apr_time_from_sec(3600))
        return mouse_guard_refuse(setup, err,
                                  "\"leeway=%s\" is no time up to 1h: write 30s", text);
    jwt->rules.leeway = apr_time_sec(leeway);
    return APR_SUCCESS;
}

static apr_status_t load_keys(mouse_guard_setup_t *setup, jwt_guard_t *jwt,
                              const words_t *words, mouse_error_t **err)
{
    const char *name = words->set ? words->set : words->key;
    const char *path = setup->path(setup->baton, name), *why;
    bool readable = false;

    if (words->key && (jwt->rules.algs & MOUSE_JWT_HS256) &&
        jwt->rules.algs != MOUSE_JWT_HS256)
        return mouse_guard_refuse(setup, err,
                                  "one key cannot be both HS256's secret and public: let "
                                  "alg= name HS256 alone, or use jwks-file=");
    if (!path)
        return mouse_guard_refuse(setup, err, "\"%s\" is no valid path", name);
    why = mouse_jwt_store_create(setup->pconf, path,
                                 words->set ? MOUSE_JWT_SET : MOUSE_JWT_KEY,
                                 jwt->rules.algs, &jwt->store, &readable);
    if (why)
        return mouse_guard_refuse(setup, err, "%s: %s", path, why);
    setup->refreshes = words->set != NULL;
    if (readable)
        setup->warn(setup->baton,
                    apr_psprintf(setup->pconf, "everybody can read %s: chmod o-r", path));
    return APR_SUCCESS;
}

static apr_status_t check_words(const mouse_guard_setup_t *setup, const words_t *words,
                                mouse_error_t **err)
{
    if (!words->set == !words->key)
        return mouse_guard_refuse(setup, err,
                                  "jwt needs its keys: jwks-file=FILE or key-file=FILE");
    if (!words->alg)
        return mouse_guard_refuse(setup, err,
                                  "alg= is required: the algorithms that are taken, of %s",
                                  mouse_jwt_alg_names(setup->pconf, ~0u));
    if ((words->iss && !*words->iss) || (words->aud && !*words->aud))
        return mouse_guard_refuse(setup, err, "iss= and aud= take a text");
    return APR_SUCCESS;
}

static apr_status_t fill(mouse_guard_setup_t *setup, jwt_guard_t *jwt, const words_t *words,
                         mouse_error_t **err)
{
    apr_status_t rv = check_words(setup, words, err);

    if (rv == APR_SUCCESS)
        rv = set_algs(setup, jwt, words->alg, err);
    if (rv == APR_SUCCESS)
        rv = set_leeway(setup, jwt, words->leeway, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_bearer_challenges(setup, words->realm, &jwt->challenges, err);
    if (rv == APR_SUCCESS && words->token)
        rv = mouse_guard_value(setup, words->token, &jwt->token, err);
    return rv == APR_SUCCESS ? load_keys(setup, jwt, words, err) : rv;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    jwt_guard_t *jwt = apr_pcalloc(setup->pconf, sizeof(*jwt));
    words_t words = {0};
    const mouse_guard_option_t options[] = {{"jwks-file=", &words.set},
                                            {"key-file=", &words.key},
                                            {"alg=", &words.alg},
                                            {"iss=", &words.iss},
                                            {"aud=", &words.aud},
                                            {"leeway=", &words.leeway},
                                            {"token=", &words.token},
                                            {"realm=", &words.realm},
                                            {"no-exp", &words.no_exp},
                                            {"optional", &words.optional},
                                            {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    if (rv != APR_SUCCESS)
        return rv;
    jwt->name = apr_pstrdup(setup->pconf, setup->name);
    jwt->rules.iss = words.iss;
    jwt->rules.aud = words.aud;
    jwt->rules.no_exp = words.no_exp != NULL;
    jwt->optional = words.optional != NULL;
    *config = jwt;
    return fill(setup, jwt, &words, err);
}

static bool is_optional(const void *config)
{
    return ((const jwt_guard_t *)config)->optional;
}

static void refresh(const void *config, apr_pool_t *ptmp, const mouse_log_t *log)
{
    mouse_jwt_store_refresh(((const jwt_guard_t *)config)->store, apr_time_now(), ptmp,
                            log);
}

/* ---- per request ---- */

/* len 0: there is none. */
static apr_status_t get_token(const jwt_guard_t *jwt, mouse_request_t *req,
                              mouse_slice_t *token, mouse_error_t **err)
{
    mouse_value_t value;
    apr_status_t rv;

    if (!jwt->token) {
        *token = mouse_slice_of(mouse_guard_bearer_token(req));
        return APR_SUCCESS;
    }
    rv = mouse_argument_value(req, jwt->token, &value, err);
    if (rv == APR_SUCCESS)
        *token = mouse_value_text(req->pool, &value);
    return rv;
}

static void set_number(mouse_slice_t text, mouse_value_t *value, apr_pool_t *p)
{
    const char *copy = mouse_slice_copy(p, text);
    char *end;

    if (strpbrk(copy, "eE")) {
        *value = (mouse_value_t){.kind = MOUSE_VALUE_DOUBLE, .d = strtod(copy, NULL)};
        return;
    }
    errno = 0;
    *value = (mouse_value_t){.kind = MOUSE_VALUE_INT, .i = strtoll(copy, &end, 10)};
    if (errno == 0 && *end == '\0')
        return;
    errno = 0;
    *value = (mouse_value_t){.kind = MOUSE_VALUE_UINT, .u = strtoull(copy, &end, 10)};
    if (errno != 0 || *end != '\0' || *copy == '-')
        *value = (mouse_value_t){.kind = MOUSE_VALUE_DECIMAL, .text = mouse_slice_of(copy)};
}

static void set_value(apr_pool_t *p, const mouse_json_node_t *node, mouse_value_t *value)
{
    switch (node->type) {
    case MOUSE_JSON_NULL:
        value->kind = MOUSE_VALUE_NULL;
        break;
    case MOUSE_JSON_FALSE:
    case MOUSE_JSON_TRUE:
        value->kind = MOUSE_VALUE_BOOL;
        value->i = node->type == MOUSE_JSON_TRUE;
        break;
    case MOUSE_JSON_NUMBER:
        set_number(node->text, value, p);
        break;
    case MOUSE_JSON_STRING:
        value->kind = MOUSE_VALUE_STRING;
        value->text = mouse_json_string(p, node);
        break;
    default:
        value->kind = MOUSE_VALUE_JSON;
        value->text = node->text;
    }
}

/* A name with NUL would be another's to everybody who reads it. */
static void give_claims(const jwt_guard_t *jwt, mouse_request_t *req,
                        const mouse_json_node_t *claims)
{
    mouse_context_t *context = mouse_guard_give(req, jwt->name, (int)claims->size);

    context->open = true;
    context->count = 0;
    for (MOUSE_JSON_EACH (claim, claims)) {
        mouse_slice_t key = mouse_json_key(req->pool, claim);

        if (key.len > 0 && memchr(key.data, '\0', key.len))
            continue;
        context->names[context->count] = mouse_slice_copy(req->pool, key);
        set_value(req->pool, claim, &context->values[context->count++]);
    }
}

static mouse_verdict_t miss(const jwt_guard_t *jwt, mouse_request_t *req,
                            mouse_error_t **err)
{
    mouse_guard_challenge(req, jwt->challenges.missing);
    if (!jwt->optional)
        return mouse_guard_end(req, 401, "jwt: no token", err);
    mouse_guard_give(req, jwt->name, 0)->missed = true;
    return MOUSE_GUARD_PASS;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const jwt_guard_t *jwt = config;
    const mouse_json_node_t *claims = NULL;
    mouse_slice_t token = {NULL, 0};
    const char *why;

    if (get_token(jwt, req, &token, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    if (token.len == 0)
        return miss(jwt, req, err);
    why = mouse_jwt_verify(req->pool, &jwt->rules, mouse_jwt_store_keys(jwt->store), token,
                           req->now, &claims);
    if (why) {
        mouse_guard_challenge(req, jwt->challenges.invalid);
        return mouse_guard_end(req, 401, why, err);
    }
    give_claims(jwt, req, claims);
    return MOUSE_GUARD_PASS;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const jwt_guard_t *jwt = config;

    facts->status = 401;
    facts->scheme = jwt->token ? NULL : "bearer";
    facts->format = "JWT";
}

const mouse_guard_provider_t mouse_guard_jwt = {
    .name = "jwt",
    .gives_context = true,
    .create = create,
    .check = check,
    .optional = is_optional,
    .refresh = refresh,
    .describe = describe,
};
