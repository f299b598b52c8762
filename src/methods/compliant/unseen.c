/* Pairs that are inside each other without a point of contact that sees it: where detection points lie too far apart, two
 * bodies can pass through each other as if neither were there. Nothing may be inside both while nothing of the two
 * touches: a few places say whether something is. */
#include "methods/compliant/unseen.h"

static v3 into_axes(const carom_pose *pose, v3 p_w)
{
    return q_unrotate(pose->orientation, v3_sub(p_w, pose->position));
}

/* [m] How deep a point is inside both; not positive: it is not. */
static double depth_at(const compliant_work *t, const broad_pair *pair, v3 p_w)
{
    const carom_pose *pose = t->near->pose_w;
    const model_collider *c = t->model->colliders;
    double a = -collider_sample(c[pair->a].collider, into_axes(&pose[pair->a], p_w)).distance;
    return a > 0.0 ? fmin(a, -collider_sample(c[pair->b].collider, into_axes(&pose[pair->b], p_w)).distance) : 0.0;
}

/* The middle of what the boxes around both have in common. */
static v3 common_middle(const aabb *a, const aabb *b)
{
    v3 low = v3_make(fmax(a->low.x, b->low.x), fmax(a->low.y, b->low.y), fmax(a->low.z, b->low.z));
    v3 high = v3_make(fmin(a->high.x, b->high.x), fmin(a->high.y, b->high.y), fmin(a->high.z, b->high.z));
    return v3_scale(0.5, v3_add(low, high));
}

/* [m] Less than this part of the thinner one's width is a matter of how far points lie apart, not of passing through. */
static double noticeable(const compliant_work *t, const broad_pair *pair)
{
    v3 a = t->near->box_w[pair->a].half;
    v3 b = t->near->box_w[pair->b].half;
    return 0.2 * fmin(fmin(fmin(a.x, a.y), a.z), fmin(fmin(b.x, b.y), b.z));
}

/* At the middles of both, and of what their boxes share. Planes see all that is below them. */
static double unseen_depth(const compliant_work *t, const broad_pair *pair)
{
    const near_search *n = t->near;
    if (n->box_w[pair->a].half_space || n->box_w[pair->b].half_space) {
        return 0.0;
    }
    v3 between = common_middle(&n->bounds_w[pair->a], &n->bounds_w[pair->b]);
    double depth = fmax(depth_at(t, pair, n->box_w[pair->a].center), depth_at(t, pair, n->box_w[pair->b].center));
    return fmax(depth, depth_at(t, pair, between));
}

static bool touches_elsewhere(const compliant_work *t, const int body[2])
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        int other[2];
        broad_pair_bodies(t, &t->pairs[k], other);
        if (t->pairs[k].count > 0 && other[0] == body[0] && other[1] == body[1]) {
            return true;
        }
    }
    return false;
}

void unseen_note(const compliant_work *t, carom_scratch *w)
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        const broad_pair *pair = &t->pairs[k];
        if (pair->joint >= 0 || pair->skin >= 0 || pair->count > 0) {
            continue;
        }
        double depth = unseen_depth(t, pair);
        int body[2];
        broad_pair_bodies(t, pair, body);
        double most = noticeable(t, pair);
        if (depth > most && !touches_elsewhere(t, body)) {
            finding_note(&w->findings, CAROM_FINDING_UNSEEN_OVERLAP, finding_at_pair(body[0], body[1]), depth, most,
                         w->t);
        }
    }
}
