/* Figures of many parts: texts that fit, labels far from zero, second axes, panels and insets; whatever the words, the
 * file holds drawings only; whatever allocation fails, the answer says so. */
#include <stdlib.h>
#include <unistd.h>

#include "support/failing_heap.h"

#include "figure_file.h"
#include "files/file.h"
#include "plot/plot.h"

/* ---- texts -------------------------------------------------------------------------------------------------------- */

static cairo_t *measuring(cairo_surface_t **surface)
{
    *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cr = cairo_create(*surface);
    plot_set_plain_fonts(cr);
    return cr;
}

/* Letters, marks of the little language of formulas, characters of many bytes, wrong bytes. */
static void random_text(test_rng *rng, char *text, size_t size)
{
    static const char *const pieces[] = {
        "a", "W",    ".",    "_{",           "^2",   "}",  "\xc3\xa4",        "\xe2\x82\xac",
        " ", "\xff", "\xe2", "\xe2\x80\xae", "\x01", "%s", "\xf0\x9f\x98\x80"
    };
    const int count = sizeof pieces / sizeof pieces[0];
    size_t length = (size_t)test_rng_uniform(rng, 0.0, (double)size - 8.0);
    text[0] = '\0';
    for (size_t used = 0; used < length; used = strlen(text)) {
        int piece = (int)test_rng_uniform(rng, 0.0, count - 1e-9);
        memcpy(text + used, pieces[piece], strlen(pieces[piece]) + 1);
    }
}

TEST(text, that_is_too_long_is_shortened_until_it_fits)
{
    cairo_surface_t *surface = NULL;
    cairo_t *cr = measuring(&surface);
    const plot_theme *theme = plot_theme_of(CAROM_PLOT_SCREEN);
    FOR_EACH_SEED(rng, 300) {
        char text[2000];
        char buffer[PLOT_TEXT];
        random_text(&rng, text, sizeof text);
        double room = test_rng_uniform(&rng, 15.0, 600.0);
        const char *fit = plot_text_fit(cr, theme, 9.0, text, room, true, buffer);
        CHECK_LE(plot_text_width(cr, theme, 9.0, fit), room);
        CHECK(fit == text || strstr(fit, "\xe2\x80\xa6") != NULL);
        bool must_stay = strlen(text) < 100 && plot_text_width(cr, theme, 9.0, text) <= room;
        CHECK(!must_stay || fit == text);
    }
    CHECK(cairo_status(cr) == CAIRO_STATUS_SUCCESS); /* Cairo remembers a wrong text for ever */
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

TEST(text, shortened_in_the_middle_keeps_both_ends)
{
    cairo_surface_t *surface = NULL;
    cairo_t *cr = measuring(&surface);
    char buffer[PLOT_TEXT];
    const char *name = "assembly.with.a.rather.long.name.position.z";
    const char *fit = plot_text_fit(cr, plot_theme_of(CAROM_PLOT_PAPER), 8.0, name, 90.0, true, buffer);
    CHECK(strncmp(fit, "assembly", 8) == 0);
    CHECK_TEXT(fit + strlen(fit) - 5, "ion.z");
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

/* ---- scales ------------------------------------------------------------------------------------------------------- */

TEST(scale, takes_pages_back_to_data)
{
    FOR_EACH_SEED(rng, 500) {
        bool log = test_rng_uniform(&rng, 0.0, 1.0) < 0.5;
        double size = pow(10.0, test_rng_uniform(&rng, -9.0, 9.0));
        plot_scale s = { .log = log, .min = log ? size : -size, .max = 7.0 * size, .from = 300.0, .to = 20.0 };
        double value = s.min + test_rng_uniform(&rng, 0.0, 1.0) * (s.max - s.min);
        CHECK_NEAR(plot_scale_data(&s, plot_scale_page(&s, value)), value, 1e-12 * 8.0 * size);
    }
}

/* The offset that the axis tells, as a reader takes it. */
static double told_offset(const plot_scale *s)
{
    char text[PLOT_TICK_LABEL];
    plot_scale_factor(s, text);
    const char *minus = strstr(text, "\xe2\x88\x92");
    const char *plus = strchr(text, '+');
    return plus ? strtod(plus + 1, NULL) : minus ? -strtod(minus + 3, NULL) : 0.0;
}

/* Where the ratio of both ends is no number any more. */
TEST(scale, of_all_that_numbers_can_be)
{
    const double x[] = { 1.0, 2.0, 3.0 };
    const double ends[][2] = { { 1e-299, 1e299 }, { 1e-250, 1e250 }, { 1e-5, 9e299 }, { 2e-300, 1e10 } };
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; ++k) {
        const double y[] = { ends[k][0], 1.0, ends[k][1] };
        carom_series series = { .x = x, .y = y, .count = 3 };
        carom_figure figure = { .series = &series, .series_count = 1, .y = { .log = true } };
        carom_error err = { 0 };
        plot_scale s;
        CHECK_OK(plot_scale_range(&s, &figure, SIDE_LEFT, 0, &err), err);
        s.from = 300.0;
        s.to = 20.0;
        plot_scale_ticks(&s, 5.0);
        CHECK(s.tick_count >= 2);
        CHECK(s.min > 0.0 && s.min <= y[0] && s.max >= y[2] && isfinite(s.max));
        for (int i = 0; i < 3; ++i) {
            double page = plot_scale_page(&s, y[i]);
            CHECK(page <= 300.0 && page >= 20.0);
            CHECK_NEAR(plot_scale_data(&s, page) / y[i], 1.0, 1e-9);
        }
        plot_scale_raise(&s, 0.6);
        CHECK(isfinite(s.max) && s.max >= y[2]);
    }
}

TEST(scale, far_from_zero_has_short_labels_and_tells_from_where_they_count)
{
    FOR_EACH_SEED(rng, 2000) {
        double place = pow(10.0, test_rng_uniform(&rng, -6.0, 6.0)) *
                       (test_rng_uniform(&rng, 0.0, 1.0) < 0.5 ? -1 : 1);
        double range = fabs(place) * pow(10.0, test_rng_uniform(&rng, -9.0, -1.0));
        plot_scale s = { .min = place, .max = place + range };
        plot_scale_ticks(&s, 6.0);
        CHECK(s.tick_count >= 2);
        double step = s.ticks[1].at - s.ticks[0].at;
        CHECK_NEAR(told_offset(&s), s.offset, 1e-3 * step);
        for (int i = 0; i < s.tick_count; ++i) {
            const char *label = s.ticks[i].label;
            bool negative = strncmp(label, "\xe2\x88\x92", 3) == 0;
            double shown = strtod(label + (negative ? 3 : 0), NULL) * (negative ? -1.0 : 1.0);
            CHECK_NEAR(s.offset + shown * pow(10.0, s.exponent), s.ticks[i].at, 1e-2 * step);
            CHECK_LE((double)strlen(label), 11.0); /* a sign of three bytes, "0.0" and five digits */
        }
    }
}

/* y is fitted to what the given part of x shows: against many points along the lines. */
TEST(scale, of_y_holds_what_the_range_of_x_shows)
{
    enum { POINTS = 12 };
    FOR_EACH_SEED(rng, 300) {
        double x[POINTS];
        double y[POINTS];
        for (int i = 0; i < POINTS; ++i) {
            x[i] = i + test_rng_uniform(&rng, 0.0, 0.9);
            y[i] = test_rng_uniform(&rng, -5.0, 5.0);
        }
        double from = test_rng_uniform(&rng, 1.0, 5.0);
        carom_series series = { .x = x, .y = y, .count = POINTS };
        carom_figure figure = { .x = { .min = from, .max = from + 5.0 }, .series = &series, .series_count = 1 };
        plot_scale s;
        carom_error err = { 0 };
        CHECK_OK(plot_scale_range(&s, &figure, SIDE_LEFT, 0, &err), err);
        double low = HUGE_VAL;
        double high = -HUGE_VAL;
        for (int i = 0; i + 1 < POINTS; ++i) {
            for (int k = 0; k <= 2000; ++k) {
                double share = k / 2000.0;
                double at = x[i] + share * (x[i + 1] - x[i]);
                double value = y[i] + share * (y[i + 1] - y[i]);
                bool seen = at >= from && at <= from + 5.0;
                low = seen ? fmin(low, value) : low;
                high = seen ? fmax(high, value) : high;
            }
        }
        double room = 0.06 * (high - low);
        CHECK_NEAR(s.min, low - room, 0.03);
        CHECK_NEAR(s.max, high + room, 0.03);
    }
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

enum { COUNT = 200 };

typedef struct rich_figure {
    double x[COUNT], y[4][COUNT];
    carom_series series[4];
    carom_panel panels[2];
    carom_inset insets[2];
    carom_mark marks[3];
    carom_figure figure;
} rich_figure;

/* Two panels, the first with two axes and an inset; every kind of mark. */
static void make_rich(rich_figure *r, const char *words)
{
    *r = (rich_figure){ 0 };
    for (int i = 0; i < COUNT; ++i) {
        r->x[i] = 0.05 * i;
        r->y[0][i] = sin(r->x[i]);
        r->y[1][i] = 1e4 * cos(2.0 * r->x[i]);
        r->y[2][i] = i % 50 == 7 ? (double)NAN : exp(-r->x[i]);
        r->y[3][i] = 1e5 + 1e-3 * r->x[i];
    }
    for (int k = 0; k < 4; ++k) {
        r->series[k] = (carom_series){ .x = r->x,
                                       .y = r->y[k],
                                       .count = COUNT,
                                       .label = words,
                                       .right = k % 2 == 1,
                                       .panel = (size_t)(k / 2),
                                       .line = (carom_line)k,
                                       .marker = (carom_marker)k,
                                       .marker_spacing = 10.0 * k,
                                       .hue = 9u * (unsigned)k };
    }
    r->panels[0] = (carom_panel){ { .label = words, .unit = "m" }, { .label = words, .unit = words } };
    r->panels[1] = (carom_panel){ { .label = words, .log = true }, { .unit = "N*m" } };
    r->insets[0] = (carom_inset){ .x_min = 2.0, .x_max = 2.5 };
    r->insets[1] = (carom_inset){ .panel = 1, .x_min = 1.0, .x_max = 3.0, .y_min = 0.05, .y_max = 0.5 };
    r->marks[0] = (carom_mark){ .at = 3.0, .text = words };
    r->marks[1] = (carom_mark){ .horizontal = true, .at = 0.1, .extent = 0.2, .text = words, .panel = 1 };
    r->marks[2] = (carom_mark){ .horizontal = true, .at = -0.5, .text = words };
    r->figure = (carom_figure){ .title = words,
                                .x = { .label = words, .unit = "s" },
                                .series = r->series,
                                .series_count = 4,
                                .panels = r->panels,
                                .panel_count = 2,
                                .insets = r->insets,
                                .inset_count = 2,
                                .marks = r->marks,
                                .mark_count = 3,
                                .grid = true };
}

TEST(parts, are_drawn_the_same_every_time)
{
    static const char *const names[] = { "a.svg", "a.pdf", "a.png" };
    rich_figure *r = malloc(sizeof *r);
    for (int k = 0; k < 6; ++k) {
        size_t size[2];
        make_rich(r, "name of the curve");
        r->figure.style = (carom_plot_style)(k % 2);
        r->figure.legend = (carom_legend)(k / 2);
        char *first = write_and_read(&r->figure, names[k / 2], &size[0]);
        char *second = write_and_read(&r->figure, names[k / 2], &size[1]);
        CHECK_EQ(size[0], size[1]);
        CHECK(memcmp(first, second, size[0]) == 0);
        free(first);
        free(second);
    }
    free(r);
}

/* A page of any size, with any number of curves and long names. */
TEST(parts, fit_any_page)
{
    rich_figure *r = malloc(sizeof *r);
    FOR_EACH_SEED(rng, 40) {
        char words[600];
        size_t size = 0;
        random_text(&rng, words, sizeof words);
        make_rich(r, words);
        r->figure.width = test_rng_uniform(&rng, 40.0, 300.0);
        r->figure.height = test_rng_uniform(&rng, 0.0, 1.0) < 0.3 ? 0.0 : test_rng_uniform(&rng, 30.0, 300.0);
        r->figure.style = test_rng_uniform(&rng, 0.0, 1.0) < 0.5 ? CAROM_PLOT_PAPER : CAROM_PLOT_SCREEN;
        r->figure.inset_count = r->figure.width > 120.0 && r->figure.height > 120.0 ? 2 : 0;
        free(write_and_read(&r->figure, "a.svg", &size));
        CHECK_GE((double)size, 1000.0);
    }
    free(r);
}

static bool holds(const char *bytes, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(bytes + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* No word of the figure is in the file: letters are outlines, or glyphs of an embedded font. */
TEST(parts, leave_no_words_in_the_file)
{
    static const char *const words[] = { "</script><script>alert(1)</script>", "x\" onload=\"alert(1)", "'&<>]]>-->",
                                         "/JavaScript (alert)" };
    static const char *const traces[] = { "<script", "onload", "alert", "<text", "&lt;", "JavaScript" };
    rich_figure *r = malloc(sizeof *r);
    for (size_t w = 0; w < sizeof words / sizeof words[0]; ++w) {
        for (int k = 0; k < 2; ++k) {
            size_t size = 0;
            make_rich(r, words[w]);
            char *bytes = write_and_read(&r->figure, k == 0 ? "a.svg" : "a.pdf", &size);
            for (size_t t = 0; t < sizeof traces / sizeof traces[0]; ++t) {
                if (holds(bytes, size, traces[t])) {
                    print_error("'%s' of '%s' is in the file\n", traces[t], words[w]);
                    CHECK(false);
                }
            }
            free(bytes);
        }
    }
    free(r);
}

TEST(parts, that_do_not_exist_are_refused)
{
    rich_figure *r = malloc(sizeof *r);
    char path[128];
    snprintf(path, sizeof path, "%s/a.svg", scratch_folder);
    for (int k = 0; k < 9; ++k) {
        static const char *const says[] = { "series 2",   "mark 2",       "inset 1", "no part of the x axis",
                                            "y axis",     "unknown line", "panels",  "no part of the x axis",
                                            "has no room" };
        carom_error err = { 0 };
        make_rich(r, "w");
        r->series[1].panel = k == 0 ? 2 : 0;
        r->marks[1].panel = k == 1 ? 9 : 1;
        r->insets[0].panel = k == 2 ? SIZE_MAX : 0;
        r->insets[0].x_min = k == 3 ? 100.0 : k == 7 ? (double)NAN : 2.0;
        r->insets[0].x_max = k == 3 ? 200.0 : 2.5;
        r->insets[1].y_max = k == 4 ? 0.01 : 0.5;
        r->series[3].line = (carom_line)(k == 5 ? 99 : 0);
        r->figure.panel_count = 2;
        carom_panel many[40] = { { .y = { .log = false } } };
        r->figure.width = k == 8 ? 40.0 : 0.0;
        r->figure.height = k == 8 ? 30.0 : 0.0;
        if (k == 6) {
            r->figure.panels = many;
            r->figure.panel_count = 40;
            r->figure.height = 100.0;
        }
        CHECK_EQ(carom_figure_write(&r->figure, path, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, says[k]);
        CHECK(!file_exists(path));
    }
    free(r);
}

TEST(parts, may_lack_memory)
{
    rich_figure *r = malloc(sizeof *r);
    char path[128];
    snprintf(path, sizeof path, "%s/a.pdf", scratch_folder);
    make_rich(r, "a name");
    bool failed = true;
    long n = 0;
    while (failed) {
        carom_error err = { 0 };
        heap_begin(++n);
        carom_status status = carom_figure_write(&r->figure, path, &err);
        failed = heap_end();
        if (status != (failed ? CAROM_NO_MEMORY : CAROM_OK) || heap.live != 0) {
            print_error("allocation %ld: status %d: %s; %ld blocks lost\n", n, (int)status, err.message, heap.live);
            CHECK(false);
        }
        CHECK_EQ(file_exists(path), !failed);
    }
    CHECK_GE((double)n, 20.0);
    unlink(path);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(text, that_is_too_long_is_shortened_until_it_fits),
        RUN_TEST(text, shortened_in_the_middle_keeps_both_ends),
        RUN_TEST(scale, takes_pages_back_to_data),
        RUN_TEST(scale, of_all_that_numbers_can_be),
        RUN_TEST(scale, far_from_zero_has_short_labels_and_tells_from_where_they_count),
        RUN_TEST(scale, of_y_holds_what_the_range_of_x_shows),
        RUN_TEST(parts, are_drawn_the_same_every_time),
        RUN_TEST(parts, fit_any_page),
        RUN_TEST(parts, leave_no_words_in_the_file),
        RUN_TEST(parts, that_do_not_exist_are_refused),
        RUN_TEST(parts, may_lack_memory),
    };
    return cmocka_run_group_tests_name("plot parts", tests, make_scratch_folder, remove_scratch_folder);
}
