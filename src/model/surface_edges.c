/* Edges of the surface of a body of finite elements, for contact with other edges: nodes see what is larger than a cell, and nothing that
 * passes between them.
 *
 * Smooth surfaces bend a little at every edge of their mesh. Where two of those cross they are as deep in each other as the meshes are off the
 * surfaces, and do not touch. Sharp edges of others do touch them: the rim of a body that is pressed into a surface, and slides on, else meets the
 * nodes ahead of it with its side. */
#include <stdlib.h>

#include "model/surface.h"

static const double SHARP = 0.866; /* cosine of 30 degrees: the least bend */

/* A side of a facet: its nodes ascending, the facet, the third node. */
typedef struct facet_side {
    int low, high;
    int facet, beside;
    bool forward; /* the facet goes from the lower to the higher */
} facet_side;

static int compare_sides(const void *a, const void *b)
{
    const facet_side *x = a;
    const facet_side *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return x->facet - y->facet;
}

static int list_sides(const model_surface *s, facet_side *sides)
{
    int count = 0;
    for (int f = 0; f < s->facet_count; ++f) {
        const int *n = s->facets[f].nodes;
        for (int i = 0; i < 3; ++i) {
            int a = n[i];
            int b = n[(i + 1) % 3];
            sides[count++] = (facet_side){ a < b ? a : b, a < b ? b : a, f, n[(i + 2) % 3], a < b };
        }
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    return count;
}

static v3 normal_of(const solid_mesh *mesh, const solid_facet *f)
{
    v3 a = solid_mesh_node(mesh, f->nodes[0]);
    return v3_unit(v3_cross(v3_sub(solid_mesh_node(mesh, f->nodes[1]), a),
                            v3_sub(solid_mesh_node(mesh, f->nodes[2]), a)));
}

static bool is_sharp(const model_surface *s, const solid_mesh *mesh, const facet_side *x, const facet_side *y)
{
    v3 n = normal_of(mesh, &s->facets[x->facet]);
    v3 across = v3_sub(solid_mesh_node(mesh, y->beside), solid_mesh_node(mesh, y->low));
    return v3_dot(n, across) < 0.0 && v3_dot(n, normal_of(mesh, &s->facets[y->facet])) < SHARP;
}

/* Of sides that two facets share. */
static void take_shared(model_surface *s, const solid_mesh *mesh, const facet_side *sides, int count)
{
    for (int i = 0; i < count;) {
        int j = i + 1;
        while (j < count && sides[j].low == sides[i].low && sides[j].high == sides[i].high) {
            ++j;
        }
        if (j == i + 2) {
            const facet_side *first = &sides[sides[i].forward ? i : i + 1];
            const facet_side *second = &sides[sides[i].forward ? i + 1 : i];
            s->edges[s->edge_count++] = (surface_edge){ { first->low, first->high },
                                                        { first->beside, second->beside },
                                                        is_sharp(s, mesh, first, second) };
        }
        i = j;
    }
}

static void take_outline(model_surface *s)
{
    for (int f = 0; f < s->facet_count; ++f) {
        const int *n = s->facets[f].nodes;
        s->edges[s->edge_count++] = (surface_edge){ { n[0], n[1] }, { NONE_BESIDE, NONE_BESIDE }, true };
    }
}

carom_status surface_find_edges(model_surface *s, const solid_mesh *mesh, carom_arena *arena, carom_error *err)
{
    bool solid = s->dimension == 3;
    bool plane = s->dimension == 2 && solid_mesh_element(mesh, 0).material->plane != AXISYMMETRIC;
    facet_side *sides = solid ? calloc(3 * (size_t)s->facet_count + 1, sizeof *sides) : NULL;
    s->edges = solid || plane ? CAROM_ARENA_ARRAY(arena, surface_edge, 2 * s->facet_count + 1) : NULL;
    bool ok = !arena->failed && (sides || !solid);
    if (ok && solid) {
        take_shared(s, mesh, sides, list_sides(s, sides));
    } else if (ok && plane) {
        take_outline(s);
    }
    free(sides);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the edges of a mesh");
}
