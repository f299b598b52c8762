/* Contact points of a result: gathered while a run goes on, and read back frame by frame. */
#ifndef CAROM_RESULT_RESULT_CONTACTS_H
#define CAROM_RESULT_RESULT_CONTACTS_H

#include <carom/result.h>

#include "result/result_layout.h"

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* How many rows the first `frames` frames of a file have; false when the file cannot say. */
bool contact_rows_of_frames(hid_t file, long frames, long *rows);

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The contact points of an open result, a stretch of them in memory. */
typedef struct contact_reader {
    size_t frames;
    double *count; /* frames: contact points of each; NULL when the file has none */
    double *first; /* frames */
    size_t bodies; /* in bodies/name */
    double *part;  /* for one dataset's part of the stretch */
    carom_contact_point *window;
    size_t window_capacity;
    size_t window_first;
    size_t window_count;
} contact_reader;

/* Reads and checks the numbers of all frames. A file without the group is fine. False: damaged, or no memory (then
 * *out_of_memory). */
bool contact_reader_open(contact_reader *r, hid_t file, size_t frames, size_t bodies, bool *out_of_memory);
void contact_reader_close(contact_reader *r);

/* The points of one frame, there until the next call. False as above. */
bool contact_reader_get(contact_reader *r, hid_t file, size_t frame, const carom_contact_point **out, size_t *count,
                        bool *out_of_memory);

#endif
