/* Probes of bodies in nodal coordinates: where a place of the body is, how fast it moves, how it is stretched. */
#include <stdlib.h>

#include "elements/flexible/flexible.h"
#include "model/nodal.h"

/* The node at a place, -1: none. */
static int node_at(const model_nodal *n, v3 at, double room)
{
    for (int i = 0; i < nodal_node_count(n->nodes); ++i) {
        if (v3_norm(v3_sub(nodal_place(n->nodes, i), at)) <= room) {
            return i;
        }
    }
    return -1;
}

static void take_node(const model_nodal *n, int node, model_probe *p)
{
    for (int e = 0; e < solid_mesh_element_count(n->mesh) && p->count < PROBE_ELEMENTS; ++e) {
        const solid_element element = solid_mesh_element(n->mesh, e);
        for (int i = 0; i < element.type->node_count; ++i) {
            if (element.nodes[i] == node) {
                p->elements[p->count] = e;
                for (int a = 0; a < 3; ++a) {
                    p->xi[p->count][a] = element.type->nodes[i][a];
                }
                p->count++;
            }
        }
    }
}

static carom_status make_probe(const model_nodal *n, const flexible_input *in, const carom_probe_def *def,
                               model_probe *p, carom_error *err)
{
    const double room = 1e-9; /* of the size of the mesh */
    int node = node_at(n, def->at, room * in->size);
    *p = (model_probe){ .at = def->at,
                        .along = def->along.count == 3 ? v3_unit(v3_load(def->along.data)) : v3_zero() };
    if (node >= 0) {
        take_node(n, node, p);
        return CAROM_OK;
    }
    solid_spot spot;
    if (!solid_mesh_locate(n->mesh, def->at, &spot)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the probe '%.100s' at (%g, %g, %g) m is outside of the mesh",
                          def->name, def->at.x, def->at.y, def->at.z);
    }
    p->count = 1;
    p->elements[0] = spot.element;
    for (int a = 0; a < 3; ++a) {
        p->xi[0][a] = spot.xi[a];
    }
    return CAROM_OK;
}

carom_status nodal_make_probes(model_nodal *n, const flexible_input *in, carom_arena *arena, carom_error *err)
{
    const carom_probe_def *defs = in->def->probes.items;
    int count = (int)in->def->probes.count;
    n->probe_names = CAROM_ARENA_ARRAY(arena, body_probe, count + 1);
    n->probes = CAROM_ARENA_ARRAY(arena, model_probe, count + 1);
    carom_status status = arena->failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for probes") : CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        n->probe_names[i] = (body_probe){ carom_arena_text(arena, defs[i].name), defs[i].along.count == 3 };
        status = make_probe(n, in, &defs[i], &n->probes[i], err);
    }
    n->probe_count = count;
    return status;
}

const body_probe *nodal_probes(const void *nodal, int *count)
{
    const model_nodal *n = nodal;
    *count = n->probe_count;
    return n->probe_names;
}

double nodal_strain_energy(const void *nodal, const double *q)
{
    const model_nodal *n = nodal;
    carom_error err;
    nodal_work *work = NULL;
    double *room = calloc(2 * (size_t)nodal_coordinate_count(n->nodes) + 1, sizeof *room);
    double strain = (double)NAN;
    if (room && nodal_work_create(&work, n->nodes, &err) == CAROM_OK) {
        strain = nodal_forces(n->nodes, work, q, room, room + nodal_coordinate_count(n->nodes)).strain;
    }
    nodal_work_destroy(work);
    free(room);
    return strain;
}

/* A quantity of the nodes at a point of an element. */
static v3 interpolate(const model_nodal *n, const solid_element *e, const double *xi, const double *u)
{
    double weights[SOLID_NODES];
    v3 sum = v3_zero();
    e->type->weights(e->type, xi, weights);
    for (int i = 0; i < e->type->node_count; ++i) {
        sum = v3_axpy(sum, weights[i], node_load(u, nodal_dimension(n->nodes), e->nodes[i]));
    }
    return sum;
}

/* a . strain a for a unit vector in the axes of the element's frame; of bars their extension. */
static double strain_along(const solid_element *e, const double *strain, v3 a)
{
    if (!e->type->continuum) {
        return strain[STRAIN_AXIAL];
    }
    return strain[STRAIN_XX] * a.x * a.x + strain[STRAIN_YY] * a.y * a.y + strain[STRAIN_ZZ] * a.z * a.z +
           strain[STRAIN_YZ] * a.y * a.z + strain[STRAIN_ZX] * a.z * a.x + strain[STRAIN_XY] * a.x * a.y;
}

void nodal_probe(const void *nodal, const body_frame *frame, const double *q, const double *q_dot, int probe,
                 probe_motion *out)
{
    const model_nodal *n = nodal;
    const model_probe *p = &n->probes[probe];
    const solid_element first = solid_mesh_element(n->mesh, p->elements[0]);
    v3 u = interpolate(n, &first, p->xi[0], q);
    v3 at_w = v3_add(n->start.position, m3_mulv(n->R_start, p->at));
    *out = (probe_motion){ .p_w = v3_add(at_w, m3_mulv(n->R_start, u)),
                           .v_w = m3_mulv(n->R_start, interpolate(n, &first, p->xi[0], q_dot)) };
    corotation_frame fit = nodal_fit(n->nodes, q, q_dot);
    v3 centre = m3_tmulv(n->R_start, v3_sub(frame->pose.x_w, n->start.position));
    v3 X = v3_sub(p->at, v3_sub(centre, fit.shift)); /* about the undeformed centre of mass */
    out->displacement_b = v3_sub(m3_tmulv(fit.A, v3_sub(v3_add(p->at, u), centre)), X);
    for (int k = 0; k < p->count; ++k) {
        const solid_element e = solid_mesh_element(n->mesh, p->elements[k]);
        double strain[SOLID_STRAINS];
        nodal_strain(n->nodes, q, p->elements[k], p->xi[k], strain, NULL);
        out->strain += strain_along(&e, strain, p->along) / p->count;
    }
}
