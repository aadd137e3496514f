/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseCors ORIGIN... OPTION..., `*` or none: who may call from pages of other origins.
 * The innermost section that names it holds for its routes and for its paths without one.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

/* What this module reads of a request, and a page may not send without being allowed to. */
#define DEFAULT_HEADERS "Authorization, Content-Type, Idempotency-Key, If-None-Match"

typedef struct reading_t {
    cmd_parms *cmd;
    mouse_cors_t *policy;
    apr_array_header_t *origins; /* of const char * */
} reading_t;

/* "X-Trace,Content-Type" as a header's value. */
static const char *read_names(cmd_parms *cmd, const char *list, const char **text)
{
    apr_array_header_t *names = apr_array_make(cmd->pool, 4, sizeof(mouse_conf_use_t));
    const char *mistake = mouse_arguments_names(cmd, list, names);

    if (mistake)
        return mistake;
    *text = "";
    for (int i = 0; i < names->nelts; i++) {
        const char *name = APR_ARRAY_IDX(names, i, mouse_conf_use_t).name;

        if (strcmp(name, "*") == 0 || !mouse_arguments_token(name))
            return apr_psprintf(cmd->pool,
                                "\"%s\" is no header: name each, as in X-Trace,ETag", name);
        *text = apr_pstrcat(cmd->pool, *text, i ? ", " : "", name, NULL);
    }
    return NULL;
}

static const char *set_max_age(reading_t *reading, const char *value)
{
    apr_interval_time_t age;

    if (mouse_parse_duration(value, &age) != APR_SUCCESS || age % APR_USEC_PER_SEC != 0)
        return apr_psprintf(reading->cmd->pool,
                            "max-age=%s is no time in whole seconds: write 30s, 10m or 1h",
                            value);
    reading->policy->max_age =
        apr_psprintf(reading->cmd->pool, "%" APR_TIME_T_FMT, (apr_time_t)apr_time_sec(age));
    return NULL;
}

static const char *add_origin(reading_t *reading, const char *word)
{
    apr_pool_t *p = reading->cmd->pool;
    const char *mistake;

    if (strcmp(word, "none") == 0)
        return "MouseCors none clears what is inherited: it stands alone";
    if (ap_strchr_c(word, '='))
        return apr_psprintf(p,
                            "unknown option \"%s\": MouseCors knows credentials, max-age=, "
                            "headers= and expose=",
                            word);
    if ((mistake = mouse_origin_check(p, word)))
        return mistake;
    APR_ARRAY_PUSH(reading->origins, const char *) = word;
    return NULL;
}

static const char *read_word(reading_t *reading, const char *word)
{
    mouse_cors_t *policy = reading->policy;
    const char *value;

    if (strcmp(word, "credentials") == 0)
        policy->credentials = true;
    else if (strcmp(word, "*") == 0)
        policy->any = true;
    else if ((value = mouse_arguments_value(word, "max-age")))
        return set_max_age(reading, value);
    else if ((value = mouse_arguments_value(word, "headers")))
        return read_names(reading->cmd, value, &policy->headers);
    else if ((value = mouse_arguments_value(word, "expose")))
        return read_names(reading->cmd, value, &policy->expose);
    else
        return add_origin(reading, word);
    return NULL;
}

static const char *check_policy(const mouse_cors_t *policy)
{
    if (!policy->any && policy->count == 0)
        return "MouseCors names no origin: write https://app.example, * or none";
    if (policy->any && policy->count > 0)
        return "* is every origin already: name the others or it, not both";
    if (policy->any && policy->credentials)
        return "* with credentials would let every page act as its visitor: name the "
               "origins";
    if (policy->credentials && mouse_cors_allow(policy, "null"))
        return "null with credentials would let every page act as its visitor, since any "
               "page can make a frame whose origin is null";
    return NULL;
}

static const char *read_policy(cmd_parms *cmd, const apr_array_header_t *words,
                               const mouse_cors_t **policy)
{
    mouse_cors_t *made = apr_pcalloc(cmd->pool, sizeof(*made));
    reading_t reading = {.cmd = cmd,
                         .policy = made,
                         .origins = apr_array_make(cmd->pool, 4, sizeof(const char *))};
    const char *mistake = NULL;

    made->headers = DEFAULT_HEADERS;
    for (int i = 0; !mistake && i < words->nelts; i++)
        mistake = read_word(&reading, MOUSE_WORD(words, i));
    made->origins = (const char *const *)reading.origins->elts;
    made->count = reading.origins->nelts;
    *policy = made;
    if (!mistake)
        mistake = mouse_arguments_twice(cmd->pool, words, 0, NULL);
    return mistake ? mistake : check_policy(made);
}

const char *mouse_set_cors(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    const mouse_conf_cors_t **place = conf->group ? &conf->group->cors : &conf->cors;
    mouse_conf_cors_t *cors = apr_pcalloc(cmd->pool, sizeof(*cors));
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (*place)
        return apr_psprintf(cmd->pool,
                            "this section has its MouseCors at %s:%d: name all origins in "
                            "one line",
                            (*place)->place.file, (*place)->place.line);
    cors->place = mouse_place_of(cmd);
    *place = cors;
    if (words->nelts == 1 && strcmp(MOUSE_WORD(words, 0), "none") == 0)
        return NULL;
    return read_policy(cmd, words, &cors->policy);
}

const mouse_cors_t *mouse_cors_find(const mouse_conf_t *conf,
                                    const mouse_conf_group_t *group)
{
    const mouse_conf_cors_t *cors = NULL;

    for (; group && !cors; group = group->parent)
        cors = group->cors;
    if (!cors)
        cors = conf->cors;
    return cors ? cors->policy : NULL;
}

void mouse_cors_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                        mouse_endpoint_t *endpoint)
{
    static const char prefix[] = "Access-Control-";

    endpoint->cors = mouse_cors_find(compiler->conf, route->group);
    for (int i = 0; endpoint->cors && i < route->headers->nelts; i++) {
        const char *name = APR_ARRAY_IDX(route->headers, i, mouse_header_template_t).name;

        if (ap_cstr_casecmpn(name, prefix, sizeof(prefix) - 1) == 0)
            mouse_report(compiler->report, route->item.place,
                         "the header %s follows from MouseCors: leave it out", name);
    }
}
