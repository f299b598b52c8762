/* Method "compliant": contact is a force grown from penetration of signed distance fields [Zhang2024]. */
#ifndef CAROM_METHODS_COMPLIANT_H
#define CAROM_METHODS_COMPLIANT_H

#include "model/method.h"

extern const carom_method carom_method_compliant;

#endif
