/* What is special about single contact laws: closed forms, published numbers, the behaviour at first touch and at rest,
 * sticking and sliding of a block, and what is refused. */
#include "support/check.h"

#include "elements/laws/law.h"
#include "elements/laws/restitution.h"

static law_force force_at(const char *name, const void *params, law_context context, contact_rate c)
{
    return carom_normal_law_find(name)->force(c, &context, params);
}

/* ---- stiffness ------------------------------------------------------------------------------------------------- */

static double stiffness_of(double E_1, double E_2, double nu, double R_1, double R_2)
{
    const double young[] = { E_1, E_2 };
    const double poisson[] = { nu };
    const double radius[] = { R_1, R_2 };
    const carom_hertz_law_def def = {
        .n = 1.5, .young = { 2, young }, .poisson = { 1, poisson }, .radius = { 2, radius }
    };
    const carom_normal_law *law = carom_normal_law_find("hertz");
    carom_error err = { 0 };
    CHECK_OK(law->check(&def, 1.0, &err), err);
    return law_context_make(law, &def, 1.0).constants.k;
}

TEST(hertz, stiffness_follows_from_materials_and_radii)
{
    TEST_UNUSED();
    CHECK_NEAR(stiffness_of(210e9, 210e9, 0.3, 0.01, 0.0), 1.538461538e10, 10.0);
    CHECK_NEAR(stiffness_of(207e9, 207e9, 0.3, -0.010, 0.0095), 6.6101984e10, 1e3); /* journal in its bearing */
    CHECK_NEAR(stiffness_of(1e9, 1e9, 0.0, 0.02, 0.02), 4.0 / 3.0 * 0.5e9 * 0.1, 1e-6);
    CHECK_NEAR(stiffness_of(1e9, 1e30, 0.0, 0.01, 0.0), 4.0 / 3.0 * 1e9 * 0.1, 1e-3); /* against a rigid plane */
}

TEST(hertz, materials_serve_the_whole_family)
{
    TEST_UNUSED();
    const double young[] = { 210e9 };
    const double radius[] = { 0.01 };
    const carom_hysteretic_law_def def = { .elastic = { .n = 1.5, .young = { 1, young }, .radius = { 1, radius } },
                                           .v_min = 1e-3 };
    const carom_normal_law *law = carom_normal_law_find("flores");
    carom_error err = { 0 };
    CHECK_OK(law->check(&def, 0.9, &err), err);
    CHECK_NEAR(law_context_make(law, &def, 0.9).constants.k, 1.538461538e10, 10.0);
}

TEST(laws, estimate_depth_and_time_of_an_impact)
{
    TEST_UNUSED();
    const carom_linear_law_def def = { .k = 4e5 };
    const carom_normal_law *law = carom_normal_law_find("linear");
    const double mass = 0.25;
    CHECK_NEAR(law_depth_for_energy(law, &def, 0.5 * mass * 9.0), 3.0 * sqrt(mass / def.k), 1e-15);
    CHECK_NEAR(law_contact_time(law, &def, mass, 3.0), acos(-1.0) * sqrt(mass / def.k), 1e-4 * sqrt(mass / def.k));
    CHECK_NEAR(law_depth_for_energy(law, &def, 0.0), 0.0, 0.0);
    CHECK_NEAR(law_depth_for_energy(law, &def, (double)NAN), 0.0, 0.0);
    CHECK_NEAR(law_contact_time(law, &def, mass, 0.0), 0.0, 0.0);
    CHECK(isinf(law_depth_for_energy(law, &def, HUGE_VAL)));
}

/* ---- line contact ---------------------------------------------------------------------------------------------- */

/* The sum of both dents for a force, as [Johnson1985] has them, in the plane of the bars of paper 2. */
static double dent(double F, double E, double nu, double r, double d, double t)
{
    const double pi = 3.14159265358979323846;
    double a = sqrt(8.0 * F / t * r / (pi * E));
    return F / t / (pi * E) * (2.0 * log(4.0 * r / a) - 1.0 + 2.0 * log(2.0 * d / a) - nu);
}

TEST(line, force_is_that_whose_dent_is_the_penetration)
{
    TEST_UNUSED();
    const double E = 70e9, nu = 0.3, r = 7.5e-3, d = 6e-3, t = 2e-3;
    const double radius[] = { r, 0.0 }, depth[] = { 0.0, d };
    const carom_line_law_def def = { .young = { 1, &E },
                                     .poisson = { 1, &nu },
                                     .radius = { 2, radius },
                                     .depth = { 2, depth },
                                     .length = t,
                                     .plane = CAROM_PLANE_STRESS };
    const law_context context = { 0 };
    for (double F = 1e-12; F < 5e4; F *= 10.0) {
        law_force f = force_at("line", &def, context, (contact_rate){ .gap = -dent(F, E, nu, r, d, t) });
        CHECK_NEAR(f.force, F, 1e-12 * F);
    }
    /* Half as wide as the bar is deep: a straight line from there on, without a kink. */
    const double most = 0.25 * d * d * 3.14159265358979323846 * E * t / (8.0 * r);
    const double deepest = dent(most, E, nu, r, d, t);
    law_force at = force_at("line", &def, context, (contact_rate){ .gap = -deepest * (1.0 - 1e-9) });
    law_force beyond = force_at("line", &def, context, (contact_rate){ .gap = -2.0 * deepest });
    CHECK_NEAR(at.force, most, 1e-8 * most);
    CHECK_NEAR(beyond.force, most - at.d_gap * deepest, 1e-7 * most);
    CHECK_NEAR(beyond.d_gap, at.d_gap, -1e-8 * at.d_gap);
}

/* Two cylinders in plane strain [Johnson1985, (5.57)]; ten times the size, length and dent: a hundred times the force. */
TEST(line, cylinders_scale)
{
    TEST_UNUSED();
    const double E[] = { 210e9, 70e9 }, nu[] = { 0.3, 0.33 }, pi = 3.14159265358979323846;
    double forces[2];
    for (int k = 0; k < 2; ++k) {
        const double scale = k == 0 ? 1.0 : 10.0;
        const double radius[] = { 0.01 * scale, 0.03 * scale };
        const carom_line_law_def def = { .young = { 2, E },
                                         .poisson = { 2, nu },
                                         .radius = { 2, radius },
                                         .length = 0.05 * scale,
                                         .plane = CAROM_PLANE_STRAIN };
        const law_context context = { 0 };
        law_force f = force_at("line", &def, context, (contact_rate){ .gap = -5e-6 * scale });
        double soft[2] = { (1.0 - nu[0] * nu[0]) / E[0], (1.0 - nu[1] * nu[1]) / E[1] };
        double per = f.force / def.length;
        double a = sqrt(4.0 * per * (soft[0] + soft[1]) / pi / (1.0 / radius[0] + 1.0 / radius[1]));
        double sum = per / pi *
                     (soft[0] * (2.0 * log(4.0 * radius[0] / a) - 1.0) +
                      soft[1] * (2.0 * log(4.0 * radius[1] / a) - 1.0));
        CHECK_NEAR(sum, 5e-6 * scale, 1e-12 * scale);
        forces[k] = f.force;
    }
    CHECK_NEAR(forces[1], 100.0 * forces[0], 1e-10 * forces[1]);
}

/* Flat on flat, hollow inside of a smaller one, flat without a depth. */
TEST(line, what_is_no_line_is_refused)
{
    TEST_UNUSED();
    const double E = 70e9, flat[] = { 0.0, 0.0 }, hollow[] = { 0.01, -0.005 }, depth[] = { 0.01, 0.01 }, one = 0.01;
    const struct {
        carom_line_law_def def;
        const char *says;
    } cases[] = {
        { { .young = { 1, &E }, .radius = { 2, flat }, .depth = { 2, depth }, .length = 1.0, .plane = 1 },
          "add up to 0" },
        { { .young = { 1, &E }, .radius = { 2, hollow }, .depth = { 2, depth }, .length = 1.0, .plane = 1 },
          "hollow" },
        { { .young = { 1, &E }, .radius = { 1, &one }, .length = 1.0, .plane = 1 }, "half the height" },
        { { .young = { 1, &E }, .radius = { 1, &one }, .depth = { 2, depth }, .plane = 1 }, "length" },
        { { .young = { 1, &E }, .radius = { 1, &one }, .depth = { 2, depth }, .length = 1.0, .plane = 2 },
          "`plane`" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        carom_error err = { 0 };
        CHECK(carom_normal_law_find("line")->check(&cases[k].def, 1.0, &err) == CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, cases[k].says);
    }
}

/* ---- damping --------------------------------------------------------------------------------------------------- */

TEST(exact_restitution, damping_factors_are_the_published_ones)
{
    TEST_UNUSED();
    CHECK_NEAR(damping_for_restitution(0.1), 9.998159397, 1e-9);
    CHECK_NEAR(damping_for_restitution(0.3), 3.087081981, 1e-9);
    CHECK_NEAR(damping_for_restitution(0.5), 1.432750533, 1e-9);
    CHECK_NEAR(damping_for_restitution(0.7), 0.6348282813, 1e-10);
    CHECK_NEAR(damping_for_restitution(0.9), 0.1664819507, 1e-10);
    CHECK_NEAR(damping_for_restitution(1.0), 0.0, 0.0);
}

/* Down to e = 0.001 and up to the last number before 1: the root itself, decreasing, 3/2 (1 - e)/e in the end. */
TEST(exact_restitution, damping_factors_solve_their_equation)
{
    TEST_UNUSED();
    double before = HUGE_VAL;
    for (int k = 0; k <= 2000; ++k) {
        double e = 1e-3 + (1.0 - 2e-3) * k / 2000.0;
        double a = damping_for_restitution(e);
        CHECK(a < before && a > 0.0 && a <= 1.0 / e);
        before = a;
        if (e > 0.2) { /* below, a e is 1 but for rounding */
            CHECK_NEAR(a - log1p(a), -a * e - log1p(-a * e), 1e-12 * (1.0 + a));
        }
    }
    for (double d = 1e-3; d > 1e-15; d *= 0.1) {
        double rest = 1.0 - (1.0 - d); /* d, as far as 1 - d could hold it */
        CHECK_NEAR(damping_for_restitution(1.0 - d), 1.5 * (rest + rest * rest), 2.0 * d * d * d + 1e-15);
    }
}

static const carom_hysteretic_law_def soft = { .elastic = { .k = 1e6, .n = 1.0 }, .v_min = 1e-2 };

/* However small the approach was, a later hit meets a bounded force. */
TEST(hysteretic, resting_contact_has_bounded_damping)
{
    TEST_UNUSED();
    const law_context at_rest = { .approach = 0.0, .restitution = 0.5 };
    double a = damping_for_restitution(0.5);
    for (double speed = 1e-6; speed < 1e9; speed *= 10.0) {
        law_force f = force_at("exact-restitution", &soft, at_rest, (contact_rate){ -1e-4, -speed });
        CHECK_GE(f.force, f.elastic);
        CHECK_LE(f.force, f.elastic * (1.0 + 2.0 * a) * (1.0 + 1e-15));
    }
    law_force slow = force_at("exact-restitution", &soft, at_rest, (contact_rate){ -1e-4, 0.0 });
    CHECK_NEAR(slow.d_gap_rate, -slow.elastic * a / soft.v_min, 1e-9);
}

/* Force and both derivatives run on where the limit sets in. */
TEST(hysteretic, the_limit_sets_in_smoothly)
{
    TEST_UNUSED();
    const law_context context = { .approach = 0.7, .restitution = 0.3 };
    law_force below = force_at("hunt-crossley", &soft, context, (contact_rate){ -1e-4, -0.7 * (1.0 - 1e-7) });
    law_force above = force_at("hunt-crossley", &soft, context, (contact_rate){ -1e-4, -0.7 * (1.0 + 1e-7) });
    CHECK_NEAR(above.force, below.force, 1e-6 * below.force);
    CHECK_NEAR(above.d_gap, below.d_gap, -1e-6 * below.d_gap);
    CHECK_NEAR(above.d_gap_rate, below.d_gap_rate, -1e-12 * below.d_gap_rate);
}

TEST(hysteretic, free_impacts_do_not_see_the_limit)
{
    TEST_UNUSED();
    const law_context context = { .approach = 0.7, .restitution = 0.4 };
    for (double rate = -0.7; rate <= 0.7; rate += 0.05) {
        law_force f = force_at("lankarani-nikravesh", &soft, context, (contact_rate){ -1e-4, rate });
        CHECK_NEAR(f.force, fmax(0.0, 100.0 * (1.0 - 0.75 * (1.0 - 0.16) * rate / 0.7)), 1e-11);
    }
}

/* A ball of 1 kg over a plane, by the classical Runge-Kutta method; each touch remembers its own speed of approach. */
typedef struct ball {
    double gap, rate;
    law_context context;
} ball;

static double ball_acceleration(const ball *b, double gap, double rate)
{
    return force_at("exact-restitution", &soft, b->context, (contact_rate){ gap, rate }).force - 9.81;
}

static void ball_step(ball *b, double h)
{
    double a_1 = ball_acceleration(b, b->gap, b->rate);
    double v_2 = b->rate + 0.5 * h * a_1;
    double a_2 = ball_acceleration(b, b->gap + 0.5 * h * b->rate, v_2);
    double v_3 = b->rate + 0.5 * h * a_2;
    double a_3 = ball_acceleration(b, b->gap + 0.5 * h * v_2, v_3);
    double v_4 = b->rate + h * a_3;
    double a_4 = ball_acceleration(b, b->gap + h * v_3, v_4);
    bool apart = b->gap >= 0.0;
    b->gap += h / 6.0 * (b->rate + 2.0 * v_2 + 2.0 * v_3 + v_4);
    b->rate += h / 6.0 * (a_1 + 2.0 * a_2 + 2.0 * a_3 + a_4);
    if (apart && b->gap < 0.0) {
        b->context.approach = fabs(b->rate);
    }
}

static ball ball_after(double gap, double seconds)
{
    const carom_normal_law *law = carom_normal_law_find("exact-restitution");
    ball b = { .gap = gap, .context = law_context_make(law, &soft, 0.5) };
    for (int k = 0; k < (int)(seconds / 2e-5); ++k) {
        ball_step(&b, 2e-5);
    }
    return b;
}

/* Laid down or dropped, it ends at rest at the depth that carries its weight. */
TEST(hysteretic, a_ball_comes_to_rest)
{
    TEST_UNUSED();
    static const double gaps[] = { -1e-9, 0.0, 1e-6, 1e-3, 0.1 };
    for (int k = 0; k < 5; ++k) {
        ball b = ball_after(gaps[k], 3.0);
        CHECK_NEAR(b.gap, -9.81 / soft.elastic.k, 1e-10);
        CHECK_NEAR(b.rate, 0.0, 1e-7);
    }
}

TEST(kelvin_voigt, jumps_at_first_touch_unless_it_has_a_ramp)
{
    TEST_UNUSED();
    const law_context none = { 0 };
    carom_kelvin_voigt_law_def def = { .k = 1e5, .c = 200.0 };
    CHECK_NEAR(force_at("kelvin-voigt", &def, none, (contact_rate){ -1e-9, -2.0 }).force, 400.0, 1e-3);
    def.ramp = 1e-4;
    CHECK_NEAR(force_at("kelvin-voigt", &def, none, (contact_rate){ -1e-9, -2.0 }).force, 0.0, 1e-3);
    CHECK_NEAR(force_at("kelvin-voigt", &def, none, (contact_rate){ -0.5e-4, -2.0 }).force, 5.0 + 200.0, 1e-9);
    CHECK_NEAR(force_at("kelvin-voigt", &def, none, (contact_rate){ -2e-4, -2.0 }).force, 20.0 + 400.0, 1e-9);
    CHECK_NEAR(force_at("kelvin-voigt", &def, none, (contact_rate){ -2e-4, 2.0 }).force, 0.0, 0.0);
}

TEST(power, is_the_law_of_the_paper)
{
    TEST_UNUSED();
    const law_context none = { 0 };
    const carom_power_law_def def = { .k = 2e6, .n = 1.5, .chi = 3e5, .m = 2.0 };
    law_force f = force_at("power", &def, none, (contact_rate){ -0.01, -0.5 });
    CHECK_NEAR(f.force, 2e6 * 1e-3 + 3e5 * 1e-4 * 0.5, 1e-9);
    CHECK_NEAR(f.potential, 2e6 * 1e-5 / 2.5, 1e-12);
}

/* ---- refusals -------------------------------------------------------------------------------------------------- */

static void check_refused(const char *name, const void *params, double restitution, const char *why)
{
    carom_error err = { 0 };
    CHECK_EQ(carom_normal_law_find(name)->check(params, restitution, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, why);
    CHECK_CONTAINS(err.message, name);
}

TEST(laws, refuse_restitutions_they_cannot_serve)
{
    TEST_UNUSED();
    static const char *const unbounded[] = { "gonthier", "flores", "hu-guo", "exact-restitution" };
    for (int k = 0; k < 4; ++k) {
        check_refused(unbounded[k], &soft, 0.0, "ask for at least 0.001");
        carom_error err = { 0 };
        CHECK_OK(carom_normal_law_find(unbounded[k])->check(&soft, 0.001, &err), err);
    }
    static const char *const bounded[] = { "hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh",
                                           "zhiying-qishao" };
    for (int k = 0; k < 5; ++k) {
        carom_error err = { 0 };
        CHECK_OK(carom_normal_law_find(bounded[k])->check(&soft, 0.0, &err), err);
        check_refused(bounded[k], &soft, 1.01, "between 0 and 1");
        check_refused(bounded[k], &soft, -0.1, "between 0 and 1");
        check_refused(bounded[k], &soft, (double)NAN, "between 0 and 1");
    }
}

TEST(laws, refuse_exponents_that_are_infinitely_stiff)
{
    TEST_UNUSED();
    check_refused("hertz", &(carom_hertz_law_def){ .k = 1.0, .n = 0.99 }, 1.0, "exponent n");
    check_refused("hertz", &(carom_hertz_law_def){ .k = 1.0, .n = 11.0 }, 1.0, "between 1 and 10");
    check_refused("power", &(carom_power_law_def){ .k = 1.0, .n = 0.5, .m = 1.0 }, 1.0, "exponent n");
    check_refused("power", &(carom_power_law_def){ .k = 1.0, .n = 1.0, .m = 0.5 }, 1.0, "exponent m");
    check_refused("flores", &(carom_hysteretic_law_def){ .elastic = { .k = 1.0, .n = 1.5 } }, 0.5, "v_min");
}

TEST(laws, refuse_materials_without_a_stiffness)
{
    TEST_UNUSED();
    const double good[] = { 1e9, 1e9, 1e9 };
    const double bad[] = { 1e9, -1e9 };
    const double rubber[] = { 0.6 };
    const double sphere[] = { 0.01 };
    const double planes[] = { 0.0, 0.0 };
    const double loose[] = { 0.02, -0.01 };
    carom_hertz_law_def def = { .n = 1.5, .young = { 2, good } };
    check_refused("hertz", &def, 1.0, "0 of `radius`");
    def.radius = (carom_reals){ 1, sphere };
    def.n = 2.0;
    check_refused("hertz", &def, 1.0, "leave `n` out");
    def.n = 1.5;
    def.k = 1e6;
    check_refused("hertz", &def, 1.0, "leave one out");
    def.k = 0.0;
    def.poisson = (carom_reals){ 1, rubber };
    check_refused("hertz", &def, 1.0, "Poisson's ratio 0.6");
    def.poisson = (carom_reals){ 0, NULL };
    def.young = (carom_reals){ 2, bad };
    check_refused("hertz", &def, 1.0, "side 2");
    def.young = (carom_reals){ 3, good };
    check_refused("hertz", &def, 1.0, "3 of `young`");
    def.young = (carom_reals){ 1, good };
    def.radius = (carom_reals){ 2, planes };
    check_refused("hertz", &def, 1.0, "two planes need `k`");
    def.radius = (carom_reals){ 2, loose };
    check_refused("hertz", &def, 1.0, "hollow side");
}

static void check_friction_refused(const char *name, const void *params, const char *why)
{
    carom_error err = { 0 };
    CHECK_EQ(carom_friction_law_find(name)->check(params, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, why);
}

TEST(laws, refuse_friction_that_makes_no_sense)
{
    TEST_UNUSED();
    check_friction_refused("smooth", &(carom_smooth_friction_def){ 0.3, 0.2, 1e-2, 1e-2 }, "v_d must be the larger");
    check_friction_refused("coulomb", &(carom_coulomb_friction_def){ 0.3, 0.0 }, "v_e");
    check_friction_refused("lugre", &(carom_lugre_friction_def){ 0.3, 0.0, 1e-2, 1e4, 0.0, 0.0 }, "mu_d");
    check_friction_refused("lugre", &(carom_lugre_friction_def){ 0.3, 0.2, 1e-2, 1e4, 200.0, 0.0 }, "at most 186.5");
}

/* ---- friction -------------------------------------------------------------------------------------------------- */

/* (38) as the paper writes it. */
static double mu_of_the_paper(double v, double mu_s, double mu_d, double v_s, double v_d)
{
    if (v <= v_s) {
        double x = (v + v_s) / (2.0 * v_s);
        return -mu_s + 2.0 * mu_s * (3.0 - 2.0 * x) * x * x;
    }
    double x = fmin((v - v_s) / (v_d - v_s), 1.0);
    return mu_s + (mu_d - mu_s) * (3.0 - 2.0 * x) * x * x;
}

TEST(smooth, is_the_curve_of_the_paper)
{
    TEST_UNUSED();
    const carom_friction_law *law = carom_friction_law_find("smooth");
    for (double v = 0.0; v < 0.02; v += 1e-4) {
        const friction_input in = { .slip = { -v, 0.0, 0.0 }, .normal = 10.0 };
        friction_force f = law->force(&in, law->kind.defaults);
        CHECK_NEAR(f.force.x, 10.0 * mu_of_the_paper(v, 0.3, 0.2, 5e-3, 1e-2), 1e-14);
    }
}

static const carom_lugre_friction_def bristles = {
    .mu_s = 0.3, .mu_d = 0.2, .v_s = 5e-3, .sigma_0 = 3e4, .sigma_1 = 100.0, .sigma_2 = 0.5
};

TEST(lugre, steady_slip_meets_the_stribeck_curve)
{
    TEST_UNUSED();
    const carom_friction_law *law = carom_friction_law_find("lugre");
    for (double v = 1e-5; v < 10.0; v *= 3.0) {
        friction_input in = { .slip = { v, 0.0, 0.0 }, .slip_begin = { v, 0.0, 0.0 }, .normal = 7.0, .dt = 1e-3 };
        for (int k = 0; k < 40000 && k * in.dt * v < 40.0 * 0.3 / 3e4; ++k) {
            in.bristle = law->force(&in, &bristles).bristle;
        }
        double g = 0.2 + 0.1 * exp(-v * v / (5e-3 * 5e-3));
        CHECK_NEAR(law->force(&in, &bristles).force.x, -7.0 * (g + 0.5 * v), 1e-9);
    }
}

/* Slip that swings and turns: bristles at the end against those of very short steps. */
static v3 bristle_after_swing(int steps)
{
    const carom_friction_law *law = carom_friction_law_find("lugre");
    friction_input in = { .normal = 1.0, .dt = 0.1 / steps };
    for (int k = 0; k <= steps; ++k) {
        double t = k * in.dt;
        in.slip_begin = in.slip;
        in.slip = v3_make(2e-3 * sin(30.0 * t), 1e-3 * sin(17.0 * t + 0.5), 0.0);
        if (k > 0) {
            in.bristle = law->force(&in, &bristles).bristle;
        }
    }
    return in.bristle;
}

TEST(lugre, bristles_converge_with_second_order)
{
    TEST_UNUSED();
    v3 exact = bristle_after_swing(1 << 18);
    double coarse = v3_norm(v3_sub(bristle_after_swing(256), exact));
    double fine = v3_norm(v3_sub(bristle_after_swing(512), exact));
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.1);
    CHECK_LE(fine, 1e-3 * v3_norm(exact));
}

/* A block of 1 kg on a plane under a load along it that grows to a share of its weight in 10 s and stays; implicit
 * steps, by Newton's method with the law's own tangent. */
typedef struct block {
    double x;       /* [m] */
    double v;       /* [m/s] */
    double bristle; /* [m] */
    int iterations; /* at most, of a step */
} block;

static const double WEIGHT = 9.81; /* [N] */

static void block_step(block *b, const carom_lugre_friction_def *def, double load, double dt)
{
    const carom_friction_law *law = carom_friction_law_find("lugre");
    friction_input in = {
        .slip = { b->v, 0.0, 0.0 }, .normal = WEIGHT, .dt = dt, .bristle = { b->bristle, 0.0, 0.0 }
    };
    in.slip_begin = in.slip;
    double off = 1.0;
    int k = 0;
    while (fabs(off) > 1e-12 && k < 50) {
        friction_force f = law->force(&in, def);
        off = in.slip.x - b->v - dt * (load + f.force.x);
        in.slip.x -= off / (1.0 + dt * f.along);
        ++k;
    }
    CHECK_LE(fabs(off), 1e-12);
    b->iterations = k > b->iterations ? k : b->iterations;
    b->bristle = law->force(&in, def).bristle.x;
    b->x += 0.5 * dt * (b->v + in.slip.x);
    b->v = in.slip.x;
}

static block block_under_load(double mu_s, double share, double end)
{
    const carom_lugre_friction_def def = { .mu_s = mu_s, .mu_d = 0.4, .v_s = 5e-3, .sigma_0 = 3e4, .sigma_1 = 100.0 };
    const double dt = 1e-3;
    block b = { 0 };
    for (int k = 0; k * dt < end; ++k) {
        block_step(&b, &def, share * WEIGHT * fmin((k + 1) * dt / 10.0, 1.0), dt);
    }
    return b;
}

/* Below mu_s it gives by -(mu_s/sigma_0) ln(1 - load/(mu_s N)), as far as slow loading bends the bristles, and stays. */
TEST(lugre, holds_a_block_below_mu_s_without_creep)
{
    TEST_UNUSED();
    block early = block_under_load(0.51, 0.5, 20.0);
    block late = block_under_load(0.51, 0.5, 40.0);
    CHECK_NEAR(early.x, -0.51 / 3e4 * log1p(-0.5 / 0.51), 0.02 * early.x);
    CHECK_NEAR(late.x, early.x, 1e-12);
    CHECK_LE(fabs(late.v), 1e-12);
    CHECK_LE(early.iterations, 10);
}

TEST(lugre, lets_a_block_slide_above_mu_s)
{
    TEST_UNUSED();
    block b = block_under_load(0.49, 0.5, 20.0);
    CHECK_GE(b.x, 1.0);
    CHECK_NEAR(b.bristle, 0.4 / 3e4, 1e-9); /* sliding fast: mu_d */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(hertz, stiffness_follows_from_materials_and_radii),
        RUN_TEST(hertz, materials_serve_the_whole_family),
        RUN_TEST(laws, estimate_depth_and_time_of_an_impact),
        RUN_TEST(line, force_is_that_whose_dent_is_the_penetration),
        RUN_TEST(line, cylinders_scale),
        RUN_TEST(line, what_is_no_line_is_refused),
        RUN_TEST(exact_restitution, damping_factors_are_the_published_ones),
        RUN_TEST(exact_restitution, damping_factors_solve_their_equation),
        RUN_TEST(hysteretic, resting_contact_has_bounded_damping),
        RUN_TEST(hysteretic, the_limit_sets_in_smoothly),
        RUN_TEST(hysteretic, free_impacts_do_not_see_the_limit),
        RUN_TEST(hysteretic, a_ball_comes_to_rest),
        RUN_TEST(kelvin_voigt, jumps_at_first_touch_unless_it_has_a_ramp),
        RUN_TEST(power, is_the_law_of_the_paper),
        RUN_TEST(laws, refuse_restitutions_they_cannot_serve),
        RUN_TEST(laws, refuse_exponents_that_are_infinitely_stiff),
        RUN_TEST(laws, refuse_materials_without_a_stiffness),
        RUN_TEST(laws, refuse_friction_that_makes_no_sense),
        RUN_TEST(smooth, is_the_curve_of_the_paper),
        RUN_TEST(lugre, steady_slip_meets_the_stribeck_curve),
        RUN_TEST(lugre, bristles_converge_with_second_order),
        RUN_TEST(lugre, holds_a_block_below_mu_s_without_creep),
        RUN_TEST(lugre, lets_a_block_slide_above_mu_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
