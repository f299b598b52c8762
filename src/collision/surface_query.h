/* A query about two features whose corners are known already. For the files of this folder. */
#ifndef CAROM_COLLISION_SURFACE_QUERY_H
#define CAROM_COLLISION_SURFACE_QUERY_H

#include "collision/surface_wide.h"

typedef struct surface_query {
    const surface_pair *p;
    const feature_pair *pair;
    double offset;                           /* [m] separation, roundings and margin: what gaps are measured from */
    const moving_point *at[2][LEAF_CORNERS]; /* corners at the start, as many as the kinds say */
} surface_query;

/* Where a point is at t whose arm from the origin of its body was r, and how it moves; *way is turned with the body. */
moving_point surface_moved_point(const surface_pair *p, int side, double t, v3 r, v3 *way);

/* As surface_pair_query. */
double surface_query_run(surface_query *q, const sweep_limits *limits, double until, sweep_counts *counts);

/* [m] no query about two features ends where they are farther apart, roundings taken off: what is left out of a search because
 * it stays beyond changes no answer, in any order. */
double surface_query_apart(const surface_pair *p, const sweep_limits *limits);

#endif
