#include "collision/surface_round.h"

#include <string.h>

/* ---- places --------------------------------------------------------------------------------------------------------------- */

cylinder surface_solid(const surface *s)
{
    v3 between = v3_sub(s->rims[1].center, s->rims[0].center);
    return (cylinder){ .center = v3_axpy(s->rims[0].center, 0.5, between),
                       .axis = s->rims[1].axis,
                       .half = 0.5 * v3_norm(between),
                       .radius = s->rims[0].radius };
}

cylinder surface_disc(const surface *s, int rim)
{
    return (cylinder){ .center = s->rims[rim].center, .axis = s->rims[rim].axis, .radius = s->rims[rim].radius };
}

static const surface *surface_at(const surface_pair *p, int side)
{
    return side == 0 ? p->a : p->b;
}

static v3 place_point(const surface_pair *p, int side, v3 r)
{
    return side == 0 ? v3_add(p->c, m3_mulv(p->R, r)) : r;
}

static v3 place_way(const surface_pair *p, int side, v3 r)
{
    return side == 0 ? m3_mulv(p->R, r) : r;
}

/* A feature in the axes of B. */
typedef struct placed_feature {
    int kind;
    v3 x[3];
    cylinder round; /* rim or solid */
} placed_feature;

static placed_feature place_feature(const surface_pair *p, int side, int kind, int index)
{
    const surface *s = surface_at(p, side);
    placed_feature f = { .kind = kind };
    int corner[3];
    int count = surface_corners(s, kind, index, corner);
    for (int k = 0; k < count; ++k) {
        f.x[k] = place_point(p, side, s->vertices[corner[k]]);
    }
    if (kind >= SURFACE_RIM) {
        f.round = kind == SURFACE_RIM ? surface_disc(s, index) : surface_solid(s);
        f.round.center = place_point(p, side, f.round.center);
        f.round.axis = place_way(p, side, f.round.axis);
    }
    return f;
}

/* The second is a rim or a solid. */
static feature_distance distance_from_round(const placed_feature *a, const placed_feature *b)
{
    switch (a->kind) {
    case SURFACE_VERTEX:
        return vertex_cylinder_distance(a->x[0], &b->round);
    case SURFACE_EDGE:
        return edge_cylinder_distance(a->x, &b->round);
    case SURFACE_TRIANGLE:
        return triangle_disc_distance(a->x, &b->round);
    case SURFACE_RIM:
        return rim_cylinder_distance(&a->round, &b->round);
    default:
        return cylinder_cylinder_distance(&a->round, &b->round);
    }
}

static feature_distance distance_of(const placed_feature *a, const placed_feature *b)
{
    return a->kind <= b->kind ? distance_from_round(a, b) : feature_distance_swap(distance_from_round(b, a));
}

feature_distance surface_round_distance(const surface_pair *p, const feature_pair *pair)
{
    placed_feature a = place_feature(p, 0, pair->kind[0], pair->index[0]);
    placed_feature b = place_feature(p, 1, pair->kind[1], pair->index[1]);
    return distance_of(&a, &b);
}

/* ---- pairs ---------------------------------------------------------------------------------------------------------------- */

static feature_pair pair_of(int round_side, int round_kind, int round_index, int kind, int index)
{
    feature_pair f;
    f.kind[round_side] = (uint8_t)round_kind;
    f.index[round_side] = round_index;
    f.kind[1 - round_side] = (uint8_t)kind;
    f.index[1 - round_side] = index;
    return f;
}

bool surface_pair_is_asked(const surface_pair *p, const feature_pair *pair)
{
    if (pair->kind[0] == SURFACE_PLANE || pair->kind[1] == SURFACE_PLANE) {
        return true;
    }
    for (int side = 0; side < 2; ++side) {
        int other = pair->kind[1 - side];
        bool polygon = surface_at(p, side)->round && pair->kind[side] < SURFACE_RIM;
        bool rim = pair->kind[side] == SURFACE_RIM && other != SURFACE_TRIANGLE;
        if (polygon || rim) {
            return false;
        }
    }
    return true;
}

int surface_round_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, leaf_pair out[LEAF_PAIRS])
{
    const surface_leaf *l[2] = { &a->leaves[leaf_a], &b->leaves[leaf_b] };
    int side = l[0]->round ? 0 : 1;
    const surface_leaf *other = l[1 - side];
    int count = 0;
    if (l[0]->round && l[1]->round) {
        out[count++].pair = pair_of(0, SURFACE_ROUND, 0, SURFACE_ROUND, 0);
        return count;
    }
    for (int k = 0; k < other->vertex_count; ++k) {
        out[count++].pair = pair_of(side, SURFACE_ROUND, 0, SURFACE_VERTEX, other->vertices[k]);
    }
    for (int k = 0; k < other->edge_count; ++k) {
        out[count++].pair = pair_of(side, SURFACE_ROUND, 0, SURFACE_EDGE, other->edges[k]);
    }
    for (int k = 0; other->triangle != NO_TRIANGLE && k < 2; ++k) {
        out[count++].pair = pair_of(side, SURFACE_RIM, k, SURFACE_TRIANGLE, other->triangle);
    }
    return count;
}

/* ---- near pairs ------------------------------------------------------------------------------------------------------------- */

#define FLAT_MOST 0.1       /* sine: polygons act below this at most */
#define PARALLEL_MOST 0.032 /* sine: edges count as parallel to an axis below this at most */

typedef struct round_search {
    const round_near *s;
    int side; /* whose leaf is round; of two, that whose rims are looked at */
    const surface *solid, *other;
    v3 axis;     /* in the axes of B */
    double more; /* sine by which directions may change while a list is in use */
} round_search;

static double distance_now(const surface_pair *p, const feature_pair *pair)
{
    feature_distance d = surface_pair_distance(p, pair);
    return feature_gap(&d) - feature_pair_rounding(p->a, p->b, pair);
}

static double add_near(const round_search *r, int kind, int index, int other_kind, int other_index)
{
    feature_pair pair = pair_of(r->side, kind, index, other_kind, other_index);
    double distance = distance_now(r->s->p, &pair);
    if (distance < r->s->range) {
        r->s->add(r->s->context, &pair, distance);
    }
    return distance;
}

/* Vertices of a rim that may stand on a feature of the other surface. */
static void add_rim_vertices(const round_search *r, int rim, int kind, int index)
{
    for (int k = 0; k < r->solid->vertex_count; ++k) {
        if (r->solid->vertex_rims[k] == rim) {
            add_near(r, SURFACE_VERTEX, k, kind, index);
        }
    }
}

static void add_rim_edges(const round_search *r, int rim, int kind, int index)
{
    for (int k = 0; k < r->solid->edge_count; ++k) {
        if (r->solid->vertex_rims[r->solid->edges[k][0]] == rim) {
            add_near(r, SURFACE_EDGE, k, kind, index);
        }
    }
}

static v3 way_of_edge(const round_search *r, int edge)
{
    const int *e = r->other->edges[edge];
    return place_way(r->s->p, 1 - r->side, v3_unit(v3_sub(r->other->vertices[e[1]], r->other->vertices[e[0]])));
}

static void add_edge(const round_search *r, int edge)
{
    if (!(add_near(r, SURFACE_ROUND, 0, SURFACE_EDGE, edge) < r->s->range)) {
        return;
    }
    v3 way = way_of_edge(r, edge);
    bool parallel = v3_norm(v3_cross(way, r->axis)) < PARALLEL_MOST + r->more;
    bool level = fabs(v3_dot(way, r->axis)) < FLAT_MOST + r->more;
    for (int rim = 0; (parallel || level) && rim < 2; ++rim) {
        feature_pair pair = pair_of(r->side, SURFACE_RIM, rim, SURFACE_EDGE, edge);
        double distance = distance_now(r->s->p, &pair);
        if (distance < r->s->range && parallel) {
            r->s->add(r->s->context, &pair, distance);
        }
        if (distance < r->s->range && level) {
            add_rim_edges(r, rim, SURFACE_EDGE, edge);
        }
    }
}

static void add_triangle(const round_search *r, const surface_leaf *leaf)
{
    v3 n = place_way(r->s->p, 1 - r->side, leaf->normal);
    bool level = v3_norm(v3_cross(n, r->axis)) < FLAT_MOST + r->more;
    for (int rim = 0; rim < 2; ++rim) {
        double distance = add_near(r, SURFACE_RIM, rim, SURFACE_TRIANGLE, leaf->triangle);
        if (level && distance < r->s->range) {
            add_rim_vertices(r, rim, SURFACE_TRIANGLE, leaf->triangle);
        }
    }
}

/* Rims of the one cylinder and the solid of the other. */
static void add_rims(const round_search *r)
{
    v3 b = place_way(r->s->p, 1 - r->side, r->other->rims[1].axis);
    bool parallel = v3_norm(v3_cross(b, r->axis)) < FLAT_MOST + r->more;
    bool level = fabs(v3_dot(b, r->axis)) < FLAT_MOST + r->more;
    for (int rim = 0; rim < 2; ++rim) {
        bool near = add_near(r, SURFACE_RIM, rim, SURFACE_ROUND, 0) < r->s->range;
        if (near && parallel) {
            add_rim_vertices(r, rim, SURFACE_ROUND, 0);
        }
        if (near && level) {
            add_rim_edges(r, rim, SURFACE_ROUND, 0);
        }
    }
}

static round_search search_of(const round_near *s, int side)
{
    const surface *solid = surface_at(s->p, side);
    const surface *other = surface_at(s->p, 1 - side);
    double smaller = solid->radius < other->radius ? solid->radius : other->radius;
    return (round_search){ .s = s,
                           .side = side,
                           .solid = solid,
                           .other = other,
                           .axis = place_way(s->p, side, solid->rims[1].axis),
                           .more = 2.0 * s->range / smaller };
}

void surface_round_near(const round_near *s, int leaf_a, int leaf_b)
{
    const surface_leaf *l[2] = { &s->p->a->leaves[leaf_a], &s->p->b->leaves[leaf_b] };
    round_search r = search_of(s, l[0]->round ? 0 : 1);
    if (l[0]->round && l[1]->round) {
        if (add_near(&r, SURFACE_ROUND, 0, SURFACE_ROUND, 0) < s->range) {
            round_search back = search_of(s, 1);
            add_rims(&r);
            add_rims(&back);
        }
        return;
    }
    const surface_leaf *other = l[1 - r.side];
    for (int k = 0; k < other->vertex_count; ++k) {
        add_near(&r, SURFACE_ROUND, 0, SURFACE_VERTEX, other->vertices[k]);
    }
    for (int k = 0; k < other->edge_count; ++k) {
        add_edge(&r, other->edges[k]);
    }
    if (other->triangle != NO_TRIANGLE) {
        add_triangle(&r, other);
    }
}

/* ---- factors ---------------------------------------------------------------------------------------------------------------- */

typedef double twist_square[TWIST_PAIR][TWIST_PAIR];

/* A factor, and its derivatives by the motion of A: opposite ones by that of B. */
typedef struct factor {
    double value;
    v3 shift, turn;       /* turns about the origin */
    twist_square *second; /* by the twists of both; NULL: nobody asks, or zero */
} factor;

/* Room for the second derivatives of the factors of a pair. */
typedef struct factor_room {
    twist_square at[3];
    int used;
} factor_room;

double surface_flat_sine2(double radius, int points, double reach)
{
    static const double SHARE = 0.05;
    double sagitta = radius * (1.0 - cos(3.14159265358979323846 / points));
    double sine = SHARE * reach < FLAT_MOST * sagitta ? SHARE * reach / sagitta : FLAT_MOST;
    return sine * sine;
}

static twist_square *take_room(factor_room *room)
{
    return room ? &room->at[room->used++] : NULL;
}

static void scale_square(twist_square *S, double by)
{
    for (int i = 0; S && i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            (*S)[i][k] *= by;
        }
    }
}

/* S += by (a b' + b a') / 2 of gradients by the motion of A. */
static void add_product(twist_square *S, double by, const factor *a, const factor *b)
{
    const factor *f[2] = { a, b };
    double g[2][TWIST_PAIR];
    for (int n = 0; n < 2; ++n) {
        v3_store(g[n], f[n]->shift);
        v3_store(g[n] + 3, f[n]->turn);
        v3_store(g[n] + 6, v3_neg(f[n]->shift));
        v3_store(g[n] + 9, v3_neg(f[n]->turn));
    }
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            (*S)[i][k] += 0.5 * by * (g[0][i] * g[1][k] + g[1][i] * g[0][k]);
        }
    }
}

/* z (2 - z) of z = c / threshold < 1, else 1; `c` with its derivatives. */
static factor rising(factor c, double threshold)
{
    double z = c.value / threshold;
    if (!(z < 1.0)) {
        return (factor){ .value = 1.0 };
    }
    double slope = (2.0 - 2.0 * z) / threshold;
    if (c.second) {
        scale_square(c.second, slope);
        add_product(c.second, -2.0 / (threshold * threshold), &c, &c);
    }
    return (factor){ z * (2.0 - z), v3_scale(slope, c.shift), v3_scale(slope, c.turn), c.second };
}

static factor times(factor a, factor b)
{
    twist_square *S = a.second ? a.second : b.second;
    if (S) {
        twist_square *other = a.second ? b.second : NULL;
        scale_square(S, a.second ? b.value : a.value);
        for (int i = 0; other && i < TWIST_PAIR; ++i) {
            for (int k = 0; k < TWIST_PAIR; ++k) {
                (*S)[i][k] += a.value * (*other)[i][k];
            }
        }
        add_product(S, 2.0, &a, &b);
    }
    return (factor){ a.value * b.value, v3_add(v3_scale(a.value, b.shift), v3_scale(b.value, a.shift)),
                     v3_add(v3_scale(a.value, b.turn), v3_scale(b.value, a.turn)), S };
}

static factor rest_of(factor a)
{
    scale_square(a.second, -1.0);
    return (factor){ 1.0 - a.value, v3_neg(a.shift), v3_neg(a.turn), a.second };
}

static factor of_edges(edge_mollifier m, factor_room *room)
{
    factor c = { .turn = m.turn };
    if (!(m.value < 1.0)) {
        return (factor){ .value = 1.0 };
    }
    c.second = take_room(room);
    if (c.second) {
        edge_mollifier_hessian(&m, *c.second);
        scale_square(c.second, m.first);
        add_product(c.second, m.second, &c, &c);
    }
    return (factor){ .value = m.value, .turn = v3_scale(m.first, m.turn), .second = c.second };
}

/* |u x v|^2 of directions of A and of B, which are unit vectors. */
static factor sine2_of(v3 u, v3 v, factor_room *room)
{
    v3 across = v3_cross(u, v);
    factor c = { .value = v3_norm2(across),
                 .turn = v3_scale(-2.0 * v3_dot(u, v), across),
                 .second = take_room(room) };
    if (c.second) {
        edge_mollifier_hessian(&(edge_mollifier){ .edge = { u, v } }, *c.second);
    }
    return c;
}

static factor by_sine(v3 u, v3 v, double threshold, factor_room *room)
{
    return rising(sine2_of(u, v, room), threshold);
}

/* (u . v)^2 likewise. */
static factor by_cosine(v3 u, v3 v, double threshold, factor_room *room)
{
    factor c = rest_of(sine2_of(u, v, room));
    c.value = v3_dot(u, v) * v3_dot(u, v);
    return rising(c, threshold);
}

/* Second derivatives of |e|^2, e = n x a as the body of the axis sees it, for small e: twice the products of its first ones. H: Hessian of
 * the distance, whose first rows are the derivatives of the normal. */
static void square_tilts(const feature_distance *d, int side, v3 axis, twist_square H, twist_square *out)
{
    v3 tilt[TWIST_PAIR];
    for (int i = 0; i < TWIST_PAIR; ++i) {
        int turn = i - 6 * side - 3; /* of that body, about its axis x, y or z */
        v3 about = v3_make(turn == 0, turn == 1, turn == 2);
        v3 normal = v3_sub(v3_make(H[0][i], H[1][i], H[2][i]), v3_cross(about, d->normal));
        tilt[i] = v3_cross(normal, axis);
    }
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            (*out)[i][k] = 2.0 * v3_dot(tilt[i], tilt[k]);
        }
    }
}

/* |n x a|^2 of the normal of a contact and an axis of the body `side`. The normal is the gradient of the distance by v_A, so
 * that its derivatives are in the Hessian. */
static factor by_normal(const feature_distance *d, int side, v3 axis, double threshold, factor_room *room)
{
    twist_square H;
    double cosine = v3_dot(d->normal, axis);
    factor c = { .value = v3_norm2(v3_cross(d->normal, axis)) };
    if (!(c.value < threshold)) {
        return (factor){ .value = 1.0 };
    }
    feature_distance_hessian(d, d->point, H);
    double row[6];
    for (int k = 0; k < 6; ++k) {
        row[k] = axis.x * H[0][k] + axis.y * H[1][k] + axis.z * H[2][k];
    }
    v3 turn = v3_load(row + 3);
    turn = side == 0 ? v3_add(turn, v3_cross(axis, d->normal)) : turn;
    c.shift = v3_scale(-2.0 * cosine, v3_load(row));
    c.turn = v3_scale(-2.0 * cosine, turn);
    c.second = take_room(room);
    if (c.second) {
        square_tilts(d, side, axis, H, c.second);
    }
    return rising(c, threshold);
}

/* A sharp factor: never zero, lest a gap that the others do not see could close. */
static factor never_zero(factor a)
{
    static const double LEAST = 1e-7;
    scale_square(a.second, 1.0 - LEAST);
    return (factor){ LEAST + (1.0 - LEAST) * a.value, v3_scale(1.0 - LEAST, a.shift), v3_scale(1.0 - LEAST, a.turn),
                     a.second };
}

/* One surface is round, the features of the other are placed. */
typedef struct round_factors {
    const surface_pair *p;
    const feature_pair *pair;
    int side; /* of the rim or solid; of the rim if there are both */
    cylinder solid;
    double flat;       /* sine^2 */
    double other_flat; /* of the other surface, if it is round */
    double reach;
    factor_room *room; /* NULL: without second derivatives */
} round_factors;

/* Directions of A come first. */
static factor sine_against(const round_factors *f, v3 other, double threshold)
{
    return f->side == 0 ? by_sine(f->solid.axis, other, threshold, f->room)
                        : by_sine(other, f->solid.axis, threshold, f->room);
}

static void axis_of(const cylinder *c, v3 out[2])
{
    out[0] = v3_axpy(c->center, -c->half, c->axis);
    out[1] = v3_axpy(c->center, c->half, c->axis);
}

static factor parallel_to_axis(const round_factors *f, const v3 e[2])
{
    v3 ends[2];
    axis_of(&f->solid, ends);
    return of_edges(f->side == 0 ? edge_mollifier_of(ends, e, f->reach) : edge_mollifier_of(e, ends, f->reach),
                    f->room);
}

static factor of_normal(const round_factors *f)
{
    feature_distance d = surface_round_distance(f->p, f->pair);
    return by_normal(&d, f->side, f->solid.axis, f->flat, f->room);
}

static v3 triangle_normal(const placed_feature *t)
{
    v3 n = v3_cross(v3_sub(t->x[1], t->x[0]), v3_sub(t->x[2], t->x[0]));
    double size = v3_norm(n);
    return size > 0.0 ? v3_scale(1.0 / size, n) : v3_zero();
}

/* A vertex or an edge of the polygon of a rim. */
static factor polygon_factor(const round_factors *f, const placed_feature *own, const placed_feature *other)
{
    if (own->kind == SURFACE_VERTEX) {
        v3 n = other->kind == SURFACE_ROUND ? other->round.axis : triangle_normal(other);
        return rest_of(sine_against(f, n, f->flat));
    }
    v3 ends[2] = { other->x[0], other->x[1] };
    if (other->kind == SURFACE_ROUND) {
        axis_of(&other->round, ends);
    }
    v3 way = v3_unit(v3_sub(ends[1], ends[0]));
    factor level = f->side == 0 ? by_cosine(f->solid.axis, way, f->flat, f->room)
                                : by_cosine(way, f->solid.axis, f->flat, f->room);
    const v3 *x = f->side == 0 ? own->x : ends;
    const v3 *y = f->side == 0 ? ends : own->x;
    return times(rest_of(level), of_edges(edge_mollifier_of(x, y, f->reach), f->room));
}

static factor round_factor(const round_factors *f, const placed_feature *own, const placed_feature *other)
{
    switch (other->kind) {
    case SURFACE_VERTEX:
        return (factor){ .value = 1.0 };
    case SURFACE_EDGE: {
        factor crossing = parallel_to_axis(f, other->x);
        return own->kind == SURFACE_RIM ? rest_of(crossing) : never_zero(times(crossing, of_normal(f)));
    }
    case SURFACE_TRIANGLE:
        return never_zero(of_normal(f));
    default: { /* another cylinder */
        v3 ends[2];
        axis_of(&other->round, ends);
        if (own->kind == SURFACE_RIM) {
            return never_zero(of_normal(f));
        }
        feature_distance d = surface_round_distance(f->p, f->pair);
        factor caps = times(by_normal(&d, f->side, f->solid.axis, f->flat, f->room),
                            by_normal(&d, 1 - f->side, other->round.axis, f->other_flat, f->room));
        return never_zero(times(parallel_to_axis(f, ends), caps));
    }
    }
}

/* The side of the polygon, else of the rim, else of the solid. */
static int round_side(const surface_pair *p, const feature_pair *pair)
{
    int best = 0;
    for (int side = 0; side < 2; ++side) {
        bool polygon = surface_at(p, side)->round && pair->kind[side] < SURFACE_RIM;
        if (polygon) {
            return side;
        }
        best = pair->kind[side] == SURFACE_RIM ? side : best;
    }
    bool rim = pair->kind[best] == SURFACE_RIM;
    return rim || pair->kind[0] == SURFACE_ROUND ? best : 1;
}

static double flat_of(const surface *s, double reach)
{
    return surface_flat_sine2(s->rims[0].radius, s->rim_points[0], reach);
}

/* The factor of a pair, with second derivatives where there is room for them. */
static factor factor_of(const surface_pair *p, const feature_pair *pair, double reach, factor_room *room)
{
    round_factors f = { .p = p, .pair = pair, .side = round_side(p, pair), .reach = reach, .room = room };
    f.solid = place_feature(p, f.side, SURFACE_ROUND, 0).round;
    f.flat = flat_of(surface_at(p, f.side), reach);
    f.other_flat = surface_at(p, 1 - f.side)->round ? flat_of(surface_at(p, 1 - f.side), reach) : 0.0;
    placed_feature own = place_feature(p, f.side, pair->kind[f.side], pair->index[f.side]);
    placed_feature other = place_feature(p, 1 - f.side, pair->kind[1 - f.side], pair->index[1 - f.side]);
    return own.kind < SURFACE_RIM ? polygon_factor(&f, &own, &other) : round_factor(&f, &own, &other);
}

edge_mollifier surface_round_mollifier(const surface_pair *p, const feature_pair *pair, double reach)
{
    factor w = factor_of(p, pair, reach, NULL);
    return (edge_mollifier){ .value = w.value, .first = 1.0, .turn = w.turn, .shift = w.shift };
}

void surface_round_mollifier_hessian(const surface_pair *p, const feature_pair *pair, double reach,
                                     double out[TWIST_PAIR][TWIST_PAIR])
{
    factor_room room = { .used = 0 };
    factor w = factor_of(p, pair, reach, &room);
    if (w.second) {
        memcpy(out, *w.second, sizeof *w.second);
    } else {
        memset(out, 0, TWIST_PAIR * sizeof *out);
    }
}

/* ---- a certificate -------------------------------------------------------------------------------------------------------- */

static long double long_dot3(v3 a, v3 b)
{
    return (long double)a.x * (long double)b.x + (long double)a.y * (long double)b.y +
           (long double)a.z * (long double)b.z;
}

/* The farthest that a feature reaches along n, from `from`. */
static long double support(const placed_feature *f, int count, v3 n, v3 from)
{
    long double most = -HUGE_VALL;
    if (f->kind >= SURFACE_RIM) {
        const cylinder *c = &f->round;
        long double along = long_dot3(n, c->axis);
        long double across2 = long_dot3(n, n) * long_dot3(c->axis, c->axis) - along * along;
        return long_dot3(n, v3_sub(c->center, from)) + fabsl(along) * (long double)c->half +
               (long double)c->radius * sqrtl(across2 > 0 ? across2 : 0);
    }
    for (int k = 0; k < count; ++k) {
        most = fmaxl(most, long_dot3(n, v3_sub(f->x[k], from)));
    }
    return most;
}

/* A triangle and a solid: the nearest of its sides and the solid, of the triangle and the rims. */
static feature_distance triangle_solid_distance(const placed_feature *t, const placed_feature *solid)
{
    feature_distance best = { .distance = HUGE_VAL };
    for (int k = 0; k < 5; ++k) {
        cylinder end = cylinder_end(&solid->round, k % 2);
        feature_distance d = k < 3
                                 ? edge_cylinder_distance((const v3[2]){ t->x[k], t->x[(k + 1) % 3] }, &solid->round)
                                 : triangle_disc_distance(t->x, &end);
        best = feature_gap(&d) < feature_gap(&best) ? d : best;
    }
    return best;
}

static feature_distance distance_of_solid(const placed_feature *a, const placed_feature *b)
{
    if (a->kind == SURFACE_TRIANGLE) {
        return triangle_solid_distance(a, b);
    }
    return b->kind == SURFACE_TRIANGLE ? feature_distance_swap(triangle_solid_distance(b, a)) : distance_of(a, b);
}

long double surface_round_parted(const surface_pair *p, const feature_pair *pair)
{
    placed_feature a = place_feature(p, 0, pair->kind[0], pair->index[0]);
    placed_feature b = place_feature(p, 1, pair->kind[1], pair->index[1]);
    feature_distance d = distance_of_solid(&a, &b);
    long double size = sqrtl(long_dot3(d.normal, d.normal));
    if (!(size > 0)) {
        return -HUGE_VALL;
    }
    v3 from = d.point[1];
    long double low = -support(&a, a.kind, v3_neg(d.normal), from);
    long double high = support(&b, b.kind, d.normal, from);
    return (low - high) / size - (long double)feature_pair_rounding(p->a, p->b, pair);
}
