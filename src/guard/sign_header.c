/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Headers that hold signatures: `t={t},v1={sig}` finds the pairs t= and v1= in any order
 * among others, v1= several times; `sha256={sig}` is a whole header.
 */

#include "guard/guard_int.h"

#include <apr_strings.h>

#define MOST_PARTS 2

typedef struct part_t {
    mouse_slice_t prefix; /* "v1=" */
    bool is_time;
} part_t;

struct mouse_sign_form_t {
    int count;
    part_t parts[MOST_PARTS];
};

static bool begins_with(mouse_slice_t text, mouse_slice_t prefix)
{
    return text.len >= prefix.len && memcmp(text.data, prefix.data, prefix.len) == 0;
}

/* "v1={sig}" */
static bool parse_part(mouse_slice_t text, part_t *part)
{
    static const mouse_slice_t names[] = {{"{sig}", 5}, {"{t}", 3}};

    for (size_t i = 0; i < 2; i++) {
        size_t len = names[i].len;

        if (text.len < len || memcmp(text.data + text.len - len, names[i].data, len) != 0)
            continue;
        *part = (part_t){{text.data, text.len - len}, i == 1};
        return !memchr(part->prefix.data, '{', part->prefix.len) &&
               !memchr(part->prefix.data, '}', part->prefix.len);
    }
    return false;
}

/* The piece of a list up to the next comma, without white space around it. */
static mouse_slice_t next_piece(const char **at)
{
    const char *begin = *at + strspn(*at, " \t"), *end = begin + strcspn(begin, ",");

    *at = *end ? end + 1 : NULL;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (mouse_slice_t){begin, (size_t)(end - begin)};
}

/* One {sig} and at most one {t}; no pair could be taken for the other. */
static bool makes_sense(const mouse_sign_form_t *form)
{
    const part_t *a = &form->parts[0], *b = &form->parts[1];

    if (form->count == 1)
        return !a->is_time;
    return a->is_time != b->is_time && a->prefix.len > 0 && b->prefix.len > 0 &&
           !begins_with(a->prefix, b->prefix) && !begins_with(b->prefix, a->prefix);
}

apr_status_t mouse_sign_form_parse(const mouse_guard_setup_t *setup, const char *text,
                                   const mouse_sign_form_t **form, mouse_error_t **err)
{
    mouse_sign_form_t *made = apr_pcalloc(setup->pconf, sizeof(*made));
    const char *at = apr_pstrdup(setup->pconf, text);
    bool good = true;

    while (good && at)
        good = made->count < MOST_PARTS &&
               parse_part(next_piece(&at), &made->parts[made->count++]);
    *form = made;
    if (good && makes_sense(made))
        return APR_SUCCESS;
    return mouse_guard_refuse(setup, err,
                              "\"parse=%s\" is no form: write sha256={sig}, or with a "
                              "timestamp t={t},v1={sig}",
                              text);
}

bool mouse_sign_form_has_time(const mouse_sign_form_t *form)
{
    return form->count > 1;
}

/* Takes a pair that belongs to the part. */
static const char *take(const part_t *part, mouse_slice_t piece, mouse_sign_found_t *found)
{
    const int most = sizeof(found->signatures) / sizeof(found->signatures[0]);
    mouse_slice_t value = {piece.data + part->prefix.len, piece.len - part->prefix.len};

    if (part->is_time) {
        if (found->timestamp.data)
            return "the header has two timestamps";
        found->timestamp = value;
        return NULL;
    }
    if (found->count == most)
        return "the header has too many signatures";
    found->signatures[found->count++] = value;
    return NULL;
}

static const char *read_list(const mouse_sign_form_t *form, const char *header,
                             mouse_sign_found_t *found)
{
    const char *fault = NULL;

    while (!fault && header) {
        mouse_slice_t piece = next_piece(&header);
        int i;

        for (i = 0; !fault && i < form->count; i++) {
            if (begins_with(piece, form->parts[i].prefix))
                fault = take(&form->parts[i], piece, found);
        }
    }
    if (!fault && !found->timestamp.data)
        fault = "the header has no timestamp";
    return fault;
}

const char *mouse_sign_form_read(const mouse_sign_form_t *form, const char *header,
                                 mouse_sign_found_t *found)
{
    mouse_slice_t whole = mouse_slice_of(header);
    const char *fault = NULL;

    *found = (mouse_sign_found_t){.count = 0};
    if (form->count > 1)
        fault = read_list(form, header, found);
    else if (begins_with(whole, form->parts[0].prefix))
        fault = take(&form->parts[0], whole, found);
    if (!fault && found->count == 0)
        fault = "the header has no signature of this kind";
    return fault;
}
