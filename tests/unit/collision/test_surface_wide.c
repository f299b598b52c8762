/* Kernels for both instruction sets give the same bits, and leave out nothing that is near. */
#include "collision/surface_wide.h"

#include "surfaces.h"

typedef struct two_places {
    surface *s[2];
    surface_place place[2];
    surface_pair p;
} two_places;

static two_places any_two(test_rng *r, int n)
{
    two_places t;
    for (int i = 0; i < 2; ++i) {
        t.s[i] = any_surface(r, (i == 0 ? n : n / SURFACE_KINDS) % SURFACE_KINDS);
        t.place[i] = any_place(r, t.s[i], 0.7, n % 5 == 0 ? 0.0 : test_rng_uniform(r, 0.0, 1.0),
                               n % 7 == 0 ? 0.0 : test_rng_uniform(r, 0.0, 2.0));
    }
    t.p = surface_pair_of(&t.place[0], &t.place[1]);
    return t;
}

static void two_free(two_places *t)
{
    surface_destroy(t->s[0]);
    surface_destroy(t->s[1]);
}

static int lanes_of(unsigned bits, const surface_group *g)
{
    return (int)(bits & ((1u << g->count) - 1));
}

static void check_boxes(test_rng *r, const two_places *t, int side, long found[2])
{
    const surface_kernels *wide = &surface_kernels_avx2, *plain = &surface_kernels_portable;
    const surface *own = t->s[side], *other = t->s[1 - side];
    surface_view v = surface_moving_view_of(&t->p, side);
    for (int i = 0; i < own->group_count; ++i) {
        for (int k = 0; k < SURFACE_LANES * other->group_count; ++k) {
            group_lane box = { &other->groups[k / SURFACE_LANES], k % SURFACE_LANES };
            const surface_group *g = &own->groups[i];
            double apart = test_rng_uniform(r, 0.0, 0.3), until = test_rng_uniform(r, 0.0, 1.0);
            if (box.lane >= box.group->count) {
                continue;
            }
            int near = lanes_of(plain->near(&v, box, g, apart), g);
            int meeting = lanes_of(plain->meeting(&v, box, g, apart, until), g);
            CHECK_EQ(lanes_of(wide->near(&v, box, g, apart), g), near);
            CHECK_EQ(lanes_of(wide->meeting(&v, box, g, apart, until), g), meeting);
            CHECK_EQ(near & ~meeting, 0); /* what is near at the start is so at some time */
            found[0] += near != 0;
            found[1] += meeting != near;
        }
    }
}

static void check_leaves(test_rng *r, const two_places *t, long found[2])
{
    const surface_kernels *wide = &surface_kernels_avx2, *plain = &surface_kernels_portable;
    for (int i = 0; i < t->s[0]->leaf_count * t->s[1]->leaf_count; ++i) {
        const surface_leaf *a = &t->s[0]->leaves[i % t->s[0]->leaf_count];
        const surface_leaf *b = &t->s[1]->leaves[i / t->s[0]->leaf_count];
        v3 corners[2][2][LEAF_CORNERS];
        moving_point moving[2][2][LEAF_CORNERS];
        double limit = test_rng_uniform(r, 0.0, 0.3), until = test_rng_uniform(r, 0.0, 1.0);
        bool far = plain->leaves_far(&t->p, a, b, limit, corners[0]);
        bool parted = plain->leaves_parted(&t->p, a, b, limit, until, moving[0]);
        CHECK_EQ(wide->leaves_far(&t->p, a, b, limit, corners[1]), far);
        CHECK_EQ(wide->leaves_parted(&t->p, a, b, limit, until, moving[1]), parted);
        CHECK(!parted || far);
        CHECK(far || memcmp(corners[0], corners[1], sizeof corners[0]) == 0);
        CHECK(parted || memcmp(moving[0], moving[1], sizeof moving[0]) == 0);
        found[0] += far;
        found[1] += parted;
    }
}

TEST(surface_wide, both_instruction_sets_agree)
{
    test_rng r = test_rng_seed(1);
    long boxes[2] = { 0, 0 }, leaves[2] = { 0, 0 };
    for (int n = 0; n < 6 * SURFACE_KINDS * SURFACE_KINDS; ++n) {
        two_places t = any_two(&r, n);
        if (surface_has_avx2()) {
            check_leaves(&r, &t, leaves);
            check_boxes(&r, &t, 0, boxes);
            check_boxes(&r, &t, 1, boxes);
        }
        two_free(&t);
    }
    if (!surface_has_avx2()) {
        skip();
    }
    CHECK_GE((double)leaves[0], (double)leaves[1]);
    CHECK_GE((double)leaves[1], 100);
    CHECK_GE((double)boxes[0], 100);
    CHECK_GE((double)boxes[1], 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(surface_wide, both_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
