/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Is it JSON? For texts that are passed on as they are: no nodes, no memory. */

#include "json/json_int.h"

#define DEEPEST 512

/* One bit per open container: set for an object. */
typedef struct nest_t {
    uint64_t bits[DEEPEST / 64];
    int depth;
} nest_t;

static bool push(nest_t *nest, bool object)
{
    uint64_t bit = (uint64_t)1 << (nest->depth % 64);

    if (nest->depth >= DEEPEST)
        return false;
    if (object)
        nest->bits[nest->depth / 64] |= bit;
    else
        nest->bits[nest->depth / 64] &= ~bit;
    nest->depth++;
    return true;
}

static bool in_object(const nest_t *nest)
{
    int top = nest->depth - 1;

    return nest->bits[top / 64] >> (top % 64) & 1;
}

static const char *skip_quoted(const char *at, const char *end)
{
    const char *bad;
    bool escaped;

    if (at >= end || *at != '"')
        return NULL;
    at = mouse_json_skip_string(at + 1, end, &escaped, &bad);
    return at ? at + 1 : NULL;
}

static const char *skip_key(const char *at, const char *end)
{
    at = skip_quoted(mouse_json_skip_space(at, end), end);
    if (!at)
        return NULL;
    at = mouse_json_skip_space(at, end);
    return at < end && *at == ':' ? at + 1 : NULL;
}

static const char *skip_scalar(const char *at, const char *end)
{
    const char *bad;

    switch (*at) {
    case '"':
        return skip_quoted(at, end);
    case 't':
        return mouse_json_skip_literal(at, end, "true", &bad);
    case 'f':
        return mouse_json_skip_literal(at, end, "false", &bad);
    case 'n':
        return mouse_json_skip_literal(at, end, "null", &bad);
    default:
        return mouse_json_skip_number(at, end, &bad);
    }
}

/* Closes what closes here and stands before the next value; NULL: not JSON. */
static const char *skip_between(nest_t *nest, const char *at, const char *end, bool fresh)
{
    while (nest->depth > 0) {
        at = mouse_json_skip_space(at, end);
        if (at < end && *at == (in_object(nest) ? '}' : ']')) {
            nest->depth--;
            fresh = false;
            at++;
            continue;
        }
        if (!fresh && (at >= end || *at++ != ','))
            return NULL;
        return in_object(nest) ? skip_key(at, end) : at;
    }
    return at;
}

bool mouse_json_valid(mouse_slice_t text)
{
    const char *at = text.data, *end = text.data + text.len;
    nest_t nest = {.depth = 0};
    bool opened;

    do {
        at = mouse_json_skip_space(at, end);
        if (at >= end)
            return false;
        opened = *at == '{' || *at == '[';
        if (opened)
            at = push(&nest, *at == '{') ? at + 1 : NULL;
        else
            at = skip_scalar(at, end);
        if (at)
            at = skip_between(&nest, at, end, opened);
    } while (at && nest.depth > 0);
    return at && mouse_json_skip_space(at, end) == end;
}
