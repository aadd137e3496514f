/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The file of a guard's keys: read at start, and a JWK Set again whenever it has changed.
 *
 * The thread that reads it again puts a new set in place with one store; requests take the
 * pointer with one load and no lock. A replaced set is freed ten minutes later, when every
 * check that may have seen it has long ended.
 */

#include "guard/jwt_int.h"

#include <stdlib.h>

#include <apr_file_info.h>
#include <apr_strings.h>

#define MAX_FILE (256 * 1024)
#define GRACE    apr_time_from_sec(600)

typedef struct retired_t retired_t;

struct retired_t {
    mouse_jwt_keys_t *keys;
    apr_time_t since;
    retired_t *next;
};

/* What tells one state of a file from another. */
typedef struct mark_t {
    apr_time_t modified, changed;
    apr_off_t size;
    apr_ino_t inode;
} mark_t;

struct mouse_jwt_store_t {
    const char *path;
    mouse_jwt_kind_t kind;
    unsigned algs;
    mouse_jwt_keys_t *keys; /* atomic: all else belongs to the thread that refreshes */
    retired_t *retired;
    mark_t mark;
    bool lost; /* the file could not be looked at; this was logged */
};

#define WANTED (APR_FINFO_MTIME | APR_FINFO_CTIME | APR_FINFO_SIZE | APR_FINFO_INODE)

static mark_t mark_of(const apr_finfo_t *info)
{
    return (mark_t){info->mtime, info->ctime, info->size, info->inode};
}

static bool is_same(const mark_t *a, const mark_t *b)
{
    return a->modified == b->modified && a->changed == b->changed && a->size == b->size &&
           a->inode == b->inode;
}

/* A new set from the file as it is now; its mark is kept even if it cannot be used. */
static const char *load(apr_pool_t *p, mouse_jwt_store_t *store, apr_finfo_t *info,
                        mouse_jwt_keys_t **keys)
{
    mouse_slice_t text = {NULL, 0};
    const char *why = mouse_file_read(p, store->path, MAX_FILE, &text, info);

    if (why)
        return why;
    if (info->filetype != APR_REG)
        return "it is no regular file";
    store->mark = mark_of(info);
    if (store->kind == MOUSE_JWT_SET)
        return mouse_jwt_keys_from_set(p, text, store->algs, keys);
    if (store->algs == MOUSE_JWT_HS256)
        return mouse_jwt_keys_from_secret(p, text, keys);
    return mouse_jwt_keys_from_pem(p, text, store->algs, keys);
}

static void free_retired(mouse_jwt_store_t *store, apr_time_t before)
{
    retired_t **at = &store->retired;

    while (*at) {
        retired_t *old = *at;

        if (old->since > before) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        mouse_jwt_keys_free(old->keys);
        free(old);
    }
}

static apr_status_t destroy(void *data)
{
    mouse_jwt_store_t *store = data;

    free_retired(store, APR_INT64_MAX);
    mouse_jwt_keys_free(store->keys);
    return APR_SUCCESS;
}

const char *mouse_jwt_store_create(apr_pool_t *pconf, const char *path,
                                   mouse_jwt_kind_t kind, unsigned algs,
                                   mouse_jwt_store_t **out, bool *readable)
{
    mouse_jwt_store_t *store = apr_pcalloc(pconf, sizeof(*store));
    apr_finfo_t info = {0};
    const char *why;

    store->path = path;
    store->kind = kind;
    store->algs = algs;
    why = load(pconf, store, &info, &store->keys);
    if (why)
        return why;
    apr_pool_cleanup_register(pconf, store, destroy, apr_pool_cleanup_null);
    *readable =
        mouse_jwt_keys_secret(store->keys) && (info.protection & APR_FPROT_WREAD) != 0;
    *out = store;
    return NULL;
}

const mouse_jwt_keys_t *mouse_jwt_store_keys(const mouse_jwt_store_t *store)
{
    return __atomic_load_n(&store->keys, __ATOMIC_ACQUIRE);
}

static void replace(mouse_jwt_store_t *store, mouse_jwt_keys_t *keys, apr_time_t now)
{
    retired_t *old = malloc(sizeof(*old));

    if (!old)
        abort();
    *old = (retired_t){store->keys, now, store->retired};
    __atomic_store_n(&store->keys, keys, __ATOMIC_RELEASE);
    store->retired = old;
}

static void reload(mouse_jwt_store_t *store, apr_time_t now, apr_pool_t *ptmp,
                   const mouse_log_t *log)
{
    mouse_jwt_keys_t *keys = NULL;
    apr_finfo_t info;
    const char *why = load(ptmp, store, &info, &keys);

    if (why) {
        mouse_log(log, MOUSE_LOG_ERROR, "jwt: %s: %s; the old keys stay", store->path, why);
        return;
    }
    replace(store, keys, now);
    mouse_log(log, MOUSE_LOG_NOTICE, "jwt: %s was read again: %d key%s", store->path,
              mouse_jwt_keys_count(keys), mouse_jwt_keys_count(keys) == 1 ? "" : "s");
}

void mouse_jwt_store_refresh(mouse_jwt_store_t *store, apr_time_t now, apr_pool_t *ptmp,
                             const mouse_log_t *log)
{
    apr_finfo_t info;
    apr_status_t rv;
    mark_t mark;

    free_retired(store, now - GRACE);
    if (store->kind != MOUSE_JWT_SET)
        return;
    rv = apr_stat(&info, store->path, WANTED, ptmp);
    if (rv != APR_SUCCESS) {
        if (!store->lost)
            mouse_log(log, MOUSE_LOG_ERROR, "jwt: %s: %pm; the old keys stay", store->path,
                      &rv);
        store->lost = true;
        return;
    }
    store->lost = false;
    mark = mark_of(&info);
    if (!is_same(&mark, &store->mark)) {
        store->mark = mark;
        reload(store, now, ptmp, log);
    }
}
