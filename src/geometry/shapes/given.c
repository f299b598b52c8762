/* Shapes whose geometry stands in the scene, or in a file that the scene names: vertices, and triangles or edges between
 * them. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

enum { MOST_GIVEN = 10000000 }; /* vertices or cells in a scene */

const carom_mesh_vertex carom_shape_vertex_default;
const carom_mesh_cell carom_shape_cell_default;

const carom_field carom_shape_vertex_fields[] = {
    { .name = "at",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_mesh_vertex, at),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Coordinates x, y and z.",
      .min_count = 3,
      .max_count = 3 },
    { 0 },
};

const carom_field carom_shape_triangle_fields[] = {
    { .name = "of",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_mesh_cell, of),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Three vertices, counted from 0, counter-clockwise seen from outside.",
      .min_count = 3,
      .max_count = 3 },
    { 0 },
};

const carom_field carom_shape_edge_fields[] = {
    { .name = "of",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_mesh_cell, of),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Two vertices, counted from 0.",
      .min_count = 2,
      .max_count = 2 },
    { 0 },
};

v3 carom_shape_given_scale(const given_geometry *g)
{
    const double *s = g->scale.data;
    return g->scale.count == 3   ? v3_make(s[0], s[1], s[2])
           : g->scale.count == 1 ? v3_make(s[0], s[0], s[0])
                                 : v3_make(1.0, 1.0, 1.0);
}

/* ---- checks ------------------------------------------------------------------------------------------------------- */

static carom_status check_scale(const given_geometry *g, carom_error *err)
{
    size_t count = g->scale.count;
    if (count != 0 && count != 1 && count != 3) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: scale has %zu numbers; one for all axes, or three", g->shape,
                          count);
    }
    for (size_t i = 0; i < count; ++i) {
        double size = g->scale.data[i];
        carom_status status = carom_shape_check_size(g->shape, "scale", count == 3 ? fabs(size) : size, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static carom_status check_vertices(const given_geometry *g, carom_error *err)
{
    const double farthest = 1e12;
    const carom_mesh_vertex *vertices = g->vertices.items;
    v3 scale = carom_shape_given_scale(g);
    if (g->vertices.count > MOST_GIVEN) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: 'vertices' are %zu; at most %d are possible", g->shape,
                          g->vertices.count, MOST_GIVEN);
    }
    for (size_t i = 0; i < g->vertices.count; ++i) {
        const double *x = vertices[i].at.data;
        bool three = vertices[i].at.count == 3;
        if (!three || !(fabs(x[0] * scale.x) <= farthest && fabs(x[1] * scale.y) <= farthest &&
                        fabs(x[2] * scale.z) <= farthest)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "%s: vertex %zu (counted from 0) is no place [x, y, z] within %g m", g->shape, i,
                              farthest);
        }
    }
    return CAROM_OK;
}

static carom_status check_cells(const given_geometry *g, carom_error *err)
{
    const carom_mesh_cell *cells = g->cells.items;
    size_t vertices = g->vertices.count;
    if (g->cells.count > MOST_GIVEN) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' are %zu; at most %d are possible", g->shape, g->cells_name,
                          g->cells.count, MOST_GIVEN);
    }
    for (size_t i = 0; i < g->cells.count; ++i) {
        bool fits = cells[i].of.count == (size_t)g->corners;
        for (int k = 0; fits && k < g->corners; ++k) {
            double index = cells[i].of.data[k];
            fits = index >= 0.0 && index < (double)vertices && index == floor(index);
        }
        if (!fits) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "%s: entry %zu of '%s' (counted from 0) does not name %d of the %zu vertices, which are "
                "counted from 0",
                g->shape, i, g->cells_name, g->corners, vertices);
        }
    }
    return CAROM_OK;
}

static carom_status check_presence(const given_geometry *g, carom_error *err)
{
    bool file = g->file && g->file[0];
    bool vertices = g->vertices.count > 0;
    bool cells = g->cells.count > 0;
    const char *both = g->cells_name ? " and " : "";
    const char *name = g->cells_name ? g->cells_name : "";
    if (file && (vertices || cells)) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: both a file and vertices; leave out one of them", g->shape);
    }
    if (!file && (!vertices || (g->cells_name && !cells))) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: file is missing; name one, or give vertices%s%s", g->shape, both,
                          name);
    }
    return CAROM_OK;
}

carom_status carom_shape_check_given(const given_geometry *g, carom_error *err)
{
    carom_status status = check_presence(g, err);
    status = status == CAROM_OK ? check_scale(g, err) : status;
    status = status == CAROM_OK ? check_vertices(g, err) : status;
    return status == CAROM_OK ? check_cells(g, err) : status;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------- */

static void take_cells(int *out, const given_geometry *g)
{
    const carom_mesh_cell *cells = g->cells.items;
    for (size_t i = 0; i < g->cells.count; ++i) {
        for (int k = 0; k < g->corners; ++k) {
            out[i * (size_t)g->corners + (size_t)k] = (int)cells[i].of.data[k];
        }
    }
}

carom_status carom_shape_make_given(mesh **out, const given_geometry *g, carom_error *err)
{
    const carom_mesh_vertex *vertices = g->vertices.items;
    int vertex_count = (int)g->vertices.count;
    int cell_count = (int)g->cells.count;
    mesh *m = g->corners == 3 ? mesh_create(vertex_count, cell_count) : mesh_create_wires(vertex_count, cell_count);
    *out = m;
    if (!m) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a %s", g->shape);
    }
    for (int i = 0; i < vertex_count; ++i) {
        m->vertices[i] = v3_load(vertices[i].at.data);
    }
    take_cells(g->corners == 3 ? m->triangles[0] : m->edges[0], g);
    mesh_stretch(m, carom_shape_given_scale(g));
    return CAROM_OK;
}
