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

typedef struct near_search {
    const surface_pair *p;
    double range;
    near_list *out;
    bool failed;
} near_search;

static v3 place_a(const surface_pair *p, v3 r)
{
    return v3_add(p->c, m3_mulv(p->R, r));
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

static void add_near_pairs(near_search *s, int leaf_a, int leaf_b)
{
    feature_pair pairs[LEAF_PAIRS];
    int count = surface_leaf_pairs(s->p->a, leaf_a, s->p->b, leaf_b, pairs);
    for (int k = 0; k < count; ++k) {
        v3 x[3], y[3];
        load_corners(s->p, &pairs[k], x, y);
        double distance = feature_pair_distance(&pairs[k], x, y).distance -
                          feature_pair_rounding(s->p->a, s->p->b, &pairs[k]);
        if (!(distance < s->range)) {
            continue;
        }
        near_list *l = s->out;
        near_feature *larger = carom_array_grow(l->items, &l->capacity, l->count + 1, sizeof *larger);
        if (!larger) {
            s->failed = true;
            return;
        }
        l->items = larger;
        l->items[l->count++] = (near_feature){ pairs[k], distance };
    }
}

/* Which of two nodes is opened next: the larger one that has children. */
static bool opens_first(const surface_node *a, const surface_node *b)
{
    return b->leaf >= 0 || (a->leaf < 0 && a->radius > b->radius);
}

static void near_nodes(near_search *s, int at_a, int at_b)
{
    const surface_node *a = &s->p->a->nodes[at_a];
    const surface_node *b = &s->p->b->nodes[at_b];
    if (s->failed || boxes_apart(s->p, a, b, s->range)) {
        return;
    }
    if (a->leaf >= 0 && b->leaf >= 0) {
        add_near_pairs(s, a->leaf, b->leaf);
    } else if (opens_first(a, b)) {
        near_nodes(s, at_a + 1, at_b);
        near_nodes(s, a->other, at_b);
    } else {
        near_nodes(s, at_a, at_b + 1);
        near_nodes(s, at_a, b->other);
    }
}

bool surface_pair_near(const surface_pair *p, double range, near_list *out)
{
    near_search s = { .p = p, .range = range + p->rounding, .out = out };
    if (p->a->leaf_count > 0 && p->b->leaf_count > 0) {
        near_nodes(&s, 0, 0);
    }
    return !s.failed;
}
