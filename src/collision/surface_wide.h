/* A box against the boxes of a group, and leaf against leaf, several lanes at a time: compiled for two instruction sets, chosen
 * when running. Both do the same operations on every lane, so that all answers have the same bits. For the files of this
 * folder. */
#ifndef CAROM_COLLISION_SURFACE_WIDE_H
#define CAROM_COLLISION_SURFACE_WIDE_H

#include "collision/surface_pair.h"

/* A vector along the own axes (0 to 2), or six numbers along those of both bodies, filled up to whole lanes. */
enum { ALL_AXES = 6, ALL_LANES = 8 };

/* What one of the two bodies, the own one, sees of the other: all in its axes and about its origin. */
typedef struct surface_view {
    double axes[3][SURFACE_LANES]; /* of the other */
    double c[SURFACE_LANES];       /* [m] origin of the other */
    twist own_d, other_d;          /* at the origins */
    double own_turn, other_turn;   /* [rad] |w| */

    /* What a box reaches along an axis, and how much faster along it than its centre a point of the box is, per half length of
     * the box. Axes 0 to 2 are those of the own body, 3 to 5 those of the other. For boxes of the own body by axes, for those
     * of the other by half lengths. */
    v3 own_reach[ALL_AXES], own_spread[ALL_AXES];
    double other_reach[3][ALL_LANES], other_spread[3][ALL_LANES];
} surface_view;

surface_view surface_view_of(const surface_pair *p, int side);

/* And with what is needed for motion. */
surface_view surface_moving_view_of(const surface_pair *p, int side);

/* The box in a lane of a group. */
typedef struct group_lane {
    const surface_group *group;
    int lane;
} group_lane;

/* A corner of a feature and how it moves, in the axes of B. */
typedef struct moving_point {
    v3 x;        /* [m] */
    v3 velocity; /* [m] per unit of time */
    v3 pull;     /* [m] acceleration */
    double bend; /* [m] its size */
} moving_point;

enum { LEAF_CORNERS = 3 };

typedef struct surface_kernels {
    /* Bits of the boxes of a group of the own body that are not more than `apart` from a box of the other, roundings taken
     * off: where they stand, or at a time until `until`. */
    unsigned (*near)(const surface_view *v, group_lane other, const surface_group *own, double apart);
    unsigned (*meeting)(const surface_view *v, group_lane other, const surface_group *own, double apart,
                        double until);

    /* Whether the normal of one of two leaves, a of A and b of B, keeps them more than `limit` apart: where they stand, or
     * until `until`. If not, corners[0] and corners[1] are theirs; those that do not move have no motion. */
    bool (*leaves_far)(const surface_pair *p, const surface_leaf *a, const surface_leaf *b, double limit,
                       v3 corners[2][LEAF_CORNERS]);
    bool (*leaves_parted)(const surface_pair *p, const surface_leaf *a, const surface_leaf *b, double limit,
                          double until, moving_point corners[2][LEAF_CORNERS]);
} surface_kernels;

extern const surface_kernels surface_kernels_portable, surface_kernels_avx2;
bool surface_has_avx2(void);

/* Those for this processor. */
static inline const surface_kernels *surface_kernels_here(void)
{
    return surface_has_avx2() ? &surface_kernels_avx2 : &surface_kernels_portable;
}

/* ---- boxes along the axes of B, around corners and what they may reach ------------------------------------------------------- */

typedef struct reach_box {
    v3 low, high;
} reach_box;

static inline double less_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double more_of(double a, double b)
{
    return a > b ? a : b;
}

static inline reach_box reach_of_corners(const reach_box corners[LEAF_CORNERS], const uint8_t *which, int count)
{
    reach_box b = corners[which[0]];
    for (int k = 1; k < count; ++k) {
        const reach_box *c = &corners[which[k]];
        b.low = v3_make(less_of(b.low.x, c->low.x), less_of(b.low.y, c->low.y), less_of(b.low.z, c->low.z));
        b.high = v3_make(more_of(b.high.x, c->high.x), more_of(b.high.y, c->high.y), more_of(b.high.z, c->high.z));
    }
    return b;
}

static inline bool reaches_apart(const reach_box *a, const reach_box *b, double limit)
{
    return a->low.x - b->high.x > limit || b->low.x - a->high.x > limit || a->low.y - b->high.y > limit ||
           b->low.y - a->high.y > limit || a->low.z - b->high.z > limit || b->low.z - a->high.z > limit;
}

/* ---- descent of two trees -------------------------------------------------------------------------------------------------- */

/* `open` gives the bits of the boxes of a group, of the body `side`, that are not surely far from a box of the other body.
 * `leaves` is shown what is left, pair by pair, and returns false to end the search. Returns false then. */
typedef struct surface_descent {
    const surface *a, *b;
    void *context;
    unsigned (*open)(void *context, int side, const surface_group *group, group_lane other);
    bool (*leaves)(void *context, int leaf_a, int leaf_b);
} surface_descent;

bool surface_descend(const surface_descent *d);

#endif
