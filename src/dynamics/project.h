/* Projection onto the constraints, in the metric of the masses. */
#ifndef CAROM_DYNAMICS_PROJECT_H
#define CAROM_DYNAMICS_PROJECT_H

#include "dynamics/work.h"

/* Residuals below this are rounding: a few units in the last place of the largest coordinate. */
double project_tolerance(const carom_scratch *w);

/* Notes that joints are closed less exactly than to the tolerance, where it is not by rounding. */
void project_note_loose(carom_scratch *w, double error, double tolerance);

/* Moves bodies, and deforms them, along the columns in w->x, times a factor. */
void project_move(const carom_scratch *w, double factor, motion at);

/* Moves positions until |C| is at rounding level. The solver's factorisation is used as it is when `factored`,
 * and renewed when it does not contract. *moved receives the largest displacement. */
carom_status project_positions(carom_scratch *w, double t, motion at, bool factored, double *moved, carom_error *err);

/* Changes rate so that C_dot = 0; the point must be placed, its constraints evaluated and the matrix factored there
 * (or so near that a few passes contract). Evaluates C_dot again. */
void project_velocities(carom_scratch *w, motion at, int passes);

/* Both: positions, then velocities, of poses and rates that are near the constraints. With `factored` the matrix of a
 * point a tiny move away serves. */
carom_status project_onto_constraints(carom_scratch *w, double t, motion at, bool factored, carom_error *err);

#endif
