/* Timoshenko beam in space: extension, torsion, two bendings and shears, with rotary inertia. */
#include "elements/solids/beam.h"

static const beam description = { .shear = true };

const solid_type solid_timoshenko_beam = {
    .kind = { .name = "timoshenko-beam",
              .doc = "Timoshenko beam with two nodes in space: extension, torsion, bending and shear.",
              .fields = solid_shear_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 2,
    .dimension = 1,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z | TURN_X | TURN_Y | TURN_Z,
    .nodes = beam_nodes,
    .beam = &description,
    BEAM_FUNCTIONS,
};
