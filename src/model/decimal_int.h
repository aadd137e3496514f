/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model, inside: exact decimal texts. */
#ifndef MOUSE_DECIMAL_INT_H
#define MOUSE_DECIMAL_INT_H

#include "base/mouse_base.h"

/*
 * A number as JSON writes it (leading zeros allowed) in its plain form: no exponent, no
 * needless zeros, "0" without a sign. data NULL: not a number, or above 400 digits.
 */
mouse_slice_t mouse_decimal_parse(apr_pool_t *p, mouse_slice_t text);

/* -1, 0 or 1 (by sign) for two plain forms. */
int mouse_decimal_compare(mouse_slice_t a, mouse_slice_t b);

/* Of a plain form: how many digits stand before the point. */
size_t mouse_decimal_whole_digits(mouse_slice_t decimal);

/* Has a plain form no fraction? */
bool mouse_decimal_integral(mouse_slice_t decimal);

#endif
