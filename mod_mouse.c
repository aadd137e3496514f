/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * mod_mouse: the module record, its hooks, and the way from a request to its site.
 *
 * Nothing is decided here: directives are in conf/, phases in http/.
 */
#include <httpd.h>
#include <http_config.h>
#include <http_protocol.h>
#include <http_request.h>

#include "conf/mouse_conf.h"
#include "http/mouse_http.h"

static int pre_translate_name(request_rec *r)
{
    return mouse_http_pre_translate(r, mouse_conf_site(r->server));
}

static int translate_name(request_rec *r)
{
    return mouse_http_translate(r, mouse_conf_site(r->server));
}

static int map_to_storage(request_rec *r)
{
    return mouse_http_map_to_storage(r, mouse_conf_site(r->server));
}

static int handler(request_rec *r)
{
    return mouse_http_handler(r, mouse_conf_site(r->server));
}

static int call_handler(request_rec *r)
{
    return mouse_http_call(r, mouse_conf_site(r->server));
}

static int status_handler(request_rec *r)
{
    return mouse_http_status(r, mouse_conf_meter(r->server));
}

static void insert_error_filter(request_rec *r)
{
    mouse_http_insert_error_filter(r, mouse_conf_site(r->server));
}

static void register_hooks(apr_pool_t *p)
{
    /* Their redirects win over routes, wherever mod_mouse is loaded. */
    static const char *const before[] = {"mod_rewrite.c", "mod_alias.c", NULL};
    /* Its thread reads guards' files again: we have read them by then, alone. */
    static const char *const after[] = {"mod_watchdog.c", NULL};

    (void)p;
    ap_hook_check_config(mouse_conf_check, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_test_config(mouse_conf_test, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_post_config(mouse_conf_start, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_post_config(mouse_conf_watch, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_child_init(mouse_conf_child_init, NULL, after, APR_HOOK_MIDDLE);
    ap_hook_pre_translate_name(pre_translate_name, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_translate_name(translate_name, before, NULL, APR_HOOK_FIRST);
    ap_hook_map_to_storage(map_to_storage, NULL, NULL, APR_HOOK_FIRST);
    ap_hook_handler(handler, NULL, NULL, APR_HOOK_FIRST);
    ap_hook_handler(call_handler, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_handler(status_handler, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_insert_error_filter(insert_error_filter, NULL, NULL, APR_HOOK_MIDDLE);
    mouse_http_register_error_filter();
    mouse_http_register_stay();
}

AP_DECLARE_MODULE(mouse) = {
    STANDARD20_MODULE_STUFF,
    NULL, /* per-directory configuration: none, */
    NULL, /* and no merge */
    mouse_conf_create_server,
    mouse_conf_merge_server,
    mouse_conf_directives,
    register_hooks,
    AP_MODULE_FLAG_NONE,
};
