/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Bodies: read once, whole, within a limit, and only when somebody asks - so that a client
 * that waits for "100 Continue" sends nothing to a request that a guard refuses.
 */
#include "http/http_int.h"

#include <apr_strings.h>
#include <http_protocol.h>

#define FIRST_BLOCK 4096

static apr_status_t too_large(mouse_visit_t *visit, apr_off_t limit, mouse_error_t **err)
{
    return mouse_error_set(err, visit->r->pool, MOUSE_E_BODY_TOO_LARGE,
                           "The body may have %" APR_OFF_T_FMT " bytes.", limit);
}

/* What the client announced, or -1. httpd has refused a bad or a doubtful length. */
static apr_off_t announced_length(const request_rec *r)
{
    const char *text = apr_table_get(r->headers_in, "Content-Length");
    apr_off_t length;

    if (!text || apr_table_get(r->headers_in, "Transfer-Encoding"))
        return -1;
    return apr_strtoff(&length, text, NULL, 10) == APR_SUCCESS ? length : -1;
}

static apr_status_t read_failed(mouse_visit_t *visit, apr_status_t rv, mouse_error_t **err)
{
    request_rec *r = visit->r;
    char reason[128];
    int status;

    if (r->connection->aborted || APR_STATUS_IS_ECONNABORTED(rv) ||
        APR_STATUS_IS_ECONNRESET(rv))
        return mouse_error_set(err, r->pool, MOUSE_E_CLIENT_GONE, NULL);
    status = ap_map_http_request_error(rv, HTTP_BAD_REQUEST);
    visit->filter_answered = status == AP_FILTER_ERROR;
    mouse_error_set(err, r->pool,
                    status == HTTP_REQUEST_ENTITY_TOO_LARGE ? MOUSE_E_BODY_TOO_LARGE
                                                            : MOUSE_E_BODY_UNREADABLE,
                    NULL);
    if (ap_is_HTTP_ERROR(status))
        (*err)->status = status;
    (*err)->log = apr_pstrdup(r->pool, apr_strerror(rv, reason, sizeof(reason)));
    return rv;
}

/* Appends one brigade; *eos when it was the last. */
static apr_status_t append_brigade(apr_bucket_brigade *bb, mouse_buf_t *buf,
                                   apr_off_t limit, bool *eos)
{
    for (apr_bucket *b = APR_BRIGADE_FIRST(bb); b != APR_BRIGADE_SENTINEL(bb) && !*eos;
         b = APR_BUCKET_NEXT(b)) {
        const char *data;
        apr_size_t len;
        apr_status_t rv;

        if (APR_BUCKET_IS_EOS(b))
            *eos = true;
        if (APR_BUCKET_IS_METADATA(b))
            continue;
        rv = apr_bucket_read(b, &data, &len, APR_BLOCK_READ);
        if (rv != APR_SUCCESS)
            return rv;
        if ((apr_off_t)len > limit - (apr_off_t)buf->len)
            return APR_ENOSPC;
        mouse_buf_append(buf, data, len);
    }
    return APR_SUCCESS;
}

static apr_status_t read_all(request_rec *r, mouse_buf_t *buf, apr_off_t limit)
{
    apr_bucket_brigade *bb = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    apr_status_t rv = APR_SUCCESS;
    bool eos = false;

    while (rv == APR_SUCCESS && !eos) {
        rv = ap_get_brigade(r->input_filters, bb, AP_MODE_READBYTES, APR_BLOCK_READ,
                            HUGE_STRING_LEN);
        if (rv == APR_SUCCESS)
            rv = append_brigade(bb, buf, limit, &eos);
        apr_brigade_cleanup(bb);
    }
    apr_brigade_destroy(bb);
    return rv;
}

static apr_status_t read_body(mouse_visit_t *visit, apr_off_t limit, mouse_error_t **err)
{
    apr_off_t announced = announced_length(visit->r);
    apr_status_t rv;

    mouse_buf_init(&visit->body, visit->r->pool, 0);
    if (announced == 0)
        return APR_SUCCESS;
    if (announced > limit)
        return too_large(visit, limit, err);
    mouse_buf_grow(&visit->body, announced > 0 ? (size_t)announced : FIRST_BLOCK);
    rv = read_all(visit->r, &visit->body, limit);
    if (APR_STATUS_IS_ENOSPC(rv))
        return too_large(visit, limit, err);
    return rv == APR_SUCCESS ? rv : read_failed(visit, rv, err);
}

apr_status_t mouse_body_read(void *baton, apr_off_t limit, mouse_slice_t *body,
                             mouse_error_t **err)
{
    mouse_visit_t *visit = baton;

    if (!visit->body_read)
        read_body(visit, limit, &visit->body_error);
    visit->body_read = true;
    if (!visit->body_error && (apr_off_t)visit->body.len > limit)
        return too_large(visit, limit, err);
    *body = (mouse_slice_t){visit->body.data, visit->body.len};
    *err = visit->body_error;
    return visit->body_error ? APR_EGENERAL : APR_SUCCESS;
}
