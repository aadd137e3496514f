/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A request's signature (RFC 9421, 3.2): which of those sent is meant, whether its
 * parameters and components are what is asked for, and the text that it signs. Nothing
 * here needs a key or the body.
 */

#include "guard/message_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

#define MOST_BYTES 16384 /* of a field */
#define MOST_KEYID 256

static const char *read_dictionary(mouse_request_t *req, const char *name,
                                   const apr_array_header_t **members)
{
    const char *text = req->host->header(req->baton, name), *why;

    if (!text)
        return apr_psprintf(req->pool, "there is no %s", name);
    if (strlen(text) > MOST_BYTES)
        return apr_psprintf(req->pool, "%s is longer than %d bytes", name, MOST_BYTES);
    why = mouse_fields_read(req->pool, mouse_slice_of(text), members);
    return why ? apr_pstrcat(req->pool, name, ": ", why, NULL) : NULL;
}

/* ---- which one ---- */

static bool has_tag(const mouse_field_member_t *member, const char *tag)
{
    const mouse_field_value_t *value = mouse_fields_param(&member->item, "tag");

    return value && value->kind == MOUSE_FIELD_STRING &&
           mouse_slice_equal(value->text, mouse_slice_of(tag));
}

/* By its label, or the only one with the tag. */
static const char *choose(const mouse_message_rules_t *rules,
                          const apr_array_header_t *inputs, mouse_message_t *message)
{
    int count = 0;

    for (int i = 0; i < inputs->nelts; i++) {
        const mouse_field_member_t *one = &APR_ARRAY_IDX(inputs, i, mouse_field_member_t);

        if (rules->label ? !mouse_slice_equal(one->key, mouse_slice_of(rules->label))
                         : rules->tag && !has_tag(one, rules->tag))
            continue;
        message->input = one;
        count++;
    }
    if (count == 0)
        return "there is no signature with this label or tag";
    if (count > 1)
        return "there are several signatures, and no label= says which";
    if (rules->tag && !has_tag(message->input, rules->tag))
        return "the signature has another tag";
    return message->input->items ? NULL : "Signature-Input has no list of components";
}

static const char *find_signature(mouse_request_t *req, mouse_message_t *message)
{
    const apr_array_header_t *signatures;
    const char *why = read_dictionary(req, "Signature", &signatures);
    const mouse_field_member_t *member;

    if (why)
        return why;
    message->label = mouse_slice_copy(req->pool, message->input->key);
    member = mouse_fields_member(signatures, message->label);
    if (!member)
        return "Signature has no member of this label";
    if (member->items || member->item.value.kind != MOUSE_FIELD_BYTES)
        return "Signature has no bytes under this label";
    message->signature = member->item.value.text;
    return NULL;
}

/* ---- its parameters ---- */

/* A string into req->pool; absent leaves *text alone. */
static const char *take_string(mouse_request_t *req, const mouse_message_t *message,
                               const char *name, const char **text)
{
    const mouse_field_value_t *value = mouse_fields_param(&message->input->item, name);

    if (!value)
        return NULL;
    if (value->kind != MOUSE_FIELD_STRING || value->text.len == 0 ||
        value->text.len > MOST_KEYID)
        return apr_psprintf(req->pool, "%s is no string of 1 to %d bytes", name,
                            MOST_KEYID);
    *text = mouse_slice_copy(req->pool, value->text);
    return NULL;
}

static const char *take_strings(mouse_request_t *req, const mouse_message_rules_t *rules,
                                mouse_message_t *message)
{
    const char *alg = "hmac-sha256";
    const char *why = take_string(req, message, "keyid", &message->keyid);

    if (!why)
        why = take_string(req, message, "nonce", &message->nonce);
    if (!why)
        why = take_string(req, message, "alg", &alg);
    if (why)
        return why;
    if (!message->keyid)
        return "there is no keyid";
    if (rules->nonce && !message->nonce)
        return "there is no nonce";
    return strcmp(alg, "hmac-sha256") == 0 ? NULL : "alg is not hmac-sha256";
}

static const char *take_times(const mouse_request_t *req,
                              const mouse_message_rules_t *rules, mouse_message_t *message)
{
    const mouse_field_item_t *params = &message->input->item;
    const mouse_field_value_t *created = mouse_fields_param(params, "created");
    const mouse_field_value_t *expires = mouse_fields_param(params, "expires");
    int64_t now = apr_time_sec(req->now), window = apr_time_sec(rules->window);

    if (!created || created->kind != MOUSE_FIELD_INTEGER)
        return created ? "created is no integer" : "there is no created";
    if (expires && expires->kind != MOUSE_FIELD_INTEGER)
        return "expires is no integer";
    message->created = created->number;
    if (created->number < now - window)
        return "created is too old";
    if (created->number > now + window)
        return "created is in the future";
    if (expires && expires->number < created->number)
        return "expires is before created";
    return expires && expires->number < now ? "the signature has expired" : NULL;
}

/* ---- its components ---- */

static mouse_slice_t identifier(apr_pool_t *p, const mouse_field_item_t *item)
{
    mouse_buf_t *buf = apr_palloc(p, sizeof(*buf));

    mouse_buf_init(buf, p, 32);
    mouse_fields_write_item(buf, item);
    return (mouse_slice_t){buf->data, buf->len};
}

static bool holds(const mouse_slice_t *names, int count, mouse_slice_t name)
{
    for (int i = 0; i < count; i++) {
        if (mouse_slice_equal(names[i], name))
            return true;
    }
    return false;
}

static const char *check_required(apr_pool_t *p, const mouse_message_rules_t *rules,
                                  const mouse_slice_t *names, int count)
{
    for (int i = 0; i < rules->required->nelts; i++) {
        const char *name = APR_ARRAY_IDX(rules->required, i, const char *);

        if (!holds(names, count, mouse_slice_of(name)))
            return apr_psprintf(p, "the signature does not cover %s", name);
    }
    return NULL;
}

static const char *check_components(apr_pool_t *p, const mouse_message_rules_t *rules,
                                    mouse_message_t *message)
{
    const apr_array_header_t *items = message->input->items;
    mouse_slice_t names[MOUSE_FIELDS_MOST];

    for (int i = 0; i < items->nelts; i++) {
        const mouse_field_item_t *item = &APR_ARRAY_IDX(items, i, mouse_field_item_t);
        const char *why = mouse_component_check(p, item);

        if (why)
            return why;
        names[i] = identifier(p, item);
        if (holds(names, i, names[i]))
            return apr_psprintf(p, "the component %.*s comes twice", (int)names[i].len,
                                names[i].data);
    }
    message->covers_content = holds(names, items->nelts, MOUSE_SLICE("\"content-digest\""));
    return check_required(p, rules, names, items->nelts);
}

const char *mouse_message_read(mouse_request_t *req, const mouse_message_rules_t *rules,
                               mouse_message_t *message)
{
    const apr_array_header_t *inputs;
    const char *why = read_dictionary(req, "Signature-Input", &inputs);

    *message = (mouse_message_t){.label = NULL};
    if (!why)
        why = choose(rules, inputs, message);
    if (!why)
        why = find_signature(req, message);
    if (!why)
        why = take_strings(req, rules, message);
    if (!why)
        why = take_times(req, rules, message);
    if (!why)
        why = check_components(req->pool, rules, message);
    return why;
}

const char *mouse_message_base(mouse_request_t *req, const mouse_message_rules_t *rules,
                               const mouse_message_t *message, mouse_slice_t *base)
{
    const apr_array_header_t *items = message->input->items;
    mouse_buf_t *buf = apr_palloc(req->pool, sizeof(*buf));
    mouse_slice_t value;

    mouse_buf_init(buf, req->pool, 512);
    for (int i = 0; i < items->nelts; i++) {
        const mouse_field_item_t *item = &APR_ARRAY_IDX(items, i, mouse_field_item_t);
        const char *why = mouse_component_read(req, rules->scheme, item, &value);

        if (why)
            return why;
        mouse_fields_write_item(buf, item);
        mouse_buf_literal(buf, ": ");
        mouse_buf_slice(buf, value);
        mouse_buf_char(buf, '\n');
    }
    mouse_buf_literal(buf, "\"@signature-params\": ");
    mouse_fields_write_list(buf, message->input);
    *base = (mouse_slice_t){buf->data, buf->len};
    return NULL;
}
