/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The list of drivers, and their loading. A new kind of database is one file and one row
 * here. What a driver does is its own file's business.
 */

#include "db/db_int.h"

static const mouse_driver_t *const drivers[] = {
    &mouse_driver_mysql,
    &mouse_driver_sqlite,
};

const mouse_driver_t *mouse_driver_find(const char *name)
{
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        if (strcmp(drivers[i]->name, name) == 0)
            return drivers[i];
    }
    return NULL;
}

int mouse_driver_dialect(const char *name)
{
    const mouse_driver_t *driver = mouse_driver_find(name);

    return driver ? (int)driver->dialect : -1;
}

apr_status_t mouse_driver_load(apr_pool_t *p, const char *name,
                               const apr_dbd_driver_t **apr_driver, mouse_error_t **err)
{
    apr_status_t status = apr_dbd_init(p);
    char reason[256];

    if (status == APR_SUCCESS)
        status = apr_dbd_get_driver(p, name, apr_driver);
    if (status == APR_SUCCESS)
        return APR_SUCCESS;
    return mouse_error_set(err, p, MOUSE_E_CONFIG,
                           "apr_dbd cannot load its driver \"%s\" (%s): install it, on "
                           "Debian libaprutil1-dbd-%s",
                           name, apr_strerror(status, reason, sizeof(reason)), name);
}

apr_status_t mouse_db_check(apr_pool_t *p, const mouse_db_config_t *config,
                            mouse_error_t **err)
{
    const mouse_driver_t *driver = mouse_driver_find(config->driver);
    const apr_dbd_driver_t *apr_driver;

    if (!driver)
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "unknown database driver \"%s\": use mysql or sqlite3",
                               config->driver);
    if (mouse_driver_load(p, driver->name, &apr_driver, err) != APR_SUCCESS)
        return APR_EGENERAL;
    return driver->check(p, config, err);
}
