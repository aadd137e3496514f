/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The built-in words of context references, and their fields. */

#include "model/model_int.h"

/* fields NULL: any name. */
static const struct {
    const char *word;
    const char *const *fields;
} words[] = {
    {"request", (const char *const[]){"ip", "id", "method", "path", "user", "body", NULL}},
    {"now", (const char *const[]){"ms", "unix", NULL}},
    {"random", (const char *const[]){"hex32", "uuid", NULL}},
    {"env", NULL},
    {"header", NULL},
    {"cookie", NULL},
    {"given", (const char *const[]){NULL}}, /* its fields are a model's parameters */
};

#define WORDS ((int)(sizeof(words) / sizeof(words[0])))

static int find_word(const char *word)
{
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(words[i].word, word) == 0)
            return i;
    }
    return -1;
}

bool mouse_word_reserved(const char *word)
{
    return find_word(word) >= 0;
}

bool mouse_word_has(const char *word, const char *field)
{
    int at = find_word(word), i;

    if (at < 0 || !field || *field == '\0')
        return false;
    if (!words[at].fields)
        return true;
    for (i = 0; words[at].fields[i] != NULL; i++) {
        if (strcmp(words[at].fields[i], field) == 0)
            return true;
    }
    return false;
}
