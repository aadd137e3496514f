/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Files of secrets, read at start while the server may still read what root alone can. */

#include "guard/mouse_guard.h"

#include <apr_strings.h>

#define MOST (64 * 1024)

/* Whole; empty, missing or above MOST is refused, readable by everybody is warned of. */
static apr_status_t read_secrets(const mouse_guard_setup_t *setup, const char *name,
                                 mouse_slice_t *text, mouse_error_t **err)
{
    const char *path = setup->path(setup->baton, name), *why;
    apr_finfo_t info;

    if (!path)
        return mouse_guard_refuse(setup, err, "\"%s\" is no valid path", name);
    why = mouse_file_read(setup->pconf, path, MOST, text, &info);
    if (why)
        return mouse_guard_refuse(setup, err, "cannot read %s: %s", path, why);
    if (info.protection & APR_FPROT_WREAD)
        setup->warn(setup->baton,
                    apr_psprintf(setup->pconf, "everybody can read %s: chmod o-r", path));
    if (text->len == 0)
        return mouse_guard_refuse(setup, err, "%s is empty", path);
    return APR_SUCCESS;
}

/* The next line without its end; false behind the last. */
static bool next_line(mouse_slice_t *rest, mouse_slice_t *line)
{
    const char *end = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->data) : rest->len;

    if (rest->len == 0)
        return false;
    *line = (mouse_slice_t){rest->data, len};
    rest->data += end ? len + 1 : len;
    rest->len -= end ? len + 1 : len;
    if (line->len > 0 && line->data[line->len - 1] == '\r')
        line->len--;
    return true;
}

apr_status_t mouse_guard_keys(const mouse_guard_setup_t *setup, const char *name,
                              const mouse_slice_t **keys, int *count, mouse_error_t **err)
{
    apr_array_header_t *found = apr_array_make(setup->pconf, 2, sizeof(mouse_slice_t));
    mouse_slice_t text, line;
    apr_status_t rv = read_secrets(setup, name, &text, err);

    if (rv != APR_SUCCESS)
        return rv;
    if (memchr(text.data, '\0', text.len))
        return mouse_guard_refuse(setup, err, "%s holds NUL: a key is a line of text",
                                  name);
    while (next_line(&text, &line)) {
        if (line.len > 0)
            APR_ARRAY_PUSH(found, mouse_slice_t) = line;
    }
    if (found->nelts == 0)
        return mouse_guard_refuse(setup, err, "%s holds no key", name);
    *keys = (const mouse_slice_t *)found->elts;
    *count = found->nelts;
    return APR_SUCCESS;
}
