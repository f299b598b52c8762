/* Outlines of many corners: the list is what comparing every corner with every side and corner gives, in their plane.
 *
 * The oracle works with two coordinates per point and knows nothing of trees or poses. Where one of its conditions is
 * within rounding of its limit it has no opinion. */
#include "gap_rigs.h"

enum { MOST_CORNERS = 150 };

typedef struct star {
    int count;
    double size; /* [m] */
    double xy[MOST_CORNERS][2];
    carom_polygon_point points[MOST_CORNERS];
    collider *collider;
    double place[MOST_CORNERS][2]; /* [m] corners in the world */
    double height;                 /* [m] of its plane over the world's */
} star;

static const double THICKNESS = 0.1; /* of the size */

/* Counter-clockwise around the origin, with reflex corners. */
static void make_star(star *s, test_rng *rng, int count, double scale)
{
    double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * TEST_PI * (i + test_rng_uniform(rng, 0.0, 0.6)) / count;
        double r = scale * test_rng_uniform(rng, 0.7, 1.0);
        s->xy[i][0] = r * cos(angle);
        s->xy[i][1] = r * sin(angle);
        s->points[i].at = (carom_reals){ 2, s->xy[i] };
        for (int k = 0; k < 2; ++k) {
            low[k] = fmin(low[k], s->xy[i][k]);
            high[k] = fmax(high[k], s->xy[i][k]);
        }
    }
    carom_polygon_def def = { { (size_t)count, s->points }, THICKNESS * scale };
    s->count = count;
    s->size = fmax(high[0] - low[0], high[1] - low[1]);
    s->collider = make_faceted("polygon", &def, NULL);
}

static carom_pose put_star(star *s, double x, double y, double z, double angle)
{
    for (int i = 0; i < s->count; ++i) {
        s->place[i][0] = x + cos(angle) * s->xy[i][0] - sin(angle) * s->xy[i][1];
        s->place[i][1] = y + sin(angle) * s->xy[i][0] + cos(angle) * s->xy[i][1];
    }
    s->height = z;
    return (carom_pose){ { x, y, z }, q_axis_angle(v3_make(0, 0, 1), angle) };
}

/* ---- oracle ------------------------------------------------------------------------------------------------------------ */

typedef struct limits {
    double margin, depth, touch, size;
    double rounding; /* [m] */
} limits;

/* Unit vectors to the next corner and to the one before. */
static void spokes_of(const star *s, int i, double out[2][2])
{
    for (int k = 0; k < 2; ++k) {
        const double *to = s->place[(i + (k == 0 ? 1 : s->count - 1)) % s->count];
        double x = to[0] - s->place[i][0], y = to[1] - s->place[i][1];
        out[k][0] = x / hypot(x, y);
        out[k][1] = y / hypot(x, y);
    }
}

static double convexity(const star *s, int i)
{
    double e[2][2];
    spokes_of(s, i, e);
    return e[0][0] * e[1][1] - e[0][1] * e[1][0] - 1e-9;
}

/* By how much [m] all conditions hold for corner i of a at side j of b. */
static double corner_side(const star *a, int i, const star *b, int j, const limits *l)
{
    const double *p = a->place[i], *q = b->place[j], *r = b->place[(j + 1) % b->count];
    double length = hypot(r[0] - q[0], r[1] - q[1]);
    double d[2] = { (r[0] - q[0]) / length, (r[1] - q[1]) / length };
    double along = (p[0] - q[0]) * d[0] + (p[1] - q[1]) * d[1];
    double gap = (p[0] - q[0]) * d[1] - (p[1] - q[1]) * d[0];
    double holds = fmin(fmin(along, length - along) + l->touch, fmin(l->margin - gap, gap + l->depth));
    double e[2][2], own = HUGE_VAL;
    spokes_of(a, i, e);
    for (int k = 0; k < 2; ++k) {
        own = fmin(own, l->size * (e[k][0] * d[1] - e[k][1] * d[0]));
    }
    return fmin(holds, fmax(gap - l->touch, own + 1e-6 * l->size));
}

static double corner_corner(const star *a, int i, const star *b, int j, const limits *l)
{
    double away[2] = { a->place[i][0] - b->place[j][0], a->place[i][1] - b->place[j][1] };
    double gap = hypot(hypot(away[0], away[1]), a->height - b->height);
    double e[2][2], f[2][2], cone = HUGE_VAL;
    spokes_of(a, i, e);
    spokes_of(b, j, f);
    for (int k = 0; k < 2; ++k) {
        cone = fmin(cone, e[k][0] * away[0] + e[k][1] * away[1]);
        cone = fmin(cone, -f[k][0] * away[0] - f[k][1] * away[1]);
    }
    return fmin(fmin(gap - l->touch, l->margin - gap), cone + l->touch * gap);
}

/* ---- comparison -------------------------------------------------------------------------------------------------------- */

static const gap_feature *listed(const gap_list *list, gap_kind kind, int on, int i, int j)
{
    const gap_feature *found = NULL;
    for (size_t k = 0; k < list->count; ++k) {
        const gap_feature *f = &list->items[k];
        bool same = f->kind == kind && f->swapped == (on == 1);
        if (same && (f->feature[on] & 0xffffff) == (unsigned)i && (f->feature[1 - on] & 0xffffff) == (unsigned)j) {
            found = f;
        }
    }
    return found;
}

typedef struct tally {
    size_t found, unsure, absent;
} tally;

static void compare(const gap_list *list, gap_kind kind, int on, int i, int j, double holds, double rounding,
                    tally *t)
{
    bool is_listed = holds >= -rounding &&
                     listed(list, kind, on, i, j); /* what else is listed is seen by its number */
    if (fabs(holds) <= rounding) {
        t->unsure += is_listed;
        return;
    }
    if (is_listed != (holds > 0.0)) {
        fail_msg("kind %d on %d, %d and %d: holds by %g, listed %d", (int)kind, on, i, j, holds, is_listed);
    }
    t->found += holds > 0.0;
    t->absent += holds < 0.0;
}

static tally compare_all(const gap_list *list, const star s[2], const limits *l)
{
    tally t = { 0 };
    for (int on = 0; on < 2; ++on) {
        const star *a = &s[on], *b = &s[1 - on];
        for (int i = 0; i < a->count; ++i) {
            double convex = l->size * convexity(a, i);
            for (int j = 0; j < b->count; ++j) {
                double holds = fmin(convex, corner_side(a, i, b, j, l));
                compare(list, GAP_POINT_PLANE, on, i, j, holds, l->rounding, &t);
                if (on == 0) {
                    holds = fmin(fmin(convex, l->size * convexity(b, j)), corner_corner(a, i, b, j, l));
                    compare(list, GAP_POINT_POINT, 0, i, j, holds, l->rounding, &t);
                }
            }
        }
    }
    CHECK_EQ(t.found + t.unsure, list->count); /* no feature is listed twice, none is unknown */
    return t;
}

/* Some corner of A is about `gap` over the middle of some side of B, in a common plane or one a little aside. */
static void place_near(star s[2], test_rng *rng, double gap, carom_pose pose[2])
{
    double angle = test_rng_uniform(rng, -3, 3);
    double z = 0.4 * THICKNESS * (s[0].size + s[1].size) * 0.5 * test_rng_uniform(rng, -1, 1);
    pose[1] = put_star(&s[1], test_rng_uniform(rng, -2, 2), test_rng_uniform(rng, -2, 2), 0.0,
                       test_rng_uniform(rng, -3, 3));
    int i = (int)test_rng_uniform(rng, 0, s[0].count - 1e-9), j = (int)test_rng_uniform(rng, 0, s[1].count - 1e-9);
    const double *q = s[1].place[j], *r = s[1].place[(j + 1) % s[1].count];
    double share = test_rng_uniform(rng, 0, 1);
    double length = hypot(r[0] - q[0], r[1] - q[1]);
    put_star(&s[0], 0.0, 0.0, z, angle);
    double x = q[0] + share * (r[0] - q[0]) + gap * (r[1] - q[1]) / length - s[0].place[i][0];
    double y = q[1] + share * (r[1] - q[1]) - gap * (r[0] - q[0]) / length - s[0].place[i][1];
    pose[0] = put_star(&s[0], x, y, z, angle);
}

static limits limits_of(const star s[2], double margin)
{
    double size = fmin(s[0].size, s[1].size);
    return (limits){ .margin = margin,
                     .depth = 1e-3 * size,
                     .touch = 1e-9 * size,
                     .size = size,
                     .rounding = 1e-13 * (10.0 + s[0].size + s[1].size) };
}

TEST(gap_planar_search, lists_what_comparing_all_with_all_gives)
{
    static star s[2];
    tally sum = { 0 };
    gap_list list = { 0 };
    FOR_EACH_SEED(rng, 40) {
        make_star(&s[0], &rng, 3 + (int)test_rng_uniform(&rng, 0, MOST_CORNERS - 3), 1.0);
        make_star(&s[1], &rng, 3 + (int)test_rng_uniform(&rng, 0, MOST_CORNERS - 3),
                  pow(10.0, test_rng_uniform(&rng, -2, 0.5)));
        gap_pair pair = pair_of(s[0].collider, s[1].collider);
        for (int k = 0; k < 6; ++k) {
            static const double shares[] = { 0.0, 1e-6, 1e-4, 1e-2, 0.3, 1e6 };
            double size = fmin(s[0].size, s[1].size);
            double margin = shares[k] * size;
            carom_pose pose[2];
            place_near(s, &rng, fmin(margin, size) * test_rng_uniform(&rng, -0.5, 1.0), pose);
            CHECK(gap_find(&list, &pair, pose, margin));
            limits l = limits_of(s, margin);
            tally t = compare_all(&list, s, &l);
            sum.found += t.found;
            sum.absent += t.absent;
            sum.unsure += t.unsure;
        }
        collider_destroy(s[0].collider);
        collider_destroy(s[1].collider);
    }
    CHECK(sum.found > 2000 && sum.absent > 1000000);
    CHECK(sum.unsure < sum.found / 100);
    gap_list_free(&list);
}

static bool same_vector(v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_same(const gap_feature *a, const gap_feature *b)
{
    CHECK(a && b);
    CHECK(a->mode == b->mode && a->side == b->side && a->radius == b->radius);
    for (int k = 0; k < 2; ++k) {
        CHECK_EQ(a->feature[k], b->feature[k]);
        CHECK(same_vector(a->c_c[k], b->c_c[k]) && same_vector(a->d_c[k], b->d_c[k]));
    }
}

/* A smaller margin leaves out what is farther and changes nothing else, order included. */
TEST(gap_planar_search, smaller_margins_give_parts_of_the_list)
{
    static star s[2];
    gap_list all = { 0 }, part = { 0 };
    FOR_EACH_SEED(rng, 200) {
        make_star(&s[0], &rng, 3 + (int)test_rng_uniform(&rng, 0, MOST_CORNERS - 3), 1.0);
        make_star(&s[1], &rng, 3 + (int)test_rng_uniform(&rng, 0, MOST_CORNERS - 3), 1.4);
        gap_pair pair = pair_of(s[0].collider, s[1].collider);
        carom_pose pose[2];
        double margin = pow(10.0, test_rng_uniform(&rng, -5, 0));
        place_near(s, &rng, margin * test_rng_uniform(&rng, 0.0, 1.0), pose);
        CHECK(gap_find(&all, &pair, pose, HUGE_VAL));
        CHECK(gap_find(&part, &pair, pose, margin));
        size_t next = 0;
        for (size_t i = 0; i < all.count; ++i) {
            double gap = measure_at(&all.items[i], pose).gap;
            if (gap < margin - 1e-12) {
                check_same(&all.items[i], next < part.count ? &part.items[next] : NULL);
            }
            next += gap < margin - 1e-12;
        }
        CHECK_EQ(next, part.count);
        collider_destroy(s[0].collider);
        collider_destroy(s[1].collider);
    }
    gap_list_free(&all);
    gap_list_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap_planar_search, lists_what_comparing_all_with_all_gives),
        RUN_TEST(gap_planar_search, smaller_margins_give_parts_of_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
