/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The handlers mouse-metrics and mouse-status. They stand in a <Location> like
 * server-status, and who may read them is httpd's business there.
 */
#include "http/http_int.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <http_protocol.h>

#include "http/status_int.h"

#define HINT 16384

static int send_text(request_rec *r, mouse_buf_t *buf, const char *type)
{
    apr_bucket_brigade *bb = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    size_t len = buf->len;

    ap_set_content_type(r, type);
    apr_table_setn(r->headers_out, "Cache-Control", "no-store");
    apr_table_setn(r->headers_out, "X-Content-Type-Options", "nosniff");
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_heap_create(mouse_buf_detach(buf), len,
                                                       mouse_buf_free, bb->bucket_alloc));
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_eos_create(bb->bucket_alloc));
    if (ap_pass_brigade(r->output_filters, bb) == APR_SUCCESS || r->connection->aborted)
        return OK;
    return AP_FILTER_ERROR;
}

static int send_page(request_rec *r, mouse_buf_t *buf, const mouse_snapshot_t *snapshot)
{
    const char *nonce = apr_pstrmemdup(r->pool, mouse_random_hex32(r->pool), 32);

    apr_table_setn(r->headers_out, "Content-Security-Policy",
                   apr_pstrcat(r->pool,
                               "default-src 'none'; style-src 'unsafe-inline'; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'; script-src 'nonce-",
                               nonce, "'", NULL));
    mouse_status_put_page(buf, snapshot, nonce);
    return send_text(r, buf, "text/html; charset=utf-8");
}

int mouse_http_status(request_rec *r, const mouse_meter_t *meter)
{
    bool metrics = r->handler && strcmp(r->handler, "mouse-metrics") == 0;
    const mouse_snapshot_t *snapshot;
    mouse_buf_t *buf;

    if (!metrics && (!r->handler || strcmp(r->handler, "mouse-status") != 0))
        return DECLINED;
    r->allowed = AP_METHOD_BIT << M_GET;
    if (r->method_number != M_GET)
        return HTTP_METHOD_NOT_ALLOWED;
    if (!meter)
        return HTTP_NOT_FOUND;
    snapshot = mouse_snapshot_take(r->pool, meter);
    buf = apr_palloc(r->pool, sizeof(*buf));
    mouse_buf_init(buf, r->pool, HINT);
    if (metrics) {
        mouse_status_put_metrics(buf, snapshot);
        return send_text(r, buf, "text/plain; version=0.0.4; charset=utf-8");
    }
    if (!r->args || strcmp(r->args, "json") != 0)
        return send_page(r, buf, snapshot);
    mouse_status_put_json(buf, snapshot);
    return send_text(r, buf, "application/json");
}
