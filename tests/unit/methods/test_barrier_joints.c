/* Method "barrier", stops.c and joints.c: limits of joints as barriers and how they bounce, joints that stay closed. */
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/mechanism.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/system.h"
#include "support/barrier_bench.h"

/* ---- stops as barriers ------------------------------------------------------------------------------------------------------ */

/* Two bodies on a slider or a hinge that starts 0.4 of the stop's range away from its limit. */
static bench at_limit(const char *type, const char *limits)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": 0.001}, \"bodies\": [{\"name\": \"a\", \"density\": 1000, \"shape\": {\"box\": [0.1, 0.2, "
        "0.3]}, \"position\": [0.1, 0.2, 0.3]}, {\"name\": \"b\", \"density\": 2000, \"shape\": {\"box\": [0.2, 0.1, 0.3]}, "
        "\"position\": [0.6, 0.3, 0.2]}], \"joints\": [{\"name\": \"j\", \"type\": \"%s\", \"bodies\": [\"a\", \"b\"], "
        "\"at\": [0.3, 0.25, 0.2], \"axis\": [0, 0.6, 0.8], \"limits\": {%s}}]}",
        type, limits);
    bench b = bench_begin(s);
    b.isle.mechanism = true;
    return b;
}

static double stored(bench *b)
{
    joints_place(b->w, &b->isle);
    double sum = stops_evaluate(b->w, &b->isle);
    CHECK(isfinite(sum));
    return sum;
}

static void terms(bench *b)
{
    stored(b);
    stops_add(b->w, &b->isle);
}

TEST(stops, gradient_is_that_of_the_energy)
{
    static const struct {
        const char *type, *limits;
    } cases[] = { { "revolute", "\"min\": -4e-5, \"max\": 1" },
                  { "revolute", "\"min\": -1, \"max\": 4e-5" },
                  { "prismatic", "\"min\": -4e-5, \"max\": 1" },
                  { "prismatic", "\"min\": -1, \"max\": 4e-5" } };
    for (int k = 0; k < 4; ++k) {
        bench b = at_limit(cases[k].type, cases[k].limits);
        CHECK_EQ(b.w->stop_count, 2);
        CHECK_NEAR(b.w->stops[k % 2].range, 1e-4, 1e-12);
        CHECK(stored(&b) > 0.0);
        CHECK_NEAR(b.w->stops[k % 2].gap, 4e-5, 1e-12);
        double error = bench_gradient_error(&b, stored, terms, 0.3, 2e-7);
        double hessian = bench_hessian_error(&b, terms, 0.3, 2e-7);
        printf("%s: gradient off by %.2e, Hessian by %.2e\n", cases[k].type, error, hessian);
        CHECK_LE(error, 1e-6);
        CHECK_LE(hessian, 1e-3); /* rows turn with their bodies: of the order of the range over the arm */
        bench_end(&b);
    }
}

/* ---- curvature of joints ---------------------------------------------------------------------------------------------------- */

/* Forces lambda along the rows of the joint: the gradient of lambda . C. */
static void pull(bench *b)
{
    terms(b);
    const model_joint *joint = &b->w->model->joints[0];
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(b->w, &b->isle, joint->body[side]);
        for (int r = 0; r < joint->type->equation_count; ++r) {
            const carom_joint_rows *rows = &b->w->scratch->rows[0];
            for (int k = 0; k < COLUMNS; ++k) {
                g[k] += b->w->lambda[r] * (side == 0 ? rows->a[r] : rows->b[r])[k];
            }
        }
    }
    joints_add_curvature(b->w, &b->isle);
}

/* All of the second derivatives of lambda . C and of stops; what is positive of them can be factored. */
TEST(curvature, of_joints_is_that_of_their_rows)
{
    static const struct {
        const char *type, *limits;
    } cases[] = { { "revolute", "\"min\": -1, \"max\": 1" },
                  { "prismatic", "\"min\": -1, \"max\": 1" },
                  { "revolute", "\"min\": -4e-5, \"max\": 1" },
                  { "prismatic", "\"min\": -4e-5, \"max\": 1" } };
    for (int k = 0; k < 4; ++k) {
        bench b = at_limit(cases[k].type, cases[k].limits);
        for (int r = 0; r < b.w->model->row_count; ++r) {
            b.w->lambda[r] = 100.0 * (r + 1) * (r % 2 == 0 ? 1.0 : -1.0);
        }
        b.isle.curvature = CURVATURE_WHOLE;
        double error = bench_hessian_error(&b, pull, 0.3, k < 2 ? 1e-4 : 2e-7);
        printf("%s: Hessian off by %.2e\n", cases[k].type, error);
        CHECK_LE(error, 1e-6);
        b.isle.curvature = CURVATURE_POSITIVE;
        bench_blank_system(&b);
        pull(&b);
        CHECK(block_system_factor(b.isle.system, 1e-6));
        bench_end(&b);
    }
}

/* ---- what the scratch knows ------------------------------------------------------------------------------------------------- */

/* Residuals are those of where bodies are, asked for once or again, after forces or before, and the same bits as of a scratch that knows
 * nothing. */
TEST(mechanism, is_where_its_bodies_are)
{
    test_rng r = test_rng_seed(5);
    bench b = at_limit("revolute", "\"min\": -1, \"max\": 1");
    size_t size = (size_t)b.w->model->row_count * sizeof(double);
    for (int n = 0; n < 40; ++n) {
        double d[BENCH_UNKNOWNS] = { 0.0 }, known[JOINT_ROWS];
        for (int k = 0; n % 4 > 0 && k < COLUMNS * b.isle.body_count; ++k) { /* every fourth time where they were */
            d[k] = 1e-3 * test_rng_uniform(&r, -1.0, 1.0);
        }
        if (n % 4 > 0) {
            bench_displace(&b, d);
        }
        if (n % 3 == 0) {
            mechanism_move(b.w, &b.isle);
        }
        mechanism_position(b.w, &b.isle);
        memcpy(known, b.w->scratch->C, size);
        memset(b.w->scratch->C, 0, size);
        mechanism_position(b.w, &b.isle);
        CHECK_EQ(b.w->scratch->C[0], 0.0); /* nothing has moved: nothing is evaluated */
        mechanism_forget(b.w);
        mechanism_position(b.w, &b.isle);
        CHECK(memcmp(known, b.w->scratch->C, size) == 0);
    }
    bench_end(&b);
}

/* The part of a motion that leaves every stop half of its gap, or a part of its range. */
TEST(stops, keep_half_of_their_gap)
{
    bench b = at_limit("prismatic", "\"min\": -4e-5, \"max\": 1");
    v3 axis = v3_make(0, 0.6, 0.8);
    stored(&b);
    bench_body(&b, 1)->d = (twist){ v3_scale(-1e-3, axis), v3_zero() };
    CHECK_NEAR(stops_free_part(b.w, &b.isle), 0.5 * 4e-5 / 1e-3, 1e-9);
    bench_body(&b, 1)->d = (twist){ v3_scale(1e-3, axis), v3_zero() };
    CHECK_NEAR(stops_free_part(b.w, &b.isle), 1.0, 0.0);
    bench_body(&b, 1)->d = (twist){ v3_scale(10.0, axis), v3_zero() }; /* to the other end */
    CHECK_NEAR(stops_free_part(b.w, &b.isle), (1.0 - 0.3e-4) / 10.0, 1e-9);
    bench_end(&b);
}

/* ---- friction in joints ----------------------------------------------------------------------------------------------------- */

static double rubbing(bench *b)
{
    return joint_friction_value(b->w, &b->isle);
}

static void rub_terms(bench *b)
{
    joint_friction_add(b->w, &b->isle);
}

/* Bodies have gone some way in the step, which slips by more than the stick speed or by less; loads are what the multipliers say. The
 * gradient is exact, the Hessian as far as directions stay. */
TEST(joint_friction, gradient_is_that_of_the_energy)
{
    static const char *const types[] = { "revolute", "prismatic", "cylindrical", "spherical" };
    static const double ways[] = { 1e-2, 4e-4 };
    for (int k = 0; k < 8; ++k) {
        double way = ways[k / 4];
        sim s = bench_parse(
            "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
            "{\"method\": \"barrier\", \"stick_speed\": 0.05}, \"bodies\": [{\"name\": \"a\", \"density\": 1000, "
            "\"shape\": {\"box\": [0.1, 0.2, 0.3]}, \"position\": [0.1, 0.2, 0.3]}, {\"name\": \"b\", \"density\": 2000, "
            "\"shape\": {\"box\": [0.2, 0.1, 0.3]}, \"position\": [0.6, 0.3, 0.2]}], \"joints\": [{\"name\": \"j\", "
            "\"type\": \"%s\", \"bodies\": [\"a\", \"b\"], \"at\": [0.3, 0.25, 0.2], \"axis\": [0, 0.6, 0.8], "
            "\"friction\": {\"coefficient\": 0.3, \"radius\": 0.3}}]}",
            types[k % 4]);
        bench b = bench_begin(s);
        bool settled = true;
        b.isle.mechanism = true;
        for (int i = 0; i < b.isle.body_count; ++i) {
            v3 turn = v3_scale(way, v3_make(0.7 - i, 1.0 + i, 0.4 - 2.0 * i));
            b.home[i].x_w = v3_add(b.home[i].x_w, v3_scale(way, v3_make(0.3, 1.0 - 2.0 * i, 0.5)));
            b.home[i].q_wb = q_unit(q_mul(so3_exp(turn), b.home[i].q_wb));
        }
        for (int row = 0; row < s.model->row_count; ++row) {
            b.w->lambda[row] = 10.0 + 3.0 * row;
        }
        bench_go_home(&b);
        joint_friction_renew(b.w, &b.isle, 0, 1e-6, &settled);
        joint_friction_take_over(b.w, &b.isle);
        CHECK(!settled); /* there was none before */
        CHECK(rubbing(&b) > 0.0);
        double error = bench_gradient_error(&b, rubbing, rub_terms, 0.3, 1e-6);
        double hessian = k < 4 ? 0.0
                               : bench_hessian_error(&b, rub_terms, 0.3, 1e-6); /* sliding along one row has none */
        printf("%s, way %g m: gradient off by %.2e, Hessian by %.2e\n", types[k % 4], way, error, hessian);
        CHECK_LE(error, 1e-6);
        CHECK_LE(hessian, 1e-2);
        settled = true;
        joint_friction_renew(b.w, &b.isle, 1, 1e-6, &settled);
        joint_friction_take_over(b.w, &b.isle);
        CHECK(settled);
        bench_end(&b);
    }
}

/* ---- how stops bounce ------------------------------------------------------------------------------------------------------- */

/* A slider on the ground with a limit at x = 0.1, thrown at it. */
static sim slider(double speed, double restitution, double step)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.17g}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": 0.001}, \"bodies\": [{\"name\": \"sled\", \"mass\": 3, \"shape\": "
        "{\"box\": [0.1, 0.1, 0.1]}, \"velocity\": [%.17g, 0, 0]}], \"joints\": [{\"name\": \"rail\", "
        "\"type\": \"prismatic\", \"bodies\": [\"ground\", \"sled\"], \"axis\": [1, 0, 0], \"limits\": "
        "{\"min\": -1000, \"max\": 0.1, \"restitution\": %.17g}}]}",
        step, speed, restitution);
}

/* It never passes, and leaves with e times the speed, also where one step would carry it a metre. */
TEST(bounce, of_a_stop_by_its_restitution)
{
    static const double speeds[] = { 0.5, 3.0, 100.0 };
    static const double es[] = { 0.0, 0.4, 1.0 };
    for (int k = 0; k < 9; ++k) {
        double speed = speeds[k % 3];
        double e = es[k / 3];
        sim s = slider(speed, e, 0.01);
        double most = 0.0;
        bool remembered = false;
        for (int n = 0; n < 60; ++n) {
            sim_step(&s, 10.0);
            most = fmax(most, sim_position(&s, "sled").x);
            remembered = remembered || s.state->contacts.count > 0;
        }
        double after = -s.state->rate[1].v_w.x;
        printf("stop at %5.1f m/s, e = %.1f: leaves with %.6f of it, %.3e m before the limit\n", speed, e,
               after / speed, 0.1 - most);
        CHECK(most < 0.1);
        CHECK(remembered);
        if (e > 0.0) {
            CHECK_NEAR(after, e * speed, 2e-3 * speed);
        } else {
            CHECK_LE(after, 0.05 * speed);
        }
        carom_ledger l = sim_ledger(&s);
        double first = 1.5 * speed * speed;
        CHECK_NEAR(l.kinetic + l.elastic + l.lost_impact + l.lost_numerics, first, 1e-9 * first);
        CHECK_LE(l.kinetic + l.elastic, first * (1.0 + 1e-9));
        CHECK_NEAR(l.lost_impact, (1.0 - e * e) * first, 0.02 * first);
        CHECK_NEAR(l.residue, 0.0, 1e-9 * first);
        sim_end(&s);
    }
}

/* What a state remembers of a stop is enough: one that is copied in the middle of the impact goes on with the same bits. */
TEST(bounce, survives_a_copy_of_the_state)
{
    sim s = slider(0.5, 0.7, 0.002);
    for (int n = 0; n < 400; ++n) {
        carom_error err = { 0 };
        sim other = { .model = s.model, .state = carom_state_create(s.model) };
        CHECK(carom_state_copy(other.state, s.state) == CAROM_OK);
        CHECK_OK(carom_scratch_create(s.model, 1, &other.scratch, &err), err);
        sim_step(&s, 10.0);
        sim_step(&other, 10.0);
        CHECK(memcmp(s.state->data, other.state->data, s.state->size * sizeof(double)) == 0);
        other.model = NULL;
        sim_end(&other);
    }
    CHECK_NEAR(s.state->rate[1].v_w.x, -0.35, 1e-3);
    sim_end(&s);
}

/* ---- impacts on joined bodies ------------------------------------------------------------------------------------------------ */

/* A ball strikes the end of a bar on a hinge: what is given back goes through the hinge. */
TEST(bounce, of_a_ball_on_a_hinged_bar)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.002}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": 0.0001, \"restitution\": 0.8, \"tolerance\": 1e-9}, \"bodies\": [{\"name\": \"bar\", "
        "\"mass\": 2, \"shape\": {\"box\": [1, 0.1, 0.1]}, \"position\": [0.5, 0, 0]}, {\"name\": \"ball\", \"mass\": 1, "
        "\"shape\": {\"sphere\": 0.05}, \"position\": [0.9, 0.12, 0], \"velocity\": [0, -3, 0]}], \"joints\": [{\"name\": "
        "\"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"bar\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}]}");
    for (int n = 0; n < 15; ++n) {
        sim_step(&s, 10.0);
    }
    double spin = s.state->rate[1].omega_w.z;
    double apart = s.state->rate[2].v_w.y - 0.9 * spin;
    double inertia = 2.0 * (1.0 + 0.01) / 12.0 + 2.0 * 0.25; /* about the hinge */
    CHECK_NEAR(apart, 0.8 * 3.0, 0.02 * 3.0);
    CHECK_NEAR(inertia * spin + 0.9 * s.state->rate[2].v_w.y, -0.9 * 3.0, 0.02 * 2.7);
    CHECK_LE(v3_norm(v3_sub(s.state->rate[1].v_w, v3_cross(s.state->rate[1].omega_w, s.state->pose[1].x_w))), 1e-9);
    carom_ledger l = sim_ledger(&s);
    CHECK_LE(ledger_energy(&l), 4.5);
    sim_end(&s);
}

/* ---- joints stay closed ----------------------------------------------------------------------------------------------------- */

/* The largest residual of all rows over 1 s. */
static double open_in(sim *s, double until)
{
    double worst = 0.0;
    while (sim_before(s, until)) {
        sim_step(s, 10.0);
        work_place(s->scratch, sim_time(s), state_motion(s->state));
        work_constraints(s->scratch);
        worst = fmax(worst, work_position_error(s->scratch, NULL));
    }
    return worst;
}

#define HEAD                                                                                                       \
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 10, \"step\": 0.01, \"integrator\": \"%s\"}, " \
    "\"contact\": {\"method\": \"barrier\"}, "

#define BAR(name, x, y, angle)                                                                                      \
    "{\"name\": \"" name "\", \"density\": 1000, \"shape\": {\"box\": [0.9, 0.02, 0.02]}, \"position\": [" x ", " y \
    ", 0], \"orientation\": {\"axis\": [0, 0, 1], \"angle\": " angle "}}"

#define PIN(name, one, two, x, y)                                                                                 \
    "{\"name\": \"" name "\", \"type\": \"revolute\", \"bodies\": [\"" one "\", \"" two "\"], \"at\": [" x ", " y \
    ", 0], \"axis\": [0, 0, 1]}"

static const char *const INTEGRATORS[] = { "implicit-euler", "bdf2" };

/* Four pins with parallel axes: three rows too many. */
TEST(joints, redundant_loop_stays_closed)
{
    for (int k = 0; k < 2; ++k) {
        sim s = bench_parse(
            HEAD "\"bodies\": [" BAR("left", "0", "0.5", "\"pi/2\"") ", " BAR("top", "0.5", "1", "0") ", " BAR(
                "right", "1", "0.5",
                "\"pi/2\"") "], \"joints\": [" PIN("p0", "ground", "left", "0",
                                                   "0") ", " PIN("p1", "left", "top", "0",
                                                                 "1") ", " PIN("p2", "top", "right", "1",
                                                                               "1") ", " PIN("p3", "right", "ground",
                                                                                             "1",
                                                                                             "0") "], \"forces\": [{\"name\": \"pull\", \"type\": \"load\", "
                                                                                                  "\"body\": \"top\", \"force\": [5, 0, 0]}]}",
            INTEGRATORS[k]);
        CHECK_LE(open_in(&s, 1.0), 1e-12);
        CHECK_GE(fabs(sim_position(&s, "top").x - 0.5), 0.05); /* it has moved */
        sim_end(&s);
    }
}

TEST(joints, driver_is_where_its_motion_says)
{
    for (int k = 0; k < 2; ++k) {
        sim s = bench_parse(
            HEAD "\"bodies\": [" BAR("crank", "0.5", "0", "0") ", " BAR(
                "rod", "1.5", "0",
                "0") "], "
                     "\"joints\": [{\"name\": \"motor\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"], "
                     "\"at\": [0, 0, 0], \"axis\": [0, 0, 1], \"motion\": {\"value\": \"3*t+t^2\"}}, " PIN("p1",
                                                                                                           "crank",
                                                                                                           "rod", "1",
                                                                                                           "0") "]}",
            INTEGRATORS[k]);
        CHECK_LE(open_in(&s, 0.5), 1e-12);
        double t = sim_time(&s);
        CHECK_NEAR(sim_signal(&s, "motor.angle"), 3.0 * t + t * t, 1e-12);
        CHECK_NEAR(sim_signal(&s, "motor.angle.rate"), 3.0 + 2.0 * t, 1e-9);
        sim_end(&s);
    }
}

TEST(joints, gear_keeps_its_ratio)
{
    for (int k = 0; k < 2; ++k) {
        sim s = bench_parse(
            HEAD "\"bodies\": [" BAR("one", "0.4", "0", "0") ", " BAR(
                "two", "3", "0",
                "0") "], "
                     "\"joints\": [" PIN("p0", "ground", "one", "0", "0") ", " PIN(
                         "p1", "ground", "two", "3",
                         "0") ", "
                              "{\"name\": \"gear\", \"type\": \"gear\", \"joint_1\": \"p0\", \"joint_2\": \"p1\", \"ratio\": "
                              "2}]}",
            INTEGRATORS[k]);
        CHECK_LE(open_in(&s, 0.5), 1e-12);
        double angle = sim_signal(&s, "p0.angle");
        CHECK_LE(angle, -0.3);
        CHECK_NEAR(2.0 * angle + sim_signal(&s, "p1.angle"), 0.0, 1e-12);
        CHECK_NEAR(2.0 * sim_signal(&s, "p0.angle.rate") + sim_signal(&s, "p1.angle.rate"), 0.0, 1e-9);
        sim_end(&s);
    }
}

/* A joint on a body that moves by a given motion. */
TEST(joints, follow_a_given_motion)
{
    sim s =
        bench_parse(HEAD
                    "\"bodies\": [{\"name\": \"cart\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"motion\": "
                    "{\"position\": [\"0.3*sin(5*t)\", 0, 0.5]}}, {\"name\": \"bob\", \"density\": 1000, \"shape\": "
                    "{\"sphere\": 0.05}, \"position\": [0, -1, 0]}], \"joints\": [" PIN("p", "cart", "bob", "0",
                                                                                        "0") "]}",
                    "implicit-euler");
    CHECK_LE(open_in(&s, 1.0), 1e-12);
    CHECK_GE(fabs(sim_position(&s, "bob").x - sim_position(&s, "cart").x), 0.01);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(stops, gradient_is_that_of_the_energy),
        RUN_TEST(curvature, of_joints_is_that_of_their_rows),
        RUN_TEST(mechanism, is_where_its_bodies_are),
        RUN_TEST(stops, keep_half_of_their_gap),
        RUN_TEST(joint_friction, gradient_is_that_of_the_energy),
        RUN_TEST(bounce, of_a_stop_by_its_restitution),
        RUN_TEST(bounce, survives_a_copy_of_the_state),
        RUN_TEST(bounce, of_a_ball_on_a_hinged_bar),
        RUN_TEST(joints, redundant_loop_stays_closed),
        RUN_TEST(joints, driver_is_where_its_motion_says),
        RUN_TEST(joints, gear_keeps_its_ratio),
        RUN_TEST(joints, follow_a_given_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
