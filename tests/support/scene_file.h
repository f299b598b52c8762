/* Scenes of tests, as files in tests/scenes. */
#ifndef CAROM_TESTS_SCENE_FILE_H
#define CAROM_TESTS_SCENE_FILE_H

#include <stdlib.h>

#include <carom/carom.h>

#include "support/check.h"

/* The path of tests/scenes/NAME; the room is the caller's. */
static inline const char *scene_path(const char *name, char *room, size_t size)
{
    const char *root = getenv("CAROM_SOURCE_DIR");
    snprintf(room, size, "%s/tests/scenes/%s", root ? root : ".", name);
    return room;
}

/* Reads tests/scenes/NAME; overrides as for --set, ended by NULL, or NULL. */
static inline carom_spec *scene_read(const char *name, const char *const *overrides)
{
    char path[1024];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    size_t count = 0;
    while (overrides && overrides[count]) {
        ++count;
    }
    CHECK_OK(carom_scene_load(scene_path(name, path, sizeof path), overrides, count, &spec, &err), err);
    return spec;
}

#endif
