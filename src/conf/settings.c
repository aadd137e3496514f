/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The settings of one value each, and their defaults.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

#define LONGEST_REQUEST apr_time_from_sec(30)
#define LONGEST_STAY    apr_time_from_msec(100)
#define MEMORY_LIMIT    ((apr_off_t)8 * 1024 * 1024)
#define ANSWER_LIMIT    ((apr_off_t)256 * 1024 * 1024)

static const char *set_style(cmd_parms *cmd, const char *arg, const char *other, int *flag)
{
    bool string = strcmp(arg, "string") == 0;

    if (!string && strcmp(arg, "number") != 0)
        return apr_psprintf(cmd->pool, "%s is number or string, not \"%s\"", cmd->cmd->name,
                            arg);
    *flag = strcmp(arg, other) == 0;
    return NULL;
}

static const char *set_size(cmd_parms *cmd, const char *arg, apr_off_t *size)
{
    if (mouse_parse_size(arg, size) == APR_SUCCESS && *size > 0)
        return NULL;
    return apr_psprintf(cmd->pool, "%s is a size such as 500k, 8m or 1g, not \"%s\"",
                        cmd->cmd->name, arg);
}

static const char *set_duration(cmd_parms *cmd, const char *arg, apr_interval_time_t *time)
{
    if (mouse_parse_duration(arg, time) == APR_SUCCESS && *time > 0)
        return NULL;
    return apr_psprintf(cmd->pool, "%s is a time such as 500ms, 2s, 30m or 1h, not \"%s\"",
                        cmd->cmd->name, arg);
}

const char *mouse_set_bigint(cmd_parms *cmd, void *unused, const char *arg)
{
    (void)unused;
    return set_style(cmd, arg, "string", &mouse_conf_get(cmd->server)->bigint_string);
}

const char *mouse_set_decimal(cmd_parms *cmd, void *unused, const char *arg)
{
    (void)unused;
    return set_style(cmd, arg, "number", &mouse_conf_get(cmd->server)->decimal_number);
}

const char *mouse_set_server_timing(cmd_parms *cmd, void *unused, int on)
{
    (void)unused;
    mouse_conf_get(cmd->server)->server_timing = on;
    return NULL;
}

const char *mouse_set_notes(cmd_parms *cmd, void *unused, int on)
{
    (void)unused;
    mouse_conf_get(cmd->server)->notes = on;
    return NULL;
}

const char *mouse_set_trace_sql(cmd_parms *cmd, void *unused, const char *arg)
{
    static const char *const words[] = {[MOUSE_TRACE_OFF] = "off",
                                        [MOUSE_TRACE_SAMPLED] = "sampled",
                                        [MOUSE_TRACE_ALL] = "all"};

    (void)unused;
    for (int i = MOUSE_TRACE_OFF; i <= MOUSE_TRACE_ALL; i++) {
        if (strcmp(arg, words[i]) == 0) {
            mouse_conf_get(cmd->server)->trace_sql = i;
            return NULL;
        }
    }
    return apr_psprintf(cmd->pool, "%s is off, sampled or all, not \"%s\"", cmd->cmd->name,
                        arg);
}

const char *mouse_set_metrics(cmd_parms *cmd, void *unused, int on)
{
    (void)unused;
    mouse_conf_get(cmd->server)->metrics = on;
    return NULL;
}

const char *mouse_set_timeout(cmd_parms *cmd, void *unused, const char *arg)
{
    (void)unused;
    return set_duration(cmd, arg, &mouse_conf_get(cmd->server)->timeout);
}

const char *mouse_set_max_memory(cmd_parms *cmd, void *unused, const char *arg)
{
    (void)unused;
    return set_size(cmd, arg, &mouse_conf_get(cmd->server)->max_memory);
}

const char *mouse_set_max_answer(cmd_parms *cmd, void *unused, const char *arg)
{
    (void)unused;
    return set_size(cmd, arg, &mouse_conf_get(cmd->server)->max_answer);
}

const char *mouse_set_slow_query(cmd_parms *cmd, void *unused, const char *arg)
{
    apr_interval_time_t *time = &mouse_conf_get(cmd->server)->slow_query;

    (void)unused;
    if (strcmp(arg, "off") != 0)
        return set_duration(cmd, arg, time);
    *time = 0;
    return NULL;
}

const char *mouse_set_stay(cmd_parms *cmd, void *unused, const char *arg)
{
    apr_interval_time_t *time = &mouse_conf_get(cmd->server)->stay;

    (void)unused;
    *time = 0;
    if (strcmp(arg, "off") == 0 || (mouse_parse_duration(arg, time) == APR_SUCCESS &&
                                    *time > 0 && *time <= LONGEST_STAY))
        return NULL;
    return apr_psprintf(cmd->pool, "%s is a time from 1ms to 100ms or off, not \"%s\"",
                        cmd->cmd->name, arg);
}

void mouse_settings_fill(mouse_settings_t *settings, const mouse_conf_t *conf)
{
    settings->numbers.bigint_string = conf->bigint_string == 1;
    settings->numbers.decimal_number = conf->decimal_number == 1;
    settings->timeout = conf->timeout == MOUSE_UNSET ? LONGEST_REQUEST : conf->timeout;
    settings->slow_query = conf->slow_query == MOUSE_UNSET ? 0 : conf->slow_query;
    settings->max_memory =
        conf->max_memory == MOUSE_UNSET ? MEMORY_LIMIT : conf->max_memory;
    settings->max_answer =
        conf->max_answer == MOUSE_UNSET ? ANSWER_LIMIT : conf->max_answer;
}
