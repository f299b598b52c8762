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

/* A state as bytes, for files, other processes of the same program, and bindings: with the hash of the model and a check sum.
 * carom_state_size tells how many (NULL: 0); save writes exactly so many and refuses another `size`. restore refuses, and the
 * state is as it was: bytes of another model, of another version of carom or kind of machine, and damaged ones. */
CAROM_API size_t carom_state_size(const carom_state *state);
CAROM_API carom_status carom_state_save(const carom_model *model, const carom_state *state, void *out, size_t size,
                                        carom_error *err);
CAROM_API carom_status carom_state_restore(const carom_model *model, carom_state *state, const void *bytes,
                                           size_t size, carom_error *err);

/* Of the body frame (not the centre of mass), in world axes. The pose of the world, and no velocity, where there is no such
 * body (CAROM_NONE of a failed look-up among them) or the state belongs to another model. */
CAROM_API carom_pose carom_state_pose(const carom_model *model, const carom_state *state, carom_id body);
CAROM_API carom_v3 carom_state_velocity(const carom_model *model, const carom_state *state, carom_id body);
CAROM_API carom_v3 carom_state_angular_velocity(const carom_model *model, const carom_state *state, carom_id body);

/* Bulk reading without copies: pointers into the state, valid until it is destroyed; their numbers change as it is stepped,
 * set or copied to. Body i, the ground at 0, has
 *   poses[i * pose_stride + 0..2]          position of the centre of mass [m], world axes
 *   poses[i * pose_stride + 3..6]          orientation w, x, y, z, which takes body axes to world axes
 *   velocities[i * velocity_stride + 0..2] velocity of the centre of mass [m/s], world axes
 *   velocities[i * velocity_stride + 3..5] angular velocity [rad/s], world axes
 * Strides count doubles. Where the state belongs to another model, or either is NULL: counts 0, pointers NULL. Kinematic
 * bodies are where the last step or assembly left them. */
typedef struct carom_state_view {
    const double *time; /* [s] one */
    const double *poses;
    const double *velocities;
    size_t body_count;
    size_t pose_stride;
    size_t velocity_stride;
    const double *inputs; /* input_count, in SI; NULL where the scene has none */
    size_t input_count;
} carom_state_view;
CAROM_API carom_state_view carom_view(const carom_model *model, const carom_state *state);

/* A copy of all poses of body frames (not of centres of mass): 7 doubles per body, carom_model_body_count times, position
 * [m] and orientation w, x, y, z as carom_state_pose has them. Nothing happens where the state belongs to another model or
 * something is NULL. */
CAROM_API void carom_poses(const carom_model *model, const carom_state *state, double *out);

/* Ways in. Each ends what method and integrator remember: the next carom_step (or carom_assemble) makes the state satisfy the
 * joints again, moving bodies as little as possible, finds contacts again and starts the ledger anew, so that its work and
 * losses count from there and nothing that was set is taken for an error. Time, turns of joints and the constants of gears
 * stay; where no step or assembly has been, gears mesh as the poses then say. A scene's starts of joints are met before
 * anything is set. On failure the state is as it was.
 *
 * Refused with CAROM_BAD_INPUT: bodies that do not move freely, numbers that are not finite, quaternions whose length
 * differs from 1 by more than 0.001, states of another model; err may be NULL. */

/* The body frame (not the centre of mass) is put there; its velocity, of the body frame, stays. */
CAROM_API carom_status carom_state_set_pose(const carom_model *model, carom_state *state, carom_id body,
                                            carom_pose pose, carom_error *err);

/* Of the body frame, in world axes: v [m/s], omega [rad/s]. */
CAROM_API carom_status carom_state_set_velocity(const carom_model *model, carom_state *state, carom_id body,
                                                carom_v3 v, carom_v3 omega, carom_error *err);

/* A joint coordinate [m or rad] and its rate, numbered as carom_model_joint's first_coordinate says. What hangs on the joint
 * goes along as a rigid whole, and other coordinates and rates stay; in loops and behind gears the other bodies follow on
 * the branch they are on. Angles count turns: 7 is one turn and 0.717. Refused besides: coordinates that a `motion`
 * prescribes, and those without a side (`angle` of a spherical joint). CAROM_IMPOSSIBLE where other joints do not allow it. */
CAROM_API carom_status carom_state_set_coordinate(const carom_model *model, carom_state *state, int coordinate,
                                                  double value, double rate, carom_error *err);

/* An input of the scene, in SI, from now on: constant until it is set again. It is part of the state, of its hash and of
 * checkpoints. Forces that depend on it jump, so the integrator begins anew with the next step where the value has changed;
 * contacts and ledger go on. carom_state_input reads it; 0 where there is no such input. */
CAROM_API carom_status carom_state_set_input(const carom_model *model, carom_state *state, int input, double value,
                                             carom_error *err);
CAROM_API double carom_state_input(const carom_model *model, const carom_state *state, int input);

#ifdef __cplusplus
}
#endif
#endif
