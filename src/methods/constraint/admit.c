/* Whether a run may begin where its state stands.
 *
 * A contact constraint removes an overlap within one explicit step, so that what starts inside of something else is shot out of it, with
 * its depth over a step. Overlaps are therefore looked for once, by nodes against rigid shapes, by nodes and corners inside of other surfaces,
 * however deep, and by what lies between edges that have crossed. A little is rounding of the scene's numbers and counts as touching. */
#include "methods/constraint/constraint_work.h"

#include <math.h>

#include "dynamics/integrator.h"
#include "geometry/bvh.h"
#include "math/quat.h"
#include "model/origin.h"

static const double ROUNDING =
    1e-6; /* of the shortest edge of a surface: the strain that a start may bring; of the model's length scale */

typedef struct overlap {
    int body[2];
    double depth; /* [m]; 0: there is none */
} overlap;

static void note_overlap(overlap *worst, int a, int b, double depth)
{
    if (depth > worst->depth) {
        *worst = (overlap){ .body = { a < b ? a : b, a < b ? b : a }, .depth = depth };
    }
}

static double rounding_of(const carom_model *m, const contact_key *key)
{
    return ROUNDING * (key->rigid_slave ? m->length_scale : m->surfaces[key->slave].facet_size);
}

/* ---- points inside of a surface ------------------------------------------------------------------------------------ */

static v3 corner(const carom_scratch *w, const model_surface *s, const solid_facet *f, int k)
{
    return surface_node(w, s, f->nodes[k < f->count ? k : f->count - 1]);
}

/* How much of all directions a facet takes up, seen from p: positive from inside. */
static double share_of_directions(const carom_scratch *w, const model_surface *s, const solid_facet *f, v3 p)
{
    const double pi = 3.14159265358979323846;
    v3 a = v3_sub(corner(w, s, f, 0), p);
    v3 b = v3_sub(corner(w, s, f, 1), p);
    v3 c = v3_sub(corner(w, s, f, 2), p);
    if (f->count == 1) {
        double ahead = v3_dot(surface_axis(w, s, 0), a);
        return f->side * ahead > 0.0 ? 0.5 : -0.5;
    }
    if (f->count == 2) {
        v3 z_w = surface_axis(w, s, 2);
        v3 across = v3_axpy(b, -v3_dot(b, z_w), z_w);
        return atan2(v3_dot(z_w, v3_cross(a, across)), v3_dot(a, across)) / (2.0 * pi);
    }
    double la = v3_norm(a);
    double lb = v3_norm(b);
    double lc = v3_norm(c);
    double volume = v3_dot(a, v3_cross(b, c));
    double base = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    return 2.0 * atan2(volume, base) / (4.0 * pi);
}

/* [m] how far p is inside of the surface; 0: it is outside. */
static double depth_inside(const carom_scratch *w, const model_surface *s, v3 p)
{
    double share = 0.0;
    double least2 = HUGE_VAL;
    for (int f = 0; f < s->facet_count; ++f) {
        const solid_facet *facet = &s->facets[f];
        v3 nearest;
        int feature;
        share += share_of_directions(w, s, facet, p);
        least2 = fmin(least2, triangle_closest(p, corner(w, s, facet, 0), corner(w, s, facet, 1),
                                               corner(w, s, facet, 2), &nearest, &feature));
    }
    return share > 0.5 ? sqrt(least2) : 0.0;
}

/* Corners of a rigid shape, and its middle, inside of a surface; balls that reach into it are contacts, which are looked at anyway. */
static void check_points(const carom_scratch *w, int index, int surface, overlap *worst)
{
    const model_surface *s = &w->model->surfaces[surface];
    const model_collider *c = &w->model->colliders[index];
    const surface_box box = surface_box_of(w, s, 0.0);
    const contact_key key = { .rigid_slave = true, .slave = index, .other = surface };
    int count = collider_point_count(c->collider);
    for (int i = 0; i <= count && count > 0; ++i) {
        contact_key point = key;
        double radius;
        point.point = i;
        v3 middle_c = v3_add(c->pose_c.position, q_rotate(c->pose_c.orientation, collider_box(c->collider)->center));
        v3 p = i < count ? slave_position(w, &point, &radius)
                         : v3_add(w->pose[c->body].x_w, m3_mulv(w->R_w[c->body], middle_c));
        double depth = surface_box_has(&box, p) ? depth_inside(w, s, p) : 0.0;
        note_overlap(worst, c->body, s->body, depth > ROUNDING * s->facet_size ? depth : 0.0);
    }
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

/* [m] how far the place is inside of a body: negative or 0: it is not. */
static double depth_in(const carom_scratch *w, bool rigid, int index, v3 p_w)
{
    if (!rigid) {
        return depth_inside(w, &w->model->surfaces[index], p_w);
    }
    const model_collider *c = &w->model->colliders[index];
    v3 r_c = m3_tmulv(w->R_w[c->body], v3_sub(p_w, w->pose[c->body].x_w));
    v3 r = q_unrotate(c->pose_c.orientation, v3_sub(r_c, c->pose_c.position));
    return -collider_sample(c->collider, r).distance;
}

/* Edges that have crossed overlap where the middle between them is inside of both; else they are other sides of the bodies. Plane bodies have an
 * inside in their plane only: their nodes and corners say it. */
static void check_edges(const constraint_work *cw, const carom_scratch *w, overlap *worst)
{
    const carom_model *m = w->model;
    for (int k = 0; k < cw->near_count; ++k) {
        node_contact c = { .key = cw->near[k].key };
        bool planar = (!c.key.rigid_slave && m->surfaces[c.key.slave].dimension == 2) ||
                      (!c.key.rigid_other && m->surfaces[c.key.other].dimension == 2);
        if (!c.key.edges || planar || !measure_contact(w, &c) || -c.gap <= ROUNDING * m->length_scale) {
            continue;
        }
        double from = c.key.rigid_slave && c.key.rigid_other ? 0.0 : c.key.rigid_slave ? 0.5 : -0.5;
        v3 middle = v3_axpy(c.p_w, from * c.gap, c.normal_w);
        double depth = fmin(depth_in(w, c.key.rigid_slave, c.key.slave, middle),
                            depth_in(w, c.key.rigid_other, c.key.other, middle));
        note_overlap(worst, c.body[0], c.body[1], depth > 0.0 ? -c.gap : 0.0);
    }
}

/* ---- the check ----------------------------------------------------------------------------------------------------- */

/* Nodes of the first inside of the second; and its middle, since equal bodies at one place have no node inside of each other. */
static void check_surfaces(const carom_scratch *w, int k, int l, overlap *worst)
{
    const model_surface *s = &w->model->surfaces[k];
    const model_surface *other = &w->model->surfaces[l];
    const double rounding = ROUNDING * fmin(s->facet_size, other->facet_size);
    const surface_box box = surface_box_of(w, other, 0.0);
    v3 middle = v3_zero();
    for (int i = 0; i <= s->node_count; ++i) {
        v3 p = i < s->node_count ? surface_node(w, s, s->nodes[i]) : middle;
        double depth = surface_box_has(&box, p) ? depth_inside(w, other, p) : 0.0;
        note_overlap(worst, s->body, other->body, depth > rounding ? depth : 0.0);
        middle = v3_axpy(middle, 1.0 / s->node_count, p);
    }
}

static carom_status refuse(const carom_model *m, const overlap *worst, carom_error *err)
{
    carom_fail(
        err, CAROM_INTERSECTING,
        "'%.100s' and '%.100s' start %.3g m inside each other; the method 'constraint' needs a start without overlap: "
        "move them apart, or let them ignore each other in contact.pairs",
        m->bodies[worst->body[0]].name, m->bodies[worst->body[1]].name, worst->depth);
    return model_blame_body(m, worst->body[1], NULL, CAROM_INTERSECTING, err);
}

carom_status constraint_admit(const carom_state *state, carom_scratch *w, carom_error *err)
{
    constraint_work *cw = w->contact;
    const carom_model *m = w->model;
    overlap worst = { 0 };
    integrator_load(w, state);
    work_place(w, *state->time, state_motion(state));
    carom_status status = cw->load_failed ? contacts_no_memory(err) : find_contacts(cw, w, 0.0, err);
    for (int i = 0; i < cw->contact_count && status == CAROM_OK; ++i) {
        const node_contact *c = &cw->contacts[i];
        bool ball = c->key.rigid_slave && !c->key.rigid_other;
        bool open = c->key.edges || (!c->key.rigid_other && !ball) || -c->gap <= rounding_of(m, &c->key);
        note_overlap(&worst, c->body[0], c->body[1], open ? 0.0 : -c->gap);
    }
    for (int i = 0; i < m->surface_count * m->surface_count && status == CAROM_OK; ++i) {
        int k = i / m->surface_count;
        int l = i % m->surface_count;
        if (k != l && model_surface_interaction(m, k, m->collider_count + l)) {
            check_surfaces(w, k, l, &worst);
        }
    }
    for (int i = 0; i < m->surface_count * m->collider_count && status == CAROM_OK; ++i) {
        int k = i / m->collider_count;
        int o = i % m->collider_count;
        if (m->surfaces[k].dimension > 1 && model_surface_interaction(m, k, o)) {
            check_points(w, o, k, &worst);
        }
    }
    if (status == CAROM_OK) {
        check_edges(cw, w, &worst);
    }
    return status == CAROM_OK && worst.depth > 0.0 ? refuse(m, &worst, err) : status;
}
