/* result.h5, written while a run goes on. See result_layout.c for what the file holds. */
#ifndef CAROM_RESULT_RESULT_H
#define CAROM_RESULT_RESULT_H

#include "model/frame.h"

typedef struct result_writer result_writer;

/* Events beyond so many are counted by the run, not recorded: contacts that chatter must not fill the disk. */
enum { RESULT_EVENTS_MOST = 1000000 };

/* A writer holds its folder from its making until it is closed; a second one is refused (CAROM_BAD_INPUT), also one of
 * another process. A process that is killed lets go of it.
 *
 * Makes the folder where needed, removes what an earlier run left in it (result, summary, signals, checkpoint) and
 * starts an empty result.h5. scene_text and command may be NULL. */
carom_status result_writer_create(result_writer **out, const char *folder, const carom_model *model,
                                  const char *scene_text, const char *command, carom_error *err);

/* Goes on with the result.h5 of an earlier run of the same model, of which the first `frames` frames and `events` events
 * are kept. The summary of the earlier run is removed. */
carom_status result_writer_reopen(result_writer **out, const char *folder, const carom_model *model, long frames,
                                  long events, carom_error *err);

/* Takes one frame into memory; writes when much has gathered. */
carom_status result_writer_append(result_writer *writer, const result_frame *frame, carom_error *err);

/* Takes one event, which is not earlier than those before it, likewise. It belongs before the next frame. */
carom_status result_writer_add_event(result_writer *writer, const carom_event *event, carom_error *err);

/* Brings all frames and events so far into result.h5 and to the disk. Nothing to write: no work done. When it fails, the file is
 * as the last successful flush left it. */
carom_status result_writer_flush(result_writer *writer, carom_error *err);

/* Flushes, writes signals.csv when the scene records signals, and frees the writer whatever the status. NULL is fine. */
carom_status result_writer_close(result_writer *writer, carom_error *err);

/* What a frame takes in the file [bytes], contact points and events left out. */
size_t result_frame_bytes(const carom_model *model);

#endif
