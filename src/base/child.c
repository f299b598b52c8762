/* Starting, hearing and ending a child process. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

/* ---- starting ------------------------------------------------------------------------------------------------------ */

/* A descriptor that is none of the three standard ones, so that making these cannot close it. Takes fd. */
static int beyond_standard(int fd)
{
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int code = errno;
    close(fd);
    errno = code;
    return higher;
}

/* 0 or errno. Both ends close themselves in other children that other threads start meanwhile. */
static int make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    for (int i = 0; i < 2; ++i) {
        ends[i] = beyond_standard(ends[i]);
        if (ends[i] < 0) {
            int code = errno;
            close(ends[1 - i]);
            return code;
        }
    }
    return 0;
}

/* Signals that the program blocks or ignores for itself are as usual in the child; Ctrl-C stays ignored where it is. */
static int set_signals(posix_spawnattr_t *attributes)
{
    static const int usual[] = { SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ, SIGCHLD };
    sigset_t none;
    sigset_t standard;
    sigemptyset(&none);
    sigemptyset(&standard);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) {
        sigaddset(&standard, usual[i]);
    }
    int code = posix_spawnattr_setsigmask(attributes, &none);
    code = code ? code : posix_spawnattr_setsigdefault(attributes, &standard);
    return code ? code : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int set_files(posix_spawn_file_actions_t *files, int input, int output)
{
    int code = posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO);
    code = code ? code : posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    return code ? code : posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
}

static int spawn(pid_t *pid, char *const *words, int input, int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&files);
    if (code) {
        return code;
    }
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        code = set_signals(&attributes);
        code = code ? code : set_files(&files, input, output);
        code = code ? code : posix_spawn(pid, words[0], &files, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

int carom_child_start(carom_child *child, char *const *words, int input, double seconds, carom_watch *watch)
{
    int ends[2];
    *child = (carom_child){ .answer = -1, .watch = watch, .deadline = carom_clock_wall() + seconds };
    int own_input = fcntl(input, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int code = own_input < 0 ? errno : make_pipe(ends);
    if (!code) {
        code = spawn(&child->pid, words, own_input, ends[1]);
        close(ends[1]);
        child->answer = ends[0];
    }
    if (own_input >= 0) {
        close(own_input);
    }
    if (code && child->answer >= 0) {
        close(child->answer);
    }
    return code;
}

/* ---- hearing ------------------------------------------------------------------------------------------------------- */

/* Waits for something to read, asking the watcher now and then. */
static bool wait_for_more(carom_child *child)
{
    const double patience = 0.05; /* [s] between questions */
    for (;;) {
        double left = child->deadline - carom_clock_wall();
        child->late = !(left > 0.0);
        child->stopped = !carom_watch_count(child->watch, 0);
        if (child->late || child->stopped) {
            return false;
        }
        struct pollfd fd = { .fd = child->answer, .events = POLLIN };
        int ready = poll(&fd, 1, 1 + (int)(1e3 * fmin(left, patience)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
}

bool carom_child_read(carom_child *child, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        ssize_t n = wait_for_more(child) ? read(child->answer, at, bytes) : 0;
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* ---- ending -------------------------------------------------------------------------------------------------------- */

/* Gives a child whose pipe is closed, or whose answer is complete, a moment to end by itself. */
static pid_t collect_soon(pid_t pid, int *status)
{
    const struct timespec moment = { .tv_nsec = 2000000 };
    enum { MOMENTS = 500 }; /* a second: core files and slow exits */
    pid_t found = 0;
    for (int i = 0; i < MOMENTS && found == 0; ++i) {
        found = waitpid(pid, status, WNOHANG);
        if (found < 0 && errno == EINTR) {
            found = 0;
        }
        if (found == 0) {
            nanosleep(&moment, NULL);
        }
    }
    return found;
}

static pid_t collect(pid_t pid, int *status)
{
    pid_t found;
    do {
        found = waitpid(pid, status, 0);
    } while (found < 0 && errno == EINTR);
    return found;
}

carom_child_ending carom_child_finish(carom_child *child, bool complete)
{
    int status = 0;
    bool ended_by_us = child->late || child->stopped;
    close(child->answer);
    pid_t found = ended_by_us || complete ? 0 : collect_soon(child->pid, &status);
    if (found == 0) {
        kill(child->pid, SIGKILL); /* it has nothing more to say, or nothing that is wanted */
        found = collect(child->pid, &status);
    }
    if (ended_by_us) {
        return (carom_child_ending){ child->late ? CAROM_CHILD_LATE : CAROM_CHILD_STOPPED, 0 };
    }
    if (found < 0) {
        return (carom_child_ending){ CAROM_CHILD_NOT_KNOWN, 0 };
    }
    if (WIFEXITED(status)) {
        return (carom_child_ending){ CAROM_CHILD_EXITED, WEXITSTATUS(status) };
    }
    int number = WTERMSIG(status);
    bool interrupted = number == SIGINT || number == SIGTERM || number == SIGHUP;
    return (carom_child_ending){ interrupted ? CAROM_CHILD_STOPPED : CAROM_CHILD_SIGNAL, number };
}
