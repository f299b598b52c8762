#include "elements/bodies/nodes_parts.h"

#include <stdlib.h>
#include <string.h>

#include "math/numbers.h"

struct nodal_work {
    double *local, *rate;   /* e and e' of all nodes */
    double *elastic, *damp; /* K e and damping K e' */
    double *damping;        /* forces of damping on the coordinates */
};

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a body in nodal coordinates");
}

/* ---- questions ---- */

int nodal_dimension(const nodal_body *body)
{
    return body->dimension;
}

int nodal_node_count(const nodal_body *body)
{
    return body->node_count;
}

int nodal_coordinate_count(const nodal_body *body)
{
    return body->coordinate_count;
}

bool nodal_axisymmetric(const nodal_body *body)
{
    return body->dimension == 2 && body->rotation == ROTATION_NONE;
}

double nodal_total_mass(const nodal_body *body)
{
    return body->total_mass;
}

v3 nodal_place(const nodal_body *body, int node)
{
    return solid_mesh_node(body->mesh, node);
}

const double *nodal_mass(const nodal_body *body)
{
    return body->mass;
}

const bool *nodal_held(const nodal_body *body)
{
    return body->held;
}

/* ---- create ---- */

/* How many coordinates a node has: one for bars along the x axis, two for plane elements, three for solids. */
static carom_status find_dimension(nodal_body *b, carom_error *err)
{
    for (int e = 0; e < solid_mesh_element_count(b->mesh); ++e) {
        solid_element element = solid_mesh_element(b->mesh, e);
        if (element.type->beam || element.type->freedoms & (TURN_X | TURN_Y | TURN_Z)) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "nodes of elements of the kind '%s' turn: bodies in nodal coordinates are made of bars, "
                "plane elements or solids",
                element.type->kind.name);
        }
        if (b->dimension > 0 && b->dimension != element.type->dimension) {
            return carom_fail(err, CAROM_BAD_INPUT, "the mesh has elements of %d and of %d dimensions: choose one",
                              b->dimension, element.type->dimension);
        }
        b->dimension = element.type->dimension;
        v3 along = v3_sub(element.X[1], element.X[0]);
        if (b->dimension == 1 && (along.y != 0.0 || along.z != 0.0)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "element %d does not lie along the x axis of its body: a rod is straight", e);
        }
        bool round = b->dimension == 2 && element.material->plane == AXISYMMETRIC;
        b->rotation = b->dimension == 1 || round ? ROTATION_NONE : b->rotation;
    }
    return CAROM_OK;
}

static int freedom_of(const nodal_body *b, int node, int axis)
{
    return solid_mesh_freedom(b->mesh, node, 1u << axis);
}

static carom_status take_masses(nodal_body *b, carom_error *err)
{
    double *m = malloc((size_t)(solid_mesh_freedom_count(b->mesh) + 1) * sizeof *m);
    if (!m) {
        return no_memory(err);
    }
    solid_mesh_lumped_mass(b->mesh, m);
    bool round = b->dimension == 2 && b->rotation == ROTATION_NONE;
    carom_status status = CAROM_OK;
    for (int i = 0; i < b->node_count && status == CAROM_OK; ++i) {
        if (freedom_of(b, i, 0) < 0) {
            status = carom_fail(err, CAROM_BAD_INPUT, "node %d of the mesh belongs to no element", i);
            break;
        }
        for (int axis = 0; axis < b->dimension; ++axis) {
            b->mass[b->dimension * i + axis] = m[freedom_of(b, i, axis)];
        }
        b->held[b->dimension * i] = round && solid_mesh_node(b->mesh, i).x == 0.0;
        b->total_mass += m[freedom_of(b, i, b->dimension - 1)];
    }
    free(m);
    return status;
}

/* A set of nodes with weights, from the arena; nodes NULL: all of them, by mass. */
static bool make_set(nodal_body *b, const int *nodes, int count, corotation_set *out, v3 *centre)
{
    double *weight = CAROM_ARENA_ARRAY(&b->arena, double, count);
    v3 *X = CAROM_ARENA_ARRAY(&b->arena, v3, count);
    int *own = nodes ? carom_arena_copy(&b->arena, nodes, (size_t)count * sizeof *own) : NULL;
    if (b->arena.failed) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        int node = nodes ? nodes[i] : i;
        weight[i] = b->mass[b->dimension * node + b->dimension - 1];
        X[i] = solid_mesh_node(b->mesh, node);
    }
    *centre = corotation_centre(count, weight, X);
    *out = (corotation_set){ b->dimension, count, own, weight, X };
    return true;
}

/* Whether a rotation can be read off the set. */
static bool set_turns(const corotation_set *set)
{
    double size = 0.0;
    for (int i = 0; i < set->count; ++i) {
        size += set->weight[i] * v3_norm2(set->X[i]);
    }
    return set->dimension == 2 && size > 0.0;
}

static carom_status make_frames(nodal_body *b, const nodal_def *def, carom_error *err)
{
    v3 centre;
    bool ok = make_set(b, NULL, b->node_count, &b->all, &centre);
    b->own = b->all;
    if (ok && b->rotation == ROTATION_SET) {
        ok = make_set(b, def->set, def->set_count, &b->own, &centre);
        if (ok && !set_turns(&b->own)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "the frame of a body cannot be read off these %d nodes: it takes two places in a plane",
                              def->set_count);
        }
    }
    b->X = CAROM_ARENA_ARRAY(&b->arena, v3, b->node_count);
    for (int i = 0; ok && b->X && i < b->node_count; ++i) {
        b->X[i] = v3_sub(solid_mesh_node(b->mesh, i), centre);
    }
    return ok && b->X ? CAROM_OK : no_memory(err);
}

static carom_status make_elements(nodal_body *b, carom_error *err)
{
    b->element_count = solid_mesh_element_count(b->mesh);
    b->elements = CAROM_ARENA_ARRAY(&b->arena, nodal_element, b->element_count);
    for (int e = 0; b->elements && e < b->element_count; ++e) {
        solid_element from = solid_mesh_element(b->mesh, e);
        nodal_element *to = &b->elements[e];
        int n = from.type->node_count * b->dimension;
        double *K = CAROM_ARENA_ARRAY(&b->arena, double, n *n);
        if (!K) {
            break;
        }
        from.type->stiffness(from.type, from.X, from.material, K);
        to->count = from.type->node_count;
        to->K = K;
        memcpy(to->nodes, from.nodes, sizeof to->nodes);
        for (int i = 0; i < to->count; ++i) {
            to->weight[i] = 1.0;
            to->X[i] = from.X[i];
        }
        corotation_centre(to->count, to->weight, to->X);
    }
    return b->arena.failed ? no_memory(err) : CAROM_OK;
}

static carom_status fill(nodal_body *b, const nodal_def *def, carom_error *err)
{
    carom_status status = find_dimension(b, err);
    if (status != CAROM_OK) {
        return status;
    }
    b->node_count = solid_mesh_node_count(b->mesh);
    b->coordinate_count = b->dimension * b->node_count;
    b->mass = CAROM_ARENA_ARRAY(&b->arena, double, b->coordinate_count);
    b->held = CAROM_ARENA_ARRAY(&b->arena, bool, b->coordinate_count);
    status = b->arena.failed ? no_memory(err) : take_masses(b, err);
    status = status == CAROM_OK ? make_frames(b, def, err) : status;
    status = status == CAROM_OK && b->rotation == ROTATION_ELEMENT ? make_elements(b, err) : status;
    return status == CAROM_OK && b->rotation != ROTATION_ELEMENT
               ? node_matrix_create(&b->K, b->mesh, b->dimension, err)
               : status;
}

carom_status nodal_create(nodal_body **out, const nodal_def *def, carom_error *err)
{
    nodal_body *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b) {
        return no_memory(err);
    }
    b->mesh = def->mesh;
    b->rotation = def->rotation;
    b->damping = def->damping;
    carom_status status = fill(b, def, err);
    if (status != CAROM_OK) {
        nodal_destroy(b);
        return status;
    }
    *out = b;
    return CAROM_OK;
}

void nodal_destroy(nodal_body *body)
{
    if (body) {
        node_matrix_destroy(body->K);
        carom_arena_free(&body->arena);
        free(body);
    }
}

carom_status nodal_work_create(nodal_work **out, const nodal_body *body, carom_error *err)
{
    size_t n = (size_t)body->coordinate_count;
    nodal_work *w = calloc(1, sizeof *w);
    double *room = calloc(5 * n + 1, sizeof *room);
    if (!w || !room) {
        free(w);
        free(room);
        *out = NULL;
        return no_memory(err);
    }
    *w = (nodal_work){ room, room + n, room + 2 * n, room + 3 * n, room + 4 * n };
    *out = w;
    return CAROM_OK;
}

void nodal_work_destroy(nodal_work *work)
{
    if (work) {
        free(work->local);
        free(work);
    }
}

/* ---- forces ---- */

/* In the plane, unrolled: most of what an explicit step does besides K. */
static void to_frame_in_plane(const nodal_body *b, nodal_work *w, const corotation_frame *frame, const double *u)
{
    double c = frame->A.m[0];
    double s = frame->A.m[3];
    double c_minus_1 = frame->A_minus_I.m[0];
    for (int i = 0; i < b->node_count; ++i) {
        double dx = u[2 * i] - frame->shift.x;
        double dy = u[2 * i + 1] - frame->shift.y;
        w->local[2 * i] = c_minus_1 * b->X[i].x + s * b->X[i].y + c * dx + s * dy;
        w->local[2 * i + 1] = -s * b->X[i].x + c_minus_1 * b->X[i].y - s * dx + c * dy;
    }
}

/* Displacements and rates of all nodes in the frame of the body. */
static void to_frame(const nodal_body *b, nodal_work *w, const corotation_frame *frame, const double *u,
                     const double *v)
{
    if (b->dimension == 2) {
        to_frame_in_plane(b, w, frame, u);
    }
    for (int i = 0; b->dimension == 3 && i < b->node_count; ++i) {
        node_store(w->local, 3, i, corotation_local(frame, b->X[i], node_load(u, 3, i)));
    }
    for (int i = 0; b->damping > 0.0 && i < b->node_count; ++i) {
        v3 local = node_load(w->local, b->dimension, i);
        v3 rate = corotation_local_rate(frame, b->X[i], local, node_load(v, b->dimension, i));
        node_store(w->rate, b->dimension, i, rate);
    }
}

static v3 turn_in_plane(const nodal_body *b, const double *local, const double *p, const corotation_frame *frame,
                        double *f)
{
    double c = frame->A.m[0];
    double s = frame->A.m[3];
    double moment = 0.0;
    for (int i = 0; i < b->node_count; ++i) {
        double px = p[2 * i];
        double py = p[2 * i + 1];
        moment += (b->X[i].x + local[2 * i]) * py - (b->X[i].y + local[2 * i + 1]) * px;
        f[2 * i] = s * py - c * px;
        f[2 * i + 1] = -s * px - c * py;
    }
    return v3_make(0.0, 0.0, moment);
}

/* Forces p of all nodes in the frame, with the opposite sign in the axes of the coordinates; returns their moment. */
static v3 turn_back(const nodal_body *b, const double *local, const double *p, const corotation_frame *frame,
                    double *f)
{
    v3 moment = v3_zero();
    if (b->dimension == 2) {
        return turn_in_plane(b, local, p, frame, f);
    }
    for (int i = 0; i < b->node_count; ++i) {
        v3 own = node_load(p, b->dimension, i);
        v3 y = v3_add(b->X[i], node_load(local, b->dimension, i));
        moment = v3_add(moment, v3_cross(y, own));
        node_store(f, b->dimension, i, v3_neg(m3_mulv(frame->A, own)));
    }
    return moment;
}

/* f = -A [p - w (lambda x X)]. */
static void from_frame(const nodal_body *b, const double *local, const double *p, const corotation_frame *frame,
                       double *f)
{
    v3 moment = turn_back(b, local, p, frame, f);
    v3 lambda = corotation_share(frame, b->dimension, moment);
    for (int k = 0; k < b->own.count; ++k) {
        v3 share = v3_scale(b->own.weight[k], v3_cross(lambda, b->own.X[k]));
        node_add(f, b->dimension, b->own.nodes ? b->own.nodes[k] : k, m3_mulv(frame->A, share));
    }
}

static void add_up(double *f, const double *g, int n)
{
    for (int k = 0; k < n; ++k) {
        f[k] += g[k];
    }
}

static nodal_energy body_forces(const nodal_body *b, nodal_work *w, const double *u, const double *v, double *f,
                                double *damping)
{
    nodal_energy energy = { 0 };
    int n = b->coordinate_count;
    corotation_frame frame = corotation_fit(&b->own, u, b->damping > 0.0 ? v : NULL);
    to_frame(b, w, &frame, u, v);
    node_matrix_times(b->K, w->local, w->elastic);
    energy.strain = 0.5 * numbers_dot(w->local, w->elastic, n);
    if (b->damping > 0.0) {
        node_matrix_times(b->K, w->rate, w->damp);
        for (int k = 0; k < n; ++k) {
            w->damp[k] *= b->damping;
        }
        energy.dissipation = numbers_dot(w->rate, w->damp, n);
    }
    from_frame(b, w->local, w->elastic, &frame, f);
    if (b->damping > 0.0) {
        from_frame(b, w->local, w->damp, &frame, damping);
        add_up(f, damping, n);
    }
    return energy;
}

/* Nothing turns: u is the deformation, but for a displacement of everything. */
static nodal_energy straight_forces(const nodal_body *b, nodal_work *w, const double *u, const double *v, double *f,
                                    double *damping)
{
    nodal_energy energy = { 0 };
    int n = b->coordinate_count;
    node_matrix_times(b->K, u, w->elastic);
    energy.strain = 0.5 * numbers_dot(u, w->elastic, n);
    if (b->damping > 0.0) {
        node_matrix_times(b->K, v, w->damp);
        energy.dissipation = b->damping * numbers_dot(v, w->damp, n);
    }
    for (int k = 0; k < n; ++k) {
        damping[k] = b->held[k] ? 0.0 : -b->damping * w->damp[k];
        f[k] = b->held[k] ? 0.0 : -w->elastic[k] + damping[k];
    }
    return energy;
}

/* Gathers the numbers of an element's nodes. */
static void gather(const nodal_element *e, int dimension, const double *from, double *to)
{
    for (int i = 0; i < e->count; ++i) {
        node_store(to, dimension, i, node_load(from, dimension, e->nodes[i]));
    }
}

static void dense_times(const double *K, const double *x, double *y, int n)
{
    for (int r = 0; r < n; ++r) {
        y[r] = numbers_dot(K + (size_t)r * (size_t)n, x, n);
    }
}

/* Adds forces against the deformation of an element to those of its nodes. */
static void scatter(const nodal_element *e, int d, const corotation_frame *frame, const double *local,
                    const double *p, double *f)
{
    v3 moment = v3_zero();
    for (int i = 0; i < e->count; ++i) {
        moment = v3_add(moment, v3_cross(v3_add(e->X[i], node_load(local, d, i)), node_load(p, d, i)));
    }
    v3 lambda = corotation_share(frame, d, moment);
    for (int i = 0; i < e->count; ++i) {
        v3 share = v3_scale(e->weight[i], v3_cross(lambda, e->X[i]));
        node_add(f, d, e->nodes[i], m3_mulv(frame->A, v3_sub(share, node_load(p, d, i))));
    }
}

static void add_element(const nodal_body *b, const nodal_element *e, const double *u, const double *v, double *f,
                        double *damping, nodal_energy *energy)
{
    int d = b->dimension;
    int n = d * e->count;
    double own_u[SOLID_FREEDOMS], own_v[SOLID_FREEDOMS], local[SOLID_FREEDOMS], rate[SOLID_FREEDOMS];
    double p[SOLID_FREEDOMS] = { 0.0 };
    double damp[SOLID_FREEDOMS];
    const corotation_set set = { d, e->count, NULL, e->weight, e->X };
    gather(e, d, u, own_u);
    gather(e, d, v, own_v);
    corotation_frame frame = corotation_fit(&set, own_u, own_v);
    for (int i = 0; i < e->count; ++i) {
        v3 at = corotation_local(&frame, e->X[i], node_load(own_u, d, i));
        node_store(local, d, i, at);
        node_store(rate, d, i, corotation_local_rate(&frame, e->X[i], at, node_load(own_v, d, i)));
    }
    dense_times(e->K, local, p, n);
    energy->strain += 0.5 * numbers_dot(local, p, n);
    scatter(e, d, &frame, local, p, f);
    if (b->damping > 0.0) {
        dense_times(e->K, rate, damp, n);
        energy->dissipation += b->damping * numbers_dot(rate, damp, n);
        for (int k = 0; k < n; ++k) {
            damp[k] *= b->damping;
        }
        scatter(e, d, &frame, local, damp, damping);
    }
}

nodal_energy nodal_forces(const nodal_body *body, nodal_work *work, const double *u, const double *v, double *f)
{
    if (body->rotation == ROTATION_NONE) {
        return straight_forces(body, work, u, v, f, work->damping);
    }
    if (body->rotation != ROTATION_ELEMENT) {
        return body_forces(body, work, u, v, f, work->damping);
    }
    nodal_energy energy = { 0 };
    memset(f, 0, (size_t)body->coordinate_count * sizeof *f);
    memset(work->damping, 0, (size_t)body->coordinate_count * sizeof *f);
    for (int e = 0; e < body->element_count; ++e) {
        add_element(body, &body->elements[e], u, v, f, work->damping, &energy);
    }
    if (body->damping > 0.0) {
        add_up(f, work->damping, body->coordinate_count);
    }
    return energy;
}

const double *nodal_damping(const nodal_body *body, const nodal_work *work)
{
    return body->damping > 0.0 ? work->damping : NULL;
}

corotation_frame nodal_fit(const nodal_body *body, const double *u, const double *v)
{
    if (body->rotation == ROTATION_NONE) { /* of a solid of revolution only the axis moves */
        corotation_frame f = { .A = m3_identity() };
        int last = body->dimension - 1;
        double shift = 0.0;
        double velocity = 0.0;
        for (int i = 0; i < body->node_count; ++i) {
            shift += body->all.weight[i] * u[body->dimension * i + last];
            velocity += body->all.weight[i] * v[body->dimension * i + last];
        }
        f.shift = last == 0 ? v3_make(shift, 0.0, 0.0) : v3_make(0.0, shift, 0.0);
        f.velocity = last == 0 ? v3_make(velocity, 0.0, 0.0) : v3_make(0.0, velocity, 0.0);
        return f;
    }
    return corotation_fit(&body->all, u, v);
}

/* ---- strain ---- */

/* Displacements of the nodes in the frame of the element, whose axes are returned. */
static m3 element_local(const solid_type *type, const v3 *X, v3 *u)
{
    double weight[SOLID_NODES], numbers[SOLID_FREEDOMS];
    v3 about[SOLID_NODES];
    int d = type->dimension;
    for (int i = 0; i < type->node_count; ++i) {
        weight[i] = 1.0;
        about[i] = X[i];
        node_store(numbers, d, i, u[i]);
    }
    corotation_centre(type->node_count, weight, about);
    const corotation_set set = { d, type->node_count, NULL, weight, about };
    corotation_frame frame = corotation_fit(&set, numbers, NULL);
    for (int i = 0; i < type->node_count; ++i) {
        u[i] = corotation_local(&frame, about[i], u[i]);
    }
    return frame.A;
}

m3 nodal_element_strain(const solid_element *e, const v3 *u, bool turns, const double xi[3],
                        double strain[SOLID_STRAINS], double stress[SOLID_STRAINS])
{
    int freedoms = solid_node_freedoms(e->type->freedoms); /* displacements along the first axes */
    double local[SOLID_FREEDOMS] = { 0.0 };
    v3 own[SOLID_NODES];
    memcpy(own, u, (size_t)e->type->node_count * sizeof *own);
    m3 axes = turns ? element_local(e->type, e->X, own) : m3_diag(1.0, 1.0, 1.0);
    for (int i = 0; i < e->type->node_count; ++i) {
        node_store(local, freedoms, i, own[i]);
    }
    e->type->strain(e->type, e->X, e->material, local, xi, strain);
    if (stress) {
        e->type->stress(e->type, e->material, strain, stress);
    }
    return axes;
}

void nodal_strain(const nodal_body *body, const double *u, int element, const double xi[3],
                  double strain[SOLID_STRAINS], double stress[SOLID_STRAINS])
{
    const solid_element e = solid_mesh_element(body->mesh, element);
    v3 own[SOLID_NODES];
    for (int i = 0; i < e.type->node_count; ++i) {
        own[i] = node_load(u, body->dimension, e.nodes[i]);
    }
    nodal_element_strain(&e, own, body->rotation != ROTATION_NONE, xi, strain, stress);
}
