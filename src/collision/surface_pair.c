/* Two surfaces beside each other, and which of their features are near. */
#include "collision/surface_rim.h"
#include "collision/surface_round.h"

#include "base/array.h"

static twist turned_twist(m3 R_w, const twist *d)
{
    return (twist){ m3_tmulv(R_w, d->v), m3_tmulv(R_w, d->w) };
}

static v3 absolute(v3 a)
{
    return v3_make(fabs(a.x), fabs(a.y), fabs(a.z));
}

/* Without twists, of which `way` [m] is the sum of what the origins move by. */
static surface_pair pair_at(const surface_place *a, const surface_place *b, double way)
{
    static const double ULPS = 64.0 * 2.220446049250313e-16; /* of each of the sizes that enter a position */
    surface_pair p = { .a = a->surface, .b = b->surface };
    p.R = m3_mul(m3_transpose(b->R_w), a->R_w);
    p.c = m3_tmulv(b->R_w, v3_sub(a->x_w, b->x_w));
    double world = v3_norm(a->x_w) + v3_norm(b->x_w);
    p.rounding = ULPS * (p.a->radius + p.b->radius + v3_norm(p.c) + way + 0.125 * world);
    return p;
}

surface_pair surface_pair_still(const surface_place *a, const surface_place *b)
{
    return pair_at(a, b, 0.0);
}

surface_pair surface_pair_of(const surface_place *a, const surface_place *b)
{
    twist d[2] = { turned_twist(b->R_w, &a->d_w), turned_twist(b->R_w, &b->d_w) };
    surface_pair p = pair_at(a, b, v3_norm(d[0].v) + v3_norm(d[1].v));
    for (int side = 0; side < 2; ++side) {
        p.d[side] = d[side];
        p.turn[side] = v3_norm(d[side].w);
        p.axis[side] = p.turn[side] > 0.0 ? v3_scale(1.0 / p.turn[side], d[side].w) : v3_zero();
    }
    return p;
}

/* ---- near features ---------------------------------------------------------------------------------------------------- */

typedef struct feature_search {
    const surface_pair *p;
    const surface_kernels *kernels;
    surface_view view[2];
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

v3 surface_pair_vertex(const surface_pair *p, int side, int vertex)
{
    return side == 0 ? place_a(p, p->a->vertices[vertex]) : p->b->vertices[vertex];
}

static void load_corners(const surface_pair *p, const feature_pair *pair, v3 x[3], v3 y[3])
{
    int corner[3];
    int count = surface_corners(p->a, pair->kind[0], pair->index[0], corner);
    for (int k = 0; k < count; ++k) {
        x[k] = surface_pair_vertex(p, 0, corner[k]);
    }
    count = surface_corners(p->b, pair->kind[1], pair->index[1], corner);
    for (int k = 0; k < count; ++k) {
        y[k] = surface_pair_vertex(p, 1, corner[k]);
    }
}

feature_distance surface_pair_distance(const surface_pair *p, const feature_pair *pair)
{
    v3 x[3], y[3];
    load_corners(p, pair, x, y);
    if (pair->kind[1] == SURFACE_PLANE) {
        v3 at = pair->kind[0] == SURFACE_RIM ? surface_lowest_of_rim(p, pair) : x[0];
        return point_plane(at, v3_zero(), p->b->normal);
    }
    if (pair->kind[0] == SURFACE_PLANE) {
        v3 at = pair->kind[1] == SURFACE_RIM ? surface_lowest_of_rim(p, pair) : y[0];
        return feature_distance_swap(point_plane(at, p->c, m3_mulv(p->R, p->a->normal)));
    }
    if (surface_pair_is_round(pair)) {
        return surface_round_distance(p, pair);
    }
    return feature_pair_distance(pair, x, y);
}

static void add_if_near(feature_search *s, const feature_pair *pair, double distance)
{
    near_list *l = s->out;
    if (!(distance < s->range)) {
        return;
    }
    if (!l) { /* one is enough */
        s->failed = true;
        return;
    }
    if (!CAROM_ARRAY_RESERVE(l->items, l->capacity, l->count + 1)) {
        s->failed = true;
        return;
    }
    l->items[l->count++] = (near_feature){ *pair, distance };
}

static double distance_now(const surface_pair *p, const feature_pair *pair)
{
    return surface_pair_distance(p, pair).distance - feature_pair_rounding(p->a, p->b, pair);
}

/* The distance of two features of leaves, whose corners are known. */
static double leaf_distance(const leaf_pair *l, const v3 corners[2][LEAF_CORNERS])
{
    const v3 *x = corners[0];
    const v3 *y = corners[1];
    const uint8_t *i = l->corner[0];
    const uint8_t *k = l->corner[1];
    switch (4 * l->pair.kind[0] + l->pair.kind[1]) {
    case 4 * SURFACE_VERTEX + SURFACE_TRIANGLE:
        return vertex_triangle_apart(x[i[0]], y);
    case 4 * SURFACE_TRIANGLE + SURFACE_VERTEX:
        return vertex_triangle_apart(y[k[0]], x);
    case 4 * SURFACE_EDGE + SURFACE_EDGE:
        return edge_edge_apart((const v3[2]){ x[i[0]], x[i[1]] }, (const v3[2]){ y[k[0]], y[k[1]] });
    default: {
        v3 a[3] = { x[i[0]], x[i[1]], x[i[1]] };
        v3 b[3] = { y[k[0]], y[k[1]], y[k[1]] };
        return feature_pair_distance(&l->pair, a, b).distance;
    }
    }
}

static void add_round(void *context, const feature_pair *pair, double distance)
{
    add_if_near(context, pair, distance);
}

static bool add_near_pairs(void *context, int leaf_a, int leaf_b)
{
    feature_search *s = context;
    const surface_leaf *a = &s->p->a->leaves[leaf_a];
    const surface_leaf *b = &s->p->b->leaves[leaf_b];
    v3 corners[2][LEAF_CORNERS];
    leaf_pair pairs[LEAF_PAIRS];
    double rounding = a->rounding + b->rounding;
    double range = s->range + rounding;
    if (a->round || b->round) {
        round_near near = { .p = s->p, .range = s->range, .context = s, .add = add_round };
        surface_round_near(&near, leaf_a, leaf_b);
        return !s->failed;
    }
    if (s->kernels->leaves_far(s->p, a, b, range, corners)) {
        return true;
    }
    reach_box boxes[2][LEAF_CORNERS];
    for (int k = 0; k < LEAF_CORNERS; ++k) {
        boxes[0][k] = (reach_box){ corners[0][k], corners[0][k] };
        boxes[1][k] = (reach_box){ corners[1][k], corners[1][k] };
    }
    int count = surface_leaf_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < count; ++k) {
        reach_box box_a = reach_of_corners(boxes[0], pairs[k].corner[0], pairs[k].pair.kind[0]);
        reach_box box_b = reach_of_corners(boxes[1], pairs[k].corner[1], pairs[k].pair.kind[1]);
        if (!reaches_apart(&box_a, &box_b, range)) { /* a feature has the rounding of its leaf */
            double distance = leaf_distance(&pairs[k], (const v3(*)[LEAF_CORNERS])corners);
            add_if_near(s, &pairs[k].pair, distance - rounding);
        }
    }
    return !s->failed;
}

static unsigned open_near(void *context, int side, const surface_group *group, group_lane other)
{
    const feature_search *s = context;
    return s->kernels->near(&s->view[side], other, group, s->range);
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

feature_pair surface_plane_pair(const surface_plane *plane, int kind, int index)
{
    feature_pair pair = { .kind = { (uint8_t)kind, (uint8_t)kind } };
    pair.kind[plane->side] = SURFACE_PLANE;
    pair.index[1 - plane->side] = index;
    return pair;
}

double surface_plane_height(const surface_pair *p, const surface_plane *plane, const surface_box *box)
{
    v3 center = plane->side == 1 ? place_a(p, box->center) : box->center;
    return v3_dot(plane->normal, v3_sub(center, plane->origin)) - v3_dot(plane->reach, box->half) - box->rounding;
}

static void near_plane(feature_search *s, const surface_plane *plane, int slot)
{
    surface_box box = surface_box_at(plane->other, slot);
    if (s->failed || surface_plane_height(s->p, plane, &box) > s->range) {
        return;
    }
    if (box.child >= 0) {
        for (int k = 0; k < plane->other->groups[box.child].count; ++k) {
            near_plane(s, plane, SURFACE_LANES * box.child + k);
        }
        return;
    }
    const surface_leaf *leaf = &plane->other->leaves[~box.child];
    int count = leaf->round ? plane->other->vertex_count : leaf->vertex_count;
    for (int k = 0; k < count; ++k) {
        feature_pair pair = surface_plane_pair(plane, SURFACE_VERTEX, leaf->round ? k : leaf->vertices[k]);
        add_if_near(s, &pair, distance_now(s->p, &pair));
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

/* Rims are circles, of which the box may hold the polygon alone. */
static double above_plane(const surface_pair *p)
{
    surface_plane plane = surface_pair_plane(p);
    if (plane.other->rim_count > 0 || plane.other->leaf_count == 0) {
        v3 origin = plane.side == 1 ? p->c : v3_zero();
        return v3_dot(plane.normal, v3_sub(origin, plane.origin)) - plane.other->radius;
    }
    surface_box box = surface_box_at(plane.other, 0);
    return surface_plane_height(p, &plane, &box);
}

/* The widest gap of two boxes along their axes and along the line of their centres. */
static double boxes_apart(const surface_pair *p)
{
    surface_box a = surface_box_at(p->a, 0);
    surface_box b = surface_box_at(p->b, 0);
    v3 between = v3_sub(place_a(p, a.center), b.center);
    m3 R = p->R;
    for (int k = 0; k < 9; ++k) {
        R.m[k] = fabs(R.m[k]);
    }
    v3 along_b = v3_sub(v3_sub(absolute(between), b.half), m3_mulv(R, a.half));
    v3 along_a = v3_sub(v3_sub(absolute(m3_tmulv(p->R, between)), a.half), m3_tmulv(R, b.half));
    double most = v3_norm(between) - a.radius - b.radius;
    for (int k = 0; k < 3; ++k) {
        most = v3_get(along_a, k) > most ? v3_get(along_a, k) : most;
        most = v3_get(along_b, k) > most ? v3_get(along_b, k) : most;
    }
    return most - a.rounding - b.rounding;
}

double surface_pair_apart(const surface_pair *p)
{
    if (p->a->half_space || p->b->half_space) {
        return above_plane(p) - p->rounding;
    }
    bool any = p->a->leaf_count > 0 && p->b->leaf_count > 0;
    return any ? boxes_apart(p) - p->rounding : HUGE_VAL;
}

/* False: memory has run out or, without a list, a pair is near. */
static bool search_near(const surface_pair *p, double range, near_list *out)
{
    feature_search s = { .p = p, .kernels = surface_kernels_here(), .range = range + p->rounding, .out = out };
    if (p->a->half_space || p->b->half_space) {
        surface_plane plane = surface_pair_plane(p);
        if (plane.other->leaf_count > 0) {
            near_plane(&s, &plane, 0);
        }
        for (int k = 0; k < plane.other->rim_count; ++k) {
            feature_pair pair = surface_plane_pair(&plane, SURFACE_RIM, k);
            add_if_near(&s, &pair, distance_now(p, &pair));
        }
        return !s.failed;
    }
    s.view[0] = surface_view_of(p, 0);
    s.view[1] = surface_view_of(p, 1);
    return surface_descend(&(surface_descent){
        .a = p->a, .b = p->b, .context = &s, .open = open_near, .leaves = add_near_pairs });
}

bool surface_pair_near(const surface_pair *p, double range, near_list *out)
{
    return search_near(p, range, out);
}

bool surface_pair_within(const surface_pair *p, double range)
{
    return !(surface_pair_apart(p) > range) && !search_near(p, range, NULL);
}
