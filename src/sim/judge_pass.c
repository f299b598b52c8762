/* Bodies that pass through each other.
 *
 * Where two bodies touch, the tangent plane of one's surface is kept in its axes, and follows the contact as long as the normal turns steadily. The centre of the other body, once
 * seen on its outer side, may get to the far side of it beside the body only: if the plane is crossed where the body is
 * solid, it has passed through. Bodies that surround each other (a pin in a ring) have their centres on one side always.
 *
 * Methods that minimise a potential never let bodies through each other. But the goal of a long step may lie behind another body,
 * and the way to it may lead round that body. */
#include "sim/judge.h"

#include "dynamics/dense.h"
#include "model/method.h"

static v3 to_axes(const body_pose *pose, v3 p_w)
{
    return q_unrotate(pose->q_wb, v3_sub(p_w, pose->x_w));
}

static v3 to_world(const body_pose *pose, v3 p_b)
{
    return v3_add(pose->x_w, q_rotate(pose->q_wb, p_b));
}

/* The plane against which the centre of body[side] is judged, fixed to the other body. */
typedef struct plane {
    v3 p_w, n_w;
} plane;

static plane plane_kept(const carom_scratch *w, const touching_pair *pair, int side)
{
    const body_pose *other = &w->pose[pair->body[1 - side]];
    return (plane){ to_world(other, pair->plane_p[side]), q_rotate(other->q_wb, pair->plane_n[side]) };
}

static void keep_plane(const carom_scratch *w, touching_pair *pair, int side, plane at)
{
    const body_pose *other = &w->pose[pair->body[1 - side]];
    pair->plane_p[side] = to_axes(other, at.p_w);
    pair->plane_n[side] = q_unrotate(other->q_wb, at.n_w);
    pair->judged |= 1 << side;
}

static double height(const carom_scratch *w, const touching_pair *pair, int side, plane at)
{
    return v3_dot(at.n_w, v3_sub(w->pose[pair->body[side]].x_w, at.p_w));
}

/* Whether the body is solid where the centre of the other has crossed the plane. */
static bool solid_below(const contact_judge *j, const carom_scratch *w, const touching_pair *pair, int side, plane at)
{
    v3 x_w = w->pose[pair->body[side]].x_w;
    v3 crossing = v3_axpy(x_w, -height(w, pair, side, at), at.n_w);
    int other = pair->body[1 - side];
    bool solid = false;
    for (int k = j->first[other]; k < j->first[other + 1] && !solid; ++k) {
        double slack = 1e-3 * j->thickness[j->own[k]];
        solid = judge_field(j, w, j->own[k], crossing).distance <= slack;
    }
    return solid;
}

static double thinner(const contact_judge *j, const touching_pair *pair)
{
    return fmin(j->thinnest[pair->body[0]], j->thinnest[pair->body[1]]);
}

static void note_passed(const contact_judge *j, carom_scratch *w, const touching_pair *pair, double far)
{
    finding_note(&w->findings, CAROM_FINDING_PASSED_THROUGH, finding_at_pair(pair->body[0], pair->body[1]), far,
                 thinner(j, pair), w->t);
}

static bool has_centre(const contact_judge *j, int body)
{
    return j->model->bodies[body].role == BODY_FREE && !j->unbounded[body];
}

static void judge_side(const contact_judge *j, carom_scratch *w, const judged_pair *p, int side)
{
    touching_pair *pair = p->now;
    v3 out_w = v3_scale(side == 0 ? 1.0 : -1.0, pair->normal_w);
    plane now = { v3_axpy(pair->p_w, -0.5 * pair->gap, out_w), out_w }; /* on the surface of the other */
    double outside = height(w, pair, side, now);
    bool judged = p->before && (p->before->judged & 1 << side);
    if (judged) {
        pair->plane_p[side] = p->before->plane_p[side];
        pair->plane_n[side] = p->before->plane_n[side];
        pair->judged |= 1 << side;
        plane old = plane_kept(w, pair, side);
        double was = height(w, pair, side, old);
        bool turned = v3_dot(old.n_w, now.n_w) < 0.0;
        if (turned && outside > 0.0 && was < 0.0 && solid_below(j, w, pair, side, old)) {
            note_passed(j, w, pair, -was);
        }
    }
    if (outside > 0.0) {
        keep_plane(w, pair, side, now);
    }
}

void judge_sides(const contact_judge *j, carom_scratch *w, const judged_pair *p)
{
    for (int side = 0; side < 2 && !j->model->method->minimises; ++side) {
        if (has_centre(j, p->now->body[side])) {
            judge_side(j, w, p, side);
        }
    }
}

void judge_sides_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before)
{
    for (int side = 0; side < 2; ++side) {
        if (before->judged & 1 << side) {
            plane old = plane_kept(w, before, side);
            double was = height(w, before, side, old);
            if (was < 0.0 && solid_below(j, w, before, side, old)) {
                note_passed(j, w, before, -was);
                return;
            }
        }
    }
}

/* ---- flights over a fixed step ------------------------------------------------------------------------------------ */

/* Whether the way of a point, in the axes of a collider, leads into it and out again: its field says how far one may go
 * without meeting it. */
static bool leads_through(const collider *c, v3 from, v3 to, double thickness)
{
    v3 way = v3_sub(to, from);
    double length = v3_norm(way);
    double least = 0.01 * thickness; /* what is crossed in less is a corner */
    if (collider_sample(c, from).distance <= 0.0 || collider_sample(c, to).distance <= 0.0) {
        return false;
    }
    for (double at = 0.0; at < length;) {
        double gap = collider_sample(c, v3_axpy(from, at / length, way)).distance;
        if (gap < -least) {
            return true;
        }
        at += fmax(gap, least);
    }
    return false;
}

static v3 in_collider(const carom_model *model, const model_collider *c, const body_pose *body, const double *q,
                      v3 p_w)
{
    carom_pose pose = model_collider_pose(model, c, body, q);
    return q_unrotate(pose.orientation, v3_sub(p_w, pose.position));
}

/* Whether it is known where both are solid: methods without fields take the box for what has no distance of its own, and the
 * centre of a ring is in its hole. */
static bool knows_insides(const contact_judge *j, const int of[2])
{
    bool known = true;
    for (int k = 0; k < 2; ++k) {
        const model_collider *c = &j->model->colliders[of[k]];
        known = known && j->model->bodies[c->body].shapes[c->shape].type->distance;
    }
    return known || !j->model->method->minimises;
}

static void judge_flight(const contact_judge *j, carom_scratch *w, const int of[2], int mover)
{
    const model_collider *c = &j->model->colliders[of[1 - mover]];
    carom_finding_kind kind = j->model->method->minimises ? CAROM_FINDING_WENT_ROUND : CAROM_FINDING_PASSED_THROUGH;
    int body = j->model->colliders[of[mover]].body;
    const body_pose *begin = w->dense->begin.pose;
    v3 from = in_collider(j->model, c, &begin[c->body], w->dense->begin.q, begin[body].x_w);
    v3 to = in_collider(j->model, c, &w->pose[c->body], w->q, w->pose[body].x_w);
    double far = v3_norm(v3_sub(to, from));
    double thickness = fmin(j->thickness[of[0]], j->thickness[of[1]]);
    if (has_centre(j, body) && far > thickness && isfinite(j->thickness[of[1 - mover]]) && knows_insides(j, of) &&
        leads_through(c->collider, from, to, j->thickness[of[1 - mover]])) {
        finding_note(&w->findings, kind, finding_at_pair(body, c->body), far, thickness, w->t);
    }
}

/* Margins that hold every way within the step; false where nobody has moved by as much as the thinnest is thick. */
static bool find_travel(contact_judge *j, const carom_scratch *w)
{
    double most = 0.0;
    double thinnest = HUGE_VAL;
    for (int k = 0; k < j->model->collider_count; ++k) {
        int body = j->model->colliders[k].body;
        j->travel[k] = v3_norm(v3_sub(w->pose[body].x_w, w->dense->begin.pose[body].x_w));
        most = fmax(most, j->travel[k]);
        thinnest = fmin(thinnest, j->thickness[k]);
    }
    return most > thinnest;
}

bool judge_flights(contact_judge *j, carom_scratch *w)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    if (!j->near || !find_travel(j, w)) {
        return true;
    }
    near_place(j->near, w->pose, w->q, j->travel);
    if (!near_find(j->near, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        const int of[2] = { pairs[k].a, pairs[k].b };
        judge_flight(j, w, of, 0);
        judge_flight(j, w, of, 1);
    }
    return true;
}
