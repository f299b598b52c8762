/* Paper 4 in several files: what its items share. An item runs scenes of papers/4 with the method `barrier`, all of them
 * verified: no frame with an intersection, no step that was not solved. paper_4.c lists the items. */
#ifndef CAROM_APP_PAPER_4_H
#define CAROM_APP_PAPER_4_H

#include "paper.h"

/* What all runs of an item amount to; begins as zeros. */
typedef struct verification {
    double runs;
    double frames;        /* tested, exactly */
    double pairs;         /* of shapes whose boxes overlap, of all frames */
    double intersections; /* of them that cut, touch or contain each other */
    double unsolved;      /* steps that were not solved to their tolerance */
    double lagging;       /* steps in which the normal forces of friction had not settled */
    double steps;
    double seconds; /* [s] of wall time within steps */
} verification;

/* A run that has come to its end. */
typedef struct barrier_run {
    carom_result *result;
    carom_run_report how;
    size_t frames;
    const double *time; /* [s] of each */
} barrier_run;

/* Runs a scene of papers/4 ("slope.json") with settings (NULL: none) into the folder `name`, verifies its frames and adds it to v.
 * Prints what is wrong and answers the exit code. Close it whatever the code. */
int barrier_run_scene(paper_report *r, verification *v, const char *scene, const char *name, const settings *s,
                      barrier_run *out);

/* The same for a scene that is put together by the program: put beside the others as <name>.json. */
int barrier_run_text(paper_report *r, verification *v, const char *text, const char *name, const settings *s,
                     barrier_run *out);

void barrier_run_close(barrier_run *run);

/* The rows that every item ends with: intersections and unsolved steps, both 0; runs, frames and lags as facts. */
void verification_rows(paper_report *r, const verification *v);

/* By the size that is asked for: --quick, default, --full. */
double barrier_size(const paper_report *r, double quick, double usual, double full);

/* ---- reading a run. What is not there is a NaN, complained about once: no row is within tolerance of it -------------- */

/* A recorded signal at a frame, at the last one, or its frames (NULL: not there). */
const double *barrier_signal(const barrier_run *run, const char *name);
double barrier_value(const barrier_run *run, const char *name, size_t frame);
double barrier_last(const barrier_run *run, const char *name);

/* A number of summary.json: "energy.lost.numerics". */
double barrier_number(const barrier_run *run, const char *path);

/* Where a body is at a frame. */
carom_motion barrier_motion(const barrier_run *run, const char *body, size_t frame);

/* The frame nearest to a time [s]. */
size_t barrier_frame(const barrier_run *run, double t);

/* The farthest that a body is, in any frame from `first` on, from where it was in frame `first` [m]. */
double barrier_travel(const barrier_run *run, const char *body, size_t first);

/* How often the run found something out about itself: a fallback or a warning of this kind. */
double barrier_findings(const barrier_run *run, carom_finding_kind kind);

/* ---- text that grows, for scenes that are put together -------------------------------------------------------------- */

typedef struct scene_text {
    char *text; /* NULL: empty; free() it */
    size_t length, capacity;
} scene_text;
void scene_add(scene_text *s, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* ---- items --------------------------------------------------------------------------------------------------------- */

/* paper_4_friction.c */
int slope_item(paper_report *r);
int turntable_item(paper_report *r);
int tunnel_item(paper_report *r);

/* paper_4_stacks.c */
int arch_item(paper_report *r);
int cards_item(paper_report *r);
int unit_tests_item(paper_report *r);
int degenerate_item(paper_report *r);

/* paper_4_scale.c */
int scale_item(paper_report *r);

/* paper_4_forces.c */
int joints_item(paper_report *r);
int restitution_item(paper_report *r);
int forces_item(paper_report *r);

/* paper_4_promises.c */
int queries_item(paper_report *r);
int determinism_item(paper_report *r);
int refusals_item(paper_report *r);
int blocked_item(paper_report *r);

/* paper_4_methods.c */
int methods_item(paper_report *r);

/* paper_4_mechanisms.c */
int bolt_item(paper_report *r);
int piston_item(paper_report *r);
int wheel_item(paper_report *r);
int lewis_item(paper_report *r);

/* paper_4_nets.c */
int nets_item(paper_report *r);

/* paper_4_machines.c */
int coin_item(paper_report *r);
int wrecking_ball_item(paper_report *r);
int machines_item(paper_report *r);
int packing_item(paper_report *r);
int loose_balls_item(paper_report *r);

#endif
