/* Robots of the Unified Robot Description Format: what each element becomes is in docs/import.md. */
#include <string.h>

#include "scene/urdf.h"

typedef enum urdf_base { BASE_AUTO, BASE_FIXED, BASE_FREE } urdf_base;

static bool recognised(const json_document *document)
{
    return document->markup && !xml_begins_with(document->text, "mujoco");
}

/* ---- the robot ------------------------------------------------------------------------------------------------------------------------ */

static carom_status read_link(urdf_reading *u, const urdf_tree *tree, int which, const int *number)
{
    static const char *const known[] = { "inertial", "visual", "collision", NULL };
    robot *r = &u->robot;
    const xml_element *from = tree->links[which];
    int parent = tree->parent[which] == ROBOT_NONE ? ROBOT_NONE : number[tree->parent[which]];
    robot_link *link = robot_add_link(r, from, xml_attribute_of(from, "name"), parent);
    if (!link) {
        return robot_no_memory(r);
    }
    carom_status status = tree->above[which] ? urdf_read_joint(u, tree->above[which], link) : CAROM_OK;
    status = error_worse(status, urdf_read_shapes(u, from));
    status = error_worse(status, urdf_read_color(u, from, link));
    status = status == CAROM_OK ? urdf_read_mass(u, from, link) : status;
    robot_ignore_strangers(r, from, known);
    return status;
}

static carom_status read_links(urdf_reading *u, const urdf_tree *tree)
{
    robot *r = &u->robot;
    int *number = CAROM_ARENA_ARRAY(r->arena, int, tree->count + 1);
    carom_status status = number ? CAROM_OK : robot_no_memory(r);
    for (int i = 0; number && i < tree->count && error_goes_on(r->t->r->err, status); ++i) {
        number[tree->order[i]] = i;
        status = error_worse(status, read_link(u, tree, tree->order[i], number));
    }
    return status;
}

/* Whether the root stands: as told, else where it is called "world" or has no mass. */
static void place_base(urdf_reading *u)
{
    robot *r = &u->robot;
    robot_link *root = &r->links[0];
    bool world = strcmp(root->name, "world") == 0;
    root->grounded = u->base == BASE_FIXED || (u->base == BASE_AUTO && (world || !(root->mass.mass > 0.0)));
    robot_remark(r, REMARK_TOLD, root->from, "the root '%.80s' %s; --set import.base=%s changes that", root->name,
                 root->grounded ? "stands" : "is free to move", root->grounded ? "free" : "fixed");
}

/* Free links start where they are drawn. */
static void place_free_links(robot *r)
{
    carom_pose *drawn = CAROM_ARENA_ARRAY(r->arena, carom_pose, r->link_count);
    for (size_t i = 0; drawn && i < r->link_count; ++i) {
        robot_link *link = &r->links[i];
        drawn[i] = link->parent == ROBOT_NONE ? link->pose : scene_pose_compose(drawn[link->parent], link->pose);
        for (int k = link->first_axis; k < link->first_axis + link->axis_count; ++k) {
            r->axes[k].pose = drawn[i];
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------------ */

static json_t *scene_json(urdf_reading *u)
{
    robot *r = &u->robot;
    const char *name = xml_attribute_of(u->root, "name");
    json_t *scene = json_object();
    translation_set(r->t, scene, "carom", json_real(CAROM_SCENE_VERSION));
    translation_set(r->t, scene, "name", name && *name ? json_string(name) : translation_name(r->t->document->file));
    translation_set(r->t, scene, "gravity", json_pack("[fff]", 0.0, 0.0, -9.81));
    translation_set(r->t, scene, "contact", json_pack("{ss}", "method", "none"));
    robot_remark(r, REMARK_TOLD, u->root, "gravity is 9.81 m/s^2 along -z; the format does not say it");
    if (!r->t->chosen_method && robot_may_touch(r)) {
        robot_remark(r, REMARK_NOTE, u->root,
                     "the format has no law of contact: nothing touches; --method impact, or another, changes that");
    }
    return scene;
}

static carom_status check_packages(const robot *r)
{
    const json_t *packages = json_object_get(json_object_get(r->t->document->root, "import"), "packages");
    const char *name;
    json_t *folder;
    json_object_foreach((json_t *)(uintptr_t)packages, name, folder)
    {
        if (!json_is_string(folder)) {
            return robot_fail(r, NULL, "import.packages.%.60s is the name of a folder", name);
        }
    }
    return !packages || json_is_object(packages)
               ? CAROM_OK
               : robot_fail(r, NULL, "import.packages has a folder for each package: import.packages.NAME=FOLDER");
}

static carom_status read_options(urdf_reading *u)
{
    static const char *const known[] = { "base", "shapes", "density", "packages", NULL };
    static const char *const bases[] = { "auto", "fixed", "free", NULL };
    static const char *const shapes[] = { "auto", "collision", "visual", "both", NULL };
    const robot *r = &u->robot;
    carom_status status = robot_check_options(r, known);
    status = status == CAROM_OK ? check_packages(r) : status;
    status = status == CAROM_OK ? robot_option_choice(r, "base", bases, &u->base) : status;
    status = status == CAROM_OK ? robot_option_choice(r, "shapes", shapes, &u->shapes) : status;
    return status == CAROM_OK ? robot_option_number(r, "density", &u->density) : status;
}

static carom_status refuse_xacro(const urdf_reading *u)
{
    for (const xml_element *e = u->root; e; e = xml_following(e)) {
        if (strncmp(e->name, "xacro:", 6) == 0) {
            return robot_fail(&u->robot, e, "this is a xacro file; run xacro first: xacro robot.xacro > robot.urdf");
        }
    }
    return CAROM_OK;
}

static carom_status translate_tree(urdf_reading *u, urdf_tree *tree)
{
    robot *r = &u->robot;
    urdf_mimic *mimics = NULL;
    carom_status status = urdf_read_tree(u, tree);
    status = status == CAROM_OK ? read_links(u, tree) : status;
    status = status == CAROM_OK ? urdf_read_mimics(r, &mimics) : status;
    if (status == CAROM_OK) {
        place_base(u);
        place_free_links(r);
        status = robot_settle(r);
    }
    status = status == CAROM_OK ? robot_write(r) : status;
    return status == CAROM_OK ? urdf_write_mimics(r, mimics) : status;
}

/* Attributes by element; what has no effect at all is counted as an element. */
static const robot_words words[] = {
    { NULL, "robot", "name version" },
    { NULL, "link", "name type" },
    { NULL, "inertial", "" },
    { NULL, "origin", "xyz rpy" },
    { NULL, "mass", "value" },
    { NULL, "inertia", "ixx iyy izz ixy ixz iyz" },
    { NULL, "visual", "name" },
    { NULL, "collision", "name" },
    { NULL, "geometry", "" },
    { NULL, "box", "size" },
    { NULL, "sphere", "radius" },
    { NULL, "cylinder", "radius length" },
    { NULL, "capsule", "radius length" },
    { NULL, "mesh", "filename scale" },
    { NULL, "material", "name" },
    { NULL, "color", "rgba" },
    { NULL, "joint", "name type" },
    { NULL, "parent", "link" },
    { NULL, "child", "link" },
    { NULL, "axis", "xyz" },
    { NULL, "limit", "lower upper effort velocity" },
    { NULL, "dynamics", "damping friction" },
    { NULL, "mimic", "joint multiplier offset" },
    { 0 },
};

static carom_status translate_root(urdf_reading *u, json_document *document)
{
    static const char *const known[] = { "link", "joint", "material", NULL };
    robot *r = &u->robot;
    urdf_tree tree = { 0 };
    if (strcmp(u->root->name, "robot") != 0) {
        return robot_fail(r, u->root,
                          "the file begins with <%.60s>; robots begin with <robot> (URDF) or <mujoco> (MJCF)",
                          u->root->name);
    }
    carom_status status = refuse_xacro(u);
    status = status == CAROM_OK ? read_options(u) : status;
    if (status == CAROM_OK) {
        robot_ignore_strangers(r, u->root, known);
        robot_check_attributes(r, u->root, words);
        status = r->misspelt;
    }
    status = status == CAROM_OK ? translate_tree(u, &tree) : status;
    json_decref(tree.numbers);
    status = error_worse(status, r->misspelt);
    if (status != CAROM_OK) {
        return status;
    }
    robot_tell_ignored(r);
    translation_note_line(r->t, "contact", u->root->line);
    translation_note_line(r->t, "gravity", u->root->line);
    return translation_finish(r->t, document, scene_json(u));
}

static carom_status translate(translation *t, json_document *document)
{
    urdf_reading u = { 0 };
    xml_element *root = NULL;
    carom_status status = robot_begin(&u.robot, t) ? CAROM_OK : scene_no_memory(t->r);
    status = status == CAROM_OK ? robot_parse(&u.robot, document, &root) : status;
    u.root = root;
    status = status == CAROM_OK ? translate_root(&u, document) : status;
    robot_free(&u.robot);
    return status;
}

const scene_format urdf_format = {
    .name = "URDF",
    .recognised = recognised,
    .owns_override = robot_owns_override,
    .translate = translate,
};
