/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * The handler mod_mouse is measured against: the least C that sends the same bytes.
 * A static text, a point query and 100 users by native prepared statements over a trivial
 * pool, JSON by memcpy. No routing, no checks, no error handling worth the name.
 */
#include <httpd.h>
#include <http_config.h>
#include <http_protocol.h>
#include <http_request.h>
#include <apr_strings.h>
#include <apr_thread_mutex.h>

#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>

module AP_MODULE_DECLARE_DATA reference_module;

enum { USERS = 100, CONNECTIONS = 64, FIELD = 128 };

typedef struct reference_conf_t {
    const char *socket;
} reference_conf_t;

/* A connection with both statements prepared and their result buffers bound. */
typedef struct reference_conn_t {
    MYSQL *mysql;
    MYSQL_STMT *point, *users;
    long long id;
    char name[FIELD], email[FIELD];
    unsigned long name_len, email_len;
} reference_conn_t;

static struct {
    apr_thread_mutex_t *mutex;
    reference_conn_t *idle[CONNECTIONS];
    int count;
} pool;

static MYSQL_STMT *prepare(reference_conn_t *conn, const char *sql)
{
    MYSQL_STMT *stmt = mysql_stmt_init(conn->mysql);
    MYSQL_BIND out[3] = {
        {.buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &conn->id},
        {.buffer_type = MYSQL_TYPE_STRING,
         .buffer = conn->name,
         .buffer_length = FIELD,
         .length = &conn->name_len},
        {.buffer_type = MYSQL_TYPE_STRING,
         .buffer = conn->email,
         .buffer_length = FIELD,
         .length = &conn->email_len},
    };

    if (mysql_stmt_prepare(stmt, sql, strlen(sql)) || mysql_stmt_bind_result(stmt, out))
        abort();
    return stmt;
}

static reference_conn_t *take(const reference_conf_t *conf)
{
    reference_conn_t *conn = NULL;

    apr_thread_mutex_lock(pool.mutex);
    if (pool.count > 0)
        conn = pool.idle[--pool.count];
    apr_thread_mutex_unlock(pool.mutex);
    if (conn)
        return conn;
    conn = calloc(1, sizeof(*conn));
    conn->mysql = mysql_init(NULL);
    if (!mysql_real_connect(conn->mysql, NULL, "mouse", "cheese", "mouse_bench", 0,
                            conf->socket, 0))
        abort();
    conn->point = prepare(conn, "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, "
                                "email FROM Users WHERE userId = ?");
    conn->users = prepare(conn, "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, "
                                "email FROM Users ORDER BY userId LIMIT 100");
    return conn;
}

static void give(reference_conn_t *conn)
{
    apr_thread_mutex_lock(pool.mutex);
    if (pool.count < CONNECTIONS) {
        pool.idle[pool.count++] = conn;
        conn = NULL;
    }
    apr_thread_mutex_unlock(pool.mutex);
    if (conn) {
        mysql_close(conn->mysql);
        free(conn);
    }
}

static char *put(char *to, const char *text, size_t len)
{
    memcpy(to, text, len);
    return to + len;
}

static char *put_row(char *to, const reference_conn_t *conn)
{
    to = put(to, "{\"userId\":", 10);
    to += snprintf(to, 24, "%lld", conn->id);
    to = put(to, ",\"name\":\"", 9);
    to = put(to, conn->name, conn->name_len);
    to = put(to, "\",\"email\":\"", 11);
    to = put(to, conn->email, conn->email_len);
    return put(to, "\"}", 2);
}

static apr_status_t send_bytes(request_rec *r, const char *data, size_t len)
{
    apr_bucket_alloc_t *alloc = r->connection->bucket_alloc;
    apr_bucket_brigade *bb = apr_brigade_create(r->pool, alloc);

    ap_set_content_type(r, "application/json");
    apr_table_setn(r->headers_out, "X-Content-Type-Options", "nosniff");
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_pool_create(data, len, r->pool, alloc));
    APR_BRIGADE_INSERT_TAIL(bb, apr_bucket_eos_create(alloc));
    return ap_pass_brigade(r->output_filters, bb);
}

static size_t point(reference_conn_t *conn, const char *arg, char *out)
{
    long long id = atoll(arg);
    MYSQL_BIND in = {.buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &id};
    char *end = out;

    mysql_stmt_bind_param(conn->point, &in);
    if (mysql_stmt_execute(conn->point))
        abort();
    while (mysql_stmt_fetch(conn->point) == 0)
        end = put_row(end, conn);
    mysql_stmt_free_result(conn->point);
    return end - out;
}

static size_t users(reference_conn_t *conn, char *out)
{
    char *end = out;

    *end++ = '[';
    if (mysql_stmt_execute(conn->users))
        abort();
    while (mysql_stmt_fetch(conn->users) == 0) {
        if (end - out > 1)
            *end++ = ',';
        end = put_row(end, conn);
    }
    *end++ = ']';
    mysql_stmt_free_result(conn->users);
    return end - out;
}

static int handler(request_rec *r)
{
    static const char text[] = "{\"message\":\"Hello World\"}";
    const reference_conf_t *conf;
    reference_conn_t *conn;
    char *out;
    size_t len;

    if (strncmp(r->uri, "/ref/", 5) != 0)
        return DECLINED;
    if (strcmp(r->uri, "/ref/hello") == 0) {
        send_bytes(r, text, sizeof(text) - 1);
        return OK;
    }
    conf = ap_get_module_config(r->server->module_config, &reference_module);
    out = apr_palloc(r->pool, USERS * 3 * FIELD);
    conn = take(conf);
    len = strncmp(r->uri, "/ref/users/", 11) == 0 ? point(conn, r->uri + 11, out)
                                                  : users(conn, out);
    give(conn);
    send_bytes(r, out, len);
    return OK;
}

/* No file is looked up, as with mod_mouse. */
static int map_to_storage(request_rec *r)
{
    return strncmp(r->uri, "/ref/", 5) == 0 ? OK : DECLINED;
}

static int translate_name(request_rec *r)
{
    if (strncmp(r->uri, "/ref/", 5) != 0)
        return DECLINED;
    r->filename = (char *)"reference";
    return OK;
}

static void child_init(apr_pool_t *p, server_rec *s)
{
    (void)s;
    pool.count = 0;
    apr_thread_mutex_create(&pool.mutex, APR_THREAD_MUTEX_DEFAULT, p);
}

static void *create_server(apr_pool_t *p, server_rec *s)
{
    (void)s;
    return apr_pcalloc(p, sizeof(reference_conf_t));
}

static const char *set_socket(cmd_parms *cmd, void *dummy, const char *arg)
{
    reference_conf_t *conf =
        ap_get_module_config(cmd->server->module_config, &reference_module);

    (void)dummy;
    conf->socket = arg;
    return NULL;
}

static const command_rec directives[] = {
    AP_INIT_TAKE1("ReferenceSocket", set_socket, NULL, RSRC_CONF, "MariaDB's socket"),
    {NULL}};

static void register_hooks(apr_pool_t *p)
{
    (void)p;
    ap_hook_child_init(child_init, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_translate_name(translate_name, NULL, NULL, APR_HOOK_FIRST);
    ap_hook_map_to_storage(map_to_storage, NULL, NULL, APR_HOOK_FIRST);
    ap_hook_handler(handler, NULL, NULL, APR_HOOK_FIRST);
}

AP_DECLARE_MODULE(reference) = {
    STANDARD20_MODULE_STUFF, NULL, NULL, create_server, NULL, directives, register_hooks, 0,
};
