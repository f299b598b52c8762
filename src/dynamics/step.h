/* Verbs that the step of every contact method is made of.
 *
 *     step_begin      keeps the state, its contact records and how many findings there were
 *     dynamics_step   advances by at most dt with the model's integrator (integrator.h)
 *     step_abort      the state as step_begin kept it: the step may be tried again, shorter, or given up
 *     step_open       a step that its method makes itself begins where the state stands,
 *     step_commit     and ends where the state stands now: dense output, counts, report (dynamics_step calls both)
 *     ledger_add      work that is no integral of powers: impulses, barriers, hand-over between phases
 *
 * What is kept lies in the scratch, once for all methods. */
#ifndef CAROM_DYNAMICS_STEP_H
#define CAROM_DYNAMICS_STEP_H

#include "dynamics/work.h"
#include "model/method.h"

/* CAROM_NO_MEMORY when there is no room for the copy. */
carom_status step_begin(const carom_step_context *c);

/* State, records and findings as they were at step_begin. Evaluations still belong to the step that was aborted: call
 * integrator_load before the next one. */
void step_abort(const carom_step_context *c);

/* Findings from this index on, made since step_begin, hold for any step that begins there: step_abort leaves them. */
void step_keep_findings(carom_scratch *w, size_t from);

void step_open(carom_scratch *w, const carom_state *s, carom_step_report *report);
void step_commit(carom_scratch *w, carom_state *s, carom_step_report *report);

/* Adds to the ledger's account, input or loss by its kind [J]. */
void ledger_add(carom_state *s, int account, double joules);

/* Adds all that a jump of velocities has done: work by account, external impulse and angular impulse. */
void ledger_add_sums(carom_state *s, const ledger_sums *jump);

#endif
