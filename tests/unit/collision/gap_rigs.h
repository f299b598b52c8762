/* Pairs of colliders with facets, and what gap functions say about them. */
#ifndef CAROM_TESTS_COLLISION_GAP_RIGS_H
#define CAROM_TESTS_COLLISION_GAP_RIGS_H

#include "collision/gap.h"
#include "rigs.h"

static inline collider *make_faceted(const char *kind, const void *params, const mesh *m)
{
    collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    o.facets = true;
    return make_collider(kind, params, m, &o);
}

static inline gap_pair pair_of(const collider *a, const collider *b)
{
    return (gap_pair){ .a = a,
                       .b = b,
                       .pose_c = { { .orientation = q_identity() }, { .orientation = q_identity() } } };
}

static inline gap_value measure_at(const gap_feature *f, const carom_pose pose_w[2])
{
    gap_motion a = { .pose_w = pose_w[0] };
    gap_motion b = { .pose_w = pose_w[1] };
    gap_value value;
    gap_measure(f, &a, &b, &value);
    return value;
}

static inline double smallest_gap(const gap_list *list, const carom_pose pose_w[2])
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < list->count; ++i) {
        smallest = fmin(smallest, measure_at(&list->items[i], pose_w).gap);
    }
    return smallest;
}

static inline void check_no_repeats(const gap_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        for (size_t j = 0; j < i; ++j) {
            const gap_feature *a = &list->items[i];
            const gap_feature *b = &list->items[j];
            CHECK(a->kind != b->kind || a->swapped != b->swapped || a->feature[0] != b->feature[0] ||
                  a->feature[1] != b->feature[1]);
        }
    }
}

static inline gap_motion random_motion(test_rng *rng, double far)
{
    return (gap_motion){ .pose_w = random_pose(rng, far),
                         .v_w = random_v3(rng, 2.0),
                         .omega_w = random_v3(rng, 3.0) };
}

/* Where a body with constant velocity and angular velocity is later. */
static inline gap_motion motion_after(const gap_motion *m, double t)
{
    gap_motion out = *m;
    out.pose_w.position = v3_axpy(m->pose_w.position, t, m->v_w);
    out.pose_w.orientation = q_mul(so3_exp(v3_scale(t, m->omega_w)), m->pose_w.orientation);
    return out;
}

#endif
