/* Work in a process of its own: for libraries that may crash, loop or take all memory. The child gets a file as its
 * standard input and answers through a pipe; it is never left behind, neither running nor as a zombie. Safe in programs
 * with threads (posix_spawn), whatever they do with SIGCHLD. */
#ifndef CAROM_BASE_CHILD_H
#define CAROM_BASE_CHILD_H

#include "base/watch.h"

#include <sys/types.h>

typedef struct carom_child {
    pid_t pid;
    int answer;         /* the pipe's end to read from */
    double deadline;    /* [s] of carom_clock_wall */
    carom_watch *watch; /* asked while waiting; NULL: nobody watches */
    bool late, stopped;
} carom_child;

/* How a child ended. */
typedef enum carom_child_end_kind {
    CAROM_CHILD_EXITED,   /* number: its exit code */
    CAROM_CHILD_SIGNAL,   /* number: the signal that ended it */
    CAROM_CHILD_LATE,     /* the deadline came first */
    CAROM_CHILD_STOPPED,  /* by who watches, or by Ctrl-C, which reaches the whole terminal */
    CAROM_CHILD_NOT_KNOWN /* the program collects its children elsewhere */
} carom_child_end_kind;

typedef struct carom_child_ending {
    carom_child_end_kind kind;
    int number;
} carom_child_ending;

/* Starts words[0] (a path) with at most `seconds` to answer. 0, or the errno of what failed. */
int carom_child_start(carom_child *child, char *const *words, int input, double seconds, carom_watch *watch);

/* Reads exactly so many bytes; false when there are no more, or none in time. */
bool carom_child_read(carom_child *child, void *data, size_t bytes);

/* Ends it where it still runs, and collects it. `complete`: nothing more is expected of it. */
carom_child_ending carom_child_finish(carom_child *child, bool complete);

#endif
