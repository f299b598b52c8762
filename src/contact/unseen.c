/* Nothing may be inside of two bodies while nothing of the two touches: a few places say whether something is. */
#include "contact/unseen.h"

static v3 into_axes(const carom_pose *pose, v3 p_w)
{
    return q_unrotate(pose->orientation, v3_sub(p_w, pose->position));
}

/* [m] How deep a point is inside both; not positive: it is not. */
static double depth_at(const near_search *n, int a, int b, v3 p_w)
{
    const model_collider *c = n->model->colliders;
    double depth = -collider_sample(c[a].collider, into_axes(&n->pose_w[a], p_w)).distance;
    return depth > 0.0 ? fmin(depth, -collider_sample(c[b].collider, into_axes(&n->pose_w[b], p_w)).distance) : 0.0;
}

/* The middle of what the boxes around both have in common. */
static v3 common_middle(const aabb *a, const aabb *b)
{
    v3 low = v3_make(fmax(a->low.x, b->low.x), fmax(a->low.y, b->low.y), fmax(a->low.z, b->low.z));
    v3 high = v3_make(fmin(a->high.x, b->high.x), fmin(a->high.y, b->high.y), fmin(a->high.z, b->high.z));
    return v3_scale(0.5, v3_add(low, high));
}

double unseen_noticeable(const near_search *n, int a, int b)
{
    v3 p = n->box_w[a].half;
    v3 q = n->box_w[b].half;
    return 0.2 * fmin(fmin(fmin(p.x, p.y), p.z), fmin(fmin(q.x, q.y), q.z));
}

double unseen_depth(const near_search *n, int a, int b)
{
    if (n->box_w[a].half_space || n->box_w[b].half_space) {
        return 0.0;
    }
    v3 between = common_middle(&n->bounds_w[a], &n->bounds_w[b]);
    double depth = fmax(depth_at(n, a, b, n->box_w[a].center), depth_at(n, a, b, n->box_w[b].center));
    return fmax(depth, depth_at(n, a, b, between));
}
