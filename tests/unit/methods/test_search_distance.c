/* The smallest distance that steps under "impact" report: as closed forms say, whatever planes between bodies have settled. */
#include "support/scene_file.h"
#include "support/sim.h"

/* The smallest of all steps up to `end`. */
static double smallest_distance(const char *scene, const char *const *overrides, double end)
{
    sim s = sim_parse(scene, overrides);
    double least = HUGE_VAL;
    while (sim_before(&s, end)) {
        carom_step_report report = { 0 };
        carom_error err = { 0 };
        CHECK_OK(carom_step(s.model, s.state, s.scratch, end - sim_time(&s), &report, &err), err);
        least = fmin(least, report.distance);
    }
    sim_end(&s);
    return least;
}

/* Two balls of 0.2 m and 0.3 m pass at 10 m/s, their lines `miss` apart: nearest in the middle of some step. */
static const char passing[] = "search_distance/passing.json";

TEST(distance, of_balls_that_pass)
{
    static const char *const misses[][2] = { { "bodies[1].position=[3, 0.50001, 0]", NULL },
                                             { "bodies[1].position=[3, 0.3, -0.401]", NULL },
                                             { "bodies[1].position=[3, 0.51, 0]", NULL } };
    const double expected[] = { 1e-5, hypot(0.3, 0.401) - 0.5, 0.01 };
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(smallest_distance(scene_text(passing), misses[k], 1.0), expected[k], 1e-9);
    }
}

TEST(distance, is_none_where_nothing_is_near_and_zero_where_something_touches)
{
    static const char *const far[] = { "bodies[1].position=[3, 2, 0]", NULL };
    static const char *const hit[] = { "bodies[1].position=[3, 0.3, 0]", NULL };
    CHECK(smallest_distance(scene_text(passing), far, 1.0) == HUGE_VAL);
    CHECK_EQ(smallest_distance(scene_text(passing), hit, 1.0), 0.0);
}

/* A box thrown up against a ceiling turns round `left` below it, so slowly that no step would have to look. */
TEST(distance, of_a_box_that_turns_round_below_a_ceiling)
{
    const char *thrown = scene_text("search_distance/of_a_box_that_turns_round_below_a_ceiling.json");
    CHECK_NEAR(smallest_distance(thrown, NULL, 0.6), 0.005, 1e-8); /* 1 - 0.395 - 0.1 - 10 / 20 */
}

/* A cube that turns about z by a wall: its edges reach sqrt(2) times half its side. */
TEST(distance, of_a_cube_that_turns_beside_a_wall)
{
    const char *turning = scene_text("search_distance/of_a_cube_that_turns_beside_a_wall.json");
    CHECK_NEAR(smallest_distance(turning, NULL, 1.0), 0.15 - 0.1 * sqrt(2.0), 1e-9); /* at pi / 4 s */
}

/* A journal that floats in its bearing: what play is left. */
TEST(distance, of_a_journal_from_its_bearing)
{
    const char *floating = scene_text("search_distance/of_a_journal_from_its_bearing.json");
    CHECK_NEAR(smallest_distance(floating, NULL, 0.7), 0.3e-3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_of_balls_that_pass),
        cmocka_unit_test(distance_is_none_where_nothing_is_near_and_zero_where_something_touches),
        cmocka_unit_test(distance_of_a_box_that_turns_round_below_a_ceiling),
        cmocka_unit_test(distance_of_a_cube_that_turns_beside_a_wall),
        cmocka_unit_test(distance_of_a_journal_from_its_bearing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
