/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A rig for guards: made from words as a MouseGuard has them, in a chain of one or more,
 * on the requests and the SQLite database of rig.h.
 */
#ifndef MOUSE_GUARD_RIG_H
#define MOUSE_GUARD_RIG_H

#include "guard/mouse_guard.h"
#include "rig.h"

typedef struct guard_rig_t {
    rig_t *rig;
    mouse_db_t *slot;
} guard_rig_t;

/* schema and models as rig_open takes them; NULL: an empty database, one model. */
guard_rig_t *guard_rig_open(const char *const *schema, const char *models);

/* The guard `name` from "PROVIDER words ..."; quotes as in a shell. */
apr_status_t guard_rig_make(guard_rig_t *rig, const char *name, const char *words,
                            mouse_guard_t **guard, mouse_error_t **err);

/* The sentence a guard is refused with, without its place ("guard x: ..."); NULL when it is
 * accepted. */
const char *guard_rig_refusal(guard_rig_t *rig, const char *words);

/* Asserts that the words are refused with a sentence that holds `says`; NULL: accepted. */
void guard_rig_judge(guard_rig_t *rig, const char *words, const char *says);

/* A chain of guards named "first", "second", ... for the ask's path and method. */
const mouse_chain_t *guard_rig_chain(guard_rig_t *rig, const rig_ask_t *ask,
                                     const char *const *words, int count);

/* Runs a chain on a new request: "pass", or "401 denied" and behind " - " what is logged.
 * *req may be NULL. */
const char *guard_rig_run(guard_rig_t *rig, const mouse_chain_t *chain,
                          const rig_ask_t *ask, mouse_request_t **req);

/* The context value "token.value" as text, or "null". */
const char *guard_rig_value(mouse_request_t *req, const char *name);

#endif
