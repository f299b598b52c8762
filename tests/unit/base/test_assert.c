/* Broken invariants: by default a sentence and the end of the process; a handler may leave by longjmp, and one that returns
 * ends the process as well, without a word. */
#include "support/check.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <carom/base.h>

#include "base/assert.h"

static jmp_buf back;
static const char *told;
static int line_told;

static void leave(const char *file, int line, const char *condition)
{
    (void)file;
    line_told = line;
    told = condition;
    longjmp(back, 1);
}

static void come_back(const char *file, int line, const char *condition)
{
    (void)file;
    (void)line;
    (void)condition;
}

TEST(assert, leaves_by_the_handler)
{
    CHECK(carom_set_assert_handler(leave) == NULL);
    for (volatile int k = 0; k < 3; ++k) { /* again and again */
        told = NULL;
        if (setjmp(back) == 0) {
            CAROM_ASSERT(k >= 0);
            CHECK(told == NULL);
            CAROM_ASSERT(k < 0);
            CHECK(false); /* never reached */
        }
        CHECK_TEXT(told, "k < 0");
        CHECK(line_told > 0);
    }
    CHECK(carom_set_assert_handler(NULL) == leave);
}

/* Breaks an invariant in a process of its own; whether it was aborted, and how much it has printed to standard error. */
static bool aborts(carom_assert_handler handler, char *text, size_t size)
{
    int ends[2];
    int status = 0;
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        carom_set_assert_handler(handler);
        CAROM_ASSERT(child != 0);
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], text, size - 1);
    close(ends[0]);
    text[length > 0 ? length : 0] = '\0';
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

TEST(assert, ends_the_process_otherwise)
{
    char text[512];
    CHECK(aborts(NULL, text, sizeof text));
    CHECK_CONTAINS(text, "carom: broken invariant at ");
    CHECK_CONTAINS(text, "test_assert.c:");
    CHECK_CONTAINS(text, "child != 0");
    CHECK(aborts(come_back, text, sizeof text));
    CHECK_TEXT(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(assert, leaves_by_the_handler),
        RUN_TEST(assert, ends_the_process_otherwise),
    };
    return cmocka_run_group_tests_name("assert", tests, NULL, NULL);
}
