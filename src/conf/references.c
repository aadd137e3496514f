/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Does every name have somebody who gives it? A model may read the context of guards that
 * stand before it in the chain, a template also columns and parameters.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

/* One reader of context and the guards that have run before it. */
typedef struct reader_t {
    mouse_compiler_t *compiler;
    const mouse_conf_route_t *route;
    const mouse_chain_t *chain;
    int before; /* guards of the chain that run before the reader */
    const mouse_model_t *model;
} reader_t;

/* A guard may give values before it runs its own model. */
static bool is_own(const reader_t *reader, int at, const char *field)
{
    return at == reader->before && at < mouse_chain_count(reader->chain) &&
           mouse_guard_gives_early(mouse_chain_get(reader->chain, at), field);
}

/* Why the context value cannot be had, as a sentence, or NULL. */
static const char *refuse_context(const reader_t *reader, const char *word,
                                  const char *field)
{
    apr_pool_t *p = reader->compiler->ptemp;
    const mouse_guard_t *guard;
    int at;

    if (mouse_word_has(word, field))
        return NULL;
    if (mouse_word_reserved(word))
        return apr_psprintf(p, "%s has no field \"%s\"", word, field);
    at = mouse_chain_find(reader->chain, word);
    if (at < 0)
        return mouse_item_find(reader->compiler->conf->guards, word)
                   ? apr_psprintf(
                         p,
                         "the guard %s is not in the chain of this route: add it by "
                         "MouseUse or use=",
                         word)
                   : apr_psprintf(p, "there is no guard \"%s\" to give it", word);
    if (is_own(reader, at, field))
        return NULL;
    if (at >= reader->before)
        return apr_psprintf(p, "the guard %s stands later in the chain: name it earlier",
                            word);
    guard = mouse_chain_get(reader->chain, at);
    if (!guard->provider->gives_context)
        return apr_psprintf(p, "the guard %s gives no values", word);
    if (guard->provider->gives && !guard->provider->gives(guard->config, field))
        return apr_psprintf(p, "the guard %s gives no \"%s\"", word, field);
    return NULL;
}

static void report_reader(const reader_t *reader, mouse_place_t at, const char *word,
                          const char *field, const char *kind, const char *name)
{
    const char *reason = refuse_context(reader, word, field);

    if (reason)
        mouse_report(reader->compiler->report, at,
                     "%s.%s in the %s %s, for %s %s at %s:%d: %s", word, field, kind, name,
                     mouse_method_name(reader->route->method), reader->route->item.name,
                     reader->route->item.place.file, reader->route->item.place.line,
                     reason);
}

static void visit_model(void *baton, const char *word, const char *field, int line,
                        int column)
{
    const reader_t *reader = baton;

    (void)column;
    report_reader(reader, (mouse_place_t){mouse_model_file(reader->model), line}, word,
                  field, "model", mouse_model_name(reader->model));
}

static void visit_guard(void *baton, const char *word, const char *field,
                        const mouse_model_t *model, int line)
{
    const reader_t *reader = baton;
    const mouse_guard_t *guard = mouse_chain_get(reader->chain, reader->before);

    report_reader(
        reader, (mouse_place_t){model ? mouse_model_file(model) : guard->file, line}, word,
        field, model ? "model" : "guard", model ? mouse_model_name(model) : guard->name);
}

static void check_variable(const reader_t *reader, const char *header, const char *name)
{
    const char *dot = ap_strchr_c(name, '.');
    const char *reason;

    if (mouse_pattern_has(reader->route->pattern, name) ||
        (reader->model && mouse_model_template_name(reader->model, name)))
        return;
    if (dot)
        reason = refuse_context(
            reader, apr_pstrmemdup(reader->compiler->ptemp, name, dot - name), dot + 1);
    else
        reason = "neither the model nor the path gives this name";
    if (reason)
        mouse_report(reader->compiler->report, reader->route->item.place, "{%s} in %s: %s",
                     name, header, reason);
}

/* Read before the model has run: no columns, no parameters. */
static void check_scope(const reader_t *reader)
{
    reader_t before = *reader;
    const mouse_template_t *scope = reader->route->idempotent.scope;
    const char *const *names;
    int count = 0;

    before.model = NULL;
    names = scope ? mouse_template_names(scope, &count) : NULL;
    for (int n = 0; n < count; n++)
        check_variable(&before, "idempotent=", names[n]);
}

static void check_templates(const reader_t *reader)
{
    const apr_array_header_t *headers = reader->route->headers;

    for (int i = 0; i < headers->nelts; i++) {
        const mouse_header_template_t *header =
            &APR_ARRAY_IDX(headers, i, mouse_header_template_t);
        int count;
        const char *const *names = mouse_template_names(header->value, &count);

        for (int n = 0; n < count; n++)
            check_variable(reader, header->name, names[n]);
    }
}

/* A guard's bare names are read as the model declares them, but a list is no value. */
static void check_lists(const reader_t *reader, const mouse_guard_t *guard)
{
    for (int i = 0; i < guard->reads->nelts; i++) {
        const char *name = APR_ARRAY_IDX(guard->reads, i, const char *);

        if (mouse_model_names_list(reader->model, name))
            mouse_report(reader->compiler->report, reader->route->item.place,
                         "the guard %s reads {%s} as one value, the model %s as a list: "
                         "give them different names",
                         guard->name, name, mouse_model_name(reader->model));
    }
}

/* Would a guard's model look at another value than the action's of the same name? What
 * opens an envelope has its own names. */
static void check_places(const reader_t *reader, const mouse_guard_t *guard)
{
    bool has_body = mouse_method_has_body(reader->route->method);
    const mouse_model_t *own;

    for (int i = 0; !guard->provider->reads_body && (own = mouse_guard_model(guard, i));
         i++) {
        const char *name = mouse_model_apart(own, reader->model, has_body);

        if (name)
            mouse_report(reader->compiler->report, reader->route->item.place,
                         "the guard %s would check '%s' from the %s, the model %s takes it "
                         "from elsewhere: declare both with the same `from`, or name them "
                         "differently",
                         guard->name, name, has_body ? "body" : "query",
                         mouse_model_name(reader->model));
    }
}

void mouse_references_check(mouse_compiler_t *compiler, const mouse_conf_route_t *route,
                            const mouse_endpoint_t *endpoint)
{
    reader_t reader = {.compiler = compiler, .route = route, .chain = endpoint->chain};
    int count = mouse_chain_count(endpoint->chain);

    for (int i = 0; i < count; i++) {
        reader.before = i;
        mouse_guard_each_context(compiler->ptemp, mouse_chain_get(endpoint->chain, i),
                                 visit_guard, &reader);
    }
    reader.before = count;
    reader.model = mouse_endpoint_model(endpoint);
    for (int i = 0; reader.model && i < count; i++) {
        check_lists(&reader, mouse_chain_get(endpoint->chain, i));
        check_places(&reader, mouse_chain_get(endpoint->chain, i));
    }
    if (reader.model)
        mouse_model_each_context(reader.model, visit_model, &reader);
    check_templates(&reader);
    check_scope(&reader);
}
