/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The actions a route can name. A new one is a file and a row here. */

#include "http/http_int.h"

#include <apr_strings.h>

static const mouse_action_t *const actions[] = {
    &mouse_action_sql,  &mouse_action_json,  &mouse_action_controller,
    &mouse_action_live, &mouse_action_ready, &mouse_action_openapi,
    &mouse_action_docs,
};

#define COUNT (sizeof(actions) / sizeof(actions[0]))

const mouse_action_t *mouse_action_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(actions[i]->name, name) == 0)
            return actions[i];
    }
    return NULL;
}

const char *mouse_action_names(apr_pool_t *p)
{
    const char *names = actions[0]->name;

    for (size_t i = 1; i < COUNT; i++)
        names = apr_pstrcat(p, names, ", ", actions[i]->name, NULL);
    return names;
}
