/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* Short-lived threads beside the server's own. */

#include "db/db_int.h"

#include <pthread.h>
#include <signal.h>

/* Signals are for the server's own threads. */
bool mouse_thread_start(void *(*run)(void *), void *data)
{
    pthread_t thread;
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        pthread_detach(thread);
    return !failed;
}
