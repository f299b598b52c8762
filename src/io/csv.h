/* Tables of signals as comma separated values. */
#ifndef CAROM_IO_CSV_H
#define CAROM_IO_CSV_H

#include <carom/io.h>

/* Writes the columns a scene asks to record into folder/signals.csv, from folder/result.h5. */
carom_status csv_write_recorded(const char *folder, carom_error *err);

#endif
