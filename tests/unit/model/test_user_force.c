/* Forces of kind "user": a copy of a built-in force moves bodies alike, books balance, what breaks the contract is refused. */
#include <carom/carom.h>

#include "dynamics/integrator.h"
#include "elements/forces/semidefinite.h"
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

/* ---- a spring, written as a user would --------------------------------------------------------------------------- */

enum { STIFFNESS, DAMPING, LENGTH, NUMBERS };

static double dot(carom_v3 a, carom_v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static carom_v3 scaled(double s, carom_v3 a)
{
    return (carom_v3){ s * a.x, s * a.y, s * a.z };
}

static void spring_force(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    (void)context;
    const double *p = in->numbers;
    carom_v3 d = sim_difference(in->b.position, in->a.position);
    double length = sim_norm(d);
    double extension = length - p[LENGTH];
    double rate = dot(d, sim_difference(in->b.velocity, in->a.velocity)) / length;
    out->force = scaled((p[STIFFNESS] * extension + p[DAMPING] * rate) / length, d);
    out->potential = 0.5 * p[STIFFNESS] * extension * extension;
    out->potential_rate = p[STIFFNESS] * extension * rate;
    out->dissipation = p[DAMPING] * rate * rate;
    out->measures[0] = length;
}

/* (k n n^T + T/length (I - n n^T)) between the markers, and c n n^T. */
static void spring_tangent(carom_user_force_tangent *out, const carom_user_force_input *in, void *context)
{
    (void)context;
    const double *p = in->numbers;
    carom_v3 d = sim_difference(in->b.position, in->a.position);
    double length = sim_norm(d);
    double n[3] = { d.x / length, d.y / length, d.z / length };
    double string = fmax(0.0, p[STIFFNESS] * (length - p[LENGTH])) / length;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double K = p[STIFFNESS] * n[i] * n[j] + string * ((i == j) - n[i] * n[j]);
            double D = p[DAMPING] * n[i] * n[j];
            out->stiffness[i][j] = out->stiffness[6 + i][6 + j] = K;
            out->stiffness[i][6 + j] = out->stiffness[6 + i][j] = -K;
            out->damping[i][j] = out->damping[6 + i][6 + j] = D;
            out->damping[i][6 + j] = out->damping[6 + i][j] = -D;
        }
    }
}

static void no_tangent(carom_user_force_tangent *out, const carom_user_force_input *in, void *context)
{
    (void)out, (void)in, (void)context;
}

static const double soft[NUMBERS] = { 300.0, 2.0, 0.5 };
static const carom_user_measure length_measure = { "length", CAROM_DIM_LENGTH };

static carom_user_force_def user_spring(const double *numbers, carom_user_tangent *tangent)
{
    return (carom_user_force_def){ .law = "test spring",
                                   .version = 1,
                                   .numbers = { NUMBERS, numbers },
                                   .measures = { 1, &length_measure },
                                   .force = spring_force,
                                   .tangent = tangent };
}

/* ---- the two blocks ----------------------------------------------------------------------------------------------- */

/* Methods that take fixed steps of an incremental potential take short ones, and solve each to rounding. */
static const char *const minimising[] = { "contact.method=barrier", "contact.tolerance=1e-11", "time.step=5e-4",
                                          NULL };

static const char *const leaping[] = { "contact.method=constraint", "time.step=5e-4", NULL };

/* With this integrator; NULL: the scene's. */
static carom_spec *blocks(const char *integrator)
{
    bool minimises = integrator && integrator_find(integrator)->incremental > 0;
    bool leaps = integrator && integrator_find(integrator)->leaps;
    carom_spec *spec = scene_read("two_blocks.json", minimises ? minimising : leaps ? leaping : NULL);
    carom_error err = { 0 };
    carom_scene_def scene = *carom_spec_scene(spec);
    scene.time.integrator.kind = integrator;
    scene.time.tolerance = 1e-8;
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    return spec;
}

static carom_force_def between(carom_choice force)
{
    carom_force_def def = carom_force_def_default();
    def.name = "tie";
    def.force = force;
    def.attachment.bodies[0] = "upper";
    def.attachment.bodies[1] = "lower";
    def.attachment.frame_a = (carom_frame_def){ true, { 0.05, 0.1, -0.2 }, { 1, 0, 0, 0 } };
    def.attachment.frame_b = (carom_frame_def){ true, { 0.1, 0.0, 0.1 }, { 1, 0, 0, 0 } };
    return def;
}

static sim start(carom_spec *spec, carom_force_def def)
{
    carom_error err = { 0 };
    CHECK_OK(carom_spec_add_force(spec, &def, &err), err);
    return sim_start(spec, 1);
}

static sim start_user(const char *integrator, const carom_user_force_def *force)
{
    return start(blocks(integrator), between((carom_choice){ .kind = "user", .params = force }));
}

static sim start_spring(const char *integrator, const double *numbers)
{
    carom_spring_def def = { .stiffness = numbers[STIFFNESS],
                             .damping = numbers[DAMPING],
                             .free_length = numbers[LENGTH],
                             .force = carom_value_number(0.0) };
    return start(blocks(integrator), between((carom_choice){ .kind = "spring", .params = &def }));
}

TEST(user_force, copy_of_a_spring_moves_bodies_as_the_spring_does)
{
    const carom_user_force_def with = user_spring(soft, spring_tangent);
    const carom_user_force_def without = user_spring(soft, NULL);
    const carom_user_force_def *const defs[] = { &with, &without };
    for (const carom_kind *const *kind = carom_integrator_kinds(); *kind; ++kind) {
        for (int k = 0; k < 2; ++k) {
            printf("  %s %s tangent\n", (*kind)->name, k == 0 ? "with" : "without");
            sim own = start_user((*kind)->name, defs[k]);
            sim spring = start_spring((*kind)->name, soft);
            sim_advance(&spring, 0.5);
            sim_advance(&own, 0.5);
            /* Newton's iterates differ within their tolerance where the tangent does, everything else by rounding. */
            double rounding = 1e-9;
            carom_v3 off = sim_difference(sim_position(&own, "lower"), sim_position(&spring, "lower"));
            CHECK_NEAR(sim_norm(off), 0.0, rounding);
            CHECK_NEAR(sim_signal(&own, "tie.length"), sim_signal(&spring, "tie.length"), rounding);
            CHECK_NEAR(sim_signal(&own, "tie.force"), sim_signal(&spring, "tie.force"), 1e3 * rounding);
            carom_ledger mine = sim_ledger(&own);
            carom_ledger theirs = sim_ledger(&spring);
            CHECK_NEAR(mine.residue, theirs.residue, 1e-6);
            CHECK_NEAR(mine.elastic, theirs.elastic, 1e-6);
            CHECK_NEAR(mine.work_loads, 0.0, 1e-9);
            sim_end(&own);
            sim_end(&spring);
        }
    }
}

/* Without potential and dissipation all its power is work of loads, and the ledger closes as well. */
static void bare_spring(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    spring_force(out, in, context);
    out->potential = out->potential_rate = out->dissipation = 0.0;
    out->torque = (carom_v3){ 0.1, 0.2, -0.1 };
}

TEST(user_force, power_is_work_of_loads_and_momentum_is_kept)
{
    carom_user_force_def def = user_spring(soft, NULL);
    def.force = bare_spring;
    sim s = start_user("runge-kutta", &def);
    sim_advance(&s, 0.5);
    carom_ledger after = sim_ledger(&s);
    CHECK(fabs(after.work_loads) > 0.1);
    CHECK_NEAR(after.residue, 0.0, 1e-6);
    CHECK_LE(sim_norm(after.momentum_residue), 1e-8);
    CHECK_LE(sim_norm(after.angular_momentum_residue), 1e-8);
    sim_end(&s);
}

/* ---- on one body, on a coordinate, with inputs -------------------------------------------------------------------- */

static void thrust(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    *(int *)context += 1;
    out->force = scaled(in->inputs[0] + in->numbers[0], in->a.z);
    out->measures[0] = in->mass;
}

TEST(user_force, on_one_body_sees_marker_mass_inputs_and_context)
{
    int calls = 0;
    const double numbers[] = { 3.0 };
    const carom_user_measure mass = { "mass", CAROM_DIM_MASS };
    carom_user_force_def def = {
        .law = "thrust", .numbers = { 1, numbers }, .measures = { 1, &mass }, .force = thrust, .context = &calls
    };
    carom_force_def place = carom_force_def_default();
    place.name = "rocket";
    place.force = (carom_choice){ .kind = "user", .params = &def };
    place.attachment.bodies[0] = "all";
    sim s = start(blocks("generalized-alpha"), place);
    CHECK_EQ(carom_model_force_count(s.model), 4);
    CHECK_TEXT(carom_model_force_name(s.model, 1), "rocket.upper");
    CHECK_NEAR(sim_signal(&s, "rocket.lower.force"), 3.0, 1e-12);
    CHECK_NEAR(sim_signal(&s, "rocket.lower.mass"), 1.0, 0.0);
    carom_error err = { 0 };
    CHECK_OK(carom_state_set_input(s.model, s.state, 0, 4.0, &err), err);
    CHECK_NEAR(sim_signal(&s, "rocket.lower.force"), 7.0, 1e-12);
    sim_advance(&s, 0.05);
    CHECK_NEAR(sim_ledger(&s).residue, 0.0, 1e-6);
    CHECK(calls > 10);
    sim_end(&s);
}

/* -w^2 m q: 0.5 kg on a rail, so that q = q0 cos(w t). */
static void rail_spring(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    (void)context;
    double k = in->numbers[0];
    double q = in->coordinate - in->numbers[1];
    out->along = -k * q;
    out->potential = 0.5 * k * q * q;
    out->potential_rate = k * q * in->rate;
}

TEST(user_force, on_a_joint_coordinate_swings_as_the_closed_form)
{
    const double numbers[] = { 0.5 * 100.0, -0.1 };
    carom_user_force_def def = { .law = "rail", .numbers = { 2, numbers }, .force = rail_spring };
    for (const carom_kind *const *kind = carom_integrator_kinds(); *kind; ++kind) {
        if (strstr((*kind)->name, "implicit-euler")) {
            continue; /* of first order: compared with the spring above */
        }
        carom_force_def place = carom_force_def_default();
        place.name = "push";
        place.force = (carom_choice){ .kind = "user", .params = &def };
        place.joint = "rail";
        sim s = start(blocks((*kind)->name), place);
        sim_advance(&s, 1.0);
        CHECK_NEAR(sim_signal(&s, "rail.travel"), -0.1 + 0.1 * cos(10.0), 2e-5);
        CHECK_NEAR(sim_ledger(&s).work_loads, 0.0, 1e-12);
        sim_end(&s);
    }
}

/* ---- the tangent --------------------------------------------------------------------------------------------------- */

static long iterations(carom_user_tangent *tangent)
{
    const double stiff[NUMBERS] = { 1e7, 1e4, 0.7228416 }; /* nearly relaxed at the start */
    const carom_user_force_def def = user_spring(stiff, tangent);
    carom_spec *spec = blocks("generalized-alpha");
    carom_error err = { 0 };
    carom_scene_def scene = *carom_spec_scene(spec);
    scene.time.step = 1e-3;
    scene.time.tolerance = 0.0;
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    sim s = start(spec, between((carom_choice){ .kind = "user", .params = &def }));
    sim_advance(&s, 0.01);
    long evaluations = s.evaluations;
    printf("  %s tangent: %ld steps, %ld rejected, %ld evaluations\n",
           tangent == spring_tangent ? "exact"
           : tangent                 ? "no"
                                     : "difference",
           s.steps, s.rejected, evaluations);
    sim_end(&s);
    return evaluations;
}

TEST(user_force, differences_serve_newton_as_well_as_the_exact_tangent)
{
    long exact = iterations(spring_tangent);
    long differences = iterations(NULL);
    long none = iterations(no_tangent);
    CHECK_LE((double)differences, 2.0 * (double)exact);
    CHECK_LE(20.0 * (double)differences, (double)none); /* over 0.1 s: 336, 421 and 327 619 evaluations */
}

TEST(user_force, semidefinite_part_keeps_what_is_positive_and_drops_the_rest)
{
    FOR_EACH_SEED(rng, 50) {
        enum { N = 5, STRIDE = 7 };
        double full[N][STRIDE], part[N][STRIDE];
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j <= i; ++j) {
                full[i][j] = full[j][i] = test_rng_uniform(&rng, -1.0, 1.0);
            }
        }
        memcpy(part, full, sizeof part);
        semidefinite_part(&part[0][0], N, STRIDE);
        for (int trial = 0; trial < 20; ++trial) {
            double x[N], with = 0.0, without = 0.0;
            for (int i = 0; i < N; ++i) {
                x[i] = test_rng_uniform(&rng, -1.0, 1.0);
            }
            for (int r = 0; r < N * N; ++r) {
                with += x[r / N] * full[r / N][r % N] * x[r % N];
                without += x[r / N] * part[r / N][r % N] * x[r % N];
            }
            CHECK_GE(without, -1e-14);
            CHECK_GE(without, with - 1e-14); /* only what is negative was taken away */
        }
        double again[N][STRIDE];
        memcpy(again, part, sizeof again);
        semidefinite_part(&again[0][0], N, STRIDE);
        for (int r = 0; r < N * N; ++r) {
            CHECK_NEAR(again[r / N][r % N], part[r / N][r % N], 1e-14);
        }
    }
    double broken[1] = { (double)NAN };
    semidefinite_part(broken, 1, 1);
    CHECK(broken[0] == 0.0);
}

/* Q diag(values) Q' with a known positive part: many equal eigenvalues, none but zeros, and sizes whose squares do not exist. */
TEST(user_force, semidefinite_part_is_that_of_known_eigenvalues)
{
    enum { N = SEMIDEFINITE_MOST };
    static const double scales[] = { 1.0, 1e-200, 1e200 };
    FOR_EACH_SEED(rng, 60) {
        double full[N][N] = { { 0.0 } }, positive[N][N] = { { 0.0 } };
        double scale = scales[(int)test_rng_uniform(&rng, 0.0, 3.0)];
        double u[N][N];
        for (int k = 0; k < N; ++k) { /* Gram and Schmidt, twice */
            for (int i = 0; i < N; ++i) {
                u[k][i] = test_rng_uniform(&rng, -1.0, 1.0);
            }
            for (int pass = 0; pass < 2; ++pass) {
                for (int n = 0; n <= k; ++n) {
                    double along = 0.0;
                    for (int i = 0; i < N; ++i) {
                        along += u[k][i] * u[n][i];
                    }
                    for (int i = 0; i < N; ++i) {
                        u[k][i] = n < k ? u[k][i] - along * u[n][i] : u[k][i] / sqrt(along);
                    }
                }
            }
            double value = scale * ((int)test_rng_uniform(&rng, 0.0, 5.0) - 2);
            for (int r = 0; r < N * N; ++r) {
                full[r / N][r % N] += value * u[k][r / N] * u[k][r % N];
                positive[r / N][r % N] += (value > 0.0 ? value : 0.0) * u[k][r / N] * u[k][r % N];
            }
        }
        for (int r = 0; r < N * N; ++r) { /* symmetric to the last bit */
            full[r % N][r / N] = full[r / N][r % N];
        }
        semidefinite_part(&full[0][0], N, N);
        for (int r = 0; r < N * N; ++r) {
            CHECK_NEAR(full[r / N][r % N] / scale, positive[r / N][r % N] / scale, 1e-13);
        }
    }
}

/* Parts that nothing ties together, and numbers far below the largest. */
TEST(user_force, semidefinite_part_of_parts_is_the_parts)
{
    double apart[4][4] = { { -3.0, 0, 0, 0 }, { 0, 1e-170, 1e-170, 0 }, { 0, 1e-170, 1e-170, 0 }, { 0, 0, 0, 2.0 } };
    double zero[2][2] = { { 0.0 } };
    semidefinite_part(&apart[0][0], 4, 4);
    CHECK_NEAR(apart[0][0], 0.0, 1e-15);
    CHECK_NEAR(apart[3][3], 2.0, 1e-15);
    semidefinite_part(&zero[0][0], 2, 2);
    CHECK(zero[0][0] == 0.0 && zero[0][1] == 0.0 && zero[1][1] == 0.0);
}

/* ---- identity and misuse ------------------------------------------------------------------------------------------- */

TEST(user_force, identity_decides_whether_a_state_fits_the_model)
{
    const double other[NUMBERS] = { 301.0, 2.0, 0.5 };
    carom_user_force_def defs[5];
    for (int k = 0; k < 5; ++k) {
        defs[k] = user_spring(soft, NULL);
    }
    defs[1].context = &defs;
    defs[2].version = 2;
    defs[3].law = "another spring";
    defs[4].numbers.data = other;
    sim first = start_user(NULL, &defs[0]);
    for (int k = 1; k < 5; ++k) {
        sim s = start_user(NULL, &defs[k]);
        CHECK_EQ(carom_state_copy(s.state, first.state), k == 1 ? CAROM_OK : CAROM_BAD_INPUT);
        sim_end(&s);
    }
    sim_end(&first);
}

static void refused(const carom_user_force_def *force, const char *why)
{
    carom_spec *spec = scene_read("two_blocks.json", NULL);
    carom_error err = { 0 };
    carom_force_def def = between((carom_choice){ .kind = "user", .params = force });
    CHECK_EQ(carom_spec_add_force(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, why);
    CHECK_EQ(carom_spec_force_count(spec), 1);
    carom_spec_destroy(spec);
}

TEST(user_force, definitions_that_cannot_work_are_refused)
{
    const carom_user_force_def good = user_spring(soft, NULL);
    carom_user_measure measures[5] = { { "a", CAROM_DIM_NONE }, { "b", CAROM_DIM_NONE } };
    refused(NULL, "needs `law`");
    carom_user_force_def bad = good;
    bad.law = "";
    refused(&bad, "needs `law`");
    bad = good, bad.force = NULL;
    refused(&bad, "has no function");
    bad = good, bad.measures = (carom_list){ 5, measures };
    refused(&bad, "has 5 measures");
    measures[1].name = "a";
    bad = good, bad.measures = (carom_list){ 2, measures };
    refused(&bad, "two measures");
    measures[1].name = "2b";
    refused(&bad, "letters, digits and _ only");
    bad = good, bad.measures = (carom_list){ 1, NULL };
    refused(&bad, "no entries");
    bad = good, bad.numbers = (carom_reals){ 3, NULL };
    refused(&bad, "no entries");
    const double nan[] = { (double)NAN };
    bad = good, bad.numbers = (carom_reals){ 1, nan };
    refused(&bad, "must be a number");
}

static void breaks(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    double *at = context;
    out->force.x = in->t > *at ? (double)NAN : 1.0;
}

static void breaks_books(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    double *at = context;
    out->potential_rate = in->t > *at ? (double)INFINITY : 0.0;
}

TEST(user_force, number_that_is_none_ends_the_step_and_names_the_force)
{
    carom_user_force *const bad[] = { breaks, breaks_books };
    for (const carom_kind *const *kind = carom_integrator_kinds(); *kind; ++kind) {
        for (int k = 0; k < 2; ++k) {
            double at = 0.01;
            printf("  %s %d\n", (*kind)->name, k);
            carom_user_force_def def = { .law = "broken", .force = bad[k], .context = &at };
            sim s = start_user((*kind)->name, &def);
            carom_error err = { 0 };
            carom_status status = CAROM_OK;
            for (int step = 0; status == CAROM_OK && step < 100000; ++step) {
                status = carom_step(s.model, s.state, s.scratch, 0.1, NULL, &err);
            }
            CHECK_EQ(status, CAROM_NOT_CONVERGED);
            CHECK_CONTAINS(err.message, "'tie'");
            CHECK_LE(sim_time(&s), 0.011);
            sim_end(&s);
        }
    }
}

TEST(user_force, scene_file_cannot_hold_one)
{
    static const char scene[] =
        "{\"carom\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"forces\": [{\"name\": \"f\", \"type\": \"user\", \"body\": \"a\"}]}";
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_EQ(carom_scene_parse(scene, sizeof scene - 1, NULL, NULL, NULL, 0, &spec, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "a function of a C program");
    CHECK_TEXT(err.path, "forces[0].type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(user_force, copy_of_a_spring_moves_bodies_as_the_spring_does),
        RUN_TEST(user_force, power_is_work_of_loads_and_momentum_is_kept),
        RUN_TEST(user_force, on_one_body_sees_marker_mass_inputs_and_context),
        RUN_TEST(user_force, on_a_joint_coordinate_swings_as_the_closed_form),
        RUN_TEST(user_force, differences_serve_newton_as_well_as_the_exact_tangent),
        RUN_TEST(user_force, semidefinite_part_keeps_what_is_positive_and_drops_the_rest),
        RUN_TEST(user_force, semidefinite_part_is_that_of_known_eigenvalues),
        RUN_TEST(user_force, semidefinite_part_of_parts_is_the_parts),
        RUN_TEST(user_force, identity_decides_whether_a_state_fits_the_model),
        RUN_TEST(user_force, definitions_that_cannot_work_are_refused),
        RUN_TEST(user_force, number_that_is_none_ends_the_step_and_names_the_force),
        RUN_TEST(user_force, scene_file_cannot_hold_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
