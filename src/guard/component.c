/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The components of a request that a signature may cover (RFC 9421, 2.1 and 2.2), each
 * with its one value. What could be read in two ways - a query parameter that comes twice,
 * a field that is not ASCII - has none.
 */

#include "guard/message_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

/* A request, taken apart once for each component that asks. */
typedef struct parts_t {
    mouse_request_t *req;
    const char *scheme, *authority;
    const char *target;        /* path and query */
    mouse_slice_t path, query; /* query with its '?'; data NULL: none */
} parts_t;

typedef mouse_slice_t (*derive_fn)(const parts_t *parts);

static mouse_slice_t derive_method(const parts_t *parts)
{
    return mouse_slice_of(parts->req->method);
}

static mouse_slice_t derive_target_uri(const parts_t *parts)
{
    return mouse_slice_of(apr_pstrcat(parts->req->pool, parts->scheme, "://",
                                      parts->authority, parts->target, NULL));
}

static mouse_slice_t derive_authority(const parts_t *parts)
{
    return mouse_slice_of(parts->authority);
}

static mouse_slice_t derive_scheme(const parts_t *parts)
{
    return mouse_slice_of(parts->scheme);
}

static mouse_slice_t derive_request_target(const parts_t *parts)
{
    return mouse_slice_of(parts->req->host->target(parts->req->baton));
}

static mouse_slice_t derive_path(const parts_t *parts)
{
    return parts->path;
}

static mouse_slice_t derive_query(const parts_t *parts)
{
    return parts->query.data ? parts->query : MOUSE_SLICE("?");
}

static const struct {
    const char *name;
    derive_fn derive;
} derived[] = {
    {"@method", derive_method},       {"@target-uri", derive_target_uri},
    {"@authority", derive_authority}, {"@scheme", derive_scheme},
    {"@path", derive_path},           {"@request-target", derive_request_target},
    {"@query", derive_query},
};

#define DERIVED     (sizeof(derived) / sizeof(derived[0]))
#define QUERY_PARAM "@query-param"

static derive_fn find_derived(mouse_slice_t name)
{
    for (size_t i = 0; i < DERIVED; i++) {
        if (mouse_slice_equal(name, mouse_slice_of(derived[i].name)))
            return derived[i].derive;
    }
    return NULL;
}

/* ---- may it be covered? ---- */

static bool is_field_name(mouse_slice_t name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];

        if (!apr_islower(c) && !apr_isdigit(c) && !(c && strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return name.len > 0;
}

static const char *check_params(apr_pool_t *p, const mouse_field_item_t *item, bool query)
{
    const mouse_field_value_t *name = mouse_fields_param(item, "name");
    const mouse_field_param_t *other;

    if (query && item->params->nelts == 1 && name && name->kind == MOUSE_FIELD_STRING)
        return NULL;
    if (query)
        return "@query-param takes the parameter name, a string, and no other";
    if (item->params->nelts == 0)
        return NULL;
    other = &APR_ARRAY_IDX(item->params, 0, mouse_field_param_t);
    return apr_psprintf(p, "the component \"%.*s\" with ;%.*s is not supported",
                        (int)item->value.text.len, item->value.text.data,
                        (int)other->key.len, other->key.data);
}

const char *mouse_component_check(apr_pool_t *p, const mouse_field_item_t *item)
{
    mouse_slice_t name = item->value.text;
    bool query;

    if (item->value.kind != MOUSE_FIELD_STRING)
        return "a component is no string";
    query = mouse_slice_equal(name, MOUSE_SLICE(QUERY_PARAM));
    if (name.len > 0 && name.data[0] == '@' && !query && !find_derived(name))
        return apr_psprintf(p, "there is no component \"%.*s\" of a request", (int)name.len,
                            name.data);
    if ((name.len == 0 || name.data[0] != '@') && !is_field_name(name))
        return apr_psprintf(p, "\"%.*s\" is no name of a field in lower case",
                            (int)name.len, name.data);
    return check_params(p, item, query);
}

/* ---- derived components ---- */

/* In lower case, without the scheme's own port (RFC 9110, 4.2.3). */
static const char *normal_authority(apr_pool_t *p, const char *host, const char *scheme)
{
    char *made = apr_pstrdup(p, host);
    const char *own = strcmp(scheme, "https") == 0 ? ":443" : ":80";
    size_t len = strlen(made), most = strlen(own);
    char *c;

    for (c = made; *c; c++)
        *c = (char)apr_tolower(*c);
    if (len > most && strcmp(made + len - most, own) == 0)
        made[len - most] = '\0';
    else if (len > 1 && made[len - 1] == ':')
        made[len - 1] = '\0';
    return made;
}

/* Path and query of "/a?b" or of "http://host/a?b"; NULL for other targets. */
static const char *origin_form(apr_pool_t *p, const char *target)
{
    const char *rest;

    if (!target || *target == '/')
        return target;
    rest = strstr(target, "://");
    if (!rest)
        return NULL;
    rest += 3 + strcspn(rest + 3, "/?");
    return *rest == '/' ? rest : apr_pstrcat(p, "/", rest, NULL);
}

static const char *take_apart(mouse_request_t *req, const char *scheme, parts_t *parts)
{
    const char *host = req->host->authority(req->baton);

    *parts = (parts_t){.req = req};
    parts->scheme = scheme ? scheme : req->host->scheme(req->baton);
    parts->target = origin_form(req->pool, req->host->target(req->baton));
    if (!parts->target || strchr(parts->target, '#'))
        return "the request's target is no path";
    if (!host || !*host)
        return "the request has no Host";
    parts->authority = normal_authority(req->pool, host, parts->scheme);
    parts->path = (mouse_slice_t){parts->target, strcspn(parts->target, "?")};
    if (parts->target[parts->path.len] == '?')
        parts->query = mouse_slice_of(parts->target + parts->path.len);
    return NULL;
}

/* Everything else must be printable ASCII, so that a line of the base is one line. */
static bool is_clean(mouse_slice_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((text.data[i] < ' ' && text.data[i] != '\t') || text.data[i] > '~')
            return false;
    }
    return true;
}

/* ---- query parameters ---- */

/* One side of "name=value" as application/x-www-form-urlencoded writes it (RFC 9421,
 * 2.2.8): decoded and encoded again. False when it is not UTF-8. */
static bool normal_form(apr_pool_t *p, mouse_slice_t text, mouse_slice_t *out)
{
    static const char digits[] = "0123456789ABCDEF";
    char *plain = apr_palloc(p, text.len + 1), *made = apr_palloc(p, 3 * text.len + 1);
    size_t len = 0, n = 0;

    for (size_t i = 0; i < text.len; i++) {
        bool coded = text.data[i] == '%' && text.len - i > 2 &&
                     mouse_hex_digit(text.data[i + 1]) >= 0 &&
                     mouse_hex_digit(text.data[i + 2]) >= 0;

        plain[len] = text.data[i] == '+' ? ' ' : text.data[i];
        if (coded) {
            plain[len] = (char)(mouse_hex_digit(text.data[i + 1]) * 16 +
                                mouse_hex_digit(text.data[i + 2]));
            i += 2;
        }
        len++;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)plain[i];

        if (c < 128 && (apr_isalnum(c) || (c && strchr("*-._", c)))) {
            made[n++] = (char)c;
            continue;
        }
        made[n++] = '%';
        made[n++] = digits[c >> 4];
        made[n++] = digits[c & 15];
    }
    *out = (mouse_slice_t){made, n};
    return mouse_utf8_valid(plain, len);
}

/* The next pair between '&'; false behind the last. */
static bool next_pair(mouse_slice_t *rest, mouse_slice_t *name, mouse_slice_t *value)
{
    const char *end, *sign;

    if (!rest->data)
        return false;
    end = memchr(rest->data, '&', rest->len);
    *name = (mouse_slice_t){rest->data, end ? (size_t)(end - rest->data) : rest->len};
    *rest = end ? (mouse_slice_t){end + 1, rest->len - name->len - 1}
                : (mouse_slice_t){NULL, 0};
    sign = memchr(name->data, '=', name->len);
    *value = MOUSE_SLICE("");
    if (sign) {
        *value = (mouse_slice_t){sign + 1, name->len - (size_t)(sign + 1 - name->data)};
        name->len = (size_t)(sign - name->data);
    }
    return true;
}

static const char *read_query_param(const parts_t *parts, mouse_slice_t wanted,
                                    mouse_slice_t *found)
{
    mouse_slice_t rest = {NULL, 0}, name, value, made;
    apr_pool_t *p = parts->req->pool;
    int count = 0;

    if (parts->query.data)
        rest = (mouse_slice_t){parts->query.data + 1, parts->query.len - 1};
    while (next_pair(&rest, &name, &value)) {
        if (!normal_form(p, name, &made))
            return "the query is not UTF-8";
        if (!mouse_slice_equal(made, wanted))
            continue;
        if (!normal_form(p, value, found))
            return "the query is not UTF-8";
        count++;
    }
    if (count == 1)
        return NULL;
    return apr_psprintf(p, "the query parameter \"%.*s\" is covered, but comes %s",
                        (int)wanted.len, wanted.data, count ? "twice" : "never");
}

/* ---- fields ---- */

/* RFC 9421, 2.1. The server has joined several lines with ", ". */
static const char *read_field(mouse_request_t *req, mouse_slice_t name,
                              mouse_slice_t *value)
{
    const char *text = req->host->header(req->baton, mouse_slice_copy(req->pool, name));

    if (!text)
        return apr_psprintf(req->pool, "the field %.*s is covered, but not there",
                            (int)name.len, name.data);
    text += strspn(text, " \t");
    *value = mouse_slice_of(text);
    while (value->len > 0 && strchr(" \t", text[value->len - 1]))
        value->len--;
    return NULL;
}

const char *mouse_component_read(mouse_request_t *req, const char *scheme,
                                 const mouse_field_item_t *item, mouse_slice_t *value)
{
    mouse_slice_t name = item->value.text;
    const mouse_field_value_t *param;
    const char *why;
    parts_t parts;

    if (name.data[0] != '@') {
        why = read_field(req, name, value);
    } else {
        why = take_apart(req, scheme, &parts);
        param = mouse_fields_param(item, "name");
        if (!why && param)
            why = read_query_param(&parts, param->text, value);
        else if (!why)
            *value = find_derived(name)(&parts);
    }
    if (!why && !is_clean(*value))
        why = apr_psprintf(req->pool, "the value of %.*s is not ASCII", (int)name.len,
                           name.data);
    return why;
}
