/* Method "barrier" [Ferguson2021]: see barrier.c. */
#ifndef CAROM_METHODS_BARRIER_BARRIER_H
#define CAROM_METHODS_BARRIER_BARRIER_H

#include "model/method.h"

extern const carom_method carom_method_barrier;

#endif
