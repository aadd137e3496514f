/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * conf: directives, their merge, and the compilation of a server's configuration into
 * the sites that http serves. Everything that can be wrong is found here, at start.
 */
#ifndef MOUSE_CONF_H
#define MOUSE_CONF_H

#include <httpd.h>
#include <http_config.h>

#include "http/mouse_http.h"

extern const command_rec mouse_conf_directives[];

/* A server's configuration, empty; and what it inherits of the main server's. In p. */
void *mouse_conf_create_server(apr_pool_t *p, server_rec *s);
void *mouse_conf_merge_server(apr_pool_t *p, void *base, void *add);

/* check_config: compiles every server's site; logs each mistake with file and line and
 * returns an HTTP error status (the start then fails), or OK. With -t also what
 * -D MOUSE_CHECK, -D MOUSE_LINT and -D MOUSE_OPENAPI ask for. */
int mouse_conf_check(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s);

/* test_config: the dumps (-D DUMP_MOUSE_ROUTES, with -D MOUSE_JSON as JSON;
 * -D MOUSE_EXPLAIN="METHOD PATH"). */
void mouse_conf_test(apr_pool_t *pconf, server_rec *s);

/* post_config: makes the shared memory that guards asked for, and the meter's. OK, or an
 * HTTP error status: the start then fails. */
int mouse_conf_start(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s);

/* post_config: asks mod_watchdog for the thread on which guards read again what has
 * changed; without it only a warning is logged. Always OK. */
int mouse_conf_watch(apr_pool_t *pconf, apr_pool_t *plog, apr_pool_t *ptemp, server_rec *s);

/* child_init: guards look at their files, then what this process alone has is made: the
 * pools of its databases, its area of the meter, flights of coalesced requests. */
void mouse_conf_child_init(apr_pool_t *pchild, server_rec *s);

/* The compiled site of a server, or NULL when it has neither routes nor groups. */
const mouse_site_t *mouse_conf_site(const server_rec *s);

/* What all servers have counted, or NULL before the configuration was compiled. */
const mouse_meter_t *mouse_conf_meter(const server_rec *s);

#endif
