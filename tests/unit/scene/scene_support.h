/* What tests of the scene reader are written with: scenes from text, and files in the test's own folder. */
#ifndef CAROM_TESTS_SCENE_SUPPORT_H
#define CAROM_TESTS_SCENE_SUPPORT_H

#include <stdlib.h>

#include <carom/scene.h>

#include "base/text.h"
#include "model/spec.h"
#include "support/check.h"

/* A scene with these further members: {"carom": 1, ...}. */
#define SCENE(members) "{\"carom\": 1, " members "}"
#define BODY(members) "{\"name\": \"rod\", \"mass\": 1, \"inertia\": [1, 1, 1]" members "}"
#define ONE_BODY "\"bodies\": [" BODY("") "]"

static inline carom_status scene_try(const char *text, const char *const *overrides, size_t count, carom_spec **spec,
                                     carom_error *err)
{
    return carom_scene_parse(text, strlen(text), "test.json", ".", overrides, count, spec, err);
}

/* Reads a scene that must be right. */
static inline carom_spec *scene_read(const char *text)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(scene_try(text, NULL, 0, &spec, &err), err);
    return spec;
}

static inline carom_spec *scene_read_set(const char *text, const char *override)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(scene_try(text, &override, 1, &spec, &err), err);
    return spec;
}

/* Reads a scene that must be refused. */
static inline carom_error scene_refuse_set(const char *text, const char *override)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_EQ(scene_try(text, &override, override != NULL, &spec, &err), CAROM_BAD_INPUT);
    CHECK(spec == NULL);
    return err;
}

static inline carom_error scene_refuse(const char *text)
{
    return scene_refuse_set(text, NULL);
}

#define CHECK_REFUSED(text, at_line, at_path, part) \
    do {                                            \
        carom_error refused_ = scene_refuse(text);  \
        CHECK_CONTAINS(refused_.message, part);     \
        CHECK_TEXT(refused_.path, at_path);         \
        CHECK_EQ(refused_.line, at_line);           \
    } while (0)

#define CHECK_V3(v, a, b, c)         \
    do {                             \
        CHECK_NEAR((v).x, a, 1e-14); \
        CHECK_NEAR((v).y, b, 1e-14); \
        CHECK_NEAR((v).z, c, 1e-14); \
    } while (0)

static inline void scene_write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL);
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

#endif
