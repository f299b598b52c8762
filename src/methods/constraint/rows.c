/* Rows of contacts: the velocity of the slave relative to the other side along normal and tangents, as coefficients on coordinates of
 * nodes and on the columns of rigid bodies, sections and bodies that deform; the Delassus matrix W = J M^-1 J^T with joints kept. Masses of nodes are
 * diagonal; bodies with columns respond through the factored mechanism. */
#include "methods/constraint/constraint_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/quat.h"

/* A point of a rigid body in a row: scale times its velocity along d. */
static void add_rigid(const carom_scratch *w, int body, v3 p_w, v3 d_w, double scale, contact_row *row)
{
    int side = row->body[0] == body || row->body[0] == 0 ? 0 : 1;
    double *out = side == 0 ? row->a : row->b;
    v3 arm = v3_cross(v3_sub(p_w, w->pose[body].x_w), d_w);
    row->body[side] = body;
    v3_store(out, v3_axpy(v3_load(out), scale, d_w));
    v3_store(out + 3, v3_axpy(v3_load(out + 3), scale, arm));
}

/* A node of a body that deforms and has columns. */
static void add_wide(const carom_scratch *w, const model_surface *s, int node, v3 d_w, double scale, contact_row *row,
                     double *columns[2])
{
    int side = row->body[0] == s->body || row->body[0] == 0 ? 0 : 1;
    if (!row->columns[side]) {
        memset(columns[side], 0, (size_t)w->model->bodies[s->body].width * sizeof *columns[side]);
    }
    row->body[side] = s->body;
    row->columns[side] = columns[side];
    surface_add_row(w, s, node, d_w, scale, side == 0 ? row->a : row->b, columns[side]);
}

static void add_nodal(const carom_scratch *w, const model_nodal *n, int node, v3 d_w, double scale, node_row *row,
                      contact_row *rigid)
{
    int d = nodal_dimension(n->nodes);
    if (n->section_of[node] >= 0) {
        v3 p_w = nodal_position_w(n, w->q + n->first_deform, node);
        add_rigid(w, n->sections[n->section_of[node]].body, p_w, d_w, scale, rigid);
        return;
    }
    v3 along = m3_tmulv(n->R_start, d_w);
    for (int k = 0; k < d; ++k) {
        int c = d * node + k;
        bool held = nodal_held(n->nodes)[c];
        row->entries[row->count++] = (node_entry){ n->first_deform + c, held ? 0.0 : scale * v3_get(along, k),
                                                   held ? 0.0 : 1.0 / nodal_mass(n->nodes)[c] };
    }
}

/* What a node of the facet, or of an edge, has in a row along d: its share in the velocity of the place on the normal where the point is. It is
 * the foot's, but for the turning of the normal over the gap; so force and reaction act at one point, and keep angular momentum. */
static v3 share_of(const node_contact *c, v3 d_w, double weight, v3 slope_w)
{
    return v3_axpy(v3_scale(weight, d_w), c->gap * v3_dot(d_w, slope_w), c->normal_w);
}

static void add_node(const carom_scratch *w, const model_surface *s, int node, v3 d_w, double scale, node_row *row,
                     contact_row *rigid, double *columns[2])
{
    if (s->nodal) {
        add_nodal(w, s->nodal, node, d_w, scale, row, rigid);
    } else {
        add_wide(w, s, node, d_w, scale, rigid, columns);
    }
}

/* A row while it is made. */
typedef struct row_maker {
    const carom_scratch *w;
    const node_contact *c;
    v3 d_w;
    node_row *row;
    contact_row *rigid;
    double *columns[2];
} row_maker;

static void add_slave(row_maker *r)
{
    const carom_model *m = r->w->model;
    const node_contact *c = r->c;
    const model_surface *s = &m->surfaces[c->key.slave];
    if (c->key.rigid_slave) {
        add_rigid(r->w, c->body[0], c->p_w, r->d_w, 1.0, r->rigid);
        return;
    }
    if (!c->key.edges) {
        add_node(r->w, s, c->key.point, r->d_w, 1.0, r->row, r->rigid, r->columns);
        return;
    }
    const int *nodes = edge_nodes(m, c->key.slave, c->key.point);
    for (int i = 0; i < 2; ++i) {
        v3 share = share_of(c, r->d_w, c->own_weight[i], c->own_slope_w[i]);
        add_node(r->w, s, nodes[i], share, 1.0, r->row, r->rigid, r->columns);
    }
}

static void add_other(row_maker *r)
{
    const carom_model *m = r->w->model;
    const node_contact *c = r->c;
    const model_surface *s = &m->surfaces[c->key.other];
    if (c->key.rigid_other) {
        add_rigid(r->w, c->body[1], c->p_w, r->d_w, -1.0, r->rigid);
        return;
    }
    const int *nodes = c->key.edges ? edge_nodes(m, c->key.other, c->key.facet) : s->facets[c->key.facet].nodes;
    int count = c->key.edges ? 2 : s->facets[c->key.facet].count;
    for (int i = 0; i < count; ++i) {
        add_node(r->w, s, nodes[i], share_of(c, r->d_w, -c->weight[i], c->slope_w[i]), 1.0, r->row, r->rigid,
                 r->columns);
    }
}

static void make_row(constraint_work *cw, const carom_scratch *w, const node_contact *c, v3 d_w, int index)
{
    const carom_model *m = w->model;
    node_row *row = &cw->rows[index];
    contact_row *rigid = &cw->responses.rows[index];
    double *room = cw->columns + 2 * (size_t)index * (size_t)cw->widest;
    *row = (node_row){ 0 };
    *rigid = (contact_row){ 0 };
    row_maker maker = { w, c, d_w, row, rigid, { room, room + cw->widest } };
    add_slave(&maker);
    add_other(&maker);
    row->rigid = m->bodies[rigid->body[0]].slot >= 0 || m->bodies[rigid->body[1]].slot >= 0;
}

double row_velocity(const constraint_work *cw, const carom_scratch *w, int k)
{
    const node_row *row = &cw->rows[k];
    double u = contact_row_times(&cw->responses.rows[k], w, rates_of(work_motion(w)));
    for (int i = 0; i < row->count; ++i) {
        u += row->entries[i].value * w->q_dot[row->entries[i].coordinate];
    }
    return u;
}

/* Both rows' coefficients on the same coordinates, over their masses. */
static double node_coupling(const node_row *a, const node_row *b)
{
    double sum = 0.0;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            if (a->entries[i].coordinate == b->entries[k].coordinate) {
                sum += a->entries[i].value * b->entries[k].value * b->entries[k].inverse_mass;
            }
        }
    }
    return sum;
}

static bool reserve(constraint_work *cw, size_t rows)
{
    if (rows > cw->response_capacity) {
        size_t room = 2 * rows + 8;
        carom_arena_free(&cw->response_arena);
        cw->response_arena = (carom_arena){ 0 };
        responses_create(&cw->responses, &cw->response_arena, cw->model, room);
        cw->response_capacity = cw->response_arena.failed ? 0 : room;
    }
    return cw->response_capacity >= rows && CAROM_ARRAY_RESERVE(cw->rows, cw->row_capacity, rows) &&
           CAROM_ARRAY_RESERVE(cw->W, cw->W_capacity, rows * rows) &&
           CAROM_ARRAY_RESERVE(cw->u, cw->u_capacity, rows) &&
           CAROM_ARRAY_RESERVE(cw->columns, cw->columns_capacity, 2 * rows * (size_t)cw->widest + 1);
}

carom_status make_rows(constraint_work *cw, carom_scratch *w, carom_error *err)
{
    size_t most = (size_t)cw->contact_count * CONTACT_ROWS;
    if (!reserve(cw, most)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    int n = 0;
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        c->first_row = n;
        make_row(cw, w, c, c->normal_w, n);
        ++n;
        for (int t = 0; t < c->tangent_count; ++t, ++n) {
            make_row(cw, w, c, c->tangent_w[t], n);
        }
    }
    cw->row_count = n;
    cw->responses.count = n;
    for (int k = 0; k < n; ++k) {
        response_find(&cw->responses, w, k, false);
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            bool both = cw->rows[i].rigid && cw->rows[k].rigid;
            cw->W[i * n + k] = node_coupling(&cw->rows[i], &cw->rows[k]) +
                               (both ? response_coupling(&cw->responses, w, i, k) : 0.0);
        }
        cw->u[i] = row_velocity(cw, w, i);
    }
    return CAROM_OK;
}

void apply_impulses(constraint_work *cw, carom_scratch *w, double *joint_impulse)
{
    double *p = cw->u; /* velocities of the rows have served */
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        for (int t = 0; t <= c->tangent_count; ++t) {
            const node_row *row = &cw->rows[c->first_row + t];
            p[c->first_row + t] = c->impulse[t];
            for (int k = 0; k < row->count; ++k) {
                const node_entry *e = &row->entries[k];
                w->q_dot[e->coordinate] += e->inverse_mass * e->value * c->impulse[t];
            }
        }
    }
    response_apply(&cw->responses, p, (changing_rates){ w->rate, w->q_dot });
    response_add_multipliers(&cw->responses, p, joint_impulse);
}
