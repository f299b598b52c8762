/* The mesh under construction: growing arrays, and welding of exactly equal vertices by a hash table.
 *
 * Cost is linear in the file. Vertices keep the order of their first appearance, so the result does not depend on the
 * hash. -0.0 equals 0.0: adding 0.0 makes them the same bits. */
#include "geometry/mesh_build.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool grow_vertices(mesh_builder *b, size_t need)
{
    return need <= INT_MAX && CAROM_ARRAY_RESERVE(b->vertices, b->vertex_capacity, need);
}

static bool grow_triangles(mesh_builder *b, size_t need)
{
    return need <= INT_MAX / 3 && CAROM_ARRAY_RESERVE(b->triangles, b->triangle_capacity, need);
}

bool mesh_builder_reserve(mesh_builder *b, size_t vertex_count, size_t triangle_count)
{
    return grow_vertices(b, vertex_count) && grow_triangles(b, triangle_count);
}

bool mesh_builder_append(mesh_builder *b, v3 r)
{
    if (!grow_vertices(b, b->vertex_count + 1)) {
        return false;
    }
    b->vertices[b->vertex_count++] = r;
    return true;
}

bool mesh_builder_triangle(mesh_builder *b, int i, int j, int k)
{
    if (!grow_triangles(b, b->triangle_count + 1)) {
        return false;
    }
    int *corner = b->triangles[b->triangle_count++];
    corner[0] = i;
    corner[1] = j;
    corner[2] = k;
    return true;
}

bool mesh_builder_edge(mesh_builder *b, int i, int j)
{
    size_t need = b->edge_count + 1;
    if (need > INT_MAX || !CAROM_ARRAY_RESERVE(b->edges, b->edge_capacity, need)) {
        return false;
    }
    b->edges[b->edge_count][0] = i;
    b->edges[b->edge_count++][1] = j;
    return true;
}

/* Coordinates of CAD files differ in few bits, often the high ones only: every input bit must reach every output bit,
 * hence the multiplications with folding between them. */
static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static size_t hash_point(v3 r)
{
    uint64_t hash = mix(mix(mix(UINT64_C(0x2545F4914F6CDD1D), r.x), r.y), r.z) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(hash ^ hash >> 29);
}

static bool slot_holds(const mesh_builder *b, int slot, v3 r)
{
    const v3 *other = &b->vertices[slot - 1];
    return other->x == r.x && other->y == r.y && other->z == r.z;
}

/* The slot in which r is, or in which it belongs. */
static int *find_slot(const mesh_builder *b, v3 r)
{
    size_t mask = b->slot_count - 1;
    for (size_t s = hash_point(r) & mask;; s = (s + 1) & mask) {
        if (b->slots[s] == 0 || slot_holds(b, b->slots[s], r)) {
            return b->slots + s;
        }
    }
}

/* Keeps the table at most half full. The first size fits the expected number of vertices. */
static bool grow_slots(mesh_builder *b)
{
    if (2 * b->vertex_count < b->slot_count) {
        return true;
    }
    size_t count = b->slot_count ? 4 * b->slot_count : 1024;
    while (count / 2 <= b->vertex_count || count / 4 < b->vertex_capacity) {
        count *= 2;
    }
    int *slots = calloc(count, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(b->slots);
    b->slots = slots;
    b->slot_count = count;
    for (size_t i = 0; i < b->vertex_count; ++i) {
        *find_slot(b, b->vertices[i]) = (int)i + 1;
    }
    return true;
}

bool mesh_builder_weld(mesh_builder *b, v3 r, int *index)
{
    if (!grow_slots(b)) {
        return false;
    }
    int *slot = find_slot(b, r);
    if (*slot == 0) {
        if (!mesh_builder_append(b, r)) {
            return false;
        }
        *slot = (int)b->vertex_count;
    }
    *index = *slot - 1;
    return true;
}

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

size_t mesh_builder_expect(const mesh_builder *b, v3 r)
{
    if (b->slot_count == 0) {
        return 0;
    }
    size_t slot = hash_point(v3_add(r, v3_zero())) & (b->slot_count - 1);
    PREFETCH(b->slots + slot);
    return slot;
}

void mesh_builder_fetch(const mesh_builder *b, size_t expected)
{
    if (expected < b->slot_count && b->slots[expected] > 0) {
        PREFETCH(b->vertices + b->slots[expected] - 1);
    }
}

static void mark_used(const mesh_builder *b, int *welded)
{
    for (size_t t = 0; t < b->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            welded[b->triangles[t][k]] = 1;
        }
    }
}

/* Moves each used vertex forward to its welded place. The write never overtakes the read: at most as many vertices
 * have been kept as have been looked at. */
static bool weld_used(mesh_builder *b, int *welded)
{
    size_t count = b->vertex_count;
    b->vertex_count = 0;
    for (size_t i = 0; i < count; ++i) {
        if (welded[i] && !mesh_builder_weld(b, b->vertices[i], &welded[i])) {
            return false;
        }
    }
    return true;
}

bool mesh_builder_weld_all(mesh_builder *b)
{
    int *welded = calloc(b->vertex_count + 1, sizeof *welded); /* 1 for used, later the new index */
    if (!welded) {
        return false;
    }
    mark_used(b, welded);
    bool ok = weld_used(b, welded);
    for (size_t t = 0; ok && t < b->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            b->triangles[t][k] = welded[b->triangles[t][k]];
        }
    }
    free(welded);
    return ok;
}

bool mesh_builder_keep_edges(mesh_builder *b)
{
    int *place = calloc(b->vertex_count + 1, sizeof *place); /* 1 for used, later the new index */
    if (!place) {
        return false;
    }
    for (size_t e = 0; e < b->edge_count; ++e) {
        place[b->edges[e][0]] = place[b->edges[e][1]] = 1;
    }
    size_t kept = 0;
    for (size_t i = 0; i < b->vertex_count; ++i) {
        if (place[i]) {
            b->vertices[kept] = b->vertices[i];
            place[i] = (int)kept++;
        }
    }
    for (size_t e = 0; e < b->edge_count; ++e) {
        b->edges[e][0] = place[b->edges[e][0]];
        b->edges[e][1] = place[b->edges[e][1]];
    }
    b->vertex_count = kept;
    b->triangle_count = 0;
    free(place);
    return true;
}

static bool take_edges(mesh *m, const mesh_builder *b)
{
    m->edges = calloc(b->edge_count + 1, sizeof *m->edges);
    if (!m->edges) {
        return false;
    }
    m->edge_count = (int)b->edge_count;
    memcpy(m->edges, b->edges, b->edge_count * sizeof *m->edges);
    return true;
}

mesh *mesh_builder_finish(mesh_builder *b)
{
    mesh *m = mesh_create((int)b->vertex_count, (int)b->triangle_count);
    if (m && b->edge_count > 0 && !take_edges(m, b)) {
        mesh_destroy(m);
        return NULL;
    }
    if (m && b->vertex_count > 0) {
        memcpy(m->vertices, b->vertices, b->vertex_count * sizeof *m->vertices);
    }
    if (m && b->triangle_count > 0) {
        memcpy(m->triangles, b->triangles, b->triangle_count * sizeof *m->triangles);
    }
    return m;
}

void mesh_builder_free(mesh_builder *b)
{
    free(b->vertices);
    free(b->triangles);
    free(b->edges);
    free(b->slots);
    *b = (mesh_builder){ 0 };
}
