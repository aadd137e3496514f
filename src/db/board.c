/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* What a pool shows of itself to other processes: plain stores, in no order. */

#include "db/pool_int.h"

static void show(_Atomic uint64_t *place, uint64_t value)
{
    atomic_store_explicit(place, value, memory_order_relaxed);
}

static uint64_t shown(const _Atomic uint64_t *place)
{
    return atomic_load_explicit(place, memory_order_relaxed);
}

void mouse_board_open(mouse_db_t *db, mouse_db_board_t *board)
{
    atomic_init(&db->board, board);
    if (!board)
        return;
    db->board_created = shown(&board->created);
    db->board_discarded = shown(&board->discarded);
    db->board_waited = shown(&board->waited);
    mouse_board_publish(db);
}

void mouse_board_publish(mouse_db_t *db)
{
    mouse_db_board_t *board = atomic_load_explicit(&db->board, memory_order_relaxed);

    if (!board)
        return;
    show(&board->open, (uint64_t)db->open);
    show(&board->idle, (uint64_t)db->idle_count);
    show(&board->waiting, (uint64_t)db->waiting);
    show(&board->created, db->board_created + db->created);
    show(&board->discarded, db->board_discarded + db->discarded);
    show(&board->waited, db->board_waited + db->waited);
}

void mouse_board_close(mouse_db_t *db)
{
    mouse_db_board_t *board = atomic_load_explicit(&db->board, memory_order_relaxed);

    if (!board)
        return;
    mouse_board_publish(db);
    atomic_store_explicit(&db->board, NULL, memory_order_relaxed);
    show(&board->open, 0);
    show(&board->idle, 0);
    show(&board->waiting, 0);
}

void mouse_board_fault(mouse_db_t *db, mouse_fault_class_t class)
{
    mouse_db_board_t *board = atomic_load_explicit(&db->board, memory_order_relaxed);

    if (board)
        atomic_fetch_add_explicit(&board->faults[class], 1, memory_order_relaxed);
}
