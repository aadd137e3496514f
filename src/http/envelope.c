/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The envelope around an answer (MouseEnvelope mrpc): mouse-php's format, in which errors
 * look like answers, signed with the key that the request was signed with.
 *
 * The members before and after `data` are two small buckets; the answer's bytes between
 * them are not copied.
 */
#include "http/http_int.h"

#include <stdlib.h>

#include <http_protocol.h>
#include <nettle/base16.h>
#include <nettle/hmac.h>

#define HINT            256
#define SESSION_EXPIRED 419

/* The two ends of one envelope being made. */
typedef struct envelope_t {
    apr_pool_t *p;
    apr_bucket_brigade *bb;
    const mouse_seal_t *seal; /* NULL: no request was opened */
    const char *seed;
    struct hmac_sha256_ctx hmac;
} envelope_t;

bool mouse_envelope_holds(const mouse_match_t *match)
{
    if (match->kind == MOUSE_MATCH_FOUND)
        return ((const mouse_endpoint_t *)match->endpoint)->envelope;
    return match->group && ((const mouse_group_t *)match->group)->envelope;
}

static bool has_key(const envelope_t *envelope)
{
    return envelope->seal && envelope->seal->key.data;
}

static void insert(envelope_t *envelope, mouse_buf_t *buf)
{
    size_t len = buf->len;

    APR_BRIGADE_INSERT_TAIL(
        envelope->bb, apr_bucket_heap_create(mouse_buf_detach(buf), len, mouse_buf_free,
                                             envelope->bb->bucket_alloc));
}

static void put_text(mouse_buf_t *buf, mouse_slice_t text)
{
    mouse_json_put_string(buf, text.data ? text.data : "", text.len);
}

static void begin(envelope_t *envelope, bool success, const char *action)
{
    mouse_buf_t *buf = apr_palloc(envelope->p, sizeof(*buf));
    const mouse_seal_t none = {{NULL, 0}, {NULL, 0}};
    const mouse_seal_t *seal = envelope->seal ? envelope->seal : &none;

    mouse_buf_init(buf, envelope->p, HINT);
    envelope->seed = mouse_random_hex32(envelope->p);
    mouse_buf_literal(buf, "{\"success\":");
    mouse_buf_slice(buf, mouse_slice_of(success ? "true" : "false"));
    mouse_buf_literal(buf, ",\"action\":");
    put_text(buf, mouse_slice_of(action));
    mouse_buf_literal(buf, ",\"request_tag\":");
    put_text(buf, seal->request_tag);
    mouse_buf_literal(buf, ",\"seed\":");
    put_text(buf, mouse_slice_of(envelope->seed));
    mouse_buf_literal(buf, ",\"timestamp\":");
    mouse_json_put_int(buf, apr_time_as_msec(apr_time_now()));
    mouse_buf_literal(buf, ",\"data\":");
    insert(envelope, buf);
    if (has_key(envelope))
        hmac_sha256_set_key(&envelope->hmac, seal->key.len,
                            (const uint8_t *)seal->key.data);
}

/* mouse_block_fn: what stands between the two ends. */
static void sign(void *baton, const char *data, size_t len)
{
    envelope_t *envelope = baton;

    if (has_key(envelope))
        hmac_sha256_update(&envelope->hmac, len, (const uint8_t *)data);
}

static void end(envelope_t *envelope)
{
    mouse_buf_t *buf = apr_palloc(envelope->p, sizeof(*buf));
    uint8_t digest[SHA256_DIGEST_SIZE];

    mouse_buf_init(buf, envelope->p, HINT);
    mouse_buf_literal(buf, ",\"auth\":\"");
    if (has_key(envelope)) {
        sign(envelope, envelope->seed, strlen(envelope->seed));
        hmac_sha256_digest(&envelope->hmac, sizeof(digest), digest);
        base16_encode_update(mouse_buf_reserve(buf, 2 * sizeof(digest)), sizeof(digest),
                             digest);
        buf->len += 2 * sizeof(digest);
    }
    mouse_buf_literal(buf, "\"}");
    insert(envelope, buf);
}

static envelope_t open_envelope(const mouse_visit_t *visit, apr_bucket_brigade *bb)
{
    return (envelope_t){.p = visit->r->pool, .bb = bb, .seal = visit->req.seal};
}

apr_status_t mouse_envelope_answer(mouse_visit_t *visit, const mouse_endpoint_t *endpoint,
                                   apr_bucket_brigade *bb)
{
    envelope_t envelope = open_envelope(visit, bb);
    mouse_answer_t *answer = &visit->answer;
    apr_status_t rv;

    if (!answer->content_type)
        answer->fixed = MOUSE_SLICE("{}");
    if (visit->r->status == HTTP_NO_CONTENT)
        mouse_answer_status(visit->r, HTTP_OK);
    ap_set_content_type(visit->r, "application/json");
    begin(&envelope, true, endpoint->envelope_action);
    rv = mouse_answer_each_block(answer, sign, &envelope);
    mouse_answer_insert(visit->r, bb, answer);
    end(&envelope);
    return rv;
}

/* {"code":"404","api_message":"..."}. */
static void put_data(mouse_buf_t *buf, request_rec *r, const mouse_error_t *err)
{
    const char *message = err->detail ? err->detail : mouse_problem_title(r->pool, err);

    mouse_buf_literal(buf, "{\"code\":\"");
    mouse_json_put_int(buf, err->status);
    mouse_buf_literal(buf, "\",\"api_message\":");
    put_text(buf, mouse_slice_of(message));
    mouse_buf_char(buf, '}');
}

void mouse_envelope_problem(const mouse_visit_t *visit, const mouse_error_t *err,
                            apr_bucket_brigade *bb)
{
    envelope_t envelope = open_envelope(visit, bb);
    mouse_buf_t *data = apr_palloc(envelope.p, sizeof(*data));
    bool expired = err->status == SESSION_EXPIRED;

    if (expired)
        mouse_answer_status(visit->r, HTTP_OK);
    ap_set_content_type(visit->r, "application/json");
    begin(&envelope, false, expired ? "Refresh" : "Generic");
    mouse_buf_init(data, envelope.p, HINT);
    put_data(data, visit->r, err);
    sign(&envelope, data->data, data->len);
    insert(&envelope, data);
    end(&envelope);
}
