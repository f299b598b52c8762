/* The method "barrier" where the answer is known: sliding and sticking on a slope, work of friction, forces in balance, bounces, a
 * pendulum, a heavy body on a light one, a fast body and a thin plate, and what is refused. No frame of any of them has an
 * intersection, by the exact test. */
#include "math/quat.h"
#include "support/pendulum.h"
#include "support/watched.h"

#include "dynamics/work.h"

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}"

/* ---- slope ------------------------------------------------------------------------------------------------------------- */

/* The slope of tan = 0.5 is the plane z = 0, gravity is turned instead; the cube begins where the barrier begins. */
static watched slope(double mu)
{
    double angle = atan(0.5);
    return begin(
        "{\"carom\": 1, \"gravity\": [%.17g, 0, %.17g], \"time\": {\"end\": 100, \"step\": 0.025}, \"contact\": "
        "{\"method\": \"barrier\", \"friction\": %.17g, \"range\": 1e-3, \"stick_speed\": 1e-5}, \"bodies\": [" FLOOR
        ", {\"name\": \"cube\", \"density\": 1000, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 0.501]}]}",
        9.8 * sin(angle), -9.8 * cos(angle), mu);
}

/* At the limit and above it holds: it creeps below the stick speed. */
TEST(barrier, slope_holds)
{
    table_head("P4.1 slope of 0.5: distance [m]");
    watched w = slope(0.5);
    advance(&w, 25.0);
    table_row("mu 0.5, 25 s", sim_position(&w.s, "cube").x, 0.0);
    CHECK_LE(sim_position(&w.s, "cube").x, 5e-3);
    CHECK_LE(sim_norm(carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "cube"))), 1e-4);
    end(&w);
    w = slope(0.51);
    advance(&w, 25.0);
    table_row("mu 0.51, 25 s", sim_position(&w.s, "cube").x, 0.0);
    CHECK_LE(sim_position(&w.s, "cube").x, 4e-4);
    end(&w);
}

/* ---- sliding ------------------------------------------------------------------------------------------------------------- */

/* Without friction a cube slides on for ever, however finely its faces and those of the floor are cut into triangles. */
TEST(barrier, a_cube_slides_over_triangles)
{
    static const double spacings[] = { 1.0, 0.5, 0.13 };
    for (int k = 0; k < 3; ++k) {
        watched w = begin(
            "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": "
            "{\"method\": \"barrier\"}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"position\": [0, 0, -0.5], \"shape\": {\"make\": "
            "{\"type\": \"box\", \"size\": [6, 6, 1], \"spacing\": %.17g}}}, {\"name\": \"cube\", \"density\": 1000, \"shape\": "
            "{\"make\": {\"type\": \"box\", \"size\": [1, 1, 1], \"spacing\": 0.35}}, \"position\": [-1.03, 0.013, 0.5009], "
            "\"velocity\": [1, 0.3, 0]}]}",
            spacings[k]);
        advance(&w, 1.5);
        carom_v3 v = carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "cube"));
        printf("floor cut to %g m: %.15g, %.15g m/s\n", spacings[k], v.x, v.y);
        CHECK_NEAR(v.x, 1.0, 1e-11);
        CHECK_NEAR(v.y, 0.3, 1e-11);
        end(&w);
    }
}

/* A sled on two rails narrower than itself touches where edges cross; its own and those of the rails are whole or in pieces. */
TEST(barrier, a_sled_slides_on_rails_in_pieces)
{
    static const double spacings[] = { 10.0, 0.25, 0.11 };
    for (int k = 0; k < 3; ++k) {
        watched w = begin(
            "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": "
            "{\"method\": \"barrier\"}, \"bodies\": [{\"name\": \"left\", \"fixed\": true, \"position\": [0, 0.35, -0.1], \"shape\": "
            "{\"make\": {\"type\": \"box\", \"size\": [6, 0.1, 0.2], \"spacing\": %.17g}}}, {\"name\": \"right\", \"fixed\": true, "
            "\"position\": [0, -0.35, -0.1], \"shape\": {\"make\": {\"type\": \"box\", \"size\": [6, 0.1, 0.2], \"spacing\": %.17g}}}, "
            "{\"name\": \"sled\", \"density\": 1000, \"shape\": {\"make\": {\"type\": \"box\", \"size\": [1, 1, 1], \"spacing\": "
            "%.17g}}, \"position\": [-1.03, 0, 0.5009], \"velocity\": [1, 0, 0]}]}",
            spacings[k], spacings[k], 0.4 * spacings[k]);
        advance(&w, 1.5);
        carom_v3 v = carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "sled"));
        printf("rails and sled in pieces of %g m: %.15g m/s\n", spacings[k], v.x);
        CHECK_NEAR(v.x, 1.0, 1e-11);
        end(&w);
    }
}

/* ---- friction ------------------------------------------------------------------------------------------------------------ */

/* A block thrown along a floor: friction takes mu m g times the way, and stops it after v^2 / (2 mu g) but for the half step of
 * implicit Euler. */
TEST(barrier, friction_takes_mu_n_times_the_way)
{
    double mass = 2.0, mu = 0.3, speed = 2.0, h = 1e-3;
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": %.17g}, \"contact\": "
        "{\"method\": \"barrier\", \"friction\": %.17g, \"range\": 1e-4}, \"bodies\": [" FLOOR
        ", {\"name\": \"block\", \"mass\": %.17g, \"shape\": {\"box\": [0.4, 0.4, 0.05]}, \"velocity\": [%.17g, 0, 0], "
        "\"position\": [0, 0, 0.0251]}]}",
        h, mu, mass, speed);
    advance(&w, 0.5);
    double way = sim_position(&w.s, "block").x;
    carom_ledger l = sim_ledger(&w.s);
    table_head("P4.21 a sliding block");
    table_row("friction's work [J]", l.lost_friction, mu * mass * 9.81 * way);
    CHECK_NEAR(l.lost_friction, mu * mass * 9.81 * way, 1e-3 * l.lost_friction);
    advance(&w, 1.0);
    double stops = speed * speed / (2.0 * mu * 9.81) - 0.5 * h * speed;
    way = sim_position(&w.s, "block").x;
    table_row("stops after [m]", way, stops);
    CHECK_NEAR(way, stops, 1e-3 * stops);
    end(&w);
}

/* ---- forces --------------------------------------------------------------------------------------------------------------- */

TEST(barrier, forces_of_a_stack_at_rest_are_its_weight)
{
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"friction\": 0.3, \"range\": 1e-3}, \"bodies\": [" FLOOR
        ", {\"name\": \"low\", \"mass\": 2, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 0.501]}"
        ", {\"name\": \"high\", \"mass\": 3, \"shape\": {\"box\": [0.8, 0.8, 0.8]}, \"position\": [0.05, 0, 1.403]}]}");
    advance(&w, 2.0);
    table_head("P4.21 forces of a stack at rest [N]");
    table_row("on the upper", sim_signal(&w.s, "high.contact.force.z"), 3.0 * 9.81);
    table_row("on the lower", sim_signal(&w.s, "low.contact.force.z"), 2.0 * 9.81);
    table_row("on the floor", sim_signal(&w.s, "floor.contact.force.z"), -5.0 * 9.81);
    CHECK_NEAR(sim_signal(&w.s, "high.contact.force.z"), 3.0 * 9.81, 1e-6 * 3.0 * 9.81);
    CHECK_NEAR(sim_signal(&w.s, "low.contact.force.z"), 2.0 * 9.81, 1e-6 * 5.0 * 9.81);
    CHECK_NEAR(sim_signal(&w.s, "floor.contact.force.z"), -5.0 * 9.81, 1e-6 * 5.0 * 9.81);
    end(&w);
}

/* Pulled below the limit of friction it sticks with the force of the pull. */
TEST(barrier, sticking_friction_is_the_pull)
{
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"friction\": 0.5, \"range\": 1e-3, \"tolerance\": 1e-9}, \"bodies\": [" FLOOR
        ", {\"name\": \"block\", \"mass\": 2, \"shape\": {\"box\": [1, 1, 0.2]}, \"position\": [0, 0, 0.101]}], "
        "\"forces\": [{\"name\": \"pull\", \"type\": \"load\", \"body\": \"block\", \"force\": [5, 0, 0]}]}");
    advance(&w, 1.0);
    table_head("P4.21 a block that is pulled and sticks [N]");
    table_row("friction", sim_signal(&w.s, "block.contact.force.x"), -5.0);
    CHECK_NEAR(sim_signal(&w.s, "block.contact.force.x"), -5.0, 1e-6 * 5.0);
    CHECK_LE(fabs(sim_position(&w.s, "block").x), 1e-3 * 1.0 + 1e-4); /* creeps below the stick speed */
    end(&w);
}

/* ---- restitution ------------------------------------------------------------------------------------------------------------ */

/* The ratio of the speeds after and before the first bounce of a ball that falls 1 m. */
static double bounce(double e, double h)
{
    double speed = sqrt(2.0 * 9.81);
    watched w =
        begin("{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": %.17g}, \"contact\": "
              "{\"method\": \"barrier\", \"restitution\": %.17g, \"range\": %.17g}, \"bodies\": [" FLOOR
              ", {\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 1.1]}]}",
              h, e, 0.02 * h * speed);
    double before = 0.0;
    double after = 0.0;
    carom_ledger l = sim_ledger(&w.s);
    double energy = ledger_energy(&l);
    while (sim_time(&w.s) < 0.6) {
        step(&w);
        double now = carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "ball")).z;
        before = now < 0.0 && now < before ? now : before;
        after = now > after ? now : after;
        l = sim_ledger(&w.s);
        CHECK_LE(ledger_energy(&l), energy + 1e-9); /* between compression and release some of it is on its way */
    }
    end(&w);
    return after / -before;
}

TEST(barrier, balls_bounce_with_their_restitution)
{
    static const double e[] = { 0.0, 0.3, 0.5, 0.8, 1.0 };
    table_head("P4.20 ratio of speeds, ball on a plane");
    for (int k = 0; k < 5; ++k) {
        for (int fine = 0; fine < 2; ++fine) {
            double h = fine ? 1e-3 : 1e-2;
            double ratio = bounce(e[k], h);
            char label[32];
            snprintf(label, sizeof label, "e %.1f, h %g s", e[k], h);
            table_row(label, ratio, e[k]);
            /* The speed before is the one at the end of the last free step; the impact may come a step later. */
            CHECK_NEAR(ratio, e[k], 2e-3 + 9.81 * h / sqrt(2.0 * 9.81));
        }
    }
}

/* ---- pendulum --------------------------------------------------------------------------------------------------------------- */

TEST(barrier, pendulum_keeps_its_energy_with_bdf2)
{
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01, \"integrator\": "
        "\"bdf2\"}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": [{\"name\": \"bar\", \"mass\": 1, \"shape\": "
        "{\"box\": [1, 0.05, 0.05]}, \"position\": [0.5, 0, 0]}], \"joints\": [{\"name\": \"pin\", \"type\": "
        "\"revolute\", \"bodies\": [\"ground\", \"bar\"], \"at\": [0, 0, 0], \"axis\": [0, 1, 0]}]}");
    double swing = 9.81 * 0.5; /* [J] what it gains down to the lowest point */
    double worst = 0.0;
    while (sim_time(&w.s) < 10.0) {
        step(&w);
        carom_ledger l = sim_ledger(&w.s);
        worst = fmax(worst, l.position_error);
    }
    carom_ledger l = sim_ledger(&w.s);
    table_head("P4.19 pendulum, 10 s at h = 0.01 s");
    table_row("energy lost / swing", -ledger_energy(&l) / swing, 0.012);
    table_row("joint error [m]", worst, 0.0);
    CHECK_LE(fabs(ledger_energy(&l)) / swing, 0.02);
    CHECK_LE(worst, 1e-12);
    end(&w);
}

/* ---- mass ratio, tunnelling ------------------------------------------------------------------------------------------------- */

TEST(barrier, a_thousand_times_heavier_rests_on_a_light_one)
{
    watched w = begin(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"friction\": 0.1}, \"bodies\": [" FLOOR
        ", {\"name\": \"light\", \"mass\": 1, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 0.51]}"
        ", {\"name\": \"heavy\", \"mass\": 1000, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 1.53]}]}");
    advance(&w, 2.0);
    CHECK_NEAR(sim_position(&w.s, "heavy").z, 1.5, 3e-3);
    CHECK_LE(sim_norm(carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "heavy"))), 1e-3);
    CHECK_NEAR(sim_signal(&w.s, "heavy.contact.force.z"), 9810.0, 1e-5 * 9810.0);
    end(&w);
}

TEST(barrier, a_fast_cube_does_not_pass_a_thin_plate)
{
    watched w =
        begin("{\"carom\": 1, \"time\": {\"end\": 100, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, "
              "\"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"box\": [0.001, 4, 4]}}, {\"name\": "
              "\"cube\", \"mass\": 1, \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"position\": [-0.73, 0, 0], "
              "\"orientation\": {\"axis\": [0.48, 0.6, 0.64], \"angle\": 0.7}, \"velocity\": [100, 3, 1], "
              "\"angular_velocity\": [10, 20, 30]}]}");
    advance(&w, 0.5);
    CHECK_LE(sim_position(&w.s, "cube").x, -0.05);
    end(&w);
}

/* ---- refusals --------------------------------------------------------------------------------------------------------------- */

/* The first step that fails of a scene: its error; the state is the one before it. */
static carom_status fails(const char *text, int most, double *reached, carom_error *err)
{
    sim s = sim_parse(text, NULL);
    carom_status status = CAROM_OK;
    for (int k = 0; k < most && status == CAROM_OK; ++k) {
        carom_step_report report = { 0 };
        uint64_t before = carom_state_hash(s.state);
        status = carom_step(s.model, s.state, s.scratch, 1.0, &report, err);
        CHECK(status == CAROM_OK || carom_state_hash(s.state) == before);
    }
    *reached = sim_time(&s);
    sim_end(&s);
    return status;
}

TEST(barrier, a_start_with_an_overlap_is_refused)
{
    carom_error err = { 0 };
    double reached;
    CHECK_EQ(
        fails(
            "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": ["
            "{\"name\": \"one\", \"mass\": 1, \"shape\": {\"box\": [1, 1, 1]}}, {\"name\": \"two\", \"mass\": 1, "
            "\"shape\": {\"box\": [1, 1, 1]}, \"position\": [0.9, 0.1, 0.2]}]}",
            1, &reached, &err),
        CAROM_INTERSECTING);
    CHECK_CONTAINS(err.message, "'one'");
    CHECK_CONTAINS(err.message, "'two'");
    CHECK_NEAR(reached, 0.0, 0.0);
}

/* A ram presses a ball against a wall: the run ends with their names when there is no more room. */
TEST(barrier, a_blocked_motion_is_named)
{
    carom_error err = { 0 };
    double reached;
    carom_status status = fails(
        "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": ["
        "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"box\": [1, 1, 1]}}, {\"name\": \"ball\", \"mass\": 1, "
        "\"shape\": {\"sphere\": 0.1}, \"position\": [-0.65, 0, 0]}, {\"name\": \"ram\", \"shape\": {\"box\": [1, 1, 1]}, "
        "\"position\": [-1.5, 0, 0], \"motion\": {\"position\": [\"t-1.5\", 0, 0]}}]}",
        100, &reached, &err);
    CHECK(status == CAROM_NOT_CONVERGED || status == CAROM_IMPOSSIBLE); /* the program ends with 3 */
    CHECK_CONTAINS(err.message, "blocked");
    CHECK_CONTAINS(err.message, "'ram'");
    CHECK_NEAR(reached, 0.3, 0.0101); /* the faces are a diameter apart then */
}

TEST(barrier, a_force_that_is_no_number_is_named)
{
    carom_error err = { 0 };
    double reached;
    carom_status status = fails(
        "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": ["
        "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}}], \"forces\": [{\"name\": \"push\", \"type\": "
        "\"load\", \"body\": \"ball\", \"force\": [\"sqrt(0.055-t)\", 0, 0]}]}",
        100, &reached, &err);
    CHECK(status != CAROM_OK);
    CHECK_CONTAINS(err.message, "push");
    CHECK_NEAR(reached, 0.05, 1e-9);
}

/* Below the limit it slides as implicit Euler has it, a h^2 n (n + 1) / 2; at and above the limit it holds. */
TEST(barrier, slope_slides)
{
    double a = 9.8 * (sin(atan(0.5)) - 0.49 * cos(atan(0.5)));
    table_head("P4.1 slope of 0.5: distance [m]");
    watched w = slope(0.49);
    advance(&w, 3.0);
    double n = (double)w.s.steps;
    double x = sim_position(&w.s, "cube").x;
    table_row("mu 0.49, 3 s", x, a * 0.025 * 0.025 * n * (n + 1.0) / 2.0);
    CHECK_NEAR(x, a * 0.025 * 0.025 * n * (n + 1.0) / 2.0, 1e-3 * x);
    advance(&w, 5.0);
    n = (double)w.s.steps;
    x = sim_position(&w.s, "cube").x;
    table_row("mu 0.49, 5 s", x, a * 0.025 * 0.025 * n * (n + 1.0) / 2.0);
    CHECK_NEAR(x, a * 0.025 * 0.025 * n * (n + 1.0) / 2.0, 1e-3 * x);
    end(&w);
}

/* Friction turns a sliding ball until it rolls: at 5/7 of its speed, whatever the coefficient. */
TEST(barrier, a_sliding_ball_begins_to_roll)
{
    watched w =
        begin("{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.002}, \"contact\": "
              "{\"method\": \"barrier\", \"friction\": 0.3}, \"bodies\": [" FLOOR
              ", {\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.1001], "
              "\"velocity\": [1, 0, 0]}]}");
    advance(&w, 1.0);
    CHECK_NEAR(carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "ball")).x, 5.0 / 7.0, 0.01);
    CHECK_NEAR(carom_state_angular_velocity(w.s.model, w.s.state, sim_body(&w.s, "ball")).y, 50.0 / 7.0, 0.1);
    end(&w);
}

/* A block on a belt is taken along to the belt's speed, and no farther, whatever the integrator: slip is measured alike for bodies that
 * are free and for motions that are given. Friction of mu g takes v^2/(2 mu g) of the way until then. */
TEST(barrier, a_block_rides_on_a_belt)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    for (int k = 0; k < 2; ++k) {
        watched w = begin(
            "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 100, \"step\": 0.01, \"integrator\": \"%s\"}, "
            "\"contact\": {\"method\": \"barrier\", \"friction\": 0.5, \"range\": 1e-3}, \"bodies\": [{\"name\": \"belt\", "
            "\"shape\": {\"box\": [20, 1, 1]}, \"motion\": {\"position\": [\"t\", 0, -0.5]}}, {\"name\": \"block\", "
            "\"mass\": 1, \"shape\": {\"box\": [0.2, 0.2, 0.2]}, \"position\": [0, 0, 0.1009]}]}",
            integrators[k]);
        advance(&w, 2.0);
        double speed = carom_state_velocity(w.s.model, w.s.state, sim_body(&w.s, "block")).x;
        double way = sim_position(&w.s, "block").x;
        table_head(integrators[k]);
        table_row("block on a belt of 1 m/s [m/s]", speed, 1.0);
        table_row("its way in 2 s [m]", way, 2.0 - 1.0 / (2.0 * 0.5 * 9.81));
        CHECK_NEAR(speed, 1.0, 1e-6);
        CHECK_NEAR(way, 2.0 - 1.0 / (2.0 * 0.5 * 9.81), 0.006); /* half a step */
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(barrier, slope_holds),
        RUN_TEST(barrier, slope_slides),
        RUN_TEST(barrier, a_sliding_ball_begins_to_roll),
        RUN_TEST(barrier, a_block_rides_on_a_belt),
        RUN_TEST(barrier, a_cube_slides_over_triangles),
        RUN_TEST(barrier, a_sled_slides_on_rails_in_pieces),
        RUN_TEST(barrier, friction_takes_mu_n_times_the_way),
        RUN_TEST(barrier, forces_of_a_stack_at_rest_are_its_weight),
        RUN_TEST(barrier, sticking_friction_is_the_pull),
        RUN_TEST(barrier, balls_bounce_with_their_restitution),
        RUN_TEST(barrier, pendulum_keeps_its_energy_with_bdf2),
        RUN_TEST(barrier, a_thousand_times_heavier_rests_on_a_light_one),
        RUN_TEST(barrier, a_fast_cube_does_not_pass_a_thin_plate),
        RUN_TEST(barrier, a_start_with_an_overlap_is_refused),
        RUN_TEST(barrier, a_blocked_motion_is_named),
        RUN_TEST(barrier, a_force_that_is_no_number_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
