/* What is integrated along with the motion: states of the scene and the integral of a pid motor, under every integrator and method, against
 * closed forms. */
#include "rig.h"
#include "support/integrators.h"
#include "support/scene_file.h"

static const rig_time AS_GIVEN = { 0 };

enum { UNKNOWNS = 6 }; /* travel, its rate, integral of the motor, filtered, sum, 1 */

/* The scene integrals/pid.json as x' = A x. */
static const double CART[UNKNOWNS][UNKNOWNS] = {
    { 0, 1, 0, 0, 0, 0 },  { -20, -4, 0.5, 0, 0, 7.5 }, { -30, 0, 0, 0, 0, 15 },
    { 5, 0, 0, -5, 0, 0 }, { -1, 0, 0, 0, 0, 0.5 },     { 0, 0, 0, 0, 0, 0 },
};

/* exp(A t) x by Taylor's series over short pieces, exact to rounding. */
static void cart_at(double t, double x[UNKNOWNS])
{
    enum { PIECES = 600, TERMS = 14 };
    const double h = t / PIECES;
    for (int piece = 0; piece < PIECES; ++piece) {
        double term[UNKNOWNS];
        memcpy(term, x, sizeof term);
        for (int k = 1; k < TERMS; ++k) {
            double next[UNKNOWNS] = { 0 };
            for (int i = 0; i < UNKNOWNS * UNKNOWNS; ++i) {
                next[i / UNKNOWNS] += h / k * CART[i / UNKNOWNS][i % UNKNOWNS] * term[i % UNKNOWNS];
            }
            memcpy(term, next, sizeof term);
            for (int i = 0; i < UNKNOWNS; ++i) {
                x[i] += term[i];
            }
        }
    }
}

/* The largest error of all that is integrated, after t; the integral of the motor counts as its force does, a fortieth. */
static double error_at(const char *scene, rig_time time, double t)
{
    static const char *const signals[] = { "slide.travel", "slide.travel.rate", "drive.integral", "state.filtered",
                                           "state.sum" };
    double exact[UNKNOWNS] = { 0, 0, 0, 0, 0.25, 1 };
    double worst = 0.0;
    cart_at(t, exact);
    rig r = rig_start(scene, time);
    rig_run(&r, t);
    for (int k = 0; k < 5; ++k) {
        double off = fabs(rig_signal(&r, signals[k]) - exact[k]);
        worst = fmax(worst, k == 2 ? off / 40.0 : off);
    }
    CHECK_NEAR(rig_signal(&r, "state.clock"), 2.0 * t, 1e-12);
    rig_close(&r);
    printf("  off by %.2g\n", worst);
    return worst;
}

static double error_by(const char *integrator, rig_time time, double t)
{
    char name[80];
    snprintf(name, sizeof name, "\"%s\"", integrator);
    time.integrator = name;
    printf("  %s", integrator);
    return error_at(scene_text("integrals/pid.json"), time, t);
}

TEST(integrals, follow_the_closed_form)
{
    CHECK_LE(error_by("runge-kutta", (rig_time){ .tolerance = 1e-9 }, 3.0), 1e-9);
    CHECK_LE(error_by("radau", (rig_time){ .tolerance = 1e-9 }, 3.0), 1e-9);
    CHECK_LE(error_by("generalized-alpha", (rig_time){ .tolerance = 1e-8 }, 3.0), 1e-6);
    CHECK_LE(error_by("semi-implicit-euler", (rig_time){ .step = 1e-4 }, 3.0), 1e-3);
    if (integrator_find("cvode")) {
        CHECK_LE(error_by("cvode", (rig_time){ .tolerance = 1e-8 }, 3.0), 1e-7);
        CHECK_LE(error_by("ida", (rig_time){ .tolerance = 1e-8 }, 3.0), 1e-7);
    }
}

/* Halving a fixed step divides the error by 2^order. */
TEST(integrals, keep_the_order_of_the_integrator)
{
    static const struct {
        const char *name;
        double step;
        int order;
    } cases[] = { { "semi-implicit-euler", 2e-3, 1 },
                  { "generalized-alpha", 2e-2, 2 },
                  { "radau", 0.1, 5 },
                  { "runge-kutta", 0.1, 5 } };
    for (int k = 0; k < 4; ++k) {
        double coarse = error_by(cases[k].name, (rig_time){ .step = cases[k].step }, 2.0);
        double fine = error_by(cases[k].name, (rig_time){ .step = 0.5 * cases[k].step }, 2.0);
        CHECK_LE(cases[k].order - 0.5, log2(coarse / fine));
    }
}

static const char *scene_with_method(const char *contact, char *buffer, size_t size)
{
    const char *scene = scene_text("integrals/pid.json");
    snprintf(buffer, size, "{\"contact\": %s, %s", contact, strchr(scene, '{') + 1);
    return buffer;
}

TEST(integrals, go_with_contact_methods)
{
    static const struct {
        const char *contact;
        double step;
        double order; /* 0: exact */
    } cases[] = { { "{\"method\": \"impact\"}", 0.0, 0.0 },
                  { "{\"method\": \"compliant\"}", 1e-2, 2.0 },
                  { "{\"method\": \"impact\", \"stepping\": \"fixed\"}", 2e-3, 1.0 },
                  { "{\"method\": \"barrier\"}", 2e-3, 1.0 } };
    char buffer[4000];
    for (int k = 0; k < 4; ++k) {
        const char *scene = scene_with_method(cases[k].contact, buffer, sizeof buffer);
        printf("  %s", cases[k].contact);
        double coarse = error_at(scene, (rig_time){ .step = cases[k].step }, 2.0);
        double fine = cases[k].order > 0.0 ? error_at(scene, (rig_time){ .step = 0.5 * cases[k].step }, 2.0) : coarse;
        CHECK_LE(cases[k].order > 0.0 ? cases[k].order - 0.2 : 0.0, log2(coarse / fine));
        CHECK_LE(fine, cases[k].order > 0.0 ? 5e-3 : 1e-7);
    }
}

/* A file in millimetres and milliseconds says the same. */
TEST(integrals, have_units)
{
    CHECK_LE(error_at(scene_text("integrals/pid_millimetres.json"),
                      (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-9 }, 3.0),
             1e-9);
}

#define HELD(states, forces)                                                                                                  \
    "{\"carom\": 1, \"time\": {\"end\": 10}, \"bodies\": [{\"name\": \"cart\", \"mass\": 1e9, \"inertia\": [1, 1, 1]}],"      \
    " \"joints\": [{\"name\": \"slide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"cart\"], \"axis\": [1, 0, 0]}]," \
    " \"states\": " states ", \"forces\": [" forces "]}"

/* A cart that cannot move: with the error e = 2, u = P e + I and I' = K e - (u - limit)/T once u is beyond the limit of 10, so that
 * I goes to limit - P e + K e T exponentially. Without a limit it would wind up to K e t = 60. */
TEST(integrals, do_not_wind_up)
{
    static const double times[] = { 0.0, 0.25 }; /* not given: P / K = 0.5 */
    for (int k = 0; k < 2; ++k) {
        char scene[900];
        const double T = times[k] > 0.0 ? times[k] : 0.5;
        const double rest = 10.0 - 6.0 + 12.0 * T;
        snprintf(
            scene, sizeof scene,
            HELD("{}",
                 "{\"name\": \"drive\", \"type\": \"motor\", \"joint\": \"slide\", \"mode\": \"pid\", \"target\": 2,"
                 " \"gain\": 3, \"integral\": 6, \"limit\": 10, \"anti_windup\": %g}"),
            times[k]);
        rig r = rig_start(scene, (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-10 });
        const double reached = 4.0 / 12.0; /* [s] when u = 10 */
        for (int at = 1; at <= 5; ++at) {
            rig_run(&r, at);
            CHECK_NEAR(rig_signal(&r, "drive.integral"), rest + (4.0 - rest) * exp(-(at - reached) / T), 1e-6);
            CHECK_NEAR(rig_signal(&r, "drive.force"), 10.0, 0.0);
        }
        rig_close(&r);
    }
}

/* Rates far beyond the step neither shorten steps that are fixed nor grow: z' = (2 - z)/1e-6. */
TEST(integrals, may_be_stiff)
{
    static const char *const times[] = { "\"integrator\": \"generalized-alpha\", \"step\": 1e-2",
                                         "\"integrator\": \"radau\", \"step\": 1e-2", "\"step\": 1e-2",
                                         "\"step\": 1e-2" };
    static const char *const contacts[] = { "{\"method\": \"none\"}", "{\"method\": \"none\"}",
                                            "{\"method\": \"barrier\"}",
                                            "{\"method\": \"impact\", \"stepping\": \"fixed\"}" };
    for (int k = 0; k < 4; ++k) {
        char scene[900];
        snprintf(scene, sizeof scene,
                 "{\"carom\": 1, \"time\": {\"end\": 2, %s}, \"contact\": %s,"
                 " \"bodies\": [{\"name\": \"cart\", \"mass\": 1, \"inertia\": [1, 1, 1]}],"
                 " \"states\": {\"fast\": {\"rate\": \"(2 - state.fast)/1e-6\"}}}",
                 times[k], contacts[k]);
        rig r = rig_start(scene, AS_GIVEN);
        long steps = 0;
        while (carom_state_time(r.state) < 2.0 && steps < 1000) {
            rig_step(&r, 2.0 - carom_state_time(r.state));
            steps++;
        }
        CHECK_LE((double)steps, 210.0);
        CHECK_NEAR(rig_signal(&r, "state.fast"), 2.0,
                   1e-5); /* generalised-alpha: 0.9 of the error stays in each step */
        rig_close(&r);
    }
}

/* States of states: sine and cosine turn into each other, and errors stay within the tolerance of their size. */
TEST(integrals, depend_on_each_other)
{
    static const char *const integrators[] = { "\"runge-kutta\"", "\"generalized-alpha\"", "\"radau\"" };
    for (int k = 0; k < 3; ++k) {
        rig r = rig_start(HELD("{\"s\": {\"rate\": \"3*state.c\"}, \"c\": {\"rate\": \"-3*state.s\", \"start\": 1}}",
                               ""),
                          (rig_time){ .integrator = integrators[k], .tolerance = 1e-8 });
        rig_run(&r, 5.0);
        printf("  %s off by %.2g\n", integrators[k], rig_signal(&r, "state.s") - sin(15.0));
        CHECK_NEAR(rig_signal(&r, "state.s"), sin(15.0), 5e-5);
        CHECK_NEAR(rig_signal(&r, "state.c"), cos(15.0), 5e-5);
        rig_close(&r);
    }
}

/* They are part of copies and hashes, and can be set. */
TEST(integrals, are_part_of_the_state)
{
    rig a = rig_start(scene_text("integrals/pid.json"), AS_GIVEN);
    rig b = rig_start(scene_text("integrals/pid.json"), AS_GIVEN);
    CHECK_OK(carom_set_signal(b.model, b.state, b.scratch, "state.sum", 7.0, &b.err), b.err);
    CHECK(carom_state_hash(a.state) != carom_state_hash(b.state));
    CHECK_NEAR(rig_signal(&b, "state.sum"), 7.0, 0.0);
    CHECK_EQ(carom_state_copy(a.state, b.state), CAROM_OK);
    rig_run(&a, 0.5);
    rig_run(&b, 0.5);
    CHECK(carom_state_hash(a.state) == carom_state_hash(b.state));
    CHECK_OK(carom_set_signal(b.model, b.state, b.scratch, "drive.integral", 0.0, &b.err), b.err);
    CHECK_NEAR(rig_signal(&b, "drive.integral"), 0.0, 0.0);
    rig_run(&b, 1.0);
    rig_close(&a);
    rig_close(&b);
}

TEST(integrals, are_refused_with_a_sentence)
{
    rig_refused(HELD("{\"z\": {\"rate\": \"state.zz\"}}", ""), "there is no state 'zz'; there are: z");
    rig_refused(HELD("{}",
                     "{\"name\": \"l\", \"type\": \"load\", \"body\": \"cart\", \"force\": [\"state.z\", 0, 0]}"),
                "the scene has no \"states\"");
    rig_refused(HELD("{\"z\": {\"rate\": \"cart.acceleration.x\"}}", ""),
                "the rate of the state 'z' cannot depend on");
    rig_refused(HELD("{\"z\": {\"rate\": 1, \"unit\": \"furlong\"}}", ""), "'furlong' is no unit of a state");
    rig_refused(HELD("{\"z\": {}}", ""), "rate");
    rig_refused(HELD("{\"a b\": {\"rate\": 1}}", ""), "'a b' cannot be the name of an integrated state");
    rig_refused("{\"carom\": 1, \"states\": {\"z\": {\"rate\": 1}},"
                " \"bodies\": [{\"name\": \"state\", \"mass\": 1, \"inertia\": [1, 1, 1]}]}",
                "'state.z' would have two meanings");
    rig_refused(HELD("{}", "{\"name\": \"d\", \"type\": \"motor\", \"joint\": \"slide\", \"mode\": \"position\","
                           " \"gain\": 1, \"target\": 0, \"integral\": 1}"),
                "a motor in position mode has no integral; take \"mode\": \"pid\"");
}

/* What has no value is named. */
TEST(integrals, name_what_is_not_finite)
{
    rig r = rig_open(HELD("{\"z\": {\"rate\": \"1/(slide.travel*0)\"}}", ""), AS_GIVEN);
    carom_status status = carom_assemble(r.model, r.state, r.scratch, NULL, &r.err);
    status = status == CAROM_OK ? carom_step(r.model, r.state, r.scratch, 0.1, NULL, &r.err) : status;
    CHECK(status != CAROM_OK);
    CHECK(strstr(r.err.message, "'z'") != NULL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(integrals, follow_the_closed_form),
        RUN_TEST(integrals, keep_the_order_of_the_integrator),
        RUN_TEST(integrals, go_with_contact_methods),
        RUN_TEST(integrals, have_units),
        RUN_TEST(integrals, do_not_wind_up),
        RUN_TEST(integrals, may_be_stiff),
        RUN_TEST(integrals, depend_on_each_other),
        RUN_TEST(integrals, are_part_of_the_state),
        RUN_TEST(integrals, are_refused_with_a_sentence),
        RUN_TEST(integrals, name_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
