/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What a request would do, for programs: httpd -t -D MOUSE_EXPLAIN -D MOUSE_JSON.
 * The object's braces alone begin a line, so that its text can be told from others.
 */
#include "conf/explain_int.h"

static void put_place(mouse_buf_t *buf, const char *file, int line)
{
    mouse_dump_member(buf, "file", file);
    mouse_buf_literal(buf, ",\"line\":");
    mouse_json_put_int(buf, line);
}

/* null: the database was not asked. */
static void put_plan(mouse_buf_t *buf, const apr_array_header_t *plan)
{
    mouse_buf_literal(buf, ",\"plan\":");
    if (!plan) {
        mouse_buf_literal(buf, "null");
        return;
    }
    mouse_buf_char(buf, '[');
    for (int i = 0; i < plan->nelts; i++) {
        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_dump_text(buf, APR_ARRAY_IDX(plan, i, const char *));
    }
    mouse_buf_char(buf, ']');
}

static void put_statements(mouse_buf_t *buf, const apr_array_header_t *statements)
{
    mouse_buf_literal(buf, "\"statements\":[");
    for (int i = 0; i < statements->nelts; i++) {
        const mouse_explained_sql_t *sql =
            &APR_ARRAY_IDX(statements, i, mouse_explained_sql_t);

        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_buf_literal(buf, "\n    {\"text\":");
        mouse_dump_text(buf, sql->text);
        put_place(buf, sql->file, sql->line);
        put_plan(buf, sql->plan);
        mouse_dump_member(buf, "trouble", sql->trouble);
        mouse_buf_char(buf, '}');
    }
    mouse_buf_char(buf, ']');
}

static void put_guards(mouse_buf_t *buf, const mouse_explained_t *explained)
{
    mouse_buf_literal(buf, ",\n  \"guards\":[");
    for (int i = 0; i < explained->guards->nelts; i++) {
        const mouse_guard_t *guard = mouse_chain_get(explained->endpoint->chain, i);

        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_buf_literal(buf, "\n   {\"name\":");
        mouse_dump_text(buf, guard->name);
        mouse_dump_member(buf, "provider", guard->provider->name);
        put_place(buf, guard->file, guard->line);
        mouse_buf_char(buf, ',');
        put_statements(buf, APR_ARRAY_IDX(explained->guards, i, apr_array_header_t *));
        mouse_buf_char(buf, '}');
    }
    mouse_buf_char(buf, ']');
}

/* What the path gives, by name. */
static void put_values(mouse_buf_t *buf, const mouse_match_t *match)
{
    mouse_buf_literal(buf, ",\"values\":{");
    for (int i = 0; i < match->pattern->count; i++) {
        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_dump_text(buf, match->pattern->parameters[i].name);
        mouse_buf_char(buf, ':');
        mouse_json_put_string(buf, match->values[i].data, match->values[i].len);
    }
    mouse_buf_char(buf, '}');
}

static void put_route(mouse_buf_t *buf, const mouse_explained_t *explained)
{
    const mouse_endpoint_t *endpoint = explained->endpoint;
    const char *path = explained->match.pattern->text;

    mouse_buf_literal(buf, "{\"method\":");
    mouse_dump_text(buf, mouse_method_name(endpoint->method));
    mouse_dump_member(buf, "path", *path ? path : "/");
    mouse_dump_member(buf, "host",
                      explained->server->is_virtual ? explained->server->server_hostname
                                                    : NULL);
    put_values(buf, &explained->match);
    put_place(buf, endpoint->file, endpoint->line);
    mouse_buf_char(buf, '}');
}

static void put_found(mouse_buf_t *buf, const mouse_explained_t *explained)
{
    const mouse_model_t *model = explained->model;

    put_route(buf, explained);
    put_guards(buf, explained);
    mouse_buf_literal(buf, ",\n  \"action\":{\"name\":");
    mouse_dump_text(buf, explained->endpoint->action->name);
    mouse_dump_member(buf, "model", model ? mouse_model_name(model) : NULL);
    mouse_buf_char(buf, '}');
    mouse_dump_member(buf, "parameters",
                      model ? mouse_model_parameters(explained->p, model) : NULL);
    mouse_buf_literal(buf, ",\n  ");
    put_statements(buf, explained->statements);
}

void mouse_explain_print_json(const mouse_explained_t *explained)
{
    mouse_buf_t *buf = apr_palloc(explained->p, sizeof(*buf)); /* it goes with its pool */

    mouse_buf_init(buf, explained->p, 4096);
    mouse_buf_literal(buf, "{\n  \"route\":");
    if (explained->endpoint) {
        put_found(buf, explained);
    } else {
        mouse_buf_literal(buf, "null");
        mouse_dump_member(buf, "why", mouse_explain_miss(explained));
    }
    mouse_buf_literal(buf, "\n}\n");
    fwrite(buf->data, 1, buf->len, stdout);
}
