#ifndef CAROM_METHODS_CONSTRAINT_CONSTRAINT_H
#define CAROM_METHODS_CONSTRAINT_CONSTRAINT_H

#include "model/method.h"

extern const carom_method carom_method_constraint;

#endif
