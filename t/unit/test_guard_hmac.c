/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * guard: signed messages, beside RFC 9421's own examples, and attacked. The texts that are
 * signed stand here as the RFC writes them; none is made by the code under test.
 */

#include "guard_rig.h"

#include <stdlib.h>
#include <unistd.h>

#include <apr_strings.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>

#define NOW    1618884473
#define SECRET "0123456789abcdef0123456789abcdef"
/* B.1.5 */
#define SHARED                                                                             \
    "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMt" \
    "DQ=="
#define BODY   "{\"n\":1}"
#define SHA256 "sha-256=:K/0U9D0X/HzqJOCReoh5tLL4gLi67sG52Q+6rWVecb0=:"

static apr_status_t remove_file(void *path)
{
    unlink(path);
    return APR_SUCCESS;
}

static const char *key_file(const char *text)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-keys-XXXXXX");
    int fd = mkstemp(path);

    ck_assert(fd >= 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    apr_pool_pre_cleanup_register(unit_pool, path, remove_file);
    return path;
}

static const char *sign(const char *key, const char *message)
{
    char *text = apr_pcalloc(unit_pool, BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1);
    uint8_t mac[SHA256_DIGEST_SIZE];
    struct hmac_sha256_ctx ctx;

    hmac_sha256_set_key(&ctx, strlen(key), (const uint8_t *)key);
    hmac_sha256_update(&ctx, strlen(message), (const uint8_t *)message);
    hmac_sha256_digest(&ctx, SHA256_DIGEST_SIZE, mac);
    base64_encode_raw(text, SHA256_DIGEST_SIZE, mac);
    return text;
}

static void set_field(rig_ask_t *ask, const char *name, const char *value)
{
    int n = 0;

    while (ask->sent[n] && strcasecmp(ask->sent[n], name) != 0)
        n += 2;
    ck_assert_int_lt(n, 16);
    ask->sent[n] = name;
    ask->sent[n + 1] = value;
}

static const char *run(const char *words, const rig_ask_t *ask, mouse_request_t **req)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *file = key_file("k1 " SECRET "\nshared base64:" SHARED "\n");
    const char *all = apr_psprintf(unit_pool, "hmac keys-file=%s %s", file, words);

    return guard_rig_run(rig, guard_rig_chain(rig, ask, &all, 1), ask, req);
}

/* Signs these lines with these parameters and sends both. */
static void send_signed(rig_ask_t *ask, const char *lines, const char *params)
{
    const char *base =
        apr_pstrcat(unit_pool, lines, "\"@signature-params\": ", params, NULL);

    set_field(ask, "Signature-Input", apr_pstrcat(unit_pool, "sig1=", params, NULL));
    set_field(ask, "Signature",
              apr_pstrcat(unit_pool, "sig1=:", sign(SECRET, base), ":", NULL));
}

/* ---- the RFC's own ---- */

static rig_ask_t rfc_request(void)
{
    rig_ask_t ask = {.method = "POST",
                     .target = "/foo?param=Value&Pet=dog",
                     .authority = "example.com",
                     .now = apr_time_from_sec(NOW)};

    set_field(&ask, "Date", "Tue, 20 Apr 2021 02:07:55 GMT");
    set_field(&ask, "Content-Type", "application/json");
    set_field(&ask, "Signature-Input",
              "sig-b25=(\"date\" \"@authority\" \"content-type\");created=1618884473"
              ";keyid=\"test-shared-secret\"");
    set_field(&ask, "Signature", "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:");
    return ask;
}

static const char *run_rfc(const rig_ask_t *ask, mouse_request_t **req)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *words = apr_psprintf(
        unit_pool, "hmac keys-file=%s \"require=date @authority content-type\"",
        key_file("test-shared-secret base64:" SHARED "\n"));

    return guard_rig_run(rig, guard_rig_chain(rig, ask, &words, 1), ask, req);
}

START_TEST(rfc_9421_b_2_5)
{
    rig_ask_t ask = rfc_request();
    mouse_request_t *req;

    ck_assert_str_eq(run_rfc(&ask, &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.keyid"), "test-shared-secret");
    ck_assert_str_eq(guard_rig_value(req, "first.created"), "1618884473");
    ck_assert_str_eq(guard_rig_value(req, "first.nonce"), "null");
    ck_assert_str_eq(guard_rig_value(req, "first.label"), "sig-b25");
    set_field(&ask, "Date", "Tue, 20 Apr 2021 02:07:56 GMT");
    ck_assert_str_eq(run_rfc(&ask, NULL), "401 denied - the signature is wrong");
}
END_TEST

/* 2.2: each component of "POST https://www.example.com/path?param=value", and others. */
static const struct {
    const char *method, *target, *authority, *words, *component, *line;
} components[] = {
    {"POST", "/path", "www.example.com", "", "\"@method\"", "\"@method\": POST"},
    {"GET", "/path?param=value", "www.example.com", "scheme=https", "\"@target-uri\"",
     "\"@target-uri\": https://www.example.com/path?param=value"},
    {"GET", "/path", "www.example.com:8443", "scheme=https", "\"@target-uri\"",
     "\"@target-uri\": https://www.example.com:8443/path"},
    {"GET", "http://www.example.com/path?x", "www.example.com", "", "\"@target-uri\"",
     "\"@target-uri\": http://www.example.com/path?x"},
    {"GET", "http://www.example.com?x", "www.example.com", "", "\"@path\"", "\"@path\": /"},
    {"GET", "/", "WWW.Example.COM", "", "\"@authority\"",
     "\"@authority\": www.example.com"},
    {"GET", "/", "www.example.com:80", "", "\"@authority\"",
     "\"@authority\": www.example.com"},
    {"GET", "/", "www.example.com:443", "", "\"@authority\"",
     "\"@authority\": www.example.com:443"},
    {"GET", "/", "www.example.com:443", "scheme=https", "\"@authority\"",
     "\"@authority\": www.example.com"},
    {"GET", "/", "x:", "", "\"@authority\"", "\"@authority\": x"},
    {"GET", "/", "[2001:DB8::1]:8080", "", "\"@authority\"",
     "\"@authority\": [2001:db8::1]:8080"},
    {"GET", "/", "x", "", "\"@scheme\"", "\"@scheme\": http"},
    {"GET", "/", "x", "scheme=https", "\"@scheme\"", "\"@scheme\": https"},
    {"GET", "/path?param=value", "x", "", "\"@request-target\"",
     "\"@request-target\": /path?param=value"},
    {"GET", "http://x/path", "x", "", "\"@request-target\"",
     "\"@request-target\": http://x/path"},
    {"GET", "/a%20b/%C3%A9?q", "x", "", "\"@path\"", "\"@path\": /a%20b/%C3%A9"},
    {"GET", "/path?param=value&foo=bar&baz=bat%2Dman", "x", "", "\"@query\"",
     "\"@query\": ?param=value&foo=bar&baz=bat%2Dman"},
    {"GET", "/path?", "x", "", "\"@query\"", "\"@query\": ?"},
    {"GET", "/path", "x", "", "\"@query\"", "\"@query\": ?"},
#define PARAMS                                                                             \
    "/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace"     \
    "&fa%C3%A7ade%22%3A%20=something"
    {"GET", PARAMS, "x", "", "\"@query-param\";name=\"var\"",
     "\"@query-param\";name=\"var\": this%20is%20a%20big%0Amultiline%20value"},
    {"GET", PARAMS, "x", "", "\"@query-param\";name=\"bar\"",
     "\"@query-param\";name=\"bar\": with%20plus%20whitespace"},
    {"GET", PARAMS, "x", "", "\"@query-param\";name=\"fa%C3%A7ade%22%3A%20\"",
     "\"@query-param\";name=\"fa%C3%A7ade%22%3A%20\": something"},
    {"GET", "/?a=&b&c=~%7e%zz*", "x", "", "\"@query-param\";name=\"a\"",
     "\"@query-param\";name=\"a\": "},
    {"GET", "/?a=&b&c=~%7e%zz*", "x", "", "\"@query-param\";name=\"b\"",
     "\"@query-param\";name=\"b\": "},
    {"GET", "/?a=&b&c=~%7e%zz*", "x", "", "\"@query-param\";name=\"c\"",
     "\"@query-param\";name=\"c\": %7E%7E%25zz*"},
    {"GET", "/", "x", "", "\"x-empty\"", "\"x-empty\": "},
    {"GET", "/", "x", "", "\"x-wide\"", "\"x-wide\": a  b, c"},
};

START_TEST(components_have_their_value)
{
    const char *words = apr_psprintf(unit_pool, "require=@method %s", components[_i].words);
    rig_ask_t ask = {.method = components[_i].method,
                     .target = components[_i].target,
                     .authority = components[_i].authority,
                     .now = apr_time_from_sec(NOW)};
    bool method = strcmp(components[_i].component, "\"@method\"") == 0;
    const char *lines = apr_psprintf(unit_pool, "%s\n%s%s", components[_i].line,
                                     method ? "" : "\"@method\": GET", method ? "" : "\n");

    set_field(&ask, "X-Empty", "");
    set_field(&ask, "X-Wide", "  a  b, c\t ");
    send_signed(&ask, lines,
                apr_psprintf(unit_pool, "(%s%s);created=1618884473;keyid=\"k1\"",
                             components[_i].component, method ? "" : " \"@method\""));
    ck_assert_str_eq(run(words, &ask, NULL), "pass");
}
END_TEST

/* ---- what is signed, but not as it must be ---- */

#define COVERED "(\"@method\" \"@target-uri\" \"content-digest\")"
#define KEY     ";keyid=\"k1\""
#define CREATED ";created=1618884473"
#define LINES                                                                              \
    "\"@method\": POST\n\"@target-uri\": http://api.example/rig?a=1\n"                     \
    "\"content-digest\": " SHA256 "\n"
#define SHORT "\"@method\": POST\n\"@target-uri\": http://api.example/rig?a=1\n"

static rig_ask_t plain_request(void)
{
    rig_ask_t ask = {.method = "POST",
                     .target = "/rig?a=1",
                     .authority = "api.example",
                     .body = BODY,
                     .now = apr_time_from_sec(NOW)};

    set_field(&ask, "Content-Length", "7");
    set_field(&ask, "Content-Digest", SHA256);
    return ask;
}

static const struct {
    const char *words, *lines, *params, *want;
} rules[] = {
    {"", LINES, COVERED CREATED KEY, "pass"},
    {"", LINES, COVERED KEY CREATED, "pass"},
    {"", LINES, COVERED CREATED KEY ";alg=\"hmac-sha256\"", "pass"},
    {"", LINES, COVERED CREATED KEY ";x=1.5;y=:AAE=:;z;w=?0;d=@5;s=\"a\\\"b\"", "pass"},
    {"", LINES, COVERED CREATED KEY ";expires=1618884473", "pass"},
    {"", LINES, COVERED CREATED KEY ";expires=1618884800;nonce=\"n\"", "pass"},
    {"", LINES, COVERED ";created=1618884173" KEY, "pass"},
    {"", LINES, COVERED ";created=1618884773" KEY, "pass"},
    {"label=sig1 tag=shop", LINES, COVERED CREATED KEY ";tag=\"shop\"", "pass"},
    /* the order is the sender's */
    {"",
     "\"content-digest\": " SHA256 "\n\"@target-uri\": http://api.example/rig?a=1\n"
     "\"@method\": POST\n",
     "(\"content-digest\" \"@target-uri\" \"@method\")" CREATED KEY, "pass"},
    /* times */
    {"", LINES, COVERED ";created=1618884172" KEY, "created is too old"},
    {"", LINES, COVERED ";created=1618884774" KEY, "created is in the future"},
    {"window=0s", LINES, COVERED ";created=1618884472" KEY, "created is too old"},
    {"", LINES, COVERED ";created=999999999999999" KEY, "created is in the future"},
    {"", LINES, COVERED ";created=-999999999999999" KEY, "created is too old"},
    {"", LINES, COVERED KEY, "there is no created"},
    {"", LINES, COVERED ";created" KEY, "created is no integer"},
    {"", LINES, COVERED ";created=1618884473.0" KEY, "created is no integer"},
    {"", LINES, COVERED ";created=\"1618884473\"" KEY, "created is no integer"},
    {"", LINES, COVERED ";created=@1618884473" KEY, "created is no integer"},
    {"", LINES, COVERED ";created=1618884400;expires=1618884472" KEY,
     "the signature has expired"},
    {"", LINES, COVERED CREATED KEY ";expires=1618884472", "expires is before created"},
    {"", LINES, COVERED CREATED KEY ";expires=\"1618884800\"", "expires is no integer"},
    /* names */
    {"", LINES, COVERED CREATED, "there is no keyid"},
    {"", LINES, COVERED CREATED ";keyid=\"\"", "keyid is no string of 1 to 256 bytes"},
    {"", LINES, COVERED CREATED ";keyid=k1", "keyid is no string of 1 to 256 bytes"},
    {"", LINES, COVERED CREATED ";keyid=\"k2\"", "there is no such key"},
    {"", LINES, COVERED CREATED ";keyid=\"K1\"", "there is no such key"},
    {"", LINES, COVERED CREATED ";keyid=\"shared\"", "the signature is wrong"},
    {"", LINES, COVERED CREATED KEY ";alg=\"hmac-sha512\"", "alg is not hmac-sha256"},
    {"", LINES, COVERED CREATED KEY ";alg=\"ed25519\"", "alg is not hmac-sha256"},
    {"", LINES, COVERED CREATED KEY ";alg=\"none\"", "alg is not hmac-sha256"},
    {"", LINES, COVERED CREATED KEY ";alg=\"HMAC-SHA256\"", "alg is not hmac-sha256"},
    {"", LINES, COVERED CREATED KEY ";alg=hmac-sha256",
     "alg is no string of 1 to 256 bytes"},
    {"", LINES, COVERED CREATED KEY ";alg", "alg is no string of 1 to 256 bytes"},
    {"", LINES, COVERED CREATED KEY ";nonce=5", "nonce is no string of 1 to 256 bytes"},
    {"tag=shop", LINES, COVERED CREATED KEY,
     "there is no signature with this label or tag"},
    {"tag=shop", LINES, COVERED CREATED KEY ";tag=shop",
     "there is no signature with this label or tag"},
    {"label=sig1 tag=shop", LINES, COVERED CREATED KEY ";tag=\"shops\"",
     "the signature has another tag"},
    {"label=sig2", LINES, COVERED CREATED KEY,
     "there is no signature with this label or tag"},
    /* components */
    {"", SHORT, "(\"@method\" \"@target-uri\")" CREATED KEY,
     "the signature does not cover the body's Content-Digest"},
    {"", "\"@method\": POST\n\"content-digest\": " SHA256 "\n",
     "(\"@method\" \"content-digest\")" CREATED KEY,
     "the signature does not cover \"@target-uri\""},
    {"", "", "()" CREATED KEY, "the signature does not cover \"@method\""},
    {"\"require=@method @query-param;name=a\"", LINES, COVERED CREATED KEY,
     "the signature does not cover \"@query-param\";name=\"a\""},
    {"", LINES "\"@method\": POST\n",
     "(\"@method\" \"@target-uri\" \"content-digest\" \"@method\")" CREATED KEY,
     "the component \"@method\" comes twice"},
    {"", LINES "\"x-none\": \n",
     "(\"@method\" \"@target-uri\" \"content-digest\" \"x-none\")" CREATED KEY,
     "the field x-none is covered, but not there"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"content-digest\";req)" CREATED KEY,
     "the component \"content-digest\" with ;req is not supported"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"content-digest\";sf)" CREATED KEY,
     "the component \"content-digest\" with ;sf is not supported"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"content-digest\";bs)" CREATED KEY,
     "the component \"content-digest\" with ;bs is not supported"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"content-digest\";tr)" CREATED KEY,
     "the component \"content-digest\" with ;tr is not supported"},
    {"", LINES,
     "(\"@method\" \"@target-uri\" \"content-digest\";key=\"sha-256\")" CREATED KEY,
     "the component \"content-digest\" with ;key is not supported"},
    {"", LINES, "(\"@method\";req \"@target-uri\" \"content-digest\")" CREATED KEY,
     "the component \"@method\" with ;req is not supported"},
    {"", LINES "\"@status\": 200\n",
     "(\"@method\" \"@target-uri\" \"content-digest\" \"@status\")" CREATED KEY,
     "there is no component \"@status\" of a request"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"@signature-params\")" CREATED KEY,
     "there is no component \"@signature-params\" of a request"},
    {"", LINES, "(\"@Method\" \"@target-uri\")" CREATED KEY,
     "there is no component \"@Method\" of a request"},
    {"", LINES, "(\"@method\" \"@target-uri\" \"Content-Digest\")" CREATED KEY,
     "\"Content-Digest\" is no name of a field in lower case"},
    {"", LINES, "(\"@method\" \"\")" CREATED KEY,
     "\"\" is no name of a field in lower case"},
    {"", LINES, "(\"@method\" \"a\\\"b\")" CREATED KEY,
     "\"a\"b\" is no name of a field in lower case"},
    {"", LINES, "(\"@method\" \"a: b\")" CREATED KEY,
     "\"a: b\" is no name of a field in lower case"},
    {"", LINES, "(method)" CREATED KEY, "a component is no string"},
    {"", LINES, "(\"@query-param\")" CREATED KEY,
     "@query-param takes the parameter name, a string, and no other"},
    {"", LINES, "(\"@query-param\";name=a)" CREATED KEY,
     "@query-param takes the parameter name, a string, and no other"},
    {"", LINES, "(\"@query-param\";name=\"a\";req)" CREATED KEY,
     "@query-param takes the parameter name, a string, and no other"},
    {"\"require=@method\"", "\"@method\": POST\n\"@query-param\";name=\"b\": 1\n",
     "(\"@method\" \"content-digest\" \"@query-param\";name=\"b\")" CREATED KEY,
     "the query parameter \"b\" is covered, but comes never"},
};

START_TEST(rules_of_a_signature)
{
    rig_ask_t ask = plain_request();
    const char *want = rules[_i].want, *got;

    send_signed(&ask, rules[_i].lines, rules[_i].params);
    got = run(rules[_i].words, &ask, NULL);
    if (strcmp(want, "pass") != 0)
        want = apr_pstrcat(unit_pool, "401 denied - ", want, NULL);
    ck_assert_msg(strcmp(got, want) == 0, "%s: %s", rules[_i].params, got);
}
END_TEST

/* ---- what was signed right, and changed on its way ---- */

static rig_ask_t signed_request(void)
{
    rig_ask_t ask = plain_request();

    send_signed(&ask, LINES, COVERED CREATED KEY);
    return ask;
}

START_TEST(changed_parts)
{
    static const struct {
        const char *method, *target, *authority, *want;
    } parts[] = {
        {"POST", "/rig?a=1", "api.example", "pass"},
        {"POST", "/rig?a=1", "API.example:80", "pass"},
        {"PUT", "/rig?a=1", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=2", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=%31", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=1&b=1", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/rig", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/r%69g?a=1", "api.example", "401 denied - the signature is wrong"},
        {"POST", "//rig?a=1", "api.example", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=1", "evil.example", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=1", "api.example:81", "401 denied - the signature is wrong"},
        {"POST", "/rig?a=1", "", "401 denied - the request has no Host"},
        {"POST", "/rig?a=1#x", "api.example",
         "401 denied - the request's target is no path"},
        {"POST", "*", "api.example", "401 denied - the request's target is no path"},
        {"POST", "/rig?a=1\xC3\xA9", "api.example",
         "401 denied - the value of @target-uri is not ASCII"},
    };
    size_t i;

    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        rig_ask_t ask = signed_request();

        ask.method = parts[i].method;
        ask.target = parts[i].target;
        ask.authority = parts[i].authority;
        ck_assert_str_eq(run("", &ask, NULL), parts[i].want);
    }
}
END_TEST

START_TEST(changed_bodies)
{
    static const char *const bodies[] = {"{\"n\":2}", "{\"n\":1} ", "", "{\"n\":1}{}"};
    rig_ask_t ask;
    size_t i;

    for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        ask = signed_request();
        ask.body = bodies[i];
        ck_assert_str_eq(run("", &ask, NULL),
                         "401 denied - the body has another sha-256 than Content-Digest "
                         "says");
    }
    /* a digest that fits is not the one that was signed */
    ask = signed_request();
    ask.body = "";
    set_field(&ask, "Content-Digest",
              "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
    ck_assert_str_eq(run("", &ask, NULL), "401 denied - the signature is wrong");
}
END_TEST

static const char *sha512_of(const char *body)
{
    char text[BASE64_ENCODE_RAW_LENGTH(SHA512_DIGEST_SIZE) + 1] = "";
    uint8_t digest[SHA512_DIGEST_SIZE];
    struct sha512_ctx ctx;

    sha512_init(&ctx);
    sha512_update(&ctx, strlen(body), (const uint8_t *)body);
    sha512_digest(&ctx, sizeof(digest), digest);
    base64_encode_raw(text, sizeof(digest), digest);
    return apr_pstrcat(unit_pool, "sha-512=:", text, ":", NULL);
}

START_TEST(digests)
{
    static const char *const none = "401 denied - Content-Digest has neither sha-256 nor "
                                    "sha-512";
    const char *right = sha512_of(BODY), *wrong = sha512_of("x");
    const struct {
        const char *field, *want;
    } tries[] = {
        {SHA256, "pass"},
        {right, "pass"},
        {apr_pstrcat(unit_pool, right, ", " SHA256, NULL), "pass"},
        {SHA256 ", md5=:AA==:", "pass"},
        {apr_pstrcat(unit_pool, wrong, ", " SHA256, NULL),
         "401 denied - the body has another sha-512 than Content-Digest says"},
        {"md5=:AA==:", none},
        {"", none},
        {"SHA-256=:AA==:",
         "401 denied - Content-Digest: a key begins with a lower-case letter or '*'"},
        {"sha-256=:AA==:", "401 denied - the sha-256 of Content-Digest is no digest"},
        {"sha-256=\"x\"", "401 denied - the sha-256 of Content-Digest is no digest"},
        {"sha-256=()", "401 denied - the sha-256 of Content-Digest is no digest"},
        {"sha-256", "401 denied - the sha-256 of Content-Digest is no digest"},
        {SHA256 ", " SHA256, "401 denied - Content-Digest: a key comes twice"},
    };
    size_t i;

    for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        rig_ask_t ask = plain_request();

        set_field(&ask, "Content-Digest", tries[i].field);
        send_signed(&ask,
                    apr_pstrcat(unit_pool, SHORT "\"content-digest\": ", tries[i].field,
                                "\n", NULL),
                    COVERED CREATED KEY);
        ck_assert_str_eq(run("", &ask, NULL), tries[i].want);
    }
}
END_TEST

/* A request without a body needs no digest, but then has none. */
START_TEST(bodies_that_nobody_signed)
{
    rig_ask_t ask = {.method = "POST",
                     .target = "/rig?a=1",
                     .authority = "api.example",
                     .now = apr_time_from_sec(NOW)};

    send_signed(&ask, SHORT, "(\"@method\" \"@target-uri\")" CREATED KEY);
    ck_assert_str_eq(run("", &ask, NULL), "pass");
    ck_assert_str_eq(run("\"require=@method content-digest\"", &ask, NULL),
                     "401 denied - the signature does not cover \"content-digest\"");
    ask.body = BODY; /* as HTTP/2 sends it, without a length */
    ck_assert_str_eq(run("", &ask, NULL),
                     "401 denied - there is a body that the signature does not cover");
    set_field(&ask, "Content-Length", "0");
    ask.body = "";
    ck_assert_str_eq(run("", &ask, NULL), "pass");
    set_field(&ask, "Transfer-Encoding", "chunked");
    ck_assert_str_eq(run("", &ask, NULL),
                     "401 denied - the signature does not cover the body's Content-Digest");
}
END_TEST

/* ---- the two fields themselves ---- */

#define INPUT COVERED CREATED KEY

START_TEST(fields)
{
    const char *mac = sign(SECRET, LINES "\"@signature-params\": " INPUT);
    const char *right = apr_psprintf(unit_pool, "sig1=:%s:", mac);
    const char *zero = "sig1=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:";
    const struct {
        const char *words, *input, *signature, *want;
    } tries[] = {
        {"", "sig1=" INPUT, right, "pass"},
        {"",
         "sig1=(\"@method\"  \"@target-uri\" \"content-digest\" );  created=1618884473" KEY,
         right, "pass"},
        {"", "sig1=" INPUT, NULL, "there is no Signature"},
        {"", NULL, right, "there is no Signature-Input"},
        {"", "sig1=" INPUT, "", "Signature has no member of this label"},
        {"", "", right, "there is no signature with this label or tag"},
        {"", "sig2=" INPUT, right, "Signature has no member of this label"},
        {"", "sig1=" INPUT, zero, "the signature is wrong"},
        {"", "sig1=" INPUT, "sig1=::", "the signature is wrong"},
        {"", "sig1=" INPUT, "sig1=:AAAA:", "the signature is wrong"},
        {"", "sig1=" INPUT, "sig1", "Signature has no bytes under this label"},
        {"", "sig1=" INPUT, "sig1=()", "Signature has no bytes under this label"},
        {"", "sig1=" INPUT, "sig1=\"x\"", "Signature has no bytes under this label"},
        {"", "sig1=" INPUT, apr_pstrcat(unit_pool, right, ", ", zero, NULL),
         "Signature: a key comes twice"},
        {"", "sig1=" INPUT ", sig1=" INPUT, right, "Signature-Input: a key comes twice"},
        {"", "sig1=\"@method\"", right, "Signature-Input has no list of components"},
        {"", "sig1", right, "Signature-Input has no list of components"},
        /* a second signature is nobody's business when the label is said */
        {"", "sig1=" INPUT ", other=" INPUT, right,
         "there are several signatures, and no label= says which"},
        {"label=sig1", "sig1=" INPUT ", other=()", right, "pass"},
        {"label=other", "sig1=" INPUT ", other=()", right,
         "Signature has no member of this label"},
        {"tag=b", "sig1=" INPUT ";tag=\"a\", other=();tag=\"b\"", right,
         "Signature has no member of this label"},
        /* stripped and reordered components, changed parameters */
        {"", "sig1=(\"@method\" \"@target-uri\")" CREATED KEY, right,
         "the signature does not cover the body's Content-Digest"},
        {"", "sig1=(\"@target-uri\" \"@method\" \"content-digest\")" CREATED KEY, right,
         "the signature is wrong"},
        {"", "sig1=" COVERED KEY CREATED, right, "the signature is wrong"},
        {"", "sig1=" COVERED ";created=1618884474" KEY, right, "the signature is wrong"},
        {"", "sig1=" INPUT ";nonce=\"n\"", right, "the signature is wrong"},
        {"", "sig1=" INPUT ";expires=1618884800", right, "the signature is wrong"},
        {"", "sig1=" INPUT ";created=1618884473", right,
         "Signature-Input: a parameter comes twice"},
        /* text in the wrong place */
        {"", "sig1=" COVERED CREATED ";keyid=\"k1\r\nX: y\"", right,
         "Signature-Input: a string has a character beyond ASCII's"},
        {"", "sig1=" COVERED CREATED ";keyid=\"k1\xC3\xA9\"", right,
         "Signature-Input: a string has a character beyond ASCII's"},
        {"", "sig1=(\"@method\n\\\"@path\")" CREATED KEY, right,
         "Signature-Input: a string has a character beyond ASCII's"},
        {"", "\xC3\xA9=" INPUT, right,
         "Signature-Input: a key begins with a lower-case letter or '*'"},
    };
    size_t i;

    for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        rig_ask_t ask = plain_request();
        const char *want =
            strcmp(tries[i].want, "pass") == 0
                ? "pass"
                : apr_pstrcat(unit_pool, "401 denied - ", tries[i].want, NULL);

        if (tries[i].input)
            set_field(&ask, "Signature-Input", tries[i].input);
        if (tries[i].signature)
            set_field(&ask, "Signature", tries[i].signature);
        ck_assert_str_eq(run(tries[i].words, &ask, NULL), want);
    }
}
END_TEST

/* Each byte of the three fields replaced, and taken out. */
START_TEST(no_changed_byte_passes)
{
    static const char others[] = "\"\\;,:=() 0ax/A";
    static const char *const names[] = {"Signature-Input", "Signature", "Content-Digest"};
    rig_ask_t ask = signed_request();
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *words =
        apr_psprintf(unit_pool, "hmac keys-file=%s", key_file("k1 " SECRET "\n"));
    const mouse_chain_t *chain = guard_rig_chain(rig, &ask, &words, 1);
    size_t i, k, n;

    ck_assert_str_eq(guard_rig_run(rig, chain, &ask, NULL), "pass");
    for (n = 0; n < 3; n++) {
        int place = 0;
        const char *right;

        while (strcmp(ask.sent[place], names[n]) != 0)
            place += 2;
        right = ask.sent[place + 1];
        for (i = 0; right[i]; i++) {
            for (k = 0; k < sizeof(others); k++) {
                char *changed = apr_pstrdup(unit_pool, right);

                changed[i] = others[k];
                if (!others[k])
                    memmove(changed + i, right + i + 1, strlen(right + i));
                if (strcmp(changed, right) == 0)
                    continue;
                ask.sent[place + 1] = changed;
                ck_assert_msg(strcmp(guard_rig_run(rig, chain, &ask, NULL), "pass") != 0,
                              "%s: %s", names[n], changed);
            }
        }
        ask.sent[place + 1] = right;
    }
}
END_TEST

START_TEST(long_fields)
{
    rig_ask_t ask = plain_request();
    char *text = apr_palloc(unit_pool, 8193);
    const char *many = COVERED CREATED KEY;
    int i;

    memset(text, 'x', 8192);
    text[8192] = '\0';
    send_signed(&ask, LINES, apr_pstrcat(unit_pool, INPUT, ";x=\"", text, "\"", NULL));
    ck_assert_str_eq(run("", &ask, NULL), "pass");
    send_signed(&ask, LINES, apr_pstrcat(unit_pool, INPUT, ";nonce=\"", text, "\"", NULL));
    ck_assert_str_eq(run("", &ask, NULL),
                     "401 denied - nonce is no string of 1 to 256 bytes");
    send_signed(&ask, LINES,
                apr_pstrcat(unit_pool, INPUT, ";x=\"", text, text, "\"", NULL));
    ck_assert_str_eq(run("", &ask, NULL),
                     "401 denied - Signature-Input is longer than 16384 bytes");
    for (i = 0; i < 1200; i++)
        many = apr_psprintf(unit_pool, "%s;p%d", many, i);
    ck_assert_int_gt(strlen(many), 6000);
    send_signed(&ask, LINES, many);
    ck_assert_str_eq(run("", &ask, NULL),
                     "401 denied - Signature-Input: there are too many parameters");
}
END_TEST

START_TEST(fields_that_are_covered)
{
    static const struct {
        const char *value, *want;
    } tries[] = {
        {"plain", "pass"},
        {"a\tb", "pass"},
        {"caf\xC3\xA9", "401 denied - the value of x-note is not ASCII"},
        {"a\r\n b", "401 denied - the value of x-note is not ASCII"},
        {"a\n\"@method\": GET", "401 denied - the value of x-note is not ASCII"},
        {"a\x7F", "401 denied - the value of x-note is not ASCII"},
    };
    size_t i;

    for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        rig_ask_t ask = plain_request();

        set_field(&ask, "X-Note", tries[i].value);
        send_signed(
            &ask, apr_pstrcat(unit_pool, LINES "\"x-note\": ", tries[i].value, "\n", NULL),
            "(\"@method\" \"@target-uri\" \"content-digest\" \"x-note\")" CREATED KEY);
        ck_assert_str_eq(run("", &ask, NULL), tries[i].want);
    }
}
END_TEST

START_TEST(query_parameters_twice)
{
    static const struct {
        const char *target, *want;
    } tries[] = {
        {"/rig?a=1", "pass"},
        {"/rig?b=2&a=1", "pass"},
        {"/rig?a=1&a=1",
         "401 denied - the query parameter \"a\" is covered, but comes twice"},
        {"/rig?a=1&%61=2",
         "401 denied - the query parameter \"a\" is covered, but comes twice"},
        {"/rig?a=1&a",
         "401 denied - the query parameter \"a\" is covered, but comes twice"},
        {"/rig?a=1&b=%ff", "pass"},
        {"/rig?a=1&%ff=1", "401 denied - the query is not UTF-8"},
        {"/rig", "401 denied - the query parameter \"a\" is covered, but comes never"},
        {"/rig?A=1", "401 denied - the query parameter \"a\" is covered, but comes never"},
    };
    size_t i;

    for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        rig_ask_t ask = {.target = tries[i].target, .now = apr_time_from_sec(NOW)};

        send_signed(&ask, "\"@path\": /rig\n\"@query-param\";name=\"a\": 1\n",
                    "(\"@path\" \"@query-param\";name=\"a\")" CREATED KEY);
        ck_assert_str_eq(run("\"require=@path @query-param;name=a\"", &ask, NULL),
                         tries[i].want);
    }
}
END_TEST

/* ---- answers ---- */

START_TEST(answers_tell_what_is_required)
{
    rig_ask_t ask = plain_request();
    mouse_request_t *req;

    ck_assert_str_eq(run("", &ask, &req), "401 denied - there is no Signature-Input");
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"), "Signature");
    ck_assert_str_eq(apr_table_get(req->headers, "Accept-Signature"),
                     "sig1=(\"@method\" \"@target-uri\" \"content-digest\");created"
                     ";alg=\"hmac-sha256\"");
    ask.method = "GET";
    ask.body = NULL;
    run("label=x \"tag=a b\" \"require=@path @query-param;name=q date\"", &ask, &req);
    ck_assert_str_eq(apr_table_get(req->headers, "Accept-Signature"),
                     "x=(\"@path\" \"@query-param\";name=\"q\" \"date\");created"
                     ";alg=\"hmac-sha256\";tag=\"a b\"");
    ck_assert_str_eq(run("else=403", &ask, &req),
                     "403 denied - there is no Signature-Input");
    ck_assert_ptr_null(apr_table_get(req->headers, "Accept-Signature"));
}
END_TEST

/* ---- nonces ---- */

typedef struct once_t {
    guard_rig_t *rig;
    const mouse_chain_t *chain;
    int64_t now;
} once_t;

static once_t open_once(const char *count)
{
    const rig_ask_t ask = plain_request();
    const char *words = apr_psprintf(
        unit_pool, "hmac keys-file=%s nonces=%s",
        key_file("k1 " SECRET "\nshared base64:" SHARED "\nk2 " SECRET "\n"), count);
    once_t once = {.rig = guard_rig_open(NULL, NULL)};

    once.chain = guard_rig_chain(once.rig, &ask, &words, 1);
    once.now = apr_time_sec(apr_time_now()) + 1; /* behind the memory's beginning */
    return once;
}

static const char *run_once(const once_t *once, const char *params, rig_ask_t ask)
{
    ask.now = 0;
    send_signed(&ask, LINES,
                apr_psprintf(unit_pool, COVERED ";created=%" APR_INT64_T_FMT "%s",
                             once->now, params));
    return guard_rig_run(once->rig, once->chain, &ask, NULL);
}

START_TEST(a_nonce_passes_once)
{
    static const char *const seen = "401 denied - the nonce was seen before";
    once_t once = open_once("100");
    rig_ask_t ask = plain_request(), other = plain_request();

    other.body = "{}";
    ck_assert_str_eq(run_once(&once, KEY, ask), "401 denied - there is no nonce");
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"a\"", ask), "pass");
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"a\"", ask), seen);
    ck_assert_str_eq(run_once(&once, ";nonce=\"a\"" KEY ";alg=\"hmac-sha256\"", ask), seen);
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"A\"", ask), "pass");
    /* another key's nonces are its own */
    ck_assert_str_eq(run_once(&once, ";keyid=\"k2\";nonce=\"a\"", ask), "pass");
    /* what was not right uses nothing up */
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"b\"", other),
                     "401 denied - the body has another sha-256 than Content-Digest says");
    ck_assert_str_eq(run_once(&once, ";keyid=\"shared\";nonce=\"b\"", ask),
                     "401 denied - the signature is wrong");
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"b\"", ask), "pass");
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"b\"", ask), seen);
}
END_TEST

/* RFC 9421, 5.1: the signer is asked to use this one. */
START_TEST(a_nonce_is_offered)
{
    static const char begin[] =
        "sig1=(\"@method\" \"@target-uri\" \"content-digest\");created"
        ";alg=\"hmac-sha256\";nonce=\"";
    once_t once = open_once("100");
    const rig_ask_t ask = plain_request();
    const char *offers[2];
    mouse_request_t *req;
    int i;

    for (i = 0; i < 2; i++) {
        guard_rig_run(once.rig, once.chain, &ask, &req);
        offers[i] = apr_table_get(req->headers, "Accept-Signature");
        ck_assert_int_eq(strncmp(offers[i], begin, strlen(begin)), 0);
        ck_assert_int_eq(strspn(offers[i] + strlen(begin), "0123456789abcdef"), 64);
    }
    ck_assert_str_ne(offers[0], offers[1]);
    ck_assert_str_eq(
        run_once(&once, apr_pstrcat(unit_pool, KEY, strstr(offers[0], ";nonce="), NULL),
                 plain_request()),
        "pass");
}
END_TEST

START_TEST(nonces_fail_closed)
{
    once_t once = open_once("1");
    const char *got = "pass";
    int i;

    for (i = 0; i < 1000 && strcmp(got, "pass") == 0; i++)
        got = run_once(&once, apr_psprintf(unit_pool, KEY ";nonce=\"%d\"", i),
                       plain_request());
    ck_assert_str_eq(got, "503 nonces-full - no place for a nonce: raise nonces=");
    once.now -= 60;
    ck_assert_str_eq(run_once(&once, KEY ";nonce=\"x\"", plain_request()),
                     "401 denied - created is older than the memory of nonces");
}
END_TEST

/* ---- keys of a model ---- */

static const char *const schema[] = {
    "DROP TABLE IF EXISTS clients",
    "CREATE TABLE clients (id VARCHAR(20) NOT NULL, secret TEXT, user_id INT)",
    "INSERT INTO clients VALUES ('k1', '" SECRET "', 7), ('short', 'x', 1),"
    " ('none', NULL, 1), ('b64', 'base64:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', 8),"
    " ('odd', 'base64:MDEy*', 1), ('twice', '" SECRET "', 1), ('twice', '" SECRET "', 2)",
    NULL,
};

static const char models[] =
    "-- name: key :one\n"
    "SELECT secret, user_id, 'x' AS label FROM clients WHERE id = :first.keyid;\n"
    "-- name: blob :one\n"
    "SELECT CAST(secret AS BLOB) AS secret FROM clients WHERE id = :first.keyid;\n"
    "-- name: bare :one\n"
    "SELECT user_id FROM clients WHERE id = :first.keyid;\n"
    "-- name: many :many\nSELECT secret FROM clients;\n";

static const char *run_model(const char *model, const char *keyid, mouse_request_t **req)
{
    guard_rig_t *rig = guard_rig_open(schema, models);
    const char *words = apr_psprintf(unit_pool, "hmac key=run/%s", model);
    rig_ask_t ask = plain_request();

    send_signed(&ask, LINES,
                apr_psprintf(unit_pool, COVERED CREATED ";keyid=\"%s\"", keyid));
    return guard_rig_run(rig, guard_rig_chain(rig, &ask, &words, 1), &ask, req);
}

START_TEST(keys_of_a_model)
{
    mouse_request_t *req;

    ck_assert_str_eq(run_model("key", "k1", &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.user_id"), "7");
    ck_assert_str_eq(guard_rig_value(req, "first.keyid"), "k1");
    ck_assert_str_eq(guard_rig_value(req, "first.label"), "sig1");
    ck_assert_int_eq(APR_ARRAY_IDX(req->context, 0, mouse_context_t).count, 6);
    ck_assert_str_eq(run_model("key", "b64", &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.user_id"), "8");
    ck_assert_str_eq(run_model("blob", "k1", NULL), "pass");
    ck_assert_str_eq(run_model("key", "k2", NULL), "401 denied - there is no such key");
    ck_assert_str_eq(run_model("key", "twice", NULL), "401 denied - there is no such key");
    ck_assert_str_eq(run_model("key", "short", NULL),
                     "401 denied - the secret of the key's model has fewer than 32 bytes");
    ck_assert_str_eq(run_model("blob", "short", NULL),
                     "401 denied - the secret of the key's model has fewer than 32 bytes");
    ck_assert_str_eq(run_model("key", "odd", NULL),
                     "401 denied - the secret of the key's model is no base64");
    ck_assert_str_eq(run_model("key", "none", NULL),
                     "401 denied - the key's model gives no secret");
    ck_assert_str_eq(run_model("bare", "k1", NULL),
                     "401 denied - the key's model gives no secret");
}
END_TEST

/* The secret itself is in nobody's reach. */
START_TEST(secrets_are_not_given)
{
    mouse_request_t *req;
    mouse_value_t value;
    mouse_error_t *err = NULL;

    ck_assert_str_eq(run_model("key", "k1", &req), "pass");
    ck_assert(mouse_request_value(req, "first", "secret", &value, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_CONTEXT);
}
END_TEST

/* ---- at start ---- */

START_TEST(refusals)
{
    guard_rig_t *rig = guard_rig_open(schema, models);
    const char *file = key_file("k1 " SECRET "\n");
    const struct {
        const char *words, *keys, *want;
    } tries[] = {
        {"", "k1 " SECRET "\n\nk2\tbase64:" SHARED "\r\n", NULL},
        {"", "k1\n", "entry 1 of keys-file= is not KEYID SECRET"},
        {"", "k1 a b\n", "entry 1 of keys-file= is not KEYID SECRET"},
        {"", "k\xC3\xA9 " SECRET "\n", "entry 1 of keys-file= is not KEYID SECRET"},
        {"", "k1 0123456789abcdef0123456789abcde\n",
         "entry 1 of keys-file=: the secret has fewer than 32 bytes"},
        {"", "k1 base64:AAAA\n",
         "entry 1 of keys-file=: the secret has fewer than 32 bytes"},
        {"", "k1 base64:" SHARED "!\n", "entry 1 of keys-file=: the secret is no base64"},
        {"", "k1 " SECRET "\nk1 " SECRET "\n", "keys-file= has the key id k1 twice"},
        {"key=run/key", NULL, NULL},
        {"", NULL, "hmac takes keys-file=FILE or key=MODEL"},
        {"key=run/key", "k1 " SECRET, "hmac takes keys-file=FILE or key=MODEL"},
        {"key=run/none", NULL, "there is no model \"run/none\""},
        {"key=run/many", NULL, "key= needs a :one model, run/many is none (run.sql:7)"},
        {"key=run/key require=", NULL, "require= names no component"},
        {"key=run/key require=@status", NULL,
         "require=: @status: there is no component \"@status\" of a request"},
        {"key=run/key require=Date", NULL,
         "require=: Date: \"Date\" is no name of a field in lower case"},
        {"key=run/key require=date;sf", NULL,
         "require=: date;sf: \"date;sf\" is no name of a field in lower case"},
        {"key=run/key require=@query-param", NULL,
         "require=: @query-param: @query-param takes the parameter name, a string, and no "
         "other"},
        {"key=run/key \"require=date date\"", NULL, "require= has date twice"},
        {"key=run/key label=Sig", NULL,
         "label=Sig: lower-case letters, digits, '_', '-', '.' and '*', a letter first"},
        {"key=run/key label=a,b", NULL,
         "label=a,b: lower-case letters, digits, '_', '-', '.' and '*', a letter first"},
        {"key=run/key label=", NULL,
         "label=: lower-case letters, digits, '_', '-', '.' and '*', a letter first"},
        {"key=run/key tag=a\\\\b", NULL, "tag= takes ASCII without quotes and backslashes"},
        {"key=run/key tag=", NULL, "tag= is empty"},
        {"key=run/key scheme=ftp", NULL, "scheme=ftp is none: write https or http"},
        {"key=run/key window=5", NULL, "window=5: write a time up to 1d, as 300s or 5m"},
        {"key=run/key else=200", NULL, "\"200\" is not a status from 400 to 599"},
        {"key=run/key nonces=0", NULL, "nonces=0: a number from 1 to 16777216"},
        {"key=run/key nonces=9x", NULL, "nonces=9x: a number from 1 to 16777216"},
        {"key=run/key nonces=16777217", NULL,
         "nonces=16777217: a number from 1 to 16777216"},
        {"key=run/key alg=sha1", NULL, "unknown option \"alg=sha1\""},
    };
    size_t i;

    ck_assert_ptr_null(
        guard_rig_refusal(rig, apr_psprintf(unit_pool, "hmac keys-file=%s", file)));
    for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        const char *words = tries[i].keys
                                ? apr_psprintf(unit_pool, "hmac %s keys-file=%s",
                                               tries[i].words, key_file(tries[i].keys))
                                : apr_psprintf(unit_pool, "hmac %s", tries[i].words);
        const char *got = guard_rig_refusal(rig, words);

        if (!tries[i].want)
            ck_assert_msg(!got, "%s: %s", words, got);
        else
            ck_assert_str_eq(got ? got : "accepted",
                             apr_pstrcat(unit_pool, "guard it: ", tries[i].want, NULL));
    }
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard hmac");
    TCase *tcase = unit_case(suite, "hmac");

    tcase_add_test(tcase, rfc_9421_b_2_5);
    tcase_add_loop_test(tcase, components_have_their_value, 0, COUNT(components));
    tcase_add_loop_test(tcase, rules_of_a_signature, 0, COUNT(rules));
    tcase_add_test(tcase, changed_parts);
    tcase_add_test(tcase, changed_bodies);
    tcase_add_test(tcase, digests);
    tcase_add_test(tcase, bodies_that_nobody_signed);
    tcase_add_test(tcase, fields);
    tcase_add_test(tcase, no_changed_byte_passes);
    tcase_add_test(tcase, long_fields);
    tcase_add_test(tcase, fields_that_are_covered);
    tcase_add_test(tcase, query_parameters_twice);
    tcase_add_test(tcase, answers_tell_what_is_required);
    tcase_add_test(tcase, a_nonce_passes_once);
    tcase_add_test(tcase, a_nonce_is_offered);
    tcase_add_test(tcase, nonces_fail_closed);
    tcase_add_test(tcase, keys_of_a_model);
    tcase_add_test(tcase, secrets_are_not_given);
    tcase_add_test(tcase, refusals);
    return suite;
}
