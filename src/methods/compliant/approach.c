/* Bounds on the step from the motion of pairs that are not yet in touch: conservative advancement with the boxes, then
 * with the distance fields, whose values are lower bounds of the distance. Accelerations count, so that a body released
 * above another does not fall through it in one long step; and the prescribed motion of kinematic bodies is looked at
 * ahead, because no error control does. */
#include "methods/compliant/approach.h"

#include "methods/compliant/clearance.h"

/* How fast the points of a pair approach each other at most. */
typedef struct pace {
    double speed;        /* [m/s]   */
    double acceleration; /* [m/s^2] */
} pace;

/* ---- how fast bodies move ---------------------------------------------------------------------------------------- */

static body_pace pace_of(const body_rate *rate, const body_rate *acceleration)
{
    return (body_pace){ v3_norm(rate->v_w), v3_norm(rate->omega_w), v3_norm(acceleration->v_w),
                        v3_norm(acceleration->omega_w) };
}

static void keep_faster(body_pace *p, body_pace q)
{
    *p = (body_pace){ fmax(p->speed, q.speed), fmax(p->spin, q.spin), fmax(p->acceleration, q.acceleration),
                      fmax(p->spin_up, q.spin_up) };
}

static bool any_kinematic(const carom_model *model)
{
    for (int i = 0; i < model->collider_count; ++i) {
        if (model->bodies[model->colliders[i].body].role == BODY_KINEMATIC) {
            return true;
        }
    }
    return false;
}

/* Free bodies as they are now; kinematic ones at their fastest within dt, as far as samples show. */
static void find_paces(touch_work *t, carom_scratch *w, const carom_state *s, double dt)
{
    enum { SAMPLES = 16 };
    for (int i = 0; i < t->model->body_count; ++i) {
        t->pace[i] = pace_of(&s->rate[i], &s->acceleration[i]);
    }
    for (int k = 1; k <= SAMPLES && any_kinematic(t->model); ++k) {
        work_place(w, *s->time + dt * k / SAMPLES, state_motion(s));
        for (int i = 0; i < t->model->body_count; ++i) {
            if (t->model->bodies[i].role == BODY_KINEMATIC) {
                keep_faster(&t->pace[i], pace_of(&w->rate[i], &w->prescribed[i]));
            }
        }
    }
}

static void add_rotation(pace *p, const body_pace *body, double lever)
{
    if (body->spin > 0.0 || body->spin_up > 0.0) { /* else the lever may be infinite */
        p->speed += body->spin * lever;
        p->acceleration += (body->spin_up + body->spin * body->spin) * lever;
    }
}

/* The lever of a collider's rotation where it may meet another: as far as it reaches, or for a half-space as far away as
 * the other is. */
static double lever(const touch_work *t, const carom_state *s, int own, int other)
{
    if (isfinite(t->near->reach[own])) {
        return t->near->reach[own];
    }
    const model_collider *o = &t->model->colliders[other];
    v3 between = v3_sub(s->pose[o->body].x_w, s->pose[t->model->colliders[own].body].x_w);
    return v3_norm(between) + v3_norm(o->pose_c.position) + collider_radius(o->collider);
}

/* The motion of b relative to a at any of their points: translation together where both move freely, rotation each. */
static pace pace_of_pair(const touch_work *t, const carom_state *s, const near_pair *pair)
{
    int body[2];
    touch_bodies(t, pair, body);
    const body_pace *a = &t->pace[body[0]];
    const body_pace *b = &t->pace[body[1]];
    pace out = { a->speed + b->speed, a->acceleration + b->acceleration };
    if (t->model->bodies[body[0]].role == BODY_FREE && t->model->bodies[body[1]].role == BODY_FREE) {
        out.speed = v3_norm(v3_sub(s->rate[body[0]].v_w, s->rate[body[1]].v_w));
        out.acceleration = v3_norm(v3_sub(s->acceleration[body[0]].v_w, s->acceleration[body[1]].v_w));
    }
    add_rotation(&out, a, lever(t, s, pair->a, pair->b));
    add_rotation(&out, b, lever(t, s, pair->b, pair->a));
    return out;
}

static double distance_covered(pace p, double dt)
{
    return dt * (p.speed + 0.5 * dt * p.acceleration);
}

/* The time after which a gap may be closed: speed t + acceleration t^2 / 2 = gap. */
static double time_to_close(pace p, double gap)
{
    double rate = p.speed + sqrt(p.speed * p.speed + 2.0 * p.acceleration * gap);
    return rate > 0.0 ? 2.0 * gap / rate : HUGE_VAL;
}

/* Every box wider by what its own motion may cover, so that pairs that can meet within dt overlap. Planes are infinite
 * already. */
static void find_margins(touch_work *t, double dt)
{
    for (int i = 0; i < t->model->collider_count; ++i) {
        const body_pace *body = &t->pace[t->model->colliders[i].body];
        pace p = { body->speed, body->acceleration };
        if (isfinite(t->near->reach[i])) {
            add_rotation(&p, body, t->near->reach[i]);
        }
        t->margin[i] = distance_covered(p, dt);
    }
}

/* ---- how deep they may get --------------------------------------------------------------------------------------- */

static double reduced_mass(const carom_model *model, const int body[2])
{
    double inverse = 0.0;
    for (int i = 0; i < 2; ++i) {
        double m = model->bodies[body[i]].mass; /* 0 unless free */
        inverse += m > 0.0 ? 1.0 / m : 0.0;
    }
    return 1.0 / inverse;
}

/* The weight of a touching point of the pair. */
static double weight_of(const touch_work *t, const near_pair *pair)
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
static double expected_depth(const touch_work *t, const near_pair *pair, double speed)
{
    int body[2];
    touch_bodies(t, pair, body);
    double energy = 0.5 * reduced_mass(t->model, body) * speed * speed;
    return law_depth_for_energy(pair->interaction->law, pair->interaction->law_params, energy / weight_of(t, pair));
}

/* Half the thickness of the thinner of two colliders: who gets deeper is pushed out on the far side. */
static double half_thickness(const touch_work *t, const near_pair *pair)
{
    v3 a = t->near->box_w[pair->a].half;
    v3 b = t->near->box_w[pair->b].half;
    return fmin(fmin(fmin(a.x, a.y), a.z), fmin(fmin(b.x, b.y), b.z));
}

/* How deep a step may end in a new touch, as a part of the depth to come; of sheets, whose thickness would stop the
 * clock, a hundredth of that depth. */
static double admitted_depth(const touch_work *t, const near_pair *pair, double speed)
{
    double depth = expected_depth(t, pair, speed);
    return fmin(depth, fmax(half_thickness(t, pair), 0.01 * depth));
}

/* ---- the bound ----------------------------------------------------------------------------------------------------- */

static double bound_of_pair(const touch_work *t, const carom_state *s, const near_pair *pair, double dt,
                            double fraction, double *distance)
{
    pace p = pace_of_pair(t, s, pair);
    double limit = distance_covered(p, dt);
    double gap = touch_box_gap(t, pair);
    if (gap >= limit) {
        return dt;
    }
    if (gap <= 0.0) {
        gap = model_pair_distance(t->model, pair->a, pair->b, t->near->pose_w, limit);
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
    find_paces(t, w, s, dt);
    find_margins(t, dt);
    work_place(w, *s->time, state_motion(s));
    near_place(t->near, w->pose, t->margin);
    if (!touch_find_pairs(t)) {
        return -1.0;
    }
    double longest = dt;
    for (size_t k = 0; k < t->pair_count; ++k) {
        longest = fmin(longest, bound_of_pair(t, s, &t->pairs[k], longest, fraction, distance));
    }
    return clearance_step(t, w, s, longest, fraction, distance);
}
