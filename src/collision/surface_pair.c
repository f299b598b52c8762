#include "collision/surface_pair.h"

#include "base/array.h"

static twist turned_twist(m3 R_w, const twist *d)
{
    return (twist){ m3_tmulv(R_w, d->v), m3_tmulv(R_w, d->w) };
}

static v3 absolute(v3 a)
{
    return v3_make(fabs(a.x), fabs(a.y), fabs(a.z));
}

/* For the six axes: u . (R e_j) of the boxes' own axes, and u . (w x R e_j) = (u x w) . R e_j. */
static void fill_axes(surface_pair *p)
{
    const m3 own[2] = { p->R, m3_identity() };
    for (int k = 0; k < PAIR_AXES; ++k) {
        p->axes[k] = m3_column(own[k / 3], k % 3);
        for (int side = 0; side < 2; ++side) {
            p->reach[side][k] = absolute(m3_tmulv(own[side], p->axes[k]));
            p->spread[side][k] = absolute(m3_tmulv(own[side], v3_cross(p->axes[k], p->d[side].w)));
        }
    }
}

surface_pair surface_pair_of(const surface_place *a, const surface_place *b)
{
    static const double ULPS = 64.0 * 2.220446049250313e-16; /* of each of the sizes that enter a position */
    surface_pair p = { .a = a->surface, .b = b->surface };
    p.R = m3_mul(m3_transpose(b->R_w), a->R_w);
    p.c = m3_tmulv(b->R_w, v3_sub(a->x_w, b->x_w));
    p.d[0] = turned_twist(b->R_w, &a->d_w);
    p.d[1] = turned_twist(b->R_w, &b->d_w);
    for (int side = 0; side < 2; ++side) {
        p.turn[side] = v3_norm(p.d[side].w);
        p.axis[side] = p.turn[side] > 0.0 ? v3_scale(1.0 / p.turn[side], p.d[side].w) : v3_zero();
    }
    double way = v3_norm(p.d[0].v) + v3_norm(p.d[1].v);
    double world = v3_norm(a->x_w) + v3_norm(b->x_w);
    p.rounding = ULPS * (p.a->radius + p.b->radius + v3_norm(p.c) + way + 0.125 * world);
    fill_axes(&p);
    return p;
}

/* ---- near features ---------------------------------------------------------------------------------------------------- */

typedef struct feature_search {
    const surface_pair *p;
    double range;
    near_list *out;
    bool failed;
} feature_search;

static v3 place_a(const surface_pair *p, v3 r)
{
    return v3_add(p->c, m3_mulv(p->R, r));
}

/* A point and the plane of a half-space; the plane's closest point is the foot of the perpendicular. */
static feature_distance point_plane(v3 x, v3 origin, v3 normal)
{
    double height = v3_dot(normal, v3_sub(x, origin));
    v3 along = v3_across(normal);
    return (feature_distance){ .distance = fabs(height),
                               .normal = height < 0.0 ? v3_neg(normal) : normal,
                               .point = { x, v3_axpy(x, -height, normal) },
                               .slides = 2,
                               .slide = { along, v3_cross(normal, along) },
                               .owner = { 1, 1 } };
}

static void load_corners(const surface_pair *p, const feature_pair *pair, v3 x[3], v3 y[3])
{
    int corner[3];
    int count = surface_corners(p->a, pair->kind[0], pair->index[0], corner);
    for (int k = 0; k < count; ++k) {
        x[k] = place_a(p, p->a->vertices[corner[k]]);
    }
    count = surface_corners(p->b, pair->kind[1], pair->index[1], corner);
    for (int k = 0; k < count; ++k) {
        y[k] = p->b->vertices[corner[k]];
    }
}

feature_distance surface_pair_distance(const surface_pair *p, const feature_pair *pair)
{
    v3 x[3], y[3];
    load_corners(p, pair, x, y);
    if (pair->kind[1] == SURFACE_PLANE) {
        return point_plane(x[0], v3_zero(), p->b->normal);
    }
    if (pair->kind[0] == SURFACE_PLANE) {
        return feature_distance_swap(point_plane(y[0], p->c, m3_mulv(p->R, p->a->normal)));
    }
    return feature_pair_distance(pair, x, y);
}

static bool boxes_apart(const surface_pair *p, const surface_node *a, const surface_node *b, double range)
{
    v3 d = v3_sub(place_a(p, a->center), b->center);
    double reach = range + a->rounding + b->rounding;
    for (int k = 0; k < PAIR_AXES; ++k) {
        double both = v3_dot(p->reach[0][k], a->half) + v3_dot(p->reach[1][k], b->half);
        if (fabs(v3_dot(p->axes[k], d)) > both + reach) {
            return true;
        }
    }
    return false;
}

static void add_if_near(feature_search *s, const feature_pair *pair)
{
    near_list *l = s->out;
    double distance = surface_pair_distance(s->p, pair).distance - feature_pair_rounding(s->p->a, s->p->b, pair);
    if (!(distance < s->range)) {
        return;
    }
    if (!CAROM_ARRAY_RESERVE(l->items, l->capacity, l->count + 1)) {
        s->failed = true;
        return;
    }
    l->items[l->count++] = (near_feature){ *pair, distance };
}

static void add_near_pairs(feature_search *s, int leaf_a, int leaf_b)
{
    feature_pair pairs[LEAF_PAIRS];
    int count = surface_leaf_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < count; ++k) {
        add_if_near(s, &pairs[k]);
    }
}

static void near_nodes(feature_search *s, int at_a, int at_b)
{
    const surface_node *a = &s->p->a->nodes[at_a];
    const surface_node *b = &s->p->b->nodes[at_b];
    if (s->failed || boxes_apart(s->p, a, b, s->range)) {
        return;
    }
    if (a->leaf >= 0 && b->leaf >= 0) {
        add_near_pairs(s, a->leaf, b->leaf);
    } else if (surface_opens_first(a, b)) {
        near_nodes(s, at_a + 1, at_b);
        near_nodes(s, a->other, at_b);
    } else {
        near_nodes(s, at_a, at_b + 1);
        near_nodes(s, at_a, b->other);
    }
}

/* ---- a half-space ----------------------------------------------------------------------------------------------------- */

surface_plane surface_pair_plane(const surface_pair *p)
{
    surface_plane plane = { .side = p->b->half_space ? 1 : 0 };
    plane.other = plane.side == 1 ? p->a : p->b;
    plane.normal = plane.side == 1 ? p->b->normal : m3_mulv(p->R, p->a->normal);
    plane.origin = plane.side == 1 ? v3_zero() : p->c;
    plane.reach = v3_make(fabs(v3_dot(plane.normal, m3_column(p->R, 0))),
                          fabs(v3_dot(plane.normal, m3_column(p->R, 1))),
                          fabs(v3_dot(plane.normal, m3_column(p->R, 2))));
    plane.reach = plane.side == 1 ? plane.reach : absolute(plane.normal);
    return plane;
}

feature_pair surface_plane_pair(const surface_plane *plane, int vertex)
{
    feature_pair pair = { .kind = { SURFACE_VERTEX, SURFACE_VERTEX } };
    pair.kind[plane->side] = SURFACE_PLANE;
    pair.index[1 - plane->side] = vertex;
    return pair;
}

double surface_plane_height(const surface_pair *p, const surface_plane *plane, const surface_node *node)
{
    v3 center = plane->side == 1 ? place_a(p, node->center) : node->center;
    return v3_dot(plane->normal, v3_sub(center, plane->origin)) - v3_dot(plane->reach, node->half) - node->rounding;
}

static void near_plane(feature_search *s, const surface_plane *plane, int at)
{
    const surface_node *node = &plane->other->nodes[at];
    if (s->failed || surface_plane_height(s->p, plane, node) > s->range) {
        return;
    }
    if (node->leaf < 0) {
        near_plane(s, plane, at + 1);
        near_plane(s, plane, node->other);
        return;
    }
    const surface_leaf *leaf = &plane->other->leaves[node->leaf];
    for (int k = 0; k < leaf->vertex_count; ++k) {
        feature_pair pair = surface_plane_pair(plane, leaf->vertices[k]);
        add_if_near(s, &pair);
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

bool surface_pair_near(const surface_pair *p, double range, near_list *out)
{
    feature_search s = { .p = p, .range = range + p->rounding, .out = out };
    if (p->a->half_space || p->b->half_space) {
        surface_plane plane = surface_pair_plane(p);
        if (plane.other->leaf_count > 0) {
            near_plane(&s, &plane, 0);
        }
    } else if (p->a->leaf_count > 0 && p->b->leaf_count > 0) {
        near_nodes(&s, 0, 0);
    }
    return !s.failed;
}
