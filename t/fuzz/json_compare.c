/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Holds one text against two parsers and compares verdicts and values. */

#include "json_compare.h"

#include <stdlib.h>

#include <jansson.h>

static bool same_text(mouse_slice_t ours, const char *theirs, size_t len)
{
    return mouse_slice_equal(ours, (mouse_slice_t){theirs, len});
}

static bool same_number(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs)
{
    const char *text = mouse_slice_copy(p, node->text);

    if (json_is_integer(theirs))
        return strtoll(text, NULL, 10) == json_integer_value(theirs);
    return json_is_real(theirs) && strtod(text, NULL) == json_real_value(theirs);
}

static bool same_scalar(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs)
{
    switch ((mouse_json_type_t)node->type) {
    case MOUSE_JSON_NULL:
        return json_is_null(theirs);
    case MOUSE_JSON_FALSE:
        return json_is_false(theirs);
    case MOUSE_JSON_TRUE:
        return json_is_true(theirs);
    case MOUSE_JSON_NUMBER:
        return same_number(p, node, theirs);
    case MOUSE_JSON_STRING:
        return json_is_string(theirs) &&
               same_text(mouse_json_string(p, node), json_string_value(theirs),
                         json_string_length(theirs));
    default:
        return false;
    }
}

static bool same_value(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs);

static bool same_array(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs)
{
    size_t i = 0;

    if (!json_is_array(theirs) || node->size != json_array_size(theirs))
        return false;
    for (MOUSE_JSON_EACH (item, node)) {
        if (!same_value(p, item, json_array_get(theirs, i++)))
            return false;
    }
    return i == node->size;
}

static bool same_object(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs)
{
    size_t count = 0;

    if (!json_is_object(theirs) || node->size != json_object_size(theirs))
        return false;
    for (MOUSE_JSON_EACH (member, node)) {
        mouse_slice_t key = mouse_json_key(p, member);
        const json_t *value = json_object_getn(theirs, key.data, key.len);

        if (!value || !same_value(p, member, value))
            return false;
        count++;
    }
    return count == node->size;
}

static bool same_value(apr_pool_t *p, const mouse_json_node_t *node, const json_t *theirs)
{
    if (node->type == MOUSE_JSON_ARRAY)
        return same_array(p, node, theirs);
    if (node->type == MOUSE_JSON_OBJECT)
        return same_object(p, node, theirs);
    return same_scalar(p, node, theirs);
}

/* Jansson refuses NUL in keys whatever its flags say. */
static bool beyond_jansson(enum json_error_code code)
{
    return code == json_error_numeric_overflow || code == json_error_stack_overflow ||
           code == json_error_null_byte_in_key;
}

static const char *compare_refused(const mouse_error_t *err, mouse_slice_t text,
                                   const json_t *theirs)
{
    if (err->code == MOUSE_E_JSON_DEPTH)
        return NULL;
    if (err->line < 1 || err->column < 1)
        return "an error has no place";
    if (err->code == MOUSE_E_BAD_JSON && mouse_json_valid(text))
        return "the scanner refuses what the check takes";
    return theirs ? "the scanner refuses what Jansson takes" : NULL;
}

static const char *compare_with_jansson(apr_pool_t *p, mouse_slice_t text,
                                        const mouse_json_doc_t *doc,
                                        const mouse_error_t *err)
{
    json_error_t why = {.line = 0};
    json_t *theirs =
        json_loadb(text.data, text.len,
                   JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &why);
    const char *verdict = NULL;

    if (!doc)
        verdict = compare_refused(err, text, theirs);
    else if (!mouse_json_valid(text))
        verdict = "the check refuses what the scanner takes";
    else if (!theirs && !beyond_jansson(json_error_code(&why)))
        verdict = "the scanner takes what Jansson refuses";
    else if (theirs && !same_value(p, doc->root, theirs))
        verdict = "the values differ";
    json_decref(theirs);
    return verdict;
}

const char *json_compare(apr_pool_t *p, mouse_slice_t text)
{
    const mouse_json_doc_t *doc = NULL;
    mouse_error_t *err = NULL;
    apr_status_t rv = mouse_json_scan(p, text, MOUSE_JSON_DEPTH, &doc, &err);

    /* No JSON text holds a NUL byte; Jansson loses one that ends a number. */
    if (memchr(text.data, '\0', text.len))
        return rv == APR_SUCCESS || mouse_json_valid(text) ? "a NUL byte is taken" : NULL;
    return compare_with_jansson(p, text, rv == APR_SUCCESS ? doc : NULL, err);
}
