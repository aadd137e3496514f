/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard, inside: the providers that come with the module. */
#ifndef MOUSE_GUARD_INT_H
#define MOUSE_GUARD_INT_H

#include "guard/mouse_guard.h"

extern const mouse_guard_provider_t mouse_guard_lookup;
extern const mouse_guard_provider_t mouse_guard_deny;
extern const mouse_guard_provider_t mouse_guard_bearer;
extern const mouse_guard_provider_t mouse_guard_api_key;
extern const mouse_guard_provider_t mouse_guard_same_origin;
extern const mouse_guard_provider_t mouse_guard_format;
extern const mouse_guard_provider_t mouse_guard_expr;
extern const mouse_guard_provider_t mouse_guard_password;

#endif
