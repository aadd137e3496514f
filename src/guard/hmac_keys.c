/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The keys of the guard hmac. A secret is the text it is, or what stands in base64 behind
 * "base64:"; a model's column may hold bytes, too.
 */

#include "guard/hmac_int.h"

#include <apr_strings.h>

/* NULL, or what is wrong with it. */
static const char *read_secret(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *secret)
{
    static const char prefix[] = "base64:";
    const size_t len = sizeof(prefix) - 1;

    *secret = text;
    if (text.len >= len && memcmp(text.data, prefix, len) == 0 &&
        !mouse_fields_base64(p, (mouse_slice_t){text.data + len, text.len - len}, secret))
        return "is no base64";
    return secret->len < MOUSE_HMAC_LEAST ? "has fewer than 32 bytes" : NULL;
}

static bool is_keyid(const char *text)
{
    for (; *text > ' ' && *text <= '~'; text++)
        ;
    return *text == '\0';
}

/* "KEYID SECRET"; the n-th of the file. */
static apr_status_t read_entry(const mouse_guard_setup_t *setup, mouse_slice_t line, int n,
                               apr_hash_t *known, mouse_error_t **err)
{
    char *rest, *keyid = apr_strtok(mouse_slice_copy(setup->pconf, line), " \t", &rest);
    char *text = keyid ? apr_strtok(NULL, " \t", &rest) : NULL;
    mouse_slice_t *secret = apr_palloc(setup->pconf, sizeof(*secret));
    const char *why;

    if (!text || apr_strtok(NULL, " \t", &rest) || !is_keyid(keyid))
        return mouse_guard_refuse(setup, err, "entry %d of keys-file= is not KEYID SECRET",
                                  n);
    why = read_secret(setup->pconf, mouse_slice_of(text), secret);
    if (why)
        return mouse_guard_refuse(setup, err, "entry %d of keys-file=: the secret %s", n,
                                  why);
    if (apr_hash_get(known, keyid, APR_HASH_KEY_STRING))
        return mouse_guard_refuse(setup, err, "keys-file= has the key id %s twice", keyid);
    apr_hash_set(known, keyid, APR_HASH_KEY_STRING, secret);
    return APR_SUCCESS;
}

static apr_status_t read_file(const mouse_guard_setup_t *setup, const char *file,
                              mouse_hmac_keys_t *keys, mouse_error_t **err)
{
    const mouse_slice_t *lines = NULL;
    int count = 0;
    apr_status_t rv = mouse_guard_keys(setup, file, &lines, &count, err);

    keys->known = apr_hash_make(setup->pconf);
    for (int i = 0; rv == APR_SUCCESS && i < count; i++)
        rv = read_entry(setup, lines[i], i + 1, keys->known, err);
    return rv;
}

apr_status_t mouse_hmac_keys_create(const mouse_guard_setup_t *setup, const char *file,
                                    const char *model, mouse_hmac_keys_t *keys,
                                    mouse_error_t **err)
{
    if (!file == !model)
        return mouse_guard_refuse(setup, err, "hmac takes keys-file=FILE or key=MODEL");
    if (file)
        return read_file(setup, file, keys, err);
    keys->model = setup->model(setup->baton, model, &keys->slot);
    if (!keys->model)
        return mouse_guard_refuse(setup, err, "there is no model \"%s\"", model);
    if (mouse_model_kind(keys->model) != MOUSE_KIND_ONE)
        return mouse_guard_refuse(setup, err, "key= needs a :one model, %s is none (%s:%d)",
                                  model, mouse_model_file(keys->model),
                                  mouse_model_line(keys->model));
    return APR_SUCCESS;
}

/* ---- per request ---- */

static const char *take_column(apr_pool_t *p, const mouse_context_t *row,
                               mouse_slice_t *secret)
{
    const mouse_value_t *value = mouse_context_find(row, "secret");
    const char *why = NULL;

    if (!value || value->kind == MOUSE_VALUE_NULL)
        return "the key's model gives no secret";
    if (value->kind == MOUSE_VALUE_BYTES) {
        *secret = value->text;
        why = secret->len < MOUSE_HMAC_LEAST ? "has fewer than 32 bytes" : NULL;
    } else {
        why = read_secret(p, mouse_value_text(p, value), secret);
    }
    return why ? apr_pstrcat(p, "the secret of the key's model ", why, NULL) : NULL;
}

apr_status_t mouse_hmac_keys_find(const mouse_hmac_keys_t *keys, mouse_request_t *req,
                                  const char *keyid, mouse_slice_t *secret,
                                  mouse_context_t *row, const char **why,
                                  mouse_error_t **err)
{
    const mouse_slice_t *known;
    apr_status_t rv;

    *why = "there is no such key";
    *row = (mouse_context_t){.count = 0};
    if (!keys->model) {
        known = apr_hash_get(keys->known, keyid, APR_HASH_KEY_STRING);
        if (!known)
            return APR_NOTFOUND;
        *secret = *known;
        return APR_SUCCESS;
    }
    rv = mouse_model_lookup(req, keys->model, *keys->slot, row, err);
    if (rv != APR_SUCCESS)
        return rv;
    *why = take_column(req->pool, row, secret);
    return *why ? APR_NOTFOUND : APR_SUCCESS;
}
