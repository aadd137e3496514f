/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Whether the client that a request waits for is still there. */

#include "db/db_int.h"

#include <poll.h>

bool mouse_watch_hung_up(int client)
{
    struct pollfd fd = {.fd = client, .events = POLLRDHUP};

    return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool mouse_watch_gone(const mouse_watch_t *watch)
{
    return (watch->client >= 0 && mouse_watch_hung_up(watch->client)) ||
           (watch->gone && watch->gone(watch->baton));
}
