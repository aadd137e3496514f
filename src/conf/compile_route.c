/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * One route: its chain, its action, its answer's shape. What is left over - a path
 * parameter that nothing reads - is a mistake, too.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

/* The path of a route as guards and actions want it. */
typedef struct path_t {
    int count;
    const char **names, **types;
    bool *used;
} path_t;

static path_t make_path(apr_pool_t *p, const mouse_pattern_t *pattern)
{
    path_t path = {.count = pattern->count,
                   .names = apr_palloc(p, (pattern->count + 1) * sizeof(char *)),
                   .types = apr_palloc(p, (pattern->count + 1) * sizeof(char *)),
                   .used = apr_pcalloc(p, pattern->count + 1)};

    for (int i = 0; i < pattern->count; i++) {
        path.names[i] = pattern->parameters[i].name;
        path.types[i] = mouse_segment_name(pattern->parameters[i].type);
    }
    return path;
}

/* A mistake in a model's file shows only on some routes: say on which. */
static void report_error(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                         mouse_error_t *err)
{
    const mouse_place_t *place = &route->item.place;

    if (err && err->file && err->detail && strcmp(err->file, place->file) != 0)
        err->detail = apr_psprintf(compiler->ptemp, "%s (for %s %s at %s:%d)", err->detail,
                                   mouse_method_name(route->method), route->item.name,
                                   place->file, place->line);
    mouse_report_error(compiler->report, *place, err);
}

static bool compile_chain(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                          const path_t *path, mouse_endpoint_t *endpoint)
{
    const mouse_guard_route_t along = {.names = path->names,
                                       .types = path->types,
                                       .count = path->count,
                                       .has_body = mouse_method_has_body(route->method),
                                       .used = path->used,
                                       .model = endpoint->input.model};
    apr_array_header_t *guards = mouse_guards_collect(compiler, route);
    mouse_error_t *err = NULL;

    if (mouse_chain_create(compiler->pconf, (const mouse_guard_t *const *)guards->elts,
                           guards->nelts, &along, &endpoint->chain, &err) == APR_SUCCESS)
        return true;
    report_error(compiler, route, err);
    return false;
}

static bool compile_action(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                           const path_t *path, mouse_endpoint_t *endpoint)
{
    const mouse_action_setup_t setup = {.pconf = compiler->pconf,
                                        .argc = route->argc,
                                        .argv = route->argv,
                                        .file = route->item.place.file,
                                        .line = route->item.place.line,
                                        .pattern = route->pattern,
                                        .method = route->method,
                                        .names = path->names,
                                        .types = path->types,
                                        .model = mouse_models_lookup,
                                        .databases = mouse_models_databases,
                                        .deadline = route->deadline,
                                        .baton = compiler};
    bool *used = apr_pcalloc(compiler->pconf, path->count + 1);
    mouse_error_t *err = NULL;

    if (route->action->create(&setup, used, &endpoint->config, &err) != APR_SUCCESS) {
        report_error(compiler, route, err);
        return false;
    }
    for (int i = 0; i < path->count; i++)
        path->used[i] |= used[i];
    return true;
}

static void check_status(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                         const mouse_model_t *model)
{
    if (model && route->status >= 400)
        mouse_report(
            compiler->report, route->item.place,
            "status=%d would undo what the model did: use `-- expect:` or a status "
            "column in the model",
            route->status);
    if (route->action->always_body &&
        (route->status == HTTP_NO_CONTENT || route->status == HTTP_RESET_CONTENT))
        mouse_report(compiler->report, route->item.place,
                     "an answer of status=%d has no body, and the action %s gives one",
                     route->status, route->action->name);
}

static void check_deadline(mouse_compiler_t *compiler, const mouse_conf_route_t *route)
{
    if (route->deadline > 0 && !route->action->waits)
        mouse_report(compiler->report, route->item.place,
                     "deadline= is for the action ready: what bounds a request is "
                     "MouseTimeout");
}

static void check_idempotent(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                             const mouse_model_t *model)
{
    if (!route->idempotent.scope && route->idempotent.ttl)
        mouse_report(compiler->report, route->item.place,
                     "idempotent-ttl= needs idempotent=");
    if (route->idempotent.scope && (!model || mouse_model_reads(model)))
        mouse_report(compiler->report, route->item.place,
                     "idempotent= is for models that write: what only reads may be "
                     "repeated without it");
}

static const mouse_idempotent_t *make_idempotent(apr_pool_t *p,
                                                 const mouse_conf_route_t *route)
{
    mouse_idempotent_t *made = apr_pmemdup(p, &route->idempotent, sizeof(*made));

    if (!made->scope)
        return NULL;
    made->route =
        apr_pstrcat(p, mouse_method_name(route->method), " ", route->pattern->text, NULL);
    made->ttl = made->ttl ? made->ttl : MOUSE_IDEMPOTENT_TTL;
    return made;
}

static void compile_coalesce(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                             const mouse_model_t *model, mouse_shape_t *shape)
{
    mouse_error_t *err = NULL;

    if (!route->coalesce)
        return;
    compiler->flights->wanted = true;
    if (!model)
        mouse_report(compiler->report, route->item.place,
                     "coalesce is for the action sql: %s runs no model",
                     route->action->name);
    else if (mouse_coalesce_create(compiler->pconf, model, shape,
                                   &compiler->flights->flights, &shape->coalesce,
                                   &err) != APR_SUCCESS)
        mouse_report_error(compiler->report, route->item.place, err);
}

static void shape_answer(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                         mouse_endpoint_t *endpoint)
{
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    bool many = model && mouse_model_kind(model) == MOUSE_KIND_MANY;

    endpoint->shape.status = route->status;
    endpoint->shape.etag = route->etag;
    endpoint->shape.header_count = route->headers->nelts;
    endpoint->shape.headers = (const mouse_header_template_t *)route->headers->elts;
    endpoint->shape.idempotent = make_idempotent(compiler->pconf, route);
    endpoint->negotiates = many && route->format == MOUSE_UNSET;
    endpoint->format = many ? route->format : MOUSE_FORMAT_JSON;
    if (!many && route->format != MOUSE_UNSET && route->format != MOUSE_FORMAT_JSON)
        mouse_report(compiler->report, route->item.place,
                     "as= needs a :many model, since only rows have another format");
    check_status(compiler, route, model);
    check_idempotent(compiler, route, model);
    check_deadline(compiler, route);
    compile_coalesce(compiler, route, model, &endpoint->shape);
    mouse_envelope_compile(compiler, route, endpoint);
}

static bool in_template(const mouse_template_t *tpl, const char *name)
{
    int count;
    const char *const *names = mouse_template_names(tpl, &count);

    for (int n = 0; n < count; n++) {
        if (strcmp(names[n], name) == 0)
            return true;
    }
    return false;
}

static bool in_templates(const mouse_conf_route_t *route, const char *name)
{
    const mouse_template_t *scope = route->idempotent.scope;

    for (int i = 0; i < route->headers->nelts; i++) {
        if (in_template(APR_ARRAY_IDX(route->headers, i, mouse_header_template_t).value,
                        name))
            return true;
    }
    return scope && in_template(scope, name);
}

static void check_path_used(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                            const path_t *path)
{
    for (int i = 0; i < path->count; i++) {
        if (!path->used[i] && !in_templates(route, path->names[i]))
            mouse_report(
                compiler->report, route->item.place,
                "nothing reads the path parameter {%s}: name it :%s in the model, or "
                "take it out of %s",
                path->names[i], path->names[i], route->item.name);
    }
}

/* Other frameworks' parameters are literal segments here: few mean that. */
static void check_literals(mouse_compiler_t *compiler, const mouse_conf_route_t *route)
{
    const char *slash = ap_strchr_c(route->item.name, '/');

    for (; slash; slash = ap_strchr_c(slash + 1, '/')) {
        size_t len = strcspn(slash + 1, "/");

        if (slash[1] == ':' || slash[1] == '<' || (len == 1 && slash[1] == '*'))
            mouse_report_warning(compiler->report, route->item.place,
                                 "the segment \"%.*s\" of %s is matched as it stands: a "
                                 "parameter is written {name}",
                                 (int)len, slash + 1, route->item.name);
    }
}

void mouse_route_compile(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                         mouse_endpoint_t *endpoint)
{
    const path_t path = make_path(compiler->pconf, route->pattern);

    endpoint->method = route->method;
    endpoint->pattern = route->pattern;
    endpoint->file = route->item.place.file;
    endpoint->line = route->item.place.line;
    endpoint->action = route->action;
    endpoint->input = route->input;
    mouse_cors_compile(compiler, route, endpoint);
    check_literals(compiler, route);
    if (!compile_action(compiler, route, &path, endpoint))
        return;
    endpoint->input.model = mouse_endpoint_model(endpoint);
    if (!compile_chain(compiler, route, &path, endpoint))
        return;
    if (route->input.strict)
        endpoint->input.also = mouse_chain_inputs(compiler->pconf, endpoint->chain);
    shape_answer(compiler, route, endpoint);
    check_path_used(compiler, route, &path);
    mouse_references_check(compiler, route, endpoint);
    mouse_order_check(compiler, route, endpoint);
}
