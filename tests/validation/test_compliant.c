/* The compliant method against closed forms: two sliders (paper 1, 4.1), restitution of every law through the whole
 * method, the Hertz impact of a sphere, a box at rest, a block on a slope. */
#include "support/scene_file.h"
#include "support/sim.h"

#include <carom/elements.h>

/* ---- two sliders (paper 1, 4.1): momentum and energy give v1 = 3, v2 = -2 ------------------------------------------ */

static const char sliders[] = "compliant/sliders.json";

typedef struct slider_run {
    double error;  /* [m/s] largest of v1 and v2 */
    double energy; /* [J] */
    double momentum;
} slider_run;

static slider_run run_sliders(const char *const *overrides)
{
    sim s = sim_parse(scene_text(sliders), overrides);
    sim_advance(&s, 0.3);
    double v1 = sim_signal(&s, "one.velocity.x");
    double v2 = sim_signal(&s, "two.velocity.x");
    carom_ledger ledger = sim_ledger(&s);
    slider_run out = { fmax(fabs(v1 - 3.0), fabs(v2 + 2.0)), fabs(ledger.residue),
                       sim_norm(ledger.momentum_residue) };
    sim_end(&s);
    return out;
}

TEST(sliders, exact_answer_at_default_accuracy)
{
    const double momentum = 5000.0; /* [kg m/s] */
    slider_run r = run_sliders(NULL);
    printf("\ntwo sliders, default accuracy\n");
    table_mark("v1 and v2 [m/s]", r.error, 1e-4);
    table_mark("momentum, relative", r.momentum / momentum, 1e-12);
    CHECK_LE(r.error, 1e-4);
    CHECK_LE(r.momentum / momentum, 1e-12);
}

/* Errors with fixed steps; where a step meets the touch makes them scatter, so the order is that of a line through all. */
static double fitted_order(const char *features, const char *integrator, double longest, int count)
{
    double sum[4] = { 0 }; /* x, y, xx, xy of logarithms */
    printf("\ntwo sliders, %s, %s with fixed steps\n  %12s %14s %14s\n", features, integrator, "step [s]",
           "v error [m/s]", "energy [J]");
    for (int k = 0; k < count; ++k) {
        char step[64], name[64], by[64];
        double h = longest * pow(0.5, k);
        snprintf(step, sizeof step, "time.step=%.17g", h);
        snprintf(name, sizeof name, "time.integrator=\"%s\"", integrator);
        snprintf(by, sizeof by, "contact.features=\"%s\"", features);
        const char *overrides[] = { step, name, by, NULL };
        slider_run r = run_sliders(overrides);
        printf("  %12.3e %14.3e %14.3e\n", h, r.error, r.energy);
        double x = log(h);
        double y = log(fmax(r.error, 1e-13));
        sum[0] += x;
        sum[1] += y;
        sum[2] += x * x;
        sum[3] += x * y;
    }
    double order = (count * sum[3] - sum[0] * sum[1]) / (count * sum[2] - sum[0] * sum[0]);
    printf("  order %.2f\n", order);
    return order;
}

TEST(sliders, order_of_convergence)
{
    /* A Hertz force has a kink in its second derivative at first touch, which costs high orders theirs. */
    CHECK_GE(fitted_order("points", "generalized-alpha", 1e-4, 6), 1.95);
    CHECK_GE(fitted_order("points", "runge-kutta", 1e-4, 6), 2.0);
    /* Whole elements are fewer and softer together: at 1e-4 s the error passes through zero. */
    CHECK_GE(fitted_order("exact", "generalized-alpha", 5e-5, 6), 1.95);
    CHECK_GE(fitted_order("exact", "runge-kutta", 5e-5, 6), 2.0);
}

/* ---- restitution --------------------------------------------------------------------------------------------------- */

/* The achieved restitution for F = k p^n (1 + a p'/v0): a - ln(1+a) = -a e - ln(1 - a e). */
static double achieved(double a)
{
    double low = 0.0;
    double high = a > 1.0 ? 1.0 / a : 1.0;
    for (int k = 0; k < 200; ++k) {
        double e = 0.5 * (low + high);
        double balance = -a * e - log1p(-a * e) - (a - log1p(a));
        *(balance < 0.0 ? &low : &high) = e;
    }
    return 0.5 * (low + high);
}

typedef struct damped_law {
    const char *name;
    double (*factor)(double e);
} damped_law;

static double hunt_crossley(double e)
{
    return 1.5 * (1.0 - e);
}
static double herbert_mcwhannell(double e)
{
    return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0);
}
static double lee_wang(double e)
{
    return 0.75 * (1.0 - e);
}
static double lankarani_nikravesh(double e)
{
    return 0.75 * (1.0 - e * e);
}
static double zhiying_qishao(double e)
{
    return 0.75 * (1.0 - e * e) * exp(2.0 * (1.0 - e));
}
static double gonthier(double e)
{
    return (1.0 - e * e) / e;
}
static double flores(double e)
{
    return 1.6 * (1.0 - e) / e;
}
static double hu_guo(double e)
{
    return 1.5 * (1.0 - e) / e;
}

static const damped_law damped_laws[] = {
    { "hunt-crossley", hunt_crossley },
    { "herbert-mcwhannell", herbert_mcwhannell },
    { "lee-wang", lee_wang },
    { "lankarani-nikravesh", lankarani_nikravesh },
    { "zhiying-qishao", zhiying_qishao },
    { "gonthier", gonthier },
    { "flores", flores },
    { "hu-guo", hu_guo },
    { "exact-restitution", NULL },
};
enum { DAMPED_LAWS = sizeof damped_laws / sizeof damped_laws[0] };

/* A ball onto the floor at 1 m/s without gravity; the speed at which it leaves. */
static double rebound(const char *law, double e)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"time\": {\"end\": 0.06},"
             "  \"contact\": {\"method\": \"compliant\", \"law\": {\"%s\": {\"k\": 1e7, \"n\": 1.5}}, "
             "\"restitution\": %g},"
             "  \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
             "    {\"name\": \"ball\", \"shape\": {\"sphere\": 0.05}, \"mass\": 1, \"position\": [0, 0, 0.06],"
             "      \"velocity\": [0.2, 0, -1]}] }",
             law, e);
    sim s = sim_parse(text, NULL);
    sim_advance(&s, 0.06);
    double v = sim_signal(&s, "ball.velocity.z");
    carom_ledger ledger = sim_ledger(&s);
    double lost = 0.5 * (1.0 - v * v);
    CHECK_NEAR(ledger.lost_contact, lost, 1e-4); /* what is gone is on the account of the contact */
    sim_end(&s);
    return v;
}

TEST(restitution, every_law_through_the_method)
{
    static const double nominal[] = { 0.1, 0.3, 0.5, 0.7, 0.9 };
    double worst = 0.0;
    printf("\nrestitution achieved | in theory\n");
    for (int k = 0; k < DAMPED_LAWS; ++k) {
        printf("  %-20s", damped_laws[k].name);
        for (int i = 0; i < 5; ++i) {
            double e = nominal[i];
            double theory = damped_laws[k].factor ? achieved(damped_laws[k].factor(e)) : e;
            double v = rebound(damped_laws[k].name, e);
            printf("  %.6f | %.6f", v, theory);
            worst = fmax(worst, fabs(v - theory));
        }
        printf("\n");
    }
    table_mark("worst", worst, 1e-3);
    CHECK_LE(worst, 1e-3);
}

/* ---- the Hertz impact of a steel sphere on a steel half-space (closed form in the problem's statement) ------------- */

static const char hertz[] = "compliant/hertz.json";

typedef struct impact {
    double depth; /* [m] */
    double force; /* [N] */
    double time;  /* [s] in contact */
} impact;

static impact watch_impact(sim *s, double end)
{
    impact out = { 0 };
    double before = 0.0;
    while (sim_before(s, end)) {
        sim_step(s, end);
        double depth = sim_signal(s, "contact.penetration");
        out.depth = fmax(out.depth, depth);
        out.force = fmax(out.force, fabs(sim_signal(s, "ball.contact.force.z")));
        out.time += depth > 0.0 ? sim_time(s) - before : 0.0;
        before = sim_time(s);
    }
    return out;
}

TEST(hertz, sphere_on_half_space)
{
    const double m = 0.03288200311;
    const double K = 1.538461538e10;
    const double depth = pow(1.25 * m / K, 0.4);
    const char *overrides[] = { "time.preset=accurate", "time.step=2e-7", "time.tolerance=1e-9", NULL };
    sim s = sim_parse(scene_text(hertz), overrides);
    impact got = watch_impact(&s, 1.5e-4);
    table_head("Hertz impact, analytic fields");
    double worst = table_row("depth [m]", got.depth, 23.48078729e-6) / depth;
    worst = fmax(worst, table_row("force [N]", got.force, 1750.47384) / 1750.47384);
    worst = fmax(worst, table_row("time [s]", got.time, 69.11041853e-6) / 69.11041853e-6);
    table_cost(&s, 0.0);
    CHECK_NEAR(depth, 23.48078729e-6, 1e-13);
    CHECK_NEAR(sim_signal(&s, "ball.velocity.z"), 1.0, 1e-6);
    CHECK_LE(worst, 1e-3);
    sim_end(&s);
}

/* ---- rest ---------------------------------------------------------------------------------------------------------- */

/* A cube of 1000 kg on a plane, put where `count` points or elements of its lower face carry it: k p^1.5 = m g / count. */
static void check_box_stays(const char *features, int count)
{
    char text[1024];
    const double k = 1e8;
    const double depth = pow(9810.0 / (count * k), 2.0 / 3.0);
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 10},"
        "  \"contact\": {\"method\": \"compliant\", \"features\": \"%s\","
        "      \"law\": {\"hunt-crossley\": {\"k\": %g, \"n\": 1.5}},"
        "      \"restitution\": 0.2, \"friction\": {\"smooth\": {}}},"
        "  \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        "    {\"name\": \"box\", \"shape\": {\"box\": [1, 1, 1]}, \"density\": 1000, \"position\": [0, 0, %.17g]}] }",
        features, k, 0.5 - depth);
    sim s = sim_parse(text, NULL);
    carom_v3 start = sim_position(&s, "box");
    carom_ledger before = sim_ledger(&s);
    double most = 0.0;
    double highest = 0.0;
    while (sim_before(&s, 10.0)) {
        sim_step(&s, 10.0);
        carom_ledger now = sim_ledger(&s);
        most = fmax(most, sim_norm(sim_difference(sim_position(&s, "box"), start)));
        highest = fmax(highest, ledger_energy(&now) - ledger_energy(&before));
    }
    printf("\nbox at rest on a plane, 10 s, features %s\n", features);
    table_mark("displacement [m]", most, 1e-6);
    table_mark("energy gained [J]", highest, 1e-9);
    table_cost(&s, 0.0);
    CHECK_LE(most, 1e-6);
    CHECK_LE(highest, 1e-9);
    CHECK_NEAR(sim_signal(&s, "contact.penetration"), depth, 1e-9);
    sim_end(&s);
}

TEST(rest, box_on_plane_stays)
{
    check_box_stays("points", 81);
    check_box_stays("auto", 8); /* four corners and four feet */
}

/* ---- slope of 26.565 degrees, tan = 0.5 ----------------------------------------------------------------------------- */

static sim slope(const char *friction)
{
    char text[1024];
    const double a = atan(0.5);
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"gravity\": [%.17g, 0, %.17g], \"time\": {\"end\": 4},"
             "  \"contact\": {\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1.5}},"
             "      \"restitution\": 0.2, \"friction\": %s},"
             "  \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
             "    {\"name\": \"block\", \"shape\": {\"box\": [0.2, 0.2, 0.1]}, \"density\": 1000,"
             "      \"position\": [0, 0, 0.05]}] }",
             9.81 * sin(a), -9.81 * cos(a), friction);
    return sim_parse(text, NULL);
}

TEST(slope, lugre_holds_and_slides)
{
    sim holds = slope("{\"lugre\": {\"mu_s\": 0.51, \"mu_d\": 0.51}}");
    sim_advance(&holds, 2.0);
    double x = sim_signal(&holds, "block.position.x");
    sim_advance(&holds, 4.0);
    double creep = fabs(sim_signal(&holds, "block.position.x") - x);
    sim slides = slope("{\"lugre\": {\"mu_s\": 0.49, \"mu_d\": 0.49}}");
    sim_advance(&slides, 4.0);
    double v = sim_signal(&slides, "block.velocity.x");
    double expected = 4.0 * 9.81 * cos(atan(0.5)) * (0.5 - 0.49);
    printf("\nslope with tan = 0.5\n");
    table_mark("mu = 0.51, bristles: displacement 2 s to 4 s [m]", creep, 1e-6);
    table_mark("mu = 0.49, bristles: speed at 4 s, relative", fabs(v - expected) / expected, 0.1);
    CHECK_LE(creep, 1e-6);
    CHECK_LE(fabs(v - expected), 0.1 * expected); /* it falls into the contact first, where friction is less */
    sim_end(&holds);
    sim_end(&slides);
}

/* A regularised law must slip to hold: at v_e 0.5 / sqrt(0.51^2 - 0.5^2); the ledger shows what that costs. */
TEST(slope, regularised_law_creeps)
{
    const double v_e = 1e-3;
    sim s = slope("{\"coulomb\": {\"mu\": 0.51, \"v_e\": 1e-3}}");
    sim_advance(&s, 2.0);
    double x = sim_signal(&s, "block.position.x");
    double lost = sim_ledger(&s).lost_friction;
    sim_advance(&s, 4.0);
    double speed = (sim_signal(&s, "block.position.x") - x) / 2.0;
    double loss = sim_ledger(&s).lost_friction - lost;
    double expected = v_e * 0.5 / sqrt(0.51 * 0.51 - 0.25);
    double work = 4.0 * 9.81 * sin(atan(0.5)) * 2.0 * expected; /* 4 kg down the slope */
    table_head("creep of the regularised law");
    CHECK_LE(table_row("speed [m/s]", speed, expected), 1e-3 * expected);
    CHECK_LE(table_row("lost to friction [J]", loss, work), 1e-3 * work);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sliders, exact_answer_at_default_accuracy),
        RUN_TEST(sliders, order_of_convergence),
        RUN_TEST(restitution, every_law_through_the_method),
        RUN_TEST(hertz, sphere_on_half_space),
        RUN_TEST(rest, box_on_plane_stays),
        RUN_TEST(slope, lugre_holds_and_slides),
        RUN_TEST(slope, regularised_law_creeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
