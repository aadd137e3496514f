/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What must hold of every structured field: written again, it means the same. */
#ifndef MOUSE_FIELDS_CHECK_H
#define MOUSE_FIELDS_CHECK_H

#include "guard/fields_int.h"

/* NULL, or what does not hold of the text, in p. */
const char *fields_check(apr_pool_t *p, mouse_slice_t text);

#endif
