/* Saddle-point systems: the tree and the general solver against dense elimination and against each other. */
#include "systems.h"

static saddle *create(const saddle_layout *layout)
{
    carom_error err = { 0 };
    saddle *s = NULL;
    CHECK_OK(saddle_create(&s, layout, &err), err);
    return s;
}

static void factor(saddle *s)
{
    carom_error err = { 0 };
    CHECK_OK(saddle_factor(s, &err), err);
}

/* v: f then g on entry, x then y on return. */
static void solve(saddle *s, const saddle_layout *layout, double *v)
{
    saddle_solve(s, v, v + column_count(layout));
    saddle_least_norm(s, v + column_count(layout));
}

/* ---- random graphs ---- */

/* Several trees, some tied to ground, some of a single body; pairs along joints and in place of joints. */
static void random_forest(test_system *t, test_rng *rng)
{
    *t = (test_system){ .layout.body_count = 1 + test_rng_below(rng, 24) };
    int order[MOST_BODIES];
    for (int i = 0; i < t->layout.body_count; ++i) {
        int at = test_rng_below(rng, i + 1); /* numbers say nothing about depth */
        order[i] = order[at];
        order[at] = i;
    }
    bool new_tree = true;
    int first = 0;
    for (int i = 0; i < t->layout.body_count; ++i, new_tree = test_rng_below(rng, 8) == 0) {
        int rows = 1 + test_rng_below(rng, 6);
        if (new_tree || i == 0) {
            first = i;
            if (test_rng_below(rng, 2) == 0) {
                add_joint(t, rows, order[i], -1);
            }
            continue;
        }
        int parent = order[first + test_rng_below(rng, i - first)];
        int kind = test_rng_below(rng, 6);
        bool child_first = test_rng_below(rng, 2) == 0;
        if (kind > 0) {
            add_joint(t, rows, child_first ? order[i] : parent, child_first ? parent : order[i]);
        }
        if (kind < 2) {
            bool flip = test_rng_below(rng, 2) == 0;
            add_pair(t, flip ? order[i] : parent, flip ? parent : order[i]);
        }
    }
}

/* Loops that stay independent: one-row and two-row joints between random bodies, some touching three or four. */
static void random_loops(test_system *t, test_rng *rng)
{
    *t = (test_system){ .layout.body_count = 4 + test_rng_below(rng, 20) };
    for (int i = 1; i < t->layout.body_count; ++i) {
        add_joint(t, 1 + test_rng_below(rng, 3), i, test_rng_below(rng, i));
    }
    for (int i = 0; i < t->layout.body_count / 2; ++i) {
        int a = test_rng_below(rng, t->layout.body_count);
        int bodies[4];
        int count = 2 + test_rng_below(rng, 3);
        for (int k = 0; k < count; ++k) {
            bodies[k] = (a + k) % t->layout.body_count;
        }
        add_block(t, 1 + test_rng_below(rng, 2), count, bodies);
    }
    for (int i = 0; i < t->layout.body_count; i += 3) {
        add_pair(t, i, (i + 2) % t->layout.body_count);
    }
    add_joint(t, 2, 0, -1);
    add_joint(t, 1, 1, -1);
}

/* ---- against dense ---- */

static void check_against_dense(const saddle_layout *layout, test_rng *rng, double tolerance)
{
    saddle *s = create(layout);
    int n = column_count(layout) + layout->row_count;
    double *reference = test_alloc((size_t)n, sizeof(double));
    double *v = test_alloc((size_t)n, sizeof(double));
    for (int round = 0; round < 2; ++round) { /* twice: the second factorisation must not see the first */
        fill_random(s, layout, rng);
        random_block(reference, n, rng);
        memcpy(v, reference, (size_t)n * sizeof(double));
        double *m = dense_matrix(s, layout);
        factor(s);
        solve(s, layout, v);
        dense_solve(m, reference, n);
        CHECK_LE(difference(v, reference, n), tolerance);
        CHECK_LE(saddle_residual(s), 1e-12 * (1.0 + largest(reference, n)));
        free(m);
    }
    free(reference);
    free(v);
    saddle_destroy(s);
}

TEST(saddle, tree_equals_dense)
{
    FOR_EACH_SEED(rng, 200) {
        test_system t;
        random_forest(&t, &rng);
        saddle *s = create(&t.layout);
        CHECK(saddle_is_tree(s));
        saddle_destroy(s);
        check_against_dense(&t.layout, &rng, 1e-8); /* six random rows on a body can be close to dependent */
    }
}

TEST(saddle, general_equals_dense)
{
    FOR_EACH_SEED(rng, 100) {
        test_system t;
        random_loops(&t, &rng);
        saddle *s = create(&t.layout);
        CHECK(!saddle_is_tree(s));
        saddle_destroy(s);
        check_against_dense(&t.layout, &rng, 1e-9);
    }
}

/* Bodies of all widths beside rigid ones: parents, children, roots, both sides of pairs. */
TEST(saddle, wide_tree_equals_dense)
{
    FOR_EACH_SEED(rng, 200) {
        test_system t;
        random_forest(&t, &rng);
        random_widths(&t, &rng, 6);
        saddle *s = create(&t.layout);
        CHECK(saddle_is_tree(s));
        saddle_destroy(s);
        check_against_dense(&t.layout, &rng, 1e-8);
    }
}

TEST(saddle, wide_general_equals_dense)
{
    FOR_EACH_SEED(rng, 100) {
        test_system t;
        random_loops(&t, &rng);
        random_widths(&t, &rng, 5);
        check_against_dense(&t.layout, &rng, 1e-8);
    }
}

/* Bodies whose last columns have a diagonal block: at ends of trees, between others, with rows on all columns or on the first ones only, as
 * joints on a frame have them. */
TEST(saddle, diagonal_columns_equal_dense)
{
    FOR_EACH_SEED(rng, 200) {
        test_system t;
        random_forest(&t, &rng);
        random_widths(&t, &rng, 6);
        random_diagonals(&t, &rng);
        check_against_dense(&t.layout, &rng, 1e-8);
        t.layout.general = true;
        check_against_dense(&t.layout, &rng, 1e-8);
    }
    FOR_EACH_SEED(rng, 200) { /* held at both ends */
        test_system t;
        random_loops(&t, &rng);
        random_widths(&t, &rng, 6);
        random_diagonals(&t, &rng);
        check_against_dense(&t.layout, &rng, 1e-8);
    }
}

/* A wide body with a heavy frame of six; beside its diagonal block stands `beside`. */
static void fill_wide(double *a, int width, double beside, test_rng *rng)
{
    for (int i = 0; i < width; ++i) {
        for (int j = i; j < width; ++j) {
            const double own = i < 6 ? 9.0 : 2.0;
            double value = i >= 6 && i != j ? beside : 0.2 * test_rng_uniform(rng, -1.0, 1.0) + (i == j ? own : 0.0);
            a[i * width + j] = a[j * width + i] = value;
        }
    }
}

static void fill_with_wide(saddle *s, const saddle_layout *layout, double beside, test_rng rng)
{
    random_definite(saddle_body(s, 0), 6, &rng, 0.5);
    random_definite(saddle_body(s, 2), 6, &rng, 0.5);
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            int width = width_of(layout, layout->blocks[k].bodies[i]);
            random_block(saddle_rows(s, k, i), width * layout->blocks[k].row_count, &rng);
        }
    }
    fill_wide(saddle_body(s, 1), layout->widths[1], beside, &rng);
}

/* A wide body between two others, held at one end or at both: as if nothing were known of its diagonal block. */
static void check_wide_between(int diagonal, bool both_ends, test_rng *rng)
{
    test_system t = { .layout.body_count = 3 };
    const int width = 6 + diagonal;
    add_joint(&t, 5, 0, -1);
    add_joint(&t, 3, 0, 1);
    add_joint(&t, 5, 1, 2);
    if (both_ends) {
        add_joint(&t, 4, 2, -1);
    }
    t.layout.widths = (int[]){ 6, width, 6 };
    saddle *full = create(&t.layout);
    t.layout.diagonals = (int[]){ 0, diagonal, 0 };
    saddle *arrow = create(&t.layout);
    CHECK_EQ(saddle_is_tree(arrow), !both_ends && diagonal <= 64);
    int n = column_count(&t.layout) + t.layout.row_count;
    double *v = test_alloc(2 * (size_t)n, sizeof(double));
    fill_with_wide(full, &t.layout, 0.0, *rng);
    fill_with_wide(arrow, &t.layout, saddle_is_tree(arrow) ? 0.0 : (double)NAN, *rng);
    random_block(v, n, rng);
    memcpy(v + n, v, (size_t)n * sizeof *v);
    factor(full);
    factor(arrow);
    solve(full, &t.layout, v);
    solve(arrow, &t.layout, v + n);
    CHECK_LE(difference(v, v + n, n), 1e-9);
    free(v);
    saddle_destroy(full);
    saddle_destroy(arrow);
}

TEST(saddle, diagonal_columns_stay_so_wherever_the_body_is_held)
{
    FOR_EACH_SEED(rng, 10) {
        check_wide_between(20, false, &rng);
        check_wide_between(20, true, &rng);
        check_wide_between(100, false, &rng);
        check_wide_between(100, true, &rng);
    }
}

TEST(saddle, a_diagonal_that_is_not_positive_is_refused)
{
    test_rng rng = test_rng_seed(7);
    test_system t = { .layout.body_count = 1 };
    add_joint(&t, 3, 0, -1);
    add_joint(&t, 3, 0, -1);
    t.layout.widths = (int[]){ 10 };
    t.layout.diagonals = (int[]){ 4 };
    for (int k = 6; k < 10; ++k) {
        saddle *s = create(&t.layout);
        carom_error err = { 0 };
        fill_random(s, &t.layout, &rng);
        saddle_body(s, 0)[11 * k] = -1.0;
        CHECK_EQ(saddle_factor(s, &err), CAROM_NOT_CONVERGED);
        CHECK_EQ(saddle_bad_body(s), 0);
        saddle_destroy(s);
    }
}

static void clear_rows_behind_frames(saddle *s, const saddle_layout *layout)
{
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            int body = layout->blocks[k].bodies[i];
            int width = width_of(layout, body);
            for (int e = 0; e < width * layout->blocks[k].row_count; ++e) {
                bool frame = e % width < width - layout->diagonals[body];
                saddle_rows(s, k, i)[e] *= frame ? 1.0 : 0.0;
            }
        }
    }
}

TEST(saddle, rows_on_frames_alone_equal_dense)
{
    FOR_EACH_SEED(rng, 200) {
        test_system t;
        random_forest(&t, &rng);
        for (int b = 0; b < t.layout.body_count; ++b) {
            t.widths[b] = 6 + test_rng_below(&rng, MOST_WIDTH - 5);
            t.diagonals[b] = t.widths[b] - 6;
        }
        t.layout.widths = t.widths;
        t.layout.diagonals = t.diagonals;
        int n = column_count(&t.layout) + t.layout.row_count;
        double *reference = test_alloc((size_t)n, sizeof(double));
        double *v = test_alloc((size_t)n, sizeof(double));
        saddle *s = create(&t.layout);
        fill_random(s, &t.layout, &rng);
        clear_rows_behind_frames(s, &t.layout);
        random_block(reference, n, &rng);
        memcpy(v, reference, (size_t)n * sizeof(double));
        double *m = dense_matrix(s, &t.layout);
        factor(s);
        solve(s, &t.layout, v);
        dense_solve(m, reference, n);
        CHECK_LE(difference(v, reference, n), 1e-8);
        free(m);
        free(reference);
        free(v);
        saddle_destroy(s);
    }
}

/* Bodies of one and two columns (a mass on a line): fewer than the rows that the general solver may put behind them. */
TEST(saddle, narrow_bodies_equal_dense)
{
    FOR_EACH_SEED(rng, 100) {
        test_system t = { .layout.body_count = 8 };
        for (int b = 1; b < t.layout.body_count; ++b) {
            add_joint(&t, 1, b, test_rng_below(&rng, b));
        }
        add_pair(&t, 2, 5);
        for (int b = 0; b < t.layout.body_count; ++b) {
            t.widths[b] = 1 + test_rng_below(&rng, 3);
        }
        t.layout.widths = t.widths;
        check_against_dense(&t.layout, &rng, 1e-7);
        t.layout.general = true;
        check_against_dense(&t.layout, &rng, 1e-7);
    }
}

/* The same rigid bodies with widths given and without: the same bits. */
TEST(saddle, six_columns_are_the_default)
{
    FOR_EACH_SEED(rng, 20) {
        test_system t;
        random_forest(&t, &rng);
        for (int b = 0; b < t.layout.body_count; ++b) {
            t.widths[b] = 6;
        }
        saddle_layout given = t.layout;
        given.widths = t.widths;
        saddle *s[2] = { create(&t.layout), create(&given) };
        double v[2][MOST_UNKNOWNS];
        int n = column_count(&t.layout) + t.layout.row_count;
        random_block(v[0], n, &rng);
        memcpy(v[1], v[0], sizeof v[0]);
        for (int i = 0; i < 2; ++i) {
            test_rng again = rng;
            fill_random(s[i], &t.layout, &again);
            factor(s[i]);
            solve(s[i], &t.layout, v[i]);
            saddle_destroy(s[i]);
        }
        CHECK_EQ(memcmp(v[0], v[1], (size_t)n * sizeof(double)), 0);
    }
}

/* A tree, a loop and a lone body in one object. */
TEST(saddle, mixed_equals_dense)
{
    FOR_EACH_SEED(rng, 20) {
        test_system t = { .layout.body_count = 9 };
        add_joint(&t, 5, 0, 1);
        add_joint(&t, 3, 1, 2);
        add_joint(&t, 6, 2, -1);
        add_joint(&t, 3, 3, 4);
        add_joint(&t, 2, 4, 5);
        add_joint(&t, 3, 5, 3);
        add_joint(&t, 2, 7, 8);
        check_against_dense(&t.layout, &rng, 1e-9);
    }
}

/* Joints as machines have them: rows of unit size, moderate conditioning. */
static void fill_joints(saddle *s, const saddle_layout *layout, test_rng *rng)
{
    fill_random(s, layout, rng);
    for (int k = 0; k < layout->block_count; ++k) {
        for (int slot = 0; slot < layout->blocks[k].body_count; ++slot) {
            double *rows = saddle_rows(s, k, slot);
            for (int i = 0; i < 6 * layout->blocks[k].row_count; ++i) {
                rows[i] = 0.2 * rows[i] + (i / 6 == i % 6 ? (slot == 0 ? 1.0 : -1.0) : 0.0);
            }
        }
    }
}

TEST(saddle, tree_equals_general)
{
    FOR_EACH_SEED(rng, 100) {
        test_system t;
        random_forest(&t, &rng);
        saddle_layout general_layout = t.layout;
        general_layout.general = true;
        saddle *tree = create(&t.layout);
        saddle *general = create(&general_layout);
        CHECK(saddle_is_tree(tree));
        CHECK(!saddle_is_tree(general));
        test_rng again = rng;
        fill_joints(tree, &t.layout, &rng);
        fill_joints(general, &t.layout, &again);
        factor(tree);
        factor(general);
        double v[MOST_UNKNOWNS];
        double w[MOST_UNKNOWNS];
        int n = 6 * t.layout.body_count + t.layout.row_count;
        random_block(v, n, &rng);
        memcpy(w, v, sizeof v);
        solve(tree, &t.layout, v);
        solve(general, &t.layout, w);
        CHECK_LE(difference(v, w, n), 1e-10);
        saddle_destroy(tree);
        saddle_destroy(general);
    }
}

/* ---- what counts as a tree ---- */

static bool is_tree(const test_system *t)
{
    saddle *s = create(&t->layout);
    bool answer = saddle_is_tree(s);
    saddle_destroy(s);
    return answer;
}

TEST(saddle, knows_trees_from_loops)
{
    test_system t = { .layout.body_count = 3 };
    CHECK(is_tree(&t)); /* three free bodies */
    add_joint(&t, 5, 0, 1);
    add_joint(&t, 5, 1, 2);
    CHECK(is_tree(&t));
    add_pair(&t, 2, 1); /* next to a joint */
    CHECK(is_tree(&t));
    add_joint(&t, 3, 2, -1);
    CHECK(is_tree(&t));

    test_system two_grounds = t;
    two_grounds.layout.blocks = two_grounds.blocks;
    add_joint(&two_grounds, 1, 0, -1);
    CHECK(!is_tree(&two_grounds));

    test_system stiff_loop = t;
    stiff_loop.layout.blocks = stiff_loop.blocks;
    add_pair(&stiff_loop, 0, 2);
    CHECK(!is_tree(&stiff_loop));

    test_system twice = t;
    twice.layout.blocks = twice.blocks;
    add_joint(&twice, 1, 2, 1);
    CHECK(!is_tree(&twice));

    test_system three = { .layout.body_count = 3 };
    add_block(&three, 1, 3, (int[]){ 0, 1, 2 });
    CHECK(!is_tree(&three));
}

TEST(saddle, refuses_bad_layouts)
{
    carom_error err = { 0 };
    saddle *s = NULL;

    test_system t = { .layout.body_count = 2 };
    add_joint(&t, 5, 0, 2);
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "body 2 of 2");
    CHECK(s == NULL);

    t = (test_system){ .layout.body_count = 2 };
    add_joint(&t, 5, 1, 1);
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "twice");

    t = (test_system){ .layout.body_count = 2 };
    add_joint(&t, 5, 0, 1);
    t.layout.row_count = 6;
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);
    t.layout.row_count = 4;
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);

    t = (test_system){ .layout.body_count = 2 };
    add_joint(&t, 5, 0, 1);
    add_pair(&t, 0, 1);
    add_pair(&t, 1, 0);
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "already");

    t = (test_system){ .layout.body_count = 2, .widths = { 6, 0 } };
    t.layout.widths = t.widths;
    CHECK_EQ(saddle_create(&s, &t.layout, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "body 1 has 0 columns");
}

TEST(saddle, nothing_at_all)
{
    saddle_layout layout = { 0 };
    saddle *s = create(&layout);
    CHECK(saddle_is_tree(s));
    factor(s);
    saddle_solve(s, NULL, NULL);
    CHECK_EQ(saddle_residual(s), 0);
    saddle_destroy(s);
}

/* ---- redundant rows ---- */

enum { RING = 4, RING_ROWS = 5 };

/* A ring of four bodies, every joint given twice, the second time as a mixture of the rows of the first. */
static void make_redundant_ring(test_system *t)
{
    *t = (test_system){ .layout.body_count = RING };
    for (int i = 0; i < RING; ++i) {
        add_joint(t, i == 0 ? 2 : RING_ROWS, i, (i + 1) % RING);
    }
    for (int i = 0; i < RING; ++i) {
        add_joint(t, i == 0 ? 2 : RING_ROWS, i, (i + 1) % RING);
    }
}

/* Rows of block `to` = mixture times rows of block `from`. */
static void mix_rows(saddle *s, const saddle_layout *layout, int to, int from, test_rng *rng)
{
    double mixture[36];
    int rows = layout->blocks[to].row_count;
    random_block(mixture, 36, rng);
    for (int slot = 0; slot < 2; ++slot) {
        for (int i = 0; i < 6 * rows; ++i) {
            double sum = 0.0;
            for (int k = 0; k < rows; ++k) {
                sum += mixture[6 * (i / 6) + k] * saddle_rows(s, from, slot)[6 * k + i % 6];
            }
            saddle_rows(s, to, slot)[i] = sum;
        }
    }
}

/* J_k blockdiag(A)^-1 J_k^T; the rings of these tests have no pairs, so A is blockdiag(A). */
static double row_weight(const double *full, int bodies, int n, int k)
{
    double *A = test_alloc((size_t)bodies * (size_t)bodies, sizeof(double));
    double x[6 * MOST_BODIES];
    for (int i = 0; i < bodies; ++i) {
        memcpy(A + (size_t)i * (size_t)bodies, full + (size_t)i * (size_t)n, (size_t)bodies * sizeof(double));
        x[i] = full[(bodies + k) * n + i];
    }
    dense_solve(A, x, bodies);
    double sum = 0.0;
    for (int i = 0; i < bodies; ++i) {
        sum += full[(bodies + k) * n + i] * x[i];
    }
    free(A);
    return sum;
}

/* The dense answer from the first r rows, which are independent and span all others: J = B J_1, then
 * y = W^-1 B (B^T W^-1 B)^-1 y_1 has least norm y^T W y among all with J^T y = J_1^T y_1. */
static void least_norm_reference(const double *full, int bodies, int rows, int r, double *v)
{
    int n = bodies + rows;
    int small = bodies + r;
    double *m = test_alloc((size_t)small * (size_t)small, sizeof(double));
    for (int i = 0; i < small; ++i) {
        memcpy(m + (size_t)i * (size_t)small, full + (size_t)i * (size_t)n, (size_t)small * sizeof(double));
    }
    dense_solve(m, v, small);
    double *b = test_alloc((size_t)rows * (size_t)r, sizeof(double));
    double *gram = test_alloc((size_t)r * (size_t)r, sizeof(double));
    for (int k = 0; k < rows; ++k) { /* B_k = (J_1 J_1^T)^-1 J_1 J_k^T */
        double *coefficients = b + (size_t)k * (size_t)r;
        for (int i = 0; i < r; ++i) {
            for (int j = 0; j < bodies; ++j) {
                coefficients[i] += full[(bodies + i) * n + j] * full[(bodies + k) * n + j];
            }
            for (int l = 0; l < r; ++l) {
                gram[i * r + l] = 0.0;
                for (int j = 0; j < bodies; ++j) {
                    gram[i * r + l] += full[(bodies + i) * n + j] * full[(bodies + l) * n + j];
                }
            }
        }
        dense_solve(gram, coefficients, r);
    }
    for (int i = 0; i < r; ++i) {
        for (int l = 0; l < r; ++l) {
            gram[i * r + l] = 0.0;
            for (int k = 0; k < rows; ++k) {
                gram[i * r + l] += b[k * r + i] * b[k * r + l] / row_weight(full, bodies, n, k);
            }
        }
    }
    double y1[64];
    CHECK(r <= 64);
    memcpy(y1, v + bodies, (size_t)r * sizeof(double));
    dense_solve(gram, y1, r);
    for (int k = 0; k < rows; ++k) {
        v[bodies + k] = 0.0;
        for (int i = 0; i < r; ++i) {
            v[bodies + k] += b[k * r + i] * y1[i] / row_weight(full, bodies, n, k);
        }
    }
    free(m);
    free(b);
    free(gram);
}

/* g = J x for some x: what a mechanism that moves asks for. */
static void consistent_right_side(const double *full, int bodies, int rows, double *v, test_rng *rng)
{
    double motion[6 * MOST_BODIES];
    random_block(v, bodies, rng);
    random_block(motion, bodies, rng);
    for (int k = 0; k < rows; ++k) {
        v[bodies + k] = 0.0;
        for (int j = 0; j < bodies; ++j) {
            v[bodies + k] += full[(bodies + k) * (bodies + rows) + j] * motion[j];
        }
    }
}

TEST(saddle, redundant_rows_give_least_norm)
{
    FOR_EACH_SEED(rng, 50) {
        test_system t;
        make_redundant_ring(&t);
        saddle *s = create(&t.layout);
        fill_joints(s, &t.layout, &rng);
        for (int i = 0; i < RING; ++i) {
            mix_rows(s, &t.layout, RING + i, i, &rng);
        }
        double *full = dense_matrix(s, &t.layout);
        int bodies = 6 * RING;
        int n = bodies + t.layout.row_count;
        double v[MOST_UNKNOWNS];
        double reference[MOST_UNKNOWNS];
        consistent_right_side(full, bodies, t.layout.row_count, v, &rng);
        memcpy(reference, v, sizeof v);
        least_norm_reference(full, bodies, t.layout.row_count, t.layout.row_count / 2, reference);
        factor(s);
        solve(s, &t.layout, v);
        CHECK_LE(difference(v, reference, bodies), 1e-9);
        CHECK_LE(difference(v + bodies, reference + bodies, n - bodies), 1e-8);
        CHECK_LE(saddle_residual(s), 1e-11);
        free(full);
        saddle_destroy(s);
    }
}

/* The same rows twice in one joint of a tree: noticed while factoring, and then each of the two bears half. */
TEST(saddle, duplicate_rows_in_a_tree_share_the_load)
{
    test_rng rng = test_rng_seed(7);
    test_system t = { .layout.body_count = 3 };
    add_joint(&t, 4, 0, 1);
    add_joint(&t, 5, 2, -1);
    saddle *s = create(&t.layout);
    CHECK(saddle_is_tree(s));
    fill_joints(s, &t.layout, &rng);
    for (int slot = 0; slot < 2; ++slot) {
        double *rows = saddle_rows(s, 0, slot);
        memcpy(rows + 12, rows, 12 * sizeof(double));
    }
    factor(s);
    CHECK(saddle_is_tree(s)); /* the layout is, whoever solves it */
    double v[27];
    random_block(v, 27, &rng);
    v[20] = v[18];
    v[21] = v[19];
    solve(s, &t.layout, v);
    CHECK_NEAR(v[20], v[18], 1e-12);
    CHECK_NEAR(v[21], v[19], 1e-12);
    CHECK_LE(saddle_residual(s), 1e-13);
    saddle_destroy(s);
}

/* Two rows say 0 and 2 about the same number: 1 is the answer of least squares, and each is missed by 1. */
TEST(saddle, inconsistent_rows_give_least_squares)
{
    test_system t = { .layout.body_count = 2 };
    add_joint(&t, 1, 0, -1);
    add_joint(&t, 1, 0, -1);
    add_joint(&t, 3, 0, 1);
    saddle *s = create(&t.layout);
    test_rng rng = test_rng_seed(3);
    fill_joints(s, &t.layout, &rng);
    for (int k = 0; k < 2; ++k) {
        memcpy(saddle_rows(s, k, 0), (double[6]){ 1.0 }, 6 * sizeof(double));
    }
    factor(s);
    double v[17];
    random_block(v, 17, &rng);
    v[12] = 0.0;
    v[13] = 2.0;
    solve(s, &t.layout, v);
    CHECK_NEAR(v[0], 1.0, 1e-9);
    CHECK_NEAR(v[12], v[13], 1e-9);
    CHECK_NEAR(saddle_residual(s), 1.0, 1e-9);
    CHECK_LE(largest(v, 17), 1e3);
    saddle_destroy(s);
}

/* Rows of zeros constrain nothing. */
TEST(saddle, rows_of_zeros_do_no_harm)
{
    test_system t = { .layout.body_count = 2 };
    add_joint(&t, 3, 0, 1);
    add_joint(&t, 2, 1, -1);
    saddle *s = create(&t.layout);
    memset(saddle_rows(s, 0, 0), 0, 36 * sizeof(double));
    memset(saddle_rows(s, 1, 0), 0, 12 * sizeof(double));
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < 6; ++i) {
            saddle_body(s, b)[7 * i] = 2.0;
        }
    }
    factor(s);
    double v[17] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    solve(s, &t.layout, v);
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(v[i], 0.5 * (i + 1), 1e-12);
    }
    CHECK_LE(largest(v + 12, 5), 0.0);
    saddle_destroy(s);
}

/* ---- failures ---- */

static void check_refused(bool general, int what, const char *message, int bad_body)
{
    test_rng rng = test_rng_seed(5);
    test_system t = { .layout.body_count = 4, .layout.general = general };
    for (int i = 0; i < 4; ++i) {
        add_joint(&t, 5, i, i - 1);
    }
    saddle *s = create(&t.layout);
    fill_joints(s, &t.layout, &rng);
    double *a = saddle_body(s, 3); /* a leaf: inertia hanging on a body could make up for what it lacks itself */
    double *rows = saddle_rows(s, 2, 0);
    switch (what) {
    case 0: /* singular: two equal rows and columns */
        memset(a, 0, 36 * sizeof(double));
        for (int i = 0; i < 36; ++i) {
            a[i] = i % 7 == 0 ? 1.0 : 0.0;
        }
        a[1] = a[6] = 1.0;
        break;
    case 1: /* indefinite */
        a[0] = -a[0];
        break;
    case 2:
        a[14] = nan("");
        break;
    case 3:
        rows[3] = nan("");
        break;
    default:
        a[7] = HUGE_VAL;
        break;
    }
    carom_error err = { 0 };
    CHECK_EQ(saddle_factor(s, &err), CAROM_NOT_CONVERGED);
    CHECK_CONTAINS(err.message, message);
    CHECK_EQ(saddle_bad_body(s), bad_body);
    fill_joints(s, &t.layout, &rng); /* and it works again afterwards */
    factor(s);
    CHECK_EQ(saddle_bad_body(s), -1);
    saddle_destroy(s);
}

TEST(saddle, bad_numbers_are_named)
{
    for (int general = 0; general < 2; ++general) {
        check_refused(general, 0, "matrix of a body is not positive definite (axis 1, diagonal entry 1)", 3);
        check_refused(general, 1, "not positive definite", 3);
        check_refused(general, 2, "not positive definite", 3);
        check_refused(general, 1, "check its mass and inertia", 3);
        check_refused(general, 2, "check its speed and the forces on it", 3);
        check_refused(general, 3, "not finite", -1);
        check_refused(general, 4, "not positive definite", 3);
    }
}

/* Two good bodies with too strong a coupling: the one eliminated last is named. */
TEST(saddle, bad_coupling_is_found)
{
    for (int general = 0; general < 2; ++general) {
        test_rng rng = test_rng_seed(5);
        test_system t = { .layout.body_count = 4, .layout.general = general };
        add_pair(&t, 3, 2);
        saddle *s = create(&t.layout);
        fill_random(s, &t.layout, &rng);
        saddle_pair(s, 0)[0] = 100.0;
        carom_error err = { 0 };
        CHECK_EQ(saddle_factor(s, &err), CAROM_NOT_CONVERGED);
        CHECK(saddle_bad_body(s) == 2 || saddle_bad_body(s) == 3);
        saddle_destroy(s);
    }
}

/* A number that is not finite on the right-hand side shows, wherever it stands. */
TEST(saddle, nan_on_the_right_is_not_hidden)
{
    test_rng rng = test_rng_seed(11);
    test_system t;
    random_loops(&t, &rng);
    int n = 6 * t.layout.body_count + t.layout.row_count;
    saddle *s = create(&t.layout);
    fill_random(s, &t.layout, &rng);
    factor(s);
    for (int i = 0; i < n; ++i) {
        double v[MOST_UNKNOWNS];
        random_block(v, n, &rng);
        v[i] = nan("");
        solve(s, &t.layout, v);
        CHECK(isnan(largest(v, n)));
        CHECK(isnan(saddle_residual(s)));
    }
    saddle_destroy(s);
}

/* ---- size and bits ---- */

/* A hanging chain of n bodies with revolute joints, zigzag. */
static saddle *create_chain(int n, saddle_layout *layout, saddle_block **blocks)
{
    *blocks = test_alloc((size_t)n, sizeof(saddle_block));
    for (int i = 0; i < n; ++i) {
        (*blocks)[i] = (saddle_block){
            .first_row = 5 * i, .row_count = 5, .body_count = i == 0 ? 1 : 2, .bodies = { i, i - 1 }
        };
    }
    *layout = (saddle_layout){ .body_count = n, .row_count = 5 * n, .block_count = n, .blocks = *blocks };
    saddle *s = create(layout);
    for (int i = 0; i < n; ++i) {
        double half[3] = { 0.4, i % 2 ? 0.3 : -0.3, 0.1 };
        double back[3] = { -half[0], -half[1], -half[2] };
        double parent_half[3] = { half[0], -half[1], half[2] };
        for (int k = 0; k < 6; ++k) {
            saddle_body(s, i)[7 * k] = k < 3 ? 1.0 : 0.1;
        }
        write_revolute(saddle_rows(s, i, 0), back, 1.0);
        if (i > 0) {
            write_revolute(saddle_rows(s, i, 1), parent_half, -1.0);
        }
    }
    return s;
}

/* Largest |J x - g| of the chain. */
static double chain_residual(saddle *s, int n, const double *x, const double *g)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 5; ++k) {
            double r = -g[5 * i + k];
            for (int j = 0; j < 6; ++j) {
                r += saddle_rows(s, i, 0)[6 * k + j] * x[6 * i + j];
                r += i > 0 ? saddle_rows(s, i, 1)[6 * k + j] * x[6 * (i - 1) + j] : 0.0;
            }
            worst = max_or_nan(worst, fabs(r));
        }
    }
    return worst;
}

TEST(saddle, hundred_thousand_bodies_in_a_chain)
{
    int n = 100000;
    saddle_layout layout;
    saddle_block *blocks;
    saddle *s = create_chain(n, &layout, &blocks);
    CHECK(saddle_is_tree(s));
    double *v = test_alloc(11 * (size_t)n, sizeof(double));
    double *g = test_alloc(5 * (size_t)n, sizeof(double));
    test_rng rng = test_rng_seed(1);
    random_block(v, 11 * n, &rng);
    memcpy(g, v + 6 * n, 5 * (size_t)n * sizeof(double));
    factor(s);
    solve(s, &layout, v);
    CHECK_LE(chain_residual(s, n, v, g), 1e-11 * (1.0 + largest(v, 6 * n)));
    free(v);
    free(g);
    saddle_destroy(s);
    free(blocks);
}

TEST(saddle, same_bits_every_time)
{
    FOR_EACH_SEED(rng, 20) {
        test_system t;
        if (seed_ % 2) {
            random_forest(&t, &rng);
        } else {
            random_loops(&t, &rng);
        }
        int n = 6 * t.layout.body_count + t.layout.row_count;
        double v[3][MOST_UNKNOWNS];
        saddle *s = NULL;
        for (int round = 0; round < 3; ++round) { /* the third time with the object of the second */
            test_rng same = rng;
            if (round < 2) {
                saddle_destroy(s);
                s = create(&t.layout);
            }
            fill_random(s, &t.layout, &same);
            random_block(v[round], n, &same);
            factor(s);
            solve(s, &t.layout, v[round]);
        }
        CHECK(memcmp(v[0], v[1], (size_t)n * sizeof(double)) == 0);
        CHECK(memcmp(v[0], v[2], (size_t)n * sizeof(double)) == 0);
        saddle_destroy(s);
    }
}

/* Numbers of a system that `number` alone determines. Odd ones have dependent rows where the kind says so. */
typedef struct history_kind {
    void (*make)(test_system *t, test_rng *rng);
    bool dependent_rows;
    bool redundant_blocks;
} history_kind;

static void make_ring(test_system *t, test_rng *rng)
{
    (void)rng;
    make_redundant_ring(t);
}

static void repeat_rows(saddle *s, const saddle_layout *layout, int k)
{
    for (int slot = 0; slot < layout->blocks[k].body_count; ++slot) {
        double *rows = saddle_rows(s, k, slot);
        memcpy(rows + 6 * (layout->blocks[k].row_count - 1), rows, 6 * sizeof(double));
    }
}

static void fill_numbered(saddle *s, const test_system *t, const history_kind *kind, test_rng rng, int number)
{
    for (int i = 0; i < number; ++i) {
        fill_joints(s, &t->layout, &rng); /* moves rng on */
    }
    fill_joints(s, &t->layout, &rng);
    for (int k = 0; k < t->layout.block_count; ++k) {
        if (kind->redundant_blocks && number % 2 && k >= RING) {
            mix_rows(s, &t->layout, k, k - RING, &rng);
        }
        if (kind->dependent_rows && number % 2 && test_rng_below(&rng, 3) == 0) {
            repeat_rows(s, &t->layout, k); /* of a single row: changes nothing */
        }
    }
}

/* x, y after saddle_solve, y of least norm, and the residual: n + row_count + 1 numbers. */
static void solve_numbered(saddle *s, const test_system *t, int number, double *out)
{
    int bodies = 6 * t->layout.body_count;
    int n = bodies + t->layout.row_count;
    test_rng rng = test_rng_seed((uint64_t)number);
    random_block(out, n, &rng);
    saddle_solve(s, out, out + bodies);
    memcpy(out + n, out + bodies, (size_t)t->layout.row_count * sizeof(double));
    saddle_least_norm(s, out + n);
    out[n + t->layout.row_count] = saddle_residual(s);
}

/* Makes a factorisation fail: at the start, in the middle of a tree, or (a pair) inside CHOLMOD. */
static void fail_once(saddle *s, const test_system *t, test_rng *rng)
{
    double bad[] = { nan(""), HUGE_VAL, -1.0, 0.0 };
    if (t->layout.pair_count > 0 && test_rng_below(rng, 2) == 0) {
        saddle_pair(s, test_rng_below(rng, t->layout.pair_count))[0] = 1e3;
    } else {
        saddle_body(s,
                    test_rng_below(rng,
                                   t->layout.body_count))[7 * test_rng_below(rng, 6)] = bad[test_rng_below(rng, 4)];
    }
    carom_error err = { 0 };
    CHECK_EQ(saddle_factor(s, &err), CAROM_NOT_CONVERGED);
}

static void check_history(const history_kind *kind, test_rng rng)
{
    static const int numbers[] = { 0, 1, 0, 1, 2, 3, 0, 3, 1, 2 };
    test_system t;
    kind->make(&t, &rng);
    size_t bytes = ((size_t)(6 * t.layout.body_count + 2 * t.layout.row_count) + 1) * sizeof(double);
    saddle *used = create(&t.layout);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        double old[2 * MOST_UNKNOWNS];
        double new[2 * MOST_UNKNOWNS];
        saddle *fresh = create(&t.layout);
        fill_numbered(fresh, &t, kind, rng, numbers[i]);
        factor(fresh);
        solve_numbered(fresh, &t, numbers[i], new);
        fill_numbered(used, &t, kind, rng, numbers[i]);
        factor(used);
        solve_numbered(used, &t, numbers[i], old);
        CHECK(memcmp(old, new, bytes) == 0);
        CHECK_EQ(saddle_is_tree(used), saddle_is_tree(fresh));
        solve_numbered(used, &t, numbers[i], old); /* nor does an earlier solve matter */
        CHECK(memcmp(old, new, bytes) == 0);
        saddle_destroy(fresh);
        if (i % 3 == 2) {
            test_rng any = test_rng_seed(i);
            fail_once(used, &t, &any);
        }
    }
    saddle_destroy(used);
}

/* What was factored before leaves no trace in later bits, whoever solved it. */
TEST(saddle, forgets_earlier_factorisations)
{
    static const history_kind kinds[] = {
        { .make = random_forest },
        { .make = random_loops },
        { .make = make_ring, .redundant_blocks = true },
        { .make = random_forest, .dependent_rows = true },
        { .make = random_loops, .dependent_rows = true },
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        FOR_EACH_SEED(rng, 30) {
            check_history(&kinds[k], rng);
        }
    }
}

/* ---- hard cases of the general solver ---- */

/* Masses from 1e-3 to 1e3 in one loop, and rows of very different length: still at rounding level. */
TEST(saddle, general_bears_bad_scaling)
{
    FOR_EACH_SEED(rng, 20) {
        test_system t;
        random_loops(&t, &rng);
        saddle *s = create(&t.layout);
        fill_random(s, &t.layout, &rng);
        for (int b = 0; b < t.layout.body_count; ++b) {
            double scale = pow(10.0, test_rng_uniform(&rng, 0.0, 3.0));
            for (int i = 0; i < 36; ++i) {
                saddle_body(s, b)[i] *= scale;
            }
        }
        int bodies = 6 * t.layout.body_count;
        int n = bodies + t.layout.row_count;
        double v[MOST_UNKNOWNS];
        double reference[MOST_UNKNOWNS];
        random_block(v, n, &rng);
        memcpy(reference, v, sizeof v);
        double *full = dense_matrix(s, &t.layout);
        dense_solve(full, reference, n);
        factor(s);
        solve(s, &t.layout, v);
        CHECK_LE(difference(v, reference, bodies), 1e-8);
        CHECK_LE(difference(v + bodies, reference + bodies, n - bodies), 1e-8);
        free(full);
        saddle_destroy(s);
    }
}

enum { CLOSED = 30 };

/* Slender bars: the radius of gyration is a hundredth of their length. */
static void write_bar(saddle *s, int bar, double points[CLOSED + 1][3])
{
    double from[3];
    double to[3];
    for (int k = 0; k < 3; ++k) {
        to[k] = 0.5 * (points[bar + 1][k] - points[bar][k]);
        from[k] = -to[k];
        saddle_body(s, bar)[7 * k] = 1.0;
        saddle_body(s, bar)[7 * (k + 3)] = 1e-4;
    }
    bool last = bar == CLOSED - 1;
    write_revolute(saddle_rows(s, bar, 0), from, 1.0);
    write_revolute(saddle_rows(s, bar + 1, last ? 0 : 1), to, last ? 1.0 : -1.0);
}

/* A plane chain between two pivots, forces that leave the plane: the first iterations of refinement still miss some
 * rows by all they are made of, and must go on nevertheless. */
TEST(saddle, closed_chain_of_slender_bars_is_refined_to_the_end)
{
    FOR_EACH_SEED(rng, 10) {
        test_system t = { .layout.body_count = CLOSED };
        double points[CLOSED + 1][3] = { 0 };
        for (int i = 0; i <= CLOSED; ++i) {
            points[i][0] = i + test_rng_uniform(&rng, -0.3, 0.3);
            points[i][1] = test_rng_uniform(&rng, -1.0, 1.0);
            add_joint(&t, 5, i < CLOSED ? i : CLOSED - 1, i < CLOSED ? i - 1 : -1);
        }
        saddle *s = create(&t.layout);
        for (int i = 0; i < CLOSED; ++i) {
            write_bar(s, i, points);
        }
        factor(s);
        double v[MOST_UNKNOWNS] = { 0.0 };
        random_block(v, 6 * CLOSED, &rng);
        solve(s, &t.layout, v);
        CHECK_LE(saddle_residual(s), 1e-13);
        saddle_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(saddle, tree_equals_dense),
        RUN_TEST(saddle, general_equals_dense),
        RUN_TEST(saddle, wide_tree_equals_dense),
        RUN_TEST(saddle, wide_general_equals_dense),
        RUN_TEST(saddle, diagonal_columns_equal_dense),
        RUN_TEST(saddle, diagonal_columns_stay_so_wherever_the_body_is_held),
        RUN_TEST(saddle, a_diagonal_that_is_not_positive_is_refused),
        RUN_TEST(saddle, rows_on_frames_alone_equal_dense),
        RUN_TEST(saddle, narrow_bodies_equal_dense),
        RUN_TEST(saddle, six_columns_are_the_default),
        RUN_TEST(saddle, mixed_equals_dense),
        RUN_TEST(saddle, tree_equals_general),
        RUN_TEST(saddle, knows_trees_from_loops),
        RUN_TEST(saddle, refuses_bad_layouts),
        RUN_TEST(saddle, nothing_at_all),
        RUN_TEST(saddle, redundant_rows_give_least_norm),
        RUN_TEST(saddle, duplicate_rows_in_a_tree_share_the_load),
        RUN_TEST(saddle, inconsistent_rows_give_least_squares),
        RUN_TEST(saddle, rows_of_zeros_do_no_harm),
        RUN_TEST(saddle, bad_numbers_are_named),
        RUN_TEST(saddle, bad_coupling_is_found),
        RUN_TEST(saddle, nan_on_the_right_is_not_hidden),
        RUN_TEST(saddle, hundred_thousand_bodies_in_a_chain),
        RUN_TEST(saddle, same_bits_every_time),
        RUN_TEST(saddle, forgets_earlier_factorisations),
        RUN_TEST(saddle, general_bears_bad_scaling),
        RUN_TEST(saddle, closed_chain_of_slender_bars_is_refined_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
