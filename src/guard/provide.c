/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What providers share at start: their words, the values they name, their models. */

#include "guard/mouse_guard.h"

#include <stdarg.h>
#include <stdlib.h>

#include <apr_strings.h>

apr_status_t mouse_guard_refuse(const mouse_guard_setup_t *setup, mouse_error_t **err,
                                const char *format, ...)
{
    const char *text;
    va_list args;

    va_start(args, format);
    text = apr_pvsprintf(setup->pconf, format, args);
    va_end(args);
    return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0, "guard %s: %s",
                          setup->name, text);
}

apr_status_t mouse_guard_argument(mouse_guard_setup_t *setup, const char *text,
                                  const mouse_argument_t **arg, mouse_error_t **err)
{
    mouse_error_t *why = NULL;
    const char *const *names;
    int count;

    if (mouse_argument_parse(setup->pconf, text, arg, &why) != APR_SUCCESS)
        return mouse_guard_refuse(setup, err, "%s", why->detail);
    names = mouse_argument_names(*arg, &count);
    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(setup->reads, const char *) = names[i];
    return APR_SUCCESS;
}

apr_status_t mouse_guard_value(mouse_guard_setup_t *setup, const char *text,
                               const mouse_argument_t **arg, mouse_error_t **err)
{
    apr_status_t rv = mouse_guard_argument(setup, text, arg, err);

    if (rv == APR_SUCCESS && !mouse_argument_is_value(*arg))
        return mouse_guard_refuse(setup, err, "\"%s\" is not one value: write {name}",
                                  text);
    return rv;
}

apr_status_t mouse_guard_realm(const mouse_guard_setup_t *setup, const char **realm,
                               mouse_error_t **err)
{
    const char *c;

    if (!*realm)
        *realm = setup->name;
    for (c = *realm; *c; c++) {
        if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
            return mouse_guard_refuse(setup, err,
                                      "realm= takes ASCII without quotes and backslashes");
    }
    return APR_SUCCESS;
}

/* "else=404" against the option "else=" or "optional": where its value goes, or NULL. */
static const char **match_option(const mouse_guard_option_t *option, const char *word,
                                 const char **value)
{
    size_t len = strlen(option->name);
    bool takes_value = len > 0 && option->name[len - 1] == '=';

    if (takes_value ? strncmp(word, option->name, len) != 0
                    : strcmp(word, option->name) != 0)
        return NULL;
    *value = takes_value ? word + len : "";
    return option->value;
}

static apr_status_t take_option(const mouse_guard_setup_t *setup, const char *word,
                                const mouse_guard_option_t *options, mouse_error_t **err)
{
    const char *value, **place = NULL;

    for (; !place && options->name; options++)
        place = match_option(options, word, &value);
    if (!place)
        return mouse_guard_refuse(setup, err, "unknown option \"%s\"", word);
    if (*place)
        return mouse_guard_refuse(setup, err, "\"%s\" is given twice", word);
    *place = apr_pstrdup(setup->pconf, value);
    return APR_SUCCESS;
}

apr_status_t mouse_guard_options(const mouse_guard_setup_t *setup, int first,
                                 const mouse_guard_option_t *options, mouse_error_t **err)
{
    apr_status_t rv = APR_SUCCESS;

    for (int i = first; rv == APR_SUCCESS && i < setup->argc; i++)
        rv = take_option(setup, setup->argv[i], options, err);
    return rv;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

apr_status_t mouse_guard_status(const mouse_guard_setup_t *setup, const char *text,
                                int *status, mouse_error_t **err)
{
    if (strlen(text) == 3 && (text[0] == '4' || text[0] == '5') && is_digit(text[1]) &&
        is_digit(text[2])) {
        *status = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
        return APR_SUCCESS;
    }
    return mouse_guard_refuse(setup, err, "\"%s\" is not a status from 400 to 599", text);
}

apr_status_t mouse_guard_number(const mouse_guard_setup_t *setup, const char *name,
                                const char *text, int most, int *number,
                                mouse_error_t **err)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);

    if (!is_digit(text[0]) || *end || value < 1 || value > most)
        return mouse_guard_refuse(setup, err, "%s%s: a number from 1 to %d", name, text,
                                  most);
    *number = (int)value;
    return APR_SUCCESS;
}

apr_status_t mouse_guard_bind_model(apr_pool_t *pconf, const mouse_guard_route_t *route,
                                    const mouse_model_t **model, mouse_error_t **err)
{
    bool *used = apr_pcalloc(pconf, (size_t)route->count + 1);
    apr_status_t rv = mouse_model_bind(pconf, *model, route->names, route->types,
                                       route->count, route->has_body, used, model, err);

    for (int i = 0; i < route->count; i++)
        route->used[i] |= used[i];
    return rv;
}
