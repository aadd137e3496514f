/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* model, inside: dates and times from text. */
#ifndef MOUSE_CALENDAR_INT_H
#define MOUSE_CALENDAR_INT_H

#include "db/mouse_db.h"

/* YYYY-MM-DD of a real day from year 1 on. */
bool mouse_calendar_date(mouse_slice_t text, mouse_calendar_t *t);

/* RFC 3339 section 5.6, seconds optional, a space allowed for "T"; with "Z" or an offset
 * it becomes UTC, without one it stays as it is. */
bool mouse_calendar_datetime(mouse_slice_t text, mouse_calendar_t *t);

#endif
