/* Runs of two rods and their collisions, for the parts of paper 3. */
#ifndef CAROM_APP_PAPER_3_H
#define CAROM_APP_PAPER_3_H

#include "paper.h"

enum { MOST_COLLISIONS = 64, VALUES = 9 };

/* Of the rods O1A and O2B, and from pivot to pivot [m]. */
typedef struct rod_sizes {
    double l1, l2, d;
} rod_sizes;

typedef enum rod_tip { TIP_A = 1, TIP_B } rod_tip; /* A strikes rod O2B, B strikes rod O1A */

/* One collision: columns of papers/3/collisions.csv. */
enum { T, PHI, THETA, STATION, PHI_RATE_BEFORE, THETA_RATE_BEFORE, PHI_RATE_AFTER, THETA_RATE_AFTER, IMPULSE };
typedef struct collision {
    double value[VALUES];
    carom_contact_mode mode;
    rod_tip tip; /* the one that strikes; of two tips the one that is nearer to its place */
} collision;

typedef struct rods {
    carom_result *result;
    rod_sizes sizes;
    double g; /* [m/s^2] */
    size_t frames;
    const double *t, *phi, *theta, *phi_rate, *theta_rate, *energy;
    size_t count;
    collision collisions[MOST_COLLISIONS];
} rods;

/* Runs a scene into x, whose sizes and g are set; close x->result. */
int rods_run(paper_report *r, const char *scene, const char *name, const char *const *overrides, size_t count,
             rods *x);

/* Cases (a) and (c) of section 1, and two tips that meet. */
int cases_item(paper_report *r);

#endif
