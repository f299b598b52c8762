/* The public face of the mesh tools. */
#include <carom/mesh.h>

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "geometry/linking.h"
#include "geometry/make/make.h"
#include "geometry/mesh_refine.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_report.h"
#include "mesh_files/mesh_read.h"
#include "mesh_files/mesh_write.h"

struct carom_mesh {
    mesh *surface;
};

/* Takes the surface, also on failure. */
static carom_status wrap(carom_mesh **out, mesh *surface, carom_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        mesh_destroy(surface);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
    }
    (*out)->surface = surface;
    return CAROM_OK;
}

static void replace(carom_mesh *mesh_handle, mesh *surface)
{
    mesh_destroy(mesh_handle->surface);
    mesh_handle->surface = surface;
}

void carom_mesh_destroy(carom_mesh *m)
{
    if (m) {
        mesh_destroy(m->surface);
        free(m);
    }
}

static carom_status check_out(const char *function, carom_mesh **out, carom_error *err)
{
    if (out) {
        *out = NULL;
    }
    return argument_given(function, "out", out, err);
}

carom_status carom_mesh_read(carom_mesh **out, const char *file, double scale, carom_error *err)
{
    mesh *surface = NULL;
    carom_status status = check_out("carom_mesh_read", out, err);
    status = status == CAROM_OK ? argument_text("carom_mesh_read", "file", file, err) : status;
    status = status == CAROM_OK ? mesh_read(&surface, file, scale, err) : status;
    return status ? status : wrap(out, surface, err);
}

carom_status carom_mesh_write(const carom_mesh *m, const char *file, carom_mesh_encoding encoding, carom_error *err)
{
    carom_status status = argument_given("carom_mesh_write", "mesh", m, err);
    status = status == CAROM_OK ? argument_text("carom_mesh_write", "file", file, err) : status;
    if (status == CAROM_OK && encoding != CAROM_MESH_BINARY && encoding != CAROM_MESH_TEXT) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "carom_mesh_write: 'encoding' is %d; there are %d (binary) and %d "
                            "(text)",
                            (int)encoding, CAROM_MESH_BINARY, CAROM_MESH_TEXT);
    }
    return status == CAROM_OK ? mesh_write(m->surface, file, encoding, err) : status;
}

static carom_status check_surface(const carom_v3 *vertices, int vertex_count, const int (*triangles)[3],
                                  int triangle_count, carom_error *err)
{
    const double farthest = 1e12; /* [m] as for meshes from files */
    if (vertex_count < 3 || triangle_count < 1 || triangle_count > INT32_MAX / 3) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh of %d vertices and %d triangles is not possible",
                          vertex_count, triangle_count);
    }
    for (int i = 0; i < vertex_count; ++i) {
        carom_v3 r = vertices[i];
        if (!(fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z))) <= farthest) || !v3_finite(r)) {
            return carom_fail(err, CAROM_BAD_INPUT, "vertex %d (%g, %g, %g) is not finite or beyond %g", i, r.x, r.y,
                              r.z, farthest);
        }
    }
    for (int i = 0; i < 3 * triangle_count; ++i) {
        int v = triangles[i / 3][i % 3];
        if (v < 0 || v >= vertex_count) {
            return carom_fail(err, CAROM_BAD_INPUT, "triangle %d refers to vertex %d; there are %d vertices", i / 3,
                              v, vertex_count);
        }
    }
    return CAROM_OK;
}

carom_status carom_mesh_create(carom_mesh **out, const carom_v3 *vertices, int vertex_count,
                               const int (*triangles)[3], int triangle_count, carom_error *err)
{
    const argument needed[] = { { "vertices", vertices }, { "triangles", triangles } };
    carom_status status = check_out("carom_mesh_create", out, err);
    status = status == CAROM_OK ? arguments_given("carom_mesh_create", needed, 2, err) : status;
    status = status == CAROM_OK ? check_surface(vertices, vertex_count, triangles, triangle_count, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    mesh *surface = mesh_create(vertex_count, triangle_count);
    if (!surface) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh of %d triangles", triangle_count);
    }
    memcpy(surface->vertices, vertices, (size_t)vertex_count * sizeof *vertices);
    memcpy(surface->triangles, triangles, (size_t)triangle_count * sizeof *triangles);
    return wrap(out, surface, err);
}

int carom_mesh_vertex_count(const carom_mesh *m)
{
    return m ? m->surface->vertex_count : 0;
}

int carom_mesh_triangle_count(const carom_mesh *m)
{
    return m ? m->surface->triangle_count : 0;
}

const carom_v3 *carom_mesh_vertices(const carom_mesh *m)
{
    return m ? m->surface->vertices : NULL;
}

const int (*carom_mesh_triangles(const carom_mesh *m))[3]
{
    return m ? (const int(*)[3])m->surface->triangles : NULL;
}

/* ---- inspection -------------------------------------------------------------------------------------------------- */

static void measure_triangle(carom_mesh_info *out, const mesh *m, const int corner[3])
{
    v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
    v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
    out->area += 0.5 * v3_norm(v3_cross(ab, ac));
    const double length[3] = { v3_norm(ab), v3_norm(ac), v3_norm(v3_sub(ac, ab)) };
    for (int k = 0; k < 3; ++k) {
        out->shortest_edge = fmin(out->shortest_edge, length[k]);
        out->longest_edge = fmax(out->longest_edge, length[k]);
    }
}

void carom_mesh_get_info(const carom_mesh *handle, carom_mesh_info *out)
{
    if (!out) {
        return;
    }
    if (!handle) {
        *out = (carom_mesh_info){ 0 };
        return;
    }
    const mesh *m = handle->surface;
    mass_properties mass;
    mesh_mass(&mass, m);
    *out = (carom_mesh_info){
        .vertex_count = m->vertex_count,
        .triangle_count = m->triangle_count,
        .volume = mass.mass,
        .center = mass.center,
        .shortest_edge = HUGE_VAL,
    };
    memcpy(out->inertia, mass.inertia.m, sizeof out->inertia);
    mesh_bounds(&out->low, &out->high, m);
    for (int t = 0; t < m->triangle_count; ++t) {
        measure_triangle(out, m, m->triangles[t]);
    }
}

static const struct {
    const char *name, *meaning;
} defects[CAROM_MESH_DEFECT_KINDS] = {
    [CAROM_MESH_OPEN_EDGE] = { "open edges", "the surface ends there: it bounds no solid" },
    [CAROM_MESH_HOLE] = { "holes", "closed loops of open edges; 'repair --fill N' closes those of up to N edges" },
    [CAROM_MESH_NONMANIFOLD_EDGE] = { "nonmanifold edges", "more than two triangles meet there" },
    [CAROM_MESH_PINCHED_VERTEX] = { "pinched vertices", "several sheets of the surface touch in one point" },
    [CAROM_MESH_FLIPPED_EDGE] = { "flipped edges",
                                  "neighbours disagree on which side is outside; 'repair' turns them" },
    [CAROM_MESH_INSIDE_OUT] = { "inside-out components", "triangles face inwards; 'repair' turns them" },
    [CAROM_MESH_DEGENERATE] = { "triangles without area", "their corners lie on a line; 'repair' removes them" },
    [CAROM_MESH_DUPLICATE] = { "duplicate triangles", "the same three corners again; 'repair' removes them" },
    [CAROM_MESH_SELF_INTERSECTION] = { "self-intersections", "pairs of triangles that cut each other" },
    [CAROM_MESH_UNREFERENCED] = { "unused vertices", "vertices of no triangle" },
};

const char *carom_mesh_defect_name(carom_mesh_defect_kind kind)
{
    return kind >= 0 && kind < CAROM_MESH_DEFECT_KINDS ? defects[kind].name : "";
}

const char *carom_mesh_defect_meaning(carom_mesh_defect_kind kind)
{
    return kind >= 0 && kind < CAROM_MESH_DEFECT_KINDS ? defects[kind].meaning : "";
}

carom_status carom_mesh_check(const carom_mesh *m, carom_mesh_report *out, carom_error *err)
{
    const argument needed[] = { { "mesh", m }, { "out", out } };
    carom_status status = arguments_given("carom_mesh_check", needed, 2, err);
    return status == CAROM_OK ? mesh_report(m->surface, out, err) : status;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

carom_status carom_mesh_repair(carom_mesh *m, const carom_mesh_repair_options *options, carom_mesh_repair_log *log,
                               carom_error *err)
{
    carom_mesh_repair_options standard = carom_mesh_repair_defaults();
    carom_mesh_repair_log own;
    mesh *repaired = NULL;
    carom_status status = argument_given("carom_mesh_repair", "mesh", m, err);
    if (status == CAROM_OK) {
        status = mesh_repair(&repaired, m->surface, options ? options : &standard, log ? log : &own, err);
    }
    if (status == CAROM_OK) {
        replace(m, repaired);
    }
    return status;
}

carom_status carom_mesh_refine(carom_mesh *m, int triangle_count, carom_error *err)
{
    mesh *refined = NULL;
    carom_status status = argument_given("carom_mesh_refine", "mesh", m, err);
    status = status == CAROM_OK ? mesh_refine(&refined, m->surface, triangle_count, err) : status;
    if (status == CAROM_OK) {
        replace(m, refined);
    }
    return status;
}

carom_status carom_mesh_refine_edges(carom_mesh *m, double longest, carom_error *err)
{
    mesh *refined = NULL;
    carom_status status = argument_given("carom_mesh_refine_edges", "mesh", m, err);
    status = status == CAROM_OK ? mesh_refine_edges(&refined, m->surface, longest, err) : status;
    if (status == CAROM_OK) {
        replace(m, refined);
    }
    return status;
}

carom_status carom_mesh_make(carom_mesh **out, const char *kind, const void *params, carom_error *err)
{
    mesh *surface = NULL;
    carom_status status = check_out("carom_mesh_make", out, err);
    status = status == CAROM_OK ? argument_text("carom_mesh_make", "kind", kind, err) : status;
    status = status == CAROM_OK ? mesh_make(&surface, kind, params, err) : status;
    return status ? status : wrap(out, surface, err);
}

double carom_linking_number(const carom_v3 *a, int a_count, const carom_v3 *b, int b_count)
{
    bool given = a && b && a_count >= 3 && b_count >= 3;
    return given ? linking_number(a, a_count, b, b_count) : (double)NAN;
}
