/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseDatabase and MousePool: what a database is, and how many connections it gets.
 * Passwords come from files alone, read while the server is still root.
 */
#include <apr_lib.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

#define DEFAULT_MAX      20
#define DEFAULT_IDLE     apr_time_from_sec(60)
#define DEFAULT_LIFETIME apr_time_from_sec(30 * 60)
#define DEFAULT_WAIT     apr_time_from_sec(2)

/* apr_dbd takes any abbreviation of its keys, so `p=` is a password, too. */
static bool names_password(const char *key, size_t len)
{
    return (len > 0 && len <= 4 && strncmp("pass", key, len) == 0) ||
           (len > 4 && strncmp("pass", key, 4) == 0);
}

static bool holds_password(const char *params)
{
    static const char separators[] = " \t\r\n,;|";

    while (*(params += strspn(params, separators))) {
        size_t len = strcspn(params, " \t\r\n,;|=");
        const char *behind = params + len + strspn(params + len, " \t");

        if (*behind == '=' && names_password(params, len))
            return true;
        params += strcspn(params, separators);
    }
    return false;
}

static const char *set_database_option(cmd_parms *cmd, mouse_db_config_t *config,
                                       const char *word)
{
    const char *value;

    if ((value = mouse_arguments_value(word, "password-file")))
        return mouse_secret_read(cmd, "password", value, &config->password);
    if (strcmp(word, "datetime=utc") == 0)
        config->datetime_utc = true;
    else if (strcmp(word, "cancel=off") == 0)
        config->cancel = false;
    else if (strcmp(word, "tls=required") == 0)
        config->tls_required = true;
    else
        return apr_psprintf(
            cmd->pool,
            "unknown option \"%s\": MouseDatabase knows password-file=FILE, "
            "datetime=utc, cancel=off and tls=required",
            word);
    return NULL;
}

/* SQLite's parameters are a path, relative to ServerRoot as all of httpd's paths are. */
static const char *check_database(cmd_parms *cmd, mouse_db_config_t *config)
{
    int dialect = mouse_driver_dialect(config->driver);
    mouse_error_t *err = NULL;

    if (dialect < 0)
        return apr_psprintf(cmd->pool, "unknown driver \"%s\": there are mysql and sqlite3",
                            config->driver);
    if (dialect == MOUSE_DIALECT_SQLITE && config->params[0])
        config->params = ap_server_root_relative(cmd->pool, config->params);
    if (dialect == MOUSE_DIALECT_MYSQL && holds_password(config->params))
        return "a password does not belong into the parameters: write it into a file that "
               "only root may read and add password-file=FILE";
    if (mouse_db_check(cmd->pool, config, &err) != APR_SUCCESS)
        return mouse_report_sentence(cmd->pool, err);
    return NULL;
}

const char *mouse_set_database(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    mouse_conf_database_t *database = apr_pcalloc(cmd->pool, sizeof(*database));
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (words->nelts < 3)
        return "MouseDatabase takes NAME DRIVER \"PARAMS\" and options";
    database->config = (mouse_db_config_t){.name = MOUSE_WORD(words, 0),
                                           .driver = MOUSE_WORD(words, 1),
                                           .params = MOUSE_WORD(words, 2),
                                           .cancel = true};
    mistake = mouse_item_check_name(cmd->pool, database->config.name);
    for (int i = 3; i < words->nelts && !mistake; i++)
        mistake = set_database_option(cmd, &database->config, MOUSE_WORD(words, i));
    if (!mistake)
        mistake = mouse_arguments_twice(cmd->pool, words, 3, NULL);
    if (!mistake)
        mistake = check_database(cmd, &database->config);
    if (mistake)
        return mistake;
    database->slots = apr_array_make(cmd->pool, 1, sizeof(mouse_conf_slot_t *));
    return mouse_item_add(cmd, conf->databases, database->config.name, &database->item);
}

static const char *set_pool_time(cmd_parms *cmd, const char *word, const char *value,
                                 apr_interval_time_t *time)
{
    if (mouse_parse_duration(value, time) == APR_SUCCESS && *time > 0)
        return NULL;
    return apr_psprintf(cmd->pool, "\"%s\" is no time: write 500ms, 2s, 30m or 1h", word);
}

static const char *set_pool_option(cmd_parms *cmd, mouse_conf_pool_t *pool,
                                   const char *word)
{
    const char *value;

    if ((value = mouse_arguments_value(word, "idle")))
        return set_pool_time(cmd, word, value, &pool->idle);
    if ((value = mouse_arguments_value(word, "lifetime")))
        return set_pool_time(cmd, word, value, &pool->lifetime);
    if ((value = mouse_arguments_value(word, "wait")))
        return set_pool_time(cmd, word, value, &pool->wait);
    if ((value = mouse_arguments_value(word, "max"))) {
        char *end;
        apr_int64_t max = apr_strtoi64(value, &end, 10);

        if (!apr_isdigit(*value) || *end || max < 1 || max > 10000)
            return apr_psprintf(cmd->pool, "\"%s\": max is a number from 1 to 10000", word);
        pool->max = (int)max;
        return NULL;
    }
    return apr_psprintf(
        cmd->pool,
        "unknown option \"%s\": MousePool knows max=, idle=, lifetime= and wait=", word);
}

const char *mouse_set_pool(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_pool_t *pool = apr_pcalloc(cmd->pool, sizeof(*pool));
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);

    (void)unused;
    if (mistake)
        return mistake;
    if (words->nelts < 2)
        return "MousePool takes the NAME of a database and max=, idle=, lifetime= or wait=";
    pool->max = MOUSE_UNSET;
    pool->idle = pool->lifetime = pool->wait = MOUSE_UNSET;
    for (int i = 1; i < words->nelts; i++) {
        if ((mistake = set_pool_option(cmd, pool, MOUSE_WORD(words, i))))
            return mistake;
    }
    if ((mistake = mouse_arguments_twice(cmd->pool, words, 1, NULL)))
        return mistake;
    return mouse_item_add(cmd, mouse_conf_get(cmd->server)->pools, MOUSE_WORD(words, 0),
                          &pool->item);
}

static void fill_config(mouse_db_config_t *config, const mouse_conf_pool_t *pool)
{
    config->max = pool && pool->max != MOUSE_UNSET ? pool->max : DEFAULT_MAX;
    config->idle = pool && pool->idle != MOUSE_UNSET ? pool->idle : DEFAULT_IDLE;
    config->lifetime =
        pool && pool->lifetime != MOUSE_UNSET ? pool->lifetime : DEFAULT_LIFETIME;
    config->wait = pool && pool->wait != MOUSE_UNSET ? pool->wait : DEFAULT_WAIT;
}

static mouse_conf_slot_t *find_slot(mouse_compiler_t *compiler,
                                    mouse_conf_database_t *database,
                                    const mouse_conf_pool_t *pool)
{
    mouse_conf_slot_t *slot;

    for (int i = 0; i < database->slots->nelts; i++) {
        slot = APR_ARRAY_IDX(database->slots, i, mouse_conf_slot_t *);
        if (slot->pool == pool)
            return slot;
    }
    slot = apr_pcalloc(compiler->pconf, sizeof(*slot));
    slot->config = database->config;
    slot->pool = pool;
    slot->place = database->item.place;
    slot->slot.config = &slot->config;
    fill_config(&slot->config, pool);
    APR_ARRAY_PUSH(database->slots, mouse_conf_slot_t *) = slot;
    return slot;
}

mouse_conf_slot_t *mouse_database_slot(mouse_compiler_t *compiler,
                                       mouse_conf_database_t *database)
{
    const mouse_conf_pool_t *pool =
        mouse_item_find(compiler->conf->pools, database->item.name);
    mouse_conf_slot_t *slot = find_slot(compiler, database, pool);
    mouse_settings_t settings;

    /* Hosts that share a pool may differ in MouseTimeout: the longest bounds the
     * session. */
    mouse_settings_fill(&settings, compiler->conf);
    if (slot->config.timeout < settings.timeout)
        slot->config.timeout = settings.timeout;
    return slot;
}
