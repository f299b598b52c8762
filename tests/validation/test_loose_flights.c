/* Flights across the play of loose joints under "impact", beside closed forms: a journal in its bearing is a billiard ball in
 * a circle, a slider in its guide one between two walls. Without loss it goes on for ever; with loss along the normal alone it
 * comes to slide around the bearing with what it had along the wall. */
#include "support/impact_run.h"

typedef struct hole {
    double play, speed; /* [m], [m/s] */
    double aside;       /* of the play: how far off the middle the first chord passes */
    double steps;       /* per flight; 0: as it comes */
    int flights;
} hole;

static const char *time_text(char *text, size_t size, double end, double step)
{
    if (step > 0.0) {
        snprintf(text, size, "{\"end\": %.17g, \"step\": %.17g}", end, step);
    } else {
        snprintf(text, size, "{\"end\": %.17g}", end);
    }
    return text;
}

/* Its middle is the journal; it starts where its chord is nearest to the middle, and moves along y. */
static impact_run start_journal(const hole *h, double end, double e, bool swapped)
{
    char time[96];
    double chord = 2.0 * h->play * sqrt(1.0 - h->aside * h->aside) / h->speed;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": %s,"
        " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g},"
        " \"bodies\": [ {\"name\": \"rotor\", \"shape\": {\"sphere\": 0.04}, \"mass\": 0.3,"
        "   \"position\": [%.17g, 0, 0], \"velocity\": [0, %.17g, 0]} ],"
        " \"joints\": [ {\"name\": \"hole\", \"type\": \"revolute\", \"bodies\": [%s], \"%s\": [0, 0, 0],"
        "   \"%s\": [%.17g, 0, 0], \"clearance\": {\"play\": %.17g, \"radius\": 0.01}} ] }",
        time_text(time, sizeof time, end, h->steps > 0.0 ? chord / h->steps : 0.0), e, h->aside * h->play, h->speed,
        swapped ? "\"rotor\", \"ground\"" : "\"ground\", \"rotor\"", swapped ? "at_b" : "at", swapped ? "at" : "at_b",
        h->aside * h->play, h->play);
}

/* After whole chords and the part `rest` of the next one [m], both turned by as much as each impact turns the path. */
static void billiard(const hole *h, int chords, double rest, double x[2])
{
    double half = sqrt(1.0 - h->aside * h->aside);
    double turn = chords * (acos(-1.0) - 2.0 * asin(h->aside));
    double along = rest - half * h->play;
    double c = cos(turn);
    double s = sin(turn);
    x[0] = c * h->aside * h->play - s * along;
    x[1] = s * h->aside * h->play + c * along;
}

static carom_v3 where(const impact_run *r)
{
    return carom_state_pose(r->s.model, r->s.state, sim_body(&r->s, "rotor")).position;
}

static void check_journal(const hole *h, bool swapped)
{
    double half = h->play * sqrt(1.0 - h->aside * h->aside);
    double end = (2.0 * h->flights + 0.6) * half / h->speed; /* [s] */
    impact_run r = start_journal(h, end, 1.0, swapped);
    double x[2];
    double beyond = 0.0;
    while (sim_before(&r.s, end)) {
        run_step(&r, end);
        beyond = fmax(beyond, hypot(where(&r).x, where(&r).y) - h->play);
    }
    billiard(h, h->flights, 1.6 * half, x); /* the first one was half a chord */
    double off = hypot(where(&r).x - x[0], where(&r).y - x[1]);
    printf("  play %.0e m, %.3g m/s, aside %.3g, %g steps per flight%s: %zu impacts, off by %.1e of the play, beyond "
           "%.1e "
           "m\n",
           h->play, h->speed, h->aside, h->steps, swapped ? ", swapped" : "", run_count(&r, CAROM_EVENT_IMPACT),
           off / h->play, beyond);
    CHECK((int)run_count(&r, CAROM_EVENT_IMPACT) == h->flights);
    CHECK_LE(off, 1e-7 * h->play + 1e-13 * h->flights * h->flights);
    CHECK_LE(beyond, 1e-12);
    CHECK_LE(fabs(sim_ledger(&r.s).lost_impact), 1e-12 * r.swing);
    run_end(&r);
}

TEST(flights, a_journal_is_a_billiard_ball_in_a_circle)
{
    const hole holes[] = {
        { 2e-4, 1.0, 0.0, 0.0, 60 },  { 5e-5, 1.0, 0.3, 0.0, 60 },   { 1e-6, 0.02, 0.5, 0.0, 40 },
        { 1e-6, 30.0, 0.1, 0.3, 40 }, { 1e-2, 5.0, 0.0, 0.01, 30 },  { 1e-2, 0.1, 0.9, 7.0, 30 },
        { 1e-3, 90.0, 0.7, 0.1, 50 }, { 3e-5, 2.0, 0.999, 0.4, 50 }, { 7e-6, 1e-3, 0.01, 0.02, 50 },
    };
    printf("\n");
    for (size_t k = 0; k < sizeof holes / sizeof *holes; ++k) {
        check_journal(&holes[k], false);
        check_journal(&holes[k], true);
    }
}

/* Impacts take the speed along the normal in a geometric series, ever faster as chords become short; they come to an end, and
 * the journal slides on around the bearing with what it had along the wall. */
TEST(flights, impacts_that_become_ever_faster_end_in_sliding)
{
    const hole holes[] = { { 1e-3, 1.0, 0.5, 0.0, 0 },
                           { 1e-6, 0.3, 0.8, 0.0, 0 },
                           { 1e-2, 10.0, 0.2, 0.0, 0 },
                           { 2e-4, 0.05, 0.3, 0.2, 0 } };
    const double losses[] = { 0.0, 0.3, 0.9, 0.99 };
    printf("\n");
    for (size_t k = 0; k < 4 * sizeof holes / sizeof *holes; ++k) {
        const hole *h = &holes[k / 4];
        double e = losses[k % 4];
        double end = 10.0 * h->play / (h->speed * h->aside) / (1.0 - e);
        impact_run r = start_journal(h, end, e, k % 2 == 1);
        run_to(&r, end);
        double speed = sim_norm(run_velocity(&r, "rotor"));
        double radius = hypot(where(&r).x, where(&r).y);
        printf("  play %.0e m, e = %.2f: %zu impacts, speed off by %.1e, %.1e m from the wall\n", h->play, e,
               run_count(&r, CAROM_EVENT_IMPACT), speed / (h->speed * h->aside) - 1.0, radius - h->play);
        CHECK_NEAR(speed, h->speed * h->aside, 5e-5 * speed); /* after up to some hundred turns */
        CHECK_NEAR(radius, h->play, 1e-12);
        CHECK_LE((double)run_count(&r, CAROM_EVENT_IMPACT), 5000.0);
        run_end(&r);
    }
}

/* ---- a slider in its guide -------------------------------------------------------------------------------------------------- */

static void check_slider(const hole *h)
{
    char time[96];
    double flight = 2.0 * h->play / h->speed;
    double end = (h->flights + 0.2) * flight;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": %s,"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 1},"
                  " \"bodies\": [ {\"name\": \"rotor\", \"shape\": {\"box\": [0.1, 0.02, 0.02]}, \"mass\": 0.3,"
                  "   \"velocity\": [0.7, %.17g, 0]} ],"
                  " \"joints\": [ {\"name\": \"guide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", "
                  "\"rotor\"], \"axis\": [1, 0, 0], \"x_axis\": [0, 1, 0],"
                  "   \"clearance\": {\"play\": %.17g, \"radius\": 0.01, \"length\": 0.1}} ] }",
                  time_text(time, sizeof time, end, h->steps > 0.0 ? flight / h->steps : 0.0), h->speed, h->play);
    double beyond = 0.0;
    while (sim_before(&r.s, end)) {
        run_step(&r, end);
        beyond = fmax(beyond, fabs(where(&r).y) - h->play);
    }
    double y = (h->flights % 2 == 0 ? 0.4 : -0.4) * h->play; /* it passes the middle at whole flights */
    printf("  play %.0e m, %.3g m/s, %g steps per flight: %zu impacts of corners, off by %.1e of the play, beyond "
           "%.1e m\n",
           h->play, h->speed, h->steps, run_count(&r, CAROM_EVENT_IMPACT), (where(&r).y - y) / h->play, beyond);
    CHECK((int)run_count(&r, CAROM_EVENT_IMPACT) == 2 * h->flights);
    CHECK_NEAR(where(&r).y, y, 1e-7 * h->play + 1e-13 * h->flights);
    CHECK_NEAR(where(&r).x, 0.7 * end, 1e-12);
    CHECK_LE(beyond, 1e-12);
    run_end(&r);
}

TEST(flights, a_slider_goes_to_and_fro_between_its_walls)
{
    const hole guides[] = { { 1e-6, 0.1, 0.0, 0.0, 31 },
                            { 1e-4, 3.0, 0.0, 0.1, 40 },
                            { 1e-2, 50.0, 0.0, 0.02, 25 },
                            { 2e-3, 1e-2, 0.0, 3.0, 20 } };
    printf("\n");
    for (size_t k = 0; k < sizeof guides / sizeof *guides; ++k) {
        check_slider(&guides[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(flights, a_journal_is_a_billiard_ball_in_a_circle),
        RUN_TEST(flights, impacts_that_become_ever_faster_end_in_sliding),
        RUN_TEST(flights, a_slider_goes_to_and_fro_between_its_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
