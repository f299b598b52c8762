/* Timoshenko beam in the xy plane: extension, bending and shear, with rotary inertia. */
#include "elements/solids/beam.h"

static const beam description = { .shear = true };

const solid_type solid_timoshenko_beam_planar = {
    .kind = { .name = "timoshenko-beam-planar",
              .doc = "Timoshenko beam with two nodes in the xy plane: extension, bending and shear.",
              .fields = solid_planar_shear_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 2,
    .dimension = 1,
    .freedoms = MOVE_X | MOVE_Y | TURN_Z,
    .nodes = beam_nodes,
    .beam = &description,
    BEAM_FUNCTIONS,
};
