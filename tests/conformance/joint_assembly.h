/* Joints between two bodies in random configurations, and what is checked of their rows. */
#ifndef CAROM_TESTS_JOINT_ASSEMBLY_H
#define CAROM_TESTS_JOINT_ASSEMBLY_H

#include "conformance/two_bodies.h"

#include "elements/joints/joint.h"

enum { SEEDS = 1000, ROWS_AT_MOST = JOINT_ROWS + JOINT_COORDINATES };

/* One joint between two bodies in one configuration. */
typedef struct assembly {
    const carom_joint_type *type;
    test_pair pair;
    double near[JOINT_COORDINATES];
    union {
        carom_screw_def screw;
        carom_distance_def distance;
    } params;
} assembly;

/* Joints with play too. */
#define FOR_EACH_JOINT(type)                                                                                     \
    for (const carom_kind *const *kind_ = carom_joint_kinds(); *kind_; ++kind_)                                  \
        for (const carom_joint_type *type = (const carom_joint_type *)*kind_; type; type = type->with_clearance) \
            if (!type->couples_joints)

static inline carom_joint_frames frames_of(const assembly *s)
{
    carom_joint_frames f = { .a = marker_of(&s->pair.a), .b = marker_of(&s->pair.b) };
    memcpy(f.near, s->near, sizeof f.near);
    return f;
}

/* ---- what is measured: the equations or the coordinates, as one interface ---- */

typedef struct functions {
    int count;
    void (*value)(double *, const carom_joint_frames *, const void *);
    void (*rows)(carom_joint_rows *, const carom_joint_frames *, const void *);
    void (*jdot_v)(double *, const carom_joint_frames *, const void *);
} functions;

static inline functions equations_of(const carom_joint_type *t)
{
    return (functions){ t->equation_count, t->residual, t->jacobian, t->jdot_v };
}

static inline functions coordinates_of(const carom_joint_type *t)
{
    return (functions){ t->coordinate_count, t->coordinate, t->coordinate_jacobian, t->coordinate_jdot_v };
}

static inline void values_at(double *out, functions g, const assembly *s, test_pair pair)
{
    assembly moved = *s;
    moved.pair = pair;
    carom_joint_frames f = frames_of(&moved);
    g.value(out, &f, &s->params);
}

/* count rows over [v_a, omega_a, v_b, omega_b] */
static inline void rows_at(double (*out)[12], functions g, const assembly *s, test_pair pair)
{
    assembly moved = *s;
    moved.pair = pair;
    carom_joint_frames f = frames_of(&moved);
    carom_joint_rows J;
    g.rows(&J, &f, &s->params);
    for (int k = 0; k < g.count; ++k) {
        memcpy(out[k], J.a[k], sizeof J.a[k]);
        memcpy(out[k] + 6, J.b[k], sizeof J.b[k]);
    }
}

/* ---- small dense algebra ---- */

/* Orthonormal basis of the rows' span by Gram and Schmidt, twice is enough; returns its size. */
static inline int orthonormal(double (*basis)[12], const double (*rows)[12], int count)
{
    int rank = 0;
    for (int k = 0; k < count; ++k) {
        double v[12];
        memcpy(v, rows[k], sizeof v);
        double before = sqrt(dot_n(v, v, 12));
        for (int j = 0; j < 2 * rank; ++j) {
            double part = dot_n(v, basis[j % rank], 12);
            for (int i = 0; i < 12; ++i) {
                v[i] -= part * basis[j % rank][i];
            }
        }
        double left = sqrt(dot_n(v, v, 12));
        if (left > 1e-7 * before) {
            for (int i = 0; i < 12; ++i) {
                basis[rank][i] = v[i] / left;
            }
            ++rank;
        }
    }
    return rank;
}

/* Solves the symmetric m x m system in place by elimination with row exchange. */
static inline void solve(double a[6][6], double x[6], int m)
{
    for (int p = 0; p < m; ++p) {
        int best = p;
        for (int i = p + 1; i < m; ++i) {
            best = fabs(a[i][p]) > fabs(a[best][p]) ? i : best;
        }
        for (int j = 0; j < m; ++j) {
            double swap = a[p][j];
            a[p][j] = a[best][j];
            a[best][j] = swap;
        }
        double swap = x[p];
        x[p] = x[best];
        x[best] = swap;
        for (int i = p + 1; i < m; ++i) {
            double factor = a[i][p] / a[p][p];
            for (int j = p; j < m; ++j) {
                a[i][j] -= factor * a[p][j];
            }
            x[i] -= factor * x[p];
        }
    }
    for (int p = m - 1; p >= 0; --p) {
        for (int j = p + 1; j < m; ++j) {
            x[p] -= a[p][j] * x[j];
        }
        x[p] /= a[p][p];
    }
}

/* ---- random assemblies ---- */

/* One Newton step of least length moving B alone; returns the largest residual before it. */
static inline double newton_step(assembly *s)
{
    functions g = equations_of(s->type);
    double C[6] = { 0 };
    double J[6][12];
    double gram[6][6];
    double motion[6] = { 0 };
    double worst = 0.0;
    values_at(C, g, s, s->pair);
    rows_at(J, g, s, s->pair);
    for (int i = 0; i < g.count; ++i) {
        worst = fmax(worst, fabs(C[i]));
        for (int j = 0; j < g.count; ++j) {
            gram[i][j] = dot_n(J[i] + 6, J[j] + 6, 6);
        }
    }
    solve(gram, C, g.count);
    for (int k = 0; k < g.count; ++k) {
        for (int i = 0; i < 6; ++i) {
            motion[i] -= C[k] * J[k][6 + i];
        }
    }
    s->pair.b = displaced(s->pair.b, motion, 1.0);
    return worst;
}

static inline bool newton(assembly *s)
{
    for (int k = 0; k < 50; ++k) {
        double worst = newton_step(s);
        if (!isfinite(worst)) {
            return false;
        }
        if (worst < 1e-13) {
            carom_joint_frames f = frames_of(s);
            return !s->type->flipped || !s->type->flipped(&f);
        }
    }
    return false;
}

/* B's marker on A's, then turned about z, tilted and shifted; `wild` scales how far from aligned. */
static inline void place_b(assembly *s, test_rng *rng, double wild)
{
    test_body *b = &s->pair.b;
    marker a = marker_of(&s->pair.a);
    quat about_z = q_axis_angle(v3_make(0, 0, 1), wild * test_rng_uniform(rng, -3.0, 3.0));
    quat tilt = so3_exp(random_v3(rng, 0.4 * wild));
    quat q_wm = q_mul(q_mul(q_from_matrix(a.R_w), about_z), tilt);
    b->q_wb = q_unit(q_mul(q_wm, q_conj(b->q_bm)));
    b->c_w = v3_sub(v3_add(a.p_w, random_v3(rng, 0.7 * wild)), q_rotate(b->q_wb, b->at_b));
}

static inline void random_params(assembly *s, test_rng *rng)
{
    if (strcmp(s->type->kind.name, "screw") == 0) {
        s->params.screw.pitch = copysign(test_rng_uniform(rng, 0.05, 1.0), test_rng_uniform(rng, -1.0, 1.0));
    } else if (strcmp(s->type->kind.name, "distance") == 0) {
        s->params.distance.length = test_rng_uniform(rng, 0.2, 1.0);
    }
}

/* An assembly that satisfies its equations, several turns away from the origin of its angles. */
static inline assembly random_assembly(const carom_joint_type *type, test_rng *rng)
{
    test_body a = random_body(rng);
    assembly s = { .type = type, .pair = { a, random_body(rng) } };
    random_params(&s, rng);
    for (int k = 0; k < JOINT_COORDINATES; ++k) {
        s.near[k] = test_rng_uniform(rng, -20.0, 20.0);
    }
    for (int attempt = 0; attempt < 20; ++attempt) {
        place_b(&s, rng, pow(0.8, attempt)); /* rigid orientations need a start nearer to aligned */
        if (newton(&s)) {
            return s;
        }
    }
    print_error("no random assembly of %s\n", type->kind.name);
    CHECK(false);
    return s;
}

static inline assembly near_assembly(const assembly *s, test_rng *rng)
{
    assembly out = *s;
    double motion[12];
    random_motion(motion, 12, rng);
    out.pair = pair_displaced(s->pair, motion, 0.05);
    return out;
}

/* Angles away from their singular places: swing has a kink where it is 0 or pi. */
static inline bool smooth(const assembly *s)
{
    if (strcmp(s->type->kind.name, "spherical") != 0) {
        return true;
    }
    double swing;
    values_at(&swing, coordinates_of(s->type), s, s->pair);
    return sin(swing) > 0.1;
}

/* near[] of the present coordinates, so that differences do not cross a seam of the unwrapping. */
static inline void settle(assembly *s)
{
    double q[JOINT_COORDINATES] = { 0 };
    if (s->type->coordinate_count > 0) {
        values_at(q, coordinates_of(s->type), s, s->pair);
    }
    memcpy(s->near, q, sizeof q);
}

/* ---- derivatives ---- */

static inline void check_rows(functions g, const assembly *s, test_rng *rng)
{
    const double h = 1e-5; /* differences: h^2 truncation against 1e-16 / h rounding, both near 1e-10 */
    double J[6][12];
    double ahead[6];
    double behind[6];
    double motion[12];
    random_motion(motion, 12, rng);
    rows_at(J, g, s, s->pair);
    values_at(ahead, g, s, pair_displaced(s->pair, motion, h));
    values_at(behind, g, s, pair_displaced(s->pair, motion, -h));
    for (int k = 0; k < g.count; ++k) {
        CHECK_NEAR(dot_n(J[k], motion, 12), (ahead[k] - behind[k]) / (2.0 * h), 3e-8);
    }
}

static inline void check_jdot_v(functions g, const assembly *s)
{
    const double h = 1e-5;
    double gamma[6];
    double ahead[6][12];
    double behind[6][12];
    double v[12];
    carom_joint_frames f = frames_of(s);
    pair_velocity(v, &s->pair);
    g.jdot_v(gamma, &f, &s->params);
    rows_at(ahead, g, s, pair_coasting(s->pair, h));
    rows_at(behind, g, s, pair_coasting(s->pair, -h));
    for (int k = 0; k < g.count; ++k) {
        double quotient = (dot_n(ahead[k], v, 12) - dot_n(behind[k], v, 12)) / (2.0 * h);
        CHECK_NEAR(gamma[k], quotient, 1e-6 * (1.0 + fabs(quotient)));
    }
}

/* Row k as forces on both bodies: they sum to zero, and so do their moments about the origin. */
static inline void check_equal_and_opposite(functions g, const assembly *s)
{
    double J[6][12];
    rows_at(J, g, s, s->pair);
    for (int k = 0; k < g.count; ++k) {
        v3 force_a = v3_load(J[k]);
        v3 force_b = v3_load(J[k] + 6);
        v3 moment_a = v3_add(v3_cross(s->pair.a.c_w, force_a), v3_load(J[k] + 3));
        v3 moment_b = v3_add(v3_cross(s->pair.b.c_w, force_b), v3_load(J[k] + 9));
        CHECK_NEAR(v3_norm(v3_add(force_a, force_b)), 0.0, 1e-13);
        CHECK_NEAR(v3_norm(v3_add(moment_a, moment_b)), 0.0, 1e-11);
    }
}

/* v less its components in the span of the rows. */
static inline void make_admissible(double v[12], const double (*rows)[12], int count)
{
    double basis[ROWS_AT_MOST][12];
    int rank = orthonormal(basis, rows, count);
    for (int k = 0; k < rank; ++k) {
        double part = dot_n(v, basis[k], 12);
        for (int i = 0; i < 12; ++i) {
            v[i] -= part * basis[k][i];
        }
    }
}

#endif
