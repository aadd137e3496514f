/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The small parts of the status page and of the metrics: texts, escaped, and numbers. The
 * page's own script writes the same into it. */

#include <apr_strings.h>

#include "http/page_int.h"

#define BARS   20
#define HEIGHT 22

void mouse_page_put(mouse_buf_t *buf, const char *markup)
{
    mouse_buf_append(buf, markup, strlen(markup));
}

void mouse_page_put_text(mouse_buf_t *buf, const char *text)
{
    size_t left = strlen(text), bad, len;

    for (; left > 0; text += len, left -= len) {
        len = mouse_utf8_sequence(text, left, &bad);
        if (len == 0) {
            mouse_buf_literal(buf, "\xEF\xBF\xBD");
            len = bad;
        } else if (*text == '<') {
            mouse_buf_literal(buf, "&lt;");
        } else if (*text == '>') {
            mouse_buf_literal(buf, "&gt;");
        } else if (*text == '&') {
            mouse_buf_literal(buf, "&amp;");
        } else if (*text == '"') {
            mouse_buf_literal(buf, "&quot;");
        } else if (*text == '\'') {
            mouse_buf_literal(buf, "&#39;");
        } else {
            mouse_buf_append(buf, text, len);
        }
    }
}

void mouse_metrics_put_value(mouse_buf_t *buf, const char *text)
{
    size_t left = strlen(text), bad, len;

    for (; left > 0; text += len, left -= len) {
        len = mouse_utf8_sequence(text, left, &bad);
        if (len == 0) {
            mouse_buf_literal(buf, "\xEF\xBF\xBD");
            len = bad;
        } else if (*text == '\n') {
            mouse_buf_literal(buf, "\\n");
        } else {
            if (*text == '"' || *text == '\\')
                mouse_buf_char(buf, '\\');
            mouse_buf_append(buf, text, len);
        }
    }
}

/* Groups of three digits, with a narrow space that does not break. */
const char *mouse_page_count(apr_pool_t *p, uint64_t count)
{
    const char *rest = "";

    for (; count >= 1000; count /= 1000)
        rest = apr_psprintf(p, "\xE2\x80\xAF%03u%s", (unsigned)(count % 1000), rest);
    return apr_psprintf(p, "%u%s", (unsigned)count, rest);
}

const char *mouse_page_time(apr_pool_t *p, double us)
{
    if (us < 1000)
        return apr_psprintf(p, "%.0f\xC2\xA0\xC2\xB5s", us);
    if (us < 1e6)
        return apr_psprintf(p, us < 1e4 ? "%.2f\xC2\xA0ms" : "%.1f\xC2\xA0ms", us / 1e3);
    return apr_psprintf(p, "%.2f\xC2\xA0s", us / 1e6);
}

const char *mouse_page_rate(apr_pool_t *p, double rate)
{
    if (rate >= 100)
        return mouse_page_count(p, (uint64_t)(rate + 0.5));
    return apr_psprintf(p, rate < 10 ? "%.2f" : "%.1f", rate);
}

static void put_cell(mouse_buf_t *buf, const char *class, const char *more, uint64_t count)
{
    mouse_page_put(buf, "<td class=\"");
    mouse_page_put(buf, class);
    mouse_page_put(buf, more);
    mouse_page_put(buf, "\">");
    mouse_page_put(buf, mouse_page_count(buf->pool, count));
    mouse_page_put(buf, "</td>");
}

void mouse_page_put_count(mouse_buf_t *buf, const char *class, uint64_t count)
{
    put_cell(buf, class, count ? "" : " zero", count);
}

void mouse_page_put_bad(mouse_buf_t *buf, const char *class, uint64_t count)
{
    put_cell(buf, class, count ? " bad" : " zero", count);
}

void mouse_page_put_bars(mouse_buf_t *buf, const uint64_t buckets[MOUSE_BUCKETS])
{
    static const int64_t bounds[BARS] = {10,      20,      50,      100,      200,
                                         500,     1000,    2000,    5000,     10000,
                                         20000,   50000,   100000,  200000,   500000,
                                         1000000, 2000000, 5000000, 10000000, INT64_MAX};
    uint64_t counts[BARS] = {0}, most = 1;
    int bar = 0;

    for (int i = 0; i < MOUSE_BUCKETS; i++) {
        while (mouse_histogram_bound(i) > bounds[bar])
            bar++;
        counts[bar] += buckets[i];
        most = counts[bar] > most ? counts[bar] : most;
    }
    mouse_page_put(
        buf,
        "<svg class=\"bars\" viewBox=\"0 0 120 24\" role=\"img\" aria-label=\"latencies\">"
        "<title>up to 10, 20, 50, 100 us ... 10 s, and above</title>"
        "<path class=\"base\" d=\"M0 23.5H120\"/>");
    for (bar = 0; bar < BARS; bar++) {
        double height = (double)HEIGHT * (double)counts[bar] / (double)most;

        if (counts[bar] > 0 && height < 1)
            height = 1;
        mouse_page_put(buf, apr_psprintf(buf->pool,
                                         "<rect x=\"%d\" width=\"5\" y=\"%.1f\" "
                                         "height=\"%.1f\"/>",
                                         bar * 6, HEIGHT + 1 - height, height));
    }
    mouse_page_put(buf, "</svg>");
}
