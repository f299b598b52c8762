/* Paper 2: what its items share. */
#ifndef CAROM_APP_PAPER_2_H
#define CAROM_APP_PAPER_2_H

#include "paper.h"

/* A force over time, one number per step: the impulse of each step over its length. */
typedef struct force_curve {
    double h; /* [s] */
    size_t count;
    double *force; /* [N] */
} force_curve;

/* A time in which the force never vanishes. */
typedef struct sub_impact {
    double start, end; /* [s] */
    double peak;       /* [N] mean over the window asked for */
    double at;         /* [s] of the peak */
    double impulse;    /* [N s] */
} sub_impact;

/* Compiles a scene with settings under a name: destroy the model. */
int compile_case(paper_report *r, const char *scene, const char *name, const settings *s, carom_model **model);

/* Runs a scene with settings under a name. Close the result. */
int run_case(paper_report *r, const char *scene, const char *name, const settings *s, carom_result **result,
             carom_run_report *how);

/* The curve of a signal that is recorded at every step; the first frame is of half a step. Free it. */
int take_curve(const carom_result *result, const char *signal, force_curve *out);
void free_curve(force_curve *c);

/* Sub-impacts in their order; returns how many were found, at most `most`. */
size_t find_sub_impacts(const force_curve *c, double window, sub_impact *out, size_t most);

/* Total impulse [N s] up to a time. */
double impulse_until(const force_curve *c, double t);

/* The largest force [N]. */
double peak_of(const force_curve *c);

/* Numbers of a table of papers/2 whose rows are means over a microsecond (t [us], force [N]). Free it. */
int read_curve(paper_report *r, const char *file, force_curve *out);

/* Figures of curves over time [us], each number k at (k + 1/2) h; at most six curves. */
typedef struct drawn_curve {
    const char *label;
    const force_curve *curve;
    bool reference; /* dashed */
} drawn_curve;
int draw_forces(paper_report *r, const char *name, const char *title, const drawn_curve *curves, size_t count);
int draw_impulses(paper_report *r, const char *name, const char *title, const drawn_curve *curves, size_t count);

/* Means over a microsecond against a table of papers/2 (t [us], force [N]): root mean square over that of the table, and the largest
 * difference of running impulses over the total. */
typedef struct curve_distance {
    double force, impulse;
} curve_distance;
int compare_curve(paper_report *r, const force_curve *c, const char *file, curve_distance *out);

/* Means over a microsecond of two curves: root mean square of the difference over that of the second, up to a time. */
double distance_of(const force_curve *a, const force_curve *b, double until);

/* A run of the double pendulum with settings (NULL: none). Close it, also after a failure. */
typedef struct pendulum_run {
    carom_result *result;
    force_curve normal, tangential;
    double rates[2]; /* [rad/s] of the rigid modes at the end */
} pendulum_run;
int run_pendulum(paper_report *r, const char *name, const settings *s, pendulum_run *out);
void close_pendulum(pendulum_run *run);

int rods_item(paper_report *r);
int penalty_rods_item(paper_report *r);
int round_rod_item(paper_report *r);
int hertz_item(paper_report *r);
int spheres_item(paper_report *r);
int struck_beams_item(paper_report *r);
int waves_item(paper_report *r);
int beams_item(paper_report *r);
int bars_item(paper_report *r);
int beam_bars_item(paper_report *r);
int penalty_bars_item(paper_report *r);
int flexible_pendulum_item(paper_report *r);
int frames_item(paper_report *r);
int zone_item(paper_report *r);
int flight_item(paper_report *r);

#endif
