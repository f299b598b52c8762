/* checkpoint.bin: everything a run needs to go on bit for bit. */
#ifndef CAROM_RESULT_CHECKPOINT_H
#define CAROM_RESULT_CHECKPOINT_H

#include "model/frame.h"

/* Replaces the folder's checkpoint; the old one stays whole until the new one is. Flush the result first: the
 * checkpoint counts frames and events that must be there. memory may be NULL: nothing has touched. */
carom_status checkpoint_write(const char *folder, const carom_model *model, const carom_state *state,
                              const run_progress *progress, const contact_memory *memory, carom_error *err);

/* Fills state (made for this model), progress and memory, which may be NULL. All stay as they were on any status but
 * CAROM_OK: no checkpoint, damaged, of another version of carom, or of another model. */
carom_status checkpoint_read(const char *folder, const carom_model *model, carom_state *state, run_progress *progress,
                             contact_memory *memory, carom_error *err);

#endif
