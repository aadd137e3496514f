/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * model: SQL files compiled to models, requests bound to them, answers made from them.
 *
 * A request here is what httpd's glue hands over (mouse_request_t and its host), so that
 * everything below http/ runs in unit tests without a server.
 */
#ifndef MOUSE_MODEL_H
#define MOUSE_MODEL_H

#include "base/mouse_base.h"
#include "db/mouse_db.h"
#include "json/mouse_json.h"

typedef struct mouse_request_t mouse_request_t;
typedef struct mouse_host_t mouse_host_t;
typedef struct mouse_settings_t mouse_settings_t;
typedef struct mouse_context_t mouse_context_t;
typedef struct mouse_template_t mouse_template_t;
typedef struct mouse_argument_t mouse_argument_t;
typedef struct mouse_shape_t mouse_shape_t;
typedef struct mouse_answer_t mouse_answer_t;
typedef struct mouse_models_t mouse_models_t;
typedef struct mouse_model_t mouse_model_t;
typedef struct mouse_flights_t mouse_flights_t;
typedef struct mouse_coalesce_t mouse_coalesce_t;

/* ---- a request, as models, guards and controllers see it ---- */

/* What the server can tell of a request; each gets mouse_request_t.baton. */
struct mouse_host_t {
    const char *(*header)(void *baton, const char *name); /* a request header, or NULL */
    const char *(*env)(void *baton,
                       const char *name); /* the request's environment, or NULL */
    const char *(*user)(void *baton);     /* httpd's authenticated user, or NULL */
    const char *(*ip)(void *baton);       /* the client's address */
    /* The target as sent ("/api/x?y=1"), "http" or "https", and the Host field. */
    const char *(*target)(void *baton);
    const char *(*scheme)(void *baton);
    const char *(*authority)(void *baton);
    /* Does a compiled expression hold? When it cannot be evaluated: no, and *why
     * says it. */
    bool (*expression)(void *baton, const void *compiled, const char **why);
    /* The request id; made when first asked for. */
    const char *(*id)(void *baton);
    /* The whole body, read once; more than limit bytes: MOUSE_E_BODY_TOO_LARGE. */
    apr_status_t (*body)(void *baton, apr_off_t limit, mouse_slice_t *body,
                         mouse_error_t **err);
};

/* Server-wide settings, merged per virtual host. */
struct mouse_settings_t {
    mouse_number_style_t numbers;     /* MouseBigInt, MouseDecimal */
    apr_interval_time_t timeout;      /* MouseTimeout */
    apr_off_t max_memory, max_answer; /* MouseMaxMemory, MouseMaxAnswer */
    apr_interval_time_t slow_query;   /* MouseSlowQuery; 0: off */
};

typedef struct mouse_path_value_t {
    const char *name;
    mouse_slice_t value; /* decoded */
} mouse_path_value_t;

/* What the route says of its input. */
typedef struct mouse_input_options_t {
    apr_off_t max_body;             /* bytes; default 1 MiB */
    bool accept_form;               /* accept=form: application/x-www-form-urlencoded too */
    bool strict;                    /* undeclared names are 422 */
    const apr_array_header_t *also; /* of const char *: names that guards read, or NULL */
    const mouse_model_t *model; /* the action's: guards read what it declares; or NULL */
} mouse_input_options_t;

#define MOUSE_MAX_BODY (1024 * 1024)

/* The values one guard added. */
struct mouse_context_t {
    const char *guard; /* its name */
    bool missed; /* an optional guard that let pass without a value: fields are NULL */
    bool open;   /* a field it has not is NULL, no mistake */
    bool given;  /* by hand: the guard did not run */
    int count;
    const char **names;
    mouse_value_t *values;
};

/* What an envelope around the answer takes from the request's. */
typedef struct mouse_seal_t {
    mouse_slice_t request_tag;
    mouse_slice_t key; /* that it is signed with; data NULL: none is known */
} mouse_seal_t;

/* What a request's time is spent on. */
typedef enum {
    MOUSE_PHASE_OTHER,
    MOUSE_PHASE_WAIT, /* for a connection, or for another request's run */
    MOUSE_PHASE_SQL,  /* statements, until their rows are read */
    MOUSE_PHASE_JSON, /* rows written as bytes */
    MOUSE_PHASES
} mouse_phase_t;

/* One guard's time, what it asks databases included. */
typedef struct mouse_lap_t {
    const char *guard;
    uint64_t ns;
} mouse_lap_t;

/* Kept for requests of which somebody wants to know. Nanoseconds. */
typedef struct mouse_timing_t {
    uint64_t spent[MOUSE_PHASES]; /* those of guards' models included */
    uint64_t rows;                /* read */
    uint64_t guards;              /* all laps */
    apr_array_header_t *laps;     /* of mouse_lap_t, in the chain's order */
    mouse_phase_t phase;
    uint64_t began, since, lap;
} mouse_timing_t;

struct mouse_request_t {
    apr_pool_t *pool;
    const mouse_host_t *host;
    void *baton;
    const mouse_log_t *log;
    const mouse_settings_t *settings;
    const mouse_input_options_t *input;
    const char *method;  /* as sent */
    const char *path;    /* decoded as httpd decodes it */
    mouse_slice_t query; /* behind '?', undecoded; len 0: none */
    const mouse_path_value_t *path_values;
    int path_count;
    apr_time_t now; /* when the request began */
    mouse_watch_t watch;
    apr_array_header_t *context; /* of mouse_context_t, in chain order; made by the chain */
    const apr_array_header_t *given; /* the same, by hand; or NULL: see the chain */
    apr_table_t *headers;            /* response headers that guards add, errors too */
    const mouse_seal_t *seal;        /* set by the guard that opened an envelope, or NULL */
    apr_array_header_t *challenges;  /* of const char *, for WWW-Authenticate of a 401 */
    mouse_timing_t *timing;          /* or NULL: nobody asks, no clock is read */
    int denied; /* which guard of its chain ended it, from 1; 0: none did */
    struct mouse_inputs_t
        *inputs; /* the model room's parsed query, body and cookies; NULL at first */
};

/* Its clock runs from here on, laps in p; until the first switch time is spent on OTHER. */
void mouse_timing_begin(mouse_timing_t *timing, apr_pool_t *p);
void mouse_timing_switch(mouse_timing_t *timing, mouse_phase_t phase);
/* The first guard begins; one has ended, the next begins. */
void mouse_timing_mark(mouse_timing_t *timing);
void mouse_timing_lap(mouse_timing_t *timing, const char *guard);
/* Nanoseconds since the beginning. */
uint64_t mouse_timing_total(const mouse_timing_t *timing);

/* From here on the request's time is spent on this. */
static inline void mouse_phase(const mouse_request_t *req, mouse_phase_t phase)
{
    if (req->timing)
        mouse_timing_switch(req->timing, phase);
}

/* The decoded value of the path's parameter `name`; false: the path has none. */
bool mouse_request_path(const mouse_request_t *req, const char *name, mouse_slice_t *text);

/* "x-trace" for "x_trace", in p: headers as parameters and context call them. */
char *mouse_header_name(apr_pool_t *p, const char *field);

/* The context value `word.field` (built-in words - request, now, random, env, header,
 * cookie - and guards), e.g. "user", "id". Missing fields of guards: MOUSE_E_CONTEXT.
 * *value's bytes live in req->pool. */
apr_status_t mouse_request_value(mouse_request_t *req, const char *word, const char *field,
                                 mouse_value_t *value, mouse_error_t **err) MOUSE_MUST_USE;

/* The same for `word.field` in one; the name has a dot. */
apr_status_t mouse_request_dotted(mouse_request_t *req, const char *name,
                                  mouse_value_t *value, mouse_error_t **err) MOUSE_MUST_USE;

/* 64 hex digits of 32 random bytes; a version 4 UUID. In p. */
const char *mouse_random_hex32(apr_pool_t *p);
const char *mouse_random_uuid(apr_pool_t *p);

/* What a guard of this name gave, in an array of mouse_context_t; or NULL. */
mouse_context_t *mouse_context_of(const apr_array_header_t *contexts, const char *guard);
/* Its field of this name, or NULL. */
const mouse_value_t *mouse_context_find(const mouse_context_t *context, const char *field);

/* Is this word taken (request, now, random, env, header, cookie, given, ...)? Such words
 * cannot name guards or `as` rows. */
bool mouse_word_reserved(const char *word);
/* Is `field` one of the built-in `word`'s fields? For words with free fields (env, header,
 * cookie): any name. False also when word is not built in. */
bool mouse_word_has(const char *word, const char *field);

/* ---- templates: RFC 6570 levels 1 to 3 over values ---- */

/* Finds the value of a variable ("id", "user.id"); APR_NOTFOUND: undefined. */
typedef apr_status_t (*mouse_template_fn)(void *baton, const char *name,
                                          mouse_value_t *value, mouse_error_t **err);

/* MOUSE_E_CONFIG without a place where the text is no template. Copies text. */
apr_status_t mouse_template_parse(apr_pool_t *p, const char *text,
                                  const mouse_template_t **tpl,
                                  mouse_error_t **err) MOUSE_MUST_USE;

/* mouse_template_fn over what a request has before its model runs, context and parameters
 * of the path: baton is the mouse_request_t. */
apr_status_t mouse_template_request(void *baton, const char *name, mouse_value_t *value,
                                    mouse_error_t **err);

/* The variables it names, in order, each once. */
const char *const *mouse_template_names(const mouse_template_t *tpl, int *count);

/*
 * Expands in p. *out NULL when the template is one expression alone, or has a value that
 * is null outside of an operator that drops nulls: then the header is not sent.
 * CR, LF and NUL in what results: MOUSE_E_TEMPLATE.
 */
apr_status_t mouse_template_expand(apr_pool_t *p, const mouse_template_t *tpl,
                                   mouse_template_fn find, void *baton, const char **out,
                                   mouse_error_t **err) MOUSE_MUST_USE;

/* The values joined as they are, for messages that are signed: null is nothing. */
apr_status_t mouse_template_join(apr_pool_t *p, const mouse_template_t *tpl,
                                 mouse_template_fn find, void *baton, mouse_slice_t *out,
                                 mouse_error_t **err) MOUSE_MUST_USE;

/* Percent-encoded, so that no two lists of values give the same key; null is its own. */
apr_status_t mouse_template_key(apr_pool_t *p, const mouse_template_t *tpl,
                                mouse_template_fn find, void *baton, mouse_slice_t *out,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* ---- arguments: what a guard's words name of a request ---- */

/* "{user.id}", "{password}", "{request.ip}:{name}": context, and parameters by bare
 * names. */
apr_status_t mouse_argument_parse(apr_pool_t *pconf, const char *text,
                                  const mouse_argument_t **arg,
                                  mouse_error_t **err) MOUSE_MUST_USE;
const char *const *mouse_argument_names(const mouse_argument_t *arg, int *count);
/* Is it one variable and nothing else? */
bool mouse_argument_is_value(const mouse_argument_t *arg);

/* The value of its one variable; absent is NULL. A bare name twice or of another type than
 * string: MOUSE_E_PARAMETERS. Bytes live in req->pool. */
apr_status_t mouse_argument_value(mouse_request_t *req, const mouse_argument_t *arg,
                                  mouse_value_t *value, mouse_error_t **err) MOUSE_MUST_USE;
/* Joined as they are / as a key: see the templates. */
apr_status_t mouse_argument_text(mouse_request_t *req, const mouse_argument_t *arg,
                                 mouse_slice_t *text, mouse_error_t **err) MOUSE_MUST_USE;
apr_status_t mouse_argument_key(mouse_request_t *req, const mouse_argument_t *arg,
                                mouse_slice_t *key, mouse_error_t **err) MOUSE_MUST_USE;
/* A key that tells clients apart: {request.ip} counts IPv4 as it is (also
 * "::ffff:192.0.2.1"), IPv6 by its /64, the least that one customer has (RFC 6177). */
apr_status_t mouse_argument_client_key(mouse_request_t *req, const mouse_argument_t *arg,
                                       mouse_slice_t *key,
                                       mouse_error_t **err) MOUSE_MUST_USE;

/* Reads a JSON body now, with this limit of nested containers (MOUSE_E_JSON_DEPTH); what
 * reads parameters later finds it parsed. Other bodies are left alone. */
apr_status_t mouse_request_read_json(mouse_request_t *req, int depth,
                                     mouse_error_t **err) MOUSE_MUST_USE;
/* The root of a JSON body; MOUSE_E_MEDIA_TYPE when it is none. */
apr_status_t mouse_request_json(mouse_request_t *req, const mouse_json_node_t **root,
                                mouse_error_t **err) MOUSE_MUST_USE;
/* From here on the body's parameters are this object's members; an empty array is an empty
 * object, as PHP writes one. */
apr_status_t mouse_request_replace_json(mouse_request_t *req, const mouse_json_node_t *root,
                                        mouse_error_t **err) MOUSE_MUST_USE;
/* The media type of the body in lower case, without parameters, in p; NULL: none
 * is sent. */
const char *mouse_request_media_type(apr_pool_t *p, const mouse_request_t *req);

/* Do bare names come from the body? */
bool mouse_request_has_body(const mouse_request_t *req);

/* ---- what a route asks of an answer, and the answer ---- */

typedef enum {
    MOUSE_FORMAT_JSON,
    MOUSE_FORMAT_NDJSON,
    MOUSE_FORMAT_CSV,
    MOUSE_FORMATS
} mouse_format_t;

/* idempotent= of a route: whose Idempotency-Keys are one another's, and for how long. */
typedef struct mouse_idempotent_t {
    const char *route;             /* "POST /api/orders" */
    const mouse_template_t *scope; /* over path parameters and context */
    apr_interval_time_t ttl;
} mouse_idempotent_t;

#define MOUSE_IDEMPOTENT_TTL apr_time_from_sec(24 * 3600)

typedef struct mouse_header_template_t {
    const char *name;
    const mouse_template_t *value;
} mouse_header_template_t;

struct mouse_shape_t {
    int status;       /* status=; 0: by the model's kind */
    int header_count; /* "header=Name: template" and "cookie=template" (name Set-Cookie) */
    const mouse_header_template_t *headers;
    bool etag;
    const mouse_idempotent_t *idempotent; /* or NULL */
    const mouse_coalesce_t *coalesce;     /* or NULL */
};

struct mouse_answer_t {
    int status;
    const char *content_type; /* NULL: no body */
    apr_table_t *headers;     /* to add; NULL: none */
    mouse_slice_t fixed; /* data set: the body, bytes that outlive the process's requests */
    mouse_slice_t shared; /* or these, which live as long as the request's pool */
    mouse_sink_t body;    /* else this */
};

/* ---- models ---- */

/* Loads every *.sql below dir (sorted; sub-directories become "sub/file/name"). Errors are
 * start-up errors with file, line and column. Reads the dialect's own lexical rules. */
apr_status_t mouse_models_load(apr_pool_t *pconf, const char *dir, mouse_dialect_t dialect,
                               mouse_models_t **models, mouse_error_t **err) MOUSE_MUST_USE;

/* One file's text, under a file name for messages: what tests and the fuzzer call. */
apr_status_t mouse_models_parse(apr_pool_t *pconf, const char *file, const char *prefix,
                                mouse_slice_t text, mouse_dialect_t dialect,
                                mouse_models_t **models,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* By "products/list", or NULL; by their order, file by file. */
const mouse_model_t *mouse_model_find(const mouse_models_t *models, const char *name);
int mouse_models_count(const mouse_models_t *models);
const mouse_model_t *mouse_models_get(const mouse_models_t *models, int index);

typedef enum {
    MOUSE_KIND_ONE,
    MOUSE_KIND_MANY,
    MOUSE_KIND_EXEC,
    MOUSE_KIND_AFFECTED,
    MOUSE_KIND_OBJECT
} mouse_kind_t;

/* "products/list", and the place of its `-- name:`. */
const char *mouse_model_name(const mouse_model_t *model);
const char *mouse_model_file(const mouse_model_t *model);
int mouse_model_line(const mouse_model_t *model);
mouse_kind_t mouse_model_kind(const mouse_model_t *model);
/* The status of its answers where neither the route nor a column says one: 200 or 204. */
int mouse_model_status(const mouse_model_t *model);
/* Has it only SELECT and VALUES? */
bool mouse_model_reads(const mouse_model_t *model);
/* Does it read the body? body_method: names without `from` are there (POST, PUT, PATCH). */
bool mouse_model_takes_body(const mouse_model_t *model, bool body_method);
bool mouse_model_takes_cookie(const mouse_model_t *model);

/* Its parameters as one line for people: "id path int, tags[] body string optional",
 * in p. */
const char *mouse_model_parameters(apr_pool_t *p, const mouse_model_t *model);
/* Appends the names that a bound model takes out of the query or the body (of const char
 * *).
 */
void mouse_model_inputs(const mouse_model_t *model, apr_array_header_t *names);

/* Of a bound model: is this a list? Is it declared, and not in the body? */
bool mouse_model_names_list(const mouse_model_t *model, const char *name);
bool mouse_model_names_elsewhere(const mouse_model_t *model, const char *name);
/* A name that a guard's model reads at its usual place and the action's model elsewhere,
 * so that one request could say two things; or NULL. Both are bound. */
const char *mouse_model_apart(const mouse_model_t *guard, const mouse_model_t *model,
                              bool has_body);

/*
 * Ties a model to a route: `names` are its path parameters. Refused (MOUSE_E_CONFIG with
 * the model's file and line): a bare name that neither a declaration nor the path gives, a
 * parameter declared `from path` that the path lacks, a body parameter on a method without
 * body, a writing model on GET. *used tells per path name whether the model reads it.
 * Returns the model's own copy for this route: path names resolved, sources settled.
 */
apr_status_t mouse_model_bind(apr_pool_t *pconf, const mouse_model_t *model,
                              const char *const *names, const char *const *types, int count,
                              bool body_method, bool *used, const mouse_model_t **bound,
                              mouse_error_t **err) MOUSE_MUST_USE;

/* Every context reference "word", "field" (guards and built-ins alike) of a model, with its
 * line and column. */
void mouse_model_each_context(const mouse_model_t *model,
                              void (*visit)(void *baton, const char *word,
                                            const char *field, int line, int column),
                              void *baton);

/* Every bare name that the model does not declare, as `:id` or as the source of a let: only
 * the path of a route can give it. A bound model has none. */
void mouse_model_each_undeclared(const mouse_model_t *model,
                                 void (*visit)(void *baton, const char *name), void *baton);

/* Can a template of this route name `name` ("id", "o.id", "member.id", or a parameter)?
 * For :one models and single-row members a column may only be known by the database:
 * those are accepted here and looked at by the checker. */
bool mouse_model_template_name(const mouse_model_t *model, const char *name);

/* Is `name` a single parameter (of the path, too, once bound) or a let? */
bool mouse_model_names_value(const mouse_model_t *model, const char *name);

/*
 * Runs a bound model and makes its answer: parameters, let, transaction, retries, rows,
 * templates, all before COMMIT. The connection is back in its pool when this returns.
 * answer->headers and ->body are made here, in req->pool.
 */
apr_status_t mouse_model_run(mouse_request_t *req, const mouse_model_t *model,
                             mouse_db_t *db, const mouse_shape_t *shape,
                             mouse_format_t format, mouse_answer_t *answer,
                             mouse_error_t **err) MOUSE_MUST_USE;

/* ---- coalescing: requests that ask for the same share one run of a reading model ---- */

/* Who waits for whom, in one process whose threads serve requests. Lives in pchild. */
mouse_flights_t *mouse_flights_create(apr_pool_t *pchild);

/* How many requests wait for another's run, at this moment. */
int mouse_flights_waiting(mouse_flights_t *flights);

/*
 * The route's half, for shape->coalesce: `shape` has its templates already, and its address
 * stands for the route. *flights is read per request; NULL there: nobody shares. Refused
 * (MOUSE_E_CONFIG without a place): a model that writes, idempotent=, a value that no two
 * requests share.
 */
apr_status_t mouse_coalesce_create(apr_pool_t *pconf, const mouse_model_t *model,
                                   const mouse_shape_t *shape,
                                   mouse_flights_t *const *flights,
                                   const mouse_coalesce_t **coalesce,
                                   mouse_error_t **err) MOUSE_MUST_USE;

/*
 * Runs a :one model for a guard: its row as context in req->pool. APR_NOTFOUND without an
 * error when there is no row, or an absent or invalid header or cookie value; two rows are
 * also APR_NOTFOUND (logged): they deny.
 */
apr_status_t mouse_model_lookup(mouse_request_t *req, const mouse_model_t *model,
                                mouse_db_t *db, mouse_context_t *context,
                                mouse_error_t **err) MOUSE_MUST_USE;

/*
 * Prepares every statement on a real connection (MOUSE_CHECK). Each finding is passed to
 * `report`, an error with the model's file and line; `context` tells which columns a lookup
 * guard gives. Returns APR_EGENERAL when anything was an error.
 */
typedef void (*mouse_finding_fn)(void *baton, mouse_log_level_t level,
                                 const mouse_error_t *err);
apr_status_t mouse_model_check(apr_pool_t *ptmp, const mouse_model_t *model,
                               mouse_conn_t *conn, mouse_finding_fn report, void *baton);

/* ---- descriptions of the API: OpenAPI 3.1 with JSON Schema 2020-12, by Jansson ---- */

struct json_t;

/* Does the array of Parameter Objects have one in this place ("query") of this name? Case
 * does not matter to names of headers (RFC 9110, 5.1). */
bool mouse_model_has_parameter(const struct json_t *parameters, const char *in,
                               const char *name);
/* Appends one, with a reference to its schema that it takes over, unless it is there. */
void mouse_model_add_parameter(struct json_t *parameters, const char *in, const char *name,
                               bool required, struct json_t *schema);

/* The prose above the model, or NULL. */
const char *mouse_model_summary(const mouse_model_t *model);

/*
 * Of a bound model: appends Parameter Objects to the array `parameters`, and properties to
 * `body`, the schema of an object; what is there already stays. credentials: headers and
 * cookies are how a client shows who it is, and left out here.
 */
void mouse_model_describe_inputs(const mouse_model_t *model, bool credentials,
                                 struct json_t *parameters, struct json_t *body);
/* Those: "header" or "cookie", and a name. */
void mouse_model_describe_credentials(const mouse_model_t *model,
                                      void (*visit)(void *baton, const char *in,
                                                    const char *name),
                                      void *baton);

/* The schema of its JSON answer, a new reference; NULL there: it answers without a body.
 * MOUSE_E_DB_DOWN when conn is lost, MOUSE_E_DB_ERROR when the database refuses a
 * statement. */
apr_status_t mouse_model_describe_answer(apr_pool_t *p, const mouse_model_t *model,
                                         mouse_conn_t *conn, mouse_number_style_t numbers,
                                         struct json_t **schema,
                                         mouse_error_t **err) MOUSE_MUST_USE;

/* Does its row choose among the statuses 200 to 299 (`column .. status`)? */
bool mouse_model_chooses_status(const mouse_model_t *model);

/* The statuses (of int) that its own rules answer with when something is missing or
 * refused.
 */
void mouse_model_describe_statuses(const mouse_model_t *model,
                                   apr_array_header_t *statuses);

/* Habits to avoid, as findings of MOUSE_LOG_WARNING with file and line: lint.c. */
void mouse_model_lint(apr_pool_t *ptmp, const mouse_model_t *model, mouse_finding_fn report,
                      void *baton);

/* A statement's line and text, and the database's plan for it (of const char *),
 * or NULL. */
typedef void (*mouse_explained_fn)(void *baton, int line, const char *sql,
                                   const apr_array_header_t *plan);
/* Asks the database (conn may be NULL: then no plans) without running anything:
 * explain.c. */
void mouse_model_explain(apr_pool_t *p, const mouse_model_t *model, mouse_conn_t *conn,
                         mouse_explained_fn visit, void *baton);

/* Is the table of Idempotency-Keys there, as it must be (MOUSE_CHECK)? MOUSE_E_CONFIG. */
apr_status_t mouse_idempotency_check(apr_pool_t *p, mouse_conn_t *conn,
                                     mouse_error_t **err) MOUSE_MUST_USE;

/* The column names a :one model's prepared answer has; APR_NOTFOUND where only a run
 * tells. */
apr_status_t mouse_model_columns(apr_pool_t *ptmp, const mouse_model_t *model,
                                 mouse_conn_t *conn, apr_array_header_t **names);

#endif
