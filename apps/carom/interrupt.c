/* Signal handlers, and a clock that runs out. */
#include "interrupt.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

enum { LINE = 1024 };

/* The globals of the program: a signal handler has nowhere else to read and write. */
static volatile sig_atomic_t wanted;
static char last_words[LINE];
static volatile sig_atomic_t last_length;

typedef struct deadline {
    timer_t timer;
    bool there;
    struct itimerspec patience;
} deadline;

/* Saving must not be cut short because a loaded machine makes all slower, so its time is that of the processor, and who
 * waits without computing has some seconds. Where there is nothing to save, nothing is lost by leaving soon by the clock
 * on the wall. */
static deadline to_save = { .patience.it_value.tv_nsec = 700000000 };
static deadline to_leave = { .patience.it_value.tv_nsec = 500000000 };
enum { SECONDS_OF_WAITING = 4 };

/* ---- files on their way to a name ------------------------------------------------------------------------------------ */

/* Whether a path ends in /.carom-NUMBER.new: a file that is not yet what it will be called. */
static bool is_on_its_way(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? strlen(slash) : 0;
    return length > strlen("/.carom-.new") && strncmp(slash, "/.carom-", strlen("/.carom-")) == 0 &&
           strcmp(slash + length - strlen(".new"), ".new") == 0;
}

/* Removes what would stay half written. Only calls that a signal handler may make; where there is no such folder as
 * /proc/self/fd, nothing is removed. */
static void remove_half_written(void)
{
    enum { MOST_OPEN = 256, FIRST_DIGIT = sizeof "/proc/self/fd/" - 1 };
    char name[] = "/proc/self/fd/000";
    char path[4096];
    for (int fd = STDERR_FILENO + 1; fd < MOST_OPEN; ++fd) {
        size_t end = FIRST_DIGIT;
        for (int unit = fd >= 100 ? 100 : fd >= 10 ? 10 : 1; unit > 0; unit /= 10) {
            name[end++] = (char)('0' + fd / unit % 10);
        }
        name[end] = '\0';
        ssize_t length = readlink(name, path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
        if (is_on_its_way(path)) {
            unlink(path);
        }
    }
}

/* ---- signals --------------------------------------------------------------------------------------------------------- */

static void leave(int number)
{
    (void)number;
    remove_half_written();
    _exit(EXIT_INTERRUPTED);
}

static void leave_with_words(int number)
{
    (void)number;
    ssize_t written = write(STDERR_FILENO, last_words, (size_t)last_length);
    (void)written;
    remove_half_written();
    _exit(EXIT_INTERRUPTED);
}

static void note(int number)
{
    (void)number;
    wanted = 1;
    alarm(SECONDS_OF_WAITING);
    const deadline *own = last_length > 0 ? &to_save : &to_leave;
    if (own->there) {
        timer_settime(own->timer, 0, &own->patience, NULL);
    }
}

static void set_both(void (*handler)(int), int flags, interrupt_before *before)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, before ? &before->on[0] : NULL);
    sigaction(SIGTERM, &action, before ? &before->on[1] : NULL);
}

/* Who has been started with a signal ignored (nohup, a shell's background) goes on ignoring it. */
static void keep_ignored(const interrupt_before *before)
{
    if (before->on[0].sa_handler == SIG_IGN) {
        sigaction(SIGINT, &before->on[0], NULL);
    }
    if (before->on[1].sa_handler == SIG_IGN) {
        sigaction(SIGTERM, &before->on[1], NULL);
    }
}

static void make_deadline(deadline *d, clockid_t clock)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    d->there = timer_create(clock, &event, &d->timer) == 0;
}

void interrupt_install(void)
{
    interrupt_before before;
    struct sigaction out_of_time = { .sa_handler = leave_with_words };
    sigemptyset(&out_of_time.sa_mask);
    sigaction(SIGALRM, &out_of_time, NULL);
    make_deadline(&to_save, CLOCK_THREAD_CPUTIME_ID);
    make_deadline(&to_leave, CLOCK_MONOTONIC);
    set_both(leave, 0, &before);
    keep_ignored(&before);
}

void interrupt_defer(interrupt_before *before)
{
    set_both(note, (int)SA_RESETHAND, before);
    keep_ignored(before);
}

void interrupt_restore(const interrupt_before *before)
{
    sigaction(SIGINT, &before->on[0], NULL);
    sigaction(SIGTERM, &before->on[1], NULL);
}

bool interrupt_wanted(void)
{
    return wanted != 0;
}

void interrupt_last_words(const char *line)
{
    last_length = 0;
    if (line) {
        size_t length = strlen(line) < LINE - 1 ? strlen(line) : LINE - 1;
        memcpy(last_words, line, length);
        last_words[length] = '\n';
        last_length = (sig_atomic_t)(length + 1);
    }
}
