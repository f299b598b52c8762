/* Candidates at a point of the motion: nodes of surfaces against rigid surfaces and facets, points of rigid shapes against both, edges.
 *
 * A list of pairs that are nearer than a margin serves until bodies have moved by half of it. What is found from the list does not
 * depend on when it was made: whatever can touch within a step is in every list. */
#include "methods/constraint/constraint_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- near pairs ---- */

bool push_near(constraint_work *cw, contact_key key, bool watched)
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
    return !measure_resolved(w, &c) || c.gap > cw->near_margin || push_near(cw, key, watched);
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
bool gives_nodes(const carom_model *m, int k, int l)
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

/* A node of one body against facets of another. */
static bool near_node(constraint_work *cw, const carom_scratch *w, contact_key key, const surface_box *box,
                      bool watched)
{
    const model_surface *o = &w->model->surfaces[key.other];
    v3 p = surface_node(w, &w->model->surfaces[key.slave], key.point);
    bool ok = true;
    for (key.facet = 0; ok && surface_box_has(box, p) && key.facet < o->facet_count; ++key.facet) {
        bool one = o->dimension == 1; /* ends of rods are seen from afar: there are two */
        if (one || facet_distance(w, o, &o->facets[key.facet], p) <= cw->near_margin) {
            ok = push_near(cw, key, watched);
        }
    }
    return ok;
}

/* Corners of the coarser body against facets of the finer one. */
static bool near_corners(constraint_work *cw, const carom_scratch *w, int coarse, int fine)
{
    const model_surface *s = &w->model->surfaces[coarse];
    const surface_box box = surface_box_of(w, &w->model->surfaces[fine], cw->near_margin);
    bool ok = true;
    for (int i = 0; ok && i < s->corner_count; ++i) {
        ok = near_node(cw, w, (contact_key){ .slave = coarse, .point = s->corners[i].node, .other = fine }, &box,
                       false);
    }
    return ok;
}

/* Nodes of one body against facets of another. */
static bool near_surface(constraint_work *cw, const carom_scratch *w, int slave, int other, node_list list)
{
    const surface_box box = surface_box_of(w, &w->model->surfaces[other], cw->near_margin);
    bool ok = true;
    for (int i = 0; ok && i < list.count; ++i) {
        ok = near_node(cw, w, (contact_key){ .slave = slave, .point = list.nodes[i], .other = other }, &box,
                       list.watched);
    }
    return ok;
}

/* A node that must not touch does. */
static carom_status refuse_outside(const node_contact *c, const carom_scratch *w, carom_error *err)
{
    const carom_model *m = w->model;
    const model_surface *s = &m->surfaces[c->key.slave];
    node_contact known = *c;
    resolve_bodies(m, &known);
    const int other = known.body[1];
    v3 X = v3_add(s->points[c->key.point].position, m->bodies[s->body].com_b);
    return carom_fail(
        err, CAROM_INTERSECTING,
        "the surface of body '%.100s' is %.3g m inside of '%.100s' at (%g, %g, %g) m of its frame, outside of "
        "its zone, where it knows no contact (t = %.6g s); make the zone larger, or take \"as\": \"nodes\"",
        m->bodies[s->body].name, -c->gap, m->bodies[other].name, X.x, X.y, X.z, w->t);
}

/* Points of a collider against facets: corners lie between nodes, balls press between them. Corners of solids stand beside the plane of
 * plane bodies, which their edges cross. */
static bool near_points(constraint_work *cw, const carom_scratch *w, int index, int surface)
{
    const carom_model *m = w->model;
    const model_surface *s = &m->surfaces[surface];
    const struct collider *shape = m->colliders[index].collider;
    const surface_box box = surface_box_of(w, s, cw->near_margin + collider_ball_radius(shape));
    bool seen = s->dimension == 3 || (s->dimension == 2 && collider_has_balls(shape));
    bool ok = true;
    for (int i = 0; ok && seen && i < collider_point_count(shape); ++i) {
        contact_key key = { .rigid_slave = true, .slave = index, .point = i, .other = surface };
        double radius;
        v3 p = slave_position(w, &key, &radius);
        for (key.facet = 0; ok && surface_box_has(&box, p) && key.facet < s->facet_count; ++key.facet) {
            if (facet_distance(w, s, &s->facets[key.facet], p) - radius <= cw->near_margin) {
                ok = push_near(cw, key, false);
            }
        }
    }
    return ok;
}

static bool list_nodes(constraint_work *cw, const carom_scratch *w, int slave, node_list list)
{
    const carom_model *m = w->model;
    bool ok = true;
    for (int o = 0; ok && o < m->collider_count; ++o) {
        for (int i = 0; ok && model_surface_interaction(m, slave, o) && i < list.count; ++i) {
            ok = near_rigid(cw, w,
                            (contact_key){ .rigid_other = true, .slave = slave, .point = list.nodes[i], .other = o },
                            list.watched);
        }
        ok = ok && (list.watched || !model_surface_interaction(m, slave, o) || near_points(cw, w, o, slave));
    }
    for (int o = 0; ok && o < m->surface_count; ++o) {
        if (o == slave || !model_surface_interaction(m, slave, m->collider_count + o)) {
            continue;
        }
        ok = list.watched || gives_nodes(m, slave, o) ? near_surface(cw, w, slave, o, list)
                                                      : near_corners(cw, w, slave, o);
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
            ok = near_rigid(cw, w,
                            (contact_key){
                                .rigid_slave = true, .rigid_other = true, .slave = slave, .point = i, .other = o },
                            false);
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
    return ok && list_edges(cw, w);
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
    contact_tangents(w, &c->key, c);
    c->sticks = was_sticking(cw, &c->key);
    cw->contacts[cw->contact_count++] = *c;
    return true;
}

/* ---- no more contacts than nodes to move ---- */

/* A node of a surface that another surface, or a rigid shape, presses along about this normal, which points to the surface. */
typedef struct held_node {
    int surface, node;
    bool rigid;
    int by;
    v3 normal_w;
} held_node;

static bool crosses(const node_contact *c, const held_node *n)
{
    bool slave = !c->key.rigid_slave && c->key.slave == n->surface;
    bool by = slave ? c->key.rigid_other == n->rigid && c->key.other == n->by
                    : c->key.rigid_slave == n->rigid && c->key.slave == n->by;
    return c->key.edges && c->crossed == n->surface && c->ahead == n->node && by;
}

static bool presses_node(const node_contact *c, const held_node *n)
{
    const double about = 0.866; /* cosine of 30 degrees */
    return !c->key.edges && !c->key.rigid_slave && c->key.slave == n->surface && c->key.point == n->node &&
           c->key.rigid_other == n->rigid && c->key.other == n->by && v3_dot(c->normal_w, n->normal_w) > about;
}

/* Another contact moves the node: its own, or that of the shortest edge that ends there. */
static bool is_held(const constraint_work *cw, const held_node *n, const node_contact *but)
{
    bool held = false;
    for (int i = 0; i < cw->contact_count && !held; ++i) {
        const node_contact *c = &cw->contacts[i];
        bool first = !but->key.edges || c->length < but->length || (c->length == but->length && c < but);
        held = c != but && (presses_node(c, n) || (crosses(c, n) && first));
    }
    return held;
}

/* A sharp edge is over the surface beside this node, and comes over the node: the side behind the edge does not strike it. */
static bool is_passed_over(const constraint_work *cw, const node_contact *c)
{
    const double about = 0.866; /* cosine of 30 degrees */
    const contact_key *key = &c->key;
    bool passed = false;
    for (int i = cw->contact_count - 1; i >= 0 && cw->contacts[i].key.edges && !passed && !key->rigid_slave; --i) {
        const node_contact *e = &cw->contacts[i];
        bool slave = e->crossed == e->key.slave && !e->key.rigid_slave;
        held_node n = { key->slave, key->point, key->rigid_other, key->other,
                        slave ? e->normal_w : v3_neg(e->normal_w) };
        passed = crosses(e, &n) && v3_dot(n.normal_w, c->normal_w) <= about;
    }
    return passed;
}

/* Sharp edges move the nodes ahead of them, each once; corners move what nothing else does. More would be redundant, and friction undetermined. */
static bool is_spare(const constraint_work *cw, const carom_scratch *w, const node_contact *c)
{
    const contact_key *key = &c->key;
    if (key->edges) {
        bool slave = c->crossed == key->slave && !key->rigid_slave;
        held_node n = { c->crossed, c->ahead, slave ? key->rigid_other : key->rigid_slave,
                        slave ? key->other : key->slave, slave ? c->normal_w : v3_neg(c->normal_w) };
        return c->crossed >= 0 && is_held(cw, &n, c);
    }
    double radius = 0.0;
    slave_position(w, key, &radius);
    bool corner = !key->rigid_other && (key->rigid_slave || !gives_nodes(w->model, key->slave, key->other));
    if (is_passed_over(cw, c)) {
        return true;
    }
    if (!corner || radius > 0.0 || w->model->surfaces[key->other].dimension < 3) {
        return false;
    }
    const solid_facet *f = &w->model->surfaces[key->other].facets[key->facet];
    bool spare = true;
    for (int i = 0; spare && i < f->count; ++i) {
        held_node n = { key->other, f->nodes[i], key->rigid_slave, key->slave, v3_neg(c->normal_w) };
        spare = is_held(cw, &n, c);
    }
    return spare;
}

static void leave_spare(constraint_work *cw, const carom_scratch *w)
{
    int kept = 0;
    for (int i = 0; i < cw->contact_count; ++i) {
        cw->contacts[i].spare = is_spare(cw, w, &cw->contacts[i]);
    }
    for (int i = 0; i < cw->contact_count; ++i) {
        if (!cw->contacts[i].spare) {
            cw->contacts[kept++] = cw->contacts[i];
        }
    }
    cw->contact_count = kept;
}

static bool same_point(const contact_key *a, const contact_key *b)
{
    bool same_edges = a->edges == b->edges && (!a->edges || a->facet == b->facet);
    return same_edges && a->rigid_slave == b->rigid_slave && a->slave == b->slave && a->point == b->point &&
           a->rigid_other == b->rigid_other && a->other == b->other;
}

/* One contact for each point and surface: the facet that is nearest; of equal ones the first. And one for each pair of edges. */
void next_contact(const constraint_work *cw, const carom_scratch *w, double h, int *at, node_contact *best)
{
    const double through = choose_margin(w->model);
    int first = *at;
    *best = (node_contact){ .gap = HUGE_VAL };
    for (; *at < cw->near_count && same_point(&cw->near[first].key, &cw->near[*at].key); ++*at) {
        node_contact c = { .key = cw->near[*at].key, .watched = cw->near[*at].watched };
        if (measure_resolved(w, &c) && fabs(c.gap) < fabs(best->gap)) {
            *best = c;
        }
    }
    if (h > 0.0 && best->gap < HUGE_VAL) {
        choose_side(cw, w, first, *at, h, best);
    }
    if (!best->key.rigid_other && best->gap < -through) { /* the far side of a body, seen through it */
        best->gap = HUGE_VAL;
    }
    if (best->key.edges && best->gap < -cw->edge_depth) {
        best->gap = HUGE_VAL;
    }
}

/* Rows ask that gaps do not become negative: they are by what turns within a step, and by rounding. */
double edge_depth_of(const carom_model *m, double reach)
{
    return reach + 1e-9 * m->length_scale;
}

carom_status find_contacts(constraint_work *cw, carom_scratch *w, double h, carom_error *err)
{
    double reach = 2.0 * fastest_speed(w) * h; /* [m] by which a gap can change within the step, both sides moving */
    const double rounding = 1e-12 * w->model->length_scale;
    cw->moved += 0.5 * reach;
    cw->edge_depth = edge_depth_of(w->model, reach);
    bool ok = (cw->near_margin > 0.0 && 2.0 * cw->moved + 2.0 * reach < cw->near_margin) ||
              list_near(cw, w, choose_margin(w->model));
    cw->contact_count = 0;
    for (int i = 0; ok && i < cw->near_count;) {
        node_contact best;
        next_contact(cw, w, h, &i, &best);
        if (best.watched && best.gap < -rounding) {
            return refuse_outside(&best, w, err);
        }
        if (best.gap <= reach && !best.watched) {
            ok = push_contact(cw, w, &best);
        }
    }
    leave_spare(cw, w);
    return ok ? CAROM_OK : contacts_no_memory(err);
}
