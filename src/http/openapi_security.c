/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Which credentials a chain asks for, as OpenAPI's Security Requirements: a guard that
 * answers 401, and the headers and cookies that it and its models read.
 */
#include "http/openapi_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

/* A chain being walked. */
typedef struct visit_t {
    mouse_openapi_t *openapi;
    json_t *asked;    /* by the guard being looked at: all of these at once */
    json_t *required; /* by guards that let nobody pass without */
    json_t *options;  /* by each guard that does */
    bool strict;      /* a guard behind them wants one of the options */
} visit_t;

bool mouse_openapi_authenticates(const mouse_guard_t *guard)
{
    mouse_guard_facts_t facts = mouse_guard_describe(guard);

    return facts.status == HTTP_UNAUTHORIZED || facts.scheme || facts.header ||
           (guard->provider->optional && guard->provider->optional(guard->config));
}

static void require(visit_t *visit, const char *name, json_t *scheme)
{
    if (json_object_get(visit->openapi->schemes, name))
        json_decref(scheme);
    else
        json_object_set_new(visit->openapi->schemes, name, scheme);
    json_object_set_new(visit->asked, name, json_array());
}

static void require_key(void *baton, const char *in, const char *name)
{
    visit_t *visit = baton;
    apr_pool_t *p = visit->openapi->how->p;
    char *id = apr_pstrcat(p, in, "_", name, NULL);

    for (char *c = id; *c; c++)
        *c = apr_isalnum(*c) ? *c : '_';
    require(visit, id,
            json_pack("{s:s, s:s, s:s}", "type", "apiKey", "in", in, "name", name));
}

/* "header.x_api_key" and "cookie.sid": what the guard's words name. */
static void require_read(visit_t *visit, const char *read)
{
    apr_pool_t *p = visit->openapi->how->p;

    if (strncmp(read, "cookie.", 7) == 0)
        require_key(visit, "cookie", read + 7);
    if (strncmp(read, "header.", 7) == 0) {
        const char *name = mouse_header_name(p, read + 7);

        if (strcasecmp(name, "authorization") == 0)
            require(visit, "authorization",
                    json_pack("{s:s, s:s, s:s}", "type", "apiKey", "in", "header", "name",
                              "Authorization"));
        else
            require_key(visit, "header", name);
    }
}

static void require_bearer(visit_t *visit, const mouse_guard_facts_t *facts)
{
    json_t *scheme = json_pack("{s:s, s:s}", "type", "http", "scheme", facts->scheme);

    if (facts->format)
        json_object_set_new(scheme, "bearerFormat", json_string(facts->format));
    require(visit, facts->format ? facts->format : facts->scheme, scheme);
}

static void ask(visit_t *visit, const mouse_guard_t *guard)
{
    mouse_guard_facts_t facts = mouse_guard_describe(guard);
    const mouse_model_t *model;

    if (facts.scheme)
        require_bearer(visit, &facts);
    if (facts.header)
        require_key(visit, "header", facts.header);
    for (int i = 0; i < guard->reads->nelts; i++)
        require_read(visit, APR_ARRAY_IDX(guard->reads, i, const char *));
    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++)
        mouse_model_describe_credentials(model, require_key, visit);
}

static void visit_guard(visit_t *visit, const mouse_guard_t *guard)
{
    bool optional = guard->provider->optional && guard->provider->optional(guard->config);

    if (!mouse_openapi_authenticates(guard))
        return;
    visit->asked = json_object();
    ask(visit, guard);
    if (json_object_size(visit->asked) == 0)
        visit->strict |= !optional;
    else if (optional)
        json_array_append(visit->options, visit->asked);
    else
        json_object_update(visit->required, visit->asked);
    json_decref(visit->asked);
}

/* One alternative for each option, and one without any where nobody insists. */
static json_t *alternatives(const visit_t *visit)
{
    json_t *security = json_array(), *option;
    size_t i;

    json_array_foreach(visit->options, i, option)
    {
        json_object_update(option, visit->required);
        json_array_append(security, option);
    }
    if (i == 0 || !visit->strict)
        json_array_append(security, visit->required);
    return security;
}

json_t *mouse_openapi_security(mouse_openapi_t *openapi, const mouse_chain_t *chain)
{
    visit_t visit = {
        .openapi = openapi, .required = json_object(), .options = json_array()};
    json_t *security = NULL;

    for (int i = 0; i < mouse_chain_count(chain); i++)
        visit_guard(&visit, mouse_chain_get(chain, i));
    if (json_object_size(visit.required) > 0 || json_array_size(visit.options) > 0)
        security = alternatives(&visit);
    json_decref(visit.required);
    json_decref(visit.options);
    return security;
}
