/* A figure: checks, what is to be drawn where, all of it in order.
 *
 * Everything is drawn twice: first for nobody, to learn where ink lies and whether legends have room between it; then
 * on the page. Texts inside the plots (names of marks, insets, legends) go last, where the series have left most room. */
#include "plot/plot_drawing.h"

#include <math.h>
#include <stdlib.h>

#include "base/arguments.h"

static const double POINT = 72.0 / 25.4; /* per millimetre */

/* ---- checks ------------------------------------------------------------------------------------------------------- */

static double chosen(double value, double standard)
{
    return value == 0.0 ? standard : value;
}

static size_t panels_of(const carom_figure *figure)
{
    return figure->panel_count > 0 ? figure->panel_count : 1;
}

/* [mm]; panels of a stack are lower than a single one. */
static double standard_height(const carom_figure *figure)
{
    double single = chosen(figure->width, 150.0) * 19.0 / 30.0;
    double panels = (double)panels_of(figure);
    return panels > 1.0 ? fmin(single * (0.35 + 0.45 * panels), 2000.0) : single;
}

static carom_status check_list(const char *name, const void *items, size_t count, carom_error *err)
{
    return count == 0 || items
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "a figure with %zu %s needs them: its list is NULL", count, name);
}

/* Everything that is pointed to is there, and what is chosen from a list is in it. */
static carom_status check_given(const carom_figure *figure, const char *file, carom_error *err)
{
    carom_status status = argument_given("carom_figure_write", "figure", figure, err);
    status = status == CAROM_OK ? argument_text("carom_figure_write", "file", file, err) : status;
    status = status == CAROM_OK ? check_list("series", figure->series, figure->series_count, err) : status;
    status = status == CAROM_OK ? check_list("marks", figure->marks, figure->mark_count, err) : status;
    status = status == CAROM_OK ? check_list("panels", figure->panels, figure->panel_count, err) : status;
    status = status == CAROM_OK ? check_list("insets", figure->insets, figure->inset_count, err) : status;
    if (status == CAROM_OK &&
        ((unsigned)figure->style > CAROM_PLOT_PAPER || (unsigned)figure->legend > CAROM_LEGEND_NONE)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "a figure has no style %d, or no legend %d", (int)figure->style,
                            (int)figure->legend);
    }
    return status;
}

static carom_status check_page(const carom_figure *figure, carom_error *err)
{
    const double lowest = 12.0; /* [mm] of page per panel */
    double width = chosen(figure->width, 150.0);
    double height = chosen(figure->height, fmax(standard_height(figure), 30.0));
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
    if ((double)panels_of(figure) * lowest > height) {
        return carom_fail(err, CAROM_BAD_INPUT, "%zu panels do not fit in a height of %g mm; %g mm would do",
                          panels_of(figure), height, lowest * (double)panels_of(figure));
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

static carom_status check_panel(const carom_figure *figure, size_t panel, const char *what, size_t number,
                                carom_error *err)
{
    if (panel < panels_of(figure)) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT, "%s %zu of the figure is for panel %zu, but there are only %zu", what,
                      number + 1, panel + 1, panels_of(figure));
}

static carom_status check_series(const carom_figure *figure, size_t i, carom_error *err)
{
    const carom_series *series = &figure->series[i];
    if (series->count > 0 && (!series->x || !series->y)) {
        return carom_fail(err, CAROM_BAD_INPUT, "series %zu of the figure has %zu points but no numbers", i + 1,
                          series->count);
    }
    if (!isfinite(series->width) || !isfinite(series->marker_spacing)) {
        return carom_fail(err, CAROM_BAD_INPUT, "series %zu of the figure has a line of %g pt, markers every %g pt",
                          i + 1, series->width, series->marker_spacing);
    }
    if ((unsigned)series->line > CAROM_LINE_NONE || (unsigned)series->marker > CAROM_MARKER_DOT) {
        return carom_fail(err, CAROM_BAD_INPUT, "series %zu of the figure has an unknown line or marker", i + 1);
    }
    carom_status status = check_panel(figure, series->panel, "series", i, err);
    return status == CAROM_OK ? check_colour(series->colour, "series", i, err) : status;
}

static carom_status check_parts(const carom_figure *figure, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < figure->series_count && status == CAROM_OK; ++i) {
        status = check_series(figure, i, err);
    }
    for (size_t i = 0; i < figure->mark_count && status == CAROM_OK; ++i) {
        status = check_colour(figure->marks[i].colour, "mark", i, err);
        status = status == CAROM_OK ? check_panel(figure, figure->marks[i].panel, "mark", i, err) : status;
    }
    return status;
}

/* ---- preparation -------------------------------------------------------------------------------------------------- */

static carom_status take_memory(plot_drawing *d, carom_error *err)
{
    d->panel_count = panels_of(d->figure);
    d->panels = calloc(d->panel_count, sizeof *d->panels);
    d->pens = calloc(d->figure->series_count + 1, sizeof *d->pens);
    if (!d->panels || !d->pens) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a figure of %zu series", d->figure->series_count);
    }
    return CAROM_OK;
}

/* Solid lines take a dash pattern each time the colours have been through. */
static carom_line line_of(const carom_series *series, size_t round)
{
    static const carom_line patterns[] = { CAROM_LINE_SOLID,       CAROM_LINE_DASHED,   CAROM_LINE_DOTTED,
                                           CAROM_LINE_LONG_DASHED, CAROM_LINE_DASH_DOT, CAROM_LINE_DASH_DOT_DOT };
    const size_t count = sizeof patterns / sizeof patterns[0];
    return series->line == CAROM_LINE_SOLID ? patterns[round % count] : series->line;
}

static void choose_pens(plot_drawing *d)
{
    size_t next = 0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        const carom_series *series = &d->figure->series[i];
        plot_pen *pen = &d->pens[i];
        *pen = (plot_pen){ .line = series->line, .marker = series->marker, .spacing = series->marker_spacing };
        pen->phase = 0.25 * (double)(i % 4) * fmax(series->marker_spacing, 0.0); /* curves may coincide */
        pen->width = series->width > 0.0 ? series->width : d->theme->line_width;
        if (series->colour) {
            plot_read_colour(series->colour, &pen->colour);
        } else {
            size_t hue = series->hue > 0 ? series->hue - 1 : next++;
            pen->colour = d->theme->palette[hue % d->theme->palette_count];
            pen->line = line_of(series, hue / d->theme->palette_count);
        }
    }
}

static carom_status choose_ranges(plot_drawing *d, carom_error *err)
{
    carom_status status = plot_scale_range(&d->x, d->figure, SIDE_X, 0, err);
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        plot_panel *panel = &d->panels[d->figure->series[i].panel];
        *(d->figure->series[i].right ? &panel->has_right : &panel->has_left) = true;
    }
    for (size_t p = 0; p < d->panel_count && status == CAROM_OK; ++p) {
        status = plot_scale_range(&d->panels[p].y, d->figure, SIDE_LEFT, p, err);
        status = status == CAROM_OK ? plot_scale_range(&d->panels[p].right, d->figure, SIDE_RIGHT, p, err) : status;
    }
    return status;
}

static carom_status prepare(plot_drawing *d, carom_error *err)
{
    carom_status status = check_page(d->figure, err);
    status = status == CAROM_OK ? check_parts(d->figure, err) : status;
    status = status == CAROM_OK ? take_memory(d, err) : status;
    status = status == CAROM_OK ? choose_ranges(d, err) : status;
    status = status == CAROM_OK ? plot_check_insets(d, err) : status;
    if (status == CAROM_OK) {
        choose_pens(d);
    }
    return status;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

static void draw_panel(cairo_t *cr, plot_drawing *d, size_t p)
{
    const carom_figure *figure = d->figure;
    plot_panel *panel = &d->panels[p];
    plot_cover_free(&panel->cover);
    if (!plot_cover_init(&panel->cover, panel->area)) {
        d->failed = true;
        return;
    }
    plot_draw_marks(cr, d, p, true);
    plot_draw_grid(cr, d, panel);
    plot_draw_marks(cr, d, p, false);
    for (size_t i = 0; i < figure->series_count; ++i) {
        if (figure->series[i].panel == p) {
            bool ok = plot_draw_series(cr, &figure->series[i], &d->pens[i], d->theme, &d->x,
                                       figure->series[i].right ? &panel->right : &panel->y, panel->area,
                                       &panel->cover);
            d->failed = d->failed || !ok;
        }
    }
    plot_draw_axes(cr, d, p);
    plot_draw_mark_texts(cr, d, p);
    plot_draw_insets(cr, d, p);
}

/* Everything but legends. */
static void draw_panels(cairo_t *cr, plot_drawing *d)
{
    for (size_t p = 0; p < d->panel_count && !d->failed; ++p) {
        draw_panel(cr, d, p);
    }
    plot_draw_titles(cr, d);
}

static bool draw_figure(cairo_t *cr, void *context)
{
    plot_drawing *d = context;
    draw_panels(cr, d);
    if (!d->failed) {
        plot_draw_legends(cr, d);
    }
    return !d->failed;
}

/* ---- decisions ---------------------------------------------------------------------------------------------------- */

/* A page whose height is not asked for grows by what a legend below takes. */
static void give_room_below(plot_drawing *d)
{
    if (d->figure->height == 0.0) {
        d->height = fmin(d->height + plot_legend_height_below(d), POINT * 2000.0);
    }
}

static void place_outside(cairo_t *cr, plot_drawing *d)
{
    plot_legend_outside(d);
    if (d->place == LEGEND_BELOW) {
        give_room_below(d);
        plot_legend_outside(d); /* more entries may have room now */
    }
    plot_lay_out(cr, d);
}

/* Room above the curves for an inset, unless the range is given. */
static void raise_top(plot_scale *scale, const carom_axis *axis)
{
    const double share = 0.6; /* an inset takes 0.3 and more of the height then */
    if (axis->min == axis->max) {
        plot_scale_raise(scale, share);
    }
}

/* Draws for the covers alone to see whether insets find free places. */
static void give_room_to_insets(cairo_t *cr, plot_drawing *d)
{
    if (d->figure->inset_count == 0) {
        return;
    }
    draw_panels(cr, d);
    for (size_t p = 0; p < d->panel_count; ++p) {
        if (d->panels[p].crowded) {
            raise_top(&d->panels[p].y, plot_axis_of(d->figure, SIDE_LEFT, p));
            raise_top(&d->panels[p].right, plot_axis_of(d->figure, SIDE_RIGHT, p));
        }
    }
    plot_lay_out(cr, d);
}

/* Draws for the covers alone where it must be known whether legends have room inside. */
static void decide_on_legends(cairo_t *cr, plot_drawing *d)
{
    if (plot_legend_entries(d, SIZE_MAX) == 0) {
        return;
    }
    d->place = LEGEND_INSIDE;
    if (d->figure->legend == CAROM_LEGEND_AUTO) {
        draw_panels(cr, d);
    }
    if (!d->failed && (d->figure->legend == CAROM_LEGEND_OUTSIDE || !plot_place_legends(d))) {
        place_outside(cr, d);
    }
}

static void decide(cairo_t *cr, plot_drawing *d)
{
    plot_measure_legends(cr, d);
    plot_lay_out(cr, d);
    give_room_to_insets(cr, d);
    decide_on_legends(cr, d);
    d->lost_inset = 0;
    if (d->figure->inset_count > 0 && !d->failed) {
        draw_panels(cr, d);
    }
}

/* On a surface that keeps nothing but has the same letters. */
static carom_status decide_on_nothing(plot_drawing *d, carom_error *err)
{
    cairo_surface_t *nowhere = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cr = cairo_create(nowhere);
    plot_set_plain_fonts(cr);
    decide(cr, d);
    cairo_status_t drawn = d->failed ? CAIRO_STATUS_NO_MEMORY : cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_destroy(nowhere);
    if (drawn == CAIRO_STATUS_SUCCESS && d->lost_inset > 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "inset %zu of the figure has no room; make the figure larger",
                          d->lost_inset);
    }
    if (drawn == CAIRO_STATUS_SUCCESS) {
        return CAROM_OK;
    }
    return carom_fail(err, drawn == CAIRO_STATUS_NO_MEMORY ? CAROM_NO_MEMORY : CAROM_IO_FAILED,
                      "cannot lay out a figure: %s", cairo_status_to_string(drawn));
}

static void release(plot_drawing *d)
{
    for (size_t p = 0; d->panels && p < d->panel_count; ++p) {
        plot_cover_free(&d->panels[p].cover);
    }
    free(d->panels);
    free(d->pens);
}

carom_status carom_figure_write(const carom_figure *figure, const char *file, carom_error *err)
{
    carom_status status = check_given(figure, file, err);
    if (status != CAROM_OK) {
        return status;
    }
    plot_drawing *d = calloc(1, sizeof *d);
    if (!d) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a figure");
    }
    d->figure = figure;
    d->theme = plot_theme_of(figure->style);
    d->width = POINT * chosen(figure->width, 150.0);
    d->height = POINT * chosen(figure->height, fmax(standard_height(figure), 30.0));
    status = prepare(d, err);
    status = status == CAROM_OK ? plot_check_name(file, err) : status;
    status = status == CAROM_OK ? decide_on_nothing(d, err) : status;
    if (status == CAROM_OK) {
        status = plot_write(file, d->width, d->height, chosen(figure->dpi, 200.0), draw_figure, d, err);
    }
    release(d);
    free(d);
    return status;
}
