/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseEnvelope mrpc|none, and envelope-action= of routes: what stands around the answers.
 * The innermost section that names it holds.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

const char *mouse_set_envelope(cmd_parms *cmd, void *unused, const char *arg)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    int *place = conf->group ? &conf->group->envelope : &conf->envelope;

    (void)unused;
    if (strcmp(arg, "mrpc") != 0 && strcmp(arg, "none") != 0)
        return apr_psprintf(cmd->pool,
                            "MouseEnvelope %s is unknown: there are mrpc and none", arg);
    if (*place != MOUSE_UNSET)
        return "this section has its MouseEnvelope already";
    *place = strcmp(arg, "mrpc") == 0;
    return NULL;
}

const char *mouse_envelope_action(cmd_parms *cmd, mouse_conf_route_t *route,
                                  const char *value)
{
    static const char *const actions[] = {"Generic", "Login", "Logout", "Refresh"};

    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (strcmp(actions[i], value) == 0) {
            route->envelope_action = actions[i];
            return NULL;
        }
    }
    return apr_psprintf(
        cmd->pool,
        "envelope-action=%s is unknown: there are Generic, Login, Logout and Refresh",
        value);
}

bool mouse_envelope_find(const mouse_conf_t *conf, const mouse_conf_group_t *group)
{
    int envelope = MOUSE_UNSET;

    for (; group && envelope == MOUSE_UNSET; group = group->parent)
        envelope = group->envelope;
    if (envelope == MOUSE_UNSET)
        envelope = conf->envelope;
    return envelope == true;
}

void mouse_envelope_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                            mouse_endpoint_t *endpoint)
{
    const mouse_place_t place = route->item.place;

    endpoint->envelope = mouse_envelope_find(compiler->conf, route->group);
    endpoint->envelope_action = route->envelope_action ? route->envelope_action : "Generic";
    if (!endpoint->envelope) {
        if (route->envelope_action)
            mouse_report(compiler->report, place,
                         "envelope-action= needs MouseEnvelope mrpc around the route");
        return;
    }
    endpoint->negotiates = false;
    endpoint->format = MOUSE_FORMAT_JSON;
    if (route->etag)
        mouse_report(compiler->report, place,
                     "etag cannot stand under MouseEnvelope: no two envelopes are equal");
    if (route->format != MOUSE_UNSET && route->format != MOUSE_FORMAT_JSON)
        mouse_report(compiler->report, place,
                     "as= cannot stand under MouseEnvelope: it holds JSON alone");
}
