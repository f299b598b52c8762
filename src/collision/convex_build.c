/* Convex shapes from facets: corners shared by faces, faces as loops of corners, edges with the faces beside them. */
#include "collision/convex_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collision/collider_parts.h"

static const double SAME =
    1e-9; /* of the size: corners nearer than this are one, corners as far before a face lie in it */

const convex *collider_convex(const collider *c)
{
    return c->convex;
}

void convex_destroy(convex *c)
{
    if (c) {
        carom_arena_free(&c->arena);
        free(c);
    }
}

static bool is_ball(const facets *f)
{
    return f->counts[FACET_VERTICES] == 1 && f->counts[FACET_EDGES] == 0 && f->counts[FACET_FACES] == 0 &&
           f->vertices[0].radius > 0.0;
}

static bool is_half_space(const facets *f)
{
    return !isfinite(f->size) && f->counts[FACET_FACES] == 1;
}

static bool may_be_polyhedron(const facets *f)
{
    bool ok = isfinite(f->size) && f->rim_count == 0 && f->outline.count == 0 && f->counts[FACET_FACES] >= 4 &&
              f->counts[FACET_FACES] <= CONVEX_FACES;
    for (int i = 0; ok && i < f->counts[FACET_VERTICES]; ++i) {
        ok = f->vertices[i].radius == 0.0;
    }
    for (int i = 0; ok && i < f->counts[FACET_FACES]; ++i) {
        ok = f->faces[i].count >= 3 && f->faces[i].count <= CONVEX_SIDES;
    }
    return ok;
}

static int corner_at(convex *c, v3 r, double size)
{
    for (int i = 0; i < c->corner_count; ++i) {
        if (v3_norm(v3_sub(c->corners[i], r)) <= SAME * size) {
            return i;
        }
    }
    c->corners[c->corner_count] = r;
    return c->corner_count++;
}

/* The corners of a face one after the other, whatever the order of its sides. False: they are no single loop. */
static bool add_face(convex *c, const facets *f, int face)
{
    const facet_face *from = &f->faces[face];
    convex_face *to = &c->faces[face];
    int ends[CONVEX_SIDES][2];
    *to = (convex_face){ .normal = from->normal, .first = face > 0 ? to[-1].first + to[-1].count : 0 };
    for (int k = 0; k < from->count; ++k) {
        for (int e = 0; e < 2; ++e) {
            ends[k][e] = corner_at(c, f->sides[from->first + k][e], f->size);
        }
    }
    int at = ends[0][0];
    for (int k = 0; k < from->count; ++k) {
        int next = -1;
        for (int s = 0; s < from->count; ++s) {
            next = ends[s][0] == at ? s : next;
        }
        if (next < 0) {
            return false;
        }
        c->loops[to->first + to->count++] = at;
        at = ends[next][1];
    }
    return at == ends[0][0];
}

static bool add_faces(convex *c, const facets *f)
{
    int sides = 0;
    for (int i = 0; i < f->counts[FACET_FACES]; ++i) {
        sides += f->faces[i].count;
    }
    c->corners = CAROM_ARENA_ARRAY(&c->arena, v3, 2 * sides);
    c->faces = CAROM_ARENA_ARRAY(&c->arena, convex_face, f->counts[FACET_FACES]);
    c->loops = CAROM_ARENA_ARRAY(&c->arena, int, sides);
    c->edges = CAROM_ARENA_ARRAY(&c->arena, convex_edge, sides);
    bool ok = !c->arena.failed;
    for (int i = 0; ok && i < f->counts[FACET_FACES]; ++i) {
        ok = add_face(c, f, i);
        c->face_count++;
    }
    return ok;
}

/* The face in whose loop b follows a; -1: none. */
static int face_with(const convex *c, int a, int b)
{
    for (int i = 0; i < c->face_count; ++i) {
        const convex_face *face = &c->faces[i];
        for (int k = 0; k < face->count; ++k) {
            if (c->loops[face->first + k] == a && c->loops[face->first + (k + 1) % face->count] == b) {
                return i;
            }
        }
    }
    return -1;
}

/* False: some side has no face beyond it. */
static bool add_edges(convex *c)
{
    for (int i = 0; i < c->face_count; ++i) {
        const convex_face *face = &c->faces[i];
        for (int k = 0; k < face->count; ++k) {
            int a = c->loops[face->first + k];
            int b = c->loops[face->first + (k + 1) % face->count];
            int beyond = face_with(c, b, a);
            if (beyond < 0) {
                return false;
            }
            if (beyond > i) {
                c->edges[c->edge_count++] = (convex_edge){ .ends = { a, b }, .faces = { i, beyond } };
            }
        }
    }
    return true;
}

static bool all_behind_faces(const convex *c, double size)
{
    for (int i = 0; i < c->face_count; ++i) {
        v3 on = c->corners[c->loops[c->faces[i].first]];
        for (int k = 0; k < c->corner_count; ++k) {
            if (v3_dot(c->faces[i].normal, v3_sub(c->corners[k], on)) > SAME * size) {
                return false;
            }
        }
    }
    return true;
}

static bool build_polyhedron(convex *c, const facets *f)
{
    c->kind = CONVEX_POLYHEDRON;
    if (!add_faces(c, f) || !add_edges(c) || !all_behind_faces(c, f->size)) {
        return false;
    }
    for (int k = 0; k < c->corner_count; ++k) {
        c->r = v3_axpy(c->r, 1.0 / c->corner_count, c->corners[k]);
    }
    for (int k = 0; k < c->corner_count; ++k) {
        c->reach = fmax(c->reach, v3_norm(v3_sub(c->corners[k], c->r)));
    }
    return true;
}

static bool build_half_space(convex *c, const facets *f)
{
    c->kind = CONVEX_HALF_SPACE;
    c->r = f->faces[0].r;
    c->faces = CAROM_ARENA_ARRAY(&c->arena, convex_face, 1);
    if (c->faces) {
        c->faces[0].normal = f->faces[0].normal;
        c->face_count = 1;
    }
    return !c->arena.failed;
}

bool convex_create(const facets *f, convex **out)
{
    convex *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c) {
        return false;
    }
    bool ok = true;
    if (is_ball(f)) {
        *c = (convex){ .kind = CONVEX_BALL, .r = f->vertices[0].r, .radius = f->vertices[0].radius };
        c->reach = c->radius;
    } else if (is_half_space(f)) {
        ok = build_half_space(c, f);
    } else {
        ok = may_be_polyhedron(f) && build_polyhedron(c, f);
    }
    bool has_memory = !c->arena.failed;
    if (ok && has_memory) {
        *out = c;
    } else {
        convex_destroy(c);
    }
    return has_memory;
}
