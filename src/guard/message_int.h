/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Signed HTTP messages (RFC 9421), requests alone, and digests of content (RFC 9530). */
#ifndef MOUSE_MESSAGE_INT_H
#define MOUSE_MESSAGE_INT_H

#include "guard/fields_int.h"
#include "guard/mouse_guard.h"

/* ---- components of a request: component.c ---- */

/* Could it be covered at all? NULL, or why not (a sentence in p). */
const char *mouse_component_check(apr_pool_t *p, const mouse_field_item_t *item);

/* The value of a component that passed the check, in req->pool. scheme NULL: the
 * server's. NULL, or why it has none that could be signed. */
const char *mouse_component_read(mouse_request_t *req, const char *scheme,
                                 const mouse_field_item_t *item, mouse_slice_t *value);

/* ---- one signature of a request: message.c ---- */

/* What is asked of a signature. */
typedef struct mouse_message_rules_t {
    const char *label, *tag; /* NULL: any */
    apr_interval_time_t window;
    bool nonce;                         /* it must have one */
    const apr_array_header_t *required; /* of const char *: identifiers as written */
    const char *scheme;                 /* NULL: the server's */
} mouse_message_rules_t;

typedef struct mouse_message_t {
    const char *label, *keyid, *nonce; /* nonce NULL: none */
    int64_t created;                   /* seconds */
    mouse_slice_t signature;
    const mouse_field_member_t *input;
    bool covers_content; /* by its Content-Digest */
} mouse_message_t;

/* Finds the signature, and judges all that its fields tell. NULL, or what is wrong. */
const char *mouse_message_read(mouse_request_t *req, const mouse_message_rules_t *rules,
                               mouse_message_t *message);

/* The signature base (RFC 9421, 2.5), in req->pool. NULL, or why there is none. */
const char *mouse_message_base(mouse_request_t *req, const mouse_message_rules_t *rules,
                               const mouse_message_t *message, mouse_slice_t *base);

/* ---- Content-Digest: digest.c ---- */

/* NULL when a known digest is there and each one is the body's; a NULL body is not looked
 * at. */
const char *mouse_digest_check(apr_pool_t *p, const char *field, const mouse_slice_t *body);

#endif
