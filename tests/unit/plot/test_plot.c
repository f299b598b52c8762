/* Plots: ticks stand at round numbers and say where, thinning keeps every extreme, files are whole and repeatable. */
#include "figure_file.h"
#include "support/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "plot/plot.h"

/* ---- ticks -------------------------------------------------------------------------------------------------------- */

/* The number a label stands for. */
static double label_value(const char *label)
{
    char plain[2 * PLOT_TICK_LABEL];
    size_t used = 0;
    for (const char *c = label; *c; ++c) {
        if (strncmp(c, "\xe2\x88\x92", 3) == 0) {
            plain[used++] = '-';
            c += 2;
        } else {
            plain[used++] = *c;
        }
    }
    plain[used] = '\0';
    return strncmp(plain, "10^", 3) == 0 ? pow(10.0, strtod(plain + 3, NULL)) : strtod(plain, NULL);
}

/* 1, 2 or 5 times a power of ten. */
static bool is_round(double step)
{
    double share = step / pow(10.0, floor(log10(step) + 1e-6));
    return fabs(share - 1.0) < 1e-5 || fabs(share - 2.0) < 1e-5 || fabs(share - 5.0) < 1e-5;
}

static plot_scale random_range(test_rng *rng, bool log)
{
    plot_scale scale = { .log = log };
    double size = pow(10.0, test_rng_uniform(rng, -9.0, 9.0));
    scale.min = log ? size : size * test_rng_uniform(rng, -1.0, 1.0);
    scale.max = log ? size * pow(10.0, test_rng_uniform(rng, 0.05, 25.0))
                    : scale.min + size * test_rng_uniform(rng, 1e-4, 2.0);
    return scale;
}

TEST(ticks, are_round_numbers_that_labels_tell)
{
    FOR_EACH_SEED(rng, 2000) {
        plot_scale s = random_range(&rng, false);
        double wanted = test_rng_uniform(&rng, 2.0, 12.0);
        plot_scale_ticks(&s, wanted);
        double step = s.tick_count > 1 ? s.ticks[1].at - s.ticks[0].at : 1.0;
        CHECK_LE(s.tick_count, wanted + 1.0);
        CHECK_GE(s.tick_count, floor(wanted / 2.5));
        CHECK(s.tick_count < 2 || is_round(step));
        for (int i = 0; i < s.tick_count; ++i) {
            CHECK_GE(s.ticks[i].at, s.min - 1e-6 * step);
            CHECK_LE(s.ticks[i].at, s.max + 1e-6 * step);
            double told = s.offset + label_value(s.ticks[i].label) * pow(10.0, s.exponent);
            CHECK_NEAR(told, s.ticks[i].at, 1e-6 * step);
            CHECK_LE((double)strlen(s.ticks[i].label), 9.0); /* a sign of three bytes, five digits, a point */
        }
    }
}

TEST(ticks, of_logarithmic_axes_are_labelled_twice_at_least)
{
    FOR_EACH_SEED(rng, 2000) {
        plot_scale s = random_range(&rng, true);
        plot_scale_ticks(&s, test_rng_uniform(&rng, 3.0, 10.0));
        int labelled = 0;
        for (int i = 0; i < s.tick_count; ++i) {
            CHECK_GE(s.ticks[i].at, s.min * (1.0 - 1e-6));
            CHECK_LE(s.ticks[i].at, s.max * (1.0 + 1e-6));
            labelled += s.ticks[i].label[0] != '\0';
        }
        if (labelled < 2 || labelled > 14) {
            print_error("%d labels from %g to %g\n", labelled, s.min, s.max);
            CHECK(false);
        }
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------- */

TEST(ranges, hold_all_data_and_are_never_empty)
{
    const double cases[][3] = {
        { 0.0, 0.0, 0.0 },     { 5.0, 5.0, 5.0 },       { -3e-300, 0.0, 1e-301 }, { 1e299, -1e299, 0.0 },
        { 1e10, 1e10 + 1, 3 }, { (double)NAN, 2.0, 7 }, { HUGE_VAL, 1.0, 4.0 },   { 1.0, 1.0 + 1e-15, 1.0 },
    };
    const double y[3] = { 1.0, 2.0, 3.0 };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        carom_error err = { 0 };
        plot_scale x;
        carom_series series = { .x = cases[k], .y = y, .count = 3 };
        carom_figure figure = { .series = &series, .series_count = 1 };
        CHECK_OK(plot_scale_range(&x, &figure, SIDE_X, 0, &err), err);
        CHECK(x.min < x.max && isfinite(x.max - x.min));
        plot_scale_ticks(&x, 6.0);
        x.to = 100.0;
        for (int i = 0; i < 3; ++i) {
            if (plot_can_show(cases[k][i], false)) {
                double at = plot_scale_page(&x, cases[k][i]);
                CHECK(at >= -1e-9 && at <= 100.0 + 1e-9);
            }
        }
    }
}

/* ---- thinning ----------------------------------------------------------------------------------------------------- */

enum { MANY = 100000, COLUMNS = 500 };

typedef struct column_extremes {
    double low[COLUMNS + 1], high[COLUMNS + 1];
} column_extremes;

static column_extremes *extremes_new(void)
{
    column_extremes *e = malloc(sizeof *e);
    CHECK(e != NULL);
    for (int i = 0; i <= COLUMNS; ++i) {
        e->low[i] = HUGE_VAL;
        e->high[i] = -HUGE_VAL;
    }
    return e;
}

static void note(column_extremes *e, double x, double y)
{
    int column = (int)floor(x / 0.2);
    if (isfinite(y) && column >= 0 && column <= COLUMNS) {
        e->low[column] = fmin(e->low[column], y);
        e->high[column] = fmax(e->high[column], y);
    }
}

/* Every column of the page has the extremes it had before, in a small part of the points. */
TEST(thinning, keeps_every_extreme)
{
    double *x = malloc(MANY * sizeof *x);
    double *y = malloc(MANY * sizeof *y);
    plot_scale sx = { .min = 0.0, .max = 1.0, .from = 0.0, .to = 0.2 * COLUMNS };
    plot_scale sy = { .min = 0.0, .max = 1.0, .from = 100.0, .to = 0.0 };
    FOR_EACH_SEED(rng, 5) {
        column_extremes *before = extremes_new();
        column_extremes *after = extremes_new();
        plot_points thin = { 0 };
        for (int i = 0; i < MANY; ++i) {
            x[i] = (double)i / MANY;
            y[i] = i % 997 == 0 ? (double)NAN : test_rng_uniform(&rng, 0.0, 1.0);
            note(before, plot_scale_page(&sx, x[i]), plot_scale_page(&sy, y[i]));
        }
        plot_thin(&thin, &(carom_series){ .x = x, .y = y, .count = MANY }, &sx, &sy);
        for (size_t i = 0; i < thin.count; ++i) {
            note(after, thin.points[i].x, thin.points[i].y);
        }
        CHECK(memcmp(before, after, sizeof *before) == 0);
        CHECK_LE((double)thin.count, 4.0 * COLUMNS + 6.0 * (MANY / 997.0));
        free(thin.points);
        free(before);
        free(after);
    }
    free(x);
    free(y);
}

TEST(thinning, leaves_few_points_as_they_are)
{
    const double x[] = { 0.0, 0.1, 0.1, 0.3, 0.2, 0.9 };
    const double y[] = { 0.5, 0.1, (double)NAN, 0.7, 0.2, 0.3 };
    plot_scale s = { .min = 0.0, .max = 1.0, .from = 0.0, .to = 100.0 };
    plot_points thin = { 0 };
    plot_thin(&thin, &(carom_series){ .x = x, .y = y, .count = 6 }, &s, &s);
    CHECK_EQ(thin.count, 6);
    for (size_t i = 0; i < thin.count; ++i) {
        CHECK(i == 2 ? isnan(thin.points[i].x) : thin.points[i].x == 100.0 * x[i]);
    }
    free(thin.points);
}

TEST(cover, counts_cells_as_brute_force_does)
{
    plot_cover cover;
    bool cells[25][40] = { { false } };
    CHECK(plot_cover_init(&cover, (plot_box){ 10.0, 20.0, 160.0, 100.0 }));
    FOR_EACH_SEED(rng, 300) {
        plot_box box = { test_rng_uniform(&rng, 0.0, 170.0), test_rng_uniform(&rng, 0.0, 130.0),
                         test_rng_uniform(&rng, 0.1, 30.0), test_rng_uniform(&rng, 0.1, 30.0) };
        int expected = 0;
        for (int row = 0; row < 25; ++row) {
            for (int column = 0; column < 40; ++column) {
                double left = 10.0 + 4.0 * column;
                double top = 20.0 + 4.0 * row;
                bool touched = box.x < left + 4.0 && box.x + box.width > left && box.y < top + 4.0 &&
                               box.y + box.height > top;
                expected += touched && cells[row][column];
                cells[row][column] = cells[row][column] || (touched && box.width < 10.0);
            }
        }
        CHECK_EQ(plot_cover_count(&cover, box), expected);
        if (box.width < 10.0) {
            plot_cover_box(&cover, box);
        }
    }
    free(cover.cells);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static const double some_x[] = { 0.0, 1.0, 2.0, 3.0, 4.0, 5.0 };
static const double some_y[] = { 1.0, 10.0, -5.0, (double)NAN, 30.0, 1e-3 };

static const carom_series some_series[] = {
    { .x = some_x, .y = some_y, .count = 6, .label = "first", .marker = CAROM_MARKER_CIRCLE },
    { .x = some_x, .y = some_x, .count = 6, .label = "second^2", .line = CAROM_LINE_DASHED, .colour = "#FF00aa" },
    { .x = some_x, .y = some_x, .count = 6, .line = CAROM_LINE_DASH_DOT, .marker = CAROM_MARKER_PLUS },
};

static const carom_mark some_marks[] = {
    { .at = 2.5, .text = "a line" },
    { .horizontal = true, .at = 3.0, .extent = -2.0, .text = "a band", .colour = "#00aa00" },
    { .at = 1e9, .text = "widens the axis" },
};

static carom_figure some_figure(void)
{
    return (carom_figure){ .title = "A title",
                           .x = { .label = "time", .unit = "s" },
                           .y = { .label = "moment", .unit = "N*m" },
                           .series = some_series,
                           .series_count = 3,
                           .marks = some_marks,
                           .mark_count = 2 };
}

TEST(figure, is_what_its_name_says_and_the_same_every_time)
{
    const struct {
        const char *name;
        const char *start;
    } formats[] = { { "a.svg", "<?xml" }, { "a.pdf", "%PDF" }, { "a.PNG", "\x89PNG" } };
    for (int style = 0; style < 2; ++style) {
        for (int i = 0; i < 3; ++i) {
            carom_figure figure = some_figure();
            size_t size[2];
            figure.style = (carom_plot_style)style;
            char *first = write_and_read(&figure, formats[i].name, &size[0]);
            char *second = write_and_read(&figure, formats[i].name, &size[1]);
            CHECK(strncmp(first, formats[i].start, strlen(formats[i].start)) == 0);
            CHECK_EQ(size[0], size[1]);
            CHECK(memcmp(first, second, size[0]) == 0);
            free(first);
            free(second);
        }
    }
}

TEST(figure, of_any_numbers_and_words_can_be_drawn)
{
    const double x[] = { HUGE_VAL, 1e308, -1e308, 1e-320, 0.0, -0.0, (double)NAN, 7.0 };
    const double y[] = { 1.0, 1e308, 1e299, -1e299, 1e-300, 2.0, 3.0, -HUGE_VAL };
    char long_text[3000];
    memset(long_text, 'w', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    const char *const texts[] = { "",         "^",        "_{",           "^{",    "x^{-1", "\xff\xfe",
                                  "\xe2\x88", "a\nb\x7f", "\xed\xa0\x80", "^-^--", "**",    long_text };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        for (int log = 0; log < 4; ++log) {
            carom_series series = { .x = x, .y = y, .count = 8, .label = texts[t], .marker = CAROM_MARKER_DOT };
            carom_mark mark = { .at = (double)NAN, .extent = 1.0, .text = texts[t] };
            carom_figure figure = { .title = texts[t],
                                    .x = { .label = texts[t], .unit = texts[t], .log = log % 2 == 1 },
                                    .y = { .label = texts[t], .unit = texts[t], .log = log >= 2 },
                                    .series = &series,
                                    .series_count = 1,
                                    .marks = &mark,
                                    .mark_count = 1,
                                    .width = 40.0,
                                    .height = 30.0 };
            size_t size = 0;
            free(write_and_read(&figure, log == 0 ? "a.pdf" : "a.svg", &size));
            CHECK_GE((double)size, 100.0);
        }
    }
    size_t size = 0;
    free(write_and_read(&(carom_figure){ 0 }, "empty.png", &size));
    CHECK_GE((double)size, 100.0);
}

TEST(figure, of_a_million_points_is_small)
{
    enum { MILLION = 1000000 };
    double *x = malloc(MILLION * sizeof *x);
    double *y = malloc(MILLION * sizeof *y);
    test_rng rng = test_rng_seed(1);
    for (int i = 0; i < MILLION; ++i) {
        x[i] = i;
        y[i] = test_rng_uniform(&rng, -1.0, 1.0);
    }
    carom_series series[] = {
        { .x = x, .y = y, .count = MILLION, .label = "noise" },
        { .x = x, .y = y, .count = 1000, .line = CAROM_LINE_NONE, .marker = CAROM_MARKER_DOT }
    };
    carom_figure figure = { .series = series, .series_count = 2 };
    size_t size = 0;
    free(write_and_read(&figure, "a.svg", &size));
    CHECK_LE((double)size, 1e6);
    free(x);
    free(y);
}

TEST(figure, that_cannot_be_drawn_says_why)
{
    const double numbers[] = { 1.0, 2.0 };
    carom_series bad_colour = { .x = numbers, .y = numbers, .count = 2, .colour = "red" };
    carom_series no_numbers = { .count = 2 };
    carom_mark bad_mark = { .colour = "#12345g" };
    const struct {
        carom_figure figure;
        const char *name;
        const char *says;
    } wrong[] = {
        { { .title = "t" }, "a.gif", ".svg, .pdf or .png" },
        { { .title = "t" }, "a", ".svg, .pdf or .png" },
        { { .series = &bad_colour, .series_count = 1 }, "a.svg", "#rrggbb" },
        { { .marks = &bad_mark, .mark_count = 1 }, "a.svg", "mark 1" },
        { { .series = &no_numbers, .series_count = 1 }, "a.svg", "no numbers" },
        { { .width = 1e9 }, "a.svg", "2000 mm" },
        { { .width = (double)NAN }, "a.svg", "2000 mm" },
        { { .height = -1.0 }, "a.svg", "2000 mm" },
        { { .dpi = 1e6 }, "a.png", "dpi" },
        { { .x = { .min = 2.0, .max = 1.0 } }, "a.svg", "from 2 to 1" },
        { { .y = { .label = "force", .log = true, .min = -1.0, .max = 1.0 } }, "a.svg", "axis y force" },
        { { .y = { .max = HUGE_VAL } }, "a.svg", "axis y" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        carom_error err = { 0 };
        char path[128];
        snprintf(path, sizeof path, "%s/%s", scratch_folder, wrong[i].name);
        CHECK_EQ(carom_figure_write(&wrong[i].figure, path, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, wrong[i].says);
        CHECK(!file_exists(path));
    }
    carom_error err = { 0 };
    CHECK_EQ(carom_figure_write(&wrong[0].figure, "/nonexistent/a.svg", &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "/nonexistent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(ticks, are_round_numbers_that_labels_tell),
        RUN_TEST(ticks, of_logarithmic_axes_are_labelled_twice_at_least),
        RUN_TEST(ranges, hold_all_data_and_are_never_empty),
        RUN_TEST(thinning, keeps_every_extreme),
        RUN_TEST(thinning, leaves_few_points_as_they_are),
        RUN_TEST(cover, counts_cells_as_brute_force_does),
        RUN_TEST(figure, is_what_its_name_says_and_the_same_every_time),
        RUN_TEST(figure, of_any_numbers_and_words_can_be_drawn),
        RUN_TEST(figure, of_a_million_points_is_small),
        RUN_TEST(figure, that_cannot_be_drawn_says_why),
    };
    return cmocka_run_group_tests_name("plot", tests, make_scratch_folder, remove_scratch_folder);
}
