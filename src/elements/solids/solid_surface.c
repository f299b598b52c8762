/* The surface of a mesh of finite elements: faces that belong to one element only. Faces with nodes on their edges and with four
 * corners are cut into pieces. */
#include "elements/solids/solid_surface.h"

#include <stdlib.h>
#include <string.h>

/* A face of an element: its corners, which tell it from others, and its pieces. */
typedef struct face_kind {
    int corner_count;
    int corners[4];
    int piece_count;
    int pieces[4][FACET_NODES];
} face_kind;

typedef struct solid_faces {
    const char *type;
    int piece_nodes; /* of each piece */
    int count;
    face_kind faces[6];
} solid_faces;

/* clang-format off */
static const solid_faces tables[] = {
    { "bar", 1, 2, { { 1, { 0 }, 1, { { 0 } } }, { 1, { 1 }, 1, { { 1 } } } } },
    { "quad4", 2, 4, { { 2, { 0, 1 }, 1, { { 0, 1 } } }, { 2, { 1, 2 }, 1, { { 1, 2 } } },
                       { 2, { 2, 3 }, 1, { { 2, 3 } } }, { 2, { 3, 0 }, 1, { { 3, 0 } } } } },
    { "triangle6", 2, 3, { { 2, { 0, 1 }, 2, { { 0, 3 }, { 3, 1 } } }, { 2, { 1, 2 }, 2, { { 1, 4 }, { 4, 2 } } },
                           { 2, { 2, 0 }, 2, { { 2, 5 }, { 5, 0 } } } } },
    { "tetrahedron4", 3, 4, { { 3, { 0, 2, 1 }, 1, { { 0, 2, 1 } } }, { 3, { 0, 1, 3 }, 1, { { 0, 1, 3 } } },
                              { 3, { 1, 2, 3 }, 1, { { 1, 2, 3 } } }, { 3, { 2, 0, 3 }, 1, { { 2, 0, 3 } } } } },
    { "tetrahedron10", 3, 4,
      { { 3, { 0, 2, 1 }, 4, { { 0, 6, 4 }, { 6, 2, 5 }, { 4, 5, 1 }, { 4, 6, 5 } } },
        { 3, { 0, 1, 3 }, 4, { { 0, 4, 7 }, { 4, 1, 8 }, { 7, 8, 3 }, { 7, 4, 8 } } },
        { 3, { 1, 2, 3 }, 4, { { 1, 5, 8 }, { 5, 2, 9 }, { 8, 9, 3 }, { 8, 5, 9 } } },
        { 3, { 2, 0, 3 }, 4, { { 2, 6, 9 }, { 6, 0, 7 }, { 9, 7, 3 }, { 9, 6, 7 } } } } },
    { "hexahedron8", 3, 6,
      { { 4, { 0, 3, 2, 1 }, 2, { { 0, 3, 2 }, { 0, 2, 1 } } }, { 4, { 4, 5, 6, 7 }, 2, { { 4, 5, 6 }, { 4, 6, 7 } } },
        { 4, { 0, 1, 5, 4 }, 2, { { 0, 1, 5 }, { 0, 5, 4 } } }, { 4, { 1, 2, 6, 5 }, 2, { { 1, 2, 6 }, { 1, 6, 5 } } },
        { 4, { 2, 3, 7, 6 }, 2, { { 2, 3, 7 }, { 2, 7, 6 } } }, { 4, { 3, 0, 4, 7 }, 2, { { 3, 0, 4 }, { 3, 4, 7 } } } } },
};
/* clang-format on */

static const solid_faces *faces_of(const solid_type *type)
{
    for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k) {
        if (strcmp(tables[k].type, type->kind.name) == 0) {
            return &tables[k];
        }
    }
    return NULL;
}

/* A face by the numbers of its corners, ascending. */
typedef struct face_entry {
    int key[4];
    int element, face;
} face_entry;

static int compare_faces(const void *a, const void *b)
{
    const face_entry *x = a;
    const face_entry *y = b;
    for (int k = 0; k < 4; ++k) {
        if (x->key[k] != y->key[k]) {
            return x->key[k] < y->key[k] ? -1 : 1;
        }
    }
    return x->element != y->element ? (x->element < y->element ? -1 : 1) : x->face - y->face;
}

static int compare_order(const void *a, const void *b)
{
    const face_entry *x = a;
    const face_entry *y = b;
    return x->element != y->element ? (x->element < y->element ? -1 : 1) : x->face - y->face;
}

static face_entry make_entry(const solid_element *e, const face_kind *kind, int element, int face)
{
    face_entry out = { { -1, -1, -1, -1 }, element, face };
    for (int i = 0; i < kind->corner_count; ++i) {
        int node = e->nodes[kind->corners[i]];
        int at = i;
        for (; at > 0 && out.key[at - 1] > node; --at) {
            out.key[at] = out.key[at - 1];
        }
        out.key[at] = node;
    }
    return out;
}

/* Faces that stand once, in the order of elements; returns how many. */
static int keep_single(face_entry *faces, int count)
{
    int kept = 0;
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    for (int i = 0; i < count;) {
        int j = i + 1;
        while (j < count && memcmp(faces[i].key, faces[j].key, sizeof faces[i].key) == 0) {
            ++j;
        }
        if (j == i + 1) {
            faces[kept++] = faces[i];
        }
        i = j;
    }
    qsort(faces, (size_t)kept, sizeof *faces, compare_order);
    return kept;
}

/* Where outside is at the end of a rod. */
static int side_of(const solid_element *e, int node)
{
    double along = e->X[1].x - e->X[0].x;
    return (along > 0.0) == (node == 1) ? 1 : -1;
}

static int add_pieces(const solid_elements *elements, const face_entry *face, solid_facet *out)
{
    const solid_element e = elements->element(elements->of, face->element);
    const solid_faces *table = faces_of(e.type);
    const face_kind *kind = &table->faces[face->face];
    for (int p = 0; p < kind->piece_count; ++p) {
        out[p] = (solid_facet){ .count = table->piece_nodes, .element = face->element };
        for (int i = 0; i < out[p].count; ++i) {
            out[p].nodes[i] = e.nodes[kind->pieces[p][i]];
        }
        out[p].side = out[p].count == 1 ? side_of(&e, kind->pieces[p][0]) : 0;
    }
    return kind->piece_count;
}

carom_status solid_surface_of(const solid_elements *elements, carom_arena *arena, solid_facet **facets,
                              int *facet_count, carom_error *err)
{
    enum { MOST_FACES = 6, MOST_PIECES = 4 };
    face_entry *faces = malloc(((size_t)elements->count * MOST_FACES + 1) * sizeof *faces);
    int count = 0;
    for (int e = 0; faces && e < elements->count; ++e) {
        const solid_element element = elements->element(elements->of, e);
        const solid_faces *table = faces_of(element.type);
        for (int f = 0; table && f < table->count; ++f) {
            faces[count++] = make_entry(&element, &table->faces[f], e, f);
        }
    }
    count = faces ? keep_single(faces, count) : 0;
    *facets = CAROM_ARENA_ARRAY(arena, solid_facet, (size_t)count * MOST_PIECES + 1);
    *facet_count = 0;
    for (int k = 0; faces && *facets && k < count; ++k) {
        *facet_count += add_pieces(elements, &faces[k], *facets + *facet_count);
    }
    bool ok = faces && *facets;
    free(faces);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
}

static solid_element of_mesh(const void *mesh, int element)
{
    return solid_mesh_element(mesh, element);
}

carom_status solid_surface_find(const solid_mesh *mesh, carom_arena *arena, solid_facet **facets, int *facet_count,
                                carom_error *err)
{
    const solid_elements elements = { mesh, solid_mesh_element_count(mesh), of_mesh };
    return solid_surface_of(&elements, arena, facets, facet_count, err);
}
