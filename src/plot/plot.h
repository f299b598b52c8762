/* What the parts of the plot module share. Lengths on the page are points (1/72 inch), y downwards as in Cairo. */
#ifndef CAROM_PLOT_PLOT_H
#define CAROM_PLOT_PLOT_H

#include <carom/plot.h>

#include <cairo.h>

enum { PLOT_TICKS = 256, PLOT_TICK_LABEL = 48, PLOT_TEXT = 512 };

typedef struct plot_colour {
    double red, green, blue;
} plot_colour;

typedef struct plot_box {
    double x, y, width, height;
} plot_box;

/* ---- plot_text.c: styles and words -------------------------------------------------------------------------------- */

typedef struct plot_theme {
    const char *family;
    double tick_size, label_size, title_size; /* [pt] of letters */
    double line_width, frame_width, grid_width;
    double tick_length; /* [pt] outwards; negative: inwards */
    double marker;      /* [pt] radius */
    bool grid;
    bool frame; /* all four sides; otherwise left and bottom */
    plot_colour ink, soft_ink, grid_ink;
    const plot_colour *palette;
    size_t palette_count;
} plot_theme;

const plot_theme *plot_theme_of(carom_plot_style style);

/* "#rrggbb". */
bool plot_read_colour(const char *text, plot_colour *out);
void plot_set_colour(cairo_t *cr, plot_colour colour, double alpha);

typedef enum plot_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } plot_anchor;

/* Width of a text with raised and lowered parts. */
double plot_text_width(cairo_t *cr, const plot_theme *theme, double size, const char *text);

/* Draws it with its baseline at (x, y), turned by `angle` [rad], in the current colour. */
void plot_text_draw(cairo_t *cr, const plot_theme *theme, double size, const char *text, double x, double y,
                    double angle, plot_anchor anchor);

/* The text if it is no wider than `room`, else what fits of it with an ellipsis, at its end or in its middle. */
const char *plot_text_fit(cairo_t *cr, const plot_theme *theme, double size, const char *text, double room,
                          bool middle, char buffer[PLOT_TEXT]);

/* Height of capital letters and digits. */
double plot_text_height(double size);

/* ---- plot_axes.c: ranges and ticks --------------------------------------------------------------------------------- */

typedef struct plot_tick {
    double at;                   /* in data */
    char label[PLOT_TICK_LABEL]; /* "": a small tick */
} plot_tick;

typedef struct plot_scale {
    bool log;
    double min, max; /* in data */
    double from, to; /* the same on the page */
    int tick_count;
    plot_tick ticks[PLOT_TICKS];
    int exponent;  /* labels are in units of 10^exponent, */
    double offset; /* counted from here */
    bool fixed;    /* exponent and offset are given, not to be chosen */
} plot_scale;

typedef enum plot_side { SIDE_X, SIDE_LEFT, SIDE_RIGHT } plot_side;

/* The axis on a side of a panel. */
const carom_axis *plot_axis_of(const carom_figure *figure, plot_side side, size_t panel);

/* Which numbers of this axis are drawn. */
bool plot_can_show(double value, bool log);

/* The range that is asked for, or that of the data with some room; of y, the data within the range asked for x. */
carom_status plot_scale_range(plot_scale *scale, const carom_figure *figure, plot_side side, size_t panel,
                              carom_error *err);

/* Whether the points go from left to right only. */
bool plot_goes_right(const carom_series *series);

/* About `count` labelled ticks at round numbers, and small ones between decades. */
void plot_scale_ticks(plot_scale *scale, double count);

double plot_scale_page(const plot_scale *scale, double value);
double plot_scale_data(const plot_scale *scale, double page);

/* More room above, as a share of what there is. */
void plot_scale_raise(plot_scale *scale, double share);

/* What labels are to be multiplied by and added to: "" when nothing. */
void plot_scale_factor(const plot_scale *scale, char text[PLOT_TICK_LABEL]);

/* ---- plot_lines.c: what lies in the plot --------------------------------------------------------------------------- */

/* Where ink lies: cells of a few points, so that texts can avoid it. */
typedef struct plot_cover {
    plot_box area;
    int columns, rows;
    unsigned char *cells;
} plot_cover;

bool plot_cover_init(plot_cover *cover, plot_box area);
void plot_cover_free(plot_cover *cover);
void plot_cover_box(plot_cover *cover, plot_box box);
void plot_cover_block(plot_cover *cover, plot_box box); /* worse to hide than a hundred others */
int plot_cover_count(const plot_cover *cover, plot_box box);

typedef struct plot_point {
    double x, y; /* on the page; NaN: a gap */
} plot_point;

void plot_cover_segment(plot_cover *cover, plot_point a, plot_point b);

typedef struct plot_pen {
    plot_colour colour;
    carom_line line;
    carom_marker marker;
    double width;
    double spacing; /* [pt] of markers */
    double phase;   /* [pt] from the start of the line to the first of them */
} plot_pen;

typedef struct plot_points {
    plot_point *points;
    size_t count;
    size_t capacity;
    bool failed; /* no memory */
} plot_points;

/* The points of a series on the page, as few as look the same. */
void plot_thin(plot_points *out, const carom_series *series, const plot_scale *x, const plot_scale *y);

/* Draws the line and markers of a series and notes where they lie. */
bool plot_draw_series(cairo_t *cr, const carom_series *series, const plot_pen *pen, const plot_theme *theme,
                      const plot_scale *x, const plot_scale *y, plot_box area, plot_cover *cover);
void plot_draw_sample(cairo_t *cr, const plot_pen *pen, const plot_theme *theme, double x, double y, double width);

/* The part of a segment within the box (Liang and Barsky); false when there is none. */
bool plot_clip_segment(plot_box box, plot_point *a, plot_point *b);

/* ---- plot_file.c: bytes -------------------------------------------------------------------------------------------- */

/* Letters of the same size and place on every surface. */
void plot_set_plain_fonts(cairo_t *cr);

typedef enum plot_format { PLOT_SVG, PLOT_PDF, PLOT_PNG } plot_format;

typedef bool (*plot_painter)(cairo_t *cr, void *context); /* false: no memory */

/* Whether the ending of the name is one of a format. */
carom_status plot_check_name(const char *file, carom_error *err);

/* Draws on a page of width x height points and writes it to the file. */
carom_status plot_write(const char *file, double width, double height, double dpi, plot_painter draw, void *context,
                        carom_error *err);

#endif
