/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * GETs at a constant rate, open loop, for where wrk2 is not installed:
 *
 *   openloop PORT PATH CONNECTIONS RATE SECONDS
 *
 * Each connection has a timetable of its own; together they make the rate. A latency counts
 * from when the request was due, not from when its connection was free at last, so nothing
 * is omitted while the server stalls; what was due and not answered at the end counts with
 * what it has waited. Prints answers per second, mean, P50, P99 and the longest in
 * milliseconds, and the answers that were not 200. The first tenth of the time is not
 * counted.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 65536 };

typedef struct client_t {
    int fd;
    bool busy;
    double due; /* of the request under way, else of the next one */
    size_t got;
    char in[BUFFER];
} client_t;

typedef struct run_t {
    client_t *clients;
    int count, epoll;
    double begin, counted_from, end, interval;
    char request[512];
    size_t request_len;
    double *latencies;
    size_t done, room, answered, refused;
} run_t;

static void die(const char *what)
{
    fprintf(stderr, "openloop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void open_client(run_t *run, client_t *client, int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    int one = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0 || connect(client->fd, (struct sockaddr *)&to, sizeof(to)) < 0)
        die("connect");
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (epoll_ctl(run->epoll, EPOLL_CTL_ADD, client->fd, &event) < 0)
        die("epoll_ctl");
}

static void keep(run_t *run, double due, double until)
{
    if (due < run->counted_from)
        return;
    if (run->done == run->room) {
        run->room = run->room ? run->room * 2 : 4096;
        run->latencies = realloc(run->latencies, run->room * sizeof(double));
        if (!run->latencies)
            die("memory");
    }
    run->latencies[run->done++] = 1000 * (until - due);
}

static void send_request(run_t *run, client_t *client)
{
    if (send(client->fd, run->request, run->request_len, MSG_NOSIGNAL) !=
        (ssize_t)run->request_len)
        die("send");
    client->busy = true;
    client->got = 0;
}

/* Whether the buffer holds a whole answer, by its length or its last chunk. */
static bool is_whole(client_t *client)
{
    static const char last_chunk[] = "\r\n0\r\n\r\n";
    const size_t last_len = sizeof(last_chunk) - 1;
    const char *head_end, *length;

    client->in[client->got] = '\0';
    head_end = strstr(client->in, "\r\n\r\n");
    if (!head_end)
        return false;
    length = strcasestr(client->in, "\r\nContent-Length:");
    if (length && length < head_end)
        return client->got >= head_end + 4 - client->in + strtoul(length + 17, NULL, 10);
    return client->got > last_len &&
           memcmp(client->in + client->got - last_len, last_chunk, last_len) == 0;
}

static void finish_request(run_t *run, client_t *client)
{
    double t = now();

    if (strncmp(client->in, "HTTP/1.1 200", 12) != 0)
        run->refused++;
    if (client->due >= run->counted_from && t <= run->end)
        run->answered++;
    keep(run, client->due, t);
    client->busy = false;
    client->due += run->interval;
}

static void receive(run_t *run, client_t *client)
{
    ssize_t n = recv(client->fd, client->in + client->got, BUFFER - 1 - client->got, 0);

    if (n <= 0)
        die("recv");
    client->got += n;
    if (is_whole(client))
        finish_request(run, client);
    else if (client->got == BUFFER - 1)
        die("an answer above 64 kB");
}

/* Sends what is due; returns when the next request will be. */
static double send_due(run_t *run)
{
    double t = now(), next = run->end;

    for (int i = 0; i < run->count; i++) {
        client_t *client = &run->clients[i];

        if (client->busy)
            continue;
        if (client->due <= t)
            send_request(run, client);
        else if (client->due < next)
            next = client->due;
    }
    return next;
}

static void wait_for(run_t *run, double until)
{
    struct epoll_event events[64];
    double left = until - now();
    struct timespec timeout = {0, 0};
    int n;

    if (left > 0) {
        timeout.tv_sec = left;
        timeout.tv_nsec = (left - timeout.tv_sec) * 1e9;
    }
    n = epoll_pwait2(run->epoll, events, 64, &timeout, NULL);
    for (int i = 0; i < n; i++)
        receive(run, events[i].data.ptr);
}

static void count_unanswered(run_t *run)
{
    for (int i = 0; i < run->count; i++)
        for (double due = run->clients[i].due; due < run->end; due += run->interval)
            keep(run, due, run->end);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(const run_t *run)
{
    double sum = 0;

    if (run->done == 0)
        die("nothing was counted");
    qsort(run->latencies, run->done, sizeof(double), compare);
    for (size_t i = 0; i < run->done; i++)
        sum += run->latencies[i];
    printf("%.1f %.3f %.3f %.3f %.3f %zu\n", run->answered / (run->end - run->counted_from),
           sum / run->done, run->latencies[run->done / 2],
           run->latencies[(size_t)(run->done * 0.99)], run->latencies[run->done - 1],
           run->refused);
}

int main(int argc, char **argv)
{
    run_t run = {0};
    double seconds;

    if (argc != 6) {
        fprintf(stderr, "usage: openloop PORT PATH CONNECTIONS RATE SECONDS\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1);
    run.count = atoi(argv[3]);
    run.interval = run.count / atof(argv[4]);
    seconds = atof(argv[5]);
    run.request_len =
        snprintf(run.request, sizeof(run.request),
                 "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n", argv[2], argv[1]);
    run.clients = calloc(run.count, sizeof(client_t));
    run.epoll = epoll_create1(0);
    for (int i = 0; i < run.count; i++)
        open_client(&run, &run.clients[i], atoi(argv[1]));
    run.begin = now();
    run.counted_from = run.begin + seconds / 10;
    run.end = run.begin + seconds;
    for (int i = 0; i < run.count; i++)
        run.clients[i].due = run.begin + run.interval * i / run.count;
    while (now() < run.end)
        wait_for(&run, send_due(&run));
    count_unanswered(&run);
    print(&run);
    return 0;
}
