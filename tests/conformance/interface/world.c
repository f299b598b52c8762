/* The objects that are misused, made once for all cases. */
#include "interface.h"

#include <sys/stat.h>

world the;

#define FLOOR_AND_PENDULUM(mass)                                                                                     \
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"inputs\": {\"pull\": {\"start\": 0.5, \"unit\": \"N\"}}, "         \
    "\"time\": {\"end\": 0.05, \"step\": 1e-3},"                                                                     \
    " \"record\": {\"every\": 0.01, \"signals\": [\"hinge.angle\", \"ball.position.z\"]},"                           \
    " \"bodies\": [{\"name\": \"rod\", \"mass\": " mass ", \"inertia\": [0.1, 0.1, 0.01], \"position\": [0, 0, 3]}," \
    "  {\"name\": \"ball\", \"density\": 1000, \"shape\": {\"sphere\": 0.1}, \"position\": [1, 0, 0.0999]},"         \
    "  {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}],"                                  \
    " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"],"                 \
    "  \"at\": [0, 0, 4], \"axis\": [0, 1, 0]}],"                                                                    \
    " \"forces\": [{\"name\": \"push\", \"type\": \"load\", \"body\": \"rod\", \"force\": [\"sin(t)+input.pull\", "  \
    "0, 0]}],"                                                                                                       \
    " \"contact\": {\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e5}}}}"

const char *const scene_of_one = FLOOR_AND_PENDULUM("1");
const char *const scene_of_heavier = FLOOR_AND_PENDULUM("2");
const char *const scene_of_other =
    "{\"carom\": 1, \"time\": {\"end\": 0.05, \"step\": 1e-3},"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}, {\"name\": \"b\", \"mass\": 1, "
    "\"inertia\": [1, 1, 1],"
    "  \"position\": [1, 0, 0]}, {\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 0]},"
    "  {\"name\": \"d\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [3, 0, 0]}],"
    " \"joints\": [{\"name\": \"ab\", \"type\": \"revolute\", \"bodies\": [\"a\", \"b\"], \"at\": [0.5, 0, 0], "
    "\"axis\": [0, 0, 1]},"
    "  {\"name\": \"bc\", \"type\": \"cylindrical\", \"bodies\": [\"b\", \"c\"], \"at\": [1.5, 0, 0], \"axis\": [0, "
    "0, 1]},"
    "  {\"name\": \"cd\", \"type\": \"spherical\", \"bodies\": [\"c\", \"d\"], \"at\": [2.5, 0, 0]}]}";

const char *overlong(void)
{
    enum { LETTERS = 1000000 };
    static char text[LETTERS + 1];
    if (!text[0]) {
        memset(text, 'x', LETTERS);
    }
    return text;
}

const char *long_path(const char *ending)
{
    enum { LETTERS = 10000 };
    static char path[LETTERS + 16];
    snprintf(path, sizeof path, "/tmp/%.*s%s", LETTERS, overlong(), ending);
    return path;
}

const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", the.folder, name);
    return path;
}

static carom_spec *parse(const char *scene)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(scene, strlen(scene), "test", ".", NULL, 0, &spec, &err), err);
    return spec;
}

trio trio_create(const char *scene)
{
    trio t = { 0 };
    carom_error err = { 0 };
    carom_spec *spec = parse(scene);
    CHECK_OK(carom_compile(spec, &t.model, &err), err);
    carom_spec_destroy(spec);
    t.state = carom_state_create(t.model);
    CHECK(t.state != NULL);
    CHECK_OK(carom_scratch_create(t.model, 1, &t.scratch, &err), err);
    return t;
}

void trio_destroy(trio *t)
{
    carom_scratch_destroy(t->scratch);
    carom_state_destroy(t->state);
    carom_model_destroy(t->model);
    *t = (trio){ 0 };
}

static void make_result(void)
{
    carom_error err = { 0 };
    const carom_run_options options = { .folder = path_of("run") };
    CHECK_OK(carom_run_folder(the.one.model, &options, &err), err);
    CHECK_OK(carom_result_open(path_of("run"), &the.run, &err), err);
    CHECK(carom_result_has_contacts(the.run));
}

static void make_field(void)
{
    carom_error err = { 0 };
    carom_sdf_options options = carom_sdf_options_default();
    options.resolution = 16;
    options.cache = "";
    CHECK_OK(carom_mesh_make(&the.mesh, "box", NULL, &err), err);
    CHECK_OK(carom_mesh_write(the.mesh, path_of("box.ply"), CAROM_MESH_BINARY, &err), err);
    CHECK_OK(carom_sdf_open(path_of("box.ply"), &options, &the.field, &err), err);
}

int world_create(void **state)
{
    (void)state;
    snprintf(the.folder, sizeof the.folder, "/tmp/carom-interface-XXXXXX");
    CHECK(mkdtemp(the.folder) != NULL);
    the.one = trio_create(scene_of_one);
    the.other = trio_create(scene_of_other);
    the.heavier = trio_create(scene_of_heavier);
    the.spec = parse(scene_of_one);
    make_result();
    make_field();
    return 0;
}

int world_destroy(void **state)
{
    char words[128];
    (void)state;
    carom_result_close(the.run);
    carom_sdf_destroy(the.field);
    carom_mesh_destroy(the.mesh);
    carom_spec_destroy(the.spec);
    trio_destroy(&the.one);
    trio_destroy(&the.other);
    trio_destroy(&the.heavier);
    snprintf(words, sizeof words, "rm -r '%s'", the.folder);
    return system(words);
}
