/* summary.json: what came out of a run and how far it can be trusted. */
#ifndef CAROM_RESULT_SUMMARY_H
#define CAROM_RESULT_SUMMARY_H

#include <carom/result.h>

#include "model/frame.h"

/* The text of summary.json; free() it. NULL when memory runs out. */
char *summary_words(const carom_model *model, const result_summary *summary);

/* The last entry of summary.json is a checksum of the text before it, wall times left out: SUMMARY_TAIL characters that end the
 * text. text[bytes] need not be zero, but a zero must follow somewhere. */
enum { SUMMARY_TAIL = 36 };
void summary_tail(const char *text, size_t bytes, char tail[SUMMARY_TAIL + 1]);

/* Reads a text with a zero behind it. What is no JSON object, or not what its checksum says, is refused. */
carom_status summary_parse(const char *text, size_t bytes, const char *path, carom_summary **out, carom_error *err);
void summary_free(carom_summary *summary);

/* The touching pairs that it lists, of all steps and not only of frames; free() them. *out is NULL: none, or not as carom writes
 * them. */
carom_status summary_pairs(const carom_summary *summary, const carom_result *result, carom_result_pair **out,
                           size_t *count, carom_error *err);

#endif
