/* Surfaces: every vertex and edge is owned once, the tree holds all, and near pairs are those that all pairs of features, one
 * by one, come to. */
#include "collision/surface_round.h"

#include "surfaces.h"

#include <stdlib.h>

#include "geometry/triangle.h"

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

/* ---- lines of edges ----------------------------------------------------------------------------------------------------------- */

enum { ARC = 2000 };

/* A sheet of 1 m whose upper side is an arc of this curvature [1/m], in so many edges. */
static surface *arched_sheet(double curvature)
{
    mesh *m = mesh_create(2 * (ARC + 1), 2 * ARC);
    carom_error err = { 0 };
    surface *s = NULL;
    CHECK(m != NULL);
    for (int k = 0; k <= ARC; ++k) {
        double x = (double)k / ARC - 0.5;
        m->vertices[2 * k] = v3_make(x, -0.1, 0.0);
        m->vertices[2 * k + 1] = v3_make(x, -0.5 * curvature * x * x, 0.0);
    }
    for (int k = 0; k < ARC; ++k) {
        memcpy(m->triangles[2 * k], ((int[3]){ 2 * k, 2 * k + 2, 2 * k + 1 }), sizeof m->triangles[0]);
        memcpy(m->triangles[2 * k + 1], ((int[3]){ 2 * k + 1, 2 * k + 2, 2 * k + 3 }), sizeof m->triangles[0]);
    }
    surface_part part = { .mesh = m, .pose_c.orientation = q_identity() };
    CHECK_OK(surface_create(&s, &part, 1, &err), err);
    mesh_destroy(m);
    return s;
}

/* Every edge of the outline is part of one line, whose joints are inner vertices. Returns how many lines there are. */
static int check_lines(const surface *s)
{
    int lines = 0, edges = 0, joints = 0;
    for (int v = 0; v < s->vertex_count; ++v) {
        joints += s->inner_vertices[v];
    }
    for (int e = 0; e < s->edge_count; ++e) {
        CHECK(s->inner_edges[e] == (s->lines[e] < 0));
        if (s->lines[e] >= 0) {
            CHECK_EQ(s->lines[s->lines[e]], s->lines[e]);
            ++edges;
            lines += s->lines[e] == e;
        }
    }
    CHECK_EQ(joints, edges - lines);
    return lines;
}

/* Straight sides are one line each. An arc bends too little at each joint to end a line there; how far its lines are from straight ones
 * is told, as what acts in their stead has to know. */
TEST(surface, lines_are_as_straight_as_told)
{
    surface *straight = arched_sheet(0.0);
    CHECK_EQ(check_lines(straight), 4);
    CHECK_LE(straight->bulge, 1e-15);
    surface_destroy(straight);
    for (double curvature = 1e-4; curvature < 0.2; curvature *= 10.0) {
        surface *s = arched_sheet(curvature);
        int lines = check_lines(s);
        double length = 1.0 / (lines - 3); /* [m] of the lines of the arc, about */
        printf("curvature %g /m: %d lines, %.2g m off\n", curvature, lines, s->bulge);
        CHECK_GE(s->bulge, 0.125 * curvature * length * length * 0.9);
        surface_destroy(s);
    }
}

static void check_inside(const surface_box *box, v3 r)
{
    v3 off = v3_sub(r, box->center);
    CHECK_LE(fabs(off.x), box->half.x + 1e-15);
    CHECK_LE(fabs(off.y), box->half.y + 1e-15);
    CHECK_LE(fabs(off.z), box->half.z + 1e-15);
    CHECK_LE(v3_norm(off), box->radius + 1e-15);
}

/* Leaves below a slot; all of their vertices are in the box of `top`. */
static int check_slot(const surface *s, int slot, const surface_box *top)
{
    surface_box box = surface_box_at(s, slot);
    int sum = 0;
    if (box.child >= 0) {
        for (int k = 0; k < s->groups[box.child].count; ++k) {
            sum += check_slot(s, SURFACE_LANES * box.child + k, top);
        }
        return sum;
    }
    int corner[3];
    int index = 0;
    int kind = surface_leaf_feature(s, ~box.child, &index);
    for (int k = surface_corners(s, kind, index, corner) - 1; k >= 0; --k) {
        check_inside(top, s->vertices[corner[k]]);
    }
    CHECK_LE(surface_rounding(s, kind, index), top->rounding);
    return 1;
}

TEST(surface, tree_holds_all_leaves)
{
    test_rng r = test_rng_seed(2);
    for (int n = 0; n < 20 * SURFACE_KINDS; ++n) {
        surface *s = any_surface(&r, n % SURFACE_KINDS);
        for (int k = 0; k < s->group_count; ++k) {
            for (int i = 0; i < s->groups[k].count; ++i) {
                surface_box box = surface_box_at(s, SURFACE_LANES * k + i);
                int leaves = check_slot(s, SURFACE_LANES * k + i, &box);
                CHECK_GE(leaves, 1);
                CHECK_EQ(k > 0 || leaves == s->leaf_count, 1);
            }
        }
        CHECK_EQ(s->groups[0].count, 1);
        surface_destroy(s);
    }
}

/* What leaves say of their features: corners, normals, which corners the features are. */
TEST(surface, leaves_know_their_corners)
{
    test_rng r = test_rng_seed(9);
    for (int n = 0; n < 4 * SURFACE_KINDS * SURFACE_KINDS; ++n) {
        surface *s[2] = { any_surface(&r, n % SURFACE_KINDS), any_surface(&r, n / SURFACE_KINDS % SURFACE_KINDS) };
        for (int i = 0; i < s[0]->leaf_count * s[1]->leaf_count; ++i) {
            int leaf[2] = { i % s[0]->leaf_count, i / s[0]->leaf_count };
            leaf_pair pairs[LEAF_PAIRS];
            int count = surface_leaf_pairs(s[0], leaf[0], s[1], leaf[1], pairs);
            for (int k = 0; k < 2 * count; ++k) {
                int side = k % 2, corner[3];
                const leaf_pair *p = &pairs[k / 2];
                const surface_leaf *l = &s[side]->leaves[leaf[side]];
                int corners = surface_corners(s[side], p->pair.kind[side], p->pair.index[side], corner);
                CHECK(surface_rounding(s[side], p->pair.kind[side], p->pair.index[side]) == l->rounding);
                for (int c = 0; c < corners; ++c) {
                    int at = p->corner[side][c];
                    v3 x = { l->corner[0][at], l->corner[1][at], l->corner[2][at] };
                    CHECK_NEAR(v3_norm(v3_sub(x, s[side]->vertices[corner[c]])), 0.0, 0.0);
                    v3 first = { l->corner[0][0], l->corner[1][0], l->corner[2][0] };
                    CHECK_NEAR(v3_dot(l->normal, v3_sub(x, first)), 0.0, 1e-15);
                }
            }
        }
        surface_destroy(s[0]);
        surface_destroy(s[1]);
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

static bool any_leaves_meet(const surface_place *a, const surface_place *b)
{
    surface_pair p = surface_pair_of(a, b);
    for (int i = 0; i < a->surface->leaf_count * b->surface->leaf_count; ++i) {
        const surface_leaf *x = &a->surface->leaves[i % a->surface->leaf_count];
        const surface_leaf *y = &b->surface->leaves[i / a->surface->leaf_count];
        v3 t[2][3];
        for (int k = 0; k < 3; ++k) {
            t[0][k] = v3_add(p.c, m3_mulv(p.R, v3_make(x->corner[0][k], x->corner[1][k], x->corner[2][k])));
            t[1][k] = v3_make(y->corner[0][k], y->corner[1][k], y->corner[2][k]);
        }
        if (triangles_meet(t[0], t[1])) {
            return true;
        }
    }
    return false;
}

/* What trees and normals leave out changes no answer. */
TEST(surface_pair, meets_if_any_two_leaves_do)
{
    test_rng r = test_rng_seed(6);
    int met = 0, missed = 0;
    for (int n = 0; n < 2000; ++n) {
        surface *s[2] = { any_surface(&r, n % 4), any_surface(&r, n / 4 % 4) }; /* without round ones */
        surface_place a = any_place(&r, s[0], test_rng_uniform(&r, 0.0, 2.0), 0.0, 0.0);
        surface_place b = any_place(&r, s[1], 0.0, 0.0, 0.0);
        surface_pair pair = surface_pair_of(&a, &b);
        feature_pair witness;
        bool expected = any_leaves_meet(&a, &b);
        CHECK_EQ(surface_pair_meets(&pair, &witness), expected);
        met += expected;
        missed += !expected;
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_GE(met, 300);
    CHECK_GE(missed, 300);
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

/* ---- rims ----------------------------------------------------------------------------------------------------------------- */

typedef struct standing_cylinder {
    surface *solid, *ground;
    surface_place a, b;
} standing_cylinder;

/* Upright above the plane z = 0, tilted about x. */
static standing_cylinder cylinder_above(double height, double tilt)
{
    carom_error err = { 0 };
    carom_cylinder_def def = { .radius = 0.5, .length = 1.0 };
    standing_cylinder c = { 0 };
    CHECK_OK(surface_of_shape(&c.solid, carom_shape_type_find("cylinder"), &def, NULL, &err), err);
    CHECK_OK(surface_create_half_space(&c.ground, v3_make(0, 0, 1), &err), err);
    c.a = (surface_place){ .surface = c.solid, .x_w = { 0.1, 0.2, 0.5 + height } };
    c.a.R_w = q_matrix(so3_exp(v3_make(tilt, 0, 0)));
    c.b = (surface_place){ .surface = c.ground, .R_w = m3_identity() };
    return c;
}

static void cylinder_free(standing_cylinder *c)
{
    surface_destroy(c->solid);
    surface_destroy(c->ground);
}

/* Half of it is a circle whatever its roll: a cylinder on its side keeps its height while it turns, where a polygon would
 * not. Upright it stands on the vertices of its rim. */
TEST(surface_rim, cylinders_lie_on_two_points_and_stand_on_many)
{
    for (int n = 0; n < 50; ++n) {
        standing_cylinder c = cylinder_above(1e-4, 0.5 * PI);
        c.a.R_w = m3_mul(q_matrix(so3_exp(v3_make(0, 0.013 * n, 0))),
                         c.a.R_w); /* rolls about y, along which it lies */
        surface_pair p = surface_pair_of(&c.a, &c.b);
        near_list list = { 0 };
        CHECK(surface_pair_near(&p, 1e-3, &list));
        int acting = 0;
        for (size_t k = 0; k < list.count; ++k) {
            double factor = surface_pair_mollifier(&p, &list.items[k].pair, 1e-3).value;
            CHECK(factor == (list.items[k].pair.kind[0] == SURFACE_RIM ? 1.0 : 0.0));
            CHECK(factor == 0.0 || fabs(list.items[k].distance - 1e-4) < 1e-15);
            acting += factor > 0.0;
        }
        CHECK_EQ(acting, 2);
        free(list.items);
        cylinder_free(&c);
    }
    standing_cylinder c = cylinder_above(1e-4, 0.0);
    surface_pair p = surface_pair_of(&c.a, &c.b);
    near_list list = { 0 };
    CHECK(surface_pair_near(&p, 1e-3, &list));
    double sum = 0.0;
    for (size_t k = 0; k < list.count; ++k) {
        sum += surface_pair_mollifier(&p, &list.items[k].pair, 1e-3).value;
    }
    CHECK_GE(sum, 64.0);
    free(list.items);
    cylinder_free(&c);
}

/* Factors of rim and vertices fill each other up, and their derivatives are those of their values. */
TEST(surface_rim, hands_over_to_its_vertices_smoothly)
{
    for (int n = 0; n < 40; ++n) {
        standing_cylinder c = cylinder_above(1e-3, 0.003 * n);
        const double reach = 1e-3, h = 1e-6;
        int vertex = 0;
        while (c.solid->vertex_rims[vertex] != 1) {
            ++vertex;
        }
        for (int swapped = 0; swapped < 2; ++swapped) {
            surface_place *first = swapped ? &c.b : &c.a, *second = swapped ? &c.a : &c.b;
            feature_pair rim = { { SURFACE_RIM, SURFACE_PLANE }, { 1, 0 } };
            feature_pair corner = { { SURFACE_VERTEX, SURFACE_PLANE }, { vertex, 0 } };
            if (swapped) {
                rim = (feature_pair){ { SURFACE_PLANE, SURFACE_RIM }, { 0, 1 } };
                corner = (feature_pair){ { SURFACE_PLANE, SURFACE_VERTEX }, { 0, vertex } };
            }
            surface_pair p = surface_pair_of(first, second);
            edge_mollifier m = surface_pair_mollifier(&p, &rim, reach);
            edge_mollifier rest = surface_pair_mollifier(&p, &corner, reach);
            CHECK_NEAR(m.value + rest.value, 1.0, 1e-15);
            CHECK_NEAR(m.first + rest.first, 0.0, 0.0);
            m3 before = first->R_w;
            double around[2];
            for (int k = 0; k < 2; ++k) {
                first->R_w = m3_mul(q_matrix(so3_exp(v3_make(k == 0 ? -h : h, 0, 0))), before);
                surface_pair turned = surface_pair_of(first, second);
                around[k] = surface_pair_mollifier(&turned, &rim, reach).value;
            }
            first->R_w = before;
            double along = m3_mulv(second->R_w, m.turn).x;
            CHECK_NEAR((around[1] - around[0]) / (2.0 * h), m.first * along, 1e-3 * (1.0 + fabs(m.first * along)));
        }
        cylinder_free(&c);
    }
}

TEST(surface_rim, meets_the_plane_exactly)
{
    for (int n = 0; n < 20; ++n) {
        double tilt = 0.07 * n;
        double low = 0.5 * (cos(tilt) + sin(tilt)) - 0.5;
        for (int off = -1; off <= 1; off += 2) {
            standing_cylinder c = cylinder_above(low + off * 1e-14, tilt);
            surface_pair p = surface_pair_of(&c.a, &c.b);
            feature_pair witness;
            CHECK_EQ(surface_pair_meets(&p, &witness), off < 0);
            cylinder_free(&c);
        }
    }
}

/* ---- solid cylinders ------------------------------------------------------------------------------------------------------ */

static surface *any_cylinder(test_rng *r)
{
    carom_error err = { 0 };
    carom_cylinder_def def = { .radius = test_rng_uniform(r, 0.1, 0.6), .length = test_rng_uniform(r, 0.05, 1.5) };
    surface *s = NULL;
    CHECK_OK(surface_of_shape(&s, carom_shape_type_find("cylinder"), &def, NULL, &err), err);
    CHECK(s->round && s->leaf_count == 1);
    return s;
}

static surface *cylinder_or(test_rng *r, int kind)
{
    return kind == SURFACE_KINDS ? any_cylinder(r) : any_surface(r, kind);
}

static void count_near(void *context, const feature_pair *pair, double distance)
{
    near_list *expected = context;
    (void)pair;
    (void)distance;
    ++expected->count;
}

/* What the tree leaves out is far: the list is that of all leaves. */
TEST(surface_round, near_pairs_are_all_there_and_once)
{
    test_rng r = test_rng_seed(13);
    long found = 0;
    for (int n = 0; n < 400; ++n) {
        surface *s[2] = { cylinder_or(&r, SURFACE_KINDS), cylinder_or(&r, n % (SURFACE_KINDS + 1)) };
        surface_place a = any_place(&r, s[n % 2], 1.2, 0.0, 0.0);
        surface_place b = any_place(&r, s[1 - n % 2], 0.3, 0.0, 0.0);
        surface_pair pair = surface_pair_of(&a, &b);
        double range = test_rng_uniform(&r, 0.01, 0.3);
        near_list list = { 0 }, expected = { 0 };
        CHECK(surface_pair_near(&pair, range, &list));
        round_near all = { .p = &pair, .range = range + pair.rounding, .context = &expected, .add = count_near };
        for (int i = 0; i < pair.a->leaf_count; ++i) {
            for (int k = 0; k < pair.b->leaf_count; ++k) {
                surface_round_near(&all, i, k);
            }
        }
        CHECK_EQ(list.count, expected.count);
        for (size_t k = 0; k < list.count; ++k) {
            CHECK_EQ(times_in(&list, &list.items[k].pair), 1);
        }
        found += (long)list.count;
        free(list.items);
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_GE((double)found, 1000);
}

/* Boxes around surfaces of all kinds, and above half-spaces: never farther apart than what they hold, and often apart where that is. */
TEST(surface_pair, is_no_nearer_than_its_boxes)
{
    test_rng r = test_rng_seed(17);
    int apart_too = 0;
    for (int n = 0; n < 600; ++n) {
        carom_error err = { 0 };
        surface *s[2] = { cylinder_or(&r, n % (SURFACE_KINDS + 1)), NULL };
        if (n % 3 == 0) {
            CHECK_OK(surface_create_half_space(&s[1], random_direction(&r), &err), err);
        } else {
            s[1] = cylinder_or(&r, n / 7 % (SURFACE_KINDS + 1));
        }
        surface_place a = any_place(&r, s[n % 2], 2.5, 0.0, 0.0);
        surface_place b = any_place(&r, s[1 - n % 2], 0.3, 0.0, 0.0);
        surface_pair pair = surface_pair_of(&a, &b);
        double distance = least_distance(&a, &b);
        double apart = surface_pair_apart(&pair);
        CHECK_LE(apart, distance);
        apart_too += apart > 0.3 * distance;
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_GE(apart_too, 100);
}

/* Pushed along a line from apart to through each other, they meet when their distance has gone to nothing. */
TEST(surface_round, meets_where_the_distance_ends)
{
    test_rng r = test_rng_seed(14);
    int met = 0;
    for (int n = 0; n < 30 * (SURFACE_KINDS + 1); ++n) {
        int kind = n % (SURFACE_KINDS + 1);
        surface *s[2] = { any_cylinder(&r), cylinder_or(&r, kind) };
        surface_place a = any_place(&r, s[n / 2 % 2], 0.0, 0.0, 0.0);
        surface_place b = any_place(&r, s[1 - n / 2 % 2], 4.0, 0.0, 0.0);
        v3 from = b.x_w;
        double before = HUGE_VAL;
        for (double t = 0.0; t < 1.0; t += 0.005) {
            feature_pair witness;
            b.x_w = v3_scale(1.0 - t, from);
            surface_pair pair = surface_pair_of(&a, &b);
            double distance = least_distance(&a, &b);
            bool meets = surface_pair_meets(&pair, &witness);
            CHECK(!(meets && t == 0.0));
            CHECK(meets || distance > 0.0);
            if (meets) { /* a step before they were apart, by no more than the step */
                ++met;
                CHECK_LE(before, 0.0201);
                break;
            }
            before = distance;
        }
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_GE(met, 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(surface, owns_every_feature_once),
        RUN_TEST(surface, lines_are_as_straight_as_told),
        RUN_TEST(surface, tree_holds_all_leaves),
        RUN_TEST(surface, leaves_know_their_corners),
        RUN_TEST(surface_pair, near_pairs_are_all_there_and_once),
        RUN_TEST(surface_pair, meets_where_the_distance_ends),
        RUN_TEST(surface_pair, meets_if_any_two_leaves_do),
        RUN_TEST(surface_pair, meets_is_exact),
        RUN_TEST(surface_pair, is_no_nearer_than_its_boxes),
        RUN_TEST(surface_rim, cylinders_lie_on_two_points_and_stand_on_many),
        RUN_TEST(surface_rim, hands_over_to_its_vertices_smoothly),
        RUN_TEST(surface_rim, meets_the_plane_exactly),
        RUN_TEST(surface_round, near_pairs_are_all_there_and_once),
        RUN_TEST(surface_round, meets_where_the_distance_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
