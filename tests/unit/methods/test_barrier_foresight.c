/* Method "barrier", foresight.c: what is found ahead, and what it saves where bodies strike. */
#include "methods/barrier/contacts.h"
#include "methods/barrier/line_search.h"
#include "support/barrier_bench.h"

static const double RANGE = 1e-3; /* [m] */

#define BOX "{\"box\": [0.3, 0.2, 0.1]}"
#define PLANE "{\"plane\": [0, 0, 1]}"
#define RING "{\"make\": {\"type\": \"torus\", \"ring_radius\": 0.1, \"tube_radius\": 0.02, \"spacing\": 0.02}}"

typedef struct fall {
    const char *name;
    const char *below, *fixed; /* shape, and further keys, of the first body */
    const char *above;
    v3 turn;  /* [rad] of the second */
    int most; /* iterations to land; without foresight 11, 17, 24 and 19 */
} fall;

static const fall FALLS[] = {
    { "box on plane", PLANE, "\"fixed\": true,", BOX, { 0, 0, 0.3 }, 7 },
    { "box on box", BOX, "\"fixed\": true,", BOX, { 0.001, 0.002, 0.4 }, 13 },
    { "corner on box", BOX, "\"fixed\": true,", BOX, { 0.7, 0.5, 0.3 }, 20 },
    { "ring on box", BOX, "\"fixed\": true,", RING, { 0.1, 0.2, 0.0 }, 16 },
};
enum { FALL_COUNT = sizeof FALLS / sizeof *FALLS };

static sim falling(const fall *f, double speed, double step, double mu)
{
    double angle = v3_norm(f->turn);
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 10, \"step\": %.17g}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": %.17g, \"friction\": %.17g, \"tolerance\": 1e-5}, \"bodies\": [{\"name\": \"below\", %s "
        "\"shape\": %s, \"density\": 1000}, {\"name\": \"above\", \"shape\": %s, \"density\": 1000, \"position\": [0.02, 0.01, "
        "0.4], \"velocity\": [0, 0, %.17g], \"orientation\": {\"axis\": [%.17g, %.17g, %.17g], \"angle\": %.17g}}]}",
        step, RANGE, mu, f->fixed, f->below, f->above, -speed, f->turn.x / angle, f->turn.y / angle,
        f->turn.z / angle, angle);
}

/* The least gap of what is ahead; sums over all of it tell whether two searches have found the same in the same order. */
typedef struct sight {
    int count;
    double least, sum;
} sight;

static sight look_ahead(bench *b, barrier_pair *p, double way)
{
    moving_body *above = bench_body(b, b->isle.body_count - 1);
    sight s = { .least = HUGE_VAL };
    above->d = (twist){ v3_make(0.0, 0.0, -way), v3_zero() };
    above->way = way_of(above);
    CHECK(contacts_find_ahead(b->w, p));
    s.count = p->ahead_count;
    for (int k = 0; k < p->ahead_count; ++k) {
        const barrier_contact *c = &p->ahead[k];
        s.least = fmin(s.least, c->gap);
        s.sum += (k + 1) * (c->gap + v3_dot(c->normal, v3_make(1.0, 2.0, 3.0)) + v3_norm(c->arm[0]));
    }
    return s;
}

/* Nothing depends on whether the list of near features reaches as far, or they have to be found anew. */
TEST(ahead, is_the_same_with_any_list)
{
    for (int k = 0; k < FALL_COUNT; ++k) {
        sim s = falling(&FALLS[k], 1.0, 0.01, 0.0);
        bench_approach(&s, 2, v3_make(0, 0, -1), 1.5 * RANGE);
        bench b = bench_begin(s);
        CHECK_EQ(b.isle.pair_count, 1);
        barrier_pair *p = &b.w->pairs[b.isle.pairs[0]];
        CHECK(isfinite(contacts_evaluate(b.w, &b.isle)));
        CHECK_EQ(p->contact_count, 0);
        CHECK(p->near.made && p->near.holds > 1.2 * RANGE);
        sight listed = look_ahead(&b, p, 1.2 * RANGE);
        p->near.holds = 0.0;
        sight anew = look_ahead(&b, p, 1.2 * RANGE);
        printf("%-14s %d ahead, the nearest at %.3f ranges\n", FALLS[k].name, listed.count, listed.least / RANGE);
        CHECK_GE(listed.count, 1);
        CHECK_EQ(listed.count, anew.count);
        CHECK_NEAR(listed.sum, anew.sum, 0.0);
        CHECK_NEAR(listed.least, 1.5 * RANGE, 1e-3 * RANGE);
        CHECK_EQ(look_ahead(&b, p, 0.4 * RANGE).count, 0); /* it does not come within range */
        bench_end(&b);
    }
}

/* A list that is kept for the next twists serves as far as it reaches, wherever bodies were when it was made. */
TEST(ahead, is_the_same_with_a_list_that_was_kept)
{
    static const double NEXT[] = { 0.1, 1.0, 3.0, 12.0 }; /* ranges */
    int renewed = 0;
    for (int k = 0; k < FALL_COUNT; ++k) {
        for (int i = 0; i < 4; ++i) {
            sim s = falling(&FALLS[k], 1.0, 0.01, 0.0);
            bench_approach(&s, 2, v3_make(0, 0, -1), 1.5 * RANGE);
            bench b = bench_begin(s);
            barrier_pair *p = &b.w->pairs[b.isle.pairs[0]];
            double lower[2 * COLUMNS] = { 0.0 };
            lower[COLUMNS * (b.isle.body_count - 1) + 2] = -0.3 * RANGE;
            CHECK(isfinite(contacts_evaluate(b.w, &b.isle)));
            p->near.holds = 0.0;
            look_ahead(&b, p, 1.2 * RANGE);
            double holds = p->farther.holds;
            bench_displace(&b, lower);
            sight kept = look_ahead(&b, p, NEXT[i] * RANGE);
            renewed += p->farther.holds != holds;
            p->farther.made = false;
            sight anew = look_ahead(&b, p, NEXT[i] * RANGE);
            CHECK_EQ(kept.count, anew.count);
            CHECK_NEAR(kept.sum, anew.sum, 0.0);
            bench_end(&b);
        }
    }
    printf("renewed %d times of %d\n", renewed, 4 * FALL_COUNT);
    CHECK_GE(renewed, 1);
    CHECK_LE(renewed, 2 * FALL_COUNT);
}

/* What no list has yet is found, too. */
TEST(ahead, reaches_beyond_lists)
{
    for (int k = 0; k < FALL_COUNT; ++k) {
        sim s = falling(&FALLS[k], 1.0, 0.01, 0.0);
        bench_approach(&s, 2, v3_make(0, 0, -1), 5.0 * RANGE);
        bench b = bench_begin(s);
        CHECK_EQ(b.isle.pair_count, 1);
        CHECK(isfinite(contacts_evaluate(b.w, &b.isle)));
        sight ahead = look_ahead(&b, &b.w->pairs[b.isle.pairs[0]], 6.0 * RANGE);
        CHECK_GE(ahead.count, 1);
        CHECK_NEAR(ahead.least, 5.0 * RANGE, 1e-3 * RANGE);
        bench_end(&b);
    }
}

/* [iterations] of the step in which the body lands. */
static int landing(const fall *f, double speed, double step, double mu)
{
    sim s = falling(f, speed, step, mu);
    carom_error err = { 0 };
    bench_approach(&s, 2, v3_make(0, 0, -1), fmin(0.4 * speed * step, 0.2));
    carom_step_report report = { 0 };
    CHECK_OK(carom_step(s.model, s.state, s.scratch, step, &report, &err), err);
    CHECK_GE(report.contacts, 1);
    CHECK_GE(report.distance, 0.3 * RANGE);
    CHECK_EQ(report.fallbacks, 0);
    sim_end(&s);
    return report.iterations;
}

/* Bodies that strike at some ranges per step land in a few iterations, whatever the speed, with and without friction. */
TEST(landing, takes_few_iterations)
{
    for (int k = 0; k < FALL_COUNT; ++k) {
        int most = 0;
        for (double speed = 0.2; speed < 3.0; speed *= 1.6) {
            for (int rough = 0; rough < 2; ++rough) {
                int iterations = landing(&FALLS[k], speed, 0.005, rough * 0.4);
                most = iterations > most ? iterations : most;
            }
        }
        printf("%-14s %d iterations at most\n", FALLS[k].name, most);
        CHECK_LE(most, FALLS[k].most);
    }
}

/* Bodies that fly many times their size in a step, and are stopped with a turn of many radians: twists are damped at first, and long
 * again soon. Where damping falls by halves, and not faster and faster, this takes 33 iterations at most and 22.3 on average. */
TEST(landing, of_fast_bodies_takes_few_iterations)
{
    enum { TURNS = 16, MOST = 26 };
    static const double MEAN = 19.0;
    test_rng rng = test_rng_seed(5);
    int sum = 0;
    int most = 0;
    for (int k = 0; k < TURNS; ++k) {
        fall f = { "box on plane", PLANE, "\"fixed\": true,", BOX, .turn = random_v3(&rng, 3.0) };
        int iterations = landing(&f, 300.0, 0.01, 0.0);
        sum += iterations;
        most = iterations > most ? iterations : most;
    }
    printf("%d iterations at most, %.3g on average\n", most, (double)sum / TURNS);
    CHECK_LE(most, MOST);
    CHECK_LE((double)sum / TURNS, MEAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(ahead, is_the_same_with_any_list),
        RUN_TEST(ahead, is_the_same_with_a_list_that_was_kept),
        RUN_TEST(ahead, reaches_beyond_lists),
        RUN_TEST(landing, takes_few_iterations),
        RUN_TEST(landing, of_fast_bodies_takes_few_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
