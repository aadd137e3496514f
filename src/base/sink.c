/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Sinks: an answer grows in memory and moves to a temporary file when it is large. */

#include "base/mouse_base.h"

#include <apr_strings.h>

void mouse_sink_init(mouse_sink_t *sink, apr_pool_t *p, apr_off_t max_memory,
                     apr_off_t max_answer)
{
    mouse_buf_init(&sink->buf, p, 0);
    sink->file = NULL;
    sink->written = 0;
    sink->max_memory = max_memory;
    sink->max_answer = max_answer;
}

/* A file that has no name and goes with the pool, or with mouse_sink_reset. */
static apr_status_t open_file(mouse_sink_t *sink)
{
    apr_pool_t *p = sink->buf.pool;
    const char *dir;
    char *template;
    apr_status_t rv = apr_temp_dir_get(&dir, p);

    if (rv != APR_SUCCESS)
        return rv;
    template = apr_pstrcat(p, dir, "/mouse-answer-XXXXXX", NULL);
    return apr_file_mktemp(&sink->file, template,
                           APR_FOPEN_CREATE | APR_FOPEN_READ | APR_FOPEN_WRITE |
                               APR_FOPEN_EXCL | APR_FOPEN_DELONCLOSE | APR_FOPEN_BINARY,
                           p);
}

static apr_status_t spill(mouse_sink_t *sink)
{
    apr_status_t rv = APR_SUCCESS;

    if (!sink->file)
        rv = open_file(sink);
    if (rv == APR_SUCCESS)
        rv = apr_file_write_full(sink->file, sink->buf.data, sink->buf.len, NULL);
    if (rv == APR_SUCCESS) {
        sink->written += sink->buf.len;
        sink->buf.len = 0;
    }
    return rv;
}

apr_status_t mouse_sink_settle(mouse_sink_t *sink, mouse_error_t **err)
{
    char reason[128];
    apr_status_t rv;

    if (mouse_sink_size(sink) > sink->max_answer)
        return mouse_error_set(err, sink->buf.pool, MOUSE_E_ANSWER_TOO_LARGE,
                               "The answer is larger than MouseMaxAnswer allows.");
    if ((apr_off_t)sink->buf.len <= sink->max_memory)
        return APR_SUCCESS;
    rv = spill(sink);
    if (rv == APR_SUCCESS)
        return APR_SUCCESS;
    mouse_error_set(err, sink->buf.pool, MOUSE_E_INTERNAL, NULL);
    (*err)->log = apr_psprintf(sink->buf.pool, "temporary file: %s",
                               apr_strerror(rv, reason, sizeof(reason)));
    return rv;
}

void mouse_sink_reset(mouse_sink_t *sink)
{
    sink->buf.len = 0;
    sink->written = 0;
    if (sink->file)
        apr_file_close(sink->file);
    sink->file = NULL;
}

apr_off_t mouse_sink_size(const mouse_sink_t *sink)
{
    return sink->written + (apr_off_t)sink->buf.len;
}
