/* What a body of the rigid-ipc format is made of, and what it weighs.
 *
 * At least four faces and a positive signed volume: a solid. Other faces: a shell, with the density per area. Edges only: wires,
 * per length. Vertices only: points, each of the density. The reference lumps the mass of shells and wires at their vertices;
 * here it is spread over them. */
#include "scene/rigid_ipc_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/union_find.h"
#include "geometry/mesh_build.h"
#include "geometry/mesh_topology.h"
#include "mesh_files/mesh_read.h"
#include "scene/mesh_path.h"

enum { MOST_FILES = 10000 };

/* ---- files -------------------------------------------------------------------------------------------------------------- */

void ipc_file_free(ipc_file *file)
{
    mesh_destroy(file->whole);
    mesh_destroy(file->surface);
}

static bool closes(const mesh *m, bool *known)
{
    mesh_quality quality = { 0 };
    *known = mesh_inspect(m, &quality, NULL) == CAROM_OK;
    return *known && !quality.open_edges && !quality.nonmanifold_edges && !quality.flipped_edges;
}

static carom_status read_file(const ipc_translation *t, const json_place *at, ipc_file *file)
{
    mesh_file whole = { file->path, { 1.0, 1.0, 1.0 }, MESH_WHOLE };
    mesh_file surface = { file->path, { 1.0, 1.0, 1.0 }, MESH_SURFACE };
    carom_error inner = { 0 };
    carom_status status = mesh_read_content(&file->whole, &whole, NULL, &inner);
    if (status == CAROM_OK && file->whole->triangle_count > 0) {
        bool known = true;
        status = mesh_read_content(&file->surface, &surface, NULL, &inner);
        file->closed = status == CAROM_OK && closes(file->surface, &known);
        status = known ? status : CAROM_NO_MEMORY;
    }
    if (status == CAROM_NO_MEMORY) {
        return scene_no_memory(t->base.r);
    }
    char text[600];
    return status == CAROM_OK ? status : scene_fail(t->base.r, at, "%s", carom_error_text(&inner, text, sizeof text));
}

static carom_status find_file(ipc_translation *t, const json_place *at, const char *name, const ipc_file **out)
{
    carom_arena *arena = t->base.r->arena;
    const char *path = mesh_path_find(arena, t->base.document->folder, name);
    if (!path) {
        return arena->failed
                   ? scene_no_memory(t->base.r)
                   : scene_fail(t->base.r, at,
                                "the mesh '%.300s' is not here, not beside the scene, and not in a folder 'meshes' "
                                "beside or above it",
                                name);
    }
    for (size_t i = 0; i < t->file_count; ++i) {
        if (strcmp(t->files[i].path, path) == 0) {
            *out = &t->files[i];
            return CAROM_OK;
        }
    }
    if (t->file_count >= MOST_FILES) {
        return scene_fail(t->base.r, at, "more than %d mesh files", MOST_FILES);
    }
    if (!CAROM_ARRAY_RESERVE(t->files, t->file_capacity, t->file_count + 1)) {
        return scene_no_memory(t->base.r);
    }
    ipc_file file = { .path = path, .name = mesh_path_from(arena, t->base.folder, path) };
    carom_status status = file.name ? read_file(t, at, &file) : scene_no_memory(t->base.r);
    if (status != CAROM_OK) {
        ipc_file_free(&file);
        return status;
    }
    t->files[t->file_count] = file;
    *out = &t->files[t->file_count++];
    return CAROM_OK;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------- */

static mesh *copy_mesh(const mesh *m)
{
    mesh *copy = mesh_create(m->vertex_count, m->triangle_count);
    if (copy && m->edge_count > 0) {
        copy->edges = calloc((size_t)m->edge_count, sizeof *copy->edges);
        copy->edge_count = copy->edges ? m->edge_count : 0;
    }
    if (!copy || copy->edge_count != m->edge_count) {
        mesh_destroy(copy);
        return NULL;
    }
    memcpy(copy->vertices, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
    memcpy(copy->triangles, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    for (int e = 0; e < m->edge_count; ++e) {
        memcpy(copy->edges[e], m->edges[e], sizeof m->edges[e]);
    }
    return copy;
}

/* These triangles of m, all where `which` is NULL, with equal vertices welded. */
static mesh *weld(const mesh *m, const int *which, int count)
{
    mesh_builder b = { 0 };
    bool ok = true;
    for (int i = 0; ok && i < count; ++i) {
        int of[3];
        for (int k = 0; ok && k < 3; ++k) {
            v3 r = m->vertices[m->triangles[which ? which[i] : i][k]];
            ok = mesh_builder_weld(&b, v3_add(r, v3_zero()), &of[k]);
        }
        ok = ok && mesh_builder_triangle(&b, of[0], of[1], of[2]);
    }
    mesh *welded = ok ? mesh_builder_finish(&b) : NULL;
    mesh_builder_free(&b);
    return welded;
}

/* ---- geometry in the scene -------------------------------------------------------------------------------------------------- */

static carom_status read_row(const ipc_translation *t, const json_place *at, const json_t *row, size_t count,
                             double *out)
{
    if (!json_is_array(row) || json_array_size(row) != count) {
        return scene_fail(t->base.r, at, "found %s where a row of %zu numbers is expected", scene_json_type(row),
                          count);
    }
    for (size_t k = 0; k < count; ++k) {
        const json_place place = { at, NULL, k };
        json_t *json = json_array_get(row, k);
        out[k] = json_real_value(json);
        if (!json_is_real(json) || !(fabs(out[k]) <= 1e12)) {
            return json_is_real(json) ? scene_fail(t->base.r, &place, "%g is beyond all measure", out[k])
                                      : scene_wrong_type(t->base.r, &place, json, "a number");
        }
    }
    return CAROM_OK;
}

static carom_status read_indices(const ipc_translation *t, const json_place *at, const json_t *list, size_t corners,
                                 int vertex_count, int *out)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < json_array_size(list); ++i) {
        const json_place place = { at, NULL, i };
        double row[3];
        status = read_row(t, &place, json_array_get(list, i), corners, row);
        for (size_t k = 0; status == CAROM_OK && k < corners; ++k) {
            if (!(row[k] >= 0.0 && row[k] < vertex_count && row[k] == floor(row[k]))) {
                status = scene_fail(t->base.r, &place, "there is no vertex %g; the body has %d, counted from 0",
                                    row[k], vertex_count);
            } else {
                out[i * corners + k] = (int)row[k];
            }
        }
    }
    return status;
}

static carom_status read_inline(const ipc_translation *t, const json_place *at, const json_t *body, mesh **out)
{
    const json_place places[3] = { { at, "vertices", 0 }, { at, "edges", 0 }, { at, "faces", 0 } };
    json_t *lists[3] = { NULL, NULL, NULL };
    carom_status status = CAROM_OK;
    for (int k = 0; k < 3 && status == CAROM_OK; ++k) {
        status = ipc_list(t, &places[k], body, &lists[k]);
    }
    if (status != CAROM_OK) {
        return status;
    }
    size_t vertices = json_array_size(lists[0]);
    size_t edges = json_array_size(lists[1]);
    size_t faces = json_array_size(lists[2]);
    if (vertices == 0) {
        return scene_fail(t->base.r, at, "the body has neither a mesh nor vertices");
    }
    if (json_array_size(json_array_get(lists[0], 0)) == 2) {
        return scene_fail(
            t->base.r, &places[0],
            "the scene is flat (two columns), which carom does not read: its bodies have three dimensions; "
            "give vertices a third column, and faces");
    }
    mesh *m = mesh_create((int)vertices, (int)faces);
    if (m && edges > 0) {
        m->edges = calloc(edges, sizeof *m->edges);
        m->edge_count = m->edges ? (int)edges : 0;
    }
    *out = m;
    if (!m || m->edge_count != (int)edges) {
        return scene_no_memory(t->base.r);
    }
    for (size_t i = 0; i < vertices && status == CAROM_OK; ++i) {
        const json_place place = { &places[0], NULL, i };
        double row[3] = { 0 };
        status = read_row(t, &place, json_array_get(lists[0], i), 3, row);
        m->vertices[i] = v3_load(row);
    }
    status = status == CAROM_OK && edges > 0 ? read_indices(t, &places[1], lists[1], 2, m->vertex_count, m->edges[0])
                                             : status;
    return status == CAROM_OK && faces > 0
               ? read_indices(t, &places[2], lists[2], 3, m->vertex_count, m->triangles[0])
               : status;
}

/* ---- scale ---------------------------------------------------------------------------------------------------------------------- */

static carom_status read_scale(const ipc_translation *t, const json_place *at, const json_t *body, const mesh *raw,
                               v3 *out)
{
    const json_place scale = { at, "scale", 0 };
    const json_place dimensions = { at, "dimensions", 0 };
    carom_status status = CAROM_OK;
    *out = v3_make(1.0, 1.0, 1.0);
    if (json_object_get(body, "dimensions")) {
        v3 low, high;
        v3 asked = *out;
        status = ipc_vector(t, &dimensions, body, &asked);
        mesh_bounds(&low, &high, raw);
        v3 extent = v3_sub(high, low);
        *out = v3_make(asked.x / (extent.x > 0.0 ? extent.x : 1.0), asked.y / (extent.y > 0.0 ? extent.y : 1.0),
                       asked.z / (extent.z > 0.0 ? extent.z : 1.0));
        return status;
    }
    if (json_is_real(json_object_get(body, "scale"))) {
        double s = 1.0;
        status = ipc_number(t, &scale, body, &s);
        *out = v3_make(s, s, s);
        return status;
    }
    return ipc_vector(t, &scale, body, out);
}

/* An axis along which the mesh has no extent and stands at 0 may have any scale. */
static v3 settle_scale(v3 scale, const mesh *raw)
{
    v3 low, high;
    mesh_bounds(&low, &high, raw);
    for (int k = 0; k < 3; ++k) {
        if (v3_get(scale, k) == 0.0 && v3_get(low, k) == 0.0 && v3_get(high, k) == 0.0) {
            scale = v3_make(k == 0 ? 1.0 : scale.x, k == 1 ? 1.0 : scale.y, k == 2 ? 1.0 : scale.z);
        }
    }
    return scale;
}

/* ---- kinds and masses -------------------------------------------------------------------------------------------------------------- */

static carom_status find_closed(const ipc_translation *t, ipc_geometry *g)
{
    bool known = true;
    g->closed = g->file ? g->file->closed : g->surface && closes(g->surface, &known);
    return known ? CAROM_OK : scene_no_memory(t->base.r);
}

/* The format sums cones from the model's origin, which closes an open mesh. */
static void solid_mass(mass_properties *out, const mesh *surface, bool closed)
{
    if (closed) {
        mesh_mass(out, surface);
    } else {
        mesh_mass_from(out, surface, v3_zero());
    }
}

/* A volume that is only rounding is none. */
static bool has_volume(const mesh *surface, bool closed, bool mirrored)
{
    const double rounding = 1e-12;
    mass_properties solid, shell;
    solid_mass(&solid, surface, closed);
    mesh_sheet_mass(&shell, surface);
    double volume = mirrored ? -solid.mass : solid.mass;
    return surface->triangle_count >= 4 && volume > rounding * shell.mass * sqrt(shell.mass);
}

/* Mirrored: the format turns the faces inside out, which makes a shell of a solid. */
static carom_status weigh(ipc_translation *t, ipc_geometry *g, bool mirrored, double density)
{
    const mesh *m = g->surface ? g->surface : g->whole;
    carom_status status = find_closed(t, g);
    if (g->surface && has_volume(g->surface, g->closed, mirrored)) {
        g->kind = g->closed ? IPC_SOLID : IPC_VOLUME;
        solid_mass(&g->mass, m, g->closed);
    } else if (g->surface) {
        g->kind = IPC_SHELL;
        mesh_sheet_mass(&g->mass, m);
    } else if (m->edge_count > 0) {
        g->kind = IPC_WIRE;
        mesh_wire_mass(&g->mass, m);
    } else {
        g->kind = IPC_POINTS;
        mesh_points_mass(&g->mass, m);
    }
    g->mass = mass_scale(g->mass, density);
    return status;
}

void ipc_geometry_free(ipc_geometry *g)
{
    mesh_destroy(g->whole);
    mesh_destroy(g->surface);
    mesh_destroy(g->wires);
    *g = (ipc_geometry){ 0 };
}

static bool mirrors(v3 s)
{
    return (s.x < 0.0) ^ (s.y < 0.0) ^ (s.z < 0.0);
}

static carom_status take_raw(ipc_translation *t, const json_place *at, const json_t *body, ipc_geometry *g)
{
    const char *name = "";
    const json_place place = { at, "mesh", 0 };
    carom_status status = ipc_text(t, &place, body, &name);
    if (status != CAROM_OK || !name[0]) {
        return status == CAROM_OK ? read_inline(t, at, body, &g->whole) : status;
    }
    status = find_file(t, &place, name, &g->file);
    if (status == CAROM_OK) {
        g->whole = copy_mesh(g->file->whole);
        g->surface = g->file->surface ? copy_mesh(g->file->surface) : NULL;
        status = g->whole && (g->surface || !g->file->surface) ? CAROM_OK : scene_no_memory(t->base.r);
    }
    return status;
}

/* Edges of the whole that belong to none of its faces. */
static carom_status find_wires(ipc_translation *t, ipc_geometry *g)
{
    mesh_edges sides = { 0 };
    mesh_builder b = { 0 };
    if (!g->surface || g->whole->edge_count == 0) {
        return CAROM_OK;
    }
    bool ok = mesh_edges_create(&sides, g->whole, NULL) == CAROM_OK;
    for (int i = 0; ok && i < g->whole->vertex_count; ++i) {
        ok = mesh_builder_append(&b, g->whole->vertices[i]);
    }
    for (int e = 0; ok && e < g->whole->edge_count; ++e) {
        const int *of = g->whole->edges[e];
        ok = mesh_edges_find(&sides, of[0], of[1]) >= 0 || mesh_builder_edge(&b, of[0], of[1]);
    }
    if (ok && b.edge_count > 0) {
        ok = mesh_builder_keep_edges(&b);
        g->wires = ok ? mesh_builder_finish(&b) : NULL;
        ok = g->wires != NULL;
    }
    mesh_edges_free(&sides);
    mesh_builder_free(&b);
    return ok ? CAROM_OK : scene_no_memory(t->base.r);
}

carom_status ipc_geometry_read(ipc_translation *t, const json_place *at, const json_t *body, double density,
                               ipc_geometry *out)
{
    *out = (ipc_geometry){ 0 };
    carom_status status = take_raw(t, at, body, out);
    v3 scale = { 1.0, 1.0, 1.0 };
    if (status == CAROM_OK) {
        status = read_scale(t, at, body, out->whole, &scale);
    }
    if (status == CAROM_OK && !out->file && out->whole->triangle_count > 0) {
        out->surface = weld(out->whole, NULL, out->whole->triangle_count);
        status = out->surface ? CAROM_OK : scene_no_memory(t->base.r);
    }
    if (status != CAROM_OK) {
        return status;
    }
    out->scale = settle_scale(scale, out->whole);
    mesh_stretch(out->whole, out->scale);
    if (out->surface) {
        mesh_stretch(out->surface, out->scale);
    }
    status = find_wires(t, out);
    return status == CAROM_OK ? weigh(t, out, mirrors(scale), density) : status;
}

/* ---- pieces -------------------------------------------------------------------------------------------------------------------------- */

/* Numbers the pieces by their first triangle: piece_of[t]. */
static int number_pieces(const mesh *m, int *piece_of, int *parent, int *number)
{
    int count = 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        parent[i] = i;
        number[i] = -1;
    }
    for (int i = 0; i < m->triangle_count; ++i) {
        set_unite(parent, m->triangles[i][0], m->triangles[i][1]);
        set_unite(parent, m->triangles[i][0], m->triangles[i][2]);
    }
    for (int i = 0; i < m->triangle_count; ++i) {
        int root = set_root(parent, m->triangles[i][0]);
        number[root] = number[root] < 0 ? count++ : number[root];
        piece_of[i] = number[root];
    }
    return count;
}

/* Triangles in the order of their pieces. */
static void sort_pieces(ipc_pieces *p, const int *piece_of, int triangle_count)
{
    for (int i = 0; i < triangle_count; ++i) {
        p->first[piece_of[i] + 1]++;
    }
    for (int k = 0; k < p->count; ++k) {
        p->first[k + 1] += p->first[k];
    }
    for (int i = triangle_count - 1; i >= 0; --i) {
        p->triangles[--p->first[piece_of[i] + 1]] = i;
    }
    for (int k = 0; k < p->count; ++k) {
        p->first[k] = p->first[k + 1];
    }
    p->first[p->count] = triangle_count;
}

carom_status ipc_pieces_find(ipc_translation *t, const mesh *m, ipc_pieces *out)
{
    size_t vertices = (size_t)m->vertex_count + 1;
    size_t triangles = (size_t)m->triangle_count + 2;
    int *piece_of = calloc(triangles, sizeof *piece_of);
    int *parent = calloc(vertices, sizeof *parent);
    int *number = calloc(vertices, sizeof *number);
    *out = (ipc_pieces){ .first = calloc(triangles, sizeof *out->first),
                         .triangles = calloc(triangles, sizeof *out->triangles) };
    bool ok = piece_of && parent && number && out->first && out->triangles;
    if (ok) {
        out->count = number_pieces(m, piece_of, parent, number);
        sort_pieces(out, piece_of, m->triangle_count);
    }
    free(piece_of);
    free(parent);
    free(number);
    return ok ? CAROM_OK : scene_no_memory(t->base.r);
}

void ipc_pieces_free(ipc_pieces *p)
{
    free(p->first);
    free(p->triangles);
}

carom_status ipc_geometry_piece(ipc_translation *t, const ipc_geometry *g, const ipc_pieces *pieces, int piece,
                                double density, ipc_geometry *out)
{
    int first = pieces->first[piece];
    *out = (ipc_geometry){ .scale = { 1.0, 1.0, 1.0 } };
    out->surface = weld(g->whole, pieces->triangles + first, pieces->first[piece + 1] - first);
    out->whole = out->surface ? copy_mesh(out->surface) : NULL;
    return out->whole ? weigh(t, out, mirrors(g->scale), density) : scene_no_memory(t->base.r);
}

/* ---- as scenes have it ------------------------------------------------------------------------------------------------------------------ */

static json_t *scale_json(v3 s)
{
    return s.x == s.y && s.x == s.z && s.x > 0.0 ? json_real(s.x) : translation_vector(s);
}

static json_t *vertices_json(ipc_translation *t, const mesh *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->vertex_count; ++i) {
        translation_append(&t->base, list, translation_vector(m->vertices[i]));
    }
    return list;
}

static json_t *cells_json(ipc_translation *t, const int *cells, int count, int corners)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        json_t *row = json_array();
        for (int k = 0; k < corners; ++k) {
            translation_append(&t->base, row, json_real(cells[i * corners + k]));
        }
        translation_append(&t->base, list, row);
    }
    return list;
}

static const char *shape_name(ipc_kind kind)
{
    static const char *const names[] = { "mesh", "sheet", "sheet", "wire", "points" };
    return names[kind];
}

/* The file, or what it would contain; inline geometry is scaled already. */
static json_t *source_json(ipc_translation *t, const ipc_geometry *g, ipc_kind kind)
{
    json_t *params = json_object();
    const mesh *m = kind <= IPC_SHELL ? g->surface : g->whole;
    if (g->file) {
        translation_set(&t->base, params, "file", json_string(g->file->name));
        if (g->scale.x != 1.0 || g->scale.y != 1.0 || g->scale.z != 1.0) {
            translation_set(&t->base, params, "scale", scale_json(g->scale));
        }
        return params;
    }
    translation_set(&t->base, params, "vertices", vertices_json(t, m));
    if (kind <= IPC_SHELL) {
        translation_set(&t->base, params, "triangles", cells_json(t, m->triangles[0], m->triangle_count, 3));
    } else if (kind == IPC_WIRE) {
        translation_set(&t->base, params, "edges", cells_json(t, m->edges[0], m->edge_count, 2));
    }
    return params;
}

/* The mass of a volume that does not close stands with the body. */
static void set_density(ipc_translation *t, ipc_kind kind, json_t *params, double density)
{
    static const char *const keys[] = { NULL, NULL, "mass_per_area", "mass_per_length", "mass_per_point" };
    if (keys[kind]) {
        translation_set(&t->base, params, keys[kind], json_real(density));
    }
}

/* Wires beside faces weigh nothing in the format. */
static json_t *wires_json(ipc_translation *t, const mesh *m)
{
    json_t *params = json_object();
    translation_set(&t->base, params, "vertices", vertices_json(t, m));
    translation_set(&t->base, params, "edges", cells_json(t, m->edges[0], m->edge_count, 2));
    return params;
}

static json_t *shape_json(ipc_translation *t, const char *kind, json_t *params, v3 at)
{
    json_t *shape = json_object();
    translation_set(&t->base, shape, kind, params);
    if (v3_norm(at) > 0.0) {
        translation_set(&t->base, shape, "at", translation_vector(at));
    }
    return shape;
}

json_t *ipc_shapes_json(ipc_translation *t, const ipc_geometry *g, double density, v3 at)
{
    json_t *params = source_json(t, g, g->kind);
    set_density(t, g->kind, params, density);
    json_t *list = json_array();
    json_t *first = shape_json(t, shape_name(g->kind), params, at);
    if (g->kind == IPC_SOLID) {
        translation_set(&t->base, first, "density", json_real(density));
    }
    translation_append(&t->base, list, first);
    if (g->wires) {
        translation_append(&t->base, list, shape_json(t, "wire", wires_json(t, g->wires), at));
    }
    return list;
}

bool ipc_needs_numbers(const ipc_geometry *g)
{
    return g->kind == IPC_VOLUME || g->wires;
}
