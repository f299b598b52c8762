/* Quadrilateral with four nodes, counter-clockwise, and two incompatible modes 1 - xi^2, 1 - eta^2 (QM6, [Taylor1976]): plane stress,
 * plane strain or axisymmetric. 2 x 2 points for the stiffness; 3 x 3 for the mass, exact also with the radius in it. */
#include "elements/solids/continuum.h"

static const double nodes[4][3] = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } };

static void shape(const double xi[3], double *N, double (*dN)[3])
{
    for (int i = 0; i < 4; ++i) {
        double a = 1.0 + nodes[i][0] * xi[0];
        double b = 1.0 + nodes[i][1] * xi[1];
        N[i] = 0.25 * a * b;
        dN[i][0] = 0.25 * nodes[i][0] * b;
        dN[i][1] = 0.25 * a * nodes[i][1];
        dN[i][2] = 0.0;
    }
}

static void modes(const double xi[3], double *value, double (*derivative)[3])
{
    for (int k = 0; k < 2; ++k) {
        value[k] = 1.0 - xi[k] * xi[k];
        derivative[k][k] = -2.0 * xi[k];
    }
}

static const continuum quad = {
    .shape = shape,
    .stiffness = &quadrature_square2,
    .mass = &quadrature_square3,
    .mode_count = 2,
    .modes = modes,
};

const solid_type solid_quad4 = {
    .kind = { .name = "quad4",
              .doc = "Quadrilateral with four nodes and incompatible modes, plane or axisymmetric.",
              .fields = solid_plane_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 4,
    .dimension = 2,
    .freedoms = MOVE_X | MOVE_Y,
    .nodes = nodes,
    .continuum = &quad,
    CONTINUUM_FUNCTIONS,
};
