/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `json DOCUMENT`: one JSON text, checked at start, sent byte for byte. */

#include "http/http_int.h"

#include <apr_strings.h>

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    mouse_slice_t *document = apr_palloc(setup->pconf, sizeof(*document));

    (void)used;
    *document = mouse_slice_of(apr_pstrdup(setup->pconf, setup->argv[0]));
    if (!mouse_json_valid(*document))
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "not a JSON text: %s (quote it as '{\"status\":\"ok\"}')",
                              setup->argv[0]);
    *config = document;
    return APR_SUCCESS;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    (void)format;
    answer->status = endpoint->shape.status;
    answer->content_type = "application/json";
    answer->fixed = *(const mouse_slice_t *)endpoint->config;
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

const mouse_action_t mouse_action_json = {.name = "json",
                                          .argc = 1,
                                          .constant = true,
                                          .always_body = true,
                                          .create = create,
                                          .run = run};
