/* Contacts at a point of the motion: nodes of surfaces against rigid surfaces (their distance fields) and against facets.
 *
 * A list of pairs that are nearer than a margin serves until bodies have moved by half of it. What is found from the list does not
 * depend on when it was made: whatever can touch within a step is in every list. */
#include "methods/constraint/constraint_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/quat.h"

int contact_key_compare(const contact_key *a, const contact_key *b)
{
    const int x[6] = { a->rigid_slave, a->slave, a->point, a->rigid_other, a->other, a->facet };
    const int y[6] = { b->rigid_slave, b->slave, b->point, b->rigid_other, b->other, b->facet };
    for (int k = 0; k < 6; ++k) {
        if (x[k] != y[k]) {
            return x[k] < y[k] ? -1 : 1;
        }
    }
    return 0;
}

/* ---- geometry ---- */

static v3 slave_position(const carom_scratch *w, const contact_key *key, double *radius)
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

static void across(const carom_scratch *w, const contact_key *key, node_contact *c)
{
    const model_surface *slave = key->rigid_slave ? NULL : &w->model->surfaces[key->slave];
    bool planar = slave && slave->dimension == 2;
    double mu = c->interaction->mu;
    c->tangent_count = mu > 0.0 ? (planar ? 1 : 2) : 0;
    if (slave && slave->dimension == 1) {
        c->tangent_count = 0; /* a rod moves along its axis only */
    }
    if (planar) { /* in the plane of the body, a quarter turn from the normal */
        v3 z_w = surface_axis(w, slave, 2);
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
    if (!ends_meet(w, &c->key, c->normal_w) || !facet_foot(f, x, c->p_w, c->normal_w, c->weight)) {
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

static const model_interaction *interaction_of(const carom_model *m, const contact_key *key)
{
    if (key->rigid_slave) {
        return model_interaction_of(m, key->slave < key->other ? key->slave : key->other,
                                    key->slave < key->other ? key->other : key->slave);
    }
    return model_surface_interaction(m, key->slave, key->rigid_other ? key->other : m->collider_count + key->other);
}

static int body_of(const carom_model *m, bool rigid, int index)
{
    return rigid ? m->colliders[index].body : m->surfaces[index].body;
}

static bool measure(const carom_scratch *w, node_contact *c)
{
    return c->key.rigid_other ? against_rigid(w, c) : against_facet(w, c);
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
    return measure(w, c);
}

/* ---- near pairs ---- */

static bool push_near(constraint_work *cw, contact_key key, bool watched)
{
    if (!CAROM_ARRAY_RESERVE(cw->near, cw->near_capacity, (size_t)cw->near_count + 1)) {
        return false;
    }
    cw->near[cw->near_count++] = (near_entry){ key, watched };
    return true;
}

static bool near_rigid(constraint_work *cw, const carom_scratch *w, contact_key key, bool watched)
{
    node_contact c = { .key = key };
    return !against_rigid(w, &c) || c.gap > cw->near_margin || push_near(cw, key, watched);
}

double facet_distance(const carom_scratch *w, const model_surface *s, const solid_facet *f, v3 p)
{
    v3 centre = v3_zero();
    double reach = 0.0;
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = surface_node(w, s, f->nodes[i]);
        centre = v3_axpy(centre, 1.0 / f->count, x[i]);
    }
    for (int i = 0; i < f->count; ++i) {
        reach = fmax(reach, v3_norm(v3_sub(x[i], centre)));
    }
    return v3_norm(v3_sub(p, centre)) - reach;
}

/* The finer surface is the slave; of equal ones that of the body that the scene names first. */
static bool is_slave(const carom_model *m, int k, int l)
{
    const double equal = 1.01;
    if (m->surfaces[k].facet_size > equal * m->surfaces[l].facet_size) {
        return false;
    }
    return m->surfaces[l].facet_size > equal * m->surfaces[k].facet_size || k < l;
}

/* Nodes that touch, or those outside of the zone of their body that must not: nothing would stop them. */
typedef struct node_list {
    const int *nodes;
    int count;
    bool watched;
} node_list;

static node_list nodes_of(const model_surface *s, bool watched)
{
    return watched ? (node_list){ s->watched, s->watched_count, true }
                   : (node_list){ s->nodes, s->node_count, false };
}

/* Nodes of one body against facets of another. */
static bool near_surface(constraint_work *cw, const carom_scratch *w, int slave, int other, node_list list)
{
    const model_surface *s = &w->model->surfaces[slave];
    const model_surface *o = &w->model->surfaces[other];
    const surface_box box = surface_box_of(w, o, cw->near_margin);
    bool ok = true;
    for (int i = 0; ok && i < list.count; ++i) {
        v3 p = surface_node(w, s, list.nodes[i]);
        for (int f = 0; ok && surface_box_has(&box, p) && f < o->facet_count; ++f) {
            bool one = o->dimension == 1; /* ends of rods are seen from afar: there are two */
            if (one || facet_distance(w, o, &o->facets[f], p) <= cw->near_margin) {
                ok = push_near(cw, (contact_key){ false, false, slave, list.nodes[i], other, f }, list.watched);
            }
        }
    }
    return ok;
}

/* A node that must not touch does. */
static carom_status refuse_outside(const node_contact *c, const carom_scratch *w, carom_error *err)
{
    const carom_model *m = w->model;
    const model_surface *s = &m->surfaces[c->key.slave];
    const int other = body_of(m, c->key.rigid_other, c->key.other);
    v3 X = v3_add(s->points[c->key.point].position, m->bodies[s->body].com_b);
    return carom_fail(
        err, CAROM_INTERSECTING,
        "the surface of body '%.100s' is %.3g m inside of '%.100s' at (%g, %g, %g) m of its frame, outside of "
        "its zone, where it knows no contact (t = %.6g s); make the zone larger, or take \"as\": \"nodes\"",
        m->bodies[s->body].name, -c->gap, m->bodies[other].name, X.x, X.y, X.z, w->t);
}

static bool list_nodes(constraint_work *cw, const carom_scratch *w, int slave, node_list list)
{
    const carom_model *m = w->model;
    bool ok = true;
    for (int o = 0; ok && o < m->collider_count; ++o) {
        for (int i = 0; ok && model_surface_interaction(m, slave, o) && i < list.count; ++i) {
            ok = near_rigid(cw, w, (contact_key){ false, true, slave, list.nodes[i], o, 0 }, list.watched);
        }
    }
    for (int o = 0; ok && o < m->surface_count; ++o) {
        bool meets = o != slave && (list.watched || is_slave(m, slave, o));
        if (meets && model_surface_interaction(m, slave, m->collider_count + o)) {
            ok = near_surface(cw, w, slave, o, list);
        }
    }
    return ok;
}

static bool list_rigid(constraint_work *cw, const carom_scratch *w, int slave)
{
    const carom_model *m = w->model;
    bool ok = true;
    for (int o = 0; ok && o < m->collider_count; ++o) {
        int first = slave < o ? slave : o;
        int second = slave < o ? o : slave;
        if (o == slave || !model_interaction_of(m, first, second)) {
            continue;
        }
        bool other_has_balls = collider_has_balls(m->colliders[o].collider);
        bool seen_from_there = collider_has_balls(m->colliders[slave].collider) ? other_has_balls && o < slave
                                                                                : other_has_balls;
        for (int i = 0; ok && !seen_from_there && i < collider_point_count(m->colliders[slave].collider); ++i) {
            ok = near_rigid(cw, w, (contact_key){ true, true, slave, i, o, 0 }, false);
        }
    }
    return ok;
}

/* [m] a margin that bodies need many steps to cross. */
static double choose_margin(const carom_model *m)
{
    double size = 0.01 * m->length_scale;
    for (int k = 0; k < m->surface_count; ++k) {
        size = fmin(size, 2.0 * m->surfaces[k].facet_size);
    }
    return size;
}

bool list_near(constraint_work *cw, const carom_scratch *w, double margin)
{
    bool ok = true;
    cw->near_count = 0;
    cw->moved = 0.0;
    cw->near_margin = margin;
    for (int k = 0; ok && k < w->model->surface_count; ++k) {
        const model_surface *s = &w->model->surfaces[k];
        ok = list_nodes(cw, w, k, nodes_of(s, false)) && list_nodes(cw, w, k, nodes_of(s, true));
    }
    for (int k = 0; ok && k < w->model->collider_count; ++k) {
        ok = list_rigid(cw, w, k);
    }
    return ok;
}

/* [m/s] nothing of the scene moves faster. */
double fastest_speed(const carom_scratch *w)
{
    const carom_model *m = w->model;
    double v2 = 0.0;
    for (int k = 0; k < m->surface_count; ++k) {
        const model_surface *s = &m->surfaces[k];
        for (int i = 0; i < s->node_count; ++i) {
            v2 = fmax(v2, v3_norm2(surface_node_velocity(w, s, s->nodes[i])));
        }
    }
    double v = sqrt(v2);
    for (int i = 0; i < m->body_count; ++i) {
        v = fmax(v, v3_norm(w->rate[i].v_w) + m->bodies[i].reach * v3_norm(w->rate[i].omega_w) * sqrt(3.0));
    }
    return v;
}

/* ---- contacts ---- */

static bool push_contact(constraint_work *cw, const carom_scratch *w, node_contact *c)
{
    if (!CAROM_ARRAY_RESERVE(cw->contacts, cw->contact_capacity, (size_t)cw->contact_count + 1)) {
        return false;
    }
    resolve_bodies(w->model, c);
    across(w, &c->key, c);
    c->sticks = was_sticking(cw, &c->key);
    cw->contacts[cw->contact_count++] = *c;
    return true;
}

static bool same_point(const contact_key *a, const contact_key *b)
{
    return a->rigid_slave == b->rigid_slave && a->slave == b->slave && a->point == b->point &&
           a->rigid_other == b->rigid_other && a->other == b->other;
}

/* One contact for each point and surface: the facet that is nearest; of equal ones the first. */
void next_contact(const constraint_work *cw, const carom_scratch *w, int *at, node_contact *best)
{
    const double through = choose_margin(w->model);
    int first = *at;
    *best = (node_contact){ .gap = HUGE_VAL };
    for (; *at < cw->near_count && same_point(&cw->near[first].key, &cw->near[*at].key); ++*at) {
        node_contact c = { .key = cw->near[*at].key, .watched = cw->near[*at].watched };
        if (measure(w, &c) && fabs(c.gap) < fabs(best->gap)) {
            *best = c;
        }
    }
    if (!best->key.rigid_other && best->gap < -through) { /* the far side of a body, seen through it */
        best->gap = HUGE_VAL;
    }
}

carom_status find_contacts(constraint_work *cw, carom_scratch *w, double h, carom_error *err)
{
    double reach = 2.0 * fastest_speed(w) * h; /* [m] by which a gap can change within the step, both sides moving */
    const double rounding = 1e-12 * w->model->length_scale;
    cw->moved += 0.5 * reach;
    bool ok = (cw->near_margin > 0.0 && 2.0 * cw->moved + 2.0 * reach < cw->near_margin) ||
              list_near(cw, w, choose_margin(w->model));
    cw->contact_count = 0;
    for (int i = 0; ok && i < cw->near_count;) {
        node_contact best;
        next_contact(cw, w, &i, &best);
        if (best.watched && best.gap < -rounding) {
            return refuse_outside(&best, w, err);
        }
        if (best.gap <= reach && !best.watched) {
            ok = push_contact(cw, w, &best);
        }
    }
    return ok ? CAROM_OK : contacts_no_memory(err);
}
