#include "nonsmooth/solver_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "nonsmooth/small.h"

contact_solver *contact_solver_create(void)
{
    contact_solver *s = calloc(1, sizeof *s);
    if (s) {
        s->matrix = block_lu_create();
        if (!s->matrix) {
            free(s);
            return NULL;
        }
    }
    return s;
}

void contact_solver_destroy(contact_solver *s)
{
    if (s) {
        block_lu_destroy(s->matrix);
        free(s->edge_of);
        free(s->edges);
        free(s->x);
        free(s->S);
        free(s->K);
        free(s->F);
        free(s->step);
        free(s->start);
        free(s->best);
        free(s->joint_step);
        free(s->joint_start);
        free(s->joint_best);
        free(s->points);
        free(s);
    }
}

long contact_solver_analyses(const contact_solver *s)
{
    return block_lu_analyses(s->matrix);
}

/* ---- room ------------------------------------------------------------------------------------------------------------------ */

static bool reserve(contact_solver *s, const contact_problem *p)
{
    size_t n = (size_t)p->contact_count;
    size_t j = (size_t)p->joint_count;
    return CAROM_ARRAY_RESERVE(s->edge_of, s->edge_capacity, n + j) &&
           CAROM_ARRAY_RESERVE(s->edges, s->ends_capacity, n + j) &&
           CAROM_ARRAY_RESERVE(s->x, s->x_capacity, BODY_COLUMNS * (size_t)p->body_count) &&
           CAROM_ARRAY_RESERVE(s->S, s->S_capacity, n) && CAROM_ARRAY_RESERVE(s->K, s->K_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->F, s->F_capacity, n) && CAROM_ARRAY_RESERVE(s->step, s->step_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->start, s->start_capacity, n) && CAROM_ARRAY_RESERVE(s->best, s->best_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->joint_step, s->joint_step_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->joint_start, s->joint_start_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->joint_best, s->joint_best_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->points, s->point_capacity, n);
}

/* The edge of an element's two bodies; neighbours in the list often have the same. */
static int add_edge(contact_solver *s, const int body[2], int *count)
{
    if (body[0] < 0 || body[1] < 0 || body[0] == body[1]) {
        return -1;
    }
    if (*count > 0 && s->edges[*count - 1][0] == body[0] && s->edges[*count - 1][1] == body[1]) {
        return *count - 1;
    }
    s->edges[*count][0] = body[0];
    s->edges[*count][1] = body[1];
    return (*count)++;
}

bool solver_begin(contact_solver *s, const contact_problem *p)
{
    if (!reserve(s, p)) {
        return false;
    }
    int count = 0;
    for (int i = 0; i < p->contact_count; ++i) {
        s->edge_of[i] = add_edge(s, p->contacts[i].body, &count);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        s->edge_of[p->contact_count + i] = add_edge(s, p->joints[i].body, &count);
    }
    return block_lu_begin(s->matrix, p->body_count, count, (const int(*)[2])s->edges);
}

/* ---- the matrix ------------------------------------------------------------------------------------------------------------- */

void solver_clear(contact_solver *s, const contact_problem *p)
{
    block_lu_clear(s->matrix);
    for (int i = 0; i < p->body_count; ++i) {
        const problem_body *b = &p->bodies[i];
        double *D = block_lu_node(s->matrix, i);
        for (int k = 0; k < 3; ++k) {
            D[(BODY_COLUMNS + 1) * k] += b->mass;
            for (int l = 0; l < 3; ++l) {
                D[BODY_COLUMNS * (3 + k) + 3 + l] += b->inertia[k][l];
            }
        }
    }
}

/* Rows of a contact on the columns of one of its bodies. */
static void contact_rows(const cone_contact *c, int side, double H[CONE_ROWS][BODY_COLUMNS])
{
    double sign = side == 0 ? 1.0 : -1.0;
    for (int k = 0; k < CONE_ROWS; ++k) {
        double lever[3];
        cross3(c->arm[side], c->frame[k], lever);
        for (int l = 0; l < 3; ++l) {
            H[k][l] = sign * c->frame[k][l];
            H[k][3 + l] = sign * lever[l];
        }
    }
}

/* A += X' T */
static void add_product(double *A, const double X[CONE_ROWS][BODY_COLUMNS], const double T[CONE_ROWS][BODY_COLUMNS])
{
    for (int l = 0; l < BODY_COLUMNS; ++l) {
        for (int m = 0; m < BODY_COLUMNS; ++m) {
            A[BODY_COLUMNS * l + m] += X[0][l] * T[0][m] + X[1][l] * T[1][m] + X[2][l] * T[2][m];
        }
    }
}

void solver_add_contact(contact_solver *s, const contact_problem *p, int contact, const mat3 S)
{
    const cone_contact *c = &p->contacts[contact];
    double H[2][CONE_ROWS][BODY_COLUMNS];
    double T[2][CONE_ROWS][BODY_COLUMNS];
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] < 0) {
            continue;
        }
        contact_rows(c, side, H[side]);
        for (int k = 0; k < CONE_ROWS; ++k) {
            for (int m = 0; m < BODY_COLUMNS; ++m) {
                T[side][k][m] = S[k][0] * H[side][0][m] + S[k][1] * H[side][1][m] + S[k][2] * H[side][2][m];
            }
        }
        add_product(block_lu_node(s->matrix, c->body[side]), (const double(*)[BODY_COLUMNS])H[side],
                    (const double(*)[BODY_COLUMNS])T[side]);
    }
    for (int from = 0; from < 2 && s->edge_of[contact] >= 0; ++from) {
        add_product(block_lu_edge(s->matrix, s->edge_of[contact], from), (const double(*)[BODY_COLUMNS])H[from],
                    (const double(*)[BODY_COLUMNS])T[1 - from]);
    }
}

void solver_add_joint(contact_solver *s, const contact_problem *p, int joint, const double *S)
{
    const joint_equations *j = &p->joints[joint];
    int edge = s->edge_of[p->contact_count + joint];
    for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
            if (j->body[a] < 0 || j->body[b] < 0) {
                continue;
            }
            double *A = a == b ? block_lu_node(s->matrix, j->body[a]) : block_lu_edge(s->matrix, edge, a);
            for (int k = 0; k < j->count; ++k) {
                for (int l = 0; l < BODY_COLUMNS; ++l) {
                    double t = S[k] * j->J[a][k][l];
                    for (int m = 0; m < BODY_COLUMNS; ++m) {
                        A[BODY_COLUMNS * l + m] += t * j->J[b][k][m];
                    }
                }
            }
        }
    }
}

/* ---- rows and their transposes --------------------------------------------------------------------------------------------- */

void solver_gather(contact_solver *s, const contact_problem *p, int contact, const vec3 f)
{
    const cone_contact *c = &p->contacts[contact];
    double at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = c->frame[0][k] * f[0] + c->frame[1][k] * f[1] + c->frame[2][k] * f[2];
    }
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            double *x = s->x + BODY_COLUMNS * c->body[side];
            double sign = side == 0 ? 1.0 : -1.0;
            double torque[3];
            cross3(c->arm[side], at, torque);
            for (int k = 0; k < 3; ++k) {
                x[k] += sign * at[k];
                x[3 + k] += sign * torque[k];
            }
        }
    }
}

void solver_spread(const contact_solver *s, const contact_problem *p, int contact, vec3 u)
{
    const cone_contact *c = &p->contacts[contact];
    double at[3] = { 0.0, 0.0, 0.0 };
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            const double *x = s->x + BODY_COLUMNS * c->body[side];
            double sign = side == 0 ? 1.0 : -1.0;
            double turn[3];
            cross3(x + 3, c->arm[side], turn);
            for (int k = 0; k < 3; ++k) {
                at[k] += sign * (x[k] + turn[k]);
            }
        }
    }
    times3(c->frame, at, u);
}

void solver_gather_joint(contact_solver *s, const contact_problem *p, int joint, const double *f)
{
    const joint_equations *j = &p->joints[joint];
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < j->count && j->body[side] >= 0; ++k) {
            for (int i = 0; i < BODY_COLUMNS; ++i) {
                s->x[BODY_COLUMNS * j->body[side] + i] += f[k] * j->J[side][k][i];
            }
        }
    }
}

void solver_spread_joint(const contact_solver *s, const contact_problem *p, int joint, double *u)
{
    const joint_equations *j = &p->joints[joint];
    for (int k = 0; k < j->count; ++k) {
        u[k] = 0.0;
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < BODY_COLUMNS && j->body[side] >= 0; ++i) {
                u[k] += j->J[side][k][i] * s->x[BODY_COLUMNS * j->body[side] + i];
            }
        }
    }
}

/* ---- impulses ------------------------------------------------------------------------------------------------------------------ */

void solver_keep(const contact_problem *p, vec3 *r, double (*joints)[EQUATION_ROWS])
{
    for (int i = 0; i < p->contact_count; ++i) {
        memcpy(r[i], p->contacts[i].r, sizeof r[i]);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        memcpy(joints[i], p->joints[i].r, sizeof joints[i]);
    }
}

void solver_restore(contact_problem *p, const vec3 *r, const double (*joints)[EQUATION_ROWS])
{
    for (int i = 0; i < p->contact_count; ++i) {
        memcpy(p->contacts[i].r, r[i], sizeof r[i]);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        memcpy(p->joints[i].r, joints[i], sizeof joints[i]);
    }
    contact_problem_velocities(p);
}

void solver_move(contact_solver *s, contact_problem *p, double part)
{
    for (int i = 0; i < p->contact_count; ++i) {
        for (int k = 0; k < CONE_ROWS; ++k) {
            p->contacts[i].r[k] = s->start[i][k] + part * s->step[i][k];
        }
    }
    for (int i = 0; i < p->joint_count; ++i) {
        for (int k = 0; k < p->joints[i].count; ++k) {
            p->joints[i].r[k] = s->joint_start[i][k] + part * s->joint_step[i][k];
        }
    }
    contact_problem_velocities(p);
}
