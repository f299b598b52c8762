/* The balance of forces that implicit integrators make zero. */
#ifndef CAROM_DYNAMICS_BALANCE_H
#define CAROM_DYNAMICS_BALANCE_H

#include "dynamics/work.h"

/* Places the point and evaluates constraints and forces there: r (column_count) = M a - f + J^T sigma. */
void balance_evaluate(carom_scratch *w, double t, motion at, motion_rates acceleration, const double *sigma,
                      double *r);

/* out (column_count) = M a at the point placed. */
void balance_mass_times(const carom_scratch *w, motion_rates acceleration, double *out);

#endif
