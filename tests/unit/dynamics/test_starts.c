/* Starts of joint coordinates: values and rates as asked for, the rest of the mechanism where it belongs, by closed forms. */
#include <stdlib.h>

#include <carom/scene.h>
#include <carom/step.h>

#include "base/text.h"
#include "support/check.h"
#include "support/scene_file.h"

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
    rig r = rig_make(scene_text("starts/starts_in_the_units_of_the_scene.json"));
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

/* ---- velocities of the scene beside rates of joints ------------------------------------------------------------------- */

enum { MOST_LINKS = 5 };

/* A chain of links of 1 m along x, hinged to the ground: bodies listed in a rotated or reversed order, every other joint
 * with its bodies exchanged. given[i]: what the scene says of the velocity of link i; NULL: nothing. */
static void write_chain(char *text, size_t size, int links, int order, double rate, const char *const *given)
{
    int at = snprintf(text, size, "{\"carom\": 1, \"bodies\": [");
    for (int k = 0; k < links; ++k) {
        int i = order < links ? (k + order) % links : links - 1 - k;
        at +=
            snprintf(text + at, size - (size_t)at,
                     "%s{\"name\": \"%c\", \"mass\": %d, \"inertia\": [0.1, 0.2, 0.3], \"position\": [%g, 0, 0]%s%s}",
                     k > 0 ? "," : "", 'a' + i, 1 + 3 * i, 0.5 + i, given[i] ? ", " : "", given[i] ? given[i] : "");
    }
    at += snprintf(text + at, size - (size_t)at, "], \"joints\": [");
    for (int i = 0; i < links; ++i) {
        char carrier[12] = "ground";
        if (i > 0) {
            snprintf(carrier, sizeof carrier, "%c", 'a' + i - 1);
        }
        char body[2] = { (char)('a' + i), 0 };
        at +=
            snprintf(text + at, size - (size_t)at,
                     "%s{\"name\": \"j%d\", \"type\": \"revolute\", \"bodies\": [\"%s\", \"%s\"], \"at\": [%d, 0, 0]",
                     i > 0 ? "," : "", i, i % 2 ? body : carrier, i % 2 ? carrier : body, i);
        at += i > 0 ? snprintf(text + at, size - (size_t)at, "}")
                    : snprintf(text + at, size - (size_t)at, ", \"start\": {\"rate\": %.17g}}", rate);
    }
    snprintf(text + at, size - (size_t)at, "]}");
}

static double spin(const rig *r, int link)
{
    const char name[2] = { (char)('a' + link), 0 };
    return carom_state_angular_velocity(r->model, r->state, carom_model_find_body(r->model, name)).z;
}

/* Whatever the scene says of the first link, its joint's rate decides, and the other links go along. */
TEST(chain, follows_a_joint_whose_body_has_a_velocity_of_its_own)
{
    static const char *const of_first[] = {
        NULL,
        "\"angular_velocity\": [0, 0, 2]",
        "\"angular_velocity\": [0, 0, -7]",
        "\"velocity\": [0, 1, 0]",
        "\"velocity\": [3, -4, 0], \"angular_velocity\": [0, 0, 2]",
    };
    for (int links = 2; links <= MOST_LINKS; ++links) {
        for (int k = 0; k < 5 * (links + 1); ++k) {
            char text[3000];
            const char *given[MOST_LINKS] = { of_first[k % 5] };
            double rate = k % 3 ? 2.0 : -0.7;
            write_chain(text, sizeof text, links, k / 5, rate, given);
            rig r = rig_make(text);
            for (int i = 0; i < links; ++i) {
                CHECK_NEAR(r.rate[i], i == 0 ? rate : 0.0, 1e-12);
                CHECK_NEAR(spin(&r, i), rate, 1e-12);
            }
            rig_free(&r);
        }
    }
}

/* A velocity that the joints allow is kept, and what hangs further out moves with its body. */
TEST(chain, keeps_velocities_of_links_further_out)
{
    for (int links = 2; links <= MOST_LINKS; ++links) {
        for (int order = 0; order <= links; ++order) {
            for (int turning = 1; turning < links; ++turning) {
                char text[3000];
                const char *given[MOST_LINKS] = { NULL };
                given[turning] = "\"angular_velocity\": [0, 0, 5]";
                write_chain(text, sizeof text, links, order, 2.0, given);
                rig r = rig_make(text);
                for (int i = 0; i < links; ++i) {
                    CHECK_NEAR(spin(&r, i), i < turning ? 2.0 : 5.0, 1e-12);
                }
                rig_free(&r);
            }
        }
    }
}

/* At 2 m/s of its middle a link that hangs at a pivot moving at 2 m/s does not turn; at 5 m/s it turns at 6 rad/s. */
TEST(chain, turns_links_whose_speed_alone_is_given)
{
    static const struct {
        const char *given;
        double spin;
    } cases[] = { { "\"velocity\": [0, 2, 0]", 0.0 }, { "\"velocity\": [0, 5, 0]", 6.0 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[3000];
        const char *given[MOST_LINKS] = { NULL, cases[k].given };
        write_chain(text, sizeof text, 3, 0, 2.0, given);
        rig r = rig_make(text);
        CHECK_NEAR(spin(&r, 0), 2.0, 1e-12);
        CHECK_NEAR(spin(&r, 1), cases[k].spin, 1e-11);
        CHECK_NEAR(spin(&r, 2), cases[k].spin, 1e-11);
        rig_free(&r);
    }
}

/* A craft with a velocity of its own carries two panels: nothing of it is lost, whichever body comes first. */
TEST(floating, mechanisms_keep_the_velocity_of_the_body_that_has_one)
{
    static const char *const bodies[] = {
        "{\"name\": \"craft\", \"mass\": 5, \"inertia\": [1, 1, 1], \"velocity\": [700, 20, 0],"
        " \"angular_velocity\": [0, 0, 0.5]}",
        BODY("inner", "1"),
        BODY("outer", "2"),
    };
    for (int order = 0; order < 3; ++order) {
        char text[1600];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"bodies\": [%s, %s, %s], \"joints\": ["
                 "{\"name\": \"k\", \"type\": \"revolute\", \"bodies\": [\"outer\", \"inner\"], \"at\": [1.5, 0, 0]},"
                 "{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"craft\", \"inner\"], \"at\": [0.5, 0, 0],"
                 " \"start\": {\"rate\": 3}}]}",
                 bodies[order], bodies[(order + 1) % 3], bodies[(order + 2) % 3]);
        rig r = rig_make(text);
        CHECK_NEAR(r.rate[0], 0.0, 1e-11);
        CHECK_NEAR(r.rate[1], 3.0, 1e-11);
        check_vector(velocity(&r, "craft"), 700.0, 20.0, 0.0, 1e-10);
        check_vector(velocity(&r, "inner"), 700.0, 20.0 + 0.5 * 0.5 + 0.5 * 3.5, 0.0, 1e-10);
        check_vector(velocity(&r, "outer"), 700.0, 20.0 + 0.5 * 0.5 + 1.5 * 3.5, 0.0, 1e-10);
        rig_free(&r);
    }
}

/* Without any velocity body A of the joint stays where it is and B moves, with what hangs on it. */
TEST(floating, mechanisms_at_rest_move_on_the_side_of_body_b)
{
    static const char *const bodies[] = { BODY("far", "2"), BODY("b", "1"), BODY("a", "0") };
    for (int order = 0; order < 3; ++order) {
        char text[1200];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"bodies\": [%s, %s, %s], \"joints\": ["
                 "{\"name\": \"k\", \"type\": \"spherical\", \"bodies\": [\"far\", \"b\"], \"at\": [1.5, 0, 0]},"
                 "{\"name\": \"j\", \"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 1, 0],"
                 " \"start\": {\"rate\": 4}}]}",
                 bodies[order], bodies[(order + 1) % 3], bodies[(order + 2) % 3]);
        rig r = rig_make(text);
        check_vector(velocity(&r, "a"), 0.0, 0.0, 0.0, 1e-14);
        check_vector(velocity(&r, "b"), 0.0, 4.0, 0.0, 1e-13);
        check_vector(velocity(&r, "far"), 0.0, 4.0, 0.0, 1e-13);
        rig_free(&r);
    }
}

/* A prescribed motion keeps its rate while a start carries it along. */
TEST(chain, with_a_motion_further_out_keeps_both)
{
    rig r = rig_make("{\"carom\": 1, \"bodies\": [" BODY("c", "2.5") "," BODY("b", "1.5") "," BODY(
        "a", "0.5") "],"
                    "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"a\"],"
                    " \"start\": {\"rate\": 2}},"
                    "{\"name\": \"k\", \"type\": \"revolute\", \"bodies\": [\"a\", \"b\"], \"at\": [1, 0, 0],"
                    " \"motion\": {\"value\": \"-3*t\"}},"
                    "{\"name\": \"l\", \"type\": \"revolute\", \"bodies\": [\"b\", \"c\"], \"at\": [2, 0, 0]}]}");
    CHECK_NEAR(r.rate[0], 2.0, 1e-12);
    CHECK_NEAR(r.rate[1], -3.0, 1e-12);
    CHECK_NEAR(r.rate[2], 0.0, 1e-12);
    CHECK_NEAR(spin(&r, 2), -1.0, 1e-12);
    rig_free(&r);
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

/* What hangs on a link of a loop moves with this link; joints are 0 main, 1 pin, 2 wrist, 3 guide, then the pendulum's. */
TEST(slider_crank, carries_a_pendulum)
{
    static const char *const links[] = { "crank", "rod", "slider" };
    for (int k = 0; k < 6; ++k) {
        char text[2000], more[600];
        snprintf(more, sizeof more,
                 "}, {\"name\": \"hook\", \"type\": \"%s\", \"bodies\": [\"bob\", \"%s\"], \"at\": [0.2, 0, 0]",
                 k < 3 ? "revolute" : "spherical", links[k % 3]);
        snprintf(text, sizeof text, SLIDER_CRANK, ", \"start\": {\"angle\": 1, \"rate\": 10}", more);
        char *bodies = strchr(text, '[');
        char whole[2400];
        snprintf(whole, sizeof whole, "%.*s[" BODY("bob", "0.2") ", %s", (int)(bodies - text), text, bodies + 1);
        rig r = rig_make(whole);
        carom_v3 of_link = carom_state_angular_velocity(r.model, r.state,
                                                        carom_model_find_body(r.model, links[k % 3]));
        carom_v3 of_bob = carom_state_angular_velocity(r.model, r.state, carom_model_find_body(r.model, "bob"));
        CHECK_NEAR(r.rate[0], 10.0, 1e-9);
        check_vector(of_bob, of_link.x, of_link.y, of_link.z, 1e-9);
        rig_free(&r);
    }
}

/* A slider-crank in a frame that hangs on an arm: the arm's start carries it, the crank's moves it within the frame. */
TEST(slider_crank, hangs_on_an_arm)
{
    for (int k = 0; k < 4; ++k) {
        char text[2400];
        double of_arm = k % 2 ? 2.0 : 0.0;
        double of_crank = k / 2 ? 3.0 : 0.0;
        snprintf(
            text, sizeof text,
            "{\"carom\": 1, \"bodies\": [" BODY("rod", "1.25") "," BODY("frame", "1.2") "," BODY(
                "arm",
                "0.5") "," BODY("slider",
                                "1.4") "," BODY("crank",
                                                "1.05") "], \"joints\": ["
                                                        "{\"name\": \"main\", \"type\": \"revolute\", \"bodies\": "
                                                        "[\"frame\", \"crank\"], \"at\": [1, 0, 0],"
                                                        " \"start\": {\"angle\": 1, \"rate\": %g}},"
                                                        "{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": "
                                                        "[\"crank\", \"rod\"], \"at\": [1.1, 0, 0]},"
                                                        "{\"name\": \"wrist\", \"type\": \"revolute\", \"bodies\": "
                                                        "[\"rod\", \"slider\"], \"at\": [1.4, 0, 0]},"
                                                        "{\"name\": \"guide\", \"type\": \"prismatic\", \"bodies\": "
                                                        "[\"frame\", \"slider\"], \"axis\": [1, 0, 0]},"
                                                        "{\"name\": \"elbow\", \"type\": \"revolute\", \"bodies\": "
                                                        "[\"arm\", \"frame\"], \"at\": [1, 0, 0]},"
                                                        "{\"name\": \"shoulder\", \"type\": \"revolute\", "
                                                        "\"bodies\": [\"ground\", \"arm\"],"
                                                        " \"start\": {\"rate\": %g}}]}",
            of_crank, of_arm);
        rig r = rig_make(text);
        double height = 0.1 * sin(1.0);
        double per_turn = -0.1 * sin(1.0) - height * 0.1 * cos(1.0) / sqrt(0.09 - height * height);
        CHECK_NEAR(r.rate[0], of_crank, 1e-10);
        CHECK_NEAR(r.rate[3], per_turn * of_crank, 1e-10);
        CHECK_NEAR(r.rate[4], 0.0, 1e-10);
        CHECK_NEAR(r.rate[5], of_arm, 1e-10);
        rig_free(&r);
    }
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
    check_refused("{\"carom\": 1, \"contact\": {\"method\": \"impact\", \"restitution\": 0}, \"bodies\": [" BODY(
                      "b", "1") "], \"joints\": [{\"name\": \"j\", \"type\": \"spherical\","
                                " \"bodies\": [\"ground\", \"b\"], \"start\": {\"value\": 1}}]}",
                  CAROM_BAD_INPUT, "it does not say to which side");
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
        RUN_TEST(chain, follows_a_joint_whose_body_has_a_velocity_of_its_own),
        RUN_TEST(chain, keeps_velocities_of_links_further_out),
        RUN_TEST(chain, turns_links_whose_speed_alone_is_given),
        RUN_TEST(chain, with_a_motion_further_out_keeps_both),
        RUN_TEST(floating, mechanisms_keep_the_velocity_of_the_body_that_has_one),
        RUN_TEST(floating, mechanisms_at_rest_move_on_the_side_of_body_b),
        RUN_TEST(slider_crank, starts_at_any_angle_with_a_rate),
        RUN_TEST(slider_crank, may_be_given_by_its_slider),
        RUN_TEST(slider_crank, carries_a_pendulum),
        RUN_TEST(slider_crank, hangs_on_an_arm),
        RUN_TEST(gear, turns_along_or_is_meshed_by_two_values),
        RUN_TEST(starts, that_contradict_are_refused),
        RUN_TEST(starts, that_no_loop_can_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
