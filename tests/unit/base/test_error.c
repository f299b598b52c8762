/* Errors: filled once, cut when too long, harmless without a place to go; every status has a name. Clocks go on. */
#include "base/clock.h"
#include "support/check.h"

TEST(error, carries_status_and_text)
{
    carom_error err = { 0 };
    CHECK_EQ(carom_fail(&err, CAROM_BAD_INPUT, "mass %g of '%s'", -1.0, "rod"), CAROM_BAD_INPUT);
    CHECK_EQ(err.status, CAROM_BAD_INPUT);
    CHECK_TEXT(err.message, "mass -1 of 'rod'");
}

TEST(error, may_be_absent)
{
    CHECK_EQ(carom_fail(NULL, CAROM_IO_FAILED, "nobody reads this"), CAROM_IO_FAILED);
}

TEST(error, is_cut_to_its_room)
{
    carom_error err = { 0 };
    char longest[3000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    carom_fail(&err, CAROM_BAD_INPUT, "%s", longest);
    CHECK_EQ(strlen(err.message), sizeof err.message - 1);
}

TEST(status, has_a_name_each)
{
    for (int a = CAROM_OK; a <= CAROM_UNSUPPORTED; ++a) {
        const char *name = carom_status_name((carom_status)a);
        CHECK(name && name[0] && strcmp(name, "unknown status") != 0);
        for (int b = CAROM_OK; b < a; ++b) {
            CHECK(strcmp(name, carom_status_name((carom_status)b)) != 0);
        }
    }
    CHECK_TEXT(carom_status_name((carom_status)99), "unknown status");
}

TEST(clocks, never_go_back)
{
    double wall = carom_clock_wall();
    double cpu = carom_clock_cpu();
    for (int i = 0; i < 1000; ++i) {
        double wall_now = carom_clock_wall();
        double cpu_now = carom_clock_cpu();
        CHECK_GE(wall_now, wall);
        CHECK_GE(cpu_now, cpu);
        wall = wall_now;
        cpu = cpu_now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(error, carries_status_and_text), RUN_TEST(error, may_be_absent),
        RUN_TEST(error, is_cut_to_its_room),      RUN_TEST(status, has_a_name_each),
        RUN_TEST(clocks, never_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
