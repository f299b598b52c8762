/* The beginning of a run: assembly and the method's own start, once, before the first frame is looked at. */
#ifndef CAROM_SIM_START_H
#define CAROM_SIM_START_H

#include <carom/step.h>

/* Does what the first carom_step would do before it advances; that step then goes on from there. On failure the state is
 * as it was. What happens at once (impacts of bodies that touch from the start) is announced in the scratch's events. */
carom_status sim_start(const carom_model *model, carom_state *state, carom_scratch *scratch, carom_error *err);

#endif
