/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Secrets of one line, each from a file of its own: read while the server is still root,
 * and never from a directive, which dumps and error messages show.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

#define MAX_FILE   65536
#define MAX_SECRET 1024
#define LEAST_KEY  16

static void warn_of_readers(const cmd_parms *cmd, const char *path)
{
    ap_log_error(APLOG_MARK, APLOG_WARNING | APLOG_STARTUP, 0, cmd->server,
                 "%s:%d: everybody can read %s: chmod o-r", cmd->directive->filename,
                 cmd->directive->line_num, path);
}

/* Of the one line, without its end. */
static size_t line_length(mouse_slice_t text)
{
    size_t len = text.len;

    if (len > 0 && text.data[len - 1] == '\n')
        len--;
    if (len > 0 && text.data[len - 1] == '\r')
        len--;
    return len;
}

const char *mouse_secret_read(cmd_parms *cmd, const char *what, const char *path,
                              const char **secret)
{
    const char *file = ap_server_root_relative(cmd->pool, path), *why;
    mouse_slice_t text;
    apr_finfo_t info;
    size_t len;

    if (!file)
        return apr_psprintf(cmd->pool, "the %s file %s is no valid path", what, path);
    why = mouse_file_read(cmd->temp_pool, file, MAX_FILE, &text, &info);
    if (why)
        return apr_psprintf(cmd->pool, "cannot read the %s file %s: %s", what, file, why);
    if (info.protection & APR_FPROT_WREAD)
        warn_of_readers(cmd, file);
    len = line_length(text);
    if (len == 0 || len > MAX_SECRET || memchr(text.data, '\0', len))
        return apr_psprintf(cmd->pool, "%s must hold one %s of 1 to %d bytes", file, what,
                            MAX_SECRET);
    *secret = apr_pstrmemdup(cmd->pool, text.data, len);
    return NULL;
}

const char *mouse_set_call_key(cmd_parms *cmd, void *unused, const char *arg)
{
    const char **key = &mouse_conf_get(cmd->server)->call_key;
    const char *mistake = mouse_secret_read(cmd, "key", arg, key);

    (void)unused;
    if (!mistake && strlen(*key) < LEAST_KEY)
        return apr_psprintf(cmd->pool, "a key has at least %d bytes: openssl rand -hex 32",
                            LEAST_KEY);
    return mistake;
}
