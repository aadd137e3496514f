/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The rig of the guards' tests: see guard_rig.h. */

#include "guard_rig.h"

#include <apr_strings.h>

static const mouse_model_t *find_model(void *baton, const char *name,
                                       mouse_db_t *const **slot)
{
    guard_rig_t *rig = baton;

    *slot = &rig->slot;
    return mouse_model_find(rig->rig->models, name);
}

static const mouse_shared_t *share(void *baton, const char *name, size_t size)
{
    mouse_shared_t *shared = apr_pcalloc(unit_pool, sizeof(*shared));

    (void)baton;
    *shared = (mouse_shared_t){name, size, apr_pcalloc(unit_pool, size)};
    return shared;
}

static const char *find_path(void *baton, const char *name)
{
    (void)baton;
    return *name == '/' ? name : apr_pstrcat(unit_pool, MOUSE_SRCDIR "/t/", name, NULL);
}

static void warn(void *baton, const char *text)
{
    guard_rig_t *rig = baton;

    APR_ARRAY_PUSH(rig->rig->log, const char *) = apr_pstrdup(unit_pool, text);
}

static apr_status_t compile(mouse_guard_setup_t *setup, const char *text,
                            const void **compiled, mouse_error_t **err)
{
    *compiled = text;
    return strcmp(text, "((") == 0 ? mouse_guard_refuse(setup, err, "the expression: (")
                                   : APR_SUCCESS;
}

guard_rig_t *guard_rig_open(const char *const *schema, const char *models)
{
    static const char *const no_schema[] = {NULL};
    guard_rig_t *rig = apr_pcalloc(unit_pool, sizeof(*rig));

    rig->rig = rig_open(MOUSE_DIALECT_SQLITE, schema ? schema : no_schema,
                        models ? models : "-- name: one :one\nSELECT 1 AS one;\n");
    rig->slot = rig->rig->db;
    return rig;
}

apr_status_t guard_rig_make(guard_rig_t *rig, const char *name, const char *words,
                            mouse_guard_t **guard, mouse_error_t **err)
{
    mouse_guard_setup_t setup = {.pconf = unit_pool,
                                 .name = name,
                                 .file = "site.conf",
                                 .line = 12,
                                 .model = find_model,
                                 .share = share,
                                 .expression = compile,
                                 .path = find_path,
                                 .warn = warn,
                                 .baton = rig};
    const mouse_guard_provider_t *provider;
    char **argv;

    apr_tokenize_to_argv(words, &argv, unit_pool);
    for (setup.argc = 0; argv[setup.argc + 1]; setup.argc++)
        ;
    setup.argv = (const char *const *)argv + 1;
    provider = mouse_guard_provider_find(argv[0]);
    ck_assert_msg(provider != NULL, "no provider %s", argv[0]);
    return mouse_guard_create(&setup, provider, guard, err);
}

const char *guard_rig_refusal(guard_rig_t *rig, const char *words)
{
    mouse_guard_t *guard = NULL;
    mouse_error_t *err = NULL;
    const char *text;

    if (guard_rig_make(rig, "it", words, &guard, &err) == APR_SUCCESS)
        return NULL;
    text = mouse_error_text(unit_pool, err);
    ck_assert_msg(strncmp(text, "site.conf:12: ", 14) == 0, "%s", text);
    return text + 14;
}

void guard_rig_judge(guard_rig_t *rig, const char *words, const char *says)
{
    const char *text = guard_rig_refusal(rig, words);

    if (!says)
        ck_assert_msg(text == NULL, "%s: %s", words, text);
    else
        ck_assert_msg(text && strstr(text, says), "%s: %s", words,
                      text ? text : "accepted");
}

const mouse_chain_t *guard_rig_chain(guard_rig_t *rig, const rig_ask_t *ask,
                                     const char *const *words, int count)
{
    static const char *const names[] = {"first", "second", "third", "fourth", "fifth"};
    const char *name =
        ask->path ? apr_pstrndup(unit_pool, ask->path, strcspn(ask->path, "=")) : NULL;
    const char *type = "string";
    bool used = false;
    const mouse_guard_route_t route = {.names = &name,
                                       .types = &type,
                                       .count = ask->path ? 1 : 0,
                                       .has_body = ask->method && ask->method[0] == 'P',
                                       .used = &used};
    mouse_guard_t *guards[5];
    const mouse_chain_t *chain = NULL;
    mouse_error_t *err = NULL;
    int i;

    ck_assert_int_le(count, 5);
    for (i = 0; i < count; i++)
        ck_assert_msg(guard_rig_make(rig, names[i], words[i], &guards[i], &err) ==
                          APR_SUCCESS,
                      "%s", err ? mouse_error_text(unit_pool, err) : "");
    ck_assert_msg(mouse_chain_create(unit_pool, (const mouse_guard_t *const *)guards, count,
                                     &route, &chain, &err) == APR_SUCCESS,
                  "%s", err ? mouse_error_text(unit_pool, err) : "");
    return chain;
}

const char *guard_rig_run(guard_rig_t *rig, const mouse_chain_t *chain,
                          const rig_ask_t *ask, mouse_request_t **made)
{
    mouse_request_t *req = rig_request(rig->rig, ask);
    mouse_error_t *err = NULL;

    if (made)
        *made = req;
    if (mouse_chain_run(chain, req, &err) == MOUSE_GUARD_PASS)
        return "pass";
    return apr_psprintf(unit_pool, "%d %s%s%s", err->status, mouse_code_slug(err->code),
                        err->log ? " - " : "", err->log ? err->log : "");
}

const char *guard_rig_value(mouse_request_t *req, const char *name)
{
    const char *dot = strchr(name, '.');
    mouse_value_t value;
    mouse_error_t *err = NULL;

    ck_assert_msg(mouse_request_value(req, apr_pstrndup(unit_pool, name, dot - name),
                                      dot + 1, &value, &err) == APR_SUCCESS,
                  "%s: %s", name, err && err->log ? err->log : "?");
    return value.kind == MOUSE_VALUE_NULL
               ? "null"
               : mouse_slice_copy(unit_pool, mouse_value_text(unit_pool, &value));
}
