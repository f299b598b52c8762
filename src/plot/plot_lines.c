/* The lines and markers of series, thinned to what can be seen.
 *
 * A run of points that stay within one narrow column of the page is replaced by its first, lowest, highest and last
 * point, in their order: every extreme stays, and so does every corner that could be told apart. Lines are clipped by
 * calculation, because Cairo's coordinates end at 2^23. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const double COLUMN = 0.2; /* [pt] 360 per inch */
static const double CELL = 4.0;   /* [pt] of a cover */

/* ---- where ink lies ----------------------------------------------------------------------------------------------- */

bool plot_cover_init(plot_cover *cover, plot_box area)
{
    *cover = (plot_cover){ .area = area };
    cover->columns = (int)ceil(area.width / CELL);
    cover->rows = (int)ceil(area.height / CELL);
    cover->cells = calloc((size_t)cover->columns * (size_t)cover->rows + 1, 1);
    return cover->cells != NULL;
}

void plot_cover_free(plot_cover *cover)
{
    free(cover->cells);
    *cover = (plot_cover){ 0 };
}

/* Cells that a box touches: [low, high). */
typedef struct cell_range {
    int left, right, top, bottom;
} cell_range;

static int clamped(double value, int high)
{
    return value <= 0.0 ? 0 : value >= high ? high : (int)value;
}

static cell_range cells_of(const plot_cover *cover, plot_box box)
{
    double x = (box.x - cover->area.x) / CELL;
    double y = (box.y - cover->area.y) / CELL;
    return (cell_range){ .left = clamped(floor(x), cover->columns),
                         .right = clamped(ceil(x + box.width / CELL), cover->columns),
                         .top = clamped(floor(y), cover->rows),
                         .bottom = clamped(ceil(y + box.height / CELL), cover->rows) };
}

static void fill_cells(plot_cover *cover, plot_box box, unsigned char weight)
{
    cell_range r = cells_of(cover, box);
    for (int row = r.top; row < r.bottom && r.right > r.left; ++row) {
        memset(cover->cells + row * cover->columns + r.left, weight, (size_t)(r.right - r.left));
    }
}

void plot_cover_box(plot_cover *cover, plot_box box)
{
    fill_cells(cover, box, 1);
}

void plot_cover_block(plot_cover *cover, plot_box box)
{
    fill_cells(cover, box, 100);
}

int plot_cover_count(const plot_cover *cover, plot_box box)
{
    cell_range r = cells_of(cover, box);
    int count = 0;
    for (int row = r.top; row < r.bottom; ++row) {
        for (int column = r.left; column < r.right; ++column) {
            count += cover->cells[row * cover->columns + column];
        }
    }
    return count;
}

static void cover_point(plot_cover *cover, plot_point p)
{
    double x = (p.x - cover->area.x) / CELL;
    double y = (p.y - cover->area.y) / CELL;
    if (x >= 0.0 && x < cover->columns && y >= 0.0 && y < cover->rows) {
        cover->cells[(int)y * cover->columns + (int)x] = 1;
    }
}

void plot_cover_segment(plot_cover *cover, plot_point a, plot_point b)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    int steps = (int)(length / (0.5 * CELL)) + 1;
    for (int i = 0; i <= steps; ++i) {
        double s = (double)i / steps;
        cover_point(cover, (plot_point){ a.x + s * (b.x - a.x), a.y + s * (b.y - a.y) });
    }
}

/* ---- thinning ----------------------------------------------------------------------------------------------------- */

static void add_point(plot_points *list, plot_point p)
{
    if (!CAROM_ARRAY_RESERVE(list->points, list->capacity, list->count + 1)) {
        list->failed = true;
        return;
    }
    list->points[list->count++] = p;
}

/* A run of points in one column. */
typedef struct column_run {
    bool open;
    double column;
    size_t lowest, highest, last; /* counted from the run's first point */
    plot_point first_point, lowest_point, highest_point, last_point;
} column_run;

static void begin_run(column_run *run, double column, plot_point p)
{
    *run = (column_run){
        .open = true, .column = column, .first_point = p, .lowest_point = p, .highest_point = p, .last_point = p
    };
}

static void extend_run(column_run *run, plot_point p)
{
    run->last += 1;
    run->last_point = p;
    if (p.y < run->lowest_point.y) {
        run->lowest = run->last;
        run->lowest_point = p;
    }
    if (p.y > run->highest_point.y) {
        run->highest = run->last;
        run->highest_point = p;
    }
}

static void end_run(plot_points *out, column_run *run)
{
    if (!run->open) {
        return;
    }
    bool low_first = run->lowest < run->highest;
    size_t middle[2] = { low_first ? run->lowest : run->highest, low_first ? run->highest : run->lowest };
    plot_point points[2] = { low_first ? run->lowest_point : run->highest_point,
                             low_first ? run->highest_point : run->lowest_point };
    add_point(out, run->first_point);
    for (int i = 0; i < 2; ++i) {
        if (middle[i] != 0 && middle[i] != run->last) {
            add_point(out, points[i]);
        }
    }
    if (run->last != 0) {
        add_point(out, run->last_point);
    }
    run->open = false;
}

void plot_thin(plot_points *out, const carom_series *series, const plot_scale *x, const plot_scale *y)
{
    const plot_point gap = { (double)NAN, (double)NAN };
    column_run run = { 0 };
    for (size_t i = 0; i < series->count; ++i) {
        if (!plot_can_show(series->x[i], x->log) || !plot_can_show(series->y[i], y->log)) {
            bool was_open = run.open;
            end_run(out, &run);
            if (was_open) {
                add_point(out, gap);
            }
            continue;
        }
        plot_point p = { plot_scale_page(x, series->x[i]), plot_scale_page(y, series->y[i]) };
        double column = floor(p.x / COLUMN);
        if (run.open && column == run.column) {
            extend_run(&run, p);
        } else {
            end_run(out, &run);
            begin_run(&run, column, p);
        }
    }
    end_run(out, &run);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

/* Narrows [*enter, *leave] to where a + s d lies in [low, high]. */
static void clip_interval(double a, double d, double low, double high, double *enter, double *leave)
{
    if (d == 0.0) {
        *leave = a < low || a > high ? -1.0 : *leave;
        return;
    }
    double s = (low - a) / d;
    double t = (high - a) / d;
    *enter = fmax(*enter, fmin(s, t));
    *leave = fmin(*leave, fmax(s, t));
}

bool plot_clip_segment(plot_box box, plot_point *a, plot_point *b)
{
    double enter = 0.0;
    double leave = 1.0;
    plot_point d = { b->x - a->x, b->y - a->y };
    clip_interval(a->x, d.x, box.x, box.x + box.width, &enter, &leave);
    clip_interval(a->y, d.y, box.y, box.y + box.height, &enter, &leave);
    if (!(enter <= leave)) {
        return false;
    }
    plot_point from = *a;
    *a = (plot_point){ from.x + enter * d.x, from.y + enter * d.y };
    *b = leave < 1.0 ? (plot_point){ from.x + leave * d.x, from.y + leave * d.y } : *b;
    return true;
}

static bool is_gap(plot_point p)
{
    return isnan(p.x);
}

/* Dashes and gaps in units of the line's width; a dash of almost nothing with round ends is a dot. */
typedef struct dash_pattern {
    int count;
    double lengths[6];
} dash_pattern;

static const dash_pattern dash_patterns[] = {
    [CAROM_LINE_SOLID] = { 0 },
    [CAROM_LINE_DASHED] = { 2, { 5.0, 2.5 } },
    [CAROM_LINE_DOTTED] = { 2, { 0.1, 2.2 } },
    [CAROM_LINE_DASH_DOT] = { 4, { 6.0, 2.2, 0.1, 2.2 } },
    [CAROM_LINE_LONG_DASHED] = { 2, { 11.0, 3.0 } },
    [CAROM_LINE_DASH_DOT_DOT] = { 6, { 6.0, 2.2, 0.1, 2.2, 0.1, 2.2 } },
    [CAROM_LINE_NONE] = { 0 },
};

static void set_dash(cairo_t *cr, carom_line line, double width)
{
    double unit = fmax(width, 0.7);
    double dashes[6];
    dash_pattern pattern = dash_patterns[line];
    bool dots = false;
    for (int i = 0; i < pattern.count; ++i) {
        dashes[i] = unit * pattern.lengths[i];
        dots = dots || pattern.lengths[i] < 1.0;
    }
    cairo_set_line_cap(cr, dots ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cr, dashes, pattern.count, 0.0);
}

static void set_pen(cairo_t *cr, const plot_pen *pen)
{
    plot_set_colour(cr, pen->colour, 1.0);
    cairo_set_line_width(cr, pen->width);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    set_dash(cr, pen->line, pen->width);
}

/* Joins the points. What lies far outside is cut off a little outside the area, where it is not seen. */
static void trace_line(cairo_t *cr, const plot_points *list, plot_box area, plot_cover *cover)
{
    const double beyond = 30.0;
    plot_box box = { area.x - beyond, area.y - beyond, area.width + 2.0 * beyond, area.height + 2.0 * beyond };
    plot_point pen = { (double)NAN, (double)NAN };
    for (size_t i = 1; i < list->count; ++i) {
        plot_point a = list->points[i - 1];
        plot_point b = list->points[i];
        if (is_gap(a) || is_gap(b) || !plot_clip_segment(box, &a, &b)) {
            continue;
        }
        if (!(pen.x == a.x && pen.y == a.y)) {
            cairo_move_to(cr, a.x, a.y);
        }
        cairo_line_to(cr, b.x, b.y);
        plot_cover_segment(cover, a, b);
        pen = b;
    }
}

/* Points between two gaps, which no line would show. */
static void draw_lone_points(cairo_t *cr, const plot_points *list, const plot_pen *pen, plot_cover *cover)
{
    for (size_t i = 0; i < list->count; ++i) {
        plot_point p = list->points[i];
        bool alone = !is_gap(p) && (i == 0 || is_gap(list->points[i - 1])) &&
                     (i + 1 == list->count || is_gap(list->points[i + 1]));
        if (alone && fabs(p.x) < 1e5 && fabs(p.y) < 1e5) {
            cairo_arc(cr, p.x, p.y, fmax(pen->width, 1.0), 0.0, 6.283185307179586);
            cairo_fill(cr);
            cover_point(cover, p);
        }
    }
}

/* ---- markers ------------------------------------------------------------------------------------------------------ */

static void trace_corners(cairo_t *cr, plot_point p, const double (*corners)[2], int count, double radius)
{
    for (int i = 0; i < count; ++i) {
        cairo_line_to(cr, p.x + radius * corners[i][0], p.y + radius * corners[i][1]);
    }
    cairo_close_path(cr);
}

static void trace_strokes(cairo_t *cr, plot_point p, double x, double y)
{
    cairo_move_to(cr, p.x - x, p.y - y);
    cairo_line_to(cr, p.x + x, p.y + y);
    cairo_move_to(cr, p.x - y, p.y + x);
    cairo_line_to(cr, p.x + y, p.y - x);
}

static void trace_marker(cairo_t *cr, carom_marker marker, plot_point p, double radius)
{
    static const double square[][2] = { { -0.88, -0.88 }, { 0.88, -0.88 }, { 0.88, 0.88 }, { -0.88, 0.88 } };
    static const double triangle[][2] = { { 0.0, -1.2 }, { 1.04, 0.7 }, { -1.04, 0.7 } };
    static const double diamond[][2] = { { 0.0, -1.25 }, { 1.25, 0.0 }, { 0.0, 1.25 }, { -1.25, 0.0 } };
    cairo_new_sub_path(cr);
    switch (marker) {
    case CAROM_MARKER_SQUARE:
        trace_corners(cr, p, square, 4, radius);
        break;
    case CAROM_MARKER_TRIANGLE:
        trace_corners(cr, p, triangle, 3, radius);
        break;
    case CAROM_MARKER_DIAMOND:
        trace_corners(cr, p, diamond, 4, radius);
        break;
    case CAROM_MARKER_PLUS:
        trace_strokes(cr, p, 1.2 * radius, 0.0);
        break;
    case CAROM_MARKER_CROSS:
        trace_strokes(cr, p, 0.9 * radius, 0.9 * radius);
        break;
    default:
        cairo_arc(cr, p.x, p.y, marker == CAROM_MARKER_DOT ? 0.5 * radius : radius, 0.0, 6.283185307179586);
        break;
    }
}

/* Open markers are white inside, so that each is seen where many meet. */
static void draw_marker(cairo_t *cr, const plot_pen *pen, const plot_theme *theme, plot_point p)
{
    bool strokes = pen->marker == CAROM_MARKER_PLUS || pen->marker == CAROM_MARKER_CROSS;
    trace_marker(cr, pen->marker, p, theme->marker);
    if (!strokes) {
        bool dot = pen->marker == CAROM_MARKER_DOT;
        plot_set_colour(cr, dot ? pen->colour : (plot_colour){ 1.0, 1.0, 1.0 }, 1.0);
        cairo_fill_preserve(cr);
    }
    plot_set_colour(cr, pen->colour, 1.0);
    cairo_set_line_width(cr, fmin(pen->width, 1.0));
    cairo_set_dash(cr, NULL, 0, 0.0);
    cairo_stroke(cr);
}

/* Whether a marker keeps the distance from the one before. Along a curve that goes from left to right only that way
 * counts: jagged ones would be full of markers. */
static bool keeps_distance(double spacing, bool goes_right, plot_point last, plot_point p)
{
    return spacing <= 0.0 || (goes_right ? p.x - last.x : hypot(p.x - last.x, p.y - last.y)) >= spacing;
}

/* One marker per half point at most: a million in the same place are one. */
static bool draw_markers(cairo_t *cr, const carom_series *series, const plot_pen *pen, const plot_theme *theme,
                         const plot_scale *x, const plot_scale *y, plot_box area, plot_cover *cover)
{
    const double side = 0.5;
    size_t columns = (size_t)(area.width / side) + 2;
    size_t rows = (size_t)(area.height / side) + 2;
    unsigned char *taken = calloc(columns * rows, 1);
    bool goes_right = pen->spacing > 0.0 && plot_goes_right(series);
    plot_point last = { 0.0, 0.0 };
    double wait = -1.0; /* [pt] until the next marker; none before the first point is known */
    for (size_t i = 0; taken && i < series->count; ++i) {
        if (!plot_can_show(series->x[i], x->log) || !plot_can_show(series->y[i], y->log)) {
            continue;
        }
        plot_point p = { plot_scale_page(x, series->x[i]), plot_scale_page(y, series->y[i]) };
        double column = (p.x - area.x) / side + 0.5;
        double row = (p.y - area.y) / side + 0.5;
        if (!(column >= 0.0 && column < (double)columns && row >= 0.0 && row < (double)rows)) {
            continue;
        }
        unsigned char *cell = &taken[(size_t)row * columns + (size_t)column];
        last = wait < 0.0 ? p : last;
        wait = wait < 0.0 ? pen->phase : wait;
        if (!*cell && keeps_distance(wait, goes_right, last, p)) {
            *cell = 1;
            last = p;
            wait = pen->spacing;
            draw_marker(cr, pen, theme, p);
            plot_cover_box(cover, (plot_box){ p.x - theme->marker, p.y - theme->marker, 2.0 * theme->marker,
                                              2.0 * theme->marker });
        }
    }
    bool ok = taken != NULL;
    free(taken);
    return ok;
}

static bool draw_line(cairo_t *cr, const carom_series *series, const plot_pen *pen, const plot_scale *x,
                      const plot_scale *y, plot_box area, plot_cover *cover)
{
    plot_points list = { 0 };
    plot_thin(&list, series, x, y);
    cairo_save(cr);
    cairo_rectangle(cr, area.x, area.y, area.width, area.height);
    cairo_clip(cr);
    cairo_new_path(cr);
    set_pen(cr, pen);
    trace_line(cr, &list, area, cover);
    cairo_stroke(cr);
    draw_lone_points(cr, &list, pen, cover);
    cairo_restore(cr);
    free(list.points);
    return !list.failed;
}

bool plot_draw_series(cairo_t *cr, const carom_series *series, const plot_pen *pen, const plot_theme *theme,
                      const plot_scale *x, const plot_scale *y, plot_box area, plot_cover *cover)
{
    bool ok = true;
    if (pen->line != CAROM_LINE_NONE) {
        ok = draw_line(cr, series, pen, x, y, area, cover);
    }
    if (pen->marker != CAROM_MARKER_NONE) {
        ok = draw_markers(cr, series, pen, theme, x, y, area, cover) && ok;
    }
    return ok;
}

void plot_draw_sample(cairo_t *cr, const plot_pen *pen, const plot_theme *theme, double x, double y, double width)
{
    if (pen->line != CAROM_LINE_NONE) {
        cairo_new_path(cr);
        set_pen(cr, pen);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        cairo_stroke(cr);
    }
    if (pen->marker != CAROM_MARKER_NONE) {
        draw_marker(cr, pen, theme, (plot_point){ x + 0.5 * width, y });
    }
}
