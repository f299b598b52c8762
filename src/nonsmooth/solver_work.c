#include "nonsmooth/solver_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "nonsmooth/contact_rows.h"
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
        free(s->joint_edges);
        free(s->joint_slopes);
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
        free(s->path);
        free(s->least);
        free(s->joint_least);
        free(s->joint_path);
        free(s->path_eps);
        free(s->own_response);
        free(s->path_bias);
        free(s->points);
        free(s);
    }
}

/* ---- room ------------------------------------------------------------------------------------------------------------------ */

static bool reserve(contact_solver *s, const contact_problem *p)
{
    size_t n = (size_t)p->contact_count;
    size_t j = (size_t)p->joint_count;
    const size_t pairs = ELEMENT_ENDS * (ELEMENT_ENDS - 1) / 2;
    return CAROM_ARRAY_RESERVE(s->edge_of, s->edge_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->joint_edges, s->joint_edge_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->joint_slopes, s->slope_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->edges, s->ends_capacity, n + pairs * j) &&
           CAROM_ARRAY_RESERVE(s->x, s->x_capacity, BODY_COLUMNS * (size_t)p->body_count) &&
           CAROM_ARRAY_RESERVE(s->S, s->S_capacity, n) && CAROM_ARRAY_RESERVE(s->K, s->K_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->F, s->F_capacity, n) && CAROM_ARRAY_RESERVE(s->step, s->step_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->start, s->start_capacity, n) && CAROM_ARRAY_RESERVE(s->best, s->best_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->joint_step, s->joint_step_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->joint_start, s->joint_start_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->joint_best, s->joint_best_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->path, s->path_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->joint_path, s->joint_path_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->least, s->least_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->joint_least, s->joint_least_capacity, j) &&
           CAROM_ARRAY_RESERVE(s->path_eps, s->path_eps_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->own_response, s->own_response_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->path_bias, s->path_bias_capacity, n) &&
           CAROM_ARRAY_RESERVE(s->points, s->point_capacity, n);
}

/* The edge between two bodies; neighbours in the list often have the same. */
static int add_edge(contact_solver *s, const body_ends body, int *count)
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
        const joint_equations *j = &p->joints[i];
        for (int a = 0; a < j->end_count; ++a) {
            for (int b = a + 1; b < j->end_count; ++b) {
                const body_ends ends = { j->body[a], j->body[b] };
                s->joint_edges[i][a][b] = s->joint_edges[i][b][a] = add_edge(s, ends, &count);
            }
        }
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
        double wrench[BODY_COLUMNS];
        contact_wrench(c, side, c->frame[k], wrench);
        for (int l = 0; l < BODY_COLUMNS; ++l) {
            H[k][l] = sign * wrench[l];
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
            double wrench[BODY_COLUMNS];
            contact_wrench(c, side, at, wrench);
            for (int k = 0; k < BODY_COLUMNS; ++k) {
                x[k] += sign * wrench[k];
            }
        }
    }
}

/* ---- impulses ------------------------------------------------------------------------------------------------------------------ */

void solver_keep(const contact_problem *p, vec3 *r, element_row *joints)
{
    for (int i = 0; i < p->contact_count; ++i) {
        memcpy(r[i], p->contacts[i].r, sizeof r[i]);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        memcpy(joints[i], p->joints[i].r, sizeof joints[i]);
    }
}

void solver_restore(contact_problem *p, const vec3 *r, const element_row *joints)
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
        for (int k = 0; k < p->joints[i].count + p->joints[i].slip_count; ++k) {
            p->joints[i].r[k] = s->joint_start[i][k] + part * s->joint_step[i][k];
        }
    }
    contact_problem_velocities(p);
}
