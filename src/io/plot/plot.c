/* A figure: checks, room for texts, axes, marks, series, legend.
 *
 * The height left for the plot follows from the texts above and below it; then the ticks of y are known and with them
 * how wide their labels are; then the width, and the ticks of x. Texts inside the plot (names of marks, the legend) go
 * last, where the series have left most room. */
#include "io/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_TITLE = 512 };

static const double PI = 3.14159265358979323846;
static const double PAD = 6.0;     /* [pt] at the rim of the page */
static const double GAP = 4.0;     /* [pt] between texts and what they belong to */
static const double SAMPLE = 27.0; /* [pt] of line in the legend */

typedef struct drawing {
    const carom_figure *figure;
    const plot_theme *theme;
    double width, height; /* [pt] of the page */
    plot_scale x, y;
    char x_title[AXIS_TITLE];
    char y_title[AXIS_TITLE];
    plot_box area;
    plot_pen *pens; /* series_count */
    plot_cover cover;
    plot_box legend; /* its size; its place once it is found */
    double below;    /* [pt] that the legend takes under the plot */
    bool failed;     /* no memory */
} drawing;

/* ---- checks ------------------------------------------------------------------------------------------------------- */

static double chosen(double value, double standard)
{
    return value == 0.0 ? standard : value;
}

static carom_status check_page(const carom_figure *figure, carom_error *err)
{
    double width = chosen(figure->width, 150.0);
    double height = chosen(figure->height, 95.0);
    double dpi = chosen(figure->dpi, 200.0);
    if (!(width >= 40.0 && width <= 2000.0 && height >= 30.0 && height <= 2000.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a figure of %g x %g mm: it must be 40 x 30 to 2000 x 2000 mm", width,
                          height);
    }
    if (!(dpi >= 20.0 && dpi * fmax(width, height) / 25.4 <= 30000.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a figure of %g x %g mm at %g dpi: 20 dpi or more, 30000 pixels or less", width, height,
                          dpi);
    }
    return CAROM_OK;
}

static carom_status check_colour(const char *text, const char *what, size_t number, carom_error *err)
{
    plot_colour colour;
    if (!text || plot_read_colour(text, &colour)) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT, "%s %zu of the figure has the colour '%.40s'; write it as #rrggbb", what,
                      number + 1, text);
}

static carom_status check_parts(const carom_figure *figure, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < figure->series_count && status == CAROM_OK; ++i) {
        const carom_series *series = &figure->series[i];
        if (series->count > 0 && (!series->x || !series->y)) {
            return carom_fail(err, CAROM_BAD_INPUT, "series %zu of the figure has %zu points but no numbers", i + 1,
                              series->count);
        }
        status = check_colour(series->colour, "series", i, err);
    }
    for (size_t i = 0; i < figure->mark_count && status == CAROM_OK; ++i) {
        status = check_colour(figure->marks[i].colour, "mark", i, err);
    }
    return status;
}

/* ---- preparation -------------------------------------------------------------------------------------------------- */

static carom_status choose_pens(drawing *d, carom_error *err)
{
    const carom_figure *figure = d->figure;
    d->pens = calloc(figure->series_count + 1, sizeof *d->pens);
    if (!d->pens) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a figure of %zu series", figure->series_count);
    }
    size_t next = 0;
    for (size_t i = 0; i < figure->series_count; ++i) {
        const carom_series *series = &figure->series[i];
        plot_pen *pen = &d->pens[i];
        *pen = (plot_pen){ .line = series->line, .marker = series->marker };
        pen->width = series->width > 0.0 ? series->width : d->theme->line_width;
        if (series->colour) {
            plot_read_colour(series->colour, &pen->colour);
        } else {
            pen->colour = d->theme->palette[next++ % d->theme->palette_count];
        }
    }
    return CAROM_OK;
}

/* "force [N*m]" with a centred dot. */
static void axis_title(const carom_axis *axis, char title[AXIS_TITLE])
{
    const char *label = axis->label ? axis->label : "";
    size_t used = (size_t)snprintf(title, AXIS_TITLE, "%.300s", label);
    if (!axis->unit || axis->unit[0] == '\0') {
        return;
    }
    used += (size_t)snprintf(title + used, AXIS_TITLE - used, "%s[", used > 0 ? " " : "");
    for (const char *c = axis->unit; *c && used + 4 < AXIS_TITLE; ++c) {
        used += (size_t)snprintf(title + used, AXIS_TITLE - used, "%s",
                                 *c == '*' ? "\xc2\xb7" : (char[]){ *c, '\0' });
    }
    snprintf(title + used, AXIS_TITLE - used, "]");
}

/* ---- room --------------------------------------------------------------------------------------------------------- */

static double widest_label(cairo_t *cr, const drawing *d, const plot_scale *scale)
{
    double widest = 0.0;
    for (int i = 0; i < scale->tick_count; ++i) {
        widest = fmax(widest, plot_text_width(cr, d->theme, d->theme->tick_size, scale->ticks[i].label));
    }
    return widest;
}

static double outer_tick(const drawing *d)
{
    return fmax(d->theme->tick_length, 0.0);
}

static double title_room(const drawing *d)
{
    return d->figure->title ? plot_text_height(d->theme->title_size) + 2.0 * GAP : 0.0;
}

static double top_margin(const drawing *d)
{
    double factor = d->y.exponent != 0 ? plot_text_height(d->theme->tick_size) + GAP : 0.0;
    double half_label = 0.5 * plot_text_height(d->theme->tick_size);
    return PAD + title_room(d) + fmax(factor, half_label);
}

static double bottom_margin(const drawing *d)
{
    double labels = outer_tick(d) + GAP + plot_text_height(d->theme->tick_size);
    bool has_line = d->x_title[0] || d->x.exponent != 0;
    return PAD + labels + (has_line ? plot_text_height(d->theme->label_size) + 2.0 * GAP : GAP);
}

static double left_margin(cairo_t *cr, const drawing *d)
{
    double title = d->y_title[0] ? d->theme->label_size + GAP : 0.0;
    return PAD + title + widest_label(cr, d, &d->y) + GAP + outer_tick(d);
}

static size_t legend_rows(const drawing *d)
{
    size_t rows = 0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        rows += d->figure->series[i].label != NULL;
    }
    return d->figure->legend == CAROM_LEGEND_NONE ? 0 : rows;
}

static double legend_row(const drawing *d)
{
    return 1.45 * d->theme->tick_size;
}

static void measure_legend(cairo_t *cr, drawing *d)
{
    double widest = 0.0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        const char *label = d->figure->series[i].label;
        widest = label ? fmax(widest, plot_text_width(cr, d->theme, d->theme->tick_size, label)) : widest;
    }
    d->legend.width = 1.5 * GAP + SAMPLE + GAP + widest + 1.5 * GAP;
    d->legend.height = (double)legend_rows(d) * legend_row(d) + GAP;
}

/* As many ticks as have room beside each other. */
static void fit_x_ticks(cairo_t *cr, drawing *d)
{
    for (double count = d->area.width / 32.0; count >= 1.0; count *= 0.8) {
        plot_scale_ticks(&d->x, count);
        double room = d->area.width / (d->x.tick_count > 1 ? d->x.tick_count - 1 : 1);
        double step = d->x.tick_count > 1
                          ? fabs(plot_scale_page(&d->x, d->x.ticks[1].at) - plot_scale_page(&d->x, d->x.ticks[0].at))
                          : room;
        if (d->x.log || widest_label(cr, d, &d->x) + 2.2 * GAP <= step) {
            return;
        }
    }
}

/* Where the plot lies when so much room is taken on its right and below. */
static void lay_out(cairo_t *cr, drawing *d, double beside, double below)
{
    double smallest = 20.0;
    d->below = below;
    plot_scale_ticks(&d->x, 5.0); /* whether there is a common factor does not depend on how many */
    plot_scale_ticks(&d->y, 5.0);
    d->area.y = top_margin(d);
    d->area.height = fmax(d->height - d->area.y - bottom_margin(d) - below, smallest);
    plot_scale_ticks(&d->y, d->area.height / 25.0);
    d->area.x = left_margin(cr, d);
    double overhang = 0.5 * widest_label(cr, d, &d->x);
    d->area.width = fmax(d->width - d->area.x - fmax(PAD + overhang, PAD + beside), smallest);
    d->x.from = d->area.x;
    d->x.to = d->area.x + d->area.width;
    d->y.from = d->area.y + d->area.height;
    d->y.to = d->area.y;
    fit_x_ticks(cr, d);
}

/* ---- axes --------------------------------------------------------------------------------------------------------- */

static void draw_grid(cairo_t *cr, const drawing *d)
{
    if (!d->theme->grid) {
        return;
    }
    plot_set_colour(cr, d->theme->grid_ink, 1.0);
    cairo_set_line_width(cr, d->theme->grid_width);
    for (int i = 0; i < d->x.tick_count; ++i) {
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        if (d->x.ticks[i].label[0]) {
            cairo_move_to(cr, x, d->area.y);
            cairo_line_to(cr, x, d->area.y + d->area.height);
        }
    }
    for (int i = 0; i < d->y.tick_count; ++i) {
        double y = plot_scale_page(&d->y, d->y.ticks[i].at);
        if (d->y.ticks[i].label[0]) {
            cairo_move_to(cr, d->area.x, y);
            cairo_line_to(cr, d->area.x + d->area.width, y);
        }
    }
    cairo_stroke(cr);
}

static void draw_frame(cairo_t *cr, const drawing *d)
{
    plot_box a = d->area;
    plot_set_colour(cr, d->theme->ink, 1.0);
    cairo_set_line_width(cr, d->theme->frame_width);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_SQUARE);
    if (d->theme->frame) {
        cairo_rectangle(cr, a.x, a.y, a.width, a.height);
    } else {
        cairo_move_to(cr, a.x, a.y);
        cairo_line_to(cr, a.x, a.y + a.height);
        cairo_line_to(cr, a.x + a.width, a.y + a.height);
    }
    cairo_stroke(cr);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

static double tick_length(const drawing *d, const plot_tick *tick)
{
    return tick->label[0] ? d->theme->tick_length : 0.55 * d->theme->tick_length;
}

/* With a closed frame ticks stand on all sides. */
static void draw_ticks(cairo_t *cr, const drawing *d)
{
    double bottom = d->area.y + d->area.height;
    double right = d->area.x + d->area.width;
    for (int i = 0; i < d->x.tick_count; ++i) {
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        double length = tick_length(d, &d->x.ticks[i]);
        cairo_move_to(cr, x, bottom);
        cairo_rel_line_to(cr, 0.0, length);
        cairo_move_to(cr, x, d->area.y);
        cairo_rel_line_to(cr, 0.0, d->theme->frame ? -length : 0.0);
    }
    for (int i = 0; i < d->y.tick_count; ++i) {
        double y = plot_scale_page(&d->y, d->y.ticks[i].at);
        double length = tick_length(d, &d->y.ticks[i]);
        cairo_move_to(cr, d->area.x, y);
        cairo_rel_line_to(cr, -length, 0.0);
        cairo_move_to(cr, right, y);
        cairo_rel_line_to(cr, d->theme->frame ? length : 0.0, 0.0);
    }
    plot_set_colour(cr, d->theme->ink, 1.0);
    cairo_set_line_width(cr, d->theme->frame_width);
    cairo_stroke(cr);
}

/* Labels that would run into the one before them are left out (logarithmic axes). */
static void draw_x_labels(cairo_t *cr, const drawing *d)
{
    double size = d->theme->tick_size;
    double y = d->area.y + d->area.height + outer_tick(d) + GAP + plot_text_height(size);
    double free_from = -HUGE_VAL;
    for (int i = 0; i < d->x.tick_count; ++i) {
        const char *label = d->x.ticks[i].label;
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        double half = 0.5 * plot_text_width(cr, d->theme, size, label);
        if (label[0] && x - half > free_from) {
            plot_text_draw(cr, d->theme, size, label, x, y, 0.0, ANCHOR_MIDDLE);
            free_from = x + half + GAP;
        }
    }
}

static void draw_y_labels(cairo_t *cr, const drawing *d)
{
    double size = d->theme->tick_size;
    double x = d->area.x - outer_tick(d) - GAP;
    double free_below = HUGE_VAL;
    for (int i = 0; i < d->y.tick_count; ++i) {
        const char *label = d->y.ticks[i].label;
        double y = plot_scale_page(&d->y, d->y.ticks[i].at) + 0.5 * plot_text_height(size);
        if (label[0] && y < free_below) {
            plot_text_draw(cr, d->theme, size, label, x, y, 0.0, ANCHOR_END);
            free_below = y - 1.15 * size;
        }
    }
}

/* The baseline of the title of x. */
static double last_line(const drawing *d)
{
    return d->height - PAD - d->below;
}

/* What all labels of an axis are to be multiplied by. */
static void draw_factors(cairo_t *cr, const drawing *d)
{
    char text[32];
    double size = d->theme->tick_size;
    if (d->y.exponent != 0) {
        snprintf(text, sizeof text,
                 "\xc3\x97"
                 "10^%d",
                 d->y.exponent);
        plot_text_draw(cr, d->theme, size, text, d->area.x, d->area.y - GAP, 0.0, ANCHOR_START);
    }
    if (d->x.exponent != 0) {
        snprintf(text, sizeof text,
                 "\xc3\x97"
                 "10^%d",
                 d->x.exponent);
        plot_text_draw(cr, d->theme, size, text, d->area.x + d->area.width, last_line(d), 0.0, ANCHOR_END);
    }
}

static void draw_titles(cairo_t *cr, const drawing *d)
{
    const plot_theme *theme = d->theme;
    double middle_x = d->area.x + 0.5 * d->area.width;
    double middle_y = d->area.y + 0.5 * d->area.height;
    plot_set_colour(cr, theme->ink, 1.0);
    plot_text_draw(cr, theme, theme->label_size, d->x_title, middle_x, last_line(d), 0.0, ANCHOR_MIDDLE);
    plot_text_draw(cr, theme, theme->label_size, d->y_title, PAD + plot_text_height(theme->label_size), middle_y,
                   -0.5 * PI, ANCHOR_MIDDLE);
    double half = 0.5 * plot_text_width(cr, theme, theme->title_size, d->figure->title);
    double title_x = fmax(fmin(middle_x, d->width - PAD - half), PAD + half); /* not over the rim */
    plot_text_draw(cr, theme, theme->title_size, d->figure->title, title_x, PAD + plot_text_height(theme->title_size),
                   0.0, ANCHOR_MIDDLE);
}

static void draw_axes(cairo_t *cr, const drawing *d)
{
    draw_frame(cr, d);
    draw_ticks(cr, d);
    plot_set_colour(cr, d->theme->soft_ink, 1.0);
    draw_x_labels(cr, d);
    draw_y_labels(cr, d);
    draw_factors(cr, d);
    draw_titles(cr, d);
}

/* ---- marks -------------------------------------------------------------------------------------------------------- */

static plot_colour mark_colour(const drawing *d, const carom_mark *mark)
{
    plot_colour colour = d->theme->soft_ink;
    if (mark->colour) {
        plot_read_colour(mark->colour, &colour);
    }
    return colour;
}

/* The strip a mark takes, of no width for a line; false when it lies outside. */
static bool mark_strip(const drawing *d, const carom_mark *mark, plot_box *strip)
{
    const plot_scale *scale = mark->horizontal ? &d->y : &d->x;
    double low = mark->extent < 0.0 ? mark->at + mark->extent : mark->at;
    double high = low + fabs(mark->extent);
    if (!plot_can_show(low, scale->log) || !plot_can_show(high, scale->log) || high < scale->min ||
        low > scale->max) {
        return false;
    }
    double a = plot_scale_page(scale, fmax(low, scale->min));
    double b = plot_scale_page(scale, fmin(high, scale->max));
    *strip = d->area;
    if (mark->horizontal) {
        strip->y = b;
        strip->height = a - b;
    } else {
        strip->x = a;
        strip->width = b - a;
    }
    return true;
}

static void draw_mark(cairo_t *cr, drawing *d, const carom_mark *mark)
{
    plot_box strip;
    const double dash[] = { 4.0, 2.5 };
    if (!mark_strip(d, mark, &strip)) {
        return;
    }
    if (mark->extent != 0.0) {
        plot_set_colour(cr, mark_colour(d, mark), 0.13);
        cairo_rectangle(cr, strip.x, strip.y, strip.width, strip.height);
        cairo_fill(cr);
        return;
    }
    plot_set_colour(cr, mark_colour(d, mark), 0.85);
    cairo_set_line_width(cr, fmax(0.6 * d->theme->line_width, 0.5));
    cairo_set_dash(cr, dash, 2, 0.0);
    cairo_move_to(cr, strip.x, strip.y);
    cairo_line_to(cr, mark->horizontal ? strip.x + strip.width : strip.x,
                  mark->horizontal ? strip.y : strip.y + strip.height);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
    plot_cover_box(&d->cover, (plot_box){ strip.x, strip.y, fmax(strip.width, 0.5), fmax(strip.height, 0.5) });
}

/* A box beside a mark, `along` from the preferred end, on its first or second side. */
static plot_box text_place(const drawing *d, const carom_mark *mark, plot_box strip, plot_box size, double along,
                           bool second_side)
{
    plot_box place = size;
    double beside = mark->extent != 0.0 ? 1.5 : -1.0; /* in a band, above a line */
    if (mark->horizontal) {
        place.x = d->area.x + d->area.width - GAP - size.width - along;
        place.y = beside > 0.0 ? strip.y + beside : strip.y + beside - size.height;
        place.y = !second_side   ? place.y
                  : beside > 0.0 ? strip.y + strip.height - beside - size.height
                                 : strip.y + 1.0;
    } else {
        place.x = second_side ? strip.x - 1.5 - size.width : strip.x + 1.5;
        place.y = d->area.y + GAP + along;
    }
    return place;
}

static bool is_inside(plot_box box, plot_box area)
{
    return box.x >= area.x && box.y >= area.y && box.x + box.width <= area.x + area.width + 0.5 &&
           box.y + box.height <= area.y + area.height + 0.5;
}

/* The same box a little further away, so that the cells of the mark's own line do not count. */
static plot_box clear_of_line(const carom_mark *mark, plot_box place, bool second_side)
{
    const double away = mark->extent != 0.0 ? 0.0 : 4.0;
    if (mark->horizontal) {
        place.y += second_side ? away : -away;
    } else {
        place.x += second_side ? -away : away;
    }
    return place;
}

/* Slides along the mark to where least is hidden. */
static plot_box find_text_place(const drawing *d, const carom_mark *mark, plot_box strip, plot_box size)
{
    const double stride = 6.0;
    double length = mark->horizontal ? d->area.width - size.width : d->area.height - size.height;
    plot_box best = text_place(d, mark, strip, size, 0.0, false);
    int least = 1 << 30;
    for (double along = 0.0; along <= fmax(length - 2.0 * GAP, 0.0) && least > 0; along += stride) {
        for (int side = 0; side < 2; ++side) {
            plot_box place = text_place(d, mark, strip, size, along, side == 1);
            int hidden = plot_cover_count(&d->cover, clear_of_line(mark, place, side == 1)) +
                         (is_inside(place, d->area) ? 0 : 100000);
            if (hidden < least) {
                least = hidden;
                best = place;
            }
        }
    }
    return best;
}

static void draw_mark_text(cairo_t *cr, drawing *d, const carom_mark *mark)
{
    plot_box strip;
    double size = d->theme->tick_size;
    if (!mark->text || !mark_strip(d, mark, &strip)) {
        return;
    }
    double length = plot_text_width(cr, d->theme, size, mark->text);
    double high = size + 1.0;
    plot_box shape = { 0.0, 0.0, mark->horizontal ? length : high, mark->horizontal ? high : length };
    plot_box at = find_text_place(d, mark, strip, shape);
    cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, mark->extent != 0.0 ? 0.0 : 0.75);
    cairo_rectangle(cr, at.x, at.y, at.width, at.height);
    cairo_fill(cr);
    plot_set_colour(cr, mark_colour(d, mark), 1.0);
    if (mark->horizontal) {
        plot_text_draw(cr, d->theme, size, mark->text, at.x, at.y + 0.82 * size, 0.0, ANCHOR_START);
    } else {
        plot_text_draw(cr, d->theme, size, mark->text, at.x + 0.82 * size, at.y + length, -0.5 * PI, ANCHOR_START);
    }
    plot_cover_box(&d->cover, at);
}

/* ---- the legend --------------------------------------------------------------------------------------------------- */

static double corner_distance(const drawing *d, plot_box box)
{
    double right = d->area.x + d->area.width - box.x - box.width;
    double bottom = d->area.y + d->area.height - box.y - box.height;
    double x = fmin(box.x - d->area.x, right - 1.0); /* between equals, the right and the top */
    double y = fmin(box.y - d->area.y - 1.0, bottom);
    return x + y;
}

/* The place that hides least; how many cells it hides, or -1 when the legend is too large. */
static int place_legend(drawing *d)
{
    const double stride = 6.0;
    int least = -1;
    double nearest = HUGE_VAL;
    plot_box box = d->legend;
    double right = d->area.x + d->area.width - GAP - box.width;
    double bottom = d->area.y + d->area.height - GAP - box.height;
    for (box.y = d->area.y + GAP; box.y <= bottom; box.y = box.y < bottom ? fmin(box.y + stride, bottom) : HUGE_VAL) {
        for (box.x = d->area.x + GAP; box.x <= right;
             box.x = box.x < right ? fmin(box.x + stride, right) : HUGE_VAL) {
            int hidden = plot_cover_count(&d->cover, box);
            double distance = corner_distance(d, box);
            if (least < 0 || hidden < least || (hidden == least && distance < nearest)) {
                least = hidden;
                nearest = distance;
                d->legend = box;
            }
        }
    }
    return least;
}

static void draw_legend_box(cairo_t *cr, const drawing *d)
{
    cairo_rectangle(cr, d->legend.x, d->legend.y, d->legend.width, d->legend.height);
    cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, 0.88);
    cairo_fill_preserve(cr);
    plot_set_colour(cr, d->theme->frame ? d->theme->ink : d->theme->grid_ink, 1.0);
    cairo_set_line_width(cr, 0.5);
    cairo_stroke(cr);
}

static void draw_legend_entry(cairo_t *cr, const drawing *d, size_t series, double x, double y)
{
    const plot_theme *theme = d->theme;
    double baseline = y + 0.5 * plot_text_height(theme->tick_size);
    plot_draw_sample(cr, &d->pens[series], theme, x + 1.5 * GAP, y, SAMPLE);
    plot_set_colour(cr, theme->ink, 1.0);
    plot_text_draw(cr, theme, theme->tick_size, d->figure->series[series].label, x + 2.5 * GAP + SAMPLE, baseline,
                   0.0, ANCHOR_START);
}

/* Entries row by row, in columns as wide as the legend was measured. */
static void draw_legend(cairo_t *cr, const drawing *d, size_t columns)
{
    size_t entry = 0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        if (d->figure->series[i].label) {
            double x = d->legend.x + (double)(entry % columns) * d->legend.width;
            double y = d->legend.y + 0.5 * GAP + ((double)(entry / columns) + 0.5) * legend_row(d);
            draw_legend_entry(cr, d, i, x, y);
            entry += 1;
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

/* Everything but the legend. */
static void draw_plot(cairo_t *cr, drawing *d)
{
    const carom_figure *figure = d->figure;
    free(d->cover.cells);
    if (!plot_cover_init(&d->cover, d->area)) {
        d->failed = true;
        return;
    }
    for (size_t i = 0; i < figure->mark_count; ++i) {
        if (figure->marks[i].extent != 0.0) {
            draw_mark(cr, d, &figure->marks[i]);
        }
    }
    draw_grid(cr, d);
    for (size_t i = 0; i < figure->mark_count; ++i) {
        if (figure->marks[i].extent == 0.0) {
            draw_mark(cr, d, &figure->marks[i]);
        }
    }
    for (size_t i = 0; i < figure->series_count; ++i) {
        bool ok = plot_draw_series(cr, &figure->series[i], &d->pens[i], d->theme, &d->x, &d->y, d->area, &d->cover);
        d->failed = d->failed || !ok;
    }
    draw_axes(cr, d);
    for (size_t i = 0; i < figure->mark_count; ++i) {
        draw_mark_text(cr, d, &figure->marks[i]);
    }
}

/* Draws for the cover alone, to learn whether the legend has room inside. */
static bool legend_fits_inside(cairo_t *like, drawing *d)
{
    const int tolerable = 3; /* cells */
    cairo_surface_t *nowhere = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cr = cairo_create(nowhere);
    cairo_font_options_t *fonts = cairo_font_options_create();
    cairo_get_font_options(like, fonts);
    cairo_set_font_options(cr, fonts);
    draw_plot(cr, d);
    cairo_font_options_destroy(fonts);
    cairo_destroy(cr);
    cairo_surface_destroy(nowhere);
    int hidden = d->failed ? 0 : place_legend(d);
    return hidden >= 0 && hidden <= tolerable;
}

static void draw_with_legend_beside(cairo_t *cr, drawing *d)
{
    lay_out(cr, d, d->legend.width, 0.0);
    draw_plot(cr, d);
    d->legend.x = d->area.x + d->area.width;
    d->legend.y = d->area.y;
    draw_legend(cr, d, 1);
}

static void draw_with_legend_below(cairo_t *cr, drawing *d)
{
    double fitting = floor((d->width - 2.0 * PAD) / d->legend.width);
    size_t columns = fitting > 1.0 ? (size_t)fitting : 1;
    size_t rows = (legend_rows(d) + columns - 1) / columns;
    lay_out(cr, d, 0.0, (double)rows * legend_row(d) + GAP);
    draw_plot(cr, d);
    double room = d->width - PAD - (double)columns * d->legend.width;
    d->legend.x = fmin(d->area.x - 1.5 * GAP, fmax(room, PAD));
    d->legend.y = last_line(d) + 1.5 * GAP;
    draw_legend(cr, d, columns);
}

/* Long names would take too much of the width. */
static void draw_with_legend_outside(cairo_t *cr, drawing *d)
{
    if (d->legend.width > 0.3 * d->width) {
        draw_with_legend_below(cr, d);
    } else {
        draw_with_legend_beside(cr, d);
    }
}

static bool draw_figure(cairo_t *cr, void *context)
{
    drawing *d = context;
    measure_legend(cr, d);
    lay_out(cr, d, 0.0, 0.0);
    bool wanted = legend_rows(d) > 0;
    bool outside = wanted && (d->figure->legend == CAROM_LEGEND_OUTSIDE || !legend_fits_inside(cr, d));
    if (outside) {
        draw_with_legend_outside(cr, d);
        return !d->failed;
    }
    draw_plot(cr, d);
    if (wanted && !d->failed) {
        draw_legend_box(cr, d);
        draw_legend(cr, d, 1);
    }
    return !d->failed;
}

static carom_status prepare(drawing *d, carom_error *err)
{
    carom_status status = check_page(d->figure, err);
    status = status == CAROM_OK ? check_parts(d->figure, err) : status;
    status = status == CAROM_OK ? plot_scale_range(&d->x, d->figure, true, err) : status;
    status = status == CAROM_OK ? plot_scale_range(&d->y, d->figure, false, err) : status;
    status = status == CAROM_OK ? choose_pens(d, err) : status;
    axis_title(&d->figure->x, d->x_title);
    axis_title(&d->figure->y, d->y_title);
    return status;
}

carom_status carom_figure_write(const carom_figure *figure, const char *file, carom_error *err)
{
    const double point = 72.0 / 25.4; /* per millimetre */
    drawing *d = calloc(1, sizeof *d);
    if (!d) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a figure");
    }
    d->figure = figure;
    d->theme = plot_theme_of(figure->style);
    d->width = point * chosen(figure->width, 150.0);
    d->height = point * chosen(figure->height, 95.0);
    carom_status status = prepare(d, err);
    if (status == CAROM_OK) {
        status = plot_write(file, d->width, d->height, chosen(figure->dpi, 200.0), draw_figure, d, err);
    }
    free(d->cover.cells);
    free(d->pens);
    free(d);
    return status;
}
