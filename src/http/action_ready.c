/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * `ready`: every database of the server answers, now and by the deadline.
 *
 * Each is asked on a connection of its pool, as a request would be: in line behind those
 * who came first. One that gives no connection in time is "busy", one that cannot be opened
 * or does not answer is "down"; requests would meet the same.
 */
#include "http/http_int.h"

#include <stdlib.h>

#include <apr_strings.h>
#include <jansson.h>

#define DEADLINE apr_time_from_sec(1)
#define HINT     256

typedef struct config_t {
    const apr_array_header_t *databases; /* of mouse_db_slot_t * */
    apr_interval_time_t deadline;
} config_t;

static apr_status_t create(const mouse_action_setup_t *setup, bool *used, void **config,
                           mouse_error_t **err)
{
    config_t *made = apr_pcalloc(setup->pconf, sizeof(*made));

    (void)used;
    made->databases = setup->databases(setup->baton);
    made->deadline = setup->deadline > 0 ? setup->deadline : DEADLINE;
    if (made->databases->nelts == 0)
        return mouse_error_at(err, setup->pconf, setup->file, setup->line, 0,
                              "ready has no database to ask: MouseModels names the one "
                              "that models run on; without any, use live");
    *config = made;
    return APR_SUCCESS;
}

/* "up", "busy" or "down". What is left of the time is shared by those still to be asked, so
 * that one that hangs leaves the others theirs. */
static const char *ask(mouse_request_t *req, mouse_db_t *db, apr_time_t deadline, int left,
                       const char **why)
{
    mouse_watch_t watch = req->watch;
    apr_time_t now = apr_time_now();
    mouse_error_t *err = NULL;

    watch.deadline = now + (deadline > now ? (deadline - now) / left : 0);
    if (!db)
        return "down";
    if (mouse_db_ping(db, req->pool, &watch, &err) == APR_SUCCESS)
        return "up";
    *why = apr_pstrcat(req->pool, *why, *why[0] ? "; " : "",
                       err->log ? err->log : mouse_code_title(err->code), NULL);
    return err->code == MOUSE_E_DB_BUSY ? "busy" : "down";
}

/* Appends "databases":{...}; are all of them up? */
static bool ask_all(mouse_request_t *req, const config_t *config, mouse_buf_t *buf,
                    const char **why)
{
    apr_time_t deadline = apr_time_now() + config->deadline;
    int count = config->databases->nelts;
    bool ready = true;

    mouse_buf_literal(buf, "\"databases\":{");
    for (int i = 0; i < count; i++) {
        const mouse_db_slot_t *slot =
            APR_ARRAY_IDX(config->databases, i, const mouse_db_slot_t *);
        const char *state = ask(req, slot->db, deadline, count - i, why);

        if (i > 0)
            mouse_buf_char(buf, ',');
        mouse_json_put_string(buf, slot->config->name, strlen(slot->config->name));
        mouse_buf_char(buf, ':');
        mouse_json_put_string(buf, state, strlen(state));
        ready = ready && strcmp(state, "up") == 0;
    }
    mouse_buf_char(buf, '}');
    return ready;
}

static apr_status_t refuse(mouse_request_t *req, const mouse_buf_t *states, const char *why,
                           mouse_error_t **err)
{
    mouse_error_set(err, req->pool, MOUSE_E_NOT_READY, NULL);
    (*err)->log = why;
    (*err)->retry_after = 1;
    (*err)->members = apr_pstrmemdup(req->pool, states->data, states->len);
    return APR_EGENERAL;
}

static apr_status_t run(const mouse_endpoint_t *endpoint, mouse_request_t *req,
                        mouse_format_t format, mouse_answer_t *answer, mouse_error_t **err)
{
    const config_t *config = endpoint->config;
    mouse_buf_t *states = apr_palloc(req->pool, sizeof(*states));
    const char *why = "";

    (void)format;
    mouse_buf_init(states, req->pool, HINT);
    if (!ask_all(req, config, states, &why))
        return refuse(req, states, why, err);
    answer->status = endpoint->shape.status;
    answer->content_type = "application/json";
    answer->fixed = mouse_slice_of(apr_psprintf(req->pool, "{\"status\":\"ready\",%.*s}",
                                                (int)states->len, states->data));
    answer->headers = apr_table_make(req->pool, 2);
    apr_table_setn(answer->headers, "Cache-Control", "no-store");
    return mouse_headers_expand(&endpoint->shape, req, answer, err);
}

static apr_status_t describe(const mouse_endpoint_t *endpoint, const mouse_describer_t *how,
                             json_t **schema, mouse_error_t **err)
{
    (void)endpoint;
    (void)how;
    (void)err;
    *schema = json_pack("{s:s, s:{s:{s:s}, s:{s:s, s:{s:s}}}, s:[s, s]}", "type", "object",
                        "properties", "status", "const", "ready", "databases", "type",
                        "object", "additionalProperties", "type", "string", "required",
                        "status", "databases");
    return APR_SUCCESS;
}

const mouse_action_t mouse_action_ready = {.name = "ready",
                                           .always_body = true,
                                           .waits = true,
                                           .create = create,
                                           .run = run,
                                           .describe = describe};
