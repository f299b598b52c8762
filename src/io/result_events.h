/* Events of a result: what their kinds are called, and reading them back. */
#ifndef CAROM_IO_RESULT_EVENTS_H
#define CAROM_IO_RESULT_EVENTS_H

#include <carom/io.h>

#include "io/result_h5.h"

/* Lists the names of kinds beside the codes in events/kind. */
bool result_events_name_kinds(hid_t file);

/* All events of a file, to be freed; none of a file that has no such group. False: damaged, or no memory (then
 * *out_of_memory). */
bool result_events_read(hid_t file, size_t bodies, carom_event **out, size_t *count, bool *out_of_memory);

#endif
