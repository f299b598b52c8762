/* Laws the friction of every joint keeps, over the list of joints and 1000 random assemblies each: slip is the relative
 * velocity of the surfaces, loads are the reaction forces that press them, whoever is called A. */
#include "conformance/joint_assembly.h"

static const double TURN = 6.283185307179586477;

static bool is(const assembly *s, const char *name)
{
    return strcmp(s->type->kind.name, name) == 0;
}

static carom_joint_friction_def random_bearing(test_rng *rng)
{
    double radius = test_rng_uniform(rng, 0.01, 0.3);
    double length = test_rng_uniform(rng, -0.5, 0.5);
    return (carom_joint_friction_def){
        .given = true, .coefficient = 0.1, .radius = radius, .length = fmax(0.0, length)
    };
}

static joint_friction friction_of(const assembly *s, test_pair pair, const carom_joint_friction_def *def)
{
    assembly moved = *s;
    moved.pair = pair;
    carom_joint_frames f = frames_of(&moved);
    joint_friction out;
    s->type->friction(&out, &f, def, &s->params);
    return out;
}

static double slip_along(const joint_friction *friction, int k, const double v[12])
{
    return dot_n(friction->slip.a[k], v, 6) + dot_n(friction->slip.b[k], v + 6, 6);
}

/* A velocity that keeps the joint closed. */
static void admissible_velocity(double v[12], const assembly *s, test_rng *rng)
{
    double J[6][12];
    random_motion(v, 12, rng);
    rows_at(J, equations_of(s->type), s, s->pair);
    make_admissible(v, (const double(*)[12])J, s->type->equation_count);
}

/* Velocity of B's material at p against A's. */
static v3 velocity_at(const assembly *s, const double v[12], v3 p_w)
{
    v3 a = v3_add(v3_load(v), v3_cross(v3_load(v + 3), v3_sub(p_w, s->pair.a.c_w)));
    v3 b = v3_add(v3_load(v + 6), v3_cross(v3_load(v + 9), v3_sub(p_w, s->pair.b.c_w)));
    return v3_sub(b, a);
}

/* ---- slip ---- */

/* On the surface of the bearing, at a random place around the axis, the joint lets the material move along these
 * directions only, as fast as its slip says. */
static void check_slip(const assembly *s, const joint_friction *friction, const carom_joint_friction_def *def,
                       test_rng *rng)
{
    marker a = marker_of(&s->pair.a);
    marker b = marker_of(&s->pair.b);
    double v[12];
    admissible_velocity(v, s, rng);
    double where = test_rng_uniform(rng, 0.0, TURN);
    v3 out_w = v3_add(v3_scale(cos(where), marker_x(&a)), v3_scale(sin(where), marker_y(&a)));
    v3 around_w = v3_cross(marker_z(&a), out_w);
    v3 along_w = marker_z(&a);
    double slip[JOINT_SLIP] = { 0 };
    for (int k = 0; k < friction->dim; ++k) {
        slip[k] = slip_along(friction, k, v);
    }
    v3 expected = v3_scale(slip[0], along_w); /* prismatic, point on line */
    if (is(s, "revolute")) {
        expected = v3_scale(slip[0], around_w);
    } else if (is(s, "cylindrical")) {
        expected = v3_add(v3_scale(slip[0], around_w), v3_scale(slip[1], along_w));
    } else if (is(s, "spherical")) {
        expected = v3_cross(v3_load(slip), out_w);
    } else if (is(s, "screw")) {
        double lead = atan(s->params.screw.pitch / (TURN * def->radius));
        expected = v3_scale(slip[0], v3_add(v3_scale(cos(lead), around_w), v3_scale(sin(lead), along_w)));
    }
    double reach = s->type->friction_turns ? def->radius : 0.0;
    v3 seen = velocity_at(s, v, v3_axpy(b.p_w, reach, out_w));
    CHECK_NEAR(v3_norm(v3_sub(seen, expected)), 0.0, 1e-12);
}

TEST(joint_friction, slip_is_the_velocity_of_the_surfaces_against_each_other)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->friction ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            carom_joint_friction_def def = random_bearing(&rng);
            joint_friction friction = friction_of(&s, s.pair, &def);
            CHECK(friction.dim >= 1 && friction.dim <= JOINT_SLIP);
            check_slip(&s, &friction, &def, &rng);
        }
    }
}

TEST(joint_friction, slip_jdot_v_is_what_is_left_without_accelerations)
{
    TEST_UNUSED();
    const double h = 1e-5;
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->friction ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            carom_joint_friction_def def = random_bearing(&rng);
            double v[12];
            settle(&s);
            pair_velocity(v, &s.pair);
            joint_friction now = friction_of(&s, s.pair, &def);
            joint_friction ahead = friction_of(&s, pair_coasting(s.pair, h), &def);
            joint_friction behind = friction_of(&s, pair_coasting(s.pair, -h), &def);
            for (int k = 0; k < now.dim; ++k) {
                double quotient = (slip_along(&ahead, k, v) - slip_along(&behind, k, v)) / (2.0 * h);
                CHECK_NEAR(now.slip_jdot_v[k], quotient, 1e-6 * (1.0 + fabs(quotient)));
            }
        }
    }
}

/* A friction force along a slip row does the power force * slip and leaves both momenta alone. */
TEST(joint_friction, forces_are_equal_and_opposite_with_their_moments)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->friction ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            carom_joint_friction_def def = random_bearing(&rng);
            joint_friction friction = friction_of(&s, s.pair, &def);
            for (int k = 0; k < friction.dim; ++k) {
                const double *a = friction.slip.a[k];
                const double *b = friction.slip.b[k];
                v3 moment_a = v3_add(v3_cross(s.pair.a.c_w, v3_load(a)), v3_load(a + 3));
                v3 moment_b = v3_add(v3_cross(s.pair.b.c_w, v3_load(b)), v3_load(b + 3));
                CHECK_NEAR(v3_norm(v3_add(v3_load(a), v3_load(b))), 0.0, 1e-13);
                CHECK_NEAR(v3_norm(v3_add(moment_a, moment_b)), 0.0, 1e-11);
            }
        }
    }
}

/* ---- loads ---- */

typedef struct reaction { /* on B, at marker B */
    v3 force_w;
    v3 moment_w;
} reaction;

static reaction reaction_of(const assembly *s, const double *sigma)
{
    double J[6][12];
    marker b = marker_of(&s->pair.b);
    reaction out = { v3_zero(), v3_zero() };
    rows_at(J, equations_of(s->type), s, s->pair);
    for (int k = 0; k < s->type->equation_count; ++k) {
        out.force_w = v3_axpy(out.force_w, sigma[k], v3_load(J[k] + 6));
        out.moment_w = v3_axpy(out.moment_w, sigma[k], v3_load(J[k] + 9));
    }
    out.moment_w = v3_sub(out.moment_w, v3_cross(b.r_w, out.force_w));
    return out;
}

static void load_of(double out[3], const joint_load *load, const double *sigma)
{
    for (int i = 0; i < 3; ++i) {
        out[i] = i < load->dim ? dot_n(load->map[i], sigma, JOINT_ROWS) : 0.0;
    }
}

static double normal_force(const joint_friction *friction, const double *sigma)
{
    double sum = 0.0;
    for (int i = 0; i < friction->load_count; ++i) {
        double load[3];
        load_of(load, &friction->loads[i], sigma);
        sum += sqrt(dot_n(load, load, 3));
    }
    return sum;
}

static void check_ends(const assembly *s, const joint_friction *friction, const double *sigma, double length)
{
    marker a = marker_of(&s->pair.a);
    v3 z = marker_z(&a);
    v3 end_w[2];
    for (int i = 0; i < 2; ++i) {
        double load[3];
        load_of(load, &friction->loads[i], sigma);
        end_w[i] = v3_add(v3_scale(load[0], marker_x(&a)), v3_scale(load[1], marker_y(&a)));
    }
    reaction r = reaction_of(s, sigma);
    v3 moment = v3_cross(v3_scale(0.5 * length, z), v3_sub(end_w[0], end_w[1]));
    v3 force_across = v3_axpy(r.force_w, -v3_dot(r.force_w, z), z);
    v3 moment_across = v3_axpy(r.moment_w, -v3_dot(r.moment_w, z), z);
    CHECK_NEAR(v3_norm(v3_sub(v3_add(end_w[0], end_w[1]), force_across)), 0.0, 1e-12 * (1.0 + 1.0 / length));
    CHECK_NEAR(v3_norm(v3_sub(moment, moment_across)), 0.0, 1e-12 * (1.0 + 1.0 / length));
}

static double expected_load(const assembly *s, const double *sigma, const carom_joint_friction_def *def)
{
    marker a = marker_of(&s->pair.a);
    reaction r = reaction_of(s, sigma);
    double axial = v3_dot(r.force_w, marker_z(&a));
    if (is(s, "spherical")) {
        return v3_norm(r.force_w);
    }
    if (is(s, "screw")) { /* the slope's normal force has an axial part and a torque */
        return hypot(axial, v3_dot(r.moment_w, marker_z(&a)) / def->radius);
    }
    return v3_norm(v3_axpy(r.force_w, -axial, marker_z(&a)));
}

TEST(joint_friction, loads_are_the_reactions_that_press_the_surfaces)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->friction ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            carom_joint_friction_def def = random_bearing(&rng);
            joint_friction friction = friction_of(&s, s.pair, &def);
            double sigma[JOINT_ROWS] = { 0 };
            random_motion(sigma, type->equation_count, &rng);
            if (friction.load_count == 2) {
                CHECK(def.length > 0.0);
                check_ends(&s, &friction, sigma, def.length);
            } else {
                CHECK_EQ(friction.load_count, 1);
                CHECK_NEAR(normal_force(&friction, sigma), expected_load(&s, sigma, &def), 1e-12);
            }
        }
    }
}

/* ---- exchange of A and B ---- */

/* The multipliers with which the exchanged joint pushes its A as the joint pushes its B. */
static void same_reaction(double *sigma, const assembly *exchanged, const double wrench_b[6])
{
    double J[6][12];
    double gram[6][6];
    int n = exchanged->type->equation_count;
    rows_at(J, equations_of(exchanged->type), exchanged, exchanged->pair);
    for (int i = 0; i < n; ++i) {
        sigma[i] = dot_n(J[i], wrench_b, 6);
        for (int j = 0; j < n; ++j) {
            gram[i][j] = dot_n(J[i], J[j], 6);
        }
    }
    solve(gram, sigma, n);
}

/* Who is called A does not matter: same slip speed, same load for the same reaction. A sleeve belongs to B, so that
 * where it slides along the shaft only the force can be compared. */
TEST(joint_friction, is_the_same_when_the_bodies_change_places)
{
    TEST_UNUSED();
    FOR_EACH_JOINT(type) {
        FOR_EACH_SEED(rng, type->friction && strcmp(type->kind.name, "point-on-line") != 0 ? SEEDS : 0) {
            assembly s = random_assembly(type, &rng);
            settle(&s);
            carom_joint_friction_def def = random_bearing(&rng);
            def.length = is(&s, "revolute") ? def.length : 0.0;
            assembly exchanged = s;
            exchanged.pair = (test_pair){ s.pair.b, s.pair.a };
            for (int k = 0; k < JOINT_COORDINATES; ++k) {
                exchanged.near[k] = -s.near[k];
            }
            joint_friction one = friction_of(&s, s.pair, &def);
            joint_friction other = friction_of(&exchanged, exchanged.pair, &def);
            double v[12];
            double back[12];
            admissible_velocity(v, &s, &rng);
            memcpy(back, v + 6, 6 * sizeof(double));
            memcpy(back + 6, v, 6 * sizeof(double));
            double speed2[2] = { 0 };
            for (int k = 0; k < one.dim; ++k) {
                speed2[0] += pow(slip_along(&one, k, v), 2.0);
                speed2[1] += pow(slip_along(&other, k, back), 2.0);
            }
            CHECK_NEAR(sqrt(speed2[0]), sqrt(speed2[1]), 1e-12);

            double sigma[2][JOINT_ROWS] = { 0 };
            double J[6][12];
            double wrench_b[6] = { 0 };
            random_motion(sigma[0], type->equation_count, &rng);
            rows_at(J, equations_of(type), &s, s.pair);
            for (int k = 0; k < type->equation_count; ++k) {
                for (int i = 0; i < 6; ++i) {
                    wrench_b[i] += sigma[0][k] * J[k][6 + i];
                }
            }
            same_reaction(sigma[1], &exchanged, wrench_b);
            CHECK_NEAR(normal_force(&one, sigma[0]), normal_force(&other, sigma[1]), 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(joint_friction, slip_is_the_velocity_of_the_surfaces_against_each_other),
        RUN_TEST(joint_friction, slip_jdot_v_is_what_is_left_without_accelerations),
        RUN_TEST(joint_friction, forces_are_equal_and_opposite_with_their_moments),
        RUN_TEST(joint_friction, loads_are_the_reactions_that_press_the_surfaces),
        RUN_TEST(joint_friction, is_the_same_when_the_bodies_change_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
