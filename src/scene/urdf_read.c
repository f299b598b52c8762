/* Values of URDF: origins, numbers, and where meshes lie. */
#include <string.h>

#include "scene/mesh_path.h"
#include "scene/urdf.h"

enum { MOST_PARENTS = 16 };

/* ---- values --------------------------------------------------------------------------------------------------------------------------- */

carom_status urdf_origin(const robot *r, const xml_element *element, carom_pose *out)
{
    const xml_element *origin = xml_child(element, "origin");
    v3 position = v3_zero();
    v3 rpy = v3_zero();
    carom_status status = origin ? robot_vector(r, origin, "xyz", &position) : CAROM_OK;
    status = origin && status == CAROM_OK ? robot_vector(r, origin, "rpy", &rpy) : status;
    *out = pose_make(position, q_about_fixed_axes(rpy));
    return status;
}

carom_status urdf_number(const robot *r, const xml_element *at, const char *name, double *out)
{
    const char *text = NULL;
    carom_status status = robot_text(r, at, name, &text);
    return status == CAROM_OK ? robot_numbers(r, at, name, text, 1, 1, out, NULL) : status;
}

/* ---- meshes --------------------------------------------------------------------------------------------------------------------------- */

/* Where an option says that a package is; NULL: nowhere. */
static const char *given_folder(const robot *r, const char *package)
{
    const json_t *options = json_object_get(r->t->document->root, "import");
    return json_string_value(json_object_get(json_object_get(options, "packages"), package));
}

/* The folder of a package: as an option says, else one with its name here or above. */
static const char *find_in_package(const robot *r, const char *package, const char *rest)
{
    const char *given = given_folder(r, package);
    const char *folder = r->t->document->folder;
    if (given) {
        const char *path = carom_arena_printf(r->arena, "%s/%s", given, rest);
        return path && mesh_path_is_file(path) ? path : NULL;
    }
    char up[3 * MOST_PARENTS + 1] = "";
    for (int i = 0; i < MOST_PARENTS; ++i) {
        const char *inside = carom_arena_printf(r->arena, "%s/%s%s/%s", folder, up, package, rest);
        if (!inside || mesh_path_is_file(inside)) {
            return inside;
        }
        strcat(up, "../");
    }
    return NULL;
}

/* Of "package://NAME/PATH"; inside: "NAME/PATH". */
static carom_status find_packaged(const robot *r, const xml_element *at, const char *whole, const char *inside,
                                  const char **out)
{
    size_t length = strcspn(inside, "/");
    const char *package = carom_arena_printf(r->arena, "%.*s", (int)length, inside);
    *out = package && inside[length] ? find_in_package(r, package, inside + length + 1) : NULL;
    if (*out) {
        return CAROM_OK;
    }
    if (r->arena->failed) {
        return robot_no_memory(r);
    }
    const char *given = given_folder(r, package);
    return given ? robot_fail(r, at, "there is no mesh '%.300s': the package '%.60s' is said to be in '%.200s'",
                              whole, package, given)
                 : robot_fail(r, at,
                              "the mesh '%.300s' is in no folder of that name beside the file or above it; "
                              "say where the package is: --package NAME=FOLDER",
                              whole);
}

static carom_status find_mesh(const robot *r, const xml_element *at, const char *name, const char **out)
{
    static const char *const packaged[] = { "package://", "model://" };
    for (int i = 0; i < 2; ++i) {
        size_t length = strlen(packaged[i]);
        if (strncmp(name, packaged[i], length) == 0) {
            return find_packaged(r, at, name, name + length, out);
        }
    }
    const char *plain = strncmp(name, "file://", 7) == 0 ? name + 7 : name;
    if (strstr(plain, "://")) {
        return robot_fail(r, at, "the mesh '%.300s' is no file; copy it beside the robot", name);
    }
    const char *path = scene_join_path(r->arena, r->t->document->folder, plain);
    *out = path && mesh_path_is_file(path) ? path : NULL;
    return *out ? CAROM_OK : !path ? robot_no_memory(r) : robot_fail(r, at, "there is no mesh '%.300s'", path);
}

carom_status urdf_mesh(robot *r, const xml_element *at, carom_pose pose)
{
    const char *name = NULL;
    const char *path = NULL;
    v3 scale = v3_make(1.0, 1.0, 1.0);
    carom_status status = robot_text(r, at, "filename", &name);
    status = status == CAROM_OK ? robot_vector(r, at, "scale", &scale) : status;
    status = status == CAROM_OK ? find_mesh(r, at, name, &path) : status;
    return status == CAROM_OK ? robot_mesh(r, at, path, scale, pose) : status;
}
