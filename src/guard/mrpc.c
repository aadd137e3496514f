/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * mouse-php's envelope: exactly seven members, and a signature over the bytes of `data` as
 * they were sent, followed by the seed.
 */

#include "guard/guard_int.h"

#include <nettle/base16.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>

#define AUTH_CHARS  (2 * SHA256_DIGEST_SIZE)
#define MOST_SEED   255
#define MOST_DIGITS 18

/* What one member must be. */
typedef struct member_t {
    const char *name;
    mouse_json_type_t type;
    const mouse_json_node_t *node;
} member_t;

enum { USER_ID, VERSION, REQUEST_TAG, TIMESTAMP, SEED, DATA, AUTH, MEMBERS };

static apr_status_t refuse(apr_pool_t *p, mouse_error_t **err)
{
    return mouse_error_set(
        err, p, MOUSE_E_BAD_REQUEST,
        "The body must be an envelope of user_id, version, request_tag, timestamp, seed, "
        "data and auth.");
}

static bool fits(const member_t *member, const mouse_json_node_t *node)
{
    return node->type == member->type ||
           (member->type == MOUSE_JSON_OBJECT && node->type == MOUSE_JSON_ARRAY);
}

static bool take(apr_pool_t *p, member_t *members, const mouse_json_node_t *node)
{
    mouse_slice_t key = mouse_json_key(p, node);

    for (int i = 0; i < MEMBERS; i++) {
        if (mouse_slice_equal(key, mouse_slice_of(members[i].name))) {
            members[i].node = node;
            return fits(&members[i], node);
        }
    }
    return false;
}

/* Digits alone: no sign, no exponent, nothing beyond int64. */
static bool read_int(const mouse_json_node_t *node, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < node->text.len; i++) {
        char c = node->text.data[i];

        if (c < '0' || c > '9' || i == MOST_DIGITS)
            return false;
        *value = *value * 10 + (c - '0');
    }
    return true;
}

apr_status_t mouse_mrpc_read(apr_pool_t *p, const mouse_json_node_t *root,
                             mouse_mrpc_form_t *form, mouse_error_t **err)
{
    member_t members[] = {[USER_ID] = {"user_id", MOUSE_JSON_NUMBER, NULL},
                          [VERSION] = {"version", MOUSE_JSON_STRING, NULL},
                          [REQUEST_TAG] = {"request_tag", MOUSE_JSON_STRING, NULL},
                          [TIMESTAMP] = {"timestamp", MOUSE_JSON_NUMBER, NULL},
                          [SEED] = {"seed", MOUSE_JSON_STRING, NULL},
                          [DATA] = {"data", MOUSE_JSON_OBJECT, NULL},
                          [AUTH] = {"auth", MOUSE_JSON_STRING, NULL}};

    if (root->type != MOUSE_JSON_OBJECT || root->size != MEMBERS)
        return refuse(p, err);
    /* As many as there are names, and none twice: so each is there. */
    for (MOUSE_JSON_EACH (node, root)) {
        if (!take(p, members, node))
            return refuse(p, err);
    }
    if (!read_int(members[USER_ID].node, &form->user_id) ||
        !read_int(members[TIMESTAMP].node, &form->timestamp))
        return refuse(p, err);
    form->version = mouse_json_string(p, members[VERSION].node);
    form->request_tag = mouse_json_string(p, members[REQUEST_TAG].node);
    form->seed = mouse_json_string(p, members[SEED].node);
    form->auth = mouse_json_string(p, members[AUTH].node);
    form->data = members[DATA].node;
    if (form->seed.len == 0 || form->seed.len > MOST_SEED || form->auth.len != AUTH_CHARS)
        return refuse(p, err);
    return APR_SUCCESS;
}

static bool matches(const mouse_mrpc_form_t *form, mouse_slice_t key, mouse_slice_t data)
{
    struct hmac_sha256_ctx hmac;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[AUTH_CHARS];

    hmac_sha256_set_key(&hmac, key.len, (const uint8_t *)key.data);
    hmac_sha256_update(&hmac, data.len, (const uint8_t *)data.data);
    hmac_sha256_update(&hmac, form->seed.len, (const uint8_t *)form->seed.data);
    hmac_sha256_digest(&hmac, sizeof(digest), digest);
    base16_encode_update(text, sizeof(digest), digest);
    return memeql_sec(text, form->auth.data, AUTH_CHARS);
}

bool mouse_mrpc_signed(const mouse_mrpc_form_t *form, mouse_slice_t key)
{
    /* PHP decodes an empty object to an empty array and encodes that again. */
    return matches(form, key, form->data->text) ||
           (form->data->size == 0 && matches(form, key, MOUSE_SLICE("[]")));
}
