/* What the inside knows of an open result beyond carom/result.h. */
#ifndef CAROM_RESULT_RESULT_READ_H
#define CAROM_RESULT_RESULT_READ_H

#include <carom/result.h>

/* Files and pages number bodies by their rows, which leave out the ground: it is -1 there. Where there may be no body at all, that is -2. */
enum { RESULT_NO_BODY = -2 };

static inline int result_body_row(carom_id body)
{
    return body > CAROM_GROUND ? body - 1 : -1;
}

static inline carom_id result_body_of_row(int row)
{
    return row + 1;
}

/* Refuses to write onto the file that is being read. */
carom_status result_refuse_own(const carom_result *result, const char *path, carom_error *err);

/* Where a signal comes from: "recorded", "ledger", "coordinate", "body", "contact", "joint" or "solver". */
const char *result_signal_group(const carom_result *result, size_t signal);

/* The column of a signal, with the reason when it cannot be read. */
carom_status result_load_signal(const carom_result *result, size_t signal, const double **out, carom_error *err);

/* The touching pairs from the recorded frames, whatever the summary says. */
carom_status result_pairs_of_frames(const carom_result *result, carom_result_pair **out, size_t *count,
                                    carom_error *err);

#endif
