/* Colliders of a model in the world: where they are, which of a pair's sides is tried, how far apart they are. For
 * everyone who asks about contact: methods, and what users are shown before a run. */
#ifndef CAROM_MODEL_COLLIDERS_H
#define CAROM_MODEL_COLLIDERS_H

#include "model/model.h"
#include "model/state.h"

/* The pose of a collider's axes in the world, its body being at this pose with these coordinates of all bodies (q: NULL where none
 * deforms). */
carom_pose model_collider_pose(const carom_model *model, const model_collider *c, const body_pose *body,
                               const double *q);

/* The pose of the axes at y in those at x. */
carom_pose pose_relative(const carom_pose *x, const carom_pose *y);

/* Whose features are tried in a pair that interacts: what the rule asks for, where that side has any (a plane has none),
 * unless balls, which are exact on their own, make the other side's needless. */
void model_contact_sides(const carom_model *model, int a, int b, bool sides[2]);

/* The smallest gap of a pair as detection sees it, no more than `limit`; pose_w: of all colliders. */
/* Whether two colliders touch by whole elements: both have them, their law is per element and of both sides, and neither goes with a
 * body that deforms. */
bool model_pair_is_exact(const carom_model *model, int a, int b);

double model_pair_distance(const carom_model *model, int a, int b, const carom_pose *pose_w, double limit);

/* The same, but rods, which fields take for the thin cylinders around them, are measured as the lines they are. False
 * when memory runs out. */
bool model_pair_gap(const carom_model *model, int a, int b, const carom_pose *pose_w, double limit, double *gap);

/* [m] the longest side of the box around a collider; infinite for planes. */
double model_collider_size(const model_collider *c);

#endif
