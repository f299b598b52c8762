#include "collision/surface_round.h"

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

/* A factor, and its derivatives by the motion of A: opposite ones by that of B. */
typedef struct factor {
    double value;
    v3 shift, turn; /* turns about the origin */
} factor;

double surface_flat_sine2(double radius, int points, double reach)
{
    static const double SHARE = 0.05;
    double sagitta = radius * (1.0 - cos(3.14159265358979323846 / points));
    double sine = SHARE * reach < FLAT_MOST * sagitta ? SHARE * reach / sagitta : FLAT_MOST;
    return sine * sine;
}

/* z (2 - z) of z = c / threshold < 1, else 1, with dc. */
static factor rising(double c, double threshold, v3 shift, v3 turn)
{
    double z = c / threshold;
    if (!(z < 1.0)) {
        return (factor){ .value = 1.0 };
    }
    double slope = (2.0 - 2.0 * z) / threshold;
    return (factor){ z * (2.0 - z), v3_scale(slope, shift), v3_scale(slope, turn) };
}

static factor times(factor a, factor b)
{
    return (factor){ a.value * b.value, v3_add(v3_scale(a.value, b.shift), v3_scale(b.value, a.shift)),
                     v3_add(v3_scale(a.value, b.turn), v3_scale(b.value, a.turn)) };
}

static factor rest_of(factor a)
{
    return (factor){ 1.0 - a.value, v3_neg(a.shift), v3_neg(a.turn) };
}

static factor of_edges(edge_mollifier m)
{
    return (factor){ .value = m.value, .turn = v3_scale(m.first, m.turn) };
}

/* |u x v|^2 of directions of A and of B. */
static factor by_sine(v3 u, v3 v, double threshold)
{
    v3 across = v3_cross(u, v);
    return rising(v3_norm2(across), threshold, v3_zero(), v3_scale(-2.0 * v3_dot(u, v), across));
}

/* (u . v)^2 likewise. */
static factor by_cosine(v3 u, v3 v, double threshold)
{
    double cosine = v3_dot(u, v);
    return rising(cosine * cosine, threshold, v3_zero(), v3_scale(2.0 * cosine, v3_cross(u, v)));
}

/* |n x a|^2 of the normal of a contact and an axis of the body `side`. The normal is the gradient of the distance by v_A, so
 * that its derivatives are in the Hessian. */
static factor by_normal(const feature_distance *d, int side, v3 axis, double threshold)
{
    double H[TWIST_PAIR][TWIST_PAIR];
    double cosine = v3_dot(d->normal, axis);
    double c = v3_norm2(v3_cross(d->normal, axis));
    if (!(c < threshold)) {
        return (factor){ .value = 1.0 };
    }
    feature_distance_hessian(d, d->point, H);
    double row[6];
    for (int k = 0; k < 6; ++k) {
        row[k] = axis.x * H[0][k] + axis.y * H[1][k] + axis.z * H[2][k];
    }
    v3 turn = v3_load(row + 3);
    turn = side == 0 ? v3_add(turn, v3_cross(axis, d->normal)) : turn;
    return rising(c, threshold, v3_scale(-2.0 * cosine, v3_load(row)), v3_scale(-2.0 * cosine, turn));
}

/* A sharp factor: never zero, lest a gap that the others do not see could close. */
static factor never_zero(factor a)
{
    static const double LEAST = 1e-7;
    return (factor){ LEAST + (1.0 - LEAST) * a.value, v3_scale(1.0 - LEAST, a.shift), v3_scale(1.0 - LEAST, a.turn) };
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
} round_factors;

/* Directions of A come first. */
static factor sine_against(const round_factors *f, v3 other, double threshold)
{
    return f->side == 0 ? by_sine(f->solid.axis, other, threshold) : by_sine(other, f->solid.axis, threshold);
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
    return of_edges(f->side == 0 ? edge_mollifier_of(ends, e, f->reach) : edge_mollifier_of(e, ends, f->reach));
}

static factor of_normal(const round_factors *f)
{
    feature_distance d = surface_round_distance(f->p, f->pair);
    return by_normal(&d, f->side, f->solid.axis, f->flat);
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
    factor level = f->side == 0 ? by_cosine(f->solid.axis, way, f->flat) : by_cosine(way, f->solid.axis, f->flat);
    const v3 *x = f->side == 0 ? own->x : ends;
    const v3 *y = f->side == 0 ? ends : own->x;
    return times(rest_of(level), of_edges(edge_mollifier_of(x, y, f->reach)));
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
        factor caps = times(by_normal(&d, f->side, f->solid.axis, f->flat),
                            by_normal(&d, 1 - f->side, other->round.axis, f->other_flat));
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

edge_mollifier surface_round_mollifier(const surface_pair *p, const feature_pair *pair, double reach)
{
    round_factors f = { .p = p, .pair = pair, .side = round_side(p, pair), .reach = reach };
    f.solid = place_feature(p, f.side, SURFACE_ROUND, 0).round;
    f.flat = flat_of(surface_at(p, f.side), reach);
    f.other_flat = surface_at(p, 1 - f.side)->round ? flat_of(surface_at(p, 1 - f.side), reach) : 0.0;
    placed_feature own = place_feature(p, f.side, pair->kind[f.side], pair->index[f.side]);
    placed_feature other = place_feature(p, 1 - f.side, pair->kind[1 - f.side], pair->index[1 - f.side]);
    factor w = own.kind < SURFACE_RIM ? polygon_factor(&f, &own, &other) : round_factor(&f, &own, &other);
    return (edge_mollifier){ .value = w.value, .first = 1.0, .turn = w.turn, .shift = w.shift };
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
