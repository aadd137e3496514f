/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Writing strings and base64: runs of plain bytes are copied at once. */

#include "json/mouse_json.h"

/* 0: plain; 'u': \u00XX; other letters: that short escape; 'x': not ASCII. */
static const char classes[256] = {
    ['\0'] = 'u', [0x01] = 'u', [0x02] = 'u', [0x03] = 'u',  [0x04] = 'u',
    [0x05] = 'u', [0x06] = 'u', [0x07] = 'u', ['\b'] = 'b',  ['\t'] = 't',
    ['\n'] = 'n', [0x0B] = 'u', ['\f'] = 'f', ['\r'] = 'r',  [0x0E] = 'u',
    [0x0F] = 'u', [0x10] = 'u', [0x11] = 'u', [0x12] = 'u',  [0x13] = 'u',
    [0x14] = 'u', [0x15] = 'u', [0x16] = 'u', [0x17] = 'u',  [0x18] = 'u',
    [0x19] = 'u', [0x1A] = 'u', [0x1B] = 'u', [0x1C] = 'u',  [0x1D] = 'u',
    [0x1E] = 'u', [0x1F] = 'u', ['"'] = '"',  ['\\'] = '\\', [0x80 ... 0xFF] = 'x',
};

static void put_escape(mouse_buf_t *buf, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    char *out = mouse_buf_reserve(buf, 6);

    out[0] = '\\';
    out[1] = classes[c];
    buf->len += 2;
    if (classes[c] != 'u')
        return;
    out[2] = out[3] = '0';
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    buf->len += 4;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Does one of the eight bytes at data need a look: a control, `"`, `\` or not ASCII? In
 * each byte of ASCII a subtraction leaves the high bit where the byte is one looked for;
 * the borrow of such a byte spoils others, when it matters no more. */
static bool looks_special(const char *data)
{
    uint64_t word;

    memcpy(&word, data, sizeof(word));
    return ((word | (word - EACH(0x20)) | ((word ^ EACH('"')) - EACH(0x01)) |
             ((word ^ EACH('\\')) - EACH(0x01))) &
            EACH(0x80)) != 0;
}

/* Copies bytes as long as they are plain ASCII, eight at a time, the last eight perhaps
 * twice; how many. */
static size_t copy_plain(char *out, const char *data, size_t len)
{
    size_t i = 0;

    while (len - i >= 8 && !looks_special(data + i)) {
        memcpy(out + i, data + i, 8);
        i += 8;
    }
    if (len >= 8 && len - i < 8 && !looks_special(data + len - 8)) {
        memcpy(out + len - 8, data + len - 8, 8);
        return len;
    }
    for (; i < len && classes[(unsigned char)data[i]] == 0; i++)
        out[i] = data[i];
    return i;
}

/* The bytes of plain text and well-formed UTF-8 at data, up to len. */
static size_t plain_run(const char *data, size_t len, size_t *bad)
{
    size_t n, i = 0;
    char class;

    *bad = 0;
    while (i < len) {
        if (len - i >= 8 && !looks_special(data + i)) {
            i += 8;
            continue;
        }
        class = classes[(unsigned char)data[i]];
        if (class == 0) {
            i++;
            continue;
        }
        if (class != 'x')
            break;
        n = mouse_utf8_sequence(data + i, len - i, bad);
        if (n == 0)
            break;
        *bad = 0;
        i += n;
    }
    return i;
}

/* Behind the quote. */
static void put_rest(mouse_buf_t *buf, const char *data, size_t len)
{
    size_t run, bad;

    while (len > 0) {
        run = plain_run(data, len, &bad);
        mouse_buf_append(buf, data, run);
        data += run;
        len -= run;
        if (len == 0)
            break;
        if (bad > 0) {
            mouse_buf_literal(buf, "\xEF\xBF\xBD");
        } else {
            put_escape(buf, (unsigned char)*data);
            bad = 1;
        }
        data += bad;
        len -= bad;
    }
}

void mouse_json_put_string(mouse_buf_t *buf, const char *data, size_t len)
{
    char *out = mouse_buf_reserve(buf, len + 2);
    size_t plain = copy_plain(out + 1, data, len);

    out[0] = '"';
    buf->len += plain + 1;
    if (plain < len)
        put_rest(buf, data + plain, len - plain);
    mouse_buf_char(buf, '"');
}

void mouse_json_put_base64(mouse_buf_t *buf, const void *data, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = data;
    char *start = mouse_buf_reserve(buf, (len + 2) / 3 * 4 + 2), *out = start;

    *out++ = '"';
    for (; len >= 3; in += 3, len -= 3) {
        *out++ = digits[in[0] >> 2];
        *out++ = digits[(in[0] & 3) << 4 | in[1] >> 4];
        *out++ = digits[(in[1] & 15) << 2 | in[2] >> 6];
        *out++ = digits[in[2] & 63];
    }
    if (len > 0) {
        *out++ = digits[in[0] >> 2];
        *out++ = digits[(in[0] & 3) << 4 | (len > 1 ? in[1] >> 4 : 0)];
        *out++ = len > 1 ? digits[(in[1] & 15) << 2] : '=';
        *out++ = '=';
    }
    *out++ = '"';
    buf->len += (size_t)(out - start);
}
