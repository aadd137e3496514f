/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Arguments: what a configuration names of a request, `{user.id}` or `{password}`, as a
 * value, as text, or as a key that different values never share.
 *
 * A dotted name is context. A bare one is a parameter as the route's model declares it, so
 * that what is checked is what is used. One that it does not declare is a string as a model
 * would read it without `from`: of the path, else of the query or, on POST, PUT and PATCH,
 * of the body.
 */

#include "model/bind_int.h"

#include <arpa/inet.h>

#include <apr_strings.h>

struct mouse_argument_t {
    const char *text; /* as written */
    const mouse_template_t *tpl;
};

apr_status_t mouse_argument_parse(apr_pool_t *pconf, const char *text,
                                  const mouse_argument_t **out, mouse_error_t **err)
{
    mouse_argument_t *arg = apr_pcalloc(pconf, sizeof(*arg));

    arg->text = apr_pstrdup(pconf, text);
    *out = arg;
    return mouse_template_parse(pconf, text, &arg->tpl, err);
}

const char *const *mouse_argument_names(const mouse_argument_t *arg, int *count)
{
    return mouse_template_names(arg->tpl, count);
}

bool mouse_argument_is_value(const mouse_argument_t *arg)
{
    int count;
    const char *const *names = mouse_template_names(arg->tpl, &count);
    size_t len = strlen(arg->text);

    return count == 1 && len == strlen(names[0]) + 2 &&
           memcmp(arg->text + 1, names[0], len - 2) == 0;
}

bool mouse_request_has_body(const mouse_request_t *req)
{
    return strcmp(req->method, "POST") == 0 || strcmp(req->method, "PUT") == 0 ||
           strcmp(req->method, "PATCH") == 0;
}

static mouse_source_t source_of(const mouse_request_t *req, const char *name)
{
    for (int i = 0; i < req->path_count; i++) {
        if (strcmp(req->path_values[i].name, name) == 0)
            return MOUSE_FROM_PATH;
    }
    return mouse_request_has_body(req) ? MOUSE_FROM_BODY : MOUSE_FROM_QUERY;
}

static apr_status_t refuse(bind_t *bind)
{
    if (bind->violations->nelts == 0)
        return APR_SUCCESS;
    mouse_error_set(bind->err, bind->req->pool, MOUSE_E_PARAMETERS, NULL);
    (*bind->err)->violations = bind->violations;
    return APR_EGENERAL;
}

/* Whether it may be absent or null is left to the model. */
static mouse_param_t make_param(const mouse_request_t *req, const char *name,
                                const mouse_model_t *model)
{
    const mouse_param_t *declared = mouse_param_find(model, name);
    mouse_param_t param = {.name = name, .type = MOUSE_TYPE_STRING, .order = -1};

    param.source = source_of(req, name);
    if (declared && mouse_param_is_value(declared))
        param = *declared;
    else if (declared)
        param.source = declared->source;
    param.nullable = param.optional = true;
    return param;
}

/* As the action's model declares it, with its default, else a string. Absent is NULL. */
static apr_status_t find_parameter(mouse_request_t *req, const char *name,
                                   mouse_value_t *value, mouse_error_t **err)
{
    static const mouse_model_t no_model = {.dialect = MOUSE_DIALECT_MYSQL};
    const mouse_model_t *model = req->input ? req->input->model : NULL;
    const mouse_param_t param = make_param(req, name, model);
    bind_t bind = {.req = req,
                   .model = model ? model : &no_model,
                   .violations = apr_array_make(req->pool, 1, sizeof(mouse_violation_t)),
                   .err = err};
    found_t found = {0};
    apr_status_t rv = mouse_bind_find(&bind, &param, &found);

    *value = (mouse_value_t){.kind = MOUSE_VALUE_NULL};
    if (rv != APR_SUCCESS)
        return rv;
    if (found.repeated)
        mouse_bind_violate(&bind, name, param.source, "repeated",
                           "The value was sent more than once.");
    else if (found.present)
        mouse_bind_scalar(&bind, &param, name, &found, value);
    else
        mouse_bind_absent(&bind, &param, name, value);
    return refuse(&bind);
}

static apr_status_t find_value(void *baton, const char *name, mouse_value_t *value,
                               mouse_error_t **err)
{
    mouse_request_t *req = baton;

    return strchr(name, '.') ? mouse_request_dotted(req, name, value, err)
                             : find_parameter(req, name, value, err);
}

apr_status_t mouse_argument_value(mouse_request_t *req, const mouse_argument_t *arg,
                                  mouse_value_t *value, mouse_error_t **err)
{
    int count;

    return find_value(req, mouse_template_names(arg->tpl, &count)[0], value, err);
}

apr_status_t mouse_argument_text(mouse_request_t *req, const mouse_argument_t *arg,
                                 mouse_slice_t *text, mouse_error_t **err)
{
    return mouse_template_join(req->pool, arg->tpl, find_value, req, text, err);
}

apr_status_t mouse_argument_key(mouse_request_t *req, const mouse_argument_t *arg,
                                mouse_slice_t *key, mouse_error_t **err)
{
    return mouse_template_key(req->pool, arg->tpl, find_value, req, key, err);
}

/* An IPv6 address's /64 in hexadecimal digits; in p, or ip itself. */
static const char *network_of(apr_pool_t *p, const char *ip)
{
    static const char hex[] = "0123456789abcdef";
    struct in6_addr address;
    const unsigned char *b = address.s6_addr;
    char *text;

    if (!strchr(ip, ':'))
        return ip;
    if (inet_pton(AF_INET6, apr_pstrmemdup(p, ip, strcspn(ip, "%")), &address) != 1)
        return ip;
    if (IN6_IS_ADDR_V4MAPPED(&address))
        return apr_psprintf(p, "%d.%d.%d.%d", b[12], b[13], b[14], b[15]);
    text = apr_palloc(p, 16 + sizeof("/64"));
    for (int i = 0; i < 8; i++) {
        text[2 * i] = hex[b[i] >> 4];
        text[2 * i + 1] = hex[b[i] & 15];
    }
    memcpy(text + 16, "/64", sizeof("/64"));
    return text;
}

static apr_status_t find_client_value(void *baton, const char *name, mouse_value_t *value,
                                      mouse_error_t **err)
{
    mouse_request_t *req = baton;
    const char *ip;

    if (strcmp(name, "request.ip") != 0)
        return find_value(req, name, value, err);
    ip = req->host->ip(req->baton);
    value->kind = ip ? MOUSE_VALUE_STRING : MOUSE_VALUE_NULL;
    value->text = mouse_slice_of(ip ? network_of(req->pool, ip) : NULL);
    return APR_SUCCESS;
}

apr_status_t mouse_argument_client_key(mouse_request_t *req, const mouse_argument_t *arg,
                                       mouse_slice_t *key, mouse_error_t **err)
{
    return mouse_template_key(req->pool, arg->tpl, find_client_value, req, key, err);
}
