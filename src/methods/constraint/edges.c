/* Contacts where an edge of one body crosses an edge of another, which no node and no corner sees: edges of colliders, rounded ones among them,
 * sharp edges of solids of finite elements, and the outline of plane bodies, which is a line seen from outside of its plane.
 *
 * Two edges touch along their common normal n where their closest points lie within both, and where n points away from all that lies beside
 * either of them. So the sign of the gap needs no memory. */
#include <stdlib.h>

#include "base/array.h"
#include "geometry/feature_distance.h"
#include "math/quat.h"
#include "methods/constraint/constraint_work.h"

/* An edge at the point placed. Both parts of a place as in surface_place: no small displacement is lost in large coordinates. */
typedef struct edge_place {
    v3 start[2], shift[2], x[2];
    double radius;
} edge_place;

typedef struct edge_ends {
    v3 x[2];
    double radius;
    int edge;
} edge_ends;

/* A body's edges: a collider, or a surface of finite elements. */
typedef struct edge_owner {
    bool rigid;
    int index;
} edge_owner;

const int *edge_nodes(const carom_model *m, int surface, int edge)
{
    return m->surfaces[surface].edges[edge].nodes;
}

static int edge_count_of(const carom_model *m, edge_owner o)
{
    return o.rigid ? collider_edge_count(m->colliders[o.index].collider) : m->surfaces[o.index].edge_count;
}

static edge_place place_rigid(const carom_scratch *w, int index, int edge)
{
    const model_collider *c = &w->model->colliders[index];
    const collider_edge e = collider_edge_at(c->collider, edge);
    edge_place p = { .radius = e.radius };
    for (int k = 0; k < 2; ++k) {
        v3 r_c = v3_add(c->pose_c.position, q_rotate(c->pose_c.orientation, e.ends[k]));
        p.start[k] = w->pose[c->body].x_w;
        p.shift[k] = m3_mulv(w->R_w[c->body], r_c);
    }
    return p;
}

static edge_place place_edge(const carom_scratch *w, edge_owner o, int edge)
{
    edge_place p = { .radius = 0.0 };
    if (o.rigid) {
        p = place_rigid(w, o.index, edge);
    } else {
        const model_surface *s = &w->model->surfaces[o.index];
        for (int k = 0; k < 2; ++k) {
            const surface_place at = surface_node_place(w, s, s->edges[edge].nodes[k]);
            p.start[k] = at.start_w;
            p.shift[k] = at.shift_w;
        }
    }
    for (int k = 0; k < 2; ++k) {
        p.x[k] = v3_add(p.start[k], p.shift[k]);
    }
    return p;
}

static const double LEVEL =
    0.0175; /* sine of 1 degree: how far the surface beside an edge that is not sharp may rise over it */

static bool is_sharp(const carom_model *m, edge_owner o, int edge)
{
    return o.rigid || m->surfaces[o.index].edges[edge].sharp;
}

/* The least cosine between -u and what lies beside the edge, across it; not negative: the body is behind. */
static double cone_of(const carom_scratch *w, edge_owner o, int edge, const edge_place *p, v3 u)
{
    if (o.rigid) {
        const model_collider *c = &w->model->colliders[o.index];
        v3 u_c = m3_tmulv(w->R_w[c->body], u);
        return collider_edge_cone(c->collider, edge, q_unrotate(c->pose_c.orientation, u_c));
    }
    const model_surface *s = &w->model->surfaces[o.index];
    const surface_edge *e = &s->edges[edge];
    v3 along = v3_sub(p->x[1], p->x[0]);
    if (e->beside[0] == NONE_BESIDE) {
        return v3_dot(u, v3_unit(v3_cross(along, surface_axis(w, s, 2))));
    }
    double least = HUGE_VAL;
    for (int k = 0; k < 2; ++k) {
        v3 out = v3_sub(surface_node(w, s, e->beside[k]), p->x[0]);
        v3 across = v3_axpy(out, -v3_dot(out, along) / v3_norm2(along), along);
        least = fmin(least, -v3_dot(across, u) / v3_norm(across));
    }
    v3 outwards = v3_cross(along, v3_sub(surface_node(w, s, e->beside[0]), p->x[0]));
    return e->sharp || v3_dot(outwards, u) > 0.0 ? least : -1.0; /* a flat surface looks alike from within */
}

/* ---- the contact ---- */

/* Where two lines are nearest, as parts of both edges; false: they are parallel. */
static bool crossing_of(const edge_place *a, const edge_place *b, v3 *normal_w, double at[2])
{
    const double parallel = 1e-3; /* sine: along such edges nodes and corners come first */
    v3 ea = v3_sub(a->x[1], a->x[0]);
    v3 eb = v3_sub(b->x[1], b->x[0]);
    v3 n = v3_cross(ea, eb);
    double n2 = v3_norm2(n);
    if (!(n2 > parallel * parallel * v3_norm2(ea) * v3_norm2(eb))) {
        return false;
    }
    v3 d = v3_sub(b->x[0], a->x[0]);
    at[0] = v3_dot(v3_cross(d, eb), n) / n2;
    at[1] = v3_dot(v3_cross(d, ea), n) / n2;
    *normal_w = v3_scale(1.0 / sqrt(n2), n);
    return true;
}

static bool lies_within(const double at[2])
{
    const double beside = 1e-9; /* of an edge: no gap is left between two pieces of one */
    return at[0] >= -beside && at[0] <= 1.0 + beside && at[1] >= -beside && at[1] <= 1.0 + beside;
}

/* What lies between both places along n, start and displacement apart. */
static double gap_along(const edge_place *a, const edge_place *b, const double at[2], v3 n)
{
    v3 start = v3_zero();
    v3 shift = v3_zero();
    for (int k = 0; k < 2; ++k) {
        double wa = k == 0 ? 1.0 - at[0] : at[0];
        double wb = k == 0 ? 1.0 - at[1] : at[1];
        start = v3_axpy(v3_axpy(start, wa, a->start[k]), -wb, b->start[k]);
        shift = v3_axpy(v3_axpy(shift, wa, a->shift[k]), -wb, b->shift[k]);
    }
    return v3_dot(n, start) + v3_dot(n, shift) - a->radius - b->radius;
}

/* Both edges belong to meshes: pairs of forces along n at the ends of both edges carry the moment of a force across n over the gap. */
static void share_moment(node_contact *c, const edge_place *a, const edge_place *b)
{
    v3 ea = v3_sub(a->x[1], a->x[0]);
    v3 eb = v3_sub(b->x[1], b->x[0]);
    v3 n = c->normal_w;
    double volume = v3_dot(ea, v3_cross(eb, n));
    c->own_slope_w[1] = v3_scale(1.0 / volume, v3_cross(eb, n));
    c->own_slope_w[0] = v3_neg(c->own_slope_w[1]);
    c->slope_w[1] = v3_scale(1.0 / volume, v3_cross(n, ea));
    c->slope_w[0] = v3_neg(c->slope_w[1]);
}

/* A rigid side takes its force anywhere: on the edge of the other one. */
static void place_contact(node_contact *c, const edge_place *a, const edge_place *b, const double at[2])
{
    v3 on_a = v3_axpy(v3_scale(1.0 - at[0], a->x[0]), at[0], a->x[1]);
    v3 on_b = v3_axpy(v3_scale(1.0 - at[1], b->x[0]), at[1], b->x[1]);
    on_a = v3_axpy(on_a, -a->radius, c->normal_w);
    on_b = v3_axpy(on_b, b->radius, c->normal_w);
    c->own_weight[0] = 1.0 - at[0];
    c->own_weight[1] = at[0];
    c->weight[0] = 1.0 - at[1];
    c->weight[1] = at[1];
    if (c->key.rigid_slave) {
        c->p_w = c->key.rigid_other ? v3_scale(0.5, v3_add(on_a, on_b)) : on_b;
        return;
    }
    c->p_w = on_a;
    if (!c->key.rigid_other) {
        share_moment(c, a, b);
    }
}

/* Across the sharp edge, along the surface that it touches, to where the body is not. */
static v3 way_out(const carom_scratch *w, edge_owner o, int edge, const edge_place *p, v3 normal_w)
{
    v3 across = v3_cross(v3_sub(p->x[1], p->x[0]), normal_w);
    return cone_of(w, o, edge, p, across) > cone_of(w, o, edge, p, v3_neg(across)) ? across : v3_neg(across);
}

/* Where one of both edges is not sharp: which of its nodes the sharp one comes to when it moves on. False: it moves that node by next to nothing, and the
 * other one has a contact of its own. */
static bool find_ahead(const carom_scratch *w, node_contact *c, const edge_place *a, const edge_place *b)
{
    const contact_key *key = &c->key;
    const edge_owner slave = { key->rigid_slave, key->slave };
    const edge_owner other = { key->rigid_other, key->other };
    bool flat_slave = !is_sharp(w->model, slave, key->point);
    const double little = 1e-3;
    c->crossed = -1;
    if (!flat_slave && is_sharp(w->model, other, key->facet)) {
        return true;
    }
    const edge_place *flat = flat_slave ? a : b;
    const int *nodes = flat_slave ? edge_nodes(w->model, slave.index, key->point)
                                  : edge_nodes(w->model, other.index, key->facet);
    v3 out = flat_slave ? way_out(w, other, key->facet, b, c->normal_w)
                        : way_out(w, slave, key->point, a, c->normal_w);
    v3 along = v3_sub(flat->x[1], flat->x[0]);
    c->crossed = flat_slave ? slave.index : other.index;
    int end = v3_dot(along, out) > 0.0;
    c->ahead = nodes[end];
    c->length = v3_norm(along);
    return (flat_slave ? c->own_weight : c->weight)[end] > little;
}

bool measure_edges(const carom_scratch *w, node_contact *c)
{
    const double rounding = 1e-9; /* of an angle: bodies that lie flat on each other touch */
    const contact_key *key = &c->key;
    const carom_model *m = w->model;
    const edge_owner slave = { key->rigid_slave, key->slave };
    const edge_owner other = { key->rigid_other, key->other };
    const edge_place a = place_edge(w, slave, key->point);
    const edge_place b = place_edge(w, other, key->facet);
    double at[2];
    v3 n;
    if (!crossing_of(&a, &b, &n, at) || !(c->beside || lies_within(at))) {
        return false;
    }
    bool both_sharp = is_sharp(m, slave, key->point) && is_sharp(m, other, key->facet);
    double least = c->beside ? -HUGE_VAL : both_sharp ? -rounding : -LEVEL;
    bool found = false;
    c->gap = -HUGE_VAL;
    for (int turn = 0; turn < 2; ++turn, n = v3_neg(n)) {
        double gap = gap_along(&a, &b, at, n);
        double open = fmin(cone_of(w, other, key->facet, &b, n), cone_of(w, slave, key->point, &a, v3_neg(n)));
        if (open >= least && (gap > c->gap || c->beside)) {
            least = c->beside ? open : least;
            c->gap = gap;
            c->normal_w = n;
            found = true;
        }
    }
    if (found) {
        place_contact(c, &a, &b, at);
        found = find_ahead(w, c, &a, &b) || c->beside;
    }
    return found;
}

double edges_apart(const carom_scratch *w, const contact_key *key)
{
    const edge_place a = place_edge(w, (edge_owner){ key->rigid_slave, key->slave }, key->point);
    const edge_place b = place_edge(w, (edge_owner){ key->rigid_other, key->other }, key->facet);
    return fmax(0.0, edge_edge_apart(a.x, b.x) - a.radius - b.radius);
}

/* ---- near pairs ---- */

static void widen(surface_box *box, const edge_place *p, double by)
{
    for (int k = 0; k < 2; ++k) {
        v3 x = p->x[k];
        box->low = v3_make(fmin(box->low.x, x.x - by), fmin(box->low.y, x.y - by), fmin(box->low.z, x.z - by));
        box->high = v3_make(fmax(box->high.x, x.x + by), fmax(box->high.y, x.y + by), fmax(box->high.z, x.z + by));
    }
}

static surface_box no_box(void)
{
    return (surface_box){ v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL) };
}

static bool boxes_meet(const surface_box *a, const surface_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static surface_box box_around(const carom_scratch *w, edge_owner o)
{
    surface_box box = no_box();
    for (int e = 0; e < edge_count_of(w->model, o); ++e) {
        const edge_place p = place_edge(w, o, e);
        widen(&box, &p, p.radius);
    }
    return box;
}

/* Edges of o that reach into the box, into list k; their number, -1 when memory runs out. */
static int edges_in(constraint_work *cw, const carom_scratch *w, edge_owner o, const surface_box *in, int k)
{
    int count = 0;
    for (int e = 0; e < edge_count_of(w->model, o); ++e) {
        const edge_place p = place_edge(w, o, e);
        surface_box own = no_box();
        widen(&own, &p, p.radius + cw->near_margin);
        if (boxes_meet(&own, in)) {
            if (!CAROM_ARRAY_RESERVE(cw->ends[k], cw->ends_capacity[k], (size_t)count + 1)) {
                return -1;
            }
            cw->ends[k][count++] = (edge_ends){ { p.x[0], p.x[1] }, p.radius, e };
        }
    }
    return count;
}

/* Sharp edges touch each other; those of rigid shapes and of the coarser mesh also touch all edges of the finer mesh, whose nodes touch them. */
static bool may_touch(const carom_model *m, edge_owner a, int edge_a, edge_owner b, int edge_b)
{
    bool sharp_a = is_sharp(m, a, edge_a);
    bool sharp_b = is_sharp(m, b, edge_b);
    if (sharp_a && sharp_b) {
        return true;
    }
    bool fine_a = !a.rigid && (b.rigid || gives_nodes(m, a.index, b.index));
    bool fine_b = !b.rigid && (a.rigid || gives_nodes(m, b.index, a.index));
    return (sharp_a && fine_b) || (sharp_b && fine_a);
}

static bool near_edges(constraint_work *cw, const carom_scratch *w, edge_owner a, edge_owner b)
{
    if (edge_count_of(w->model, a) == 0 || edge_count_of(w->model, b) == 0) {
        return true;
    }
    const surface_box box_b = box_around(w, b);
    const surface_box box_a = box_around(w, a);
    int count_a = edges_in(cw, w, a, &box_b, 0);
    int count_b = count_a > 0 ? edges_in(cw, w, b, &box_a, 1) : 0;
    bool ok = count_a >= 0 && count_b >= 0;
    for (int i = 0; ok && i < count_a; ++i) {
        for (int k = 0; ok && k < count_b; ++k) {
            const edge_ends *x = &cw->ends[0][i];
            const edge_ends *y = &cw->ends[1][k];
            if (!may_touch(w->model, a, x->edge, b, y->edge)) {
                continue;
            }
            const contact_key key = { true, a.rigid, b.rigid, a.index, x->edge, b.index, y->edge };
            if (edge_edge_apart(x->x, y->x) - x->radius - y->radius <= cw->near_margin) {
                ok = push_near(cw, key, false);
            }
        }
    }
    return ok;
}

/* Surfaces come before colliders, each in their order. Two planes never cross. */
static edge_owner owner_of(const carom_model *m, int k)
{
    return k < m->surface_count ? (edge_owner){ false, k } : (edge_owner){ true, k - m->surface_count };
}

static bool cross(const carom_model *m, edge_owner a, edge_owner b)
{
    bool planes = !a.rigid && !b.rigid && m->surfaces[a.index].dimension == 2 && m->surfaces[b.index].dimension == 2;
    const contact_key key = {
        .edges = true, .rigid_slave = a.rigid, .rigid_other = b.rigid, .slave = a.index, .other = b.index
    };
    return !planes && interaction_of(m, &key);
}

bool list_edges(constraint_work *cw, const carom_scratch *w)
{
    const carom_model *m = w->model;
    int count = m->surface_count + m->collider_count;
    bool ok = true;
    for (int i = 0; ok && i < count; ++i) {
        for (int k = i + 1; ok && k < count; ++k) {
            edge_owner a = owner_of(m, i);
            edge_owner b = owner_of(m, k);
            ok = !cross(m, a, b) || near_edges(cw, w, a, b);
        }
    }
    return ok;
}
