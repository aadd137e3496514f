/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * <MouseGroup "/prefix">: a section that may nest. While it is read, the server's
 * configuration says which group MouseUse, MouseCors and MouseRoute belong to.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

static const char *read_prefix(cmd_parms *cmd, const char *args, const char **prefix)
{
    const char *end = ap_strrchr_c(args, '>');
    apr_array_header_t *words;
    const char *mistake;

    if (!end || end[1])
        return apr_pstrcat(cmd->pool, cmd->cmd->name, "> directive missing closing '>'",
                           NULL);
    mistake = mouse_arguments_split(cmd->pool, apr_pstrmemdup(cmd->pool, args, end - args),
                                    &words);
    if (mistake)
        return mistake;
    if (words->nelts != 1)
        return "<MouseGroup takes one path prefix, such as \"/api\", or \"\"";
    *prefix = MOUSE_WORD(words, 0);
    return NULL;
}

static const char *check_prefix(cmd_parms *cmd, const char *prefix)
{
    const mouse_pattern_t *pattern;
    mouse_error_t *err = NULL;
    size_t len = strlen(prefix);

    if (len == 0)
        return NULL;
    if (prefix[0] != '/')
        return apr_psprintf(cmd->pool, "the prefix \"%s\" must begin with a slash", prefix);
    if (prefix[len - 1] == '/')
        return apr_psprintf(
            cmd->pool,
            "the prefix \"%s\" must not end with a slash: routes bring their own", prefix);
    if (mouse_pattern_parse(cmd->temp_pool, prefix, &pattern, &err) != APR_SUCCESS)
        return mouse_report_sentence(cmd->pool, err);
    if (pattern->count > 0)
        return "a prefix has no parameters: write them in the paths of its routes";
    return NULL;
}

/* Other directives would act on the whole server and only look as if they did not. */
static const char *check_children(cmd_parms *cmd)
{
    static const char *const allowed[] = {"MouseRoute",    "MouseUse",    "MouseCors",
                                          "MouseEnvelope", "<MouseGroup", NULL};

    for (ap_directive_t *child = cmd->directive->first_child; child; child = child->next) {
        int i = 0;

        while (allowed[i] && ap_cstr_casecmp(allowed[i], child->directive) != 0)
            i++;
        if (!allowed[i]) {
            cmd->err_directive = child;
            return apr_psprintf(
                cmd->pool,
                "%s cannot stand in a <MouseGroup>: only MouseRoute, MouseUse, "
                "MouseCors, MouseEnvelope and <MouseGroup> do",
                child->directive);
        }
    }
    return NULL;
}

const char *mouse_set_group(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    mouse_conf_group_t *outer = conf->group;
    mouse_conf_group_t *group = apr_pcalloc(cmd->pool, sizeof(*group));
    const char *prefix = "", *mistake;

    (void)unused;
    if ((mistake = read_prefix(cmd, args, &prefix)) ||
        (mistake = check_prefix(cmd, prefix)) || (mistake = check_children(cmd)))
        return mistake;
    group->item.name =
        outer ? apr_pstrcat(cmd->pool, outer->item.name, prefix, NULL) : prefix;
    group->item.place = mouse_place_of(cmd);
    group->item.owner = conf;
    group->parent = outer;
    group->envelope = MOUSE_UNSET;
    group->scope.uses = apr_array_make(cmd->pool, 2, sizeof(mouse_conf_use_t));
    APR_ARRAY_PUSH(conf->groups, mouse_conf_group_t *) = group;

    conf->group = group;
    mistake = ap_walk_config(cmd->directive->first_child, cmd, cmd->context);
    conf->group = outer;
    return mistake;
}
