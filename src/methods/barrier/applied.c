/* Applied forces at the end of the step: gravity, force elements, springs and stops of joints, as the dynamics evaluate them.
 *
 * They need not have a potential. Along a line search their energy is minus their work, by the trapezoidal rule. */
#include "methods/barrier/applied.h"

#include <string.h>

#include "dynamics/element_tangents.h"
#include "methods/barrier/mechanism.h"
#include "methods/barrier/system.h"

/* -omega x J omega is part of the inertia here. */
static void take_out_gyroscopic(const barrier_work *w, int body, double *f)
{
    v3 omega = w->scratch->rate[body].omega_w;
    v3 torque = v3_cross(m3_mulv(w->scratch->J_w[body], omega), omega);
    f[3] -= torque.x;
    f[4] -= torque.y;
    f[5] -= torque.z;
}

static void take_weights(const barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        if (b->node >= 0) {
            double *f = s->applied + COLUMNS * b->node;
            v3_store(f, v3_scale(b->mass, w->model->scene.gravity));
            v3_store(f + 3, v3_zero());
        }
    }
}

static bool has_elements(const barrier_work *w, const island *s)
{
    return w->has_elements && s->mechanism;
}

void applied_evaluate(barrier_work *w, island *s)
{
    if (!has_elements(w, s)) {
        take_weights(w, s);
        return;
    }
    mechanism_move(w, s);
    work_forces(w->scratch);
    for (int k = 0; k < s->body_count; ++k) {
        int body = s->bodies[k];
        int node = w->bodies[body].node;
        if (node >= 0) {
            double *f = s->applied + COLUMNS * node;
            memcpy(f, w->scratch->f + w->model->bodies[body].column, COLUMNS * sizeof *f);
            take_out_gyroscopic(w, body, f);
        }
    }
}

double applied_change(const barrier_work *w, const island *s)
{
    double work = 0.0;
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        if (b->node < 0) {
            continue;
        }
        v3 moved = v3_sub(b->at.x_w, b->from.x_w);
        const double *before = s->applied_from + COLUMNS * b->node;
        const double *after = s->applied + COLUMNS * b->node;
        work += 0.5 * (v3_dot(moved, v3_load(before)) + v3_dot(moved, v3_load(after)));
        if (has_elements(w, s)) {
            v3 turned = so3_log(q_mul(b->at.q_wb, q_conj(b->from.q_wb)));
            work += 0.5 * (v3_dot(turned, v3_load(before + 3)) + v3_dot(turned, v3_load(after + 3)));
        }
    }
    return -work;
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------------- */

typedef struct element_sink {
    barrier_work *w;
    island *isle;
} element_sink;

static void take_block(double *out, const element_tangent *e, int row, int column)
{
    for (int i = 0; i < COLUMNS; ++i) {
        memcpy(out + COLUMNS * i, &e->H[COLUMNS * row + i][COLUMNS * column], COLUMNS * sizeof *out);
    }
}

static void add_element(void *context, const carom_scratch *scratch, const element_tangent *e)
{
    const element_sink *to = context;
    double block[BLOCK];
    (void)scratch;
    for (int side = 0; side < 2; ++side) {
        int body = e->at[side].body;
        double *A = body >= 0 ? diagonal_of(to->w, to->isle, body) : NULL;
        take_block(block, e, side, side);
        for (int k = 0; A && k < BLOCK; ++k) {
            A[k] += block[k];
        }
    }
    if (e->at[0].body >= 0 && e->at[1].body >= 0 && e->at[0].body != e->at[1].body) {
        take_block(block, e, 0, 1);
        int edge = edge_between(to->w, to->isle, e->at[0].body, e->at[1].body);
        add_cross(to->w, to->isle, edge, e->at[0].body, e->at[1].body, block);
    }
}

void applied_add_forces(island *s)
{
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        s->gradient[k] -= s->applied[k];
    }
}

void applied_add(barrier_work *w, island *s)
{
    applied_add_forces(s);
    if (has_elements(w, s)) {
        element_sink to = { w, s };
        mechanism_move(w, s);
        element_tangents(w->scratch, 1.0, 1.0 / w->bodies[s->bodies[0]].h_rate, add_element, &to);
    }
}
