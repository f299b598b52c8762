/* The inertia of bodies as a potential of their poses, after [Ferguson2021 (8)-(12)].
 *
 * A step is a difference formula for rates: implicit Euler takes x' = (x - x_0) / h, BDF2 x' = (x - (4 x_0 - x_-1) / 3) / (2 h / 3),
 * and the same for momenta. Its end is the least of
 *
 *     [m |x - x_goal|^2 + tr((R - R_goal) J (R - R_goal)')] / (2 h^2) + potentials of all forces,      J = tr(I)/2 1 - I,
 *
 * where the goal is the end of a step without forces. Unlike the paper's, the goal of the rotation is a rotation: that of a free
 * body, whose angular momentum stays. So free flight is free of numerical damping, of spin as of translation, and the angular
 * momentum of a step changes by its torques and nothing else. With N = R J R_goal' the derivatives by the twist (v, w) at the
 * iterate are
 *
 *     gradient   m (x - x_goal) / h^2,   (N21 - N12, N02 - N20, N10 - N01) / h^2
 *     Hessian    m / h^2,                (tr(N) 1 - sym N) / h^2. */
#include "methods/barrier/bodies.h"

#include "methods/barrier/system.h"

static v3 angular_velocity(const moving_body *b, m3 R, v3 momentum)
{
    return m3_mulv(R, m3_mulv(m3_inverse(b->inertia_b), m3_tmulv(R, momentum)));
}

static v3 angular_momentum(const moving_body *b, m3 R, v3 omega)
{
    return m3_mulv(R, m3_mulv(b->inertia_b, m3_tmulv(R, omega)));
}

/* ---- goals ---------------------------------------------------------------------------------------------------------------- */

/* A free rotation: the angular momentum stays. The midpoint rule in parts of a quarter of a radian, each a fixed point that
 * contracts by the turn of the part. */
static quat free_rotation(const moving_body *b, double h)
{
    enum { MOST_PARTS = 64, PASSES = 8 };
    static const double LONGEST = 0.25; /* [rad] */
    double turn = h * v3_norm(b->rate.omega_w);
    int parts = turn < LONGEST * MOST_PARTS ? 1 + (int)(turn / LONGEST) : MOST_PARTS;
    quat q = b->begin.q_wb;
    v3 omega = b->rate.omega_w;
    if (!(turn > 0.0)) {
        return q;
    }
    for (int k = 0; k < parts; ++k) {
        for (int pass = 0; pass < PASSES; ++pass) {
            quat middle = q_mul(so3_exp(v3_scale(0.5 * h / parts, omega)), q);
            v3 next = angular_velocity(b, q_matrix(middle), b->spin);
            bool same = v3_norm(v3_sub(next, omega)) <= 1e-15 * v3_norm(next);
            omega = next;
            if (same) {
                break;
            }
        }
        q = q_unit(q_mul(so3_exp(v3_scale(h / parts, omega)), q));
    }
    return q;
}

/* What velocities are measured against. Motions that are given are measured as those of free bodies: who rides on them does not slip. */
static void refer_euler(moving_body *b, double h)
{
    b->h_rate = h;
    b->inertia_per = 1.0 / (h * h);
    b->x_ref = b->begin.x_w;
    b->R_ref = q_matrix(b->begin.q_wb);
    b->turn_ref = v3_zero();
}

/* `last` is what the body has moved and turned in the step before, from the orientation R_before. */
static void refer_bdf2(moving_body *b, double h, const body_rate *last, m3 *R_before)
{
    static const double THIRD = 1.0 / 3.0;
    *R_before = q_matrix(q_mul(so3_exp(v3_neg(last->omega_w)), b->begin.q_wb));
    b->h_rate = 2.0 * THIRD * h;
    b->inertia_per = 1.0 / (b->h_rate * b->h_rate);
    b->x_ref = v3_axpy(b->begin.x_w, THIRD, last->v_w);
    b->R_ref = m3_add(m3_scale(4.0 * THIRD, q_matrix(b->begin.q_wb)), m3_scale(-THIRD, *R_before));
    b->turn_ref = v3_scale(THIRD, last->omega_w);
}

static void aim_euler(moving_body *b, double h)
{
    refer_euler(b, h);
    b->spin = angular_momentum(b, b->R_ref, b->rate.omega_w);
    b->x_goal = v3_axpy(b->begin.x_w, h, b->rate.v_w);
    b->R_goal = q_matrix(free_rotation(b, h));
}

/* The turn without torques: its rate at the end is that of the extrapolated angular momentum. */
static v3 free_turn_bdf2(const moving_body *b)
{
    enum { PASSES = 8 };
    v3 turn = v3_axpy(b->turn_ref, b->h_rate, b->rate.omega_w);
    for (int pass = 0; pass < PASSES; ++pass) {
        m3 R = q_matrix(q_mul(so3_exp(turn), b->begin.q_wb));
        v3 rate = m3_mulv(so3_tangent_inverse(turn), angular_velocity(b, R, b->spin));
        turn = v3_axpy(b->turn_ref, b->h_rate, rate);
    }
    return turn;
}

/* `before` is the velocity with which the step before began. */
static void aim_bdf2(moving_body *b, double h, const body_rate *last, const body_rate *before)
{
    static const double THIRD = 1.0 / 3.0;
    m3 R = q_matrix(b->begin.q_wb);
    m3 R_before;
    refer_bdf2(b, h, last, &R_before);
    v3 momentum = angular_momentum(b, R, b->rate.omega_w);
    v3 momentum_before = angular_momentum(b, R_before, before->omega_w);
    b->spin = v3_axpy(v3_scale(4.0 * THIRD, momentum), -THIRD, momentum_before);
    v3 rate = v3_axpy(v3_scale(4.0 * THIRD, b->rate.v_w), -THIRD, before->v_w);
    b->x_goal = v3_axpy(b->x_ref, b->h_rate, rate);
    b->R_goal = q_matrix(q_mul(so3_exp(free_turn_bdf2(b)), b->begin.q_wb));
}

void bodies_begin(barrier_work *w, const carom_state *s)
{
    v3 fall = v3_scale(w->h * w->h, w->model->scene.gravity);
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        b->at = b->begin = s->pose[i];
        b->R = q_matrix(b->begin.q_wb);
        b->rate = s->rate[i];
        b->d = twist_zero();
        b->way = 0.0;
        b->x_ref = b->begin.x_w;
        b->R_ref = b->R;
        b->turn_ref = v3_zero();
        b->h_rate = w->h;
        b->free_way = b->free        ? v3_axpy(fall, w->h, b->rate.v_w)
                      : b->kinematic ? v3_sub(b->end.x_w, b->begin.x_w)
                                     : v3_zero();
    }
}

static body_rate change_of(const moving_body *b, const body_rate *before)
{
    return (body_rate){ v3_sub(b->rate.v_w, before->v_w), v3_sub(b->rate.omega_w, before->omega_w) };
}

void bodies_set_goals(barrier_work *w, const carom_state *s, const island *isle)
{
    for (int k = 0; k < isle->body_count; ++k) {
        moving_body *b = &w->bodies[isle->bodies[k]];
        const body_rate *last = &s->jerk[isle->bodies[k]];
        const body_rate *before = &s->history[isle->bodies[k]];
        m3 R_before;
        b->change = w->has_history ? change_of(b, before) : (body_rate){ v3_zero(), v3_zero() };
        if (b->free && isle->plain) {
            aim_euler(b, w->h);
        } else if (b->free) {
            aim_bdf2(b, w->h, last, before);
        } else if (isle->plain) {
            refer_euler(b, w->h);
        } else {
            refer_bdf2(b, w->h, last, &R_before);
        }
    }
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------------- */

/* [N m] that turns the body away from its goal. */
static v3 inertia_torque(const moving_body *b, m3 *N)
{
    *N = m3_mul(b->R, m3_mul(b->J_b, m3_transpose(b->R_goal)));
    const double *n = N->m;
    return v3_scale(b->inertia_per, v3_make(n[7] - n[5], n[2] - n[6], n[3] - n[1]));
}

/* Damping adds to the Hessian, not to the gradient. */
static void add_damping(const moving_body *b, double damping, double *H)
{
    m3 inertia = m3_rotate_tensor(b->R, b->inertia_b);
    for (int k = 0; k < 3; ++k) {
        H[COLUMNS * k + k] += damping * b->mass * b->inertia_per;
        for (int l = 0; l < 3; ++l) {
            H[COLUMNS * (3 + k) + 3 + l] += damping * b->inertia_per * inertia.m[3 * k + l];
        }
    }
}

/* Of a symmetric matrix, by its leading minors. */
static bool is_positive(m3 a)
{
    return a.m[0] > 0.0 && a.m[0] * a.m[4] - a.m[1] * a.m[3] > 0.0 && m3_det(a) > 0.0;
}

/* The part of a Hessian of turns that is at least a part of the inertia. Of a slender body that has turned away from its goal it is
 * not positive already at half a radian: about its own axis there is next to no inertia, and a twist that is not held back would
 * turn it without end. In axes in which the inertia is 1, eigenvalues are turned positive. */
static m3 held_by_inertia(const moving_body *b, m3 K)
{
    static const double LEAST = 0.1; /* of the inertia */
    double moments[3], values[3];
    m3 axes, vectors, S, out = { { 0.0 } };
    if (is_positive(m3_add(K, m3_scale(-LEAST, m3_rotate_tensor(b->R, b->inertia_b))))) {
        return K;
    }
    m3_eigen_symmetric(m3_rotate_tensor(b->R, b->inertia_b), moments, &axes);
    double root[3] = { sqrt(moments[0]), sqrt(moments[1]), sqrt(moments[2]) };
    m3 inner = m3_mul(m3_transpose(axes), m3_mul(K, axes));
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            S.m[3 * i + k] = inner.m[3 * i + k] / (root[i] * root[k]);
        }
    }
    m3_eigen_symmetric(S, values, &vectors);
    for (int n = 0; n < 3; ++n) {
        v3 u = m3_column(vectors, n);
        v3 scaled = v3_make(root[0] * u.x, root[1] * u.y, root[2] * u.z);
        out = m3_add(out, m3_scale(fmax(fabs(values[n]), LEAST), m3_outer(scaled, scaled)));
    }
    return m3_mul(axes, m3_mul(out, m3_transpose(axes)));
}

static void add_forces(const moving_body *b, double *g, m3 *N)
{
    v3 force = v3_scale(b->mass * b->inertia_per, v3_sub(b->at.x_w, b->x_goal));
    v3 torque = inertia_torque(b, N);
    double sum[COLUMNS] = { force.x, force.y, force.z, torque.x, torque.y, torque.z };
    for (int k = 0; k < COLUMNS; ++k) {
        g[k] += sum[k];
    }
}

static void add_body(const moving_body *b, bool held, double *g, double *H)
{
    m3 N;
    m3 K;
    add_forces(b, g, &N);
    double trace = m3_trace(N);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            K.m[3 * k + l] = (k == l ? trace : 0.0) - 0.5 * (N.m[3 * k + l] + N.m[3 * l + k]);
        }
    }
    K = held ? held_by_inertia(b, K) : K;
    for (int k = 0; k < 3; ++k) {
        H[COLUMNS * k + k] += b->mass * b->inertia_per;
        for (int l = 0; l < 3; ++l) {
            H[COLUMNS * (3 + k) + 3 + l] += b->inertia_per * K.m[3 * k + l];
        }
    }
}

void bodies_add(const barrier_work *w, island *isle)
{
    for (int k = 0; k < isle->body_count; ++k) {
        int body = isle->bodies[k];
        double *g = gradient_of(w, isle, body);
        if (g) {
            add_body(&w->bodies[body], isle->curvature != CURVATURE_WHOLE, g, diagonal_of(w, isle, body));
            if (isle->damping > 0.0) {
                add_damping(&w->bodies[body], isle->damping, diagonal_of(w, isle, body));
            }
        }
    }
}

void bodies_add_forces(const barrier_work *w, island *isle)
{
    for (int k = 0; k < isle->body_count; ++k) {
        double *g = gradient_of(w, isle, isle->bodies[k]);
        m3 N;
        if (g) {
            add_forces(&w->bodies[isle->bodies[k]], g, &N);
        }
    }
}

static m3 m3_minus(m3 a, m3 b)
{
    return m3_add(a, m3_scale(-1.0, b));
}

/* tr(A J B') */
static double trace_product(m3 A, m3 J, m3 B)
{
    m3 AJ = m3_mul(A, J);
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) {
        sum += AJ.m[k] * B.m[k];
    }
    return sum;
}

double bodies_change(const barrier_work *w, const island *isle)
{
    double sum = 0.0;
    for (int k = 0; k < isle->body_count; ++k) {
        const moving_body *b = &w->bodies[isle->bodies[k]];
        if (b->free) {
            v3 moved = v3_sub(b->at.x_w, b->from.x_w);
            v3 middle = v3_scale(0.5, v3_add(b->at.x_w, b->from.x_w));
            m3 turned = m3_minus(b->R, b->R_from);
            m3 from_goal = m3_minus(m3_scale(0.5, m3_add(b->R, b->R_from)), b->R_goal);
            double change = b->mass * v3_dot(moved, v3_sub(middle, b->x_goal));
            sum += b->inertia_per * (change + trace_product(turned, b->J_b, from_goal));
        }
    }
    return sum;
}

double bodies_value(const barrier_work *w, const island *isle)
{
    double sum = 0.0;
    for (int k = 0; k < isle->body_count; ++k) {
        const moving_body *b = &w->bodies[isle->bodies[k]];
        if (b->free) {
            m3 off = m3_minus(b->R, b->R_goal);
            double value = b->mass * v3_norm2(v3_sub(b->at.x_w, b->x_goal)) + trace_product(off, b->J_b, off);
            sum += 0.5 * b->inertia_per * value;
        }
    }
    return sum;
}

/* ---- motion --------------------------------------------------------------------------------------------------------------- */

void bodies_keep(barrier_work *w, const island *isle)
{
    for (int k = 0; k < isle->body_count; ++k) {
        moving_body *b = &w->bodies[isle->bodies[k]];
        b->from = b->leg = b->at;
        b->R_from = b->R;
        b->aim = b->d;
    }
}

void bodies_move(barrier_work *w, const island *isle, double alpha)
{
    for (int k = 0; k < isle->body_count; ++k) {
        moving_body *b = &w->bodies[isle->bodies[k]];
        if (b->way > 0.0) {
            b->at.x_w = v3_add(b->leg.x_w, screw_displacement(&b->d, alpha));
            b->at.q_wb = q_unit(q_mul(so3_exp(v3_scale(alpha, b->d.w)), b->leg.q_wb));
            b->R = q_matrix(b->at.q_wb);
        }
    }
}

static v3 turned_since(const body_pose *now, const body_pose *before)
{
    return so3_log(q_mul(now->q_wb, q_conj(before->q_wb)));
}

body_rate body_rate_at(const moving_body *b)
{
    double per = 1.0 / b->h_rate;
    v3 turn = v3_sub(turned_since(&b->at, &b->begin), b->turn_ref);
    return (body_rate){ v3_scale(per, v3_sub(b->at.x_w, b->x_ref)), v3_scale(per, turn) };
}

body_rate body_rate_ending(const moving_body *b)
{
    m3 N;
    v3 momentum = v3_axpy(b->spin, b->h_rate, inertia_torque(b, &N));
    return (body_rate){ v3_scale(1.0 / b->h_rate, v3_sub(b->at.x_w, b->x_ref)), angular_velocity(b, b->R, momentum) };
}

double body_moved(const moving_body *b, const body_pose *from)
{
    double turn = v3_norm(turned_since(&b->at, from));
    return v3_norm(v3_sub(b->at.x_w, from->x_w)) + (turn > 0.0 ? turn * b->reach : 0.0);
}
