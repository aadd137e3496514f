/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `same-origin [allow=ORIGIN[,ORIGIN]...] [else=STATUS]`: refuses what another site's page
 * makes a browser send, cookies included.
 *
 * A browser says where a request comes from: in Sec-Fetch-Site, an older one in Origin.
 * Without both it is no browser's request, so nobody's cookie is borrowed. GET, HEAD and
 * OPTIONS pass: they change nothing.
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

typedef struct same_origin_t {
    apr_array_header_t *allow; /* of const char * */
    int status;
} same_origin_t;

/* A sandboxed frame of any page sends "null". */
static const char *check_origin(apr_pool_t *p, const char *origin)
{
    return strcmp(origin, "null") == 0 ? "\"null\" is the origin of any page's sandboxed "
                                         "frame: it cannot be allowed"
                                       : mouse_origin_check(p, origin);
}

static apr_status_t read_allow(mouse_guard_setup_t *setup, same_origin_t *made,
                               const char *list, mouse_error_t **err)
{
    char *rest, *origin, *copy = apr_pstrdup(setup->pconf, list ? list : "");

    made->allow = apr_array_make(setup->pconf, 2, sizeof(const char *));
    for (origin = apr_strtok(copy, ",", &rest); origin;
         origin = apr_strtok(NULL, ",", &rest)) {
        const char *mistake = check_origin(setup->pconf, origin);

        if (mistake)
            return mouse_guard_refuse(setup, err, "%s", mistake);
        APR_ARRAY_PUSH(made->allow, const char *) = origin;
    }
    return APR_SUCCESS;
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    same_origin_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *allow = NULL, *status = NULL;
    const mouse_guard_option_t options[] = {
        {"allow=", &allow}, {"else=", &status}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    made->status = 403;
    *config = made;
    if (rv == APR_SUCCESS)
        rv = read_allow(setup, made, allow, err);
    if (rv == APR_SUCCESS && status)
        rv = mouse_guard_status(setup, status, &made->status, err);
    return rv;
}

static bool is_safe(const char *method)
{
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 ||
           strcmp(method, "OPTIONS") == 0;
}

static bool is_allowed(const same_origin_t *made, const char *origin)
{
    for (int i = 0; origin && i < made->allow->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(made->allow, i, const char *), origin) == 0)
            return true;
    }
    return false;
}

/* The length of host[:port] without a port that its scheme implies. */
static size_t authority_length(const char *text)
{
    size_t len = strlen(text);

    if (len > 3 && strcmp(text + len - 3, ":80") == 0)
        return len - 3;
    if (len > 4 && strcmp(text + len - 4, ":443") == 0)
        return len - 4;
    return len;
}

/* The scheme is not compared: behind a proxy that ends TLS the server does not know it. */
static bool is_own(const mouse_request_t *req, const char *origin)
{
    const char *host = strstr(origin, "://");
    const char *own = req->host->authority(req->baton);
    size_t len;

    if (!host || !own)
        return false;
    host += 3;
    len = authority_length(host);
    return len == authority_length(own) && strncasecmp(host, own, len) == 0;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const same_origin_t *made = config;
    const char *site = req->host->header(req->baton, "Sec-Fetch-Site");
    const char *origin = req->host->header(req->baton, "Origin");

    if (is_safe(req->method) || is_allowed(made, origin))
        return MOUSE_GUARD_PASS;
    if (site ? strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0
             : !origin || is_own(req, origin))
        return MOUSE_GUARD_PASS;
    return mouse_guard_end(
        req, made->status,
        apr_psprintf(req->pool, "sent by another site's page (%s)", origin ? origin : site),
        err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const same_origin_t *made = config;

    facts->status = made->status;
}

const mouse_guard_provider_t mouse_guard_same_origin = {
    .name = "same-origin",
    .create = create,
    .check = check,
    .describe = describe,
};
