/* What one body sees of the boxes of the other, and the descent of both trees. */
#include "collision/surface_wide.h"

static v3 absolute(v3 a)
{
    return v3_make(fabs(a.x), fabs(a.y), fabs(a.z));
}

/* Numbers along an axis, per half length, go into the rows of the half lengths. */
static void put_row(double rows[3][ALL_LANES], int axis, v3 a)
{
    rows[0][axis] = a.x;
    rows[1][axis] = a.y;
    rows[2][axis] = a.z;
}

static v3 axis_of(const surface_view *v, int axis)
{
    static const v3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    return axis < 3 ? unit[axis] : v3_load(v->axes[axis - 3]);
}

/* Along the axes of the other body. */
static v3 in_other(const surface_view *v, v3 a)
{
    return v3_make(v3_dot(v3_load(v->axes[0]), a), v3_dot(v3_load(v->axes[1]), a), v3_dot(v3_load(v->axes[2]), a));
}

surface_view surface_view_of(const surface_pair *p, int side)
{
    surface_view v = { .own_turn = 0.0 };
    v3_store(v.c, side == 0 ? v3_neg(m3_tmulv(p->R, p->c)) : p->c);
    for (int k = 0; k < 3; ++k) {
        v3_store(v.axes[k], side == 0 ? m3_row(p->R, k) : m3_column(p->R, k));
    }
    for (int k = 0; k < ALL_AXES; ++k) {
        v3 u = axis_of(&v, k);
        v.own_reach[k] = absolute(u);
        put_row(v.other_reach, k, absolute(in_other(&v, u)));
    }
    return v;
}

static twist seen_twist(const surface_pair *p, int side, int whose)
{
    twist d = p->d[whose];
    return side == 0 ? (twist){ m3_tmulv(p->R, d.v), m3_tmulv(p->R, d.w) } : d;
}

surface_view surface_moving_view_of(const surface_pair *p, int side)
{
    surface_view v = surface_view_of(p, side);
    v.own_d = seen_twist(p, side, side);
    v.other_d = seen_twist(p, side, 1 - side);
    v.own_turn = p->turn[side];
    v.other_turn = p->turn[1 - side];
    for (int k = 0; k < ALL_AXES; ++k) { /* u . (w x r) = (u x w) . r */
        v3 u = axis_of(&v, k);
        v.own_spread[k] = absolute(v3_cross(u, v.own_d.w));
        put_row(v.other_spread, k, absolute(in_other(&v, v3_cross(u, v.other_d.w))));
    }
    return v;
}

/* ---- descent ---------------------------------------------------------------------------------------------------------- */

static group_lane lane_at(const surface *s, unsigned slot)
{
    return (group_lane){ &s->groups[slot / SURFACE_LANES], (int)(slot % SURFACE_LANES) };
}

/* The larger box is opened first. Trees are halved twice per level: 2^31 leaves are 17 levels, and each opening leaves three
 * pairs behind at most. */
bool surface_descend(const surface_descent *d)
{
    enum { DEPTH = 2 * 17 * (SURFACE_LANES - 1) + SURFACE_LANES };
    unsigned slots[2][DEPTH];
    int count = d->a->leaf_count > 0 && d->b->leaf_count > 0 ? 1 : 0;
    slots[0][0] = slots[1][0] = 0;
    while (count > 0) {
        unsigned slot[2] = { slots[0][count - 1], slots[1][count - 1] };
        --count;
        group_lane box[2] = { lane_at(d->a, slot[0]), lane_at(d->b, slot[1]) };
        int child[2] = { box[0].group->child[box[0].lane], box[1].group->child[box[1].lane] };
        if (child[0] < 0 && child[1] < 0) {
            if (!d->leaves(d->context, ~child[0], ~child[1])) {
                return false;
            }
            continue;
        }
        bool larger = box[0].group->radius[box[0].lane] > box[1].group->radius[box[1].lane];
        int side = child[1] < 0 || (child[0] >= 0 && larger) ? 0 : 1;
        const surface_group *g = &(side == 0 ? d->a : d->b)->groups[child[side]];
        unsigned bits = d->open(d->context, side, g, box[1 - side]) & ((1u << g->count) - 1);
        for (int k = SURFACE_LANES - 1; bits > 0; --k) {
            if (bits & 1u << k) {
                bits -= 1u << k;
                slots[side][count] = SURFACE_LANES * (unsigned)child[side] + (unsigned)k;
                slots[1 - side][count++] = slot[1 - side];
            }
        }
    }
    return true;
}
