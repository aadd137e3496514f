/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard, inside: the providers that come with the module. */
#ifndef MOUSE_GUARD_INT_H
#define MOUSE_GUARD_INT_H

#include "guard/mouse_guard.h"

extern const mouse_guard_provider_t mouse_guard_lookup;
extern const mouse_guard_provider_t mouse_guard_deny;

#endif
