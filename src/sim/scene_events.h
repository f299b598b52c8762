/* Events of the scene: conditions on signals, looked for along every step.
 *
 * A condition on the motion (positions, velocities, coordinates, lengths, inputs, t) is looked at on the dense output of a step, in
 * sixteen pieces, and located there to rounding. One on forces, accelerations or energies is looked at where steps end, and so is
 * any where a method promises nothing of the inside of its steps. What an event leads to ends the step at that instant: the
 * step is repeated up to there. An event that only marks never changes a step. */
#ifndef CAROM_SIM_SCENE_EVENTS_H
#define CAROM_SIM_SCENE_EVENTS_H

#include "dynamics/work.h"
#include "model/method.h"

/* Looks where the state stands, once; what holds from the start and need not hold for long happens there. */
carom_status scene_events_begin(carom_step_context *c);

/* One step by `step`, with its events announced in the scratch. */
typedef carom_status scene_step(carom_step_context *c, double dt, carom_step_report *report);
carom_status scene_events_step(carom_step_context *c, scene_step *step, double dt, carom_step_report *report);

#endif
