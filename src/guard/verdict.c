/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What providers share per request: ending it, adding context, headers and challenges. */

#include "guard/mouse_guard.h"

mouse_verdict_t mouse_guard_end(mouse_request_t *req, int status, const char *why,
                                mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_DENIED, NULL);
    (*err)->status = status;
    (*err)->log = why;
    return MOUSE_GUARD_DENY;
}

mouse_context_t *mouse_guard_give(mouse_request_t *req, const char *guard, int count)
{
    mouse_context_t *context = apr_array_push(req->context);

    *context = (mouse_context_t){.guard = guard, .count = count};
    if (count > 0) {
        context->names = apr_pcalloc(req->pool, (size_t)count * sizeof(*context->names));
        context->values = apr_pcalloc(req->pool, (size_t)count * sizeof(*context->values));
    }
    return context;
}

void mouse_guard_set_text(mouse_context_t *context, int i, const char *name,
                          const char *text)
{
    context->names[i] = name;
    context->values[i].kind = text ? MOUSE_VALUE_STRING : MOUSE_VALUE_NULL;
    context->values[i].text = mouse_slice_of(text);
}

void mouse_guard_header(mouse_request_t *req, const char *name, const char *value)
{
    apr_table_addn(req->headers, name, value);
}

void mouse_guard_challenge(mouse_request_t *req, const char *challenge)
{
    if (!req->challenges)
        req->challenges = apr_array_make(req->pool, 2, sizeof(const char *));
    APR_ARRAY_PUSH(req->challenges, const char *) = challenge;
}
