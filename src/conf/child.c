/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A process begins: the pools of all databases that its servers use, where nothing is
 * opened yet, the flights of requests that share a run, and the files of guards.
 */
#include <ap_mpm.h>
#include <apr_dbd.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

static int count_threads(void)
{
    int threads = 0;

    return ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads) == APR_SUCCESS ? threads : 0;
}

/* A thread needs one connection at a time; more than threads would lie idle. */
static void bound_pool(mouse_db_config_t *config)
{
    int threads = count_threads();

    if (threads > 0 && threads < config->max)
        config->max = threads;
}

/* Where requests come one after the other, none can wait for another. */
static void create_flights(apr_pool_t *pchild, mouse_conf_flights_t *flights)
{
    if (flights && flights->wanted && count_threads() != 1)
        flights->flights = mouse_flights_create(pchild);
}

static void create_pool(apr_pool_t *pchild, server_rec *s, mouse_conf_slot_t *slot,
                        const mouse_meter_t *meter)
{
    mouse_error_t *err = NULL;

    if (slot->slot.db)
        return;
    bound_pool(&slot->config);
    if (meter && meter->mine && slot->board)
        slot->config.board = (mouse_db_board_t *)(meter->mine + slot->board);
    if (mouse_db_create(pchild, &slot->config, mouse_http_server_log(pchild, s),
                        &slot->slot.db, &err) != APR_SUCCESS) {
        slot->slot.db = NULL;
        ap_log_error(APLOG_MARK, APLOG_CRIT, 0, s, "mouse: no pool for the database %s: %s",
                     slot->config.name, mouse_report_sentence(pchild, err));
    }
}

void mouse_conf_child_init(apr_pool_t *pchild, server_rec *s)
{
    mouse_meter_t *meter = mouse_conf_get(s)->meter;

    apr_dbd_init(pchild);
    mouse_refresh_child_init(pchild, s);
    if (meter)
        mouse_meter_take_area(meter, pchild);
    mouse_http_stay_child(&mouse_conf_get(s)->stayers);
    create_flights(pchild, mouse_conf_get(s)->flights);
    for (; s; s = s->next) {
        const mouse_conf_t *conf = mouse_conf_get(s);

        for (int i = 0; conf && i < conf->slots->nelts; i++)
            create_pool(pchild, s, APR_ARRAY_IDX(conf->slots, i, mouse_conf_slot_t *),
                        meter);
    }
}
