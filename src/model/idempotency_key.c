/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What a request's Idempotency-Key is (draft-ietf-httpapi-idempotency-key-header-07): the
 * key itself, the scope it holds in, and the digest of the request it stands for. Nothing
 * here knows the database.
 */

#include "model/run_int.h"

#include <apr_strings.h>
#include <nettle/sha2.h>

#define KEY_MOST 255

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~';
}

/* A String of RFC 9651, 3.3.3, and nothing behind it. */
static bool parse_string(apr_pool_t *p, const char *at, mouse_slice_t *key)
{
    char *out = apr_palloc(p, strlen(at));

    *key = (mouse_slice_t){out, 0};
    for (at++; *at != '"'; at++) {
        if (*at == '\\' && *++at != '"' && *at != '\\')
            return false;
        if (!is_printable(*at))
            return false;
        out[key->len++] = *at;
    }
    return at[1] == '\0';
}

/* As many clients send it, without the quotes. A comma or semicolon would be a list or a
 * parameter to others. */
static bool parse_bare(const char *at, mouse_slice_t *key)
{
    *key = mouse_slice_of(at);
    for (; *at; at++) {
        if (!is_printable(*at) || strchr(" \",;\\", *at))
            return false;
    }
    return true;
}

static apr_status_t parse_key(mouse_request_t *req, const char *header, mouse_key_t *key,
                              mouse_error_t **err)
{
    bool good = header[0] == '"' ? parse_string(req->pool, header, &key->text)
                                 : parse_bare(header, &key->text);

    if (good && key->text.len > 0 && key->text.len <= KEY_MOST)
        return APR_SUCCESS;
    return mouse_error_set(err, req->pool, MOUSE_E_IDEMPOTENCY_KEY,
                           "The Idempotency-Key must be one string of 1 to %d printable "
                           "ASCII characters, as \"8e03978e-40d5-43dd-bc93-6894a57f9324\".",
                           KEY_MOST);
}

/* ---- the scope ---- */

/* Its length before each part: no two lists of parts are the same bytes. */
static void digest_part(struct sha256_ctx *hash, mouse_slice_t part)
{
    uint8_t length[8];

    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)((uint64_t)part.len >> (8 * i));
    sha256_update(hash, sizeof(length), length);
    if (part.len > 0)
        sha256_update(hash, part.len, (const uint8_t *)part.data);
}

/* Nobody's keys would be everybody's: without a value there is no scope. */
static apr_status_t make_scope(mouse_request_t *req, const mouse_idempotent_t *route,
                               mouse_key_t *key, mouse_error_t **err)
{
    struct sha256_ctx hash;
    const char *value;
    apr_status_t rv = mouse_template_expand(req->pool, route->scope, mouse_template_request,
                                            req, &value, err);

    if (rv != APR_SUCCESS)
        return rv;
    if (!value)
        return mouse_error_set(err, req->pool, MOUSE_E_IDEMPOTENCY_KEY,
                               "An Idempotency-Key cannot be kept for a client that is "
                               "not known.");
    sha256_init(&hash);
    digest_part(&hash, mouse_slice_of(route->route));
    digest_part(&hash, mouse_slice_of(value));
    sha256_digest(&hash, sizeof(key->scope), key->scope);
    return APR_SUCCESS;
}

/* ---- the request ---- */

static apr_status_t digest_request(mouse_request_t *req, mouse_key_t *key,
                                   mouse_error_t **err)
{
    struct sha256_ctx hash;
    mouse_slice_t body;
    apr_status_t rv = req->host->body(req->baton, req->input->max_body, &body, err);

    if (rv != APR_SUCCESS)
        return rv;
    sha256_init(&hash);
    digest_part(&hash, mouse_slice_of(req->method));
    digest_part(&hash, mouse_slice_of(req->path));
    digest_part(&hash, req->query);
    digest_part(&hash, mouse_slice_of(req->host->header(req->baton, "Content-Type")));
    digest_part(&hash, body);
    sha256_digest(&hash, sizeof(key->request), key->request);
    return APR_SUCCESS;
}

apr_status_t mouse_key_create(mouse_request_t *req, const mouse_idempotent_t *route,
                              const mouse_key_t **key, mouse_error_t **err)
{
    const char *header = route ? req->host->header(req->baton, "Idempotency-Key") : NULL;
    mouse_key_t *made;
    apr_status_t rv;

    *key = NULL;
    if (!header)
        return APR_SUCCESS;
    made = apr_pcalloc(req->pool, sizeof(*made));
    made->now = (int64_t)apr_time_as_msec(apr_time_now());
    made->expires = made->now + (int64_t)apr_time_as_msec(route->ttl);
    rv = parse_key(req, header, made, err);
    if (rv == APR_SUCCESS)
        rv = make_scope(req, route, made, err);
    if (rv == APR_SUCCESS)
        rv = digest_request(req, made, err);
    *key = made;
    return rv;
}
