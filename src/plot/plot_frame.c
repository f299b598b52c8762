/* Axes of panels: grid, frame, ticks, labels, titles. */
#include "plot/plot_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

void plot_draw_grid(cairo_t *cr, const plot_drawing *d, const plot_panel *panel)
{
    plot_box a = panel->area;
    const plot_scale *y = panel->has_left || !panel->has_right ? &panel->y : &panel->right;
    if (!d->theme->grid && !d->figure->grid) {
        return;
    }
    plot_set_colour(cr, d->theme->grid_ink, 1.0);
    cairo_set_line_width(cr, d->theme->grid_width);
    for (int i = 0; i < d->x.tick_count; ++i) {
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        if (d->x.ticks[i].label[0]) {
            cairo_move_to(cr, x, a.y);
            cairo_line_to(cr, x, a.y + a.height);
        }
    }
    for (int i = 0; i < y->tick_count; ++i) {
        double at = plot_scale_page(y, y->ticks[i].at);
        if (y->ticks[i].label[0]) {
            cairo_move_to(cr, a.x, at);
            cairo_line_to(cr, a.x + a.width, at);
        }
    }
    cairo_stroke(cr);
}

static void draw_frame(cairo_t *cr, const plot_drawing *d, const plot_panel *panel)
{
    plot_box a = panel->area;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_SQUARE);
    if (d->theme->frame) {
        cairo_rectangle(cr, a.x, a.y, a.width, a.height);
    } else {
        cairo_move_to(cr, a.x, a.y);
        cairo_line_to(cr, a.x, a.y + a.height);
        cairo_line_to(cr, a.x + a.width, a.y + a.height);
        if (panel->has_right) {
            cairo_line_to(cr, a.x + a.width, a.y);
        }
    }
    cairo_stroke(cr);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

static double tick_length(const plot_drawing *d, const plot_tick *tick)
{
    return tick->label[0] ? d->theme->tick_length : 0.55 * d->theme->tick_length;
}

static void draw_x_ticks(cairo_t *cr, const plot_drawing *d, plot_box area)
{
    for (int i = 0; i < d->x.tick_count; ++i) {
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        double length = tick_length(d, &d->x.ticks[i]);
        cairo_move_to(cr, x, area.y + area.height);
        cairo_rel_line_to(cr, 0.0, length);
        if (d->theme->frame) {
            cairo_move_to(cr, x, area.y);
            cairo_rel_line_to(cr, 0.0, -length);
        }
    }
}

/* `outwards` is -1 on the left side and 1 on the right one. */
static void draw_y_ticks(cairo_t *cr, const plot_drawing *d, const plot_scale *scale, double x, double outwards)
{
    for (int i = 0; i < scale->tick_count; ++i) {
        cairo_move_to(cr, x, plot_scale_page(scale, scale->ticks[i].at));
        cairo_rel_line_to(cr, outwards * tick_length(d, &scale->ticks[i]), 0.0);
    }
}

/* With a closed frame ticks stand on all sides. */
static void draw_ticks(cairo_t *cr, const plot_drawing *d, const plot_panel *panel)
{
    double right = panel->area.x + panel->area.width;
    draw_x_ticks(cr, d, panel->area);
    draw_y_ticks(cr, d, &panel->y, panel->area.x, -1.0);
    if (panel->has_right) {
        draw_y_ticks(cr, d, &panel->right, right, 1.0);
    } else if (d->theme->frame) {
        draw_y_ticks(cr, d, &panel->y, right, 1.0);
    }
    cairo_stroke(cr);
}

/* ---- labels --------------------------------------------------------------------------------------------------------- */

/* Labels that would run into the one before them are left out (logarithmic axes). */
static void draw_x_labels(cairo_t *cr, const plot_drawing *d, plot_box area)
{
    double size = d->theme->tick_size;
    double y = area.y + area.height + plot_outer_tick(d->theme) + PLOT_GAP + plot_text_height(size);
    double free_from = -HUGE_VAL;
    for (int i = 0; i < d->x.tick_count; ++i) {
        const char *label = d->x.ticks[i].label;
        double x = plot_scale_page(&d->x, d->x.ticks[i].at);
        double half = 0.5 * plot_text_width(cr, d->theme, size, label);
        if (label[0] && x - half > free_from) {
            plot_text_draw(cr, d->theme, size, label, x, y, 0.0, ANCHOR_MIDDLE);
            free_from = x + half + PLOT_GAP;
        }
    }
}

static void draw_y_labels(cairo_t *cr, const plot_drawing *d, const plot_scale *scale, double x, plot_anchor anchor)
{
    double size = d->theme->tick_size;
    double free_below = HUGE_VAL;
    for (int i = 0; i < scale->tick_count; ++i) {
        const char *label = scale->ticks[i].label;
        double y = plot_scale_page(scale, scale->ticks[i].at) + 0.5 * plot_text_height(size);
        if (label[0] && y < free_below) {
            plot_text_draw(cr, d->theme, size, label, x, y, 0.0, anchor);
            free_below = y - 1.15 * size;
        }
    }
}

/* What all labels of an axis are to be multiplied by or added to. */
static void draw_factor(cairo_t *cr, const plot_drawing *d, const plot_scale *scale, double x, double y,
                        plot_anchor anchor)
{
    char text[PLOT_TICK_LABEL];
    plot_scale_factor(scale, text);
    plot_text_draw(cr, d->theme, d->theme->tick_size, text, x, y, 0.0, anchor);
}

/* The only series of a side lends its colour to the axis, so that one sees whose it is. */
static plot_colour axis_colour(const plot_drawing *d, size_t panel, bool right, plot_colour standard)
{
    plot_colour colour = standard;
    size_t count = 0;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        const carom_series *series = &d->figure->series[i];
        if (series->panel == panel && series->right == right) {
            colour = d->pens[i].colour;
            count += 1;
        }
    }
    bool two_axes = d->panels[panel].has_left && d->panels[panel].has_right;
    return count == 1 && two_axes ? colour : standard;
}

static void draw_left(cairo_t *cr, const plot_drawing *d, size_t p)
{
    const plot_panel *panel = &d->panels[p];
    double x = panel->area.x - plot_outer_tick(d->theme) - PLOT_GAP;
    plot_set_colour(cr, axis_colour(d, p, false, d->theme->soft_ink), 1.0);
    draw_y_labels(cr, d, &panel->y, x, ANCHOR_END);
    draw_factor(cr, d, &panel->y, panel->area.x, panel->area.y - PLOT_GAP, ANCHOR_START);
}

static void draw_right(cairo_t *cr, const plot_drawing *d, size_t p)
{
    const plot_panel *panel = &d->panels[p];
    double edge = panel->area.x + panel->area.width;
    if (panel->has_right) {
        plot_set_colour(cr, axis_colour(d, p, true, d->theme->soft_ink), 1.0);
        draw_y_labels(cr, d, &panel->right, edge + plot_outer_tick(d->theme) + PLOT_GAP, ANCHOR_START);
        draw_factor(cr, d, &panel->right, edge, panel->area.y - PLOT_GAP, ANCHOR_END);
    }
}

void plot_draw_axes(cairo_t *cr, const plot_drawing *d, size_t p)
{
    const plot_panel *panel = &d->panels[p];
    plot_set_colour(cr, d->theme->ink, 1.0);
    cairo_set_line_width(cr, d->theme->frame_width);
    draw_frame(cr, d, panel);
    draw_ticks(cr, d, panel);
    draw_left(cr, d, p);
    draw_right(cr, d, p);
    if (p + 1 == d->panel_count) {
        plot_set_colour(cr, d->theme->soft_ink, 1.0);
        draw_x_labels(cr, d, panel->area);
        draw_factor(cr, d, &d->x, panel->area.x + panel->area.width, plot_last_line(d), ANCHOR_END);
    }
}

/* ---- titles --------------------------------------------------------------------------------------------------------- */

/* "[N*m]" with a centred dot; "" where there is no unit. */
static void unit_text(const char *unit, char text[PLOT_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    if (!unit || unit[0] == '\0') {
        return;
    }
    text[used++] = '[';
    for (const char *c = unit; *c && used + 4 < PLOT_TEXT / 2; ++c) {
        used += (size_t)snprintf(text + used, PLOT_TEXT - used, "%s", *c == '*' ? "\xc2\xb7" : (char[]){ *c, '\0' });
    }
    snprintf(text + used, PLOT_TEXT - used, "]");
}

/* "force [N]"; of a long name the end is left out, never the unit. */
static void axis_title(cairo_t *cr, const plot_theme *theme, const carom_axis *axis, double room,
                       char title[2 * PLOT_TEXT])
{
    char unit[PLOT_TEXT];
    char shorter[PLOT_TEXT];
    const char *label = axis->label ? axis->label : "";
    unit_text(axis->unit, unit);
    double unit_room = plot_text_width(cr, theme, theme->label_size, unit) + 0.4 * theme->label_size;
    label = plot_text_fit(cr, theme, theme->label_size, label, fmax(room - unit_room, 0.0), false, shorter);
    snprintf(title, 2 * PLOT_TEXT, "%.500s%s%s", label, label[0] && unit[0] ? " " : "", unit);
}

/* As near to `middle` as half a length from both ends of [low, high] allows. */
static double centred(double middle, double half, double low, double high)
{
    return fmax(fmin(middle, high - half), low + half);
}

/* Beside its panel; longer titles reach above and below it. */
static void draw_y_title(cairo_t *cr, const plot_drawing *d, size_t p, plot_side side)
{
    char title[2 * PLOT_TEXT];
    const plot_theme *theme = d->theme;
    const plot_box area = d->panels[p].area;
    double low = d->panel_count == 1 ? PLOT_PAD : area.y - PLOT_GAP;
    double high = d->panel_count == 1 ? d->height - PLOT_PAD - d->below : area.y + area.height + PLOT_GAP;
    axis_title(cr, theme, plot_axis_of(d->figure, side, p), high - low, title);
    double half = 0.5 * plot_text_width(cr, theme, theme->label_size, title);
    double y = centred(area.y + 0.5 * area.height, half, low, high);
    double x = side == SIDE_LEFT ? PLOT_PAD + plot_text_height(theme->label_size) : d->width - PLOT_PAD - d->beside;
    plot_set_colour(cr, axis_colour(d, p, side == SIDE_RIGHT, theme->ink), 1.0);
    plot_text_draw(cr, theme, theme->label_size, title, x, y, -0.5 * PLOT_PI, ANCHOR_MIDDLE);
}

/* The factor of x stands at the end of the same line. */
static void draw_x_title(cairo_t *cr, const plot_drawing *d)
{
    char title[2 * PLOT_TEXT];
    char factor[PLOT_TICK_LABEL];
    const plot_theme *theme = d->theme;
    const plot_box area = d->panels[0].area;
    plot_scale_factor(&d->x, factor);
    double taken = factor[0] ? plot_text_width(cr, theme, theme->tick_size, factor) + 2.0 * PLOT_GAP : 0.0;
    double high = factor[0] ? area.x + area.width - taken : d->width - PLOT_PAD;
    axis_title(cr, theme, &d->figure->x, high - PLOT_PAD, title);
    double half = 0.5 * plot_text_width(cr, theme, theme->label_size, title);
    plot_set_colour(cr, theme->ink, 1.0);
    plot_text_draw(cr, theme, theme->label_size, title, centred(area.x + 0.5 * area.width, half, PLOT_PAD, high),
                   plot_last_line(d), 0.0, ANCHOR_MIDDLE);
}

static void draw_title(cairo_t *cr, const plot_drawing *d)
{
    char shorter[PLOT_TEXT];
    const plot_theme *theme = d->theme;
    double middle = d->panels[0].area.x + 0.5 * d->panels[0].area.width;
    const char *title = plot_text_fit(cr, theme, theme->title_size, d->figure->title, d->width - 2.0 * PLOT_PAD,
                                      false, shorter);
    double half = 0.5 * plot_text_width(cr, theme, theme->title_size, title);
    plot_set_colour(cr, theme->ink, 1.0);
    plot_text_draw(cr, theme, theme->title_size, title, centred(middle, half, PLOT_PAD, d->width - PLOT_PAD),
                   PLOT_PAD + plot_text_height(theme->title_size), 0.0, ANCHOR_MIDDLE);
}

void plot_draw_titles(cairo_t *cr, const plot_drawing *d)
{
    if (d->figure->title) {
        draw_title(cr, d);
    }
    draw_x_title(cr, d);
    for (size_t p = 0; p < d->panel_count; ++p) {
        draw_y_title(cr, d, p, SIDE_LEFT);
        if (d->panels[p].has_right) {
            draw_y_title(cr, d, p, SIDE_RIGHT);
        }
    }
}
