/* Method "compliant" piece by piece: the weight of points by area, whose points are tried, steps that do not jump over
 * thin walls, what is reported and remembered. */
#include "support/contact_scene.h"

#include "dynamics/observe.h"
#include "model/model.h"
#include "model/state.h"

/* ---- stiffness per area -------------------------------------------------------------------------------------------- */

/* The force that pushes two equal cubes apart which overlap by 1 mm with their faces. */
static double force_between_cubes(const char *settings, const char *spacing)
{
    char contact[256];
    char shape[128];
    snprintf(contact, sizeof contact, "{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e8}}%s}", settings);
    snprintf(shape, sizeof shape, "{\"box\": [0.1, 0.1, 0.1], \"spacing\": %s}", spacing);
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "one", .shape = shape, .more = "\"mass\": 1," };
    c.bodies[1] = (scene_body){ .name = "two", .shape = shape, .more = "\"mass\": 1,", .position = { 0, 0, 0.099 } };
    sim s = scene_start(&c, 1);
    double force = sim_signal(&s, "two.contact.force.z");
    CHECK_NEAR(sim_signal(&s, "contact.penetration"), 1e-3, 1e-12);
    sim_end(&s);
    return force;
}

/* Both sides together carry as much as either alone; the pressure is k p whatever the spacing, but for the points of the
 * edges, whose shares go round the corner. */
TEST(area, points_of_both_sides_share_the_pressure)
{
    double pressure_times_area = 1e8 * 1e-3 * 0.01;
    double both = force_between_cubes(", \"per\": \"area\"", "0.01");
    double first = force_between_cubes(", \"per\": \"area\", \"points\": \"first\"", "0.01");
    double second = force_between_cubes(", \"per\": \"area\", \"points\": \"second\"", "0.01");
    double fine = force_between_cubes(", \"per\": \"area\"", "0.0025");
    printf("\nfaces pressed together: %.2f N, first %.2f N, second %.2f N, finer %.2f N; k p A = %.2f N\n", both,
           first, second, fine, pressure_times_area);
    CHECK_NEAR(both, first, 1e-9 * first);
    CHECK_NEAR(both, second, 1e-9 * second);
    CHECK_NEAR(both, pressure_times_area, 0.25 * pressure_times_area);
    CHECK_LE(fabs(fine - pressure_times_area), 0.5 * fabs(both - pressure_times_area));
}

/* Per point it is as many times the force as there are points. */
TEST(area, per_point_counts_points)
{
    double one_side = force_between_cubes(", \"points\": \"first\"", "0.05");
    double both_sides = force_between_cubes("", "0.05");
    CHECK_NEAR(both_sides, 2.0 * one_side, 1e-9 * one_side);
    CHECK_NEAR(fmod(one_side, 1e5), 0.0, 1e-3);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

/* A fast ball and a thin plate, far away: with steps as long as the preset allows it would pass through. */
static double bounce(const char *integrator, double speed, double gravity)
{
    char time[128];
    snprintf(time, sizeof time, "\"end\": %g, \"integrator\": \"%s\"", speed > 0.0 ? 20.0 / speed : 2.0, integrator);
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e9, \"n\": 1.5}}}",
                        .time = time,
                        .gravity = { 0, 0, -gravity },
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "plate", .shape = "{\"box\": [1, 1, 0.02]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "ball",
                                .shape = "{\"sphere\": 0.02}",
                                .more = "\"mass\": 0.1,",
                                .position = { 0, 0, 5.0 },
                                .velocity = { 0, 0, -speed } };
    sim s = scene_start(&c, 1);
    double lowest = 5.0;
    while (sim_before(&s, s.model->scene.time.end)) {
        sim_step(&s, s.model->scene.time.end);
        lowest = fmin(lowest, sim_position(&s, "ball").z);
    }
    sim_end(&s);
    return lowest;
}

TEST(steps, do_not_jump_over_thin_walls)
{
    static const char *const integrators[] = { "runge-kutta", "generalized-alpha" };
    for (int k = 0; k < 2; ++k) {
        CHECK_GE(bounce(integrators[k], 1.0, 0.0), 0.02);
        CHECK_GE(bounce(integrators[k], 20.0, 0.0), 0.02);
        CHECK_GE(bounce(integrators[k], 0.0, 9.81), 0.02); /* released from rest */
    }
}

/* Two free bodies at rest, of which one is driven at the other: neither speed nor error control foretells that they meet. */
TEST(steps, between_free_bodies_at_rest)
{
    static const char *const times[] = { "\"end\": 1, \"integrator\": \"runge-kutta\"",
                                         "\"end\": 1, \"integrator\": \"generalized-alpha\"" };
    for (int k = 0; k < 2; ++k) {
        contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e9, \"n\": 1.5}}}",
                            .time = times[k],
                            .more = ", \"forces\": [{\"name\": \"drive\", \"type\": \"load\", \"body\": \"ball\", "
                                    "\"force\": [0, 0, -1000]}]",
                            .body_count = 2 };
        c.bodies[0] = (scene_body){ .name = "plate", .shape = "{\"box\": [1, 1, 0.01]}", .more = "\"mass\": 1e4," };
        c.bodies[1] = (scene_body){
            .name = "ball", .shape = "{\"sphere\": 0.02}", .more = "\"mass\": 0.1,", .position = { 0, 0, 1.0 }
        };
        sim s = scene_start(&c, 1);
        double lowest = 1.0;
        while (sim_before(&s, 0.05)) {
            sim_step(&s, 1.0);
            lowest = fmin(lowest, sim_position(&s, "ball").z - sim_position(&s, "plate").z);
        }
        CHECK_GE(lowest, 0.0);
        sim_end(&s);
    }
}

/* A box lands with its whole face on a plate that is thinner than a single point would be driven in. */
TEST(steps, do_not_jump_over_thin_walls_with_many_points)
{
    static const char *const times[] = { "\"end\": 0.5, \"integrator\": \"runge-kutta\"",
                                         "\"end\": 0.5, \"integrator\": \"generalized-alpha\"" };
    for (int k = 0; k < 2; ++k) {
        contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}}}",
                            .time = times[k],
                            .body_count = 2 };
        c.bodies[0] = (scene_body){ .name = "plate",
                                    .shape = "{\"box\": [1, 1, 0.004]}",
                                    .more = "\"fixed\": true," };
        c.bodies[1] = (scene_body){ .name = "box",
                                    .shape = "{\"box\": [0.2, 0.2, 0.2]}",
                                    .more = "\"mass\": 1,",
                                    .position = { 0, 0, 0.5 },
                                    .velocity = { 0, 0, -3.0 } };
        sim s = scene_start(&c, 1);
        double lowest = 1.0;
        while (sim_before(&s, 0.5)) {
            sim_step(&s, 0.5);
            lowest = fmin(lowest, sim_position(&s, "box").z);
        }
        CHECK_GE(lowest, 0.1); /* not half through: 81 points hold it within 0.5 mm, one would need 3 mm */
        CHECK_NEAR(sim_signal(&s, "box.velocity.z"), 3.0, 1e-2);
        sim_end(&s);
    }
}

/* A plate too soft to stop a bullet, which would need metres for it, takes notice of it at least. */
TEST(steps, a_bullet_through_a_plate_is_seen)
{
    static const char *const times[] = { "\"end\": 0.01, \"integrator\": \"runge-kutta\"",
                                         "\"end\": 0.01, \"integrator\": \"generalized-alpha\"" };
    for (int k = 0; k < 2; ++k) {
        contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e5, \"n\": 1.5}}}",
                            .time = times[k],
                            .body_count = 2 };
        c.bodies[0] = (scene_body){ .name = "plate", .shape = "{\"box\": [1, 1, 0.02]}", .more = "\"fixed\": true," };
        c.bodies[1] = (scene_body){ .name = "bullet",
                                    .shape = "{\"sphere\": 0.005}",
                                    .more = "\"mass\": 0.01,",
                                    .position = { 0, 0, 3.0 },
                                    .velocity = { 0, 0, -1000.0 } };
        sim s = scene_start(&c, 1);
        int seen = 0;
        while (sim_before(&s, 0.01)) {
            carom_step_report report = { 0 };
            carom_error err = { 0 };
            CHECK_OK(carom_step(s.model, s.state, s.scratch, 0.01 - sim_time(&s), &report, &err), err);
            seen += report.contacts > 0;
        }
        CHECK_GE((double)seen, 1.0);
        sim_end(&s);
    }
}

/* ---- what is remembered ------------------------------------------------------------------------------------------------ */

/* A ball of 50 mm and 1 kg above a floor. */
static contact_scene ball_above_floor(const char *contact, const char *time, double height, v3 velocity)
{
    contact_scene c = { .contact = contact, .time = time, .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "ball",
                                .shape = "{\"sphere\": 0.05}",
                                .more = "\"mass\": 1,",
                                .position = { 0, 0, height },
                                .velocity = velocity };
    return c;
}

/* The speed at first touch stays what it was until the bodies part, and is forgotten then. */
TEST(remembered, speed_at_first_touch)
{
    contact_scene c =
        ball_above_floor("{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1.5}},"
                         " \"restitution\": 0.5}",
                         "\"end\": 0.1, \"tolerance\": 1e-8", 0.06, v3_make(0.3, 0, -0.7));
    sim s = scene_start(&c, 1);
    int touching = 0;
    while (sim_before(&s, 0.1)) {
        carom_step_report report = { 0 };
        carom_error err = { 0 };
        CHECK_OK(carom_step(s.model, s.state, s.scratch, 0.1 - sim_time(&s), &report, &err), err);
        CHECK_EQ(s.state->contacts.count, report.contacts > 0);
        if (report.contacts > 0) {
            ++touching;
            CHECK_NEAR(s.state->contacts.items[0].value[0], 0.7, 1e-6);
            CHECK_NEAR(report.penetration, 0.05 - sim_position(&s, "ball").z, 1e-12);
            CHECK_LE(report.distance, -report.penetration); /* the beginning of the step was looked at, too */
        }
    }
    CHECK_GE((double)touching, 5.0);
    CHECK_EQ(s.state->contacts.count, 0);
    sim_end(&s);
}

/* Frames inside the last step of a touch still see the contact as it was when that step began: damping has not gone,
 * and the force falls to zero gradually. */
TEST(frames, inside_the_step_in_which_bodies_part)
{
    contact_scene c =
        ball_above_floor("{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e5, \"n\": 1.5}},"
                         " \"restitution\": 0.9}",
                         "\"end\": 0.2, \"tolerance\": 1e-2", 0.06, v3_make(0, 0, -0.7));
    sim s = scene_start(&c, 1);
    bool touched = false;
    double began = 0.0;
    for (bool apart = false; !apart;) {
        began = sim_time(&s);
        sim_step(&s, 0.2);
        bool touches = s.state->contacts.count > 0;
        apart = touched && !touches;
        touched = touched || touches;
        CHECK(sim_before(&s, 0.2));
    }
    carom_arena arena = { 0 };
    carom_error err = { 0 };
    frame_space o;
    result_frame frame;
    CHECK_OK(frame_space_create(&o, &arena, s.model, &err), err);
    double t = began + 0.05 * (sim_time(&s) - began);
    CHECK_OK(observe_frame(s.scratch, s.state, t, &o, &frame, &err), err);
    CHECK_EQ(frame.contact_count, 1);
    double depth = -frame.contacts[0].gap;
    CHECK_GE(fabs(frame.contacts[0].force.z),
             0.5 * 1e5 * pow(depth, 1.5)); /* a part of the elastic force, not nothing */
    carom_arena_free(&arena);
    sim_end(&s);
}

/* A scratch that has served one state may serve another after the first is gone. */
TEST(scratch, outlives_a_state)
{
    contact_scene c =
        ball_above_floor("{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.5}},"
                         " \"restitution\": 0.5}",
                         "\"end\": 0.1", 0.0499, v3_zero());
    sim s = scene_start(&c, 1);
    sim_advance(&s, 0.05);
    carom_state_destroy(s.state);
    s.state = carom_state_create(s.model);
    CHECK(s.state != NULL);
    sim_advance(&s, 0.05);
    sim_end(&s);
}

/* A body whose motion is prescribed strikes in the middle of what would be one long step. */
TEST(steps, prescribed_blows_are_seen_coming)
{
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e6}}}",
                        .time = "\"end\": 10",
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "hammer",
                                .shape = "{\"sphere\": 0.03}",
                                .more = "\"motion\": {\"position\": [0, 0, \"0.2-0.5*max(0,tanh(40*(t-5.03)))\"]}," };
    c.bodies[1] = (scene_body){ .name = "ball", .shape = "{\"sphere\": 0.03}", .more = "\"mass\": 0.1," };
    sim s = scene_start(&c, 1);
    sim_advance(&s, 10.0);
    CHECK_LE(sim_position(&s, "ball").z, -1.0);
    sim_end(&s);
}

/* A spinning ball does not approach anything by its spin. */
TEST(steps, spin_of_a_ball_is_no_approach)
{
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e6}}}",
                        .time = "\"end\": 1",
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "table", .shape = "{\"box\": [1, 1, 0.1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "ball",
                                .shape = "{\"sphere\": 0.05}",
                                .more = "\"mass\": 1,",
                                .position = { 0, 0, 0.101 },
                                .spin = { 0, 300, 0 } };
    sim s = scene_start(&c, 1);
    sim_advance(&s, 1.0);
    CHECK_LE((double)s.steps, 300.0); /* 1.5 rad each */
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(area, points_of_both_sides_share_the_pressure),
        RUN_TEST(area, per_point_counts_points),
        RUN_TEST(steps, do_not_jump_over_thin_walls),
        RUN_TEST(steps, between_free_bodies_at_rest),
        RUN_TEST(steps, do_not_jump_over_thin_walls_with_many_points),
        RUN_TEST(steps, a_bullet_through_a_plate_is_seen),
        RUN_TEST(remembered, speed_at_first_touch),
        RUN_TEST(frames, inside_the_step_in_which_bodies_part),
        RUN_TEST(scratch, outlives_a_state),
        RUN_TEST(steps, prescribed_blows_are_seen_coming),
        RUN_TEST(steps, spin_of_a_ball_is_no_approach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
