/* From a scene file to a model, with messages for people. */
#ifndef CAROM_APP_SCENE_H
#define CAROM_APP_SCENE_H

#include <carom/carom.h>

/* A scene file and what the command line changes in it. */
typedef struct scene_source {
    char *file;
    const char **overrides; /* "path=value" */
    size_t override_count;
} scene_source;

typedef struct scene {
    const char *file; /* the source's */
    carom_spec *spec;
    carom_model *model;
    char *text; /* of the scene file itself */
} scene;

/* Reads and compiles. Prints what is wrong; answers the exit code, EXIT_DONE when all went well. */
int scene_load(scene *out, const scene_source *source);
void scene_free(scene *s);

/* The whole of a text file, or NULL with errno set; free() it. */
char *read_text_file(const char *file);

#endif
