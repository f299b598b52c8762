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
static timer_t deadline;
static bool has_deadline;

/* Of processor time of the main thread, since a loaded machine makes all slower and saving must not be cut short by that;
 * who waits without computing has some seconds. */
static const struct itimerspec PATIENCE = { .it_value = { .tv_sec = 0, .tv_nsec = 700000000 } };
enum { SECONDS_OF_WAITING = 4 };

static void leave(int number)
{
    (void)number;
    _exit(EXIT_INTERRUPTED);
}

static void leave_with_words(int number)
{
    (void)number;
    ssize_t written = write(STDERR_FILENO, last_words, (size_t)last_length);
    (void)written;
    _exit(EXIT_INTERRUPTED);
}

static void note(int number)
{
    (void)number;
    wanted = 1;
    alarm(SECONDS_OF_WAITING);
    if (has_deadline) {
        timer_settime(deadline, 0, &PATIENCE, NULL);
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

void interrupt_install(void)
{
    interrupt_before before;
    struct sigaction out_of_time = { .sa_handler = leave_with_words };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    sigemptyset(&out_of_time.sa_mask);
    sigaction(SIGALRM, &out_of_time, NULL);
    has_deadline = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &deadline) == 0;
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
