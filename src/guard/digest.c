/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Content-Digest (RFC 9530): sha-256 and sha-512, of the body as it came. */

#include "guard/message_int.h"

#include <apr_strings.h>
#include <nettle/memops.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha2.h>

static const struct {
    const char *name;
    const struct nettle_hash *hash;
} known[] = {
    {"sha-256", &nettle_sha256},
    {"sha-512", &nettle_sha512},
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static bool is_digest_of(const struct nettle_hash *hash, mouse_slice_t digest,
                         mouse_slice_t body)
{
    uint8_t made[SHA512_DIGEST_SIZE];
    union {
        struct sha256_ctx sha256;
        struct sha512_ctx sha512;
    } ctx;

    hash->init(&ctx);
    hash->update(&ctx, body.len, (const uint8_t *)body.data);
    hash->digest(&ctx, hash->digest_size, made);
    return memeql_sec(made, digest.data, hash->digest_size);
}

static const char *check_member(apr_pool_t *p, const mouse_field_member_t *member, size_t i,
                                const mouse_slice_t *body)
{
    const mouse_field_value_t *value = &member->item.value;

    if (member->items || value->kind != MOUSE_FIELD_BYTES ||
        value->text.len != known[i].hash->digest_size)
        return apr_psprintf(p, "the %s of Content-Digest is no digest", known[i].name);
    if (body && !is_digest_of(known[i].hash, value->text, *body))
        return apr_psprintf(p, "the body has another %s than Content-Digest says",
                            known[i].name);
    return NULL;
}

const char *mouse_digest_check(apr_pool_t *p, const char *field, const mouse_slice_t *body)
{
    const apr_array_header_t *members;
    const char *why = mouse_fields_read(p, mouse_slice_of(field), &members);
    int found = 0;

    if (why)
        return apr_pstrcat(p, "Content-Digest: ", why, NULL);
    for (size_t i = 0; i < KNOWN && !why; i++) {
        const mouse_field_member_t *member = mouse_fields_member(members, known[i].name);

        found += member != NULL;
        if (member)
            why = check_member(p, member, i, body);
    }
    if (why)
        return why;
    return found ? NULL : "Content-Digest has neither sha-256 nor sha-512";
}
