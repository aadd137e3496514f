/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseGuard and MouseUse, and the order of guards before a route: server-wide, those of
 * each enclosing group, then use=, each once at its first place, less without=.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

static const char *check_name(apr_pool_t *p, const char *name)
{
    const char *mistake = mouse_item_check_name(p, name);

    if (mistake)
        return mistake;
    if (mouse_word_reserved(name) || strcmp(name, "all") == 0 || strcmp(name, "none") == 0)
        return apr_psprintf(
            p, "\"%s\" has a meaning of its own: give the guard another name", name);
    return NULL;
}

const char *mouse_set_guard(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_guard_t *guard = apr_pcalloc(cmd->pool, sizeof(*guard));
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (words->nelts < 2)
        return apr_psprintf(cmd->pool,
                            "MouseGuard takes NAME PROVIDER and arguments; there are "
                            "the providers %s",
                            mouse_guard_provider_names(cmd->pool));
    if ((mistake = check_name(cmd->pool, MOUSE_WORD(words, 0))))
        return mistake;
    guard->provider = mouse_guard_provider_find(MOUSE_WORD(words, 1));
    if (!guard->provider)
        guard->provider = mouse_http_guard_find(cmd->pool, MOUSE_WORD(words, 1), &mistake);
    if (!guard->provider)
        return mistake;
    guard->argc = words->nelts - 2;
    guard->argv = (const char *const *)words->elts + 2;
    return mouse_item_add(cmd, mouse_conf_get(cmd->server)->guards, MOUSE_WORD(words, 0),
                          &guard->item);
}

const char *mouse_set_use(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    mouse_conf_scope_t *scope = conf->group ? &conf->group->scope : &conf->scope;
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (words->nelts != 1)
        return "MouseUse takes one list of guards, with commas and without spaces: "
               "NAME,NAME";
    if (strcmp(MOUSE_WORD(words, 0), "none") != 0)
        return mouse_arguments_names(cmd, MOUSE_WORD(words, 0), scope->uses);
    scope->clears = true;
    return NULL;
}

static const char *find_path(void *baton, const char *name)
{
    const mouse_compiler_t *compiler = baton;

    return ap_server_root_relative(compiler->pconf, name);
}

static void warn(void *baton, const char *text)
{
    const mouse_compiler_t *compiler = baton;

    mouse_report_warning(compiler->report, compiler->guard->item.place, "%s", text);
}

static void compile_guard(mouse_compiler_t *compiler, const mouse_conf_guard_t *declared)
{
    mouse_guard_setup_t setup = {.pconf = compiler->pconf,
                                 .name = declared->item.name,
                                 .argc = declared->argc,
                                 .argv = declared->argv,
                                 .file = declared->item.place.file,
                                 .line = declared->item.place.line,
                                 .model = mouse_models_lookup,
                                 .share = mouse_share,
                                 .expression = mouse_http_expression,
                                 .path = find_path,
                                 .warn = warn,
                                 .baton = compiler};
    mouse_guard_t *guard = NULL;
    mouse_error_t *err = NULL;

    compiler->guard = declared;
    if (mouse_guard_create(&setup, declared->provider, &guard, &err) != APR_SUCCESS) {
        mouse_report_error(compiler->report, declared->item.place, err);
        return;
    }
    guard->file = declared->item.place.file;
    guard->line = declared->item.place.line;
    mouse_refresh_add(compiler, guard);
    apr_hash_set(compiler->guards, declared->item.name, APR_HASH_KEY_STRING, guard);
}

static bool is_declared(mouse_compiler_t *compiler, const mouse_conf_use_t *use)
{
    if (mouse_item_find(compiler->conf->guards, use->name))
        return true;
    mouse_report(compiler->report, use->place,
                 "there is no guard \"%s\": declare it with MouseGuard", use->name);
    return false;
}

static void check_uses(mouse_compiler_t *compiler, const apr_array_header_t *uses)
{
    for (int i = 0; i < uses->nelts; i++)
        is_declared(compiler, &APR_ARRAY_IDX(uses, i, mouse_conf_use_t));
}

void mouse_guards_compile(mouse_compiler_t *compiler)
{
    const mouse_conf_t *conf = compiler->conf;

    compiler->guards = apr_hash_make(compiler->ptemp);
    for (int i = 0; i < conf->guards->nelts; i++)
        compile_guard(compiler, APR_ARRAY_IDX(conf->guards, i, mouse_conf_guard_t *));
    check_uses(compiler, conf->scope.uses);
    for (int i = 0; i < conf->groups->nelts; i++)
        check_uses(compiler,
                   APR_ARRAY_IDX(conf->groups, i, mouse_conf_group_t *)->scope.uses);
}

static bool holds_name(const apr_array_header_t *uses, const char *name)
{
    for (int i = 0; i < uses->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(uses, i, mouse_conf_use_t).name, name) == 0)
            return true;
    }
    return false;
}

static void append_uses(apr_array_header_t *chain, const apr_array_header_t *uses)
{
    for (int i = 0; i < uses->nelts; i++) {
        const mouse_conf_use_t *use = &APR_ARRAY_IDX(uses, i, mouse_conf_use_t);

        if (!holds_name(chain, use->name))
            APR_ARRAY_PUSH(chain, mouse_conf_use_t) = *use;
    }
}

static void append_group(apr_array_header_t *chain, const mouse_conf_group_t *group)
{
    if (group->parent)
        append_group(chain, group->parent);
    if (group->scope.clears)
        apr_array_clear(chain);
    append_uses(chain, group->scope.uses);
}

/* What without= names must be there. An inherited route meets another server's guards. */
static void check_without(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                          const apr_array_header_t *chain)
{
    for (int i = 0; i < route->without->nelts; i++) {
        const mouse_conf_use_t *use = &APR_ARRAY_IDX(route->without, i, mouse_conf_use_t);

        if (is_declared(compiler, use) && route->item.owner == compiler->conf->own &&
            !holds_name(chain, use->name))
            mouse_report_warning(
                compiler->report, use->place,
                "the guard %s of without= is not in the chain of this route", use->name);
    }
}

apr_array_header_t *mouse_guards_collect(mouse_compiler_t *compiler,
                                         const mouse_conf_route_t *route)
{
    apr_pool_t *p = compiler->ptemp;
    apr_array_header_t *chain = apr_array_make(p, 8, sizeof(mouse_conf_use_t));
    apr_array_header_t *guards = apr_array_make(p, 8, sizeof(mouse_guard_t *));

    append_uses(chain, compiler->conf->scope.uses);
    if (route && route->group)
        append_group(chain, route->group);
    if (route) {
        check_uses(compiler, route->use);
        append_uses(chain, route->use);
        check_without(compiler, route, chain);
    }
    for (int i = 0; i < chain->nelts; i++) {
        const char *name = APR_ARRAY_IDX(chain, i, mouse_conf_use_t).name;
        mouse_guard_t *guard = apr_hash_get(compiler->guards, name, APR_HASH_KEY_STRING);

        if (guard && !(route && (route->without_all || holds_name(route->without, name))))
            APR_ARRAY_PUSH(guards, mouse_guard_t *) = guard;
    }
    return guards;
}
