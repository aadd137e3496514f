/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB by TLS. apr_dbd knows nothing of it: the client library takes ssl-ca and the like
 * from the group of an option file. Where the server offers no TLS it goes on in plain
 * text, unless it is to check the server's name; nothing of ours is sent then.
 */

#include "db/mysql_int.h"

#include <fcntl.h>

#include <openssl/err.h>

static bool flag_of(MYSQL *my, enum mysql_option option)
{
    my_bool value = 0;

    return mysql_get_option(my, option, &value) == 0 && value;
}

static bool text_of(MYSQL *my, enum mysql_option option)
{
    const char *value = NULL;

    return mysql_get_option(my, option, &value) == 0 && value;
}

/* Later versions of the library prefer TLS without being asked to. */
static bool prefers_tls(void)
{
    MYSQL *fresh = mysql_init(NULL);
    bool prefers = fresh && flag_of(fresh, MYSQL_OPT_SSL_ENFORCE);

    mysql_close(fresh);
    return prefers;
}

static bool asks_for_tls(MYSQL *my)
{
    return text_of(my, MYSQL_OPT_SSL_CA) || text_of(my, MYSQL_OPT_SSL_CAPATH) ||
           text_of(my, MYSQL_OPT_SSL_CERT) ||
           (flag_of(my, MYSQL_OPT_SSL_ENFORCE) && !prefers_tls());
}

/* The library checks the server's name only with both. */
static bool checks_server(MYSQL *my)
{
    return (text_of(my, MYSQL_OPT_SSL_CA) || text_of(my, MYSQL_OPT_SSL_CAPATH)) &&
           flag_of(my, MYSQL_OPT_SSL_VERIFY_SERVER_CERT);
}

/* NULL: as it was asked for. */
static const char *mistake_of(MYSQL *my, bool required)
{
    if (required && !checks_server(my))
        return "tls=required needs ssl-ca and ssl-verify-server-cert=1 in the group of an "
               "option file that this user can read";
    if (!mysql_get_ssl_cipher(my) && (required || asks_for_tls(my)))
        return "TLS is asked for, but the server offers none";
    return NULL;
}

/* The library reads a TLS stream until it has something, and comes to our wait only from a
 * socket that does not block. */
static void unblock(int socket)
{
    int flags = fcntl(socket, F_GETFL);

    if (flags >= 0)
        fcntl(socket, F_SETFL, flags | O_NONBLOCK);
}

apr_status_t mouse_mysql_secure(mouse_conn_t *conn)
{
    mouse_mysql_t *mysql = mouse_mysql(conn);
    const char *mistake = mistake_of(mysql->native, conn->config->tls_required);

    if (mistake)
        return mouse_fault_set(conn, MOUSE_FAULT_OTHER, 0, "", mistake);
    mysql->tls = mysql_get_ssl_cipher(mysql->native) != NULL;
    if (mysql->tls)
        unblock((int)mysql_get_socket(mysql->native));
    return APR_SUCCESS;
}

/* What another stream left in OpenSSL's list of this thread would be taken for this
 * one's. */
void mouse_mysql_tls_enter(void)
{
    ERR_clear_error();
}
