/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* libFuzzer's way into the parser of structured fields; t/fuzz/run builds it. */

#include "fields_check.h"

#include <stdio.h>
#include <stdlib.h>

#include <apr_general.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return apr_initialize() == APR_SUCCESS ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *p;
    const char *verdict;

    apr_pool_create(&p, NULL);
    verdict = fields_check(p, (mouse_slice_t){size > 0 ? (const char *)data : "", size});
    if (verdict) {
        fprintf(stderr, "%s\n", verdict);
        abort();
    }
    apr_pool_destroy(p);
    return 0;
}
