/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Dates and times as RFC 3339 writes them; an offset is taken off: what is bound is UTC. */

#include "model/model_int.h"
#include "model/calendar_int.h"

static bool read_number(const char **at, const char *end, int count, unsigned *value)
{
    *value = 0;
    for (; count > 0; count--, (*at)++) {
        if (*at >= end || **at < '0' || **at > '9')
            return false;
        *value = *value * 10 + (unsigned)(**at - '0');
    }
    return true;
}

static bool read_char(const char **at, const char *end, const char *any)
{
    if (*at >= end || **at == '\0' || !strchr(any, **at))
        return false;
    (*at)++;
    return true;
}

static unsigned month_days(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

static bool read_date(const char **at, const char *end, mouse_calendar_t *t)
{
    unsigned year, month, day;

    if (!read_number(at, end, 4, &year) || !read_char(at, end, "-") ||
        !read_number(at, end, 2, &month) || !read_char(at, end, "-") ||
        !read_number(at, end, 2, &day))
        return false;
    if (year == 0 || month < 1 || month > 12 || day < 1 || day > month_days(year, month))
        return false;
    t->year = (uint16_t)year;
    t->month = (uint8_t)month;
    t->day = (uint8_t)day;
    return true;
}

/* Up to six digits count; more are cut, as the databases do. */
static bool read_fraction(const char **at, const char *end, mouse_calendar_t *t)
{
    unsigned scale = 100000;
    const char *start = *at;

    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++, scale /= 10)
        t->usec += (unsigned)(**at - '0') * scale;
    t->decimals = (uint8_t)(*at - start > 6 ? 6 : *at - start);
    return *at > start;
}

static bool read_time(const char **at, const char *end, mouse_calendar_t *t)
{
    unsigned hour, minute, second = 0;

    if (!read_number(at, end, 2, &hour) || !read_char(at, end, ":") ||
        !read_number(at, end, 2, &minute))
        return false;
    if (read_char(at, end, ":") && !read_number(at, end, 2, &second))
        return false;
    if (hour > 23 || minute > 59 || second > 59)
        return false;
    t->hour = (uint16_t)hour;
    t->minute = (uint8_t)minute;
    t->second = (uint8_t)second;
    return !read_char(at, end, ".") || read_fraction(at, end, t);
}

static bool step_day(mouse_calendar_t *t, int by)
{
    int day = t->day + by;

    if (day >= 1 && day <= (int)month_days(t->year, t->month)) {
        t->day = (uint8_t)day;
        return true;
    }
    if (by > 0) {
        t->day = 1;
        t->month = t->month == 12 ? 1 : t->month + 1;
        t->year += t->month == 1;
    } else {
        t->month = t->month == 1 ? 12 : t->month - 1;
        t->year -= t->month == 12;
        if (t->year == 0)
            return false;
        t->day = (uint8_t)month_days(t->year, t->month);
    }
    return t->year <= 9999;
}

/* "Z", "+02:00" or nothing (taken as it is); moves t to UTC. */
static bool read_offset(const char **at, const char *end, mouse_calendar_t *t)
{
    unsigned hours, minutes;
    int total;
    bool east;

    if (*at == end || read_char(at, end, "Zz"))
        return true;
    east = **at == '+';
    if (!read_char(at, end, "+-") || !read_number(at, end, 2, &hours) ||
        !read_char(at, end, ":") || !read_number(at, end, 2, &minutes) || hours > 23 ||
        minutes > 59)
        return false;
    total = t->hour * 60 + t->minute + (east ? -1 : 1) * (int)(hours * 60 + minutes);
    t->hour = (uint16_t)((total + 1440) % 1440 / 60);
    t->minute = (uint8_t)((total + 1440) % 60);
    if (total < 0)
        return step_day(t, -1);
    return total < 1440 || step_day(t, 1);
}

bool mouse_calendar_date(mouse_slice_t text, mouse_calendar_t *t)
{
    const char *at = text.data, *end = text.data + text.len;

    *t = (mouse_calendar_t){0};
    return read_date(&at, end, t) && at == end;
}

bool mouse_calendar_datetime(mouse_slice_t text, mouse_calendar_t *t)
{
    const char *at = text.data, *end = text.data + text.len;

    *t = (mouse_calendar_t){0};
    return read_date(&at, end, t) && read_char(&at, end, "Tt ") && read_time(&at, end, t) &&
           read_offset(&at, end, t) && at == end;
}
