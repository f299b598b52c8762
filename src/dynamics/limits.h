/* What no motion may be: prescribed through a pole, faster than light, not a number. */
#ifndef CAROM_DYNAMICS_LIMITS_H
#define CAROM_DYNAMICS_LIMITS_H

#include "dynamics/work.h"

/* CAROM_NOT_CONVERGED, naming body or joint and the time, where a motion prescribed by the scene has no finite value at t0,
 * at t1, or a pole between. */
carom_status limits_check_prescribed(carom_scratch *w, double t0, double t1, carom_error *err);

/* CAROM_IMPOSSIBLE, naming body or joint and its place in the scene, where a prescribed motion has no finite value at the
 * start. */
carom_status limits_check_start(carom_scratch *w, double t, carom_error *err);

/* CAROM_NOT_CONVERGED, naming the body, where one moves faster than light or its motion is no number. */
carom_status limits_check_motion(const carom_scratch *w, double t, motion at, carom_error *err);

#endif
