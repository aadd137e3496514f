/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseRoute METHOD PATH ACTION WORD... OPTION...: what a route is; its options are in
 * route_options.c, and what it needs of other declarations is looked at by the compiler.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

static const char *set_method(cmd_parms *cmd, mouse_conf_route_t *route, const char *word)
{
    int method = mouse_method_find(word);

    if (method < 0)
        return apr_psprintf(
            cmd->pool,
            "unknown method \"%s\": there are GET, POST, PUT, PATCH and DELETE "
            "(HEAD follows GET, OPTIONS is answered by itself)",
            word);
    route->method = method;
    return NULL;
}

static const char *set_path(cmd_parms *cmd, mouse_conf_route_t *route, const char *word)
{
    mouse_error_t *err = NULL;

    if (*word != '/' && !(*word == '\0' && route->group))
        return apr_psprintf(cmd->pool, "the path \"%s\" must begin with a slash", word);
    if (route->group)
        word = apr_pstrcat(cmd->pool, route->group->item.name, word, NULL);
    if (mouse_pattern_parse(cmd->pool, word, &route->pattern, &err) != APR_SUCCESS)
        return mouse_report_sentence(cmd->pool, err);
    route->item.name = word;
    return NULL;
}

static const char *set_action(cmd_parms *cmd, mouse_conf_route_t *route,
                              const apr_array_header_t *words)
{
    const char *name = MOUSE_WORD(words, 2);

    route->action = mouse_action_find(name);
    if (!route->action)
        return apr_psprintf(cmd->pool, "unknown action \"%s\": there are %s", name,
                            mouse_action_names(cmd->pool));
    route->argc = route->action->argc;
    route->argv = (const char *const *)words->elts + 3;
    if (words->nelts < 3 + route->argc)
        return apr_psprintf(cmd->pool, "the action %s takes %d word%s behind its name",
                            name, route->argc, route->argc == 1 ? "" : "s");
    return NULL;
}

static mouse_conf_route_t *make_route(cmd_parms *cmd)
{
    mouse_conf_route_t *route = apr_pcalloc(cmd->pool, sizeof(*route));

    route->item.place = mouse_place_of(cmd);
    route->item.owner = mouse_conf_get(cmd->server);
    route->group = mouse_conf_get(cmd->server)->group;
    route->use = apr_array_make(cmd->pool, 2, sizeof(mouse_conf_use_t));
    route->without = apr_array_make(cmd->pool, 2, sizeof(mouse_conf_use_t));
    route->headers = apr_array_make(cmd->pool, 2, sizeof(mouse_header_template_t));
    route->format = MOUSE_UNSET;
    route->input.max_body = MOUSE_MAX_BODY;
    return route;
}

const char *mouse_set_route(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_route_t *route = make_route(cmd);
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (words->nelts < 3)
        return "MouseRoute takes METHOD PATH ACTION, the action's words, and options";
    if ((mistake = set_method(cmd, route, MOUSE_WORD(words, 0))) ||
        (mistake = set_path(cmd, route, MOUSE_WORD(words, 1))) ||
        (mistake = set_action(cmd, route, words)) ||
        (mistake = mouse_route_options(cmd, route, words, 3 + route->argc)))
        return mistake;
    APR_ARRAY_PUSH(mouse_conf_get(cmd->server)->routes, mouse_conf_route_t *) = route;
    return NULL;
}
