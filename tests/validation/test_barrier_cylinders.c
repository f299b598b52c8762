/* Cylinders with the method "barrier", which are round against everything: rolling on a box as on a plane, down a slope, standing and
 * lying on a box and on each other. No frame of any of them has an intersection. */
#include "reference.h"
#include "support/watched.h"

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}"
#define BOX "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"box\": [8, 2, 0.2]}, \"position\": [2.5, 0, -0.1]}"
#define QUARTER 1.5707963267948966
#define MASS 9.42477796076938 /* [kg] radius 0.1 m, length 0.3 m, density 1000 */

static watched scene(const char *integrator, double h, const char *floor, const char *others)
{
    return begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": %.17g, \"integrator\": "
        "\"%s\"}, \"contact\": {\"method\": \"barrier\", \"friction\": 0.5}, \"bodies\": [%s, %s]}",
        h, integrator, floor, others);
}

static double speed_of(watched *w, const char *body)
{
    return carom_state_velocity(w->s.model, w->s.state, sim_body(&w->s, body)).x;
}

/* ---- rolling ---------------------------------------------------------------------------------------------------------------- */

#define ROLLING                                                                                                               \
    "{\"name\": \"roller\", \"density\": 1000, \"shape\": {\"cylinder\": {\"radius\": 0.1, \"length\": 0.3}}, \"position\": " \
    "[0, 0.03, 0.10025], \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 1.5707963267948966}, \"velocity\": [1, 0, 0], "    \
    "\"angular_velocity\": [0, 10, 0]}"

/* Five metres over both triangles of the top of a box and the edge between them. */
TEST(cylinders, roll_on_a_box_as_on_a_plane)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    table_head("a cylinder rolls for 5 s at 1 m/s: place [m], speed [m/s]");
    for (int k = 0; k < 2; ++k) {
        double x[2], v[2];
        for (int box = 0; box < 2; ++box) {
            watched w = scene(integrators[k], 0.01, box ? BOX : FLOOR, ROLLING);
            advance(&w, 5.0);
            x[box] = sim_position(&w.s, "roller").x;
            v[box] = speed_of(&w, "roller");
            end(&w);
        }
        table_row(integrators[k], x[1], x[0]);
        table_row(integrators[k], v[1], v[0]);
        CHECK_NEAR(x[1], x[0], 1e-3);
        CHECK_NEAR(v[1], v[0], 2e-4);
        CHECK_NEAR(v[1], 1.0, 2e-3); /* each step turns it by 0.1 rad: a chord is shorter than its arc */
    }
}

/* 2/3 g sin of 10 degrees. */
TEST(cylinders, roll_down_a_slope)
{
    double angle = QUARTER / 9.0, h = 0.1 + 2.5e-4, g = 9.81;
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [%.17g, 0, %.17g], \"time\": {\"end\": 100, \"step\": 0.002, \"integrator\": "
        "\"bdf2\"}, \"contact\": {\"method\": \"barrier\", \"friction\": 0.5}, \"bodies\": [" BOX
        ", {\"name\": \"roller\", \"density\": 1000, \"shape\": {\"cylinder\": {\"radius\": 0.1, \"length\": 0.3}}, "
        "\"position\": [0, 0, %.17g], \"orientation\": {\"axis\": [1, 0, 0], \"angle\": %.17g}}]}",
        g * sin(angle), -g * cos(angle), h, QUARTER);
    double a = 2.0 / 3.0 * g * sin(angle);
    advance(&w, 1.0);
    table_head("a cylinder rolls down a slope for 1 s");
    table_row("speed [m/s]", speed_of(&w, "roller"), a);
    table_row("way [m]", sim_position(&w.s, "roller").x, 0.5 * a);
    CHECK_NEAR(speed_of(&w, "roller"), a, 3e-3 * a);
    CHECK_NEAR(sim_position(&w.s, "roller").x, 0.5 * a, 3e-3 * a);
    end(&w);
}

/* ---- at rest ---------------------------------------------------------------------------------------------------------------- */

typedef struct rest_case {
    const char *name;
    const char *others; /* that it rests on, or nothing */
    v3 position, axis;
    double angle;
    double points[2]; /* how many contacts carry, at least and at most */
} rest_case;

#define LYING                                                                                                              \
    "{\"name\": \"lower\", \"fixed\": true, \"shape\": {\"cylinder\": {\"radius\": 0.1, \"length\": 0.5}}, \"position\": " \
    "[0, 0, 0.11], \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 1.5707963267948966}}, "
#define STANDING                                                                                                            \
    "{\"name\": \"lower\", \"fixed\": true, \"shape\": {\"cylinder\": {\"radius\": 0.08, \"length\": 0.2}}, \"position\": " \
    "[0.01, 0.02, 0.11]}, "
#define RAIL(at)                                                                                                \
    "{\"name\": \"rail" at "\", \"fixed\": true, \"shape\": {\"box\": [0.5, 0.01, 0.1]}, \"position\": [0, " at \
    ", 0.06]}, "

static const rest_case CASES[] = {
    { "stands on a box", "", { 0.1, 0.2, 0.1502 }, { 0, 0, 1 }, 0.3, { 60, 70 } },
    { "stands over its edge", "", { -1.45, 0.2, 0.1502 }, { 0, 0, 1 }, 0.3, { 30, 70 } },
    { "lies on a box", "", { 0.1, 0.2, 0.1002 }, { 1, 0, 0 }, QUARTER, { 2, 2 } },
    { "across a cylinder", LYING, { 0, 0, 0.3103 }, { 0, 1, 0 }, QUARTER, { 1, 1 } },
    { "stands on a cylinder", STANDING, { 0, 0, 0.3603 }, { 0, 0, 1 }, 0.2, { 30, 130 } },
    { "lies on two rails", RAIL("0.07") RAIL("-0.08"), { 0, 0, 0.2103 }, { 1, 0, 0 }, QUARTER, { 4, 8 } },
    { "stands on two rails", RAIL("0.05") RAIL("-0.06"), { 0, 0, 0.2603 }, { 0, 0, 1 }, 0.1, { 4, 40 } },
};

/* Nothing moves, and forces carry the weight. */
TEST(cylinders, rest)
{
    char text[2048];
    table_head("cylinders at rest: force [N], turn [rad] after 2 s");
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        const rest_case *c = &CASES[k];
        snprintf(
            text, sizeof text,
            "%s{\"name\": \"upper\", \"density\": 1000, \"shape\": {\"cylinder\": {\"radius\": 0.1, \"length\": 0.3}}, "
            "\"position\": [%.17g, %.17g, %.17g], \"orientation\": {\"axis\": [%.17g, %.17g, %.17g], \"angle\": %.17g}}",
            c->others, c->position.x, c->position.y, c->position.z, c->axis.x, c->axis.y, c->axis.z, c->angle);
        watched w = scene("implicit-euler", 0.01, BOX, text);
        quat from = carom_state_pose(w.s.model, w.s.state, sim_body(&w.s, "upper")).orientation;
        advance(&w, 2.0);
        quat to = carom_state_pose(w.s.model, w.s.state, sim_body(&w.s, "upper")).orientation;
        double turn = 2.0 * v3_norm((v3){ from.w * to.x - from.x * to.w + from.z * to.y - from.y * to.z,
                                          from.w * to.y - from.y * to.w + from.x * to.z - from.z * to.x,
                                          from.w * to.z - from.z * to.w + from.y * to.x - from.x * to.y });
        double force = sim_signal(&w.s, "upper.contact.force.z");
        table_row(c->name, force, 9.81 * MASS);
        table_row("  turn", turn, 0.0);
        CHECK_NEAR(force, 9.81 * MASS, 1e-5 * 9.81 * MASS);
        CHECK_LE(turn, 1e-3);
        CHECK_LE(v3_norm(v3_sub(sim_position(&w.s, "upper"), c->position)), 1e-3);
        CHECK_GE(sim_signal(&w.s, "contact.count"), c->points[0]);
        CHECK_LE(sim_signal(&w.s, "contact.count"), c->points[1]);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cylinders, roll_on_a_box_as_on_a_plane),
        RUN_TEST(cylinders, roll_down_a_slope),
        RUN_TEST(cylinders, rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
