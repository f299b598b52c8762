/* Events of a result: what their kinds are called, and reading them back. */
#ifndef CAROM_RESULT_RESULT_EVENTS_H
#define CAROM_RESULT_RESULT_EVENTS_H

#include <carom/result.h>

#include "result/result_h5.h"

/* Lists the names of kinds, modes and states of friction beside their codes. */
bool result_events_name_codes(hid_t file);

/* How many bodies, joints and events of the scene an event may name. */
typedef struct event_limits {
    size_t bodies;
    size_t joints;
    size_t named;
} event_limits;

/* All events of a file, to be freed; none of a file that has no such group. False: damaged, or no memory (then
 * *out_of_memory). */
bool result_events_read(hid_t file, event_limits limits, carom_event **out, size_t *count, bool *out_of_memory);

#endif
