/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Look-ups in a table of routes, for callgrind: bench/route.sh counts their instructions.
 *
 *   route_lookup static|dynamic ROUTES LOOKUPS
 *
 * A path of the middle of the table is asked for each time; `dynamic` has an int parameter
 * and a literal behind it. The pool is cleared after each look-up, as after a request.
 */
#include <stdio.h>
#include <stdlib.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "route/mouse_route.h"

static int endpoint;

static mouse_table_t *build_table(apr_pool_t *p, const char *format, int routes)
{
    mouse_table_t *table = mouse_table_create(p);
    const mouse_pattern_t *pattern;
    mouse_error_t *err;
    void *other;
    int i;

    for (i = 0; i < routes; i++) {
        const char *path = apr_psprintf(p, "/api/thing%d/%s", i, format);

        if (mouse_pattern_parse(p, path, &pattern, &err) != APR_SUCCESS ||
            mouse_table_add(table, MOUSE_GET, pattern, &endpoint, &other, &err) !=
                APR_SUCCESS) {
            fprintf(stderr, "%s\n", mouse_error_text(p, err));
            exit(1);
        }
    }
    if (mouse_table_add_group(table, "/api", &endpoint, &err) != APR_SUCCESS)
        exit(1);
    return table;
}

int main(int argc, char **argv)
{
    bool dynamic = argc == 4 && strcmp(argv[1], "dynamic") == 0;
    apr_pool_t *p, *request;
    const mouse_table_t *table;
    const char *path;
    mouse_match_t match;
    int i, routes, lookups;

    if (argc != 4) {
        fprintf(stderr, "usage: %s static|dynamic ROUTES LOOKUPS\n", argv[0]);
        return 2;
    }
    apr_initialize();
    atexit(apr_terminate);
    apr_pool_create(&p, NULL);
    apr_pool_create(&request, p);
    routes = atoi(argv[2]);
    lookups = atoi(argv[3]);
    table = build_table(p, dynamic ? "{id:int}/parts" : "all/parts", routes);
    path = apr_psprintf(p, "/api/thing%d/%s", routes / 2,
                        dynamic ? "4711/parts" : "all/parts");
    for (i = 0; i < lookups; i++) {
        mouse_table_match(table, MOUSE_GET, path, request, &match);
        if (match.kind != MOUSE_MATCH_FOUND)
            return 1;
        apr_pool_clear(request);
    }
    return 0;
}
