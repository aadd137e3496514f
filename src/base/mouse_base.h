/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * base: what every room stands on - errors, log, slices, buffers, sinks.
 *
 * APR only. Nothing here knows of HTTP beyond a status number.
 */
#ifndef MOUSE_BASE_H
#define MOUSE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <apr_file_io.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <apr_time.h>

typedef struct mouse_error_t mouse_error_t;
typedef struct mouse_log_t mouse_log_t;
typedef struct mouse_slice_t mouse_slice_t;
typedef struct mouse_buf_t mouse_buf_t;
typedef struct mouse_sink_t mouse_sink_t;

#define MOUSE_MUST_USE          __attribute__((warn_unused_result))
#define MOUSE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* ---- slices: bytes that somebody else owns, not NUL-terminated ---- */

struct mouse_slice_t {
    const char *data;
    size_t len;
};

#define MOUSE_SLICE(literal) ((mouse_slice_t){(literal), sizeof(literal) - 1})

static inline mouse_slice_t mouse_slice_of(const char *string)
{
    return (mouse_slice_t){string, string ? strlen(string) : 0};
}

static inline bool mouse_slice_equal(mouse_slice_t a, mouse_slice_t b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* A NUL-terminated copy in p. */
char *mouse_slice_copy(apr_pool_t *p, mouse_slice_t slice);

/* ---- errors: one table (errors.def), one carrier ---- */

typedef enum {
#define MOUSE_ERROR(name, slug, status, title) MOUSE_E_##name,
#include "errors.def"
#undef MOUSE_ERROR
    MOUSE_E_COUNT
} mouse_code_t;

/* One thing wrong with one parameter of a request; many make one 422. */
typedef struct mouse_violation_t {
    const char *parameter; /* "items[2].qty" */
    const char *source;    /* path, query, body, header, cookie */
    const char *rule;   /* required, null, type, range, length, in, match, count, unknown,
                           repeated, conflict */
    const char *detail; /* a sentence for the client */
} mouse_violation_t;

/*
 * What went wrong. Functions that can fail return apr_status_t and store the
 * cause through their last parameter; the error lives in the pool they were
 * given. Only http's problem.c turns it into bytes, and logs it, once.
 */
struct mouse_error_t {
    mouse_code_t code;
    int status;         /* HTTP status */
    const char *detail; /* one sentence for the client; NULL: the title says all */
    const char *log;    /* for the log alone: database text and the like, or NULL */
    const char *file;   /* start-up errors: where; else NULL */
    int line;           /* from 1; 0: unknown */
    int column;         /* from 1, in bytes; 0: unknown. Also set with line for bad JSON */
    int retry_after;    /* seconds; 0: no Retry-After */
    const char *parameter;          /* the one parameter a constraint names, or NULL */
    apr_array_header_t *violations; /* of mouse_violation_t, or NULL */
    const char *members; /* more of the problem, JSON text without braces; or NULL */
};

/* Its columns in the table: "no-route", "Not found", 404. */
const char *mouse_code_slug(mouse_code_t code);
const char *mouse_code_title(mouse_code_t code);
int mouse_code_status(mouse_code_t code);
/* The members type, title and code of a problem document, as JSON text. */
mouse_slice_t mouse_code_members(mouse_code_t code);

/*
 * Stores a new error (allocated in p, status from the table, detail from the
 * format) in *err and returns APR_EGENERAL, so that a failing function can end with
 * `return mouse_error_set(err, p, MOUSE_E_NO_ROW, NULL)`. A NULL format: no detail.
 */
apr_status_t mouse_error_set(mouse_error_t **err, apr_pool_t *p, mouse_code_t code,
                             const char *format, ...) MOUSE_PRINTF(4, 5);

/* The same for a mistake in a file: MOUSE_E_CONFIG with its place. column 0: unknown. */
apr_status_t mouse_error_at(mouse_error_t **err, apr_pool_t *p, const char *file, int line,
                            int column, const char *format, ...) MOUSE_PRINTF(6, 7);

/* "file:12:7: text" (the parts that are known), allocated in p. */
const char *mouse_error_text(apr_pool_t *p, const mouse_error_t *err);

/* ---- log: a room without httpd writes through this ---- */

typedef enum {
    MOUSE_LOG_ERROR,
    MOUSE_LOG_WARNING,
    MOUSE_LOG_NOTICE,
    MOUSE_LOG_INFO,
    MOUSE_LOG_DEBUG
} mouse_log_level_t;

struct mouse_log_t {
    void (*write)(void *baton, mouse_log_level_t level, const char *message);
    void *baton;
};

/* log may be NULL: dropped. Messages are cut at 1 kB. */
void mouse_log(const mouse_log_t *log, mouse_log_level_t level, const char *format, ...)
    MOUSE_PRINTF(3, 4);

/* ---- buffers: contiguous bytes that grow; freed with their pool ---- */

/*
 * Memory comes from malloc or the system, not from the pool, so that growing frees the old
 * block. Out of memory aborts the process, as httpd's pools do: no caller checks.
 */
struct mouse_buf_t {
    char *data; /* cap bytes; not NUL-terminated */
    size_t len;
    size_t cap;
    apr_pool_t *pool;
};

/* An empty buffer with at least hint bytes of room, freed when p dies: buf must live as
 * long as p, or be detached before it goes. */
void mouse_buf_init(mouse_buf_t *buf, apr_pool_t *p, size_t hint);

/* Makes room for n more bytes. The slow half of mouse_buf_reserve. */
void mouse_buf_grow(mouse_buf_t *buf, size_t n);

/* Gives the memory up to the caller, who must mouse_buf_free() it; buf is dead until the
 * next init. */
char *mouse_buf_detach(mouse_buf_t *buf);
/* data: of mouse_buf_detach, or NULL. */
void mouse_buf_free(void *data);

/* Points at n writable bytes behind the content; add to buf->len what was written. */
static inline char *mouse_buf_reserve(mouse_buf_t *buf, size_t n)
{
    if (buf->cap - buf->len < n)
        mouse_buf_grow(buf, n);
    return buf->data + buf->len;
}

static inline void mouse_buf_append(mouse_buf_t *buf, const char *data, size_t n)
{
    if (n > 0)
        memcpy(mouse_buf_reserve(buf, n), data, n);
    buf->len += n;
}

static inline void mouse_buf_char(mouse_buf_t *buf, char c)
{
    *mouse_buf_reserve(buf, 1) = c;
    buf->len++;
}

static inline void mouse_buf_slice(mouse_buf_t *buf, mouse_slice_t slice)
{
    mouse_buf_append(buf, slice.data, slice.len);
}

#define mouse_buf_literal(buf, literal) mouse_buf_append(buf, literal, sizeof(literal) - 1)

/* ---- files ---- */

/*
 * A whole file of at most `limit` bytes into *text, in p, with a NUL behind it; *info has
 * its type, size, protection, times and inode. NULL, or why not: "No such file or
 * directory".
 */
const char *mouse_file_read(apr_pool_t *p, const char *path, size_t limit,
                            mouse_slice_t *text, apr_finfo_t *info) MOUSE_MUST_USE;

/* ---- sinks: an answer that starts in memory and may move to a file ---- */

/*
 * Writers append to sink->buf without looking at sizes and call mouse_sink_settle
 * between rows. Above max_memory the content moves to an anonymous temporary file.
 */
struct mouse_sink_t {
    mouse_buf_t buf;
    apr_file_t *file;  /* NULL while everything is in memory */
    apr_off_t written; /* bytes in the file */
    apr_off_t max_memory;
    apr_off_t max_answer;
};

/* Limits in bytes. The sink must live as long as p, as its buffer must. */
void mouse_sink_init(mouse_sink_t *sink, apr_pool_t *p, apr_off_t max_memory,
                     apr_off_t max_answer);

/* Keeps the limits. MOUSE_E_ANSWER_TOO_LARGE above max_answer, MOUSE_E_INTERNAL when
 * the temporary file cannot be written. */
apr_status_t mouse_sink_settle(mouse_sink_t *sink, mouse_error_t **err) MOUSE_MUST_USE;

/* Drops the content and the file; the sink can be filled again (a retried statement). */
void mouse_sink_reset(mouse_sink_t *sink);

/* Bytes in all. */
apr_off_t mouse_sink_size(const mouse_sink_t *sink);

/* ---- small helpers without another home ---- */

/*
 * "500ms", "2s", "30m", "1h", "1d" as microseconds; "500", "500k", "8m", "1g" (1024 each,
 * either case) as bytes. APR_EINVAL for anything else and beyond int64; zero is allowed.
 */
apr_status_t mouse_parse_duration(const char *text,
                                  apr_interval_time_t *duration) MOUSE_MUST_USE;
apr_status_t mouse_parse_size(const char *text, apr_off_t *size) MOUSE_MUST_USE;

/* The value of a hexadecimal digit in either case, or -1. */
int mouse_hex_digit(char c);

/* Are these bytes well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms)? */
bool mouse_utf8_valid(const char *data, size_t len);

/* Characters (code points) in well-formed UTF-8. */
size_t mouse_utf8_length(const char *data, size_t len);

/*
 * The length of the well-formed sequence at data (1-4), or 0; *bad then is how many bytes
 * one U+FFFD stands for (the maximal subpart, Unicode 3.9).
 */
size_t mouse_utf8_sequence(const char *data, size_t len, size_t *bad);

/*
 * NULL when the word can be the Origin header of a browser ("https://app.example", "null"),
 * byte by byte; else a sentence in p.
 */
const char *mouse_origin_check(apr_pool_t *p, const char *word);

#endif
