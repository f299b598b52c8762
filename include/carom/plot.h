/* Line plots for papers and screens: SVG, PDF or PNG. A struct of zeros is a plain plot; fill in what should differ.
 *
 *     carom_series series[] = {
 *         { .x = t, .y = height, .count = n, .label = "computed" },
 *         { .x = t_paper, .y = h_paper, .count = m, .label = "paper", .line = CAROM_LINE_NONE,
 *           .marker = CAROM_MARKER_CIRCLE },
 *     };
 *     carom_figure figure = {
 *         .title = "Bouncing ball", .x = { .label = "time", .unit = "s" }, .y = { .label = "height", .unit = "m" },
 *         .series = series, .series_count = 2,
 *     };
 *     carom_figure_write(&figure, "ball.svg", &err);
 *
 * Texts are UTF-8. "^2", "^-1" and "^{...}" raise, "_{...}" lowers; '*' in units is a centred dot. What is too long for
 * its place is shortened with an ellipsis. The same figure gives the same bytes: no dates, no random names.
 *
 * What may be NULL: texts, and lists whose count is 0. Threads: a figure is the caller's; several may be written at once,
 * to different files. */
#ifndef CAROM_PLOT_H
#define CAROM_PLOT_H

#include <carom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_line {
    CAROM_LINE_SOLID,
    CAROM_LINE_DASHED,
    CAROM_LINE_DOTTED,
    CAROM_LINE_DASH_DOT,
    CAROM_LINE_LONG_DASHED,
    CAROM_LINE_DASH_DOT_DOT,
    CAROM_LINE_NONE /* markers only */
} carom_line;

typedef enum carom_marker {
    CAROM_MARKER_NONE,
    CAROM_MARKER_CIRCLE,
    CAROM_MARKER_SQUARE,
    CAROM_MARKER_TRIANGLE,
    CAROM_MARKER_DIAMOND,
    CAROM_MARKER_PLUS,
    CAROM_MARKER_CROSS,
    CAROM_MARKER_DOT
} carom_marker;

/* Points in the order they are joined. A gap is where a number is not finite, beyond 1e300, or not positive on a
 * logarithmic axis; a point between two gaps is a dot. Millions of points are fine: what cannot be told apart on paper
 * is left out, extremes stay. */
typedef struct carom_series {
    const double *x;
    const double *y;
    size_t count;
    const char *label; /* in the legend; NULL: not there */
    carom_line line;
    carom_marker marker;
    const char *colour; /* "#rrggbb"; NULL: by hue */
    double width;       /* [pt] of the line; 0: the style's */
    unsigned hue; /* which colour of the style, from 1; 0: the next. Where they repeat, solid lines get dashes */
    double marker_spacing; /* [pt] between markers at least; 0: one at every point */
    size_t panel;          /* from the top, counted from 0 */
    bool right;            /* measured on the right axis of the panel */
} carom_series;

typedef struct carom_axis {
    const char *label;
    const char *unit; /* shown as "label [unit]" */
    bool log;
    double min, max; /* equal: from the data */
} carom_axis;

/* A reference: a line across the plot, or a band. */
typedef struct carom_mark {
    bool horizontal;
    double at;
    double extent;    /* a band from at to at + extent; 0: a line */
    const char *text; /* beside it; NULL: none */
    const char *colour;
    size_t panel; /* of a horizontal mark, on its left axis; others cross all panels */
} carom_mark;

/* One of several plots above each other that share the x axis. */
typedef struct carom_panel {
    carom_axis y;
    carom_axis right; /* of the series that ask for it */
} carom_panel;

/* A magnified part of a panel, drawn in its emptiest place and joined to the frame around the part by lines. */
typedef struct carom_inset {
    size_t panel;
    double x_min, x_max;
    double y_min, y_max; /* on the left axis; equal: from the data */
} carom_inset;

typedef enum carom_plot_style { CAROM_PLOT_SCREEN, CAROM_PLOT_PAPER } carom_plot_style;

typedef enum carom_legend {
    CAROM_LEGEND_AUTO, /* where it hides least, beside the plot if it would hide much anywhere */
    CAROM_LEGEND_OUTSIDE,
    CAROM_LEGEND_NONE
} carom_legend;

typedef struct carom_figure {
    double width;  /* [mm]; 0: 150 */
    double height; /* [mm]; 0: 19/30 of the width, more for panels and a large legend */
    double dpi;    /* of PNG; 0: 200 */
    const char *title;
    carom_axis x, y;
    const carom_series *series;
    size_t series_count;
    const carom_mark *marks;
    size_t mark_count;
    carom_plot_style style; /* paper: serifs, thin lines, black frame, no grid */
    carom_legend legend;
    bool grid;                 /* also where the style has none */
    carom_axis right;          /* of the series that ask for it */
    const carom_panel *panels; /* their axes replace y and right */
    size_t panel_count;        /* 0: a single plot of y and right */
    const carom_inset *insets;
    size_t inset_count;
} carom_figure;

/* Writes the figure; the ending of the file's name chooses the format: .svg, .pdf or .png. The file appears whole or
 * not at all. */
CAROM_API carom_status carom_figure_write(const carom_figure *figure, const char *file, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
