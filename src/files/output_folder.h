/* Folders of exports. */
#ifndef CAROM_FILES_OUTPUT_FOLDER_H
#define CAROM_FILES_OUTPUT_FOLDER_H

#include <carom/base.h>

/* A folder for files called as `patterns` say ("frame-#.obj", # being digits; ended by NULL). Makes it, or empties one
 * that holds an earlier export; refuses one that holds anything else. */
carom_status output_folder_prepare(const char *folder, const char *const *patterns, carom_error *err);

/* Whether the name fits the pattern. */
bool output_pattern_fits(const char *pattern, const char *name);

#endif
