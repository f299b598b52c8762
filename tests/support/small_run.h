/* Small scenes run into a folder of the test, for those who read results: balls on a plane, a hinged arm, two meshes. */
#ifndef CAROM_TESTS_SMALL_RUN_H
#define CAROM_TESTS_SMALL_RUN_H

#include <stdlib.h>
#include <unistd.h>

#include <carom/carom.h>

#include "support/check.h"

/* Bodies in an order, or in the other; the arm may be left out. */
#define SMALL_BALLS                                                                                 \
    "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0.3, 0, 0.11]," \
    " \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 3], \"color\": [1, 0.5, 0]},"           \
    " {\"name\": \"twin\", \"mass\": 2, \"shape\": {\"sphere\": 0.1}, \"position\": [-0.3, 0, 0.1]}"
#define SMALL_FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}"
#define SMALL_ARM                                                                                                  \
    "{\"name\": \"arm\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 2, 1], \"center_of_mass\": [0.1, " \
    "0, 0.05],"                                                                                                    \
    " \"orientation\": {\"axis\": [0.48, 0.6, 0.64], \"angle\": 0.7}, \"shape\": {\"box\": [0.4, 0.1, "            \
    "0.05]}}"
#define SMALL_HINGE                                                                                   \
    ", \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"arm\"]," \
    " \"at\": [0.2, 2.1, 1.3], \"axis\": [0.6, 0, 0.8]}]"
#define SMALL_SCENE(bodies, more)                                                                                  \
    "{\"carom\": 1, \"name\": \"small\", \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.06},"                   \
    " \"record\": {\"every\": 0.01, \"signals\": [\"ball.position.z\"]}, \"contact\": {\"method\": \"compliant\"," \
    " \"law\": {\"hunt-crossley\": {\"k\": 1e5}}, \"restitution\": 0.6}, \"bodies\": [" bodies "]" more "}"

static inline carom_model *small_compile(const char *text)
{
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    return model;
}

/* The folder is made; results in it are replaced. */
static inline void small_run(const char *text, const char *folder)
{
    carom_error err = { 0 };
    carom_model *model = small_compile(text);
    CHECK_OK(carom_run_folder(model, &(carom_run_options){ .folder = folder, .scene_text = text }, &err), err);
    carom_model_destroy(model);
}

static inline carom_result *small_open(const char *folder)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(folder, &result, &err), err);
    return result;
}

static inline void small_remove(const char *folder)
{
    static const char *const names[] = { "result.h5", "summary.json", "signals.csv", "checkpoint.bin", "page.html" };
    char path[256];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

#endif
