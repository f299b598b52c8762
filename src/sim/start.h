/* Steps without anybody who watches them: the beginning of a run, before its first frame is looked at, and one step. */
#ifndef CAROM_SIM_START_H
#define CAROM_SIM_START_H

#include <carom/step.h>

/* Does what the first carom_step would do before it advances; that step then goes on from there. On failure the state is
 * as it was. What happens at once (impacts of bodies that touch from the start) is announced in the scratch's events. */
carom_status sim_start(const carom_model *model, carom_state *state, carom_scratch *scratch, carom_error *err);

/* What carom_step does but for checking its arguments and for watching: only events that the method announces are there, in
 * any order, and contact points are not kept. What was found before stays until sim_clear. */
carom_status sim_step(const carom_model *model, carom_state *state, carom_scratch *scratch, double dt,
                      carom_step_report *report, carom_error *err);

/* Keeps the state as the caller has given it, in the scratch, and brings it back: what a step, its start before it and those
 * who watch it go back to when any of them fails. CAROM_NO_MEMORY; bringing it back cannot fail. */
carom_status sim_keep(const carom_state *state, carom_scratch *scratch, carom_error *err);
void sim_restore(carom_state *state, const carom_scratch *scratch);

/* Forgets events, contact points and findings of the last step. */
void sim_clear(carom_scratch *scratch);

#endif
