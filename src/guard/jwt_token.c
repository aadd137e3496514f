/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One token (RFC 7519 in JWS compact form): taken apart strictly, its key chosen by us, its
 * signature verified, then its claims judged. Nothing is believed before the signature but
 * which of our keys may have made it.
 */

#include "guard/jwt_int.h"

#include <math.h>
#include <stdlib.h>

#include <apr_strings.h>
#include <nettle/base64.h>

#define MAX_DEPTH 32

typedef struct parts_t {
    mouse_slice_t token, input; /* input: "header.payload", as signed */
    mouse_slice_t header, payload, signature;
} parts_t;

/* ---- taking it apart ---- */

static bool is_alphabet(mouse_slice_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return true;
}

static bool is_canonical(apr_pool_t *p, mouse_slice_t text, const uint8_t *bytes,
                         size_t len)
{
    struct base64_encode_ctx ctx;
    char *again = apr_palloc(p, BASE64_ENCODE_LENGTH(len) + BASE64_ENCODE_FINAL_LENGTH);
    size_t done;

    base64url_encode_init(&ctx);
    done = base64_encode_update(&ctx, again, len, bytes);
    base64_encode_final(&ctx, again + done);
    return memcmp(again, text.data, text.len) == 0;
}

/* Base64url without padding (RFC 7515, section 2), in the one spelling of its bytes. */
static bool decode(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *bytes)
{
    struct base64_decode_ctx ctx;
    size_t len = BASE64_DECODE_LENGTH(text.len);
    uint8_t *out = apr_palloc(p, len + 1);

    base64url_decode_init(&ctx);
    if (!is_alphabet(text) || text.len % 4 == 1 ||
        !base64_decode_update(&ctx, &len, out, text.len, text.data))
        return false;
    *bytes = (mouse_slice_t){(const char *)out, len};
    return is_canonical(p, text, out, len);
}

static int count_dots(mouse_slice_t token)
{
    int dots = 0;

    for (size_t i = 0; i < token.len; i++)
        dots += token.data[i] == '.';
    return dots;
}

static const char *split(apr_pool_t *p, mouse_slice_t token, parts_t *parts)
{
    const char *first, *second;
    int dots = count_dots(token);

    if (token.len > MOUSE_JWT_MAX_TOKEN)
        return "jwt: longer than 8 KiB";
    if (dots == 4)
        return "jwt: encrypted";
    if (dots != 2)
        return "jwt: not of three parts";
    first = memchr(token.data, '.', token.len);
    second = memchr(first + 1, '.', token.len - (size_t)(first + 1 - token.data));
    parts->token = token;
    parts->input = (mouse_slice_t){token.data, (size_t)(second - token.data)};
    if (!decode(p, (mouse_slice_t){token.data, (size_t)(first - token.data)},
                &parts->header) ||
        !decode(p, (mouse_slice_t){first + 1, (size_t)(second - first - 1)},
                &parts->payload) ||
        !decode(p,
                (mouse_slice_t){second + 1, token.len - (size_t)(second + 1 - token.data)},
                &parts->signature))
        return "jwt: bad base64";
    return NULL;
}

static const mouse_json_node_t *scan_object(apr_pool_t *p, mouse_slice_t text)
{
    const mouse_json_doc_t *doc;
    mouse_error_t *err = NULL;

    if (mouse_json_scan(p, text, MAX_DEPTH, &doc, &err) != APR_SUCCESS ||
        doc->root->type != MOUSE_JSON_OBJECT)
        return NULL;
    return doc->root;
}

/* ---- the header ---- */

/* A string member; false where it is of another type. Absent: data NULL. */
static bool get_string(apr_pool_t *p, const mouse_json_node_t *object, const char *name,
                       mouse_slice_t *text)
{
    const mouse_json_node_t *node = mouse_json_find(p, object, mouse_slice_of(name));

    *text = (mouse_slice_t){NULL, 0};
    if (node && node->type != MOUSE_JSON_STRING)
        return false;
    if (node)
        *text = mouse_json_string(p, node);
    return true;
}

static bool is_none(mouse_slice_t alg)
{
    return alg.len == 4 && strncasecmp(alg.data, "none", 4) == 0;
}

/* RFC 7515, 4.1. jku, jwk, x5u and x5c are left alone: keys come from our file. */
static const char *judge_header(apr_pool_t *p, const mouse_json_node_t *header,
                                unsigned algs, mouse_jwt_alg_t *alg, mouse_slice_t *kid)
{
    mouse_slice_t name;

    if (!header || !get_string(p, header, "alg", &name) || !name.data ||
        !get_string(p, header, "kid", kid))
        return "jwt: malformed header";
    if (is_none(name))
        return "jwt: alg none";
    *alg = mouse_jwt_alg_find(name);
    if (!(*alg & algs))
        return "jwt: alg not allowed";
    if (mouse_json_find(p, header, MOUSE_SLICE("crit")))
        return "jwt: crit";
    if (mouse_json_find(p, header, MOUSE_SLICE("zip")))
        return "jwt: compressed";
    return NULL;
}

/* ---- the claims ---- */

/* Seconds since 1970, with a fraction maybe. */
static bool get_time(apr_pool_t *p, const mouse_json_node_t *claims, const char *name,
                     double *time, bool *given)
{
    const mouse_json_node_t *node = mouse_json_find(p, claims, mouse_slice_of(name));

    *given = node != NULL;
    if (!node)
        return true;
    if (node->type != MOUSE_JSON_NUMBER)
        return false;
    *time = strtod(mouse_slice_copy(p, node->text), NULL);
    return isfinite(*time);
}

static const char *judge_times(apr_pool_t *p, const mouse_jwt_rules_t *rules,
                               const mouse_json_node_t *claims, double now)
{
    double exp, nbf, iat, leeway = (double)rules->leeway;
    bool has_exp, has_nbf, has_iat;

    if (!get_time(p, claims, "exp", &exp, &has_exp) ||
        !get_time(p, claims, "nbf", &nbf, &has_nbf) ||
        !get_time(p, claims, "iat", &iat, &has_iat))
        return "jwt: malformed claims";
    if (!has_exp && !rules->no_exp)
        return "jwt: no exp";
    if (has_exp && now >= exp + leeway)
        return "jwt: expired";
    if (has_nbf && nbf > now + leeway)
        return "jwt: not yet valid";
    if (has_iat && iat > now + leeway)
        return "jwt: issued in the future";
    return NULL;
}

static bool is_text(apr_pool_t *p, const mouse_json_node_t *node, const char *text)
{
    return node->type == MOUSE_JSON_STRING &&
           mouse_slice_equal(mouse_json_string(p, node), mouse_slice_of(text));
}

/* RFC 7519, 4.1.3: a string, or an array of strings; who is not named refuses. */
static const char *judge_audience(apr_pool_t *p, const char *aud,
                                  const mouse_json_node_t *node)
{
    bool named = false;

    if (!node)
        return aud ? "jwt: wrong audience" : NULL;
    if (node->type != MOUSE_JSON_STRING && node->type != MOUSE_JSON_ARRAY)
        return "jwt: malformed claims";
    if (!aud)
        return "jwt: wrong audience";
    if (node->type == MOUSE_JSON_STRING)
        return is_text(p, node, aud) ? NULL : "jwt: wrong audience";
    for (MOUSE_JSON_EACH (one, node))
        named |= is_text(p, one, aud);
    return named ? NULL : "jwt: wrong audience";
}

static const char *judge_claims(apr_pool_t *p, const mouse_jwt_rules_t *rules,
                                const mouse_json_node_t *claims, apr_time_t now)
{
    const mouse_json_node_t *iss = mouse_json_find(p, claims, MOUSE_SLICE("iss"));
    const char *why = judge_times(p, rules, claims, (double)now / (double)APR_USEC_PER_SEC);

    if (why)
        return why;
    if (rules->iss && (!iss || !is_text(p, iss, rules->iss)))
        return "jwt: wrong issuer";
    return judge_audience(p, rules->aud, mouse_json_find(p, claims, MOUSE_SLICE("aud")));
}

const char *mouse_jwt_verify(apr_pool_t *p, const mouse_jwt_rules_t *rules,
                             const mouse_jwt_keys_t *keys, mouse_slice_t token,
                             apr_time_t now, const mouse_json_node_t **claims)
{
    const mouse_jwt_key_t *key;
    mouse_slice_t kid = {NULL, 0};
    mouse_jwt_alg_t alg = 0;
    parts_t parts;
    const char *why = split(p, token, &parts);

    if (!why)
        why = judge_header(p, scan_object(p, parts.header), rules->algs, &alg, &kid);
    if (why)
        return why;
    key = mouse_jwt_keys_find(keys, alg, kid, &why);
    if (!key)
        return why;
    if (!mouse_jwt_key_verify(key, alg, token, parts.input, parts.signature))
        return "jwt: bad signature";
    *claims = scan_object(p, parts.payload);
    return *claims ? judge_claims(p, rules, *claims, now) : "jwt: malformed claims";
}
