/* Corners of the surface of a body of finite elements: of two meshes that touch the finer one gives the nodes, and a corner of the coarser one
 * that comes down between them would not be seen. */
#include <stdlib.h>

#include "model/surface.h"

static const double SHARP = 0.866; /* cosine of 30 degrees: the least bend of an outline */

static v3 along_of(const solid_mesh *mesh, const solid_facet *f)
{
    return v3_unit(v3_sub(solid_mesh_node(mesh, f->nodes[1]), solid_mesh_node(mesh, f->nodes[0])));
}

/* Nodes of a plane body at which its outline bends outwards; `into` has room for one facet of each node. */
static void mark_bends(const model_surface *s, const solid_mesh *mesh, const solid_facet **into, int *count)
{
    for (int f = 0; f < s->facet_count; ++f) {
        into[s->facets[f].nodes[1]] = &s->facets[f];
    }
    for (int f = 0; f < s->facet_count; ++f) {
        int node = s->facets[f].nodes[0];
        if (into[node]) {
            v3 before = along_of(mesh, into[node]);
            v3 after = along_of(mesh, &s->facets[f]);
            count[node] = v3_cross(before, after).z > 0.0 && v3_dot(before, after) < SHARP;
        }
    }
}

static void mark_edges(const model_surface *s, int *count)
{
    for (int e = 0; e < s->edge_count; ++e) {
        if (s->edges[e].sharp) {
            count[s->edges[e].nodes[0]] = 1;
            count[s->edges[e].nodes[1]] = 1;
        }
    }
}

/* Marks become numbers of facets. */
static int count_facets(const model_surface *s, int *count)
{
    int total = 0;
    for (int f = 0; f < s->facet_count; ++f) {
        for (int i = 0; i < s->facets[f].count; ++i) {
            int *of = &count[s->facets[f].nodes[i]];
            *of += *of > 0;
            total += *of > 0;
        }
    }
    return total;
}

/* place: per node, where its next facet goes. */
static void list_corners(model_surface *s, int *count, solid_facet *room, int *place)
{
    int next = 0;
    for (int i = 0; i < s->node_count; ++i) {
        int node = s->nodes[i];
        place[node] = next;
        if (count[node] > 0) {
            s->corners[s->corner_count++] = (surface_corner){ node, count[node] - 1, &room[next] };
            next += count[node] - 1;
        }
    }
    for (int f = 0; f < s->facet_count; ++f) {
        for (int i = 0; i < s->facets[f].count; ++i) {
            int node = s->facets[f].nodes[i];
            if (count[node] > 0) {
                room[place[node]++] = s->facets[f];
            }
        }
    }
}

carom_status surface_find_corners(model_surface *s, const solid_mesh *mesh, carom_arena *arena, carom_error *err)
{
    size_t nodes = (size_t)solid_mesh_node_count(mesh) + 1;
    int *count = calloc(2 * nodes, sizeof *count);
    const solid_facet **into = calloc(nodes, sizeof *into);
    bool ok = count && into;
    if (ok && s->edge_count > 0) {
        if (s->dimension == 3) {
            mark_edges(s, count);
        } else {
            mark_bends(s, mesh, into, count);
        }
        solid_facet *room = CAROM_ARENA_ARRAY(arena, solid_facet, count_facets(s, count) + 1);
        s->corners = CAROM_ARENA_ARRAY(arena, surface_corner, s->node_count + 1);
        ok = room && s->corners;
        if (ok) {
            list_corners(s, count, room, count + nodes);
        }
    }
    free(count);
    free(into);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the corners of a mesh");
}
