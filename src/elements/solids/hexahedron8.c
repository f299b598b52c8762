/* Hexahedron with eight nodes, one face counter-clockwise seen from inside, then the opposite one in the same order, and three
 * incompatible modes 1 - xi_a^2 [Taylor1976]. 2 x 2 x 2 points for the stiffness, 3 x 3 x 3 for the mass of distorted ones. */
#include "elements/solids/continuum.h"

static const double nodes[8][3] = {
    { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
    { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 },
};

static void shape(const double xi[3], double *N, double (*dN)[3])
{
    for (int i = 0; i < 8; ++i) {
        double f[3];
        for (int a = 0; a < 3; ++a) {
            f[a] = 1.0 + nodes[i][a] * xi[a];
        }
        N[i] = 0.125 * f[0] * f[1] * f[2];
        dN[i][0] = 0.125 * nodes[i][0] * f[1] * f[2];
        dN[i][1] = 0.125 * f[0] * nodes[i][1] * f[2];
        dN[i][2] = 0.125 * f[0] * f[1] * nodes[i][2];
    }
}

static void modes(const double xi[3], double *value, double (*derivative)[3])
{
    for (int k = 0; k < 3; ++k) {
        value[k] = 1.0 - xi[k] * xi[k];
        derivative[k][k] = -2.0 * xi[k];
    }
}

static const continuum hexahedron = {
    .shape = shape,
    .stiffness = &quadrature_cube2,
    .mass = &quadrature_cube3,
    .mode_count = 3,
    .modes = modes,
};

const solid_type solid_hexahedron8 = {
    .kind = { .name = "hexahedron8",
              .doc = "Hexahedron with eight nodes and incompatible modes.",
              .fields = solid_bulk_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 8,
    .dimension = 3,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z,
    .nodes = nodes,
    .continuum = &hexahedron,
    CONTINUUM_FUNCTIONS,
};
