/* Collision detection along screws against an oracle that shares no code with it: along the time that a query or a sweep allows,
 * samples of the distance in long double certify intervals without collision. A point moves with constant speed along a
 * screw, so that a distance d that closes with speed s at most is positive for d / s after the sample. */
#include "collision/surface_pair.h"

#include <math.h>
#include <stdlib.h>

#include "../unit/collision/surfaces.h"

typedef long double real;

typedef struct vec {
    real x, y, z;
} vec;

static vec vec_of(v3 a)
{
    return (vec){ a.x, a.y, a.z };
}

static vec plus(vec a, real s, vec b)
{
    return (vec){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/* Where a point of a body is at t: the solution of x' = v + w x (x - c) by the axis of the screw. */
static vec screwed(vec x, vec c, vec v, vec w, real t)
{
    real a2 = dot(w, w);
    if (a2 == 0) {
        return plus(x, t, v);
    }
    real a = sqrtl(a2);
    vec axis_point = plus(c, 1 / a2, cross(w, v));
    real pitch = dot(w, v) / a2;
    vec r = plus(x, -1, axis_point);
    vec along = plus((vec){ 0, 0, 0 }, dot(w, r) / a2, w);
    vec across = plus(r, -1, along);
    vec turned = plus(plus(along, cosl(a * t), across), sinl(a * t) / a, cross(w, across));
    return plus(plus(axis_point, 1, turned), t * pitch, w);
}

/* ---- distances by trying all that they may be --------------------------------------------------------------------------- */

static real length(vec a)
{
    return sqrtl(dot(a, a));
}

static real point_segment(vec p, vec a, vec b)
{
    vec e = plus(b, -1, a);
    real s = dot(e, e) > 0 ? dot(plus(p, -1, a), e) / dot(e, e) : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return length(plus(plus(p, -1, a), -s, e));
}

static real point_triangle(vec p, const vec *t)
{
    real best = fminl(point_segment(p, t[0], t[1]),
                      fminl(point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])));
    vec n = cross(plus(t[1], -1, t[0]), plus(t[2], -1, t[0]));
    bool inside = dot(n, n) > 0;
    for (int k = 0; inside && k < 3; ++k) {
        inside = dot(n, cross(plus(t[(k + 1) % 3], -1, t[k]), plus(p, -1, t[k]))) >= 0;
    }
    return inside ? fminl(best, fabsl(dot(n, plus(p, -1, t[0]))) / length(n)) : best;
}

static real segment_segment(const vec *a, const vec *b)
{
    real best = fminl(fminl(point_segment(a[0], b[0], b[1]), point_segment(a[1], b[0], b[1])),
                      fminl(point_segment(b[0], a[0], a[1]), point_segment(b[1], a[0], a[1])));
    vec u = plus(a[1], -1, a[0]), v = plus(b[1], -1, b[0]), r = plus(b[0], -1, a[0]), n = cross(u, v);
    real n2 = dot(n, n);
    if (n2 > 0) {
        real s = dot(cross(r, v), n) / n2, t = dot(cross(r, u), n) / n2;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            best = fminl(best, fabsl(dot(r, n)) / sqrtl(n2));
        }
    }
    return best;
}

/* A plane is two points: one of it, and one a unit above it. */
static real point_plane(vec p, const vec *plane)
{
    return dot(plus(plane[1], -1, plane[0]), plus(p, -1, plane[0]));
}

static real distance_of(int kind_a, const vec *a, int kind_b, const vec *b)
{
    switch (4 * kind_a + kind_b) {
    case 4 * 1 + 0:
        return point_plane(a[0], b);
    case 4 * 0 + 1:
        return point_plane(b[0], a);
    case 4 * 1 + 1:
        return length(plus(a[0], -1, b[0]));
    case 4 * 1 + 2:
        return point_segment(a[0], b[0], b[1]);
    case 4 * 2 + 1:
        return point_segment(b[0], a[0], a[1]);
    case 4 * 1 + 3:
        return point_triangle(a[0], b);
    case 4 * 3 + 1:
        return point_triangle(b[0], a);
    default:
        return segment_segment(a, b);
    }
}

/* ---- motion --------------------------------------------------------------------------------------------------------------- */

typedef struct mover {
    vec x[3]; /* at the start */
    int count, kind;
    vec c, v, w;
} mover;

static mover mover_of(const surface_place *p, int kind, int index)
{
    int corner[3];
    mover m = { .count = surface_corners(p->surface, kind, index, corner),
                .kind = kind,
                .c = vec_of(p->x_w),
                .v = vec_of(p->d_w.v),
                .w = vec_of(p->d_w.w) };
    m.count = kind == SURFACE_PLANE ? 2 : m.count;
    for (int k = 0; k < m.count; ++k) {
        vec plane = k == 0 ? (vec){ 0, 0, 0 } : vec_of(p->surface->normal);
        vec r = kind == SURFACE_PLANE ? plane : vec_of(p->surface->vertices[corner[k]]);
        const double *R = p->R_w.m;
        m.x[k] = plus(m.c, 1,
                      (vec){ R[0] * r.x + R[1] * r.y + R[2] * r.z, R[3] * r.x + R[4] * r.y + R[5] * r.z,
                             R[6] * r.x + R[7] * r.y + R[8] * r.z });
    }
    return m;
}

static real fastest(const mover *m)
{
    real most = 0;
    for (int k = 0; k < m->count; ++k) {
        most = fmaxl(most, length(plus(m->v, 1, cross(m->w, plus(m->x[k], -1, m->c)))));
    }
    return most;
}

static real distance_at(const mover *a, const mover *b, real t)
{
    vec x[3], y[3];
    for (int k = 0; k < a->count; ++k) {
        x[k] = screwed(a->x[k], a->c, a->v, a->w, t);
    }
    for (int k = 0; k < b->count; ++k) {
        y[k] = screwed(b->x[k], b->c, b->v, b->w, t);
    }
    return distance_of(a->kind, x, b->kind, y);
}

typedef enum verdict { CLEAR, COLLIDES, UNDECIDED } verdict;

/* Whether two features keep more than `offset` apart during [0, until]. Speeds of corners bound those of all points. */
static verdict judge(const mover *a, const mover *b, real offset, real until)
{
    enum { MOST = 100000 };
    real speed = fastest(a) + fastest(b);
    const mover *plane = a->kind == SURFACE_PLANE ? a : b->kind == SURFACE_PLANE ? b : NULL;
    if (plane) { /* below the vertex the plane moves as its body does there */
        const mover *other = plane == a ? b : a;
        real lever = length(plus(other->x[0], -1, plane->c)) + fastest(other);
        speed = fastest(other) + length(plane->v) + length(plane->w) * lever;
    }
    real t = 0;
    for (int k = 0; k < MOST; ++k) {
        real gap = distance_at(a, b, t) - offset;
        if (!(gap > 0)) {
            return COLLIDES;
        }
        if (t >= until) {
            return CLEAR;
        }
        t = speed > 0 ? fminl(until, t + 0.95L * gap / speed) : until;
    }
    return UNDECIDED;
}

/* ---- single queries ------------------------------------------------------------------------------------------------------- */

static surface *one_feature(int kind, const v3 *corners, double rounding)
{
    static const int edge[1][2] = { { 0, 1 } };
    carom_error err = { 0 };
    surface *s = NULL;
    if (kind == SURFACE_PLANE) {
        CHECK_OK(surface_create_half_space(&s, v3_unit(corners[0]), &err), err);
        return s;
    }
    mesh *m = kind == SURFACE_TRIANGLE ? mesh_create(3, 1) : NULL;
    surface_part part = {
        .mesh = m, .vertex_count = kind, .vertices = corners, .edge_count = kind - 1, .edges = edge
    };
    part.rounding = rounding;
    part.pose_c.orientation = q_identity();
    for (int k = 0; m && k < 3; ++k) {
        m->vertices[k] = corners[k];
        m->triangles[0][k] = k;
    }
    CHECK_OK(surface_create(&s, &part, 1, &err), err);
    mesh_destroy(m);
    return s;
}

/* Moves A along the normal until it is at the distance that is wanted, and, for half of them, lets the closest point of A go
 * towards B. */
static void bring_near(surface_place *a, const surface_place *b, const feature_pair *pair, double wanted, bool aims)
{
    surface_pair both = surface_pair_of(a, b);
    feature_distance d = surface_pair_distance(&both, pair);
    d.normal = m3_mulv(b->R_w, d.normal);
    d.point[0] = v3_add(b->x_w, m3_mulv(b->R_w, d.point[0]));
    if (pair->kind[0] == SURFACE_PLANE || pair->kind[1] == SURFACE_PLANE) { /* not below it */
        int side = pair->kind[0] == SURFACE_PLANE ? 0 : 1;
        const surface_place *p = side == 0 ? a : b;
        v3 up = m3_mulv(p->R_w, p->surface->normal);
        up = side == 1 ? up : v3_neg(up);
        d.distance = v3_dot(up, d.normal) < 0.0 ? -d.distance : d.distance;
        d.normal = up;
    }
    if (aims) {
        v3 turning = v3_cross(a->d_w.w, v3_sub(d.point[0], a->x_w));
        a->d_w.v = v3_sub(v3_scale(-v3_norm(a->d_w.v), d.normal), turning);
    }
    a->x_w = v3_axpy(a->x_w, wanted - d.distance, d.normal);
}

/* Moves A towards the origin of B as long as it comes nearer, and no nearer than is wanted. */
static void approach(surface_place *a, const surface_place *b, const feature_pair *pair, double wanted)
{
    v3 from = a->x_w;
    v3 way = v3_sub(b->x_w, a->x_w);
    double low = 0.0, high = 1.0;
    surface_pair both = surface_pair_of(a, b);
    double best = surface_pair_distance(&both, pair).distance;
    for (int k = 0; k < 60 && best > wanted; ++k) {
        double middle = 0.5 * (low + high);
        a->x_w = v3_axpy(from, middle, way);
        both = surface_pair_of(a, b);
        double distance = surface_pair_distance(&both, pair).distance;
        bool nearer = distance > wanted && distance < best;
        best = nearer ? distance : best;
        low = nearer ? middle : low;
        high = nearer ? high : middle;
    }
    a->x_w = v3_axpy(from, low, way);
}

static const int pair_kinds[][2] = { { 1, 3 }, { 3, 1 }, { 2, 2 }, { 2, 2 }, { 1, 2 },
                                     { 2, 1 }, { 1, 1 }, { 1, 0 }, { 0, 1 } };

typedef struct tally {
    long queries, stopped, wrong, undecided;
    long parted; /* another answer when A and B are exchanged */
    sweep_counts counts;
    double kept; /* sum of gaps at the end by gaps at the start, of motions that were stopped */
} tally;

/* Two features, where they stand and how they move. */
typedef struct trial {
    int kinds[2];
    double size, rounding, separation, range;
    double wanted; /* [m] gap to begin with */
    bool straight; /* A is moved towards B, as far as that leads; else along the normal until it is there */
    bool aims;
    v3 corners[2][3];
    surface_place place[2];
} trial;

/* Needles, triangles that are lines or points, edges without length. */
static void spoil(test_rng *r, v3 corners[3], long n)
{
    if (n % 17 == 0) {
        v3 on = v3_axpy(corners[0], test_rng_uniform(r, 0.0, 1.0), v3_sub(corners[1], corners[0]));
        corners[2] = v3_add(on, random_v3(r, n % 34 == 0 ? 0.0 : exp(test_rng_uniform(r, -28.0, -7.0))));
    }
    if (n % 19 == 0) {
        corners[1] = corners[0];
    }
}

/* Every kind of pair, sizes of 1e-2 to 1, gaps of 1e-6 to 1 of them, turns of 1e-4 to 3; with roundings, far from the origin of
 * the body, nearly parallel, degenerate, one at rest, and a million sizes from the origin of the world. */
static trial hard_trial(test_rng *r, long n)
{
    const int *kinds = pair_kinds[n % (long)(sizeof pair_kinds / sizeof *pair_kinds)];
    trial t = { .kinds = { kinds[0], kinds[1] }, .size = exp(test_rng_uniform(r, -4.6, 0.0)), .aims = n % 2 == 0 };
    double size = t.size;
    t.rounding = n % 5 == 0 || (kinds[0] == 1 && kinds[1] == 1) ? 0.1 * size : 0.0;
    for (int i = 0; i < 2; ++i) {
        v3 off = random_v3(r, n & 8 ? 5.0 * size : 0.1 * size);
        t.place[i] = any_place(r, NULL, size, size * exp(test_rng_uniform(r, -7.0, 0.5)),
                               exp(test_rng_uniform(r, -9.0, 1.1)));
        for (int k = 0; k < 3; ++k) {
            t.corners[i][k] = v3_add(off, random_v3(r, n & 4 ? 3.0 * size : size));
        }
        spoil(r, t.corners[i], n + i);
    }
    if (n % 3 == 0) { /* nearly parallel */
        v3 along = m3_mulv(t.place[0].R_w, v3_sub(t.corners[0][1], t.corners[0][0]));
        v3 other = v3_add(along, random_v3(r, size * exp(test_rng_uniform(r, -23.0, -2.0))));
        t.corners[1][1] = v3_add(t.corners[1][0], m3_tmulv(t.place[1].R_w, other));
    }
    if (n % 11 == 0) {
        t.place[1].d_w = twist_zero();
    }
    if (n % 13 == 0) {
        v3 far = v3_scale(1e6 * size, random_direction(r));
        t.place[0].x_w = v3_add(t.place[0].x_w, far);
        t.place[1].x_w = v3_add(t.place[1].x_w, far);
    }
    t.separation = n % 7 == 0 ? 0.03 * size : 0.0;
    t.wanted = size * exp(test_rng_uniform(r, -14.0, 0.0));
    t.range = size * exp(test_rng_uniform(r, -9.0, -1.0));
    return t;
}

/* Vertices, faces and edges at random gaps in random motion, every fourth pair with parallel edges; one range for all. */
static trial plain_trial(test_rng *r, long n)
{
    const int *kinds = pair_kinds[n % 3];
    trial t = {
        .kinds = { kinds[0], kinds[1] }, .size = exp(test_rng_uniform(r, -4.6, 0.0)), .range = 1e-3, .straight = true
    };
    for (int i = 0; i < 2; ++i) {
        v3 off = n & 8 ? random_v3(r, 5.0 * t.size) : v3_zero();
        t.place[i] = any_place(r, NULL, 0.0, 0.0, 0.0);
        t.place[i].x_w = random_v3(r, t.size);
        t.place[i].d_w.v = random_v3(r, t.size * exp(test_rng_uniform(r, -6.9, 0.0)));
        t.place[i].d_w.w = random_v3(r, exp(test_rng_uniform(r, -8.06, 1.15)));
        for (int k = 0; k < 3; ++k) {
            t.corners[i][k] = v3_add(off, v3_add(random_v3(r, t.size), random_v3(r, n & 4 ? 3.0 * t.size : 0.0)));
        }
    }
    if ((n & 48) == 48) {
        v3 along = m3_mulv(t.place[0].R_w, v3_sub(t.corners[0][1], t.corners[0][0]));
        v3 other = v3_add(along, random_v3(r, 1e-9 * t.size));
        t.corners[1][1] = v3_add(t.corners[1][0], m3_tmulv(t.place[1].R_w, other));
    }
    t.wanted = t.size * exp(test_rng_uniform(r, -13.8, 0.0));
    return t;
}

static void try_query(trial *t, tally *sum)
{
    surface *s[2];
    const int *kinds = t->kinds;
    for (int i = 0; i < 2; ++i) {
        s[i] = one_feature(kinds[i], t->corners[i], kinds[i] == 3 || kinds[i] == 0 ? 0.0 : t->rounding);
        t->place[i].surface = s[i];
    }
    feature_pair pair = { .kind = { (uint8_t)kinds[0], (uint8_t)kinds[1] } };
    double roundings = feature_pair_rounding(s[0], s[1], &pair);
    sweep_limits limits = { .separation = t->separation, .range = t->range };
    if (t->straight) {
        approach(&t->place[0], &t->place[1], &pair, t->wanted);
    } else {
        bring_near(&t->place[0], &t->place[1], &pair, roundings + t->separation + t->wanted, t->aims);
    }
    surface_pair both = surface_pair_of(&t->place[0], &t->place[1]);
    mover a = mover_of(&t->place[0], kinds[0], 0), b = mover_of(&t->place[1], kinds[1], 0);
    real start = distance_at(&a, &b, 0) - roundings - t->separation;
    double until = surface_pair_query(&both, &pair, &limits, 1.0, &sum->counts);
    verdict v = start > 0 ? judge(&a, &b, roundings + t->separation, until) : until == 0.0 ? CLEAR : COLLIDES;
    ++sum->queries;
    sum->wrong += v == COLLIDES;
    sum->undecided += v == UNDECIDED;
    if (start > 0 && until < 1.0) {
        ++sum->stopped;
        sum->kept += (double)((distance_at(&a, &b, until) - roundings - t->separation) / start);
    }
    surface_destroy(s[0]);
    surface_destroy(s[1]);
}

static const double MOST_PARTED = 1e-3; /* of all queries: those that end within rounding of their limit */

/* Which of two is A decides nothing: how far they may go, and the factor of what acts between them. False where a query took another
 * number of parts: it ends when the gap has fallen to a limit, and at that limit rounding decides whether one more part is taken. */
static bool is_same_swapped(const surface_place place[2], const feature_pair *f, const sweep_limits *limits)
{
    static const double PART =
        1e-7; /* of the motion: across a gap of 1e-6 sizes normals are known to 1e-9 rad, in each of many parts */
    static const double FACTOR =
        1e-6; /* across a gap of 1e-6 sizes a normal is known to 1e-9 rad; factors rise within 1e-3 rad */
    sweep_counts counts = { 0 };
    feature_pair g = { { f->kind[1], f->kind[0] }, { f->index[1], f->index[0] } };
    surface_pair one = surface_pair_of(&place[0], &place[1]);
    surface_pair other = surface_pair_of(&place[1], &place[0]);
    double until = surface_pair_query(&one, f, limits, 1.0, &counts);
    CHECK_NEAR(surface_pair_mollifier(&one, f, limits->range).value,
               surface_pair_mollifier(&other, &g, limits->range).value, FACTOR);
    return fabs(until - surface_pair_query(&other, &g, limits, 1.0, &counts)) <= PART;
}

static void check_queries(trial (*make)(test_rng *, long), double most_evaluations)
{
    long count = getenv("CAROM_SWEEP_QUERIES") ? atol(getenv("CAROM_SWEEP_QUERIES")) : 20000;
    test_rng r = test_rng_seed(7);
    tally sum = { 0 };
    for (long n = 0; n < count; ++n) {
        trial t = make(&r, n);
        try_query(&t, &sum);
    }
    print_message(
        "%ld queries: %ld missed a collision, %ld undecided, %ld stopped with %.2f of their gap on average; %.2f "
        "evaluations each, %ld were cut short\n",
        sum.queries, sum.wrong, sum.undecided, sum.stopped, sum.kept / (double)sum.stopped,
        (double)sum.counts.evaluations / (double)sum.queries, sum.counts.cut_short);
    CHECK_EQ(sum.wrong, 0);
    CHECK_LE((double)sum.counts.cut_short, 1e-4 * (double)sum.queries);
    CHECK_LE((double)sum.undecided, 1e-3 * (double)sum.queries);
    CHECK_GE((double)sum.stopped, 0.01 * (double)sum.queries);
    CHECK_LE((double)sum.counts.evaluations, most_evaluations * (double)sum.queries);
}

TEST(sweep, queries_never_miss_a_collision)
{
    check_queries(plain_trial, 1.5);
}

TEST(sweep, hard_queries_never_miss_a_collision)
{
    check_queries(hard_trial, 2.2);
}

TEST(sweep, which_feature_comes_first_does_not_matter)
{
    enum { COUNT = 3000, KINDS = 7 };
    int parted = 0;
    test_rng r = test_rng_seed(31);
    for (long n = 0; n < COUNT; ++n) {
        double size = exp(test_rng_uniform(&r, -4.6, 0.0));
        feature_pair pair = { .kind = { (uint8_t)pair_kinds[n % KINDS][0], (uint8_t)pair_kinds[n % KINDS][1] } };
        surface_place place[2];
        surface *s[2];
        for (int i = 0; i < 2; ++i) {
            v3 corners[3] = { random_v3(&r, size), random_v3(&r, size), random_v3(&r, size) };
            s[i] = one_feature(pair.kind[i], corners, pair.kind[i] == SURFACE_VERTEX ? 0.1 * size : 0.0);
            place[i] = any_place(&r, s[i], size, size * exp(test_rng_uniform(&r, -7.0, 0.5)),
                                 exp(test_rng_uniform(&r, -9.0, 1.1)));
        }
        double roundings = feature_pair_rounding(s[0], s[1], &pair);
        bring_near(&place[0], &place[1], &pair, roundings + size * exp(test_rng_uniform(&r, -9.0, 0.0)), n % 2 == 0);
        sweep_limits limits = { .range = size * exp(test_rng_uniform(&r, -9.0, -1.0)) };
        parted += !is_same_swapped(place, &pair, &limits);
        surface_destroy(s[0]);
        surface_destroy(s[1]);
    }
    CHECK_LE((double)parted, MOST_PARTED * COUNT);
}

/* ---- rims ----------------------------------------------------------------------------------------------------------------- */

static surface *any_cylinder(test_rng *r, double size)
{
    carom_cylinder_def def = { .radius = size * test_rng_uniform(r, 0.1, 1.0),
                               .length = size * test_rng_uniform(r, 0.1, 2.0) };
    carom_error err = { 0 };
    surface *s = NULL;
    CHECK_OK(surface_of_shape(&s, carom_shape_type_find("cylinder"), &def, NULL, &err), err);
    CHECK_EQ(s->rim_count, 2);
    return s;
}

/* Points of a body, in long double. */
static vec placed_at(const surface_place *p, v3 r, real t)
{
    const double *R = p->R_w.m;
    vec x = { R[0] * r.x + R[1] * r.y + R[2] * r.z, R[3] * r.x + R[4] * r.y + R[5] * r.z,
              R[6] * r.x + R[7] * r.y + R[8] * r.z };
    vec c = vec_of(p->x_w);
    return screwed(plus(c, 1, x), c, vec_of(p->d_w.v), vec_of(p->d_w.w), t);
}

/* Height of the lowest point of a rim above the plane. */
static real rim_height_at(const surface_place *solid, int rim, const surface_place *plane, real t)
{
    const shape_rim *c = &solid->surface->rims[rim];
    vec center = placed_at(solid, c->center, t);
    vec axis = plus(placed_at(solid, v3_add(c->center, c->axis), t), -1, center);
    vec origin = placed_at(plane, v3_zero(), t);
    vec normal = plus(placed_at(plane, plane->surface->normal, t), -1, origin);
    return dot(normal, plus(center, -1, origin)) - (real)c->radius * length(cross(axis, normal));
}

static verdict judge_rim(const surface_place *solid, int rim, const surface_place *plane, real offset, real until)
{
    enum { MOST = 100000 };
    const surface *s = solid->surface;
    real way = v3_norm(solid->d_w.v) + v3_norm(solid->d_w.w) * s->radius;
    real lever = v3_norm(v3_sub(solid->x_w, plane->x_w)) + s->radius + way;
    real speed = way + v3_norm(plane->d_w.v) + v3_norm(plane->d_w.w) * lever;
    real t = 0;
    for (int k = 0; k < MOST; ++k) {
        real gap = rim_height_at(solid, rim, plane, t) - offset;
        if (!(gap > 0)) {
            return COLLIDES;
        }
        if (t >= until) {
            return CLEAR;
        }
        t = speed > 0 ? fminl(until, t + 0.95L * gap / speed) : until;
    }
    return UNDECIDED;
}

static void try_rim(test_rng *r, long n, tally *sum)
{
    double size = exp(test_rng_uniform(r, -4.6, 0.0));
    double way = size * exp(test_rng_uniform(r, -7.0, 0.0));
    double turn = exp(test_rng_uniform(r, -9.0, 0.5));
    carom_error err = { 0 };
    surface *solid = any_cylinder(r, size), *ground = NULL;
    CHECK_OK(surface_create_half_space(&ground, random_direction(r), &err), err);
    surface_place a = any_place(r, solid, size, way, turn);
    surface_place b = any_place(r, ground, size, n % 3 == 0 ? way : 0.0, n % 3 == 0 ? turn : 0.0);
    v3 up = m3_mulv(b.R_w, ground->normal);
    if (n % 4 == 0) { /* nearly or quite upright */
        v3 axis = n % 8 == 0 ? ground->normal : v3_unit(v3_add(ground->normal, random_v3(r, 1e-3)));
        v3 x = v3_across(axis);
        a.R_w = m3_mul(b.R_w, m3_from_columns(x, v3_cross(axis, x), axis));
    }
    if (n % 4 == 1) { /* turns about its own axis */
        a.d_w.w = v3_scale(turn, m3_column(a.R_w, 2));
    }
    real lowest = fminl(rim_height_at(&a, 0, &b, 0), rim_height_at(&a, 1, &b, 0));
    double separation = n % 7 == 0 ? 0.03 * size : 0.0;
    a.x_w = v3_axpy(a.x_w, separation + size * exp(test_rng_uniform(r, -14.0, 0.0)) - (double)lowest, up);
    bool swapped = n % 2 == 0;
    surface_pair both = swapped ? surface_pair_of(&b, &a) : surface_pair_of(&a, &b);
    sweep_limits limits = { .separation = separation, .range = size * exp(test_rng_uniform(r, -9.0, -1.0)) };
    for (int rim = 0; rim < 2; ++rim) {
        feature_pair pair = { .kind = { SURFACE_RIM, SURFACE_PLANE }, .index = { rim, 0 } };
        pair = swapped ? (feature_pair){ { SURFACE_PLANE, SURFACE_RIM }, { 0, rim } } : pair;
        real start = rim_height_at(&a, rim, &b, 0) - separation;
        double until = surface_pair_query(&both, &pair, &limits, 1.0, &sum->counts);
        verdict v = start > 0 ? judge_rim(&a, rim, &b, separation, until) : until == 0.0 ? CLEAR : COLLIDES;
        CHECK_NEAR(surface_pair_distance(&both, &pair).distance, (double)(start + separation), 1e-13);
        ++sum->queries;
        sum->wrong += v == COLLIDES;
        sum->undecided += v == UNDECIDED;
        sum->stopped += until < 1.0;
        sum->kept += until < 1.0 ? (double)((rim_height_at(&a, rim, &b, until) - separation) / start) : 0.0;
    }
    surface_destroy(solid);
    surface_destroy(ground);
}

TEST(sweep, rims_never_miss_a_plane)
{
    long count = getenv("CAROM_SWEEP_QUERIES") ? atol(getenv("CAROM_SWEEP_QUERIES")) : 5000;
    test_rng r = test_rng_seed(11);
    tally sum = { 0 };
    for (long n = 0; n < count; ++n) {
        try_rim(&r, n, &sum);
    }
    print_message(
        "%ld queries: %ld missed a collision, %ld undecided, %ld stopped with %.2f of their gap on average; %.2f "
        "evaluations each, %ld were cut short\n",
        sum.queries, sum.wrong, sum.undecided, sum.stopped, sum.kept / (double)sum.stopped,
        (double)sum.counts.evaluations / (double)sum.queries, sum.counts.cut_short);
    CHECK_EQ(sum.wrong, 0);
    CHECK_LE((double)sum.undecided, 1e-3 * (double)sum.queries);
    CHECK_LE((double)sum.counts.cut_short, 1e-4 * (double)sum.queries);
    CHECK_GE((double)sum.stopped, 0.05 * (double)sum.queries);
    CHECK_LE((double)sum.counts.evaluations, 3.0 * (double)sum.queries);
}

/* ---- solid cylinders ---------------------------------------------------------------------------------------------------- */

/* A convex set at some time: the hull of points, or a cylinder, a disc if it has no length. */
typedef struct convex {
    int count; /* of points; 0: a cylinder */
    vec x[3];
    vec center, axis;
    real half, radius;
} convex;

static convex convex_at(const surface_place *p, int kind, int index, real t)
{
    const surface *s = p->surface;
    int corner[3];
    convex c = { .count = surface_corners(s, kind, index, corner) };
    for (int k = 0; k < c.count; ++k) {
        c.x[k] = placed_at(p, s->vertices[corner[k]], t);
    }
    if (kind >= SURFACE_RIM) {
        int rim = kind == SURFACE_RIM ? index : 1;
        v3 first = s->rims[kind == SURFACE_RIM ? index : 0].center;
        v3 last = s->rims[rim].center;
        vec ends[2] = { placed_at(p, first, t), placed_at(p, last, t) };
        c.axis = plus(placed_at(p, v3_add(last, s->rims[rim].axis), t), -1, ends[1]);
        c.center = plus(plus(ends[0], -0.5L, ends[0]), 0.5L, ends[1]);
        c.half = 0.5L * length(plus(ends[1], -1, ends[0]));
        c.radius = s->rims[rim].radius;
    }
    return c;
}

/* Signed: negative inside. */
static real point_cylinder(vec p, const convex *c)
{
    vec r = plus(p, -1, c->center);
    real z = fabsl(dot(r, c->axis)) - c->half;
    real rho = length(plus(r, -dot(r, c->axis), c->axis)) - c->radius;
    return z > 0 && rho > 0 ? sqrtl(z * z + rho * rho) : fmaxl(z, rho);
}

static real cylinder_from(vec from, vec x, vec y, real at, bool around, const convex *c)
{
    return point_cylinder(around ? plus(plus(from, cosl(at), x), sinl(at), y) : plus(from, at, x), c);
}

/* The least of a function with one minimum between two ends, by golden sections: the last is 1e-13 of the first. */
static real least_between(vec from, vec x, vec y, real low, real high, bool around, const convex *c)
{
    static const real GOLDEN = 0.61803398874989484820L;
    real at[2] = { high - GOLDEN * (high - low), low + GOLDEN * (high - low) };
    real value[2] = { cylinder_from(from, x, y, at[0], around, c), cylinder_from(from, x, y, at[1], around, c) };
    for (int k = 0; k < 62; ++k) {
        int worse = value[0] < value[1];
        *(worse ? &high : &low) = at[worse];
        at[worse] = at[1 - worse];
        value[worse] = value[1 - worse];
        real fresh = worse ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
        at[1 - worse] = fresh;
        value[1 - worse] = cylinder_from(from, x, y, fresh, around, c);
    }
    return fminl(value[0], value[1]);
}

static real segment_cylinder(vec a, vec b, const convex *c)
{
    vec way = plus(b, -1, a);
    real ends = fminl(point_cylinder(a, c), point_cylinder(b, c));
    return fminl(ends, least_between(a, way, way, 0, 1, false, c));
}

static real circle_cylinder(const convex *o, int end, const convex *c)
{
    enum { ARCS = 48 };
    static const real ARC = 6.28318530717958647692L / ARCS;
    vec helper = fabsl(o->axis.x) < 0.6L ? (vec){ 1, 0, 0 } : (vec){ 0, 1, 0 };
    vec x = cross(o->axis, helper);
    x = plus((vec){ 0, 0, 0 }, o->radius / length(x), x);
    vec y = cross(o->axis, x);
    vec from = plus(o->center, end == 0 ? -o->half : o->half, o->axis);
    real value[ARCS];
    real best = HUGE_VALL;
    for (int k = 0; k < ARCS; ++k) {
        value[k] = cylinder_from(from, x, y, k * ARC, true, c);
        best = fminl(best, value[k]);
    }
    for (int k = 0; k < ARCS; ++k) {
        bool low = value[k] <= value[(k + 1) % ARCS] && value[k] <= value[(k + ARCS - 1) % ARCS];
        if (low && value[k] - ARC * o->radius < best) { /* on an arc it falls by no more than the arc's length */
            best = fminl(best, least_between(from, x, y, (k - 1) * ARC, (k + 1) * ARC, true, c));
        }
    }
    return best;
}

/* The face is nearest to the lowest point of a disc, if that is above it. */
static real face_disc(const vec *t, const convex *c)
{
    vec n = cross(plus(t[1], -1, t[0]), plus(t[2], -1, t[0]));
    n = plus((vec){ 0, 0, 0 }, 1 / length(n), n);
    real height = dot(n, plus(c->center, -1, t[0]));
    n = height < 0 ? plus((vec){ 0, 0, 0 }, -1, n) : n;
    vec level = plus(n, -dot(n, c->axis), c->axis);
    real sine = length(level);
    vec p = sine > 0 ? plus(c->center, -c->radius / sine, level) : c->center;
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        inside = inside && dot(cross(plus(t[1], -1, t[0]), plus(t[2], -1, t[0])),
                               cross(plus(t[(k + 1) % 3], -1, t[k]), plus(p, -1, t[k]))) >= 0;
    }
    real least = fabsl(height) - c->radius * sine;
    return inside && least > 0 ? least : HUGE_VALL; /* a disc across the plane touches no face before a side */
}

static real axes_apart(const convex *a, const convex *b)
{
    vec x[2] = { plus(a->center, -a->half, a->axis), plus(a->center, a->half, a->axis) };
    vec y[2] = { plus(b->center, -b->half, b->axis), plus(b->center, b->half, b->axis) };
    real inner = segment_segment(x, y);
    real ends = fminl(fminl(point_segment(x[0], y[0], y[1]), point_segment(x[1], y[0], y[1])),
                      fminl(point_segment(y[0], x[0], x[1]), point_segment(y[1], x[0], x[1])));
    return inner < ends ? inner - a->radius - b->radius : HUGE_VALL;
}

static real apart(const convex *a, const convex *b)
{
    if (a->count == 0 && b->count == 0) {
        real rims = fminl(fminl(circle_cylinder(a, 0, b), circle_cylinder(a, 1, b)),
                          fminl(circle_cylinder(b, 0, a), circle_cylinder(b, 1, a)));
        return fminl(axes_apart(a, b), rims);
    }
    const convex *f = a->count > 0 ? a : b;
    const convex *c = a->count > 0 ? b : a;
    if (f->count == 1) {
        return point_cylinder(f->x[0], c);
    }
    real best = f->count == 3 ? face_disc(f->x, c) : HUGE_VALL;
    for (int k = 0; k < (f->count == 2 ? 1 : 3); ++k) {
        best = fminl(best, segment_cylinder(f->x[k], f->x[(k + 1) % f->count], c));
    }
    return best;
}

static real speed_of(const surface_place *p)
{
    return v3_norm(p->d_w.v) + v3_norm(p->d_w.w) * p->surface->radius;
}

static real solids_at(const surface_place place[2], const feature_pair *f, real t)
{
    convex a = convex_at(&place[0], f->kind[0], f->index[0], t);
    convex b = convex_at(&place[1], f->kind[1], f->index[1], t);
    return apart(&a, &b);
}

static verdict judge_solids(const surface_place place[2], const feature_pair *f, real offset, real until)
{
    enum { MOST = 1000 };
    real speed = speed_of(&place[0]) + speed_of(&place[1]);
    real t = 0;
    for (int k = 0; k < MOST; ++k) {
        real gap = solids_at(place, f, t) - offset;
        if (!(gap > 0)) {
            return COLLIDES;
        }
        if (t >= until) {
            return CLEAR;
        }
        t = speed > 0 ? fminl(until, t + 0.95L * gap / speed) : until;
    }
    return UNDECIDED;
}

static m3 axes_along(v3 z)
{
    v3 x = v3_across(z);
    return m3_from_columns(x, v3_cross(z, x), z);
}

/* A cylinder and a vertex, an edge, a triangle or another cylinder, side by side in every way: at random, level with the axis, flat
 * on a cap, rolling, with a separation, round, one of them at rest. */
static void try_solid(test_rng *r, long n, tally *sum)
{
    static const int kinds[4] = { SURFACE_VERTEX, SURFACE_EDGE, SURFACE_TRIANGLE, SURFACE_ROUND };
    int kind = kinds[n % 4];
    double size = exp(test_rng_uniform(r, -4.6, 0.0));
    double rounding = kind < SURFACE_TRIANGLE && n % 5 == 0 ? 0.1 * size : 0.0;
    v3 corners[3];
    for (int k = 0; k < 3; ++k) {
        corners[k] = random_v3(r, n & 16 ? 3.0 * size : size);
    }
    v3 lies = v3_zero();  /* along z of the second, as the first lies */
    if (n / 4 % 4 == 1) { /* an edge is level with the axis, a triangle lies flat, axes are parallel */
        lies = kind == SURFACE_ROUND ? v3_make(0, 0, 1)
               : kind == SURFACE_TRIANGLE
                   ? v3_unit(v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0])))
                   : v3_unit(v3_sub(corners[1], corners[0]));
    } else if (n / 4 % 4 == 2) { /* an edge lies flat on a cap, a triangle along the side */
        lies = v3_across(v3_sub(corners[1], corners[0]));
    }
    surface *s[2] = { any_cylinder(r, size),
                      kind == SURFACE_ROUND ? any_cylinder(r, size) : one_feature(kind, corners, rounding) };
    surface_place place[2];
    for (int k = 0; k < 2; ++k) {
        place[k] = any_place(r, s[k], k == 0 ? 9.0 * size : 0.0, size * exp(test_rng_uniform(r, -7.0, 0.5)),
                             exp(test_rng_uniform(r, -9.0, 1.0)));
    }
    if (v3_norm2(lies) > 0.0) {
        v3 off = n % 3 == 0 ? v3_zero() : random_v3(r, exp(test_rng_uniform(r, -20.0, -2.0)));
        place[0].R_w = axes_along(v3_unit(v3_add(m3_mulv(place[1].R_w, lies), off)));
    }
    if (n % 3 == 1) { /* it rolls */
        place[0].d_w.w = v3_scale(v3_norm(place[0].d_w.w), m3_column(place[0].R_w, 2));
    }
    if (n % 7 < 3) {
        place[n % 7 == 0 ? 0 : 1].d_w = twist_zero();
    }
    feature_pair f = { .kind = { SURFACE_ROUND, (uint8_t)kind } };
    f.kind[0] = kind == SURFACE_TRIANGLE ? SURFACE_RIM : SURFACE_ROUND;
    f.index[0] = kind == SURFACE_TRIANGLE ? (int)(n / 64 % 2) : 0;
    double separation = n % 11 == 0 ? 0.03 * size : 0.0;
    double wanted = separation + size * exp(test_rng_uniform(r, -14.0, 0.0));
    surface_pair both = surface_pair_of(&place[0], &place[1]);
    feature_distance d = surface_pair_distance(&both, &f);
    v3 normal = m3_mulv(place[1].R_w, d.normal);
    double gap = d.distance - d.rounding[0] - d.rounding[1] - rounding;
    place[0].x_w = v3_axpy(place[0].x_w, wanted - gap, normal);
    if (n % 2 == 0) {
        place[0].d_w.v = v3_scale(-v3_norm(place[0].d_w.v), normal);
    }
    if (n / 2 % 2 == 0) {
        surface_place swap = place[0];
        place[0] = place[1];
        place[1] = swap;
        f = (feature_pair){ { f.kind[1], f.kind[0] }, { f.index[1], f.index[0] } };
    }
    both = surface_pair_of(&place[0], &place[1]);
    sweep_limits limits = { .separation = separation, .range = size * exp(test_rng_uniform(r, -9.0, -1.0)) };
    double until = surface_pair_query(&both, &f, &limits, 1.0, &sum->counts);
    verdict v = judge_solids(place, &f, (real)separation + (real)rounding, until);
    d = surface_pair_distance(&both, &f);
    gap = d.distance - d.rounding[0] - d.rounding[1];
    CHECK_NEAR(gap, (double)solids_at(place, &f, 0), 1e-13 * size);
    if (v3_norm2(lies) == 0.0) { /* else closest points may be any of many */
        sum->parted += !is_same_swapped(place, &f, &limits);
    }
    ++sum->queries;
    sum->wrong += v == COLLIDES;
    sum->undecided += v == UNDECIDED;
    sum->stopped += until < 1.0;
    surface_destroy(s[0]);
    surface_destroy(s[1]);
}

TEST(sweep, cylinders_never_miss_a_collision)
{
    long count = getenv("CAROM_SWEEP_QUERIES") ? atol(getenv("CAROM_SWEEP_QUERIES")) : 1000;
    test_rng r = test_rng_seed(12);
    tally sum = { 0 };
    for (long n = 0; n < count; ++n) {
        try_solid(&r, n, &sum);
    }
    print_message(
        "%ld queries: %ld missed a collision, %ld undecided, %ld stopped; %.2f evaluations each, %ld were cut "
        "short, %ld answer differently when exchanged\n",
        sum.queries, sum.wrong, sum.undecided, sum.stopped, (double)sum.counts.evaluations / (double)sum.queries,
        sum.counts.cut_short, sum.parted);
    CHECK_EQ(sum.wrong, 0);
    CHECK_LE((double)sum.undecided, 1e-2 * (double)sum.queries);
    CHECK_LE((double)sum.counts.cut_short, 1e-3 * (double)sum.queries);
    CHECK_LE((double)sum.parted, MOST_PARTED * (double)sum.queries);
    CHECK_GE((double)sum.stopped, 0.05 * (double)sum.queries);
    CHECK_LE((double)sum.counts.evaluations, 6.0 * (double)sum.queries);
}

/* ---- whole surfaces ------------------------------------------------------------------------------------------------------- */

static double least_of_queries(const surface_pair *p, const sweep_limits *limits)
{
    double until = 1.0;
    sweep_counts counts = { 0 };
    if (p->b->half_space) {
        for (int k = 0; k < p->a->vertex_count; ++k) {
            feature_pair pair = { .kind = { SURFACE_VERTEX, SURFACE_PLANE }, .index = { k, 0 } };
            until = fmin(until, surface_pair_query(p, &pair, limits, 1.0, &counts));
        }
    }
    for (int i = 0; i < p->a->leaf_count; ++i) {
        for (int k = 0; k < p->b->leaf_count; ++k) {
            leaf_pair pairs[LEAF_PAIRS];
            int count = surface_leaf_pairs(p->a, i, p->b, k, pairs);
            for (int n = 0; n < count; ++n) {
                until = fmin(until, surface_pair_query(p, &pairs[n].pair, limits, 1.0, &counts));
            }
        }
    }
    return until;
}

/* What trees leave out changes no answer, and no bit of it: the least over all pairs of features, each asked by itself. */
TEST(sweep, trees_find_what_all_pairs_come_to)
{
    test_rng r = test_rng_seed(8);
    carom_error err = { 0 };
    long stopped = 0, free_of = 0;
    for (int n = 0; n < 20 * SURFACE_KINDS * SURFACE_KINDS; ++n) {
        bool solid = n % 5 == 4 && n % 4 != 3;
        surface *sa = solid ? any_cylinder(&r, 0.7) : any_surface(&r, n % SURFACE_KINDS);
        surface *sb = solid && n % 3 == 0 ? any_cylinder(&r, 0.7)
                      : n % 4 == 3        ? NULL
                                          : any_surface(&r, n / SURFACE_KINDS % SURFACE_KINDS);
        if (!sb) {
            CHECK_OK(surface_create_half_space(&sb, random_direction(&r), &err), err);
        }
        double way = exp(test_rng_uniform(&r, -5.0, 1.5)), turn = exp(test_rng_uniform(&r, -5.0, 1.0));
        surface_place a = any_place(&r, sa, 2.0, way, turn);
        surface_place b = any_place(&r, sb, 0.5, way, turn);
        a.d_w.v = v3_scale(way, v3_unit(v3_sub(b.x_w, a.x_w)));
        surface_pair p = surface_pair_of(&a, &b);
        sweep_limits limits = { .separation = n % 3 == 0 ? 0.05 : 0.0,
                                .range = exp(test_rng_uniform(&r, -6.0, -1.0)) };
        sweep_counts counts = { 0 };
        double expected = least_of_queries(&p, &limits);
        CHECK(surface_pair_sweep(&p, &limits, 1.0, &counts) == expected);
        stopped += expected < 1.0 && expected > 0.0;
        free_of += expected == 1.0;
        surface_destroy(sa);
        surface_destroy(sb);
    }
    CHECK_GE((double)stopped, 50);
    CHECK_GE((double)free_of, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sweep, queries_never_miss_a_collision),
        RUN_TEST(sweep, hard_queries_never_miss_a_collision),
        RUN_TEST(sweep, which_feature_comes_first_does_not_matter),
        RUN_TEST(sweep, rims_never_miss_a_plane),
        RUN_TEST(sweep, cylinders_never_miss_a_collision),
        RUN_TEST(sweep, trees_find_what_all_pairs_come_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
