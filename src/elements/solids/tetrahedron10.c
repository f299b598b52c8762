/* Tetrahedron with ten nodes: corners as in the one with four, then the middles of the edges 1-2, 2-3, 3-1, 1-4, 2-4, 3-4. Row sums would
 * give its corners negative masses. */
#include "elements/solids/continuum.h"

static const double nodes[10][3] = {
    { 0, 0, 0 },     { 1, 0, 0 },   { 0, 1, 0 },   { 0, 0, 1 },     { 0.5, 0, 0 },
    { 0.5, 0.5, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.5 }, { 0.5, 0, 0.5 }, { 0, 0.5, 0.5 },
};

static const int edges[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static const double corner_gradient[4][3] = { { -1, -1, -1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static void shape(const double xi[3], double *N, double (*dN)[3])
{
    const double L[4] = { 1.0 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2] };
    for (int i = 0; i < 4; ++i) {
        N[i] = L[i] * (2.0 * L[i] - 1.0);
        for (int a = 0; a < 3; ++a) {
            dN[i][a] = (4.0 * L[i] - 1.0) * corner_gradient[i][a];
        }
    }
    for (int e = 0; e < (int)(sizeof edges / sizeof edges[0]); ++e) {
        int i = edges[e][0];
        int j = edges[e][1];
        N[4 + e] = 4.0 * L[i] * L[j];
        for (int a = 0; a < 3; ++a) {
            dN[4 + e][a] = 4.0 * (L[i] * corner_gradient[j][a] + L[j] * corner_gradient[i][a]);
        }
    }
}

static const continuum tetrahedron = {
    .shape = shape,
    .stiffness = &quadrature_tetrahedron14,
    .mass = &quadrature_tetrahedron14,
    .scaled_diagonal = true,
};

const solid_type solid_tetrahedron10 = {
    .kind = { .name = "tetrahedron10",
              .doc = "Tetrahedron with ten nodes.",
              .fields = solid_bulk_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 10,
    .dimension = 3,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z,
    .nodes = nodes,
    .continuum = &tetrahedron,
    CONTINUUM_FUNCTIONS,
};
