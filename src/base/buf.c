/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Buffers: contiguous bytes that grow by doubling and die with a pool.
 *
 * Small ones come from malloc. A large one has pages of its own: it grows without being
 * copied, and they go back to the system with it. Malloc would keep them, for each thread
 * as many as its largest answer took.
 */
#include "base/mouse_base.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LEAST 256
#define LARGE ((size_t)1024 * 1024)

/* What stands before the bytes. */
typedef union head_t {
    size_t mapped; /* size of the pages; 0: malloc's */
    max_align_t align;
} head_t;

static head_t *head_of(char *data)
{
    return (head_t *)(void *)data - 1;
}

void mouse_buf_free(void *data)
{
    head_t *head = data ? head_of(data) : NULL;

    if (head && head->mapped > 0)
        munmap(head, head->mapped);
    else
        free(head);
}

static apr_status_t free_data(void *baton)
{
    mouse_buf_t *buf = baton;

    mouse_buf_free(buf->data);
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

/* `used`: bytes of the old block to keep. NULL: out of memory. */
static head_t *map_block(head_t *old, size_t used, size_t size)
{
    void *pages;

    if (old && old->mapped > 0) {
        pages = mremap(old, old->mapped, size, MREMAP_MAYMOVE);
        return pages == MAP_FAILED ? NULL : pages;
    }
    pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (old)
        memcpy(pages, old, used);
    free(old);
    return pages;
}

static head_t *grow_block(const mouse_buf_t *buf, size_t size)
{
    head_t *old = buf->data ? head_of(buf->data) : NULL;
    bool large = size >= LARGE;
    head_t *head =
        large ? map_block(old, sizeof(head_t) + buf->len, size) : realloc(old, size);

    if (!head)
        abort();
    head->mapped = large ? size : 0;
    return head;
}

void mouse_buf_grow(mouse_buf_t *buf, size_t n)
{
    size_t size = buf->cap + sizeof(head_t);

    if (n > SIZE_MAX / 4 - buf->len)
        abort();
    if (!buf->data)
        size = n < LEAST - sizeof(head_t) ? LEAST : n + sizeof(head_t);
    while (size - sizeof(head_t) - buf->len < n)
        size *= 2;
    buf->data = (char *)(grow_block(buf, size) + 1);
    buf->cap = size - sizeof(head_t);
}

char *mouse_buf_detach(mouse_buf_t *buf)
{
    char *data = buf->data;

    apr_pool_cleanup_kill(buf->pool, buf, free_data);
    buf->data = NULL;
    buf->len = buf->cap = 0;
    return data;
}
