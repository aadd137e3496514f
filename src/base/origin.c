/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Origins: whether a word is one as browsers send it.
 *
 * A browser's Origin is serialised (HTML Standard, 7.1.1): lower case, ASCII, without a
 * default port, without a path. So a plain comparison of bytes decides, and a word that
 * could never be equal to an Origin is a mistake.
 */
#include "base/mouse_base.h"

#include <stdlib.h>

#include <apr_strings.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

static bool has_upper(const char *text)
{
    return strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

static bool has_other_bytes(const char *text)
{
    for (; *text; text++) {
        if (*text <= ' ' || *text > '~')
            return true;
    }
    return false;
}

/* RFC 3986, 3.1 */
static bool is_scheme(const char *text, size_t len)
{
    return len > 0 && strspn(text, LETTERS) > 0 &&
           strspn(text, LETTERS DIGITS "+-.") >= len;
}

/*
 * "[::1]" or a name; what the brackets hold is left to the reader. Of what a host's name
 * may hold (URL Standard, 3.5), commas and stars are left out: lists and patterns have
 * them.
 */
static size_t host_length(const char *text)
{
    size_t len;

    if (*text == '[') {
        len = 1 + strspn(text + 1, DIGITS "abcdef:.");
        return len > 1 && text[len] == ']' ? len + 1 : 0;
    }
    len = strspn(text, LETTERS DIGITS "-_.!$&'()+;=`{}~");
    return *text == '.' ? 0 : len;
}

static const char *check_port(apr_pool_t *p, const char *word, size_t scheme,
                              const char *port)
{
    size_t digits = strspn(port, DIGITS);
    int number = digits > 0 && digits <= 5 && !port[digits] ? atoi(port) : 0;

    if (number < 1 || number > 65535 || *port == '0')
        return apr_psprintf(p, "the origin \"%s\" has no port from 1 to 65535", word);
    if ((number == 443 && strncmp(word, "https:", scheme + 1) == 0) ||
        (number == 80 && strncmp(word, "http:", scheme + 1) == 0))
        return apr_psprintf(
            p, "browsers leave out the scheme's own port: write \"%.*s\", not \"%s\"",
            (int)(port - 1 - word), word, word);
    return NULL;
}

static const char *check_end(apr_pool_t *p, const char *word, size_t scheme,
                             const char *end)
{
    if (!*end)
        return NULL;
    if (*end == ':' && !strpbrk(end, "/?#"))
        return check_port(p, word, scheme, end + 1);
    if (strchr(":/?#", *end))
        return apr_psprintf(p,
                            "an origin ends behind its host and port: write \"%.*s\", "
                            "not \"%s\"",
                            (int)strcspn(word + scheme + 3, "/?#") + (int)scheme + 3, word,
                            word);
    if (*end == '*')
        return apr_psprintf(p, "\"%s\" is no origin: name each host, there are no patterns",
                            word);
    return apr_psprintf(p, "\"%s\" is no origin: write SCHEME://HOST or SCHEME://HOST:PORT",
                        word);
}

const char *mouse_origin_check(apr_pool_t *p, const char *word)
{
    const char *colon = strstr(word, "://");
    size_t scheme = colon ? (size_t)(colon - word) : 0, host;

    if (strcmp(word, "null") == 0)
        return NULL;
    if (has_other_bytes(word))
        return apr_psprintf(
            p, "the origin \"%s\" must be ASCII: write the host's xn-- form", word);
    if (!colon)
        return apr_psprintf(p, "the origin \"%s\" has no scheme: write https://%s", word,
                            word);
    if (has_upper(word))
        return apr_psprintf(p, "write the origin \"%s\" in lower case, as browsers do",
                            word);
    host = host_length(colon + 3);
    if (!is_scheme(word, scheme) || (host == 0 && colon[3] != '*'))
        return apr_psprintf(
            p, "\"%s\" is no origin: write SCHEME://HOST or SCHEME://HOST:PORT", word);
    return check_end(p, word, scheme, colon + 3 + host);
}
