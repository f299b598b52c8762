/* Children answer, crash, say nothing, take too long and are stopped; none is ever left behind. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "support/check.h"

static int start(carom_child *child, const char *script, double seconds, carom_watch *watch)
{
    char shell[] = "/bin/sh";
    char option[] = "-c";
    char text[400];
    snprintf(text, sizeof text, "%s", script);
    char *words[] = { shell, option, text, NULL };
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int code = carom_child_start(child, words, input, seconds, watch);
    close(input);
    return code;
}

static void check_no_children(void)
{
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_EQ(errno, ECHILD);
}

TEST(child, answers_are_heard_and_noise_is_not)
{
    carom_child child;
    char answer[7] = { 0 };
    CHECK_EQ(start(&child, "echo noise >&2; printf 'abc'; sleep 0.1; printf 'def'", 60.0, NULL), 0);
    CHECK(carom_child_read(&child, answer, 6));
    assert_string_equal(answer, "abcdef");
    CHECK(!carom_child_read(&child, answer, 1));
    carom_child_ending ending = carom_child_finish(&child, false);
    CHECK_EQ(ending.kind, CAROM_CHILD_EXITED);
    CHECK_EQ(ending.number, 0);
    check_no_children();
}

TEST(child, every_ending_is_told)
{
    static const struct {
        const char *script;
        carom_child_end_kind kind;
        int number;
    } cases[] = {
        { "exit 7", CAROM_CHILD_EXITED, 7 },
        { "kill -SEGV $$", CAROM_CHILD_SIGNAL, SIGSEGV },
        { "kill -ABRT $$", CAROM_CHILD_SIGNAL, SIGABRT },
        { "kill -INT $$", CAROM_CHILD_STOPPED, SIGINT },
        { "exec >&-; while :; do sleep 10; done", CAROM_CHILD_SIGNAL,
          SIGKILL }, /* says nothing more and does not end */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_child child;
        char byte;
        CHECK_EQ(start(&child, cases[i].script, 60.0, NULL), 0);
        CHECK(!carom_child_read(&child, &byte, 1));
        carom_child_ending ending = carom_child_finish(&child, false);
        CHECK_EQ(ending.kind, cases[i].kind);
        CHECK_EQ(ending.number, cases[i].number);
        check_no_children();
    }
}

TEST(child, who_is_late_is_ended)
{
    carom_child child;
    char byte;
    double begin = carom_clock_wall();
    CHECK_EQ(start(&child, "exec sleep 1000", 0.3, NULL), 0);
    CHECK(!carom_child_read(&child, &byte, 1));
    CHECK_EQ(carom_child_finish(&child, false).kind, CAROM_CHILD_LATE);
    CHECK(carom_clock_wall() - begin < 60.0);
    check_no_children();
}

static bool stop_soon(void *context, const carom_building *now)
{
    (void)now;
    return ++*(int *)context < 4;
}

TEST(child, who_watches_can_stop_it)
{
    carom_child child;
    carom_watch watch;
    int calls = 0;
    char byte;
    carom_watch_init(&watch, stop_soon, &calls, "a sleep");
    CHECK_EQ(start(&child, "exec sleep 1000", 600.0, &watch), 0);
    CHECK(!carom_child_read(&child, &byte, 1));
    CHECK_EQ(carom_child_finish(&child, false).kind, CAROM_CHILD_STOPPED);
    CHECK_EQ(calls, 4);
    check_no_children();
}

TEST(child, what_is_not_there_is_said_at_once)
{
    char program[] = "/nowhere/at/all";
    char *words[] = { program, NULL };
    carom_child child;
    CHECK_EQ(carom_child_start(&child, words, STDIN_FILENO, 1.0, NULL), ENOENT);
    check_no_children();
}

/* Programs that never wait for children may have told the system to collect them. */
TEST(child, works_where_the_program_ignores_its_children)
{
    carom_child child;
    char byte = 0;
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    CHECK_EQ(start(&child, "printf x", 60.0, NULL), 0);
    CHECK(carom_child_read(&child, &byte, 1));
    CHECK_EQ(byte, 'x');
    CHECK_EQ(carom_child_finish(&child, true).kind, CAROM_CHILD_NOT_KNOWN);
    signal(SIGCHLD, before);
}

/* Standard input and output of the program may be closed: then the pipe must not take their place in the child. */
TEST(child, works_without_standard_streams)
{
    int saved[2] = { dup(STDIN_FILENO), dup(STDOUT_FILENO) };
    fflush(stdout);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    carom_child child;
    char byte = 0;
    int code = start(&child, "cat; printf y", 60.0, NULL);
    bool heard = code == 0 && carom_child_read(&child, &byte, 1);
    carom_child_ending ending = code == 0 ? carom_child_finish(&child, true) : (carom_child_ending){ 0 };
    dup2(saved[0], STDIN_FILENO);
    dup2(saved[1], STDOUT_FILENO);
    CHECK(heard && byte == 'y');
    CHECK(ending.kind == CAROM_CHILD_EXITED || ending.kind == CAROM_CHILD_SIGNAL);
    check_no_children();
}

static void one_of_many(bool *good, size_t i)
{
    carom_child child;
    char script[80];
    char answer[8] = { 0 };
    snprintf(script, sizeof script, "printf '%%07d' %zu", i);
    good[i] = start(&child, script, 60.0, NULL) == 0 && carom_child_read(&child, answer, 7) &&
              !carom_child_read(&child, script, 1); /* the end of the pipe is seen although others have pipes, too */
    carom_child_finish(&child, false);
    snprintf(script, sizeof script, "%07zu", i);
    good[i] = good[i] && strcmp(answer, script) == 0;
}

static void some_of_many(void *context, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        one_of_many(context, i);
    }
}

TEST(child, several_threads_have_children)
{
    enum { MANY = 24 };
    bool good[MANY] = { 0 };
    carom_parallel_for(8, MANY, 1, some_of_many, good);
    for (int i = 0; i < MANY; ++i) {
        CHECK(good[i]);
    }
    check_no_children();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(child, answers_are_heard_and_noise_is_not),
        RUN_TEST(child, every_ending_is_told),
        RUN_TEST(child, who_is_late_is_ended),
        RUN_TEST(child, who_watches_can_stop_it),
        RUN_TEST(child, what_is_not_there_is_said_at_once),
        RUN_TEST(child, works_where_the_program_ignores_its_children),
        RUN_TEST(child, works_without_standard_streams),
        RUN_TEST(child, several_threads_have_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
