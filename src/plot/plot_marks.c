/* Reference lines and bands, and their names beside them where the series leave most room. */
#include "plot/plot_drawing.h"

#include <math.h>

static plot_colour mark_colour(const plot_drawing *d, const carom_mark *mark)
{
    plot_colour colour = d->theme->soft_ink;
    if (mark->colour) {
        plot_read_colour(mark->colour, &colour);
    }
    return colour;
}

/* The strip a mark takes, of no width for a line; false when it lies outside. */
static bool mark_strip(const plot_drawing *d, const plot_panel *panel, const carom_mark *mark, plot_box *strip)
{
    const plot_scale *scale = mark->horizontal ? &panel->y : &d->x;
    double low = mark->extent < 0.0 ? mark->at + mark->extent : mark->at;
    double high = low + fabs(mark->extent);
    if (!plot_can_show(low, scale->log) || !plot_can_show(high, scale->log) || high < scale->min ||
        low > scale->max) {
        return false;
    }
    double a = plot_scale_page(scale, fmax(low, scale->min));
    double b = plot_scale_page(scale, fmin(high, scale->max));
    *strip = panel->area;
    if (mark->horizontal) {
        strip->y = b;
        strip->height = a - b;
    } else {
        strip->x = a;
        strip->width = b - a;
    }
    return true;
}

static void draw_mark(cairo_t *cr, plot_drawing *d, plot_panel *panel, const carom_mark *mark)
{
    plot_box strip;
    const double dash[] = { 4.0, 2.5 };
    if (!mark_strip(d, panel, mark, &strip)) {
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
    plot_cover_box(&panel->cover, (plot_box){ strip.x, strip.y, fmax(strip.width, 0.5), fmax(strip.height, 0.5) });
}

/* A box beside a mark, `along` from the preferred end, on its first or second side. */
static plot_box text_place(const plot_panel *panel, const carom_mark *mark, plot_box strip, plot_box size,
                           double along, bool second_side)
{
    plot_box place = size;
    double beside = mark->extent != 0.0 ? 1.5 : -1.0; /* in a band, above a line */
    if (mark->horizontal) {
        place.x = panel->area.x + panel->area.width - PLOT_GAP - size.width - along;
        place.y = beside > 0.0 ? strip.y + beside : strip.y + beside - size.height;
        place.y = !second_side   ? place.y
                  : beside > 0.0 ? strip.y + strip.height - beside - size.height
                                 : strip.y + 1.0;
    } else {
        place.x = second_side ? strip.x - 1.5 - size.width : strip.x + 1.5;
        place.y = panel->area.y + PLOT_GAP + along;
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
static plot_box find_text_place(const plot_panel *panel, const carom_mark *mark, plot_box strip, plot_box size)
{
    const double stride = 6.0;
    double length = mark->horizontal ? panel->area.width - size.width : panel->area.height - size.height;
    plot_box best = text_place(panel, mark, strip, size, 0.0, false);
    int least = 1 << 30;
    for (double along = 0.0; along <= fmax(length - 2.0 * PLOT_GAP, 0.0) && least > 0; along += stride) {
        for (int side = 0; side < 2; ++side) {
            plot_box place = text_place(panel, mark, strip, size, along, side == 1);
            int hidden = plot_cover_count(&panel->cover, clear_of_line(mark, place, side == 1)) +
                         (is_inside(place, panel->area) ? 0 : 100000);
            if (hidden < least) {
                least = hidden;
                best = place;
            }
        }
    }
    return best;
}

static void draw_mark_text(cairo_t *cr, plot_drawing *d, plot_panel *panel, const carom_mark *mark)
{
    plot_box strip;
    char shorter[PLOT_TEXT];
    double size = d->theme->tick_size;
    if (!mark->text || !mark_strip(d, panel, mark, &strip)) {
        return;
    }
    double room = (mark->horizontal ? panel->area.width : panel->area.height) - 2.0 * PLOT_GAP;
    const char *text = plot_text_fit(cr, d->theme, size, mark->text, room, false, shorter);
    double length = plot_text_width(cr, d->theme, size, text);
    double high = size + 1.0;
    plot_box shape = { 0.0, 0.0, mark->horizontal ? length : high, mark->horizontal ? high : length };
    plot_box at = find_text_place(panel, mark, strip, shape);
    cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, mark->extent != 0.0 ? 0.0 : 0.75);
    cairo_rectangle(cr, at.x, at.y, at.width, at.height);
    cairo_fill(cr);
    plot_set_colour(cr, mark_colour(d, mark), 1.0);
    if (mark->horizontal) {
        plot_text_draw(cr, d->theme, size, text, at.x, at.y + 0.82 * size, 0.0, ANCHOR_START);
    } else {
        plot_text_draw(cr, d->theme, size, text, at.x + 0.82 * size, at.y + length, -0.5 * PLOT_PI, ANCHOR_START);
    }
    plot_cover_box(&panel->cover, at);
}

/* Vertical ones cross every panel. */
static bool is_of_panel(const carom_mark *mark, size_t panel)
{
    return !mark->horizontal || mark->panel == panel;
}

void plot_draw_marks(cairo_t *cr, plot_drawing *d, size_t panel, bool bands)
{
    for (size_t i = 0; i < d->figure->mark_count; ++i) {
        const carom_mark *mark = &d->figure->marks[i];
        if (is_of_panel(mark, panel) && (mark->extent != 0.0) == bands) {
            draw_mark(cr, d, &d->panels[panel], mark);
        }
    }
}

/* The name of a vertical mark stands in the first panel. */
void plot_draw_mark_texts(cairo_t *cr, plot_drawing *d, size_t panel)
{
    for (size_t i = 0; i < d->figure->mark_count; ++i) {
        const carom_mark *mark = &d->figure->marks[i];
        if (mark->horizontal ? mark->panel == panel : panel == 0) {
            draw_mark_text(cr, d, &d->panels[panel], mark);
        }
    }
}
