/* One contact at a point of the motion: nodes of surfaces against rigid surfaces (their distance fields) and facets, points of rigid shapes against
 * both; edges.c has those where edges cross. */
#include "geometry/bvh.h"
#include "math/quat.h"
#include "methods/constraint/constraint_work.h"

v3 slave_position(const carom_scratch *w, const contact_key *key, double *radius)
{
    const carom_model *m = w->model;
    *radius = 0.0;
    if (!key->rigid_slave) {
        return surface_node(w, &m->surfaces[key->slave], key->point);
    }
    const model_collider *c = &m->colliders[key->slave];
    const detection_point p = collider_point(c->collider, key->point);
    *radius = p.radius;
    v3 r_c = v3_add(c->pose_c.position, q_rotate(c->pose_c.orientation, p.r));
    return v3_add(w->pose[c->body].x_w, m3_mulv(w->R_w[c->body], r_c));
}

/* The surface in whose plane the bodies touch; NULL: there is none. */
static const model_surface *plane_of(const carom_model *m, const contact_key *key)
{
    const model_surface *slave = key->rigid_slave ? NULL : &m->surfaces[key->slave];
    const model_surface *s = key->rigid_slave && !key->rigid_other ? &m->surfaces[key->other] : slave;
    return s && s->dimension == 2 ? s : NULL;
}

void contact_tangents(const carom_scratch *w, const contact_key *key, node_contact *c)
{
    const model_surface *slave = key->rigid_slave ? NULL : &w->model->surfaces[key->slave];
    const model_surface *plane = plane_of(w->model, key);
    double mu = c->interaction->mu;
    c->tangent_count = mu > 0.0 ? (plane ? 1 : 2) : 0;
    if (slave && slave->dimension == 1) {
        c->tangent_count = 0; /* a rod moves along its axis only */
    }
    if (plane) { /* in the plane of the body, a quarter turn from the normal */
        v3 z_w = surface_axis(w, plane, 2);
        c->tangent_w[0] = v3_cross(c->normal_w, z_w);
        c->tangent_w[1] = z_w;
    } else {
        v3 n = c->normal_w;
        v3 other = fabs(n.x) < 0.6 ? v3_make(1.0, 0.0, 0.0) : v3_make(0.0, 1.0, 0.0);
        c->tangent_w[0] = v3_unit(v3_cross(n, other));
        c->tangent_w[1] = v3_cross(n, c->tangent_w[0]);
    }
}

/* The point against the field of a rigid surface. */
static bool against_rigid(const carom_scratch *w, node_contact *c)
{
    const model_collider *other = &w->model->colliders[c->key.other];
    double radius;
    v3 p_w = slave_position(w, &c->key, &radius);
    v3 r_c = m3_tmulv(w->R_w[other->body], v3_sub(p_w, w->pose[other->body].x_w));
    v3 r = q_unrotate(other->pose_c.orientation, v3_sub(r_c, other->pose_c.position));
    field_sample s = collider_sample(other->collider, r);
    double slope = v3_norm(s.gradient);
    if (!(slope > 0.0)) {
        return false;
    }
    v3 n = v3_scale(1.0 / slope, s.gradient);
    c->normal_w = m3_mulv(w->R_w[other->body], q_rotate(other->pose_c.orientation, n));
    c->gap = s.distance - radius;
    c->p_w = v3_axpy(p_w, -radius, c->normal_w);
    return true;
}

/* Start places of facet and node apart from displacements, so that small displacements are not lost in large coordinates. */
typedef struct facet_points {
    v3 start[FACET_NODES], shift[FACET_NODES];
} facet_points;

static facet_points points_of(const carom_scratch *w, const model_surface *s, const solid_facet *f)
{
    facet_points out = { 0 };
    for (int i = 0; i < f->count; ++i) {
        const surface_place place = surface_node_place(w, s, f->nodes[i]);
        out.start[i] = place.start_w;
        out.shift[i] = place.shift_w;
    }
    return out;
}

/* Normal of a facet, outwards. */
static v3 facet_normal(const carom_scratch *w, const model_surface *s, const solid_facet *f, const v3 *x)
{
    if (f->count == 1) {
        return v3_scale((double)f->side, surface_axis(w, s, 0));
    }
    v3 along = v3_sub(x[1], x[0]);
    if (f->count == 2) {
        return v3_unit(v3_cross(along, surface_axis(w, s, 2)));
    }
    return v3_unit(v3_cross(along, v3_sub(x[2], x[0])));
}

/* Weights of the foot of p on the facet; false: it lies beside it. */
static bool facet_foot(const solid_facet *f, const v3 *x, v3 p, v3 n, double weight[FACET_NODES])
{
    const double beside = 1e-9; /* of an edge: no gap is left between two facets */
    if (f->count == 1) {
        weight[0] = 1.0;
        return true;
    }
    v3 along = v3_sub(x[1], x[0]);
    if (f->count == 2) {
        weight[1] = v3_dot(v3_sub(p, x[0]), along) / v3_norm2(along);
        weight[0] = 1.0 - weight[1];
        return weight[1] >= -beside && weight[1] <= 1.0 + beside;
    }
    double area = v3_dot(v3_cross(along, v3_sub(x[2], x[0])), n);
    for (int i = 0; i < 3; ++i) {
        v3 a = v3_sub(x[(i + 1) % 3], p);
        v3 b = v3_sub(x[(i + 2) % 3], p);
        weight[i] = v3_dot(v3_cross(a, b), n) / area;
    }
    return weight[0] >= -beside && weight[1] >= -beside && weight[2] >= -beside;
}

/* Gradients of the weights along the facet; the end of a rod has none. */
static void facet_slopes(const solid_facet *f, const v3 *x, v3 n, v3 slope_w[FACET_NODES])
{
    v3 along = v3_sub(x[1], x[0]);
    if (f->count == 2) {
        slope_w[1] = v3_scale(1.0 / v3_norm2(along), along);
        slope_w[0] = v3_scale(-1.0, slope_w[1]);
        return;
    }
    double area = v3_dot(v3_cross(along, v3_sub(x[2], x[0])), n);
    for (int i = 0; i < 3; ++i) {
        v3 opposite = v3_sub(x[(i + 2) % 3], x[(i + 1) % 3]);
        slope_w[i] = v3_scale(1.0 / area, v3_cross(n, opposite));
    }
}

/* Ends of rods meet face to face: their outsides look at each other. */
static bool ends_meet(const carom_scratch *w, const contact_key *key, v3 normal_w)
{
    const model_surface *slave = &w->model->surfaces[key->slave];
    for (int f = 0; f < slave->facet_count; ++f) {
        const solid_facet *facet = &slave->facets[f];
        if (facet->count == 1 && facet->nodes[0] == key->point) {
            return v3_dot(facet_normal(w, slave, facet, NULL), normal_w) < 0.0;
        }
    }
    return true;
}

/* A ball of a rigid body against the facet, whose nearest place may lie on its rim. A rigid side takes its force anywhere: it acts at that
 * place, and nothing has to follow the turning of the normal. */
static bool ball_against_facet(node_contact *c, const solid_facet *f, const v3 *x, v3 p, double radius)
{
    v3 facet_w = c->normal_w;
    v3 foot;
    int feature;
    triangle_closest(p, x[0], x[1], x[f->count - 1], &foot, &feature);
    v3 from = v3_sub(p, foot);
    double distance = v3_norm(from);
    double side = v3_dot(from, facet_w) < 0.0 ? -1.0 : 1.0;
    facet_foot(f, x, foot, facet_w, c->weight);
    c->normal_w = distance > 0.0 ? v3_scale(side / distance, from) : facet_w;
    c->p_w = foot;
    c->gap = side * distance - radius;
    return true;
}

static bool rigid_against_facet(const carom_scratch *w, node_contact *c)
{
    const model_surface *s = &w->model->surfaces[c->key.other];
    const solid_facet *f = &s->facets[c->key.facet];
    double radius;
    v3 p = slave_position(w, &c->key, &radius);
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = surface_node(w, s, f->nodes[i]);
    }
    c->normal_w = facet_normal(w, s, f, x);
    if (radius > 0.0) {
        return ball_against_facet(c, f, x, p, radius);
    }
    if (!facet_foot(f, x, p, c->normal_w, c->weight) && !c->beside) {
        return false;
    }
    c->gap = v3_dot(c->normal_w, v3_sub(p, x[0]));
    c->p_w = v3_axpy(p, -c->gap, c->normal_w);
    return true;
}

static const surface_corner *corner_of(const model_surface *s, int node)
{
    int low = 0;
    int high = s->corner_count;
    while (low < high) {
        int middle = (low + high) / 2;
        *(s->corners[middle].node < node ? &low : &high) = s->corners[middle].node < node ? middle + 1 : middle;
    }
    return low < s->corner_count && s->corners[low].node == node ? &s->corners[low] : NULL;
}

/* A corner of the coarser mesh touches a facet of the finer one where it points at it: all around it lies farther, or as far. */
static bool points_at(const carom_scratch *w, const model_surface *s, int node, v3 p, v3 normal_w)
{
    const double level = 0.0175; /* sine of 1 degree */
    const surface_corner *corner = corner_of(s, node);
    bool does = corner != NULL;
    for (int f = 0; does && f < corner->facet_count; ++f) {
        const solid_facet *facet = &corner->facets[f];
        for (int i = 0; i < facet->count; ++i) {
            v3 away = v3_sub(surface_node(w, s, facet->nodes[i]), p);
            does = does && v3_dot(away, normal_w) >= -level * v3_norm(away);
        }
    }
    return does;
}

static bool against_facet(const carom_scratch *w, node_contact *c)
{
    const carom_model *m = w->model;
    const model_surface *s = &m->surfaces[c->key.other];
    const solid_facet *f = &s->facets[c->key.facet];
    const model_surface *slave = &m->surfaces[c->key.slave];
    const facet_points at = points_of(w, s, f);
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = v3_add(at.start[i], at.shift[i]);
    }
    const surface_place node = surface_node_place(w, slave, c->key.point);
    c->p_w = v3_add(node.start_w, node.shift_w);
    c->normal_w = facet_normal(w, s, f, x);
    bool above = facet_foot(f, x, c->p_w, c->normal_w, c->weight);
    if (!ends_meet(w, &c->key, c->normal_w) || (!above && !c->beside)) {
        return false;
    }
    bool coarse = f->count > 1 && !c->watched && !gives_nodes(m, c->key.slave, c->key.other);
    if (coarse && !points_at(w, slave, c->key.point, c->p_w, c->normal_w)) {
        return false;
    }
    if (f->count > 1) {
        facet_slopes(f, x, c->normal_w, c->slope_w);
    }
    v3 apart = node.start_w;
    v3 moved = node.shift_w;
    for (int i = 0; i < f->count; ++i) {
        apart = v3_axpy(apart, -c->weight[i], at.start[i]);
        moved = v3_axpy(moved, -c->weight[i], at.shift[i]);
    }
    c->gap = v3_dot(c->normal_w, apart) + v3_dot(c->normal_w, moved);
    return true;
}

const model_interaction *interaction_of(const carom_model *m, const contact_key *key)
{
    if (key->rigid_slave && key->rigid_other) {
        return model_interaction_of(m, key->slave < key->other ? key->slave : key->other,
                                    key->slave < key->other ? key->other : key->slave);
    }
    if (key->rigid_slave) {
        return model_surface_interaction(m, key->other, key->slave);
    }
    return model_surface_interaction(m, key->slave, key->rigid_other ? key->other : m->collider_count + key->other);
}

/* ---- sides that a point passes ---- */

/* A point just ahead of a body that slides on a surface may stand higher than the rim by rounding. Its nearest side is then the one in front, which
 * would stop the body for good. Within the step it comes under the other one, and that is the side it touches. */

static const double OTHER_SIDE = 0.866; /* cosine of 30 degrees: normals of two sides of a rim are no nearer */

static void choose_rigid_side(const carom_scratch *w, double h, v3 velocity_w, node_contact *c)
{
    const model_collider *other = &w->model->colliders[c->key.other];
    double radius;
    v3 p_w = slave_position(w, &c->key, &radius);
    v3 then_w = v3_axpy(p_w, h, velocity_w);
    v3 r_c = m3_tmulv(w->R_w[other->body], v3_sub(then_w, w->pose[other->body].x_w));
    v3 r = q_unrotate(other->pose_c.orientation, v3_sub(r_c, other->pose_c.position));
    field_sample s = collider_sample(other->collider, r);
    double slope = v3_norm(s.gradient);
    v3 n = m3_mulv(w->R_w[other->body], q_rotate(other->pose_c.orientation, s.gradient));
    if (radius == 0.0 && s.distance < 0.0 && slope > 0.0 && v3_dot(n, c->normal_w) < OTHER_SIDE * slope) {
        c->normal_w = v3_scale(1.0 / slope, n);
        c->gap = s.distance - h * v3_dot(c->normal_w, velocity_w);
        c->p_w = p_w;
    }
}

/* Whether the foot of the point will lie on the facet. */
static bool foot_comes(const carom_scratch *w, const node_contact *c, v3 by_w)
{
    const double beside = 1e-9; /* of an edge */
    const model_surface *s = &w->model->surfaces[c->key.other];
    const solid_facet *f = &s->facets[c->key.facet];
    v3 x[FACET_NODES];
    v3 slope_w[FACET_NODES];
    bool does = f->count > 1;
    for (int i = 0; i < f->count; ++i) {
        x[i] = surface_node(w, s, f->nodes[i]);
    }
    if (does) {
        facet_slopes(f, x, c->normal_w, slope_w);
    }
    for (int i = 0; does && i < f->count; ++i) {
        does = c->weight[i] + v3_dot(slope_w[i], by_w) >= -beside;
    }
    return does;
}

static void choose_facet(const constraint_work *cw, const carom_scratch *w, int first, int last, double h,
                         double least, node_contact *c)
{
    const v3 n = c->normal_w;
    for (int k = first; k < last; ++k) {
        node_contact side = { .key = cw->near[k].key, .watched = cw->near[k].watched, .beside = true };
        if (side.key.facet == c->key.facet || !measure_resolved(w, &side) || v3_dot(side.normal_w, n) >= OTHER_SIDE) {
            continue;
        }
        v3 velocity_w = node_contact_velocity(w, &side);
        double then = side.gap + h * v3_dot(side.normal_w, velocity_w);
        if (then < 0.0 && then > least && foot_comes(w, &side, v3_scale(h, velocity_w))) {
            least = then;
            *c = side;
        }
    }
}

void choose_side(const constraint_work *cw, const carom_scratch *w, int first, int last, double h, node_contact *c)
{
    v3 velocity_w = c->key.edges ? v3_zero() : node_contact_velocity(w, c);
    double then = c->gap + h * v3_dot(c->normal_w, velocity_w);
    if (c->key.edges || then >= 0.0) {
        return;
    }
    if (c->key.rigid_other) {
        choose_rigid_side(w, h, velocity_w, c);
    } else if (last - first > 1) {
        choose_facet(cw, w, first, last, h, then, c);
    }
}

/* ---- contacts ---- */

static int body_of(const carom_model *m, bool rigid, int index)
{
    return rigid ? m->colliders[index].body : m->surfaces[index].body;
}

bool measure_resolved(const carom_scratch *w, node_contact *c)
{
    if (c->key.edges) {
        return measure_edges(w, c);
    }
    return c->key.rigid_other   ? against_rigid(w, c)
           : c->key.rigid_slave ? rigid_against_facet(w, c)
                                : against_facet(w, c);
}

void resolve_bodies(const carom_model *m, node_contact *c)
{
    c->interaction = interaction_of(m, &c->key);
    c->body[0] = body_of(m, c->key.rigid_slave, c->key.slave);
    c->body[1] = body_of(m, c->key.rigid_other, c->key.other);
}

bool measure_contact(const carom_scratch *w, node_contact *c)
{
    resolve_bodies(w->model, c);
    return measure_resolved(w, c);
}

static v3 rigid_velocity(const carom_scratch *w, int body, v3 p_w)
{
    return point_velocity(&w->rate[body], v3_sub(p_w, w->pose[body].x_w));
}

static v3 nodes_velocity(const carom_scratch *w, const model_surface *s, const int *nodes, const double *weight,
                         int count)
{
    v3 v = v3_zero();
    for (int i = 0; i < count; ++i) {
        v = v3_axpy(v, weight[i], surface_node_velocity(w, s, nodes[i]));
    }
    return v;
}

static v3 slave_velocity(const carom_scratch *w, const node_contact *c)
{
    const contact_key *key = &c->key;
    const model_surface *s = &w->model->surfaces[key->slave];
    if (key->rigid_slave) {
        return rigid_velocity(w, w->model->colliders[key->slave].body, c->p_w);
    }
    return key->edges ? nodes_velocity(w, s, edge_nodes(w->model, key->slave, key->point), c->own_weight, 2)
                      : surface_node_velocity(w, s, key->point);
}

v3 node_contact_velocity(const carom_scratch *w, const node_contact *c)
{
    const contact_key *key = &c->key;
    const model_surface *s = &w->model->surfaces[key->other];
    v3 v = slave_velocity(w, c);
    if (key->rigid_other) {
        return v3_sub(v, rigid_velocity(w, w->model->colliders[key->other].body, c->p_w));
    }
    if (key->edges) {
        return v3_sub(v, nodes_velocity(w, s, edge_nodes(w->model, key->other, key->facet), c->weight, 2));
    }
    return v3_sub(v, nodes_velocity(w, s, s->facets[key->facet].nodes, c->weight, s->facets[key->facet].count));
}
