/* Laws every joint keeps, over the list of joints and 1000 random assemblies each: rows are derivatives, reactions are
 * equal and opposite and do no work, rows are independent, coordinates count whole turns. */
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

#define FOR_EACH_JOINT(type)                                                                     \
    for (const carom_kind *const *kind_ = carom_joint_kinds(); *kind_; ++kind_)                  \
        for (const carom_joint_type *type = (const carom_joint_type *)*kind_; type; type = NULL) \
            if (!type->couples_joints)

static carom_joint_frames frames_of(const assembly *s)
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

static functions equations_of(const carom_joint_type *t)
{
    return (functions){ t->equation_count, t->residual, t->jacobian, t->jdot_v };
}

static functions coordinates_of(const carom_joint_type *t)
{
    return (functions){ t->coordinate_count, t->coordinate, t->coordinate_jacobian, t->coordinate_jdot_v };
}

static void values_at(double *out, functions g, const assembly *s, test_pair pair)
{
    assembly moved = *s;
    moved.pair = pair;
    carom_joint_frames f = frames_of(&moved);
    g.value(out, &f, &s->params);
}

/* count rows over [v_a, omega_a, v_b, omega_b] */
static void rows_at(double (*out)[12], functions g, const assembly *s, test_pair pair)
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
static int orthonormal(double (*basis)[12], const double (*rows)[12], int count)
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
static void solve(double a[6][6], double x[6], int m)
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
static double newton_step(assembly *s)
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

static bool newton(assembly *s)
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
static void place_b(assembly *s, test_rng *rng, double wild)
{
    test_body *b = &s->pair.b;
    marker a = marker_of(&s->pair.a);
    quat about_z = q_axis_angle(v3_make(0, 0, 1), wild * test_rng_uniform(rng, -3.0, 3.0));
    quat tilt = so3_exp(random_v3(rng, 0.4 * wild));
    quat q_wm = q_mul(q_mul(q_from_matrix(a.R_w), about_z), tilt);
    b->q_wb = q_unit(q_mul(q_wm, q_conj(b->q_bm)));
    b->c_w = v3_sub(v3_add(a.p_w, random_v3(rng, 0.7 * wild)), q_rotate(b->q_wb, b->at_b));
}

static void random_params(assembly *s, test_rng *rng)
{
    if (strcmp(s->type->kind.name, "screw") == 0) {
        s->params.screw.pitch = copysign(test_rng_uniform(rng, 0.05, 1.0), test_rng_uniform(rng, -1.0, 1.0));
    } else if (strcmp(s->type->kind.name, "distance") == 0) {
        s->params.distance.length = test_rng_uniform(rng, 0.2, 1.0);
    }
}

/* An assembly that satisfies its equations, several turns away from the origin of its angles. */
static assembly random_assembly(const carom_joint_type *type, test_rng *rng)
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

static assembly near_assembly(const assembly *s, test_rng *rng)
{
    assembly out = *s;
    double motion[12];
    random_motion(motion, 12, rng);
    out.pair = pair_displaced(s->pair, motion, 0.05);
    return out;
}

/* Angles away from their singular places: swing has a kink where it is 0 or pi. */
static bool smooth(const assembly *s)
{
    if (strcmp(s->type->kind.name, "spherical") != 0) {
        return true;
    }
    double swing;
    values_at(&swing, coordinates_of(s->type), s, s->pair);
    return sin(swing) > 0.1;
}

/* near[] of the present coordinates, so that differences do not cross a seam of the unwrapping. */
static void settle(assembly *s)
{
    double q[JOINT_COORDINATES] = { 0 };
    if (s->type->coordinate_count > 0) {
        values_at(q, coordinates_of(s->type), s, s->pair);
    }
    memcpy(s->near, q, sizeof q);
}

/* ---- derivatives ---- */

static void check_rows(functions g, const assembly *s, test_rng *rng)
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

static void check_jdot_v(functions g, const assembly *s)
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

TEST(joints, jacobian_and_jdot_v_are_derivatives_of_the_residual)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            assembly on = random_assembly(type, &rng);
            assembly near = near_assembly(&on, &rng);
            settle(&on);
            settle(&near);
            check_rows(equations_of(type), &on, &rng);
            check_rows(equations_of(type), &near, &rng);
            check_jdot_v(equations_of(type), &on);
            check_jdot_v(equations_of(type), &near);
        }
    }
}

TEST(joints, coordinate_rows_are_derivatives_on_and_near_the_manifold)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            assembly on = random_assembly(type, &rng);
            assembly near = near_assembly(&on, &rng);
            settle(&on);
            settle(&near);
            if (type->coordinate_count > 0 && smooth(&on) && smooth(&near)) {
                check_rows(coordinates_of(type), &on, &rng);
                check_rows(coordinates_of(type), &near, &rng);
                check_jdot_v(coordinates_of(type), &on);
                check_jdot_v(coordinates_of(type), &near);
            }
        }
    }
}

/* ---- reactions ---- */

/* Row k as forces on both bodies: they sum to zero, and so do their moments about the origin. */
static void check_equal_and_opposite(functions g, const assembly *s)
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

TEST(joints, reactions_are_equal_and_opposite_with_their_moments)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            assembly s = random_assembly(type, &rng);
            check_equal_and_opposite(equations_of(type), &s);
            if (type->coordinate_count > 0) {
                check_equal_and_opposite(coordinates_of(type), &s);
            }
        }
    }
}

/* v less its components in the span of the rows. */
static void make_admissible(double v[12], const double (*rows)[12], int count)
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

/* Reactions work against J v alone. A velocity they do no work on keeps the joint closed to second order. */
TEST(joints, reactions_do_no_work_on_motions_that_keep_the_joint_closed)
{
    TEST_UNUSED();
    const double h = 1e-4;
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            assembly s = random_assembly(type, &rng);
            settle(&s);
            double J[6][12];
            double v[12];
            double C[6];
            random_motion(v, 12, &rng);
            rows_at(J, equations_of(type), &s, s.pair);
            make_admissible(v, (const double(*)[12])J, type->equation_count);
            values_at(C, equations_of(type), &s, pair_displaced(s.pair, v, h));
            for (int k = 0; k < type->equation_count; ++k) {
                CHECK_NEAR(dot_n(J[k], v, 12), 0.0, 1e-12);
                CHECK_NEAR(C[k], 0.0, 100.0 * h * h); /* curvature of the constraint is of the order of 1/lever */
            }
        }
    }
}

static int row_rank(const double (*rows)[12], int count)
{
    double basis[2 * ROWS_AT_MOST][12];
    return orthonormal(basis, rows, count);
}

TEST(joints, rows_are_independent_also_with_driven_coordinates)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            assembly s = random_assembly(type, &rng);
            double J[ROWS_AT_MOST][12];
            rows_at(J, equations_of(type), &s, s.pair);
            CHECK_EQ(row_rank((const double(*)[12])J, type->equation_count), type->equation_count);
            if (type->coordinate_count > 0 && type->coordinates[0].drivable) {
                int total = type->equation_count + type->coordinate_count;
                rows_at(J + type->equation_count, coordinates_of(type), &s, s.pair);
                CHECK_EQ(row_rank((const double(*)[12])J, total), total);
            }
        }
    }
}

/* Joints that mean the same when the bodies change places. */
static bool symmetric(const carom_joint_type *type)
{
    static const char *const names[] = { "fixed",     "revolute", "prismatic", "cylindrical",
                                         "spherical", "planar",   "screw",     "distance" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(names[i], type->kind.name) == 0) {
            return true;
        }
    }
    return false;
}

TEST(joints, exchanging_the_bodies_admits_the_same_motions)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, symmetric(type) ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            settle(&s);
            assembly exchanged = s;
            exchanged.pair = (test_pair){ s.pair.b, s.pair.a };
            for (int k = 0; k < JOINT_COORDINATES; ++k) {
                exchanged.near[k] = -s.near[k];
            }
            double C[6];
            double rows[12][12];
            double other[6][12];
            int n = type->equation_count;
            values_at(C, equations_of(type), &exchanged, exchanged.pair);
            rows_at(rows, equations_of(type), &s, s.pair);
            rows_at(other, equations_of(type), &exchanged, exchanged.pair);
            for (int k = 0; k < n; ++k) {
                CHECK_NEAR(C[k], 0.0, 1e-12);
                memcpy(rows[n + k], other[k] + 6, 6 * sizeof(double)); /* back to the order a, b */
                memcpy(rows[n + k] + 6, other[k], 6 * sizeof(double));
            }
            CHECK_EQ(row_rank((const double(*)[12])rows, 2 * n), n);
        }
    }
}

/* ---- conventions ---- */

TEST(joints, write_their_rows_completely_and_no_others)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        test_rng rng = test_rng_seed(1);
        assembly s = random_assembly(type, &rng);
        carom_joint_frames f = frames_of(&s);
        carom_joint_rows J;
        for (int k = 0; k < JOINT_ROWS; ++k) {
            for (int i = 0; i < 6; ++i) {
                J.a[k][i] = J.b[k][i] = (double)NAN;
            }
        }
        type->jacobian(&J, &f, &s.params);
        for (int k = 0; k < JOINT_ROWS; ++k) {
            for (int i = 0; i < 6; ++i) {
                CHECK_EQ(!isnan(J.a[k][i]), k < type->equation_count);
                CHECK_EQ(!isnan(J.b[k][i]), k < type->equation_count);
            }
        }
    }
}

/* B turned over about its own marker. */
static void turn_over(assembly *s, v3 axis_m, double angle)
{
    test_body *b = &s->pair.b;
    v3 p = v3_add(b->c_w, q_rotate(b->q_wb, b->at_b));
    b->q_bm = q_mul(b->q_bm, q_axis_angle(axis_m, angle));
    b->c_w = v3_sub(p, q_rotate(b->q_wb, b->at_b));
}

TEST(joints, know_when_they_are_assembled_the_wrong_way_round)
{
    TEST_UNUSED();
    const double third = 2.0 * acos(-1.0) / 3.0;
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->flipped ? 100 : 0) {
            assembly s = random_assembly(type, &rng);
            carom_joint_frames f = frames_of(&s);
            CHECK(!type->flipped(&f));
            turn_over(&s, v3_make(1, 0, 0), acos(-1.0));
            f = frames_of(&s);
            CHECK(type->flipped(&f));
        }
    }
    /* cyclic exchange of the axes satisfies the rows of rigid orientations too */
    test_rng rng = test_rng_seed(1);
    assembly s = random_assembly(carom_joint_type_find("fixed"), &rng);
    turn_over(&s, v3_unit(v3_make(1, 1, 1)), third);
    carom_joint_frames f = frames_of(&s);
    double C[6];
    s.type->residual(C, &f, NULL);
    CHECK_NEAR(C[3], 0.0, 1e-12);
    CHECK_NEAR(C[4], 0.0, 1e-12);
    CHECK_NEAR(C[5], 0.0, 1e-12);
    CHECK(s.type->flipped(&f));
}

/* B turns about the axis of the coordinate in steps, forth or back; the angle adds up over whole turns. */
static void check_turns(assembly s, int k, double step)
{
    settle(&s);
    double start = s.near[k];
    for (int i = 1; i <= 100; ++i) {
        double J[6][12];
        double q[JOINT_COORDINATES];
        double motion[6] = { 0 };
        rows_at(J, coordinates_of(s.type), &s, s.pair);
        memcpy(motion + 3, J[k] + 9, 3 * sizeof(double));
        s.pair.b = displaced(s.pair.b, motion, step);
        values_at(q, coordinates_of(s.type), &s, s.pair);
        CHECK_NEAR(q[k], start + i * step, 1e-10);
        s.near[k] = q[k];
    }
}

TEST(joints, angles_count_whole_turns)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        for (int k = 0; k < type->coordinate_count; ++k) {
            FOR_EACH_SEED(rng, type->coordinates[k].angle && type->coordinates[k].drivable ? 20 : 0) {
                assembly s = random_assembly(type, &rng);
                check_turns(s, k, 0.3);
                check_turns(s, k, -0.7);
            }
        }
    }
}

TEST(joints, are_found_by_their_names)
{
    TEST_UNUSED();
    for (const carom_kind *const *kind = carom_joint_kinds(); *kind; ++kind) {
        CHECK(&carom_joint_type_find((*kind)->name)->kind == *kind);
    }
    CHECK(!carom_joint_type_find("hinge"));
    CHECK(!carom_joint_type_find(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(joints, jacobian_and_jdot_v_are_derivatives_of_the_residual),
        RUN_TEST(joints, coordinate_rows_are_derivatives_on_and_near_the_manifold),
        RUN_TEST(joints, reactions_are_equal_and_opposite_with_their_moments),
        RUN_TEST(joints, reactions_do_no_work_on_motions_that_keep_the_joint_closed),
        RUN_TEST(joints, rows_are_independent_also_with_driven_coordinates),
        RUN_TEST(joints, exchanging_the_bodies_admits_the_same_motions),
        RUN_TEST(joints, write_their_rows_completely_and_no_others),
        RUN_TEST(joints, know_when_they_are_assembled_the_wrong_way_round),
        RUN_TEST(joints, angles_count_whole_turns),
        RUN_TEST(joints, are_found_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
