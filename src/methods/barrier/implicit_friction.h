/* Newton's method with friction that follows the iterate. */
#ifndef CAROM_METHODS_BARRIER_IMPLICIT_FRICTION_H
#define CAROM_METHODS_BARRIER_IMPLICIT_FRICTION_H

#include "methods/barrier/barrier_work.h"

/* Solves the equations of the step, in which friction has the normal forces and tangent planes of the iterate itself, from where a
 * solve with lagged friction has ended; `thorough`: on all ways that are known. isle->tight: it has converged; else bodies are where the residual was least. A status that is
 * not CAROM_OK is in isle->status. */
carom_status implicit_friction_solve(barrier_work *w, island *isle, bool thorough);

#endif
