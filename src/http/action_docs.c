/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `docs DOCUMENT DIRECTORY`: a page on which people read the OpenAPI document at the path
 * DOCUMENT and try its routes. DIRECTORY is the npm package swagger-ui-dist; two of its
 * files are read at start and served behind the page's own path, as "?swagger-ui.css".
 */
#include "http/http_int.h"

#include <apr_strings.h>
#include <http_protocol.h>

#include "http/docs_html.inc"
#include "http/docs_js.inc"

#define MAX_FILE (16 * 1024 * 1024)

/* One thing that this route serves. */
typedef struct part_t {
    const char *query; /* behind '?'; "": the page */
    const char *type;
    mouse_slice_t bytes;
} part_t;

#define PARTS 4

typedef struct config_t {
    const char *document;
    part_t parts[PARTS]; /* the page comes first */
} config_t;

static apr_status_t refuse(const mouse_action_setup_t *setup, mouse_error_t **err,
                           const char *format, const char *what)
{
    return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0, format, what);
}

static apr_status_t take_file(const mouse_action_setup_t *setup, part_t *part,
                              const char *name, const char *type, mouse_error_t **err)
{
    const char *dir = ap_server_root_relative(setup->pconf, setup->argv[1]);
    const char *path = dir ? apr_pstrcat(setup->pconf, dir, "/", name, NULL) : NULL;
    apr_finfo_t info;

    *part = (part_t){.query = name, .type = type};
    if (!path || mouse_file_read(setup->pconf, path, MAX_FILE, &part->bytes, &info))
        return refuse(setup, err,
                      "docs cannot read %s: it takes the folder of the npm package "
                      "swagger-ui-dist",
                      path ? path : setup->argv[1]);
    return APR_SUCCESS;
}

/* The page, with the document's path for each '@'. */
static mouse_slice_t make_page(apr_pool_t *p, const char *document)
{
    const char *escaped = ap_escape_html(p, document), *page = "", *at = docs_html;

    for (const char *mark; (mark = strchr(at, '@')) != NULL; at = mark + 1)
        page = apr_pstrcat(p, page, apr_pstrmemdup(p, at, mark - at), escaped, NULL);
    return mouse_slice_of(apr_pstrcat(p, page, at, NULL));
}

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    apr_status_t rv;

    (void)used;
    *config = made;
    if (setup->method != MOUSE_GET)
        return refuse(setup, err, "docs is for GET%s", "");
    if (setup->argv[0][0] != '/')
        return refuse(setup, err,
                      "%s is no path: docs takes that of an openapi route, as it is asked "
                      "for",
                      setup->argv[0]);
    made->document = setup->argv[0];
    made->parts[0] = (part_t){.query = "",
                              .type = "text/html; charset=utf-8",
                              .bytes = make_page(setup->pconf, setup->argv[0])};
    made->parts[1] = (part_t){.query = "start.js",
                              .type = "text/javascript; charset=utf-8",
                              .bytes = mouse_slice_of(docs_js)};
    rv =
        take_file(setup, &made->parts[2], "swagger-ui.css", "text/css; charset=utf-8", err);
    return rv == APR_SUCCESS ? take_file(setup, &made->parts[3], "swagger-ui-bundle.js",
                                         "text/javascript; charset=utf-8", err)
                             : rv;
}

static const char *document(const void *config)
{
    return ((const config_t *)config)->document;
}

static const part_t *find_part(const config_t *config, mouse_slice_t query)
{
    for (int i = 1; i < PARTS; i++) {
        if (mouse_slice_equal(query, mouse_slice_of(config->parts[i].query)))
            return &config->parts[i];
    }
    return &config->parts[0];
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const part_t *part = find_part(endpoint->config, req->query);

    (void)format;
    answer->status = endpoint->shape.status;
    answer->content_type = part->type;
    answer->fixed = part->bytes;
    answer->headers = apr_table_make(req->pool, 4);
    apr_table_setn(
        answer->headers, "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'");
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

const mouse_action_t mouse_action_docs = {.name = "docs",
                                          .argc = 2,
                                          .always_body = true,
                                          .hidden = true,
                                          .create = create,
                                          .document = document,
                                          .run = run};
