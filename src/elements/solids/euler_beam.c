/* Euler-Bernoulli beam in space: extension, torsion and two bendings without shear, cubic shape functions. */
#include "elements/solids/beam.h"

static const beam description = { .shear = false };

const solid_type solid_euler_beam = {
    .kind = { .name = "euler-beam",
              .doc = "Euler-Bernoulli beam with two nodes in space: extension, torsion and bending.",
              .fields = solid_beam_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 2,
    .dimension = 1,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z | TURN_X | TURN_Y | TURN_Z,
    .nodes = beam_nodes,
    .beam = &description,
    BEAM_FUNCTIONS,
};
