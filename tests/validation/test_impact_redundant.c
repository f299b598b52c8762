/* Boxes on four corners, whose forces statics leaves open: they slip and tip when the forces together can hold no longer, not
 * when the first corner cannot, and no corner ever pulls. */
#include "dynamics/contact.h"
#include "model/method.h"
#include "support/impact_run.h"

static const double G = 9.81;

/* A load k t on the top of a box or inside it, above its centre or beside it. */
typedef struct loading {
    double a, b, h; /* [m] half lengths of the base, height */
    double mass, mu;
    carom_v3 at;    /* [m] from the middle of the base */
    carom_v3 force; /* [N/s] per time */
} loading;

static impact_run start_loading(const loading *k, double end)
{
    return run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": %.17g},"
                     " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": %.17g}},"
                     " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                     "  {\"name\": \"box\", \"shape\": {\"box\": [%.17g, %.17g, %.17g]}, \"mass\": %.17g, "
                     "\"position\": [0, 0, %.17g]} ],"
                     " \"forces\": [ {\"name\": \"push\", \"type\": \"load\", \"body\": \"box\", \"at\": [%.17g, "
                     "%.17g, %.17g], \"force\": [\"%.17g*t\", \"%.17g*t\", \"%.17g*t\"]} ] }",
                     end, k->mu, 2.0 * k->a, 2.0 * k->b, k->h, k->mass, 0.5 * k->h, k->at.x, k->at.y, k->at.z,
                     k->force.x, k->force.y, k->force.z);
}

/* mu (W - F_z) = |F_xy|. */
static double slip_time(const loading *k)
{
    return k->mu * k->mass * G / (hypot(k->force.x, k->force.y) + k->mu * k->force.z);
}

/* When the centre of pressure c comes to an edge: (W - F_z) c = height F_x - at F_z, c = side half. */
static double edge_time(double W, double half, double side, double height, double along, double at, double up)
{
    double grows = side * (height * along - at * up) + half * up;
    return grows > 0.0 ? W * half / grows : HUGE_VAL;
}

static double tip_time(const loading *k)
{
    double W = k->mass * G;
    double first = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        first = fmin(first, edge_time(W, k->a, side, k->at.z, k->force.x, k->at.x, k->force.z));
        first = fmin(first, edge_time(W, k->b, side, k->at.z, k->force.y, k->at.y, k->force.z));
    }
    return first;
}

/* The most that any corner pulls [N]. */
static double worst_pull(const impact_run *r)
{
    int count = 0;
    double pull = 0.0;
    const carom_contact_point *points = r->s.model->method->forces->points(r->s.scratch->contact, &count);
    for (int k = 0; k < count; ++k) {
        pull = fmax(pull, -v3_dot(points[k].force, points[k].normal));
    }
    return pull;
}

static double first_change(const impact_run *r, carom_event_kind *kind)
{
    for (size_t k = 0; k < r->count; ++k) {
        if (r->events[k].t > 0.0) {
            *kind = r->events[k].kind;
            return r->events[k].t;
        }
    }
    return HUGE_VAL;
}

/* Which comes first, and when: nothing happens before. Forces are at their ends to 1e-10 of the largest. */
static void check_loading(const loading *k)
{
    double slips = slip_time(k);
    double tips = tip_time(k);
    double expected = fmin(slips, tips);
    carom_event_kind kind = CAROM_EVENT_IMPACT;
    impact_run r = start_loading(k, 2.0 * expected);
    double pull = 0.0;
    while (sim_before(&r.s, 1.01 * expected)) {
        run_step(&r, 1.01 * expected);
        pull = fmax(pull, worst_pull(&r));
    }
    double t = first_change(&r, &kind);
    table_row(slips < tips ? "slips" : "tips", t, expected);
    CHECK_LE(fabs(t - expected), 3e-9 * expected);
    CHECK(kind == (slips < tips ? CAROM_EVENT_SLIP : CAROM_EVENT_CONTACT_OFF));
    CHECK_LE(pull, 1e-8 * k->mass * G);
    if (slips < 0.9 * tips) { /* else its acceleration tips it */
        CHECK(run_count(&r, CAROM_EVENT_SLIP) == 4 && run_count(&r, CAROM_EVENT_STICK) == 0);
        carom_v3 v = run_velocity(&r, "box");
        CHECK_NEAR(v.x * k->force.y, v.y * k->force.x, 1e-6 * sim_norm(v) * sim_norm(k->force));
    }
    CHECK_LE(r.residue, 1e-11 * k->mass * G * k->h); /* of the energy that tipping costs; little moves yet */
    run_end(&r);
}

/* Pushed along any line through its axis, at any height, and up or down a little: no corner twists. */
TEST(redundant, a_box_slips_or_tips_when_four_corners_cannot_hold)
{
    table_head("pushed");
    for (unsigned seed = 1; seed <= 60; ++seed) {
        test_rng rng = test_rng_seed(seed);
        double angle = test_rng_uniform(&rng, 0.0, 6.3);
        double h = test_rng_uniform(&rng, 0.1, 0.6);
        loading k = { .a = test_rng_uniform(&rng, 0.05, 0.2),
                      .b = test_rng_uniform(&rng, 0.05, 0.2),
                      .h = h,
                      .mass = test_rng_uniform(&rng, 0.5, 5.0),
                      .mu = test_rng_uniform(&rng, 0.05, 1.0),
                      .at = { 0.0, 0.0, test_rng_uniform(&rng, 0.0, h) },
                      .force = { 20.0 * cos(angle), 20.0 * sin(angle), test_rng_uniform(&rng, -5.0, 5.0) } };
        check_loading(&k);
    }
}

/* Lifted anywhere: it tips about the edge on the other side. */
TEST(redundant, a_box_lifted_anywhere_tips_about_the_far_edge)
{
    table_head("lifted");
    for (unsigned seed = 1; seed <= 40; ++seed) {
        test_rng rng = test_rng_seed(seed);
        loading k = { .a = 0.1, .b = 0.15, .h = 0.3, .mass = 2.0, .mu = 0.4, .force = { 0.0, 0.0, 20.0 } };
        k.at = (carom_v3){ test_rng_uniform(&rng, -k.a, k.a), test_rng_uniform(&rng, -k.b, k.b), k.h };
        check_loading(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(redundant, a_box_slips_or_tips_when_four_corners_cannot_hold),
        RUN_TEST(redundant, a_box_lifted_anywhere_tips_about_the_far_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
