/* Insets: a part of a panel drawn again, larger, in the emptiest place of the same panel. Everything is measured on the
 * page: the window is a box there, so that series of both axes are magnified together. Labels stand on the sides away
 * from the window, and the lines that join both boxes are outer tangents of the two, or join facing edges. */
#include "plot/plot_drawing.h"

#include <math.h>

static const double SMALLEST = 12.0; /* [pt] of a frame in which anything can be seen */
static const double SMALLER = 0.85;  /* of the panel's letters */
static const double TOLERABLE = 0.0; /* share of an inset that may hide something */

/* ---- the window ----------------------------------------------------------------------------------------------------- */

static bool is_inside_range(const plot_scale *scale, double low, double high)
{
    return low < high && plot_can_show(low, scale->log) && plot_can_show(high, scale->log) && high > scale->min &&
           low < scale->max;
}

carom_status plot_check_insets(const plot_drawing *d, carom_error *err)
{
    for (size_t i = 0; i < d->figure->inset_count; ++i) {
        const carom_inset *inset = &d->figure->insets[i];
        if (inset->panel >= d->panel_count) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "inset %zu of the figure is for panel %zu, but there are only %zu", i + 1,
                              inset->panel + 1, d->panel_count);
        }
        if (!is_inside_range(&d->x, inset->x_min, inset->x_max)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "inset %zu of the figure: %g to %g is no part of the x axis, which goes from %g to %g",
                              i + 1, inset->x_min, inset->x_max, d->x.min, d->x.max);
        }
        const plot_scale *y = &d->panels[inset->panel].y;
        if (inset->y_min != inset->y_max && !is_inside_range(y, inset->y_min, inset->y_max)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "inset %zu of the figure: %g to %g is no part of the y axis, which goes from %g to %g",
                              i + 1, inset->y_min, inset->y_max, y->min, y->max);
        }
    }
    return CAROM_OK;
}

/* Widens [*top, *bottom] by what a series shows in the window, a strip of the panel. */
static void widen_by(const plot_drawing *d, const plot_panel *panel, const carom_series *series, plot_box window,
                     double *top, double *bottom)
{
    const plot_scale *y = series->right ? &panel->right : &panel->y;
    plot_point before = { (double)NAN, (double)NAN };
    for (size_t i = 0; i < series->count; ++i) {
        bool seen = plot_can_show(series->x[i], d->x.log) && plot_can_show(series->y[i], y->log);
        plot_point p = { (double)NAN, (double)NAN };
        if (seen) {
            p = (plot_point){ plot_scale_page(&d->x, series->x[i]), plot_scale_page(y, series->y[i]) };
        }
        plot_point a = isnan(before.x) ? p : before;
        plot_point b = p;
        if (seen && plot_clip_segment(window, &a, &b)) {
            *top = fmin(*top, fmin(a.y, b.y));
            *bottom = fmax(*bottom, fmax(a.y, b.y));
        }
        before = p;
    }
}

/* The part to magnify, on the page. */
static plot_box find_window(const plot_drawing *d, const plot_panel *panel, size_t number, const carom_inset *inset)
{
    plot_box window = panel->area;
    window.x = plot_scale_page(&d->x, inset->x_min);
    window.width = plot_scale_page(&d->x, inset->x_max) - window.x;
    if (inset->y_min != inset->y_max) {
        window.y = plot_scale_page(&panel->y, inset->y_max);
        window.height = plot_scale_page(&panel->y, inset->y_min) - window.y;
        return window;
    }
    double top = HUGE_VAL;
    double bottom = -HUGE_VAL;
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        if (d->figure->series[i].panel == number) {
            widen_by(d, panel, &d->figure->series[i], window, &top, &bottom);
        }
    }
    if (top <= bottom) {
        double room = fmax(0.12 * (bottom - top), 0.01 * panel->area.height);
        window.y = top - room;
        window.height = bottom - top + 2.0 * room;
    }
    return window;
}

/* ---- the place ------------------------------------------------------------------------------------------------------ */

static bool overlap(plot_box a, plot_box b, double margin)
{
    return a.x < b.x + b.width + margin && b.x < a.x + a.width + margin && a.y < b.y + b.height + margin &&
           b.y < a.y + a.height + margin;
}

typedef struct inset_place {
    plot_box box;    /* with labels */
    double hidden;   /* share of its cells that hold ink already */
    double distance; /* [pt] from the window, between equals */
} inset_place;

static double middle_distance(plot_box a, plot_box b)
{
    return hypot(a.x + 0.5 * a.width - b.x - 0.5 * b.width, a.y + 0.5 * a.height - b.y - 0.5 * b.height);
}

/* The emptiest place for a box of this size, never over the window itself. */
static inset_place search_place(const plot_panel *panel, plot_box window, double width, double height)
{
    const double stride = 6.0;
    plot_box area = panel->area;
    inset_place best = { .hidden = HUGE_VAL };
    double right = area.x + area.width - PLOT_GAP - width;
    double bottom = area.y + area.height - PLOT_GAP - height;
    for (double y = area.y + PLOT_GAP; y <= bottom; y += stride) {
        for (double x = area.x + PLOT_GAP; x <= right; x += stride) {
            plot_box box = { x, y, width, height };
            double cells = width * height / 16.0;
            plot_box around = { x - 2.0, y - 2.0, width + 4.0, height + 4.0 };
            double hidden = plot_cover_count(&panel->cover, around) / cells +
                            (overlap(box, window, 3.0 * PLOT_GAP) ? 10.0 : 0.0);
            double distance = middle_distance(box, window);
            if (hidden < best.hidden || (hidden == best.hidden && distance < best.distance)) {
                best = (inset_place){ box, hidden, distance };
            }
        }
    }
    return best;
}

/* As large as is free, smaller where that hides much; of nothing but bad places the least bad. */
static inset_place find_place(const plot_panel *panel, plot_box window)
{
    static const double shares[][2] = { { 0.5, 0.5 },   { 0.45, 0.45 }, { 0.5, 0.36 }, { 0.4, 0.4 },
                                        { 0.45, 0.33 }, { 0.35, 0.35 }, { 0.4, 0.3 },  { 0.3, 0.3 } };
    inset_place best = { .hidden = HUGE_VAL };
    for (size_t k = 0; k < sizeof shares / sizeof shares[0] && best.hidden > TOLERABLE; ++k) {
        inset_place place = search_place(panel, window, shares[k][0] * panel->area.width,
                                         shares[k][1] * panel->area.height);
        best = place.hidden < best.hidden ? place : best;
    }
    return best;
}

/* ---- the picture ---------------------------------------------------------------------------------------------------- */

typedef struct inset_picture {
    plot_box window, outer, frame;
    plot_scale x, y, right;
    bool labels_above, labels_right;
} inset_picture;

/* The part of a panel's scale between two places of the page, drawn between two others; labels as on the panel. */
static plot_scale part_of(const plot_scale *whole, double page_low, double page_high, double from, double to)
{
    plot_scale part = { .log = whole->log,
                        .min = plot_scale_data(whole, page_low),
                        .max = plot_scale_data(whole, page_high),
                        .from = from,
                        .to = to,
                        .fixed = true,
                        .exponent = whole->exponent,
                        .offset = whole->offset };
    return part;
}

static void set_scales(const plot_drawing *d, const plot_panel *panel, inset_picture *p)
{
    plot_box w = p->window;
    plot_box f = p->frame;
    p->x = part_of(&d->x, w.x, w.x + w.width, f.x, f.x + f.width);
    p->y = part_of(&panel->y, w.y + w.height, w.y, f.y + f.height, f.y);
    p->right = part_of(&panel->right, w.y + w.height, w.y, f.y + f.height, f.y);
}

/* The frame is what labels leave of the box. */
static void lay_out_inset(cairo_t *cr, const plot_drawing *d, const plot_panel *panel, inset_picture *p)
{
    double size = SMALLER * d->theme->tick_size;
    double line = plot_text_height(size) + PLOT_GAP;
    p->labels_above = p->window.y > p->outer.y;
    p->labels_right = p->window.x < p->outer.x;
    p->frame = p->outer;
    p->frame.height -= line;
    p->frame.y += p->labels_above ? line : 0.0;
    set_scales(d, panel, p);
    plot_scale_ticks(&p->y, fmax(p->frame.height / (3.0 * size), 2.0));
    plot_fit_ticks(cr, d->theme, size, &p->x);
    double overhang = fmax(PLOT_GAP, 0.5 * plot_widest_label(cr, d->theme, size, &p->x));
    double column = panel->has_left ? plot_widest_label(cr, d->theme, size, &p->y) + PLOT_GAP : PLOT_GAP;
    column = fmax(column, overhang);
    p->frame.width -= column + overhang;
    p->frame.x += p->labels_right ? overhang : column;
    set_scales(d, panel, p);
    plot_scale_ticks(&p->y, fmax(p->frame.height / (3.0 * size), 2.0));
    plot_fit_ticks(cr, d->theme, size, &p->x);
}

static void draw_labels(cairo_t *cr, const plot_drawing *d, const plot_panel *panel, const inset_picture *p)
{
    double size = SMALLER * d->theme->tick_size;
    double half = 0.5 * plot_text_height(size);
    plot_box f = p->frame;
    double y_of_x = p->labels_above ? f.y - 0.75 * PLOT_GAP : f.y + f.height + 0.75 * PLOT_GAP + 2.0 * half;
    double x_of_y = p->labels_right ? f.x + f.width + 0.75 * PLOT_GAP : f.x - 0.75 * PLOT_GAP;
    for (int i = 0; i < p->x.tick_count; ++i) {
        double x = plot_scale_page(&p->x, p->x.ticks[i].at);
        double reach = 0.5 * plot_text_width(cr, d->theme, size, p->x.ticks[i].label);
        if (x - reach > p->outer.x - 1.0 && x + reach < p->outer.x + p->outer.width + 1.0) {
            plot_text_draw(cr, d->theme, size, p->x.ticks[i].label, x, y_of_x, 0.0, ANCHOR_MIDDLE);
        }
    }
    for (int i = 0; i < p->y.tick_count && panel->has_left; ++i) {
        double y = plot_scale_page(&p->y, p->y.ticks[i].at) + half;
        plot_text_draw(cr, d->theme, size, p->y.ticks[i].label, x_of_y, y, 0.0,
                       p->labels_right ? ANCHOR_START : ANCHOR_END);
    }
}

/* Inwards, so that they do not touch the labels. */
static void draw_inset_ticks(cairo_t *cr, const plot_panel *panel, const inset_picture *p)
{
    const double length = 2.0;
    plot_box f = p->frame;
    for (int i = 0; i < p->x.tick_count; ++i) {
        double x = plot_scale_page(&p->x, p->x.ticks[i].at);
        cairo_move_to(cr, x, p->labels_above ? f.y : f.y + f.height);
        cairo_rel_line_to(cr, 0.0, p->labels_above ? length : -length);
    }
    for (int i = 0; i < p->y.tick_count && panel->has_left; ++i) {
        double y = plot_scale_page(&p->y, p->y.ticks[i].at);
        cairo_move_to(cr, p->labels_right ? f.x + f.width : f.x, y);
        cairo_rel_line_to(cr, p->labels_right ? -length : length, 0.0);
    }
    cairo_stroke(cr);
}

static void draw_content(cairo_t *cr, plot_drawing *d, size_t number, const inset_picture *p)
{
    plot_cover unused;
    if (!plot_cover_init(&unused, p->frame)) {
        d->failed = true;
        return;
    }
    for (size_t i = 0; i < d->figure->series_count; ++i) {
        const carom_series *series = &d->figure->series[i];
        if (series->panel == number) {
            bool ok = plot_draw_series(cr, series, &d->pens[i], d->theme, &p->x, series->right ? &p->right : &p->y,
                                       p->frame, &unused);
            d->failed = d->failed || !ok;
        }
    }
    plot_cover_free(&unused);
}

/* ---- the lines between both boxes ----------------------------------------------------------------------------------- */

static plot_point corner(plot_box box, bool right, bool bottom)
{
    return (plot_point){ box.x + (right ? box.width : 0.0), box.y + (bottom ? box.height : 0.0) };
}

static void join(cairo_t *cr, plot_cover *cover, plot_point a, plot_point b)
{
    cairo_move_to(cr, a.x, a.y);
    cairo_line_to(cr, b.x, b.y);
    plot_cover_segment(cover, a, b);
}

/* Side by side or above each other: facing edges. Otherwise the outer tangents, which join like corners. */
static void join_boxes(cairo_t *cr, plot_cover *cover, plot_box window, plot_box frame)
{
    bool left_of = window.x + window.width <= frame.x;
    bool right_of = frame.x + frame.width <= window.x;
    bool above = window.y + window.height <= frame.y;
    bool below = frame.y + frame.height <= window.y;
    if ((left_of || right_of) && (above || below)) {
        bool falling = left_of == above; /* from the upper left to the lower right */
        join(cr, cover, corner(window, falling, false), corner(frame, falling, false));
        join(cr, cover, corner(window, !falling, true), corner(frame, !falling, true));
    } else if (above || below) {
        join(cr, cover, corner(window, false, above), corner(frame, false, below));
        join(cr, cover, corner(window, true, above), corner(frame, true, below));
    } else if (left_of || right_of) {
        join(cr, cover, corner(window, left_of, false), corner(frame, right_of, false));
        join(cr, cover, corner(window, left_of, true), corner(frame, right_of, true));
    }
    cairo_stroke(cr);
}

static void outline(cairo_t *cr, plot_box box)
{
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    cairo_stroke(cr);
}

/* What is seen of the window. */
static plot_box seen_part(plot_box window, plot_box area)
{
    double left = fmax(window.x, area.x);
    double top = fmax(window.y, area.y);
    double right = fmin(window.x + window.width, area.x + area.width);
    double bottom = fmin(window.y + window.height, area.y + area.height);
    return (plot_box){ left, top, fmax(right - left, 0.0), fmax(bottom - top, 0.0) };
}

static void draw_inset(cairo_t *cr, plot_drawing *d, size_t number, const inset_picture *p)
{
    plot_panel *panel = &d->panels[number];
    plot_box seen = seen_part(p->window, panel->area);
    plot_set_colour(cr, d->theme->soft_ink, 1.0);
    cairo_set_line_width(cr, 0.5);
    outline(cr, seen);
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_rectangle(cr, p->outer.x, p->outer.y, p->outer.width, p->outer.height);
    cairo_fill(cr);
    plot_set_colour(cr, d->theme->soft_ink, 0.8);
    cairo_set_line_width(cr, 0.4);
    join_boxes(cr, &panel->cover, seen, p->frame);
    draw_content(cr, d, number, p);
    plot_set_colour(cr, d->theme->ink, 1.0);
    cairo_set_line_width(cr, d->theme->frame_width);
    outline(cr, p->frame);
    draw_inset_ticks(cr, panel, p);
    plot_set_colour(cr, d->theme->soft_ink, 1.0);
    draw_labels(cr, d, panel, p);
    plot_cover_block(&panel->cover, p->outer);
    plot_cover_block(&panel->cover, seen);
}

void plot_draw_insets(cairo_t *cr, plot_drawing *d, size_t number)
{
    plot_panel *panel = &d->panels[number];
    for (size_t i = 0; i < d->figure->inset_count; ++i) {
        const carom_inset *inset = &d->figure->insets[i];
        if (inset->panel == number) {
            inset_picture p = { .window = find_window(d, panel, number, inset) };
            inset_place place = find_place(panel, seen_part(p.window, panel->area));
            panel->crowded = panel->crowded || place.hidden > TOLERABLE;
            p.outer = place.box;
            lay_out_inset(cr, d, panel, &p);
            if (p.frame.width > SMALLEST && p.frame.height > SMALLEST) {
                draw_inset(cr, d, number, &p);
            } else {
                d->lost_inset = i + 1;
            }
        }
    }
}
