/* Starts of joint coordinates: values and rates as asked for, the rest of the mechanism where it belongs, by closed forms. */
#include <stdlib.h>

#include <carom/io.h>
#include <carom/step.h>

#include "base/text.h"
#include "support/check.h"

typedef struct rig {
    carom_spec *spec;
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    double q[64], rate[64];
} rig;

/* Reads, compiles and assembles; answers the first trouble. */
static carom_status rig_try(rig *r, const char *text, carom_error *err)
{
    *r = (rig){ 0 };
    carom_status status = carom_scene_parse(text, strlen(text), "test.json", ".", NULL, 0, &r->spec, err);
    status = status == CAROM_OK ? carom_compile(r->spec, &r->model, err) : status;
    if (status == CAROM_OK) {
        r->state = carom_state_create(r->model);
        status = carom_scratch_create(r->model, 1, &r->scratch, err);
    }
    status = status == CAROM_OK ? carom_assemble(r->model, r->state, r->scratch, NULL, err) : status;
    if (status == CAROM_OK) {
        carom_observe_coordinates(r->model, r->state, r->scratch, r->q, r->rate);
    }
    return status;
}

static void rig_free(rig *r)
{
    carom_scratch_destroy(r->scratch);
    carom_state_destroy(r->state);
    carom_model_destroy(r->model);
    carom_spec_destroy(r->spec);
}

static rig rig_make(const char *text)
{
    rig r;
    carom_error err = { 0 };
    CHECK_OK(rig_try(&r, text, &err), err);
    return r;
}

static carom_v3 position(const rig *r, const char *body)
{
    return carom_state_pose(r->model, r->state, carom_model_find_body(r->model, body)).position;
}

static carom_v3 velocity(const rig *r, const char *body)
{
    return carom_state_velocity(r->model, r->state, carom_model_find_body(r->model, body));
}

static void check_vector(carom_v3 v, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(v.x, x, tolerance);
    CHECK_NEAR(v.y, y, tolerance);
    CHECK_NEAR(v.z, z, tolerance);
}

#define BODY(name, x) \
    "{\"name\": \"" name "\", \"mass\": 2, \"inertia\": [0.1, 0.2, 0.3], \"position\": [" x ", 0, 0]}"

/* ---- trees --------------------------------------------------------------------------------------------------------- */

TEST(pendulum, is_released_at_an_angle_with_a_rate)
{
    const double angles[] = { 0.0, 0.5, -2.0, 3.1, 9.0, -40.0 };
    for (size_t k = 0; k < sizeof angles / sizeof *angles; ++k) {
        char text[600];
        double a = angles[k];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"bodies\": [" BODY(
                     "rod", "0.5") "], \"joints\": [{\"name\": \"j\", \"type\": \"revolute\","
                                   " \"bodies\": [%s], \"start\": {\"angle\": %.17g, \"rate\": 3}}]}",
                 k % 2 ? "\"rod\", \"ground\"" : "\"ground\", \"rod\"", a);
        double way = k % 2 ? -1.0 : 1.0; /* with the bodies exchanged the angle counts the other way */
        rig r = rig_make(text);
        CHECK_NEAR(r.q[0], a, 1e-13 * fmax(1.0, fabs(a)));
        CHECK_NEAR(r.rate[0], 3.0, 1e-12);
        check_vector(position(&r, "rod"), 0.5 * cos(a), 0.5 * way * sin(a), 0.0, 1e-13 * fmax(1.0, fabs(a)));
        check_vector(velocity(&r, "rod"), -1.5 * sin(a), 1.5 * way * cos(a), 0.0, 1e-12 * fmax(1.0, fabs(a)));
        rig_free(&r);
    }
}

/* 30 degrees and 100 mm are what the units say. */
TEST(pendulum, starts_in_the_units_of_the_scene)
{
    rig r =
        rig_make("{\"carom\": 1, \"units\": {\"length\": \"mm\", \"angle\": \"deg\", \"time\": \"ms\"}, \"bodies\": ["
                 "{\"name\": \"rod\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [500, 0, 0]},"
                 "{\"name\": \"car\", \"mass\": 1, \"inertia\": [1, 1, 1]}], \"joints\": ["
                 "{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"],"
                 " \"start\": {\"value\": 30, \"rate\": 0.09}},"
                 "{\"name\": \"k\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"car\"], \"axis\": [0, 1, 0],"
                 " \"start\": {\"travel\": 100, \"rate\": -2}}]}");
    CHECK_NEAR(r.q[0], acos(-1.0) / 6.0, 1e-14);
    CHECK_NEAR(r.rate[0], acos(-1.0) / 2.0, 1e-12);
    check_vector(position(&r, "car"), 0.0, 0.1, 0.0, 1e-15);
    check_vector(velocity(&r, "car"), 0.0, -2.0, 0.0, 1e-14);
    rig_free(&r);
}

/* What hangs on a joint goes along: the other coordinates stay as drawn, and at rest against each other. */
TEST(chain, follows_its_first_joint)
{
    rig r = rig_make("{\"carom\": 1, \"bodies\": [" BODY("a", "0.5") "," BODY("b", "1.5") "," BODY(
        "c", "2.5") "],"
                    "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"a\"],"
                    " \"start\": {\"angle\": 0.4, \"rate\": 2}},"
                    "{\"name\": \"k\", \"type\": \"revolute\", \"bodies\": [\"b\", \"a\"], \"at\": [1, 0, 0]},"
                    "{\"name\": \"l\", \"type\": \"revolute\", \"bodies\": [\"b\", \"c\"], \"at\": [2, 0, 0],"
                    " \"start\": {\"rate\": -2}}]}");
    CHECK_NEAR(r.q[0], 0.4, 1e-14);
    CHECK_NEAR(r.q[1], 0.0, 1e-14);
    CHECK_NEAR(r.q[2], 0.0, 1e-14);
    CHECK_NEAR(r.rate[0], 2.0, 1e-13);
    CHECK_NEAR(r.rate[1], 0.0, 1e-12);
    CHECK_NEAR(r.rate[2], -2.0, 1e-12);
    check_vector(position(&r, "c"), 2.5 * cos(0.4), 2.5 * sin(0.4), 0.0, 1e-13);
    check_vector(velocity(&r, "b"), -3.0 * sin(0.4), 3.0 * cos(0.4), 0.0, 1e-12);
    check_vector(velocity(&r, "c"), -4.0 * sin(0.4), 4.0 * cos(0.4), 0.0,
                 1e-12); /* does not turn: as its pivot at 2 m */
    rig_free(&r);
}

TEST(kinds, all_coordinates_start_as_asked)
{
    const struct {
        const char *joint;
        const char *start;
        int count;
        double q[3], rate[3];
    } kinds[] = {
        { "\"type\": \"prismatic\", \"axis\": [0.6, 0, 0.8]",
          "{\"travel\": -0.7, \"rate\": 2}",
          1,
          { -0.7 },
          { 2.0 } },
        { "\"type\": \"cylindrical\"",
          "[{\"coordinate\": \"angle\", \"value\": 2, \"rate\": 1}, {\"travel\": 0.3, \"rate\": -4}]",
          2,
          { 0.3, 2.0 },
          { -4.0, 1.0 } },
        { "\"type\": \"screw\", \"pitch\": 0.5", "{\"angle\": 8, \"rate\": 3}", 1, { 8.0 }, { 3.0 } },
        { "\"type\": \"planar\"",
          "[{\"coordinate\": \"x\", \"value\": 1}, {\"coordinate\": \"y\", \"value\": -2, \"rate\": 5},"
          " {\"angle\": 0.7, \"rate\": 6}]",
          3,
          { 1.0, -2.0, 0.7 },
          { 0.0, 5.0, 6.0 } },
        { "\"type\": \"universal\"",
          "[{\"coordinate\": \"angle_1\", \"value\": 0.5, \"rate\": 2}, {\"coordinate\": \"angle_2\", \"value\": "
          "-0.3}]",
          2,
          { 0.5, -0.3 },
          { 2.0, 0.0 } },
        { "\"type\": \"point-on-line\"", "{\"value\": 0.4, \"rate\": 1}", 1, { 0.4 }, { 1.0 } },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        char text[900];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"bodies\": [" BODY("b", "0.2") "], \"joints\": [{\"name\": \"j\", %s,"
                                                                 " \"bodies\": [\"ground\", \"b\"], \"start\": %s}]}",
                 kinds[i].joint, kinds[i].start);
        rig r = rig_make(text);
        for (int k = 0; k < kinds[i].count; ++k) {
            CHECK_NEAR(r.q[k], kinds[i].q[k], 1e-12);
            CHECK_NEAR(r.rate[k], kinds[i].rate[k], 1e-11);
        }
        rig_free(&r);
    }
}

/* ---- loops --------------------------------------------------------------------------------------------------------- */

#define CRANK 0.1
#define ROD 0.3
#define SLIDER_CRANK                                                                                                 \
    "{\"carom\": 1, \"bodies\": [" BODY("crank", "0.05") "," BODY("rod", "0.25") "," BODY(                           \
        "slider",                                                                                                    \
        "0.4") "],"                                                                                                  \
               "\"joints\": [{\"name\": \"main\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"]%s},"   \
               "{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"crank\", \"rod\"], \"at\": [0.1, 0, 0]}," \
               "{\"name\": \"wrist\", \"type\": \"revolute\", \"bodies\": [\"rod\", \"slider\"], \"at\": [0.4, 0, "  \
               "0]},"                                                                                                \
               "{\"name\": \"guide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"slider\"], \"axis\": [1, " \
               "0, 0]%s}]}"

TEST(slider_crank, starts_at_any_angle_with_a_rate)
{
    const double angles[] = { 0.7, -1.9, 2.5, 7.0, -13.0 };
    const double omega = 10.0;
    for (size_t k = 0; k < sizeof angles / sizeof *angles; ++k) {
        char text[1600], start[100];
        double a = angles[k];
        snprintf(start, sizeof start, ", \"start\": {\"angle\": %.17g, \"rate\": %g}", a, omega);
        snprintf(text, sizeof text, SLIDER_CRANK, start, "");
        rig r = rig_make(text);
        double height = CRANK * sin(a);
        double base = sqrt(ROD * ROD - height * height);
        double speed = -CRANK * sin(a) * omega - height * CRANK * cos(a) * omega / base;
        CHECK_NEAR(r.q[0], a, 1e-12);
        CHECK_NEAR(r.rate[0], omega, 1e-10);
        check_vector(position(&r, "slider"), CRANK * cos(a) + base, 0.0, 0.0, 1e-12);
        check_vector(velocity(&r, "slider"), speed, 0.0, 0.0, 1e-9);
        check_vector(velocity(&r, "crank"), -0.5 * CRANK * sin(a) * omega, 0.5 * CRANK * cos(a) * omega, 0.0, 1e-9);
        rig_free(&r);
    }
}

TEST(slider_crank, may_be_given_by_its_slider)
{
    char text[1600];
    snprintf(text, sizeof text, SLIDER_CRANK, ", \"start\": {\"angle\": 1}", ", \"start\": {\"rate\": 0.5}");
    rig r = rig_make(text);
    double height = CRANK * sin(1.0);
    double per_turn = -CRANK * sin(1.0) - height * CRANK * cos(1.0) / sqrt(ROD * ROD - height * height);
    CHECK_NEAR(velocity(&r, "slider").x, 0.5, 1e-10);
    CHECK_NEAR(r.rate[0], 0.5 / per_turn, 1e-8);
    rig_free(&r);
}

#define GEARED                                                                                                    \
    "{\"carom\": 1, \"bodies\": [" BODY("a", "0") "," BODY(                                                       \
        "b",                                                                                                      \
        "1") "], \"joints\": ["                                                                                   \
             "{\"name\": \"in\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"a\"],"                        \
             " \"start\": {\"angle\": 3, \"rate\": 4}},"                                                          \
             "{\"name\": \"out\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"b\"], \"at\": [1, 0, 0]%s}," \
             "{\"name\": \"g\", \"type\": \"gear\", \"joint_1\": \"in\", \"joint_2\": \"out\", \"ratio\": 2}]}"

TEST(gear, turns_along_or_is_meshed_by_two_values)
{
    char text[1200];
    snprintf(text, sizeof text, GEARED, "");
    rig r = rig_make(text);
    CHECK_NEAR(r.q[0], 3.0, 1e-12);
    CHECK_NEAR(r.q[1], -6.0, 1e-12);
    CHECK_NEAR(r.rate[1], -8.0, 1e-10);
    rig_free(&r);
    snprintf(text, sizeof text, GEARED, ", \"start\": {\"angle\": 0.25}");
    r = rig_make(text);
    CHECK_NEAR(r.q[0], 3.0, 1e-12);
    CHECK_NEAR(r.q[1], 0.25, 1e-12);
    CHECK_NEAR(r.rate[1], -8.0, 1e-10);
    rig_free(&r);
}

/* ---- refusals ------------------------------------------------------------------------------------------------------- */

static void check_refused(const char *text, carom_status status, const char *part)
{
    rig r;
    carom_error err = { 0 };
    CHECK_EQ(rig_try(&r, text, &err), status);
    CHECK_CONTAINS(err.message, part);
    CHECK_CONTAINS(err.path, "joints[0]");
    CHECK_EQ(err.line, 1);
    rig_free(&r);
}

TEST(starts, that_contradict_are_refused)
{
    static const struct {
        const char *more;
        const char *part;
    } cases[] = {
        { "\"start\": {}", "says nothing" },
        { "\"start\": {\"travel\": 1}", "no coordinate 'travel'" },
        { "\"start\": {\"angle\": 1, \"value\": 2}", "several" },
        { "\"start\": [{\"angle\": 1}, {\"rate\": 2}]", "two starts of 'angle'" },
        { "\"start\": {\"angle\": 1}, \"motion\": {\"value\": \"t\"}", "has a motion" },
        { "\"start\": {\"angel\": 1}", "did you mean 'angle'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"bodies\": [" BODY("b",
                                                     "1") "], \"joints\": [{\"name\": \"j\", \"type\": \"revolute\","
                                                          " \"bodies\": [\"ground\", \"b\"], %s}]}",
                 cases[i].more);
        check_refused(text, CAROM_BAD_INPUT, cases[i].part);
    }
    check_refused("{\"carom\": 1, \"bodies\": [" BODY(
                      "b", "1") "], \"joints\": [{\"name\": \"j\", \"type\": \"spherical\","
                                " \"bodies\": [\"ground\", \"b\"], \"start\": {\"value\": 1}}]}",
                  CAROM_BAD_INPUT, "cannot be given at the start");
}

TEST(starts, that_no_loop_can_have_are_refused)
{
    char text[1600];
    rig r;
    carom_error err = { 0 };
    snprintf(text, sizeof text, SLIDER_CRANK, ", \"start\": {\"angle\": 1}", ", \"start\": {\"travel\": 0.1}");
    CHECK_EQ(rig_try(&r, text, &err), CAROM_IMPOSSIBLE);
    CHECK_CONTAINS(err.message, "the start of joints cannot be as asked for");
    rig_free(&r);
    snprintf(text, sizeof text, SLIDER_CRANK, ", \"start\": {\"angle\": 1, \"rate\": 1}",
             ", \"start\": {\"rate\": 9}");
    CHECK_EQ(rig_try(&r, text, &err), CAROM_IMPOSSIBLE);
    CHECK_CONTAINS(err.message, "no velocities");
    CHECK_CONTAINS(err.message, "the start of joints");
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(pendulum, is_released_at_an_angle_with_a_rate),
        RUN_TEST(pendulum, starts_in_the_units_of_the_scene),
        RUN_TEST(chain, follows_its_first_joint),
        RUN_TEST(kinds, all_coordinates_start_as_asked),
        RUN_TEST(slider_crank, starts_at_any_angle_with_a_rate),
        RUN_TEST(slider_crank, may_be_given_by_its_slider),
        RUN_TEST(gear, turns_along_or_is_meshed_by_two_values),
        RUN_TEST(starts, that_contradict_are_refused),
        RUN_TEST(starts, that_no_loop_can_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
