/* "initial": "static": a run begins where everything rests under its loads. Against closed forms, and what has none is refused. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* What starts at rest stays there. */
static void check_rests(sim *s, double end, double energy)
{
    sim_advance(s, end);
    CHECK_LE(sim_ledger(s).kinetic, 1e-12 * energy);
}

/* A cantilever sags by rho A g L^4/(8 E I), and by shear; of three slendernesses and stiffnesses. */
TEST(static_start, a_cantilever_sags)
{
    static const double cases[][3] = { { 1.0, 0.01, 70e9 },
                                       { 0.5, 0.002, 200e9 },
                                       { 3.0, 0.05, 10e9 } }; /* L, r, E */
    for (int k = 0; k < 3; ++k) {
        const double L = cases[k][0], r = cases[k][1], E = cases[k][2], G = E / 2.66;
        const double weight = 2700.0 * PI * r * r * 9.81, I = PI * r * r * r * r / 4.0;
        const double sag = weight * L * L * L * L / (8.0 * E * I) + weight * L * L / (2.0 * 0.9 * G * PI * r * r);
        char text[3][60];
        snprintf(text[0], sizeof text[0], "variables.L=%g", L);
        snprintf(text[1], sizeof text[1], "variables.r=%g", r);
        snprintf(text[2], sizeof text[2], "variables.E=%g", E);
        const char *const settings[] = { text[0], text[1], text[2], NULL };
        sim s = sim_start(scene_read("static_cantilever.json", settings), 1);
        const double z = sim_signal(&s, "beam.tip.position.z");
        printf("  L %g m, r %g m: tip at %.6g m, exact %.6g m\n", L, r, z, -sag);
        CHECK_NEAR(z, -sag, 1e-3 * sag); /* lumped masses of 40 elements */
        check_rests(&s, 0.05, sim_ledger(&s).elastic);
        sim_end(&s);
    }
}

/* A bar is longer by rho g L^2/(2 E) under its own weight; of second order in the strain it is the same. */
TEST(static_start, a_bar_hangs)
{
    sim s = sim_start(scene_read("static_bar.json", NULL), 1);
    const double longer = sim_signal(&s, "bar.end.position.x") - 2.0;
    printf("  longer by %.8g m, exact %.8g m\n", longer, 1000.0 * 9.81 * 4.0 / 2e7);
    CHECK_NEAR(longer, 1000.0 * 9.81 * 4.0 / 2e7, 1e-3 * longer);
    check_rests(&s, 0.02, sim_ledger(&s).elastic);
    sim_end(&s);
}

#define FIRST "{\"name\":\"a\",\"mass\":2,\"inertia\":[1,1,1],\"position\":[0,0,-1]}"
#define SECOND "{\"name\":\"b\",\"mass\":1,\"inertia\":[1,1,1],\"position\":[0.3,0,-2]}"
#define BOB "{\"name\":\"bob\",\"mass\":1,\"inertia\":[0.01,0.01,0.01],\"position\":[3.5,0,0.2]}"
#define CHAIN(bodies, joints)                                                                                              \
    "{\"carom\":1,\"gravity\":[0,0,-9.81],\"initial\":\"static\",\"time\":{\"end\":1},\"bodies\":[" bodies                 \
    "],\"forces\":[{\"name\":\"s1\",\"type\":\"spring\",\"bodies\":[\"ground\",\"a\"],\"at\":[0,0,0],\"at_b\":[0,0,-1],"   \
    "\"stiffness\":1000,\"free_length\":1},{\"name\":\"s2\",\"type\":\"spring\",\"bodies\":[\"a\",\"b\"],\"at\":[0,0,-1]," \
    "\"at_b\":[0.3,0,-2],\"stiffness\":500,\"free_length\":1}],\"joints\":[" joints "]}"
#define PIVOT "{\"name\":\"p\",\"type\":\"revolute\",\"bodies\":[\"ground\",\"bob\"],\"at\":[3,0,0],\"axis\":[0,1,0]}"

/* The same in millimetres and tonnes: N stay N. */
#define IN_TONNES                                                                                                     \
    "{\"carom\":1,\"units\":{\"length\":\"mm\",\"mass\":\"t\"},\"gravity\":[0,0,-9810],\"initial\":\"static\","       \
    "\"time\":{\"end\":1},\"bodies\":[{\"name\":\"a\",\"mass\":0.003,\"inertia\":[1,1,1],\"position\":[0,0,-1000]}]," \
    "\"forces\":[{\"name\":\"s1\",\"type\":\"spring\",\"bodies\":[\"ground\",\"a\"],\"at\":[0,0,0],"                  \
    "\"at_b\":[0,0,-1000],\"stiffness\":1,\"free_length\":1000}]}"

/* Two masses on springs hang below each other, a pendulum below its pivot, in any order of the scene and in other units. */
TEST(static_start, springs_and_a_pendulum_hang)
{
    static const char *const scenes[] = { CHAIN(FIRST "," SECOND "," BOB, PIVOT),
                                          CHAIN(BOB "," SECOND "," FIRST, PIVOT) };
    const double a = -1.0 - 3.0 * 9.81 / 1000.0;
    for (int k = 0; k < 2; ++k) {
        sim s = sim_parse(scenes[k], NULL);
        CHECK_NEAR(sim_position(&s, "a").z, a, 1e-9);
        CHECK_NEAR(sim_position(&s, "b").z, a - 1.0 - 9.81 / 500.0, 1e-9);
        CHECK_NEAR(sim_position(&s, "b").x, 0.0, 1e-9);
        CHECK_NEAR(sim_position(&s, "bob").z, -hypot(0.5, 0.2), 1e-9);
        check_rests(&s, 0.5, 1.0);
        sim_end(&s);
    }
    sim s = sim_parse(IN_TONNES, NULL);
    CHECK_NEAR(sim_position(&s, "a").z, a, 1e-9);
    sim_end(&s);
}

static void check_refused(carom_spec *spec, const char *word)
{
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_state *state = carom_state_create(model);
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    CHECK_EQ(carom_assemble(model, state, scratch, NULL, &err), CAROM_IMPOSSIBLE);
    if (!strstr(err.message, word)) {
        print_error("%s\n", err.message);
    }
    CHECK(strstr(err.message, word) != NULL);
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

/* A body that nothing holds; one that starts with a velocity; one in nodal coordinates. */
TEST(static_start, what_has_no_equilibrium_is_refused)
{
    static const char falls[] = CHAIN(FIRST "," SECOND "," BOB, "");
    static const char *const moves[] = { "bodies.bob.velocity=[0,1,0]", NULL };
    static const char *const nodes[] = { "initial=static", NULL };
    const char *const texts[] = { falls, falls };
    const char *const *overrides[] = { NULL, moves };
    const char *const words[] = { "'bob'", "velocity" };
    for (int k = 0; k < 2; ++k) {
        carom_spec *spec = NULL;
        carom_error err = { 0 };
        CHECK_OK(carom_scene_parse(texts[k], strlen(texts[k]), "test", ".", overrides[k], k, &spec, &err), err);
        check_refused(spec, words[k]);
    }
    check_refused(scene_read("../../papers/2/bar-on-wall.json", nodes), "nodal coordinates");
}

/* ---- one body, while everything moves ---- */

/* A beam that turns on a hub is longer by rho W^2 L^3/(3 E), and goes on turning without a vibration; undeformed it begins to swing about that. */
TEST(static_start, a_beam_that_turns_is_stretched)
{
    static const char *const frames[] = { "mean", "attachment", "chord" };
    static const double spins[] = { 20.0, 100.0 };
    for (int k = 0; k < 6; ++k) {
        const double spin = spins[k / 3], longer = 2700.0 * spin * spin / (3.0 * 70e9);
        char frame[80], rate[80];
        snprintf(frame, sizeof frame, "bodies.beam.flexible.frame=%s", frames[k % 3]);
        snprintf(rate, sizeof rate, "variables.W=%g", spin);
        const char *const settings[] = { frame, rate, NULL };
        sim s = sim_start(scene_read("static_spin.json", settings), 1);
        const double found = hypot(sim_signal(&s, "beam.tip.position.x"), sim_signal(&s, "beam.tip.position.y")) -
                             1.0;
        const double strain = sim_ledger(&s).elastic;
        double most = 0.0, least = HUGE_VAL;
        while (sim_before(&s, 0.02)) {
            sim_step(&s, 0.02);
            most = fmax(most, sim_ledger(&s).elastic);
            least = fmin(least, sim_ledger(&s).elastic);
        }
        printf("  %s, %g rad/s: longer by %.6g m, exact %.6g m; strain energy %.4g to %.4g of the first\n",
               frames[k % 3], spin, found, longer, least / strain, most / strain);
        CHECK_NEAR(found, longer, 3e-3 * longer); /* lumped masses; what turns is longer */
        CHECK_NEAR(least / strain, 1.0, 1e-3);
        CHECK_NEAR(most / strain, 1.0, 1e-3);
        sim_end(&s);
        const char *const drawn[] = { frame, rate, "bodies.beam.flexible.initial=undeformed", NULL };
        sim u = sim_start(scene_read("static_spin.json", drawn), 1);
        CHECK_LE(sim_ledger(&u).elastic, 0.0);
        sim_advance(&u, 3.93e-4); /* half a period of the lowest vibration along it: twice as far */
        CHECK(sim_ledger(&u).elastic > 2.0 * strain);
        sim_end(&u);
    }
}

/* At rest it is the shape of the scene that rests. */
TEST(static_start, a_body_at_rest_sags_as_the_scene_does)
{
    static const char *const alone[] = { "initial=drawn", "bodies.beam.flexible.initial=static", NULL };
    sim a = sim_start(scene_read("static_cantilever.json", NULL), 1);
    sim b = sim_start(scene_read("static_cantilever.json", alone), 1);
    const double z = sim_signal(&a, "beam.tip.position.z");
    CHECK_NEAR(sim_signal(&b, "beam.tip.position.z"), z, 1e-9 * fabs(z));
    check_rests(&b, 0.05, sim_ledger(&b).elastic);
    sim_end(&a);
    sim_end(&b);
}

/* Turning much faster than it swings, a beam without stiffening is thrown away: no shape is kept. */
TEST(static_start, a_body_without_a_shape_is_refused)
{
    static const char *const fast[] = { "variables.W=2e4", "materials.aluminium.young=70e7", NULL };
    check_refused(scene_read("static_spin.json", fast), "'beam'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(static_start, a_cantilever_sags),
        RUN_TEST(static_start, a_bar_hangs),
        RUN_TEST(static_start, springs_and_a_pendulum_hang),
        RUN_TEST(static_start, what_has_no_equilibrium_is_refused),
        RUN_TEST(static_start, a_beam_that_turns_is_stretched),
        RUN_TEST(static_start, a_body_at_rest_sags_as_the_scene_does),
        RUN_TEST(static_start, a_body_without_a_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
