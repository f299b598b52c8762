/* Robots of XML formats (URDF, MJCF) on their way to a carom scene: a tree of links with axes, shapes and masses.
 *
 * A format's reader fills the tree; robot_settle decides which links are bodies and where everything stands; robot_write writes
 * bodies, joints, springs and friction. Links stand behind their parents. Link 0 is the root. */
#ifndef CAROM_SCENE_ROBOT_H
#define CAROM_SCENE_ROBOT_H

#include "files/xml_document.h"
#include "geometry/mass.h"
#include "scene/translation.h"

enum { ROBOT_NONE = -1 };

typedef enum axis_kind { AXIS_HINGE, AXIS_SLIDE, AXIS_BALL, AXIS_PLANE, AXIS_FREE } axis_kind;

/* One joint of the file: how a link moves in its parent. A link may have several, each carried by those before it. */
typedef struct robot_axis {
    const xml_element *from;
    const char *name;
    axis_kind kind;
    int link;
    v3 axis, anchor;  /* in the link's frame; the axis is a unit vector */
    double reference; /* coordinate where the link is drawn */
    bool limited;
    double low, high;
    double stiffness, rest, damping;
    double friction;        /* [N m] or [N] that resists motion, whatever the load */
    double value, rate;     /* at the start; a hinge or slide */
    carom_pose pose;        /* at the start: a ball turns by its orientation, a free link is there */
    v3 velocity, omega;     /* at the start: of a free link in world and own axes; a ball turns in own axes */
    const char *joint;      /* of the translated scene; NULL: none */
    const char *coordinate; /* of that joint */
} robot_axis;

typedef struct robot_shape {
    const xml_element *from;
    json_t *kind;    /* {"box": [...]}; owned */
    carom_pose pose; /* in the link's frame */
    bool touches;
    const char *material; /* or NULL */
    mass_properties unit; /* of unit density, in the link's frame; mass 0: not a solid */
} robot_shape;

typedef struct robot_link {
    const xml_element *from;
    const char *name;
    int parent;      /* ROBOT_NONE: the world */
    carom_pose pose; /* in its parent's frame, as drawn */
    bool grounded;   /* does not move: the root alone is asked */
    int first_axis, axis_count;
    int first_shape, shape_count;
    mass_properties mass; /* in the link's frame; mass 0: none */
    bool colored;
    double color[3];

    int owner;                  /* the link whose body this one is part of */
    carom_pose in_owner;        /* its frame in that body's */
    carom_pose drawn_w, pose_w; /* as drawn, and at the start */
    v3 velocity_w, omega_w;
    const char *body; /* of an owner: its name, or "ground" */
    mass_properties total;
    bool fixed;  /* an owner that stands */
    bool shaped; /* an owner with shapes, those of links joined to it included */
} robot_link;

typedef struct robot {
    translation *t;
    carom_arena *arena;
    robot_link *links;
    size_t link_count, link_capacity;
    robot_axis *axes;
    size_t axis_count, axis_capacity;
    robot_shape *shapes;
    size_t shape_count, shape_capacity;
    json_t *names;         /* taken ones */
    json_t *ignored;       /* elements without effect: how many of each, and where the first is */
    carom_status misspelt; /* CAROM_OK: no element or attribute is */
} robot;

bool robot_begin(robot *r, translation *t);
void robot_free(robot *r);

/* The tree of the document's text, in the arena. */
carom_status robot_parse(robot *r, const json_document *document, xml_element **out);

/* ---- errors and remarks (robot_read.c) ------------------------------------------------------------------------------------- */

carom_status robot_fail(const robot *r, const xml_element *at, const char *fmt, ...) CAROM_PRINTF(3, 4);
carom_status robot_no_memory(const robot *r);
void robot_remark(robot *r, remark_kind kind, const xml_element *at, const char *fmt, ...) CAROM_PRINTF(4, 5);

/* Counts an element that has no effect; robot_tell_ignored says how many there were, by name. */
void robot_ignore(robot *r, const xml_element *element);
void robot_tell_ignored(robot *r);

/* Counts all children that are none of `known`, ended by NULL; those that seem to be meant for one are refused, in `misspelt`. */
void robot_ignore_strangers(robot *r, const xml_element *element, const char *const *known);

/* The attributes that an element may have, between blanks. Of two entries for one element the first whose parent is right counts;
 * NULL: any parent. */
typedef struct robot_words {
    const char *parent, *element, *attributes;
} robot_words;

/* Warns of attributes that no entry has, and refuses those that seem to be misspelt. Elements without an entry are not looked into. */
void robot_check_attributes(robot *r, const xml_element *element, const robot_words *words);

/* ---- attributes ----------------------------------------------------------------------------------------------------------------- */

/* Numbers between blanks: from `least` to `most` of them, finite; *count of them (may be NULL). */
carom_status robot_numbers(const robot *r, const xml_element *at, const char *name, const char *text, size_t least,
                           size_t most, double *out, size_t *count);

/* Each leaves *out alone where the attribute is not there. */
carom_status robot_number(const robot *r, const xml_element *at, const char *name, double *out);
carom_status robot_vector(const robot *r, const xml_element *at, const char *name, v3 *out);

/* An attribute that must be there. */
carom_status robot_text(const robot *r, const xml_element *at, const char *name, const char **out);

/* A direction of any length but zero. */
carom_status robot_unit(const robot *r, const xml_element *at, const char *name, v3 *axis);

/* An option of the import, --set import.NAME=...: NULL where it is not given. */
const char *robot_option_text(const robot *r, const char *name);
carom_status robot_option_choice(const robot *r, const char *name, const char *const *words, int *out);
carom_status robot_option_number(const robot *r, const char *name, double *out);
carom_status robot_check_options(const robot *r, const char *const *known);

/* Whether an override is one of the import's. */
bool robot_owns_override(const char *override);

/* ---- building (robot.c) ----------------------------------------------------------------------------------------------------------- */

/* Each returns NULL when memory runs out. A new link has no axes and shapes; those that are added belong to the last link. */
robot_link *robot_add_link(robot *r, const xml_element *from, const char *name, int parent);
robot_axis *robot_add_axis(robot *r, const xml_element *from, const char *name, axis_kind kind);

/* Takes kind. */
robot_shape *robot_add_shape(robot *r, const xml_element *from, json_t *kind, carom_pose pose);

/* A name that nothing else has, as near to `wanted` as possible; NULL: no memory, as where `wanted` is NULL. */
const char *robot_unique_name(robot *r, const xml_element *from, const char *wanted, const char *what);

/* The text as a word of expressions: letters, digits, '_' and '.' alone, so short that they take it; NULL: no memory. */
const char *robot_word(robot *r, const char *text);

/* What belongs to something: its name, shortened where it is very long, and a word behind it; NULL: no memory. */
const char *robot_name_of(robot *r, const char *name, const char *what);

/* The kinds of shapes, with their volume. Sizes must be positive. */
carom_status robot_box(robot *r, const xml_element *from, v3 size, carom_pose pose);
carom_status robot_sphere(robot *r, const xml_element *from, double radius, carom_pose pose);
carom_status robot_cylinder(robot *r, const xml_element *from, double radius, double length, carom_pose pose);
carom_status robot_capsule(robot *r, const xml_element *from, double radius, double length, carom_pose pose);
carom_status robot_ellipsoid(robot *r, const xml_element *from, v3 radii, carom_pose pose);
carom_status robot_mesh(robot *r, const xml_element *from, const char *path, v3 scale, carom_pose pose);

/* Mass from all shapes of a link by one density, or scaled to `mass` where that is positive. False: they have no volume. */
bool robot_mass_of_shapes(const robot *r, const robot_link *link, double density, double mass, mass_properties *out);

/* NULL, or what is wrong with a mass and its inertia. */
const char *robot_mass_problem(const mass_properties *m);

/* Which links are bodies, where they stand and how fast they move. */
carom_status robot_settle(robot *r);

/* Whether shapes of two bodies could touch. After robot_settle. */
bool robot_may_touch(const robot *r);

/* ---- writing (robot_write.c) -------------------------------------------------------------------------------------------------------- */

carom_status robot_write(robot *r);

/* A joint between two links that closes a loop; markers in the frames of the links. */
carom_status robot_close_loop(robot *r, const xml_element *from, const char *name, const char *type, int link_a,
                              carom_pose a, int link_b, carom_pose b);

/* ratio * coordinate_1 + coordinate_2 stays constant. */
void robot_gear(robot *r, const xml_element *from, const char *name, const robot_axis *first,
                const robot_axis *second, double ratio);

static inline carom_pose pose_make(v3 position, quat orientation)
{
    return (carom_pose){ position, orientation };
}

static inline v3 pose_point(carom_pose p, v3 r)
{
    return v3_add(p.position, q_rotate(p.orientation, r));
}

static inline carom_pose pose_inverse(carom_pose p)
{
    quat q = q_conj(p.orientation);
    return pose_make(v3_neg(q_rotate(q, p.position)), q);
}

#endif
