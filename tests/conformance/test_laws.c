/* What every contact law keeps, over the lists of laws and 1000 random states each. Normal laws: they never pull, are
 * zero apart, their derivatives are derivatives, what is stored comes back, damping only takes. Friction laws: they act
 * in the tangent plane, in proportion to the normal force, against the slip and within the cone; their tangents are
 * derivatives; bristles stay short and store no more than was put in. */
#include "support/random.h"

#include "elements/laws/law.h"

enum { SEEDS = 1000 };

#define FOR_EACH_LAW(type, law, kinds)                              \
    for (const carom_kind *const *kind_ = (kinds); *kind_; ++kind_) \
        for (const type *law = (const type *)*kind_; law; law = NULL)

#define FOR_EACH_NORMAL FOR_EACH_LAW(carom_normal_law, law, carom_normal_law_kinds())
#define FOR_EACH_FRICTION FOR_EACH_LAW(carom_friction_law, law, carom_friction_law_kinds())

typedef union law_params {
    carom_linear_law_def linear;
    carom_hertz_law_def hertz;
    carom_line_law_def line;
    carom_power_law_def power;
    carom_kelvin_voigt_law_def kelvin_voigt;
    carom_hysteretic_law_def hysteretic;
    carom_smooth_friction_def smooth;
    carom_coulomb_friction_def coulomb;
    carom_lugre_friction_def lugre;
} law_params;

static double log_uniform(test_rng *rng, double low, double high)
{
    return exp(test_rng_uniform(rng, log(low), log(high)));
}

static bool is(const carom_kind *kind, const char *name)
{
    return strcmp(kind->name, name) == 0;
}

/* ---- normal laws ---------------------------------------------------------------------------------------------- */

typedef struct setting {
    const carom_normal_law *law;
    law_params params;
    law_context context;
    contact_rate c;
} setting;

static const double usual_exponents[] = { 1.0, 1.5, 2.0 };

static double random_exponent(test_rng *rng)
{
    int pick = (int)test_rng_uniform(rng, 0.0, 4.0);
    return pick < 3 ? usual_exponents[pick] : test_rng_uniform(rng, 1.0, 3.0);
}

/* A cylinder on a bar, of soft to hard materials: depths of the tests lie on both sides of where formulas end. */
static law_params random_line(test_rng *rng)
{
    static const double young[] = { 2e6, 70e9 }, poisson[] = { 0.45, 0.3 }, radius[] = { 0.05, 0.0 };
    static const double depth[] = { 0.0, 0.02 };
    bool both = test_rng_uniform(rng, 0.0, 1.0) < 0.5;
    return (law_params){ .line = { .young = { both ? 2 : 1, young },
                                   .poisson = { both ? 2 : 1, poisson },
                                   .radius = { 2, radius },
                                   .depth = { 2, depth },
                                   .length = log_uniform(rng, 1e-3, 1.0),
                                   .plane = both ? CAROM_PLANE_STRESS : CAROM_PLANE_STRAIN } };
}

static law_params random_normal_params(const carom_normal_law *law, test_rng *rng)
{
    double k = log_uniform(rng, 1e3, 1e9);
    double n = random_exponent(rng);
    if (is(&law->kind, "linear")) {
        return (law_params){ .linear = { .k = k } };
    }
    if (is(&law->kind, "hertz")) {
        return (law_params){ .hertz = { .k = k, .n = n } };
    }
    if (is(&law->kind, "line")) {
        return random_line(rng);
    }
    if (is(&law->kind, "power")) {
        double m = test_rng_uniform(rng, 0.0, 1.0) < 0.3 ? 0.0 : random_exponent(rng);
        return (law_params){ .power = { .k = k, .n = n, .chi = k * log_uniform(rng, 1e-3, 10.0), .m = m } };
    }
    if (is(&law->kind, "kelvin-voigt")) {
        double ramp = test_rng_uniform(rng, 0.0, 1.0) < 0.3 ? 0.0 : log_uniform(rng, 1e-5, 1e-2);
        return (law_params){ .kelvin_voigt = { .k = k, .c = k * log_uniform(rng, 1e-5, 1e-1), .ramp = ramp } };
    }
    CHECK(law->kind.size == sizeof(carom_hysteretic_law_def)); /* a new law needs sample parameters */
    return (law_params){ .hysteretic = { .elastic = { .k = k, .n = n }, .v_min = log_uniform(rng, 1e-4, 1e-1) } };
}

/* In contact; speeds of either sign, some much larger than the speed of approach. */
static setting random_setting(const carom_normal_law *law, test_rng *rng)
{
    carom_error err = { 0 };
    setting s = { .law = law, .params = random_normal_params(law, rng) };
    double e = test_rng_uniform(rng, 0.05, 1.0);
    CHECK_OK(law->check(&s.params, e, &err), err);
    s.context = law_context_make(law, &s.params, e);
    s.context.approach = test_rng_uniform(rng, 0.0, 1.0) < 0.2 ? 0.0 : log_uniform(rng, 1e-4, 10.0);
    s.c.gap = -log_uniform(rng, 1e-7, 1e-1);
    s.c.gap_rate = log_uniform(rng, 1e-5, 10.0) * (test_rng_uniform(rng, -1.0, 1.0) < 0.0 ? -1.0 : 1.0);
    return s;
}

static law_force force_of(const setting *s)
{
    return s->law->force(s->c, &s->context, &s->params);
}

static law_force force_at(setting s, double gap, double gap_rate)
{
    s.c = (contact_rate){ gap, gap_rate };
    return force_of(&s);
}

TEST(normal_laws, are_zero_apart)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            law_force touching = force_at(s, 0.0, s.c.gap_rate);
            law_force apart = force_at(s, -s.c.gap, s.c.gap_rate);
            const double all[] = { touching.force,     touching.d_gap, touching.d_gap_rate, touching.elastic,
                                   touching.potential, apart.force,    apart.d_gap,         apart.d_gap_rate,
                                   apart.elastic,      apart.potential };
            for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
                CHECK_NEAR(all[k], 0.0, 0.0);
            }
        }
    }
}

TEST(normal_laws, never_pull_and_their_damping_only_takes)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            law_force f = force_of(&s);
            CHECK_GE(f.force, 0.0);
            CHECK_LE(f.d_gap_rate, 0.0);
            CHECK_GE(f.elastic, 0.0);
            CHECK_GE(-(f.force - f.elastic) * s.c.gap_rate, 0.0);
            CHECK(f.force > 0.0 || (f.d_gap == 0.0 && f.d_gap_rate == 0.0));
            CHECK(isfinite(f.force) && isfinite(f.d_gap) && isfinite(f.d_gap_rate));
            CHECK_NEAR(force_at(s, s.c.gap, 0.0).force, f.elastic, 1e-15 * f.elastic);
        }
    }
}

/* Not where the cut-off lies between the two points. */
static void check_slope(law_force low, law_force high, double step, double expected, double scale)
{
    if (low.force > 0.0 && high.force > 0.0) {
        CHECK_NEAR((high.force - low.force) / step, expected, 3e-5 * scale);
    }
}

TEST(normal_laws, have_exact_derivatives)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            law_force f = force_of(&s);
            double h_gap = -1e-6 * s.c.gap;
            double h_rate = 1e-6 * fabs(s.c.gap_rate);
            double size = f.elastic + fabs(f.force - f.elastic);
            check_slope(force_at(s, s.c.gap - h_gap, s.c.gap_rate), force_at(s, s.c.gap + h_gap, s.c.gap_rate),
                        2.0 * h_gap, f.d_gap, -size / s.c.gap);
            check_slope(force_at(s, s.c.gap, s.c.gap_rate - h_rate), force_at(s, s.c.gap, s.c.gap_rate + h_rate),
                        2.0 * h_rate, f.d_gap_rate, size / fabs(s.c.gap_rate));
        }
    }
}

TEST(normal_laws, elastic_parts_derive_from_the_potential)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            double h = -1e-5 * s.c.gap;
            law_force f = force_of(&s);
            double slope = (force_at(s, s.c.gap - h, s.c.gap_rate).potential -
                            force_at(s, s.c.gap + h, s.c.gap_rate).potential) /
                           (2.0 * h);
            CHECK_NEAR(slope, f.elastic, 1e-8 * f.elastic);
        }
    }
}

/* Derivatives stay finite as the depth goes to zero. */
TEST(normal_laws, have_finite_derivatives_at_first_touch)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            double bound = fabs(force_at(s, s.c.gap, -fabs(s.c.gap_rate)).d_gap) + 1.0;
            for (double gap = s.c.gap; gap < -1e-300; gap *= 1e-3) {
                law_force f = force_at(s, gap, -fabs(s.c.gap_rate));
                CHECK(isfinite(f.force) && isfinite(f.d_gap) && isfinite(f.d_gap_rate));
                if (!is(&law->kind, "kelvin-voigt")) { /* its ramp is steepest in between */
                    CHECK_LE(fabs(f.d_gap), bound * (1.0 + 1e-12));
                }
            }
        }
    }
}

TEST(normal_laws, do_not_depend_on_constants_worked_out_before)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            law_force f = force_of(&s);
            CHECK_EQ(s.context.constants.known, law->constants != NULL);
            s.context.constants = (law_constants){ 0 };
            law_force again = force_of(&s);
            CHECK(memcmp(&f, &again, sizeof f) == 0);
        }
    }
}

TEST(normal_laws, that_do_not_remember_take_no_notice_of_the_approach)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, law->remembers_approach ? 0 : SEEDS) {
            setting s = random_setting(law, &rng);
            law_force f = force_of(&s);
            s.context.approach = log_uniform(&rng, 1e-3, 1e3);
            CHECK_NEAR(force_of(&s).force, f.force, 0.0);
        }
    }
}

/* An impact by Heun's method of third order, with steps that resolve elastic and damping forces: what the ledger books is
 * what the motion has lost, also where heavy damping leaves the body stuck. */
typedef struct impact {
    double p, rate, lost;
} impact;

static impact impact_rate(const setting *s, impact x, double mass)
{
    law_force f = force_at(*s, -x.p, -x.rate);
    return (impact){ x.rate, -f.force / mass, (f.force - f.elastic) * x.rate };
}

static impact impact_moved(impact x, double h, impact rate)
{
    return (impact){ x.p + h * rate.p, x.rate + h * rate.rate, x.lost + h * rate.lost };
}

static impact impact_step(const setting *s, impact x, double mass, double h)
{
    impact k1 = impact_rate(s, x, mass);
    impact k2 = impact_rate(s, impact_moved(x, h / 3.0, k1), mass);
    impact k3 = impact_rate(s, impact_moved(x, 2.0 * h / 3.0, k2), mass);
    return impact_moved(impact_moved(x, 0.25 * h, k1), 0.75 * h, k3);
}

TEST(normal_laws, lose_in_an_impact_what_the_ledger_books)
{
    TEST_UNUSED();
    const double mass = 0.7;
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, 20) {
            setting s = random_setting(law, &rng);
            double speed = log_uniform(&rng, 0.1, 3.0);
            s.context.approach = speed;
            double energy = 0.5 * mass * speed * speed;
            double depth = law_depth_for_energy(law, &s.params, energy);
            double resistance = fabs(force_at(s, -depth, -speed).d_gap_rate);
            double h = fmin(law_contact_time(law, &s.params, mass, speed) / 2000.0, 0.01 * mass / resistance);
            impact x = { .p = 1e-12, .rate = speed };
            for (int k = 0; k < 8000 && x.p > 0.0; ++k) {
                x = impact_step(&s, x, mass, h);
                CHECK_LE(x.p, depth * (1.0 + 1e-6));
            }
            double left = 0.5 * mass * x.rate * x.rate + force_at(s, -x.p, 0.0).potential;
            CHECK_NEAR(left + x.lost, energy, 1e-3 * energy);
            CHECK_GE(x.lost, -1e-9 * energy);
        }
    }
}

TEST(normal_laws, depth_for_energy_inverts_the_potential)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(law, &rng);
            double stored = force_of(&s).potential;
            CHECK_NEAR(law_depth_for_energy(law, &s.params, stored), -s.c.gap, -1e-14 * s.c.gap);
        }
    }
}

/* Defaults lack a stiffness, which nobody can guess: refused, with the remedy; so are all numbers that are none. */
TEST(normal_laws, refuse_missing_stiffness_and_numbers_that_are_none)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        carom_error err = { 0 };
        CHECK_EQ(law->check(law->kind.defaults, 1.0, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, law->kind.name);
        CHECK_CONTAINS(err.message, "give");
        test_rng rng = test_rng_seed(1);
        for (const carom_field *f = law->kind.fields; f->name; ++f) {
            law_params params = random_normal_params(law, &rng);
            if (f->kind == CAROM_FIELD_REAL) {
                *(double *)((char *)&params + f->offset) = (double)NAN;
                CHECK_EQ(law->check(&params, 0.5, &err), CAROM_BAD_INPUT);
                *(double *)((char *)&params + f->offset) = HUGE_VAL;
                CHECK_EQ(law->check(&params, 0.5, &err), CAROM_BAD_INPUT);
                *(double *)((char *)&params + f->offset) = -1.0;
                CHECK_EQ(law->check(&params, 0.5, &err), CAROM_BAD_INPUT);
            }
        }
    }
}

TEST(normal_laws, let_nan_through)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        test_rng rng = test_rng_seed(3);
        setting s = random_setting(law, &rng);
        CHECK(isnan(force_at(s, (double)NAN, -1.0).force));
    }
}

/* ---- friction laws -------------------------------------------------------------------------------------------- */

typedef struct rub {
    const carom_friction_law *law;
    law_params params;
    friction_input in;
    v3 n;
} rub;

static law_params random_friction_params(const carom_friction_law *law, test_rng *rng)
{
    double mu_s = test_rng_uniform(rng, 0.05, 1.0);
    double mu_d = mu_s * test_rng_uniform(rng, 0.5, 1.0);
    double v_s = log_uniform(rng, 1e-4, 1e-1);
    if (is(&law->kind, "coulomb")) {
        return (law_params){ .coulomb = { .mu = mu_s, .v_e = v_s } };
    }
    if (is(&law->kind, "smooth")) {
        return (law_params){ .smooth = { mu_s, mu_d, v_s, v_s * test_rng_uniform(rng, 1.1, 5.0) } };
    }
    if (is(&law->kind, "lugre")) {
        return (law_params){ .lugre = { .mu_s = mu_s,
                                        .mu_d = mu_d,
                                        .v_s = v_s,
                                        .sigma_0 = log_uniform(rng, 1e3, 1e6),
                                        .sigma_1 = test_rng_uniform(rng, 0.0, 9.3) * mu_d / v_s,
                                        .sigma_2 = test_rng_uniform(rng, 0.0, 1.0) } };
    }
    CHECK(is(&law->kind, "none")); /* a new law needs sample parameters */
    return (law_params){ .linear = { 0.0 } };
}

static v3 tangential(v3 v, v3 n)
{
    return v3_axpy(v, -v3_dot(v, n), n);
}

/* A slip of 0.01 to 100 times the speed of the law, a bristle that the law could have bent, a step of any length. */
static rub random_rub(const carom_friction_law *law, test_rng *rng)
{
    carom_error err = { 0 };
    rub r = { .law = law, .params = random_friction_params(law, rng), .n = random_direction(rng) };
    CHECK_OK(law->check(&r.params, &err), err);
    double v_s = is(&law->kind, "coulomb")  ? r.params.coulomb.v_e
                 : is(&law->kind, "smooth") ? r.params.smooth.v_s
                 : is(&law->kind, "lugre")  ? r.params.lugre.v_s
                                            : 1.0;
    double speed = v_s * log_uniform(rng, 1e-2, 1e2);
    r.in.slip = v3_scale(speed, v3_unit(tangential(random_direction(rng), r.n)));
    r.in.slip_begin = tangential(random_v3(rng, speed), r.n);
    r.in.normal = log_uniform(rng, 1e-2, 1e4);
    r.in.dt = test_rng_uniform(rng, 0.0, 1.0) < 0.2 ? 0.0 : log_uniform(rng, 1e-7, 1e-1);
    if (law->has_bristles) {
        double longest = r.params.lugre.mu_s / r.params.lugre.sigma_0;
        v3 z = v3_unit(tangential(random_direction(rng), r.n));
        r.in.bristle = v3_scale(longest * test_rng_uniform(rng, 0.0, 1.0), z);
    }
    return r;
}

static friction_force friction_of(const rub *r)
{
    return r->law->force(&r->in, &r->params);
}

/* Every law with friction has two speeds, in their order. */
TEST(friction_laws, tell_sticking_from_sliding)
{
    FOR_EACH_FRICTION
    {
        CHECK(law->speeds || is(&law->kind, "none"));
        FOR_EACH_SEED(rng, law->speeds ? SEEDS : 0) {
            law_params params = random_friction_params(law, &rng);
            friction_speeds s = law->speeds(&params);
            CHECK(s.stick > 0.0 && s.stick <= s.slide && isfinite(s.slide));
        }
    }
}

TEST(friction_laws, act_in_the_tangent_plane_in_proportion_to_the_normal_force)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, SEEDS) {
            rub r = random_rub(law, &rng);
            friction_force f = friction_of(&r);
            double size = v3_norm(f.force);
            CHECK_NEAR(v3_dot(f.force, r.n), 0.0, 1e-13 * size);
            CHECK_NEAR(v3_dot(f.bristle, r.n), 0.0, 1e-13 * v3_norm(f.bristle));
            r.in.normal *= 2.0;
            friction_force twice = friction_of(&r);
            CHECK_NEAR(v3_norm(v3_axpy(twice.force, -2.0, f.force)), 0.0, 1e-13 * size);
            r.in.normal = 0.0;
            CHECK_NEAR(v3_norm(friction_of(&r).force), 0.0, 0.0);
        }
    }
}

static double largest_mu(const rub *r)
{
    return is(&r->law->kind, "none")      ? 0.0
           : is(&r->law->kind, "coulomb") ? r->params.coulomb.mu
                                          : fmax(r->params.smooth.mu_s, r->params.smooth.mu_d);
}

TEST(friction_laws, without_bristles_oppose_the_slip_within_the_cone)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, law->has_bristles ? 0 : SEEDS) {
            rub r = random_rub(law, &rng);
            friction_force f = friction_of(&r);
            double size = v3_norm(f.force);
            CHECK_NEAR(v3_dot(f.force, r.in.slip), -size * v3_norm(r.in.slip), 1e-13 * size * v3_norm(r.in.slip));
            CHECK_LE(size, largest_mu(&r) * r.in.normal * (1.0 + 1e-14));
            CHECK_NEAR(v3_norm(f.bristle), 0.0, 0.0);
        }
    }
}

/* -d . (force for slip + h d - force for slip - h d)/(2h) */
static double slope_along(rub r, v3 d)
{
    double h = 1e-6 * v3_norm(r.in.slip);
    v3 slip = r.in.slip;
    r.in.slip = v3_axpy(slip, h, d);
    v3 ahead = friction_of(&r).force;
    r.in.slip = v3_axpy(slip, -h, d);
    v3 behind = friction_of(&r).force;
    return -v3_dot(d, v3_sub(ahead, behind)) / (2.0 * h);
}

TEST(friction_laws, have_exact_tangents_but_for_what_would_be_negative)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, SEEDS) {
            rub r = random_rub(law, &rng);
            friction_force f = friction_of(&r);
            v3 t = v3_unit(r.in.slip);
            double along = slope_along(r, t);
            double across = slope_along(r, v3_cross(r.n, t));
            double scale = fabs(along) + fabs(across) + v3_norm(f.force) / v3_norm(r.in.slip);
            CHECK_NEAR(f.along, fmax(along, 0.0), 1e-6 * scale);
            CHECK_NEAR(f.across, fmax(across, 0.0), 1e-6 * scale);
        }
    }
}

TEST(friction_laws, have_one_tangent_at_zero_slip)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, SEEDS) {
            rub r = random_rub(law, &rng);
            r.in.slip = r.in.slip_begin = v3_zero();
            r.in.bristle = v3_zero();
            friction_force f = friction_of(&r);
            CHECK_NEAR(v3_norm(f.force), 0.0, 0.0);
            CHECK_NEAR(f.along, f.across, 0.0);
            r.in.slip = v3_scale(1e-12, v3_across(r.n));
            CHECK_NEAR(friction_of(&r).along, f.along, 1e-6 * f.along);
            CHECK_NEAR(friction_of(&r).across, f.across, 1e-6 * f.across);
        }
    }
}

TEST(friction_laws, with_bristles_keep_them_short)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, law->has_bristles ? SEEDS : 0) {
            rub r = random_rub(law, &rng);
            double longest = r.params.lugre.mu_s / r.params.lugre.sigma_0;
            CHECK_LE(v3_norm(friction_of(&r).bristle), longest * (1.0 + 1e-14));
            r.in.dt = 1e6;
            r.in.slip_begin = r.in.slip = v3_scale(1e6, r.in.slip);
            CHECK_LE(v3_norm(friction_of(&r).bristle), longest * (1.0 + 1e-14));
        }
    }
}

/* At an instant: power of friction <= -d/dt of N sigma_0 z^2/2, for every admissible sigma_1. */
TEST(friction_laws, with_bristles_are_passive)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        FOR_EACH_SEED(rng, law->has_bristles ? 10 * SEEDS : 0) {
            rub r = random_rub(law, &rng);
            const carom_lugre_friction_def *def = &r.params.lugre;
            r.in.dt = 0.0;
            friction_force f = friction_of(&r);
            double v = v3_norm(r.in.slip);
            double g = def->mu_d + (def->mu_s - def->mu_d) * exp(-v * v / (def->v_s * def->v_s));
            v3 z_rate = v3_axpy(r.in.slip, -def->sigma_0 * v / g, r.in.bristle);
            double stored_rate = r.in.normal * def->sigma_0 * v3_dot(r.in.bristle, z_rate);
            double power = -v3_dot(f.force, r.in.slip);
            CHECK_GE(power - stored_rate, -1e-12 * (fabs(power) + fabs(stored_rate)));
        }
    }
}

TEST(friction_laws, refuse_numbers_that_are_none)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        carom_error err = { 0 };
        CHECK_OK(law->check(law->kind.defaults, &err), err);
        test_rng rng = test_rng_seed(1);
        for (const carom_field *f = law->kind.fields; f->name; ++f) {
            const double bad[] = { (double)NAN, HUGE_VAL, -1.0 };
            for (int k = 0; k < 3; ++k) {
                law_params params = random_friction_params(law, &rng);
                *(double *)((char *)&params + f->offset) = bad[k];
                CHECK_EQ(law->check(&params, &err), CAROM_BAD_INPUT);
                CHECK_CONTAINS(err.message, f->name);
                CHECK_CONTAINS(err.message, law->kind.name);
            }
        }
    }
}

TEST(friction_laws, let_nan_through)
{
    TEST_UNUSED();
    FOR_EACH_FRICTION
    {
        test_rng rng = test_rng_seed(3);
        rub r = random_rub(law, &rng);
        r.in.slip.y = (double)NAN;
        friction_force f = friction_of(&r);
        CHECK((isnan(f.force.y) && isnan(f.across)) || is(&law->kind, "none"));
    }
}

/* ---- both ----------------------------------------------------------------------------------------------------- */

static void check_tables(const carom_kind *const *kinds)
{
    for (const carom_kind *const *kind = kinds; *kind; ++kind) {
        int shorthands = 0;
        CHECK((*kind)->doc && (*kind)->doc[strlen((*kind)->doc) - 1] == '.');
        for (const carom_field *f = (*kind)->fields; f->name; ++f) {
            CHECK(f->doc && f->doc[strlen(f->doc) - 1] == '.');
            CHECK(f->offset + sizeof(double) <= (*kind)->size);
            shorthands += (f->flags & CAROM_SHORTHAND) != 0;
            for (const carom_field *other = (*kind)->fields; other != f; ++other) {
                CHECK(other->offset != f->offset && strcmp(other->name, f->name) != 0);
            }
        }
        CHECK_LE(shorthands, 1);
        for (const carom_kind *const *other = kinds; other != kind; ++other) {
            CHECK(strcmp((*other)->name, (*kind)->name) != 0);
        }
    }
}

TEST(laws, have_complete_tables)
{
    TEST_UNUSED();
    check_tables(carom_normal_law_kinds());
    check_tables(carom_friction_law_kinds());
}

TEST(laws, are_found_by_their_names)
{
    TEST_UNUSED();
    FOR_EACH_NORMAL
    {
        CHECK(carom_normal_law_find(law->kind.name) == law);
    }
    FOR_EACH_FRICTION
    {
        CHECK(carom_friction_law_find(law->kind.name) == law);
    }
    CHECK(!carom_normal_law_find("none") && !carom_normal_law_find("coulomb") && !carom_normal_law_find(NULL));
    CHECK(!carom_friction_law_find("hertz") && !carom_friction_law_find(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(normal_laws, are_zero_apart),
        RUN_TEST(normal_laws, never_pull_and_their_damping_only_takes),
        RUN_TEST(normal_laws, have_exact_derivatives),
        RUN_TEST(normal_laws, elastic_parts_derive_from_the_potential),
        RUN_TEST(normal_laws, have_finite_derivatives_at_first_touch),
        RUN_TEST(normal_laws, do_not_depend_on_constants_worked_out_before),
        RUN_TEST(normal_laws, that_do_not_remember_take_no_notice_of_the_approach),
        RUN_TEST(normal_laws, lose_in_an_impact_what_the_ledger_books),
        RUN_TEST(normal_laws, depth_for_energy_inverts_the_potential),
        RUN_TEST(normal_laws, refuse_missing_stiffness_and_numbers_that_are_none),
        RUN_TEST(normal_laws, let_nan_through),
        RUN_TEST(friction_laws, tell_sticking_from_sliding),
        RUN_TEST(friction_laws, act_in_the_tangent_plane_in_proportion_to_the_normal_force),
        RUN_TEST(friction_laws, without_bristles_oppose_the_slip_within_the_cone),
        RUN_TEST(friction_laws, have_exact_tangents_but_for_what_would_be_negative),
        RUN_TEST(friction_laws, have_one_tangent_at_zero_slip),
        RUN_TEST(friction_laws, with_bristles_keep_them_short),
        RUN_TEST(friction_laws, with_bristles_are_passive),
        RUN_TEST(friction_laws, refuse_numbers_that_are_none),
        RUN_TEST(friction_laws, let_nan_through),
        RUN_TEST(laws, have_complete_tables),
        RUN_TEST(laws, are_found_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
