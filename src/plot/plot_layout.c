/* Room on the page. The height left for the panels follows from the texts above and below them; then the ticks of y are
 * known and with them how wide their labels are; then the width, and the ticks of x. */
#include "plot/plot_drawing.h"

#include <math.h>

double plot_widest_label(cairo_t *cr, const plot_theme *theme, double size, const plot_scale *scale)
{
    double widest = 0.0;
    for (int i = 0; i < scale->tick_count; ++i) {
        widest = fmax(widest, plot_text_width(cr, theme, size, scale->ticks[i].label));
    }
    return widest;
}

double plot_outer_tick(const plot_theme *theme)
{
    return fmax(theme->tick_length, 0.0);
}

double plot_last_line(const plot_drawing *d)
{
    return d->height - PLOT_PAD - d->below;
}

static bool has_factor(const plot_scale *scale)
{
    return scale->exponent != 0 || scale->offset != 0.0;
}

static bool has_title(const carom_axis *axis)
{
    return (axis->label && axis->label[0]) || (axis->unit && axis->unit[0]);
}

static double title_room(const plot_drawing *d)
{
    return d->figure->title ? plot_text_height(d->theme->title_size) + 2.0 * PLOT_GAP : 0.0;
}

/* Above a panel: half a label, or the line of the factors. */
static double head_room(const plot_drawing *d, const plot_panel *panel)
{
    double line = plot_text_height(d->theme->tick_size);
    bool factors = has_factor(&panel->y) || (panel->has_right && has_factor(&panel->right));
    return factors ? line + PLOT_GAP : 0.5 * line;
}

static double bottom_margin(const plot_drawing *d)
{
    double labels = plot_outer_tick(d->theme) + PLOT_GAP + plot_text_height(d->theme->tick_size);
    bool has_line = has_title(&d->figure->x) || has_factor(&d->x);
    return PLOT_PAD + labels + (has_line ? plot_text_height(d->theme->label_size) + 2.0 * PLOT_GAP : PLOT_GAP);
}

/* Labels and title of y axes on one side; 0 when no panel has one there. */
static double side_room(cairo_t *cr, const plot_drawing *d, plot_side side)
{
    double widest = 0.0;
    double title = 0.0;
    bool any = false;
    for (size_t p = 0; p < d->panel_count; ++p) {
        const plot_panel *panel = &d->panels[p];
        if (side == SIDE_LEFT || panel->has_right) {
            const plot_scale *scale = side == SIDE_LEFT ? &panel->y : &panel->right;
            widest = fmax(widest, plot_widest_label(cr, d->theme, d->theme->tick_size, scale));
            title = has_title(plot_axis_of(d->figure, side, p)) ? d->theme->label_size + PLOT_GAP : title;
            any = true;
        }
    }
    return any ? title + widest + PLOT_GAP + plot_outer_tick(d->theme) : 0.0;
}

void plot_fit_ticks(cairo_t *cr, const plot_theme *theme, double size, plot_scale *scale)
{
    double length = fabs(scale->to - scale->from);
    for (double count = length / (4.0 * size); count >= 1.0; count *= 0.8) {
        plot_scale_ticks(scale, count);
        if (scale->log || scale->tick_count < 2) {
            return;
        }
        double step = fabs(plot_scale_page(scale, scale->ticks[1].at) - plot_scale_page(scale, scale->ticks[0].at));
        if (plot_widest_label(cr, theme, size, scale) + 1.1 * size <= step) {
            return;
        }
    }
}

static void choose_y_ticks(plot_panel *panel, double height)
{
    double count = fmax(height / 25.0, 2.0);
    plot_scale_ticks(&panel->y, count);
    plot_scale_ticks(&panel->right, count);
}

/* From top to bottom, all of the same height. */
static void stack_panels(plot_drawing *d)
{
    const double smallest = 20.0;
    double heads = 0.0;
    for (size_t p = 1; p < d->panel_count; ++p) {
        heads += head_room(d, &d->panels[p]) + 2.0 * PLOT_GAP;
    }
    double top = PLOT_PAD + title_room(d) + head_room(d, &d->panels[0]);
    double height = (d->height - top - bottom_margin(d) - d->below - heads) / (double)d->panel_count;
    height = fmax(height, smallest);
    for (size_t p = 0; p < d->panel_count; ++p) {
        plot_panel *panel = &d->panels[p];
        top += p > 0 ? head_room(d, panel) + 2.0 * PLOT_GAP : 0.0;
        panel->area.y = top;
        panel->area.height = height;
        panel->y.from = panel->right.from = top + height;
        panel->y.to = panel->right.to = top;
        top += height;
    }
}

void plot_lay_out(cairo_t *cr, plot_drawing *d)
{
    const double smallest = 20.0;
    plot_scale_ticks(&d->x, 5.0); /* whether there is a common factor hardly depends on how many */
    for (size_t p = 0; p < d->panel_count; ++p) {
        choose_y_ticks(&d->panels[p], 125.0);
    }
    stack_panels(d);
    for (size_t p = 0; p < d->panel_count; ++p) {
        choose_y_ticks(&d->panels[p], d->panels[p].area.height);
    }
    double left = PLOT_PAD + side_room(cr, d, SIDE_LEFT);
    double overhang = 0.5 * plot_widest_label(cr, d->theme, d->theme->tick_size, &d->x);
    double right = PLOT_PAD + fmax(overhang, side_room(cr, d, SIDE_RIGHT) + d->beside);
    double width = fmax(d->width - left - right, smallest);
    for (size_t p = 0; p < d->panel_count; ++p) {
        d->panels[p].area.x = left;
        d->panels[p].area.width = width;
    }
    d->x.from = left;
    d->x.to = left + width;
    plot_fit_ticks(cr, d->theme, d->theme->tick_size, &d->x);
}
