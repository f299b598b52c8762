/* Where joints start, by the `start` of their definitions: poses and velocities for assembly to begin with. */
#ifndef CAROM_DYNAMICS_STARTS_H
#define CAROM_DYNAMICS_STARTS_H

#include "dynamics/work.h"

/* Moves bodies, changes their velocities and counts turns so that every joint coordinate has the value and the rate that
 * it starts with; the state has the poses and velocities of the drawing, and the constants of its gears. CAROM_IMPOSSIBLE
 * where starts contradict each other or the other joints. Nothing to do without starts. */
bool starts_are_given(const carom_model *model);
carom_status starts_apply(carom_scratch *w, carom_state *s, carom_error *err);

/* Gives one coordinate a value and a rate, as a start of this joint would: what hangs on the joint goes along, loops and
 * gears follow from where they are. Values and rates of other coordinates stay but in loops and behind gears. The state has
 * its turns and gears; after a failure it may have changed. */
carom_status starts_set(const carom_model *model, carom_state *s, int joint, model_joint_start start,
                        carom_error *err);

#endif
