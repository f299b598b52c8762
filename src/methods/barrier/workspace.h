/* Making and freeing the workspace. */
#ifndef CAROM_METHODS_BARRIER_WORKSPACE_H
#define CAROM_METHODS_BARRIER_WORKSPACE_H

#include "methods/barrier/barrier_work.h"

carom_status barrier_create(void **self, const carom_model *model, carom_error *err);
void barrier_destroy(void *self);

#endif
