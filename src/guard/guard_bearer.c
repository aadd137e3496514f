/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `bearer [realm=TEXT] [optional]`: the token of `Authorization: Bearer TOKEN` (RFC 6750)
 * becomes context, `:token.value`. Whether it is worth anything, a lookup behind it tells.
 */

#include "guard/guard_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

#define MOST_BYTES 4096

typedef struct bearer_t {
    const char *name;
    mouse_guard_bearer_t challenges;
    bool optional;
} bearer_t;

apr_status_t mouse_guard_bearer_challenges(const mouse_guard_setup_t *setup,
                                           const char *realm,
                                           mouse_guard_bearer_t *challenges,
                                           mouse_error_t **err)
{
    apr_status_t rv = mouse_guard_realm(setup, &realm, err);

    if (rv != APR_SUCCESS)
        return rv;
    challenges->missing = apr_psprintf(setup->pconf, "Bearer realm=\"%s\"", realm);
    challenges->invalid =
        apr_pstrcat(setup->pconf, challenges->missing, ", error=\"invalid_token\"", NULL);
    return APR_SUCCESS;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    bearer_t *bearer = apr_pcalloc(setup->pconf, sizeof(*bearer));
    const char *realm = NULL, *optional = NULL;
    const mouse_guard_option_t options[] = {
        {"realm=", &realm}, {"optional", &optional}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    if (rv == APR_SUCCESS)
        rv = mouse_guard_bearer_challenges(setup, realm, &bearer->challenges, err);
    if (rv != APR_SUCCESS)
        return rv;
    bearer->name = apr_pstrdup(setup->pconf, setup->name);
    bearer->optional = optional != NULL;
    *config = bearer;
    return APR_SUCCESS;
}

/* b64token of RFC 6750, 2.1. */
static bool is_token(const char *text)
{
    size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                              "0123456789-._~+/");

    return len > 0 && len <= MOST_BYTES && text[len + strspn(text + len, "=")] == '\0';
}

const char *mouse_guard_bearer_token(const mouse_request_t *req)
{
    static const char scheme[] = "bearer";
    const char *header = req->host->header(req->baton, "Authorization");
    size_t i;

    for (i = 0; header && i < sizeof(scheme) - 1; i++) {
        if (apr_tolower(header[i]) != scheme[i])
            return NULL;
    }
    if (!header || header[i] != ' ')
        return NULL;
    return header + i + strspn(header + i, " ");
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const bearer_t *bearer = config;
    const char *token = mouse_guard_bearer_token(req);

    if (token && !is_token(token)) {
        mouse_guard_challenge(req, bearer->challenges.invalid);
        return mouse_guard_end(req, 401, "the bearer token is malformed", err);
    }
    mouse_guard_challenge(req, bearer->challenges.missing);
    if (!token && !bearer->optional)
        return mouse_guard_end(req, 401, "no bearer token", err);
    if (token)
        mouse_guard_set_text(mouse_guard_give(req, bearer->name, 1), 0, "value", token);
    else
        mouse_guard_give(req, bearer->name, 0)->missed = true;
    return MOUSE_GUARD_PASS;
}

static bool is_optional(const void *config)
{
    return ((const bearer_t *)config)->optional;
}

static bool gives(const void *config, const char *field)
{
    (void)config;
    return strcmp(field, "value") == 0;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    (void)config;
    facts->status = 401;
    facts->scheme = "bearer";
}

const mouse_guard_provider_t mouse_guard_bearer = {
    .name = "bearer",
    .gives_context = true,
    .create = create,
    .check = check,
    .optional = is_optional,
    .gives = gives,
    .describe = describe,
};
