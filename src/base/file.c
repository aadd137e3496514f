/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Files that are read whole: models, secrets, keys, pages. */

#include "base/mouse_base.h"

#include <apr_file_info.h>
#include <apr_strings.h>

#define WANTED                                                                             \
    (APR_FINFO_TYPE | APR_FINFO_SIZE | APR_FINFO_PROT | APR_FINFO_MTIME |                  \
     APR_FINFO_CTIME | APR_FINFO_INODE)

static const char *tell(apr_pool_t *p, apr_status_t rv)
{
    return apr_psprintf(p, "%pm", &rv);
}

/* A pipe does not say how much will come. */
static const char *read_open(apr_pool_t *p, apr_file_t *file, size_t limit,
                             mouse_slice_t *text, const apr_finfo_t *info)
{
    bool regular = info->filetype == APR_REG;
    apr_size_t room = regular && info->size < (apr_off_t)limit ? (size_t)info->size : limit;
    apr_size_t len = room + 1; /* the byte too many is the proof */
    char *bytes = apr_palloc(p, len);
    apr_status_t rv = apr_file_read_full(file, bytes, len, &len);

    if (rv == APR_SUCCESS)
        return room < limit
                   ? "it changes while it is read"
                   : apr_psprintf(p, "it has more than %" APR_SIZE_T_FMT " bytes", limit);
    if (rv != APR_EOF)
        return tell(p, rv);
    bytes[len] = '\0';
    *text = (mouse_slice_t){bytes, len};
    return NULL;
}

const char *mouse_file_read(apr_pool_t *p, const char *path, size_t limit,
                            mouse_slice_t *text, apr_finfo_t *info)
{
    const char *why;
    apr_file_t *file;
    apr_status_t rv = apr_file_open(&file, path, APR_FOPEN_READ | APR_FOPEN_BINARY, 0, p);

    if (rv != APR_SUCCESS)
        return tell(p, rv);
    rv = apr_file_info_get(info, WANTED, file);
    why = rv == APR_SUCCESS ? read_open(p, file, limit, text, info) : tell(p, rv);
    apr_file_close(file);
    return why;
}
