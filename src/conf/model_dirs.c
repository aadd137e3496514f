/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MouseModels: directories of SQL files, each read once per dialect, and the look-up of a
 * model by its name. A virtual host's own directories come before the inherited ones.
 */
#include <apr_file_info.h>
#include <apr_strings.h>

#include "conf/conf_int.h"

/* What a directory gave, kept even when it could not be loaded: told once. */
typedef struct file_set_t {
    mouse_models_t *models;
} file_set_t;

const char *mouse_set_models(cmd_parms *cmd, void *unused, const char *args)
{
    mouse_conf_t *conf = mouse_conf_get(cmd->server);
    mouse_conf_models_t *models = apr_pcalloc(cmd->pool, sizeof(*models));
    apr_array_header_t *words;
    const char *mistake = mouse_arguments_split(cmd->pool, args, &words);
    const char *dir;
    apr_finfo_t info;

    (void)unused;
    if (mistake || (mistake = mouse_arguments_twice(cmd->pool, words, 1, NULL)))
        return mistake;
    if (words->nelts != 2 ||
        !(models->database = mouse_arguments_value(MOUSE_WORD(words, 1), "database")))
        return "MouseModels takes a directory and database=NAME";
    dir = ap_server_root_relative(cmd->pool, MOUSE_WORD(words, 0));
    if (!dir || apr_stat(&info, dir, APR_FINFO_TYPE, cmd->temp_pool) != APR_SUCCESS ||
        info.filetype != APR_DIR)
        return apr_psprintf(cmd->pool, "%s is no directory that can be read",
                            dir ? dir : MOUSE_WORD(words, 0));
    return mouse_item_add(cmd, conf->models, dir, &models->item);
}

static const mouse_models_t *load(mouse_compiler_t *compiler,
                                  const mouse_conf_models_t *from, mouse_dialect_t dialect)
{
    const char *key = apr_psprintf(compiler->ptemp, "%d %s", dialect, from->item.name);
    file_set_t *set = apr_hash_get(compiler->files, key, APR_HASH_KEY_STRING);
    mouse_error_t *err = NULL;

    if (set)
        return set->models;
    set = apr_pcalloc(compiler->ptemp, sizeof(*set));
    apr_hash_set(compiler->files, key, APR_HASH_KEY_STRING, set);
    if (mouse_models_load(compiler->pconf, from->item.name, dialect, &set->models, &err) !=
        APR_SUCCESS) {
        set->models = NULL;
        mouse_report_error(compiler->report, from->item.place, err);
    }
    return set->models;
}

/* The same name in two directories of one server has no order to decide by. */
static void find_clashes(mouse_compiler_t *compiler, const mouse_conf_loaded_t *mine)
{
    for (int i = 0; i < compiler->conf->loaded->nelts; i++) {
        const mouse_conf_loaded_t *other =
            &APR_ARRAY_IDX(compiler->conf->loaded, i, mouse_conf_loaded_t);

        if (!other->models || other->from->item.owner != mine->from->item.owner)
            continue;
        for (int m = 0; m < mouse_models_count(mine->models); m++) {
            const mouse_model_t *model = mouse_models_get(mine->models, m);
            const mouse_model_t *twin =
                mouse_model_find(other->models, mouse_model_name(model));

            if (twin)
                mouse_report(
                    compiler->report,
                    (mouse_place_t){mouse_model_file(model), mouse_model_line(model)},
                    "the model %s stands also at %s:%d: rename one of the two",
                    mouse_model_name(model), mouse_model_file(twin),
                    mouse_model_line(twin));
        }
    }
}

static void compile_directory(mouse_compiler_t *compiler, const mouse_conf_models_t *from)
{
    mouse_conf_database_t *database =
        mouse_item_find(compiler->conf->databases, from->database);
    mouse_conf_loaded_t loaded = {.from = from};

    if (!database) {
        mouse_report(compiler->report, from->item.place,
                     "there is no database \"%s\": declare it with MouseDatabase",
                     from->database);
    } else {
        loaded.slot = mouse_database_slot(compiler, database);
        loaded.models = load(compiler, from, mouse_driver_dialect(database->config.driver));
        if (loaded.models)
            find_clashes(compiler, &loaded);
    }
    APR_ARRAY_PUSH(compiler->conf->loaded, mouse_conf_loaded_t) = loaded;
}

void mouse_models_compile(mouse_compiler_t *compiler)
{
    const apr_array_header_t *all = compiler->conf->models;

    compiler->conf->loaded =
        apr_array_make(compiler->pconf, all->nelts, sizeof(mouse_conf_loaded_t));
    for (int i = 0; i < all->nelts; i++)
        compile_directory(compiler, APR_ARRAY_IDX(all, i, mouse_conf_models_t *));
}

static void use_slot(mouse_conf_t *conf, mouse_conf_slot_t *slot)
{
    for (int i = 0; i < conf->slots->nelts; i++) {
        if (APR_ARRAY_IDX(conf->slots, i, mouse_conf_slot_t *) == slot)
            return;
    }
    APR_ARRAY_PUSH(conf->slots, mouse_conf_slot_t *) = slot;
}

/* Each slot begins with what http knows of it. */
const apr_array_header_t *mouse_models_databases(void *baton)
{
    mouse_conf_t *conf = ((mouse_compiler_t *)baton)->conf;

    for (int i = 0; i < conf->loaded->nelts; i++)
        use_slot(conf, APR_ARRAY_IDX(conf->loaded, i, mouse_conf_loaded_t).slot);
    return conf->slots;
}

const mouse_conf_loaded_t *mouse_models_find(const mouse_conf_t *conf, const char *name)
{
    for (int i = 0; i < conf->loaded->nelts; i++) {
        const mouse_conf_loaded_t *loaded =
            &APR_ARRAY_IDX(conf->loaded, i, mouse_conf_loaded_t);

        if (loaded->models && mouse_model_find(loaded->models, name))
            return loaded;
    }
    return NULL;
}

const mouse_model_t *mouse_models_lookup(void *baton, const char *name,
                                         mouse_db_t *const **slot)
{
    mouse_compiler_t *compiler = baton;
    const mouse_conf_loaded_t *loaded = mouse_models_find(compiler->conf, name);

    if (!loaded)
        return NULL;
    use_slot(compiler->conf, loaded->slot);
    *slot = &loaded->slot->slot.db;
    return mouse_model_find(loaded->models, name);
}
