/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The log of rooms that do not know httpd: a callback. */

#include "base/mouse_base.h"

#include <stdarg.h>

#include <apr_strings.h>

void mouse_log(const mouse_log_t *log, mouse_log_level_t level, const char *format, ...)
{
    char message[1024];
    va_list args;

    if (!log)
        return;
    va_start(args, format);
    apr_vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    log->write(log->baton, level, message);
}
