/* A child process as a fuse for commands that only read. */
#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

/* How the parent answers for its child. */
static int answer_for(int status, const char *file)
{
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status);
    }
    int number = WTERMSIG(status);
    if (number == SIGSEGV || number == SIGFPE || number == SIGBUS || number == SIGABRT) {
        complain("'%s' is damaged: reading it failed inside the HDF5 library (signal %d)", file, number);
        return EXIT_BAD_INPUT;
    }
    return 128 + number; /* Ctrl-C, or the reader of a pipe has gone: as shells count it */
}

/* Who ends the program by its number means its work, too. */
static void die_with_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

int run_guarded(int (*work)(const arguments *args), const arguments *args, const char *file)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        return work(args); /* no more processes: without the fuse */
    }
    if (child == 0) {
        die_with_parent();
        exit(finish_output(work(args)));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            complain("cannot wait for the reader of '%s'", file);
            return EXIT_GAVE_UP;
        }
    }
    return answer_for(status, file);
}
