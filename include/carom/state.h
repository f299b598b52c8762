/* State: all that the physics remembers, in one block of memory. Copying it and going on gives the same bits.
 *
 * A state belongs to the model it was made for, and to any other that was compiled from the same scene; others refuse it.
 * It does not need the model to live. Threads: a state is used by one thread at a time; several may read one that nobody
 * advances. */
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include <carom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_state carom_state;

/* The state the scene describes at t = 0, not yet made consistent (see carom_assemble). NULL when memory runs out or model
 * is NULL. */
CAROM_API carom_state *carom_state_create(const carom_model *model);
CAROM_API void carom_state_destroy(carom_state *state); /* NULL: nothing */

/* Both of the same model, else CAROM_BAD_INPUT. CAROM_NO_MEMORY, and `to` as it was, when there is no room for what is remembered of contacts;
 * never when `to` was copied from `from`'s model at a moment with as many contacts. */
CAROM_API carom_status carom_state_copy(carom_state *to, const carom_state *from);

CAROM_API uint64_t carom_state_hash(const carom_state *state); /* NULL: 0 */
CAROM_API double carom_state_time(const carom_state *state);   /* [s]; NULL: 0 */

/* Of the body frame (not the centre of mass), in world axes. The pose of the world, and no velocity, where there is no such
 * body (CAROM_NONE of a failed look-up among them) or the state belongs to another model. */
CAROM_API carom_pose carom_state_pose(const carom_model *model, const carom_state *state, carom_id body);
CAROM_API carom_v3 carom_state_velocity(const carom_model *model, const carom_state *state, carom_id body);
CAROM_API carom_v3 carom_state_angular_velocity(const carom_model *model, const carom_state *state, carom_id body);

#ifdef __cplusplus
}
#endif
#endif
