/* Small meshes of one kind of finite element that fill a line, a rectangle or a box; inner nodes lie anywhere, so that elements are
 * distorted. Dense matrices of them. */
#ifndef CAROM_TESTS_PATCH_H
#define CAROM_TESTS_PATCH_H

#include <stdlib.h>

#include "elements/solids/solid.h"
#include "linalg/dense.h"
#include "math/quat.h"
#include "support/random.h"

enum { PATCH_NODES = 125, PATCH_ELEMENTS = 64, PATCH_FREEDOMS = 3 * PATCH_NODES };

typedef struct patch {
    const solid_type *type;
    solid_material material;
    v3 origin, size; /* of the box; a line: from origin to origin + size */
    int node_count, element_count;
    v3 X[PATCH_NODES];
    bool outer[PATCH_NODES];
    int nodes[PATCH_ELEMENTS][SOLID_NODES];
} patch;

static inline bool patch_is_line(const solid_type *type)
{
    return type->dimension == 1;
}

static inline bool patch_is_planar(const solid_type *type)
{
    return !(type->freedoms & MOVE_Z);
}

/* Quadrilaterals and hexahedra: their natural coordinates begin at -1. */
static inline bool patch_is_brick(const solid_type *type)
{
    return type->dimension > 1 && type->nodes[0][0] < 0.0;
}

static inline bool patch_is_axisymmetric(const patch *p)
{
    return p->type->dimension == 2 && p->material.plane == AXISYMMETRIC;
}

static inline solid_material patch_material(void)
{
    solid_material m = solid_material_default;
    m.young = 7.0e10;
    m.poisson = 0.3;
    m.density = 2700.0;
    m.thickness = 0.02;
    m.section = (solid_section){ 3e-4, 2e-8, 5e-8, 4e-8, 0.85, 0.8, { 0.2, 0.9, 0.3 } };
    return m;
}

/* ---- lines ---- */

static inline void patch_line(patch *p, test_rng *rng)
{
    p->size = patch_is_planar(p->type) ? v3_make(0.8, 0.5, 0.0) : v3_make(0.8, 0.5, -0.4);
    p->node_count = 5;
    p->element_count = 4;
    for (int i = 0; i < 5; ++i) {
        double s = 0.25 * i + (i > 0 && i < 4 ? test_rng_uniform(rng, -0.1, 0.1) : 0.0);
        p->X[i] = v3_axpy(p->origin, s, p->size);
        p->outer[i] = i == 0 || i == 4;
    }
    for (int e = 0; e < 4; ++e) {
        p->nodes[e][0] = e;
        p->nodes[e][1] = e + 1;
    }
}

/* ---- grids ---- */

typedef struct patch_grid {
    int count[3]; /* nodes */
    int step;     /* of corners: 2 where elements have nodes between them */
} patch_grid;

static inline int grid_node(const patch_grid *g, const int at[3])
{
    return (at[2] * g->count[1] + at[1]) * g->count[0] + at[0];
}

static inline int grid_between(const patch_grid *g, const int a[3], const int b[3])
{
    const int middle[3] = { (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2 };
    return grid_node(g, middle);
}

static inline void patch_place(patch *p, const patch_grid *g, test_rng *rng)
{
    double shift = g->step == 2 ? 0.06 : 0.2;
    int at[3];
    for (at[2] = 0; at[2] < g->count[2]; ++at[2]) {
        for (at[1] = 0; at[1] < g->count[1]; ++at[1]) {
            for (at[0] = 0; at[0] < g->count[0]; ++at[0]) {
                int k = grid_node(g, at);
                double s[3] = { 0 };
                p->outer[k] = false;
                for (int a = 0; a < p->type->dimension; ++a) {
                    p->outer[k] = p->outer[k] || at[a] == 0 || at[a] == g->count[a] - 1;
                }
                for (int a = 0; a < p->type->dimension; ++a) {
                    s[a] = at[a] + (p->outer[k] ? 0.0 : test_rng_uniform(rng, -shift, shift));
                    s[a] /= g->count[a] - 1;
                }
                p->X[k] = v3_add(p->origin, v3_make(s[0] * p->size.x, s[1] * p->size.y, s[2] * p->size.z));
            }
        }
    }
    p->node_count = g->count[0] * g->count[1] * g->count[2];
}

/* A simplex with its corners on the path from the lowest corner of a cell along the axes in this order. */
static inline void patch_simplex(patch *p, const patch_grid *g, const int cell[3], const int *axes, int dimension,
                                 bool odd)
{
    int corner[4][3];
    int *nodes = p->nodes[p->element_count++];
    memcpy(corner[0], cell, sizeof corner[0]);
    for (int i = 0; i < dimension; ++i) {
        memcpy(corner[i + 1], corner[i], sizeof corner[0]);
        corner[i + 1][axes[i]] += g->step;
    }
    if (odd) {
        int kept[3];
        memcpy(kept, corner[1], sizeof kept);
        memcpy(corner[1], corner[2], sizeof kept);
        memcpy(corner[2], kept, sizeof kept);
    }
    static const int edges[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
    for (int i = 0; i <= dimension; ++i) {
        nodes[i] = grid_node(g, corner[i]);
    }
    for (int e = 0; g->step == 2 && e < (dimension == 2 ? 3 : 6); ++e) {
        nodes[dimension + 1 + e] = grid_between(g, corner[edges[e][0]], corner[edges[e][1]]);
    }
}

static inline void patch_cell(patch *p, const patch_grid *g, const int cell[3])
{
    static const int orders2[2][2] = { { 0, 1 }, { 1, 0 } };
    static const int orders3[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 } };
    const solid_type *type = p->type;
    if (patch_is_brick(type)) {
        int *nodes = p->nodes[p->element_count++];
        for (int i = 0; i < type->node_count; ++i) {
            int at[3] = { cell[0], cell[1], cell[2] };
            for (int a = 0; a < type->dimension; ++a) {
                at[a] += type->nodes[i][a] > 0.0;
            }
            nodes[i] = grid_node(g, at);
        }
    } else if (type->dimension == 2) {
        for (int k = 0; k < 2; ++k) {
            patch_simplex(p, g, cell, orders2[k], 2, k == 1);
        }
    } else {
        for (int k = 0; k < 6; ++k) {
            patch_simplex(p, g, cell, orders3[k], 3, k >= 3);
        }
    }
}

static inline void patch_box(patch *p, test_rng *rng)
{
    bool quadratic = p->type->node_count == 6 || p->type->node_count == 10;
    int cells = patch_is_brick(p->type) ? 3 : 2;
    patch_grid g = { { 1, 1, 1 }, quadratic ? 2 : 1 };
    p->size = v3_make(0.9, 0.7, p->type->dimension == 3 ? 0.8 : 0.0);
    for (int a = 0; a < p->type->dimension; ++a) {
        g.count[a] = g.step * cells + 1;
    }
    patch_place(p, &g, rng);
    int cell[3];
    for (cell[2] = 0; cell[2] < (g.count[2] > 1 ? g.count[2] - 1 : 1); cell[2] += g.step) {
        for (cell[1] = 0; cell[1] < g.count[1] - 1; cell[1] += g.step) {
            for (cell[0] = 0; cell[0] < g.count[0] - 1; cell[0] += g.step) {
                patch_cell(p, &g, cell);
            }
        }
    }
}

static inline patch patch_make(const solid_type *type, int plane, test_rng *rng)
{
    patch p = { .type = type, .material = patch_material() };
    p.material.plane = plane;
    p.origin = v3_make(0.3, -0.2, patch_is_planar(type) ? 0.0 : 0.4);
    if (patch_is_line(type)) {
        patch_line(&p, rng);
    } else {
        patch_box(&p, rng);
    }
    return p;
}

/* ---- matrices ---- */

static inline int patch_freedoms(const patch *p)
{
    return p->node_count * solid_node_freedoms(p->type->freedoms);
}

static inline void patch_corners(const patch *p, int element, v3 *X)
{
    for (int i = 0; i < p->type->node_count; ++i) {
        X[i] = p->X[p->nodes[element][i]];
    }
}

/* The freedom of the patch that is freedom k of an element. */
static inline int patch_freedom(const patch *p, int element, int k)
{
    int per_node = solid_node_freedoms(p->type->freedoms);
    return per_node * p->nodes[element][k / per_node] + k % per_node;
}

typedef void patch_matrix(const solid_type *type, const v3 *X, const solid_material *material, double *A);

/* n x n; free it. */
static inline double *patch_assemble(const patch *p, patch_matrix *matrix)
{
    int n = patch_freedoms(p);
    int m = solid_freedom_count(p->type);
    double *A = calloc((size_t)n * (size_t)n, sizeof *A);
    for (int e = 0; A && e < p->element_count; ++e) {
        v3 X[SOLID_NODES];
        double own[SOLID_FREEDOMS * SOLID_FREEDOMS];
        patch_corners(p, e, X);
        matrix(p->type, X, &p->material, own);
        for (int r = 0; r < m; ++r) {
            for (int c = 0; c < m; ++c) {
                A[(size_t)patch_freedom(p, e, r) * (size_t)n + (size_t)patch_freedom(p, e, c)] += own[r * m + c];
            }
        }
    }
    CHECK(A != NULL);
    return A;
}

static inline double patch_product(const double *A, const double *u, const double *v, int n)
{
    double sum = 0.0;
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            sum += u[r] * A[(size_t)r * (size_t)n + (size_t)c] * v[c];
        }
    }
    return sum;
}

/* Writes displacement and rotation into the freedoms of one node. */
static inline void patch_put(const solid_type *type, v3 move, v3 turn, double *u)
{
    const double all[NODE_FREEDOMS] = { move.x, move.y, move.z, turn.x, turn.y, turn.z };
    for (int a = 0, k = 0; a < NODE_FREEDOMS; ++a) {
        if (type->freedoms & (1u << a)) {
            u[k++] = all[a];
        }
    }
}

/* A small rigid motion of nodes. */
static inline void patch_rigid(const solid_type *type, const v3 *X, int node_count, v3 move, v3 turn, double *u)
{
    for (int i = 0; i < node_count; ++i) {
        patch_put(type, v3_add(move, v3_cross(turn, X[i])), turn, u + i * solid_node_freedoms(type->freedoms));
    }
}

/* Eigenvalues of a symmetric matrix (destroyed), ascending, by Jacobi rotations. */
static inline void patch_rotate(double *A, int n, int p, int q)
{
    double theta = (A[q * n + q] - A[p * n + p]) / (2.0 * A[p * n + q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;
    for (int k = 0; k < n; ++k) {
        double a = A[k * n + p];
        double b = A[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
    }
    for (int k = 0; k < n; ++k) {
        double a = A[p * n + k];
        double b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
    }
}

static inline int patch_ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void patch_eigenvalues(double *A, int n, double *values)
{
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (int p = 0; p < n; ++p) {
            for (int q = p + 1; q < n; ++q) {
                if (A[p * n + q] != 0.0) {
                    patch_rotate(A, n, p, q);
                }
            }
        }
    }
    for (int k = 0; k < n; ++k) {
        values[k] = A[k * n + k];
    }
    qsort(values, (size_t)n, sizeof *values, patch_ascending);
}

#endif
