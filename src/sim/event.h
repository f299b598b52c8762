/* Events as the library and as its users number bodies and joints. */
#ifndef CAROM_SIM_EVENT_H
#define CAROM_SIM_EVENT_H

#include "model/frame.h"

carom_event event_outside(const run_event *event);
run_event event_inside(const carom_event *event);

#endif
