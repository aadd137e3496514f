/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Calls: what C code of other modules sees of a request, the function table of mouse.h.
 * Controllers and guards share it; a guard's call has no answer, but a context.
 */
#include "http/http_int.h"

#include <apr_strings.h>

static apr_pool_t *pool(mouse_call_t *call)
{
    return call->req->pool;
}

static const char *method(mouse_call_t *call)
{
    return call->req->method;
}

static const char *path(mouse_call_t *call)
{
    return call->req->path;
}

static const char *request_id(mouse_call_t *call)
{
    return call->req->host->id(call->req->baton);
}

static const char *header(mouse_call_t *call, const char *name)
{
    return call->req->host->header(call->req->baton, name);
}

static const char *path_value(mouse_call_t *call, const char *name, size_t *len)
{
    for (int i = 0; i < call->req->path_count; i++) {
        const mouse_path_value_t *value = &call->req->path_values[i];

        if (strcmp(value->name, name) != 0)
            continue;
        *len = value->value.len;
        return mouse_slice_copy(call->req->pool, value->value);
    }
    return NULL;
}

static const char *query_value(mouse_call_t *call, const char *name)
{
    apr_pool_t *p = call->req->pool;
    char *rest = mouse_slice_copy(p, call->req->query);

    while (rest && *rest) {
        char *key = rest, *value;

        rest = strchr(rest, '&');
        if (rest)
            *rest++ = '\0';
        value = strchr(key, '=');
        if (value)
            *value++ = '\0';
        if (ap_unescape_urlencoded(key) != OK || strcmp(key, name) != 0)
            continue;
        if (!value)
            return "";
        return ap_unescape_urlencoded(value) == OK ? value : NULL;
    }
    return NULL;
}

static const char *context(mouse_call_t *call, const char *name)
{
    apr_pool_t *p = call->req->pool;
    mouse_error_t *err = NULL;
    mouse_value_t value;

    if (!strchr(name, '.') ||
        mouse_request_dotted(call->req, name, &value, &err) != APR_SUCCESS)
        return NULL;
    return value.kind == MOUSE_VALUE_NULL
               ? NULL
               : mouse_slice_copy(p, mouse_value_text(p, &value));
}

static int body(mouse_call_t *call, const char **data, size_t *len)
{
    mouse_request_t *req = call->req;
    mouse_slice_t all;

    if (req->host->body(req->baton, req->input->max_body, &all, &call->err) != APR_SUCCESS)
        return call->err->status;
    *data = all.data;
    *len = all.len;
    return 0;
}

/* A guard has no answer to shape, but headers. */
static void set_status(mouse_call_t *call, int status)
{
    if (call->answer && status >= 200 && status <= 299)
        call->answer->status = status;
}

static void set_type(mouse_call_t *call, const char *type)
{
    if (call->answer)
        call->answer->content_type = apr_pstrdup(call->req->pool, type);
}

static void add_header(mouse_call_t *call, const char *name, const char *value)
{
    if (!strpbrk(value, "\r\n") && !strpbrk(name, "\r\n: "))
        apr_table_add(call->answer ? call->answer->headers : call->req->headers, name,
                      value);
}

static int put_bytes(mouse_call_t *call, const char *data, size_t len)
{
    if (!call->answer)
        return mouse_call_fail(call, 500, NULL);
    mouse_buf_append(&call->answer->body.buf, data, len);
    if (mouse_sink_settle(&call->answer->body, &call->err) != APR_SUCCESS)
        return call->err->status;
    return 0;
}

int mouse_call_fail(mouse_call_t *call, int status, const char *detail)
{
    bool known = status >= 400 && status <= 599;

    call->err = NULL;
    mouse_error_set(&call->err, call->req->pool, known ? MOUSE_E_HTTP : MOUSE_E_INTERNAL,
                    detail ? "%s" : NULL, detail);
    if (known)
        call->err->status = status;
    return call->err->status;
}

static const char *argument(mouse_call_t *call, int i, size_t *len)
{
    mouse_slice_t text = {NULL, 0};

    if (i < 0 || i >= call->argument_count ||
        mouse_argument_text(call->req, call->arguments[i], &text, &call->err) !=
            APR_SUCCESS)
        return NULL;
    *len = text.len;
    return mouse_slice_copy(call->req->pool, text);
}

static int give(mouse_call_t *call, const char *field, const char *value)
{
    mouse_context_t *context = call->context;

    for (int i = 0; context && i < context->count; i++) {
        if (strcmp(context->names[i], field) == 0) {
            mouse_guard_set_text(context, i, context->names[i],
                                 value ? apr_pstrdup(call->req->pool, value) : NULL);
            return 0;
        }
    }
    return mouse_call_fail(call, 500, NULL);
}

const mouse_api_t mouse_call_api = {
    .version = MOUSE_API_VERSION,
    .pool = pool,
    .method = method,
    .path = path,
    .request_id = request_id,
    .header = header,
    .path_value = path_value,
    .query_value = query_value,
    .context = context,
    .body = body,
    .set_status = set_status,
    .set_type = set_type,
    .add_header = add_header,
    .write = put_bytes,
    .fail = mouse_call_fail,
    .argument = argument,
    .give = give,
};
