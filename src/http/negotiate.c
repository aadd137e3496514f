/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Accept: which of JSON, NDJSON and CSV a client wants (RFC 9110, 12.5.1).
 *
 * Among equal weights a type that was named beats one that a wildcard covers, then JSON
 * wins. What asks for none of them gets JSON: an API is no place for 406.
 */
#include "http/http_int.h"

#include <ctype.h>

#define FULL 1000

/* How well a media range fits a format: 0 not at all, 1 and 2 by wildcard, 3 by name. */
typedef struct preference_t {
    int weight; /* 0..1000 */
    int fit;
} preference_t;

static const struct {
    const char *type;
    mouse_format_t format;
} types[] = {
    {"application/json", MOUSE_FORMAT_JSON},
    {"application/x-ndjson", MOUSE_FORMAT_NDJSON},
    {"application/ndjson", MOUSE_FORMAT_NDJSON},
    {"application/jsonl", MOUSE_FORMAT_NDJSON},
    {"text/csv", MOUSE_FORMAT_CSV},
};

static int fit_of(mouse_slice_t range, const char *type)
{
    size_t slash = strcspn(type, "/");

    if (range.len == 3 && memcmp(range.data, "*/*", 3) == 0)
        return 1;
    if (range.len == slash + 2 && strncasecmp(range.data, type, slash + 1) == 0 &&
        range.data[slash + 1] == '*')
        return 2;
    if (range.len == strlen(type) && strncasecmp(range.data, type, range.len) == 0)
        return 3;
    return 0;
}

/* "0.75" -> 750; what is no weight counts as full. */
static int weight_of(const char *text)
{
    int weight = 0;
    int unit = FULL / 10;

    if (*text != '0')
        return FULL;
    if (text[1] != '.')
        return 0;
    for (text += 2; unit > 0 && isdigit((unsigned char)*text); text++, unit /= 10)
        weight += (*text - '0') * unit;
    return weight;
}

/* The q among a range's parameters, which end at `end`. */
static int find_weight(const char *parameters, const char *end)
{
    for (const char *c = parameters; c < end; c++) {
        if (*c != ';')
            continue;
        do
            c++;
        while (c < end && (*c == ' ' || *c == '\t'));
        if (end - c > 2 && (*c == 'q' || *c == 'Q') && c[1] == '=')
            return weight_of(c + 2);
        c--;
    }
    return FULL;
}

static void apply_range(preference_t *preferences, mouse_slice_t range, int weight)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        preference_t *preference = &preferences[types[i].format];
        int fit = fit_of(range, types[i].type);

        if (fit == 0 || fit < preference->fit)
            continue;
        if (fit > preference->fit || weight > preference->weight)
            *preference = (preference_t){weight, fit};
    }
}

static mouse_format_t best(const preference_t *preferences)
{
    int chosen = MOUSE_FORMAT_JSON;

    for (int i = 0; i < MOUSE_FORMATS; i++) {
        if (preferences[i].weight > preferences[chosen].weight ||
            (preferences[i].weight > 0 &&
             preferences[i].weight == preferences[chosen].weight &&
             preferences[i].fit == 3 && preferences[chosen].fit < 3))
            chosen = i;
    }
    return chosen;
}

mouse_format_t mouse_negotiate(const char *accept)
{
    preference_t preferences[MOUSE_FORMATS] = {{0, 0}};

    while (accept && *accept) {
        size_t length;
        const char *end;

        accept += strspn(accept, " \t,");
        end = accept + strcspn(accept, ",");
        length = strcspn(accept, ";, \t");
        if (length > 0)
            apply_range(preferences, (mouse_slice_t){accept, length},
                        find_weight(accept + length, end));
        accept = end;
    }
    return best(preferences);
}
