/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* match(/re/): PCRE2, compiled once at start, matched by any thread. */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "model/model_int.h"

#include <apr_strings.h>

#define MATCH_LIMIT 100000

struct mouse_pattern_re_t {
    pcre2_code *code;
};

static apr_status_t free_code(void *baton)
{
    mouse_pattern_re_t *pattern = baton;

    pcre2_code_free(pattern->code);
    return APR_SUCCESS;
}

apr_status_t mouse_pattern_compile(apr_pool_t *p, const char *re,
                                   mouse_pattern_re_t **pattern, const char **detail)
{
    mouse_pattern_re_t *made = apr_palloc(p, sizeof(*made));
    PCRE2_UCHAR why[128];
    PCRE2_SIZE where;
    int code;

    made->code = pcre2_compile((PCRE2_SPTR)re, PCRE2_ZERO_TERMINATED,
                               PCRE2_UTF | PCRE2_DOLLAR_ENDONLY, &code, &where, NULL);
    if (!made->code) {
        pcre2_get_error_message(code, why, sizeof(why));
        *detail = apr_psprintf(p, "%s (at character %d)", (const char *)why, (int)where);
        return APR_EINVAL;
    }
    apr_pool_cleanup_register(p, made, free_code, apr_pool_cleanup_null);
    *pattern = made;
    return APR_SUCCESS;
}

bool mouse_pattern_matches(const mouse_pattern_re_t *pattern, mouse_slice_t text)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    int found = -1;

    if (data && context) {
        pcre2_set_match_limit(context, MATCH_LIMIT);
        found = pcre2_match(pattern->code, (PCRE2_SPTR)(text.data ? text.data : ""),
                            text.len, 0, 0, data, context);
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    return found >= 0;
}
