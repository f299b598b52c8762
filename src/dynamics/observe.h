/* Observers: the ledger, signals, recorded frames and mobility at a point of the motion. */
#ifndef CAROM_DYNAMICS_OBSERVE_H
#define CAROM_DYNAMICS_OBSERVE_H

#include "dynamics/work.h"

/* Remembers energy and momenta at the start, from an evaluation at the start. */
void observe_start(const carom_scratch *w, carom_state *s);

/* The ledger at the point evaluated in w, against the start kept in s. */
void observe_ledger(const carom_scratch *w, const carom_state *s, const ledger_sums *sums, carom_ledger *out);

/* Signals at the point evaluated in w, where joints have all their coordinates; the ledger is that of the point. */
void observe_values(const carom_scratch *w, const carom_ledger *ledger, const signal_ref *refs, size_t count,
                    double *out);

/* Signals at the state, for one evaluation. Arguments have been checked. */
carom_status observe_signals(carom_scratch *w, const carom_state *s, const signal_ref *refs, size_t count,
                             double *out, carom_error *err);

/* Positions, velocities, coordinates and lengths at t of a step that has led to s, no forces; dense: its inside, or NULL where t is
 * the state's time. */
void observe_motion(carom_scratch *w, const carom_state *s, double t, const struct dense_step *dense);

/* All signals at the state. */
carom_status observe_all(carom_scratch *w, const carom_state *s, carom_ledger *ledger, carom_error *err);

/* An expression at the point seen last; ledger NULL: it takes no signal but those of the motion. */
double observe_expression(const carom_scratch *w, const carom_ledger *ledger, int value);

/* Workspace of frames. */
typedef struct frame_space {
    carom_pose *pose;
    body_rate *rate;
    double *coordinate;
    double *coordinate_rate;
    v3 *joint_force;
    v3 *joint_torque;
    v3 *effort_force;
    v3 *effort_torque;
    double *signals;
} frame_space;
carom_status frame_space_create(frame_space *out, carom_arena *arena, const carom_model *model, carom_error *err);

/* Everything users see at time t inside the last step (or at the state itself when t is its time). */
carom_status observe_frame(carom_scratch *w, const carom_state *s, double t, frame_space *o, result_frame *out,
                           carom_error *err);

#endif
