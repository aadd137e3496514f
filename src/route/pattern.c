/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Path patterns as a MouseRoute writes them: "/products/{id:int}". */

#include "route/route_int.h"

#include <apr_strings.h>

static const char *const types[] = {[MOUSE_SEGMENT_STRING] = "string",
                                    [MOUSE_SEGMENT_INT] = "int",
                                    [MOUSE_SEGMENT_UUID] = "uuid",
                                    [MOUSE_SEGMENT_DATE] = "date"};

const char *mouse_segment_name(mouse_segment_t type)
{
    return types[type];
}

static bool is_name(const char *text)
{
    if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || *text == '_'))
        return false;
    for (; *text; text++) {
        if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
              (*text >= '0' && *text <= '9') || *text == '_'))
            return false;
    }
    return true;
}

static apr_status_t parse_parameter(apr_pool_t *p, mouse_parsed_t *parsed, char *inner,
                                    mouse_part_t *part, mouse_error_t **err)
{
    mouse_path_parameter_t *parameters =
        (mouse_path_parameter_t *)(uintptr_t)parsed->pattern.parameters;
    char *colon = strchr(inner, ':');
    const char *type = colon ? colon + 1 : types[MOUSE_SEGMENT_STRING];
    int i;

    if (colon)
        *colon = '\0';
    if (!is_name(inner))
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "\"{%s}\" is not a parameter name: use letters, digits and _.", inner);
    for (i = 0; i < parsed->pattern.count; i++) {
        if (strcmp(parameters[i].name, inner) == 0)
            return mouse_error_set(err, p, MOUSE_E_CONFIG,
                                   "The path names {%s} twice; give each its own name.",
                                   inner);
    }
    for (i = 0; i < (int)(sizeof(types) / sizeof(types[0])); i++) {
        if (strcmp(types[i], type) == 0)
            break;
    }
    if (i == (int)(sizeof(types) / sizeof(types[0])))
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "{%s:%s} has no type of a path: use string, int, uuid or date.", inner, type);
    part->type = (mouse_segment_t)i;
    parameters[parsed->pattern.count++] = (mouse_path_parameter_t){inner, part->type};
    return APR_SUCCESS;
}

static apr_status_t parse_literal(apr_pool_t *p, const char *segment, mouse_part_t *part,
                                  mouse_error_t **err)
{
    const char *c;
    bool bad;

    for (c = segment; *c; c++) {
        if (strchr("?#{}", *c) || (unsigned char)*c < 0x20 || *c == 0x7F)
            return mouse_error_set(
                err, p, MOUSE_E_CONFIG,
                "A path segment cannot hold '%c': a parameter {name} is a "
                "whole segment, and a query is not part of a path.",
                *c);
    }
    part->literal = mouse_path_canonical(p, segment, &bad);
    if (bad)
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "\"%s\" has a bad percent-escape; write %%25 for a percent sign.", segment);
    if (strcmp(part->literal, ".") == 0 || strcmp(part->literal, "..") == 0)
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "A path cannot hold \"%s\": httpd removes such segments.",
                               part->literal);
    return APR_SUCCESS;
}

static apr_status_t parse_segment(apr_pool_t *p, mouse_parsed_t *parsed, char *segment,
                                  bool last, mouse_error_t **err)
{
    mouse_part_t *part = &parsed->parts[parsed->part_count++];
    size_t len = strlen(segment);

    *part = (mouse_part_t){0};
    if (len == 0 && !last)
        return mouse_error_set(err, p, MOUSE_E_CONFIG, "A path cannot hold \"//\".");
    if (len < 2 || segment[0] != '{' || segment[len - 1] != '}')
        return parse_literal(p, segment, part, err);
    segment[len - 1] = '\0';
    return parse_parameter(p, parsed, segment + 1, part, err);
}

static const char *join_literals(apr_pool_t *p, const mouse_parsed_t *parsed)
{
    const char *path = "";

    for (int i = 0; i < parsed->part_count; i++)
        path = apr_pstrcat(p, path, "/", parsed->parts[i].literal, NULL);
    return path;
}

apr_status_t mouse_pattern_parse(apr_pool_t *p, const char *text,
                                 const mouse_pattern_t **pattern, mouse_error_t **err)
{
    mouse_parsed_t *parsed = apr_pcalloc(p, sizeof(*parsed));
    size_t most = 1;
    char *at, *slash;
    const char *c;
    apr_status_t rv;

    parsed->pattern.text = *text ? text : "/";
    if (parsed->pattern.text[0] != '/')
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "The path \"%s\" must begin with \"/\".", text);
    for (c = text; *c; c++)
        most += *c == '/';
    parsed->parts = apr_pcalloc(p, most * sizeof(*parsed->parts));
    parsed->pattern.parameters = apr_pcalloc(p, most * sizeof(*parsed->pattern.parameters));
    for (at = apr_pstrdup(p, parsed->pattern.text + 1); at; at = slash) {
        slash = strchr(at, '/');
        if (slash)
            *slash++ = '\0';
        rv = parse_segment(p, parsed, at, slash == NULL, err);
        if (rv != APR_SUCCESS)
            return rv;
    }
    if (parsed->pattern.count == 0)
        parsed->canonical = join_literals(p, parsed);
    *pattern = &parsed->pattern;
    return APR_SUCCESS;
}

bool mouse_pattern_has(const mouse_pattern_t *pattern, const char *name)
{
    for (int i = 0; i < pattern->count; i++) {
        if (strcmp(pattern->parameters[i].name, name) == 0)
            return true;
    }
    return false;
}
