/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Templates: RFC 6570 levels 1 to 3, for headers, cookies and keys. */

#include "model/model_int.h"

#include <apr_lib.h>
#include <apr_strings.h>

/* RFC 6570, appendix A. */
typedef struct operator_t {
    char sign;
    const char *first, *separator;
    bool named, reserved, drops_nulls;
    const char *if_empty;
} operator_t;

/* Literal text, then an expression (operator and variables); the last part has none. */
typedef struct part_t {
    mouse_slice_t literal;
    bool has_expression;
    const operator_t *op;
    int count;
    const char **names;
} part_t;

struct mouse_template_t {
    int part_count;
    part_t *parts;
    int name_count;
    const char **names;
};

static const operator_t operators[] = {
    {' ', "", ",", false, false, false, ""},  {'+', "", ",", false, true, false, ""},
    {'#', "#", ",", false, true, false, ""},  {'.', ".", ".", false, false, false, ""},
    {'/', "/", "/", false, false, false, ""}, {';', ";", ";", true, false, true, ""},
    {'?', "?", "&", true, false, true, "="},  {'&', "&", "&", true, false, true, "="},
};

static const operator_t *find_operator(char sign)
{
    for (size_t i = 1; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (operators[i].sign == sign)
            return &operators[i];
    }
    return &operators[0];
}

static bool is_name(const char *text)
{
    if (!apr_isalpha(*text) && *text != '_')
        return false;
    for (; *text; text++) {
        if (!apr_isalnum(*text) && *text != '_' && *text != '.')
            return false;
    }
    return text[-1] != '.';
}

static void add_name(mouse_template_t *tpl, const char *name)
{
    for (int i = 0; i < tpl->name_count; i++) {
        if (strcmp(tpl->names[i], name) == 0)
            return;
    }
    tpl->names[tpl->name_count++] = name;
}

static apr_status_t parse_expression(apr_pool_t *p, mouse_template_t *tpl, part_t *part,
                                     char *inner, mouse_error_t **err)
{
    char *name, *comma;

    part->has_expression = true;
    part->op = find_operator(*inner);
    if (part->op->sign != ' ')
        inner++;
    for (name = inner; name; name = comma) {
        comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        if (!is_name(name))
            return mouse_error_set(err, p, MOUSE_E_CONFIG,
                                   "\"{%s}\" is not a template variable: write {name} or "
                                   "{word.field}.",
                                   name);
        part->names[part->count++] = name;
        add_name(tpl, name);
    }
    return APR_SUCCESS;
}

static size_t count_chars(const char *text, const char *set)
{
    size_t count = 0;

    for (; *text; text++)
        count += strchr(set, *text) != NULL;
    return count;
}

apr_status_t mouse_template_parse(apr_pool_t *p, const char *text,
                                  const mouse_template_t **out, mouse_error_t **err)
{
    mouse_template_t *tpl = apr_pcalloc(p, sizeof(*tpl));
    size_t most = count_chars(text, "{,") + 1;
    char *at = apr_pstrdup(p, text), *open, *close;
    apr_status_t rv;

    tpl->parts = apr_pcalloc(p, most * sizeof(*tpl->parts));
    tpl->names = apr_pcalloc(p, most * sizeof(*tpl->names));
    for (; at; at = close + 1) {
        part_t *part = &tpl->parts[tpl->part_count++];

        open = at + strcspn(at, "{}");
        part->literal = (mouse_slice_t){at, (size_t)(open - at)};
        if (*open == '\0')
            break;
        close = *open == '{' ? open + 1 + strcspn(open + 1, "{}") : open;
        if (*open == '}' || *close != '}')
            return mouse_error_set(err, p, MOUSE_E_CONFIG,
                                   "The template \"%s\" has an unpaired brace.", text);
        *close = '\0';
        part->names = apr_pcalloc(p, (count_chars(open, ",") + 1) * sizeof(*part->names));
        rv = parse_expression(p, tpl, part, open + 1, err);
        if (rv != APR_SUCCESS)
            return rv;
    }
    *out = tpl;
    return APR_SUCCESS;
}

const char *const *mouse_template_names(const mouse_template_t *tpl, int *count)
{
    *count = tpl->name_count;
    return tpl->names;
}

static bool stays(unsigned char c, bool reserved)
{
    if ((c | 32u) - 'a' < 26u || (unsigned)c - '0' < 10u || c == '-' || c == '.' ||
        c == '_' || c == '~')
        return true;
    return reserved && c && strchr(":/?#[]@!$&'()*+,;=", c);
}

static bool is_triplet(mouse_slice_t text, size_t i)
{
    return text.data[i] == '%' && i + 2 < text.len && apr_isxdigit(text.data[i + 1]) &&
           apr_isxdigit(text.data[i + 2]);
}

/* How many bytes from here on are copied as they are. */
static size_t count_plain(mouse_slice_t text, size_t from, bool reserved)
{
    size_t i = from;

    while (i < text.len && (stays((unsigned char)text.data[i], reserved) ||
                            (reserved && is_triplet(text, i))))
        i++;
    return i - from;
}

static void put_value(mouse_buf_t *buf, mouse_slice_t text, bool reserved)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t plain;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c;

        plain = count_plain(text, i, reserved);
        mouse_buf_append(buf, text.data + i, plain);
        i += plain;
        if (i == text.len)
            return;
        c = (unsigned char)text.data[i];
        mouse_buf_char(buf, '%');
        mouse_buf_char(buf, hex[c >> 4]);
        mouse_buf_char(buf, hex[c & 15]);
    }
}

/* What becomes of a value's bytes. */
typedef enum {
    FOR_HEADER, /* percent-encoded by the operator; CR, LF and NUL refused */
    FOR_KEY,    /* percent-encoded; null is a NUL byte, which no value gives */
    FOR_TEXT    /* as they are; null is nothing */
} purpose_t;

typedef struct expansion_t {
    apr_pool_t *pool;
    purpose_t purpose;
    mouse_template_fn find;
    void *baton;
    mouse_buf_t *buf;
    bool is_null;
    mouse_error_t **err;
} expansion_t;

static apr_status_t find_text(expansion_t *ex, const char *name, mouse_slice_t *text)
{
    mouse_value_t value = {.kind = MOUSE_VALUE_NULL};
    apr_status_t rv;

    *ex->err = NULL;
    rv = ex->find(ex->baton, name, &value, ex->err);
    if (rv != APR_SUCCESS) {
        if (*ex->err)
            return rv;
        mouse_error_set(ex->err, ex->pool, MOUSE_E_TEMPLATE, NULL);
        (*ex->err)->log = apr_psprintf(ex->pool, "nothing is named \"%s\"", name);
        return rv;
    }
    *text = mouse_value_text(ex->pool, &value);
    for (size_t i = 0; ex->purpose == FOR_HEADER && i < text->len; i++) {
        if (text->data[i] == '\r' || text->data[i] == '\n' || text->data[i] == '\0') {
            mouse_error_set(ex->err, ex->pool, MOUSE_E_TEMPLATE, NULL);
            (*ex->err)->log = apr_psprintf(ex->pool, "\"%s\" holds CR, LF or NUL", name);
            return APR_EGENERAL;
        }
    }
    return APR_SUCCESS;
}

static void put_null(expansion_t *ex, const operator_t *op)
{
    if (ex->purpose == FOR_KEY)
        mouse_buf_char(ex->buf, '\0');
    ex->is_null |= !op->drops_nulls;
}

static apr_status_t expand_part(expansion_t *ex, const part_t *part)
{
    const operator_t *op = part->op;
    bool first = true;
    apr_status_t rv;

    mouse_buf_slice(ex->buf, part->literal);
    for (int i = 0; i < part->count; i++) {
        mouse_slice_t text;

        rv = find_text(ex, part->names[i], &text);
        if (rv != APR_SUCCESS)
            return rv;
        if (!text.data) {
            put_null(ex, op);
            continue;
        }
        mouse_buf_slice(ex->buf, mouse_slice_of(first ? op->first : op->separator));
        first = false;
        if (op->named) {
            mouse_buf_slice(ex->buf, mouse_slice_of(part->names[i]));
            mouse_buf_slice(ex->buf, mouse_slice_of(text.len > 0 ? "=" : op->if_empty));
        }
        if (ex->purpose == FOR_TEXT)
            mouse_buf_slice(ex->buf, text);
        else
            put_value(ex->buf, text, op->reserved);
    }
    return APR_SUCCESS;
}

static apr_status_t expand(expansion_t *ex, const mouse_template_t *tpl, mouse_slice_t *out)
{
    mouse_buf_t *buf = apr_palloc(ex->pool, sizeof(*buf));
    apr_status_t rv = APR_SUCCESS;

    ex->buf = buf;
    mouse_buf_init(buf, ex->pool, 64);
    for (int i = 0; rv == APR_SUCCESS && i < tpl->part_count; i++)
        rv = expand_part(ex, &tpl->parts[i]);
    *out = (mouse_slice_t){buf->data, buf->len};
    return rv;
}

apr_status_t mouse_template_expand(apr_pool_t *p, const mouse_template_t *tpl,
                                   mouse_template_fn find, void *baton, const char **out,
                                   mouse_error_t **err)
{
    expansion_t ex = {
        .pool = p, .purpose = FOR_HEADER, .find = find, .baton = baton, .err = err};
    mouse_slice_t text;
    apr_status_t rv = expand(&ex, tpl, &text);

    if (rv == APR_SUCCESS)
        *out = ex.is_null ? NULL : mouse_slice_copy(p, text);
    return rv;
}

apr_status_t mouse_template_join(apr_pool_t *p, const mouse_template_t *tpl,
                                 mouse_template_fn find, void *baton, mouse_slice_t *out,
                                 mouse_error_t **err)
{
    expansion_t ex = {
        .pool = p, .purpose = FOR_TEXT, .find = find, .baton = baton, .err = err};

    return expand(&ex, tpl, out);
}

apr_status_t mouse_template_key(apr_pool_t *p, const mouse_template_t *tpl,
                                mouse_template_fn find, void *baton, mouse_slice_t *out,
                                mouse_error_t **err)
{
    expansion_t ex = {
        .pool = p, .purpose = FOR_KEY, .find = find, .baton = baton, .err = err};

    return expand(&ex, tpl, out);
}
