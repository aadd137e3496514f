/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Descriptions of the API, inside the model room: JSON Schema made with Jansson. */
#ifndef MOUSE_SCHEMA_INT_H
#define MOUSE_SCHEMA_INT_H

#include <jansson.h>

#include "model/model_int.h"

/* A member of an object, or made (whose reference it takes) when there is none. Borrowed.
 */
json_t *mouse_schema_member(json_t *object, const char *name, json_t *made);

/* A parameter as a property of an object's schema; one that is there already stays. */
void mouse_schema_put_member(json_t *schema, const mouse_param_t *param, const char *name);

#endif
