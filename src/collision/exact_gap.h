/* What the two ways to measure gaps share. Internal to collision. */
#ifndef CAROM_COLLISION_EXACT_GAP_H
#define CAROM_COLLISION_EXACT_GAP_H

#include "collision/exact_touch.h"

static inline carom_pose exact_relative_pose(const carom_pose *x, const carom_pose *y)
{
    return (carom_pose){ q_unrotate(x->orientation, v3_sub(y->position, x->position)),
                         q_mul(q_conj(x->orientation), y->orientation) };
}

/* The same of a torus (c[hoop]) and a convex solid. */
double exact_gap_of_hoop(exact_list *room, const collider *const c[2], const carom_pose pose_w[2], int hoop,
                         double limit);

/* A lower bound of the distance of two solids that do not touch, mostly good to a tenth and no more than `limit`; one of them at least is
 * a mesh that is not convex. */
double exact_gap_of_meshes(const collider *const c[2], const carom_pose pose_w[2], double limit);

#endif
