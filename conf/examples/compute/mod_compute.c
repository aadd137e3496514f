/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * An example of C code behind mod_mouse routes: a controller that computes, and a guard
 * that bounds what it is asked for. Built against the installed mouse.h alone:
 *
 *     apxs -c -i mod_compute.c -lm
 *
 *     LoadModule compute_module modules/mod_compute.so
 *     MouseGuard bounded at-most 1000000 {steps}
 *     MouseRoute GET /compute/{steps:int} controller compute use=bounded
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <httpd.h>
#include <http_config.h>
#include <ap_provider.h>
#include <apr_strings.h>

#include <mouse.h>

/* ---- the controller: the sum of the first square roots, as JSON ---- */

static const char *create_compute(const mouse_api_t *api, apr_pool_t *pconf, void **config)
{
    (void)pconf;
    *config = (void *)api;
    return NULL;
}

static double sum_of_roots(long steps)
{
    double sum = 0;

    for (long i = 0; i < steps; i++)
        sum += sqrt((double)i);
    return sum;
}

/* The shortest text that reads back as the same number. */
static const char *number_text(apr_pool_t *p, double number)
{
    char text[32];
    int digits = 15;

    do {
        snprintf(text, sizeof(text), "%.*g", digits, number);
    } while (strtod(text, NULL) != number && digits++ < 17);
    return apr_pstrdup(p, text);
}

static int run_compute(void *config, mouse_call_t *call)
{
    const mouse_api_t *api = config;
    size_t len;
    const char *steps = api->path_value(call, "steps", &len);
    const char *text;

    if (!steps)
        return api->fail(call, 500, "The route has no {steps}.");
    text = apr_pstrcat(api->pool(call),
                       "{\"sum\":", number_text(api->pool(call), sum_of_roots(atol(steps))),
                       "}", NULL);
    api->set_type(call, "application/json");
    return api->write(call, text, strlen(text));
}

static const mouse_controller_t compute = {
    .version = MOUSE_API_VERSION, .create = create_compute, .run = run_compute};

/* ---- the guard: `at-most LIMIT {value}`, with the limit as context ---- */

typedef struct limit_t {
    const mouse_api_t *api;
    const char *text;
    long most;
} limit_t;

static const char *create_limit(const mouse_api_t *api, apr_pool_t *pconf, int argc,
                                const char *const *argv, void **config)
{
    limit_t *limit = apr_pcalloc(pconf, sizeof(*limit));
    char *end;

    if (argc != 2)
        return "at-most takes a limit and a value: at-most 1000 {steps}";
    limit->api = api;
    limit->text = apr_pstrdup(pconf, argv[0]);
    limit->most = strtol(argv[0], &end, 10);
    *config = limit;
    return *end ? "the limit is no number" : NULL;
}

static int check_limit(void *config, mouse_call_t *call)
{
    const limit_t *limit = config;
    size_t len;
    const char *value = limit->api->argument(call, 1, &len);

    if (!value)
        return 422;
    if (atol(value) > limit->most)
        return limit->api->fail(call, 422, "That is too much to compute.");
    limit->api->add_header(call, "X-Limit", limit->text);
    return limit->api->give(call, "limit", limit->text);
}

static const char *const limit_fields[] = {"limit", NULL};

static const mouse_guard_plugin_t at_most = {.version = MOUSE_API_VERSION,
                                             .fields = limit_fields,
                                             .create = create_limit,
                                             .check = check_limit};

static void register_hooks(apr_pool_t *p)
{
    ap_register_provider(p, MOUSE_CONTROLLER_GROUP, "compute", MOUSE_PROVIDER_VERSION,
                         &compute);
    ap_register_provider(p, MOUSE_GUARD_GROUP, "at-most", MOUSE_PROVIDER_VERSION, &at_most);
}

AP_DECLARE_MODULE(compute) = {STANDARD20_MODULE_STUFF, NULL, NULL, NULL, NULL, NULL,
                              register_hooks,          0};
