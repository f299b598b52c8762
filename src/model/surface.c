/* The surface of a mesh of finite elements: faces that belong to one element only. Faces with nodes on their edges and with four
 * corners are cut into pieces. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/surface.h"

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

/* What the surface is found from. */
typedef struct finder {
    model_surface *s;
    const solid_mesh *mesh;
    const bool *held;
} finder;

static bool on_axis(const finder *f, const solid_element *e, const int *nodes)
{
    return f->held && f->s->dimension == 2 && f->held[2 * e->nodes[nodes[0]]] && f->held[2 * e->nodes[nodes[1]]];
}

static void add_pieces(const finder *f, const face_entry *face)
{
    model_surface *s = f->s;
    const solid_element e = solid_mesh_element(f->mesh, face->element);
    const solid_faces *table = faces_of(e.type);
    const face_kind *kind = &table->faces[face->face];
    for (int p = 0; p < kind->piece_count; ++p) {
        model_facet facet = { .count = table->piece_nodes };
        if (table->piece_nodes == 2 && on_axis(f, &e, kind->pieces[p])) {
            continue;
        }
        for (int i = 0; i < facet.count; ++i) {
            facet.nodes[i] = e.nodes[kind->pieces[p][i]];
        }
        facet.element = face->element;
        facet.side = facet.count == 1 ? side_of(&e, kind->pieces[p][0]) : 0;
        s->facets[s->facet_count++] = facet;
    }
}

static void find_size(const finder *from)
{
    model_surface *s = from->s;
    s->facet_size = HUGE_VAL;
    for (int f = 0; f < s->facet_count; ++f) {
        const model_facet *facet = &s->facets[f];
        for (int i = 0; i < facet->count; ++i) {
            v3 a = solid_mesh_node(from->mesh, facet->nodes[i]);
            v3 b = solid_mesh_node(from->mesh, facet->nodes[(i + 1) % facet->count]);
            s->facet_size = facet->count > 1 ? fmin(s->facet_size, v3_norm(v3_sub(a, b))) : s->facet_size;
        }
    }
    for (int e = 0; s->dimension == 1 && e < solid_mesh_element_count(from->mesh); ++e) {
        const solid_element bar = solid_mesh_element(from->mesh, e);
        s->facet_size = fmin(s->facet_size, v3_norm(v3_sub(bar.X[1], bar.X[0])));
    }
}

static void list_nodes(const finder *from)
{
    model_surface *s = from->s;
    int nodes = solid_mesh_node_count(from->mesh);
    memset(s->nodes, 0, (size_t)nodes * sizeof *s->nodes);
    for (int f = 0; f < s->facet_count; ++f) {
        for (int i = 0; i < s->facets[f].count; ++i) {
            s->nodes[s->facets[f].nodes[i]] = 1;
        }
    }
    s->node_count = 0;
    for (int i = 0; i < nodes; ++i) {
        if (s->nodes[i]) {
            s->nodes[s->node_count++] = i;
        }
    }
}

/* [m^2] of a facet, and [m^3] of the element behind it: what it weighs over its density. */
static double facet_area(const finder *from, const model_facet *f, const solid_element *e)
{
    const double two_pi = 6.28318530717958647693;
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = solid_mesh_node(from->mesh, f->nodes[i]);
    }
    if (f->count == 1) {
        return e->material->section.area;
    }
    double length = v3_norm(v3_sub(x[1], x[0]));
    if (f->count == 2) {
        return length *
               (e->material->plane == AXISYMMETRIC ? two_pi * 0.5 * (x[0].x + x[1].x) : e->material->thickness);
    }
    return 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
}

static double element_volume(const solid_element *e)
{
    double m[SOLID_FREEDOMS];
    double mass = 0.0;
    int own = solid_node_freedoms(e->type->freedoms);
    e->type->lumped_mass(e->type, e->X, e->material, m);
    for (int i = 0; i < e->type->node_count; ++i) {
        mass += m[own * i];
    }
    return mass / e->material->density;
}

/* The usual stiffness of penalty methods: K A^2 / V with the bulk modulus K; of rods E A / h. */
static void find_penalties(const finder *from, double *area)
{
    model_surface *s = from->s;
    int nodes = solid_mesh_node_count(from->mesh);
    double *volume = area + nodes;
    double *count = volume + nodes;
    for (int f = 0; f < s->facet_count; ++f) {
        const model_facet *facet = &s->facets[f];
        const solid_element e = solid_mesh_element(from->mesh, facet->element);
        double bulk = e.type->continuum ? e.material->young / (3.0 * (1.0 - 2.0 * e.material->poisson))
                                        : e.material->young;
        for (int i = 0; i < facet->count; ++i) {
            int node = facet->nodes[i];
            area[node] += facet_area(from, facet, &e) / facet->count;
            volume[node] += element_volume(&e);
            count[node] += 1.0;
            s->penalty[node] = bulk;
        }
    }
    for (int i = 0; i < nodes; ++i) {
        s->penalty[i] *= count[i] > 0.0 ? area[i] * area[i] * count[i] / volume[i] : 0.0;
    }
}

static carom_status make_penalties(const finder *from, carom_arena *arena, carom_error *err)
{
    size_t nodes = (size_t)solid_mesh_node_count(from->mesh);
    double *room = calloc(3 * nodes + 1, sizeof *room);
    from->s->penalty = CAROM_ARENA_ARRAY(arena, double, nodes);
    if (room && !arena->failed) {
        find_penalties(from, room);
    }
    bool ok = room && !arena->failed;
    free(room);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
}

carom_status surface_find(model_surface *s, const solid_mesh *mesh, const bool *held, carom_arena *arena,
                          carom_error *err)
{
    enum { MOST_FACES = 6, MOST_PIECES = 4 };
    const finder from = { s, mesh, held };
    int elements = solid_mesh_element_count(mesh);
    face_entry *faces = malloc(((size_t)elements * MOST_FACES + 1) * sizeof *faces);
    int count = 0;
    for (int e = 0; faces && e < elements; ++e) {
        const solid_element element = solid_mesh_element(mesh, e);
        const solid_faces *table = faces_of(element.type);
        for (int f = 0; table && f < table->count; ++f) {
            faces[count++] = make_entry(&element, &table->faces[f], e, f);
        }
    }
    count = faces ? keep_single(faces, count) : 0;
    s->facets = CAROM_ARENA_ARRAY(arena, model_facet, (size_t)count * MOST_PIECES + 1);
    s->nodes = CAROM_ARENA_ARRAY(arena, int, solid_mesh_node_count(mesh) + 1);
    if (!faces || arena->failed) {
        free(faces);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
    }
    for (int k = 0; k < count; ++k) {
        add_pieces(&from, &faces[k]);
    }
    free(faces);
    list_nodes(&from);
    find_size(&from);
    return make_penalties(&from, arena, err);
}
