/* Flat faces and straight lines of surfaces.
 *
 * Two surfaces are nearest to each other between a corner and a face, or between two edges. Inside of a flat face there are neither
 * corners nor edges, and inside of a straight line of edges there is no corner. */
#include <stdlib.h>
#include <string.h>

#include "collision/surface.h"
#include "geometry/mesh_faces.h"

/* ---- of one surface ------------------------------------------------------------------------------------------------------- */

static const double STRAIGHT = 1e-7; /* [1] of the size: corners this near to a line lie on it */

typedef struct part_faces {
    surface *s;
    const mesh *m;
    const mesh_edges *sides;
    const mesh_faces *faces;
    int vertex, edge, triangle; /* where those of the mesh begin */
} part_faces;

static void find_bulge(part_faces *p)
{
    for (int t = 0; t < p->m->triangle_count; ++t) {
        int face = p->faces->face_of[t];
        for (int k = 0; face >= 0 && k < 3; ++k) {
            v3 r = p->m->vertices[p->m->triangles[t][k]];
            double height = fabs(v3_dot(p->faces->normals[face], v3_sub(r, p->faces->points[face])));
            p->s->bulge = height > p->s->bulge ? height : p->s->bulge;
        }
    }
}

/* Both triangles of an edge are of one face. */
static bool edge_is_inner(const part_faces *p, int edge)
{
    const int *side = &p->sides->sides[p->sides->start[edge]];
    if (mesh_edge_sides(p->sides, edge) != 2 || mesh_edges_twin(p->sides, side[0]) < 0) {
        return false;
    }
    int face = p->faces->face_of[side[0] / 3];
    return face >= 0 && face == p->faces->face_of[side[1] / 3];
}

/* A vertex is inside of a face if all its edges are, and all its triangles are of this face. */
static void mark_inner(part_faces *p, int *face_at)
{
    enum { UNSEEN = -1, OUTER = -2 };
    for (int v = 0; v < p->m->vertex_count; ++v) {
        face_at[v] = UNSEEN;
    }
    for (int t = 0; t < p->m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int *at = &face_at[p->m->triangles[t][k]];
            int face = p->faces->face_of[t];
            *at = face >= 0 && (*at == UNSEEN || *at == face) ? face : OUTER;
        }
    }
    for (int e = 0; e < p->sides->count; ++e) {
        bool inner = p->s->inner_edges[p->edge + e] = edge_is_inner(p, e);
        for (int k = 0; !inner && k < 2; ++k) {
            face_at[p->sides->ends[e][k]] = OUTER;
        }
    }
    for (int v = 0; v < p->m->vertex_count; ++v) {
        p->s->inner_vertices[p->vertex + v] = face_at[v] >= 0;
    }
}

/* Which sides of each triangle lie inside, and which corners, each of these at the first of its triangles. */
static void mark_parts(part_faces *p, int *owner)
{
    for (int v = 0; v < p->m->vertex_count; ++v) {
        owner[v] = -1;
    }
    for (int t = 0; t < p->m->triangle_count; ++t) {
        uint8_t parts = 0;
        for (int k = 0; k < 3; ++k) {
            int v = p->m->triangles[t][k];
            int edge = p->sides->edge_of[3 * t + k];
            owner[v] = owner[v] < 0 ? t : owner[v];
            parts |= (uint8_t)(edge >= 0 && p->s->inner_edges[p->edge + edge] ? 1 << k : 0);
            parts |= (uint8_t)(owner[v] == t && p->s->inner_vertices[p->vertex + v] ? 8 << k : 0);
        }
        p->s->inner_parts[p->triangle + t] = parts;
    }
}

/* ---- lines ---------------------------------------------------------------------------------------------------------------- */

/* The edges of a vertex that are not inside of a face, up to two, and how many there are. */
typedef struct vertex_edges {
    int edge[2], count;
} vertex_edges;

static void find_vertex_edges(const part_faces *p, vertex_edges *at)
{
    memset(at, 0, (size_t)p->m->vertex_count * sizeof *at);
    for (int e = 0; e < p->sides->count; ++e) {
        for (int k = 0; !p->s->inner_edges[p->edge + e] && k < 2; ++k) {
            vertex_edges *v = &at[p->sides->ends[e][k]];
            if (v->count < 2) {
                v->edge[v->count] = e;
            }
            ++v->count;
        }
    }
}

static int other_end(const part_faces *p, int edge, int vertex)
{
    const int *ends = p->sides->ends[edge];
    return ends[0] == vertex ? ends[1] : ends[0];
}

/* [m] how far c is from the line that leads on from a through b; infinite: it is not ahead. */
static double off_line(const part_faces *p, int a, int b, int c)
{
    v3 along = v3_sub(p->m->vertices[b], p->m->vertices[a]);
    v3 on = v3_sub(p->m->vertices[c], p->m->vertices[b]);
    double length = v3_norm(along);
    double ahead = length > 0.0 ? v3_dot(on, along) / length : 0.0;
    return ahead > 0.0 ? v3_norm(v3_axpy(on, -ahead / length, along)) : HUGE_VAL;
}

/* The edge that goes straight on at the end of another, on the line from `from`; -1: none. */
static int next_on_line(const part_faces *p, const vertex_edges *at, int from, int edge, int end, double size)
{
    if (at[end].count != 2) {
        return -1;
    }
    int next = at[end].edge[at[end].edge[0] == edge ? 1 : 0];
    return off_line(p, from, end, other_end(p, next, end)) <= STRAIGHT * size ? next : -1;
}

static bool is_taken(const part_faces *p, int edge)
{
    return p->s->lines[p->edge + edge] >= 0;
}

/* Goes back from an edge to where its line begins, or that of edges that are taken ends: *first, and its vertex *start. */
static void find_start(const part_faces *p, const vertex_edges *at, int edge, double size, int *first, int *start)
{
    *first = edge;
    *start = p->sides->ends[edge][0];
    for (int back = edge; back >= 0;) {
        back = next_on_line(p, at, other_end(p, *first, *start), *first, *start, size);
        back = back >= 0 && back != edge && !is_taken(p, back) ? back : -1;
        if (back >= 0) {
            *start = other_end(p, back, *start);
            *first = back;
        }
    }
}

/* The line that leads to an edge, which may end before it where edges bend a little at every joint; where it ends is known of its first
 * edge. */
static void take_line(part_faces *p, const vertex_edges *at, int edge, double size)
{
    int first, start;
    find_start(p, at, edge, size, &first, &start);
    int end = other_end(p, first, start);
    p->s->lines[p->edge + first] = p->edge + first;
    for (int on = first; on >= 0;) {
        int next = next_on_line(p, at, start, on, end, size);
        on = next >= 0 && !is_taken(p, next) ? next : -1;
        if (on >= 0) {
            p->s->lines[p->edge + on] = p->edge + first;
            p->s->inner_vertices[p->vertex + end] = true;
            end = other_end(p, on, end);
        }
    }
    p->s->line_ends[p->edge + first][0] = p->vertex + start;
    p->s->line_ends[p->edge + first][1] = p->vertex + end;
}

/* The ends of its line for an edge, and how far it is from the straight line between them: joints that each bend little may bend far together. */
static void end_line(surface *s, int edge)
{
    memcpy(s->line_ends[edge], s->line_ends[s->lines[edge]], sizeof s->line_ends[edge]);
    v3 ends[2] = { s->vertices[s->line_ends[edge][0]], s->vertices[s->line_ends[edge][1]] };
    for (int k = 0; k < 2; ++k) {
        double off = vertex_edge_distance(s->vertices[s->edges[edge][k]], ends).distance;
        s->bulge = off > s->bulge ? off : s->bulge;
    }
}

static bool mark_lines(part_faces *p, double size)
{
    vertex_edges *at = malloc(((size_t)p->m->vertex_count + 1) * sizeof *at);
    if (!at) {
        return false;
    }
    find_vertex_edges(p, at);
    for (int e = 0; e < p->sides->count; ++e) {
        while (!p->s->inner_edges[p->edge + e] && !is_taken(p, e)) {
            take_line(p, at, e, size);
        }
    }
    for (int e = p->edge; e < p->edge + p->sides->count; ++e) {
        if (p->s->lines[e] >= 0) {
            end_line(p->s, e);
        }
    }
    free(at);
    return true;
}

/* Faces of one triangle are none: nothing lies inside of them. */
static void number_faces(part_faces *p, int *sizes)
{
    memset(sizes, 0, (size_t)p->faces->count * sizeof *sizes);
    for (int t = 0; t < p->m->triangle_count; ++t) {
        sizes[p->faces->face_of[t] >= 0 ? p->faces->face_of[t] : p->faces->count]++;
    }
    for (int t = 0; t < p->m->triangle_count; ++t) {
        int face = p->faces->face_of[t];
        p->s->faces[p->triangle + t] = face >= 0 && sizes[face] > 1 ? p->triangle + face : -1;
    }
}

static double size_of(const mesh *m)
{
    double size = 0.0;
    for (int v = 0; v < m->vertex_count; ++v) {
        size = fmax(size, v3_norm(v3_sub(m->vertices[v], m->vertices[0])));
    }
    return size;
}

bool surface_find_faces(surface *s, const surface_part *part, const mesh_edges *sides, int first_vertex,
                        int first_edge, int first_triangle)
{
    const mesh *m = part->mesh;
    mesh_faces faces;
    if (!m) {
        return true;
    }
    double size = size_of(m);
    if (!mesh_faces_find(&faces, m, sides, size, 1.0)) {
        return false;
    }
    int most = m->vertex_count > m->triangle_count ? m->vertex_count : m->triangle_count;
    int *room = malloc(((size_t)most + 1) * sizeof *room);
    part_faces p = { s, m, sides, &faces, first_vertex, first_edge, first_triangle };
    bool ok = room != NULL;
    if (ok) {
        find_bulge(&p);
        number_faces(&p, room);
        mark_inner(&p, room);
        mark_parts(&p, room);
        ok = mark_lines(&p, size);
    }
    free(room);
    mesh_faces_free(&faces);
    return ok;
}
