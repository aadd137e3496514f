/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Shared memory of guards: asked for while the configuration is checked, there when the
 * server starts, inherited by every child.
 *
 * It hangs on the process, not on the configuration, so that a graceful restart finds it
 * again by its key. Children of the old generation keep their mapping of what the new one
 * no longer wants.
 */
#include <http_core.h>
#include <apr_shm.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

/* One piece of memory, in the process's pool. */
typedef struct segment_t {
    const char *key;
    size_t size;
    apr_shm_t *shm;
    bool wanted;
} segment_t;

apr_array_header_t *mouse_shared_list(apr_pool_t *pconf, const server_rec *main_server)
{
    mouse_conf_t *conf = mouse_conf_get(main_server);

    if (!conf->shared)
        conf->shared = apr_array_make(pconf, 4, sizeof(mouse_shared_t *));
    return conf->shared;
}

/* The same guard of the same server, whatever else has changed in the configuration. */
static const char *make_key(mouse_compiler_t *compiler, const char *name)
{
    const mouse_conf_guard_t *guard = compiler->guard;
    const server_rec *s = compiler->report->server;
    bool own = guard->item.owner == compiler->conf->own && s->is_virtual;

    return apr_psprintf(compiler->pconf, "%s/%s@%s:%u", name, guard->item.name,
                        own && s->server_hostname ? s->server_hostname : "",
                        own ? s->port : 0);
}

static mouse_shared_t *find_shared(const apr_array_header_t *shared, const char *key)
{
    for (int i = 0; i < shared->nelts; i++) {
        mouse_shared_t *one = APR_ARRAY_IDX(shared, i, mouse_shared_t *);

        if (strcmp(one->key, key) == 0)
            return one;
    }
    return NULL;
}

const mouse_shared_t *mouse_share(void *baton, const char *name, size_t size)
{
    mouse_compiler_t *compiler = baton;
    const char *key = make_key(compiler, name);
    mouse_shared_t *shared = find_shared(compiler->shared, key);

    if (shared && shared->size == size)
        return shared;
    shared = apr_pcalloc(compiler->pconf, sizeof(*shared));
    shared->key = key;
    shared->size = size;
    APR_ARRAY_PUSH(compiler->shared, mouse_shared_t *) = shared;
    return shared;
}

static apr_array_header_t *segments_of(apr_pool_t *process)
{
    static const char name[] = "mod_mouse.segments";
    void *data = NULL;

    apr_pool_userdata_get(&data, name, process);
    if (!data) {
        data = apr_array_make(process, 4, sizeof(segment_t *));
        apr_pool_userdata_set(data, apr_pstrdup(process, name), apr_pool_cleanup_null,
                              process);
    }
    return data;
}

static segment_t *find_segment(const apr_array_header_t *segments,
                               const mouse_shared_t *shared)
{
    for (int i = 0; i < segments->nelts; i++) {
        segment_t *segment = APR_ARRAY_IDX(segments, i, segment_t *);

        if (segment->shm && segment->size == shared->size &&
            strcmp(segment->key, shared->key) == 0)
            return segment;
    }
    return NULL;
}

static segment_t *create_segment(apr_pool_t *process, apr_array_header_t *segments,
                                 const mouse_shared_t *shared, server_rec *s)
{
    segment_t *segment = apr_pcalloc(process, sizeof(*segment));
    apr_status_t rv = apr_shm_create(&segment->shm, shared->size, NULL, process);

    if (rv != APR_SUCCESS) {
        ap_log_error(APLOG_MARK, APLOG_EMERG, rv, s,
                     "mouse: no %" APR_SIZE_T_FMT " bytes of shared memory for %s",
                     shared->size, shared->key);
        return NULL;
    }
    segment->key = apr_pstrdup(process, shared->key);
    segment->size = shared->size;
    memset(apr_shm_baseaddr_get(segment->shm), 0, segment->size);
    APR_ARRAY_PUSH(segments, segment_t *) = segment;
    return segment;
}

/* What only an earlier configuration wanted. */
static void drop_unwanted(apr_array_header_t *segments)
{
    int kept = 0;

    for (int i = 0; i < segments->nelts; i++) {
        segment_t *segment = APR_ARRAY_IDX(segments, i, segment_t *);

        if (segment->wanted)
            APR_ARRAY_IDX(segments, kept++, segment_t *) = segment;
        else
            apr_shm_destroy(segment->shm);
        segment->wanted = false;
    }
    segments->nelts = kept;
}

/* Points every piece of memory that guards asked for at its segment, old or new. */
static bool attach_segments(const apr_array_header_t *shared, server_rec *s)
{
    apr_array_header_t *segments = segments_of(s->process->pool);

    for (int i = 0; shared && i < shared->nelts; i++) {
        mouse_shared_t *one = APR_ARRAY_IDX(shared, i, mouse_shared_t *);
        segment_t *segment = find_segment(segments, one);

        if (!segment)
            segment = create_segment(s->process->pool, segments, one, s);
        if (!segment)
            return false;
        segment->wanted = true;
        one->data = apr_shm_baseaddr_get(segment->shm);
    }
    drop_unwanted(segments);
    return true;
}

int mouse_conf_start(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s)
{
    const mouse_conf_t *conf = mouse_conf_get(s);

    (void)pconf;
    (void)plog;
    (void)ptemp;
    if (ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_CREATE_PRE_CONFIG)
        return OK;
    if (!attach_segments(conf->shared, s))
        return HTTP_INTERNAL_SERVER_ERROR;
    if (conf->meter && mouse_meter_start(conf->meter, s) != APR_SUCCESS)
        return HTTP_INTERNAL_SERVER_ERROR;
    return OK;
}
