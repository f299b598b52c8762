/* The tree of a robot: links, axes, shapes; which links are bodies; where everything stands at the start. */
#include "scene/robot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"
#include "mesh_files/mesh_read.h"
#include "scene/mesh_path.h"

enum {
    MOST_PARTS = 200000,
    MOST_IN_EXPRESSIONS = 60
}; /* expressions take 100 bytes, a coordinate and its rate included */

bool robot_begin(robot *r, translation *t)
{
    *r = (robot){ .t = t, .arena = t->r->arena, .names = json_object(), .ignored = json_object() };
    return r->names && r->ignored;
}

void robot_free(robot *r)
{
    for (size_t i = 0; i < r->shape_count; ++i) {
        json_decref(r->shapes[i].kind);
    }
    free(r->links);
    free(r->axes);
    free(r->shapes);
    json_decref(r->names);
    json_decref(r->ignored);
}

robot_link *robot_add_link(robot *r, const xml_element *from, const char *name, int parent)
{
    if (r->link_count >= MOST_PARTS || !CAROM_ARRAY_RESERVE(r->links, r->link_capacity, r->link_count + 1)) {
        return NULL;
    }
    robot_link *link = &r->links[r->link_count++];
    *link = (robot_link){ .from = from,
                          .name = name,
                          .parent = parent,
                          .pose = scene_pose_identity(),
                          .first_axis = (int)r->axis_count,
                          .first_shape = (int)r->shape_count };
    return link;
}

robot_axis *robot_add_axis(robot *r, const xml_element *from, const char *name, axis_kind kind)
{
    if (r->axis_count >= MOST_PARTS || !CAROM_ARRAY_RESERVE(r->axes, r->axis_capacity, r->axis_count + 1)) {
        return NULL;
    }
    robot_axis *axis = &r->axes[r->axis_count++];
    *axis = (robot_axis){ .from = from,
                          .name = name,
                          .kind = kind,
                          .link = (int)r->link_count - 1,
                          .axis = v3_make(0.0, 0.0, 1.0),
                          .pose = scene_pose_identity() };
    r->links[axis->link].axis_count += 1;
    return axis;
}

robot_shape *robot_add_shape(robot *r, const xml_element *from, json_t *kind, carom_pose pose)
{
    bool room = kind && r->shape_count < MOST_PARTS &&
                CAROM_ARRAY_RESERVE(r->shapes, r->shape_capacity, r->shape_count + 1);
    if (!room) {
        json_decref(kind);
        return NULL;
    }
    robot_shape *shape = &r->shapes[r->shape_count++];
    *shape = (robot_shape){ .from = from, .kind = kind, .pose = pose, .touches = true };
    r->links[r->link_count - 1].shape_count += 1;
    return shape;
}

const char *robot_unique_name(robot *r, const xml_element *from, const char *wanted, const char *what)
{
    const char *name = wanted;
    bool taken = name && (strcmp(name, "ground") == 0 || strcmp(name, "all") == 0 || json_object_get(r->names, name));
    for (int i = 1; taken && name; ++i) {
        name = i == 1 ? carom_arena_printf(r->arena, "%s_%s", wanted, what)
                      : carom_arena_printf(r->arena, "%s_%s_%d", wanted, what, i);
        taken = name && json_object_get(r->names, name);
    }
    if (name && name != wanted) {
        robot_remark(r, REMARK_NOTE, from, "the %s '%.80s' is called '%.100s': the name is taken", what, wanted,
                     name);
    }
    if (!name || json_object_set_new(r->names, name, json_true()) != 0) {
        r->t->out_of_memory = true;
        return NULL;
    }
    return name;
}

const char *robot_word(robot *r, const char *text)
{
    bool digit = text[0] >= '0' && text[0] <= '9';
    char *word = carom_arena_printf(r->arena, "%s%.*s", digit || !text[0] ? "_" : "", MOST_IN_EXPRESSIONS, text);
    for (char *c = word; c && *c; ++c) {
        unsigned char u = (unsigned char)*c;
        *c = u < 0x80 && (isalnum(u) || u == '_' || (u == '.' && c != word)) ? *c : '_';
    }
    return word;
}

const char *robot_name_of(robot *r, const char *name, const char *what)
{
    enum { MOST = 180 }; /* bytes; names of scenes have at most 200 */
    size_t length = strlen(name);
    if (length > MOST) {
        length = MOST;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) { /* not inside a character */
            --length;
        }
    }
    return what ? carom_arena_printf(r->arena, "%.*s%s", (int)length, name, what) : NULL;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------------------- */

static carom_status add_solid(robot *r, const xml_element *from, const char *type, const void *params, json_t *kind,
                              carom_pose pose)
{
    robot_shape *shape = robot_add_shape(r, from, kind, pose);
    mass_properties unit;
    if (!shape) {
        return robot_no_memory(r);
    }
    carom_shape_type_find(type)->mass(&unit, params, NULL);
    shape->unit = mass_transform(unit, pose);
    return CAROM_OK;
}

static bool positive(v3 a)
{
    return a.x > 0.0 && a.y > 0.0 && a.z > 0.0;
}

carom_status robot_box(robot *r, const xml_element *from, v3 size, carom_pose pose)
{
    const carom_box_def def = { size };
    if (!positive(size)) {
        return robot_fail(r, from, "a box of %g x %g x %g m; its edges must be positive", size.x, size.y, size.z);
    }
    return add_solid(r, from, "box", &def, json_pack("{so}", "box", translation_vector(size)), pose);
}

carom_status robot_sphere(robot *r, const xml_element *from, double radius, carom_pose pose)
{
    const carom_sphere_def def = { radius };
    if (!(radius > 0.0)) {
        return robot_fail(r, from, "a sphere with a radius of %g m; it must be positive", radius);
    }
    return add_solid(r, from, "sphere", &def, json_pack("{sf}", "sphere", radius), pose);
}

static carom_status add_round(robot *r, const xml_element *from, const char *type, const void *def, double radius,
                              double length, carom_pose pose)
{
    if (!(radius > 0.0) || !(length > 0.0)) {
        return robot_fail(r, from, "a %s with a radius of %g m and a length of %g m; both must be positive", type,
                          radius, length);
    }
    return add_solid(r, from, type, def, json_pack("{s{sfsf}}", type, "radius", radius, "length", length), pose);
}

carom_status robot_cylinder(robot *r, const xml_element *from, double radius, double length, carom_pose pose)
{
    const carom_cylinder_def def = { radius, length };
    return add_round(r, from, "cylinder", &def, radius, length, pose);
}

carom_status robot_capsule(robot *r, const xml_element *from, double radius, double length, carom_pose pose)
{
    const carom_capsule_def def = { radius, length };
    return add_round(r, from, "capsule", &def, radius, length, pose);
}

carom_status robot_ellipsoid(robot *r, const xml_element *from, v3 radii, carom_pose pose)
{
    const carom_ellipsoid_def def = { radii };
    if (!positive(radii)) {
        return robot_fail(r, from, "an ellipsoid with half axes of %g, %g, %g m; they must be positive", radii.x,
                          radii.y, radii.z);
    }
    return add_solid(r, from, "ellipsoid", &def, json_pack("{so}", "ellipsoid", translation_vector(radii)), pose);
}

/* A mesh that does not close has no volume: its link needs a mass of its own. */
static carom_status weigh_mesh(const robot *r, const xml_element *from, const char *path, v3 scale, carom_pose pose,
                               mass_properties *out)
{
    mesh *m = NULL;
    mesh_quality quality;
    carom_error inner = { 0 };
    char text[600];
    const mesh_file file = { path, scale, MESH_SURFACE };
    carom_status status = mesh_read_content(&m, &file, NULL, &inner);
    status = status == CAROM_OK ? mesh_inspect(m, &quality, &inner) : status;
    if (status == CAROM_OK && !quality.open_edges && !quality.nonmanifold_edges && !quality.flipped_edges &&
        quality.volume > 0.0) {
        mesh_mass(out, m);
        *out = mass_transform(*out, pose);
    }
    mesh_destroy(m);
    if (status == CAROM_NO_MEMORY) {
        return robot_no_memory(r);
    }
    return status == CAROM_OK ? status : robot_fail(r, from, "%s", carom_error_text(&inner, text, sizeof text));
}

carom_status robot_mesh(robot *r, const xml_element *from, const char *path, v3 scale, carom_pose pose)
{
    if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return robot_fail(r, from, "a scale of 0 leaves nothing of the mesh");
    }
    const char *name = mesh_path_from(r->arena, r->t->folder, path);
    if (!name) {
        return robot_no_memory(r);
    }
    bool plain = scale.x == 1.0 && scale.y == 1.0 && scale.z == 1.0;
    json_t *kind = plain ? json_pack("{ss}", "mesh", name)
                         : json_pack("{s{ssso}}", "mesh", "file", name, "scale", translation_vector(scale));
    robot_shape *shape = robot_add_shape(r, from, kind, pose);
    return shape ? weigh_mesh(r, from, path, scale, pose, &shape->unit) : robot_no_memory(r);
}

bool robot_mass_of_shapes(const robot *r, const robot_link *link, double density, double mass, mass_properties *out)
{
    mass_properties sum = { 0 };
    for (int i = link->first_shape; i < link->first_shape + link->shape_count; ++i) {
        if (r->shapes[i].unit.mass > 0.0) {
            sum = sum.mass > 0.0 ? mass_add(sum, r->shapes[i].unit) : r->shapes[i].unit;
        }
    }
    if (!(sum.mass > 0.0)) {
        return false;
    }
    *out = mass_scale(sum, mass > 0.0 ? mass / sum.mass : density);
    return true;
}

const char *robot_mass_problem(const mass_properties *m)
{
    return m->mass > 0.0 ? mass_inertia_problem(m->inertia) : "the mass must be positive";
}

/* ---- which links are bodies ------------------------------------------------------------------------------------------------------------ */

static void join(robot *r, int link, int owner)
{
    robot_link *child = &r->links[link];
    robot_link *body = &r->links[owner];
    child->owner = owner;
    body->shaped = body->shaped || child->shape_count > 0;
    child->in_owner = scene_pose_compose(r->links[child->parent].in_owner, child->pose);
    if (child->mass.mass > 0.0) {
        mass_properties moved = mass_transform(child->mass, child->in_owner);
        body->total = body->total.mass > 0.0 ? mass_add(body->total, moved) : moved;
    }
    if (!body->colored && child->colored) {
        body->colored = true;
        memcpy(body->color, child->color, sizeof body->color);
    }
}

/* A link without mass goes with its parent, one with mass goes into a parent that has none and moves; both over joints that are
 * fixed. */
static void choose_owner(robot *r, int i)
{
    robot_link *link = &r->links[i];
    bool fixed_to_parent = link->parent != ROBOT_NONE && link->axis_count == 0;
    int above = link->parent == ROBOT_NONE ? ROBOT_NONE : r->links[link->parent].owner;
    bool light = !(link->mass.mass > 0.0);
    link->owner = i;
    link->shaped = link->shape_count > 0;
    link->in_owner = scene_pose_identity();
    link->total = link->mass;
    link->fixed = link->parent == ROBOT_NONE ? link->grounded : fixed_to_parent && r->links[above].fixed;
    if (fixed_to_parent && light) {
        join(r, i, above);
        robot_remark(r, REMARK_TOLD, link->from, "'%.80s' has no mass: joined to '%.80s'", link->name,
                     r->links[above].name);
    } else if (fixed_to_parent && !r->links[above].fixed && !(r->links[above].total.mass > 0.0)) {
        robot_remark(r, REMARK_TOLD, link->from, "'%.80s' is joined to '%.80s', which has no mass of its own",
                     link->name, r->links[above].name);
        join(r, i, above);
    }
}

static carom_status check_owner(const robot *r, int i)
{
    const robot_link *link = &r->links[i];
    bool massless = link->owner == i && !link->fixed && !(link->total.mass > 0.0);
    return massless ? robot_fail(r, link->from,
                                 "'%.80s' moves and has no mass; give it an inertia, or a fixed joint, or take the "
                                 "masses of all such links from their shapes: --set import.density=1000",
                                 link->name)
                    : CAROM_OK;
}

/* ---- where they are ----------------------------------------------------------------------------------------------------------------------- */

/* Moves a pose by one axis: the link is at `pose` and moves with `velocity` (of its origin) and `omega`. */
static void move_by(robot_link *link, carom_pose *pose, const robot_axis *a)
{
    v3 axis_w = q_rotate(pose->orientation, a->axis);
    v3 anchor_w = pose_point(*pose, a->anchor);
    double turn_by = a->value - a->reference;
    if (a->kind == AXIS_FREE) {
        *pose = a->pose;
        link->velocity_w = a->velocity;
        link->omega_w = q_rotate(pose->orientation, a->omega);
    } else if (a->kind == AXIS_SLIDE) {
        pose->position = v3_axpy(pose->position, turn_by, axis_w);
        link->velocity_w = v3_axpy(link->velocity_w, a->rate, axis_w);
        link->velocity_w = v3_axpy(link->velocity_w, turn_by, v3_cross(link->omega_w, axis_w));
    } else if (a->kind == AXIS_HINGE || a->kind == AXIS_BALL) {
        v3 arm = v3_sub(pose->position, anchor_w);
        v3 anchor_velocity = v3_sub(link->velocity_w, v3_cross(link->omega_w, arm));
        quat turn = a->kind == AXIS_BALL ? q_mul(pose->orientation, a->pose.orientation)
                                         : q_mul(q_axis_angle(axis_w, turn_by), pose->orientation);
        pose->orientation = q_unit(turn);
        pose->position = v3_sub(anchor_w, q_rotate(pose->orientation, a->anchor));
        v3 spin = a->kind == AXIS_BALL ? q_rotate(pose->orientation, a->omega) : v3_scale(a->rate, axis_w);
        link->omega_w = v3_add(link->omega_w, spin);
        arm = v3_sub(pose->position, anchor_w);
        link->velocity_w = v3_add(anchor_velocity, v3_cross(link->omega_w, arm));
    }
}

static void place(robot *r, int i)
{
    robot_link *link = &r->links[i];
    const robot_link *parent = link->parent == ROBOT_NONE ? NULL : &r->links[link->parent];
    link->drawn_w = parent ? scene_pose_compose(parent->drawn_w, link->pose) : link->pose;
    link->pose_w = parent ? scene_pose_compose(parent->pose_w, link->pose) : link->pose;
    if (parent) {
        v3 arm = v3_sub(link->pose_w.position, parent->pose_w.position);
        link->omega_w = parent->omega_w;
        link->velocity_w = v3_add(parent->velocity_w, v3_cross(parent->omega_w, arm));
    }
    for (int k = link->first_axis; k < link->first_axis + link->axis_count; ++k) {
        move_by(link, &link->pose_w, &r->axes[k]);
    }
}

carom_status robot_settle(robot *r)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < r->link_count; ++i) {
        choose_owner(r, (int)i);
        place(r, (int)i);
    }
    for (size_t i = 0; i < r->link_count && error_goes_on(r->t->r->err, status); ++i) {
        status = error_worse(status, check_owner(r, (int)i));
    }
    for (size_t i = 0; i < r->link_count && status == CAROM_OK; ++i) {
        robot_link *link = &r->links[i];
        if (link->owner == (int)i) {
            bool bare = link->fixed && !link->shaped; /* a frame only */
            link->body = bare ? "ground" : robot_unique_name(r, link->from, link->name, "body");
            status = link->body ? CAROM_OK : robot_no_memory(r);
        }
    }
    return status;
}

bool robot_may_touch(const robot *r)
{
    int first = ROBOT_NONE;
    bool two = false;
    for (size_t i = 0; i < r->link_count && !two; ++i) {
        const robot_link *link = &r->links[i];
        bool touches = false;
        for (int k = link->first_shape; k < link->first_shape + link->shape_count && !touches; ++k) {
            touches = r->shapes[k].touches;
        }
        two = touches && first != ROBOT_NONE && first != link->owner;
        first = touches && first == ROBOT_NONE ? link->owner : first;
    }
    return two;
}
