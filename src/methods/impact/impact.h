/* Method "impact": events and impulses with exact Coulomb friction at contacts and joints. */
#ifndef CAROM_METHODS_IMPACT_IMPACT_H
#define CAROM_METHODS_IMPACT_IMPACT_H

#include "model/method.h"

extern const carom_method carom_method_impact;
extern const carom_method carom_method_impact_fixed; /* "stepping": "fixed" */

#endif
