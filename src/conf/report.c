/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * How mistakes found behind the directives reach whoever starts the server: one line each,
 * with file and line, each only once.
 */
#include <apr_strings.h>

#include "conf/conf_int.h"

APLOG_USE_MODULE(mouse);

static bool seen_before(mouse_report_t *report, const char *text)
{
    if (apr_hash_get(report->seen, text, APR_HASH_KEY_STRING))
        return true;
    apr_hash_set(report->seen, text, APR_HASH_KEY_STRING, text);
    return false;
}

static void print_mistake(mouse_report_t *report, const char *text)
{
    report->mistakes++;
    if (!seen_before(report, text))
        ap_log_error(APLOG_MARK, APLOG_EMERG | APLOG_STARTUP, 0, report->server, "%s",
                     text);
}

static const char *at_place(apr_pool_t *p, mouse_place_t place, const char *format,
                            va_list args)
{
    const char *sentence = apr_pvsprintf(p, format, args);

    return place.file ? apr_psprintf(p, "%s:%d: %s", place.file, place.line, sentence)
                      : sentence;
}

void mouse_report(mouse_report_t *report, mouse_place_t place, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_mistake(report, at_place(report->p, place, format, args));
    va_end(args);
}

void mouse_report_warning(mouse_report_t *report, mouse_place_t place, const char *format,
                          ...)
{
    const char *text;
    va_list args;

    va_start(args, format);
    text = at_place(report->p, place, format, args);
    va_end(args);
    if (seen_before(report, text))
        return;
    ap_log_error(APLOG_MARK, APLOG_WARNING | APLOG_STARTUP, 0, report->server, "%s", text);
    if (report->meter)
        APR_ARRAY_PUSH(report->meter->warnings, const char *) =
            apr_pstrdup(report->meter->pconf, text);
}

const char *mouse_report_sentence(apr_pool_t *p, const mouse_error_t *err)
{
    const char *text = err->detail ? err->detail : mouse_code_title(err->code);

    return err->log ? apr_pstrcat(p, text, ": ", err->log, NULL) : text;
}

void mouse_report_error(mouse_report_t *report, mouse_place_t place,
                        const mouse_error_t *err)
{
    if (!err)
        mouse_report(report, place,
                     "this could not be made, for a reason that was not told");
    else if (err->file)
        print_mistake(report, mouse_error_text(report->p, err));
    else
        mouse_report(report, place, "%s", mouse_report_sentence(report->p, err));
}
