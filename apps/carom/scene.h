/* From a scene file to a model, with messages for people. */
#ifndef CAROM_APP_SCENE_H
#define CAROM_APP_SCENE_H

#include "command.h"

/* A scene file and what the command line changes in it. */
typedef struct scene_source {
    char *file;             /* "-": standard input */
    const char **overrides; /* "path=value" */
    size_t override_count;
    char **packages; /* the overrides that --package stands for, among them */
    size_t package_count;
    char *method;    /* the override that --method stands for, last of them; or NULL */
    double duration; /* [s] end of the simulated time instead of the scene's; 0: the scene's */
    bool quiet;      /* no progress bar while fields are built */
} scene_source;

/* What the operand SCENE and the options --set, --method and --duration say. Prints what is wrong and answers false. */
bool scene_source_read(scene_source *out, const arguments *args);
void scene_source_free(scene_source *source);

/* As --method would; instead of what that said. */
void scene_source_set_method(scene_source *source, const char *method);

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

/* Whether the scene comes from standard input, so that it cannot be read again. */
bool is_standard_input(const char *scene_file);

#endif
