/* summary.json: what came out of a run and how far it can be trusted. */
#ifndef CAROM_IO_SUMMARY_H
#define CAROM_IO_SUMMARY_H

#include "model/frame.h"

/* Replaces the folder's summary.json. */
carom_status summary_write(const char *folder, const carom_model *model, const result_summary *summary,
                           carom_error *err);

#endif
