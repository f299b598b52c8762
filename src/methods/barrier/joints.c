/* Joints, drivers and couplers as rows of the Newton system: H d + J' lambda = -gradient, J d = -C.
 *
 * Motions need not stay on the joints, only their ends: after each part of a step a second one leads back to them (line_search.c). */
#include "methods/barrier/joints.h"

#include <string.h>

#include "dynamics/project.h"
#include "linalg/dense.h"
#include "methods/barrier/mechanism.h"
#include "methods/barrier/system.h"

static void add_row_node(barrier_work *w, row_node node)
{
    w->row_nodes[w->row_node_count] = node;
    w->row_node_count += node.row_count > 0;
}

void joints_create(barrier_work *w)
{
    const carom_model *m = w->model;
    for (int j = 0; j < m->joint_count; ++j) {
        const model_joint *joint = &m->joints[j];
        row_node node = { .joint = j, .coupler = -1, .first_row = joint->first_row };
        node.row_count = joint->type->equation_count + joint->driver_count;
        node.body_count = 2;
        memcpy(node.bodies, joint->body, sizeof joint->body);
        add_row_node(w, node);
    }
    for (int k = 0; k < m->coupler_count; ++k) {
        row_node node = { .joint = -1, .coupler = k, .first_row = m->couplers[k].row, .row_count = 1 };
        for (int i = 0; i < 2; ++i) {
            for (int side = 0; side < 2; ++side) {
                int body = m->joints[m->couplers[k].joint[i]].body[side];
                bool known = false;
                for (int n = 0; n < node.body_count; ++n) {
                    known = known || node.bodies[n] == body;
                }
                node.bodies[node.body_count] = body;
                node.body_count += !known;
            }
        }
        add_row_node(w, node);
    }
}

void joints_place(barrier_work *w, const island *s)
{
    if (!s->mechanism || (w->row_node_count == 0 && w->stop_count == 0)) {
        return;
    }
    mechanism_position(w, s);
}

double joints_evaluate(barrier_work *w, const island *s)
{
    if (s->row_node_count == 0) {
        return 0.0;
    }
    joints_place(w, s);
    w->joint_tolerance = project_tolerance(w->scratch);
    return work_position_error(w->scratch, NULL);
}

int joints_edges(barrier_work *w, island *s)
{
    int count = s->edge_count;
    for (int k = 0; k < s->row_node_count; ++k) {
        row_node *n = &w->row_nodes[k];
        for (int i = 0; i < n->body_count; ++i) {
            int node = w->bodies[n->bodies[i]].node;
            n->edges[i] = node >= 0 ? count : -1;
            if (node >= 0) {
                s->edges[count][0] = s->node_count + k;
                s->edges[count++][1] = node;
            }
        }
    }
    return count;
}

/* Adds rows to the block of a body. */
static void add_rows(const island *s, const row_node *n, int body, int row, double factor, const double *values)
{
    for (int i = 0; i < n->body_count; ++i) {
        if (n->bodies[i] == body && n->edges[i] >= 0) {
            double *E = block_system_edge(s->system, n->edges[i]);
            for (int c = 0; c < COLUMNS; ++c) {
                E[COLUMNS * row + c] += factor * values[c];
            }
        }
    }
}

static void add_joint_rows(const barrier_work *w, const island *s, const row_node *n)
{
    const model_joint *joint = &w->model->joints[n->joint];
    const carom_joint_rows *rows = &w->scratch->rows[n->joint];
    for (int r = 0; r < n->row_count; ++r) {
        add_rows(s, n, joint->body[0], r, 1.0, rows->a[r]);
        add_rows(s, n, joint->body[1], r, 1.0, rows->b[r]);
    }
}

/* coordinate_1 ratio + coordinate_2 = offset */
static void add_coupler_rows(const barrier_work *w, const island *s, const row_node *n)
{
    const model_coupler *c = &w->model->couplers[n->coupler];
    for (int i = 0; i < 2; ++i) {
        const model_joint *joint = &w->model->joints[c->joint[i]];
        const carom_joint_rows *rows = &w->scratch->coordinate_rows[c->joint[i]];
        double factor = i == 0 ? c->ratio : 1.0;
        add_rows(s, n, joint->body[0], 0, factor, rows->a[c->coordinate[i]]);
        add_rows(s, n, joint->body[1], 0, factor, rows->b[c->coordinate[i]]);
    }
}

/* A driver whose twist is given moves its rows: J d = -C with the part of kinematic bodies taken out. */
static void add_given_rows(const barrier_work *w, const row_node *n, double *rhs)
{
    const model_joint *joint = n->joint >= 0 ? &w->model->joints[n->joint] : NULL;
    for (int side = 0; joint && side < 2; ++side) {
        const moving_body *b = &w->bodies[joint->body[side]];
        if (!b->kinematic || !(b->way > 0.0)) {
            continue;
        }
        for (int r = 0; r < n->row_count; ++r) {
            const carom_joint_rows *rows = &w->scratch->rows[n->joint];
            const double *row = side == 0 ? rows->a[r] : rows->b[r];
            rhs[r] -= v3_dot(v3_load(row), b->d.v) + v3_dot(v3_load(row + 3), b->d.w);
        }
    }
}

/* The Hessian of a body as a Cholesky factor; where it is not positive, that of its inertia. */
static void factor_body(const moving_body *b, const double *H, double L[BLOCK])
{
    memcpy(L, H, BLOCK * sizeof *L);
    if (dense_cholesky(L, COLUMNS, NULL) == COLUMNS) {
        return;
    }
    m3 inertia = m3_rotate_tensor(b->R, b->inertia_b);
    memset(L, 0, BLOCK * sizeof *L);
    for (int i = 0; i < 3; ++i) {
        L[COLUMNS * i + i] = b->inertia_per * b->mass;
        for (int k = 0; k < 3; ++k) {
            L[COLUMNS * (3 + i) + 3 + k] = b->inertia_per * inertia.m[3 * i + k];
        }
    }
    dense_cholesky(L, COLUMNS, NULL);
}

/* A little compliance keeps redundant rows solvable: 1e-12 of what forces along the rows of a joint move its bodies, each on its own.
 * It is a matrix: one number per row would depend on the axes along which a joint has its rows. */
static void add_compliance(const barrier_work *w, const island *s, int node)
{
    static const double PART = 1e-12;
    const row_node *n = &w->row_nodes[node];
    int rows = n->row_count;
    double *D = block_system_node(s->system, s->node_count + node);
    for (int i = 0; i < n->body_count; ++i) {
        double L[BLOCK], moves[COLUMNS][COLUMNS];
        const double *E = n->edges[i] >= 0 ? block_system_edge(s->system, n->edges[i]) : NULL;
        if (!E) {
            continue;
        }
        factor_body(&w->bodies[n->bodies[i]], diagonal_of(w, s, n->bodies[i]), L);
        for (int r = 0; r < rows; ++r) {
            memcpy(moves[r], E + COLUMNS * r, sizeof moves[r]);
            dense_cholesky_forward(L, moves[r], COLUMNS);
            for (int c = 0; c <= r; ++c) {
                double by = 0.0;
                for (int k = 0; k < COLUMNS; ++k) {
                    by += moves[r][k] * moves[c][k];
                }
                D[rows * r + c] -= PART * by;
            }
        }
    }
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < r; ++c) {
            D[rows * c + r] = D[rows * r + c];
        }
    }
}

void joints_add(barrier_work *w, island *s)
{
    for (int k = 0; k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        if (n->joint >= 0) {
            add_joint_rows(w, s, n);
        } else {
            add_coupler_rows(w, s, n);
        }
        add_compliance(w, s, k);
    }
}

/* The reaction on a body acts at its marker: its force times the arm of that. */
void joints_add_virial(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        for (int side = 0; n->joint >= 0 && side < 2; ++side) {
            int body = w->model->joints[n->joint].body[side];
            const carom_joint_rows *rows = &w->scratch->rows[n->joint];
            v3 force = v3_zero();
            for (int r = 0; r < n->row_count; ++r) {
                const double *row = side == 0 ? rows->a[r] : rows->b[r];
                force = v3_axpy(force, -w->lambda[n->first_row + r], v3_load(row));
            }
            const carom_joint_frames *frames = &w->scratch->frames[n->joint];
            v3 arm = side == 0 ? frames->a.r_w : frames->b.r_w;
            if (w->bodies[body].node >= 0) {
                w->virial[body] = m3_add(w->virial[body], m3_outer(force, arm));
            }
        }
    }
}

void joints_add_reactions(const barrier_work *w, const island *s, double *out)
{
    for (int k = 0; k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        for (int i = 0; i < n->body_count; ++i) {
            const double *E = n->edges[i] >= 0 ? block_system_edge(s->system, n->edges[i]) : NULL;
            double *to = out + COLUMNS * w->bodies[n->bodies[i]].node;
            for (int r = 0; E && r < n->row_count; ++r) {
                for (int c = 0; c < COLUMNS; ++c) {
                    to[c] += E[COLUMNS * r + c] * w->lambda[n->first_row + r];
                }
            }
        }
    }
}

void joints_set_residual(const barrier_work *w, const island *s, double *x)
{
    int at = COLUMNS * s->node_count;
    for (int k = 0; k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        for (int r = 0; r < n->row_count; ++r) {
            x[at + r] = -w->scratch->C[n->first_row + r];
        }
        add_given_rows(w, n, x + at);
        at += n->row_count;
    }
}

void joints_take_multipliers(barrier_work *w, const island *s, const double *x)
{
    int at = COLUMNS * s->node_count;
    for (int k = 0; k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        for (int r = 0; r < n->row_count; ++r) {
            w->lambda_from[n->first_row + r] = w->lambda[n->first_row + r];
            w->lambda[n->first_row + r] = x[at++];
        }
    }
}

void joints_keep_part(barrier_work *w, const island *s, double alpha)
{
    for (int k = 0; alpha < 1.0 && k < s->row_node_count; ++k) {
        const row_node *n = &w->row_nodes[k];
        for (int r = n->first_row; r < n->first_row + n->row_count; ++r) {
            w->lambda[r] = w->lambda_from[r] + alpha * (w->lambda[r] - w->lambda_from[r]);
        }
    }
}
