/* guard: jwt - tokens good and attacked, keys good and bad, a key file that changes. */

#include "guard_rig.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_thread_proc.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>

#include "guard/jwt_int.h"

#define NOW          1700000000
#define CLAIMS       "\"iss\":\"https://id.example\",\"aud\":\"shop\""
#define GOOD         "{\"sub\":\"u1\"," CLAIMS ",\"exp\":1700000300}"
#define HS256        "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"
#define SECRET       "jwt key-file=conf/keys/secret alg=HS256 iss=https://id.example aud=shop"
#define SET          "jwt jwks-file=conf/keys/public.json alg=RS256,PS256,ES256,EdDSA aud=shop"
#define COUNT(table) (sizeof(table) / sizeof(table[0]))

/* ---- making tokens ---- */

static const char *encode(const void *bytes, size_t len)
{
    struct base64_encode_ctx ctx;
    char *text = apr_palloc(unit_pool, BASE64_ENCODE_LENGTH(len) + 4);
    size_t n;

    base64url_encode_init(&ctx);
    n = base64_encode_update(&ctx, text, len, bytes);
    n += base64_encode_final(&ctx, text + n);
    while (n > 0 && text[n - 1] == '=')
        n--;
    text[n] = '\0';
    return text;
}

static const char *encode_text(const char *text)
{
    return encode(text, strlen(text));
}

static const char *secret(void)
{
    mouse_slice_t file = unit_file("conf/keys/secret");

    return apr_pstrmemdup(unit_pool, file.data, file.len - 1);
}

/* Signed by HMAC, whatever the header says. */
static const char *sign_hmac(const char *key, const char *header, const char *payload)
{
    const char *input =
        apr_pstrcat(unit_pool, encode_text(header), ".", encode_text(payload), NULL);
    struct hmac_sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];

    hmac_sha256_set_key(&ctx, strlen(key), (const uint8_t *)key);
    hmac_sha256_update(&ctx, strlen(input), (const uint8_t *)input);
    hmac_sha256_digest(&ctx, sizeof(digest), digest);
    return apr_pstrcat(unit_pool, input, ".", encode(digest, sizeof(digest)), NULL);
}

static const char *good_token(void)
{
    return sign_hmac(secret(), HS256, GOOD);
}

/* By the private key conf/keys/NAME.key. */
static const char *sign(const char *name, const char *header, const char *payload)
{
    mouse_slice_t pem = unit_file(apr_psprintf(unit_pool, "conf/keys/%s.key", name));
    jwk_t *key = NULL;
    jws_t *jws = NULL;
    char *made;
    const char *token;

    ck_assert_int_eq(r_jwk_init(&key), RHN_OK);
    ck_assert_int_eq(r_jwk_import_from_pem_der(key, R_X509_TYPE_PRIVKEY, R_FORMAT_PEM,
                                               (const unsigned char *)pem.data, pem.len),
                     RHN_OK);
    r_jwk_delete_property_str(key, "kid");
    ck_assert_int_eq(r_jws_init(&jws), RHN_OK);
    ck_assert_int_eq(r_jws_set_full_header_json_str(jws, header), RHN_OK);
    ck_assert_int_eq(
        r_jws_set_payload(jws, (const unsigned char *)payload, strlen(payload)), RHN_OK);
    made = r_jws_serialize(jws, key, R_FLAG_IGNORE_REMOTE);
    ck_assert_msg(made != NULL, "%s", header);
    token = apr_pstrdup(unit_pool, made);
    r_free(made);
    r_jws_free(jws);
    r_jwk_free(key);
    return token;
}

/* ---- running them ---- */

static const char *run_at(const char *words, const rig_ask_t *ask, apr_time_t now,
                          mouse_request_t **made)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const mouse_chain_t *chain = guard_rig_chain(rig, ask, &words, 1);
    mouse_request_t *req = rig_request(rig->rig, ask);
    mouse_error_t *err = NULL;

    req->now = now;
    if (made)
        *made = req;
    if (mouse_chain_run(chain, req, &err) == MOUSE_GUARD_PASS)
        return "pass";
    return apr_psprintf(unit_pool, "%d %s", err->status, err->log ? err->log : "");
}

static const char *run_header(const char *words, const char *authorization,
                              mouse_request_t **made)
{
    rig_ask_t *ask = apr_pcalloc(unit_pool, sizeof(*ask));

    if (authorization) {
        ask->sent[0] = "Authorization";
        ask->sent[1] = authorization;
    }
    return run_at(words, ask, apr_time_from_sec(NOW), made);
}

static const char *run(const char *words, const char *token)
{
    return run_header(words, apr_pstrcat(unit_pool, "Bearer ", token, NULL), NULL);
}

/* ---- headers and claims, rightly signed ---- */

static const struct {
    const char *header, *payload, *want;
} signed_tokens[] = {
    {HS256, GOOD, "pass"},
    {"{\"alg\":\"HS256\",\"kid\":\"whatever\"}", GOOD, "pass"},
    {"{\"alg\":\"HS256\",\"jku\":\"http://127.0.0.1:1/\",\"x5u\":\"http://127.0.0.1:1/\"}",
     GOOD, "pass"},
    {"{\"\\u0061lg\":\"HS256\"}", GOOD, "pass"},
    {"{\"alg\":\"none\"}", GOOD, "401 jwt: alg none"},
    {"{\"alg\":\"NoNe\"}", GOOD, "401 jwt: alg none"},
    {"{\"alg\":\"RS256\"}", GOOD, "401 jwt: alg not allowed"},
    {"{\"alg\":\"HS512\"}", GOOD, "401 jwt: alg not allowed"},
    {"{\"alg\":\"hs256\"}", GOOD, "401 jwt: alg not allowed"},
    {"{\"alg\":\"\"}", GOOD, "401 jwt: alg not allowed"},
    {"{\"alg\":\"HS256\\u0000\"}", GOOD, "401 jwt: alg not allowed"},
    {"{\"alg\":[\"HS256\"]}", GOOD, "401 jwt: malformed header"},
    {"{\"alg\":\"HS256\",\"alg\":\"none\"}", GOOD, "401 jwt: malformed header"},
    {"{\"alg\":\"none\",\"\\u0061lg\":\"HS256\"}", GOOD, "401 jwt: malformed header"},
    {"{\"alg\":\"HS256\",\"kid\":7}", GOOD, "401 jwt: malformed header"},
    {"{\"typ\":\"JWT\"}", GOOD, "401 jwt: malformed header"},
    {"[\"HS256\"]", GOOD, "401 jwt: malformed header"},
    {"HS256", GOOD, "401 jwt: malformed header"},
    {"", GOOD, "401 jwt: malformed header"},
    {HS256 " {}", GOOD, "401 jwt: malformed header"},
    {"{\"alg\":\"HS256\",\"crit\":[\"exp\"],\"exp\":1}", GOOD, "401 jwt: crit"},
    {"{\"alg\":\"HS256\",\"crit\":[]}", GOOD, "401 jwt: crit"},
    {"{\"alg\":\"HS256\",\"zip\":\"DEF\"}", GOOD, "401 jwt: compressed"},
    {HS256, "{" CLAIMS ",\"exp\":1699999941}", "pass"},
    {HS256, "{" CLAIMS ",\"exp\":1699999940}", "401 jwt: expired"},
    {HS256, "{" CLAIMS ",\"exp\":1699999940.5}", "pass"},
    {HS256, "{" CLAIMS ",\"exp\":-1}", "401 jwt: expired"},
    {HS256, "{" CLAIMS ",\"exp\":1.8e9}", "pass"},
    {HS256, "{" CLAIMS ",\"exp\":1e999}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS ",\"exp\":\"1700000300\"}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS ",\"exp\":null}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS "}", "401 jwt: no exp"},
    {HS256, "{" CLAIMS ",\"exp\":1,\"exp\":1700000300}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS ",\"exp\":1,\"\\u0065xp\":1700000300}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS ",\"exp\":1700000300,\"nbf\":1700000060}", "pass"},
    {HS256, "{" CLAIMS ",\"exp\":1700000300,\"nbf\":1700000061}", "401 jwt: not yet valid"},
    {HS256, "{" CLAIMS ",\"exp\":1700000300,\"nbf\":true}", "401 jwt: malformed claims"},
    {HS256, "{" CLAIMS ",\"exp\":1700000300,\"iat\":1700000060}", "pass"},
    {HS256, "{" CLAIMS ",\"exp\":1700000300,\"iat\":1700000061}",
     "401 jwt: issued in the future"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":[\"x\",\"shop\"],\"exp\":1700000300}",
     "pass"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":[\"x\",1],\"exp\":1700000300}",
     "401 jwt: wrong audience"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":[],\"exp\":1700000300}",
     "401 jwt: wrong audience"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":\"shop2\",\"exp\":1700000300}",
     "401 jwt: wrong audience"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":\"shop\\u0000\",\"exp\":1700000300}",
     "401 jwt: wrong audience"},
    {HS256, "{\"iss\":\"https://id.example\",\"aud\":{\"shop\":1},\"exp\":1700000300}",
     "401 jwt: malformed claims"},
    {HS256, "{\"iss\":\"https://id.example\",\"exp\":1700000300}",
     "401 jwt: wrong audience"},
    {HS256, "{\"iss\":\"https://id.example/\",\"aud\":\"shop\",\"exp\":1700000300}",
     "401 jwt: wrong issuer"},
    {HS256, "{\"iss\":[\"https://id.example\"],\"aud\":\"shop\",\"exp\":1700000300}",
     "401 jwt: wrong issuer"},
    {HS256, "{\"aud\":\"shop\",\"exp\":1700000300}", "401 jwt: wrong issuer"},
    {HS256, "[1]", "401 jwt: malformed claims"},
    {HS256, "", "401 jwt: malformed claims"},
    {HS256, GOOD "x", "401 jwt: malformed claims"},
};

START_TEST(headers_and_claims_are_judged)
{
    ck_assert_str_eq(run(SECRET, sign_hmac(secret(), signed_tokens[_i].header,
                                           signed_tokens[_i].payload)),
                     signed_tokens[_i].want);
}
END_TEST

/* ---- what is sent; %s is a good token, %h %p %g its parts ---- */

static const struct {
    const char *sent, *want;
} sent_headers[] = {
    {NULL, "401 jwt: no token"},
    {"", "401 jwt: no token"},
    {"Bearer", "401 jwt: no token"},
    {"Bearer  ", "401 jwt: no token"},
    {"Basic YTpi", "401 jwt: no token"},
    {"Bearers %s", "401 jwt: no token"},
    {"%s", "401 jwt: no token"},
    {"Bearer %s", "pass"},
    {"bearer %s", "pass"},
    {"BEARER   %s", "pass"},
    {"Bearer %s ", "401 jwt: bad base64"},
    {"Bearer %s, Bearer %s", "401 jwt: encrypted"},
    {"Bearer %s.", "401 jwt: not of three parts"},
    {"Bearer .%s", "401 jwt: not of three parts"},
    {"Bearer %h.%p", "401 jwt: not of three parts"},
    {"Bearer %h", "401 jwt: not of three parts"},
    {"Bearer ..", "401 jwt: malformed header"},
    {"Bearer %h.%p.", "401 jwt: bad signature"},
    {"Bearer %h..%g", "401 jwt: bad signature"},
    {"Bearer %h.%h.%g", "401 jwt: bad signature"},
    {"Bearer %p.%p.%g", "401 jwt: malformed header"},
    {"Bearer %h.%p.%g==", "401 jwt: bad base64"},
    {"Bearer %h.%p=.%g", "401 jwt: bad base64"},
    {"Bearer %h.%p.%g%%", "401 jwt: bad base64"},
    {"Bearer %h.%p.%gA", "401 jwt: bad signature"},
    {"Bearer %h.%p.%gAA", "401 jwt: bad base64"},
    {"Bearer %h\t.%p.%g", "401 jwt: bad base64"},
    {"Bearer %h.%p+.%g", "401 jwt: bad base64"},
    {"Bearer %h.%p.%g.%g.%g", "401 jwt: encrypted"},
};

static const char *fill_in(const char *sent)
{
    const char *token = good_token(), *dot = strchr(token, '.'),
               *last = strrchr(token, '.');
    char *out = apr_palloc(unit_pool, 4096), *at = out;

    for (; *sent; sent++) {
        const char *part = sent[0] == '%' ? sent + 1 : NULL;
        const char *from = sent, *to = sent + 1;

        if (part && *part == 's')
            from = token, to = token + strlen(token);
        else if (part && *part == 'h')
            from = token, to = dot;
        else if (part && *part == 'p')
            from = dot + 1, to = last;
        else if (part && *part == 'g')
            from = last + 1, to = last + strlen(last);
        memcpy(at, from, (size_t)(to - from));
        at += to - from;
        sent += part != NULL;
    }
    *at = '\0';
    return out;
}

START_TEST(tokens_are_taken_apart_strictly)
{
    const char *sent = sent_headers[_i].sent ? fill_in(sent_headers[_i].sent) : NULL;

    ck_assert_str_eq(run_header(SECRET, sent, NULL), sent_headers[_i].want);
}
END_TEST

/* The last character of 32 bytes has two bits that belong to none. */
START_TEST(one_spelling_of_a_signature_is_good)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char *token = apr_pstrdup(unit_pool, good_token());
    char *last = token + strlen(token) - 1;
    size_t at = (size_t)(strchr(alphabet, *last) - alphabet);

    ck_assert_int_eq(at % 4, 0);
    *last = alphabet[at + 1];
    ck_assert_str_eq(run(SECRET, token), "401 jwt: bad base64");
}
END_TEST

START_TEST(no_changed_character_passes)
{
    const char *good = good_token();
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *words = SECRET;
    rig_ask_t ask = {.sent = {"Authorization", NULL}};
    const mouse_chain_t *chain = guard_rig_chain(rig, &ask, &words, 1);
    size_t i;

    for (i = 0; i < strlen(good); i++) {
        char *token = apr_pstrcat(unit_pool, "Bearer ", good, NULL);
        mouse_error_t *err = NULL;
        mouse_request_t *req;

        token[7 + i] = token[7 + i] == 'A' ? 'B' : 'A';
        ask.sent[1] = token;
        req = rig_request(rig->rig, &ask);
        req->now = apr_time_from_sec(NOW);
        ck_assert_msg(mouse_chain_run(chain, req, &err) == MOUSE_GUARD_DENY, "at %d",
                      (int)i);
        ck_assert_int_eq(err->status, 401);
    }
}
END_TEST

START_TEST(long_tokens_are_refused)
{
    char *filler = apr_palloc(unit_pool, 6001);
    const char *payload;

    memset(filler, 'x', 6000);
    filler[6000] = '\0';
    filler[5900] = '\0';
    payload =
        apr_psprintf(unit_pool, "{" CLAIMS ",\"exp\":1700000300,\"x\":\"%s\"}", filler);
    ck_assert_str_eq(run(SECRET, sign_hmac(secret(), HS256, payload)), "pass");
    filler[5900] = 'x';
    payload =
        apr_psprintf(unit_pool, "{" CLAIMS ",\"exp\":1700000300,\"x\":\"%s%s\"}", filler,
                     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    ck_assert_str_eq(run(SECRET, sign_hmac(secret(), HS256, payload)),
                     "401 jwt: longer than 8 KiB");
}
END_TEST

/* ---- public keys ---- */

static const struct {
    const char *words, *key, *header, *want;
} publics[] = {
    {SET, "rsa", "{\"alg\":\"RS256\",\"kid\":\"rsa\"}", "pass"},
    {SET, "rsa", "{\"alg\":\"PS256\",\"kid\":\"rsa\"}", "pass"},
    {SET, "ec", "{\"alg\":\"ES256\",\"kid\":\"ec\"}", "pass"},
    {SET, "ed", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", "pass"},
    {SET, "ec", "{\"alg\":\"ES256\"}", "pass"},
    {SET, "ec", "{\"alg\":\"ES256\",\"kid\":\"EC\"}", "401 jwt: unknown kid"},
    {SET, "ec", "{\"alg\":\"ES256\",\"kid\":\"\"}", "401 jwt: unknown kid"},
    {SET, "rsa", "{\"alg\":\"RS256\",\"kid\":\"other\"}", "401 jwt: unknown kid"},
    {SET, "ec", "{\"alg\":\"ES256\",\"kid\":\"ed\"}",
     "401 jwt: the key does not fit the algorithm"},
    {SET, "rsa", "{\"alg\":\"RS256\",\"kid\":\"ec\"}",
     "401 jwt: the key does not fit the algorithm"},
    {SET, "rsa", "{\"alg\":\"RS512\",\"kid\":\"rsa\"}", "401 jwt: alg not allowed"},
    {"jwt jwks-file=conf/keys/public.json alg=ES256 aud=shop", "rsa",
     "{\"alg\":\"RS256\",\"kid\":\"rsa\"}", "401 jwt: alg not allowed"},
    {"jwt key-file=conf/keys/rsa.pem alg=RS256,PS256 aud=shop", "rsa",
     "{\"alg\":\"PS256\"}", "pass"},
    {"jwt key-file=conf/keys/rsa.pem alg=RS256 aud=shop", "rsa", "{\"alg\":\"PS256\"}",
     "401 jwt: alg not allowed"},
    {"jwt key-file=conf/keys/ec.pem alg=ES256 aud=shop", "ec",
     "{\"alg\":\"ES256\",\"kid\":\"x\"}", "pass"},
    {"jwt key-file=conf/keys/ed.pem alg=EdDSA aud=shop", "ed", "{\"alg\":\"EdDSA\"}",
     "pass"},
};

START_TEST(public_keys_verify)
{
    ck_assert_str_eq(
        run(publics[_i].words, sign(publics[_i].key, publics[_i].header, GOOD)),
        publics[_i].want);
}
END_TEST

/* The last quarter of a signature is another's. */
START_TEST(public_keys_refuse_changed_tokens)
{
    static const char *const made[][2] = {{"rsa", "{\"alg\":\"RS256\",\"kid\":\"rsa\"}"},
                                          {"rsa", "{\"alg\":\"PS256\",\"kid\":\"rsa\"}"},
                                          {"ec", "{\"alg\":\"ES256\",\"kid\":\"ec\"}"},
                                          {"ed", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"}};
    const char *token = sign(made[_i][0], made[_i][1], GOOD);
    const char *other = sign(made[_i][0], made[_i][1], "{\"sub\":\"admin\"}");
    const char *end = strrchr(token, '.');
    char *forged;

    forged = apr_pstrcat(
        unit_pool, apr_pstrndup(unit_pool, other, strrchr(other, '.') - other), end, NULL);
    ck_assert_str_eq(run(SET, forged), "401 jwt: bad signature");
    forged = apr_pstrndup(unit_pool, token, (size_t)(end - token) + 1);
    ck_assert_str_eq(run(SET, forged), "401 jwt: bad signature");
    forged = apr_pstrdup(unit_pool, token);
    forged[end - token + 9] = forged[end - token + 9] == 'A' ? 'B' : 'A';
    ck_assert_str_eq(run(SET, forged), "401 jwt: bad signature");
    forged = apr_pstrcat(unit_pool, token, "AAAA", NULL);
    ck_assert_str_ne(run(SET, forged), "pass");
}
END_TEST

/* All zeros is no signature, whatever the curve's arithmetic says (CVE-2022-21449). */
START_TEST(a_signature_of_zeros_is_none)
{
    static const char zeros[64];
    const char *token = sign("ec", "{\"alg\":\"ES256\",\"kid\":\"ec\"}", GOOD);
    const char *end = strrchr(token, '.');
    const char *forged =
        apr_pstrcat(unit_pool, apr_pstrndup(unit_pool, token, (size_t)(end - token) + 1),
                    encode(zeros, sizeof(zeros)), NULL);

    ck_assert_str_eq(run(SET, forged), "401 jwt: bad signature");
}
END_TEST

/* An HMAC by what everybody knows, and a key that the token brings along. */
START_TEST(keys_are_never_the_tokens_choice)
{
    mouse_slice_t pem = unit_file("conf/keys/ec.pem");
    const char *text = apr_pstrmemdup(unit_pool, pem.data, pem.len);
    const char *both = "jwt jwks-file=conf/keys/secrets.json alg=HS256,ES256 aud=shop";
    const char *by_pem = sign_hmac(text, "{\"alg\":\"HS256\",\"kid\":\"ec\"}", GOOD);
    const char *own_jwk =
        "{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"jwk\":{\"kty\":\"OKP\",\"crv\":\"Ed25519\","
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}}";
    const char *token = sign("ed", own_jwk, GOOD);

    ck_assert_str_eq(run(SET, by_pem), "401 jwt: alg not allowed");
    ck_assert_str_eq(run(both, by_pem), "401 jwt: the key does not fit the algorithm");
    ck_assert_str_eq(run(both, sign_hmac(text, "{\"alg\":\"HS256\",\"kid\":\"hs\"}", GOOD)),
                     "401 jwt: bad signature");
    ck_assert_str_eq(run(both, sign_hmac("a secret of the tests, longer than 32 bytes",
                                         "{\"alg\":\"HS256\",\"kid\":\"hs\"}", GOOD)),
                     "pass");
    ck_assert_str_eq(run(both, sign("ec", "{\"alg\":\"ES256\",\"kid\":\"ec\"}", GOOD)),
                     "pass");
    ck_assert_str_eq(run(SET, token), "pass");
    ck_assert_str_eq(
        run(SET,
            apr_pstrcat(unit_pool, encode_text(own_jwk), ".", encode_text(GOOD),
                        ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg"
                        "5BhVsPt9g7sVvpAr_MuM0KAg",
                        NULL)),
        "401 jwt: bad signature");
}
END_TEST

/* ---- the RFCs' own examples ---- */

static const char *write_file(const char *text)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-jwt-XXXXXX");
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    return path;
}

#define RFC_PAYLOAD                                                                        \
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290" \
    "Ijp0cnVlfQ"

/* RFC 7515 A.1, A.2, A.3; RFC 8037 A.4, whose payload is no JSON. */
static const struct {
    const char *alg, *key, *token, *want;
} examples[] = {
    {"HS256",
     "{\"kty\":\"oct\",\"k\":\"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3"
     "Yj0iPS4hcgUuTwjAzZr1Z9CAow\"}",
     "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." RFC_PAYLOAD
     ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
     "pass"},
    {"RS256",
     "{\"kty\":\"RSA\",\"n\":\"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_"
     "wWJcyQoTbji9k0l8W26mPddxHmfH"
     "Qp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_"
     "YpRPEwOWvG6b32690r2jZ47soMZo"
     "9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-"
     "UTo7WTBEMa2R2CapHg665xsmtdVMT"
     "BQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_"
     "h9iaGNj8q2ethFkMLs91kzk2"
     "PAcDTW9gb54h4FRWyuXpoQ\",\"e\":\"AQAB\"}",
     "eyJhbGciOiJSUzI1NiJ9." RFC_PAYLOAD
     ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_"
     "lF5YKt_"
     "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
     "nZLgrnbyTyWzO75vRK5h6xBArLIAR"
     "NPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
     "eOkHWEsqtFZESc6BfI7noOPqvh"
     "J1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_"
     "IoypGlUPQGe77Rw",
     "pass"},
    {"ES256",
     "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
     "\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
     "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}",
     "eyJhbGciOiJFUzI1NiJ9." RFC_PAYLOAD
     ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-"
     "Kg6NU1Q",
     "pass"},
    {"EdDSA",
     "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":"
     "\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}",
     "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
     "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_"
     "MuM0KAg",
     "401 jwt: malformed claims"},
};

START_TEST(examples_of_the_rfcs_verify)
{
    const char *path =
        write_file(apr_psprintf(unit_pool, "{\"keys\":[%s]}", examples[_i].key));
    const char *words =
        apr_psprintf(unit_pool, "jwt jwks-file=%s alg=%s iss=joe", path, examples[_i].alg);
    const rig_ask_t ask = {
        .sent = {"Authorization",
                 apr_pstrcat(unit_pool, "Bearer ", examples[_i].token, NULL)}};

    ck_assert_str_eq(run_at(words, &ask, apr_time_from_sec(1300819000), NULL),
                     examples[_i].want);
    if (strcmp(examples[_i].want, "pass") == 0)
        ck_assert_str_eq(run(words, examples[_i].token), "401 jwt: expired");
    unlink(path);
}
END_TEST

/* ---- where the token comes from, and what becomes of it ---- */

START_TEST(a_401_says_how)
{
    mouse_request_t *req;

    run_header(SECRET, NULL, &req);
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"),
                     "Bearer realm=\"first\"");
    run_header(SECRET, "Bearer x.y.z", &req);
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"),
                     "Bearer realm=\"first\", error=\"invalid_token\"");
    run_header(SECRET " realm=shop", NULL, &req);
    ck_assert_str_eq(apr_table_get(req->headers, "WWW-Authenticate"),
                     "Bearer realm=\"shop\"");
}
END_TEST

START_TEST(an_optional_token_may_be_absent)
{
    mouse_request_t *req;
    const char *words = SECRET " optional";

    ck_assert_str_eq(run_header(words, NULL, &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.sub"), "null");
    ck_assert_str_eq(run_header(words, fill_in("Bearer %s"), &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.sub"), "u1");
    ck_assert_str_eq(run_header(words, fill_in("Bearer %h.%p."), &req),
                     "401 jwt: bad signature");
}
END_TEST

START_TEST(a_token_may_be_a_cookie)
{
    const char *words = SECRET " token={cookie.jwt}";
    const rig_ask_t with = {.cookie = apr_pstrcat(unit_pool, "jwt=", good_token(), NULL)};
    const rig_ask_t empty = {.cookie = "jwt="};

    ck_assert_str_eq(run_at(words, &with, apr_time_from_sec(NOW), NULL), "pass");
    ck_assert_str_eq(run_at(words, &empty, apr_time_from_sec(NOW), NULL),
                     "401 jwt: no token");
    ck_assert_str_eq(run_header(words, fill_in("Bearer %s"), NULL), "401 jwt: no token");
}
END_TEST

START_TEST(options_bend_the_rules)
{
    const char *no_exp = sign_hmac(secret(), HS256, "{\"sub\":\"u1\"}");
    const char *late = sign_hmac(secret(), HS256, "{\"exp\":1700000000}");
    const char *plain = "jwt key-file=conf/keys/secret alg=HS256";

    ck_assert_str_eq(run(plain, no_exp), "401 jwt: no exp");
    ck_assert_str_eq(run("jwt key-file=conf/keys/secret alg=HS256 no-exp", no_exp), "pass");
    ck_assert_str_eq(run(plain, late), "pass");
    ck_assert_str_eq(run("jwt key-file=conf/keys/secret alg=HS256 leeway=0s", late),
                     "401 jwt: expired");
    ck_assert_str_eq(run(plain, good_token()), "401 jwt: wrong audience");
}
END_TEST

static const struct {
    const char *json, *text;
    mouse_value_kind_t kind;
} values[] = {
    {"\"a\\u00e4\\n\"", "a\xc3\xa4\n", MOUSE_VALUE_STRING},
    {"9007199254740993", "9007199254740993", MOUSE_VALUE_INT},
    {"-9223372036854775808", "-9223372036854775808", MOUSE_VALUE_INT},
    {"18446744073709551615", "18446744073709551615", MOUSE_VALUE_UINT},
    {"18446744073709551616", "18446744073709551616", MOUSE_VALUE_DECIMAL},
    {"-9223372036854775809", "-9223372036854775809", MOUSE_VALUE_DECIMAL},
    {"1.50", "1.50", MOUSE_VALUE_DECIMAL},
    {"1e3", "1000", MOUSE_VALUE_DOUBLE},
    {"true", "true", MOUSE_VALUE_BOOL},
    {"false", "false", MOUSE_VALUE_BOOL},
    {"null", "null", MOUSE_VALUE_NULL},
    {"[\"a\", {\"b\":1}]", "[\"a\", {\"b\":1}]", MOUSE_VALUE_JSON},
    {"{\"a\":[]}", "{\"a\":[]}", MOUSE_VALUE_JSON},
};

START_TEST(claims_are_context)
{
    const char *token =
        sign_hmac(secret(), HS256,
                  apr_psprintf(unit_pool, "{" CLAIMS ",\"exp\":1700000300,\"it\":%s}",
                               values[_i].json));
    mouse_request_t *req;
    mouse_value_t value;
    mouse_error_t *err = NULL;

    ck_assert_str_eq(
        run_header(SECRET, apr_pstrcat(unit_pool, "Bearer ", token, NULL), &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.it"), values[_i].text);
    ck_assert_str_eq(guard_rig_value(req, "first.absent"), "null");
    ck_assert_int_eq(mouse_request_value(req, "first", "it", &value, &err), APR_SUCCESS);
    ck_assert_int_eq(value.kind, values[_i].kind);
}
END_TEST

START_TEST(a_name_with_nul_is_no_other)
{
    const char *token = sign_hmac(secret(), HS256,
                                  "{\"sub\\u0000\":\"admin\",\"\":1,\"sub\":\"u1\"," CLAIMS
                                  ",\"exp\":1700000300,\"id\\u0000x\":7}");
    mouse_request_t *req;

    ck_assert_str_eq(
        run_header(SECRET, apr_pstrcat(unit_pool, "Bearer ", token, NULL), &req), "pass");
    ck_assert_str_eq(guard_rig_value(req, "first.sub"), "u1");
    ck_assert_str_eq(guard_rig_value(req, "first.id"), "null");
}
END_TEST

/* ---- what is refused at start ---- */

static const struct {
    const char *words, *says; /* NULL: accepted */
} refusals[] = {
    {SECRET " leeway=2m token={cookie.a} realm=a no-exp optional", NULL},
    {SECRET " realm=\"", "realm="},
    {"jwt key-file=conf/keys/secret", "alg= is required"},
    {"jwt alg=HS256", "jwks-file=FILE or key-file=FILE"},
    {"jwt alg=ES256 key-file=conf/keys/ec.pem jwks-file=conf/keys/public.json",
     "jwks-file=FILE or key-file=FILE"},
    {"jwt key-file=conf/keys/secret alg=none", "\"none\""},
    {"jwt key-file=conf/keys/secret alg=HS256,", "\"\""},
    {"jwt key-file=conf/keys/secret alg=HS512", "\"HS512\""},
    {"jwt key-file=conf/keys/secret alg=HS256 alg=HS256", "twice"},
    {"jwt key-file=conf/keys/secret alg=HS256 loud", "\"loud\""},
    {"jwt key-file=conf/keys/secret alg=HS256 leeway=x", "leeway=x"},
    {"jwt key-file=conf/keys/secret alg=HS256 leeway=2h", "leeway=2h"},
    {"jwt key-file=conf/keys/secret alg=HS256 iss=", "iss= and aud="},
    {"jwt key-file=conf/keys/secret alg=HS256 token=jwt", "{"},
    {"jwt key-file=conf/keys/secret alg=HS256 token=a{cookie.a}", "not one value"},
    {"jwt key-file=conf/keys/secret alg=HS256,RS256", "HS256's secret"},
    {"jwt key-file=conf/keys/secret alg=RS256", "no public key in PEM"},
    {"jwt key-file=conf/keys/rsa.pem alg=HS256", "needs a secret"},
    {"jwt key-file=conf/keys/public.json alg=HS256", "needs a secret"},
    {"jwt key-file=conf/keys/short.secret alg=HS256", "at least 32 bytes"},
    {"jwt key-file=conf/keys/rsa.pem alg=ES256", "does not fit alg=ES256"},
    {"jwt key-file=conf/keys/rsa.pem alg=RS256,EdDSA", "does not fit alg=EdDSA"},
    {"jwt key-file=conf/keys/rsa1024.pem alg=RS256", "does not fit alg=RS256"},
    {"jwt key-file=conf/keys/rsa.key alg=RS256", "private key"},
    {"jwt key-file=conf/keys/absent alg=RS256", "conf/keys/absent: No such file"},
    {"jwt key-file=conf/keys alg=RS256", "Is a directory"},
    {"jwt jwks-file=conf/keys/rsa.pem alg=RS256", "no JWK Set"},
    {"jwt jwks-file=conf/keys/secrets.json alg=ES256", "holds a secret"},
    {"jwt jwks-file=conf/keys/private.json alg=EdDSA", "private key"},
    {"jwt jwks-file=conf/keys/twins.json alg=ES256", "same kid"},
    {"jwt jwks-file=conf/keys/none.json alg=RS256", "no key for alg=RS256"},
    {"jwt jwks-file=conf/keys/public.json alg=HS256", "no key for alg=HS256"},
};

START_TEST(wrong_words_and_keys_are_refused)
{
    guard_rig_judge(guard_rig_open(NULL, NULL), refusals[_i].words, refusals[_i].says);
}
END_TEST

/* Members that are of no use are passed over, whatever is wrong with them. */
START_TEST(a_set_is_read_past_what_is_of_no_use)
{
    const char *path =
        write_file("{\"keys\":[7,{},{\"kty\":7},"
                   "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"},"
                   "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"},"
                   "{\"kty\":\"oct\",\"k\":\"c2hvcnQ\"},"
                   "{\"kty\":\"OKP\",\"crv\":\"Ed448\",\"x\":\"AA\"},"
                   "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"},"
                   "{\"kty\":\"RSA\",\"x5u\":\"http://127.0.0.1:1/\"}]}");
    const char *says = guard_rig_refusal(
        guard_rig_open(NULL, NULL),
        apr_psprintf(unit_pool, "jwt jwks-file=%s alg=HS256,RS256,ES256,EdDSA", path));

    ck_assert_msg(says && strstr(says, "the set has no key for"), "%s", says ? says : "");
    unlink(path);
}
END_TEST

/* The example of RFC 7515 A.3 with another y. */
START_TEST(a_point_off_its_curve_verifies_nothing)
{
    const char *path =
        write_file("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
                   "\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                   "\"y\":\"x_GEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]}");

    ck_assert_str_eq(
        run(apr_psprintf(unit_pool, "jwt jwks-file=%s alg=ES256", path), examples[2].token),
        "401 jwt: bad signature");
    unlink(path);
}
END_TEST

START_TEST(readable_secrets_are_warned_of)
{
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    const char *path = write_file("a secret that is longer than 32 bytes\r\n");
    const char *words = apr_psprintf(unit_pool, "jwt key-file=%s alg=HS256", path);

    ck_assert_ptr_null(guard_rig_refusal(rig, words));
    ck_assert_int_eq(rig->rig->log->nelts, 0);
    ck_assert_int_eq(chmod(path, 0644), 0);
    ck_assert_ptr_null(guard_rig_refusal(rig, words));
    ck_assert_int_eq(rig->rig->log->nelts, 1);
    ck_assert_ptr_nonnull(
        strstr(APR_ARRAY_IDX(rig->rig->log, 0, const char *), "everybody can read"));
    ck_assert_str_eq(run(apr_pstrcat(unit_pool, words, " aud=shop", NULL),
                         sign_hmac("a secret that is longer than 32 bytes", HS256, GOOD)),
                     "pass");
    unlink(path);
}
END_TEST

/* ---- a file that changes ---- */

static void replace_file(const char *path, const char *text)
{
    ck_assert_int_eq(rename(write_file(text), path), 0);
}

static const char *set_file(const char *name)
{
    mouse_slice_t text = unit_file(apr_psprintf(unit_pool, "conf/keys/%s", name));

    return apr_pstrmemdup(unit_pool, text.data, text.len);
}

typedef struct change_t {
    guard_rig_t *rig;
    mouse_guard_t *guard;
    const mouse_chain_t *chain;
    const char *token;
} change_t;

static const char *try_token(const change_t *change)
{
    const rig_ask_t ask = {
        .sent = {"Authorization", apr_pstrcat(unit_pool, "Bearer ", change->token, NULL)}};
    mouse_request_t *req = rig_request(change->rig->rig, &ask);
    mouse_error_t *err = NULL;

    req->now = apr_time_from_sec(NOW);
    if (mouse_chain_run(change->chain, req, &err) == MOUSE_GUARD_PASS)
        return "pass";
    return err->log;
}

/* Refreshes; the last line of the log, or "". */
static const char *refresh(const change_t *change)
{
    const mouse_request_t *req = rig_request(change->rig->rig, &(rig_ask_t){.ip = NULL});
    apr_array_header_t *log = change->rig->rig->log;

    apr_array_clear(log);
    change->guard->provider->refresh(change->guard->config, unit_pool, req->log);
    ck_assert_int_le(log->nelts, 1);
    return log->nelts ? APR_ARRAY_IDX(log, 0, const char *) : "";
}

START_TEST(a_changed_set_is_read_again)
{
    const char *path = write_file(set_file("secrets.json"));
    const char *words =
        apr_psprintf(unit_pool, "jwt jwks-file=%s alg=HS256,ES256,EdDSA aud=shop", path);
    const mouse_guard_route_t route = {.count = 0};
    change_t change = {.rig = guard_rig_open(NULL, NULL),
                       .token = sign("ed", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", GOOD)};
    mouse_error_t *err = NULL;

    ck_assert(guard_rig_make(change.rig, "it", words, &change.guard, &err) == APR_SUCCESS);
    ck_assert(mouse_chain_create(unit_pool, (const mouse_guard_t *const *)&change.guard, 1,
                                 &route, &change.chain, &err) == APR_SUCCESS);
    ck_assert(change.guard->refreshes);
    ck_assert_str_eq(try_token(&change), "jwt: unknown kid");
    ck_assert_str_eq(refresh(&change), "");
    replace_file(path, set_file("public.json"));
    ck_assert_ptr_nonnull(strstr(refresh(&change), "was read again: 2 keys"));
    ck_assert_str_eq(try_token(&change), "pass");
    replace_file(path, "{\"keys\":[");
    ck_assert_ptr_nonnull(strstr(refresh(&change), "the old keys stay"));
    ck_assert_str_eq(refresh(&change), "");
    ck_assert_str_eq(try_token(&change), "pass");
    unlink(path);
    ck_assert_ptr_nonnull(strstr(refresh(&change), "the old keys stay"));
    ck_assert_str_eq(refresh(&change), "");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_ptr_nonnull(strstr(refresh(&change), "Is a directory; the old keys stay"));
    ck_assert_str_eq(refresh(&change), "");
    ck_assert_str_eq(try_token(&change), "pass");
    ck_assert_int_eq(rmdir(path), 0);
    replace_file(path, set_file("secrets.json"));
    ck_assert_ptr_nonnull(strstr(refresh(&change), "was read again: 2 keys"));
    ck_assert_str_eq(try_token(&change), "jwt: unknown kid");
    unlink(path);
}
END_TEST

/* A secret may be gone for the children's user: it is never looked for. */
START_TEST(a_single_key_is_not_read_again)
{
    const char *path = write_file("a secret that is longer than 32 bytes\n");
    guard_rig_t *rig = guard_rig_open(NULL, NULL);
    mouse_guard_t *guard = NULL;
    mouse_error_t *err = NULL;

    ck_assert(guard_rig_make(rig, "it",
                             apr_psprintf(unit_pool, "jwt key-file=%s alg=HS256", path),
                             &guard, &err) == APR_SUCCESS);
    ck_assert(!guard->refreshes);
    unlink(path);
    guard->provider->refresh(guard->config, unit_pool,
                             rig_request(rig->rig, &(rig_ask_t){.ip = NULL})->log);
    ck_assert_int_eq(rig->rig->log->nelts, 0);
}
END_TEST

/* Under ASan: a replaced set is there for ten minutes, and gone afterwards. */
START_TEST(replaced_sets_are_freed_later)
{
    const char *path = write_file(set_file("public.json"));
    mouse_jwt_store_t *store = NULL;
    apr_time_t now = apr_time_now();
    bool readable;
    int i;

    ck_assert_ptr_null(mouse_jwt_store_create(unit_pool, path, MOUSE_JWT_SET,
                                              MOUSE_JWT_ES256, &store, &readable));
    for (i = 0; i < 20; i++) {
        const mouse_jwt_keys_t *old = mouse_jwt_store_keys(store);

        replace_file(path, set_file("public.json"));
        mouse_jwt_store_refresh(store, now, unit_pool, NULL);
        ck_assert_ptr_ne(mouse_jwt_store_keys(store), old);
        ck_assert_int_eq(mouse_jwt_keys_count(old), 1);
        mouse_jwt_store_refresh(store, now + apr_time_from_sec(599), unit_pool, NULL);
        ck_assert_int_eq(mouse_jwt_keys_count(old), 1);
        now += apr_time_from_sec(300);
    }
    unlink(path);
}
END_TEST

/* ---- threads ---- */

typedef struct worker_t {
    mouse_jwt_store_t *store;
    const char *token;
    int passed;
} worker_t;

static void *APR_THREAD_FUNC work(apr_thread_t *thread, void *data)
{
    const mouse_jwt_rules_t rules = {.algs = ~0u, .aud = "shop"};
    worker_t *worker = data;
    int i;

    for (i = 0; i < 100; i++) {
        const mouse_json_node_t *claims;
        apr_pool_t *p;

        apr_pool_create(&p, apr_thread_pool_get(thread));
        worker->passed += mouse_jwt_verify(p, &rules, mouse_jwt_store_keys(worker->store),
                                           mouse_slice_of(worker->token),
                                           apr_time_from_sec(NOW), &claims) == NULL;
        apr_pool_destroy(p);
    }
    return NULL;
}

/* The same keys in all threads, while the file is read again and again. */
START_TEST(threads_share_the_keys)
{
    static const char *const made[][2] = {{"rsa", "{\"alg\":\"RS256\",\"kid\":\"rsa\"}"},
                                          {"rsa", "{\"alg\":\"PS256\",\"kid\":\"rsa\"}"},
                                          {"ec", "{\"alg\":\"ES256\",\"kid\":\"ec\"}"},
                                          {"ed", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"}};
    const char *path = write_file(set_file("public.json"));
    mouse_jwt_store_t *store = NULL;
    worker_t workers[COUNT(made)];
    apr_thread_t *threads[COUNT(made)];
    apr_status_t rv;
    bool readable;
    size_t i;

    ck_assert_ptr_null(mouse_jwt_store_create(unit_pool, path, MOUSE_JWT_SET,
                                              MOUSE_JWT_RS256 | MOUSE_JWT_PS256 |
                                                  MOUSE_JWT_ES256 | MOUSE_JWT_EDDSA,
                                              &store, &readable));
    for (i = 0; i < COUNT(made); i++) {
        workers[i] = (worker_t){store, sign(made[i][0], made[i][1], GOOD), 0};
        ck_assert(apr_thread_create(&threads[i], NULL, work, &workers[i], unit_pool) ==
                  APR_SUCCESS);
    }
    for (i = 0; i < 20; i++) {
        replace_file(path, set_file("public.json"));
        mouse_jwt_store_refresh(store, apr_time_now(), unit_pool, NULL);
        apr_sleep(1000);
    }
    for (i = 0; i < COUNT(made); i++) {
        apr_thread_join(&rv, threads[i]);
        ck_assert_int_eq(workers[i].passed, 100);
    }
    unlink(path);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("guard_jwt");
    TCase *tcase = unit_case(suite, "jwt");

    tcase_add_loop_test(tcase, headers_and_claims_are_judged, 0, COUNT(signed_tokens));
    tcase_add_loop_test(tcase, tokens_are_taken_apart_strictly, 0, COUNT(sent_headers));
    tcase_add_test(tcase, one_spelling_of_a_signature_is_good);
    tcase_add_test(tcase, no_changed_character_passes);
    tcase_add_test(tcase, long_tokens_are_refused);
    tcase_add_loop_test(tcase, public_keys_verify, 0, COUNT(publics));
    tcase_add_loop_test(tcase, public_keys_refuse_changed_tokens, 0, 4);
    tcase_add_test(tcase, a_signature_of_zeros_is_none);
    tcase_add_test(tcase, keys_are_never_the_tokens_choice);
    tcase_add_loop_test(tcase, examples_of_the_rfcs_verify, 0, COUNT(examples));
    tcase_add_test(tcase, a_401_says_how);
    tcase_add_test(tcase, an_optional_token_may_be_absent);
    tcase_add_test(tcase, a_token_may_be_a_cookie);
    tcase_add_test(tcase, options_bend_the_rules);
    tcase_add_loop_test(tcase, claims_are_context, 0, COUNT(values));
    tcase_add_test(tcase, a_name_with_nul_is_no_other);
    tcase_add_loop_test(tcase, wrong_words_and_keys_are_refused, 0, COUNT(refusals));
    tcase_add_test(tcase, a_set_is_read_past_what_is_of_no_use);
    tcase_add_test(tcase, a_point_off_its_curve_verifies_nothing);
    tcase_add_test(tcase, readable_secrets_are_warned_of);
    tcase_add_test(tcase, a_changed_set_is_read_again);
    tcase_add_test(tcase, a_single_key_is_not_read_again);
    tcase_add_test(tcase, replaced_sets_are_freed_later);
    tcase_add_test(tcase, threads_share_the_keys);
    return suite;
}
