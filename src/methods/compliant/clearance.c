/* Gaps of joints with clearance.
 *
 * Revolute: e is the offset of the journal's middle p_b from the bearing's axis, across it. The gap is play - |e|, its
 * gradient for p_b is -e/|e|, and so it is for every material point of B on the line through p_b along e: there the
 * force acts, r (the journal's radius) further out, in the middle of the overlap. Friction at that point has the lever
 * of the surface about both axes.
 *
 * Prismatic: the slider is a rectangle with the half width r and the length L, its corners at p_b +- r x_b +- L/2 z_b;
 * the guide's walls are the planes x = +-(r + play) of A. Every corner may meet either wall: a short slider can turn
 * round. */
#include "methods/compliant/clearance.h"

enum { CORNERS = 4, CORNERS_AND_WALLS = 2 * CORNERS };

static int place_count(const model_joint *joint)
{
    return joint->type == &carom_joint_prismatic_play ? CORNERS_AND_WALLS : 1;
}

/* Where B may touch A: the gap, the normal from A to B, and the middle between both surfaces. */
typedef struct place {
    double gap;
    v3 normal_w;
    v3 p_w;
    double lift;    /* [m] from p_w along the normal to the point that decides the gap */
    double offset;  /* [m] of a journal's middle; 0: the normal is fixed to A */
    double far_gap; /* [m] to the opposite side */
} place;

static place journal(const model_joint *joint, const marker *a, const marker *b)
{
    v3 d = v3_sub(b->p_w, a->p_w);
    v3 z = marker_z(a);
    v3 e = v3_axpy(d, -v3_dot(d, z), z);
    double offset = v3_norm(e);
    v3 out_w = offset > 0.0 ? v3_scale(1.0 / offset, e) : marker_x(a); /* in the middle there is no direction */
    double gap = joint->clearance - offset;
    double lift = joint->bearing_radius + 0.5 * gap;
    return (place){ .gap = gap,
                    .normal_w = v3_neg(out_w),
                    .p_w = v3_axpy(b->p_w, lift, out_w),
                    .lift = lift,
                    .offset = offset,
                    .far_gap = joint->clearance + offset };
}

/* A corner, k & 1 its side and k & 2 its end, before the wall on its side, or with k & CORNERS before the opposite one. */
static place corner(const model_joint *joint, const marker *a, const marker *b, int k)
{
    double side = k & 1 ? 1.0 : -1.0;
    double end = k & 2 ? 0.5 : -0.5;
    v3 wall_w = v3_scale(k & CORNERS ? -side : side, marker_x(a));
    v3 corner_w = v3_axpy(b->p_w, side * joint->bearing_radius, marker_x(b));
    corner_w = v3_axpy(corner_w, end * joint->guide_length, marker_z(b));
    double gap = joint->bearing_radius + joint->clearance - v3_dot(wall_w, v3_sub(corner_w, a->p_w));
    return (place){
        .gap = gap, .normal_w = v3_neg(wall_w), .p_w = v3_axpy(corner_w, 0.5 * gap, wall_w), .far_gap = HUGE_VAL
    }; /* the opposite wall is a place of its own */
}

static place place_of(const carom_scratch *w, const model_joint *joint, int k)
{
    marker a = work_marker(w, joint->body[0], &joint->marker_c[0]);
    marker b = work_marker(w, joint->body[1], &joint->marker_c[1]);
    return place_count(joint) == 1 ? journal(joint, &a, &b) : corner(joint, &a, &b, k);
}

/* ---- touching ---------------------------------------------------------------------------------------------------- */

static void add_touch(touch_work *t, const carom_scratch *w, int j, int k, const place *at)
{
    const model_joint *joint = &t->model->joints[j];
    near_pair *pair = &t->pairs[t->pair_count++];
    touch *c = &t->touches[t->touch_count];
    *pair = (near_pair){ .a = t->model->collider_count + j,
                         .b = k,
                         .joint = j,
                         .interaction = joint->interaction,
                         .first = t->touch_count++,
                         .count = 1 };
    *c = (touch){ .body_p = joint->body[1],
                  .body_f = joint->body[0],
                  .gap = at->gap,
                  .weight = 1.0,
                  .gradient_w = at->normal_w,
                  .normal_w = at->normal_w,
                  .p_w = at->p_w,
                  .lift = at->lift,
                  .turning = at->offset > 0.0 ? 1.0 / at->offset : 0.0 }; /* times the force, once it is known */
    touch_set_motion(c, w);
    pair->approach = joint->interaction->law->remembers_approach ? touch_approach_speed(t, pair) : 0.0;
}

bool clearance_find(touch_work *t, const carom_scratch *w)
{
    for (int j = 0; j < t->model->joint_count; ++j) {
        const model_joint *joint = &t->model->joints[j];
        int count = joint->clearance > 0.0 ? place_count(joint) : 0;
        if (count > 0 &&
            (!touch_reserve_pairs(t, t->pair_count + count) || !touch_reserve(t, t->touch_count + count))) {
            return false;
        }
        for (int k = 0; k < count; ++k) {
            place at = place_of(w, joint, k);
            if (at.gap < 0.0) {
                add_touch(t, w, j, k, &at);
            }
        }
    }
    return true;
}

/* ---- approaching ------------------------------------------------------------------------------------------------- */

static v3 acceleration_at(const body_rate *rate, const body_rate *acceleration, v3 r)
{
    v3 centripetal = v3_cross(rate->omega_w, v3_cross(rate->omega_w, r));
    return v3_add(point_velocity(acceleration, r), centripetal);
}

/* Speed and acceleration [m/s, m/s^2] of B's material against A's at a place. */
static approach_bound approach_at(const carom_scratch *w, const carom_state *s, const int body[2], v3 p_w)
{
    v3 v[2];
    v3 acceleration[2];
    for (int side = 0; side < 2; ++side) {
        const body_rate *rate = &w->rate[body[side]];
        v3 r = v3_sub(p_w, w->pose[body[side]].x_w);
        v[side] = point_velocity(rate, r);
        acceleration[side] = acceleration_at(rate, &s->acceleration[body[side]], r);
    }
    return (approach_bound){ v3_norm(v3_sub(v[1], v[0])), v3_norm(v3_sub(acceleration[1], acceleration[0])) };
}

static double expected_depth(const carom_model *model, const model_joint *joint, double speed)
{
    double inverse = 0.0;
    for (int side = 0; side < 2; ++side) {
        double m = model->bodies[joint->body[side]].mass; /* 0 unless free */
        inverse += m > 0.0 ? 1.0 / m : 0.0;
    }
    const model_interaction *i = joint->interaction;
    return law_depth_for_energy(i->law, i->law_params, 0.5 * speed * speed / inverse);
}

/* A place in touch is left to the error control; the other side of the play must not be overrun all the same. */
static double bound_of_place(const touch_work *t, const carom_scratch *w, const carom_state *s,
                             const model_joint *joint, const place *at, double dt, double fraction)
{
    v3 decides_w = v3_axpy(at->p_w, at->lift, at->normal_w);
    approach_bound p = approach_at(w, s, joint->body, decides_w);
    double gap = at->gap > 0.0 ? at->gap : at->far_gap;
    double closed = approach_time(p, gap);
    double speed = p.speed + p.acceleration * dt;
    if (!isfinite(closed) || !isfinite(gap)) {
        return dt;
    }
    double depth = fmin(expected_depth(t->model, joint, speed), joint->clearance);
    return fmin(dt, closed + fraction * depth / speed);
}

double clearance_step(const touch_work *t, const carom_scratch *w, const carom_state *s, double dt, double fraction,
                      double *distance)
{
    for (int j = 0; j < t->model->joint_count; ++j) {
        const model_joint *joint = &t->model->joints[j];
        for (int k = 0; joint->clearance > 0.0 && k < place_count(joint); ++k) {
            place at = place_of(w, joint, k);
            *distance = fmin(*distance, at.gap);
            dt = bound_of_place(t, w, s, joint, &at, dt, fraction);
        }
    }
    return dt;
}
