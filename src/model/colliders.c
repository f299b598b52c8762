/* Placing colliders and asking about pairs of them. */
#include "model/colliders.h"

#include <math.h>

#include "collision/detect.h"
#include "collision/exact_touch.h"
#include "collision/gap.h"

/* Where the part of a body that deforms is that carries the collider. */
static carom_pose carried_pose(const model_body *b, const model_collider *c, const body_pose *body, const double *q)
{
    const body_frame frame = { .pose = *body, .R_w = q_matrix(body->q_wb) };
    const double *own = q + b->first_deform;
    point_motion p = { 0 };
    b->type->point(b->params, &frame, own, own, &c->point, &p); /* any rates: places do not depend on them */
    return (carom_pose){ p.marker.p_w, q_from_matrix(p.marker.R_w) };
}

carom_pose model_collider_pose(const carom_model *model, const model_collider *c, const body_pose *body,
                               const double *q)
{
    if (c->point.psi && q) {
        return carried_pose(&model->bodies[c->body], c, body, q);
    }
    return (carom_pose){ v3_add(body->x_w, q_rotate(body->q_wb, c->pose_c.position)),
                         q_mul(body->q_wb, c->pose_c.orientation) };
}

carom_pose pose_relative(const carom_pose *x, const carom_pose *y)
{
    return (carom_pose){ q_unrotate(x->orientation, v3_sub(y->position, x->position)),
                         q_mul(q_conj(x->orientation), y->orientation) };
}

void model_contact_sides(const carom_model *model, int a, int b, bool sides[2])
{
    const model_interaction *rule = model_interaction_of(model, a, b);
    const collider *x = model->colliders[a].collider;
    const collider *y = model->colliders[b].collider;
    bool has[2] = { collider_point_count(x) > 0, collider_point_count(y) > 0 };
    sides[0] = has[0] && (rule->points[0] || !has[1]);
    sides[1] = has[1] && (rule->points[1] || !has[0]);
    if (sides[0] && sides[1] && (collider_has_balls(x) || collider_has_balls(y))) {
        bool first = collider_has_balls(x);
        if (first && collider_has_balls(y)) { /* one ball is exact where a row of them is not */
            first = collider_point_count(x) <= collider_point_count(y);
        }
        sides[first ? 1 : 0] = false; /* would count twice */
    }
}

bool model_pair_is_exact(const carom_model *model, int a, int b)
{
    const model_collider *x = &model->colliders[a];
    const model_collider *y = &model->colliders[b];
    const model_interaction *rule = model_interaction_of(model, a, b);
    return collider_pair_is_exact(x->collider, y->collider) && rule && !rule->per_area && rule->points[0] &&
           rule->points[1] && !x->point.psi && !y->point.psi;
}

double model_pair_distance(const carom_model *model, int a, int b, const carom_pose *pose_w, double limit)
{
    bool sides[2];
    double least = limit;
    model_contact_sides(model, a, b, sides);
    for (int side = 0; side < 2; ++side) {
        int points = side == 0 ? a : b;
        int field = side == 0 ? b : a;
        if (sides[side]) {
            least = detect_distance(model->colliders[field].collider, model->colliders[points].collider,
                                    pose_relative(&pose_w[field], &pose_w[points]), least);
        }
    }
    return least;
}

double model_collider_size(const model_collider *c)
{
    v3 half = collider_box(c->collider)->half;
    return collider_box(c->collider)->half_space ? HUGE_VAL : 2.0 * fmax(half.x, fmax(half.y, half.z));
}

static double thickness_of(const collider *c)
{
    v3 half = collider_box(c)->half;
    return collider_is_line(c) ? fmin(half.x, fmin(half.y, half.z)) : 0.0;
}

/* The smallest gap of all features; infinite: none is below the margin. False when memory runs out. */
static bool smallest_gap(const collider *const c[2], const carom_pose pose_w[2], double margin, double *out)
{
    const carom_pose own = { .orientation = q_identity() };
    gap_list list = { 0 };
    bool ok = gap_find(&list, &(gap_pair){ c[0], c[1], { own, own } }, pose_w, margin);
    *out = HUGE_VAL;
    for (size_t k = 0; ok && k < list.count; ++k) {
        gap_value value;
        gap_measure(&list.items[k], &(gap_motion){ .pose_w = pose_w[0] }, &(gap_motion){ .pose_w = pose_w[1] },
                    &value);
        *out = fmin(*out, value.gap);
    }
    gap_list_free(&list);
    return ok;
}

static bool exact_pair_gap(const collider *const c[2], const carom_pose pose_w[2], double limit, double *gap)
{
    exact_list room = { 0 };
    bool ok = exact_gap(&room, c, pose_w, limit, gap);
    exact_list_free(&room);
    return ok;
}

bool model_pair_gap(const carom_model *model, int a, int b, const carom_pose *pose_w, double limit, double *gap)
{
    const collider *c[2] = { model->colliders[a].collider, model->colliders[b].collider };
    if (collider_pair_is_exact(c[0], c[1])) {
        return exact_pair_gap(c, (carom_pose[2]){ pose_w[a], pose_w[b] }, limit, gap);
    }
    double thickness = thickness_of(c[0]) + thickness_of(c[1]);
    *gap = model_pair_distance(model, a, b, pose_w, limit);
    if (!(thickness > 0.0) || *gap < -2.0 * thickness) {
        return true;
    }
    double smallest;
    bool ok = smallest_gap(c, (carom_pose[2]){ pose_w[a], pose_w[b] }, limit + thickness, &smallest);
    *gap = ok && isfinite(smallest) ? smallest : *gap;
    return ok;
}
