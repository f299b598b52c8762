/* Fixed steps that are far too long for contact: nothing goes through anything in silence, and with "substeps": "auto" bodies rebound
 * with the speed that the law gives them. */
#include <carom/carom.h>

#include "support/check.h"

/* A ball of 10 g flies at a plate. */
typedef struct flight {
    const char *integrator, *law, *substeps;
    double step;  /* [s]; the impact below lasts 0.1 ms */
    double x;     /* [m] where it meets the plate, which ends at 0.1 */
    double speed; /* [m/s] */
    double thick; /* [m] of the plate */
} flight;

static const flight thrown = { .integrator = "semi-implicit-euler",
                               .law = "{\"linear\": {\"k\": 1e7}}",
                               .substeps = "none",
                               .step = 1e-3,
                               .speed = 10.0,
                               .thick = 0.002 };

/* How it ended; free `summary` with carom_text_destroy. */
typedef struct landing {
    double z, v; /* [m], [m/s] of the ball */
    char *summary;
} landing;

/* Runs a scene whose body 2 is looked at. */
static landing run_scene(const char *text)
{
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_run *run = NULL;
    carom_error err = { 0 };
    landing out = { 0 };
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    CHECK_OK(carom_run_create(model, &(carom_run_def){ 0 }, &run, &err), err);
    CHECK_OK(carom_run_advance(run, HUGE_VAL, 0.0, &err), err);
    out.z = carom_state_pose(model, carom_run_state(run), 2).position.z;
    out.v = carom_state_velocity(model, carom_run_state(run), 2).z;
    CHECK_OK(carom_run_summary(run, &out.summary, &err), err);
    carom_run_destroy(run);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return out;
}

static landing fly(const flight *f)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": %.17g, \"step\": %.17g, \"integrator\": \"%s\"},"
        " \"contact\": {\"method\": \"compliant\", \"law\": %s, \"substeps\": \"%s\"}, \"bodies\": ["
        "{\"name\": \"plate\", \"shape\": {\"box\": [0.2, 0.2, %.17g]}, \"fixed\": true},"
        "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.003}, \"mass\": 0.01, \"position\": [%.17g, 0, 0.1053],"
        " \"velocity\": [0, 0, %.17g]}]}",
        0.2 / f->speed, f->step, f->integrator, f->law, f->substeps, f->thick, f->x, -f->speed);
    return run_scene(text);
}

static bool says(const landing *l, const char *what)
{
    return strstr(l->summary, what) != NULL;
}

/* Steps of 1 cm against a plate of 2 mm, wherever in a step they meet: through it, or thrown back by a force of one instant. */
TEST(fixed_steps, that_are_too_long_are_told)
{
    int through = 0;
    for (int k = 0; k < 20; ++k) {
        flight f = thrown;
        f.x = 0.005 * k;
        f.step = 1e-3 * (1.0 + 0.013 * k);
        landing l = fly(&f);
        bool passed = says(&l, "passed-through") || says(&l, "touch-missed");
        through += l.z < 0.0;
        CHECK(passed || says(&l, "touch-overrun"));
        CHECK(passed || l.z > 0.0);
        CHECK_CONTAINS(l.summary, "'plate' and 'ball'");
        carom_text_destroy(l.summary);
    }
    CHECK_GE(through, 5);
}

/* Its middle goes past the plate, its side through it: no ray from the middle sees that. */
TEST(fixed_steps, that_jump_over_a_rim_are_told)
{
    flight f = thrown;
    f.x = 0.101;
    f.step = 1.4e-3;
    landing l = fly(&f);
    CHECK(says(&l, "touch-missed"));
    CHECK_CONTAINS(l.summary, "within a step");
    carom_text_destroy(l.summary);
    f.x = 0.1031; /* past it */
    l = fly(&f);
    CHECK(!says(&l, "touch-missed"));
    carom_text_destroy(l.summary);
}

/* It rebounds as it came, by every integrator with fixed steps and whatever the law, but for the error of some thirty steps. */
TEST(substeps, let_a_ball_rebound)
{
    static const struct {
        const char *name;
        double most; /* [m/s] off */
    } by[] = { { "semi-implicit-euler", 0.25 }, { "generalized-alpha", 0.02 }, { "runge-kutta", 1e-3 } };
    static const char *const laws[] = { "{\"linear\": {\"k\": 1e7}}", "{\"hertz\": {\"k\": 2e8}}",
                                        "{\"power\": {\"k\": 1e10, \"n\": 2}}" };
    printf("\n%-20s %-30s %12s\n", "integrator", "law", "speed after");
    for (size_t i = 0; i < sizeof by / sizeof by[0]; ++i) {
        for (size_t k = 0; k < sizeof laws / sizeof laws[0]; ++k) {
            flight f = thrown;
            f.integrator = by[i].name;
            f.law = laws[k];
            f.substeps = "auto";
            landing l = fly(&f);
            printf("%-20s %-30s %12.5f\n", f.integrator, f.law, l.v);
            CHECK_NEAR(l.v, f.speed, by[i].most);
            CHECK(l.z > 0.0);
            CHECK(!says(&l, "passed-through") && !says(&l, "touch-") && says(&l, "\"too deep\": 0"));
            carom_text_destroy(l.summary);
        }
    }
}

/* A block held by nothing but its feet rests with steps in which it would leave the ground. */
TEST(substeps, let_a_block_rest)
{
    static const char scene[] =
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.2, \"step\": 5e-3, \"integrator\": \"semi-implicit-euler\"}, \"contact\": {\"method\":"
        " \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1}}, \"restitution\": 0.2, \"substeps\": \"auto\"}, \"bodies\": ["
        "{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true},"
        "{\"name\": \"block\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"mass\": 1, \"position\": [0, 0, 0.051]}]}";
    landing l = run_scene(scene);
    CHECK_NEAR(0.05 - l.z, 9.81 / 8e6, 2e-5); /* [m] on eight elements */
    CHECK_LE(fabs(l.v), 0.02);
    carom_text_destroy(l.summary);
}

/* The event comes once for each time that a pair gets so deep, beyond half of the thinner one. */
TEST(too_deep, is_an_event)
{
    flight f = thrown;
    f.step = 1e-6;
    f.law = "{\"linear\": {\"k\": 1.2e6}}"; /* 0.91 mm */
    landing l = fly(&f);
    CHECK(l.v > 0.0 && says(&l, "\"deep\""));
    CHECK(says(&l, "\"too deep\": 0"));
    carom_text_destroy(l.summary);
    f.law = "{\"linear\": {\"k\": 0.9e6}}"; /* 1.05 mm, and of the plate's 2 */
    l = fly(&f);
    CHECK(says(&l, "\"too deep\": 1"));
    CHECK(says(&l, "\"wrong\"")); /* as a verdict */
    carom_text_destroy(l.summary);
}

/* Adaptive steps need none of this. */
TEST(adaptive_steps, do_not_pass)
{
    char text[900];
    for (int k = 0; k < 10; ++k) {
        snprintf(
            text, sizeof text,
            "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.02}, \"contact\": {\"method\": \"compliant\", \"law\":"
            " {\"linear\": {\"k\": 1e7}}}, \"bodies\": ["
            "{\"name\": \"plate\", \"shape\": {\"box\": [0.2, 0.2, 0.002]}, \"fixed\": true},"
            "{\"name\": \"rod\", \"shape\": {\"capsule\": {\"radius\": 0.002, \"length\": 0.1}}, \"mass\": 0.01,"
            " \"position\": [%.17g, 0, 0.1], \"velocity\": [0, 0, -10], \"angular_velocity\": [0, %.17g, 0]}]}",
            0.01 * k, 100.0 * k);
        landing l = run_scene(text);
        CHECK(!says(&l, "passed-through"));
        carom_text_destroy(l.summary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(fixed_steps, that_are_too_long_are_told),
        RUN_TEST(fixed_steps, that_jump_over_a_rim_are_told),
        RUN_TEST(substeps, let_a_ball_rebound),
        RUN_TEST(substeps, let_a_block_rest),
        RUN_TEST(too_deep, is_an_event),
        RUN_TEST(adaptive_steps, do_not_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
