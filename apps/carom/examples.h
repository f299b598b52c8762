/* The built-in scenes, put into the program at build time by embed.cmake. */
#ifndef CAROM_APP_EXAMPLES_H
#define CAROM_APP_EXAMPLES_H

#include <stddef.h>

typedef struct example_file {
    const char *path;        /* below examples/scenes; scenes are the .json files at its top */
    const char *description; /* of a scene; "" for files that scenes use                     */
    const unsigned char *data;
    size_t size;
} example_file;

/* Ended by path == NULL; sorted by path. */
extern const example_file example_files[];
extern const example_file new_files[];        /* the scene of carom new */
extern const example_file completion_files[]; /* completions/ */

#endif
