/* Broad phase: the pairs of brute force, in the same order, whatever happened before. */
#include "collision/broad_phase.h"

#include "support/random.h"

enum { MOST = 300 };

static bool meet(const aabb *a, const aabb *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool skip_some(const void *context, int a, int b)
{
    const int *divisor = context;
    CHECK(a < b);
    return (a + b) % *divisor == 0;
}

static size_t check_against_brute_force(broad_phase *bp, const aabb *boxes, int count, const int *divisor)
{
    const box_pair *pairs;
    size_t pair_count;
    CHECK(broad_phase_find(bp, boxes, count, divisor ? skip_some : NULL, divisor, &pairs, &pair_count));
    size_t k = 0;
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            if (meet(&boxes[a], &boxes[b]) && !(divisor && skip_some(divisor, a, b))) {
                CHECK(k < pair_count);
                CHECK_EQ(pairs[k].a, a);
                CHECK_EQ(pairs[k].b, b);
                ++k;
            }
        }
    }
    CHECK_EQ(pair_count, k);
    return k;
}

static aabb random_box(test_rng *rng, v3 spread)
{
    v3 r = random_v3(rng, 1.0);
    v3 at = v3_make(r.x * spread.x, r.y * spread.y, r.z * spread.z);
    v3 half = v3_make(test_rng_uniform(rng, 0.0, 0.2), test_rng_uniform(rng, 0.0, 0.2),
                      test_rng_uniform(rng, 0.0, 0.2));
    return (aabb){ v3_sub(at, half), v3_add(at, half) };
}

/* Boxes that drift, jump, come and go; some without ends; the axis of widest spread changes. */
TEST(broad_phase, finds_the_pairs_of_brute_force)
{
    FOR_EACH_SEED(rng, 12) {
        broad_phase *bp = broad_phase_create();
        aabb boxes[MOST];
        v3 spread = v3_make(1.0 + seed_ % 3, 1.0 + (seed_ + 1) % 3, 1.0 + (seed_ + 2) % 3);
        int count = 40 + 20 * seed_;
        size_t total = 0;
        for (int i = 0; i < MOST; ++i) {
            boxes[i] = random_box(&rng, spread);
        }
        for (int step = 0; step < 10; ++step) {
            for (int i = 0; i < count; ++i) {
                v3 move = random_v3(&rng, step == 5 ? 2.0 : 0.05);
                boxes[i] = (aabb){ v3_add(boxes[i].low, move), v3_add(boxes[i].high, move) };
            }
            boxes[3].low.z = -HUGE_VAL;
            boxes[4] = (aabb){ v3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL), v3_make(HUGE_VAL, HUGE_VAL, 0.0) };
            int divisor = 3;
            total += check_against_brute_force(bp, boxes, count, step % 2 ? &divisor : NULL);
            count += step == 7 ? -17 : 0;
        }
        CHECK(total > 100);
        broad_phase_destroy(bp);
    }
}

TEST(broad_phase, takes_none_one_equal_and_touching_boxes)
{
    broad_phase *bp = broad_phase_create();
    aabb boxes[MOST] = { 0 };
    CHECK_EQ(check_against_brute_force(bp, boxes, 0, NULL), 0);
    CHECK_EQ(check_against_brute_force(bp, boxes, 1, NULL), 0);
    CHECK_EQ(check_against_brute_force(bp, boxes, 20, NULL), 190); /* all the same */
    for (int i = 0; i < 20; ++i) {                                 /* a row, touching */
        boxes[i] = (aabb){ v3_make(i, 0, 0), v3_make(i + 1, 1, 1) };
    }
    CHECK_EQ(check_against_brute_force(bp, boxes, 20, NULL), 19);
    broad_phase_destroy(bp);
}

/* Many boxes, so that cells are laid over them: in a block, a layer, a row; of sizes that differ a thousandfold; some
 * without ends along any axis; some points. */
TEST(broad_phase, many_boxes_of_all_sizes)
{
    enum { MANY = 900 };
    static aabb boxes[MANY];
    static const double spreads[][3] = { { 5, 5, 5 }, { 20, 20, 0 }, { 0, 300, 0 }, { 0, 0, 0 }, { 1e-9, 4, 1e6 } };
    FOR_EACH_SEED(rng, 15) {
        const double *spread = spreads[seed_ % 5];
        broad_phase *bp = broad_phase_create();
        for (int i = 0; i < MANY; ++i) {
            boxes[i] = random_box(&rng, v3_load(spread));
            double size = seed_ < 5 ? 1.0 : pow(10.0, test_rng_uniform(&rng, -2.0, 1.0));
            v3 half = v3_scale(0.5 * size, v3_sub(boxes[i].high, boxes[i].low));
            boxes[i].high = v3_add(boxes[i].low, i % 50 ? half : v3_zero());
            if (seed_ >= 10 && i % 100 == 7) {
                (i % 300 == 7 ? &boxes[i].low.x : i % 300 == 107 ? &boxes[i].low.y : &boxes[i].low.z)[0] = -HUGE_VAL;
            }
        }
        for (int step = 0; step < 3; ++step) {
            for (int i = 0; i < MANY; ++i) {
                v3 move = random_v3(&rng, 0.05);
                boxes[i] = (aabb){ v3_add(boxes[i].low, move), v3_add(boxes[i].high, move) };
            }
            int divisor = 3;
            check_against_brute_force(bp, boxes, MANY - step, step == 1 ? &divisor : NULL);
        }
        broad_phase_destroy(bp);
    }
}

/* What is not a number is looked at, not lost. */
TEST(broad_phase, keeps_boxes_that_are_not_numbers)
{
    broad_phase *bp = broad_phase_create();
    aabb boxes[3] = { { { 0, 0, 0 }, { 1, 1, 1 } }, { { 5, 5, 5 }, { 6, 6, 6 } }, { { 0, 0, 0 }, { 1, 1, 1 } } };
    boxes[2].low = boxes[2].high = v3_make((double)NAN, (double)NAN, (double)NAN);
    const box_pair *pairs;
    size_t count;
    CHECK(broad_phase_find(bp, boxes, 3, NULL, NULL, &pairs, &count));
    CHECK_EQ(count, 2);
    CHECK_EQ(pairs[0].b, 2);
    CHECK_EQ(pairs[1].b, 2);
    broad_phase_destroy(bp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(broad_phase, finds_the_pairs_of_brute_force),
        RUN_TEST(broad_phase, takes_none_one_equal_and_touching_boxes),
        RUN_TEST(broad_phase, many_boxes_of_all_sizes),
        RUN_TEST(broad_phase, keeps_boxes_that_are_not_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
