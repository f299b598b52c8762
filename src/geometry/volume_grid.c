/* Boxes filled with cells. A grid has nodes at the corners of its cells and, for kinds with nodes in the middle of edges, halfway
 * between them in every direction; those that no cell uses are left out. Simplices are the paths from the lowest corner of a cell of the
 * grid to its highest along the axes in every order [Kuhn1960], so that neighbours fit together. */
#include "geometry/volume_mesh.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid {
    cell_kind kind;
    int dimension;
    int step;     /* of corners among the points: 2 where there are points halfway */
    int count[3]; /* points */
    const volume_axis *axes;
    double *places[3]; /* of the points along each axis */
    int *node_of;      /* per point: its node, -1: none yet */
    volume_mesh *mesh;
} grid;

static bool is_quadratic(cell_kind kind)
{
    return kind == CELL_TRIANGLE6 || kind == CELL_TETRAHEDRON10;
}

/* Positions of the points of an axis, halfway points in the middle of their cell. */
static void lay_axis(const volume_axis *axis, int step, double *places)
{
    double growth = axis->count > 1 ? pow(axis->grading, 1.0 / (axis->count - 1)) : 1.0;
    double size = 1.0;
    double total = 0.0;
    for (int c = 0; c < axis->count; ++c, size *= growth) {
        for (int k = 0; k < step; ++k) {
            places[c * step + k] = k == 0 ? total : total + 0.5 * size;
        }
        total += size;
    }
    places[axis->count * step] = total;
    for (int k = 0; k <= axis->count * step; ++k) {
        places[k] = axis->start + axis->length * (places[k] / total);
    }
}

/* The node at a point, made where there is none; -1: memory runs out. */
static int node_at(grid *g, const int at[3])
{
    int *node = &g->node_of[(at[2] * g->count[1] + at[1]) * g->count[0] + at[0]];
    if (*node < 0) {
        double x[3] = { 0 };
        for (int a = 0; a < g->dimension; ++a) {
            x[a] = g->places[a][at[a]];
        }
        *node = volume_mesh_add_node(g->mesh, v3_make(x[0], x[1], x[2])) ? g->mesh->node_count - 1 : -1;
    }
    return *node;
}

/* Adds a cell with these points. */
static bool add_cell(grid *g, int points[][3])
{
    int nodes[CELL_NODES];
    for (int i = 0; i < cell_kind_nodes(g->kind); ++i) {
        nodes[i] = node_at(g, points[i]);
        if (nodes[i] < 0) {
            return false;
        }
    }
    return volume_mesh_add_cell(g->mesh, g->kind, nodes);
}

/* Lines, quadrilaterals and hexahedra: the corners of the cell of the grid. */
static bool add_brick(grid *g, const int low[3])
{
    static const int corner[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                      { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
    int points[8][3];
    for (int i = 0; i < 8; ++i) {
        for (int a = 0; a < 3; ++a) {
            points[i][a] = low[a] + corner[i][a];
        }
    }
    return add_cell(g, points);
}

static bool add_simplex(grid *g, const int low[3], const int *order, bool mirrored)
{
    static const int edges[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
    int points[CELL_NODES][3];
    int corners = g->dimension + 1;
    memcpy(points[0], low, sizeof points[0]);
    for (int i = 1; i < corners; ++i) {
        memcpy(points[i], points[i - 1], sizeof points[0]);
        points[i][order[i - 1]] += g->step;
    }
    if (mirrored) {
        int kept[3];
        memcpy(kept, points[1], sizeof kept);
        memcpy(points[1], points[2], sizeof kept);
        memcpy(points[2], kept, sizeof kept);
    }
    for (int e = 0; corners + e < cell_kind_nodes(g->kind); ++e) {
        for (int a = 0; a < 3; ++a) {
            points[corners + e][a] = (points[edges[e][0]][a] + points[edges[e][1]][a]) / 2;
        }
    }
    return add_cell(g, points);
}

static bool add_simplices(grid *g, const int low[3])
{
    static const int in_plane[][3] = { { 0, 1 }, { 1, 0 } };
    static const int in_space[][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 } };
    const int(*orders)[3] = g->dimension == 2 ? in_plane : in_space;
    int count = g->dimension == 2 ? 2 : (int)(sizeof in_space / sizeof in_space[0]);
    bool ok = true;
    for (int k = 0; ok && k < count; ++k) {
        ok = add_simplex(g, low, orders[k], k >= count / 2);
    }
    return ok;
}

static bool fill(grid *g)
{
    bool brick = g->kind == CELL_LINE2 || g->kind == CELL_QUAD4 || g->kind == CELL_HEXAHEDRON8;
    int low[3];
    bool ok = true;
    for (low[2] = 0; low[2] == 0 || low[2] < g->count[2] - 1; low[2] += g->step) {
        for (low[1] = 0; low[1] == 0 || low[1] < g->count[1] - 1; low[1] += g->step) {
            for (low[0] = 0; ok && low[0] < g->count[0] - 1; low[0] += g->step) {
                ok = brick ? add_brick(g, low) : add_simplices(g, low);
            }
        }
    }
    return ok;
}

static carom_status check_axis(const volume_axis *axis, int number, carom_error *err)
{
    static const char *const names = "xyz";
    if (!(axis->length > 0.0 && isfinite(axis->length) && isfinite(axis->start))) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh is %g m long along %c; it must have a length", axis->length,
                          names[number]);
    }
    if (!(axis->grading > 0.0 && isfinite(axis->grading))) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the grading along %c is %g; it is the length of the last cell over that of the first and positive",
            names[number], axis->grading);
    }
    if (axis->count < 1 || axis->count > 100000) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh has %d cells along %c; 1 to 100000 are possible", axis->count,
                          names[number]);
    }
    return CAROM_OK;
}

/* Room for the points; refuses more than a number can count. */
static carom_status lay_points(grid *g, carom_error *err)
{
    double points = 1.0;
    for (int a = 0; a < 3; ++a) {
        g->count[a] = a < g->dimension ? g->step * g->axes[a].count + 1 : 1;
        points *= g->count[a];
    }
    if (points > INT_MAX / 8) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh would have %.3g nodes; use fewer cells", points);
    }
    g->node_of = malloc((size_t)points * sizeof *g->node_of);
    for (size_t k = 0; g->node_of && k < (size_t)points; ++k) {
        g->node_of[k] = -1;
    }
    bool ok = g->node_of;
    for (int a = 0; ok && a < g->dimension; ++a) {
        g->places[a] = malloc((size_t)g->count[a] * sizeof(double));
        ok = g->places[a];
        if (ok) {
            lay_axis(&g->axes[a], g->step, g->places[a]);
        }
    }
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh of %.3g nodes", points);
}

carom_status volume_mesh_grid(volume_mesh *out, cell_kind kind, const volume_axis *axes, carom_error *err)
{
    *out = (volume_mesh){ 0 };
    grid g = { .kind = kind,
               .dimension = cell_kind_dimension(kind),
               .step = is_quadratic(kind) ? 2 : 1,
               .axes = axes,
               .mesh = out };
    if (kind == CELL_POINT || kind == CELL_LINE3 || kind == CELL_TRIANGLE3) {
        return carom_fail(err, CAROM_BAD_INPUT, "no grid is made of cells of the kind '%s'", cell_kind_name(kind));
    }
    carom_status status = CAROM_OK;
    for (int a = 0; status == CAROM_OK && a < g.dimension; ++a) {
        status = check_axis(&axes[a], a, err);
    }
    if (status == CAROM_OK) {
        status = lay_points(&g, err);
    }
    if (status == CAROM_OK && !fill(&g)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
    }
    free(g.node_of);
    for (int a = 0; a < 3; ++a) {
        free(g.places[a]);
    }
    if (status != CAROM_OK) {
        volume_mesh_free(out);
    }
    return status;
}
