/* Joints with clearance: their pairs of features (contact/clearance.h) touch like detection points of surfaces.
 *
 * The force acts in the middle of the overlap. For a journal the gradient of the gap is the same for every material point of
 * B on the line through its middle along the normal, so that friction has the lever of the surface about both axes. A corner
 * of a soft slider may meet either wall: all pairs count, however long the slider is. */
#include "methods/compliant/clearance.h"

#include "contact/candidate.h"
#include "contact/clearance.h"
#include "methods/compliant/approach.h"

/* Where B may touch A: the gap, the normal from A to B, and the middle between both surfaces. */
typedef struct place {
    double gap;
    v3 normal_w;
    v3 p_w;
    double lift;    /* [m] from p_w along the normal to the point that decides the gap */
    double offset;  /* [m] of a journal's middle; 0: the normal is fixed to A */
    double far_gap; /* [m] to the opposite side */
} place;

/* What a joint's marker acts on; the frame of its body where that is rigid. */
static body_place marker_place(const model_joint *joint, int side)
{
    body_place at = joint_place(joint, side);
    return (body_place){ at.body, at.point->psi ? at.point : NULL };
}

/* A bearing of a body that deforms is where its attachment has got to, as a rigid part. */
static gap_motion bearing_motion(const carom_scratch *w, const model_joint *joint, int side)
{
    const body_place at = marker_place(joint, side);
    gap_motion m = contact_motion(&w->pose[at.body], &w->rate[at.body]);
    if (at.point) {
        const marker now = work_marker(w, at.body, at.point);
        m.pose_w.orientation = q_mul(q_from_matrix(now.R_w), q_conj(at.point->orientation));
        m.pose_w.position = v3_sub(now.p_w, q_rotate(m.pose_w.orientation, at.point->position));
    }
    return m;
}

static place place_of(const carom_scratch *w, const model_joint *joint, const gap_feature *f)
{
    gap_value g;
    gap_motion b = bearing_motion(w, joint, 1);
    gap_motion a = bearing_motion(w, joint, 0);
    gap_measure(f, &b, &a, &g); /* generator 0 sits on the joint's B */
    place at = { .gap = g.gap, .normal_w = g.normal_w, .p_w = g.point_w, .far_gap = HUGE_VAL };
    if (f->kind == GAP_POINT_IN_RING) { /* else the opposite wall is a place of its own */
        at.lift = joint->bearing_radius + 0.5 * g.gap;
        at.offset = joint->clearance - g.gap;
        at.far_gap = joint->clearance + at.offset;
    }
    return at;
}

/* ---- touching ---------------------------------------------------------------------------------------------------- */

static void add_contact(compliant_work *t, const carom_scratch *w, int j, int k, const place *at)
{
    const model_joint *joint = &t->model->joints[j];
    broad_pair *pair = &t->pairs[t->pair_count++];
    touching_point *c = &t->contacts[t->contact_count];
    *pair = (broad_pair){ .a = t->model->collider_count + j,
                          .b = k,
                          .joint = j,
                          .skin = -1,
                          .interaction = joint->interaction,
                          .first = t->contact_count++,
                          .count = 1 };
    *c = (touching_point){ .p = marker_place(joint, 1),
                           .f = marker_place(joint, 0),
                           .gap = at->gap,
                           .weight = 1.0,
                           .gradient_w = at->normal_w,
                           .normal_w = at->normal_w,
                           .p_w = at->p_w,
                           .lift = at->lift,
                           .turning = at->offset > 0.0 ? 1.0 / at->offset
                                                       : 0.0 }; /* times the force, once it is known */
    touching_point_set_motion(c, w);
    pair->approach = joint->interaction->law->remembers_approach ? compliant_approach_speed(t, w, pair) : 0.0;
}

bool clearance_find(compliant_work *t, const carom_scratch *w)
{
    for (int j = 0; j < t->model->joint_count; ++j) {
        const model_joint *joint = &t->model->joints[j];
        gap_feature features[CLEARANCE_MOST];
        int count = clearance_features(joint, features);
        if (count > 0 &&
            (!compliant_reserve_pairs(t, t->pair_count + count) || !compliant_reserve(t, t->contact_count + count))) {
            return false;
        }
        for (int k = 0; k < count; ++k) {
            place at = place_of(w, joint, &features[k]);
            if (at.gap < 0.0) {
                add_contact(t, w, j, k, &at);
            }
        }
    }
    return true;
}

/* ---- approaching ------------------------------------------------------------------------------------------------- */

/* Speed and acceleration [m/s, m/s^2] of B's material against A's at a place. */
static approach_bound approach_at(const carom_scratch *w, const carom_state *s, const model_joint *joint, v3 p_w)
{
    v3 v[2];
    v3 acceleration[2];
    for (int side = 0; side < 2; ++side) {
        body_place at = marker_place(joint, side);
        v3 omega = w->rate[at.body].omega_w;
        v3 r = v3_sub(p_w, w->pose[at.body].x_w);
        v[side] = work_point_velocity(w, at, r, rates_of(work_motion(w)));
        v3 linear = work_point_velocity(w, at, r, (motion_rates){ .rate = s->acceleration, .q_dot = s->q_ddot });
        acceleration[side] = v3_add(linear, v3_cross(omega, v3_cross(omega, r)));
    }
    return (approach_bound){ v3_norm(v3_sub(v[1], v[0])), v3_norm(v3_sub(acceleration[1], acceleration[0])) };
}

static double expected_depth(const carom_model *model, const model_joint *joint, double speed)
{
    const model_interaction *i = joint->interaction;
    double energy = 0.5 * approach_reduced_mass(model, joint->body) * speed * speed;
    return law_depth_for_energy(i->law, i->law_params, energy);
}

/* A place in touch is left to the error control; the other side of the play must not be overrun all the same. */
static double bound_of_place(const compliant_work *t, const carom_scratch *w, const carom_state *s,
                             const model_joint *joint, const place *at, double dt, double fraction)
{
    v3 decides_w = v3_axpy(at->p_w, at->lift, at->normal_w);
    approach_bound p = approach_at(w, s, joint, decides_w);
    double gap = at->gap > 0.0 ? at->gap : at->far_gap;
    double closed = approach_time(p, gap);
    double speed = p.speed + p.acceleration * dt;
    if (!isfinite(closed) || !isfinite(gap)) {
        return dt;
    }
    double depth = fmin(expected_depth(t->model, joint, speed), joint->clearance);
    return fmin(dt, closed + fraction * depth / speed);
}

double clearance_step(const compliant_work *t, const carom_scratch *w, const carom_state *s, double dt,
                      double fraction, double *distance)
{
    for (int j = 0; j < t->model->joint_count; ++j) {
        const model_joint *joint = &t->model->joints[j];
        gap_feature features[CLEARANCE_MOST];
        int count = clearance_features(joint, features);
        for (int k = 0; k < count; ++k) {
            place at = place_of(w, joint, &features[k]);
            *distance = fmin(*distance, at.gap);
            dt = bound_of_place(t, w, s, joint, &at, dt, fraction);
        }
    }
    return dt;
}
