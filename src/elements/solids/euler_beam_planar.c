/* Euler-Bernoulli beam in the xy plane: extension and bending without shear, cubic shape functions. */
#include "elements/solids/beam.h"

static const beam description = { .shear = false };

const solid_type solid_euler_beam_planar = {
    .kind = { .name = "euler-beam-planar",
              .doc = "Euler-Bernoulli beam with two nodes in the xy plane: extension and bending.",
              .fields = solid_planar_beam_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 2,
    .dimension = 1,
    .freedoms = MOVE_X | MOVE_Y | TURN_Z,
    .nodes = beam_nodes,
    .beam = &description,
    BEAM_FUNCTIONS,
};
