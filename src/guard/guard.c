/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Guards made from a provider and its arguments; what providers read arguments with. */

#include "guard/mouse_guard.h"

#include <apr_strings.h>

apr_status_t mouse_guard_create(const mouse_guard_setup_t *setup, const char *provider,
                                mouse_guard_t **guard, mouse_error_t **err)
{
    const mouse_guard_provider_t *found = mouse_guard_provider_find(provider);
    mouse_guard_t *made;
    void *config = NULL;
    apr_status_t rv;

    if (!found)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "guard %s: there is no provider \"%s\" (there are: %s)",
                              setup->name, provider,
                              mouse_guard_provider_names(setup->pconf));
    if (mouse_word_reserved(setup->name))
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "\"%s\" is a word of its own and cannot name a guard",
                              setup->name);
    rv = found->create(setup, &config, err);
    if (rv != APR_SUCCESS)
        return rv;
    made = apr_pcalloc(setup->pconf, sizeof(*made));
    *made = (mouse_guard_t){.name = apr_pstrdup(setup->pconf, setup->name),
                            .provider = found,
                            .config = config,
                            .file = setup->file,
                            .line = setup->line};
    *guard = made;
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
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "guard %s: unknown option \"%s\"", setup->name, word);
    if (*place)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "guard %s: \"%s\" is given twice", setup->name, word);
    *place = apr_pstrdup(setup->pconf, value);
    return APR_SUCCESS;
}

apr_status_t mouse_guard_options(const mouse_guard_setup_t *setup, int first,
                                 const mouse_guard_option_t *options, mouse_error_t **err)
{
    apr_status_t rv = APR_SUCCESS;
    int i;

    for (i = first; rv == APR_SUCCESS && i < setup->argc; i++)
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
    return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                          "guard %s: \"%s\" is not a status from 400 to 599", setup->name,
                          text);
}
