/* What is looked at before a result file is believed: its seal, and that all of it lies in this one file. */
#ifndef CAROM_RESULT_RESULT_GUARD_H
#define CAROM_RESULT_RESULT_GUARD_H

#include <carom/base.h>

#include <hdf5.h>

/* Compares the file with its seal. *sealed: it is as carom wrote it; otherwise it has no seal. */
carom_status guard_seal(const char *path, bool *sealed, carom_error *err);

/* Refuses links that lead elsewhere, data in other files, and filters that HDF5 does not bring along: it would look for them
 * in folders of the machine and run them. */
carom_status guard_links(hid_t file, const char *path, carom_error *err);

#endif
