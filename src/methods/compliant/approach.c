/* Bounds on the step from the motion of pairs that are not yet in touch: conservative advancement with the boxes, then
 * with the distance fields, whose values are lower bounds of the distance. Accelerations count, so that a body released
 * above another does not fall through it in one long step; and the prescribed motion of kinematic bodies is looked at
 * ahead, because no error control does. */
#include "methods/compliant/approach.h"

#include "dynamics/deformation.h"
#include "methods/compliant/clearance.h"
#include "methods/compliant/exact.h"
#include "methods/compliant/skins.h"

/* ---- how fast bodies move ---------------------------------------------------------------------------------------- */

/* What deformation adds at any point of a body: all its shapes together. */
static approach_bound deformation_bound(const carom_model *model, const carom_state *s, int body)
{
    const model_body *b = &model->bodies[body];
    approach_bound sum = { 0.0, 0.0 };
    for (int k = 0; body_deforms(b) && k < body_coordinate_count(b); ++k) {
        sum.speed += coordinate_size(b, k, s->q_dot[b->first_deform + k]);
        sum.acceleration += coordinate_size(b, k, s->q_ddot[b->first_deform + k]);
    }
    return sum;
}

/* Free bodies as they are now; kinematic ones at their fastest within dt. */
static void find_bounds(compliant_work *t, carom_scratch *w, const carom_state *s, double dt)
{
    for (int i = 0; i < t->model->body_count; ++i) {
        bool kinematic = t->model->bodies[i].role == BODY_KINEMATIC;
        t->bounds[i] = kinematic ? motion_bound_prescribed(w, *s->time, *s->time + dt, i)
                                 : motion_bound_now(&s->rate[i], &s->acceleration[i]);
        if (body_deforms(&t->model->bodies[i])) {
            approach_bound more = deformation_bound(t->model, s, i);
            t->bounds[i].speed += more.speed;
            t->bounds[i].acceleration += more.acceleration + 2.0 * t->bounds[i].spin * more.speed;
        }
    }
}

approach_bound approach_of_bodies(const compliant_work *t, const carom_state *s, const int body[2],
                                  const double lever[2])
{
    int a = body[0];
    int b = body[1];
    bool both_free = t->model->bodies[a].role == BODY_FREE && t->model->bodies[b].role == BODY_FREE;
    approach_bound together = { v3_norm(v3_sub(s->rate[a].v_w, s->rate[b].v_w)),
                                v3_norm(v3_sub(s->acceleration[a].v_w, s->acceleration[b].v_w)) };
    for (int k = 0; k < 2 && t->model->deform_count > 0; ++k) {
        approach_bound more = deformation_bound(t->model, s, body[k]);
        together.speed += more.speed;
        together.acceleration += more.acceleration + 2.0 * t->bounds[body[k]].spin * more.speed;
    }
    return approach_of(&t->bounds[a], &t->bounds[b], both_free ? &together : NULL, lever, false);
}

static approach_bound approach_of_pair(const compliant_work *t, const carom_state *s, const broad_pair *pair)
{
    int body[2];
    double lever[2];
    broad_pair_bodies(t, pair, body);
    approach_levers(t->near, pair->a, pair->b, v3_norm(v3_sub(s->pose[body[0]].x_w, s->pose[body[1]].x_w)), lever);
    return approach_of_bodies(t, s, body, lever);
}

/* Every box wider by what its own motion may cover, so that pairs that can meet within dt overlap. Planes are infinite
 * already. */
static void find_margins(compliant_work *t, double dt)
{
    for (int i = 0; i < t->model->collider_count; ++i) {
        const motion_bound *body = &t->bounds[t->model->colliders[i].body];
        t->margin[i] = approach_distance(approach_of_one(body, t->near->reach[i]), dt);
    }
}

/* ---- how deep they may get --------------------------------------------------------------------------------------- */

double approach_reduced_mass(const carom_model *model, const int body[2])
{
    double inverse = 0.0;
    for (int i = 0; i < 2; ++i) {
        double m = model->bodies[body[i]].mass; /* 0 unless free */
        inverse += m > 0.0 ? 1.0 / m : 0.0;
    }
    return 1.0 / inverse;
}

/* The weight of a touching point of the pair. */
static double weight_of(const compliant_work *t, const broad_pair *pair)
{
    bool sides[2];
    model_contact_sides(t->model, pair->a, pair->b, sides);
    if (!pair->interaction->per_area || (!sides[0] && !sides[1])) {
        return 1.0;
    }
    const collider *points = t->model->colliders[sides[0] ? pair->a : pair->b].collider;
    return fmax(collider_point(points, 0).area, 1e-30);
}

/* How deep a single touching point would be driven: the energy of the approach stored by the law. */
static double expected_depth(const compliant_work *t, const broad_pair *pair, double speed)
{
    int body[2];
    broad_pair_bodies(t, pair, body);
    double energy = 0.5 * approach_reduced_mass(t->model, body) * speed * speed;
    return law_depth_for_energy(pair->interaction->law, pair->interaction->law_params, energy / weight_of(t, pair));
}

double approach_half_thickness(const compliant_work *t, const broad_pair *pair)
{
    if (pair->joint >= 0 || pair->skin >= 0) {
        return HUGE_VAL;
    }
    v3 a = t->near->box_w[pair->a].half;
    v3 b = t->near->box_w[pair->b].half;
    return fmin(fmin(fmin(a.x, a.y), a.z), fmin(fmin(b.x, b.y), b.z));
}

static bool is_thin(const compliant_work *t, const broad_pair *pair)
{
    const model_collider *c[2] = { &t->model->colliders[pair->a], &t->model->colliders[pair->b] };
    bool thin = false;
    for (int k = 0; k < 2; ++k) {
        thin = thin || t->model->bodies[c[k]->body].shapes[c[k]->shape].type->thin;
    }
    return thin;
}

/* How deep a step may end in a new touch, as a part of the depth to come; of sheets, whose thickness would stop the
 * clock, a hundredth of that depth. */
static double admitted_depth(const compliant_work *t, const broad_pair *pair, double speed)
{
    double depth = expected_depth(t, pair, speed);
    return fmin(depth, fmax(approach_half_thickness(t, pair), 0.01 * depth));
}

/* ---- the bound ----------------------------------------------------------------------------------------------------- */

/* The gap of a pair whose boxes overlap; false when memory runs out. */
static bool measure_gap(compliant_work *t, const broad_pair *pair, double limit, double *gap)
{
    if (exact_pair(t, pair)) {
        return exact_pair_distance(t, pair, limit, gap);
    }
    *gap = model_pair_distance(t->model, pair->a, pair->b, t->near->pose_w, limit);
    return true;
}

/* [s] in which a pair that touches may move by a quarter of the thinner one at most: the error of the step decides, but it does not see
 * what another part of them goes through between both ends. Not so of points (paper 1), nor of sheets, lines and points that are shapes,
 * which have no inside to be lost in. */
static double time_to_pass(const compliant_work *t, const broad_pair *pair, approach_bound p)
{
    return is_thin(t, pair) || !exact_pair(t, pair) ? HUGE_VAL
                                                    : approach_time(p, 0.5 * approach_half_thickness(t, pair));
}

/* Negative: no memory. */
static double bound_of_pair(compliant_work *t, const carom_state *s, const broad_pair *pair, double dt,
                            approach_rule rule, double *distance)
{
    approach_bound p = approach_of_pair(t, s, pair);
    double limit = approach_distance(p, dt);
    double gap = broad_pair_box_gap(t, pair);
    if (gap >= limit) {
        return dt;
    }
    if (gap <= 0.0 && !measure_gap(t, pair, limit, &gap)) {
        return -1.0;
    }
    *distance = gap < limit ? fmin(*distance, gap) : *distance;
    if (gap >= limit) {
        return dt;
    }
    double speed = p.speed + p.acceleration * dt;
    double least = speed > 0.0 ? rule.fraction * admitted_depth(t, pair, speed) / speed : dt;
    if (gap <= 0.0) {
        return fmin(dt, rule.follow ? least : time_to_pass(t, pair, p));
    }
    double apart = approach_time(p, gap);
    return fmin(dt, rule.follow && apart > least ? apart : apart + least);
}

double approach_step(compliant_work *t, carom_scratch *w, const carom_state *s, double dt, approach_rule rule,
                     double *distance)
{
    *distance = HUGE_VAL;
    find_bounds(t, w, s, dt);
    find_margins(t, dt);
    work_place(w, *s->time, state_motion(s));
    near_place(t->near, w->pose, w->q, t->margin);
    if (!compliant_find_pairs(t)) {
        return -1.0;
    }
    double longest = dt;
    for (size_t k = 0; k < t->pair_count && longest >= 0.0; ++k) {
        longest = fmin(longest, bound_of_pair(t, s, &t->pairs[k], longest, rule, distance));
    }
    if (longest < 0.0) {
        return -1.0;
    }
    longest = skins_step(t, w, s, longest, rule.fraction, distance);
    return clearance_step(t, w, s, longest, rule.fraction, distance);
}
