/* summary.json: what came out of a run and how far it can be trusted. */
#ifndef CAROM_RESULT_SUMMARY_H
#define CAROM_RESULT_SUMMARY_H

#include <carom/result.h>

#include "model/frame.h"

/* Replaces the folder's summary.json. */
carom_status summary_write(const char *folder, const carom_model *model, const result_summary *summary,
                           carom_error *err);

/* The last entry of summary.json is a checksum of the text before it, wall times left out: SUMMARY_TAIL characters that end the
 * text. text[bytes] need not be zero, but a zero must follow somewhere. */
enum { SUMMARY_TAIL = 36 };
void summary_tail(const char *text, size_t bytes, char tail[SUMMARY_TAIL + 1]);

/* Whether a text (with a zero behind it) is as it was written; one without checksum, of an older carom, counts as such. */
bool summary_is_sound(const char *text, size_t bytes);

#endif
