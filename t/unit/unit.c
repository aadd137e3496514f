/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The fixture and the runner of all unit tests. */

#include "unit.h"

#include <stdlib.h>

#include <apr_general.h>
#include <apr_strings.h>

apr_pool_t *unit_pool;

static void create_pool(void)
{
    apr_pool_create(&unit_pool, NULL);
}

static void destroy_pool(void)
{
    apr_pool_destroy(unit_pool);
}

TCase *unit_case(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, create_pool, destroy_pool);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return tcase;
}

mouse_slice_t unit_file(const char *path)
{
    const char *full = apr_pstrcat(unit_pool, MOUSE_SRCDIR "/t/", path, NULL);
    apr_file_t *file;
    apr_finfo_t info;
    char *data;
    apr_size_t len;

    ck_assert_msg(apr_file_open(&file, full, APR_FOPEN_READ, 0, unit_pool) == APR_SUCCESS,
                  "cannot open %s", full);
    ck_assert(apr_file_info_get(&info, APR_FINFO_SIZE, file) == APR_SUCCESS);
    len = (apr_size_t)info.size;
    data = apr_palloc(unit_pool, len + 1);
    ck_assert(apr_file_read_full(file, data, len, NULL) == APR_SUCCESS);
    data[len] = '\0';
    apr_file_close(file);
    return (mouse_slice_t){data, len};
}

int main(void)
{
    SRunner *runner;
    int failed;

    apr_initialize();
    atexit(apr_terminate);
    runner = srunner_create(unit_suite());
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
