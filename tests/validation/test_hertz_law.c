/* Hertz impact of a steel ball (R = 10 mm) on a steel half-space at 1 m/s: depth (5 m v^2/4K)^(2/5), largest force
 * K depth^1.5 and contact time 2.94327518432 depth/v, against direct integration of the motion. */
#include "support/check.h"

#include "elements/laws/law.h"

static const double E = 210e9;                  /* [Pa] */
static const double RADIUS = 0.01;              /* [m] */
static const double MASS = 0.03288200311;       /* [kg] density 7850 */
static const double SPEED = 1.0;                /* [m/s] */
static const double STIFFNESS = 1.538461538e10; /* [N/m^1.5] */
static const double DEPTH = 23.48078729e-6;     /* [m] */
static const double FORCE = 1750.47384;         /* [N] */
static const double TIME = 69.11041853e-6;      /* [s] */

static void table_row(const char *what, double found, double expected, double relative)
{
    printf("%-20s %.10g | %.10g | %.1e\n", what, found, expected, found / expected - 1.0);
    CHECK_NEAR(found, expected, relative * expected);
}

typedef struct ball {
    const carom_normal_law *law;
    const void *params;
    law_context context;
    double p;    /* [m] penetration */
    double rate; /* [m/s] */
} ball;

static double deceleration(const ball *b, double p)
{
    return b->law->force((contact_rate){ .gap = -p }, &b->context, b->params).force / MASS;
}

/* Classical Runge-Kutta for p'' = -F(p)/m, as Nystrom wrote it: F does not depend on the rate. */
static void advance(ball *b, double h)
{
    double a1 = -deceleration(b, b->p);
    double a2 = -deceleration(b, b->p + 0.5 * h * b->rate + 0.125 * h * h * a1);
    double a3 = -deceleration(b, b->p + h * b->rate + 0.5 * h * h * a2);
    b->p += h * b->rate + h * h / 6.0 * (a1 + 2.0 * a2);
    b->rate += h / 6.0 * (a1 + 4.0 * a2 + a3);
}

TEST(hertz, impact_of_a_steel_ball)
{
    TEST_UNUSED();
    const double moduli[] = { E };
    const double ratios[] = { 0.3 };
    const double radii[] = { RADIUS };
    const carom_hertz_law_def def = {
        .n = 1.5, .young = { 1, moduli }, .poisson = { 1, ratios }, .radius = { 1, radii }
    };
    const carom_normal_law *law = carom_normal_law_find("hertz");
    carom_error err = { 0 };
    CHECK_OK(law->check(&def, 1.0, &err), err);
    ball b = { .law = law, .params = &def, .context = law_context_make(law, &def, 1.0), .rate = SPEED };
    table_row("stiffness", b.context.constants.k, STIFFNESS, 1e-9);

    const double h = TIME / 20000.0;
    double depth = 0.0;
    double force = 0.0;
    double t = 0.0;
    while (t == 0.0 || b.p > 0.0) {
        ball before = b;
        advance(&b, h);
        t += h;
        if (before.rate > 0.0 && b.rate <= 0.0) { /* the top of a parabola */
            depth = before.p + 0.5 * before.rate * before.rate / deceleration(&before, before.p);
            force = law->force((contact_rate){ .gap = -depth }, &b.context, &def).force;
        }
    }
    t -= b.p / b.rate; /* back to p = 0; there is no force near it */
    table_row("deepest penetration", depth, DEPTH, 1e-8);
    table_row("largest force", force, FORCE, 1e-8);
    table_row("contact time", t, TIME, 1e-8);
    table_row("rebound speed", -b.rate, SPEED, 1e-8);
}

TEST(hertz, estimates_from_the_potential)
{
    TEST_UNUSED();
    const carom_hertz_law_def def = { .k = STIFFNESS, .n = 1.5 };
    const carom_normal_law *law = carom_normal_law_find("hertz");
    table_row("depth", law_depth_for_energy(law, &def, 0.5 * MASS * SPEED * SPEED), DEPTH, 1e-9);
    table_row("contact time", law_contact_time(law, &def, MASS, SPEED), TIME, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(hertz, impact_of_a_steel_ball),
        RUN_TEST(hertz, estimates_from_the_potential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
