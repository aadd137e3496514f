/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `api-key [{header.x_api_key}] [keys-file=FILE] [realm=TEXT] [optional]`: the key of a
 * client becomes context, `:key.value`. A lookup behind it judges it, or the guard itself,
 * where a file lists the keys: then `:key.client` tells whose it is.
 */

#include "guard/guard_int.h"

#include <apr_lib.h>
#include <apr_strings.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

#define LEAST_BYTES 16
#define MOST_BYTES  512

/* One line of the file: digests compare in the same time, whatever the keys' lengths. */
typedef struct known_t {
    const char *client;
    uint8_t digest[SHA256_DIGEST_SIZE];
} known_t;

typedef struct api_key_t {
    const char *name, *challenge;
    const mouse_argument_t *from;
    apr_array_header_t *known; /* of known_t; NULL: no file */
    bool optional;
} api_key_t;

static void digest_of(mouse_slice_t key, uint8_t *digest)
{
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, key.len, (const uint8_t *)key.data);
    sha256_digest(&hash, SHA256_DIGEST_SIZE, digest);
}

/* "CLIENT KEY"; the n-th of the file. */
static apr_status_t read_entry(const mouse_guard_setup_t *setup, api_key_t *made,
                               mouse_slice_t line, int n, mouse_error_t **err)
{
    char *rest, *client = apr_strtok(mouse_slice_copy(setup->pconf, line), " \t", &rest);
    char *key = client ? apr_strtok(NULL, " \t", &rest) : NULL;
    known_t *known;

    if (!key || apr_strtok(NULL, " \t", &rest))
        return mouse_guard_refuse(setup, err, "entry %d of keys-file= is not CLIENT KEY",
                                  n);
    if (strlen(key) < LEAST_BYTES)
        return mouse_guard_refuse(
            setup, err, "entry %d of keys-file=: a key has at least %d characters", n,
            LEAST_BYTES);
    known = apr_array_push(made->known);
    known->client = client;
    digest_of(mouse_slice_of(key), known->digest);
    return APR_SUCCESS;
}

static apr_status_t read_file(mouse_guard_setup_t *setup, api_key_t *made, const char *path,
                              mouse_error_t **err)
{
    const mouse_slice_t *lines = NULL;
    int count = 0;
    apr_status_t rv = mouse_guard_keys(setup, path, &lines, &count, err);

    made->known = apr_array_make(setup->pconf, 8, sizeof(known_t));
    for (int i = 0; rv == APR_SUCCESS && i < count; i++)
        rv = read_entry(setup, made, lines[i], i + 1, err);
    return rv;
}

/* `, in="header", name="X-Api-Key"` of {header.x_api_key}, in the words of OpenAPI. Where a
 * bare name is the route's method tells; context of other guards nobody sends. */
static const char *describe_place(apr_pool_t *p, const mouse_argument_t *from)
{
    int count;
    const char *read = mouse_argument_names(from, &count)[0];
    char *name;

    if (strncmp(read, "cookie.", 7) == 0)
        return apr_psprintf(p, ", in=\"cookie\", name=\"%s\"", read + 7);
    if (strncmp(read, "header.", 7) != 0)
        return strchr(read, '.') ? "" : apr_psprintf(p, ", name=\"%s\"", read);
    name = apr_pstrdup(p, read + 7);
    for (char *c = name; *c; c++) {
        if (*c == '_')
            *c = '-';
        else if (c == name || c[-1] == '-')
            *c = (char)apr_toupper(*c);
    }
    return apr_psprintf(p, ", in=\"header\", name=\"%s\"", name);
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    api_key_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *realm = NULL, *optional = NULL, *file = NULL;
    const char *from = "{header.x_api_key}";
    int first = setup->argc > 0 && setup->argv[0][0] == '{';
    const mouse_guard_option_t options[] = {
        {"keys-file=", &file}, {"realm=", &realm}, {"optional", &optional}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, first, options, err);

    if (rv == APR_SUCCESS)
        rv = mouse_guard_realm(setup, &realm, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_value(setup, first ? setup->argv[0] : from, &made->from, err);
    if (rv == APR_SUCCESS && file)
        rv = read_file(setup, made, file, err);
    if (rv == APR_SUCCESS)
        made->challenge = apr_psprintf(setup->pconf, "ApiKey realm=\"%s\"%s", realm,
                                       describe_place(setup->pconf, made->from));
    made->name = apr_pstrdup(setup->pconf, setup->name);
    made->optional = optional != NULL;
    *config = made;
    return rv;
}

/* All lines are compared, so that the time does not tell which one it was. */
static const char *find_client(const api_key_t *made, mouse_slice_t key)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    const char *client = NULL;

    digest_of(key, digest);
    for (int i = 0; i < made->known->nelts; i++) {
        const known_t *known = &APR_ARRAY_IDX(made->known, i, known_t);

        if (memeql_sec(digest, known->digest, sizeof(digest)))
            client = known->client;
    }
    return client;
}

static mouse_verdict_t take(const api_key_t *made, mouse_request_t *req, const char *key,
                            mouse_error_t **err)
{
    const char *client = NULL;
    mouse_context_t *context;

    if (made->known) {
        client = find_client(made, mouse_slice_of(key));
        if (!client)
            return mouse_guard_end(req, 401, "no such API key", err);
    }
    context = mouse_guard_give(req, made->name, client ? 2 : 1);
    mouse_guard_set_text(context, 0, "value", key);
    if (client)
        mouse_guard_set_text(context, 1, "client", client);
    return MOUSE_GUARD_PASS;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const api_key_t *made = config;
    mouse_value_t value;
    mouse_slice_t text;

    mouse_guard_challenge(req, made->challenge);
    if (mouse_argument_value(req, made->from, &value, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    text = mouse_value_text(req->pool, &value);
    if (text.len > MOST_BYTES || (text.len > 0 && memchr(text.data, '\0', text.len)))
        return mouse_guard_end(req, 401, "the API key is malformed", err);
    if (text.len > 0)
        return take(made, req, mouse_slice_copy(req->pool, text), err);
    if (!made->optional)
        return mouse_guard_end(req, 401, "no API key", err);
    mouse_guard_give(req, made->name, 0)->missed = true;
    return MOUSE_GUARD_PASS;
}

static bool is_optional(const void *config)
{
    return ((const api_key_t *)config)->optional;
}

static bool gives(const void *config, const char *field)
{
    const api_key_t *made = config;

    return strcmp(field, "value") == 0 || (made->known && strcmp(field, "client") == 0);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    (void)config;
    facts->status = 401;
}

const mouse_guard_provider_t mouse_guard_api_key = {
    .name = "api-key",
    .gives_context = true,
    .create = create,
    .check = check,
    .optional = is_optional,
    .gives = gives,
    .describe = describe,
};
