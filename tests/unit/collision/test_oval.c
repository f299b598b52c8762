/* Ellipsoids along their common normal, against the largest separation over many directions; against closed forms; the features of
 * ellipsoids and other shapes against distances that are found in another way. */
#include "gap_rigs.h"

#include "collision/oval.h"

static oval random_oval(test_rng *rng, double spread)
{
    oval o = { .c = random_v3(rng, 1.0), .axes = q_matrix(random_turn(rng)) };
    double half[3];
    for (int i = 0; i < 3; ++i) {
        half[i] = 0.5 * pow(10.0, test_rng_uniform(rng, -spread, spread));
    }
    o.half = v3_load(half);
    return o;
}

static double separation(const oval *a, const oval *b, v3 n)
{
    return -oval_reach(a, v3_neg(n)) - oval_reach(b, n);
}

/* The best of many directions, each drawn around the best so far with half the spread of before: from far and near. */
static double best_of_many(test_rng *rng, const oval *a, const oval *b, const v3 *along)
{
    double best = -HUGE_VAL;
    for (int start = 0; start < 12; ++start) {
        v3 n = random_direction(rng);
        double here = -HUGE_VAL;
        for (int k = 0; k < 6000; ++k) {
            double spread = pow(0.5, k / 150.0);
            v3 next = v3_add(n, v3_scale(spread, random_direction(rng)));
            next = v3_unit(along ? v3_axpy(next, -v3_dot(next, *along), *along) : next);
            double s = separation(a, b, next);
            n = s > here ? next : n;
            here = fmax(here, s);
        }
        best = fmax(best, here);
    }
    return best;
}

static void check_meeting(const oval *a, const oval *b, const oval_meeting *m, double size)
{
    v3 x = v3_sub(m->p[0], m->p[1]);
    if (b->half.z == 0.0 && fabs(v3_dot(m->n, m3_column(b->axes, 2))) > 1.0 - 1e-14) {
        return; /* met on the flat side of a disc */
    }
    CHECK_NEAR(v3_norm(m->n), 1.0, 1e-14);
    CHECK_NEAR(m->gap, separation(a, b, m->n), 1e-13 * size);
    CHECK_LE(v3_norm(v3_axpy(x, -m->gap, m->n)), 1e-9 * size); /* the common normal */
}

TEST(oval, separation_is_the_largest_of_all_directions)
{
    FOR_EACH_SEED(rng, 60) {
        double spread = seed_ % 2 ? 0.3 : 1.0;
        oval a = random_oval(&rng, spread), b = random_oval(&rng, spread);
        b.c = v3_scale(test_rng_uniform(&rng, 0.0, 3.0), random_direction(&rng));
        b.half = seed_ % 5 == 0 ? v3_zero() : seed_ % 5 == 1 ? v3_make(b.half.x, b.half.x, 0.0) : b.half;
        oval_meeting m = oval_meet(&a, &b, NULL);
        check_meeting(&a, &b, &m, 10.0);
        double best = best_of_many(&rng, &a, &b, NULL);
        CHECK_LE(best, m.gap + 1e-6);
        CHECK_LE(m.gap, best + 1e-4);
    }
}

TEST(oval, across_a_line_it_is_the_largest_of_those_directions)
{
    FOR_EACH_SEED(rng, 60) {
        oval a = random_oval(&rng, seed_ % 2 ? 0.3 : 1.0);
        oval line = { .c = random_v3(&rng, 3.0), .axes = m3_identity() };
        v3 along = random_direction(&rng);
        oval_meeting m = oval_meet(&a, &line, &along);
        CHECK_NEAR(v3_dot(m.n, along), 0.0, 1e-12);
        double best = best_of_many(&rng, &a, &line, &along);
        CHECK_LE(best, m.gap + 1e-6);
        CHECK_LE(m.gap, best + 1e-4);
    }
}

/* From discs to needles: points are as far as the shape's own distance says. */
TEST(oval, points_are_as_far_as_the_distance_of_the_shape)
{
    static const v3 halves[] = { { 0.6, 0.25, 0.4 }, { 1e-3, 1.0, 1e3 }, { 1.0, 1.0, 1e-4 }, { 50.0, 1.0, 1.0 } };
    for (size_t k = 0; k < sizeof halves / sizeof halves[0]; ++k) {
        FOR_EACH_SEED(rng, 300) {
            carom_ellipsoid_def e = { halves[k] };
            oval a = { .axes = q_matrix(random_turn(&rng)), .half = e.radii };
            v3 r = random_v3(&rng, 1.0);
            double far = test_rng_uniform(&rng, 1.0, 3.0) / v3_norm(r); /* outside: there is one answer */
            r = v3_make(far * r.x * e.radii.x, far * r.y * e.radii.y, far * r.z * e.radii.z);
            oval p = { .c = m3_mulv(a.axes, r), .axes = m3_identity() };
            double exact = carom_shape_type_find("ellipsoid")->distance(&e, r).distance;
            double size = fmax(e.radii.x, fmax(e.radii.y, e.radii.z));
            CHECK_NEAR(oval_meet(&a, &p, NULL).gap, exact, 1e-12 * size);
        }
    }
}

/* ---- pairs of shapes ---------------------------------------------------------------------------------------------- */

/* Nearest points by bringing one to the other and back, and by the separation of supports: from above and below. */
static double distance_by_projection(const collider *a, carom_pose A, const collider *b, carom_pose B)
{
    v3 p = A.position;
    double apart = HUGE_VAL;
    for (int k = 0; k < 20000; ++k) {
        v3 q_b = q_unrotate(B.orientation, v3_sub(p, B.position));
        field_sample f = collider_sample(b, q_b);
        v3 q = pose_apply(B, f.distance > 0.0 ? v3_axpy(q_b, -f.distance, f.gradient) : q_b);
        v3 p_a = q_unrotate(A.orientation, v3_sub(q, A.position));
        f = collider_sample(a, p_a);
        p = pose_apply(A, f.distance > 0.0 ? v3_axpy(p_a, -f.distance, f.gradient) : p_a);
        apart = fmin(apart, v3_norm(v3_sub(p, q)));
    }
    return apart;
}

static const carom_ellipsoid_def others[] = { { { 0.3, 0.5, 0.2 } }, { { 0.1, 0.6, 0.6 } }, { { 0.15, 0.15, 0.9 } } };

static const struct {
    const char *kind;
    const void *params;
} partners[] = { { "box", &rig_box },         { "sphere", &rig_sphere },   { "cylinder", &rig_cylinder },
                 { "capsule", &rig_capsule }, { "ellipsoid", &others[0] }, { "ellipsoid", &others[1] },
                 { "ellipsoid", &others[2] }, { "plane", &rig_plane } };

/* While they are apart, the smallest gap of the features is the distance of the solids. */
TEST(oval, features_know_the_distance_of_the_solids)
{
    collider *e = make_faceted("ellipsoid", &rig_ellipsoid, NULL);
    for (size_t k = 0; k < sizeof partners / sizeof partners[0]; ++k) {
        collider *other = make_faceted(partners[k].kind, partners[k].params, NULL);
        int compared = 0;
        FOR_EACH_SEED(rng, 40) {
            carom_pose pose[2] = { random_pose(&rng, 2.0), random_pose(&rng, 0.5) };
            bool first = seed_ % 2 == 0;
            const collider *c[2] = { first ? e : other, first ? other : e };
            gap_pair pair = pair_of(c[0], c[1]);
            gap_list list = { 0 };
            double exact = distance_by_projection(c[0], pose[0], c[1], pose[1]);
            CHECK(gap_find(&list, &pair, pose, 10.0));
            if (exact > 1e-3 && strcmp(partners[k].kind, "plane") != 0) {
                CHECK_NEAR(smallest_gap(&list, pose), exact, 2e-6);
                ++compared;
            }
            for (size_t i = 0; i < list.count && exact > 1e-3; ++i) {
                CHECK(gap_bounds(&list.items[i], &pair, pose) >= 0.0);
            }
            check_no_repeats(&list);
            gap_list_free(&list);
        }
        CHECK(compared > 10 || strcmp(partners[k].kind, "plane") == 0);
        collider_destroy(other);
    }
    collider_destroy(e);
}

/* The lowest point over a plane: a closed form. */
TEST(oval, over_a_plane_the_gap_is_a_closed_form)
{
    collider *e = make_faceted("ellipsoid", &rig_ellipsoid, NULL);
    collider *plane = make_faceted("plane", &rig_plane, NULL);
    FOR_EACH_SEED(rng, 100) {
        carom_pose pose[2] = { random_pose(&rng, 2.0), random_pose(&rng, 0.3) };
        gap_pair pair = pair_of(e, plane);
        gap_list list = { 0 };
        CHECK(gap_find(&list, &pair, pose, 10.0));
        v3 n = q_rotate(pose[1].orientation, rig_plane.normal);
        v3 m = q_unrotate(pose[0].orientation, n);
        v3 w = v3_make(rig_ellipsoid.radii.x * m.x, rig_ellipsoid.radii.y * m.y, rig_ellipsoid.radii.z * m.z);
        double exact = v3_dot(n, v3_sub(pose[0].position, pose[1].position)) - v3_norm(w);
        if (exact > -1e-3) {
            CHECK_EQ(list.count, 1);
            CHECK_NEAR(smallest_gap(&list, pose), exact, 1e-14);
            CHECK_EQ(list.items[0].mode, CAROM_MODE_BALL_FACE);
        }
        gap_list_free(&list);
    }
    collider_destroy(e);
    collider_destroy(plane);
}

/* The same features as a ball, the same gaps: against every shape. */
TEST(oval, balls_as_ellipsoids_have_the_same_gaps)
{
    const carom_ellipsoid_def round = { { rig_sphere.radius, rig_sphere.radius, rig_sphere.radius } };
    collider *e = make_faceted("ellipsoid", &round, NULL);
    collider *ball = make_faceted("sphere", &rig_sphere, NULL);
    for (size_t k = 0; k < sizeof partners / sizeof partners[0]; ++k) {
        if (strcmp(partners[k].kind, "cylinder") == 0) {
            continue; /* its rims are discs to ellipsoids and polygons of 64 sides to balls */
        }
        collider *other = make_faceted(partners[k].kind, partners[k].params, NULL);
        FOR_EACH_SEED(rng, 60) {
            carom_pose pose[2] = { random_pose(&rng, 1.5), random_pose(&rng, 0.5) };
            gap_list a = { 0 }, b = { 0 };
            gap_pair x = pair_of(e, other), y = pair_of(ball, other);
            CHECK(gap_find(&a, &x, pose, 0.5) && gap_find(&b, &y, pose, 0.5));
            CHECK_EQ(a.count, b.count);
            if (b.count > 0) {
                CHECK_NEAR(smallest_gap(&a, pose), smallest_gap(&b, pose), 1e-12);
            }
            gap_list_free(&a);
            gap_list_free(&b);
        }
        collider_destroy(other);
    }
    collider_destroy(e);
    collider_destroy(ball);
}

/* s along a direction across the line through b. */
static double apart_from_line(const oval *a, v3 b, v3 n)
{
    return -oval_reach(a, v3_neg(n)) - v3_dot(n, b);
}

/* All largest values of s on the circle of directions across a line, as its samples show them, are found: also of ellipsoids that
 * are far from the line, and so thin that a second normal leads to it. */
TEST(oval, all_normals_to_a_line_are_found)
{
    enum { SAMPLES = 4000 };
    test_rng rng = { 31 };
    int several = 0;
    for (int k = 0; k < 300; ++k) {
        oval a = { random_v3(&rng, 0.5), q_matrix(random_turn(&rng)), v3_zero() };
        double half[3];
        for (int i = 0; i < 3; ++i) {
            half[i] = pow(10.0, test_rng_uniform(&rng, -2.0, 0.0));
        }
        a.half = v3_load(half);
        v3 along = random_direction(&rng);
        v3 x = v3_across(along), y = v3_cross(along, x);
        oval line = { random_v3(&rng, 0.5), m3_identity(), v3_zero() };
        oval_meeting all[OVAL_MOST];
        int count = oval_meet_all(&a, &line, &along, all);
        double s[SAMPLES];
        for (int i = 0; i < SAMPLES; ++i) {
            double angle = 2.0 * acos(-1.0) * i / SAMPLES;
            s[i] = apart_from_line(&a, line.c, v3_axpy(v3_scale(cos(angle), x), sin(angle), y));
        }
        for (int i = 0; i < SAMPLES; ++i) {
            if (s[i] > s[(i + 1) % SAMPLES] && s[i] >= s[(i + SAMPLES - 1) % SAMPLES]) {
                double nearest = HUGE_VAL;
                for (int m = 0; m < count; ++m) {
                    nearest = fmin(nearest, fabs(all[m].gap - s[i]));
                }
                CHECK_LE(nearest, 1e-4);
            }
        }
        several += count > 1;
    }
    CHECK_LE(20, several);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(oval, separation_is_the_largest_of_all_directions),
        RUN_TEST(oval, across_a_line_it_is_the_largest_of_those_directions),
        RUN_TEST(oval, points_are_as_far_as_the_distance_of_the_shape),
        RUN_TEST(oval, features_know_the_distance_of_the_solids),
        RUN_TEST(oval, over_a_plane_the_gap_is_a_closed_form),
        RUN_TEST(oval, balls_as_ellipsoids_have_the_same_gaps),
        RUN_TEST(oval, all_normals_to_a_line_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
