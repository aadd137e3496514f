/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `deny STATUS`: lets nobody pass. */

#include "guard/guard_int.h"

typedef struct deny_t {
    int status;
} deny_t;

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    deny_t *deny = apr_pcalloc(setup->pconf, sizeof(*deny));

    *config = deny;
    if (setup->argc != 1)
        return mouse_guard_refuse(setup, err, "deny takes one status: deny 403");
    return mouse_guard_status(setup, setup->argv[0], &deny->status, err);
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const deny_t *deny = config;

    return mouse_guard_end(req, deny->status, NULL, err);
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const deny_t *deny = config;

    facts->status = deny->status;
}

const mouse_guard_provider_t mouse_guard_deny = {
    .name = "deny",
    .create = create,
    .check = check,
    .describe = describe,
};
