/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Flights: requests of one process that ask for the same thing share one run, never one
 * that had begun before they came.
 *
 * A flight gathers until its leader departs; who comes later gathers for the next. The
 * next one's turn is when the last one that departed has landed. Nothing here knows what
 * is run. Include only within src/model.
 */
#ifndef MOUSE_FLIGHTS_INT_H
#define MOUSE_FLIGHTS_INT_H

#include "model/mouse_model.h"

typedef struct mouse_flight_t mouse_flight_t;

/*
 * What a flight brings; never changed once it has landed. Each of those who have it holds
 * a reference; memory is malloc's, since it outlives the leader's request.
 */
typedef struct mouse_landing_t {
    uint32_t references; /* atomic */
    apr_pool_t *pool;    /* of headers and err; NULL: there are none */
    int status;
    const char *content_type; /* a constant, or NULL */
    apr_table_t *headers;     /* or NULL */
    const mouse_error_t *err; /* set: this is all there is */
    mouse_slice_t body;       /* data: of malloc, or NULL */
} mouse_landing_t;

/* Empty, with one reference. */
mouse_landing_t *mouse_landing_create(void);
/* Its pool, made now. */
apr_pool_t *mouse_landing_pool(mouse_landing_t *landing);
void mouse_landing_release(mouse_landing_t *landing);

/* How boarding ended. */
typedef enum {
    MOUSE_SEAT_LEADS,   /* *flight: run, then land or abandon it */
    MOUSE_SEAT_LANDED,  /* *landing: a reference for the caller */
    MOUSE_SEAT_ALONE,   /* run as if there were no flights */
    MOUSE_SEAT_BUSY,    /* the leader had no connection in all that time */
    MOUSE_SEAT_TIMEOUT, /* the watch's deadline */
    MOUSE_SEAT_GONE     /* the watch's client */
} mouse_seat_t;

/*
 * Boards the flight of this key that gathers, and waits for what it brings. Nobody waits
 * longer than `wait` for its turn - who has, leads it beside the slow one - nor longer than
 * that again while its leader is in line for a connection.
 */
mouse_seat_t mouse_flights_board(mouse_flights_t *flights, mouse_slice_t key,
                                 const mouse_watch_t *watch, apr_interval_time_t wait,
                                 mouse_flight_t **flight, mouse_landing_t **landing);

/* ---- for the leader ---- */

/* The run begins now: nobody else may board. Returns how many wait for it; again and
 * again, if need be. */
int mouse_flight_depart(mouse_flight_t *flight);
int mouse_flight_waiting(mouse_flight_t *flight);

/* Gives all who wait a reference to landing; NULL: each runs alone. The flight is gone. */
void mouse_flight_land(mouse_flight_t *flight, mouse_landing_t *landing);

/* The leader cannot, for a reason of its own: another one leads. The flight is no longer
 * the caller's. */
void mouse_flight_abandon(mouse_flight_t *flight);

#endif
