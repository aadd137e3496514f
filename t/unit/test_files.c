/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* guard: files of secrets, as they may lie on a disk. */

#include "guard/mouse_guard.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>

#include "unit.h"

static const char *warned;

static const char *find_path(void *baton, const char *name)
{
    (void)baton;
    return name[0] ? name : NULL;
}

static void warn(void *baton, const char *text)
{
    (void)baton;
    warned = text;
}

static const char *write_file(mouse_slice_t text, mode_t mode)
{
    char *path = apr_pstrdup(unit_pool, "/tmp/mouse-keys-XXXXXX");
    int fd = mkstemp(path);

    ck_assert(fd >= 0);
    ck_assert_int_eq(write(fd, text.data, text.len), (ssize_t)text.len);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    close(fd);
    return path;
}

/* "one|two", or what the server would say. */
static const char *read_keys(const char *path)
{
    const mouse_guard_setup_t setup = {.pconf = unit_pool,
                                       .name = "it",
                                       .file = "site.conf",
                                       .line = 12,
                                       .path = find_path,
                                       .warn = warn};
    const mouse_slice_t *keys;
    const char *all = "";
    mouse_error_t *err = NULL;
    int i, count;

    if (mouse_guard_keys(&setup, path, &keys, &count, &err) != APR_SUCCESS)
        return mouse_error_text(unit_pool, err);
    for (i = 0; i < count; i++)
        all = apr_pstrcat(unit_pool, all, i > 0 ? "|" : "",
                          mouse_slice_copy(unit_pool, keys[i]), NULL);
    return all;
}

static const struct {
    mouse_slice_t text;
    const char *want; /* the keys, or a part of the refusal */
    bool refused;
} files[] = {
    {MOUSE_SLICE("one\n"), "one", false},
    {MOUSE_SLICE("one"), "one", false},
    {MOUSE_SLICE("one\r\n"), "one", false},
    {MOUSE_SLICE("one\ntwo\n"), "one|two", false},
    {MOUSE_SLICE("\none\n\n\ntwo"), "one|two", false},
    {MOUSE_SLICE(" one \n# two\n"), " one |# two", false},
    {MOUSE_SLICE(""), "is empty", true},
    {MOUSE_SLICE("\n\r\n"), "holds no key", true},
    {MOUSE_SLICE("one\0two\n"), "holds NUL", true},
};

START_TEST(keys_are_lines)
{
    const char *path = write_file(files[_i].text, 0600);
    const char *said = read_keys(path);

    unlink(path);
    ck_assert_msg(strstr(said, files[_i].want) != NULL, "%s", said);
    ck_assert_int_eq(strncmp(said, "site.conf:12: guard it: ", 24) == 0, files[_i].refused);
    if (!files[_i].refused)
        ck_assert_str_eq(said, files[_i].want);
}
END_TEST

START_TEST(large_missing_and_open_files)
{
    char *large = apr_palloc(unit_pool, 65537);
    const char *path;

    memset(large, 'k', 65537);
    path = write_file((mouse_slice_t){large, 65537}, 0600);
    ck_assert_ptr_nonnull(strstr(read_keys(path), "more than 65536 bytes"));
    unlink(path);
    ck_assert_ptr_nonnull(strstr(read_keys(path), "cannot read /tmp/mouse-keys-"));
    ck_assert_ptr_nonnull(strstr(read_keys(""), "no valid path"));
    warned = NULL;
    path = write_file(MOUSE_SLICE("k\n"), 0640);
    ck_assert_str_eq(read_keys(path), "k");
    ck_assert_ptr_null(warned);
    chmod(path, 0644);
    ck_assert_str_eq(read_keys(path), "k");
    ck_assert_ptr_nonnull(strstr(warned, "everybody can read"));
    unlink(path);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("files");
    TCase *tcase = unit_case(suite, "files");

    tcase_add_loop_test(tcase, keys_are_lines, 0, sizeof(files) / sizeof(files[0]));
    tcase_add_test(tcase, large_missing_and_open_files);
    return suite;
}
