/* Legends: one in each panel where it hides least; where it would hide much anywhere, beside the panels, or below them
 * when names are long or many. */
#include "plot/plot_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAMPLE = 27.0; /* [pt] of line beside a name */

/* ---- entries -------------------------------------------------------------------------------------------------------- */

static bool look_alike(const plot_pen *a, const plot_pen *b)
{
    return a->colour.red == b->colour.red && a->colour.green == b->colour.green && a->colour.blue == b->colour.blue &&
           a->line == b->line && a->marker == b->marker && a->width == b->width;
}

/* Whether a series before it has the same name and pen, in another panel. */
static bool is_repeated(const plot_drawing *d, size_t series)
{
    const carom_series *all = d->figure->series;
    for (size_t i = 0; i < series; ++i) {
        if (all[i].label && all[i].panel != all[series].panel && all[i].right == all[series].right &&
            look_alike(&d->pens[i], &d->pens[series]) && strcmp(all[i].label, all[series].label) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_entry(const plot_drawing *d, size_t series, size_t panel)
{
    const carom_series *s = &d->figure->series[series];
    return s->label && (panel == SIZE_MAX ? !is_repeated(d, series) : s->panel == panel);
}

size_t plot_legend_entries(const plot_drawing *d, size_t panel)
{
    size_t count = 0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        count += is_entry(d, i, panel);
    }
    return d->figure->legend == CAROM_LEGEND_NONE ? 0 : count;
}

static double row_height(const plot_drawing *d)
{
    return 1.45 * d->theme->tick_size;
}

/* Names longer than this are shortened. */
static double name_room(const plot_drawing *d)
{
    return 0.42 * d->width;
}

/* The name of a series; where a panel has two axes, with a word on which. */
static const char *entry_text(cairo_t *cr, const plot_drawing *d, size_t series, char buffer[2 * PLOT_TEXT])
{
    const carom_series *s = &d->figure->series[series];
    const plot_panel *panel = &d->panels[s->panel];
    char shorter[PLOT_TEXT];
    const char *text = plot_text_fit(cr, d->theme, d->theme->tick_size, s->label, name_room(d), true, shorter);
    bool mention = s->right && panel->has_left;
    snprintf(buffer, 2 * PLOT_TEXT, "%s%s", text, mention ? " (right)" : "");
    return buffer;
}

void plot_measure_legends(cairo_t *cr, plot_drawing *d)
{
    char text[2 * PLOT_TEXT];
    const double around = 4.0 * PLOT_GAP + SAMPLE;
    d->entry_width = around;
    for (size_t p = 0; p < d->panel_count; ++p) {
        double widest = 0.0;
        for (size_t i = 0; i < d->figure->series_count; ++i) {
            if (is_entry(d, i, p)) {
                double width = plot_text_width(cr, d->theme, d->theme->tick_size, entry_text(cr, d, i, text));
                widest = fmax(widest, width);
            }
        }
        d->panels[p].legend.width = around + widest;
        d->panels[p].legend.height = (double)plot_legend_entries(d, p) * row_height(d) + PLOT_GAP;
        d->entry_width = fmax(d->entry_width, around + widest);
    }
}

/* ---- places --------------------------------------------------------------------------------------------------------- */

static double corner_distance(plot_box area, plot_box box)
{
    double right = area.x + area.width - box.x - box.width;
    double bottom = area.y + area.height - box.y - box.height;
    double x = fmin(box.x - area.x, right - 1.0); /* between equals, the right and the top */
    double y = fmin(box.y - area.y - 1.0, bottom);
    return x + y;
}

/* The place that hides least; how many cells it hides, or -1 when the legend is too large. */
static int place_in(plot_panel *panel)
{
    const double stride = 6.0;
    int least = -1;
    double nearest = HUGE_VAL;
    plot_box area = panel->area;
    plot_box box = panel->legend;
    double right = area.x + area.width - PLOT_GAP - box.width;
    double bottom = area.y + area.height - PLOT_GAP - box.height;
    for (box.y = area.y + PLOT_GAP; box.y <= bottom;
         box.y = box.y < bottom ? fmin(box.y + stride, bottom) : HUGE_VAL) {
        for (box.x = area.x + PLOT_GAP; box.x <= right;
             box.x = box.x < right ? fmin(box.x + stride, right) : HUGE_VAL) {
            int hidden = plot_cover_count(&panel->cover, box);
            double distance = corner_distance(area, box);
            if (least < 0 || hidden < least || (hidden == least && distance < nearest)) {
                least = hidden;
                nearest = distance;
                panel->legend = box;
            }
        }
    }
    return least;
}

bool plot_place_legends(plot_drawing *d)
{
    const int tolerable = 3; /* cells */
    for (size_t p = 0; p < d->panel_count; ++p) {
        int hidden = plot_legend_entries(d, p) > 0 ? place_in(&d->panels[p]) : 0;
        if (hidden < 0 || hidden > tolerable) {
            return false;
        }
    }
    return true;
}

static size_t columns_below(const plot_drawing *d)
{
    double fitting = floor((d->width - 2.0 * PLOT_PAD) / d->entry_width);
    return fitting > 1.0 ? (size_t)fitting : 1;
}

static size_t rows_for(size_t entries, size_t columns)
{
    return (entries + columns - 1) / columns;
}

double plot_legend_height_below(const plot_drawing *d)
{
    return (double)rows_for(plot_legend_entries(d, SIZE_MAX), columns_below(d)) * row_height(d) + PLOT_GAP;
}

/* Beside the panels where that takes less of the page than below them; long names would take too much of the width, many
 * would not fit the height. */
static bool fits_beside(const plot_drawing *d)
{
    for (size_t p = 0; p < d->panel_count; ++p) {
        if (d->panels[p].legend.height > d->panels[p].area.height + PLOT_GAP) {
            return false;
        }
    }
    double share = d->entry_width / d->width;
    return share <= 0.3 && share <= plot_legend_height_below(d) / d->height;
}

/* Not more than half of a page whose height is given: the rest is counted, not shown. */
static void take_room_below(plot_drawing *d)
{
    size_t entries = plot_legend_entries(d, SIZE_MAX);
    double share = d->figure->height == 0.0 ? 0.9 : 0.5;
    size_t most = (size_t)fmax(1.0, floor(share * d->height / row_height(d)));
    size_t rows = rows_for(entries, columns_below(d));
    d->legend_columns = columns_below(d);
    rows = rows < most ? rows : most;
    d->legend_shown = entries <= rows * d->legend_columns ? entries : rows * d->legend_columns - 1;
    d->below = (double)rows * row_height(d) + PLOT_GAP;
    d->place = LEGEND_BELOW;
}

void plot_legend_outside(plot_drawing *d)
{
    if (fits_beside(d)) {
        d->beside = d->entry_width;
        d->place = LEGEND_BESIDE;
    } else {
        take_room_below(d);
    }
}

/* ---- drawing -------------------------------------------------------------------------------------------------------- */

static void draw_box(cairo_t *cr, const plot_drawing *d, plot_box box)
{
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, 0.88);
    cairo_fill_preserve(cr);
    plot_set_colour(cr, d->theme->frame ? d->theme->ink : d->theme->grid_ink, 1.0);
    cairo_set_line_width(cr, 0.5);
    cairo_stroke(cr);
}

static void draw_entry(cairo_t *cr, const plot_drawing *d, size_t series, double x, double y)
{
    char text[2 * PLOT_TEXT];
    const plot_theme *theme = d->theme;
    double baseline = y + 0.5 * plot_text_height(theme->tick_size);
    plot_draw_sample(cr, &d->pens[series], theme, x + 1.5 * PLOT_GAP, y, SAMPLE);
    plot_set_colour(cr, theme->ink, 1.0);
    plot_text_draw(cr, theme, theme->tick_size, entry_text(cr, d, series, text), x + 2.5 * PLOT_GAP + SAMPLE,
                   baseline, 0.0, ANCHOR_START);
}

/* Entries row by row from a corner, in columns as wide as the widest. */
static void draw_entries(cairo_t *cr, const plot_drawing *d, size_t panel, double x, double y, size_t columns,
                         size_t most)
{
    size_t entry = 0;
    for (size_t i = 0; i < d->figure->series_count && entry < most; ++i) {
        if (is_entry(d, i, panel)) {
            double row = (double)(entry / columns) + 0.5;
            draw_entry(cr, d, i, x + (double)(entry % columns) * d->entry_width,
                       y + 0.5 * PLOT_GAP + row * row_height(d));
            entry += 1;
        }
    }
}

static void draw_below(cairo_t *cr, const plot_drawing *d)
{
    double room = d->width - PLOT_PAD - (double)d->legend_columns * d->entry_width;
    double x = fmin(d->panels[0].area.x - 1.5 * PLOT_GAP, fmax(room, PLOT_PAD));
    double y = plot_last_line(d) + 1.5 * PLOT_GAP;
    size_t entries = plot_legend_entries(d, SIZE_MAX);
    draw_entries(cr, d, SIZE_MAX, x, y, d->legend_columns, d->legend_shown);
    if (d->legend_shown < entries) {
        char text[64];
        snprintf(text, sizeof text, "and %zu more", entries - d->legend_shown);
        double row = (double)(d->legend_shown / d->legend_columns) + 0.5;
        double column = (double)(d->legend_shown % d->legend_columns);
        plot_set_colour(cr, d->theme->ink, 1.0);
        plot_text_draw(cr, d->theme, d->theme->tick_size, text, x + column * d->entry_width + 1.5 * PLOT_GAP,
                       y + 0.5 * PLOT_GAP + row * row_height(d) + 0.5 * plot_text_height(d->theme->tick_size), 0.0,
                       ANCHOR_START);
    }
}

void plot_draw_legends(cairo_t *cr, plot_drawing *d)
{
    if (d->place == LEGEND_BELOW) {
        draw_below(cr, d);
        return;
    }
    for (size_t p = 0; p < d->panel_count && d->place != LEGEND_NOWHERE; ++p) {
        plot_box box = d->panels[p].legend;
        if (d->place == LEGEND_BESIDE) {
            box.x = d->width - PLOT_PAD - d->beside + PLOT_GAP;
            box.y = d->panels[p].area.y;
        } else if (plot_legend_entries(d, p) > 0) {
            draw_box(cr, d, box);
        }
        draw_entries(cr, d, p, box.x, box.y, 1, SIZE_MAX);
    }
}
