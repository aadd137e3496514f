/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * httpd -t -D DUMP_MOUSE_ROUTES -D MOUSE_JSON: the routes as a JSON array, for programs.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

typedef struct dump_t {
    apr_pool_t *p;
    mouse_buf_t buf;
    const server_rec *server;
    int count;
} dump_t;

void mouse_dump_text(mouse_buf_t *buf, const char *text)
{
    mouse_json_put_string(buf, text, strlen(text));
}

void mouse_dump_member(mouse_buf_t *buf, const char *name, const char *value)
{
    mouse_buf_char(buf, ',');
    mouse_dump_text(buf, name);
    mouse_buf_char(buf, ':');
    if (value)
        mouse_dump_text(buf, value);
    else
        mouse_buf_literal(buf, "null");
}

static void put_guards(mouse_buf_t *buf, const mouse_chain_t *chain)
{
    mouse_buf_literal(buf, ",\"guards\":[");
    for (int i = 0; i < mouse_chain_count(chain); i++) {
        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_dump_text(buf, mouse_chain_get(chain, i)->name);
    }
    mouse_buf_char(buf, ']');
}

static void visit_route(void *baton, mouse_method_t method, const mouse_pattern_t *pattern,
                        void *data)
{
    dump_t *dump = baton;
    const mouse_endpoint_t *endpoint = data;
    const mouse_model_t *model = mouse_endpoint_model(endpoint);
    mouse_buf_t *buf = &dump->buf;

    if (dump->count++ > 0)
        mouse_buf_char(buf, ',');
    mouse_buf_literal(buf, "\n  {\"method\":");
    mouse_dump_text(buf, mouse_method_name(method));
    mouse_dump_member(buf, "path", *pattern->text ? pattern->text : "/");
    mouse_dump_member(buf, "host",
                      dump->server->is_virtual ? dump->server->server_hostname : NULL);
    put_guards(buf, endpoint->chain);
    mouse_dump_member(buf, "action", endpoint->action->name);
    mouse_dump_member(buf, "model", model ? mouse_model_name(model) : NULL);
    mouse_dump_member(buf, "parameters",
                      model ? mouse_model_parameters(dump->p, model) : NULL);
    mouse_dump_member(buf, "file", endpoint->file);
    mouse_buf_literal(buf, ",\"line\":");
    mouse_json_put_int(buf, endpoint->line);
    mouse_buf_char(buf, '}');
}

void mouse_dump_json(apr_pool_t *ptemp, server_rec *s)
{
    dump_t *dump = apr_pcalloc(ptemp, sizeof(*dump));

    dump->p = ptemp;
    mouse_buf_init(&dump->buf, ptemp, 4096);
    mouse_buf_char(&dump->buf, '[');
    for (; s; s = s->next) {
        const mouse_site_t *site = mouse_conf_site(s);

        dump->server = s;
        if (site)
            mouse_table_each(site->table, visit_route, dump);
    }
    mouse_buf_literal(&dump->buf, "\n]\n");
    fwrite(dump->buf.data, 1, dump->buf.len, stdout);
    fflush(stdout); /* before httpd's own "Syntax OK", which goes to stderr */
}
