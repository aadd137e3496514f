/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Secrets of one line, each from a file of its own: read while the server is still root,
 * and never from a directive, which dumps and error messages show.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

#define MAX_SECRET 1024
#define LEAST_KEY  16

static void warn_of_readers(const cmd_parms *cmd, const char *path, apr_file_t *file)
{
    apr_finfo_t info;

    if (apr_file_info_get(&info, APR_FINFO_PROT, file) == APR_SUCCESS &&
        (info.protection & APR_FPROT_WREAD))
        ap_log_error(APLOG_MARK, APLOG_WARNING | APLOG_STARTUP, 0, cmd->server,
                     "%s:%d: everybody can read %s: chmod o-r", cmd->directive->filename,
                     cmd->directive->line_num, path);
}

const char *mouse_secret_read(cmd_parms *cmd, const char *what, const char *path,
                              const char **secret)
{
    const char *file = ap_server_root_relative(cmd->pool, path);
    char bytes[MAX_SECRET + 2]; /* and the end of the line */
    apr_size_t len = sizeof(bytes);
    apr_file_t *handle;
    apr_status_t rv;

    if (!file)
        return apr_psprintf(cmd->pool, "the %s file %s is no valid path", what, path);
    rv = apr_file_open(&handle, file, APR_FOPEN_READ, APR_FPROT_OS_DEFAULT, cmd->temp_pool);
    if (rv == APR_SUCCESS) {
        warn_of_readers(cmd, file, handle);
        rv = apr_file_read_full(handle, bytes, sizeof(bytes), &len);
        apr_file_close(handle);
    }
    if (rv != APR_SUCCESS && rv != APR_EOF)
        return apr_psprintf(cmd->pool, "cannot read the %s file %s: %pm", what, file, &rv);
    if (len > 0 && bytes[len - 1] == '\n')
        len--;
    if (len > 0 && bytes[len - 1] == '\r')
        len--;
    if (len == 0 || len > MAX_SECRET || memchr(bytes, '\0', len))
        return apr_psprintf(cmd->pool, "%s must hold one %s of 1 to %d bytes", file, what,
                            MAX_SECRET);
    *secret = apr_pstrmemdup(cmd->pool, bytes, len);
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
