/* Bounds on the step from the motion of pairs that are not yet in touch: conservative advancement with the boxes, then
 * with the distance fields, whose values are lower bounds of the distance. Accelerations count, so that a body released
 * above another does not fall through it in one long step. */
#include "methods/compliant/approach.h"

#include <string.h>

/* How fast the points of a collider move at most. */
typedef struct pace {
    double speed;        /* [m/s]   */
    double acceleration; /* [m/s^2] */
} pace;

/* The farthest point of a collider from the centre of mass of its body. */
static double reach(const model_collider *c)
{
    return v3_norm(c->pose_c.position) + collider_radius(c->collider);
}

/* The motion of b relative to a at any of their points: translation together, rotation each. */
static pace pace_of_pair(const carom_model *model, const carom_state *s, int a, int b)
{
    const model_collider *c[2] = { &model->colliders[a], &model->colliders[b] };
    const body_rate *v[2] = { &s->rate[c[0]->body], &s->rate[c[1]->body] };
    const body_rate *acc[2] = { &s->acceleration[c[0]->body], &s->acceleration[c[1]->body] };
    pace out = { v3_norm(v3_sub(v[0]->v_w, v[1]->v_w)), v3_norm(v3_sub(acc[0]->v_w, acc[1]->v_w)) };
    for (int i = 0; i < 2; ++i) {
        double omega = v3_norm(v[i]->omega_w);
        double alpha = v3_norm(acc[i]->omega_w);
        if (omega > 0.0 || alpha > 0.0) {
            double r = reach(c[i]);
            out.speed += omega * r;
            out.acceleration += (alpha + omega * omega) * r;
        }
    }
    return out;
}

static double travel(pace p, double dt)
{
    return dt * (p.speed + 0.5 * dt * p.acceleration);
}

/* The time after which a gap may be closed: speed t + acceleration t^2 / 2 = gap. */
static double time_to_close(pace p, double gap)
{
    double rate = p.speed + sqrt(p.speed * p.speed + 2.0 * p.acceleration * gap);
    return rate > 0.0 ? 2.0 * gap / rate : HUGE_VAL;
}

/* Every box wider by what its own motion may cover, so that pairs that can meet within dt overlap. */
static void widen(const touch_work *t, const carom_state *s, double dt, double *margin)
{
    for (int i = 0; i < t->model->collider_count; ++i) {
        const model_collider *c = &t->model->colliders[i];
        const body_rate *v = &s->rate[c->body];
        const body_rate *a = &s->acceleration[c->body];
        double omega = v3_norm(v->omega_w);
        double alpha = v3_norm(a->omega_w);
        pace p = { v3_norm(v->v_w), v3_norm(a->v_w) };
        if (omega > 0.0 || alpha > 0.0) {
            p.speed += omega * reach(c);
            p.acceleration += (alpha + omega * omega) * reach(c);
        }
        margin[i] = travel(p, dt);
    }
}

static double reduced_mass(const carom_model *model, const near_pair *pair)
{
    double inverse = 0.0;
    int bodies[2] = { model->colliders[pair->a].body, model->colliders[pair->b].body };
    for (int i = 0; i < 2; ++i) {
        double m = model->bodies[bodies[i]].mass;
        inverse += m > 0.0 ? 1.0 / m : 0.0;
    }
    return 1.0 / inverse;
}

/* How deep a single touching point would be driven: the energy of the approach stored by the law. */
static double expected_depth(const touch_work *t, const near_pair *pair, double speed)
{
    const model_interaction *law = pair->interaction;
    double weight = 1.0;
    if (law->per_area) {
        const collider *points = t->model->colliders[law->points[0] ? pair->a : pair->b].collider;
        weight = collider_point_count(points) > 0 ? fmax(collider_point(points, 0).area, 1e-30) : 1.0;
    }
    double energy = 0.5 * reduced_mass(t->model, pair) * speed * speed;
    return law_depth_for_energy(law->law, law->law_params, energy / weight);
}

/* Half the thickness of the thinner of two colliders: who gets deeper is pushed out on the far side. */
static double half_thickness(const touch_work *t, const near_pair *pair)
{
    v3 a = t->box_w[pair->a].half;
    v3 b = t->box_w[pair->b].half;
    return fmin(fmin(fmin(a.x, a.y), a.z), fmin(fmin(b.x, b.y), b.z));
}

/* How deep a step may end in a new touch, as a part of the depth to come; of sheets, whose thickness would stop the
 * clock, a hundredth of that depth. */
static double admitted_depth(const touch_work *t, const near_pair *pair, double speed)
{
    double depth = expected_depth(t, pair, speed);
    return fmin(depth, fmax(half_thickness(t, pair), 0.01 * depth));
}

/* The smallest gap between two colliders, no more than `limit`. */
static double pair_distance(const touch_work *t, const near_pair *pair, double limit)
{
    bool sides[2];
    double least = limit;
    touch_sides(t, pair, sides);
    for (int side = 0; side < 2; ++side) {
        if (sides[side]) {
            int points = side == 0 ? pair->a : pair->b;
            int field = side == 0 ? pair->b : pair->a;
            least = fmin(least,
                         detect_distance(t->model->colliders[field].collider, t->model->colliders[points].collider,
                                         touch_relative(t, field, points), least));
        }
    }
    return least;
}

static double bound_of_pair(const touch_work *t, const carom_state *s, const near_pair *pair, double dt,
                            double fraction, double *distance)
{
    pace p = pace_of_pair(t->model, s, pair->a, pair->b);
    double limit = travel(p, dt);
    double gap = obb_gap(&t->box_w[pair->a], &t->box_w[pair->b]);
    if (gap >= limit) {
        return dt;
    }
    if (gap <= 0.0) {
        gap = pair_distance(t, pair, limit);
    }
    *distance = gap < limit ? fmin(*distance, gap) : *distance;
    if (gap >= limit || gap <= 0.0) { /* far; or touching, where the error of the step decides */
        return dt;
    }
    double speed = p.speed + p.acceleration * dt;
    double least = speed > 0.0 ? fraction * admitted_depth(t, pair, speed) / speed : dt;
    return fmin(dt, time_to_close(p, gap) + least);
}

double approach_step(touch_work *t, carom_scratch *w, const carom_state *s, double dt, double fraction,
                     double *distance)
{
    *distance = HUGE_VAL;
    work_place(w, *s->time, s->pose, s->rate);
    widen(t, s, dt, t->travel);
    touch_place(t, w, t->travel);
    if (!touch_find_pairs(t)) {
        return -1.0;
    }
    double longest = dt;
    for (size_t k = 0; k < t->pair_count; ++k) {
        longest = fmin(longest, bound_of_pair(t, s, &t->pairs[k], longest, fraction, distance));
    }
    return longest;
}
