/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The meter's layout: a place for every route and pool of the servers that count, and for
 * what no route of such a server takes.
 */
#include "conf/conf_int.h"

mouse_meter_t *mouse_meter_get(apr_pool_t *pconf, const server_rec *main_server)
{
    mouse_conf_t *conf = mouse_conf_get(main_server);

    if (!conf->meter)
        conf->meter = mouse_meter_create(pconf);
    return conf->meter;
}

static void add_routes(mouse_compiler_t *compiler, mouse_site_t *site, const char *server)
{
    mouse_meter_route_t none = {
        .server = server, .method = "any", .route = "none", .chain = site->chain};

    for (int i = 0; i < compiler->endpoints->nelts; i++) {
        mouse_endpoint_t *endpoint =
            APR_ARRAY_IDX(compiler->endpoints, i, mouse_endpoint_t *);
        mouse_meter_route_t route = {.server = server,
                                     .method = mouse_method_name(endpoint->method),
                                     .route = endpoint->pattern->text,
                                     .chain = endpoint->chain};

        endpoint->counters = mouse_meter_add_route(compiler->meter, &route);
    }
    site->counters = mouse_meter_add_route(compiler->meter, &none);
}

/* Hosts that share a pool show it once, under the first one's name. */
static void add_pools(mouse_compiler_t *compiler, const char *server)
{
    const apr_array_header_t *slots = compiler->conf->slots;

    for (int i = 0; i < slots->nelts; i++) {
        mouse_conf_slot_t *slot = APR_ARRAY_IDX(slots, i, mouse_conf_slot_t *);
        mouse_meter_pool_t pool = {
            .server = server, .database = slot->config.name, .config = &slot->config};

        if (slot->board == 0)
            slot->board = mouse_meter_add_pool(compiler->meter, &pool);
    }
}

void mouse_meter_compile(mouse_compiler_t *compiler, mouse_site_t *site)
{
    const char *server;

    if (compiler->conf->metrics == 0 || !site->chain)
        return;
    server = mouse_meter_add_server(compiler->meter, compiler->report->server);
    add_routes(compiler, site, server);
    add_pools(compiler, server);
    site->meter = compiler->meter;
}
