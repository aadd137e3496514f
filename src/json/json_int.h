/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* json, inside: the tokens that scanner and validity check share. */
#ifndef MOUSE_JSON_INT_H
#define MOUSE_JSON_INT_H

#include "json/mouse_json.h"

/* The first byte that is no white space of JSON's, or end. */
const char *mouse_json_skip_space(const char *at, const char *end);

/* Each returns the first byte behind the token, or NULL with *bad at the offending byte. A
 * string starts behind its opening quote, and what returns points at the closing one. */
const char *mouse_json_skip_number(const char *at, const char *end, const char **bad);
const char *mouse_json_skip_literal(const char *at, const char *end, const char *word,
                                    const char **bad);
const char *mouse_json_skip_string(const char *at, const char *end, bool *escaped,
                                   const char **bad);

/* Four hex digits, or -1. */
int mouse_json_hex4(const char *at, const char *end);

#endif
