/* Faces, edges and corners of a mesh.
 *
 * Faces are flat (geometry/mesh_faces.h). Edges are what is left between different faces that bend away from each other, corners the
 * ends of such edges. */
#include "collision/facets_build.h"
#include "geometry/mesh_faces.h"

#include <stdlib.h>

static const double STRAIGHT = 1e-9; /* [rad] an edge less convex than this is none */

/* ---- room ------------------------------------------------------------------------------------------------ */

bool facets_allocate(facets *f, const facet_room *room)
{
    f->vertices = calloc((size_t)room->vertices + 1, sizeof *f->vertices);
    f->edges = calloc((size_t)room->edges + 1, sizeof *f->edges);
    f->faces = calloc((size_t)room->faces + 1, sizeof *f->faces);
    f->spokes = calloc((size_t)room->spokes + 1, sizeof *f->spokes);
    f->wings = calloc((size_t)room->wings + 1, sizeof *f->wings);
    f->sides = calloc((size_t)room->sides + 1, sizeof *f->sides);
    return f->vertices && f->edges && f->faces && f->spokes && f->wings && f->sides;
}

/* ---- polyhedra ----------------------------------------------------------------------------------------------------- */

/* A mesh on its way to facets. */
typedef struct polyhedron {
    const mesh *m;
    mesh_edges edges;
    mesh_faces faces;
    double turn;    /* -1: the mesh is inside out */
    bool *is_edge;  /* of mesh edges: a feature */
    int *vertex_of; /* mesh vertex -> feature; -1: none */
} polyhedron;

static bool polyhedron_allocate(polyhedron *p)
{
    p->is_edge = calloc((size_t)p->edges.count + 1, sizeof *p->is_edge);
    p->vertex_of = malloc(((size_t)p->m->vertex_count + 1) * sizeof *p->vertex_of);
    return p->is_edge && p->vertex_of;
}

static void polyhedron_free(polyhedron *p)
{
    mesh_edges_free(&p->edges);
    mesh_faces_free(&p->faces);
    free(p->is_edge);
    free(p->vertex_of);
}

static bool find_faces(polyhedron *p, double size)
{
    mass_properties mass;
    mesh_mass(&mass, p->m);
    p->turn = mass.mass < 0.0 ? -1.0 : 1.0;
    return mesh_faces_find(&p->faces, p->m, &p->edges, size, p->turn);
}

/* ---- polyhedra: edges and corners ---------------------------------------------------------------------------------- */

/* Triangles of faces at an edge, each with the unit vector into it across the edge. */
static v3 wing_of(const polyhedron *p, int side)
{
    v3 from = p->m->vertices[side_from(p->m, side)];
    v3 along = v3_sub(p->m->vertices[side_to(p->m, side)], from);
    v3 inwards = v3_scale(p->turn, v3_cross(p->faces.normals[p->faces.face_of[side / 3]], along));
    return v3_unit(inwards);
}

static int side_at(const polyhedron *p, int edge, int i)
{
    return p->edges.sides[p->edges.start[edge] + i];
}

/* The two faces beside an ordinary edge bend away from each other; where a surface ends or branches anything goes. */
static bool can_be_touched(const polyhedron *p, int edge)
{
    int count = 0;
    int side[2] = { -1, -1 };
    for (int i = 0; i < mesh_edge_sides(&p->edges, edge); ++i) {
        int s = side_at(p, edge, i);
        if (p->faces.face_of[s / 3] >= 0) {
            side[count < 2 ? count : 1] = s;
            ++count;
        }
    }
    if (count != 2) {
        return count > 0;
    }
    int face[2] = { p->faces.face_of[side[0] / 3], p->faces.face_of[side[1] / 3] };
    return face[0] != face[1] && v3_dot(p->faces.normals[face[0]], wing_of(p, side[1])) < -STRAIGHT;
}

static void mark_features(polyhedron *p, int counts[FACET_KINDS])
{
    for (int v = 0; v < p->m->vertex_count; ++v) {
        p->vertex_of[v] = -1;
    }
    for (int e = 0; e < p->edges.count; ++e) {
        p->is_edge[e] = can_be_touched(p, e);
        if (p->is_edge[e]) {
            counts[FACET_EDGES]++;
            p->vertex_of[p->edges.ends[e][0]] = 0;
            p->vertex_of[p->edges.ends[e][1]] = 0;
        }
    }
    for (int v = 0; v < p->m->vertex_count; ++v) {
        if (p->vertex_of[v] == 0) {
            p->vertex_of[v] = counts[FACET_VERTICES]++;
        }
    }
}

static void take_edges(facets *f, const polyhedron *p)
{
    int count = 0;
    int wings = 0;
    for (int e = 0; e < p->edges.count; ++e) {
        if (!p->is_edge[e]) {
            continue;
        }
        v3 from = p->m->vertices[p->edges.ends[e][0]];
        v3 along = v3_sub(p->m->vertices[p->edges.ends[e][1]], from);
        double length = v3_norm(along);
        facet_edge *out = &f->edges[count++];
        *out = (facet_edge){ .r = from,
                             .d = v3_scale(1.0 / length, along),
                             .length = length,
                             .ends = { p->vertex_of[p->edges.ends[e][0]], p->vertex_of[p->edges.ends[e][1]] },
                             .first = wings };
        for (int i = 0; i < mesh_edge_sides(&p->edges, e); ++i) {
            int side = side_at(p, e, i);
            if (p->faces.face_of[side / 3] >= 0) {
                f->wings[wings++] = wing_of(p, side);
                out->count++;
            }
        }
    }
}

/* Counts first, then fills: spokes of a corner lie together. */
static void take_vertices(facets *f, const polyhedron *p)
{
    for (int v = 0; v < p->m->vertex_count; ++v) {
        if (p->vertex_of[v] >= 0) {
            f->vertices[p->vertex_of[v]].r = p->m->vertices[v];
        }
    }
    for (int e = 0; e < p->edges.count; ++e) {
        for (int k = 0; k < 2; ++k) {
            int v = p->vertex_of[p->edges.ends[e][k]];
            f->vertices[v >= 0 ? v : f->counts[FACET_VERTICES]].count++; /* the last one collects the others */
        }
    }
    int total = 0;
    for (int v = 0; v < f->counts[FACET_VERTICES]; ++v) {
        f->vertices[v].first = total;
        total += f->vertices[v].count;
        f->vertices[v].count = 0;
    }
    for (int e = 0; e < p->edges.count; ++e) {
        v3 along = v3_sub(p->m->vertices[p->edges.ends[e][1]], p->m->vertices[p->edges.ends[e][0]]);
        double length = v3_norm(along);
        for (int k = 0; k < 2 && length > 0.0; ++k) {
            int v = p->vertex_of[p->edges.ends[e][k]];
            if (v >= 0) {
                facet_vertex *out = &f->vertices[v];
                f->spokes[out->first + out->count++] = v3_scale((k == 0 ? 1.0 : -1.0) / length, along);
            }
        }
    }
}

/* ---- polyhedra: outlines ------------------------------------------------------------------------------------------- */

/* A side bounds its face unless the triangle across belongs to the same one. */
static bool on_outline(const polyhedron *p, int side)
{
    int face = p->faces.face_of[side / 3];
    if (face < 0 || p->edges.edge_of[side] < 0) {
        return false;
    }
    int twin = mesh_edges_twin(&p->edges, side);
    return twin < 0 || p->faces.face_of[twin / 3] != face;
}

static int count_outlines(const polyhedron *p)
{
    int count = 0;
    for (int side = 0; side < 3 * p->m->triangle_count; ++side) {
        count += on_outline(p, side);
    }
    return count;
}

static void take_faces(facets *f, const polyhedron *p)
{
    for (int side = 0; side < 3 * p->m->triangle_count; ++side) {
        if (on_outline(p, side)) {
            f->faces[p->faces.face_of[side / 3]].count++;
        }
    }
    int total = 0;
    for (int k = 0; k < p->faces.count; ++k) {
        facet_face *face = &f->faces[k];
        face->r = p->faces.points[k];
        face->normal = p->faces.normals[k];
        face->first = total;
        total += face->count;
        face->count = 0;
    }
    for (int side = 0; side < 3 * p->m->triangle_count; ++side) {
        if (on_outline(p, side)) {
            facet_face *face = &f->faces[p->faces.face_of[side / 3]];
            v3 *ends = f->sides[face->first + face->count++];
            ends[p->turn > 0.0 ? 0 : 1] = p->m->vertices[side_from(p->m, side)];
            ends[p->turn > 0.0 ? 1 : 0] = p->m->vertices[side_to(p->m, side)];
        }
    }
}

static bool take_polyhedron(facets *f, polyhedron *p)
{
    if (!find_faces(p, f->size)) {
        return false;
    }
    int counts[FACET_KINDS] = { 0, 0, p->faces.count };
    mark_features(p, counts);
    /* Room for a barrel: two corners with two spokes each, one edge. */
    facet_room room = {
        .vertices = counts[FACET_VERTICES] + 2,
        .edges = counts[FACET_EDGES] + 1,
        .faces = counts[FACET_FACES],
        .spokes = 2 * p->edges.count + 4,
        .wings = 3 * p->m->triangle_count,
        .sides = count_outlines(p),
    };
    if (!facets_allocate(f, &room)) {
        return false;
    }
    for (int k = 0; k < FACET_KINDS; ++k) {
        f->counts[k] = counts[k];
    }
    take_edges(f, p);
    take_vertices(f, p);
    take_faces(f, p);
    f->face_of = p->faces.face_of;
    p->faces.face_of = NULL;
    return true;
}

carom_status facets_take_polyhedron(facets *f, const mesh *m, carom_error *err)
{
    polyhedron p = { .m = m };
    carom_status status = mesh_edges_create(&p.edges, m, err);
    if (status == CAROM_OK && !(polyhedron_allocate(&p) && take_polyhedron(f, &p))) {
        status = facets_no_memory(err);
    }
    polyhedron_free(&p);
    return status;
}
