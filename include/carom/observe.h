/* Observers: lists of signals, found by name once, evaluated all at once at a state or in a frame of a run.
 *
 * Threads: an observer never changes; any number of threads may use one, each with its own scratch. */
#ifndef CAROM_OBSERVE_H
#define CAROM_OBSERVE_H

#include <carom/step.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_observer carom_observer;

/* Signals as carom_observe_signal knows them ("hinge.angle", "rod.position.x", "energy.kinetic", "pin.force"), in this
 * order; none if count is 0. An unknown name is refused with the nearest. The observer does not need the model to live and
 * fits every model compiled from the same scene. */
CAROM_API carom_status carom_observer_create(const carom_model *model, const char *const *signals, size_t count,
                                             carom_observer **out, carom_error *err);
CAROM_API void carom_observer_destroy(carom_observer *observer); /* NULL: nothing */

/* Of all signals that results hold: those that the scene records first, then joint coordinates, the ledger, bodies, contacts and
 * joints, each once. */
CAROM_API carom_status carom_observer_create_all(const carom_model *model, carom_observer **out, carom_error *err);

CAROM_API size_t carom_observer_count(const carom_observer *observer); /* of signals; NULL: 0 */

/* As it was asked for; NULL where there is no such signal. There until the observer is destroyed. */
CAROM_API const char *carom_observer_name(const carom_observer *observer, size_t signal);

/* "N*m", "" where it has none; NULL where there is no such signal. There until the observer is destroyed. */
CAROM_API const char *carom_observer_unit(const carom_observer *observer, size_t signal);

/* All of them at the present state, into `out`: carom_observer_count numbers (out may be NULL if that is 0). They cost one
 * evaluation of the model. */
CAROM_API carom_status carom_observe(const carom_observer *observer, const carom_state *state, carom_scratch *scratch,
                                     double *out, carom_error *err);

/* The way back: sets one number of a state by its name, in SI, as the setters of state.h do. Such signals can be set: input.NAME,
 * JOINT.COORDINATE (its rate stays) and its .rate (the coordinate stays), and of bodies that move freely position.x,
 * velocity.x, angular_velocity.x and their like. Others are refused with this list. */
CAROM_API carom_status carom_set_signal(const carom_model *model, carom_state *state, carom_scratch *scratch,
                                        const char *signal, double value, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
