/* The mesh of a body whose shape is filled with tetrahedra: the closed surface of the shape, in the frame of the body, as finely divided as the
 * tetrahedra shall be. Tetrahedra of ten nodes follow round shapes by their edges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_refine.h"
#include "geometry/shape.h"
#include "mesh_files/mesh_read.h"
#include "mesh_files/tetrahedra.h"
#include "model/flexible_parts.h"

static carom_status find_shape(const carom_body_def *body, const carom_shape_def **shape,
                               const carom_shape_type **type, carom_error *err)
{
    if (body->shapes.count != 1) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the mesh is 'of_shape', and the body has %zu shapes; give it exactly one, a closed surface",
            body->shapes.count);
    }
    *shape = body->shapes.items;
    *type = (*shape)->shape.kind ? carom_shape_type_find((*shape)->shape.kind) : NULL;
    if (!*type) {
        return carom_fail(err, CAROM_BAD_INPUT, "unknown shape '%s'",
                          (*shape)->shape.kind ? (*shape)->shape.kind : "");
    }
    return (*type)->solid
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "the mesh is 'of_shape', and the shape of the body is a '%s', which has no inside",
                            (*type)->kind.name);
}

/* The mesh that a shape is made of. */
static carom_status own_mesh(mesh **out, const carom_shape_type *type, const void *params, carom_error *err)
{
    mesh_file file;
    return type->from_file && type->from_file(&file, params) ? mesh_read_content(out, &file, NULL, err)
                                                             : type->make(out, params, err);
}

/* Triangles of a mesh are divided where they are too large; of other shapes the surface is made. */
static carom_status surface_of(mesh **out, const carom_shape_type *type, const void *params, double size,
                               carom_error *err)
{
    *out = NULL;
    if (!type->mesh_name) {
        return type->tessellate(out, params, (surface_grain){ .spacing = size }, err);
    }
    mesh *coarse = NULL;
    carom_status status = own_mesh(&coarse, type, params, err);
    status = status == CAROM_OK ? mesh_refine_edges(out, coarse, size, err) : status;
    mesh_destroy(coarse);
    return status;
}

static void place(mesh *m, const carom_shape_def *shape)
{
    carom_quat turn = q_unit(shape->orientation);
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = v3_add(shape->at, q_rotate(turn, m->vertices[i]));
    }
}

/* Halfway nodes of the surface, moved to the nearest point of the shape. */
static void bend(volume_mesh *cells, const bool *outside, const carom_shape_type *type, const carom_shape_def *shape)
{
    carom_quat turn = q_unit(shape->orientation);
    for (int i = 0; i < cells->node_count; ++i) {
        if (outside[i]) {
            v3 at = q_unrotate(turn, v3_sub(cells->nodes[i], shape->at));
            field_sample s = type->distance(shape->shape.params, at);
            cells->nodes[i] = v3_axpy(cells->nodes[i], -s.distance, q_rotate(turn, s.gradient));
        }
    }
}

/* Puts the nodes of a cell that bending turned inside out back where they were; false: it is a cell as it should be. */
static bool unbend(volume_mesh *cells, int cell, const solid_type *type, const v3 *straight)
{
    v3 X[SOLID_NODES];
    carom_error ignored = { 0 };
    const int *nodes = cells->cells[cell].nodes;
    bool moved = false;
    for (int i = 0; i < type->node_count; ++i) {
        X[i] = cells->nodes[nodes[i]];
        moved = moved || v3_norm(v3_sub(X[i], straight[nodes[i]])) > 0.0;
    }
    if (!moved || solid_check_geometry(type, X, &solid_material_default, &ignored) == CAROM_OK) {
        return false;
    }
    for (int i = 0; i < type->node_count; ++i) {
        cells->nodes[nodes[i]] = straight[nodes[i]];
    }
    return true;
}

/* Edges on the surface follow a round shape, but for those where cells would turn inside out, as at the tip of a cone: they stay
 * straight. */
static carom_status round_off(volume_mesh *cells, const carom_shape_type *type, const carom_shape_def *shape,
                              carom_error *err)
{
    const solid_type *solid = solid_type_find("tetrahedron10");
    bool *outside = volume_mesh_boundary(cells);
    v3 *straight = malloc(((size_t)cells->node_count + 1) * sizeof *straight);
    bool ok = outside && straight;
    if (ok) {
        memcpy(straight, cells->nodes, (size_t)cells->node_count * sizeof *straight);
        bend(cells, outside, type, shape);
    }
    for (bool again = ok; again;) {
        again = false;
        for (int c = 0; c < cells->cell_count; ++c) {
            again = unbend(cells, c, solid, straight) || again;
        }
    }
    free(outside);
    free(straight);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
}

static carom_status check_order(const carom_filled_mesh_def *def, carom_error *err)
{
    return def->order == 1 || def->order == 2
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "'order' of the mesh is %d; tetrahedra are of order 1 or 2",
                            def->order);
}

carom_status flexible_fill(volume_mesh *out, const carom_body_def *body, const carom_filled_mesh_def *def,
                           carom_error *err)
{
    const double on_side = 1e-9; /* of the body's size: what turning a shape leaves of being on one side of its box */
    const carom_shape_def *shape = NULL;
    const carom_shape_type *type = NULL;
    mesh *surface = NULL;
    *out = (volume_mesh){ 0 };
    carom_status status = check_order(def, err);
    status = status == CAROM_OK ? find_shape(body, &shape, &type, err) : status;
    status = status == CAROM_OK && type->check ? type->check(shape->shape.params, err) : status;
    status = status == CAROM_OK ? surface_of(&surface, type, shape->shape.params, def->size, err) : status;
    if (status == CAROM_OK) {
        v3 low, high;
        char name[200];
        snprintf(name, sizeof name, "the %s %.150s", type->kind.name,
                 type->mesh_name ? type->mesh_name(shape->shape.params) : "of the body");
        place(surface, shape);
        mesh_bounds(&low, &high, surface);
        status = tetrahedra_fill(out, surface,
                                 &(tetrahedra_options){ .name = name, .size = def->size, .order = def->order }, err);
        if (status == CAROM_OK && def->order == 2 && type->distance) {
            status = round_off(out, type, shape, err);
        }
        if (status == CAROM_OK && !flexible_mesh_add_sides(out, 3, on_side * v3_norm(v3_sub(high, low)))) {
            volume_mesh_free(out);
            status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
        }
    }
    mesh_destroy(surface);
    return status;
}
