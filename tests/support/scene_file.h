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

/* The text of tests/scenes/NAME, read once; it stays until the program ends. */
static inline const char *scene_text(const char *name)
{
    enum { MOST = 64, ROOM = 1 << 16 };
    static struct {
        const char *name;
        char *text;
    } read[MOST];
    int k = 0;
    while (k < MOST && read[k].name && strcmp(read[k].name, name) != 0) {
        ++k;
    }
    CHECK(k < MOST);
    if (!read[k].name) {
        char path[1024];
        FILE *file = fopen(scene_path(name, path, sizeof path), "rb");
        if (!file) {
            print_error("the scene %s cannot be opened\n", path);
        }
        CHECK(file != NULL);
        read[k].text = calloc(1, ROOM);
        CHECK(read[k].text != NULL);
        CHECK(fread(read[k].text, 1, ROOM - 1, file) < ROOM - 1);
        fclose(file);
        read[k].name = name;
    }
    return read[k].text;
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
