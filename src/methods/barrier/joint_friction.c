/* Dry friction in joints, lagged as that of contacts: a potential mu N f0(|u|) of the slip u since the step began, with the load N of
 * the bearing by the multipliers of the last solve. Where a joint rubs and what presses there is the joint's own
 * (elements/joints/joint.h). f0 is smoothed below the stick speed, so that joints under load creep.
 *
 * Slip has two parts: points of both bodies that lie together slide along a direction of A, and B turns against A. Bodies that move
 * as one have none of either, however far they move in a step. */
#include "methods/barrier/joint_friction.h"

#include "dynamics/columns.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/system.h"
#include "methods/barrier/workspace.h"

static bool joint_rubs(const model_joint *joint)
{
    return joint->friction.given && joint->friction.coefficient > 0.0 && joint->type->friction;
}

void joint_friction_create(barrier_work *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        if (joint_rubs(&w->model->joints[j])) {
            w->rubs[w->rub_count++] = (joint_rub){ .joint = j };
        }
    }
}

static const int *bodies_of(const barrier_work *w, const joint_rub *r)
{
    return w->model->joints[r->joint].body;
}

/* ---- slip ------------------------------------------------------------------------------------------------------------------- */

/* [s] over which slip is measured: that of the velocities of free bodies. */
static double time_of(const barrier_work *w, const joint_rub *r)
{
    const int *body = bodies_of(w, r);
    return w->bodies[body[w->bodies[body[0]].free ? 0 : 1]].h_rate;
}

static double width_of(const barrier_work *w, const joint_rub *r)
{
    return stick_speed_of(w, w->range_least) * time_of(w, r);
}

/* [rad] since the reference of the velocities. */
static v3 turn_of(const moving_body *b, v3 *whole)
{
    *whole = so3_log(q_mul(b->at.q_wb, q_conj(b->begin.q_wb)));
    return v3_sub(*whole, b->turn_ref);
}

/* Slip along the rows, and its derivatives by the twists. */
typedef struct joint_slip {
    double u[JOINT_SLIP]; /* [m] */
    double size;
    double row[2][JOINT_SLIP][COLUMNS];
} joint_slip;

/* What one body adds. */
static void add_side(const barrier_work *w, const joint_rub *r, int side, joint_slip *s)
{
    const moving_body *b = &w->bodies[bodies_of(w, r)[side]];
    double sign = side == 0 ? -1.0 : 1.0;
    v3 whole;
    v3 arm = m3_mulv(b->R, r->arm_b[side]);
    v3 moved = v3_add(v3_sub(b->at.x_w, b->x_ref), v3_sub(arm, m3_mulv(b->R_ref, r->arm_b[side])));
    v3 turn = turn_of(b, &whole);
    m3 tangent = so3_tangent_inverse(whole);
    for (int k = 0; k < r->dim; ++k) {
        v3 along = v3_scale(sign, r->along[k]);
        v3 turning = r->turning[side][k];
        s->u[k] += v3_dot(along, moved) + v3_dot(turning, turn);
        v3_store(s->row[side][k], along);
        v3_store(s->row[side][k] + 3, v3_add(v3_cross(arm, along), m3_tmulv(tangent, turning)));
    }
}

static joint_slip slip_of(const barrier_work *w, const joint_rub *r)
{
    joint_slip s = { .size = 0.0 };
    add_side(w, r, 0, &s);
    add_side(w, r, 1, &s);
    for (int k = 0; k < r->dim; ++k) {
        s.size += s.u[k] * s.u[k];
    }
    s.size = sqrt(s.size);
    return s;
}

/* [N, N m] friction on a body, about its centre of mass. */
static wrench wrench_on(const barrier_work *w, const joint_rub *r, const joint_slip *s, int side)
{
    wrench on = { v3_zero(), v3_zero() };
    double per_slip = -r->bound * smooth_slip_at(s->size, width_of(w, r)).per_slip;
    for (int k = 0; k < r->dim; ++k) {
        on.force_w = v3_axpy(on.force_w, per_slip * s->u[k], v3_load(s->row[side][k]));
        on.torque_w = v3_axpy(on.torque_w, per_slip * s->u[k], v3_load(s->row[side][k] + 3));
    }
    return on;
}

/* ---- lag -------------------------------------------------------------------------------------------------------------------- */

/* [N] sum of the sizes of all loads of the bearing. */
static double load_of(const joint_friction *f, const double *lambda, int rows)
{
    double sum = 0.0;
    for (int l = 0; l < f->load_count; ++l) {
        double square = 0.0;
        for (int i = 0; i < f->loads[l].dim; ++i) {
            double component = 0.0;
            for (int k = 0; k < rows; ++k) {
                component += f->loads[l].map[i][k] * lambda[k];
            }
            square += component * component;
        }
        sum += sqrt(square);
    }
    return sum;
}

/* Directions and load where the joints were placed. */
static void renew(const barrier_work *w, const carom_scratch *s, joint_rub *r)
{
    const model_joint *joint = &w->model->joints[r->joint];
    const carom_joint_frames *frames = &s->frames[r->joint];
    joint_friction f;
    joint->type->friction(&f, frames, &joint->friction, joint->params);
    v3 point = v3_add(w->bodies[joint->body[1]].at.x_w, frames->b.r_w);
    r->dim = f.dim;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[joint->body[side]];
        v3 arm = v3_sub(point, b->at.x_w);
        r->arm_b[side] = m3_tmulv(b->R, arm);
        for (int k = 0; k < f.dim; ++k) {
            const double *row = side == 0 ? f.slip.a[k] : f.slip.b[k];
            r->along[k] = v3_load(f.slip.b[k]);
            r->turning[side][k] = v3_sub(v3_load(row + 3), v3_cross(arm, v3_load(row)));
        }
    }
    r->bound = joint->friction.coefficient * load_of(&f, w->lambda + joint->first_row, joint->type->equation_count);
}

/* [m/s] by which a change of friction changes the velocity of any point of a body in a step. */
static double speed_of(const barrier_work *w, int body, wrench from, wrench to)
{
    const moving_body *b = &w->bodies[body];
    if (!b->free) {
        return 0.0;
    }
    v3 turn = m3_mulv(m3_inverse(b->inertia_b), m3_tmulv(b->R, v3_sub(to.torque_w, from.torque_w)));
    return w->h * (v3_norm(v3_sub(to.force_w, from.force_w)) / b->mass + v3_norm(turn) * b->reach);
}

void joint_friction_renew(barrier_work *w, const island *isle, int lag, double tolerance, bool *settled)
{
    if (!isle->mechanism || w->rub_count == 0) {
        return;
    }
    joints_place(w, isle);
    for (int k = 0; k < w->rub_count; ++k) {
        const joint_rub *r = &w->rubs[k];
        joint_rub *fresh = &w->fresh_rubs[k];
        const int *body = bodies_of(w, r);
        wrench from[2] = { { v3_zero(), v3_zero() }, { v3_zero(), v3_zero() } };
        for (int side = 0; lag > 0 && side < 2; ++side) {
            joint_slip s = slip_of(w, r);
            from[side] = wrench_on(w, r, &s, side);
        }
        *fresh = *r;
        renew(w, w->scratch, fresh);
        joint_slip s = slip_of(w, fresh);
        for (int side = 0; side < 2; ++side) {
            *settled = *settled && speed_of(w, body[side], from[side], wrench_on(w, fresh, &s, side)) <= tolerance;
        }
    }
}

void joint_friction_take_over(barrier_work *w, const island *isle)
{
    for (int k = 0; isle->mechanism && k < w->rub_count; ++k) {
        w->rubs[k] = w->fresh_rubs[k];
    }
}

/* ---- potential -------------------------------------------------------------------------------------------------------------- */

double joint_friction_value(const barrier_work *w, const island *isle)
{
    double sum = 0.0;
    for (int k = 0; isle->mechanism && k < w->rub_count; ++k) {
        const joint_rub *r = &w->rubs[k];
        sum += r->bound * smooth_slip_at(slip_of(w, r).size, width_of(w, r)).value;
    }
    return sum;
}

/* Along the slip f0'', across it f0'/|u|; f0'/|u| all ways is an upper bound. */
static void find_stiffness(const joint_rub *r, const joint_slip *s, const smooth_slip *law, bool upper_bound,
                           double M[JOINT_SLIP][JOINT_SLIP])
{
    double along = upper_bound ? law->per_slip : law->curvature;
    for (int i = 0; i < r->dim; ++i) {
        for (int k = 0; k < r->dim; ++k) {
            double n = s->size > 0.0 ? s->u[i] / s->size * (s->u[k] / s->size) : 0.0;
            M[i][k] = r->bound * (law->per_slip * ((i == k) - n) + along * n);
        }
    }
}

/* block += sum of M[i][k] a_i b_k' */
static void add_product(double *block, int dim, double M[JOINT_SLIP][JOINT_SLIP], double a[JOINT_SLIP][COLUMNS],
                        double b[JOINT_SLIP][COLUMNS])
{
    for (int i = 0; i < dim; ++i) {
        for (int k = 0; k < dim; ++k) {
            for (int n = 0; n < BLOCK; ++n) {
                block[n] += M[i][k] * a[i][n / COLUMNS] * b[k][n % COLUMNS];
            }
        }
    }
}

/* What friction in a joint pulls at its bodies. */
static void add_pull(const barrier_work *w, const island *isle, const joint_rub *r, const joint_slip *s, wrench on[2])
{
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(w, isle, bodies_of(w, r)[side]);
        on[side] = wrench_on(w, r, s, side);
        const double pull[COLUMNS] = { on[side].force_w.x,  on[side].force_w.y,  on[side].force_w.z,
                                       on[side].torque_w.x, on[side].torque_w.y, on[side].torque_w.z };
        for (int k = 0; g && k < COLUMNS; ++k) {
            g[k] -= pull[k];
        }
    }
}

void joint_friction_add_forces(const barrier_work *w, island *isle)
{
    for (int k = 0; isle->mechanism && k < w->rub_count; ++k) {
        const joint_rub *r = &w->rubs[k];
        if (r->bound > 0.0) {
            joint_slip s = slip_of(w, r);
            wrench on[2];
            add_pull(w, isle, r, &s, on);
        }
    }
}

static void add_rub(barrier_work *w, island *isle, const joint_rub *r)
{
    const int *body = bodies_of(w, r);
    joint_slip s = slip_of(w, r);
    smooth_slip law = smooth_slip_at(s.size, width_of(w, r));
    double M[JOINT_SLIP][JOINT_SLIP];
    double cross[BLOCK] = { 0.0 };
    wrench on[2];
    find_stiffness(r, &s, &law, isle->backtracked, M);
    add_pull(w, isle, r, &s, on);
    for (int side = 0; side < 2; ++side) {
        double *H = diagonal_of(w, isle, body[side]);
        if (H) {
            moving_body *b = &w->bodies[body[side]];
            add_product(H, r->dim, M, s.row[side], s.row[side]);
            b->pressed += v3_norm(on[side].force_w);
            b->twisted += v3_norm(on[side].torque_w);
        }
    }
    add_product(cross, r->dim, M, s.row[0], s.row[1]);
    add_cross(w, isle, edge_between(w, isle, body[0], body[1]), body[0], body[1], cross);
}

void joint_friction_add(barrier_work *w, island *isle)
{
    for (int k = 0; isle->mechanism && k < w->rub_count; ++k) {
        if (w->rubs[k].bound > 0.0) {
            add_rub(w, isle, &w->rubs[k]);
        }
    }
}

/* ---- where a state stands --------------------------------------------------------------------------------------------------- */

void joint_friction_apply(barrier_work *w, carom_scratch *s)
{
    for (int k = 0; k < w->rub_count; ++k) {
        joint_rub *r = &w->rubs[k];
        const int *body = bodies_of(w, r);
        bool external = !work_is_free(s, body[0]) || !work_is_free(s, body[1]);
        if (!w->current) {
            renew(w, s, r);
        }
        joint_slip slip = slip_of(w, r);
        for (int side = 0; side < 2; ++side) {
            body_place place = joint_place(&w->model->joints[r->joint], side);
            work_apply_at(s, place, s->pose[body[side]].x_w, wrench_on(w, r, &slip, side), external);
        }
        double force = r->bound * smooth_slip_at(slip.size, width_of(w, r)).per_slip * slip.size;
        s->power.work[ACCOUNT_FRICTION] += force * slip.size / time_of(w, r);
    }
}
