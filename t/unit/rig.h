/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * A rig for what runs models: a server's request made up in memory, models parsed from
 * text, and a real database - an SQLite file of its own, or MariaDB when
 * MOUSE_TEST_MYSQL holds apr_dbd's parameters.
 */
#ifndef MOUSE_RIG_H
#define MOUSE_RIG_H

#include "model/mouse_model.h"
#include "unit.h"

/* One request; what is not named is absent. */
typedef struct rig_ask_t {
    const char *model;  /* "run/one" */
    const char *method; /* NULL: GET */
    const char *path;   /* "id=7": the one path parameter */
    const char *query;
    const char *body; /* JSON */
    const char *cookie;
    const char *target;    /* NULL: /rig and the query */
    const char *authority; /* NULL: api.example:8080; "": none */
    apr_time_t now;        /* 0: the clock's */
    const char *sent[16];  /* request headers: name, value, name, value */
    const char *ip;        /* NULL: 192.0.2.1 */
    const char *header[4]; /* templates: name, text, name, text */
    int status;            /* the route's */
    mouse_format_t format;
    const char *key; /* Idempotency-Key */
    const mouse_idempotent_t *idempotent;
} rig_ask_t;

typedef struct rig_t {
    mouse_dialect_t dialect;
    mouse_db_config_t config;
    mouse_db_t *db;
    mouse_models_t *models;
    mouse_settings_t settings;
    mouse_slice_t mark;      /* of every request's watch */
    apr_array_header_t *log; /* of const char * */
} rig_t;

/* Does this run have a MariaDB? */
bool rig_has_mysql(void);

/* Opens a database, empty but for `schema` (NULL-terminated; a statement that begins with
 * "S:" or "M:" is for SQLite or MariaDB alone), and parses models called "run/...". */
rig_t *rig_open(mouse_dialect_t dialect, const char *const *schema, const char *models);

mouse_request_t *rig_request(rig_t *rig, const rig_ask_t *ask);

/* The model tied to the ask's path. */
const mouse_model_t *rig_bind(rig_t *rig, const rig_ask_t *ask);

/* Runs it: "200 BODY", or "409 unique Detail (parameter)". *answer may be NULL. */
const char *rig_run(rig_t *rig, const rig_ask_t *ask, mouse_answer_t **answer);

/* A GET without anything. */
const char *rig_get(rig_t *rig, const char *model);

#endif
