/* Making and freeing the workspace; what follows from ranges and options. */
#ifndef CAROM_METHODS_BARRIER_WORKSPACE_H
#define CAROM_METHODS_BARRIER_WORKSPACE_H

#include "methods/barrier/barrier_work.h"

carom_status barrier_create(void **self, const carom_model *model, carom_error *err);
void barrier_destroy(void *self);

/* [m/s] below which friction is smoothed, and tolerance of a solve with steps of h, for barriers of this range. */
double stick_speed_of(const barrier_work *w, double range);
double tolerance_of(const barrier_work *w, double range, bool rubs);

#endif
