/* A run's folder as the program sees it: its name, whether it may be written to, and run.txt, the note from which
 * `carom resume` builds the same model again. */
#ifndef CAROM_APP_FOLDER_H
#define CAROM_APP_FOLDER_H

#include "scene.h"

/* results/<name of the scene file without its ending>; free() it. */
char *folder_default(const char *scene_file);

/* Makes the folder. Refuses one that holds files but no result of carom, so that nothing else is overwritten. Prints
 * what is wrong and answers false. */
bool folder_prepare(const char *folder);

/* What run.txt notes. */
typedef struct run_note {
    scene_source source; /* file is absolute */
    double duration;     /* [s]; 0: the scene's */
} run_note;

bool folder_write_note(const char *folder, const run_note *note);

/* Prints what is wrong and answers false. */
bool folder_read_note(const char *folder, run_note *note);
void run_note_free(run_note *note);

#endif
