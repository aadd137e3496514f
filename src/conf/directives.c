/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The table of directives, one row each, and what their setters share: names, places, and
 * the list a declaration goes to.
 */
#include <apr_lib.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

mouse_conf_t *mouse_conf_get(const server_rec *s)
{
    return ap_get_module_config(s->module_config, &mouse_module);
}

mouse_place_t mouse_place_of(const cmd_parms *cmd)
{
    return (mouse_place_t){cmd->directive->filename, cmd->directive->line_num};
}

void *mouse_item_find(const apr_array_header_t *items, const char *name)
{
    for (int i = 0; i < items->nelts; i++) {
        mouse_item_t *item = APR_ARRAY_IDX(items, i, mouse_item_t *);

        if (strcmp(item->name, name) == 0)
            return item;
    }
    return NULL;
}

const char *mouse_item_add(cmd_parms *cmd, apr_array_header_t *items, const char *name,
                           mouse_item_t *item)
{
    const mouse_item_t *other = mouse_item_find(items, name);

    if (other)
        return apr_psprintf(cmd->pool,
                            "%s %s stands already at %s:%d: remove one of the two",
                            cmd->cmd->name, name, other->place.file, other->place.line);
    item->name = name;
    item->place = mouse_place_of(cmd);
    item->owner = mouse_conf_get(cmd->server);
    APR_ARRAY_PUSH(items, mouse_item_t *) = item;
    return NULL;
}

static bool is_name(const char *text)
{
    if (!apr_isalpha(*text) && *text != '_')
        return false;
    while (*text && (apr_isalnum(*text) || *text == '_' || *text == '-'))
        text++;
    return !*text;
}

const char *mouse_item_check_name(apr_pool_t *p, const char *name)
{
    if (is_name(name))
        return NULL;
    return apr_psprintf(p, "\"%s\" is no name: use letters, digits, '_' and '-'", name);
}

const command_rec mouse_conf_directives[] = {
    AP_INIT_RAW_ARGS(
        "MouseDatabase", mouse_set_database, NULL, RSRC_CONF,
        "a database: NAME DRIVER \"PARAMS\" [password-file=FILE] [datetime=utc] "
        "[cancel=off] [tls=required]"),
    AP_INIT_RAW_ARGS("MousePool", mouse_set_pool, NULL, RSRC_CONF,
                     "a database's connections: NAME [max=N] [idle=TIME] [lifetime=TIME] "
                     "[wait=TIME]"),
    AP_INIT_RAW_ARGS("MouseModels", mouse_set_models, NULL, RSRC_CONF,
                     "a directory of .sql files: DIR database=NAME"),
    AP_INIT_RAW_ARGS("MouseGuard", mouse_set_guard, NULL, RSRC_CONF,
                     "a guard: NAME PROVIDER [ARGUMENT]..."),
    AP_INIT_RAW_ARGS("MouseUse", mouse_set_use, NULL, RSRC_CONF,
                     "guards before the routes of this section: NAME[,NAME]... or none"),
    AP_INIT_RAW_ARGS("MouseCors", mouse_set_cors, NULL, RSRC_CONF,
                     "who may call from other origins: ORIGIN... or *, [credentials] "
                     "[max-age=TIME] [headers=NAME,...] [expose=NAME,...]; or none"),
    AP_INIT_TAKE1("MouseEnvelope", mouse_set_envelope, NULL, RSRC_CONF,
                  "what stands around the answers: mrpc, or none (default)"),
    AP_INIT_RAW_ARGS("<MouseGroup", mouse_set_group, NULL, RSRC_CONF,
                     "a path prefix with its own guards: \"/PREFIX\""),
    AP_INIT_RAW_ARGS("MouseRoute", mouse_set_route, NULL, RSRC_CONF,
                     "a route: METHOD PATH ACTION [WORD]... [OPTION]..."),
    AP_INIT_TAKE1("MouseBigInt", mouse_set_bigint, NULL, RSRC_CONF,
                  "how 64-bit integers are sent: number (default) or string"),
    AP_INIT_TAKE1("MouseDecimal", mouse_set_decimal, NULL, RSRC_CONF,
                  "how decimals are sent: string (default) or number"),
    AP_INIT_TAKE1("MouseTimeout", mouse_set_timeout, NULL, RSRC_CONF,
                  "the longest a request may take (default 30s)"),
    AP_INIT_TAKE1("MouseMaxMemory", mouse_set_max_memory, NULL, RSRC_CONF,
                  "above this size an answer moves to a file (default 8m)"),
    AP_INIT_TAKE1("MouseMaxAnswer", mouse_set_max_answer, NULL, RSRC_CONF,
                  "above this size an answer is an error (default 256m)"),
    AP_INIT_TAKE1("MouseSlowQuery", mouse_set_slow_query, NULL, RSRC_CONF,
                  "models slower than this are logged: a time, or off (default)"),
    AP_INIT_FLAG(
        "MouseServerTiming", mouse_set_server_timing, NULL, RSRC_CONF,
        "answers say in Server-Timing where their time went: on, or off (default)"),
    AP_INIT_FLAG("MouseNotes", mouse_set_notes, NULL, RSRC_CONF,
                 "times, rows and trace of a request as notes for LogFormat: on, or off "
                 "(default)"),
    AP_INIT_TAKE1("MouseTraceSql", mouse_set_trace_sql, NULL, RSRC_CONF,
                  "whose statements end with their traceparent as a comment: sampled "
                  "requests', all or off (default)"),
    AP_INIT_TAKE1(
        "MouseStay", mouse_set_stay, NULL, RSRC_CONF,
        "how long a thread of event waits for a connection's next request: a time "
        "from 1ms to 100ms, or off (default)"),
    AP_INIT_TAKE1("MouseCallKey", mouse_set_call_key, NULL, RSRC_CONF,
                  "a file with the key of the handler mouse-call, which runs requests with "
                  "context given by hand; without it nobody may"),
    AP_INIT_FLAG(
        "MouseMetrics", mouse_set_metrics, NULL, RSRC_CONF,
        "requests are counted for mouse-status and mouse-metrics: on (default), or "
        "off"),
    {.name = NULL},
};
