/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `controller NAME`: C code of another module answers, against mouse.h alone.
 *
 * The controller sees a mouse_call_t through the function table below; what it wrote is an
 * ordinary answer, and a status of 400 or more is an ordinary problem.
 */
#include "http/http_int.h"
#include "mouse.h"

#include <ap_provider.h>
#include <apr_strings.h>

typedef struct {
    const mouse_controller_t *controller;
    void *config;
} config_t;

struct mouse_call_t {
    mouse_request_t *req;
    mouse_answer_t *answer;
    mouse_error_t *err; /* what body, write or fail left */
};

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

        if (strcmp(value->name, name))
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
        if (ap_unescape_urlencoded(key) != OK || strcmp(key, name))
            continue;
        return value && ap_unescape_urlencoded(value) == OK ? value : (value ? NULL : "");
    }
    return NULL;
}

static const char *context(mouse_call_t *call, const char *name)
{
    apr_pool_t *p = call->req->pool;
    const char *dot = strchr(name, '.');
    mouse_error_t *err = NULL;
    mouse_value_t value;

    if (!dot || mouse_request_value(call->req, apr_pstrmemdup(p, name, dot - name), dot + 1,
                                    &value, &err) != APR_SUCCESS)
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

static void set_status(mouse_call_t *call, int status)
{
    if (status >= 200 && status <= 299)
        call->answer->status = status;
}

static void set_type(mouse_call_t *call, const char *type)
{
    call->answer->content_type = apr_pstrdup(call->req->pool, type);
}

static void add_header(mouse_call_t *call, const char *name, const char *value)
{
    if (!strpbrk(value, "\r\n") && !strpbrk(name, "\r\n: "))
        apr_table_add(call->answer->headers, name, value);
}

static int put_bytes(mouse_call_t *call, const char *data, size_t len)
{
    mouse_buf_append(&call->answer->body.buf, data, len);
    if (mouse_sink_settle(&call->answer->body, &call->err) != APR_SUCCESS)
        return call->err->status;
    return 0;
}

static int fail(mouse_call_t *call, int status, const char *detail)
{
    bool known = status >= 400 && status <= 599;

    call->err = NULL;
    (void)mouse_error_set(&call->err, call->req->pool,
                          known ? MOUSE_E_HTTP : MOUSE_E_INTERNAL, detail ? "%s" : NULL,
                          detail);
    if (known)
        call->err->status = status;
    return call->err->status;
}

static const mouse_api_t api = {
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
    .fail = fail,
};

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *name = setup->argv[0], *wrong = NULL;

    made->controller =
        ap_lookup_provider(MOUSE_CONTROLLER_GROUP, name, MOUSE_PROVIDER_VERSION);
    if (!made->controller)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "no module has registered a controller named \"%s\": is its "
                              "LoadModule there?",
                              name);
    if (made->controller->version > MOUSE_API_VERSION)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "controller \"%s\" was built for version %u of mouse.h, this "
                              "mod_mouse has version %d: update it",
                              name, made->controller->version, MOUSE_API_VERSION);
    if (made->controller->create)
        wrong = made->controller->create(&api, setup->pconf, &made->config);
    if (wrong)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "controller \"%s\": %s", name, wrong);
    for (int i = 0; i < setup->pattern->count; i++)
        used[i] = true;
    *config = made;
    return APR_SUCCESS;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const config_t *config = endpoint->config;
    mouse_call_t call = {.req = req, .answer = answer};
    int status;

    (void)format;
    answer->status = endpoint->shape.status;
    answer->headers = apr_table_make(req->pool, 4);
    mouse_sink_init(&answer->body, req->pool, req->settings->max_memory,
                    req->settings->max_answer);
    status = config->controller->run(config->config, &call);
    if (status == 0 && !call.err)
        return mouse_headers_expand(&endpoint->shape, req, answer, err);
    if (status != 0 && (!call.err || call.err->status != status))
        fail(&call, status, NULL);
    *err = call.err;
    return APR_EGENERAL;
}

const mouse_action_t mouse_action_controller = {
    .name = "controller", .argc = 1, .create = create, .run = run};
