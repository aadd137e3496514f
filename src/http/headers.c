/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `header=` and `cookie=` of routes without a model: their templates know the path's
 * parameters and the context. (The model room expands those of `sql` routes, which also
 * know rows, before it commits.)
 */
#include "http/http_int.h"

apr_status_t mouse_headers_expand(const mouse_shape_t *shape, mouse_request_t *req,
                                  mouse_answer_t *answer, mouse_error_t **err)
{
    if (shape->header_count == 0)
        return APR_SUCCESS;
    if (!answer->headers)
        answer->headers = apr_table_make(req->pool, shape->header_count);
    for (int i = 0; i < shape->header_count; i++) {
        const char *text;
        apr_status_t rv = mouse_template_expand(req->pool, shape->headers[i].value,
                                                mouse_template_request, req, &text, err);

        if (rv != APR_SUCCESS)
            return rv;
        if (text)
            apr_table_addn(answer->headers, shape->headers[i].name, text);
    }
    return APR_SUCCESS;
}
