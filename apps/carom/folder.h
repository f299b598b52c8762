/* A run's folder as the program sees it: its name, whether it may be written to, and run.txt, the note from which
 * `carom resume` builds the same model again. */
#ifndef CAROM_APP_FOLDER_H
#define CAROM_APP_FOLDER_H

#include "scene.h"

/* results/<name of the scene file without its ending>; free() it. */
char *folder_default(const char *scene_file);

/* Keeps other runs of this program out of a folder that exists, from before run.txt is written until after summary.json
 * is: the library's own lock holds for a shorter time. Prints what is wrong and answers false; *lock is -1 where the
 * file system knows no locks, or where there is no such folder. */
bool folder_lock(const char *folder, int *lock);
void folder_unlock(int lock);

/* Makes the folder and locks it. Refuses one that holds files but no result of carom, so that nothing else is
 * overwritten. Prints what is wrong and answers the exit code. */
int folder_take(const char *folder, int *lock);

/* run.txt: where the scene came from, its file name made absolute. Prints what is wrong and answers the exit code. */
int folder_write_note(const char *folder, const scene_source *source);

/* Prints what is wrong and answers false. */
bool folder_read_note(const char *folder, scene_source *out);
void folder_free_note(scene_source *source);

#endif
