/* Applied forces at the end of the step: gravity, force elements, springs and stops of joints, as the dynamics evaluate them.
 *
 * They need not have a potential. Along a line search their energy is minus their work, by the trapezoidal rule. */
#include "methods/barrier/barrier_work.h"

#include <string.h>

#include "dynamics/element_tangents.h"

/* The iterate as a point of the motion, with the velocities that lead there. Kinematic bodies are still on their way. */
static void place_iterate(barrier_work *w)
{
    carom_scratch *s = w->scratch;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        s->trial.pose[i] = b->at;
        s->trial.rate[i] = bodies_rate(w, i);
    }
    work_place(s, w->t_end, s->trial);
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].kinematic) {
            s->pose[i] = w->bodies[i].at;
            s->R_w[i] = w->bodies[i].R;
        }
    }
}

/* -omega x J omega is part of the inertia here. */
static void take_out_gyroscopic(const barrier_work *w, int body, double *f)
{
    v3 omega = w->scratch->rate[body].omega_w;
    v3 torque = v3_cross(m3_mulv(w->scratch->J_w[body], omega), omega);
    f[3] -= torque.x;
    f[4] -= torque.y;
    f[5] -= torque.z;
}

void applied_evaluate(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        if (b->node >= 0 && !w->has_elements) {
            double *f = w->applied + COLUMNS * b->node;
            v3_store(f, v3_scale(b->mass, w->model->scene.gravity));
        }
    }
    if (!w->has_elements) {
        return;
    }
    place_iterate(w);
    work_constraints(w->scratch);
    work_forces(w->scratch);
    for (int i = 0; i < w->model->body_count; ++i) {
        int node = w->bodies[i].node;
        if (node >= 0) {
            double *f = w->applied + COLUMNS * node;
            memcpy(f, w->scratch->f + w->model->bodies[i].column, COLUMNS * sizeof *f);
            take_out_gyroscopic(w, i, f);
        }
    }
}

double applied_change(const barrier_work *w)
{
    double work = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        if (b->node < 0) {
            continue;
        }
        v3 moved = v3_sub(b->at.x_w, b->from.x_w);
        v3 turned = so3_log(q_mul(b->at.q_wb, q_conj(b->from.q_wb)));
        const double *before = w->applied_from + COLUMNS * b->node;
        const double *after = w->applied + COLUMNS * b->node;
        work += 0.5 * (v3_dot(moved, v3_load(before)) + v3_dot(moved, v3_load(after)));
        work += 0.5 * (v3_dot(turned, v3_load(before + 3)) + v3_dot(turned, v3_load(after + 3)));
    }
    return -work;
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------------- */

/* The block H[row side][column side] of an element times a given twist, into the gradient of the row side. */
static void add_given(barrier_work *w, const element_tangent *e, int side)
{
    int body = e->at[side].body;
    int other = e->at[1 - side].body;
    double *g = body >= 0 ? gradient_of(w, body) : NULL;
    if (!g || other < 0 || w->bodies[other].node >= 0 || !(w->bodies[other].way > 0.0)) {
        return;
    }
    const twist *d = &w->bodies[other].d;
    const double x[COLUMNS] = { d->v.x, d->v.y, d->v.z, d->w.x, d->w.y, d->w.z };
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            g[i] += e->H[COLUMNS * side + i][COLUMNS * (1 - side) + k] * x[k];
        }
    }
}

static void add_element(void *context, const carom_scratch *s, const element_tangent *e)
{
    barrier_work *w = context;
    (void)s;
    for (int side = 0; side < 2; ++side) {
        double *A = e->at[side].body >= 0 ? diagonal_of(w, e->at[side].body) : NULL;
        for (int i = 0; A && i < COLUMNS; ++i) {
            for (int k = 0; k < COLUMNS; ++k) {
                A[COLUMNS * i + k] += e->H[COLUMNS * side + i][COLUMNS * side + k];
            }
        }
        add_given(w, e, side);
    }
    int edge = e->at[1].body >= 0 ? edge_between(w, e->at[0].body, e->at[1].body) : -1;
    if (edge >= 0) {
        double *E = block_system_edge(w->system, edge);
        int first = w->bodies[e->at[0].body].node < w->bodies[e->at[1].body].node ? 0 : 1;
        for (int i = 0; i < COLUMNS; ++i) {
            for (int k = 0; k < COLUMNS; ++k) {
                E[COLUMNS * i + k] += e->H[COLUMNS * first + i][COLUMNS * (1 - first) + k];
            }
        }
    }
}

void applied_add(barrier_work *w)
{
    for (int k = 0; k < COLUMNS * w->node_count; ++k) {
        w->gradient[k] -= w->applied[k];
    }
    if (w->has_elements) {
        element_tangents(w->scratch, 1.0, 1.0 / w->h, add_element, w);
    }
}
