/* Inside carom_modes, for those who write them. */
#ifndef CAROM_MODEL_MODES_H
#define CAROM_MODEL_MODES_H

#include <carom/modes.h>

#include "base/arena.h"
#include "base/text.h"
#include "elements/solids/solid_mesh.h"

struct carom_modes {
    carom_arena arena;
    double mass; /* [kg] */
    double size; /* [m] */
    int count;
    carom_mode_info *modes;
    double *shapes; /* count x node_count x 3 */
    double *turns;  /* the same of rotations; zero where nodes do not turn */
    int frequency_count;
    carom_body_frequency *frequencies;
    int node_count, cell_count;
    const v3 *nodes;
    const volume_cell *cells;
    int element_count;
    const solid_element *elements; /* their material is `material` */
    const solid_material *material;
};

#endif
