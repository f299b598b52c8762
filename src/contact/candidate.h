/* Contacts and contact candidates: two features of two bodies that touch or may touch. Features of surfaces, stops of joints
 * and joints with clearance are contacts alike: each has a gap with its rate, a normal, and laws for impacts and friction.
 *
 * Stops of angles are measured as arcs at the model's typical lever arm, so that all gaps are lengths. */
#ifndef CAROM_CONTACT_CANDIDATE_H
#define CAROM_CONTACT_CANDIDATE_H

#include "collision/gap.h"
#include "dynamics/work.h"
#include "model/near.h"
#include "nonsmooth/strike.h"

typedef enum contact_kind { CONTACT_SURFACE, CONTACT_STOP, CONTACT_PLAY, CONTACT_KINDS } contact_kind;

typedef struct contact {
    contact_kind kind;
    int a, b;            /* surfaces: colliders; stop: joint and which of its limits; play: joint, 0 */
    int body[2];         /* A before B, ascending */
    gap_feature feature; /* of a stop only feature.feature[0]: 0 at the minimum, 1 at the maximum */
    double mu;
    strike_contact law;
    const model_interaction *interaction; /* NULL: a stop */
} contact;

typedef struct contact_list {
    contact *items;
    size_t count, capacity;
} contact_list;

/* False when memory runs out. */
bool contact_list_push(contact_list *list, const contact *c);
bool contact_list_copy(contact_list *to, const contact_list *from);
int contact_compare(const contact *x,
                    const contact *y); /* by bodies first, so that lists ascend by pairs of bodies */

/* Two colliders of the model as gap functions want them. */
gap_pair contact_colliders(const carom_model *model, int a, int b);

/* The contact of a pair of features of two colliders. */
contact contact_of_surface(const carom_model *model, int a, int b, const gap_feature *feature);

/* All stops and plays of a joint: at most CONTACT_PER_JOINT. Returns how many. */
enum { CONTACT_PER_JOINT = 16 };
int contact_of_joint(const carom_model *model, int joint, contact out[CONTACT_PER_JOINT]);

/* A rod's tip may be on either side of another: the same contact seen from the other one. */
void contact_flip(contact *c);

/* [m] by which an angle is multiplied to be a gap; 1 where the gap is a length anyway. */
double contact_arm(const contact *c, const carom_model *model);

/* Factor from the coordinate of a stop's joint to its gap, and the coordinate at which the gap is zero. */
double contact_stop_sign(const contact *c, const carom_model *model);
double contact_stop_at(const contact *c, const carom_model *model);

/* How a body moves, as gap functions want it. */
gap_motion contact_motion(const body_pose *pose, const body_rate *rate);

/* The gap and its rate for the two bodies of the contact at any point of their motion. `near`: the model's joint coordinates
 * nearby, to count turns. Of a stop nothing else is measured. */
typedef struct contact_bodies {
    body_pose pose[2];
    body_rate rate[2];
} contact_bodies;
void contact_gap(const contact *c, const carom_model *model, const contact_bodies *bodies, const double *near,
                 gap_value *out);

#endif
