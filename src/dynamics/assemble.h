/* The two halves of assembly, for those who assemble with more conditions than the model has. */
#ifndef CAROM_DYNAMICS_ASSEMBLE_H
#define CAROM_DYNAMICS_ASSEMBLE_H

#include "dynamics/work.h"

/* Positions onto the constraints, from the state's poses; velocities tangent to them, from its rates. */
carom_status assemble_positions(carom_scratch *w, carom_state *s, carom_assembly *report, carom_error *err);
carom_status assemble_velocities(carom_scratch *w, carom_state *s, carom_assembly *report, carom_error *err);

/* What precedes them in a state as the scene draws it: turns are counted, gears mesh, joints are where they start. On
 * failure the state may have changed. */
carom_status assemble_drawing(carom_scratch *w, carom_state *s, carom_error *err);

#endif
