/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* base: errors, sinks, UTF-8. */

#include "unit.h"

START_TEST(error_text_names_the_place)
{
    mouse_error_t *err = NULL;

    ck_assert(mouse_error_at(&err, unit_pool, "a.sql", 3, 7, "no %s", "luck") !=
              APR_SUCCESS);
    ck_assert_str_eq(mouse_error_text(unit_pool, err), "a.sql:3:7: no luck");
    ck_assert(mouse_error_set(&err, unit_pool, MOUSE_E_NO_ROW, NULL) != APR_SUCCESS);
    ck_assert_int_eq(err->status, 404);
    ck_assert_str_eq(mouse_code_slug(err->code), "no-row");
}
END_TEST

START_TEST(sink_moves_to_a_file_and_keeps_its_limit)
{
    mouse_sink_t *sink = apr_palloc(unit_pool, sizeof(*sink));
    mouse_error_t *err = NULL;
    char back[8];
    apr_off_t start = 0;

    mouse_sink_init(sink, unit_pool, 4, 10);
    mouse_buf_literal(&sink->buf, "abc");
    ck_assert(mouse_sink_settle(sink, &err) == APR_SUCCESS);
    ck_assert_ptr_null(sink->file);
    mouse_buf_literal(&sink->buf, "defg");
    ck_assert(mouse_sink_settle(sink, &err) == APR_SUCCESS);
    ck_assert_ptr_nonnull(sink->file);
    ck_assert_int_eq(mouse_sink_size(sink), 7);
    ck_assert(apr_file_seek(sink->file, APR_SET, &start) == APR_SUCCESS);
    ck_assert(apr_file_read_full(sink->file, back, 7, NULL) == APR_SUCCESS);
    ck_assert_mem_eq(back, "abcdefg", 7);
    mouse_buf_literal(&sink->buf, "hijk");
    ck_assert(mouse_sink_settle(sink, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->code, MOUSE_E_ANSWER_TOO_LARGE);
    mouse_sink_reset(sink);
    ck_assert_int_eq(mouse_sink_size(sink), 0);
}
END_TEST

/* From malloc's blocks into pages of its own, by steps that meet every border. */
START_TEST(a_buffer_keeps_its_bytes_while_it_grows)
{
    static const size_t steps[] = {1, 255, 4096, 65536, 1000000};
    mouse_buf_t buf;
    size_t step = steps[_i], i;
    char *data;

    mouse_buf_init(&buf, unit_pool, _i % 2 ? 100 : 0);
    while (buf.len < 5000000) {
        char *room = mouse_buf_reserve(&buf, step);

        for (i = 0; i < step; i++)
            room[i] = (char)((buf.len + i) * 31 >> 4);
        buf.len += step;
        ck_assert_uint_le(buf.len, buf.cap);
    }
    for (i = 0; i < buf.len; i++)
        if (buf.data[i] != (char)(i * 31 >> 4))
            ck_abort_msg("byte %zu is another", i);
    data = mouse_buf_detach(&buf);
    ck_assert_ptr_null(buf.data);
    mouse_buf_free(data);
    mouse_buf_free(NULL);
}
END_TEST

START_TEST(a_buffer_has_the_room_it_was_made_with)
{
    static const size_t hints[] = {1, 240, 241, 16384, 1048576, 3000000};
    mouse_buf_t *buf = apr_palloc(unit_pool, sizeof(*buf));

    mouse_buf_init(buf, unit_pool, hints[_i]);
    ck_assert_uint_ge(buf->cap, hints[_i]);
    memset(mouse_buf_reserve(buf, hints[_i]), 'x', hints[_i]);
}
END_TEST

static const struct {
    size_t bytes, limit;
    const char *why; /* NULL: read */
} files[] = {
    {0, 10, NULL},  {9, 10, NULL},
    {10, 10, NULL}, {11, 10, "it has more than 10 bytes"},
    {0, 0, NULL},   {1, 0, "it has more than 0 bytes"},
};

START_TEST(files_are_read_whole_or_not)
{
    char name[] = "mouse-file-XXXXXX";
    mouse_slice_t text = {NULL, 0};
    apr_finfo_t info;
    const char *why;
    apr_file_t *file;

    ck_assert(apr_file_mktemp(&file, name,
                              APR_FOPEN_CREATE | APR_FOPEN_WRITE | APR_FOPEN_EXCL,
                              unit_pool) == APR_SUCCESS);
    ck_assert(apr_file_write_full(file, "0123456789a", files[_i].bytes, NULL) ==
              APR_SUCCESS);
    apr_file_close(file);
    why = mouse_file_read(unit_pool, name, files[_i].limit, &text, &info);
    ck_assert(apr_file_remove(name, unit_pool) == APR_SUCCESS);
    if (files[_i].why) {
        ck_assert_str_eq(why, files[_i].why);
    } else {
        ck_assert_ptr_null(why);
        ck_assert_uint_eq(text.len, files[_i].bytes);
        ck_assert_uint_eq(strlen(text.data), text.len);
        ck_assert_int_eq(info.filetype, APR_REG);
        ck_assert_int_eq(info.protection & APR_FPROT_WREAD, 0);
    }
}
END_TEST

START_TEST(what_is_no_such_file_is_said)
{
    mouse_slice_t text = {NULL, 0};
    apr_finfo_t info;

    ck_assert_str_eq(mouse_file_read(unit_pool, "none/there", 10, &text, &info),
                     "No such file or directory");
    ck_assert_str_eq(mouse_file_read(unit_pool, "/", 10, &text, &info), "Is a directory");
    ck_assert_ptr_null(mouse_file_read(unit_pool, "/dev/null", 10, &text, &info));
    ck_assert_uint_eq(text.len, 0);
    ck_assert_str_eq(mouse_file_read(unit_pool, "/dev/zero", 10, &text, &info),
                     "it has more than 10 bytes");
}
END_TEST

static const struct {
    const char *text;
    bool valid;
} utf8[] = {
    {"", true},
    {"abc", true},
    {"\xC3\xA9", true},
    {"\xE2\x80\xA8", true},
    {"\xF0\x9F\x90\xAD", true},
    {"\xF4\x8F\xBF\xBF", true},
    {"\xC0\x80", false},
    {"\xE0\x80\x80", false},
    {"\xED\xA0\x80", false},
    {"\xF4\x90\x80\x80", false},
    {"\xF8\x88\x80\x80\x80", false},
    {"\xE2\x80", false},
    {"\x80", false},
};

START_TEST(utf8_is_rfc_3629)
{
    ck_assert_int_eq(mouse_utf8_valid(utf8[_i].text, strlen(utf8[_i].text)),
                     utf8[_i].valid);
}
END_TEST

START_TEST(utf8_bad_subparts)
{
    size_t bad;

    ck_assert_uint_eq(mouse_utf8_sequence("\xE2\x80z", 3, &bad), 0);
    ck_assert_uint_eq(bad, 2);
    ck_assert_uint_eq(mouse_utf8_sequence("\xED\xA0\x80", 3, &bad), 0);
    ck_assert_uint_eq(bad, 1);
    ck_assert_uint_eq(mouse_utf8_length("a\xC3\xA9\xF0\x9F\x90\xAD", 7), 3);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *tcase = unit_case(suite, "base");

    tcase_add_test(tcase, error_text_names_the_place);
    tcase_add_test(tcase, sink_moves_to_a_file_and_keeps_its_limit);
    tcase_add_loop_test(tcase, a_buffer_keeps_its_bytes_while_it_grows, 0, 5);
    tcase_add_loop_test(tcase, a_buffer_has_the_room_it_was_made_with, 0, 6);
    tcase_add_loop_test(tcase, files_are_read_whole_or_not, 0,
                        sizeof(files) / sizeof(files[0]));
    tcase_add_test(tcase, what_is_no_such_file_is_said);
    tcase_add_loop_test(tcase, utf8_is_rfc_3629, 0, sizeof(utf8) / sizeof(utf8[0]));
    tcase_add_test(tcase, utf8_bad_subparts);
    return suite;
}
