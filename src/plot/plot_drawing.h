/* A figure while it is drawn: shared by the files that lay it out and draw its parts. */
#ifndef CAROM_PLOT_PLOT_DRAWING_H
#define CAROM_PLOT_PLOT_DRAWING_H

#include "plot/plot.h"

#define PLOT_PI 3.14159265358979323846
#define PLOT_PAD 6.0 /* [pt] at the rim of the page */
#define PLOT_GAP 4.0 /* [pt] between texts and what they belong to */

typedef struct plot_panel {
    plot_box area;
    plot_scale y;
    plot_scale right;
    bool has_left, has_right; /* series on that side */
    bool crowded;             /* an inset has no free place */
    plot_cover cover;
    plot_box legend; /* its size; its place once it is found */
} plot_panel;

typedef enum plot_legend_place { LEGEND_NOWHERE, LEGEND_INSIDE, LEGEND_BESIDE, LEGEND_BELOW } plot_legend_place;

typedef struct plot_drawing {
    const carom_figure *figure;
    const plot_theme *theme;
    double width, height; /* [pt] of the page */
    plot_scale x;
    plot_panel *panels; /* from the top */
    size_t panel_count;
    plot_pen *pens; /* series_count */
    plot_legend_place place;
    size_t legend_columns; /* of a legend below */
    size_t legend_shown;   /* entries of a legend below that have room */
    double entry_width;    /* [pt] of a column of the legend */
    double beside, below;  /* [pt] that a legend takes outside the plots */
    size_t lost_inset;     /* one that has no room, counted from 1 */
    bool failed;           /* no memory */
} plot_drawing;

/* ---- plot_layout.c: room -------------------------------------------------------------------------------------------- */

/* Where the panels lie, with the room that d->beside and d->below ask for; ticks that fit. */
void plot_lay_out(cairo_t *cr, plot_drawing *d);

/* [pt] that a tick reaches outwards. */
double plot_outer_tick(const plot_theme *theme);

/* As many ticks along a horizontal scale as have room for labels of this size beside each other. */
void plot_fit_ticks(cairo_t *cr, const plot_theme *theme, double size, plot_scale *scale);

double plot_widest_label(cairo_t *cr, const plot_theme *theme, double size, const plot_scale *scale);

/* The baseline of the title of x. */
double plot_last_line(const plot_drawing *d);

/* ---- plot_frame.c: axes ---------------------------------------------------------------------------------------------- */

void plot_draw_grid(cairo_t *cr, const plot_drawing *d, const plot_panel *panel);
void plot_draw_axes(cairo_t *cr, const plot_drawing *d, size_t panel);
void plot_draw_titles(cairo_t *cr, const plot_drawing *d);

/* ---- plot_marks.c ----------------------------------------------------------------------------------------------------- */

/* Marks of a panel that are bands, or that are lines. */
void plot_draw_marks(cairo_t *cr, plot_drawing *d, size_t panel, bool bands);
void plot_draw_mark_texts(cairo_t *cr, plot_drawing *d, size_t panel);

/* ---- plot_inset.c ----------------------------------------------------------------------------------------------------- */

carom_status plot_check_insets(const plot_drawing *d, carom_error *err);
void plot_draw_insets(cairo_t *cr, plot_drawing *d, size_t panel);

/* ---- plot_legend.c ---------------------------------------------------------------------------------------------------- */

/* The sizes of the legends. */
void plot_measure_legends(cairo_t *cr, plot_drawing *d);

/* Entries of a panel's legend, of all panels for SIZE_MAX. */
size_t plot_legend_entries(const plot_drawing *d, size_t panel);

/* Finds the places of legends inside, after everything else is drawn; false when one would hide too much. */
bool plot_place_legends(plot_drawing *d);

/* Takes the room for legends outside: d->beside or d->below. */
void plot_legend_outside(plot_drawing *d);
void plot_draw_legends(cairo_t *cr, plot_drawing *d);

/* [pt] that a legend of all entries takes under the plots. */
double plot_legend_height_below(const plot_drawing *d);

#endif
