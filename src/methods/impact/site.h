/* Sites: places where two bodies touch or may touch. Features of surfaces, stops of joints and joints with clearance are
 * sites alike: each has a gap with its rate, a normal, and laws for impacts and friction.
 *
 * Stops of angles are measured as arcs at the model's typical lever arm, so that all gaps are lengths. */
#ifndef CAROM_METHODS_IMPACT_SITE_H
#define CAROM_METHODS_IMPACT_SITE_H

#include "collision/gap.h"
#include "dynamics/work.h"
#include "model/near.h"
#include "nonsmooth/strike.h"

typedef enum site_kind { SITE_SURFACE, SITE_STOP, SITE_PLAY, SITE_KINDS } site_kind;

typedef struct site {
    site_kind kind;
    int a, b;            /* surfaces: colliders; stop: joint and which of its limits; play: joint, 0 */
    int body[2];         /* A before B, ascending */
    gap_feature feature; /* of a stop only feature.feature[0]: 0 at the minimum, 1 at the maximum */
    double mu;
    strike_contact law;
    const model_interaction *interaction; /* NULL: a stop */
} site;

/* A row of velocities: what moves it of A and of B, and its rate when all accelerations vanish. */
typedef struct site_row {
    int body[2];
    double a[6], b[6];
    double jdot_v;
} site_row;

typedef struct site_value {
    gap_value gap; /* of a stop: normal along the joint's axis, point at the joint */
    site_row normal;
} site_value;

typedef struct site_list {
    site *items;
    size_t count, capacity;
} site_list;

/* False when memory runs out. */
bool site_list_push(site_list *list, const site *s);
bool site_list_copy(site_list *to, const site_list *from);
int site_compare(const site *x, const site *y); /* by bodies first, so that lists ascend by pairs of bodies */

/* How bodies move, as gap functions want it. */
gap_motion site_motion(const body_pose *pose, const body_rate *rate);

/* At the point placed in w, its constraints evaluated. */
void site_measure(const site *s, const carom_scratch *w, site_value *out);

/* The gap and its rate for the two bodies of the site at any point of their motion. `near`: the model's joint coordinates
 * nearby, to count turns. Of a stop nothing else is measured. */
typedef struct site_bodies {
    body_pose pose[2];
    body_rate rate[2];
} site_bodies;
void site_gap(const site *s, const carom_model *model, const site_bodies *bodies, const double *near, gap_value *out);

double site_row_times(const site_row *row, const body_rate *rate); /* rate: of all bodies */

/* The row of A's velocity relative to B at the place of contact along a direction across the normal. */
site_row site_tangent(const site *s, const site_value *value, const carom_scratch *w, v3 t_w);

/* Two colliders of the model as gap functions want them. */
gap_pair site_pair(const carom_model *model, int a, int b);

/* A site for a pair of features. */
site site_of_surface(const carom_model *model, int a, int b, const gap_feature *feature);

/* All stops and plays of a joint: at most SITE_PER_JOINT. Returns how many. */
enum { SITE_PER_JOINT = 16 };
int site_of_joint(const carom_model *model, int joint, site out[SITE_PER_JOINT]);

/* [m] by which an angle is multiplied to be a gap; 1 where the gap of the site is a length anyway. */
double site_arm(const site *s, const carom_model *model);

/* A rod's tip may be on either side of another: the same site seen from the other one. */
void site_flip(site *s);

#endif
