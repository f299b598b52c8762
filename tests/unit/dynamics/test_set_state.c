/* States set from outside: the same bits as a scene that starts there, mechanisms that go along, ledgers that begin anew. */
#include "rig.h"

#include "model/state.h"

#define BODY(name, x) \
    "{\"name\": \"" name "\", \"mass\": 2, \"inertia\": [0.1, 0.2, 0.3], \"position\": [" x ", 0, 0]}"
#define SCENE(start) "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 1, \"step\": 1e-3}, " start

static const rig_time AS_GIVEN = { 0 };

static void set_pose(rig *r, const char *body, carom_pose pose)
{
    CHECK_OK(carom_state_set_pose(r->model, r->state, carom_model_find_body(r->model, body), pose, &r->err), r->err);
}

static void set_velocity(rig *r, const char *body, carom_v3 v, carom_v3 omega)
{
    carom_id id = carom_model_find_body(r->model, body);
    CHECK_OK(carom_state_set_velocity(r->model, r->state, id, v, omega, &r->err), r->err);
}

static void set_coordinate(rig *r, int coordinate, double value, double rate)
{
    CHECK_OK(carom_state_set_coordinate(r->model, r->state, coordinate, value, rate, &r->err), r->err);
}

static void step_some(rig *r, int count)
{
    for (int k = 0; k < count; ++k) {
        rig_step(r, 1e-3);
    }
}

/* Both go on from here to the same bits. */
static void check_same_way(rig *a, rig *b)
{
    step_some(a, 40);
    step_some(b, 40);
    CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
    rig_close(a);
    rig_close(b);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------- */

#define NONE "\"method\": \"none\""
#define COMPLIANT "\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e6}}"
#define IMPACT "\"method\": \"impact\", \"restitution\": 0.5, \"friction\": 0.3"

/* A lopsided ball over a floor that it reaches within 40 steps. */
#define BALL(method, start)                                                                                  \
    SCENE("\"contact\": {" method "}, \"bodies\": ["                                                         \
          "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"inertia\": [0.01, 0.02, 0.02]," \
          " \"center_of_mass\": [0.02, 0.01, 0], " start "},"                                                \
          "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 1, 0]}}]}")
#define THERE                                                                                     \
    "\"position\": [1, 0.15, 2], \"orientation\": [0.6, 0, 0.8, 0], \"velocity\": [1, -2, 0.5], " \
    "\"angular_velocity\": [3, 1, -2]"

static void put_there(rig *r)
{
    set_pose(r, "ball", (carom_pose){ { 1.0, 0.15, 2.0 }, { 0.6, 0.0, 0.8, 0.0 } });
    set_velocity(r, "ball", (carom_v3){ 1.0, -2.0, 0.5 }, (carom_v3){ 3.0, 1.0, -2.0 });
}

static void check_as_scene(const char *there, const char *elsewhere)
{
    rig a = rig_open(there, AS_GIVEN);
    rig b = rig_open(elsewhere, AS_GIVEN);
    put_there(&b);
    CHECK(carom_state_hash(a.state) == carom_state_hash(b.state));
    check_same_way(&a, &b);
}

TEST(body, goes_on_as_a_scene_that_starts_there)
{
    check_as_scene(BALL(NONE, THERE), BALL(NONE, "\"position\": [0, 5, 0]"));
    check_as_scene(BALL(COMPLIANT, THERE), BALL(COMPLIANT, "\"position\": [0, 5, 0]"));
    check_as_scene(BALL(IMPACT, THERE), BALL(IMPACT, "\"position\": [0, 5, 0]"));
}

/* After a run with contacts: all that is left of it is the time. */
TEST(body, forgets_what_it_did_before)
{
    const char *const elsewhere[] = { BALL(COMPLIANT, "\"position\": [0, 0.1, 0]"),
                                      BALL(IMPACT, "\"position\": [0, 0.1, 0]") };
    for (int k = 0; k < 2; ++k) {
        rig a = rig_open(elsewhere[k], AS_GIVEN);
        rig b = rig_open(elsewhere[k], AS_GIVEN);
        step_some(&b, 25);
        CHECK(b.state->contacts.count > 0);
        put_there(&a);
        put_there(&b);
        CHECK_EQ(b.state->contacts.count, 0);
        CHECK_NEAR(carom_state_time(b.state), 0.025, 1e-15);
        *b.state->time = 0.0;
        check_same_way(&a, &b);
    }
}

TEST(body, reads_back_what_was_set)
{
    rig r = rig_open(BALL(NONE, "\"position\": [0, 5, 0]"), AS_GIVEN);
    const carom_pose pose = { { 1.0, 0.15, 2.0 }, { 0.6, 0.0, 0.8, 0.0 } };
    set_velocity(&r, "ball", (carom_v3){ 1.0, -2.0, 0.5 }, (carom_v3){ 3.0, 1.0, -2.0 });
    set_pose(&r, "ball", pose); /* the velocity is the body frame's, whichever is set first */
    carom_pose p = carom_state_pose(r.model, r.state, 1);
    carom_v3 v = carom_state_velocity(r.model, r.state, 1);
    CHECK_NEAR(p.position.x, 1.0, 1e-15);
    CHECK_NEAR(p.position.y, 0.15, 1e-15);
    CHECK_NEAR(p.orientation.y, 0.8, 1e-15);
    CHECK_NEAR(v.x, 1.0, 1e-14);
    CHECK_NEAR(v.y, -2.0, 1e-14);
    CHECK_NEAR(v.z, 0.5, 1e-14);
    rig_close(&r);
}

TEST(body, of_a_joint_is_put_back_onto_it)
{
    rig r = rig_open(SCENE("\"bodies\": [" BODY("rod",
                                                "0.5") "], \"joints\": [{\"name\": \"j\", \"type\": \"revolute\","
                                                       " \"bodies\": [\"ground\", \"rod\"]}]}"),
                     AS_GIVEN);
    step_some(&r, 20);
    set_pose(&r, "rod", (carom_pose){ { 0.0, -0.51, 0.01 }, { sqrt(0.5), 0.0, 0.0, -sqrt(0.5) } });
    set_velocity(&r, "rod", (carom_v3){ 1.0, 0.3, 0.0 }, (carom_v3){ 0.0, 0.0, 2.0 });
    rig_step(&r, 1e-6);
    carom_ledger ledger = rig_ledger(&r);
    CHECK_NEAR(ledger.position_error, 0.0, 1e-12);
    CHECK_NEAR(ledger.velocity_error, 0.0, 1e-12);
    CHECK_NEAR(rig_signal(&r, "j.angle"), -PI / 2.0, 0.05);
    rig_close(&r);
}

/* What is set is no work and no error: 100 J more, and the books begin at zero. */
TEST(body, is_set_without_an_entry_in_the_ledger)
{
    rig r = rig_open(BALL(NONE, "\"position\": [0, 5, 0]"), AS_GIVEN);
    step_some(&r, 30);
    set_velocity(&r, "ball", (carom_v3){ 10.0, 0.0, 0.0 }, (carom_v3){ 0.0, 0.0, 0.0 });
    step_some(&r, 30);
    carom_ledger ledger = rig_ledger(&r);
    CHECK_GE(ledger.kinetic, 100.0);
    CHECK_NEAR(ledger.residue, 0.0, 1e-9);
    CHECK_NEAR(ledger.momentum_residue.x, 0.0, 1e-12);
    CHECK_NEAR(ledger.angular_momentum_residue.z, 0.0, 1e-9);
    rig_close(&r);
}

/* ---- coordinates --------------------------------------------------------------------------------------------------- */

#define HINGE(name, a, b, at, more)                                                                     \
    "{\"name\": \"" name "\", \"type\": \"revolute\", \"bodies\": [\"" a "\", \"" b "\"], \"at\": [" at \
    ", 0, 0]" more "}"
#define PENDULUM(start) \
    SCENE("\"bodies\": [" BODY("rod", "0.5") "], \"joints\": [" HINGE("j", "ground", "rod", "0", start) "]}")
#define CHAIN(start)                                                                                           \
    SCENE("\"bodies\": [" BODY("a", "0.5") "," BODY("b", "1.5") "," BODY("c", "2.5") "], \"joints\": [" HINGE( \
        "j", "ground", "a", "0", "") "," HINGE("k", "b", "a", "1", start) "," HINGE("l", "b", "c", "2", "") "]}")
/* A parallelogram of bars of one metre. */
#define LOOP(start)                                                                                               \
    SCENE("\"bodies\": [" BODY("crank", "0") "," BODY("bar", "0.5") "," BODY(                                     \
        "rocker",                                                                                                 \
        "1") "], \"joints\": ["                                                                                   \
             "{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"], \"at\": [0, -0.5, "  \
             "0]" start "},"                                                                                      \
             "{\"name\": \"k\", \"type\": \"revolute\", \"bodies\": [\"crank\", \"bar\"], \"at\": [0, 0.5, 0]},"  \
             "{\"name\": \"l\", \"type\": \"revolute\", \"bodies\": [\"bar\", \"rocker\"], \"at\": [1, 0.5, 0]}," \
             "{\"name\": \"m\", \"type\": \"revolute\", \"bodies\": [\"rocker\", \"ground\"], \"at\": [1, -0.5, " \
             "0]}]}")

static void check_start(const char *with_start, const char *without, int coordinate, double value, double rate)
{
    rig a = rig_open(with_start, AS_GIVEN);
    rig b = rig_open(without, AS_GIVEN);
    set_coordinate(&b, coordinate, value, rate);
    check_same_way(&a, &b);
}

TEST(coordinate, goes_on_as_a_scene_that_starts_there)
{
    check_start(PENDULUM(", \"start\": {\"angle\": -2.3, \"rate\": 3}"), PENDULUM(""), 0, -2.3, 3.0);
    check_start(PENDULUM(", \"start\": {\"angle\": 9.5, \"rate\": 0}"), PENDULUM(""), 0, 9.5, 0.0);
    check_start(CHAIN(", \"start\": {\"angle\": 0.4, \"rate\": 2}"), CHAIN(""), 1, 0.4, 2.0);
    check_start(LOOP(", \"start\": {\"angle\": 0.4, \"rate\": 2}"), LOOP(""), 0, 0.4, 2.0);
}

static void read_coordinates(rig *r, double *q, double *rate)
{
    CHECK_EQ(carom_observe_coordinates(r->model, r->state, r->scratch, q, rate), CAROM_OK);
}

/* In the middle of a motion: the others stay where they are, as fast as they are, and what hangs on the joint turns with it. */
TEST(coordinate, leaves_the_others_alone)
{
    double before[3], rates_before[3], q[3], rate[3];
    rig r = rig_open(CHAIN(", \"start\": {\"angle\": 0.4, \"rate\": 2}"), AS_GIVEN);
    step_some(&r, 300);
    read_coordinates(&r, before, rates_before);
    set_coordinate(&r, 1, 7.0, -1.5);
    read_coordinates(&r, q, rate);
    CHECK_NEAR(q[1], 7.0, 1e-13);
    CHECK_NEAR(rate[1], -1.5, 1e-11);
    for (int k = 0; k < 3; k += 2) {
        CHECK_NEAR(q[k], before[k], 1e-12);
        CHECK_NEAR(rate[k], rates_before[k], 1e-10 * fabs(rates_before[k]));
    }
    rig_step(&r, 1e-9);
    read_coordinates(&r, q, rate);
    CHECK_NEAR(q[1], 7.0, 1e-8);
    step_some(&r, 20);
    CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-4); /* of some 60 J, with steps of 1 ms */
    rig_close(&r);
}

/* The parallelogram stays one: its rocker turns as far and as fast as its crank. */
TEST(coordinate, drives_a_loop_along)
{
    double q[4], rate[4];
    rig r = rig_open(LOOP(", \"start\": {\"angle\": 0.4, \"rate\": 2}"), AS_GIVEN);
    step_some(&r, 50);
    set_coordinate(&r, 0, -0.7, 1.5);
    rig_step(&r, 1e-9);
    read_coordinates(&r, q, rate);
    CHECK_NEAR(q[0], -0.7, 1e-8);
    CHECK_NEAR(q[3], 0.7, 1e-8); /* counts the other way: its bodies are exchanged */
    CHECK_NEAR(rate[0], 1.5, 1e-6);
    CHECK_NEAR(rate[3], -1.5, 1e-6);
    rig_close(&r);
}

/* The scene's own starts hold for what is not set; they are not met a second time. */
TEST(coordinate, keeps_starts_of_other_joints)
{
    double q[3], rate[3];
    rig r = rig_open(CHAIN(", \"start\": {\"angle\": 0.4, \"rate\": 2}"), AS_GIVEN);
    set_coordinate(&r, 0, -1.0, 0.5);
    read_coordinates(&r, q, rate);
    CHECK_NEAR(q[0], -1.0, 1e-13);
    CHECK_NEAR(q[1], 0.4, 1e-13);
    CHECK_NEAR(rate[0], 0.5, 1e-12);
    CHECK_NEAR(rate[1], 2.0, 1e-11);
    set_coordinate(&r, 1, 1.2, 0.0);
    rig_step(&r, 1e-9);
    read_coordinates(&r, q, rate);
    CHECK_NEAR(q[0], -1.0, 1e-8);
    CHECK_NEAR(q[1], 1.2, 1e-8);
    rig_close(&r);
}

static void check_refused(rig *r, carom_status status, carom_status expected, const char *words)
{
    CHECK_EQ(status, expected);
    if (!strstr(r->err.message, words)) {
        print_error("\"%s\" does not say \"%s\"\n", r->err.message, words);
        fail();
    }
}

TEST(coordinate, is_refused_where_it_cannot_be_set)
{
    rig r = rig_open(
        SCENE("\"bodies\": [" BODY("a", "0.5") "," BODY(
            "b",
            "1.5") ",{\"name\": \"lift\", \"motion\": "
                   "{\"position\": [0, \"t\", 0]}}], \"joints\": ["
                   "{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"a\"],"
                   " \"motion\": {\"value\": \"0.1*t\"}},"
                   "{\"name\": \"s\", \"type\": \"spherical\", \"bodies\": [\"a\", \"b\"], \"at\": [1, 0, 0]}]}"),
        AS_GIVEN);
    int swing = carom_model_joint(r.model, carom_model_find_joint(r.model, "s")).first_coordinate;
    carom_id lift = carom_model_find_body(r.model, "lift");
    uint64_t before = carom_state_hash(r.state);
    check_refused(&r, carom_state_set_coordinate(r.model, r.state, 0, 0.3, 0.0, &r.err), CAROM_BAD_INPUT,
                  "'angle' of joint 'j' moves as its 'motion' says");
    check_refused(&r, carom_state_set_coordinate(r.model, r.state, swing, 0.3, 0.0, &r.err), CAROM_BAD_INPUT,
                  "does not say to which side");
    check_refused(&r, carom_state_set_velocity(r.model, r.state, lift, (carom_v3){ 0 }, (carom_v3){ 0 }, &r.err),
                  CAROM_BAD_INPUT, "body 'lift' moves as its 'motion' says");
    CHECK(carom_state_hash(r.state) == before);
    rig_close(&r);
}

/* Two bars in line between fixed hinges. */
TEST(coordinate, is_refused_where_the_loop_does_not_reach)
{
    rig r = rig_open(SCENE("\"bodies\": [" BODY("rod", "0.5") "," BODY("link", "1.5") "], \"joints\": [" HINGE(
                         "j", "ground", "rod", "0", "") "," HINGE("k", "rod", "link", "1",
                                                                  "") "," HINGE("l", "link", "ground", "2", "") "]}"),
                     AS_GIVEN);
    rig_step(&r, 1e-3); /* stretched: it cannot move at all */
    uint64_t before = carom_state_hash(r.state);
    CHECK_EQ(carom_state_set_coordinate(r.model, r.state, 0, 1.0, 0.0, &r.err), CAROM_IMPOSSIBLE);
    CHECK(carom_state_hash(r.state) == before);
    rig_close(&r);
}

/* ---- views --------------------------------------------------------------------------------------------------------- */

TEST(view, shows_the_state_itself)
{
    rig r = rig_open(BALL(NONE, THERE), AS_GIVEN);
    carom_state_view view = carom_view(r.model, r.state);
    double poses[3 * 7];
    step_some(&r, 10); /* the view needs not be asked for again */
    carom_poses(r.model, r.state, poses);
    CHECK_EQ(view.body_count, 3);
    CHECK(*view.time == carom_state_time(r.state));
    for (int i = 0; i < 3; ++i) {
        const double *pose = view.poses + (size_t)i * view.pose_stride;
        const double *rate = view.velocities + (size_t)i * view.velocity_stride;
        carom_pose frame = carom_state_pose(r.model, r.state, i);
        carom_v3 omega = carom_state_angular_velocity(r.model, r.state, i);
        CHECK(memcmp(poses + 7 * (size_t)i, &frame, sizeof frame) == 0);
        CHECK(pose[3] == frame.orientation.w && pose[6] == frame.orientation.z);
        CHECK(pose[0] == r.state->pose[i].x_w.x && rate[1] == r.state->rate[i].v_w.y);
        CHECK(rate[3] == omega.x && rate[5] == omega.z);
    }
    CHECK_NEAR(view.velocities[view.velocity_stride + 1], r.state->rate[1].v_w.y, 0.0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(body, goes_on_as_a_scene_that_starts_there),
        RUN_TEST(body, forgets_what_it_did_before),
        RUN_TEST(body, reads_back_what_was_set),
        RUN_TEST(body, of_a_joint_is_put_back_onto_it),
        RUN_TEST(body, is_set_without_an_entry_in_the_ledger),
        RUN_TEST(coordinate, goes_on_as_a_scene_that_starts_there),
        RUN_TEST(coordinate, leaves_the_others_alone),
        RUN_TEST(coordinate, drives_a_loop_along),
        RUN_TEST(coordinate, keeps_starts_of_other_joints),
        RUN_TEST(coordinate, is_refused_where_it_cannot_be_set),
        RUN_TEST(coordinate, is_refused_where_the_loop_does_not_reach),
        RUN_TEST(view, shows_the_state_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
