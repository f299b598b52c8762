/* Contact laws of a program: copies of carom's own laws give the same bits, what breaks the contract is refused. */
#include <carom/carom.h>

#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

/* ---- copies ------------------------------------------------------------------------------------------------------- */

static const double hertz_numbers[] = { 1e6 };

static void hertz(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)context;
    double p = -in->gap;
    if (p <= 0.0) {
        return;
    }
    out->force = in->numbers[0] * (p * sqrt(p));
    out->d_gap = -1.5 * (out->force / p);
    out->elastic = out->force;
    out->potential = out->force * p / 2.5;
}

static const double voigt_numbers[] = { 1e5, 30.0, 1e-4 }; /* k, c, ramp */

static void kelvin_voigt(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)context;
    double p = -in->gap;
    if (p <= 0.0) {
        return;
    }
    double x = p / in->numbers[2];
    double grown = x < 1.0 ? x * x * (3.0 - 2.0 * x) : 1.0;
    double growth = x < 1.0 ? 6.0 * x * (1.0 - x) / in->numbers[2] : 0.0;
    out->elastic = in->numbers[0] * p;
    out->potential = out->elastic * p / 2.0;
    out->force = out->elastic + -in->numbers[1] * grown * in->gap_rate;
    out->d_gap = -1.0 * (out->elastic / p) + in->numbers[1] * growth * in->gap_rate;
    out->d_gap_rate = -in->numbers[1] * grown;
    if (out->force <= 0.0) {
        out->force = out->d_gap = out->d_gap_rate = 0.0;
    }
}

/* k p^1.5 (1 + 1.5 (1 - e) p'/v0), as hunt-crossley has it. */
static void hunt_crossley(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)context;
    hertz(out, in, context);
    double v0 = fmax(in->approach, 1e-3);
    double a = 1.5 * (1.0 - in->restitution) / v0;
    double factor = 1.0 - a * in->gap_rate;
    if (factor <= 0.0) {
        out->force = out->d_gap = 0.0;
        return;
    }
    out->d_gap_rate = -a * out->elastic;
    out->force = out->elastic * factor;
    out->d_gap *= factor;
}

/* mu v / sqrt(v^2 + v_e^2) */
static const double coulomb_numbers[] = { 0.3, 1e-3 };

static void coulomb(carom_user_friction_output *out, const carom_user_friction_input *in, void *context)
{
    (void)context;
    double rounded = hypot(in->speed, in->numbers[1]);
    double share = in->numbers[1] / rounded;
    out->mu = in->numbers[0] * in->speed / rounded;
    out->slope = in->numbers[0] / rounded * share * share;
}

static carom_user_normal_law_def law_of(carom_user_normal_law *force, const double *numbers, size_t count)
{
    return (carom_user_normal_law_def){ .name = "own", .version = 1, .numbers = { count, numbers }, .force = force };
}

static const carom_user_friction_law_def own_coulomb = { .name = "own friction",
                                                         .numbers = { 2, coulomb_numbers },
                                                         .friction = coulomb,
                                                         .stick = 1e-3,
                                                         .slide = 2e-3,
                                                         .coefficient = 0.3 };

static carom_spec *with_laws(const char *const *overrides, const carom_user_normal_law_def *law,
                             const carom_user_friction_law_def *friction)
{
    carom_error err = { 0 };
    carom_spec *spec = scene_read("thrown_ball.json", overrides);
    if (law) {
        CHECK_OK(carom_spec_add_normal_law(spec, law, &err), err);
    }
    if (friction) {
        CHECK_OK(carom_spec_add_friction_law(spec, friction, &err), err);
    }
    return spec;
}

static void check_same_bits(const sim *a, const sim *b)
{
    carom_state_view x = carom_view(a->model, a->state);
    carom_state_view y = carom_view(b->model, b->state);
    CHECK_EQ(memcmp(x.poses, y.poses, x.body_count * x.pose_stride * sizeof(double)), 0);
    CHECK_EQ(memcmp(x.velocities, y.velocities, x.body_count * x.velocity_stride * sizeof(double)), 0);
    CHECK_EQ(a->steps, b->steps);
}

typedef struct copied {
    const char *listed; /* override that takes carom's own law */
    carom_user_normal_law *force;
    const double *numbers;
    size_t count;
} copied;

TEST(user_law, copies_give_the_same_bits_as_the_laws_of_carom)
{
    const copied copies[] = {
        { "contact.law={\"hertz\": {\"k\": 1e6}}", hertz, hertz_numbers, 1 },
        { "contact.law={\"kelvin-voigt\": {\"k\": 1e5, \"c\": 30, \"ramp\": 1e-4}}", kelvin_voigt, voigt_numbers, 3 },
    };
    static const char *const integrators[] = { "time.integrator=generalized-alpha", "time.integrator=runge-kutta" };
    for (int k = 0; k < 4; ++k) {
        const copied *c = &copies[k / 2];
        const char *const theirs[] = { integrators[k % 2], c->listed, NULL };
        const char *const mine[] = { integrators[k % 2], NULL };
        const carom_user_normal_law_def law = law_of(c->force, c->numbers, c->count);
        sim own = sim_start(with_laws(mine, &law, NULL), 1);
        sim listed = sim_start(with_laws(theirs, NULL, NULL), 1);
        sim_advance(&own, 0.5);
        sim_advance(&listed, 0.5);
        CHECK_GE(sim_ledger(&own).lost_contact, k < 2 ? -1e-6 : 0.1);
        check_same_bits(&own, &listed);
        sim_end(&own);
        sim_end(&listed);
    }
}

TEST(user_law, copy_that_remembers_the_approach_and_copied_friction_agree_to_rounding)
{
    const char *const theirs[] = { "contact.law={\"hunt-crossley\": {\"k\": 1e6, \"v_min\": 1e-3}}",
                                   "contact.friction={\"coulomb\": {\"mu\": 0.3, \"v_e\": 1e-3}}", NULL };
    const char *const mine[] = { "contact.friction={\"user\": \"own friction\"}", NULL };
    carom_user_normal_law_def law = law_of(hunt_crossley, hertz_numbers, 1);
    law.remembers_approach = law.uses_restitution = true;
    sim own = sim_start(with_laws(mine, &law, &own_coulomb), 1);
    sim listed = sim_start(with_laws(theirs, NULL, NULL), 1);
    sim_advance(&own, 0.5);
    sim_advance(&listed, 0.5);
    carom_v3 off = sim_difference(sim_position(&own, "ball"), sim_position(&listed, "ball"));
    CHECK_NEAR(sim_norm(off), 0.0, 1e-9);
    carom_ledger ledger = sim_ledger(&own);
    CHECK_NEAR(ledger.lost_friction, sim_ledger(&listed).lost_friction, 1e-8);
    CHECK(ledger.lost_friction > 0.1 && ledger.lost_contact > 0.1);
    sim_end(&own);
    sim_end(&listed);
}

/* Exact friction takes the coefficient. */
TEST(user_law, impact_takes_the_coefficient_of_a_friction_law)
{
    const char *const theirs[] = { "contact.method=impact", "contact.friction=0.3", NULL };
    const char *const mine[] = { "contact.method=impact", "contact.friction={\"user\": \"own friction\"}", NULL };
    const carom_user_normal_law_def law = law_of(hertz, hertz_numbers, 1);
    sim own = sim_start(with_laws(mine, &law, &own_coulomb), 1);
    sim listed = sim_start(with_laws(theirs, &law, NULL), 1);
    sim_advance(&own, 0.5);
    sim_advance(&listed, 0.5);
    check_same_bits(&own, &listed);
    sim_end(&own);
    sim_end(&listed);
}

/* ---- names, numbers, identity ------------------------------------------------------------------------------------- */

TEST(user_law, pair_may_name_the_law_with_numbers_of_its_own)
{
    const char *const pair[] = {
        "contact.law={\"linear\": {\"k\": 10}}",
        "contact.pairs=[{\"between\": [\"rubber\", \"stone\"], \"law\": {\"user\": {\"name\": \"own\", "
        "\"numbers\": [2e6]}}}]",
        NULL
    };
    const char *const listed[] = { "contact.law={\"hertz\": {\"k\": 2e6}}", NULL };
    const carom_user_normal_law_def law = law_of(hertz, hertz_numbers, 1);
    sim own = sim_start(with_laws(pair, &law, NULL), 1);
    sim theirs = sim_start(with_laws(listed, NULL, NULL), 1);
    sim_advance(&own, 0.3);
    sim_advance(&theirs, 0.3);
    check_same_bits(&own, &theirs);
    sim_end(&own);
    sim_end(&theirs);
}

TEST(user_law, program_refers_to_it_without_a_file)
{
    const carom_user_normal_law_def law = law_of(hertz, hertz_numbers, 1);
    const carom_user_law_def by_name = { .name = "own" };
    const char *const other[] = { "contact.law={\"linear\": {\"k\": 10}}", NULL };
    carom_spec *spec = with_laws(other, &law, NULL);
    carom_scene_def scene = *carom_spec_scene(spec);
    carom_error err = { 0 };
    scene.contact.interaction.law = (carom_choice){ .kind = "user", .params = &by_name };
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    sim own = sim_start(spec, 1);
    sim file = sim_start(with_laws(NULL, &law, NULL), 1);
    sim_advance(&own, 0.3);
    sim_advance(&file, 0.3);
    CHECK_EQ(carom_state_hash(own.state), carom_state_hash(file.state));
    sim_end(&own);
    sim_end(&file);
}

TEST(user_law, identity_decides_whether_a_state_fits_the_model)
{
    const double other[] = { 2e6 };
    carom_user_normal_law_def laws[4];
    for (int k = 0; k < 4; ++k) {
        laws[k] = law_of(hertz, hertz_numbers, 1);
    }
    laws[1].context = laws;
    laws[2].version = 7;
    laws[3].numbers.data = other;
    sim first = sim_start(with_laws(NULL, &laws[0], NULL), 1);
    for (int k = 1; k < 4; ++k) {
        sim s = sim_start(with_laws(NULL, &laws[k], NULL), 1);
        CHECK_EQ(carom_state_copy(s.state, first.state), k == 1 ? CAROM_OK : CAROM_BAD_INPUT);
        sim_end(&s);
    }
    sim_end(&first);
}

TEST(user_law, law_that_no_program_gives_is_refused_by_name)
{
    static const char *const places[][2] = {
        { NULL, "contact.law" },
        { "contact={\"method\": \"impact\", \"friction\": {\"user\": \"sand\"}}", "contact.friction" },
        { "contact={\"method\": \"impact\", \"pairs\": [{\"between\": [\"ball\", \"floor\"], \"law\": {\"user\": "
          "\"sand\"}}]}",
          "contact.pairs[0].law" },
    };
    for (int k = 0; k < 3; ++k) {
        const char *const overrides[] = { places[k][0], NULL };
        carom_spec *spec = scene_read("thrown_ball.json", overrides);
        carom_model *model = NULL;
        carom_error err = { 0 };
        CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, k == 0 ? "the law 'own' has to come from a program" : "the law 'sand' has to");
        CHECK_TEXT(err.path, places[k][1]);
        carom_spec_destroy(spec);
    }
}

/* ---- misuse ------------------------------------------------------------------------------------------------------- */

TEST(user_law, definitions_that_cannot_work_are_refused)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    const double nan[] = { (double)NAN };
    const carom_user_normal_law_def good = law_of(hertz, hertz_numbers, 1);
    carom_user_normal_law_def bad[6];
    for (int k = 0; k < 6; ++k) {
        bad[k] = good;
    }
    bad[0].name = NULL;
    bad[1].name = "hertz";
    bad[2].force = NULL;
    bad[3].numbers = (carom_reals){ 1, NULL };
    bad[4].numbers.data = nan;
    bad[5].probe_depth = -1.0;
    static const char *const why[] = { "name is missing",    "carom has itself", "no function",
                                       "has a count but no", "must be a number", "must not be negative" };
    for (int k = 0; k < 6; ++k) {
        CHECK_EQ(carom_spec_add_normal_law(spec, &bad[k], &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, why[k]);
    }
    CHECK_OK(carom_spec_add_normal_law(spec, &good, &err), err);
    CHECK_EQ(carom_spec_add_normal_law(spec, &good, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "has a law 'own' already");

    carom_user_friction_law_def rough = own_coulomb;
    rough.name = "coulomb";
    CHECK_EQ(carom_spec_add_friction_law(spec, &rough, &err), CAROM_BAD_INPUT);
    rough = own_coulomb, rough.friction = NULL;
    CHECK_EQ(carom_spec_add_friction_law(spec, &rough, &err), CAROM_BAD_INPUT);
    rough = own_coulomb, rough.stick = 0.0;
    CHECK_EQ(carom_spec_add_friction_law(spec, &rough, &err), CAROM_BAD_INPUT);
    rough = own_coulomb, rough.slide = 1e-4;
    CHECK_EQ(carom_spec_add_friction_law(spec, &rough, &err), CAROM_BAD_INPUT);
    CHECK_OK(carom_spec_add_friction_law(spec, &own_coulomb, &err), err);
    CHECK_EQ(carom_spec_add_friction_law(spec, &own_coulomb, &err), CAROM_BAD_INPUT);
    carom_spec_destroy(spec);
}

/* One way each to break the contract; context says which. */
typedef enum breach { PULLS, FAR, D_GAP, D_RATE, POTENTIAL, GAINS, NOT_FINITE, MOODY, ANTI, BREACHES } breach;

static void broken(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    switch (*(const breach *)context) {
    case PULLS: /* a damper that is not cut off */
        kelvin_voigt(out, in, NULL);
        if (in->gap < 0.0 && out->force == 0.0) {
            out->force = out->elastic - in->numbers[1] * in->gap_rate;
            out->d_gap = -in->numbers[0];
            out->d_gap_rate = -in->numbers[1];
        }
        break;
    case FAR: /* acts at a distance */
        hertz(out, in, NULL);
        out->force += in->gap >= 0.0 && in->gap < 1e-4 ? 1.0 : 0.0;
        break;
    case D_GAP:
        hertz(out, in, NULL);
        out->d_gap *= 1.01;
        break;
    case D_RATE:
        kelvin_voigt(out, in, NULL);
        out->d_gap_rate *= 0.5;
        break;
    case POTENTIAL:
        hertz(out, in, NULL);
        out->potential *= 2.0;
        break;
    case GAINS: /* pushes more when leaving */
        hertz(out, in, NULL);
        out->force *= 1.0 + 0.1 * fmax(0.0, in->gap_rate);
        out->d_gap *= 1.0 + 0.1 * fmax(0.0, in->gap_rate);
        break;
    case NOT_FINITE:
        hertz(out, in, NULL);
        out->force = in->gap < -5e-4 ? (double)NAN : out->force;
        break;
    case MOODY: /* stores more when it moves */
        hertz(out, in, NULL);
        out->potential *= 1.0 + in->gap_rate * in->gap_rate;
        break;
    case ANTI: /* an elastic force that sucks, balanced by damping */
        hertz(out, in, NULL);
        out->elastic = -out->elastic;
        out->potential = -out->potential;
        break;
    case BREACHES:
        break;
    }
}

TEST(user_law, law_that_breaks_its_contract_is_refused_with_numbers)
{
    static const char *const why[BREACHES] = { "the force is -",       "the force is 1 and must be 0",
                                               "d_gap is -",           "d_gap_rate is -",
                                               "-d(potential)/d(gap)", "the dissipation is -",
                                               "must be finite",       "of another gap rate",
                                               "elastic is -" };
    for (breach k = PULLS; k < BREACHES; ++k) {
        carom_user_normal_law_def law = law_of(broken, k == PULLS || k == D_RATE ? voigt_numbers : hertz_numbers, 3);
        law.numbers.count = k == PULLS || k == D_RATE ? 3 : 1;
        law.context = &k;
        carom_spec *spec = with_laws(NULL, &law, NULL);
        carom_model *model = NULL;
        carom_error err = { 0 };
        CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "the contact law 'own' breaks its contract at a gap of ");
        CHECK_CONTAINS(err.message, why[k]);
        CHECK_TEXT(err.path, "contact.law");
        carom_spec_destroy(spec);
    }
}

static void broken_friction(carom_user_friction_output *out, const carom_user_friction_input *in, void *context)
{
    coulomb(out, in, NULL);
    switch (*(const int *)context) {
    case 0: /* sticks by magic */
        out->mu = in->speed > 0.0 ? out->mu : 0.3;
        break;
    case 1: /* drives */
        out->mu = in->speed > 1e-2 ? -out->mu : out->mu;
        out->slope = in->speed > 1e-2 ? -out->slope : out->slope;
        break;
    default:
        out->slope *= 2.0;
    }
}

TEST(user_law, friction_that_breaks_its_contract_is_refused_with_numbers)
{
    static const char *const why[] = { "mu is 0.3 and must be 0", "mu is -", "slope is " };
    const char *const overrides[] = { "contact.friction={\"user\": \"own friction\"}", NULL };
    const carom_user_normal_law_def law = law_of(hertz, hertz_numbers, 1);
    for (int k = 0; k < 3; ++k) {
        carom_user_friction_law_def friction = own_coulomb;
        friction.friction = broken_friction;
        friction.context = &k;
        carom_spec *spec = with_laws(overrides, &law, &friction);
        carom_model *model = NULL;
        carom_error err = { 0 };
        CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, why[k]);
        CHECK_TEXT(err.path, "contact.friction");
        carom_spec_destroy(spec);
    }
}

/* Beyond what was tried out, a law may still fail: the step ends and the state stays. */
static void brittle(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    hertz(out, in, context);
    out->force = in->gap < -2e-3 ? (double)NAN : out->force;
}

TEST(user_law, number_that_is_none_ends_the_step)
{
    const double soft[] = { 1e3 };
    const carom_user_normal_law_def law = law_of(brittle, soft, 1);
    sim s = sim_start(with_laws(NULL, &law, NULL), 1);
    carom_error err = { 0 };
    carom_status status = CAROM_OK;
    for (int k = 0; k < 10000 && status == CAROM_OK; ++k) {
        status = carom_step(s.model, s.state, s.scratch, 0.1, NULL, &err);
    }
    CHECK_EQ(status, CAROM_NOT_CONVERGED);
    CHECK_CONTAINS(err.message, "'own'");
    CHECK(isfinite(sim_position(&s, "ball").z));
    sim_end(&s);
}

static void sucking(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    hertz(out, in, context);
    out->force = in->gap < -2e-3 ? -out->force : out->force;
}

static void driving(carom_user_friction_output *out, const carom_user_friction_input *in, void *context)
{
    coulomb(out, in, context);
    out->mu = in->speed > 1.2 ? -out->mu : out->mu;
}

/* The first law pulls, the friction of the second drives, both beyond what was tried out. */
TEST(user_law, force_below_zero_ends_the_step)
{
    const double soft[] = { 1e3 };
    const char *const overrides[] = { "contact.friction={\"user\": \"own friction\"}", NULL };
    for (int k = 0; k < 2; ++k) {
        const carom_user_normal_law_def law = law_of(k == 0 ? sucking : hertz, soft, 1);
        carom_user_friction_law_def friction = own_coulomb;
        friction.friction = driving;
        sim s = sim_start(with_laws(k == 0 ? NULL : overrides, &law, k == 0 ? NULL : &friction), 1);
        carom_error err = { 0 };
        carom_status status = CAROM_OK;
        for (int i = 0; i < 10000 && status == CAROM_OK; ++i) {
            status = carom_step(s.model, s.state, s.scratch, 0.1, NULL, &err);
        }
        CHECK_EQ(status, CAROM_NOT_CONVERGED);
        CHECK_CONTAINS(err.message, k == 0 ? "'own' gives no usable force" : "'own friction') gives no usable force");
        CHECK_CONTAINS(err.message, "below zero");
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(user_law, copies_give_the_same_bits_as_the_laws_of_carom),
        RUN_TEST(user_law, copy_that_remembers_the_approach_and_copied_friction_agree_to_rounding),
        RUN_TEST(user_law, impact_takes_the_coefficient_of_a_friction_law),
        RUN_TEST(user_law, pair_may_name_the_law_with_numbers_of_its_own),
        RUN_TEST(user_law, program_refers_to_it_without_a_file),
        RUN_TEST(user_law, identity_decides_whether_a_state_fits_the_model),
        RUN_TEST(user_law, law_that_no_program_gives_is_refused_by_name),
        RUN_TEST(user_law, definitions_that_cannot_work_are_refused),
        RUN_TEST(user_law, law_that_breaks_its_contract_is_refused_with_numbers),
        RUN_TEST(user_law, friction_that_breaks_its_contract_is_refused_with_numbers),
        RUN_TEST(user_law, number_that_is_none_ends_the_step),
        RUN_TEST(user_law, force_below_zero_ends_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
