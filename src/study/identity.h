/* What makes a study this one and no other, and the folder's note of it (study.json). */
#ifndef CAROM_STUDY_IDENTITY_H
#define CAROM_STUDY_IDENTITY_H

#include "study/study.h"

/* Fills in identity and hash. */
carom_status identity_make(carom_study *s, carom_error *err);

/* Writes the folder's note where it has none, or one of fewer runs; refuses a folder of another study with the difference. */
carom_status identity_claim(const carom_study *s, const char *folder, carom_error *err);

/* The study that a folder notes: its document and scene. *runs: as many as it had last. */
carom_status identity_open(carom_study *s, const char *folder, size_t *runs, carom_error *err);

#endif
