/* Geoms of MJCF. Sizes are half sizes there. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/mesh_path.h"
#include "scene/mjcf.h"

typedef enum geom_type {
    GEOM_PLANE,
    GEOM_SPHERE,
    GEOM_CAPSULE,
    GEOM_ELLIPSOID,
    GEOM_CYLINDER,
    GEOM_BOX,
    GEOM_MESH
} geom_type;
static const char *const geom_types[] = {
    "plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", NULL
};

/* ---- meshes --------------------------------------------------------------------------------------------------------------------- */

static const char *stem_of(const mjcf *m, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return carom_arena_printf(m->robot.arena, "%.*s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

/* The asset with this name: its own, or that of its file. */
static const xml_element *find_asset(const mjcf *m, const char *kind, const char *name)
{
    for (const xml_element *assets = xml_child(m->root, "asset"); assets; assets = xml_next(assets, "asset")) {
        for (const xml_element *e = xml_child(assets, kind); e; e = xml_next(e, kind)) {
            const char *own = xml_attribute_of(e, "name");
            const char *file = own ? NULL : xml_attribute_of(e, "file");
            own = file ? stem_of(m, file) : own;
            if (own && strcmp(own, name) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

static const char *mesh_path(const mjcf *m, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = m->s.strip_path && slash ? slash + 1 : file;
    const char *inside = m->s.mesh_folder && name[0] != '/'
                             ? carom_arena_printf(m->robot.arena, "%s/%s", m->s.mesh_folder, name)
                             : name;
    return inside ? scene_join_path(m->robot.arena, m->robot.t->document->folder, inside) : NULL;
}

static carom_status add_mesh(mjcf *m, const xml_element *geom, carom_pose pose)
{
    robot *r = &m->robot;
    const char *name = mjcf_attribute(m, geom, "mesh");
    const xml_element *asset = name ? find_asset(m, "mesh", name) : NULL;
    if (!asset) {
        return robot_fail(r, geom, "there is no mesh '%.80s' among the assets", name ? name : "");
    }
    const char *file = mjcf_attribute(m, asset, "file");
    v3 scale = v3_make(1.0, 1.0, 1.0);
    static const struct {
        const char *name, *use;
    } turned[] = { { "refpos", "pos" }, { "refquat", "quat" } };
    for (int i = 0; i < 2; ++i) {
        if (mjcf_attribute(m, asset, turned[i].name)) {
            return robot_fail(r, asset, "%s is not read; write it into %s of the geom", turned[i].name,
                              turned[i].use);
        }
    }
    const char *inertia = mjcf_attribute(m, asset, "inertia");
    if (inertia && strcmp(inertia, "exact") != 0) {
        robot_remark(r, REMARK_WARNING, asset, "inertia=\"%.20s\" has no effect: that of a mesh is exact", inertia);
    }
    if (!file) {
        return robot_fail(r, asset, "the mesh has no file; vertices in the scene are not read");
    }
    carom_status status = mjcf_vector(m, asset, "scale", &scale);
    const char *path = status == CAROM_OK ? mesh_path(m, file) : NULL;
    if (status == CAROM_OK && !path) {
        return robot_no_memory(r);
    }
    if (status == CAROM_OK && !mesh_path_is_file(path)) {
        return robot_fail(r, asset, "there is no mesh '%.300s'", path);
    }
    return status == CAROM_OK ? robot_mesh(r, asset, path, scale, pose) : status;
}

/* ---- sizes ---------------------------------------------------------------------------------------------------------------------- */

/* Along the line between two points, which gives the last of the sizes. */
static carom_status read_line(const mjcf *m, const xml_element *e, geom_type type, double *size, carom_pose *pose,
                              bool *given)
{
    double ends[6];
    size_t count = 0;
    carom_status status = mjcf_reals(m, e, "fromto", 6, 6, ends, &count);
    *given = count == 6;
    if (status != CAROM_OK || !*given) {
        return status;
    }
    v3 a = v3_load(ends);
    v3 b = v3_load(ends + 3);
    v3 along = v3_sub(b, a);
    double half = 0.5 * v3_norm(along);
    if (type == GEOM_PLANE || type == GEOM_SPHERE || type == GEOM_MESH || !(half > 0.0)) {
        return robot_fail(&m->robot, e,
                          "fromto is for capsules, cylinders, boxes and ellipsoids, and its points differ");
    }
    bool round = type == GEOM_CAPSULE || type == GEOM_CYLINDER;
    size[1] = round ? half : size[1] > 0.0 ? size[1] : size[0];
    size[2] = round ? 0.0 : half;
    *pose = pose_make(v3_scale(0.5, v3_add(a, b)), q_frame_with_z(v3_scale(0.5 / half, along)));
    return CAROM_OK;
}

static carom_status add_plane(mjcf *m, const xml_element *e, carom_pose pose)
{
    robot *r = &m->robot;
    const robot_link *link = &r->links[r->link_count - 1];
    if (link->parent != ROBOT_NONE) {
        return robot_fail(r, e, "a plane belongs into the worldbody itself: it does not move");
    }
    return robot_add_shape(r, e, json_pack("{s[fff]}", "plane", 0.0, 0.0, 1.0), pose) ? CAROM_OK : robot_no_memory(r);
}

static carom_status add_shape(mjcf *m, const xml_element *e, geom_type type, const double *size, carom_pose pose)
{
    robot *r = &m->robot;
    v3 half = v3_load(size);
    switch (type) {
    case GEOM_PLANE:
        return add_plane(m, e, pose);
    case GEOM_SPHERE:
        return robot_sphere(r, e, size[0], pose);
    case GEOM_CAPSULE:
        return robot_capsule(r, e, size[0], 2.0 * size[1], pose);
    case GEOM_CYLINDER:
        return robot_cylinder(r, e, size[0], 2.0 * size[1], pose);
    case GEOM_ELLIPSOID:
        return robot_ellipsoid(r, e, half, pose);
    case GEOM_BOX:
        return robot_box(r, e, v3_scale(2.0, half), pose);
    case GEOM_MESH:
        break;
    }
    return add_mesh(m, e, pose);
}

/* ---- masses, colours, friction -------------------------------------------------------------------------------------------------- */

static carom_status weigh(const mjcf *m, const xml_element *e, const robot_shape *shape, mass_properties *out)
{
    double density = 1000.0;
    double mass = -1.0;
    carom_status status = mjcf_number(m, e, "density", &density);
    status = status == CAROM_OK ? mjcf_number(m, e, "mass", &mass) : status;
    *out = (mass_properties){ 0 };
    if (status != CAROM_OK) {
        return status;
    }
    bool weightless = mass == 0.0 || (mass < 0.0 && density == 0.0);
    bool plane = json_object_get(shape->kind, "plane") != NULL;
    if ((mjcf_attribute(m, e, "mass") && mass < 0.0) || density < 0.0) {
        return robot_fail(&m->robot, e, "a mass of %g kg and a density of %g kg/m^3; they must not be negative", mass,
                          density);
    }
    if (weightless || plane) {
        return CAROM_OK;
    }
    if (shape->unit.mass > 0.0) {
        *out = mass_scale(shape->unit, mass > 0.0 ? mass / shape->unit.mass : density);
    } else {
        out->mass = (double)NAN; /* asked for only where the body has no <inertial> */
    }
    return CAROM_OK;
}

static carom_status read_color(const mjcf *m, const xml_element *e, robot_link *link)
{
    double rgba[4];
    size_t count = 0;
    carom_status status = mjcf_reals(m, e, "rgba", 4, 4, rgba, &count);
    const char *material = count == 0 ? mjcf_attribute(m, e, "material") : NULL;
    const xml_element *asset = material ? find_asset(m, "material", material) : NULL;
    if (status == CAROM_OK && asset) {
        status = mjcf_reals(m, asset, "rgba", 4, 4, rgba, &count);
    }
    if (status == CAROM_OK && count == 4 && !link->colored) {
        link->colored = true;
        for (int k = 0; k < 3; ++k) {
            link->color[k] = fmin(fmax(rgba[k], 0.0), 1.0);
        }
    }
    return status;
}

static carom_status read_mask(const mjcf *m, const xml_element *e, const char *name, uint32_t *out)
{
    double value = *out;
    carom_status status = mjcf_number(m, e, name, &value);
    if (status == CAROM_OK && !(value >= 0.0 && value <= UINT32_MAX && value == floor(value))) {
        return robot_fail(&m->robot, e, "%s is a mask of 32 bits, not %g", name, value);
    }
    *out = status == CAROM_OK ? (uint32_t)value : *out;
    return status;
}

/* Shapes with one coefficient and the same masks are of one material, so that pairs can say what holds between two. */
static carom_status read_contact(mjcf *m, const xml_element *e, robot_shape *shape)
{
    robot *r = &m->robot;
    double mu[5] = { 1.0 };
    uint32_t type = 1;
    uint32_t affinity = 1;
    double condim = 3.0;
    carom_status status = mjcf_reals(m, e, "friction", 1, 3, mu, NULL);
    status = status == CAROM_OK ? read_mask(m, e, "contype", &type) : status;
    status = status == CAROM_OK ? read_mask(m, e, "conaffinity", &affinity) : status;
    status = status == CAROM_OK ? mjcf_number(m, e, "condim", &condim) : status;
    if (status != CAROM_OK) {
        return status;
    }
    if (mu[0] < 0.0) {
        return robot_fail(r, e, "a coefficient of friction of %g", mu[0]);
    }
    bool slides = condim == 1.0;
    if (!slides && condim != 3.0 && condim != 4.0 && condim != 6.0) {
        return robot_fail(r, e, "condim is 1, 3, 4 or 6, not %g", condim);
    }
    shape->touches = type != 0 || affinity != 0;
    if (shape->touches && condim > 3.0) {
        robot_remark(r, REMARK_WARNING, e, "condim %g: friction against rolling and spinning has no effect", condim);
    }
    if (!shape->touches) {
        return CAROM_OK;
    }
    char masks[40] = "";
    if (type != 1 || affinity != 1) {
        snprintf(masks, sizeof masks, ", masks %" PRIu32 " %" PRIu32, type, affinity);
    }
    shape->material = carom_arena_printf(r->arena, "friction %.15g%s%s", mu[0], slides ? ", condim 1" : "", masks);
    if (shape->material && !json_object_get(m->frictions, shape->material)) {
        translation_set(r->t, m->frictions, shape->material,
                        json_pack("[fbII]", mu[0], !slides, (json_int_t)type, (json_int_t)affinity));
    }
    return shape->material ? CAROM_OK : robot_no_memory(r);
}

carom_status mjcf_read_geom(mjcf *m, const xml_element *e, mass_properties *mass)
{
    robot *r = &m->robot;
    int type = mjcf_attribute(m, e, "mesh") ? GEOM_MESH : GEOM_SPHERE;
    double size[3] = { 0 };
    carom_pose pose;
    bool line = false;
    carom_status status = mjcf_check_class(m, e);
    status = status == CAROM_OK ? mjcf_word(m, e, "type", geom_types, &type) : status;
    status = status == CAROM_OK ? mjcf_reals(m, e, "size", 1, 3, size, NULL) : status;
    status = status == CAROM_OK ? mjcf_pose(m, e, &pose) : status;
    status = status == CAROM_OK ? read_line(m, e, (geom_type)type, size, &pose, &line) : status;
    if (status == CAROM_OK && type != GEOM_MESH && mjcf_attribute(m, e, "mesh")) {
        status = robot_fail(r, e, "primitives that are fitted to a mesh are not read; give the geom its sizes");
    }
    status = status == CAROM_OK ? add_shape(m, e, (geom_type)type, size, mjcf_local(m, pose)) : status;
    if (status != CAROM_OK) {
        return status;
    }
    robot_shape *shape = &r->shapes[r->shape_count - 1];
    status = weigh(m, e, shape, mass);
    status = status == CAROM_OK ? read_contact(m, e, shape) : status;
    return status == CAROM_OK ? read_color(m, e, &r->links[r->link_count - 1]) : status;
}
