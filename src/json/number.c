/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Writing numbers: integers two digits at a time, the shortest text of a double. */

#include "json/mouse_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

void mouse_json_put_uint(mouse_buf_t *buf, uint64_t value)
{
    char digits[20];
    char *at = digits + sizeof(digits);

    while (value >= 100) {
        at -= 2;
        memcpy(at, pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        at -= 2;
        memcpy(at, pairs + value * 2, 2);
    } else {
        *--at = (char)('0' + value);
    }
    mouse_buf_append(buf, at, (size_t)(digits + sizeof(digits) - at));
}

void mouse_json_put_int(mouse_buf_t *buf, int64_t value)
{
    if (value < 0)
        mouse_buf_char(buf, '-');
    mouse_json_put_uint(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* printf's %g is JSON as it stands: "1e+20", "0.1", "-0". */
static void put_shortest(mouse_buf_t *buf, double value, int least, int most, bool single)
{
    char text[40];
    int len = 0;

    if (!isfinite(value)) {
        mouse_buf_literal(buf, "null");
        return;
    }
    for (int digits = least; digits <= most; digits++) {
        len = snprintf(text, sizeof(text), "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    mouse_buf_append(buf, text, (size_t)len);
}

void mouse_json_put_double(mouse_buf_t *buf, double value)
{
    put_shortest(buf, value, 15, 17, false);
}

void mouse_json_put_float(mouse_buf_t *buf, float value)
{
    put_shortest(buf, value, 6, 9, true);
}
