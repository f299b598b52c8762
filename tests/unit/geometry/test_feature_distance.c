/* Distances of features are those of convex sets: each closest point is the projection of the other. Their derivatives agree
 * with differences in every region, and so do those of the factor for nearly parallel edges. */
#include "geometry/feature_distance.h"

#include "math/screw.h"
#include "support/check.h"
#include "support/random.h"

enum { VERTEX_VERTEX, VERTEX_EDGE, VERTEX_TRIANGLE, EDGE_EDGE, KINDS };

static const int counts[KINDS][2] = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 2 } };

static feature_distance distance_of(int kind, const v3 *a, const v3 *b)
{
    switch (kind) {
    case VERTEX_VERTEX:
        return vertex_vertex_distance(a[0], b[0]);
    case VERTEX_EDGE:
        return vertex_edge_distance(a[0], b);
    case VERTEX_TRIANGLE:
        return vertex_triangle_distance(a[0], b);
    default:
        return edge_edge_distance(a, b);
    }
}

static v3 any(test_rng *r, double size)
{
    return v3_scale(size * test_rng_uniform(r, 0.0, 1.0), random_direction(r));
}

/* How far p is from the hull of a feature's vertices, if it is near: it is the sum of weights that are not negative. */
static double off_hull(v3 p, const v3 *feature, int count)
{
    v3 edge = v3_sub(feature[count > 1], feature[0]);
    v3 rest = v3_sub(p, feature[0]);
    if (count == 1) {
        return v3_norm(rest);
    }
    if (count == 2) {
        double s = fmin(fmax(v3_dot(rest, edge) / v3_norm2(edge), 0.0), 1.0);
        return v3_norm(v3_axpy(rest, -s, edge));
    }
    v3 other = v3_sub(feature[2], feature[0]);
    v3 n = v3_cross(edge, other);
    double s = v3_dot(n, v3_cross(rest, other)) / v3_norm2(n);
    double t = v3_dot(n, v3_cross(edge, rest)) / v3_norm2(n);
    double outside = fmax(fmax(-s, -t), fmax(s + t - 1.0, 0.0));
    return fabs(v3_dot(n, rest)) / v3_norm(n) + outside * (v3_norm(edge) + v3_norm(other));
}

/* q is the point of the feature's hull nearest to p if no vertex is further towards p than q is. [m] by how much one is. */
static double nearer_vertex(v3 p, v3 q, const v3 *feature, int count)
{
    double most = 0.0;
    v3 towards = v3_sub(p, q);
    double distance = v3_norm(towards);
    for (int k = 0; k < count && distance > 0.0; ++k) {
        most = fmax(most, v3_dot(towards, v3_sub(feature[k], q)) / distance);
    }
    return most;
}

/* Two points are the nearest of two convex sets exactly if each is the nearest one of its set to the other. */
TEST(feature_distance, closest_points_are_projections_of_each_other)
{
    test_rng r = test_rng_seed(1);
    for (int n = 0; n < 40000; ++n) {
        int kind = n % KINDS;
        v3 a[3], b[3];
        double size = exp(test_rng_uniform(&r, -6.0, 6.0));
        v3 at = any(&r, size * exp(test_rng_uniform(&r, -8.0, 1.0)));
        for (int k = 0; k < 3; ++k) {
            a[k] = v3_add(at, any(&r, size));
            b[k] = any(&r, size);
        }
        if (n % 16 < 8 && kind == EDGE_EDGE) { /* nearly parallel */
            a[1] = v3_add(v3_axpy(a[0], test_rng_uniform(&r, -2.0, 2.0), v3_sub(b[1], b[0])),
                          any(&r, size * exp(test_rng_uniform(&r, -40.0, -2.0))));
        }
        feature_distance d = distance_of(kind, a, b);
        if (d.distance < 1e-6 * size) {
            continue; /* directions are noise */
        }
        double area = kind == VERTEX_TRIANGLE ? v3_norm(v3_cross(v3_sub(b[1], b[0]), v3_sub(b[2], b[0])))
                                              : size * size;
        double rounding = 1e-13 * size * size * size / fmin(area, d.distance * size);
        CHECK_NEAR(v3_norm(v3_sub(d.point[0], d.point[1])), d.distance, 1e-13 * size);
        CHECK_NEAR(v3_norm(d.normal), 1.0, 1e-12);
        CHECK_NEAR(v3_dot(d.normal, v3_sub(d.point[0], d.point[1])), d.distance, 1e-12 * size);
        CHECK_LE(off_hull(d.point[0], a, counts[kind][0]), rounding);
        CHECK_LE(off_hull(d.point[1], b, counts[kind][1]), rounding);
        double parallel = kind == EDGE_EDGE ? 1e-5 * size : 0.0; /* ends stand for crossings below this sine */
        CHECK_LE(nearer_vertex(d.point[1], d.point[0], a, counts[kind][0]), parallel + rounding);
        CHECK_LE(nearer_vertex(d.point[0], d.point[1], b, counts[kind][1]), parallel + rounding);
    }
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------- */

static v3 moved(v3 x, v3 origin, const double *twist6)
{
    quat turn = so3_exp(v3_load(twist6 + 3));
    return v3_add(v3_add(origin, v3_load(twist6)), q_rotate(turn, v3_sub(x, origin)));
}

static feature_distance moved_distance(int kind, const v3 *a, const v3 *b, const v3 origin[2], const double *twists)
{
    v3 x[3], y[3];
    for (int k = 0; k < 3; ++k) {
        x[k] = moved(a[k], origin[0], twists);
        y[k] = moved(b[k], origin[1], twists + 6);
    }
    return distance_of(kind, x, y);
}

static bool same_region(const feature_distance *a, const feature_distance *b)
{
    bool same = a->slides == b->slides;
    for (int k = 0; same && k < a->slides; ++k) {
        same = a->owner[k] == b->owner[k] && v3_norm(v3_sub(a->slide[k], b->slide[k])) < 0.5 * v3_norm(a->slide[k]);
    }
    return same;
}

/* Central differences along the motions of the header, with the distance function alone. False: a region ends nearby. */
static bool check_derivatives(int kind, const v3 *a, const v3 *b, const v3 origin[2])
{
    const double h = 1e-4;
    feature_distance d = distance_of(kind, a, b);
    v3 arm[2] = { v3_sub(d.point[0], origin[0]), v3_sub(d.point[1], origin[1]) };
    double gradient[TWIST_PAIR], hessian[TWIST_PAIR][TWIST_PAIR];
    feature_distance_gradient(&d, arm, gradient);
    feature_distance_hessian(&d, arm, hessian);
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = i; k < TWIST_PAIR; ++k) {
            double value[2][2];
            for (int corner = 0; corner < 4; ++corner) {
                double twists[TWIST_PAIR] = { 0.0 };
                twists[i] += (corner & 1) ? h : -h;
                twists[k] += (corner & 2) ? h : -h;
                feature_distance other = moved_distance(kind, a, b, origin, twists);
                if (!same_region(&d, &other)) {
                    return false;
                }
                value[corner & 1][corner >> 1] = other.distance;
            }
            double second = (value[1][1] - value[0][1] - value[1][0] + value[0][0]) / (4.0 * h * h);
            CHECK_NEAR(hessian[i][k], second, 2e-4);
            CHECK_NEAR(hessian[k][i], hessian[i][k], 1e-12);
        }
        double twists[TWIST_PAIR] = { 0.0 };
        twists[i] = h;
        double up = moved_distance(kind, a, b, origin, twists).distance;
        twists[i] = -h;
        double down = moved_distance(kind, a, b, origin, twists).distance;
        CHECK_NEAR(gradient[i], (up - down) / (2.0 * h), 1e-5);
    }
    return true;
}

/* Closest points and normal of the moved features, by what the motion says of them and by the distance function. */
static void check_motion(int kind, const v3 *a, const v3 *b, const v3 origin[2])
{
    const double h = 1e-5;
    feature_distance d = distance_of(kind, a, b);
    v3 arm[2] = { v3_sub(d.point[0], origin[0]), v3_sub(d.point[1], origin[1]) };
    feature_motion m;
    feature_distance_motion(&d, arm, &m);
    for (int i = 0; i < TWIST_PAIR; ++i) {
        double twists[TWIST_PAIR] = { 0.0 };
        twists[i] = h;
        feature_distance up = moved_distance(kind, a, b, origin, twists);
        twists[i] = -h;
        feature_distance down = moved_distance(kind, a, b, origin, twists);
        v3 turned = v3_scale(0.5 / h, v3_sub(up.normal, down.normal));
        CHECK_LE(v3_norm(v3_sub(turned, v3_make(m.normal[0][i], m.normal[1][i], m.normal[2][i]))), 1e-6);
        for (int side = 0; side < 2; ++side) {
            v3 change = v3_scale(0.5 / h, v3_sub(up.point[side], down.point[side]));
            v3 with_body = i / 6 != side ? v3_zero()
                           : i % 6 < 3   ? v3_make(i % 6 == 0, i % 6 == 1, i % 6 == 2)
                                         : v3_cross(v3_make(i % 6 == 3, i % 6 == 4, i % 6 == 5), arm[side]);
            for (int k = 0; k < d.slides; ++k) {
                with_body = d.owner[k] == side ? v3_axpy(with_body, m.slide[k][i], d.slide[k]) : with_body;
            }
            CHECK_LE(v3_norm(v3_sub(change, with_body)), 1e-6);
        }
    }
}

TEST(feature_distance, derivatives_agree_with_differences_in_every_region)
{
    test_rng r = test_rng_seed(2);
    int seen[KINDS][3] = { { 0 } };
    for (int n = 0; n < 4000; ++n) {
        int kind = n % KINDS;
        v3 a[3], b[3];
        v3 away = v3_scale(test_rng_uniform(&r, 0.5, 1.5), random_direction(&r));
        v3 origin[2] = { any(&r, 2.0), any(&r, 2.0) };
        for (int k = 0; k < 3; ++k) {
            a[k] = v3_add(away, any(&r, 1.0));
            b[k] = any(&r, 1.0);
        }
        feature_distance d = distance_of(kind, a, b);
        double across = kind == EDGE_EDGE && d.slides == 2 ? v3_norm(v3_cross(d.slide[0], d.slide[1])) : 1.0;
        double area = kind == VERTEX_TRIANGLE ? v3_norm(v3_cross(v3_sub(b[1], b[0]), v3_sub(b[2], b[0]))) : 1.0;
        double length = v3_norm(v3_sub(b[1], b[0]));
        if (d.distance < 0.3 || across < 0.2 || area < 0.2 || length < 0.3) {
            continue; /* differences of a fixed width need a smooth function */
        }
        if (check_derivatives(kind, a, b, origin)) {
            ++seen[kind][d.slides];
            check_motion(kind, a, b, origin);
        }
    }
    CHECK_GE(seen[VERTEX_VERTEX][0], 100);
    CHECK_GE(seen[VERTEX_EDGE][0], 20);
    CHECK_GE(seen[VERTEX_EDGE][1], 20);
    for (int k = 0; k < 3; ++k) {
        CHECK_GE(seen[VERTEX_TRIANGLE][k], 10);
        CHECK_GE(seen[EDGE_EDGE][k], 10);
    }
}

TEST(feature_distance, seen_from_the_other_side_it_is_the_same)
{
    test_rng r = test_rng_seed(3);
    for (int n = 0; n < 1000; ++n) {
        v3 a[2] = { any(&r, 1.0), any(&r, 1.0) };
        v3 b[2] = { any(&r, 1.0), any(&r, 1.0) };
        feature_distance one = edge_edge_distance(a, b);
        feature_distance two = feature_distance_swap(edge_edge_distance(b, a));
        CHECK_NEAR(one.distance, two.distance, 1e-14);
        CHECK_LE(v3_norm(v3_sub(one.point[0], two.point[0])), 1e-9);
        CHECK_LE(v3_norm(v3_sub(one.normal, two.normal)), 1e-9 / one.distance);
    }
}

TEST(feature_distance, a_needle_keeps_its_digits)
{
    const v3 needle[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5, 1e-4, 0 } };
    for (double height = 1e-12; height < 1.0; height *= 10.0) {
        feature_distance d = vertex_triangle_distance(v3_make(0.5, 5e-5, height), needle);
        CHECK_NEAR(d.distance, height, 1e-15 * height);
        CHECK_NEAR(d.normal.z, 1.0, 1e-15);
    }
}

/* Normals and distances by themselves are those of the whole, nearly parallel edges included. */
TEST(feature_distance, parts_of_it_are_the_same)
{
    test_rng r = test_rng_seed(5);
    for (int n = 0; n < 20000; ++n) {
        v3 a[2] = { any(&r, 1.0), any(&r, 1.0) };
        v3 b[3] = { any(&r, 1.0), any(&r, 1.0), any(&r, 1.0) };
        if (n % 3 == 0) {
            b[1] = v3_add(v3_add(b[0], v3_sub(a[1], a[0])), any(&r, exp(test_rng_uniform(&r, -25.0, -2.0))));
        }
        if (n % 17 == 0) {
            a[1] = a[0];
        }
        feature_distance face = vertex_triangle_distance(a[0], b);
        feature_distance edge = edge_edge_distance(a, b);
        CHECK_NEAR(vertex_triangle_apart(a[0], b), face.distance, 1e-15);
        CHECK_NEAR(edge_edge_apart(a, b), edge.distance, 1e-15);
        CHECK_LE(v3_norm(v3_sub(vertex_triangle_normal(a[0], b), face.normal)), 1e-14 / face.distance);
        v3 normal = edge_edge_normal(a, b);
        double parted = fmin(v3_dot(normal, v3_sub(a[0], b[0])), v3_dot(normal, v3_sub(a[1], b[1])));
        parted = fmin(parted, fmin(v3_dot(normal, v3_sub(a[0], b[1])), v3_dot(normal, v3_sub(a[1], b[0]))));
        CHECK_NEAR(v3_norm(normal), 1.0, 1e-15);
        CHECK_NEAR(parted, edge.distance,
                   2e-10 + 1e-14 / edge.distance); /* below a sine of 1e-5 an end is near enough */
    }
}

/* Edges that cross at a gap of 1e-9 of their length: their normal parts all of it. */
TEST(feature_distance, crossing_edges_keep_their_digits)
{
    test_rng r = test_rng_seed(6);
    for (int n = 0; n < 2000; ++n) {
        double gap = exp(test_rng_uniform(&r, -25.0, -5.0)), angle = test_rng_uniform(&r, 0.3, 1.5);
        quat turn = so3_exp(random_v3(&r, 3.0));
        v3 a[2] = { q_rotate(turn, v3_make(-0.7, 0, gap)), q_rotate(turn, v3_make(0.4, 0, gap)) };
        v3 along = { cos(angle), sin(angle), 0 };
        v3 b[2] = { q_rotate(turn, v3_scale(-0.5, along)), q_rotate(turn, v3_scale(0.9, along)) };
        v3 normal = edge_edge_normal(a, b);
        CHECK_LE(v3_norm(v3_sub(normal, q_rotate(turn, v3_make(0, 0, 1)))), 1e-14);
    }
}

/* ---- nearly parallel edges ------------------------------------------------------------------------------------------ */

TEST(edge_mollifier, goes_smoothly_from_zero_to_one)
{
    test_rng r = test_rng_seed(4);
    const double reach = 0.01;
    int inside = 0;
    for (int n = 0; n < 2000; ++n) {
        v3 a[2] = { any(&r, 1.0), any(&r, 1.0) };
        v3 along = v3_sub(a[1], a[0]);
        v3 b[2] = { any(&r, 1.0), v3_zero() };
        if (v3_norm(along) < 0.2) {
            continue;
        }
        b[1] = v3_add(v3_add(b[0], along), any(&r, 0.05));
        edge_mollifier m = edge_mollifier_of(a, b, reach);
        CHECK_GE(m.value, 0.0);
        CHECK_LE(m.value, 1.0);
        const double h = 1e-6;
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < 3; ++k) {
                double value[2], slope[2];
                for (int way = 0; way < 2; ++way) {
                    double twist6[6] = { 0.0 };
                    twist6[3 + k] = way ? h : -h;
                    v3 x[2] = { a[0], a[1] }, y[2] = { b[0], b[1] };
                    v3 *turned = side == 0 ? x : y;
                    turned[1] = moved(turned[1], turned[0], twist6);
                    edge_mollifier other = edge_mollifier_of(x, y, reach);
                    value[way] = other.value;
                    slope[way] = other.first;
                }
                double c_rate = v3_get(m.turn, k) * (side == 0 ? 1.0 : -1.0);
                CHECK_NEAR(m.first * c_rate, (value[1] - value[0]) / (2.0 * h), 2e-3);
                if (m.value < 0.9 && slope[0] > 0.0 && slope[1] > 0.0) {
                    double second = m.second * c_rate;
                    CHECK_NEAR(second, (slope[1] - slope[0]) / (2.0 * h), 1e-4 * fabs(m.second) * v3_norm(m.turn));
                    ++inside;
                }
            }
        }
    }
    CHECK_GE(inside, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(feature_distance, closest_points_are_projections_of_each_other),
        RUN_TEST(feature_distance, derivatives_agree_with_differences_in_every_region),
        RUN_TEST(feature_distance, seen_from_the_other_side_it_is_the_same),
        RUN_TEST(feature_distance, a_needle_keeps_its_digits),
        RUN_TEST(feature_distance, parts_of_it_are_the_same),
        RUN_TEST(feature_distance, crossing_edges_keep_their_digits),
        RUN_TEST(edge_mollifier, goes_smoothly_from_zero_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
