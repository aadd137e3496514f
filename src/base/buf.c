/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Buffers: contiguous bytes from malloc that grow by doubling and die with a pool. */

#include "base/mouse_base.h"

#include <stdlib.h>

static apr_status_t free_data(void *baton)
{
    mouse_buf_t *buf = baton;

    free(buf->data);
    buf->data = NULL;
    buf->len = buf->cap = 0;
    return APR_SUCCESS;
}

void mouse_buf_init(mouse_buf_t *buf, apr_pool_t *p, size_t hint)
{
    *buf = (mouse_buf_t){.pool = p};
    apr_pool_cleanup_register(p, buf, free_data, apr_pool_cleanup_null);
    if (hint > 0)
        mouse_buf_grow(buf, hint);
}

void mouse_buf_grow(mouse_buf_t *buf, size_t n)
{
    size_t cap = buf->cap > 0 ? buf->cap : 256;
    char *data;

    if (n > SIZE_MAX / 4 - buf->len)
        abort();
    while (cap - buf->len < n)
        cap *= 2;
    data = realloc(buf->data, cap);
    if (!data)
        abort();
    buf->data = data;
    buf->cap = cap;
}

char *mouse_buf_detach(mouse_buf_t *buf)
{
    char *data = buf->data;

    apr_pool_cleanup_kill(buf->pool, buf, free_data);
    buf->data = NULL;
    buf->len = buf->cap = 0;
    return data;
}
