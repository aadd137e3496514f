/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Errors: the table of codes, and the carrier that functions fill. */

#include "base/mouse_base.h"

#include <stdarg.h>

#include <apr_strings.h>

typedef struct code_row_t {
    const char *slug;
    int status;
    const char *title;
    mouse_slice_t members;
} code_row_t;

/* clang-format off */
#define MEMBERS(slug, title)                                                               \
    "\"type\":\"urn:mouse:error:" slug "\",\"title\":\"" title "\",\"code\":\"" slug "\""
/* clang-format on */

static const code_row_t rows[] = {
#define MOUSE_ERROR(name, slug, status, title)                                             \
    {slug, status, title, {MEMBERS(slug, title), sizeof(MEMBERS(slug, title)) - 1}},
#include "errors.def"
#undef MOUSE_ERROR
};

const char *mouse_code_slug(mouse_code_t code)
{
    return rows[code].slug;
}

const char *mouse_code_title(mouse_code_t code)
{
    return rows[code].title;
}

mouse_slice_t mouse_code_members(mouse_code_t code)
{
    return rows[code].members;
}

int mouse_code_status(mouse_code_t code)
{
    return rows[code].status;
}

static mouse_error_t *create_error(apr_pool_t *p, mouse_code_t code)
{
    mouse_error_t *err = apr_pcalloc(p, sizeof(*err));

    err->code = code;
    err->status = rows[code].status;
    return err;
}

apr_status_t mouse_error_set(mouse_error_t **err, apr_pool_t *p, mouse_code_t code,
                             const char *format, ...)
{
    va_list args;

    *err = create_error(p, code);
    if (format) {
        va_start(args, format);
        (*err)->detail = apr_pvsprintf(p, format, args);
        va_end(args);
    }
    return APR_EGENERAL;
}

apr_status_t mouse_error_at(mouse_error_t **err, apr_pool_t *p, const char *file, int line,
                            int column, const char *format, ...)
{
    va_list args;

    *err = create_error(p, MOUSE_E_CONFIG);
    (*err)->file = file;
    (*err)->line = line;
    (*err)->column = column;
    va_start(args, format);
    (*err)->detail = apr_pvsprintf(p, format, args);
    va_end(args);
    return APR_EGENERAL;
}

const char *mouse_error_text(apr_pool_t *p, const mouse_error_t *err)
{
    const char *text = err->detail ? err->detail : rows[err->code].title;
    const char *place = "";

    if (err->file && err->line > 0 && err->column > 0)
        place = apr_psprintf(p, "%s:%d:%d: ", err->file, err->line, err->column);
    else if (err->file && err->line > 0)
        place = apr_psprintf(p, "%s:%d: ", err->file, err->line);
    else if (err->file)
        place = apr_psprintf(p, "%s: ", err->file);
    else if (err->line > 0)
        place = apr_psprintf(p, "line %d, column %d: ", err->line, err->column);
    return apr_pstrcat(p, place, text, err->log ? ": " : NULL, err->log, NULL);
}
