/* Single joints against closed forms: signs, conventions, edges, refusals. */
#include "support/check.h"

#include "elements/joints/joint.h"

static const double PI = 3.14159265358979323846;

/* A marker of a body whose centre of mass is at the marker. */
static marker marker_at(v3 p_w, quat q_wm)
{
    return (marker){ .p_w = p_w, .R_w = q_matrix(q_wm) };
}

static quat about_z(double angle)
{
    return q_axis_angle(v3_make(0, 0, 1), angle);
}

static double coordinate_of(const char *joint, int k, const carom_joint_frames *f)
{
    const carom_joint_type *type = carom_joint_type_find(joint);
    double q[JOINT_COORDINATES];
    type->coordinate(q, f, NULL);
    return q[k];
}

TEST(revolute, angle_of_b_counts_positive_about_z_of_a)
{
    TEST_UNUSED();
    quat base = so3_exp(v3_make(0.3, -1.1, 0.4));
    carom_joint_frames f = { .a = marker_at(v3_zero(), base), .b = marker_at(v3_zero(), q_mul(base, about_z(0.7))) };
    CHECK_NEAR(coordinate_of("revolute", 0, &f), 0.7, 1e-14);
    f.near[0] = 4.0 * PI;
    CHECK_NEAR(coordinate_of("revolute", 0, &f), 0.7 + 4.0 * PI, 1e-14);
    f.near[0] = -2.0;
    CHECK_NEAR(coordinate_of("revolute", 0, &f), 0.7, 1e-14);
    f.near[0] = -2.0 - 2.0 * PI;
    CHECK_NEAR(coordinate_of("revolute", 0, &f), 0.7 - 2.0 * PI, 1e-14);
}

/* A pendulum of length l turning with omega: the pivot pulls the centre of mass inwards with omega^2 l. */
TEST(revolute, jdot_v_is_the_centripetal_acceleration)
{
    TEST_UNUSED();
    const double omega = 3.0;
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), q_identity()) };
    f.b.r_w = v3_make(-2.0, 0.0, 0.0);
    f.b.omega_w = v3_make(0.0, 0.0, omega);
    f.b.c_w = v3_cross(f.b.omega_w, v3_cross(f.b.omega_w, f.b.r_w));
    double gamma[5];
    carom_joint_type_find("revolute")->jdot_v(gamma, &f, NULL);
    CHECK_NEAR(gamma[0], omega * omega * 2.0, 1e-13);
    for (int k = 1; k < 5; ++k) {
        CHECK_NEAR(gamma[k], 0.0, 1e-13);
    }
}

TEST(cylindrical, coordinates_are_travel_and_angle_along_z_of_a)
{
    TEST_UNUSED();
    quat base = so3_exp(v3_make(1.0, 0.2, -0.4));
    v3 z = q_rotate(base, v3_make(0, 0, 1));
    carom_joint_frames f = { .a = marker_at(v3_make(1, 2, 3), base),
                             .b = marker_at(v3_axpy(v3_make(1, 2, 3), 0.25, z), q_mul(base, about_z(-0.5))) };
    CHECK_NEAR(coordinate_of("cylindrical", 0, &f), 0.25, 1e-14);
    CHECK_NEAR(coordinate_of("cylindrical", 1, &f), -0.5, 1e-14);
    CHECK_NEAR(coordinate_of("prismatic", 0, &f), 0.25, 1e-14);
}

TEST(planar, coordinates_are_those_of_the_plane)
{
    TEST_UNUSED();
    carom_joint_frames f = { .a = marker_at(v3_zero(), about_z(PI / 2)),
                             .b = marker_at(v3_make(-2, 1, 0), about_z(PI / 2 + 0.1)) };
    CHECK_NEAR(coordinate_of("planar", 0, &f), 1.0, 1e-14);
    CHECK_NEAR(coordinate_of("planar", 1, &f), 2.0, 1e-14);
    CHECK_NEAR(coordinate_of("planar", 2, &f), 0.1, 1e-14);
}

TEST(universal, axes_of_b_are_those_of_a_turned_by_angle_1_then_angle_2)
{
    TEST_UNUSED();
    quat base = so3_exp(v3_make(0.3, -1.1, 0.4));
    quat q_ab = q_mul(about_z(1.2), q_axis_angle(v3_make(1, 0, 0), -2.8));
    carom_joint_frames f = { .a = marker_at(v3_zero(), base), .b = marker_at(v3_zero(), q_mul(base, q_ab)) };
    CHECK_NEAR(coordinate_of("universal", 0, &f), 1.2, 1e-14);
    CHECK_NEAR(coordinate_of("universal", 1, &f), -2.8, 1e-14);
}

TEST(screw, advances_by_the_pitch_per_turn)
{
    TEST_UNUSED();
    const carom_joint_type *screw = carom_joint_type_find("screw");
    carom_screw_def def = { .pitch = -0.02 };
    double C[5];
    for (int k = -40; k <= 40; ++k) {
        double angle = 0.9 * k;
        carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()),
                                 .b = marker_at(v3_make(0, 0, -0.02 * angle / (2.0 * PI)), about_z(angle)) };
        f.near[0] = angle - 1.0;
        screw->residual(C, &f, &def);
        for (int i = 0; i < 5; ++i) {
            CHECK_NEAR(C[i], 0.0, 1e-15);
        }
    }
}

TEST(screw, refuses_no_pitch)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()) };
    const double bad[] = { 0.0, (double)NAN, HUGE_VAL };
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(carom_joint_type_find("screw")->prepare(&(carom_screw_def){ bad[k] }, &f, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "pitch");
    }
}

TEST(distance, takes_its_length_from_the_start)
{
    TEST_UNUSED();
    const carom_joint_type *distance = carom_joint_type_find("distance");
    carom_error err = { 0 };
    carom_joint_frames f = { .b = marker_at(v3_make(3, 4, 0), q_identity()) };
    carom_distance_def def = { 0 };
    double C;
    CHECK_OK(distance->prepare(&def, &f, &err), err);
    CHECK_NEAR(def.length, 5.0, 0.0);
    distance->residual(&C, &f, &def);
    CHECK_NEAR(C, 0.0, 0.0);
    def.length = 7.0;
    CHECK_OK(distance->prepare(&def, &f, &err), err);
    distance->residual(&C, &f, &def);
    CHECK_NEAR(C, -2.0, 0.0);
}

TEST(distance, refuses_points_that_coincide_and_negative_lengths)
{
    TEST_UNUSED();
    const carom_joint_type *distance = carom_joint_type_find("distance");
    carom_error err = { 0 };
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), q_identity()) };
    CHECK_EQ(distance->prepare(&(carom_distance_def){ 0 }, &f, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "spherical");
    CHECK_EQ(distance->prepare(&(carom_distance_def){ .length = -1.0 }, &f, &err), CAROM_BAD_INPUT);
    CHECK_EQ(distance->prepare(&(carom_distance_def){ .length = (double)NAN }, &f, &err), CAROM_BAD_INPUT);
}

TEST(distance, finds_a_way_out_of_coinciding_points)
{
    TEST_UNUSED();
    quat tilted = q_axis_angle(v3_make(1, 0, 0), 1.0);
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), tilted) };
    carom_distance_def def = { .length = 1.0 };
    carom_joint_rows J;
    double gamma;
    carom_joint_type_find("distance")->jacobian(&J, &f, &def);
    carom_joint_type_find("distance")->jdot_v(&gamma, &f, &def);
    CHECK_NEAR(J.b[0][2], 1.0, 0.0);
    CHECK_NEAR(J.a[0][2], -1.0, 0.0);
    CHECK_NEAR(gamma, 0.0, 0.0);
}

TEST(spherical, swing_has_no_rate_where_it_has_a_kink)
{
    TEST_UNUSED();
    const carom_joint_type *spherical = carom_joint_type_find("spherical");
    const double kinks[] = { 0.0, PI };
    for (int k = 0; k < 2; ++k) {
        carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()),
                                 .b = marker_at(v3_zero(), q_axis_angle(v3_make(1, 0, 0), kinks[k])) };
        f.b.omega_w = v3_make(1, 1, 1);
        carom_joint_rows J;
        double gamma;
        CHECK_NEAR(coordinate_of("spherical", 0, &f), kinks[k], 1e-14);
        spherical->coordinate_jacobian(&J, &f, NULL);
        spherical->coordinate_jdot_v(&gamma, &f, NULL);
        for (int i = 0; i < 6; ++i) {
            CHECK_NEAR(J.b[0][i], 0.0, 0.0);
        }
        CHECK_NEAR(gamma, 0.0, 0.0);
    }
}

/* A quarter turn about any axis divides the solution that is meant from those that are not. */
TEST(fixed, is_flipped_beyond_a_quarter_turn)
{
    TEST_UNUSED();
    FOR_EACH_SEED(rng, 100) {
        v3 axis = v3_unit(v3_make(test_rng_uniform(&rng, -1, 1), test_rng_uniform(&rng, -1, 1), 0.1));
        carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()),
                                 .b = marker_at(v3_zero(), q_axis_angle(axis, PI / 2 - 0.01)) };
        CHECK(!carom_joint_type_find("fixed")->flipped(&f));
        f.b = marker_at(v3_zero(), q_axis_angle(axis, PI / 2 + 0.01));
        CHECK(carom_joint_type_find("fixed")->flipped(&f));
    }
}

/* A hand that stands upright on its dial shows no angle, but never NaN. */
TEST(revolute, singular_angles_stay_finite)
{
    TEST_UNUSED();
    const carom_joint_type *revolute = carom_joint_type_find("revolute");
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()),
                             .b = marker_at(v3_zero(), q_axis_angle(v3_make(0, 1, 0), PI / 2)) };
    f.b.omega_w = v3_make(1, 2, 3);
    carom_joint_rows J;
    double q;
    double gamma;
    revolute->coordinate(&q, &f, NULL);
    revolute->coordinate_jacobian(&J, &f, NULL);
    revolute->coordinate_jdot_v(&gamma, &f, NULL);
    CHECK(isfinite(q) && isfinite(J.b[0][3]) && isfinite(J.b[0][4]) && isfinite(J.b[0][5]) && isfinite(gamma));
}

/* ---- friction ---- */

static joint_friction friction_of(const char *joint, const carom_joint_frames *f, carom_joint_friction_def def,
                                  const void *params)
{
    joint_friction out;
    carom_joint_type_find(joint)->friction(&out, f, &def, params);
    return out;
}

/* A load on the axis of a nut: thread force and friction hold it together when friction is tan(lead) of the load. Axial:
 * sigma + f sin = W, about the axis: -h sigma + f r cos = 0. M20 x 2.5 has tan(lead) = 0.0433 at its mean radius. */
TEST(screw, locks_itself_where_friction_exceeds_the_lead_angle)
{
    TEST_UNUSED();
    const double radius = 9.188e-3;
    const carom_screw_def screw = { .pitch = 2.5e-3 };
    const double tangent = screw.pitch / (2.0 * PI * radius);
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), q_identity()) };
    carom_joint_rows J;
    carom_joint_type_find("screw")->jacobian(&J, &f, &screw);
    joint_friction friction = friction_of("screw", &f, (carom_joint_friction_def){ .radius = radius }, &screw);
    const double *slip = friction.slip.b[0];
    const double *thread = J.b[4];
    double sigma = 1000.0;
    double force = -sigma * thread[5] / slip[5];
    CHECK_NEAR(force / (friction.loads[0].map[0][4] * sigma), tangent, 1e-15);
    CHECK_NEAR(tangent, 0.0433, 5e-5);
    CHECK_NEAR(slip[2], sin(atan(tangent)), 1e-15);
}

/* A drawer of length L pulled at a distance q from its middle line jams where 2 q mu > L: both ends carry P q / L. */
TEST(prismatic, a_drawer_is_pressed_at_both_ends)
{
    TEST_UNUSED();
    const double length = 0.3;
    const double q = 0.2;
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), q_identity()) };
    carom_joint_rows J;
    carom_joint_type_find("prismatic")->jacobian(&J, &f, NULL);
    joint_friction friction = friction_of("prismatic", &f, (carom_joint_friction_def){ .length = length }, NULL);
    CHECK_EQ(friction.load_count, 2);
    double sigma[JOINT_ROWS] = { 0 };
    for (int k = 2; k < 5; ++k) { /* the guide's moment about y against P q */
        sigma[k] = J.b[k][4] != 0.0 ? -q / J.b[k][4] : 0.0;
    }
    for (int i = 0; i < 2; ++i) {
        double x = 0.0;
        for (int k = 0; k < 5; ++k) {
            x += friction.loads[i].map[0][k] * sigma[k];
        }
        CHECK_NEAR(fabs(x), q / length, 1e-15);
    }
}

TEST(revolute, friction_is_a_torque_at_the_radius)
{
    TEST_UNUSED();
    carom_joint_frames f = { .a = marker_at(v3_zero(), q_identity()), .b = marker_at(v3_zero(), about_z(0.4)) };
    joint_friction friction = friction_of("revolute", &f, (carom_joint_friction_def){ .radius = 0.05 }, NULL);
    CHECK_EQ(friction.dim, 1);
    CHECK_EQ(friction.load_count, 1);
    CHECK_NEAR(friction.slip.b[0][5], 0.05, 1e-16);
    CHECK_NEAR(friction.slip.a[0][5], -0.05, 1e-16);
    CHECK_NEAR(hypot(friction.loads[0].map[0][0], friction.loads[0].map[0][1]), 1.0, 1e-15);
    CHECK_NEAR(friction.loads[0].map[0][2], 0.0, 1e-16); /* thrust does not press */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(revolute, angle_of_b_counts_positive_about_z_of_a),
        RUN_TEST(revolute, jdot_v_is_the_centripetal_acceleration),
        RUN_TEST(cylindrical, coordinates_are_travel_and_angle_along_z_of_a),
        RUN_TEST(planar, coordinates_are_those_of_the_plane),
        RUN_TEST(universal, axes_of_b_are_those_of_a_turned_by_angle_1_then_angle_2),
        RUN_TEST(screw, advances_by_the_pitch_per_turn),
        RUN_TEST(screw, refuses_no_pitch),
        RUN_TEST(distance, takes_its_length_from_the_start),
        RUN_TEST(distance, refuses_points_that_coincide_and_negative_lengths),
        RUN_TEST(distance, finds_a_way_out_of_coinciding_points),
        RUN_TEST(spherical, swing_has_no_rate_where_it_has_a_kink),
        RUN_TEST(fixed, is_flipped_beyond_a_quarter_turn),
        RUN_TEST(revolute, singular_angles_stay_finite),
        RUN_TEST(screw, locks_itself_where_friction_exceeds_the_lead_angle),
        RUN_TEST(prismatic, a_drawer_is_pressed_at_both_ends),
        RUN_TEST(revolute, friction_is_a_torque_at_the_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
