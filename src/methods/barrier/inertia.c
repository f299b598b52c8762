/* The inertia of bodies as a potential of their poses [Ferguson2021 (8)-(12)]: implicit Euler in rotation matrices.
 *
 * With N = R J R_goal' the derivatives by the twist (v, w) at the iterate are
 *     gradient   m (x - x_goal) / h^2,   (N21 - N12, N02 - N20, N10 - N01) / h^2
 *     Hessian    m / h^2,                (tr(N) 1 - sym N) / h^2. */
#include "methods/barrier/barrier_work.h"

/* Without forces a body goes on: x + h v, and R + h R' with R' = (R - exp(-h omega) R) / h, the rate at which it has come. */
void inertia_begin(barrier_work *w, const carom_state *s)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        b->at = b->begin = s->pose[i];
        b->R = b->R_begin = q_matrix(b->begin.q_wb);
        b->rate = s->rate[i];
        b->d = twist_zero();
        b->way = 0.0;
        if (!b->free) {
            continue;
        }
        m3 before = m3_mul(q_matrix(so3_exp(v3_scale(-w->h, b->rate.omega_w))), b->R_begin);
        b->x_goal = v3_axpy(b->begin.x_w, w->h, b->rate.v_w);
        b->R_goal = m3_add(m3_scale(2.0, b->R_begin), m3_scale(-1.0, before));
    }
}

void inertia_add(barrier_work *w)
{
    double per = 1.0 / (w->h * w->h);
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        double *g = gradient_of(w, i);
        if (!g) {
            continue;
        }
        double *H = diagonal_of(w, i);
        v3 force = v3_scale(b->mass * per, v3_sub(b->at.x_w, b->x_goal));
        const m3 N = m3_mul(b->R, m3_mul(b->J_b, m3_transpose(b->R_goal)));
        const double *n = N.m;
        double turn[3] = { n[7] - n[5], n[2] - n[6], n[3] - n[1] };
        double trace = m3_trace(N);
        g[0] += force.x;
        g[1] += force.y;
        g[2] += force.z;
        for (int k = 0; k < 3; ++k) {
            g[3 + k] += per * turn[k];
            H[COLUMNS * k + k] += b->mass * per;
            for (int l = 0; l < 3; ++l) {
                H[COLUMNS * (3 + k) + 3 + l] += per * ((k == l ? trace : 0.0) - 0.5 * (n[3 * k + l] + n[3 * l + k]));
            }
        }
    }
}

static m3 m3_middle(m3 a, m3 b)
{
    return m3_scale(0.5, m3_add(a, b));
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

double inertia_change(const barrier_work *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        if (!b->free) {
            continue;
        }
        v3 moved = v3_sub(b->at.x_w, b->from.x_w);
        v3 middle = v3_scale(0.5, v3_add(b->at.x_w, b->from.x_w));
        m3 turned = m3_add(b->R, m3_scale(-1.0, b->R_from));
        m3 from_goal = m3_add(m3_middle(b->R, b->R_from), m3_scale(-1.0, b->R_goal));
        sum += b->mass * v3_dot(moved, v3_sub(middle, b->x_goal)) + trace_product(turned, b->J_b, from_goal);
    }
    return sum / (w->h * w->h);
}

double inertia_value(const barrier_work *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        if (b->free) {
            m3 off = m3_add(b->R, m3_scale(-1.0, b->R_goal));
            sum += b->mass * v3_norm2(v3_sub(b->at.x_w, b->x_goal)) + trace_product(off, b->J_b, off);
        }
    }
    return 0.5 * sum / (w->h * w->h);
}

void bodies_keep(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        w->bodies[i].from = w->bodies[i].leg = w->bodies[i].at;
        w->bodies[i].R_from = w->bodies[i].R;
        w->bodies[i].aim = w->bodies[i].d;
    }
}

body_rate bodies_rate(const barrier_work *w, int body)
{
    const moving_body *b = &w->bodies[body];
    v3 turn = so3_log(q_mul(b->at.q_wb, q_conj(b->begin.q_wb)));
    return (body_rate){ v3_scale(1.0 / w->h, v3_sub(b->at.x_w, b->begin.x_w)), v3_scale(1.0 / w->h, turn) };
}

void bodies_move(barrier_work *w, double alpha)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        if (b->way > 0.0) {
            b->at.x_w = v3_add(b->leg.x_w, screw_displacement(&b->d, alpha));
            b->at.q_wb = q_unit(q_mul(so3_exp(v3_scale(alpha, b->d.w)), b->leg.q_wb));
            b->R = q_matrix(b->at.q_wb);
        }
    }
}
