/* What the inside knows of an open result beyond carom/io.h. */
#ifndef CAROM_IO_RESULT_READ_H
#define CAROM_IO_RESULT_READ_H

#include <carom/io.h>

/* Signals the scene asked to record; they come first among all signals. */
size_t result_recorded_count(const carom_result *result);

/* The column of a signal, with the reason when it cannot be read. */
carom_status result_load_signal(const carom_result *result, size_t signal, const double **out, carom_error *err);

/* Index of the signal with this name, or of none: then the error names the nearest. */
carom_status result_find_signal(const carom_result *result, const char *name, size_t *out, carom_error *err);

#endif
