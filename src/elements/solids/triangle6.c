/* Triangle with six nodes: corners counter-clockwise, then the middles of the edges 1-2, 2-3, 3-1. Plane stress, plane strain or
 * axisymmetric. Row sums would leave its corners without mass. */
#include "elements/solids/continuum.h"

static const double nodes[][3] = { { 0, 0, 0 },   { 1, 0, 0 },     { 0, 1, 0 },
                                   { 0.5, 0, 0 }, { 0.5, 0.5, 0 }, { 0, 0.5, 0 } };

static const double corner_gradient[3][2] = { { -1, -1 }, { 1, 0 }, { 0, 1 } };

static void shape(const double xi[3], double *N, double (*dN)[3])
{
    const double L[3] = { 1.0 - xi[0] - xi[1], xi[0], xi[1] };
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        N[i] = L[i] * (2.0 * L[i] - 1.0);
        N[3 + i] = 4.0 * L[i] * L[next];
        for (int a = 0; a < 2; ++a) {
            dN[i][a] = (4.0 * L[i] - 1.0) * corner_gradient[i][a];
            dN[3 + i][a] = 4.0 * (L[i] * corner_gradient[next][a] + L[next] * corner_gradient[i][a]);
        }
        dN[i][2] = dN[3 + i][2] = 0.0;
    }
}

static const continuum triangle = {
    .shape = shape,
    .stiffness = &quadrature_triangle7,
    .mass = &quadrature_triangle7,
    .scaled_diagonal = true,
};

const solid_type solid_triangle6 = {
    .kind = { .name = "triangle6",
              .doc = "Triangle with six nodes, plane or axisymmetric.",
              .fields = solid_plane_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 6,
    .dimension = 2,
    .freedoms = MOVE_X | MOVE_Y,
    .nodes = nodes,
    .continuum = &triangle,
    CONTINUUM_FUNCTIONS,
};
