/* Pictures of a plane through a distance field: colours that part at the surface, contours at round distances, the
 * surface as a bold line, a colour bar. */
#include <carom/sdf.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "plot/plot.h"

static const double DPI = 150.0;

enum { LEAST_WIDTH = 200, MOST_WIDTH = 10000, MOST_PIXELS = 100000000 };

/* A unit of length that makes the labels short. */
typedef struct length_unit {
    const char *name;
    double per_metre;
} length_unit;

static length_unit choose_unit(double size)
{
    static const length_unit units[] = {
        { "km", 1e-3 }, { "m", 1.0 }, { "mm", 1e3 }, { "\xc2\xb5m", 1e6 }, { "nm", 1e9 },
    };
    int i = 0;
    while (i < 4 && size * units[i].per_metre < 2.0) {
        ++i;
    }
    return units[i];
}

typedef struct slice_picture {
    const plot_theme *theme;
    const char *title;
    char subtitle[200];
    carom_sdf_slice slice;
    const double *values; /* [m] */
    length_unit unit;
    double deepest, highest; /* [m] of the values; at most and at least 0 */
    double step;             /* [m] between contours */
    double width, height;    /* [pt] of the page */
    plot_box area, bar;
} slice_picture;

/* ---- values --------------------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, not above x. */
static double round_step(double x)
{
    double power = pow(10.0, floor(log10(x)));
    double lead = x / power;
    return power * (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0);
}

static void survey(slice_picture *p)
{
    const double contours = 10.0; /* on the side that reaches farther, at least */
    size_t count = (size_t)p->slice.columns * (size_t)p->slice.rows;
    for (size_t i = 0; i < count; ++i) {
        p->deepest = fmin(p->deepest, p->values[i]);
        p->highest = fmax(p->highest, p->values[i]);
    }
    double reach = fmax(p->highest, -p->deepest);
    p->step = reach > 0.0 ? round_step(reach / contours * p->unit.per_metre) / p->unit.per_metre : 1.0;
}

/* ---- colours -------------------------------------------------------------------------------------------------------- */

/* Brewer's RdBu, from the surface outwards: reds; inwards: blues. */
static const plot_colour outside_colours[] = {
    { 0.992, 0.930, 0.894 }, { 0.980, 0.820, 0.741 }, { 0.957, 0.647, 0.510 },
    { 0.839, 0.376, 0.302 }, { 0.698, 0.094, 0.169 }, { 0.404, 0.000, 0.122 },
};
static const plot_colour inside_colours[] = {
    { 0.894, 0.941, 0.965 }, { 0.773, 0.871, 0.929 }, { 0.573, 0.773, 0.871 },
    { 0.263, 0.576, 0.765 }, { 0.129, 0.400, 0.675 }, { 0.020, 0.188, 0.380 },
};

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

/* share 0 at the surface, 1 at the value farthest from it on this side. */
static plot_colour colour_at(bool inside, double share)
{
    enum { LAST = sizeof inside_colours / sizeof inside_colours[0] - 1 };
    const plot_colour *colours = inside ? inside_colours : outside_colours;
    double at = fmin(fmax(share, 0.0), 1.0) * 0.85 * LAST; /* the darkest hide the contours */
    int i = at < LAST ? (int)at : LAST - 1;
    return (plot_colour){ mix(colours[i].red, colours[i + 1].red, at - i),
                          mix(colours[i].green, colours[i + 1].green, at - i),
                          mix(colours[i].blue, colours[i + 1].blue, at - i) };
}

static double share_of(const slice_picture *p, double value)
{
    double end = value < 0.0 ? p->deepest : p->highest;
    return end != 0.0 ? value / end : 0.0;
}

static uint32_t pixel(plot_colour c)
{
    uint32_t red = (uint32_t)(255.0 * c.red + 0.5);
    uint32_t green = (uint32_t)(255.0 * c.green + 0.5);
    uint32_t blue = (uint32_t)(255.0 * c.blue + 0.5);
    return red << 16 | green << 8 | blue;
}

/* Rows of the picture go down, rows of the slice up. */
static void fill_image(cairo_surface_t *image, const slice_picture *p)
{
    unsigned char *data = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    int columns = p->slice.columns;
    for (int row = 0; row < p->slice.rows; ++row) {
        uint32_t *out = (uint32_t *)(void *)(data + stride * (size_t)(p->slice.rows - 1 - row));
        const double *values = p->values + (size_t)row * (size_t)columns;
        for (int column = 0; column < columns; ++column) {
            out[column] = pixel(colour_at(values[column] < 0.0, share_of(p, values[column])));
        }
    }
    cairo_surface_mark_dirty(image);
}

static bool draw_colours(cairo_t *cr, const slice_picture *p)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, p->slice.columns, p->slice.rows);
    bool ok = cairo_surface_status(image) == CAIRO_STATUS_SUCCESS;
    if (ok) {
        fill_image(image, p);
        cairo_save(cr);
        cairo_translate(cr, p->area.x, p->area.y);
        cairo_scale(cr, p->area.width / p->slice.columns, p->area.height / p->slice.rows);
        cairo_set_source_surface(cr, image, 0.0, 0.0);
        cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
        cairo_rectangle(cr, 0.0, 0.0, p->slice.columns, p->slice.rows);
        cairo_fill(cr);
        cairo_restore(cr);
    }
    cairo_surface_destroy(image);
    return ok;
}

/* ---- contours: marching squares ------------------------------------------------------------------------------------ */

typedef struct grid_point {
    double x, y; /* [pt] on the page */
    double value;
} grid_point;

static grid_point point_at(const slice_picture *p, int column, int row)
{
    return (grid_point){
        .x = p->area.x + p->area.width * (column + 0.5) / p->slice.columns,
        .y = p->area.y + p->area.height * (p->slice.rows - row - 0.5) / p->slice.rows,
        .value = p->values[(size_t)row * (size_t)p->slice.columns + (size_t)column],
    };
}

/* Where the level crosses the edge a b; false: it does not. */
static bool cross_edge(const grid_point *a, const grid_point *b, double level, double at[2])
{
    if ((a->value < level) == (b->value < level)) {
        return false;
    }
    double t = (level - a->value) / (b->value - a->value);
    at[0] = mix(a->x, b->x, t);
    at[1] = mix(a->y, b->y, t);
    return true;
}

/* Two crossings are joined; of four, those of neighbouring edges, the middle value deciding which. */
static void contour_square(cairo_t *cr, const grid_point corner[4], double level)
{
    double at[4][2];
    bool crossed[4];
    int count = 0;
    for (int e = 0; e < 4; ++e) {
        crossed[e] = cross_edge(&corner[e], &corner[(e + 1) % 4], level, at[e]);
        count += crossed[e];
    }
    if (count == 4) {
        double middle = 0.25 * (corner[0].value + corner[1].value + corner[2].value + corner[3].value);
        int first = (middle < level) == (corner[0].value < level) ? 0 : 3;
        for (int k = 0; k < 4; k += 2) {
            cairo_move_to(cr, at[(first + k) % 4][0], at[(first + k) % 4][1]);
            cairo_line_to(cr, at[(first + k + 1) % 4][0], at[(first + k + 1) % 4][1]);
        }
        return;
    }
    bool begun = false;
    for (int e = 0; e < 4 && count == 2; ++e) {
        if (crossed[e]) {
            (begun ? cairo_line_to : cairo_move_to)(cr, at[e][0], at[e][1]);
            begun = true;
        }
    }
}

static void contour_levels(cairo_t *cr, const slice_picture *p, const grid_point corner[4], bool surface)
{
    double low = fmin(fmin(corner[0].value, corner[1].value), fmin(corner[2].value, corner[3].value));
    double high = fmax(fmax(corner[0].value, corner[1].value), fmax(corner[2].value, corner[3].value));
    if (surface) {
        contour_square(cr, corner, 0.0);
        return;
    }
    for (double n = ceil(low / p->step); n * p->step <= high; n += 1.0) {
        if (n != 0.0) {
            contour_square(cr, corner, n * p->step);
        }
    }
}

static void trace(cairo_t *cr, const slice_picture *p, bool surface)
{
    enum { STRIDE = 2 }; /* pixels: finer than a line is wide */
    for (int row = 0; row + STRIDE < p->slice.rows; row += STRIDE) {
        for (int column = 0; column + STRIDE < p->slice.columns; column += STRIDE) {
            grid_point corner[4] = { point_at(p, column, row), point_at(p, column + STRIDE, row),
                                     point_at(p, column + STRIDE, row + STRIDE), point_at(p, column, row + STRIDE) };
            contour_levels(cr, p, corner, surface);
        }
        cairo_stroke(cr); /* row by row: a short path is drawn faster than a long one */
    }
}

static void draw_contours(cairo_t *cr, const slice_picture *p)
{
    cairo_save(cr);
    cairo_rectangle(cr, p->area.x, p->area.y, p->area.width, p->area.height);
    cairo_clip(cr);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    plot_set_colour(cr, p->theme->ink, 0.45);
    cairo_set_line_width(cr, 0.35);
    trace(cr, p, false);
    plot_set_colour(cr, (plot_colour){ 0.0, 0.0, 0.0 }, 1.0);
    cairo_set_line_width(cr, 1.5);
    trace(cr, p, true);
    cairo_restore(cr);
}

/* ---- axes ----------------------------------------------------------------------------------------------------------- */

static void stroke_box(cairo_t *cr, const slice_picture *p, plot_box box)
{
    plot_set_colour(cr, p->theme->ink, 1.0);
    cairo_set_line_width(cr, p->theme->frame_width);
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    cairo_stroke(cr);
}

static plot_scale axis_scale(const slice_picture *p, int axis, double from, double to, double ticks)
{
    plot_scale scale = { .min = p->slice.low[axis] * p->unit.per_metre,
                         .max = p->slice.high[axis] * p->unit.per_metre,
                         .from = from,
                         .to = to,
                         .fixed = true };
    plot_scale_ticks(&scale, ticks);
    return scale;
}

static void draw_ticks(cairo_t *cr, const slice_picture *p, const plot_scale *scale, bool horizontal)
{
    double size = p->theme->tick_size;
    double length = 3.0;
    double bottom = p->area.y + p->area.height;
    for (int i = 0; i < scale->tick_count; ++i) {
        double at = plot_scale_page(scale, scale->ticks[i].at);
        cairo_move_to(cr, horizontal ? at : p->area.x, horizontal ? bottom : at);
        cairo_line_to(cr, horizontal ? at : p->area.x - length, horizontal ? bottom + length : at);
        cairo_stroke(cr);
        if (horizontal) {
            plot_text_draw(cr, p->theme, size, scale->ticks[i].label, at, bottom + length + 1.25 * size, 0.0,
                           ANCHOR_MIDDLE);
        } else {
            plot_text_draw(cr, p->theme, size, scale->ticks[i].label, p->area.x - length - 2.5,
                           at + 0.5 * plot_text_height(size), 0.0, ANCHOR_END);
        }
    }
}

static void draw_axes(cairo_t *cr, const slice_picture *p)
{
    static const char *const names[3][2] = { { "y", "z" }, { "x", "z" }, { "x", "y" } };
    char label[64];
    double bottom = p->area.y + p->area.height;
    plot_scale x = axis_scale(p, 0, p->area.x, p->area.x + p->area.width, fmax(5.0, p->area.width / 55.0));
    plot_scale y = axis_scale(p, 1, bottom, p->area.y, fmax(5.0, p->area.height / 40.0));
    stroke_box(cr, p, p->area);
    draw_ticks(cr, p, &x, true);
    draw_ticks(cr, p, &y, false);
    snprintf(label, sizeof label, "%s [%s]", names[p->slice.axis][0], p->unit.name);
    plot_text_draw(cr, p->theme, p->theme->label_size, label, p->area.x + 0.5 * p->area.width, bottom + 29.0, 0.0,
                   ANCHOR_MIDDLE);
    snprintf(label, sizeof label, "%s [%s]", names[p->slice.axis][1], p->unit.name);
    plot_text_draw(cr, p->theme, p->theme->label_size, label, p->area.x - 36.0, p->area.y + 0.5 * p->area.height,
                   -0.5 * 3.14159265358979, ANCHOR_MIDDLE);
}

/* ---- the colour bar -------------------------------------------------------------------------------------------------- */

/* Height on the bar: each side of the surface has its share, though never less than a fifth, and is linear in itself. */
static double bar_zero(const slice_picture *p)
{
    double whole = p->highest - p->deepest;
    double share = whole > 0.0 ? -p->deepest / whole : 0.5;
    share = p->deepest == 0.0 ? 0.0 : p->highest == 0.0 ? 1.0 : fmin(fmax(share, 0.2), 0.8);
    return p->bar.y + p->bar.height * (1.0 - share);
}

static double bar_place(const slice_picture *p, double value)
{
    double zero = bar_zero(p);
    double end = value < 0.0 ? p->bar.y + p->bar.height : p->bar.y;
    return mix(zero, end, share_of(p, value));
}

static void fill_bar(cairo_t *cr, const slice_picture *p)
{
    double slice = 72.0 / DPI;
    double zero = bar_zero(p);
    cairo_save(cr);
    cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE); /* else the slices show */
    for (double y = 0.0; y < p->bar.height; y += slice) {
        double at = p->bar.y + y + 0.5 * slice;
        bool inside = at > zero;
        double end = inside ? p->bar.y + p->bar.height : p->bar.y;
        plot_set_colour(cr, colour_at(inside, end != zero ? (at - zero) / (end - zero) : 0.0), 1.0);
        cairo_rectangle(cr, p->bar.x, p->bar.y + y, p->bar.width, fmin(2.0 * slice, p->bar.height - y));
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

/* A contour on the bar; labels that would touch the last one are left out. */
static void draw_level(cairo_t *cr, const slice_picture *p, double level, double *last_label)
{
    char label[48];
    double y = bar_place(p, level);
    double size = p->theme->tick_size;
    plot_set_colour(cr, p->theme->ink, level == 0.0 ? 1.0 : 0.45);
    cairo_set_line_width(cr, level == 0.0 ? 1.5 : 0.35);
    cairo_move_to(cr, p->bar.x, y);
    cairo_line_to(cr, p->bar.x + p->bar.width, y);
    cairo_stroke(cr);
    if (fabs(y - *last_label) >= 1.4 * size) {
        snprintf(label, sizeof label, "%s%.6g", level < 0.0 ? "\xe2\x88\x92" : "", fabs(level) * p->unit.per_metre);
        plot_set_colour(cr, p->theme->ink, 1.0);
        plot_text_draw(cr, p->theme, size, label, p->bar.x + p->bar.width + 4.0, y + 0.5 * plot_text_height(size),
                       0.0, ANCHOR_START);
        *last_label = y;
    }
}

static void draw_bar(cairo_t *cr, const slice_picture *p)
{
    char label[64];
    double first = bar_zero(p);
    fill_bar(cr, p);
    for (int side = -1; side <= 1; side += 2) { /* from the surface outwards and inwards */
        double last_label = HUGE_VAL;
        for (double n = 0.0; n * p->step <= (side > 0 ? p->highest : -p->deepest); n += 1.0) {
            if (side > 0 || n > 0.0) {
                draw_level(cr, p, side * n * p->step, n == 0.0 || last_label < HUGE_VAL ? &last_label : &first);
            }
        }
    }
    stroke_box(cr, p, p->bar);
    snprintf(label, sizeof label, "distance [%s]", p->unit.name);
    plot_text_draw(cr, p->theme, p->theme->label_size, label, p->bar.x + p->bar.width + 44.0,
                   p->bar.y + 0.5 * p->bar.height, -0.5 * 3.14159265358979, ANCHOR_MIDDLE);
}

/* ---- the page ------------------------------------------------------------------------------------------------------- */

/* From the left edge of the slice, or farther left where that leaves too little room. */
static void draw_words(cairo_t *cr, const slice_picture *p, double size, const char *text, double above)
{
    double start = p->width - 6.0 - plot_text_width(cr, p->theme, size, text);
    plot_text_draw(cr, p->theme, size, text, fmax(6.0, fmin(p->area.x, start)), p->area.y - above, 0.0, ANCHOR_START);
}

static void draw_title(cairo_t *cr, const slice_picture *p)
{
    plot_set_colour(cr, p->theme->ink, 1.0);
    draw_words(cr, p, p->theme->title_size, p->title, 20.0);
    plot_set_colour(cr, p->theme->soft_ink, 1.0);
    draw_words(cr, p, p->theme->tick_size, p->subtitle, 7.0);
}

static bool draw_page(cairo_t *cr, void *context)
{
    const slice_picture *p = context;
    if (!draw_colours(cr, p)) {
        return false;
    }
    draw_contours(cr, p);
    draw_axes(cr, p);
    draw_bar(cr, p);
    draw_title(cr, p);
    return true;
}

/* The widest area in the page's width; a tall slice is made no higher than one and a third times that. */
static void lay_out(slice_picture *p, double width)
{
    const double left = 52.0, right = 76.0, top = 36.0, bottom = 40.0;
    double wide = p->slice.high[0] - p->slice.low[0];
    double high = p->slice.high[1] - p->slice.low[1];
    double room = width - left - right;
    double scale = fmin(room / wide, 1.33 * room / high);
    p->width = width;
    p->area = (plot_box){ left + 0.5 * (room - scale * wide), top, scale * wide, scale * high };
    p->height = top + p->area.height + bottom;
    p->bar = (plot_box){ p->area.x + p->area.width + 14.0, top, 12.0, p->area.height };
}

static void describe(slice_picture *p, const carom_sdf *f)
{
    carom_sdf_info info = carom_sdf_about(f);
    double nothing = 1e-4 * info.spacing; /* the middle of a box, but for rounding */
    double at = fabs(p->slice.at) < nothing ? 0.0 : p->slice.at;
    snprintf(p->subtitle, sizeof p->subtitle,
             "%c = %.6g %s; contours every %.6g %s; cells of %.3g %s; blue is inside", "xyz"[p->slice.axis],
             p -> unit.per_metre *at, p->unit.name, p->step * p->unit.per_metre, p->unit.name,
             info.spacing * p->unit.per_metre, p->unit.name);
}

static carom_status check(int axis, double at, int width, carom_error *err)
{
    if (axis < 0 || axis > 2 || !isfinite(at)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a slice needs axis 0, 1 or 2 and a finite place, not axis %d at %g",
                          axis, at);
    }
    if (width < LEAST_WIDTH || width > MOST_WIDTH) {
        return carom_fail(err, CAROM_BAD_INPUT, "the width of a picture must be between %d and %d pixels, not %d",
                          LEAST_WIDTH, MOST_WIDTH, width);
    }
    return CAROM_OK;
}

static carom_status draw_with_values(slice_picture *p, const carom_sdf *f, double *values, const char *file,
                                     carom_error *err)
{
    carom_status status = carom_sdf_slice_values(f, &p->slice, values, err);
    if (status != CAROM_OK) {
        return status;
    }
    p->values = values;
    survey(p);
    describe(p, f);
    return plot_write(file, p->width, p->height, DPI, draw_page, p, err);
}

carom_status carom_sdf_draw_slice(const carom_sdf *f, int axis, double at, int width, const char *title,
                                  const char *file, carom_error *err)
{
    const char *function = "carom_sdf_draw_slice";
    carom_status status = argument_given(function, "f", f, err);
    status = status == CAROM_OK ? argument_text(function, "file", file, err) : status;
    status = status == CAROM_OK ? check(axis, at, width, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    slice_picture p = { .theme = plot_theme_of(CAROM_PLOT_SCREEN), .title = title ? title : "Distance field" };
    p.slice = carom_sdf_slice_of_box(f, axis, at, 2);
    p.unit = choose_unit(fmax(p.slice.high[0] - p.slice.low[0], p.slice.high[1] - p.slice.low[1]));
    lay_out(&p, width * 72.0 / DPI);
    p.slice.columns = (int)fmax(2.0, ceil(p.area.width * DPI / 72.0));
    p.slice.rows = (int)fmax(2.0, ceil(p.area.height * DPI / 72.0));
    size_t count = (size_t)p.slice.columns * (size_t)p.slice.rows;
    double *values = count <= MOST_PIXELS ? malloc(count * sizeof *values) : NULL;
    status = values
                 ? draw_with_values(&p, f, values, file, err)
                 : carom_fail(err, CAROM_NO_MEMORY, "no memory for a picture of %zu pixels; make it smaller", count);
    free(values);
    return status;
}
