/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* A request's raw inputs, each parsed once and only when asked for: query, body,
 * cookies; and headers by their names. */

#include "model/model_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

static mouse_inputs_t *get_inputs(mouse_request_t *req)
{
    if (!req->inputs)
        req->inputs = apr_pcalloc(req->pool, sizeof(*req->inputs));
    return req->inputs;
}

/* application/x-www-form-urlencoded, of which a query is one, too. */
static bool decode_form(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *decoded)
{
    char *out = apr_palloc(p, text.len + 1);

    *decoded = (mouse_slice_t){out, 0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];

        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            int high = i + 2 < text.len ? mouse_hex_digit(text.data[i + 1]) : -1;
            int low = high >= 0 ? mouse_hex_digit(text.data[i + 2]) : -1;

            if (low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        *out++ = c;
    }
    *out = '\0';
    decoded->len = (size_t)(out - decoded->data);
    return true;
}

static apr_status_t parse_form(apr_pool_t *p, mouse_slice_t text,
                               apr_array_header_t **pairs, mouse_error_t **err)
{
    const char *at = text.data, *end = text.data + text.len;

    *pairs = apr_array_make(p, 8, sizeof(mouse_pair_t));
    while (at < end) {
        const char *stop = memchr(at, '&', (size_t)(end - at));
        const char *equals;
        mouse_pair_t pair = {{NULL, 0}, {"", 0}};

        stop = stop ? stop : end;
        equals = memchr(at, '=', (size_t)(stop - at));
        if (!decode_form(p, (mouse_slice_t){at, (size_t)((equals ? equals : stop) - at)},
                         &pair.name) ||
            (equals &&
             !decode_form(p, (mouse_slice_t){equals + 1, (size_t)(stop - equals - 1)},
                          &pair.value)))
            return mouse_error_set(err, p, MOUSE_E_BAD_REQUEST,
                                   "The query or form has a bad percent-escape.");
        if (stop > at)
            APR_ARRAY_PUSH(*pairs, mouse_pair_t) = pair;
        at = stop + 1;
    }
    return APR_SUCCESS;
}

apr_status_t mouse_inputs_query(mouse_request_t *req, mouse_error_t **err)
{
    mouse_inputs_t *inputs = get_inputs(req);
    apr_status_t rv;

    if (inputs->query_read)
        return APR_SUCCESS;
    rv = parse_form(req->pool, req->query, &inputs->query, err);
    inputs->query_read = rv == APR_SUCCESS;
    return rv;
}

/* Is this "application/json", or another type whose syntax is JSON (RFC 6839)? */
static bool is_json(const char *type)
{
    size_t len = strlen(type);

    return strcmp(type, "application/json") == 0 ||
           (len > 5 && strcmp(type + len - 5, "+json") == 0);
}

/* The media type in lower case, without parameters; *utf8 false: another charset
 * is said. */
static char *media_type(apr_pool_t *p, const char *header, bool *utf8)
{
    char *type = apr_pstrdup(p, header), *rest = strchr(type, ';'), *charset;

    *utf8 = true;
    for (charset = type; *charset; charset++)
        *charset = (char)apr_tolower(*charset);
    if (!rest) {
        rest = type + strlen(type);
    } else {
        charset = strstr(rest, "charset=");
        if (charset) {
            charset += strlen("charset=");
            charset += *charset == '"';
            *utf8 = strncmp(charset, "utf-8", 5) == 0 &&
                    (charset[5] == '\0' || strchr("\"; \t", charset[5]));
        }
    }
    while (rest > type && (rest[-1] == ' ' || rest[-1] == '\t'))
        rest--;
    *rest = '\0';
    return type;
}

static apr_status_t parse_body(mouse_request_t *req, mouse_inputs_t *inputs, int depth,
                               mouse_error_t **err)
{
    const char *header = req->host->header(req->baton, "Content-Type");
    const char *type;
    bool utf8;

    if (!header && inputs->body.len == 0)
        return mouse_json_scan(req->pool, MOUSE_SLICE("{}"), depth, &inputs->json, err);
    type = media_type(req->pool, header ? header : "", &utf8);
    if (is_json(type) && utf8)
        return mouse_json_scan(req->pool, inputs->body, depth, &inputs->json, err);
    if (req->input->accept_form && utf8 &&
        strcmp(type, "application/x-www-form-urlencoded") == 0)
        return parse_form(req->pool, inputs->body, &inputs->form, err);
    return mouse_error_set(err, req->pool, MOUSE_E_MEDIA_TYPE,
                           "The body must be application/json in UTF-8%s.",
                           req->input->accept_form ? " or a form" : "");
}

static apr_status_t read_body(mouse_request_t *req, int depth, mouse_error_t **err)
{
    mouse_inputs_t *inputs = get_inputs(req);
    apr_status_t rv;

    if (inputs->json || inputs->form)
        return APR_SUCCESS;
    rv = req->host->body(req->baton, req->input->max_body, &inputs->body, err);
    return rv == APR_SUCCESS ? parse_body(req, inputs, depth, err) : rv;
}

apr_status_t mouse_inputs_body(mouse_request_t *req, mouse_error_t **err)
{
    return read_body(req, MOUSE_JSON_DEPTH, err);
}

apr_status_t mouse_request_json(mouse_request_t *req, const mouse_json_node_t **root,
                                mouse_error_t **err)
{
    apr_status_t rv = read_body(req, MOUSE_JSON_DEPTH, err);

    if (rv == APR_SUCCESS && !req->inputs->json)
        return mouse_error_set(err, req->pool, MOUSE_E_MEDIA_TYPE,
                               "The body must be application/json in UTF-8.");
    if (rv == APR_SUCCESS)
        *root = req->inputs->json->root;
    return rv;
}

apr_status_t mouse_request_replace_json(mouse_request_t *req, const mouse_json_node_t *root,
                                        mouse_error_t **err)
{
    mouse_json_doc_t *doc = apr_palloc(req->pool, sizeof(*doc));

    if (root->type == MOUSE_JSON_ARRAY && root->size == 0)
        return mouse_json_scan(req->pool, MOUSE_SLICE("{}"), MOUSE_JSON_DEPTH,
                               &req->inputs->json, err);
    *doc = (mouse_json_doc_t){.source = root->text, .root = root, .count = root->span};
    req->inputs->json = doc;
    return APR_SUCCESS;
}

const char *mouse_request_media_type(apr_pool_t *p, const mouse_request_t *req)
{
    const char *header = req->host->header(req->baton, "Content-Type");
    bool utf8;

    return header ? media_type(p, header, &utf8) : NULL;
}

apr_status_t mouse_request_read_json(mouse_request_t *req, int depth, mouse_error_t **err)
{
    const char *type = mouse_request_media_type(req->pool, req);
    const mouse_json_doc_t *read = req->inputs ? req->inputs->json : NULL;

    if (!type || !is_json(type))
        return APR_SUCCESS;
    /* Who has read it before did not look at the depth. */
    if (read)
        return mouse_json_scan(req->pool, read->source, depth, &read, err);
    return read_body(req, depth, err);
}

static void parse_cookies(const char *at, apr_array_header_t *cookies)
{
    while (at && *at) {
        const char *stop = at + strcspn(at, ";");
        const char *equals = memchr(at, '=', (size_t)(stop - at));

        if (equals) {
            mouse_pair_t *pair = apr_array_push(cookies);

            pair->name = (mouse_slice_t){at, (size_t)(equals - at)};
            pair->value = (mouse_slice_t){equals + 1, (size_t)(stop - equals - 1)};
            if (pair->value.len >= 2 && pair->value.data[0] == '"' && stop[-1] == '"')
                pair->value = (mouse_slice_t){equals + 2, pair->value.len - 2};
        }
        at = stop + strspn(stop, "; \t");
    }
}

const mouse_slice_t *mouse_inputs_cookie(mouse_request_t *req, const char *name)
{
    mouse_inputs_t *inputs = get_inputs(req);

    if (!inputs->cookies_read) {
        inputs->cookies_read = true;
        inputs->cookies = apr_array_make(req->pool, 4, sizeof(mouse_pair_t));
        parse_cookies(req->host->header(req->baton, "Cookie"), inputs->cookies);
    }
    for (int i = 0; i < inputs->cookies->nelts; i++) {
        const mouse_pair_t *pair = &APR_ARRAY_IDX(inputs->cookies, i, mouse_pair_t);

        if (mouse_slice_equal(pair->name, mouse_slice_of(name)))
            return &pair->value;
    }
    return NULL;
}

char *mouse_header_name(apr_pool_t *p, const char *field)
{
    char *name = apr_pstrdup(p, field);

    for (char *c = name; *c; c++) {
        if (*c == '_')
            *c = '-';
    }
    return name;
}

const char *mouse_inputs_header(const mouse_request_t *req, const char *field)
{
    return req->host->header(req->baton, mouse_header_name(req->pool, field));
}
