/* Consistent starts: loops drawn approximately close, impossible ones are refused by name, singular ones do no harm. */
#include "dynamics/project.h"
#include "rig.h"
#include "support/scene_file.h"

/* A four-bar by frames in the bodies, which are drawn a little off; `span` is the distance of the ground pivots. */
#define LOOP(span)                                                                                                  \
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 1},"                                            \
    " \"bodies\": [{\"name\": \"crank\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.05, 0.45, " \
    "0.03],"                                                                                                        \
    "               \"orientation\": {\"axis\": [0, 0, 1], \"angle\": 1.45}},"                                      \
    "              {\"name\": \"coupler\", \"mass\": 2, \"inertia\": [0.02, 0.5, 0.5], \"position\": [1.1, 1.1, "   \
    "-0.02],"                                                                                                       \
    "               \"orientation\": {\"axis\": [0, 1, 0], \"angle\": 0.1}},"                                       \
    "              {\"name\": \"rocker\", \"mass\": 1, \"inertia\": [0.01, 0.1, 0.1], \"position\": [1.9, 0.6, 0]," \
    "               \"orientation\": {\"axis\": [0, 0, 1], \"angle\": 1.7}}],"                                      \
    " \"joints\": [{\"name\": \"a\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"],"                  \
    "               \"frame_a\": {}, \"frame_b\": {\"position\": [-0.5, 0, 0]}},"                                   \
    "              {\"name\": \"b\", \"type\": \"revolute\", \"bodies\": [\"crank\", \"coupler\"],"                 \
    "               \"frame_a\": {\"position\": [0.5, 0, 0]}, \"frame_b\": {\"position\": [-1, 0, 0]}},"            \
    "              {\"name\": \"c\", \"type\": \"revolute\", \"bodies\": [\"coupler\", \"rocker\"],"                \
    "               \"frame_a\": {\"position\": [1, 0, 0]}, \"frame_b\": {\"position\": [0.5, 0, 0]}},"             \
    "              {\"name\": \"d\", \"type\": \"revolute\", \"bodies\": [\"rocker\", \"ground\"],"                 \
    "               \"frame_a\": {\"position\": [-0.5, 0, 0]}, \"frame_b\": {\"position\": [" span ", 0, 0]}}]}"

TEST(assembly, loop_drawn_approximately_closes)
{
    rig r = rig_open(LOOP("2"), (rig_time){ 0 });
    carom_assembly report;
    CHECK_OK(carom_assemble(r.model, r.state, r.scratch, &report, &r.err), r.err);
    CHECK_GE(report.position_error, 0.05);
    CHECK_LE(report.position_change, 0.3); /* closes nearby */
    CHECK_LE(rig_ledger(&r).position_error, 1e-13);
    carom_mobility mobility;
    CHECK_OK(carom_observe_mobility(r.model, r.state, r.scratch, &mobility, &r.err), r.err);
    CHECK_EQ(mobility.gruebler, -2);
    CHECK_EQ(mobility.degrees, 1);
    CHECK_EQ(mobility.redundant_count, 3);
    rig_run(&r, 0.2);
    CHECK_LE(rig_ledger(&r).position_error, 1e-12);
    rig_close(&r);
}

TEST(assembly, loop_that_cannot_close_is_refused_by_name)
{
    rig r = rig_open(LOOP("5"), (rig_time){ 0 }); /* the links reach 4 m */
    uint64_t before = carom_state_hash(r.state);
    CHECK_EQ(carom_assemble(r.model, r.state, r.scratch, NULL, &r.err), CAROM_IMPOSSIBLE);
    CHECK(before == carom_state_hash(r.state));
    CHECK_CONTAINS(r.err.message, "cannot be assembled");
    bool named = false;
    for (const char *joint = "abcd"; *joint; ++joint) {
        char text[4] = { '\'', *joint, ':', '\0' };
        named = named || strstr(r.err.message, text);
    }
    CHECK(named);
    rig_close(&r);
}

TEST(assembly, flipped_axis_is_refused)
{
    const char *scene = scene_text("assembly/flipped_axis_is_refused.json");
    rig r = rig_open(scene, (rig_time){ 0 });
    CHECK_EQ(carom_assemble(r.model, r.state, r.scratch, NULL, &r.err), CAROM_IMPOSSIBLE);
    CHECK_CONTAINS(r.err.message, "elbow");
    rig_close(&r);
}

TEST(assembly, contradicting_motions_are_refused_by_name)
{
    const char *scene = scene_text("assembly/contradicting_motions_are_refused_by_name.json");
    rig r = rig_open(scene, (rig_time){ 0 });
    CHECK_EQ(carom_assemble(r.model, r.state, r.scratch, NULL, &r.err), CAROM_IMPOSSIBLE);
    CHECK(strstr(r.err.message, "rail") || strstr(r.err.message, "weld"));
    rig_close(&r);
}

/* Velocities given for some bodies only are completed, changing as little as possible. */
TEST(assembly, velocities_are_made_consistent)
{
    const char *scene = scene_text("assembly/velocities_are_made_consistent.json");
    rig r = rig_start(scene, (rig_time){ 0 });
    /* angular momentum about the hinge is kept: m v l / 2 = (I + m l^2 / 4) omega */
    double omega = 3.0 * 1.0 * 0.5 / (0.25 + 3.0 * 0.25);
    CHECK_NEAR(rig_signal(&r, "rod.angular_velocity.z"), omega, 1e-12);
    CHECK_NEAR(rig_signal(&r, "rod.velocity.x"), 0.0, 1e-12);
    CHECK_NEAR(rig_signal(&r, "rod.velocity.y"), 0.5 * omega, 1e-12);
    rig_close(&r);
}

static bool all_finite(const rig *r)
{
    for (size_t i = 0; i < r->state->size; ++i) {
        if (!isfinite(r->state->data[i])) {
            return false;
        }
    }
    return true;
}

/* Steps on; an integrator may refuse a singular configuration, but with a reason and a sound state. */
static void survive(const char *scene, double end, const char *signal, double expected)
{
    const char *const names[] = { "\"runge-kutta\"", "\"generalized-alpha\"", "\"semi-implicit-euler\"",
#ifdef CAROM_HAVE_SUNDIALS
                                  "\"cvode\"", "\"ida\""
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        rig r = rig_start(scene, (rig_time){ .integrator = names[i], .step = 0.005 });
        carom_status status = CAROM_OK;
        while (status == CAROM_OK && end - carom_state_time(r.state) > 1e-12) {
            status = carom_step(r.model, r.state, r.scratch, end - carom_state_time(r.state), NULL, &r.err);
            CHECK(all_finite(&r));
        }
        CHECK(status == CAROM_OK || r.err.message[0] != '\0');
        if (status == CAROM_OK && signal) {
            CHECK_NEAR(rig_signal(&r, signal), expected, 0.1);
        }
        rig_close(&r);
    }
}

/* A parallelogram turned flat and through: there it has two degrees of freedom, and its momentum must choose. */
TEST(assembly, flat_parallelogram_is_survived)
{
    survive(scene_text("assembly/flat_parallelogram_is_survived.json"), 1.5, "a.angle", 4.5);
}

/* A slider-crank with rod as long as the crank reaches the centre, where the slider may stop or pass. */
TEST(assembly, change_point_of_a_slider_crank_is_survived)
{
    survive(scene_text("assembly/change_point_of_a_slider_crank_is_survived.json"), 1.0, NULL, 0.0);
}

/* A rod of no length: the direction of its force is anyone's guess, but not NaN. */
TEST(assembly, distance_joint_of_coinciding_points_is_survived)
{
    rig r;
    carom_status status = rig_compile(&r, scene_text("assembly/distance_joint_of_coinciding_points_is_survived.json"),
                                      (rig_time){ 0 });
    if (status == CAROM_OK) {
        r.state = carom_state_create(r.model);
        CHECK_OK(carom_scratch_create(r.model, 1, &r.scratch, &r.err), r.err);
        status = carom_assemble(r.model, r.state, r.scratch, NULL, &r.err);
        CHECK(all_finite(&r));
    }
    CHECK(status == CAROM_OK || r.err.message[0] != '\0');
    rig_close(&r);
}

/* A ball on a rod of 0.5 m, put anywhere around the pivot while the matrix is still that of another place, whose rod is across:
 * corrections along that rod never close the gap, those of a matrix made anew do. */
TEST(projection, renews_a_matrix_that_does_not_contract)
{
    const char *scene =
        "{\"carom\": 1, \"time\": {\"end\": 1}, \"bodies\": [{\"name\": \"ball\", \"mass\": 2, \"inertia\": [1, 1, 1],"
        " \"position\": [0.5, 0, 0]}],"
        " \"joints\": [{\"name\": \"rod\", \"type\": \"distance\", \"length\": 0.5, \"bodies\": [\"ground\", \"ball\"],"
        "   \"at\": [0, 0, 0], \"at_b\": [0.5, 0, 0]}]}";
    for (int k = 0; k < 12; ++k) {
        rig r = rig_start(scene, (rig_time){ 0 });
        double angle = 0.5 * PI + 0.1 * (k % 4 - 1.5);
        double away = 0.6 + 0.25 * (k / 4); /* [m] from the pivot */
        double moved = 0.0;
        work_place(r.scratch, 0.0, state_motion(r.state));
        work_constraints(r.scratch);
        CHECK_OK(work_factor(r.scratch, &r.err), r.err);
        r.state->pose[1].x_w = v3_make(away * cos(angle), away * sin(angle), 0.0);
        CHECK_OK(project_positions(r.scratch, 0.0, state_motion(r.state), true, &moved, &r.err), r.err);
        CHECK_NEAR(v3_norm(r.state->pose[1].x_w), 0.5, 1e-14);
        CHECK_GE(moved, away - 0.5 - 1e-12); /* no way is shorter */
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(assembly, loop_drawn_approximately_closes),
        RUN_TEST(assembly, loop_that_cannot_close_is_refused_by_name),
        RUN_TEST(assembly, flipped_axis_is_refused),
        RUN_TEST(assembly, contradicting_motions_are_refused_by_name),
        RUN_TEST(assembly, velocities_are_made_consistent),
        RUN_TEST(assembly, flat_parallelogram_is_survived),
        RUN_TEST(assembly, change_point_of_a_slider_crank_is_survived),
        RUN_TEST(assembly, distance_joint_of_coinciding_points_is_survived),
        RUN_TEST(projection, renews_a_matrix_that_does_not_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
