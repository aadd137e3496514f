/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Key files made key sets: a JWK Set, a PEM public key, a secret.
 *
 * librhonabwy reads them, and is never allowed to fetch anything. What a key is good for
 * follows from its type and length, never from what a token says.
 */

#include "guard/jwt_int.h"

#include <stdlib.h>

#include <apr_strings.h>

#define RSA_ALGS (MOUSE_JWT_RS256 | MOUSE_JWT_PS256)

/* ---- what a key is for ---- */

static bool names(const char *text, const char *name)
{
    return text && strcmp(text, name) == 0;
}

/* By its type and length alone; 0: nothing that is known here. */
static unsigned algs_of_jwk(jwk_t *jwk)
{
    unsigned bits = 0;
    int type = r_jwk_key_type(jwk, &bits, R_FLAG_IGNORE_REMOTE);
    const char *curve = r_jwk_get_property_str(jwk, "crv");

    if (type & R_KEY_TYPE_RSA)
        return bits >= MOUSE_JWT_MIN_RSA_BITS ? RSA_ALGS : 0;
    if (type & R_KEY_TYPE_EC)
        return names(curve, "P-256") ? MOUSE_JWT_ES256 : 0;
    if (type & R_KEY_TYPE_EDDSA)
        return names(curve, "Ed25519") ? MOUSE_JWT_EDDSA : 0;
    return 0;
}

/* Can the library make a key of it? */
static bool is_usable(jwk_t *jwk)
{
    unsigned char der[4096];
    size_t len = sizeof(der);

    return r_jwk_export_to_pem_der(jwk, R_FORMAT_DER, der, &len, R_FLAG_IGNORE_REMOTE) ==
           RHN_OK;
}

/* ---- secrets ---- */

static bool contains(mouse_slice_t text, const char *word)
{
    size_t i, len = strlen(word);

    for (i = 0; i + len <= text.len; i++) {
        if (memcmp(text.data + i, word, len) == 0)
            return true;
    }
    return false;
}

/* A public key taken for an HMAC secret is known to everybody. */
static bool is_other_key(mouse_slice_t text)
{
    static const char *const marks[] = {"ssh-", "ecdsa-sha2-", "{"};
    bool other = contains(text, "-----BEGIN ");
    jwk_t *jwk = NULL;

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        other |= text.len >= strlen(marks[i]) &&
                 memcmp(text.data, marks[i], strlen(marks[i])) == 0;
    if (other || r_jwk_init(&jwk) != RHN_OK)
        return true;
    other = r_jwk_import_from_pem_der(jwk, R_X509_TYPE_UNSPECIFIED, R_FORMAT_DER,
                                      (const unsigned char *)text.data, text.len) == RHN_OK;
    r_jwk_free(jwk);
    return other;
}

const char *mouse_jwt_keys_from_secret(apr_pool_t *p, mouse_slice_t text,
                                       mouse_jwt_keys_t **keys)
{
    if (text.len > 0 && text.data[text.len - 1] == '\n')
        text.len--;
    if (text.len > 0 && text.data[text.len - 1] == '\r')
        text.len--;
    if (is_other_key(text))
        return "HS256 needs a secret, and this is a key that others may know";
    if (text.len < MOUSE_JWT_MIN_SECRET)
        return apr_psprintf(p, "a secret for HS256 has at least %d bytes, this one %d",
                            MOUSE_JWT_MIN_SECRET, (int)text.len);
    *keys = mouse_jwt_keys_create(1, false);
    mouse_jwt_keys_add_secret(*keys, NULL, text);
    return NULL;
}

/* ---- a PEM file ---- */

const char *mouse_jwt_keys_from_pem(apr_pool_t *p, mouse_slice_t text, unsigned algs,
                                    mouse_jwt_keys_t **keys)
{
    jwk_t *jwk = NULL;
    unsigned fits;

    if (contains(text, "PRIVATE KEY"))
        return "this is a private key: only the issuer of the tokens may have it";
    if (r_jwk_init(&jwk) != RHN_OK ||
        r_jwk_import_from_pem_der(jwk, R_X509_TYPE_PUBKEY, R_FORMAT_PEM,
                                  (const unsigned char *)text.data, text.len) != RHN_OK) {
        r_jwk_free(jwk);
        return "this is no public key in PEM (\"-----BEGIN PUBLIC KEY-----\")";
    }
    fits = algs_of_jwk(jwk);
    if (algs & ~fits) {
        r_jwk_free(jwk);
        return apr_psprintf(p, "the key does not fit alg=%s (RSA has at least %d bits)",
                            mouse_jwt_alg_names(p, algs & ~fits), MOUSE_JWT_MIN_RSA_BITS);
    }
    *keys = mouse_jwt_keys_create(1, false);
    mouse_jwt_keys_add_public(*keys, NULL, algs, jwk);
    return NULL;
}

/* ---- a JWK Set ---- */

/* RFC 7517 4.2 to 4.4: is it meant to verify signatures, and by which algorithms? */
static unsigned algs_meant(const json_t *member)
{
    const char *use = json_string_value(json_object_get(member, "use"));
    const json_t *ops = json_object_get(member, "key_ops");
    const char *alg = json_string_value(json_object_get(member, "alg"));
    bool verifies = !ops;

    if (use && strcmp(use, "sig") != 0)
        return 0;
    for (size_t i = 0; i < json_array_size(ops); i++)
        verifies |= names(json_string_value(json_array_get(ops, i)), "verify");
    if (!verifies)
        return 0;
    return alg ? mouse_jwt_alg_find(mouse_slice_of(alg)) : ~0u;
}

/* Both return false when the set has a key of that name already. */
static bool take_secret(mouse_jwt_keys_t *keys, const char *kid, jwk_t *jwk)
{
    const char *encoded = r_jwk_get_property_str(jwk, "k");
    size_t len = encoded ? strlen(encoded) : 0;
    char *secret = malloc(len + 1);
    bool added = true;

    if (!secret)
        abort();
    if (encoded &&
        r_jwk_export_to_symmetric_key(jwk, (unsigned char *)secret, &len) == RHN_OK &&
        len >= MOUSE_JWT_MIN_SECRET)
        added = mouse_jwt_keys_add_secret(keys, kid, (mouse_slice_t){secret, len});
    free(secret);
    r_jwk_free(jwk);
    return added;
}

static bool take_public(mouse_jwt_keys_t *keys, const char *kid, jwk_t *jwk, unsigned algs)
{
    algs &= algs_of_jwk(jwk);
    if (algs && is_usable(jwk))
        return mouse_jwt_keys_add_public(keys, kid, algs, jwk);
    r_jwk_free(jwk);
    return true;
}

static bool is_secret(const json_t *member)
{
    return names(json_string_value(json_object_get(member, "kty")), "oct");
}

static bool take_member(mouse_jwt_keys_t *keys, json_t *member, unsigned algs)
{
    const char *kid = json_string_value(json_object_get(member, "kid"));
    jwk_t *jwk = NULL;

    algs &= algs_meant(member);
    if (is_secret(member))
        algs &= MOUSE_JWT_HS256;
    if (algs == 0 || r_jwk_init(&jwk) != RHN_OK)
        return true;
    if (r_jwk_import_from_json_t(jwk, member) != RHN_OK) {
        r_jwk_free(jwk);
        return true;
    }
    return is_secret(member) ? take_secret(keys, kid, jwk)
                             : take_public(keys, kid, jwk, algs);
}

static const char *refuse_member(const json_t *member, unsigned algs)
{
    if (is_secret(member) && !(algs & MOUSE_JWT_HS256))
        return "the set holds a secret (\"kty\":\"oct\") and alg= has no HS256";
    if (!is_secret(member) && json_object_get(member, "d"))
        return "the set holds a private key: only the issuer of the tokens may have it";
    return NULL;
}

static const char *take_members(apr_pool_t *p, json_t *members, unsigned algs,
                                mouse_jwt_keys_t *keys)
{
    const char *why = NULL;

    for (size_t i = 0; !why && i < json_array_size(members); i++) {
        json_t *member = json_array_get(members, i);

        why = refuse_member(member, algs);
        if (!why && !take_member(keys, member, algs))
            why = "two keys of the set have the same kid";
    }
    if (!why && mouse_jwt_keys_count(keys) == 0)
        why = apr_psprintf(p, "the set has no key for alg=%s (RSA has at least %d bits)",
                           mouse_jwt_alg_names(p, algs), MOUSE_JWT_MIN_RSA_BITS);
    return why;
}

const char *mouse_jwt_keys_from_set(apr_pool_t *p, mouse_slice_t text, unsigned algs,
                                    mouse_jwt_keys_t **out)
{
    json_t *set = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, NULL);
    json_t *members = json_object_get(set, "keys");
    mouse_jwt_keys_t *keys;
    const char *why;

    if (!json_is_array(members)) {
        json_decref(set);
        return "this is no JWK Set: {\"keys\": [...]}";
    }
    keys = mouse_jwt_keys_create(json_array_size(members), true);
    why = take_members(p, members, algs, keys);
    json_decref(set);
    if (why)
        mouse_jwt_keys_free(keys);
    else
        *out = keys;
    return why;
}
