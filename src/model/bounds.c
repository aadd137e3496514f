/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* `(low..high)` behind a type or an array. */

#include "model/parse_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <apr_strings.h>

/* One end: digits, a sign, and with `number` a fraction. NULL: open. */
static const char *read_end(mouse_cursor_t *cursor, bool number)
{
    const char *start, *at;

    (void)mouse_cursor_done(cursor);
    start = at = cursor->at;
    if (at < cursor->end && *at == '-')
        at++;
    while (at < cursor->end &&
           (isdigit((unsigned char)*at) || (number && *at == '.' && at + 1 < cursor->end &&
                                            isdigit((unsigned char)at[1]))))
        at++;
    if (at == start || at[-1] == '-')
        return NULL;
    cursor->at = at;
    return apr_pstrmemdup(cursor->p, start, (apr_size_t)(at - start));
}

static bool fits(const char *text, int64_t *value)
{
    if (!text)
        return true;
    errno = 0;
    *value = strtoll(text, NULL, 10);
    return errno == 0;
}

static bool ordered(const mouse_bounds_t *bounds, bool number)
{
    if (!bounds->low || !bounds->high)
        return true;
    if (number)
        return strtold(bounds->low, NULL) <= strtold(bounds->high, NULL);
    return bounds->low_int <= bounds->high_int;
}

apr_status_t mouse_bounds_read(mouse_cursor_t *cursor, mouse_bounds_t *bounds, bool number,
                               bool natural)
{
    *bounds = (mouse_bounds_t){.low_int = INT64_MIN, .high_int = INT64_MAX, .set = true};
    bounds->low = read_end(cursor, number);
    if (!mouse_cursor_skip(cursor, ".."))
        return mouse_cursor_fail(cursor, "a range is (1..99), (1..) or (..99)");
    bounds->high = read_end(cursor, number);
    if (!mouse_cursor_skip(cursor, ")"))
        return mouse_cursor_fail(cursor, "a range is (1..99), (1..) or (..99)");
    if (!bounds->low && !bounds->high)
        return mouse_cursor_fail(cursor, "this range allows everything: leave it out");
    if (!number &&
        (!fits(bounds->low, &bounds->low_int) || !fits(bounds->high, &bounds->high_int)))
        return mouse_cursor_fail(cursor, "this range exceeds 64 bits: narrow it");
    if (natural && bounds->low && bounds->low_int < 0)
        return mouse_cursor_fail(cursor, "lengths and counts begin at 0");
    if (!ordered(bounds, number))
        return mouse_cursor_fail(cursor, "this range is empty: write the lower end first");
    return APR_SUCCESS;
}
