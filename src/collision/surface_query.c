/* Conservative collision detection of two features along screws; the landing rule of the line search is that of [Ferguson2021]
 * with other numbers.
 *
 * Claim. surface_pair_query returns a time T such that during [0, T] the two features are further apart than `separation`
 * and their roundings together.
 *
 * Proof. Both features are the convex hulls of their vertices at all times, as bodies are rigid. Fix a time t and the unit
 * vector n between the closest points there. Let x_i(t) and y_j(t) be the vertices of the two, and
 * g_ij = n . (x_i - y_j) - separation - roundings - margin. Along a screw a vertex has a velocity v_i of constant size, the
 * acceleration w x v_i of constant size b_i, and w x (w x v_i), of size |w| b_i, is how that changes. So the acceleration of
 * g_ij along n is at least -(b_i + b_j) at all times, and at least n . (w_A x v_i - w_B x v_j) - s (|w_A| b_i + |w_B| b_j) up to
 * the time t + s. Let -c be the larger of the two, or zero if it is positive. Up to t + s
 *     g_ij(t + s') >= g_ij(t) + s' n . (v_i - v_j) - c s'^2 / 2.
 * The right side is concave in s': on [0, tau] it is least at an end. If it leaves g_ij >= low > 0 at both ends for all i and
 * j, the plane with normal n parts the two hulls by more than separation and roundings during all of [t, t + tau]. The
 * query goes on from t + tau with a new n, and ends when the gap is no longer above 1.5 low or the motion is over. The
 * intervals join. The margin covers what rounding does to positions. []
 *
 * The same holds for a normal that turns with any constant rate o, n' = o x n. With m = o x n the rate of g_ij is
 * n . (v_i - v_j) + m . (x_i - y_j), its acceleration n . (w_A x v_i - w_B x v_j) + 2 m . (v_i - v_j) + (o x m) . (x_i - y_j), and
 * this one changes by at most |w_A| b_i + |w_B| b_j + 3 |o| b + 3 |o|^2 r + |o|^3 d, where b = b_i + b_j, and r and d are bounds of
 * |v_i - v_j| and |x_i - y_j| for the time that is left. A normal that turns with a face stays level with its corners; one at
 * rest would be met by those that lie far away.
 *
 * A vertex and the plane of a half-space, with normal n and velocity field V(x) = v_p + w_p x (x - c_p), which does not change
 * along a screw: the height h = n . (x - p) has the rate h' = n . u with u = v_x - V(x), and
 * h'' = (w_p x n) . u + n . (w_x x v_x - w_p x v_x), so that
 * |h''| <= |w_p| (2 |v_x| + |V(x)|) + |w_x x v_x|, where |V| grows by at most |w_p| |v_x| per unit of time. If the plane does not
 * turn, h'' = n . (w_x x v_x), as above.
 *
 * Rims: surface_rim.c. Solid cylinders: surface_round_query.c.
 *
 * No step depends on `until`: it says where to stop looking. */
#include "collision/surface_query.h"

#include "collision/surface_rim.h"
#include "collision/surface_round.h"

#define LANDING 0.3 /* of the range: where pairs land that were beyond it, deep enough to become contacts at once */
#define KEPT 0.5    /* of the gap of a contact: less makes steps shrink with the gap, more makes them short */
#define STOP_FACTOR 1.5 /* times the gap that is kept: nearer is near enough */
#define SHORT 0.1       /* of the motion that is left: for less, normals that turn are tried */

double surface_query_apart(const surface_pair *p, const sweep_limits *limits)
{
    return limits->separation + STOP_FACTOR * KEPT * limits->range + p->rounding;
}

static double kept_gap(double gap, double range)
{
    double half = KEPT * gap;
    return gap < range || half < LANDING * range ? half : LANDING * range;
}

/* ---- motion ------------------------------------------------------------------------------------------------------------- */

/* Where a body is at t: r -> origin + r + sine (u x r) + versine u x (u x r), with u the axis of its turn. */
typedef struct screw_place {
    v3 origin;
    double sine, versine;
} screw_place;

static screw_place screw_at(const surface_pair *p, int side, double t)
{
    const twist *d = &p->d[side];
    v3 start = side == 0 ? p->c : v3_zero();
    if (!(t > 0.0)) {
        return (screw_place){ .origin = start };
    }
    double angle = t * p->turn[side];
    double half = sin(0.5 * angle);
    return (screw_place){ .origin = v3_add(start, screw_displacement(d, t)),
                          .sine = 2.0 * half * cos(0.5 * angle),
                          .versine = 2.0 * half * half };
}

static v3 turned(const surface_pair *p, int side, const screw_place *at, v3 r)
{
    v3 across = v3_cross(p->axis[side], r);
    return v3_axpy(v3_axpy(r, at->sine, across), at->versine, v3_cross(p->axis[side], across));
}

/* The corner whose arm at the start is r. At the start, t = 0, kernels do the same operations. */
static moving_point point_at(const surface_pair *p, int side, const screw_place *at, double t, v3 r)
{
    const twist *d = &p->d[side];
    v3 arm = r;
    moving_point m = { .x = side == 0 ? v3_add(p->c, r) : r };
    if (t > 0.0) {
        m.x = v3_add(at->origin, turned(p, side, at, r));
        arm = side == 0 ? v3_sub(m.x, p->c) : m.x;
    }
    m.velocity = twist_velocity(d, arm);
    m.pull = v3_cross(d->w, m.velocity);
    m.bend = v3_norm(m.pull);
    return m;
}

moving_point surface_moved_point(const surface_pair *p, int side, double t, v3 r, v3 *way)
{
    screw_place at = screw_at(p, side, t);
    *way = turned(p, side, &at, *way);
    return point_at(p, side, &at, t, r);
}

typedef struct feature_corners {
    int count[2];
    v3 arm[2][LEAF_CORNERS]; /* [m] at the start, from the origin of the body, in the axes of B */
    moving_point at[2][LEAF_CORNERS];
} feature_corners;

static void load_corners(feature_corners *f, const surface_pair *p, const feature_pair *pair)
{
    for (int side = 0; side < 2; ++side) {
        int corner[3];
        const surface *s = side == 0 ? p->a : p->b;
        f->count[side] = surface_corners(s, pair->kind[side], pair->index[side], corner);
        for (int k = 0; k < f->count[side]; ++k) {
            v3 r = s->vertices[corner[k]];
            f->arm[side][k] = side == 0 ? m3_mulv(p->R, r) : r;
        }
    }
}

static void move_corners(feature_corners *f, const surface_pair *p, double t)
{
    for (int side = 0; side < 2; ++side) {
        screw_place at = screw_at(p, side, t);
        for (int k = 0; k < f->count[side]; ++k) {
            f->at[side][k] = point_at(p, side, &at, t, f->arm[side][k]);
        }
    }
}

/* ---- how long a gap stays above zero --------------------------------------------------------------------------------------- */

/* A gap that is not negative and how it changes; its acceleration is at least pull - jerk s during s, and at least -bend. */
typedef struct closing_gap {
    double gap, rate, pull, bend, jerk;
} closing_gap;

/* The first s > 0 at which gap + rate s - inward s^2 / 2 is zero; infinite: never. */
static double first_root(double gap, double rate, double inward)
{
    double root = sqrt(rate * rate + 2.0 * inward * gap);
    if (rate < 0.0) {
        return 2.0 * gap / (root - rate);
    }
    return inward > 0.0 ? (rate + root) / inward : HUGE_VAL;
}

static inline double inward_for(const closing_gap *g, double time)
{
    double inward = g->jerk * time - g->pull;
    inward = inward > 0.0 ? inward : 0.0;
    return inward < g->bend ? inward : g->bend;
}

/* Whether the gap surely stays for a time `wanted`, by so much that rounding does not matter; `left` of the motion is to come. */
static inline bool stays(const closing_gap *g, double left, double wanted)
{
    static const double ROUNDING = 1e-12;
    double inward = inward_for(g, left);
    double end = g->gap + wanted * (g->rate - 0.5 * wanted * inward);
    return end > ROUNDING * (g->gap + wanted * (fabs(g->rate) + wanted * inward));
}

/* For how long the gap surely stays. */
static double stays_for(const closing_gap *g, double left)
{
    double first = first_root(g->gap, g->rate, inward_for(g, left));
    double reach = 2.0 * first < left ? 2.0 * first : left; /* the bound is sharper for less time */
    double second = first_root(g->gap, g->rate, inward_for(g, reach));
    return second < reach ? second : reach;
}

/* The same, infinite if it is longer than `wanted` for sure: quickly seen, and the answer is the same. */
static inline double clear_time(const closing_gap *g, double left, double wanted)
{
    return !(g->gap > 0.0) ? 0.0 : stays(g, left, wanted) ? HUGE_VAL : stays_for(g, left);
}

/* ---- two features -------------------------------------------------------------------------------------------------------- */

/* Corners along a normal. */
typedef struct corner_heights {
    v3 normal;
    double height[2][LEAF_CORNERS], rate[2][LEAF_CORNERS], pull[2][LEAF_CORNERS];
} corner_heights;

static v3 normal_of(const surface_query *q)
{
    const moving_point *const *a = q->at[0];
    const moving_point *const *b = q->at[1];
    switch (4 * q->pair->kind[0] + q->pair->kind[1]) {
    case 4 * SURFACE_VERTEX + SURFACE_TRIANGLE:
        return vertex_triangle_normal(a[0]->x, (const v3[3]){ b[0]->x, b[1]->x, b[2]->x });
    case 4 * SURFACE_TRIANGLE + SURFACE_VERTEX:
        return v3_neg(vertex_triangle_normal(b[0]->x, (const v3[3]){ a[0]->x, a[1]->x, a[2]->x }));
    case 4 * SURFACE_EDGE + SURFACE_EDGE:
        return edge_edge_normal((const v3[2]){ a[0]->x, a[1]->x }, (const v3[2]){ b[0]->x, b[1]->x });
    case 4 * SURFACE_VERTEX + SURFACE_EDGE:
        return vertex_edge_distance(a[0]->x, (const v3[2]){ b[0]->x, b[1]->x }).normal;
    case 4 * SURFACE_EDGE + SURFACE_VERTEX:
        return v3_neg(vertex_edge_distance(b[0]->x, (const v3[2]){ a[0]->x, a[1]->x }).normal);
    default:
        return vertex_vertex_distance(a[0]->x, b[0]->x).normal;
    }
}

/* Least gap of any two corners along the normal: what is certified. */
static double look(corner_heights *h, const surface_query *q)
{
    v3 n = h->normal = normal_of(q);
    double lowest = HUGE_VAL;
    double highest = -HUGE_VAL;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < q->pair->kind[side]; ++k) {
            const moving_point *x = q->at[side][k];
            double height = v3_dot(n, x->x);
            h->height[side][k] = height;
            h->rate[side][k] = v3_dot(n, x->velocity);
            h->pull[side][k] = v3_dot(n, x->pull);
            lowest = side == 0 && height < lowest ? height : lowest;
            highest = side == 1 && height > highest ? height : highest;
        }
    }
    return lowest - highest - q->offset;
}

/* How long the normal, at rest, keeps all pairs of corners apart by `low`. */
static double parted_for(const corner_heights *h, const surface_query *q, double low, double left, double wanted)
{
    double least = HUGE_VAL;
    for (int i = 0; i < q->pair->kind[0]; ++i) {
        for (int k = 0; k < q->pair->kind[1]; ++k) {
            double bend[2] = { q->at[0][i]->bend, q->at[1][k]->bend };
            closing_gap g = { .gap = h->height[0][i] - h->height[1][k] - q->offset - low,
                              .rate = h->rate[0][i] - h->rate[1][k],
                              .pull = h->pull[0][i] - h->pull[1][k],
                              .bend = bend[0] + bend[1],
                              .jerk = q->p->turn[0] * bend[0] + q->p->turn[1] * bend[1] };
            double tau = clear_time(&g, left, wanted);
            least = tau < least ? tau : least;
        }
    }
    return least;
}

/* Two edges that cross: the rate at which what is across both of them turns; zero where that is not sensible. */
static v3 crossing_turn(const surface_query *q, v3 n)
{
    static const double MOST = 4.0; /* times the turns of the bodies: beyond, edges are nearly parallel */
    v3 a = v3_sub(q->at[0][1]->x, q->at[0][0]->x);
    v3 b = v3_sub(q->at[1][1]->x, q->at[1][0]->x);
    double along_a = v3_dot(v3_cross(q->p->d[0].w, n), a); /* m . a and m . b, with m = o x n in the plane of both */
    double along_b = v3_dot(v3_cross(q->p->d[1].w, n), b);
    double aa = v3_norm2(a);
    double bb = v3_norm2(b);
    double ab = v3_dot(a, b);
    double det = v3_norm2(v3_cross(a, b));
    v3 m = v3_add(v3_scale((bb * along_a - ab * along_b) / det, a), v3_scale((aa * along_b - ab * along_a) / det, b));
    double most = MOST * (q->p->turn[0] + q->p->turn[1]);
    return v3_norm2(m) <= most * most ? v3_cross(n, m) : v3_zero();
}

typedef struct turning_normal {
    v3 n, m, mm; /* n, o x n, o x (o x n) */
    double rate; /* |o| */
} turning_normal;

static closing_gap turning_gap(const surface_query *q, const turning_normal *n, const moving_point *x,
                               const moving_point *y, double left)
{
    v3 d = v3_sub(x->x, y->x);
    v3 v = v3_sub(x->velocity, y->velocity);
    double bend = x->bend + y->bend;
    double rate = v3_norm(v) + left * bend;
    double distance = v3_norm(d) + left * rate;
    double o = n->rate;
    return (closing_gap){
        .gap = v3_dot(n->n, d) - q->offset,
        .rate = v3_dot(n->n, v) + v3_dot(n->m, d),
        .pull = v3_dot(n->n, v3_sub(x->pull, y->pull)) + 2.0 * v3_dot(n->m, v) + v3_dot(n->mm, d),
        .bend = bend + o * (2.0 * rate + o * distance),
        .jerk = q->p->turn[0] * x->bend + q->p->turn[1] * y->bend +
                o * (3.0 * bend + o * (3.0 * rate + o * distance)),
    };
}

/* The same with a normal that turns at the rate o. */
static double parted_by_turning_for(const surface_query *q, v3 n, v3 o, double low, double left)
{
    turning_normal t = { .n = n, .m = v3_cross(o, n), .rate = v3_norm(o) };
    double least = HUGE_VAL;
    t.mm = v3_cross(o, t.m);
    for (int i = 0; i < q->pair->kind[0]; ++i) {
        for (int k = 0; k < q->pair->kind[1]; ++k) {
            closing_gap g = turning_gap(q, &t, q->at[0][i], q->at[1][k], left);
            g.gap -= low;
            double tau = g.gap > 0.0 ? stays_for(&g, left) : 0.0;
            least = tau < least ? tau : least;
        }
    }
    return least;
}

/* The longest of some: a normal that turns with the body of the feature that has more corners, or with either of two that have as
 * many, or as what is across two edges. Which of the two is A does not matter. */
static double parted_somehow_for(const surface_query *q, v3 n, double low, double left)
{
    int kind[2] = { q->pair->kind[0], q->pair->kind[1] };
    v3 turns[3] = { q->p->d[kind[0] > kind[1] ? 0 : 1].w, q->p->d[0].w };
    int count = kind[0] == kind[1] ? 2 : 1;
    double longest = 0.0;
    if (kind[0] == SURFACE_EDGE && kind[1] == SURFACE_EDGE) {
        turns[count++] = crossing_turn(q, n);
    }
    for (int k = 0; k < count; ++k) {
        double tau = parted_by_turning_for(q, n, turns[k], low, left);
        longest = tau > longest ? tau : longest;
    }
    return longest;
}

/* ---- a vertex and a plane --------------------------------------------------------------------------------------------------- */

/* The gap above the plane at t, and how it changes. */
static closing_gap look_at_plane(const surface_query *q, int side, double t)
{
    const surface_pair *p = q->p;
    const twist *d = &p->d[side];
    screw_place at = screw_at(p, side, t); /* the plane goes through the origin of its axes */
    v3 start = side == 0 ? p->c : v3_zero();
    const moving_point *vertex = q->at[1 - side][0];
    v3 field = twist_velocity(d, v3_sub(vertex->x, start));
    v3 normal = turned(p, side, &at, side == 1 ? p->b->normal : m3_mulv(p->R, p->a->normal));
    double turn = p->turn[side];
    double speed = v3_norm(vertex->velocity);
    closing_gap g = { .gap = v3_dot(normal, v3_sub(vertex->x, at.origin)) - q->offset,
                      .rate = v3_dot(normal, v3_sub(vertex->velocity, field)),
                      .bend = vertex->bend };
    if (turn > 0.0) {
        g.bend += turn * (2.0 * speed + v3_norm(field) + turn * speed);
        g.pull = -g.bend;
    } else {
        g.pull = v3_dot(normal, vertex->pull);
        g.jerk = p->turn[1 - side] * vertex->bend;
    }
    return g;
}

/* ---- a rim and a plane ------------------------------------------------------------------------------------------------------ */

/* At t; heights are less what gaps are measured from. */
static rim_sight look_at_rim(const surface_query *q, int plane, double t)
{
    const surface_pair *p = q->p;
    int side = 1 - plane;
    placed_rim rim = surface_place_rim(p, q->pair);
    screw_place at[2] = { screw_at(p, 0, t), screw_at(p, 1, t) };
    moving_point c = point_at(p, side, &at[side], t, rim.arm);
    v3 n = turned(p, plane, &at[plane], plane == 1 ? p->b->normal : m3_mulv(p->R, p->a->normal));
    v3 a = turned(p, side, &at[side], rim.axis);
    v3 field = twist_velocity(&p->d[plane], v3_sub(c.x, plane == 0 ? p->c : v3_zero()));
    double k = v3_dot(p->d[side].w, a);
    v3 w = v3_axpy(p->d[side].w, -k, a); /* without the turn about its own axis */
    v3 turn = v3_cross(n, v3_sub(w, p->d[plane].w));
    double turn_p = p->turn[plane];
    double turn_r = v3_norm(w);
    double speed = v3_norm(c.velocity) + rim.radius * turn_r;
    closing_gap center = { .bend = c.bend, .pull = v3_dot(n, c.pull), .jerk = p->turn[side] * c.bend };
    double inward = turn_p > 0.0 ? c.bend : inward_for(&center, 1.0 - t);
    inward += rim.radius * turn_r * (fabs(k) + turn_r);
    inward += turn_p * (2.0 * speed + v3_norm(field) + turn_p * (rim.radius + speed));
    return (rim_sight){ .height = v3_dot(n, v3_sub(c.x, at[plane].origin)) - q->offset,
                        .rate = v3_dot(n, v3_sub(c.velocity, field)),
                        .level = v3_axpy(n, -v3_dot(n, a), a),
                        .turn = v3_axpy(turn, -v3_dot(turn, a), a),
                        .radius = rim.radius,
                        .inward = inward };
}

/* ---- a query ------------------------------------------------------------------------------------------------------------------ */

/* The certified gap at t, and what it takes to say how long it stays. */
typedef struct sight {
    double gap;
    corner_heights heights;
    closing_gap plane;
    rim_sight rim;
    round_sight round;
} sight;

static int plane_side(const feature_pair *pair)
{
    return pair->kind[0] == SURFACE_PLANE ? 0 : pair->kind[1] == SURFACE_PLANE ? 1 : -1;
}

static void see(sight *s, const surface_query *q, double t)
{
    int side = plane_side(q->pair);
    if (side >= 0 && q->pair->kind[1 - side] == SURFACE_RIM) {
        s->rim = look_at_rim(q, side, t);
        s->gap = s->rim.height - s->rim.radius * v3_norm(s->rim.level);
    } else if (side >= 0) {
        s->plane = look_at_plane(q, side, t);
        s->gap = s->plane.gap;
    } else if (surface_pair_is_round(q->pair)) {
        s->gap = surface_round_look(&s->round, q, t);
    } else {
        s->gap = look(&s->heights, q);
    }
}

static double clear_for(const sight *s, const surface_query *q, double low, double left, double wanted)
{
    int side = plane_side(q->pair);
    if (side >= 0 && q->pair->kind[1 - side] == SURFACE_RIM) {
        rim_sight r = s->rim;
        r.height -= low;
        return surface_rim_clear_for(&r, left, wanted);
    }
    if (side >= 0) {
        closing_gap g = s->plane;
        g.gap -= low;
        return clear_time(&g, left, wanted);
    }
    if (surface_pair_is_round(q->pair)) {
        return surface_round_clear_for(&s->round, q, low, left, wanted);
    }
    double still = parted_for(&s->heights, q, low, left, wanted);
    if (still >= wanted || still > SHORT * left || !(q->p->turn[0] + q->p->turn[1] > 0.0)) {
        return still;
    }
    double turning = parted_somehow_for(q, s->heights.normal, low, left);
    return turning > still ? turning : still;
}

/* From t on, where the first sight has led. */
static double go_on(surface_query *q, double t, double low, double until, sweep_counts *counts)
{
    enum { MOST = 500 };
    feature_corners f;
    sight s;
    load_corners(&f, q->p, q->pair);
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < LEAF_CORNERS; ++k) {
            q->at[side][k] = &f.at[side][k];
        }
    }
    for (int k = 0; k < MOST; ++k) {
        move_corners(&f, q->p, t);
        see(&s, q, t);
        ++counts->evaluations;
        if (!(s.gap > STOP_FACTOR * low)) {
            return t;
        }
        double next = t + clear_for(&s, q, low, 1.0 - t, until - t);
        if (next >= until) {
            return until;
        }
        if (!(next > t)) {
            break;
        }
        t = next;
    }
    ++counts->cut_short; /* free of collisions up to here, and perhaps beyond */
    return t;
}

double surface_query_run(surface_query *q, const sweep_limits *limits, double until, sweep_counts *counts)
{
    sight s;
    see(&s, q, 0.0);
    ++counts->queries;
    ++counts->evaluations;
    if (!(s.gap > 0.0)) {
        return 0.0;
    }
    double low = kept_gap(s.gap, limits->range);
    double t = clear_for(&s, q, low, 1.0, until);
    return t >= until ? until : go_on(q, t, low, until, counts);
}

double surface_pair_query(const surface_pair *p, const feature_pair *pair, const sweep_limits *limits, double until,
                          sweep_counts *counts)
{
    feature_corners f;
    surface_query q = { .p = p, .pair = pair };
    if (!surface_pair_is_asked(p, pair)) {
        return until;
    }
    q.offset = limits->separation + feature_pair_rounding(p->a, p->b, pair) + p->rounding;
    load_corners(&f, p, pair);
    move_corners(&f, p, 0.0);
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < LEAF_CORNERS; ++k) {
            q.at[side][k] = &f.at[side][k];
        }
    }
    return surface_query_run(&q, limits, until, counts);
}
