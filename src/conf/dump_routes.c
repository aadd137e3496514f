/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D DUMP_MOUSE_ROUTES: every virtual host's routes in columns.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

#define COLUMNS 5

typedef struct dump_t {
    apr_pool_t *p;
    apr_array_header_t *cells; /* of const char *, COLUMNS a row */
} dump_t;

static const char *chain_names(apr_pool_t *p, const mouse_chain_t *chain)
{
    const char *names = "";

    for (int i = 0; i < mouse_chain_count(chain); i++)
        names = apr_pstrcat(p, names, i ? "," : "", mouse_chain_get(chain, i)->name, NULL);
    return *names ? names : "-";
}

static const char *action_text(dump_t *dump, const mouse_endpoint_t *endpoint)
{
    const mouse_model_t *model = mouse_endpoint_model(endpoint);

    return model ? apr_pstrcat(dump->p, endpoint->action->name, " ",
                               mouse_model_name(model), NULL)
                 : endpoint->action->name;
}

static const char *parameter_names(apr_pool_t *p, const mouse_endpoint_t *endpoint)
{
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    const char *names = "";

    if (model)
        return mouse_model_parameters(p, model);
    for (int i = 0; i < endpoint->pattern->count; i++)
        names = apr_pstrcat(p, names, i ? ", " : "", endpoint->pattern->parameters[i].name,
                            NULL);
    return names;
}

static void visit_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                        void *data)
{
    dump_t *dump = baton;
    const mouse_endpoint_t *endpoint = data;

    APR_ARRAY_PUSH(dump->cells, const char *) = mouse_method_name(method);
    APR_ARRAY_PUSH(dump->cells, const char *) = *pattern->text ? pattern->text : "/";
    APR_ARRAY_PUSH(dump->cells, const char *) = chain_names(dump->p, endpoint->chain);
    APR_ARRAY_PUSH(dump->cells, const char *) = action_text(dump, endpoint);
    APR_ARRAY_PUSH(dump->cells, const char *) = parameter_names(dump->p, endpoint);
}

static const char *cell(const dump_t *dump, int row, int column)
{
    return APR_ARRAY_IDX(dump->cells, row * COLUMNS + column, const char *);
}

static void print_trimmed(const char *line)
{
    size_t len = strlen(line);

    while (len > 0 && line[len - 1] == ' ')
        len--;
    printf("%.*s\n", (int)len, line);
}

static void print_rows(const dump_t *dump)
{
    int rows = dump->cells->nelts / COLUMNS;
    int width[COLUMNS] = {0};

    for (int i = 0; i < dump->cells->nelts; i++) {
        int len = (int)strlen(APR_ARRAY_IDX(dump->cells, i, const char *));

        if (len > width[i % COLUMNS])
            width[i % COLUMNS] = len;
    }
    for (int row = 0; row < rows; row++) {
        const char *line = "";

        for (int column = 0; column < COLUMNS; column++)
            line = apr_psprintf(dump->p, "%s  %-*s", line, width[column],
                                cell(dump, row, column));
        print_trimmed(line);
    }
}

static void dump_server(apr_pool_t *p, const server_rec *s, const mouse_site_t *site)
{
    dump_t dump = {.p = p, .cells = apr_array_make(p, 64, sizeof(const char *))};

    if (s->is_virtual)
        printf("%s (%s:%d)\n", s->server_hostname ? s->server_hostname : "virtual host",
               s->defn_name, s->defn_line_number);
    else
        printf("main server\n");
    mouse_table_each(site->table, visit_route, &dump);
    print_rows(&dump);
}

void mouse_dump_routes(apr_pool_t *ptemp, server_rec *s)
{
    printf("Mouse routes: method, path, guards, action, parameters\n");
    for (; s; s = s->next) {
        const mouse_site_t *site = mouse_conf_site(s);

        if (site)
            dump_server(ptemp, s, site);
    }
    fflush(stdout); /* before httpd's own "Syntax OK", which goes to stderr */
}
