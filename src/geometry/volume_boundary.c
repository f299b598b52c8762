/* The nodes on the surface of a mesh of tetrahedra: a face is on it where no second cell has the same corners. */
#include "geometry/volume_mesh.h"

#include <stdlib.h>

enum { FACES = 4, CORNERS = 3, FACE_NODES = 6 };

/* Nodes of each face: corners, then the nodes halfway along their edges. */
static const int face_nodes[FACES][FACE_NODES] = {
    { 0, 1, 2, 4, 5, 6 }, { 0, 1, 3, 4, 8, 7 }, { 0, 2, 3, 6, 9, 7 }, { 1, 2, 3, 5, 9, 8 }
};

typedef struct face {
    int corners[CORNERS]; /* ascending */
    int cell, number;
} face;

static void sort_corners(int *c)
{
    for (int k = 1; k < CORNERS; ++k) {
        for (int i = k; i > 0 && c[i] < c[i - 1]; --i) {
            int keep = c[i];
            c[i] = c[i - 1];
            c[i - 1] = keep;
        }
    }
}

static int by_corners(const void *a, const void *b)
{
    const face *x = a;
    const face *y = b;
    for (int k = 0; k < CORNERS; ++k) {
        if (x->corners[k] != y->corners[k]) {
            return x->corners[k] < y->corners[k] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_tetrahedron(cell_kind kind)
{
    return kind == CELL_TETRAHEDRON4 || kind == CELL_TETRAHEDRON10;
}

static size_t list_faces(const volume_mesh *mesh, face *faces)
{
    size_t count = 0;
    for (int c = 0; c < mesh->cell_count; ++c) {
        for (int k = 0; is_tetrahedron(mesh->cells[c].kind) && k < FACES; ++k) {
            face *f = &faces[count++];
            *f = (face){ .cell = c, .number = k };
            for (int i = 0; i < CORNERS; ++i) {
                f->corners[i] = mesh->cells[c].nodes[face_nodes[k][i]];
            }
            sort_corners(f->corners);
        }
    }
    return count;
}

static void mark_face(const volume_mesh *mesh, const face *f, bool *marked)
{
    const volume_cell *cell = &mesh->cells[f->cell];
    for (int i = 0; i < (cell->kind == CELL_TETRAHEDRON10 ? FACE_NODES : CORNERS); ++i) {
        marked[cell->nodes[face_nodes[f->number][i]]] = true;
    }
}

bool *volume_mesh_boundary(const volume_mesh *mesh)
{
    face *faces = malloc(((size_t)mesh->cell_count * FACES + 1) * sizeof *faces);
    bool *marked = calloc((size_t)mesh->node_count + 1, sizeof *marked);
    if (!faces || !marked) {
        free(faces);
        free(marked);
        return NULL;
    }
    size_t count = list_faces(mesh, faces);
    qsort(faces, count, sizeof *faces, by_corners);
    for (size_t k = 0; k < count; ++k) {
        bool before = k > 0 && by_corners(&faces[k - 1], &faces[k]) == 0;
        bool behind = k + 1 < count && by_corners(&faces[k], &faces[k + 1]) == 0;
        if (!before && !behind) {
            mark_face(mesh, &faces[k], marked);
        }
    }
    free(faces);
    return marked;
}
