/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The log of what outlives requests: database pools write to their server's error log. */

#include "http/http_int.h"

#include <http_log.h>

APLOG_USE_MODULE(mouse);

static void write_log(void *baton, mouse_log_level_t level, const char *message)
{
    ap_log_error(APLOG_MARK, mouse_http_log_level(level), 0, (server_rec *)baton,
                 "mouse: %s", message);
}

int mouse_http_log_level(mouse_log_level_t level)
{
    static const int levels[] = {APLOG_ERR, APLOG_WARNING, APLOG_NOTICE, APLOG_INFO,
                                 APLOG_DEBUG};

    return levels[level];
}

mouse_log_t *mouse_http_server_log(apr_pool_t *p, server_rec *s)
{
    mouse_log_t *log = apr_palloc(p, sizeof(*log));

    log->write = write_log;
    log->baton = s;
    return log;
}
