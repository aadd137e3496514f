/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `password hash={account.hash} value={password}`: does the value give the hash?
 *
 * An unknown user (no hash), a hash that is none and a value that no hash can have cost one
 * run of the same function at the same price as a wrong password, and get the same answer.
 * crypt_r of libcrypt and not apr_password_validate, which also takes {SHA}, $apr1$ and
 * plain text, and does not compare in constant time.
 */

#include "guard/guard_int.h"

#include <crypt.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <apr_strings.h>
#include <nettle/memops.h>

#define BCRYPT_MOST  72
#define MOST_AT_ONCE 10000

typedef struct password_t {
    const mouse_argument_t *hash, *value;
    const char *dummy; /* a salt and a cost as the models' hashes have, without a hash */
    int status;
    int most;            /* at once in a child; 0: any */
    atomic_int *running; /* of this child: made before it forked, written after */
} password_t;

/* What is read: DES, MD5 and the like are not. */
static const char *const methods[] = {"$y$",  "$gy$", "$7$", "$2b$",
                                      "$2y$", "$2a$", "$6$", NULL};

static const struct {
    const char *name, *prefix;
    int low, high, usual; /* the cost; 0: what libcrypt gives */
} costs[] = {
    {"yescrypt", "$y$", 1, 11, 0},
    {"bcrypt", "$2b$", 4, 31, 12},
    {"sha512crypt", "$6$", 1000, 999999999, 0},
};

/* "bcrypt:12" as the place in costs and the number behind the colon; -1 when it is none. */
static int find_cost(const char *text, unsigned long *count)
{
    size_t i, len = strcspn(text, ":");
    char *end;

    for (i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
        if (strlen(costs[i].name) != len || strncmp(costs[i].name, text, len) != 0)
            continue;
        *count = (unsigned long)costs[i].usual;
        if (text[len] == '\0')
            return (int)i;
        *count = strtoul(text + len + 1, &end, 10);
        if (text[len + 1] < '0' || text[len + 1] > '9' || *end ||
            *count < (unsigned long)costs[i].low || *count > (unsigned long)costs[i].high)
            return -1;
        return (int)i;
    }
    return -1;
}

static apr_status_t create_dummy(const mouse_guard_setup_t *setup, const char *cost,
                                 password_t *password, mouse_error_t **err)
{
    unsigned long count = 0;
    int place = find_cost(cost ? cost : "yescrypt", &count);
    char *salt = place < 0 ? NULL : crypt_gensalt_ra(costs[place].prefix, count, NULL, 0);

    if (!salt)
        return mouse_guard_refuse(setup, err,
                                  "cost=%s is none: write yescrypt, yescrypt:1 to 11, "
                                  "bcrypt:4 to 31 or sha512crypt:ROUNDS",
                                  cost);
    password->dummy = apr_pstrdup(setup->pconf, salt);
    free(salt);
    return APR_SUCCESS;
}

static apr_status_t take_value(mouse_guard_setup_t *setup, const char *name,
                               const char *text, const mouse_argument_t **arg,
                               mouse_error_t **err)
{
    apr_status_t rv;

    if (!text)
        return mouse_guard_refuse(setup, err,
                                  "password takes hash={account.hash} value={password}");
    rv = mouse_guard_argument(setup, text, arg, err);
    if (rv == APR_SUCCESS && !mouse_argument_is_value(*arg))
        return mouse_guard_refuse(setup, err, "%s is one value: {name} or {word.field}",
                                  name);
    return rv;
}

static apr_status_t take_most(const mouse_guard_setup_t *setup, const char *text,
                              password_t *password, mouse_error_t **err)
{
    password->running = apr_pcalloc(setup->pconf, sizeof(*password->running));
    if (!text)
        return APR_SUCCESS;
    return mouse_guard_number(setup, "at-once=", text, MOST_AT_ONCE, &password->most, err);
}

static apr_status_t create(mouse_guard_setup_t *setup, void **config, mouse_error_t **err)
{
    password_t *password = apr_pcalloc(setup->pconf, sizeof(*password));
    const char *hash = NULL, *value = NULL, *cost = NULL, *most = NULL, *status = NULL;
    const mouse_guard_option_t options[] = {{"hash=", &hash},   {"value=", &value},
                                            {"cost=", &cost},   {"at-once=", &most},
                                            {"else=", &status}, {NULL, NULL}};
    apr_status_t rv = mouse_guard_options(setup, 0, options, err);

    *config = password;
    if (rv == APR_SUCCESS)
        rv = take_value(setup, "hash=", hash, &password->hash, err);
    if (rv == APR_SUCCESS)
        rv = take_value(setup, "value=", value, &password->value, err);
    if (rv == APR_SUCCESS)
        rv = create_dummy(setup, cost, password, err);
    if (rv == APR_SUCCESS)
        rv = take_most(setup, most, password, err);
    if (rv == APR_SUCCESS)
        rv = mouse_guard_status(setup, status ? status : "401", &password->status, err);
    return rv;
}

/* ---- per request ---- */

static mouse_verdict_t refuse_absent(mouse_request_t *req, const char *name,
                                     mouse_error_t **err)
{
    mouse_violation_t *one;

    mouse_error_set(err, req->pool, MOUSE_E_PARAMETERS, NULL);
    (*err)->violations = apr_array_make(req->pool, 1, sizeof(mouse_violation_t));
    one = apr_array_push((*err)->violations);
    *one = (mouse_violation_t){.parameter = name,
                               .source = mouse_request_has_body(req) ? "body" : "query",
                               .rule = "required",
                               .detail = "The value is missing."};
    return MOUSE_GUARD_DENY;
}

static mouse_slice_t text_of(apr_pool_t *p, const mouse_value_t *value)
{
    return value->kind == MOUSE_VALUE_BYTES ? value->text : mouse_value_text(p, value);
}

static bool holds_nul(mouse_slice_t text)
{
    return text.len > 0 && memchr(text.data, '\0', text.len);
}

/* Why this is no hash that could fit, or NULL. */
static const char *check_hash(mouse_slice_t hash)
{
    if (!hash.data)
        return "there is no hash";
    if (hash.len >= CRYPT_OUTPUT_SIZE || holds_nul(hash))
        return "the hash is none";
    for (size_t i = 0; methods[i]; i++) {
        if (hash.len > strlen(methods[i]) &&
            memcmp(hash.data, methods[i], strlen(methods[i])) == 0)
            return NULL;
    }
    return "the hash is of no method that this guard knows";
}

/* Why no hash stands for this value, or NULL. bcrypt would look at its beginning alone. */
static const char *check_value(mouse_slice_t value, const char *hash)
{
    if (!value.data)
        return "there is no value";
    if (holds_nul(value))
        return "the value holds NUL";
    if (value.len >= CRYPT_MAX_PASSPHRASE_SIZE)
        return "the value is longer than 511 bytes";
    if (hash[1] == '2' && value.len > BCRYPT_MOST)
        return "the value is longer than bcrypt's 72 bytes";
    return NULL;
}

/* Does it give exactly this hash? *ran is false when it is of no use as a setting. */
static bool verify(const char *value, const char *hash, bool *ran)
{
    struct crypt_data *data = calloc(1, sizeof(*data));
    const char *made = data ? crypt_r(value, hash, data) : NULL;
    bool same;

    *ran = made && made[0] != '*';
    same = *ran && strlen(made) == strlen(hash) && memeql_sec(made, hash, strlen(hash));
    if (data)
        explicit_bzero(data, sizeof(*data));
    free(data);
    return same;
}

/* The method and cost of a hash, without the salt: "$2b$12", "$y$j9T". */
static size_t price_of(const char *hash, bool *bcrypt)
{
    const char *second = strchr(hash + 1, '$'), *third = strchr(second + 1, '$');

    *bcrypt = hash[1] == '2';
    if (hash[1] == '7' || (hash[1] == '6' && strncmp(second, "$rounds=", 8) != 0))
        third = second;
    return third ? (size_t)(third - hash) : strlen(hash);
}

static void compare_prices(mouse_request_t *req, const char *hash, const char *dummy)
{
    bool bcrypt, dummy_bcrypt;
    size_t len = price_of(hash, &bcrypt), dummy_len = price_of(dummy, &dummy_bcrypt);
    size_t skip = bcrypt && dummy_bcrypt ? strlen("$2b") : 0; /* $2y$ costs the same */

    if (len != dummy_len || memcmp(hash + skip, dummy + skip, len - skip) != 0)
        mouse_log(req->log, MOUSE_LOG_WARNING,
                  "password: a hash is %.*s, but cost= says %.*s: time tells unknown users",
                  (int)len, hash, (int)dummy_len, dummy);
}

/* NULL when the value gives the hash. Whatever is wrong: one whole run of crypt. */
static const char *find_fault(const password_t *password, mouse_request_t *req,
                              mouse_slice_t value, mouse_slice_t hash)
{
    const char *setting = password->dummy, *text = "x";
    const char *fault = check_hash(hash);
    bool ran, same;

    if (!fault) {
        setting = mouse_slice_copy(req->pool, hash);
        fault = check_value(value, setting);
    }
    if (value.len < CRYPT_MAX_PASSPHRASE_SIZE && !holds_nul(value))
        text = mouse_slice_copy(req->pool, value);
    same = verify(text, setting, &ran);
    if (!ran) {
        verify(text, password->dummy, &ran);
        return fault ? fault : "the hash is none, or there is no memory to look";
    }
    if (setting != password->dummy)
        compare_prices(req, setting, password->dummy);
    if (fault)
        return fault;
    return same ? NULL : "wrong password";
}

static mouse_verdict_t busy(mouse_request_t *req, mouse_error_t **err)
{
    mouse_guard_end(req, 503, "as many passwords as at-once= allows are being checked",
                    err);
    (*err)->retry_after = 1;
    return MOUSE_GUARD_DENY;
}

static mouse_verdict_t check(const void *config, mouse_request_t *req, mouse_error_t **err)
{
    const password_t *password = config;
    mouse_value_t hash, value;
    const char *name, *fault;
    int count;

    if (mouse_argument_value(req, password->value, &value, err) != APR_SUCCESS ||
        mouse_argument_value(req, password->hash, &hash, err) != APR_SUCCESS)
        return MOUSE_GUARD_DENY;
    name = mouse_argument_names(password->value, &count)[0];
    if (value.kind == MOUSE_VALUE_NULL && !strchr(name, '.'))
        return refuse_absent(req, name, err);
    if (atomic_fetch_add(password->running, 1) >= password->most && password->most > 0) {
        atomic_fetch_sub(password->running, 1);
        return busy(req, err);
    }
    fault =
        find_fault(password, req, text_of(req->pool, &value), text_of(req->pool, &hash));
    atomic_fetch_sub(password->running, 1);
    return fault ? mouse_guard_end(req, password->status, fault, err) : MOUSE_GUARD_PASS;
}

static void describe(const void *config, mouse_guard_facts_t *facts)
{
    const password_t *password = config;

    facts->status = password->status;
}

const mouse_guard_provider_t mouse_guard_password = {
    .name = "password",
    .wants = "rate-limit",
    .create = create,
    .check = check,
    .describe = describe,
};
