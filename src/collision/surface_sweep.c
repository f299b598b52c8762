/* Conservative collision detection along screws; the landing rule of the line search is that of [Ferguson2021] with other numbers.
 *
 * Claim. surface_pair_query returns a time T such that during [0, T] the two features are further apart than `separation`
 * and their roundings together.
 *
 * Proof. Both features are the convex hulls of their vertices at all times, as bodies are rigid. Fix a time t and the unit
 * vector n between the closest points there. Let x_i(t) and y_j(t) be the vertices of the two, and
 * g_ij = n . (x_i - y_j) - separation - roundings - margin. Along a screw a vertex has a velocity v_i of constant size and the
 * acceleration w x v_i, of constant size, too. So for s >= 0
 *     n . (x_i(t + s) - y_j(t + s)) >= n . (x_i - y_j) + s n . (v_i - v_j) - s^2 / 2 (|w_A x v_i| + |w_B x v_j|).
 * The right side is concave in s: on [0, tau] it is least at an end. If it leaves g_ij >= low > 0 at both ends for all i and
 * j, the plane with normal n parts the two hulls by more than separation and roundings during all of [t, t + tau]. The
 * query takes the largest such tau, goes on from t + tau with a new n, and ends when the gap is no longer above 1.5 low or the
 * motion is over. The intervals join. The margin covers what rounding does to positions. []
 *
 * A vertex and the plane of a half-space, with normal n and velocity field V(x) = v_p + w_p x (x - c_p), which does not change
 * along a screw: the height h = n . (x - p) has the rate h' = n . u with u = v_x - V(x), and
 * h'' = (w_p x n) . u + n . (w_x x v_x - w_p x v_x), so that
 * |h''| <= |w_p| (2 |v_x| + |V(x)|) + |w_x x v_x|, where |V| grows by at most |w_p| |v_x| per unit of time.
 *
 * Pairs that are never queried are parted by a fixed direction in the same way: the boxes of two nodes, or two triangles. The
 * rate u . (v + w x r) is linear in r, so that its extremes over a box are at the corners; the acceleration of a point is at
 * most |w| times the largest speed in the ball around the box. */
#include "collision/surface_pair.h"

#define LANDING 0.3 /* of the range: where pairs land that were beyond it, deep enough to become contacts at once */
#define KEPT 0.5    /* of the gap of a contact: less makes steps shrink with the gap, more makes them short */
#define STOP_FACTOR 1.5 /* times the gap that is kept: nearer is near enough */

/* ---- two features ----------------------------------------------------------------------------------------------------- */

typedef struct moving_feature {
    int count;
    v3 arm[3];      /* [m] of its vertices at the start, from the origin of its body */
    v3 x[3];        /* [m] now */
    v3 velocity[3]; /* [m] per unit of time, now */
    double bend[3]; /* [m] size of the acceleration */
} moving_feature;

static void load_feature(moving_feature *f, const surface_pair *p, int side, int kind, int index)
{
    int corner[3];
    const surface *s = side == 0 ? p->a : p->b;
    f->count = surface_corners(s, kind, index, corner);
    for (int k = 0; k < f->count; ++k) {
        v3 r = s->vertices[corner[k]];
        f->arm[k] = side == 0 ? m3_mulv(p->R, r) : r;
    }
}

/* Where the vertices are at t, and how they move. */
static void move_feature(moving_feature *f, const surface_pair *p, int side, double t)
{
    const twist *d = &p->d[side];
    v3 start = side == 0 ? p->c : v3_zero();
    v3 origin = t > 0.0 ? v3_add(start, screw_displacement(d, t)) : start;
    double angle = t * p->turn[side];
    double sine = angle > 0.0 ? sin(angle) : 0.0;
    double cosine = angle > 0.0 ? cos(angle) : 1.0;
    v3 u = p->axis[side];
    for (int k = 0; k < f->count; ++k) {
        v3 r = f->arm[k];
        if (angle > 0.0) {
            r = v3_axpy(v3_axpy(v3_scale(cosine, r), sine, v3_cross(u, r)), v3_dot(u, r) * (1.0 - cosine), u);
        }
        f->x[k] = v3_add(origin, r);
        f->velocity[k] = twist_velocity(d, v3_sub(f->x[k], start));
        f->bend[k] = v3_norm(v3_cross(d->w, f->velocity[k]));
    }
}

/* The first s > 0 at which gap + rate s - bend s^2 / 2 is zero, for gap >= 0; infinite: never. */
static double first_root(double gap, double rate, double bend)
{
    double root = sqrt(rate * rate + 2.0 * bend * gap);
    if (rate < 0.0) {
        return 2.0 * gap / (root - rate);
    }
    return bend > 0.0 ? (rate + root) / bend : HUGE_VAL;
}

/* How long the plane with normal n keeps all pairs of vertices apart by `offset` + low. */
static double parted_for(const moving_feature *a, const moving_feature *b, v3 n, double offset, double low)
{
    double least = HUGE_VAL;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            double gap = v3_dot(n, v3_sub(a->x[i], b->x[k])) - offset - low;
            double rate = v3_dot(n, v3_sub(a->velocity[i], b->velocity[k]));
            double tau = gap > 0.0 ? first_root(gap, rate, a->bend[i] + b->bend[k]) : 0.0;
            least = tau < least ? tau : least;
        }
    }
    return least;
}

/* Least gap of any two vertices along n: what is certified. */
static double certified_gap(const moving_feature *a, const moving_feature *b, v3 n, double offset)
{
    double least = HUGE_VAL;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            double gap = v3_dot(n, v3_sub(a->x[i], b->x[k])) - offset;
            least = gap < least ? gap : least;
        }
    }
    return least;
}

static double kept_gap(double gap, double range)
{
    double half = KEPT * gap;
    return gap < range || half < LANDING * range ? half : LANDING * range;
}

/* ---- a query ---------------------------------------------------------------------------------------------------------- */

typedef struct query {
    const surface_pair *p;
    const feature_pair *pair;
    double offset;       /* [m] separation, roundings and margin: what gaps are measured from */
    int plane;           /* side of the plane of a half-space; -1: none */
    moving_feature f[2]; /* the plane's is not used */
    v3 normal;           /* between the two, at the time last looked at */
    double rate, bend;   /* of the height above a plane there */
} query;

static query query_begin(const surface_pair *p, const feature_pair *pair, const sweep_limits *limits)
{
    query q = { .p = p, .pair = pair };
    q.offset = limits->separation + feature_pair_rounding(p->a, p->b, pair) + p->rounding;
    q.plane = pair->kind[0] == SURFACE_PLANE ? 0 : pair->kind[1] == SURFACE_PLANE ? 1 : -1;
    for (int side = 0; side < 2; ++side) {
        load_feature(&q.f[side], p, side, pair->kind[side], pair->index[side]);
    }
    return q;
}

static v3 turned(const surface_pair *p, int side, double t, v3 r)
{
    double angle = t * p->turn[side];
    v3 u = p->axis[side];
    return v3_axpy(v3_axpy(v3_scale(cos(angle), r), sin(angle), v3_cross(u, r)), v3_dot(u, r) * (1.0 - cos(angle)),
                   u);
}

/* Height above the plane at t, its rate, and a bound on its second derivative until the end of the motion. */
static double look_at_plane(query *q, double t)
{
    const surface_pair *p = q->p;
    int side = q->plane;
    const twist *d = &p->d[side];
    v3 start = side == 0 ? p->c : v3_zero();
    v3 origin = v3_add(start, screw_displacement(d, t)); /* the plane goes through the origin of its axes */
    const moving_feature *vertex = &q->f[1 - side];
    v3 v = vertex->velocity[0];
    v3 field = twist_velocity(d, v3_sub(vertex->x[0], start));
    double turn = p->turn[side];
    double speed = v3_norm(v);
    q->normal = turned(p, side, t, side == 1 ? p->b->normal : m3_mulv(p->R, p->a->normal));
    q->rate = v3_dot(q->normal, v3_sub(v, field));
    q->bend = turn * (2.0 * speed + v3_norm(field) + turn * speed) + vertex->bend[0];
    return v3_dot(q->normal, v3_sub(vertex->x[0], origin)) - q->offset;
}

/* The certified gap at t. */
static double query_look(query *q, double t)
{
    for (int side = 0; side < 2; ++side) {
        move_feature(&q->f[side], q->p, side, t);
    }
    if (q->plane >= 0) {
        return look_at_plane(q, t);
    }
    q->normal = feature_pair_distance(q->pair, q->f[0].x, q->f[1].x).normal;
    return certified_gap(&q->f[0], &q->f[1], q->normal, q->offset);
}

/* How long from there the gap surely stays above `low`. */
static double query_parted_for(const query *q, double gap, double low)
{
    if (q->plane >= 0) {
        return gap > low ? first_root(gap - low, q->rate, q->bend) : 0.0;
    }
    return parted_for(&q->f[0], &q->f[1], q->normal, q->offset, low);
}

double surface_pair_query(const surface_pair *p, const feature_pair *pair, const sweep_limits *limits, double until,
                          sweep_counts *counts)
{
    enum { MOST = 500 };
    static const double STILL = 1e-12; /* of the motion: no progress */
    query q = query_begin(p, pair, limits);
    double gap = query_look(&q, 0.0);
    double low = kept_gap(gap, limits->range);
    double t = 0.0;
    ++counts->queries;
    ++counts->evaluations;
    if (!(gap > 0.0)) {
        return 0.0;
    }
    for (int k = 0; k < MOST; ++k) {
        double tau = query_parted_for(&q, gap, low);
        t += tau;
        if (t >= until) {
            return until;
        }
        if (!(tau > STILL)) {
            break;
        }
        gap = query_look(&q, t);
        ++counts->evaluations;
        if (!(gap > STOP_FACTOR * low)) {
            return t;
        }
    }
    ++counts->cut_short; /* free of collisions up to here, and perhaps beyond */
    return t;
}

/* ---- trees ------------------------------------------------------------------------------------------------------------ */

typedef struct tree_sweep {
    const surface_pair *p;
    const sweep_limits *limits;
    sweep_counts *counts;
    double until;
    double
        apart; /* [m] no query ends above this gap: what is left out of the search changes no answer, in any order */
} tree_sweep;

typedef struct moving_box {
    v3 center;    /* [m] */
    v3 velocity;  /* [m] of the centre, per unit of time */
    double bend;  /* [m] largest acceleration in it */
    double speed; /* [m] largest speed in it */
} moving_box;

static moving_box box_of(const surface_pair *p, int side, const surface_node *node)
{
    v3 arm = side == 0 ? m3_mulv(p->R, node->center) : node->center;
    moving_box box = { .velocity = twist_velocity(&p->d[side], arm) };
    box.center = side == 0 ? v3_add(p->c, arm) : arm;
    box.speed = v3_norm(box.velocity) + p->turn[side] * node->radius;
    box.bend = p->turn[side] * box.speed;
    return box;
}

/* Whether two boxes stay apart by more than `apart` until the time is over. */
static bool stays_apart(const tree_sweep *s, const surface_node *a, const surface_node *b, double apart)
{
    const surface_pair *p = s->p;
    moving_box x = box_of(p, 0, a);
    moving_box y = box_of(p, 1, b);
    v3 d = v3_sub(x.center, y.center);
    v3 rate = v3_sub(x.velocity, y.velocity);
    double distance = v3_norm(d);
    double balls = distance - a->radius - b->radius;
    if (balls - s->until * (x.speed + y.speed) > apart) {
        return true;
    }
    double bend = 0.5 * s->until * s->until * (x.bend + y.bend);
    double turned = s->until * (p->turn[0] * a->radius + p->turn[1] * b->radius); /* of the velocities, at most */
    if (distance > 0.0) {
        double closing = s->until * v3_dot(d, rate) / distance - turned;
        if (balls + (closing < 0.0 ? closing : 0.0) - bend > apart) {
            return true;
        }
    }
    for (int k = 0; k < PAIR_AXES; ++k) {
        double along = v3_dot(p->axes[k], d);
        double gap = fabs(along) - v3_dot(p->reach[0][k], a->half) - v3_dot(p->reach[1][k], b->half);
        if (gap <= apart) {
            continue;
        }
        double toward = v3_dot(p->axes[k], rate);
        double closing = (along < 0.0 ? -toward : toward) - v3_dot(p->spread[0][k], a->half) -
                         v3_dot(p->spread[1][k], b->half);
        if (gap + (closing < 0.0 ? s->until * closing : 0.0) - bend > apart) {
            return true;
        }
    }
    return false;
}

/* Heights of a triangle along n at both ends of the motion: the least (sign 1) or minus the largest (sign -1). */
static double lowest(const moving_feature *f, v3 n, double sign, double until)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double height = sign * v3_dot(n, f->x[k]);
        double end = height + until * sign * v3_dot(n, f->velocity[k]);
        least = height < least ? height : least;
        least = end < least ? end : least;
    }
    return least;
}

static double largest_bend(const moving_feature *f)
{
    double most = f->bend[0] > f->bend[1] ? f->bend[0] : f->bend[1];
    return most > f->bend[2] ? most : f->bend[2];
}

/* Whether the normal of one of two triangles keeps them apart. */
static bool triangles_stay_apart(const tree_sweep *s, int triangle_a, int triangle_b)
{
    moving_feature a, b;
    load_feature(&a, s->p, 0, SURFACE_TRIANGLE, triangle_a);
    load_feature(&b, s->p, 1, SURFACE_TRIANGLE, triangle_b);
    move_feature(&a, s->p, 0, 0.0);
    move_feature(&b, s->p, 1, 0.0);
    double bend = 0.5 * s->until * s->until * (largest_bend(&a) + largest_bend(&b));
    for (int side = 0; side < 2; ++side) {
        const moving_feature *f = side == 0 ? &a : &b;
        v3 n = v3_cross(v3_sub(f->x[1], f->x[0]), v3_sub(f->x[2], f->x[0]));
        double size = v3_norm(n);
        if (!(size > 0.0)) {
            continue;
        }
        n = v3_scale((v3_dot(n, v3_sub(a.x[0], b.x[0])) < 0.0 ? -1.0 : 1.0) / size, n);
        if (lowest(&a, n, 1.0, s->until) + lowest(&b, n, -1.0, s->until) - bend > s->apart) {
            return true;
        }
    }
    return false;
}

static void sweep_leaves(tree_sweep *s, int leaf_a, int leaf_b)
{
    int triangle_a = s->p->a->leaves[leaf_a].triangle;
    int triangle_b = s->p->b->leaves[leaf_b].triangle;
    ++s->counts->leaves;
    if (triangle_a != NO_TRIANGLE && triangle_b != NO_TRIANGLE && triangles_stay_apart(s, triangle_a, triangle_b)) {
        return;
    }
    feature_pair pairs[LEAF_PAIRS];
    int count = surface_leaf_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < count; ++k) {
        s->until = surface_pair_query(s->p, &pairs[k], s->limits, s->until, s->counts);
    }
}

static void sweep_nodes(tree_sweep *s, int at_a, int at_b)
{
    const surface_node *a = &s->p->a->nodes[at_a];
    const surface_node *b = &s->p->b->nodes[at_b];
    ++s->counts->nodes;
    if (stays_apart(s, a, b, s->apart + a->rounding + b->rounding)) {
        return;
    }
    if (a->leaf >= 0 && b->leaf >= 0) {
        sweep_leaves(s, a->leaf, b->leaf);
    } else if (surface_opens_first(a, b)) {
        sweep_nodes(s, at_a + 1, at_b);
        sweep_nodes(s, a->other, at_b);
    } else {
        sweep_nodes(s, at_a, at_b + 1);
        sweep_nodes(s, at_a, b->other);
    }
}

/* Heights of a box above a plane fall at least as slowly as this bound says. */
static void sweep_plane(tree_sweep *s, const surface_plane *plane, int at)
{
    const surface_pair *p = s->p;
    const surface_node *node = &plane->other->nodes[at];
    int side = 1 - plane->side;
    moving_box box = box_of(p, side, node);
    v3 start = plane->side == 0 ? p->c : v3_zero();
    v3 field = twist_velocity(&p->d[plane->side], v3_sub(box.center, start));
    double turn = p->turn[plane->side];
    double speeds = 2.0 * box.speed + v3_norm(field) + turn * (node->radius + box.speed);
    double rate = v3_dot(plane->normal, v3_sub(box.velocity, field)) - (p->turn[0] + p->turn[1]) * node->radius;
    double bend = 0.5 * s->until * s->until * (turn * speeds + box.bend);
    double height = surface_plane_height(p, plane, node);
    ++s->counts->nodes;
    if (height + (rate < 0.0 ? s->until * rate : 0.0) - bend > s->apart) {
        return;
    }
    if (node->leaf < 0) {
        sweep_plane(s, plane, at + 1);
        sweep_plane(s, plane, node->other);
        return;
    }
    const surface_leaf *leaf = &plane->other->leaves[node->leaf];
    ++s->counts->leaves;
    for (int k = 0; k < leaf->vertex_count; ++k) {
        feature_pair pair = surface_plane_pair(plane, leaf->vertices[k]);
        s->until = surface_pair_query(p, &pair, s->limits, s->until, s->counts);
    }
}

double surface_pair_sweep(const surface_pair *p, const sweep_limits *limits, double until, sweep_counts *counts)
{
    tree_sweep s = { .p = p, .limits = limits, .counts = counts, .until = until };
    s.apart = limits->separation + STOP_FACTOR * KEPT * limits->range + p->rounding;
    if (p->a->half_space || p->b->half_space) {
        surface_plane plane = surface_pair_plane(p);
        if (plane.other->leaf_count > 0) {
            sweep_plane(&s, &plane, 0);
        }
    } else if (p->a->leaf_count > 0 && p->b->leaf_count > 0) {
        sweep_nodes(&s, 0, 0);
    }
    return s.until;
}
