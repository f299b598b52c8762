/* Method "barrier": every limit that a scene can reach, on both sides. Below it nothing is told; beyond it, it is. */
#include "support/barrier_bench.h"

static const barrier_work *work_of(const sim *s)
{
    return s->scratch->contact;
}

/* How often this finding was told in the last step. */
static int told(const sim *s, carom_finding_kind kind)
{
    int count = 0;
    for (size_t k = 0; k < s->scratch->findings.count; ++k) {
        count += s->scratch->findings.items[k].kind == (int32_t)kind;
    }
    return count;
}

/* ---- doublings of the stiffness -------------------------------------------------------------------------------------------- */

/* A heavy cube comes down with 1 m/s on one of a kilogram that lies on the floor. */
static sim heavy_on_light(double mass)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": 1e-3}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}, "
        "{\"name\": \"light\", \"mass\": 1, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 0.5005]}, {\"name\": "
        "\"heavy\", \"mass\": %.17g, \"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 1.501], \"velocity\": [0, 0, -1]}]}",
        mass);
}

typedef struct squeeze {
    int raised; /* most doublings of a pair in a step */
    int shifts, shut, unsolved, ended_shifted;
    double least; /* [m] gap at the end of a step */
} squeeze;

static squeeze press(double mass)
{
    squeeze out = { .least = HUGE_VAL };
    sim s = heavy_on_light(mass);
    for (int k = 0; k < 20; ++k) {
        sim_step(&s, 1.0);
        const barrier_work *w = work_of(&s);
        for (int i = 0; i < w->pair_count; ++i) {
            out.raised = w->pairs[i].raised > out.raised ? w->pairs[i].raised : out.raised;
            for (int c = 0; c < w->pairs[i].contact_count; ++c) {
                out.least = fmin(out.least, w->pairs[i].contacts[c].gap);
            }
        }
        for (int i = 0; i < w->island_count; ++i) {
            out.ended_shifted += w->islands[i].shifted;
        }
        out.shifts += w->counts.shifts;
        out.shut += told(&s, CAROM_FINDING_NEARLY_SHUT);
        out.unsolved += told(&s, CAROM_FINDING_SOLVE_CUT_SHORT);
    }
    printf("%g kg on 1 kg: %d doublings at most, %d shifts, nearly shut %d times, not solved %d times, gap %.2e m\n",
           mass, out.raised, out.shifts, out.shut, out.unsolved, out.least);
    sim_end(&s);
    return out;
}

TEST(limits, of_doublings_of_the_stiffness)
{
    squeeze below = press(1e3);
    CHECK(below.raised > 0 && below.raised < 10);
    CHECK_EQ(below.shut, 0);
    squeeze beyond = press(1e6);
    CHECK_EQ(beyond.raised, 10);
    CHECK(beyond.shut > 0);
    CHECK(beyond.least > 0.0);
    CHECK_EQ(below.unsolved + beyond.unsolved, 0);
}

/* A cube flies with 100 m/s through a slot of two walls, with so little room on each side, over the range. */
static squeeze fly_through(const char *wall, double room)
{
    enum { IN_SLOT = 9, STEPS = 40 };
    static const double RANGE = 1e-2;
    squeeze out = { .least = HUGE_VAL };
    sim s = bench_parse(
        "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\", \"range\": %.17g, "
        "\"tolerance\": 1e-3, \"pairs\": [{\"between\": [\"wall\", \"wall\"], \"ignore\": true}]}, \"bodies\": [{\"name\": "
        "\"left\", \"fixed\": true, \"material\": \"wall\", \"shape\": {%s}, \"position\": [%.17g, 0, 0]}, {\"name\": \"right\", "
        "\"fixed\": true, \"material\": \"wall\", \"shape\": {%s}, \"position\": [%.17g, 0, 0]}, {\"name\": \"cube\", \"density\": "
        "1000, \"shape\": {\"make\": {\"type\": \"box\", \"size\": [1, 1, 1], \"spacing\": 0.5}}, \"position\": [0, 0.013, -4.4], "
        "\"velocity\": [0, 0, 100]}]}",
        RANGE, wall, -1.0 - room * RANGE, wall, 1.0 + room * RANGE);
    for (int k = 0; k < STEPS; ++k) {
        sim_step(&s, 1.0);
        out.shut += told(&s, CAROM_FINDING_NEARLY_SHUT);
        out.unsolved += told(&s, CAROM_FINDING_SOLVE_CUT_SHORT);
        CHECK(k >= IN_SLOT || work_of(&s)->pair_count > 0);
    }
    v3 v = s.state->rate[3].v_w;
    printf(
        "%g of the range on each side: nearly shut %d times, not solved %d times, leaves with (%.2g, %.2g, %.6f) m/s\n",
        room, out.shut, out.unsolved, v.x, v.y, v.z);
    CHECK_EQ(out.unsolved, 0);
    CHECK_NEAR(v.z, 100.0, 1e-9); /* no edge inside of a face is in the way */
    CHECK_NEAR(v.x, 0.0, 1e-9);
    CHECK_NEAR(v.y, 0.0, 1e-9);
    sim_end(&s);
    return out;
}

/* Where bodies have no more room than that, stiffer barriers on all sides open nothing: once they grew without end, and held the cube
 * by the edges of triangles, with an energy of their own making. */
TEST(limits, of_room_in_a_slot)
{
    static const char *const walls[] = { "\"box\": [1, 3, 10]",
                                         "\"make\": {\"type\": \"box\", \"size\": [1, 3, 10], \"spacing\": 2.5}" };
    for (int k = 0; k < 2; ++k) {
        CHECK_EQ(fly_through(walls[k], 0.3).shut, 0);
        CHECK_EQ(fly_through(walls[k], 0.03).shut, 0);
        CHECK(fly_through(walls[k], 0.01).shut > 0);
        CHECK(fly_through(walls[k], 0.001).shut > 0);
    }
}

/* ---- shifts of the Hessian -------------------------------------------------------------------------------------------------- */

/* They are for rounding, where masses are nine orders apart. They shorten twists, so that a solve that ends with one is told. */
TEST(limits, of_shifts_of_the_hessian)
{
    CHECK_EQ(press(1e3).shifts, 0);
    squeeze beyond = press(1e9);
    CHECK(beyond.shifts > 0);
    CHECK_EQ(beyond.ended_shifted, beyond.unsolved);
    CHECK(beyond.least > 0.0);
}

/* Sixty are not enough for what is no number: the run ends, and says so. */
TEST(limits, of_shifts_where_there_is_no_number)
{
    sim s = heavy_on_light(1e3);
    carom_error err = { 0 };
    uint64_t before = carom_state_hash(s.state);
    s.state->rate[2].v_w.z = (double)NAN;
    carom_status status = carom_step(s.model, s.state, s.scratch, 1.0, NULL, &err);
    CHECK(status != CAROM_OK);
    CHECK(strlen(err.message) > 0);
    CHECK(before != carom_state_hash(s.state)); /* the number that is none is still there */
    sim_end(&s);
}

/* ---- halvings of a line search ------------------------------------------------------------------------------------------------ */

/* A force that turns round where the ball is to stand: without a jump, or with one. Beyond the jump it is larger, so that the
 * energy rises however short the way. */
static int unsolved_at(const char *force)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": [{\"name\": "
        "\"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"velocity\": [1, 0, 0]}], \"forces\": [{\"name\": \"relay\", "
        "\"type\": \"load\", \"body\": \"ball\", \"force\": [\"%s\", 0, 0]}]}",
        force);
    int count = 0;
    int most = 0;
    for (int k = 0; k < 20; ++k) {
        sim_step(&s, 1.0);
        count += told(&s, CAROM_FINDING_SOLVE_CUT_SHORT);
        most = work_of(&s)->counts.backtracks > most ? work_of(&s)->counts.backtracks : most;
    }
    printf("%s: not solved %d times, at most %d halvings in a step\n", force, count, most);
    CHECK(count == 0 || most >= 60);
    sim_end(&s);
    return count;
}

TEST(limits, of_halvings_of_a_line_search)
{
    CHECK_EQ(unsolved_at("-1000*tanh((ball.position.x-0.1)/0.01)"), 0);
    CHECK(unsolved_at("ball.position.x < 0.1 ? 1000 : -3000") > 0);
}

/* ---- iterations and lags ------------------------------------------------------------------------------------------------------ */

/* Cubes that fall on each other, with so many iterations and lags. */
static void fall(int iterations, int lags, int *unsolved, int *lagging)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": "
        "\"barrier\", \"friction\": 0.4, \"iterations\": %d, \"lags\": %d}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, "
        "\"shape\": {\"plane\": [0, 0, 1]}}, {\"name\": \"low\", \"density\": 1000, \"shape\": {\"box\": [0.2, 0.2, 0.2]}, "
        "\"position\": [0, 0, 0.12]}, {\"name\": \"top\", \"density\": 1000, \"shape\": {\"box\": [0.2, 0.2, 0.2]}, "
        "\"position\": [0.03, 0.02, 0.35], \"velocity\": [0.3, 0, -1]}]}",
        iterations, lags);
    *unsolved = *lagging = 0;
    for (int k = 0; k < 40; ++k) {
        sim_step(&s, 1.0);
        *unsolved += told(&s, CAROM_FINDING_SOLVE_CUT_SHORT);
        *lagging += told(&s, CAROM_FINDING_FRICTION_LAGS);
    }
    printf("%d iterations, %d lags: not solved %d times, friction not settled %d times\n", iterations, lags,
           *unsolved, *lagging);
    sim_end(&s);
}

TEST(limits, of_iterations_and_lags)
{
    int unsolved, lagging;
    fall(200, 20, &unsolved, &lagging);
    CHECK_EQ(unsolved, 0);
    CHECK_EQ(lagging, 0);
    fall(3, 20, &unsolved, &lagging);
    CHECK(unsolved > 0);
    fall(200, 1, &unsolved, &lagging);
    CHECK(lagging > 0);
    CHECK_EQ(unsolved, 0);
}

/* ---- rounds of islands --------------------------------------------------------------------------------------------------------- */

/* A round gives a body twice to eight times the room that it had. However far a force throws it, the rounds are some hundred: the
 * farther limit of a thousand is beyond what numbers can hold. */
TEST(limits, of_rounds_of_islands)
{
    static const double forces[] = { 1e3, 1e12, 1e100 };
    int last = 0;
    for (int k = 0; k < 3; ++k) {
        sim s = bench_parse(
            "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": "
            "[{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}}], \"forces\": [{\"name\": \"push\", \"type\": "
            "\"load\", \"body\": \"ball\", \"force\": [%.17g, 0, 0]}]}",
            forces[k]);
        carom_error err = { 0 };
        carom_status status = carom_step(s.model, s.state, s.scratch, 1.0, NULL, &err);
        int rounds = work_of(&s)->counts.rounds;
        printf("%g N: %d rounds, %s\n", forces[k], rounds, carom_status_name(status));
        CHECK(rounds > last && rounds < 400);
        CHECK(status == CAROM_OK || strlen(err.message) > 0); /* faster than light is refused */
        last = rounds;
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(limits, of_doublings_of_the_stiffness), RUN_TEST(limits, of_room_in_a_slot),
        RUN_TEST(limits, of_shifts_of_the_hessian),      RUN_TEST(limits, of_shifts_where_there_is_no_number),
        RUN_TEST(limits, of_halvings_of_a_line_search),  RUN_TEST(limits, of_iterations_and_lags),
        RUN_TEST(limits, of_rounds_of_islands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
