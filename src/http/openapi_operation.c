/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* One route as an Operation Object: what it takes, what it answers, what can go wrong. */
#include "http/openapi_int.h"

#include <stdlib.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <http_protocol.h>

#define JSON_TYPE "application/json"

/* One route being described. */
typedef struct operation_t {
    mouse_openapi_t *openapi;
    apr_pool_t *p;
    const mouse_endpoint_t *endpoint;
    const mouse_model_t *model; /* or NULL */
    json_t *parameters, *body;
    apr_array_header_t *statuses; /* of int: errors */
} operation_t;

/* ---- what it is called ---- */

/* "get_api_products_id" of "/api/products/{id}". */
static char *make_words(apr_pool_t *p, const char *method, const char *path)
{
    char *id = apr_pstrcat(p, method, path, NULL), *to = id;

    for (const char *from = id; *from; from++) {
        if (apr_isalnum(*from))
            *to++ = (char)apr_tolower(*from);
        else if (to > id && to[-1] != '_')
            *to++ = '_';
    }
    if (to > id && to[-1] == '_')
        to--;
    *to = '\0';
    return id;
}

/* Unlike any other of the document. */
static const char *make_id(const operation_t *operation)
{
    apr_pool_t *p = operation->p;
    apr_hash_t *taken = operation->openapi->ids;
    const mouse_endpoint_t *endpoint = operation->endpoint;
    const char *words = make_words(p, mouse_method_name(endpoint->method),
                                   mouse_openapi_path(p, endpoint->pattern));
    const char *id = words;

    for (int n = 2; apr_hash_get(taken, id, APR_HASH_KEY_STRING); n++)
        id = apr_psprintf(p, "%s_%d", words, n);
    apr_hash_set(taken, id, APR_HASH_KEY_STRING, id);
    return id;
}

/* The prose above the model: its first sentence, and all of it where there is more. */
static void put_prose(const operation_t *operation, json_t *made)
{
    const char *prose = operation->model ? mouse_model_summary(operation->model) : NULL;
    const char *end = prose ? strstr(prose, ". ") : NULL;

    if (!prose || !*prose)
        return;
    if (end) {
        json_object_set_new(made, "summary", json_stringn(prose, end - prose));
        json_object_set_new(made, "description", json_string(prose));
    } else {
        json_object_set_new(made, "summary", json_string(prose));
    }
}

/* The model's folder and file: what documentation pages group by. */
static void put_tag(const operation_t *operation, json_t *made)
{
    const char *name = operation->model ? mouse_model_name(operation->model) : NULL;
    const char *slash = name ? strrchr(name, '/') : NULL;

    if (slash)
        json_object_set_new(made, "tags",
                            json_pack("[o]", json_stringn(name, slash - name)));
}

/* ---- what it takes ---- */

/* What the path gives and no model declares: to templates, to guards. */
static json_t *segment_schema(mouse_segment_t type)
{
    switch (type) {
    case MOUSE_SEGMENT_INT:
        return json_pack("{s:s}", "type", "integer");
    case MOUSE_SEGMENT_UUID:
        return json_pack("{s:s, s:s}", "type", "string", "format", "uuid");
    case MOUSE_SEGMENT_DATE:
        return json_pack("{s:s, s:s}", "type", "string", "format", "date");
    default:
        return json_pack("{s:s}", "type", "string");
    }
}

static void take_path(operation_t *operation)
{
    const mouse_pattern_t *pattern = operation->endpoint->pattern;

    for (int i = 0; i < pattern->count; i++)
        mouse_model_add_parameter(operation->parameters, "path",
                                  pattern->parameters[i].name, true,
                                  segment_schema(pattern->parameters[i].type));
}

static bool names_path(const operation_t *operation, const char *name)
{
    return mouse_model_has_parameter(operation->parameters, "path", name);
}

/* A bare name in a guard's words, `{password}`: the client sends it as text. */
static void take_bare(operation_t *operation, const char *name)
{
    json_t *properties;

    if (names_path(operation, name))
        return;
    if (!mouse_method_has_body(operation->endpoint->method)) {
        mouse_model_add_parameter(operation->parameters, "query", name, false,
                                  segment_schema(MOUSE_SEGMENT_STRING));
        return;
    }
    properties = json_object_get(operation->body, "properties");
    if (!properties) {
        properties = json_object();
        json_object_set_new(operation->body, "properties", properties);
    }
    if (!json_object_get(properties, name))
        json_object_set_new(properties, name, segment_schema(MOUSE_SEGMENT_STRING));
}

/* Who shows who they are by it is told so by `security`; OpenAPI wants none of these
 * three. */
static void take_header(operation_t *operation, const char *field)
{
    const char *name = mouse_header_name(operation->p, field);

    if (strcasecmp(name, "accept") != 0 && strcasecmp(name, "content-type") != 0 &&
        strcasecmp(name, "authorization") != 0)
        mouse_model_add_parameter(operation->parameters, "header", name, false,
                                  segment_schema(MOUSE_SEGMENT_STRING));
}

/* What a guard's words name. */
static void take_read(operation_t *operation, const char *name, bool authenticates)
{
    if (!strchr(name, '.'))
        take_bare(operation, name);
    else if (!authenticates && strncmp(name, "header.", 7) == 0)
        take_header(operation, name + 7);
    else if (!authenticates && strncmp(name, "cookie.", 7) == 0)
        mouse_model_add_parameter(operation->parameters, "cookie", name + 7, false,
                                  segment_schema(MOUSE_SEGMENT_STRING));
}

static void take_guard(operation_t *operation, const mouse_guard_t *guard)
{
    bool authenticates = mouse_openapi_authenticates(guard);
    const mouse_model_t *model;
    int status = mouse_guard_describe(guard).status;

    for (int i = 0; (model = mouse_guard_model(guard, i)) != NULL; i++) {
        if (!guard->provider->reads_body) /* else its models read what is inside */
            mouse_model_describe_inputs(model, authenticates, operation->parameters,
                                        operation->body);
    }
    for (int i = 0; i < guard->reads->nelts; i++)
        take_read(operation, APR_ARRAY_IDX(guard->reads, i, const char *), authenticates);
    if (status)
        APR_ARRAY_PUSH(operation->statuses, int) = status;
}

static void take_all(operation_t *operation)
{
    const mouse_chain_t *chain = operation->endpoint->chain;

    if (operation->model)
        mouse_model_describe_inputs(operation->model, false, operation->parameters,
                                    operation->body);
    take_path(operation);
    for (int i = 0; i < mouse_chain_count(chain); i++)
        take_guard(operation, mouse_chain_get(chain, i));
    if (operation->endpoint->shape.idempotent)
        mouse_model_add_parameter(operation->parameters, "header", "Idempotency-Key", false,
                                  segment_schema(MOUSE_SEGMENT_STRING));
}

static bool has_body(const operation_t *operation)
{
    return json_object_get(operation->body, "properties") != NULL;
}

static json_t *make_body(const operation_t *operation)
{
    const mouse_input_options_t *input = &operation->endpoint->input;
    bool required = json_object_get(operation->body, "required") != NULL;
    json_t *content = json_pack("{s:{s:O}}", JSON_TYPE, "schema", operation->body);

    if (input->strict)
        json_object_set_new(operation->body, "additionalProperties", json_false());
    if (input->accept_form)
        json_object_set_new(content, "application/x-www-form-urlencoded",
                            json_pack("{s:O}", "schema", operation->body));
    return json_pack("{s:b, s:o}", "required", (int)required, "content", content);
}

/* ---- what it answers ---- */

static json_t *media(json_t *schema)
{
    return json_pack("{s:O}", "schema", schema);
}

static void put_format(json_t *content, const mouse_endpoint_t *endpoint,
                       mouse_format_t format, const char *type, json_t *schema)
{
    if (endpoint->negotiates || endpoint->format == (int)format)
        json_object_set_new(content, type, media(schema));
}

/* NDJSON is described by its lines, as far as OpenAPI can. */
static json_t *make_content(const operation_t *operation, json_t *schema)
{
    const mouse_endpoint_t *endpoint = operation->endpoint;
    json_t *content = json_object(), *items = json_object_get(schema, "items");
    json_t *text = json_pack("{s:s}", "type", "string");

    put_format(content, endpoint, MOUSE_FORMAT_JSON, JSON_TYPE, schema);
    put_format(content, endpoint, MOUSE_FORMAT_NDJSON, "application/x-ndjson",
               items ? items : schema);
    put_format(content, endpoint, MOUSE_FORMAT_CSV, "text/csv", text);
    json_decref(text);
    return content;
}

/* MouseEnvelope mrpc. */
static json_t *wrap(json_t *schema)
{
    return json_pack("{s:s, s:{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:o, s:{s:s}}}",
                     "type", "object", "properties", "success", "type", "boolean", "action",
                     "type", "string", "request_tag", "type", "string", "seed", "type",
                     "string", "timestamp", "type", "integer", "data",
                     schema ? schema : json_object(), "auth", "type", "string");
}

static const char *status_word(apr_pool_t *p, int status)
{
    const char *line = ap_get_status_line(status);

    return strlen(line) > 4 && apr_isdigit(line[0]) && atoi(line) == status
               ? line + 4
               : apr_itoa(p, status);
}

static int success_status(const operation_t *operation)
{
    int status = operation->endpoint->shape.status;

    if (!status)
        status = operation->model ? mouse_model_status(operation->model) : HTTP_OK;
    return operation->endpoint->envelope && status == HTTP_NO_CONTENT ? HTTP_OK : status;
}

/* schema: its reference is taken; NULL: no body. */
static void put_success(const operation_t *operation, json_t *responses, json_t *schema)
{
    int status = success_status(operation);
    json_t *response = json_pack("{s:s}", "description", status_word(operation->p, status));

    if (operation->endpoint->envelope)
        schema = wrap(schema);
    if (schema && status != HTTP_NO_CONTENT && status != HTTP_RESET_CONTENT)
        json_object_set_new(response, "content", make_content(operation, schema));
    json_decref(schema);
    json_object_set_new(responses, apr_itoa(operation->p, status), response);
    if (operation->model && mouse_model_chooses_status(operation->model))
        json_object_set(responses, "2XX", response);
    if (operation->endpoint->shape.etag)
        json_object_set_new(
            responses, "304",
            json_pack("{s:s}", "description", status_word(operation->p, 304)));
}

static void add_code(operation_t *operation, mouse_code_t code)
{
    APR_ARRAY_PUSH(operation->statuses, int) = mouse_code_status(code);
}

/* Beside what guards and the model's rules say. */
static void add_statuses(operation_t *operation)
{
    if (operation->model)
        mouse_model_describe_statuses(operation->model, operation->statuses);
    if (json_array_size(operation->parameters) > 0 || has_body(operation))
        add_code(operation, MOUSE_E_PARAMETERS);
    if (has_body(operation)) {
        add_code(operation, MOUSE_E_BAD_JSON);
        add_code(operation, MOUSE_E_BODY_TOO_LARGE);
        add_code(operation, MOUSE_E_MEDIA_TYPE);
    }
    if (operation->endpoint->shape.idempotent)
        add_code(operation, MOUSE_E_IDEMPOTENCY_RUNNING);
    if (operation->model)
        add_code(operation, MOUSE_E_DB_BUSY);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void put_problem(const operation_t *operation, json_t *responses, const char *key,
                        const char *description)
{
    json_t *response = json_pack("{s:s}", "$ref", "#/components/responses/Problem");

    if (operation->endpoint->envelope) {
        json_decref(response);
        response = json_pack("{s:s, s:{s:{s:o}}}", "description", description, "content",
                             JSON_TYPE, "schema", wrap(NULL));
    } else {
        json_object_set_new(response, "description", json_string(description));
    }
    json_object_set_new(responses, key, response);
}

static void put_problems(operation_t *operation, json_t *responses)
{
    apr_array_header_t *statuses = operation->statuses;

    add_statuses(operation);
    qsort(statuses->elts, statuses->nelts, sizeof(int), by_number);
    for (int i = 0; i < statuses->nelts; i++) {
        int status = APR_ARRAY_IDX(statuses, i, int);
        const char *key = apr_itoa(operation->p, status);

        if (!json_object_get(responses, key))
            put_problem(operation, responses, key, status_word(operation->p, status));
    }
    put_problem(operation, responses, "default", "Any other problem");
}

/* ---- all of it ---- */

static json_t *put_together(operation_t *operation, json_t *schema)
{
    json_t *made = json_pack("{s:s}", "operationId", make_id(operation));
    json_t *responses = json_object();
    json_t *security =
        mouse_openapi_security(operation->openapi, operation->endpoint->chain);

    put_tag(operation, made);
    put_prose(operation, made);
    if (json_array_size(operation->parameters) > 0)
        json_object_set(made, "parameters", operation->parameters);
    if (has_body(operation))
        json_object_set_new(made, "requestBody", make_body(operation));
    put_success(operation, responses, schema);
    put_problems(operation, responses);
    json_object_set_new(made, "responses", responses);
    if (security)
        json_object_set_new(made, "security", security);
    return made;
}

json_t *mouse_openapi_operation(mouse_openapi_t *openapi, const mouse_endpoint_t *endpoint)
{
    operation_t operation = {.openapi = openapi,
                             .p = openapi->how->p,
                             .endpoint = endpoint,
                             .model = mouse_endpoint_model(endpoint),
                             .parameters = json_array(),
                             .body = json_pack("{s:s}", "type", "object"),
                             .statuses = apr_array_make(openapi->how->p, 8, sizeof(int))};
    json_t *schema = NULL, *made = NULL;

    if (!endpoint->action->describe)
        schema = json_object();
    else if (endpoint->action->describe(endpoint, openapi->how, &schema, openapi->err) !=
             APR_SUCCESS)
        goto done;
    take_all(&operation);
    made = put_together(&operation, schema);
done:
    json_decref(operation.parameters);
    json_decref(operation.body);
    return made;
}
