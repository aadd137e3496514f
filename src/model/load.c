/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Directories of .sql files: which are read, in what order, under what names. */

#include "model/parse_int.h"

#include <ctype.h>
#include <stdlib.h>

#include <apr_strings.h>

#define DEPTH_LIMIT 16                /* a symbolic link may lead back up */
#define FILE_LIMIT  (4 * 1024 * 1024) /* a dump put here by mistake, not a model file */

typedef struct loader_t {
    mouse_models_t *models;
    mouse_dialect_t dialect;
    mouse_error_t **err;
} loader_t;

static apr_status_t fail(const loader_t *loader, const char *path, const char *format,
                         apr_status_t rv)
{
    char reason[120];

    apr_strerror(rv, reason, sizeof(reason));
    return mouse_error_at(loader->err, loader->models->p,
                          apr_pstrdup(loader->models->p, path), 0, 0, format, reason);
}

static apr_status_t load_file(const loader_t *loader, apr_pool_t *ptmp, const char *path,
                              const char *prefix)
{
    apr_pool_t *p = loader->models->p;
    mouse_slice_t text;
    apr_finfo_t info;
    const char *why = mouse_file_read(ptmp, path, FILE_LIMIT, &text, &info);

    if (why)
        return mouse_error_at(loader->err, p, apr_pstrdup(p, path), 0, 0,
                              "this model file cannot be read: %s", why);
    return mouse_parser_run(loader->models, path, prefix, text, loader->dialect,
                            loader->err);
}

/* Names become a part of model names. */
static bool good_name(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-')
            return false;
    }
    return len > 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static apr_status_t list_names(const loader_t *loader, apr_pool_t *ptmp, const char *dir,
                               apr_array_header_t *names)
{
    apr_dir_t *handle;
    apr_finfo_t info;
    apr_status_t rv = apr_dir_open(&handle, dir, ptmp);

    if (rv != APR_SUCCESS)
        return fail(loader, dir, "the models' directory cannot be read: %s", rv);
    while ((rv = apr_dir_read(&info, APR_FINFO_NAME, handle)) == APR_SUCCESS ||
           rv == APR_INCOMPLETE)
        if (info.name[0] != '.')
            APR_ARRAY_PUSH(names, const char *) = apr_pstrdup(ptmp, info.name);
    apr_dir_close(handle);
    if (names->nelts > 1)
        qsort(names->elts, (size_t)names->nelts, sizeof(const char *), by_name);
    return APR_SUCCESS;
}

static apr_status_t load_dir(const loader_t *loader, apr_pool_t *ptmp, const char *dir,
                             const char *prefix, int depth);

static apr_status_t load_entry(const loader_t *loader, apr_pool_t *ptmp, const char *dir,
                               const char *prefix, const char *name, int depth)
{
    const char *path = apr_pstrcat(ptmp, dir, "/", name, NULL);
    size_t len = strlen(name);
    bool sql = len > 4 && strcmp(name + len - 4, ".sql") == 0;
    apr_finfo_t info;
    apr_status_t rv = apr_stat(&info, path, APR_FINFO_TYPE, ptmp);

    if (rv != APR_SUCCESS)
        return sql ? fail(loader, path, "this model file cannot be read: %s", rv)
                   : APR_SUCCESS;
    if (info.filetype == APR_DIR && good_name(name, len))
        return load_dir(loader, ptmp, path, apr_pstrcat(ptmp, prefix, name, "/", NULL),
                        depth + 1);
    if (info.filetype != APR_REG || !sql)
        return APR_SUCCESS;
    if (!good_name(name, len - 4))
        return fail(loader, path,
                    "this name cannot be a model's: use letters, digits, '_' "
                    "and '-' (%s)",
                    APR_EBADPATH);
    return load_file(
        loader, ptmp, path,
        apr_pstrcat(loader->models->p, prefix, apr_pstrmemdup(ptmp, name, len - 4), NULL));
}

static apr_status_t load_dir(const loader_t *loader, apr_pool_t *ptmp, const char *dir,
                             const char *prefix, int depth)
{
    apr_array_header_t *names = apr_array_make(ptmp, 16, sizeof(const char *));
    apr_status_t rv;

    if (depth > DEPTH_LIMIT)
        return fail(loader, dir,
                    "directories are nested too deep here: is a symbolic link "
                    "leading back up? (%s)",
                    APR_EBADPATH);
    rv = list_names(loader, ptmp, dir, names);
    for (int i = 0; rv == APR_SUCCESS && i < names->nelts; i++)
        rv = load_entry(loader, ptmp, dir, prefix, APR_ARRAY_IDX(names, i, const char *),
                        depth);
    return rv;
}

apr_status_t mouse_models_load(apr_pool_t *pconf, const char *dir, mouse_dialect_t dialect,
                               mouse_models_t **models, mouse_error_t **err)
{
    loader_t loader = {mouse_models_create(pconf), dialect, err};
    apr_pool_t *ptmp;
    apr_status_t rv;

    apr_pool_create(&ptmp, pconf);
    *models = loader.models;
    rv = load_dir(&loader, ptmp, dir, "", 0);
    apr_pool_destroy(ptmp);
    return rv;
}
