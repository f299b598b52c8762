/* Event location on functions whose roots are known. */
#include "dynamics/events.h"

#include <float.h>

#include "support/check.h"

typedef struct line_set {
    int count;
    double root[EVENT_FUNCTIONS_ON_STACK];
    double slope[EVENT_FUNCTIONS_ON_STACK];
    int evaluations;
} line_set;

static void lines(void *context, double t, double *g)
{
    line_set *s = context;
    s->evaluations++;
    for (int i = 0; i < s->count; ++i) {
        g[i] = s->slope[i] * (t - s->root[i]);
    }
}

typedef struct parabola { /* (t - a)(t - b) + lift */
    double a, b, lift;
} parabola;

static void parabola_value(void *context, double t, double *g)
{
    const parabola *p = context;
    g[0] = (t - p->a) * (t - p->b) + p->lift;
}

static void steep(void *context, double t, double *g)
{
    const double *root = context;
    g[0] = pow(t - *root, 9.0); /* flat at the root: secants creep */
}

static event_search search_of(event_functions functions, void *context, int count)
{
    return (event_search){ .functions = functions, .context = context, .count = count, .t1 = 1.0, .samples = 1 };
}

TEST(events, simple_roots_are_found_to_the_last_bits)
{
    FOR_EACH_SEED(rng, 500) {
        line_set s = { .count = 1, .root = { test_rng_uniform(&rng, 0.0, 1.0) }, .slope = { 3.0 } };
        event_search search = search_of(lines, &s, 1);
        event_found found;
        CHECK(events_first(&search, &found));
        CHECK_LE(found.before, s.root[0]);
        CHECK_GE(found.t, s.root[0]);
        CHECK_LE(found.t - found.before, 4.0 * DBL_EPSILON);
        CHECK_LE(s.evaluations, 40); /* bisection alone would take 52 */
    }
}

TEST(events, flat_roots_are_bracketed_too)
{
    double root = 0.3217;
    event_search search = search_of(steep, &root, 1);
    event_found found;
    CHECK(events_first(&search, &found));
    /* t - root vanishes below 1e-308^(1/9): the sign is lost there, not before */
    CHECK_NEAR(found.t, root, 1e-30 + 4.0 * DBL_EPSILON);
}

TEST(events, tolerance_is_the_width_of_the_bracket)
{
    line_set s = { .count = 1, .root = { 0.77 }, .slope = { -1.0 } };
    event_search search = search_of(lines, &s, 1);
    search.tolerance = 1e-3;
    event_found found;
    CHECK(events_first(&search, &found));
    CHECK_LE(found.t - found.before, 1e-3);
    CHECK(found.before <= 0.77 && 0.77 <= found.t);
}

TEST(events, two_sign_changes_need_samples_between)
{
    parabola p = { 0.41, 0.47, 0.0 };
    event_search search = search_of(parabola_value, &p, 1);
    event_found found;
    CHECK(!events_first(&search, &found));
    search.samples = 40;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.41, 1e-15);
}

TEST(events, grazing_from_above_is_no_event)
{
    parabola above = { 0.5, 0.5, 1e-12 };
    event_search search = search_of(parabola_value, &above, 1);
    search.samples = 1000;
    event_found found;
    CHECK(!events_first(&search, &found));
    parabola below = { 0.5, 0.5, -1e-7 }; /* dips below for 0.6 ms */
    search.context = &below;
    search.samples = 4000;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.5 - sqrt(1e-7), 1e-12);
}

TEST(events, falling_only_overlooks_rising)
{
    parabola p = { 0.25, 0.75, 0.0 }; /* falls at 0.25, rises at 0.75 */
    event_search search = search_of(parabola_value, &p, 1);
    search.samples = 8;
    search.falling_only = true;
    event_found found;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.25, 1e-15);
    search.t0 = 0.3;
    CHECK(!events_first(&search, &found));
    search.falling_only = false;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.75, 1e-15);
}

TEST(events, earliest_of_many_functions_wins)
{
    FOR_EACH_SEED(rng, 200) {
        line_set s = { .count = EVENT_FUNCTIONS_ON_STACK };
        double first = 2.0;
        int index = -1;
        for (int i = 0; i < s.count; ++i) {
            s.root[i] = test_rng_uniform(&rng, -1.0, 2.0);
            s.slope[i] = test_rng_uniform(&rng, -1.0, 1.0);
            if (s.root[i] > 0.0 && s.root[i] < first) {
                first = s.root[i];
                index = i;
            }
        }
        event_search search = search_of(lines, &s, s.count);
        event_found found;
        CHECK(events_first(&search, &found));
        CHECK_EQ(found.index, index);
        CHECK_NEAR(found.t, first, 4.0 * DBL_EPSILON);
    }
}

TEST(events, zero_at_the_start_does_not_count)
{
    line_set s = { .count = 1, .root = { 0.0 }, .slope = { -1.0 } };
    event_search search = search_of(lines, &s, 1);
    search.samples = 10;
    event_found found;
    CHECK(!events_first(&search, &found));
    parabola p = { 0.0, 0.6, 0.0 }; /* leaves downwards, comes back at 0.6 */
    search = search_of(parabola_value, &p, 1);
    search.samples = 10;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.6, 1e-15);
}

/* After an event the search goes on from its far side and finds the next one, not the same again. */
TEST(events, going_on_from_an_event_finds_the_next)
{
    parabola p = { 0.3, 0.8, 0.0 };
    event_search search = search_of(parabola_value, &p, 1);
    search.samples = 10;
    event_found found;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.3, 1e-15);
    search.t0 = found.t;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 0.8, 1e-15);
    search.t0 = found.t;
    CHECK(!events_first(&search, &found));
}

TEST(events, a_root_at_the_end_counts_once)
{
    line_set s = { .count = 1, .root = { 1.0 }, .slope = { -2.0 } };
    event_search search = search_of(lines, &s, 1);
    event_found found;
    CHECK(events_first(&search, &found));
    CHECK_NEAR(found.t, 1.0, 0.0);
    search.t0 = 1.0;
    search.t1 = 2.0;
    CHECK(!events_first(&search, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(events, simple_roots_are_found_to_the_last_bits),
        RUN_TEST(events, flat_roots_are_bracketed_too),
        RUN_TEST(events, tolerance_is_the_width_of_the_bracket),
        RUN_TEST(events, two_sign_changes_need_samples_between),
        RUN_TEST(events, grazing_from_above_is_no_event),
        RUN_TEST(events, falling_only_overlooks_rising),
        RUN_TEST(events, earliest_of_many_functions_wins),
        RUN_TEST(events, zero_at_the_start_does_not_count),
        RUN_TEST(events, going_on_from_an_event_finds_the_next),
        RUN_TEST(events, a_root_at_the_end_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
