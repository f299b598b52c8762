/* Stops, springs, motors, drag and fields in motion, against closed forms and the energy ledger. */
#include "rig.h"
#include "support/scene_file.h"

static const rig_time TIGHT = { .integrator = "\"runge-kutta\"", .tolerance = 1e-10 };

/* ---- stops ----------------------------------------------------------------------------------------------------- */

/* A block of 2 kg on a slider runs at 3 m/s into a stop at 1 m. Built by hand: scenes have no
 * field for the stop's damping. */
static rig sliding_block(double stiffness, double damping, carom_scene_def scene)
{
    rig r = { 0 };
    carom_spec *spec = carom_spec_create();
    CHECK(spec != NULL);
    double inertia[] = { 1.0, 1.0, 1.0 };
    carom_body_def body = carom_body_def_default();
    body.name = "block";
    body.mass = 2.0;
    body.inertia = (carom_reals){ 3, inertia };
    body.velocity = (carom_v3){ 0.0, 0.0, 3.0 };
    carom_joint_limit_def limit = { .min = -10.0, .max = 1.0, .stiffness = stiffness, .damping = damping };
    carom_joint_def joint = carom_joint_def_default();
    joint.name = "slide";
    joint.joint.kind = "prismatic";
    joint.attachment.bodies[0] = "ground";
    joint.attachment.bodies[1] = "block";
    joint.limits = (carom_list){ 1, &limit };
    CHECK_OK(carom_spec_set_scene(spec, &scene, &r.err), r.err);
    CHECK_OK(carom_spec_add_body(spec, &body, &r.err), r.err);
    CHECK_OK(carom_spec_add_joint(spec, &joint, &r.err), r.err);
    CHECK_OK(carom_compile(spec, &r.model, &r.err), r.err);
    carom_spec_destroy(spec);
    r.state = carom_state_create(r.model);
    CHECK_OK(carom_scratch_create(r.model, 1, &r.scratch, &r.err), r.err);
    CHECK_OK(carom_assemble(r.model, r.state, r.scratch, NULL, &r.err), r.err);
    return r;
}

static carom_scene_def scene_with(const char *integrator, double tolerance)
{
    carom_scene_def scene = carom_scene_def_default();
    scene.time.integrator.kind = integrator;
    scene.time.tolerance = tolerance;
    scene.time.step = 0.01;
    return scene;
}

TEST(forced_motion, elastic_stop_gives_all_energy_back)
{
    const char *const names[] = { "runge-kutta", "generalized-alpha" };
    const double tolerances[] = { 1e-9, 1e-7 };
    const double errors[] = { 1e-5, 3e-3 }; /* the force has a kink: both lose an order in one step */
    for (int i = 0; i < 2; ++i) {
        rig r = sliding_block(1e4, 0.0, scene_with(names[i], tolerances[i]));
        double touch = 1.0 / 3.0;
        double half = 0.5 * PI * sqrt(2.0 / 1e4);
        rig_run(&r, touch + half); /* deepest: v sqrt(m / k) */
        CHECK_NEAR(rig_signal(&r, "slide.travel"), 1.0 + 3.0 * sqrt(2.0 / 1e4), errors[i]);
        CHECK_NEAR(rig_ledger(&r).elastic, 9.0, 10.0 * errors[i]);
        rig_run(&r, touch + 2.0 * half + 0.1);
        CHECK_NEAR(rig_signal(&r, "slide.travel.rate"), -3.0, 3.0 * errors[i]);
        CHECK_NEAR(rig_ledger(&r).lost_stops, 0.0, 1e-12);
        CHECK_NEAR(rig_ledger(&r).residue, 0.0, 10.0 * errors[i]);
        rig_close(&r);
    }
}

/* f = k d (1 + c d'): the speed ratio is 1 - (2/3) c v to first order [Hunt1975]. */
TEST(forced_motion, damped_stop_loses_what_its_account_says)
{
    rig r = sliding_block(1e5, 0.1 / 3.0, scene_with("runge-kutta", 1e-10));
    rig_run(&r, 0.6);
    double ratio = -rig_signal(&r, "slide.travel.rate") / 3.0;
    CHECK_NEAR(ratio, 1.0 - 2.0 / 3.0 * 0.1, 0.005);
    carom_ledger ledger = rig_ledger(&r);
    CHECK_NEAR(ledger.lost_stops, 9.0 * (1.0 - ratio * ratio), 1e-5);
    CHECK_NEAR(ledger.residue, 0.0, 1e-5);
    rig_close(&r);
}

/* ---- joint springs --------------------------------------------------------------------------------------------- */

#define WHEEL(rest)                                                                \
    "{\"carom\": 1, \"time\": {\"end\": 2},"                                       \
    " \"bodies\": [{\"name\": \"wheel\", \"mass\": 1, \"inertia\": [1, 1, 0.5]}]," \
    " \"joints\": [{\"name\": \"axle\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"]" rest "}"

TEST(forced_motion, preload_acts_against_the_coordinate)
{
    const char *scene = WHEEL(", \"spring\": {\"stiffness\": 8, \"preload\": 2}") "]}";
    rig r = rig_start(scene, TIGHT);
    rig_run(&r, 0.5);
    /* I q'' = -2 - 8 q from rest: q = -(2/8)(1 - cos(4 t)) */
    CHECK_NEAR(rig_signal(&r, "axle.angle"), -0.25 * (1.0 - cos(2.0)), 1e-8);
    CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-8);
    rig_close(&r);
}

/* ---- motors ---------------------------------------------------------------------------------------------------- */

#define MOTOR(settings) \
    WHEEL("") "], \"forces\": [{\"name\": \"motor\", \"type\": \"motor\", \"joint\": \"axle\", " settings "}]}"

TEST(forced_motion, torque_motor_accelerates_evenly)
{
    rig r = rig_start(MOTOR("\"target\": \"3*t\""), TIGHT);
    rig_run(&r, 2.0);
    CHECK_NEAR(rig_signal(&r, "axle.angle.rate"), 1.5 * 4.0 / 0.5, 1e-8);
    CHECK_NEAR(rig_ledger(&r).work_motors, 0.25 * 12.0 * 12.0, 1e-6);
    rig_close(&r);
}

TEST(forced_motion, speed_motor_approaches_its_speed_exponentially)
{
    rig r = rig_start(MOTOR("\"mode\": \"speed\", \"target\": 10, \"gain\": 1.5"), TIGHT);
    rig_run(&r, 1.0);
    CHECK_NEAR(rig_signal(&r, "axle.angle.rate"), 10.0 * (1.0 - exp(-3.0)), 1e-7);
    rig_close(&r);
}

/* I q'' = 50 (1 - q) - 4 q'. */
TEST(forced_motion, position_motor_is_a_damped_oscillator)
{
    rig r = rig_start(MOTOR("\"mode\": \"position\", \"target\": 1, \"gain\": 50, \"damping\": 4"), TIGHT);
    double decay = 4.0;
    double omega = sqrt(100.0 - decay * decay);
    for (double t = 0.2; t < 2.0; t += 0.4) {
        rig_run(&r, t);
        double q = 1.0 - exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
        CHECK_NEAR(rig_signal(&r, "axle.angle"), q, 1e-7);
    }
    CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-6);
    rig_close(&r);
}

TEST(forced_motion, saturated_motor_gives_its_limit)
{
    rig r = rig_start(MOTOR("\"mode\": \"speed\", \"target\": 100, \"gain\": 50, \"limit\": 2"), TIGHT);
    rig_run(&r, 1.0);
    CHECK_NEAR(rig_signal(&r, "axle.angle.rate"), 4.0, 1e-9);
    CHECK_NEAR(rig_signal(&r, "motor.force"), 2.0, 0.0);
    rig_close(&r);
}

/* ---- drag and gravity ------------------------------------------------------------------------------------------ */

TEST(forced_motion, falling_body_reaches_its_terminal_speed)
{
    const char *scene = scene_text("forced_motion/falling_body_reaches_its_terminal_speed.json");
    rig r = rig_start(scene, TIGHT);
    double terminal = sqrt(2.0 * 9.81 / 0.1);
    for (double t = 1.0; t <= 20.0; t += 19.0) {
        rig_run(&r, t);
        CHECK_NEAR(rig_signal(&r, "ball.velocity.z"), -terminal * tanh(9.81 * t / terminal), 1e-7 * terminal);
    }
    carom_ledger ledger = rig_ledger(&r);
    CHECK_NEAR(ledger.residue, 0.0, 1e-6 * ledger.lost_drag);
    CHECK_GE(ledger.lost_drag, 0.0);
    rig_close(&r);
}

/* Eccentricity 1/2: from the pericentre at 0.5 with v = sqrt(3) around mu = 1, the axis is 1 and the period 2 pi. */
TEST(forced_motion, kepler_orbit_closes)
{
    const char *scene = scene_text("forced_motion/kepler_orbit_closes.json");
    rig r = rig_start(scene, (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-12 });
    rig_run(&r, PI);
    CHECK_NEAR(rig_signal(&r, "moon.position.x"), -1.5, 1e-8);
    rig_run(&r, 2.0 * PI);
    CHECK_NEAR(rig_signal(&r, "moon.position.x"), 0.5, 1e-7);
    CHECK_NEAR(rig_signal(&r, "moon.position.y"), 0.0, 1e-7);
    carom_ledger ledger = rig_ledger(&r);
    CHECK_NEAR(ledger.residue, 0.0, 1e-8);
    CHECK_NEAR(ledger.angular_momentum.z, 3.0 * 0.5 * sqrt(3.0), 1e-8);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(forced_motion, elastic_stop_gives_all_energy_back),
        RUN_TEST(forced_motion, damped_stop_loses_what_its_account_says),
        RUN_TEST(forced_motion, preload_acts_against_the_coordinate),
        RUN_TEST(forced_motion, torque_motor_accelerates_evenly),
        RUN_TEST(forced_motion, speed_motor_approaches_its_speed_exponentially),
        RUN_TEST(forced_motion, position_motor_is_a_damped_oscillator),
        RUN_TEST(forced_motion, saturated_motor_gives_its_limit),
        RUN_TEST(forced_motion, falling_body_reaches_its_terminal_speed),
        RUN_TEST(forced_motion, kepler_orbit_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
