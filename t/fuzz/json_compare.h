/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The scanner beside Jansson: shared by the fuzz target and a unit test. */
#ifndef MOUSE_JSON_COMPARE_H
#define MOUSE_JSON_COMPARE_H

#include "json/mouse_json.h"

/*
 * Judges a text with the scanner, the validity check and Jansson. NULL when they agree on
 * the verdict and on every value, or when Jansson cannot hold the text (numbers out of
 * range, nesting beyond the scanner's limit); else what they disagree about.
 */
const char *json_compare(apr_pool_t *p, mouse_slice_t text);

#endif
