/* Pairs of colliders that are near each other: boxes of all colliders, wider by what each may move, swept and pruned. For
 * every method that looks for contact; part of its workspace. */
#ifndef CAROM_MODEL_NEAR_H
#define CAROM_MODEL_NEAR_H

#include "collision/broad_phase.h"
#include "model/model.h"
#include "model/state.h"

typedef struct near_search {
    const carom_model *model;
    broad_phase *broad;
    carom_arena arena;
    carom_pose *pose_w; /* collider_count: where near_place has put them */
    obb *box_w;         /* collider_count: around them */
    aabb *bounds_w;     /* collider_count: wider by the margins */
    double *reach; /* collider_count: [m] from the body's centre of mass to the farthest point that moves when the
                           body turns (of balls: their centres); infinite for planes */
} near_search;

carom_status near_create(near_search **out, const carom_model *model, carom_error *err);
void near_destroy(near_search *n);

/* Poses and boxes of all colliders for these poses and coordinates of the bodies (q: NULL where none deforms), bounds wider by
 * margin[collider] [m] (NULL: as they are). */
void near_place(near_search *n, const body_pose *pose, const double *q, const double *margin);

/* Pairs that may interact and whose bounds overlap; ascending, valid until the next call. False when memory runs out. */
bool near_find(near_search *n, const box_pair **pairs, size_t *count);

#endif
