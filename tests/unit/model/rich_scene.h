/* A scene with something of everything that compiles: shapes, a mesh used twice, joints with springs, limits, motion
 * and friction, a gear, forces with numbers, tables and expressions. */
#ifndef CAROM_TESTS_RICH_SCENE_H
#define CAROM_TESTS_RICH_SCENE_H

#include <stdlib.h>
#include <unistd.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/scene_file.h"

static const char rich_scene_tetra[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/* A folder with tetra.obj in it. */
static inline void rich_scene_folder(char *folder, size_t size)
{
    snprintf(folder, size, "/tmp/carom-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    char path[300];
    snprintf(path, sizeof path, "%s/tetra.obj", folder);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fputs(rich_scene_tetra, f);
    CHECK_EQ(fclose(f), 0);
}

static inline void rich_scene_remove(const char *folder)
{
    char path[300];
    snprintf(path, sizeof path, "%s/tetra.obj", folder);
    unlink(path);
    rmdir(folder);
}

static inline carom_spec *rich_scene_spec(const char *folder, const char *override)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *text = scene_text("rich.json");
    CHECK_OK(carom_scene_parse(text, strlen(text), "rich.json", folder, &override, override ? 1 : 0, &spec, &err),
             err);
    return spec;
}

#endif
