/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The kinds of guards there are: a row here for each. */

#include "guard/guard_int.h"

#include <apr_strings.h>

/* One a line. */
/* clang-format off */
static const mouse_guard_provider_t *const providers[] = {
    &mouse_guard_lookup,
    &mouse_guard_deny,
    &mouse_guard_bearer,
    &mouse_guard_api_key,
    &mouse_guard_same_origin,
    &mouse_guard_format,
    &mouse_guard_mrpc,
    &mouse_guard_expr,
    &mouse_guard_password,
    &mouse_guard_signature,
    &mouse_guard_rate_limit,
    &mouse_guard_jwt,
    &mouse_guard_replay,
    &mouse_guard_hmac,
};
/* clang-format on */

#define PROVIDERS (sizeof(providers) / sizeof(providers[0]))

const mouse_guard_provider_t *mouse_guard_provider_find(const char *name)
{
    for (size_t i = 0; i < PROVIDERS; i++) {
        if (strcmp(providers[i]->name, name) == 0)
            return providers[i];
    }
    return NULL;
}

const char *mouse_guard_provider_names(apr_pool_t *p)
{
    const char *names = providers[0]->name;

    for (size_t i = 1; i < PROVIDERS; i++)
        names = apr_pstrcat(p, names, ", ", providers[i]->name, NULL);
    return names;
}
