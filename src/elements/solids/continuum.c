/* Stiffness, mass and strain of isoparametric elements; continuum.h says what they are made of. */
#include "elements/solids/continuum.h"

#include <string.h>

#include "linalg/dense.h"
#include "math/mat3.h"

enum { MODES = 3, MODE_FREEDOMS = 9 };

static const double TWO_PI = 6.28318530717958647692;

static bool is_axisymmetric(const solid_type *type, const solid_material *material)
{
    return type->dimension == 2 && material->plane == AXISYMMETRIC;
}

/* ---- geometry ---- */

/* An element at one of its points. */
typedef struct place {
    double N[SOLID_NODES];
    v3 gradient[SOLID_NODES]; /* [1/m] of N */
    double radius;            /* [m] of axisymmetric elements */
    double det;               /* of the Jacobian; the third axis of plane elements counts one */
    double volume;            /* [m^3] per weight of integration */
} place;

/* Rows: derivatives of the position by the natural coordinates. */
static m3 jacobian(const solid_type *type, const v3 *X, double (*dN)[3])
{
    m3 J = { { 0 } };
    for (int i = 0; i < type->node_count; ++i) {
        for (int a = 0; a < type->dimension; ++a) {
            J.m[3 * a] += dN[i][a] * X[i].x;
            J.m[3 * a + 1] += dN[i][a] * X[i].y;
            J.m[3 * a + 2] += dN[i][a] * X[i].z;
        }
    }
    if (type->dimension == 2) {
        J.m[2] = J.m[5] = 0.0;
        J.m[8] = 1.0;
    }
    return J;
}

static place place_at(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3])
{
    place p = { 0 };
    double dN[SOLID_NODES][3] = { { 0 } };
    type->continuum->shape(xi, p.N, dN);
    m3 J = jacobian(type, X, dN);
    m3 inverse = m3_inverse(J);
    p.det = m3_det(J);
    p.volume = p.det;
    for (int i = 0; i < type->node_count; ++i) {
        p.gradient[i] = m3_mulv(inverse, v3_make(dN[i][0], dN[i][1], dN[i][2]));
        p.radius += p.N[i] * X[i].x;
    }
    if (type->dimension == 2) {
        p.volume *= material->plane == AXISYMMETRIC ? TWO_PI * p.radius : material->thickness;
    }
    return p;
}

void continuum_weights(const solid_type *type, const double xi[3], double *weights)
{
    double dN[SOLID_NODES][3];
    type->continuum->shape(xi, weights, dN);
}

void continuum_interpolation(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3],
                             double *N)
{
    (void)X;
    (void)material;
    double weights[SOLID_NODES];
    int columns = solid_freedom_count(type);
    continuum_weights(type, xi, weights);
    memset(N, 0, 3 * (size_t)columns * sizeof *N);
    for (int i = 0; i < type->node_count; ++i) {
        for (int a = 0; a < type->dimension; ++a) {
            N[a * columns + type->dimension * i + a] = weights[i];
        }
    }
}

/* Flat against the product of its extents along natural coordinates, or a thin sheet or needle beyond what numbers can hold. */
static bool is_flat_at(const solid_type *type, const v3 *X, const double xi[3])
{
    const double thinnest = 1e-7; /* of the longest extent: its stiffness spans the square of this */
    double N[SOLID_NODES];
    double dN[SOLID_NODES][3] = { { 0 } };
    type->continuum->shape(xi, N, dN);
    m3 J = jacobian(type, X, dN);
    double product = 1.0;
    double least = HUGE_VAL;
    double most = 0.0;
    for (int a = 0; a < type->dimension; ++a) {
        double extent = v3_norm(m3_row(J, a));
        product *= extent;
        least = fmin(least, extent);
        most = fmax(most, extent);
    }
    return !(m3_det(J) > 1e-10 * product) || least < thinnest * most;
}

const char *continuum_geometry_fault(const solid_type *type, const v3 *X, const solid_material *material)
{
    const char *flat = "is flat or inside out: its nodes are not in order, or an angle is not below 180 degrees";
    for (int i = 0; i < type->node_count; ++i) {
        if (is_flat_at(type, X, type->nodes[i])) {
            return flat;
        }
        if (is_axisymmetric(type, material) && X[i].x < 0.0) {
            return "reaches beyond the axis: x is the radius and not negative";
        }
    }
    const quadrature *rule = type->continuum->mass;
    for (int k = 0; k < rule->count; ++k) {
        if (is_flat_at(type, X, rule->points[k].xi)) {
            return flat;
        }
    }
    return NULL;
}

/* ---- strain ---- */

/* Columns of B for a function with this value and gradient: strain per displacement along each axis. */
static void strain_columns(const solid_type *type, const solid_material *material, v3 gradient, double value,
                           double radius, double *B, int columns, int first)
{
    B[STRAIN_XX * columns + first] = gradient.x;
    B[STRAIN_XY * columns + first] = gradient.y;
    B[STRAIN_YY * columns + first + 1] = gradient.y;
    B[STRAIN_XY * columns + first + 1] = gradient.x;
    if (type->dimension == 3) {
        B[STRAIN_ZX * columns + first] = gradient.z;
        B[STRAIN_YZ * columns + first + 1] = gradient.z;
        B[STRAIN_ZZ * columns + first + 2] = gradient.z;
        B[STRAIN_YZ * columns + first + 2] = gradient.y;
        B[STRAIN_ZX * columns + first + 2] = gradient.x;
    } else if (is_axisymmetric(type, material)) {
        B[STRAIN_ZZ * columns + first] = value / radius;
    }
}

static void strain_matrix(const solid_type *type, const solid_material *material, const place *p, double *B)
{
    int columns = solid_freedom_count(type);
    memset(B, 0, SOLID_STRAINS * (size_t)columns * sizeof *B);
    for (int i = 0; i < type->node_count; ++i) {
        strain_columns(type, material, p->gradient[i], p->N[i], p->radius, B, columns, type->dimension * i);
    }
}

/* Stress per strain. In plane stress the strain across the plane is what it has to be and its row is left out. */
static void elasticity(const solid_type *type, const solid_material *material, double D[SOLID_STRAINS][SOLID_STRAINS])
{
    double nu = material->poisson;
    double shear = material->young / (2.0 * (1.0 + nu));
    bool free_across = type->dimension == 2 && material->plane == PLANE_STRESS;
    double lambda = free_across ? material->young * nu / (1.0 - nu * nu)
                                : material->young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    memset(D, 0, SOLID_STRAINS * sizeof D[0]);
    int normal_count = free_across ? 2 : 3;
    for (int a = 0; a < normal_count; ++a) {
        for (int b = 0; b < normal_count; ++b) {
            D[a][b] = lambda + (a == b ? 2.0 * shear : 0.0);
        }
    }
    D[STRAIN_YZ][STRAIN_YZ] = D[STRAIN_ZX][STRAIN_ZX] = D[STRAIN_XY][STRAIN_XY] = shear;
}

void continuum_stress(const solid_type *type, const solid_material *material, const double strain[SOLID_STRAINS],
                      double stress[SOLID_STRAINS])
{
    double D[SOLID_STRAINS][SOLID_STRAINS];
    elasticity(type, material, D);
    for (int a = 0; a < SOLID_STRAINS; ++a) {
        stress[a] = 0.0;
        for (int b = 0; b < SOLID_STRAINS; ++b) {
            stress[a] += D[a][b] * strain[b];
        }
    }
}

/* ---- incompatible modes ---- */

typedef struct mode_geometry {
    m3 inverse; /* of the Jacobian in the middle */
    double det;
    double mean[SOLID_STRAINS * MODE_FREEDOMS]; /* of their strains over the volume, in axisymmetry */
} mode_geometry;

/* Strains per amplitude of the modes at xi, before the mean is taken off. */
static void raw_mode_matrix(const solid_type *type, const solid_material *material, const mode_geometry *g,
                            const place *p, const double xi[3], double *G)
{
    double value[MODES];
    double derivative[MODES][3] = { { 0 } };
    int columns = type->continuum->mode_count * type->dimension;
    type->continuum->modes(xi, value, derivative);
    memset(G, 0, SOLID_STRAINS * (size_t)columns * sizeof *G);
    for (int k = 0; k < type->continuum->mode_count; ++k) {
        v3 gradient = m3_mulv(g->inverse, v3_make(derivative[k][0], derivative[k][1], derivative[k][2]));
        strain_columns(type, material, v3_scale(g->det / p->det, gradient), value[k], p->radius, G, columns,
                       type->dimension * k);
    }
}

static void mode_matrix(const solid_type *type, const solid_material *material, const mode_geometry *g,
                        const place *p, const double xi[3], double *G)
{
    int size = SOLID_STRAINS * type->continuum->mode_count * type->dimension;
    raw_mode_matrix(type, material, g, p, xi, G);
    for (int k = 0; k < size; ++k) {
        G[k] -= g->mean[k];
    }
}

static mode_geometry mode_geometry_of(const solid_type *type, const v3 *X, const solid_material *material)
{
    mode_geometry g = { .mean = { 0 } };
    double N[SOLID_NODES];
    double dN[SOLID_NODES][3] = { { 0 } };
    type->continuum->shape(type->continuum->middle, N, dN);
    m3 J = jacobian(type, X, dN);
    g.inverse = m3_inverse(J);
    g.det = m3_det(J);
    if (!is_axisymmetric(type, material)) {
        return g;
    }
    double sum[SOLID_STRAINS * MODE_FREEDOMS] = { 0 };
    double volume = 0.0;
    int size = SOLID_STRAINS * type->continuum->mode_count * type->dimension;
    const quadrature *rule = type->continuum->stiffness;
    for (int q = 0; q < rule->count; ++q) {
        double G[SOLID_STRAINS * MODE_FREEDOMS];
        place p = place_at(type, X, material, rule->points[q].xi);
        raw_mode_matrix(type, material, &g, &p, rule->points[q].xi, G);
        volume += rule->points[q].weight * p.volume;
        for (int k = 0; k < size; ++k) {
            sum[k] += rule->points[q].weight * p.volume * G[k];
        }
    }
    for (int k = 0; k < size; ++k) {
        g.mean[k] = sum[k] / volume;
    }
    return g;
}

/* ---- stiffness ---- */

/* K += weight A' D B for A (strains x rows) and B (strains x columns). */
static void add_product(double *K, const double *A, int rows, const double *B, int columns,
                        double D[SOLID_STRAINS][SOLID_STRAINS], double weight)
{
    for (int c = 0; c < columns; ++c) {
        double stress[SOLID_STRAINS];
        for (int a = 0; a < SOLID_STRAINS; ++a) {
            stress[a] = 0.0;
            for (int b = 0; b < SOLID_STRAINS; ++b) {
                stress[a] += D[a][b] * B[b * columns + c];
            }
        }
        for (int r = 0; r < rows; ++r) {
            double sum = 0.0;
            for (int a = 0; a < SOLID_STRAINS; ++a) {
                sum += A[a * rows + r] * stress[a];
            }
            K[r * columns + c] += weight * sum;
        }
    }
}

static void mirror(double *K, int n)
{
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < r; ++c) {
            K[r * n + c] = K[c * n + r];
        }
    }
}

/* Blocks of displacements and amplitudes; the amplitudes' own block is factored. */
typedef struct blocks {
    double modes[MODE_FREEDOMS * MODE_FREEDOMS];
    double coupling[MODE_FREEDOMS * SOLID_FREEDOMS]; /* amplitudes x freedoms */
} blocks;

static void integrate(const solid_type *type, const v3 *X, const solid_material *material, const mode_geometry *g,
                      double *K, blocks *b)
{
    int n = solid_freedom_count(type);
    int modes = type->continuum->mode_count * type->dimension;
    const quadrature *rule = type->continuum->stiffness;
    double D[SOLID_STRAINS][SOLID_STRAINS];
    elasticity(type, material, D);
    memset(b, 0, sizeof *b);
    for (int q = 0; q < rule->count; ++q) {
        double B[SOLID_STRAINS * SOLID_FREEDOMS];
        double G[SOLID_STRAINS * MODE_FREEDOMS];
        place p = place_at(type, X, material, rule->points[q].xi);
        double weight = rule->points[q].weight * p.volume;
        strain_matrix(type, material, &p, B);
        if (K) {
            add_product(K, B, n, B, n, D, weight);
        }
        if (modes > 0) {
            mode_matrix(type, material, g, &p, rule->points[q].xi, G);
            add_product(b->modes, G, modes, G, modes, D, weight);
            add_product(b->coupling, G, modes, B, n, D, weight);
        }
    }
    dense_cholesky(b->modes, modes, NULL);
}

static mode_geometry geometry_for(const solid_type *type, const v3 *X, const solid_material *material)
{
    return type->continuum->mode_count > 0 ? mode_geometry_of(type, X, material) : (mode_geometry){ .det = 1.0 };
}

/* Takes the amplitudes out: K - coupling' modes^-1 coupling. */
static void condense(double *K, const blocks *b, int n, int modes)
{
    double half[SOLID_FREEDOMS][MODE_FREEDOMS]; /* L^-1 coupling, by columns */
    for (int c = 0; c < n; ++c) {
        for (int k = 0; k < modes; ++k) {
            half[c][k] = b->coupling[k * n + c];
        }
        dense_cholesky_forward(b->modes, half[c], modes);
    }
    for (int r = 0; r < n; ++r) {
        for (int c = r; c < n; ++c) {
            for (int k = 0; k < modes; ++k) {
                K[r * n + c] -= half[r][k] * half[c][k];
            }
        }
    }
}

void continuum_stiffness(const solid_type *type, const v3 *X, const solid_material *material, double *K)
{
    blocks b;
    int n = solid_freedom_count(type);
    mode_geometry g = geometry_for(type, X, material);
    memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
    integrate(type, X, material, &g, K, &b);
    condense(K, &b, n, type->continuum->mode_count * type->dimension);
    mirror(K, n);
}

/* ---- strain at a point ---- */

/* The amplitudes that cost the least energy for the freedoms u. */
static void amplitudes(const blocks *b, const double *u, int n, int modes, double *alpha)
{
    for (int k = 0; k < modes; ++k) {
        alpha[k] = 0.0;
        for (int c = 0; c < n; ++c) {
            alpha[k] -= b->coupling[k * n + c] * u[c];
        }
    }
    dense_cholesky_forward(b->modes, alpha, modes);
    dense_cholesky_backward(b->modes, alpha, modes);
}

static void add_strain(double strain[SOLID_STRAINS], const double *B, const double *u, int n)
{
    for (int a = 0; a < SOLID_STRAINS; ++a) {
        for (int c = 0; c < n; ++c) {
            strain[a] += B[a * n + c] * u[c];
        }
    }
}

static void add_mode_strain(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                            const double xi[3], const place *p, double strain[SOLID_STRAINS])
{
    blocks b;
    double G[SOLID_STRAINS * MODE_FREEDOMS];
    double alpha[MODE_FREEDOMS];
    int modes = type->continuum->mode_count * type->dimension;
    mode_geometry g = mode_geometry_of(type, X, material);
    integrate(type, X, material, &g, NULL, &b);
    amplitudes(&b, u, solid_freedom_count(type), modes, alpha);
    mode_matrix(type, material, &g, p, xi, G);
    add_strain(strain, G, alpha, modes);
}

/* On the axis the hoop strain u/r is the radial one; a radius this small against the element is there. */
static bool is_on_axis(const solid_type *type, const v3 *X, double radius)
{
    double largest = 0.0;
    for (int i = 0; i < type->node_count; ++i) {
        largest = fmax(largest, X[i].x);
    }
    return !(radius > 1e-9 * largest);
}

void continuum_strain(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                      const double xi[3], double strain[SOLID_STRAINS])
{
    double B[SOLID_STRAINS * SOLID_FREEDOMS];
    place p = place_at(type, X, material, xi);
    bool on_axis = is_axisymmetric(type, material) && is_on_axis(type, X, p.radius);
    p.radius = on_axis ? 1.0 : p.radius;
    memset(strain, 0, SOLID_STRAINS * sizeof *strain);
    strain_matrix(type, material, &p, B);
    add_strain(strain, B, u, solid_freedom_count(type));
    if (type->continuum->mode_count > 0) {
        add_mode_strain(type, X, material, u, xi, &p, strain);
    }
    if (on_axis) {
        strain[STRAIN_ZZ] = strain[STRAIN_XX];
    } else if (type->dimension == 2 && material->plane == PLANE_STRESS) {
        strain[STRAIN_ZZ] = -material->poisson / (1.0 - material->poisson) * (strain[STRAIN_XX] + strain[STRAIN_YY]);
    }
}

/* ---- strain of second order ---- */

/* Rows: derivatives of the displacement along x, y, z. */
static m3 displacement_gradient(const solid_type *type, const place *p, const double *u)
{
    m3 F = { { 0 } };
    for (int i = 0; i < type->node_count; ++i) {
        const double g[3] = { p->gradient[i].x, p->gradient[i].y, p->gradient[i].z };
        for (int k = 0; k < 3 * type->dimension; ++k) {
            F.m[3 * (k / 3) + k % 3] += u[type->dimension * i + k / 3] * g[k % 3];
        }
    }
    return F;
}

/* (A'B + B'A)/2 as strains: what A and B add to the strain at second order. */
static void second_strain(const m3 *A, const m3 *B, double strain[SOLID_STRAINS])
{
    static const int axes[SOLID_STRAINS][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 2 }, { 2, 0 }, { 0, 1 } };
    for (int k = 0; k < SOLID_STRAINS; ++k) {
        const int r = axes[k][0], c = axes[k][1];
        double sum = 0.0;
        for (int a = 0; a < 9; a += 3) {
            sum += A->m[a + r] * B->m[a + c] + B->m[a + r] * A->m[a + c];
        }
        strain[k] = r == c ? 0.5 * sum : sum;
    }
}

void continuum_shortening(const solid_type *type, const v3 *X, const solid_material *material, const double *a,
                          const double *b, double *force)
{
    const int n = solid_freedom_count(type);
    const int modes = type->continuum->mode_count * type->dimension;
    const quadrature *rule = type->continuum->stiffness;
    double load[SOLID_FREEDOMS] = { 0 };
    double inner[MODE_FREEDOMS] = { 0 };
    double D[SOLID_STRAINS][SOLID_STRAINS];
    blocks between;
    mode_geometry g = geometry_for(type, X, material);
    elasticity(type, material, D);
    for (int q = 0; q < rule->count; ++q) {
        double B[SOLID_STRAINS * SOLID_FREEDOMS];
        double G[SOLID_STRAINS * MODE_FREEDOMS];
        double strain[SOLID_STRAINS];
        place p = place_at(type, X, material, rule->points[q].xi);
        const m3 A = displacement_gradient(type, &p, a);
        const m3 C = displacement_gradient(type, &p, b);
        const double weight = rule->points[q].weight * p.volume;
        second_strain(&A, &C, strain);
        strain_matrix(type, material, &p, B);
        add_product(load, B, n, strain, 1, D, weight);
        if (modes > 0) {
            mode_matrix(type, material, &g, &p, rule->points[q].xi, G);
            add_product(inner, G, modes, strain, 1, D, weight);
        }
    }
    if (modes > 0) { /* the amplitudes give way to it */
        integrate(type, X, material, &g, NULL, &between);
        dense_cholesky_forward(between.modes, inner, modes);
        dense_cholesky_backward(between.modes, inner, modes);
        for (int k = 0; k < modes; ++k) {
            for (int c = 0; c < n; ++c) {
                load[c] -= between.coupling[k * n + c] * inner[k];
            }
        }
    }
    for (int c = 0; c < n; ++c) {
        force[c] -= load[c];
    }
}

/* ---- mass ---- */

/* Integrals of density N_i N_j: nodes x nodes. */
static void scalar_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m)
{
    int n = type->node_count;
    const quadrature *rule = type->continuum->mass;
    memset(m, 0, (size_t)n * (size_t)n * sizeof *m);
    for (int q = 0; q < rule->count; ++q) {
        place p = place_at(type, X, material, rule->points[q].xi);
        double weight = material->density * rule->points[q].weight * p.volume;
        for (int i = 0; i < n; ++i) {
            for (int j = i; j < n; ++j) {
                m[i * n + j] += weight * p.N[i] * p.N[j];
            }
        }
    }
    mirror(m, n);
}

void continuum_mass(const solid_type *type, const v3 *X, const solid_material *material, double *M)
{
    double m[SOLID_NODES * SOLID_NODES];
    int n = solid_freedom_count(type);
    int d = type->dimension;
    scalar_mass(type, X, material, m);
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int i = 0; i < type->node_count; ++i) {
        for (int j = 0; j < type->node_count; ++j) {
            for (int a = 0; a < d; ++a) {
                M[(d * i + a) * n + d * j + a] = m[i * type->node_count + j];
            }
        }
    }
}

static void node_masses(const solid_type *type, const v3 *X, const solid_material *material, double *nodal)
{
    double m[SOLID_NODES * SOLID_NODES];
    int n = type->node_count;
    double total = 0.0;
    double diagonal = 0.0;
    scalar_mass(type, X, material, m);
    for (int i = 0; i < n; ++i) {
        nodal[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            nodal[i] += m[i * n + j];
        }
        total += nodal[i];
        diagonal += m[i * n + i];
    }
    for (int i = 0; type->continuum->scaled_diagonal && i < n; ++i) {
        nodal[i] = m[i * n + i] * total / diagonal;
    }
}

void continuum_lumped_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m)
{
    double nodal[SOLID_NODES];
    node_masses(type, X, material, nodal);
    for (int i = 0; i < type->node_count; ++i) {
        for (int a = 0; a < type->dimension; ++a) {
            m[type->dimension * i + a] = nodal[i];
        }
    }
}
