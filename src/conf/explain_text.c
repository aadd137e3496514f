/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What a request would do, for people: httpd -t -D MOUSE_EXPLAIN. */
#include "conf/explain_int.h"

static void print_indented(const char *text)
{
    bool fresh = true;

    for (; *text; text++) {
        if (fresh)
            fputs("    ", stdout);
        fresh = *text == '\n';
        putchar(*text);
    }
    putchar('\n');
}

static void print_statements(const apr_array_header_t *statements)
{
    const char *trouble = NULL;

    for (int i = 0; i < statements->nelts; i++) {
        const mouse_explained_sql_t *sql =
            &APR_ARRAY_IDX(statements, i, mouse_explained_sql_t);

        if (sql->trouble && sql->trouble != trouble) /* once for a model */
            printf("  %s\n", sql->trouble);
        trouble = sql->trouble;
        printf("  statement (%s:%d)\n", sql->file, sql->line);
        print_indented(sql->text);
        for (int k = 0; sql->plan && k < sql->plan->nelts; k++)
            printf("    plan: %s\n", APR_ARRAY_IDX(sql->plan, k, const char *));
    }
}

static void print_guards(const mouse_explained_t *explained)
{
    for (int i = 0; i < explained->guards->nelts; i++) {
        const mouse_guard_t *guard = mouse_chain_get(explained->endpoint->chain, i);

        printf("guard %s: %s (%s:%d)\n", guard->name, guard->provider->name, guard->file,
               guard->line);
        print_statements(APR_ARRAY_IDX(explained->guards, i, apr_array_header_t *));
    }
}

static void print_action(const mouse_explained_t *explained)
{
    const mouse_model_t *model = explained->model;
    const char *parameters = model ? mouse_model_parameters(explained->p, model) : "";

    printf("action %s%s%s\n", explained->endpoint->action->name, model ? " " : "",
           model ? mouse_model_name(model) : "");
    if (*parameters)
        printf("  parameters: %s\n", parameters);
    print_statements(explained->statements);
}

void mouse_explain_print_text(const mouse_explained_t *explained)
{
    const mouse_endpoint_t *endpoint = explained->endpoint;
    const mouse_match_t *match = &explained->match;

    if (!endpoint) {
        printf("no route: %s\n", mouse_explain_miss(explained));
        return;
    }
    printf("route %s %s (%s:%d)\n", mouse_method_name(endpoint->method),
           match->pattern->text, endpoint->file, endpoint->line);
    for (int i = 0; i < match->pattern->count; i++)
        printf("  %s = %s\n", match->pattern->parameters[i].name,
               mouse_slice_copy(explained->p, match->values[i]));
    print_guards(explained);
    print_action(explained);
}
