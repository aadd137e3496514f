/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What guards read again while the server runs, key files: in each child, when it begins
 * and then every two seconds on a thread of mod_watchdog's, never for a request.
 *
 * mod_watchdog ends that thread before the child's pools go.
 */
#include <http_core.h>
#include <mod_watchdog.h>
#include <apr_optional.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

#define INTERVAL apr_time_from_sec(2)

typedef struct refresh_t {
    const mouse_guard_t *guard;
    const mouse_log_t *log;
} refresh_t;

apr_array_header_t *mouse_refresh_list(apr_pool_t *pconf, const server_rec *main_server)
{
    mouse_conf_t *conf = mouse_conf_get(main_server);

    if (!conf->refreshed)
        conf->refreshed = apr_array_make(pconf, 2, sizeof(refresh_t));
    return conf->refreshed;
}

void mouse_refresh_add(mouse_compiler_t *compiler, const mouse_guard_t *guard)
{
    if (guard->refreshes)
        APR_ARRAY_PUSH(compiler->refreshed, refresh_t) = (refresh_t){
            guard, mouse_http_server_log(compiler->pconf, compiler->report->server)};
}

static void refresh_all(const apr_array_header_t *list, apr_pool_t *ptmp)
{
    for (int i = 0; list && i < list->nelts; i++) {
        const refresh_t *one = &APR_ARRAY_IDX(list, i, refresh_t);

        one->guard->provider->refresh(one->guard->config, ptmp, one->log);
    }
}

/* The thread must not take signals that are meant for the process. */
static apr_status_t step(int state, void *data, apr_pool_t *ptmp)
{
    if (state == AP_WATCHDOG_STATE_STARTING)
        apr_setup_signal_thread();
    if (state == AP_WATCHDOG_STATE_RUNNING)
        refresh_all(data, ptmp);
    return APR_SUCCESS;
}

static apr_status_t watch(apr_pool_t *pconf, const apr_array_header_t *list)
{
    APR_OPTIONAL_FN_TYPE(ap_watchdog_get_instance) * get_instance;
    APR_OPTIONAL_FN_TYPE(ap_watchdog_register_callback) * register_callback;
    ap_watchdog_t *watchdog;
    apr_status_t rv;

    get_instance = APR_RETRIEVE_OPTIONAL_FN(ap_watchdog_get_instance);
    register_callback = APR_RETRIEVE_OPTIONAL_FN(ap_watchdog_register_callback);
    if (!get_instance || !register_callback)
        return APR_ENOTIMPL;
    rv = get_instance(&watchdog, "mouse_refresh", 0, 0, pconf);
    return rv == APR_SUCCESS ? register_callback(watchdog, INTERVAL, list, step) : rv;
}

int mouse_conf_watch(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s)
{
    const apr_array_header_t *list = mouse_conf_get(s)->refreshed;
    apr_status_t rv;

    (void)plog;
    (void)ptemp;
    if (!list || list->nelts == 0 ||
        ap_state_query(AP_SQ_MAIN_STATE) == AP_SQ_MS_CREATE_PRE_CONFIG)
        return OK;
    rv = watch(pconf, list);
    if (rv != APR_SUCCESS)
        ap_log_error(APLOG_MARK, APLOG_WARNING, rv == APR_ENOTIMPL ? 0 : rv, s,
                     "mouse: without mod_watchdog key files are read when a process "
                     "starts, and not again");
    return OK;
}

void mouse_refresh_child_init(apr_pool_t *pchild, server_rec *s)
{
    apr_pool_t *ptmp;

    apr_pool_create(&ptmp, pchild);
    refresh_all(mouse_conf_get(s)->refreshed, ptmp);
    apr_pool_destroy(ptmp);
}
