/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What every unit test has: a pool per test, and a main that runs one suite. */
#ifndef MOUSE_UNIT_H
#define MOUSE_UNIT_H

#include <check.h>

#include "base/mouse_base.h"

/* A fresh pool for each test; destroyed after it. */
extern apr_pool_t *unit_pool;

/* Each test file defines this; unit.c runs it. */
Suite *unit_suite(void);

/* A case with the pool fixture, added to the suite. */
TCase *unit_case(Suite *suite, const char *name);

/* A file below t/, read whole into unit_pool; fails the test when it is not there. */
mouse_slice_t unit_file(const char *path);

#endif
