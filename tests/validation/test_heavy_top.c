/* The heavy top of [Bruels2012]: order of the integrators in positions, velocities and multipliers.
 * A disc of 15 kg spins at 150 rad/s on an arm of 1 m about a fixed point; gravity along -z. */
#include "support/scene_file.h"
#include "support/sim.h"

#include "model/state.h"

static const char scene[] = "heavy_top.json";

typedef struct top_error {
    double position;   /* centre [m] and orientation            */
    double velocity;   /* centre [m/s] and angular [rad/s]      */
    double multiplier; /* [N]                                   */
} top_error;

typedef struct top_result {
    body_pose pose;
    body_rate rate;
    double sigma[3];
} top_result;

static top_result run_top(const char *integrator, const char *setting, double end)
{
    char kind[64];
    char value[64];
    snprintf(kind, sizeof kind, "time.integrator=\"%s\"", integrator);
    snprintf(value, sizeof value, "time.%s", setting);
    const char *overrides[] = { kind, value, NULL };
    sim s = sim_parse(scene_text(scene), overrides);
    sim_advance(&s, end);
    top_result r = { .pose = s.state->pose[1], .rate = s.state->rate[1] };
    memcpy(r.sigma, s.state->sigma, sizeof r.sigma);
    sim_end(&s);
    return r;
}

static top_error difference(const top_result *a, const top_result *b)
{
    v3 turned = so3_log(q_mul(a->pose.q_wb, q_conj(b->pose.q_wb)));
    v3 s = v3_sub(v3_load(a->sigma), v3_load(b->sigma));
    return (top_error){
        fmax(v3_norm(v3_sub(a->pose.x_w, b->pose.x_w)), v3_norm(turned)),
        fmax(v3_norm(v3_sub(a->rate.v_w, b->rate.v_w)), v3_norm(v3_sub(a->rate.omega_w, b->rate.omega_w))),
        v3_norm(s),
    };
}

typedef struct order_study {
    const char *integrator;
    double step; /* [s] the longest, halved thrice */
    double end;  /* [s]                            */
    top_error last_order;
} order_study;

static void study(order_study *o)
{
    top_result reference = run_top("runge-kutta", "tolerance=1e-13", o->end);
    const double unknown = (double)NAN;
    top_error before = { unknown, unknown, unknown };
    printf("\nheavy top, %s to t = %g s\n  %12s %12s %7s %12s %7s %12s %7s\n", o->integrator, o->end, "step [s]",
           "position", "order", "velocity", "order", "multiplier", "order");
    for (int k = 0; k < 4; ++k) {
        char setting[64];
        double h = ldexp(o->step, -k);
        snprintf(setting, sizeof setting, "step=%.17g", h);
        top_result r = run_top(o->integrator, setting, o->end);
        top_error e = difference(&r, &reference);
        o->last_order = (top_error){ log2(before.position / e.position), log2(before.velocity / e.velocity),
                                     log2(before.multiplier / e.multiplier) };
        printf("  %12.4e %12.4e %7.3f %12.4e %7.3f %12.4e %7.3f\n", h, e.position, o->last_order.position, e.velocity,
               o->last_order.velocity, e.multiplier, o->last_order.multiplier);
        before = e;
    }
}

TEST(heavy_top, generalized_alpha_has_order_two)
{
    order_study o = { .integrator = "generalized-alpha", .step = 5e-4, .end = 1.0 };
    study(&o);
    CHECK_NEAR(o.last_order.position, 2.05, 0.15);
    CHECK_NEAR(o.last_order.velocity, 2.05, 0.15);
    CHECK_NEAR(o.last_order.multiplier, 2.0, 0.3);
}

TEST(heavy_top, semi_implicit_euler_has_order_one)
{
    order_study o = { .integrator = "semi-implicit-euler", .step = 1e-4, .end = 0.5 };
    study(&o);
    CHECK_NEAR(o.last_order.position, 1.0, 0.15);
    CHECK_NEAR(o.last_order.velocity, 1.0, 0.15);
}

TEST(heavy_top, runge_kutta_has_order_five)
{
    order_study o = { .integrator = "runge-kutta", .step = 4e-3, .end = 0.5 };
    study(&o);
    CHECK_NEAR(o.last_order.position, 5.0, 0.4);
    CHECK_NEAR(o.last_order.velocity, 5.0, 0.4);
    CHECK_NEAR(o.last_order.multiplier, 5.0, 0.4);
}

/* A tolerance 100 times smaller leaves an error at least 20 times smaller: error control works. */
TEST(heavy_top, runge_kutta_error_follows_the_tolerance)
{
    top_result reference = run_top("runge-kutta", "tolerance=1e-13", 1.0);
    double before = HUGE_VAL;
    printf("\nheavy top, runge-kutta with error control\n  %12s %12s %12s\n", "tolerance", "position", "velocity");
    for (int k = 4; k <= 10; k += 2) {
        char setting[64];
        snprintf(setting, sizeof setting, "tolerance=1e-%d", k);
        top_result r = run_top("runge-kutta", setting, 1.0);
        top_error e = difference(&r, &reference);
        printf("  %12.0e %12.4e %12.4e\n", pow(10.0, -k), e.position, e.velocity);
        CHECK_LE(e.position, before / 20.0);
        CHECK_LE(e.position, 1e4 * pow(10.0, -k)); /* local errors add up over some thousand steps */
        before = e.position;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(heavy_top, generalized_alpha_has_order_two),
        RUN_TEST(heavy_top, semi_implicit_euler_has_order_one),
        RUN_TEST(heavy_top, runge_kutta_has_order_five),
        RUN_TEST(heavy_top, runge_kutta_error_follows_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
