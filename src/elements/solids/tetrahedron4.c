/* Tetrahedron with four nodes; the fourth lies on the side to which 1, 2, 3 turn right-handed. Constant strain: it locks in bending. */
#include "elements/solids/continuum.h"

static const double nodes[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static void shape(const double xi[3], double *N, double (*dN)[3])
{
    N[0] = 1.0 - xi[0] - xi[1] - xi[2];
    for (int a = 0; a < 3; ++a) {
        N[1 + a] = xi[a];
        dN[0][a] = -1.0;
        for (int i = 0; i < 3; ++i) {
            dN[1 + i][a] = a == i ? 1.0 : 0.0;
        }
    }
}

static const continuum tetrahedron = {
    .shape = shape,
    .stiffness = &quadrature_tetrahedron1,
    .mass = &quadrature_tetrahedron4,
};

const solid_type solid_tetrahedron4 = {
    .kind = { .name = "tetrahedron4",
              .doc = "Tetrahedron with four nodes and constant strain.",
              .fields = solid_bulk_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 4,
    .dimension = 3,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z,
    .nodes = nodes,
    .continuum = &tetrahedron,
    CONTINUUM_FUNCTIONS,
};
