/* Method "none": no contact. */
#ifndef CAROM_METHODS_NONE_NONE_H
#define CAROM_METHODS_NONE_NONE_H

#include "model/method.h"

extern const carom_method carom_method_none;

#endif
