/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `live`: this process answers. Nothing else is looked at. */

#include "http/http_int.h"

#include <jansson.h>

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    (void)setup;
    (void)used;
    (void)err;
    *config = NULL;
    return APR_SUCCESS;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    (void)format;
    answer->status = endpoint->shape.status;
    answer->content_type = "application/json";
    answer->fixed = MOUSE_SLICE("{\"status\":\"live\"}");
    answer->headers = apr_table_make(req->pool, 2);
    apr_table_setn(answer->headers, "Cache-Control", "no-store");
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

static apr_status_t describe(const mouse_endpoint_t *endpoint, const mouse_describer_t *how,
                             json_t **schema, mouse_error_t **err)
{
    (void)endpoint;
    (void)how;
    (void)err;
    *schema = json_pack("{s:s, s:{s:{s:s}}, s:[s]}", "type", "object", "properties",
                        "status", "const", "live", "required", "status");
    return APR_SUCCESS;
}

const mouse_action_t mouse_action_live = {.name = "live",
                                          .always_body = true,
                                          .create = create,
                                          .run = run,
                                          .describe = describe};
