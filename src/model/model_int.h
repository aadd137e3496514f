/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * model, inside: a model as the parser leaves it and as the runner reads it.
 * Immutable once loaded; lives in pconf. Include only within src/model.
 */
#ifndef MOUSE_MODEL_INT_H
#define MOUSE_MODEL_INT_H

#include "model/mouse_model.h"

typedef struct mouse_param_t mouse_param_t;
typedef struct mouse_sql_t mouse_sql_t;
typedef struct mouse_pattern_re_t mouse_pattern_re_t; /* a compiled match(/re/): PCRE2 */

/* ---- parameters ---- */

typedef enum {
    MOUSE_TYPE_INT,
    MOUSE_TYPE_NUMBER,
    MOUSE_TYPE_STRING,
    MOUSE_TYPE_BOOL,
    MOUSE_TYPE_DATE,
    MOUSE_TYPE_DATETIME,
    MOUSE_TYPE_UUID,
    MOUSE_TYPE_JSON,
    MOUSE_TYPE_BYTES,
    MOUSE_TYPE_OBJECT /* the elements of an array without an element type */
} mouse_type_t;

typedef enum {
    MOUSE_FROM_ANY, /* path, else query or body by method: settled by mouse_model_bind */
    MOUSE_FROM_PATH,
    MOUSE_FROM_QUERY,
    MOUSE_FROM_BODY,
    MOUSE_FROM_HEADER,
    MOUSE_FROM_COOKIE
} mouse_source_t;

typedef enum {
    MOUSE_HASH_NONE,
    MOUSE_HASH_SHA256,
    MOUSE_HASH_BCRYPT,
    MOUSE_HASH_YESCRYPT
} mouse_hash_t;

/*
 * Bounds as written: int(1..99), number(0..1.5), string(1..40) (characters), bytes(..64)
 * (decoded bytes). Text keeps exact digits; NULL: open.
 */
typedef struct mouse_bounds_t {
    const char *low, *high;
    int64_t low_int, high_int; /* int, lengths, counts; INT64_MIN / INT64_MAX: open */
    bool set;
} mouse_bounds_t;

struct mouse_param_t {
    const char *name;  /* "items"; for a field of an object array: "product_id" */
    mouse_type_t type; /* of the value, or of the elements of an array */
    bool is_array;
    mouse_bounds_t count;  /* an array's elements */
    mouse_bounds_t bounds; /* a value's range or length */
    int choice_count;      /* in(a,b) */
    const char **choices;
    mouse_pattern_re_t *pattern; /* match(/re/), or NULL */
    const char *pattern_text;
    bool optional, nullable;
    const char *fallback; /* the default's text as written (unquoted), or NULL */
    mouse_source_t source;
    const char *source_name; /* header or cookie name; else NULL */
    int source_depth;        /* from body.a.b: 2 */
    const char **source_path;
    mouse_hash_t hash;
    int hash_cost;
    int field_count; /* an object array's fields; items[].x */
    mouse_param_t *fields;
    int order;           /* index into orders when this is an `order` choice, else -1 */
    bool from_path_only; /* made from a path parameter, not declared */
    int line, column;
};

/* A model's parameter by its name, or NULL; model may be NULL. */
const mouse_param_t *mouse_param_find(const mouse_model_t *model, const char *name);
/* One value as it was sent: no list, no choice of an order. */
bool mouse_param_is_value(const mouse_param_t *param);

typedef enum {
    MOUSE_LET_HEX32,
    MOUSE_LET_UUID,
    MOUSE_LET_NOW_MS,
    MOUSE_LET_NOW_UNIX,
    MOUSE_LET_PARAM,  /* index: a parameter */
    MOUSE_LET_LET,    /* index: an earlier let */
    MOUSE_LET_CONTEXT /* word.field: guards and built-ins */
} mouse_let_kind_t;

typedef struct mouse_let_t {
    const char *name;
    mouse_let_kind_t kind;
    int index;
    const char *source; /* the name as written; bind resolves what may be of the path */
    const char *field;  /* CONTEXT: behind the dot of source */
    mouse_hash_t hash;
    int hash_cost;
    int line, column;
} mouse_let_t;

typedef struct mouse_choice_t {
    const char *name;
    const char *sql; /* "price, id" */
} mouse_choice_t;

/* `-- order: sort NAME = TERMS`, all lines of one `sort`. */
typedef struct mouse_order_t {
    const char *name;
    int count;
    mouse_choice_t *choices; /* the first is the default */
    int line, column;
} mouse_order_t;

typedef struct mouse_error_rule_t {
    const char *constraint;
    int status;
    const char *text;      /* or NULL */
    const char *parameter; /* or NULL */
    int line, column;
} mouse_error_rule_t;

/* ---- statements ---- */

typedef enum {
    MOUSE_REF_NAME,    /* a bare :name not resolved yet (a path parameter, known at bind) */
    MOUSE_REF_PARAM,   /* index: a scalar parameter */
    MOUSE_REF_LIST,    /* index: an array, expanded inside IN (:ids) */
    MOUSE_REF_FIELD,   /* index, field: :items[].qty, in an each */
    MOUSE_REF_ELEMENT, /* index: :ids[], in an each */
    MOUSE_REF_LET,     /* index */
    MOUSE_REF_GIVEN,   /* index: the parameter; :given.title */
    MOUSE_REF_AS,      /* index: the statement with that `as`; field: the column name */
    MOUSE_REF_CONTEXT, /* word.field: guards and built-ins */
    MOUSE_REF_ORDER    /* index: replaced by the chosen terms */
} mouse_ref_kind_t;

typedef struct mouse_ref_t {
    mouse_ref_kind_t kind;
    int index;
    int field;        /* FIELD: index into fields */
    const char *word; /* as written: "user", "items", "title" */
    const char *name; /* behind the dot: "id", or NULL */
    int line, column;
} mouse_ref_t;

/* A statement's text is cut at its references: text, ref, text, ref, ..., text. */
typedef struct mouse_piece_t {
    mouse_slice_t text; /* comments removed, otherwise as written */
    bool has_ref;
    mouse_ref_t ref; /* behind text */
} mouse_piece_t;

typedef enum {
    MOUSE_ANSWER_NONE,
    MOUSE_ANSWER_ONE,
    MOUSE_ANSWER_MANY,
    MOUSE_ANSWER_VALUE
} mouse_member_kind_t;

/* What a statement is by its main verb (behind WITH). */
typedef enum {
    MOUSE_VERB_SELECT, /* SELECT, VALUES */
    MOUSE_VERB_INSERT, /* also REPLACE */
    MOUSE_VERB_UPDATE,
    MOUSE_VERB_DELETE,
    MOUSE_VERB_CALL,
    MOUSE_VERB_COMPOUND, /* BEGIN NOT ATOMIC ... END */
    MOUSE_VERB_OTHER
} mouse_verb_t;

struct mouse_sql_t {
    int piece_count;
    mouse_piece_t *pieces;
    mouse_verb_t verb;
    bool reads;           /* SELECT / VALUES without FOR UPDATE, INTO, locking functions */
    bool returns_rows;    /* known to: SELECT, VALUES, RETURNING */
    bool may_return_rows; /* CALL, compound: only a run tells */
    int each;             /* index of the array parameter, or -1 */
    bool expects;
    int64_t expect_low, expect_high; /* expect_high INT64_MAX: open */
    int expect_status;               /* 404 when not said */
    const char *expect_text;
    const char *as;     /* or NULL */
    const char *member; /* answer: NAME, or NULL */
    mouse_member_kind_t member_kind;
    bool has_order; /* an ORDER ref or list: more than one text */
    int line, column;
};

struct mouse_model_t {
    const char *name, *file, *summary; /* summary: the prose comment, or NULL */
    int line;
    mouse_kind_t kind;
    mouse_dialect_t dialect;
    bool reads;
    bool autocommit; /* one-statement :exec / :affected without expect */
    int param_count;
    mouse_param_t *params;
    int let_count;
    mouse_let_t *lets;
    int order_count;
    mouse_order_t *orders;
    int rule_count;
    mouse_column_rule_t *rules;
    int error_count;
    mouse_error_rule_t *errors;
    int sql_count;
    mouse_sql_t *sqls;
    int answering; /* index of the statement that answers (:object: -1) */
    bool bound;    /* by mouse_model_bind */
};

/* ---- the request's inputs, parsed once: input.c ---- */

typedef struct mouse_pair_t {
    mouse_slice_t name, value; /* decoded */
} mouse_pair_t;

typedef struct mouse_inputs_t {
    bool query_read, cookies_read;
    apr_array_header_t *query;    /* of mouse_pair_t */
    apr_array_header_t *form;     /* of mouse_pair_t; accept=form bodies */
    apr_array_header_t *cookies;  /* of mouse_pair_t */
    mouse_slice_t body;           /* raw */
    const mouse_json_doc_t *json; /* NULL: no JSON body */
} mouse_inputs_t;

/* Each fills its part of req->inputs, once; what cannot be read is the client's error. */
apr_status_t mouse_inputs_query(mouse_request_t *req, mouse_error_t **err);
apr_status_t mouse_inputs_body(mouse_request_t *req, mouse_error_t **err);

/* The header that parameters and context call "x_trace": X-Trace, or NULL. */
const char *mouse_inputs_header(const mouse_request_t *req, const char *field);
/* The value of the first cookie of this name, or NULL. */
const mouse_slice_t *mouse_inputs_cookie(mouse_request_t *req, const char *name);

/* ---- parameters bound to values: bind.c ---- */

/* One array: scalars (fields 0) or rows of fields. */
typedef struct mouse_list_t {
    int count;
    mouse_value_t *values; /* scalars: count; objects: count * field_count, row by row */
} mouse_list_t;

typedef struct mouse_binding_t {
    mouse_value_t *params; /* per parameter; arrays: see lists */
    mouse_list_t *lists;   /* per parameter */
    bool *given;           /* per parameter */
    int *choices;          /* per order: the chosen index */
    mouse_value_t *lets;   /* per let */
} mouse_binding_t;

/*
 * Collects, checks and converts all parameters of a bound model; all violations at once
 * (MOUSE_E_PARAMETERS). In a lookup (`lookup` true) an absent or invalid header or cookie
 * value gives APR_NOTFOUND without an error.
 */
apr_status_t mouse_bind_request(mouse_request_t *req, const mouse_model_t *model,
                                bool lookup, mouse_binding_t **binding,
                                mouse_error_t **err) MOUSE_MUST_USE;

/* ---- values by their declarations ---- */

/* One text or JSON value by a parameter's declaration: types.c. A violation's rule and
 * detail in *rule / *detail when it does not fit (returns APR_EINVAL). */
apr_status_t mouse_type_from_text(apr_pool_t *p, const mouse_param_t *param,
                                  mouse_dialect_t dialect, mouse_slice_t text,
                                  mouse_value_t *value, const char **rule,
                                  const char **detail) MOUSE_MUST_USE;
apr_status_t mouse_type_from_json(apr_pool_t *p, const mouse_param_t *param,
                                  mouse_dialect_t dialect, const mouse_json_node_t *node,
                                  mouse_value_t *value, const char **rule,
                                  const char **detail) MOUSE_MUST_USE;

/* sha256, bcrypt, yescrypt of a value's text, in p: hash.c. bcrypt refuses more than 72
 * bytes and NUL (APR_EINVAL, *detail). */
apr_status_t mouse_hash(apr_pool_t *p, mouse_hash_t hash, int cost, mouse_slice_t text,
                        mouse_slice_t *out, const char **detail) MOUSE_MUST_USE;

/* match(/re/): regex.c, on PCRE2. The compiled form lives in p. */
apr_status_t mouse_pattern_compile(apr_pool_t *p, const char *re,
                                   mouse_pattern_re_t **pattern,
                                   const char **detail) MOUSE_MUST_USE;
bool mouse_pattern_matches(const mouse_pattern_re_t *pattern, mouse_slice_t text);

#endif
