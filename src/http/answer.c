/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Answers: status, headers and one brigade.
 *
 * When this runs the database connection is back in its pool, so a slow client holds memory
 * or a temporary file, nothing else. The bytes are handed to the bucket, not copied.
 */
#include "http/http_int.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <http_protocol.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>

#define ETAG_BYTES 16
#define CHUNK      16384

void mouse_answer_status(request_rec *r, int status)
{
    r->status = status;
    r->status_line = NULL;
    /* httpd takes a status that it does not know for 500. */
    if (atoi(ap_get_status_line(status)) != status)
        r->status_line = status == mouse_code_status(MOUSE_E_CLIENT_GONE)
                             ? "499 Client Closed Request"
                             : ap_get_status_line_ex(r->pool, status);
}

int mouse_answer_pass(request_rec *r, apr_bucket_brigade *bb)
{
    mouse_visit_t *visit = mouse_visit_get(r);

    if (visit) {
        mouse_meter_pass(visit);
        mouse_timing_header(visit);
    }
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_eos_create(bb->bucket_alloc));
    if (ap_pass_brigade(r->output_filters, bb) == APR_SUCCESS || r->connection->aborted)
        return OK;
    return AP_FILTER_ERROR;
}

/* Several such headers may stand side by side: they are added, never replaced. */
static bool repeats(const char *name)
{
    return strcasecmp(name, "Set-Cookie") == 0 || strcasecmp(name, "Vary") == 0 ||
           strcasecmp(name, "Link") == 0;
}

static void add_headers(request_rec *r, const apr_table_t *table, bool replace)
{
    const apr_array_header_t *array = apr_table_elts(table);
    const apr_table_entry_t *entries = (const apr_table_entry_t *)array->elts;

    for (int i = 0; replace && i < array->nelts; i++) {
        if (!repeats(entries[i].key))
            apr_table_unset(r->headers_out, entries[i].key);
    }
    for (int i = 0; i < array->nelts; i++)
        apr_table_addn(r->headers_out, entries[i].key, entries[i].val);
}

void mouse_answer_guard_headers(const mouse_visit_t *visit)
{
    if (visit->req.headers)
        add_headers(visit->r, visit->req.headers, false);
}

static void set_cache_control(request_rec *r, const mouse_endpoint_t *endpoint)
{
    if (!mouse_chain_gives_context(endpoint->chain) ||
        apr_table_get(r->headers_out, "Cache-Control"))
        return;
    apr_table_setn(r->headers_out, "Cache-Control",
                   endpoint->shape.etag ? "private, no-cache" : "no-store");
}

static void set_headers(mouse_visit_t *visit, const mouse_endpoint_t *endpoint)
{
    request_rec *r = visit->r;
    const mouse_answer_t *answer = &visit->answer;
    const char *type;

    mouse_answer_guard_headers(visit);
    if (answer->headers)
        add_headers(r, answer->headers, true);
    type = apr_table_get(r->headers_out, "Content-Type");
    apr_table_unset(r->headers_out, "Content-Type");
    if (answer->content_type) {
        ap_set_content_type(r, type ? type : answer->content_type);
        apr_table_setn(r->headers_out, "X-Content-Type-Options", "nosniff");
    }
    if (!endpoint)
        return;
    if (endpoint->negotiates)
        apr_table_mergen(r->headers_out, "Vary", "Accept");
    set_cache_control(r, endpoint);
}

static apr_status_t read_file(const mouse_sink_t *sink, mouse_block_fn fn, void *baton)
{
    char chunk[CHUNK];
    apr_off_t offset = 0, left = sink->written;
    apr_status_t rv = apr_file_seek(sink->file, APR_SET, &offset);

    while (rv == APR_SUCCESS && left > 0) {
        apr_size_t n = left < CHUNK ? (apr_size_t)left : CHUNK;

        rv = apr_file_read_full(sink->file, chunk, n, NULL);
        if (rv == APR_SUCCESS)
            fn(baton, chunk, n);
        left -= (apr_off_t)n;
    }
    return rv;
}

apr_status_t mouse_answer_each_block(const mouse_answer_t *answer, mouse_block_fn fn,
                                     void *baton)
{
    const mouse_sink_t *sink = &answer->body;
    apr_status_t rv = APR_SUCCESS;

    if (answer->fixed.data) {
        fn(baton, answer->fixed.data, answer->fixed.len);
        return APR_SUCCESS;
    }
    if (answer->shared.data) {
        fn(baton, answer->shared.data, answer->shared.len);
        return APR_SUCCESS;
    }
    if (sink->file)
        rv = read_file(sink, fn, baton);
    if (rv == APR_SUCCESS && sink->buf.len > 0)
        fn(baton, sink->buf.data, sink->buf.len);
    return rv;
}

/* mouse_block_fn. */
static void hash_block(void *baton, const char *data, size_t len)
{
    sha256_update(baton, len, (const uint8_t *)data);
}

/* A strong validator over the bytes, or NULL when the temporary file cannot be read. */
static const char *entity_tag(apr_pool_t *p, const mouse_answer_t *answer)
{
    struct sha256_ctx hash;
    uint8_t digest[ETAG_BYTES];
    char *tag = apr_palloc(p, BASE16_ENCODE_LENGTH(ETAG_BYTES) + 3);

    sha256_init(&hash);
    if (mouse_answer_each_block(answer, hash_block, &hash) != APR_SUCCESS)
        return NULL;
    sha256_digest(&hash, ETAG_BYTES, digest);
    tag[0] = '"';
    base16_encode_update(tag + 1, ETAG_BYTES, digest);
    memcpy(tag + 1 + BASE16_ENCODE_LENGTH(ETAG_BYTES), "\"", 2);
    return tag;
}

/* Sets ETag; does the client have these bytes already? */
static bool not_modified(request_rec *r, const mouse_answer_t *answer)
{
    const char *tag;

    if (r->method_number != M_GET || r->status != HTTP_OK)
        return false;
    tag = entity_tag(r->pool, answer);
    if (!tag)
        return false;
    apr_table_setn(r->headers_out, "ETag", tag);
    return ap_condition_if_none_match(r, r->headers_out) >= AP_CONDITION_WEAK;
}

void mouse_answer_insert(request_rec *r, apr_bucket_brigade *bb, mouse_answer_t *answer)
{
    mouse_sink_t *sink = &answer->body;
    apr_bucket_alloc_t *alloc = bb->bucket_alloc;

    if (answer->fixed.data) {
        APR_BRIGADE_INSERT_TAIL(
            bb, apr_bucket_immortal_create(answer->fixed.data, answer->fixed.len, alloc));
        return;
    }
    /* Should a filter keep the bucket longer than the request, it gets a copy by itself. */
    if (answer->shared.data)
        APR_BRIGADE_INSERT_TAIL(bb,
                                apr_bucket_pool_create(answer->shared.data,
                                                       answer->shared.len, r->pool, alloc));
    if (sink->file)
        apr_brigade_insert_file(bb, sink->file, 0, sink->written, r->pool);
    if (sink->buf.len > 0) {
        size_t len = sink->buf.len;

        APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_heap_create(mouse_buf_detach(&sink->buf),
                                                           len, mouse_buf_free, alloc));
    }
}

static int send_envelope(mouse_visit_t *visit, const mouse_endpoint_t *endpoint,
                         apr_bucket_brigade *bb)
{
    const char *type = visit->answer.content_type;
    mouse_error_t *err = NULL;

    if ((!type || strcmp(type, "application/json") == 0) &&
        mouse_envelope_answer(visit, endpoint, bb) == APR_SUCCESS)
        return mouse_answer_pass(visit->r, bb);
    mouse_error_set(&err, visit->r->pool, MOUSE_E_INTERNAL, NULL);
    err->log = "the answer is no JSON, or unreadable: it has no place in an envelope";
    return mouse_problem_send(visit, err);
}

int mouse_answer_send(mouse_visit_t *visit, const mouse_endpoint_t *endpoint)
{
    request_rec *r = visit->r;
    mouse_answer_t *answer = &visit->answer;
    apr_bucket_brigade *bb = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    bool body = answer->content_type != NULL;

    mouse_answer_status(r, answer->status ? answer->status : HTTP_OK);
    set_headers(visit, endpoint);
    if (endpoint && endpoint->envelope)
        return send_envelope(visit, endpoint, bb);
    if (body && endpoint && endpoint->shape.etag && not_modified(r, answer)) {
        mouse_answer_status(r, HTTP_NOT_MODIFIED);
        body = false;
    }
    if (body)
        mouse_answer_insert(r, bb, answer);
    return mouse_answer_pass(r, bb);
}
