/* Sums over contacts and recorded points: forces are opposite and equal, vectors speak of the earlier body. */
#include "contact/points.h"

#include "contact/totals.h"
#include "rigs.h"

TEST(totals, add_up_to_nothing_over_all_bodies)
{
    test_rng r = test_rng_seed(12);
    sim s = sim_parse(contact_rig, NULL);
    int bodies = s.model->body_count;
    carom_arena arena = { 0 };
    contact_totals t;
    contact_totals_create(&t, &arena, s.model);
    CHECK(!arena.failed);
    for (int again = 0; again < 2; ++again) { /* cleared, nothing is left of the first time */
        double deepest = 0.0;
        v3 on_last = v3_zero();
        v3 about_origin = v3_zero();
        contact_totals_clear(&t, s.model);
        for (int k = 0; k < 30; ++k) {
            int body[2] = { k % (bodies - 1), bodies - 1 };
            v3 p_w = random_v3(&r, 2.0);
            v3 force = random_v3(&r, 50.0);
            double gap = test_rng_uniform(&r, -1e-3, 1e-3);
            contact_totals_add(&t, s.state->pose, body, p_w, force, gap);
            deepest = fmax(deepest, -gap);
            on_last = v3_sub(on_last, force);
            about_origin = v3_sub(about_origin, v3_cross(p_w, force));
        }
        CHECK_EQ(t.count, 30);
        CHECK(t.penetration == deepest);
        v3 sum = v3_zero();
        v3 moment = v3_zero();
        for (int i = 0; i < bodies; ++i) {
            sum = v3_add(sum, t.force_w[i]);
            moment = v3_add(moment, v3_add(t.torque_w[i], v3_cross(s.state->pose[i].x_w, t.force_w[i])));
        }
        CHECK_NEAR(v3_norm(sum), 0.0, 1e-11);
        CHECK_NEAR(v3_norm(moment), 0.0, 1e-10);
        const body_pose *last = &s.state->pose[bodies - 1];
        CHECK_NEAR(v3_norm(v3_sub(t.force_w[bodies - 1], on_last)), 0.0, 1e-11);
        v3 about_last = v3_sub(about_origin, v3_cross(last->x_w, on_last));
        CHECK_NEAR(v3_norm(v3_sub(t.torque_w[bodies - 1], about_last)), 0.0, 1e-10);
    }
    carom_arena_free(&arena);
    sim_end(&s);
}

TEST(points, are_the_same_from_either_side)
{
    contact_points p = { 0 };
    model_interaction laws = { .mu = 0.3 };
    contact_sight seen = { .body = 2,
                           .other = 5,
                           .gap = -1e-4,
                           .p_w = { 1, 2, 3 },
                           .normal_w = { 0, 0, 1 },
                           .force_w = { 4, 0, 7 },
                           .slip_w = { -1, 0, 0 } };
    contact_sight opposite = { .body = 5,
                               .other = 2,
                               .gap = -1e-4,
                               .p_w = { 1, 2, 3 },
                               .normal_w = { 0, 0, -1 },
                               .force_w = { -4, 0, -7 },
                               .slip_w = { 1, 0, 0 } };
    CHECK(contact_points_reserve(&p, 2));
    contact_points_push(&p, &seen, &laws);
    contact_points_push(&p, &opposite, NULL);
    CHECK_EQ(p.count, 2);
    CHECK(p.interactions[0] == &laws);
    CHECK(p.interactions[1] == NULL);
    for (int k = 0; k < 2; ++k) {
        const carom_contact_point *q = &p.items[k];
        CHECK_EQ(q->body[0], 2);
        CHECK_EQ(q->body[1], 5);
        CHECK(q->gap == -1e-4 && q->position.y == 2.0 && q->normal.z == 1.0);
        CHECK(q->force.x == 4.0 && q->force.z == 7.0 && q->slip.x == -1.0);
    }
    contact_points_free(&p);
    CHECK(p.items == NULL && p.count == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(totals, add_up_to_nothing_over_all_bodies),
        RUN_TEST(points, are_the_same_from_either_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
