/* Parts of paper 1 that have files of their own. */
#ifndef CAROM_APP_PAPER_1_H
#define CAROM_APP_PAPER_1_H

#include "paper.h"

/* The slope of a straight line through logarithms: where a step meets the touch makes single errors scatter. */
double fitted_order(const double *x, const double *y, int count);

/* Figure 4: detection with and without the octree of points. */
int figure_4_item(paper_report *r);

/* 4.2: cost of detection, equations (7) to (12), figure 10. */
int efficiency_item(paper_report *r);

/* 4.3: capture, velocities and contact points of two spacecraft. */
int docking_item(paper_report *r);

/* One run, and what finding contacts took in it. */
typedef struct detection_cost {
    double seconds; /* of processor time for detection: other programs on the machine hardly change it */
    double points;  /* detection points of all shapes: N of the paper */
    double nodes;   /* of all fields: n^3, or N0 */
    double build;   /* [s] of wall time for all fields; 0: they came from the cache */
    int depth;      /* of the deepest octree of points; 0: none */
    carom_run_report how;
} detection_cost;

/* Detection of a model that was compiled before; the run goes into the folder `name`. duration [s]; 0: the scene's. */
int measure_model(paper_report *r, const carom_model *model, const char *scene, const char *name, double duration,
                  detection_cost *out);

#endif
