/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The handler mouse-call: a POST to it runs another request inside the server, by an
 * internal redirect, with context given by hand instead of by guards. `mouse call` asks so.
 *
 * The header Mouse-Call says what to run, {"key": ..., "method": "GET", "target": "/x?y=1",
 * "context": {"user.id": 7}}; the other headers and the body are the request's own. Who
 * knows the key may be anybody to every route: without MouseCallKey there is no handler.
 */
#include "http/http_int.h"

#include <errno.h>

#include <apr_strings.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_request.h>
#include <nettle/memops.h>

APLOG_USE_MODULE(mouse);

#define HANDLER "mouse-call"
#define HEADER  "Mouse-Call"
#define DEPTH   4 /* of the header's JSON: what nests too deep is no field, either */

typedef struct wanted_t {
    apr_pool_t *p;
    const char *key, *method, *target;
    apr_array_header_t *given; /* of mouse_context_t */
} wanted_t;

static apr_status_t refuse(const wanted_t *wanted, mouse_error_t **err, const char *why)
{
    return mouse_error_set(err, wanted->p, MOUSE_E_BAD_REQUEST, HEADER ": %s", why);
}

/* ---- what the header says ---- */

static apr_status_t read_text(const wanted_t *wanted, const mouse_json_node_t *object,
                              const char *name, const char **text, mouse_error_t **err)
{
    const mouse_json_node_t *node =
        mouse_json_find(wanted->p, object, mouse_slice_of(name));
    mouse_slice_t value;

    if (!node || node->type != MOUSE_JSON_STRING)
        return refuse(wanted, err, apr_psprintf(wanted->p, "%s is a string", name));
    value = mouse_json_string(wanted->p, node);
    *text = mouse_slice_copy(wanted->p, value);
    if (strlen(*text) != value.len)
        return refuse(wanted, err, apr_psprintf(wanted->p, "%s holds NUL", name));
    return APR_SUCCESS;
}

/* Integers as such, other numbers by their digits; an exponent is neither. */
static bool read_number(const wanted_t *wanted, mouse_slice_t text, mouse_value_t *value)
{
    const char *digits = mouse_slice_copy(wanted->p, text);
    char *end;

    errno = 0;
    value->kind = MOUSE_VALUE_INT;
    value->i = apr_strtoi64(digits, &end, 10);
    if (*end == '\0' && errno == 0)
        return true;
    value->kind = MOUSE_VALUE_DECIMAL;
    value->text = text;
    return digits[strspn(digits, "-.0123456789")] == '\0';
}

static bool read_value(const wanted_t *wanted, const mouse_json_node_t *node,
                       mouse_value_t *value)
{
    switch (node->type) {
    case MOUSE_JSON_NULL:
        value->kind = MOUSE_VALUE_NULL;
        return true;
    case MOUSE_JSON_TRUE:
    case MOUSE_JSON_FALSE:
        value->kind = MOUSE_VALUE_BOOL;
        value->i = node->type == MOUSE_JSON_TRUE;
        return true;
    case MOUSE_JSON_NUMBER:
        return read_number(wanted, node->text, value);
    case MOUSE_JSON_STRING:
        value->kind = MOUSE_VALUE_STRING;
        value->text = mouse_json_string(wanted->p, node);
        return true;
    default:
        return false;
    }
}

/* The context of a guard, with room for as many fields as are given in all. */
static mouse_context_t *find_context(const wanted_t *wanted, const char *guard, size_t room)
{
    mouse_context_t *context = mouse_context_of(wanted->given, guard);

    if (context)
        return context;
    context = apr_array_push(wanted->given);
    *context = (mouse_context_t){
        .guard = guard,
        .given = true,
        .names = apr_palloc(wanted->p, room * sizeof(*context->names)),
        .values = apr_palloc(wanted->p, room * sizeof(*context->values)),
    };
    return context;
}

static apr_status_t read_field(const wanted_t *wanted, const mouse_json_node_t *node,
                               size_t room, mouse_error_t **err)
{
    char *name = mouse_slice_copy(wanted->p, mouse_json_key(wanted->p, node));
    char *dot = strchr(name, '.');
    mouse_context_t *context;

    if (!dot || dot == name || !dot[1])
        return refuse(wanted, err, "context has members such as \"user.id\"");
    *dot = '\0';
    context = find_context(wanted, name, room);
    context->names[context->count] = dot + 1;
    if (!read_value(wanted, node, &context->values[context->count++]))
        return refuse(wanted, err,
                      apr_psprintf(wanted->p,
                                   "%s.%s is a string, true, false, null or a number "
                                   "without an exponent",
                                   name, dot + 1));
    return APR_SUCCESS;
}

static apr_status_t read_context(const wanted_t *wanted, const mouse_json_node_t *root,
                                 mouse_error_t **err)
{
    const mouse_json_node_t *object =
        mouse_json_find(wanted->p, root, MOUSE_SLICE("context"));

    if (!object)
        return APR_SUCCESS;
    if (object->type != MOUSE_JSON_OBJECT)
        return refuse(wanted, err, "context is an object");
    for (MOUSE_JSON_EACH (field, object)) {
        apr_status_t rv = read_field(wanted, field, object->size, err);

        if (rv != APR_SUCCESS)
            return rv;
    }
    return APR_SUCCESS;
}

static apr_status_t read_wanted(wanted_t *wanted, const char *header, mouse_error_t **err)
{
    const mouse_json_doc_t *doc;
    apr_status_t rv;

    if (!header)
        return refuse(wanted, err, "this header says what to run");
    rv = mouse_json_scan(wanted->p, mouse_slice_of(header), DEPTH, &doc, err);
    if (rv != APR_SUCCESS)
        return rv;
    if (doc->root->type != MOUSE_JSON_OBJECT)
        return refuse(wanted, err, "its value is a JSON object");
    rv = read_text(wanted, doc->root, "key", &wanted->key, err);
    if (rv == APR_SUCCESS)
        rv = read_text(wanted, doc->root, "method", &wanted->method, err);
    if (rv == APR_SUCCESS)
        rv = read_text(wanted, doc->root, "target", &wanted->target, err);
    return rv == APR_SUCCESS ? read_context(wanted, doc->root, err) : rv;
}

/* ---- may it run, and how it does ---- */

static bool knows_key(const wanted_t *wanted, const char *key)
{
    size_t len = strlen(key);

    return strlen(wanted->key) == len && memeql_sec(wanted->key, key, len);
}

static bool is_target(const char *text)
{
    if (*text != '/')
        return false;
    while (*text > ' ' && *text <= '~' && *text != '#')
        text++;
    return !*text;
}

static bool is_method(const char *text)
{
    return mouse_method_find(text) >= 0 || strcmp(text, "HEAD") == 0 ||
           strcmp(text, "OPTIONS") == 0;
}

static apr_status_t check_wanted(const wanted_t *wanted, const char *key,
                                 mouse_error_t **err)
{
    if (!knows_key(wanted, key)) {
        mouse_error_set(err, wanted->p, MOUSE_E_HTTP, HEADER ": another key");
        (*err)->status = HTTP_FORBIDDEN;
        return APR_EGENERAL;
    }
    if (!is_method(wanted->method))
        return refuse(wanted, err, "routes have no such method");
    if (!is_target(wanted->target))
        return refuse(wanted, err, "the target is a path, percent-encoded, and a query");
    return APR_SUCCESS;
}

static void log_given(request_rec *r, const wanted_t *wanted)
{
    const char *names = "";

    for (int i = 0; i < wanted->given->nelts; i++)
        names = apr_pstrcat(r->pool, names, i ? ", " : " as ",
                            APR_ARRAY_IDX(wanted->given, i, mouse_context_t).guard, NULL);
    ap_log_rerror(APLOG_MARK, APLOG_NOTICE, 0, r, "mouse: called by hand: %s %s%s [%s]",
                  wanted->method, ap_escape_logitem(r->pool, wanted->target), names,
                  mouse_request_id(r));
}

static int run(request_rec *r, const wanted_t *wanted)
{
    log_given(r, wanted);
    apr_table_unset(r->headers_in, HEADER);
    r->method = wanted->method;
    r->method_number = ap_method_number_of(wanted->method);
    r->header_only = strcmp(wanted->method, "HEAD") == 0;
    ap_internal_redirect(wanted->target, r);
    return OK;
}

int mouse_http_call(request_rec *r, const mouse_site_t *site)
{
    wanted_t wanted = {.p = r->pool};
    mouse_error_t *err = NULL;
    mouse_visit_t *visit;

    if (!r->handler || strcmp(r->handler, HANDLER) != 0)
        return DECLINED;
    if (!site || !site->call_key)
        return HTTP_NOT_FOUND;
    r->allowed = AP_METHOD_BIT << M_POST;
    if (r->method_number != M_POST)
        return HTTP_METHOD_NOT_ALLOWED;
    visit = mouse_visit_get(r);
    if (!visit)
        visit = mouse_visit_create(r, site);
    wanted.given = apr_array_make(r->pool, 2, sizeof(mouse_context_t));
    if (read_wanted(&wanted, apr_table_get(r->headers_in, HEADER), &err) != APR_SUCCESS ||
        check_wanted(&wanted, site->call_key, &err) != APR_SUCCESS)
        return mouse_problem_send(visit, err);
    if (wanted.given->nelts > 0)
        visit->given = wanted.given;
    return run(r, &wanted);
}
