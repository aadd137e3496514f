/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The options of a MouseRoute: one setter and one row each.
 */
#include <apr_lib.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

typedef const char *(*set_fn)(cmd_parms *cmd, mouse_conf_route_t *route, const char *value);

static const char *set_use(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    return mouse_arguments_names(cmd, value, route->use);
}

static const char *set_without(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    if (strcmp(value, "all") != 0)
        return mouse_arguments_names(cmd, value, route->without);
    route->without_all = true;
    return NULL;
}

static const char *set_status(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    int status = strlen(value) == 3 && strspn(value, "0123456789") == 3 ? atoi(value) : 0;

    if (status < 200 || status > 599 || status == HTTP_NOT_MODIFIED)
        return apr_psprintf(cmd->pool, "status=%s is no status: 200 to 599, and not 304",
                            value);
    route->status = status;
    return NULL;
}

/* Headers that the answer's body decides; a second value would contradict it. */
static bool is_ours(const char *name)
{
    static const char *const ours[] = {"Content-Length",
                                       "Transfer-Encoding",
                                       "Content-Type",
                                       "Connection",
                                       "Trailer",
                                       "Date",
                                       "ETag"};

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        if (ap_cstr_casecmp(ours[i], name) == 0)
            return true;
    }
    return false;
}

/* {+name} and {#name} let ';' through: a row could give a cookie attributes of its own. */
static bool opens_cookie(const char *name, const char *text)
{
    return ap_cstr_casecmp(name, "Set-Cookie") == 0 &&
           (ap_strstr_c(text, "{+") || ap_strstr_c(text, "{#"));
}

static const char *add_header(cmd_parms *cmd, mouse_conf_route_t *route, const char *name,
                              const char *text)
{
    mouse_header_template_t header = {.name = name};
    mouse_error_t *err = NULL;

    if (opens_cookie(name, text))
        return apr_psprintf(cmd->pool,
                            "the cookie %s takes a value as it is, and one that holds ';' "
                            "would be an attribute: write {name}",
                            text);
    if (mouse_template_parse(cmd->pool, text, &header.value, &err) != APR_SUCCESS)
        return apr_psprintf(cmd->pool, "%s: %s", name,
                            mouse_report_sentence(cmd->pool, err));
    APR_ARRAY_PUSH(route->headers, mouse_header_template_t) = header;
    return NULL;
}

static const char *set_header(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    const char *colon = ap_strchr_c(value, ':');
    const char *name = colon ? apr_pstrmemdup(cmd->pool, value, colon - value) : "";

    if (!mouse_arguments_token(name))
        return apr_psprintf(cmd->pool,
                            "header=%s is no header: write \"header=NAME: VALUE\"", value);
    if (is_ours(name))
        return apr_psprintf(cmd->pool,
                            "the header %s follows from the answer: leave it out", name);
    for (colon++; *colon == ' ' || *colon == '\t';)
        colon++;
    if (!*colon)
        return apr_psprintf(cmd->pool,
                            "the header %s has no value: quote the whole option, "
                            "\"header=%s: VALUE\"",
                            name, name);
    return add_header(cmd, route, name, colon);
}

static const char *set_cookie(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    size_t name = strcspn(value, "=");

    if (!value[name] || !mouse_arguments_token(apr_pstrmemdup(cmd->pool, value, name)))
        return apr_psprintf(cmd->pool,
                            "cookie=%s is no cookie: write \"cookie=NAME=VALUE; HttpOnly\"",
                            value);
    return add_header(cmd, route, "Set-Cookie", value);
}

static const char *set_format(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    static const char *const formats[] = {[MOUSE_FORMAT_JSON] = "json",
                                          [MOUSE_FORMAT_NDJSON] = "ndjson",
                                          [MOUSE_FORMAT_CSV] = "csv"};

    for (int i = 0; i < MOUSE_FORMATS; i++) {
        if (strcmp(formats[i], value) == 0) {
            route->format = i;
            return NULL;
        }
    }
    return apr_psprintf(cmd->pool, "as=%s is no format: there are json, ndjson and csv",
                        value);
}

static const char *set_max_body(cmd_parms *cmd, mouse_conf_route_t *route,
                                const char *value)
{
    if (mouse_parse_size(value, &route->input.max_body) == APR_SUCCESS)
        return NULL;
    return apr_psprintf(cmd->pool, "max-body=%s is no size: write 500k, 8m or 1g", value);
}

static const char *set_accept(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    if (strcmp(value, "form") != 0)
        return apr_psprintf(cmd->pool, "accept=%s is unknown: there is accept=form", value);
    route->input.accept_form = true;
    return NULL;
}

static const char *set_cross_site(cmd_parms *cmd, mouse_conf_route_t *route,
                                  const char *value)
{
    if (strcmp(value, "allow") != 0)
        return apr_psprintf(cmd->pool,
                            "cross-site=%s is unknown: there is cross-site=allow", value);
    route->cross_site = true;
    return NULL;
}

static const char *set_etag(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    (void)cmd;
    (void)value;
    route->etag = true;
    return NULL;
}

static const char *set_strict(cmd_parms *cmd, mouse_conf_route_t *route, const char *value)
{
    (void)cmd;
    (void)value;
    route->input.strict = true;
    return NULL;
}

static const char *set_idempotent(cmd_parms *cmd, mouse_conf_route_t *route,
                                  const char *value)
{
    mouse_error_t *err = NULL;

    if (!*value)
        return "idempotent= needs whose keys they are, as in idempotent={user.id}";
    if (mouse_template_parse(cmd->pool, value, &route->idempotent.scope, &err) !=
        APR_SUCCESS)
        return apr_psprintf(cmd->pool, "idempotent=: %s",
                            mouse_report_sentence(cmd->pool, err));
    return NULL;
}

static const char *set_idempotent_ttl(cmd_parms *cmd, mouse_conf_route_t *route,
                                      const char *value)
{
    apr_interval_time_t *ttl = &route->idempotent.ttl;

    if (mouse_parse_duration(value, ttl) == APR_SUCCESS && *ttl >= apr_time_from_sec(1))
        return NULL;
    return apr_psprintf(cmd->pool,
                        "idempotent-ttl=%s is no time of a second or more: write 30m, 24h "
                        "or 7d",
                        value);
}

static const char *set_deadline(cmd_parms *cmd, mouse_conf_route_t *route,
                                const char *value)
{
    if (mouse_parse_duration(value, &route->deadline) == APR_SUCCESS && route->deadline > 0)
        return NULL;
    return apr_psprintf(cmd->pool, "deadline=%s is no time: write 500ms or 2s", value);
}

static const char *set_coalesce(cmd_parms *cmd, mouse_conf_route_t *route,
                                const char *value)
{
    (void)cmd;
    (void)value;
    route->coalesce = true;
    return NULL;
}

static const struct {
    const char *name;
    bool takes_value;
    set_fn set;
} options[] = {
    {"use", true, set_use},
    {"without", true, set_without},
    {"status", true, set_status},
    {"header", true, set_header},
    {"cookie", true, set_cookie},
    {"as", true, set_format},
    {"max-body", true, set_max_body},
    {"accept", true, set_accept},
    {"cross-site", true, set_cross_site},
    {"idempotent", true, set_idempotent},
    {"idempotent-ttl", true, set_idempotent_ttl},
    {"envelope-action", true, mouse_envelope_action},
    {"deadline", true, set_deadline},
    {"etag", false, set_etag},
    {"strict", false, set_strict},
    {"coalesce", false, set_coalesce},
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

static const char *unknown_option(apr_pool_t *p, const char *word)
{
    const char *known = "";

    for (size_t i = 0; i < OPTIONS; i++)
        known = apr_pstrcat(p, known, i ? ", " : "", options[i].name,
                            options[i].takes_value ? "=" : "", NULL);
    return apr_psprintf(p, "unknown option \"%s\": MouseRoute knows %s", word, known);
}

static const char *set_option(cmd_parms *cmd, mouse_conf_route_t *route, const char *word)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *value =
            options[i].takes_value ? mouse_arguments_value(word, options[i].name) : word;

        if (value && (options[i].takes_value || strcmp(word, options[i].name) == 0))
            return options[i].set(cmd, route, value);
    }
    return unknown_option(cmd->pool, word);
}

const char *mouse_route_options(cmd_parms *cmd, mouse_conf_route_t *route,
                                const apr_array_header_t *words, int first)
{
    static const char *const repeatable[] = {
        "use=", "without=", "header=", "cookie=", NULL};
    const char *mistake;

    for (int i = first; i < words->nelts; i++) {
        if ((mistake = set_option(cmd, route, MOUSE_WORD(words, i))))
            return mistake;
    }
    return mouse_arguments_twice(cmd->pool, words, first, repeatable);
}
