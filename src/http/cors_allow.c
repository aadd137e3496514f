/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Which origins a policy of MouseCors names. APR only; the headers are set in cors.c.
 */
#include "http/http_int.h"

const char *mouse_cors_allow(const mouse_cors_t *cors, const char *origin)
{
    if (cors->any)
        return "*";
    for (int i = 0; origin && i < cors->count; i++) {
        if (strcmp(cors->origins[i], origin) == 0)
            return cors->origins[i];
    }
    return NULL;
}
