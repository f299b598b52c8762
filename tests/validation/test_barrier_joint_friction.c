/* Dry friction in joints under the method "barrier": closed forms of sliding, holding and swinging, and the same scenes under
 * "impact", whose friction is Coulomb's without smoothing. */
#include "dynamics/work.h"
#include "support/sim.h"

enum { TEXT = 4096 };

static const double G = 9.81;

/* A scene's text, printf style. */
__attribute__((format(printf, 1, 2))) static sim begin(const char *format, ...)
{
    static char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(n > 0 && n < TEXT);
    return sim_parse(text, NULL);
}

/* Time and contact sections of one method with steps of h. */
typedef struct way {
    const char *integrator; /* of "barrier"; NULL: the method is "impact" */
    double h, stick_speed;
} way;

static const char *sections(const way *by)
{
    static char text[512];
    if (by->integrator) {
        snprintf(text, sizeof text,
                 "\"time\": {\"end\": 100, \"step\": %.17g, \"integrator\": \"%s\"}, \"contact\": {\"method\": "
                 "\"barrier\", \"stick_speed\": %.17g}",
                 by->h, by->integrator, by->stick_speed);
    } else {
        snprintf(text, sizeof text,
                 "\"time\": {\"end\": 100, \"step\": %.17g}, \"contact\": {\"method\": \"impact\"}", by->h);
    }
    return text;
}

/* ---- a slider on a guide ------------------------------------------------------------------------------------------------- */

/* On a guide along x; gravity is turned by the slope instead. */
static sim slider(const way *by, double slope, double mu, double v)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [%.17g, 0, %.17g], %s, \"bodies\": [{\"name\": \"slider\", \"mass\": 2, \"inertia\": "
        "[0.01, 0.01, 0.01], \"velocity\": [%.17g, 0, 0]}], \"joints\": [{\"name\": \"guide\", \"type\": \"prismatic\", "
        "\"bodies\": [\"ground\", \"slider\"], \"axis\": [1, 0, 0], \"friction\": {\"coefficient\": %.17g}}]}",
        G * sin(atan(slope)), -G * cos(atan(slope)), sections(by), v, mu);
}

/* Decelerates by mu g as implicit Euler has it, x = v t - mu g t (t + h) / 2, and stands; friction takes mu m g times the way. */
TEST(joint_friction, a_slider_is_slowed_down_by_mu_g)
{
    const way euler = { "implicit-euler", 1e-3, 1e-5 };
    sim s = slider(&euler, 0.0, 0.2, 2.0);
    double a = 0.2 * G;
    sim_advance(&s, 0.8);
    double t = sim_time(&s);
    table_head("slider with 2 m/s and mu = 0.2");
    table_row("way in 0.8 s [m]", sim_position(&s, "slider").x, 2.0 * t - a * t * (t + 1e-3) / 2.0);
    CHECK_NEAR(sim_position(&s, "slider").x, 2.0 * t - a * t * (t + 1e-3) / 2.0, 1e-9);
    sim_advance(&s, 2.0);
    double gone = sim_position(&s, "slider").x;
    carom_ledger ledger = sim_ledger(&s);
    table_row("way until it stands [m]", gone, 2.0 * 2.0 / (2.0 * a) - 1e-3);
    CHECK_NEAR(gone, 2.0 * 2.0 / (2.0 * a) - 1e-3, 1e-5); /* Euler is half a step late at either end */
    CHECK_NEAR(carom_state_velocity(s.model, s.state, sim_body(&s, "slider")).x, 0.0, 1e-9);
    CHECK_NEAR(ledger.lost_friction, 2.0 * a * gone, 1e-6);
    CHECK_NEAR(ledger.lost_friction + ledger.lost_numerics, 4.0, 1e-9);
    CHECK_NEAR(ledger.residue, 0.0, 1e-9);
    sim_end(&s);
}

/* Below the limit it holds, and creeps with eps (1 - sqrt(1 - F/(mu N))); above it slides with g (sin - mu cos). */
TEST(joint_friction, a_slider_holds_below_the_limit)
{
    const double eps = 1e-4;
    const way euler = { "implicit-euler", 1e-2, eps };
    sim s = slider(&euler, 0.15, 0.2, 0.0);
    sim_advance(&s, 2.0);
    double from = sim_position(&s, "slider").x;
    sim_advance(&s, 4.0);
    double creep = (sim_position(&s, "slider").x - from) / 2.0;
    table_head("slider on a slope of 0.15, mu = 0.2 and 0.1");
    table_row("creep [m/s]", creep, eps * (1.0 - sqrt(1.0 - 0.75)));
    CHECK_NEAR(creep, eps * (1.0 - sqrt(1.0 - 0.75)), 1e-3 * eps);
    sim_end(&s);
    s = slider(&euler, 0.15, 0.1, 0.0);
    sim_advance(&s, 1.0);
    double a = G * (sin(atan(0.15)) - 0.1 * cos(atan(0.15)));
    double t = sim_time(&s);
    table_row("slides [m]", sim_position(&s, "slider").x, a * t * (t + 1e-2) / 2.0);
    CHECK_NEAR(sim_position(&s, "slider").x, a * t * (t + 1e-2) / 2.0, 1e-4);
    sim_end(&s);
}

/* A slider that rides on an arm: bodies that turn as one do not slip, however large the steps. It holds while w^2 r < mu g. */
static sim arm(const way *by, double rate)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"arm\", \"motion\": {\"axis\": [0, 0, 1], "
        "\"angle\": \"%.17g*t\"}}, {\"name\": \"slider\", \"mass\": 2, \"inertia\": [0.01, 0.01, 0.01], \"position\": [1, 0, "
        "0], \"velocity\": [0, %.17g, 0], \"angular_velocity\": [0, 0, %.17g]}], \"joints\": [{\"name\": \"guide\", "
        "\"type\": \"prismatic\", \"bodies\": [\"arm\", \"slider\"], \"at\": [1, 0, 0], \"axis\": [1, 0, 0], \"friction\": "
        "{\"coefficient\": 0.2}}]}",
        sections(by), rate, rate, rate);
}

TEST(joint_friction, a_slider_rides_on_a_turning_arm)
{
    const way ways[] = { { "implicit-euler", 1e-2, 1e-4 }, { "bdf2", 1e-2, 1e-4 } };
    for (int k = 0; k < 2; ++k) {
        sim s = arm(&ways[k], 1.2); /* 1.44 of 1.962 m/s^2 */
        sim_advance(&s, 2.0);
        double r = sim_norm(sim_position(&s, "slider"));
        table_head(ways[k].integrator);
        table_row("radius after 2 s at 1.2 rad/s [m]", r, 1.0 + 2.0 * 1e-4 * (1.0 - sqrt(1.0 - 1.44 / 1.962)));
        CHECK_NEAR(r, 1.0, 1.1 * 2.0 * 1e-4);
        sim_end(&s);
        s = arm(&ways[k], 1.45); /* 2.1 m/s^2 */
        sim_advance(&s, 2.0);
        CHECK(sim_norm(sim_position(&s, "slider")) > 1.05);
        sim_end(&s);
    }
}

/* ---- a pendulum in a bearing --------------------------------------------------------------------------------------------- */

static sim pendulum(const way *by, double angle, double length)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"bar\", \"mass\": 2, \"inertia\": [0.17, 0.17, "
        "0.001], \"position\": [0, 0, -0.5]}], \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": "
        "[\"ground\", \"bar\"], \"at\": [0, 0.05, 0], \"axis\": [0, 1, 0], \"start\": {\"angle\": %.17g}, \"friction\": "
        "{\"coefficient\": 0.3, \"radius\": 0.01%s}}]}",
        sections(by), angle, length > 0.0 ? ", \"length\": 0.04" : "");
}

/* The largest angle of the half swing that begins now. */
static double next_peak(sim *s)
{
    double sign = sim_signal(s, "pin.angle.rate") >= 0.0 ? 1.0 : -1.0;
    double most = 0.0;
    do {
        sim_step(s, 1e9);
        most = fmax(most, sign * sim_signal(s, "pin.angle"));
    } while (sign * sim_signal(s, "pin.angle.rate") > 0.0);
    return most;
}

/* A torque of mu r N takes 2 mu r / l from the angle in each half swing, while the load is the weight: at small angles. */
TEST(joint_friction, a_pendulum_loses_two_mu_r_per_half_swing)
{
    const way bdf2 = { "bdf2", 1e-3, 1e-5 };
    sim s = pendulum(&bdf2, 0.15, 0.0);
    double loss = 2.0 * 0.3 * 0.01 / 0.5;
    double last = 0.15;
    table_head("pendulum in a bearing: loss of a half swing [rad]");
    sim_step(&s, 1e9);
    for (int k = 0; k < 6; ++k) {
        double peak = next_peak(&s);
        table_row("", last - peak, loss);
        CHECK_NEAR(last - peak, loss, 0.02 * loss); /* loads grow with the square of the angle */
        last = peak;
    }
    CHECK_LE(sim_ledger(&s).position_error, 1e-12);
    sim_end(&s);
}

/* ---- the same scenes under impact ----------------------------------------------------------------------------------------- */

typedef struct scene {
    const char *name;
    sim (*make)(const way *by);
    const char *signal;
    double end, tolerance;
} scene;

static sim wide_swing(const way *by)
{
    return pendulum(by, 1.2, 0.0);
}

static sim long_sleeve(const way *by)
{
    return pendulum(by, 1.2, 0.04); /* the weight lies 0.05 m beside the middle: ends carry 1.75 and -0.75 of it */
}

/* A load beside the guide presses both ends of the sleeve. */
static sim offset_sleeve(const way *by)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"slider\", \"mass\": 2, \"inertia\": [0.01, "
        "0.01, 0.01], \"position\": [0, 0, -0.1], \"velocity\": [2, 0, 0]}], \"joints\": [{\"name\": \"guide\", \"type\": "
        "\"prismatic\", \"bodies\": [\"ground\", \"slider\"], \"at\": [0, 0.03, 0], \"axis\": [1, 0, 0], \"friction\": "
        "{\"coefficient\": 0.2, \"length\": 0.2}}]}",
        sections(by));
}

/* A shaft that slides and turns: friction is along the whole slip. */
static sim turning_shaft(const way *by)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"shaft\", \"mass\": 2, \"inertia\": [0.01, "
        "0.1, 0.1], \"velocity\": [1, 0, 0], \"angular_velocity\": [40, 0, 0]}], \"joints\": [{\"name\": \"sleeve\", \"type\": "
        "\"cylindrical\", \"bodies\": [\"ground\", \"shaft\"], \"axis\": [1, 0, 0], \"friction\": {\"coefficient\": 0.2, "
        "\"radius\": 0.05}}]}",
        sections(by));
}

/* A bob on a ball joint that swings round. */
static sim ball_joint(const way *by)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"bob\", \"mass\": 2, \"inertia\": [0.02, 0.02, "
        "0.02], \"position\": [0.3, 0, -0.4], \"velocity\": [0, 1.2, 0], \"angular_velocity\": [1.92, 0, 1.44]}], "
        "\"joints\": [{\"name\": \"ball\", \"type\": \"spherical\", \"bodies\": [\"ground\", \"bob\"], \"at\": [0, 0, 0], "
        "\"friction\": {\"coefficient\": 0.3, \"radius\": 0.02}}]}",
        sections(by));
}

/* Two bars in a row, both bearings rub: the load of each depends on the friction of the other. */
static sim double_swing(const way *by)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], %s, \"bodies\": [{\"name\": \"one\", \"mass\": 2, \"inertia\": [0.04, 0.04, "
        "0.001], \"position\": [0.25, 0, 0]}, {\"name\": \"two\", \"mass\": 1, \"inertia\": [0.02, 0.02, 0.001], "
        "\"position\": [0.75, 0, 0]}], \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", "
        "\"one\"], \"at\": [0, 0, 0], \"axis\": [0, 1, 0], \"friction\": {\"coefficient\": 0.3, \"radius\": 0.02}}, "
        "{\"name\": \"elbow\", \"type\": \"revolute\", \"bodies\": [\"one\", \"two\"], \"at\": [0.5, 0, 0], \"axis\": [0, 1, "
        "0], \"friction\": {\"coefficient\": 0.3, \"radius\": 0.02}}]}",
        sections(by));
}

static double value_of(const scene *what, const way *by, double *lost)
{
    sim s = what->make(by);
    while (sim_before(&s, what->end)) {
        sim_step(&s, what->end);
        CHECK_EQ(finding_count_fallbacks(&s.scratch->findings), 0);
    }
    double value = sim_signal(&s, what->signal);
    *lost = sim_ledger(&s).lost_friction;
    sim_end(&s);
    return value;
}

TEST(joint_friction, agrees_with_impact)
{
    static const scene scenes[] = {
        { "wide swing, angle [rad]", wide_swing, "pin.angle", 1.5, 2e-4 },
        { "sleeve of a pin, angle [rad]", long_sleeve, "pin.angle", 1.5, 2e-4 },
        { "sleeve beside its load, way [m]", offset_sleeve, "slider.position.x", 0.5, 1e-5 },
        { "shaft, way [m]", turning_shaft, "shaft.position.x", 0.4, 1e-5 },
        { "shaft, spin [rad/s]", turning_shaft, "shaft.angular_velocity.x", 0.4, 1e-4 },
        { "ball joint, x [m]", ball_joint, "bob.position.x", 1.0, 1e-4 },
        { "ball joint, y [m]", ball_joint, "bob.position.y", 1.0, 1e-4 },
        { "double swing, x [m]", double_swing, "two.position.x", 0.6, 2e-4 },
    };
    const way exact = { NULL, 1e-3, 0.0 };
    const way bdf2 = { "bdf2", 2.5e-4, 1e-5 };
    table_head("friction in joints: barrier against impact");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
        double lost[2];
        double reference = value_of(&scenes[k], &exact, &lost[0]);
        double value = value_of(&scenes[k], &bdf2, &lost[1]);
        table_row(scenes[k].name, value, reference);
        table_row("  lost by friction [J]", lost[1], lost[0]);
        CHECK_NEAR(value, reference, scenes[k].tolerance);
        CHECK_NEAR(lost[1], lost[0], 1e-3 * lost[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(joint_friction, a_slider_is_slowed_down_by_mu_g),
        RUN_TEST(joint_friction, a_slider_holds_below_the_limit),
        RUN_TEST(joint_friction, a_slider_rides_on_a_turning_arm),
        RUN_TEST(joint_friction, a_pendulum_loses_two_mu_r_per_half_swing),
        RUN_TEST(joint_friction, agrees_with_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
