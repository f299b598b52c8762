/* How things end under the method "impact": bounces whose bodies friction brings together again, slip that becomes rolling, a
 * contact let go while it slides on a body that turns. */
#include "support/impact_run.h"
#include "support/scene_file.h"

static const double G = 9.81;

/* Two sliders on rails that rub differently: the rear one catches up, bounces ever less and pushes the other from then on. The
 * friction of both brakes them together: a = -(mu_A + mu_B) g / 2. */
TEST(endings, a_slider_catches_up_and_pushes)
{
    impact_run r = run_start("%s", scene_text("impact_endings/a_slider_catches_up_and_pushes.json"));
    run_to(&r, 0.3);
    double v = run_velocity(&r, "A").x;
    CHECK_NEAR(run_velocity(&r, "B").x, v, 1e-12);
    CHECK(run_count(&r, CAROM_EVENT_REST) == 1);
    CHECK_LE((double)run_count(&r, CAROM_EVENT_IMPACT), 60.0);
    run_to(&r, 0.5);
    table_head("sliders");
    CHECK_LE(table_row("deceleration", (v - run_velocity(&r, "A").x) / 0.2, 0.3 * G), 1e-9);
    run_check(&r, 1e-8);
    run_end(&r);
}

/* Two balls, a floor and a wall, all rubbing: the second rolls against the first, which the wall holds. */
TEST(endings, balls_come_to_rest_against_a_wall)
{
    impact_run r = run_start("%s", scene_text("impact_endings/balls_come_to_rest_against_a_wall.json"));
    run_to(&r, 1.0);
    CHECK_LE((double)r.s.steps, 2000.0);
    CHECK_LE((double)run_count(&r, CAROM_EVENT_IMPACT), 500.0);
    run_check(&r, 1e-8);
    run_end(&r);
}

/* A sliding ball rolls from t = 2 v / (7 mu g) on with 5/7 of its speed, without any slip that is left over. */
TEST(endings, what_rolls_does_not_slip)
{
    const double R = 0.1;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 2},"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": 0.2}},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"ball\", \"shape\": {\"sphere\": %.17g}, \"mass\": 5, \"position\": [0, 0, %.17g], "
                  "\"velocity\": "
                  "[7, 0, 0]} ] }",
                  R, R);
    run_to(&r, 2.0);
    double v = run_velocity(&r, "ball").x;
    const carom_event *stick = run_last_event_of(&r, CAROM_EVENT_STICK);
    CHECK(stick != NULL);
    table_head("rolling");
    CHECK_LE(table_row("v", v, 5.0), 1e-5); /* slip below ten tolerances counts as none */
    CHECK_LE(table_row("time", stick->t, 2.0 * 7.0 / (7.0 * 0.2 * G)), 5e-6);
    CHECK_LE(table_row("v - omega R", v - run_spin(&r, "ball").y * R, 0.0), 1e-11);
    run_check(&r, 1e-8);
    run_end(&r);
}

/* A ball hits the upper one of two boxes: that slides to the rim of the lower one, which turns, and leaves it. */
TEST(endings, a_box_slides_off_one_that_turns)
{
    impact_run r = run_start("%s", scene_text("impact_endings/a_box_slides_off_one_that_turns.json"));
    run_to(&r, 0.6);
    CHECK_LE((double)r.s.steps, 2000.0);
    CHECK_LE(sim_position(&r.s, "upper").z, 0.15); /* on the floor */
    run_check(&r, 1e-8);
    run_end(&r);
}

typedef struct wheel {
    double mass, inertia; /* [kg], [kg m^2] */
    double mu, radius;    /* of the bearing [m] */
    double spin;          /* [rad/s] */
    const char *time;     /* what the scene says of its steps */
} wheel;

#define ACCURATE "\"preset\": \"accurate\""
#define BALANCED "\"preset\": \"balanced\""
#define FAST "\"preset\": \"fast\""

/* [s] when the wheel stands still, by the list of events. */
static double time_of_rest(const wheel *w, double end)
{
    impact_run r = run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": %.17g, %s},"
        " \"contact\": {\"method\": \"impact\"},"
        " \"bodies\": [ {\"name\": \"wheel\", \"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], "
        "\"angular_velocity\": [0, %.17g, 0]} ],"
        " \"joints\": [ {\"name\": \"axle\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"], \"axis\": "
        "[0, 1, 0], \"friction\": {\"coefficient\": %.17g, \"radius\": %.17g}} ] }",
        end, w->time, w->mass, w->inertia, w->inertia, w->inertia, w->spin, w->mu, w->radius);
    run_to(&r, end);
    const carom_event *stick = run_event_of(&r, CAROM_EVENT_STICK, 0);
    CHECK(stick != NULL);
    double t = stick ? stick->t : 0.0;
    CHECK(run_count(&r, CAROM_EVENT_STICK) == 1 && run_count(&r, CAROM_EVENT_SLIP) == 0);
    CHECK_LE(fabs(run_spin(&r, "wheel").y), 1e-15 * fabs(w->spin));
    run_end(&r);
    return t;
}

static double used_up(const wheel *w)
{
    return w->inertia * fabs(w->spin) / (w->mu * w->mass * G * w->radius);
}

static void check_rest(const wheel *w, double end)
{
    double t = used_up(w);
    CHECK_LE(table_row(w->time, time_of_rest(w, end * t), t), 1e-12 * t);
}

/* The torque mu m g r of a rubbing bearing takes the spin away evenly: it is used up at J omega / (mu m g r), not when it is
 * below some tolerance, and not where the interpolant of a long step says. */
TEST(endings, a_rubbing_bearing_stops_when_its_spin_is_used_up)
{
    const wheel wheels[] = {
        { 1.0, 0.01, 0.1, 0.01, 10.0, ACCURATE },
        { 1.0, 0.01, 0.1, 0.01, 10.0, BALANCED },
        { 1.0, 0.01, 0.1, 0.01, -10.0, FAST },
        { 0.02, 1e-6, 0.02, 0.001, 300.0, BALANCED },
        { 50.0, 3.0, 0.8, 0.05, 0.5, FAST },
        { 7.0, 0.2, 0.005, 0.02, 3.0, BALANCED },
        { 1e-3, 2e-8, 0.3, 5e-4, -2000.0, BALANCED },
        { 3.0, 0.4, 1.2, 0.03, 0.05, FAST },
        { 1.0, 0.3, 0.1, 0.01, 0.1, "\"step\": 1" },  /* it stops in the fourth */
        { 1.0, 0.3, 0.1, 0.01, 0.1, "\"step\": 5" },  /* it stops in the first of two */
        { 1.0, 0.3, 0.1, 0.01, 0.1, "\"step\": 50" }, /* one is longer than the run */
        { 0.3, 0.02, 0.4, 0.005, -2.0, "\"tolerance\": 1e-3" },
    };
    table_head("rubbing wheel, time of rest");
    for (size_t k = 0; k < sizeof wheels / sizeof *wheels; ++k) {
        check_rest(&wheels[k], 1.3);
    }
}

/* However slow the spin and short the run, it is not rest: from 1e-3 rad/s down to 1e-10 rad/s, used up within 0.05 ns; nor
 * is it where gravity could make it a million times faster within the run, if the joint let it. */
TEST(endings, slow_spins_in_short_runs_rub_until_they_are_used_up)
{
    static const char *const times[] = { BALANCED, ACCURATE, "\"tolerance\": 1e-2",
                                         "\"tolerance\": 1e-5, \"step\": 1" };
    table_head("slow wheel, time of rest");
    for (int k = 3; k <= 10; ++k) {
        for (int turned = -1; turned <= 1; turned += 2) {
            check_rest(&(wheel){ 2.0, 0.03, 0.15, 0.02, turned * pow(10.0, -k), times[k % 4] }, 1.3);
            check_rest(&(wheel){ 5e-3, 1e-4, 2e-3, 1e-3, turned * pow(10.0, -k), times[k % 4] }, 2.7);
        }
    }
}

/* Balls bounce on and on beside a wheel that rubs and a brick that slides: their last millimetres per second are not rest,
 * though every bounce is an instant at which so little is next to nothing for the balls, by a tolerance of 1e-4. */
TEST(endings, slow_slip_goes_on_while_others_bounce)
{
    const double omega = 1.5, inertia = 0.02, mu = 0.1, radius = 0.01; /* [rad/s], [kg m^2], -, [m] */
    const double speed = 0.8, rubs = 0.05;                             /* [m/s], - */
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 4, \"tolerance\": 1e-4},"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 1, \"pairs\": [ {\"between\": [\"brick\", "
                  "\"floor\"],"
                  " \"restitution\": 0, \"friction\": {\"coulomb\": %.17g}} ]},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  " {\"name\": \"ball\", \"repeat\": {\"count\": 20, \"line\": [0, 1, 0.013]}, \"mass\": 1, "
                  "\"shape\": {\"sphere\": 0.1}, "
                  "\"position\": [5, 0, 0.4]},"
                  " {\"name\": \"brick\", \"mass\": 1, \"shape\": {\"box\": [0.3, 0.2, 0.1]}, \"position\": [0, 0, "
                  "0.05], \"velocity\": "
                  "[%.17g, 0, 0]},"
                  " {\"name\": \"wheel\", \"mass\": 1, \"inertia\": [%.17g, %.17g, %.17g], \"position\": [0, 0, 2], "
                  "\"angular_velocity\": [0, %.17g, 0]} ],"
                  " \"joints\": [ {\"name\": \"axle\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"], "
                  "\"at\": [0, 0, 2], "
                  "\"axis\": [0, 1, 0], \"friction\": {\"coefficient\": %.17g, \"radius\": %.17g}} ] }",
                  rubs, speed, inertia, inertia, inertia, omega, mu, radius);
    run_to(&r, 4.0);
    double of_wheel = inertia * omega / (mu * G * radius);
    double of_brick = speed / (rubs * G);
    CHECK(run_count(&r, CAROM_EVENT_IMPACT) > 100);
    CHECK(run_count(&r, CAROM_EVENT_STICK) == 5);
    table_head("slow among fast, time of rest");
    for (int k = 0; k < 5; ++k) {
        const carom_event *stick = run_event_of(&r, CAROM_EVENT_STICK, k);
        double t = k < 4 ? of_brick : of_wheel; /* 1.6 s, 3.1 s */
        CHECK(stick != NULL);
        CHECK_LE(table_row(k < 4 ? "a corner of the brick" : "wheel", stick ? stick->t : 0.0, t), 1e-9 * t);
    }
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(endings, a_slider_catches_up_and_pushes),
        RUN_TEST(endings, balls_come_to_rest_against_a_wall),
        RUN_TEST(endings, what_rolls_does_not_slip),
        RUN_TEST(endings, a_box_slides_off_one_that_turns),
        RUN_TEST(endings, a_rubbing_bearing_stops_when_its_spin_is_used_up),
        RUN_TEST(endings, slow_spins_in_short_runs_rub_until_they_are_used_up),
        RUN_TEST(endings, slow_slip_goes_on_while_others_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
