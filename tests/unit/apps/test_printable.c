/* Text on terminals: harmless, measured in columns, clipped between characters; sparklines. */
#include "support/check.h"

#include <stdlib.h>

#include "../../../apps/carom/printable.h"
#include "../../../apps/carom/sparkline.h"

static void check_printable(const char *raw, const char *expected)
{
    char text[256];
    snprintf(text, sizeof text, "%s", raw);
    make_printable(text, false);
    CHECK_TEXT(text, expected);
}

TEST(printable, controls_and_directions_are_marked)
{
    check_printable("rod \x1b[31m\r\n\t\x7f", "rod ?[31m????");
    check_printable("c1 \xc2\x80 \xc2\x9b \xc2\xa0", "c1 ? ? \xc2\xa0");
    check_printable("\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8f", "?????"); /* U+202A .. U+200F */
    check_printable("\xe2\x80\xa8|\xe2\x80\xa9", "?|?");
    check_printable("\xe6\x97\xa5\xf0\x9f\x9a\x80\xd7\xa9\xd7\x9c", "\xe6\x97\xa5\xf0\x9f\x9a\x80\xd7\xa9\xd7\x9c");
}

TEST(printable, what_is_no_utf8_is_marked)
{
    check_printable("\xff\xfe", "??");
    check_printable("a\xc3", "a?");
    check_printable("\xe2\x82", "??");
    check_printable("\xc0\xaf", "??");             /* overlong / */
    check_printable("\xed\xa0\x80", "???");        /* surrogate */
    check_printable("\xf4\x90\x80\x80x", "????x"); /* above U+10FFFF */
    check_printable("\xf8\x88\x80\x80\x80", "?????");
}

TEST(printable, lines_stay_when_asked_for)
{
    char text[] = "a\nb\tc";
    make_printable(text, true);
    CHECK_TEXT(text, "a\nb?c");
}

/* Random bytes: what comes out is no longer, and is a fixed point. */
TEST(printable, random_bytes)
{
    test_rng rng = test_rng_seed(5);
    for (int round = 0; round < 2000; ++round) {
        char text[65];
        char again[65];
        int length = (int)test_rng_uniform(&rng, 0.0, 64.0);
        for (int i = 0; i < length; ++i) {
            text[i] = (char)(1 + (int)test_rng_uniform(&rng, 0.0, 255.0));
        }
        text[length] = '\0';
        make_printable(text, false);
        CHECK_LE((double)strlen(text), (double)length);
        memcpy(again, text, sizeof again);
        make_printable(again, false);
        CHECK_TEXT(again, text);
        for (const char *c = text; *c; ++c) {
            CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
        }
        int width = text_width(text);
        size_t fit = text_fit(text, width / 2);
        text[fit] = '\0';
        CHECK_LE(text_width(text), width / 2);
    }
}

TEST(printable, widths_are_those_of_terminals)
{
    CHECK_EQ(text_width("rod"), 3);
    CHECK_EQ(text_width("\xc3\xa9"), 1);
    CHECK_EQ(text_width("e\xcc\x81"), 1);                        /* e and a combining accent */
    CHECK_EQ(text_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);         /* two ideographs */
    CHECK_EQ(text_width("\xed\x95\x9c\xea\xb8\x80"), 4);         /* Hangul */
    CHECK_EQ(text_width("\xef\xbc\xa1"), 2);                     /* fullwidth A */
    CHECK_EQ(text_width("\xf0\x9f\x9a\x80"), 2);                 /* rocket */
    CHECK_EQ(text_width("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"), 4); /* Hebrew */
    CHECK_EQ(text_fit("\xe6\x97\xa5\xe6\x9c\xac", 3), 3);        /* the second does not fit */
    CHECK_EQ(text_fit("e\xcc\x81x", 1), 3);                      /* the accent stays with its letter */
}

TEST(printable, the_locale_is_asked)
{
    setenv("LC_ALL", "C", 1);
    CHECK(!is_utf8_locale());
    setenv("LC_ALL", "C.UTF-8", 1);
    CHECK(is_utf8_locale());
    setenv("LC_ALL", "xx_YY.utf8", 1); /* not installed anywhere */
    CHECK(is_utf8_locale());
    setenv("LC_ALL", "xx_YY.ISO-8859-1", 1);
    CHECK(!is_utf8_locale());
}

/* ---- sparklines ---------------------------------------------------------------------------------------------------- */

enum { FRAMES = 800 };

TEST(spark, a_ramp_rises_and_a_peak_shows)
{
    double time[FRAMES];
    double ramp[FRAMES];
    double peak[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        time[i] = 0.01 * i;
        ramp[i] = i;
        peak[i] = i == 333 ? -5.0 : 0.0;
    }
    sparkline line = sparkline_of(time, ramp, FRAMES, 8, false);
    CHECK_TEXT(line.text, "_.-~+*%#");
    CHECK_NEAR(line.low, 0.0, 0.0);
    CHECK_NEAR(line.high, FRAMES - 1.0, 0.0);
    line = sparkline_of(time, peak, FRAMES, 8, false); /* one frame of a hundred under a cell */
    CHECK_TEXT(line.text, "###_####");
    line = sparkline_of(time, ramp, FRAMES, 8, true);
    CHECK_EQ(text_width(line.text), 8);
}

/* Frames crowd where time goes slowly: the line is over time, not over frames. */
TEST(spark, cells_are_of_equal_time)
{
    double time[11];
    double values[11];
    for (int i = 0; i < 11; ++i) {
        time[i] = i < 10 ? 0.01 * i : 8.0;
        values[i] = i < 10 ? 0.0 : 8.0;
    }
    sparkline line = sparkline_of(time, values, 11, 8, false);
    CHECK_TEXT(line.text, "_.-~+*%#"); /* a straight line over the gap */
}

TEST(spark, odd_signals)
{
    double nan = (double)NAN;
    double time[] = { 0.0, 1.0, 2.0, 3.0 };
    double none[] = { nan, nan, nan, nan };
    double hole[] = { 1.0, nan, nan, 2.0 };
    double flat[] = { 1.0, 1.0 + 1e-15, 1.0, 1.0 };
    double huge[] = { -1.7e308, 1.7e308, -HUGE_VAL, 0.0 };
    CHECK_TEXT(sparkline_of(time, none, 4, 4, false).text, "    ");
    CHECK(isnan(sparkline_of(time, none, 4, 4, false).low));
    CHECK_TEXT(sparkline_of(time, hole, 4, 4, false).text, "_  #");
    CHECK_TEXT(sparkline_of(time, flat, 4, 4, false).text, "____");
    CHECK_EQ(strlen(sparkline_of(time, huge, 4, 4, false).text), 4);
    CHECK_TEXT(sparkline_of(time, flat, 0, 4, false).text, "    ");
    CHECK_TEXT(sparkline_of(none, flat, 4, 4, false).text, "_   "); /* no times */
    CHECK_EQ(text_width(sparkline_of(time, flat, 4, 10000, true).text), SPARKLINE_CELLS);
}

TEST(spark, bars_have_the_length_of_their_part)
{
    char bar[256];
    for (int cells = 1; cells <= 40; ++cells) {
        for (int k = -1; k <= 21; ++k) {
            double part = k / 20.0;
            double wanted = cells * (part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
            bar_of(bar, sizeof bar, part, cells, false);
            CHECK_LE(fabs((double)strlen(bar) - wanted), 0.5 + 1e-9);
            bar_of(bar, sizeof bar, part, cells, true);
            CHECK_LE(text_width(bar), cells);
            CHECK_LE(fabs(text_width(bar) - wanted), 1.0);
        }
    }
    bar_of(bar, sizeof bar, (double)NAN, 10, true);
    CHECK_TEXT(bar, "");
    bar_of(bar, 8, 1.0, 40, true); /* no more than there is room for */
    CHECK_LE((double)strlen(bar), 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(printable, controls_and_directions_are_marked),
        RUN_TEST(printable, what_is_no_utf8_is_marked),
        RUN_TEST(printable, lines_stay_when_asked_for),
        RUN_TEST(printable, random_bytes),
        RUN_TEST(printable, widths_are_those_of_terminals),
        RUN_TEST(printable, the_locale_is_asked),
        RUN_TEST(spark, a_ramp_rises_and_a_peak_shows),
        RUN_TEST(spark, cells_are_of_equal_time),
        RUN_TEST(spark, odd_signals),
        RUN_TEST(spark, bars_have_the_length_of_their_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
