/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * From declarations to sites, once per server while the configuration is checked: models,
 * guards, then each route into the table. A virtual host's own routes come first, so that
 * an inherited one that clashes with them is left out.
 */
#include <http_core.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

/* The table hands endpoints back; this one remembers its route. */
typedef struct entry_t {
    mouse_endpoint_t endpoint;
    const mouse_conf_route_t *route;
} entry_t;

static void report_duplicate(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                             const entry_t *other, const mouse_error_t *err)
{
    const mouse_item_t *twin = other ? &other->route->item : NULL;

    if (!twin)
        mouse_report_error(compiler->report, route->item.place, err);
    else if (twin->owner == route->item.owner)
        mouse_report(compiler->report, route->item.place,
                     "%s %s matches the same paths as %s at %s:%d: remove one of the two",
                     mouse_method_name(route->method), route->item.name, twin->name,
                     twin->place.file, twin->place.line);
}

static void compile_routes(mouse_compiler_t *compiler, mouse_table_t *table)
{
    const apr_array_header_t *routes = compiler->conf->routes;

    for (int i = 0; i < routes->nelts; i++) {
        const mouse_conf_route_t *route = APR_ARRAY_IDX(routes, i, mouse_conf_route_t *);
        entry_t *entry = apr_pcalloc(compiler->pconf, sizeof(*entry));
        mouse_error_t *err = NULL;
        void *other = NULL;

        entry->route = route;
        if (mouse_table_add(table, route->method, route->pattern, entry, &other, &err) !=
            APR_SUCCESS)
            report_duplicate(compiler, route, other, err);
        else
            mouse_route_compile(compiler, route, &entry->endpoint);
        if (entry->endpoint.chain)
            APR_ARRAY_PUSH(compiler->endpoints, mouse_endpoint_t *) = &entry->endpoint;
    }
}

static void compile_groups(mouse_compiler_t *compiler, mouse_table_t *table)
{
    const apr_array_header_t *groups = compiler->conf->groups;

    for (int i = 0; i < groups->nelts; i++) {
        mouse_conf_group_t *group = APR_ARRAY_IDX(groups, i, mouse_conf_group_t *);
        mouse_group_t *compiled = apr_pcalloc(compiler->pconf, sizeof(*compiled));
        mouse_error_t *err = NULL;

        compiled->cors = mouse_cors_find(compiler->conf, group);
        compiled->envelope = mouse_envelope_find(compiler->conf, group);
        if (mouse_table_add_group(table, group->item.name, compiled, &err) != APR_SUCCESS)
            mouse_report_error(compiler->report, group->item.place, err);
    }
}

/* The server-wide guards run for 404s, too, where no path parameter exists. */
static void compile_site_chain(mouse_compiler_t *compiler, mouse_site_t *site)
{
    apr_array_header_t *guards = mouse_guards_collect(compiler, NULL);
    const mouse_guard_t *first =
        guards->nelts ? APR_ARRAY_IDX(guards, 0, mouse_guard_t *) : NULL;
    const mouse_guard_route_t no_route = {.count = 0};
    mouse_error_t *err = NULL;

    if (mouse_chain_create(compiler->pconf, (const mouse_guard_t *const *)guards->elts,
                           guards->nelts, &no_route, &site->chain, &err) != APR_SUCCESS)
        mouse_report_error(compiler->report,
                           first ? (mouse_place_t){first->file, first->line}
                                 : (mouse_place_t){"MouseUse", 0},
                           err);
}

/* Without its models, every route and guard would only repeat that one is missing. */
static bool all_loaded(const mouse_conf_t *conf)
{
    for (int i = 0; i < conf->loaded->nelts; i++) {
        if (!APR_ARRAY_IDX(conf->loaded, i, mouse_conf_loaded_t).models)
            return false;
    }
    return true;
}

/* A site with its settings, and no routes yet. */
static mouse_site_t *make_site(mouse_compiler_t *compiler, const mouse_conf_t *conf)
{
    mouse_site_t *site = apr_pcalloc(compiler->pconf, sizeof(*site));

    mouse_settings_fill(&site->settings, conf);
    site->stay = conf->stay == MOUSE_UNSET ? 0 : conf->stay;
    site->stayers = compiler->stayers;
    site->call_key = conf->call_key;
    site->server_timing = conf->server_timing == 1;
    site->notes = conf->notes == 1;
    if (conf->trace_sql != MOUSE_UNSET)
        site->trace_sql = (mouse_trace_sql_t)conf->trace_sql;
    return site;
}

static void compile_server(mouse_compiler_t *compiler, mouse_conf_t *conf)
{
    mouse_site_t *site;
    mouse_table_t *table;

    compiler->conf = conf;
    conf->meter = compiler->meter;
    mouse_models_compile(compiler);
    if (!all_loaded(conf))
        return;
    mouse_guards_compile(compiler);
    if (conf->routes->nelts + conf->groups->nelts == 0)
        return;
    site = make_site(compiler, conf);
    table = mouse_table_create(compiler->pconf);
    compiler->endpoints =
        apr_array_make(compiler->ptemp, conf->routes->nelts, sizeof(mouse_endpoint_t *));
    compile_groups(compiler, table);
    compile_routes(compiler, table);
    compile_site_chain(compiler, site);
    site->table = table;
    mouse_meter_compile(compiler, site);
    conf->site = site;
}

/* A MousePool for a database that no server knows is a slip of the pen. */
static void check_pools(mouse_compiler_t *compiler)
{
    const mouse_conf_t *conf = compiler->conf;

    for (int i = 0; i < conf->pools->nelts; i++) {
        const mouse_item_t *pool = APR_ARRAY_IDX(conf->pools, i, mouse_item_t *);

        if (!mouse_item_find(conf->databases, pool->name))
            mouse_report(compiler->report, pool->place,
                         "there is no database \"%s\": declare it with MouseDatabase",
                         pool->name);
    }
}

static mouse_conf_flights_t *find_flights(apr_pool_t *pconf, const server_rec *main_server)
{
    mouse_conf_t *conf = mouse_conf_get(main_server);

    if (!conf->flights)
        conf->flights = apr_pcalloc(pconf, sizeof(*conf->flights));
    return conf->flights;
}

/* httpd -t: nothing will be served. */
static bool is_test(void)
{
    return ap_state_query(AP_SQ_RUN_MODE) == AP_SQ_RM_CONFIG_TEST;
}

int mouse_conf_check(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s)
{
    mouse_report_t report = {.p = ptemp, .server = s, .seen = apr_hash_make(ptemp)};
    mouse_compiler_t compiler = {.pconf = pconf,
                                 .ptemp = ptemp,
                                 .report = &report,
                                 .files = apr_hash_make(ptemp),
                                 .shared = mouse_shared_list(pconf, s),
                                 .refreshed = mouse_refresh_list(pconf, s),
                                 .stayers = &mouse_conf_get(s)->stayers,
                                 .flights = find_flights(pconf, s),
                                 .meter = mouse_meter_get(pconf, s)};

    (void)plog;
    report.meter = compiler.meter;
    for (server_rec *host = s; host; host = host->next) {
        mouse_conf_t *conf = mouse_conf_get(host);

        if (!conf || conf->compiled)
            continue;
        conf->compiled = true;
        report.server = host;
        compile_server(&compiler, conf);
        check_pools(&compiler);
    }
    if (report.mistakes == 0 && ap_exists_config_define("MOUSE_CHECK"))
        mouse_check_models(&report, s);
    if (report.mistakes == 0 && ap_exists_config_define("MOUSE_LINT"))
        mouse_lint(&report, s);
    if (report.mistakes == 0 && is_test() && ap_exists_config_define("MOUSE_OPENAPI"))
        mouse_dump_openapi(&report, s);
    return report.mistakes ? HTTP_INTERNAL_SERVER_ERROR : OK;
}

const mouse_site_t *mouse_conf_site(const server_rec *s)
{
    const mouse_conf_t *conf = mouse_conf_get(s);

    return conf ? conf->site : NULL;
}

const mouse_meter_t *mouse_conf_meter(const server_rec *s)
{
    const mouse_conf_t *conf = mouse_conf_get(s);

    return conf ? conf->meter : NULL;
}

void mouse_conf_test(apr_pool_t *pconf, server_rec *s)
{
    if (mouse_explain(pconf, s) || !ap_exists_config_define("DUMP_MOUSE_ROUTES"))
        return;
    if (ap_exists_config_define("MOUSE_JSON"))
        mouse_dump_json(pconf, s);
    else
        mouse_dump_routes(pconf, s);
}
