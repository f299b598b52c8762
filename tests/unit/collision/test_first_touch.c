/* The first touch of two boxes in free flight, as the method "impact" finds it, is that of brute force: their motion in closed
 * form (isotropic inertia, no forces), looked at in small steps by separating axes, the first overlap narrowed. What only
 * grazes for less than a sampling step may be seen by the method alone. */
#include "gap_rigs.h"
#include "support/impact_run.h"

enum { SAMPLES = 4000 };

static const double END = 1.0; /* [s] */

static double gap_at(const v3 size[2], const gap_motion moving[2], double t)
{
    obb box[2];
    for (int k = 0; k < 2; ++k) {
        obb own = { .axes = m3_identity(), .half = v3_scale(0.5, size[k]) };
        box[k] = obb_move(&own, motion_after(&moving[k], t).pose_w);
    }
    return obb_gap(&box[0], &box[1]);
}

/* The first sample at which they overlap, narrowed; END: none. */
static double touch_by_force(const v3 size[2], const gap_motion moving[2])
{
    int k = 1;
    while (k <= SAMPLES && gap_at(size, moving, END * k / SAMPLES) > 0.0) {
        ++k;
    }
    if (k > SAMPLES) {
        return END;
    }
    double open = END * (k - 1) / SAMPLES, closed = END * k / SAMPLES;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (open + closed);
        *(gap_at(size, moving, middle) > 0.0 ? &open : &closed) = middle;
    }
    return closed;
}

static int put_body(char *text, size_t room, const char *name, v3 size, const gap_motion *m)
{
    v3 x = m->pose_w.position;
    quat q = m->pose_w.orientation;
    return snprintf(
        text, room,
        "{\"name\": \"%s\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"shape\": {\"box\": [%.17g, %.17g,"
        " %.17g]}, \"position\": [%.17g, %.17g, %.17g], \"orientation\": [%.17g, %.17g, %.17g, %.17g],"
        " \"velocity\": [%.17g, %.17g, %.17g], \"angular_velocity\": [%.17g, %.17g, %.17g]}",
        name, size.x, size.y, size.z, x.x, x.y, x.z, q.w, q.x, q.y, q.z, m->v_w.x, m->v_w.y, m->v_w.z, m->omega_w.x,
        m->omega_w.y, m->omega_w.z);
}

/* END: none. */
static double touch_by_method(const v3 size[2], const gap_motion moving[2])
{
    char body[2][1024];
    for (int k = 0; k < 2; ++k) {
        CHECK(put_body(body[k], sizeof body[k], k == 0 ? "a" : "b", size[k], &moving[k]) < 1024);
    }
    impact_run r = run_start("{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": %.17g},"
                             " \"bodies\": [ %s, %s ], \"contact\": {\"method\": \"impact\", \"restitution\": 1} }",
                             END, body[0], body[1]);
    while (sim_before(&r.s, END) && run_count(&r, CAROM_EVENT_IMPACT) == 0) {
        run_step(&r, END);
    }
    const carom_event *first = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    double t = first ? first->t : END;
    run_end(&r);
    return t;
}

/* Towards each other, aside by so much that some pass. */
static void random_flight(test_rng *rng, const v3 size[2], gap_motion moving[2])
{
    moving[0] = random_motion(rng, 0.1);
    moving[1] = random_motion(rng, 0.1);
    v3 way = random_direction(rng);
    moving[0].pose_w.position = v3_axpy(moving[0].pose_w.position, 2.0, way);
    moving[0].v_w = v3_axpy(v3_scale(0.5, moving[0].v_w), -2.5, way);
    moving[0].omega_w = v3_scale(2.0, moving[0].omega_w);
    moving[1].v_w = v3_scale(test_rng_uniform(rng, 0.0, 0.5), moving[1].v_w);
    CHECK(gap_at(size, moving, 0.0) > 0.0);
}

TEST(first_touch, of_boxes_is_that_of_brute_force)
{
    const v3 size[2] = { { 1.0, 0.3, 0.5 }, { 0.4, 0.6, 0.9 } };
    int met = 0, missed = 0;
    FOR_EACH_SEED(rng, 200) {
        gap_motion moving[2];
        random_flight(&rng, size, moving);
        double expected = touch_by_force(size, moving);
        double found = touch_by_method(size, moving);
        bool grazed = found < expected && fabs(gap_at(size, moving, found)) < 1e-7;
        if (!grazed) {
            CHECK_NEAR(found, expected, 1e-7);
        }
        met += expected < END;
        missed += expected == END;
    }
    printf("  %d pairs meet, %d do not\n", met, missed);
    CHECK(met > 20);
    CHECK(missed > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(first_touch, of_boxes_is_that_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
