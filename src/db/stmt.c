/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * Prepared statements: each connection's cache by (key, variant), least recently used ones
 * closed first, and the wrappers that keep the rules every driver shares. How a statement
 * is prepared and run is the driver's business.
 *
 * A statement with its request's mark is of no use to another one. Those are kept apart
 * from the cache, for what the request runs more than once, and closed when the connection
 * is given back.
 */

#include "db/db_int.h"

#define CACHE_MAX     256
#define CACHE_BUCKETS 128

typedef struct mouse_stmt_cache_t {
    mouse_stmt_t *buckets[CACHE_BUCKETS];
    mouse_stmt_t *newest, *oldest;
    int count;
} mouse_stmt_cache_t;

static mouse_stmt_t **bucket_of(mouse_stmt_cache_t *cache, const void *key,
                                uint64_t variant)
{
    uint64_t hash =
        ((uint64_t)(uintptr_t)key ^ (variant * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;

    return &cache->buckets[(hash >> 32) % CACHE_BUCKETS];
}

/* ---- the list by use ---- */

static void unlink_stmt(mouse_stmt_cache_t *cache, mouse_stmt_t *stmt)
{
    if (stmt->newer)
        stmt->newer->older = stmt->older;
    else
        cache->newest = stmt->older;
    if (stmt->older)
        stmt->older->newer = stmt->newer;
    else
        cache->oldest = stmt->newer;
}

static void push_newest(mouse_stmt_cache_t *cache, mouse_stmt_t *stmt)
{
    stmt->newer = NULL;
    stmt->older = cache->newest;
    if (cache->newest)
        cache->newest->newer = stmt;
    else
        cache->oldest = stmt;
    cache->newest = stmt;
}

static void insert_stmt(mouse_conn_t *conn, mouse_stmt_t *stmt)
{
    mouse_stmt_t **bucket = bucket_of(conn->cache, stmt->key, stmt->variant);

    stmt->chain = *bucket;
    *bucket = stmt;
    push_newest(conn->cache, stmt);
    conn->cache->count++;
}

static void evict(mouse_conn_t *conn)
{
    mouse_stmt_t *stmt = conn->cache->oldest;

    while (stmt && stmt->running)
        stmt = stmt->newer;
    if (stmt)
        mouse_stmt_drop(stmt);
}

/* ---- finding and preparing ---- */

static mouse_stmt_t *find_in(mouse_stmt_t *chain, const void *key, uint64_t variant)
{
    while (chain && (chain->key != key || chain->variant != variant))
        chain = chain->chain;
    return chain;
}

mouse_stmt_t *mouse_stmt_find(mouse_conn_t *conn, const void *key, uint64_t variant)
{
    mouse_stmt_t *stmt;

    if (mouse_conn_mark(conn))
        return find_in(conn->marked, key, variant);
    if (!conn->cache)
        return NULL;
    stmt = find_in(*bucket_of(conn->cache, key, variant), key, variant);
    if (stmt && stmt != conn->cache->newest) {
        unlink_stmt(conn->cache, stmt);
        push_newest(conn->cache, stmt);
    }
    return stmt;
}

/*
 * Prepared, run and closed one by one: mariadb_stmt_execute_direct sends the first two
 * together, and where the server refuses to prepare (1461: too many statements) it executes
 * whatever was prepared before on this connection.
 */
static apr_status_t prepare_marked(mouse_stmt_t *stmt, mouse_slice_t sql,
                                   const mouse_slice_t *mark)
{
    mouse_conn_t *conn = stmt->conn;
    char *text = apr_palloc(stmt->pool, sql.len + mark->len + 1);

    memcpy(text, sql.data, sql.len);
    memcpy(text + sql.len, mark->data, mark->len);
    text[sql.len + mark->len] = '\0';
    sql = (mouse_slice_t){text, sql.len + mark->len};
    if (conn->driver->prepare(stmt, sql) != APR_SUCCESS)
        return APR_EGENERAL;
    stmt->marked = true;
    stmt->chain = conn->marked;
    conn->marked = stmt;
    return APR_SUCCESS;
}

static apr_status_t prepare_cached(mouse_stmt_t *stmt, mouse_slice_t sql)
{
    mouse_conn_t *conn = stmt->conn;

    if (conn->driver->prepare(stmt, sql) != APR_SUCCESS)
        return APR_EGENERAL;
    if (!conn->cache)
        conn->cache = apr_pcalloc(conn->pool, sizeof(*conn->cache));
    insert_stmt(conn, stmt);
    if (conn->cache->count > CACHE_MAX)
        evict(conn);
    return APR_SUCCESS;
}

apr_status_t mouse_stmt_prepare(mouse_conn_t *conn, const void *key, uint64_t variant,
                                mouse_slice_t sql, mouse_stmt_t **result)
{
    mouse_stmt_t *stmt = mouse_stmt_find(conn, key, variant);
    const mouse_slice_t *mark = mouse_conn_mark(conn);
    apr_pool_t *pool;
    apr_status_t status;

    mouse_fault_clear(conn);
    if (stmt)
        mouse_stmt_drop(stmt);
    apr_pool_create(&pool, conn->pool);
    stmt = apr_pcalloc(pool, sizeof(*stmt));
    stmt->conn = conn;
    stmt->pool = pool;
    stmt->key = key;
    stmt->variant = variant;
    status = mark ? prepare_marked(stmt, sql, mark) : prepare_cached(stmt, sql);
    if (status == APR_SUCCESS)
        *result = stmt;
    else
        apr_pool_destroy(pool);
    return status;
}

void mouse_stmt_drop(mouse_stmt_t *stmt)
{
    mouse_conn_t *conn = stmt->conn;
    mouse_stmt_t **link =
        stmt->marked ? &conn->marked : bucket_of(conn->cache, stmt->key, stmt->variant);

    while (*link != stmt)
        link = &(*link)->chain;
    *link = stmt->chain;
    if (!stmt->marked) {
        unlink_stmt(conn->cache, stmt);
        conn->cache->count--;
    }
    conn->driver->unprepare(stmt);
    apr_pool_destroy(stmt->pool);
}

void mouse_stmt_clear_marked(mouse_conn_t *conn)
{
    while (conn->marked)
        mouse_stmt_drop(conn->marked);
}

void mouse_stmt_clear(mouse_conn_t *conn)
{
    mouse_stmt_clear_marked(conn);
    while (conn->cache && conn->cache->newest)
        mouse_stmt_drop(conn->cache->newest);
}

static void settle(mouse_stmt_t *stmt)
{
    if (stmt->running && mouse_stmt_finish(stmt) != APR_SUCCESS)
        stmt->conn->doubtful = true;
}

void mouse_stmt_settle(mouse_conn_t *conn)
{
    mouse_stmt_t *stmt;

    for (stmt = conn->marked; stmt && !conn->doubtful; stmt = stmt->chain)
        settle(stmt);
    for (stmt = conn->cache ? conn->cache->newest : NULL; stmt && !conn->doubtful;
         stmt = stmt->older)
        settle(stmt);
}

/* ---- running ---- */

apr_status_t mouse_stmt_run(mouse_stmt_t *stmt, const mouse_value_t *values, int count)
{
    mouse_fault_clear(stmt->conn);
    if (count != stmt->parameters)
        return mouse_fault_set(stmt->conn, MOUSE_FAULT_OTHER, 0, NULL,
                               "the number of values is not the number of placeholders");
    stmt->affected = 0;
    stmt->insert_id = 0;
    if (stmt->conn->driver->run(stmt, values, count) != APR_SUCCESS)
        return APR_EGENERAL;
    stmt->running = true;
    return APR_SUCCESS;
}

apr_status_t mouse_stmt_next(mouse_stmt_t *stmt, const mouse_value_t **row)
{
    return stmt->conn->driver->next(stmt, row);
}

apr_status_t mouse_stmt_finish(mouse_stmt_t *stmt)
{
    mouse_conn_t *conn = stmt->conn;
    apr_status_t status;

    if (!stmt->running)
        return APR_SUCCESS;
    stmt->running = false;
    status = conn->driver->finish(stmt);
    if (status == APR_SUCCESS && conn->fault.class == MOUSE_FAULT_NONE &&
        conn->driver->in_transaction(conn) != conn->in_use) {
        conn->doubtful = true;
        return mouse_fault_set(conn, MOUSE_FAULT_OTHER, 0, NULL,
                               "the statement began or ended a transaction by itself");
    }
    return status;
}

/* ---- questions ---- */

int mouse_stmt_parameters(const mouse_stmt_t *stmt)
{
    return stmt->parameters;
}

const mouse_column_t *mouse_stmt_columns(const mouse_stmt_t *stmt, int *count)
{
    *count = stmt->column_count;
    return stmt->columns;
}

bool mouse_stmt_never_null(mouse_stmt_t *stmt, int i)
{
    return stmt->conn->driver->never_null && stmt->conn->driver->never_null(stmt, i);
}

unsigned mouse_stmt_generation(const mouse_stmt_t *stmt)
{
    return stmt->generation;
}

void **mouse_stmt_slot(mouse_stmt_t *stmt)
{
    return &stmt->slot;
}

apr_pool_t *mouse_stmt_pool(mouse_stmt_t *stmt)
{
    return stmt->pool;
}

uint64_t mouse_stmt_affected(const mouse_stmt_t *stmt)
{
    return stmt->affected;
}

uint64_t mouse_stmt_insert_id(const mouse_stmt_t *stmt)
{
    return stmt->insert_id;
}
