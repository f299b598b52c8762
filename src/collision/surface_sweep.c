/* How far a motion of two surfaces is free of collisions: their trees, moving.
 *
 * Pairs of features that are never queried are parted by a fixed direction (surface_query.c has the argument): the boxes of two
 * nodes, or two leaves. The rate u . (v + w x r) of a point along an axis u is linear in r, so that its extremes over a box
 * are at the corners; the acceleration of a point is at most |w| times the largest speed in the ball around the box. */
#include "collision/surface_round.h"

typedef struct tree_sweep {
    const surface_pair *p;
    const surface_kernels *kernels;
    surface_view view[2];
    const sweep_limits *limits;
    sweep_counts *counts;
    double until;
    double apart; /* [m] beyond this, nothing is asked */
} tree_sweep;

static unsigned open_group(void *context, int side, const surface_group *group, group_lane other)
{
    tree_sweep *s = context;
    s->counts->nodes += group->count;
    return s->kernels->meeting(&s->view[side], other, group, s->apart, s->until);
}

/* Where a corner may be until the end. */
static inline reach_box swept_point(const moving_point *m, double until)
{
    v3 end = v3_axpy(m->x, until, m->velocity);
    double bend = 0.5 * until * until * m->bend;
    return (reach_box){
        { less_of(m->x.x, end.x) - bend, less_of(m->x.y, end.y) - bend, less_of(m->x.z, end.z) - bend },
        { more_of(m->x.x, end.x) + bend, more_of(m->x.y, end.y) + bend, more_of(m->x.z, end.z) + bend },
    };
}

static void sweep_round(tree_sweep *s, int leaf_a, int leaf_b)
{
    leaf_pair pairs[LEAF_PAIRS];
    int count = surface_round_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < count; ++k) {
        s->until = surface_pair_query(s->p, &pairs[k].pair, s->limits, s->until, s->counts);
    }
}

static bool sweep_leaves(void *context, int leaf_a, int leaf_b)
{
    tree_sweep *s = context;
    const surface_leaf *a = &s->p->a->leaves[leaf_a];
    const surface_leaf *b = &s->p->b->leaves[leaf_b];
    moving_point corners[2][LEAF_CORNERS];
    double rounding = a->rounding + b->rounding;
    ++s->counts->leaves;
    if (a->round || b->round) {
        sweep_round(s, leaf_a, leaf_b);
        return true;
    }
    if (s->kernels->leaves_parted(s->p, a, b, s->apart + rounding, s->until, corners)) {
        return true;
    }
    leaf_pair pairs[LEAF_PAIRS];
    reach_box boxes[2][LEAF_CORNERS];
    int count = surface_leaf_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < LEAF_CORNERS; ++k) {
        boxes[0][k] = swept_point(&corners[0][k], s->until);
        boxes[1][k] = swept_point(&corners[1][k], s->until);
    }
    for (int i = 0; i < count; ++i) {
        reach_box box_a = reach_of_corners(boxes[0], pairs[i].corner[0], pairs[i].pair.kind[0]);
        reach_box box_b = reach_of_corners(boxes[1], pairs[i].corner[1], pairs[i].pair.kind[1]);
        if (reaches_apart(&box_a, &box_b, s->apart + rounding)) {
            continue;
        }
        surface_query q; /* a feature has the rounding of its leaf */
        q.p = s->p;
        q.pair = &pairs[i].pair;
        q.offset = s->limits->separation + rounding + s->p->rounding;
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < q.pair->kind[side]; ++k) {
                q.at[side][k] = &corners[side][pairs[i].corner[side][k]];
            }
        }
        s->until = surface_query_run(&q, s->limits, s->until, s->counts);
    }
    return true;
}

/* ---- a half-space ------------------------------------------------------------------------------------------------------------ */

typedef struct moving_box {
    v3 center;    /* [m] */
    v3 velocity;  /* [m] of the centre, per unit of time */
    double bend;  /* [m] largest acceleration in it */
    double speed; /* [m] largest speed in it */
} moving_box;

static moving_box box_of(const surface_pair *p, int side, const surface_box *box)
{
    v3 arm = side == 0 ? m3_mulv(p->R, box->center) : box->center;
    moving_box out = { .velocity = twist_velocity(&p->d[side], arm) };
    out.center = side == 0 ? v3_add(p->c, arm) : arm;
    out.speed = v3_norm(out.velocity) + p->turn[side] * box->radius;
    out.bend = p->turn[side] * out.speed;
    return out;
}

/* Heights of a box above a plane fall at least as slowly as this bound says. */
static void sweep_plane(tree_sweep *s, const surface_plane *plane, int slot)
{
    const surface_pair *p = s->p;
    surface_box at = surface_box_at(plane->other, slot);
    int side = 1 - plane->side;
    moving_box box = box_of(p, side, &at);
    v3 start = plane->side == 0 ? p->c : v3_zero();
    v3 field = twist_velocity(&p->d[plane->side], v3_sub(box.center, start));
    double turn = p->turn[plane->side];
    double speeds = 2.0 * box.speed + v3_norm(field) + turn * (at.radius + box.speed);
    double rate = v3_dot(plane->normal, v3_sub(box.velocity, field)) - (p->turn[0] + p->turn[1]) * at.radius;
    double bend = 0.5 * s->until * s->until * (turn * speeds + box.bend);
    double height = surface_plane_height(p, plane, &at);
    ++s->counts->nodes;
    if (height + (rate < 0.0 ? s->until * rate : 0.0) - bend > s->apart) {
        return;
    }
    if (at.child >= 0) {
        for (int k = 0; k < plane->other->groups[at.child].count; ++k) {
            sweep_plane(s, plane, SURFACE_LANES * at.child + k);
        }
        return;
    }
    const surface_leaf *leaf = &plane->other->leaves[~at.child];
    ++s->counts->leaves;
    for (int k = 0; k < leaf->vertex_count; ++k) {
        feature_pair pair = surface_plane_pair(plane, SURFACE_VERTEX, leaf->vertices[k]);
        s->until = surface_pair_query(p, &pair, s->limits, s->until, s->counts);
    }
}

double surface_pair_sweep(const surface_pair *p, const sweep_limits *limits, double until, sweep_counts *counts)
{
    tree_sweep s = { .p = p, .kernels = surface_kernels_here(), .limits = limits, .counts = counts, .until = until };
    s.apart = surface_query_apart(p, limits);
    if (p->a->half_space || p->b->half_space) {
        surface_plane plane = surface_pair_plane(p);
        for (int k = 0; k < plane.other->rim_count; ++k) {
            feature_pair pair = surface_plane_pair(&plane, SURFACE_RIM, k);
            s.until = surface_pair_query(p, &pair, limits, s.until, counts);
        }
        if (plane.other->leaf_count > 0) {
            sweep_plane(&s, &plane, 0);
        }
        return s.until;
    }
    s.view[0] = surface_moving_view_of(p, 0);
    s.view[1] = surface_moving_view_of(p, 1);
    surface_descend(&(surface_descent){
        .a = p->a, .b = p->b, .context = &s, .open = open_group, .leaves = sweep_leaves });
    return s.until;
}
