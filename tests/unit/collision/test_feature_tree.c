/* The octree of features: every feature in exactly one leaf, every cell holds what it says, hostile input ends. */
#include "collision/feature_tree.h"

#include <stdlib.h>

#include "collision/key_sort.h"
#include "support/random.h"

enum { MOST = 5000 };

/* Walks a cell; returns how many features its leaves have, in order. */
static int check_cell(const feature_tree *tree, const feature_ball *balls, int index, int first)
{
    const feature_cell *cell = &tree->cells[index];
    int found = 0;
    CHECK_EQ(cell->first, first);
    CHECK(cell->next > index && cell->next <= tree->cell_count);
    if (cell->count > 0) {
        CHECK_EQ(cell->next, index + 1);
        found = cell->count;
    }
    for (int child = index + 1; child < cell->next; child = tree->cells[child].next) {
        found += check_cell(tree, balls, child, first + found);
    }
    for (int i = first; i < first + found; ++i) {
        const feature_ball *b = &balls[tree->order[i]];
        CHECK_LE(v3_norm(v3_sub(b->center, cell->ball.center)) + b->radius, cell->ball.radius);
    }
    return found;
}

static void check_tree(const feature_ball *balls, int count)
{
    feature_tree tree;
    CHECK(feature_tree_build(&tree, balls, count));
    char *seen = calloc((size_t)count + 1, 1);
    for (int i = 0; i < count; ++i) {
        CHECK(!seen[tree.order[i]]);
        seen[tree.order[i]] = 1;
    }
    CHECK_EQ(count > 0 ? check_cell(&tree, balls, 0, 0) : 0, count);
    int depth = feature_tree_depth(&tree);
    CHECK_EQ(depth > 0, count > 0);
    CHECK_EQ(depth > 1, tree.cell_count > 1);
    CHECK_LE(depth, tree.cell_count);
    free(seen);
    feature_tree_free(&tree);
}

TEST(feature_tree, holds_every_feature_once)
{
    static feature_ball balls[MOST];
    static const int counts[] = { 0, 1, 2, LEAF_FEATURES, LEAF_FEATURES + 1, 300, MOST };
    FOR_EACH_SEED(rng, 14) {
        int count = counts[seed_ % 7];
        for (int i = 0; i < count; ++i) {
            v3 r = random_v3(&rng, 1.0);
            balls[i] = (feature_ball){ seed_ > 7 ? v3_make(r.x, 1e6 + 1e-3 * r.y, 0.0) : r,
                                       i % 3 ? 0.0 : test_rng_uniform(&rng, 0.0, 0.1) };
        }
        check_tree(balls, count);
    }
}

/* All the same, all on a line, all but one the same: nothing to part, nothing endless. */
TEST(feature_tree, takes_features_that_cannot_be_parted)
{
    static feature_ball balls[MOST];
    memset(balls, 0, sizeof balls);
    check_tree(balls, MOST);
    balls[77].center = v3_make(1e9, 0.0, 0.0);
    check_tree(balls, MOST);
    for (int i = 0; i < MOST; ++i) {
        balls[i].center = v3_make(0.0, pow(0.99, i), 0.0); /* crowds ever closer */
    }
    check_tree(balls, MOST);
}

TEST(key_sort, sorts_and_keeps_the_order_of_equal_keys)
{
    static keyed items[MOST], spare[MOST];
    static const double ranges[] = { 1.0, 10.0, 1e5, 1.8e19 };
    FOR_EACH_SEED(rng, 16) {
        size_t count = seed_ % 2 ? 20 : MOST;
        for (size_t i = 0; i < count; ++i) {
            items[i] = (keyed){ (uint64_t)test_rng_uniform(&rng, 0.0, ranges[seed_ % 4]), (int64_t)i };
        }
        key_sort(items, spare, count);
        for (size_t i = 1; i < count; ++i) {
            CHECK(items[i - 1].key < items[i].key ||
                  (items[i - 1].key == items[i].key && items[i - 1].value < items[i].value));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(feature_tree, holds_every_feature_once),
        RUN_TEST(feature_tree, takes_features_that_cannot_be_parted),
        RUN_TEST(key_sort, sorts_and_keeps_the_order_of_equal_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
