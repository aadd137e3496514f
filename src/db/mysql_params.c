/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * MariaDB: the parameters given to apr_dbd, and a look whether the server is there.
 *
 * apr_dbd separates parameters at blanks, commas, semicolons and bars, and accepts a key by
 * any prefix; what it would misread is refused here.
 */

#include "db/mysql_int.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <apr_strings.h>

#define DELIMITERS " \r\n\t;|,"

/* ---- parameters ---- */

/* The next `key=value` at *at, moved behind it. An empty slice: no more. */
static mouse_slice_t next_param(const char **at)
{
    mouse_slice_t param;

    *at += strspn(*at, DELIMITERS);
    param = (mouse_slice_t){*at, strcspn(*at, DELIMITERS)};
    *at += param.len;
    return param;
}

static mouse_slice_t key_of(mouse_slice_t param)
{
    const char *equals = memchr(param.data, '=', param.len);

    return (mouse_slice_t){param.data, equals ? (size_t)(equals - param.data) : param.len};
}

/* The last one counts, as in apr_dbd. NULL: not given. */
static const char *find_param(apr_pool_t *p, const char *params, const char *key)
{
    const char *value = NULL;
    mouse_slice_t param;

    while ((param = next_param(&params)).len > 0) {
        mouse_slice_t name = key_of(param);

        if (mouse_slice_equal(name, mouse_slice_of(key)) && name.len < param.len)
            value = apr_pstrmemdup(p, name.data + name.len + 1, param.len - name.len - 1);
    }
    return value;
}

static bool is_known(mouse_slice_t key)
{
    static const char *const known[] = {"host", "user", "dbname", "port", "sock", "group"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (mouse_slice_equal(key, mouse_slice_of(known[i])))
            return true;
    }
    return false;
}

static apr_status_t check_param(apr_pool_t *p, const char *database, mouse_slice_t param,
                                mouse_error_t **err)
{
    mouse_slice_t key = key_of(param);

    if (key.len > 0 && strncmp("pass", key.data, key.len < 4 ? key.len : 4) == 0)
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "database %s: no password in the parameters, where server-info "
            "shows it: use password-file=FILE",
            database);
    if (key.len == param.len)
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "database %s: \"%s\" is no key=value (no blanks around =)",
                               database, mouse_slice_copy(p, param));
    if (!is_known(key))
        return mouse_error_set(
            err, p, MOUSE_E_CONFIG,
            "database %s: unknown parameter \"%s\": use host, port, sock, "
            "user, dbname or group",
            database, mouse_slice_copy(p, key));
    return APR_SUCCESS;
}

apr_status_t mouse_mysql_check(apr_pool_t *p, const mouse_db_config_t *config,
                               mouse_error_t **err)
{
    const char *at = config->params;
    mouse_slice_t param;

    if (next_param(&at).len == 0)
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "database %s: the parameters are empty: write at least "
                               "\"dbname=NAME,user=NAME\"",
                               config->name);
    at = config->params;
    while ((param = next_param(&at)).len > 0)
        if (check_param(p, config->name, param, err) != APR_SUCCESS)
            return APR_EGENERAL;
    if (config->tls_required && !find_param(p, config->params, "group"))
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "database %s: tls=required needs group=NAME, the group of "
                               "the client library's option file that has ssl-ca and "
                               "ssl-verify-server-cert=1",
                               config->name);
    if (config->password && strpbrk(config->password, DELIMITERS "\v\f"))
        return mouse_error_set(err, p, MOUSE_E_CONFIG,
                               "database %s: apr_dbd cannot carry a password with a blank, "
                               "tab, line end, comma, semicolon or bar: choose another, or "
                               "give it in an option file by group=",
                               config->name);
    return APR_SUCCESS;
}

const char *mouse_mysql_params(apr_pool_t *p, const mouse_db_config_t *config)
{
    bool password = config->password && config->password[0] != '\0';

    return apr_pstrcat(p, config->params, password ? ",pass=" : "",
                       password ? config->password : "",
                       ",flags=CLIENT_FOUND_ROWS,reconnect=0", NULL);
}

/* ---- is it there? ---- */

static int left_of(apr_time_t deadline)
{
    apr_interval_time_t left = deadline - apr_time_now();

    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

static bool is_ready(int fd, short events, apr_time_t deadline)
{
    struct pollfd ready = {.fd = fd, .events = events};
    int count;

    do
        count = poll(&ready, 1, left_of(deadline));
    while (count < 0 && errno == EINTR);
    return count > 0;
}

/* A server speaks first; one that is stopped is connected to by its kernel, and silent. */
static bool greets(const struct sockaddr *address, socklen_t len, apr_time_t deadline)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool greeted = false;
    char first;

    if (fd < 0)
        return false;
    if (connect(fd, address, len) == 0 ||
        (errno == EINPROGRESS && is_ready(fd, POLLOUT, deadline)))
        greeted = is_ready(fd, POLLIN, deadline) && recv(fd, &first, 1, MSG_PEEK) == 1;
    close(fd);
    return greeted;
}

static bool probe_socket(const char *path, apr_time_t deadline)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    apr_cpystrn(address.sun_path, path, sizeof(address.sun_path));
    return greets((const struct sockaddr *)&address, sizeof(address), deadline);
}

static bool probe_host(const char *host, const char *port, apr_time_t deadline)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list, *at;
    bool greeted = false;

    if (getaddrinfo(host, port, &hints, &list) != 0)
        return false;
    for (at = list; at && !greeted; at = at->ai_next)
        greeted = greets(at->ai_addr, at->ai_addrlen, deadline);
    freeaddrinfo(list);
    return greeted;
}

static bool probe_params(apr_pool_t *p, const char *params, apr_time_t deadline)
{
    const char *host = find_param(p, params, "host");
    const char *port = find_param(p, params, "port");
    const char *path = find_param(p, params, "sock");

    if (host && strcmp(host, "localhost") != 0)
        return probe_host(host, port ? port : "3306", deadline);
    /* Without a path the client library knows where, from its option files. */
    return !path || probe_socket(path, deadline);
}

bool mouse_mysql_probe(const mouse_db_config_t *config, apr_interval_time_t limit)
{
    apr_pool_t *pool;
    bool there;

    if (apr_pool_create_unmanaged_ex(&pool, NULL, NULL) != APR_SUCCESS)
        return false;
    there = probe_params(pool, config->params, apr_time_now() + limit);
    apr_pool_destroy(pool);
    return there;
}
