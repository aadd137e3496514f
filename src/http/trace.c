/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The header traceparent of W3C Trace Context, level 1, and what SQL has of it. */

#include "http/http_int.h"

#include <apr_strings.h>

/* "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" */
#define TRACE  3
#define PARENT 36
#define FLAGS  53
#define LENGTH 55

/* Lower-case digits only, and a dash or the end behind them. */
static bool is_hex(const char *text, size_t len)
{
    return strspn(text, "0123456789abcdef") == len;
}

static bool is_zero(const char *text, size_t len)
{
    return strspn(text, "0") >= len;
}

bool mouse_trace_valid(const char *text)
{
    if (!text || strlen(text) < LENGTH || !is_hex(text, 2) || text[2] != '-' ||
        !is_hex(text + TRACE, 32) || text[PARENT - 1] != '-' ||
        !is_hex(text + PARENT, 16) || text[FLAGS - 1] != '-' || !is_hex(text + FLAGS, 2))
        return false;
    if (is_zero(text + TRACE, 32) || is_zero(text + PARENT, 16) ||
        strncmp(text, "ff", 2) == 0)
        return false;
    /* Later versions may append, behind another dash. */
    return !text[LENGTH] || (text[LENGTH] == '-' && strncmp(text, "00", 2) != 0);
}

/* Of a valid one: the lowest bit of the flags. */
static bool is_sampled(const char *text)
{
    return strchr("13579bdf", text[LENGTH - 1]) != NULL;
}

/*
 * As sqlcommenter writes it. Made anew of the two ids, whose digits are known to be such,
 * and the one flag of this version, which is what level 1 asks for where a later version or
 * other flags came.
 */
mouse_slice_t mouse_trace_mark(apr_pool_t *p, const char *text, mouse_trace_sql_t which)
{
    static const mouse_slice_t none = {NULL, 0};

    if (!mouse_trace_valid(text) || (which == MOUSE_TRACE_SAMPLED && !is_sampled(text)))
        return none;
    return mouse_slice_of(apr_psprintf(p, " /*traceparent='00-%.32s-%.16s-0%d'*/",
                                       text + TRACE, text + PARENT, is_sampled(text)));
}
