/* Laws every joint keeps, over the list of joints and 1000 random assemblies each: rows are derivatives, reactions are
 * equal and opposite and do no work, rows are independent, coordinates count whole turns. */
#include "conformance/joint_assembly.h"

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
