/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* The status page's small parts: numbers and drawings. Include only within src/http. */
#ifndef MOUSE_PAGE_INT_H
#define MOUSE_PAGE_INT_H

#include "http/status_int.h"

/* Markup of ours, as it is. */
void mouse_page_put(mouse_buf_t *buf, const char *markup);

/* A cell of a table, "<td class=...>": dim when it is 0. */
void mouse_page_put_count(mouse_buf_t *buf, const char *class, uint64_t count);
/* The same, in the colour of errors when it is not. */
void mouse_page_put_bad(mouse_buf_t *buf, const char *class, uint64_t count);

/* "12 345"; "850 us", "1.20 ms", "3.00 s"; "0.25" a second. In p. */
const char *mouse_page_count(apr_pool_t *p, uint64_t count);
const char *mouse_page_time(apr_pool_t *p, double us);
const char *mouse_page_rate(apr_pool_t *p, double rate);

/* A histogram's twenty bars, of 1, 2 and 5 by each power of ten. */
void mouse_page_put_bars(mouse_buf_t *buf, const uint64_t buckets[MOUSE_BUCKETS]);

#endif
