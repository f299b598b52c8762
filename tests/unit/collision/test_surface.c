/* Surfaces: every vertex and edge is owned once, the tree holds all, and near pairs are those that all pairs of features, one
 * by one, come to. */
#include "surfaces.h"

#include <stdlib.h>

TEST(surface, owns_every_feature_once)
{
    test_rng r = test_rng_seed(1);
    for (int n = 0; n < 20 * SURFACE_KINDS; ++n) {
        surface *s = any_surface(&r, n % SURFACE_KINDS);
        int *vertices = test_calloc((size_t)s->vertex_count, sizeof *vertices);
        int *edges = test_calloc((size_t)s->edge_count + 1, sizeof *edges);
        int triangles = 0;
        for (int k = 0; k < s->leaf_count; ++k) {
            const surface_leaf *leaf = &s->leaves[k];
            triangles += leaf->triangle != NO_TRIANGLE;
            for (int i = 0; i < leaf->vertex_count; ++i) {
                ++vertices[leaf->vertices[i]];
            }
            for (int i = 0; i < leaf->edge_count; ++i) {
                ++edges[leaf->edges[i]];
            }
        }
        CHECK_EQ(triangles, s->triangle_count);
        for (int i = 0; i < s->vertex_count; ++i) {
            CHECK_EQ(vertices[i], 1);
        }
        for (int i = 0; i < s->edge_count; ++i) {
            CHECK_EQ(edges[i], 1);
        }
        test_free(vertices);
        test_free(edges);
        surface_destroy(s);
    }
}

static void check_inside(const surface_node *node, v3 r)
{
    v3 off = v3_sub(r, node->center);
    CHECK_LE(fabs(off.x), node->half.x + 1e-15);
    CHECK_LE(fabs(off.y), node->half.y + 1e-15);
    CHECK_LE(fabs(off.z), node->half.z + 1e-15);
}

/* Leaves below a node `at`; all of their vertices are in the box of `top`. */
static int check_node(const surface *s, int at, const surface_node *top)
{
    const surface_node *node = &s->nodes[at];
    if (node->leaf < 0) {
        return check_node(s, at + 1, top) + check_node(s, node->other, top);
    }
    int corner[3];
    int index = 0;
    int kind = surface_leaf_feature(s, node->leaf, &index);
    for (int k = surface_corners(s, kind, index, corner) - 1; k >= 0; --k) {
        check_inside(top, s->vertices[corner[k]]);
    }
    return 1;
}

TEST(surface, tree_holds_all_leaves)
{
    test_rng r = test_rng_seed(2);
    for (int n = 0; n < 20 * SURFACE_KINDS; ++n) {
        surface *s = any_surface(&r, n % SURFACE_KINDS);
        CHECK_EQ(check_node(s, 0, &s->nodes[0]), s->leaf_count);
        for (int k = 0; k < s->node_count; ++k) {
            CHECK_GE(check_node(s, k, &s->nodes[k]), 1);
        }
        CHECK_EQ(s->node_count, 2 * s->leaf_count - 1);
        surface_destroy(s);
    }
}

/* ---- near pairs ------------------------------------------------------------------------------------------------------- */

static bool is_bare_vertex(const surface *s, int vertex)
{
    for (int e = 0; e < s->edge_count; ++e) {
        if (s->edges[e][0] == vertex || s->edges[e][1] == vertex) {
            return false;
        }
    }
    return true;
}

static bool is_bare_edge(const surface *s, int edge)
{
    for (int t = 0; t < s->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int from = s->triangles[t][k], to = s->triangles[t][(k + 1) % 3];
            if ((s->edges[edge][0] == from && s->edges[edge][1] == to) ||
                (s->edges[edge][0] == to && s->edges[edge][1] == from)) {
                return false;
            }
        }
    }
    return true;
}

/* Which pairs there are, by kinds alone. */
static bool counts(const surface *a, const surface *b, const feature_pair *p)
{
    int ka = p->kind[0], kb = p->kind[1];
    if (ka == SURFACE_VERTEX && kb == SURFACE_VERTEX) {
        return is_bare_vertex(a, p->index[0]) && is_bare_vertex(b, p->index[1]) &&
               feature_pair_rounding(a, b, p) > 0.0;
    }
    if (ka == SURFACE_VERTEX && kb == SURFACE_EDGE) {
        return is_bare_edge(b, p->index[1]);
    }
    if (ka == SURFACE_EDGE && kb == SURFACE_VERTEX) {
        return is_bare_edge(a, p->index[0]);
    }
    return (ka == SURFACE_EDGE && kb == SURFACE_EDGE) || (ka == SURFACE_TRIANGLE && kb == SURFACE_VERTEX) ||
           (ka == SURFACE_VERTEX && kb == SURFACE_TRIANGLE);
}

static double distance_now(const surface_place *a, const surface_place *b, const feature_pair *p)
{
    v3 x[3], y[3];
    int corner[3];
    for (int k = surface_corners(a->surface, p->kind[0], p->index[0], corner) - 1; k >= 0; --k) {
        x[k] = v3_add(a->x_w, m3_mulv(a->R_w, a->surface->vertices[corner[k]]));
    }
    for (int k = surface_corners(b->surface, p->kind[1], p->index[1], corner) - 1; k >= 0; --k) {
        y[k] = v3_add(b->x_w, m3_mulv(b->R_w, b->surface->vertices[corner[k]]));
    }
    return feature_pair_distance(p, x, y).distance - feature_pair_rounding(a->surface, b->surface, p);
}

static int count_of(const surface *s, int kind)
{
    return kind == SURFACE_VERTEX ? s->vertex_count : kind == SURFACE_EDGE ? s->edge_count : s->triangle_count;
}

static int times_in(const near_list *list, const feature_pair *p)
{
    int times = 0;
    for (size_t k = 0; k < list->count; ++k) {
        times += memcmp(list->items[k].pair.kind, p->kind, sizeof p->kind) == 0 &&
                 memcmp(list->items[k].pair.index, p->index, sizeof p->index) == 0;
    }
    return times;
}

TEST(surface_pair, near_pairs_are_all_there_and_once)
{
    test_rng r = test_rng_seed(3);
    long found = 0;
    for (int n = 0; n < 4 * SURFACE_KINDS * SURFACE_KINDS; ++n) {
        surface *sa = any_surface(&r, n % SURFACE_KINDS);
        surface *sb = any_surface(&r, n / SURFACE_KINDS % SURFACE_KINDS);
        surface_place a = any_place(&r, sa, 0.8, 0.0, 0.0);
        surface_place b = any_place(&r, sb, 0.3, 0.0, 0.0);
        surface_pair pair = surface_pair_of(&a, &b);
        double range = test_rng_uniform(&r, 0.01, 0.5);
        near_list list = { 0 };
        size_t expected = 0;
        CHECK(surface_pair_near(&pair, range, &list));
        for (int kinds = 0; kinds < 9; ++kinds) {
            feature_pair p = { .kind = { (uint8_t)(1 + kinds % 3), (uint8_t)(1 + kinds / 3) } };
            for (p.index[0] = 0; p.index[0] < count_of(sa, p.kind[0]); ++p.index[0]) {
                for (p.index[1] = 0; p.index[1] < count_of(sb, p.kind[1]); ++p.index[1]) {
                    if (counts(sa, sb, &p) && distance_now(&a, &b, &p) < range) {
                        CHECK_EQ(times_in(&list, &p), 1);
                        ++expected;
                    }
                }
            }
        }
        CHECK_EQ(list.count, expected);
        found += (long)expected;
        for (size_t k = 0; k < list.count; ++k) {
            CHECK_NEAR(list.items[k].distance, distance_now(&a, &b, &list.items[k].pair), 1e-12);
        }
        free(list.items);
        surface_destroy(sa);
        surface_destroy(sb);
    }
    CHECK_GE((double)found, 1000);
}

/* ---- surfaces that cut each other --------------------------------------------------------------------------------------- */

static double least_distance(const surface_place *a, const surface_place *b)
{
    surface_pair pair = surface_pair_of(a, b);
    near_list list = { 0 };
    double least = HUGE_VAL;
    CHECK(surface_pair_near(&pair, 10.0, &list));
    for (size_t k = 0; k < list.count; ++k) {
        least = fmin(least, list.items[k].distance);
    }
    free(list.items);
    return least;
}

/* Two surfaces pushed along a line from apart to through each other: they do not meet while their features keep a distance, and
 * they meet when that has gone to nothing for the first time. */
TEST(surface_pair, meets_where_the_distance_ends)
{
    test_rng r = test_rng_seed(5);
    int met = 0;
    for (int n = 0; n < 2 * SURFACE_KINDS * SURFACE_KINDS; ++n) {
        int kinds[2] = { n % SURFACE_KINDS, n / SURFACE_KINDS % SURFACE_KINDS };
        bool has_face = kinds[0] <= SURFACE_OPEN || kinds[1] <= SURFACE_OPEN;
        bool round = kinds[0] == SURFACE_BALL || kinds[0] == SURFACE_CAPSULE || kinds[1] == SURFACE_BALL;
        surface *s[2] = { any_surface(&r, kinds[0]), any_surface(&r, kinds[1]) };
        surface_place a = any_place(&r, s[0], 0.0, 0.0, 0.0);
        surface_place b = any_place(&r, s[1], 3.0, 0.0, 0.0);
        v3 way = v3_neg(b.x_w);
        v3 from = b.x_w;
        for (double t = 0.0; t < 1.0; t += 0.01) {
            feature_pair witness;
            b.x_w = v3_axpy(from, t, way);
            surface_pair pair = surface_pair_of(&a, &b);
            double distance = least_distance(&a, &b);
            bool meets = surface_pair_meets(&pair, &witness);
            CHECK(!(meets && t == 0.0));
            if (meets) { /* a step before they were apart, by no more than the step */
                ++met;
                CHECK_LE(distance, 0.0301);
                break;
            }
            if ((has_face || round) && distance < 0.0) {
                CHECK(meets);
            }
        }
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_GE(met, 30);
}

static surface *unit_cube(double rounding, const mesh *m)
{
    carom_error err = { 0 };
    surface *s = NULL;
    v3 middle = v3_zero();
    surface_part part = { .mesh = m, .pose_c = { v3_zero(), q_identity() } };
    if (!m) {
        part = (surface_part){ .vertex_count = 1, .vertices = &middle, .rounding = rounding, .pose_c = part.pose_c };
    }
    CHECK_OK(surface_create(&s, &part, 1, &err), err);
    return s;
}

/* Cubes face to face, and a ball over a cube: apart by one part in 1e15 they do not meet, touching they do. */
TEST(surface_pair, meets_is_exact)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_OK(mesh_make(&m, "box", NULL, &err), err);
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double edge = high.z - low.z;
    surface *s[2] = { unit_cube(0.0, m), unit_cube(0.25, NULL) };
    for (int k = 0; k < 2; ++k) {
        double touch = k == 0 ? edge : 0.5 * edge + 0.25;
        for (int off = -1; off <= 1; ++off) {
            surface_place a = { .surface = s[0], .R_w = m3_identity() };
            surface_place b = { .surface = s[k],
                                .R_w = m3_identity(),
                                .x_w = { 0.03, 0.02, touch * (1.0 + off * 1e-15) } };
            surface_pair pair = surface_pair_of(&a, &b);
            feature_pair witness;
            CHECK_EQ(surface_pair_meets(&pair, &witness), k == 0 ? off <= 0 : off < 0);
        }
        if (k == 1) {
            surface_destroy(s[1]);
        }
    }
    surface_destroy(s[0]);
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(surface, owns_every_feature_once),
        RUN_TEST(surface, tree_holds_all_leaves),
        RUN_TEST(surface_pair, near_pairs_are_all_there_and_once),
        RUN_TEST(surface_pair, meets_where_the_distance_ends),
        RUN_TEST(surface_pair, meets_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
