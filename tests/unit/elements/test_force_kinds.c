/* Single forces against closed forms: signs, modes, edges, refusals. */
#include "support/check.h"

#include "base/arena.h"
#include "elements/forces/force.h"

enum { PARAMS_AT_MOST = 1024 };

typedef union any_params {
    carom_spring_def spring;
    max_align_t align;
    unsigned char bytes[PARAMS_AT_MOST];
} any_params;

/* A at the origin, B at `b`, apart with speed `rate` along x. */
static carom_force_frames pair_frames(v3 b, double rate)
{
    carom_force_frames f = { .a = { .R_w = q_matrix(q_identity()) }, .b = { .R_w = q_matrix(q_identity()) } };
    f.b.p_w = b;
    f.b.v_w = v3_make(rate, 0.0, 0.0);
    return f;
}

static any_params spring_of(carom_spring_def def)
{
    any_params p = { 0 };
    p.spring = def;
    return p;
}

static carom_force_effect effect_of(const char *kind, const carom_force_frames *f, const void *params)
{
    carom_force_effect e;
    carom_force_type_find(kind)->effect(&e, f, params);
    return e;
}

TEST(spring, pulls_the_ends_together_when_stretched)
{
    TEST_UNUSED();
    any_params p = spring_of((carom_spring_def){
        .stiffness = 10.0, .damping = 2.0, .free_length = 1.0, .preload = 4.0 });
    carom_force_frames f = pair_frames(v3_make(1.5, 0, 0), 3.0);
    f.values[0] = 7.0;
    carom_force_effect e = effect_of("spring", &f, &p);
    CHECK_NEAR(e.force_a.x, 4.0 + 10.0 * 0.5 + 2.0 * 3.0 + 7.0, 1e-14);
    CHECK_NEAR(e.potential, 4.0 * 0.5 + 0.5 * 10.0 * 0.25, 1e-14);
    CHECK_NEAR(e.dissipation, 2.0 * 9.0, 1e-14);
    CHECK_NEAR(e.input, -7.0 * 3.0, 1e-14);
}

TEST(spring, measures_length_extension_and_rate)
{
    TEST_UNUSED();
    const carom_force_type *spring = carom_force_type_find("spring");
    any_params p = spring_of((carom_spring_def){ .free_length = 2.0 });
    carom_force_frames f = pair_frames(v3_make(3, 4, 0), 5.0);
    double m[3];
    spring->measure(m, &f, &p);
    CHECK_EQ(spring->measure_count, 3);
    CHECK_NEAR(m[0], 5.0, 1e-15);
    CHECK_NEAR(m[1], 3.0, 1e-15);
    CHECK_NEAR(m[2], 3.0, 1e-14);
    CHECK_TEXT(spring->measures[0].name, "length");
    CHECK_TEXT(spring->measures[1].name, "extension");
    CHECK_TEXT(spring->measures[2].name, "rate");
}

TEST(spring, takes_its_free_length_from_the_start)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    carom_arena arena = { 0 };
    any_params p = spring_of(*(const carom_spring_def *)carom_force_type_find("spring")->kind.defaults);
    carom_force_frames f = pair_frames(v3_make(4, 5, 1), 0.0);
    f.a.p_w = v3_make(1, 1, 1);
    CHECK_OK(carom_force_type_find("spring")->prepare(&p, &f, &arena, &err), err);
    CHECK_NEAR(p.spring.free_length, 5.0, 0.0);
    carom_arena_free(&arena);
}

/* 0 up to 0.1 m, then 200 N/m: the area under the table is the energy. */
TEST(spring, follows_its_table)
{
    TEST_UNUSED();
    static const double x[] = { -1.0, 0.0, 0.1, 1.1 };
    static const double y[] = { 0.0, 0.0, 0.0, 200.0 };
    carom_error err = { 0 };
    carom_arena arena = { 0 };
    any_params p = spring_of((carom_spring_def){ .free_length = 1.0,
                                                 .table = { 4, x, y, CAROM_LINEAR, CAROM_HOLD } });
    carom_force_frames f = pair_frames(v3_make(1.6, 0, 0), 0.0);
    CHECK_OK(carom_force_type_find("spring")->prepare(&p, &f, &arena, &err), err);
    carom_force_effect e = effect_of("spring", &f, &p);
    CHECK_NEAR(e.force_a.x, 100.0, 1e-12);
    CHECK_NEAR(e.potential, 0.5 * 0.5 * 100.0, 1e-12);
    f = pair_frames(v3_make(1.05, 0, 0), 0.0);
    CHECK_NEAR(effect_of("spring", &f, &p).force_a.x, 0.0, 1e-12);
    carom_arena_free(&arena);
}

TEST(spring, refuses_coinciding_ends_and_a_table_beside_a_stiffness)
{
    TEST_UNUSED();
    static const double x[] = { 0.0, 1.0 };
    const carom_force_type *spring = carom_force_type_find("spring");
    carom_error err = { 0 };
    carom_arena arena = { 0 };
    any_params p = spring_of((carom_spring_def){ .stiffness = 1.0, .free_length = 1.0 });
    carom_force_frames f = pair_frames(v3_zero(), 0.0);
    CHECK_EQ(spring->prepare(&p, &f, &arena, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "coincide");
    p.spring.table = (carom_curve){ 2, x, x, CAROM_LINEAR, CAROM_HOLD };
    f = pair_frames(v3_make(1, 0, 0), 0.0);
    CHECK_EQ(spring->prepare(&p, &f, &arena, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "table");
    carom_arena_free(&arena);
}

TEST(spring, is_silent_where_its_ends_meet)
{
    TEST_UNUSED();
    any_params p = spring_of((carom_spring_def){ .stiffness = 10.0, .damping = 2.0, .free_length = 1.0 });
    carom_force_frames f = pair_frames(v3_zero(), 3.0);
    carom_force_effect e = effect_of("spring", &f, &p);
    carom_force_tangent T;
    carom_force_type_find("spring")->tangent(&T, &f, &p);
    CHECK_NEAR(v3_norm(e.force_a), 0.0, 0.0);
    CHECK_NEAR(e.dissipation, 0.0, 0.0);
    CHECK_NEAR(e.potential, 5.0, 0.0);
    CHECK_NEAR(T.stiffness[0][0], 0.0, 0.0);
    CHECK_NEAR(T.damping[11][11], 0.0, 0.0);
}

TEST(bushing, resists_displacement_and_rotation_along_the_axes_of_a)
{
    TEST_UNUSED();
    carom_bushing_def def = { .stiffness = { 1, 2, 3 }, .angular_stiffness = { 4, 5, 6 } };
    carom_force_frames f = pair_frames(v3_make(0.1, 0.2, 0.3), 0.0);
    f.b.R_w = q_matrix(q_axis_angle(v3_make(0, 0, 1), 0.5));
    carom_force_effect e = effect_of("bushing", &f, &def);
    CHECK_NEAR(e.force_a.x, 0.1, 1e-14);
    CHECK_NEAR(e.force_a.y, 0.4, 1e-14);
    CHECK_NEAR(e.force_a.z, 0.9, 1e-14);
    CHECK_NEAR(e.torque_b.z, -3.0, 1e-14);
    CHECK_NEAR(e.potential, 0.5 * (0.01 + 2 * 0.04 + 3 * 0.09 + 6 * 0.25), 1e-14);
}

TEST(bushing, refuses_negative_components)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    carom_force_frames f = pair_frames(v3_zero(), 0.0);
    carom_bushing_def def = { .angular_damping = { 0, -1, 0 } };
    CHECK_EQ(carom_force_type_find("bushing")->prepare(&def, &f, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "angular_damping");
}

TEST(motor, follows_its_mode)
{
    TEST_UNUSED();
    carom_force_frames f = { .coordinate = 0.5, .coordinate_rate = 2.0, .values = { 3.0 }, .value_rates = { 1.0 } };
    carom_motor_def def = { .mode = CAROM_MOTOR_TORQUE, .gain = 10.0, .damping = 4.0 };
    CHECK_NEAR(effect_of("motor", &f, &def).generalised, 3.0, 0.0);
    CHECK_NEAR(effect_of("motor", &f, &def).input, 6.0, 0.0);
    def.mode = CAROM_MOTOR_SPEED;
    CHECK_NEAR(effect_of("motor", &f, &def).generalised, 10.0 * (3.0 - 2.0), 0.0);
    def.mode = CAROM_MOTOR_POSITION;
    CHECK_NEAR(effect_of("motor", &f, &def).generalised, 10.0 * 2.5 + 4.0 * (1.0 - 2.0), 0.0);
}

TEST(motor, stops_at_its_limit)
{
    TEST_UNUSED();
    carom_force_frames f = { .coordinate_rate = 2.0, .values = { -3.0 } };
    carom_motor_def def = { .mode = CAROM_MOTOR_SPEED, .gain = 10.0, .limit = 7.0 };
    carom_force_tangent T;
    CHECK_NEAR(effect_of("motor", &f, &def).generalised, -7.0, 0.0);
    CHECK_NEAR(effect_of("motor", &f, &def).input, -14.0, 0.0);
    carom_force_type_find("motor")->tangent(&T, &f, &def);
    CHECK_NEAR(T.coordinate_damping, 0.0, 0.0);
}

TEST(motor, refuses_a_servo_without_gain)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    carom_force_frames f = { 0 };
    const carom_force_type *motor = carom_force_type_find("motor");
    CHECK_OK(motor->prepare(&(carom_motor_def){ .mode = CAROM_MOTOR_TORQUE }, &f, NULL, &err), err);
    CHECK_EQ(motor->prepare(&(carom_motor_def){ .mode = CAROM_MOTOR_POSITION }, &f, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "gain");
}

TEST(load, follows_the_body_when_asked)
{
    TEST_UNUSED();
    carom_force_frames f = { .a.R_w = q_matrix(q_axis_angle(v3_make(0, 0, 1), acos(0.0))),
                             .values = { 1.0, 0.0, 0.0, 0.0, 2.0, 0.0 } };
    carom_load_def def = { .follow = false };
    CHECK_NEAR(effect_of("load", &f, &def).force_a.x, 1.0, 0.0);
    CHECK_NEAR(effect_of("load", &f, &def).torque_a.y, 2.0, 0.0);
    def.follow = true;
    CHECK_NEAR(effect_of("load", &f, &def).force_a.y, 1.0, 1e-15);
    CHECK_NEAR(effect_of("load", &f, &def).torque_a.x, -2.0, 1e-15);
}

TEST(drag, opposes_the_motion)
{
    TEST_UNUSED();
    carom_force_frames f = { .a = { .v_w = { 3.0, 4.0, 0.0 }, .omega_w = { 0.0, 0.0, 2.0 } } };
    carom_drag_def def = { .linear = 1.0, .quadratic = 2.0, .angular = 0.5 };
    carom_force_effect e = effect_of("drag", &f, &def);
    CHECK_NEAR(e.force_a.x, -(1.0 + 2.0 * 5.0) * 3.0, 1e-14);
    CHECK_NEAR(e.torque_a.z, -1.0, 0.0);
    CHECK_NEAR(e.dissipation, 11.0 * 25.0 + 0.5 * 4.0, 1e-13);
}

/* On a circular orbit mu / r^2 = v^2 / r; the force acts at the centre of mass wherever the marker is. */
TEST(gravity_field, attracts_the_centre_of_mass)
{
    TEST_UNUSED();
    carom_gravity_field_def def = { .center = { 1.0, 0.0, 0.0 }, .mu = 8.0 };
    carom_force_frames f = { .a = { .p_w = { 3.0, 0.5, 0.0 }, .r_w = { 0.0, 0.5, 0.0 } }, .mass = 3.0 };
    carom_force_effect e = effect_of("gravity-field", &f, &def);
    v3 torque_about_centre = v3_add(e.torque_a, v3_cross(f.a.r_w, e.force_a));
    CHECK_NEAR(e.force_a.x, -3.0 * 8.0 / 4.0, 1e-14);
    CHECK_NEAR(e.potential, -3.0 * 8.0 / 2.0, 1e-14);
    CHECK_NEAR(v3_norm(torque_about_centre), 0.0, 1e-15);
}

TEST(gravity_field, refuses_a_start_in_its_centre)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    const carom_force_type *field = carom_force_type_find("gravity-field");
    carom_force_frames f = { .a = { .p_w = { 1.0, 2.0, 4.0 }, .r_w = { 0.0, 0.0, 1.0 } }, .mass = 1.0 };
    carom_gravity_field_def def = { .center = { 1.0, 2.0, 3.0 }, .mu = 1.0 };
    CHECK_EQ(field->prepare(&def, &f, NULL, &err), CAROM_BAD_INPUT);
    CHECK(v3_finite(effect_of("gravity-field", &f, &def).force_a));
    f.a.r_w.z = 0.0;
    CHECK_OK(field->prepare(&def, &f, NULL, &err), err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(spring, pulls_the_ends_together_when_stretched),
        RUN_TEST(spring, measures_length_extension_and_rate),
        RUN_TEST(spring, takes_its_free_length_from_the_start),
        RUN_TEST(spring, follows_its_table),
        RUN_TEST(spring, refuses_coinciding_ends_and_a_table_beside_a_stiffness),
        RUN_TEST(spring, is_silent_where_its_ends_meet),
        RUN_TEST(bushing, resists_displacement_and_rotation_along_the_axes_of_a),
        RUN_TEST(bushing, refuses_negative_components),
        RUN_TEST(motor, follows_its_mode),
        RUN_TEST(motor, stops_at_its_limit),
        RUN_TEST(motor, refuses_a_servo_without_gain),
        RUN_TEST(load, follows_the_body_when_asked),
        RUN_TEST(drag, opposes_the_motion),
        RUN_TEST(gravity_field, attracts_the_centre_of_mass),
        RUN_TEST(gravity_field, refuses_a_start_in_its_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
